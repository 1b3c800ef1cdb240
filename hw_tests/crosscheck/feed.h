/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feed - commands into the model's queues and records out of them, as software does it.
 *
 *	commands --> direct port, or slots of the ring as there is room, and a doorbell
 *	records  <-- the model's list, or slots of the completion ring, and CONSUMER
 */
#ifndef CROSSCHECK_FEED_H
#define CROSSCHECK_FEED_H

#include "crosscheck/result.h"
#include "tma_model.h"

struct feed_queue {
	struct tma_command *commands;
	uint32_t count, room;                 /* all that came, from sequence number 0 on */
	uint32_t given;                       /* of those, the model has */
	uint32_t taken;                       /* records out of the completion ring */
	uint32_t first_command, first_record; /* in the model, of those that are number 0 here */
};

struct feed {
	struct tma_model *m;
	const struct program *p;
	uint8_t *rings; /* memory of all rings */
	struct feed_queue queue[MAX_QUEUES];
	uint32_t sm[MAX_CTAS]; /* acts done */
};

void feed_add(struct feed *f, uint32_t queue, const struct tma_command *cmd);

/** Everything goes on as far as it can; records go to @p result. */
void feed_run(struct feed *f, struct result *result);

/** As tma_model_queue_status(), with the counts of the feed. */
struct tma_queue_status feed_status(const struct feed *f, uint32_t queue);
/** Slot of the queue's command @p index in memory. */
uint8_t *feed_slot(struct feed *f, uint32_t queue, uint32_t index);

/** The queue starts again, with no command. */
void feed_reset(struct feed *f, uint32_t queue);

void feed_free(struct feed *f);

#endif
