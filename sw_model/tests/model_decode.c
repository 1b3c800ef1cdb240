/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_decode - every rule that a command keeps or breaks by itself, at its exact boundary.
 *
 * Spec: rtl/spec/tma.toml, faults 0x10 to 0x3A; semantics 1.4, 1.17, 4.3
 * Checks: the last legal value runs, the first illegal one is the fault of that rule with the value
 *         of the field as its address, and moves nothing at all.
 */
#include "model_cases.h"

#define NONE TMA_FAULT_NONE

struct decode_case {
	const char *name;
	base_command base;
	struct edit edits[MAX_EDITS];
	uint16_t fault;
	uint64_t address;
	uint8_t queue;
};

/* clang-format off */
static const struct decode_case header_cases[] = {
	{ "version 1", base_signal, { SET(version, 1) }, NONE, 0, 0 },
	{ "version 0", base_signal, { SET(version, 0) }, TMA_FAULT_UNKNOWN_VERSION, HEADER, 0 },
	{ "version 2", base_signal, { SET(version, 2) }, TMA_FAULT_UNKNOWN_VERSION, HEADER, 0 },
	{ "version 255", base_load, { SET(version, 255) }, TMA_FAULT_UNKNOWN_VERSION, HEADER, 0 },
	{ "version 0, every other byte of the header in the report", base_signal,
	  { SET(version, 0), { 2, 6, UINT64_C(0x665544332211) } }, TMA_FAULT_UNKNOWN_VERSION, HEADER, 0 },
	{ "opcode 0", base_signal, { SET(opcode, 0) }, TMA_FAULT_UNKNOWN_OPCODE, HEADER, 0 },
	{ "opcode 0x62", base_signal, { SET(opcode, 0x62) }, TMA_FAULT_UNKNOWN_OPCODE, HEADER, 0 },
	{ "MULTICAST with CTA_LOCAL", base_load, { SET(flags, TMA_FLAG_MULTICAST | TMA_FLAG_CTA_LOCAL) },
	  TMA_FAULT_FLAG_CONFLICT, HEADER, 0 },
	{ "PARITY with LAST_STATE, test_wait", base_test_state,
	  { SET(flags, TMA_FLAG_PARITY | TMA_FLAG_LAST_STATE) }, TMA_FAULT_FLAG_CONFLICT, HEADER, 0 },
	{ "PARITY with LAST_STATE, try_wait", base_try_state,
	  { SET(flags, TMA_FLAG_PARITY | TMA_FLAG_LAST_STATE) }, TMA_FAULT_FLAG_CONFLICT, HEADER, 0 },
	{ "EXPECT_TX with NO_COMPLETE", base_arrive, { SET(flags, TMA_FLAG_EXPECT_TX | TMA_FLAG_NO_COMPLETE) },
	  TMA_FAULT_FLAG_CONFLICT, HEADER, 0 },
	{ "DROP with EXPECT_TX", base_arrive, { SET(flags, TMA_FLAG_DROP | TMA_FLAG_EXPECT_TX) }, NONE, 0, 0 },
	{ "every flag of a load but CTA_LOCAL", base_multicast,
	  { SET(flags, TMA_FLAG_RECORD | TMA_FLAG_MULTICAST | TMA_FLAG_CACHE_HINT),
	    SET(policy, UINT64_MAX) }, NONE, 0, 0 },
	{ "the state is zero with PARITY", base_test_parity, { SET(global_address, 1) },
	  TMA_FAULT_RESERVED_BITS, HEADER, 0 },
	{ "the state is zero with LAST_STATE", base_test_state,
	  { SET(flags, TMA_FLAG_LAST_STATE), SET(global_address, 1) }, TMA_FAULT_RESERVED_BITS, HEADER, 0 },
	{ "a count without PARITY", base_try_state, { SET(count, 1) }, TMA_FAULT_RESERVED_BITS, HEADER, 0 },
	{ "a CTA mask without MULTICAST", base_load, { SET(cta_mask, 1) }, TMA_FAULT_RESERVED_BITS, HEADER, 0 },
	{ "a policy without CACHE_HINT", base_store, { SET(policy, 1) }, TMA_FAULT_RESERVED_BITS, HEADER, 0 },
	{ "a byte mask without CP_MASK", base_store, { SET(byte_mask, 1) }, TMA_FAULT_RESERVED_BITS, HEADER, 0 },
	{ "a tx without EXPECT_TX", base_arrive, { SET(tx, 1) }, TMA_FAULT_RESERVED_BITS, HEADER, 0 },
	{ "CP_MASK on a load", base_load, { SET(flags, TMA_FLAG_CP_MASK) }, TMA_FAULT_RESERVED_BITS, HEADER, 0 },
	{ "CACHE_HINT on a CTA to CTA copy", base_shared, { SET(flags, TMA_FLAG_CACHE_HINT) },
	  TMA_FAULT_RESERVED_BITS, HEADER, 0 },
};

