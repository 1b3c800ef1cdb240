/* SPDX-License-Identifier: Apache-2.0 */
/* watch - the engine's watchdogs, counted again: which port has stood still for too long. */
#ifndef WAVECHECK_WATCH_H
#define WAVECHECK_WATCH_H

#include "wavecheck/dump.h"

struct watch {
	uint32_t limit; /* register WATCHDOG */
	struct {
		uint32_t reads, writes;           /* bursts that owe their last beat, their response */
		uint32_t read_still, write_still; /* cycles without progress */
		bool dead;
	} port[DUMP_MAX_PORTS];
};

void watch_reset(struct watch *w);
/** The register was written. */
void watch_limit(struct watch *w, uint32_t value, uint8_t strobes);
/** Look at a sample. Mask of the ports that are dead from the next one on. */
uint32_t watch_sample(struct watch *w, const struct dump *d);

#endif
