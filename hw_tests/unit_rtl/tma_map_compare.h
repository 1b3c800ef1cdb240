/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of tensor maps: what a unit says of a map against the reference. */
#ifndef TMA_MAP_COMPARE_H
#define TMA_MAP_COMPARE_H

#include "unit_rtl/tma_map_ref.h"

/** Fails the test where a field that means something differs. */
void map_compare(const struct map_info *got, const struct map_info *wanted);

#endif
