/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_rtl/tma_map_ref.h"

#include <string.h>

#include "tma_abi.h"

#define MOST_BYTES 232448u

static uint64_t bits(const uint32_t *words, uint32_t lsb, uint32_t n)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < n; i++)
		value |= (uint64_t)(words[(lsb + i) / 32] >> (lsb + i) % 32 & 1) << i;
	return value;
}

static void set_bits(uint32_t *words, uint32_t lsb, uint32_t n, uint64_t value)
{
	for (uint32_t i = 0; i < n; i++)
		words[(lsb + i) / 32] |= (uint32_t)(value >> i & 1) << (lsb + i) % 32;
}

static int32_t sign(uint64_t value, uint32_t n)
{
	return (int32_t)(value ^ UINT64_C(1) << (n - 1)) - (int32_t)(UINT64_C(1) << (n - 1));
}

void map_pack(const struct map_fields *f, uint32_t words[MAP_WORDS])
{
	memset(words, 0, MAP_WORDS * sizeof(words[0]));
	set_bits(words, 0, 64, f->address);
	set_bits(words, 64, 1, f->im2col);
	set_bits(words, 68, 3, f->rank - 1);
	set_bits(words, 71, 4, f->type);
	set_bits(words, 75, 2, f->interleave);
	set_bits(words, 77, 2, f->swizzle);
	set_bits(words, 79, 1, f->fill);
	set_bits(words, 80, 1, f->tf32);
	set_bits(words, 81, 2, f->promotion);
	set_bits(words, 83, 2, f->atom);
	set_bits(words, 85, 1, f->swizzle96);
	set_bits(words, 86, 2, f->wide);
	for (uint32_t i = 0; i < 4; i++) {
		set_bits(words, 96 + 32 * i, 32, f->stride[i]);
		set_bits(words, 224 + 4 * i, 4, f->stride[i] >> 32);
	}
	for (uint32_t i = 0; i < 5; i++) {
		set_bits(words, 256 + 32 * i, 32, f->dim[i]);
		set_bits(words, 416 + 3 * i, 3, f->es[i]);
		if (i == 0 || !f->im2col)
			set_bits(words, 440 + 8 * i, 8, f->box[i]);
	}
	if (f->im2col)
		set_bits(words, 448, 32, f->corners);
	set_bits(words, 480, 10, f->pixels);
}

static void unpack(const uint32_t *words, struct map_fields *f)
{
	memset(f, 0, sizeof(*f));
	f->address = bits(words, 0, 64);
	f->im2col = (uint32_t)bits(words, 64, 1);
	f->rank = (uint32_t)bits(words, 68, 3) + 1;
	f->type = (uint32_t)bits(words, 71, 4);
	f->interleave = (uint32_t)bits(words, 75, 2);
	f->swizzle = (uint32_t)bits(words, 77, 2);
	f->fill = (uint32_t)bits(words, 79, 1);
	f->tf32 = (uint32_t)bits(words, 80, 1);
	f->promotion = (uint32_t)bits(words, 81, 2);
	f->atom = (uint32_t)bits(words, 83, 2);
	f->swizzle96 = (uint32_t)bits(words, 85, 1);
	f->wide = (uint32_t)bits(words, 86, 2);
	for (uint32_t i = 0; i < 4; i++)
		f->stride[i] = bits(words, 96 + 32 * i, 32) | bits(words, 224 + 4 * i, 4) << 32;
	for (uint32_t i = 0; i < 5; i++) {
		f->dim[i] = (uint32_t)bits(words, 256 + 32 * i, 32);
		f->es[i] = (uint32_t)bits(words, 416 + 3 * i, 3);
		f->box[i] = (uint32_t)bits(words, 440 + 8 * i, 8);
	}
	f->corners = (uint32_t)bits(words, 448, 32);
	f->pixels = (uint32_t)bits(words, 480, 10);
}

static uint32_t kind_of(const struct map_fields *f)
{
	if (!f->im2col)
		return MAP_TILED;
	return f->wide == 1 ? MAP_W : f->wide == 2 ? MAP_W128 : MAP_IM2COL;
}

static uint32_t element_bits(uint32_t type)
{
	static const uint32_t table[16] = { 8, 16, 32, 32, 64, 64, 16, 32, 32, 64, 16, 8, 8, 4, 4, 6 };

	return table[type];
}

