/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from rtl/spec/tma.toml by make gen. Do not edit. */
/*
 * tma_abi - the command, the completion record, faults and capability words, as hardware and
 * software exchange them. Little-endian, no padding. C11 and C++17.
 */
#ifndef TMA_ABI_H
#define TMA_ABI_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TMA_ABI_MAJOR 1u
#define TMA_ABI_MINOR 3u
#define TMA_COMMAND_VERSION 1u
#define TMA_COMMAND_BYTES 64u
#define TMA_RECORD_BYTES 32u

enum tma_opcode {
	TMA_BULK_LOAD = 0x10,
	TMA_BULK_STORE = 0x11,
	TMA_BULK_SHARED = 0x12,
	TMA_BULK_PREFETCH = 0x13,
	TMA_MULTIMEM_BULK_STORE = 0x14,
	TMA_BULK_REDUCE = 0x15,
	TMA_BULK_REDUCE_SHARED = 0x16,
	TMA_MULTIMEM_BULK_REDUCE = 0x17,
	TMA_TENSOR_LOAD = 0x20,
	TMA_TENSOR_STORE = 0x21,
	TMA_TENSOR_REDUCE = 0x22,
	TMA_TENSOR_PREFETCH = 0x23,
	TMA_PREFETCH_TENSORMAP = 0x28,
	TMA_MAP_FENCE = 0x29,
	TMA_CP_ASYNC = 0x30,
	TMA_CP_ASYNC_COMMIT_GROUP = 0x31,
	TMA_CP_ASYNC_WAIT_GROUP = 0x32,
	TMA_CP_ASYNC_WAIT_ALL = 0x33,
	TMA_CP_ASYNC_MBARRIER_ARRIVE = 0x34,
	TMA_BULK_COMMIT_GROUP = 0x40,
	TMA_BULK_WAIT_GROUP = 0x41,
	TMA_MBARRIER_INIT = 0x50,
	TMA_MBARRIER_INVAL = 0x51,
	TMA_MBARRIER_EXPECT_TX = 0x52,
	TMA_MBARRIER_COMPLETE_TX = 0x53,
	TMA_MBARRIER_ARRIVE = 0x54,
	TMA_MBARRIER_PENDING_COUNT = 0x55,
	TMA_MBARRIER_TEST_WAIT = 0x56,
	TMA_MBARRIER_TRY_WAIT = 0x57,
	TMA_SIGNAL = 0x60,
	TMA_CANCEL = 0x61,
};

/* Bits of tma_command.flags. */
#define TMA_FLAG_RECORD (1u << 0) /* write a record when the command has left its queue */
/* use the state token that the queue's last arrive returned; the state operand must be zero */
#define TMA_FLAG_LAST_STATE (1u << 1)
#define TMA_FLAG_MULTICAST (1u << 2) /* .multicast::cluster */
#define TMA_FLAG_CP_MASK (1u << 3) /* .cp_mask */
#define TMA_FLAG_CACHE_HINT (1u << 4) /* .L2::cache_hint */
/* destination is .shared::cta: it must lie in the executing CTA */
#define TMA_FLAG_CTA_LOCAL (1u << 5)
#define TMA_FLAG_READ (1u << 6) /* wait_group.read */
#define TMA_FLAG_PARITY (1u << 7) /* parity form of a wait; the state operand must be zero */
#define TMA_FLAG_DROP (1u << 8) /* arrive_drop */
#define TMA_FLAG_EXPECT_TX (1u << 9) /* arrive.expect_tx; count must be 1 */
#define TMA_FLAG_NO_COMPLETE (1u << 10) /* arrive.noComplete */
#define TMA_FLAG_SRC_SIZE (1u << 11) /* cp.async with src-size: the bytes from there on are zero */
/* cp.async with a true ignore-src: all bytes are zero and nothing is read */
#define TMA_FLAG_IGNORE_SRC (1u << 12)
#define TMA_FLAG_CG (1u << 13) /* cp.async.cg: cache in L2 alone; cp-size must be 16 */
#define TMA_FLAG_NOINC (1u << 14) /* cp.async.mbarrier.arrive.noinc */
/* .cta_group::2: the barrier may lie in the pair CTA of the destination's, rank xor 1 */
#define TMA_FLAG_CTA_GROUP_2 (1u << 15)

