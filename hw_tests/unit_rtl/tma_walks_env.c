/* SPDX-License-Identifier: Apache-2.0 */
/* Random tensor commands, and what is checked in every cycle. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_walks_env.h"

void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, walks, seed);
	b->info = unit_shape();
	for (uint32_t d = 0; d < 2; d++)
		for (uint32_t i = 0; i < FLIGHT; i++)
			b->flight[d][i].ref.rows = malloc(MAX_ROWS * sizeof(struct ref_row));
	walks_start(b->unit);
	b->modes = (1u << MODES) - 1;
	b->ready = 100;
	b->most = 60;
}

void bench_close(struct bench *b)
{
	for (uint32_t d = 0; d < 2; d++)
		for (uint32_t i = 0; i < FLIGHT; i++)
			free(b->flight[d][i].ref.rows);
	walks_close(b->unit);
}

/*
 * Commands.
 */

static uint32_t kind_of(uint32_t mode)
{
	return mode == IM2COL || mode == NO_OFFS ? WALKS_IM2COL
	       : mode == W                       ? WALKS_W
	       : mode == W128                    ? WALKS_W128
	                                         : WALKS_TILED;
}

/* A coordinate near the tensor or at the ends of the range. */
static uint32_t random_coord(struct bench *b, uint64_t dim, uint32_t box, bool negative)
{
	static const uint32_t ends[] = { 0x7FFFFFFF, 0x80000000, 0x7FFFFF00, 0x80000100 };
	int64_t c;

	if (rng_percent(&b->rng, 3))
		return ends[rng_below(&b->rng, negative ? 4 : 1)] & (negative ? UINT32_MAX : INT32_MAX);
	if (rng_percent(&b->rng, 40))
		return 0;
	c = (int64_t)((rng_next(&b->rng) >> 16) % (dim + 2 * box)) - box;
	if (c < 0 && !negative)
		c = 0;
	return (uint32_t)c;
}

static void random_window_start(struct bench *b, const struct tensor *t, struct walks_setup_cmd *c)
{
	uint32_t i, d, ns = t->kind == WALKS_IM2COL ? t->rank - 2 : 1;

	for (i = 0; i < ns; i++) {
		int64_t low = t->lower[i], high;

		d = i + !t->slice;
		high = (int64_t)t->dim[d] - 1 + t->upper[i];
		if (c->store && low < 0)
			low = 0;
		if (t->kind != WALKS_IM2COL)
			low -= 5;
		if (high >= low)
			c->op.coord[d] = (uint32_t)(low + (int64_t)((rng_next(&b->rng) >> 8) %
			                                            (uint64_t)(high - low + 1)));
	}
}

static void random_operands(struct bench *b, const struct tensor *t, struct walks_setup_cmd *c)
{
	static const uint32_t limits[] = { 65536, 256, 32 };
	uint32_t i, grain = t->pad ? 128 : 128 / t->bits;

	for (i = 0; i < t->rank; i++)
		c->op.coord[i] = random_coord(b, t->dim[i], i < 5 && t->box[i] ? t->box[i] : 3, !c->store);
	if (!t->slice)
		c->op.coord[0] &= ~(grain - 1);
	if (c->op.mode == GATHER || c->op.mode == SCATTER)
		for (i = 1; i < 5; i++)
			c->op.coord[i] = random_coord(b, t->dim[1], 3, !c->store);
	if (t->kind != WALKS_TILED)
		random_window_start(b, t, c);
	if (c->op.mode == IM2COL && t->kind == WALKS_IM2COL)
		for (i = 0; i < t->rank - 2; i++)
			c->im2col[i] = (uint16_t)rng_below(
				&b->rng, rng_percent(&b->rng, 80) ? 8 : limits[t->rank - 3]);
	if (t->kind == WALKS_W || t->kind == WALKS_W128) {
		c->im2col[0] = (uint16_t)rng_below(&b->rng, rng_percent(&b->rng, 50) ? 4
		                                            : t->kind == WALKS_W     ? 512
		                                                                     : 32);
		c->im2col[1] = (uint16_t)rng_below(&b->rng, rng_percent(&b->rng, 50) ? 3 : 32);
	}
	c->operand = rng_below(&b->rng, b->info->smem_bytes / 128) * 128;
	if (rng_percent(&b->rng, 70))
		c->operand = 0;
	c->operand |= rng_below(&b->rng, b->info->ctas) << 24;
}

