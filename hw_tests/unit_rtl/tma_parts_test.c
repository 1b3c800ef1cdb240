/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_parts_test - FIFO, RAM, arbiter, rotation, turns, commands on their way and routing, each against a plain
 * reference.
 *
 * Requirement: order and level of a FIFO, with FlowThrough in the same cycle; a RAM's word from the
 * cycle after its write on; turns; a write to all CTAs of its mask at once, loads first; read data
 * of the CTA that was asked.
 * Checks: all outputs in every cycle under random stalls, the units' assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_parts_pins.h"

#define CHUNK   16u
#define FIFOS   5
#define READERS 3 /* of stores, of sources, of destinations */
#define WRITERS 3

#define MAX_CTAS 16u
#define NOBODY   MAX_CTAS

/* Of a chunk: one CTA, and the bytes are those of its bank's lane. */
struct write {
	struct parts_smem_write line;
	uint32_t addr; /* of a chunk, instead of rows */
};

struct bench {
	struct parts *unit;
	const struct unit_shape *info;
	struct parts_in *in;
	const struct parts_out *out;
	struct write wr[WRITERS]; /* load, copy, cp.async */
	struct rng rng;
};

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, parts, seed);
	b->info = unit_shape();
	parts_start(b->unit);
}

#define BENCH_TEST(name, ...) TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), parts_close(b->unit))

/*
 * Small ones.
 */

BENCH_TEST(fifos, 1)
{
	static const uint32_t depths[FIFOS] = { 5, 5, 1, 4, 4 };
	static const uint32_t ages[FIFOS] = { 1, 1, 1, 2, 3 }; /* cycles from the entry to the exit */
	uint32_t held[FIFOS][5], put[FIFOS][5], level[FIFOS] = { 0 }, i, f, mood = 0;

	for (i = 0; i < 40000; i++) {
		if (i % 64 == 0)
			mood = rng_below(&b->rng, 5) * 25;
		for (f = 0; f < FIFOS; f++) {
			if (!b->in->fifo_in_valid[f] && rng_percent(&b->rng, mood)) {
				b->in->fifo_in_valid[f] = 1;
				b->in->fifo_in[f] = (uint32_t)rng_next(&b->rng);
			}
			b->in->fifo_out_ready[f] = rng_percent(&b->rng, 100 - mood * 3 / 4);
		}
		parts_eval(b->unit);
		for (f = 0; f < FIFOS; f++) {
			bool flows = f == 1 && !level[f] && b->in->fifo_in_valid[f];

			assert_int_equal(b->out->fifo_level[f], level[f]);
			assert_int_equal(b->out->fifo_in_ready[f], level[f] < depths[f]);
			assert_int_equal(b->out->fifo_out_valid[f],
			                 (level[f] && i - put[f][0] >= ages[f]) || flows);
			if (b->out->fifo_out_valid[f])
				assert_int_equal(b->out->fifo_out[f],
				                 level[f] ? held[f][0] : b->in->fifo_in[f]);
		}
		parts_tick(b->unit);
		for (f = 0; f < FIFOS; f++) {
			bool accepted = b->in->fifo_in_valid[f] && level[f] < depths[f];
			bool passed = f == 1 && !level[f] && b->in->fifo_out_ready[f];

			if (level[f] && i - put[f][0] >= ages[f] && b->in->fifo_out_ready[f]) {
				memmove(held[f], held[f] + 1, --level[f] * sizeof(held[f][0]));
				memmove(put[f], put[f] + 1, level[f] * sizeof(put[f][0]));
			}
			if (accepted && !passed) {
				put[f][level[f]] = i;
				held[f][level[f]++] = b->in->fifo_in[f];
			}
			if (accepted)
				b->in->fifo_in_valid[f] = 0;
		}
	}
}

BENCH_TEST(ram, 2)
{
	uint32_t words[7], i;

	for (i = 0; i < 20000; i++) {
		b->in->ram_we = i < 7 || rng_percent(&b->rng, 50);
		b->in->ram_waddr = (uint8_t)(i < 7 ? i : rng_below(&b->rng, 7));
		b->in->ram_wdata = (uint32_t)rng_next(&b->rng);
		b->in->ram_raddr = (uint8_t)rng_below(&b->rng, 7);
		parts_eval(b->unit);
		if (i >= 7)
			assert_int_equal(b->out->ram_rdata, words[b->in->ram_raddr]);
		parts_tick(b->unit);
		if (b->in->ram_we)
			words[b->in->ram_waddr] = b->in->ram_wdata;
	}
}

