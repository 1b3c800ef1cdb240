/* SPDX-License-Identifier: Apache-2.0 */
/* space - where the records in flight live: disjoint areas of shared and of global memory. */
#include <stdlib.h>
#include <string.h>

#include "lib/vec.h"
#include "replay/space.h"

#define GRANULE       16u
#define MAP_BYTES     (2 * SPACE_MAP_STEP)
#define WINDOW_STEP   1024u
#define REGION_STEP   256u
#define REGIONS_BYTES (256u << 10)
#define REGIONS_LIKE  8u /* room for so many regions of the largest size */
#define PAGE          4096u
#define ROOMY         65536u
#define COMPARE_BYTES 65536u

static uint32_t granules(uint32_t len)
{
	return (len + GRANULE - 1) / GRANULE;
}

/* In a small memory the zone is at the end, so that one long window has the most room; else it may
 * be anywhere. */
static uint32_t choose_zone(struct space *s)
{
	uint32_t zones = s->shape.smem_bytes / SPACE_ZONE_BYTES;
	uint32_t zone = s->shape.smem_bytes < ROOMY ? zones - 1 : rng_below(s->rng, zones);

	return zone * SPACE_ZONE_BYTES;
}

/* One arena in each half of the address space: they cannot meet, and all address bits are used. */
static void choose_addresses(struct space *s, uint64_t regions_bytes)
{
	uint64_t half = 1ull << 63;
	uint64_t top = rng_percent(s->rng, 50) ? half : 0;
	uint64_t buffers = SPACE_BUFFERS * (uint64_t)SPACE_BUFFER_STRIDE + SPACE_MAP_BYTES;
	uint64_t pages = ~(uint64_t)(PAGE - 1);

	s->buffers_at.base = top + (rng_next(s->rng) % (half - buffers) & pages);
	s->buffers_at.size = buffers;
	s->regions_at.base = (top ^ half) + (rng_next(s->rng) % (half - regions_bytes) & pages);
	s->regions_at.size = regions_bytes;
	s->regions_at.write = true;
}

