/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong in an engine, and how it goes on. */
#ifndef ENGINE_TESTS_H
#define ENGINE_TESTS_H

#include <stdbool.h>

#include "lib/rig.h"

/* --quick: what is tried at many distances takes every second one on engines larger than `small`. */
extern bool engine_quick;

/* Suites. Each returns the number of its tests that have failed. */
int engine_faults(const char *name, const char *config, const struct rig_opts *opts);
int engine_watchdog(const char *name, const char *config, const struct rig_opts *opts);
int engine_patience(const char *name, const char *config, const struct rig_opts *opts);
int engine_errors(const char *name, const char *config, const struct rig_opts *opts);
int engine_registers(const char *name, const char *config, const struct rig_opts *opts);
int engine_corners(const char *name, const char *config, const struct rig_opts *opts);
int engine_fault_table(void); /* over all of those before */

#endif