/* The next requester after the last that was served. */
BENCH_TEST(arbiter, 3)
{
	uint32_t last = 4, i, k, next;

	for (i = 0; i < 20000; i++) {
		b->in->arb_request = (uint8_t)rng_below(&b->rng, 32);
		b->in->arb_advance = rng_percent(&b->rng, 60);
		parts_eval(b->unit);
		for (k = 1; k <= 5 && !(b->in->arb_request >> (last + k) % 5 & 1); k++)
			;
		next = (last + k) % 5;
		assert_int_equal(b->out->arb_grant, b->in->arb_request ? 1u << next : 0);
		if (b->in->arb_request)
			assert_int_equal(b->out->arb_index, next);
		parts_tick(b->unit);
		if (b->in->arb_request && b->in->arb_advance)
			last = next;
	}
}

BENCH_TEST(rotation, 4)
{
	uint32_t lanes = b->info->data_bytes / CHUNK;

	for (uint32_t k = 0; k < 100; k++)
		for (uint32_t amount = 0; amount < lanes; amount++) {
			for (uint32_t i = 0; i < lanes; i++)
				b->in->rotate[i] = (uint16_t)rng_next(&b->rng);
			b->in->rotate_amount = (uint8_t)amount;
			parts_eval(b->unit);
			for (uint32_t i = 0; i < lanes; i++)
				assert_int_equal(b->out->rotate[i], b->in->rotate[(i + amount) % lanes]);
		}
}

/* A read stays on offer until it is taken, and one of the other reader is taken meanwhile at most. With short paths it is
 * on offer in its turn, which comes in the cycle behind that in which it waited and the other one did not. */
BENCH_TEST(turns, 8)
{
	uint32_t i, k, last = 0, turn = 0, now, both = 0, waits[2] = { 0 };
	bool held = false;

	for (i = 0; i < 20000; i++) {
		for (k = 0; k < 2; k++) {
			if (b->in->turn_valid[k] || !rng_percent(&b->rng, i & 1024 ? 100 : 40))
				continue;
			b->in->turn_valid[k] = 1;
			b->in->turn_cta[k] = (uint8_t)rng_below(&b->rng, b->info->ctas);
			for (uint32_t bank = 0; bank < b->info->data_bytes / CHUNK; bank++)
				b->in->turn_rows[k][bank] =
					(uint16_t)rng_below(&b->rng, b->info->smem_bytes / 128);
		}
		b->in->both_ready = rng_percent(&b->rng, 60);
		parts_eval(b->unit);
		now = held ? last : b->in->turn_valid[!last] ? !last : last;
		if (b->info->short_paths)
			now = turn;
		assert_int_equal(b->out->both_valid, b->in->turn_valid[now] != 0);
		held = b->out->both_valid && !b->in->both_ready;
		turn = b->in->turn_valid[!turn] && !held ? !turn : turn;
		if (b->out->both_valid) {
			assert_int_equal(b->out->both_cta, b->in->turn_cta[now]);
			assert_memory_equal(b->out->both_rows, b->in->turn_rows[now],
			                    sizeof(b->out->both_rows));
			last = now;
		}
		both += b->in->turn_valid[0] && b->in->turn_valid[1];
		for (k = 0; k < 2; k++) {
			bool taken = b->in->turn_valid[k] && b->out->turn_ready[k];

			assert_int_equal(taken, b->out->both_valid && b->in->both_ready && now == k);
			waits[k] = b->in->turn_valid[k] && !taken ? waits[k] + b->out->turn_ready[!k] : 0;
			assert_in_range(waits[k], 0, 1);
		}
		parts_tick(b->unit);
		if (b->out->both_valid && b->in->both_ready)
			b->in->turn_valid[now] = 0;
	}
	assert_true(both > 5000);
}

/*
 * Commands on their way to the paths.
 */

/* Every bit goes through, with short paths in the next cycle; it is idle but for the six bits that say what is
 * valid. */
BENCH_TEST(path_stage, 9)
{
	const uint32_t bytes = sizeof(b->in->path);
	uint8_t last[sizeof(b->in->path)] = { 0 };
	uint32_t i, k, valid = 0, width;

	parts_eval(b->unit);
	width = b->out->path_width;
	assert_in_range(width, 1000, 8 * bytes);
	for (i = 0; i < 2000; i++) {
		memset(b->in->path, 0, bytes);
		for (k = 0; k < width; k++)
			if (rng_percent(&b->rng, 50))
				b->in->path[k / 8] |= (uint8_t)(1u << k % 8);
		parts_eval(b->unit);
		assert_memory_equal(b->out->path, b->info->short_paths ? last : b->in->path, bytes);
		memcpy(last, b->in->path, bytes);
		parts_tick(b->unit);
	}
	for (k = 0; k < width; k++) {
		memset(b->in->path, 0, bytes);
		b->in->path[k / 8] = (uint8_t)(1u << k % 8);
		parts_eval(b->unit);
		parts_tick(b->unit);
		parts_eval(b->unit);
		valid += !b->out->path_idle;
	}
	assert_int_equal(valid, b->info->short_paths ? 6 : 0);
}

