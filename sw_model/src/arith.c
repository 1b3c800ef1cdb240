/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of reductions, bit by bit: no floating point of the host. */
#include "arith.h"
#include "tma_abi.h"

/* Bits below the last one of a significand while it is worked on: guard, round, sticky. */
#define EXTRA 3u

/* A binary format of IEEE 754: a sign, then `exponent` bits, then `fraction` bits. */
struct format {
	uint32_t exponent;
	uint32_t fraction;
};

static const struct format formats[] = {
	[TMA_TYPE_F16] = { 5, 10 },
	[TMA_TYPE_BF16] = { 8, 7 },
	[TMA_TYPE_F32] = { 8, 23 },
	[TMA_TYPE_F64] = { 11, 52 },
};

uint32_t arith_bytes(uint32_t type)
{
	static const uint8_t bytes[] = { 4, 4, 8, 8, 2, 2, 4, 8, 4, 8 };

	return type < sizeof(bytes) ? bytes[type] : 0;
}

static bool is_float(uint32_t type)
{
	return type >= TMA_TYPE_F16 && type <= TMA_TYPE_F64;
}

/* The low `bits` bits, set. */
static uint64_t ones(uint32_t bits)
{
	return UINT64_MAX >> (64 - bits);
}

static uint64_t infinity(const struct format *f)
{
	return ones(f->exponent) << f->fraction;
}

static uint64_t sign_bit(const struct format *f)
{
	return UINT64_C(1) << (f->exponent + f->fraction);
}

static uint64_t magnitude(const struct format *f, uint64_t value)
{
	return value & ~sign_bit(f);
}

static bool is_nan(const struct format *f, uint64_t value)
{
	return magnitude(f, value) > infinity(f);
}

/* A number of that sign and significand, in units of 2^-EXTRA of the last bit at `exponent`, rounded. The
 * significand has no bit above that of 1. Exponent 1 is that of subnormal numbers too. */
static uint64_t round_to(const struct format *f, uint64_t sign, uint64_t exponent, uint64_t significand)
{
	uint64_t rest = significand & ones(EXTRA), half = UINT64_C(1) << (EXTRA - 1);
	uint64_t value = significand >> EXTRA;

	/* A carry out of the fraction makes the exponent one more, as it should. */
	if (value >> f->fraction)
		value += (exponent - 1) << f->fraction;
	value += rest > half || (rest == half && (value & 1));
	return sign | (value < infinity(f) ? value : infinity(f));
}

static uint64_t exponent_of(const struct format *f, uint64_t value)
{
	uint64_t exponent = magnitude(f, value) >> f->fraction;

	return exponent ? exponent : 1;
}

static uint64_t significand_of(const struct format *f, uint64_t value)
{
	uint64_t hidden = magnitude(f, value) >> f->fraction ? UINT64_C(1) << f->fraction : 0;

	return (hidden | (value & ones(f->fraction))) << EXTRA;
}

/* What falls off at the right stays as one bit. */
static uint64_t shift_right(uint64_t significand, uint64_t count)
{
	if (count > 63)
		return significand != 0;
	return significand >> count | ((significand & ((UINT64_C(1) << count) - 1)) != 0);
}

/* The sum of two numbers that are finite; |large| >= |small|. */
static uint64_t add_finite(const struct format *f, uint64_t large, uint64_t small)
{
	uint64_t top = UINT64_C(1) << (f->fraction + EXTRA);
	uint64_t exponent = exponent_of(f, large), sign = large & sign_bit(f);
	uint64_t a = significand_of(f, large);
	uint64_t b = shift_right(significand_of(f, small), exponent - exponent_of(f, small));
	bool differ = (large ^ small) & sign_bit(f);
	uint64_t sum = differ ? a - b : a + b;

	if (!sum)
		return differ ? 0 : sign;
	if (sum >= top << 1) {
		sum = shift_right(sum, 1);
		exponent++;
	}
	while (sum < top && exponent > 1) {
		sum <<= 1;
		exponent--;
	}
	return round_to(f, sign, exponent, sum);
}

/* Infinity and NaN among the operands, see arith_reduce(). */
static uint64_t add_special(uint32_t type, uint64_t dst, uint64_t src)
{
	const struct format *f = &formats[type];
	bool cancel = magnitude(f, dst) == magnitude(f, src) && dst != src;

	if (type == TMA_TYPE_F64) {
		/* The bits of a NaN stay as they are, a signalling one signalling. */
		if (is_nan(f, src))
			return src;
		if (is_nan(f, dst))
			return dst;
		if (cancel)
			return sign_bit(f) | infinity(f) | UINT64_C(1) << (f->fraction - 1);
	} else if (cancel || is_nan(f, dst) || is_nan(f, src)) {
		return ones(f->exponent + f->fraction);
	}
	return magnitude(f, dst) == infinity(f) ? dst : src;
}

static uint64_t flushed(const struct format *f, uint64_t value)
{
	return magnitude(f, value) >> f->fraction ? value : value & sign_bit(f);
}

static uint64_t add_float(uint32_t type, bool flush, uint64_t dst, uint64_t src)
{
	const struct format *f = &formats[type];
	uint64_t sum;

	if (magnitude(f, dst) >= infinity(f) || magnitude(f, src) >= infinity(f))
		return add_special(type, dst, src);
	if (flush) {
		dst = flushed(f, dst);
		src = flushed(f, src);
	}
	if (magnitude(f, dst) >= magnitude(f, src))
		sum = add_finite(f, dst, src);
	else
		sum = add_finite(f, src, dst);
	return flush ? flushed(f, sum) : sum;
}

/* Bits whose order as unsigned numbers is that of the values; -0 is less than +0. */
static uint64_t ordered(uint32_t type, uint64_t value)
{
	uint64_t sign = UINT64_C(1) << (8 * arith_bytes(type) - 1);

	if (is_float(type))
		return value & sign ? ~value & ones(8 * arith_bytes(type)) : value | sign;
	return type == TMA_TYPE_S32 || type == TMA_TYPE_S64 ? value ^ sign : value;
}

static uint64_t choose(uint32_t type, bool larger, uint64_t dst, uint64_t src)
{
	if (is_float(type)) {
		const struct format *f = &formats[type];

		if (is_nan(f, dst) && is_nan(f, src))
			return ones(f->exponent + f->fraction);
		if (is_nan(f, dst) || is_nan(f, src))
			return is_nan(f, dst) ? src : dst;
	}
	return (ordered(type, src) > ordered(type, dst)) == larger ? src : dst;
}

uint64_t arith_reduce(uint32_t op, uint32_t type, bool flush, uint64_t dst, uint64_t src)
{
	switch (op) {
	case TMA_REDUCE_ADD:
		return is_float(type) ? add_float(type, flush, dst, src)
		                      : (dst + src) & ones(8 * arith_bytes(type));
	case TMA_REDUCE_MIN:
	case TMA_REDUCE_MAX:
		return choose(type, op == TMA_REDUCE_MAX, dst, src);
	case TMA_REDUCE_INC:
		return dst >= src ? 0 : dst + 1;
	case TMA_REDUCE_DEC:
		return dst == 0 || dst > src ? src : dst - 1;
	case TMA_REDUCE_AND:
		return dst & src;
	case TMA_REDUCE_OR:
		return dst | src;
	default:
		return dst ^ src;
	}
}
