/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands around frames and bridge in their test: a host that sends bytes and reads frames; registers, memory and
 * shared memory that answer when they like; and a second opinion on what all of them have to hold.
 */
#ifndef TMA_BOARD_LINE_ENV_H
#define TMA_BOARD_LINE_ENV_H

#include <stdbool.h>

#include "unit_rtl/unit_test.h"
#include "board/client.h"
#include "tma_board_line_pins.h"

#define BASE         UINT64_C(0x80000000)
#define MEMORY       (1u << 18)
#define CTAS         2u
#define SMEM         (1u << 14)
#define REGS         0x8000u
#define US_CYCLES    3u       /* 2.5 MHz, upwards */
#define REFUSES      0x1F000u /* registers from here on answer SLVERR */
#define MAX_LINE_REQ (2u + 8u + LINE_DATA)

/* All that a request can change. */
struct state {
	uint8_t memory[MEMORY], shared[CTAS][SMEM];
	uint32_t regs[REGS];
	uint64_t reg_writes, reg_reads, resets;
};

/* The second opinion. */
struct reference {
	struct state state;
	bool known, stuck;
	uint8_t number;
	struct line_answer last;
	uint64_t carried_out, sent_again;

	/* Of the bytes that come: is one looked at, and what has come since the flag. */
	bool inside, broken;
	size_t count;
	uint8_t frame[4 * MAX_LINE_REQ];
	uint64_t good, bad;
};

struct env {
	struct board_line *unit;
	struct board_line_in *in;
	const struct board_line_out *out;
	struct rng rng;
	uint64_t cycle;
	uint32_t stall;  /* percent: a neighbour is not ready */
	uint32_t period; /* of cycles in which memory is ready; 0: in each one, but for the above */
	bool dead_regs, dead_memory, dead_shared;
	bool irq;

	struct state state;
	struct reference ref;

	/* Registers: what is taken; cycles until the answer. */
	bool aw, w, ar;
	uint32_t aw_addr, w_data, ar_addr;
	/* Memory and shared memory: a read that is owed. */
	bool mem_owed, ext_owed;
	uint32_t mem_addr, ext_addr, ext_cta;

	/* The frame that comes, and the answers that have come. */
	bool coming;
	size_t coming_count;
	uint8_t coming_bytes[4 * LINE_FRAME];
	struct line_answer answer;
	uint64_t answers, broken_answers;
};

void env_open(struct env *e, uint64_t seed, uint32_t stall);
/** Fails if memory, registers and what happened to them are not as the second opinion has it. */
void env_compare(struct env *e);
/** The same, and all is freed. */
void env_close(struct env *e);

/** A cycle; @p byte is on the line in it, -1: none. @p error: without its stop bit. */
void env_step(struct env *e, int byte, bool error);
/** A byte, and some cycles behind it. The second opinion sees it as well. */
void env_byte(struct env *e, uint8_t byte, bool error);
/** Until an answer has come. False: not in so many cycles. */
bool env_answer(struct env *e, uint32_t cycles);
/** Until nothing has come for a while. */
void env_quiet(struct env *e);
/** A request in a frame. */
void env_send(struct env *e, const uint8_t *request, size_t size);
/** The same, its answer as expected. @return its status */
int env_request(struct env *e, const uint8_t *request, size_t size);

/** The environment of all tests: it is large. */
extern struct env env;

/** A number that is not the last one; the front of a request under it. @return its bytes */
uint8_t draw_number(struct env *e);
size_t draw_head(struct env *e, uint8_t *request, uint8_t op);
/** Mostly a request that may be, near the ends of everything. */
size_t draw_request(struct env *e, uint8_t *request);

/* A request of each kind by env_request(). @return its status */
int request_alone(struct env *e, uint8_t op);
int request_reg(struct env *e, uint8_t op, uint32_t address, uint32_t value);
int request_move(struct env *e, uint8_t op, uint64_t address, size_t size);
int request_wait(struct env *e, uint32_t us);

/** What a good request does, and how it has to be answered. */
void ref_request(struct reference *ref, const uint8_t *request, size_t size, bool irq);

#endif
