/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_port_test - a port with two readers and its writers in front of a memory.
 *
 * Requirement: readers that both want an address get it in turn, and each gets the data of its own ids and nothing
 * else; so do stores and reductions, of which only so many addresses are ahead of their data. Bursts of a stream are
 * answered in order, those of several in that of the memory; all data gets there. What nobody asked for is dropped.
 * When the port dies, with everything in flight, each burst of either reader and of every stream ends once, and the
 * other side goes on taking.
 * Checks: data and responses against the memory's content, the AXI checker at the pins, the units' assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "unit_rtl/unit_test.h"
#include "tma_port_pins.h"

#define BASE    0x10000u
#define BYTES   0x10000u /* the lower half is read, the upper half written */
#define IDS     9u
#define STREAMS 3u
#define BURSTS  8192u
#define AHEAD   16u  /* addresses whose data comes in the order of both writers */
#define LIMIT   800u /* of the watchdog, above the time for all bursts in flight */

/* The last one is that of reductions. */
static const uint8_t ids[IDS] = { 0, 1, 2, 3, 4, 8, 12, 20, 16 };

enum { STORES, REDUCTIONS, WRITERS };

struct burst {
	uint32_t offset, beats, stream;
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
	struct fifo reads[IDS], stream[STREAMS], w[WRITERS];
	uint32_t ids, lanes, streams; /* in use: for reads, of stores, of all that write */
	uint32_t ask[2], take[2], write[WRITERS], data, answer; /* percent: of reader, writer, stream */
	uint32_t asked[2], marked, overtakes, stray;
	uint32_t writes, end[BURSTS]; /* bursts of all streams, in order: answered */
	uint32_t oldest, order[STREAMS][BURSTS];
	uint32_t waits[WRITERS],
		full; /* of the other writer, since this one wants an address; cycles without room */
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
	e->streams = e->lanes + (e->info->reductions != 0);
	e->ids = e->info->reductions ? IDS : IDS - 1;
	e->ask[0] = e->ask[1] = e->take[0] = e->take[1] = e->write[STORES] = e->write[REDUCTIONS] = 100;
	e->answer = 100;
	e->data = 90;
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

	for (uint32_t i = 0; i < e->ids; i++)
		if (reader_of(ids[i]) == reader)
			owed += e->reads[i].put - e->reads[i].got;
	return owed;
}

static uint32_t owed_writes(const struct env *e, uint32_t stream)
{
	return e->stream[stream].put - e->stream[stream].got;
}

/* Addresses whose data has not been taken in full. */
static uint32_t ahead(const struct env *e)
{
	return e->w[STORES].put - e->w[STORES].got + e->w[REDUCTIONS].put - e->w[REDUCTIONS].got;
}

static void drive_reader(struct env *e, uint32_t r)
{
	struct port_read_req *q = &e->in->reader[r];

	q->r_ready = rng_percent(&e->rng, e->take[r]);
	if (q->ar_valid || owed_reads(e, r) >= e->info->reads / 2 || !rng_percent(&e->rng, e->ask[r]))
		return;
	q->ar_valid = 1;
	q->ar.id = ids[r ? 4 + rng_below(&e->rng, e->ids - 4) : rng_below(&e->rng, 4)];
	q->ar.qid = (uint8_t)rng_below(&e->rng, e->info->queues);
	q->ar.len = (uint8_t)rng_below(&e->rng, 3);
	q->ar.addr =
		BASE + rng_below(&e->rng, BYTES / 8192) * 4096 + rng_below(&e->rng, 16) * e->info->data_bytes;
}

