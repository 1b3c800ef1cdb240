/* SPDX-License-Identifier: Apache-2.0 */
/* Commands from the queues' FIFOs to the direct port, records from the response port to lists. What of
 * it is the same for rings, rig_ring.c uses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/rig_priv.h"

#define RECORDS_HELD 16u /* by the engine for the response port: tma_front_pkg::AnswerDepth */

/*
 * Commands.
 */

int64_t rig_submit(struct rig *rig, uint32_t queue, const struct tma_command *cmd)
{
	struct rig_command *c;
	struct rig_fifo *f;

	if (queue >= rig->info->queues)
		return -EINVAL;
	c = malloc(sizeof(*c));
	if (!c)
		return -ENOMEM;
	f = &rig->queue[queue];
	*c = (struct rig_command){ .order = rig->order++, .index = f->submitted++, .cmd = *cmd };
	if (f->head)
		f->tail->next = c;
	else
		f->head = c;
	f->tail = c;
	if (!f->unwritten)
		f->unwritten = c;
	f->waiting++;
	return c->index;
}

/* Queue whose command is offered next, or -1. queue_ready is a register's output: it is right
 * before this cycle's inputs are. */
static int pick(struct rig *rig)
{
	uint32_t n = rig->info->queues, found[RIG_MAX_QUEUES], count = 0, i;
	int oldest = -1;

	if (rng_percent(&rig->pick_rng, rig->o.command_percent))
		return -1;
	for (i = 0; i < n; i++) {
		uint32_t q = (rig->next_queue + i) % n;
		const struct rig_command *head = rig->queue[q].head;

		if (!head || rig->ring[q].bound || rig->ring[q].paused)
			continue;
		if (oldest < 0 || head->order < rig->queue[oldest].head->order)
			oldest = (int)q;
		if (rig->out->queue_ready >> q & 1)
			found[count++] = q;
	}
	if (rig->o.pick == RIG_PICK_IN_ORDER)
		return oldest;
	if (!count)
		return -1;
	i = found[rig->o.pick == RIG_PICK_RANDOM ? rng_below(&rig->pick_rng, count) : 0];
	rig->next_queue = (i + 1) % n;
	return (int)i;
}

void rig_command_drive(struct rig *rig)
{
	struct tma_sim_in *in = rig->in;

	in->rsp_ready = !rng_percent(&rig->pick_rng, rig->o.record_percent);
	if (!in->rst_n)
		return;
	if (!rig->offered) {
		int q = pick(rig);

		in->cmd_valid = q >= 0;
		if (q < 0)
			return;
		rig->offered = rig->queue[q].head;
		rig->offered_queue = (uint32_t)q;
		in->cmd_queue = (uint8_t)q;
		memcpy(in->cmd, &rig->offered->cmd, sizeof(in->cmd));
	}
}

void rig_command_accepted(struct rig *rig, uint32_t queue)
{
	struct rig_fifo *f = &rig->queue[queue];
	struct rig_command *c = f->head;

	f->accepted = must_grow(f->accepted, f->num_accepted, &f->room_accepted, sizeof(*f->accepted));
	f->accepted[f->num_accepted++] = rig->cycle;
	f->head = c->next;
	if (f->unwritten == c)
		f->unwritten = c->next;
	f->waiting--;
	for (uint32_t i = 0; i < rig->num_hooks; i++)
		if (rig->hooks[i].command)
			rig->hooks[i].command(rig->hooks[i].arg, rig->cycle, queue, c->index, &c->cmd);
	free(c);
}

void rig_command_record(struct rig *rig, uint32_t queue, struct tma_record rec)
{
	struct rig_fifo *f = &rig->queue[queue];

	f->records = must_grow(f->records, f->num_records, &f->room_records, sizeof(*f->records));
	rec.sequence -= rig->ring[queue].first_command;
	f->records[f->num_records++] = (struct rig_record){ rec, rig->cycle };
	if (rec.kind == TMA_KIND_FAULT)
		f->faulted = true;
	for (uint32_t i = 0; i < rig->num_hooks; i++)
		if (rig->hooks[i].record)
			rig->hooks[i].record(rig->hooks[i].arg, rig->cycle, &rec);
}

static void response(struct rig *rig)
{
	struct tma_record rec;

	memcpy(&rec, rig->out->rsp, sizeof(rec));
	if (rec.queue >= rig->info->queues)
		rig_error(rig, "record of queue %u, which does not exist", rec.queue);
	else if (rig->ring[rec.queue].bound && rig->queue[rec.queue].late && !rec.phase)
		rig->queue[rec.queue].late--;
	else if (rig->ring[rec.queue].bound || rec.phase)
		rig_error(rig, "record of queue %u on the response port, phase word %#x", rec.queue,
		          rec.phase);
	else
		rig_command_record(rig, rec.queue, rec);
}

void rig_command_sample(struct rig *rig)
{
	const struct tma_sim_out *out = rig->out;

	if (!rig->in->rst_n)
		return;
	if (rig->offered) {
		if (out->cmd_ready) {
			rig->last_handshake = rig->cycle;
			rig->offered = NULL;
			rig->queue[rig->offered_queue].late = RECORDS_HELD;
			rig_command_accepted(rig, rig->offered_queue);
		} else if (out->queue_ready >> rig->offered_queue & 1) {
			rig_error(rig, "queue_ready[%u] without cmd_ready", rig->offered_queue);
		}
	}
	if (rig->rsp_held && (!out->rsp_valid || memcmp(rig->rsp_was, out->rsp, sizeof(out->rsp))))
		rig_error(rig, "record changed or dropped before ready");
	rig->rsp_held = out->rsp_valid && !rig->in->rsp_ready;
	memcpy(rig->rsp_was, out->rsp, sizeof(out->rsp));
	if (out->rsp_valid && rig->in->rsp_ready) {
		rig->last_handshake = rig->cycle;
		response(rig);
	}
}

uint32_t rig_waiting(const struct rig *rig, uint32_t queue)
{
	return rig->queue[queue].waiting;
}

uint32_t rig_accepted(const struct rig *rig, uint32_t queue)
{
	return rig->queue[queue].num_accepted;
}

uint64_t rig_accept_cycle(const struct rig *rig, uint32_t queue, uint32_t index)
{
	return rig->queue[queue].accepted[index];
}

/*
 * Records.
 */

const struct rig_record *rig_records(const struct rig *rig, uint32_t queue, uint32_t *count)
{
	*count = rig->queue[queue].num_records;
	return rig->queue[queue].records;
}

bool rig_faulted(const struct rig *rig, uint32_t queue)
{
	return rig->queue[queue].faulted;
}

void rig_command_withdraw(struct rig *rig, uint32_t queue)
{
	if (!rig->offered || rig->offered_queue != queue)
		return;
	rig->offered = NULL;
	rig->in->cmd_valid = 0;
}

void rig_command_forget(struct rig *rig, uint32_t queue)
{
	struct rig_fifo *f = &rig->queue[queue];

	rig_command_withdraw(rig, queue);
	while (f->head) {
		struct rig_command *c = f->head;

		f->head = c->next;
		free(c);
	}
	f->unwritten = NULL;
	f->submitted = 0;
	f->waiting = 0;
	f->num_accepted = 0;
	f->num_records = 0;
	f->faulted = false;
}

void rig_command_free(struct rig *rig)
{
	for (uint32_t q = 0; q < rig->info->queues; q++) {
		rig_command_forget(rig, q);
		free(rig->queue[q].accepted);
		free(rig->queue[q].records);
	}
}
