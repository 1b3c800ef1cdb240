/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_corners - programs that reach what random ones seldom do: queues that fill up while a port or
 * the response port is silent, and events that meet in one cycle, each tried at many distances.
 *
 * Checks: every byte is old or what its copy brings; of queues that were neither stopped nor reset all
 *         copies, arrivals, signals are complete and exact; a queue that stops has a fault that its scene
 *         allows; behind each scene every queue works again.
 *
 * A scene is a text. QUEUE LETTER [*COUNT] is commands of a queue, as "1l*8":
 *	i, l, L load 16, 64, 1024 bytes   u, U load to both CTAs   s, S store   x, X copy to CTA 1
 *	c cp.async   q its arrival        g, j commits of groups   k SIGNAL     d no command
 *	m arrive at one of 15 barriers    r copy that barrier      a arrive at barrier 0
 *	w, v wait for that, for 60 cycles                          p long prefetch
 *	t, h tile load, half outside      T tile store             y prefetch of a map, f fence of it
 *	D dense load in five dimensions
 *	z, o swizzled load, that fails    J narrow load that fails
 *	e, E load, store that fails       H, K high tile load, store that fails in the middle
 *	n, N load, store outside the windows, P prefetch           b prefetch that fails
 *	Y, Z prefetch of a map that fails O, Q tile prefetch with a map that is not all, or not of queue 1
 * Anything else is what happens around: !CHANNELS stop, ! go on; ~N cycles, ~ the scene's distance; #Q
 * cancel, %Q reset, >Q:I resume, @Q:TAIL doorbell, ^Q:I slot that cannot be read; =N writes from outside,
 * ? dead barriers.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "tma_regs.h"
#include "engine/engine_corners.h"
#include "engine/engine_tests.h"
#include "engine/fault_cases.h"

struct scene {
	const char *name, *text;
	uint32_t rings;     /* mask */
	uint32_t distances; /* the scene is run at each of them */
	uint32_t lives;     /* mask: queues that end a life, which may cut copies short */
	uint16_t faults[4]; /* that its queues may stop with */
	uint32_t first;     /* sequence number that its queues begin with; their first command fails */
};

/*
 * A scene.
 */

static void begin(struct world *w, const struct scene *s)
{
	static const struct rig_window windows[] = {
		{ BASE, BASE + WRITTEN - 1, RIG_READ },
		{ BASE + WRITTEN, BASE + OWN - 1, RIG_BOTH },
		{ BASE + OWN, BASE + CLOSED - 1, RIG_READ },
	};

	rig_reset(w->rig);
	rig_clear_errors(w->rig);
	rig_map_error(w->rig, 0, RIG_BOTH, BASE + BAD, PAGE, RIG_SLVERR);
	rig_map_error(w->rig, 0, RIG_READ, BASE + CLOSED - 64, 64, RIG_SLVERR);
	memcpy(w->memory, w->global, sizeof(w->memory));
	memset(w->want_global, -1, sizeof(w->want_global));
	memset(w->want_shared, -1, sizeof(w->want_shared));
	memset(w->signals, 0, sizeof(w->signals));
	memset(w->arrived, 0, sizeof(w->arrived));
	memset(w->moved, 0, sizeof(w->moved));
	w->load_at[0] = w->load_at[1] = TARGET;
	w->store_at = w->next = 0;
	for (uint32_t cta = 0; cta < 2; cta++)
		rig_smem_post_write(w->rig, cta, 0, w->shared[cta], SHARED);
	rig_smem_flush(w->rig);
	for (uint32_t q = 0; q < QUEUES; q++) {
		struct rig_queue setup = { .stream = (uint8_t)(q + 1),
			                   .windows = windows,
			                   .num_windows = q ? 2 : 3,
			                   .ring_log2 = 6,
			                   .completion_log2 = 4 };

		setup.first_command = s->first;
		setup.front = s->rings >> q & 1 ? RIG_RING : RIG_DIRECT;
		assert_int_equal(rig_queue_setup(w->rig, q, &setup), 0);
	}
}

