/* SPDX-License-Identifier: Apache-2.0 */
/* footprint - which bytes a program may change, when nobody knows how far it came. */
#ifndef CROSSCHECK_FOOTPRINT_H
#define CROSSCHECK_FOOTPRINT_H

#include <stddef.h>

#include "crosscheck/result.h"

/** Every byte of @p now is what some prefix of the program's copies can have made of @p before, as far as
 * that is easy to say: a byte that nothing writes is as it was; one that one copy alone writes, from a
 * byte that nothing writes, is old or new. @p text: the first one that is neither. */
bool footprint_kept(const struct program *p, const struct memory *before, const struct memory *now,
                    char *text, size_t room);

#endif