static void drive_writer(struct env *e, uint32_t k)
{
	struct port_writer_req *q = k == STORES ? &e->in->writer : &e->in->reduce;
	uint32_t stream = k == STORES ? rng_below(&e->rng, e->lanes) : e->lanes, bytes = e->info->data_bytes;
	uint32_t most = k == STORES ? e->info->writes : e->info->reductions;
	const struct fifo *w = &e->w[k];
	const struct burst *b = &w->burst[w->got];

	/* Of the other writer's streams nothing is taken, whatever it says. */
	q->b_ready =
		(uint8_t)rng_next(&e->rng) & (uint8_t)(k == STORES ? 1u << e->lanes : (1u << e->lanes) - 1);
	for (uint32_t s = 0; s < e->streams; s++)
		if ((s < e->lanes) == (k == STORES))
			q->b_ready |= (uint8_t)(rng_percent(&e->rng, e->answer) << s);
	if (!q->aw_valid && w->put < BURSTS && owed_writes(e, stream) < most &&
	    rng_percent(&e->rng, e->write[k])) {
		q->aw_valid = 1;
		q->aw.stream = (uint8_t)stream;
		q->aw.len = (uint8_t)rng_below(&e->rng, 4);
		/* Each stream its pages: of two that write one byte nobody knows who is last. */
		q->aw.addr = BASE + BYTES / 2 + stream * 4096 + rng_below(&e->rng, 16) * bytes;
	}
	if (q->w_valid || w->got == w->put || !rng_percent(&e->rng, e->data))
		return;
	q->w_valid = 1;
	q->w_stream = (uint8_t)b->stream;
	q->w.last = w->beat + 1 == b->beats;
	for (uint32_t i = 0; i < bytes; i++) {
		q->w.data[i] = (uint8_t)rng_next(&e->rng);
		if (!e->out->dead)
			e->wanted[b->offset + w->beat * bytes + i] = q->w.data[i];
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
	/* Data of a client that nobody is, and a response of an id that no stream has, where none comes. */
	if (!r->r_valid && rng_percent(&e->rng, e->stray)) {
		r->r_valid = 1;
		r->r_id = (uint8_t)(17 + rng_below(&e->rng, 3));
		r->r_last = (uint8_t)rng_below(&e->rng, 2);
	}
	if (!w->b_valid && rng_percent(&e->rng, e->stray)) {
		w->b_valid = 1;
		w->b_id = (uint8_t)(STREAMS + rng_below(&e->rng, 29));
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
		.aw_id = w->aw.stream,
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

static void see_responses(struct env *e, uint32_t s)
{
	const struct port_writer_req *q = s < e->lanes ? &e->in->writer : &e->in->reduce;
	const struct port_writer_rsp *o = s < e->lanes ? &e->out->writer : &e->out->reduce;
	struct fifo *f = &e->stream[s];

	if (!(o->b_valid >> s & 1) || !(q->b_ready >> s & 1))
		return;
	assert_true(f->got < f->put);
	assert_int_equal(o->b[s].resp & 2, 0);
	e->marked += o->b[s].dead;
	e->overtakes += e->order[s][f->got] > e->oldest;
	e->end[e->order[s][f->got++]] = 1;
	while (e->oldest < e->writes && e->end[e->oldest])
		e->oldest++;
}

static void see_data(struct env *e, uint32_t k)
{
	const struct port_writer_req *q = k == STORES ? &e->in->writer : &e->in->reduce;
	const struct port_writer_rsp *o = k == STORES ? &e->out->writer : &e->out->reduce;

	if (!q->w_valid || !o->w_ready)
		return;
	assert_true(k == REDUCTIONS || e->out->leaves);
	e->w[k].beat = q->w.last ? 0 : e->w[k].beat + 1;
	e->w[k].got += q->w.last;
}

static bool see_address(struct env *e, uint32_t k)
{
	const struct port_writer_req *q = k == STORES ? &e->in->writer : &e->in->reduce;
	const struct port_writer_rsp *o = k == STORES ? &e->out->writer : &e->out->reduce;
	struct fifo *w = &e->w[k];

	if (!q->aw_valid || !o->aw_ready)
		return false;
	assert_true(e->writes < BURSTS);
	e->order[q->aw.stream][e->stream[q->aw.stream].put++] = e->writes++;
	w->burst[w->put++] = (struct burst){ (uint32_t)q->aw.addr - BASE, q->aw.len + 1u, q->aw.stream };
	return true;
}

static void see_writers(struct env *e)
{
	bool room = ahead(e) < AHEAD || e->streams == e->lanes || e->out->dead, aw[WRITERS];

	for (uint32_t s = 0; s < e->streams; s++)
		see_responses(e, s);
	for (uint32_t k = 0; k < WRITERS; k++) {
		see_data(e, k);
		aw[k] = see_address(e, k);
		assert_true(room || !aw[k]);
	}
	e->full += !room;
	assert_false(aw[STORES] && aw[REDUCTIONS]);
	e->waits[STORES] = e->in->writer.aw_valid && !aw[STORES] ? e->waits[STORES] + aw[REDUCTIONS] : 0;
	e->waits[REDUCTIONS] =
		e->in->reduce.aw_valid && !aw[REDUCTIONS] ? e->waits[REDUCTIONS] + aw[STORES] : 0;
	assert_in_range(e->waits[STORES], 0, 1);
	assert_in_range(e->waits[REDUCTIONS], 0, 1);
}

static void step(struct env *e)
{
	bool ar[2], aw[WRITERS], w[WRITERS];

	for (uint32_t r = 0; r < 2; r++)
		drive_reader(e, r);
	drive_writer(e, STORES);
	if (e->streams > e->lanes)
		drive_writer(e, REDUCTIONS);
	put_pins(e);
	port_eval(e->unit);
	get_pins(e);
	see_readers(e);
	see_writers(e);
	axi_check_step(e->check, e->cycle, true, &e->axi_out, &e->axi_in);
	for (uint32_t r = 0; r < 2; r++)
		ar[r] = e->in->reader[r].ar_valid && e->out->reader[r].ar_ready;
	aw[STORES] = e->in->writer.aw_valid && e->out->writer.aw_ready;
	aw[REDUCTIONS] = e->in->reduce.aw_valid && e->out->reduce.aw_ready;
	w[STORES] = e->in->writer.w_valid && e->out->writer.w_ready;
	w[REDUCTIONS] = e->in->reduce.w_valid && e->out->reduce.w_ready;
	port_tick(e->unit);
	for (uint32_t r = 0; r < 2; r++)
		e->in->reader[r].ar_valid &= !ar[r];
	e->in->writer.aw_valid &= !aw[STORES];
	e->in->reduce.aw_valid &= !aw[REDUCTIONS];
	e->in->writer.w_valid &= !w[STORES];
	e->in->reduce.w_valid &= !w[REDUCTIONS];
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

	e->ask[0] = e->ask[1] = e->write[STORES] = e->write[REDUCTIONS] = 0;
	while (owed_reads(e, 0) || owed_reads(e, 1) || e->oldest < e->writes || e->in->reader[0].ar_valid ||
	       e->in->reader[1].ar_valid || e->in->writer.aw_valid || e->in->reduce.aw_valid) {
		assert_true(e->cycle < end);
		step(e);
	}
}

TEST(readers_and_streams)
{
	static struct env e;

	for (uint32_t i = 0; i < 12; i++) {
		open_env(&e, 10 + i, i % 3 * 25);
		e.ask[i % 2] = i < 4 ? 100 : 40;
		e.take[0] = 100 - i % 4 * 20;
		e.take[1] = 100 - i % 5 * 15;
		e.answer = i % 3 ? 60 : 100;
		e.write[STORES] = i % 5 ? 100 : 30;
		e.write[REDUCTIONS] = i % 2 ? 100 : 40;
		e.stray = i % 4 * 10;
		e.in->limit = 2000;
		steps(&e, 2000);
		/* No data: addresses go on for so long. */
		e.data = 0;
		steps(&e, 200);
		e.data = 90;
		assert_int_equal(e.full != 0, e.streams > e.lanes);
		/* Nobody inside takes responses, until the port holds all that there may be. */
		e.answer = 0;
		steps(&e, i % 3 ? 0 : 2500);
		e.answer = 100;
		drain(&e);
		assert_false(e.out->dead);
		assert_int_equal(e.marked, 0);
		assert_true(e.asked[0] > 100 && e.asked[1] > 100 && e.w[STORES].put > 100);
		assert_true(e.streams == e.lanes || e.w[REDUCTIONS].put > 100);
		assert_memory_equal(e.memory, e.wanted, BYTES);
		assert_true(e.streams == 1 ? e.overtakes == 0 : e.overtakes > 20);
		close_env(&e);
	}
}

/* Both wait for an address, for the memory takes none; then it does: one each, whoever was faster before. */
TEST(readers_take_turns)
{
	static struct env e;
	uint32_t begin[2];

	open_env(&e, 5, 30);
	for (uint32_t i = 0; i < 100; i++) {
		e.ask[i % 2] = 0;
		steps(&e, 50);
		axi_mem_stop(e.mem, AXI_MEM_AR, 0);
		e.ask[i % 2] = 100;
		steps(&e, 100);
		assert_true(e.in->reader[0].ar_valid && e.in->reader[1].ar_valid);
		axi_mem_stop(e.mem, 0, 0);
		memcpy(begin, e.asked, sizeof(begin));
		for (uint32_t k = 0; e.asked[0] == begin[0] || e.asked[1] == begin[1]; k++) {
			assert_true(k < 200);
			step(&e);
			assert_in_range(e.asked[0] - begin[0], 0, 1);
			assert_in_range(e.asked[1] - begin[1], 0, 1);
		}
	}
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
		/* With several streams the port keeps the responses that are not taken inside. */
		e.answer = i % 2 && e.streams > 1 ? 0 : 100;
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
