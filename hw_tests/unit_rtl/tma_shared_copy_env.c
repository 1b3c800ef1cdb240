/* SPDX-License-Identifier: Apache-2.0 */
/* tma_shared_copy's neighbours. */
#include "tma_shared_copy_env.h"

#include <stdlib.h>

#include "tma_shared_copy_ref.h"

#define HASH 0x9E3779B1u

static struct shared_copy_shared_cmd *command(struct env *e, uint64_t n)
{
	return &e->cmds[n % COMMANDS];
}

/* Byte of shared memory as it is at first; one word in four is at an end of a range of numbers. */
static uint8_t content(uint32_t cta, uint32_t addr)
{
	static const uint32_t ends[] = { 0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF };
	uint32_t word = (cta * 0x00C10001u + addr / 4 + 1) * HASH;

	word = (word ^ word >> 15) * HASH;
	word ^= word >> 13;
	if (word >> 30 == 0)
		word = ends[word % 5];
	return (uint8_t)(word >> 8 * (addr % 4));
}

static uint8_t *memory(struct env *e, uint32_t cta, uint32_t addr)
{
	return &e->memory[cta * e->info->smem_bytes + addr];
}

void env_open(struct env *e, const struct opts *o)
{
	BENCH_OPEN(e, shared_copy, o->seed);
	e->o = *o;
	e->info = unit_shape();
	e->chunks = e->info->data_bytes / CHUNK;
	if (e->info->reductions == 0)
		e->o.reduce = 0;
	if (e->o.reduce) {
		e->memory = must(malloc((size_t)e->info->ctas * e->info->smem_bytes));
		for (uint32_t c = 0; c < e->info->ctas; c++)
			for (uint32_t i = 0; i < e->info->smem_bytes; i++)
				*memory(e, c, i) = content(c, i);
	}
	shared_copy_start(e->unit);
}

static uint32_t cta_of(const struct shared_copy_shared_cmd *c)
{
	uint32_t cta = 0;

	while (c->signal.ctas >> cta > 1)
		cta++;
	return cta;
}

/* Where a command of a case that keeps memory reads and writes. */
static void place_kept(struct env *e, struct shared_copy_shared_cmd *c)
{
	uint32_t quarter = e->info->smem_bytes / CHUNK / 4, dst = rng_below(&e->rng, e->info->ctas);

	if (c->chunks > quarter)
		c->chunks = (uint16_t)quarter;
	c->reduce = rng_percent(&e->rng, e->o.reduce);
	c->src = (uint16_t)rng_below(&e->rng, 2 * quarter - c->chunks + 1);
	c->dst = (uint16_t)(2 * quarter + rng_below(&e->rng, quarter - c->chunks + 1));
	if (c->reduce) {
		struct pair pair = shared_pairs[rng_below(&e->rng, PAIRS)];

		c->how.op = pair.op;
		c->how.kind = pair.type;
		c->how.flush = rng_percent(&e->rng, 50);
		c->dst = (uint16_t)(c->dst + quarter);
		if (rng_percent(&e->rng, e->o.hot)) {
			dst = 0;
			c->chunks = (uint16_t)(1 + rng_below(&e->rng, 2 * e->chunks));
			c->dst = (uint16_t)(3 * quarter + rng_below(&e->rng, 2 * e->chunks));
		}
		if (rng_percent(&e->rng, e->o.own))
			c->src_cta = (uint8_t)dst;
	}
	c->signal.ctas = (uint16_t)(1u << dst);
}

struct shared_copy_shared_cmd env_draw(struct env *e)
{
	uint32_t total = e->info->smem_bytes / CHUNK;
	struct shared_copy_shared_cmd c = { .chunks = (uint16_t)(1 + rng_below(&e->rng, 3 * e->chunks)) };

