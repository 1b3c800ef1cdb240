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

#define TMA_ABI_MAJOR 1u
#define TMA_ABI_MINOR 1u
#define TMA_COMMAND_VERSION 1u
#define TMA_COMMAND_BYTES 64u
#define TMA_RECORD_BYTES 32u

enum tma_opcode {
	TMA_BULK_LOAD = 0x10,
	TMA_BULK_STORE = 0x11,
	TMA_BULK_SHARED = 0x12,
	TMA_BULK_PREFETCH = 0x13,
	TMA_MULTIMEM_BULK_STORE = 0x14,
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

/* One command. Bytes that it does not use must be zero. */
struct tma_command {
	uint8_t  opcode; /* instruction, see the command table */
	uint8_t  version; /* command_version */
	/* cp.async: L2 prefetch size, 0 none, 1 64B, 2 128B, 3 256B; tensor traversal mode */
	uint8_t  mode;
	uint8_t  dim; /* tensor rank of the instruction */
	uint8_t  op; /* reduction operator */
	uint8_t  type; /* reduction element type */
	uint16_t flags; /* modifiers, see the flag table */
	/* global operand; state form of a wait, pending_count: the state token */
	uint64_t global_address;
	union {
		int32_t  coord[5]; /* tensor coordinates, fastest dimension first */
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
	uint32_t shared_dst; /* shared destination, CTA rank << 24 | offset */
	uint32_t barrier; /* mbarrier, CTA rank << 24 | offset */
	uint16_t im2col[3]; /* im2col offsets */
	uint16_t cta_mask; /* multicast: bit r names CTA r */
	uint32_t tag; /* software's own, copied into the record */
	/* cache policy: bits 63:60 to AxQOS, 59:56 to AxUSER[3:0]; never changes a result */
	uint64_t policy;
};
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
/* A capability out of the words CAP0.., e.g. TMA_CAP_GET(words, QUEUES). */
#define TMA_CAP_GET(words, name) \
	((uint32_t)(((words)[TMA_CAP_##name##_WORD] >> TMA_CAP_##name##_LSB) & \
		    ((UINT64_C(1) << TMA_CAP_##name##_BITS) - 1)))

/* Commands by opcode; the table's last entry is for every other opcode. */
struct tma_opcode_info {
	uint8_t     opcode;
	uint8_t     answers; /* writes a record without TMA_FLAG_RECORD */
	uint16_t    flags;   /* flags that it may set */
	uint64_t    bytes;   /* bit i: byte i of the command is used without any flag */
	const char *name;
	const char *ptx;
};

static inline const struct tma_opcode_info *tma_opcode_info(uint8_t opcode)
{
	static const struct tma_opcode_info opcodes[] = {
		{ TMA_BULK_LOAD, 0, 0x0035, UINT64_C(0x00F00FF000F0FF03),
		  "BULK_LOAD",
		  "cp.async.bulk.{shared::cta|shared::cluster}.global.mbarrier::complete_tx::bytes[.multicast::cluster]" },
		{ TMA_BULK_STORE, 0, 0x0019, UINT64_C(0x00F0000000FFFF03),
		  "BULK_STORE", "cp.async.bulk.global.shared::cta.bulk_group[.cp_mask]" },
		{ TMA_BULK_SHARED, 0, 0x0001, UINT64_C(0x00F00FF000FF0003),
		  "BULK_SHARED",
		  "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes" },
		{ TMA_BULK_PREFETCH, 0, 0x0011, UINT64_C(0x00F0000000F0FF03),
		  "BULK_PREFETCH", "cp.async.bulk.prefetch.L2.global" },
		{ TMA_MULTIMEM_BULK_STORE, 0, 0x0009, UINT64_C(0x00F0000000FFFF03),
		  "MULTIMEM_BULK_STORE",
		  "multimem.cp.async.bulk.global.shared::cta.bulk_group[.cp_mask]" },
		{ TMA_CP_ASYNC, 0, 0x3811, UINT64_C(0x00F000F000F0FF07),
		  "CP_ASYNC",
		  "cp.async.{ca|cg}.shared::cta.global[.L2::cache_hint][.L2::{64B|128B|256B}]" },
		{ TMA_CP_ASYNC_COMMIT_GROUP, 0, 0x0001, UINT64_C(0x00F0000000000003),
		  "CP_ASYNC_COMMIT_GROUP", "cp.async.commit_group" },
		{ TMA_CP_ASYNC_WAIT_GROUP, 0, 0x0001, UINT64_C(0x00F00000F0000003),
		  "CP_ASYNC_WAIT_GROUP", "cp.async.wait_group N" },
		{ TMA_CP_ASYNC_WAIT_ALL, 0, 0x0001, UINT64_C(0x00F0000000000003),
		  "CP_ASYNC_WAIT_ALL", "cp.async.wait_all" },
		{ TMA_CP_ASYNC_MBARRIER_ARRIVE, 0, 0x4001, UINT64_C(0x00F00F0000000003),
		  "CP_ASYNC_MBARRIER_ARRIVE", "cp.async.mbarrier.arrive[.noinc]" },
		{ TMA_BULK_COMMIT_GROUP, 0, 0x0001, UINT64_C(0x00F0000000000003),
		  "BULK_COMMIT_GROUP", "cp.async.bulk.commit_group" },
		{ TMA_BULK_WAIT_GROUP, 0, 0x0041, UINT64_C(0x00F00000F0000003),
		  "BULK_WAIT_GROUP", "cp.async.bulk.wait_group[.read] N" },
		{ TMA_MBARRIER_INIT, 0, 0x0001, UINT64_C(0x00F00F00F0000003),
		  "MBARRIER_INIT", "mbarrier.init" },
		{ TMA_MBARRIER_INVAL, 0, 0x0001, UINT64_C(0x00F00F0000000003),
		  "MBARRIER_INVAL", "mbarrier.inval" },
		{ TMA_MBARRIER_EXPECT_TX, 0, 0x0001, UINT64_C(0x00F00F0F00000003),
		  "MBARRIER_EXPECT_TX", "mbarrier.expect_tx" },
		{ TMA_MBARRIER_COMPLETE_TX, 0, 0x0001, UINT64_C(0x00F00F0F00000003),
		  "MBARRIER_COMPLETE_TX", "mbarrier.complete_tx" },
		{ TMA_MBARRIER_ARRIVE, 0, 0x0701, UINT64_C(0x00F00F00F0000003),
		  "MBARRIER_ARRIVE", "mbarrier.{arrive|arrive_drop}[.expect_tx|.noComplete]" },
		{ TMA_MBARRIER_PENDING_COUNT, 1, 0x0003, UINT64_C(0x00F000000000FF03),
		  "MBARRIER_PENDING_COUNT", "mbarrier.pending_count" },
		{ TMA_MBARRIER_TEST_WAIT, 1, 0x0083, UINT64_C(0x00F00F000000FF03),
		  "MBARRIER_TEST_WAIT", "mbarrier.test_wait[.parity]" },
		{ TMA_MBARRIER_TRY_WAIT, 1, 0x0083, UINT64_C(0x00F00F0F0000FF03),
		  "MBARRIER_TRY_WAIT", "mbarrier.try_wait[.parity]" },
		{ TMA_SIGNAL, 1, 0x0001, UINT64_C(0x00F0000000000003),
		  "SIGNAL", "none: an engine command" },
		{ TMA_CANCEL, 0, 0x0001, UINT64_C(0x00F00000F0000003),
		  "CANCEL", "none: an engine command" },
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

/** PTX instruction of a command, or NULL: there is no such command. */
static inline const char *tma_opcode_ptx(uint8_t opcode)
{
	return tma_opcode_info(opcode)->ptx;
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
 * @param used  set to the mask, byte for byte
 */
static inline void tma_command_used_bits(const struct tma_command *command, uint8_t used[64])
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
	const struct tma_opcode_info *info = tma_opcode_info(command->opcode);
	uint16_t set = (uint16_t)(command->flags & info->flags);
	uint64_t bytes = info->bytes;
	unsigned int i;

	for (i = 0; i < sizeof(effects) / sizeof(effects[0]); i++)
		if (set & effects[i].flag)
			bytes |= effects[i].uses;
	for (i = 0; i < sizeof(effects) / sizeof(effects[0]); i++)
		if (set & effects[i].flag)
			bytes &= ~effects[i].frees;
	for (i = 0; i < 64; i++)
		used[i] = (bytes >> i & 1) ? 0xFF : 0;
	used[6] = (uint8_t)(info->flags & 0xFF);
	used[7] = (uint8_t)(info->flags >> 8);
}

/* What a fault means. `field`: operand at fault; `where`: decode, sync, guard, bus or signal. */
struct tma_fault_info {
	uint16_t    code;
	const char *name, *field, *where, *rule, *reference;
};

/** The fault of @p code, or NULL: there is no such fault. */
static inline const struct tma_fault_info *tma_fault_info(uint16_t code)
{
	static const struct tma_fault_info faults[] = {
		{ TMA_FAULT_RING_OVERRUN, "RING_OVERRUN", "ring", "ring",
		  "TAIL - HEAD must be at most the size of the ring", "architecture, Faults" },
		{ TMA_FAULT_COMMAND_WINDOW, "COMMAND_WINDOW", "ring", "ring",
		  "a command must lie in a window of the queue that allows reads",
		  "architecture, Faults" },
		{ TMA_FAULT_COMMAND_SLVERR, "COMMAND_SLVERR", "ring", "ring",
		  "the fetch of a command answered SLVERR", "architecture, Faults" },
		{ TMA_FAULT_COMMAND_DECERR, "COMMAND_DECERR", "ring", "ring",
		  "the fetch of a command answered DECERR", "architecture, Faults" },
		{ TMA_FAULT_UNKNOWN_VERSION, "UNKNOWN_VERSION", "version", "decode",
		  "the command version must be 1", "architecture, Faults" },
		{ TMA_FAULT_UNKNOWN_OPCODE, "UNKNOWN_OPCODE", "opcode", "decode",
		  "the opcode must name a command that this build has", "architecture, Faults" },
		{ TMA_FAULT_RESERVED_BITS, "RESERVED_BITS", "command", "decode",
		  "bits that the command does not use must be zero", "architecture, Faults" },
		{ TMA_FAULT_FLAG_CONFLICT, "FLAG_CONFLICT", "flags", "decode",
		  "flags must not exclude each other: MULTICAST with CTA_LOCAL, PARITY with LAST_STATE, EXPECT_TX with NO_COMPLETE, SRC_SIZE with IGNORE_SRC",
		  "architecture, Faults" },
		{ TMA_FAULT_SIZE_GRANULE, "SIZE_GRANULE", "size", "decode",
		  "the size must be a multiple of 16 bytes", "F04" },
		{ TMA_FAULT_SIZE_RANGE, "SIZE_RANGE", "size", "decode",
		  "the size must be below 2^20 bytes", "semantics 6" },
		{ TMA_FAULT_COUNT_RANGE, "COUNT_RANGE", "count", "decode",
		  "an mbarrier count must be 1 to 2^20-1, and 1 with EXPECT_TX", "F10" },
		{ TMA_FAULT_TX_RANGE, "TX_RANGE", "tx", "decode",
		  "a tx operand must be at most 2^20-1 bytes", "F10" },
		{ TMA_FAULT_PARITY_RANGE, "PARITY_RANGE", "count", "decode",
		  "a parity must be 0 or 1", "semantics 6" },
		{ TMA_FAULT_CP_SIZE, "CP_SIZE", "size", "decode",
		  "a cp-size must be 4, 8 or 16, and 16 with CG", "semantics 1.1" },
		{ TMA_FAULT_SRC_SIZE_RANGE, "SRC_SIZE_RANGE", "count", "decode",
		  "a src-size must be at most the cp-size", "semantics 1.1" },
		{ TMA_FAULT_PREFETCH_SIZE_RANGE, "PREFETCH_SIZE_RANGE", "mode", "decode",
		  "an L2 prefetch size must be 0 to 3", "semantics 1.1" },
		{ TMA_FAULT_GLOBAL_MISALIGNED, "GLOBAL_MISALIGNED", "global_address", "decode",
		  "a global address must be a multiple of 16, for cp.async of its cp-size",
		  "F05" },
		{ TMA_FAULT_SRC_MISALIGNED, "SRC_MISALIGNED", "shared_src", "decode",
		  "a bulk shared source must be a multiple of 16", "F05 F23" },
		{ TMA_FAULT_DST_MISALIGNED, "DST_MISALIGNED", "shared_dst", "decode",
		  "a shared destination must be a multiple of 16, for cp.async of its cp-size",
		  "F05 F23" },
		{ TMA_FAULT_BARRIER_MISALIGNED, "BARRIER_MISALIGNED", "barrier", "decode",
		  "an mbarrier must be a multiple of 8", "F09" },
		{ TMA_FAULT_SRC_CTA, "SRC_CTA", "shared_src", "decode",
		  "a shared source must lie in the executing CTA", "F06" },
		{ TMA_FAULT_DST_CTA, "DST_CTA", "shared_dst", "decode",
		  "a shared destination must lie in a CTA of the cluster", "F06" },
		{ TMA_FAULT_DST_NOT_LOCAL, "DST_NOT_LOCAL", "shared_dst", "decode",
		  "a .shared::cta destination, and that of cp.async, must lie in the executing CTA",
		  "F07" },
		{ TMA_FAULT_DST_LOCAL, "DST_LOCAL", "shared_dst", "decode",
		  "the destination of a shared::cta to shared::cluster copy must lie in another CTA",
		  "F08" },
		{ TMA_FAULT_MASK_CTA, "MASK_CTA", "cta_mask", "decode",
		  "a multicast mask must name CTAs of the cluster alone", "F26 M23" },
		{ TMA_FAULT_BARRIER_CTA, "BARRIER_CTA", "barrier", "decode",
		  "a barrier must lie in a CTA of the cluster, that of a copy without multicast in its destination's CTA",
		  "F09" },
		{ TMA_FAULT_BARRIER_NOT_LOCAL, "BARRIER_NOT_LOCAL", "barrier", "decode",
		  "init, inval, test_wait, try_wait and cp.async.mbarrier.arrive work on a barrier of the executing CTA",
		  "semantics 1.17" },
		{ TMA_FAULT_CTA_DENIED, "CTA_DENIED", "shared address", "decode",
		  "every CTA that the command touches must be in the queue's CTA mask",
		  "architecture, Faults" },
		{ TMA_FAULT_SRC_RANGE, "SRC_RANGE", "shared_src", "decode",
		  "source + size must stay inside the CTA's shared memory", "F06" },
		{ TMA_FAULT_DST_RANGE, "DST_RANGE", "shared_dst", "decode",
		  "destination + size must stay inside the CTA's shared memory", "F06" },
		{ TMA_FAULT_BARRIER_RANGE, "BARRIER_RANGE", "barrier", "decode",
		  "a barrier must lie inside the CTA's shared memory", "F06 F09" },
		{ TMA_FAULT_CANCEL_DENIED, "CANCEL_DENIED", "count", "decode",
		  "a cancel must name a queue of the queue's cancel mask", "architecture, Faults" },
		{ TMA_FAULT_NO_STATE, "NO_STATE", "flags", "sync",
		  "LAST_STATE needs an earlier arrive of the queue", "architecture, Faults" },
		{ TMA_FAULT_BARRIER_DEAD, "BARRIER_DEAD", "barrier", "sync",
		  "the barrier must be initialised", "F09 F11" },
		{ TMA_FAULT_PENDING_UNDERFLOW, "PENDING_UNDERFLOW", "count", "sync",
		  "an arrive must not exceed the pending count", "F10" },
		{ TMA_FAULT_TX_COUNT_RANGE, "TX_COUNT_RANGE", "tx", "sync",
		  "the tx-count must stay within -(2^20-1) and 2^20-1", "F10" },
		{ TMA_FAULT_NO_COMPLETE_COMPLETES, "NO_COMPLETE_COMPLETES", "count", "sync",
		  "arrive.noComplete must not complete the phase", "F10" },
		{ TMA_FAULT_EXPECTED_UNDERFLOW, "EXPECTED_UNDERFLOW", "count", "sync",
		  "arrive_drop must not exceed the expected count", "F10" },
		{ TMA_FAULT_PENDING_OVERFLOW, "PENDING_OVERFLOW", "barrier", "sync",
		  "cp.async.mbarrier.arrive must keep the pending count at most 2^20-1",
		  "F10" },
		{ TMA_FAULT_CANCELLED, "CANCELLED", "command", "sync",
		  "a wait must not be cancelled", "architecture, Faults" },
		{ TMA_FAULT_WINDOW_READ, "WINDOW_READ", "global_address", "guard",
		  "every byte read must lie in a window of the queue that allows reads",
		  "F06" },
		{ TMA_FAULT_WINDOW_WRITE, "WINDOW_WRITE", "global_address", "guard",
		  "every byte written must lie in a window of the queue that allows writes",
		  "F06" },
		{ TMA_FAULT_WINDOW_MULTIMEM, "WINDOW_MULTIMEM", "global_address", "guard",
		  "every byte of a multimem copy must lie in a window of the queue that allows multimem copies",
		  "F06" },
		{ TMA_FAULT_MULTIMEM_UNMAPPED, "MULTIMEM_UNMAPPED", "global_address", "guard",
		  "every byte of a multimem copy must lie in a multimem window", "semantics 1.19" },
		{ TMA_FAULT_READ_SLVERR, "READ_SLVERR", "global_address", "bus",
		  "a read answered SLVERR", "architecture, Faults" },
		{ TMA_FAULT_READ_DECERR, "READ_DECERR", "global_address", "bus",
		  "a read answered DECERR", "architecture, Faults" },
		{ TMA_FAULT_WRITE_SLVERR, "WRITE_SLVERR", "global_address", "bus",
		  "a write answered SLVERR", "architecture, Faults" },
		{ TMA_FAULT_WRITE_DECERR, "WRITE_DECERR", "global_address", "bus",
		  "a write answered DECERR", "architecture, Faults" },
		{ TMA_FAULT_PORT_DEAD, "PORT_DEAD", "global_address", "bus",
		  "a port that is used must make progress within WATCHDOG cycles",
		  "architecture, Faults" },
		{ TMA_FAULT_COMPLETION_WINDOW, "COMPLETION_WINDOW", "ring", "completion",
		  "a completion ring must lie in a window of the queue that allows writes",
		  "architecture, Faults" },
		{ TMA_FAULT_COMPLETION_SLVERR, "COMPLETION_SLVERR", "ring", "completion",
		  "the write of a record answered SLVERR", "architecture, Faults" },
		{ TMA_FAULT_COMPLETION_DECERR, "COMPLETION_DECERR", "ring", "completion",
		  "the write of a record answered DECERR", "architecture, Faults" },
		{ TMA_FAULT_SIGNAL_BARRIER_DEAD, "SIGNAL_BARRIER_DEAD", "barrier", "signal",
		  "the barrier of a copy must still be alive when the copy signals it",
		  "F11" },
		{ TMA_FAULT_SIGNAL_TX_COUNT_RANGE, "SIGNAL_TX_COUNT_RANGE", "barrier", "signal",
		  "the signal of a copy must keep the tx-count within -(2^20-1) and 2^20-1",
		  "F10" },
		{ TMA_FAULT_SIGNAL_PENDING_UNDERFLOW, "SIGNAL_PENDING_UNDERFLOW", "barrier", "signal",
		  "the arrive of finished cp.async must not exceed the pending count",
		  "F10" }
	};
	unsigned int i;

	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (faults[i].code == code)
			return &faults[i];
	return NULL;
}

/** Name of a record kind, or NULL: there is no such kind. */
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

#endif
