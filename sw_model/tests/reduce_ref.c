/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of reductions. See reduce_ref.h. */
#include "reduce_ref.h"

#include <gmp.h>
#include <mpfr.h>

#include "tma_abi.h"

struct shape {
	int exponent, fraction; /* bits; 0: no floating point */
	int bits;
	bool is_signed;
};

static const struct shape shapes[] = {
	[TMA_TYPE_U32] = { 0, 0, 32, false }, [TMA_TYPE_S32] = { 0, 0, 32, true },
	[TMA_TYPE_U64] = { 0, 0, 64, false }, [TMA_TYPE_S64] = { 0, 0, 64, true },
	[TMA_TYPE_F16] = { 5, 10, 16, true }, [TMA_TYPE_BF16] = { 8, 7, 16, true },
	[TMA_TYPE_F32] = { 8, 23, 32, true }, [TMA_TYPE_F64] = { 11, 52, 64, true },
	[TMA_TYPE_B32] = { 0, 0, 32, false }, [TMA_TYPE_B64] = { 0, 0, 64, false },
};

/* An element, taken apart. */
struct number {
	bool negative, nan, infinite;
	uint64_t exponent, fraction;
};

static struct number take_apart(const struct shape *s, uint64_t bits)
{
	uint64_t top = (UINT64_C(1) << s->exponent) - 1;
	struct number n = { .negative = bits >> (s->bits - 1) & 1,
		            .exponent = bits >> s->fraction & top,
		            .fraction = bits & ((UINT64_C(1) << s->fraction) - 1) };

	n.nan = n.exponent == top && n.fraction;
	n.infinite = n.exponent == top && !n.fraction;
	return n;
}

static int bias(const struct shape *s)
{
	return (1 << (s->exponent - 1)) - 1;
}

/* Made once, and of one shape for as long as it is asked for: making them takes longer than a sum. */
static struct {
	bool made;
	const struct shape *shape;
	mpfr_t a, b, c;
	mpz_t z;
} work;

static void make_work(const struct shape *s)
{
	if (!work.made) {
		mpfr_inits2(64, work.a, work.b, work.c, (mpfr_ptr)0);
		mpz_init(work.z);
		work.made = true;
		work.shape = NULL;
	}
	if (work.shape == s)
		return;
	work.shape = s;
	mpfr_set_emin(2 - bias(s) - s->fraction);
	mpfr_set_emax(bias(s) + 1);
	mpfr_set_prec(work.a, s->fraction + 1);
	mpfr_set_prec(work.b, s->fraction + 1);
	mpfr_set_prec(work.c, s->fraction + 1);
}

void reduce_ref_end(void)
{
	if (work.made) {
		mpfr_clears(work.a, work.b, work.c, (mpfr_ptr)0);
		mpz_clear(work.z);
	}
	work.made = false;
	mpfr_free_cache();
}

/* The value of a number that is finite, exactly. */
static void set(mpfr_t x, const struct shape *s, const struct number *n)
{
	uint64_t significand = n->fraction | (n->exponent ? UINT64_C(1) << s->fraction : 0);
	long exponent = (n->exponent ? (long)n->exponent : 1) - bias(s) - s->fraction;

	mpfr_set_ui_2exp(x, significand, exponent, MPFR_RNDN);
	mpfr_setsign(x, x, n->negative, MPFR_RNDN);
}

/* Its bits, once it is a value of the format or infinite. */
static uint64_t get(const mpfr_t x, const struct shape *s)
{
	uint64_t sign = mpfr_signbit(x) ? UINT64_C(1) << (s->bits - 1) : 0, significand;
	long field;

	if (mpfr_inf_p(x))
		return sign | ((UINT64_C(1) << s->exponent) - 1) << s->fraction;
	if (mpfr_zero_p(x))
		return sign;
	field = mpfr_get_z_2exp(work.z, x) + bias(s) + s->fraction;
	significand = mpz_getlimbn(work.z, 0);
	if (field < 1)
		return sign | significand >> (1 - field);
	return sign | (uint64_t)field << s->fraction | (significand & ((UINT64_C(1) << s->fraction) - 1));
}

static uint64_t sum(const struct shape *s, const struct number *dst, const struct number *src)
{
	int inexact;

	make_work(s);
	set(work.a, s, dst);
	set(work.b, s, src);
	inexact = mpfr_add(work.c, work.a, work.b, MPFR_RNDN);
	mpfr_subnormalize(work.c, inexact, MPFR_RNDN);
	return get(work.c, s);
}

