/* SPDX-License-Identifier: Apache-2.0 */
/* The world of fuzz_model: shapes, memories, queues. */
#include "fuzz/fuzz_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tma_regs.h"

/* Length of the first piece of a port's memory. */
#define SPLIT (2 * PAGE)

void (*on_failure)(void);

void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz_model: broken: %s\n", what);
	if (on_failure)
		on_failure();
	abort();
}

uint32_t take(struct input *in, unsigned int bytes)
{
	uint32_t value = 0;

	for (unsigned int i = 0; i < bytes; i++, in->at++)
		value = value << 8 | (in->at < in->size ? in->data[in->at] : 0);
	return value;
}

uint32_t choose(struct input *in, uint32_t n)
{
	return take(in, n > 256 ? 2 : 1) % n;
}

uint32_t mostly(struct input *in, uint32_t wanted, uint32_t other)
{
	return choose(in, 16) ? wanted : other;
}

uint16_t some_of(struct input *in, uint16_t mask)
{
	return choose(in, 4) ? mask : (uint16_t)(take(in, 2) & mask);
}

uint8_t *world_byte(struct world *w, uint32_t port, uint32_t offset)
{
	return offset < SPLIT ? w->global[port][0] + offset : w->global[port][1] + (offset - SPLIT);
}

static void snapshot(const struct world *w, struct memory *to)
{
	for (uint32_t rank = 0; rank < w->shape->ctas; rank++)
		memcpy(to->smem[rank], tma_model_smem(w->m, rank), w->shape->smem_bytes);
	for (uint32_t p = 0; p < w->shape->ports; p++) {
		memcpy(to->global[p], w->global[p][0], SPLIT);
		memcpy(to->global[p] + SPLIT, w->global[p][1], GLOBAL_BYTES - SPLIT);
	}
}

void world_snapshot(struct world *w)
{
	snapshot(w, &w->before);
}

static uint64_t queue_register(struct world *w, uint32_t address)
{
	uint32_t value;

	require(!tma_model_reg_read(w->m, address, &value), "a queue has its registers");
	return value;
}

/* A completion ring is a page at most and begins with one. Registers may have bound the queue to it. */
void world_require_unchanged(struct world *w, uint32_t queue)
{
	bool bound = queue_register(w, TMA_REG_QUEUE_CONTROL(queue)) & TMA_REG_QUEUE_CONTROL_RING_MASK;
	uint64_t base = queue_register(w, TMA_REG_QUEUE_COMPLETION_BASE_LO(queue)) |
	                queue_register(w, TMA_REG_QUEUE_COMPLETION_BASE_HI(queue)) << 32;
	uint64_t ring = (base - w->base) / PAGE;

	for (uint32_t rank = 0; rank < w->shape->ctas; rank++)
		require(!memcmp(w->before.smem[rank], tma_model_smem(w->m, rank), w->shape->smem_bytes),
		        "a command that is refused changes no shared memory");
	for (uint32_t p = 0; p < w->shape->ports; p++)
		for (uint32_t page = 0; page < PAGES; page++)
			require((bound && !p && page == ring) || !memcmp(w->before.global[p] + page * PAGE,
			                                                 world_byte(w, p, page * PAGE), PAGE),
			        "a command that is refused changes no global memory");
}

void world_require_fences(struct world *w)
{
	for (uint32_t rank = 0; rank < w->shape->ctas; rank++)
		if (!(w->cta_mask >> rank & 1))
			require(!memcmp(w->first.smem[rank], tma_model_smem(w->m, rank),
			                w->shape->smem_bytes),
			        "a CTA that no queue may touch keeps its bytes");
	for (uint32_t p = 0; p < w->shape->ports; p++)
		require(!memcmp(w->first.global[p] + OPEN_PAGES * PAGE, world_byte(w, p, OPEN_PAGES * PAGE),
		                PAGE),
		        "a page outside every window keeps its bytes");
}

static void fill(uint8_t *bytes, size_t size, uint32_t salt)
{
	uint32_t x = salt * 2654435761u + 1;

	for (size_t i = 0; i < size; i++) {
		x = x * 1664525u + 1013904223u;
		bytes[i] = (uint8_t)(x >> 24);
	}
}

