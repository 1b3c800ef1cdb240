/* SPDX-License-Identifier: Apache-2.0 */
/* Queues and programs of the self-test. */
#include <inttypes.h>
#include <string.h>

#include "selftest.h"

/* The tag of the signal behind a program. */
#define END_TAG 0x454E4421u

uint64_t st_address(const struct selftest *t, uint32_t offset)
{
	return tma_memory_address(t->memory) + offset;
}

struct tma_queue_options st_queue_options(const struct selftest *t, const struct tma_queue_window *window)
{
	struct tma_queue_options options = {
		.size = sizeof(options), .windows = window, .num_windows = window != NULL, .front = t->front
	};

	if (t->front == TMA_FRONT_RING) {
		options.ring_slots = ST_SLOTS;
		options.record_slots = ST_RECORD_SLOTS;
	}
	return options;
}

struct tma_queue *st_queue(struct selftest *t, uint32_t cta)
{
	struct tma_queue_options options = st_queue_options(t, NULL);
	uint32_t index = cta % t->info.queues;

	options.cta = cta;
	if (st_failed(t))
		return NULL;
	/* Where queues are few, one serves several CTAs, one after the other. */
	if (t->queue[index] && t->cta_of[index] != cta) {
		tma_queue_close(t->queue[index]);
		t->queue[index] = NULL;
	}
	if (!t->queue[index] &&
	    st_error(t, "tma_queue_open", tma_queue_open(t->device, index, &options, &t->queue[index])))
		t->queue[index] = NULL;
	t->cta_of[index] = cta;
	return t->queue[index];
}

void st_close_queues(struct selftest *t)
{
	uint32_t i;

	for (i = 0; i < ST_MAX_QUEUES; i++) {
		tma_queue_close(t->queue[i]);
		t->queue[i] = NULL;
	}
}

struct tma_command *st_next(struct selftest *t)
{
	/* One stays free for the signal. */
	if (t->commands == ST_MAX_COMMANDS - 1) {
		st_fail(t, "a program of the self-test is too long");
		t->commands = 0;
	}
	return &t->program[t->commands++];
}

void st_submit(struct selftest *t, struct tma_queue *queue)
{
	uint32_t count = t->commands + 1;

	tma_signal(&t->program[t->commands], END_TAG);
	t->commands = 0;
	if (!st_failed(t))
		st_error(t, "tma_submit_all", tma_submit_all(queue, t->program, count));
}

static bool counts_cycles(const struct selftest *t)
{
	return t->info.clocked || t->info.coherent;
}

int st_wait(const struct selftest *t, struct tma_queue *queue, struct tma_record *record)
{
	return counts_cycles(t) ? tma_wait(queue, record, ST_LIMIT)
	                        : tma_wait_ns(queue, record, ST_SECONDS * UINT64_C(1000000000));
}

/* Where the queue stands whose record does not come. */
static void say_stuck(struct selftest *t, struct tma_queue *queue)
{
	struct tma_queue_state state = { .size = sizeof(state) };
	const unsigned int limit = counts_cycles(t) ? ST_LIMIT : ST_SECONDS;
	const char *unit = counts_cycles(t) ? "cycles" : "s";

	if (tma_queue_state(queue, &state))
		st_fail(t, "no record came within %u %s", limit, unit);
	else
		st_fail(t, "no record came within %u %s; the next command of the queue is %" PRIu32 ", %s",
		        limit, unit, state.next_sequence, state.blocked ? "a wait" : "no wait");
}

/* The next record, which is no fault. False: there is none. */
static bool take_one(struct selftest *t, struct tma_queue *queue, struct tma_record *record)
{
	int error = st_wait(t, queue, record);
	char text[800];

	if (error == TMA_EFAULT) {
		tma_fault_text(queue, record, text, sizeof(text));
		st_fail(t, "%s", text);
		return false;
	}
	if (error == TMA_ETIMEDOUT)
		say_stuck(t, queue);
	else
		st_error(t, "tma_wait", error);
	return !error;
}

void st_take(struct selftest *t, struct tma_queue *queue)
{
	struct tma_record record;

	t->num_answers = 0;
	while (!st_failed(t) && take_one(t, queue, &record)) {
		if (record.kind == TMA_KIND_SIGNAL && record.tag == END_TAG)
			return;
		if (t->num_answers == ST_MAX_ANSWERS)
			st_fail(t, "more records came than were asked for");
		else
			t->answers[t->num_answers++] = record.value;
	}
}

void st_run(struct selftest *t, uint32_t cta)
{
	struct tma_queue *queue = st_queue(t, cta);

	st_submit(t, queue);
	st_take(t, queue);
}

void st_answer(struct selftest *t, uint32_t index, uint64_t expected)
{
	if (st_failed(t))
		return;
	if (index >= t->num_answers)
		st_fail(t, "%" PRIu32 " answers came, number %" PRIu32 " did not", t->num_answers, index);
	else
		st_value(t, "answer", index, expected, t->answers[index]);
}

void st_expect(struct selftest *t, uint32_t cta, uint32_t bytes)
{
	tma_mbarrier_init(st_next(t), tma_shared(cta, ST_BARRIER), 1);
	tma_mbarrier_arrive_expect_tx(st_next(t), tma_shared(cta, ST_BARRIER), bytes);
}

void st_arrived(struct selftest *t, uint32_t cta)
{
	tma_mbarrier_try_wait_parity(st_next(t), tma_shared(cta, ST_BARRIER), 0, TMA_NO_LIMIT);
	tma_mbarrier_inval(st_next(t), tma_shared(cta, ST_BARRIER));
	memset(t->shared[cta] + ST_BARRIER, 0, 8);
}

void st_stored(struct selftest *t)
{
	tma_cp_async_bulk_commit_group(st_next(t));
	tma_cp_async_bulk_wait_group(st_next(t), 0);
}
