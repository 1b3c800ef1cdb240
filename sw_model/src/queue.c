/* SPDX-License-Identifier: Apache-2.0 */
/* Queues as software sees them: configuration, windows, status and the commands put in. */
#include "model.h"

#define PROT_MAX 7u

bool model_valid_queue(const struct tma_model *m, uint32_t queue)
{
	return m && queue < m->config.queues;
}

/* Forget the queue's life: what it held, what it counted, what it waited for. */
void model_queue_clear(struct queue *q)
{
	model_fifo_clear(&q->commands);
	q->status = (struct tma_queue_status){ 0 };
	q->has_state = false;
	q->asleep = false;
	q->record_waits = false;
	q->interrupt_pending = false;
	q->closing = q->in_flight > 0;
}

/* Disabling drops what the queue held; what comes while it is disabled waits. */
void model_queue_control(struct queue *q, bool enable, bool ring)
{
	if (q->config.enable && !enable)
		model_queue_clear(q);
	q->config.enable = enable;
	q->config.ring = ring;
}

static bool valid_slots(uint32_t log2)
{
	return log2 >= TMA_MODEL_MIN_SLOTS_LOG2 && log2 <= TMA_MODEL_MAX_SLOTS_LOG2;
}

bool model_valid_config(const struct tma_model *m, const struct tma_queue_config *c)
{
	return c->enable <= 1 && c->ring <= 1 && c->cta < m->config.ctas && c->prot <= PROT_MAX &&
	       valid_slots(c->ring_slots_log2) && valid_slots(c->completion_slots_log2) &&
	       c->ring_base % PAGE_BYTES == 0 && c->completion_base % PAGE_BYTES == 0;
}

static bool same_setup(const struct tma_queue_config *a, const struct tma_queue_config *b)
{
	return a->cta == b->cta && a->cta_mask == b->cta_mask && a->stream == b->stream &&
	       a->prot == b->prot && a->ring == b->ring && a->ring_slots_log2 == b->ring_slots_log2 &&
	       a->completion_slots_log2 == b->completion_slots_log2 && a->cancel_mask == b->cancel_mask &&
	       a->ring_base == b->ring_base && a->completion_base == b->completion_base;
}

/* As the registers keep it: without CTAs and queues that do not exist. */
static struct tma_queue_config normal(const struct tma_model *m, const struct tma_queue_config *config)
{
	struct tma_queue_config c = *config;

	if (!c.ring_slots_log2)
		c.ring_slots_log2 = TMA_MODEL_MIN_SLOTS_LOG2;
	if (!c.completion_slots_log2)
		c.completion_slots_log2 = TMA_MODEL_MIN_SLOTS_LOG2;
	c.cta_mask &= model_cta_bits(m);
	c.cancel_mask &= model_queue_bits(m);
	return c;
}

int tma_model_queue(struct tma_model *m, uint32_t queue, const struct tma_queue_config *config)
{
	struct tma_queue_config c;
	struct queue *q;

	if (!model_valid_queue(m, queue) || !config)
		return TMA_MODEL_EINVAL;
	q = &m->queues[queue];
	c = normal(m, config);
	if (!model_valid_config(m, &c))
		return TMA_MODEL_EINVAL;
	if (model_queue_locked(q) && !same_setup(&q->config, &c))
		return TMA_MODEL_EBUSY;
	model_queue_control(q, c.enable, c.ring);
	q->config = c;
	return 0;
}

static bool valid_window(const struct tma_window *w)
{
	if (!w->attr)
		return true;
	return !(w->attr & ~(TMA_WINDOW_READ | TMA_WINDOW_WRITE | TMA_WINDOW_MULTIMEM)) &&
	       w->base % PAGE_BYTES == 0 && w->limit % PAGE_BYTES == PAGE_BYTES - 1 && w->base <= w->limit;
}

int tma_model_window(struct tma_model *m, uint32_t queue, uint32_t index, const struct tma_window *window)
{
	if (!model_valid_queue(m, queue) || index >= m->config.windows || !window || !valid_window(window))
		return TMA_MODEL_EINVAL;
	if (model_queue_locked(&m->queues[queue]))
		return TMA_MODEL_EBUSY;
	m->queues[queue].windows[index] = (struct tma_window){ .base = window->base & ~PAGE_MASK,
		                                               .limit = window->limit | PAGE_MASK,
		                                               .attr = window->attr };
	return 0;
}

int tma_model_submit(struct tma_model *m, uint32_t queue, const struct tma_command *command)
{
	struct fifo *commands;

	if (!model_valid_queue(m, queue) || !command)
		return TMA_MODEL_EINVAL;
	if (m->queues[queue].config.ring)
		return TMA_MODEL_ESTATE;
	commands = &m->queues[queue].commands;
	if (model_fifo_reserve(commands, 1))
		return TMA_MODEL_ENOMEM;
	model_fifo_push(commands, command);
	return 0;
}

/* Sequence number behind the last command that the queue holds. */
uint32_t model_queue_tail(const struct queue *q)
{
	return q->config.ring ? q->status.tail : q->status.next_sequence + (uint32_t)q->commands.count;
}

/* Commands from the head on. A tail that went back under the head's feet is behind it: there are none. */
uint32_t model_queue_held(const struct queue *q)
{
	uint32_t held = model_queue_tail(q) - q->status.next_sequence;

	return held > INT32_MAX ? 0 : held;
}

/* A disabled queue holds nothing, though commands may wait in front of it. */
bool model_queue_busy(const struct queue *q)
{
	return q->in_flight || (q->config.enable && (q->record_waits || model_queue_held(q)));
}

/* What is in flight goes by the set-up and the windows. */
bool model_queue_locked(const struct queue *q)
{
	return q->config.enable || q->closing;
}

int tma_model_count(struct tma_model *m, uint32_t queue, uint32_t commands, uint32_t records)
{
	struct queue *q;

	if (!model_valid_queue(m, queue))
		return TMA_MODEL_EINVAL;
	q = &m->queues[queue];
	if (!model_queue_active(q) || model_queue_busy(q) || q->status.producer != q->status.consumer)
		return TMA_MODEL_ESTATE;
	q->status.next_sequence = commands;
	q->status.tail = q->config.ring ? commands : 0;
	q->status.producer = q->status.consumer = records;
	return 0;
}

int tma_model_queue_status(const struct tma_model *m, uint32_t queue, struct tma_queue_status *status)
{
	const struct queue *q;

	if (!model_valid_queue(m, queue) || !status)
		return TMA_MODEL_EINVAL;
	q = &m->queues[queue];
	*status = q->status;
	status->tail = model_queue_tail(q);
	status->queued = model_queue_held(q);
	status->drained = !q->record_waits;
	status->in_flight = q->in_flight;
	status->closing = q->closing;
	return 0;
}
