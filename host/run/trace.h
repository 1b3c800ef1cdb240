/* SPDX-License-Identifier: Apache-2.0 */
/* trace - a time line of a run, in the format of Chrome's trace events. Nothing is done where none was asked for. */
#ifndef RUN_TRACE_H
#define RUN_TRACE_H

#include "run.h"

/** @return 0, or the exit status: the file cannot be written; said */
int trace_open(struct run *run);
/** Write what is still open, and the end. @return as above */
int trace_close(struct run *run);

/** A command goes into a queue; it leaves; its record is there. */
void trace_submit(struct run *run, uint32_t queue, uint32_t sequence);
void trace_leave(struct run *run, uint32_t queue, const struct tma_queue_state *state);
void trace_record(struct run *run, uint32_t queue, const struct tma_record *record);
/** Whether the queues are to be looked at in this turn of a wait. */
bool trace_sampling(const struct run *run, uint32_t turn);

#endif
