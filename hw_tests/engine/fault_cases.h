/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault_cases - directed programs, one at least for every fault code, for the model and for the engine.
 *
 * A case builds a program for an engine of a given shape: memories, windows, commands of one queue, one
 * of which fails, what provokes it, and what must be reported. A back end runs it like this:
 *	1. memory as fault_shared_image() and fault_global_image() say, error regions, multimem window 0,
 *	   ports that stop
 *	2. FAULT_QUEUE with the program's set-up, FAULT_OTHER bound to the direct port, CTA 0, no windows
 *	3. the commands, then the trigger once they cannot go on; until FAULT_QUEUE has stopped
 *	4. a SIGNAL in FAULT_OTHER, which must answer
 *	5. the registers, the FAULT records and the memory: struct fault_report
 *	6. recovery as the program says, then fault_probe() in FAULT_QUEUE: FAULT_PROBE becomes
 *	   fault_probed()
 * and fault_check() compares. A program does not depend on time, but for ports that need a watchdog.
 */
#ifndef FAULT_CASES_H
#define FAULT_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tma_abi.h"

#define FAULT_OTHER 0u
#define FAULT_QUEUE 1u

/* Global memory, the same on every port: data, zeroes, two pages of rings, a page without a window. */
#define FAULT_PAGE            4096u
#define FAULT_PAGES           12u
#define FAULT_MAP_PAGE        6u /* begins with the program's tensor map */
#define FAULT_ZERO_PAGE       7u
#define FAULT_RING_PAGE       8u
#define FAULT_COMPLETION_PAGE 9u
#define FAULT_CLOSED_PAGE     10u
#define FAULT_GLOBAL          UINT64_C(0x7f0000000000)
#define FAULT_MAP             (FAULT_GLOBAL + FAULT_MAP_PAGE * FAULT_PAGE)
#define FAULT_RING_LOG2       4u /* slots of both rings */

/* Shared memory of every CTA: live barriers of count 1 at BAR, of count 2 at PROBE. */
#define FAULT_BAR   0x40u
#define FAULT_PROBE 0x80u

#define FAULT_MAX_COMMANDS 4
#define FAULT_MAX_WINDOWS  4
#define FAULT_MAX_PORTS    4

/* Engines that cases can be built for: 2 queues and 4 windows at least, 4 KiB of shared memory. */
struct fault_shape {
	uint32_t ctas, smem_bytes, ports, queues;
	bool reductions; /* are built */
	uint32_t floats; /* 0: none of floating point; 1: but for f64; 2: all */
};

struct fault_window {
	uint64_t base, limit;
	uint32_t attr; /* 1 read, 2 write, 4 multimem */
};

enum fault_trigger {
	FAULT_BY_ITSELF,
	FAULT_BY_CANCEL,   /* register CANCEL, once the queue waits */
	FAULT_BY_DOORBELL, /* register TAIL := doorbell, once the commands are done */
};

enum fault_recovery {
	FAULT_RESUME, /* register RESUME := resume */
	FAULT_SET_UP, /* disable it, every CTA and fault_windows(), enable it */
	FAULT_LASTS,  /* a port is dead until the engine's reset: no probe */
};

struct fault_program {
	struct fault_shape shape;
	bool ring;        /* front end of the queue; set before the case builds the rest */
	const char *skip; /* why an engine of this shape cannot show the fault, else NULL */

	/* memory */
	struct {
		uint32_t cta, offset;
		uint64_t word;
	} barrier; /* written on top of the image; offset 0: none */
	struct {
		uint32_t port; /* size 0: none */
		uint64_t base, size;
		int read_resp, write_resp; /* as AXI */
	} error;
	bool has_map;
	uint64_t map[16];       /* the tensor map, at FAULT_MAP */
	uint32_t stopped_ports; /* mask: no channel of theirs moves */

	/* FAULT_QUEUE; executing CTA 0 */
	uint16_t cta_mask;
	uint16_t cancel_mask;
	struct fault_window windows[FAULT_MAX_WINDOWS];
	struct {
		uint64_t base, limit;
		uint32_t ports; /* 0: closed */
		uint64_t port_base[FAULT_MAX_PORTS];
	} multimem;
	struct tma_command commands[FAULT_MAX_COMMANDS];
	uint32_t num_commands;
	enum fault_trigger trigger;
	uint32_t doorbell;

	/* what must be reported */
	uint16_t code;
	uint64_t address;
	uint32_t sequence, tag;
	uint32_t head;  /* then */
	bool moves;     /* memory may change: the command has issued */
	bool unwritten; /* the FAULT record cannot be written, which counts as a second fault */
	enum fault_recovery recovery;
	uint32_t resume;
};

