/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_model - the engine's behaviour as a C11 library: exact results, no time.
 *
 * Call order: tma_model_new(), configure queues and windows, map global memory, then any mix of
 * commands and tma_model_run(). A queue is bound to one of two front ends:
 *	direct	tma_model_submit() puts commands in, tma_model_next_record() takes records out
 *	ring	commands lie in mapped memory and tma_model_doorbell() shows them, records are written
 *		to mapped memory and tma_model_consumer() gives their slots back
 * tma_model_reg_read() and tma_model_reg_write() are the same engine through its registers.
 * Threads: a model belongs to one thread; several models are independent (no global state).
 * Errors: functions that return int give 0 or a count on success and a negative TMA_MODEL_E*.
 * What a *command* does wrong is never such an error: it is a fault, reported as a record.
 *
 * Without a seed a copy is executed at once when its command issues; that is one of the orders the
 * asynchronous engine may show. So cp.async is done when it has issued, cp.async.mbarrier.arrive arrives
 * at once and no group is ever waited for: a queue waits in a try_wait or for room in its completion ring,
 * in nothing else, and a queue that is disabled or reset is never closing.
 * A tensor copy reads its tensor map each time it issues, so a map fence changes nothing.
 *
 * With a seed copies are late, in an order that the seed and the calls decide, the same each time. When its
 * command issues a copy is only noted. Its bytes move in tma_model_run(), a piece at a time: pieces are read and
 * written in any order, those of several copies mix, and barriers are signalled when all bytes of the copy are
 * there. Groups wait for their copies, at most 32 groups of a kind are unfinished, arrivals wait for
 * their cp.async, tensor maps are kept until a fence. A copy that fails does so late; of its footprint
 * bytes are then old or new. Reductions update element by element. Commands of a queue issue in order as
 * ever, and all but copies are done when they have issued. A program that waits for what it needs gives
 * the same result with every seed, but for sums of floating point and answers that depend on time.
 *
 * Spec: PTX ISA 9.7.9.25 (cp.async, bulk copies, multimem copies), 9.7.9.27 (tensor copies), 9.7.13.15
 * (mbarrier).
 */
#ifndef TMA_MODEL_H
#define TMA_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "tma_abi.h"

#ifdef __cplusplus
/* Some functions have the name of a struct, as C allows. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#endif
/* What the library exports, however it and the program are compiled. */
#pragma GCC visibility push(default)

#define TMA_MODEL_EINVAL (-1) /* an argument is out of range; nothing changed */
#define TMA_MODEL_ENOMEM (-2) /* out of memory; nothing changed */
#define TMA_MODEL_EBUSY  (-3) /* the queue is enabled: disable it first; nothing changed */
#define TMA_MODEL_ESTATE (-4) /* not in this state of the queue; nothing changed */

#define TMA_MODEL_MAX_CTAS     16
#define TMA_MODEL_MAX_QUEUES   16
#define TMA_MODEL_MAX_WINDOWS  8
#define TMA_MODEL_MAX_PORTS    4
#define TMA_MODEL_MAX_MULTIMEM 8

/* Slots of a ring of commands and of a completion ring, as a power of two. */
#define TMA_MODEL_MIN_SLOTS_LOG2 4
#define TMA_MODEL_MAX_SLOTS_LOG2 16

/* Reductions that a model is built with: all but those of f64, and with REDUCE one of: those of f64, too; none of
 * floating point. */
#define TMA_MODEL_REDUCE          1u
#define TMA_MODEL_REDUCE_F64      2u
#define TMA_MODEL_REDUCE_INTEGERS 4u

struct tma_model;