static void around(struct world *w, char what, uint32_t n, uint32_t tail)
{
	static const uint8_t dead[15 * 8];

	switch (what) {
	case '!':
		assert_int_equal(rig_port_stop(w->rig, 0, n, 0), 0);
		return;
	case '~':
		rig_run(w->rig, n);
		return;
	case '#':
		rig_csr_write(w->rig, TMA_REG_DOOR_CANCEL(n), TMA_REG_DOOR_CANCEL_CANCEL_MASK);
		return;
	case '%':
		rig_csr_write(w->rig, TMA_REG_DOOR_RESET(n), TMA_REG_DOOR_RESET_RESET_MASK);
		return;
	case '@':
		rig_csr_write(w->rig, TMA_REG_DOOR_TAIL(n), tail);
		return;
	case '>':
		for (uint32_t last = 0; rig_resume(w->rig, n, tail) != RIG_OKAY; last++)
			assert_in_range(last, 0, 1000);
		return;
	case '=':
		while (n--)
			for (uint32_t cta = 0; cta < 2; cta++)
				rig_smem_post_write(w->rig, cta, SOURCE, w->shared[cta] + SOURCE, 256);
		return;
	case '?':
		for (uint32_t cta = 0; cta < 2; cta++)
			rig_smem_write(w->rig, cta, BARS + 8, dead, sizeof(dead));
		return;
	case '^':
		rig_map_error(w->rig, 0, RIG_READ, rig_ring_base(w->rig, n) + 64 * tail, 64, RIG_SLVERR);
		return;
	default:
		fail_msg("no such word: %c", what);
	}
}

static void play(struct world *w, const char *text, uint32_t distance)
{
	while (*text) {
		uint32_t n, more = 0;
		char what = *text++;
		char *end;

		if (what == ' ')
			continue;
		if (what >= '0' && what <= '9') {
			uint32_t queue = (uint32_t)(what - '0'), count = 1;
			char word = *text++;

			if (*text == '*') {
				count = (uint32_t)strtoul(text + 1, &end, 10);
				text = end;
			}
			while (count--) {
				const struct tma_command c = corner_command(w, queue, word);

				assert_true(rig_submit(w->rig, queue, &c) >= 0);
			}
			continue;
		}
		n = what == '~' ? distance : 0;
		if (*text >= '0' && *text <= '9') {
			n = (uint32_t)strtoul(text, &end, 10);
			text = end;
		}
		if (*text == ':') {
			more = (uint32_t)strtoul(text + 1, &end, 10);
			text = end;
		}
		around(w, what, n, more);
	}
}

static uint32_t signals_of(struct world *w, uint32_t queue)
{
	uint32_t n, count = 0;
	const struct rig_record *r = rig_records(w->rig, queue, &n);

	while (n--)
		count += r[n].record.kind == TMA_KIND_SIGNAL;
	return count;
}

/* No byte is neither what it was nor what a copy brings; all of them are there, if all is done. */
static void check_bytes(const char *where, const uint8_t *now, const uint8_t *old, const int16_t *want,
                        uint32_t from, uint32_t to, bool done)
{
	for (uint32_t i = from; i < to; i++)
		if (want[i] < 0 ? now[i] != old[i]
		                : want[i] != ANY && now[i] != want[i] && (done || now[i] != old[i]))
			fail_msg("%s: byte %#x is %02x, was %02x, is to be %d", where, i, now[i], old[i],
			         want[i]);
}

static void check(struct world *w, const struct scene *s)
{
	static uint8_t now[2][SHARED];
	bool done = !s->lives;

	for (uint32_t q = 0; q < QUEUES; q++) {
		const struct rig_fault f = rig_fault(w->rig, q);

		if (f.code) {
			if (f.code != s->faults[0] && f.code != s->faults[1] && f.code != s->faults[2] &&
			    f.code != s->faults[3])
				fail_msg("queue %u: fault %#x of command %u", q, f.code, f.sequence);
			assert_true(!s->first || !f.sequence);
			done = false;
		} else if (!(s->lives >> q & 1)) {
			assert_int_equal(signals_of(w, q), w->signals[q]);
		}
	}
	for (uint32_t cta = 0; cta < 2; cta++) {
		rig_smem_read(w->rig, cta, 0, now[cta], SHARED);
		check_bytes("shared", now[cta], w->shared[cta], w->want_shared[cta], SOURCE, SHARED, done);
		for (uint32_t b = 1; b < 16 && done; b++) {
			uint64_t word = fault_barrier_word(MANY, MANY - (cta ? 0 : w->arrived[b]),
			                                   -(int32_t)w->moved[cta][b]);

			assert_memory_equal(&now[cta][BARS + 8 * b], &word, 8);
		}
	}
	check_bytes("global", w->memory, w->global, w->want_global, 0, PAGES * PAGE, done);
	assert_int_equal(rig_dead_ports(w->rig), 0);
}

