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
#include "sim/tma_sim.h"
#include "tma_load_pins.h"
#include "unit_rtl/unit_test.h"

/* Encodings of the RTL's types. */
enum load_client { LOAD_LOAD = 0, LOAD_PREFETCH = 1, LOAD_MAP = 2, LOAD_RING = 3, LOAD_CP = 5 };

enum load_swizzle {
	LOAD_SWIZZLE_OFF,
	LOAD_XOR_32,
	LOAD_XOR_64,
	LOAD_XOR_128,
	LOAD_ATOM_32,
	LOAD_FLIP,
	LOAD_ATOM_64,
	LOAD_SWIZZLES
};

enum load_format { LOAD_PLAIN, LOAD_TF32, LOAD_PAD_4, LOAD_PAD_6 };

#define ENV_PAGE        4096u
#define ENV_PAGES       96u
#define ENV_BYTES       (ENV_PAGE * ENV_PAGES)
#define ENV_BASE        (UINT64_C(0) - ENV_BYTES) /* up to the last byte of all */
#define ENV_COMMANDS    1024u
#define ENV_GRAIN       128u /* of error responses */
#define ENV_PAGE_GRAINS (ENV_PAGE / ENV_GRAIN)
#define ENV_FETCHES     512u
#define ENV_ID_UNIT     4u /* ids are 4 * client + channel */

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
	uint32_t tensor_percent;  /* per cycle: set-up takes no tensor copy */
	uint32_t walk_percent;    /* per cycle: no new walk is offered */
};

#define ENV_LEVELS 4

/* A loop of a tensor copy: `count` positions from `start` on, in bounds from 0 to `last`. */
struct env_level {
	int64_t start, stride; /* of a position, in chunks */
	uint32_t count, step, last;
};

/*
 * A tensor copy as set-up hands it to the walker. A row in bounds has `head` chunks of fill, `chunks`
 * of data, `odd` bytes of the last of them (0: all), `tail` chunks of fill; in a padded format 4 or 6
 * chunks of data alone. All others are all fill.
 */
struct env_tensor {
	struct env_level level[ENV_LEVELS]; /* from the innermost on; count 0 is 1 */
	uint32_t offset;                    /* of the source: position 0 of all levels */
	uint32_t saddr, pitch, head, chunks, odd, tail;
	struct load_layout layout;
	uint32_t halo;    /* with a single level of 128 + halo positions: that of im2col::w::128 */
	bool outside;     /* all rows are out of bounds */
	uint32_t fault;   /* nothing but this fault */
	uint64_t address; /* of it */
};

/* One burst: bytes of the source that are read; of these, those that are not out of bounds, from the first on, or
 * of two rows that are joined their own; the end of the only row in shared memory, if that is a chunk, else 0. */
struct env_burst {
	uint32_t offset, bytes, data, end;
};

/* A command, what it has to do, and how far it is. Cycles are UINT64_MAX until it happens. */
struct env_cmd {
	struct load_load_cmd cmd;
	struct load_walk walk; /* of a tensor copy */
	struct env_burst *bursts;
	uint32_t num_bursts;
	uint32_t certain;  /* bursts that must be issued */
	uint32_t possible; /* more than these must not */
	uint32_t code;     /* of its fault, 0 none */
	uint64_t address;
	uint32_t errors;            /* of a prefetch: beats with an error response, parts in no window */
	uint32_t total, total_data; /* bytes that are to be written in one CTA; of these, that are read */
	uint32_t issued, id, bytes, data;
	uint32_t channel; /* of a load: they go round, those of tensor copies among themselves */
	uint64_t accept, walked, first_ar, first_write, last_write, signal, fault, read;
	bool failed;  /* a cp.async that wrote nothing */
	bool dropped; /* an arrival that did not come */
};

/* A fetch of the ring, a fetch or probe of maps. */
struct env_fetch {
	struct load_fetch fetch;
	bool denied;
	uint32_t beats; /* that have come */
	uint64_t offer, accept, ar;
};

