/* SPDX-License-Identifier: Apache-2.0 */
/* From pins to steps. */
#include "crosscheck/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/bus.h"
#include "crosscheck/gen.h"
#include "tma_tables.h"

#define IDS             32
#define CLIENT_SHIFT    2 /* AXI id: client, channel */
#define CLIENT_PREFETCH 1
#define CLIENT_MAP      2
#define CLIENT_RING     3
#define CLIENT_CP       5
#define MAX_FLIGHT      1024

/* Bursts of one id, oldest first. */
struct flight {
	uint32_t step[MAX_FLIGHT];
	uint32_t head, count;
};

struct trace {
	const struct program *p;
	struct seen *seen;
	struct {
		struct flight reads[IDS], writes[IDS];
		uint64_t ar_since, aw_since; /* first cycle of the burst on the pins, NOT_SEEN: none */
	} port[MAX_PORTS];
	struct trace_burst *bursts;
	uint32_t num_bursts, room_bursts;
	char error[200];
};

struct trace *trace_new(const struct program *p)
{
	struct trace *t = calloc(1, sizeof(*t));

	if (t)
		t->seen = calloc(p->num_steps + 1, sizeof(*t->seen));
	if (!t || !t->seen)
		abort();
	t->p = p;
	for (uint32_t i = 0; i < MAX_PORTS; i++)
		t->port[i].ar_since = t->port[i].aw_since = NOT_SEEN;
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
	free(t->seen);
	free(t->bursts);
	free(t);
}

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
	uint64_t since; /* first cycle of valid */
	uint64_t addr;
	uint32_t beats;
	uint8_t opcode; /* of the bulk command that it may belong to, or another that moves data the same way */
	uint8_t qos;
	uint16_t user;
};

static void keep_burst(struct trace *t, uint32_t step, const struct burst *b)
{
	t->bursts = gen_grow(t->bursts, t->num_bursts, &t->room_bursts, sizeof(*t->bursts));
	t->bursts[t->num_bursts++] = (struct trace_burst){ step, b->beats, b->addr };
}

static bool may_be(uint8_t opcode, const struct burst *b)
{
	switch (opcode) {
	case TMA_MULTIMEM_BULK_STORE:
	case TMA_TENSOR_STORE:
		return b->opcode == TMA_BULK_STORE;
	case TMA_TENSOR_LOAD:
		return b->opcode == TMA_BULK_LOAD;
	case TMA_TENSOR_PREFETCH:
		return b->opcode == TMA_BULK_PREFETCH;
	default:
		return opcode == b->opcode;
	}
}

/* Does the step still need just this burst on the port? *next: behind it. */
static bool wants(const struct trace *t, uint32_t step, const struct burst *b, struct bus_part *part,
                  uint32_t *next)
{
	const struct step *s = &t->p->steps[step];
	uint32_t data_bytes = t->p->shape->data_bytes, skew;
	uint64_t policy = s->cmd.flags & TMA_FLAG_CACHE_HINT ? s->cmd.policy >> 60 : 0;

	*next = t->seen[step].port[b->port].next;
	if (s->tensor >= 0)
		part->bytes = b->beats * data_bytes;
	if (!may_be(s->cmd.opcode, b) || t->p->queue[s->queue].stream != b->user >> 8 || policy != b->qos ||
	    bus_hints(t->p, s) != (b->user & 0xff) || (s->fault && !s->late) || s->rule == RULE_NEVER ||
	    (s->tensor >= 0 ? b->port || !bus_tensor(t->p, s, b->addr, part->bytes)
	                    : !bus_next(t->p, &s->cmd, b->port, next, part)))
		return false;
	if (s->tensor >= 0)
		return true;
	*next += part->bytes;
	skew = (uint32_t)(part->address % data_bytes);
	return part->address - skew == b->addr &&
	       (skew + part->bytes + data_bytes - 1) / data_bytes == b->beats;
}

