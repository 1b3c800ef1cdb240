/* SPDX-License-Identifier: Apache-2.0 */
/* Write ports: 0 has one lane and passes its responses on; 1 has all streams, whose responses come in any order among
 * each other, and holds these, and addresses and data of stores that the pins do not take yet. There reductions are a
 * writer of their own: data has the order that addresses have at the pins, and never gets there before its address. */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/tma_ports_env.h"

#define STREAMS 4u
#define AHEAD   16u /* addresses whose data comes in the order of both writers */

enum { STORES, REDUCTIONS, WRITERS };

/* Taken inside, at the pins. */
struct writer {
	struct ports_aw aw[ROOM];
	struct ports_write_beat w[ROOM * 3];
	uint32_t aws, pin_aws, ws, pin_ws, lasts, bs;
	uint32_t beat; /* of the burst on W */
};

/* Of one stream: bursts in full inside, at the pins, there with their address; responses inside and at the pins, those
 * that came before death, marked ones. */
struct stream {
	uint32_t lasts, pin_lasts, whole, bs, pin_bs, real_bs, marked;
	uint8_t resp[ROOM]; /* that came from the pins, in order */
};

struct write_env {
	struct bench b;
	struct age age;
	uint32_t p, lanes, streams; /* the port; of stores, of all */
	uint32_t ready, answer, take;
	uint32_t lost; /* streams that get no response any more */
	uint32_t die_at;
	bool dead, dies; /* the latter: in this cycle */
	struct writer writer[WRITERS];
	struct stream stream[STREAMS];
	/* At the pins, of both writers: streams of the addresses that were shown; what was taken, after death. */
	uint32_t order[WRITERS * ROOM], shows, pin_aws, pin_ws, pin_lasts, late_aws, late_ws, whole;
	bool holds; /* the address that is shown was shown before */
	/* Beats of stores that made room; last beats of both that passed to the pins, until a cycle ago; addresses that
	 * were shown until a cycle ago. */
	uint32_t left, passed, passed_before, shown;
	uint32_t strays; /* percent: a response that nobody waits for */
	bool stray;      /* the one at the pins */
};

static uint32_t marked(const struct write_env *e)
{
	uint32_t sum = 0;

	for (uint32_t s = 0; s < STREAMS; s++)
		sum += e->stream[s].marked;
	return sum;
}

static bool ended(const struct write_env *e)
{
	for (uint32_t k = 0; k < WRITERS; k++)
		if (e->writer[k].bs != e->writer[k].aws)
			return false;
	return true;
}

static uint32_t writer_of(const struct write_env *e, uint32_t stream)
{
	return stream < e->lanes ? STORES : REDUCTIONS;
}

/* Responses of this stream are awaited from the pins. */
static bool owed(const struct write_env *e, uint32_t s)
{
	return e->stream[s].pin_bs != e->stream[s].pin_lasts;
}

static bool any_owed(const struct write_env *e, uint32_t mask)
{
	for (uint32_t s = 0; s < e->streams; s++)
		if (mask >> s & 1 && owed(e, s))
			return true;
	return false;
}

static void drive_b(struct write_env *e, struct ports_in *in)
{
	uint32_t p = e->p, s = rng_below(&e->b.rng, e->streams), id = rng_below(&e->b.rng, 8);

	if (in->pin_b_valid[p])
		return;
	/* It is taken at once: of a stream that is owed nothing, or of none; beside one that is owed, with several. */
	e->stray = (id >= e->streams ? e->streams > 1 || !owed(e, 0) : !owed(e, id)) &&
	           rng_percent(&e->b.rng, e->strays);
	if (!e->stray && (e->stream[s].pin_bs >= e->stream[s].whole || e->lost >> s & 1 ||
	                  !rng_percent(&e->b.rng, e->answer)))
		return;
	in->pin_b_valid[p] = 1;
	in->pin_b_id[p] = (uint8_t)(e->stray ? id : s);
	in->pin_b_resp[p] = (uint8_t)rng_below(&e->b.rng, 4);
}

static bool draw_aw(struct write_env *e, uint32_t k, uint32_t s, struct ports_aw *aw)
{
	const struct writer *w = &e->writer[k];
	struct ports_ar a;

	if (w->aws == ROOM || w->aws - w->bs >= (k == STORES ? e->b.info->writes : e->b.info->reductions) ||
	    (e->lost >> s & 1 && owed(e, s)) || !rng_percent(&e->b.rng, k == STORES ? 70 : 50))
		return false;
	a = random_ar(&e->b, 0);
	*aw = (struct ports_aw){ .stream = (uint8_t)s,
		                 .addr = a.addr,
		                 .len = a.len,
		                 .cache = a.cache,
		                 .prot = a.prot,
		                 .qos = a.qos,
		                 .user = a.user };
	return true;
}

