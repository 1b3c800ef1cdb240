/* SPDX-License-Identifier: Apache-2.0 */
/* Random legal tensor maps, and their bits. */
#include <string.h>

#include "crosscheck/tensor.h"

#define MAX_ROWS      300u
#define MANY_ROWS     1200u
#define MAX_EXTENT    14u
#define MAX_ROW_BYTES 4096u
#define PADDED_BOX    128u
#define GRANULE_BITS  128u
#define MAX_BOX       256u
#define MAX_BYTES     232448u             /* of a box */
#define HUGE_STEPS    (UINT64_C(1) << 36) /* strides, in units of 16 bytes */

uint32_t tensor_element_bits(const struct tensor *t)
{
	static const uint8_t bits[] = { 8, 16, 32, 32, 64, 64, 16, 32, 32, 64, 16, 0, 0, 4, 4, 6 };

	return bits[t->type];
}

bool tensor_padded(const struct tensor *t)
{
	return t->type == TMA_RAW_TYPE_B4X16_P64 || t->type == TMA_RAW_TYPE_B6X16_P32;
}

uint32_t tensor_slice(const struct tensor *t)
{
	return t->interleave * 16;
}

uint32_t tensor_first_spatial(const struct tensor *t)
{
	return t->interleave ? 0 : 1;
}

uint32_t tensor_spatial(const struct tensor *t)
{
	if (!t->im2col)
		return 0;
	if (t->wide)
		return 1;
	/* Maps that are broken on purpose may have the rank of none. */
	return t->rank > 2 ? t->rank - 2 : 0;
}

uint32_t tensor_count(const struct tensor *t, uint32_t i)
{
	uint32_t step = i || t->interleave ? t->step[i] : 1;

	return (t->box[i] + step - 1) / step;
}

/*
 * Layout.
 */

static bool swizzle_legal(const struct tensor *t)
{
	if (t->atom && t->swizzle != TMA_RAW_SWIZZLE_128B)
		return false;
	if (t->swizzle96)
		return !t->swizzle && !t->atom && !t->interleave && !tensor_padded(t) &&
		       t->wide != TMA_RAW_WIDE_W_128;
	if (tensor_padded(t) &&
	    !(t->swizzle == 0 || (t->swizzle == TMA_RAW_SWIZZLE_128B && t->atom != TMA_RAW_ATOM_32B_FLIP_8B)))
		return false;
	if (t->wide)
		return t->swizzle == TMA_RAW_SWIZZLE_64B ||
		       (t->swizzle == TMA_RAW_SWIZZLE_128B && t->atom <= TMA_RAW_ATOM_32B);
	return true;
}

static void choose_swizzle(struct rng *r, struct tensor *t)
{
	if (!t->wide && rng_percent(r, 25))
		return;
	do {
		t->swizzle = rng_below(r, 4);
		t->atom = rng_percent(r, 60) ? 0 : rng_below(r, 4);
		t->swizzle96 = rng_percent(r, 12);
	} while (!swizzle_legal(t));
}

static void choose_type(struct rng *r, const struct shape *shape, struct tensor *t)
{
	static const uint8_t types[] = { 0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9, 10, 13 };

	t->type = types[rng_below(r, sizeof(types))];
	if (shape->packed && !t->interleave && rng_percent(r, 20))
		t->type = TMA_RAW_TYPE_B4X16_P64 + rng_below(r, 2);
	t->tf32 = (t->type == TMA_RAW_TYPE_F32 || t->type == TMA_RAW_TYPE_F32_FTZ) && rng_percent(r, 50);
	t->nan = t->type >= TMA_RAW_TYPE_F16 && t->type <= TMA_RAW_TYPE_BF16 && rng_percent(r, 50);
	t->promotion = rng_below(r, 4);
}

