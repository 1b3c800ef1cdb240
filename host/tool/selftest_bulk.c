/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: bulk copies, their groups, prefetches and multimem stores. */
#include <string.h>

#include "selftest.h"

/* From the image of global memory to that of a CTA, and the other way. */
static void loaded(struct selftest *t, uint32_t cta, uint32_t to, uint32_t from, uint32_t bytes)
{
	memcpy(t->shared[cta] + to, t->global + from, bytes);
}

static void stored(struct selftest *t, uint32_t to, uint32_t cta, uint32_t from, uint32_t bytes,
                   uint16_t mask)
{
	uint32_t i;

	for (i = 0; i < bytes; i++)
		if (mask >> i % 16 & 1)
			t->global[to + i] = t->shared[cta][from + i];
}

/* ---- Loads --------------------------------------------------------------------------------------- */

/* One granule, not at the start of a beat, over pages of 4 KiB, nothing at all. */
static const struct piece {
	uint32_t global, shared, bytes;
} pieces[] = {
	{ 16, 256, 16 }, { 4064, 512, 1040 }, { 8208, 2000, 480 }, { 12288, 2560, 512 }, { 20480, 3200, 0 },
};

#define PIECES (sizeof(pieces) / sizeof(pieces[0]))

static uint32_t all_pieces(void)
{
	uint32_t bytes = 0;
	size_t i;

	for (i = 0; i < PIECES; i++)
		bytes += pieces[i].bytes;
	return bytes;
}

void st_bulk_load(struct selftest *t)
{
	uint32_t other = t->info.ctas - 1, i;

	st_fresh(t, 10, 1);
	st_expect(t, 0, all_pieces());
	for (i = 0; i < PIECES; i++) {
		tma_cp_async_bulk_load(st_next(t), tma_shared(0, pieces[i].shared),
		                       st_address(t, pieces[i].global), pieces[i].bytes,
		                       tma_shared(0, ST_BARRIER));
		loaded(t, 0, pieces[i].shared, pieces[i].global, pieces[i].bytes);
	}
	/* Hints, and the form that stays in the CTA. */
	tma_set_cache_hint(&t->program[t->commands - 2], UINT64_C(0x14F0000000000000));
	tma_set_cta_local(&t->program[t->commands - 3]);
	st_arrived(t, 0);
	st_run(t, 0);
	st_compare(t);
	if (!other || st_failed(t))
		return;

	/* CTA 0 loads into another one, which waits. */
	st_fresh(t, 11, 1u << other | 1);
	st_expect(t, other, 1024);
	st_run(t, other);
	tma_cp_async_bulk_load(st_next(t), tma_shared(other, ST_DATA), st_address(t, 8176), 1024,
	                       tma_shared(other, ST_BARRIER));
	loaded(t, other, ST_DATA, 8176, 1024);
	st_run(t, 0);
	st_arrived(t, other);
	st_run(t, other);
	st_compare(t);
}

void st_bulk_multicast(struct selftest *t)
{
	uint32_t ctas = t->info.ctas, all = (1u << ctas) - 1, mask = all & 0xAAAA, cta;

	/* To all, and to every other one; a mask of nobody moves nothing. */
	st_fresh(t, 12, all);
	for (cta = 0; cta < ctas; cta++) {
		st_expect(t, cta, mask >> cta & 1 ? 1024 + 256 : 1024);
		st_run(t, cta);
		loaded(t, cta, ST_DATA, 4080, 1024);
		if (mask >> cta & 1)
			loaded(t, cta, 3072, 16384, 256);
	}
	tma_cp_async_bulk_load_multicast(st_next(t), tma_shared(0, ST_DATA), st_address(t, 4080), 1024,
	                                 tma_shared(0, ST_BARRIER), (uint16_t)all);
	tma_cp_async_bulk_load_multicast(st_next(t), tma_shared(0, 3072), st_address(t, 16384), 256,
	                                 tma_shared(0, ST_BARRIER), (uint16_t)mask);
	tma_cp_async_bulk_load_multicast(st_next(t), tma_shared(0, 3584), st_address(t, 0), 256,
	                                 tma_shared(0, ST_BARRIER), 0);
	st_run(t, 0);
	for (cta = 0; cta < ctas; cta++) {
		st_arrived(t, cta);
		st_run(t, cta);
	}
	st_compare(t);
	st_note(t, "%u CTAs", ctas);
}

