/* SPDX-License-Identifier: Apache-2.0 */
/* Random tensor maps, and what a decoder makes of them. */
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_walks_ref.h"

#define MAX_BOX 232448u

uint32_t tensor_levels(const struct tensor *t, uint32_t dims[4])
{
	uint32_t i, n = 0;

	for (i = tensor_row_used(t); i < t->rank; i++)
		if (!t->slice || i != t->rank - 2)
			dims[n++] = i;
	return n;
}

bool tensor_row_used(const struct tensor *t)
{
	return !t->slice || (t->kind == WALKS_TILED && t->es[0] == 1);
}

uint32_t tensor_count(const struct tensor *t, uint32_t i)
{
	uint32_t es = i == 0 && !t->slice ? 1 : t->es[i];

	return (t->box[i] + es - 1) / es;
}

uint32_t tensor_row_bytes(const struct tensor *t)
{
	if (t->slice)
		return tensor_row_used(t) ? t->slice * t->box[0] : t->slice;
	return t->box[0] * t->bits / 8;
}

uint32_t tensor_pitch(const struct tensor *t)
{
	return t->pad ? 128 : t->span && !t->slice ? t->span : tensor_row_bytes(t);
}

static void random_element(struct tensor *t, struct rng *rng, bool padded)
{
	static const uint32_t sizes[] = { 8, 16, 32, 64, 4 };

	t->bits = sizes[rng_below(rng, 5)];
	t->tf32 = t->bits == 32 && rng_percent(rng, 30);
	t->nan = t->bits != 4 && rng_percent(rng, 30);
	if (t->kind == WALKS_TILED || t->kind == WALKS_IM2COL)
		t->slice = t->rank >= 3 && rng_percent(rng, 35) ? 16u << rng_below(rng, 2) : 0;
	if (padded && !t->slice && rng_percent(rng, 20)) {
		t->pad = rng_percent(rng, 50) ? 4 : 6;
		t->bits = t->pad;
		t->nan = t->tf32 = false;
	}
}

static void random_row(struct tensor *t, struct rng *rng)
{
	static const uint32_t spans[] = { 0, 0, 32, 64, 128 };
	uint32_t grain = 128 / t->bits; /* elements of a chunk */
	uint32_t most;

	t->span = spans[rng_below(rng, 5)];
	if (t->kind == WALKS_W || t->kind == WALKS_W128)
		t->span = t->kind == WALKS_W && rng_percent(rng, 20) ? 96 : rng_percent(rng, 50) ? 64 : 128;
	t->flip = t->span == 128 && t->kind < WALKS_W && rng_percent(rng, 20);
	t->swizzle = rng_below(rng, 7);
	if (t->pad) {
		t->box[0] = 128;
		t->span = 128;
		t->dim[0] = 128 * (1 + (uint64_t)rng_below(rng, rng_percent(rng, 10) ? 1u << 25 : 5));
		return;
	}
	most = t->span && !t->slice ? t->span * 8 / t->bits : 256;
	if (most > 256)
		most = 256;
	t->box[0] = grain * (1 + rng_below(rng, most / grain));
	t->dim[0] = 1 + (uint64_t)rng_below(rng, rng_percent(rng, 10) ? UINT32_MAX : 2 * t->box[0]);
	if (rng_percent(rng, 30))
		t->dim[0] = t->box[0] * (1 + (uint64_t)rng_below(rng, 2));
	if (t->bits == 4)
		t->dim[0] += t->dim[0] & 1;
	if (rng_percent(rng, 2))
		t->dim[0] = UINT64_C(1) << 32;
}

static void random_box(struct tensor *t, struct rng *rng, uint32_t most)
{
	uint32_t i, n, left = t->slice ? most : MAX_BOX / (t->box[0] * t->bits / 8);

	if (left > most)
		left = most;
	for (i = 0; i < t->rank; i++) {
		t->es[i] = rng_percent(rng, 60) ? 1 : 1 + rng_below(rng, 8);
		if (i == 0 && !t->slice)
			continue;
		n = 1 + rng_below(rng, rng_percent(rng, 20) ? 256 : 6);
		if (n > left)
			n = left;
		if ((n - 1) * t->es[i] >= 256)
			n = 256 / t->es[i];
		t->box[i] = (n - 1) * t->es[i] + 1 + rng_below(rng, t->es[i]);
		if (t->box[i] > 256)
			t->box[i] = 256;
		if (i == 0)
			t->box[i] = (t->box[i] + 128 / t->bits - 1) / (128 / t->bits) * (128 / t->bits);
		left = left / n ? left / n : 1;
		t->dim[i] =
			1 + (uint64_t)rng_below(rng, rng_percent(rng, 10) ? UINT32_MAX : 2 * t->box[i] + 1);
	}
}

