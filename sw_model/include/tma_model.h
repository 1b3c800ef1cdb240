/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_model - the engine's behaviour as a C11 library: exact results, no time.
 *
 * Call order: tma_model_new(), configure queues and windows, map global memory, then any mix of
 * tma_model_submit() and tma_model_run(), and tma_model_next_record() for the answers.
 * Threads: a model belongs to one thread; several models are independent (no global state).
 * Errors: functions that return int give 0 or a count on success and a negative TMA_MODEL_E*.
 * What a *command* does wrong is never such an error: it is a fault, reported as a record.
 *
 * A copy is executed at once when its command issues; that is one of the orders the asynchronous
 * engine may show. Spec: PTX ISA 9.7.9.25 (bulk copies), 9.7.13.15 (mbarrier).
 */
#ifndef TMA_MODEL_H
#define TMA_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "tma_abi.h"

#define TMA_MODEL_EINVAL (-1) /* an argument is out of range; nothing changed */
#define TMA_MODEL_ENOMEM (-2) /* out of memory; nothing changed */
#define TMA_MODEL_EBUSY  (-3) /* the queue is enabled: disable it first; nothing changed */

#define TMA_MODEL_MAX_CTAS    16
#define TMA_MODEL_MAX_QUEUES  16
#define TMA_MODEL_MAX_WINDOWS 8
#define TMA_MODEL_MAX_PORTS   4

struct tma_model;

/* Shape of the modelled engine. Zero fields take the `default` configuration's value. */
struct tma_model_config {
	uint32_t ctas;       /* 1..16, default 4 */
	uint32_t smem_bytes; /* per CTA, multiple of 128, at most 2^24, default 65536 */
	uint32_t queues;     /* 1..16, default 8 */
	uint32_t windows;    /* per queue, 1..8, default 4 */
	uint32_t ports;      /* global ports, 1..4, default 2 */
	uint32_t data_bytes; /* one beat of a global port: 16, 32, 64 or 128, default 64; matters to
			      * error responses alone */
};

/* Attributes of a window of global memory. */
#define TMA_WINDOW_READ     1u
#define TMA_WINDOW_WRITE    2u
#define TMA_WINDOW_MULTIMEM 4u

/* One window: the bytes base..limit, both ends included; base is a multiple of 4096 and limit is
 * a multiple of 4096 less one. attr 0 disables it. */
struct tma_window {
	uint64_t base;
	uint64_t limit;
	uint32_t attr;
};

struct tma_queue_config {
	uint8_t enable;    /* 0 or 1; every queue starts disabled */
	uint8_t cta;       /* executing CTA */
	uint16_t cta_mask; /* CTAs that the queue's commands may touch */
	uint8_t stream;    /* AxUSER[15:8]; no effect in the model */
	uint8_t prot;      /* AxPROT; no effect in the model */
};

/* What software can read of a queue. A command that breaks a decode or sync rule has not left it:
 * next_sequence == fault_sequence. A copy that faults while it moves or signals has. */
struct tma_queue_status {
	uint32_t next_sequence; /* sequence number of the next command to leave the queue */
	uint32_t queued;        /* commands submitted that have not left the queue */
	uint8_t faulted;        /* 1: stopped by a fault */
	uint8_t waiting;        /* 1: its head, when last tried, was an unsatisfied wait */
	uint16_t fault;         /* first fault's code */
	uint16_t fault_count;   /* faults seen, saturating */
	uint32_t fault_sequence;
	uint32_t fault_tag;
	uint64_t fault_address;
	uint32_t open_stores; /* stores issued since the last commit_group */
	uint32_t groups;      /* groups committed since the queue was enabled, all complete */
};

/* Events since tma_model_new(); those of the engine's counters that do not depend on time. */
struct tma_model_counters {
	uint64_t commands; /* that have left their queue */
	uint64_t signals;  /* copies of a byte at least that signalled their barriers */
	uint64_t faults;
	uint64_t prefetch_errors; /* 4 KiB page parts of prefetches with an error response */
	uint64_t records;
};

/** A new engine, all memory zero, all queues disabled. NULL: a field is out of range or no memory. */
struct tma_model *tma_model_new(const struct tma_model_config *config);
/** End of a model. NULL does nothing. */
void tma_model_free(struct tma_model *m);
/** The configuration with its defaults filled in. */
const struct tma_model_config *tma_model_config(const struct tma_model *m);

/** Shared memory of CTA @p cta, smem_bytes long, read and written freely between calls. NULL: no such
 * CTA. mbarrier objects live in it with the layout of TMA_BARRIER_*. */
uint8_t *tma_model_smem(struct tma_model *m, uint32_t cta);

/**
 * Let global addresses base..base+size-1 of @p port be the caller's @p bytes. The memory must
 * outlive the model. Later maps are searched first. Unmapped addresses answer DECERR.
 */
int tma_model_map(struct tma_model *m, uint32_t port, uint64_t base, uint64_t size, void *bytes);

/**
 * Let accesses to base..base+size-1 fail: @p read_resp / @p write_resp as AXI: 0 OKAY, 2 SLVERR,
 * 3 DECERR. Where regions overlap, also with unmapped memory, DECERR wins; OKAY hides nothing.
 *
 * A beat (data_bytes) fails when the region touches any of its bytes, also one outside the operand.
 * Of a read, the bytes before the first failing beat arrive, the rest does not. Of a write, bursts
 * are looked at, a burst being what of the operand lies in one 4 KiB page: it answers like its
 * first failing beat, the bytes of earlier bursts are written, and those of the failing burst,
 * which the engine may leave old or new, stay old. A byte mask changes none of this. A copy that
 * fails does not signal its barriers.
 */
int tma_model_map_error(struct tma_model *m, uint32_t port, uint64_t base, uint64_t size, int read_resp,
                        int write_resp);
/** Forget every map and error region of @p port. */
int tma_model_unmap_all(struct tma_model *m, uint32_t port);

/**
 * Configure a queue. TMA_MODEL_EBUSY if it is enabled and anything but `enable` changes.
 *
 * Disabling drops its commands and clears its fault, groups, sequence number and the state of its
 * last arrive. Commands submitted while it is disabled run once it is enabled.
 */
int tma_model_queue(struct tma_model *m, uint32_t queue, const struct tma_queue_config *config);
/** Set window @p index of a disabled queue. */
int tma_model_window(struct tma_model *m, uint32_t queue, uint32_t index, const struct tma_window *window);

/** Append one 64-byte command (copied) to a queue. Executes nothing. */
int tma_model_submit(struct tma_model *m, uint32_t queue, const struct tma_command *command);

/**
 * Execute at most one command of @p queue: 1 it left the queue or faulted, 0 empty, blocked or stopped.
 *
 * A RECORD copy that faults while it moves or signals writes two records: RETIRED when it left its
 * queue, then FAULT. A multicast with an empty mask accesses nothing, global memory included.
 * Windows and responses are looked at in walk order: the first bad byte is the fault.
 */
int tma_model_step(struct tma_model *m, uint32_t queue);

/**
 * Step all queues in turn until none can go on; a try_wait with a finite limit then times out
 * (answer 0) and stepping resumes: the smallest limit first, the lowest queue among equals.
 * Returns the number of commands executed.
 */
int tma_model_run(struct tma_model *m);

/** Take the oldest record. 1 and *record filled, or 0: there is none. */
int tma_model_next_record(struct tma_model *m, struct tma_record *record);

int tma_model_queue_status(const struct tma_model *m, uint32_t queue, struct tma_queue_status *status);

int tma_model_counters(const struct tma_model *m, struct tma_model_counters *counters);

#endif
