/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything around one store path: shared memories, a global memory behind AXI, and a reference
 * that says what each command has to do.
 *
 * Call order: env_open(), env_window() and env_error(), env_command() any number of times,
 * env_step() or env_drain(), env_check(), env_close(). What the path does wrong fails the test at
 * once. Time passes in env_step() alone.
 */
#ifndef TMA_STORE_ENV_H
#define TMA_STORE_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "lib/rng.h"
#include "unit_rtl/tma_store_shim.h"

#define ENV_PAGE     4096u
#define ENV_PAGES    96u
#define ENV_BYTES    (ENV_PAGE * ENV_PAGES)
#define ENV_BASE     (UINT64_C(0) - ENV_BYTES) /* up to the last byte of all */
#define ENV_COMMANDS 4096u

/* Zero fields: nothing stalls. */
struct env_opts {
	uint64_t seed;
	uint32_t latency; /* of B, 0 means 20 */
	uint32_t random_latency, stall_percent;
	uint32_t command_percent; /* per cycle: no new command is offered */
	uint32_t read_percent;    /* per cycle: shared memory is not ready */
	uint32_t fault_percent;   /* per cycle: a fault is not taken */
};

/* A command, what it has to do, and how far it is. Cycles are UINT64_MAX until it happens. */
struct env_cmd {
	struct store_cmd cmd;
	uint32_t certain;  /* bursts that must be issued */
	uint32_t possible; /* more than these must not */
	uint32_t code;     /* of its fault, 0 none */
	uint64_t address;
	uint32_t beats;         /* of the bursts issued so far */
	uint32_t issued, taken; /* bursts, responses */
	uint64_t accept, error, fault, read_done, write_done;
	uint64_t first_aw, first_w;
};

struct env {
	const struct store_info *info;
	struct store *store;
	struct store_in *in;
	const struct store_out *out;
	struct axi_mem *mem;
	struct axi_check *check;
	struct env_opts o;
	struct rng rng;
	uint64_t cycle;
	bool block_aw, block_fault;

	uint8_t *smem;            /* of all CTAs */
	uint8_t *actual, *wanted; /* global memory */
	uint8_t error[ENV_PAGES]; /* response to writes of this page */
	struct store_window windows[STORE_MAX_QUEUES][STORE_MAX_WINDOWS];
	uint32_t num_windows[STORE_MAX_QUEUES];

	struct env_cmd *cmds;
	uint32_t num, offered, aw_cmd, reads_done, writes_done;
	uint32_t *flight; /* command of each burst, in order of issue */
	uint32_t flight_head, flight_tail;
	uint64_t aw_since, reads, beats, bursts, aw_events, w_events, w_stalls, stalls;
	uint64_t last_aw, last_w; /* cycles */
	bool data_comes;
	uint32_t data_cta, data_addr;
};

void env_open(struct env *e, const struct env_opts *opts);
void env_close(struct env *e);

/** Pages first..last of the region. */
void env_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last, bool write);
void env_error(struct env *e, uint32_t page, enum axi_mem_resp resp);

/** Add a command to those that are offered. Its number names it in AW, so it is chosen here.
 * @p offset: byte in the region. @return what becomes of it, valid until env_close() */
struct env_cmd *env_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t cta,
                            uint32_t saddr, uint32_t byte_mask);

void env_step(struct env *e);
/** Until all commands are done; then everything must add up. */
void env_drain(struct env *e, uint64_t limit);

#endif
