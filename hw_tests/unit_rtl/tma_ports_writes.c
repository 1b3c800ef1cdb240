/* SPDX-License-Identifier: Apache-2.0 */
/* Write ports: 0 passes its responses on, 1 holds them, and addresses and data that the pins do not take
 * yet. Data never gets there before its address. */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/tma_ports_env.h"

struct write_env {
	struct bench b;
	struct age age;
	uint32_t p; /* the port */
	uint32_t ready, answer, take;
	uint32_t die_at;
	bool dead, dies; /* the latter: in this cycle */
	struct ports_aw aw[ROOM];
	struct ports_write_beat w[ROOM * 3];
	uint8_t resp[ROOM]; /* that came from the pins, in order */
	/* Taken inside, at the pins, and there after death. */
	uint32_t aws, pin_aws, late_aws, ws, pin_ws, late_ws;
	uint32_t left, shown; /* beats that made room; addresses that the pins had shown a cycle ago */
	uint32_t beat;        /* of the burst on W */
	uint32_t strays;      /* percent: a response that nobody waits for */
	bool stray;           /* the one at the pins */
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
	/* It is taken at once. */
	e->stray = e->pin_bs == e->pin_lasts && rng_percent(&e->b.rng, e->strays);
	if (e->stray) {
		in->pin_b_valid[e->p] = 1;
		in->pin_b_resp[e->p] = (uint8_t)rng_below(&e->b.rng, 4);
	} else if (!in->pin_b_valid[e->p] && e->pin_bs < whole && rng_percent(&e->b.rng, e->answer)) {
		in->pin_b_valid[e->p] = 1;
		in->pin_b_resp[e->p] = (uint8_t)rng_below(&e->b.rng, 4);
	}
}

static void see_pins(struct write_env *e, const struct ports_in *in, const struct ports_out *out)
{
	bool aw = out->pin_aw_valid[e->p] && in->pin_aw_ready[e->p], over;
	bool w = out->pin_w_valid[e->p] && in->pin_w_ready[e->p], b = in->pin_b_valid[e->p] && !e->stray;

	assert_true(!e->stray || out->pin_b_ready[e->p]);
	if (out->pin_aw_valid[e->p])
		assert_memory_equal(&out->pin_aw[e->p], &e->aw[e->pin_aws], sizeof(out->pin_aw[e->p]));
	if (out->pin_w_valid[e->p])
		assert_memory_equal(&out->pin_w[e->p], &e->w[e->pin_ws], sizeof(out->pin_w[e->p]));
	if (!e->dead) {
		assert_int_equal(out->pin_aw_valid[e->p], e->pin_aws < e->aws);
		assert_int_equal(out->pin_w_valid[e->p], e->pin_ws < e->ws && e->pin_lasts < e->shown);
		assert_int_equal(e->left, e->pin_ws + out->pin_w_valid[e->p]);
	} else {
		/* What was full is not so any more, a cycle later. */
		assert_true(e->dies || (out->aw_ready[e->p] && out->w_ready[e->p]));
		assert_true(out->pin_b_ready[e->p]);
	}
	e->left += out->w_leaves[e->p];
	assert_in_range(e->ws + (in->w_valid[e->p] && out->w_ready[e->p]) - e->left, 0, e->p ? 8 : 0);
	e->shown = e->pin_aws + out->pin_aw_valid[e->p];
	over = age_step(&e->age, out->pin_aw_valid[e->p] && !aw, out->pin_w_valid[e->p] && !w, aw || w || b,
	                e->pin_lasts != e->pin_bs, b);
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
	if (b && out->pin_b_ready[e->p]) {
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
		assert_int_equal(out->b_valid[e->p], in->pin_b_valid[e->p] && !e->stray);
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

	e->dies = !e->dead && (cycle >= e->die_at || (in->limit && watched(&e->b, false, e->p)));
	e->dead |= e->dies;
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
		e.strays = (uint32_t)seed % 3 * 15;
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
