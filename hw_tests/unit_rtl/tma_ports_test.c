/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_ports_test - ports hand over what they are given, and when they die every burst still ends.
 *
 * Requirement: alive, addresses and beats reach the pins one cycle later in order, as many as the pins take, and
 * no ready of a pin is seen inside in its cycle; responses come back as they are, those of a stream in its order; a
 * queue is known to have a prefetch or a map on its way as long as it has. From death on nothing new
 * reaches the pins, what comes from them is dropped, and every burst that was owed something ends with
 * exactly one marked beat or response. What nobody has asked for is taken from the pins and goes no
 * further. The watchdog expires after `limit` cycles of standstill without progress on either side, and at no other time; so
 * an id, or responses, for which nothing comes is found within twice as many, whatever comes for others.
 * Checks: every handshake against a reference of counts and queues, the units' assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/tma_ports_env.h"

#define NUM_IDS 9u
#define OTHERS  8u /* ids but that of reductions, which comes behind them, if there are any */

static const uint32_t ids[NUM_IDS] = { 0, 1, 2, 3, 4, 8, 12, 20, 16 };

static uint32_t num_ids(void)
{
	return unit_shape()->reductions ? NUM_IDS : OTHERS;
}

/*
 * Read port.
 */

struct read_env {
	struct bench b;
	struct age age;
	uint32_t strays;              /* percent: a beat that nobody has asked for, if none waits */
	uint32_t from;                /* the first id: that of reductions, where there are no others */
	uint32_t lost;                /* ids for which nothing comes any more; of each one burst at most */
	uint32_t moved[NUM_IDS];      /* cycle of the last beat at the pins, or of the first address */
	uint32_t ready, answer, take; /* percent: ARREADY, RVALID, the user's ready */
	uint32_t die_at;
	bool dead, drops; /* the latter: data from the pins is dropped */
	struct ports_ar ar[ROOM];
	uint32_t ars, pin_ars, late_ars; /* taken inside, at the pins, there after death */
	uint32_t ends[NUM_IDS], taken[NUM_IDS], marked;
	/* Per id: bursts at the pins that were not answered in full, first beats left of the first. */
	uint32_t len[NUM_IDS][ROOM], head[NUM_IDS], tail[NUM_IDS], done[NUM_IDS];
};

static uint32_t slot_of(uint32_t id)
{
	uint32_t s;

	for (s = 0; s < num_ids() && ids[s] != id; s++)
		;
	return s;
}

/* Nobody has asked for the beat at the pins. */
static bool stray(const struct read_env *e)
{
	uint32_t s = slot_of(e->b.in->pin_r.id);

	return e->b.in->pin_r_valid && (s == num_ids() || e->taken[s] == e->ends[s]);
}

/* One of an id that may be asked for is taken at once, for an address of its id may come. */
static bool drive_stray(struct read_env *e)
{
	struct ports_in *in = e->b.in;

	if (in->pin_r_valid || !rng_percent(&e->b.rng, e->strays))
		return false;
	in->pin_r_valid = 1;
	in->pin_r.id = (uint8_t)rng_below(&e->b.rng, 32);
	in->pin_r.last = (uint8_t)rng_below(&e->b.rng, 2);
	in->pin_r_valid = stray(e);
	in->r_ready |= in->pin_r_valid && slot_of(in->pin_r.id) < num_ids();
	return in->pin_r_valid;
}

static uint32_t owed_reads(const struct read_env *e)
{
	uint32_t s, owed = 0;

	for (s = 0; s < num_ids(); s++)
		owed += e->taken[s] - e->ends[s];
	return owed;
}

static void drive_r(struct read_env *e)
{
	struct ports_in *in = e->b.in;
	uint32_t s = e->from + rng_below(&e->b.rng, num_ids() - e->from);

	if (in->pin_r_valid || !rng_percent(&e->b.rng, e->answer) || e->head[s] == e->tail[s] ||
	    e->lost >> s & 1)
		return;
	in->pin_r_valid = 1;
	in->pin_r.id = (uint8_t)ids[s];
	random_bytes(&e->b, in->pin_r.data, e->b.info->data_bytes);
	in->pin_r.resp = (uint8_t)rng_below(&e->b.rng, 4);
	in->pin_r.last = e->done[s] == e->len[s][e->head[s]];
	if (in->pin_r.last) {
		e->head[s]++;
		e->done[s] = 0;
	} else {
		e->done[s]++;
	}
}

static bool behind(const struct read_env *e, uint32_t s)
{
	return e->ars == e->pin_ars + 2 && !e->dead && e->ar[e->ars - 1].id == ids[s];
}

