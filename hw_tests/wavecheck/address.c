/* SPDX-License-Identifier: Apache-2.0 */
/* Which command a burst belongs to, and whether its address channel says what the command asks for. */
#include <stdlib.h>
#include <string.h>

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

static uint64_t next_address(const struct copy *copy)
{
	return copy->command.global_address - copy->lead + copy->covered;
}

static uint32_t burst_bytes(const struct check *c)
{
	return (c->now->burst.len + 1u) * c->shape.data_bytes;
}

/* Bytes of the copy's next burst if it is cut at the page alone. */
static uint32_t next_bytes(const struct copy *copy)
{
	uint32_t to_page = PAGE - (uint32_t)(next_address(copy) % PAGE), left = copy->span - copy->covered;

	return to_page < left ? to_page : left;
}

static bool fits(const struct check *c, const struct copy *copy)
{
	return c->now->addr == next_address(copy) &&
	       c->now->burst.user >> 8 == c->queues[copy->queue].config.stream;
}

/* The first copies of the queues that may begin here; the rule for several is in check.h. */
static struct copy *first_of_a_copy(struct check *c, int d)
{
	struct copy *best = NULL;

	for (uint32_t i = 0; i < c->shape.queues; i++) {
		struct queue *q = &c->queues[i];
		size_t p = q->first_pending[d];
		struct copy *copy;
		bool exact;

		/* What may not have run at all may be passed over. */
		while (p < q->num_pending[d] && !fits(c, q->pending[d][p]) && q->pending[d][p]->doubtful)
			p++;
		if (p == q->num_pending[d] || !fits(c, q->pending[d][p]))
			continue;
		copy = q->pending[d][p];
		exact = next_bytes(copy) == burst_bytes(c);
		if (!best || (exact && next_bytes(best) != burst_bytes(c)) ||
		    (exact == (next_bytes(best) == burst_bytes(c)) && copy->index < best->index))
			best = copy;
	}
	return best;
}

/* A queue in doubt has run further if that explains the burst. */
static bool prove_by_burst(struct check *c, int d)
{
	uint8_t opcode = d == READS ? TMA_BULK_LOAD : TMA_BULK_STORE;

	for (uint32_t i = 0; i < c->shape.queues; i++) {
		struct queue *q = &c->queues[i];
		uint32_t before = q->next;

		if (!q->doubtful || c->now->burst.user >> 8 != q->config.stream)
			continue;
		for (uint32_t s = q->next; s < q->count; s++) {
			const struct tma_command *command = &q->commands[s].command;
			uint64_t first =
				command->global_address - command->global_address % c->shape.data_bytes;

			if ((command->opcode != opcode &&
			     (d == WRITES || command->opcode != TMA_BULK_PREFETCH)) ||
			    first != c->now->addr)
				continue;
			queue_prove(c, i, s);
			return q->next > before;
		}
	}
	return false;
}

