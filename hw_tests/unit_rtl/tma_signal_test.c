/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_signal_test - a finished copy or an arrival behind it signals every barrier of its mask once,
 * those of its second round once more, and its fault once.
 *
 * Checks in every case: each CTA of a mask sees the barrier and the bytes exactly once in a round, no
 * other does; no second round after a fault of the first; signals do not overtake; one fault per signal,
 * of the lowest CTA that found one, with its origin; done once per signal, with its fault's handover if
 * there is one; the event of copies; idle; the unit's assertions.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_abi.h"
#include "tma_signal_pins.h"

#define INPUTS 3 /* load path, shared path, cp.async */

/* Percent. */
struct opts {
	uint64_t seed;
	uint32_t offer;       /* a new signal, per input and cycle */
	uint32_t bar_stall;   /* per CTA and cycle: not ready */
	uint32_t bar_fault;   /* per CTA and cycle */
	uint32_t fault_stall; /* per cycle: a fault is not taken */
	uint32_t again;       /* of copies: a second round */
};

struct env {
	struct signal *unit;
	struct signal_in *in;
	const struct signal_out *out;
	const struct unit_shape *info;
	struct opts o;
	struct rng rng;
	uint64_t cycle, taken[INPUTS], events, dones, silent;

	/* The signal under way, and the fault that has to be reported. */
	bool busy;
	struct signal_signal now;
	uint32_t period; /* cycles per signal */
	uint32_t left, again, fault_cta, fault_code;
	bool report;
	struct signal_signal report_cmd;
	uint32_t report_cta, report_code;
	uint64_t faults, seconds, stopped,
		others; /* second rounds; barriers left out of one; rounds without those */
};

static void open_env(struct env *e, const struct opts *o)
{
	BENCH_OPEN(e, signal, o->seed);
	e->o = *o;
	e->info = unit_shape();
	e->period = e->info->short_paths ? 2 : 1;
	signal_start(e->unit);
}

static struct signal_signal draw(struct env *e, uint32_t input)
{
	struct signal_signal c = { .ctas = (uint16_t)(1u << rng_below(&e->rng, e->info->ctas)) };

	if (rng_percent(&e->rng, 50))
		c.ctas = (uint32_t)rng_next(&e->rng) & ((1u << e->info->ctas) - 1);
	if (input != 2 && rng_percent(&e->rng, e->o.again))
		c.again = c.ctas & (rng_percent(&e->rng, 50) ? c.ctas : (uint32_t)rng_next(&e->rng));
	c.barrier = rng_below(&e->rng, e->info->smem_bytes / 8);
	c.arrive = input == 2;
	c.bytes = c.arrive ? 0 : (uint32_t)rng_next(&e->rng) & 0xFFFFF;
	c.origin.qid = (uint8_t)rng_below(&e->rng, e->info->queues);
	c.origin.seq = (uint16_t)rng_next(&e->rng);
	c.origin.tag = (uint32_t)rng_next(&e->rng);
	return c;
}

static void check_fault(struct env *e)
{
	const struct signal_out *out = e->out;

	REQUIRE(e, out->fault_valid == e->report);
	if (!e->report)
		return;
	REQUIRE(e, out->fault.code == e->report_code);
	REQUIRE(e, out->fault.address == ((uint64_t)e->report_cta << 24 | e->report_cmd.barrier * 8));
	REQUIRE(e, out->fault.origin.qid == e->report_cmd.origin.qid);
	REQUIRE(e, out->fault.origin.seq == e->report_cmd.origin.seq);
	REQUIRE(e, out->fault.origin.tag == e->report_cmd.origin.tag);
}

/* The barriers that answer in this cycle. Returns whether the signal is done. */
static bool answer(struct env *e)
{
	uint32_t failed = 0;

	REQUIRE(e, e->out->bar_b_valid == (e->busy ? e->left : 0));
	if (!e->busy)
		return false;
	REQUIRE(e, !e->left || e->out->bar_b_addr == e->now.barrier);
	REQUIRE(e, !e->left || e->out->bar_b_tx == e->now.bytes);
	REQUIRE(e, !e->left || e->out->bar_b_arrive == e->now.arrive);
	for (uint32_t c = 0; c < e->info->ctas; c++) {
		if (!(e->left & e->in->bar_b_ready & 1u << c) || !e->in->bar_b_fault[c])
			continue;
		failed |= 1u << c;
		if (!e->fault_code || c < e->fault_cta) {
			e->fault_cta = c;
			e->fault_code = e->in->bar_b_fault[c];
		}
	}
	e->left &= ~e->in->bar_b_ready;
	e->stopped += (e->again & failed) != 0;
	if (!e->left && e->again) {
		/* The second round, without those that have failed. */
		e->left = e->again & ~failed;
		e->seconds += !!e->left;
		e->others += e->left && e->fault_code;
		e->again = 0;
		return false;
	}
	e->again &= ~failed;
	return !e->left && !e->report;
}

/* With the end of a signal, or with the handover of its fault. */
static void check_done(struct env *e, bool done)
{
	bool handed = e->report && e->in->fault_ready, clean = done && !e->fault_code;

	REQUIRE(e, e->out->done == (handed || clean));
	REQUIRE(e, !handed || e->out->done_queue == e->report_cmd.origin.qid);
	REQUIRE(e, !clean || e->out->done_queue == e->now.origin.qid);
	e->dones += e->out->done;
}

static bool any_valid(const struct env *e)
{
	return e->in->sig_valid[0] || e->in->sig_valid[1] || e->in->sig_valid[2];
}

