/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of mbarriers, and of the engine's own instructions. */
#include "ptx.h"

#define CTA_SPACE     MAY(SPACE, B(SHARED) | B(SHARED_CTA))
#define CLUSTER_SPACE NEED(SPACE, B(SHARED_CLUSTER))
#define ANY_SPACE     MAY(SPACE, B(SHARED) | B(SHARED_CTA) | B(SHARED_CLUSTER))
#define ANY_SCOPE     B(CTA) | B(CLUSTER)
#define BARRIER       ARG(MBAR, AT_SPACE)

/* clang-format off */
/* Semantics and scope, both or neither: two forms. */
#define BOTH(opcode, sems, scopes, head, space, ...) \
	{ TMA_PTX_OP_MBARRIER_##opcode, T_ALL, \
	  { head, space, NEED(TYPE, B(B64)) }, \
	  { __VA_ARGS__ } }, \
	{ TMA_PTX_OP_MBARRIER_##opcode, T_ALL, \
	  { head, NEED(SEM, sems), NEED(SCOPE, scopes), space, NEED(TYPE, B(B64)) }, \
	  { __VA_ARGS__ } }
#define NO_HEAD { 0 }

#define COUNTED(opcode) \
	BOTH(opcode, B(RELAXED), ANY_SCOPE, NO_HEAD, ANY_SPACE, BARRIER, ARG(TX, INTEGER_32))

/* A barrier of the executing CTA returns its state, any other one does not. */
#define ARRIVE(opcode, last) \
	BOTH(opcode, B(RELEASE) | B(RELAXED), ANY_SCOPE, NO_HEAD, CTA_SPACE, \
	     ARG(STATE, TO_64_OR_SINK), BARRIER, last), \
	BOTH(opcode, B(RELEASE) | B(RELAXED), ANY_SCOPE, NO_HEAD, CLUSTER_SPACE, \
	     ARG(STATE, TO_SINK), BARRIER, last)
#define NO_COMPLETE_ARRIVE(opcode) \
	BOTH(opcode, B(RELEASE), B(CTA), NEED(NO_COMPLETE, B(NO_COMPLETE)), CTA_SPACE, \
	     ARG(STATE, TO_64_OR_SINK), BARRIER, ARG(COUNT, INTEGER_32))

#define TEST(opcode, which) \
	BOTH(opcode, B(ACQUIRE) | B(RELAXED), ANY_SCOPE, NO_HEAD, CTA_SPACE, \
	     ARG(DONE, TO_PREDICATE), BARRIER, which)
#define TRY(opcode, which) \
	BOTH(opcode, B(ACQUIRE) | B(RELAXED), ANY_SCOPE, NO_HEAD, CTA_SPACE, \
	     ARG(DONE, TO_PREDICATE), BARRIER, which, OPTIONAL(LIMIT, INTEGER_32))
/* clang-format on */
#define BY_STATE  ARG(TOKEN, INTEGER_64)
#define BY_PARITY NUM(PARITY, INTEGER_32, RULE_BIT)

static const struct ptx_form forms[] = {
	{ TMA_PTX_OP_MBARRIER_INIT,
	  T_ALL,
	  { CTA_SPACE, NEED(TYPE, B(B64)) },
	  { BARRIER, ARG(COUNT, INTEGER_32) } },
	{ TMA_PTX_OP_MBARRIER_INVAL, T_ALL, { CTA_SPACE, NEED(TYPE, B(B64)) }, { BARRIER } },
	COUNTED(EXPECT_TX),
	COUNTED(COMPLETE_TX),
	ARRIVE(ARRIVE, OPTIONAL(COUNT, INTEGER_32)),
	NO_COMPLETE_ARRIVE(ARRIVE),
	ARRIVE(ARRIVE_EXPECT_TX, ARG(TX, INTEGER_32)),
	ARRIVE(ARRIVE_DROP, OPTIONAL(COUNT, INTEGER_32)),
	NO_COMPLETE_ARRIVE(ARRIVE_DROP),
	ARRIVE(ARRIVE_DROP_EXPECT_TX, ARG(TX, INTEGER_32)),
	TEST(TEST_WAIT, BY_STATE),
	TEST(TEST_WAIT_PARITY, BY_PARITY),
	TRY(TRY_WAIT, BY_STATE),
	TRY(TRY_WAIT_PARITY, BY_PARITY),
	{ TMA_PTX_OP_MBARRIER_PENDING_COUNT,
	  T_ALL,
	  { NEED(TYPE, B(B64)) },
	  { ARG(RESULT, TO_32), BY_STATE } },

	{ TMA_PTX_OP_SIGNAL, T_ENGINE, { { 0 } }, { { 0 } } },
	{ TMA_PTX_OP_CANCEL, T_ENGINE, { { 0 } }, { ARG(QUEUE, CONSTANT) } },
	{ TMA_PTX_OP_COMMAND, T_ENGINE, { { 0 } }, { ARG(WORDS, WORDS) } },
};

const struct ptx_table ptx_table_sync = { forms, sizeof(forms) / sizeof(forms[0]) };
