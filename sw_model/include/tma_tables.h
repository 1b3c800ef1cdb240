/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from rtl/spec/tma.toml by make gen. Do not edit. */
/*
 * tma_tables - what tma_abi.h names, to be looked up: commands, the bits that they use, faults, and
 * the names of numbers. C11 and C++17.
 */
#ifndef TMA_TABLES_H
#define TMA_TABLES_H

#include <string.h>

#include "tma_abi.h"

#ifdef __cplusplus
/* Some functions have the name of a struct, as C allows. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#endif

/* Commands by opcode; the table's last entry is for every other opcode. */
struct tma_opcode_info {
	uint8_t     opcode;
	uint8_t     answers; /* writes a record without TMA_FLAG_RECORD */
	uint16_t    flags;   /* flags that it may set */
	uint64_t    bytes;   /* bit i: byte i of the command is used without any flag */
	const char *name;
	const char *needs;   /* the capability that a build has it with, NULL: every build has it */
};

/** What commands of @p opcode are; never NULL: of an unknown one `name` is. */
static inline const struct tma_opcode_info *tma_opcode_info(uint8_t opcode)
{
	static const struct tma_opcode_info opcodes[] = {
		{ TMA_BULK_LOAD, 0, 0x0035, UINT64_C(0x00F00FF000F0FF03),
		  "BULK_LOAD", NULL },
		{ TMA_BULK_STORE, 0, 0x0019, UINT64_C(0x00F0000000FFFF03),
		  "BULK_STORE", NULL },
		{ TMA_BULK_SHARED, 0, 0x0001, UINT64_C(0x00F00FF000FF0003),
		  "BULK_SHARED", NULL },
		{ TMA_BULK_PREFETCH, 0, 0x0011, UINT64_C(0x00F0000000F0FF03),
		  "BULK_PREFETCH", NULL },
		{ TMA_MULTIMEM_BULK_STORE, 0, 0x0009, UINT64_C(0x00F0000000FFFF03),
		  "MULTIMEM_BULK_STORE", NULL },
		{ TMA_BULK_REDUCE, 0, 0x0011, UINT64_C(0x00F0000000FFFF33),
		  "BULK_REDUCE", "REDUCE" },
		{ TMA_BULK_REDUCE_SHARED, 0, 0x0001, UINT64_C(0x00F00FF000FF0033),
		  "BULK_REDUCE_SHARED", "REDUCE" },
		{ TMA_MULTIMEM_BULK_REDUCE, 0, 0x0001, UINT64_C(0x00F0000000FFFF33),
		  "MULTIMEM_BULK_REDUCE", "REDUCE" },
		{ TMA_TENSOR_LOAD, 0, 0x8035, UINT64_C(0x00F3FFFFFFFFFF0F),
		  "TENSOR_LOAD", NULL },
		{ TMA_TENSOR_STORE, 0, 0x0011, UINT64_C(0x00F000FFFFFFFF0F),
		  "TENSOR_STORE", NULL },
		{ TMA_TENSOR_REDUCE, 0, 0x0011, UINT64_C(0x00F000FFFFFFFF1F),
		  "TENSOR_REDUCE", "REDUCE" },
		{ TMA_TENSOR_PREFETCH, 0, 0x0011, UINT64_C(0x00F3F00FFFFFFF0F),
		  "TENSOR_PREFETCH", NULL },
		{ TMA_PREFETCH_TENSORMAP, 0, 0x0001, UINT64_C(0x00F000000000FF03),
		  "PREFETCH_TENSORMAP", NULL },
		{ TMA_MAP_FENCE, 0, 0x0001, UINT64_C(0x00F000000000FF03),
		  "MAP_FENCE", NULL },
		{ TMA_CP_ASYNC, 0, 0x3811, UINT64_C(0x00F000F000F0FF07),
		  "CP_ASYNC", NULL },
		{ TMA_CP_ASYNC_COMMIT_GROUP, 0, 0x0001, UINT64_C(0x00F0000000000003),
		  "CP_ASYNC_COMMIT_GROUP", NULL },
		{ TMA_CP_ASYNC_WAIT_GROUP, 0, 0x0001, UINT64_C(0x00F00000F0000003),
		  "CP_ASYNC_WAIT_GROUP", NULL },
		{ TMA_CP_ASYNC_WAIT_ALL, 0, 0x0001, UINT64_C(0x00F0000000000003),
		  "CP_ASYNC_WAIT_ALL", NULL },
		{ TMA_CP_ASYNC_MBARRIER_ARRIVE, 0, 0x4001, UINT64_C(0x00F00F0000000003),
		  "CP_ASYNC_MBARRIER_ARRIVE", NULL },
		{ TMA_BULK_COMMIT_GROUP, 0, 0x0001, UINT64_C(0x00F0000000000003),
		  "BULK_COMMIT_GROUP", NULL },
		{ TMA_BULK_WAIT_GROUP, 0, 0x0041, UINT64_C(0x00F00000F0000003),
		  "BULK_WAIT_GROUP", NULL },
		{ TMA_MBARRIER_INIT, 0, 0x0001, UINT64_C(0x00F00F00F0000003),
		  "MBARRIER_INIT", NULL },
		{ TMA_MBARRIER_INVAL, 0, 0x0001, UINT64_C(0x00F00F0000000003),
		  "MBARRIER_INVAL", NULL },
		{ TMA_MBARRIER_EXPECT_TX, 0, 0x0001, UINT64_C(0x00F00F0F00000003),
		  "MBARRIER_EXPECT_TX", NULL },
		{ TMA_MBARRIER_COMPLETE_TX, 0, 0x0001, UINT64_C(0x00F00F0F00000003),
		  "MBARRIER_COMPLETE_TX", NULL },
		{ TMA_MBARRIER_ARRIVE, 0, 0x0701, UINT64_C(0x00F00F00F0000003),
		  "MBARRIER_ARRIVE", NULL },
		{ TMA_MBARRIER_PENDING_COUNT, 1, 0x0003, UINT64_C(0x00F000000000FF03),
		  "MBARRIER_PENDING_COUNT", NULL },
		{ TMA_MBARRIER_TEST_WAIT, 1, 0x0083, UINT64_C(0x00F00F000000FF03),
		  "MBARRIER_TEST_WAIT", NULL },
		{ TMA_MBARRIER_TRY_WAIT, 1, 0x0083, UINT64_C(0x00F00F0F0000FF03),
		  "MBARRIER_TRY_WAIT", NULL },
		{ TMA_SIGNAL, 1, 0x0001, UINT64_C(0x00F0000000000003),
		  "SIGNAL", NULL },
		{ TMA_CANCEL, 0, 0x0001, UINT64_C(0x00F00000F0000003),
		  "CANCEL", NULL },
		{ 0, 0, 0x0001, UINT64_C(0x00F0000000000003), NULL, NULL },
	};
	const struct tma_opcode_info *info = opcodes;

	while (info->name && info->opcode != opcode)
		info++;
	return info;
}

