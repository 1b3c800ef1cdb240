/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reference of the issue stage: what the command in its register has to do in this cycle.
 *
 * Reads the surroundings, changes nothing.
 */
#ifndef TMA_ISSUE_REF_H
#define TMA_ISSUE_REF_H

#include "unit_rtl/tma_issue_env.h"

/* What a path is told, addresses in chunks; fields that the path does not have are 0. */
struct issue_copy {
	uint64_t gaddr;
	uint32_t client, multimem, chunks, cta, src, dst, byte_mask;
	uint32_t qos, cg, l2, evict;
	uint32_t cp_arrive, cp_dst, cp_size, cp_valid;
	uint32_t arrive, ctas, again, barrier, bytes, queue, seq, tag;
	uint32_t dst_ctas, tensor, mode, dim;
	uint32_t reduce, op, kind; /* how a reduction works; `reduce`: between CTAs */
	uint32_t coord[5], im2col[3];
};

/* What the command in the register does in this cycle. */
struct issue_outcome {
	bool done, retires, waits, passed;
	bool turns; /* retires, and has its barriers signalled now */
	bool asks;  /* its barriers, now or (short paths) from the next cycle on */
	enum env_wait wait;
	uint32_t fault, bar_valid, sleep_groups;
	uint64_t address;
	uint32_t phase, pending; /* of its lowest barrier, before */
};

/** The command in the register, if there is one. All inputs of the cycle are set. */
struct issue_outcome issue_find(const struct env *e);

/** What a command asks of its barriers. */
struct bar_request issue_request(const struct tma_command *c);
bool issue_wants_state(const struct tma_command *c);
/** It writes a record when it retires. */
bool issue_records(const struct tma_command *c);
/** Records of its queue that fit. */
uint32_t issue_room(const struct env *e);
/** What the command in the register tells its path. */
struct issue_copy issue_copy_of(const struct env *e);

#endif
