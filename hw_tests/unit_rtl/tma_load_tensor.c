/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor copies: what they have to do, and set-up, which makes walks of them. See tma_load_env.h. */
#include "unit_rtl/tma_load_env.h"

#include <inttypes.h>
#include <string.h>

#define CHUNK     ENV_CHUNK
#define MAX_TAKEN 4u /* copies in set-up */

/*
 * Reference: rows, byte by byte.
 */

/* semantics 2.6, on the absolute byte address in shared memory. */
static uint32_t swizzled(enum load_swizzle swizzle, uint32_t at)
{
	uint32_t line = at / 128;

	switch (swizzle) {
	case LOAD_XOR_32:
		return at ^ (line & 1) << 4;
	case LOAD_XOR_64:
		return at ^ (line & 3) << 4;
	case LOAD_XOR_128:
		return at ^ (line & 7) << 4;
	case LOAD_ATOM_32:
		return at ^ (line & 3) << 5;
	case LOAD_FLIP:
		return at ^ (line & 3) << 5 ^ (line & 1) << 3;
	case LOAD_ATOM_64:
		return at ^ (line & 1) << 6;
	default:
		return at;
	}
}

/* To 10 mantissa bits, nearest even. */
static uint32_t tf32(uint32_t word)
{
	uint32_t low = word & 0x1FFF;

	if ((word & 0x7FFFFFFF) > 0x7F800000)
		return 0x7FFFE000;
	word -= low;
	if (low > 0x1000 || (low == 0x1000 && (word & 0x2000)))
		word += 0x2000;
	return word;
}

static uint8_t data_byte(const struct env *e, const struct env_tensor *t, uint32_t at)
{
	uint32_t word;

	if (t->layout.format != LOAD_TF32)
		return e->global[at];
	memcpy(&word, e->global + (at & ~3u), 4);
	return (uint8_t)(tf32(word) >> at % 4 * 8);
}

static void own(struct env *e, const struct env_tensor *t, uint32_t at, uint8_t want, enum env_kind kind)
{
	env_own(e, swizzled(t->layout.swizzle, at), want, kind);
}

/* Of each chunk the bytes that are written. */
static uint32_t chunk_data(const struct env_tensor *t)
{
	return t->layout.format == LOAD_PAD_4 ? 8 : t->layout.format == LOAD_PAD_6 ? 12 : CHUNK;
}

static uint32_t fill(struct env *e, const struct env_tensor *t, uint32_t at, uint32_t bytes,
                     enum env_kind kind)
{
	static const uint8_t nan[2] = { 0xF7, 0x7F };

	for (; bytes; bytes--, at++)
		if (at % CHUNK < chunk_data(t))
			own(e, t, at, t->layout.nan ? nan[at % 2] : 0, kind);
	return at;
}

static void padded(struct env *e, const struct env_tensor *t, uint32_t source, uint32_t at)
{
	uint32_t data = chunk_data(t), i;

	for (i = 0; i < 8 * data; i++)
		own(e, t, at + i / data * CHUNK + i % data, e->global[source + i], ENV_DATA);
}

static bool is_padded(const struct env_tensor *t)
{
	return t->layout.format == LOAD_PAD_4 || t->layout.format == LOAD_PAD_6;
}

static uint32_t row_chunks(const struct env_tensor *t)
{
	return is_padded(t) ? 8 : t->head + t->chunks + t->tail;
}

/* A burst that goes on with whatever row of a prefetch follows it in its line. */
#define ANY UINT32_MAX

/* Rows of a chunk, one after the other: two that lie in one line, the second one behind the first there and right
 * behind it in shared memory, have one burst. All rows of a prefetch have that lie in one line, in their order and
 * with none that is out of bounds between them. */
