/* SPDX-License-Identifier: Apache-2.0 */
/* tma_csr_doors - tests of the queues' pages, which tma_csr_test runs. */
#ifndef TMA_CSR_DOORS_H
#define TMA_CSR_DOORS_H

void csr_doorbell(void **state);
void csr_consumer(void **state);
void csr_interrupts(void **state);
void csr_recovery(void **state);

#endif