static void random_window(struct tensor *t, struct rng *rng)
{
	static const int32_t limits[] = { 32768, 128, 16 };
	uint32_t i, d, ns = t->kind == WALKS_IM2COL ? t->rank - 2 : 1;
	int32_t limit = t->kind == WALKS_IM2COL ? limits[ns - 1] : 32768;
	bool inner = rng_percent(rng, 50);

	for (i = 0; i < t->rank; i++) {
		t->es[i] = rng_percent(rng, 60) ? 1 : 1 + rng_below(rng, 8);
		if (i > 0 || t->slice)
			t->dim[i] = 1 + (uint64_t)rng_below(rng, rng_percent(rng, 5) ? UINT32_MAX : 12);
	}
	for (i = 0; i < ns; i++) {
		d = i + !t->slice;
		do {
			int32_t reach = rng_percent(rng, 5) ? limit : 6;

			t->lower[i] = (int32_t)rng_below(rng, (uint32_t)(2 * reach)) - reach;
			t->upper[i] = (int32_t)rng_below(rng, (uint32_t)(2 * reach)) - reach;
			if (inner) {
				t->lower[i] = t->lower[i] < 0 ? 0 : t->lower[i];
				t->upper[i] = t->upper[i] > 0 ? 0 : t->upper[i];
			}
		} while (t->lower[i] > (int64_t)t->dim[d] - 1 + t->upper[i]);
	}
	t->pixels = 1 + rng_below(rng, rng_percent(rng, 10) ? 1024 : 40);
	while (t->pixels > 1 && t->pixels * tensor_row_bytes(t) > MAX_BOX)
		t->pixels /= 2;
}

static void random_strides(struct tensor *t, struct rng *rng)
{
	uint32_t i, skip = t->rank;
	bool dense = rng_percent(rng, 40);
	uint64_t at = t->pad     ? t->pad * 16
	              : t->slice ? t->slice * (uint64_t)t->box[0]
	                         : t->box[0] * t->bits / 8;

	if (t->slice)
		skip = t->rank - 2;
	for (i = 0; i < t->rank; i++) {
		t->stride[i] = (rng_next(rng) >> (24 + rng_below(rng, 30))) & ~UINT64_C(31);
		if (dense && i > 0 && i != skip) {
			t->stride[i] = at;
			if (t->kind == WALKS_TILED) {
				at *= tensor_count(t, i);
				if (rng_percent(rng, 80)) {
					t->es[i] = 1;
					t->dim[i] = t->box[i];
				}
			}
		}
	}
	if (t->slice)
		t->stride[0] = t->slice;
	t->base = rng_next(rng) & ~UINT64_C(31);
}

/* Which levels may fold: their positions lie side by side, in the tensor as in shared memory. */
static void random_folds(struct tensor *t, struct rng *rng)
{
	uint32_t dims[4], i, n = tensor_levels(t, dims);
	uint64_t bytes = tensor_row_bytes(t);

	t->folds = 0;
	if (t->kind != WALKS_TILED || tensor_pitch(t) != bytes || t->pad || rng_percent(rng, 10))
		return;
	for (i = 0; i < n; i++) {
		if (t->es[dims[i]] != 1 || t->stride[dims[i]] != bytes)
			break;
		bytes *= t->box[dims[i]];
		if (bytes / CHUNK > 0xFFFF)
			break;
		t->folds = i + 1;
	}
}

/* Pixels of 16 to 128 bytes, neighbours along W in both memories, or nearly. */
static void random_dense(struct tensor *t, struct rng *rng)
{
	uint32_t bytes = 16u << rng_below(rng, 4), reach = 1 + rng_below(rng, 40);

	if (t->kind == WALKS_W)
		bytes = t->span;
	else if (t->span)
		t->span = bytes > 16 ? bytes : 0;
	t->flip = t->flip && t->span == 128;
	t->box[0] = bytes * 8 / t->bits;
	t->dim[0] = t->box[0];
	t->es[1] = 1;
	t->stride[1] = bytes;
	if (t->lower[0] >= -16)
		t->dim[1] += reach;
	switch (rng_below(rng, 16)) {
	case 0:
		t->dim[0] += 128 / t->bits;
		break;
	case 1:
		t->es[1] = 2;
		break;
	case 2:
		t->stride[1] += 32;
		break;
	case 3:
		t->span = t->span ? t->span : bytes == 128 ? 0 : 128;
		break;
	default:
		break;
	}
}

/* What a decoder makes of it. */
static bool makes_runs(const struct tensor *t)
{
	uint32_t bytes = tensor_row_bytes(t);

	return (t->kind == WALKS_IM2COL || t->kind == WALKS_W) && !t->slice && !t->pad &&
	       t->dim[0] == t->box[0] && t->es[1] == 1 && t->stride[1] == bytes && tensor_pitch(t) == bytes &&
	       (bytes == 16 || bytes == 32 || bytes == 64 || bytes == 128);
}

