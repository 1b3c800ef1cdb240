/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_bus - windows and error responses: how far a copy gets, and what it reports.
 *
 * Spec: architecture 2 (faults, protection); fault codes 0x80 to 0x93
 * Checks: bytes before the bad page, beat or burst arrive, every other byte keeps its value, no
 *         barrier is signalled, the address is that of the first bad operand byte.
 */
#include "model_cases.h"

#include <stdbool.h>

#define RW (TMA_WINDOW_READ | TMA_WINDOW_WRITE)

/* A transfer between global memory at `at` and CTA 0 at DST or SRC, one window and one error. */
struct access_case {
	const char *name;
	uint32_t at;
	uint32_t size;
	uint32_t moved; /* bytes that arrive */
	uint16_t fault;
	uint32_t address;         /* in global memory */
	struct tma_window window; /* relative to GLOBAL; attr 0: the fixture's */
};

/* clang-format off */
static const struct access_case read_windows[] = {
	{ "read of the whole window", 0x1000, 0x1000, 0x1000, 0, 0, { 0x1000, 0x1fff, RW } },
	{ "read of the window's last granule", 0x1ff0, 16, 16, 0, 0, { 0x1000, 0x1fff, RW } },
	{ "read that leaves the window by a granule", 0x1fe0, 48, 32, TMA_FAULT_WINDOW_READ, 0x2000,
	  { 0x1000, 0x1fff, RW } },
	{ "read that begins a granule in front", 0x0ff0, 48, 0, TMA_FAULT_WINDOW_READ, 0x0ff0,
	  { 0x1000, 0x1fff, RW } },
	{ "read that leaves after two pages", 0x1500, 0x1b10, 0x1b00, TMA_FAULT_WINDOW_READ, 0x3000,
	  { 0x1000, 0x2fff, RW } },
	{ "read through a window for reads", 0x1000, 64, 64, 0, 0, { 0x1000, 0x1fff, TMA_WINDOW_READ } },
	{ "read through a window for writes", 0x1000, 64, 0, TMA_FAULT_WINDOW_READ, 0x1000,
	  { 0x1000, 0x1fff, TMA_WINDOW_WRITE } },
	{ "read through a multimem window", 0x1000, 64, 0, TMA_FAULT_WINDOW_READ, 0x1000,
	  { 0x1000, 0x1fff, TMA_WINDOW_MULTIMEM } },
};

static const struct access_case write_windows[] = {
	{ "write of the whole window", 0x1000, 0x1000, 0x1000, 0, 0, { 0x1000, 0x1fff, RW } },
	{ "write that leaves the window by a granule", 0x1fe0, 48, 32, TMA_FAULT_WINDOW_WRITE, 0x2000,
	  { 0x1000, 0x1fff, RW } },
	{ "write that begins a granule in front", 0x0ff0, 48, 0, TMA_FAULT_WINDOW_WRITE, 0x0ff0,
	  { 0x1000, 0x1fff, RW } },
	{ "write through a window for writes", 0x1000, 64, 64, 0, 0, { 0x1000, 0x1fff, TMA_WINDOW_WRITE } },
	{ "write through a window for reads", 0x1000, 64, 0, TMA_FAULT_WINDOW_WRITE, 0x1000,
	  { 0x1000, 0x1fff, TMA_WINDOW_READ } },
};

/* The error region is 0x2050..0x205f, SLVERR; and 0x3000..0x3fff, DECERR. 64-byte beats. */
static const struct access_case read_errors[] = {
	{ "read up to the bad beat", 0x2000, 0x40, 0x40, 0, 0, { 0 } },
	{ "read into the bad beat", 0x2010, 0x100, 0x30, TMA_FAULT_READ_SLVERR, 0x2040, { 0 } },
	{ "read inside the bad beat, in front of the region", 0x2040, 0x10, 0, TMA_FAULT_READ_SLVERR, 0x2040,
	  { 0 } },
	{ "read inside the bad beat, behind the region", 0x2060, 0x20, 0, TMA_FAULT_READ_SLVERR, 0x2060, { 0 } },
	{ "read behind the bad beat", 0x2080, 0x40, 0x40, 0, 0, { 0 } },
	{ "read up to the bad page", 0x2f80, 0x80, 0x80, 0, 0, { 0 } },
	{ "read into the bad page", 0x2f90, 0x100, 0x70, TMA_FAULT_READ_DECERR, 0x3000, { 0 } },
	{ "read out of the bad page", 0x3fe0, 0x40, 0, TMA_FAULT_READ_DECERR, 0x3fe0, { 0 } },
	{ "read over both: the first in walk order", 0x1ff0, 0x1810, 0x50, TMA_FAULT_READ_SLVERR, 0x2040, { 0 } },
	{ "read: window behind the error", 0x2000, 0x1010, 0x40, TMA_FAULT_READ_SLVERR, 0x2040,
	  { 0x2000, 0x2fff, RW } },
	{ "read: window in front of the error", 0x2ff0, 0x20, 0x10, TMA_FAULT_WINDOW_READ, 0x3000,
	  { 0x2000, 0x2fff, RW } },
};

