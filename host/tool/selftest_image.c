/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memories that are compared, as the self-test has them.
 *
 * Where memory is not coherent every byte that is looked at is brought, over a serial line for seconds. So there the
 * test knows what the memories hold, and brings what has changed alone: to the engine what is not as it was, to the
 * host what a case should have changed. The pattern is the same for all cases then, and what should have stayed as it
 * was is looked at behind the group. Without --quick that is all of it, after each group; with it once, at the end.
 */
#include <string.h>

#include "selftest.h"

#define PIECE 64u /* of what is known and brought */

static const char *const global_place = "global memory", *const shared_place = "shared memory";

/* One of the memories. */
struct image {
	uint8_t *want, *known;
	bool *valid; /* `known` is what the memory holds, unless a copy has gone astray */
	uint32_t bytes;
	int cta; /* -1: global memory */
};

static struct image global_image(struct selftest *t)
{
	return (struct image){ t->global, t->known_global, &t->global_valid, ST_GLOBAL_BYTES, -1 };
}

static struct image shared_image(struct selftest *t, uint32_t cta)
{
	return (struct image){ t->shared[cta], t->known_shared[cta], &t->shared_valid[cta], t->shared_bytes,
		               (int)cta };
}

static uint64_t address_of(const struct selftest *t, const struct image *image, uint32_t offset)
{
	return image->cta < 0 ? tma_memory_address(t->memory) + offset
	                      : tma_shared((uint32_t)image->cta, offset);
}

static void write_piece(struct selftest *t, const struct image *image, uint32_t offset, uint32_t bytes)
{
	if (st_failed(t))
		return;
	if (image->cta < 0)
		st_error(t, "tma_copy_in", tma_copy_in(t->memory, offset, image->want + offset, bytes));
	else
		st_error(t, "tma_smem_write",
		         tma_smem_write(t->device, (uint32_t)address_of(t, image, offset),
		                        image->want + offset, bytes));
	memcpy(image->known + offset, image->want + offset, bytes);
}

static void compare_piece(struct selftest *t, const struct image *image, uint32_t offset, uint32_t bytes)
{
	const uint64_t address = address_of(t, image, offset);
	uint8_t room[ST_SHARED_MOST];
	const uint8_t *got = room;

	if (st_failed(t))
		return;
	if (image->cta < 0) {
		got = (const uint8_t *)tma_memory_host(t->memory) + offset;
		st_error(t, "tma_memory_from_device", tma_memory_from_device(t->memory, offset, bytes));
	} else {
		st_error(t, "tma_smem_read", tma_smem_read(t->device, (uint32_t)address, room, bytes));
	}
	if (st_failed(t))
		return;
	st_bytes(t, image->cta < 0 ? global_place : shared_place, address, image->want + offset, got, bytes);
	memcpy(image->known + offset, image->want + offset, bytes);
}

static bool differs(const struct image *image, uint32_t offset)
{
	return memcmp(image->want + offset, image->known + offset, PIECE) != 0;
}

/* Pieces from one to another that are not known to be as they should be; those beside each other at once. */
static void each_difference(struct selftest *t, const struct image *image, uint32_t first, uint32_t end,
                            void (*piece)(struct selftest *, const struct image *, uint32_t, uint32_t))
{
	uint32_t from, to;

	for (from = first; from < end; from = to) {
		to = from + PIECE;
		if (!differs(image, from))
			continue;
		while (to < end && differs(image, to))
			to += PIECE;
		piece(t, image, from, to - from);
	}
}

static void bring(struct selftest *t, const struct image *image)
{
	if (*image->valid)
		each_difference(t, image, 0, image->bytes, write_piece);
	else
		write_piece(t, image, 0, image->bytes);
	*image->valid = !t->info.coherent && !st_failed(t);
}

/* A part of it: short ones as they are, whatever is known. */
static void put(struct selftest *t, const struct image *image, uint32_t offset, uint32_t bytes)
{
	if (*image->valid && bytes > PIECE && offset % PIECE == 0 && bytes % PIECE == 0)
		each_difference(t, image, offset, offset + bytes, write_piece);
	else
		write_piece(t, image, offset, bytes);
}

static void compare(struct selftest *t, const struct image *image, bool all)
{
	if (*image->valid && !all)
		each_difference(t, image, 0, image->bytes, compare_piece);
	else
		compare_piece(t, image, 0, image->bytes);
}

void st_forget_shared(struct selftest *t)
{
	memset(t->shared_valid, 0, sizeof(t->shared_valid));
}

void st_forget(struct selftest *t)
{
	st_forget_shared(t);
	t->global_valid = false;
}

static void fill(const struct selftest *t, const struct image *image, uint32_t salt)
{
	uint32_t i, word;

	for (i = 0; i < image->bytes; i += 4) {
		word = st_pattern(address_of(t, image, i), salt);
		memcpy(image->want + i, &word, 4);
	}
}

void st_fresh(struct selftest *t, uint32_t salt, uint32_t ctas)
{
	struct image image = global_image(t);
	uint32_t cta;

	if (!t->info.coherent)
		salt = 0;
	t->ctas = ctas & ((1u << t->info.ctas) - 1);
	fill(t, &image, salt);
	bring(t, &image);
	for (cta = 0; cta < t->info.ctas; cta++) {
		if (!(t->ctas >> cta & 1))
			continue;
		image = shared_image(t, cta);
		/* Groups differ in how much they look at. */
		if (t->known_bytes[cta] < image.bytes)
			t->shared_valid[cta] = false;
		t->known_bytes[cta] = image.bytes;
		fill(t, &image, salt + 1);
		bring(t, &image);
	}
}

void st_put_global(struct selftest *t, uint32_t offset, uint32_t bytes)
{
	const struct image image = global_image(t);

	put(t, &image, offset, bytes);
}

void st_put_shared(struct selftest *t, uint32_t cta, uint32_t offset, uint32_t bytes)
{
	const struct image image = shared_image(t, cta);

	put(t, &image, offset, bytes);
}

void st_compare(struct selftest *t)
{
	struct image image = global_image(t);
	uint32_t cta;

	compare(t, &image, false);
	for (cta = 0; cta < t->info.ctas && !st_failed(t); cta++) {
		image = shared_image(t, cta);
		if (t->ctas >> cta & 1)
			compare(t, &image, false);
	}
}

/* All that is known, whichever case has brought it. */
void st_compare_rest(struct selftest *t)
{
	struct image image = global_image(t);
	uint32_t cta;

	if (t->global_valid)
		compare(t, &image, true);
	for (cta = 0; cta < t->info.ctas && !st_failed(t); cta++) {
		if (!t->shared_valid[cta])
			continue;
		image = shared_image(t, cta);
		image.bytes = t->known_bytes[cta];
		compare(t, &image, true);
	}
}
