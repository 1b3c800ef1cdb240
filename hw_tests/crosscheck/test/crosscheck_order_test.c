/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_order_test - the cross-check's look at the trace: it must see what is out of order.
 *
 * Checks: an invented trace in which everything happens in turn passes; the same trace with a load
 *         or store that ends too late, a copy that asks too early, too little or without an answer,
 *         a try_wait that gives up early does not; a burst of the wrong address, length, policy,
 *         queue or client, or one too many, belongs to no command; programs are reproducible.
 */

#include "lib/cmocka_all.h"
#include <stdlib.h>
#include <string.h>

#include "crosscheck/bus.h"
#include "crosscheck/order.h"

#define SEED   9
#define CYCLES 20 /* for each step of the invented trace */

static char text[600];

static bool moves(const struct program *p, uint32_t step)
{
	return bus_step_bytes(p, &p->steps[step]);
}

/* Every step is over before the next one begins; all write records. */
static struct seen *invented(const struct program *p)
{
	struct seen *seen = calloc(p->num_steps + 1, sizeof(*seen));

	assert_non_null(seen);
	for (uint32_t i = 0; i < p->num_steps; i++) {
		uint64_t at = (uint64_t)i * CYCLES;

		seen[i] = (struct seen){ .accepted = at,
			                 .first = NOT_SEEN,
			                 .newest = NOT_SEEN,
			                 .last = NOT_SEEN,
			                 .error = NOT_SEEN,
			                 .record = at + 15,
			                 .value = 1 };
		if (!moves(p, i))
			continue;
		seen[i].first = at + 2;
		seen[i].last = at + 10;
		for (uint32_t port = 0; port < p->shape->ports; port++) {
			seen[i].port[port].bytes = bus_port_bytes(p, &p->steps[i].cmd, port);
			seen[i].port[port].asked = seen[i].port[port].done = 1;
		}
	}
	return seen;
}

static bool certain(const struct step *copy, const struct know *k)
{
	if (copy->writes_done >= 0)
		return know_event(k, copy->writes_done);
	if (copy->reads_done >= 0 && know_event(k, copy->reads_done))
		return true;
	for (int c = 0; c < MAX_CTAS; c++)
		if (copy->phase[c] >= 0 && know_event(k, copy->phase[c]))
			return true;
	return false;
}

/* A copy of this kind and a later step whose queue is certain that it is complete. */
static bool find_pair(const struct program *p, uint8_t opcode, bool later_moves, uint32_t *copy,
                      uint32_t *later)
{
	for (uint32_t i = 0; i < p->num_steps; i++) {
		if (p->steps[i].cmd.opcode != opcode || !moves(p, i))
			continue;
		for (uint32_t j = i + 1; j < p->num_steps; j++) {
			if (!certain(&p->steps[i], &p->steps[j].know) || (later_moves && !moves(p, j)))
				continue;
			*copy = i;
			*later = j;
			return true;
		}
	}
	return false;
}

TEST(late_copies_are_reported)
{
	uint32_t tried = 0;

	for (uint32_t number = 0; number < 20; number++) {
		struct program *p = program_make(shape_find("default"), SEED, number, false, NULL);
		struct seen *seen = invented(p);
		uint32_t copy, later;

		assert_true(order_allowed(p, seen, text, sizeof(text)));
		for (uint8_t opcode = TMA_BULK_LOAD; opcode <= TMA_BULK_STORE; opcode++) {
			if (find_pair(p, opcode, false, &copy, &later)) {
				uint64_t good = seen[copy].last;

				/* In the same cycle is in time; one later is not. */
				seen[copy].last = seen[later].record;
				for (uint32_t i = copy + 1; i < later; i++)
					if (certain(&p->steps[copy], &p->steps[i].know))
						seen[copy].last = seen[i].record;
				seen[copy].last++;
				assert_false(order_allowed(p, seen, text, sizeof(text)));
				/* Of a copy that an SM has let go, its burst comes first. */
				assert_non_null(strstr(text, moves(p, later) ? "first burst" : "record"));
				seen[copy].last = good;
				tried++;
			}
			if (find_pair(p, opcode, true, &copy, &later)) {
				uint64_t good = seen[later].first;

				seen[later].first = seen[copy].last - 1;
				assert_false(order_allowed(p, seen, text, sizeof(text)));
				assert_non_null(strstr(text, "first burst"));
				seen[later].first = good;
				tried++;
			}
			assert_true(order_allowed(p, seen, text, sizeof(text)));
		}
		free(seen);
		program_free(p);
	}
	assert_true(tried > 40);
}