static void flush_to_zero(struct number *n)
{
	if (!n->exponent)
		n->fraction = 0;
}

static uint64_t add(uint32_t type, bool flush, uint64_t dst, uint64_t src)
{
	const struct shape *s = &shapes[type];
	struct number d = take_apart(s, dst), r = take_apart(s, src);
	bool invalid = d.infinite && r.infinite && d.negative != r.negative;
	uint64_t bits;

	if (type == TMA_TYPE_F64) {
		if (r.nan)
			return src;
		if (d.nan)
			return dst;
		if (invalid)
			return UINT64_C(0xfff8000000000000);
	} else if (d.nan || r.nan || invalid) {
		return type == TMA_TYPE_F32 ? 0x7fffffff : 0x7fff;
	}
	if (d.infinite)
		return dst;
	if (r.infinite)
		return src;
	if (flush) {
		flush_to_zero(&d);
		flush_to_zero(&r);
	}
	bits = sum(s, &d, &r);
	if (flush && !take_apart(s, bits).exponent)
		bits &= UINT64_C(1) << (s->bits - 1);
	return bits;
}

/* Is a < b, both no NaN? -0 < +0. */
static bool less_float(const struct shape *s, uint64_t a, uint64_t b)
{
	struct number m = take_apart(s, a), n = take_apart(s, b);

	if (m.negative != n.negative)
		return m.negative;
	if (m.exponent != n.exponent)
		return (m.exponent < n.exponent) != m.negative;
	if (m.fraction != n.fraction)
		return (m.fraction < n.fraction) != m.negative;
	return false;
}

static bool less(uint32_t type, uint64_t a, uint64_t b)
{
	const struct shape *s = &shapes[type];

	if (s->exponent)
		return less_float(s, a, b);
	if (!s->is_signed)
		return a < b;
	return s->bits == 32 ? (int32_t)(uint32_t)a < (int32_t)(uint32_t)b : (int64_t)a < (int64_t)b;
}

static uint64_t extreme(uint32_t type, bool largest, uint64_t dst, uint64_t src)
{
	const struct shape *s = &shapes[type];

	if (s->exponent) {
		bool dst_nan = take_apart(s, dst).nan, src_nan = take_apart(s, src).nan;

		if (dst_nan && src_nan)
			return 0x7fff;
		if (dst_nan || src_nan)
			return dst_nan ? src : dst;
	}
	if (largest)
		return less(type, dst, src) ? src : dst;
	return less(type, src, dst) ? src : dst;
}

/* Steps of a counter of limit + 1 states, 0 to limit; from beyond them it goes to the first. */
static uint64_t inc(uint64_t at, uint64_t limit)
{
	return at > limit ? 0 : (at + 1) % (limit + 1);
}

/* The same backwards, from beyond them to the last. */
static uint64_t dec(uint64_t at, uint64_t limit)
{
	return at > limit ? limit : (at + limit) % (limit + 1);
}

/* By the two operand bits together. */
static uint64_t bit_by_bit(uint32_t op, uint64_t dst, uint64_t src)
{
	static const uint8_t truth[] = {
		[TMA_REDUCE_AND] = 0x8, [TMA_REDUCE_OR] = 0xe, [TMA_REDUCE_XOR] = 0x6
	};
	uint64_t result = 0;

	for (int i = 0; i < 64; i++)
		result |= (uint64_t)(truth[op] >> ((dst >> i & 1) * 2 + (src >> i & 1)) & 1) << i;
	return result;
}

uint64_t reduce_ref(uint32_t op, uint32_t type, bool flush, uint64_t dst, uint64_t src)
{
	switch (op) {
	case TMA_REDUCE_ADD:
		if (shapes[type].exponent)
			return add(type, flush, dst, src);
		return shapes[type].bits == 32 ? (uint32_t)(dst + src) : dst + src;
	case TMA_REDUCE_MIN:
		return extreme(type, false, dst, src);
	case TMA_REDUCE_MAX:
		return extreme(type, true, dst, src);
	case TMA_REDUCE_INC:
		return inc(dst, src);
	case TMA_REDUCE_DEC:
		return dec(dst, src);
	default:
		return bit_by_bit(op, dst, src);
	}
}
