/* SPDX-License-Identifier: Apache-2.0 */
/* Elements: numbers into bytes, little-endian, and bytes into text. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

static uint64_t bits_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

/* A float of fewer bits, rounded to the nearest, ties to even; its exponent's bits, its fraction's bits. */
static uint64_t narrow(double number, uint32_t exponent_bits, uint32_t fraction_bits)
{
	const uint64_t sign = bits_of(number) >> 63 << (exponent_bits + fraction_bits);
	const int bias = (1 << (exponent_bits - 1)) - 1;
	const uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << fraction_bits;
	int exponent;
	double scaled;

	if (isnan(number))
		return sign | infinity | UINT64_C(1) << (fraction_bits - 1);
	if (isinf(number))
		return sign | infinity;
	if (number == 0)
		return sign;
	frexp(number, &exponent);
	exponent--; /* 1.x * 2^exponent */
	if (exponent < 1 - bias)
		exponent = 1 - bias; /* subnormal */
	/* In units of the last place; a carry into the next exponent is right by itself. */
	scaled = nearbyint(ldexp(fabs(number), (int)fraction_bits - exponent));
	if (exponent + bias > (1 << exponent_bits) - 2)
		return sign | infinity;
	scaled += ldexp((double)(exponent + bias - 1), (int)fraction_bits);
	return scaled >= (double)infinity ? sign | infinity : sign | (uint64_t)scaled;
}

static double widen(uint64_t bits, uint32_t exponent_bits, uint32_t fraction_bits)
{
	const int bias = (1 << (exponent_bits - 1)) - 1;
	const uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
	const int exponent = (int)(bits >> fraction_bits & ((1u << exponent_bits) - 1));
	const double sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;

	if (exponent == (1 << exponent_bits) - 1)
		return fraction ? NAN : sign * (double)INFINITY;
	if (!exponent)
		return sign * ldexp((double)fraction, 1 - bias - (int)fraction_bits);
	return sign *
	       ldexp((double)(fraction | UINT64_C(1) << fraction_bits), exponent - bias - (int)fraction_bits);
}

static uint64_t float_bits(const struct run_type *type, double number)
{
	float single = (float)number;
	uint32_t word;

	memcpy(&word, &single, sizeof(word));
	return type->kind == 'h'   ? narrow(number, 5, 10)
	       : type->kind == 'e' ? narrow(number, 8, 7)
	       : type->bytes == 4  ? word
	                           : bits_of(number);
}

/* Whether a number below 2^64 with a sign fits; bits take both readings. */
static bool fits(const struct run_type *type, const struct run_number *number)
{
	const uint32_t width = 8u * type->bytes;
	const bool negative = number->number < 0;

	if (type->kind == 'p')
		return number->value <= 1;
	if (width == 64)
		return type->kind == 'u' ? !negative
		                         : type->kind != 's' || negative || !(number->value >> 63);
	if (negative)
		return type->kind != 'u' && (int64_t)number->value >= -(INT64_C(1) << (width - 1));
	return number->value >> (type->kind == 's' ? width - 1 : width) == 0;
}

const char *run_element_put(const struct run_type *type, const struct run_number *number, uint8_t *bytes)
{
	const bool is_float = type->kind == 'f' || type->kind == 'h' || type->kind == 'e';
	uint64_t value = is_float ? float_bits(type, number->number) : number->value;

	if (!is_float && number->is_float)
		return "elements of this type are whole numbers";
	if (!is_float && !fits(type, number))
		return "the number does not fit its type";
	for (uint32_t i = 0; i < type->bytes; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	return NULL;
}

void run_element_text(const struct run_type *type, const uint8_t *bytes, char *text, size_t size)
{
	const uint32_t unused = 64 - 8u * type->bytes;
	uint64_t value = 0;
	float single;
	uint32_t word;
	double number;

	for (uint32_t i = 0; i < type->bytes; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	word = (uint32_t)value;
	memcpy(&single, &word, sizeof(single));
	memcpy(&number, &value, sizeof(number));
	switch (type->kind) {
	case 'f':
		if (type->bytes == 4)
			snprintf(text, size, "%.9g", (double)single);
		else
			snprintf(text, size, "%.17g", number);
		break;
	case 'h':
		snprintf(text, size, "%.5g", widen(value, 5, 10));
		break;
	case 'e':
		snprintf(text, size, "%.4g", widen(value, 8, 7));
		break;
	case 's':
		snprintf(text, size, "%" PRId64, (int64_t)(value << unused) >> unused);
		break;
	case 'u':
	case 'p':
		snprintf(text, size, "%" PRIu64, value);
		break;
	default:
		snprintf(text, size, "0x%0*" PRIx64, 2 * type->bytes, value);
		break;
	}
}