static void push(struct trace *t, uint64_t cycle, struct flight *f, uint32_t step)
{
	if (f->count == MAX_FLIGHT) {
		FAIL(t, "cycle %llu: more than %u bursts of one id", (unsigned long long)cycle, MAX_FLIGHT);
		return;
	}
	f->step[(f->head + f->count++) % MAX_FLIGHT] = step;
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

/* The oldest step that waits for this burst gets it. */
static void give(struct trace *t, uint64_t cycle, const struct burst *b, struct flight *f)
{
	struct bus_part part = { 0 };
	uint32_t i = 0, next = 0;

	/* Queues have streams of their own; what it does in its pages is looked at elsewhere. */
	if (is_guest(t, b->user >> 12) && !b->port &&
	    b->addr - t->p->global_base - t->p->guest.global_at < GUEST_PAGES * PAGE_BYTES) {
		push(t, cycle, f, t->p->num_steps);
		return;
	}
	while (i < t->p->num_steps && !wants(t, i, b, &part, &next))
		i++;
	if (i == t->p->num_steps) {
		FAIL(t,
		     "cycle %llu: %s burst of %u beats at %#llx of port %u, user %#x, qos %u belongs to no "
		     "command",
		     (unsigned long long)cycle, tma_opcode_name(b->opcode), b->beats,
		     (unsigned long long)b->addr, b->port, b->user, b->qos);
	} else {
		struct seen *seen = &t->seen[i];

		if (seen->first == NOT_SEEN)
			seen->first = b->since;
		seen->newest = b->since;
		seen->port[b->port].asked++;
		seen->port[b->port].bytes += part.bytes;
		seen->port[b->port].next = next;
		if (t->p->steps[i].tensor >= 0)
			keep_burst(t, i, b);
	}
	push(t, cycle, f, i);
}

/* A beat of a read, or the response of a write. */
static void take(struct trace *t, uint64_t cycle, uint32_t port, struct flight *f, bool last, uint8_t resp)
{
	uint32_t step;

	if (!f->count)
		return; /* the protocol checker says so */
	step = f->step[f->head];
	if (resp && step != t->p->num_steps && t->seen[step].error == NOT_SEEN)
		t->seen[step].error = cycle;
	if (!last)
		return;
	f->head = (f->head + 1) % MAX_FLIGHT;
	f->count--;
	if (step == t->p->num_steps)
		return;
	t->seen[step].port[port].done++;
	t->seen[step].last = cycle;
}

static uint8_t client_opcode(uint8_t id)
{
	switch (id >> CLIENT_SHIFT) {
	case CLIENT_PREFETCH:
		return TMA_BULK_PREFETCH;
	case CLIENT_CP:
		return TMA_CP_ASYNC;
	default:
		return TMA_BULK_LOAD;
	}
}

static void take_read(struct trace *t, uint64_t cycle, uint32_t port, const struct tma_axi_out *o)
{
	struct burst b = { port,           t->port[port].ar_since,  o->ar_addr,
		           o->ar_len + 1u, client_opcode(o->ar_id), o->ar_qos,
		           o->ar_user };

	t->port[port].ar_since = NOT_SEEN;
	/* Maps are read, or are not, as the engine likes. */
	if (o->ar_id >> CLIENT_SHIFT != CLIENT_RING && o->ar_id >> CLIENT_SHIFT != CLIENT_MAP)
		give(t, cycle, &b, &t->port[port].reads[o->ar_id % IDS]);
}

static void take_write(struct trace *t, uint64_t cycle, uint32_t port, const struct tma_axi_out *o)
{
	struct burst b = { port,           t->port[port].aw_since, o->aw_addr,
		           o->aw_len + 1u, TMA_BULK_STORE,         o->aw_qos,
		           o->aw_user };
	struct flight *f = &t->port[port].writes[o->aw_id % IDS];

	t->port[port].aw_since = NOT_SEEN;
	if (!port && is_record(t, o->aw_addr))
		push(t, cycle, f, t->p->num_steps);
	else
		give(t, cycle, &b, f);
}

static void port_cycle(struct trace *t, uint64_t cycle, uint32_t port, const struct tma_axi_in *i,
                       const struct tma_axi_out *o)
{
	if (o->ar_valid && t->port[port].ar_since == NOT_SEEN)
		t->port[port].ar_since = cycle;
	if (o->aw_valid && t->port[port].aw_since == NOT_SEEN)
		t->port[port].aw_since = cycle;
	if (o->ar_valid && i->ar_ready)
		take_read(t, cycle, port, o);
	if (o->aw_valid && i->aw_ready)
		take_write(t, cycle, port, o);
	if (i->r_valid && o->r_ready)
		take(t, cycle, port, &t->port[port].reads[i->r_id % IDS], i->r_last, i->r_resp);
	if (i->b_valid && o->b_ready)
		take(t, cycle, port, &t->port[port].writes[i->b_id % IDS], true, i->b_resp);
}

void trace_cycle(void *trace, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct trace *t = trace;

	for (uint32_t port = 0; port < t->p->shape->ports; port++)
		port_cycle(t, cycle, port, &in->axi[port], &out->axi[port]);
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