static const struct decode_case operand_cases[] = {
	{ "size 0", base_load, { SET(size, 0) }, NONE, 0, 0 },
	{ "size 1", base_load, { SET(size, 1) }, TMA_FAULT_SIZE_GRANULE, 1, 0 },
	{ "size 15", base_store, { SET(size, 15) }, TMA_FAULT_SIZE_GRANULE, 15, 0 },
	{ "size 16", base_shared, { SET(size, 16) }, NONE, 0, 0 },
	{ "size 17", base_shared, { SET(size, 17) }, TMA_FAULT_SIZE_GRANULE, 17, 0 },
	{ "size 24", base_prefetch, { SET(size, 24) }, TMA_FAULT_SIZE_GRANULE, 24, 0 },
	{ "size 2^20-16 is not the size rule's", base_load, { SET(size, 0xffff0) },
	  TMA_FAULT_DST_RANGE, AT(0, DST), 0 },
	{ "size 2^20", base_load, { SET(size, 0x100000) }, TMA_FAULT_SIZE_RANGE, 0x100000, 0 },
	{ "size 2^20, store", base_store, { SET(size, 0x100000) }, TMA_FAULT_SIZE_RANGE, 0x100000, 0 },
	{ "size 2^20, CTA to CTA", base_shared, { SET(size, 0x100000) }, TMA_FAULT_SIZE_RANGE, 0x100000, 0 },
	{ "size 2^20, prefetch", base_prefetch, { SET(size, 0x100000) }, NONE, 0, 0 },
	{ "size 2^32-16, prefetch", base_prefetch, { SET(size, 0xfffffff0) }, NONE, 0, 0 },
	{ "size 2^32-1, prefetch", base_prefetch, { SET(size, 0xffffffff) }, TMA_FAULT_SIZE_GRANULE, 0xffffffff, 0 },
	{ "size 2^32-16", base_load, { SET(size, 0xfffffff0) }, TMA_FAULT_SIZE_RANGE, 0xfffffff0, 0 },
	{ "init count 0", base_init, { SET(count, 0) }, TMA_FAULT_COUNT_RANGE, 0, 0 },
	{ "init count 1", base_init, { SET(count, 1) }, NONE, 0, 0 },
	{ "init count 2^20-1", base_init, { SET(count, 0xfffff) }, NONE, 0, 0 },
	{ "init count 2^20", base_init, { SET(count, 0x100000) }, TMA_FAULT_COUNT_RANGE, 0x100000, 0 },
	{ "init count 2^32-1", base_init, { SET(count, 0xffffffff) }, TMA_FAULT_COUNT_RANGE, 0xffffffff, 0 },
	{ "arrive count 0", base_arrive, { SET(count, 0) }, TMA_FAULT_COUNT_RANGE, 0, 0 },
	{ "arrive count 2^20-1 is not the count rule's", base_arrive, { SET(count, 0xfffff) },
	  TMA_FAULT_PENDING_UNDERFLOW, AT(0, BAR), 0 },
	{ "arrive count 2^20", base_arrive, { SET(count, 0x100000) }, TMA_FAULT_COUNT_RANGE, 0x100000, 0 },
	{ "arrive.expect_tx count 0", base_arrive_expect_tx, { SET(count, 0) }, TMA_FAULT_COUNT_RANGE, 0, 0 },
	{ "arrive.expect_tx count 1", base_arrive_expect_tx, { SET(count, 1) }, NONE, 0, 0 },
	{ "arrive.expect_tx count 2", base_arrive_expect_tx, { SET(count, 2) }, TMA_FAULT_COUNT_RANGE, 2, 0 },
	{ "wait_group N 2^32-1", base_wait_group, { SET(count, 0xffffffff) }, NONE, 0, 0 },
	{ "expect_tx 2^20-1", base_expect_tx, { SET(tx, 0xfffff) }, NONE, 0, 0 },
	{ "expect_tx 2^20", base_expect_tx, { SET(tx, 0x100000) }, TMA_FAULT_TX_RANGE, 0x100000, 0 },
	{ "complete_tx 2^20-1", base_complete_tx, { SET(tx, 0xfffff) }, NONE, 0, 0 },
	{ "complete_tx 2^20", base_complete_tx, { SET(tx, 0x100000) }, TMA_FAULT_TX_RANGE, 0x100000, 0 },
	{ "arrive.expect_tx 2^20-1", base_arrive_expect_tx, { SET(tx, 0xfffff) }, NONE, 0, 0 },
	{ "arrive.expect_tx 2^20", base_arrive_expect_tx, { SET(tx, 0x100000) },
	  TMA_FAULT_TX_RANGE, 0x100000, 0 },
	{ "try_wait limit 2^20", base_try_parity, { SET(tx, 0x100000) }, NONE, 0, 0 },
	{ "parity 1", base_test_parity, { SET(count, 1) }, NONE, 0, 0 },
	{ "parity 2, test_wait", base_test_parity, { SET(count, 2) }, TMA_FAULT_PARITY_RANGE, 2, 0 },
	{ "parity 2^32-1, try_wait", base_try_parity, { SET(count, 0xffffffff) },
	  TMA_FAULT_PARITY_RANGE, 0xffffffff, 0 },
};