static void see_age(struct read_env *e, uint32_t cycle)
{
	const struct ports_out *out = e->b.out;
	const struct ports_in *in = e->b.in;
	bool blocked = in->pin_r_valid && !out->pin_r_ready, taken = out->pin_ar_valid && in->pin_ar_ready,
	     over;
	uint32_t owes = 0, comes = in->pin_r_valid && !stray(e) ? 1u << slot_of(in->pin_r.id) : 0;

	for (uint32_t s = 0; s < num_ids(); s++) {
		/* Not the one whose address has not been on the pins. */
		owes |= (uint32_t)(e->taken[s] - e->ends[s] != behind(e, s)) << s;
		if (comes >> s & 1 || (taken && out->pin_ar.id == ids[s] && e->taken[s] == e->ends[s] + 1))
			e->moved[s] = cycle;
	}
	over = age_step(&e->age, out->pin_ar_valid && !taken, false, taken || comes, owes, comes);
	if (e->dead)
		return;
	assert_int_equal(out->read_progress, over);
	assert_int_equal(out->read_pending, !over && !blocked);
}

static void see_ar(struct read_env *e)
{
	const struct ports_out *out = e->b.out;
	const struct ports_in *in = e->b.in;
	uint32_t s, hints = 0;

	if (out->pin_ar_valid) {
		assert_true(e->pin_ars < e->ars);
		assert_memory_equal(&out->pin_ar, &e->ar[e->pin_ars], sizeof(out->pin_ar));
	}
	/* What was taken is at the pins in the next cycle, or behind one that is. */
	assert_true(e->dead || out->pin_ar_valid == (e->pin_ars < e->ars));
	assert_int_equal(out->ar_ready, e->dead || e->ars - e->pin_ars < 2);
	for (uint32_t i = e->pin_ars; i < e->ars && !e->dead; i++)
		if (e->ar[i].id / 4 == 1 || e->ar[i].id / 4 == 2)
			hints |= 1u << e->ar[i].qid;
	assert_int_equal(out->read_hints, hints);
	if (out->pin_ar_valid && in->pin_ar_ready) {
		s = slot_of(out->pin_ar.id);
		e->len[s][e->tail[s]++] = out->pin_ar.len;
		e->pin_ars++;
		e->late_ars += e->dead;
	}
	if (in->ar_valid && out->ar_ready) {
		e->ar[e->ars++] = in->ar;
		e->taken[slot_of(in->ar.id)]++;
	}
}

static void see_r(struct read_env *e)
{
	const struct ports_out *out = e->b.out;
	const struct ports_in *in = e->b.in;

	if (!e->drops) {
		assert_int_equal(out->r_valid, in->pin_r_valid && !stray(e));
		assert_int_equal(out->pin_r_ready, in->r_ready);
		if (out->r_valid)
			assert_memory_equal(&out->r, &in->pin_r, sizeof(out->r));
	} else {
		assert_int_equal(out->pin_r_ready, 1);
		if (out->r_valid)
			assert_true(out->r.dead && out->r.last);
	}
	if (out->r_valid && in->r_ready && out->r.last) {
		e->ends[slot_of(out->r.id)]++;
		e->marked += out->r.dead;
	}
}

static void read_step(struct read_env *e, uint32_t cycle, bool more)
{
	struct ports_in *in = e->b.in;
	bool waits, holds, beat, inside;

	e->dead |= cycle >= e->die_at || (in->limit && watched(&e->b, true, 0));
	in->read_dead = e->dead;
	if (!in->ar_valid && more && e->ars < ROOM && owed_reads(e) < e->b.info->reads &&
	    rng_percent(&e->b.rng, 70)) {
		uint32_t s = e->from + rng_below(&e->b.rng, num_ids() - e->from);

		s = e->lost >> s & 1 && e->taken[s] != e->ends[s] ? (s + 1) % num_ids() : s;
		in->ar_valid = 1;
		in->ar = random_ar(&e->b, ids[s]);
	}
	in->pin_ar_ready = rng_percent(&e->b.rng, e->ready);
	in->r_ready = rng_percent(&e->b.rng, e->take);
	if (!drive_stray(e))
		drive_r(e);
	in->pin_ar_ready = !in->pin_ar_ready;
	ports_eval(e->b.unit);
	inside = e->b.out->ar_ready;
	in->pin_ar_ready = !in->pin_ar_ready;
	ports_eval(e->b.unit);
	assert_int_equal(e->b.out->ar_ready, inside);
	see_age(e, cycle);
	holds = in->pin_r_valid && !in->r_ready && !stray(e);
	see_r(e);
	see_ar(e);
	waits = in->pin_r_valid && !e->b.out->pin_r_ready;
	beat = in->ar_valid && e->b.out->ar_ready;
	watched(&e->b, true, 0);
	ports_tick(e->b.unit);
	in->ar_valid = in->ar_valid && !beat;
	in->pin_r_valid = waits;
	/* A beat that waits is handed over first. */
	e->drops |= e->dead && !holds;
}