/** Name of a command as in the command table, or NULL: there is no such command. */
static inline const char *tma_opcode_name(uint8_t opcode)
{
	return tma_opcode_info(opcode)->name;
}

/** 1: the command writes a record even without TMA_FLAG_RECORD. */
static inline int tma_command_answers(uint8_t opcode)
{
	return tma_opcode_info(opcode)->answers;
}

/**
 * Bits of @p command that its opcode and flags bring into use; all others must be zero.
 * An unknown opcode uses what every command uses, a flag that the command does not have is
 * itself an unused bit.
 *
 * @param used  64 bytes, set to the mask, byte for byte; NULL: nothing is done. Without a command all of it is zero.
 */
static inline void tma_command_used_bits(const struct tma_command *command, uint8_t *used)
{
	static const struct {
		uint16_t flag;
		uint64_t uses, frees; /* bit i: byte i of the command */
	} effects[] = {
		{ TMA_FLAG_LAST_STATE, UINT64_C(0x0000000000000000), UINT64_C(0x000000000000FF00) },
		{ TMA_FLAG_MULTICAST, UINT64_C(0x000C000000000000), UINT64_C(0x0000000000000000) },
		{ TMA_FLAG_CP_MASK, UINT64_C(0x0000000003000000), UINT64_C(0x0000000000000000) },
		{ TMA_FLAG_CACHE_HINT, UINT64_C(0xFF00000000000000), UINT64_C(0x0000000000000000) },
		{ TMA_FLAG_PARITY, UINT64_C(0x00000000F0000000), UINT64_C(0x000000000000FF00) },
		{ TMA_FLAG_EXPECT_TX, UINT64_C(0x0000000F00000000), UINT64_C(0x0000000000000000) },
		{ TMA_FLAG_SRC_SIZE, UINT64_C(0x00000000F0000000), UINT64_C(0x0000000000000000) }
	};
	/* Four bits of a mask of bytes, as bytes. */
	static const uint8_t spread[16][4] = {
		{ 0, 0, 0, 0 },
		{ 0xFF, 0, 0, 0 },
		{ 0, 0xFF, 0, 0 },
		{ 0xFF, 0xFF, 0, 0 },
		{ 0, 0, 0xFF, 0 },
		{ 0xFF, 0, 0xFF, 0 },
		{ 0, 0xFF, 0xFF, 0 },
		{ 0xFF, 0xFF, 0xFF, 0 },
		{ 0, 0, 0, 0xFF },
		{ 0xFF, 0, 0, 0xFF },
		{ 0, 0xFF, 0, 0xFF },
		{ 0xFF, 0xFF, 0, 0xFF },
		{ 0, 0, 0xFF, 0xFF },
		{ 0xFF, 0, 0xFF, 0xFF },
		{ 0, 0xFF, 0xFF, 0xFF },
		{ 0xFF, 0xFF, 0xFF, 0xFF }
	};
	const struct tma_opcode_info *info;
	uint64_t bytes;
	uint16_t set;
	unsigned int i;

	if (!used)
		return;
	if (!command) {
		memset(used, 0, 64);
		return;
	}
	info = tma_opcode_info(command->opcode);
	set = (uint16_t)(command->flags & info->flags);
	bytes = info->bytes;

	for (i = 0; i < sizeof(effects) / sizeof(effects[0]); i++)
		if (set & effects[i].flag)
			bytes |= effects[i].uses;
	for (i = 0; i < sizeof(effects) / sizeof(effects[0]); i++)
		if (set & effects[i].flag)
			bytes &= ~effects[i].frees;
	for (i = 0; i < 64; i += 4)
		memcpy(used + i, spread[bytes >> i & 0xF], 4);
	used[6] = (uint8_t)(info->flags & 0xFF);
	used[7] = (uint8_t)(info->flags >> 8);
}

