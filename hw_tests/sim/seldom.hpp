/* SPDX-License-Identifier: Apache-2.0 */
/* What Verilator writes for every cycle, compiled as what it mostly is: a unit at rest.
 *
 * A register is written in few cycles and an assertion fails in none. The compiler cannot know the former, and of the
 * latter is told the contrary (VL_LIKELY). With this, what is seldom executed stands apart from what passes through the
 * instruction cache in every cycle. How much is gained: docs/verification.md. Included before generated files alone;
 * verilated.h, with what is called from them, is left as it is. */
#include "verilated.h"
#include "verilated_dpi.h"

/* clang-format off */
#define if(...) if (__builtin_expect(!!(__VA_ARGS__), 0))
/* clang-format on */
