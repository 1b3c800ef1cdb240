/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axi_observe - the bursts of one AXI4 port, put together from its pins, and handed out.
 *
 *	AR, then its R by id               --> addr, beat.., end with the last beat
 *	AW, its W (earlier or later), B    --> addr, beat.., end with the response
 *
 * It judges nothing: what belongs to no burst is handed out as stray.
 */
#ifndef AXI_OBSERVE_H
#define AXI_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/tma_sim.h"

struct axi_burst {
	bool write;
	uint64_t since, taken; /* cycles: first valid of the address, its handshake */
	uint64_t issued;       /* not before this cycle: an address may wait behind another one */
	uint64_t addr;
	uint32_t beats, done; /* in all; R taken, or W of which the address is known */
	uint16_t user;
	uint8_t id, size, burst, cache, prot, qos;
	uint64_t tag[2]; /* the watcher's, 0 at first */
};

struct axi_beat {
	const uint8_t *data, *strb; /* strb: of W alone */
	uint8_t resp;               /* of R alone */
	bool last;                  /* RLAST or WLAST, right or wrong */
};

/* Any may be NULL. b->done counts the beat already. The W of a burst are complete with WLAST, the R when
 * there were as many as the address said. */
struct axi_watcher {
	void *arg;
	void (*addr)(void *arg, struct axi_burst *b);
	void (*beat)(void *arg, struct axi_burst *b, const struct axi_beat *beat);
	void (*end)(void *arg, const struct axi_burst *b, uint8_t resp); /* of B, or of the last R */
	void (*stray)(void *arg, bool write, uint8_t id);                /* B or R of no burst */
};

struct axi_observe;

/** NULL: out of memory. */
struct axi_observe *axi_observe_new(uint32_t data_bytes, const struct axi_watcher *watcher);
void axi_observe_free(struct axi_observe *o);
/** Nothing is outstanding any more. */
void axi_observe_reset(struct axi_observe *o);
/** Settled pins of one cycle. Responses first: they cannot belong to what is taken in the same cycle. */
void axi_observe_step(struct axi_observe *o, uint64_t cycle, const struct tma_axi_out *out,
                      const struct tma_axi_in *in);

/** Bursts outstanding. A write is, from its first AW or W to its B. */
uint32_t axi_observe_reads(const struct axi_observe *o);
uint32_t axi_observe_writes(const struct axi_observe *o);
/** Writes whose AW was taken and whose W is not complete, less complete W whose AW was not. */
int32_t axi_observe_lead(const struct axi_observe *o);

#endif
