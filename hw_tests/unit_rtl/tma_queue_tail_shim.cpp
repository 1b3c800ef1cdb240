/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated progress of the queues <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_queue_tail.h"
#include "shape.h"
#include "unit_rtl/tma_queue_tail_shim.h"

struct queue_tail {
	VerilatedContext context;
	std::unique_ptr<Vtma_queue_tail> top;
};

struct queue_tail *queue_tail_open(void)
{
	struct queue_tail *t = new queue_tail;

	unit_prepare(t->context);
	t->top = std::make_unique<Vtma_queue_tail>(&t->context, "tma_queue_tail");
	return t;
}

void queue_tail_close(struct queue_tail *t)
{
	t->top->final();
	delete t;
}

uint32_t queue_tail_queues(void)
{
	return TMA_NumQueues;
}

struct queue_tail_out queue_tail_eval(struct queue_tail *t, const struct queue_tail_in *in)
{
	auto &top = *t->top;
	packer ring(top.ring_i), head(top.head_i), ring_tail(top.ring_tail_i), held(top.held_count_i);
	packer resume(top.resume_i);
	struct queue_tail_out out = {};

	top.index_i = in->index;
	for (unsigned q = 0; q < TMA_NumQueues; q++) {
		const struct queue_tail_queue &x = in->queue[q];

		ring.put(1, x.ring);
		head.put(32, x.head);
		ring_tail.put(32, x.ring_tail);
		held.put(4, x.held);
		resume.put(1, x.resume);
	}
	top.eval();

	unpacker tail(top.tail_o);
	for (unsigned q = 0; q < TMA_NumQueues; q++)
		out.tail[q] = static_cast<uint32_t>(tail.get(32));
	out.skip = top.skip_o;
	return out;
}
