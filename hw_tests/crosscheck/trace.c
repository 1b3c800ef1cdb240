/* SPDX-License-Identifier: Apache-2.0 */
/* From pins to steps. */
#include "crosscheck/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/bus.h"
#include "crosscheck/gen.h"
#include "lib/axi_ids.h"
#include "lib/axi_observe.h"
#include "tma_tables.h"

struct trace {
	const struct program *p;
	struct seen *seen;
	struct port {
		struct trace *trace;
		uint32_t number;
		struct axi_observe *books; /* tag of a burst: its step, or num_steps: nobody asks */
		uint64_t held; /* step whose error was taken last, RREADY low since; or NOT_SEEN */
	} port[MAX_PORTS];
	uint64_t cycle;
	struct trace_burst *bursts;
	uint32_t num_bursts, room_bursts;
	char error[200];
};

struct seen *trace_seen(struct trace *t)
{
	return t->seen;
}

const struct trace_burst *trace_bursts(const struct trace *t, uint32_t *count)
{
	*count = t->num_bursts;
	return t->bursts;
}

const char *trace_error(const struct trace *t)
{
	return t->error[0] ? t->error : NULL;
}

#define FAIL(t, ...)                                                           \
	do {                                                                   \
		if (!(t)->error[0])                                            \
			snprintf((t)->error, sizeof((t)->error), __VA_ARGS__); \
	} while (0)

/* A burst at the pins. */
struct burst {
	uint32_t port;
	uint64_t since;  /* first cycle of valid */
	uint64_t issued; /* not before */
	uint64_t addr;
	uint32_t beats;
	bool read;
	uint8_t opcode; /* of the bulk command that it may belong to, or another that moves data the same way */
	uint8_t qos;
	uint16_t user;
};

static void keep_burst(struct trace *t, uint32_t step, const struct burst *b)
{
	t->bursts = must_grow(t->bursts, t->num_bursts, &t->room_bursts, sizeof(*t->bursts));
	t->bursts[t->num_bursts++] = (struct trace_burst){ step, b->beats, b->addr };
}

static bool may_be(uint8_t opcode, const struct burst *b)
{
	switch (opcode) {
	case TMA_MULTIMEM_BULK_STORE:
	case TMA_TENSOR_STORE:
		return b->opcode == TMA_BULK_STORE;
	case TMA_MULTIMEM_BULK_REDUCE:
	case TMA_TENSOR_REDUCE:
		return b->opcode == TMA_BULK_REDUCE;
	case TMA_TENSOR_LOAD:
		return b->opcode == TMA_BULK_LOAD;
	case TMA_TENSOR_PREFETCH:
		return b->opcode == TMA_BULK_PREFETCH;
	default:
		return opcode == b->opcode;
	}
}

static bool is_part(const struct trace *t, const struct bus_part *part, const struct burst *b)
{
	return part->address - part->address % t->p->shape->data_bytes == b->addr &&
	       bus_beats(t->p, part) == b->beats;
}

/* A reduction need not read what another one in flight has, of bursts of one beat. */
static bool wants_read(const struct trace *t, const struct tma_command *cmd, const struct burst *b,
                       uint32_t *next)
{
	struct bus_part part;

	for (; bus_burst(t->p, cmd, b->port, next, &part); *next += part.bytes) {
		if (is_part(t, &part, b)) {
			*next += part.bytes;
			return true;
		}
		if (bus_beats(t->p, &part) > 1)
			return false;
	}
	return false;
}

/* Does the step still need just this burst on the port? *next: behind it. */
static bool wants(const struct trace *t, uint32_t step, const struct burst *b, struct bus_part *part,
                  uint32_t *next)
{
	const struct step *s = &t->p->steps[step];
	bool reads = b->read && bus_updates(s->cmd.opcode);
	uint32_t data_bytes = t->p->shape->data_bytes;
	uint64_t policy = s->cmd.flags & TMA_FLAG_CACHE_HINT ? s->cmd.policy >> 60 : 0;

	*next = reads ? t->seen[step].port[b->port].read : t->seen[step].port[b->port].next;
	if (s->tensor >= 0)
		part->bytes = b->beats * data_bytes;
	if (!may_be(s->cmd.opcode, b) || t->p->queue[s->queue].stream != b->user >> 8 || policy != b->qos ||
	    bus_hints(t->p, s) != (b->user & 0xff) || (s->fault && !s->late) || s->rule == RULE_NEVER ||
	    (s->tensor >= 0 && (b->port || !bus_tensor(t->p, s, b->addr, part->bytes))))
		return false;
	if (s->tensor >= 0)
		return true;
	if (reads)
		return wants_read(t, &s->cmd, b, next);
	for (; bus_burst(t->p, &s->cmd, b->port, next, part); *next += part->bytes) {
		if (is_part(t, part, b)) {
			*next += part->bytes;
			return true;
		}
		/* A burst whose read has failed is not written, those that had gone behind it are. */
		if (!bus_updates(s->cmd.opcode) || t->seen[step].error == NOT_SEEN)
			return false;
	}
	return false;
}

