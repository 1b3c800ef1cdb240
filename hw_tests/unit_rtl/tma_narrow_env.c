/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_rtl/tma_narrow_env.h"

#define DRAIN_LIMIT 200000u
#define SHORT_LINES 6u

/* Clients of reads as the engine has them; the last one is that of reductions. */
static const uint8_t ids[NARROW_IDS] = { 0, 1, 2, 3, 4, 8, 12, 20, 16 };

void env_open(struct env *e, uint64_t seed, const struct axi_mem_opts *opts)
{
	BENCH_OPEN(e, narrow, seed);
	e->bytes = unit_shape()->data_bytes;
	e->streams = (unit_shape()->ports > 1 ? 2 : 1) + (unit_shape()->reductions != 0);
	e->ask[NARROW_AR] = e->ask[NARROW_AW] = e->data = e->take = 100;
	e->left[NARROW_AR] = e->left[NARROW_AW] = NARROW_BURSTS;
	e->most = 64;
	e->opts = *opts;
	e->opts.data_bytes = NARROW_BUS;
	e->opts.seed = seed;
	e->mem = must(axi_mem_new(&e->opts));
	for (uint32_t side = 0; side < 2; side++) {
		struct axi_check_opts rules = { .port = side,
			                        .data_bytes = side ? e->bytes : NARROW_BUS,
			                        .ids = 32 };

		e->check[side] = must(axi_check_new(&rules));
		assert_int_equal(axi_check_legal(e->check[side], 0, AXI_CHECK_READ | AXI_CHECK_WRITE,
		                                 NARROW_BASE, NARROW_BYTES),
		                 0);
	}
	for (uint32_t i = 0; i < NARROW_BYTES; i++)
		e->memory[i] = e->wanted[i] = (uint8_t)rng_next(&e->rng);
	assert_int_equal(axi_mem_map(e->mem, NARROW_BASE, NARROW_BYTES, e->memory), 0);
	axi_mem_reset(e->mem, &e->bus_in);
	narrow_start(e->unit);
}

void env_close(struct env *e)
{
	for (uint32_t side = 0; side < 2; side++) {
		assert_int_equal(axi_check_failed(e->check[side]), 0);
		axi_check_free(e->check[side]);
	}
	axi_mem_free(e->mem);
	narrow_close(e->unit);
}

void env_error(struct env *e, uint32_t direction, uint32_t at, uint32_t size, uint8_t resp)
{
	e->error[direction][e->errors[direction]++] = (struct error){ at, size, resp };
	assert_int_equal(axi_mem_error(e->mem, direction == NARROW_AR ? AXI_MEM_READ : AXI_MEM_WRITE,
	                               NARROW_BASE + at, size, resp),
	                 0);
}

/*
 * What has to come.
 */

/* The response of one beat of the bus. */
static uint8_t beat_resp(const struct env *e, uint32_t direction, uint32_t at)
{
	uint8_t worst = AXI_OKAY;

	for (uint32_t i = 0; i < e->errors[direction]; i++) {
		const struct error *r = &e->error[direction][i];

		if (at + NARROW_BUS > r->at && at < r->at + r->size && r->resp > worst)
			worst = r->resp;
	}
	return worst;
}

static uint8_t line_resp(const struct env *e, uint32_t at)
{
	uint8_t worst = AXI_OKAY;

	for (uint32_t i = 0; i < e->bytes; i += NARROW_BUS) {
		uint8_t resp = beat_resp(e, NARROW_AR, at + i);

		worst = resp > worst ? resp : worst;
	}
	return worst;
}

/* Of a write: the memory answers each part as its first bad beat does. */
static uint8_t burst_resp(const struct env *e, const struct burst *b)
{
	uint8_t worst = AXI_OKAY, part = AXI_OKAY;

	for (uint32_t i = 0; i < b->beats * e->bytes / NARROW_BUS; i++) {
		if (i % NARROW_MOST == 0)
			part = AXI_OKAY;
		if (part == AXI_OKAY)
			part = beat_resp(e, NARROW_AW, b->offset + i * NARROW_BUS);
		worst = part > worst ? part : worst;
	}
	return worst;
}

static struct burst *list_put(struct burst_list *l, struct burst b)
{
	assert_true(l->put < NARROW_BURSTS);
	l->burst[l->put] = b;
	return &l->burst[l->put++];
}

