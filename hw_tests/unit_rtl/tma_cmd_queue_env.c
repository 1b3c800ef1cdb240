/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "tma_tables.h"
#include "unit_rtl/tma_cmd_queue_env.h"

const struct command_class classes[] = {
	{ TMA_BULK_LOAD, LOAD, 0 },
	{ TMA_BULK_PREFETCH, PREFETCH, 0 },
	{ TMA_BULK_STORE, STORE, 0 },
	{ TMA_BULK_SHARED, SHARED, 0 },
	{ TMA_BULK_WAIT_GROUP, SYNC, 0 },
	{ TMA_MBARRIER_ARRIVE, SYNC, 0 },
	{ TMA_MBARRIER_TEST_WAIT, SYNC, 1 },
	{ TMA_MBARRIER_TRY_WAIT, SYNC, 1 },
	{ TMA_SIGNAL, SYNC, 1 },
	{ TMA_MBARRIER_PENDING_COUNT, SYNC, 1 },
	{ 0xEE, SYNC, 0 },
	{ TMA_MULTIMEM_BULK_STORE, MULTIMEM, 0 },
	{ TMA_TENSOR_LOAD, TENSOR, 0 },
	{ TMA_TENSOR_PREFETCH, TENSOR, 0 },
	{ TMA_PREFETCH_TENSORMAP, TENSOR, 0 },
	{ TMA_BULK_REDUCE, REDUCE, 0 },
	{ TMA_BULK_REDUCE_SHARED, SHARED, 0 },
	{ TMA_MULTIMEM_BULK_REDUCE, REDUCE, 0 },
	{ TMA_TENSOR_REDUCE, REDUCE, 0 },
};

_Static_assert(sizeof(classes) / sizeof(classes[0]) == CLASSES, "the classes are counted");

void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, cmd_queue, seed);
	b->queues = unit_shape()->queues;
	cmd_queue_start(b->unit);
	b->in->enable = (1u << b->queues) - 1;
	b->in->path_ready = ALL;
	b->in->answer_ready = b->in->enable;
	b->in->cmd_ready = 1;
	b->latency = unit_shape()->short_paths ? 4 : 1;
	b->wake = unit_shape()->short_paths ? 3 : 1;
	b->period = unit_shape()->short_paths ? 2 : 1;
	b->free[0] = b->free[1] = true;
	idle(b, 1);
}

static void make_command(struct bench *b, struct tma_command *c, uint32_t class, bool record)
{
	uint8_t *bytes = (uint8_t *)c;

	for (uint32_t i = 0; i < sizeof(*c); i++)
		bytes[i] = (uint8_t)rng_next(&b->rng);
	c->opcode = classes[class].opcode;
	c->flags = record ? TMA_FLAG_RECORD : 0;
	c->tag = b->tag++;
}

void offer(struct bench *b, uint32_t queue, uint32_t class, bool record)
{
	make_command(b, &b->in->cmd, class, record);
	b->in->cmd_queue = (uint8_t)queue;
	b->in->cmd_valid = 1;
}

void offer_ring(struct bench *b, uint32_t queue, uint32_t class, bool record, uint32_t fetch)
{
	make_command(b, &b->in->ring_cmd.cmd, class, record);
	b->in->ring_queue = (uint8_t)queue;
	b->in->ring_cmd.fetch = (uint8_t)fetch;
	b->in->ring_valid = 1;
}

uint32_t path_of(uint8_t opcode, bool *answers)
{
	uint32_t i;

	for (i = 0; classes[i].opcode != opcode; i++)
		;
	*answers = classes[i].answers;
	/* A build that does not know it lets it pass, to fault. */
	if (tma_opcode_info(opcode)->needs && !unit_shape()->reductions)
		return SYNC;
	return classes[i].path == MULTIMEM && unit_shape()->ports == 1 ? STORE : classes[i].path;
}

/* What the unit shows at its output: the next of its queue, and it was allowed to leave. */
static void check_picked(struct bench *b)
{
	const struct cmd_queue_out *o = b->out;
	struct ref *r = &b->ref[o->cmd_queue];
	const struct cmd_queue_in *before;
	bool answers;
	uint32_t path = path_of(o->cmd.cmd.opcode, &answers);

	assert_true(r->picked < r->count);
	assert_memory_equal(&o->cmd.cmd, &r->held[r->picked].command, sizeof(o->cmd.cmd));
	assert_int_equal(o->cmd.fetch, r->held[r->picked].fetch);
	/* With short paths one may have stood before the register; not if that was free for two cycles. */
	if (!b->free[0] || (unit_shape()->short_paths && !b->free[1]))
		return;
	before = &b->before[2 * unit_shape()->short_paths];
	assert_true(o->cmd.fetch || before->path_ready & path);
	assert_true(o->cmd.fetch || before->answer_ready >> o->cmd_queue & 1 ||
	            (!answers && !(o->cmd.cmd.flags & TMA_FLAG_RECORD)));
	assert_false(before->blocked >> o->cmd_queue & 1);
}

