/* SPDX-License-Identifier: Apache-2.0 */
/* See tma_check_ref.h. */
#include "unit_rtl/tma_check_ref.h"
#include "unit_rtl/tma_check_query.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define COUNT_LIMIT 0xFFFFFu
#define SIZE_LIMIT  0xFFFFFu

#define F(name) TMA_FLAG_##name

static const struct row rows[] = {
	{ TMA_BULK_LOAD, GLOBAL | SIZE | DST | BARRIER, F(MULTICAST) | F(CACHE_HINT) | F(CTA_LOCAL),
	  BULK | PAIR },
	{ TMA_BULK_STORE, GLOBAL | SIZE | SRC, F(CP_MASK) | F(CACHE_HINT), BULK },
	{ TMA_BULK_SHARED, SIZE | SRC | DST | BARRIER, 0, BULK | PAIR },
	{ TMA_BULK_PREFETCH, GLOBAL | SIZE, F(CACHE_HINT), BULK },
	{ TMA_MULTIMEM_BULK_STORE, GLOBAL | SIZE | SRC, F(CP_MASK), BULK },
	{ TMA_BULK_REDUCE, GLOBAL | SIZE | SRC | OP | TYPE, F(CACHE_HINT), BULK },
	{ TMA_BULK_REDUCE_SHARED, SIZE | SRC | DST | BARRIER | OP | TYPE, 0, BULK | PAIR },
	{ TMA_MULTIMEM_BULK_REDUCE, GLOBAL | SIZE | SRC | OP | TYPE, 0, BULK },
	{ TMA_TENSOR_LOAD, MODE | DIM | MAP | COORD | DST | BARRIER | OFFSETS,
	  F(MULTICAST) | F(CACHE_HINT) | F(CTA_LOCAL) | F(CTA_GROUP_2), PAIR },
	{ TMA_TENSOR_STORE, MODE | DIM | MAP | COORD | DST, F(CACHE_HINT), STORE },
	{ TMA_TENSOR_REDUCE, MODE | DIM | MAP | COORD | DST | OP, F(CACHE_HINT), STORE },
	{ TMA_TENSOR_PREFETCH, MODE | DIM | MAP | COORD | OFFSETS, F(CACHE_HINT), 0 },
	{ TMA_PREFETCH_TENSORMAP, MAP, 0, 0 },
	{ TMA_MAP_FENCE, MAP, 0, 0 },
	{ TMA_CP_ASYNC, MODE | GLOBAL | SIZE | DST, F(CACHE_HINT) | F(SRC_SIZE) | F(IGNORE_SRC) | F(CG), 0 },
	{ TMA_CP_ASYNC_COMMIT_GROUP, 0, 0, 0 },
	{ TMA_CP_ASYNC_WAIT_GROUP, COUNT, 0, 0 },
	{ TMA_CP_ASYNC_WAIT_ALL, 0, 0, 0 },
	{ TMA_CP_ASYNC_MBARRIER_ARRIVE, BARRIER, F(NOINC), LOCAL },
	{ TMA_BULK_COMMIT_GROUP, 0, 0, 0 },
	{ TMA_BULK_WAIT_GROUP, COUNT, F(READ), 0 },
	{ TMA_MBARRIER_INIT, BARRIER | COUNT, 0, LOCAL },
	{ TMA_MBARRIER_INVAL, BARRIER, 0, LOCAL },
	{ TMA_MBARRIER_EXPECT_TX, BARRIER | TX, 0, 0 },
	{ TMA_MBARRIER_COMPLETE_TX, BARRIER | TX, 0, 0 },
	{ TMA_MBARRIER_ARRIVE, BARRIER | COUNT, F(DROP) | F(EXPECT_TX) | F(NO_COMPLETE), 0 },
	{ TMA_MBARRIER_PENDING_COUNT, GLOBAL, F(LAST_STATE), 0 },
	{ TMA_MBARRIER_TEST_WAIT, BARRIER | GLOBAL, F(LAST_STATE) | F(PARITY), LOCAL },
	{ TMA_MBARRIER_TRY_WAIT, BARRIER | GLOBAL | TX, F(LAST_STATE) | F(PARITY), LOCAL },
	{ TMA_SIGNAL, 0, 0, 0 },
	{ TMA_CANCEL, COUNT, 0, 0 },
};

static const struct row *row_of(const struct tma_command *c)
{
	for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].opcode == c->opcode)
			return &rows[i];
	return NULL;
}

/* Operand addresses: a global or shared one that the opcode has, else one that breaks no rule. */
static uint64_t global_of(const struct query *q)
{
	bool state = q->c->opcode >= TMA_MBARRIER_INIT && q->c->opcode <= TMA_MBARRIER_TRY_WAIT;

	return has(q, GLOBAL) && !state ? q->c->global_address : 0;
}

