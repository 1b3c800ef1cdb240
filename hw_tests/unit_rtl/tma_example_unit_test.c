/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_example_unit_test - the example's compute unit in front of an engine that this test plays.
 *
 * Requirement: a job sends mbarrier.init, arrive.expect_tx, load and try_wait, adds to every element of the tile when
 * the wait is answered, and sends store, commit, wait_group and signal; it is done at the signal. A fault ends the job,
 * but for a command that is on offer, which is still sent, and a tile that is worked on.
 * Checks: every field of every command; the tile, bytes around it too; that nothing comes early; ports that let wait; the
 * unit's assertions.
 */
#include "unit_rtl/unit_test.h"
#include "tma_example_unit_pins.h"

#define BARRIER    0u
#define TILE       0x100u
#define SMEM       0x1200u
#define WAIT_LIMIT 20000u
#define STEPS      8u
#define WAIT_STEP  3u /* try_wait */

struct bench {
	struct example_unit *unit;
	struct example_unit_in *in;
	const struct example_unit_out *out;
	struct rng rng;
	uint8_t smem[SMEM];
	struct example_unit_job job;
	uint32_t ready_percent;
	uint32_t steps;       /* commands taken of the job */
	uint32_t fault_after; /* so many; 0: none */
	uint32_t due;         /* cycles until the record, 0: none */
	uint32_t behind;      /* commands taken since the fault was told of */
	bool told, done, failed;
	uint64_t cycle, taken_at; /* of the last command */
};

#define BENCH_TEST(name) TEST_IN(name, struct bench, b, bench_open(b), example_unit_close(b->unit))

static void bench_open(struct bench *b)
{
	BENCH_OPEN(b, example_unit, 1);
	b->ready_percent = 100;
	for (uint32_t i = 0; i < SMEM; i++)
		b->smem[i] = (uint8_t)rng_next(&b->rng);
	example_unit_start(b->unit);
}

static struct tma_command wanted(const struct bench *b, uint32_t step)
{
	const struct tma_command program[STEPS] = {
		{ .opcode = TMA_MBARRIER_INIT, .barrier = BARRIER, .count = 1 },
		{ .opcode = TMA_MBARRIER_ARRIVE,
		  .flags = TMA_FLAG_EXPECT_TX,
		  .barrier = BARRIER,
		  .count = 1,
		  .tx = b->job.bytes },
		{ .opcode = TMA_BULK_LOAD,
		  .global_address = b->job.source,
		  .size = b->job.bytes,
		  .shared_dst = TILE,
		  .barrier = BARRIER },
		{ .opcode = TMA_MBARRIER_TRY_WAIT, .flags = TMA_FLAG_PARITY, .barrier = BARRIER, .tx = ~0u },
		{ .opcode = TMA_BULK_STORE,
		  .global_address = b->job.target,
		  .size = b->job.bytes,
		  .shared_src = TILE },
		{ .opcode = TMA_BULK_COMMIT_GROUP },
		{ .opcode = TMA_BULK_WAIT_GROUP },
		{ .opcode = TMA_SIGNAL },
	};
	struct tma_command c = program[step];

	c.version = TMA_COMMAND_VERSION;
	c.tag = step % 4;
	return c;
}

static bool faulty(const struct bench *b)
{
	return b->fault_after && b->steps >= b->fault_after;
}

static void take_command(struct bench *b)
{
	struct tma_command c;

	if (!b->out->cmd_valid || !b->in->cmd_ready)
		return;
	REQUIRE(b, b->steps < STEPS && (!b->due || faulty(b)));
	/* One may have been on offer. */
	REQUIRE(b, !b->told || b->behind++ == 0);
	/* Four go in a row where the port takes them. */
	REQUIRE(b, b->ready_percent < 100 || b->steps % 4 == 0 || b->cycle == b->taken_at + 1);
	b->taken_at = b->cycle;
	c = wanted(b, b->steps++);
	assert_int_equal(b->out->cmd_queue, 0);
	assert_memory_equal(b->out->cmd, &c, sizeof(c));
	if (b->steps == b->fault_after || (b->steps % 4 == 0 && !faulty(b)))
		b->due = 1 + rng_below(&b->rng, faulty(b) ? 4 : 50);
}

