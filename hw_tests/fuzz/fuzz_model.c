/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_model - hostile and half-legal commands against the C model, on a random engine.
 *
 * For libFuzzer as it is: the input is read as choices, of a shape, of memories, then of actions.
 * With FUZZ_STANDALONE a program of its own, for any compiler with address and undefined-behaviour
 * sanitizers: it makes inputs from seeds.
 *   fuzz_model [--seed N] [--seconds S | --runs N]
 *
 * What must hold, besides what the sanitizers watch: memory outside the windows and outside the
 * permitted CTAs keeps its bytes; a command that breaks a decode or sync rule changes no byte;
 * faults, records and status agree; a stopped queue stays stopped.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tma_model.h"

#define PAGE         4096u
#define PAGES        6u /* of global memory; the last one is in no window */
#define OPEN_PAGES   (PAGES - 1)
#define GLOBAL_BYTES (PAGES * PAGE)
#define MAX_SMEM     2048u
#define BARRIERS     6u /* at the start of every shared memory, 16 bytes apart */
#define MAX_ACTIONS  400u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the standalone program reports: inputs that reach nothing prove nothing. */
static struct {
	uint64_t commands;
	bool seen[0x100]; /* by fault code */
} reached;

/* Set while a seed is running. */
static void (*on_failure)(void);

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz_model: broken: %s\n", what);
	if (on_failure)
		on_failure();
	abort();
}

/* The input as an endless stream of choices: zeroes once it is used up. */
struct input {
	const uint8_t *data;
	size_t size, at;
};

static uint32_t take(struct input *in, unsigned int bytes)
{
	uint32_t value = 0;

	for (unsigned int i = 0; i < bytes; i++, in->at++)
		value = value << 8 | (in->at < in->size ? in->data[in->at] : 0);
	return value;
}

static uint32_t choose(struct input *in, uint32_t n)
{
	return take(in, n > 256 ? 2 : 1) % n;
}

struct memory {
	uint8_t smem[TMA_MODEL_MAX_CTAS][MAX_SMEM];
	uint8_t global[GLOBAL_BYTES];
};

struct world {
	struct tma_model *m;
	const struct tma_model_config *shape;
	uint64_t base;      /* of global memory; it may lie across address 0 */
	uint8_t *global[2]; /* in two pieces, each exactly as long as its map */
	uint16_t cta_mask;  /* CTAs that any queue may touch */
	struct tma_queue_config queues[TMA_MODEL_MAX_QUEUES];
	struct memory first, before;
};

/* Length of the first piece. */
#define SPLIT (2 * PAGE)

static void snapshot(const struct world *w, struct memory *to)
{
	for (uint32_t rank = 0; rank < w->shape->ctas; rank++)
		memcpy(to->smem[rank], tma_model_smem(w->m, rank), w->shape->smem_bytes);
	memcpy(to->global, w->global[0], SPLIT);
	memcpy(to->global + SPLIT, w->global[1], GLOBAL_BYTES - SPLIT);
}

static void require_unchanged(const struct world *w)
{
	for (uint32_t rank = 0; rank < w->shape->ctas; rank++)
		require(!memcmp(w->before.smem[rank], tma_model_smem(w->m, rank), w->shape->smem_bytes),
		        "a command that is refused changes no shared memory");
	require(!memcmp(w->before.global, w->global[0], SPLIT) &&
	                !memcmp(w->before.global + SPLIT, w->global[1], GLOBAL_BYTES - SPLIT),
	        "a command that is refused changes no global memory");
}

