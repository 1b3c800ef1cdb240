/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything around one store path: shared memories, a global memory behind AXI on every port, and a
 * reference that says what each command and record has to do.
 *
 * Call order: env_open(), env_window(), env_multimem() and env_error(), env_command() and env_record()
 * any number of times, env_step() or env_drain(), env_close(). What the path does wrong fails the
 * test at once. Time passes in env_step() alone.
 *
 * All memories are a region of ENV_PAGES pages: port 0's at ENV_BASE, up to the last byte of all, the
 * others elsewhere. Commands name bytes of port 0's region, also those of multimem stores.
 */
#ifndef TMA_STORE_ENV_H
#define TMA_STORE_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "sim/tma_sim.h"
#include "tma_store_pins.h"
#include "unit_rtl/unit_test.h"

#define CHUNK        16u
#define ENV_PAGE     4096u
#define ENV_PAGES    96u
#define ENV_BYTES    (ENV_PAGE * ENV_PAGES)
#define ENV_BASE     (UINT64_C(0) - ENV_BYTES)
#define ENV_COMMANDS 4096u
#define ENV_PORTS    4
#define ENV_LANES    2   /* with several ports, broadcasts have one of their own */
#define ENV_SPREAD   16u /* beats of a broadcast's burst at most */
#define ENV_LEVELS   4
#define ENV_BURSTS   200u /* of one command */
#define ENV_NEVER    UINT64_MAX

/* Zero fields: nothing stalls. */
struct env_opts {
	uint64_t seed;
	uint32_t latency; /* of B, 0 means 20 */
	uint32_t random_latency, stall_percent;
	uint32_t command_percent; /* per cycle: no new command is offered */
	uint32_t record_percent;  /* per cycle: no new record is offered */
	uint32_t read_percent;    /* per cycle: shared memory is not ready */
	uint32_t fault_percent;   /* per cycle: a fault is not taken */
	uint32_t tensor_percent;  /* per cycle: set-up takes no command, and offers no walk */
};

/* One burst: where it goes, and how far it is. Masks are of ports. */
struct env_burst {
	uint32_t offset, bytes; /* in port 0's region, untranslated */
	uint32_t valid, from; /* bytes that are written; where they lie in shared memory, before a swizzle */
	uint32_t apart;       /* 0, or of two rows of a chunk that are joined: bytes from one to the other */
	uint32_t at[ENV_PORTS]; /* the same in the region of the port */
	uint8_t ports, sent, answered;
	uint8_t resp[ENV_PORTS];
};

/* What a tensor store does. Loop i moves `count[i]` times by `step[i]` from `start[i]`, `stride[i]`
 * chunks per unit; a row has data where all loops lie in 0..dim-1. Gather: row i is that of
 * loop i alone. */
struct env_tensor {
	uint32_t offset; /* of the first row, in or out of bounds, in the region */
	uint32_t cta, saddr, pitch, chunks, odd, swizzle;
	uint32_t loops, count[ENV_LEVELS], step[ENV_LEVELS], dim[ENV_LEVELS], stride[ENV_LEVELS];
	int32_t start[ENV_LEVELS];
	uint32_t counted; /* of a single loop: its rows are counted, as pixels are */
	bool gather, outside, empty;
	bool pack; /* 128 values of 6 bits: rows of 6 chunks, 32-byte aligned, of 128 bytes in shared memory */
	uint32_t fault; /* of its set-up */
	uint64_t fault_address;
};

/* Who takes the data of a broadcast first; the others take none of it before. */
enum env_turn { TURN_ANY, TURN_PORT_0, TURN_OTHERS, TURN_CROSSED /* by turns */ };

/* A command or record, what it has to do, and how far it is. Cycles are ENV_NEVER until it happens. */
struct env_cmd {
	struct store_store_cmd cmd; /* of a record: gaddr and origin */
	bool record;
	uint8_t data[32];                   /* of a record */
	struct env_tensor tensor;           /* of a tensor store */
	struct env_burst burst[ENV_BURSTS]; /* that the windows allow */
	uint32_t bursts;
	uint32_t deny_code; /* of what follows them, 0: nothing */
	uint64_t deny_address;

	uint32_t code; /* of its fault, 0 none so far */
	uint64_t address;
	uint32_t issued, reads; /* bursts on some port so far, and the reads that their data takes */
	uint64_t accept, error, fault, read_done, done, first_aw;
};

struct env {
	const struct unit_shape *info;
	struct store *unit;
	struct store_in *in;
	const struct store_out *out;
	/* The ports, for memory and checker. */
	struct tma_axi_in axi_in[ENV_PORTS];
	struct tma_axi_out axi_out[ENV_PORTS];
	struct axi_mem *mem[ENV_PORTS];
	struct axi_check *check[ENV_PORTS];
	struct env_opts o;
	struct rng rng;
	uint64_t cycle;
	bool block_fault;
	uint8_t block_aw, block_w; /* ports */
	enum env_turn turn;
	uint8_t dead; /* ports; a test sets them */

