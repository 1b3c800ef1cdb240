/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_patience - what the watchdog must leave alone, and what it must end.
 *
 * Checks: waits of queues, a full completion ring and stalls below the limit, however often, kill no
 *         port; a limit of 0 never does, and setting one does; a port that stands holds up no other, and of
 *         broadcasts to it only those behind; a RESET or a disabled queue on a port
 *         that does not answer is over when the port is dead, without a fault in its next life.
 */

#include "lib/cmocka_all.h"
#include "tma_regs.h"
#include "engine/engine_tests.h"
#include "engine/engine_traffic.h"
#include "engine/fault_cases.h"

#define OTHER 0u
#define QUEUE 1u
#define SHORT 200u /* limit when nothing may trip it, so that much would */
#define LIMIT 40000u

static void submit(struct traffic *t, uint32_t queue, struct tma_command c)
{
	assert_true(rig_submit(t->rig, queue, &c) >= 0);
}

static void check_done(struct traffic *t, uint32_t queue)
{
	const struct rig_record *r;
	uint32_t n;

	assert_false(rig_faulted(t->rig, queue));
	r = rig_records(t->rig, queue, &n);
	assert_true(n);
	assert_int_equal(r[n - 1].record.kind, TMA_KIND_SIGNAL);
	assert_true(traffic_done(t, queue, TRAFFIC_COPIES, ~0u));
}

/* A queue that sleeps, with a port that has just been used. */
TRAFFIC_TEST(test_waits_kill_nothing)
{
	struct tma_command wait = fault_on_barrier(TMA_MBARRIER_TRY_WAIT);

	/* A barrier that expects bytes of a copy which never comes. */
	wait.flags = TMA_FLAG_PARITY;
	wait.tx = UINT32_MAX;
	wait.barrier = traffic_command(TRAFFIC_LOADS, TRAFFIC_COPIES - 1).barrier;
	for (enum traffic_kind kind = TRAFFIC_NONE + 1; kind < TRAFFIC_KINDS; kind++) {
		if (kind == TRAFFIC_LOADS)
			continue;
		traffic_reset(t);
		assert_int_equal(rig_watchdog(t->rig, SHORT), 0);
		traffic_queue(t, OTHER, TRAFFIC_SHARED_COPIES);
		traffic_queue(t, QUEUE, kind);
		traffic_submit(t, QUEUE);
		submit(t, QUEUE, wait);
		rig_run(t->rig, 10 * SHORT);
		assert_true(rig_door_read(t->rig, QUEUE).status & TMA_REG_DOOR_STATUS_WAITING_MASK);
		assert_int_equal(rig_dead_ports(t->rig), 0);
		check_done(t, QUEUE);
		assert_int_equal(rig_cancel(t->rig, QUEUE), RIG_OKAY);
		assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
		assert_int_equal(rig_fault(t->rig, QUEUE).code, TMA_FAULT_CANCELLED);
		assert_int_equal(rig_dead_ports(t->rig), 0);
	}
	assert_int_equal(rig_failed(t->rig), 0);
}

/* Nobody takes the records: the bursts of the queue are done, what waits is inside. */
TRAFFIC_TEST(test_full_ring_kills_nothing)
{
	traffic_reset(t);
	assert_int_equal(rig_watchdog(t->rig, SHORT), 0);
	traffic_queue(t, OTHER, TRAFFIC_SHARED_COPIES);
	traffic_ring(t, QUEUE, RIG_CONSUMER_HELD);
	for (uint32_t i = 0; i < 4 * TRAFFIC_COPIES; i++)
		submit(t, QUEUE, fault_command(TMA_SIGNAL));
	rig_run(t->rig, 10 * SHORT);
	assert_true(rig_door_read(t->rig, QUEUE).status & TMA_REG_DOOR_STATUS_FULL_MASK);
	assert_int_equal(rig_dead_ports(t->rig), 0);
	rig_consumer(t->rig, QUEUE, RIG_CONSUMER_EAGER);
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	check_done(t, QUEUE);
	assert_int_equal(rig_failed(t->rig), 0);
}

