/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_late - with a seed a program that forgets a wait goes wrong, and one that does not never does.
 *
 * Spec: tma_model.h (seed); semantics 4.2, 4.3 F14, F15, F17
 * Checks: each program, over 64 seeds: with its wait the result is right every time; without it, or with one that
 *         promises too little, it is wrong a few times at least, how often is printed. Without a seed it is right all
 *         the same, which is what the seeds are for.
 */
#include "model_cases.h"
#include "model_tensor.h"

#define SEEDS 64u
#define LEAST 16u /* seeds that see what was forgotten */
#define SIZE  1024u

#define A     GLOBAL
#define B     (GLOBAL + 4 * PAGE)
#define X     (GLOBAL + 8 * PAGE)
#define BOTH  (GLOBAL + 12 * PAGE) /* a multimem object */
#define HERE  0x1000u              /* shared memory */
#define THERE 0x4000u
#define EMPTY 0x48u /* a second barrier of CTA 0 */

struct world {
	struct fixture *f;
	uint8_t port1[PAGE];
	uint8_t seen[SIZE]; /* by the host */
};

struct program {
	const char *name;
	void (*run)(struct world *w, bool waits);
	bool (*right)(struct world *w);
};

static uint8_t *now_global(const struct world *w, uint64_t address)
{
	return w->f->global + (address - GLOBAL);
}

static const uint8_t *was_global(const struct world *w, uint64_t address)
{
	return w->f->expected.global + PAGE + (address - GLOBAL);
}

static uint8_t *now_shared(const struct world *w, uint32_t rank, uint32_t offset)
{
	return tma_model_smem(w->f->m, rank) + offset;
}

static const uint8_t *was_shared(const struct world *w, uint32_t rank, uint32_t offset)
{
	return w->f->expected.smem[rank] + offset;
}

static void put(struct world *w, uint32_t q, struct tma_command c)
{
	submit(w->f, q, c);
}

static struct tma_command wait_group(uint32_t n, unsigned int flags)
{
	struct tma_command c = with_flags(command(TMA_BULK_WAIT_GROUP), flags);

	c.count = n;
	return c;
}

static void commit_and_wait(struct world *w, uint32_t q, unsigned int flags)
{
	put(w, q, command(TMA_BULK_COMMIT_GROUP));
	put(w, q, wait_group(0, flags));
}

static struct tma_command wait_phase(uint32_t bar, uint32_t parity)
{
	struct tma_command c = wait_parity(TMA_MBARRIER_TRY_WAIT, bar, parity);

	c.tx = UINT32_MAX;
	return c;
}

/* The host waits for this record. */
static void wait_record(struct world *w, uint8_t kind)
{
	struct tma_record r;

	do {
		while (!tma_model_next_record(w->f->m, &r))
			assert_true(tma_model_run(w->f->m) > 0);
		assert_int_equal(r.fault, 0);
	} while (r.kind != kind);
}

static void wait_signal(struct world *w, uint32_t q)
{
	put(w, q, command(TMA_SIGNAL));
	wait_record(w, TMA_KIND_SIGNAL);
}

/*
 * Loads.
 */

static void load_store(struct world *w, bool waits)
{
	put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
	put(w, 0, load(AT(0, HERE), A, SIZE, AT(0, BAR)));
	if (waits)
		put(w, 0, wait_phase(AT(0, BAR), 0));
	put(w, 0, store(B, AT(0, HERE), SIZE));
}

static bool a_is_in_b(struct world *w)
{
	return !memcmp(now_global(w, B), was_global(w, A), SIZE);
}

/* The group of a load tells when it was read, not that it is there. */
static void load_group_store(struct world *w, bool waits)
{
	put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
	put(w, 0, load(AT(0, HERE), A, SIZE, AT(0, BAR)));
	commit_and_wait(w, 0, 0);
	if (waits)
		put(w, 0, wait_phase(AT(0, BAR), 0));
	put(w, 0, store(B, AT(0, HERE), SIZE));
}

static void load_host(struct world *w, bool waits)
{
	put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
	put(w, 0, load(AT(0, HERE), A, SIZE, AT(0, BAR)));
	if (waits)
		put(w, 0, wait_phase(AT(0, BAR), 0));
	wait_signal(w, 0);
	memcpy(w->seen, now_shared(w, 0, HERE), SIZE);
}

static bool host_sees_a(struct world *w)
{
	return !memcmp(w->seen, was_global(w, A), SIZE);
}

/* The source is written again. */
static void load_reuse(struct world *w, bool waits)
{
	put(w, 0, load(AT(0, HERE), A, SIZE, AT(0, BAR)));
	if (waits)
		commit_and_wait(w, 0, TMA_FLAG_READ);
	put(w, 0, store(A, AT(0, THERE), SIZE));
}