static void random_item(struct bench *b, struct walks_setup_cmd *c)
{
	struct walks_signal *s = &c->signal;

	s->origin.qid = (uint8_t)rng_below(&b->rng, b->info->queues);
	s->origin.seq = (uint16_t)rng_next(&b->rng);
	s->origin.tag = (uint32_t)rng_next(&b->rng);
	c->hint =
		(struct walks_hint){ (uint8_t)rng_below(&b->rng, 16), 0, 0, (uint8_t)rng_below(&b->rng, 16) };
	c->map_addr = rng_next(&b->rng) & ~UINT64_C(63);
	if (c->store) {
		c->cta = (uint8_t)rng_below(&b->rng, b->info->ctas);
		return;
	}
	c->dst = (uint16_t)(1 + rng_below(&b->rng, (1u << b->info->ctas) - 1));
	s->ctas = c->dst;
	s->again = s->ctas & (uint16_t)rng_next(&b->rng);
	s->barrier = rng_below(&b->rng, b->info->smem_bytes / 8);
	s->bytes = rng_below(&b->rng, 1u << 20);
}

/* Breaks one thing, or several, so that the order of rules shows. */
static void random_wrong(struct bench *b, const struct tensor *t, struct walks_setup_cmd *c)
{
	uint32_t times = 1 + rng_below(&b->rng, 2), i;

	while (times--) {
		i = rng_below(&b->rng, 5);
		switch (rng_below(&b->rng, 8)) {
		case 0:
			c->op.dim = (uint8_t)(1 + rng_below(&b->rng, 5));
			break;
		case 1:
			c->op.coord[i] ^= 1;
			break;
		case 2:
			c->op.coord[i] |= 1u << 31;
			break;
		case 3:
			c->im2col[i % 3] = (uint16_t)(rng_next(&b->rng) >> rng_below(&b->rng, 12));
			break;
		case 4:
			c->operand = (uint32_t)(rng_next(&b->rng) & 0xFFFF80);
			break;
		case 5:
			c->operand = (b->info->smem_bytes - 128 * (1 + rng_below(&b->rng, 40))) & 0xFFFFFF80;
			break;
		case 6:
			c->op.coord[i] += (uint32_t)t->dim[i % t->rank];
			break;
		default:
			c->op.coord[i] = (uint32_t)rng_next(&b->rng);
			break;
		}
	}
}

/* The command alone keeps its rules. */
static void make_legal(struct walks_setup_cmd *c)
{
	bool list = c->op.mode == GATHER || c->op.mode == SCATTER;
	uint32_t i, offsets = c->op.mode == W || c->op.mode == W128 ? 2 : 0;

	if (list)
		c->op.dim = 2;
	else if (c->op.mode != TILE && c->op.dim < 3)
		c->op.dim = 3;
	if (c->op.mode == IM2COL)
		offsets = c->op.dim - 2u;
	for (i = offsets; i < 3; i++)
		c->im2col[i] = 0;
	for (i = list ? 5 : c->op.dim; i < 5; i++)
		c->op.coord[i] = 0;
}

/* Some stores are reductions; without something wrong, of an operator that the map takes. */
static void random_reduction(struct bench *b, struct tensor *t, struct walks_setup_cmd *c, bool wrong)
{
	if (!b->info->reductions)
		return;
	tensor_random_arithmetic(t, &b->rng);
	if (!c->store || !rng_percent(&b->rng, 50) || (!wrong && !t->ops))
		return;
	c->reduce = 1;
	do
		c->reduce_op = (uint8_t)rng_below(&b->rng, 8);
	while (!wrong && !(t->ops >> c->reduce_op & 1));
}

/* Of a level that is not used the decoder says anything. */
static void junk_levels(struct bench *b, struct walks_map_info *m)
{
	for (uint32_t i = 0; i < WALKS_LEVELS; i++) {
		struct walks_level *l = &m->level[i];

		if (l->used)
			continue;
		l->last = (uint32_t)rng_next(&b->rng);
		l->stride = rng_next(&b->rng) >> 28;
		l->step = (uint8_t)rng_below(&b->rng, 8);
		l->count = (uint8_t)rng_below(&b->rng, 256);
	}
}