static void run_scene(struct world *w, const struct scene *s, uint32_t distance)
{
	struct scene after = { .name = s->name, .rings = s->rings };

	begin(w, s);
	play(w, s->text, distance);
	around(w, '!', 0, 0);
	assert_int_equal(rig_wait_idle(w->rig, LIMIT), 0);
	check(w, s);
	/* Whatever it was, it is over. */
	if (distance + w->step < s->distances)
		return;
	begin(w, &after);
	play(w, "0t1s 0l1l 0k1k", 0);
	assert_int_equal(rig_wait_idle(w->rig, LIMIT), 0);
	check(w, &after);
}

#define F(name) TMA_FAULT_##name
#define SCENE(name, rings, distances, lives, text, ...)                 \
	{                                                               \
		name, text, rings, distances, lives, { __VA_ARGS__ }, 0 \
	}

static const struct scene scenes[] = {
	/* What fills up. The channels: 1 AR, 2 AW, 4 W, 8 R, 16 B. */
	SCENE("groups", 0, 1, 0, "!30 0s1s 0g*40 1g*40 0c1c 0j*40 1j*40 ~600 ! 0k1k", F(NONE)),
	SCENE("cp.async groups", 0, 1, 0, "!8 0c1c 0j*40 1j*40 ~600 ! 0k1k", F(NONE)),
	SCENE("slots", 0, 1, 0, "!8 0l*40 1l*40 0c*20 1c*20 ~600 ! 0k1k", F(NONE)),
	SCENE("stores", 0, 1, 0, "!22 0s*40 1s*40 ~600 ! 0k1k", F(NONE)),
	SCENE("copies", 0, 1, 0, "0X*4 1X*4 0x*24 1x*24 0k1k", F(NONE)),
	SCENE("cp.async data", 0, 1, 0, "!8 0c*40 ~300 1X*6 ~20 !", F(NONE)),
	SCENE("signals", 0, 4, 0, "!8 0i*8 1i*8 ~300 1X*6 ~ ! 0i*30", F(NONE)),
	SCENE("paths at once", 0, 8, 0,
	      "!8 0l*16 1c*16 1q*2 ~300 0x*16 1x*16 ~ ! 0l*8 1x*8 1c*8 1q*4 0u*8 0k1k", F(NONE)),
	SCENE("fetches", 3, 1, 0, "!8 0k*60 1k*60 ~400 !", F(NONE)),
	/* Barriers, more of them than are kept. */
	SCENE("barriers", 0, 1, 0, "0m*40 1m*40 0u*16 1u*16 0m*20 1q 1x*16 =4 0L*2 1m*20 0k1k", F(NONE)),
	SCENE("barriers read", 0, 1, 0, "1m*4 0m0r0m0r0m0r0m0r 1m1r1m1r 0u*4 1m1r 0m0r", F(NONE)),
	SCENE("writes beside writes", 0, 1, 0, "0U*4 ~60 1X*4 =16 0u*8 1m*30 0k1k", F(NONE)),
	/* Waits. */
	SCENE("cancel as it is over", 0, 24, 0, "1w1k 0k*4 ~80 0a ~ #1", F(CANCELLED)),
	SCENE("no room when it is over", 0, 2, 0, "1v 0k*60 1k ~400 0a", F(NONE)),
	/* Ends of lives. */
	SCENE("reset twice", 0, 1, 2, "!8 1l*8 1y ~60 %1 %1 ! ~200", F(NONE)),
	SCENE("reset in a miss", 0, 1, 2, "!8 1t ~60 %1 ! ~200", F(NONE)),
	SCENE("reset in a prefetch", 0, 12, 2, "1p*4 0l*4 1t ~ %1 ~300 0l*4", F(NONE)),
	/* Rings: TAIL goes back, too far on. */
	SCENE("back", 2, 1, 0, "1w1k*10 ~300 @1:4 ~200 @1:11 ~100 0a", F(NONE)),
	SCENE("resume behind TAIL", 2, 1, 0, "1w1k*3 1d1k*3 ~300 @1:2 ~100 0a ~300 >1:4 ~50 @1:8 ~200 >1:5",
	      F(NONE)),
	SCENE("resume as data comes", 2, 12, 0, "!8 1k*7 ~100 @1:99 ~200 ! ~ >1:0", F(NONE)),
	SCENE("resume as a fetch fails", 2, 12, 0, "^1:2 !8 1k*7 ~100 @1:99 ~200 ! ~ >1:0",
	      F(COMMAND_SLVERR)),
	/* Faults beside faults. */
	SCENE("overruns", 3, 12, 0, "0w1w 0e*7 1e*7 0E*7 1E*7 ~500 !24 0a ~300 ! ~ @0:99 @1:99 @0:99 @1:99",
	      F(RING_OVERRUN), F(READ_SLVERR), F(WRITE_SLVERR)),
	SCENE("loads and stores", 0, 8, 0, "0e*6 1E*6 1n*2 ~ 0N 1l*4", F(READ_SLVERR), F(WRITE_SLVERR),
	      F(WINDOW_READ), F(WINDOW_WRITE)),
	SCENE("errors before refusals", 0, 24, 0, "!8 0e ~100 ! ~ 1n", F(READ_SLVERR), F(WINDOW_READ)),
	SCENE("refusals before errors", 0, 24, 0, "!8 0e ~100 1n ~ !", F(READ_SLVERR), F(WINDOW_READ)),
	SCENE("dead barriers", 0, 8, 0, "!8 0u*7 1u*7 ~200 ? 0e*2 ~ ! ~20 0x1x", F(SIGNAL_BARRIER_DEAD),
	      F(BARRIER_DEAD), F(READ_SLVERR)),
	/* One of a command before a multiple of 2^16 that comes behind it. */
	{ "lap", "0e0k*6 1e1k*6", 0, 1, 0, { F(READ_SLVERR) }, 0xFFFE },
	/* Tensor copies. */
	SCENE("fences", 0, 1, 0, "0y 0D1D 0t*4 1T*4 0f1f 0t1f0f1T 0f*6 1f*6 0t*2 1h*2 0f 0k1k", F(NONE)),
	SCENE("fence of a miss", 0, 24, 0, "0t1T ~20 ~ 1f1T 0t 0k1k", F(NONE)),
	SCENE("fence as a miss ends", 0, 96, 0, "0y ~ 1f ~40 0t1t 0k1k", F(NONE)),
	SCENE("fences beside tiles", 0, 12, 0, "0t*3 1f0t*3 ~ 1f*3 1T*2", F(NONE)),
	SCENE("maps that fail", 0, 4, 0, "0Y1Z 0Q ~60 1Q ~ 0t 0O 1t", F(MAP_WINDOW)),
	SCENE("tiles that fail", 0, 16, 0, "0h1h 0H ~ 1H1h 0h", F(READ_SLVERR)),
	SCENE("swizzled tiles", 0, 4, 0, "0z*8 ~ 0z*2 0k1k", F(NONE)),
	SCENE("swizzled tiles that fail", 0, 4, 0, "0z*2 0o ~ 0z 1k", F(READ_SLVERR)),
	SCENE("narrow tiles that fail", 0, 24, 0, "1J ~400 0J ~ !1 ~60 !", F(READ_SLVERR)),
	SCENE("tile stores that fail", 0, 16, 0, "0T1T 0K ~ 1T1K1T", F(WRITE_SLVERR)),
	SCENE("prefetches that fail", 0, 4, 0, "0b*8 0p*2 1P*20 ~ 0n", F(WINDOW_READ)),
};

