/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything around the reductions: shared memories, a global memory behind AXI on every port, and a reference
 * that says what each command has to do.
 *
 * Call order: env_open(), env_window(), env_multimem() and env_error(), env_command() and its siblings any number
 * of times, env_step() or env_drain(), env_close(). What is done wrong fails the test at once. Time passes in
 * env_step() alone.
 *
 * All memories are a region of ENV_PAGES pages: port 0's at ENV_BASE, up to the last byte of all, the others
 * elsewhere. Commands name bytes of port 0's region, also those that go to several ports.
 */
#ifndef TMA_REDUCE_ENV_H
#define TMA_REDUCE_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "sim/tma_sim.h"
#include "tma_reduce_pins.h"
#include "unit_rtl/unit_test.h"

#define CHUNK        16u
#define ENV_PAGE     4096u
#define ENV_PAGES    64u
#define ENV_BYTES    (ENV_PAGE * ENV_PAGES)
#define ENV_GRAIN    64u /* of errors; beats are no longer */
#define ENV_BASE     (UINT64_C(0) - ENV_BYTES)
#define ENV_COMMANDS 2048u
#define ENV_PORTS    4
#define ENV_BEATS    16u /* of a burst at most */
#define ENV_LEVELS   4
#define ENV_BURSTS   280u /* of one command */
#define ENV_FLIGHT   256u /* bursts of a port, more than there can be */
#define ENV_NEVER    UINT64_MAX

/* Zero fields: nothing stalls. */
struct env_opts {
	uint64_t seed;
	uint32_t latency; /* of R and B, 0 means 20 */
	uint32_t random_latency, stall_percent;
	uint32_t early_read_percent; /* bursts that are read when their address is taken */
	uint32_t command_percent;    /* per cycle: no new command is offered */
	uint32_t read_percent;       /* per cycle: shared memory is not ready */
	uint32_t fault_percent;      /* per cycle: a fault is not taken */
	uint32_t tensor_percent;     /* per cycle: set-up takes no command, and offers no walk */
	uint32_t slower_writes;      /* cycles that B takes longer */
	bool manners;                /* those of the memory are random: axi_manners.h */
};

/* One burst, at each of its ports, and how far it is there. Masks are of ports. */
struct env_burst {
	uint32_t offset, bytes; /* in port 0's region, untranslated */
	uint32_t valid,
		from; /* bytes that are updated; where their source lies in shared memory, before a swizzle */
	uint32_t apart; /* 0, or of two rows of a chunk that are joined: bytes from one to the other */
	uint32_t at[ENV_PORTS];                      /* the same in the region of the port */
	uint8_t ports, gone, asks;                   /* it goes; it is read, and follows nobody */
	uint8_t asked, failed, read, sent, answered; /* AR; some R had an error; last R; AW; B */
	uint64_t over[ENV_PORTS];                    /* cycle of the answer */
	uint8_t resp[ENV_PORTS];
};

/* What a tensor reduction does. Loop i moves `count[i]` times by `step[i]` from `start[i]`, `stride[i]`
 * chunks per unit; a row has data where all loops lie in 0..dim-1. Gather: row i is that of loop i alone. */
struct env_tensor {
	uint32_t offset; /* of the first row, in or out of bounds, in the region */
	uint32_t cta, saddr, pitch, chunks, odd, swizzle;
	uint32_t loops, count[ENV_LEVELS], step[ENV_LEVELS], dim[ENV_LEVELS], stride[ENV_LEVELS];
	int32_t start[ENV_LEVELS];
	bool gather, outside, empty;
	uint32_t fault; /* of its set-up */
	uint64_t fault_address;
};

/* A command, what it has to do, and how far it is. Cycles are ENV_NEVER until it happens. */
struct env_cmd {
	struct reduce_reduce_cmd cmd;
	struct reduce_how how;
	struct env_tensor tensor;
	struct env_burst burst[ENV_BURSTS]; /* that the windows allow */
	uint32_t bursts;
	uint32_t deny_code; /* of what follows them, 0: nothing */
	uint64_t deny_address;

	uint32_t code; /* of its fault, 0 none so far */
	uint64_t address;
	uint32_t asked, sent; /* AR and AW so far */
	uint32_t reads;       /* of shared memory, if nothing fails */
	uint64_t accept, fault, read_done, done, first_ar, first_aw;
};

/* A burst in flight at a port. */
struct env_flight {
	struct env_cmd *c;
	struct env_burst *b;
};

/* Bursts whose pins are awaited. */
struct env_queue {
	struct env_flight at[ENV_FLIGHT];
	uint32_t head, tail;
};

struct env_port {
	struct axi_mem *mem;
	struct axi_check *check;
	struct tma_axi_in in;
	struct tma_axi_out out;
	uint8_t *actual, *wanted;                                                      /* memory */
	uint8_t read_error[ENV_BYTES / ENV_GRAIN], write_error[ENV_BYTES / ENV_GRAIN]; /* responses */
	struct env_queue ar, r, aw, b;      /* bursts that owe these */
	struct env_flight live[ENV_FLIGHT]; /* all that will change memory */
	uint32_t lives;
};