static uint64_t end_of(uint32_t shared, uint32_t bytes)
{
	return (uint64_t)(shared & 0xFFFFFF) + bytes;
}

static uint32_t grain(const struct query *q)
{
	if (has(q, COORD))
		return 128;
	return is(q, TMA_CP_ASYNC) ? q->c->size : 16;
}

/* The shared source, and the shared destination, that the opcode has; else one that breaks no rule. */
static uint32_t src_of(const struct query *q)
{
	if (q->row->properties & STORE)
		return q->c->shared_dst;
	return has(q, SRC) ? q->c->shared_src : (uint32_t)q->in->cta << 24;
}

static uint32_t dst_of(const struct query *q)
{
	return has(q, DST) && !(q->row->properties & STORE) ? q->c->shared_dst : (uint32_t)q->in->cta << 24;
}

/*
 * Rules. Those behind the first two may ask for the row of the opcode.
 */

static bool bad_version(const struct query *q)
{
	return q->c->version != 1;
}

static bool bad_opcode(const struct query *q)
{
	return !q->row || (has(q, OP) && !q->info->reductions);
}

static bool reserved(const struct query *q)
{
	struct tma_command c = *q->c, zero = { 0 };
	uint32_t fields = q->row->fields;

	if (c.flags & ~(q->row->flags | TMA_FLAG_RECORD))
		return true;
	if (flag(q, TMA_FLAG_MULTICAST))
		fields |= CTA_MASK;
	if (flag(q, TMA_FLAG_CP_MASK))
		fields |= BYTE_MASK;
	if (flag(q, TMA_FLAG_CACHE_HINT))
		fields |= POLICY;
	if (flag(q, TMA_FLAG_PARITY | TMA_FLAG_SRC_SIZE))
		fields |= COUNT;
	if (flag(q, TMA_FLAG_EXPECT_TX))
		fields |= TX;
	if (flag(q, TMA_FLAG_PARITY | TMA_FLAG_LAST_STATE))
		fields &= ~(uint32_t)GLOBAL;
	c.opcode = c.version = 0;
	c.flags = 0;
	c.tag = 0;
	if (fields & COORD)
		memset(c.coord, 0, sizeof(c.coord));
	if (fields & OFFSETS)
		memset(c.im2col, 0, sizeof(c.im2col));
	c.dim = fields & DIM ? 0 : c.dim;
	c.mode = fields & MODE ? 0 : c.mode;
	c.op = fields & OP ? 0 : c.op;
	c.type = fields & TYPE ? 0 : c.type;
	c.global_address = fields & (GLOBAL | MAP) ? 0 : c.global_address;
	c.shared_src = fields & SRC ? 0 : c.shared_src;
	c.size = fields & SIZE ? 0 : c.size;
	c.byte_mask = fields & BYTE_MASK ? 0 : c.byte_mask;
	c.count = fields & COUNT ? 0 : c.count;
	c.tx = fields & TX ? 0 : c.tx;
	c.shared_dst = fields & DST ? 0 : c.shared_dst;
	c.barrier = fields & BARRIER ? 0 : c.barrier;
	c.cta_mask = fields & CTA_MASK ? 0 : c.cta_mask;
	c.policy = fields & POLICY ? 0 : c.policy;
	return memcmp(&c, &zero, sizeof(c)) != 0;
}