static void expect_parts(struct env *e, uint32_t direction, const struct narrow_ax *ax)
{
	uint32_t beats = (ax->len + 1u) * e->bytes / NARROW_BUS, at = (uint32_t)ax->addr - NARROW_BASE;

	for (uint32_t done = 0; done < beats; done += NARROW_MOST)
		list_put(&e->parts[direction],
		         (struct burst){ *ax, at + done * NARROW_BUS,
		                         beats - done > NARROW_MOST ? NARROW_MOST : beats - done });
	e->split[direction] += beats > NARROW_MOST;
}

/*
 * The engine.
 */

static uint32_t index_of(uint8_t id)
{
	uint32_t i = 0;

	while (i < NARROW_IDS && ids[i] != id)
		i++;
	assert_true(i < NARROW_IDS);
	return i;
}

static uint32_t owed(const struct burst_list *l, uint32_t count)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += l[i].put - l[i].got;
	return sum;
}

/* A burst inside one page, of `base` and `pages`. */
static void choose(struct env *e, struct narrow_ax *ax, uint32_t base, uint32_t pages)
{
	uint32_t lines = NARROW_PAGE / e->bytes, at, beats;

	if (e->fixed_bytes) {
		beats = e->fixed_bytes / e->bytes;
		at = rng_below(&e->rng, lines / beats) * beats;
	} else {
		beats = 1 + rng_below(&e->rng, rng_percent(&e->rng, 25) ? lines : SHORT_LINES);
		at = rng_below(&e->rng, lines - beats + 1);
	}
	ax->len = (uint8_t)(beats - 1);
	ax->addr = NARROW_BASE + base + rng_below(&e->rng, pages) * NARROW_PAGE + at * e->bytes;
	ax->cache = 2 + (uint8_t)rng_below(&e->rng, 2);
	ax->prot = (uint8_t)rng_below(&e->rng, 8);
	ax->qos = (uint8_t)rng_below(&e->rng, 16);
	ax->user = (uint16_t)rng_next(&e->rng) & 0xFF0F;
}

static void drive_reads(struct env *e)
{
	struct narrow_wide_req *q = &e->in->wide;

	q->r_ready = rng_percent(&e->rng, e->take);
	if (q->ar_valid || !e->left[NARROW_AR] || owed(e->reads, NARROW_IDS) >= e->most ||
	    !rng_percent(&e->rng, e->ask[NARROW_AR]))
		return;
	e->left[NARROW_AR]--;
	q->ar_valid = 1;
	choose(e, &q->ar, 0, NARROW_READ / NARROW_PAGE);
	q->ar.id = ids[e->one_id ? 0 : rng_below(&e->rng, NARROW_IDS)];
}

static void drive_writes(struct env *e)
{
	struct narrow_wide_req *q = &e->in->wide;

	q->b_ready = rng_percent(&e->rng, e->take);
	if (!q->aw_valid && e->left[NARROW_AW] && owed(e->writes, NARROW_WRITES) < e->most &&
	    rng_percent(&e->rng, e->ask[NARROW_AW])) {
		e->left[NARROW_AW]--;
		q->aw_valid = 1;
		q->aw.id = e->one_id ? 0 : (uint8_t)rng_below(&e->rng, e->streams);
		/* Each id its pages: of two that write one byte nobody knows who is last. */
		choose(e, &q->aw, NARROW_READ + q->aw.id * 2 * NARROW_PAGE, 2);
		list_put(&e->data_of,
		         (struct burst){ q->aw, (uint32_t)q->aw.addr - NARROW_BASE, q->aw.len + 1u });
	}
	/* Data begins no earlier than its address. */
	if (q->w_valid || e->data_of.got == e->data_of.put || !rng_percent(&e->rng, e->data))
		return;
	const struct burst *b = &e->data_of.burst[e->data_of.got];
	uint32_t at = b->offset + e->data_of.beat * e->bytes;

	q->w_valid = 1;
	q->w_last = e->data_of.beat + 1 == b->beats;
	for (uint32_t i = 0; i < e->bytes; i++)
		q->w_data[i] = (uint8_t)rng_next(&e->rng);
	for (uint32_t i = 0; i < e->bytes / 8; i++)
		q->w_strb[i] = rng_percent(&e->rng, 50) ? 0xFF : (uint8_t)rng_next(&e->rng);
	for (uint32_t i = 0; i < e->bytes; i++)
		if (q->w_strb[i / 8] >> i % 8 & 1 && beat_resp(e, NARROW_AW, (at + i) & ~7u) == AXI_OKAY)
			e->wanted[at + i] = q->w_data[i];
}

