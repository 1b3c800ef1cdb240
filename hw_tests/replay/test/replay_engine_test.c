/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The replay sees every way in which an engine can be wrong. The engines are the C model behind a
 * back end that does one thing wrong, once or always.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "replay/test/replay_fixture.h"

static uint32_t events; /* of the kind that the faulty engine counts */

static int lost_byte(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t len)
{
	/* Of a window; barriers are eight bytes. */
	if (len > 8 && events++ == 40) {
		uint8_t last;

		replay_model.smem_read(engine, cta, offset + len - 1, &last, 1);
		last ^= 1;
		replay_model.smem_write(engine, cta, offset + len - 1, &last, 1);
	}
	return replay_model.smem_read(engine, cta, offset, bytes, len);
}

static int stray_write(void *engine)
{
	if (events++ == 20) {
		uint8_t byte;

		replay_model.smem_read(engine, 1, 65535, &byte, 1);
		byte ^= 0x80;
		replay_model.smem_write(engine, 1, 65535, &byte, 1);
	}
	return replay_model.advance(engine);
}

static int no_time(void *engine)
{
	(void)engine;
	return 0;
}

static int bad_command(void *engine, uint32_t queue, const struct tma_command *command)
{
	struct tma_command changed = *command;

	if (command->opcode == TMA_BULK_LOAD && events++ == 5)
		changed.size += 8;
	return replay_model.submit(engine, queue, &changed);
}

static int short_copy(void *engine, uint32_t queue, const struct tma_command *command)
{
	struct tma_command changed = *command;

	if (command->opcode == TMA_BULK_LOAD && events++ == 5)
		changed.size -= 16;
	return replay_model.submit(engine, queue, &changed);
}

static int wrong_answer(void *engine, struct tma_record *record)
{
	int got = replay_model.record(engine, record);

	if (got && record->kind == TMA_KIND_ANSWER && events++ == 100)
		record->value ^= 1;
	return got;
}

static int extra_record(void *engine, struct tma_record *record)
{
	if (events++ == 50) {
		*record = (struct tma_record){ .kind = TMA_KIND_RETIRED, .tag = 0x7FFF0000 };
		return 1;
	}
	return replay_model.record(engine, record);
}

static int dies(void *engine)
{
	return events++ == 10 ? -1 : replay_model.advance(engine);
}

static uint32_t broken_rules(void *engine)
{
	(void)engine;
	return 2;
}

static struct stream_result run_wrong(const char *name)
{
	events = 0;
	return fixture_whole(name);
}

FIXTURE_TEST(wrong_byte)
{
	struct stream_result r;

	fixture_backend.smem_read = lost_byte;
	r = run_wrong("bulk_load.vec.xz");
	assert_int_equal(r.failed, 1);
	assert_int_equal(r.passed, 59);
	fixture_logged("1 bytes differ");
}

FIXTURE_TEST(wrong_place)
{
	struct stream_result r;

	fixture_backend.advance = stray_write;
	r = run_wrong("bulk_load.vec.xz");
	assert_int_equal(r.failed, 1);
}

FIXTURE_TEST(never_done)
{
	struct stream_result r;

	fixture_backend.advance = no_time;
	r = run_wrong("bulk_load.vec.xz");
	assert_int_equal(r.passed, 0);
	assert_int_equal(r.failed, 60);
	r = run_wrong("mbarrier.mbr.xz");
	assert_int_equal(r.passed, 0);
	assert_int_equal(r.failed, 2000);
	fixture_logged("no record of step");
	r = run_wrong("bulk_store.vec.xz");
	assert_int_equal(r.failed, 50);
	fixture_logged("its bulk group did not complete");
}

FIXTURE_TEST(fault)
{
	struct stream_result r;

	fixture_backend.submit = bad_command;
	r = run_wrong("bulk_load.vec.xz");
	assert_in_range(r.failed, 1, 32);
	assert_int_equal(r.passed + r.failed, 60);
	fixture_logged("fault SIZE_GRANULE (0x0020)");
}

FIXTURE_TEST(too_few_bytes)
{
	struct stream_result r;

	fixture_backend.submit = short_copy;
	r = run_wrong("bulk_load.vec.xz");
	assert_in_range(r.failed, 1, 32);
	assert_int_equal(r.passed + r.failed, 60);
	fixture_logged("it counted");
}

FIXTURE_TEST(wrong_records)
{
	struct stream_result r;

	fixture_backend.record = wrong_answer;
	r = run_wrong("mbarrier.mbr.xz");
	assert_in_range(r.failed, 1, 32);
	fixture_logged("expected kind 2, value");
	fixture_backend.record = extra_record;
	r = run_wrong("mbarrier.mbr.xz");
	assert_int_equal(r.failed, 1);
	fixture_logged("record that nothing waits for");
}

static uint32_t on_rings;

/* Which queues have rings, by the queue; and how many commands went to them. */
static int count_queue(void *engine, uint32_t queue, uint32_t cta, bool ring,
                       const struct replay_window *windows, uint32_t num_windows)
{
	on_rings |= (uint32_t)ring << queue;
	return replay_model.queue(engine, queue, cta, ring, windows, num_windows);
}

static uint32_t commands[2];

static int count_command(void *engine, uint32_t queue, const struct tma_command *command)
{
	commands[on_rings >> queue & 1]++;
	return replay_model.submit(engine, queue, command);
}

/* Half of the records go each way, or all of them one way, also where there are two queues. */
FIXTURE_TEST(fronts)
{
	static const char *const configs[] = { "small", "default", "max" };
	struct file f = fixture_load("bulk_load.vec.xz");

	fixture_backend.queue = count_queue;
	fixture_backend.submit = count_command;
	for (uint32_t c = 0; c < 3; c++) {
		for (uint32_t front = STREAM_ALTERNATE; front <= STREAM_RING; front++) {
			uint32_t queues = c == 0 ? 2 : c == 1 ? 8 : 16, direct, ring;

			on_rings = 0;
			commands[0] = commands[1] = 0;
			fixture_front = (enum stream_front)front;
			assert_int_equal(fixture_run(&f, &fixture_backend, configs[c], STREAM_ALL, 1).passed,
			                 60);
			ring = (uint32_t)__builtin_popcount(on_rings);
			direct = queues - ring;
			assert_int_equal(ring, front == STREAM_DIRECT ? 0
			                       : front == STREAM_RING ? queues
			                                              : queues / 2);
			assert_int_equal(!direct, !commands[0]);
			assert_int_equal(!ring, !commands[1]);
			if (front == STREAM_ALTERNATE)
				/* Each of 30 records has one at least. */
				assert_true(commands[0] >= 30 && commands[1] >= 30);
		}
	}
	fixture_front = STREAM_ALTERNATE;
	free(f.bytes);
}

FIXTURE_TEST(broken_engine)
{
	struct stream_result r;

	fixture_backend.failures = broken_rules;
	r = run_wrong("bulk_shared.vec.xz");
	assert_int_equal(r.failed, 1);
	fixture_logged("2 broken rules");
	fixture_backend = replay_model;
	fixture_backend.advance = dies;
	r = run_wrong("bulk_shared.vec.xz");
	assert_true(r.failed > 0);
	fixture_logged("the engine stopped working");
}

int main(void)
{
	return run_file_tests("tests");
}