static bool draw_w(struct write_env *e, uint32_t k, struct ports_write_beat *beat)
{
	struct writer *w = &e->writer[k];

	if (w->lasts == w->aws || !rng_percent(&e->b.rng, 80))
		return false;
	random_bytes(&e->b, beat->data, e->b.info->data_bytes);
	random_bytes(&e->b, beat->strb, e->b.info->data_bytes / 8);
	beat->last = w->beat == w->aw[w->lasts].len;
	w->beat = beat->last ? 0 : w->beat + 1;
	return true;
}

static void drive_write(struct write_env *e, struct ports_in *in, bool more)
{
	const struct writer *stores = &e->writer[STORES];
	uint32_t p = e->p;

	if (!in->aw_valid[p] && more)
		in->aw_valid[p] = draw_aw(e, STORES, rng_below(&e->b.rng, e->lanes), &in->aw[p]);
	if (!in->w_valid[p]) {
		in->w_valid[p] = draw_w(e, STORES, &in->w[p]);
		in->w_stream[p] = in->w_valid[p] ? stores->aw[stores->lasts].stream : 0;
	}
	if (e->streams > e->lanes) {
		if (!in->reduce_aw_valid && more)
			in->reduce_aw_valid = draw_aw(e, REDUCTIONS, e->lanes, &in->reduce_aw);
		if (!in->reduce_w_valid)
			in->reduce_w_valid = draw_w(e, REDUCTIONS, &in->reduce_w);
	}
	in->pin_aw_ready[p] = rng_percent(&e->b.rng, e->ready);
	in->pin_w_ready[p] = rng_percent(&e->b.rng, e->ready);
	for (uint32_t s = 0; s < e->streams; s++)
		in->b_ready[p + s] = rng_percent(&e->b.rng, e->take);
	drive_b(e, in);
}

/* What is on AW and W: of either writer the next one. */
static void see_payload(struct write_env *e, const struct ports_in *in, const struct ports_out *out)
{
	uint32_t p = e->p, stream;
	const struct writer *w;

	if (out->pin_aw_valid[p]) {
		stream = out->pin_aw[p].stream;
		w = &e->writer[writer_of(e, stream)];
		assert_true(w->pin_aws < w->aws);
		assert_memory_equal(&out->pin_aw[p], &w->aw[w->pin_aws], sizeof(out->pin_aw[p]));
		assert_true(!e->holds || stream == e->order[e->shows - 1]);
		if (!e->holds)
			e->order[e->shows++] = stream;
		e->holds = !in->pin_aw_ready[p];
	} else {
		assert_false(e->holds);
	}
	if (out->pin_w_valid[p]) {
		assert_true(e->pin_lasts < e->shown);
		w = &e->writer[writer_of(e, e->order[e->pin_lasts])];
		assert_true(w->pin_ws < w->ws);
		assert_memory_equal(&out->pin_w[p], &w->w[w->pin_ws], sizeof(out->pin_w[p]));
	}
}

/* Those inside that are not at the pins yet: what has to be there, alive. */
static void see_waiting(const struct write_env *e, const struct ports_out *out)
{
	const struct writer *stores = &e->writer[STORES], *w = stores;
	uint32_t p = e->p;

	if (e->pin_lasts < e->shown)
		w = &e->writer[writer_of(e, e->order[e->pin_lasts])];
	assert_int_equal(out->pin_w_valid[p], e->pin_lasts < e->shown && w->pin_ws < w->ws);
	/* Addresses of stores wait too where so many are ahead of their data; those of reductions then wait outside. */
	if (!out->pin_aw_valid[p]) {
		assert_int_equal(e->writer[REDUCTIONS].pin_aws, e->writer[REDUCTIONS].aws);
		assert_true(stores->pin_aws == stores->aws ||
		            (e->streams > e->lanes && e->pin_aws == e->passed_before + AHEAD));
	}
	/* One more may be behind. */
	assert_in_range(e->left + e->writer[REDUCTIONS].ws - e->pin_ws - out->pin_w_valid[p], 0,
	                out->pin_w_valid[p]);
	if (p)
		return;
	assert_int_equal(out->aw_ready[p], stores->aws - e->pin_aws < 2);
	assert_int_equal(out->w_ready[p],
	                 stores->ws - e->pin_ws < 2 && stores->lasts < e->pin_aws + out->pin_aw_valid[p]);
}

