/* SPDX-License-Identifier: Apache-2.0 */
/* Operands: what they are called, and the numbers that they may be. */
#include "ptx.h"

const char *const ptx_roles[TMA_PTX_ROLES] = {
	[TMA_PTX_ROLE_DST] = "dst",
	[TMA_PTX_ROLE_SRC] = "src",
	[TMA_PTX_ROLE_SIZE] = "size",
	[TMA_PTX_ROLE_CP_SIZE] = "cp-size",
	[TMA_PTX_ROLE_SRC_SIZE] = "src-size",
	[TMA_PTX_ROLE_IGNORE_SRC] = "ignore-src",
	[TMA_PTX_ROLE_MBAR] = "mbar",
	[TMA_PTX_ROLE_CTA_MASK] = "ctaMask",
	[TMA_PTX_ROLE_BYTE_MASK] = "byteMask",
	[TMA_PTX_ROLE_POLICY] = "policy",
	[TMA_PTX_ROLE_MAP] = "map",
	[TMA_PTX_ROLE_OFFSETS] = "offsets",
	[TMA_PTX_ROLE_N] = "n",
	[TMA_PTX_ROLE_COUNT] = "count",
	[TMA_PTX_ROLE_TX] = "tx",
	[TMA_PTX_ROLE_STATE] = "state",
	[TMA_PTX_ROLE_TOKEN] = "state",
	[TMA_PTX_ROLE_DONE] = "done",
	[TMA_PTX_ROLE_PARITY] = "parity",
	[TMA_PTX_ROLE_LIMIT] = "limit",
	[TMA_PTX_ROLE_RESULT] = "result",
	[TMA_PTX_ROLE_ADDRESS] = "address",
	[TMA_PTX_ROLE_ORDINAL] = "ordinal",
	[TMA_PTX_ROLE_VALUE] = "value",
	[TMA_PTX_ROLE_FRACTION] = "fraction",
	[TMA_PTX_ROLE_PRIMARY] = "primary",
	[TMA_PTX_ROLE_TOTAL] = "total",
	[TMA_PTX_ROLE_CTA] = "cta",
	[TMA_PTX_ROLE_QUEUE] = "queue",
	[TMA_PTX_ROLE_WORDS] = "words",
};

/* Numbers are cut to 32 bits first, and are signed then: 4294967296 is 0, 4294967295 is -1. */
const struct ptx_range ptx_ranges[RULES] = {
	[RULE_NONE] = { INT32_MIN, INT32_MAX, 0, 0, "any number" },
	[RULE_SIZE] = { 0, 1048560, 16, 0, "a multiple of 16 from 0 to 1048560" },
	[RULE_GRANULE] = { INT32_MIN, INT32_MAX, 16, 0, "a multiple of 16" },
	[RULE_CP_SIZE_CA] = { 4, 16, 0, 1u << 4 | 1u << 8 | 1u << 16, "4, 8 or 16" },
	[RULE_CP_SIZE_CG] = { 16, 16, 0, 0, "16 for .cg" },
	[RULE_SRC_SIZE] = { 0, INT32_MAX, 0, 0, "from 0 to the cp-size" },
	[RULE_BIT] = { 0, 1, 0, 0, "0 or 1" },
	[RULE_128] = { 128, 128, 0, 0, "128" },
	[RULE_DIM] = { 0, 4, 0, 0, "a dimension from 0 to 4" },
	[RULE_ELEMTYPE] = { 0, 12, 0, 0, "an element type from 0 to 12" },
	[RULE_ELEMTYPE_PACKED] = { 13, 15, 0, 0, "a packed element type from 13 to 15" },
	[RULE_INTERLEAVE] = { 0, 2, 0, 0, "from 0 to 2" },
	[RULE_SWIZZLE] = { 0, 3, 0, 0, "from 0 to 3" },
	[RULE_SWIZZLE_96B] = { 4, 4, 0, 0, "4, the 96-byte swizzle" },
	[RULE_ATOMICITY] = { 0, 3, 0, 0, "from 0 to 3" },
	[RULE_FILL] = { 0, 1, 0, 0, "0 or 1" },
	[RULE_FRACTION] = { 0, 1, 0, 0, "above 0.0 and at most 1.0" },
	[RULE_TOTAL] = { INT32_MIN, INT32_MAX, 0, 0, "at least the primary size" },
	[RULE_WIDE] = { INT32_MIN, INT32_MAX, 0, 0, "a 64-bit register on sm_120a" },
};

#define ADDRESS "address in brackets: 32- or 64-bit register or variable, and `+n`; "

const char *const ptx_syntaxes[SYNTAXES] = {
	[AT_SPACE] =
		ADDRESS "the variable lies in the first state space, or in global memory if none is written",
	[AT_SPACE_2] = ADDRESS "the variable lies in the second state space",
	[AT_SHARED] = ADDRESS "the variable lies in shared memory",
	[AT_SHARED_BARE] = ADDRESS "the variable lies in shared memory; the brackets may be left out",
	[AT_ANY] = ADDRESS "the variable may lie anywhere",
	[TENSOR] =
		"generic address of a tensor map, without `+n`, and as many coordinates as dimensions: 32-bit registers or numbers",
	[TENSOR_ROWS] =
		"generic address of a tensor map, without `+n`, a column and four rows: 32-bit registers or numbers",
	[OFFSETS] = "two less than the dimensions: 16-bit registers or numbers, whose size is not checked",
	[OFFSETS_2] = "wHalo and wOffset: 16-bit registers or numbers, whose size is not checked",
	[INTEGER_16] = "16-bit register, or a number, which is cut to 16 bits",
	[INTEGER_32] = "32-bit register of whole numbers, or a number, which is cut to 32 bits",
	[INTEGER_64] = "64-bit register of whole numbers, or a number",
	[CONSTANT] = "number, which is cut to 32 bits",
	[FRACTION] = "number with a point, or .f32 register",
	[PREDICATE] = "predicate register, or `!` and one",
	[TO_32] = "32-bit register",
	[TO_64] = "64-bit register",
	[TO_64_OR_SINK] = "64-bit register, or the sink `_`",
	[TO_SINK] = "the sink `_`",
	[TO_PREDICATE] = "predicate register",
	[TO_TYPE] = "register of the instruction's type",
	[OF_TYPE] = "register of the instruction's type",
	[OF_TYPE_OR_SHARED] = "register of the instruction's type, or a variable in shared memory, and `+n`",
	[WORDS] = "eight numbers of 64 bits",
};
