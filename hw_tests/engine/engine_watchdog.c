/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_watchdog - ports that stop answering, in the middle of everything.
 *
 * Checks: for every channel of every port, with each kind of traffic alone and all of them at once,
 *         stopped at different times: a port on which something waits becomes dead, no other does;
 *         what needs it faults PORT_DEAD with an address of its own and drains, all else is done and
 *         right; multimem stores are complete on living ports; what is stuck on the pins stays (the
 *         rig's checker); RESUME and RESET work and new copies on the port fault; what comes late
 *         changes nothing; the engine's reset ends it all.
 *         Prefetches on their way to a dead port, and later ones, are done and fault nobody.
 *         Waits, stalls below the limit and a limit of 0 kill no port; one burst that is lost does in
 *         twice the limit, although its port goes on for others.
 */
#include <stdio.h>

#include "lib/cmocka_all.h"
#include "tma_regs.h"
#include "engine/engine_tests.h"
#include "engine/engine_traffic.h"
#include "engine/fault_cases.h"

#define WATCHDOG   500u
#define LIMIT      30000u
#define OTHER      0u /* queue that needs no port */
#define LATE       600u
#define LOST_SLACK 300u /* latency, and the cycles of a command */
#define AHEAD      60u  /* cycles after which the first address of a command has left */

static const uint32_t channels[] = { RIG_AR, RIG_R, RIG_AW, RIG_W, RIG_B, RIG_ALL_CHANNELS };
#define NUM_CHANNELS (sizeof(channels) / sizeof(channels[0]))

/* Cycles between the first command and the stop. */
static const uint32_t stops[] = { 0, 60, 170 };
#define NUM_STOPS (sizeof(stops) / sizeof(stops[0]))

struct scene {
	struct traffic *t;
	struct rig *rig;
	uint32_t queues; /* 1.. of them, beside OTHER */
	uint32_t port, channel, dead;
};

static uint32_t count_of(const struct scene *s, uint32_t queue)
{
	uint32_t n;

	rig_records(s->rig, queue, &n);
	return n;
}

static bool signalled(const struct scene *s, uint32_t queue)
{
	uint32_t n;
	const struct rig_record *r = rig_records(s->rig, queue, &n);

	return n && r[n - 1].record.kind == TMA_KIND_SIGNAL;
}

static void other_goes_on(const struct scene *s)
{
	const struct tma_command signal = fault_command(TMA_SIGNAL);
	uint32_t before = count_of(s, OTHER);

	assert_true(rig_submit(s->rig, OTHER, &signal) >= 0);
	assert_int_equal(rig_wait_records(s->rig, OTHER, before + 1, LIMIT), 0);
	assert_true(signalled(s, OTHER));
}

/* The fault names something of the command that it is of. */
static void check_fault(const struct scene *s, uint32_t queue)
{
	const struct rig_fault f = rig_fault(s->rig, queue);
	const struct rig_door d = rig_door_read(s->rig, queue);
	struct tma_command c = traffic_command(s->t->kind[queue], f.sequence);
	const struct rig_record *records;
	uint32_t n;

	assert_int_equal(f.code, TMA_FAULT_PORT_DEAD);
	assert_in_range(f.sequence, 0, TRAFFIC_COPIES - 1);
	assert_true(d.status & TMA_REG_DOOR_STATUS_FAULTED_MASK);
	if (s->t->kind[queue] == TRAFFIC_RING) {
		assert_true(f.address == rig_ring_base(s->rig, queue) + f.sequence * 64 ||
		            f.address == rig_completion_base(s->rig, queue) + f.sequence * 32);
		return;
	}
	assert_in_range(f.sequence, 0, d.head - 1);
	assert_int_equal(f.tag, queue);
	assert_true(f.address - c.global_address < c.size);
	records = rig_records(s->rig, queue, &n);
	assert_true(n >= 1);
	assert_int_equal(records[n - 1].record.kind, TMA_KIND_FAULT);
	assert_int_equal(records[n - 1].record.fault, TMA_FAULT_PORT_DEAD);
	assert_int_equal(records[n - 1].record.sequence, f.sequence);
	assert_int_equal(records[n - 1].record.address, f.address);
}

static void check_queue(const struct scene *s, uint32_t queue)
{
	enum traffic_kind kind = s->t->kind[queue];
	bool uses = traffic_channels(kind, s->port) != 0;

	if (rig_faulted(s->rig, queue)) {
		assert_true(s->dead && uses);
		check_fault(s, queue);
		/* What has issued is done wherever it can be. */
		if (kind == TRAFFIC_MULTIMEM)
			assert_true(traffic_done(s->t, queue, rig_door_read(s->rig, queue).head, ~s->dead));
		return;
	}
	assert_true(signalled(s, queue));
	assert_true(traffic_done(s->t, queue, TRAFFIC_COPIES, ~0u));
	assert_int_equal(rig_door_read(s->rig, queue).status, 0);
	assert_int_equal(rig_fault(s->rig, queue).code, 0);
}

static bool stuck(const struct scene *s, uint32_t channel)
{
	const struct tma_axi_out *out = &tma_sim_out(rig_sim(s->rig))->axi[s->port];

	switch (channel) {
	case RIG_AR:
		return out->ar_valid;
	case RIG_AW:
		return out->aw_valid;
	case RIG_W:
		return out->w_valid;
	default:
		return true;
	}
}

/* A new copy on the dead port, behind a RESUME or a RESET. */
static void fault_again(const struct scene *s, uint32_t queue, bool resume)
{
	const struct tma_command signal = fault_command(TMA_SIGNAL);
	enum traffic_kind kind = s->t->kind[queue];
	struct tma_command c = traffic_command(kind, 3);
	int64_t at;

	if (resume)
		assert_int_equal(rig_resume(s->rig, queue, rig_door_read(s->rig, queue).tail), RIG_OKAY);
	else
		assert_int_equal(rig_queue_reset(s->rig, queue), RIG_OKAY);
	assert_false(rig_faulted(s->rig, queue));
	assert_int_equal(rig_fault(s->rig, queue).count, 0);
	/* A ring is of no use any more. */
	if (kind != TRAFFIC_RING) {
		assert_true(rig_submit(s->rig, queue, &signal) >= 0);
		assert_int_equal(rig_wait_idle(s->rig, LIMIT), 0);
		assert_true(signalled(s, queue));
	}
	at = rig_submit(s->rig, queue, &c);
	assert_true(at >= 0);
	assert_int_equal(rig_wait_idle(s->rig, LIMIT), 0);
	assert_true(rig_faulted(s->rig, queue));
	assert_int_equal(rig_fault(s->rig, queue).code, TMA_FAULT_PORT_DEAD);
	assert_int_equal(rig_fault(s->rig, queue).sequence, at);
	if (kind != TRAFFIC_RING)
		assert_int_equal(rig_fault(s->rig, queue).address, c.global_address);
}

static void begin(const struct scene *s, const enum traffic_kind *kinds)
{
	traffic_reset(s->t);
	assert_int_equal(rig_watchdog(s->rig, WATCHDOG), 0);
	traffic_queue(s->t, OTHER, TRAFFIC_SHARED_COPIES);
	for (uint32_t q = 1; q <= s->queues; q++)
		traffic_queue(s->t, q, kinds[q - 1]);
}

static void submit_all(const struct scene *s)
{
	for (uint32_t q = 0; q <= s->queues; q++)
		traffic_submit(s->t, q);
}

static void check_all(struct scene *s)
{
	s->dead = rig_dead_ports(s->rig);
	assert_true(!s->dead || s->dead == 1u << s->port);
	assert_true(traffic_done(s->t, OTHER, TRAFFIC_COPIES, ~0u));
	for (uint32_t q = 0; q <= s->queues; q++)
		check_queue(s, q);
	assert_true(traffic_clean(s->t));
}

/* The port is dead. */
static void go_on_without_it(struct scene *s, uint32_t turn)
{
	other_goes_on(s);
	for (uint32_t q = 1; q <= s->queues; q++)
		if (rig_faulted(s->rig, q))
			fault_again(s, q, (turn + q) % 2);
	assert_true(stuck(s, s->channel) || s->channel == RIG_ALL_CHANNELS);
	/* What comes late is dropped. */
	assert_int_equal(rig_port_stop(s->rig, s->port, 0, 0), 0);
	rig_run(s->rig, LATE);
	assert_int_equal(rig_dead_ports(s->rig), s->dead);
	assert_true(traffic_clean(s->t));
	other_goes_on(s);
}

static void all_is_well_after_a_reset(const struct scene *s, const enum traffic_kind *kinds)
{
	begin(s, kinds);
	assert_int_equal(rig_dead_ports(s->rig), 0);
	submit_all(s);
	assert_int_equal(rig_wait_idle(s->rig, LIMIT), 0);
	for (uint32_t q = 0; q <= s->queues; q++) {
		assert_false(rig_faulted(s->rig, q));
		assert_true(signalled(s, q));
		assert_true(traffic_done(s->t, q, TRAFFIC_COPIES, ~0u));
	}
}

static bool awaited(const struct scene *s, const enum traffic_kind *kinds)
{
	bool any = false;

	for (uint32_t q = 1; q <= s->queues; q++)
		any |= (traffic_channels(kinds[q - 1], s->port) & s->channel) != 0;
	return any;
}

static void play(struct scene s, const enum traffic_kind *kinds, uint32_t turn)
{
	int failures = rig_failed(s.rig);

	begin(&s, kinds);
	assert_int_equal(rig_port_stop(s.rig, s.port, s.channel, stops[turn]), 0);
	submit_all(&s);
	assert_int_equal(rig_wait_idle(s.rig, LIMIT), 0);
	check_all(&s);
	/* A later stop may come when all is over. */
	if (!turn)
		assert_int_equal(s.dead, awaited(&s, kinds) ? 1u << s.port : 0);
	if (s.dead)
		go_on_without_it(&s, turn);
	if (!turn)
		all_is_well_after_a_reset(&s, kinds);
	assert_int_equal(rig_failed(s.rig), failures);
}

static void play_all(struct traffic *t, const enum traffic_kind *kinds, uint32_t queues)
{
	struct scene s = { .t = t, .rig = t->rig, .queues = queues };
	uint32_t step = engine_step(t->info->name, false);
	uint32_t scene = 0; /* where a scene has not every moment, the next one has another */

	for (s.port = 0; s.port < t->info->ports; s.port++)
		for (uint32_t c = 0; c < NUM_CHANNELS; c++, scene++) {
			uint32_t turns, turn;

			s.channel = channels[c];
			turns = awaited(&s, kinds) ? NUM_STOPS : 1;
			for (turn = scene % (step < turns ? step : turns); turn < turns; turn += step)
				play(s, kinds, turn);
		}
}

static void alone(struct traffic *t, enum traffic_kind kind)
{
	play_all(t, &kind, 1);
}

TRAFFIC_TEST(test_loads)
{
	alone(t, TRAFFIC_LOADS);
}

TRAFFIC_TEST(test_cp_async)
{
	alone(t, TRAFFIC_CP_ASYNC);
}

TRAFFIC_TEST(test_stores)
{
	alone(t, TRAFFIC_STORES);
}

TRAFFIC_TEST(test_multimem_stores)
{
	alone(t, TRAFFIC_MULTIMEM);
}

TRAFFIC_TEST(test_rings)
{
	alone(t, TRAFFIC_RING);
}

TRAFFIC_TEST(test_everything_at_once)
{
	static const enum traffic_kind kinds[] = { TRAFFIC_MULTIMEM, TRAFFIC_LOADS,    TRAFFIC_STORES,
		                                   TRAFFIC_RING,     TRAFFIC_CP_ASYNC, TRAFFIC_STORES };
	uint32_t most = sizeof(kinds) / sizeof(kinds[0]);

	play_all(t, kinds, t->info->queues - 1 < most ? t->info->queues - 1 : most);
}

/* A store of which most bursts have not begun when the port dies: all of them reach the other ports. */
TRAFFIC_TEST(test_long_multimem_store)
{
	static const uint32_t stopped[] = { RIG_AW, RIG_W, RIG_B };
	const struct tma_command c = traffic_long_store(t);
	uint32_t all = (1u << t->info->ports) - 1;

	for (uint32_t port = 0; port < t->info->ports; port++)
		for (uint32_t i = 0; i < sizeof(stopped) / sizeof(stopped[0]); i++) {
			traffic_reset(t);
			assert_int_equal(rig_watchdog(t->rig, WATCHDOG), 0);
			traffic_queue(t, OTHER, TRAFFIC_SHARED_COPIES);
			traffic_queue(t, 1, TRAFFIC_MULTIMEM);
			assert_int_equal(rig_port_stop(t->rig, port, stopped[i], 0), 0);
			assert_false(traffic_long_store_done(t, all));
			assert_true(rig_submit(t->rig, 1, &c) >= 0);
			assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
			assert_int_equal(rig_fault(t->rig, 1).code, TMA_FAULT_PORT_DEAD);
			assert_int_equal(rig_fault(t->rig, 1).address, c.global_address);
			assert_int_equal(rig_fault(t->rig, 1).count, 1);
			assert_int_equal(rig_dead_ports(t->rig), 1u << port);
			assert_true(traffic_long_store_done(t, all & ~(1u << port)));
			/* Once more, on a port that is dead from the start. */
			assert_int_equal(rig_queue_reset(t->rig, 1), RIG_OKAY);
			assert_true(rig_submit(t->rig, 1, &c) >= 0);
			assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
			assert_int_equal(rig_fault(t->rig, 1).code, TMA_FAULT_PORT_DEAD);
			assert_int_equal(rig_fault(t->rig, 1).count, 1);
			assert_true(traffic_long_store_done(t, all & ~(1u << port)));
		}
	assert_int_equal(rig_failed(t->rig), 0);
}

/* Prefetches: those whose data is owed when the port dies, and those that come later. */
TRAFFIC_TEST(test_prefetches)
{
	static const uint32_t stopped[] = { RIG_AR, RIG_R };
	struct tma_command c = traffic_command(TRAFFIC_LOADS, 0), prefetch = fault_command(TMA_BULK_PREFETCH);

	prefetch.global_address = c.global_address;
	prefetch.size = c.size;
	for (uint32_t i = 0; i < sizeof(stopped) / sizeof(stopped[0]); i++) {
		traffic_reset(t);
		assert_int_equal(rig_watchdog(t->rig, WATCHDOG), 0);
		traffic_queue(t, 1, TRAFFIC_LOADS);
		assert_int_equal(rig_port_stop(t->rig, 0, stopped[i], 0), 0);
		for (uint32_t turn = 0; turn < 2; turn++) {
			for (uint32_t n = 0; n < TRAFFIC_COPIES; n++)
				assert_true(rig_submit(t->rig, 1, &prefetch) >= 0);
			assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
			rig_run(t->rig, turn ? 0 : 2 * WATCHDOG + LOST_SLACK);
			assert_int_equal(rig_dead_ports(t->rig), 1);
			assert_false(rig_faulted(t->rig, 1));
		}
		assert_int_equal(rig_queue_reset(t->rig, 1), RIG_OKAY);
	}
	assert_int_equal(rig_failed(t->rig), 0);
}

/*
 * One burst is lost, and others go on on its side of the port: commands that need it less often than twice
 * in the watchdog's limit. A round of that many cycles begins and is over at most when it is lost, the
 * next one finds it.
 */
static void lose(struct traffic *t, enum traffic_kind lost, enum traffic_kind others, enum rig_dir dir)
{
	struct scene s = { .t = t, .rig = t->rig, .queues = 1, .channel = RIG_ALL_CHANNELS };
	struct tma_command c = traffic_command(lost, 0);
	uint32_t accesses = 0;

	traffic_reset(t);
	assert_int_equal(rig_watchdog(t->rig, WATCHDOG), 0);
	traffic_queue(t, OTHER, others);
	traffic_queue(t, 1, lost);
	assert_int_equal(rig_port_lose(t->rig, 0, dir), 0);
	c.tag = 1;
	assert_true(rig_submit(t->rig, 1, &c) >= 0);
	rig_run(t->rig, AHEAD);
	for (uint64_t end = rig_cycle(t->rig) + 2 * WATCHDOG + LOST_SLACK; rig_cycle(t->rig) < end;) {
		c = traffic_command(others, accesses++ % TRAFFIC_COPIES);
		c.tag = OTHER;
		assert_true(rig_submit(t->rig, OTHER, &c) >= 0);
		rig_run(t->rig, WATCHDOG / 3);
	}
	s.dead = rig_dead_ports(t->rig);
	assert_int_equal(s.dead, 1);
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	check_fault(&s, 1);
	/* Its life ends, and so does that of the one beside it. */
	assert_int_equal(rig_queue_reset(t->rig, 1), RIG_OKAY);
	assert_int_equal(rig_queue_reset(t->rig, OTHER), RIG_OKAY);
	for (uint32_t q = 0; q < 2; q++) {
		traffic_queue(t, q, TRAFFIC_SHARED_COPIES);
		traffic_submit(t, q);
	}
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	assert_true(signalled(&s, 1) && traffic_done(t, 1, TRAFFIC_COPIES, ~0u));
	assert_int_equal(rig_failed(t->rig), 0);
}

TRAFFIC_TEST(test_lost_bursts)
{
	lose(t, TRAFFIC_LOADS, TRAFFIC_CP_ASYNC, RIG_READ);
	lose(t, TRAFFIC_CP_ASYNC, TRAFFIC_LOADS, RIG_READ);
	lose(t, TRAFFIC_STORES, TRAFFIC_STORES, RIG_WRITE);
}

int engine_watchdog(const char *name, const char *config, const struct rig_opts *opts)
{
	return traffic_run(name, config, opts, file_tests, num_file_tests);
}