/* Each channel stands still for less than the limit, time and again. */
TRAFFIC_TEST(test_short_stalls_kill_nothing)
{
	static const uint32_t channels[] = { RIG_AR, RIG_R, RIG_AW, RIG_W, RIG_B, RIG_ALL_CHANNELS };
	const uint32_t limit = 400, stall = 250, go = 40;

	for (enum traffic_kind kind = TRAFFIC_NONE + 1; kind < TRAFFIC_KINDS; kind++)
		for (uint32_t c = 0; c < sizeof(channels) / sizeof(channels[0]); c++) {
			traffic_reset(t);
			assert_int_equal(rig_watchdog(t->rig, limit), 0);
			traffic_queue(t, QUEUE, kind);
			traffic_submit(t, QUEUE);
			for (uint32_t round = 0; round < 8; round++) {
				for (uint32_t p = 0; p < t->info->ports; p++)
					assert_int_equal(rig_port_stop(t->rig, p, channels[c], 0), 0);
				rig_run(t->rig, stall);
				for (uint32_t p = 0; p < t->info->ports; p++)
					assert_int_equal(rig_port_stop(t->rig, p, 0, 0), 0);
				rig_run(t->rig, go);
			}
			assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
			assert_int_equal(rig_dead_ports(t->rig), 0);
			check_done(t, QUEUE);
		}
	assert_int_equal(rig_failed(t->rig), 0);
}

/* A port takes the data of each broadcast only after the others have had all of it, now this one, now that, as
 * memories do that another engine broadcasts to as well and that saw the two in different orders. */
TRAFFIC_TEST(test_ports_take_turns)
{
	uint32_t p;

	traffic_reset(t);
	traffic_queue(t, QUEUE, TRAFFIC_MULTIMEM);
	for (uint32_t i = 0; i < TRAFFIC_COPIES && t->info->ports > 1; i++) {
		p = i % t->info->ports;
		assert_int_equal(rig_port_stop(t->rig, p, RIG_W, 0), 0);
		submit(t, QUEUE, traffic_command(TRAFFIC_MULTIMEM, i));
		rig_run(t->rig, 2000);
		assert_true(traffic_done(t, QUEUE, i + 1, ~(1u << p)));
		assert_false(traffic_done(t, QUEUE, i + 1, ~0u));
		assert_int_equal(rig_port_stop(t->rig, p, 0, 0), 0);
		assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
		assert_true(traffic_done(t, QUEUE, i + 1, ~0u));
	}
	assert_int_equal(rig_failed(t->rig), 0);
}

/* A channel of port 1 stands still under the broadcasts of a queue: stores and records of others go on. */
TRAFFIC_TEST(test_broadcasts_hold_up_nobody)
{
	static const uint32_t channels[] = { RIG_AW, RIG_W, RIG_B };

	for (uint32_t c = 0; c < 3 && t->info->ports > 1; c++) {
		traffic_reset(t);
		traffic_queue(t, QUEUE, TRAFFIC_MULTIMEM);
		traffic_queue(t, QUEUE + 1, TRAFFIC_STORES);
		traffic_queue(t, QUEUE + 2, TRAFFIC_RING);
		assert_int_equal(rig_port_stop(t->rig, 1, channels[c], 0), 0);
		traffic_submit(t, QUEUE);
		rig_run(t->rig, 1000);
		traffic_submit(t, QUEUE + 1);
		traffic_submit(t, QUEUE + 2);
		rig_run(t->rig, 10000);
		check_done(t, QUEUE + 1);
		check_done(t, QUEUE + 2);
		assert_true(rig_door_read(t->rig, QUEUE).status & TMA_REG_DOOR_STATUS_WAITING_MASK);
		assert_int_equal(rig_port_stop(t->rig, 1, 0, 0), 0);
		assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
		check_done(t, QUEUE);
		assert_int_equal(rig_dead_ports(t->rig), 0);
	}
	assert_int_equal(rig_failed(t->rig), 0);
}

