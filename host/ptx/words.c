/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the grammar: targets, opcodes, classes of modifiers, modifiers. */
#include <string.h>

#include "ptx.h"

static const char *const targets[TMA_PTX_TARGETS] = {
	[TMA_PTX_SM_90] = "sm_90",     [TMA_PTX_SM_90A] = "sm_90a",   [TMA_PTX_SM_100] = "sm_100",
	[TMA_PTX_SM_100A] = "sm_100a", [TMA_PTX_SM_100F] = "sm_100f", [TMA_PTX_SM_103A] = "sm_103a",
	[TMA_PTX_SM_110A] = "sm_110a", [TMA_PTX_SM_120A] = "sm_120a", [TMA_PTX_ENGINE] = "engine",
};

/* clang-format off */
#define STATE_RULE \
	"`state` must be a 64-bit register or the sink `_`, for `.shared::cluster` the sink: the state of a barrier in " \
	"another CTA is not returned. Semantics and scope stand together or not at all."

const struct ptx_opcode ptx_opcodes[TMA_PTX_OPCODES] = {
	[TMA_PTX_OP_CP_ASYNC] = { "cp.async", "1.1", DOER_ENGINE,
		"The direction is from global memory to shared memory of the executing CTA: other spaces, and `.shared::cluster`, are "
		"refused. `.ca` copies 4, 8 or 16 bytes, `.cg` 16. A source size and ignore-src exclude each other, only a predicate "
		"can be ignore-src, and one prefetch size is taken. Eviction priorities are in the policy, not in the instruction." },
	[TMA_PTX_OP_CP_ASYNC_COMMIT_GROUP] = { "cp.async.commit_group", "1.2", DOER_ENGINE, NULL },
	[TMA_PTX_OP_CP_ASYNC_WAIT_GROUP] = { "cp.async.wait_group", "1.2", DOER_ENGINE,
		"`n` is a number, cut to 32 bits; registers are refused." },
	[TMA_PTX_OP_CP_ASYNC_WAIT_ALL] = { "cp.async.wait_all", "1.2", DOER_ENGINE, NULL },
	[TMA_PTX_OP_CP_ASYNC_MBARRIER_ARRIVE] = { "cp.async.mbarrier.arrive", "1.3", DOER_ENGINE,
		"The barrier is one of the executing CTA: `.shared::cluster` is refused." },
	[TMA_PTX_OP_CP_ASYNC_BULK] = { "cp.async.bulk", "1.4", DOER_ENGINE,
		"No other pair of spaces exists, and each has its mechanism: what goes to shared memory signals a "
		"barrier, what goes to global memory belongs to a bulk group. Only loads to `.shared::cluster` are "
		"multicast, only stores have a byte mask, and a copy from shared to shared memory has neither these nor a cache hint. "
		"`.shared` alone does not say which CTA's memory. Types, prefetch sizes, eviction priorities, `.cta_group` and `.read` "
		"are of other instructions. A size is checked for its multiple of 16 and for 16 bits of such units." },
	[TMA_PTX_OP_CP_REDUCE_ASYNC_BULK] = { "cp.reduce.async.bulk", "1.5", DOER_ENGINE,
		"An operator has the types of the documentation's table and no others: logic is of `.b32` and `.b64`, counting of `.u32`, "
		"order of whole numbers and halves, and in shared memory there are no halves, no floats and of 64 bits the addition of "
		"`.u64` alone. Additions of `.f16` and `.bf16` say `.noftz`, nothing else does. There is no multicast and no byte mask, "
		"and no direction but those out of shared memory." },
	[TMA_PTX_OP_CP_ASYNC_BULK_PREFETCH] = { "cp.async.bulk.prefetch", "1.6", DOER_ENGINE,
		"It has neither destination nor mechanism." },
	[TMA_PTX_OP_MULTIMEM_CP_ASYNC_BULK] = { "multimem.cp.async.bulk", "1.7", DOER_ENGINE,
		"PTX 9.1. No cache hint and no barrier." },
	[TMA_PTX_OP_MULTIMEM_CP_REDUCE_ASYNC_BULK] = { "multimem.cp.reduce.async.bulk", "1.7", DOER_ENGINE,
		"PTX 9.1. Operators and types as of a reduction in global memory." },
	[TMA_PTX_OP_CP_ASYNC_BULK_TENSOR] = { "cp.async.bulk.tensor", "1.8", DOER_ENGINE,
		"A load has as many coordinates as dimensions, a gather or scatter five. The im2col modes need "
		"three dimensions or more, a gather or scatter exactly two. Offsets belong to the im2col loads and "
		"to nothing else: stores of such maps are `.im2col_no_offs`, which no load is. Gathers are loads, scatters stores. "
		"`.multicast::cluster` needs a destination in `.shared::cluster`, and `.cta_group` is of loads. No type is written: it is "
		"the tensor map's. The tensor map is named by a generic address, without `+n`: names of parameters, constants and "
		"shared memory are refused." },
	[TMA_PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR] = { "cp.reduce.async.bulk.tensor", "1.9", DOER_ENGINE,
		"The type is the tensor map's, so none is written. `.tile::scatter4` is taken "
		"though no documentation has it." },
	[TMA_PTX_OP_CP_ASYNC_BULK_PREFETCH_TENSOR] = { "cp.async.bulk.prefetch.tensor", "1.10", DOER_ENGINE,
		"The modes of a load; it has no mechanism." },
	[TMA_PTX_OP_CP_ASYNC_BULK_COMMIT_GROUP] = { "cp.async.bulk.commit_group", "1.11", DOER_ENGINE, NULL },
	[TMA_PTX_OP_CP_ASYNC_BULK_WAIT_GROUP] = { "cp.async.bulk.wait_group", "1.11", DOER_ENGINE,
		"`n` as of `cp.async.wait_group`. There is no `wait_all`." },
	[TMA_PTX_OP_PREFETCH] = { "prefetch", "1.12", DOER_NOBODY,
		"A tensor map is prefetched by a generic address, or as parameter or constant; a name needs its space." },
	[TMA_PTX_OP_APPLYPRIORITY] = { "applypriority", "1.12", DOER_NOBODY, NULL },
	[TMA_PTX_OP_TENSORMAP_REPLACE] = { "tensormap.replace", "1.13", DOER_HOST,
		"Only tiled maps. Fields of 64 bits are the address and the strides. What has a list of values is a "
		"number, not a register." },
	[TMA_PTX_OP_TENSORMAP_CP_FENCEPROXY] = { "tensormap.cp_fenceproxy", "1.14", DOER_HOST,
		"Every modifier is needed; the size is 128." },
	[TMA_PTX_OP_FENCE] = { "fence", "1.15", DOER_HOST,
		"`.gl` is a scope of `membar`. `.sync_restrict` goes with one pair of semantics and space each, `.mbarrier_init` with "
		"`.release.cluster` alone." },
	[TMA_PTX_OP_FENCE_PROXY] = { "fence.proxy", "1.15", DOER_HOST,
		"A release of tensor maps has no operand, an acquire has address and size 128. `.shared` alone is no "
		"space of a proxy fence." },
	[TMA_PTX_OP_MEMBAR] = { "membar", "1.15", DOER_HOST, NULL },
	[TMA_PTX_OP_MEMBAR_PROXY] = { "membar.proxy", "1.15", DOER_HOST,
		"The other proxies have `fence.proxy` alone." },
	[TMA_PTX_OP_CREATEPOLICY_FRACTIONAL] = { "createpolicy.fractional", "1.16", DOER_HOST,
		"The fraction is written with a point, above 0 and at most 1. The second priority "
		"is `.evict_first` or `.evict_unchanged`." },
	[TMA_PTX_OP_CREATEPOLICY_RANGE] = { "createpolicy.range", "1.16", DOER_HOST,
		"The primary size is at most the total size, where both are numbers." },
	[TMA_PTX_OP_CREATEPOLICY_CVT] = { "createpolicy.cvt", "1.16", DOER_HOST, NULL },
	[TMA_PTX_OP_MBARRIER_INIT] = { "mbarrier.init", "1.17", DOER_ENGINE,
		"The count is not checked here." },
	[TMA_PTX_OP_MBARRIER_INVAL] = { "mbarrier.inval", "1.17", DOER_ENGINE, NULL },
	[TMA_PTX_OP_MBARRIER_EXPECT_TX] = { "mbarrier.expect_tx", "1.17", DOER_ENGINE,
		"Only `.relaxed`, with a scope." },
	[TMA_PTX_OP_MBARRIER_COMPLETE_TX] = { "mbarrier.complete_tx", "1.17", DOER_ENGINE,
		"Only `.relaxed`, with a scope." },
	[TMA_PTX_OP_MBARRIER_ARRIVE] = { "mbarrier.arrive", "1.17", DOER_ENGINE,
		STATE_RULE " `.noComplete` has a count, and is of the executing CTA." },
	[TMA_PTX_OP_MBARRIER_ARRIVE_EXPECT_TX] = { "mbarrier.arrive.expect_tx", "1.17", DOER_ENGINE,
		STATE_RULE },
	[TMA_PTX_OP_MBARRIER_ARRIVE_DROP] = { "mbarrier.arrive_drop", "1.17", DOER_ENGINE,
		STATE_RULE },
	[TMA_PTX_OP_MBARRIER_ARRIVE_DROP_EXPECT_TX] = { "mbarrier.arrive_drop.expect_tx", "1.17", DOER_ENGINE,
		STATE_RULE },
	[TMA_PTX_OP_MBARRIER_TEST_WAIT] = { "mbarrier.test_wait", "1.17", DOER_ENGINE,
		"A barrier of another CTA cannot be waited for." },
	[TMA_PTX_OP_MBARRIER_TEST_WAIT_PARITY] = { "mbarrier.test_wait.parity", "1.17", DOER_ENGINE,
		"A number as parity is 0 or 1." },
	[TMA_PTX_OP_MBARRIER_TRY_WAIT] = { "mbarrier.try_wait", "1.17", DOER_ENGINE,
		"A barrier of another CTA cannot be waited for." },
	[TMA_PTX_OP_MBARRIER_TRY_WAIT_PARITY] = { "mbarrier.try_wait.parity", "1.17", DOER_ENGINE,
		"A number as parity is 0 or 1." },
	[TMA_PTX_OP_MBARRIER_PENDING_COUNT] = { "mbarrier.pending_count", "1.17", DOER_ENGINE, NULL },
	[TMA_PTX_OP_MAPA] = { "mapa", "1.18", DOER_HOST,
		"Its only space is `.shared::cluster`; without one, addresses are generic." },
	[TMA_PTX_OP_GETCTARANK] = { "getctarank", "1.18", DOER_HOST, NULL },
	[TMA_PTX_OP_SIGNAL] = { "tma.signal", "", DOER_ENGINE, NULL },
	[TMA_PTX_OP_CANCEL] = { "tma.cancel", "", DOER_ENGINE, NULL },
	[TMA_PTX_OP_COMMAND] = { "tma.command", "", DOER_ENGINE, NULL },
};
/* clang-format on */

