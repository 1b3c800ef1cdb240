/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_axi_ram_test - the board's memory: bursts of a manager on both sides, and the bridge's lines in between.
 *
 * Requirement: full-width INCR bursts of up to 256 beats that keep their page; ids answered in order; a beat per cycle in
 * each direction, at once; what B has answered a later read sees; DECERR outside; lines and bursts take turns.
 * Checks: each beat against a memory that knows what every byte was, and when; ids, LAST and responses; cycles.
 */
#include "unit_rtl/unit_test.h"
#include "tma_axi_ram_pins.h"

#define BASE     UINT64_C(0x80000000)
#define MEMORY   (1u << 18)
#define ROW      16u
#define ROWS     (MEMORY / ROW)
#define VERSIONS 4u
#define QUEUE    16u /* bursts that are owed */
#define DECERR   3u

/* A byte may be what it was in any cycle between the address of a read and its beat. */
struct version {
	uint8_t bytes[ROW];
	uint64_t until; /* the cycle in which it was written over */
};

struct row {
	uint8_t bytes[ROW];
	struct version old[VERSIONS];
	uint32_t next;
};

struct burst {
	uint64_t addr, since;
	uint32_t beats, id;
};

struct queue {
	struct burst burst[QUEUE];
	uint32_t first, count, beat; /* of the first one */
};

struct bench {
	struct axi_ram *unit;
	struct axi_ram_in *in;
	const struct axi_ram_out *out;
	struct rng rng;
	uint64_t cycle;

	uint32_t addresses, stall, lines; /* percent, of each cycle */
	uint32_t rows, max_beats;         /* where bursts go, and how long they are */
	bool outside;                     /* some go there */
	struct queue reads, writes, answers;
	bool line_owed;
	uint64_t line_since, line_row, read_beats, write_beats, line_turns, decerr;
	uint32_t line_waits;
};

static struct row rows[ROWS];

static void write_row(struct bench *b, uint64_t row, const uint8_t *bytes, uint32_t strb)
{
	struct row *r = &rows[row];
	struct version *v = &r->old[r->next++ % VERSIONS];

	memcpy(v->bytes, r->bytes, ROW);
	v->until = b->cycle;
	for (uint32_t i = 0; i < ROW; i++)
		if (strb >> i & 1)
			r->bytes[i] = bytes[i];
}

/* Versions older than those that are kept were over before anybody asked. */
static void check_row(struct bench *b, uint64_t row, const uint8_t *bytes, uint64_t since)
{
	const struct row *r = &rows[row];

	for (uint32_t i = 0; i < ROW; i++) {
		bool found = bytes[i] == r->bytes[i];

		for (uint32_t v = 0; v < VERSIONS && !found; v++)
			found = r->old[v].until >= since && bytes[i] == r->old[v].bytes[i];
		REQUIRE(b, found);
	}
}

static struct burst draw(struct bench *b)
{
	uint32_t row = rng_below(&b->rng, b->rows), beats = 1 + rng_below(&b->rng, b->max_beats);
	struct burst burst = { .addr = BASE + (uint64_t)row * ROW,
		               .since = b->cycle,
		               .id = rng_below(&b->rng, 32) };

	burst.beats = beats > 256 - row % 256 ? 256 - row % 256 : beats;
	if (b->outside && rng_percent(&b->rng, 20))
		burst.addr +=
			rng_percent(&b->rng, 50) ? MEMORY : (uint64_t)1 << (32 + rng_below(&b->rng, 32));
	if (b->outside && rng_percent(&b->rng, 5))
		burst.addr -= BASE;
	return burst;
}

static struct burst *push(struct queue *q, struct burst burst)
{
	struct burst *to = &q->burst[(q->first + q->count++) % QUEUE];

	*to = burst;
	return to;
}

static struct burst pop(struct queue *q)
{
	struct burst burst = q->burst[q->first];

	q->first = (q->first + 1) % QUEUE;
	q->count--;
	q->beat = 0;
	return burst;
}

static bool inside(uint64_t addr)
{
	return addr >= BASE && addr - BASE < MEMORY;
}

