/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axil_check - watches the AXI4-Lite port of the registers, both sides: nothing is valid in a reset (its first
 * cycle excepted) nor in the first cycle after it, valids and payloads stay until ready, an answer comes for
 * what was asked alone (B: address and data), and no EXOKAY.
 */
#ifndef AXIL_CHECK_H
#define AXIL_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/tma_sim.h"

/* Zero-initialised, but for `quiet`. */
struct axil_check {
	bool quiet; /* print nothing */
	int failed; /* rules broken so far */
	char last[120];

	bool in_reset, started;
	uint32_t aw, w, ar; /* taken, and not answered */
	struct tma_csr_in was_in;
	struct tma_csr_out was_out;
};

/** Settled pins of one cycle. */
void axil_check_step(struct axil_check *c, uint64_t cycle, bool rst_n, const struct tma_csr_in *in,
                     const struct tma_csr_out *out);

#endif
