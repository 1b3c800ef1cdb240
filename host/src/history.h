/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that a queue was given last: those of a ring lie in it, of the others there are copies. */
#ifndef HISTORY_H
#define HISTORY_H

#include <stdbool.h>

#include "tma.h"

struct tma_queue;

/** Room for copies, enough for every command that can wait in the queue, 4096 at most.
 * @retval TMA_ENOMEM */
int history_new(struct tma_queue *queue);
void history_free(struct tma_queue *queue);

/** The queue has taken a command. */
void history_add(struct tma_queue *queue, uint32_t sequence, const struct tma_command *command);

/** @return false: it is not there any more, or has never been */
bool history_get(const struct tma_queue *queue, uint32_t sequence, struct tma_command *command);

#endif
