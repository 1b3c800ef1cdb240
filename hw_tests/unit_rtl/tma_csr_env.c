/* SPDX-License-Identifier: Apache-2.0 */
/* The registers with what is around them. See tma_csr_env.h. */
#include "unit_rtl/tma_csr_env.h"

#include <string.h>

#define WAIT_LIMIT 300

void eval(struct bench *b)
{
	csr_eval(b->unit);
	/* The status comes in the cycle in which the unit asks for it. */
	b->in->status = b->map.status[b->out->status_queue];
	csr_eval(b->unit);
}

/* The doorbell comes with the write, everything else in the cycle behind it. */
static void check_pulses(struct bench *b, const struct csr_pulses *now)
{
	const struct csr_out *got = b->out;

	assert_int_equal(got->acts.door_valid, now->door);
	if (now->door) {
		assert_int_equal(got->acts.door_queue, now->door_queue);
		assert_int_equal(got->acts.door_tail, now->door_tail);
	}
	assert_int_equal(got->acts.resume, b->last.resume);
	if (b->last.resume)
		assert_int_equal(got->acts.resume_index, b->last.resume_index);
	assert_int_equal(got->acts.reset, b->last.reset);
	assert_int_equal(got->acts.cancel, b->last.cancel);
}

void step(struct bench *b)
{
	struct csr_pulses now = { 0 };

	b->in->events = 0;
	for (uint32_t i = 0; i < CSR_COUNTERS; i++)
		b->in->events |= (uint16_t)(rng_percent(&b->rng, b->event_percent) << i);
	b->in->rec_done = rng_percent(&b->rng, b->record_percent);
	b->in->rec_done_queue = (uint8_t)rng_below(&b->rng, unit_shape()->queues);
	eval(b);
	assert_int_equal(b->out->irq, (b->map.pending & b->map.allow) != 0);
	if (b->writing)
		b->resp = csr_map_write(&b->map, b->in, b->address, b->old, b->value, b->strobes, &now);
	check_pulses(b, &now);
	csr_map_clock(&b->map, b->in);
	if (b->out->window_write.valid && b->out->window_write.index < unit_shape()->windows)
		b->windows[b->out->window_write.qid][b->out->window_write.index] =
			b->out->window_write.window;
	b->last = now;
	b->writing = false;

	csr_tick(b->unit);
	/* With short paths it is counted a cycle later. */
	if (!unit_shape()->short_paths)
		b->was_busy = !b->in->idle;
	for (uint32_t i = 0; i < CSR_COUNTERS; i++)
		b->counted[i] += (b->in->events >> i & 1) || (i == 0 && b->was_busy);
	b->was_busy = !b->in->idle;
	b->cycle++;
}

void bench_reset(struct bench *b)
{
	b->in->axil.awvalid = b->in->axil.wvalid = b->in->axil.bready = 0;
	b->in->axil.arvalid = b->in->axil.rready = 0;
	csr_start(b->unit);
	b->was_busy = false;
	memset(b->counted, 0, sizeof(b->counted));
	csr_map_reset(&b->map, unit_shape());
}

void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, csr, seed);
	b->in->idle = 1;
	bench_reset(b);
}

/* Cycles in which a host keeps the registers waiting. */
static void dawdle(struct bench *b, uint32_t percent)
{
	while (!b->impatient && rng_percent(&b->rng, percent))
		step(b);
}

