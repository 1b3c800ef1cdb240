/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_shared_copy between commands, shared memories and barriers that all take their time.
 *
 * Checks in every cycle: reads and writes are the lines of the commands in order, with every byte and
 * byte enable right whatever the alignment on either side; never both reads of one CTA; a signal comes after its last
 * write, in order; events; idle. What stands on the read data in any cycle but the one after a handshake is noise.
 *
 * Without reductions, memory is a function of the address, and nothing is kept. With them it keeps what is written: a
 * line has to be what a reduction makes of memory as the writes before it left it, so a lost update shows. Commands
 * then read from the lower half, copies write the third quarter, reductions the fourth.
 */
#ifndef TMA_SHARED_COPY_ENV_H
#define TMA_SHARED_COPY_ENV_H

#include <stdbool.h>

#include "unit_rtl/unit_test.h"
#include "tma_shared_copy_pins.h"

#define CHUNK    16u
#define COMMANDS 64u /* of a case, under way at most */
#define READERS  2u  /* source, destination */

/* Percent. */
struct opts {
	uint64_t seed;
	uint32_t offer, rd_stall, wr_stall, sig_stall;
	uint32_t long_percent; /* of commands */
	uint32_t reduce;       /* of commands; not 0: memory is kept */
	uint32_t dst_stall;    /* of reads of destinations */
	uint32_t own;          /* of reductions: in their own CTA */
	uint32_t hot;          /* of reductions: to a few lines of one CTA */
};

/* A line: a command and a chunk of it. */
struct place {
	uint64_t command;
	uint32_t at;
};

/* A read whose data is due. */
struct due {
	bool valid;
	uint32_t addr;     /* first chunk */
	uint8_t data[128]; /* from there on */
};

struct env {
	struct shared_copy *unit;
	struct shared_copy_in *in;
	const struct shared_copy_out *out;
	const struct unit_shape *info;
	struct opts o;
	struct rng rng;
	uint32_t chunks; /* of a line */
	uint8_t *memory; /* of all CTAs, if it is kept */
	uint64_t cycle, lines, first_read, last_write;

	struct shared_copy_shared_cmd cmds[COMMANDS];
	struct place reading[READERS], writing;
	struct due due[READERS];
	uint64_t taken, signalled, done;
};

void env_open(struct env *e, const struct opts *o);

/** A random command of the case. */
struct shared_copy_shared_cmd env_draw(struct env *e);

/** One cycle. Commands are offered as the options say, or what the test has put on the pins. */
void env_step(struct env *e);

/** All that was offered is done, and nothing else. */
void env_close(struct env *e);

#endif
