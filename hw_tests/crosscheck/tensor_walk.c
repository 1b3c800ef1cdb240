/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a tensor copy, one after the other, as docs/semantics.md 2.3, 2.5, 2.8, 2.10 and 2.12 have
 * them: which bytes of memory they touch. */
#include <stdlib.h>
#include <string.h>

#include "crosscheck/tensor.h"
#include "lib/must.h"

#define CHUNK       16u
#define PADDED_ROW  128u
#define W_SEGMENTS  4u
#define W_PIXELS    32u
#define GATHER_ROWS 4u

struct walk {
	const struct tensor *t;
	const struct tma_command *cmd;
	uint64_t base;
	uint32_t rows;
	tensor_row_fn *visit;
	void *arg;
};

/* A copy that is measured. */
struct measure {
	uint64_t bytes; /* of the memory */
	uint8_t *seen;  /* its chunks */
	struct tensor_span span;
};

static void touch(void *arg, uint64_t at, uint64_t bytes)
{
	struct measure *w = arg;

	w->span.inside += bytes;
	if (at >= w->bytes || bytes > w->bytes - at) {
		w->span.fits = false;
		return;
	}
	if (at < w->span.first)
		w->span.first = at;
	if (at + bytes - 1 > w->span.last)
		w->span.last = at + bytes - 1;
	for (uint64_t c = at / CHUNK; c <= (at + bytes - 1) / CHUNK; c++) {
		w->span.twice |= w->seen[c];
		w->seen[c] = 1;
	}
}

/* One row that starts at these coordinates. */
static void row(struct walk *w, const int64_t c[MAX_RANK])
{
	const struct tensor *t = w->t;
	uint64_t address = t->address;
	int64_t from = c[0], to = c[0] + t->box[0];
	uint32_t bits = tensor_element_bits(t);

	w->rows++;
	for (uint32_t i = t->interleave ? 0 : 1; i < t->rank; i++) {
		if (c[i] < 0 || (uint64_t)c[i] >= t->dim[i])
			return;
		address += (uint64_t)c[i] * t->stride[i];
	}
	if (t->interleave) {
		w->visit(w->arg, address - w->base, tensor_slice(t));
		return;
	}
	if (from < 0)
		from = 0;
	if (to > (int64_t)t->dim[0])
		to = (int64_t)t->dim[0];
	if (from < to)
		w->visit(w->arg, address - w->base + (uint64_t)from * bits / 8,
		         (uint64_t)(to - from) * bits / 8);
}

static void start(const struct walk *w, int64_t c[MAX_RANK])
{
	for (uint32_t i = 0; i < MAX_RANK; i++)
		c[i] = i < w->t->rank ? w->cmd->coord[i] : 0;
}

/* Dimension i and those below it that step: slowest outermost. */
static void tile(struct walk *w, int64_t c[MAX_RANK], uint32_t i)
{
	const struct tensor *t = w->t;
	bool stands = t->interleave ? i == t->rank - 2 : !i;
	uint32_t n = stands ? 1 : tensor_count(t, i);
	int64_t first = c[i];

	for (uint32_t j = 0; j < n; j++) {
		if (i)
			tile(w, c, i - 1);
		else
			row(w, c);
		c[i] += t->step[i];
	}
	c[i] = first;
}

static void gather(struct walk *w)
{
	for (uint32_t j = 0; j < GATHER_ROWS; j++)
		row(w, (int64_t[MAX_RANK]){ w->cmd->coord[0], w->cmd->coord[1 + j] });
}

/* The next pixel: W first, then H, D, and the image. */
static void next_pixel(const struct tensor *t, int64_t c[MAX_RANK], uint32_t image_step)
{
	uint32_t first = tensor_first_spatial(t);

	for (uint32_t s = 0; s < tensor_spatial(t); s++) {
		c[first + s] += t->step[first + s];
		if (c[first + s] <= (int64_t)t->dim[first + s] - 1 + t->upper[s])
			return;
		c[first + s] = t->lower[s];
	}
	c[t->rank - 1] += image_step;
}

