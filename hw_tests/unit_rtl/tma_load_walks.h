/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of tma_load_test about tensor copies, the fetches of their maps, and bulk prefetches. */
#ifndef TMA_LOAD_WALKS_H
#define TMA_LOAD_WALKS_H

void walk_latency(void **state);
void walk_ends(void **state);
void walk_swizzles(void **state);
void walk_formats(void **state);
void walk_fill_rate(void **state);
void walk_swizzled_rate(void **state);
void walk_faults(void **state);
void walk_cut_short(void **state);
void walk_order(void **state);
void walk_maps(void **state);
void walk_dead_port(void **state);
void walk_random(void **state);
void prefetch_rate(void **state);
void prefetch_gives_way(void **state);
void prefetch_beside_denials(void **state);
void prefetch_random(void **state);

#endif
