/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_rtl/tma_map_random.h"

#include <string.h>

static uint32_t element_bits(uint32_t type)
{
	static const uint32_t table[16] = { 8, 16, 32, 32, 64, 64, 16, 32, 32, 64, 16, 8, 8, 4, 4, 6 };

	return table[type];
}

static uint32_t any_dim(struct rng *rng)
{
	switch (rng_below(rng, 4)) {
	case 0:
		return rng_below(rng, 8);
	case 1:
		return rng_below(rng, 1024);
	case 2:
		return UINT32_C(0x7fffffff) + rng_below(rng, 6) - 3;
	default:
		return (uint32_t)rng_next(rng);
	}
}

static void random_kind(struct rng *rng, bool packed, struct map_fields *f)
{
	static const uint32_t types[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 13, 7 };

	do {
		f->type = types[rng_below(rng, 16)];
	} while (f->type > 13 && !packed);
	f->im2col = rng_percent(rng, 45);
	f->wide = f->im2col && rng_percent(rng, 40) ? 1 + rng_below(rng, 2) : 0;
	if (f->type < 14 && !f->wide && rng_percent(rng, 40))
		f->interleave = 1 + rng_below(rng, 2);
	f->rank = f->im2col || f->interleave ? 3 + rng_below(rng, 3) : 1 + rng_below(rng, 5);
	f->tf32 = (f->type == 7 || f->type == 8) && rng_percent(rng, 50);
	f->fill = f->type >= 6 && f->type <= 10 && rng_percent(rng, 50);
	f->promotion = rng_below(rng, 4);
}

static void random_swizzle(struct rng *rng, struct map_fields *f)
{
	bool padded = f->type >= 14;

	f->swizzle = padded ? 3 * rng_below(rng, 2) : rng_below(rng, 4);
	if (f->wide)
		f->swizzle = 2 + (padded || rng_percent(rng, 50));
	if (f->swizzle == 3)
		f->atom = rng_below(rng, f->wide ? 2 : 4);
	if (padded && f->atom == 2)
		f->atom = 3;
	if (!f->interleave && !padded && f->wide != 2 && rng_percent(rng, 15)) {
		f->swizzle96 = 1;
		f->swizzle = 0;
		f->atom = 0;
	}
}

/* Boxes whose products come to and by the limit of 227 KiB. */
static uint32_t any_box(struct rng *rng)
{
	static const uint32_t sizes[] = { 1, 2, 3, 4, 8, 16, 32, 64, 128, 227, 228, 256 };

	return rng_percent(rng, 70) ? sizes[rng_below(rng, sizeof(sizes) / sizeof(sizes[0]))]
	                            : 1 + rng_below(rng, 256);
}

static void random_box(struct rng *rng, struct map_fields *f)
{
	static const uint32_t spans[4] = { 256, 32, 64, 128 };
	uint32_t e = element_bits(f->type), grain = e == 6 ? 64 : 128 / e, i, most = 256;
	bool small = rng_percent(rng, 60);

	if (!f->interleave)
		most = (f->swizzle96 ? 96 : spans[f->swizzle]) * 8 / e;
	if (most > 256)
		most = 256;
	f->box[0] = grain * (1 + rng_below(rng, most / grain)) - 1;
	if (rng_percent(rng, 20))
		f->box[0] = most / grain * grain - 1;
	if (f->type >= 14)
		f->box[0] = 127;
	for (i = 0; i < f->rank; i++) {
		if (rng_percent(rng, 30))
			f->es[i] = rng_below(rng, 8);
		if (i && !f->im2col)
			f->box[i] = (small ? 1 + rng_below(rng, 5) : any_box(rng)) - 1;
	}
	f->corners = (uint32_t)rng_next(rng);
	if (rng_percent(rng, 50))
		f->corners &= rng_percent(rng, 50) ? 0x01030103 : 0x00210021;
	if (f->rank == 5 && !f->wide)
		f->corners &= 0x7fff7fff;
	if (f->im2col)
		f->pixels = rng_percent(rng, 50) ? rng_below(rng, 64) : rng_below(rng, 1024);
}

