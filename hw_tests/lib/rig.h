/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rig - one Verilated engine with everything around it that a test needs.
 *
 *	commands --> per-queue FIFOs --> direct port +--------+ AXI port p <--> axi_mem, axi_check
 *	records  <-- per-queue lists <-- responses   | engine |
 *	rig_csr_*() <--> AXI-Lite                    +--------+ ext port r <--> rig_smem_*()
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

#include "sim/tma_sim.h"
#include "tma_abi.h"

struct rig;

/* Which waiting command goes next to the direct port. */
enum rig_pick {
	RIG_PICK_ROUND_ROBIN, /* next queue that has one and is ready */
	RIG_PICK_RANDOM,      /* any queue that has one and is ready */
	RIG_PICK_IN_ORDER,    /* order of rig_submit() over all queues, waits for its queue */
};

enum rig_dir {
	RIG_READ = 1,
	RIG_WRITE = 2,
	RIG_BOTH = 3,
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
	uint32_t command_percent; /* per cycle: no new command is offered */
	uint32_t record_percent;  /* per cycle: the response port is not ready */
	uint32_t ext_busy_every;  /* every n-th cycle each idle ext port reads something */
	bool reads_in_order;      /* no interleaving: R in the order of AR */
	enum rig_pick pick;
	const char *fst; /* waveform to write */
};

/** Engine of configuration @p config ("small", "default", "max"), out of reset.
 * @param opts  NULL for all defaults
 * @return NULL if there is no such configuration or the waveform cannot be written. */
struct rig *rig_open(const char *config, const struct rig_opts *opts);
void rig_close(struct rig *rig);

/** Reset the engine: queues disabled, shared memory as it was, waiting commands and records
 * dropped, poll and posted accesses dropped. Cycle count, mappings, legal ranges, error ranges,
 * hooks and failures stay. */
void rig_reset(struct rig *rig);

const struct tma_sim_info *rig_info(const struct rig *rig);

/** Cycles since rig_open(); the number of the cycle that the next rig_step() runs. */
uint64_t rig_cycle(const struct rig *rig);

/** One clock cycle. */
void rig_step(struct rig *rig);
void rig_run(struct rig *rig, uint64_t cycles);

/** Failed RTL assertions, protocol errors, rig_error() calls and time-outs so far. */
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
	/* The engine took command @p index (0, 1, .. since the queue's set-up) of @p queue. */
	void (*command)(void *arg, uint64_t cycle, uint32_t queue, uint32_t index,
	                const struct tma_command *cmd);
	void (*record)(void *arg, uint64_t cycle, const struct tma_record *rec);
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

/** Drop every region, error range and legal range of all ports. */
void rig_unmap_all(struct rig *rig);

/** Beats (reads) and bursts (writes) that touch base..base+size-1 answer @p resp. Bytes inside the
 * range are not written, and reads of it give random data. */
int rig_map_error(struct rig *rig, uint32_t port, enum rig_dir dir, uint64_t base, uint64_t size,
                  enum rig_resp resp);
void rig_clear_errors(struct rig *rig);

/** Accesses to base..base+size-1 are legal (byte exact): every strobed byte of a write and one byte
 * at least of each beat of a read has to lie in legal ranges, else it is a failure.
 * rig_queue_setup() adds the queue's windows (and takes back those of the set-up before), on every
 * port; nothing else is legal. To allow no more than a command's own bytes, call rig_legal_none()
 * after the set-up and name them. */
int rig_legal(struct rig *rig, uint32_t port, enum rig_dir dir, uint64_t base, uint64_t size);
void rig_legal_none(struct rig *rig);

/*
 * Registers. All block. Return RIG_OKAY, RIG_SLVERR, RIG_DECERR, or -ETIMEDOUT (a failure as well).
 */
int rig_csr_write(struct rig *rig, uint32_t address, uint32_t value);
int rig_csr_read(struct rig *rig, uint32_t address, uint32_t *value);

/** Register that has to exist: any other response than OKAY is a failure (and 0 is returned). */
uint32_t rig_csr(struct rig *rig, uint32_t address);
/** 64-bit counter, COUNTER[index]. */
uint64_t rig_counter(struct rig *rig, uint32_t index);

struct rig_window {
	uint64_t base, limit; /* first and last byte; the engine rounds out to 4 KiB */
	uint32_t attr;        /* RIG_READ | RIG_WRITE, 4: multimem */
};

struct rig_queue {
	uint8_t cta;       /* executing CTA */
	uint16_t cta_mask; /* CTAs it may touch; 0 means all that exist */
	uint8_t stream, prot;
	const struct rig_window *windows; /* the other windows of the queue are closed */
	uint32_t num_windows;
};

/** Disable the queue, drop its waiting commands and records, program it, enable it. Blocks.
 * @retval -EINVAL  no such queue or too many windows
 * @retval -EIO     a register refused (a failure as well) */
int rig_queue_setup(struct rig *rig, uint32_t queue, const struct rig_queue *setup);
int rig_queue_disable(struct rig *rig, uint32_t queue);

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

/** Put a copy of the command into the queue's FIFO. It is offered from the next cycle on.
 * @return index of the command since the queue's set-up, which is its sequence number
 * @retval -EINVAL  no such queue
 * @retval -ENOMEM */
int64_t rig_submit(struct rig *rig, uint32_t queue, const struct tma_command *cmd);

/** Commands that the engine has not taken yet. */
uint32_t rig_waiting(const struct rig *rig, uint32_t queue);
/** Commands that it has taken since the set-up; the cycle in which it took number @p index of them,
 * which is below that count. */
uint32_t rig_accepted(const struct rig *rig, uint32_t queue);
uint64_t rig_accept_cycle(const struct rig *rig, uint32_t queue, uint32_t index);

struct rig_record {
	struct tma_record record;
	uint64_t cycle;
};

/** Records of the queue since its set-up, oldest first. Valid until the next step. */
const struct rig_record *rig_records(const struct rig *rig, uint32_t queue, uint32_t *count);
/** A FAULT record was seen: the queue has stopped. */
bool rig_faulted(const struct rig *rig, uint32_t queue);

/*
 * Waits. @p limit is in cycles. A time-out prints what every queue and port is doing and counts
 * as a failure.
 */

/** Until every command is taken (those of faulted queues excepted), the engine says idle and no
 * burst is outstanding.
 * @retval -ETIMEDOUT */
int rig_wait_idle(struct rig *rig, uint64_t limit);
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
