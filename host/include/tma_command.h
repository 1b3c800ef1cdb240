/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_command - one function per PTX instruction; each fills a struct tma_command.
 *
 * Operands stand in the order of the instruction. Every function overwrites the whole command and
 * cannot fail: whether the operands are right is for the engine to say. What no command can hold becomes
 * something that the engine refuses: a wrong mode, operator, type, dim or prefetch size is 255 in the command, and
 * faults TENSOR_MODE, REDUCE_OP, TENSOR_DIM or PREFETCH_SIZE_RANGE. With NULL for the command a function does
 * nothing. The faults that are named
 * here are the ones of the operands; any global operand can also meet WINDOW_READ, WINDOW_WRITE
 * and the bus errors, any shared operand CTA_DENIED, and any barrier BARRIER_MISALIGNED (not a
 * multiple of 8), BARRIER_CTA, BARRIER_RANGE and, init excepted, BARRIER_DEAD.
 *
 * Shared addresses (dst, src of a store, mbar) are tma_shared(cta, offset). Sizes, tx and offsets
 * are bytes. A size is a multiple of 16 (SIZE_GRANULE) below 2^20 (SIZE_RANGE); size 0 moves
 * nothing. Addresses of data are multiples of 16 (GLOBAL_, SRC_ and DST_MISALIGNED). Tensor copies
 * have rules of their own, below.
 *
 * By default only answers, signals and faults give a record; tma_set_record() asks for one.
 */
#ifndef TMA_COMMAND_H
#define TMA_COMMAND_H

#include <stdbool.h>

#include "tma_abi.h"