static void see_engine(struct env *e)
{
	struct narrow_wide_req *q = &e->in->wide;
	const struct narrow_wide_rsp *o = &e->out->wide;
	bool data_goes = q->w_valid && o->w_ready;

	if (o->r_valid && q->r_ready) {
		struct burst_list *l = &e->reads[index_of(o->r_id)];
		const struct burst *b = &l->burst[l->got];
		uint32_t at = b->offset + l->beat * e->bytes;

		REQUIRE(e, l->got < l->put);
		REQUIRE(e, o->r_resp == line_resp(e, at));
		REQUIRE(e, o->r_resp || !memcmp(o->r_data, e->memory + at, e->bytes));
		REQUIRE(e, o->r_last == (l->beat + 1 == b->beats));
		e->bad_answers += o->r_resp != AXI_OKAY;
		l->beat = o->r_last ? 0 : l->beat + 1;
		l->got += o->r_last;
	}
	if (o->b_valid && q->b_ready) {
		struct burst_list *l = &e->writes[o->b_id];

		REQUIRE(e, o->b_id < NARROW_WRITES && l->got < l->put);
		REQUIRE(e, o->b_resp == burst_resp(e, &l->burst[l->got]));
		e->bad_answers += o->b_resp != AXI_OKAY;
		l->got++;
	}
	if (q->ar_valid && o->ar_ready) {
		list_put(&e->reads[index_of(q->ar.id)],
		         (struct burst){ q->ar, (uint32_t)q->ar.addr - NARROW_BASE, q->ar.len + 1u });
		expect_parts(e, NARROW_AR, &q->ar);
	}
	if (q->aw_valid && o->aw_ready) {
		list_put(&e->writes[q->aw.id],
		         (struct burst){ q->aw, (uint32_t)q->aw.addr - NARROW_BASE, q->aw.len + 1u });
		expect_parts(e, NARROW_AW, &q->aw);
	}
	if (data_goes) {
		e->data_of.beat = q->w_last ? 0 : e->data_of.beat + 1;
		e->data_of.got += q->w_last;
	}
	q->ar_valid &= !o->ar_ready;
	q->aw_valid &= !o->aw_ready;
	q->w_valid &= !data_goes;
}

/*
 * The bus.
 */

static void see_part(struct env *e, uint32_t direction, const struct narrow_ax *ax)
{
	struct burst_list *l = &e->parts[direction];
	const struct burst *b = &l->burst[l->got];

	REQUIRE(e, l->got < l->put);
	REQUIRE(e, ax->addr == NARROW_BASE + b->offset && ax->len + 1u == b->beats);
	REQUIRE(e, ax->id == b->ax.id && ax->cache == b->ax.cache && ax->prot == b->ax.prot);
	REQUIRE(e, ax->qos == b->ax.qos && ax->user == b->ax.user);
	l->got++;
}

static void count_beat(struct env *e, uint32_t direction)
{
	if (!e->bus_beats[direction]++)
		e->first[direction] = e->cycle;
	e->last[direction] = e->cycle;
}

static void see_bus(struct env *e)
{
	const struct narrow_narrow_req *q = &e->out->narrow;

	if (q->ar_valid && e->bus_in.ar_ready)
		see_part(e, NARROW_AR, &q->ar);
	if (q->aw_valid && e->bus_in.aw_ready)
		see_part(e, NARROW_AW, &q->aw);
	if (e->bus_in.r_valid && q->r_ready)
		count_beat(e, NARROW_AR);
	if (q->w_valid && e->bus_in.w_ready)
		count_beat(e, NARROW_AW);
}