/* Issue takes what is on offer, but for a command that is flushed or whose queue is disabled. */
static void take(struct bench *b)
{
	uint32_t goes_on = b->in->enable & ~b->in->resume;

	if (b->valid && (!(goes_on >> b->queue & 1) || b->in->retire || b->in->flush))
		b->valid = false;
	if (!b->in->cmd_ready)
		return;
	b->valid = b->out->cmd_valid && !(b->in->flush && b->out->cmd_queue == b->queue);
	if (!b->valid)
		return;
	b->queue = b->out->cmd_queue;
	b->ref[b->queue].picked++;
	b->valid = goes_on >> b->queue & 1;
}

static void hold(struct bench *b, uint32_t q, const struct tma_command *c, uint32_t fetch)
{
	struct ref *r = &b->ref[q];

	if (b->in->resume & b->in->ring_bound & 1u << q)
		return;
	r->held[r->count].command = *c;
	r->held[r->count++].fetch = fetch;
}

/* What a queue keeps. */
static void resume(struct bench *b, uint32_t q)
{
	struct ref *r = &b->ref[q];
	uint32_t skip = b->in->ring_bound >> q & 1 ? r->count : b->in->resume_skip;

	memmove(r->held, r->held + skip, (r->count - skip) * sizeof(r->held[0]));
	r->count -= skip;
	r->picked = 0;
	b->resumed++;
}

void step(struct bench *b, bool retire, bool flush)
{
	uint32_t q, held = 0, fits = 0, last = 0, room, ready;
	bool accepted, from_ring;
	struct ref *r;

	for (q = 0; q < b->queues; q++) {
		held |= (uint32_t)(b->ref[q].count != 0) << q;
		fits |= (uint32_t)((b->in->enable >> q & 1) && b->ref[q].count < DEPTH) << q;
		last |= (uint32_t)(b->ref[q].count == DEPTH - 1) << q;
	}
	/* With short paths, what room there was in the cycle before. */
	room = unit_shape()->short_paths ? b->room : fits;
	from_ring = b->in->ring_valid && (room >> b->in->ring_queue & 1);
	ready = from_ring ? 0 : room & ~b->in->ring_bound;
	b->in->retire = b->valid && retire;
	b->in->flush = b->valid && flush && !retire;
	b->in->retire_queue = b->in->flush_queue = b->queue;
	/* With short paths, what stands behind the unit takes a command when it is empty. */
	b->in->cmd_ready = !b->valid || ((retire || flush) && !unit_shape()->short_paths);
	cmd_queue_eval(b->unit);
	assert_int_equal(b->out->held, held);
	for (q = 0; q < b->queues; q++)
		assert_int_equal(b->out->held_count[q], b->ref[q].count);
	assert_int_equal(b->out->room, room);
	assert_int_equal(b->out->ring_ready, room >> b->in->ring_queue & 1);
	assert_int_equal(b->out->queue_ready, ready);
	assert_int_equal(b->out->cmd_ready, ready >> b->in->cmd_queue & 1);
	assert_int_equal(b->out->stalled, held && !b->out->cmd_valid);
	if (b->out->cmd_valid)
		check_picked(b);

	b->before[2] = b->before[1];
	b->before[1] = b->before[0];
	b->before[0] = *b->in;
	b->free[1] = b->free[0];
	b->free[0] = !b->out->cmd_valid || (b->in->cmd_ready && !unit_shape()->short_paths);
	if (b->in->retire) {
		r = &b->ref[b->queue];
		memmove(r->held, r->held + 1, (DEPTH - 1) * sizeof(r->held[0]));
		r->count--;
		r->picked--;
		b->retired++;
	}
	take(b);
	if (b->in->flush) {
		b->ref[b->in->flush_queue].picked = 0;
		b->flushed++;
	}
	for (q = 0; q < b->queues; q++)
		if (b->in->resume >> q & 1)
			resume(b, q);
	accepted = b->in->cmd_valid && b->out->cmd_ready;
	/* One that comes is counted, one that retires in the same cycle is not. */
	if (from_ring || accepted)
		fits &= ~(last & 1u << (from_ring ? b->in->ring_queue : b->in->cmd_queue));
	b->room = fits;
	if (from_ring)
		hold(b, b->in->ring_queue, &b->in->ring_cmd.cmd, b->in->ring_cmd.fetch);
	else if (accepted)
		hold(b, b->in->cmd_queue, &b->in->cmd, 0);
	cmd_queue_tick(b->unit);
	b->in->resume = 0;
	if (from_ring)
		b->in->ring_valid = 0;
	if (accepted)
		b->in->cmd_valid = 0;
	for (q = 0; q < b->queues; q++)
		if (!(b->in->enable >> q & 1))
			b->ref[q].count = b->ref[q].picked = 0;
}

void idle(struct bench *b, uint32_t cycles)
{
	while (cycles--)
		step(b, false, false);
}

void settle(struct bench *b, bool retire)
{
	for (uint32_t i = 0; i < b->latency; i++)
		step(b, retire, false);
}