/* A bulk prefetch: what is left of it. */
struct env_prefetch {
	struct load_prefetch_cmd cmd;
	uint64_t at;
	uint32_t left, pages; /* chunks; pages read so far */
	bool closed;          /* its queue is, and drops it */
};

#define ENV_PREFETCHES  64u
#define ENV_PREFETCH_L2 3u /* the hint of these, of no other prefetch */

/* All of one kind. Indices: the next one to be offered, taken, seen on AR, to get a beat, to be done. */
struct env_stream {
	struct env_fetch *list;
	uint32_t num, offered, taken, ar, now, left;
	uint32_t denial_in; /* cycles; 0: none comes */
};

enum env_stream_kind { ENV_RING, ENV_MAP, ENV_STREAMS };

/* What a byte of shared memory gets. */
enum env_kind { ENV_FILL, ENV_PAD, ENV_DATA };

struct env {
	const struct unit_shape *info;
	struct load *unit;
	struct load_in *in;
	const struct load_out *out;
	struct tma_axi_in axi_in; /* the port, for memory and checker */
	struct tma_axi_out axi_out;
	struct axi_mem *mem;
	struct axi_check *check;
	struct env_opts o;
	struct rng rng;
	uint64_t cycle;
	bool block_signal, block_fault, block_chunk, block_arrive, block_tensor;
	bool dead, late; /* the port, from env_kill() on */

	uint8_t *global;
	uint8_t error[ENV_BYTES / ENV_GRAIN];
	uint16_t *owner;  /* of each byte of a shared memory: command + 1 */
	uint8_t *want;    /* of each of these bytes: its value, */
	uint8_t *kind;    /* and what it is */
	uint8_t *written; /* of each byte of all shared memories */
	struct load_window windows[16][8];
	uint32_t num_windows[16];

	struct env_cmd *cmds;
	uint32_t num, offered, first_seq;
	/* Tensor copies: 1. The one whose burst was last on AR; loads so far. */
	uint32_t ar_cmd[2], loads[2];
	uint64_t ar_since, first_r, last_r;
	uint64_t ar_before, ar_taken; /* of the address before: since when it was there, and when it went */
	uint32_t beats, prefetch_errors, expected_errors, signals, faults;
	uint64_t stalls;              /* cycles in which a beat was not taken; */
	uint32_t stall_run, most_run; /* in a row until now, at most */

	struct env_stream fetch[ENV_STREAMS];

	struct env_prefetch prefetch[ENV_PREFETCHES];
	uint32_t prefetches, prefetch_offered, prefetch_done;

	/* Tensor copies: the next one to be taken by set-up, the next one to be walked, taken and not over. */
	uint32_t tensor_next, walk_next, walks;
	uint64_t writes, first_line, last_line;

	uint32_t cp_next; /* command that is the next of cp.async to be done */
	bool cp_failed[16];
	uint32_t chunks, arrivals, drops;
	uint64_t first_chunk, last_chunk;

	/* What is in flight of each queue by the events, and what the port owes its loads. */
	int32_t flight[16], owed[16];
	uint32_t id_queue[ENV_ID_UNIT][ENV_COMMANDS], id_put[ENV_ID_UNIT], id_got[ENV_ID_UNIT];
};

void env_open(struct env *e, const struct env_opts *opts);
/** The same, with everything readable. */
void env_open_all(struct env *e, const struct env_opts *opts);
/** The same, with windows that leave out some pages and errors here and there: pages 40 to 51 are sound. */
void env_open_random(struct env *e, const struct env_opts *opts);
void env_close(struct env *e);

#define ENV_TEST(name, ...) \
	TEST_IN(name, struct env, e, env_open(e, &(const struct env_opts){ __VA_ARGS__ }), env_close(e))
#define ENV_ALL_TEST(name, ...) \
	TEST_IN(name, struct env, e, env_open_all(e, &(const struct env_opts){ __VA_ARGS__ }), env_close(e))
#define ENV_RANDOM_TEST(name, ...)                                                                \
	TEST_IN(name, struct env, e, env_open_random(e, &(const struct env_opts){ __VA_ARGS__ }), \
	        env_close(e))