static const struct decode_case alignment_cases[] = {
	{ "global + 16", base_load, { SET(global_address, GLOBAL + 16) }, NONE, 0, 0 },
	{ "global + 8, load", base_load, { SET(global_address, GLOBAL + 8) },
	  TMA_FAULT_GLOBAL_MISALIGNED, GLOBAL + 8, 0 },
	{ "global + 1, store", base_store, { SET(global_address, GLOBAL + 1) },
	  TMA_FAULT_GLOBAL_MISALIGNED, GLOBAL + 1, 0 },
	{ "global + 15, prefetch of nothing", base_prefetch, { SET(global_address, GLOBAL + 15), SET(size, 0) },
	  TMA_FAULT_GLOBAL_MISALIGNED, GLOBAL + 15, 0 },
	{ "a state token has no alignment", base_pending_count, { SET(global_address, 3) }, NONE, 0, 0 },
	{ "source + 16", base_store, { SET(shared_src, AT(0, SRC + 16)) }, NONE, 0, 0 },
	{ "source + 8, store", base_store, { SET(shared_src, AT(0, SRC + 8)) },
	  TMA_FAULT_SRC_MISALIGNED, AT(0, SRC + 8), 0 },
	{ "source + 1, CTA to CTA", base_shared, { SET(shared_src, AT(0, SRC + 1)) },
	  TMA_FAULT_SRC_MISALIGNED, AT(0, SRC + 1), 0 },
	{ "destination + 16", base_load, { SET(shared_dst, AT(0, DST + 16)) }, NONE, 0, 0 },
	{ "destination + 8, load", base_load, { SET(shared_dst, AT(0, DST + 8)) },
	  TMA_FAULT_DST_MISALIGNED, AT(0, DST + 8), 0 },
	{ "destination + 15, multicast to nobody", base_multicast,
	  { SET(shared_dst, AT(0, DST + 15)), SET(cta_mask, 0) }, TMA_FAULT_DST_MISALIGNED, AT(0, DST + 15), 0 },
	{ "destination + 1, CTA to CTA", base_shared, { SET(shared_dst, AT(1, DST + 1)) },
	  TMA_FAULT_DST_MISALIGNED, AT(1, DST + 1), 0 },
	{ "barrier + 8 is not the alignment rule's", base_load, { SET(barrier, AT(0, BAR_DEAD)) },
	  TMA_FAULT_BARRIER_DEAD, AT(0, BAR_DEAD), 0 },
	{ "barrier + 4, load", base_load, { SET(barrier, AT(0, BAR + 4)) },
	  TMA_FAULT_BARRIER_MISALIGNED, AT(0, BAR + 4), 0 },
	{ "barrier + 1, CTA to CTA", base_shared, { SET(barrier, AT(1, BAR + 1)) },
	  TMA_FAULT_BARRIER_MISALIGNED, AT(1, BAR + 1), 0 },
	{ "barrier + 7, init", base_init, { SET(barrier, AT(0, BAR + 7)) },
	  TMA_FAULT_BARRIER_MISALIGNED, AT(0, BAR + 7), 0 },
	{ "barrier + 2, arrive", base_arrive, { SET(barrier, AT(0, BAR + 2)) },
	  TMA_FAULT_BARRIER_MISALIGNED, AT(0, BAR + 2), 0 },
};

