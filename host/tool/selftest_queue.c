/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: records, faults and recovery, cancelled waits, all queues at once. */
#include <string.h>

#include "selftest.h"

#define LOOKS 100000u /* until a queue must have come to its wait */

/* ---- Records ------------------------------------------------------------------------------------- */

/* The next record of queue 0. */
static void record_is(struct selftest *t, struct tma_queue *queue, enum tma_kind kind, uint32_t sequence,
                      uint32_t tag)
{
	struct tma_record record;

	if (st_failed(t) || st_error(t, "tma_wait", st_wait(t, queue, &record)))
		return;
	st_value(t, "queue of record", sequence, 0, record.queue);
	st_value(t, "kind of record", sequence, kind, record.kind);
	st_value(t, "sequence of record", sequence, sequence, record.sequence);
	st_value(t, "tag of record", sequence, tag, record.tag);
	st_value(t, "fault of record", sequence, 0, record.fault);
}

static void submit(struct selftest *t, struct tma_queue *queue)
{
	uint32_t count = t->commands;

	t->commands = 0;
	if (!st_failed(t))
		st_error(t, "tma_submit_all", tma_submit_all(queue, t->program, count));
}

/* Those that are asked for and those that come by themselves, in order; and that no other one comes. */
void st_records(struct selftest *t)
{
	struct tma_queue *queue = st_queue(t, 0);
	struct tma_record record;

	st_fresh(t, 90, 1);
	tma_cp_async_bulk_store(st_next(t), st_address(t, 4096), tma_shared(0, ST_DATA), 64);
	memcpy(t->global + 4096, t->shared[0] + ST_DATA, 64);
	tma_set_record(&t->program[0], 0x11111111);
	tma_cp_async_bulk_commit_group(st_next(t));
	tma_cp_async_bulk_wait_group(st_next(t), 0);
	tma_set_record(&t->program[2], 0x22222222);
	tma_signal(st_next(t), 0xFFFFFFFF);
	tma_signal(st_next(t), 0);
	submit(t, queue);
	record_is(t, queue, TMA_KIND_RETIRED, 0, 0x11111111);
	record_is(t, queue, TMA_KIND_RETIRED, 2, 0x22222222);
	record_is(t, queue, TMA_KIND_SIGNAL, 3, 0xFFFFFFFF);
	record_is(t, queue, TMA_KIND_SIGNAL, 4, 0);
	if (!st_failed(t))
		st_value(t, "records behind the last", 0, 0, (uint64_t)tma_poll(queue, &record));
	st_compare(t);
}

/* ---- Faults -------------------------------------------------------------------------------------- */

static void fault_is(struct selftest *t, struct tma_queue *queue, enum tma_fault fault, uint32_t sequence,
                     uint32_t tag)
{
	struct tma_record record;
	int error;

	if (st_failed(t))
		return;
	error = st_wait(t, queue, &record);
	if (error != TMA_EFAULT) {
		st_fail(t, "a fault was provoked, and tma_wait() answers: %s", tma_strerror(error));
		return;
	}
	st_value(t, "fault code of command", sequence, fault, record.fault);
	st_value(t, "kind of record", sequence, TMA_KIND_FAULT, record.kind);
	st_value(t, "sequence of record", sequence, sequence, record.sequence);
	st_value(t, "tag of record", sequence, tag, record.tag);
}

static void state_is(struct selftest *t, struct tma_queue *queue, bool faulted, uint32_t sequence)
{
	struct tma_queue_state state = { .size = sizeof(state) };

	if (st_failed(t) || st_error(t, "tma_queue_state", tma_queue_state(queue, &state)))
		return;
	st_value(t, "faulted, of queue", 0, faulted, state.faulted);
	if (faulted)
		st_value(t, "fault sequence of queue", 0, sequence, state.fault_sequence);
}

