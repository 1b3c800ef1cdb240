/* SPDX-License-Identifier: Apache-2.0 */
/* A run against the model: every byte, every record, every queue's state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/result.h"
#include "crosscheck/run_model.h"
#include "lib/must.h"
#include "tma_tables.h"

#define PENDING_MASK ((1u << TMA_STATE_PENDING_BITS) - 1)

struct check {
	const struct program *p;
	const struct memory *before;
	const struct result *model, *run;
	char *text;
	size_t room;
	/* What the tensor copy of a victim that faults would leave, NULL: nobody has asked. */
	struct memory *whole[MAX_VICTIMS];
};

#define DIFFERS(c, ...) (snprintf((c)->text, (c)->room, __VA_ARGS__), false)

/*
 * Memories.
 */

static const uint8_t *byte_of(const struct memory *m, int space, uint64_t at)
{
	if (space >= 0)
		return &m->smem[space][at];
	return space == GLOBAL ? &m->global[at] : &m->port[PORT_SPACE(space)][at];
}

static const struct memory *whole(struct check *c, uint8_t victim)
{
	if (c->whole[victim])
		return c->whole[victim];
	c->whole[victim] = must(calloc(1, sizeof(struct memory)));
	whole_copy(c->p, victim, c->before, c->whole[victim]);
	return c->whole[victim];
}

/* May this byte, which a faulted copy was about to write, be what it is? */
static bool either(struct check *c, int cta, uint64_t at, uint8_t value)
{
	for (uint32_t i = 0; i < c->p->num_eithers; i++) {
		const struct either *e = &c->p->eithers[i];
		uint64_t in = at - e->dst;

		if (e->dst_cta != cta || at < e->dst || in >= e->bytes)
			continue;
		if (value == *byte_of(c->before, cta, at))
			return true;
		if (e->tensor)
			return value == *byte_of(whole(c, e->victim), cta, at);
		return e->mask >> at % CHUNK_BYTES & 1 &&
		       (e->src_cta >= 0 || e->src + in < c->before->global_bytes) &&
		       value == *byte_of(c->before, e->src_cta, e->src + in);
	}
	return false;
}

static bool bytes_agree(struct check *c, int cta, uint64_t bytes)
{
	const uint8_t *model = byte_of(&c->model->memory, cta, 0), *run = byte_of(&c->run->memory, cta, 0);

	if (!memcmp(model, run, bytes))
		return true;
	for (uint64_t i = 0; i < bytes; i++) {
		if (model[i] == run[i] || either(c, cta, i, run[i]))
			continue;
		if (cta < GLOBAL)
			return DIFFERS(c, "port %d offset %#llx: model %02x, run %02x, before %02x",
			               PORT_SPACE(cta), (unsigned long long)i, model[i], run[i],
			               c->before->port[PORT_SPACE(cta)][i]);
		if (cta < 0)
			return DIFFERS(
				c, "global memory %#llx (base + %#llx): model %02x, run %02x, before %02x",
				(unsigned long long)(c->p->global_base + i), (unsigned long long)i, model[i],
				run[i], c->before->global[i]);
		return DIFFERS(c, "CTA %d offset %#llx: model %02x, run %02x, before %02x", cta,
		               (unsigned long long)i, model[i], run[i], c->before->smem[cta][i]);
	}
	return true;
}

static const char *image_here(const struct program *p, int cta, uint64_t at)
{
	for (uint32_t i = 0; i < p->num_images; i++)
		if (p->images[i].cta == cta && at >= p->images[i].offset &&
		    at < p->images[i].offset + BARRIER_BYTES)
			return " (a barrier at the start)";
	return "";
}

static bool memories_agree(struct check *c)
{
	for (uint32_t cta = 0; cta < c->p->shape->ctas; cta++) {
		const uint8_t *model = c->model->memory.smem[cta], *run = c->run->memory.smem[cta];
		size_t length, i = 0;

		if (bytes_agree(c, (int)cta, c->p->shape->smem_bytes))
			continue;
		/* The whole word: the byte alone says little of a barrier. */
		while (model[i] == run[i])
			i++;
		length = strlen(c->text);
		snprintf(c->text + length, c->room - length, ", words %016llx, %016llx%s",
		         (unsigned long long)*(const uint64_t *)(model + (i & ~(size_t)7)),
		         (unsigned long long)*(const uint64_t *)(run + (i & ~(size_t)7)),
		         image_here(c->p, (int)cta, i));
		return false;
	}
	for (uint32_t port = 1; port < c->p->shape->ports; port++)
		if (!bytes_agree(c, PORT_SPACE(port), PORT_BYTES))
			return false;
	return bytes_agree(c, GLOBAL, c->p->global_bytes);
}

/*
 * Records.
 */

static bool outcome_allowed(const struct step *s, uint64_t value)
{
	for (uint32_t i = 0; i < s->num_outcomes; i++)
		if (s->outcomes[i] == (value & PENDING_MASK))
			return true;
	return !s->num_outcomes;
}