/* Offers stay until they are taken. */
static void offer(struct bench *b)
{
	struct axi_ram_in *in = b->in;
	const struct burst *w = &b->writes.burst[b->writes.first];

	if (!in->ar_valid && b->reads.count < QUEUE && rng_percent(&b->rng, b->addresses)) {
		struct burst burst = draw(b);

		in->ar_valid = 1;
		in->ar = (struct axi_ram_ram_burst){ .addr = burst.addr,
			                             .id = (uint8_t)burst.id,
			                             .len = (uint8_t)(burst.beats - 1) };
	}
	if (!in->aw_valid && b->writes.count < QUEUE / 2 && b->answers.count < QUEUE / 2 &&
	    rng_percent(&b->rng, b->addresses)) {
		struct burst burst = draw(b);

		in->aw_valid = 1;
		in->aw = (struct axi_ram_ram_burst){ .addr = burst.addr,
			                             .id = (uint8_t)burst.id,
			                             .len = (uint8_t)(burst.beats - 1) };
	}
	if (!in->w_valid && b->writes.count && !rng_percent(&b->rng, b->stall)) {
		in->w_valid = 1;
		in->w.last = b->writes.beat + 1 == w->beats;
		in->w.strb = (uint16_t)(rng_percent(&b->rng, 50) ? 0xFFFF : rng_next(&b->rng));
		for (uint32_t i = 0; i < ROW; i++)
			in->w.data[i] = (uint8_t)rng_next(&b->rng);
	}
	if (!in->line_valid && !b->line_owed && rng_percent(&b->rng, b->lines)) {
		in->line_valid = 1;
		in->line.write = rng_percent(&b->rng, 50);
		in->line.addr = rng_below(&b->rng, b->rows) * ROW;
		in->line.strb = (uint16_t)rng_next(&b->rng);
		for (uint32_t i = 0; i < ROW; i++)
			in->line.wdata[i] = (uint8_t)rng_next(&b->rng);
		b->line_waits = 0;
	}
	in->r_ready = !rng_percent(&b->rng, b->stall);
	in->b_ready = !rng_percent(&b->rng, b->stall);
}

static void take_reads(struct bench *b)
{
	const struct axi_ram_ram_r *r = &b->out->r;
	const struct burst *burst = &b->reads.burst[b->reads.first];

	if (b->out->r_valid && b->in->r_ready) {
		uint64_t addr = burst->addr + (uint64_t)b->reads.beat * ROW;

		REQUIRE(b, b->reads.count && r->id == burst->id);
		REQUIRE(b, r->last == (b->reads.beat + 1 == burst->beats));
		REQUIRE(b, r->resp == (inside(addr) ? 0 : DECERR));
		if (inside(addr))
			check_row(b, (addr - BASE) / ROW, r->data, burst->since);
		b->decerr += !inside(addr);
		b->read_beats++;
		b->reads.beat++;
		if (r->last)
			pop(&b->reads);
	}
	if (b->in->ar_valid && b->out->ar_ready) {
		push(&b->reads, (struct burst){ .addr = b->in->ar.addr,
		                                .since = b->cycle,
		                                .beats = b->in->ar.len + 1u,
		                                .id = b->in->ar.id });
		b->in->ar_valid = 0;
	}
}

static void take_writes(struct bench *b)
{
	const struct burst *burst = &b->writes.burst[b->writes.first];

	if (b->out->b_valid && b->in->b_ready) {
		struct burst answered;

		REQUIRE(b, b->answers.count);
		answered = pop(&b->answers);
		REQUIRE(b, b->out->b.id == answered.id);
		REQUIRE(b, b->out->b.resp == (inside(answered.addr) ? 0 : DECERR));
	}
	if (b->in->w_valid && b->out->w_ready) {
		uint64_t addr = burst->addr + (uint64_t)b->writes.beat * ROW;

		if (inside(addr))
			write_row(b, (addr - BASE) / ROW, b->in->w.data, b->in->w.strb);
		b->decerr += !inside(addr);
		b->write_beats++;
		b->writes.beat++;
		b->in->w_valid = 0;
		if (b->in->w.last)
			push(&b->answers, pop(&b->writes));
	}
	if (b->in->aw_valid && b->out->aw_ready) {
		push(&b->writes, (struct burst){ .addr = b->in->aw.addr,
		                                 .beats = b->in->aw.len + 1u,
		                                 .id = b->in->aw.id });
		b->in->aw_valid = 0;
	}
}

static void take_line(struct bench *b)
{
	if (b->out->line.rvalid) {
		REQUIRE(b, b->line_owed);
		check_row(b, b->line_row, b->out->line.rdata, b->line_since);
		b->line_owed = false;
	}
	if (!b->in->line_valid)
		return;
	if (!b->out->line.ready) {
		/* A beat, a write to its row and the output that is full may come first. */
		b->line_waits++;
		REQUIRE(b, b->stall || b->line_waits <= 4);
		return;
	}
	b->line_turns++;
	if (b->in->line.write)
		write_row(b, b->in->line.addr / ROW, b->in->line.wdata, b->in->line.strb);
	b->line_owed = !b->in->line.write;
	b->line_row = b->in->line.addr / ROW;
	b->line_since = b->cycle;
	b->in->line_valid = 0;
}

static void step(struct bench *b)
{
	offer(b);
	axi_ram_eval(b->unit);
	take_reads(b);
	take_writes(b);
	take_line(b);
	axi_ram_tick(b->unit);
	b->cycle++;
}

