/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a reduction before it goes: which operators take which types, and what fills operands up. */
#include "tma_command.h"

#define TYPE(type) (1u << (type))
#define WORDS      (TYPE(TMA_TYPE_U32) | TYPE(TMA_TYPE_S32))
#define LONGS      (TYPE(TMA_TYPE_U64) | TYPE(TMA_TYPE_S64))
#define HALVES     (TYPE(TMA_TYPE_F16) | TYPE(TMA_TYPE_BF16))

uint32_t tma_reduce_bytes(enum tma_type type)
{
	static const uint8_t bytes[] = {
		[TMA_TYPE_U32] = 4, [TMA_TYPE_S32] = 4,  [TMA_TYPE_U64] = 8, [TMA_TYPE_S64] = 8,
		[TMA_TYPE_F16] = 2, [TMA_TYPE_BF16] = 2, [TMA_TYPE_F32] = 4, [TMA_TYPE_F64] = 8,
		[TMA_TYPE_B32] = 4, [TMA_TYPE_B64] = 8,
	};

	return type < sizeof(bytes) ? bytes[type] : 0;
}

bool tma_reduce_takes(enum tma_reduce op, enum tma_type type, bool shared)
{
	uint32_t types = 0;

	switch (op) {
	case TMA_REDUCE_ADD:
		types = WORDS | TYPE(TMA_TYPE_U64);
		if (!shared)
			types |= HALVES | TYPE(TMA_TYPE_F32) | TYPE(TMA_TYPE_F64);
		break;
	case TMA_REDUCE_MIN:
	case TMA_REDUCE_MAX:
		types = shared ? WORDS : WORDS | LONGS | HALVES;
		break;
	case TMA_REDUCE_INC:
	case TMA_REDUCE_DEC:
		types = TYPE(TMA_TYPE_U32);
		break;
	case TMA_REDUCE_AND:
	case TMA_REDUCE_OR:
	case TMA_REDUCE_XOR:
		types = shared ? TYPE(TMA_TYPE_B32) : TYPE(TMA_TYPE_B32) | TYPE(TMA_TYPE_B64);
		break;
	}
	return tma_reduce_bytes(type) && types & TYPE(type);
}

/* The highest number of a type, which min passes over, or the lowest, which max does. Of 16-bit floating point it is a NaN:
 * both pass over that, and it leaves a NaN a NaN, which infinity would take away. */
static uint64_t extreme(enum tma_type type, bool highest)
{
	switch (type) {
	case TMA_TYPE_F16:
	case TMA_TYPE_BF16:
		return 0x7fff;
	case TMA_TYPE_S32:
		return highest ? INT32_MAX : (uint32_t)INT32_MIN;
	case TMA_TYPE_S64:
		return highest ? INT64_MAX : (uint64_t)INT64_MIN;
	case TMA_TYPE_U32:
		return highest ? UINT32_MAX : 0;
	default:
		return highest ? UINT64_MAX : 0;
	}
}

/* -0: a sum with +0 would turn a -0 into +0. Of whole numbers 0. */
static uint64_t zero(enum tma_type type)
{
	const bool is_float = type >= TMA_TYPE_F16 && type <= TMA_TYPE_F64;

	return is_float ? UINT64_C(1) << (8 * tma_reduce_bytes(type) - 1) : 0;
}

bool tma_reduce_neutral(enum tma_reduce op, enum tma_type type, uint64_t *element)
{
	if (!element || !tma_reduce_takes(op, type, false))
		return false;
	switch (op) {
	case TMA_REDUCE_ADD:
		*element = zero(type);
		return true;
	case TMA_REDUCE_MIN:
	case TMA_REDUCE_MAX:
		*element = extreme(type, op == TMA_REDUCE_MIN);
		return true;
	case TMA_REDUCE_AND:
		*element = type == TMA_TYPE_B32 ? UINT32_MAX : UINT64_MAX;
		return true;
	case TMA_REDUCE_OR:
	case TMA_REDUCE_XOR:
		*element = 0;
		return true;
	default:
		return false; /* inc and dec change whatever there is */
	}
}
