/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic of every kind, each in its own places, so that its effects can be told apart. */
#include "engine/engine_traffic.h"

#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "engine/fault_cases.h"

/* Global memory, the same on every port; multimem addresses are elsewhere. */
#define BASE       UINT64_C(0x2468ACE00000)
#define REGION     0x8000u /* bytes for the copies of one kind */
#define LOADS_AT   0u
#define STORES_AT  REGION
#define BOTH_AT    (2 * REGION) /* what multimem stores write */
#define GLOBAL     (3 * REGION)
#define MULTIMEM   UINT64_C(0x777000)
#define STEP       2048u
#define PAGE       4096u
#define LONG_FIRST 16u   /* bytes of the first burst */
#define FIRST      1552u /* of every second copy, the end is in the next page */

/* Shared memory. */
#define BARRIERS_AT 64u
#define SOURCE_AT   1024u
#define TARGET_AT   6144u
#define CP_BYTES    16u
#define CP_AT       (TARGET_AT + TRAFFIC_COPIES * TRAFFIC_BYTES)

static uint8_t pattern(uint32_t where, uint32_t i)
{
	uint32_t z = (where + 1) * 0x9E3779B9u ^ i * 0x85EBCA6Bu;

	z = (z ^ z >> 15) * 0x2C1B3C6Du;
	return (uint8_t)(z >> 20);
}

static uint32_t global_offset(uint32_t i)
{
	return i * STEP + FIRST;
}

static uint32_t source_of(uint32_t i)
{
	return SOURCE_AT + i % 4 * TRAFFIC_BYTES;
}

static uint32_t target_of(uint32_t i)
{
	return TARGET_AT + i * TRAFFIC_BYTES;
}

struct tma_command traffic_command(enum traffic_kind kind, uint32_t i)
{
	struct tma_command c = fault_command(TMA_SIGNAL);

	c.size = TRAFFIC_BYTES;
	c.barrier = BARRIERS_AT + i * 8;
	switch (kind) {
	case TRAFFIC_LOADS:
		c.opcode = TMA_BULK_LOAD;
		c.global_address = BASE + LOADS_AT + global_offset(i);
		c.shared_dst = target_of(i);
		return c;
	case TRAFFIC_CP_ASYNC:
		c = fault_command(TMA_CP_ASYNC);
		c.global_address = BASE + LOADS_AT + global_offset(i);
		c.shared_dst = CP_AT + i * CP_BYTES;
		c.size = CP_BYTES;
		return c;
	case TRAFFIC_STORES:
	case TRAFFIC_MULTIMEM:
		c.barrier = 0;
		c.opcode = kind == TRAFFIC_STORES ? TMA_BULK_STORE : TMA_MULTIMEM_BULK_STORE;
		c.global_address = (kind == TRAFFIC_STORES ? BASE + STORES_AT : MULTIMEM) + global_offset(i);
		c.shared_src = source_of(i);
		return c;
	case TRAFFIC_SHARED_COPIES:
		c.opcode = TMA_BULK_SHARED;
		c.shared_src = source_of(i);
		c.shared_dst = fault_at(1, target_of(i));
		c.barrier = fault_at(1, c.barrier);
		return c;
	default:
		return fault_command(TMA_SIGNAL);
	}
}

struct tma_command traffic_long_store(const struct traffic *t)
{
	struct tma_command c = fault_command(TMA_MULTIMEM_BULK_STORE);

	c.global_address = MULTIMEM + PAGE - LONG_FIRST;
	c.size = LONG_FIRST + (t->info->smem_bytes >= REGION ? REGION / PAGE - 1 : 3) * PAGE;
	return c;
}

uint64_t traffic_place(enum traffic_kind kind, uint64_t address)
{
	return kind == TRAFFIC_MULTIMEM ? BASE + BOTH_AT + (address - MULTIMEM) : address;
}

uint32_t traffic_channels(enum traffic_kind kind, uint32_t port)
{
	switch (kind) {
	case TRAFFIC_LOADS:
	case TRAFFIC_CP_ASYNC:
		return port ? 0 : RIG_AR | RIG_R;
	case TRAFFIC_STORES:
		return port ? 0 : RIG_AW | RIG_W | RIG_B;
	case TRAFFIC_MULTIMEM:
		return RIG_AW | RIG_W | RIG_B;
	case TRAFFIC_RING:
		return port ? 0 : RIG_ALL_CHANNELS;
	default:
		return 0;
	}
}

/*
 * Set-up.
 */