enum tma_kind {
	TMA_KIND_RETIRED = 1,
	TMA_KIND_ANSWER = 2,
	TMA_KIND_SIGNAL = 3,
	TMA_KIND_FAULT = 4,
};

enum tma_fault {
	TMA_FAULT_NONE = 0,
	TMA_FAULT_RING_OVERRUN = 0x0001,
	TMA_FAULT_COMMAND_WINDOW = 0x0002,
	TMA_FAULT_COMMAND_SLVERR = 0x0003,
	TMA_FAULT_COMMAND_DECERR = 0x0004,
	TMA_FAULT_UNKNOWN_VERSION = 0x0010,
	TMA_FAULT_UNKNOWN_OPCODE = 0x0011,
	TMA_FAULT_RESERVED_BITS = 0x0012,
	TMA_FAULT_FLAG_CONFLICT = 0x0013,
	TMA_FAULT_REDUCE_OP = 0x0014,
	TMA_FAULT_SIZE_GRANULE = 0x0020,
	TMA_FAULT_SIZE_RANGE = 0x0021,
	TMA_FAULT_COUNT_RANGE = 0x0022,
	TMA_FAULT_TX_RANGE = 0x0023,
	TMA_FAULT_PARITY_RANGE = 0x0024,
	TMA_FAULT_CP_SIZE = 0x0025,
	TMA_FAULT_SRC_SIZE_RANGE = 0x0026,
	TMA_FAULT_PREFETCH_SIZE_RANGE = 0x0027,
	TMA_FAULT_GLOBAL_MISALIGNED = 0x0028,
	TMA_FAULT_SRC_MISALIGNED = 0x0029,
	TMA_FAULT_DST_MISALIGNED = 0x002A,
	TMA_FAULT_BARRIER_MISALIGNED = 0x002B,
	TMA_FAULT_MAP_MISALIGNED = 0x002C,
	TMA_FAULT_TENSOR_MODE = 0x002D,
	TMA_FAULT_TENSOR_DIM = 0x002E,
	TMA_FAULT_TENSOR_UNUSED = 0x002F,
	TMA_FAULT_SRC_CTA = 0x0030,
	TMA_FAULT_DST_CTA = 0x0031,
	TMA_FAULT_DST_NOT_LOCAL = 0x0032,
	TMA_FAULT_DST_LOCAL = 0x0033,
	TMA_FAULT_MASK_CTA = 0x0034,
	TMA_FAULT_BARRIER_CTA = 0x0035,
	TMA_FAULT_BARRIER_NOT_LOCAL = 0x0036,
	TMA_FAULT_CTA_DENIED = 0x0037,
	TMA_FAULT_SRC_RANGE = 0x0038,
	TMA_FAULT_DST_RANGE = 0x0039,
	TMA_FAULT_BARRIER_RANGE = 0x003A,
	TMA_FAULT_CANCEL_DENIED = 0x003B,
	TMA_FAULT_NO_STATE = 0x0040,
	TMA_FAULT_BARRIER_DEAD = 0x0050,
	TMA_FAULT_PENDING_UNDERFLOW = 0x0051,
	TMA_FAULT_TX_COUNT_RANGE = 0x0052,
	TMA_FAULT_NO_COMPLETE_COMPLETES = 0x0053,
	TMA_FAULT_EXPECTED_UNDERFLOW = 0x0054,
	TMA_FAULT_PENDING_OVERFLOW = 0x0055,
	TMA_FAULT_CANCELLED = 0x0058,
	TMA_FAULT_MAP_WINDOW = 0x0060,
	TMA_FAULT_MAP_SLVERR = 0x0061,
	TMA_FAULT_MAP_DECERR = 0x0062,
	TMA_FAULT_MAP_RESERVED = 0x0063,
	TMA_FAULT_MAP_RANK = 0x0064,
	TMA_FAULT_MAP_TYPE = 0x0065,
	TMA_FAULT_MAP_LAYOUT = 0x0066,
	TMA_FAULT_MAP_SWIZZLE = 0x0067,
	TMA_FAULT_MAP_FILL = 0x0068,
	TMA_FAULT_MAP_ADDRESS = 0x0069,
	TMA_FAULT_MAP_DIM = 0x006A,
	TMA_FAULT_MAP_STRIDE = 0x006B,
	TMA_FAULT_MAP_BOX = 0x006C,
	TMA_FAULT_MAP_SIZE = 0x006D,
	TMA_FAULT_MAP_CORNERS = 0x006E,
	TMA_FAULT_TENSOR_RANK = 0x0070,
	TMA_FAULT_TENSOR_KIND = 0x0071,
	TMA_FAULT_TENSOR_GATHER = 0x0072,
	TMA_FAULT_TENSOR_STORE = 0x0073,
	TMA_FAULT_MISALIGNED_BOX = 0x0074,
	TMA_FAULT_NEGATIVE_COORDINATE = 0x0075,
	TMA_FAULT_IM2COL_START = 0x0076,
	TMA_FAULT_IM2COL_OFFSETS = 0x0077,
	TMA_FAULT_TENSOR_RANGE = 0x0078,
	TMA_FAULT_TENSOR_REDUCE = 0x0079,
	TMA_FAULT_WINDOW_READ = 0x0080,
	TMA_FAULT_WINDOW_WRITE = 0x0081,
	TMA_FAULT_WINDOW_MULTIMEM = 0x0082,
	TMA_FAULT_MULTIMEM_UNMAPPED = 0x0083,
	TMA_FAULT_READ_SLVERR = 0x0090,
	TMA_FAULT_READ_DECERR = 0x0091,
	TMA_FAULT_WRITE_SLVERR = 0x0092,
	TMA_FAULT_WRITE_DECERR = 0x0093,
	TMA_FAULT_PORT_DEAD = 0x0094,
	TMA_FAULT_COMPLETION_WINDOW = 0x0098,
	TMA_FAULT_COMPLETION_SLVERR = 0x0099,
	TMA_FAULT_COMPLETION_DECERR = 0x009A,
	TMA_FAULT_SIGNAL_BARRIER_DEAD = 0x00A0,
	TMA_FAULT_SIGNAL_TX_COUNT_RANGE = 0x00A1,
	TMA_FAULT_SIGNAL_PENDING_UNDERFLOW = 0x00A2,
};

