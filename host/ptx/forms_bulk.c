/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of cp.async and of the bulk copies and reductions without tensor maps. */
#include "ptx.h"

#define OP(name) TMA_PTX_OP_##name, T_ALL

/* Types of a reduction in global memory, and in shared memory. */
#define ADD_GLOBAL   (B(U32) | B(S32) | B(U64) | B(F32) | B(F64))
#define ADD_SHARED   (B(U32) | B(S32) | B(U64))
#define ORDER_GLOBAL (B(U32) | B(S32) | B(U64) | B(S64) | B(F16) | B(BF16))
#define ORDER_SHARED (B(U32) | B(S32))
#define LOGIC_GLOBAL (B(B32) | B(B64))
#define LOGIC_SHARED B(B32)

#define STORE NEED(SPACE, B(GLOBAL)), NEED(SPACE_2, B(SHARED_CTA)), NEED(MECHANISM, B(BULK_GROUP))
#define TO_CLUSTER \
	NEED(SPACE, B(SHARED_CLUSTER)), NEED(SPACE_2, B(SHARED_CTA)), NEED(MECHANISM, B(COMPLETE_TX))
#define SIZE NUM(SIZE, INTEGER_32, RULE_SIZE)

#define REDUCE_GLOBAL(ops, types)                                                                    \
	{                                                                                            \
		OP(CP_REDUCE_ASYNC_BULK),                                                            \
			{ STORE, MAY(CACHE_HINT, B(CACHE_HINT)), NEED(OP, ops), NEED(TYPE, types) }, \
		{                                                                                    \
			ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), SIZE, POLICY                       \
		}                                                                                    \
	}
#define REDUCE_SHARED(ops, types)                                                            \
	{                                                                                    \
		OP(CP_REDUCE_ASYNC_BULK), { TO_CLUSTER, NEED(OP, ops), NEED(TYPE, types) },  \
		{                                                                            \
			ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), SIZE, ARG(MBAR, AT_SHARED) \
		}                                                                            \
	}
#define REDUCE_MULTIMEM(ops, types)                                                             \
	{                                                                                       \
		OP(MULTIMEM_CP_REDUCE_ASYNC_BULK), { STORE, NEED(OP, ops), NEED(TYPE, types) }, \
		{                                                                               \
			ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), SIZE                          \
		}                                                                               \
	}

#define CP_ASYNC(cache, rule, last)                                                                          \
	{                                                                                                    \
		OP(CP_ASYNC),                                                                                \
			{ NEED(CACHE, B(cache)), NEED(SPACE, B(SHARED) | B(SHARED_CTA)),                     \
			  NEED(SPACE_2, B(GLOBAL)), MAY(CACHE_HINT, B(CACHE_HINT)),                          \
			  MAY(PREFETCH_SIZE, B(64B) | B(128B) | B(256B)) },                                  \
		{                                                                                            \
			ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), NUM(CP_SIZE, CONSTANT, rule), last, POLICY \
		}                                                                                            \
	}
#define SRC_SIZE   OPTIONAL_NUM(SRC_SIZE, INTEGER_32, RULE_SRC_SIZE)
#define IGNORE_SRC ARG(IGNORE_SRC, PREDICATE)

