/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions in shared memory, element by element. */
#include "tma_shared_copy_ref.h"

#include "tma_abi.h"

const struct pair shared_pairs[PAIRS] = {
	{ TMA_REDUCE_ADD, TMA_TYPE_U32 }, { TMA_REDUCE_ADD, TMA_TYPE_S32 }, { TMA_REDUCE_ADD, TMA_TYPE_U64 },
	{ TMA_REDUCE_MIN, TMA_TYPE_U32 }, { TMA_REDUCE_MIN, TMA_TYPE_S32 }, { TMA_REDUCE_MAX, TMA_TYPE_U32 },
	{ TMA_REDUCE_MAX, TMA_TYPE_S32 }, { TMA_REDUCE_INC, TMA_TYPE_U32 }, { TMA_REDUCE_DEC, TMA_TYPE_U32 },
	{ TMA_REDUCE_AND, TMA_TYPE_B32 }, { TMA_REDUCE_OR, TMA_TYPE_B32 },  { TMA_REDUCE_XOR, TMA_TYPE_B32 },
};

uint32_t pair_bytes(struct pair pair)
{
	return pair.type == TMA_TYPE_U64 ? 8 : 4;
}

/* A word as the number that it means. */
static int64_t number(struct pair pair, uint64_t word)
{
	return pair.type == TMA_TYPE_S32 ? (int64_t)(int32_t)(uint32_t)word : (int64_t)word;
}

uint64_t pair_result(struct pair pair, uint64_t dst, uint64_t src)
{
	switch (pair.op) {
	case TMA_REDUCE_ADD:
		dst += src;
		break;
	case TMA_REDUCE_MIN:
		dst = number(pair, src) < number(pair, dst) ? src : dst;
		break;
	case TMA_REDUCE_MAX:
		dst = number(pair, src) > number(pair, dst) ? src : dst;
		break;
	case TMA_REDUCE_INC:
		dst = dst >= src ? 0 : dst + 1;
		break;
	case TMA_REDUCE_DEC:
		dst = dst == 0 || dst > src ? src : dst - 1;
		break;
	case TMA_REDUCE_AND:
		dst &= src;
		break;
	case TMA_REDUCE_OR:
		dst |= src;
		break;
	default:
		dst ^= src;
		break;
	}
	return pair.type == TMA_TYPE_U64 ? dst : (uint32_t)dst;
}