const struct ptx_class ptx_classes[TMA_PTX_CLASSES] = {
	[TMA_PTX_CLASS_SPACE] = { "state space", TMA_PTX_CLASS_SPACE_2 },
	[TMA_PTX_CLASS_SPACE_2] = { "source state space", 0 },
	[TMA_PTX_CLASS_DIM] = { "dimension", 0 },
	[TMA_PTX_CLASS_LEVEL] = { "cache level", 0 },
	[TMA_PTX_CLASS_MODE] = { "mode", 0 },
	[TMA_PTX_CLASS_MECHANISM] = { "completion mechanism", 0 },
	[TMA_PTX_CLASS_MULTICAST] = { "multicast", 0 },
	[TMA_PTX_CLASS_CTA_GROUP] = { "CTA group", 0 },
	[TMA_PTX_CLASS_CACHE_HINT] = { "cache hint", 0 },
	[TMA_PTX_CLASS_PREFETCH_SIZE] = { "prefetch size", 0 },
	[TMA_PTX_CLASS_CP_MASK] = { "byte mask", 0 },
	[TMA_PTX_CLASS_OP] = { "operator", 0 },
	[TMA_PTX_CLASS_NOFTZ] = { "noftz", 0 },
	[TMA_PTX_CLASS_TYPE] = { "type", 0 },
	[TMA_PTX_CLASS_CACHE] = { "cache operator", 0 },
	[TMA_PTX_CLASS_PRIORITY] = { "eviction priority", TMA_PTX_CLASS_PRIORITY_2 },
	[TMA_PTX_CLASS_PRIORITY_2] = { "second eviction priority", 0 },
	[TMA_PTX_CLASS_READ] = { "read", 0 },
	[TMA_PTX_CLASS_NOINC] = { "noinc", 0 },
	[TMA_PTX_CLASS_NO_COMPLETE] = { "noComplete", 0 },
	[TMA_PTX_CLASS_SEM] = { "semantics", 0 },
	[TMA_PTX_CLASS_SCOPE] = { "scope", 0 },
	[TMA_PTX_CLASS_PROXY] = { "kind of proxy", 0 },
	[TMA_PTX_CLASS_RESTRICT] = { "restriction", 0 },
	[TMA_PTX_CLASS_INIT] = { "mbarrier_init", 0 },
	[TMA_PTX_CLASS_MAP] = { "tensormap", 0 },
	[TMA_PTX_CLASS_FIELD] = { "field", 0 },
	[TMA_PTX_CLASS_OBJECT] = { "object", 0 },
	[TMA_PTX_CLASS_SYNC] = { "sync", 0 },
	[TMA_PTX_CLASS_ALIGNED] = { "aligned", 0 },
};

