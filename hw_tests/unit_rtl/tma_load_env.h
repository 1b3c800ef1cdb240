/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything around one load path: global memory behind AXI, shared memories, and a reference that
 * says what each command has to do.
 *
 * Call order: env_open(), env_window() and env_error(), then any number of times env_command() and
 * env_drain(), env_close(). What the path does wrong fails the test at once. Time passes in
 * env_step() alone. The destinations of commands between two env_drain() do not overlap: a byte
 * has one owner, is written once, and with the right value.
 */
#ifndef TMA_LOAD_ENV_H
#define TMA_LOAD_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "lib/rng.h"
#include "unit_rtl/tma_load_shim.h"

#define ENV_PAGE     4096u
#define ENV_PAGES    96u
#define ENV_BYTES    (ENV_PAGE * ENV_PAGES)
#define ENV_BASE     (UINT64_C(0) - ENV_BYTES) /* up to the last byte of all */
#define ENV_COMMANDS 1024u
#define ENV_GRAIN    128u /* of error responses */

/* Zero fields: nothing stalls. */
struct env_opts {
	uint64_t seed;
	uint32_t latency; /* of R, 0 means 20 */
	uint32_t random_latency, stall_percent;
	uint32_t command_percent; /* per cycle: no new command is offered */
	uint32_t write_percent;   /* per cycle: shared memory is not ready */
	uint32_t signal_percent;  /* per cycle: a signal is not taken */
	uint32_t fault_percent;   /* per cycle: a fault is not taken */
};

/* A command, what it has to do, and how far it is. Cycles are UINT64_MAX until it happens. */
struct env_cmd {
	struct load_cmd cmd;
	uint32_t certain;  /* bursts that must be issued */
	uint32_t possible; /* more than these must not */
	uint32_t code;     /* of its fault, 0 none */
	uint64_t address;
	uint32_t errors; /* beats of a prefetch with an error response */
	uint32_t issued, id, bytes;
	uint64_t accept, first_ar, first_write, signal, fault;
};

struct env {
	const struct load_info *info;
	struct load *load;
	struct load_in *in;
	const struct load_out *out;
	struct axi_mem *mem;
	struct axi_check *check;
	struct env_opts o;
	struct rng rng;
	uint64_t cycle;
	bool block_signal, block_fault;

	uint8_t *global;
	uint8_t error[ENV_BYTES / ENV_GRAIN];
	uint16_t *owner;  /* of each byte of a shared memory: command + 1 */
	uint8_t *written; /* of each byte of all shared memories */
	struct load_window windows[LOAD_MAX_QUEUES][LOAD_MAX_WINDOWS];
	uint32_t num_windows[LOAD_MAX_QUEUES];

	struct env_cmd *cmds;
	uint32_t num, offered, ar_cmd, first_seq;
	uint64_t ar_since, first_r, last_r;
	uint32_t beats, prefetch_errors, expected_errors, signals, faults;
};

void env_open(struct env *e, const struct env_opts *opts);
void env_close(struct env *e);

/** A window of a queue that allows to read, or only to write, the pages first..last. */
void env_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last, bool read);
/** Beats that touch this grain of global memory answer so. */
void env_error(struct env *e, uint32_t grain, enum axi_mem_resp resp);

/** @p offset of the source, @p saddr in chunks, @p ctas 0: a prefetch. */
struct env_cmd *env_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t saddr,
                            uint32_t ctas);

void env_step(struct env *e);
/** Until all commands are done; then checks what they have left, and forgets them. */
void env_drain(struct env *e, uint64_t limit);

#endif