static bool a_is_here(struct world *w)
{
	return !memcmp(now_shared(w, 0, HERE), was_global(w, A), SIZE);
}

/* CTA 1's barrier is another one. */
static void multicast_barriers(struct world *w, bool waits)
{
	put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
	put(w, 0, arrive_expect_tx(AT(1, BAR), SIZE, 0));
	put(w, 0, multicast(AT(0, HERE), A, SIZE, AT(0, BAR), 3));
	put(w, 0, wait_phase(AT(0, BAR), 0));
	put(w, 0, command(TMA_SIGNAL));
	wait_record(w, TMA_KIND_SIGNAL);
	if (waits)
		put(w, 1, wait_phase(AT(1, BAR), 0));
	put(w, 1, store(B, AT(1, HERE), SIZE));
}

/* Another queue reads what this one loads. */
static void load_other_queue(struct world *w, bool waits)
{
	put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
	put(w, 0, load(AT(0, HERE), A, SIZE, AT(0, BAR)));
	wait_signal(w, 0);
	if (waits)
		put(w, 2, wait_phase(AT(0, BAR), 0));
	put(w, 2, store(B, AT(0, HERE), SIZE));
}

/* Producer and consumer, one buffer: it is free when it was read. */
static void pipeline(struct world *w, bool waits)
{
	for (uint32_t i = 0; i < 4; i++) {
		if (i)
			put(w, 0, wait_phase(AT(0, EMPTY), (i - 1) % 2));
		put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
		put(w, 0, load(AT(0, HERE), A + i * SIZE, SIZE, AT(0, BAR)));
		put(w, 2, wait_phase(AT(0, BAR), i % 2));
		put(w, 2, store(B + i * SIZE, AT(0, HERE), SIZE));
		if (waits)
			commit_and_wait(w, 2, TMA_FLAG_READ);
		put(w, 2, arrive(AT(0, EMPTY), 1, 0));
	}
}

static bool tiles_are_in_b(struct world *w)
{
	return !memcmp(now_global(w, B), was_global(w, A), 4 * SIZE);
}

/*
 * Stores.
 */

static void store_reuse(struct world *w, bool waits)
{
	put(w, 0, store(B, AT(0, HERE), SIZE));
	if (waits)
		commit_and_wait(w, 0, TMA_FLAG_READ);
	put(w, 0, load(AT(0, HERE), A, SIZE, AT(0, BAR)));
}

static bool here_is_in_b(struct world *w)
{
	return !memcmp(now_global(w, B), was_shared(w, 0, HERE), SIZE);
}

/* The wait for an older group. */
static void store_reuse_wrong_group(struct world *w, bool waits)
{
	put(w, 0, store(X, AT(0, THERE), SIZE));
	put(w, 0, command(TMA_BULK_COMMIT_GROUP));
	put(w, 0, store(B, AT(0, HERE), SIZE));
	put(w, 0, command(TMA_BULK_COMMIT_GROUP));
	put(w, 0, wait_group(waits ? 0 : 1, TMA_FLAG_READ));
	put(w, 0, load(AT(0, HERE), A, SIZE, AT(0, BAR)));
}

static void store_load(struct world *w, unsigned int flags)
{
	put(w, 0, store(B, AT(0, HERE), SIZE));
	commit_and_wait(w, 0, flags);
	put(w, 0, load(AT(0, THERE), B, SIZE, AT(0, BAR)));
}

static void store_load_read(struct world *w, bool waits)
{
	store_load(w, waits ? 0 : TMA_FLAG_READ);
}

static bool here_is_there(struct world *w)
{
	return !memcmp(now_shared(w, 0, THERE), was_shared(w, 0, HERE), SIZE);
}

static void store_host(struct world *w, bool waits)
{
	put(w, 0, store(B, AT(0, HERE), SIZE));
	if (waits)
		commit_and_wait(w, 0, 0);
	wait_signal(w, 0);
	memcpy(w->seen, now_global(w, B), SIZE);
}

static bool host_sees_here(struct world *w)
{
	return !memcmp(w->seen, was_shared(w, 0, HERE), SIZE);
}

static void store_other_queue(struct world *w, bool waits)
{
	put(w, 0, store(B, AT(0, HERE), SIZE));
	if (waits)
		commit_and_wait(w, 0, 0);
	wait_signal(w, 0);
	put(w, 2, load(AT(0, THERE), B, SIZE, AT(0, BAR)));
}

static void multimem_host(struct world *w, bool waits)
{
	struct tma_command c = store(BOTH, AT(0, HERE), SIZE);

	c.opcode = TMA_MULTIMEM_BULK_STORE;
	put(w, 0, c);
	if (waits)
		commit_and_wait(w, 0, 0);
	wait_signal(w, 0);
	memcpy(w->seen, w->port1, SIZE);
}

