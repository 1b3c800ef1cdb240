/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of the corners, each with what it has to write. */
#include <string.h>

#include "lib/cmocka_all.h"
#include "engine/engine_corners.h"
#include "engine/fault_cases.h"

/* Where the next copy writes. No two of a scene write the same. */
static uint32_t place(uint32_t *at, uint32_t size, uint32_t end)
{
	uint32_t mask = (size < 128 ? size : 128) - 1;

	*at = (*at + mask) & ~mask;
	*at += size;
	assert_true(*at <= end);
	return *at - size;
}

static void moves(int16_t *want, const uint8_t *from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		want[i] = from ? from[i] : 0;
}

/* Rows of 64 bytes, 128 apart, 8 more than a box has. */
static void put_map(struct world *w, uint32_t at, uint32_t tensor, uint32_t rows)
{
	struct fault_program p = { 0 };

	fault_tile(&p, TMA_TENSOR_LOAD);
	fault_set_map(&p, TMA_MAP_GLOBAL_ADDRESS_LSB, TMA_MAP_GLOBAL_ADDRESS_BITS, BASE + tensor);
	fault_set_map(&p, TMA_MAP_STRIDE_LOW_LSB, TMA_MAP_STRIDE_LOW_BITS, 128 / 16);
	fault_set_map(&p, TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS, TMA_MAP_BOX_BITS, rows - 1);
	fault_set_map(&p, TMA_MAP_DIM_LSB + TMA_MAP_DIM_BITS, TMA_MAP_DIM_BITS, rows + 8 - 1);
	memcpy(w->global + at, p.map, sizeof(p.map));
}

static struct tma_command tile(uint8_t opcode, uint32_t map, bool half)
{
	struct tma_command c = fault_command(opcode);

	c.global_address = BASE + map;
	c.dim = 2;
	c.coord[0] = half ? 32 : 0;
	c.coord[1] = half ? 12 : 4;
	return c;
}

/* 1 KiB as it lies in memory, in five dimensions. */
static void put_dense(struct world *w, uint32_t at)
{
	struct fault_program p = { 0 };

	fault_tile(&p, TMA_TENSOR_LOAD);
	fault_set_map(&p, TMA_MAP_GLOBAL_ADDRESS_LSB, TMA_MAP_GLOBAL_ADDRESS_BITS, BASE);
	fault_set_map(&p, TMA_MAP_RANK_LSB, TMA_MAP_RANK_BITS, 5 - 1);
	for (unsigned int d = 1; d < 5; d++) {
		fault_set_map(&p, TMA_MAP_DIM_LSB + d * TMA_MAP_DIM_BITS, TMA_MAP_DIM_BITS, 2 - 1);
		fault_set_map(&p, TMA_MAP_BOX_LSB + d * TMA_MAP_BOX_BITS, TMA_MAP_BOX_BITS, 2 - 1);
		fault_set_map(&p, TMA_MAP_STRIDE_LOW_LSB + (d - 1) * TMA_MAP_STRIDE_LOW_BITS,
		              TMA_MAP_STRIDE_LOW_BITS, (64u << (d - 1)) / 16);
	}
	memcpy(w->global + at, p.map, sizeof(p.map));
}

/* A box of rows that differ from those of put_map(). */
static void put_rows(struct world *w, uint32_t at, uint32_t tensor, uint32_t bytes, uint32_t stride,
                     uint32_t rows, uint32_t swizzle)
{
	struct fault_program p = { 0 };

	put_map(w, at, tensor, 8);
	memcpy(p.map, w->global + at, sizeof(p.map));
	fault_set_map(&p, TMA_MAP_DIM_LSB, TMA_MAP_DIM_BITS, bytes - 1);
	fault_set_map(&p, TMA_MAP_BOX_LSB, TMA_MAP_BOX_BITS, bytes - 1);
	fault_set_map(&p, TMA_MAP_DIM_LSB + TMA_MAP_DIM_BITS, TMA_MAP_DIM_BITS, rows - 1);
	fault_set_map(&p, TMA_MAP_STRIDE_LOW_LSB, TMA_MAP_STRIDE_LOW_BITS, stride / 16);
	fault_set_map(&p, TMA_MAP_SWIZZLE_LSB, TMA_MAP_SWIZZLE_BITS, swizzle);
	memcpy(w->global + at, p.map, sizeof(p.map));
}

/* 1 KiB from a place 16 bytes behind a beat's, swizzled; the one behind it fails in its last 64 bytes. */
static struct tma_command load_swizzled(struct world *w, uint32_t bar, bool fails)
{
	struct tma_command c = tile(TMA_TENSOR_LOAD, MAPS + 1024, false);
	uint32_t from = SWIZZLE + (fails ? 1024 : 0), at = place(&w->load_at[0], 1024, SHARED);

