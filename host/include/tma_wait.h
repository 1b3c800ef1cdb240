/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_wait - other ways to wait for a queue than one record after the other: many at once, a file descriptor, no
 * record at all. tma_wait() and tma_poll() are in tma.h, which includes this.
 *
 * Limits are as there: cycles of the engine, whose clock runs in all of these calls but tma_queue_event().
 */
#ifndef TMA_WAIT_H
#define TMA_WAIT_H

#include <stdint.h>

#include "tma_abi.h"

#ifdef __cplusplus
extern "C" {
#endif
/* What the library exports, however it and the program are compiled. */
#pragma GCC visibility push(default)

struct tma_device;
struct tma_queue;

/**
 * Take all records that are there, at most @p count; as tma_poll(), the engine goes on a little if there are none.
 *
 * @return how many, 0 if none. A FAULT record is the last of its call: the queue has stopped
 * @retval TMA_EBUSY, TMA_EDEVICE  as tma_poll(), and none was taken
 */
int tma_poll_many(struct tma_queue *queue, struct tma_record *records, uint32_t count);

/**
 * A file descriptor for poll(), select() and the like, which is readable while the queue has records. It
 * belongs to the queue, which closes it; the same one every time. Only to be waited for, not to be read.
 *
 * Nothing looks for records in the background: it becomes readable in calls for any queue of the device
 * that let the engine go on (tma_submit() on a full queue, tma_poll(), tma_wait(), tma_sync() and so
 * on), and ceases to be when the last record that was seen is taken. So a thread that drives the device can
 * wake others. Interrupts of a back end shorten tma_wait() alone.
 *
 * @return the descriptor
 * @retval TMA_ENOMEM  the system has none left
 */
int tma_queue_event(struct tma_queue *queue);

/**
 * Wait until the queue is idle: every command that was submitted has left it, and every copy of it is done,
 * whether a group, a barrier or nothing tells of it: stores are visible, loads have signalled, prefetches have
 * ended. Waits tma_options.submit_limit cycles at most. Adds no command, and does not touch groups: a store that has not
 * been committed is still part of the open group.
 *
 * Records that come meanwhile are kept, so that a small completion ring does not hold the queue up: tma_poll()
 * and tma_wait() give them in their order.
 *
 * @retval TMA_EFAULT     a fault has stopped the queue; its record is there for tma_poll() or tma_wait()
 * @retval TMA_ETIMEDOUT  not yet; tma_queue_text() says what it waits for; waiting again is allowed
 * @retval TMA_EBUSY      a tma_queue_reset() was begun and is not over
 * @retval TMA_ENOMEM, TMA_EDEVICE
 */
int tma_sync(struct tma_queue *queue);

/**
 * Wait until a command has left its queue, without a record: a copy has issued, a wait is satisfied, a barrier
 * has changed. Behind a wait_group or a try_wait, the bytes are there then.
 *
 * @param sequence  what tma_submit() returned
 * @param limit     cycles to wait at most
 * @retval TMA_EINVAL  no such command has been submitted
 * @retval TMA_EFAULT, TMA_ETIMEDOUT, TMA_EBUSY, TMA_ENOMEM, TMA_EDEVICE  as tma_sync()
 */
int tma_wait_command(struct tma_queue *queue, uint32_t sequence, uint64_t limit);

/**
 * Wait, without a command and without a record, until the phase of that parity of a barrier is complete, as
 * mbarrier.try_wait.parity would: the host looks at the barrier in shared memory. Also before the barrier is
 * initialised. A fault that stops a queue does not end this wait, and no records are taken.
 *
 * @param mbar    tma_shared(cta, offset), a multiple of 8
 * @param parity  0 or 1
 * @param limit   cycles to wait at most
 * @retval TMA_EINVAL   no such barrier or parity
 * @retval TMA_ENOTSUP  the back end does not reach shared memory
 * @retval TMA_ETIMEDOUT, TMA_EDEVICE
 */
int tma_wait_barrier(struct tma_device *device, uint32_t mbar, uint32_t parity, uint64_t limit);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
