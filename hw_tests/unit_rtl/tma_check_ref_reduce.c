/* SPDX-License-Identifier: Apache-2.0 */
/* Reference of REDUCE_OP: the pairs of semantics 1.5. */
#include "tma_abi.h"
#include "unit_rtl/built.h"
#include "unit_rtl/tma_check_query.h"
#include "unit_rtl/tma_check_ref.h"

#define TYPES 10u

/* By operator: a mark for each type that goes with it, G in global memory alone, B in shared memory too. */
static const char *const pairs[] = {
	/*                     u32 s32 u64 s64 f16 bf16 f32 f64 b32 b64 */
	[TMA_REDUCE_ADD] = "BBB.GGGG..", [TMA_REDUCE_MIN] = "BBGGGG....", [TMA_REDUCE_MAX] = "BBGGGG....",
	[TMA_REDUCE_INC] = "B.........", [TMA_REDUCE_DEC] = "B.........", [TMA_REDUCE_AND] = "........BG",
	[TMA_REDUCE_OR] = "........BG",  [TMA_REDUCE_XOR] = "........BG",
};

bool check_ref_pair(const struct unit_shape *info, bool shared, uint32_t op, uint32_t type)
{
	if (op >= sizeof(pairs) / sizeof(pairs[0]) || type >= TYPES)
		return false;
	if (!built(info, type))
		return false;
	return pairs[op][type] == 'B' || (pairs[op][type] == 'G' && !shared);
}

bool check_reduce_op(const struct query *q)
{
	if (!has(q, OP))
		return false;
	if (!has(q, TYPE))
		return q->c->op > TMA_REDUCE_XOR;
	return !check_ref_pair(q->info, has(q, DST), q->c->op, q->c->type);
}
