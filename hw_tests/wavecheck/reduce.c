/* SPDX-License-Identifier: Apache-2.0 */
/* Bursts of reductions: who asks for old data, and whose data it is when a burst is written. */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/check.h"

#define NONE         SIZE_MAX
#define PAGE         4096u
#define REDUCE_BEATS 16u

bool reduce_is_global(uint8_t opcode)
{
	return opcode == TMA_BULK_REDUCE || opcode == TMA_MULTIMEM_BULK_REDUCE || opcode == TMA_TENSOR_REDUCE;
}

bool reduce_is(uint8_t opcode)
{
	return reduce_is_global(opcode) || opcode == TMA_BULK_REDUCE_SHARED;
}

static size_t now(const struct check *c)
{
	return (size_t)(c->now - c->log->events);
}

static uint32_t now_bytes(const struct check *c)
{
	return (c->now->burst.len + 1u) * c->shape.data_bytes;
}

uint32_t reduce_burst_bytes(const struct check *c, const struct copy *copy, uint64_t offset)
{
	uint32_t piece = REDUCE_BEATS * c->shape.data_bytes;
	uint32_t to_end = piece - (uint32_t)(copy_address(copy, offset) % piece);
	uint64_t left = copy_left(copy, offset);

	return to_end < left ? to_end : (uint32_t)left;
}

/* Does the burst of now begin at this offset? */
static bool is_here(const struct check *c, const struct copy *copy, int path, uint64_t offset)
{
	return c->now->addr == multimem_on_port(c, copy, (uint32_t)path, copy_address(copy, offset)) &&
	       reduce_burst_bytes(c, copy, offset) == now_bytes(c);
}

/* Is the page of this offset on the port? */
static bool on_port(const struct check *c, const struct copy *copy, int path, uint64_t offset)
{
	const struct tma_multimem *w = multimem_window(c, copy_address(copy, offset));

	return !copy->multimem || (w && w->ports >> port_of_path((unsigned)path) & 1);
}

/* The copy's next burst like that of now, from `offset` on, or its end. Without `any`, one of several beats is not
 * passed over: only a line can follow another one. Not `mine`: none is like it. */
static uint64_t look(const struct check *c, const struct copy *copy, int path, uint64_t offset, bool mine,
                     bool any)
{
	while (offset < copy->allowed) {
		uint32_t bytes = reduce_burst_bytes(c, copy, offset);

		if (on_port(c, copy, path, offset)) {
			if (mine && is_here(c, copy, path, offset))
				return offset;
			if (!any && bytes > c->shape.data_bytes)
				return UINT64_MAX;
		}
		offset += bytes;
	}
	return copy->allowed;
}

bool reduce_goes_on(const struct check *c, const struct copy *copy, int path)
{
	return copy->store && copy->reduces && copy->failed &&
	       look(c, copy, path, copy->covered[path], true, true) < copy->allowed;
}

void reduce_seek(const struct check *c, struct copy *copy, int path)
{
	if (reduce_goes_on(c, copy, path))
		copy->covered[path] = look(c, copy, path, copy->covered[path], true, true);
}

/* Copies of a queue in order: the one that the path is at, also when it failed and may have bursts to come, then those
 * that wait. */
static struct copy *copy_number(const struct check *c, const struct queue *q, int path, size_t i)
{
	struct copy *current = c->current[path];

	if (current && &c->queues[current->queue] == q && (!current->done || current->failed) && i-- == 0)
		return current;
	i += q->first_pending[path];
	return i < q->num_pending[path] ? q->pending[path][i] : NULL;
}

static bool asks_like_it(const struct check *c, const struct copy *copy)
{
	uint64_t policy = copy->command.policy;

	return c->now->burst.qos == policy >> 60 && (c->now->burst.user & 0xff) == (policy >> 56 & 0xf);
}

/* How to look for who reads: in order, lines passed over, which may follow; all passed over; also who would ask
 * otherwise, with other hints. */
enum search { IN_ORDER, ANYWHERE, ANYHOW };

/* Of several of a queue it is the first. */
static struct copy *asks_in(const struct check *c, const struct queue *q, int path, enum search how,
                            uint64_t *offset)
{
	unsigned port = port_of_path((unsigned)path);
	struct copy *copy;

	for (size_t i = 0; (copy = copy_number(c, q, path, i)); i++) {
		uint64_t from = copy->covered[path];

		if (copy->asked[port] > from)
			from = copy->asked[port];
		*offset = look(c, copy, path, from, how == ANYHOW || asks_like_it(c, copy),
		               how == ANYWHERE || copy->failed || copy->doubtful);
		if (*offset < copy->allowed)
			return copy;
		if (*offset == UINT64_MAX)
			return NULL;
	}
	return NULL;
}

