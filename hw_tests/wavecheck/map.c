/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor maps. The engine keeps some of them decoded, and which ones the ports do not show. So a map is
 * what the reads of it show: a command uses the one that was read last before it; or, where none was, or
 * a fence has come since, the one that is read next. What a fence orders is known of commands behind it in
 * its queue, and of all once the engine has been idle: these begin only after a read behind the fence.
 */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/check.h"

#define CLIENT_OF(id) ((id) >> 2)
#define CLIENT_MAP    2
#define PAGE          4096u
#define HALF          (TMA_MAP_BYTES / 2)
#define AXI_SLVERR    2

static uint64_t beat_of(const struct check *c, uint64_t address)
{
	return address - address % c->shape.data_bytes;
}

/* A map across the end of a page is read in halves. */
static bool crosses(uint64_t map)
{
	return map % PAGE == PAGE - HALF;
}

static uint64_t half_address(uint64_t map, unsigned half)
{
	return map + (half ? HALF : 0);
}

static uint32_t half_beats(const struct check *c, uint64_t map, unsigned half)
{
	uint64_t first = half_address(map, half);
	uint64_t last = first + (crosses(map) ? HALF : TMA_MAP_BYTES) - 1;

	return (uint32_t)((beat_of(c, last) - beat_of(c, first)) / c->shape.data_bytes) + 1;
}

static void add_read(struct check *c, size_t i)
{
	const struct event *e = &c->log->events[i];
	struct map_read *r;

	c->map_reads = grow(c->map_reads, c->num_map_reads, &c->map_reads_capacity, sizeof(*c->map_reads));
	r = &c->map_reads[c->num_map_reads++];
	*r = (struct map_read){ .event = i, .address = e->addr, .beats = e->burst.len + 1u };
	r->bytes = allocate((size_t)r->beats * c->shape.data_bytes);
}

static void add_beat(struct check *c, struct map_read *r, size_t i)
{
	const struct event *e = &c->log->events[i];
	uint32_t width = c->shape.data_bytes;

	memcpy(r->bytes + r->seen * width, c->log->bytes + e->data, width);
	if (e->resp >= AXI_SLVERR && !r->fault) {
		r->fault = e->resp == AXI_SLVERR ? TMA_FAULT_MAP_SLVERR : TMA_FAULT_MAP_DECERR;
		r->fault_address = r->address + r->seen * width;
	}
	r->last = i;
	r->seen++;
}

/* All reads of maps, ahead of time. Their data comes in their order. */
void map_index(struct check *c)
{
	size_t next = 0;

	for (size_t i = 0; i < c->log->count; i++) {
		const struct event *e = &c->log->events[i];

		if (e->kind == EV_RESET)
			next = c->num_map_reads;
		if (e->unit || CLIENT_OF(e->id) != CLIENT_MAP)
			continue;
		if (e->kind == EV_AR)
			add_read(c, i);
		if (e->kind != EV_R)
			continue;
		if (next < c->num_map_reads)
			add_beat(c, &c->map_reads[next], i);
		if (next < c->num_map_reads && c->map_reads[next].seen == c->map_reads[next].beats)
			next++;
	}
}

void map_close(struct check *c)
{
	for (size_t i = 0; i < c->num_map_reads; i++)
		free(c->map_reads[i].bytes);
	free(c->map_reads);
	free(c->map_fences);
	free(c->map_users);
}

/* Is read i that of the map, or of its first half with the second behind it, and whole? */
static bool reads_map(const struct check *c, size_t i, uint64_t map)
{
	for (unsigned half = 0; half <= crosses(map); half++) {
		const struct map_read *r = &c->map_reads[i + half];

		if (i + half >= c->num_map_reads || r->address != beat_of(c, half_address(map, half)) ||
		    r->beats != half_beats(c, map, half) || r->seen < r->beats)
			return false;
	}
	return true;
}

static void take(const struct check *c, size_t i, uint64_t map, uint8_t *bytes, uint16_t *fault,
                 uint64_t *fault_address)
{
	uint32_t size = crosses(map) ? HALF : TMA_MAP_BYTES;

	*fault = 0;
	for (unsigned half = 0; half <= crosses(map); half++) {
		const struct map_read *r = &c->map_reads[i + half];
		uint64_t first = half_address(map, half);

		memcpy(bytes + (half ? HALF : 0), r->bytes + (first - r->address), size);
		if (r->fault && !*fault) {
			*fault = r->fault;
			*fault_address = r->fault_address > first ? r->fault_address : first;
		}
	}
}

