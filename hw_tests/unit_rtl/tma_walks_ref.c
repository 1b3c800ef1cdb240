/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules and rows of tensor copies by the formulas of the semantics, pixel by pixel.
 *
 * A unit is a row along dimension 0, or one slice of an interleaved map. Rows are single units, or
 * units that lie side by side, merged: those of a tile that folds, or pixels to the end of the window along W.
 */
#include <stdlib.h>
#include <string.h>

#include "tma_abi.h"
#include "tma_tables.h"
#include "unit_rtl/tma_walks_ref.h"

enum { TILE, IM2COL, NO_OFFS, GATHER, SCATTER, W, W128, MAP_ONLY };

struct walker {
	const struct tensor *t;
	const struct walks_setup_cmd *c;
	bool granule16;
	struct ref *ref;
	uint32_t saddr;
	struct ref_row run; /* pixels that are merged, and how many */
	uint32_t pixels;
};

static bool is_list(const struct walks_setup_cmd *c)
{
	return c->op.mode == GATHER || c->op.mode == SCATTER;
}

static bool is_wide(const struct tensor *t)
{
	return t->kind == WALKS_W || t->kind == WALKS_W128;
}

static int64_t coord(const struct walks_setup_cmd *c, uint32_t i)
{
	return (int32_t)c->op.coord[i];
}

static uint32_t chunks_of(uint32_t bytes)
{
	return (bytes + CHUNK - 1) / CHUNK;
}

/*
 * Rules.
 */

static bool set(struct ref *ref, uint16_t fault, uint64_t addr)
{
	ref->fault = fault;
	ref->fault_addr = addr;
	return true;
}

static bool kind_fits(const struct tensor *t, const struct walks_setup_cmd *c)
{
	static const uint32_t kinds[] = { WALKS_TILED, WALKS_IM2COL, WALKS_IM2COL, WALKS_TILED,
		                          WALKS_TILED, WALKS_W,      WALKS_W128 };

	return t->kind == kinds[c->op.mode];
}

static bool rule_window(const struct tensor *t, const struct walks_setup_cmd *c, struct ref *ref)
{
	uint32_t i, d, ns = t->kind == WALKS_IM2COL ? t->rank - 2 : 1;

	for (i = 0; i < ns; i++) {
		d = i + !t->slice;
		if (coord(c, d) > (int64_t)t->dim[d] - 1 + t->upper[i] ||
		    (!is_wide(t) && coord(c, d) < t->lower[i]))
			return set(ref, TMA_FAULT_IM2COL_START, c->op.coord[d]);
	}
	return false;
}

static bool rule_offsets(const struct tensor *t, const struct walks_setup_cmd *c, struct ref *ref)
{
	static const uint32_t limits[] = { 65536, 256, 32 };

	if (c->op.mode == IM2COL)
		for (uint32_t i = 0; i < t->rank - 2; i++)
			if (c->im2col[i] >= limits[t->rank - 3])
				return set(ref, TMA_FAULT_IM2COL_OFFSETS, c->im2col[i]);
	if (is_wide(t)) {
		if (c->im2col[0] >= (t->kind == WALKS_W ? 512 : 32))
			return set(ref, TMA_FAULT_IM2COL_OFFSETS, c->im2col[0]);
		if (c->im2col[1] >= 32)
			return set(ref, TMA_FAULT_IM2COL_OFFSETS, c->im2col[1]);
	}
	return false;
}

static uint32_t rows_of(const struct tensor *t, const struct walks_setup_cmd *c)
{
	uint32_t dims[4], i, n = tensor_levels(t, dims), rows = 1;

	if (is_list(c))
		return 4;
	if (t->kind == WALKS_W128)
		return 128 + 4 * c->im2col[0];
	if (t->kind != WALKS_TILED)
		return t->pixels + (t->kind == WALKS_W ? c->im2col[0] : 0);
	for (i = 0; i < n; i++)
		rows *= tensor_count(t, dims[i]);
	return rows;
}