TEST(incomplete_copies_are_reported)
{
	struct program *p = program_make(shape_find("default"), SEED, 1, false, NULL);
	struct seen *seen = invented(p);
	uint32_t i = 0;

	while (!moves(p, i))
		i++;
	seen[i].port[0].bytes -= 16;
	assert_false(order_allowed(p, seen, text, sizeof(text)));
	seen[i].port[0].bytes += 16;
	seen[i].port[0].asked++;
	assert_false(order_allowed(p, seen, text, sizeof(text)));
	seen[i].port[0].asked--;
	seen[i].last = NOT_SEEN;
	assert_false(order_allowed(p, seen, text, sizeof(text)));
	free(seen);
	program_free(p);
}

TEST(bursts_after_an_error_are_reported)
{
	struct program *p = program_make(shape_find("default"), SEED, 1, false, NULL);
	struct seen *seen = invented(p);
	uint32_t i = 0;

	while (p->steps[i].cmd.opcode != TMA_BULK_LOAD || !moves(p, i))
		i++;
	seen[i].error = 1000;
	seen[i].newest = 1008;
	assert_true(order_allowed(p, seen, text, sizeof(text)));
	seen[i].newest = 1009;
	assert_false(order_allowed(p, seen, text, sizeof(text)));
	assert_non_null(strstr(text, "after the error"));
	free(seen);
	program_free(p);
}

TEST(early_limits_are_reported)
{
	uint32_t tried = 0;

	for (uint32_t number = 0; number < 20; number++) {
		struct program *p = program_make(shape_find("default"), SEED, number, false, NULL);
		struct seen *seen = invented(p);

		for (uint32_t i = 0; i < p->num_steps; i++) {
			if (p->steps[i].cmd.opcode != TMA_MBARRIER_TRY_WAIT || p->steps[i].cmd.tx < 2 ||
			    p->steps[i].cmd.tx > 1000)
				continue;
			seen[i].value = 0;
			seen[i].accepted = seen[i].record - p->steps[i].cmd.tx;
			assert_true(order_allowed(p, seen, text, sizeof(text)));
			seen[i].accepted++;
			assert_false(order_allowed(p, seen, text, sizeof(text)));
			assert_non_null(strstr(text, "gives up"));
			seen[i].value = 1;
			tried++;
		}
		free(seen);
		program_free(p);
	}
	assert_true(tried > 5);
}

/*
 * Bursts at the pins.
 */

struct pins {
	struct program *p;
	struct trace *t;
	struct tma_sim_in in;
	struct tma_sim_out out;
	uint32_t step; /* a load inside one page */
};

/* Such a step, or the number of them. */
static uint32_t find_load(const struct program *p)
{
	uint32_t bytes = p->shape->data_bytes, i = 0;

	while (i < p->num_steps && (p->steps[i].cmd.opcode != TMA_BULK_LOAD || !moves(p, i) ||
	                            !(p->steps[i].cmd.flags & TMA_FLAG_CACHE_HINT) ||
	                            p->steps[i].cmd.global_address % bytes + p->steps[i].cmd.size > bytes))
		i++;
	return i;
}

/* A load of one beat, on the pins as it should be. */
static struct pins *pins_new(void)
{
	struct pins *x = calloc(1, sizeof(*x));
	const struct step *s;
	uint32_t bytes;

