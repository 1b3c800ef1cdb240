/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_print - devices, queues, commands, records and registers in words. Maps: tma_map_describe(); faults:
 * tma_fault_text().
 *
 * Functions that fill a text work as snprintf(): at most @p length bytes with the 0 at the end, and the
 * length that the whole text has is returned; @p text may be NULL if @p length is 0. A negative enum
 * tma_error is returned instead if there is none. The texts are for people, and may change with every
 * version; what a program needs is in structs.
 * Threads: as tma.h.
 */
#ifndef TMA_PRINT_H
#define TMA_PRINT_H

#include <stdio.h>

#include "tma.h"

#ifdef __cplusplus
extern "C" {
#endif
/* What the library exports, however it and the program are compiled. */
#pragma GCC visibility push(default)

/**
 * What the queue's head waits for, in one line, for example
 *	queue 2: command 17 (MBARRIER_TRY_WAIT, tag 0x5) waits: try_wait on barrier CTA 0 offset 0x0: phase 0,
 *	0 arrivals missing, 256 bytes missing; PTX: mbarrier.try_wait.parity.shared::cta.b64 _, [0x0], 0,
 *	0xffffffff; // tma: tag=0x5
 * or the fault that has stopped it, that its completion ring is full, that it is idle. To be asked for after
 * TMA_EFULL and TMA_ETIMEDOUT. It looks, and changes nothing; commands that nobody has let the engine take
 * yet are said to be next. Behind PTX: is the head, or the command at fault, as tma_command_print() writes
 * it. The clock runs. Of a direct queue the command is not known any more
 * if more than the last 4096 wait.
 *
 * @retval TMA_EINVAL   NULL
 * @retval TMA_EDEVICE  the engine cannot be asked
 */
int tma_queue_text(const struct tma_queue *queue, char *text, size_t length);

/**
 * Write all that the library knows of a device: what it is, its counters, its open queues, each with the line
 * of tma_queue_text(), its memory and its multimem objects. Many lines. The clock runs.
 *
 * @retval TMA_EINVAL   NULL, or the file cannot be written
 * @retval TMA_EDEVICE  the engine cannot be asked; what came before has been written
 */
int tma_dump(struct tma_device *device, FILE *file);

/**
 * A command: its name and operands by the names of tma_command.h, its flags and its tag, for example
 *	BULK_LOAD, dst = CTA 0 offset 0x400, src = 0x100000000, size = 256, mbar = CTA 0 offset 0x0, tag 0x5
 * Values are decimal, addresses and masks hexadecimal. @retval TMA_EINVAL  NULL
 */
int tma_command_text(const struct tma_command *command, char *text, size_t length);

/** A record, for example "queue 2, command 17 (tag 0x5): answers 0x1"; a FAULT as tma_fault_text() without the
 * queue says it. @retval TMA_EINVAL  NULL */
int tma_record_text(const struct tma_record *record, char *text, size_t length);

/** The name of the register at a byte address, for example "QUEUE[2].STATUS" or "COUNTER[COMMANDS].LO".
 * @retval TMA_EINVAL  there is none */
int tma_register_name(uint32_t address, char *text, size_t length);

/** The byte address of a register by its name, as above; blocks that have names may be named by their
 * numbers too, "COUNTER[1].LO". @retval TMA_EINVAL  NULL, or there is none */
int tma_register_find(const char *name, uint32_t *address);

/** A register and its fields, for example
 *	QUEUE[2].STATUS = 0x00000005: busy 0x1, faulted 0x0, waiting 0x1, full 0x0, closing 0x0
 * @param value  the word that was read from it
 * @retval TMA_EINVAL  there is none */
int tma_register_text(uint32_t address, uint32_t value, char *text, size_t length);

/** Name of a performance counter, as in the register tables; NULL: there is no such counter. */
const char *tma_counter_name(enum tma_counter which);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