/* The host gives the memory to somebody else while the queue is closing. */
static void close_host(struct world *w, bool waits)
{
	struct tma_queue_config off = w->f->queues[0];

	off.enable = 0;
	put(w, 0, store(B, AT(0, HERE), SIZE));
	wait_signal(w, 0);
	assert_int_equal(tma_model_queue(w->f->m, 0, &off), 0);
	while (waits && status_of(w->f, 0).closing)
		assert_true(tma_model_run(w->f->m) > 0);
	memset(now_global(w, B), 0x99, SIZE);
}

static bool b_is_given_away(struct world *w)
{
	for (uint32_t i = 0; i < SIZE; i++)
		if (now_global(w, B)[i] != 0x99)
			return false;
	return true;
}

/*
 * Copies between CTAs, reductions, cp.async.
 */

static void shared_store(struct world *w, bool waits)
{
	put(w, 0, arrive_expect_tx(AT(1, BAR), SIZE, 0));
	put(w, 0, copy(AT(1, THERE), AT(0, HERE), SIZE, AT(1, BAR)));
	wait_signal(w, 0);
	if (waits)
		put(w, 1, wait_phase(AT(1, BAR), 0));
	put(w, 1, store(B, AT(1, THERE), SIZE));
}

static struct tma_command add(uint8_t opcode, struct tma_command c)
{
	c.opcode = opcode;
	c.op = TMA_REDUCE_ADD;
	c.type = TMA_TYPE_U32;
	return c;
}

static void reduce_load(struct world *w, bool waits)
{
	put(w, 0, add(TMA_BULK_REDUCE, store(B, AT(0, HERE), SIZE)));
	if (waits)
		commit_and_wait(w, 0, 0);
	put(w, 0, load(AT(0, THERE), B, SIZE, AT(0, BAR)));
}

static uint32_t word(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool is_sum(const uint8_t *is, const uint8_t *a, const uint8_t *b)
{
	for (uint32_t i = 0; i < SIZE; i += 4)
		if (word(is + i) != word(a + i) + word(b + i))
			return false;
	return true;
}

static bool sum_is_there(struct world *w)
{
	return is_sum(now_shared(w, 0, THERE), was_global(w, B), was_shared(w, 0, HERE));
}

static void reduce_shared_store(struct world *w, bool waits)
{
	put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
	put(w, 0, add(TMA_BULK_REDUCE_SHARED, copy(AT(0, THERE), AT(0, HERE), SIZE, AT(0, BAR))));
	if (waits)
		put(w, 0, wait_phase(AT(0, BAR), 0));
	put(w, 0, store(B, AT(0, THERE), SIZE));
}

static bool sum_is_in_b(struct world *w)
{
	return is_sum(now_global(w, B), was_shared(w, 0, THERE), was_shared(w, 0, HERE));
}

static void put_cp(struct world *w, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct tma_command c = base_cp_async();

		c.size = 16;
		c.global_address = A + 16 * i;
		c.shared_dst = AT(0, HERE + 16 * i);
		put(w, 0, c);
	}
}

static void cp_store(struct world *w, bool waits)
{
	put_cp(w, 4);
	put(w, 0, command(TMA_CP_ASYNC_COMMIT_GROUP));
	if (waits)
		put(w, 0, command(TMA_CP_ASYNC_WAIT_GROUP));
	put(w, 0, store(B, AT(0, HERE), 64));
}

static bool copies_are_in_b(struct world *w)
{
	return !memcmp(now_global(w, B), was_global(w, A), 64);
}

/* A plain arrive does not wait for cp.async. */
static void cp_arrive(struct world *w, bool waits)
{
	struct tma_command c = with_flags(base_cp_arrive(), TMA_FLAG_NOINC);

	c.barrier = AT(0, BAR);
	put_cp(w, 4);
	put(w, 0, waits ? c : arrive(AT(0, BAR), 1, 0));
	put(w, 2, wait_phase(AT(0, BAR), 0));
	put(w, 2, store(B, AT(0, HERE), 64));
}

/*
 * Tensor maps.
 */

static void set_map(struct world *w, uint64_t address)
{
	const struct map_fields fields = { .address = address,
		                           .rank = 2,
		                           .type = TMA_RAW_TYPE_U8,
		                           .dim = { 64, SIZE / 64 },
		                           .stride = { 64 },
		                           .box = { 64, SIZE / 64 } };
	uint64_t words[16];

	map_encode(&fields, words);
	memcpy(now_global(w, MAP), words, sizeof(words));
}

static struct tma_command box(uint8_t opcode, uint32_t at)
{
	struct tma_command c = tensor(opcode, TMA_MODE_TILE, 2, 0, 0, 0, 0, 0);

	c.shared_dst = AT(0, at);
	return c;
}