struct env {
	const struct unit_shape *info;
	struct reduce *unit;
	struct reduce_in *in;
	const struct reduce_out *out;
	struct env_port port[ENV_PORTS];
	struct env_opts o;
	struct rng rng;
	uint64_t cycle;
	bool block_fault;
	uint8_t block_ar, block_aw, block_w; /* ports */
	uint8_t dead, died; /* ports; a test sets the former, the other one is that of the cycle before */

	uint8_t *smem; /* of all CTAs */
	struct reduce_window windows[16][8];
	uint32_t num_windows[16];
	uint32_t num_multimem;

	struct env_cmd *cmds;
	uint32_t num, offered, accepted, reads_done, writes_done;
	uint32_t go_cmd, go_turn; /* the burst that goes next, if its command goes on */
	/* Tensor commands: those that set-up has taken, and how many of them are walks by now. */
	uint32_t set_up[ENV_COMMANDS], num_set_up, walked;
	uint64_t reads, done_reads, asked, bursts, beats, followed;
	uint64_t aw_events, w_events, w_stalls, stalls;
	uint64_t last_ar, last_aw, first_w, last_w, last_r; /* cycles */
	bool data_comes;
	uint32_t data_cta;
	uint16_t data_rows[8];
};

void env_open(struct env *e, const struct env_opts *opts);
/** Queue 0 may read and write all pages. */
void env_open_all(struct env *e, const struct env_opts *opts);
void env_close(struct env *e);

#define ENV_TEST(name, ...) \
	TEST_IN(name, struct env, e, env_open(e, &(const struct env_opts){ __VA_ARGS__ }), env_close(e))
#define ENV_ALL_TEST(name, ...) \
	TEST_IN(name, struct env, e, env_open_all(e, &(const struct env_opts){ __VA_ARGS__ }), env_close(e))

/** Pages first..last of the region. */
void env_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last, bool read, bool write);
void env_mm_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last);
/** Multimem window; page @p first lies at page @p to[p] of port p. */
void env_multimem(struct env *e, uint32_t first, uint32_t last, uint8_t ports, const uint32_t *to);
/** Reads or writes (@p dir: AXI_MEM_READ, AXI_MEM_WRITE, or both) of these bytes of the port's region answer @p resp. */
void env_error_at(struct env *e, uint32_t port, uint32_t dir, uint32_t offset, uint32_t bytes,
                  enum axi_mem_resp resp);
/** The same of a page. */
void env_error(struct env *e, uint32_t port, uint32_t dir, uint32_t page, enum axi_mem_resp resp);

/** Operators on types that are built: random ones, or all by their numbers below env_hows(). */
struct reduce_how env_draw_how(struct env *e);
/** A sum of a type of floating point; where that is not built of u32. */
struct reduce_how env_add(const struct env *e, uint8_t type);
uint32_t env_hows(const struct env *e);
struct reduce_how env_how(uint32_t index);
/** Bytes of an element. */
uint32_t env_element(const struct reduce_how *how);

/** Add a command to those that are offered. Its number names it in AR and AW, so it is chosen here.
 * @p offset: byte in the region. @return what becomes of it, valid until env_close() */
struct env_cmd *env_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t cta,
                            uint32_t saddr, struct reduce_how how);
struct env_cmd *env_mm_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t cta,
                               uint32_t saddr, struct reduce_how how);
struct env_cmd *env_tensor(struct env *e, uint32_t queue, const struct env_tensor *tensor,
                           struct reduce_how how);

void env_step(struct env *e);
void env_steps(struct env *e, uint32_t count);
/** Until all commands are done; then everything must add up. */
void env_drain(struct env *e, uint64_t limit);

/*
 * Set-up of tensor commands (tma_reduce_walk.c).
 */

/** Drive its pins, before the cycle is settled. */
void walk_drive(struct env *e);
/** See the handshakes of a settled cycle. */
void walk_step(struct env *e);

/*
 * Reference (tma_reduce_ref.c, its plan in tma_reduce_plan.c).
 */

uint8_t ref_stream(uint32_t queue);
uint8_t ref_prot(uint32_t queue);
uint64_t ref_base(uint32_t port);

/* Of a burst at a port: whether it goes there, lies in one line, has a byte of another one; what its errors say. */
bool burst_is_at(const struct env_burst *b, uint32_t p);
bool burst_in_a_line(const struct env *e, const struct env_burst *b, uint32_t p);
bool burst_touches(const struct env_burst *a, const struct env_burst *b, uint32_t p);
uint8_t burst_read_error(const struct env *e, const struct env_burst *b, uint32_t p);
uint8_t burst_write_error(const struct env *e, const struct env_burst *b, uint32_t p);
/** Bursts of a command, by the windows as they are. */
void ref_plan(const struct env *e, struct env_cmd *c);
/** Look at the settled pins of a cycle. */
void ref_step(struct env *e);
/** Whether all adds up, once nothing is left. */
void ref_finish(struct env *e);

#endif