/* Standard C++ has no struct without a name, and compilers that are asked to be pedantic say so. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
/* One command. Bytes that it does not use must be zero. */
struct tma_command {
	uint8_t  opcode; /* instruction, see the command table */
	uint8_t  version; /* command_version */
	/* cp.async: L2 prefetch size, 0 none, 1 64B, 2 128B, 3 256B; tensor copies: traversal mode */
	uint8_t  mode;
	uint8_t  dim; /* tensor rank of the instruction */
	uint8_t  op; /* reduction operator */
	uint8_t  type; /* reduction element type */
	uint16_t flags; /* modifiers, see the flag table */
	/* global operand; tensor copies: the tensor map; state form of a wait, pending_count: the state token */
	uint64_t global_address;
	union {
		/* tensor coordinates, fastest dimension first; gather4 and scatter4: column, four rows */
		int32_t  coord[5];
		struct {
			uint32_t shared_src; /* shared source, CTA rank << 24 | offset */
			uint32_t size; /* bytes to move; cp.async: cp-size */
			/* cp_mask: bit i enables byte i of every 16-byte chunk */
			uint16_t byte_mask;
			uint16_t reserved26; /* reserved, must be zero */
			/* init and arrive: count; wait_group: N; parity form of a wait: parity; cp.async: src-size; cancel: queue */
			uint32_t count;
			/* expect_tx, complete_tx: bytes; try_wait: limit in cycles, 0 tests once, 0xFFFFFFFF never ends */
			uint32_t tx;
		};
	};
	/* shared destination, of a tensor store its shared source, CTA rank << 24 | offset */
	uint32_t shared_dst;
	uint32_t barrier; /* mbarrier, CTA rank << 24 | offset */
	/* im2col: offsets, fastest spatial dimension first; im2col::w and ::w::128: wHalo, wOffset */
	uint16_t im2col[3];
	uint16_t cta_mask; /* multicast: bit r names CTA r */
	uint32_t tag; /* software's own, copied into the record */
	/* cache policy: bits 63:60 to AxQOS, 59:56 to AxUSER[3:0]; never changes a result */
	uint64_t policy;
};
#pragma GCC diagnostic pop
static_assert(sizeof(struct tma_command) == 64, "tma_command has padding");
static_assert(offsetof(struct tma_command, opcode) == 0, "tma_command.opcode");
static_assert(offsetof(struct tma_command, version) == 1, "tma_command.version");
static_assert(offsetof(struct tma_command, mode) == 2, "tma_command.mode");
static_assert(offsetof(struct tma_command, dim) == 3, "tma_command.dim");
static_assert(offsetof(struct tma_command, op) == 4, "tma_command.op");
static_assert(offsetof(struct tma_command, type) == 5, "tma_command.type");
static_assert(offsetof(struct tma_command, flags) == 6, "tma_command.flags");
static_assert(offsetof(struct tma_command, global_address) == 8, "tma_command.global_address");
static_assert(offsetof(struct tma_command, shared_src) == 16, "tma_command.shared_src");
static_assert(offsetof(struct tma_command, size) == 20, "tma_command.size");
static_assert(offsetof(struct tma_command, byte_mask) == 24, "tma_command.byte_mask");
static_assert(offsetof(struct tma_command, reserved26) == 26, "tma_command.reserved26");
static_assert(offsetof(struct tma_command, count) == 28, "tma_command.count");
static_assert(offsetof(struct tma_command, tx) == 32, "tma_command.tx");
static_assert(offsetof(struct tma_command, shared_dst) == 36, "tma_command.shared_dst");
static_assert(offsetof(struct tma_command, barrier) == 40, "tma_command.barrier");
static_assert(offsetof(struct tma_command, im2col) == 44, "tma_command.im2col");
static_assert(offsetof(struct tma_command, cta_mask) == 50, "tma_command.cta_mask");
static_assert(offsetof(struct tma_command, tag) == 52, "tma_command.tag");
static_assert(offsetof(struct tma_command, policy) == 56, "tma_command.policy");
static_assert(offsetof(struct tma_command, coord) == 16, "tma_command.coord");