static void choose_kind(struct rng *r, const struct shape *shape, struct tensor *t)
{
	uint32_t kind = rng_below(r, 100);

	t->im2col = kind >= 55;
	t->wide = kind < 80 ? TMA_RAW_WIDE_NONE : kind < 91 ? TMA_RAW_WIDE_W : TMA_RAW_WIDE_W_128;
	if (!t->wide && rng_percent(r, 22))
		t->interleave = 1 + rng_below(r, 2);
	t->rank = t->im2col || t->interleave ? 3 + rng_below(r, 3)
	          : rng_percent(r, 35)       ? 2
	                                     : 1 + rng_below(r, MAX_RANK);
	choose_type(r, shape, t);
	choose_swizzle(r, t);
	t->dense = t->im2col && !t->interleave && !tensor_padded(t) && rng_percent(r, 30);
}

/* Bytes from row to row in shared memory. */
static uint32_t span(const struct tensor *t)
{
	return t->swizzle96 ? 96 : t->swizzle ? 16u << t->swizzle : 0;
}

static uint32_t few(struct rng *r, uint32_t max)
{
	uint32_t a = rng_below(r, max), b = rng_below(r, max);

	return 1 + (rng_percent(r, 60) && b < a ? b : a);
}

static void choose_steps(struct rng *r, struct tensor *t)
{
	for (uint32_t i = 0; i < t->rank; i++)
		t->step[i] = rng_percent(r, 65) || (i == 1 && t->dense) ? 1 : 1 + rng_below(r, 8);
}

/* Elements of 16 bytes, of which rows consist. */
static uint32_t unit(const struct tensor *t)
{
	return GRANULE_BITS / tensor_element_bits(t);
}

/* The row: its elements, channels of a pixel, or with interleave the box in W. Returns its pitch. */
static uint32_t choose_row(struct rng *r, struct tensor *t, uint32_t room)
{
	uint32_t units = MAX_BOX / (tensor_padded(t) ? 1 : unit(t)), wanted = room / 16;

	if (tensor_padded(t)) {
		t->box[0] = PADDED_BOX;
		return PADDED_BOX;
	}
	if (t->interleave) {
		wanted = room / tensor_slice(t) / unit(t);
		t->box[0] = unit(t) * few(r, wanted < units ? (wanted ? wanted : 1) : units);
		return tensor_slice(t);
	}
	if (span(t) && units > span(t) / 16)
		units = span(t) / 16;
	if (units > wanted)
		units = wanted;
	t->box[0] = unit(t) * few(r, units);
	if (t->dense)
		t->box[0] = unit(t) * (span(t) ? span(t) / 16 : 1u << rng_below(r, 4));
	return span(t) ? span(t) : t->box[0] * tensor_element_bits(t) / 8;
}

static void choose_box(struct rng *r, struct tensor *t, uint32_t room)
{
	uint32_t pitch = choose_row(r, t, room), rows = room / pitch,
		 most = rng_percent(r, 4) ? MANY_ROWS : MAX_ROWS;

	if (!rows)
		rows = 1;
	if (rows > most)
		rows = most;
	if (t->im2col) {
		uint32_t bytes = t->box[0] * tensor_element_bits(t) / 8;

		if (rows > MAX_BYTES / bytes)
			rows = MAX_BYTES / bytes;
		t->pixels = few(r, rows < 1024 ? rows : 1024);
		return;
	}
	if (t->interleave)
		rows = rows / tensor_count(t, 0) ? rows / tensor_count(t, 0) : 1;
	for (uint32_t i = 1; i < t->rank; i++) {
		uint32_t n = 1 + rng_below(r, rows < 9 ? rows : 9);

		if (t->interleave && i == t->rank - 2)
			n = 1 + rng_below(r, 3);
		else
			rows /= n;
		t->box[i] = (n - 1) * t->step[i] + 1 + rng_below(r, t->step[i]);
	}
	/* Long ones. */
	if (t->rank > 1 && !t->interleave && rng_percent(r, 15))
		t->box[1] = (rows < MAX_BOX ? rows : MAX_BOX);
	/* For gather4 and scatter4. */
	if (t->rank == 2 && rng_percent(r, 70))
		t->box[1] = 1;
}

/*
 * The tensor.
 */