static void require_fences(const struct world *w)
{
	for (uint32_t rank = 0; rank < w->shape->ctas; rank++)
		if (!(w->cta_mask >> rank & 1))
			require(!memcmp(w->first.smem[rank], tma_model_smem(w->m, rank),
			                w->shape->smem_bytes),
			        "a CTA that no queue may touch keeps its bytes");
	require(!memcmp(w->first.global + OPEN_PAGES * PAGE, w->global[1] + OPEN_PAGES * PAGE - SPLIT, PAGE),
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

	for (uint32_t i = 0; i < BARRIERS; i++) {
		uint32_t kind = choose(in, 256);
		uint64_t word = (1 + kind % 3) | (uint64_t)(kind / 4 % 4) << 20 |
		                (uint64_t)tx[kind / 16 % 6] << 40 | (uint64_t)(kind & 1) << 61 |
		                (uint64_t)(kind < 240 ? 2 : kind & 3) << 62;

		for (unsigned int b = 0; b < 8; b++)
			smem[16 * i + b] = (uint8_t)(word >> 8 * b);
	}
}

/* Three times in four all of a mask, else any part of it. */
static uint16_t some_of(struct input *in, uint16_t mask)
{
	return choose(in, 4) ? mask : (uint16_t)(take(in, 2) & mask);
}

/* A queue from the start, with new windows and a new CTA. */
static void restart(struct world *w, struct input *in, uint32_t q)
{
	struct tma_queue_config *c = &w->queues[q];

	c->enable = 0;
	require(!tma_model_queue(w->m, q, c), "a queue is disabled");
	for (uint32_t i = 0; i < w->shape->windows; i++) {
		uint32_t page = choose(in, OPEN_PAGES), pages = 1 + choose(in, OPEN_PAGES - page);
		struct tma_window window = { .base = w->base + page * PAGE,
			                     .limit = w->base + (page + pages) * PAGE - 1,
			                     .attr = choose(in, 4) ? 3 : choose(in, 8) };

		/* A window does not wrap as an address does. */
		if (window.limit >= window.base)
			require(!tma_model_window(w->m, q, i, &window), "a window is taken");
	}
	*c = (struct tma_queue_config){ .enable = 1,
		                        .cta = (uint8_t)choose(in, w->shape->ctas),
		                        .cta_mask = some_of(in, w->cta_mask) };
	require(!tma_model_queue(w->m, q, c), "a queue is enabled");
}

/* Mostly what is asked for. */
static uint32_t mostly(struct input *in, uint32_t wanted, uint32_t other)
{
	return choose(in, 16) ? wanted : other;
}

static uint32_t shared_address(struct world *w, struct input *in, uint32_t rank)
{
	rank = mostly(in, rank, choose(in, TMA_MODEL_MAX_CTAS + 1));
	return rank << 24 | choose(in, w->shape->smem_bytes / 16 + 1) * 16;
}

static bool works_in_own_cta(uint8_t opcode)
{
	return opcode == TMA_MBARRIER_INIT || opcode == TMA_MBARRIER_INVAL ||
	       opcode == TMA_MBARRIER_TEST_WAIT || opcode == TMA_MBARRIER_TRY_WAIT;
}

/* A command of queue q that keeps most rules: fields in their ranges, then perhaps one bit broken. */
static struct tma_command half_legal(struct world *w, struct input *in, uint32_t q)
{
	static const uint8_t opcodes[] = { 0x10, 0x11, 0x12, 0x13, 0x40, 0x41, 0x50, 0x51,
		                           0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x60, 0x10 };
	struct tma_command c = { .opcode = opcodes[choose(in, 16)], .version = TMA_COMMAND_VERSION };
	uint32_t own = w->queues[q].cta, other = choose(in, w->shape->ctas);
	uint8_t bytes[sizeof(c)], used[sizeof(c)];

	c.flags = (uint16_t)(take(in, 2) & take(in, 2) & tma_opcode_info(c.opcode)->flags);
	c.global_address = w->base + choose(in, GLOBAL_BYTES / 16) * 16u;
	c.shared_src = shared_address(w, in, own);
	c.size = choose(in, 4) ? choose(in, 17) * 16 : choose(in, w->shape->smem_bytes / 16 + 1) * 16;
	c.byte_mask = (uint16_t)take(in, 2);
	c.count = c.flags & TMA_FLAG_PARITY ? mostly(in, choose(in, 2), 2) : mostly(in, 1, choose(in, 4));
	c.tx = mostly(in, choose(in, 3) * 16, choose(in, 2) ? 0xfffff : take(in, 4));
	c.shared_dst = shared_address(w, in, other);
	c.barrier = (works_in_own_cta(c.opcode) ? own : mostly(in, c.shared_dst >> 24, other)) << 24 |
	            choose(in, BARRIERS) * 16;
	c.cta_mask = some_of(in, w->queues[q].cta_mask);
	c.tag = take(in, 1);
	memcpy(bytes, &c, sizeof(c));
	tma_command_used_bits(&c, used);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] &= used[i];
	if (choose(in, 16) == 0)
		bytes[choose(in, sizeof(bytes))] ^= (uint8_t)(1u << choose(in, 8));
	memcpy(&c, bytes, sizeof(c));
	return c;
}

