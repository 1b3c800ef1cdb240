/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_map - hostile bytes against the tensor map library.
 *
 * An input of 128 bytes or more is a map: decoded, described, edited. A shorter one, and what stands
 * behind a map, are the arguments of an encoder: what it accepts must decode to them.
 * For libFuzzer as it is. With FUZZ_STANDALONE a program of its own, for any compiler with address
 * and undefined-behaviour sanitizers.
 *   fuzz_map [--seed N] [--seconds S | --runs N]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tma_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                    \
	do {                                                                                  \
		if (!(condition)) {                                                           \
			fprintf(stderr, "fuzz_map: line %d: not %s\n", __LINE__, #condition); \
			abort();                                                              \
		}                                                                             \
	} while (0)

/* Bytes of the input, then zeros. */
struct input {
	const uint8_t *bytes;
	size_t left;
};

static uint64_t take(struct input *in, uint32_t bytes)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < bytes && in->left; i++, in->left--)
		value |= (uint64_t)*in->bytes++ << 8 * i;
	return value;
}

/* Mostly near the range that is legal, so that an encoder looks at everything. */
static uint32_t take_near(struct input *in, uint32_t first, uint32_t last)
{
	uint32_t value = (uint32_t)take(in, 2);

	return value == 0xFFFF ? (uint32_t)take(in, 4) : first + value % (last - first + 2);
}

static void describe(const struct tma_map *map)
{
	size_t length = tma_map_describe(map, NULL, 0);
	char *text = malloc(length + 1);

	REQUIRE(text);
	REQUIRE(tma_map_describe(map, text, length + 1) == length);
	REQUIRE(strlen(text) == length && text[length - 1] == '\n');
	free(text);
}

static void edit(struct tma_map *map, struct input *in)
{
	uint32_t ord = (uint32_t)take(in, 1) % 7, value = take_near(in, 0, 16);

	switch (take(in, 1) % 12) {
	case 0:
		tma_map_replace_address(map, take(in, 8), NULL);
		break;
	case 1:
		tma_map_replace_global_address(map, take(in, 8), NULL);
		break;
	case 2:
		tma_map_replace_rank(map, value, NULL);
		break;
	case 3:
		tma_map_replace_box_dim(map, ord, value, NULL);
		break;
	case 4:
		tma_map_replace_global_dim(map, ord, (uint32_t)take(in, 4), NULL);
		break;
	case 5:
		tma_map_replace_global_stride(map, ord, take(in, 5), NULL);
		break;
	case 6:
		tma_map_replace_element_stride(map, ord, value, NULL);
		break;
	case 7:
		tma_map_replace_elemtype(map, value, NULL);
		break;
	case 8:
		tma_map_replace_interleave_layout(map, value, NULL);
		break;
	case 9:
		tma_map_replace_swizzle_mode(map, value, NULL);
		break;
	case 10:
		tma_map_replace_swizzle_atomicity(map, value, NULL);
		break;
	default:
		tma_map_replace_fill_mode(map, value, NULL);
	}
}

/* The same map again through the encoder of its kind. */
static int encode(const struct tma_map_info *i, struct tma_map *map, struct tma_map_error *error)
{
	if (i->kind == TMA_MAP_TILED)
		return tma_map_encode_tiled(map, TMA_MAP_SM_100, i->type, i->rank, i->address, i->dim,
		                            i->strides, i->box, i->element_strides, i->interleave, i->swizzle,
		                            i->promotion, i->fill, error);
	if (i->wide == TMA_RAW_WIDE_NONE)
		return tma_map_encode_im2col(map, TMA_MAP_SM_100, i->type, i->rank, i->address, i->dim,
		                             i->strides, i->lower, i->upper, i->channels, i->pixels,
		                             i->element_strides, i->interleave, i->swizzle, i->promotion,
		                             i->fill, error);
	return tma_map_encode_im2col_wide(map, TMA_MAP_SM_100, i->type, i->rank, i->address, i->dim,
	                                  i->strides, i->lower[0], i->upper[0], i->channels, i->pixels,
	                                  i->element_strides, i->interleave, i->wide - TMA_RAW_WIDE_W,
	                                  i->swizzle, i->promotion, i->fill, error);
}

static void clear(struct tma_map *map, uint32_t lsb, uint32_t bits)
{
	for (uint32_t b = lsb; b < lsb + bits; b++)
		map->word[b / 64] &= ~(UINT64_C(1) << b % 64);
}

