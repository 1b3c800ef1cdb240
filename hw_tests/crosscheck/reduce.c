/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions: which there are, which of them come out the same in any order, and their commands.
 *
 * Between commands any order is right, so those that may meet without a wait are of one kind whose updates commute,
 * bit by bit: integer adds of one width, minima and maxima of one type, and, or, xor. All others, sums of floats, inc
 * and dec, wait for each other like stores.
 */
#include "crosscheck/gen.h"
#include "tma_map.h"

#define TYPE(type) (1u << (type))
#define WORDS      (TYPE(TMA_TYPE_U32) | TYPE(TMA_TYPE_S32))
#define HALVES     (TYPE(TMA_TYPE_F16) | TYPE(TMA_TYPE_BF16))
#define BITS       (TYPE(TMA_TYPE_B32) | TYPE(TMA_TYPE_B64))
#define ORDERED    (WORDS | TYPE(TMA_TYPE_U64) | TYPE(TMA_TYPE_S64) | HALVES)
#define NUM_OPS    8u
#define NO_TYPE    15u

/* docs/semantics.md 1.5 */
static const struct {
	uint16_t global, shared;
} types[NUM_OPS] = {
	[TMA_REDUCE_ADD] = { WORDS | TYPE(TMA_TYPE_U64) | HALVES | TYPE(TMA_TYPE_F32) | TYPE(TMA_TYPE_F64),
	                     WORDS | TYPE(TMA_TYPE_U64) },
	[TMA_REDUCE_MIN] = { ORDERED, WORDS },
	[TMA_REDUCE_MAX] = { ORDERED, WORDS },
	[TMA_REDUCE_INC] = { TYPE(TMA_TYPE_U32), TYPE(TMA_TYPE_U32) },
	[TMA_REDUCE_DEC] = { TYPE(TMA_TYPE_U32), TYPE(TMA_TYPE_U32) },
	[TMA_REDUCE_AND] = { BITS, TYPE(TMA_TYPE_B32) },
	[TMA_REDUCE_OR] = { BITS, TYPE(TMA_TYPE_B32) },
	[TMA_REDUCE_XOR] = { BITS, TYPE(TMA_TYPE_B32) },
};

bool reduce_exists(const struct shape *s, bool shared, uint8_t op, uint8_t type)
{
	if (type >= TMA_TYPE_F16 && type <= TMA_TYPE_F64 && !(type == TMA_TYPE_F64 ? s->f64 : s->floats))
		return false;
	return op < NUM_OPS && (shared ? types[op].shared : types[op].global) >> type & 1;
}

/* A pair that exists. */
void reduce_any(struct gen *g, bool shared, struct tma_command *cmd)
{
	do {
		cmd->op = (uint8_t)rng_below(&g->rng, NUM_OPS);
		cmd->type = (uint8_t)rng_below(&g->rng, NO_TYPE);
	} while (!reduce_exists(g->shape, shared, cmd->op, cmd->type));
}

/* The kind of updates, 0: their order matters. */
uint8_t reduce_update(uint8_t op, uint8_t type)
{
	enum { ADD_32 = 1, ADD_64, AND, OR, XOR, MINMAX };

	switch (op) {
	case TMA_REDUCE_ADD:
		if (type == TMA_TYPE_U32 || type == TMA_TYPE_S32)
			return ADD_32;
		return type == TMA_TYPE_U64 ? ADD_64 : 0;
	case TMA_REDUCE_MIN:
		return (uint8_t)(MINMAX + 2 * type);
	case TMA_REDUCE_MAX:
		return (uint8_t)(MINMAX + 1 + 2 * type);
	case TMA_REDUCE_AND:
		return AND;
	case TMA_REDUCE_OR:
		return OR;
	case TMA_REDUCE_XOR:
		return XOR;
	default:
		return 0;
	}
}

static uint8_t type_of_map(uint32_t map_type)
{
	static const uint8_t of[] = {
		[TMA_RAW_TYPE_U8] = NO_TYPE,           [TMA_RAW_TYPE_U16] = NO_TYPE,
		[TMA_RAW_TYPE_U32] = TMA_TYPE_U32,     [TMA_RAW_TYPE_S32] = TMA_TYPE_S32,
		[TMA_RAW_TYPE_U64] = TMA_TYPE_U64,     [TMA_RAW_TYPE_S64] = TMA_TYPE_S64,
		[TMA_RAW_TYPE_F16] = TMA_TYPE_F16,     [TMA_RAW_TYPE_F32] = TMA_TYPE_F32,
		[TMA_RAW_TYPE_F32_FTZ] = TMA_TYPE_F32, [TMA_RAW_TYPE_F64] = TMA_TYPE_F64,
		[TMA_RAW_TYPE_BF16] = TMA_TYPE_BF16,
	};

	return map_type < sizeof(of) ? of[map_type] : NO_TYPE;
}

/* M30 */
bool reduce_tensor_exists(const struct shape *s, uint8_t op, uint32_t map_type)
{
	uint8_t type = type_of_map(map_type);

	if (op == TMA_REDUCE_AND || op == TMA_REDUCE_OR || op == TMA_REDUCE_XOR)
		return type == TMA_TYPE_U32 || type == TMA_TYPE_S32 || type == TMA_TYPE_U64;
	return reduce_exists(s, false, op, type);
}

uint8_t reduce_tensor_update(uint8_t op, uint32_t map_type)
{
	return reduce_update(op, type_of_map(map_type));
}

static bool to_global(struct gen *g, const struct txn *t, struct tma_command *cmd, uint8_t update)
{
	struct access to = copy_global_access(g, t, true, t->byte_mask);

	to.update = update;
	cmd->opcode = TMA_BULK_REDUCE;
	cmd->size = t->chunks * CHUNK_BYTES;
	cmd->global_address = copy_global_address(g, t);
	return store_to(g, t, cmd, &to, 1);
}

/* The own CTA is a target like others, but for what the reduction itself reads. */
static bool to_shared(struct gen *g, const struct txn *t, struct tma_command *cmd, uint8_t update)
{
	cmd->opcode = TMA_BULK_REDUCE_SHARED;
	if (t->targets == 1u << g->p->queue[t->queue].cta && t->src < t->dst + t->chunks &&
	    t->dst < t->src + t->chunks)
		return false;
	return lower_to_shared(g, t, cmd, update);
}

bool lower_reduce(struct gen *g, const struct txn *t)
{
	struct tma_command cmd = { .op = t->op, .type = t->type };
	uint8_t update = reduce_update(t->op, t->type);

	switch (t->kind) {
	case TXN_REDUCE:
		return to_global(g, t, &cmd, update);
	case TXN_REDUCE_SHARED:
		return to_shared(g, t, &cmd, update);
	default:
		cmd.opcode = TMA_MULTIMEM_BULK_REDUCE;
		return multimem_to(g, t, &cmd, update);
	}
}