static void see_channels(struct write_env *e, const struct ports_in *in, const struct ports_out *out)
{
	const struct writer *stores = &e->writer[STORES];
	uint32_t p = e->p, left = e->left;

	see_payload(e, in, out);
	if (!e->dead) {
		see_waiting(e, out);
		assert_int_equal(out->w_stalls[p], out->pin_w_valid[p] && !in->pin_w_ready[p]);
	} else {
		/* What was full is not so any more, a cycle later; or two, behind a reduction's turn. */
		assert_true(e->dies || p || (out->aw_ready[p] && out->w_ready[p]));
		assert_true(out->pin_b_ready[p]);
		assert_false(out->w_stalls[p]);
	}
	e->left += out->w_leaves[p];
	assert_in_range(stores->ws + (in->w_valid[p] && out->w_ready[p]) - e->left, 0, p ? 8 : 0);
	e->shown = e->pin_aws + out->pin_aw_valid[p];
	e->passed_before = e->passed;
	if (e->left != left)
		e->passed += left == stores->ws ? in->w[p].last : stores->w[left].last;
	if (p)
		e->passed += in->reduce_w_valid && out->reduce_w_ready && in->reduce_w.last;
}

static void see_pins(struct write_env *e, const struct ports_in *in, const struct ports_out *out)
{
	uint32_t p = e->p, owes = 0, stream;
	bool aw = out->pin_aw_valid[p] && in->pin_aw_ready[p], w = out->pin_w_valid[p] && in->pin_w_ready[p],
	     over;
	bool b = in->pin_b_valid[p] && !e->stray;
	struct stream *of;

	assert_true(!in->pin_b_valid[p] || !e->stray || out->pin_b_ready[p]);
	see_channels(e, in, out);
	for (uint32_t s = 0; s < e->streams; s++)
		owes |= (uint32_t)owed(e, s) << s;
	over = age_step(&e->age, out->pin_aw_valid[p] && !aw, out->pin_w_valid[p] && !w, aw || w || b, owes,
	                b ? 1u << in->pin_b_id[p] : 0);
	assert_int_equal(out->write_progress[p], over);
	assert_int_equal(out->write_pending[p], !over);
	if (w) {
		stream = e->order[e->pin_lasts];
		e->writer[writer_of(e, stream)].pin_ws++;
		e->pin_ws++;
		e->late_ws += e->dead;
		e->stream[stream].pin_lasts += out->pin_w[p].last;
		e->pin_lasts += out->pin_w[p].last;
	}
	if (aw) {
		e->writer[writer_of(e, out->pin_aw[p].stream)].pin_aws++;
		e->pin_aws++;
		e->late_aws += e->dead;
	}
	if (b && out->pin_b_ready[p]) {
		of = &e->stream[in->pin_b_id[p]];
		of->pin_bs++;
		if (!e->dead)
			of->resp[of->real_bs++] = in->pin_b_resp[p];
	}
	for (; e->whole < e->pin_lasts && e->whole < e->pin_aws; e->whole++)
		e->stream[e->order[e->whole]].whole++;
}

static void see_response(struct write_env *e, const struct ports_write_resp *b, uint32_t stream)
{
	struct stream *of = &e->stream[stream];

	/* Those that came before its death come first. */
	assert_int_equal(b->dead, of->bs - of->marked == of->real_bs || of->marked);
	if (!b->dead)
		assert_int_equal(b->resp, of->resp[of->bs]);
	of->marked += b->dead;
	of->bs++;
	e->writer[writer_of(e, stream)].bs++;
	assert_true(of->bs <= of->lasts);
}

static void take_aw(struct write_env *e, uint32_t k, const struct ports_aw *aw)
{
	e->writer[k].aw[e->writer[k].aws++] = *aw;
}

static void take_w(struct write_env *e, uint32_t k, const struct ports_write_beat *beat)
{
	struct writer *w = &e->writer[k];

	if (beat->last)
		e->stream[w->aw[w->lasts++].stream].lasts++;
	w->w[w->ws++] = *beat;
}

static void see_inside(struct write_env *e, const struct ports_in *in, const struct ports_out *out)
{
	uint32_t p = e->p;

	if (!e->dead && e->streams > 1)
		assert_int_equal(out->pin_b_ready[p], 1);
	if (!e->dead && e->streams == 1)
		assert_int_equal(out->b_valid[p], in->pin_b_valid[p] && !e->stray);
	for (uint32_t s = 0; s < e->streams; s++)
		if (out->b_valid[p + s] && in->b_ready[p + s])
			see_response(e, &out->b[p + s], s);
	if (in->aw_valid[p] && out->aw_ready[p])
		take_aw(e, STORES, &in->aw[p]);
	if (in->w_valid[p] && out->w_ready[p])
		take_w(e, STORES, &in->w[p]);
	if (in->reduce_aw_valid && out->reduce_aw_ready)
		take_aw(e, REDUCTIONS, &in->reduce_aw);
	if (in->reduce_w_valid && out->reduce_w_ready)
		take_w(e, REDUCTIONS, &in->reduce_w);
}

