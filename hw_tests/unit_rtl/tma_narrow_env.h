/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_narrow_env - random bursts of an engine, a 64-bit memory, and what has to come of the bursts.
 *
 * A burst of more than 256 beats of the bus is two there, cut behind its 256th: that rule is written down
 * here once more, and each address at the bus is compared with it.
 */
#ifndef TMA_NARROW_ENV_H
#define TMA_NARROW_ENV_H

#include <stdbool.h>

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "unit_rtl/unit_test.h"
#include "tma_narrow_pins.h"

#define NARROW_BASE   0x10000u
#define NARROW_PAGE   4096u
#define NARROW_READ   (4 * NARROW_PAGE) /* that is read, from the base on */
#define NARROW_WRITES 3u                /* ids that write, at most; each two pages behind that */
#define NARROW_BYTES  (NARROW_READ + NARROW_WRITES * 2 * NARROW_PAGE)
#define NARROW_IDS    9u
#define NARROW_BURSTS 16384u
#define NARROW_BUS    8u   /* bytes of a beat */
#define NARROW_MOST   256u /* beats of a burst */

enum { NARROW_AR, NARROW_AW, NARROW_DIRECTIONS };

struct burst {
	struct narrow_ax ax;
	uint32_t offset, beats;
};

/* Bursts in order; `got` of them have ended, `beat` beats of the next one have come. */
struct burst_list {
	struct burst burst[NARROW_BURSTS];
	uint32_t put, got, beat;
};

struct error {
	uint32_t at, size;
	uint8_t resp;
};

struct env {
	struct narrow *unit;
	struct narrow_in *in;
	const struct narrow_out *out;
	struct rng rng;
	uint32_t bytes;   /* of a beat of the engine */
	uint32_t streams; /* ids that write */
	struct axi_mem *mem;
	struct axi_mem_opts opts;
	struct axi_check *check[2]; /* at the bus, at the engine */
	struct tma_axi_in bus_in;
	uint8_t memory[NARROW_BYTES], wanted[NARROW_BYTES];
	/* The engine: percent of cycles in which it asks, gives data, takes; bursts of a direction that are owed at
	 * most, and are still to come; all of one id; of so many bytes, if not 0. */
	uint32_t ask[NARROW_DIRECTIONS], data, take, most, left[NARROW_DIRECTIONS], one_id, fixed_bytes;
	struct burst_list reads[NARROW_IDS], writes[NARROW_WRITES]; /* owed */
	struct burst_list data_of;                                  /* writes whose data has not gone */
	struct burst_list parts[NARROW_DIRECTIONS];                 /* that have to come at the bus */
	struct error error[NARROW_DIRECTIONS][8];
	uint32_t errors[NARROW_DIRECTIONS];
	/* What was seen: beats at the bus, and the cycles of the first and the last one; split bursts; answers of errors. */
	uint32_t bus_beats[NARROW_DIRECTIONS], split[NARROW_DIRECTIONS], bad_answers;
	uint64_t first[NARROW_DIRECTIONS], last[NARROW_DIRECTIONS];
	uint64_t cycle;
};

void env_open(struct env *e, uint64_t seed, const struct axi_mem_opts *opts);
void env_close(struct env *e);
/** Reads (of a beat) and writes (of a burst at the bus) that touch these bytes answer @p resp. */
void env_error(struct env *e, uint32_t direction, uint32_t at, uint32_t size, uint8_t resp);
void env_run(struct env *e, uint32_t cycles);
/** Until all that was asked for has ended; nothing more is asked for. Memory then holds what was written. */
void env_drain(struct env *e);

#endif