static void remove_pending(struct check *c, struct copy *copy)
{
	int d = copy->store ? WRITES : READS;
	struct queue *q = &c->queues[copy->queue];

	while (q->first_pending[d] < q->num_pending[d]) {
		struct copy *first = q->pending[d][q->first_pending[d]++];

		if (first == copy)
			return;
		first->failed = true;
		copy_done(c, first);
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

const struct copy *burst_awaited(const struct check *c, int direction)
{
	const struct copy *copy = c->current[direction];

	return copy && copy->covered < copy->allowed ? copy : oldest(c, direction);
}

/* No copy begins here. Is it one that should come later, so that a burst is missing? */
static _Noreturn void refuse(struct check *c, int d)
{
	const struct channel *ch = &channels[d];
	const struct copy *old = oldest(c, d);

	for (uint32_t i = 0; i < c->shape.queues; i++)
		for (size_t p = c->queues[i].first_pending[d]; p < c->queues[i].num_pending[d]; p++) {
			const struct copy *later = c->queues[i].pending[d][p];

			if (later != old && fits(c, later))
				differ(c, ch->valid, 0, "a burst is missing: %s before %s", name_copy(old),
				       name_copy(later));
		}
	if (!old)
		differ(c, ch->valid, 0, "a burst at 0x%llx that belongs to no command",
		       (unsigned long long)c->now->addr);
	if (c->now->addr == next_address(old))
		differ(c, ch->user, 0, "stream %u, but %s has stream %u", c->now->burst.user >> 8,
		       name_copy(old), c->queues[old->queue].config.stream);
	differ(c, ch->addr, 0, "a burst at 0x%llx that belongs to no command; next is %s at 0x%llx",
	       (unsigned long long)c->now->addr, name_copy(old), (unsigned long long)next_address(old));
}

static struct copy *find(struct check *c, int d)
{
	struct copy *copy = c->current[d];

	if (copy && copy->covered < copy->allowed) {
		if (c->now->addr == next_address(copy))
			return copy;
		if (!copy->failed && !copy->doubtful) {
			uint64_t ahead = c->now->addr - next_address(copy);

			if (ahead < copy->span - copy->covered || first_of_a_copy(c, d))
				differ(c, channels[d].valid, 0, "a burst of %s at 0x%llx is missing",
				       name_copy(copy), (unsigned long long)next_address(copy));
			differ(c, channels[d].addr, 0, "0x%llx, but %s goes on at 0x%llx",
			       (unsigned long long)c->now->addr, name_copy(copy),
			       (unsigned long long)next_address(copy));
		}
		/* Nothing more comes of a copy that failed. */
		copy->allowed = copy->covered;
		if (!copy->outstanding && !copy->done)
			copy_done(c, copy);
	}
	copy = first_of_a_copy(c, d);
	if (!copy && prove_by_burst(c, d))
		copy = first_of_a_copy(c, d);
	if (!copy && queue_release(c))
		copy = first_of_a_copy(c, d);
	if (!copy)
		refuse(c, d);
	copy->doubtful = false;
	remove_pending(c, copy);
	c->current[d] = copy;
	return copy;
}

static void check_attributes(const struct check *c, const struct copy *copy, const struct channel *ch)
{
	const struct burst_info *b = &c->now->burst;
	const struct queue *q = &c->queues[copy->queue];
	uint64_t policy = copy->command.policy;
	unsigned user = (unsigned)(q->config.stream << 8 | (policy >> POLICY_CACHE & 0xf));

	if (1u << b->size != c->shape.data_bytes)
		differ(c, ch->size, 0, "a beat of %u bytes is not as wide as the bus", 1u << b->size);
	if (b->burst != AXI_INCR)
		differ(c, ch->burst, 0, "burst type %u is not INCR", b->burst);
	if (b->cache != c->axcache)
		differ(c, ch->cache, 0, "%u, but the register AXCACHE says %u", b->cache, c->axcache);
	if (b->prot != q->config.prot)
		differ(c, ch->prot, 0, "%u, but queue %u has %u", b->prot, copy->queue, q->config.prot);
	if (b->qos != policy >> POLICY_QOS)
		differ(c, ch->qos, 0, "%u, but the policy of %s says %u", b->qos, name_copy(copy),
		       (unsigned)(policy >> POLICY_QOS));
	if (b->user != user)
		differ(c, ch->user, 0, "0x%04x, but %s has 0x%04x", b->user, name_copy(copy), user);
}

/* The copy of the burst that begins now, after all checks; `covered` still names its first byte. */
struct copy *address_match(struct check *c, int direction)
{
	const struct channel *ch = &channels[direction];
	struct copy *copy = find(c, direction);
	uint32_t bytes = burst_bytes(c);

	if (c->now->addr % c->shape.data_bytes)
		differ(c, ch->addr, 0, "0x%llx is not aligned to a beat", (unsigned long long)c->now->addr);
	check_attributes(c, copy, ch);
	if (c->now->addr % PAGE + bytes > PAGE)
		differ(c, ch->len, 0, "%u beats from 0x%llx cross a 4 KiB boundary", c->now->burst.len + 1u,
		       (unsigned long long)c->now->addr);
	if (bytes > copy->span - copy->covered)
		differ(c, ch->len, 0, "%u beats from 0x%llx reach beyond the bytes of %s",
		       c->now->burst.len + 1u, (unsigned long long)c->now->addr, name_copy(copy));
	if (copy->covered + bytes > copy->allowed)
		differ(c, ch->addr, 0, "0x%llx is outside the windows of queue %u",
		       (unsigned long long)c->now->addr, copy->queue);
	say(c, "%s 0x%llx, %u beats: %s", direction == READS ? "read   " : "write  ",
	    (unsigned long long)c->now->addr, c->now->burst.len + 1u, name_copy(copy));
	c->bursts++;
	return copy;
}
