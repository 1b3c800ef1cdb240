/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_rows_test - rows are cut at pages, and leave a guard only inside windows, where they belong.
 *
 * Requirement: the parts of a row are its chunks in order, each in a page, one per cycle without
 * latency; a burst covers its row and leaves only if a window of its queue allows it, that of a reduction if one
 * allows reads and one writes; a multimem burst goes to the ports of the lowest multimem window that holds it, at the
 * same place in each. A row of no bytes passes whatever the windows.
 * Checks: all outputs in every cycle against a plain reference, the units' assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_abi.h"
#include "tma_rows_pins.h"

#define GUARDS      3
#define CHUNK       16u
#define PAGE        4096u
#define PAGE_CHUNKS 256u
/* Rows and windows lie in so many pages at the bottom and at the top of memory. */
#define PAGES    14u
#define TOP_PAGE ((UINT64_C(1) << 52) - 16)

enum { READS, WRITES, REDUCTIONS }; /* what a guard is for */

struct bench {
	struct rows *unit;
	const struct unit_shape *info;
	struct rows_in *in;
	const struct rows_out *out;
	struct rng rng;
};

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, rows, seed);
	b->info = unit_shape();
	rows_start(b->unit);
}

#define BENCH_TEST(name, ...) TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), rows_close(b->unit))

static uint32_t to_page_end(const struct rows_row *row)
{
	return PAGE_CHUNKS - (uint32_t)(row->gaddr % PAGE / CHUNK);
}

static struct rows_row random_row(struct bench *b)
{
	struct rows_row row = { 0 };
	uint32_t most = rng_percent(&b->rng, 20) ? 3 * PAGE_CHUNKS : 20;

	row.gaddr = rng_below(&b->rng, PAGES) * (uint64_t)PAGE + rng_below(&b->rng, PAGE_CHUNKS) * CHUNK;
	if (rng_percent(&b->rng, 30))
		row.gaddr += PAGE - 4 * CHUNK - row.gaddr % PAGE;
	if (rng_percent(&b->rng, 30))
		row.gaddr += TOP_PAGE * PAGE;
	row.chunks = (uint16_t)(1 + rng_below(&b->rng, most));
	row.saddr = (uint16_t)rng_below(&b->rng, b->info->smem_bytes / CHUNK - row.chunks);
	row.first = rng_percent(&b->rng, 50);
	row.last = rng_percent(&b->rng, 50);
	row.odd = (uint8_t)rng_below(&b->rng, 16);
	if (rng_percent(&b->rng, 10)) {
		row.none = 1;
		row.chunks = 1;
		row.gaddr += rng_below(&b->rng, CHUNK);
	}
	return row;
}

static void same_row(const struct rows_row *row, const struct rows_row *wanted)
{
	assert_true(row->gaddr == wanted->gaddr);
	assert_int_equal(row->chunks, wanted->chunks);
	assert_int_equal(row->saddr, wanted->saddr);
	assert_int_equal(row->first, wanted->first);
	assert_int_equal(row->last, wanted->last);
	assert_int_equal(row->odd, wanted->odd);
	assert_int_equal(row->none, wanted->none);
}

/* What is left of a row without its first part. */
static struct rows_row rest_of(struct rows_row row)
{
	uint32_t chunks = to_page_end(&row);

	row.gaddr += chunks * CHUNK;
	row.saddr = (uint16_t)(row.saddr + chunks);
	row.chunks = (uint16_t)(row.chunks - chunks);
	row.first = 0;
	return row;
}

/*
 * Page cut.
 */

BENCH_TEST(cuts, 1)
{
	uint32_t i, parts = 0, rows = 0;
	struct rows_row whole, part;
	bool held = false, valid;

	for (i = 0; i < 100000; i++) {
		if (!b->in->cut_valid && rng_percent(&b->rng, 70)) {
			b->in->cut_valid = 1;
			b->in->cut = random_row(b);
		}
		b->in->part_ready = rng_percent(&b->rng, 60);
		b->in->cut_abort = rng_percent(&b->rng, 5);
		rows_eval(b->unit);

		if (!held)
			whole = b->in->cut;
		valid = held ? !b->in->cut_abort : b->in->cut_valid;
		assert_int_equal(b->out->cut_held, held);
		assert_int_equal(b->out->part_valid, valid);
		assert_int_equal(b->out->cut_ready, !held && b->in->part_ready);
		part = whole;
		if (whole.chunks > to_page_end(&whole)) {
			part.chunks = (uint16_t)to_page_end(&whole);
			part.last = 0;
			part.odd = 0;
		}
		if (valid)
			same_row(&b->out->part, &part);
		if (valid && b->in->part_ready) {
			parts++;
			rows += !held;
			held = part.chunks < whole.chunks;
			whole = rest_of(whole);
		} else if (held && b->in->cut_abort) {
			held = false;
		}
		valid = b->in->cut_valid && b->out->cut_ready;
		rows_tick(b->unit);
		if (valid)
			b->in->cut_valid = 0;
	}
	assert_true(rows > 20000 && parts > rows + 5000);
}