/* A size that is no multiple of 16: the queue stops, its next commands wait, and it goes on. */
static void wrong_size(struct selftest *t)
{
	struct tma_queue *queue = st_queue(t, 0);
	struct tma_command signal;

	tma_signal(st_next(t), 1);
	tma_cp_async_bulk_load(st_next(t), tma_shared(0, ST_DATA), st_address(t, 0), 0x31,
	                       tma_shared(0, ST_BARRIER));
	t->program[1].tag = 5;
	tma_signal(st_next(t), 6);
	submit(t, queue);
	record_is(t, queue, TMA_KIND_SIGNAL, 0, 1);
	fault_is(t, queue, TMA_FAULT_SIZE_GRANULE, 1, 5);
	state_is(t, queue, true, 1);
	if (st_failed(t))
		return;
	/* Of a ring the command can be mended in its slot. */
	tma_signal(&signal, 7);
	if (t->front == TMA_FRONT_RING && (st_error(t, "tma_replace", tma_replace(queue, 1, &signal)) ||
	                                   st_error(t, "tma_resume", tma_resume(queue, 1))))
		return;
	if (t->front == TMA_FRONT_RING)
		record_is(t, queue, TMA_KIND_SIGNAL, 1, 7);
	else if (st_error(t, "tma_resume", tma_resume(queue, 2)))
		return;
	record_is(t, queue, TMA_KIND_SIGNAL, 2, 6);
	state_is(t, queue, false, 0);
	st_compare(t);
}

/* A store outside of the queue's window writes nothing; after a reset the queue counts from 0. */
static void outside_window(struct selftest *t)
{
	struct tma_queue_window window = { st_address(t, 8192), 4096, TMA_ALLOW_READ | TMA_ALLOW_WRITE };
	struct tma_queue_options options = st_queue_options(t, &window);
	struct tma_queue *queue;

	st_close_queues(t);
	if (st_failed(t) ||
	    st_error(t, "tma_queue_open", tma_queue_open(t->device, 0, &options, &t->queue[0])))
		return;
	queue = t->queue[0];
	t->cta_of[0] = 0;
	tma_cp_async_bulk_store(st_next(t), st_address(t, 12288), tma_shared(0, ST_DATA), 256);
	submit(t, queue);
	fault_is(t, queue, TMA_FAULT_WINDOW_WRITE, 0, 0);
	if (st_failed(t) || st_error(t, "tma_queue_reset", tma_queue_reset(queue)))
		return;
	tma_cp_async_bulk_store(st_next(t), st_address(t, 12032), tma_shared(0, ST_DATA), 256);
	memcpy(t->global + 12032, t->shared[0] + ST_DATA, 256);
	st_stored(t);
	tma_signal(st_next(t), 9);
	submit(t, queue);
	record_is(t, queue, TMA_KIND_SIGNAL, 3, 9);
	st_compare(t);
}

void st_fault(struct selftest *t)
{
	st_fresh(t, 91, 1);
	wrong_size(t);
	outside_window(t);
}

/* ---- Cancel -------------------------------------------------------------------------------------- */

/* Have the queue wait for a barrier that nobody arrives at. */
static void block(struct selftest *t, struct tma_queue *queue)
{
	struct tma_queue_state state = { .size = sizeof(state) };
	struct tma_record record;
	uint32_t i;

	submit(t, queue);
	for (i = 0; i < LOOKS && !state.blocked && !st_failed(t); i++) {
		if (tma_poll(queue, &record))
			st_fail(t, "a wait that cannot end has ended");
		st_error(t, "tma_queue_state", tma_queue_state(queue, &state));
	}
	if (!state.blocked)
		st_fail(t, "the queue does not come to its wait");
}

static void wait_for_ever(struct selftest *t, uint32_t tag)
{
	tma_mbarrier_try_wait_parity(st_next(t), tma_shared(0, ST_BARRIER), 0, TMA_NO_LIMIT);
	t->program[t->commands - 1].tag = tag;
	tma_signal(st_next(t), tag + 1);
}

