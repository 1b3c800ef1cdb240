/* SPDX-License-Identifier: Apache-2.0 */
/* tma_faults - the pins of the fault collector as plain C. */
#ifndef TMA_FAULTS_SHIM_H
#define TMA_FAULTS_SHIM_H

#include <stdint.h>

#include "tma_abi.h"
#include "unit_rtl/unit.h"

#define FAULTS_MAX_QUEUES 16
#define FAULTS_SOURCES    5
#define FAULTS_OUTPUTS    2 /* direct queues, ring queues */

#ifdef __cplusplus
extern "C" {
#endif

struct faults;

struct faults_fault {
	uint8_t valid;
	uint32_t queue, seq, tag, code; /* low half of the sequence number */
	uint64_t address;
};

struct faults_in {
	uint8_t rst_n, rec_ready[FAULTS_OUTPUTS];
	uint8_t active[FAULTS_MAX_QUEUES], ring[FAULTS_MAX_QUEUES];
	uint8_t room[FAULTS_MAX_QUEUES], resume[FAULTS_MAX_QUEUES];
	uint32_t head[FAULTS_MAX_QUEUES];
	struct faults_fault fault[FAULTS_SOURCES];
	uint32_t status_queue;
};

struct faults_status {
	uint8_t faulted;
	uint32_t code, count, seq, tag;
	uint64_t address;
};

struct faults_out {
	uint8_t ready[FAULTS_SOURCES];
	uint8_t stopped[FAULTS_MAX_QUEUES], pending[FAULTS_MAX_QUEUES];
	uint8_t rec_valid[FAULTS_OUTPUTS], event, idle;
	struct tma_record rec[FAULTS_OUTPUTS];
	struct faults_status status;
};

struct faults *faults_open(void);
void faults_close(struct faults *f);
uint32_t faults_queues(void);
/* Whether its paths are short: it takes more cycles. */
uint32_t faults_short(void);
struct faults_in *faults_in(struct faults *f);
const struct faults_out *faults_out(const struct faults *f);
void faults_eval(struct faults *f);
void faults_tick(struct faults *f);

#ifdef __cplusplus
}
#endif
#endif