/*
 * Guards.
 */

/* The row that a guard holds, and the set-up when it was taken, with short paths a cycle later, when it is checked. */
struct held {
	bool busy, checked, mm;
	uint8_t queue;
	struct rows_row row;
	struct rows_window windows[8];
	struct rows_multimem map; /* ports == 0: in no multimem window */
};

static bool in_window(const struct bench *b, const struct held *h, bool write)
{
	for (uint32_t w = 0; w < b->info->windows; w++) {
		const struct rows_window *x = &h->windows[w];

		if ((!write  ? x->read
		     : h->mm ? x->multimem
		             : x->write) &&
		    x->base <= h->row.gaddr / PAGE && h->row.gaddr / PAGE <= x->limit)
			return true;
	}
	return false;
}

/* What the guard says of the row: 0 that it may go. */
static uint32_t code_of(const struct bench *b, const struct held *h, uint32_t g)
{
	bool write = g != READS;

	if (h->row.none)
		return 0;
	if (g == REDUCTIONS && !h->mm && !in_window(b, h, false))
		return TMA_FAULT_WINDOW_READ;
	if (!in_window(b, h, write))
		return !write  ? TMA_FAULT_WINDOW_READ
		       : h->mm ? TMA_FAULT_WINDOW_MULTIMEM
		               : TMA_FAULT_WINDOW_WRITE;
	return write && h->mm && !h->map.ports ? TMA_FAULT_MULTIMEM_UNMAPPED : 0;
}

static void check_ports(const struct bench *b, const struct held *h, uint32_t g, bool mm)
{
	const struct rows_out *o = b->out;

	assert_int_equal(o->ports[g], mm ? h->map.ports : 1);
	for (uint32_t p = 0; p < b->info->ports; p++) {
		uint64_t moved = mm ? (h->map.port_base[p] - h->map.base) * PAGE : 0;

		if (o->ports[g] >> p & 1)
			assert_true(o->port_addr[g][p] == o->burst[g].addr + moved);
	}
}

/* Returns the fault of a row that the guard denies. */
static uint32_t check_guard(struct bench *b, uint32_t g, const struct held *h)
{
	const struct rows_burst *burst = &b->out->burst[g];
	const struct rows_out *o = b->out;
	uint32_t lanes = b->info->data_bytes / CHUNK, end, code;

	assert_int_equal(o->guard_busy[g], h->busy);
	if (!h->checked) {
		assert_int_equal(o->burst_valid[g] || o->deny_valid[g], 0);
		return 0;
	}
	code = code_of(b, h, g);
	assert_int_equal(o->burst_valid[g], !code);
	assert_int_equal(o->deny_valid[g], code != 0);
	if (code) {
		assert_int_equal(o->deny_code[g], code);
		assert_true(o->deny_addr[g] == h->row.gaddr);
		return code;
	}
	end = (uint32_t)(h->row.gaddr % PAGE / CHUNK) + h->row.chunks - 1;
	assert_true(burst->addr == h->row.gaddr / b->info->data_bytes * b->info->data_bytes);
	assert_int_equal(burst->len, end / lanes - h->row.gaddr % PAGE / b->info->data_bytes);
	assert_int_equal(burst->head, h->row.gaddr / CHUNK % lanes);
	assert_int_equal(burst->tail, end % lanes);
	assert_int_equal(burst->saddr, h->row.saddr);
	assert_int_equal(burst->first, h->row.first);
	assert_int_equal(burst->last, h->row.last);
	assert_int_equal(burst->odd, h->row.odd);
	assert_int_equal(burst->none, h->row.none);
	if (!h->row.none)
		check_ports(b, h, g, g != READS && h->mm);
	return 0;
}

static uint64_t region(struct bench *b)
{
	return rng_percent(&b->rng, 25) ? TOP_PAGE : 0;
}

