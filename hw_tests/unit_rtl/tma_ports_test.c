/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_ports_test - ports hand over what they are given, and when they die every burst still ends.
 *
 * Requirement: alive, addresses and beats reach the pins one cycle later in order, responses come
 * back as they are; from death on nothing new reaches the pins, what comes from them is dropped, and
 * every burst that was owed something ends with exactly one marked beat or response. The watchdog
 * expires after `limit` cycles of standstill without progress on either side, and at no other time; so
 * an id, or responses, for which nothing comes is found within twice as many, whatever comes for others.
 * Checks: every handshake against a reference of counts and queues, the units' assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_ports_pins.h"

#define NUM_IDS 8u
#define ROOM    2048u
#define NEVER   UINT32_MAX

#define PATIENCE 150u /* of the watchdog, where something is lost */

static const uint32_t ids[NUM_IDS] = { 0, 1, 2, 3, 4, 8, 12, 20 };

struct bench {
	struct ports *unit;
	const struct unit_shape *info;
	struct ports_in *in;
	const struct ports_out *out;
	struct rng rng;
};

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, ports, seed);
	b->info = unit_shape();
	ports_start(b->unit);
}

static void random_bytes(struct bench *b, void *to, uint32_t count)
{
	for (uint8_t *byte = to; count--; byte++)
		*byte = (uint8_t)rng_next(&b->rng);
}

static struct ports_ar random_ar(struct bench *b, uint32_t id)
{
	struct ports_ar a = { 0 };

	a.addr = rng_next(&b->rng);
	a.id = (uint8_t)id;
	a.len = (uint8_t)rng_below(&b->rng, 3);
	a.cache = (uint8_t)rng_below(&b->rng, 16);
	a.prot = (uint8_t)rng_below(&b->rng, 8);
	a.qos = (uint8_t)rng_below(&b->rng, 16);
	a.user = (uint16_t)rng_next(&b->rng);
	return a;
}

/* Marks of what has not moved since the round began. */
struct age {
	bool stalls;
	uint32_t marks;
};

/* Whether no round goes on behind this cycle. @p waits: an address, or data, is not taken. */
static bool age_step(struct age *a, bool addr_waits, bool data_waits, bool moves, uint32_t owes,
                     uint32_t comes)
{
	bool over;

	a->marks &= ~comes;
	a->stalls = a->stalls && !moves;
	over = !a->marks && !a->stalls;
	if (over) {
		a->stalls = addr_waits || data_waits;
		a->marks = addr_waits ? 0 : owes & ~comes;
	}
	return over;
}

/* The watchdog sees these; is the port dead by it? */
static bool watched(struct bench *b, bool reads, uint32_t port)
{
	b->in->watch_pending = reads ? b->out->read_pending : (uint8_t)(b->out->write_pending[port] << 1);
	b->in->watch_progress =
		reads ? b->out->read_progress | 2 : (uint8_t)(b->out->write_progress[port] << 1 | 1);
	ports_eval(b->unit);
	return b->out->dead;
}

/*
 * Read port.
 */

struct read_env {
	struct bench b;
	struct age age;
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

	for (s = 0; s < NUM_IDS && ids[s] != id; s++)
		;
	assert_true(s < NUM_IDS);
	return s;
}

static uint32_t owed_reads(const struct read_env *e)
{
	uint32_t s, owed = 0;

	for (s = 0; s < NUM_IDS; s++)
		owed += e->taken[s] - e->ends[s];
	return owed;
}

