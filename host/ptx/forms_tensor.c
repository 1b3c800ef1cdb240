/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of the tensor copies, reductions and prefetches. */
#include "ptx.h"

#define ANY_DIM   (B(1D) | B(2D) | B(3D) | B(4D) | B(5D))
#define FROM_3D   (B(3D) | B(4D) | B(5D))
#define OPERATORS (B(ADD) | B(MIN) | B(MAX) | B(INC) | B(DEC) | B(AND) | B(OR) | B(XOR))

/* clang-format off */
/* A load into the executing CTA, and into any; each without offsets, and with them. */
#define LOAD(targets, dims, need, mode, space, multicast, ...) \
	{ TMA_PTX_OP_CP_ASYNC_BULK_TENSOR, targets, \
	  { NEED(DIM, dims), NEED(SPACE, B(space)), NEED(SPACE_2, B(GLOBAL)), need(MODE, B(mode)), \
	    NEED(MECHANISM, B(COMPLETE_TX)), multicast, MAY(CTA_GROUP, B(CTA_GROUP_1) | B(CTA_GROUP_2)), \
	    MAY(CACHE_HINT, B(CACHE_HINT)) }, \
	  { ARG(DST, AT_SPACE), __VA_ARGS__, POLICY } }
#define NO_CAST { 0 }
#define CAST    MAY(MULTICAST, B(MULTICAST_CLUSTER))
#define MASK    WITH(CTA_MASK, INTEGER_16, MULTICAST)

#define CTA(targets, dims, need, mode, map) \
	LOAD(targets, dims, need, mode, SHARED_CTA, NO_CAST, ARG(MAP, map), ARG(MBAR, AT_SHARED_BARE))
#define CTA_OFFSETS(targets, mode, offsets) \
	LOAD(targets, FROM_3D, NEED, mode, SHARED_CTA, NO_CAST, \
	     ARG(MAP, TENSOR), ARG(MBAR, AT_SHARED_BARE), ARG(OFFSETS, offsets))
#define CLUSTER(targets, dims, need, mode, map) \
	LOAD(targets, dims, need, mode, SHARED_CLUSTER, CAST, ARG(MAP, map), ARG(MBAR, AT_SHARED_BARE), MASK)
#define CLUSTER_OFFSETS(targets, mode, offsets) \
	LOAD(targets, FROM_3D, NEED, mode, SHARED_CLUSTER, CAST, \
	     ARG(MAP, TENSOR), ARG(MBAR, AT_SHARED_BARE), ARG(OFFSETS, offsets), MASK)

#define STORE(targets, dims, need, mode, map) \
	{ TMA_PTX_OP_CP_ASYNC_BULK_TENSOR, targets, \
	  { NEED(DIM, dims), NEED(SPACE, B(GLOBAL)), NEED(SPACE_2, B(SHARED_CTA)), need(MODE, B(mode)), \
	    NEED(MECHANISM, B(BULK_GROUP)), MAY(CACHE_HINT, B(CACHE_HINT)) }, \
	  { ARG(MAP, map), ARG(SRC, AT_SPACE_2), POLICY } }
#define REDUCE(targets, dims, need, mode, map) \
	{ TMA_PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR, targets, \
	  { NEED(DIM, dims), NEED(SPACE, B(GLOBAL)), NEED(SPACE_2, B(SHARED_CTA)), NEED(OP, OPERATORS), \
	    need(MODE, B(mode)), NEED(MECHANISM, B(BULK_GROUP)), MAY(CACHE_HINT, B(CACHE_HINT)) }, \
	  { ARG(MAP, map), ARG(SRC, AT_SPACE_2), POLICY } }
#define PREFETCH(targets, dims, need, mode, ...) \
	{ TMA_PTX_OP_CP_ASYNC_BULK_PREFETCH_TENSOR, targets, \
	  { NEED(DIM, dims), NEED(LEVEL, B(L2)), NEED(SPACE, B(GLOBAL)), need(MODE, B(mode)), \
	    MAY(CACHE_HINT, B(CACHE_HINT)) }, \
	  { __VA_ARGS__, POLICY } }
/* clang-format on */

static const struct ptx_form forms[] = {
	CTA(T_ALL, ANY_DIM, MAY, TILE, TENSOR),
	CTA(T_100, B(2D), NEED, GATHER4, TENSOR_ROWS),
	CTA_OFFSETS(T_ALL, IM2COL, OFFSETS),
	CTA_OFFSETS(T_100, IM2COL_W, OFFSETS_2),
	CTA_OFFSETS(T_100A, IM2COL_W_128, OFFSETS_2),
	CLUSTER(T_ALL, ANY_DIM, MAY, TILE, TENSOR),
	CLUSTER(T_100A, B(2D), NEED, GATHER4, TENSOR_ROWS),
	CLUSTER_OFFSETS(T_ALL, IM2COL, OFFSETS),
	CLUSTER_OFFSETS(T_100A, IM2COL_W, OFFSETS_2),
	CLUSTER_OFFSETS(T_100A, IM2COL_W_128, OFFSETS_2),

	STORE(T_ALL, ANY_DIM, MAY, TILE, TENSOR),
	STORE(T_100A, B(2D), NEED, SCATTER4, TENSOR_ROWS),
	STORE(T_ALL, FROM_3D, NEED, IM2COL_NO_OFFS, TENSOR),

	REDUCE(T_ALL, ANY_DIM, MAY, TILE, TENSOR),
	REDUCE(T_100A, B(2D), NEED, SCATTER4, TENSOR_ROWS),
	REDUCE(T_ALL, FROM_3D, NEED, IM2COL_NO_OFFS, TENSOR),

	PREFETCH(T_ALL, ANY_DIM, MAY, TILE, ARG(MAP, TENSOR)),
	PREFETCH(T_100A, B(2D), NEED, GATHER4, ARG(MAP, TENSOR_ROWS)),
	PREFETCH(T_ALL, FROM_3D, NEED, IM2COL, ARG(MAP, TENSOR), ARG(OFFSETS, OFFSETS)),
	PREFETCH(T_100A, FROM_3D, NEED, IM2COL_W, ARG(MAP, TENSOR), ARG(OFFSETS, OFFSETS_2)),
	PREFETCH(T_100A, FROM_3D, NEED, IM2COL_W_128, ARG(MAP, TENSOR), ARG(OFFSETS, OFFSETS_2)),
};

const struct ptx_table ptx_table_tensor = { forms, sizeof(forms) / sizeof(forms[0]) };
