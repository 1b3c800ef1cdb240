/* SPDX-License-Identifier: Apache-2.0 */
/* The door pages as the caller uses them: doorbells, recovery; ports that stop, and their watchdog. */
#include <errno.h>

#include "lib/rig_priv.h"
#include "tma_regs.h"

int rig_resume(struct rig *rig, uint32_t queue, uint32_t index)
{
	if (queue >= rig->info->queues)
		return -EINVAL;
	return rig_csr_door(rig, TMA_REG_DOOR_RESUME(queue), index, RIG_RESUME, queue);
}

int rig_queue_reset(struct rig *rig, uint32_t queue)
{
	struct rig_ring *r = &rig->ring[queue];
	bool was;
	int resp;

	if (queue >= rig->info->queues)
		return -EINVAL;
	/* A doorbell or a command on its way would be refused, or belong to the new life. */
	was = r->paused;
	r->paused = true;
	rig_command_withdraw(rig, queue);
	while (r->posted)
		rig_step(rig);
	resp = rig_csr_write(rig, TMA_REG_DOOR_RESET(queue), TMA_REG_DOOR_RESET_RESET_MASK);
	if (resp != RIG_OKAY) {
		r->paused = was;
		return resp;
	}
	rig_command_forget(rig, queue);
	r->first_command = r->first_record = 0;
	resp = rig_csr_wait_closed(rig, queue);
	if (resp)
		return resp;
	/* What a direct queue has answered before it was reset is of no more interest either. */
	rig_command_forget(rig, queue);
	if (r->bound)
		rig_ring_start(rig, queue);
	r->paused = was;
	return RIG_OKAY;
}

int rig_cancel(struct rig *rig, uint32_t queue)
{
	if (queue >= rig->info->queues)
		return -EINVAL;
	return rig_csr_write(rig, TMA_REG_DOOR_CANCEL(queue), TMA_REG_DOOR_CANCEL_CANCEL_MASK);
}

int rig_doorbell(struct rig *rig, uint32_t queue, uint32_t tail)
{
	struct rig_fifo *f = &rig->queue[queue];
	struct rig_ring *r = &rig->ring[queue];
	int resp;

	if (queue >= rig->info->queues)
		return -EINVAL;
	resp = rig_csr_write(rig, TMA_REG_DOOR_TAIL(queue), tail);
	rig->last_handshake = rig->cycle;
	if (resp != RIG_OKAY || !r->bound || f->waiting || tail - f->submitted > r->slots)
		return resp;
	/* Whether HEAD leaves room for so many only the engine knows. */
	if (rig_csr(rig, TMA_REG_DOOR_TAIL(queue)) != tail)
		return resp;
	while (f->num_accepted != tail) {
		f->accepted =
			must_grow(f->accepted, f->num_accepted, &f->room_accepted, sizeof(*f->accepted));
		f->accepted[f->num_accepted++] = rig->csr.answered_at;
	}
	f->submitted = r->written = r->rung = tail;
	return resp;
}

int rig_consume(struct rig *rig, uint32_t queue)
{
	struct rig_ring *r;
	uint32_t taken;
	int resp;

	if (queue >= rig->info->queues)
		return -EINVAL;
	r = &rig->ring[queue];
	taken = r->taken;
	resp = rig_csr_write(rig, TMA_REG_DOOR_CONSUMER(queue), taken);
	if (resp == RIG_OKAY)
		r->told = taken;
	return resp;
}

void rig_consumer(struct rig *rig, uint32_t queue, enum rig_consumer consumer)
{
	rig->ring[queue].consumer = consumer;
}

struct rig_door rig_door_read(struct rig *rig, uint32_t queue)
{
	struct rig_door d = { .tail = rig_csr(rig, TMA_REG_DOOR_TAIL(queue)) };

	d.head = rig_csr(rig, TMA_REG_DOOR_HEAD(queue));
	d.consumer = rig_csr(rig, TMA_REG_DOOR_CONSUMER(queue));
	d.producer = rig_csr(rig, TMA_REG_DOOR_PRODUCER(queue));
	d.status = rig_csr(rig, TMA_REG_DOOR_STATUS(queue));
	d.pending = rig_csr(rig, TMA_REG_DOOR_INTERRUPT_PENDING(queue));
	d.enable = rig_csr(rig, TMA_REG_DOOR_INTERRUPT_ENABLE(queue));
	return d;
}

int rig_watchdog(struct rig *rig, uint32_t cycles)
{
	return rig_csr_set(rig, TMA_REG_WATCHDOG, cycles);
}

uint32_t rig_dead_ports(struct rig *rig)
{
	uint32_t dead = rig_csr(rig, TMA_REG_PORTS) & TMA_REG_PORTS_DEAD_MASK;

	rig->stopped |= dead;
	axi_monitor_ignore(rig->monitor, dead);
	return dead;
}

static int fails(struct rig *rig, uint32_t port)
{
	if (port >= rig->info->ports)
		return -EINVAL;
	rig->stopped |= 1u << port;
	axi_monitor_ignore(rig->monitor, 1u << port);
	return 0;
}

int rig_port_stop(struct rig *rig, uint32_t port, uint32_t channels, uint64_t after)
{
	int err = fails(rig, port);

	if (!err)
		axi_mem_stop(rig->mem[port], channels, after);
	return err;
}

int rig_port_lose(struct rig *rig, uint32_t port, enum rig_dir dir)
{
	int err = fails(rig, port);

	if (!err)
		axi_mem_lose(rig->mem[port], dir);
	return err;
}
