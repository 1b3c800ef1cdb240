/* SPDX-License-Identifier: Apache-2.0 */
/* What Verilator writes for every cycle, compiled as what it mostly is: a unit at rest.
 *
 * A register is written in few cycles and an assertion fails in none, which the compiler cannot know, and of assertions is
 * told the contrary (VL_LIKELY). Without this, half of the text that passes through the instruction cache is not executed:
 * `small` runs a random program in 0.62 of the time, `default` in 0.77. Included before generated files alone; what
 * Verilator's own headers hold is left as it is. */
#include "verilated.h"
#include "verilated_dpi.h"

/* clang-format off */
#define if(...) if (__builtin_expect(!!(__VA_ARGS__), 0))
/* clang-format on */