/* What the commands taken so far are answered with. */
static void offer_record(struct bench *b)
{
	struct tma_record r = { .kind = b->steps == STEPS ? TMA_KIND_SIGNAL : TMA_KIND_ANSWER };

	b->in->rsp_valid = b->due == 1;
	b->due -= b->due > 0;
	if (!b->in->rsp_valid)
		return;
	if (faulty(b))
		r.kind = TMA_KIND_FAULT;
	else
		r.value = b->steps == WAIT_STEP + 1;
	b->told = r.kind == TMA_KIND_FAULT;
	memcpy(b->in->rsp, &r, sizeof(r));
}

static void step(struct bench *b)
{
	const struct example_unit_tile_req *t = &b->out->tile;
	uint8_t read = 0;

	b->in->cmd_ready = rng_percent(&b->rng, b->ready_percent);
	b->in->tile.ready = rng_percent(&b->rng, b->ready_percent);
	offer_record(b);
	example_unit_eval(b->unit);
	assert_int_equal(b->out->rsp_ready, 1);
	take_command(b);
	if (t->valid && b->in->tile.ready) {
		REQUIRE(b, b->steps == WAIT_STEP + 1 && !b->due && !b->told);
		REQUIRE(b, t->addr % 16 == 0 && t->addr <= SMEM - 16);
		if (t->write)
			memcpy(b->smem + t->addr, t->wdata, 16);
		read = !t->write;
	}
	b->done = b->out->done;
	b->failed = b->done && b->out->failed;
	example_unit_tick(b->unit);
	b->in->tile.rvalid = read;
	if (read)
		memcpy(b->in->tile.rdata, b->smem + t->addr, 16);
	b->cycle++;
}

/* @return whether the job failed */
static bool work(struct bench *b, uint32_t bytes, uint32_t fault_after)
{
	uint32_t limit = 0;

	b->job = (struct example_unit_job){ rng_next(&b->rng) & ~UINT64_C(15),
		                            rng_next(&b->rng) & ~UINT64_C(15), (uint16_t)bytes,
		                            (uint32_t)rng_next(&b->rng) };
	b->steps = b->behind = 0;
	b->told = false;
	b->fault_after = fault_after;
	b->in->job = b->job;
	b->in->job_valid = 1;
	example_unit_eval(b->unit);
	assert_int_equal(b->out->job_ready, 1);
	for (step(b); !b->done; step(b))
		REQUIRE(b, limit++ < WAIT_LIMIT);
	b->in->job_valid = 0;
	return b->failed;
}

/* The tile as it was, with the addend in each element; what is around it stays. */
static void expect_sums(const struct bench *b, uint8_t *smem)
{
	for (uint32_t i = 0; i < b->job.bytes; i += 4) {
		uint32_t element;

		memcpy(&element, smem + TILE + i, 4);
		element += b->job.addend;
		memcpy(smem + TILE + i, &element, 4);
	}
	assert_memory_equal(b->smem, smem, SMEM);
}

BENCH_TEST(jobs)
{
	static const uint32_t bytes[] = { 16, 32, 4080, 1024, 16 };

	for (uint32_t busy = 0; busy < 2; busy++) {
		b->ready_percent = busy ? 40 : 100;
		for (uint32_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
			uint8_t before[SMEM];

			memcpy(before, b->smem, SMEM);
			assert_false(work(b, bytes[i], 0));
			assert_int_equal(b->steps, STEPS);
			expect_sums(b, before);
		}
	}
}

/* A fault behind each of the commands; then a job that has none. */
BENCH_TEST(faults)
{
	for (uint32_t busy = 0; busy < 2; busy++)
		for (uint32_t after = 1; after <= STEPS; after++) {
			uint8_t before[SMEM];

			b->ready_percent = busy ? 5 : 100;
			assert_true(work(b, 64, after));
			memcpy(before, b->smem, SMEM);
			assert_false(work(b, 64, 0));
			expect_sums(b, before);
		}
}

/* Three cycles for 16 bytes when the port is free, and a command per cycle. */
BENCH_TEST(cycles)
{
	uint64_t short_job, long_job;

	assert_false(work(b, 16, 0));
	b->rng = rng_make(2, 1);
	b->cycle = 0;
	assert_false(work(b, 16, 0));
	short_job = b->cycle;
	b->rng = rng_make(2, 1);
	b->cycle = 0;
	assert_false(work(b, 16 * 101, 0));
	long_job = b->cycle;
	assert_int_equal(long_job - short_job, 300);
}