/* Barriers of any contents, most of them alive and near one of their limits. */
static void plant_barriers(struct input *in, uint8_t *smem)
{
	static const uint32_t tx[] = { 0, 16, 0xfffff, 0x1ffff0, 0x100001, 0x100011 };
	static const uint32_t pending[] = { 0, 1, 2, 0xfffff };

	for (uint32_t i = 0; i < BARRIERS; i++) {
		uint32_t kind = choose(in, 256);
		uint64_t word = (1 + kind % 3) | (uint64_t)pending[kind / 4 % 4] << 20 |
		                (uint64_t)tx[kind / 16 % 6] << 40 | (uint64_t)(kind & 1) << 61 |
		                (uint64_t)(kind < 240 ? 2 : kind & 3) << 62;

		for (unsigned int b = 0; b < 8; b++)
			smem[16 * i + b] = (uint8_t)(word >> 8 * b);
	}
}

static void set_register(struct world *w, uint32_t address, uint32_t value)
{
	require(!tma_model_reg_write(w->m, address, value), "a register takes its value");
}

/* Either way in must do the same. */
static void set_window(struct world *w, struct input *in, uint32_t q, uint32_t index,
                       const struct tma_window *window)
{
	if (choose(in, 4)) {
		require(!tma_model_window(w->m, q, index, window), "a window is taken");
		return;
	}
	set_register(w, TMA_REG_WINDOW_INDEX, q << TMA_REG_WINDOW_INDEX_QUEUE_SHIFT | index);
	set_register(w, TMA_REG_WINDOW_ATTR, window->attr);
	set_register(w, TMA_REG_WINDOW_BASE_LO, (uint32_t)window->base);
	set_register(w, TMA_REG_WINDOW_BASE_HI, (uint32_t)(window->base >> 32));
	set_register(w, TMA_REG_WINDOW_LIMIT_LO, (uint32_t)window->limit);
	set_register(w, TMA_REG_WINDOW_LIMIT_HI, (uint32_t)(window->limit >> 32));
}

static uint64_t open_page(struct world *w, struct input *in)
{
	return w->base + choose(in, OPEN_PAGES) * PAGE;
}

static void set_multimem(struct world *w, struct input *in)
{
	uint32_t page = choose(in, OPEN_PAGES), pages = 1 + choose(in, OPEN_PAGES - page);
	struct tma_multimem window = { .base = w->base + page * PAGE,
		                       .limit = w->base + (page + pages) * PAGE - 1,
		                       .ports = choose(in, 16) };
	int result;

	for (uint32_t p = 0; p < TMA_MODEL_MAX_PORTS; p++)
		window.port_base[p] = w->base + choose(in, OPEN_PAGES - pages + 1) * PAGE;
	if (window.limit < window.base)
		return;
	result = tma_model_multimem(w->m, choose(in, w->shape->multimem_windows), &window);
	require(!result || result == TMA_MODEL_EBUSY, "a multimem window is taken unless it is in use");
}

void world_restart(struct world *w, struct input *in, uint32_t q)
{
	set_register(w, TMA_REG_QUEUE_CONTROL(q), 0);
	while (world_status(w, q).closing)
		require(tma_model_run(w->m) > 0, "a queue that closes has closed some time");
	for (uint32_t i = 0; i < w->shape->windows; i++) {
		uint32_t page = choose(in, OPEN_PAGES), pages = 1 + choose(in, OPEN_PAGES - page);
		struct tma_window window = { .base = w->base + page * PAGE,
			                     .limit = w->base + (page + pages) * PAGE - 1,
			                     .attr = choose(in, 4) ? 3 + choose(in, 2) * 4 : choose(in, 8) };

		/* A window does not wrap as an address does. */
		if (window.limit >= window.base)
			set_window(w, in, q, i, &window);
	}
	set_multimem(w, in);
	w->queues[q] = (struct tma_queue_config){
		.enable = 1,
		.cta = (uint8_t)choose(in, w->shape->ctas),
		.cta_mask = some_of(in, w->cta_mask),
		.ring = (uint8_t)choose(in, 2),
		.ring_slots_log2 = (uint8_t)(4 + choose(in, MAX_RING_LOG2 - 3)),
		.completion_slots_log2 = (uint8_t)(4 + choose(in, MAX_COMPLETION_LOG2 - 3)),
		.cancel_mask = some_of(in, 0xffff),
		.ring_base = open_page(w, in),
		.completion_base = open_page(w, in),
	};
	require(!tma_model_queue(w->m, q, &w->queues[q]), "a queue is enabled");
}

