/* SPDX-License-Identifier: Apache-2.0 */
/* tma_groups_env - the reference of tma_groups_test. */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/tma_groups_env.h"

void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, groups, seed);
	b->queues = unit_shape()->queues;
	b->streams = (unit_shape()->ports > 1 ? 2 : 1) + (unit_shape()->reductions != 0);
	groups_start(b->unit);
	for (uint32_t i = 0; i < b->queues; i++)
		b->in->enable[i] = 1;
}

/* The oldest group that is done leaves, one per cycle; with short paths that it is done is known a cycle later. */
static void retire(struct side *s, bool loads, bool hold)
{
	bool done = s->groups && !loads, leaves;

	for (uint32_t k = 0; k < STREAMS; k++)
		done = done && !s->left[0].stream[k] && !s->orphans.stream[k];
	leaves = s->groups && !hold && (unit_shape()->short_paths ? s->over : done);
	s->over = done && !leaves;
	if (!leaves)
		return;
	s->groups--;
	memmove(s->left, s->left + 1, s->groups * sizeof(s->left[0]));
}

/* The number of the oldest group that has reads to do. */
static uint32_t oldest(const struct queue *q)
{
	return q->commits - q->read.groups;
}

static void retire_bulk(struct queue *q)
{
	bool loads = false;

	for (uint32_t i = 0; i < CHANNELS; i++)
		loads |= q->channel[i].loads && q->channel[i].group[0] <= oldest(q);
	retire(&q->read, loads, false);
	/* Its reads are done first. */
	retire(&q->write, false, q->write.groups == q->read.groups);
}

static void load_add(struct bench *b, struct queue *q)
{
	uint32_t kind = b->in->load_tensor, half = CHANNELS / 2;
	struct channel *c = &q->channel[kind * half + b->turn[kind]++ % half];

	assert_true(c->loads < LOADS);
	c->group[c->loads++] = q->commits;
	q->loads++;
}

static void load_report(struct queue *q, uint32_t channel)
{
	struct channel *c = &q->channel[channel];

	assert_true(c->loads > 0);
	memmove(c->group, c->group + 1, --c->loads * sizeof(c->group[0]));
	q->loads--;
}

static void settle(struct queue *q)
{
	q->loads = 0;
	for (uint32_t i = 0; i < CHANNELS; i++)
		q->channel[i].loads = 0;
}

/* Operations of a stream report in order: the first unreported one lies in the first group that has any. */
static void report(struct side *s, uint32_t stream)
{
	if (s->orphans.stream[stream]) {
		s->orphans.stream[stream]--;
		return;
	}
	for (uint32_t i = 0; i < s->groups; i++) {
		if (s->left[i].stream[stream]) {
			s->left[i].stream[stream]--;
			return;
		}
	}
	assert_true(s->open.stream[stream] > 0);
	s->open.stream[stream]--;
}

static void commit(struct side *s)
{
	memcpy(&s->left[s->groups++], &s->open, sizeof(s->open));
	memset(&s->open, 0, sizeof(s->open));
}

/* A disabled queue has no groups; what was under way still reports, ahead of anything new. */
static void drop(struct side *s)
{
	for (uint32_t i = 0; i < s->groups; i++)
		for (uint32_t k = 0; k < STREAMS; k++)
			s->orphans.stream[k] += s->left[i].stream[k];
	s->groups = 0;
}

static void issue(struct bench *b, struct queue *q, const struct groups_in *in)
{
	if (in->load_add)
		load_add(b, q);
	if (in->commit) {
		q->commits++;
		commit(&q->read);
		commit(&q->write);
	}
	for (uint32_t k = 0; k < STREAMS; k++) {
		q->issued[k] += in->add[k];
		q->read.open.stream[k] += in->add[k];
		q->write.open.stream[k] += in->add[k];
	}
	if (in->cp_commit)
		commit(&q->cp);
	if (in->cp_add) {
		q->cp_issued++;
		q->cp.open.stream[0]++;
	}
}

void step(struct bench *b)
{
	const struct groups_in *in = b->in;

	groups_eval(b->unit);
	for (uint32_t i = 0; i < b->queues; i++) {
		const struct queue *q = &b->q[i];

		assert_int_equal(b->out->pending_read[i], q->read.groups);
		assert_int_equal(b->out->pending_write[i], q->write.groups);
		assert_int_equal(b->out->full[i], q->write.groups == SLOTS || q->read.groups == SLOTS);
		assert_int_equal(b->out->cp_pending[i], q->cp.groups);
		assert_int_equal(b->out->cp_full[i], q->cp.groups == SLOTS);
		assert_int_equal(b->out->cp_busy[i], q->cp_issued != q->cp_ops);
	}
	groups_tick(b->unit);

	for (uint32_t i = 0; i < b->queues; i++) {
		retire_bulk(&b->q[i]);
		retire(&b->q[i].cp, false, false);
	}
	issue(b, &b->q[in->queue], in);
	for (uint32_t i = 0; i < CHANNELS; i++)
		if (in->load_done >> i & 1)
			load_report(&b->q[in->load_done_queue], i);
	for (uint32_t k = 0; k < STREAMS; k++) {
		if (in->read_done[k].valid) {
			b->q[in->read_done[k].qid].read_ops[k]++;
			report(&b->q[in->read_done[k].qid].read, k);
		}
		if (in->write_done[k].valid) {
			b->q[in->write_done[k].qid].written_ops[k]++;
			report(&b->q[in->write_done[k].qid].write, k);
		}
		b->in->add[k] = b->in->read_done[k].valid = b->in->write_done[k].valid = 0;
	}
	if (in->cp_done.valid) {
		b->q[in->cp_done.qid].cp_ops++;
		report(&b->q[in->cp_done.qid].cp, 0);
	}
	for (uint32_t i = 0; i < b->queues; i++) {
		if (!in->enable[i]) {
			drop(&b->q[i].read);
			drop(&b->q[i].write);
			drop(&b->q[i].cp);
		}
		if (!in->enable[i] || in->resume[i])
			settle(&b->q[i]);
		b->in->resume[i] = 0;
	}
	b->in->load_add = b->in->commit = 0;
	b->in->load_done = 0;
	b->in->cp_add = b->in->cp_commit = b->in->cp_done.valid = 0;
}

void steps(struct bench *b, uint32_t count)
{
	while (count--)
		step(b);
}