static void random_strides(struct rng *rng, struct map_fields *f)
{
	uint64_t chunks = (f->box[0] + 1) * element_bits(f->type) / 128;
	bool dense = rng_percent(rng, 40);

	if (f->interleave)
		chunks = (f->box[0] + 1) * f->interleave;
	for (uint32_t i = 1; i < f->rank; i++) {
		bool slice = f->interleave && i == f->rank - 2;

		f->stride[i - 1] = rng_next(rng) >> (28 + rng_below(rng, 36));
		if (dense && !slice && !rng_percent(rng, 10))
			f->stride[i - 1] = chunks;
		if (f->interleave == 2 || f->type >= 14)
			f->stride[i - 1] &= ~UINT64_C(1);
		if (!slice)
			chunks *= f->box[i] + 1;
		if (dense && !rng_percent(rng, 10))
			f->es[i] = 0;
	}
	if (dense && rng_percent(rng, 80))
		f->es[0] = 0;
}

static void random_fields(struct rng *rng, bool packed, struct map_fields *f)
{
	memset(f, 0, sizeof(*f));
	random_kind(rng, packed, f);
	random_swizzle(rng, f);
	random_box(rng, f);
	random_strides(rng, f);
	f->address = rng_next(rng) & ~UINT64_C(31);
	for (uint32_t i = 0; i < f->rank; i++)
		f->dim[i] = any_dim(rng);
	if (f->type >= 14)
		f->dim[0] |= 127;
	if (f->type == 13)
		f->dim[0] |= 1;
	/* Pixels side by side, or nearly. */
	if (f->im2col && !f->interleave && rng_percent(rng, 40)) {
		f->dim[0] = f->box[0] + rng_percent(rng, 10);
		f->es[1] = rng_percent(rng, 10);
		f->stride[0] = (f->box[0] + 1) * element_bits(f->type) / 128 + rng_percent(rng, 10);
	}
	/* A rank that was lowered: what lies beyond it is not looked at. */
	for (uint32_t i = f->rank; i < 5 && rng_percent(rng, 40); i++) {
		f->dim[i] = any_dim(rng);
		f->es[i] = rng_below(rng, 8);
		f->box[i] = any_box(rng) - 1;
		f->stride[i - 1] = rng_next(rng) >> 28;
	}
}

static void random_hints(struct rng *rng, uint32_t words[MAP_WORDS])
{
	for (uint32_t i = 16; i < 20; i++)
		words[i] = (uint32_t)rng_next(rng);
}

void map_random_legal(struct rng *rng, bool packed, uint32_t words[MAP_WORDS])
{
	struct map_info info;
	struct map_fields f;

	for (uint32_t tries = 0; tries < 8; tries++) {
		random_fields(rng, packed, &f);
		map_pack(&f, words);
		random_hints(rng, words);
		if (!map_ref(words, packed, &info))
			return;
	}
}

void map_random(struct rng *rng, bool packed, uint32_t words[MAP_WORDS])
{
	uint32_t kind = rng_below(rng, 100), i, n, bit;
	struct map_fields f;

	if (kind < 40) {
		map_random_legal(rng, packed, words);
		return;
	}
	random_fields(rng, packed, &f);
	if (kind < 55) {
		/* One number that is any. */
		f.type = rng_percent(rng, 20) ? rng_below(rng, 16) : f.type;
		f.rank = rng_percent(rng, 20) ? 1 + rng_below(rng, 8) : f.rank;
		f.swizzle = rng_percent(rng, 20) ? rng_below(rng, 4) : f.swizzle;
		f.atom = rng_percent(rng, 20) ? rng_below(rng, 4) : f.atom;
		f.address += rng_percent(rng, 20) ? rng_below(rng, 32) : 0;
		f.dim[0] ^= rng_percent(rng, 20) ? 1u << rng_below(rng, 8) : 0;
		f.stride[rng_below(rng, 4)] ^= rng_percent(rng, 20);
		f.box[0] = rng_percent(rng, 20) ? rng_below(rng, 256) : f.box[0];
	}
	map_pack(&f, words);
	random_hints(rng, words);
	if (kind >= 97) {
		for (i = 0; i < MAP_WORDS; i++)
			words[i] = (uint32_t)rng_next(rng);
		if (rng_percent(rng, 50))
			memset(words + 20, 0, 12 * sizeof(words[0]));
		return;
	}
	n = kind < 60 ? 0 : 1 + rng_below(rng, 2);
	for (i = 0; i < n; i++) {
		/* The third word decides most. */
		bit = rng_percent(rng, 40) ? 64 + rng_below(rng, 32)
		                           : rng_below(rng, rng_percent(rng, 10) ? 1024 : 512);
		words[bit / 32] ^= 1u << bit % 32;
	}
}
