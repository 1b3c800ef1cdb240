/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_late_more - the same of copies between CTAs, reductions, cp.async and tensor maps.
 *
 * Spec, checks: as model_late
 */
#include "model_late.h"
#include "model_tensor.h"

/*
 * Copies between CTAs, reductions, cp.async.
 */

static void shared_store(struct world *w, bool waits)
{
	late_put(w, 0, arrive_expect_tx(AT(1, BAR), SIZE, 0));
	late_put(w, 0, copy(AT(1, THERE), AT(0, HERE), SIZE, AT(1, BAR)));
	late_wait_signal(w, 0);
	if (waits)
		late_put(w, 1, late_wait_phase(AT(1, BAR), 0));
	late_put(w, 1, store(B, AT(1, THERE), SIZE));
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
	late_put(w, 0, add(TMA_BULK_REDUCE, store(B, AT(0, HERE), SIZE)));
	if (waits)
		late_commit_and_wait(w, 0, 0);
	late_put(w, 0, load(AT(0, THERE), B, SIZE, AT(0, BAR)));
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
	return is_sum(late_now_shared(w, 0, THERE), late_was_global(w, B), late_was_shared(w, 0, HERE));
}

static void reduce_shared_store(struct world *w, bool waits)
{
	late_put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
	late_put(w, 0, add(TMA_BULK_REDUCE_SHARED, copy(AT(0, THERE), AT(0, HERE), SIZE, AT(0, BAR))));
	if (waits)
		late_put(w, 0, late_wait_phase(AT(0, BAR), 0));
	late_put(w, 0, store(B, AT(0, THERE), SIZE));
}

static bool sum_is_in_b(struct world *w)
{
	return is_sum(late_now_global(w, B), late_was_shared(w, 0, THERE), late_was_shared(w, 0, HERE));
}

static void put_cp(struct world *w, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct tma_command c = base_cp_async();

		c.size = 16;
		c.global_address = A + 16 * i;
		c.shared_dst = AT(0, HERE + 16 * i);
		late_put(w, 0, c);
	}
}

static void cp_store(struct world *w, bool waits)
{
	put_cp(w, 4);
	late_put(w, 0, command(TMA_CP_ASYNC_COMMIT_GROUP));
	if (waits)
		late_put(w, 0, command(TMA_CP_ASYNC_WAIT_GROUP));
	late_put(w, 0, store(B, AT(0, HERE), 64));
}

static bool copies_are_in_b(struct world *w)
{
	return !memcmp(late_now_global(w, B), late_was_global(w, A), 64);
}

/* A plain arrive does not wait for cp.async. */
static void cp_arrive(struct world *w, bool waits)
{
	struct tma_command c = with_flags(base_cp_arrive(), TMA_FLAG_NOINC);

	c.barrier = AT(0, BAR);
	put_cp(w, 4);
	late_put(w, 0, waits ? c : arrive(AT(0, BAR), 1, 0));
	late_put(w, 2, late_wait_phase(AT(0, BAR), 0));
	late_put(w, 2, store(B, AT(0, HERE), 64));
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
	memcpy(late_now_global(w, MAP), words, sizeof(words));
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
	late_put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
	late_put(w, 0, box(TMA_TENSOR_LOAD, HERE));
	late_put(w, 0, late_wait_phase(AT(0, BAR), 0));
	late_wait_signal(w, 0);
	set_map(w, A);
	if (waits)
		late_put(w, 0, fence);
	late_put(w, 0, box(TMA_TENSOR_LOAD, HERE));
}

/* A map is read some time after its command has issued. */
static void map_in_use(struct world *w, bool waits)
{
	set_map(w, B);
	late_put(w, 0, box(TMA_TENSOR_STORE, HERE));
	if (waits)
		late_commit_and_wait(w, 0, TMA_FLAG_READ);
	late_wait_signal(w, 0);
	set_map(w, X);
}

/* A prefetch tells nobody of its end. It has its map when a tensor copy behind it has. */
static void map_of_prefetch(struct world *w, bool waits)
{
	set_map(w, A);
	late_put(w, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
	late_put(w, 0, box(TMA_TENSOR_PREFETCH, 0));
	late_put(w, 0, box(TMA_TENSOR_LOAD, HERE));
	if (waits)
		late_put(w, 0, late_wait_phase(AT(0, BAR), 0));
	late_wait_signal(w, 0);
	if (waits)
		memset(late_now_global(w, MAP), 0xFF, 128);
	else
		set_map(w, X);
}

static bool a_is_here_without_fault(struct world *w)
{
	return !status_of(w->f, 0).faulted && late_a_is_here(w);
}

static void tensor_reuse(struct world *w, bool waits)
{
	set_map(w, B);
	late_put(w, 0, box(TMA_TENSOR_STORE, HERE));
	if (waits)
		late_commit_and_wait(w, 0, TMA_FLAG_READ);
	late_put(w, 0, load(AT(0, HERE), A, SIZE, AT(0, BAR)));
}

static const struct late_program programs[] = {
	{ "CTA to CTA, read by another queue", shared_store, late_here_is_in_b },
	{ "reduction, load of the sum", reduce_load, sum_is_there },
	{ "reduction of shared memory, store", reduce_shared_store, sum_is_in_b },
	{ "cp.async, store of its destination", cp_store, copies_are_in_b },
	{ "cp.async, a plain arrive", cp_arrive, copies_are_in_b },
	{ "tensor map replaced, no fence", new_map, late_a_is_here },
	{ "tensor map written while in use", map_in_use, late_here_is_in_b },
	{ "tensor map of a prefetch written", map_of_prefetch, a_is_here_without_fault },
	{ "tensor store, its source written", tensor_reuse, late_here_is_in_b },
};

TABLE_SUITE(test_model_late_more, programs, late_over_the_seeds)
