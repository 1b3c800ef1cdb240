/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_port_test - a port with two readers and its writers in front of a memory.
 *
 * Requirement: readers that both want an address get it in turn, and each gets the data of its own ids and nothing
 * else. Bursts of a lane are answered in order, those of two lanes in that of the memory; all data gets there. What
 * nobody asked for is dropped. When the port dies, with everything in flight, each burst of either reader and of
 * either lane ends once, and the other side goes on taking.
 * Checks: data and responses against the memory's content, the AXI checker at the pins, the units' assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "unit_rtl/unit_test.h"
#include "tma_port_pins.h"

#define BASE   0x10000u
#define BYTES  0x10000u /* the lower half is read, the upper half written */
#define IDS    8u
#define LANES  2u
#define BURSTS 4096u
#define LIMIT  800u /* of the watchdog, above the time for all bursts in flight */

static const uint8_t ids[IDS] = { 0, 1, 2, 3, 4, 8, 12, 20 };

struct burst {
	uint32_t offset, beats, lane;
};

struct fifo {
	struct burst burst[BURSTS];
	uint32_t put, got, beat; /* bursts taken, ended; beats of the oldest */
};

struct env {
	struct port *unit;
	const struct unit_shape *info;
	struct port_in *in;
	const struct port_out *out;
	struct rng rng;
	struct axi_mem *mem;
	struct axi_check *check;
	struct tma_axi_in axi_in;
	struct tma_axi_out axi_out;
	uint8_t memory[BYTES], wanted[BYTES];
	struct fifo reads[IDS], lane[LANES], w;
	uint32_t lanes, ask[2], take[2], write, answer; /* percent: of reader or lane */
	uint32_t asked[2], marked, overtakes, stray;
	uint32_t end[BURSTS]; /* of the bursts of both lanes, in order: answered */
	uint32_t oldest, order[LANES][BURSTS];
	uint64_t cycle;
};

static uint32_t reader_of(uint32_t id)
{
	return id >= 4;
}

static void open_env(struct env *e, uint64_t seed, uint32_t stalls)
{
	struct axi_mem_opts mem = { 0 };
	struct axi_check_opts check = { 0 };

	BENCH_OPEN(e, port, seed);
	e->info = unit_shape();
	e->lanes = e->info->ports > 1 ? 2 : 1;
	e->ask[0] = e->ask[1] = e->take[0] = e->take[1] = e->write = e->answer = 100;
	mem.data_bytes = check.data_bytes = e->info->data_bytes;
	mem.latency = 10;
	mem.random_latency = 30;
	mem.stall_percent = stalls;
	mem.seed = seed;
	check.ids = 32;
	e->mem = must(axi_mem_new(&mem));
	e->check = must(axi_check_new(&check));
	for (uint32_t i = 0; i < BYTES; i++)
		e->memory[i] = e->wanted[i] = (uint8_t)rng_next(&e->rng);
	assert_int_equal(axi_mem_map(e->mem, BASE, BYTES, e->memory), 0);
	assert_int_equal(axi_check_legal(e->check, 0, AXI_CHECK_READ | AXI_CHECK_WRITE, BASE, BYTES), 0);
	axi_mem_reset(e->mem, &e->axi_in);
	port_start(e->unit);
}

static void close_env(struct env *e)
{
	assert_int_equal(axi_check_failed(e->check), 0);
	axi_check_free(e->check);
	axi_mem_free(e->mem);
	port_close(e->unit);
}

static uint32_t owed_reads(const struct env *e, uint32_t reader)
{
	uint32_t owed = 0;

	for (uint32_t i = 4 * reader; i < 4 * reader + 4; i++)
		owed += e->reads[i].put - e->reads[i].got;
	return owed;
}

static uint32_t owed_writes(const struct env *e, uint32_t lane)
{
	return e->lane[lane].put - e->lane[lane].got;
}