/* Barriers that wait for the bytes of one copy each. */
static void fill_shared(struct traffic *t)
{
	for (uint32_t cta = 0; cta < 2; cta++) {
		for (uint32_t i = 0; i < TRAFFIC_SHARED; i++)
			t->shared[cta][i] = pattern(8 + cta, i);
		for (uint32_t i = 0; i < TRAFFIC_COPIES; i++) {
			uint64_t word = fault_barrier_word(1, 0, TRAFFIC_BYTES);

			for (unsigned int k = 0; k < 8; k++)
				t->shared[cta][BARRIERS_AT + i * 8 + k] = (uint8_t)(word >> 8 * k);
		}
		rig_smem_post_write(t->rig, cta, 0, t->shared[cta], TRAFFIC_SHARED);
	}
	rig_smem_flush(t->rig);
}

void traffic_reset(struct traffic *t)
{
	struct rig_multimem window = { .base = MULTIMEM, .limit = MULTIMEM + REGION - 1 };

	rig_reset(t->rig);
	for (uint32_t p = 0; p < t->info->ports; p++) {
		for (uint32_t i = 0; i < GLOBAL; i++)
			t->global[p][i] = pattern(p, i);
		window.port_base[p] = BASE + BOTH_AT;
		window.ports |= 1u << p;
	}
	fill_shared(t);
	memset(t->kind, 0, sizeof(t->kind));
	rig_multimem(t->rig, 0, &window);
}

static void set_up(struct traffic *t, uint32_t queue, enum traffic_kind kind, enum rig_consumer consumer)
{
	const struct rig_window windows[] = {
		{ BASE + LOADS_AT, BASE + LOADS_AT + REGION - 1, RIG_READ },
		{ BASE + STORES_AT, BASE + STORES_AT + REGION - 1, RIG_WRITE },
		{ MULTIMEM, MULTIMEM + REGION - 1, RIG_MULTIMEM },
	};
	const struct rig_queue setup = { .stream = (uint8_t)(queue + 1),
		                         .windows = windows,
		                         .num_windows = 3,
		                         .front = kind == TRAFFIC_RING ? RIG_RING : RIG_DIRECT,
		                         .ring_log2 = 4,
		                         .completion_log2 = 4,
		                         .bell = RIG_BELL_RANDOM,
		                         .consumer = consumer };

	t->kind[queue] = kind;
	rig_queue_setup(t->rig, queue, &setup);
}

void traffic_queue(struct traffic *t, uint32_t queue, enum traffic_kind kind)
{
	set_up(t, queue, kind, RIG_CONSUMER_EAGER);
}

void traffic_ring(struct traffic *t, uint32_t queue, enum rig_consumer consumer)
{
	set_up(t, queue, TRAFFIC_RING, consumer);
}

static void submit(struct traffic *t, uint32_t queue, struct tma_command c)
{
	c.tag = queue;
	if (rig_submit(t->rig, queue, &c) < 0)
		rig_error(t->rig, "queue %u takes no command", queue);
}

void traffic_submit(struct traffic *t, uint32_t queue)
{
	enum traffic_kind kind = t->kind[queue];

	for (uint32_t i = 0; i < TRAFFIC_COPIES; i++)
		submit(t, queue, traffic_command(kind, i));
	if (kind == TRAFFIC_RING)
		return;
	if (kind == TRAFFIC_CP_ASYNC) {
		submit(t, queue, fault_command(TMA_CP_ASYNC_WAIT_ALL));
	} else {
		submit(t, queue, fault_command(TMA_BULK_COMMIT_GROUP));
		submit(t, queue, fault_command(TMA_BULK_WAIT_GROUP));
	}
	submit(t, queue, fault_command(TMA_SIGNAL));
}

/*
 * What became of it.
 */

static bool shared_is(struct traffic *t, uint32_t cta, uint32_t at, const uint8_t *bytes, uint32_t count)
{
	uint8_t now[TRAFFIC_BYTES];

	rig_smem_read(t->rig, cta, at, now, count);
	return !memcmp(now, bytes, count);
}

static bool command_done(struct traffic *t, enum traffic_kind kind, uint32_t i, uint32_t ports)
{
	const uint8_t *from = t->global[0] + LOADS_AT + global_offset(i);
	const uint8_t *source = t->shared[0] + source_of(i);
	bool done = true;

	switch (kind) {
	case TRAFFIC_LOADS:
		return shared_is(t, 0, target_of(i), from, TRAFFIC_BYTES);
	case TRAFFIC_CP_ASYNC:
		return shared_is(t, 0, CP_AT + i * CP_BYTES, from, CP_BYTES);
	case TRAFFIC_SHARED_COPIES:
		return shared_is(t, 1, target_of(i), source, TRAFFIC_BYTES);
	case TRAFFIC_STORES:
		return !memcmp(t->global[0] + STORES_AT + global_offset(i), source, TRAFFIC_BYTES);
	case TRAFFIC_MULTIMEM:
		for (uint32_t p = 0; p < t->info->ports; p++)
			if (ports >> p & 1)
				done &= !memcmp(t->global[p] + BOTH_AT + global_offset(i), source,
				                TRAFFIC_BYTES);
		return done;
	default:
		return true;
	}
}