	c.coord[1] = fails ? 8 : 0;
	c.shared_dst = at;
	c.barrier = BARS + 8 * bar;
	for (uint32_t i = 0; i < 1024; i += 16, at += 16)
		moves(&w->want_shared[0][at ^ (at >> 7 & 7) << 4], &w->global[from + i], 16);
	w->moved[0][bar] += 1024;
	return c;
}

/* Rows of 16 bytes, two in each 64, all of which fail. */
static struct tma_command load_narrow(struct world *w)
{
	struct tma_command c = tile(TMA_TENSOR_LOAD, MAPS + 1280, false);

	c.coord[1] = 0;
	c.shared_dst = place(&w->load_at[0], 128, SHARED);
	c.barrier = BARS + 8;
	return c;
}

static struct tma_command load_dense(struct world *w, uint32_t bar)
{
	struct tma_command c = tile(TMA_TENSOR_LOAD, MAPS + 768, false);

	c.dim = 5;
	c.coord[1] = 0;
	c.shared_dst = place(&w->load_at[0], 1024, SHARED);
	c.barrier = BARS + 8 * bar;
	moves(&w->want_shared[0][c.shared_dst], w->global, 1024);
	w->moved[0][bar] += 1024;
	return c;
}

/* From row 4 on, of which the first 8 of a high box are outside the page that fails. */
static struct tma_command load_tile(struct world *w, uint32_t bar, bool high, bool half)
{
	struct tma_command c = tile(TMA_TENSOR_LOAD, high ? MAPS + 512 : MAPS, half && !high);
	uint32_t rows = high ? HIGH : 8, at = place(&w->load_at[0], rows * 64, SHARED);

	if (high)
		c.coord[0] = 32;
	c.shared_dst = at;
	c.barrier = BARS + 8 * bar;
	for (uint32_t r = 0; r < rows; r++, at += 64) {
		uint32_t y = (uint32_t)c.coord[1] + r, x = (uint32_t)c.coord[0];

		moves(&w->want_shared[0][at], NULL, 64);
		if (y < rows + 8)
			moves(&w->want_shared[0][at], &w->global[(high ? BAD - 1536 : 0) + y * 128 + x],
			      64 - x);
	}
	w->moved[0][bar] += rows * 64;
	return c;
}

/* All of them write the same. */
static struct tma_command store_tile(struct world *w, bool high)
{
	struct tma_command c = tile(TMA_TENSOR_STORE, high ? MAPS + 512 : MAPS + 256, false);

	c.shared_dst = SOURCE;
	for (uint32_t r = 0; r < (high ? HIGH : 8); r++)
		moves(&w->want_global[(high ? BAD - 1536 : TILES) + (4 + r) * 128],
		      &w->shared[0][SOURCE + r * 64], 64);
	return c;
}

static struct tma_command copy(struct world *w, char word)
{
	uint32_t size = strchr("LSXU", word)  ? 1024
	                : strchr("cir", word) ? 16
	                                      : 64,
		 bar = 1 + w->next % 15, at;
	uint32_t from = w->next++ * 80 % 1024, ctas = strchr("uU", word) ? 3 : strchr("xXr", word) ? 2 : 1;
	struct tma_command c = fault_command(TMA_BULK_LOAD);

	if (word == 'D')
		return load_dense(w, bar);
	if (word == 'z' || word == 'o')
		return load_swizzled(w, bar, word == 'o');
	if (strchr("thH", word))
		return load_tile(w, bar, word == 'H', word == 'h');
	c.size = size;
	if (word == 's' || word == 'S') {
		c.opcode = TMA_BULK_STORE;
		c.shared_src = SOURCE + from;
		at = WRITTEN + place(&w->store_at, size, 3 * PAGE);
		c.global_address = BASE + at;
		moves(&w->want_global[at], &w->shared[0][c.shared_src], size);
		return c;
	}
	/* The same place in every CTA. */
	w->load_at[0] = w->load_at[1] = w->load_at[w->load_at[0] < w->load_at[1]];
	at = place(&w->load_at[0], size, SHARED);
	c.shared_dst = fault_at(ctas == 2, at);
	c.barrier = fault_at(ctas == 2, BARS + 8 * bar);
	c.global_address = BASE + from;
	if (ctas == 3) {
		c.flags = TMA_FLAG_MULTICAST;
		c.cta_mask = 3;
	} else if (ctas == 2) {
		c.opcode = TMA_BULK_SHARED;
		c.shared_src = SOURCE + from;
		c.global_address = 0;
	}
	for (uint32_t cta = 0; cta < 2; cta++) {
		if (!(ctas >> cta & 1))
			continue;
		moves(&w->want_shared[cta][at], ctas == 2 ? &w->shared[0][c.shared_src] : &w->global[from],
		      size);
		if (word != 'c')
			w->moved[cta][bar] += size;
	}
	/* A barrier, just arrived at: what it is then is not told. */
	if (word == 'r') {
		c.shared_src = BARS + 8 * (1 + (w->next + 13) % 15) / 16 * 16;
		for (uint32_t i = 0; i < 16; i++)
			w->want_shared[1][at + i] = ANY;
	}
	if (word == 'c') {
		c.opcode = TMA_CP_ASYNC;
		c.barrier = 0;
	}
	return c;
}