void bench_random_command(struct bench *b)
{
	struct walks_setup_cmd *c = &b->in->cmd;
	struct tensor *t = &b->tensor;
	bool wrong = rng_percent(&b->rng, b->wrong);

	memset(c, 0, sizeof(*c));
	do
		c->op.mode = (uint8_t)rng_below(&b->rng, MODES);
	while (!(b->modes >> c->op.mode & 1));
	c->store = c->op.mode == NO_OFFS || c->op.mode == SCATTER ||
	           (c->op.mode == TILE && rng_percent(&b->rng, 40));
	c->client = !c->store && (c->op.mode == MAP_ONLY || rng_percent(&b->rng, 15)) ? WALKS_PREFETCH
	                                                                              : WALKS_LOAD;
	do {
		uint32_t kind = kind_of(c->op.mode);

		if (wrong && rng_percent(&b->rng, 15))
			kind = rng_below(&b->rng, 4);
		tensor_random(t, &b->rng, kind, rng_percent(&b->rng, 3) ? 2000 : b->most, b->info->packed);
		if ((c->op.mode == GATHER || c->op.mode == SCATTER) && kind == WALKS_TILED &&
		    (!wrong || t->rank == 1)) {
			t->rank = 2;
			t->slice = 0;
			t->folds = 0;
			t->box[1] = wrong && rng_percent(&b->rng, 30) ? 2 : 1;
			t->es[1] = 1 + rng_below(&b->rng, 8);
			t->box[0] = 128 / t->bits * (1 + rng_below(&b->rng, 2));
			if (t->pad)
				t->box[0] = 128;
			t->stride[1] = (rng_next(&b->rng) >> 26) & ~UINT64_C(31);
			t->dim[1] = 1 + rng_below(&b->rng, 9);
		}
	} while (!wrong && ((c->store && (t->pad || t->flip)) || (c->op.mode == NO_OFFS && t->lower[0] < 0)));
	if (b->info->data_bytes == 16)
		t->runs = false;
	c->op.dim = (uint8_t)t->rank;
	random_reduction(b, t, c, wrong);
	random_operands(b, t, c);
	random_item(b, c);
	if (wrong)
		random_wrong(b, t, c);
	make_legal(c);
	if (c->op.mode == MAP_ONLY)
		memset(c->op.coord, 0, sizeof(c->op.coord));
	if (rng_percent(&b->rng, b->wrong / 8)) {
		c->fault = TMA_FAULT_MAP_WINDOW;
		c->fault_addr = rng_next(&b->rng);
	}
	tensor_decode(t, &b->in->info);
	junk_levels(b, &b->in->info);
}

/*
 * A cycle.
 */

static uint32_t kind_of_operands(uint32_t op, uint32_t type)
{
	if (op != TMA_REDUCE_AND && op != TMA_REDUCE_OR && op != TMA_REDUCE_XOR)
		return type;
	return type == TMA_TYPE_U64 ? TMA_TYPE_B64 : TMA_TYPE_B32;
}

static void check_reduction(const struct flight *f, const struct walks_walk_item *i)
{
	const struct walks_setup_cmd *c = &f->cmd;

	assert_int_equal(i->reduce, c->reduce);
	assert_int_equal(i->how.op, c->reduce ? c->reduce_op : 0);
	if (c->reduce && f->ref.rows[0].none)
		return;
	assert_int_equal(i->how.kind, c->reduce ? kind_of_operands(c->reduce_op, f->map.arith) : 0);
	assert_int_equal(i->how.flush, c->reduce && f->map.flush);
}

