/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One CTA beside a reference: a byte array in which barrier operations take effect as they are
 * answered.
 *
 * Call order: env_open(), then env_step() for every cycle, with requests put into e->in, e->ext and e->a before; what
 * was taken is in e->took. env_check_all() reads everything back, env_close(). What the CTA does
 * wrong fails the test at once.
 *
 * Order within a cycle: engine reads see what was before it; then port B, then port A; an external
 * read sees its words before or after these; then writes.
 */
#ifndef TMA_CTA_ENV_H
#define TMA_CTA_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/tma_sim.h"
#include "tma_cta_pins.h"
#include "unit_rtl/barrier_ref.h"
#include "unit_rtl/unit_test.h"

#define CHUNK    16u
#define ENV_BARS 16u /* word in which the barriers of tests start */

extern const struct bar_request env_expect_100;

/* Who waited how long for a handshake, in cycles. */
enum port { PORT_WR, PORT_RD0, PORT_RD1, PORT_EXT_READ, PORT_EXT_WRITE, PORT_A, PORT_B, PORTS };

struct env {
	struct cta *cta;
	struct cta_in *in;
	const struct cta_out *out;
	const struct unit_shape *info;
	uint32_t chunks; /* of a line */
	uint32_t total;  /* chunks of the memory */
	uint32_t rows;   /* of a bank */
	uint64_t cycle;
	uint8_t *mem;

	/* Requests of the external port and of port A, in the words of those who make them. Barriers of both
	 * ports are words of 8 bytes; lines are in bank order, with a row for every bank. */
	struct tma_ext_in ext;
	uint8_t a_valid, a_commit;
	uint32_t a_addr;
	struct bar_request a;
	bool a_waits; /* it was not answered in the cycle before, when it was: */
	uint32_t a_addr_before;
	struct bar_request a_before;

	bool took[PORTS];
	uint32_t waited[PORTS], longest[PORTS]; /* cycles so far; the most since it was set to 0 */
	uint64_t done[PORTS];                   /* handshakes; A: with an effect */

	/* The engine's write that goes now: with short paths, the one that was taken in the cycle before. */
	bool wr_goes;
	struct cta_smem_write wr;

	/* What has to be answered in the next cycle. */
	bool rd_due[2], rd_held, ext_due, update_due;
	uint16_t rd_rows[2][8];
	uint8_t rd_wanted[2][TMA_SIM_MAX_BEAT]; /* in bank order */
	uint8_t ext_wanted[2][CHUNK];           /* before and after the operations */
};

/** In reset for two cycles, memory written with values that differ everywhere. */
void env_open(struct env *e);
void env_close(struct env *e);
void env_step(struct env *e);

/** Every request withdrawn. */
void env_quiet(struct env *e);

/** Read the whole memory through all three ways. */
void env_check_all(struct env *e);

/** Put an engine write of chunks @p addr .. + @p count - 1 into e->in; bytes from @p data. */
void env_line(struct env *e, uint32_t addr, uint32_t count, const uint8_t *data);

/** Put a read of the line that starts at chunk @p addr into e->in. */
void env_read(struct env *e, uint32_t port, uint32_t addr);

/** Rows of the line that starts at chunk @p addr. */
void env_rows(const struct env *e, uint16_t *rows, uint32_t addr);

/** Bank whose lane holds chunk @p addr. */
uint32_t env_bank(const struct env *e, uint32_t addr);

uint64_t env_word(const struct env *e, uint32_t barrier);

/** Steps until a port's request was taken, at most @p limit. It is withdrawn then. */
void env_until(struct env *e, enum port port, uint32_t limit);

/** One operation through port A, one complete_tx or arrival through port B, to the end. */
void env_arrive(struct env *e, uint32_t barrier, struct bar_request r);
void env_complete(struct env *e, uint32_t barrier, uint32_t tx);
void env_signal_arrival(struct env *e, uint32_t barrier);

/** Make a barrier through port A. */
void env_init(struct env *e, uint32_t barrier, uint32_t count);

/** Put a whole line of ones, far away from the barriers, into e->in. */
void env_busy(struct env *e);

/** env_check_all(), env_close(). */
void env_finish(struct env *e);

#define ENV_TEST(name) TEST_IN(name, struct env, e, env_open(e), env_finish(e))

#endif
