/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything around the issue stage: queues of checked commands in front of it, mbarriers, groups
 * and room for records behind it, and a reference of what each command does in which cycle.
 *
 * Call order: env_open(), env_push() and changes of the fields marked so, env_step(); issue_close() of its unit ends it.
 * What the stage does wrong fails the test at once.
 */
#ifndef TMA_ISSUE_ENV_H
#define TMA_ISSUE_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "tma_abi.h"
#include "tma_issue_pins.h"
#include "unit_rtl/barrier_ref.h"
#include "unit_rtl/unit_test.h"

#define ENV_DEPTH    8u
#define ENV_BARRIERS 6u /* per CTA; barrier b at the byte 8 * b */
#define ENV_FOREVER  0xFFFFFFFFu

/* What a command waits for. */
enum env_wait {
	ENV_NOTHING,
	ENV_BARRIER,
	ENV_READ,
	ENV_WRITE,
	ENV_CP,
	ENV_CP_ALL,
	ENV_ROOM,
};

struct env_queue {
	struct issue_issue held[ENV_DEPTH]; /* from the oldest on */
	uint32_t count, picked, head;
	bool enabled, stopped; /* may be changed by the test */
	/* Orders of the test for the next cycle. A resume drops the oldest `skip` commands. */
	bool cancel, resume;
	uint32_t resume_index, skip;
	/* Last state of an arrive. */
	bool has_state;
	uint32_t state_phase, state_pending;
	/* A wait of the oldest command. */
	bool asleep, waiting, timed, woken, cancelled;
	enum env_wait wait;
	uint32_t cta, groups, limit;
	uint64_t first_try, slept;
	/* Committed groups and cp.async that are not done; the test may lower them. */
	uint32_t pending_read, pending_write, cp_pending, cp_ops;
	uint32_t room; /* records that fit; the test may change it */
};

struct env {
	const struct unit_shape *info;
	struct issue *unit;
	struct issue_in *in;
	const struct issue_out *out;
	struct rng rng;
	uint64_t cycle;
	uint32_t delay_percent; /* per cycle: a barrier is not ready; it is after 40 cycles */
	bool hammered;          /* one cycle in five, another one in each CTA, it is */
	uint32_t fault_percent; /* per cycle: a fault is not taken */

	struct env_queue queue[16];
	uint64_t bar[16][ENV_BARRIERS]; /* may be changed, see env_touch() */
	uint32_t updates;               /* CTAs that announce a change in the next cycle */

	/* The issue register, as it should be. */
	bool valid, held, dead, tail;
	struct issue_issue cmd;
	/* Short paths: it may ask its barriers, what they have answered; what it was when the command came, or asked. */
	bool begun;
	struct issue_bar_rsp rsp[16];
	struct issue_group_state group;
	uint32_t room, update;
	/* What was offered in the cycle before and not taken; CTAs that have answered, these with a fault. */
	uint32_t bar_valid, bar_ready, told, bad, waited[16];
	bool turn_seen;
	uint32_t turn; /* cycle modulo 64 in which sleepers try again */

	uint32_t retired, faults, sleeps, expired, copies, reductions, cancelled, fulls;
	struct tma_record answer; /* the last one */
};

void env_open(struct env *e, uint64_t seed);

#define ENV_TEST(name, seed) TEST_IN(name, struct env, e, env_open(e, seed), issue_close(e->unit))

/** Room in a queue. */
bool env_room(const struct env *e, uint32_t queue);
void env_push(struct env *e, const struct issue_issue *cmd);
/** Something else works on a barrier; the CTA announces a change of its phase. */
void env_touch(struct env *e, uint32_t cta, uint32_t barrier, const struct bar_request *r);

void env_step(struct env *e);
void env_steps(struct env *e, uint32_t count);

/** What the paths behind the stage are told of the command in it (tma_issue_copies.c). */
void issue_check_copies(struct env *e, bool retires);

#endif