static void drive_r(struct read_env *e)
{
	struct ports_in *in = e->b.in;
	uint32_t s = rng_below(&e->b.rng, NUM_IDS);

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

static void see_age(struct read_env *e, uint32_t cycle)
{
	const struct ports_out *out = e->b.out;
	const struct ports_in *in = e->b.in;
	bool blocked = in->pin_r_valid && !out->pin_r_ready, taken = out->pin_ar_valid && in->pin_ar_ready,
	     over;
	uint32_t owes = 0, comes = in->pin_r_valid ? 1u << slot_of(in->pin_r.id) : 0;

	for (uint32_t s = 0; s < NUM_IDS; s++) {
		owes |= (uint32_t)(e->taken[s] != e->ends[s]) << s;
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
	uint32_t s;

	if (out->pin_ar_valid) {
		assert_true(e->pin_ars < e->ars);
		assert_memory_equal(&out->pin_ar, &e->ar[e->pin_ars], sizeof(out->pin_ar));
	}
	/* What was taken is at the pins in the next cycle. */
	assert_true(e->dead || out->pin_ar_valid == (e->pin_ars < e->ars));
	assert_true(!e->dead || out->ar_ready);
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
		assert_int_equal(out->r_valid, in->pin_r_valid);
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
	bool waits, beat;

	e->dead |= cycle >= e->die_at || (in->limit && watched(&e->b, true, 0));
	in->read_dead = e->dead;
	if (!in->ar_valid && more && e->ars < ROOM && owed_reads(e) < e->b.info->reads &&
	    rng_percent(&e->b.rng, 70)) {
		uint32_t s = rng_below(&e->b.rng, NUM_IDS);

		s = e->lost >> s & 1 && e->taken[s] != e->ends[s] ? (s + 1) % NUM_IDS : s;
		in->ar_valid = 1;
		in->ar = random_ar(&e->b, ids[s]);
	}
	in->pin_ar_ready = rng_percent(&e->b.rng, e->ready);
	in->r_ready = rng_percent(&e->b.rng, e->take);
	drive_r(e);
	ports_eval(e->b.unit);
	see_age(e, cycle);
	see_ar(e);
	see_r(e);
	waits = in->pin_r_valid && !e->b.out->pin_r_ready;
	beat = in->ar_valid && e->b.out->ar_ready;
	watched(&e->b, true, 0);
	ports_tick(e->b.unit);
	in->ar_valid = in->ar_valid && !beat;
	in->pin_r_valid = waits;
	/* A beat that waits is handed over first. */
	e->drops |= e->dead && !waits;
}

static void read_run(uint64_t seed, uint32_t ready, uint32_t answer, uint32_t take, uint32_t die_at)
{
	static struct read_env e;
	uint32_t i;

	memset(&e, 0, sizeof(e));
	bench_open(&e.b, seed);
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
	for (uint32_t s = 0; s < NUM_IDS; s++)
		assert_int_equal(e.ends[s], e.taken[s]);
	assert_true(e.late_ars <= 1);
	assert_true(e.ars > 10 && (die_at == NEVER ? e.marked == 0 : e.marked > 0));
	ports_close(e.b.unit);
}

TEST(reads)
{
	read_run(1, 100, 100, 100, NEVER);
	read_run(2, 50, 60, 70, NEVER);
	for (uint32_t i = 0; i < 30; i++)
		read_run(100 + i, i % 4 * 30, i % 5 * 25, 20 + i % 3 * 40, i < 3 ? 0 : 100 + 17 * i);
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
	for (uint32_t s = 0; s < NUM_IDS; s++)
		lost_read(s);
}

/*
 * Write ports.
 */

struct write_env {
	struct bench b;
	struct age age;
	uint32_t p; /* the port */
	uint32_t ready, answer, take;
	uint32_t die_at;
	bool dead;
	struct ports_aw aw[ROOM];
	struct ports_write_beat w[ROOM * 3];
	uint8_t resp[ROOM]; /* that came from the pins, in order */
	/* Taken inside, at the pins, and there after death. */
	uint32_t aws, pin_aws, late_aws, ws, pin_ws, late_ws;
	uint32_t beat; /* of the burst on W */
	uint32_t lasts, pin_lasts, bs, pin_bs, real_bs, marked;
};

static void drive_write(struct write_env *e, struct ports_in *in, bool more)
{
	uint32_t whole = e->pin_lasts < e->pin_aws ? e->pin_lasts : e->pin_aws;

	if (!in->aw_valid[e->p] && more && e->aws < ROOM && e->aws - e->bs < e->b.info->writes &&
	    rng_percent(&e->b.rng, 70)) {
		in->aw_valid[e->p] = 1;
		{
			const struct ports_ar a = random_ar(&e->b, 0);

			in->aw[e->p] = (struct ports_aw){ a.addr, a.len, a.cache, a.prot, a.qos, a.user };
		}
	}
	if (!in->w_valid[e->p] && e->lasts < e->aws && rng_percent(&e->b.rng, 80)) {
		in->w_valid[e->p] = 1;
		random_bytes(&e->b, in->w[e->p].data, e->b.info->data_bytes);
		random_bytes(&e->b, in->w[e->p].strb, e->b.info->data_bytes / 8);
		in->w[e->p].last = e->beat == e->aw[e->lasts].len;
		e->beat = in->w[e->p].last ? 0 : e->beat + 1;
	}
	in->pin_aw_ready[e->p] = rng_percent(&e->b.rng, e->ready);
	in->pin_w_ready[e->p] = rng_percent(&e->b.rng, e->ready);
	in->b_ready[e->p] = rng_percent(&e->b.rng, e->take);
	if (!in->pin_b_valid[e->p] && e->pin_bs < whole && rng_percent(&e->b.rng, e->answer)) {
		in->pin_b_valid[e->p] = 1;
		in->pin_b_resp[e->p] = (uint8_t)rng_below(&e->b.rng, 4);
	}
}

static void see_pins(struct write_env *e, const struct ports_in *in, const struct ports_out *out)
{
	bool aw = out->pin_aw_valid[e->p] && in->pin_aw_ready[e->p], over;
	bool w = out->pin_w_valid[e->p] && in->pin_w_ready[e->p];

	if (out->pin_aw_valid[e->p])
		assert_memory_equal(&out->pin_aw[e->p], &e->aw[e->pin_aws], sizeof(out->pin_aw[e->p]));
	if (out->pin_w_valid[e->p])
		assert_memory_equal(&out->pin_w[e->p], &e->w[e->pin_ws], sizeof(out->pin_w[e->p]));
	if (!e->dead) {
		assert_int_equal(out->pin_aw_valid[e->p], e->pin_aws < e->aws);
		assert_int_equal(out->pin_w_valid[e->p], e->pin_ws < e->ws);
	} else {
		assert_true(out->aw_ready[e->p] && out->w_ready[e->p] && out->pin_b_ready[e->p]);
	}
	over = age_step(&e->age, out->pin_aw_valid[e->p] && !aw, out->pin_w_valid[e->p] && !w,
	                aw || w || in->pin_b_valid[e->p], e->pin_lasts != e->pin_bs, in->pin_b_valid[e->p]);
	assert_int_equal(out->write_progress[e->p], over);
	assert_int_equal(out->write_pending[e->p], !over);
	if (out->pin_aw_valid[e->p] && in->pin_aw_ready[e->p]) {
		e->pin_aws++;
		e->late_aws += e->dead;
	}
	if (out->pin_w_valid[e->p] && in->pin_w_ready[e->p]) {
		e->pin_lasts += out->pin_w[e->p].last;
		e->pin_ws++;
		e->late_ws += e->dead;
	}
	if (in->pin_b_valid[e->p] && out->pin_b_ready[e->p]) {
		e->pin_bs++;
		if (!e->dead)
			e->resp[e->real_bs++] = in->pin_b_resp[e->p];
	}
}

static void see_inside(struct write_env *e, const struct ports_in *in, const struct ports_out *out, bool hold)
{
	if (!e->dead && hold)
		assert_int_equal(out->pin_b_ready[e->p], 1);
	if (!e->dead && !hold)
		assert_int_equal(out->b_valid[e->p], in->pin_b_valid[e->p]);
	if (out->b_valid[e->p] && in->b_ready[e->p]) {
		/* Those that came before its death come first. */
		assert_int_equal(out->b[e->p].dead, e->bs - e->marked == e->real_bs || e->marked);
		if (!out->b[e->p].dead)
			assert_int_equal(out->b[e->p].resp, e->resp[e->bs]);
		e->marked += out->b[e->p].dead;
		e->bs++;
		assert_true(e->bs <= e->lasts);
	}
	if (in->aw_valid[e->p] && out->aw_ready[e->p])
		e->aw[e->aws++] = in->aw[e->p];
	if (in->w_valid[e->p] && out->w_ready[e->p]) {
		e->lasts += in->w[e->p].last;
		e->w[e->ws++] = in->w[e->p];
	}
}

static void write_step(struct write_env *e, uint32_t cycle, bool more)
{
	struct ports_in *in = e->b.in;
	const struct ports_out *out = e->b.out;
	bool aw, w, b;

	e->dead |= cycle >= e->die_at || (in->limit && watched(&e->b, false, e->p));
	in->write_dead[e->p] = e->dead;
	drive_write(e, in, more);
	ports_eval(e->b.unit);
	aw = in->aw_valid[e->p] && out->aw_ready[e->p];
	w = in->w_valid[e->p] && out->w_ready[e->p];
	b = in->pin_b_valid[e->p] && out->pin_b_ready[e->p];
	see_pins(e, in, out);
	see_inside(e, in, out, e->p == 1);
	watched(&e->b, false, e->p);
	ports_tick(e->b.unit);
	in->aw_valid[e->p] = in->aw_valid[e->p] && !aw;
	in->w_valid[e->p] = in->w_valid[e->p] && !w;
	in->pin_b_valid[e->p] = in->pin_b_valid[e->p] && !b;
}

static void write_run(uint64_t seed, uint32_t ready, uint32_t answer, uint32_t take, uint32_t die_at)
{
	static struct write_env e;
	uint32_t i;

	for (uint32_t p = 0; p < 2; p++) {
		memset(&e, 0, sizeof(e));
		bench_open(&e.b, seed);
		e.p = p;
		e.ready = ready;
		e.answer = answer;
		e.take = take;
		e.die_at = die_at;
		for (i = 0; i < 2000; i++)
			write_step(&e, i, i < 1500);
		for (; i < 6000 && e.bs < e.aws; i++) {
			e.ready = e.answer = die_at == NEVER ? 100 : e.ready;
			write_step(&e, i, false);
		}
		assert_true(e.bs == e.aws && e.lasts == e.aws && e.aws > 10);
		assert_true(e.late_aws <= 1 && e.late_ws <= 1);
		assert_true(die_at == NEVER ? e.marked == 0 : e.marked > 0);
		ports_close(e.b.unit);
	}
}

TEST(writes)
{
	write_run(1, 100, 100, 100, NEVER);
	write_run(2, 50, 60, 70, NEVER);
	for (uint32_t i = 0; i < 30; i++)
		write_run(100 + i, i % 4 * 30, i % 5 * 25, 20 + i % 3 * 40, i < 3 ? 0 : 100 + 17 * i);
}

/* A burst now and then, and none is answered any more. */
TEST(lost_responses)
{
	static struct write_env e;
	uint32_t i, since;

	for (uint32_t p = 0; p < 2; p++) {
		memset(&e, 0, sizeof(e));
		bench_open(&e.b, p);
		e.p = p;
		e.ready = e.answer = 80;
		e.die_at = NEVER;
		e.b.in->limit = PATIENCE;
		for (i = 0; i < 1500; i++) {
			e.take = i - 400 < 3 * PATIENCE ? 0 : 70;
			write_step(&e, i, i % 50 < 5);
			assert_false(e.dead);
		}
		for (; e.pin_lasts != e.pin_bs; i++)
			write_step(&e, i, false);
		for (e.answer = 0, since = i; !e.dead; i++) {
			write_step(&e, i, i % 50 < 5);
			since = e.pin_lasts == e.pin_bs ? i : since;
			assert_in_range(i - since, 0, 2 * PATIENCE + 2);
		}
		assert_true(i - since > PATIENCE && e.pin_lasts > e.pin_bs + 1);
		for (uint32_t end = i + 600; i < end; i++)
			write_step(&e, i, false);
		assert_true(e.bs == e.aws && e.marked);
		ports_close(e.b.unit);
	}
}

/*
 * Watchdog.
 */

TEST(watchdog)
{
	uint32_t round, i, s, count[2], deaths = 0;
	struct bench b;
	bool dead;

	for (round = 0; round < 200; round++) {
		bench_open(&b, round);
		b.in->limit = rng_below(&b.rng, 6);
		memset(count, 0, sizeof(count));
		dead = false;
		for (i = 0; i < 200; i++) {
			if (rng_percent(&b.rng, 2))
				b.in->limit = b.in->limit ? 0 : 1 + rng_below(&b.rng, 9);
			b.in->watch_pending = (uint8_t)(rng_next(&b.rng) | rng_next(&b.rng)) & 3;
			b.in->watch_progress = (uint8_t)(rng_next(&b.rng) & rng_next(&b.rng)) & 3;
			ports_eval(b.unit);
			assert_int_equal(b.out->dead, dead);
			for (s = 0; s < 2; s++) {
				bool progress = b.in->watch_progress >> s & 1;
				bool still = b.in->watch_pending >> s & 1 && !progress;

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