/* One completion record. */
struct tma_record {
	uint32_t sequence; /* number of the command in its queue, from 0 */
	uint8_t  queue; /* queue */
	uint8_t  kind; /* see the record kinds */
	uint16_t fault; /* fault code, 0 none */
	uint64_t value; /* answer of the command */
	uint64_t address; /* faulting address or operand */
	uint32_t tag; /* tag of the command */
	/* bit 0: phase bit of a completion ring, 1 in its first lap, then 0, 1, ..; 0 on the direct port */
	uint32_t phase;
};
static_assert(sizeof(struct tma_record) == 32, "tma_record has padding");
static_assert(offsetof(struct tma_record, sequence) == 0, "tma_record.sequence");
static_assert(offsetof(struct tma_record, queue) == 4, "tma_record.queue");
static_assert(offsetof(struct tma_record, kind) == 5, "tma_record.kind");
static_assert(offsetof(struct tma_record, fault) == 6, "tma_record.fault");
static_assert(offsetof(struct tma_record, value) == 8, "tma_record.value");
static_assert(offsetof(struct tma_record, address) == 16, "tma_record.address");
static_assert(offsetof(struct tma_record, tag) == 24, "tma_record.tag");
static_assert(offsetof(struct tma_record, phase) == 28, "tma_record.phase");

