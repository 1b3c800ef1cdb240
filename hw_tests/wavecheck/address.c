/* SPDX-License-Identifier: Apache-2.0 */
/* Which command a burst belongs to, and whether its address channel says what the command asks for. */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/box.h"
#include "wavecheck/check.h"

#define PAGE         4096u
#define AXI_INCR     1
#define POLICY_QOS   60
#define POLICY_CACHE 56

void burst_push(struct burst_fifo *f, struct burst burst)
{
	if (f->head == f->count)
		f->head = f->count = 0;
	f->bursts = grow(f->bursts, f->count, &f->capacity, sizeof(*f->bursts));
	f->bursts[f->count++] = burst;
}

struct burst *burst_head(struct burst_fifo *f)
{
	return f->head < f->count ? &f->bursts[f->head] : NULL;
}

void burst_pop(struct burst_fifo *f)
{
	f->head++;
}

/* The signals of one address channel. */
struct channel {
	enum port valid, addr, len, size, burst, cache, prot, qos, user;
};

static const struct channel channels[] = {
	{ P_m_axi_arvalid_o, P_m_axi_araddr_o, P_m_axi_arlen_o, P_m_axi_arsize_o, P_m_axi_arburst_o,
	  P_m_axi_arcache_o, P_m_axi_arprot_o, P_m_axi_arqos_o, P_m_axi_aruser_o },
	{ P_m_axi_awvalid_o, P_m_axi_awaddr_o, P_m_axi_awlen_o, P_m_axi_awsize_o, P_m_axi_awburst_o,
	  P_m_axi_awcache_o, P_m_axi_awprot_o, P_m_axi_awqos_o, P_m_axi_awuser_o },
};

/* As the port has it. */
static uint64_t next_address(const struct check *c, const struct copy *copy, int d)
{
	return multimem_on_port(c, copy, (uint32_t)d, copy_address(copy, copy->covered[d]));
}

static uint32_t burst_bytes(const struct check *c)
{
	return (c->now->burst.len + 1u) * c->shape.data_bytes;
}

/* Bytes of the copy's next burst if it is cut at the page, and at the end of its row, alone. */
static uint32_t next_bytes(const struct check *c, const struct copy *copy, int d)
{
	uint32_t to_page = PAGE - (uint32_t)(next_address(c, copy, d) % PAGE);
	uint64_t left = copy_left(copy, copy->covered[d]);

	return to_page < left ? to_page : (uint32_t)left;
}

static bool fits(const struct check *c, const struct copy *copy, int d)
{
	return c->now->burst.user >> 8 == c->queues[copy->queue].config.stream &&
	       (c->now->addr == next_address(c, copy, d) || reduce_goes_on(c, copy, d));
}

/* The first copies of the queues that may begin here; the rule for several is in check.h. */
static struct copy *first_of_a_copy(struct check *c, int d)
{
	struct copy *best = d == READS ? hint_find(c) : NULL;

	for (uint32_t i = 0; !best && i < c->shape.queues; i++) {
		struct queue *q = &c->queues[i];
		size_t p = q->first_pending[d];
		struct copy *copy;
		bool exact;

		/* What may not have run at all may be passed over. */
		while (p < q->num_pending[d] && !fits(c, q->pending[d][p], d) &&
		       (q->pending[d][p]->doubtful || q->pending[d][p]->failed))
			p++;
		if (p == q->num_pending[d] || !fits(c, q->pending[d][p], d))
			continue;
		copy = q->pending[d][p];
		exact = next_bytes(c, copy, d) == burst_bytes(c);
		if (!best || (exact && next_bytes(c, best, d) != burst_bytes(c)) ||
		    (exact == (next_bytes(c, best, d) == burst_bytes(c)) && copy->index < best->index))
			best = copy;
	}
	return best;
}

