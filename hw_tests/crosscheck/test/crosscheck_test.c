/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_test - the cross-check itself: it must see what is wrong.
 *
 * Checks: each kind of damage to a run's result is reported, and nothing is where there is none; the
 *         front of a queue changes nothing; every kind of act comes up and is legal for the model; a
 *         byte that no command writes is seen to change, whatever was done of the program; a
 *         program with a race differs between two orders of the model; each kind of forbidden order
 *         in a trace, and a burst that belongs to no command, is reported; programs depend on seed
 *         and number alone, and most of them share barriers between queues.
 */

#include "crosscheck/test/fixture.h"
#include <stdlib.h>
#include <string.h>

#include "crosscheck/acts.h"
#include "crosscheck/footprint.h"
#include "crosscheck/order.h"
#include "crosscheck/sm.h"
#include "lib/rng.h"

#define SEED     5
#define PROGRAMS 40

static struct result copy_of(const struct program *p, const struct result *r)
{
	struct result copy = *r;

	memory_init(&copy.memory, r->memory.shape);
	memory_copy(&copy.memory, &r->memory);
	for (uint32_t q = 0; q < MAX_QUEUES; q++) {
		copy.queue[q].records = NULL;
		copy.queue[q].num_records = copy.queue[q].room_records = 0;
		for (uint32_t i = 0; i < r->queue[q].num_records; i++)
			result_add_record(&copy, &r->queue[q].records[i]);
	}
	sm_answers(&copy, p);
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		if (copy.sm[c])
			memcpy(copy.sm[c], r->sm[c], p->sm[c].bytes);
	copy.counters_known = true;
	return copy;
}

static struct fixture *fixture_new(uint32_t number, bool faults)
{
	struct fixture *f = fixture_of(program_make(shape_find("default"), SEED, number, faults, NULL));

	f->run = copy_of(f->p, &f->model);
	return f;
}

static bool agrees(struct fixture *f)
{
	return result_agrees(f->p, &f->before, &f->model, &f->run, f->text, sizeof(f->text));
}

/* After the damage the run differs, and the report holds the word. */
static void assert_reported(struct fixture *f, const char *word)
{
	assert_false(agrees(f));
	if (!strstr(f->text, word))
		fail_msg("%s: no %s", f->text, word);
}

/*
 * The comparer.
 */

TEST(undamaged_runs_agree)
{
	for (uint32_t i = 0; i < PROGRAMS; i++) {
		struct fixture *f = fixture_new(i, i % 2);

		assert_true(agrees(f));
		fixture_free(f);
	}
}

TEST(every_byte_is_compared)
{
	struct fixture *f = fixture_new(1, false);
	const struct shape *shape = f->p->shape;
	struct rng rng = rng_make(SEED, 0);

	for (uint32_t i = 0; i < 200; i++) {
		uint8_t *byte =
			&f->run.memory.smem[rng_below(&rng, shape->ctas)][rng_below(&rng, shape->smem_bytes)];

		*byte ^= 1;
		assert_reported(f, "CTA");
		*byte ^= 1;
		byte = &f->run.memory.global[rng_below(&rng, f->p->global_bytes)];
		*byte ^= 0x80;
		assert_reported(f, "global memory");
		*byte ^= 0x80;
	}
	f->run.memory.smem[0][0] ^= 1;
	assert_reported(f, "CTA 0 offset 0:");
	f->run.memory.smem[0][0] ^= 1;
	f->run.memory.smem[shape->ctas - 1][shape->smem_bytes - 1] ^= 1;
	assert_reported(f, "CTA");
	fixture_free(f);
}

/* A queue with some records, and the index of one in its middle. */
static struct queue_result *records_of(struct fixture *f, uint32_t *index)
{
	for (uint32_t q = 0; q < MAX_QUEUES; q++) {
		if (f->run.queue[q].num_records < 5)
			continue;
		*index = f->run.queue[q].num_records / 2;
		return &f->run.queue[q];
	}
	fail_msg("no queue with records");
	return NULL;
}