/* A token looked at has to be the one that its arrive gave, where that wrote a record. */
static bool same_token(const struct check *c, const struct step *s, uint64_t value)
{
	const struct queue_result *q = &c->run->queue[s->queue];
	const struct step *arrive;

	if (s->token_of < 0)
		return true;
	arrive = &c->p->steps[s->token_of];
	for (uint32_t i = 0; i < q->num_records; i++)
		if (q->records[i].sequence == arrive->index && q->records[i].kind == TMA_KIND_ANSWER)
			return (q->records[i].value & PENDING_MASK) == value;
	return true;
}

static bool value_agrees(const struct check *c, const struct step *s, uint64_t model, uint64_t run)
{
	switch (s->rule) {
	case RULE_ANY:
		return run <= 1;
	case RULE_PENDING:
		return (model & ~(uint64_t)PENDING_MASK) == (run & ~(uint64_t)PENDING_MASK) &&
		       outcome_allowed(s, run) && same_token(c, s, run);
	default:
		return model == run;
	}
}

/* Rows of a tensor store or reduction that stand together may be one burst, which answers as a whole: the address is
 * that of its first byte, which the model, where each row is a burst, has in a row before. */
bool result_same_address(const struct program *p, uint32_t queue, uint16_t fault, uint64_t model,
                         uint64_t run)
{
	const struct step *s = program_fault(p, queue);
	bool reads = fault == TMA_FAULT_READ_SLVERR || fault == TMA_FAULT_READ_DECERR;
	bool writes = fault == TMA_FAULT_WRITE_SLVERR || fault == TMA_FAULT_WRITE_DECERR;
	bool store = s && ((s->cmd.opcode == TMA_TENSOR_STORE && writes) ||
	                   (s->cmd.opcode == TMA_TENSOR_REDUCE && (reads || writes)));

	return model == run || (store && run < model && model / PAGE_BYTES == run / PAGE_BYTES);
}

static bool record_agrees(const struct check *c, uint32_t queue, uint32_t index,
                          const struct tma_record *model, const struct tma_record *run)
{
	const struct step *s;

	if (run->sequence >= c->p->queue[queue].steps)
		return DIFFERS(c, "queue %u record %u: sequence %u, which was never submitted", queue, index,
		               run->sequence);
	s = program_step(c->p, queue, run->sequence);
	if (model->sequence == run->sequence && model->kind == run->kind && model->fault == run->fault &&
	    result_same_address(c->p, queue, model->fault, model->address, run->address) &&
	    model->tag == run->tag && model->phase == run->phase && model->queue == run->queue &&
	    value_agrees(c, s, model->value, run->value))
		return true;
	return DIFFERS(
		c,
		"queue %u record %u: model {sequence %u %s fault %#x value %#llx address %#llx tag %#x}, "
		"run {sequence %u %s fault %#x value %#llx address %#llx tag %#x}",
		queue, index, model->sequence, tma_kind_name(model->kind), model->fault,
		(unsigned long long)model->value, (unsigned long long)model->address, model->tag,
		run->sequence, tma_kind_name(run->kind), run->fault, (unsigned long long)run->value,
		(unsigned long long)run->address, run->tag);
}

static bool records_agree(const struct check *c, uint32_t queue)
{
	const struct queue_result *m = &c->model->queue[queue], *r = &c->run->queue[queue];
	uint32_t count = m->num_records < r->num_records ? m->num_records : r->num_records;

	for (uint32_t i = 0; i < count; i++)
		if (!record_agrees(c, queue, i, &m->records[i], &r->records[i]))
			return false;
	if (m->num_records == r->num_records)
		return true;
	if (m->num_records > count)
		return DIFFERS(c, "queue %u: record of sequence %u (%s) is missing", queue,
		               m->records[count].sequence, tma_kind_name(m->records[count].kind));
	return DIFFERS(c, "queue %u: a record too many: sequence %u (%s) value %#llx", queue,
	               r->records[count].sequence, tma_kind_name(r->records[count].kind),
	               (unsigned long long)r->records[count].value);
}

/*
 * State of queues and counters.
 */

/* Steps behind a late fault that may have left the queue. */
static uint32_t maybe_steps(const struct check *c, uint32_t queue)
{
	uint32_t count = 0, index = c->model->queue[queue].head;
	const struct step *fault = program_fault(c->p, queue);

	if (!fault || !fault->late)
		return 0;
	while (index < c->p->queue[queue].steps && program_step(c->p, queue, index)->rule == RULE_MAYBE) {
		count++;
		index++;
	}
	return count;
}

