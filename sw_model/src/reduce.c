/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reductions: which operators go with which types, and rows of elements that memory takes part in.
 *
 * A row to global memory goes in parts, as a store's does: one that a window or the bus refuses, at its reads or at
 * its writes, changes nothing, nor does what comes behind it. Elements are worked on one after the other, so
 * each sees the update before it.
 */
#include "arith.h"
#include "model.h"

#define PAIR(type) (1u << (type))
#define WORDS      (PAIR(TMA_TYPE_U32) | PAIR(TMA_TYPE_S32))
#define HALVES     (PAIR(TMA_TYPE_F16) | PAIR(TMA_TYPE_BF16))
#define BITS       (PAIR(TMA_TYPE_B32) | PAIR(TMA_TYPE_B64))
#define ORDERED    (WORDS | PAIR(TMA_TYPE_U64) | PAIR(TMA_TYPE_S64) | HALVES)

/* Types of each operator: in global memory, in shared memory. */
static const struct {
	uint16_t global;
	uint16_t shared;
} types[] = {
	[TMA_REDUCE_ADD] = { WORDS | PAIR(TMA_TYPE_U64) | PAIR(TMA_TYPE_F32) | PAIR(TMA_TYPE_F64) | HALVES,
	                     WORDS | PAIR(TMA_TYPE_U64) },
	[TMA_REDUCE_MIN] = { ORDERED, WORDS },
	[TMA_REDUCE_MAX] = { ORDERED, WORDS },
	[TMA_REDUCE_INC] = { PAIR(TMA_TYPE_U32), PAIR(TMA_TYPE_U32) },
	[TMA_REDUCE_DEC] = { PAIR(TMA_TYPE_U32), PAIR(TMA_TYPE_U32) },
	[TMA_REDUCE_AND] = { BITS, PAIR(TMA_TYPE_B32) },
	[TMA_REDUCE_OR] = { BITS, PAIR(TMA_TYPE_B32) },
	[TMA_REDUCE_XOR] = { BITS, PAIR(TMA_TYPE_B32) },
};

/* Is the arithmetic of the type built? */
static bool built(const struct tma_model *m, uint32_t type)
{
	return type != TMA_TYPE_F64 || (m->config.reductions & TMA_MODEL_REDUCE_F64);
}

/* A pair of the instruction's table, that the model is built with. */
bool model_reduces(const struct tma_model *m, bool shared, uint32_t op, uint32_t type)
{
	if (op >= sizeof(types) / sizeof(types[0]) || !arith_bytes(type) || !built(m, type))
		return false;
	return (shared ? types[op].shared : types[op].global) >> type & 1;
}

/* Reduce `count` bytes of whole elements. */
void model_reduce_bytes(const struct reduction *r, unsigned char *to, const unsigned char *from,
                        uint32_t count)
{
	uint32_t size = arith_bytes(r->type);

	for (uint32_t at = 0; at < count; at += size) {
		uint64_t dst = 0, src = 0;

		for (uint32_t i = 0; i < size; i++) {
			dst |= (uint64_t)to[at + i] << 8 * i;
			src |= (uint64_t)from[at + i] << 8 * i;
		}
		dst = arith_reduce(r->op, r->type, r->flush, dst, src);
		for (uint32_t i = 0; i < size; i++)
			to[at + i] = (unsigned char)(dst >> 8 * i);
	}
}

/* The window must allow reads and writes. */
static bool allowed(const struct row *row, uint64_t address, struct fault *fault)
{
	struct row reads = *row;

	reads.purpose = FOR_READ;
	return model_window_allows(&reads, address, fault) && model_window_allows(row, address, fault);
}

/* Reduce a row into global memory. */
void model_global_reduce(const struct row *row, const struct reduction *r, const unsigned char *from,
                         struct fault *fault)
{
	uint32_t bytes;

	for (uint32_t done = 0; done < row->size; done += bytes) {
		uint64_t address = row->address + done;
		uint16_t code;

		bytes = model_part_bytes(row, done);
		if (!allowed(row, address, fault))
			return;
		code = model_part_reduce(row, MODEL_PLAIN_PORT, r, address, bytes, from + done);
		if (code) {
			*fault = (struct fault){ code, address };
			return;
		}
	}
}

static struct reduction of_command(const struct tma_command *c)
{
	return (struct reduction){ .op = c->op, .type = c->type };
}

/* cp.reduce.async.bulk.global.shared::cta, to memory or to all devices of a multimem object: in the queue's open
 * group like a store. */
struct outcome model_bulk_reduce(const struct issue *issue)
{
	const struct tma_command *c = issue->command;
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };
	bool multimem = c->opcode == TMA_MULTIMEM_BULK_REDUCE;
	struct row row = model_row(issue, multimem ? FOR_MULTIMEM : FOR_WRITE, c->size);
	struct reduction r = of_command(c);
	const unsigned char *from =
		model_shared(issue->model, address_rank(c->shared_src), address_offset(c->shared_src));

	if (c->size)
		issue->queue->status.open_stores++;
	if (multimem)
		model_multimem_reduce(&row, &r, from, &outcome.fault);
	else
		model_global_reduce(&row, &r, from, &outcome.fault);
	return outcome;
}

/* cp.reduce.async.bulk.shared::cluster.shared::cta. The own CTA is a destination like others (M36). */
struct outcome model_bulk_reduce_shared(const struct issue *issue)
{
	const struct tma_command *c = issue->command;
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };
	struct reduction r = of_command(c);

	model_reduce_bytes(
		&r, model_shared(issue->model, address_rank(c->shared_dst), address_offset(c->shared_dst)),
		model_shared(issue->model, address_rank(c->shared_src), address_offset(c->shared_src)),
		c->size);
	outcome.fault = model_signal(issue, c->size);
	return outcome;
}