bool traffic_done(struct traffic *t, uint32_t queue, uint32_t count, uint32_t ports)
{
	for (uint32_t i = 0; i < count && i < TRAFFIC_COPIES; i++)
		if (!command_done(t, t->kind[queue], i, ports))
			return false;
	return true;
}

bool traffic_long_store_done(struct traffic *t, uint32_t ports)
{
	const struct tma_command c = traffic_long_store(t);
	static uint8_t source[REGION];
	bool done = true;

	rig_smem_read(t->rig, 0, c.shared_src, source, c.size);
	for (uint32_t p = 0; p < t->info->ports; p++)
		if (ports >> p & 1)
			done &= !memcmp(t->global[p] + BOTH_AT + PAGE - LONG_FIRST, source, c.size);
	return done;
}

/* Byte `at` of the target of some copy `i`, or -1. */
static int64_t copied_from(uint32_t at)
{
	for (uint32_t i = 0; i < TRAFFIC_COPIES; i++)
		if (at - global_offset(i) < TRAFFIC_BYTES)
			return source_of(i) + (at - global_offset(i));
	return -1;
}

static bool global_clean(const struct traffic *t)
{
	for (uint32_t p = 0; p < t->info->ports; p++)
		for (uint32_t i = 0; i < GLOBAL; i++) {
			int64_t from = i < STORES_AT ? -1 : copied_from(i % REGION);

			if (t->global[p][i] != pattern(p, i) &&
			    (from < 0 || t->global[p][i] != t->shared[0][from]))
				return false;
		}
	return true;
}

/* What may be written at this place of shared memory beside what was there. */
static uint8_t expected(const struct traffic *t, uint32_t cta, uint32_t at)
{
	uint32_t i = (at - TARGET_AT) / TRAFFIC_BYTES;

	if (at >= TARGET_AT && i < TRAFFIC_COPIES)
		return cta ? t->shared[0][source_of(i) + (at - target_of(i))]
		           : t->global[0][LOADS_AT + global_offset(i) + (at - target_of(i))];
	i = (at - CP_AT) / CP_BYTES;
	if (!cta && at >= CP_AT && i < TRAFFIC_COPIES)
		return t->global[0][LOADS_AT + global_offset(i) + at % CP_BYTES];
	return t->shared[cta][at];
}

static bool shared_clean(struct traffic *t)
{
	static uint8_t now[2][TRAFFIC_SHARED];

	for (uint32_t cta = 0; cta < 2; cta++)
		rig_smem_post_read(t->rig, cta, 0, now[cta], TRAFFIC_SHARED);
	rig_smem_flush(t->rig);
	for (uint32_t cta = 0; cta < 2; cta++)
		for (uint32_t at = SOURCE_AT; at < TRAFFIC_SHARED; at++)
			if (now[cta][at] != t->shared[cta][at] && now[cta][at] != expected(t, cta, at))
				return false;
	return true;
}

bool traffic_clean(struct traffic *t)
{
	return global_clean(t) && shared_clean(t);
}

/*
 * Life.
 */

/* What only the long store reads. Memory that was never written has no certain bytes. */
static void fill_the_rest(struct traffic *t)
{
	static uint8_t bytes[REGION - TRAFFIC_SHARED];

	for (uint32_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = pattern(10, i);
	if (t->info->smem_bytes >= REGION)
		rig_smem_write(t->rig, 0, TRAFFIC_SHARED, bytes, sizeof(bytes));
}

/* Failures of the rig. */
static int close_traffic(struct traffic *t)
{
	int failures = rig_failed(t->rig);

	failures += rig_close(t->rig);
	for (uint32_t p = 0; p < TRAFFIC_PORTS; p++)
		free(t->global[p]);
	free(t);
	return failures;
}

/* Two CTAs and a queue at least. NULL: no such configuration, or no memory. */
static struct traffic *open_traffic(const char *config, const struct rig_opts *opts)
{
	struct traffic *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->rig = rig_open(config, opts);
	if (!t->rig) {
		free(t);
		return NULL;
	}
	t->info = rig_info(t->rig);
	for (uint32_t p = 0; p < t->info->ports; p++) {
		t->global[p] = malloc(GLOBAL);
		if (!t->global[p] || rig_map(t->rig, p, BASE, GLOBAL, t->global[p])) {
			close_traffic(t);
			return NULL;
		}
	}
	fill_the_rest(t);
	return t;
}

int traffic_run(const char *name, const char *config, const struct rig_opts *opts, struct CMUnitTest *tests,
                size_t count)
{
	struct traffic *t = open_traffic(config, opts);
	int failed;

	if (!t)
		return 1;
	for (size_t i = 0; i < count; i++)
		tests[i].initial_state = t;
	failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);
	return failed + close_traffic(t);
}