static void random_setup(struct bench *b)
{
	struct rows_window *windows = b->in->windows[rng_below(&b->rng, b->info->queues)];
	struct rows_multimem *m = &b->in->multimem[rng_below(&b->rng, b->info->multimem)];
	uint64_t start;

	for (uint32_t i = 0; i < b->info->windows; i++) {
		start = region(b);
		windows[i].base = start + rng_below(&b->rng, 14);
		windows[i].limit = start + rng_below(&b->rng, 16);
		windows[i].read = rng_percent(&b->rng, 60);
		windows[i].write = rng_percent(&b->rng, 60);
		windows[i].multimem = rng_percent(&b->rng, 60);
	}
	start = region(b);
	m->base = start + rng_below(&b->rng, 10);
	m->limit = start + rng_below(&b->rng, 16);
	m->ports = (uint8_t)rng_below(&b->rng, 1u << b->info->ports);
	for (uint32_t i = 0; i < b->info->ports; i++)
		m->port_base[i] = rng_next(&b->rng) >> 12;
}

static void check(struct bench *b, struct held *h)
{
	const struct rows_in *in = b->in;
	uint64_t page = h->row.gaddr / PAGE;

	h->checked = true;
	memcpy(h->windows, in->windows[h->queue], sizeof(h->windows));
	h->map.ports = 0;
	for (uint32_t i = b->info->multimem; i > 0; i--) {
		const struct rows_multimem *m = &in->multimem[i - 1];

		if (m->ports && m->base <= page && page <= m->limit)
			h->map = *m;
	}
}

static void take(struct bench *b, uint32_t g, struct held *h)
{
	const struct rows_in *in = b->in;

	*h = (struct held){ .busy = true, .mm = in->row_mm[g], .queue = in->row_queue[g], .row = in->row[g] };
	if (!b->info->short_paths)
		check(b, h);
}

static void drive(struct bench *b, uint32_t g)
{
	struct rows_in *in = b->in;
	struct rows_row *row = &in->row[g];

	if (!in->row_valid[g] && rng_percent(&b->rng, 70)) {
		in->row_valid[g] = 1;
		*row = random_row(b);
		if (row->chunks > to_page_end(row))
			row->chunks = (uint16_t)to_page_end(row);
		in->row_queue[g] = (uint8_t)rng_below(&b->rng, b->info->queues);
		in->row_mm[g] = !row->none && rng_percent(&b->rng, 50);
	}
	in->burst_ready[g] = rng_percent(&b->rng, 60);
	in->deny_ready[g] = rng_percent(&b->rng, 50);
	in->guard_abort[g] = rng_percent(&b->rng, 3);
}

BENCH_TEST(guards, 5)
{
	uint32_t i, g, code, rows = 0, bursts[GUARDS] = { 0 }, unmapped = 0, outside = 0, unread = 0;
	struct held held[GUARDS] = { 0 };

	for (i = 0; i < 100000; i++) {
		/* Set-up that changes while a row is held does not matter to it. */
		if (i % 8 == 0)
			random_setup(b);
		for (g = 0; g < GUARDS; g++)
			drive(b, g);
		rows_eval(b->unit);
		for (g = 0; g < GUARDS; g++) {
			bool abort = b->in->guard_abort[g];
			struct held *h = &held[g];
			/* With short paths a row is taken by a guard that was empty. */
			bool full = h->busy && b->info->short_paths;

			code = check_guard(b, g, h);
			if (h->busy && (abort || (h->checked &&
			                          (code ? b->in->deny_ready[g] : b->in->burst_ready[g])))) {
				bursts[g] += !abort && !code;
				outside += !abort && code == TMA_FAULT_WINDOW_MULTIMEM;
				unread += !abort && g == REDUCTIONS && code == TMA_FAULT_WINDOW_READ;
				unmapped += !abort && code == TMA_FAULT_MULTIMEM_UNMAPPED;
				*h = (struct held){ 0 };
			} else if (h->busy && !h->checked) {
				check(b, h);
			}
			assert_int_equal(b->out->row_ready[g], !h->busy && !full);
			if (!b->out->row_ready[g] || !b->in->row_valid[g])
				continue;
			take(b, g, h);
			rows++;
		}
		for (g = 0; g < GUARDS; g++)
			if (b->out->row_ready[g])
				b->in->row_valid[g] = 0;
		rows_tick(b->unit);
	}
	for (g = 0; g < GUARDS; g++)
		assert_true(bursts[g] > 5000);
	assert_true(rows > 60000 && outside > 1000 && unmapped > 1000 && unread > 1000);
}