static struct copy *asks(const struct check *c, int path, enum search how, uint64_t *offset)
{
	struct copy *best = NULL;

	for (uint32_t i = 0; i < c->shape.queues; i++) {
		const struct queue *q = &c->queues[i];
		uint64_t at;
		struct copy *copy;

		if (q->config.stream != c->now->burst.user >> 8)
			continue;
		copy = asks_in(c, q, path, how, &at);
		if (copy && (!best || copy->index < best->index)) {
			best = copy;
			*offset = at;
		}
	}
	return best;
}

/* All up to it have gone: they are asked for in order. */
static void note_asked(const struct check *c, const struct copy *copy, int path, uint64_t offset)
{
	const struct queue *q = &c->queues[copy->queue];
	unsigned port = port_of_path((unsigned)path);
	struct copy *gone;

	for (size_t i = 0; (gone = copy_number(c, q, path, i)) && gone != copy; i++)
		gone->asked[port] = gone->allowed;
	if (gone)
		gone->asked[port] = offset + now_bytes(c);
}

/* No reduction may ask for it. */
static _Noreturn void refuse(const struct check *c, int path)
{
	uint64_t offset;
	const struct copy *later = asks(c, path, ANYWHERE, &offset), *waiting = burst_awaited(c, path);

	if (later)
		differ(c, P_m_axi_arvalid_o, c->now->unit,
		       "old data at 0x%llx for %s: a read before it is missing",
		       (unsigned long long)c->now->addr, name_copy(later));
	if (!waiting)
		differ(c, P_m_axi_arid_o, c->now->unit,
		       "id %u of a reduction, at 0x%llx, but none waits to read", c->now->id,
		       (unsigned long long)c->now->addr);
	differ(c, P_m_axi_araddr_o, c->now->unit,
	       "old data at 0x%llx, %u beats, that no reduction asks for; the oldest is %s",
	       (unsigned long long)c->now->addr, c->now->burst.len + 1u, name_copy(waiting));
}

void reduce_read_address(struct check *c)
{
	unsigned port = c->now->unit;
	int path = REDUCES + (int)port;
	struct reduce_port *r = &c->reduce[port];
	uint64_t offset = 0;
	struct copy *copy = asks(c, path, IN_ORDER, &offset);

	while (!copy && (queue_prove_by(c, address_begins, path) || queue_release_burst(c)))
		copy = asks(c, path, IN_ORDER, &offset);
	if (!copy)
		copy = asks(c, path, ANYHOW, &offset);
	if (!copy)
		refuse(c, path);
	note_asked(c, copy, path, offset);
	address_attributes(c, READS, copy->queue, (uint8_t)(copy->command.policy >> 60),
	                   copy->command.policy >> 56 & 0xf);
	say(c, "old     0x%llx, %u beats: %s", (unsigned long long)c->now->addr, c->now->burst.len + 1u,
	    name_copy(copy));
	if (r->first_read == r->num_reads)
		r->first_read = r->num_reads = 0;
	r->reads = grow(r->reads, r->num_reads, &r->reads_capacity, sizeof(*r->reads));
	r->reads[r->num_reads++] = (struct reduce_read){ .copy = copy,
		                                         .offset = offset,
		                                         .address = c->now->addr,
		                                         .event = now(c),
		                                         .info = c->now->burst,
		                                         .beats = c->now->burst.len + 1u,
		                                         .data = allocate(now_bytes(c)) };
	c->bursts++;
}

/* Nothing of the burst is written. */
static void fail_read(struct check *c, struct reduce_port *r, struct reduce_read *read)
{
	uint16_t code = c->now->resp == 2 ? TMA_FAULT_READ_SLVERR : TMA_FAULT_READ_DECERR;

	if (read->failed)
		return;
	read->failed = true;
	r->bad = grow(r->bad, r->num_bad, &r->bad_capacity, sizeof(*r->bad));
	r->bad[r->num_bad].line = read->address;
	r->bad[r->num_bad++].fault = code;
	write_fail_first(c, read->copy, read->offset, code);
}

