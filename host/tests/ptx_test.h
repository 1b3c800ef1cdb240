/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of PTX text share. */
#ifndef PTX_TEST_H
#define PTX_TEST_H

#include <stdio.h>
#include <string.h>

#define ONE_TEST_LIST
#include "lib/cmocka_all.h"
#include "tma_ptx.h"

/* A row of hw_tests/vectors/ptx_syntax.tsv.xz. */
struct ptx_row {
	char *instruction, *category;
	enum tma_ptx_target target;
	bool accept;
};

/** The whole table, read once. */
const struct ptx_row *ptx_table(size_t *count);

/** Whether the grammar has rows of this kind at all, and ptxas 13.0 knew them. */
bool ptx_in_scope(const struct ptx_row *row);

#endif
