/* SPDX-License-Identifier: Apache-2.0 */
/* The rings of one queue in global memory: commands that software writes, records that the engine
 * writes. */
#ifndef RING_H
#define RING_H

#include "registers.h"

struct ring;

/** Memory for both rings, of so many slots: powers of two, 16 to 65536.
 * @retval TMA_EINVAL, TMA_ENOSPC, TMA_ENOMEM */
int ring_new(struct tma_device *device, uint32_t index, uint32_t slots, uint32_t record_slots,
             struct ring **ring);
/** The engine must not use it any more. NULL is allowed. */
void ring_free(struct ring *ring);

/** The same, but the engine may still use its memory: that stays until tma_close(). */
void ring_abandon(struct ring *ring);

/** Where the rings are, for the queue's set-up. */
void ring_place(const struct ring *ring, struct queue_setup *setup);
/** The memory that a window of the queue has to cover. */
struct tma_queue_window ring_window(const struct ring *ring);

/** Make it as new, at sequence number 0. Nothing of the queue is in flight. */
int ring_restart(struct ring *ring);

/** Slots that a command may be written to, looking at HEAD only if there seem to be none.
 * @return their number, or TMA_EDEVICE */
int64_t ring_room(struct ring *ring, uint32_t submitted);
/** The same, looking at HEAD in any case. */
int64_t ring_room_now(struct ring *ring, uint32_t submitted);
/** Write a command into its slot, where the host has it. */
void ring_write(struct ring *ring, uint32_t sequence, const struct tma_command *command);
/** Bring so many commands, at most as many as there are slots, to where the engine sees them. The doorbell comes
 * later. */
int ring_show(struct ring *ring, uint32_t sequence, uint32_t count);
/** Doorbell: the commands before @p tail are written. */
int ring_doorbell(struct ring *ring, uint32_t tail);

/** Take the oldest record. @return 1 it is in *record, 0 there is none, TMA_EDEVICE */
int ring_record(struct ring *ring, struct tma_record *record);

/** Tell the engine of all records that were taken. @return 1 it did not know, 0 it did, TMA_EDEVICE */
int ring_give_back(struct ring *ring);

/** Is the next record there? @return 1, 0 or TMA_EDEVICE */
int ring_ready(const struct ring *ring);

/** Slots for commands, and what the host has written to the one of a command that is in the ring. */
uint32_t ring_slots(const struct ring *ring);
void ring_command(const struct ring *ring, uint32_t sequence, struct tma_command *command);

/** Pass over records that the engine counts but could not write. @return how many, or TMA_EDEVICE */
int64_t ring_pass_failed(struct ring *ring);
/** Number of the record that was taken last, and of all that the engine has counted. */
uint32_t ring_taken(const struct ring *ring);
int ring_counted(const struct ring *ring, uint32_t *records);

#endif
