/* SPDX-License-Identifier: Apache-2.0 */
/* The stage of a measurement: a rig with one queue per CTA set up, patterned memory, command builders. */
#ifndef BENCH_STAGE_H
#define BENCH_STAGE_H

#include "bench.h"
#include "lib/rig.h"

#define STAGE_BASE  0x10000000ull /* global memory: source half, then destination half */
#define STAGE_HALF  (4u << 20)
#define STAGE_MAPS  (2ull * STAGE_HALF) /* behind them: tensor maps */
#define STAGE_BYTES (2u * STAGE_HALF + 4096u)
#define STAGE_SMEM  1024u /* buffers start here, up to the end of shared memory; barriers lie below */

struct stage {
	struct rig *rig;
	uint8_t *memory; /* STAGE_BYTES */
	uint32_t rotate; /* bytes that buffers rotate over */

	/* Pins watched, cycle numbers. */
	uint64_t accept; /* of stage_accept(); 0 not yet */
	uint32_t accept_queue, accept_index;
	bool accept_wanted;
	uint64_t first_ar;        /* first ARVALID of a load since accept */
	uint64_t first_b, last_b; /* first and last write response */
	uint64_t bursts;          /* write responses */
	uint64_t r_beats, w_beats;
	uint64_t fetch_beats;           /* of R, commands of rings */
	uint64_t map_beats;             /* of R, tensor maps */
	uint64_t first_beat, last_beat; /* of R or W */
	uint32_t tx_cta;                /* barrier polled there */
	int64_t batch;                  /* what one expect_tx adds to its tx-count */
	uint64_t first_done, last_done; /* copies that signalled it */
	uint64_t beats_before;          /* read beats until the first was done */
	int64_t tx;
	bool tx_valid;
};

struct stage_options {
	uint32_t stall_percent, ext_busy_every;
	uint32_t random_latency; /* cycles that a burst may take longer, each as it happens */
	uint32_t rings;          /* bit q: queue q gets its commands from a ring */
	bool small_rings; /* of 16 slots, a doorbell for each command; else one doorbell for the stream */
	bool one_cta;     /* all queues execute in CTA 0 */
};

/** Open configuration and memory of the case. NULL: no memory or no such configuration (said on stderr), and
 * the row, if there is one, has failed. */
struct stage *stage_open(const struct bench_case *c, const struct stage_options *options,
                         struct bench_row *row);
/** Close; a row measured here has failed if the rig saw any failure. */
void stage_close(struct stage *s, struct bench_row *row);

/** From now on the cycle in which command @p index of @p queue is taken, of a ring that of the doorbell's
 * BVALID, is accept. */
void stage_accept(struct stage *s, uint32_t queue, uint32_t index);

/** Run until everything is done; false after a time-out. */
bool stage_drain(struct stage *s);

/** Submit with the version; an opcode and further fields. @return as rig_submit() */
int64_t stage_submit(struct stage *s, uint32_t queue, struct tma_command c);
#define stage_do(s, queue, ...) stage_submit(s, queue, (struct tma_command){ .opcode = __VA_ARGS__ })

void stage_init(struct stage *s, uint32_t queue, uint32_t barrier, uint32_t count);
void stage_expect(struct stage *s, uint32_t queue, uint32_t barrier, uint32_t bytes);
/** By how many loads of so many bytes a barrier has to be told late: of large ones half a MiB, so that its
 * tx-count stays in range with all that may be in flight, a MiB and more. */
uint32_t stage_late(uint32_t bytes);
/** An arrival that expects @p bytes. */
void stage_arrive(struct stage *s, uint32_t queue, uint32_t barrier, uint32_t bytes);
void stage_load(struct stage *s, uint32_t queue, uint64_t from, uint32_t to, uint32_t bytes, uint32_t barrier,
                uint16_t mask);
void stage_store(struct stage *s, uint32_t queue, uint64_t to, uint32_t from, uint32_t bytes);
void stage_shared(struct stage *s, uint32_t queue, uint32_t from, uint32_t to, uint32_t bytes,
                  uint32_t barrier);
/** wait_group 0 with a record, behind a commit. */
void stage_wait_stores(struct stage *s, uint32_t queue);
/** Watch the tx-count of the barrier at @p offset of @p cta from now on; expect_tx adds @p batch bytes. */
void stage_watch(struct stage *s, uint32_t cta, uint32_t offset, uint32_t batch);

/** Shared memory of the CTA from @p offset equals @p bytes. */
bool stage_same(struct stage *s, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size);

#endif
