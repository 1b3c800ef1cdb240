/* SPDX-License-Identifier: Apache-2.0 */
/* order - did the engine do things in an order that the program allows? */
#ifndef CROSSCHECK_ORDER_H
#define CROSSCHECK_ORDER_H

#include <stddef.h>

#include "crosscheck/trace.h"

/**
 * What the queue was certain of when a step went on has to have happened by then:
 *
 *	- a record comes after the last R of every load, and the last B of every store, that a wait
 *	  before it or that it itself waited for; so groups complete in order, and a wait passes late
 *	  enough
 *	- so does the first burst of a copy
 *	- a try_wait that says no does so at its limit, not before
 *	- a copy asks for nothing more after an error response
 *	- every copy has asked for all its bytes, once, and is answered
 *	- a reduction has read what it writes, but where it is one beat that another one may have
 *
 * False: @p text is the first violation.
 */
bool order_allowed(const struct program *p, const struct seen *seen, char *text, size_t room);

#endif