static void put_bus(struct env *e)
{
	struct narrow_narrow_rsp *r = &e->in->narrow;

	r->ar_ready = e->bus_in.ar_ready;
	r->aw_ready = e->bus_in.aw_ready;
	r->w_ready = e->bus_in.w_ready;
	r->r_valid = e->bus_in.r_valid;
	r->r_id = e->bus_in.r_id;
	r->r_resp = e->bus_in.r_resp;
	r->r_last = e->bus_in.r_last;
	memcpy(&r->r_data, e->bus_in.r_data, NARROW_BUS);
	r->b_valid = e->bus_in.b_valid;
	r->b_id = e->bus_in.b_id;
	r->b_resp = e->bus_in.b_resp;
}

#define ADDRESS(x, q, ch)                                                                             \
	((x)->ch##_valid = (q)->ch##_valid, (x)->ch##_id = (q)->ch.id, (x)->ch##_addr = (q)->ch.addr, \
	 (x)->ch##_len = (q)->ch.len, (x)->ch##_burst = 1, (x)->ch##_cache = (q)->ch.cache,           \
	 (x)->ch##_prot = (q)->ch.prot, (x)->ch##_qos = (q)->ch.qos, (x)->ch##_user = (q)->ch.user)

static void get_bus(struct tma_axi_out *x, const struct narrow_narrow_req *q)
{
	ADDRESS(x, q, ar);
	ADDRESS(x, q, aw);
	x->ar_size = x->aw_size = 3;
	x->r_ready = q->r_ready;
	x->b_ready = q->b_ready;
	x->w_valid = q->w_valid;
	x->w_last = q->w_last;
	memcpy(x->w_data, &q->w_data, NARROW_BUS);
	x->w_strb[0] = q->w_strb;
}

/* The engine's side through the checker's eyes, which looks for what the unit may break there: R and B. */
static void check_engine(struct env *e)
{
	const struct narrow_wide_req *q = &e->in->wide;
	const struct narrow_wide_rsp *o = &e->out->wide;
	struct tma_axi_out x = { 0 };
	struct tma_axi_in in = { .ar_ready = o->ar_ready,
		                 .aw_ready = o->aw_ready,
		                 .w_ready = o->w_ready,
		                 .r_valid = o->r_valid,
		                 .r_id = o->r_id,
		                 .r_resp = o->r_resp,
		                 .r_last = o->r_last,
		                 .b_valid = o->b_valid,
		                 .b_id = o->b_id,
		                 .b_resp = o->b_resp };

	ADDRESS(&x, q, ar);
	ADDRESS(&x, q, aw);
	while (1u << x.ar_size < e->bytes)
		x.ar_size++;
	x.aw_size = x.ar_size;
	x.r_ready = q->r_ready;
	x.b_ready = q->b_ready;
	x.w_valid = q->w_valid;
	x.w_last = q->w_last;
	memcpy(x.w_data, q->w_data, e->bytes);
	memcpy(x.w_strb, q->w_strb, e->bytes / 8);
	memcpy(in.r_data, o->r_data, e->bytes);
	axi_check_step(e->check[1], e->cycle, true, &x, &in);
}

void env_run(struct env *e, uint32_t cycles)
{
	while (cycles--) {
		struct tma_axi_out x = { 0 };

		drive_reads(e);
		drive_writes(e);
		put_bus(e);
		narrow_eval(e->unit);
		get_bus(&x, &e->out->narrow);
		axi_check_step(e->check[0], e->cycle, true, &x, &e->bus_in);
		check_engine(e);
		see_bus(e);
		see_engine(e);
		axi_mem_step(e->mem, &x, &e->bus_in);
		narrow_tick(e->unit);
		e->cycle++;
	}
}

static bool busy(const struct env *e)
{
	return e->in->wide.ar_valid || e->in->wide.aw_valid || owed(e->reads, NARROW_IDS) ||
	       owed(e->writes, NARROW_WRITES) || owed(&e->data_of, 1);
}

void env_drain(struct env *e)
{
	uint32_t limit = 0;

	e->left[NARROW_AR] = e->left[NARROW_AW] = 0;
	for (; busy(e); env_run(e, 1))
		REQUIRE(e, limit++ < DRAIN_LIMIT);
	for (uint32_t side = 0; side < 2; side++)
		axi_check_end(e->check[side]);
	for (uint32_t d = 0; d < NARROW_DIRECTIONS; d++)
		REQUIRE(e, !owed(&e->parts[d], 1));
	assert_memory_equal(e->memory, e->wanted, NARROW_BYTES);
}
