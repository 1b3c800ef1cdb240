/* SPDX-License-Identifier: Apache-2.0 */
/* order_rows - did tensor copies ask for their rows, for all of them, and for nothing else? */
#ifndef CROSSCHECK_ORDER_ROWS_H
#define CROSSCHECK_ORDER_ROWS_H

#include <stddef.h>

#include "crosscheck/trace.h"

/**
 * Every beat of a tensor copy that holds bytes of one row is asked for once, one that holds bytes of
 * several rows once at least and not more often than it holds rows, and no other. Of one that faults or
 * stands behind a fault some may be missing.
 *
 * False: @p text is the first violation.
 */
bool order_rows(const struct program *p, const struct trace_burst *bursts, uint32_t count, char *text,
                size_t room);

#endif