static bool padded(const struct map_fields *f)
{
	return f->type == 14 || f->type == 15;
}

/* Rows along dimension 0 of W, else a single slice. */
static bool has_row(const struct map_fields *f)
{
	return !f->interleave || (!f->im2col && f->es[0] == 0);
}

static bool reserved_set(const uint32_t *words, const struct map_fields *f)
{
	struct map_fields known = *f;
	uint32_t packed[MAP_WORDS];

	if (!f->im2col)
		known.pixels = 0;
	/* Six corners of five bits. */
	if (f->im2col && !f->wide && f->rank == 5)
		known.corners &= 0x7fff7fff;
	map_pack(&known, packed);
	for (uint32_t i = 0; i < MAP_WORDS; i++)
		if ((i < 16 || i > 19) && packed[i] != words[i])
			return true;
	return false;
}

static bool layout_bad(const struct map_fields *f)
{
	if (f->interleave == 3 || f->wide == 3)
		return true;
	if (f->interleave && (f->wide || padded(f)))
		return true;
	return f->wide && !f->im2col;
}

static bool swizzle_bad(const struct map_fields *f)
{
	if (f->atom && f->swizzle != 3)
		return true;
	if (f->swizzle96 && (f->swizzle || f->atom || f->interleave || padded(f) || f->wide == 2))
		return true;
	if (padded(f) && (f->swizzle96 || !(f->swizzle == 0 || (f->swizzle == 3 && f->atom != 2))))
		return true;
	if (f->wide && !(f->swizzle == 2 || (f->swizzle == 3 && f->atom < 2) || f->swizzle96))
		return true;
	return false;
}

static uint32_t span_of(const struct map_fields *f)
{
	static const uint32_t spans[4] = { 0, 32, 64, 128 };

	if (f->interleave)
		return 0;
	return f->swizzle96 ? 96 : spans[f->swizzle];
}

static bool box_bad(const struct map_fields *f)
{
	uint32_t row = (f->box[0] + 1) * element_bits(f->type);

	if (row % 128 || (padded(f) && f->box[0] != 127))
		return true;
	return span_of(f) && row > span_of(f) * 8;
}

static uint64_t positions(const struct map_fields *f, uint32_t i)
{
	return (f->box[i] + 1 + f->es[i]) / (f->es[i] + 1);
}

/* Pixels of an im2col map. */
static uint64_t pixels_of(const struct map_fields *f)
{
	return kind_of(f) == MAP_W128 ? 128 : f->pixels + 1;
}

static bool size_bad(const struct map_fields *f)
{
	uint64_t size = element_bits(f->type);

	if (f->im2col) {
		size *= (f->box[0] + 1) * pixels_of(f);
	} else {
		for (uint32_t i = 0; i < f->rank; i++)
			size *= i == 0 && !f->interleave ? f->box[0] + 1 : positions(f, i);
	}
	return size > MOST_BYTES * UINT64_C(8);
}

static bool is_spatial(const struct map_fields *f, uint32_t i)
{
	switch (kind_of(f)) {
	case MAP_TILED:
		return false;
	case MAP_IM2COL:
		return f->interleave ? i + 3 <= f->rank : i >= 1 && i + 2 <= f->rank;
	default:
		return i == 1;
	}
}

static void corners_of(const struct map_fields *f, uint32_t i, int32_t *lower, int32_t *upper)
{
	uint32_t n = f->interleave ? i : i - 1;
	uint32_t width = f->rank == 4 ? 8 : f->rank == 5 ? 5 : 16;

	if (kind_of(f) != MAP_IM2COL) {
		width = 16;
		n = 0;
	}
	*lower = sign(f->corners >> n * width & ((1u << width) - 1), width);
	*upper = sign(f->corners >> (16 + n * width) & ((1u << width) - 1), width);
}

static bool corners_bad(const struct map_fields *f)
{
	int32_t lower, upper;

	for (uint32_t i = 0; i < f->rank; i++) {
		if (!is_spatial(f, i))
			continue;
		corners_of(f, i, &lower, &upper);
		if (lower > (int32_t)(f->dim[i] + (uint32_t)upper))
			return true;
	}
	return false;
}

static bool stride_bad(const struct map_fields *f)
{
	for (uint32_t i = 0; i + 1 < f->rank; i++)
		if (f->stride[i] % 2 && (f->interleave == 2 || padded(f)))
			return true;
	return false;
}