/* The register is read in the second cycle behind the one in which a transfer was taken. */
static uint32_t read_expecting(struct bench *b, uint32_t address, uint32_t *value, uint64_t *counted,
                               uint32_t *want, uint32_t *want_resp)
{
	uint32_t limit = 0, resp;

	b->in->axil.arvalid = 1;
	b->in->axil.araddr = address;
	eval(b);
	while (!b->out->axil.arready) {
		assert_true(limit++ < WAIT_LIMIT);
		step(b);
		eval(b);
	}
	step(b);
	b->in->axil.arvalid = 0;
	step(b);
	if (counted)
		memcpy(counted, b->counted, sizeof(b->counted));
	*want_resp = csr_map_read(&b->map, b->in, address, want);
	eval(b);
	while (!b->out->axil.rvalid) {
		assert_true(limit++ < WAIT_LIMIT);
		step(b);
		eval(b);
	}
	dawdle(b, 30);
	b->in->axil.rready = 1;
	eval(b);
	resp = b->out->axil.rresp;
	*value = b->out->axil.rdata;
	step(b);
	b->in->axil.rready = 0;
	return resp;
}

uint32_t read_word(struct bench *b, uint32_t address, uint32_t *value, uint64_t *counted)
{
	uint32_t want, want_resp;

	return read_expecting(b, address, value, counted, &want, &want_resp);
}

void check_read(struct bench *b, uint32_t address)
{
	uint32_t value, want, want_resp, resp;

	resp = read_expecting(b, address, &value, NULL, &want, &want_resp);
	assert_int_equal(resp, want_resp);
	assert_int_equal(value, want);
}

/* Address and data come together or one after the other. */
static void send_write(struct bench *b)
{
	uint32_t limit = 0, order = b->impatient ? 0 : rng_below(&b->rng, 3);

	b->in->axil.awvalid = order != 1;
	b->in->axil.wvalid = order != 2;
	b->in->axil.awaddr = b->address;
	b->in->axil.wdata = b->value;
	b->in->axil.wstrb = (uint8_t)b->strobes;
	while (order && rng_percent(&b->rng, 50)) {
		eval(b);
		/* Taken together or not at all, and never one of them alone. */
		assert_int_equal(b->out->axil.awready, 0);
		assert_int_equal(b->out->axil.wready, 0);
		step(b);
	}
	b->in->axil.awvalid = b->in->axil.wvalid = 1;
	eval(b);
	while (!b->out->axil.awready) {
		assert_true(limit++ < WAIT_LIMIT);
		step(b);
		eval(b);
	}
	assert_int_equal(b->out->axil.wready, 1);
	step(b);
	b->in->axil.awvalid = b->in->axil.wvalid = 0;
}

uint32_t do_write(struct bench *b, uint32_t address, uint32_t value, uint32_t strobes)
{
	uint32_t resp;

	b->address = address;
	b->value = value;
	b->strobes = strobes;
	send_write(b);
	/* Taken: decoded, read (with short paths in two cycles), written, answered. */
	step(b);
	csr_map_read(&b->map, b->in, address, &b->old);
	step(b);
	if (unit_shape()->short_paths)
		step(b);
	b->writing = true;
	step(b);
	eval(b);
	assert_int_equal(b->out->axil.bvalid, 1);
	dawdle(b, 30);
	b->in->axil.bready = 1;
	eval(b);
	resp = b->out->axil.bresp;
	step(b);
	b->in->axil.bready = 0;
	assert_int_equal(resp, b->resp);
	return resp;
}

static void check_queue(const struct csr_queue_cfg *got, const struct csr_queue_cfg *want)
{
	assert_int_equal(got->enable, want->enable);
	assert_int_equal(got->ring, want->ring);
	assert_int_equal(got->cta, want->cta);
	assert_int_equal(got->cta_mask, want->cta_mask);
	assert_int_equal(got->cancel_mask, want->cancel_mask);
	assert_int_equal(got->stream, want->stream);
	assert_int_equal(got->prot, want->prot);
}

static void check_ring(const struct csr_ring_cfg *got, const struct csr_ring_cfg *want)
{
	assert_int_equal(got->slots, want->slots);
	assert_int_equal(got->completion_slots, want->completion_slots);
	assert_true(got->base == want->base && got->completion_base == want->completion_base);
}