TEST(every_field_of_a_record_is_compared)
{
	struct fixture *f = fixture_new(1, false);
	uint32_t i = 0;
	struct queue_result *q = records_of(f, &i);
	struct tma_record good = q->records[i], *r = &q->records[i];

#define DAMAGE(change)                        \
	do {                                  \
		change;                       \
		assert_reported(f, "record"); \
		*r = good;                    \
		assert_true(agrees(f));       \
	} while (0)
	DAMAGE(r->tag ^= 1);
	DAMAGE(r->sequence++);
	DAMAGE(r->sequence = 1u << 30);
	DAMAGE(r->kind ^= 2);
	DAMAGE(r->fault = TMA_FAULT_BARRIER_DEAD);
	DAMAGE(r->address = 16);
	DAMAGE(r->phase ^= 1);
	DAMAGE(r->value ^= UINT64_C(1) << 40);
#undef DAMAGE
	fixture_free(f);
}

TEST(order_and_number_of_records_are_compared)
{
	struct fixture *f = fixture_new(2, false);
	uint32_t i = 0;
	struct queue_result *q = records_of(f, &i);
	struct tma_record r = q->records[i];

	q->records[i] = q->records[i + 1];
	q->records[i + 1] = r;
	assert_reported(f, "record");
	q->records[i + 1] = q->records[i];
	q->records[i] = r;
	q->num_records--;
	assert_reported(f, "missing");
	q->num_records++;
	result_add_record(&f->run, &r);
	assert_reported(f, "too many");
	fixture_free(f);
}

TEST(queue_state_and_counters_are_compared)
{
	struct fixture *f = NULL;
	struct queue_result *q;

	/* With a guest, counters are more than the model's; behind a late fault more may have happened, and what
	 * is reported as its address may be another one of the page. */
	for (uint32_t number = 3;
	     !f || f->p->guest.on || !f->p->num_victims || f->p->steps[f->p->victims[0].step].late;
	     number++) {
		if (f)
			fixture_free(f);
		f = fixture_new(number, true);
	}
	q = &f->run.queue[f->p->victims[0].queue];
#define DAMAGE(change, back, word)        \
	do {                              \
		change;                   \
		assert_reported(f, word); \
		back;                     \
	} while (0)
	DAMAGE(q->head += 5000, q->head -= 5000, "next sequence");
	DAMAGE(q->head--, q->head++, "next sequence");
	DAMAGE(q->fault++, q->fault--, "fault");
	DAMAGE(q->fault_count++, q->fault_count--, "fault");
	DAMAGE(q->fault_sequence++, q->fault_sequence--, "fault registers");
	DAMAGE(q->fault_tag++, q->fault_tag--, "fault registers");
	DAMAGE(q->fault_address++, q->fault_address--, "fault registers");
	for (uint32_t i = 0; i < COUNTED; i++)
		DAMAGE(f->run.counters[i] += 5000, f->run.counters[i] -= 5000, "COUNTER");
	for (uint32_t i = 0; i < MAX_QUEUES; i++)
		if (!f->p->queue[i].used && i < f->p->shape->queues)
			DAMAGE(f->run.queue[i].fault = 16, f->run.queue[i].fault = 0, "fault");
#undef DAMAGE
	assert_true(agrees(f));
	fixture_free(f);
}

/* Does a pending_count look at the step's token? */
static bool is_looked_at(const struct program *p, const struct step *arrive)
{
	for (uint32_t i = 0; i < p->num_steps; i++)
		if (p->steps[i].token_of >= 0 && &p->steps[p->steps[i].token_of] == arrive)
			return true;
	return false;
}