static void new_map(struct world *w, bool waits)
{
	struct tma_command fence = command(TMA_MAP_FENCE);

	fence.global_address = MAP;
	set_map(w, X);
	put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
	put(w, 0, box(TMA_TENSOR_LOAD, HERE));
	put(w, 0, wait_phase(AT(0, BAR), 0));
	wait_signal(w, 0);
	set_map(w, A);
	if (waits)
		put(w, 0, fence);
	put(w, 0, box(TMA_TENSOR_LOAD, HERE));
}

/* A map is read some time after its command has issued. */
static void map_in_use(struct world *w, bool waits)
{
	set_map(w, B);
	put(w, 0, box(TMA_TENSOR_STORE, HERE));
	if (waits)
		commit_and_wait(w, 0, TMA_FLAG_READ);
	wait_signal(w, 0);
	set_map(w, X);
}

static void tensor_reuse(struct world *w, bool waits)
{
	set_map(w, B);
	put(w, 0, box(TMA_TENSOR_STORE, HERE));
	if (waits)
		commit_and_wait(w, 0, TMA_FLAG_READ);
	put(w, 0, load(AT(0, HERE), A, SIZE, AT(0, BAR)));
}

static const struct program programs[] = {
	{ "load, store of its destination", load_store, a_is_in_b },
	{ "load, its group alone", load_group_store, a_is_in_b },
	{ "load, read by the host", load_host, host_sees_a },
	{ "load, its source written", load_reuse, a_is_here },
	{ "load, read by another queue", load_other_queue, a_is_in_b },
	{ "multicast, the barrier of another CTA", multicast_barriers, a_is_in_b },
	{ "pipeline, buffer free too early", pipeline, tiles_are_in_b },
	{ "store, its source written", store_reuse, here_is_in_b },
	{ "store, an older group waited for", store_reuse_wrong_group, here_is_in_b },
	{ "store, wait for its reads alone", store_load_read, here_is_there },
	{ "store, read by the host", store_host, host_sees_here },
	{ "store, read by another queue", store_other_queue, here_is_there },
	{ "multimem store, read by the host", multimem_host, host_sees_here },
	{ "store of a queue that is closing", close_host, b_is_given_away },
	{ "CTA to CTA, read by another queue", shared_store, here_is_in_b },
	{ "reduction, load of the sum", reduce_load, sum_is_there },
	{ "reduction of shared memory, store", reduce_shared_store, sum_is_in_b },
	{ "cp.async, store of its destination", cp_store, copies_are_in_b },
	{ "cp.async, a plain arrive", cp_arrive, copies_are_in_b },
	{ "tensor map replaced, no fence", new_map, a_is_here },
	{ "tensor map written while in use", map_in_use, here_is_in_b },
	{ "tensor store, its source written", tensor_reuse, here_is_in_b },
};

/* Queue 0 may write to a multimem object, on page 12 of port 0 and on port 1. */
static void add_multimem(struct world *w)
{
	static const struct tma_multimem both = { BOTH, BOTH + PAGE - 1, 3, { BOTH, 0 } };
	static const struct tma_window window = { BOTH, BOTH + PAGE - 1, TMA_WINDOW_MULTIMEM };
	struct tma_queue_config on = w->f->queues[0];

	requeue(w->f, 0, &(struct tma_queue_config){ 0 }, NULL);
	assert_int_equal(tma_model_map(w->f->m, 1, 0, PAGE, w->port1), 0);
	assert_int_equal(tma_model_multimem(w->f->m, 0, &both), 0);
	assert_int_equal(tma_model_window(w->f->m, 0, 1, &window), 0);
	requeue(w->f, 0, &on, NULL);
}

/* Did it come out right? */
static bool try(const struct program *p, uint64_t seed, bool waits)
{
	struct world w = { .f = fixture_late(seed) };
	bool right = true;

	add_multimem(&w);
	put_barrier(w.f, 0, EMPTY, barrier_word(1, 1, 0, 0));
	remember(w.f);
	p->run(&w, waits);
	run_all(w.f);
	for (uint32_t q = 0; q < QUEUES; q++)
		right = right && !status_of(w.f, q).faulted && !status_of(w.f, q).queued;
	right = right && p->right(&w);
	fixture_free(w.f);
	return right;
}

static void over_the_seeds(void **state)
{
	const struct program *p = *state;
	uint32_t wrong = 0;

	assert_true(try(p, 0, true));
	assert_true(try(p, 0, false));
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		if (!try(p, seed, true))
			fail_msg("seed %u: nothing was forgotten, and the result is wrong", (uint32_t)seed);
		wrong += !try(p, seed, false);
	}
	print_message("             without its wait: wrong with %u of %u seeds\n", wrong, SEEDS);
	assert_true(wrong >= LEAST);
}

TABLE_SUITE(test_model_late, programs, over_the_seeds)