static bool joins(const struct env *e, struct env_cmd *c, uint32_t source, uint32_t bytes, uint32_t at)
{
	struct env_burst *b = c->num_bursts ? &c->bursts[c->num_bursts - 1] : NULL;
	uint32_t beat = e->info->data_bytes;

	if (!b || !b->end || (b->end != ANY && b->end != at) || source < b->offset + b->bytes ||
	    source / beat != b->offset / beat)
		return false;
	*b = (struct env_burst){ .offset = b->offset,
		                 .bytes = source + bytes - b->offset,
		                 .data = 2 * CHUNK,
		                 .end = b->end == ANY ? ANY : 0 };
	return true;
}

static void bursts(struct env *e, struct env_cmd *c, const struct env_tensor *t, uint32_t source, uint32_t at)
{
	uint32_t bytes = t->chunks * CHUNK;
	bool load = c->cmd.client == LOAD_LOAD;
	bool alone = load ? t->chunks == 1 && !t->odd && !t->head && !is_padded(t)
	                  : source % e->info->data_bytes + bytes <= e->info->data_bytes;

	if (alone && joins(e, c, source, bytes, at))
		return;
	env_burst(e, c, source, bytes, t->odd ? bytes - CHUNK + t->odd : bytes);
	if (alone)
		c->bursts[c->num_bursts - 1].end = load ? at + CHUNK : ANY;
}

static void row(struct env *e, struct env_cmd *c, const struct env_tensor *t, bool in, uint32_t source,
                uint32_t at)
{
	uint32_t bytes = t->chunks * CHUNK, data = t->odd ? bytes - CHUNK + t->odd : bytes, i;

	if (!in || !t->chunks) {
		if (c->cmd.client == LOAD_LOAD)
			fill(e, t, at, row_chunks(t) * CHUNK, ENV_FILL);
		else if (c->num_bursts)
			c->bursts[c->num_bursts - 1].end = 0;
		return;
	}
	bursts(e, c, t, source, at);
	if (c->cmd.client != LOAD_LOAD)
		return;
	if (is_padded(t)) {
		padded(e, t, source, at);
		return;
	}
	at = fill(e, t, at, t->head * CHUNK, ENV_FILL);
	for (i = 0; i < data; i++, at++)
		own(e, t, at, data_byte(e, t, source + i), ENV_DATA);
	at = fill(e, t, at, bytes - data, ENV_PAD);
	fill(e, t, at, t->tail * CHUNK, ENV_FILL);
}

/* The row at these positions, to row `to` of shared memory. */
static void row_at(struct env *e, struct env_cmd *c, const struct env_tensor *t, const uint32_t *index,
                   uint32_t to)
{
	int64_t source = t->offset;
	bool in = !t->outside;

	for (uint32_t i = 0; i < ENV_LEVELS; i++) {
		const struct env_level *l = &t->level[i];
		int64_t position = l->start + (int64_t)index[i] * l->step;

		if (!l->count)
			continue;
		in &= position >= 0 && position <= (int64_t)l->last;
		source += position * l->stride * CHUNK;
	}
	row(e, c, t, in, (uint32_t)source, (t->saddr + to * t->pitch) * CHUNK);
}

/* im2col::w::128: pixel 32 * (g + 1) + h is halo pixel h of segment g. */
static void segments(struct env *e, struct env_cmd *c, const struct env_tensor *t)
{
	uint32_t index[ENV_LEVELS] = { 0 };

	for (; index[0] < 128 + t->halo; index[0]++) {
		uint32_t segment = index[0] / 32, h = index[0] % 32;

		if (segment < 4)
			row_at(e, c, t, index, index[0]);
		if (segment > 0 && h < t->halo)
			row_at(e, c, t, index, 128 + 4 * h + segment - 1);
	}
}

static void rows(struct env *e, struct env_cmd *c, const struct env_tensor *t)
{
	uint32_t index[ENV_LEVELS] = { 0 }, to, i;

	for (to = 0;; to++) {
		row_at(e, c, t, index, to);
		for (i = 0; i < ENV_LEVELS && ++index[i] >= t->level[i].count; i++)
			index[i] = 0;
		if (i == ENV_LEVELS)
			return;
	}
}

/*
 * Walks.
 */

static bool inside(const struct env_level *l, int64_t position)
{
	return position >= 0 && position <= (int64_t)l->last;
}