/* A copy that fails, and moves nothing. */
static struct tma_command bad_copy(uint32_t at, bool store)
{
	struct tma_command c = fault_command(store ? TMA_BULK_STORE : TMA_BULK_LOAD);

	c.size = 16;
	c.global_address = BASE + at;
	*(store ? &c.shared_src : &c.shared_dst) = SOURCE;
	c.barrier = store ? 0 : BARS + 8;
	return c;
}

static struct tma_command prefetch(uint8_t opcode, uint32_t at, uint32_t size)
{
	struct tma_command c = fault_command(opcode);

	c.global_address = BASE + at;
	c.size = size;
	return c;
}

static struct tma_command on_barrier(uint8_t opcode, uint32_t bar, uint32_t limit)
{
	struct tma_command c = fault_command(opcode);

	c.barrier = BARS + 8 * bar;
	c.count = opcode == TMA_MBARRIER_ARRIVE;
	c.tx = limit;
	if (limit)
		c.flags = TMA_FLAG_PARITY | (limit == UINT32_MAX ? 0 : TMA_FLAG_RECORD);
	return c;
}

struct tma_command corner_command(struct world *w, uint32_t queue, char word)
{
	switch (word) {
	case 'T':
	case 'K':
		return store_tile(w, word == 'K');
	case 'Q':
		return tile(TMA_TENSOR_PREFETCH, OWN, false);
	case 'p':
		return prefetch(TMA_BULK_PREFETCH, 0, 4 * PAGE);
	case 'P':
		return prefetch(TMA_BULK_PREFETCH, CLOSED, 64);
	case 'b':
		return prefetch(TMA_BULK_PREFETCH, BAD, 256);
	case 'y':
		return prefetch(TMA_PREFETCH_TENSORMAP, MAPS, 0);
	case 'f':
		return prefetch(TMA_MAP_FENCE, MAPS, 0);
	case 'Y':
		return prefetch(TMA_PREFETCH_TENSORMAP, BAD, 0);
	case 'Z':
		return prefetch(TMA_PREFETCH_TENSORMAP, CLOSED - 64, 0);
	case 'O':
		return tile(TMA_TENSOR_PREFETCH, CLOSED - 64, false);
	case 'e':
	case 'E':
		return bad_copy(BAD, word == 'E');
	case 'n':
	case 'N':
		return bad_copy(CLOSED, word == 'N');
	case 'J':
		return load_narrow(w);
	case 'k':
		w->signals[queue]++;
		return fault_command(TMA_SIGNAL);
	case 'g':
		return fault_command(TMA_BULK_COMMIT_GROUP);
	case 'j':
		return fault_command(TMA_CP_ASYNC_COMMIT_GROUP);
	case 'm':
		w->arrived[1 + w->next % 15]++;
		return on_barrier(TMA_MBARRIER_ARRIVE, 1 + w->next++ % 15, 0);
	case 'q':
		return on_barrier(TMA_CP_ASYNC_MBARRIER_ARRIVE, 1 + w->next++ % 15, 0);
	case 'a':
		return on_barrier(TMA_MBARRIER_ARRIVE, 0, 0);
	case 'w':
	case 'v':
		return on_barrier(TMA_MBARRIER_TRY_WAIT, 0, word == 'w' ? UINT32_MAX : 60);
	case 'd':
		return fault_command(0xEE);
	default:
		return copy(w, word);
	}
}

void corner_fill(struct world *w)
{
	for (uint32_t i = 0; i < sizeof(w->global); i++)
		w->global[i] = (uint8_t)(i * 0x9E3779B9u >> 21);
	for (uint32_t cta = 0; cta < 2; cta++) {
		for (uint32_t i = 0; i < SHARED; i++)
			w->shared[cta][i] = (uint8_t)((i + 1 + cta) * 0x85EBCA6Bu >> 19);
		for (uint32_t b = 0; b < 16; b++) {
			uint64_t word = fault_barrier_word(b ? MANY : 1, b ? MANY : 1, 0);

			memcpy(&w->shared[cta][BARS + 8 * b], &word, 8);
		}
	}
	put_map(w, MAPS, 0, 8);
	put_map(w, MAPS + 256, TILES, 8);
	put_map(w, MAPS + 512, BAD - 1536, HIGH);
	put_dense(w, MAPS + 768);
	put_rows(w, MAPS + 1024, SWIZZLE, 128, 128, 16, TMA_RAW_SWIZZLE_128B);
	put_rows(w, MAPS + 1280, BAD, 16, 32, 8, TMA_RAW_SWIZZLE_NONE);
	put_map(w, OWN, 0, 8);
	put_map(w, CLOSED - 64, 0, 8);
}