static void read_run(uint32_t from, uint64_t seed, uint32_t ready, uint32_t answer, uint32_t take,
                     uint32_t die_at)
{
	static struct read_env e;
	uint32_t i;

	memset(&e, 0, sizeof(e));
	bench_open(&e.b, seed);
	e.from = from;
	e.b.in->read_reduce = from != 0;
	e.strays = (uint32_t)seed % 3 * 15;
	e.ready = ready;
	e.answer = answer;
	e.take = take;
	e.die_at = die_at;
	for (i = 0; i < 2000; i++)
		read_step(&e, i, i < 1500);
	/* Nothing is owed any more, though the port stands still. */
	for (; i < 6000 && (die_at == NEVER || owed_reads(&e)); i++) {
		e.ready = e.answer = die_at == NEVER ? 100 : e.ready;
		read_step(&e, i, false);
	}
	for (uint32_t s = 0; s < num_ids(); s++)
		assert_int_equal(e.ends[s], e.taken[s]);
	assert_true(e.late_ars <= 1);
	assert_true(e.ars > 10 && (die_at == NEVER ? e.marked == 0 : e.marked > 0));
	ports_close(e.b.unit);
}

TEST(reads)
{
	read_run(0, 1, 100, 100, 100, NEVER);
	read_run(0, 2, 50, 60, 70, NEVER);
	for (uint32_t i = 0; i < 30; i++)
		read_run(0, 100 + i, i % 4 * 30, i % 5 * 25, 20 + i % 3 * 40, i < 3 ? 0 : 100 + 17 * i);
}

/* A dead port on which prefetches go on without end: what somebody waits for ends all the same. */
TEST(prefetches_end_last)
{
	static const uint32_t awaited[] = { 0, 12, 20 };
	uint32_t owed = 0, ends = 0;
	struct ports_in *in;
	struct bench b;

	bench_open(&b, 77);
	in = b.in;
	in->pin_ar_ready = 1;
	in->ar_valid = 1;
	for (uint32_t i = 0; i < 3; i++) {
		in->ar = random_ar(&b, awaited[i]);
		ports_eval(b.unit);
		assert_true(b.out->ar_ready);
		ports_tick(b.unit);
	}
	in->read_dead = 1;
	in->r_ready = 1;
	for (uint32_t i = 0; i < 100; i++) {
		in->ar_valid = owed < b.info->reads - 3;
		in->ar = random_ar(&b, 4);
		ports_eval(b.unit);
		assert_true(b.out->ar_ready);
		owed += in->ar_valid;
		if (b.out->r_valid) {
			assert_true(b.out->r.dead && b.out->r.last);
			owed -= b.out->r.id == 4;
			ends += b.out->r.id != 4;
		}
		ports_tick(b.unit);
		assert_true(i < 10 || ends == 3);
	}
	ports_close(b.unit);
}

/* A port that has these alone. */
TEST(reads_of_reductions)
{
	if (!unit_shape()->reductions)
		return;
	for (uint32_t i = 0; i < 12; i++)
		read_run(OTHERS, 200 + i, 40 + i % 4 * 20, i % 5 * 25, 20 + i % 3 * 40,
		         i < 3 ? NEVER : 100 + 17 * i);
}

/* Others read on. Before, all move, and the user once takes nothing for longer than the watchdog waits. */
static void lost_read(uint32_t s)
{
	static struct read_env e;
	uint32_t i;

	memset(&e, 0, sizeof(e));
	bench_open(&e.b, 50 + s);
	e.ready = 80;
	e.answer = 90;
	e.die_at = NEVER;
	e.b.in->limit = PATIENCE;
	for (i = 0; i < 1500; i++) {
		e.take = i - 400 < 3 * PATIENCE ? 0 : i % 200 < 100 ? 40 : 100;
		read_step(&e, i, true);
		assert_false(e.dead);
	}
	e.take = 100;
	for (e.lost = 1u << s; e.taken[s] == e.ends[s]; i++)
		read_step(&e, i, true);
	for (; !e.dead; i++) {
		read_step(&e, i, true);
		assert_in_range(i - e.moved[s], 0, 2 * PATIENCE + 2);
	}
	assert_in_range(i - e.moved[s], PATIENCE, 2 * PATIENCE + 2);
	for (uint32_t end = i + 600; i < end; i++)
		read_step(&e, i, false);
	assert_true(!owed_reads(&e) && e.marked);
	ports_close(e.b.unit);
}