static size_t now(const struct check *c)
{
	return (size_t)(c->now - c->log->events);
}

/* The last fence of the map that has run for the model; NULL: none since the last reset. */
static const struct map_fence *last_fence(const struct check *c, uint64_t map)
{
	for (size_t i = c->num_map_fences; i-- > 0;)
		if (c->map_fences[i].address == map && c->map_fences[i].event >= c->map_reset)
			return &c->map_fences[i];
	return NULL;
}

bool map_choose(const struct check *c, uint64_t address, uint8_t *bytes, uint16_t *fault,
                uint64_t *fault_address)
{
	const struct map_fence *fence = last_fence(c, address);
	size_t before = SIZE_MAX, behind = SIZE_MAX;

	for (size_t i = 0; i < c->num_map_reads; i++) {
		if (c->map_reads[i].event < c->map_reset || !reads_map(c, i, address))
			continue;
		if (c->map_reads[i].event < now(c))
			before = i;
		else if (behind == SIZE_MAX)
			behind = i;
	}
	if (before == SIZE_MAX && behind == SIZE_MAX)
		return false;
	if (before != SIZE_MAX) {
		take(c, before, address, bytes, fault, fault_address);
		if (behind == SIZE_MAX || (!*fault && (!fence || c->map_reads[before].event > fence->event)))
			return true;
	}
	take(c, behind, address, bytes, fault, fault_address);
	return true;
}

void map_fence(struct check *c, uint32_t queue, uint64_t address)
{
	/* The engine drops it. */
	if (!copy_window_allows(c, queue, address, TMA_WINDOW_READ))
		return;
	c->map_fences =
		grow(c->map_fences, c->num_map_fences, &c->map_fences_capacity, sizeof(*c->map_fences));
	c->map_fences[c->num_map_fences++] = (struct map_fence){ .address = address,
		                                                 .event = now(c),
		                                                 .cycle = c->now->cycle,
		                                                 .queue = (uint8_t)queue,
		                                                 .life = c->queues[queue].life,
		                                                 .number = c->queues[queue].next - 1 };
}

void map_drop(struct check *c, uint32_t queue)
{
	const struct queue *q = &c->queues[queue];

	for (size_t i = 0; i < c->num_map_fences; i++) {
		struct map_fence *f = &c->map_fences[i];

		f->doubtful =
			f->doubtful || (f->queue == queue && f->life == q->life && f->number >= q->proven);
	}
}

void map_use(struct check *c, struct copy *copy)
{
	copy->tensor->reads_map = true;
	copy->tensor->born = c->num_map_fences;
	c->map_users = grow(c->map_users, c->num_map_users, &c->map_users_capacity, sizeof(struct copy *));
	c->map_users[c->num_map_users++] = copy;
}

/* Is the copy behind the fence, as far as the dump shows? */
static bool is_behind(const struct check *c, const struct map_fence *f, const struct copy *copy)
{
	if (f->address != copy->command.global_address || f->event < c->map_reset || f->doubtful)
		return false;
	if (copy->tensor->born <= (size_t)(f - c->map_fences))
		return false;
	return (f->queue == copy->queue && f->life == copy->life) || f->cycle < copy->tensor->idle;
}

void map_check_begin(struct check *c, const struct copy *copy, enum port valid)
{
	uint64_t map = copy->command.global_address;
	size_t since = c->map_reset;
	bool fenced = false;

	for (size_t i = 0; i < c->num_map_fences; i++)
		if (is_behind(c, &c->map_fences[i], copy)) {
			since = c->map_fences[i].event;
			fenced = true;
		}
	for (size_t i = 0; i < c->num_map_reads; i++)
		if (c->map_reads[i].event > since && reads_map(c, i, map) &&
		    c->map_reads[i + crosses(map)].last < now(c))
			return;
	differ(c, valid, c->now->unit, "%s begins, but its map at 0x%llx was not read %s", name_copy(copy),
	       (unsigned long long)map, fenced ? "since the fence before it" : "before");
}

/* Fences of its map that may be behind a read of the copy: all that the last idle engine was not behind. */
static uint32_t fences_around(const struct check *c, const struct copy *copy)
{
	uint32_t n = 0;

	for (size_t i = 0; i < c->num_map_fences; i++)
		n += c->map_fences[i].address == copy->command.global_address &&
		     c->map_fences[i].cycle >= copy->tensor->idle;
	return n;
}

