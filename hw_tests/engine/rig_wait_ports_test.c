/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rig_wait_ports_test - how long a command waits for a port that stands still, against the bounds of docs/progress.md.
 *
 *	queues of strangers --+--> port 1, which takes no data
 *	the victim's queue  --+--> port 0, from the cycle in which its command is taken to its address or record
 *
 * As rig_wait_test, but for engines of two ports and more. It is quick, so that `make test` has it of `default`.
 */
#include <string.h>

#include "engine/rig_wait.h"

/* A broadcast to port 0 behind broadcasts to port 1, which takes no data: until it is called dead. */
TEST(test_broadcast_behind_a_standing_port)
{
	const struct tma_command stuck = { .opcode = TMA_MULTIMEM_BULK_STORE,
		                           .global_address = OBJECT,
		                           .size = PAGE },
				 own = { .opcode = TMA_MULTIMEM_BULK_STORE,
		                         .global_address = OBJECT + PAGE,
		                         .size = 16 };
	const uint32_t watchdog = 4000;
	struct wait w;
	uint64_t bound;

	wait_open(&w, *state, 4, RIG_DIRECT);
	if (w.info->ports < 2)
		wait_skip(&w);
	w.faults = true;
	wait_begin(&w);
	assert_int_equal(rig_watchdog(w.rig, watchdog), 0);
	assert_int_equal(rig_port_stop(w.rig, 1, RIG_W, 0), 0);
	wait_add(&w, stuck);
	wait_run(&w, 200);
	bound = watchdog + wait_in_front(&w) * PAGE / w.info->data_bytes + SOME;
	wait_judge(&w, "a broadcast behind a standing port", wait_measure(&w, own, WRITE, bound), bound, 70);
	wait_close(&w);
}

/* Cycles from the taking of a load and a store of the victim to the record of their end. */
static uint64_t measure_copies(struct wait *w, uint64_t bound)
{
	const struct tma_command copies[] = {
		wait_bulk(TMA_BULK_STORE, PAGE),
		wait_bulk(TMA_BULK_LOAD, PAGE),
		{ .opcode = TMA_BULK_COMMIT_GROUP },
		{ .opcode = TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_RECORD },
	};
	uint32_t before, now, first = rig_accepted(w->rig, VICTIM);
	const struct rig_record *r = rig_records(w->rig, VICTIM, &before);
	uint64_t cycles = 0;

	for (uint32_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++)
		assert_true(wait_submit(w, VICTIM, copies[i]) >= 0);
	do {
		wait_run(w, 1);
		r = rig_records(w->rig, VICTIM, &now);
	} while (now == before && cycles++ < 2 * bound);
	return now == before ? cycles : r[before].cycle - rig_accept_cycle(w->rig, VICTIM, first);
}

/* A load, a store and a record at port 0 beside reductions to port 0 behind reductions to port 1, which takes no data. */
TEST(test_copies_beside_a_standing_reduction)
{
	struct tma_command stuck = { .opcode = TMA_MULTIMEM_BULK_REDUCE,
		                     .op = TMA_REDUCE_ADD,
		                     .type = TMA_TYPE_U32,
		                     .global_address = OBJECT,
		                     .size = 16 },
			   other = wait_bulk(TMA_BULK_REDUCE, 16);
	uint64_t most = 0, bound;
	struct wait w;

	wait_open(&w, *state, 4, RIG_DIRECT);
	if (w.info->ports < 2 || !w.info->reductions)
		wait_skip(&w);
	wait_begin(&w);
	assert_int_equal(rig_port_stop(w.rig, 1, RIG_W, 0), 0);
	other.op = TMA_REDUCE_ADD;
	other.type = TMA_TYPE_U32;
	other.global_address += 2 * PAGE;
	for (uint32_t i = 0; i < 4; i++) {
		stuck.global_address = OBJECT + i * LINE;
		wait_add(&w, stuck);
		wait_add(&w, other);
	}
	bound = 2 * (PAGE / w.info->data_bytes) + w.latency + SOME;
	for (uint32_t i = 0; i < 20; i++) {
		uint64_t got;

		wait_run(&w, 20 + i);
		got = measure_copies(&w, bound);
		most = got > most ? got : most;
	}
	wait_judge(&w, "copies beside a standing reduction", most, bound, 45);
	wait_close(&w);
}

/* Bounds are of the engine and not of a memory that stalls, and `max` is slow. */
int wait_port_tests(const char *name, struct where *w)
{
	if (w->opts.stall_percent || strcmp(w->config, "max") == 0)
		return 0;
	return run_file_tests_on(name, w);
}
