/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for queues: all of their records are taken, so that none holds another one up. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime() */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "run.h"
#include "tma_print.h"
#include "tool.h"
#include "trace.h"

#define RECORDS 64
#define LOOK    64 /* turns between two looks at a queue's state */
#define SECONDS 20 /* without progress, of an engine whose time is that of the world */
#define TEXT    1800

/* Progress is a record, or a command that has left its queue. */
struct patience {
	uint64_t since; /* cycles of the device, or nanoseconds */
	uint32_t turn;
};

static uint64_t now(const struct run *run)
{
	struct timespec time;

	if (run->info.clocked)
		return tma_cycles(run->device);
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

const struct run_sent *run_sent(const struct run *run, uint32_t queue, uint32_t sequence)
{
	const struct run_queue *q = &run->queues[queue];

	return sequence - q->first < q->num_sent ? &q->sent[sequence - q->first] : NULL;
}

int run_fault(struct run *run, uint32_t queue, const struct tma_record *record)
{
	const struct run_sent *sent = run_sent(run, queue, record->sequence);
	const struct tma_ptx_place start = { 1, 1 };

	if (run->faulted)
		return TOOL_FAIL;
	run->faulted = true;
	tma_fault_text(run->queues[queue].queue, record, run->fault, sizeof(run->fault));
	run->fault_step = sent ? sent->step : NULL;
	progress_clear(run->progress);
	run_wrong(run->program, sent ? sent->step->place : start, sent ? sent->step->length : 0, "fault: %s",
	          run->fault);
	if (sent)
		tma_command_print(&sent->command, run->fault_ptx, sizeof(run->fault_ptx));
	return TOOL_FAIL;
}

/* An answer goes to the register that waits for it. */
static void take_answer(struct run *run, uint32_t queue, const struct tma_record *record)
{
	for (uint32_t i = 0; i < run->program->num_symbols; i++) {
		struct run_symbol *symbol = &run->program->symbols[i];

		if (symbol->awaited[queue] && symbol->sequence[queue] == record->sequence)
			run_define(symbol, queue, record->value);
	}
	if (run->options.trace_text && record->kind == TMA_KIND_ANSWER)
		printf("       %" PRIu32 ":%-10" PRIu32 " answers 0x%" PRIx64 "\n", queue, record->sequence,
		       record->value);
}

/* All records of a queue that are there; the engine goes on a little. @return 1 some, 0 none, or -status */
static int take_records(struct run *run, uint32_t queue)
{
	struct tma_record records[RECORDS];
	const int got = tma_poll_many(run->queues[queue].queue, records, RECORDS);

	if (got < 0)
		return -run_failed(run, run->program->threads[queue].place, "the thread's queue");
	for (int i = 0; i < got; i++) {
		trace_record(run, queue, &records[i]);
		if (records[i].kind == TMA_KIND_FAULT)
			return -run_fault(run, queue, &records[i]);
		take_answer(run, queue, &records[i]);
	}
	return got > 0;
}

/* What a queue waits for, where the command stands. */
static void say_stuck(const struct run *run, uint32_t queue, const struct tma_queue_state *state)
{
	const struct run_sent *sent = run_sent(run, queue, state->next_sequence);
	char text[TEXT];

	tma_queue_text(run->queues[queue].queue, text, sizeof(text));
	run_wrong(run->program, sent ? sent->step->place : run->program->threads[queue].place,
	          sent ? sent->step->length : 1, "thread %" PRIu32 " does not go on: %s", queue, text);
}

static int stuck(const struct run *run)
{
	struct tma_queue_state state = { .size = sizeof(state) };

	progress_clear(run->progress);
	for (uint32_t q = 0; q < RUN_QUEUES; q++)
		if (run->queues[q].queue && !tma_queue_state(run->queues[q].queue, &state) && state.waiting)
			say_stuck(run, q, &state);
	return TOOL_FAIL;
}

/* Whether nothing has happened for too long. */
static bool is_over(const struct run *run, const struct patience *patience)
{
	if (run->info.clocked)
		return now(run) - patience->since > run->options.limit;
	return now(run) - patience->since > SECONDS * UINT64_C(1000000000);
}

/* Where the engine has no time of its own: whether it goes on at all. */
static bool stands_still(const struct run *run, uint32_t threads)
{
	if (run->info.clocked || !run->info.coherent)
		return false;
	for (uint32_t q = 0; q < RUN_QUEUES; q++)
		if (run->queues[q].queue && threads >> q & 1 &&
		    tma_sync(run->queues[q].queue) == TMA_ETIMEDOUT)
			return true;
	return false;
}

/* How many commands have not left the queues; progress is noted. -1: said */
static int64_t look(struct run *run, uint32_t threads, struct patience *patience)
{
	struct tma_queue_state state = { .size = sizeof(state) };
	int64_t waiting = 0;

	for (uint32_t q = 0; q < RUN_QUEUES; q++) {
		struct run_queue *queue = &run->queues[q];

		if (!queue->queue)
			continue;
		if (tma_queue_state(queue->queue, &state)) {
			run_failed(run, run->program->threads[q].place, "the thread's queue");
			return -1;
		}
		if (state.next_sequence != queue->seen)
			patience->since = now(run);
		queue->seen = state.next_sequence;
		waiting += threads >> q & 1 ? state.waiting : 0;
	}
	return waiting;
}

/* All records that are there. @return 1 some, 0 none, or -status */
static int take_all(struct run *run)
{
	int got, some = 0;

	for (uint32_t q = 0; q < RUN_QUEUES; q++) {
		if (!run->queues[q].queue)
			continue;
		got = take_records(run, q);
		if (got < 0)
			return got;
		some |= got;
	}
	return some;
}

/* Whether it is in vain. A look at an engine without time lets it go on: only if that brings nothing, twice, nothing will.
 * @return 0 no, or -status */
static int look_for_end(struct run *run, uint32_t threads, struct patience *patience)
{
	const uint64_t before = patience->since;
	int some;

	if (!is_over(run, patience) && !stands_still(run, threads))
		return 0;
	some = take_all(run);
	if (some)
		return some < 0 ? some : 0;
	if (look(run, threads, patience) <= 0 || patience->since != before)
		return 0;
	return is_over(run, patience) || stands_still(run, threads) ? -stuck(run) : 0;
}

/* One turn of a wait. @return 1 nothing is left in the queues, 0, or -status */
static int turn(struct run *run, uint32_t threads, struct patience *patience)
{
	const int some = take_all(run);
	int64_t waiting;

	if (some < 0)
		return some;
	if (some)
		patience->since = now(run);
	if (patience->turn % LOOK == 0) {
		waiting = look(run, threads, patience);
		if (waiting <= 0)
			return waiting < 0 ? -TOOL_FAIL : 1;
	}
	patience->turn++;
	if (patience->turn % 4096 == 0)
		progress_say(run->progress, "%" PRIu64 " cycles", tma_cycles(run->device));
	return patience->turn % 1024 == 0 ? look_for_end(run, threads, patience) : 0;
}

static int wait_issued(struct run *run, uint32_t threads)
{
	struct patience patience = { .since = now(run) };
	int state;

	do
		state = turn(run, threads, &patience);
	while (!state);
	return state < 0 ? -state : 0;
}

int run_issued(struct run *run, uint32_t thread)
{
	return run->queues[thread].queue ? wait_issued(run, 1u << thread) : 0;
}

/* Nothing of them is in flight either. */
int run_drain(struct run *run, uint32_t threads)
{
	int status, error, got;

	threads = threads ? threads : ~0u;
	status = wait_issued(run, threads);
	for (uint32_t q = 0; q < RUN_QUEUES && !status; q++) {
		if (!run->queues[q].queue || !(threads >> q & 1))
			continue;
		error = tma_sync(run->queues[q].queue);
		if (error && error != TMA_EFAULT)
			status = run_failed(run, run->program->threads[q].place, "the thread's queue");
		do
			got = status ? 0 : take_records(run, q);
		while (got > 0);
		status = got < 0 ? -got : status;
	}
	return status;
}

int run_answer(struct run *run, struct run_symbol *symbol, uint32_t thread)
{
	struct patience patience = { .since = now(run) };
	int status = run_issued(run, thread), got;

	/* The record of a command that has left its queue may be on its way. */
	while (!status && symbol->awaited[thread] && !is_over(run, &patience)) {
		got = take_records(run, thread);
		status = got < 0 ? -got : 0;
	}
	if (!status && symbol->awaited[thread]) {
		run_wrong(run->program, symbol->place, 1, "no answer for %s came", symbol->name);
		status = TOOL_FAIL;
	}
	return status;
}