static void im2col(struct walk *w)
{
	const struct tensor *t = w->t;
	uint32_t first = tensor_first_spatial(t);
	int64_t c[MAX_RANK];

	start(w, c);
	for (uint32_t p = 0; p < t->pixels; p++) {
		int64_t at[MAX_RANK];

		for (uint32_t i = 0; i < MAX_RANK; i++)
			at[i] = c[i];
		for (uint32_t s = 0; s < tensor_spatial(t); s++)
			at[first + s] += w->cmd->im2col[s];
		row(w, at);
		next_pixel(t, c, t->step[t->rank - 1]);
	}
}

/* Segments one after the other, each with its halo: not the order of shared memory. */
static void wide(struct walk *w)
{
	const struct tensor *t = w->t;
	bool whole = w->cmd->mode == TMA_MODE_IM2COL_W;
	uint32_t segments = whole ? 1 : W_SEGMENTS, pixels = whole ? t->pixels : W_PIXELS;
	int64_t next[MAX_RANK], c[MAX_RANK];

	start(w, next);
	for (uint32_t s = 0; s < segments; s++) {
		memcpy(c, next, sizeof(c));
		for (uint32_t p = 0; p < pixels + w->cmd->im2col[0]; p++) {
			int64_t at[MAX_RANK];

			memcpy(at, c, sizeof(at));
			at[1] += w->cmd->im2col[1];
			row(w, at);
			next_pixel(t, c, 1);
			if (p + 1 == pixels)
				memcpy(next, c, sizeof(next));
		}
	}
}

uint32_t tensor_tx(const struct tensor *t, const struct tma_command *cmd)
{
	uint32_t bits = tensor_element_bits(t), n = 1;

	switch (cmd->mode) {
	case TMA_MODE_TILE:
		for (uint32_t i = 0; i < t->rank; i++)
			n *= t->interleave && i == t->rank - 2 ? 1 : tensor_count(t, i);
		return t->interleave ? n * tensor_slice(t) : n * bits / 8;
	case TMA_MODE_GATHER4:
		return 4 * t->box[0] * bits / 8;
	case TMA_MODE_IM2COL_W:
		return bits * t->box[0] / 8 * (t->pixels + cmd->im2col[0]);
	case TMA_MODE_IM2COL_W_128:
		return bits * t->box[0] / 8 * (128 + 4u * cmd->im2col[0]);
	default:
		return (t->interleave ? tensor_slice(t) : bits * t->box[0] / 8) * t->pixels;
	}
}

/* Rows of shared memory: as long as they are, or a whole span where they are swizzled. */
static void shared_side(const struct tensor *t, struct tensor_span *s)
{
	uint32_t span = t->swizzle ? 16u << t->swizzle : t->swizzle96 ? 32 : 16;

	if (t->interleave)
		s->pitch = tensor_slice(t);
	else if (t->swizzle)
		s->pitch = span;
	else if (t->swizzle96)
		s->pitch = 96;
	else
		s->pitch = tensor_padded(t) ? PADDED_ROW : t->box[0] * tensor_element_bits(t) / 8;
	s->shared = (s->rows * s->pitch + span - 1) / span * span;
}

uint32_t tensor_rows(const struct tensor *t, const struct tma_command *cmd, uint64_t base,
                     tensor_row_fn *visit, void *arg)
{
	struct walk w = { .t = t, .cmd = cmd, .base = base, .visit = visit, .arg = arg };
	int64_t c[MAX_RANK];

	start(&w, c);
	if (cmd->mode == TMA_MODE_TILE)
		tile(&w, c, t->rank - 1);
	else if (cmd->mode == TMA_MODE_GATHER4 || cmd->mode == TMA_MODE_SCATTER4)
		gather(&w);
	else if (cmd->mode == TMA_MODE_IM2COL_W || cmd->mode == TMA_MODE_IM2COL_W_128)
		wide(&w);
	else
		im2col(&w);
	return w.rows;
}

struct tensor_span tensor_measure(const struct tensor *t, const struct tma_command *cmd, uint64_t base,
                                  uint64_t bytes)
{
	struct measure m = { .bytes = bytes };

	m.seen = must(calloc(1, bytes / CHUNK + 1));
	m.span.fits = true;
	m.span.first = UINT64_MAX;
	m.span.rows = tensor_rows(t, cmd, base, touch, &m);
	shared_side(t, &m.span);
	m.span.tx = tensor_tx(t, cmd);
	free(m.seen);
	return m.span;
}
