/* SPDX-License-Identifier: Apache-2.0 */
/* listing - a program for people. */
#ifndef CROSSCHECK_LISTING_H
#define CROSSCHECK_LISTING_H

#include <stdio.h>

#include "crosscheck/program.h"

const char *txn_kind_name(enum txn_kind kind);

/** Set-up and every command, queue by queue; at most @p limit commands of each, its last ones. */
void listing_print(FILE *out, const struct program *p, uint32_t limit);

#endif