/* By another queue, which is allowed to. */
static void cancel_from_queue(struct selftest *t, struct tma_queue *queue)
{
	struct tma_queue_options options = st_queue_options(t, NULL);

	options.cancel_mask = 1;
	wait_for_ever(t, 40);
	block(t, queue);
	if (st_failed(t) ||
	    st_error(t, "tma_queue_open", tma_queue_open(t->device, 1, &options, &t->queue[1])))
		return;
	t->cta_of[1] = 0;
	tma_cancel_queue(st_next(t), 0);
	st_submit(t, t->queue[1]);
	st_take(t, t->queue[1]);
	fault_is(t, queue, TMA_FAULT_CANCELLED, 3, 40);
	if (!st_failed(t) && !st_error(t, "tma_resume", tma_resume(queue, 4)))
		record_is(t, queue, TMA_KIND_SIGNAL, 4, 41);
}

void st_cancel(struct selftest *t)
{
	struct tma_queue *queue = st_queue(t, 0);

	st_fresh(t, 92, 1);
	tma_mbarrier_init(st_next(t), tma_shared(0, ST_BARRIER), 1);
	wait_for_ever(t, 30);
	block(t, queue);
	if (!st_failed(t))
		st_error(t, "tma_cancel", tma_cancel(queue));
	fault_is(t, queue, TMA_FAULT_CANCELLED, 1, 30);
	if (!st_failed(t) && !st_error(t, "tma_resume", tma_resume(queue, 2)))
		record_is(t, queue, TMA_KIND_SIGNAL, 2, 31);
	if (t->info.queues > 1)
		cancel_from_queue(t, queue);
	else
		st_note(t, "by software alone: there is one queue");
	tma_mbarrier_inval(st_next(t), tma_shared(0, ST_BARRIER));
	memset(t->shared[0] + ST_BARRIER, 0, 8);
	st_run(t, 0);
	st_compare(t);
}

/* ---- All queues ---------------------------------------------------------------------------------- */

#define SLICE 192u /* bytes that a queue moves */

/* A load and a store, of places that no other queue touches. */
static void program_of(struct selftest *t, uint32_t q, uint32_t cta)
{
	uint32_t place = q / t->info.ctas, shared = ST_DATA + 256 * place,
		 barrier = tma_shared(cta, 8 * place);

	tma_mbarrier_init(st_next(t), barrier, 1);
	tma_mbarrier_arrive_expect_tx(st_next(t), barrier, SLICE);
	tma_cp_async_bulk_load(st_next(t), tma_shared(cta, shared), st_address(t, 1024 * q), SLICE, barrier);
	memcpy(t->shared[cta] + shared, t->global + 1024 * q, SLICE);
	tma_mbarrier_try_wait_parity(st_next(t), barrier, 0, TMA_NO_LIMIT);
	tma_mbarrier_inval(st_next(t), barrier);
	memset(t->shared[cta] + 8 * place, 0, 8);
	tma_cp_async_bulk_store(st_next(t), st_address(t, 32768 + 1024 * q + 16), tma_shared(cta, shared),
	                        SLICE);
	memcpy(t->global + 32768 + 1024 * q + 16, t->shared[cta] + shared, SLICE);
	st_stored(t);
}

void st_all_queues(struct selftest *t)
{
	struct tma_queue_options options = st_queue_options(t, NULL);
	uint32_t q;

	st_fresh(t, 93, UINT32_MAX >> 1);
	for (q = 0; q < t->info.queues && !st_failed(t); q++) {
		options.cta = t->cta_of[q] = q % t->info.ctas;
		st_error(t, "tma_queue_open", tma_queue_open(t->device, q, &options, &t->queue[q]));
	}
	for (q = 0; q < t->info.queues && !st_failed(t); q++) {
		program_of(t, q, q % t->info.ctas);
		st_submit(t, t->queue[q]);
	}
	for (q = 0; q < t->info.queues && !st_failed(t); q++)
		st_take(t, t->queue[q]);
	st_compare(t);
	st_note(t, "%u queues", t->info.queues);
}