	if (rng_percent(&e->rng, e->o.long_percent))
		c.chunks = (uint16_t)(1 + rng_below(&e->rng, total));
	c.src_cta = (uint8_t)rng_below(&e->rng, e->info->ctas);
	if (e->memory) {
		place_kept(e, &c);
	} else {
		c.src = (uint16_t)rng_below(&e->rng, total - c.chunks + 1);
		c.dst = (uint16_t)rng_below(&e->rng, total - c.chunks + 1);
		c.signal.ctas = (uint16_t)(1u << rng_below(&e->rng, e->info->ctas));
	}
	c.signal.again = rng_percent(&e->rng, 50) ? c.signal.ctas : 0;
	c.signal.barrier = (uint16_t)rng_below(&e->rng, e->info->smem_bytes / 8);
	c.signal.bytes = c.chunks * CHUNK;
	c.signal.origin.qid = (uint8_t)rng_below(&e->rng, e->info->queues);
	c.signal.origin.seq = (uint16_t)rng_next(&e->rng);
	c.signal.origin.tag = (uint32_t)rng_next(&e->rng);
	return c;
}

static void drive_data(struct env *e)
{
	for (uint32_t p = 0; p < READERS; p++) {
		struct due *d = &e->due[p];

		for (uint32_t i = 0; i < e->chunks; i++)
			for (uint32_t b = 0; b < CHUNK; b++)
				e->in->rd_data[p][(d->addr + i) % e->chunks * CHUNK + b] =
					d->valid ? d->data[i * CHUNK + b] : (uint8_t)rng_next(&e->rng);
		d->valid = false;
	}
}

/* Rows of a line's banks; behind the end of memory they are counted from its start on. */
static void check_rows(struct env *e, const uint16_t *rows, uint32_t addr)
{
	uint32_t total = e->chunks, i;

	while (total < e->info->smem_bytes / CHUNK)
		total *= 2;
	for (i = 0; i < e->chunks; i++)
		REQUIRE(e, rows[(addr + i) % e->chunks] == (addr + i) % total / e->chunks);
}

static bool before(const struct place *a, const struct place *b)
{
	return a->command < b->command || (a->command == b->command && a->at < b->at);
}

static void advance(struct env *e, struct place *p)
{
	p->at += e->chunks;
	if (p->at >= command(e, p->command)->chunks) {
		p->command++;
		p->at = 0;
	}
}

/* A read of a line: before the writes of the same cycle. */
static void check_read(struct env *e, uint32_t p)
{
	struct place *at = &e->reading[p];
	struct due *d = &e->due[p];
	struct shared_copy_shared_cmd *c;
	uint32_t cta;

	while (p == 1 && at->command < e->taken && !command(e, at->command)->reduce)
		at->command++;
	REQUIRE(e, at->command < e->taken);
	c = command(e, at->command);
	cta = p == 0 ? c->src_cta : cta_of(c);
	d->addr = (p == 0 ? c->src : c->dst) + at->at;
	d->valid = true;
	REQUIRE(e, e->out->rd_cta[p] == cta);
	check_rows(e, e->out->rd_rows[p], d->addr);
	for (uint32_t i = 0; i < e->chunks * CHUNK; i++) {
		uint32_t byte = d->addr * CHUNK + i;

		d->data[i] = (uint8_t)rng_next(&e->rng);
		if (byte < e->info->smem_bytes)
			d->data[i] = e->memory ? *memory(e, cta, byte) : content(cta, byte);
	}
	/* A source is read ahead of its destination by a line at most, which in the same CTA it has to be. */
	if (p == 1 && c->src_cta == cta)
		REQUIRE(e, before(at, &e->reading[0]));
	advance(e, at);
	if (!e->first_read)
		e->first_read = e->cycle;
}

/* What a command writes into the chunk `addr` of its destination from the chunk `src`. */
static void expect(struct env *e, const struct shared_copy_shared_cmd *c, uint32_t addr, uint32_t src,
                   uint8_t *chunk)
{
	struct pair pair = { c->how.op, c->how.kind };
	uint32_t i, k, bytes = pair_bytes(pair);
	const uint8_t *old;

	for (i = 0; i < CHUNK; i++)
		chunk[i] = content(c->src_cta, src * CHUNK + i);
	if (!c->reduce)
		return;
	old = memory(e, cta_of(c), addr * CHUNK);
	for (i = 0; i < CHUNK; i += bytes) {
		uint64_t to = 0, from = 0;

		for (k = 0; k < bytes; k++) {
			to |= (uint64_t)old[i + k] << 8 * k;
			from |= (uint64_t)chunk[i + k] << 8 * k;
		}
		to = pair_result(pair, to, from);
		for (k = 0; k < bytes; k++)
			chunk[i + k] = (uint8_t)(to >> 8 * k);
	}
}