/* clang-format off */
#define WORD(text, class, value)             { text, TMA_PTX_CLASS_##class, TMA_PTX_##value, 0 }
#define WORD_ON(text, class, value, targets) { text, TMA_PTX_CLASS_##class, TMA_PTX_##value, targets }
/* clang-format on */

const struct ptx_modifier ptx_modifiers[] = {
	WORD(".global", SPACE, GLOBAL),
	WORD(".shared", SPACE, SHARED),
	WORD(".shared::cta", SPACE, SHARED_CTA),
	WORD(".shared::cluster", SPACE, SHARED_CLUSTER),
	WORD(".const", SPACE, CONST),
	WORD(".param", SPACE, PARAM),
	WORD(".local", SPACE, LOCAL),
	WORD(".1d", DIM, 1D),
	WORD(".2d", DIM, 2D),
	WORD(".3d", DIM, 3D),
	WORD(".4d", DIM, 4D),
	WORD(".5d", DIM, 5D),
	WORD(".L1", LEVEL, L1),
	WORD(".L2", LEVEL, L2),
	WORD(".tile", MODE, TILE),
	WORD(".tile::gather4", MODE, GATHER4),
	WORD(".tile::scatter4", MODE, SCATTER4),
	WORD(".im2col", MODE, IM2COL),
	WORD(".im2col::w", MODE, IM2COL_W),
	WORD(".im2col::w::128", MODE, IM2COL_W_128),
	WORD(".im2col_no_offs", MODE, IM2COL_NO_OFFS),
	WORD(".mbarrier::complete_tx::bytes", MECHANISM, COMPLETE_TX),
	WORD(".bulk_group", MECHANISM, BULK_GROUP),
	WORD(".multicast::cluster", MULTICAST, MULTICAST_CLUSTER),
	WORD_ON(".cta_group::1", CTA_GROUP, CTA_GROUP_1, T_100A),
	WORD_ON(".cta_group::2", CTA_GROUP, CTA_GROUP_2, T_100A),
	WORD(".L2::cache_hint", CACHE_HINT, CACHE_HINT),
	WORD(".L2::64B", PREFETCH_SIZE, 64B),
	WORD(".L2::128B", PREFETCH_SIZE, 128B),
	WORD(".L2::256B", PREFETCH_SIZE, 256B),
	WORD_ON(".cp_mask", CP_MASK, CP_MASK, T_100),
	WORD(".add", OP, ADD),
	WORD(".min", OP, MIN),
	WORD(".max", OP, MAX),
	WORD(".inc", OP, INC),
	WORD(".dec", OP, DEC),
	WORD(".and", OP, AND),
	WORD(".or", OP, OR),
	WORD(".xor", OP, XOR),
	WORD(".noftz", NOFTZ, NOFTZ),
	WORD(".u32", TYPE, U32),
	WORD(".s32", TYPE, S32),
	WORD(".b32", TYPE, B32),
	WORD(".u64", TYPE, U64),
	WORD(".s64", TYPE, S64),
	WORD(".b64", TYPE, B64),
	WORD(".f16", TYPE, F16),
	WORD(".bf16", TYPE, BF16),
	WORD(".f32", TYPE, F32),
	WORD(".f64", TYPE, F64),
	WORD(".u8", TYPE, U8),
	WORD(".s8", TYPE, S8),
	WORD(".b8", TYPE, B8),
	WORD(".u16", TYPE, U16),
	WORD(".s16", TYPE, S16),
	WORD(".b16", TYPE, B16),
	WORD(".b128", TYPE, B128),
	WORD(".ca", CACHE, CA),
	WORD(".cg", CACHE, CG),
	WORD(".L2::evict_last", PRIORITY, EVICT_LAST),
	WORD(".L2::evict_normal", PRIORITY, EVICT_NORMAL),
	WORD(".L2::evict_first", PRIORITY, EVICT_FIRST),
	WORD(".L2::evict_unchanged", PRIORITY, EVICT_UNCHANGED),
	WORD(".read", READ, READ),
	WORD(".noinc", NOINC, NOINC),
	WORD(".noComplete", NO_COMPLETE, NO_COMPLETE),
	WORD(".acquire", SEM, ACQUIRE),
	WORD(".release", SEM, RELEASE),
	WORD(".relaxed", SEM, RELAXED),
	WORD(".acq_rel", SEM, ACQ_REL),
	WORD(".sc", SEM, SC),
	WORD(".cta", SCOPE, CTA),
	WORD(".cluster", SCOPE, CLUSTER),
	WORD(".gpu", SCOPE, GPU),
	WORD(".sys", SCOPE, SYS),
	WORD(".gl", SCOPE, GL),
	WORD(".alias", PROXY, ALIAS),
	WORD(".async", PROXY, ASYNC),
	WORD(".tensormap::generic", PROXY, TENSORMAP_GENERIC),
	WORD(".async::generic", PROXY, ASYNC_GENERIC),
	WORD(".sync_restrict::shared::cta", RESTRICT, RESTRICT_CTA),
	WORD(".sync_restrict::shared::cluster", RESTRICT, RESTRICT_CLUSTER),
	WORD(".mbarrier_init", INIT, MBARRIER_INIT),
	WORD(".tensormap", MAP, TENSORMAP),
	WORD(".global_address", FIELD, GLOBAL_ADDRESS),
	WORD(".rank", FIELD, RANK),
	WORD(".box_dim", FIELD, BOX_DIM),
	WORD(".global_dim", FIELD, GLOBAL_DIM),
	WORD(".global_stride", FIELD, GLOBAL_STRIDE),
	WORD(".element_stride", FIELD, ELEMENT_STRIDE),
	WORD(".elemtype", FIELD, ELEMTYPE),
	WORD(".interleave_layout", FIELD, INTERLEAVE_LAYOUT),
	WORD(".swizzle_mode", FIELD, SWIZZLE_MODE),
	WORD(".swizzle_atomicity", FIELD, SWIZZLE_ATOMICITY),
	WORD(".fill_mode", FIELD, FILL_MODE),
	WORD(".b1024", OBJECT, B1024),
	WORD(".sync", SYNC, SYNC),
	WORD(".aligned", ALIGNED, ALIGNED),
};