void tensor_random(struct tensor *t, struct rng *rng, uint32_t kind, uint32_t most, bool padded)
{
	memset(t, 0, sizeof(*t));
	t->kind = kind;
	t->rank = kind == WALKS_TILED ? 1 + rng_below(rng, 5) : 3 + rng_below(rng, 3);
	random_element(t, rng, padded);
	random_row(t, rng);
	if (kind == WALKS_TILED)
		random_box(t, rng, most);
	else
		random_window(t, rng);
	random_strides(t, rng);
	if ((kind == WALKS_IM2COL || kind == WALKS_W) && !t->slice && !t->pad && rng_percent(rng, 40))
		random_dense(t, rng);
	random_folds(t, rng);
	t->runs = makes_runs(t) && !rng_percent(rng, 5);
	t->promotion = rng_below(rng, 4);
}

void tensor_random_arithmetic(struct tensor *t, struct rng *rng)
{
	t->arith = rng_below(rng, TMA_TYPE_F64 + 1);
	t->ops = rng_below(rng, 256);
	/* Only of integers can there be words of bits. */
	if (t->arith > TMA_TYPE_U64)
		t->ops &= (1 << TMA_REDUCE_AND) - 1;
	t->flush = rng_percent(rng, 30);
}

static uint32_t log2_of(uint32_t n)
{
	return n > 1 ? 1 + log2_of(n / 2) : 0;
}

static void decode_level(const struct tensor *t, uint32_t d, struct walks_level *l)
{
	uint32_t s = d - !t->slice;
	bool wide = t->kind == WALKS_W || t->kind == WALKS_W128;

	l->used = 1;
	l->dim = (uint8_t)d;
	l->last = (uint32_t)(t->dim[d] - 1);
	l->stride = t->stride[d] / CHUNK;
	l->step = (uint8_t)(t->es[d] - 1);
	if (t->kind == WALKS_TILED) {
		l->count = (uint8_t)(tensor_count(t, d) - 1);
	} else if (d < t->rank - 1 && (!wide || d == 1)) {
		l->spatial = 1;
		l->lower = t->lower[s];
		l->upper = t->upper[s];
	} else {
		l->fixed = d < t->rank - 1;
	}
}

static void decode_totals(const struct tensor *t, struct walks_map_info *m)
{
	uint32_t dims[4], i, n = tensor_levels(t, dims), rows = 1;

	for (i = 0; i < n; i++)
		rows *= tensor_count(t, dims[i]);
	if (t->kind != WALKS_TILED)
		rows = t->kind == WALKS_W128 ? 128 : t->pixels;
	m->pitch = tensor_pitch(t) / CHUNK;
	m->row_bytes = tensor_row_bytes(t) & 0xFFF;
	m->bytes = rows * tensor_row_bytes(t);
	m->chunks = rows * m->pitch;
	m->pixels = t->pixels - (t->pixels > 0);
}

void tensor_decode(const struct tensor *t, struct walks_map_info *m)
{
	uint32_t dims[4], i, n = tensor_levels(t, dims);

	memset(m, 0, sizeof(*m));
	m->base = t->base / CHUNK;
	m->rank = (uint8_t)t->rank;
	m->kind = (uint8_t)t->kind;
	m->interleaved = t->slice != 0;
	m->promotion = (uint8_t)t->promotion;
	m->layout.swizzle = (uint8_t)t->swizzle;
	m->layout.nan = t->nan;
	m->layout.format = t->pad == 4   ? WALKS_PAD4
	                   : t->pad == 6 ? WALKS_PAD6
	                   : t->tf32     ? WALKS_TF32
	                                 : WALKS_PLAIN;
	m->row_used = tensor_row_used(t);
	m->half = !t->slice && t->bits == 4;
	m->unit = t->slice ? (uint8_t)log2_of(t->slice) : t->bits >= 8 ? (uint8_t)log2_of(t->bits / 8) : 0;
	m->row_last = (uint32_t)(t->dim[0] - 1);
	m->row_count = t->slice && !m->row_used ? 1 : t->box[0];
	m->row_chunks = tensor_row_bytes(t) / CHUNK;
	if (t->slice) {
		m->slice_used = 1;
		m->slice_dim = (uint8_t)(t->rank - 2);
		m->slice_last = (uint32_t)(t->dim[t->rank - 2] - 1);
		m->slice_stride = t->stride[t->rank - 2] / CHUNK;
	}
	for (i = 0; i < n; i++)
		decode_level(t, dims[i], &m->level[i]);
	decode_totals(t, m);
	for (i = 0; i < t->folds; i++) {
		m->fold[i] = 1;
		m->fold_chunks[i] = (i ? m->fold_chunks[i - 1] : m->row_chunks) * t->box[dims[i]];
	}
	m->one_row = t->kind == WALKS_TILED && t->box[1] == 1;
	m->runs = t->runs;
	m->storable = t->pad != 4 && !t->flip;
	m->ops = (uint8_t)t->ops;
	m->arith = (uint8_t)t->arith;
	m->flush = t->flush;
	m->window_inside = 1;
	for (i = 0; i < 3; i++)
		if (t->lower[i] < 0 || t->upper[i] > 0)
			m->window_inside = 0;
}
