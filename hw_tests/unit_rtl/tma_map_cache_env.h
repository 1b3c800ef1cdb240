/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a map cache has around it: maps in memory, windows, a guard and a read port; and what it
 * should do, cycle by cycle.
 */
#ifndef TMA_MAP_CACHE_ENV_H
#define TMA_MAP_CACHE_ENV_H

#include "lib/rng.h"
#include "tma_map_cache_pins.h"
#include "unit_rtl/tma_map_ref.h"

#define SLOTS      20u /* maps in memory */
#define MAX_MAPS   16u
#define MAX_QUEUES 16u
#define MAP_BYTES  128u

/* Percentages of random events, and what to do without them. */
struct env_rates {
	uint32_t stall;  /* of fetches, the guard and beats */
	uint32_t error;  /* of beats */
	uint32_t die;    /* the port, in a fetch */
	uint32_t denied; /* of pages of a queue */
};

struct env_slot {
	uint64_t address;
	uint32_t words[MAP_WORDS];
	bool changing; /* until a fence comes, nobody knows what is read */
};

struct env_entry {
	bool valid, used, unknown;
	uint32_t slot, allowed;
	struct map_info info;
};

/* The miss on its way. */
struct env_miss {
	bool busy, look, probe, stale, unknown;
	struct env_entry *probed;
	uint32_t slot, queue, dir;
	uint32_t parts; /* asked for */
	uint32_t fault; /* by the windows or the port, 0: none yet */
	uint64_t fault_addr;
	bool denied;
};

struct env_beat {
	uint64_t address;
	bool last, dead;
	uint8_t resp;
};

struct env {
	struct map_cache *unit;
	const struct unit_shape *info;
	struct map_cache_in *in;
	const struct map_cache_out *out;
	struct rng rng;
	struct env_rates rates;

	struct env_slot slots[SLOTS];
	bool window[MAX_QUEUES][SLOTS][2]; /* the queue may read the first, the second page */
	struct env_entry entries[MAX_MAPS];
	struct env_miss miss;
	struct env_entry *own[2];   /* of a direction whose request has missed, until it is taken */
	uint32_t enabling, enabled; /* queues: now, the cycle before */
	bool awaited;               /* the info of a hit comes in this cycle */
	struct map_info coming;

	/* Guard: the fetch that it holds. Beats that are owed. */
	bool guarded, guard_probe, guard_denied, denial_sent;
	uint64_t guard_address;
	uint32_t guard_chunks, guard_wait;
	struct env_beat beats[32];
	uint32_t first, owed;
	bool dead;

	uint32_t hits, fetches, probes, evictions, stale;
};

void env_open(struct env *e, uint64_t seed);

/** New bytes for a map; a fence has to follow. */
void env_change(struct env *e, uint32_t slot);
/** New windows for a queue, which must not be enabled. */
void env_windows(struct env *e, uint32_t queue);

/** Drive what is around the unit; settle. The requests are the test's. */
void env_eval(struct env *e);
/** Check all outputs, then the clock edge. */
void env_tick(struct env *e);

/** Entry that a request of direction @p dir hits now, NULL: none. */
struct env_entry *env_hit(struct env *e, uint32_t dir, uint64_t address, uint32_t queue);

#endif