static uint32_t fault_of(const uint32_t *words, const struct map_fields *f, bool packed)
{
	if (reserved_set(words, f))
		return TMA_FAULT_MAP_RESERVED;
	if (f->rank > 5 || ((f->interleave || f->im2col) && f->rank < 3))
		return TMA_FAULT_MAP_RANK;
	if (f->type == 11 || f->type == 12 || (padded(f) && !packed) ||
	    (f->tf32 && f->type != 7 && f->type != 8))
		return TMA_FAULT_MAP_TYPE;
	if (layout_bad(f))
		return TMA_FAULT_MAP_LAYOUT;
	if (swizzle_bad(f))
		return TMA_FAULT_MAP_SWIZZLE;
	if (f->fill && (f->type < 6 || f->type > 10))
		return TMA_FAULT_MAP_FILL;
	if (f->address % (f->interleave == 2 || padded(f) ? 32 : 16))
		return TMA_FAULT_MAP_ADDRESS;
	if ((padded(f) && (f->dim[0] + UINT64_C(1)) % 128) ||
	    (f->type == 13 && (f->dim[0] + UINT64_C(1)) % 2))
		return TMA_FAULT_MAP_DIM;
	if (stride_bad(f))
		return TMA_FAULT_MAP_STRIDE;
	if (box_bad(f))
		return TMA_FAULT_MAP_BOX;
	if (size_bad(f))
		return TMA_FAULT_MAP_SIZE;
	if (corners_bad(f))
		return TMA_FAULT_MAP_CORNERS;
	return 0;
}

static uint32_t swizzle_of(const struct map_fields *f)
{
	static const uint32_t atoms[4] = { MAP_SWIZZLE_XOR128, MAP_SWIZZLE_ATOM32, MAP_SWIZZLE_FLIP,
		                           MAP_SWIZZLE_ATOM64 };

	if (f->swizzle == 3)
		return atoms[f->atom];
	if (f->swizzle == 2)
		return MAP_SWIZZLE_XOR64;
	return f->swizzle == 1 || f->swizzle96 ? MAP_SWIZZLE_XOR32 : MAP_SWIZZLE_OFF;
}

static void level_of(const struct map_fields *f, uint32_t i, struct map_level *l)
{
	l->used = true;
	l->dim = i;
	l->fixed = kind_of(f) >= MAP_W && i >= 2 && i <= f->rank - 2;
	l->spatial = is_spatial(f, i);
	l->last = f->dim[i];
	/* Slices of dimension 0 lie side by side. */
	l->stride = i ? f->stride[i - 1] : f->interleave;
	l->step = f->es[i];
	l->count = f->im2col ? 0 : (uint32_t)positions(f, i) - 1;
	if (l->spatial)
		corners_of(f, i, &l->lower, &l->upper);
}

/* Levels that continue the row in global and in shared memory. */
static void fold_levels(const struct map_fields *f, struct map_info *m)
{
	uint64_t chunks = m->row_chunks;

	if (f->im2col || padded(f) || m->pitch != m->row_chunks)
		return;
	for (uint32_t l = 0; l < MAP_LEVELS && m->level[l].used; l++) {
		if (m->level[l].step || m->level[l].stride != chunks)
			return;
		chunks *= m->level[l].count + 1;
		if (chunks >= 1u << 16)
			return;
		m->fold[l] = true;
		m->fold_chunks[l] = (uint32_t)chunks;
	}
}

/* Pixels along W that are neighbours in global and in shared memory. */
static bool makes_runs(const struct map_fields *f, const struct map_info *m)
{
	if (m->kind == MAP_TILED || m->kind == MAP_W128 || f->interleave || padded(f))
		return false;
	return f->dim[0] == f->box[0] && m->pitch == m->row_chunks && f->es[1] == 0 &&
	       f->stride[0] == m->row_chunks &&
	       (m->row_chunks == 1 || m->row_chunks == 2 || m->row_chunks == 4 || m->row_chunks == 8);
}

