/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_tensor_rules - every rule of tensor maps at both of its edges.
 *
 * Spec: rtl/spec/tma.toml, faults 0x63 to 0x6E; semantics 2.2
 * Checks: code and address of the fault, or none; of several broken rules the lowest code; every one
 *         of the 1,024 bits of a map on its own; nothing has moved and no barrier is told.
 */
#include "model_tensor_bases.h"

struct rule_case {
	const char *name;
	enum base base;
	struct map_edit edits[4];
	uint16_t fault;
};

/* clang-format off */
/* Maps by themselves: the address of the fault is that of the map. */
static const struct rule_case map_cases[] = {
	{ "tile of 2", TILE2, { { 0 } }, NONE },
	{ "tile of 5", TILE5, { { 0 } }, NONE },
	{ "interleaved", LAYERED, { { 0 } }, NONE },
	{ "im2col of 3", PIXELS3, { { 0 } }, NONE },
	{ "im2col of 4", PIXELS4, { { 0 } }, NONE },
	{ "im2col of 5", PIXELS5, { { 0 } }, NONE },
	{ "im2col::w", W3, { { 0 } }, NONE },
	{ "im2col::w::128", W128, { { 0 } }, NONE },
	{ "rank 6", TILE5, { { RANK, 5 } }, TMA_FAULT_MAP_RANK },
	{ "rank 8", TILE5, { { RANK, 7 } }, TMA_FAULT_MAP_RANK },
	{ "interleave of rank 2", TILE2, { { LAYERS, 1 } }, TMA_FAULT_MAP_RANK },
	{ "im2col of rank 2", TILE2, { { IM2COL, 1 } }, TMA_FAULT_MAP_RANK },
	{ "type 11", TILE2, { { TYPE, 11 } }, TMA_FAULT_MAP_TYPE },
	{ "type 12", TILE2, { { TYPE, 12 } }, TMA_FAULT_MAP_TYPE },
	{ "tf32 of f16", TILE2, { { TYPE, 6 }, { TF32, 1 } }, TMA_FAULT_MAP_TYPE },
	{ "tf32 of f32", TILE2, { { TYPE, 7 }, { TF32, 1 } }, NONE },
	{ "tf32 of f32.ftz", TILE2, { { TYPE, 8 }, { TF32, 1 } }, NONE },
	{ "tf32 of f64", TILE2, { { TYPE, 9 }, { TF32, 1 } }, TMA_FAULT_MAP_TYPE },
	{ "interleave 3", TILE5, { { LAYERS, 3 } }, TMA_FAULT_MAP_LAYOUT },
	{ "interleave 16B of w", W3, { { LAYERS, 1 } }, TMA_FAULT_MAP_LAYOUT },
	{ "interleave 16B of b4x16_p64", LAYERED, { { TYPE, 14 }, { LAYERS, 1 } }, TMA_FAULT_MAP_LAYOUT },
	{ "interleave 16B of b4x16", LAYERED, { { TYPE, 13 }, { LAYERS, 1 }, { BOX_(0), 31 } }, NONE },
	{ "wide 3", W3, { { WIDE, 3 } }, TMA_FAULT_MAP_LAYOUT },
	{ "wide of a tile", TILE2, { { WIDE, 2 } }, TMA_FAULT_MAP_LAYOUT },
	{ "32-byte atoms of 64B", TILE2, { { SWIZZLE, 2 }, { ATOM, 1 } }, TMA_FAULT_MAP_SWIZZLE },
	{ "64-byte atoms of none", TILE2, { { ATOM, 3 } }, TMA_FAULT_MAP_SWIZZLE },
	{ "32-byte atoms of 128B", TILE2, { { SWIZZLE, 3 }, { ATOM, 1 } }, NONE },
	{ "flip", TILE2, { { SWIZZLE, 3 }, { ATOM, 2 } }, NONE },
	{ "64-byte atoms of 128B", TILE2, { { SWIZZLE, 3 }, { ATOM, 3 } }, NONE },
	{ "96B", TILE2, { { SWIZZLE96, 1 } }, NONE },
	{ "96B and 32B", TILE2, { { SWIZZLE96, 1 }, { SWIZZLE, 1 } }, TMA_FAULT_MAP_SWIZZLE },
	{ "96B with interleave", LAYERED, { { SWIZZLE96, 1 } }, TMA_FAULT_MAP_SWIZZLE },
	{ "96B of w", W3, { { SWIZZLE, 0 }, { SWIZZLE96, 1 } }, NONE },
	{ "96B of w::128", W128, { { SWIZZLE, 0 }, { SWIZZLE96, 1 } }, TMA_FAULT_MAP_SWIZZLE },
	{ "w without swizzle", W3, { { SWIZZLE, 0 } }, TMA_FAULT_MAP_SWIZZLE },
	{ "w with 32B", W3, { { SWIZZLE, 1 } }, TMA_FAULT_MAP_SWIZZLE },
	{ "w with 128B", W3, { { SWIZZLE, 3 } }, NONE },
	{ "w with 32-byte atoms", W3, { { SWIZZLE, 3 }, { ATOM, 1 } }, NONE },
	{ "w with flip", W3, { { SWIZZLE, 3 }, { ATOM, 2 } }, TMA_FAULT_MAP_SWIZZLE },
	{ "w with 64-byte atoms", W3, { { SWIZZLE, 3 }, { ATOM, 3 } }, TMA_FAULT_MAP_SWIZZLE },
	{ "b4x16_p64", TILE2, { { TYPE, 14 }, { DIM(0), 127 }, { BOX_(0), 127 } }, NONE },
	{ "b6x16_p32", TILE2, { { TYPE, 15 }, { DIM(0), 127 }, { BOX_(0), 127 }, { STRIDE(0), 6 } }, NONE },
	{ "b4x16_p64 with 64B", TILE2, { { TYPE, 14 }, { DIM(0), 127 }, { BOX_(0), 127 }, { SWIZZLE, 2 } },
	  TMA_FAULT_MAP_SWIZZLE },
	{ "b4x16_p64 with 96B", TILE2, { { TYPE, 14 }, { DIM(0), 127 }, { BOX_(0), 127 }, { SWIZZLE96, 1 } },
	  TMA_FAULT_MAP_SWIZZLE },
	{ "b4x16_p64 with 128B", TILE2, { { TYPE, 14 }, { DIM(0), 127 }, { BOX_(0), 127 }, { SWIZZLE, 3 } }, NONE },
	{ "b4x16_p64 with flip", TILE2, { { TYPE, 14 }, { BOX_(0), 127 }, { SWIZZLE, 3 }, { ATOM, 2 } },
	  TMA_FAULT_MAP_SWIZZLE },
	{ "NaN of s64", TILE2, { { TYPE, 5 }, { FILL, 1 } }, TMA_FAULT_MAP_FILL },
	{ "NaN of f16", TILE2, { { TYPE, 6 }, { FILL, 1 } }, NONE },
	{ "NaN of bf16", TILE2, { { TYPE, 10 }, { FILL, 1 } }, NONE },
	{ "NaN of b4x16", TILE2, { { TYPE, 13 }, { BOX_(0), 31 }, { FILL, 1 } }, TMA_FAULT_MAP_FILL },
	{ "NaN of b6x16_p32", TILE2, { { TYPE, 15 }, { BOX_(0), 127 }, { FILL, 1 } }, TMA_FAULT_MAP_FILL },
	{ "address by 8", TILE2, { { ADDRESS, TENSOR + 8 } }, TMA_FAULT_MAP_ADDRESS },
	{ "address by 16", TILE2, { { ADDRESS, TENSOR + 16 } }, NONE },
	{ "interleave 32B, address by 16", LAYERED, { { ADDRESS, TENSOR + 16 } }, TMA_FAULT_MAP_ADDRESS },
	{ "interleave 16B, address by 16", LAYERED, { { ADDRESS, TENSOR + 16 }, { LAYERS, 1 } }, NONE },
	{ "b4x16_p64, address by 16", TILE2, { { TYPE, 14 }, { DIM(0), 127 }, { BOX_(0), 127 }, { ADDRESS, TENSOR + 16 } },
	  TMA_FAULT_MAP_ADDRESS },
	{ "b4x16, 63 values", TILE2, { { TYPE, 13 }, { BOX_(0), 31 }, { DIM(0), 62 } }, TMA_FAULT_MAP_DIM },
	{ "b4x16, 62 values", TILE2, { { TYPE, 13 }, { BOX_(0), 31 }, { DIM(0), 61 } }, NONE },
	{ "b4x16_p64, 192 values", TILE2, { { TYPE, 14 }, { BOX_(0), 127 }, { DIM(0), 191 } }, TMA_FAULT_MAP_DIM },
	{ "stride by 16", TILE2, { { STRIDE(0), 5 } }, NONE },
	{ "interleave 32B, stride by 16", LAYERED, { { STRIDE(2), 129 } }, TMA_FAULT_MAP_STRIDE },
	{ "interleave 16B, stride by 16", LAYERED, { { LAYERS, 1 }, { STRIDE(2), 129 } }, NONE },
	{ "b4x16_p64, stride by 16", TILE2, { { TYPE, 14 }, { DIM(0), 127 }, { BOX_(0), 127 }, { STRIDE(0), 5 } },
	  TMA_FAULT_MAP_STRIDE },
	{ "a row of 24 bytes", TILE2, { { BOX_(0), 23 } }, TMA_FAULT_MAP_BOX },
	{ "a row of 24 bytes, interleaved", LAYERED, { { BOX_(0), 23 } }, TMA_FAULT_MAP_BOX },
	{ "a pixel of 24 bytes", PIXELS3, { { BOX_(0), 23 } }, TMA_FAULT_MAP_BOX },
	{ "b4x16, a row of 16 values", TILE2, { { TYPE, 13 } }, TMA_FAULT_MAP_BOX },
	{ "b4x16_p64, a row of 96 values", TILE2, { { TYPE, 14 }, { DIM(0), 127 }, { BOX_(0), 95 } }, TMA_FAULT_MAP_BOX },
	{ "32 bytes of 32B", TILE2, { { SWIZZLE, 1 }, { BOX_(0), 31 } }, NONE },
	{ "48 bytes of 32B", TILE2, { { SWIZZLE, 1 }, { BOX_(0), 47 } }, TMA_FAULT_MAP_BOX },
	{ "80 bytes of 64B", TILE2, { { SWIZZLE, 2 }, { BOX_(0), 79 } }, TMA_FAULT_MAP_BOX },
	{ "144 bytes of 128B", TILE2, { { SWIZZLE, 3 }, { BOX_(0), 143 } }, TMA_FAULT_MAP_BOX },
	{ "128 bytes of 128B", TILE2, { { SWIZZLE, 3 }, { BOX_(0), 127 } }, NONE },
	{ "96 bytes of 96B", TILE2, { { SWIZZLE96, 1 }, { BOX_(0), 95 } }, NONE },
	{ "112 bytes of 96B", TILE2, { { SWIZZLE96, 1 }, { BOX_(0), 111 } }, TMA_FAULT_MAP_BOX },
	{ "a pixel of 80 bytes of 64B", W3, { { BOX_(0), 79 } }, TMA_FAULT_MAP_BOX },
	{ "interleaved: no span", LAYERED, { { SWIZZLE, 1 }, { BOX_(0), 47 } }, NONE },
	{ "256 x 227 u32", TILE2, { { TYPE, 2 }, { BOX_(0), 255 }, { BOX_(1), 226 } }, TMA_FAULT_TENSOR_RANGE },
	{ "16 x 167 x 87 bytes", TILE5, { { BOX_(1), 166 }, { BOX_(2), 86 }, { BOX_(3), 0 }, { BOX_(4), 0 } },
	  TMA_FAULT_MAP_SIZE },
	{ "256 x 228 u32", TILE2, { { TYPE, 2 }, { BOX_(0), 255 }, { BOX_(1), 227 } }, TMA_FAULT_MAP_SIZE },
	{ "256 x 256 u32, stride 8", TILE2, { { TYPE, 2 }, { BOX_(0), 255 }, { BOX_(1), 255 }, { ES(1), 7 } },
	  TMA_FAULT_TENSOR_RANGE },
	{ "stride of dimension 0 is ignored", TILE2, { { TYPE, 2 }, { BOX_(0), 255 }, { BOX_(1), 227 }, { ES(0), 7 } },
	  TMA_FAULT_MAP_SIZE },
	{ "interleaved: the slices count too", LAYERED, { { BOX_(0), 255 }, { BOX_(1), 255 }, { BOX_(2), 255 } },
	  TMA_FAULT_MAP_SIZE },
	{ "256 x 908 bytes of pixels", PIXELS3, { { BOX_(0), 255 }, { PIXELS, 907 } }, TMA_FAULT_TENSOR_RANGE },
	{ "256 x 909 bytes of pixels", PIXELS3, { { BOX_(0), 255 }, { PIXELS, 908 } }, TMA_FAULT_MAP_SIZE },
	{ "64 x 1024 f64 of pixels", PIXELS3, { { TYPE, 9 }, { BOX_(0), 63 }, { PIXELS, 1023 } }, TMA_FAULT_MAP_SIZE },
	{ "w::128 has 128 pixels", W128, { { PIXELS, 1023 } }, NONE },
	{ "window of one column", PIXELS3, { { LOWER, 7 } }, TMA_FAULT_IM2COL_START },
	{ "window of none", PIXELS3, { { LOWER, 8 } }, TMA_FAULT_MAP_CORNERS },
	{ "window of none by the upper corner", PIXELS3, { { UPPER, 0xfff8 } }, TMA_FAULT_MAP_CORNERS },
	{ "window of none in dimension 2", PIXELS4, { { LOWER8(1), 4 } }, TMA_FAULT_MAP_CORNERS },
	{ "window of one line", PIXELS4, { { UPPER8(1), 0xfd } }, NONE },
	{ "window of none in dimension 3", PIXELS5, { { LOWER5(2), 2 } }, TMA_FAULT_MAP_CORNERS },
	{ "window of none, wide", W3, { { LOWER, 8 } }, TMA_FAULT_MAP_CORNERS },
	{ "2^31 + 1 columns wrap", PIXELS3, { { DIM(1), 0x80000000 } }, TMA_FAULT_MAP_CORNERS },
	{ "2^31 columns do not", PIXELS3, { { DIM(1), 0x7fffffff } }, NONE },
	{ "2^31 and one of padding do", PIXELS3, { { DIM(1), 0x7fffffff }, { UPPER, 1 } }, TMA_FAULT_MAP_CORNERS },
};
/* clang-format on */

