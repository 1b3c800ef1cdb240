/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rig - one Verilated engine with everything around it that a test needs.
 *
 *	commands --> per-queue FIFOs -+-> direct port  +--------+ AXI port p <--> axi_mem, axi_check,
 *	records  <-- per-queue lists <+-- responses    | engine |                 axi_monitor
 *	                              +-> slots in memory, doorbells; records by their phase bit
 *	rig_csr_*() and doorbells <-----> AXI-Lite     +--------+ ext port r <--> rig_smem_*()
 *
 * Call order: rig_open(), rig_map(), rig_queue_setup(), rig_smem_*(), rig_submit(), then
 * rig_step() or one of the waits until done, rig_failed(), rig_close().
 * Time passes in rig_step() alone. Calls that say "blocks" step until they are done, and
 * everything else (commands, memory, hooks) goes on meanwhile.
 * Errors: a negative errno for a wrong argument or a time-out. What the *engine* does wrong is
 * counted, its first occurrences are printed on stderr, and rig_failed() tells how many there were.
 * Everything random comes from the seed: same calls and options, same cycles.
 * Threads: one rig belongs to one thread. Different rigs are independent.
 */
#ifndef RIG_H
#define RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/axi_manners.h"
#include "sim/tma_sim.h"
#include "tma_abi.h"

struct rig;

/* Which waiting command goes next to the direct port. */
enum rig_pick {
	RIG_PICK_ROUND_ROBIN, /* next queue that has one and is ready */
	RIG_PICK_RANDOM,      /* any queue that has one and is ready */
	RIG_PICK_IN_ORDER,    /* order of rig_submit() over all direct queues, waits for its queue */
};

enum rig_dir {
	RIG_READ = 1,
	RIG_WRITE = 2,
	RIG_BOTH = 3,
	RIG_MULTIMEM = 4, /* of windows alone */
	RIG_TORN = 8,     /* of rig_map_error() alone: a write that fails leaves some of its bytes */
};

/* AXI responses, also of rig_csr_read() and rig_csr_write(). */
enum rig_resp {
	RIG_OKAY = 0,
	RIG_SLVERR = 2,
	RIG_DECERR = 3,
};

/* Options of rig_open(). Set size to sizeof(struct rig_opts); zero fields mean "default". */
struct rig_opts {
	size_t size;
	uint64_t seed;
	uint32_t latency;         /* cycles from AR to the first R and from the last W to B; default 100 */
	uint32_t random_latency;  /* up to this many cycles more, drawn per burst */
	uint32_t stall_percent;   /* per cycle and AXI channel: ready (or a new valid) kept low */
	uint32_t command_percent; /* per cycle: no new command is offered, no doorbell is rung */
	uint32_t record_percent;  /* per cycle: the response port is not ready, no ring is looked at */
	uint32_t ext_busy_every;  /* every n-th cycle each idle ext port reads something */
	uint32_t ready_wait;      /* cycles that R or B may wait for the engine: a failure if it is longer */
	bool reads_in_order;      /* no interleaving: R in the order of AR */
	enum rig_pick pick;
	struct axi_manners manners[TMA_SIM_MAX_PORTS]; /* of each port's memory */
	const char *fst;                               /* waveform to write */
	/* Of what reset does not set; 0: SEED of the environment, so that it differs from day to day. */
	uint64_t start_seed;
};

/** Engine of configuration @p config ("small", "default", "max"), out of reset.
 * @param opts  NULL for all defaults
 * @return NULL if there is no such configuration or the waveform cannot be written. */
struct rig *rig_open(const char *config, const struct rig_opts *opts);
/** Let what is on its way come to its end, for some cycles (what was mapped is still needed); an engine that then calls itself idle must owe no
 * answer on a living port.
 * @return 0, or how many ports owe some */
int rig_close(struct rig *rig);

/** Reset the engine: queues disabled, shared memory as it was, waiting commands, records and rings
 * dropped, poll and posted accesses dropped, stopped ports go on. Cycle count, mappings, legal
 * ranges, error ranges, hooks and failures stay. */
void rig_reset(struct rig *rig);

