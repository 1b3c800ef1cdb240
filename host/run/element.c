/* SPDX-License-Identifier: Apache-2.0 */
/* Elements: numbers into bytes, little-endian, and bytes into text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

static uint64_t bits_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static double of_bits(uint64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

/* What is left of a number behind a shift, to the nearest, ties to even. */
static uint64_t rounded(uint64_t number, int shift)
{
	const uint64_t whole = number >> shift, rest = number & ((UINT64_C(1) << shift) - 1);
	const uint64_t half = UINT64_C(1) << (shift - 1);

	return whole + (rest > half || (rest == half && whole & 1));
}

/* A float of fewer bits: how many its exponent and its fraction have. Nothing but integers, so no library of
 * mathematics is needed. */
static uint64_t narrow(double number, int exponent_bits, int fraction_bits)
{
	const uint64_t bits = bits_of(number), fraction = bits & ((UINT64_C(1) << 52) - 1);
	const uint64_t sign = bits >> 63 << (exponent_bits + fraction_bits);
	const uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << fraction_bits;
	const int bias = (1 << (exponent_bits - 1)) - 1, exponent = (int)(bits >> 52 & 2047) - 1023;
	const int at_least = exponent < 1 - bias ? 1 - bias : exponent; /* subnormal below it */
	const int shift = at_least - exponent + 52 - fraction_bits;
	uint64_t value;

	if (exponent == 1024)
		return sign | infinity | (fraction ? UINT64_C(1) << (fraction_bits - 1) : 0);
	/* Numbers that are subnormal as doubles are far below half of the least one here. */
	if (exponent == -1023 || shift > 62)
		return sign;
	/* The one in front of the fraction, and a carry, count the exponent up. */
	value = rounded(fraction | UINT64_C(1) << 52, shift) +
	        ((uint64_t)(at_least + bias - 1) << fraction_bits);
	return sign | (exponent > bias || value > infinity ? infinity : value);
}

static double widen(uint64_t bits, int exponent_bits, int fraction_bits)
{
	const uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
	const uint64_t exponent = bits >> fraction_bits & ((UINT64_C(1) << exponent_bits) - 1);
	const uint64_t sign = bits >> (exponent_bits + fraction_bits) & 1;
	const uint64_t bias = (UINT64_C(1) << (exponent_bits - 1)) - 1;
	double least;

	if (exponent == 2 * bias + 1)
		return of_bits(sign << 63 | UINT64_C(2047) << 52 | fraction << (52 - fraction_bits));
	if (exponent)
		return of_bits(sign << 63 | (exponent + 1023 - bias) << 52 |
		               fraction << (52 - fraction_bits));
	least = of_bits((1024 - bias - (uint64_t)fraction_bits) << 52);
	return (sign ? -1 : 1) * least * (double)fraction;
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
	if (negative && !(number->value >> 63))
		return false;
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