FIXTURE_CASE(map_rule, const struct rule_case *c)
{
	uint64_t words[16];

	map_encode(&bases[c->base], words);
	for (uint32_t e = 0; e < ARRAY_SIZE(c->edits); e++)
		map_edit(words, &c->edits[e]);
	put_words(f, MAP, words);
	issue(f, 0, load_of(c->base));
	if (c->fault == NONE)
		expect_no_record(f);
	else
		expect_still(f, c->fault,
		             c->fault == TMA_FAULT_TENSOR_RANGE   ? BOX
		             : c->fault == TMA_FAULT_IM2COL_START ? 0
		                                                  : MAP);
}

TABLE_SUITE(test_model_tensor_maps, map_cases, map_rule)

/* Is the bit one that maps of this kind may set? Literally from the layout. */
static bool is_used(const struct map_fields *m, unsigned int bit)
{
	if (bit < 64 + 24)
		return bit < 65 || bit >= 68;
	if (bit < 96)
		return false;
	if (bit < 256)
		return bit < 240;
	if (bit < 440)
		return bit < 431;
	if (m->im2col && bit < 490)
		return !(m->rank == 5 && !m->wide && (bit == 448 + 15 || bit == 448 + 31));
	if (bit < 480)
		return true;
	return bit >= 512 && bit < 640;
}

