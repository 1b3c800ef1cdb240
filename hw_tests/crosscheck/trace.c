/* SPDX-License-Identifier: Apache-2.0 */
/* From pins to steps. */
#include "crosscheck/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDS             32
#define CLIENT_SHIFT    2 /* AXI id: client, channel */
#define CLIENT_PREFETCH 1
#define CLIENT_RING     3
#define MAX_FLIGHT      1024

/* Bursts of one id, oldest first. */
struct flight {
	uint32_t step[MAX_FLIGHT];
	uint32_t head, count;
};

struct trace {
	const struct program *p;
	struct seen *seen;
	struct flight reads[IDS], writes[IDS];
	uint64_t ar_since, aw_since; /* first cycle of the burst on the pins, NOT_SEEN: none */
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
	t->ar_since = NOT_SEEN;
	t->aw_since = NOT_SEEN;
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
	free(t);
}

struct seen *trace_seen(struct trace *t)
{
	return t->seen;
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
	uint64_t addr;
	uint32_t beats;
	uint8_t opcode; /* of commands that it may belong to */
	uint8_t qos;
	uint16_t user;
};

/* Beats of the step's next burst: to the end of the page or of the operand. */
static uint32_t next_beats(const struct trace *t, uint32_t step, uint64_t *addr, uint32_t *bytes)
{
	const struct step *s = &t->p->steps[step];
	uint32_t data_bytes = t->p->shape->data_bytes, done = t->seen[step].bytes;
	uint64_t at = s->cmd.global_address + done;
	uint32_t to_page = PAGE_BYTES - (uint32_t)(at % PAGE_BYTES), skew = (uint32_t)(at % data_bytes);

	*bytes = s->cmd.size - done < to_page ? s->cmd.size - done : to_page;
	*addr = at - skew;
	return (skew + *bytes + data_bytes - 1) / data_bytes;
}

static uint64_t policy_of(const struct step *s)
{
	return s->cmd.flags & TMA_FLAG_CACHE_HINT ? s->cmd.policy >> 56 : 0;
}

/* Does the step still need just this burst? */
static bool wants(const struct trace *t, uint32_t step, const struct burst *b, uint32_t *bytes)
{
	const struct step *s = &t->p->steps[step];
	uint64_t addr, policy = (uint64_t)b->qos << 4 | (b->user & 15);
	uint32_t beats;

	if (s->cmd.opcode != b->opcode || t->p->queue[s->queue].stream != b->user >> 8 ||
	    policy_of(s) != policy || (s->fault && !t->p->late) || s->rule == RULE_NEVER ||
	    (s->cmd.flags & TMA_FLAG_MULTICAST && !s->cmd.cta_mask) || t->seen[step].bytes == s->cmd.size)
		return false;
	beats = next_beats(t, step, &addr, bytes);
	return addr == b->addr && beats == b->beats;
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

/* The oldest step that waits for this burst gets it. */
static void give(struct trace *t, uint64_t cycle, uint64_t since, const struct burst *b, struct flight *f)
{
	uint32_t bytes = 0, i = 0;

	while (i < t->p->num_steps && !wants(t, i, b, &bytes))
		i++;
	if (i == t->p->num_steps) {
		FAIL(t, "cycle %llu: %s burst of %u beats at %#llx, user %#x, qos %u belongs to no command",
		     (unsigned long long)cycle, tma_opcode_name(b->opcode), b->beats,
		     (unsigned long long)b->addr, b->user, b->qos);
	} else {
		if (!t->seen[i].asked++)
			t->seen[i].first = since;
		t->seen[i].newest = since;
		t->seen[i].bytes += bytes;
	}
	push(t, cycle, f, i);
}

/* A beat of a read, or the response of a write. */
static void take(struct trace *t, uint64_t cycle, struct flight *f, bool last, uint8_t resp)
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
	t->seen[step].done++;
	t->seen[step].last = cycle;
}

void trace_cycle(void *trace, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	const struct tma_axi_out *o = &out->axi[0];
	const struct tma_axi_in *i = &in->axi[0];
	struct trace *t = trace;

	if (o->ar_valid && t->ar_since == NOT_SEEN)
		t->ar_since = cycle;
	if (o->aw_valid && t->aw_since == NOT_SEEN)
		t->aw_since = cycle;
	if (o->ar_valid && i->ar_ready && o->ar_id >> CLIENT_SHIFT == CLIENT_RING) {
		t->ar_since = NOT_SEEN;
	} else if (o->ar_valid && i->ar_ready) {
		struct burst b = { o->ar_addr, o->ar_len + 1u,
			           o->ar_id >> CLIENT_SHIFT == CLIENT_PREFETCH ? TMA_BULK_PREFETCH
			                                                       : TMA_BULK_LOAD,
			           o->ar_qos, o->ar_user };

		give(t, cycle, t->ar_since, &b, &t->reads[o->ar_id % IDS]);
		t->ar_since = NOT_SEEN;
	}
	if (o->aw_valid && i->aw_ready && is_record(t, o->aw_addr)) {
		push(t, cycle, &t->writes[o->aw_id % IDS], t->p->num_steps);
		t->aw_since = NOT_SEEN;
	} else if (o->aw_valid && i->aw_ready) {
		struct burst b = { o->aw_addr, o->aw_len + 1u, TMA_BULK_STORE, o->aw_qos, o->aw_user };

		give(t, cycle, t->aw_since, &b, &t->writes[o->aw_id % IDS]);
		t->aw_since = NOT_SEEN;
	}
	if (i->r_valid && o->r_ready)
		take(t, cycle, &t->reads[i->r_id % IDS], i->r_last, i->r_resp);
	if (i->b_valid && o->b_ready)
		take(t, cycle, &t->writes[i->b_id % IDS], true, i->b_resp);
}

void trace_command(void *trace, uint64_t cycle, uint32_t queue, uint32_t index, const struct tma_command *cmd)
{
	struct trace *t = trace;

	(void)cmd;
	t->seen[t->p->by_queue[queue][index]].accepted = cycle;
}

void trace_record(void *trace, uint64_t cycle, const struct tma_record *record)
{
	struct trace *t = trace;
	struct seen *s;

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