bool address_begins(struct check *c, uint32_t queue, const struct tma_command *command, int d)
{
	uint64_t first = command->global_address - command->global_address % c->shape.data_bytes;
	const struct tma_multimem *w;

	if (tensor_is(command->opcode))
		return d == (command->opcode == TMA_TENSOR_STORE    ? WRITES
		             : command->opcode == TMA_TENSOR_REDUCE ? REDUCES
		                                                    : TENSOR_READS) &&
		       tensor_begins(c, queue, command, c->now->addr);
	switch (command->opcode) {
	case TMA_BULK_LOAD:
	case TMA_BULK_PREFETCH:
	case TMA_CP_ASYNC:
		return d == READS && first == c->now->addr;
	case TMA_BULK_STORE:
		return d == WRITES && first == c->now->addr;
	case TMA_BULK_REDUCE:
		return d == REDUCES && first == c->now->addr;
	case TMA_MULTIMEM_BULK_STORE:
	case TMA_MULTIMEM_BULK_REDUCE:
		if ((d >= REDUCES) != (command->opcode == TMA_MULTIMEM_BULK_REDUCE))
			return false;
		w = multimem_window(c, first);
		return !is_reads(d) && (d != WRITES || c->shape.ports == 1) && w &&
		       w->ports >> port_of_path((unsigned)d) & 1 &&
		       w->port_base[port_of_path((unsigned)d)] + (first - w->base) == c->now->addr;
	default:
		return false;
	}
}

static void remove_pending(struct check *c, struct copy *copy, int d)
{
	struct queue *q = &c->queues[copy->queue];

	while (q->first_pending[d] < q->num_pending[d]) {
		struct copy *first = q->pending[d][q->first_pending[d]++];

		if (first == copy)
			return;
		if (!first->done)
			copy_abandon(c, first);
	}
}

/* The oldest copy that waits for a burst: the one to name when a burst is missing. */
static const struct copy *oldest(const struct check *c, int d)
{
	const struct copy *old = NULL;

	for (uint32_t i = 0; i < c->shape.queues; i++) {
		const struct queue *q = &c->queues[i];

		if (q->first_pending[d] < q->num_pending[d]) {
			const struct copy *copy = q->pending[d][q->first_pending[d]];

			if (!old || copy->index < old->index)
				old = copy;
		}
	}
	return old;
}

const struct copy *burst_awaited(const struct check *c, int path)
{
	const struct copy *copy = c->current[path];

	if (!copy || copy->covered[path] >= copy->allowed)
		copy = oldest(c, path);
	return copy || path != READS ? copy : hint_awaited(c);
}

/* No copy begins here. Is it one that should come later, so that a burst is missing? */
static _Noreturn void refuse(struct check *c, int d)
{
	const struct channel *ch = &channels[!is_reads(d)];
	const struct copy *old = oldest(c, d);

	if (d == WRITES)
		completion_refuse(c);
	for (uint32_t i = 0; i < c->shape.queues; i++)
		for (size_t p = c->queues[i].first_pending[d]; p < c->queues[i].num_pending[d]; p++) {
			const struct copy *later = c->queues[i].pending[d][p];

			if (later != old && fits(c, later, d))
				differ(c, ch->valid, c->now->unit, "a burst is missing: %s before %s",
				       name_copy(old), name_copy(later));
		}
	if (!old && d == READS)
		old = hint_awaited(c);
	if (!old)
		differ(c, ch->valid, c->now->unit, "a burst at 0x%llx that belongs to no command",
		       (unsigned long long)c->now->addr);
	if (old->tensor && !old->begun && c->now->burst.user >> 8 == c->queues[old->queue].config.stream)
		map_check_begin(c, old, ch->valid);
	if (c->now->addr == next_address(c, old, d))
		differ(c, ch->user, c->now->unit, "stream %u, but %s has stream %u", c->now->burst.user >> 8,
		       name_copy(old), c->queues[old->queue].config.stream);
	differ(c, ch->addr, c->now->unit,
	       "a burst at 0x%llx that belongs to no command; next is %s at 0x%llx",
	       (unsigned long long)c->now->addr, name_copy(old), (unsigned long long)next_address(c, old, d));
}

/* Is it a burst that the copy has later? */
static bool is_ahead(const struct check *c, const struct copy *copy, int d)
{
	const struct tensor *t = copy->tensor;

	if (!t)
		return c->now->addr - next_address(c, copy, d) < copy->span - copy->covered[d];
	for (const struct part *p = t->parts; p < t->parts + t->num_parts; p++)
		if (p->start > copy->covered[d] && p->address - p->lead == c->now->addr)
			return true;
	return false;
}