int space_open(struct space *s, const struct replay_shape *shape, struct rng *rng, uint32_t largest_region)
{
	uint64_t bytes = (uint64_t)(largest_region < SPACE_MAX_REGION ? largest_region : SPACE_MAX_REGION) *
	                 REGIONS_LIKE;

	memset(s, 0, sizeof(*s));
	s->shape = *shape;
	s->rng = rng;
	s->zone = choose_zone(s);
	bytes = bytes < REGIONS_BYTES ? REGIONS_BYTES : (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	choose_addresses(s, bytes);

	s->buffers = calloc(s->buffers_at.size, 1);
	s->regions = malloc(bytes);
	s->regions_wanted = malloc(bytes);
	s->regions_used = calloc(bytes / REGION_STEP, 1);
	if (!s->buffers || !s->regions || !s->regions_wanted || !s->regions_used)
		goto fail;
	vec_pattern(rng_next(rng), 0, s->regions, bytes);
	memcpy(s->regions_wanted, s->regions, bytes);
	s->maps = s->buffers + SPACE_BUFFERS * (uint64_t)SPACE_BUFFER_STRIDE;
	vec_pattern(rng_next(rng), 0, s->maps, SPACE_MAP_BYTES);
	memcpy(s->maps_wanted, s->maps, SPACE_MAP_BYTES);

	for (uint32_t c = 0; c < shape->ctas; c++) {
		s->shared[c] = malloc(shape->smem_bytes);
		s->used[c] = calloc(granules(shape->smem_bytes), 1);
		if (!s->shared[c] || !s->used[c])
			goto fail;
		vec_pattern(rng_next(rng), 0, s->shared[c], shape->smem_bytes);
		memset(s->shared[c] + s->zone, 0, SPACE_ZONE_BYTES);
		memset(s->used[c] + s->zone / GRANULE, 1, SPACE_ZONE_BYTES / GRANULE);
	}
	return 0;
fail:
	space_close(s);
	return -1;
}

void space_close(struct space *s)
{
	for (uint32_t c = 0; c < REPLAY_MAX_CTAS; c++) {
		free(s->shared[c]);
		free(s->used[c]);
	}
	free(s->buffers);
	free(s->regions);
	free(s->regions_wanted);
	free(s->regions_used);
	memset(s, 0, sizeof(*s));
}

static bool any_used(const uint8_t *used, uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (used[first + i])
			return true;
	return false;
}

static bool window_free(const struct space *s, uint32_t ctas, uint32_t offset, uint32_t len)
{
	if (offset > s->shape.smem_bytes || len > s->shape.smem_bytes - offset)
		return false;
	for (uint32_t c = 0; c < s->shape.ctas; c++)
		if (ctas >> c & 1 && any_used(s->used[c], offset / GRANULE, granules(len)))
			return false;
	return true;
}

static void mark_window(struct space *s, uint32_t ctas, uint32_t offset, uint32_t len, uint8_t mark)
{
	for (uint32_t c = 0; c < s->shape.ctas; c++)
		if (ctas >> c & 1)
			memset(s->used[c] + offset / GRANULE, mark, granules(len));
}

uint32_t space_take_window(struct space *s, uint32_t ctas, uint32_t len)
{
	uint32_t slots = s->shape.smem_bytes / WINDOW_STEP;
	uint32_t first = rng_below(s->rng, slots);

	for (uint32_t i = 0; i < slots; i++) {
		uint32_t offset = (first + i) % slots * WINDOW_STEP;

		if (!window_free(s, ctas, offset, len))
			continue;
		mark_window(s, ctas, offset, len, 1);
		return offset;
	}
	return SPACE_NONE;
}

void space_drop_window(struct space *s, uint32_t ctas, uint32_t offset, uint32_t len)
{
	mark_window(s, ctas, offset, len, 0);
}

uint32_t space_take_barrier(struct space *s)
{
	uint32_t first = rng_below(s->rng, SPACE_BARRIERS);

	for (uint32_t i = 0; i < SPACE_BARRIERS; i++) {
		uint32_t slot = (first + i) % SPACE_BARRIERS;

		if (s->barriers >> slot & 1)
			continue;
		s->barriers |= 1u << slot;
		return s->zone + slot * 8;
	}
	return SPACE_NONE;
}

void space_drop_barrier(struct space *s, uint32_t offset)
{
	s->barriers &= ~(1u << (offset - s->zone) / 8);
}

uint32_t space_take_region(struct space *s, uint32_t len)
{
	uint32_t slots = (uint32_t)(s->regions_at.size / REGION_STEP);
	uint32_t needed = (len + REGION_STEP - 1) / REGION_STEP;
	uint32_t first = rng_below(s->rng, slots);

	for (uint32_t i = 0; i < slots; i++) {
		uint32_t slot = (first + i) % slots;

		if (needed > slots - slot || any_used(s->regions_used, slot, needed))
			continue;
		memset(s->regions_used + slot, 1, needed);
		return slot * REGION_STEP;
	}
	return SPACE_NONE;
}

void space_drop_region(struct space *s, uint32_t at, uint32_t len)
{
	memset(s->regions_used + at / REGION_STEP, 0, (len + REGION_STEP - 1) / REGION_STEP);
}

static uint8_t *buffer_bytes(const struct space *s, uint32_t index)
{
	return s->buffers + (uint64_t)index * SPACE_BUFFER_STRIDE + s->buffer[index].start;
}

uint32_t space_take_buffer(struct space *s, uint64_t seed)
{
	uint32_t unused = SPACE_NONE;

	for (uint32_t i = 0; i < SPACE_BUFFERS; i++) {
		struct space_buffer *b = &s->buffer[i];

		if (b->filled && b->seed == seed) {
			b->users++;
			return i;
		}
		if (!b->users && (unused == SPACE_NONE || !b->filled))
			unused = i;
	}
	if (unused == SPACE_NONE)
		return SPACE_NONE;
	s->buffer[unused] =
		(struct space_buffer){ .seed = seed,
		                       .users = 1,
		                       .start = rng_below(s->rng, PAGE / REGION_STEP) * REGION_STEP,
		                       .filled = true };
	vec_pattern(seed, 0, buffer_bytes(s, unused), VEC_LOAD_BUFFER);
	return unused;
}

void space_drop_buffer(struct space *s, uint32_t index)
{
	s->buffer[index].users--;
}

uint64_t space_buffer_address(const struct space *s, uint32_t index)
{
	return s->buffers_at.base + (uint64_t)(buffer_bytes(s, index) - s->buffers);
}

uint32_t space_take_map(struct space *s, bool *stale)
{
	uint32_t places = SPACE_MAP_UNITS - 1, first = rng_below(s->rng, places);

	for (uint32_t i = 0; i < places; i++) {
		uint32_t map = (first + i) % places;

		if (s->map_used[map] || s->map_used[map + 1])
			continue;
		*stale = s->map_stale[map] || s->map_stale[map + 1];
		s->map_used[map] = s->map_used[map + 1] = true;
		s->map_stale[map] = s->map_stale[map + 1] = true;
		return map;
	}
	return SPACE_NONE;
}

void space_drop_map(struct space *s, uint32_t map)
{
	s->map_used[map] = s->map_used[map + 1] = false;
}

uint64_t space_map_address(const struct space *s, uint32_t map)
{
	return s->buffers_at.base + (uint64_t)(s->maps - s->buffers) + (uint64_t)map * SPACE_MAP_STEP;
}

void space_write_map(struct space *s, uint32_t map, const uint8_t *bytes)
{
	memcpy(s->maps + (size_t)map * SPACE_MAP_STEP, bytes, MAP_BYTES);
	memcpy(s->maps_wanted + (size_t)map * SPACE_MAP_STEP, bytes, MAP_BYTES);
}

bool space_intact(const struct space *s, uint64_t *address)
{
	static uint8_t want[COMPARE_BYTES];

	for (uint32_t i = 0; i < SPACE_MAP_BYTES; i++) {
		if (s->maps[i] != s->maps_wanted[i]) {
			*address = space_map_address(s, 0) + i;
			return false;
		}
	}
	for (uint32_t i = 0; i < SPACE_BUFFERS; i++) {
		for (uint32_t at = 0; s->buffer[i].filled && at < VEC_LOAD_BUFFER; at += COMPARE_BYTES) {
			const uint8_t *got = buffer_bytes(s, i) + at;

			vec_pattern(s->buffer[i].seed, at, want, COMPARE_BYTES);
			for (uint32_t k = 0; k < COMPARE_BYTES; k++) {
				if (got[k] != want[k]) {
					*address = space_buffer_address(s, i) + at + k;
					return false;
				}
			}
		}
	}
	return true;
}
