/* SPDX-License-Identifier: Apache-2.0 */
/* Write ports: 0 has one lane and passes its responses on; 1 has two, whose responses come in any order among
 * each other, and holds these, and addresses and data that the pins do not take yet. Data never gets there before
 * its address. */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/tma_ports_env.h"

#define LANES 2u

/* Of one lane: bursts in full inside, at the pins, there with their address; responses inside and at the pins, those
 * that came before death, marked ones. */
struct lane {
	uint32_t lasts, pin_lasts, whole, bs, pin_bs, real_bs, marked;
	uint8_t resp[ROOM]; /* that came from the pins, in order */
};

struct write_env {
	struct bench b;
	struct age age;
	uint32_t p, lanes; /* the port */
	uint32_t ready, answer, take;
	uint32_t lost; /* lanes that get no response any more */
	uint32_t die_at;
	bool dead, dies; /* the latter: in this cycle */
	struct ports_aw aw[ROOM];
	struct ports_write_beat w[ROOM * 3];
	struct lane lane[LANES];
	/* Taken inside, at the pins, and there after death. */
	uint32_t aws, pin_aws, late_aws, ws, pin_ws, late_ws;
	uint32_t left, shown; /* beats that made room; addresses that the pins had shown a cycle ago */
	uint32_t beat;        /* of the burst on W */
	uint32_t strays;      /* percent: a response that nobody waits for */
	bool stray;           /* the one at the pins */
	uint32_t lasts, pin_lasts, whole, bs;
};

static uint32_t marked(const struct write_env *e)
{
	return e->lane[0].marked + e->lane[1].marked;
}

/* Responses of this lane are awaited from the pins. */
static bool owed(const struct write_env *e, uint32_t l)
{
	return e->lane[l].pin_bs != e->lane[l].pin_lasts;
}

static void drive_b(struct write_env *e, struct ports_in *in)
{
	uint32_t p = e->p, l = rng_below(&e->b.rng, e->lanes), id = rng_below(&e->b.rng, 8);

	if (in->pin_b_valid[p])
		return;
	/* It is taken at once: of a lane that is owed nothing, or of none; beside one that is owed, with several. */
	e->stray = (id >= e->lanes ? e->lanes > 1 || !owed(e, 0) : !owed(e, id)) &&
	           rng_percent(&e->b.rng, e->strays);
	if (!e->stray &&
	    (e->lane[l].pin_bs >= e->lane[l].whole || e->lost >> l & 1 || !rng_percent(&e->b.rng, e->answer)))
		return;
	in->pin_b_valid[p] = 1;
	in->pin_b_id[p] = (uint8_t)(e->stray ? id : l);
	in->pin_b_resp[p] = (uint8_t)rng_below(&e->b.rng, 4);
}

static void drive_write(struct write_env *e, struct ports_in *in, bool more)
{
	uint32_t l = rng_below(&e->b.rng, e->lanes), p = e->p;

	if (!in->aw_valid[p] && more && e->aws < ROOM && e->aws - e->bs < e->b.info->writes &&
	    !(e->lost >> l & 1 && owed(e, l)) && rng_percent(&e->b.rng, 70)) {
		const struct ports_ar a = random_ar(&e->b, 0);

		in->aw_valid[p] = 1;
		in->aw[p] = (struct ports_aw){ .lane = (uint8_t)l,
			                       .addr = a.addr,
			                       .len = a.len,
			                       .cache = a.cache,
			                       .prot = a.prot,
			                       .qos = a.qos,
			                       .user = a.user };
	}
	if (!in->w_valid[p] && e->lasts < e->aws && rng_percent(&e->b.rng, 80)) {
		in->w_valid[p] = 1;
		in->w_lane[p] = e->aw[e->lasts].lane;
		random_bytes(&e->b, in->w[p].data, e->b.info->data_bytes);
		random_bytes(&e->b, in->w[p].strb, e->b.info->data_bytes / 8);
		in->w[p].last = e->beat == e->aw[e->lasts].len;
		e->beat = in->w[p].last ? 0 : e->beat + 1;
	}
	in->pin_aw_ready[p] = rng_percent(&e->b.rng, e->ready);
	in->pin_w_ready[p] = rng_percent(&e->b.rng, e->ready);
	for (uint32_t i = 0; i < e->lanes; i++)
		in->b_ready[p + i] = rng_percent(&e->b.rng, e->take);
	drive_b(e, in);
}

