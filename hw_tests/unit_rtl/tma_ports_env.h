/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the ports share: the bench, random payloads, and the rounds of tma_port_age. */
#ifndef TMA_PORTS_ENV_H
#define TMA_PORTS_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "unit_rtl/unit_test.h"
#include "tma_ports_pins.h"

#define ROOM     2048u
#define NEVER    UINT32_MAX
#define PATIENCE 150u /* of the watchdog, where something is lost */

struct bench {
	struct ports *unit;
	const struct unit_shape *info;
	struct ports_in *in;
	const struct ports_out *out;
	struct rng rng;
};

/* Marks of what has not moved since the round began. */
struct age {
	bool stalls;
	uint32_t marks;
};

void bench_open(struct bench *b, uint64_t seed);
void random_bytes(struct bench *b, void *to, uint32_t count);
struct ports_ar random_ar(struct bench *b, uint32_t id);

/** A cycle. Whether no round goes on behind it. @p addr_waits, @p data_waits: it is not taken; @p owes,
 * @p comes: ids */
bool age_step(struct age *a, bool addr_waits, bool data_waits, bool moves, uint32_t owes, uint32_t comes);
/** The watchdog sees these pins; is the port dead by it? */
bool watched(struct bench *b, bool reads, uint32_t port);

#endif