static uint32_t alignment(const struct tensor *t)
{
	return t->interleave == TMA_RAW_INTERLEAVE_32B || tensor_padded(t) ? 32 : 16;
}

static uint32_t row_bytes(const struct tensor *t, uint32_t elements)
{
	return t->interleave ? elements * tensor_slice(t) : (elements * tensor_element_bits(t) + 7) / 8;
}

static uint32_t grain_of_row(const struct tensor *t)
{
	return tensor_padded(t) ? PADDED_BOX : t->type == TMA_RAW_TYPE_B4X16 ? 2 : 1;
}

/* Dimension 0, a little more or less than a box. */
static void choose_first(struct rng *r, struct tensor *t)
{
	uint32_t most = 2 * t->box[0] + 20, grain = grain_of_row(t), elements = 1 + rng_below(r, most);

	if (t->interleave && t->im2col)
		elements = 1 + rng_below(r, MAX_EXTENT);
	if (rng_percent(r, 25) || t->dense)
		elements = t->box[0];
	while (row_bytes(t, elements) > MAX_ROW_BYTES)
		elements /= 2;
	t->extent[0] = (elements + grain - 1) / grain * grain;
}

static bool is_spatial(const struct tensor *t, uint32_t i)
{
	return i >= tensor_first_spatial(t) && i < tensor_first_spatial(t) + tensor_spatial(t);
}

/* Often a tensor begins far from coordinate 0: all before is elsewhere. */
static void choose_anchor(struct rng *r, struct tensor *t, uint32_t i)
{
	uint32_t grain = i || t->interleave ? 1 : tensor_padded(t) ? PADDED_BOX : unit(t);

	if (is_spatial(t, i) || !rng_percent(r, 10))
		return;
	t->anchor[i] = (int64_t)(rng_next(r) >> (33 + rng_below(r, 26)));
	if (t->anchor[i] > INT32_MAX - 8192)
		t->anchor[i] -= 8192;
	t->anchor[i] -= t->anchor[i] % grain;
	/* dim[0] stays even. */
	if (t->type == TMA_RAW_TYPE_B4X16 && !i)
		t->anchor[i] &= ~INT64_C(1);
}

static uint64_t any_stride(struct rng *r, const struct tensor *t, uint64_t dense, uint32_t i)
{
	uint32_t align = alignment(t), form = rng_below(r, 20);

	dense = (dense + align - 1) / align * align;
	if (i == 1 && t->dense)
		return dense;
	if (form < 2)
		return 0;
	if (form < 4)
		return rng_below(r, (uint32_t)(dense / align) + 1) * (uint64_t)align;
	if (form == 4 && t->extent[i] == 1)
		return (rng_next(r) % HUGE_STEPS) * 16 / align * align;
	return form < 9 ? dense + align * rng_below(r, 5) : dense;
}

/* Extents and strides, within so many bytes. Returns what they take. */
static uint64_t choose_extents(struct rng *r, struct tensor *t, uint64_t most)
{
	uint64_t bytes, dense;

	choose_first(r, t);
	while (row_bytes(t, t->extent[0]) > most)
		t->extent[0] = (t->extent[0] / 2 + grain_of_row(t) - 1) / grain_of_row(t) * grain_of_row(t);
	t->stride[0] = t->interleave ? tensor_slice(t) : 0;
	dense = bytes = row_bytes(t, t->extent[0]);
	for (uint32_t i = 1; i < t->rank; i++) {
		t->extent[i] = rng_percent(r, 15) ? 1 : 1 + rng_below(r, MAX_EXTENT);
		t->stride[i] = any_stride(r, t, dense, i);
		while (t->extent[i] > 1 && bytes + (t->extent[i] - 1) * t->stride[i] > most)
			t->extent[i] /= 2;
		bytes += (t->extent[i] - 1) * t->stride[i];
		if (t->extent[i] > 1 && t->stride[i] * t->extent[i] > dense)
			dense = t->stride[i] * t->extent[i];
		if (dense > most)
			dense = most;
	}
	return bytes;
}