const size_t ptx_num_modifiers = sizeof(ptx_modifiers) / sizeof(ptx_modifiers[0]);

const char *tma_ptx_target_name(enum tma_ptx_target target)
{
	return (uint32_t)target < TMA_PTX_TARGETS ? targets[target] : NULL;
}

int tma_ptx_target_of(const char *name, enum tma_ptx_target *target)
{
	for (uint32_t i = 0; i < TMA_PTX_TARGETS; i++) {
		if (strcmp(name, targets[i]) != 0)
			continue;
		*target = (enum tma_ptx_target)i;
		return 0;
	}
	return -1;
}

const char *tma_ptx_opcode_name(enum tma_ptx_opcode opcode)
{
	return (uint32_t)opcode < TMA_PTX_OPCODES ? ptx_opcodes[opcode].name : NULL;
}

const char *tma_ptx_modifier(enum tma_ptx_class which, unsigned value)
{
	uint8_t class = which == TMA_PTX_CLASS_SPACE_2      ? TMA_PTX_CLASS_SPACE
	                : which == TMA_PTX_CLASS_PRIORITY_2 ? TMA_PTX_CLASS_PRIORITY
	                                                    : (uint8_t)which;

	for (size_t i = 0; i < ptx_num_modifiers; i++)
		if (ptx_modifiers[i].class == class && ptx_modifiers[i].value == value)
			return ptx_modifiers[i].text;
	return NULL;
}
