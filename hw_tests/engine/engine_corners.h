/* SPDX-License-Identifier: Apache-2.0 */
/* Memories, and commands that are written as one letter, for engine_corners.c. */
#ifndef ENGINE_CORNERS_H
#define ENGINE_CORNERS_H

#include "lib/rig.h"

#define BASE    UINT64_C(0x2468ACE00000)
#define PAGE    4096u
#define PAGES   13u
#define WRITTEN (4 * PAGE) /* here and in the next 4 pages stores write */
#define BAD     (8 * PAGE)
#define MAPS    (10 * PAGE - 64) /* tensor maps, the first of which crosses a page */
#define OWN     (11 * PAGE)      /* of queue 0 alone */
#define CLOSED  (12 * PAGE)
#define TILES   (7 * PAGE)           /* tensor of tile stores */
#define SWIZZLE (CLOSED - 2048 - 48) /* tensor of swizzled loads */
#define SHARED  0x4000u
#define BARS    64u
#define SOURCE  0x400u
#define TARGET  0x1000u
#define QUEUES  2u
#define HIGH    40u
#define MANY    1000u /* arrivals that barriers 1.. expect */
#define LIMIT   60000u
#define ANY     256

struct world {
	struct rig *rig;
	uint8_t global[PAGES * PAGE], shared[2][SHARED];           /* as they were */
	uint8_t memory[PAGES * PAGE];                              /* as the engine sees it */
	int16_t want_global[PAGES * PAGE], want_shared[2][SHARED]; /* -1: nobody writes it */
	uint32_t step;                                             /* from one distance to the next */
	uint32_t load_at[2], store_at, next, signals[QUEUES], arrived[16], moved[2][16];
};

/** Memories as they are before each scene. */
void corner_fill(struct world *w);
/** The command that this letter stands for, see there; where its bytes go is noted. */
struct tma_command corner_command(struct world *w, uint32_t queue, char word);

#endif