	assert_non_null(x);
	for (uint32_t number = 3; !x->p || x->step == x->p->num_steps; number++) {
		if (x->p)
			program_free(x->p);
		x->p = program_make(shape_find("default"), SEED, number, false, NULL);
		x->step = find_load(x->p);
	}
	x->t = trace_new(x->p);
	bytes = x->p->shape->data_bytes;
	s = &x->p->steps[x->step];
	x->out.axi[0].ar_valid = 1;
	x->in.axi[0].ar_ready = 1;
	x->out.axi[0].ar_addr = s->cmd.global_address / bytes * bytes;
	x->out.axi[0].ar_len =
		(uint8_t)((s->cmd.global_address % bytes + s->cmd.size + bytes - 1) / bytes - 1);
	x->out.axi[0].ar_id = 2;
	x->out.axi[0].ar_qos = (uint8_t)(s->cmd.policy >> 60);
	x->out.axi[0].ar_user = (uint16_t)(x->p->queue[s->queue].stream << 8 | (s->cmd.policy >> 56 & 15));
	return x;
}

static void pins_free(struct pins *x)
{
	trace_free(x->t);
	program_free(x->p);
	free(x);
}

TEST(bursts_find_their_command)
{
	struct pins *x = pins_new();
	struct seen *seen = &trace_seen(x->t)[x->step];

	x->in.axi[0].ar_ready = 0;
	trace_cycle(x->t, 5, &x->in, &x->out);
	x->in.axi[0].ar_ready = 1;
	trace_cycle(x->t, 6, &x->in, &x->out);
	x->out.axi[0].ar_valid = 0;
	assert_null(trace_error(x->t));
	assert_int_equal(seen->first, 5);
	assert_int_equal(seen->port[0].bytes, x->p->steps[x->step].cmd.size);
	x->in.axi[0].r_valid = x->in.axi[0].r_last = 1;
	x->in.axi[0].r_id = 2;
	trace_cycle(x->t, 7, &x->in, &x->out);
	assert_int_equal(seen->last, NOT_SEEN);
	x->out.axi[0].r_ready = 1;
	trace_cycle(x->t, 8, &x->in, &x->out);
	assert_int_equal(seen->last, 8);
	assert_int_equal(seen->port[0].done, 1);
	pins_free(x);
}

/* An error counts from the cycle in which RREADY is back: before that the engine may not have looked at it. */
TEST(errors_are_seen_when_rready_is_back)
{
	struct pins *x = pins_new();
	struct seen *seen = &trace_seen(x->t)[x->step];

	trace_cycle(x->t, 6, &x->in, &x->out);
	x->out.axi[0].ar_valid = 0;
	x->in.axi[0].r_valid = x->in.axi[0].r_last = x->out.axi[0].r_ready = 1;
	x->in.axi[0].r_id = x->in.axi[0].r_resp = 2;
	trace_cycle(x->t, 7, &x->in, &x->out);
	assert_int_equal(seen->error, 7);
	x->in.axi[0].r_valid = x->out.axi[0].r_ready = 0;
	trace_cycle(x->t, 8, &x->in, &x->out);
	trace_cycle(x->t, 9, &x->in, &x->out);
	x->out.axi[0].r_ready = 1;
	trace_cycle(x->t, 10, &x->in, &x->out);
	x->out.axi[0].r_ready = 0;
	trace_cycle(x->t, 11, &x->in, &x->out);
	assert_int_equal(seen->error, 9);
	pins_free(x);
}