/* The same regions: the burst of a page part answers as one. */
static const struct access_case write_errors[] = {
	{ "write up to the bad beat", 0x2000, 0x40, 0x40, 0, 0, { 0 } },
	{ "write into the bad beat", 0x2010, 0x100, 0, TMA_FAULT_WRITE_SLVERR, 0x2010, { 0 } },
	{ "write whose second burst is bad", 0x1f80, 0x200, 0x80, TMA_FAULT_WRITE_SLVERR, 0x2000, { 0 } },
	{ "write whose third burst is bad", 0x20a0, 0x1000, 0xf60, TMA_FAULT_WRITE_DECERR, 0x3000, { 0 } },
	{ "write out of the bad page", 0x3fe0, 0x40, 0, TMA_FAULT_WRITE_DECERR, 0x3fe0, { 0 } },
	{ "write behind the bad page", 0x4000, 0x40, 0x40, 0, 0, { 0 } },
};
/* clang-format on */

static void add_errors(struct fixture *f)
{
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x2050, 0x10, 2, 2), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x3000, PAGE, 3, 3), 0);
}

static void open_window(struct fixture *f, const struct tma_window *relative)
{
	struct tma_window w = { GLOBAL + relative->base, GLOBAL + relative->limit, relative->attr };
	struct tma_queue_config config = f->queues[0];

	if (relative->attr)
		requeue(f, 0, &config, &w);
}

static void expect_end(struct fixture *f, const struct access_case *c)
{
	if (c->fault)
		expect_fault(f, 0, c->fault, GLOBAL + c->address);
	expect_no_record(f);
	expect_all_memory(f);
}

FIXTURE_CASE(reads_windows, const struct access_case *c)
{
	open_window(f, &c->window);
	expect_loaded(f, 0, DST, GLOBAL + c->at, c->moved);
	if (!c->fault)
		expect_barrier(f, 0, BAR, barrier_word(1, 1, -(int32_t)c->size, 0));
	issue(f, 0, load(AT(0, DST), GLOBAL + c->at, c->size, AT(0, BAR)));
	expect_end(f, c);
}

FIXTURE_CASE(writes_windows, const struct access_case *c)
{
	open_window(f, &c->window);
	expect_stored(f, GLOBAL + c->at, 0, DST, c->moved);
	issue(f, 0, store(GLOBAL + c->at, AT(0, DST), c->size));
	expect_end(f, c);
}

FIXTURE_CASE(reads_errors, const struct access_case *c)
{
	add_errors(f);
	reads_windows_with(f, c);
}

FIXTURE_CASE(writes_errors, const struct access_case *c)
{
	add_errors(f);
	writes_windows_with(f, c);
}

TABLE_SUITE(test_model_bus_read_windows, read_windows, reads_windows)
TABLE_SUITE(test_model_bus_write_windows, write_windows, writes_windows)
TABLE_SUITE(test_model_bus_read_errors, read_errors, reads_errors)
TABLE_SUITE(test_model_bus_write_errors, write_errors, writes_errors)

/* The beat's width decides where a read stops: error region 0x1050..0x105f, operand from 0x1010. */
struct beat_case {
	const char *name;
	uint32_t data_bytes;
	uint32_t moved;
	uint64_t address;
};

static const struct beat_case beat_cases[] = {
	{ "16-byte beats", 16, 0x40, 0x1050 },
	{ "32-byte beats", 32, 0x30, 0x1040 },
	{ "64-byte beats", 64, 0x30, 0x1040 },
	{ "128-byte beats", 128, 0, 0x1010 },
};

static void beats(void **state)
{
	static uint8_t memory[2 * PAGE];
	const struct beat_case *c = *state;
	struct tma_model *m = small_model(c->data_bytes);
	struct tma_command command = load(AT(0, 0x100), 0x1010, 0x100, AT(0, 0));

	memset(memory, 0x55, sizeof(memory));
	assert_int_equal(tma_model_map(m, 0, 0, sizeof(memory), memory), 0);
	assert_int_equal(tma_model_map_error(m, 0, 0x1050, 0x10, 2, 0), 0);
	assert_int_equal(tma_model_window(m, 0, 0, &(struct tma_window){ 0, 0x1fff, RW }), 0);
	assert_int_equal(tma_model_queue(m, 0, &(struct tma_queue_config){ .enable = 1, .cta_mask = 1 }), 0);
	tma_model_smem(m, 0)[7] = 0x80; /* a live barrier */
	assert_int_equal(tma_model_submit(m, 0, &command), 0);
	assert_int_equal(tma_model_step(m, 0), 1);
	assert_int_equal(model_status(m, 0).fault, TMA_FAULT_READ_SLVERR);
	assert_int_equal(model_status(m, 0).fault_address, c->address);
	for (uint32_t i = 0; i < 0x200; i++)
		assert_int_equal(tma_model_smem(m, 0)[0x100 + i], i < c->moved ? 0x55 : 0);
	tma_model_free(m);
}

TABLE_SUITE(test_model_bus_beats, beat_cases, beats)