/* Of port 0, the lane that the burst may be of; of other ports there is one. */
int address_path(struct check *c, unsigned port)
{
	const struct copy *plain = c->current[WRITES], *spread = c->current[SPREAD];
	bool open = plain && plain->covered[WRITES] < plain->allowed, inside;

	if (port || c->shape.ports == 1)
		return WRITES + (int)port;
	if (spread && spread->covered[SPREAD] < spread->allowed && fits(c, spread, SPREAD))
		return SPREAD;
	inside = open && !plain->failed && !plain->doubtful;
	if ((open && fits(c, plain, WRITES)) ||
	    (!inside && (first_of_a_copy(c, WRITES) ||
	                 (queue_prove_by(c, address_begins, WRITES) && first_of_a_copy(c, WRITES)))))
		return WRITES;
	if (first_of_a_copy(c, SPREAD) ||
	    (queue_prove_by(c, address_begins, SPREAD) && first_of_a_copy(c, SPREAD)))
		return SPREAD;
	while (queue_release_burst(c)) {
		if (!inside && first_of_a_copy(c, WRITES))
			return WRITES;
		if (first_of_a_copy(c, SPREAD))
			return SPREAD;
	}
	return WRITES;
}

/* Loads have ids of their kind. Prefetches do not: the one that goes on, else one of bulk, else a tensor prefetch. */
int address_read_path(struct check *c)
{
	const struct copy *open = c->current[TENSOR_READS];

	if (c->now->id >> ID_CLIENT_SHIFT == CLIENT_LOAD)
		return c->now->id >> ID_TENSOR_SHIFT & 1 ? TENSOR_READS : READS;
	if (c->now->id >> ID_CLIENT_SHIFT != CLIENT_PREFETCH)
		return READS;
	if (open && open->prefetch && open->covered[TENSOR_READS] < open->allowed &&
	    fits(c, open, TENSOR_READS))
		return TENSOR_READS;
	if (hint_find(c))
		return READS;
	if (first_of_a_copy(c, TENSOR_READS))
		return TENSOR_READS;
	if (queue_prove_by(c, address_begins, READS) && hint_find(c))
		return READS;
	if (queue_prove_by(c, address_begins, TENSOR_READS) && first_of_a_copy(c, TENSOR_READS))
		return TENSOR_READS;
	while (queue_release_burst(c)) {
		if (hint_find(c))
			return READS;
		if (first_of_a_copy(c, TENSOR_READS))
			return TENSOR_READS;
	}
	return READS;
}

static struct copy *find(struct check *c, int d)
{
	struct copy *copy = c->current[d], *hint = d == READS ? hint_find(c) : NULL;

	if (copy && copy->covered[d] < copy->allowed) {
		reduce_seek(c, copy, d);
		if (c->now->addr == next_address(c, copy, d) && (!hint || copy->prefetch))
			return copy;
		if (hint)
			return hint;
		if (!copy->failed && !copy->doubtful) {
			if (is_ahead(c, copy, d) || first_of_a_copy(c, d))
				differ(c, channels[!is_reads(d)].valid, c->now->unit,
				       "a burst of %s at 0x%llx is missing", name_copy(copy),
				       (unsigned long long)next_address(c, copy, d));
			differ(c, channels[!is_reads(d)].addr, c->now->unit,
			       "0x%llx, but %s goes on at 0x%llx", (unsigned long long)c->now->addr,
			       name_copy(copy), (unsigned long long)next_address(c, copy, d));
		}
		/* Nothing more comes of a copy that failed. */
		copy->allowed = copy->covered[d];
		if (!copy->outstanding && !copy->done && copy_finished(copy))
			copy_done(c, copy);
	}
	copy = hint ? hint : first_of_a_copy(c, d);
	if (!copy && queue_prove_by(c, address_begins, d))
		copy = first_of_a_copy(c, d);
	while (!copy && queue_release_burst(c))
		copy = first_of_a_copy(c, d);
	if (!copy)
		refuse(c, d);
	copy->doubtful = false;
	if (copy->command.opcode == TMA_BULK_PREFETCH)
		return copy;
	remove_pending(c, copy, d);
	reduce_seek(c, copy, d);
	c->current[d] = copy;
	return copy;
}