/* The record of a step with this rule in some program, and its step. */
static struct tma_record *record_with(struct fixture **f, enum rule rule, const struct step **step)
{
	for (uint32_t number = 0; number < 500; number++) {
		*f = fixture_new(number, false);
		for (uint32_t q = 0; q < MAX_QUEUES; q++)
			for (uint32_t i = 0; i < (*f)->run.queue[q].num_records; i++) {
				struct tma_record *r = &(*f)->run.queue[q].records[i];

				*step = program_step((*f)->p, q, r->sequence);
				if ((*step)->rule == rule && !is_looked_at((*f)->p, *step) &&
				    (rule != RULE_PENDING || (*step)->num_outcomes > 1))
					return r;
			}
		fixture_free(*f);
	}
	fail_msg("no such step");
	return NULL;
}

TEST(free_answers_have_their_bounds)
{
	const struct step *step;
	struct fixture *f;
	struct tma_record *r = record_with(&f, RULE_ANY, &step);
	uint64_t good;

	r->value ^= 1;
	assert_true(agrees(f));
	r->value = 2;
	assert_reported(f, "value");
	fixture_free(f);

	r = record_with(&f, RULE_PENDING, &step);
	good = r->value;
	for (uint32_t i = 0; i < step->num_outcomes; i++) {
		r->value = (good & ~(uint64_t)0xfffff) | step->outcomes[i];
		assert_true(agrees(f));
	}
	r->value = good ^ 1u << TMA_STATE_PHASE_LSB;
	assert_reported(f, "value");
	r->value = (good & ~(uint64_t)0xfffff) | 0xabcde;
	assert_reported(f, "value");
	fixture_free(f);
}

/* Bytes of a faulted copy may be old or new, each for itself, and nothing else. */
TEST(faulted_copies_have_their_bounds)
{
	uint32_t seen = 0;

	for (uint32_t number = 0; number < 60; number++) {
		struct fixture *f = fixture_new(number, true);

		for (uint32_t i = 0; i < f->p->num_eithers; i++) {
			const struct either *e = &f->p->eithers[i];
			uint8_t *byte, old, new, was;

			if (e->dst_cta < 0 || e->src >= f->p->global_bytes)
				continue;
			byte = &f->run.memory.smem[e->dst_cta][e->dst];
			old = f->before.smem[e->dst_cta][e->dst];
			new = f->before.global[e->src];
			was = *byte;
			*byte = old;
			assert_true(agrees(f));
			*byte = new;
			assert_true(agrees(f));
			*byte = (uint8_t)(old == 0x55 || new == 0x55 ? old ^ new ^ 0xaa : 0x55);
			assert_int_equal(agrees(f), *byte == old || *byte == new);
			*byte = was;
			seen++;
		}
		fixture_free(f);
	}
	assert_true(seen > 5);
}

/* Without knowing how far the program came. */
TEST(footprints_have_their_bounds)
{
	uint32_t outside = 0, inside = 0;

	for (uint32_t number = 0; number < PROGRAMS; number++) {
		struct fixture *f = fixture_new(number, false);
		struct rng rng = rng_make(SEED, number);

		assert_true(footprint_kept(f->p, &f->before, &f->before, f->text, sizeof(f->text)));
		assert_true(footprint_kept(f->p, &f->before, &f->run.memory, f->text, sizeof(f->text)));
		for (uint32_t i = 0; i < 50; i++) {
			uint32_t cta = rng_below(&rng, f->p->shape->ctas),
				 at = rng_below(&rng, f->p->shape->smem_bytes);
			uint8_t *byte = &f->run.memory.smem[cta][at], was = *byte;
			bool written = at >= f->p->arena_at && at < f->p->arena_at + f->p->arena_bytes;

			*byte = (uint8_t)(was + 1 == f->before.smem[cta][at] ? was + 2 : was + 1);
			if (footprint_kept(f->p, &f->before, &f->run.memory, f->text, sizeof(f->text)))
				assert_true(written);
			else if (written)
				inside++;
			else
				outside++;
			*byte = was;
		}
		fixture_free(f);
	}
	assert_true(outside > 100);
	assert_true(inside > 100);
}