	uint8_t *smem;                                  /* of all CTAs */
	uint8_t *actual[ENV_PORTS], *wanted[ENV_PORTS]; /* global memory */
	uint8_t error[ENV_PORTS][ENV_PAGES];            /* response to writes of this page */
	struct store_window windows[16][8];
	uint32_t num_windows[16];
	uint32_t num_multimem;

	struct env_cmd *cmds, *recs;
	uint32_t num, offered, reads_done, writes_done;
	/* By lane: commands so far; the next one to be offered, that has read, that is done. */
	uint32_t lane_num[ENV_LANES], next_offer[ENV_LANES], next_read[ENV_LANES], next_write[ENV_LANES];
	struct env_cmd *on_offer;
	/* Tensor commands: those that set-up has taken, and how many of them are walks by now. */
	uint32_t set_up[ENV_COMMANDS], num_set_up, walked;
	uint32_t num_recs, recs_offered, recs_taken, recs_popped, recs_done;
	/* Per port: command and record whose burst came last on AW; where its bursts go on. */
	uint32_t aw_cmd[ENV_LANES][ENV_PORTS], aw_burst[ENV_LANES][ENV_PORTS], aw_rec[ENV_PORTS];
	struct env_burst **flight[ENV_PORTS][ENV_LANES]; /* without response, in order of issue */
	struct env_cmd **flight_cmd[ENV_PORTS][ENV_LANES];
	uint32_t flight_head[ENV_PORTS][ENV_LANES], flight_tail[ENV_PORTS][ENV_LANES];
	uint64_t aw_since[ENV_PORTS];
	uint64_t aw_before[ENV_PORTS], aw_taken[ENV_PORTS]; /* of the address before: since when, and when */
	uint64_t reads, wanted_reads, done_reads, bursts, beats, port_beats[ENV_PORTS];
	uint32_t lasts[ENV_PORTS]; /* bursts whose last beat was taken */
	uint64_t aw_events, w_events, w_stalls, stalls;
	uint64_t last_aw, last_w, rec_accept; /* cycles */
	bool data_comes;
	uint32_t data_cta;
	uint16_t data_rows[8];
};

void env_open(struct env *e, const struct env_opts *opts);
/** Queue 0 may write all pages. */
void env_open_all(struct env *e, const struct env_opts *opts);
void env_close(struct env *e);

#define ENV_TEST(name, ...) \
	TEST_IN(name, struct env, e, env_open(e, &(const struct env_opts){ __VA_ARGS__ }), env_close(e))
#define ENV_ALL_TEST(name, ...) \
	TEST_IN(name, struct env, e, env_open_all(e, &(const struct env_opts){ __VA_ARGS__ }), env_close(e))

/** Pages first..last of the region. */
void env_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last, bool write);
void env_mm_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last);
/** Multimem window; page @p first lies at page @p to[p] of port p. */
void env_multimem(struct env *e, uint32_t first, uint32_t last, uint8_t ports, const uint32_t *to);
/** Writes to this page of the port's region answer @p resp. */
void env_error(struct env *e, uint32_t port, uint32_t page, enum axi_mem_resp resp);

/** Add a command to those that are offered. Its number names it in AW, so it is chosen here.
 * @p offset: byte in the region. @return what becomes of it, valid until env_close() */
struct env_cmd *env_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t cta,
                            uint32_t saddr, uint32_t byte_mask);
struct env_cmd *env_mm_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t cta,
                               uint32_t saddr, uint32_t byte_mask);
struct env_cmd *env_tensor(struct env *e, uint32_t queue, const struct env_tensor *tensor);
struct env_cmd *env_record(struct env *e, uint32_t queue, uint32_t offset);

/** The lane of a command, and the next one of a lane from this number on, or the number of all. */
uint32_t env_lane(const struct env *e, const struct env_cmd *c);
uint32_t env_next(const struct env *e, uint32_t lane, uint32_t from);

void env_step(struct env *e);
void env_steps(struct env *e, uint32_t count);
/** Until all commands and records are done; then everything must add up. */
void env_drain(struct env *e, uint64_t limit);

/*
 * Set-up of tensor commands (tma_store_walk.c).
 */

/** Drive its pins, before the cycle is settled. */
void walk_drive(struct env *e);
/** See the handshakes of a settled cycle. */
void walk_step(struct env *e);

/*
 * Reference (tma_store_ref.c, its plan in tma_store_plan.c).
 */

uint8_t ref_stream(uint32_t queue);
uint8_t ref_prot(uint32_t queue);
uint64_t ref_base(uint32_t port);
/** Bursts of a command, by the windows as they are. */
void ref_plan(const struct env *e, struct env_cmd *c);
/** Look at the settled pins of a cycle. */
void ref_step(struct env *e);
/** Whether all that was sent adds up, once nothing is left. */
void ref_finish(struct env *e);

#endif
