/* SPDX-License-Identifier: Apache-2.0 */
/* The model's queues as a driver sees them. */
#include "crosscheck/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/sm.h"
#include "lib/must.h"

#define LONG_LIMIT (1u << 28)

static void check(int status)
{
	if (status >= 0)
		return;
	fprintf(stderr, "crosscheck: the model refuses an access: %d\n", status);
	abort();
}

void feed_add(struct feed *f, uint32_t queue, const struct tma_command *cmd)
{
	struct feed_queue *q = &f->queue[queue];

	q->commands = must_grow(q->commands, q->count, &q->room, sizeof(*q->commands));
	q->commands[q->count] = *cmd;
	/* Time passes when nothing else does, and that may be while a ring is full: only waits that may
	 * see their limit have one. */
	if (cmd->opcode == TMA_MBARRIER_TRY_WAIT && cmd->version == TMA_COMMAND_VERSION &&
	    cmd->tx >= LONG_LIMIT)
		q->commands[q->count].tx = FOREVER;
	q->count++;
}

struct tma_queue_status feed_status(const struct feed *f, uint32_t queue)
{
	const struct feed_queue *q = &f->queue[queue];
	struct tma_queue_status status;

	check(tma_model_queue_status(f->m, queue, &status));
	status.next_sequence -= q->first_command;
	status.tail -= q->first_command;
	status.fault_sequence -= status.fault ? q->first_command : 0;
	status.producer -= q->first_record;
	status.consumer -= q->first_record;
	return status;
}

uint8_t *feed_slot(struct feed *f, uint32_t queue, uint32_t index)
{
	const struct queue_setup *s = &f->p->queue[queue];
	uint32_t slot = (f->queue[queue].first_command + index) & ((1u << s->ring_log2) - 1);

	return f->rings + s->ring_at + (size_t)slot * SLOT_BYTES;
}

static uint32_t room(struct feed *f, uint32_t queue)
{
	return (1u << f->p->queue[queue].ring_log2) -
	       (f->queue[queue].given - feed_status(f, queue).next_sequence);
}

static void give_result(const struct feed *f, struct tma_record *record, struct result *result)
{
	record->sequence -= f->queue[record->queue].first_command;
	result_add_record(result, record);
}

/* Commands that the queue may be given: all before the first one that waits for an SM. */
static uint32_t end_of_open(const struct feed *f, uint32_t queue)
{
	const struct feed_queue *q = &f->queue[queue];
	uint32_t end = q->given;

	while (end != q->count &&
	       (end >= f->p->queue[queue].steps || sm_open(f->sm, program_step(f->p, queue, end)->gate)))
		end++;
	return end;
}

static bool give_ring(struct feed *f, uint32_t queue, uint32_t end)
{
	struct feed_queue *q = &f->queue[queue];
	uint32_t count = room(f, queue);

	if (count > end - q->given)
		count = end - q->given;
	if (!count)
		return false;
	for (; count; count--, q->given++)
		memcpy(feed_slot(f, queue, q->given), &q->commands[q->given], SLOT_BYTES);
	check(tma_model_doorbell(f->m, queue, q->first_command + q->given));
	return true;
}

static bool give(struct feed *f, uint32_t queue)
{
	struct feed_queue *q = &f->queue[queue];
	uint32_t end = end_of_open(f, queue);
	bool any = q->given != end;

	if (f->p->queue[queue].ring)
		return give_ring(f, queue, end);
	for (; q->given != end; q->given++)
		check(tma_model_submit(f->m, queue, &q->commands[q->given]));
	return any;
}

/* The phase bit is the rig's to check: the model is asked how many there are. */
static bool take_ring(struct feed *f, uint32_t queue, struct result *result)
{
	const struct queue_setup *s = &f->p->queue[queue];
	struct feed_queue *q = &f->queue[queue];
	uint32_t producer = feed_status(f, queue).producer;
	bool any = q->taken != producer;

	for (; q->taken != producer; q->taken++) {
		uint32_t slot = (q->first_record + q->taken) & ((1u << s->records_log2) - 1);
		struct tma_record record;

		memcpy(&record, f->rings + s->records_at + (size_t)slot * RECORD_BYTES, sizeof(record));
		record.phase = 0;
		/* One that could not be written says nothing at all. */
		record.queue = (uint8_t)queue;
		give_result(f, &record, result);
	}
	if (any)
		check(tma_model_consumer(f->m, queue, q->first_record + q->taken));
	return any;
}

static bool has_retired(void *feed, uint32_t queue, uint32_t index)
{
	return feed_status(feed, queue).next_sequence > index;
}

static bool run_sms(struct feed *f, struct result *result)
{
	bool moved = false;

	for (uint32_t c = 0; c < f->p->shape->ctas; c++)
		while (sm_step(f->p, c, f->sm, tma_model_smem(f->m, c), result, has_retired, f))
			moved = true;
	return moved;
}

void feed_run(struct feed *f, struct result *result)
{
	struct tma_record record;
	bool moved;

	do {
		int ran;

		moved = false;
		for (uint32_t q = 0; q < f->p->shape->queues; q++)
			moved |= f->p->queue[q].used && give(f, q);
		ran = tma_model_run(f->m);
		check(ran);
		moved |= ran > 0;
		for (; tma_model_next_record(f->m, &record); moved = true)
			give_result(f, &record, result);
		for (uint32_t q = 0; q < f->p->shape->queues; q++)
			if (f->p->queue[q].used && f->p->queue[q].ring)
				moved |= take_ring(f, q, result);
		moved |= run_sms(f, result);
	} while (moved);
}

void feed_reset(struct feed *f, uint32_t queue)
{
	struct feed_queue *q = &f->queue[queue];

	check(tma_model_reset(f->m, queue));
	q->count = q->given = q->taken = q->first_command = q->first_record = 0;
}

void feed_free(struct feed *f)
{
	for (uint32_t q = 0; q < MAX_QUEUES; q++)
		free(f->queue[q].commands);
	free(f->rings);
	*f = (struct feed){ 0 };
}