/* Semantics M30, operator by operator: the types of maps that take it. */
static void describe_arithmetic(const struct map_fields *f, struct map_info *m)
{
	enum {
		U32 = 1 << 2,
		S32 = 1 << 3,
		U64 = 1 << 4,
		S64 = 1 << 5,
		F16 = 1 << 6,
		F32 = 1 << 7,
		F32_FTZ = 1 << 8,
		F64 = 1 << 9,
		BF16 = 1 << 10
	};
	static const uint32_t takes[8] = {
		[TMA_REDUCE_ADD] = U32 | S32 | U64 | F16 | BF16 | F32 | F32_FTZ | F64,
		[TMA_REDUCE_MIN] = U32 | S32 | U64 | S64 | F16 | BF16,
		[TMA_REDUCE_MAX] = U32 | S32 | U64 | S64 | F16 | BF16,
		[TMA_REDUCE_INC] = U32,
		[TMA_REDUCE_DEC] = U32,
		[TMA_REDUCE_AND] = U32 | S32 | U64,
		[TMA_REDUCE_OR] = U32 | S32 | U64,
		[TMA_REDUCE_XOR] = U32 | S32 | U64,
	};
	static const uint32_t types[16] = {
		[2] = TMA_TYPE_U32, [3] = TMA_TYPE_S32, [4] = TMA_TYPE_U64,
		[5] = TMA_TYPE_S64, [6] = TMA_TYPE_F16, [7] = TMA_TYPE_F32,
		[8] = TMA_TYPE_F32, [9] = TMA_TYPE_F64, [10] = TMA_TYPE_BF16,
	};

	m->arith = types[f->type];
	m->flush = 1u << f->type == F32_FTZ;
	for (uint32_t op = 0; op < 8; op++)
		m->ops |= (takes[op] >> f->type & 1) << op;
}

static void describe(const struct map_fields *f, struct map_info *m)
{
	static const uint32_t log2_of_bytes[9] = { 0, 0, 1, 0, 2, 0, 0, 0, 3 };
	uint32_t e = element_bits(f->type), slice = f->interleave * 16, i, levels = 0, row;
	uint64_t rows = f->im2col ? pixels_of(f) : 1;

	memset(m, 0, sizeof(*m));
	m->base = f->address / 16;
	m->rank = f->rank;
	m->kind = kind_of(f);
	m->interleaved = f->interleave != 0;
	m->swizzle = swizzle_of(f);
	m->format = f->type == 14 ? MAP_PAD4 : f->type == 15 ? MAP_PAD6 : f->tf32 ? MAP_TF32 : MAP_PLAIN;
	m->nan = f->fill;
	m->promotion = f->promotion;
	m->row_used = has_row(f);
	m->unit = f->interleave ? 3 + f->interleave : log2_of_bytes[e / 8];
	m->half = !f->interleave && e == 4;
	m->row_last = f->dim[0];
	m->row_count = m->row_used ? f->box[0] + 1 : 1;
	row = f->interleave ? m->row_count * slice : m->row_count * e / 8;
	m->row_bytes = row;
	m->row_chunks = row / 16;
	m->pitch = span_of(f) ? span_of(f) / 16 : padded(f) ? 8 : m->row_chunks;

	for (i = 0; i < f->rank; i++) {
		if (f->interleave && i == f->rank - 2) {
			m->slice_used = true;
			m->slice_dim = i;
			m->slice_last = f->dim[i];
			m->slice_stride = f->stride[i - 1];
		} else if (i || !m->row_used) {
			level_of(f, i, &m->level[levels]);
			if (!f->im2col)
				rows *= positions(f, i);
			levels++;
		}
	}
	fold_levels(f, m);
	m->pixels = f->pixels;
	m->bytes = (uint32_t)(rows * row);
	m->chunks = (uint32_t)(rows * m->pitch);
	m->one_row = !f->im2col && f->box[1] == 0;
	m->runs = makes_runs(f, m);
	m->storable = f->type != 14 && !(f->swizzle == 3 && f->atom == 2);
	describe_arithmetic(f, m);
	m->window_inside = true;
	for (i = 0; i < levels; i++)
		if (m->level[i].lower < 0 || m->level[i].upper > 0)
			m->window_inside = false;
}

uint32_t map_ref(const uint32_t words[MAP_WORDS], bool packed, struct map_info *info)
{
	struct map_fields f;
	uint32_t fault;

	unpack(words, &f);
	fault = fault_of(words, &f, packed);
	if (!fault)
		describe(&f, info);
	return fault;
}