uint32_t env_all_ctas(const struct env *e);

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
/* `rows` rows of `chunks` chunks, dense on both sides, all in bounds. */
static inline struct env_tensor env_dense(uint32_t offset, uint32_t saddr, uint32_t rows, uint32_t chunks)
{
	struct env_tensor t = { .offset = offset, .saddr = saddr, .pitch = chunks, .chunks = chunks };

	t.level[0] = (struct env_level){ .count = rows, .step = 1, .last = rows - 1, .stride = chunks };
	return t;
}
/** A tensor load to the CTAs @p dst, 0: a prefetch. */
struct env_cmd *env_tensor(struct env *e, uint32_t queue, const struct env_tensor *t, uint32_t dst);
/** @p offset in units of 64 bytes, @p count commands, all in one page. */
struct env_fetch *env_fetch(struct env *e, uint32_t queue, uint32_t offset, uint32_t count);
/** The same for @p count times 64 bytes of a map, or a probe of them. */
struct env_fetch *env_map(struct env *e, uint32_t queue, uint32_t offset, uint32_t count, bool probe);
/** A bulk prefetch of @p chunks from any address on; there may be ENV_PREFETCHES until all is done. */
struct env_prefetch *env_prefetch(struct env *e, uint32_t queue, uint64_t gaddr, uint32_t chunks);
/** The queue is resumed: its failed cp.async are forgotten. */
void env_resume(struct env *e, uint32_t queue);
/** The port dies. What has not ended ends with PORT_DEAD, even if its data comes @p late. */
void env_kill(struct env *e, bool late);

void env_step(struct env *e);
void env_steps(struct env *e, uint32_t count);
/** Until all commands are done; then checks what they have left, and forgets them. */
void env_drain(struct env *e, uint64_t limit);

#define ENV_STYLES 4
/** As env_open_random(), in one of the ways in which everything stalls. */
void env_open_style(struct env *e, uint32_t style, uint64_t seed);
/** Rounds in which the port dies amid `traffic`: everything ends, once, and what had ended is as it was.
 * Behind @p most cycles at the latest; @p faults are seen at the least. */
void env_dead_rounds(uint64_t seed, void (*traffic)(struct env *e, uint32_t commands, uint32_t error_percent),
                     uint32_t most, uint32_t faults);

/*
 * For the parts of the environment alone.
 */

#define ENV_NEVER UINT64_MAX
#define ENV_CHUNK 16u

bool env_allowed(const struct env *e, uint32_t queue, uint32_t page);
uint8_t env_stream(uint32_t queue);
uint8_t env_prot(uint32_t queue);
struct env_cmd *env_new(struct env *e, uint32_t queue, uint64_t gaddr, enum load_client client);
uint32_t env_code(uint32_t resp); /* fault of an error response */
/** The next burst of a command reads this, and what follows from all of them. */
void env_burst(struct env *e, struct env_cmd *c, uint32_t offset, uint32_t bytes, uint32_t data);
void env_expect(struct env *e, struct env_cmd *c);
/** A load gets its channel. */
void env_spread(struct env *e, struct env_cmd *c);
/** The last command owns this byte of shared memory. */
void env_own(struct env *e, uint32_t at, uint8_t want, enum env_kind kind);

/** A burst of a fetch is on AR and taken. */
void env_see_fetch_ar(struct env *e, enum env_stream_kind kind);
/** Everything that a cycle shows of fetches, of cp.async and of events; inputs of fetches before it. */
void env_offer_fetch(struct env *e);
void env_see_fetch(struct env *e);
/** The same of set-up and walks. */
void env_offer_walk(struct env *e);
void env_see_walk(struct env *e);
void env_see_write(struct env *e);
void env_see_cp(struct env *e);
/** Bulk prefetches: the next one, a page on AR that is taken, whether all is done. */
void env_offer_prefetch(struct env *e);
void env_see_prefetch_ar(struct env *e);
bool env_prefetched(struct env *e);
void env_see_events(struct env *e);

#endif