static struct load_walk walk_of(const struct env_cmd *c, const struct env_tensor *t)
{
	struct load_walk w = { .item = { .client = c->cmd.client,
		                         .hint = c->cmd.hint,
		                         .dst = c->cmd.dst,
		                         .layout = t->layout,
		                         .signal = c->cmd.signal },
		               .outside = t->outside,
		               .saddr = t->saddr,
		               .pitch = t->pitch,
		               .fill = row_chunks(t),
		               .head = t->head,
		               .chunks = t->chunks,
		               .odd = t->odd,
		               .tail = t->tail };
	uint64_t first = ENV_BASE / CHUNK + t->offset / CHUNK;

	for (uint32_t i = 0; i < ENV_LEVELS; i++)
		if (t->level[i].count)
			first += (uint64_t)(t->level[i].start * t->level[i].stride);
	if (t->fault) {
		w.empty = 1;
		w.item.fault = t->fault;
		w.low = t->address % CHUNK;
		first = t->address / CHUNK;
	}
	for (uint32_t i = 0; i < ENV_LEVELS; i++) {
		const struct env_level *l = &t->level[i];
		struct load_walk_level *x = &w.level[i];

		x->addr = first;
		x->over = l->count <= 1;
		x->is_in = !l->count || inside(l, l->start);
		x->next = l->start + l->step;
		x->limit = l->start + ((int64_t)l->count - 1) * l->step - 1;
		x->last = l->last;
		x->step = l->step;
		x->addr_step = (uint64_t)(l->stride * l->step);
		x->low_over = x->over;
		x->low_in = x->is_in;
		x->low_next = x->next;
	}
	if (t->halo) {
		w.counted = 1;
		w.pixels = t->level[0].count - 1;
		w.halo = t->halo;
		w.level[0].over = 0;
		w.level[0].limit = INT32_MAX;
	}
	return w;
}

struct env_cmd *env_tensor(struct env *e, uint32_t queue, const struct env_tensor *t, uint32_t dst)
{
	struct env_cmd *c = env_new(e, queue, rng_next(&e->rng), dst ? LOAD_LOAD : LOAD_PREFETCH);

	c->cmd.tensor = 1;
	env_spread(e, c);
	c->cmd.dst = dst;
	c->cmd.chunks = rng_below(&e->rng, 1u << 16);
	c->cmd.saddr = t->saddr;
	c->cmd.signal.bytes = rng_below(&e->rng, 1u << 20);
	c->walk = walk_of(c, t);
	if (t->fault) {
		c->code = t->fault;
		c->address = t->address;
		return c;
	}
	if (t->halo)
		segments(e, c, t);
	else
		rows(e, c, t);
	env_expect(e, c);
	return c;
}

/*
 * Set-up.
 */

static struct env_cmd *next_tensor(struct env *e, uint32_t *index)
{
	while (*index < e->num && !e->cmds[*index].cmd.tensor)
		++*index;
	return &e->cmds[*index];
}

void env_offer_walk(struct env *e)
{
	e->in->tensor_ready =
		!e->block_tensor && e->walks < MAX_TAKEN && !rng_percent(&e->rng, e->o.tensor_percent);
	if (e->in->walk_valid || !e->walks || rng_percent(&e->rng, e->o.walk_percent))
		return;
	e->in->walk_valid = 1;
	e->in->walk = next_tensor(e, &e->walk_next)->walk;
}

void env_see_walk(struct env *e)
{
	struct env_cmd *c = next_tensor(e, &e->tensor_next);

	if (e->in->walk_valid && e->out->walk_ready) {
		e->in->walk_valid = 0;
		e->cmds[e->walk_next++].walked = e->cycle;
		e->walks--;
	}
	if (e->out->tensor_valid)
		REQUIRE(e, e->tensor_next < e->offered &&
		                   e->out->tensor.signal.origin.seq == c->cmd.signal.origin.seq);
	if (e->out->tensor_valid && e->in->tensor_ready) {
		e->tensor_next++;
		e->walks++;
	}
}