static void drive_reader(struct env *e, uint32_t r)
{
	struct port_read_req *q = &e->in->reader[r];

	q->r_ready = rng_percent(&e->rng, e->take[r]);
	if (q->ar_valid || owed_reads(e, r) >= e->info->reads / 2 || !rng_percent(&e->rng, e->ask[r]))
		return;
	q->ar_valid = 1;
	q->ar.id = ids[4 * r + rng_below(&e->rng, 4)];
	q->ar.qid = (uint8_t)rng_below(&e->rng, e->info->queues);
	q->ar.len = (uint8_t)rng_below(&e->rng, 3);
	q->ar.addr =
		BASE + rng_below(&e->rng, BYTES / 8192) * 4096 + rng_below(&e->rng, 16) * e->info->data_bytes;
}

static void drive_writer(struct env *e)
{
	struct port_writer_req *q = &e->in->writer;
	uint32_t lane = rng_below(&e->rng, e->lanes), bytes = e->info->data_bytes;
	const struct burst *b = &e->w.burst[e->w.got];

	q->b_ready = 0;
	for (uint32_t l = 0; l < e->lanes; l++)
		q->b_ready |= (uint8_t)(rng_percent(&e->rng, e->answer) << l);
	if (!q->aw_valid && e->w.put < BURSTS && owed_writes(e, lane) < e->info->writes &&
	    rng_percent(&e->rng, e->write)) {
		q->aw_valid = 1;
		q->aw.lane = (uint8_t)lane;
		q->aw.len = (uint8_t)rng_below(&e->rng, 4);
		/* Each lane its pages: of two that write one byte nobody knows who is last. */
		q->aw.addr = BASE + BYTES / 2 + lane * 4096 + rng_below(&e->rng, 16) * bytes;
	}
	if (q->w_valid || e->w.got == e->w.put || !rng_percent(&e->rng, 90))
		return;
	q->w_valid = 1;
	q->w_lane = (uint8_t)b->lane;
	q->w.last = e->w.beat + 1 == b->beats;
	for (uint32_t i = 0; i < bytes; i++) {
		q->w.data[i] = (uint8_t)rng_next(&e->rng);
		if (!e->out->dead)
			e->wanted[b->offset + e->w.beat * bytes + i] = q->w.data[i];
	}
	memset(q->w.strb, 0xFF, bytes / 8);
}

static void put_pins(struct env *e)
{
	struct port_read_rsp *r = &e->in->axi.read;
	struct port_write_rsp *w = &e->in->axi.write;

	r->ar_ready = e->axi_in.ar_ready;
	r->r_valid = e->axi_in.r_valid;
	r->r_id = e->axi_in.r_id;
	r->r_resp = e->axi_in.r_resp;
	r->r_last = e->axi_in.r_last;
	memcpy(r->r_data, e->axi_in.r_data, e->info->data_bytes);
	w->aw_ready = e->axi_in.aw_ready;
	w->w_ready = e->axi_in.w_ready;
	w->b_valid = e->axi_in.b_valid;
	w->b_id = e->axi_in.b_id;
	w->b_resp = e->axi_in.b_resp;
	/* Data of a client that nobody is, and a response of an id that no lane has, where none comes. */
	if (!r->r_valid && rng_percent(&e->rng, e->stray)) {
		r->r_valid = 1;
		r->r_id = (uint8_t)(16 + rng_below(&e->rng, 4));
		r->r_last = (uint8_t)rng_below(&e->rng, 2);
	}
	if (!w->b_valid && rng_percent(&e->rng, e->stray)) {
		w->b_valid = 1;
		w->b_id = (uint8_t)(2 + rng_below(&e->rng, 30));
	}
}

static void get_pins(struct env *e)
{
	const struct port_read_req *r = &e->out->axi.read;
	const struct port_write_req *w = &e->out->axi.write;
	uint8_t size = 0;

	while (1u << size < e->info->data_bytes)
		size++;
	e->axi_out = (struct tma_axi_out){
		.ar_valid = r->ar_valid,
		.ar_id = r->ar.id,
		.ar_addr = r->ar.addr,
		.ar_len = r->ar.len,
		.ar_size = size,
		.ar_burst = 1,
		.r_ready = r->r_ready,
		.aw_valid = w->aw_valid,
		.aw_id = w->aw.lane,
		.aw_addr = w->aw.addr,
		.aw_len = w->aw.len,
		.aw_size = size,
		.aw_burst = 1,
		.w_valid = w->w_valid,
		.w_last = w->w.last,
		.b_ready = w->b_ready,
	};
	memcpy(e->axi_out.w_data, w->w.data, e->info->data_bytes);
	memcpy(e->axi_out.w_strb, w->w.strb, e->info->data_bytes / 8);
}