static struct tma_command raw(struct input *in)
{
	struct tma_command c;
	uint8_t bytes[sizeof(c)];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)take(in, 1);
	memcpy(&c, bytes, sizeof(c));
	return c;
}

static void check_records(struct world *w)
{
	struct tma_record r;

	while (tma_model_next_record(w->m, &r)) {
		struct tma_queue_status s;

		require(!tma_model_queue_status(w->m, r.queue, &s), "a record names a queue");
		require(tma_kind_name(r.kind) != NULL, "a record has a kind");
		require((r.kind == TMA_KIND_FAULT) == (r.fault != 0), "a fault is a record of its kind");
		require(!r.fault || tma_fault_info(r.fault), "a fault is in the table");
		require(!r.address || r.fault, "only a fault has an address");
		require(r.sequence <= s.next_sequence, "a record's command has had its turn");
		if (r.fault) {
			require(s.faulted && s.fault == r.fault && s.fault_sequence == r.sequence &&
			                s.fault_address == r.address && s.fault_tag == r.tag,
			        "a queue's status is its fault record");
			reached.seen[r.fault & 0xff] = true;
		}
	}
}

/* One step with everything that can be said of it. */
static void step(struct world *w, uint32_t q)
{
	struct tma_queue_status before, after;
	int result;

	require(!tma_model_queue_status(w->m, q, &before), "a queue has a status");
	snapshot(w, &w->before);
	result = tma_model_step(w->m, q);
	require(!tma_model_queue_status(w->m, q, &after), "a queue has a status");
	require(result == 0 || result == 1, "a step executes at most one command");
	if (before.faulted)
		require(!result && after.fault_count == before.fault_count, "a stopped queue stays stopped");
	if (!result || (after.faulted && after.fault < TMA_FAULT_WINDOW_READ)) {
		require(after.next_sequence == before.next_sequence && after.queued == before.queued,
		        "a command that is refused or blocked stays in its queue");
		require_unchanged(w);
	} else {
		require(after.next_sequence == before.next_sequence + 1 && after.queued + 1 == before.queued,
		        "a command that was executed has left its queue");
	}
	reached.commands += (uint64_t)result;
	check_records(w);
}

static void run(struct world *w)
{
	uint64_t queued = 0;
	int executed;

	for (uint32_t q = 0; q < w->shape->queues; q++) {
		struct tma_queue_status s;

		require(!tma_model_queue_status(w->m, q, &s), "a queue has a status");
		queued += s.queued;
	}
	executed = tma_model_run(w->m);
	require(executed >= 0 && (uint64_t)executed <= queued, "a run executes what was queued");
	for (uint32_t q = 0; q < w->shape->queues; q++)
		require(tma_model_step(w->m, q) == 0, "a run leaves nothing to do");
	reached.commands += (uint64_t)executed;
	check_records(w);
}

static void act(struct world *w, struct input *in)
{
	uint32_t q = choose(in, w->shape->queues);
	struct tma_queue_status s;
	struct tma_command c;

	switch (choose(in, 32)) {
	case 0:
		c = raw(in);
		break;
	case 1:
		run(w);
		return;
	case 2:
		require(!tma_model_queue_status(w->m, q, &s), "a queue has a status");
		if (s.faulted || choose(in, 4) == 0)
			restart(w, in, q);
		return;
	default:
		require(!tma_model_queue_status(w->m, q, &s), "a queue has a status");
		if (s.faulted)
			restart(w, in, q);
		c = half_legal(w, in, q);
	}
	require(!tma_model_submit(w->m, q, &c), "a command is taken");
	if (choose(in, 8))
		step(w, q);
}

static void add_errors(struct world *w, struct input *in)
{
	static const int resp[] = { 0, 2, 3 };

	for (uint32_t n = choose(in, 3); n; n--) {
		uint64_t at = w->base + choose(in, GLOBAL_BYTES);
		uint64_t size = 1 + choose(in, choose(in, 2) ? 64 : PAGE);
		int read = resp[choose(in, 3)], write = resp[choose(in, 3)];
		int result = tma_model_map_error(w->m, 0, at, size, read, write);

		require(result == (at + (size - 1) < at ? TMA_MODEL_EINVAL : 0),
		        "an error region is taken unless it wraps");
	}
}

