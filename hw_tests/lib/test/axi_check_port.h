/* SPDX-License-Identifier: Apache-2.0 */
/* The pins of one AXI port, played by hand, and the checker that looks at them. */
#ifndef AXI_CHECK_PORT_H
#define AXI_CHECK_PORT_H

#include <stdint.h>

#include "lib/axi_check.h"

#define BYTES  64u
#define BASE   UINT64_C(0x10000)
#define SIZE   UINT64_C(0x4000) /* legal: BASE..BASE+SIZE-1 */
#define IDS    32u
#define READS  4u
#define WRITES 3u
#define WAIT   20u

struct port {
	struct axi_check *check;
	struct tma_axi_out out;
	struct tma_axi_in in;
	uint64_t cycle;
	int rst_n;
	bool engine;
};

/** Every ready is 1, nothing is valid. */
void port_open(struct port *p);
/** From now on with what the engine promises beyond AXI. */
void port_engine(struct port *p);

void port_step(struct port *p);
/** One cycle, after which nothing is valid any more. */
void port_next(struct port *p);

/* Raise one channel's valid. */
void port_ar(struct port *p, uint64_t addr, uint8_t beats, uint8_t id);
void port_aw(struct port *p, uint64_t addr, uint8_t beats, uint8_t id);
void port_w(struct port *p, uint8_t strobes, uint8_t last);
void port_r(struct port *p, uint8_t id, uint8_t last);
void port_b(struct port *p, uint8_t id);

/** A whole write of one beat, up to its B. */
void port_write(struct port *p, uint8_t id);

struct violation {
	const char *name;
	void (*play)(struct port *p); /* a legal prelude, then the one violation */
	const char *says;
};
extern const struct violation violations[];
extern const uint32_t num_violations;

#endif