static void see_beat(struct env *e, uint32_t r)
{
	const struct port_read_beat *b = &e->out->reader[r].r;
	struct fifo *f;
	uint32_t i = 0;

	if (!e->out->reader[r].r_valid || !e->in->reader[r].r_ready)
		return;
	assert_int_equal(reader_of(b->id), r);
	while (ids[i] != b->id)
		i++;
	f = &e->reads[i];
	assert_true(f->got < f->put);
	e->marked += b->dead;
	if (!b->dead)
		assert_memory_equal(b->data,
		                    e->memory + f->burst[f->got].offset + f->beat * e->info->data_bytes,
		                    e->info->data_bytes);
	f->beat++;
	assert_true(b->dead || b->last == (f->beat == f->burst[f->got].beats));
	if (!b->last)
		return;
	f->beat = 0;
	f->got++;
}

static void see_readers(struct env *e)
{
	bool both = e->in->reader[0].ar_valid && e->in->reader[1].ar_valid;

	assert_false(both && e->out->reader[0].ar_ready && e->out->reader[1].ar_ready);
	for (uint32_t r = 0; r < 2; r++) {
		const struct port_ar *ar = &e->in->reader[r].ar;
		struct fifo *f;
		uint32_t i = 0;

		see_beat(e, r);
		if (!e->in->reader[r].ar_valid || !e->out->reader[r].ar_ready)
			continue;
		while (ids[i] != ar->id)
			i++;
		f = &e->reads[i];
		assert_true(f->put < BURSTS);
		f->burst[f->put++] = (struct burst){ (uint32_t)ar->addr - BASE, ar->len + 1u, 0 };
		e->asked[r]++;
	}
}

static void see_writers(struct env *e)
{
	const struct port_writer_req *q = &e->in->writer;
	const struct port_writer_rsp *o = &e->out->writer;

	for (uint32_t l = 0; l < e->lanes; l++) {
		struct fifo *f = &e->lane[l];

		if (!(o->b_valid >> l & 1) || !(q->b_ready >> l & 1))
			continue;
		assert_true(f->got < f->put);
		assert_int_equal(o->b[l].resp & 2, 0);
		e->marked += o->b[l].dead;
		e->overtakes += e->order[l][f->got] > e->oldest;
		e->end[e->order[l][f->got++]] = 1;
		while (e->oldest < e->w.put && e->end[e->oldest])
			e->oldest++;
	}
	if (q->aw_valid && o->aw_ready) {
		uint32_t lane = q->aw.lane;

		e->order[lane][e->lane[lane].put++] = e->w.put;
		e->w.burst[e->w.put++] = (struct burst){ (uint32_t)q->aw.addr - BASE, q->aw.len + 1u, lane };
	}
	if (q->w_valid && o->w_ready) {
		assert_true(e->out->leaves);
		e->w.beat = q->w.last ? 0 : e->w.beat + 1;
		e->w.got += q->w.last;
	}
}

static void step(struct env *e)
{
	bool ar[2], aw, w;

	for (uint32_t r = 0; r < 2; r++)
		drive_reader(e, r);
	drive_writer(e);
	put_pins(e);
	port_eval(e->unit);
	get_pins(e);
	see_readers(e);
	see_writers(e);
	axi_check_step(e->check, e->cycle, true, &e->axi_out, &e->axi_in);
	for (uint32_t r = 0; r < 2; r++)
		ar[r] = e->in->reader[r].ar_valid && e->out->reader[r].ar_ready;
	aw = e->in->writer.aw_valid && e->out->writer.aw_ready;
	w = e->in->writer.w_valid && e->out->writer.w_ready;
	port_tick(e->unit);
	for (uint32_t r = 0; r < 2; r++)
		e->in->reader[r].ar_valid &= !ar[r];
	e->in->writer.aw_valid &= !aw;
	e->in->writer.w_valid &= !w;
	axi_mem_step(e->mem, &e->axi_out, &e->axi_in);
	e->cycle++;
}