void reduce_read_data(struct check *c)
{
	unsigned port = c->now->unit;
	struct reduce_port *r = &c->reduce[port];
	struct reduce_read *read = NULL;
	uint32_t width = c->shape.data_bytes;

	for (size_t i = r->first_read; i < r->num_reads && !read; i++)
		if (r->reads[i].seen < r->reads[i].beats)
			read = &r->reads[i];
	if (!read) {
		const struct copy *waiting = burst_awaited(c, REDUCES + (int)port);

		if (waiting)
			differ(c, P_m_axi_arvalid_o, port,
			       "old data that nobody has asked for: a read of %s is missing",
			       name_copy(waiting));
		differ(c, P_m_axi_rvalid_i, port, "old data that nobody has asked for");
	}
	if (c->now->last != (read->seen + 1 == read->beats))
		differ(c, P_m_axi_rlast_i, port, "beat %u of %u of the burst at 0x%llx", read->seen + 1,
		       read->beats, (unsigned long long)read->address);
	if (c->now->resp >= 2)
		fail_read(c, r, read);
	memcpy(read->data + read->seen++ * width, event_data(c), width);
}

/* Bytes that the burst writes. */
static void find_changes(const struct check *c, struct reduce_write *w, uint64_t offset)
{
	uint32_t i;

	for (uint32_t b = 0; b < w->beats * c->shape.data_bytes; b++)
		w->changes[b] = copy_byte(w->copy, offset + b, &i);
}

/* Do both change a byte? All: does the first one change every byte that the second one does? */
static bool meets(const struct check *c, const struct reduce_write *a, const struct reduce_write *b, bool all)
{
	uint32_t width = c->shape.data_bytes;
	uint64_t at = a->address > b->address ? a->address : b->address;

	/* By distances: behind the last byte of memory comes the first. */
	for (; at - a->address < a->beats * width && at - b->address < b->beats * width; at++)
		if (b->changes[at - b->address] && all != (bool)a->changes[at - a->address])
			return !all;
	return all;
}

/* The youngest burst before it that changes bytes of it, of those that may be in flight since `cycle`. */
static size_t youngest(const struct check *c, const struct reduce_port *r, const struct reduce_write *w,
                       uint32_t cycle)
{
	for (size_t i = r->num_writes - 1; i-- > 0;) {
		if (r->writes[i].answered != NONE && r->writes[i].answered_cycle < cycle)
			return NONE;
		if (meets(c, &r->writes[i], w, false))
			return i;
	}
	return NONE;
}

static bool may_follow(const struct check *c, const struct reduce_write *before, const struct reduce_write *w)
{
	return w->beats == 1 && before && before->beats == 1 && before->address == w->address &&
	       meets(c, before, w, true);
}

static bool fits_read(const struct reduce_read *read, const struct reduce_write *w)
{
	return read->data && read->address == w->address && read->beats == w->beats;
}

/* A burst is written as it was read. */
static bool is_alike(const struct burst_info *a, const struct burst_info *b)
{
	return a->prot == b->prot && a->qos == b->qos && a->user == b->user;
}

static void take_read(struct check *c, struct reduce_read *read, struct reduce_write *w)
{
	for (uint32_t i = 0; c->private_memory && i < w->beats * c->shape.data_bytes; i++)
		if (w->changes[i])
			gmem_check(c, w->address + i, read->data[i]);
	memcpy(w->data, read->data, w->beats * c->shape.data_bytes);
}

static _Noreturn void lost(const struct check *c, const struct reduce_write *w,
                           const struct reduce_write *other)
{
	differ(c, P_m_axi_awaddr_o, c->now->unit,
	       "old data at 0x%llx for %s was asked for before the write of %s was answered: an update is lost",
	       (unsigned long long)w->address, name_copy(w->copy), name_copy(other->copy));
}

/* Where the old data of the last burst comes from: its read, or the burst that it follows. */
static void find_old(struct check *c, struct reduce_port *r)
{
	struct reduce_write *w = &r->writes[r->num_writes - 1], *before;
	uint32_t cycle = w->copy->cycle;
	struct reduce_read *read;
	bool fits, follows;
	size_t i;

	while (r->first_read < r->num_reads && r->reads[r->first_read].failed &&
	       r->reads[r->first_read].seen == r->reads[r->first_read].beats) {
		free(r->reads[r->first_read].data);
		r->first_read++;
	}
	read = r->first_read < r->num_reads ? &r->reads[r->first_read] : NULL;
	fits = read && !read->failed && fits_read(read, w) && is_alike(&read->info, &c->now->burst);
	if (fits && c->log->events[read->event].cycle < cycle)
		cycle = c->log->events[read->event].cycle;
	i = youngest(c, r, w, cycle);
	before = i == NONE ? NULL : &r->writes[i];
	follows = may_follow(c, before, w);
	if (fits && read->seen == read->beats && !(before && before->answered > read->event)) {
		take_read(c, read, w);
		free(r->loan.data);
		r->loan = (struct reduce_read){ 0 };
		if (follows)
			r->loan = *read;
		else
			free(read->data);
		r->first_read++;
	} else if (follows) {
		w->follows = i;
	} else if (fits_read(&r->loan, w) && is_alike(&r->loan.info, &c->now->burst)) {
		take_read(c, &r->loan, w);
		free(r->loan.data);
		r->loan = (struct reduce_read){ 0 };
	} else if (fits && before && before->answered > read->event) {
		lost(c, w, before);
	} else if (fits) {
		differ(c, P_m_axi_awvalid_o, c->now->unit,
		       "%s writes at 0x%llx, but only %u of %u beats of old data were seen",
		       name_copy(w->copy), (unsigned long long)w->address, read->seen, read->beats);
	} else {
		differ(c, P_m_axi_arvalid_o, c->now->unit, "%s writes at 0x%llx what it has not read",
		       name_copy(w->copy), (unsigned long long)w->address);
	}
}