/* Fields of the mbarrier object: lowest bit, width. */
#define TMA_BARRIER_EXPECTED_LSB 0 /* arrivals that a phase starts with */
#define TMA_BARRIER_EXPECTED_BITS 20
#define TMA_BARRIER_PENDING_LSB 20 /* arrivals still missing */
#define TMA_BARRIER_PENDING_BITS 20
#define TMA_BARRIER_TX_LSB 40 /* bytes still missing, two's complement */
#define TMA_BARRIER_TX_BITS 21
#define TMA_BARRIER_PHASE_LSB 61 /* parity of the current phase */
#define TMA_BARRIER_PHASE_BITS 1
#define TMA_BARRIER_LIVE_LSB 62 /* 2 = initialised; inval clears the whole object to zero */
#define TMA_BARRIER_LIVE_BITS 2
#define TMA_BARRIER_ALIVE 2u /* `live` when initialised */

/* Fields of the state token of an arrive: lowest bit, width. */
#define TMA_STATE_PENDING_LSB 0 /* pending count before the arrive */
#define TMA_STATE_PENDING_BITS 20
#define TMA_STATE_PHASE_LSB 20 /* phase before the arrive */
#define TMA_STATE_PHASE_BITS 1

/* Fields of a tensor map: lowest bit of 1,024, width, elements. */
#define TMA_MAP_GLOBAL_ADDRESS_LSB 0 /* first byte of element (0, .., 0) */
#define TMA_MAP_GLOBAL_ADDRESS_BITS 64
#define TMA_MAP_IM2COL_LSB 64 /* 1: im2col map, 0: tiled */
#define TMA_MAP_IM2COL_BITS 1
#define TMA_MAP_RANK_LSB 68 /* rank - 1 */
#define TMA_MAP_RANK_BITS 3
#define TMA_MAP_TYPE_LSB 71 /* element type, see the values */
#define TMA_MAP_TYPE_BITS 4
#define TMA_MAP_INTERLEAVE_LSB 75 /* see the values */
#define TMA_MAP_INTERLEAVE_BITS 2
#define TMA_MAP_SWIZZLE_LSB 77 /* see the values */
#define TMA_MAP_SWIZZLE_BITS 2
#define TMA_MAP_FILL_LSB 79 /* see the values */
#define TMA_MAP_FILL_BITS 1
#define TMA_MAP_TF32_LSB 80 /* loads round to tf32 */
#define TMA_MAP_TF32_BITS 1
#define TMA_MAP_PROMOTION_LSB 81 /* L2 promotion: a hint */
#define TMA_MAP_PROMOTION_BITS 2
#define TMA_MAP_ATOM_LSB 83 /* swizzle atom, an extension: see the values */
#define TMA_MAP_ATOM_BITS 2
#define TMA_MAP_SWIZZLE96_LSB 85 /* 96B swizzle, an extension */
#define TMA_MAP_SWIZZLE96_BITS 1
#define TMA_MAP_WIDE_LSB 86 /* wide kind, an extension: see the values */
#define TMA_MAP_WIDE_BITS 2
#define TMA_MAP_STRIDE_LOW_LSB 96 /* globalStrides[i] >> 4, bits 31:0 */
#define TMA_MAP_STRIDE_LOW_BITS 32
#define TMA_MAP_STRIDE_LOW_ELEMENTS 4
#define TMA_MAP_STRIDE_HIGH_LSB 224 /* globalStrides[i] >> 4, bits 35:32 */
#define TMA_MAP_STRIDE_HIGH_BITS 4
#define TMA_MAP_STRIDE_HIGH_ELEMENTS 4
#define TMA_MAP_DIM_LSB 256 /* globalDim[i] - 1 */
#define TMA_MAP_DIM_BITS 32
#define TMA_MAP_DIM_ELEMENTS 5
#define TMA_MAP_ELEMENT_STRIDE_LSB 416 /* elementStrides[i] - 1 */
#define TMA_MAP_ELEMENT_STRIDE_BITS 3
#define TMA_MAP_ELEMENT_STRIDE_ELEMENTS 5
/* tiled: boxDim[i] - 1; im2col: element 0 channelsPerPixel - 1, the others the corners */
#define TMA_MAP_BOX_LSB 440
#define TMA_MAP_BOX_BITS 8
#define TMA_MAP_BOX_ELEMENTS 5
#define TMA_MAP_PIXELS_LSB 480 /* im2col: pixelsPerColumn - 1 */
#define TMA_MAP_PIXELS_BITS 10
#define TMA_MAP_HINTS_LSB 512 /* private to the driver, ignored */
#define TMA_MAP_HINTS_BITS 128