TEST(lost_reads)
{
	for (uint32_t s = 0; s < num_ids(); s++)
		lost_read(s);
}

/*
 * Where beats go: to their client, in the next cycle. Those of a channel without a context go nowhere.
 */

TEST(beats)
{
	struct ports_read_beat held = { 0 };
	uint32_t count = 0, i, client, dropped = 0;
	struct bench b;
	bool valid = false, some, goes;

	bench_open(&b, 9);
	for (i = 0; i < 5000; i++) {
		b.in->load_ready = rng_percent(&b.rng, 60);
		b.in->ring_ready = rng_percent(&b.rng, 60);
		b.in->load_some = (uint8_t)(rng_next(&b.rng) | rng_next(&b.rng)) & 15;
		if (!b.in->beat_valid && rng_percent(&b.rng, 80)) {
			b.in->beat_valid = 1;
			b.in->beat.id = (uint8_t)ids[rng_below(&b.rng, OTHERS)];
			b.in->beat.last = (uint8_t)rng_below(&b.rng, 2);
			b.in->beat.resp = (uint8_t)rng_below(&b.rng, 4);
			b.in->beat.dead = rng_percent(&b.rng, 10);
			random_bytes(&b, b.in->beat.data, b.info->data_bytes);
		}
		ports_eval(b.unit);
		client = held.id / 4;
		some = b.in->load_some >> held.id % 4 & 1;
		goes = valid && (client == 0   ? b.in->load_ready || !some
		                 : client == 3 ? b.in->ring_ready
		                               : true);
		assert_int_equal(b.out->beat_ready, !valid || goes);
		assert_int_equal(b.out->load_valid, valid && client == 0 && some);
		assert_int_equal(b.out->ring_valid, valid && client == 3);
		assert_int_equal(b.out->map_valid, valid && client == 2);
		assert_int_equal(b.out->cp_valid, valid && client == 5);
		assert_int_equal(b.out->prefetch_beat, valid && client == 1);
		assert_int_equal(b.out->prefetch_error, valid && client == 1 && (held.dead || held.resp & 2));
		assert_int_equal(b.out->other_done, goes && client && held.last);
		if (valid)
			assert_memory_equal(&b.out->led, &held, sizeof(held));
		dropped += valid && client == 0 && !some;
		ports_tick(b.unit);
		if (!valid || goes) {
			valid = b.in->beat_valid;
			held = b.in->beat;
			count += valid;
			b.in->beat_valid = 0;
		}
	}
	assert_true(count > 1000 && dropped > 100);
	ports_close(b.unit);
}

/*
 * Watchdog.
 */

TEST(watchdog)
{
	uint32_t round, i, s, count[2], deaths = 0;
	/* What is looked at: with short paths what was there in the cycle before. */
	uint8_t pending, progress_now, late[2];
	struct bench b;
	bool dead;

	for (round = 0; round < 200; round++) {
		bench_open(&b, round);
		b.in->limit = rng_below(&b.rng, 6);
		memset(count, 0, sizeof(count));
		memset(late, 0, sizeof(late));
		dead = false;
		for (i = 0; i < 200; i++) {
			if (rng_percent(&b.rng, 2))
				b.in->limit = b.in->limit ? 0 : 1 + rng_below(&b.rng, 9);
			b.in->watch_pending = (uint8_t)(rng_next(&b.rng) | rng_next(&b.rng)) & 3;
			b.in->watch_progress = (uint8_t)(rng_next(&b.rng) & rng_next(&b.rng)) & 3;
			ports_eval(b.unit);
			assert_int_equal(b.out->dead, dead);
			pending = b.info->short_paths ? late[0] : b.in->watch_pending;
			progress_now = b.info->short_paths ? late[1] : b.in->watch_progress;
			late[0] = b.in->watch_pending;
			late[1] = b.in->watch_progress;
			for (s = 0; s < 2; s++) {
				bool progress = progress_now >> s & 1;
				bool still = pending >> s & 1 && !progress;

				count[s] = progress || !b.in->limit ? 0 : count[s] + still;
				dead |= still && count[s] && count[s] >= b.in->limit;
			}
			ports_tick(b.unit);
		}
		deaths += dead;
		ports_close(b.unit);
	}
	assert_true(deaths > 50);
}