void reduce_write_address(struct check *c, struct burst *b)
{
	struct reduce_port *r = &c->reduce[c->now->unit];
	uint32_t bytes = now_bytes(c);
	struct reduce_write *w;

	r->writes = grow(r->writes, r->num_writes, &r->writes_capacity, sizeof(*r->writes));
	b->reduction = r->num_writes++;
	w = &r->writes[b->reduction];
	*w = (struct reduce_write){ .copy = b->copy,
		                    .address = c->now->addr,
		                    .beats = c->now->burst.len + 1u,
		                    .changes = allocate(bytes),
		                    .data = allocate(bytes),
		                    .follows = NONE,
		                    .answered = NONE };
	find_changes(c, w, b->offset);
	find_old(c, r);
}

void reduce_response(struct check *c)
{
	struct reduce_port *r = &c->reduce[c->now->unit];
	struct reduce_write *w = &r->writes[r->num_answered++];

	w->answered = now(c);
	w->answered_cycle = c->now->cycle;
}

/* Does the address lie in a line whose old data came with this error? */
static bool is_bad(const struct check *c, const struct copy *copy, uint64_t address, uint16_t fault)
{
	uint64_t line = address - address % c->shape.data_bytes;

	for (unsigned p = 0; p < c->shape.ports; p++) {
		const struct reduce_port *r = &c->reduce[p];
		uint32_t path = REDUCES + p;

		for (size_t i = 0; i < r->num_bad && copy->paths >> path & 1; i++)
			if (r->bad[i].fault == fault &&
			    r->bad[i].line == multimem_on_port(c, copy, path, line))
				return true;
	}
	return false;
}

bool reduce_explains(struct check *c, const struct tma_record *seen)
{
	for (size_t i = c->first_open; i < c->num_copies; i++) {
		struct copy *copy = c->copies[i];

		if (!copy->store || !copy->reduces || copy->queue != seen->queue ||
		    copy->sequence != seen->sequence || copy->life != c->queues[copy->queue].life ||
		    !is_bad(c, copy, seen->address, seen->fault))
			continue;
		copy->failed = true;
		queue_late_fault(c, copy, seen->fault, seen->address);
		return true;
	}
	return false;
}

void reduce_check_idle(struct check *c)
{
	for (unsigned p = 0; p < c->shape.ports; p++)
		for (size_t i = c->reduce[p].first_read; i < c->reduce[p].num_reads; i++)
			if (!c->reduce[p].reads[i].failed)
				differ(c, P_m_axi_awvalid_o, p,
				       "the engine says idle, but old data at 0x%llx for %s was read and not written",
				       (unsigned long long)c->reduce[p].reads[i].address,
				       name_copy(c->reduce[p].reads[i].copy));
}

void reduce_forget(struct check *c, unsigned port)
{
	struct reduce_port *r = &c->reduce[port];

	for (size_t i = r->first_read; i < r->num_reads; i++)
		free(r->reads[i].data);
	for (size_t i = 0; i < r->num_writes; i++) {
		free(r->writes[i].changes);
		free(r->writes[i].data);
	}
	free(r->loan.data);
	r->loan = (struct reduce_read){ 0 };
	r->first_read = r->num_reads = r->num_writes = r->num_answered = r->num_bad = 0;
}

void reduce_close(struct check *c)
{
	for (unsigned p = 0; p < DUMP_MAX_PORTS; p++) {
		reduce_forget(c, p);
		free(c->reduce[p].reads);
		free(c->reduce[p].writes);
		free(c->reduce[p].bad);
	}
}