/* The write of a record: what it says is looked at when software sees it. */
static bool is_record(const struct trace *t, uint64_t addr)
{
	return addr - t->p->rings_base < t->p->rings_bytes;
}

static bool is_guest(const struct trace *t, uint32_t queue)
{
	return t->p->guest.on && queue == t->p->guest.queue;
}

/* How far a step is, said as another one's next byte. False: that one never is there. */
static bool in_terms_of(const struct trace *t, uint32_t step, uint32_t other, uint32_t port, uint32_t *next)
{
	const struct tma_command *a = &t->p->steps[step].cmd, *b = &t->p->steps[other].cmd;
	uint64_t at = a->global_address + t->seen[step].port[port].next - b->global_address;

	*next = (uint32_t)at;
	return at <= b->size;
}

/* Prefetches of a queue that overlap take turns, and read whole pages alike: whose was which shows where one
 * of them ends. Had they been the other way round, would one of them want this burst? */
static bool exchange(struct trace *t, const struct burst *b)
{
	struct bus_part part;
	uint32_t next[2], behind;

	for (uint32_t i = 0; i < t->p->num_steps; i++)
		for (uint32_t k = i + 1; k < t->p->num_steps; k++) {
			const struct step *s[2] = { &t->p->steps[i], &t->p->steps[k] };
			struct seen before[2] = { t->seen[i], t->seen[k] };

			if (s[0]->cmd.opcode != TMA_BULK_PREFETCH || s[1]->cmd.opcode != TMA_BULK_PREFETCH ||
			    s[0]->queue != s[1]->queue || !in_terms_of(t, k, i, b->port, &next[0]) ||
			    !in_terms_of(t, i, k, b->port, &next[1]))
				continue;
			t->seen[i].port[b->port].next = next[0];
			t->seen[k].port[b->port].next = next[1];
			if (wants(t, i, b, &part, &behind) || wants(t, k, b, &part, &behind)) {
				t->seen[i].port[b->port].bytes =
					bus_bytes_before(t->p, &s[0]->cmd, b->port, next[0]);
				t->seen[k].port[b->port].bytes =
					bus_bytes_before(t->p, &s[1]->cmd, b->port, next[1]);
				return true;
			}
			t->seen[i] = before[0];
			t->seen[k] = before[1];
		}
	return false;
}

/* The oldest step that waits for this burst gets it. */
static uint32_t give(struct trace *t, const struct burst *b)
{
	struct bus_part part = { 0 };
	uint32_t i = 0, next = 0;

	/* Queues have streams of their own; what it does in its pages is looked at elsewhere. */
	if (is_guest(t, b->user >> 12) && !b->port &&
	    b->addr - t->p->global_base - t->p->guest.global_at < GUEST_PAGES * PAGE_BYTES)
		return t->p->num_steps;
	while (i < t->p->num_steps && !wants(t, i, b, &part, &next))
		i++;
	if (i == t->p->num_steps && exchange(t, b))
		return give(t, b);
	if (i == t->p->num_steps) {
		FAIL(t,
		     "cycle %llu: %s burst of %u beats at %#llx of port %u, user %#x, qos %u belongs to no "
		     "command",
		     (unsigned long long)t->cycle, tma_opcode_name(b->opcode), b->beats,
		     (unsigned long long)b->addr, b->port, b->user, b->qos);
	} else {
		struct seen *seen = &t->seen[i];

		if (seen->first == NOT_SEEN)
			seen->first = b->since;
		if (b->read && bus_updates(t->p->steps[i].cmd.opcode)) {
			seen->port[b->port].reads++;
			seen->port[b->port].read = next;
			return i;
		}
		seen->newest = b->issued;
		seen->port[b->port].asked++;
		seen->port[b->port].bytes += part.bytes;
		seen->port[b->port].next = next;
		if (t->p->steps[i].tensor >= 0)
			keep_burst(t, i, b);
	}
	return i;
}

static uint8_t client_opcode(uint8_t id)
{
	switch (id >> AXI_CLIENT_SHIFT) {
	case AXI_CLIENT_PREFETCH:
		return TMA_BULK_PREFETCH;
	case AXI_CLIENT_CP:
		return TMA_CP_ASYNC;
	case AXI_CLIENT_REDUCE:
		return TMA_BULK_REDUCE;
	default:
		return TMA_BULK_LOAD;
	}
}

