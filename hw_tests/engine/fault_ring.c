/* SPDX-License-Identifier: Apache-2.0 */
/* Faults 0x01 to 0x04 and 0x98 to 0x9A, and dead ports: the ring of commands, the completion ring. */
#include "engine/fault_cases.h"

#define SLVERR 2
#define DECERR 3

#define RING              (FAULT_GLOBAL + FAULT_RING_PAGE * FAULT_PAGE)
#define COMPLETION        (FAULT_GLOBAL + FAULT_COMPLETION_PAGE * FAULT_PAGE)
#define RING_WINDOW       1
#define COMPLETION_WINDOW 2

/* Two slots: a beat of the widest port. */
#define LINE 128u

#define RECORD_TAG 0xFACEu

/* A slot more than there are behind the one command that is done. */
static void one_slot_too_many(struct fault_program *p)
{
	p->commands[0] = fault_command(TMA_SIGNAL);
	p->num_commands = 1;
	p->trigger = FAULT_BY_DOORBELL;
	p->doorbell = 1 + (1u << FAULT_RING_LOG2) + 1;
	p->address = p->doorbell;
	p->sequence = 1;
	p->head = 1;
	p->resume = 1;
}

/* Command 0 stands in a page that must not be read. */
static void ring_is_write_only(struct fault_program *p)
{
	p->windows[RING_WINDOW].attr = 2;
	p->commands[0] = fault_command(TMA_SIGNAL);
	p->num_commands = 1;
	p->address = RING;
	p->recovery = FAULT_SET_UP;
}

/* Commands 0 and 1 are good; 2 cannot be read, nor on a wide port 3. */
static void bad_slot(struct fault_program *p, int resp)
{
	p->error.base = RING + LINE;
	p->error.size = LINE;
	p->error.read_resp = resp;
	for (p->num_commands = 0; p->num_commands < 4; p->num_commands++)
		p->commands[p->num_commands] = fault_command(TMA_SIGNAL);
	p->address = RING + LINE;
	p->sequence = 2;
	p->head = 2;
	p->resume = 4;
}

BUILD(fetch_slverr, bad_slot(p, SLVERR))
BUILD(fetch_decerr, bad_slot(p, DECERR))

static const struct fault_case cases[] = {
	{ TMA_FAULT_RING_OVERRUN, "TAIL one slot too far", FAULT_RING_ONLY, one_slot_too_many },
	{ TMA_FAULT_COMMAND_WINDOW, "the first slot", FAULT_RING_ONLY, ring_is_write_only },
	{ TMA_FAULT_COMMAND_SLVERR, "the third slot", FAULT_RING_ONLY, fetch_slverr },
	{ TMA_FAULT_COMMAND_DECERR, "the third slot", FAULT_RING_ONLY, fetch_decerr },
};

const struct fault_list fault_ring_cases = FAULT_LIST(cases);

/* The record of command 0 cannot be written, that of its fault neither. */
static void bad_record(struct fault_program *p)
{
	p->commands[0] = fault_command(TMA_SIGNAL);
	p->commands[0].tag = RECORD_TAG;
	p->num_commands = 1;
	p->address = COMPLETION;
	p->tag = RECORD_TAG;
	p->head = 1;
	p->resume = 1;
	p->unwritten = true;
}

BUILD(completion_is_read_only, p->windows[COMPLETION_WINDOW].attr = 1, bad_record(p),
      p->recovery = FAULT_SET_UP)
BUILD(record_slverr, fault_bad_page(p, FAULT_COMPLETION_PAGE, SLVERR), bad_record(p))
BUILD(record_decerr, fault_bad_page(p, FAULT_COMPLETION_PAGE, DECERR), bad_record(p))

static const struct fault_case completion_cases[] = {
	{ TMA_FAULT_COMPLETION_WINDOW, "the first slot", FAULT_RING_ONLY, completion_is_read_only },
	{ TMA_FAULT_COMPLETION_SLVERR, "the first slot", FAULT_RING_ONLY, record_slverr },
	{ TMA_FAULT_COMPLETION_DECERR, "the first slot", FAULT_RING_ONLY, record_decerr },
};

const struct fault_list fault_completion_cases = FAULT_LIST(completion_cases);
