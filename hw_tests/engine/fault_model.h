/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of fault_cases.h on the C model. */
#ifndef FAULT_MODEL_H
#define FAULT_MODEL_H

#include "engine/fault_cases.h"

/** Run a program on a model with beats of @p data_bytes. Aborts when there is no memory. */
struct fault_report fault_run_model(const struct fault_program *p, uint32_t data_bytes);

/** A case on every front end that it has. */
struct fault_result fault_try_model(const struct fault_case *c, const struct fault_shape *shape,
                                    uint32_t data_bytes);

#endif