static void on_addr(void *arg, struct axi_burst *x)
{
	const struct port *port = arg;
	struct trace *t = port->trace;
	uint8_t written = x->id == AXI_WRITE_REDUCE(t->p->shape->ports) ? TMA_BULK_REDUCE : TMA_BULK_STORE;
	struct burst b = { port->number,
		           x->since,
		           x->issued,
		           x->addr,
		           x->beats,
		           !x->write,
		           x->write ? written : client_opcode(x->id),
		           x->qos,
		           x->user };

	/* Maps are read, or are not, as the engine likes. */
	if (x->write ? !port->number && is_record(t, x->addr)
	             : x->id >> AXI_CLIENT_SHIFT == AXI_CLIENT_RING ||
	                       x->id >> AXI_CLIENT_SHIFT == AXI_CLIENT_MAP)
		x->tag[0] = t->p->num_steps;
	else
		x->tag[0] = give(t, &b);
}

static bool note_error(struct trace *t, uint64_t step, uint8_t resp)
{
	if (!resp || step == t->p->num_steps || t->seen[step].error != NOT_SEEN)
		return false;
	t->seen[step].error = t->cycle;
	return true;
}

static void on_beat(void *arg, struct axi_burst *b, const struct axi_beat *beat)
{
	struct port *port = arg;

	if (note_error(port->trace, b->tag[0], beat->resp))
		port->held = b->tag[0];
}

static void on_end(void *arg, const struct axi_burst *b, uint8_t resp)
{
	const struct port *port = arg;
	struct trace *t = port->trace;

	note_error(t, b->tag[0], resp);
	if (b->tag[0] == t->p->num_steps)
		return;
	/* Reads of a reduction may be those of a later one that updates the same line: they tell no end. */
	if (!b->write && bus_updates(t->p->steps[b->tag[0]].cmd.opcode)) {
		t->seen[b->tag[0]].port[port->number].read_done++;
		return;
	}
	t->seen[b->tag[0]].port[port->number].done++;
	t->seen[b->tag[0]].last = t->cycle;
}

void trace_cycle(void *trace, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct trace *t = trace;

	t->cycle = cycle;
	for (uint32_t i = 0; i < t->p->shape->ports; i++) {
		struct port *port = &t->port[i];

		/* Fill may go first, of whatever box: until RREADY is back the engine has not looked at it. */
		if (port->held != NOT_SEEN && !out->axi[i].r_ready)
			t->seen[port->held].error = cycle;
		else
			port->held = NOT_SEEN;
		axi_observe_step(port->books, cycle, &out->axi[i], &in->axi[i]);
	}
}

void trace_command(void *trace, uint64_t cycle, uint32_t queue, uint32_t index, const struct tma_command *cmd)
{
	struct trace *t = trace;

	(void)cmd;
	if (is_guest(t, queue))
		return;
	t->seen[t->p->by_queue[queue][index]].accepted = cycle;
}

void trace_record(void *trace, uint64_t cycle, const struct tma_record *record)
{
	struct trace *t = trace;
	struct seen *s;

	if (is_guest(t, record->queue))
		return;
	if (record->queue >= MAX_QUEUES || record->sequence >= t->p->queue[record->queue].steps) {
		FAIL(t, "cycle %llu: record of queue %u, sequence %u", (unsigned long long)cycle,
		     record->queue, record->sequence);
		return;
	}
	s = &t->seen[t->p->by_queue[record->queue][record->sequence]];
	/* A copy may have one record when it leaves its queue and one when it faults. */
	if (s->record != NOT_SEEN)
		return;
	s->record = cycle;
	s->value = record->value;
}

/*
 * Life.
 */

struct trace *trace_new(const struct program *p)
{
	struct trace *t = must(calloc(1, sizeof(*t)));

	t->seen = must(calloc(p->num_steps + 1, sizeof(*t->seen)));
	t->p = p;
	for (uint32_t i = 0; i < p->shape->ports; i++) {
		struct axi_watcher watcher = {
			.arg = &t->port[i], .addr = on_addr, .beat = on_beat, .end = on_end
		};

		t->port[i] = (struct port){ t, i, must(axi_observe_new(p->shape->data_bytes, &watcher)),
			                    NOT_SEEN };
	}
	for (uint32_t i = 0; i < p->num_steps; i++)
		t->seen[i] = (struct seen){ .accepted = NOT_SEEN,
			                    .first = NOT_SEEN,
			                    .newest = NOT_SEEN,
			                    .last = NOT_SEEN,
			                    .error = NOT_SEEN,
			                    .record = NOT_SEEN };
	return t;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < MAX_PORTS; i++)
		axi_observe_free(t->port[i].books);
	free(t->seen);
	free(t->bursts);
	free(t);
}