static void check_multimem(const struct csr_multimem *got, const struct csr_multimem *want)
{
	assert_int_equal(got->ports, want->ports);
	assert_true(got->base == want->base && got->limit == want->limit);
	for (uint32_t p = 0; p < unit_shape()->ports; p++)
		assert_true(got->port_base[p] == want->port_base[p]);
}

void check_setup(struct bench *b)
{
	const struct unit_shape *info = unit_shape();

	eval(b);
	assert_int_equal(b->out->axcache, b->map.axcache);
	assert_int_equal(b->out->watchdog, b->map.watchdog);
	assert_int_equal(b->out->behaviour.granule16, b->map.behaviour & 1);
	assert_int_equal(b->out->behaviour.f32_ftz, b->map.behaviour >> 1);
	for (uint32_t q = 0; q < info->queues; q++) {
		check_queue(&b->out->cfg[q], &b->map.cfg[q]);
		check_ring(&b->out->ring_cfg[q], &b->map.ring[q]);
		assert_int_equal(b->out->consumer[q], b->map.consumer[q]);
		for (uint32_t w = 0; w < info->windows; w++) {
			const struct csr_window *x = &b->windows[q][w], *y = &b->map.windows[q][w];

			assert_true(x->base == y->base && x->limit == y->limit);
			assert_true(x->read == y->read && x->write == y->write && x->multimem == y->multimem);
		}
	}
	for (uint32_t w = 0; w < info->multimem; w++)
		check_multimem(&b->out->multimem[w], &b->map.multimem[w]);
}

void random_state(struct bench *b)
{
	b->in->idle = rng_percent(&b->rng, 50);
	b->in->dead = (uint8_t)rng_below(&b->rng, 1u << unit_shape()->ports);
	for (uint32_t q = 0; q < unit_shape()->queues; q++) {
		struct csr_queue_status *s = &b->map.status[q];
		struct csr_in *in = b->in;

		/* It closes for a while; most of the time its set-up is open when it is disabled. */
		in->active[q] = rng_percent(&b->rng, b->map.cfg[q].enable ? 75 : 10);
		in->closing[q] = !in->active[q] && rng_percent(&b->rng, b->map.cfg[q].enable ? 50 : 10);
		in->busy[q] = rng_percent(&b->rng, 50);
		in->waiting[q] = rng_percent(&b->rng, 50);
		in->full[q] = rng_percent(&b->rng, 50);
		in->drained[q] = rng_percent(&b->rng, 75);
		/* Close to where it wraps, often. */
		in->head[q] =
			rng_percent(&b->rng, 50) ? (uint32_t)rng_next(&b->rng) : 0u - rng_below(&b->rng, 20);
		in->tail[q] = in->head[q] + rng_below(&b->rng, rng_percent(&b->rng, 50) ? 30 : 1u << 16);
		if (rng_percent(&b->rng, 10))
			in->tail[q] = in->head[q] - rng_below(&b->rng, 10);
		in->producer[q] =
			b->map.consumer[q] + rng_below(&b->rng, rng_percent(&b->rng, 50) ? 30 : 1u << 31);
		in->held_records[q] = rng_below(&b->rng, rng_percent(&b->rng, 50) ? 30 : (1u << 16) + 1);
		s->faulted = rng_percent(&b->rng, 75);
		s->code = (uint16_t)rng_next(&b->rng);
		s->count = (uint16_t)rng_next(&b->rng);
		s->seq = (uint32_t)rng_next(&b->rng);
		s->tag = (uint32_t)rng_next(&b->rng);
		s->address = rng_next(&b->rng);
	}
}

uint32_t near(struct bench *b, uint32_t from, uint32_t to)
{
	switch (rng_below(&b->rng, 6)) {
	case 0:
		return from - 1;
	case 1:
		return from;
	case 2:
		return to;
	case 3:
		return to + 1;
	case 4:
		return (uint32_t)rng_next(&b->rng);
	default:
		return to - from == ~0u ? from : from + rng_below(&b->rng, to - from + 1);
	}
}