/* What a fault means. `field`: operand at fault; `where`: ring, decode, sync, map,
 * guard, bus, completion or signal. */
struct tma_fault_info {
	uint16_t    code;
	const char *name, *field, *where, *rule, *reference;
	const char *needs; /* the capability that builds show it with, NULL: every build does */
};

/** The fault of @p code, or NULL: there is no such fault. */
static inline const struct tma_fault_info *tma_fault_info(uint16_t code)
{
	static const struct tma_fault_info faults[] = {
		{ TMA_FAULT_RING_OVERRUN, "RING_OVERRUN", "ring", "ring",
		  "TAIL - HEAD must be at most the size of the ring", "architecture, Faults", NULL },
		{ TMA_FAULT_COMMAND_WINDOW, "COMMAND_WINDOW", "ring", "ring",
		  "a command must lie in a window of the queue that allows reads",
		  "architecture, Faults", NULL },
		{ TMA_FAULT_COMMAND_SLVERR, "COMMAND_SLVERR", "ring", "ring",
		  "the fetch of a command answered SLVERR", "architecture, Faults", NULL },
		{ TMA_FAULT_COMMAND_DECERR, "COMMAND_DECERR", "ring", "ring",
		  "the fetch of a command answered DECERR", "architecture, Faults", NULL },
		{ TMA_FAULT_UNKNOWN_VERSION, "UNKNOWN_VERSION", "version", "decode",
		  "the command version must be 1", "architecture, Faults", NULL },
		{ TMA_FAULT_UNKNOWN_OPCODE, "UNKNOWN_OPCODE", "opcode", "decode",
		  "the opcode must name a command that this build has", "architecture, Faults", NULL },
		{ TMA_FAULT_RESERVED_BITS, "RESERVED_BITS", "command", "decode",
		  "bits that the command does not use must be zero", "architecture, Faults", NULL },
		{ TMA_FAULT_FLAG_CONFLICT, "FLAG_CONFLICT", "flags", "decode",
		  "flags must not exclude each other: MULTICAST with CTA_LOCAL, PARITY with LAST_STATE, EXPECT_TX with NO_COMPLETE, SRC_SIZE with IGNORE_SRC",
		  "architecture, Faults", NULL },
		{ TMA_FAULT_REDUCE_OP, "REDUCE_OP", "op", "decode",
		  "a reduction's operator and element type must be a pair of the table of its instruction, and built",
		  "semantics 1.5", "REDUCE" },
		{ TMA_FAULT_SIZE_GRANULE, "SIZE_GRANULE", "size", "decode",
		  "the size must be a multiple of 16 bytes", "F04", NULL },
		{ TMA_FAULT_SIZE_RANGE, "SIZE_RANGE", "size", "decode",
		  "the size must be below 2^20 bytes; that of a prefetch is not limited",
		  "semantics 6", NULL },
		{ TMA_FAULT_COUNT_RANGE, "COUNT_RANGE", "count", "decode",
		  "an mbarrier count must be 1 to 2^20-1, and 1 with EXPECT_TX", "F10", NULL },
		{ TMA_FAULT_TX_RANGE, "TX_RANGE", "tx", "decode",
		  "a tx operand must be at most 2^20-1 bytes", "F10", NULL },
		{ TMA_FAULT_PARITY_RANGE, "PARITY_RANGE", "count", "decode",
		  "a parity must be 0 or 1", "semantics 6", NULL },
		{ TMA_FAULT_CP_SIZE, "CP_SIZE", "size", "decode",
		  "a cp-size must be 4, 8 or 16, and 16 with CG", "semantics 1.1", NULL },
		{ TMA_FAULT_SRC_SIZE_RANGE, "SRC_SIZE_RANGE", "count", "decode",
		  "a src-size must be at most the cp-size", "semantics 1.1", NULL },
		{ TMA_FAULT_PREFETCH_SIZE_RANGE, "PREFETCH_SIZE_RANGE", "mode", "decode",
		  "an L2 prefetch size must be 0 to 3", "semantics 1.1", NULL },
		{ TMA_FAULT_GLOBAL_MISALIGNED, "GLOBAL_MISALIGNED", "global_address", "decode",
		  "a global address must be a multiple of 16, for cp.async of its cp-size",
		  "F05", NULL },
		{ TMA_FAULT_SRC_MISALIGNED, "SRC_MISALIGNED", "shared_src", "decode",
		  "a shared source must be a multiple of 16, of a tensor copy of 128",
		  "F05 F23", NULL },
		{ TMA_FAULT_DST_MISALIGNED, "DST_MISALIGNED", "shared_dst", "decode",
		  "a shared destination must be a multiple of 16, of a tensor copy of 128, for cp.async of its cp-size",
		  "F05 F23 M21", NULL },
		{ TMA_FAULT_BARRIER_MISALIGNED, "BARRIER_MISALIGNED", "barrier", "decode",
		  "an mbarrier must be a multiple of 8", "F09", NULL },
		{ TMA_FAULT_MAP_MISALIGNED, "MAP_MISALIGNED", "global_address", "decode",
		  "a tensor map must be a multiple of 64", "F17", NULL },
		{ TMA_FAULT_TENSOR_MODE, "TENSOR_MODE", "mode", "decode",
		  "loads and prefetches have the modes tile, im2col, gather4, im2col_w and im2col_w_128, stores tile, im2col_no_offs and scatter4",
		  "semantics 1.8", NULL },
		{ TMA_FAULT_TENSOR_DIM, "TENSOR_DIM", "dim", "decode",
		  "dim must be 1 to 5, in the im2col modes 3 to 5, with gather4 and scatter4 2",
		  "semantics 1.8", NULL },
		{ TMA_FAULT_TENSOR_UNUSED, "TENSOR_UNUSED", "command", "decode",
		  "coordinates and im2col operands that mode and dim do not have must be zero",
		  "semantics 1.8", NULL },
		{ TMA_FAULT_SRC_CTA, "SRC_CTA", "shared_src", "decode",
		  "a shared source must lie in the executing CTA", "F06", NULL },
		{ TMA_FAULT_DST_CTA, "DST_CTA", "shared_dst", "decode",
		  "a shared destination must lie in a CTA of the cluster", "F06", NULL },
		{ TMA_FAULT_DST_NOT_LOCAL, "DST_NOT_LOCAL", "shared_dst", "decode",
		  "a .shared::cta destination, and that of cp.async, must lie in the executing CTA",
		  "F07", NULL },
		{ TMA_FAULT_DST_LOCAL, "DST_LOCAL", "shared_dst", "decode",
		  "the destination of a shared::cta to shared::cluster copy must lie in another CTA",
		  "F08", NULL },
		{ TMA_FAULT_MASK_CTA, "MASK_CTA", "cta_mask", "decode",
		  "a multicast mask must name CTAs of the cluster alone", "F26 M23", NULL },
		{ TMA_FAULT_BARRIER_CTA, "BARRIER_CTA", "barrier", "decode",
		  "a barrier must lie in a CTA of the cluster, that of a copy without multicast in its destination's CTA, with CTA_GROUP_2 in that or its pair",
		  "F09", NULL },
		{ TMA_FAULT_BARRIER_NOT_LOCAL, "BARRIER_NOT_LOCAL", "barrier", "decode",
		  "init, inval, test_wait, try_wait and cp.async.mbarrier.arrive work on a barrier of the executing CTA",
		  "semantics 1.17", NULL },
		{ TMA_FAULT_CTA_DENIED, "CTA_DENIED", "shared address", "decode",
		  "every CTA that the command touches must be in the queue's CTA mask",
		  "architecture, Faults", NULL },
		{ TMA_FAULT_SRC_RANGE, "SRC_RANGE", "shared_src", "decode",
		  "source + size must stay inside the CTA's shared memory", "F06", NULL },
		{ TMA_FAULT_DST_RANGE, "DST_RANGE", "shared_dst", "decode",
		  "destination + size must stay inside the CTA's shared memory", "F06", NULL },
		{ TMA_FAULT_BARRIER_RANGE, "BARRIER_RANGE", "barrier", "decode",
		  "a barrier must lie inside the CTA's shared memory", "F06 F09", NULL },
		{ TMA_FAULT_CANCEL_DENIED, "CANCEL_DENIED", "count", "decode",
		  "a cancel must name a queue of the queue's cancel mask", "architecture, Faults", NULL },
		{ TMA_FAULT_NO_STATE, "NO_STATE", "flags", "sync",
		  "LAST_STATE needs an earlier arrive of the queue", "architecture, Faults", NULL },
		{ TMA_FAULT_BARRIER_DEAD, "BARRIER_DEAD", "barrier", "sync",
		  "the barrier must be initialised", "F09 F11", NULL },
		{ TMA_FAULT_PENDING_UNDERFLOW, "PENDING_UNDERFLOW", "count", "sync",
		  "an arrive must not exceed the pending count", "F10", NULL },
		{ TMA_FAULT_TX_COUNT_RANGE, "TX_COUNT_RANGE", "tx", "sync",
		  "the tx-count must stay within -(2^20-1) and 2^20-1", "F10", NULL },
		{ TMA_FAULT_NO_COMPLETE_COMPLETES, "NO_COMPLETE_COMPLETES", "count", "sync",
		  "arrive.noComplete must not complete the phase", "F10", NULL },
		{ TMA_FAULT_EXPECTED_UNDERFLOW, "EXPECTED_UNDERFLOW", "count", "sync",
		  "arrive_drop must not exceed the expected count", "F10", NULL },
		{ TMA_FAULT_PENDING_OVERFLOW, "PENDING_OVERFLOW", "barrier", "sync",
		  "cp.async.mbarrier.arrive must keep the pending count at most 2^20-1",
		  "F10", NULL },
		{ TMA_FAULT_CANCELLED, "CANCELLED", "command", "sync",
		  "a wait must not be cancelled", "architecture, Faults", NULL },
		{ TMA_FAULT_MAP_WINDOW, "MAP_WINDOW", "tensor map", "map",
		  "every byte of a tensor map must lie in a window of the queue that allows reads",
		  "F17", NULL },
		{ TMA_FAULT_MAP_SLVERR, "MAP_SLVERR", "tensor map", "map",
		  "the read of a tensor map answered SLVERR", "architecture, Faults", NULL },
		{ TMA_FAULT_MAP_DECERR, "MAP_DECERR", "tensor map", "map",
		  "the read of a tensor map answered DECERR", "architecture, Faults", NULL },
		{ TMA_FAULT_MAP_RESERVED, "MAP_RESERVED", "tensor map", "map",
		  "bits that the tensor map does not use must be zero; fields of dimensions beyond its rank are not looked at",
		  "F17", NULL },
		{ TMA_FAULT_MAP_RANK, "MAP_RANK", "tensor map", "map",
		  "the rank must be 1 to 5, with interleave and of im2col maps 3 to 5",
		  "semantics 2.2", NULL },
		{ TMA_FAULT_MAP_TYPE, "MAP_TYPE", "tensor map", "map",
		  "the element type must be one that this build has; the tf32 bit goes with f32 and f32.ftz alone",
		  "semantics 2.13", NULL },
		{ TMA_FAULT_MAP_LAYOUT, "MAP_LAYOUT", "tensor map", "map",
		  "interleave must be none, 16B or 32B, and none with wide maps and padded types; the wide kind must be none, w or w128, and goes with im2col",
		  "semantics 2.2", NULL },
		{ TMA_FAULT_MAP_SWIZZLE, "MAP_SWIZZLE", "tensor map", "map",
		  "the swizzle must exist and go with the type and kind of the map: an atom with 128B alone, 96B by itself and without interleave, padded types with none or 128B without flip, wide maps with 64B, 128B, 128B_ATOM_32B or (kind w) 96B",
		  "semantics 2.2", NULL },
		{ TMA_FAULT_MAP_FILL, "MAP_FILL", "tensor map", "map",
		  "NaN fill goes with floating types alone", "semantics 2.2", NULL },
		{ TMA_FAULT_MAP_ADDRESS, "MAP_ADDRESS", "tensor map", "map",
		  "the global address must be a multiple of 16, with interleave 32B and padded types of 32",
		  "semantics 2.2", NULL },
		{ TMA_FAULT_MAP_DIM, "MAP_DIM", "tensor map", "map",
		  "globalDim[0] must be a multiple of 128 for padded types, of 2 for b4x16",
		  "semantics 2.2", NULL },
		{ TMA_FAULT_MAP_STRIDE, "MAP_STRIDE", "tensor map", "map",
		  "strides must be multiples of 32 with interleave 32B and padded types",
		  "semantics 2.2", NULL },
		{ TMA_FAULT_MAP_BOX, "MAP_BOX", "tensor map", "map",
		  "a row of the box must be a multiple of 16 bytes, 128 elements of padded types, and without interleave at most the span of the swizzle",
		  "semantics 2.2", NULL },
		{ TMA_FAULT_MAP_SIZE, "MAP_SIZE", "tensor map", "map",
		  "a box must be at most 232,448 bytes", "semantics 2.2", NULL },
		{ TMA_FAULT_MAP_CORNERS, "MAP_CORNERS", "tensor map", "map",
		  "the window of an im2col map must not be empty", "semantics 2.2", NULL },
		{ TMA_FAULT_TENSOR_RANK, "TENSOR_RANK", "dim", "map",
		  "dim must be the rank of the tensor map", "M24", NULL },
		{ TMA_FAULT_TENSOR_KIND, "TENSOR_KIND", "mode", "map",
		  "the mode must fit the kind of the map: tile, gather4 and scatter4 a tiled one, im2col and im2col_no_offs an im2col one, im2col_w and im2col_w_128 that of their name",
		  "M24", NULL },
		{ TMA_FAULT_TENSOR_GATHER, "TENSOR_GATHER", "mode", "map",
		  "gather4 and scatter4 need boxDim[1] = 1", "F25", NULL },
		{ TMA_FAULT_TENSOR_STORE, "TENSOR_STORE", "global_address", "map",
		  "a store must not have the padded 4-bit type or the swizzle with flip, and its im2col window must lie in the tensor",
		  "semantics 2.2", NULL },
		{ TMA_FAULT_MISALIGNED_BOX, "MISALIGNED_BOX", "coord", "map",
		  "without interleave the first coordinate must be a multiple of 16 bytes, of 128 elements for padded types",
		  "M7", NULL },
		{ TMA_FAULT_NEGATIVE_COORDINATE, "NEGATIVE_COORDINATE", "coord", "map",
		  "the coordinates of a store must not be negative", "M26", NULL },
		{ TMA_FAULT_IM2COL_START, "IM2COL_START", "coord", "map",
		  "an im2col walk must start inside the window, that of a wide map not right of it",
		  "M27", NULL },
		{ TMA_FAULT_IM2COL_OFFSETS, "IM2COL_OFFSETS", "im2col", "map",
		  "im2col offsets must fit 16, 8 or 5 bits in 3, 4 or 5 dimensions, wHalo 9 bits (im2col_w_128: 5), wOffset 5",
		  "M29", NULL },
		{ TMA_FAULT_TENSOR_RANGE, "TENSOR_RANGE", "shared_dst", "map",
		  "the box, rounded up to the span of its swizzle, must end inside the CTA's shared memory",
		  "F06", NULL },
		{ TMA_FAULT_TENSOR_REDUCE, "TENSOR_REDUCE", "op", "map",
		  "the map's element type must take the reduction's operator, and its arithmetic must be built",
		  "F24", "REDUCE" },
		{ TMA_FAULT_WINDOW_READ, "WINDOW_READ", "global_address", "guard",
		  "every byte read must lie in a window of the queue that allows reads",
		  "F06", NULL },
		{ TMA_FAULT_WINDOW_WRITE, "WINDOW_WRITE", "global_address", "guard",
		  "every byte written must lie in a window of the queue that allows writes",
		  "F06", NULL },
		{ TMA_FAULT_WINDOW_MULTIMEM, "WINDOW_MULTIMEM", "global_address", "guard",
		  "every byte of a multimem copy must lie in a window of the queue that allows multimem copies",
		  "F06", NULL },
		{ TMA_FAULT_MULTIMEM_UNMAPPED, "MULTIMEM_UNMAPPED", "global_address", "guard",
		  "every byte of a multimem copy must lie in a multimem window", "semantics 1.19", NULL },
		{ TMA_FAULT_READ_SLVERR, "READ_SLVERR", "global_address", "bus",
		  "a read answered SLVERR", "architecture, Faults", NULL },
		{ TMA_FAULT_READ_DECERR, "READ_DECERR", "global_address", "bus",
		  "a read answered DECERR", "architecture, Faults", NULL },
		{ TMA_FAULT_WRITE_SLVERR, "WRITE_SLVERR", "global_address", "bus",
		  "a write answered SLVERR", "architecture, Faults", NULL },
		{ TMA_FAULT_WRITE_DECERR, "WRITE_DECERR", "global_address", "bus",
		  "a write answered DECERR", "architecture, Faults", NULL },
		{ TMA_FAULT_PORT_DEAD, "PORT_DEAD", "global_address", "bus",
		  "a port that is used must make progress within WATCHDOG cycles",
		  "architecture, Faults", NULL },
		{ TMA_FAULT_COMPLETION_WINDOW, "COMPLETION_WINDOW", "ring", "completion",
		  "a completion ring must lie in a window of the queue that allows writes",
		  "architecture, Faults", NULL },
		{ TMA_FAULT_COMPLETION_SLVERR, "COMPLETION_SLVERR", "ring", "completion",
		  "the write of a record answered SLVERR", "architecture, Faults", NULL },
		{ TMA_FAULT_COMPLETION_DECERR, "COMPLETION_DECERR", "ring", "completion",
		  "the write of a record answered DECERR", "architecture, Faults", NULL },
		{ TMA_FAULT_SIGNAL_BARRIER_DEAD, "SIGNAL_BARRIER_DEAD", "barrier", "signal",
		  "the barrier of a copy must still be alive when the copy signals it",
		  "F11", NULL },
		{ TMA_FAULT_SIGNAL_TX_COUNT_RANGE, "SIGNAL_TX_COUNT_RANGE", "barrier", "signal",
		  "the signal of a copy must keep the tx-count within -(2^20-1) and 2^20-1",
		  "F10", NULL },
		{ TMA_FAULT_SIGNAL_PENDING_UNDERFLOW, "SIGNAL_PENDING_UNDERFLOW", "barrier", "signal",
		  "the arrive of finished cp.async must not exceed the pending count",
		  "F10", NULL }
	};
	unsigned int i;

	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (faults[i].code == code)
			return &faults[i];
	return NULL;
}