static bool rules(const struct tensor *t, const struct walks_setup_cmd *c, uint32_t smem, struct ref *ref)
{
	uint32_t i, span = t->slice || !t->span ? CHUNK : t->span == 96 ? 32 : t->span;
	uint64_t bytes;
	bool inner = true;

	if (c->op.dim != t->rank)
		return set(ref, TMA_FAULT_TENSOR_RANK, c->op.dim);
	if (!kind_fits(t, c))
		return set(ref, TMA_FAULT_TENSOR_KIND, c->op.mode);
	if (is_list(c) && t->box[1] != 1)
		return set(ref, TMA_FAULT_TENSOR_GATHER, c->op.mode);
	for (i = 0; i < 3; i++)
		inner = inner && t->lower[i] >= 0 && t->upper[i] <= 0;
	if (c->store && (t->pad == 4 || t->flip || (c->op.mode == NO_OFFS && !inner)))
		return set(ref, TMA_FAULT_TENSOR_STORE, c->map_addr);
	if (!t->slice && coord(c, 0) * t->bits % (t->pad ? 128 * t->pad : 128))
		return set(ref, TMA_FAULT_MISALIGNED_BOX, c->op.coord[0]);
	for (i = 0; c->store && i < 5; i++)
		if (coord(c, i) < 0)
			return set(ref, TMA_FAULT_NEGATIVE_COORDINATE, c->op.coord[i]);
	if (t->kind != WALKS_TILED && rule_window(t, c, ref))
		return true;
	if (rule_offsets(t, c, ref))
		return true;
	bytes = (uint64_t)rows_of(t, c) * tensor_pitch(t);
	bytes = (bytes + span - 1) / span * span;
	if ((c->store || c->client == WALKS_LOAD) && (c->operand & 0xFFFFFF) + bytes > smem)
		return set(ref, TMA_FAULT_TENSOR_RANGE, c->operand);
	if (c->reduce && !(t->ops >> c->reduce_op & 1))
		return set(ref, TMA_FAULT_TENSOR_REDUCE, c->reduce_op);
	return false;
}

/*
 * Rows.
 */

/* The unit whose first element is at `at`; true in `in` the dimensions besides 0, and slices. */
static struct ref_row unit(const struct walker *w, const int64_t *at)
{
	const struct tensor *t = w->t;
	uint32_t i, total = t->pad ? 8 : chunks_of(t->slice ? t->slice : t->box[0] * t->bits / 8);
	struct ref_row row = { 0 };
	int64_t first = -1, end = 0, e;
	uint64_t gaddr = t->base;
	bool in = true;

	for (i = t->slice ? 0 : 1; i < t->rank; i++) {
		in = in && at[i] >= 0 && at[i] < (int64_t)t->dim[i];
		gaddr += (uint64_t)at[i] * t->stride[i];
	}
	if (t->slice) {
		first = 0;
		end = 1;
	} else {
		/* Elements of the row that are inside: first..end-1. */
		for (e = 0; e < t->box[0]; e++) {
			if (at[0] + e < 0 || at[0] + e >= (int64_t)t->dim[0])
				continue;
			first = first < 0 ? e : first;
			end = e + 1;
		}
	}
	row.head = total;
	if (!in || first < 0)
		return row;
	row.head = 0;
	row.gaddr = gaddr;
	row.chunks = t->slice ? t->slice / CHUNK : t->box[0] * t->bits / 8 / CHUNK;
	if (t->slice)
		return row;
	row.gaddr += (uint64_t)((at[0] + first) * t->bits / 8);
	if (t->pad)
		return row;
	row.head = (uint32_t)first * t->bits / 128;
	row.chunks = chunks_of((uint32_t)end * t->bits / 8) - row.head;
	row.odd = (uint32_t)end * t->bits / 8 % CHUNK;
	row.tail = total - row.head - row.chunks;
	return row;
}

/* Puts a unit behind a row. Data has to be contiguous, in both memories. */
static void merge(struct ref_row *row, const struct ref_row *u)
{
	if (!row->chunks && !u->chunks) {
		row->head += u->head;
	} else if (!row->chunks) {
		row->gaddr = u->gaddr;
		row->head += u->head;
		row->chunks = u->chunks;
		row->odd = u->odd;
		row->tail = u->tail;
	} else if (!u->chunks) {
		row->tail += u->head;
	} else {
		if (row->odd || row->tail || u->head || u->gaddr != row->gaddr + row->chunks * CHUNK)
			abort();
		row->chunks += u->chunks;
		row->odd = u->odd;
		row->tail = u->tail;
	}
}

