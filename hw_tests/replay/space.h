/* SPDX-License-Identifier: Apache-2.0 */
/*
 * space - where the records in flight live: disjoint areas of shared and of global memory.
 *
 * Shared memory of every CTA: windows at multiples of 1024 and, somewhere, a zone of barriers that
 * no window covers. Global memory: an arena for what is only read, buffers and behind them tensor
 * maps, and one for regions of single records.
 */
#ifndef REPLAY_SPACE_H
#define REPLAY_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/backend.h"
#include "lib/rng.h"

#define SPACE_BARRIERS      32u
#define SPACE_ZONE_BYTES    (SPACE_BARRIERS * 8)
#define SPACE_NONE          UINT32_MAX
#define SPACE_BUFFERS       2u
#define SPACE_BUFFER_STRIDE ((8u << 20) + 4096)
#define SPACE_MAP_STEP      64u  /* where a map may start */
#define SPACE_MAP_UNITS     128u /* of that size; a map takes two */
#define SPACE_MAP_BYTES     (SPACE_MAP_UNITS * SPACE_MAP_STEP)
#define SPACE_MAX_REGION    (64u << 20)

struct space_buffer {
	uint64_t seed;
	uint32_t users;
	uint32_t start; /* from the start of its part of the arena */
	bool filled;
};

struct space {
	struct replay_shape shape;
	struct rng *rng;

	uint8_t *shared[REPLAY_MAX_CTAS]; /* what shared memory has to hold */
	uint8_t *used[REPLAY_MAX_CTAS];   /* per 16 bytes */
	uint32_t zone;                    /* offset of the barriers in every CTA */
	uint32_t barriers;                /* bit i: barrier i is in use */

	struct replay_window buffers_at, regions_at;
	uint8_t *buffers; /* backs the first arena */
	struct space_buffer buffer[SPACE_BUFFERS];
	uint8_t *maps;                        /* part of it */
	uint8_t maps_wanted[SPACE_MAP_BYTES]; /* what it has to hold */
	bool map_used[SPACE_MAP_UNITS], map_stale[SPACE_MAP_UNITS];
	uint8_t *regions;        /* backs the second arena */
	uint8_t *regions_wanted; /* what it has to hold */
	uint8_t *regions_used;   /* per 256 bytes */
};

/** @p largest_region: bytes of the largest region that will be asked for. -1: out of memory. */
int space_open(struct space *s, const struct replay_shape *shape, struct rng *rng, uint32_t largest_region);
void space_close(struct space *s);

/** Offset of @p len bytes, free in all CTAs of the mask, or SPACE_NONE. */
uint32_t space_take_window(struct space *s, uint32_t ctas, uint32_t len);
void space_drop_window(struct space *s, uint32_t ctas, uint32_t offset, uint32_t len);

/** Offset of a barrier that is free in all CTAs, or SPACE_NONE. */
uint32_t space_take_barrier(struct space *s);
void space_drop_barrier(struct space *s, uint32_t offset);

/** A region of @p len bytes: its position in `regions`, or SPACE_NONE. */
uint32_t space_take_region(struct space *s, uint32_t len);
void space_drop_region(struct space *s, uint32_t at, uint32_t len);

/** The 8 MiB of this seed: index of the buffer, or SPACE_NONE. */
uint32_t space_take_buffer(struct space *s, uint64_t seed);
void space_drop_buffer(struct space *s, uint32_t index);
uint64_t space_buffer_address(const struct space *s, uint32_t index);

/** Room for a map, with its number, or SPACE_NONE. *stale: it, or a part of it, has held one before. */
uint32_t space_take_map(struct space *s, bool *stale);
void space_drop_map(struct space *s, uint32_t map);
uint64_t space_map_address(const struct space *s, uint32_t map);
/** Its 128 bytes. */
void space_write_map(struct space *s, uint32_t map, const uint8_t *bytes);

/** Do all buffers and maps still hold what they have to? The first wrong address in *address. */
bool space_intact(const struct space *s, uint64_t *address);

#endif
