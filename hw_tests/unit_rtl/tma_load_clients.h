/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of tma_load_test about ring fetches, cp.async and a port that dies. */
#ifndef TMA_LOAD_CLIENTS_H
#define TMA_LOAD_CLIENTS_H

void fetch_latency(void **state);
void fetch_turns(void **state);
void fetch_beside_denial(void **state);
void fetch_windows(void **state);
void cp_latency(void **state);
void cp_rate(void **state);
void cp_shapes(void **state);
void cp_holds_no_data(void **state);
void cp_failed(void **state);
void cp_lives(void **state);
void dead_port(void **state);
void random_clients(void **state);

#endif