/* Of two prefetches that overlap the younger one goes first: its page may be the older one's, until it ends. */
TEST(prefetches_take_turns)
{
	struct pins *x = pins_new();
	uint64_t page = (x->p->global_base + 2 * PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	const uint32_t beats[] = { 64, 13, 64, 64, 64 }, pages[] = { 0, 1, 0, 1, 2 };
	uint32_t of[2] = { x->step, 0 };
	struct tma_axi_out *o = &x->out.axi[0];

	while (of[1] == of[0] || x->p->steps[of[1]].queue != x->p->steps[of[0]].queue)
		of[1]++;
	for (uint32_t i = 0; i < 2; i++) {
		struct step *s = &x->p->steps[of[i]];

		s->tensor = -1;
		s->fault = 0;
		s->rule = x->p->steps[x->step].rule;
		s->cmd = (struct tma_command){ .opcode = TMA_BULK_PREFETCH,
			                       .global_address = page,
			                       .size = of[i] > of[!i] ? PAGE_BYTES + 13 * 64
			                                              : 3 * PAGE_BYTES };
	}
	o->ar_id = 1 << 2;
	o->ar_qos = 0;
	o->ar_user &= 0xff00;
	for (uint32_t i = 0; i < 5; i++) {
		o->ar_addr = page + pages[i] * PAGE_BYTES;
		o->ar_len = (uint8_t)(beats[i] - 1);
		trace_cycle(x->t, i, &x->in, &x->out);
		assert_null(trace_error(x->t));
	}
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(trace_seen(x->t)[of[i]].port[0].bytes, x->p->steps[of[i]].cmd.size);
	trace_cycle(x->t, 5, &x->in, &x->out);
	assert_non_null(trace_error(x->t));
	pins_free(x);
}

/* The burst is changed in one way and then belongs to nobody. */
static void assert_stray(void (*change)(struct tma_axi_out *))
{
	struct pins *x = pins_new();

	if (change)
		change(&x->out.axi[0]);
	else
		trace_cycle(x->t, 1, &x->in, &x->out); /* right, but twice */
	trace_cycle(x->t, 2, &x->in, &x->out);
	assert_non_null(trace_error(x->t));
	pins_free(x);
}

static void other_address(struct tma_axi_out *o)
{
	o->ar_addr ^= 64;
}

static void other_length(struct tma_axi_out *o)
{
	o->ar_len++;
}

static void other_policy(struct tma_axi_out *o)
{
	o->ar_qos ^= 8;
}

static void other_eviction(struct tma_axi_out *o)
{
	o->ar_user ^= 1;
}

static void other_queue(struct tma_axi_out *o)
{
	o->ar_user ^= 0x1000;
}

static void other_prefetch(struct tma_axi_out *o)
{
	o->ar_user ^= 0x10;
}

static void other_client(struct tma_axi_out *o)
{
	o->ar_id |= 1 << 2;
}

TEST(stray_bursts_are_reported)
{
	assert_stray(other_address);
	assert_stray(other_length);
	assert_stray(other_policy);
	assert_stray(other_eviction);
	assert_stray(other_queue);
	assert_stray(other_client);
	assert_stray(other_prefetch);
	assert_stray(NULL);
}

TEST(stray_records_are_reported)
{
	struct program *p = program_make(shape_find("default"), SEED, 1, false, NULL);
	struct trace *t = trace_new(p);

	trace_record(t, 3, &(struct tma_record){ .sequence = 1000000, .queue = p->guest.queue == 0 });
	assert_non_null(trace_error(t));
	trace_free(t);
	program_free(p);
}

/*
 * Programs.
 */

TEST(programs_are_reproducible)
{
	static const char *const names[] = { "small", "default", "max" };

	for (uint32_t i = 0; i < 30; i++) {
		const struct shape *shape = shape_find(names[i % 3]);
		struct program *a = program_make(shape, SEED, i, i % 2, NULL);
		struct program *b = program_make(shape, SEED, i, i % 2, NULL);

		assert_int_equal(a->num_steps, b->num_steps);
		for (uint32_t s = 0; s < a->num_steps; s++)
			assert_memory_equal(&a->steps[s].cmd, &b->steps[s].cmd, sizeof(a->steps[s].cmd));
		program_free(a);
		program_free(b);
	}
}

TEST(most_programs_share)
{
	static const char *const names[] = { "small", "default", "max" };

	for (uint32_t n = 0; n < 3; n++) {
		uint32_t shared = 0;

		for (uint32_t i = 0; i < 200; i++) {
			struct program *p = program_make(shape_find(names[n]), SEED, i, false, NULL);

			shared += p->shared;
			program_free(p);
		}
		assert_true(shared >= 120);
	}
}

int main(void)
{
	return run_file_tests("crosscheck: order");
}