static void see_channels(struct write_env *e, const struct ports_in *in, const struct ports_out *out)
{
	uint32_t p = e->p;

	if (out->pin_aw_valid[p])
		assert_memory_equal(&out->pin_aw[p], &e->aw[e->pin_aws], sizeof(out->pin_aw[p]));
	if (out->pin_w_valid[p])
		assert_memory_equal(&out->pin_w[p], &e->w[e->pin_ws], sizeof(out->pin_w[p]));
	if (!e->dead) {
		assert_int_equal(out->pin_aw_valid[p], e->pin_aws < e->aws);
		assert_int_equal(out->pin_w_valid[p], e->pin_ws < e->ws && e->pin_lasts < e->shown);
		assert_int_equal(out->w_stalls[p], out->pin_w_valid[p] && !in->pin_w_ready[p]);
		/* One more may be behind. */
		assert_in_range(e->left - e->pin_ws - out->pin_w_valid[p], 0, out->pin_w_valid[p]);
		if (!p) {
			assert_int_equal(out->aw_ready[p], e->aws - e->pin_aws < 2);
			assert_int_equal(out->w_ready[p],
			                 e->ws - e->pin_ws < 2 &&
			                         e->lasts < e->pin_aws + out->pin_aw_valid[p]);
		}
	} else {
		/* What was full is not so any more, a cycle later. */
		assert_true(e->dies || (out->aw_ready[p] && out->w_ready[p]));
		assert_true(out->pin_b_ready[p]);
		assert_false(out->w_stalls[p]);
	}
	e->left += out->w_leaves[p];
	assert_in_range(e->ws + (in->w_valid[p] && out->w_ready[p]) - e->left, 0, p ? 8 : 0);
	e->shown = e->pin_aws + out->pin_aw_valid[p];
}

static void see_pins(struct write_env *e, const struct ports_in *in, const struct ports_out *out)
{
	uint32_t p = e->p, owes = 0;
	bool aw = out->pin_aw_valid[p] && in->pin_aw_ready[p], w = out->pin_w_valid[p] && in->pin_w_ready[p],
	     over;
	bool b = in->pin_b_valid[p] && !e->stray;
	struct lane *of;

	assert_true(!in->pin_b_valid[p] || !e->stray || out->pin_b_ready[p]);
	see_channels(e, in, out);
	for (uint32_t l = 0; l < e->lanes; l++)
		owes |= (uint32_t)owed(e, l) << l;
	over = age_step(&e->age, out->pin_aw_valid[p] && !aw, out->pin_w_valid[p] && !w, aw || w || b, owes,
	                b ? 1u << in->pin_b_id[p] : 0);
	assert_int_equal(out->write_progress[p], over);
	assert_int_equal(out->write_pending[p], !over);
	e->pin_aws += aw;
	e->late_aws += aw && e->dead;
	e->pin_ws += w;
	e->late_ws += w && e->dead;
	if (w && out->pin_w[p].last)
		e->lane[e->aw[e->pin_lasts++].lane].pin_lasts++;
	if (b && out->pin_b_ready[p]) {
		of = &e->lane[in->pin_b_id[p]];
		of->pin_bs++;
		if (!e->dead)
			of->resp[of->real_bs++] = in->pin_b_resp[p];
	}
	for (; e->whole < e->pin_lasts && e->whole < e->pin_aws; e->whole++)
		e->lane[e->aw[e->whole].lane].whole++;
}

static void see_response(struct write_env *e, const struct ports_write_resp *b, struct lane *of)
{
	/* Those that came before its death come first. */
	assert_int_equal(b->dead, of->bs - of->marked == of->real_bs || of->marked);
	if (!b->dead)
		assert_int_equal(b->resp, of->resp[of->bs]);
	of->marked += b->dead;
	of->bs++;
	e->bs++;
	assert_true(of->bs <= of->lasts);
}

static void see_inside(struct write_env *e, const struct ports_in *in, const struct ports_out *out)
{
	uint32_t p = e->p;

	if (!e->dead && e->lanes > 1)
		assert_int_equal(out->pin_b_ready[p], 1);
	if (!e->dead && e->lanes == 1)
		assert_int_equal(out->b_valid[p], in->pin_b_valid[p] && !e->stray);
	for (uint32_t l = 0; l < e->lanes; l++)
		if (out->b_valid[p + l] && in->b_ready[p + l])
			see_response(e, &out->b[p + l], &e->lane[l]);
	if (in->aw_valid[p] && out->aw_ready[p])
		e->aw[e->aws++] = in->aw[p];
	if (in->w_valid[p] && out->w_ready[p]) {
		if (in->w[p].last)
			e->lane[e->aw[e->lasts++].lane].lasts++;
		e->w[e->ws++] = in->w[p];
	}
}