/*
 * Routing.
 */

/* A row for every bank. */
static void draw_rows(struct bench *b, uint16_t *rows)
{
	for (uint32_t i = 0; i < b->info->data_bytes / CHUNK; i++)
		rows[i] = (uint16_t)rng_below(&b->rng, b->info->smem_bytes / b->info->data_bytes);
}

static void fill(struct bench *b, void *bytes, uint32_t count)
{
	uint8_t *p = bytes;

	while (count--)
		*p++ = (uint8_t)rng_next(&b->rng);
}

/* A line or chunk that has waited so many cycles goes before load data. */
#define MAX_WAIT 8u

/* Writers that wait for load data, and whose turn it was last. */
struct waits {
	uint32_t cycles[WRITERS], last;
};

/* The writer that goes if its CTAs are ready: those that have waited long first, then load data, the
 * other two by turns. */
static uint32_t next_writer(const struct bench *b, const struct waits *w)
{
	bool patient[WRITERS] = { 0 };
	uint32_t other = 3 - w->last, i;

	for (i = 1; i < WRITERS; i++)
		patient[i] = w->cycles[i] < MAX_WAIT;
	if (!patient[1] && !patient[2])
		return other;
	if (!patient[1] || !patient[2])
		return patient[1] ? 2 : 1;
	if (b->in->wr_valid[0])
		return 0;
	return b->in->wr_valid[other] ? other : w->last;
}

/* The paths' writes to their pins. */
static void eval(struct bench *b)
{
	const struct write *cp = &b->wr[2];
	uint32_t lane = cp->addr % (b->info->data_bytes / CHUNK);

	b->in->wr[0] = b->wr[0].line;
	b->in->wr[1] = b->wr[1].line;
	b->in->cp.cta = 0;
	while (cp->line.ctas >> b->in->cp.cta > 1)
		b->in->cp.cta++;
	b->in->cp.addr = (uint16_t)cp->addr;
	b->in->cp.be = (uint16_t)(cp->line.be[2 * lane] | cp->line.be[2 * lane + 1] << 8);
	memcpy(b->in->cp.data, cp->line.data + CHUNK * lane, CHUNK);
	parts_eval(b->unit);
}

/* Of a chunk, the lane of its bank alone counts. */
static void check_line(const struct bench *b, uint32_t from)
{
	const struct parts_smem_write *w = &b->wr[from].line, *got = &b->out->cta_wr;
	uint32_t lanes = b->info->data_bytes / CHUNK, lane = b->wr[from].addr % lanes, i;

	if (from != 2) {
		assert_memory_equal(got->rows, w->rows, lanes * sizeof(*w->rows));
		assert_memory_equal(got->data, w->data, b->info->data_bytes);
		assert_memory_equal(got->be, w->be, b->info->data_bytes / 8);
		return;
	}
	assert_int_equal(got->rows[lane], b->wr[from].addr / lanes);
	assert_memory_equal(got->data + CHUNK * lane, w->data + CHUNK * lane, CHUNK);
	for (i = 0; i < b->info->data_bytes / 8; i++)
		assert_int_equal(got->be[i], i / 2 == lane ? w->be[i] : 0);
}

static void check_writes(struct bench *b, struct waits *waits)
{
	uint32_t i, first = next_writer(b, waits);
	const struct parts_smem_write *w = &b->wr[first].line;
	bool ready = !(w->ctas & ~b->in->cta_wr_ready), any = false;

	for (i = 0; i < WRITERS; i++) {
		any |= b->in->wr_valid[i];
		if (b->in->wr_valid[i])
			assert_int_equal(b->out->wr_ready[i], ready && first == i);
	}
	for (i = 1; i < WRITERS; i++)
		waits->cycles[i] = b->in->wr_valid[i] && !(ready && first == i) ? waits->cycles[i] + 1 : 0;
	assert_int_equal(b->out->cta_wr_valid, any && ready ? w->ctas : 0);
	if (!any)
		return;
	check_line(b, first);
	if (ready && first)
		waits->last = first;
}

