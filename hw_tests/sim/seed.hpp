/* SPDX-License-Identifier: Apache-2.0 */
/* The seed of Verilator's random start values, from that of a run. */
#ifndef SIM_SEED_HPP
#define SIM_SEED_HPP

#include <cstdint>
#include <cstdlib>

/** 1 .. 2^31-1: Verilator takes no other, 0 would be a seed of its own. @p seed 0: SEED of the environment,
 * or else 1. */
static inline int verilated_seed(uint64_t seed)
{
	const char *text = std::getenv("SEED");

	if (!seed)
		seed = text ? std::strtoull(text, nullptr, 0) : 1;
	return static_cast<int>(1 + (seed ^ seed >> 31) % 0x7FFFFFFE);
}

#endif
