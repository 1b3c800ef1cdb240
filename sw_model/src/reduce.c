/* SPDX-License-Identifier: Apache-2.0 */
/* The reductions: which operators go with which types, and elements side by side. One is worked on after the
 * other, so each sees the update before it. */
#include "arith.h"
#include "model.h"
#include "tma_regs.h"

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
	if (type == TMA_TYPE_F64)
		return m->config.reductions & TMA_MODEL_REDUCE_F64;
	return type < TMA_TYPE_F16 || type > TMA_TYPE_F64 ||
	       !(m->config.reductions & TMA_MODEL_REDUCE_INTEGERS);
}

/* A pair of the instruction's table, that the model is built with. */
bool model_reduces(const struct tma_model *m, bool shared, uint32_t op, uint32_t type)
{
	if (op >= sizeof(types) / sizeof(types[0]) || !arith_bytes(type) || !built(m, type))
		return false;
	return (shared ? types[op].shared : types[op].global) >> type & 1;
}

/* Does every add of the type flush, whatever its map says? */
bool model_flushes(const struct tma_model *m, uint32_t type)
{
	return type == TMA_TYPE_F32 && (m->registers.behaviour & TMA_REG_BEHAVIOUR_F32_FTZ_MASK);
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
