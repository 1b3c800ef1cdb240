/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_shared_copy_test - lines go from one CTA's memory to another's, then the barrier is signalled.
 *
 * Checks in every case: reads and writes are the lines of the commands in order, with every byte and
 * byte enable right whatever the alignment on either side; a signal comes after its last write, in
 * order; events; idle; the unit's assertions. Memory is a function of the address, and what stands
 * on the read data in any cycle but the one after a handshake is noise.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_shared_copy_pins.h"

#define CHUNK    16u
#define COMMANDS 64u /* of a case, under way at most */

/* Percent. */
struct opts {
	uint64_t seed;
	uint32_t offer, rd_stall, wr_stall, sig_stall;
	uint32_t long_percent; /* of commands */
};

struct env {
	struct shared_copy *unit;
	struct shared_copy_in *in;
	const struct shared_copy_out *out;
	const struct unit_shape *info;
	struct opts o;
	struct rng rng;
	uint32_t chunks; /* of a line */
	uint64_t cycle, lines, first_read, last_write;

	/* Commands taken, and where reads, writes and signals are: a command and a chunk of it. */
	struct shared_copy_shared_cmd cmds[COMMANDS];
	uint64_t taken, reading, writing, signalled, done;
	uint32_t read_at, write_at;
	bool data_due;
	uint32_t data_cta, data_addr;
};

static struct shared_copy_shared_cmd *command(struct env *e, uint64_t n)
{
	return &e->cmds[n % COMMANDS];
}

/* Byte of shared memory. */
static uint8_t content(uint32_t cta, uint32_t addr)
{
	return (uint8_t)((cta * 0x00C10001u + addr + 1) * 0x9E3779B1u >> 24);
}

static void open_env(struct env *e, const struct opts *o)
{
	BENCH_OPEN(e, shared_copy, o->seed);
	e->o = *o;
	e->info = unit_shape();
	e->chunks = e->info->data_bytes / CHUNK;
	shared_copy_start(e->unit);
}

static struct shared_copy_shared_cmd draw(struct env *e)
{
	uint32_t total = e->info->smem_bytes / CHUNK;
	struct shared_copy_shared_cmd c = { .chunks = (uint16_t)(1 + rng_below(&e->rng, 3 * e->chunks)) };

	if (rng_percent(&e->rng, e->o.long_percent))
		c.chunks = (uint16_t)(1 + rng_below(&e->rng, total));
	c.src_cta = rng_below(&e->rng, e->info->ctas);
	c.src = rng_below(&e->rng, total - c.chunks + 1);
	c.dst = rng_below(&e->rng, total - c.chunks + 1);
	c.signal.ctas = 1u << rng_below(&e->rng, e->info->ctas);
	c.signal.again = rng_percent(&e->rng, 50) ? c.signal.ctas : 0;
	c.signal.barrier = rng_below(&e->rng, e->info->smem_bytes / 8);
	c.signal.bytes = c.chunks * CHUNK;
	c.signal.origin.qid = rng_below(&e->rng, e->info->queues);
	c.signal.origin.seq = (uint16_t)rng_next(&e->rng);
	c.signal.origin.tag = (uint32_t)rng_next(&e->rng);
	return c;
}