static void steps(struct env *e, uint32_t count)
{
	while (count--)
		step(e);
}

/* Nobody asks for more, and what was asked for ends. */
static void drain(struct env *e)
{
	uint64_t end = e->cycle + 5000;

	e->ask[0] = e->ask[1] = e->write = 0;
	while (owed_reads(e, 0) || owed_reads(e, 1) || owed_writes(e, 0) || owed_writes(e, 1) ||
	       e->in->reader[0].ar_valid || e->in->reader[1].ar_valid || e->in->writer.aw_valid) {
		assert_true(e->cycle < end);
		step(e);
	}
}

TEST(readers_and_lanes)
{
	static struct env e;

	for (uint32_t i = 0; i < 12; i++) {
		open_env(&e, 10 + i, i % 3 * 25);
		e.ask[i % 2] = i < 4 ? 100 : 40;
		e.take[0] = 100 - i % 4 * 20;
		e.take[1] = 100 - i % 5 * 15;
		e.answer = i % 3 ? 60 : 100;
		e.stray = i % 4 * 10;
		e.in->limit = 2000;
		steps(&e, 1500);
		/* Nobody inside takes responses, until the port holds all that there may be. */
		e.answer = 0;
		steps(&e, i % 3 ? 0 : 2500);
		e.answer = 100;
		drain(&e);
		assert_false(e.out->dead);
		assert_int_equal(e.marked, 0);
		assert_true(e.asked[0] > 100 && e.asked[1] > 100 && e.w.put > 200);
		assert_memory_equal(e.memory, e.wanted, BYTES);
		assert_true(e.lanes == 1 ? e.overtakes == 0 : e.overtakes > 20);
		close_env(&e);
	}
}

/* Both want every address: one each, whoever was faster before. */
TEST(readers_take_turns)
{
	static struct env e;
	uint32_t begin[2];

	open_env(&e, 5, 30);
	e.ask[1] = 0;
	steps(&e, 50);
	e.ask[1] = 100;
	steps(&e, 50);
	for (uint32_t i = 0; i < 500; i++) {
		/* Where there is room for two. */
		bool both = e.in->reader[0].ar_valid && e.in->reader[1].ar_valid;

		memcpy(begin, e.asked, sizeof(begin));
		for (uint32_t k = 0; both && k < 200 && (e.asked[0] == begin[0] || e.asked[1] == begin[1]);
		     k++) {
			step(&e);
			assert_in_range(e.asked[0] - begin[0], 0, 1);
			assert_in_range(e.asked[1] - begin[1], 0, 1);
		}
		step(&e);
	}
	assert_in_range(e.asked[1], 100, e.asked[0] + 50);
	drain(&e);
	close_env(&e);
}

/* The memory stops on some of its channels, and the port dies with everything in flight. */
TEST(death)
{
	static const uint32_t channels[] = { AXI_MEM_AR | AXI_MEM_R, AXI_MEM_AW | AXI_MEM_W | AXI_MEM_B,
		                             AXI_MEM_B, 31 };
	static struct env e;

	for (uint32_t i = 0; i < 24; i++) {
		open_env(&e, 40 + i, i % 3 * 20);
		e.take[0] = e.take[1] = 40 + i % 3 * 30;
		e.in->limit = LIMIT;
		steps(&e, 300 + i);
		assert_false(e.out->dead);
		axi_mem_stop(e.mem, channels[i % 4], 0);
		/* With several lanes the port keeps the responses that are not taken inside. */
		e.answer = i % 2 && e.lanes > 1 ? 0 : 100;
		/* Without a limit for a cycle, it counts anew. */
		steps(&e, LIMIT - 100);
		e.in->limit = 0;
		steps(&e, 1);
		e.in->limit = LIMIT;
		steps(&e, LIMIT - 100);
		assert_false(e.out->dead);
		while (!e.out->dead) {
			assert_true(e.cycle < 6 * LIMIT);
			step(&e);
		}
		/* Goes on as if nothing had happened, for those inside. */
		e.answer = 50;
		steps(&e, 300);
		assert_true(e.marked > 50);
		drain(&e);
		close_env(&e);
	}
}
