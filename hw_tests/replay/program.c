/* SPDX-License-Identifier: Apache-2.0 */
/* program - turns barrier programs into commands. */
#include <stdio.h>
#include <stdlib.h>

#include "replay/barrier.h"
#include "replay/build.h"
#include "tma_abi.h"

#define FIXED_STEPS    2u /* mbarrier.init, and the wait at the end */
#define STEPS_PER_STEP 2u
#define SHORT_WAIT     64u /* cycles; enough to see that a wait has waited */
#define WAIT_FOREVER   UINT32_MAX
#define STATE_BITS     (TMA_STATE_PENDING_BITS + TMA_STATE_PHASE_BITS)

struct writer {
	struct job *job;
	struct rng *rng;
	struct barrier now; /* what the barrier holds after the steps so far */
	uint64_t token;     /* of the last arrive that returned a state */
	uint32_t arrive;    /* that step */
	bool is_last;       /* no other arrive came after it */
};

static struct step *add(struct writer *w, uint8_t opcode)
{
	struct step *step = job_step(w->job, opcode);

	step->command.barrier = job_shared(w->job, 0, w->job->barrier);
	return step;
}

static uint32_t index_of(const struct job *job, const struct step *step)
{
	return (uint32_t)(step - job->steps);
}

/* Some operations without an answer report that they are done, to have that seen as well. */
static void report_some(struct writer *w, struct step *step, uint8_t kind, uint64_t value)
{
	if (rng_percent(w->rng, 12))
		job_await(step, kind, value);
}

static bool change_tx(struct writer *w, const struct vec_step *s)
{
	bool expect = s->op == VEC_EXPECT_TX;
	struct step *step = add(w, expect ? TMA_MBARRIER_EXPECT_TX : TMA_MBARRIER_COMPLETE_TX);

	step->command.tx = s->arg;
	report_some(w, step, TMA_KIND_RETIRED, 0);
	return expect ? barrier_expect(&w->now, s->arg) : barrier_complete(&w->now, s->arg);
}

static bool arrive(struct writer *w, const struct vec_step *s)
{
	bool drop = s->op == VEC_ARRIVE_DROP || s->op == VEC_ARRIVE_DROP_EXPECT_TX;
	bool expect = s->op == VEC_ARRIVE_EXPECT_TX || s->op == VEC_ARRIVE_DROP_EXPECT_TX;
	struct step *step = add(w, TMA_MBARRIER_ARRIVE);

	step->command.flags = (uint16_t)((drop ? TMA_FLAG_DROP : 0) | (expect ? TMA_FLAG_EXPECT_TX : 0));
	step->command.count = expect ? 1 : s->arg;
	step->command.tx = expect ? s->arg : 0;
	w->token = barrier_token(&w->now);
	w->arrive = index_of(w->job, step);
	w->is_last = true;
	report_some(w, step, TMA_KIND_ANSWER, w->token);
	return barrier_arrive(&w->now, step->command.count, step->command.tx, drop);
}

/* The operand is the state that step `from` returned: by LAST_STATE where the queue still has it,
 * or out of that step's record. */
static void use_state(struct writer *w, struct step *step, uint32_t from, uint64_t token, bool is_last)
{
	struct step *source = &w->job->steps[from];

	if (is_last && rng_percent(w->rng, 50)) {
		step->command.flags |= TMA_FLAG_LAST_STATE;
		return;
	}
	if (!source->kind)
		job_await(source, TMA_KIND_ANSWER, token);
	step->state_of = from;
	if (rng_percent(w->rng, 50))
		step->junk = rng_next(w->rng) << STATE_BITS;
}

static bool pending_count(struct writer *w, const struct vec_step *s)
{
	uint64_t token = barrier_token(&w->now);
	uint32_t count = w->now.pending;
	struct step *step = add(w, TMA_MBARRIER_ARRIVE);
	struct step *count_step;

	step->command.flags = TMA_FLAG_NO_COMPLETE;
	step->command.count = s->arg;
	if (!barrier_arrive_no_complete(&w->now, s->arg))
		return false;
	w->is_last = false;
	count_step = job_step(w->job, TMA_MBARRIER_PENDING_COUNT);
	use_state(w, count_step, index_of(w->job, step), token, true);
	job_await(count_step, TMA_KIND_ANSWER, s->result);
	return s->result == count;
}

static bool wait_parity(struct writer *w, const struct vec_step *s)
{
	bool try = s->op == VEC_TRY_WAIT_PARITY;
	struct step *step = add(w, try ? TMA_MBARRIER_TRY_WAIT : TMA_MBARRIER_TEST_WAIT);

	step->command.flags = TMA_FLAG_PARITY;
	step->command.count = s->arg;
	if (try) {
		bool forever = s->result && rng_percent(w->rng, 50);
		step->command.tx = forever ? WAIT_FOREVER : rng_below(w->rng, SHORT_WAIT);
	}
	job_await(step, TMA_KIND_ANSWER, s->result);
	return s->result == (w->now.phase != s->arg);
}

static bool wait_state(struct writer *w, const struct vec_step *s)
{
	struct step *step = add(w, TMA_MBARRIER_TEST_WAIT);

	use_state(w, step, w->arrive, w->token, w->is_last);
	job_await(step, TMA_KIND_ANSWER, s->result);
	return s->result == (w->now.phase != (w->token >> TMA_STATE_PHASE_LSB & 1));
}

static bool translate(struct writer *w, const struct vec_step *s)
{
	switch (s->op) {
	case VEC_EXPECT_TX:
	case VEC_COMPLETE_TX:
		return change_tx(w, s);
	case VEC_PENDING_COUNT:
		return pending_count(w, s);
	case VEC_TEST_WAIT_PARITY:
	case VEC_TRY_WAIT_PARITY:
		return wait_parity(w, s);
	case VEC_TEST_WAIT_STATE:
		return wait_state(w, s);
	default:
		return arrive(w, s);
	}
}

const char *build_skip_program(const struct vec_program *program)
{
	return program->num_steps > (MAX_STEPS - FIXED_STEPS) / STEPS_PER_STEP ? "program too long" : NULL;
}

int build_program(struct job *job, struct rng *rng)
{
	struct writer w = { .job = job, .rng = rng, .now = barrier_init(job->program.init) };
	struct vec_step last;
	struct step *init;

	job->max_steps = FIXED_STEPS + STEPS_PER_STEP * job->program.num_steps;
	job->steps = calloc(job->max_steps, sizeof(*job->steps));
	if (!job->steps)
		return -1;
	init = add(&w, TMA_MBARRIER_INIT);
	init->command.count = job->program.init;
	for (uint32_t i = 0; i < job->program.num_steps; i++) {
		struct vec_step s = vec_step(&job->program, i);

		if (!translate(&w, &s)) {
			snprintf(job->reason, sizeof(job->reason),
			         "step %u (op %u, arg %u, result %u) contradicts the steps before it", i,
			         s.op, s.arg, s.result);
			return -1;
		}
	}
	/* Answered last, so the barrier is final with it. */
	last = (struct vec_step){ .op = VEC_TEST_WAIT_PARITY, .arg = rng_below(rng, 2) };
	last.result = w.now.phase != last.arg;
	wait_parity(&w, &last);

	job->checked = 1;
	job->barrier_before[0] = 0;
	job->barrier_after[0] = barrier_word(&w.now);
	return 0;
}