static void drive_data(struct env *e)
{
	for (uint32_t i = 0; i < e->chunks; i++) {
		uint32_t addr = e->data_addr + i;

		for (uint32_t b = 0; b < CHUNK; b++)
			e->in->rd_data[addr % e->chunks * CHUNK + b] =
				e->data_due ? content(e->data_cta, addr * CHUNK + b)
					    : (uint8_t)rng_next(&e->rng);
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

static void check_read(struct env *e)
{
	struct shared_copy_shared_cmd *c = command(e, e->reading);

	REQUIRE(e, e->reading < e->taken);
	REQUIRE(e, e->out->rd_cta == c->src_cta);
	check_rows(e, e->out->rd_rows, c->src + e->read_at);
	e->data_due = true;
	e->data_cta = e->out->rd_cta;
	e->data_addr = c->src + e->read_at;
	e->read_at += e->chunks;
	if (e->read_at >= c->chunks) {
		e->reading++;
		e->read_at = 0;
	}
	if (!e->first_read)
		e->first_read = e->cycle;
}

static void check_write(struct env *e)
{
	struct shared_copy_shared_cmd *c = command(e, e->writing);

	REQUIRE(e, e->writing < e->reading || (e->writing == e->reading && e->write_at < e->read_at));
	REQUIRE(e, e->out->wr.ctas == c->signal.ctas);
	check_rows(e, e->out->wr.rows, c->dst + e->write_at);
	for (uint32_t i = 0; i < e->chunks; i++) {
		uint32_t lane = (c->dst + e->write_at + i) % e->chunks;
		bool in = e->write_at + i < c->chunks;

		REQUIRE(e, e->out->wr.be[2 * lane] == (in ? 0xFF : 0));
		REQUIRE(e, e->out->wr.be[2 * lane + 1] == (in ? 0xFF : 0));
		for (uint32_t b = 0; in && b < CHUNK; b++)
			REQUIRE(e, e->out->wr.data[lane * CHUNK + b] ==
			                   content(c->src_cta, (c->src + e->write_at + i) * CHUNK + b));
	}
	e->write_at += e->chunks;
	if (e->write_at >= c->chunks) {
		e->writing++;
		e->write_at = 0;
	}
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

static void step(struct env *e)
{
	bool idle = e->taken == e->signalled, wrote;

	e->done = e->writing;
	e->in->rd_ready = !rng_percent(&e->rng, e->o.rd_stall);
	e->in->wr_ready = !rng_percent(&e->rng, e->o.wr_stall);
	e->in->sig_ready = !rng_percent(&e->rng, e->o.sig_stall);
	if (!e->in->cmd_valid && rng_percent(&e->rng, e->o.offer)) {
		e->in->cmd_valid = 1;
		e->in->cmd = draw(e);
	}
	drive_data(e);
	e->data_due = false;
	shared_copy_eval(e->unit);

	REQUIRE(e, e->out->idle == idle);
	REQUIRE(e, !e->out->sig_valid == (e->signalled == e->done));
	wrote = e->out->wr_valid && e->in->wr_ready;
	REQUIRE(e, e->out->line_event == wrote);
	if (wrote)
		check_write(e);
	if (e->out->rd_valid && e->in->rd_ready)
		check_read(e);
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

static void close_env(struct env *e)
{
	e->o.offer = 0;
	for (uint32_t i = 0; i < 1000000 && (e->in->cmd_valid || e->signalled < e->taken); i++)
		step(e);
	assert_int_equal(e->signalled, e->taken);
	step(e);
	shared_copy_close(e->unit);
}

#define ENV_TEST(name, ...) \
	TEST_IN(name, struct env, e, open_env(e, &(const struct opts){ __VA_ARGS__ }), close_env(e))

/* Queued commands of one line each, misaligned on both sides: a line per cycle, without a gap. */
TEST(one_line_each)
{
	struct opts o = { .seed = 1 };
	struct env e;

	open_env(&e, &o);
	while (e.taken < 500) {
		e.in->cmd = draw(&e);
		e.in->cmd.chunks = e.chunks;
		e.in->cmd.src = e.in->cmd.dst + 1;
		e.in->cmd_valid = 1;
		step(&e);
	}
	close_env(&e);
	assert_int_equal(e.lines, 500);
	assert_int_equal(e.last_write - e.first_read, 499 + 2 + 2 * e.info->short_paths);
}

/* Long ones too. */
TEST(long_copies)
{
	struct opts o = { .seed = 2, .offer = 100, .long_percent = 100 };
	struct env e;

	open_env(&e, &o);
	while (e.taken < 20)
		step(&e);
	close_env(&e);
	assert_int_equal(e.last_write - e.first_read, e.lines - 1 + 2 + 2 * e.info->short_paths);
}

/* A copy of one line on an idle path: its read one cycle after, its signal three cycles later, with short paths
 * five. */
ENV_TEST(latency, .seed = 3)
{
	step(e);
	e->in->cmd = draw(e);
	e->in->cmd.chunks = 1;
	e->in->cmd_valid = 1;
	step(e);
	for (uint32_t i = 0; i < 3 + 2 * e->info->short_paths; i++) {
		step(e);
		assert_int_equal(e->signalled, 0);
	}
	step(e);
	assert_int_equal(e->signalled, 1);
	assert_int_equal(e->first_read, 2);
	assert_int_equal(e->last_write, 4 + 2 * e->info->short_paths);
}

TEST(random_copies)
{
	static const struct opts opts[] = {
		{ .seed = 4, .offer = 100, .rd_stall = 20, .wr_stall = 20, .sig_stall = 20 },
		{ .seed = 5, .offer = 50, .wr_stall = 80, .long_percent = 2 },
		{ .seed = 6, .offer = 100, .rd_stall = 80, .sig_stall = 10 },
		{ .seed = 7, .offer = 100, .sig_stall = 95 },
		{ .seed = 8, .offer = 5, .rd_stall = 50, .wr_stall = 50, .sig_stall = 50 },
	};
	struct env e;

	for (uint32_t i = 0; i < sizeof(opts) / sizeof(*opts); i++) {
		open_env(&e, &opts[i]);
		for (uint32_t j = 0; j < 10000; j++)
			step(&e);
		close_env(&e);
		assert_true(e.taken > 50);
	}
}
