/* SPDX-License-Identifier: Apache-2.0 */
/* Queues as software sees them: configuration, windows, status and the commands put in. */
#include <string.h>

#include "model.h"

static bool valid_queue(const struct tma_model *m, uint32_t queue)
{
	return m && queue < m->config.queues;
}

static bool same_setup(const struct tma_queue_config *a, const struct tma_queue_config *b)
{
	return a->cta == b->cta && a->cta_mask == b->cta_mask && a->stream == b->stream && a->prot == b->prot;
}

/* Disabling drops what the queue held and forgets its past; what comes while it is disabled waits. */
int tma_model_queue(struct tma_model *m, uint32_t queue, const struct tma_queue_config *config)
{
	struct queue *q;

	if (!valid_queue(m, queue) || !config || config->enable > 1 || config->cta >= m->config.ctas)
		return TMA_MODEL_EINVAL;
	q = &m->queues[queue];
	if (q->config.enable && !same_setup(&q->config, config))
		return TMA_MODEL_EBUSY;
	if (q->config.enable && !config->enable) {
		model_fifo_clear(&q->commands);
		q->status = (struct tma_queue_status){ 0 };
		q->has_state = false;
	}
	q->config = *config;
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
	if (!valid_queue(m, queue) || index >= m->config.windows || !window || !valid_window(window))
		return TMA_MODEL_EINVAL;
	if (m->queues[queue].config.enable)
		return TMA_MODEL_EBUSY;
	m->queues[queue].windows[index] = *window;
	return 0;
}

int tma_model_submit(struct tma_model *m, uint32_t queue, const struct tma_command *command)
{
	struct fifo *commands;

	if (!valid_queue(m, queue) || !command)
		return TMA_MODEL_EINVAL;
	commands = &m->queues[queue].commands;
	if (model_fifo_reserve(commands, 1))
		return TMA_MODEL_ENOMEM;
	model_fifo_push(commands, command);
	return 0;
}

int tma_model_queue_status(const struct tma_model *m, uint32_t queue, struct tma_queue_status *status)
{
	if (!valid_queue(m, queue) || !status)
		return TMA_MODEL_EINVAL;
	*status = m->queues[queue].status;
	status->queued = (uint32_t)m->queues[queue].commands.count;
	return 0;
}