#define NUM_SCENES (sizeof(scenes) / sizeof(scenes[0]))

static struct world world;

static void test_scene(void **state)
{
	const struct scene *s = *state;

	for (uint32_t d = 0; d < s->distances; d += world.step) {
		int failed = rig_failed(world.rig);

		run_scene(&world, s, d);
		if (rig_failed(world.rig) != failed)
			fail_msg("at distance %u", d);
	}
}

int engine_corners(const char *name, const char *config, const struct rig_opts *opts)
{
	struct CMUnitTest tests[NUM_SCENES];
	struct world *w = &world;
	struct rig_opts o = *opts;
	int failed;

	/* Where other suites have stalls, this one has a response port that is seldom ready. */
	if (o.stall_percent) {
		o.stall_percent = o.ext_busy_every = 0;
		o.record_percent = 97;
	}
	w->step = engine_step(config, opts->stall_percent);
	w->rig = rig_open(config, &o);
	if (!w->rig)
		return 1;
	corner_fill(w);
	if (rig_map(w->rig, 0, BASE, sizeof(w->memory), w->memory))
		return 1;
	for (size_t i = 0; i < NUM_SCENES; i++)
		tests[i] = (struct CMUnitTest){ scenes[i].name, test_scene, NULL, NULL, (void *)&scenes[i] };
	failed = _cmocka_run_group_tests(name, tests, NUM_SCENES, NULL, NULL);
	return failed + (rig_close(w->rig) != 0);
}