/* No limit: the port may take its time. */
TRAFFIC_TEST(test_no_limit)
{
	for (enum traffic_kind kind = TRAFFIC_NONE + 1; kind < TRAFFIC_KINDS; kind++) {
		traffic_reset(t);
		traffic_queue(t, QUEUE, kind);
		for (uint32_t p = 0; p < t->info->ports; p++)
			assert_int_equal(rig_port_stop(t->rig, p, RIG_ALL_CHANNELS, 60), 0);
		traffic_submit(t, QUEUE);
		rig_run(t->rig, 5000);
		assert_int_equal(rig_dead_ports(t->rig), 0);
		for (uint32_t p = 0; p < t->info->ports; p++)
			assert_int_equal(rig_port_stop(t->rig, p, 0, 0), 0);
		assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
		check_done(t, QUEUE);
	}
	assert_int_equal(rig_failed(t->rig), 0);
}

/* A port that hangs without a limit is dead soon after one is set. */
TRAFFIC_TEST(test_late_limit)
{
	traffic_reset(t);
	traffic_queue(t, QUEUE, TRAFFIC_STORES);
	assert_int_equal(rig_port_stop(t->rig, 0, RIG_B, 0), 0);
	traffic_submit(t, QUEUE);
	rig_run(t->rig, 3000);
	assert_int_equal(rig_fault(t->rig, QUEUE).code, 0);
	assert_int_equal(rig_watchdog(t->rig, SHORT), 0);
	rig_run(t->rig, SHORT + 50);
	assert_int_equal(rig_dead_ports(t->rig), 1);
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	assert_int_equal(rig_fault(t->rig, QUEUE).code, TMA_FAULT_PORT_DEAD);
	assert_int_equal(rig_failed(t->rig), 0);
}

/* The life of a queue ends while a port hangs: by RESET, or it is disabled and set up anew. */
static void end_of_life(struct traffic *t, enum traffic_kind kind, uint32_t port, bool reset)
{
	traffic_reset(t);
	assert_int_equal(rig_watchdog(t->rig, 4 * SHORT), 0);
	traffic_queue(t, OTHER, TRAFFIC_SHARED_COPIES);
	traffic_queue(t, QUEUE, kind);
	assert_int_equal(rig_port_stop(t->rig, port, RIG_ALL_CHANNELS, 30), 0);
	traffic_submit(t, QUEUE);
	rig_run(t->rig, SHORT);
	assert_int_equal(rig_dead_ports(t->rig), 0);
	if (reset)
		assert_int_equal(rig_queue_reset(t->rig, QUEUE), RIG_OKAY);
	else
		traffic_queue(t, QUEUE, TRAFFIC_SHARED_COPIES);
	/* Its end has waited for the port's. */
	assert_int_equal(rig_dead_ports(t->rig), 1u << port);
	assert_int_equal(rig_door_read(t->rig, QUEUE).status, 0);
	assert_int_equal(rig_fault(t->rig, QUEUE).count, 0);
	traffic_submit(t, OTHER);
	if (kind != TRAFFIC_RING || !reset)
		submit(t, QUEUE, fault_command(TMA_SIGNAL));
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	assert_int_equal(rig_fault(t->rig, QUEUE).count, 0);
	if (kind != TRAFFIC_RING || !reset)
		assert_false(rig_faulted(t->rig, QUEUE));
	check_done(t, OTHER);
}

TRAFFIC_TEST(test_ends_of_lives)
{
	for (enum traffic_kind kind = TRAFFIC_NONE + 1; kind < TRAFFIC_KINDS; kind++)
		for (uint32_t port = 0; port < t->info->ports; port++)
			for (int reset = 0; reset < 2 && traffic_channels(kind, port); reset++)
				end_of_life(t, kind, port, reset);
	assert_int_equal(rig_failed(t->rig), 0);
}

int engine_patience(const char *name, const char *config, const struct rig_opts *opts)
{
	return traffic_run(name, config, opts, file_tests, num_file_tests);
}