static void new_world(struct world *w, struct input *in)
{
	struct tma_model_config shape = { .ctas = 1 + choose(in, TMA_MODEL_MAX_CTAS),
		                          .smem_bytes = 128 * (1 + choose(in, MAX_SMEM / 128)),
		                          .queues = 1 + choose(in, 4),
		                          .windows = 1 + choose(in, TMA_MODEL_MAX_WINDOWS),
		                          .data_bytes = 16u << choose(in, 4) };

	w->m = tma_model_new(&shape);
	require(w->m, "a shape is built");
	w->shape = tma_model_config(w->m);
	w->base = choose(in, 2) ? UINT64_C(0x40000000) : UINT64_C(0) - SPLIT;
	w->cta_mask = some_of(in, (uint16_t)((1u << shape.ctas) - 1));
	w->global[0] = malloc(SPLIT);
	w->global[1] = malloc(GLOBAL_BYTES - SPLIT);
	require(w->global[0] && w->global[1], "there is memory");
	fill(w->global[0], SPLIT, take(in, 1));
	fill(w->global[1], GLOBAL_BYTES - SPLIT, take(in, 1));
	require(!tma_model_map(w->m, 0, w->base, SPLIT, w->global[0]), "a map is taken");
	require(!tma_model_map(w->m, 0, w->base + SPLIT, GLOBAL_BYTES - SPLIT, w->global[1]),
	        "a map is taken");
	for (uint32_t rank = 0; rank < shape.ctas; rank++) {
		fill(tma_model_smem(w->m, rank), shape.smem_bytes, rank);
		plant_barriers(in, tma_model_smem(w->m, rank));
	}
	for (uint32_t q = 0; q < shape.queues; q++)
		restart(w, in, q);
	add_errors(w, in);
	snapshot(w, &w->first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size, 0 };
	struct world *w = calloc(1, sizeof(*w));

	require(w, "there is memory");
	new_world(w, &in);
	for (uint32_t i = 0; i < MAX_ACTIONS && in.at < in.size; i++)
		act(w, &in);
	run(w);
	require_fences(w);
	tma_model_free(w->m);
	free(w->global[0]);
	free(w->global[1]);
	free(w);
	return 0;
}

#ifdef FUZZ_STANDALONE
#include <sanitizer/common_interface_defs.h>
#include <time.h>

#include "lib/rng.h"

#define MAX_INPUT 4096u

static uint64_t current_seed;

static void print_seed(void)
{
	fprintf(stderr, "fuzz_model: --seed %llu --runs 1 replays it\n", (unsigned long long)current_seed);
}

/* An input of exactly its size on the heap, so that a byte too far is seen. */
static void one(void)
{
	struct rng rng = rng_make(current_seed, 0);
	size_t size = rng_below(&rng, MAX_INPUT);
	uint8_t *data = malloc(size ? size : 1);

	require(data, "there is memory");
	for (size_t i = 0; i < size; i++)
		data[i] = (uint8_t)rng_next(&rng);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, seconds = 10, runs = UINT64_MAX, done = 0;
	time_t start = time(NULL);
	uint32_t faults = 0;

	for (int i = 1; i + 1 < argc; i += 2) {
		uint64_t value = strtoull(argv[i + 1], NULL, 0);

		if (!strcmp(argv[i], "--seed"))
			seed = value;
		else if (!strcmp(argv[i], "--seconds"))
			seconds = value;
		else if (!strcmp(argv[i], "--runs"))
			runs = value;
		else
			argc = 0;
	}
	if (argc % 2 == 0) {
		fputs("usage: fuzz_model [--seed N] [--seconds S | --runs N]\n", stderr);
		return 2;
	}
	on_failure = print_seed;
	__sanitizer_set_death_callback(print_seed);
	while (done < runs && (runs != UINT64_MAX || (uint64_t)(time(NULL) - start) < seconds)) {
		current_seed = seed + done++;
		one();
	}
	for (unsigned int i = 0; i < sizeof(reached.seen) / sizeof(reached.seen[0]); i++)
		faults += reached.seen[i];
	printf("fuzz_model: %llu programs, %llu commands, %u fault codes\n1 passed, 0 failed\n",
	       (unsigned long long)done, (unsigned long long)reached.commands, faults);
	return 0;
}
#endif
