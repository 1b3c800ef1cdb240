/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of tables that change a few fields of a legal command.
 *
 *	{ "name", base_load, { SET(size, 17) }, TMA_FAULT_SIZE_GRANULE, 17 }
 */
#ifndef MODEL_CASES_H
#define MODEL_CASES_H

#include "model_fixture.h"

struct edit {
	uint8_t byte;  /* of the command */
	uint8_t bytes; /* 0: no edit; those past the eighth become zero */
	uint64_t value;
};

#define SET(field, value)                                                                              \
	{                                                                                              \
		offsetof(struct tma_command, field), sizeof(((struct tma_command *)0)->field), (value) \
	}

#define MAX_EDITS 4

/* As the address of a fault: the command's first eight bytes. */
#define HEADER UINT64_C(0xFEDCBA9876543210)

/* Shared memory that the base commands use. */
#define DST 0x400u
#define SRC 0x1000u
/* A dead barrier, all zero. */
#define BAR_DEAD 0x80u

typedef struct tma_command (*base_command)(void);

struct tma_command build(base_command base, const struct edit edits[MAX_EDITS]);
uint64_t header_of(const struct tma_command *c);

/* Legal commands of queue 0. */
struct tma_command base_load(void);
struct tma_command base_multicast(void); /* to CTAs 0 and 1 */
struct tma_command base_store(void);
struct tma_command base_shared(void); /* to CTA 1 */
struct tma_command base_prefetch(void);
struct tma_command base_commit(void);
struct tma_command base_wait_group(void);
struct tma_command base_init(void);
struct tma_command base_inval(void);
struct tma_command base_expect_tx(void);
struct tma_command base_complete_tx(void);
struct tma_command base_arrive(void);
struct tma_command base_arrive_expect_tx(void);
struct tma_command base_pending_count(void);
struct tma_command base_test_state(void);
struct tma_command base_test_parity(void);
struct tma_command base_try_state(void);
struct tma_command base_try_parity(void);
struct tma_command base_signal(void);
struct tma_command base_multimem(void);
struct tma_command base_cp_async(void);             /* 8 bytes */
struct tma_command base_cp_async_of(uint32_t rank); /* of a queue of CTA @p rank */
struct tma_command base_cp_arrive(void);
struct tma_command base_cancel(void);  /* of queue 0 */
struct tma_command wait_forever(void); /* for the phase of BAR that is not over */
struct tma_command base_refused(void); /* not legal: of version 0 */

#endif