static const struct decode_case cta_cases[] = {
	{ "source in another CTA, store", base_store, { SET(shared_src, AT(1, SRC)) },
	  TMA_FAULT_SRC_CTA, AT(1, SRC), 0 },
	{ "source in the executing CTA 1", base_store, { SET(shared_src, AT(1, SRC)) }, NONE, 0, 1 },
	{ "source in CTA 0 of CTA 1's queue", base_shared, { SET(shared_dst, AT(0, DST)), SET(barrier, AT(0, BAR)) },
	  TMA_FAULT_SRC_CTA, AT(0, SRC), 1 },
	{ "source rank 16", base_store, { SET(shared_src, AT(16, SRC)) }, TMA_FAULT_SRC_CTA, AT(16, SRC), 0 },
	{ "destination in the last CTA", base_load, { SET(shared_dst, AT(3, DST)), SET(barrier, AT(3, BAR)) },
	  NONE, 0, 0 },
	{ "destination one past the last CTA", base_load, { SET(shared_dst, AT(4, DST)) },
	  TMA_FAULT_DST_CTA, AT(4, DST), 0 },
	{ "destination rank 16, the rank is eight bits", base_load, { SET(shared_dst, AT(16, DST)) },
	  TMA_FAULT_DST_CTA, AT(16, DST), 0 },
	{ "destination rank 255, CTA to CTA", base_shared, { SET(shared_dst, AT(255, DST)) },
	  TMA_FAULT_DST_CTA, AT(255, DST), 0 },
	{ "destination one past the last CTA, multicast", base_multicast, { SET(shared_dst, AT(4, DST)) },
	  TMA_FAULT_DST_CTA, AT(4, DST), 0 },
	{ "shared::cta destination in the own CTA", base_load, { SET(flags, TMA_FLAG_CTA_LOCAL) }, NONE, 0, 0 },
	{ "shared::cta destination in another CTA", base_load,
	  { SET(flags, TMA_FLAG_CTA_LOCAL), SET(shared_dst, AT(1, DST)), SET(barrier, AT(1, BAR)) },
	  TMA_FAULT_DST_NOT_LOCAL, AT(1, DST), 0 },
	{ "CTA to CTA into the own CTA", base_shared,
	  { SET(shared_dst, AT(0, DST)), SET(barrier, AT(0, BAR)) }, TMA_FAULT_DST_LOCAL, AT(0, DST), 0 },
	{ "mask of every CTA", base_multicast, { SET(cta_mask, 0xf) }, NONE, 0, 0 },
	{ "mask one past the last CTA", base_multicast, { SET(cta_mask, 0x10) }, TMA_FAULT_MASK_CTA, 0x10, 0 },
	{ "mask bit 15", base_multicast, { SET(cta_mask, 0x8001) }, TMA_FAULT_MASK_CTA, 0x8001, 0 },
	{ "barrier beyond the cluster, arrive", base_arrive, { SET(barrier, AT(4, BAR)) },
	  TMA_FAULT_BARRIER_CTA, AT(4, BAR), 0 },
	{ "barrier in the last CTA, arrive", base_arrive, { SET(barrier, AT(3, BAR)) }, NONE, 0, 0 },
	{ "barrier in the last CTA, expect_tx", base_expect_tx, { SET(barrier, AT(3, BAR)) }, NONE, 0, 0 },
	{ "barrier in the last CTA, complete_tx", base_complete_tx, { SET(barrier, AT(3, BAR)) }, NONE, 0, 0 },
	{ "barrier rank 16, init", base_init, { SET(barrier, AT(16, BAR)) },
	  TMA_FAULT_BARRIER_CTA, AT(16, BAR), 0 },
	{ "load's barrier outside the destination's CTA", base_load, { SET(barrier, AT(1, BAR)) },
	  TMA_FAULT_BARRIER_CTA, AT(1, BAR), 0 },
	{ "CTA to CTA, barrier in the source's CTA", base_shared, { SET(barrier, AT(0, BAR)) },
	  TMA_FAULT_BARRIER_CTA, AT(0, BAR), 0 },
	{ "multicast's barrier may have another rank", base_multicast, { SET(barrier, AT(3, BAR)) }, NONE, 0, 0 },
	{ "multicast's barrier beyond the cluster", base_multicast, { SET(barrier, AT(4, BAR)) },
	  TMA_FAULT_BARRIER_CTA, AT(4, BAR), 0 },
	{ "init in another CTA", base_init, { SET(barrier, AT(1, BAR)) },
	  TMA_FAULT_BARRIER_NOT_LOCAL, AT(1, BAR), 0 },
	{ "inval in another CTA", base_inval, { SET(barrier, AT(1, BAR)) },
	  TMA_FAULT_BARRIER_NOT_LOCAL, AT(1, BAR), 0 },
	{ "test_wait in another CTA", base_test_parity, { SET(barrier, AT(1, BAR)) },
	  TMA_FAULT_BARRIER_NOT_LOCAL, AT(1, BAR), 0 },
	{ "try_wait in another CTA", base_try_state, { SET(barrier, AT(3, BAR)) },
	  TMA_FAULT_BARRIER_NOT_LOCAL, AT(3, BAR), 0 },
	{ "permitted remote destination", base_load, { SET(shared_dst, AT(1, DST)), SET(barrier, AT(1, BAR)) },
	  NONE, 0, 2 },
	{ "denied destination", base_load, { SET(shared_dst, AT(2, DST)), SET(barrier, AT(2, BAR)) },
	  TMA_FAULT_CTA_DENIED, 0x4, 2 },
	{ "denied CTAs of a mask", base_multicast, { SET(cta_mask, 0xf) }, TMA_FAULT_CTA_DENIED, 0xc, 2 },
	{ "a mask's ranks are those of the mask alone", base_multicast,
	  { SET(shared_dst, AT(2, DST)), SET(barrier, AT(3, BAR)) }, NONE, 0, 2 },
	{ "denied CTA of a zero-byte copy", base_shared,
	  { SET(shared_dst, AT(3, DST)), SET(barrier, AT(3, BAR)), SET(size, 0) }, TMA_FAULT_CTA_DENIED, 0x8, 2 },
	{ "denied barrier, arrive", base_arrive, { SET(barrier, AT(2, BAR)) }, TMA_FAULT_CTA_DENIED, 0x4, 2 },
	{ "denied barrier, complete_tx", base_complete_tx, { SET(barrier, AT(3, BAR)) },
	  TMA_FAULT_CTA_DENIED, 0x8, 2 },
};

