/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything around one load path: global memory behind AXI, shared memories, a ring that fetches,
 * and a reference that says what each command and fetch has to do.
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
#define ENV_FETCHES  512u
#define ENV_ID_UNIT  4u /* ids are 4 * client + channel */

/* Zero fields: nothing stalls. */
struct env_opts {
	uint64_t seed;
	uint32_t latency; /* of R, 0 means 20 */
	uint32_t random_latency, stall_percent;
	uint32_t command_percent; /* per cycle: no new command is offered */
	uint32_t write_percent;   /* per cycle: shared memory is not ready */
	uint32_t signal_percent;  /* per cycle: a signal is not taken */
	uint32_t fault_percent;   /* per cycle: a fault is not taken */
	uint32_t fetch_percent;   /* per cycle: no new fetch is offered */
	uint32_t ring_percent;    /* per cycle: a fetched beat is not taken */
	uint32_t chunk_percent;   /* per cycle: shared memory does not take a chunk of cp.async */
	uint32_t arrive_percent;  /* per cycle: an arrival is not taken */
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
	bool failed;  /* a cp.async that wrote nothing */
	bool dropped; /* an arrival that did not come */
};

/* A fetch of the rings. */
struct env_fetch {
	struct load_fetch fetch;
	bool denied;
	uint32_t beats; /* that have come */
	uint64_t offer, accept, ar;
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
	bool block_signal, block_fault, block_chunk, block_arrive;
	bool dead, late; /* the port, from env_kill() on */

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
	uint64_t stalls; /* cycles in which a beat was not taken */

	struct env_fetch *fetches;
	uint32_t num_fetches, fetch_offered, fetch_taken, fetch_ar, fetch_now;
	bool denial_due;

	uint32_t cp_next; /* command that is the next of cp.async to be done */
	bool cp_failed[LOAD_MAX_QUEUES];
	uint32_t chunks, arrivals, drops;
	uint64_t first_chunk, last_chunk;

	/* What is in flight of each queue by the events, and what the port owes its loads. */
	int32_t flight[LOAD_MAX_QUEUES], owed[LOAD_MAX_QUEUES];
	uint32_t id_queue[ENV_ID_UNIT][ENV_COMMANDS], id_put[ENV_ID_UNIT], id_got[ENV_ID_UNIT];
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

/** A cp.async of @p size bytes, @p valid of them from @p offset of the source, to byte @p to of a CTA. */
struct env_cmd *env_cp(struct env *e, uint32_t queue, uint32_t offset, uint32_t size, uint32_t valid,
                       uint32_t to, uint32_t cta);
/** An arrival behind the cp.async of its queue. */
struct env_cmd *env_arrival(struct env *e, uint32_t queue, uint32_t cta);
/** @p offset in units of 64 bytes, @p count commands, all in one page. */
struct env_fetch *env_fetch(struct env *e, uint32_t queue, uint32_t offset, uint32_t count);
/** The queue is resumed: its failed cp.async are forgotten. */
void env_resume(struct env *e, uint32_t queue);
/** The port dies. What has not ended ends with PORT_DEAD, even if its data comes @p late. */
void env_kill(struct env *e, bool late);

void env_step(struct env *e);
/** Until all commands are done; then checks what they have left, and forgets them. */
void env_drain(struct env *e, uint64_t limit);

/*
 * For the parts of the environment alone.
 */

#define ENV_NEVER UINT64_MAX
#define ENV_CHUNK 16u

#define REQUIRE(e, condition)                                                      \
	do {                                                                       \
		if (!(condition))                                                  \
			fail_msg("cycle %" PRIu64 ": %s", (e)->cycle, #condition); \
	} while (0)

bool env_allowed(const struct env *e, uint32_t queue, uint32_t page);
uint8_t env_stream(uint32_t queue);
uint8_t env_prot(uint32_t queue);
struct env_cmd *env_new(struct env *e, uint32_t queue, uint64_t gaddr, enum load_client client);
uint32_t env_code(uint32_t resp); /* fault of an error response */

/** A burst of the rings is on AR and taken. */
void env_see_fetch_ar(struct env *e);
/** Everything that a cycle shows of fetches, of cp.async and of events; inputs of fetches before it. */
void env_offer_fetch(struct env *e);
void env_see_fetch(struct env *e);
void env_see_cp(struct env *e);
void env_see_events(struct env *e);

#endif
