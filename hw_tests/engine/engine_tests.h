/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong in an engine, and how it goes on. */
#ifndef ENGINE_TESTS_H
#define ENGINE_TESTS_H

#include <stdbool.h>

#include "lib/rig.h"

/* What is tried at many distances takes every so many-th one: with --quick every fourth,
 * of `small` with @p stalls every second, without them each. */
uint32_t engine_step(const char *config, bool stalls);

/* Suites. Each returns the number of its tests that have failed. */
int engine_faults(const char *name, const char *config, const struct rig_opts *opts);
int engine_watchdog(const char *name, const char *config, const struct rig_opts *opts);
int engine_patience(const char *name, const char *config, const struct rig_opts *opts);
int engine_errors(const char *name, const char *config, const struct rig_opts *opts);
int engine_registers(const char *name, const char *config, const struct rig_opts *opts);
int engine_corners(const char *name, const char *config, const struct rig_opts *opts);
int engine_fault_table(void); /* over all of those before */

#endif