/** Name of a record kind, or NULL: there is none. */
static inline const char *tma_kind_name(uint8_t kind)
{
	switch (kind) {
	case TMA_KIND_RETIRED:
		return "RETIRED";
	case TMA_KIND_ANSWER:
		return "ANSWER";
	case TMA_KIND_SIGNAL:
		return "SIGNAL";
	case TMA_KIND_FAULT:
		return "FAULT";
	default:
		return NULL;
	}
}

/** Name of one flag of a command, or NULL: there is none. */
static inline const char *tma_flag_name(uint32_t flag)
{
	switch (flag) {
	case TMA_FLAG_RECORD:
		return "RECORD";
	case TMA_FLAG_LAST_STATE:
		return "LAST_STATE";
	case TMA_FLAG_MULTICAST:
		return "MULTICAST";
	case TMA_FLAG_CP_MASK:
		return "CP_MASK";
	case TMA_FLAG_CACHE_HINT:
		return "CACHE_HINT";
	case TMA_FLAG_CTA_LOCAL:
		return "CTA_LOCAL";
	case TMA_FLAG_READ:
		return "READ";
	case TMA_FLAG_PARITY:
		return "PARITY";
	case TMA_FLAG_DROP:
		return "DROP";
	case TMA_FLAG_EXPECT_TX:
		return "EXPECT_TX";
	case TMA_FLAG_NO_COMPLETE:
		return "NO_COMPLETE";
	case TMA_FLAG_SRC_SIZE:
		return "SRC_SIZE";
	case TMA_FLAG_IGNORE_SRC:
		return "IGNORE_SRC";
	case TMA_FLAG_CG:
		return "CG";
	case TMA_FLAG_NOINC:
		return "NOINC";
	case TMA_FLAG_CTA_GROUP_2:
		return "CTA_GROUP_2";
	default:
		return NULL;
	}
}