FIXTURE_TEST(every_bit)
{
	struct tma_queue_config on = f->queues[0];
	uint64_t words[16];

	for (uint32_t b = 0; b < ARRAY_SIZE(bases); b++)
		for (unsigned int bit = 0; bit < 1024; bit++) {
			/* rank and kind change what is used */
			if (bit == 64 || (bit >= 68 && bit < 71) || bit == 86 || bit == 87)
				continue;
			map_encode(&bases[b], words);
			words[bit / 64] |= UINT64_C(1) << bit % 64;
			put_words(f, MAP, words);
			requeue(f, 0, &on, NULL);
			put_barrier(f, 0, BAR, barrier_word(1, 1, 0, 0));
			issue(f, 0, load_of(b));
			if ((status_of(f, 0).fault == TMA_FAULT_MAP_RESERVED) == is_used(&bases[b], bit))
				fail_msg("base %u bit %u: fault 0x%04x", b, bit, status_of(f, 0).fault);
		}
}

/* A map of ones, mended field by field: each step shows the next code. */
TEST(order)
{
	/* clang-format off */
	static const struct { struct map_edit edits[5]; uint16_t fault; } rungs[] = {
		{ { { 65, 3, 0 }, { 88, 8, 0 }, { 240, 16, 0 }, { 431, 9, 0 }, { 490, 22, 0 } }, TMA_FAULT_MAP_RESERVED },
		{ { { 640, 64, 0 }, { 704, 64, 0 }, { 768, 64, 0 }, { 832, 64, 0 }, { 896, 64, 0 } }, TMA_FAULT_MAP_RESERVED },
		{ { { 960, 64, 0 } }, TMA_FAULT_MAP_RANK },
		{ { { RANK, 3 } }, TMA_FAULT_MAP_TYPE },
		{ { { TF32, 0 } }, TMA_FAULT_MAP_LAYOUT },
		{ { { LAYERS, 0 }, { WIDE, 0 } }, TMA_FAULT_MAP_SWIZZLE },
		{ { { SWIZZLE, 0 }, { SWIZZLE96, 0 }, { ATOM, 0 } }, TMA_FAULT_MAP_FILL },
		{ { { FILL, 0 } }, TMA_FAULT_MAP_ADDRESS },
		{ { { ADDRESS, TENSOR }, { DIM(0), 0x7ffffffe } }, TMA_FAULT_MAP_DIM },
		{ { { DIM(0), 127 } }, TMA_FAULT_MAP_STRIDE },
		{ { { STRIDE(0), 6 }, { STRIDE(1), 64 }, { STRIDE(2), 64 }, { 224, 12, 0 } }, TMA_FAULT_MAP_BOX },
		{ { { TYPE, 9 } }, TMA_FAULT_MAP_SIZE },
		{ { { BOX_(0), 15 }, { PIXELS, 7 }, { LOWER8(0), 0 }, { UPPER8(0), 0 }, { DIM(1), 0x80000000 } },
		  TMA_FAULT_MAP_CORNERS },
		{ { { DIM(1), 7 }, { DIM(2), 7 }, { UPPER8(1), 0 } }, TMA_FAULT_TENSOR_RANK },
	};
	/* clang-format on */
	uint64_t words[16];

	memset(words, 0xff, sizeof(words));
	for (uint32_t i = 0; i < ARRAY_SIZE(rungs); i++) {
		struct fixture *f = fixture_new();

		for (uint32_t e = 0; e < ARRAY_SIZE(rungs[i].edits); e++)
			map_edit(words, &rungs[i].edits[e]);
		put_words(f, MAP, words);
		issue(f, 0, tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 3, 8, -1, -1, 0, 0));
		if (status_of(f, 0).fault != rungs[i].fault)
			fail_msg("rung %u: fault 0x%04x, expected 0x%04x", i, status_of(f, 0).fault,
			         rungs[i].fault);
		fixture_free(f);
	}
}

LIST_SUITE(test_model_tensor_rules)
