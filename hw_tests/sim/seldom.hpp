/* SPDX-License-Identifier: Apache-2.0 */
/* What Verilator writes for every cycle, compiled as what it mostly is: a unit at rest.
 *
 * A register is written in few cycles and an assertion fails in none. The compiler cannot know the former, and of the
 * latter is told the contrary (VL_LIKELY). With this, what is seldom executed stands apart from what passes through the
 * instruction cache in every cycle. How much is gained: docs/verification.md. Included before generated files alone;
 * the standard's headers and Verilator's, with what is called from them, are left as they are: `if (T *p = f())` is
 * theirs and cannot be written with the macro, wherefore all of them come first, precompiled or not. */
#include "std.hpp"
#include "verilated.h"
#include "verilated_cov.h"
#include "verilated_dpi.h"
#include "verilated_fst_c.h"

/* clang-format off */
#define if(...) if (__builtin_expect(!!(__VA_ARGS__), 0))
/* clang-format on */