/* A row of so many units, `step` along dimension `dim` apart from each other: whole units of a fold. */
static void add_row(struct walker *w, const struct ref_row *whole)
{
	struct ref_row row = *whole;

	row.saddr = w->saddr;
	if (w->c->store || w->c->client != WALKS_LOAD)
		row.head = row.tail = 0;
	if (w->c->store && w->granule16)
		row.odd = 0;
	w->ref->rows[w->ref->count++] = row;
}

static void add_unit(struct walker *w, const int64_t *at)
{
	struct ref_row row = unit(w, at);

	add_row(w, &row);
	w->saddr += tensor_pitch(w->t) / CHUNK;
}

/* One pixel more; `wraps`: the next one is not its neighbour. */
static void add_pixel(struct walker *w, const int64_t *at, bool wraps)
{
	struct ref_row row = unit(w, at);

	merge(&w->run, &row);
	w->pixels++;
	if (!wraps && w->t->runs && at[0] == 0)
		return;
	add_row(w, &w->run);
	w->saddr += w->pixels * tensor_pitch(w->t) / CHUNK;
	w->pixels = 0;
	memset(&w->run, 0, sizeof(w->run));
}

static bool fits(const struct tensor *t, const struct walks_setup_cmd *c, uint32_t d)
{
	int64_t last = coord(c, d) + (int64_t)(tensor_count(t, d) - 1) * t->es[d];

	if (d == 0 && !t->slice)
		last = coord(c, 0) + t->box[0] - 1;
	return coord(c, d) >= 0 && last < (int64_t)t->dim[d];
}

static void tile(struct walker *w)
{
	uint32_t dims[5], n = 0, i, levels[4], count = tensor_levels(w->t, levels), merged = 1, k, units = 1,
			  q;
	const struct tensor *t = w->t;
	struct ref_row row = { 0 };
	int64_t at[5] = { 0 };
	uint32_t folds = 0;

	/* Loops over units: that of slices along dimension 0 makes a row, like the levels that fold. */
	if (t->slice && tensor_row_used(t)) {
		dims[n++] = 0;
		merged = tensor_count(t, 0);
	}
	while (folds < t->folds && (!tensor_row_used(t) || fits(t, w->c, 0)) &&
	       (!t->slice ||
	        (coord(w->c, t->rank - 2) >= 0 && coord(w->c, t->rank - 2) < (int64_t)t->dim[t->rank - 2])) &&
	       fits(t, w->c, levels[folds]))
		merged *= tensor_count(t, levels[folds++]);
	for (i = 0; i < count; i++)
		dims[n++] = levels[i];
	for (i = 0; i < n; i++)
		units *= tensor_count(t, dims[i]);
	for (k = 0; k < units; k++) {
		struct ref_row u;

		for (i = 0; i < t->rank; i++)
			at[i] = coord(w->c, i);
		for (i = 0, q = k; i < n; q /= tensor_count(t, dims[i]), i++)
			at[dims[i]] += (int64_t)(q % tensor_count(t, dims[i])) * t->es[dims[i]];
		u = unit(w, at);
		if (k % merged == 0)
			memset(&row, 0, sizeof(row));
		merge(&row, &u);
		if (k % merged != merged - 1)
			continue;
		add_row(w, &row);
		w->saddr += merged == 1 ? tensor_pitch(t) / CHUNK
		            : t->slice  ? merged * t->slice / CHUNK
		                        : merged * tensor_row_bytes(t) / CHUNK;
	}
}

static void list(struct walker *w)
{
	int64_t at[5] = { coord(w->c, 0) };

	for (uint32_t i = 0; i < 4; i++) {
		at[1] = coord(w->c, 1 + i);
		add_unit(w, at);
	}
}

static void im2col(struct walker *w)
{
	const struct tensor *t = w->t;
	uint32_t i, d, p, ns = t->rank - 2, s0 = !t->slice, n = t->rank - 1;
	int64_t pos[5] = { 0 }, at[5] = { 0 };

	for (i = 0; i < t->rank; i++)
		pos[i] = coord(w->c, i);
	for (p = 0; p < t->pixels; p++) {
		memcpy(at, pos, sizeof(at));
		for (i = 0; i < ns; i++)
			at[s0 + i] += w->c->op.mode == NO_OFFS ? 0 : w->c->im2col[i];
		for (i = 0; i < ns; i++) {
			d = s0 + i;
			pos[d] += t->es[d];
			if (pos[d] <= (int64_t)t->dim[d] - 1 + t->upper[i])
				break;
			pos[d] = t->lower[i];
		}
		if (i == ns)
			pos[n] += t->es[n];
		add_pixel(w, at, i > 0 || p == t->pixels - 1);
	}
}

