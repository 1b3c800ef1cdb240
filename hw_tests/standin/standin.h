/* SPDX-License-Identifier: Apache-2.0 */
/*
 * standin - what stands in for a board: the C model behind a pseudo-terminal, with a line that does what bad lines do.
 *
 *	program --- pseudo-terminal --- faults of the line --- frames --- board --- C model, memory
 *
 * docs/board.md is what it keeps. The model has no time: what it can do is done when a request comes.
 */
#ifndef STANDIN_H
#define STANDIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../host/src/serial_frame.h"
#include "../../host/src/serial_line.h"

#define STANDIN_BASE  UINT64_C(0x80000000)
#define STANDIN_BYTES UINT64_C(0x40000)

/* What is wrong with a board and its line; all zero: nothing. */
struct standin_faults {
	uint64_t seed;
	/* Of 100,000 bytes, in both directions. */
	uint32_t lose, twice, flip;
	/* Of 100 answers. */
	uint32_t lost_answers, twice_answers, late_answers;
	uint32_t least;   /* of these bytes and answers there have to be */
	uint32_t garbage; /* bytes in front of everything that is answered */
	bool stale_hello; /* in front of the answer to HELLO another one of its number, for somebody else */
	bool babble;      /* a byte of garbage for each that comes, and no answers */
	/* From the request of that number on, counted from 1; 0: never. */
	uint32_t silent_from, unplug_at, stuck_at;
	uint16_t version;     /* of the line, 0: the right one */
	uint32_t magic;       /* 0: the right one */
	uint64_t base, bytes; /* of memory, as HELLO tells; 0: as it is */
	uint16_t data_bytes;  /* the same; 0: 1024 */
	uint8_t status;       /* of all answers but those to HELLO and RESET, 0: the right one */
	bool long_answers;    /* a byte too many in each answer but those */
};

/* ---- Board (board.c) ----------------------------------------------------------------------------- */

struct board;

/** @param config  of the engine @return NULL: no such configuration, no memory */
struct board *board_new(const char *config, const struct standin_faults *faults);
void board_free(struct board *board);

/** Carry out a frame that is good, or say once more what came of it. @return bytes of the answer */
size_t board_answer(struct board *board, const uint8_t *frame, size_t count, uint8_t *answer);
/** The answer to what is no frame. */
size_t board_answer_bad(uint8_t *answer);

/** Requests of an operation that were carried out, and all of them but HELLO. */
uint64_t board_executed(const struct board *board, enum serial_operation operation);
uint64_t board_executed_all(const struct board *board);

/* ---- Line (line.c) ------------------------------------------------------------------------------- */

struct standin;

/** A pseudo-terminal with a board behind it, which answers in a thread of its own. @return NULL: errno says why */
struct standin *standin_start(const char *config, const struct standin_faults *faults);
/** Its device. */
const char *standin_device(const struct standin *standin);
/** Baud that the device is set to. */
uint32_t standin_baud(const struct standin *standin);
/** Bytes and answers that were lost, doubled, changed or late. */
uint64_t standin_damaged(const struct standin *standin);
/** End it. The board stays, to be looked at. */
struct board *standin_stop(struct standin *standin);

#endif