/* `read`: up to where lines were read in the cycles before. */
static void check_write(struct env *e, const struct place *read)
{
	struct place *at = &e->writing;
	struct shared_copy_shared_cmd *c = command(e, at->command);

	REQUIRE(e, before(at, &read[0]) && (!c->reduce || before(at, &read[1])));
	REQUIRE(e, e->out->wr.ctas == c->signal.ctas);
	check_rows(e, e->out->wr.rows, c->dst + at->at);
	for (uint32_t i = 0; i < e->chunks; i++) {
		uint32_t addr = c->dst + at->at + i, lane = addr % e->chunks;
		bool in = at->at + i < c->chunks;
		uint8_t chunk[CHUNK];

		REQUIRE(e, e->out->wr.be[2 * lane] == (in ? 0xFF : 0));
		REQUIRE(e, e->out->wr.be[2 * lane + 1] == (in ? 0xFF : 0));
		if (!in)
			continue;
		expect(e, c, addr, c->src + at->at + i, chunk);
		for (uint32_t b = 0; b < CHUNK; b++)
			REQUIRE(e, e->out->wr.data[lane * CHUNK + b] == chunk[b]);
		if (e->memory)
			memcpy(memory(e, cta_of(c), addr * CHUNK), chunk, CHUNK);
	}
	advance(e, at);
	e->lines++;
	e->last_write = e->cycle;
}

static void check_signal(struct env *e)
{
	struct shared_copy_shared_cmd *c = command(e, e->signalled);

	/* Its last write was in a cycle before this. */
	REQUIRE(e, e->signalled < e->done);
	REQUIRE(e, e->out->sig.ctas == c->signal.ctas && e->out->sig.again == c->signal.again);
	REQUIRE(e, e->out->sig.barrier == c->signal.barrier);
	REQUIRE(e, e->out->sig.bytes == c->signal.bytes && e->out->sig.origin.qid == c->signal.origin.qid);
	REQUIRE(e, e->out->sig.origin.seq == c->signal.origin.seq &&
	                   e->out->sig.origin.tag == c->signal.origin.tag && !e->out->sig.arrive);
	e->signalled++;
}

void env_step(struct env *e)
{
	bool idle = e->taken == e->signalled, wrote;
	struct place read[READERS] = { e->reading[0], e->reading[1] };

	e->done = e->writing.command;
	e->in->rd_ready[0] = !rng_percent(&e->rng, e->o.rd_stall);
	e->in->rd_ready[1] = !rng_percent(&e->rng, e->o.dst_stall);
	e->in->wr_ready = !rng_percent(&e->rng, e->o.wr_stall);
	e->in->sig_ready = !rng_percent(&e->rng, e->o.sig_stall);
	if (!e->in->cmd_valid && rng_percent(&e->rng, e->o.offer)) {
		e->in->cmd_valid = 1;
		e->in->cmd = env_draw(e);
	}
	drive_data(e);
	shared_copy_eval(e->unit);

	REQUIRE(e, e->out->idle == idle);
	REQUIRE(e, !e->out->sig_valid == (e->signalled == e->done));
	REQUIRE(e, !e->out->rd_valid[0] || !e->out->rd_valid[1] || e->out->rd_cta[0] != e->out->rd_cta[1]);
	for (uint32_t p = 0; p < READERS; p++)
		if (e->out->rd_valid[p] && e->in->rd_ready[p])
			check_read(e, p);
	wrote = e->out->wr_valid && e->in->wr_ready;
	REQUIRE(e, e->out->line_event == wrote);
	if (wrote)
		check_write(e, read);
	if (e->out->sig_valid && e->in->sig_ready)
		check_signal(e);
	if (e->in->cmd_valid && e->out->cmd_ready) {
		*command(e, e->taken++) = e->in->cmd;
		e->in->cmd_valid = 0;
		REQUIRE(e, e->taken - e->signalled <= COMMANDS);
	}
	shared_copy_tick(e->unit);
	e->cycle++;
}

void env_close(struct env *e)
{
	e->o.offer = 0;
	for (uint32_t i = 0; i < 1000000 && (e->in->cmd_valid || e->signalled < e->taken); i++)
		env_step(e);
	assert_int_equal(e->signalled, e->taken);
	env_step(e);
	shared_copy_close(e->unit);
	free(e->memory);
}
