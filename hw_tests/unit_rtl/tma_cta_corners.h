/* SPDX-License-Identifier: Apache-2.0 */
/* Corner cases of a CTA: accesses beside barriers and over them, and over the end of memory. */
#ifndef TMA_CTA_CORNERS_H
#define TMA_CTA_CORNERS_H

/* Tests for cmocka. */
void corner_rows_apart(void **state);       /* a barrier's row in the banks beside it */
void corner_abandoned(void **state);        /* barriers of requests that never come back */
void corner_neighbour(void **state);        /* writes beside a barrier that is on its way */
void corner_rewritten(void **state);        /* writes of one that is */
void corner_half_overwritten(void **state); /* writes of half a dirty one */
void corner_end_of_memory(void **state);    /* lines that hang over the end */
void corner_outside(void **state);          /* external accesses beyond it */

#endif