static void choose_dims(struct rng *r, struct tensor *t)
{
	uint32_t grain = tensor_padded(t) ? PADDED_BOX : 2;

	for (uint32_t i = 0; i < t->rank; i++) {
		choose_anchor(r, t, i);
		t->dim[i] = (uint64_t)t->anchor[i] + t->extent[i];
		if (is_spatial(t, i))
			continue;
		/* Room behind: all of it, or what a stride of zero makes of it. */
		if (rng_percent(r, i && !t->stride[i] ? 50 : 4))
			t->dim[i] += rng_next(r) >> (32 + rng_below(r, 28));
		if (rng_percent(r, 2) || t->dim[i] > UINT64_C(1) << 32)
			t->dim[i] = UINT64_C(1) << 32;
		if (!i && (tensor_padded(t) || t->type == TMA_RAW_TYPE_B4X16))
			t->dim[i] -= t->dim[i] % grain;
	}
}

static void choose_corners(struct rng *r, struct tensor *t)
{
	bool inside = rng_percent(r, 45);

	for (uint32_t s = 0; s < tensor_spatial(t); s++) {
		int64_t dim = (int64_t)t->dim[tensor_first_spatial(t) + s];

		t->lower[s] = inside ? (int32_t)rng_below(r, 3) : (int32_t)rng_below(r, 8) - 4;
		t->upper[s] = inside ? -(int32_t)rng_below(r, 3) : (int32_t)rng_below(r, 8) - 4;
		if (rng_percent(r, 5) && !inside)
			t->lower[s] = t->rank == 3 || t->wide ? -32768 : t->rank == 4 ? -128 : -16;
		if (t->lower[s] > dim - 1 + t->upper[s])
			t->lower[s] = t->upper[s] = 0;
	}
}

static void place(struct rng *r, struct tensor *t, uint64_t base, uint64_t bytes, uint64_t taken)
{
	uint32_t align = alignment(t);
	uint64_t room = (bytes - taken) / align;

	t->address = base + rng_below(r, (uint32_t)room + 1) * (uint64_t)align;
	t->address -= t->interleave ? (uint64_t)t->anchor[0] * tensor_slice(t)
	                            : (uint64_t)t->anchor[0] * tensor_element_bits(t) / 8;
	for (uint32_t i = 1; i < t->rank; i++)
		t->address -= (uint64_t)t->anchor[i] * t->stride[i];
}

void tensor_choose(struct rng *rng, const struct shape *shape, uint64_t base, uint64_t bytes, uint32_t room,
                   struct tensor *t)
{
	uint64_t taken, most = rng_percent(rng, 75) ? 12288 : bytes / 2;

	*t = (struct tensor){ 0 };
	choose_kind(rng, shape, t);
	choose_steps(rng, t);
	choose_box(rng, t, room);
	taken = choose_extents(rng, t, most);
	choose_dims(rng, t);
	choose_corners(rng, t);
	place(rng, t, base, bytes, taken + 64);
	for (uint32_t i = 0; i < 2; i++)
		t->hints[i] = rng_percent(rng, 50) ? rng_next(rng) : 0;
	t->beyond = rng_percent(rng, 30) ? rng_next(rng) : 0;
}

void tensor_choose_matrix(struct rng *rng, uint64_t base, uint64_t bytes, uint32_t room, struct tensor *t)
{
	static const uint8_t types[] = { 0, 1, 2, 4, 6, 7, 9, 10 };
	uint32_t units = 1u << rng_below(rng, 4), columns = 2 + rng_below(rng, 5), rows, width;

	*t = (struct tensor){ .rank = 2, .type = types[rng_below(rng, sizeof(types))], .step = { 1, 1 } };
	t->promotion = rng_below(rng, 4);
	/* As long as the row, so that neither swizzle nor room changes what lies side by side. */
	t->swizzle = units > 1 && rng_percent(rng, 50) ? (uint32_t)__builtin_ctz(units) : 0;
	t->box[0] = units * unit(t);
	rows = room / (units * 16);
	t->box[1] = 2 + rng_below(rng, rows < 26 ? (rows < 4 ? 2 : rows - 2) : 24);
	/* The last column may be narrow. */
	width = columns * t->box[0] - (rng_percent(rng, 40) ? rng_below(rng, t->box[0]) : 0);
	t->stride[1] = ((uint64_t)row_bytes(t, width) + 15) / 16 * 16 + 16 * rng_below(rng, 3);
	t->dim[0] = t->extent[0] = width;
	t->extent[1] = t->box[1] + rng_below(rng, 2 * t->box[1]);
	while (t->extent[1] * t->stride[1] > bytes / 2)
		t->extent[1]--;
	t->dim[1] = t->extent[1];
	place(rng, t, base, bytes, t->extent[1] * t->stride[1]);
}

