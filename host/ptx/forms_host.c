/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of what stands around the copies: prefetches, changes of tensor maps, fences, cache policies, addresses. */
#include "ptx.h"

#define PRIORITIES (B(EVICT_LAST) | B(EVICT_NORMAL) | B(EVICT_FIRST) | B(EVICT_UNCHANGED))
#define SECOND     MAY(PRIORITY_2, B(EVICT_FIRST) | B(EVICT_UNCHANGED))
#define SCOPES     (B(CTA) | B(CLUSTER) | B(GPU) | B(SYS))

/* A field of 32 or 64 bits; what follows the address. */
#define REPLACE(targets, fields, type, ...)                                                                \
	{                                                                                                  \
		TMA_PTX_OP_TENSORMAP_REPLACE, targets,                                                     \
			{ NEED(MODE, B(TILE)), NEED(FIELD, fields), MAY(SPACE, B(GLOBAL) | B(SHARED_CTA)), \
			  NEED(OBJECT, B(B1024)), NEED(TYPE, B(type)) },                                   \
		{                                                                                          \
			ARG(ADDRESS, AT_SPACE), __VA_ARGS__                                                \
		}                                                                                          \
	}
#define ORDINAL NUM(ORDINAL, CONSTANT, RULE_DIM)

#define FENCE(...)                                        \
	{                                                 \
		TMA_PTX_OP_FENCE, T_ALL, { __VA_ARGS__ }, \
		{                                         \
			{                                 \
				0                         \
			}                                 \
		}                                         \
	}
#define PROXY_FENCE(proxy, ...)                                                        \
	{                                                                              \
		TMA_PTX_OP_FENCE_PROXY, T_ALL, { NEED(PROXY, B(proxy)), __VA_ARGS__ }, \
		{                                                                      \
			{                                                              \
				0                                                      \
			}                                                              \
		}                                                                      \
	}

