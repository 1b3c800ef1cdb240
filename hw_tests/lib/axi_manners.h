/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axi_manners - how the memory behind one AXI4 port behaves, latency apart. All of it is legal, and some
 * interconnect does it. Zero is the plain memory: always ready, any number of bursts at once.
 */
#ifndef AXI_MANNERS_H
#define AXI_MANNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/rng.h"
#include "sim/tma_sim.h"

#define AXI_CHANNELS 5 /* AR, AW, W, R, B: bits of enum axi_mem_channel */

enum axi_order {
	AXI_ORDER_FREE,
	AXI_ORDER_AW_BEHIND_W, /* AW is taken when a W of its burst has come, or waits */
	AXI_ORDER_W_BEHIND_AW, /* W is taken when its AW was */
};

struct axi_manners {
	enum axi_order order;
	bool late_ready;           /* AR, AW, W: ready answers a valid, one cycle later, and falls again */
	bool no_write_beside_read; /* no AW while a read is outstanding */
	bool no_read_beside_write; /* no AR while a write is outstanding */
	uint32_t max_reads, max_writes; /* outstanding; 0: any number */
	uint32_t period, silence;       /* in the first `silence` cycles of every `period` nothing moves */
	uint32_t slower_reads, slower_writes; /* cycles of latency more */
	uint8_t stalls[AXI_CHANNELS];         /* percent, of each channel by itself */
	uint8_t early_writes;                 /* percent of bursts that show, beat by beat, before their B */
};

/* What is under way when ready is chosen. */
struct axi_traffic {
	uint32_t reads, writes;      /* whose AR or AW was taken, last R or B not */
	bool aw_ahead, w_ahead;      /* an AW whose W lack, or W whose AW lacks */
	uint32_t ar_waits, aw_waits; /* cycles that valid has waited */
};

/** Take back what these manners forbid of the next cycle's @p ar, @p aw, @p w. @p out, @p in: the pins of
 * this cycle. Whoever is shut out for long has its turn: nobody starves. */
void axi_manners_ready(const struct axi_manners *x, const struct axi_traffic *t,
                       const struct tma_axi_out *out, const struct tma_axi_in *in, bool *ar, bool *aw,
                       bool *w);

/** Random manners, often plain ones. @p hasty: a watchdog of some hundred cycles must not bark. */
struct axi_manners axi_manners_draw(struct rng *rng, bool hasty);

/** One burst at a time or so, and slow: what runs under these takes many times as long. */
bool axi_manners_slow(const struct axi_manners *x);

/** In words, "" if they are plain. */
const char *axi_manners_text(const struct axi_manners *x, char *text, size_t room);

#endif