static void check_item(const struct flight *f, const struct walks_walk_item *i)
{
	const struct walks_setup_cmd *c = &f->cmd;

	assert_int_equal(i->fault, f->ref.fault);
	assert_int_equal(i->signal.origin.qid, c->signal.origin.qid);
	assert_int_equal(i->signal.origin.seq, c->signal.origin.seq);
	assert_int_equal(i->signal.origin.tag, c->signal.origin.tag);
	assert_int_equal(i->hint.qos, c->hint.qos);
	assert_int_equal(i->hint.evict, c->hint.evict);
	assert_int_equal(i->hint.cg, 0);
	assert_int_equal(i->client, c->client == WALKS_LOAD ? 0 : 1);
	check_reduction(f, i);
	if (f->ref.rows[0].none && !f->ref.outside)
		return;
	assert_int_equal(i->layout.swizzle, f->map.layout.swizzle);
	assert_int_equal(i->layout.format, f->map.layout.format);
	assert_int_equal(i->layout.nan, f->map.layout.nan);
	assert_int_equal(i->hint.prefetch, c->store ? 0 : f->map.promotion);
	if (c->store) {
		assert_int_equal(i->cta, c->cta);
		return;
	}
	assert_int_equal(i->dst, c->dst);
	assert_int_equal(i->signal.ctas, c->signal.ctas);
	assert_int_equal(i->signal.again, c->signal.again);
	assert_int_equal(i->signal.barrier, c->signal.barrier);
	assert_int_equal(i->signal.arrive, 0);
	/* Prefetches signal nothing, and may be larger than shared memory. */
	if (c->client == WALKS_LOAD)
		assert_int_equal(i->signal.bytes, f->ref.bytes);
}

static void check_row(struct bench *b, const struct flight *f, const struct ref_row *want,
                      const struct walks_tensor_row *row)
{
	assert_int_equal(row->none, want->none);
	assert_int_equal(row->first, want->first);
	assert_int_equal(row->last, want->last);
	assert_int_equal(row->head, want->head);
	assert_int_equal(row->chunks, want->chunks);
	assert_int_equal(row->tail, want->tail);
	assert_int_equal(row->odd, want->odd);
	if (want->chunks || f->ref.fault)
		assert_true(row->gaddr == want->gaddr);
	if (!want->none && (f->cmd.store || f->cmd.client == WALKS_LOAD))
		assert_int_equal(row->saddr, want->saddr);
	b->runs += want->chunks && f->map.runs && want->chunks > f->map.pitch;
	b->fill += want->head || want->tail;
	b->odd += want->odd != 0;
}

static void drop(struct bench *b, uint32_t d)
{
	b->head[d]++;
	b->row[d] = 0;
}

static void accept(struct bench *b)
{
	uint32_t d = b->in->cmd.store;
	struct flight *f = &b->flight[d][b->tail[d]++ % FLIGHT];

	assert_true(b->tail[d] - b->head[d] <= FLIGHT);
	f->cmd = b->in->cmd;
	f->map = b->in->info;
	ref_copy(&b->tensor, &f->cmd, b->in->granule16, b->info->smem_bytes, &f->ref);
	b->commands++;
	b->outside += f->ref.outside;
	if (f->cmd.reduce && !f->ref.fault)
		b->reduced[f->cmd.reduce_op]++;
	if (f->ref.fault >= TMA_FAULT_TENSOR_RANK)
		b->faults[f->ref.fault - TMA_FAULT_TENSOR_RANK]++;
	b->in->cmd_valid = 0;
}

static void check_direction(struct bench *b, uint32_t d)
{
	struct flight *f = &b->flight[d][b->head[d] % FLIGHT];
	bool busy = b->out->busy[d], taken, last = false;

	assert_int_equal(b->out->row_valid[d], busy && !b->in->stop[d]);
	taken = b->out->row_valid[d] && b->in->row_ready[d];
	if (b->out->row_valid[d]) {
		assert_true(b->head[d] != b->tail[d]);
		assert_true(b->row[d] < f->ref.count);
		check_item(f, &b->out->item[d]);
		check_row(b, f, &f->ref.rows[b->row[d]], &b->out->row[d]);
		last = f->ref.rows[b->row[d]].last;
	}
	if (taken) {
		b->rows++;
		b->row[d]++;
	}
	if ((taken && last) || (busy && b->in->stop[d])) {
		b->stopped += b->in->stop[d];
		drop(b, d);
		busy = false;
	}
	/* A walk that is there follows at once. */
	b->was_busy[d] = busy || b->out->walk_valid[d];
}

/* Returns whether the command was accepted in this cycle. */
bool bench_cycle(struct bench *b)
{
	bool accepted;

	walks_eval(b->unit);
	for (uint32_t d = 0; d < 2; d++)
		check_direction(b, d);
	accepted = b->in->cmd_valid && b->out->cmd_ready;
	walks_tick(b->unit);
	if (accepted)
		accept(b);
	walks_eval(b->unit);
	for (uint32_t d = 0; d < 2; d++)
		assert_int_equal(b->out->busy[d], b->was_busy[d]);
	b->cycle++;
	return accepted;
}
