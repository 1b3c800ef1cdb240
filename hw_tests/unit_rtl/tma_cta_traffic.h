/* SPDX-License-Identifier: Apache-2.0 */
/* Random requests on all ports of a CTA at once, around barriers that data is written over. */
#ifndef TMA_CTA_TRAFFIC_H
#define TMA_CTA_TRAFFIC_H

/* Tests for cmocka. */
void traffic_mixed(void **state); /* everything, also over the end of memory */
void traffic_hot(void **state);   /* all ports always busy, on a few barriers */
void traffic_words(void **state); /* writes of single words over barriers */
void traffic_reads(void **state); /* reads and external accesses of barriers under update */
void traffic_wild(void **state);  /* operands and objects of any value, requests that leave */

#endif