/* No ready of a pin is seen inside in its cycle. */
static void see_paths(struct write_env *e, struct ports_in *in, const struct ports_out *out)
{
	bool aw, w;

	ports_eval(e->b.unit);
	aw = out->aw_ready[e->p];
	w = out->w_ready[e->p];
	in->pin_aw_ready[e->p] ^= 1;
	in->pin_w_ready[e->p] ^= 1;
	ports_eval(e->b.unit);
	assert_true(aw == out->aw_ready[e->p] && w == out->w_ready[e->p]);
	in->pin_aw_ready[e->p] ^= 1;
	in->pin_w_ready[e->p] ^= 1;
	ports_eval(e->b.unit);
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
	see_paths(e, in, out);
	aw = in->aw_valid[e->p] && out->aw_ready[e->p];
	w = in->w_valid[e->p] && out->w_ready[e->p];
	b = in->pin_b_valid[e->p] && out->pin_b_ready[e->p];
	see_pins(e, in, out);
	see_inside(e, in, out);
	watched(&e->b, false, e->p);
	ports_tick(e->b.unit);
	in->aw_valid[e->p] = in->aw_valid[e->p] && !aw;
	in->w_valid[e->p] = in->w_valid[e->p] && !w;
	in->pin_b_valid[e->p] = in->pin_b_valid[e->p] && !b;
}

static void write_open(struct write_env *e, uint64_t seed, uint32_t p)
{
	memset(e, 0, sizeof(*e));
	bench_open(&e->b, seed);
	e->p = p;
	e->lanes = p + 1;
	e->die_at = NEVER;
}

static void write_run(uint64_t seed, uint32_t ready, uint32_t answer, uint32_t take, uint32_t die_at)
{
	static struct write_env e;
	uint32_t i;

	for (uint32_t p = 0; p < 2; p++) {
		write_open(&e, seed, p);
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
		assert_true(die_at == NEVER ? marked(&e) == 0 : marked(&e) > 0);
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

/* The pins take nothing for long, then all: a beat per cycle from then on. */
TEST(write_rate)
{
	static struct write_env e;
	uint32_t i, from;

	for (uint32_t p = 0; p < 2; p++) {
		write_open(&e, p, p);
		e.answer = e.take = 100;
		for (i = 0; i < 200; i++)
			write_step(&e, i, true);
		assert_int_equal(e.pin_ws, 0);
		e.ready = 100;
		for (; i < 210; i++)
			write_step(&e, i, true);
		from = e.pin_ws;
		for (; i < 1210; i++)
			write_step(&e, i, true);
		/* They come in 80 of 100 cycles. */
		assert_in_range(e.pin_ws - from, 750, 1000);
		ports_close(e.b.unit);
	}
}

/* A burst now and then, and none is answered any more. Of a lane, while the other one's are: one at most. */
static void lost_response(uint32_t p, uint32_t lost)
{
	static struct write_env e;
	uint32_t i, since, still = lost == 1 ? 0 : 1;

	write_open(&e, p + 2 * lost, p);
	e.ready = e.answer = 80;
	e.b.in->limit = PATIENCE;
	for (i = 0; i < 1500; i++) {
		e.take = i - 400 < 3 * PATIENCE ? 0 : 70;
		write_step(&e, i, i % 50 < 5);
		assert_false(e.dead);
	}
	for (e.take = 70; owed(&e, 0) || owed(&e, 1); i++)
		write_step(&e, i, false);
	for (e.lost = lost, since = i; !e.dead; i++) {
		write_step(&e, i, i % 50 < 5);
		since = (lost & 1 && owed(&e, 0)) || (lost & 2 && owed(&e, 1)) ? since : i;
		assert_in_range(i - since, 0, 2 * PATIENCE + 2);
	}
	assert_true(i - since > PATIENCE);
	assert_true(lost == (1u << e.lanes) - 1 || e.lane[still].pin_bs > 10);
	for (uint32_t end = i + 600; i < end; i++)
		write_step(&e, i, false);
	assert_true(e.bs == e.aws && marked(&e));
	ports_close(e.b.unit);
}

TEST(lost_responses)
{
	lost_response(0, 1);
	for (uint32_t lost = 1; lost < 4; lost++)
		lost_response(1, lost);
}
