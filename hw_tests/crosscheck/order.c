/* SPDX-License-Identifier: Apache-2.0 */
/* The program's certainties against the cycles of the trace. */
#include "crosscheck/order.h"

#include <stdio.h>
#include <string.h>

#include "crosscheck/bus.h"
#include "tma_tables.h"

/* An error response may be on its way through the engine while one more burst comes out. */
#define ABORT_CYCLES 8

struct view {
	const struct program *p;
	const struct seen *seen;
	char *text;
	size_t room;
};

#define VIOLATION(v, ...) (snprintf((v)->text, (v)->room, __VA_ARGS__), false)

static bool on_the_bus(const struct program *p, const struct step *s)
{
	if (s->tensor >= 0 && !p->tensors[s->tensor].span.fits)
		return false; /* a prefetch: nobody says what of it is read */
	return s->rule == RULE_EXACT && (!s->fault || s->late) && bus_step_bytes(p, s);
}

/* Is it certain, with this knowledge, that the copy is complete? */
static bool certain(const struct step *copy, const struct know *k)
{
	if (copy->writes_done >= 0)
		return know_event(k, copy->writes_done);
	/* Of a load the bus sees the reads. */
	if (copy->reads_done >= 0 && know_event(k, copy->reads_done))
		return true;
	for (int c = 0; c < MAX_CTAS; c++)
		if (copy->phase[c] >= 0 && know_event(k, copy->phase[c]))
			return true;
	return false;
}

/* Everything that the step's queue was certain of has happened at `cycle`. */
static bool all_happened(const struct view *v, uint32_t step, uint64_t cycle, const char *what)
{
	const struct step *s = &v->p->steps[step];

	for (uint32_t i = 0; i < step; i++) {
		const struct step *copy = &v->p->steps[i];

		if (!on_the_bus(v->p, copy) || copy->fault || !certain(copy, &s->know) ||
		    v->seen[i].last <= cycle)
			continue;
		return VIOLATION(
			v,
			"queue %u command %u (%s): %s in cycle %llu, but queue %u command %u (%s), which "
			"it waited for, ends in cycle %lld",
			s->queue, s->index, tma_opcode_name(s->cmd.opcode), what, (unsigned long long)cycle,
			copy->queue, copy->index, tma_opcode_name(copy->cmd.opcode),
			(long long)v->seen[i].last);
	}
	return true;
}

static uint32_t port_bytes(const struct program *p, const struct step *s, uint32_t port)
{
	if (s->tensor < 0)
		return bus_port_bytes(p, &s->cmd, port);
	return port ? 0 : (uint32_t)bus_step_bytes(p, s);
}

/* A reduction has read all that it had to. Of tensors nobody says what that is. */
static bool reads_complete(const struct view *v, uint32_t step)
{
	const struct step *s = &v->p->steps[step];
	const struct seen *e = &v->seen[step];

	for (uint32_t port = 0; bus_updates(s->cmd.opcode) && port < v->p->shape->ports; port++) {
		uint32_t next = e->port[port].read;
		struct bus_part part;

		if (e->port[port].reads != e->port[port].read_done)
			return VIOLATION(v,
			                 "queue %u command %u (%s): %u reads on port %u, %u of them answered",
			                 s->queue, s->index, tma_opcode_name(s->cmd.opcode),
			                 e->port[port].reads, port, e->port[port].read_done);
		for (; s->tensor < 0 && bus_burst(v->p, &s->cmd, port, &next, &part); next += part.bytes)
			if (bus_beats(v->p, &part) > 1)
				return VIOLATION(
					v,
					"queue %u command %u (%s): %u bytes at %#llx of port %u are written "
					"and were not read",
					s->queue, s->index, tma_opcode_name(s->cmd.opcode), part.bytes,
					(unsigned long long)part.address, port);
	}
	return true;
}

static bool copy_complete(const struct view *v, uint32_t step)
{
	const struct step *s = &v->p->steps[step];
	const struct seen *e = &v->seen[step];

	if (!on_the_bus(v->p, s) || s->fault)
		return true;
	for (uint32_t port = 0; port < v->p->shape->ports; port++) {
		uint32_t bytes = port_bytes(v->p, s, port);

		/* Of tensor copies whole beats are counted. */
		if (e->port[port].bytes < bytes || (s->tensor < 0 && e->port[port].bytes != bytes) ||
		    e->port[port].asked != e->port[port].done)
			return VIOLATION(
				v,
				"queue %u command %u (%s): %u of %u bytes in %u bursts on port %u, %u of "
				"them answered",
				s->queue, s->index, tma_opcode_name(s->cmd.opcode), e->port[port].bytes,
				bytes, e->port[port].asked, port, e->port[port].done);
	}
	if (!reads_complete(v, step))
		return false;
	return e->last != NOT_SEEN || VIOLATION(v, "queue %u command %u (%s): no response seen", s->queue,
	                                        s->index, tma_opcode_name(s->cmd.opcode));
}

static bool limit_kept(const struct view *v, uint32_t step)
{
	const struct step *s = &v->p->steps[step];
	const struct seen *e = &v->seen[step];

	if (s->cmd.opcode != TMA_MBARRIER_TRY_WAIT || s->rule == RULE_NEVER || s->fault ||
	    e->record == NOT_SEEN || e->value || e->record >= e->accepted + s->cmd.tx)
		return true;
	return VIOLATION(v, "queue %u command %u: try_wait gives up after %llu cycles, its limit is %u",
	                 s->queue, s->index, (unsigned long long)(e->record - e->accepted), s->cmd.tx);
}

/* A prefetch goes on: its errors are only counted. One port of a broadcast may be far behind another. What a
 * reduction has read may be far ahead of what it writes, where the error counts. */
static bool stops_at_error(const struct view *v, uint32_t step)
{
	const struct step *s = &v->p->steps[step];
	const struct seen *e = &v->seen[step];

	if (e->error == NOT_SEEN || bus_updates(s->cmd.opcode) || s->cmd.opcode == TMA_BULK_PREFETCH ||
	    s->cmd.opcode == TMA_TENSOR_PREFETCH || s->cmd.opcode == TMA_MULTIMEM_BULK_STORE ||
	    e->newest <= e->error + ABORT_CYCLES)
		return true;
	return VIOLATION(v,
	                 "queue %u command %u: a burst in cycle %llu, after the error response in cycle %llu",
	                 s->queue, s->index, (unsigned long long)e->newest, (unsigned long long)e->error);
}

bool order_allowed(const struct program *p, const struct seen *seen, char *text, size_t room)
{
	struct view v = { p, seen, text, room };

	for (uint32_t i = 0; i < p->num_steps; i++) {
		const struct seen *e = &seen[i];

		if (!copy_complete(&v, i) || !limit_kept(&v, i) || !stops_at_error(&v, i) ||
		    (e->first != NOT_SEEN && !all_happened(&v, i, e->first, "first burst")) ||
		    (e->record != NOT_SEEN && !all_happened(&v, i, e->record, "record")))
			return false;
	}
	return true;
}
