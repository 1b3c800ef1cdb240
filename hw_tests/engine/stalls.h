/* SPDX-License-Identifier: Apache-2.0 */
/* A rig on which everything stalls: the value of a struct rig_opts. */
#ifndef STALLS_H
#define STALLS_H

#include "lib/rig.h"

#define STALLS(SEED, LATENCY)                                                                                \
	{                                                                                                    \
		.size = sizeof(struct rig_opts), .seed = (SEED), .latency = (LATENCY), .random_latency = 40, \
		.stall_percent = 30, .command_percent = 20, .record_percent = 40, .ext_busy_every = 3,       \
		.pick = RIG_PICK_RANDOM                                                                      \
	}

#endif