static const struct ptx_form forms[] = {
	CP_ASYNC(CA, RULE_CP_SIZE_CA, SRC_SIZE),
	CP_ASYNC(CA, RULE_CP_SIZE_CA, IGNORE_SRC),
	CP_ASYNC(CG, RULE_CP_SIZE_CG, SRC_SIZE),
	CP_ASYNC(CG, RULE_CP_SIZE_CG, IGNORE_SRC),
	{ OP(CP_ASYNC_COMMIT_GROUP), { { 0 } }, { { 0 } } },
	{ OP(CP_ASYNC_WAIT_GROUP), { { 0 } }, { ARG(N, CONSTANT) } },
	{ OP(CP_ASYNC_WAIT_ALL), { { 0 } }, { { 0 } } },
	{ OP(CP_ASYNC_MBARRIER_ARRIVE),
	  { MAY(NOINC, B(NOINC)), MAY(SPACE, B(SHARED) | B(SHARED_CTA)), NEED(TYPE, B(B64)) },
	  { ARG(MBAR, AT_SPACE) } },

	{ OP(CP_ASYNC_BULK),
	  { NEED(SPACE, B(SHARED_CTA)), NEED(SPACE_2, B(GLOBAL)), NEED(MECHANISM, B(COMPLETE_TX)),
	    MAY(CACHE_HINT, B(CACHE_HINT)) },
	  { ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), SIZE, ARG(MBAR, AT_SHARED), POLICY } },
	{ OP(CP_ASYNC_BULK),
	  { NEED(SPACE, B(SHARED_CLUSTER)), NEED(SPACE_2, B(GLOBAL)), NEED(MECHANISM, B(COMPLETE_TX)),
	    MAY(MULTICAST, B(MULTICAST_CLUSTER)), MAY(CACHE_HINT, B(CACHE_HINT)) },
	  { ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), SIZE, ARG(MBAR, AT_SHARED),
	    WITH(CTA_MASK, INTEGER_16, MULTICAST), POLICY } },
	{ OP(CP_ASYNC_BULK),
	  { TO_CLUSTER },
	  { ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), SIZE, ARG(MBAR, AT_SHARED) } },
	{ OP(CP_ASYNC_BULK),
	  { STORE, MAY(CACHE_HINT, B(CACHE_HINT)), MAY(CP_MASK, B(CP_MASK)) },
	  { ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), SIZE, POLICY, WITH(BYTE_MASK, INTEGER_16, CP_MASK) } },
	{ OP(CP_ASYNC_BULK_PREFETCH),
	  { NEED(LEVEL, B(L2)), NEED(SPACE, B(GLOBAL)), MAY(CACHE_HINT, B(CACHE_HINT)) },
	  { ARG(SRC, AT_SPACE), NUM(SIZE, INTEGER_32, RULE_GRANULE), POLICY } },
	{ OP(MULTIMEM_CP_ASYNC_BULK),
	  { STORE, MAY(CP_MASK, B(CP_MASK)) },
	  { ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), SIZE, WITH(BYTE_MASK, INTEGER_16, CP_MASK) } },
	{ OP(CP_ASYNC_BULK_COMMIT_GROUP), { { 0 } }, { { 0 } } },
	{ OP(CP_ASYNC_BULK_WAIT_GROUP), { MAY(READ, B(READ)) }, { ARG(N, CONSTANT) } },

	REDUCE_GLOBAL(B(ADD), ADD_GLOBAL),
	{ OP(CP_REDUCE_ASYNC_BULK),
	  { STORE, MAY(CACHE_HINT, B(CACHE_HINT)), NEED(OP, B(ADD)), NEED(NOFTZ, B(NOFTZ)),
	    NEED(TYPE, B(F16) | B(BF16)) },
	  { ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), SIZE, POLICY } },
	REDUCE_GLOBAL(B(MIN) | B(MAX), ORDER_GLOBAL),
	REDUCE_GLOBAL(B(INC) | B(DEC), B(U32)),
	REDUCE_GLOBAL(B(AND) | B(OR) | B(XOR), LOGIC_GLOBAL),
	REDUCE_SHARED(B(ADD), ADD_SHARED),
	REDUCE_SHARED(B(MIN) | B(MAX), ORDER_SHARED),
	REDUCE_SHARED(B(INC) | B(DEC), B(U32)),
	REDUCE_SHARED(B(AND) | B(OR) | B(XOR), LOGIC_SHARED),
	REDUCE_MULTIMEM(B(ADD), ADD_GLOBAL),
	{ OP(MULTIMEM_CP_REDUCE_ASYNC_BULK),
	  { STORE, NEED(OP, B(ADD)), NEED(NOFTZ, B(NOFTZ)), NEED(TYPE, B(F16) | B(BF16)) },
	  { ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), SIZE } },
	REDUCE_MULTIMEM(B(MIN) | B(MAX), ORDER_GLOBAL),
	REDUCE_MULTIMEM(B(INC) | B(DEC), B(U32)),
	REDUCE_MULTIMEM(B(AND) | B(OR) | B(XOR), LOGIC_GLOBAL),
};

const struct ptx_table ptx_table_bulk = { forms, sizeof(forms) / sizeof(forms[0]) };