static bool is_half(const struct check *c, uint64_t map, unsigned half)
{
	return c->now->addr == beat_of(c, half_address(map, half)) &&
	       c->now->burst.len + 1u == half_beats(c, map, half);
}

/* A half of the map that the copy may have to read: 0, 1; -1: none is there. */
static int wants(const struct check *c, struct copy *copy)
{
	uint64_t map = copy->command.global_address;
	struct tensor *t = copy->tensor;

	if (c->queues[copy->queue].config.stream != c->now->burst.user >> 8)
		return -1;
	/* Behind a fence it may have to read it once more. */
	if (t->fetched == (crosses(map) ? 3 : 1) && t->renewed < fences_around(c, copy)) {
		t->fetched = 0;
		t->renewed++;
	}
	for (unsigned half = 0; half <= crosses(map); half++)
		if (!(t->fetched >> half & 1) && is_half(c, map, half))
			return (int)half;
	return -1;
}

static struct copy *find_user(struct check *c, int *half)
{
	for (size_t i = 0; i < c->num_map_users; i++) {
		*half = wants(c, c->map_users[i]);
		if (*half >= 0)
			return c->map_users[i];
	}
	return NULL;
}

static bool has_its_map(struct check *c, uint32_t queue, const struct tma_command *command, int path)
{
	(void)queue;
	(void)path;
	return tensor_is(command->opcode) && beat_of(c, command->global_address) == c->now->addr;
}

bool map_address(struct check *c)
{
	struct copy *copy;
	int half;

	if (CLIENT_OF(c->now->id) != CLIENT_MAP)
		return false;
	copy = find_user(c, &half);
	while (!copy && (queue_prove_by(c, has_its_map, READS) || queue_release_burst(c)))
		copy = find_user(c, &half);
	if (!copy)
		differ(c, P_m_axi_araddr_o, 0,
		       "a read of %u beats at 0x%llx with stream %u, where no command has its tensor map",
		       c->now->burst.len + 1u, (unsigned long long)c->now->addr, c->now->burst.user >> 8);
	copy->tensor->fetched |= (uint8_t)(1u << half);
	address_attributes(c, READS, copy->queue, 0, 0);
	say(c, "map     0x%llx, %u beats: %s", (unsigned long long)c->now->addr, c->now->burst.len + 1u,
	    name_copy(copy));
	burst_push(&c->reads[c->now->id], (struct burst){ .kind = BURST_MAP,
	                                                  .beats = c->now->burst.len + 1u,
	                                                  .address = c->now->addr });
	c->bursts++;
	return true;
}

uint64_t map_missing(const struct check *c, uint64_t map)
{
	for (unsigned id = 0; id < MAX_IDS; id++)
		for (size_t i = c->reads[id].head; i < c->reads[id].count; i++) {
			const struct burst *b = &c->reads[id].bursts[i];
			uint64_t next = b->address + b->seen * c->shape.data_bytes;

			for (unsigned half = 0; b->kind == BURST_MAP && half <= crosses(map); half++)
				if (b->address == beat_of(c, half_address(map, half)))
					return next > half_address(map, half) ? next
					                                      : half_address(map, half);
		}
	return map;
}

bool map_left_out(const struct check *c, const struct copy *copy)
{
	uint64_t map = copy->command.global_address;

	return copy->command.opcode == TMA_PREFETCH_TENSORMAP &&
	       !(copy_window_allows(c, copy->queue, map, TMA_WINDOW_READ) &&
	         copy_window_allows(c, copy->queue, map + TMA_MAP_BYTES - 1, TMA_WINDOW_READ));
}

/* Idle, the engine has read all maps that it needs. */
void map_check_idle(struct check *c)
{
	for (size_t i = 0; i < c->num_map_users; i++) {
		struct copy *copy = c->map_users[i];
		const struct queue *q = &c->queues[copy->queue];

		if (!copy->tensor->blind || copy->done)
			continue;
		if (!copy->doubtful && copy->life == q->life && q->config.enable && !q->stopped &&
		    !q->doubtful && !(c->dead & 1) && !map_left_out(c, copy))
			differ(c, P_m_axi_arvalid_o, 0,
			       "the engine says idle, but the map of %s was not read", name_copy(copy));
		copy->failed = true;
		copy_done(c, copy);
	}
}