static const struct decode_case range_cases[] = {
	{ "source ends with the memory", base_store, { SET(shared_src, AT(0, SMEM_BYTES - 64)) }, NONE, 0, 0 },
	{ "source ends 16 bytes late", base_store, { SET(shared_src, AT(0, SMEM_BYTES - 48)) },
	  TMA_FAULT_SRC_RANGE, AT(0, SMEM_BYTES - 48), 0 },
	{ "source of 0 bytes at the end", base_store, { SET(shared_src, AT(0, SMEM_BYTES)), SET(size, 0) },
	  NONE, 0, 0 },
	{ "source of 0 bytes past the end", base_store, { SET(shared_src, AT(0, SMEM_BYTES + 16)), SET(size, 0) },
	  TMA_FAULT_SRC_RANGE, AT(0, SMEM_BYTES + 16), 0 },
	{ "source at the largest offset, CTA to CTA", base_shared, { SET(shared_src, AT(0, 0xfffff0)) },
	  TMA_FAULT_SRC_RANGE, AT(0, 0xfffff0), 0 },
	{ "destination is all of the memory but the barrier", base_load,
	  { SET(shared_dst, AT(0, BAR + 16)), SET(size, SMEM_BYTES - BAR - 32) }, NONE, 0, 0 },
	{ "destination ends with the memory", base_load,
	  { SET(shared_dst, AT(0, SMEM_BYTES - 64)), SET(barrier, AT(0, BAR)) }, NONE, 0, 0 },
	{ "destination ends 16 bytes late", base_load, { SET(shared_dst, AT(0, SMEM_BYTES - 48)) },
	  TMA_FAULT_DST_RANGE, AT(0, SMEM_BYTES - 48), 0 },
	{ "destination of 0 bytes at the end", base_load, { SET(shared_dst, AT(0, SMEM_BYTES)), SET(size, 0) },
	  NONE, 0, 0 },
	{ "destination of 0 bytes past the end", base_shared,
	  { SET(shared_dst, AT(1, SMEM_BYTES + 16)), SET(size, 0) },
	  TMA_FAULT_DST_RANGE, AT(1, SMEM_BYTES + 16), 0 },
	{ "destination past the end, multicast to nobody", base_multicast,
	  { SET(shared_dst, AT(0, SMEM_BYTES)), SET(cta_mask, 0) }, TMA_FAULT_DST_RANGE, AT(0, SMEM_BYTES), 0 },
	{ "last barrier of the memory, load", base_load, { SET(barrier, AT(0, BAR_LAST)) }, NONE, 0, 0 },
	{ "last barrier of the memory, arrive", base_arrive, { SET(barrier, AT(0, BAR_LAST)) }, NONE, 0, 0 },
	{ "barrier one past the last, load", base_load, { SET(barrier, AT(0, SMEM_BYTES)) },
	  TMA_FAULT_BARRIER_RANGE, AT(0, SMEM_BYTES), 0 },
	{ "barrier one past the last, init", base_init, { SET(barrier, AT(0, SMEM_BYTES)) },
	  TMA_FAULT_BARRIER_RANGE, AT(0, SMEM_BYTES), 0 },
	{ "barrier at the largest offset, multicast to nobody", base_multicast,
	  { SET(barrier, AT(0, 0xfffff8)), SET(cta_mask, 0) }, TMA_FAULT_BARRIER_RANGE, AT(0, 0xfffff8), 0 },
};
static const struct decode_case protocol_cases[] = {
	{ "cp-size 4", base_cp_async, { SET(size, 4) }, NONE, 0, 0 },
	{ "cp-size 8", base_cp_async, { SET(size, 8) }, NONE, 0, 0 },
	{ "cp-size 16", base_cp_async, { SET(size, 16) }, NONE, 0, 0 },
	{ "cp-size 0", base_cp_async, { SET(size, 0) }, TMA_FAULT_CP_SIZE, 0, 0 },
	{ "cp-size 2", base_cp_async, { SET(size, 2) }, TMA_FAULT_CP_SIZE, 2, 0 },
	{ "cp-size 12", base_cp_async, { SET(size, 12) }, TMA_FAULT_CP_SIZE, 12, 0 },
	{ "cp-size 32", base_cp_async, { SET(size, 32) }, TMA_FAULT_CP_SIZE, 32, 0 },
	{ "cp-size 2^32 - 16", base_cp_async, { SET(size, 0xfffffff0) }, TMA_FAULT_CP_SIZE, 0xfffffff0, 0 },
	{ "cg of 16", base_cp_async, { SET(flags, TMA_FLAG_CG), SET(size, 16) }, NONE, 0, 0 },
	{ "cg of 8", base_cp_async, { SET(flags, TMA_FLAG_CG) }, TMA_FAULT_CP_SIZE, 8, 0 },
	{ "cg of 4", base_cp_async, { SET(flags, TMA_FLAG_CG), SET(size, 4) }, TMA_FAULT_CP_SIZE, 4, 0 },
	{ "src-size 0", base_cp_async, { SET(flags, TMA_FLAG_SRC_SIZE) }, NONE, 0, 0 },
	{ "src-size is the cp-size", base_cp_async, { SET(flags, TMA_FLAG_SRC_SIZE), SET(count, 8) }, NONE, 0, 0 },
	{ "src-size one above", base_cp_async, { SET(flags, TMA_FLAG_SRC_SIZE), SET(count, 9) },
	  TMA_FAULT_SRC_SIZE_RANGE, 9, 0 },
	{ "src-size 2^32 - 1", base_cp_async, { SET(flags, TMA_FLAG_SRC_SIZE), SET(count, 0xffffffff) },
	  TMA_FAULT_SRC_SIZE_RANGE, 0xffffffff, 0 },
	{ "a count without SRC_SIZE", base_cp_async, { SET(count, 1) }, TMA_FAULT_RESERVED_BITS, HEADER, 0 },
	{ "SRC_SIZE with IGNORE_SRC", base_cp_async, { SET(flags, TMA_FLAG_SRC_SIZE | TMA_FLAG_IGNORE_SRC) },
	  TMA_FAULT_FLAG_CONFLICT, HEADER, 0 },
	{ "largest prefetch size", base_cp_async, { SET(mode, 3) }, NONE, 0, 0 },
	{ "prefetch size one above", base_cp_async, { SET(mode, 4) }, TMA_FAULT_PREFETCH_SIZE_RANGE, 4, 0 },
	{ "prefetch size 255", base_cp_async, { SET(mode, 255) }, TMA_FAULT_PREFETCH_SIZE_RANGE, 255, 0 },
	{ "4 bytes from 4", base_cp_async, { SET(size, 4), SET(global_address, GLOBAL + 4) }, NONE, 0, 0 },
	{ "4 bytes from 2", base_cp_async, { SET(size, 4), SET(global_address, GLOBAL + 2) },
	  TMA_FAULT_GLOBAL_MISALIGNED, GLOBAL + 2, 0 },
	{ "8 bytes from 4", base_cp_async, { SET(global_address, GLOBAL + 4) },
	  TMA_FAULT_GLOBAL_MISALIGNED, GLOBAL + 4, 0 },
	{ "16 bytes from 8", base_cp_async, { SET(size, 16), SET(global_address, GLOBAL + 8) },
	  TMA_FAULT_GLOBAL_MISALIGNED, GLOBAL + 8, 0 },
	{ "misaligned, though nothing is read", base_cp_async,
	  { SET(flags, TMA_FLAG_IGNORE_SRC), SET(global_address, 4) }, TMA_FAULT_GLOBAL_MISALIGNED, 4, 0 },
	{ "4 bytes to 4", base_cp_async, { SET(size, 4), SET(shared_dst, DST + 4) }, NONE, 0, 0 },
	{ "8 bytes to 4", base_cp_async, { SET(shared_dst, DST + 4) }, TMA_FAULT_DST_MISALIGNED, DST + 4, 0 },
	{ "16 bytes to 8", base_cp_async, { SET(size, 16), SET(shared_dst, DST + 8) },
	  TMA_FAULT_DST_MISALIGNED, DST + 8, 0 },
	{ "to a CTA that does not exist", base_cp_async, { SET(shared_dst, AT(4, DST)) },
	  TMA_FAULT_DST_CTA, AT(4, DST), 0 },
	{ "to another CTA", base_cp_async, { SET(shared_dst, AT(1, DST)) },
	  TMA_FAULT_DST_NOT_LOCAL, AT(1, DST), 0 },
	{ "the last bytes of the memory", base_cp_async, { SET(shared_dst, SMEM_BYTES - 8) }, NONE, 0, 0 },
	{ "behind the memory", base_cp_async, { SET(shared_dst, SMEM_BYTES) },
	  TMA_FAULT_DST_RANGE, SMEM_BYTES, 0 },
	{ "arrive in another CTA", base_cp_arrive, { SET(barrier, AT(1, BAR)) },
	  TMA_FAULT_BARRIER_NOT_LOCAL, AT(1, BAR), 0 },
	{ "arrive beyond the cluster", base_cp_arrive, { SET(barrier, AT(4, BAR)) },
	  TMA_FAULT_BARRIER_CTA, AT(4, BAR), 0 },
	{ "arrive, misaligned", base_cp_arrive, { SET(barrier, BAR + 4) },
	  TMA_FAULT_BARRIER_MISALIGNED, BAR + 4, 0 },
	{ "arrive behind the memory", base_cp_arrive, { SET(barrier, SMEM_BYTES) },
	  TMA_FAULT_BARRIER_RANGE, SMEM_BYTES, 0 },
	{ "arrive on a dead barrier", base_cp_arrive, { SET(barrier, BAR_DEAD) },
	  TMA_FAULT_BARRIER_DEAD, BAR_DEAD, 0 },
	{ "multimem store of half a granule", base_multimem, { SET(size, 8) }, TMA_FAULT_SIZE_GRANULE, 8, 0 },
	{ "multimem store from another CTA", base_multimem, { SET(shared_src, AT(1, SRC)) },
	  TMA_FAULT_SRC_CTA, AT(1, SRC), 0 },
	{ "multimem store, misaligned", base_multimem, { SET(global_address, GLOBAL + 8) },
	  TMA_FAULT_GLOBAL_MISALIGNED, GLOBAL + 8, 0 },
	{ "multimem store with a cache hint", base_multimem, { SET(flags, TMA_FLAG_CACHE_HINT) },
	  TMA_FAULT_RESERVED_BITS, HEADER, 0 },
	{ "cancel outside the mask", base_cancel, { SET(count, 0) }, TMA_FAULT_CANCEL_DENIED, 0, 0 },
	{ "cancel of queue 3 of 3", base_cancel, { SET(count, 3) }, TMA_FAULT_CANCEL_DENIED, 3, 0 },
	{ "cancel of queue 2^32 - 1", base_cancel, { SET(count, 0xffffffff) },
	  TMA_FAULT_CANCEL_DENIED, 0xffffffff, 0 },
};
/* clang-format on */

static void decodes(void **state)
{
	const struct decode_case *c = *state;
	struct tma_command command = build(c->base, c->edits);
	struct fixture *f = fixture_new();

	put_barrier(f, 0, BAR_DEAD, 0);
	remember(f);
	issue(f, c->queue, command);
	if (c->fault) {
		expect_fault(f, c->queue, c->fault, c->address == HEADER ? header_of(&command) : c->address);
		expect_all_memory(f);
	} else {
		assert_int_equal(status_of(f, c->queue).faulted, 0);
		assert_int_equal(status_of(f, c->queue).next_sequence, 1);
	}
	fixture_free(f);
}

TABLE_SUITE(test_model_decode_header, header_cases, decodes)
TABLE_SUITE(test_model_decode_operands, operand_cases, decodes)
TABLE_SUITE(test_model_decode_alignment, alignment_cases, decodes)
TABLE_SUITE(test_model_decode_ctas, cta_cases, decodes)
TABLE_SUITE(test_model_decode_ranges, range_cases, decodes)
TABLE_SUITE(test_model_decode_protocol, protocol_cases, decodes)