/* Of random memory the first pass over it makes known memory, by lines. */
static void start_bench(struct bench *b, uint64_t seed, uint32_t used)
{
	BENCH_OPEN(b, axi_ram, seed);
	b->rows = used;
	b->max_beats = 256;
	memset(rows, 0, sizeof(rows));
	axi_ram_start(b->unit);
	for (uint32_t row = 0; row < ROWS; row++) {
		b->in->line_valid = 1;
		b->in->line = (struct axi_ram_line_req){ .write = 1, .addr = row * ROW, .strb = 0xFFFF };
		for (uint32_t i = 0; i < ROW; i++)
			b->in->line.wdata[i] = (uint8_t)rng_next(&b->rng);
		axi_ram_eval(b->unit);
		take_line(b);
		axi_ram_tick(b->unit);
	}
	for (uint32_t row = 0; row < ROWS; row++)
		rows[row].next = 0;
}

/* Nothing more is asked for, and all is answered. */
static void finish(struct bench *b)
{
	b->addresses = b->lines = b->stall = 0;
	for (uint32_t i = 0; i < 20000; i++)
		step(b);
	assert_false(b->reads.count || b->writes.count || b->answers.count || b->line_owed ||
	             b->in->ar_valid);
	/* What is left in memory, through the line port. */
	for (uint32_t row = 0; row < b->rows; row++) {
		b->in->line_valid = 1;
		b->in->line = (struct axi_ram_line_req){ .addr = row * ROW };
		step(b);
		step(b);
		REQUIRE(b, !b->in->line_valid && !b->line_owed);
	}
	axi_ram_close(b->unit);
}

static void random_traffic(uint64_t seed, uint32_t used, uint32_t max_beats, uint32_t addresses,
                           uint32_t stall, uint32_t lines)
{
	struct bench b;

	start_bench(&b, seed, used);
	b.max_beats = max_beats;
	b.addresses = addresses;
	b.stall = stall;
	b.lines = lines;
	b.outside = true;
	for (uint32_t i = 0; i < 60000; i++)
		step(&b);
	assert_true(b.read_beats > 1000 && b.write_beats > 1000 && b.decerr > 100);
	finish(&b);
}

TEST(long_bursts)
{
	random_traffic(1, ROWS, 256, 10, 10, 20);
}

TEST(short_bursts_of_few_rows)
{
	random_traffic(2, 4, 3, 60, 20, 40);
}

TEST(a_manager_that_is_slow)
{
	random_traffic(3, 64, 16, 30, 80, 30);
}

TEST(nobody_waits)
{
	random_traffic(4, 300, 8, 100, 0, 100);
}

/* Reads in the lower half and writes in the upper one, so that none waits for the other. */
static void measure(uint32_t beats, uint64_t *read_cycles, uint64_t *write_cycles)
{
	struct bench b;
	uint32_t ar = 0, aw = 0, w = 0, r_seen = 0, b_seen = 0;
	const uint32_t bursts = 1024 / beats;

	start_bench(&b, 5, ROWS);
	b.in->line_valid = 0;
	b.in->r_ready = b.in->b_ready = 1;
	*read_cycles = *write_cycles = 0;
	for (uint64_t c = 1; r_seen < 1024 || b_seen < bursts; c++) {
		assert_true(c < 5000);
		b.in->ar_valid = ar < bursts;
		b.in->ar = (struct axi_ram_ram_burst){ .addr = BASE + ar * beats * ROW,
			                               .len = (uint8_t)(beats - 1) };
		b.in->aw_valid = aw < bursts;
		b.in->aw = (struct axi_ram_ram_burst){ .addr = BASE + MEMORY / 2 + aw * beats * ROW,
			                               .len = (uint8_t)(beats - 1) };
		b.in->w_valid = w < 1024 && w / beats < aw;
		b.in->w.last = w % beats == beats - 1;
		axi_ram_eval(b.unit);
		ar += b.in->ar_valid && b.out->ar_ready;
		aw += b.in->aw_valid && b.out->aw_ready;
		w += b.in->w_valid && b.out->w_ready;
		r_seen += b.out->r_valid;
		b_seen += b.out->b_valid;
		if (r_seen == 1024 && !*read_cycles)
			*read_cycles = c;
		if (b_seen == bursts && !*write_cycles)
			*write_cycles = c;
		axi_ram_tick(b.unit);
	}
	axi_ram_close(b.unit);
}

TEST(a_beat_per_cycle_both_ways)
{
	for (uint32_t beats = 1; beats <= 256; beats *= 4) {
		uint64_t reads, writes;

		measure(beats, &reads, &writes);
		assert_int_equal(reads, 1024 + 4);
		assert_in_range(writes, 1024, 1024 + 5);
	}
}

/* While lines come as quickly as they can, bursts have every second turn, and the other way round. */
TEST(lines_and_bursts_take_turns)
{
	struct bench b;

	start_bench(&b, 6, ROWS);
	b.addresses = b.lines = 100;
	for (uint32_t i = 0; i < 20000; i++)
		step(&b);
	assert_true(b.read_beats > 9000 && b.write_beats > 9000 && b.line_turns > 4000);
	finish(&b);
}