static uint32_t readies(const struct ports_out *out, uint32_t p)
{
	return out->aw_ready[p] | (uint32_t)out->w_ready[p] << 1 | (uint32_t)out->reduce_aw_ready << 2 |
	       (uint32_t)out->reduce_w_ready << 3;
}

/* No ready of a pin is seen inside in its cycle. */
static void see_paths(struct write_env *e, struct ports_in *in, const struct ports_out *out)
{
	uint32_t before;

	ports_eval(e->b.unit);
	before = readies(out, e->p);
	in->pin_aw_ready[e->p] ^= 1;
	in->pin_w_ready[e->p] ^= 1;
	ports_eval(e->b.unit);
	assert_int_equal(readies(out, e->p), before);
	in->pin_aw_ready[e->p] ^= 1;
	in->pin_w_ready[e->p] ^= 1;
	ports_eval(e->b.unit);
}

static void write_step(struct write_env *e, uint32_t cycle, bool more)
{
	struct ports_in *in = e->b.in;
	const struct ports_out *out = e->b.out;
	bool aw, w, b, reduce_aw, reduce_w;

	e->dies = !e->dead && (cycle >= e->die_at || (in->limit && watched(&e->b, false, e->p)));
	e->dead |= e->dies;
	in->write_dead[e->p] = e->dead;
	drive_write(e, in, more);
	see_paths(e, in, out);
	aw = in->aw_valid[e->p] && out->aw_ready[e->p];
	w = in->w_valid[e->p] && out->w_ready[e->p];
	b = in->pin_b_valid[e->p] && out->pin_b_ready[e->p];
	reduce_aw = in->reduce_aw_valid && out->reduce_aw_ready;
	reduce_w = in->reduce_w_valid && out->reduce_w_ready;
	see_pins(e, in, out);
	see_inside(e, in, out);
	watched(&e->b, false, e->p);
	ports_tick(e->b.unit);
	in->aw_valid[e->p] = in->aw_valid[e->p] && !aw;
	in->w_valid[e->p] = in->w_valid[e->p] && !w;
	in->pin_b_valid[e->p] = in->pin_b_valid[e->p] && !b;
	in->reduce_aw_valid = in->reduce_aw_valid && !reduce_aw;
	in->reduce_w_valid = in->reduce_w_valid && !reduce_w;
}

static void write_open(struct write_env *e, uint64_t seed, uint32_t p)
{
	memset(e, 0, sizeof(*e));
	bench_open(&e->b, seed);
	e->p = p;
	e->lanes = p && e->b.info->ports > 1 ? 2 : 1;
	e->streams = e->lanes + (p && e->b.info->reductions);
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
		for (; i < 6000 && !ended(&e); i++) {
			e.ready = e.answer = die_at == NEVER ? 100 : e.ready;
			write_step(&e, i, false);
		}
		assert_true(ended(&e));
		for (uint32_t k = 0; k < WRITERS; k++)
			assert_true(e.writer[k].aws > 10 || (k == REDUCTIONS && e.streams == e.lanes));
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

/* A burst now and then, and none is answered any more. Of a stream, while the others' are: one at most. */
static void lost_response(uint32_t p, uint32_t lost)
{
	static struct write_env e;
	uint32_t i, since, still = 0;

	write_open(&e, p + 2 * lost, p);
	while (lost >> still & 1)
		still++;
	e.ready = e.answer = 80;
	e.b.in->limit = PATIENCE;
	for (i = 0; i < 1500; i++) {
		e.take = i - 400 < 3 * PATIENCE ? 0 : 70;
		write_step(&e, i, i % 50 < 5);
		assert_false(e.dead);
	}
	for (e.take = 70; any_owed(&e, UINT32_MAX); i++)
		write_step(&e, i, false);
	for (e.lost = lost, since = i; !e.dead; i++) {
		write_step(&e, i, i % 50 < 5);
		since = any_owed(&e, lost) ? since : i;
		assert_in_range(i - since, 0, 2 * PATIENCE + 2);
	}
	assert_true(i - since > PATIENCE);
	assert_true(still == e.streams || e.stream[still].pin_bs > 10);
	for (uint32_t end = i + 600; i < end; i++)
		write_step(&e, i, false);
	assert_true(ended(&e) && marked(&e));
	ports_close(e.b.unit);
}

TEST(lost_responses)
{
	uint32_t streams = (unit_shape()->ports > 1 ? 2 : 1) + (unit_shape()->reductions != 0);

	lost_response(0, 1);
	for (uint32_t lost = 1; lost < 1u << streams; lost++)
		lost_response(1, lost);
}