enum tma_mode {
	TMA_MODE_TILE = 0,
	TMA_MODE_IM2COL = 1,
	TMA_MODE_IM2COL_NO_OFFS = 2,
	TMA_MODE_GATHER4 = 3,
	TMA_MODE_SCATTER4 = 4,
	TMA_MODE_IM2COL_W = 5,
	TMA_MODE_IM2COL_W_128 = 6,
};

enum tma_reduce {
	TMA_REDUCE_ADD = 0,
	TMA_REDUCE_MIN = 1,
	TMA_REDUCE_MAX = 2,
	TMA_REDUCE_INC = 3,
	TMA_REDUCE_DEC = 4,
	TMA_REDUCE_AND = 5,
	TMA_REDUCE_OR = 6,
	TMA_REDUCE_XOR = 7,
};

enum tma_type {
	TMA_TYPE_U32 = 0,
	TMA_TYPE_S32 = 1,
	TMA_TYPE_U64 = 2,
	TMA_TYPE_S64 = 3,
	TMA_TYPE_F16 = 4,
	TMA_TYPE_BF16 = 5,
	TMA_TYPE_F32 = 6,
	TMA_TYPE_F64 = 7,
	TMA_TYPE_B32 = 8,
	TMA_TYPE_B64 = 9,
};

/* Raw: numbers in the bits of a packed tensor map. Those that the encoders take are others, with a name that
 * begins with TMA_MAP_: tma_map.h. */
enum tma_raw_type {
	TMA_RAW_TYPE_U8 = 0,
	TMA_RAW_TYPE_U16 = 1,
	TMA_RAW_TYPE_U32 = 2,
	TMA_RAW_TYPE_S32 = 3,
	TMA_RAW_TYPE_U64 = 4,
	TMA_RAW_TYPE_S64 = 5,
	TMA_RAW_TYPE_F16 = 6,
	TMA_RAW_TYPE_F32 = 7,
	TMA_RAW_TYPE_F32_FTZ = 8,
	TMA_RAW_TYPE_F64 = 9,
	TMA_RAW_TYPE_BF16 = 10,
	TMA_RAW_TYPE_B4X16 = 13,
	TMA_RAW_TYPE_B4X16_P64 = 14,
	TMA_RAW_TYPE_B6X16_P32 = 15,
};

enum tma_raw_interleave {
	TMA_RAW_INTERLEAVE_NONE = 0,
	TMA_RAW_INTERLEAVE_16B = 1,
	TMA_RAW_INTERLEAVE_32B = 2,
};

enum tma_raw_swizzle {
	TMA_RAW_SWIZZLE_NONE = 0,
	TMA_RAW_SWIZZLE_32B = 1,
	TMA_RAW_SWIZZLE_64B = 2,
	TMA_RAW_SWIZZLE_128B = 3,
};

enum tma_raw_atom {
	TMA_RAW_ATOM_16B = 0,
	TMA_RAW_ATOM_32B = 1,
	TMA_RAW_ATOM_32B_FLIP_8B = 2,
	TMA_RAW_ATOM_64B = 3,
};

enum tma_raw_wide {
	TMA_RAW_WIDE_NONE = 0,
	TMA_RAW_WIDE_W = 1,
	TMA_RAW_WIDE_W_128 = 2,
};

