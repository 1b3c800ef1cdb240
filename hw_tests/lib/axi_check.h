/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axi_check - watches one AXI4 port and says what breaks the rules, on either side.
 *
 * Rules, from the AXI specification and from what the engine promises beyond it:
 *	reset      nothing is valid during reset, its first cycle excepted, nor in the first cycle after it
 *	stable     valid and payload stay until ready (AR, AW, W, R, B)
 *	burst      INCR, full width, aligned to a beat, inside one 4 KiB page, known id, AxCACHE that is
 *	           defined, AxUSER[7] zero, AxUSER[6:4] zero but for reads of cp.async (client 5 of the id)
 *	W          WLAST on the last beat of the burst and there only; W may come before AW
 *	R, B       only for outstanding bursts, in order of the id; RLAST on the last beat only;
 *	           no EXOKAY
 *	wait       neither R nor B waits for its ready longer than allowed, but behind an error response
 *	limit      no more reads, and writes of an id, outstanding than the engine was built for; of reductions
 *	           reads and writes together
 *	end        nothing is outstanding (axi_check_end)
 *	engine     the eight ids of reads, ids 0 and 1 of writes, those of reductions where there are any, W valid no
 *	           earlier than its AW, QoS and hints of tensor maps and fetched commands zero
 *	legal      every strobed byte of a write, and a byte at least of each read beat, lies in a
 *	           range that axi_check_legal() named
 *
 * Breaking a rule is counted. The first ones are printed on stderr, with port, channel and cycle.
 */
#ifndef AXI_CHECK_H
#define AXI_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/tma_sim.h"

enum axi_check_dir {
	AXI_CHECK_READ = 1,
	AXI_CHECK_WRITE = 2,
};

struct axi_check_opts {
	uint32_t port;                  /* for messages */
	uint32_t data_bytes;            /* of one beat */
	uint32_t ids;                   /* ids are 0..ids-1, at most 256 */
	uint32_t max_reads, max_writes; /* outstanding, writes of an id; 0: no limit */
	uint32_t max_wait;              /* cycles of R or B without their ready; 0: no limit */
	uint32_t max_reductions;        /* bursts that are being updated; 0: there are no reductions */
	uint8_t reduce_id;              /* ... of their writes */
	bool engine;                    /* the rules of that name as well: ids above are not looked at */
	bool quiet;                     /* print nothing */
};

struct axi_check;

/** @retval NULL  out of memory or a beat larger than TMA_SIM_MAX_BEAT */
struct axi_check *axi_check_new(const struct axi_check_opts *opts);
void axi_check_free(struct axi_check *c);

/** The engine was reset: nothing is outstanding. Counts and ranges stay. */
void axi_check_reset(struct axi_check *c);

/** Legal addresses are what all owners (any numbers) have named; at first there are none.
 * @param dirs  enum axi_check_dir
 * @retval -EINVAL  empty, or wraps
 * @retval -ENOMEM */
int axi_check_legal(struct axi_check *c, uint32_t owner, uint32_t dirs, uint64_t base, uint64_t size);
/** Take back what one owner, or all, have named. */
void axi_check_legal_drop(struct axi_check *c, uint32_t owner);
void axi_check_legal_none(struct axi_check *c);

/** Settled pins of one cycle. */
void axi_check_step(struct axi_check *c, uint64_t cycle, bool rst_n, const struct tma_axi_out *out,
                    const struct tma_axi_in *in);

/** Another max_wait. */
void axi_check_max_wait(struct axi_check *c, uint32_t max_wait);
/** The run is over: every burst has to be answered. */
void axi_check_end(struct axi_check *c);

/** Rules broken so far. */
int axi_check_failed(const struct axi_check *c);
/** The message of the last one, "" if there is none. */
const char *axi_check_last(const struct axi_check *c);

/** Bursts outstanding. A write is, from its first AW or W to its B. */
uint32_t axi_check_reads(const struct axi_check *c);
uint32_t axi_check_writes(const struct axi_check *c);

#endif