enum fault_front {
	FAULT_BOTH_FRONTS,
	FAULT_DIRECT_ONLY,
	FAULT_RING_ONLY,
};

struct fault_case {
	uint16_t code;
	const char *name; /* corner */
	enum fault_front front;
	void (*build)(struct fault_program *p);
};

/** Case number @p index, NULL behind the last one. In the order of the codes. */
const struct fault_case *fault_case(size_t index);
/** Has the case such a front end? */
bool fault_has_front(const struct fault_case *c, bool ring);
struct fault_program fault_build(const struct fault_case *c, const struct fault_shape *shape, bool ring);

/** First bytes of all memory: @p bytes is shape.smem_bytes, or FAULT_PAGES pages, long. */
void fault_shared_image(const struct fault_program *p, uint32_t cta, uint8_t *bytes);
void fault_global_image(const struct fault_program *p, uint32_t port, uint8_t *bytes);
/** Windows with which nothing faults. */
void fault_windows(struct fault_window windows[FAULT_MAX_WINDOWS]);

/** A command without a record that arrives at FAULT_PROBE of CTA 0, and what is there then. */
struct tma_command fault_probe(void);
uint64_t fault_probed(void);

/* What a back end has seen. */
struct fault_report {
	bool faulted; /* registers */
	uint16_t code, count;
	uint32_t sequence, tag, head;
	uint64_t address;
	uint32_t records; /* FAULT records of the queue; the first of them */
	struct tma_record record;
	bool other;     /* FAULT_OTHER has answered */
	bool moved;     /* a byte of shared memory or of a data page is not as in its image */
	bool recovered; /* not faulted any more, and the probe has arrived; without meaning if it lasts */
};

/** NULL: as it must be; else what is not. */
const char *fault_check(const struct fault_program *p, const struct fault_report *r);

/* One line of the table: how a back end fared. NULL: fine on every front end that the case has. */
struct fault_result {
	bool ran;
	const char *trouble;
};

/** Print code, name, test and a column for each of the two back ends. An absent one is NULL. */
void fault_print_table(FILE *to, const struct fault_result *model, const struct fault_result *rtl);

/* For the files of cases. */
struct fault_list {
	const struct fault_case *cases;
	size_t count;
};
extern const struct fault_list fault_ring_cases, fault_decode_cases, fault_address_cases, fault_sync_cases,
	fault_map_cases, fault_access_cases, fault_completion_cases, fault_signal_cases;

#define FAULT_LIST(cases)                                   \
	{                                                   \
		(cases), sizeof(cases) / sizeof((cases)[0]) \
	}

/* How a case is built: by statements, apart by commas; by a command `c` that is changed and then does not
 * issue, or does, and what is reported as its address. */
#define BUILD(name, ...)                          \
	static void name(struct fault_program *p) \
	{                                         \
		__VA_ARGS__;                      \
	}
#define CHANGED(name, command, end, ...)          \
	static void name(struct fault_program *p) \
	{                                         \
		struct tma_command c = command;   \
                                                  \
		__VA_ARGS__;                      \
		end;                              \
	}
#define REFUSED(name, command, address, ...) CHANGED(name, command, fault_refused(p, c, address), __VA_ARGS__)
#define ISSUED(name, command, address, ...)  CHANGED(name, command, fault_issued(p, c, address), __VA_ARGS__)

struct tma_command fault_command(uint8_t opcode);
struct tma_command fault_load(void);  /* one line of the first page to CTA 0 */
struct tma_command fault_store(void); /* one line to the second page */
struct tma_command fault_cp_async(void);
struct tma_command fault_on_barrier(uint8_t opcode);
/** A tensor copy, and its map for the program: a tile of 64 bytes, one row of 16 of the first page (a store:
 * of the second); an im2col column of 8 such pixels of 8 x 2. */
struct tma_command fault_tile(struct fault_program *p, uint8_t opcode);
struct tma_command fault_im2col(struct fault_program *p, uint8_t opcode);
/** Change a field of the map. */
void fault_set_map(struct fault_program *p, unsigned int lsb, unsigned int bits, uint64_t value);
uint64_t fault_header(const struct tma_command *c);
uint64_t fault_barrier_word(uint32_t expected, uint32_t pending, int32_t tx);
/** A shared::cluster address. */
uint32_t fault_at(uint32_t rank, uint32_t offset);
/** The command fails before it issues, as second of three; as second of two, when it has. */
void fault_refused(struct fault_program *p, struct tma_command c, uint64_t address);
void fault_issued(struct fault_program *p, struct tma_command c, uint64_t address);
/** Barrier FAULT_BAR of CTA 0. */
void fault_put_barrier(struct fault_program *p, uint64_t word);
/** Page @p page answers @p resp, on port 0. */
void fault_bad_page(struct fault_program *p, uint32_t page, int resp);

#endif