void address_attributes(const struct check *c, int path, uint32_t queue, uint8_t qos, uint8_t hints)
{
	const struct channel *ch = &channels[!is_reads(path)];
	const struct burst_info *b = &c->now->burst;
	const struct queue *q = &c->queues[queue];
	unsigned user = (unsigned)(q->config.stream << 8 | hints);

	if (1u << b->size != c->shape.data_bytes)
		differ(c, ch->size, c->now->unit, "a beat of %u bytes is not as wide as the bus",
		       1u << b->size);
	if (b->burst != AXI_INCR)
		differ(c, ch->burst, c->now->unit, "burst type %u is not INCR", b->burst);
	if (!(c->axcaches >> b->cache & 1))
		differ(c, ch->cache, c->now->unit, "%u, but the register AXCACHE says %u", b->cache,
		       c->axcache);
	if (b->prot != q->config.prot)
		differ(c, ch->prot, c->now->unit, "%u, but queue %u has %u", b->prot, queue, q->config.prot);
	if (b->qos != qos)
		differ(c, ch->qos, c->now->unit, "%u, but what queue %u asks for here has %u", b->qos, queue,
		       qos);
	if (b->user != user)
		differ(c, ch->user, c->now->unit, "0x%04x, but what queue %u asks for here has 0x%04x",
		       b->user, queue, user);
}

static uint8_t hints_of(const struct copy *copy)
{
	uint8_t hints = copy->command.policy >> POLICY_CACHE & 0xf;

	/* The promotion of its map. */
	if (copy->tensor && !copy->store)
		hints |= box_promotion(copy->tensor->map) << 4;
	if (copy->cp)
		hints |= (uint8_t)(copy->command.mode << 4 | !!(copy->command.flags & TMA_FLAG_CG) << 6);
	return hints;
}

/* The copy of the burst that begins now, after all checks; `covered` still names its first byte. */
struct copy *address_match(struct check *c, int path)
{
	const struct channel *ch = &channels[!is_reads(path)];
	struct copy *copy = find(c, path);
	uint32_t bytes = burst_bytes(c);

	if (c->now->addr % c->shape.data_bytes)
		differ(c, ch->addr, c->now->unit, "0x%llx is not aligned to a beat",
		       (unsigned long long)c->now->addr);
	address_attributes(c, path, copy->queue, copy->command.policy >> POLICY_QOS, hints_of(copy));
	if (c->now->addr % PAGE + bytes > PAGE)
		differ(c, ch->len, c->now->unit, "%u beats from 0x%llx cross a 4 KiB boundary",
		       c->now->burst.len + 1u, (unsigned long long)c->now->addr);
	if (bytes > copy_left(copy, copy->covered[path]))
		differ(c, ch->len, c->now->unit, "%u beats from 0x%llx reach beyond the bytes of %s%s",
		       c->now->burst.len + 1u, (unsigned long long)c->now->addr,
		       copy->tensor ? "a row of " : "", name_copy(copy));
	if (copy->reduces && bytes != reduce_burst_bytes(c, copy, copy->covered[path]))
		differ(c, ch->len, c->now->unit, "%u beats from 0x%llx, but there %s has %u",
		       c->now->burst.len + 1u, (unsigned long long)c->now->addr, name_copy(copy),
		       reduce_burst_bytes(c, copy, copy->covered[path]) / c->shape.data_bytes);
	if (copy->tensor && !copy->begun)
		map_check_begin(c, copy, ch->valid);
	if (copy->covered[path] + bytes > copy->allowed)
		differ(c, ch->addr, c->now->unit, "0x%llx is outside the windows of queue %u",
		       (unsigned long long)c->now->addr, copy->queue);
	say(c, "%s 0x%llx, %u beats: %s", is_reads(path) ? "read   " : "write  ",
	    (unsigned long long)c->now->addr, c->now->burst.len + 1u, name_copy(copy));
	copy->begun = true;
	c->bursts++;
	return copy;
}
