/* SPDX-License-Identifier: Apache-2.0 */
/* Included before everything else of Verilator's library: what of it the shim replaces. */
#ifndef TMA_SIM_VERILATED_USER_H
#define TMA_SIM_VERILATED_USER_H

#include <cstdio>

/* Failed assertions are counted and do not end the process: see configs.cpp. */
#define VL_USER_STOP_MAYBE
void vl_stop_maybe(const char *file, int line, const char *hier, bool maybe);

/* Their messages go to stderr: stdout belongs to the reports of tests. */
#define VL_PRINTF(...) std::fprintf(stderr, __VA_ARGS__)

#endif