/* `from`: CTA of the last read of each reader, or NOBODY. */
static void check_reads(struct bench *b, uint32_t *from)
{
	uint32_t r, c, asked[MAX_CTAS] = { 0 };

	for (r = 0; r < READERS; r++) {
		uint32_t cta = b->in->rd_cta[r], port = r == 0 ? 0 : 1;

		if (from[r] != NOBODY)
			assert_memory_equal(b->out->rd_data[r], b->in->cta_rd_data[from[r]][port],
			                    b->info->data_bytes);
		if (!b->in->rd_valid[r])
			continue;
		asked[cta] |= 1u << port;
		assert_int_equal(b->out->rd_ready[r], b->in->cta_rd_ready[cta] >> port & 1);
		assert_memory_equal(b->out->cta_rd_rows[cta][port], b->in->rd_rows[r],
		                    b->info->data_bytes / CHUNK * sizeof(uint16_t));
		if (b->out->rd_ready[r])
			from[r] = cta;
	}
	for (c = 0; c < b->info->ctas; c++)
		assert_int_equal(b->out->cta_rd_valid[c], asked[c]);
}

BENCH_TEST(routing, 6)
{
	uint32_t i, p, from[READERS] = { NOBODY, NOBODY, NOBODY };
	struct waits waits = { .last = 1 };

	for (i = 0; i < 20000; i++) {
		for (p = 0; p < WRITERS; p++) {
			struct parts_smem_write *w = &b->wr[p].line;

			if (!b->in->wr_valid[p] && rng_percent(&b->rng, 60)) {
				b->in->wr_valid[p] = 1;
				w->ctas = (uint16_t)(1 + rng_below(&b->rng, (1u << b->info->ctas) - 1));
				if (p == 2)
					w->ctas = (uint16_t)(1u << rng_below(&b->rng, b->info->ctas));
				draw_rows(b, w->rows);
				b->wr[p].addr = rng_below(&b->rng, b->info->smem_bytes / CHUNK);
				fill(b, w->data, b->info->data_bytes);
				fill(b, w->be, b->info->data_bytes / 8);
			}
		}
		for (p = 0; p < READERS; p++) {
			b->in->rd_valid[p] = rng_percent(&b->rng, 50);
			b->in->rd_cta[p] = (uint8_t)rng_below(&b->rng, b->info->ctas);
			draw_rows(b, b->in->rd_rows[p]);
		}
		/* Nobody asks for both at once in one CTA, nor with short paths names it for the one who does not ask. */
		if (b->in->rd_cta[1] == b->in->rd_cta[2] && (b->in->rd_valid[1] || b->info->short_paths))
			b->in->rd_valid[2] = 0;
		b->in->cta_wr_ready = (uint16_t)(rng_next(&b->rng) | rng_next(&b->rng));
		fill(b, b->in->cta_rd_ready, sizeof(b->in->cta_rd_ready));
		if (i % 4 == 0)
			fill(b, b->in->cta_rd_data, sizeof(b->in->cta_rd_data));
		eval(b);
		check_writes(b, &waits);
		check_reads(b, from);
		for (p = 0; p < WRITERS; p++)
			if (b->out->wr_ready[p])
				b->in->wr_valid[p] = 0;
		parts_tick(b->unit);
	}
}

/* Load data in every cycle: lines and chunks still go, one each after every eight cycles; without it
 * they share the cycles. */
BENCH_TEST(lines_in_turn, 7)
{
	enum { ROUND = MAX_WAIT + 1 };
	uint32_t i, p, load, went[WRITERS];
	struct waits waits = { .last = 1 };

	for (p = 0; p < WRITERS; p++)
		b->wr[p].line.ctas = 1;
	b->in->wr_valid[1] = b->in->wr_valid[2] = 1;
	b->in->cta_wr_ready = 1;
	for (load = 0; load < 2; load++) {
		memset(went, 0, sizeof(went));
		b->in->wr_valid[0] = (uint8_t)load;
		for (i = 0; i < 10 * ROUND; i++) {
			eval(b);
			check_writes(b, &waits);
			for (p = 0; p < WRITERS; p++)
				went[p] += b->in->wr_valid[p] && b->out->wr_ready[p];
			parts_tick(b->unit);
		}
		/* Two cycles of nine are not load data's. */
		assert_int_equal(went[0], load ? 10 * (MAX_WAIT - 1) : 0);
		assert_int_equal(went[1], load ? 10 : ROUND * 5);
		assert_int_equal(went[2], load ? 10 : ROUND * 5);
	}
}