struct tma_queue_status world_status(const struct world *w, uint32_t queue)
{
	struct tma_queue_status s;

	require(!tma_model_queue_status(w->m, queue, &s), "a queue has a status");
	return s;
}

static void add_errors(struct world *w, struct input *in)
{
	static const int resp[] = { 0, 2, 3 };

	for (uint32_t n = choose(in, 3); n; n--) {
		uint64_t at = w->base + choose(in, GLOBAL_BYTES);
		uint64_t size = 1 + choose(in, choose(in, 2) ? 64 : PAGE);
		int read = resp[choose(in, 3)], write = resp[choose(in, 3)];
		int result = tma_model_map_error(w->m, choose(in, w->shape->ports), at, size, read, write);

		require(result == (at + (size - 1) < at ? TMA_MODEL_EINVAL : 0),
		        "an error region is taken unless it wraps");
	}
}

static void add_memory(struct world *w, struct input *in, uint32_t port)
{
	w->global[port][0] = malloc(SPLIT);
	w->global[port][1] = malloc(GLOBAL_BYTES - SPLIT);
	require(w->global[port][0] && w->global[port][1], "there is memory");
	fill(w->global[port][0], SPLIT, take(in, 1));
	fill(w->global[port][1], GLOBAL_BYTES - SPLIT, take(in, 1));
	require(!tma_model_map(w->m, port, w->base, SPLIT, w->global[port][0]), "a map is taken");
	require(!tma_model_map(w->m, port, w->base + SPLIT, GLOBAL_BYTES - SPLIT, w->global[port][1]),
	        "a map is taken");
}

struct world *world_new(struct input *in)
{
	static const uint32_t reductions[] = { 0, TMA_MODEL_REDUCE, TMA_MODEL_REDUCE | TMA_MODEL_REDUCE_F64,
		                               TMA_MODEL_REDUCE | TMA_MODEL_REDUCE_INTEGERS };
	struct tma_model_config shape = { .ctas = 1 + choose(in, TMA_MODEL_MAX_CTAS),
		                          .smem_bytes = 128 * (1 + choose(in, MAX_SMEM / 128)),
		                          .queues = 1 + choose(in, 4),
		                          .windows = 1 + choose(in, TMA_MODEL_MAX_WINDOWS),
		                          .ports = 1 + choose(in, TMA_MODEL_MAX_PORTS),
		                          .multimem_windows = 1 + choose(in, TMA_MODEL_MAX_MULTIMEM),
		                          .data_bytes = 16u << choose(in, 4),
		                          .reductions = reductions[choose(in, 4)],
		                          .seed = choose(in, 2) ? 1 + take(in, 1) : 0 };
	struct world *w = calloc(1, sizeof(*w));

	require(w, "there is memory");
	w->m = tma_model_new(&shape);
	require(w->m, "a shape is built");
	w->shape = tma_model_config(w->m);
	w->base = choose(in, 2) ? UINT64_C(0x40000000) : UINT64_C(0) - SPLIT;
	w->cta_mask = some_of(in, (uint16_t)((1u << shape.ctas) - 1));
	for (uint32_t p = 0; p < shape.ports; p++)
		add_memory(w, in, p);
	for (uint32_t rank = 0; rank < shape.ctas; rank++) {
		fill(tma_model_smem(w->m, rank), shape.smem_bytes, rank);
		plant_barriers(in, tma_model_smem(w->m, rank));
	}
	for (uint32_t q = 0; q < shape.queues; q++)
		world_restart(w, in, q);
	add_errors(w, in);
	snapshot(w, &w->first);
	return w;
}

void world_free(struct world *w)
{
	for (uint32_t p = 0; p < w->shape->ports; p++) {
		free(w->global[p][0]);
		free(w->global[p][1]);
	}
	tma_model_free(w->m);
	free(w);
}