static void wide(struct walker *w)
{
	const struct tensor *t = w->t;
	uint32_t p, k, n = t->rank - 1, offset = w->c->im2col[1], halo = w->c->im2col[0], first = w->saddr;
	uint32_t pixels = t->kind == WALKS_W128 ? 128 : t->pixels + halo;
	int64_t pos[5], low = t->lower[0] + (int64_t)offset;
	int64_t high = (int64_t)t->dim[1] - 1 + t->upper[0] + offset;

	for (k = 0; k < 5; k++)
		pos[k] = coord(w->c, k);
	pos[1] += offset;
	for (p = 0; p < pixels || (t->kind == WALKS_W128 && p < 128 + halo); p++) {
		if (t->kind == WALKS_W128)
			w->saddr = first + p * tensor_pitch(t) / CHUNK;
		if (p < pixels)
			add_pixel(w, pos, pos[1] + t->es[1] > high || p == pixels - 1);
		/* Halo pixel p % 32 of the segment before. */
		if (t->kind == WALKS_W128 && p >= 32 && p % 32 < halo) {
			w->saddr = first + (128 + 4 * (p % 32) + p / 32 - 1) * (tensor_pitch(t) / CHUNK);
			add_unit(w, pos);
		}
		pos[1] += t->es[1];
		if (pos[1] > high) {
			pos[1] = low;
			pos[n]++;
		}
	}
}

/* Along one dimension all that the copy may come to lies on one side of the tensor. */
static bool outside(const struct tensor *t, const struct walks_setup_cmd *c)
{
	uint32_t s0 = !t->slice, ns = t->kind == WALKS_TILED ? 0 : is_wide(t) ? 1 : t->rank - 2;

	for (uint32_t d = 0; d < (is_list(c) ? 1 : t->rank); d++) {
		int64_t low = coord(c, d), high = low, last = (int64_t)t->dim[d] - 1;

		if (d == 0 && !t->slice) {
			high += t->box[0] - 1;
		} else if (d - s0 < ns) {
			int64_t offset = c->op.mode == NO_OFFS ? 0 : c->im2col[is_wide(t) ? 1 : d - s0];

			low = (low < t->lower[d - s0] ? low : t->lower[d - s0]) + offset;
			high = last + t->upper[d - s0] + offset;
		} else if (t->kind != WALKS_TILED && d == t->rank - 1) {
			high = INT64_MAX;
		} else if (t->kind == WALKS_TILED && !(t->slice && d == t->rank - 2)) {
			high += (int64_t)(tensor_count(t, d) - 1) * t->es[d];
		}
		if (low > last || high < 0)
			return true;
	}
	return false;
}

void ref_copy(const struct tensor *t, const struct walks_setup_cmd *c, bool granule16, uint32_t smem,
              struct ref *ref)
{
	struct walker w = {
		.t = t, .c = c, .granule16 = granule16, .ref = ref, .saddr = (c->operand & 0xFFFFFF) / CHUNK
	};
	bool failed;

	ref->fault = c->fault;
	ref->fault_addr = c->fault_addr;
	ref->count = 0;
	ref->bytes = 0;
	ref->outside = false;
	failed = c->fault || (c->op.mode != MAP_ONLY && rules(t, c, smem, ref));
	if (!failed && c->op.mode != MAP_ONLY && (c->store || c->client != WALKS_LOAD))
		ref->outside = outside(t, c);
	if (failed || c->op.mode == MAP_ONLY || ref->outside) {
		memset(ref->rows, 0, sizeof(*ref->rows));
		ref->rows[0].gaddr = ref->fault_addr;
		ref->rows[0].none = 1;
		ref->count = 1;
	} else {
		ref->bytes = rows_of(t, c) * tensor_row_bytes(t);
		if (is_list(c))
			list(&w);
		else if (t->kind == WALKS_TILED)
			tile(&w);
		else if (t->kind == WALKS_IM2COL)
			im2col(&w);
		else
			wide(&w);
	}
	ref->rows[0].first = 1;
	ref->rows[ref->count - 1].last = 1;
}