/* ---- Stores -------------------------------------------------------------------------------------- */

void st_bulk_store(struct selftest *t)
{
	uint32_t cta = t->info.ctas - 1, i;

	st_fresh(t, 13, 1u << cta);
	for (i = 0; i < PIECES; i++) {
		tma_cp_async_bulk_store(st_next(t), st_address(t, pieces[i].global),
		                        tma_shared(cta, pieces[i].shared), pieces[i].bytes);
		stored(t, pieces[i].global, cta, pieces[i].shared, pieces[i].bytes, 0xFFFF);
	}
	tma_cp_async_bulk_store_masked(st_next(t), st_address(t, 32752), tma_shared(cta, 272), 544, 0x5A3C);
	stored(t, 32752, cta, 272, 544, 0x5A3C);
	tma_cp_async_bulk_store_masked(st_next(t), st_address(t, 40960), tma_shared(cta, 272), 64, 0);
	tma_cp_async_bulk_store_masked(st_next(t), st_address(t, 45056), tma_shared(cta, 272), 64, 0x8001);
	stored(t, 45056, cta, 272, 64, 0x8001);
	st_stored(t);
	st_run(t, cta);
	st_compare(t);
}

void st_bulk_shared(struct selftest *t)
{
	uint32_t to = t->info.ctas - 1;

	if (!to) {
		st_skip(t, "there is one CTA");
		return;
	}
	st_fresh(t, 14, 1u << to | 1);
	st_expect(t, to, 1024 + 48);
	st_run(t, to);
	tma_cp_async_bulk_shared(st_next(t), tma_shared(to, ST_DATA), tma_shared(0, 528), 1024,
	                         tma_shared(to, ST_BARRIER));
	memcpy(t->shared[to] + ST_DATA, t->shared[0] + 528, 1024);
	tma_cp_async_bulk_shared(st_next(t), tma_shared(to, 3088), tma_shared(0, 3200), 48,
	                         tma_shared(to, ST_BARRIER));
	memcpy(t->shared[to] + 3088, t->shared[0] + 3200, 48);
	st_run(t, 0);
	st_arrived(t, to);
	st_run(t, to);
	st_compare(t);
}

/* ---- Groups -------------------------------------------------------------------------------------- */

/* Stores in groups; a source that has been read is loaded over, and stored again. */
void st_bulk_groups(struct selftest *t)
{
	uint32_t i;

	st_fresh(t, 15, 1);
	for (i = 0; i < 6; i++) {
		tma_cp_async_bulk_store(st_next(t), st_address(t, 4096 * i), tma_shared(0, 512 + 256 * i),
		                        256);
		stored(t, 4096 * i, 0, 512 + 256 * i, 256, 0xFFFF);
		tma_cp_async_bulk_commit_group(st_next(t));
		tma_cp_async_bulk_wait_group(st_next(t), 2);
	}
	tma_cp_async_bulk_store(st_next(t), st_address(t, 32768), tma_shared(0, 2048), 512);
	stored(t, 32768, 0, 2048, 512, 0xFFFF);
	tma_cp_async_bulk_commit_group(st_next(t));
	tma_cp_async_bulk_wait_group_read(st_next(t), 0);
	st_expect(t, 0, 512);
	tma_cp_async_bulk_load(st_next(t), tma_shared(0, 2048), st_address(t, 49152), 512,
	                       tma_shared(0, ST_BARRIER));
	loaded(t, 0, 2048, 49152, 512);
	st_arrived(t, 0);
	tma_cp_async_bulk_store(st_next(t), st_address(t, 40960), tma_shared(0, 2048), 512);
	stored(t, 40960, 0, 2048, 512, 0xFFFF);
	st_stored(t);
	/* An empty group is complete. */
	tma_cp_async_bulk_commit_group(st_next(t));
	tma_cp_async_bulk_wait_group(st_next(t), 0);
	st_run(t, 0);
	st_compare(t);
}