/** Name of a traversal mode, in the words of PTX, or NULL: there is none. */
static inline const char *tma_mode_name(uint8_t mode)
{
	switch (mode) {
	case TMA_MODE_TILE:
		return "tile";
	case TMA_MODE_IM2COL:
		return "im2col";
	case TMA_MODE_IM2COL_NO_OFFS:
		return "im2col_no_offs";
	case TMA_MODE_GATHER4:
		return "tile::gather4";
	case TMA_MODE_SCATTER4:
		return "tile::scatter4";
	case TMA_MODE_IM2COL_W:
		return "im2col::w";
	case TMA_MODE_IM2COL_W_128:
		return "im2col::w::128";
	default:
		return NULL;
	}
}

/** Name of a reduction's operator, in the words of PTX, or NULL: there is none. */
static inline const char *tma_reduce_name(uint8_t op)
{
	switch (op) {
	case TMA_REDUCE_ADD:
		return "add";
	case TMA_REDUCE_MIN:
		return "min";
	case TMA_REDUCE_MAX:
		return "max";
	case TMA_REDUCE_INC:
		return "inc";
	case TMA_REDUCE_DEC:
		return "dec";
	case TMA_REDUCE_AND:
		return "and";
	case TMA_REDUCE_OR:
		return "or";
	case TMA_REDUCE_XOR:
		return "xor";
	default:
		return NULL;
	}
}

/** Name of a reduction's type, in the words of PTX, or NULL: there is none. */
static inline const char *tma_type_name(uint8_t type)
{
	switch (type) {
	case TMA_TYPE_U32:
		return "u32";
	case TMA_TYPE_S32:
		return "s32";
	case TMA_TYPE_U64:
		return "u64";
	case TMA_TYPE_S64:
		return "s64";
	case TMA_TYPE_F16:
		return "f16";
	case TMA_TYPE_BF16:
		return "bf16";
	case TMA_TYPE_F32:
		return "f32";
	case TMA_TYPE_F64:
		return "f64";
	case TMA_TYPE_B32:
		return "b32";
	case TMA_TYPE_B64:
		return "b64";
	default:
		return NULL;
	}
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