static const struct ptx_form forms[] = {
	{ TMA_PTX_OP_PREFETCH,
	  T_ALL,
	  { MAY(SPACE, B(PARAM) | B(CONST)), NEED(MAP, B(TENSORMAP)) },
	  { ARG(MAP, AT_SPACE) } },
	{ TMA_PTX_OP_PREFETCH,
	  T_ALL,
	  { MAY(SPACE, B(GLOBAL) | B(LOCAL)), NEED(LEVEL, B(L1) | B(L2)) },
	  { ARG(ADDRESS, AT_SPACE) } },
	{ TMA_PTX_OP_PREFETCH,
	  T_ALL,
	  { NEED(SPACE, B(GLOBAL)), NEED(PRIORITY, B(EVICT_LAST) | B(EVICT_NORMAL)) },
	  { ARG(ADDRESS, AT_SPACE) } },
	{ TMA_PTX_OP_APPLYPRIORITY,
	  T_ALL,
	  { MAY(SPACE, B(GLOBAL)), NEED(PRIORITY, B(EVICT_NORMAL)) },
	  { ARG(ADDRESS, AT_SPACE), NUM(SIZE, CONSTANT, RULE_128) } },

	REPLACE(T_REPLACE, B(GLOBAL_ADDRESS), B64, ARG(VALUE, INTEGER_64)),
	REPLACE(T_REPLACE, B(RANK), B32, ARG(VALUE, INTEGER_32)),
	REPLACE(T_REPLACE, B(BOX_DIM) | B(GLOBAL_DIM) | B(ELEMENT_STRIDE), B32, ORDINAL,
	        ARG(VALUE, INTEGER_32)),
	REPLACE(T_REPLACE, B(GLOBAL_STRIDE), B64, ORDINAL, ARG(VALUE, INTEGER_64)),
	REPLACE(T_REPLACE, B(ELEMTYPE), B32, NUM(VALUE, CONSTANT, RULE_ELEMTYPE)),
	REPLACE(T_120A, B(ELEMTYPE), B32, NUM(VALUE, CONSTANT, RULE_ELEMTYPE_PACKED)),
	REPLACE(T_REPLACE, B(INTERLEAVE_LAYOUT), B32, NUM(VALUE, CONSTANT, RULE_INTERLEAVE)),
	REPLACE(T_REPLACE, B(SWIZZLE_MODE), B32, NUM(VALUE, CONSTANT, RULE_SWIZZLE)),
	REPLACE(T_103A, B(SWIZZLE_MODE), B32, NUM(VALUE, CONSTANT, RULE_SWIZZLE_96B)),
	REPLACE(T_120A, B(SWIZZLE_ATOMICITY), B32, NUM(VALUE, CONSTANT, RULE_ATOMICITY)),
	REPLACE(T_REPLACE, B(FILL_MODE), B32, NUM(VALUE, CONSTANT, RULE_FILL)),
	{ TMA_PTX_OP_TENSORMAP_CP_FENCEPROXY,
	  T_ALL,
	  { NEED(SPACE, B(GLOBAL)), NEED(SPACE_2, B(SHARED_CTA)), NEED(PROXY, B(TENSORMAP_GENERIC)),
	    NEED(SEM, B(RELEASE)), NEED(SCOPE, SCOPES), NEED(SYNC, B(SYNC)), NEED(ALIGNED, B(ALIGNED)) },
	  { ARG(DST, AT_SPACE), ARG(SRC, AT_SPACE_2), NUM(SIZE, CONSTANT, RULE_128) } },

	FENCE(MAY(SEM, B(ACQ_REL) | B(SC) | B(ACQUIRE) | B(RELEASE)), NEED(SCOPE, SCOPES)),
	FENCE(NEED(SEM, B(ACQUIRE)), NEED(RESTRICT, B(RESTRICT_CLUSTER)), NEED(SCOPE, B(CLUSTER))),
	FENCE(NEED(SEM, B(RELEASE)), NEED(RESTRICT, B(RESTRICT_CTA)), NEED(SCOPE, B(CLUSTER))),
	FENCE(NEED(INIT, B(MBARRIER_INIT)), NEED(SEM, B(RELEASE)), NEED(SCOPE, B(CLUSTER))),
	PROXY_FENCE(ALIAS, { 0 }),
	PROXY_FENCE(ASYNC, MAY(SPACE, B(GLOBAL) | B(SHARED_CTA) | B(SHARED_CLUSTER))),
	PROXY_FENCE(TENSORMAP_GENERIC, NEED(SEM, B(RELEASE)), NEED(SCOPE, SCOPES)),
	{ TMA_PTX_OP_FENCE_PROXY,
	  T_ALL,
	  { NEED(PROXY, B(TENSORMAP_GENERIC)), NEED(SEM, B(ACQUIRE)), NEED(SCOPE, SCOPES) },
	  { ARG(MAP, AT_ANY), NUM(SIZE, CONSTANT, RULE_128) } },
	PROXY_FENCE(ASYNC_GENERIC, NEED(SEM, B(ACQUIRE)), NEED(RESTRICT, B(RESTRICT_CLUSTER)),
	            NEED(SCOPE, B(CLUSTER))),
	PROXY_FENCE(ASYNC_GENERIC, NEED(SEM, B(RELEASE)), NEED(RESTRICT, B(RESTRICT_CTA)),
	            NEED(SCOPE, B(CLUSTER))),
	{ TMA_PTX_OP_MEMBAR, T_ALL, { NEED(SCOPE, B(CTA) | B(GL) | B(SYS)) }, { { 0 } } },
	{ TMA_PTX_OP_MEMBAR_PROXY, T_ALL, { NEED(PROXY, B(ALIAS)) }, { { 0 } } },

	{ TMA_PTX_OP_CREATEPOLICY_FRACTIONAL,
	  T_ALL,
	  { NEED(PRIORITY, PRIORITIES), SECOND, NEED(TYPE, B(B64)) },
	  { ARG(RESULT, TO_64), OPTIONAL_NUM(FRACTION, FRACTION, RULE_FRACTION) } },
	{ TMA_PTX_OP_CREATEPOLICY_RANGE,
	  T_ALL,
	  { MAY(SPACE, B(GLOBAL)), NEED(PRIORITY, PRIORITIES), SECOND, NEED(TYPE, B(B64)) },
	  { ARG(RESULT, TO_64), ARG(ADDRESS, AT_SPACE), ARG(PRIMARY, INTEGER_32),
	    NUM(TOTAL, INTEGER_32, RULE_TOTAL) } },
	{ TMA_PTX_OP_CREATEPOLICY_CVT,
	  T_ALL,
	  { NEED(LEVEL, B(L2)), NEED(TYPE, B(B64)) },
	  { ARG(RESULT, TO_64), ARG(VALUE, INTEGER_64) } },

	{ TMA_PTX_OP_MAPA,
	  T_ALL,
	  { NEED(TYPE, B(U32) | B(U64)) },
	  { ARG(RESULT, TO_TYPE), ARG(ADDRESS, OF_TYPE), ARG(CTA, INTEGER_32) } },
	{ TMA_PTX_OP_MAPA,
	  T_ALL,
	  { NEED(SPACE, B(SHARED_CLUSTER)), NEED(TYPE, B(U32) | B(U64)) },
	  { ARG(RESULT, TO_TYPE), ARG(ADDRESS, OF_TYPE_OR_SHARED), ARG(CTA, INTEGER_32) } },
	{ TMA_PTX_OP_GETCTARANK,
	  T_ALL,
	  { NEED(TYPE, B(U32) | B(U64)) },
	  { ARG(RESULT, TO_32), ARG(ADDRESS, OF_TYPE) } },
	{ TMA_PTX_OP_GETCTARANK,
	  T_ALL,
	  { NEED(SPACE, B(SHARED_CLUSTER)), NEED(TYPE, B(U32) | B(U64)) },
	  { ARG(RESULT, TO_32), ARG(ADDRESS, OF_TYPE_OR_SHARED) } },
};

const struct ptx_table ptx_table_host = { forms, sizeof(forms) / sizeof(forms[0]) };