/* Nothing tells when one is done, and nothing may change. */
void st_prefetch(struct selftest *t)
{
	st_fresh(t, 16, 1);
	tma_cp_async_bulk_prefetch(st_next(t), st_address(t, 0), ST_GLOBAL_BYTES);
	tma_cp_async_bulk_prefetch(st_next(t), st_address(t, 4080), 32);
	tma_prefetch_tensormap(st_next(t), st_address(t, ST_MAP));
	st_expect(t, 0, 64);
	tma_cp_async_bulk_load(st_next(t), tma_shared(0, ST_DATA), st_address(t, 4080), 64,
	                       tma_shared(0, ST_BARRIER));
	loaded(t, 0, ST_DATA, 4080, 64);
	st_arrived(t, 0);
	st_run(t, 0);
	st_compare(t);
}

/* ---- Multimem ------------------------------------------------------------------------------------ */

#define MULTIMEM_BYTES 4096u

static void compare_port(struct selftest *t, const struct tma_multimem_object *object, uint32_t port,
                         const uint8_t *expected)
{
	struct tma_memory *memory = tma_multimem_memory(object, port);
	uint8_t got[MULTIMEM_BYTES];

	if (!st_error(t, "tma_copy_out", tma_copy_out(memory, 0, got, sizeof(got))))
		st_bytes(t, st_port_name(port), tma_memory_address(memory), expected, got, sizeof(got));
}

/* A store, and one with a mask, over memory that is zero at first. */
static void multimem_copies(struct selftest *t, const struct tma_multimem_object *object,
                            struct tma_queue *queue)
{
	uint64_t address = tma_multimem_address(object);
	uint8_t expected[MULTIMEM_BYTES] = { 0 };
	uint32_t i;

	tma_multimem_cp_async_bulk(st_next(t), address + 16, tma_shared(0, ST_DATA), 1024);
	memcpy(expected + 16, t->shared[0] + ST_DATA, 1024);
	tma_multimem_cp_async_bulk_masked(st_next(t), address + 2048, tma_shared(0, 2048), 512, 0x0FF1);
	for (i = 0; i < 512; i++)
		if (0x0FF1 >> i % 16 & 1)
			expected[2048 + i] = t->shared[0][2048 + i];
	st_stored(t);
	st_submit(t, queue);
	st_take(t, queue);
	for (i = 0; i < t->info.ports && !st_failed(t); i++)
		compare_port(t, object, i, expected);
	st_compare(t);
}

void st_multimem(struct selftest *t)
{
	struct tma_queue_window window = { .bytes = MULTIMEM_BYTES, .allow = TMA_ALLOW_MULTIMEM };
	struct tma_queue_options options = st_queue_options(t, &window);
	struct tma_multimem_object *object;
	struct tma_queue *queue;

	if (!t->info.multimem_windows) {
		st_skip(t, "the engine has no multimem windows");
		return;
	}
	st_fresh(t, 17, 1);
	if (st_failed(t) ||
	    st_error(t, "tma_multimem_open", tma_multimem_open(t->device, MULTIMEM_BYTES, 0, &object)))
		return;
	window.address = tma_multimem_address(object);
	if (!st_error(t, "tma_queue_open", tma_queue_open(t->device, 0, &options, &queue))) {
		multimem_copies(t, object, queue);
		tma_queue_close(queue);
	}
	tma_multimem_close(object);
	st_note(t, "%u ports", t->info.ports);
}