static bool conflict(const struct query *q)
{
	static const uint32_t pairs[] = {
		TMA_FLAG_MULTICAST | TMA_FLAG_CTA_LOCAL,
		TMA_FLAG_PARITY | TMA_FLAG_LAST_STATE,
		TMA_FLAG_EXPECT_TX | TMA_FLAG_NO_COMPLETE,
		TMA_FLAG_SRC_SIZE | TMA_FLAG_IGNORE_SRC,
	};

	for (uint32_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if ((q->c->flags & pairs[i]) == pairs[i])
			return true;
	return false;
}

static bool size_granule(const struct query *q)
{
	return q->row->properties & BULK && q->c->size % 16;
}

static bool size_range(const struct query *q)
{
	return q->row->properties & BULK && q->c->opcode != TMA_BULK_PREFETCH && q->c->size > SIZE_LIMIT;
}

static bool count_range(const struct query *q)
{
	if (!is(q, TMA_MBARRIER_INIT) && !is(q, TMA_MBARRIER_ARRIVE))
		return false;
	return !q->c->count || q->c->count > COUNT_LIMIT || (flag(q, TMA_FLAG_EXPECT_TX) && q->c->count != 1);
}

static bool tx_range(const struct query *q)
{
	return !is(q, TMA_MBARRIER_TRY_WAIT) && !has(q, COORD) && q->c->tx > COUNT_LIMIT;
}

static bool parity_range(const struct query *q)
{
	return flag(q, TMA_FLAG_PARITY) && q->c->count > 1;
}

static bool cp_size(const struct query *q)
{
	uint32_t n = q->c->size;

	if (!is(q, TMA_CP_ASYNC))
		return false;
	return flag(q, TMA_FLAG_CG) ? n != 16 : n != 4 && n != 8 && n != 16;
}

static bool src_size(const struct query *q)
{
	return flag(q, TMA_FLAG_SRC_SIZE) && q->c->count > q->c->size;
}

static bool prefetch_size(const struct query *q)
{
	return is(q, TMA_CP_ASYNC) && q->c->mode > 3;
}

static bool global_misaligned(const struct query *q)
{
	return global_of(q) % grain(q);
}

static bool src_misaligned(const struct query *q)
{
	return src_of(q) % (has(q, COORD) ? 128 : 16);
}

static bool dst_misaligned(const struct query *q)
{
	return dst_of(q) % grain(q);
}

static bool barrier_misaligned(const struct query *q)
{
	return q->c->barrier % 8;
}

static bool src_cta(const struct query *q)
{
	return rank_of(src_of(q)) != q->in->cta;
}

static bool dst_cta(const struct query *q)
{
	return rank_of(dst_of(q)) >= q->info->ctas;
}

static bool dst_not_local(const struct query *q)
{
	return (is(q, TMA_CP_ASYNC) || flag(q, TMA_FLAG_CTA_LOCAL)) &&
	       rank_of(q->c->shared_dst) != q->in->cta;
}

static bool dst_local(const struct query *q)
{
	return is(q, TMA_BULK_SHARED) && rank_of(q->c->shared_dst) == q->in->cta;
}

static bool mask_cta(const struct query *q)
{
	return q->c->cta_mask >> q->info->ctas;
}

static bool barrier_cta(const struct query *q)
{
	uint32_t rank = rank_of(q->c->barrier), twice;

	if (rank >= q->info->ctas)
		return true;
	if (flag(q, TMA_FLAG_MULTICAST))
		return check_signalled(q, &twice) >> q->info->ctas;
	if (!(q->row->properties & PAIR))
		return false;
	if (flag(q, TMA_FLAG_CTA_GROUP_2))
		return rank / 2 != rank_of(q->c->shared_dst) / 2;
	return rank != rank_of(q->c->shared_dst);
}

static bool barrier_not_local(const struct query *q)
{
	return q->row->properties & LOCAL && rank_of(q->c->barrier) != q->in->cta;
}

static uint32_t denied_ctas(const struct query *q)
{
	uint32_t touched = 0, twice;

	if (has(q, SRC) || q->row->properties & STORE)
		touched |= 1u << rank_of(src_of(q));
	if (flag(q, TMA_FLAG_MULTICAST))
		return (touched | q->c->cta_mask | check_signalled(q, &twice)) & ~q->in->cta_mask;
	if (has(q, DST))
		touched |= 1u << rank_of(q->c->shared_dst);
	if (has(q, BARRIER))
		touched |= 1u << rank_of(q->c->barrier);
	return touched & ~q->in->cta_mask;
}

static bool cta_denied(const struct query *q)
{
	return denied_ctas(q) != 0;
}

static bool src_range(const struct query *q)
{
	return has(q, SRC) && end_of(q->c->shared_src, q->c->size) > q->info->smem_bytes;
}

static bool dst_range(const struct query *q)
{
	return has(q, DST) && !has(q, COORD) && end_of(q->c->shared_dst, q->c->size) > q->info->smem_bytes;
}

static bool barrier_range(const struct query *q)
{
	return has(q, BARRIER) && end_of(q->c->barrier, 8) > q->info->smem_bytes;
}

static bool cancel_denied(const struct query *q)
{
	if (!is(q, TMA_CANCEL))
		return false;
	return q->c->count >= q->info->queues || !(q->in->cancel_mask >> q->c->count & 1);
}

/* What the record of a fault says. */
enum says {
	SAYS_HEADER,
	SAYS_OP,
	SAYS_SIZE,
	SAYS_COUNT,
	SAYS_TX,
	SAYS_MODE,
	SAYS_DIM,
	SAYS_GLOBAL,
	SAYS_SRC,
	SAYS_DST,
	SAYS_BARRIER,
	SAYS_MASK,
	SAYS_DENIED,
};

static const struct rule {
	uint32_t code;
	bool (*broken)(const struct query *q);
	enum says says;
} rules[] = {
	{ 0x10, bad_version, SAYS_HEADER },
	{ 0x11, bad_opcode, SAYS_HEADER },
	{ 0x12, reserved, SAYS_HEADER },
	{ 0x13, conflict, SAYS_HEADER },
	{ 0x14, check_reduce_op, SAYS_OP },
	{ 0x20, size_granule, SAYS_SIZE },
	{ 0x21, size_range, SAYS_SIZE },
	{ 0x22, count_range, SAYS_COUNT },
	{ 0x23, tx_range, SAYS_TX },
	{ 0x24, parity_range, SAYS_COUNT },
	{ 0x25, cp_size, SAYS_SIZE },
	{ 0x26, src_size, SAYS_COUNT },
	{ 0x27, prefetch_size, SAYS_MODE },
	{ 0x28, global_misaligned, SAYS_GLOBAL },
	{ 0x29, src_misaligned, SAYS_SRC },
	{ 0x2A, dst_misaligned, SAYS_DST },
	{ 0x2B, barrier_misaligned, SAYS_BARRIER },
	{ 0x2C, check_map_misaligned, SAYS_GLOBAL },
	{ 0x2D, check_tensor_mode, SAYS_MODE },
	{ 0x2E, check_tensor_dim, SAYS_DIM },
	{ 0x2F, check_tensor_unused, SAYS_HEADER },
	{ 0x30, src_cta, SAYS_SRC },
	{ 0x31, dst_cta, SAYS_DST },
	{ 0x32, dst_not_local, SAYS_DST },
	{ 0x33, dst_local, SAYS_DST },
	{ 0x34, mask_cta, SAYS_MASK },
	{ 0x35, barrier_cta, SAYS_BARRIER },
	{ 0x36, barrier_not_local, SAYS_BARRIER },
	{ 0x37, cta_denied, SAYS_DENIED },
	{ 0x38, src_range, SAYS_SRC },
	{ 0x39, dst_range, SAYS_DST },
	{ 0x3A, barrier_range, SAYS_BARRIER },
	{ 0x3B, cancel_denied, SAYS_COUNT },
};

static uint64_t header(const struct tma_command *c)
{
	uint64_t x;

	memcpy(&x, c, sizeof(x));
	return x;
}

static uint64_t said(const struct query *q, enum says says)
{
	switch (says) {
	case SAYS_OP:
		return q->c->op | (uint64_t)q->c->type << 8;
	case SAYS_SIZE:
		return q->c->size;
	case SAYS_COUNT:
		return q->c->count;
	case SAYS_TX:
		return q->c->tx;
	case SAYS_MODE:
		return q->c->mode;
	case SAYS_DIM:
		return q->c->dim;
	case SAYS_GLOBAL:
		return q->c->global_address;
	case SAYS_SRC:
		return src_of(q);
	case SAYS_DST:
		return q->c->shared_dst;
	case SAYS_BARRIER:
		return q->c->barrier;
	case SAYS_MASK:
		return q->c->cta_mask;
	case SAYS_DENIED:
		return denied_ctas(q);
	default:
		return header(q->c);
	}
}

struct check_fault check_ref_fault(const struct unit_shape *info, const struct check_in *in)
{
	static const uint32_t fetch[] = { 0, TMA_FAULT_COMMAND_WINDOW, TMA_FAULT_COMMAND_SLVERR,
		                          TMA_FAULT_COMMAND_DECERR, TMA_FAULT_PORT_DEAD };
	struct query q = { info, in, &in->cmd.cmd, row_of(&in->cmd.cmd) };

	if (in->cmd.fetch)
		return (struct check_fault){ fetch[in->cmd.fetch], header(q.c) };
	for (uint32_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].broken(&q))
			return (struct check_fault){ rules[i].code, said(&q, rules[i].says) };
	return (struct check_fault){ 0 };
}