enum tma_raw_fill {
	TMA_RAW_FILL_ZERO = 0,
	TMA_RAW_FILL_NAN = 1,
};

/* Capabilities: word of CAP, lowest bit, width. */
#define TMA_CAP_DATA_BYTES_WORD 0 /* bytes of one beat of a global port */
#define TMA_CAP_DATA_BYTES_LSB 0
#define TMA_CAP_DATA_BYTES_BITS 8
#define TMA_CAP_CTAS_WORD 0 /* CTAs of the cluster */
#define TMA_CAP_CTAS_LSB 8
#define TMA_CAP_CTAS_BITS 8
#define TMA_CAP_QUEUES_WORD 0 /* queues */
#define TMA_CAP_QUEUES_LSB 16
#define TMA_CAP_QUEUES_BITS 8
#define TMA_CAP_PORTS_WORD 0 /* global ports */
#define TMA_CAP_PORTS_LSB 24
#define TMA_CAP_PORTS_BITS 8
#define TMA_CAP_SMEM_BYTES_WORD 1 /* bytes of shared memory of one CTA */
#define TMA_CAP_SMEM_BYTES_LSB 0
#define TMA_CAP_SMEM_BYTES_BITS 32
#define TMA_CAP_WINDOWS_WORD 2 /* windows of global memory per queue */
#define TMA_CAP_WINDOWS_LSB 0
#define TMA_CAP_WINDOWS_BITS 8
#define TMA_CAP_READS_WORD 2 /* read bursts in flight per port */
#define TMA_CAP_READS_LSB 8
#define TMA_CAP_READS_BITS 16
#define TMA_CAP_MULTIMEM_WINDOWS_WORD 2 /* multimem windows */
#define TMA_CAP_MULTIMEM_WINDOWS_LSB 24
#define TMA_CAP_MULTIMEM_WINDOWS_BITS 8
#define TMA_CAP_RING_WORD 3 /* ring front end built */
#define TMA_CAP_RING_LSB 0
#define TMA_CAP_RING_BITS 1
#define TMA_CAP_TENSOR_WORD 3 /* tensor copies built */
#define TMA_CAP_TENSOR_LSB 1
#define TMA_CAP_TENSOR_BITS 1
#define TMA_CAP_REDUCE_WORD 3 /* reductions built */
#define TMA_CAP_REDUCE_LSB 2
#define TMA_CAP_REDUCE_BITS 1
#define TMA_CAP_F64_WORD 3 /* f64 reductions built */
#define TMA_CAP_F64_LSB 3
#define TMA_CAP_F64_BITS 1
#define TMA_CAP_MULTIMEM_WORD 3 /* multimem copies built */
#define TMA_CAP_MULTIMEM_LSB 4
#define TMA_CAP_MULTIMEM_BITS 1
#define TMA_CAP_CP_ASYNC_WORD 3 /* cp.async built */
#define TMA_CAP_CP_ASYNC_LSB 5
#define TMA_CAP_CP_ASYNC_BITS 1
#define TMA_CAP_PACKED_WORD 3 /* padded 4- and 6-bit types built: loads, stores of 6 bits */
#define TMA_CAP_PACKED_LSB 6
#define TMA_CAP_PACKED_BITS 1
#define TMA_CAP_FLOATS_WORD 3 /* reductions of f16, bf16 and f32 built */
#define TMA_CAP_FLOATS_LSB 7
#define TMA_CAP_FLOATS_BITS 1
#define TMA_CAP_MAPS_WORD 3 /* tensor maps kept decoded */
#define TMA_CAP_MAPS_LSB 8
#define TMA_CAP_MAPS_BITS 8
/* A capability out of the words CAP0.., e.g. TMA_CAP_GET(words, QUEUES). */
#define TMA_CAP_GET(words, name) \
	((uint32_t)(((words)[TMA_CAP_##name##_WORD] >> TMA_CAP_##name##_LSB) & \
		    ((UINT64_C(1) << TMA_CAP_##name##_BITS) - 1)))

#ifdef __cplusplus
}
#endif

#endif
