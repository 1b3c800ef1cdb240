/* SPDX-License-Identifier: Apache-2.0 */
/* The pins of one AXI port, played by hand, and the checker that looks at them. */
#ifndef AXI_CHECK_PORT_H
#define AXI_CHECK_PORT_H

#include "lib/axi_check.h"
#include "lib/test/play.h"

#define BYTES UINT64_C(64)
#define BASE  UINT64_C(0x10000)
#define SIZE  UINT64_C(0x4000) /* legal: BASE..BASE+SIZE-1 */

struct port {
	struct axi_check *check;
	struct tma_axi_out out;
	struct tma_axi_in in;
	uint64_t cycle;
	uint8_t rst_n;
	uint8_t engine; /* from the next cycle on with what the engine promises beyond AXI */
	uint8_t reduce; /* ... and it has reductions */
	uint8_t end;    /* the run ends before the next cycle */
};

/** Every ready is 1, nothing is valid; addresses are BASE, bursts of one beat. At most 4 reads and 3 writes,
 * and 5 bursts of reductions; a valid may wait for 20 cycles. */
void port_open(struct port *p);

void port_play(struct port *p, const char *script);

extern const struct violation violations[];
extern const uint32_t num_violations;

#endif