/* Shape of the modelled engine. Zero fields take the `default` configuration's value. */
struct tma_model_config {
	uint32_t ctas;             /* 1..16, default 4 */
	uint32_t smem_bytes;       /* per CTA, multiple of 128, at most 2^24, default 65536 */
	uint32_t queues;           /* 1..16, default 8 */
	uint32_t windows;          /* per queue, 1..8, default 4 */
	uint32_t ports;            /* global ports, 1..4, default 2 */
	uint32_t data_bytes;       /* one beat of a global port: 16, 32, 64 or 128, default 64; matters to
			      * error responses alone */
	uint32_t multimem_windows; /* 1..8, default 2 */
	uint32_t reads;            /* read bursts in flight, 1..65535, default 128: CAP shows it,
				    * nothing else depends on it */
	uint32_t maps;             /* tensor maps kept decoded, 1..16, default 4: CAP shows it, and with a
				    * seed so many are kept */
	uint32_t without_packed;   /* 1: the padded 4- and 6-bit types of tensor maps are not built */
	uint32_t reductions;       /* TMA_MODEL_REDUCE, and with it TMA_MODEL_REDUCE_F64 or _INTEGERS; 0: none
			      * are built */
	uint64_t seed;             /* of late copies; 0 (default): they are done when they have issued */
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

/* A multimem window: the bytes base..limit lie on every port of `ports`, from its port_base on. All
 * addresses are of whole 4 KiB pages as those of a window. ports 0 closes it. */
struct tma_multimem {
	uint64_t base;
	uint64_t limit;
	uint32_t ports; /* bit p: port p; those that do not exist are ignored */
	uint64_t port_base[TMA_MODEL_MAX_PORTS];
};

struct tma_queue_config {
	uint8_t enable;                /* 0 or 1; every queue starts disabled */
	uint8_t cta;                   /* executing CTA */
	uint16_t cta_mask;             /* CTAs that the queue's commands may touch */
	uint8_t stream;                /* AxUSER[15:8]; no effect in the model */
	uint8_t prot;                  /* AxPROT, 0..7; no effect in the model */
	uint8_t ring;                  /* 1: commands from a ring, records to a completion ring; 0: direct */
	uint8_t ring_slots_log2;       /* of 64 bytes, 4..16; 0 means 4 */
	uint8_t completion_slots_log2; /* of 32 bytes, 4..16; 0 means 4 */
	uint16_t cancel_mask;          /* queues that its commands may cancel */
	uint64_t ring_base;            /* multiple of 4096, on port 0, in a window that allows reads */
	uint64_t completion_base;      /* multiple of 4096, on port 0, in a window that allows writes */
};

/* What software can read of a queue. A command that breaks a ring, decode or sync rule has not left
 * it: next_sequence == fault_sequence. A tensor copy that breaks a rule of its map has, so has a copy
 * that faults while it moves or signals, and a command whose record could not be written. */
struct tma_queue_status {
	uint32_t next_sequence; /* sequence number of the next command to leave the queue (HEAD) */
	uint32_t queued;        /* commands submitted that have not left the queue */
	uint8_t faulted;        /* 1: stopped by a fault */
	uint8_t waiting;        /* 1: its head, when last tried, was an unsatisfied wait, or `full` */
	uint16_t fault;         /* first fault's code */
	uint16_t fault_count;   /* faults seen, saturating */
	uint32_t fault_sequence;
	uint32_t fault_tag;
	uint64_t fault_address;
	uint32_t open_stores; /* stores issued since the last commit_group */
	uint32_t open_loads;  /* loads since then, bulk and tensor: the next group waits for their reads */
	uint32_t groups;      /* groups committed since the queue was enabled; without a seed complete */
	uint32_t open_copies; /* cp.async issued since the last cp.async.commit_group or wait_all */
	uint32_t
		copy_groups; /* cp.async groups committed since the queue was enabled; without a seed complete */
	uint32_t tail;       /* sequence number behind the last command */
	uint32_t producer; /* records in the completion ring so far */
	uint32_t consumer; /* of these, records that software has taken out */
	uint8_t full;      /* 1: its head, when last tried, had no room for its record */
	uint8_t drained;   /* 0: a FAULT record waits for room in the completion ring */
	uint8_t closing;   /* 1: disabled or reset, and copies from before that are in flight */
	uint32_t
		in_flight; /* copies, prefetches and arrivals of cp.async that are not done; 0 without a seed */
};

/* Events since tma_model_new(); those of the engine's counters that do not depend on time. */
struct tma_model_counters {
	uint64_t commands; /* that have left their queue */
	uint64_t signals;  /* copies of a byte at least that signalled their barriers */
	uint64_t faults;
	uint64_t prefetch_errors; /* 4 KiB page parts of prefetches outside the windows or with an error
				   * response; of a tensor prefetch those of each row, of the prefetch of a map at most one */
	uint64_t records;         /* also those that a completion ring could not take */
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
 * Let global addresses base..base+size-1 of @p port be the caller's @p bytes. The memory must stay until
 * it is unmapped or the model freed. A later map hides what it covers of earlier ones. Unmapped addresses answer DECERR.
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
/** Let base..base+size-1 of @p port be unmapped, whatever was mapped there. Error regions stay.
 * TMA_MODEL_ENOMEM only where a map is left on both sides. */
int tma_model_unmap(struct tma_model *m, uint32_t port, uint64_t base, uint64_t size);
/** Forget every map and error region of @p port. */
int tma_model_unmap_all(struct tma_model *m, uint32_t port);

/**
 * Let @p port be dead for the rest of the model's life: nothing of it is read or written, and what
 * uses it faults PORT_DEAD. Windows come first. A multimem copy goes on to its live ports.
 */
int tma_model_kill_port(struct tma_model *m, uint32_t port);

/**
 * Configure a queue. TMA_MODEL_EBUSY if it is enabled or closing and anything but `enable` changes.
 *
 * Disabling drops its commands and clears its fault, groups, sequence number, ring counts, pending
 * interrupt and the state of its last arrive. Commands submitted while it is disabled run once it is
 * enabled.
 */
int tma_model_queue(struct tma_model *m, uint32_t queue, const struct tma_queue_config *config);
/**
 * For tests: let the queue, enabled and without a command, be where it would be after @p commands commands
 * and @p records records. No register of the engine can do that.
 * TMA_MODEL_ESTATE: the queue is disabled, or holds a command or records that were not taken.
 */
int tma_model_count(struct tma_model *m, uint32_t queue, uint32_t commands, uint32_t records);
/** Set window @p index of a disabled queue that is not closing. */
int tma_model_window(struct tma_model *m, uint32_t queue, uint32_t index, const struct tma_window *window);
/** Set multimem window @p index. The lowest index wins where several hold a page.
 * TMA_MODEL_EBUSY: an enabled queue has a window that allows multimem copies. */
int tma_model_multimem(struct tma_model *m, uint32_t index, const struct tma_multimem *window);

/** Append one 64-byte command (copied) to a queue. Executes nothing.
 * TMA_MODEL_ESTATE: the queue is bound to a ring. */
int tma_model_submit(struct tma_model *m, uint32_t queue, const struct tma_command *command);

/**
 * Doorbell: the ring holds the commands up to sequence number @p tail - 1. Executes nothing.
 *
 * More than a ring ahead of the head is fault RING_OVERRUN (also 0 is returned then): the tail stays.
 * A command is read from its slot when it is first tried, and once. A slot that cannot be read, by a
 * window, an error response to a beat that holds part of it, or a dead port, is a command that faults
 * when its turn comes, with the slot's address and tag 0. A tail that goes back takes commands away,
 * here all that have not left the queue; the engine may have taken some of them for issue already.
 * Of a slot's beats that fail differently DECERR counts.
 * TMA_MODEL_ESTATE: the queue is disabled or not bound to a ring.
 */
int tma_model_doorbell(struct tma_model *m, uint32_t queue, uint32_t tail);

/**
 * Software has taken @p consumer records out of the completion ring since the queue was enabled. A
 * FAULT record that waited for room is written at once.
 *
 * A command that writes a record stays at the head, and the queue is `full` and `waiting`, until
 * there is room for one record more than its own: the last slot is kept for a FAULT record. A rule
 * that the command breaks is found all the same.
 * TMA_MODEL_EINVAL: not between the count before and `producer`. TMA_MODEL_ESTATE: disabled.
 */
int tma_model_consumer(struct tma_model *m, uint32_t queue, uint32_t consumer);

/**
 * Let a faulted queue go on with command @p index, between its head and its tail: the fault is
 * cleared, commands before @p index are dropped, a ring's are read again. Groups and the state of the
 * last arrive stay.
 * TMA_MODEL_ESTATE: not faulted, not drained, or copies are in flight. TMA_MODEL_EINVAL: no such command.
 */
int tma_model_resume(struct tma_model *m, uint32_t queue, uint32_t index);

/** As disabling and enabling it: all that the queue holds is dropped, it starts at sequence number 0.
 * TMA_MODEL_ESTATE: the queue is disabled. */
int tma_model_reset(struct tma_model *m, uint32_t queue);

/**
 * End the wait in which the queue's head blocked when last tried: fault CANCELLED, the command stays.
 * Nothing happens to a queue that does not wait.
 * TMA_MODEL_ESTATE: the queue is disabled. TMA_MODEL_ENOMEM: the wait goes on.
 */
int tma_model_cancel(struct tma_model *m, uint32_t queue);

/** Bit q: queue q has an interrupt pending that is enabled; 0 also without a model. */
uint32_t tma_model_interrupts(const struct tma_model *m);

/*
 * The registers, rtl/spec/tma.rdl, by byte address: each call is one 32-bit access with all bytes.
 * Returns the response, 0 OKAY or 2 SLVERR, or TMA_MODEL_EINVAL. A refused write changes nothing, a
 * refused read gives 0. Counters of bursts, beats, lines, stalls and cycles read 0, WATCHDOG is only
 * kept: tma_model_kill_port() is what it would do. A write executes no command, a doorbell included.
 */
int tma_model_reg_read(struct tma_model *m, uint32_t address, uint32_t *value);
int tma_model_reg_write(struct tma_model *m, uint32_t address, uint32_t value);

/**
 * Execute at most one command of @p queue: 1 it left the queue or faulted, 0 empty, blocked or stopped.
 *
 * A RECORD copy that faults while it moves or signals writes two records: RETIRED when it left its
 * queue, then FAULT. A multicast with an empty mask accesses nothing, global memory included.
 * A tensor copy is one access per row of its box, per pixel or slice of channels, in the order of shared
 * memory: what is said of a copy's bytes, pages and bursts holds for each of them.
 * Windows and responses are looked at in walk order: the first bad byte is the fault. Of a multimem
 * copy the burst that fails on several ports reports the lowest of them, and is written to the rest. Its
 * bursts, with several ports, and those of reductions end with every 16 beats, all others with pages.
 * With a seed it moves no copy in flight.
 */
int tma_model_step(struct tma_model *m, uint32_t queue);

/**
 * Step all queues in turn until none can go on; a try_wait with a finite limit then times out
 * (answer 0) and stepping resumes: the smallest limit first, the lowest queue among equals.
 * Queues whose completion ring is full stay as they are until tma_model_consumer().
 * Returns the number of commands executed.
 *
 * With a seed one move instead, of a queue or of a copy in flight: 1, or 0 when nothing can move any more. Call
 * it until then. A try_wait whose limit of moves is over may time out while copies are in flight.
 */
int tma_model_run(struct tma_model *m);

/** Take the oldest record of the direct queues. 1 and *record filled, or 0: there is none. */
int tma_model_next_record(struct tma_model *m, struct tma_record *record);

/** What software can read of a queue now. */
int tma_model_queue_status(const struct tma_model *m, uint32_t queue, struct tma_queue_status *status);

/** What has been counted so far. */
int tma_model_counters(const struct tma_model *m, struct tma_model_counters *counters);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
