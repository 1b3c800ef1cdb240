/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps that keep all rules, that break one of them, and that are nothing but random bits. */
#ifndef TMA_MAP_RANDOM_H
#define TMA_MAP_RANDOM_H

#include "lib/rng.h"
#include "unit_rtl/tma_map_ref.h"

/** Mostly legal. */
void map_random_legal(struct rng *rng, bool packed, uint32_t words[MAP_WORDS]);

/** Any. */
void map_random(struct rng *rng, bool packed, uint32_t words[MAP_WORDS]);

#endif