/* Both fronts of the model agree, and the records come out of the rings. */
TEST(fronts_do_not_matter)
{
	for (uint32_t number = 0; number < PROGRAMS; number++) {
		struct fixture *f = fixture_new(number, number % 2);

		for (uint32_t front = FRONTS_DIRECT; front <= FRONTS_RING; front++) {
			program_fronts(f->p, (enum fronts)front);
			result_free(&f->run);
			assert_true(run_model(f->p, &f->before, &f->run));
			f->run.counters_known = true;
			assert_true(agrees(f));
		}
		fixture_free(f);
	}
}

/* Each port's memory is compared. */
TEST(every_port_is_compared)
{
	struct fixture *f = fixture_new(1, false);

	for (uint32_t port = 1; port < f->p->shape->ports; port++)
		for (uint32_t at = 0; at < PORT_BYTES; at += PORT_BYTES - 1) {
			f->run.memory.port[port][at] ^= 1;
			assert_reported(f, "port");
			f->run.memory.port[port][at] ^= 1;
		}
	assert_true(agrees(f));
	fixture_free(f);
}

/* Acts: the model does them all without a word, and each kind comes up. */
TEST(acts_are_legal)
{
	uint32_t seen[NUM_ACT_KINDS] = { 0 };

	for (uint32_t number = 0; number < 4 * PROGRAMS; number++) {
		struct fixture *f = fixture_new(number, true);
		struct result result = { 0 };
		struct feed feed;
		struct acts acts;
		uint32_t count;

		assert_true(model_begin(&feed, f->p, &f->before, &result));
		count = acts_begin(&acts, f->p, &feed);
		assert_true(count);
		for (uint32_t i = 0; i < count; i++) {
			struct tma_queue_status status;
			struct act_outcome outcome;
			struct act act;

			status = feed_status(&feed, acts_queue(&acts));
			acts_choose(&acts, &(struct act_view){ status.next_sequence, status.tail, 0 }, &act);
			acts_model(&acts, &act, &result, &outcome);
			if (act.kind == ACT_CANCEL)
				assert_int_equal(outcome.state.fault, TMA_FAULT_CANCELLED);
			seen[act.kind]++;
		}
		model_end(&feed);
		result_free(&result);
		fixture_free(f);
	}
	for (uint32_t i = 0; i < NUM_ACT_KINDS; i++)
		assert_true(seen[i]);
}

/*
 * Races: the orders of the model.
 */

static bool orders_agree(struct fixture *f)
{
	bool good = true;

	for (uint64_t order = 0; order < 4 && good; order++) {
		result_free(&f->run);
		good = run_model_late(f->p, &f->before, order, &f->run) && agrees(f);
	}
	return good;
}

TEST(a_missing_wait_is_a_race)
{
	uint32_t found = 0, tried = 0;

	for (uint32_t number = 0; number < PROGRAMS; number++) {
		struct fixture *f = fixture_new(number, number % 4 == 3);

		assert_true(!program_ordered(f->p) || orders_agree(f));
		/* Every wait for a barrier becomes a test that waits for nothing. */
		for (uint32_t i = 0; i < f->p->num_steps; i++) {
			struct step *s = &f->p->steps[i];

			if (s->cmd.opcode != TMA_MBARRIER_TRY_WAIT)
				continue;
			s->cmd.opcode = TMA_MBARRIER_TEST_WAIT;
			s->cmd.tx = 0;
			s->rule = RULE_ANY;
			tried++;
		}
		found += program_ordered(f->p) && !orders_agree(f);
		fixture_free(f);
	}
	assert_true(tried > 100);
	assert_true(found > PROGRAMS / 2);
}

int main(void)
{
	return run_file_tests("crosscheck: results");
}
