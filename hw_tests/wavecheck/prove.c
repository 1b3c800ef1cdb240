/* SPDX-License-Identifier: Apache-2.0 */
/* What must have run, since something shows that it has. */
#include "wavecheck/check.h"

bool queue_release(struct check *c, uint32_t queues)
{
	uint64_t before = c->commands;

	c->release = queues;
	queue_run(c);
	/* The queue may wait for others. */
	if (c->commands == before) {
		c->release = UINT32_MAX;
		queue_run(c);
	}
	c->release = 0;
	return c->commands != before;
}

bool queue_release_burst(struct check *c)
{
	uint32_t queues = 0;

	for (uint32_t i = 0; i < c->shape.queues; i++)
		if (c->queues[i].config.stream == c->now->burst.user >> 8)
			queues |= 1u << i;
	return queue_release(c, queues);
}

void queue_prove(struct check *c, uint32_t queue, uint32_t sequence)
{
	struct queue *q = &c->queues[queue];

	if (sequence < q->count && q->proven <= sequence) {
		q->proven = sequence + 1;
		q->proven_cycle = c->now->cycle;
	}
	queue_run(c);
	while (q->next < q->proven && !q->stopped && queue_release(c, 1u << queue))
		;
}

bool queue_prove_by(struct check *c, queue_explains *explains, int path)
{
	for (uint32_t i = 0; i < c->shape.queues; i++) {
		struct queue *q = &c->queues[i];
		uint32_t before = q->next;

		if (!q->doubtful || c->now->burst.user >> 8 != q->config.stream)
			continue;
		for (uint32_t s = q->next; s < q->count; s++) {
			if (!explains(c, i, &q->commands[s].command, path))
				continue;
			queue_prove(c, i, s);
			return q->next > before;
		}
	}
	return false;
}