/*
 * Bits.
 */

static void put(uint64_t *word, uint32_t lsb, uint32_t bits, uint64_t value)
{
	for (uint32_t i = 0; i < bits; i++)
		word[(lsb + i) / 64] |= (value >> i & 1) << (lsb + i) % 64;
}

#define PUT(name, value) put(word, TMA_MAP_##name##_LSB, TMA_MAP_##name##_BITS, value)
#define PUT_I(name, i, val) \
	put(word, TMA_MAP_##name##_LSB + (i)*TMA_MAP_##name##_BITS, TMA_MAP_##name##_BITS, val)

static void put_corners(const struct tensor *t, uint64_t *word)
{
	uint32_t at = TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS, spatial = tensor_spatial(t),
		 bits = spatial == 1   ? 16
	                : spatial == 2 ? 8
	                               : 5;

	for (uint32_t s = 0; s < spatial; s++) {
		put(word, at + s * bits, bits, (uint64_t)t->lower[s]);
		put(word, at + 16 + s * bits, bits, (uint64_t)t->upper[s]);
	}
}

/* As of a map whose rank was lowered. */
static void put_beyond(const struct tensor *t, uint64_t *word)
{
	uint64_t value = t->beyond;

	for (uint32_t i = t->rank; i < MAX_RANK; i++) {
		value = value << 11 | value >> 53;
		PUT_I(STRIDE_LOW, i - 1, value);
		PUT_I(STRIDE_HIGH, i - 1, value >> 32);
		PUT_I(DIM, i, value >> 16);
		PUT_I(ELEMENT_STRIDE, i, value >> 48);
		if (!t->im2col)
			PUT_I(BOX, i, value >> 52);
	}
}

void tensor_encode(const struct tensor *t, uint64_t word[MAP_WORDS])
{
	memset(word, 0, MAP_BYTES);
	PUT(GLOBAL_ADDRESS, t->address);
	PUT(IM2COL, t->im2col);
	PUT(RANK, t->rank - 1);
	PUT(TYPE, t->type);
	PUT(INTERLEAVE, t->interleave);
	PUT(SWIZZLE, t->swizzle);
	PUT(FILL, t->nan);
	PUT(TF32, t->tf32);
	PUT(PROMOTION, t->promotion);
	PUT(ATOM, t->atom);
	PUT(SWIZZLE96, t->swizzle96);
	PUT(WIDE, t->wide);
	for (uint32_t i = 1; i < t->rank; i++) {
		PUT_I(STRIDE_LOW, i - 1, t->stride[i] >> 4);
		PUT_I(STRIDE_HIGH, i - 1, t->stride[i] >> 36);
	}
	for (uint32_t i = 0; i < t->rank; i++) {
		PUT_I(DIM, i, t->dim[i] - 1);
		PUT_I(ELEMENT_STRIDE, i, t->step[i] - 1);
		if (!i || !t->im2col)
			PUT_I(BOX, i, t->box[i] - 1);
	}
	put_beyond(t, word);
	if (t->im2col) {
		put_corners(t, word);
		PUT(PIXELS, t->pixels - 1);
	}
	put(word, TMA_MAP_HINTS_LSB, 64, t->hints[0]);
	put(word, TMA_MAP_HINTS_LSB + 64, 64, t->hints[1]);
}