#define CLEAR(map, name, i) \
	clear(map, TMA_MAP_##name##_LSB + (i)*TMA_MAP_##name##_BITS, TMA_MAP_##name##_BITS)

/* What the map holds of dimensions beyond its rank, which nobody looks at. */
static void clear_beyond(struct tma_map *map, const struct tma_map_info *info)
{
	for (uint32_t i = info->rank; i < TMA_MAP_MAX_RANK; i++) {
		CLEAR(map, DIM, i);
		CLEAR(map, ELEMENT_STRIDE, i);
		CLEAR(map, STRIDE_LOW, i - 1);
		CLEAR(map, STRIDE_HIGH, i - 1);
		if (info->kind == TMA_MAP_TILED)
			CLEAR(map, BOX, i);
	}
}

/* A legal map is one that an encoder gives, hints, what W128 ignores and what is beyond the rank aside;
 * only the address 0 is the engine's alone. */
static void decode(const struct tma_map *map)
{
	struct tma_map_error error = { 0 };
	struct tma_map_info info;
	struct tma_map again, rest = *map;

	describe(map);
	if (tma_map_decode(map, &info, &error)) {
		REQUIRE(error.parameter && error.rule);
		REQUIRE(error.fault >= TMA_FAULT_MAP_RESERVED && error.fault <= TMA_FAULT_MAP_CORNERS);
		return;
	}
	if (encode(&info, &again, &error)) {
		REQUIRE(!info.address && !strcmp(error.parameter, "globalAddress"));
		return;
	}
	clear_beyond(&rest, &info);
	for (uint32_t w = 0; w < 16; w++) {
		uint64_t ignored = w == 8 || w == 9 ? UINT64_MAX : 0;

		if (w == 7 && info.wide == TMA_RAW_WIDE_W_128)
			ignored = UINT64_C(0x3FF) << 32;
		REQUIRE(!((again.word[w] ^ rest.word[w]) & ~ignored));
	}
}

static struct tma_map_info take_info(struct input *in)
{
	struct tma_map_info i;

	memset(&i, 0, sizeof(i));
	i.kind = take(in, 1) & 1 ? TMA_MAP_IM2COL : TMA_MAP_TILED;
	if (i.kind == TMA_MAP_IM2COL)
		i.wide = (enum tma_raw_wide)(take(in, 1) % 3);
	i.type = take_near(in, 0, 15);
	i.rank = take_near(in, 1, 5);
	i.address = take(in, 6) * 16;
	i.interleave = take(in, 1) & 1 ? 0 : take_near(in, 0, 2);
	i.swizzle = take_near(in, 0, 7);
	i.promotion = take_near(in, 0, 3);
	i.fill = take_near(in, 0, 1);
	for (uint32_t k = 0; k < 5 && k < i.rank; k++) {
		i.dim[k] = k ? take(in, 4) + 1 : (take(in, 2) + 1) * 64;
		i.element_strides[k] = take_near(in, 1, 8);
		if (i.kind == TMA_MAP_TILED)
			i.box[k] = k ? take_near(in, 1, 20) : take_near(in, 1, 16) * 16;
		if (k)
			i.strides[k - 1] = take(in, 4) * 16;
	}
	if (i.kind == TMA_MAP_TILED)
		return i;
	i.channels = take_near(in, 1, 16) * 16;
	i.pixels = take_near(in, 1, 1024);
	for (uint32_t k = 0; k < 3 && k + 2 < i.rank && (!k || i.wide == TMA_RAW_WIDE_NONE); k++) {
		i.lower[k] = (int8_t)take(in, 1) >> (k + 1);
		i.upper[k] = (int8_t)take(in, 1) >> (k + 1);
	}
	if (i.wide == TMA_RAW_WIDE_W_128)
		i.pixels = 128;
	return i;
}

static uint32_t accepted;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct tma_map_error error = { 0 };
	struct tma_map_info info, decoded;
	struct tma_map map;

	if (size >= sizeof(map)) {
		for (uint32_t w = 0; w < 16; w++)
			map.word[w] = take(&in, 8);
		decode(&map);
		edit(&map, &in);
		decode(&map);
	}
	info = take_info(&in);
	if (encode(&info, &map, &error)) {
		REQUIRE(error.parameter && error.rule);
		return 0;
	}
	accepted++;
	memset(&decoded, 0, sizeof(decoded));
	REQUIRE(!tma_map_decode(&map, &decoded, &error));
	REQUIRE(!memcmp(&decoded, &info, sizeof(info)));
	decode(&map);
	edit(&map, &in);
	decode(&map);
	return 0;
}

#ifdef FUZZ_STANDALONE
#include "fuzz/fuzz_main.h"

/* Random bits are hardly ever a map: start from one and change little, or from nothing. */
static void one(struct rng *rng)
{
	uint8_t bytes[128 + 160];
	size_t size = rng_below(rng, sizeof(bytes) + 1);
	bool plain = rng_percent(rng, 50);
	uint8_t *input;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)rng_next(rng);
	if (plain) {
		struct input in = { bytes + 128, 160 };
		struct tma_map_info info = take_info(&in);
		struct tma_map map;

		memset(&map, 0, sizeof(map));
		encode(&info, &map, NULL);
		memcpy(bytes, map.word, sizeof(map.word));
		for (uint32_t hits = rng_below(rng, 4); hits; hits--)
			bytes[rng_below(rng, 64)] ^= (uint8_t)(1u << rng_below(rng, 8));
	}
	input = fuzz_room(size);
	memcpy(input, bytes, size);
	LLVMFuzzerTestOneInput(input, size);
	free(input);
}

int main(int argc, char **argv)
{
	uint64_t done = fuzz_run("fuzz_map", argc, argv, NULL, one);

	printf("fuzz_map: %llu inputs, %u accepted calls\n1 passed, 0 failed\n", (unsigned long long)done,
	       accepted);
	return 0;
}
#endif
