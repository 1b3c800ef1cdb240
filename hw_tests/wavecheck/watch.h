/* SPDX-License-Identifier: Apache-2.0 */
/* watch - the engine's watchdogs, counted again: which port has stood still for too long. */
#ifndef WAVECHECK_WATCH_H
#define WAVECHECK_WATCH_H

#include "wavecheck/dump.h"

#define WATCH_IDS    32
#define WATCH_BURSTS 1024 /* more than are in flight at a port */

struct watch {
	uint32_t limit; /* register WATCHDOG */
	struct {
		uint32_t reads[WATCH_IDS];  /* bursts that owe their last beat */
		uint32_t writes[WATCH_IDS]; /* those that owe their response: their data has gone */
		uint32_t owed[2];           /* ids of these reads, writes */
		/* Data goes in the order of addresses, before its own or behind it. */
		uint8_t order[WATCH_BURSTS]; /* ids of writes */
		uint32_t addresses, whole, matched;
		struct watch_side {
			bool stalls;    /* an address or data was not taken when the round began */
			uint32_t marks; /* ids that were owed something then, and for which nothing came */
			uint32_t still; /* cycles of this round */
		} side[2];              /* reads, writes */
		bool dead;
	} port[DUMP_MAX_PORTS];
};

void watch_reset(struct watch *w);
/** The register was written. */
void watch_limit(struct watch *w, uint32_t value, uint8_t strobes);
/** Look at a sample. Mask of the ports that are dead from the next one on. */
uint32_t watch_sample(struct watch *w, const struct dump *d);

#endif