const struct tma_sim_info *rig_info(const struct rig *rig);

/** Cycles since rig_open(); the number of the cycle that the next rig_step() runs. */
uint64_t rig_cycle(const struct rig *rig);

/** One clock cycle. */
void rig_step(struct rig *rig);
void rig_run(struct rig *rig, uint64_t cycles);

/** Failed RTL assertions, protocol errors, bursts outside their queue's windows, rig_error() calls
 * and time-outs so far. */
int rig_failed(const struct rig *rig);

/** Count a failure that the caller found; the first ones are printed. */
void rig_error(struct rig *rig, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Hooks. Any number, called in the order of rig_hook(). Pins are settled: a handshake happens
 * in this cycle where valid && ready. Cycles of a reset are seen as well: in->rst_n is 0 then.
 * Hooks must not call anything that steps.
 */
struct rig_hooks {
	void *arg;
	void (*cycle)(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out);
	/* The engine took command @p index (0, 1, .. since the queue's set-up) of @p queue; of a ring:
	 * the doorbell that tells of it was answered. */
	void (*command)(void *arg, uint64_t cycle, uint32_t queue, uint32_t index,
	                const struct tma_command *cmd);
	void (*record)(void *arg, uint64_t cycle, const struct tma_record *rec);
	/* Everything of the cycle was seen: what is posted or submitted now goes with the next one. */
	void (*end)(void *arg);
};

/** @retval -ENOMEM */
int rig_hook(struct rig *rig, const struct rig_hooks *hooks);

/*
 * Global memory. A region is host memory that the engine sees at @p base of one port; addresses in
 * no region answer DECERR. Ranges of bytes can be made to fail on top.
 */

/** @p base and @p size are multiples of 4096. The memory stays the caller's.
 * @retval -EINVAL  not aligned, empty, wraps, overlaps a region, no such port */
int rig_map(struct rig *rig, uint32_t port, uint64_t base, uint64_t size, void *memory);

/** Drop the region that begins at @p base of a port, if there is one. Error ranges and legal ranges stay. */
void rig_unmap(struct rig *rig, uint32_t port, uint64_t base);

/** Drop every region, error range and legal range of all ports. The rig's own rings stay. */
void rig_unmap_all(struct rig *rig);

/** Beats (reads) and bursts (writes) that touch base..base+size-1 answer @p resp. Bytes inside the
 * range are not written, but with RIG_TORN, and reads of it give random data. */
int rig_map_error(struct rig *rig, uint32_t port, enum rig_dir dir, uint64_t base, uint64_t size,
                  enum rig_resp resp);
void rig_clear_errors(struct rig *rig);

/* Channels of a port, for rig_port_stop(). */
enum rig_channel {
	RIG_AR = 1,
	RIG_AW = 2,
	RIG_W = 4,
	RIG_R = 8,
	RIG_B = 16,
	RIG_ALL_CHANNELS = 31,
};

/** From @p after cycles on, these channels (a mask, which replaces the one before) of the port stand
 * still: ready stays low, and so does a new valid. 0 lets them go on. Until the engine's reset nobody
 * waits for bursts of this port any more, rig_wait_idle() and the monitor included.
 * @retval -EINVAL  no such port */
int rig_port_stop(struct rig *rig, uint32_t port, uint32_t channels, uint64_t after);
/** The next burst of this direction on the port is lost, and so are later ones of its id; everything else
 * goes on. Nobody waits for bursts of this port any more, as above. */
int rig_port_lose(struct rig *rig, uint32_t port, enum rig_dir dir);

/** Accesses to base..base+size-1 are legal (byte exact): every strobed byte of a write and one byte
 * at least of each beat of a read has to lie in legal ranges, else it is a failure.
 * rig_queue_setup() adds the queue's windows on port 0, what its multimem windows are on every port of
 * rig_multimem(), and its rings (and takes back those of the set-up before); nothing else is legal. To
 * allow no more than a command's own bytes, call rig_legal_none() after the set-up and name them: the
 * rings stay legal. */
int rig_legal(struct rig *rig, uint32_t port, enum rig_dir dir, uint64_t base, uint64_t size);
void rig_legal_none(struct rig *rig);

/*
 * Registers. All block. Return RIG_OKAY, RIG_SLVERR, RIG_DECERR, or -ETIMEDOUT (a failure as well).
 */
int rig_csr_write(struct rig *rig, uint32_t address, uint32_t value);
int rig_csr_read(struct rig *rig, uint32_t address, uint32_t *value);

/** A write, and a read of @p from beside it; which of the two is first is left open. Returns what the write
 * does; @p answer is the read's. */
int rig_csr_both(struct rig *rig, uint32_t address, uint32_t value, uint32_t from, uint32_t *got,
                 int *answer);

/** Register that has to exist: any other response than OKAY is a failure (and 0 is returned). */
uint32_t rig_csr(struct rig *rig, uint32_t address);
/** 64-bit counter, COUNTER[index]. */
uint64_t rig_counter(struct rig *rig, uint32_t index);

struct rig_window {
	uint64_t base, limit; /* first and last byte; the engine rounds out to 4 KiB */
	uint32_t attr;        /* RIG_READ | RIG_WRITE | RIG_MULTIMEM */
};

/* Where a queue's commands come from. */
enum rig_front {
	RIG_DIRECT,
	RIG_RING,
};

/* How many of the waiting commands a doorbell tells of. */
enum rig_bell {
	RIG_BELL_ALL,    /* as many as fit */
	RIG_BELL_SINGLE, /* one */
	RIG_BELL_RANDOM, /* 1 to as many as fit */
};

/* When CONSUMER is told of the records that the rig has taken. */
enum rig_consumer {
	RIG_CONSUMER_EAGER, /* at once */
	RIG_CONSUMER_LAZY,  /* random, often only when the ring is full, but always in the end */
	RIG_CONSUMER_HELD,  /* never, but by rig_consume() */
	RIG_CONSUMER_OFF,   /* the rig does not look at the completion ring at all: the test does */
};

struct rig_queue {
	uint8_t cta;       /* executing CTA */
	uint16_t cta_mask; /* CTAs it may touch; 0 means all that exist */
	uint8_t stream, prot;
	const struct rig_window *windows; /* the other windows of the queue are closed */
	uint32_t num_windows;
	uint16_t cancel_mask; /* queues that its commands may cancel */
	/* All its registers are as is said here, but for CONTROL: only that is written. No window of the rig's own. */
	bool registers_set;
	bool interrupt; /* enable it; ring: look for records only after an interrupt */
	/* Sequence number of its first command, and number of its first record in a completion ring: what no
	 * register can set. The rig counts from 0 all the same, in registers, slots and records; its next
	 * life begins at 0. */
	uint32_t first_command, first_record;

	/* The rest is for RIG_RING alone. */
	enum rig_front front;
	uint8_t ring_log2, completion_log2; /* slots, 4..16; 0: 7 and 6 */
	enum rig_bell bell;
	enum rig_consumer consumer;
	/* false: the rig has memory for both rings, at a random place of port 0 where nothing is mapped.
	 * It takes one window of the queue for them, so that one less is left for `windows`.
	 * true: rings at these multiples of 4096 of memory that is mapped on port 0, now or later; the
	 * caller's windows have to cover them. A slot in unmapped memory keeps nothing. */
	bool own_rings;
	uint64_t ring_base, completion_base;
};

/** Disable the queue, drop its waiting commands and records, wait until nothing of it is in flight,
 * program it, enable it. Blocks.
 * @retval -EINVAL     no such queue, too many windows, rings that cannot be
 * @retval -EIO        a register refused (a failure as well)
 * @retval -ETIMEDOUT  something of its former life does not end (a failure as well) */
int rig_queue_setup(struct rig *rig, uint32_t queue, const struct rig_queue *setup);
/** Only the first two of these. Blocks. */
int rig_queue_disable(struct rig *rig, uint32_t queue);

/* A window of the address space that lies on several ports. */
struct rig_multimem {
	uint64_t base, limit; /* first and last byte; the engine rounds out to 4 KiB */
	uint32_t ports;       /* mask; 0 closes the window */
	uint64_t port_base[TMA_SIM_MAX_PORTS];
};

/** Program multimem window @p index, of info->multimem. No enabled queue may have a window with the
 * multimem attribute. Blocks.
 * @retval -EINVAL  no such window
 * @retval -EIO     a register refused (a failure as well) */
int rig_multimem(struct rig *rig, uint32_t index, const struct rig_multimem *window);

/** Cycles until a port is declared dead, 0: never. Blocks. */
int rig_watchdog(struct rig *rig, uint32_t cycles);
/** Mask of the ports that the engine calls dead. Blocks. */
uint32_t rig_dead_ports(struct rig *rig);

/*
 * The queue's door page. All block, and return RIG_OKAY or RIG_SLVERR, -EINVAL (no such queue) or
 * -ETIMEDOUT (a failure as well).
 */

/** Let a faulted queue go on with command @p index. OKAY: rig_faulted() is false again; records stay.
 * Commands that the rig still holds follow behind those that the engine has. */
int rig_resume(struct rig *rig, uint32_t queue, uint32_t index);
/** Reset this queue alone, and wait until it takes commands again. OKAY: commands, records and counts
 * of the rig are as after the queue's set-up. */
int rig_queue_reset(struct rig *rig, uint32_t queue);
/** End the wait that the queue is blocked in. */
int rig_cancel(struct rig *rig, uint32_t queue);
/** A doorbell of any value. When it is answered OKAY, nothing waits in the rig and it is no overrun,
 * the rig goes on from there: the next rig_submit() is command @p tail. */
int rig_doorbell(struct rig *rig, uint32_t queue, uint32_t tail);
/** Tell CONSUMER of all records that the rig has taken. */
int rig_consume(struct rig *rig, uint32_t queue);
/** From now on do so like this. */
void rig_consumer(struct rig *rig, uint32_t queue, enum rig_consumer consumer);

struct rig_door {
	uint32_t tail, head, consumer, producer;
	uint32_t status; /* TMA_REG_DOOR_STATUS_* */
	bool pending, enable;
};
/** All registers of the page but those of a fault, see rig_fault(). Blocks. */
struct rig_door rig_door_read(struct rig *rig, uint32_t queue);

/** Slot of the ring that command @p index goes to, 64 bytes: for tests that write it themselves.
 * NULL: not a ring queue, or nothing is mapped there. */
void *rig_ring_slot(struct rig *rig, uint32_t queue, uint32_t index);
/** Slot of the completion ring that record @p index goes to, 32 bytes. The rig looks at it as well. */
void *rig_completion_slot(const struct rig *rig, uint32_t queue, uint32_t index);
/** Where they are in global memory. */
uint64_t rig_ring_base(const struct rig *rig, uint32_t queue);
uint64_t rig_completion_base(const struct rig *rig, uint32_t queue);

/* Everything that the queue's FAULT_* registers say. code 0: no fault. */
struct rig_fault {
	uint16_t code, count;
	uint32_t sequence, tag;
	uint64_t address;
};
/** Blocks. */
struct rig_fault rig_fault(struct rig *rig, uint32_t queue);

/*
 * Commands and records.
 */

/** Put a copy of the command into the queue's FIFO. It is offered, or written into its slot and a
 * doorbell rung, from the next cycle on.
 * @return index of the command since the queue's set-up, which is its sequence number
 * @retval -EINVAL  no such queue
 * @retval -ENOMEM */
int64_t rig_submit(struct rig *rig, uint32_t queue, const struct tma_command *cmd);

/** Commands that the engine has not taken yet. */
uint32_t rig_waiting(const struct rig *rig, uint32_t queue);
/** Commands that it has taken since the set-up; the cycle in which it took number @p index of them,
 * which is below that count. Of a ring: the first cycle of BVALID of the doorbell. */
uint32_t rig_accepted(const struct rig *rig, uint32_t queue);
uint64_t rig_accept_cycle(const struct rig *rig, uint32_t queue, uint32_t index);

struct rig_record {
	struct tma_record record; /* phase is 0: the rig has checked it */
	uint64_t cycle;
};

/** Records of the queue since its set-up, oldest first. Valid until the next step. */
const struct rig_record *rig_records(const struct rig *rig, uint32_t queue, uint32_t *count);
/** The queue has stopped: a FAULT record was seen since it was set up or resumed, or, of a ring that
 * cannot be written, rig_wait_idle() has seen it in STATUS. */
bool rig_faulted(const struct rig *rig, uint32_t queue);

/*
 * Waits. @p limit is in cycles. A time-out prints what every queue and port is doing and counts
 * as a failure.
 */

/** Until every command is taken (those of faulted queues excepted), the engine says idle, no burst is
 * outstanding and every record is taken.
 * @retval -ETIMEDOUT */
int rig_wait_idle(struct rig *rig, uint64_t limit);

/** Whether no copy, signal, fetch or record is on its way, nor comes from issue. A few cycles pass. */
bool rig_paths_rest(struct rig *rig);
/** Until the queue has @p count records. @retval -ETIMEDOUT */
int rig_wait_records(struct rig *rig, uint32_t queue, uint32_t count, uint64_t limit);
/** Until @p done returns true. @retval -ETIMEDOUT */
int rig_wait(struct rig *rig, bool (*done)(void *arg), void *arg, uint64_t limit);
/** Print the state of every port and queue on stderr. Blocks: it reads registers. */
void rig_dump(struct rig *rig);

/*
 * Shared memory through the ext ports. Any offset and length inside the CTA.
 * At rig_open() it holds random bytes, the same ones in every run.
 * post: queued per CTA, in order; all CTAs work in parallel, one 16-byte access each per cycle.
 */
int rig_smem_post_write(struct rig *rig, uint32_t cta, uint32_t offset, const void *bytes, uint32_t len);
/** @p bytes is filled by rig_smem_flush() at the latest. */
int rig_smem_post_read(struct rig *rig, uint32_t cta, uint32_t offset, void *bytes, uint32_t len);
/** One write of 16 bytes at a multiple of 16, those of @p strb. */
int rig_smem_post_strobed(struct rig *rig, uint32_t cta, uint32_t offset, const void *bytes, uint16_t strb);
/** Accesses posted so far, and those of them that are done. Each in order. */
uint64_t rig_smem_posted(const struct rig *rig, uint32_t cta);
uint64_t rig_smem_finished(const struct rig *rig, uint32_t cta);
/** Blocks until all posted accesses are done. @retval -ETIMEDOUT  no progress; the rest is dropped */
int rig_smem_flush(struct rig *rig);

/** Block. Same as post and flush. */
int rig_smem_write(struct rig *rig, uint32_t cta, uint32_t offset, const void *bytes, uint32_t len);
int rig_smem_read(struct rig *rig, uint32_t cta, uint32_t offset, void *bytes, uint32_t len);

/** Read the 8 bytes at @p offset (a multiple of 8) again and again, in every cycle that posted
 * accesses leave free, until rig_smem_poll_stop(). One poll per CTA: a second replaces the first. */
int rig_smem_poll(struct rig *rig, uint32_t cta, uint32_t offset);
void rig_smem_poll_stop(struct rig *rig, uint32_t cta);

struct rig_polled {
	uint64_t value;
	uint64_t cycle; /* in which rvalid showed this value */
	uint64_t since; /* in which rvalid first showed this value */
	bool valid;     /* false: nothing read yet since rig_smem_poll() */
};
struct rig_polled rig_smem_polled(const struct rig *rig, uint32_t cta);

/** Poll the barrier at @p offset until its phase bit is @p phase; leaves the poll running.
 * @return 0, the cycle in which the phase was first readable in *cycle (may be NULL)
 * @retval -ETIMEDOUT */
int rig_wait_phase(struct rig *rig, uint32_t cta, uint32_t offset, unsigned phase, uint64_t limit,
                   uint64_t *cycle);

/** The pins, for tests that drive something the rig does not. Not needed otherwise. */
struct tma_sim *rig_sim(struct rig *rig);

#endif