uint32_t check_ref_ctas(const struct tma_command *c, uint32_t *again)
{
	struct query q = { NULL, NULL, c, row_of(c) };

	*again = 0;
	if (!has(&q, BARRIER))
		return 0;
	return c->flags & TMA_FLAG_MULTICAST ? check_signalled(&q, again) : 1u << rank_of(c->barrier);
}

enum bar_op check_ref_op(const struct tma_command *c)
{
	switch (c->opcode) {
	case TMA_MBARRIER_INIT:
		return BAR_INIT;
	case TMA_MBARRIER_INVAL:
		return BAR_INVAL;
	case TMA_MBARRIER_EXPECT_TX:
		return BAR_EXPECT;
	case TMA_MBARRIER_COMPLETE_TX:
		return BAR_COMPLETE;
	case TMA_MBARRIER_ARRIVE:
		return BAR_ARRIVE;
	case TMA_MBARRIER_TEST_WAIT:
	case TMA_MBARRIER_TRY_WAIT:
		return BAR_TEST;
	case TMA_CP_ASYNC_MBARRIER_ARRIVE:
		return c->flags & TMA_FLAG_NOINC ? BAR_CHECK : BAR_PEND;
	case TMA_TENSOR_LOAD:
		return BAR_CHECK;
	default:
		return c->size || c->flags & TMA_FLAG_MULTICAST ? BAR_CHECK : BAR_COMPLETE;
	}
}