static void step(struct env *e)
{
	bool done;

	for (uint32_t i = 0; i < INPUTS; i++) {
		if (!e->in->sig_valid[i] && rng_percent(&e->rng, e->o.offer)) {
			e->in->sig_valid[i] = 1;
			e->in->sig[i] = draw(e, i);
		}
	}
	e->in->bar_b_ready = 0;
	for (uint32_t c = 0; c < e->info->ctas; c++) {
		e->in->bar_b_ready |= (uint32_t)!rng_percent(&e->rng, e->o.bar_stall) << c;
		e->in->bar_b_fault[c] = !rng_percent(&e->rng, e->o.bar_fault) ? 0
		                        : rng_percent(&e->rng, 50)            ? TMA_FAULT_SIGNAL_BARRIER_DEAD
		                        : rng_percent(&e->rng, 50) ? TMA_FAULT_SIGNAL_PENDING_UNDERFLOW
		                                                   : TMA_FAULT_SIGNAL_TX_COUNT_RANGE;
	}
	e->in->fault_ready = !rng_percent(&e->rng, e->o.fault_stall);
	signal_eval(e->unit);

	check_fault(e);
	REQUIRE(e, e->out->idle == (!e->busy && !e->report));
	done = answer(e);
	REQUIRE(e, e->out->signal_event == (done && e->now.ctas != 0 && !e->now.arrive));
	e->events += e->out->signal_event;
	check_done(e, done);

	if (e->report && e->in->fault_ready)
		e->report = false;
	if (done && e->fault_code) {
		e->report = true;
		e->report_cmd = e->now;
		e->report_cta = e->fault_cta;
		e->report_code = e->fault_code;
		e->faults++;
	}
	e->busy &= !done;
	for (uint32_t i = 0; i < INPUTS; i++) {
		if (!e->in->sig_valid[i] || !e->out->sig_ready[i])
			continue;
		REQUIRE(e, !e->busy);
		e->busy = true;
		e->now = e->in->sig[i];
		e->left = e->now.ctas;
		e->again = e->now.again;
		e->silent += !e->left || e->now.arrive;
		e->fault_code = 0;
		e->taken[i]++;
		e->in->sig_valid[i] = 0;
	}
	signal_tick(e->unit);
	e->cycle++;
}

static void close_env(struct env *e)
{
	uint64_t all = 0;

	e->o.offer = 0;
	for (uint32_t i = 0; i < 10000 && !(e->out->idle && !any_valid(e)); i++)
		step(e);
	assert_true(e->out->idle);
	for (uint32_t i = 0; i < INPUTS; i++)
		all += e->taken[i];
	assert_int_equal(e->dones, all);
	assert_int_equal(e->events, all - e->silent);
	signal_close(e->unit);
}

#define ENV_TEST(name, ...) \
	TEST_IN(name, struct env, e, open_env(e, &(const struct opts){ __VA_ARGS__ }), close_env(e))

/* One signal per `period` cycles, and the inputs take turns. */
ENV_TEST(full_rate, .seed = 1, .offer = 100)
{
	for (uint32_t i = 0; i < INPUTS * 300 * e->period; i++)
		step(e);
	for (uint32_t i = 0; i < INPUTS; i++)
		assert_int_equal(e->taken[i], 300);
}

/* One input alone has every turn. */
TEST(one_input)
{
	struct opts o = { .seed = 2 };
	struct env e;

	for (uint32_t port = 0; port < INPUTS; port++) {
		open_env(&e, &o);
		for (uint32_t i = 0; i < 100; i++) {
			if (!e.in->sig_valid[port])
				e.in->sig[port] = draw(&e, port);
			e.in->sig_valid[port] = 1;
			step(&e);
		}
		assert_int_equal(e.taken[port], 100 / e.period);
		close_env(&e);
	}
}

/* A second round takes one cycle more. */
ENV_TEST(second_rounds, .seed = 7)
{
	for (uint32_t i = 0; i < 100 * (e->period + 1); i++) {
		if (!e->in->sig_valid[0]) {
			e->in->sig_valid[0] = 1;
			e->in->sig[0] = draw(e, 0);
			e->in->sig[0].ctas |= 1;
			e->in->sig[0].again = 1;
		}
		step(e);
	}
	assert_int_equal(e->taken[0], 100);
	assert_int_equal(e->seconds, 100);
	assert_int_equal(e->events, e->period == 1 ? 99 : 100);
}

TEST(random_signals)
{
	static const struct opts opts[] = {
		{ .seed = 3, .offer = 60, .bar_stall = 30, .again = 40 },
		{ .seed = 4, .offer = 90, .bar_stall = 80, .bar_fault = 20, .fault_stall = 50, .again = 70 },
		{ .seed = 5, .offer = 100, .bar_stall = 10, .bar_fault = 60, .fault_stall = 90, .again = 20 },
		{ .seed = 6, .offer = 10, .bar_stall = 10, .bar_fault = 50, .again = 100 },
	};
	uint64_t seconds = 0, others = 0;
	struct env e;

	for (uint32_t i = 0; i < sizeof(opts) / sizeof(*opts); i++) {
		open_env(&e, &opts[i]);
		for (uint32_t j = 0; j < 20000; j++)
			step(&e);
		assert_true(e.taken[0] > 100 && e.taken[1] > 100 && e.taken[2] > 100);
		assert_true(!opts[i].bar_fault || (e.faults > 100 && e.stopped > 50));
		seconds += e.seconds;
		others += e.others;
		close_env(&e);
	}
	assert_true(seconds > 500 && others > 100);
}
