/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: all shared memory and a piece of global memory, with patterns that tell addresses and bits apart. */
#include <stdlib.h>
#include <string.h>

#include "selftest.h"

#define QUICK_BYTES 2048u /* of each end of a CTA's shared memory */
#define ROOM        16u   /* for a barrier at one end */
#define CHUNK_GAP   512u  /* the same, where chunks go through shared memory */

enum fill {
	FILL_ADDRESS,    /* every word tells its address */
	FILL_COMPLEMENT, /* the same, each bit the other way */
	FILL_ONES,       /* one bit in each beat, another one in the next */
	FILL_ZEROS,
};

static const char *const fill_names[] = { "addresses", "complement of addresses", "walking ones",
	                                  "walking zeros" };

/* Bytes of a memory from @p address on. @p beat: bytes in which bits walk. */
static void fill(uint8_t *bytes, uint64_t size, uint64_t address, enum fill how, uint32_t beat)
{
	uint64_t i, bit;
	uint32_t word;

	if (how == FILL_ONES || how == FILL_ZEROS) {
		memset(bytes, how == FILL_ONES ? 0 : 0xFF, size);
		for (i = 0; i + beat <= size; i += beat) {
			bit = i / beat % (8 * beat);
			bytes[i + bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
		return;
	}
	for (i = 0; i < size; i += 4) {
		word = st_pattern(address + i, 77) ^ (how == FILL_COMPLEMENT ? 0xFFFFFFFF : 0);
		memcpy(bytes + i, &word, 4);
	}
}

static void *room_for(struct selftest *t, uint64_t bytes)
{
	void *room = st_failed(t) ? NULL : malloc(bytes);

	if (!room)
		st_error(t, "self-test", TMA_ENOMEM);
	return room;
}

static struct tma_memory *memory_for(struct selftest *t, uint64_t bytes)
{
	struct tma_memory *memory = NULL;

	if (!st_failed(t) && st_error(t, "tma_memory_alloc", tma_memory_alloc(t->device, bytes, &memory)))
		memory = NULL;
	return memory;
}

/* ---- External port ------------------------------------------------------------------------------- */

/* Write or compare a piece of one CTA. */
static void port_piece(struct selftest *t, uint32_t address, uint32_t bytes, enum fill how, bool write)
{
	uint8_t *expected = room_for(t, bytes), *got = room_for(t, bytes);

	if (!st_failed(t)) {
		fill(expected, bytes, address, how, ROOM);
		if (write) {
			st_error(t, "tma_smem_write", tma_smem_write(t->device, address, expected, bytes));
		} else if (!st_error(t, "tma_smem_read", tma_smem_read(t->device, address, got, bytes))) {
			st_bytes(t, "shared memory", address, expected, got, bytes);
		}
	}
	free(expected);
	free(got);
}

/* All is written before any of it is read: so two places that are one are found. */
static void port_pass(struct selftest *t, enum fill how)
{
	uint32_t size = t->info.smem_bytes, step, cta;
	bool ends = t->quick && size > 2 * QUICK_BYTES;

	for (step = 0; step < 2; step++) {
		for (cta = 0; cta < t->info.ctas && !st_failed(t); cta++) {
			progress_say(&t->progress, "%s: %s, CTA %u of %u", t->group, fill_names[how], cta,
			             t->info.ctas);
			port_piece(t, tma_shared(cta, 0), ends ? QUICK_BYTES : size, how, !step);
			if (ends)
				port_piece(t, tma_shared(cta, size - QUICK_BYTES), QUICK_BYTES, how, !step);
		}
	}
}

/* Where a word has no bytes of its own the last writer wins. */
static void odd_pieces(struct selftest *t)
{
	uint32_t i;

	st_fresh(t, 3, 1);
	for (i = 1; i < 24; i++) {
		memset(t->shared[0] + 64 * i + i, (int)(0xA0 + i), i);
		st_put_shared(t, 0, 65 * i, i);
	}
	st_compare(t);
}

void st_walk_port(struct selftest *t)
{
	st_forget_shared(t);
	port_pass(t, FILL_ADDRESS);
	port_pass(t, FILL_COMPLEMENT);
	if (!t->quick) {
		port_pass(t, FILL_ONES);
		port_pass(t, FILL_ZEROS);
	}
	odd_pieces(t);
	st_note(t, "%u CTAs of %u bytes%s", t->info.ctas, t->info.smem_bytes, t->quick ? ", their ends" : "");
}

/* ---- Copies -------------------------------------------------------------------------------------- */

/* Global memory to shared memory, from address to address. */
static void load_piece(struct selftest *t, uint32_t cta, uint32_t dst, uint64_t src, uint32_t bytes,
                       uint32_t barrier)
{
	barrier = tma_shared(cta, barrier);
	tma_mbarrier_init(st_next(t), barrier, 1);
	tma_mbarrier_arrive_expect_tx(st_next(t), barrier, bytes);
	tma_cp_async_bulk_load(st_next(t), tma_shared(cta, dst), src, bytes, barrier);
	tma_mbarrier_try_wait_parity(st_next(t), barrier, 0, TMA_NO_LIMIT);
	tma_mbarrier_inval(st_next(t), barrier);
}

/* What of a CTA is walked in a pass, and where its barrier is: in front, then behind. */
struct span {
	uint32_t offset, bytes, barrier;
};

static struct span span_of(const struct selftest *t, int pass)
{
	uint32_t size = t->info.smem_bytes, bytes = size - ROOM;

	if (t->quick && bytes > QUICK_BYTES)
		bytes = QUICK_BYTES;
	return pass ? (struct span){ size - ROOM - bytes, bytes, size - ROOM }
	            : (struct span){ ROOM, bytes, 0 };
}

static void shared_pass(struct selftest *t, struct tma_memory *from, struct tma_memory *to, int pass)
{
	const struct span span = span_of(t, pass);
	uint32_t cta;

	for (cta = 0; cta < t->info.ctas && !st_failed(t); cta++) {
		progress_say(&t->progress, "%s: loads, CTA %u of %u", t->group, cta, t->info.ctas);
		fill(tma_memory_host(from), span.bytes, tma_shared(cta, span.offset),
		     pass ? FILL_COMPLEMENT : FILL_ADDRESS, ROOM);
		st_error(t, "tma_memory_to_device", tma_memory_to_device(from, 0, span.bytes));
		load_piece(t, cta, span.offset, tma_memory_address(from), span.bytes, span.barrier);
		st_run(t, cta);
	}
	for (cta = 0; cta < t->info.ctas && !st_failed(t); cta++) {
		progress_say(&t->progress, "%s: stores, CTA %u of %u", t->group, cta, t->info.ctas);
		tma_cp_async_bulk_store(st_next(t), tma_memory_address(to), tma_shared(cta, span.offset),
		                        span.bytes);
		st_stored(t);
		st_run(t, cta);
		if (st_failed(t) ||
		    st_error(t, "tma_memory_from_device", tma_memory_from_device(to, 0, span.bytes)))
			return;
		fill(tma_memory_host(from), span.bytes, tma_shared(cta, span.offset),
		     pass ? FILL_COMPLEMENT : FILL_ADDRESS, ROOM);
		st_bytes(t, "shared memory", tma_shared(cta, span.offset), tma_memory_host(from),
		         tma_memory_host(to), span.bytes);
	}
}

void st_walk_shared(struct selftest *t)
{
	struct tma_memory *from = memory_for(t, span_of(t, 0).bytes),
			  *to = memory_for(t, span_of(t, 0).bytes);
	int pass;

	st_forget_shared(t);
	for (pass = 0; pass < 2 && !st_failed(t); pass++)
		shared_pass(t, from, to, pass);
	st_note(t, "%u CTAs of %u bytes%s", t->info.ctas, t->info.smem_bytes, t->quick ? ", their ends" : "");
	st_close_queues(t);
	tma_memory_free(from);
	tma_memory_free(to);
}

/* In chunks through shared memory, to another place. */
static void global_pass(struct selftest *t, struct tma_memory *from, struct tma_memory *to, uint64_t bytes,
                        enum fill how)
{
	uint32_t chunk = t->info.smem_bytes - CHUNK_GAP, size;
	uint64_t at, address = tma_memory_address(from);

	if (t->quick && chunk > ST_GLOBAL_BYTES)
		chunk = ST_GLOBAL_BYTES;
	fill(tma_memory_host(from), bytes, address, how, t->info.data_bytes);
	st_error(t, "tma_memory_to_device", tma_memory_to_device(from, 0, bytes));
	for (at = 0; at < bytes && !st_failed(t); at += size) {
		progress_say(&t->progress, "%s: %s, %u of %u KiB", t->group, fill_names[how],
		             (unsigned int)(at >> 10), (unsigned int)(bytes >> 10));
		size = bytes - at < chunk ? (uint32_t)(bytes - at) : chunk;
		load_piece(t, 0, CHUNK_GAP, address + at, size, 0);
		tma_cp_async_bulk_store(st_next(t), tma_memory_address(to) + at, tma_shared(0, CHUNK_GAP),
		                        size);
		st_stored(t);
		st_run(t, 0);
	}
	if (st_failed(t) || st_error(t, "tma_memory_from_device", tma_memory_from_device(to, 0, bytes)))
		return;
	st_bytes(t, "global memory", tma_memory_address(to), tma_memory_host(from), tma_memory_host(to),
	         bytes);
}

/* Half of what is left, to another half. */
static void walk_global(struct selftest *t)
{
	struct tma_memory *from = memory_for(t, t->walk_bytes), *to = memory_for(t, t->walk_bytes);
	/* Every bit of a beat once. */
	uint64_t walk = 8 * (uint64_t)t->info.data_bytes * t->info.data_bytes;

	st_forget_shared(t);
	if (walk > t->walk_bytes)
		walk = t->walk_bytes;
	if (!st_failed(t))
		global_pass(t, from, to, t->walk_bytes, FILL_ADDRESS);
	if (!st_failed(t))
		global_pass(t, from, to, walk, FILL_ONES);
	if (!st_failed(t))
		global_pass(t, from, to, walk, FILL_ZEROS);
	st_note(t, "%u KiB, and bits of %u-byte beats", (unsigned int)(t->walk_bytes >> 10),
	        t->info.data_bytes);
	st_close_queues(t);
	tma_memory_free(from);
	tma_memory_free(to);
}

void st_walk_global(struct selftest *t)
{
	if (t->walk_bytes)
		walk_global(t);
	else
		st_skip(t, "the engine has no memory left for it");
}