#ifdef __cplusplus
extern "C" {
#endif
/* What the library exports, however it and the program are compiled. */
#pragma GCC visibility push(default)

/* No shared address: byte 0 of CTA 255, which no cluster has. Commands with it, or with something up to 16 MiB
 * behind it, fault SRC_CTA, DST_CTA or BARRIER_CTA; tma_smem_read() and tma_smem_write() refuse it. */
#define TMA_SHARED_NONE 0xFF000000u

/** The .shared::cluster address of byte @p offset of CTA @p cta; TMA_SHARED_NONE if it has none: @p cta is above
 * 254, or @p offset above 2^24-1. Whether the engine has that CTA and byte is for the call or command to say. */
static inline uint32_t tma_shared(uint32_t cta, uint32_t offset)
{
	return cta < 255 && offset < 1u << 24 ? cta << 24 | offset : TMA_SHARED_NONE;
}

/* tma_mbarrier_try_wait*(): never give up. */
#define TMA_NO_LIMIT 0xFFFFFFFFu

/* ---- Modifiers: after the function of the instruction ------------------------------------------ */

/** Give a record when the command has left its queue: a copy has issued, a wait is satisfied. The
 * record of an arrive is its answer, the state token. @p tag comes back in the record; every
 * command may have one (member tag), FAULT records show it too. */
void tma_set_record(struct tma_command *command, uint32_t tag);

/** A tag without a record of its own: for answers, and for the text of a fault. */
void tma_set_tag(struct tma_command *command, uint32_t tag);

/** .L2::cache_hint: bits 63:60 of the policy go to AxQOS, 59:56 to AxUSER[3:0]. Copies between
 * global and shared memory and the prefetch have it; others fault with RESERVED_BITS. Never changes
 * a result. */
void tma_set_cache_hint(struct tma_command *command, uint64_t policy);

/** .shared::cta instead of .shared::cluster as destination of a load: must be the executing CTA,
 * else DST_NOT_LOCAL. Not with multicast: FLAG_CONFLICT. */
void tma_set_cta_local(struct tma_command *command);

/* ---- Bulk copies ------------------------------------------------------------------------------- */

/**
 * cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [dst], [src], size, [mbar]
 *
 * Global to shared memory. When the last byte is in place, complete_tx(size) on the barrier.
 *
 * @param dst   shared memory of any CTA; faults DST_CTA, DST_RANGE
 * @param src   global address
 * @param mbar  in the destination's CTA, else BARRIER_CTA; SIGNAL_BARRIER_DEAD,
 *              SIGNAL_TX_COUNT_RANGE when the copy signals it
 */
void tma_cp_async_bulk_load(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t size,
                            uint32_t mbar);

/**
 * cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
 *	[dst], [src], size, [mbar], cta_mask
 *
 * One read, written to every CTA of the mask at the offset of @p dst; in each of them the barrier
 * at the offset of @p mbar gets complete_tx(size). Mask 0: nobody.
 *
 * @param cta_mask  bit r: CTA r; a bit beyond the cluster is MASK_CTA
 */
void tma_cp_async_bulk_load_multicast(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t size,
                                      uint32_t mbar, uint16_t cta_mask);

/**
 * cp.async.bulk.global.shared::cta.bulk_group [dst], [src], size
 *
 * Shared to global memory, part of the queue's open bulk group.
 *
 * @param dst  global address
 * @param src  shared memory of the executing CTA, else SRC_CTA; SRC_RANGE
 */
void tma_cp_async_bulk_store(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size);

/**
 * cp.async.bulk.global.shared::cta.bulk_group.cp_mask [dst], [src], size, byte_mask
 *
 * The same, but only bytes i of every 16-byte chunk with bit i of @p byte_mask set are written.
 */
void tma_cp_async_bulk_store_masked(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size,
                                    uint16_t byte_mask);

/**
 * cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [dst], [src], size, [mbar]
 *
 * Shared memory of the executing CTA to that of another one, whose barrier gets complete_tx(size).
 *
 * @param dst   another CTA, else DST_LOCAL; DST_CTA, DST_RANGE
 * @param src   the executing CTA, else SRC_CTA; SRC_RANGE
 * @param mbar  in the destination's CTA, else BARRIER_CTA
 */
void tma_cp_async_bulk_shared(struct tma_command *command, uint32_t dst, uint32_t src, uint32_t size,
                              uint32_t mbar);

/**
 * cp.async.bulk.prefetch.L2.global [src], size
 *
 * @p size is any multiple of 16 below 2^32: what lies in no window of the queue is left out and counted.
 * A hint: reads, so that caches downstream have the bytes, and drops them. Nothing tells when it
 * is done. A bus error is counted, no fault.
 */
void tma_cp_async_bulk_prefetch(struct tma_command *command, uint64_t src, uint32_t size);

/**
 * multimem.cp.async.bulk.global.shared::cta.bulk_group [dst], [src], size
 *
 * Shared memory to every backing location of a multimem object, part of the open bulk group. The
 * masked form is multimem.cp.async.bulk.global.shared::cta.bulk_group.cp_mask.
 *
 * @param dst  in a window that allows multimem copies (WINDOW_MULTIMEM) and in a multimem window
 *             (MULTIMEM_UNMAPPED)
 * @param src  as of a store
 */
void tma_multimem_cp_async_bulk(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size);
void tma_multimem_cp_async_bulk_masked(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size,
                                       uint16_t byte_mask);

/* ---- Reductions --------------------------------------------------------------------------------- */

/*
 * Engines have them where tma_device_info says so; to others they are UNKNOWN_OPCODE. An operator and a type that do
 * not go together are REDUCE_OP:
 *
 *	operator	in global memory			in shared memory
 *	add		u32 s32 u64 f16 bf16 f32 f64		u32 s32 u64
 *	min, max	u32 s32 u64 s64 f16 bf16		u32 s32
 *	inc, dec	u32					u32
 *	and, or, xor	b32 b64					b32
 *
 * Each element is updated at once, whoever else updates it by a reduction. Semantics 1.5, 1.7, 1.9, 3.
 */

/** Bytes of an element; 0 if @p type is none of them. */
uint32_t tma_reduce_bytes(enum tma_type type);

/**
 * Does the operator go with the type, by the table? What an engine is built without it faults all the same:
 * tma_device_info.
 *
 * @param shared  in shared memory; else in global memory
 */
bool tma_reduce_takes(enum tma_reduce op, enum tma_type type, bool shared);

/**
 * The element that changes nothing, to fill an operand up to whole 16 bytes: OP(x, element) is x, bit for bit. Only a
 * NaN may become another NaN, and where an add of f32 flushes, a subnormal number becomes zero.
 *
 * @param element  where to put it, in the low bits
 * @return false and nothing put: a pair that is not in the table, or inc and dec, which have none
 */
bool tma_reduce_neutral(enum tma_reduce op, enum tma_type type, uint64_t *element);

/**
 * cp.reduce.async.bulk.global.shared::cta.bulk_group.OP.TYPE [dst], [src], size
 *
 * Shared memory into global memory, part of the queue's open bulk group. add.f16 and add.bf16 are the forms with
 * .noftz. The bytes of @p dst must be the queue's to read and to write.
 *
 * @param dst  global address
 * @param src  shared memory of the executing CTA, else SRC_CTA; SRC_RANGE
 */
void tma_cp_reduce_async_bulk(struct tma_command *command, enum tma_reduce op, enum tma_type type,
                              uint64_t dst, uint32_t src, uint32_t size);

/**
 * cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.OP.TYPE [dst], [src], size, [mbar]
 *
 * Shared memory of the executing CTA into that of any CTA, whose barrier gets complete_tx(size).
 *
 * @param dst   DST_CTA, DST_RANGE
 * @param src   the executing CTA, else SRC_CTA; SRC_RANGE
 * @param mbar  in the destination's CTA, else BARRIER_CTA
 */
void tma_cp_reduce_async_bulk_shared(struct tma_command *command, enum tma_reduce op, enum tma_type type,
                                     uint32_t dst, uint32_t src, uint32_t size, uint32_t mbar);

/**
 * multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.OP.TYPE [dst], [src], size
 *
 * Shared memory into every backing location of a multimem object, each by itself; @p dst as of
 * tma_multimem_cp_async_bulk().
 */
void tma_multimem_cp_reduce_async_bulk(struct tma_command *command, enum tma_reduce op, enum tma_type type,
                                       uint64_t dst, uint32_t src, uint32_t size);

/**
 * cp.reduce.async.bulk.tensor.DIM.global.shared::cta.OP.MODE.bulk_group [map, {coord}], [src]
 *
 * A box into a tensor, of the type that the map says; elements outside are left alone. As a tensor store, but
 * for a map whose type does not take the operator: TENSOR_REDUCE.
 */
void tma_cp_reduce_async_bulk_tensor(struct tma_command *command, enum tma_reduce op, enum tma_mode mode,
                                     uint32_t dim, uint64_t map, const int32_t *coord, uint32_t src);

/* ---- cp.async ---------------------------------------------------------------------------------- */

/* .L2::64B, .L2::128B and .L2::256B of cp.async: a hint. */
enum tma_l2_prefetch {
	TMA_L2_NONE,
	TMA_L2_64B,
	TMA_L2_128B,
	TMA_L2_256B,
};

/**
 * cp.async.ca.shared::cta.global [dst], [src], cp_size
 *
 * 4, 8 or 16 bytes (CP_SIZE) into the executing CTA (DST_NOT_LOCAL), part of the queue's open cp.async
 * group. Both addresses are multiples of the size.
 */
void tma_cp_async(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t cp_size);

/** cp.async.ca.shared::cta.global [dst], [src], cp_size, src_size: the bytes from @p src_size on are
 * zero. At most cp_size (SRC_SIZE_RANGE); 0 reads nothing. */
void tma_cp_async_src_size(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t cp_size,
                           uint32_t src_size);

/** cp.async.ca.shared::cta.global [dst], [src], cp_size, ignore_src: true writes zeros and reads
 * nothing. */
void tma_cp_async_ignore_src(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t cp_size,
                             bool ignore_src);

/** .cg instead of .ca, of a cp.async of 16 bytes (CP_SIZE): a hint. */
void tma_set_cg(struct tma_command *command);
/** .L2::64B and so on, of a cp.async: a hint. Other commands fault with it: TENSOR_MODE, RESERVED_BITS. */
void tma_set_l2_prefetch(struct tma_command *command, enum tma_l2_prefetch size);

/** cp.async.commit_group: the cp.async since the last commit become a group. */
void tma_cp_async_commit_group(struct tma_command *command);
/** cp.async.wait_group n: the queue waits until at most its @p n youngest cp.async groups are not done. */
void tma_cp_async_wait_group(struct tma_command *command, uint32_t n);
/** cp.async.wait_all: until every cp.async of the queue is done. */
void tma_cp_async_wait_all(struct tma_command *command);

/** cp.async.mbarrier.arrive.shared::cta.b64 [mbar]: one more arrival is pending at once (at most
 * 2^20-1, PENDING_OVERFLOW), and arrives when the queue's earlier cp.async are done. In the executing
 * CTA (BARRIER_NOT_LOCAL). */
void tma_cp_async_mbarrier_arrive(struct tma_command *command, uint32_t mbar);
/** cp.async.mbarrier.arrive.noinc.shared::cta.b64 [mbar]: the barrier's count has room for it. */
void tma_cp_async_mbarrier_arrive_noinc(struct tma_command *command, uint32_t mbar);

/* ---- Tensor copies ----------------------------------------------------------------------------- */

/*
 * A tensor copy moves a box of a tensor in global memory, the one that its coordinates name in the
 * tensor map, between there and shared memory. The map lies in global memory, 128 bytes at a multiple
 * of 64 (MAP_MISALIGNED), in a window that allows reads (MAP_WINDOW, MAP_SLVERR, MAP_DECERR); tma_map.h
 * makes one, and tma_copy_in() puts it there. A map that breaks a rule is one of MAP_RESERVED to
 * MAP_CORNERS. Whether command and map fit each other is found with the map, before anything moves:
 *	TENSOR_RANK		dim is not the rank of the map
 *	TENSOR_KIND		the mode does not fit the kind of the map
 *	TENSOR_GATHER		gather4 and scatter4 of a map with boxDim[1] > 1
 *	MISALIGNED_BOX		the first coordinate is no multiple of 16 bytes
 *	IM2COL_START		a column starts outside the window of the map
 *	TENSOR_RANGE		the box ends outside the CTA's shared memory
 *
 * @param mode   TMA_MODE_*; one that the instruction does not have is TENSOR_MODE
 * @param dim    1 to 5, in the im2col modes 3 to 5, for gather4 and scatter4 2 (TENSOR_DIM)
 * @param map    global address of the tensor map
 * @param coord  coordinates in elements, fastest dimension first: dim of them, for gather4 and scatter4
 *               five, a column and four rows; NULL: the command faults TENSOR_DIM
 *
 * The shared operand is a multiple of 128 (DST_MISALIGNED, SRC_MISALIGNED).
 */

/**
 * cp.async.bulk.tensor.DIM.shared::cluster.global.MODE.mbarrier::complete_tx::bytes
 *	[dst], [map, {coord}], [mbar] {, im2col}
 *
 * Elements outside the tensor are filled, with zeros or what the map says. Then complete_tx on the
 * barrier, with the bytes of the whole box. Modifiers: tma_set_multicast(), tma_set_cta_group_2(),
 * tma_set_cta_local(), tma_set_cache_hint().
 *
 * @param dst     shared memory of any CTA; DST_CTA
 * @param mode    tile, im2col, gather4, im2col_w, im2col_w_128
 * @param mbar    in the destination's CTA, else BARRIER_CTA; SIGNAL_* when the copy signals it
 * @param im2col  im2col: dim - 2 offsets, fastest spatial dimension first; im2col_w and im2col_w_128:
 *                wHalo, wOffset (IM2COL_OFFSETS); NULL: all 0; not looked at in the other modes
 */
void tma_cp_async_bulk_tensor_load(struct tma_command *command, enum tma_mode mode, uint32_t dim,
                                   uint32_t dst, uint64_t map, const int32_t *coord, uint32_t mbar,
                                   const uint16_t *im2col);

/**
 * cp.async.bulk.tensor.DIM.global.shared::cta.MODE.bulk_group [map, {coord}], [src]
 *
 * Elements outside the tensor are not written. Part of the queue's open bulk group. Not with every
 * map: TENSOR_STORE. No coordinate may be negative: NEGATIVE_COORDINATE.
 *
 * @param mode  tile, im2col_no_offs, scatter4
 * @param src   shared memory of the executing CTA, else SRC_CTA
 */
void tma_cp_async_bulk_tensor_store(struct tma_command *command, enum tma_mode mode, uint32_t dim,
                                    uint64_t map, const int32_t *coord, uint32_t src);

/**
 * cp.async.bulk.prefetch.tensor.DIM.L2.global.MODE [map, {coord}] {, im2col}
 *
 * A hint, as tma_cp_async_bulk_prefetch(); operands as of a load.
 */
void tma_cp_async_bulk_prefetch_tensor(struct tma_command *command, enum tma_mode mode, uint32_t dim,
                                       uint64_t map, const int32_t *coord, const uint16_t *im2col);

/** .multicast::cluster of a tensor load: to every CTA of the mask, as of
 * tma_cp_async_bulk_load_multicast(); MASK_CTA. */
void tma_set_multicast(struct tma_command *command, uint16_t cta_mask);

/** .cta_group::2 of a tensor load: the barrier may lie in the pair CTA of the destination's, rank xor 1
 * (BARRIER_CTA). With multicast, for every destination the one of its pair is signalled whose rank
 * has the parity of the barrier's. */
void tma_set_cta_group_2(struct tma_command *command);

/** prefetch.tensormap [map]: a hint, the engine may read the map now. */
void tma_prefetch_tensormap(struct tma_command *command, uint64_t map);

/** fence.proxy.tensormap::generic.acquire [map], 128: later commands of all queues see the map as it is
 * in memory now. Does nothing where no window of the queue allows it to read the map. Software that has changed a
 * map, or put another one in its place, needs it before the next command that uses it. */
void tma_fence_proxy_tensormap(struct tma_command *command, uint64_t map);

/* ---- Bulk groups ------------------------------------------------------------------------------- */

/** cp.async.bulk.commit_group: the stores since the last commit become a group. */
void tma_cp_async_bulk_commit_group(struct tma_command *command);

/** cp.async.bulk.wait_group n: the queue waits until at most its @p n youngest groups are not
 * complete, that is, not written and visible. Any n. */
void tma_cp_async_bulk_wait_group(struct tma_command *command, uint32_t n);

/** cp.async.bulk.wait_group.read n: the same for reading only; then the sources may be written,
 * but the destinations not be read. */
void tma_cp_async_bulk_wait_group_read(struct tma_command *command, uint32_t n);

/* ---- mbarrier ---------------------------------------------------------------------------------- */

/** mbarrier.init.shared::cta.b64 [mbar], count: a phase completes after @p count arrivals, 1 to
 * 2^20-1 (COUNT_RANGE). In the executing CTA (BARRIER_NOT_LOCAL). */
void tma_mbarrier_init(struct tma_command *command, uint32_t mbar, uint32_t count);

/** mbarrier.inval.shared::cta.b64 [mbar]: the 8 bytes become zero. In the executing CTA. */
void tma_mbarrier_inval(struct tma_command *command, uint32_t mbar);

/** mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [mbar], tx: the phase waits for @p tx
 * bytes more. At most 2^20-1 (TX_RANGE), in all within +-(2^20-1) (TX_COUNT_RANGE). */
void tma_mbarrier_expect_tx(struct tma_command *command, uint32_t mbar, uint32_t tx);

/** mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [mbar], tx: @p tx bytes have come.
 * Limits as expect_tx. */
void tma_mbarrier_complete_tx(struct tma_command *command, uint32_t mbar, uint32_t tx);

/** mbarrier.arrive.shared::cluster.b64 [mbar], count: @p count arrivals, 1 to 2^20-1
 * (COUNT_RANGE), no more than are pending (PENDING_UNDERFLOW). With a record its value is the state
 * token. The following arrives have the same limits. */
void tma_mbarrier_arrive(struct tma_command *command, uint32_t mbar, uint32_t count);

/** mbarrier.arrive.expect_tx.shared::cluster.b64 [mbar], tx: expect_tx and an arrival in one step,
 * so that the phase cannot complete between the two. */
void tma_mbarrier_arrive_expect_tx(struct tma_command *command, uint32_t mbar, uint32_t tx);

/** mbarrier.arrive.noComplete.release.cta.b64 state, [mbar], count: must not complete the phase
 * (NO_COMPLETE_COMPLETES). */
void tma_mbarrier_arrive_no_complete(struct tma_command *command, uint32_t mbar, uint32_t count);

/** mbarrier.arrive_drop.shared::cluster.b64 [mbar], count: arrive, and later phases expect @p count
 * arrivals less (EXPECTED_UNDERFLOW). */
void tma_mbarrier_arrive_drop(struct tma_command *command, uint32_t mbar, uint32_t count);

/** mbarrier.arrive_drop.expect_tx.shared::cluster.b64 [mbar], tx */
void tma_mbarrier_arrive_drop_expect_tx(struct tma_command *command, uint32_t mbar, uint32_t tx);

/** mbarrier.arrive_drop.noComplete.release.cta.b64 state, [mbar], count */
void tma_mbarrier_arrive_drop_no_complete(struct tma_command *command, uint32_t mbar, uint32_t count);

/** mbarrier.pending_count.b64 count, state: answers the pending count of a state token, that is,
 * before its arrive. */
void tma_mbarrier_pending_count(struct tma_command *command, uint64_t state);
/** The same for the state token of the queue's last arrive; without one, NO_STATE. */
void tma_mbarrier_pending_count_last(struct tma_command *command);

/** mbarrier.test_wait.shared::cta.b64 done, [mbar], state: answers 1 if the phase of the state token
 * is complete, else 0. In the executing CTA (BARRIER_NOT_LOCAL), as the following waits. */
void tma_mbarrier_test_wait(struct tma_command *command, uint32_t mbar, uint64_t state);
/** The same with the state token of the queue's last arrive; without one, NO_STATE. */
void tma_mbarrier_test_wait_last(struct tma_command *command, uint32_t mbar);
/** mbarrier.test_wait.parity.shared::cta.b64 done, [mbar], parity: answers 1 if the phase of that
 * parity is the last complete one. 0 or 1 (PARITY_RANGE). */
void tma_mbarrier_test_wait_parity(struct tma_command *command, uint32_t mbar, uint32_t parity);

/**
 * mbarrier.try_wait.shared::cta.b64 done, [mbar], state, limit
 *
 * The queue waits until the phase is complete and answers 1, or until the limit and answers 0.
 * Other queues go on.
 *
 * @param limit  in clock cycles; 0: test once; TMA_NO_LIMIT: never give up
 */
void tma_mbarrier_try_wait(struct tma_command *command, uint32_t mbar, uint64_t state, uint32_t limit);
/** The same with the state token of the queue's last arrive; without one, NO_STATE. */
void tma_mbarrier_try_wait_last(struct tma_command *command, uint32_t mbar, uint32_t limit);
/** mbarrier.try_wait.parity.shared::cta.b64 done, [mbar], parity, limit */
void tma_mbarrier_try_wait_parity(struct tma_command *command, uint32_t mbar, uint32_t parity,
                                  uint32_t limit);

/* ---- Engine ------------------------------------------------------------------------------------ */

/** A record of kind SIGNAL with @p tag when the queue comes to this command. It waits for nothing by
 * itself: earlier copies are complete only if a wait before it has said so. */
void tma_signal(struct tma_command *command, uint32_t tag);

/** End the wait that queue @p queue is blocked in, as tma_cancel(). It must be in the cancel mask of
 * the queue that issues the command (CANCEL_DENIED). */
void tma_cancel_queue(struct tma_command *command, uint32_t queue);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
