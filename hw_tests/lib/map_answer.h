/* SPDX-License-Identifier: Apache-2.0 */
/* map_answer - a recorded answer of the CUDA driver's encoders against ours. */
#ifndef MAP_ANSWER_H
#define MAP_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/vec.h"

#define MAP_ANSWER_BASE  (UINT64_C(1) << 40) /* what a record's address counts from */
#define MAP_ANSWER_HINTS 8u                  /* and the word behind it: the driver's own */

/**
 * Make the call of a record of VEC_ENCODE, for sm_90, and compare: accepted or refused, and if accepted every bit but
 * the driver's hints, words 8 and 9 (semantics M19, M20; hw_tests/vectors/FORMAT.md).
 *
 * @param text  what is otherwise, if anything
 */
bool map_answer_differs(const struct vec_record *r, char *text, size_t size);

#endif