static bool queue_agrees(const struct check *c, uint32_t queue)
{
	const struct queue_result *m = &c->model->queue[queue], *r = &c->run->queue[queue];

	if (r->head - m->head > maybe_steps(c, queue))
		return DIFFERS(c, "queue %u: next sequence is %u in the model, %u in the run", queue, m->head,
		               r->head);
	if (m->fault != r->fault || m->fault_count != r->fault_count)
		return DIFFERS(c, "queue %u: fault %#x (%u seen) in the model, %#x (%u seen) in the run",
		               queue, m->fault, m->fault_count, r->fault, r->fault_count);
	if (m->fault && (m->fault_sequence != r->fault_sequence || m->fault_tag != r->fault_tag ||
	                 !result_same_address(c->p, queue, m->fault, m->fault_address, r->fault_address)))
		return DIFFERS(c,
		               "queue %u: fault registers {sequence %u tag %#x address %#llx} in the model, "
		               "{%u %#x %#llx} in the run",
		               queue, m->fault_sequence, m->fault_tag, (unsigned long long)m->fault_address,
		               r->fault_sequence, r->fault_tag, (unsigned long long)r->fault_address);
	return true;
}

/* Of tensor prefetches that leave the windows the engine counts bursts, which may be several rows, and beats
 * that fail; the model counts rows, in parts that end with pages. A row begins and ends in any byte of a
 * beat, and is at most as long as a page. */
static void allow_prefetch_errors(const struct check *c, uint64_t *least, uint64_t *most)
{
	for (uint32_t i = 0; i < c->p->num_steps; i++) {
		const struct step *s = &c->p->steps[i];
		const struct tensor_span *span;
		uint64_t parts;

		if (s->cmd.opcode != TMA_TENSOR_PREFETCH || s->tensor < 0)
			continue;
		span = &c->p->tensors[s->tensor].span;
		if (span->fits)
			continue;
		parts = UINT64_C(2) * span->rows;
		*least -= *least < parts ? *least : parts;
		*most += span->inside / c->p->shape->data_bytes + parts;
	}
}

static bool counters_agree(const struct check *c)
{
	uint64_t least[COUNTED], most[COUNTED];

	if (!c->run->counters_known)
		return true;
	for (uint32_t i = 0; i < COUNTED; i++)
		least[i] = most[i] = c->model->counters[i];
	for (uint32_t i = 0; i < c->p->num_victims; i++) {
		most[COUNTED_COMMANDS] += maybe_steps(c, c->p->victims[i].queue);
		/* A signal that faults may count. */
		most[COUNTED_SIGNALS] += c->p->steps[c->p->victims[i].step].late;
	}
	allow_prefetch_errors(c, &least[COUNTED_PREFETCH_ERRORS], &most[COUNTED_PREFETCH_ERRORS]);
	/* What the guest has done comes on top. */
	for (uint32_t i = 0; i < COUNTED && c->p->guest.on; i++)
		most[i] = UINT64_MAX;
	for (uint32_t i = 0; i < COUNTED; i++)
		if (c->run->counters[i] < least[i] || c->run->counters[i] > most[i])
			return DIFFERS(c, "COUNTER[%u]: %llu, should be %llu..%llu", counted[i],
			               (unsigned long long)c->run->counters[i], (unsigned long long)least[i],
			               (unsigned long long)most[i]);
	return true;
}

/*
 * What the SMs have read, in the moment in which they read it.
 */

static bool read_agrees(const struct check *c, uint32_t cta, uint32_t index)
{
	const struct sm_act *a = &c->p->sm[cta].act[index];

	for (uint32_t i = 0; a->kind == SM_READ && i < a->chunks * CHUNK_BYTES; i++) {
		uint8_t model = c->model->sm[cta][a->at + i], run = c->run->sm[cta][a->at + i];

		if (a->mask >> i % CHUNK_BYTES & 1 && model != run)
			return DIFFERS(c, "the SM of CTA %u, act %u, reads at %#x: model %02x, run %02x", cta,
			               index, a->chunk[i / CHUNK_BYTES] * CHUNK_BYTES + i % CHUNK_BYTES,
			               model, run);
	}
	return true;
}

static bool reads_agree(const struct check *c)
{
	for (uint32_t cta = 0; cta < c->p->shape->ctas; cta++)
		for (uint32_t i = 0; i < c->p->sm[cta].num; i++)
			if (!read_agrees(c, cta, i))
				return false;
	return true;
}

bool result_agrees(const struct program *p, const struct memory *before, const struct result *model,
                   const struct result *run, char *text, size_t room)
{
	struct check c = { p, before, model, run, text, room, { NULL } };
	bool good;

	if (!reads_agree(&c))
		return false;
	for (uint32_t q = 0; q < p->shape->queues; q++)
		if (!records_agree(&c, q) || !queue_agrees(&c, q))
			return false;
	good = memories_agree(&c) && counters_agree(&c);
	for (uint32_t i = 0; i < MAX_VICTIMS; i++) {
		if (c.whole[i])
			memory_free(c.whole[i]);
		free(c.whole[i]);
	}
	return good;
}

bool result_memories_agree(const struct program *p, const struct memory *model, const struct memory *run,
                           char *text, size_t room)
{
	struct result m = { .memory = *model }, r = { .memory = *run };
	struct program exact = *p;
	struct check c = { &exact, model, &m, &r, text, room, { NULL } };

	/* No byte is free any more. */
	exact.num_eithers = 0;
	return memories_agree(&c);
}
