/* SPDX-License-Identifier: Apache-2.0 */
/* A port that dies: no model says what exactly happens, so the bounds are looked at. */
#include "crosscheck/run_death.h"

#include <stdio.h>
#include <stdlib.h>

#include "crosscheck/footprint.h"
#include "lib/rig.h"
#include "tma_regs.h"
#include "tma_tables.h"

#define LOOK_EVERY 100u
#define PATIENCE   1500u /* cycles beyond the watchdog without progress: that is rest */
#define LIMIT(p)   (UINT64_C(60000) + (p)->num_steps * UINT64_C(3000))

struct run {
	struct rig *rig;
	const struct program *p;
	char *text;
	size_t room;
};

#define FAIL(r, ...) (snprintf((r)->text, (r)->room, __VA_ARGS__), false)

/* Changes whenever something does. */
static uint64_t progress(const struct run *r)
{
	uint64_t sum = rig_csr(r->rig, TMA_REG_COUNTER_LO(TMA_COUNTER_SHARED_LINES));

	for (uint32_t q = 0; q < r->p->shape->queues; q++) {
		uint32_t records = 0;

		if (!r->p->queue[q].used)
			continue;
		rig_records(r->rig, q, &records);
		sum += rig_csr(r->rig, TMA_REG_QUEUE_HEAD(q)) + records + rig_accepted(r->rig, q);
	}
	return sum;
}

static bool come_to_rest(const struct run *r)
{
	uint64_t end = rig_cycle(r->rig) + LIMIT(r->p), since = rig_cycle(r->rig), seen = progress(r);

	while (rig_cycle(r->rig) < since + r->p->death.watchdog + PATIENCE) {
		uint64_t now;

		rig_run(r->rig, LOOK_EVERY);
		now = progress(r);
		/* Prefetches that a dead port ends show nowhere else. */
		if (now != seen || !rig_paths_rest(r->rig))
			since = rig_cycle(r->rig);
		seen = now;
		if (rig_cycle(r->rig) < end)
			continue;
		rig_dump(r->rig);
		return FAIL(r, "no rest after a port has stopped");
	}
	return true;
}

/* Done, stopped by the port, or in a wait that others had to end. */
static bool queue_rests(const struct run *r, uint32_t q, bool died)
{
	uint32_t status = rig_csr(r->rig, TMA_REG_QUEUE_STATUS(q)),
		 head = rig_csr(r->rig, TMA_REG_QUEUE_HEAD(q));
	const struct step *s;

	if (status & TMA_REG_QUEUE_STATUS_FAULTED_MASK) {
		uint16_t code = rig_fault(r->rig, q).code;

		return (died && code == TMA_FAULT_PORT_DEAD) || FAIL(r, "queue %u: fault %#x", q, code);
	}
	if (head == r->p->queue[q].steps && !(status & TMA_REG_QUEUE_STATUS_BUSY_MASK))
		return true;
	s = head < r->p->queue[q].steps ? program_step(r->p, q, head) : NULL;
	if (died && s && status & TMA_REG_QUEUE_STATUS_WAITING_MASK && s->cmd.opcode == TMA_MBARRIER_TRY_WAIT)
		return true;
	rig_dump(r->rig);
	return FAIL(r, "queue %u hangs at command %u (%s), STATUS %#x", q, head,
	            s ? tma_opcode_name(s->cmd.opcode) : "none", status);
}

/* A reset queue is empty and takes commands again. A ring on the port may be of no use any more. */
static bool queue_restarts(const struct run *r, uint32_t q)
{
	const struct tma_command cmd = { .opcode = TMA_SIGNAL, .version = TMA_COMMAND_VERSION, .tag = 77 };
	bool doubtful = r->p->queue[q].ring && !r->p->death.port;
	int resp = rig_queue_reset(r->rig, q);
	uint32_t head, records = 0;

	if (resp != RIG_OKAY)
		return FAIL(r, "RESET of queue %u: response %d", q, resp);
	head = rig_csr(r->rig, TMA_REG_QUEUE_HEAD(q));
	if (head || rig_fault(r->rig, q).code)
		return FAIL(r, "queue %u after its reset: HEAD %u, fault %#x", q, head,
		            rig_fault(r->rig, q).code);
	rig_submit(r->rig, q, &cmd);
	for (uint32_t i = 0; i < LIMIT(r->p) / LOOK_EVERY; i++) {
		rig_records(r->rig, q, &records);
		if (records || (doubtful && rig_fault(r->rig, q).code == TMA_FAULT_PORT_DEAD))
			return true;
		rig_run(r->rig, LOOK_EVERY);
	}
	rig_dump(r->rig);
	return FAIL(r, "queue %u does nothing after its reset", q);
}

static bool all(const struct run *r, bool died)
{
	for (uint32_t q = 0; q < r->p->shape->queues; q++)
		if (r->p->queue[q].used && !queue_rests(r, q, died))
			return false;
	for (uint32_t q = 0; q < r->p->shape->queues; q++)
		if (r->p->queue[q].used && !queue_restarts(r, q))
			return false;
	return true;
}

bool run_death(struct rig *rig, struct engine *e, const struct program *p, const struct memory *before,
               struct memory *rtl, bool *died, char *text, size_t room)
{
	struct run r = { rig, p, text, room };
	int failed = rig_failed(rig);
	bool good;

	rig_watchdog(rig, p->death.watchdog);
	for (uint32_t i = 0; i < p->num_steps; i++)
		rig_submit(rig, p->steps[i].queue, &p->steps[i].cmd);
	rig_port_stop(rig, p->death.port, p->death.channels, p->death.after);
	good = come_to_rest(&r);
	*died = rig_dead_ports(rig) != 0;
	good = good && all(&r, *died);
	if (good && rig_failed(rig) != failed)
		good = FAIL(&r, "a protocol is broken, or an assertion of the RTL: see above");
	engine_read_all(e, p, rtl);
	rig_reset(rig);
	return good && footprint_kept(p, before, rtl, text, room);
}
