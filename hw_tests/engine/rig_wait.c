/* SPDX-License-Identifier: Apache-2.0 */
/* rig_wait - strangers who never stop, and a victim whose waits are measured. */
#include <string.h>

#include "tma_map.h"
#include "engine/rig_wait.h"

static uint8_t memory[MEMORY];

static void watch_access(struct access *a, uint64_t cycle, bool asks, bool answered)
{
	if (asks && !answered && !a->goes) {
		a->goes = true;
		a->since = cycle;
	}
	if (a->goes && answered) {
		a->goes = false;
		a->most = cycle - a->since > a->most ? cycle - a->since : a->most;
	}
}

static void watch(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	const struct tma_axi_out *o = &out->axi[0];
	struct wait *w = arg;
	bool here;

	if (w->pins == SIGNAL)
		here = out->inside.sig_ctas == 2 && out->inside.sig_offset == ARRIVALS + 16 * VICTIM;
	else if (w->pins == READ) /* but those of maps */
		here = o->ar_valid && in->axi[0].ar_ready && o->ar_user >> 8 == STREAM && o->ar_id >> 2 != 2;
	else
		here = o->aw_valid && in->axi[0].aw_ready && o->aw_user >> 8 == STREAM;
	watch_access(&w->access[0], cycle, in->csr.ar_valid, out->csr.r_valid);
	watch_access(&w->access[1], cycle, in->csr.aw_valid && in->csr.w_valid, out->csr.b_valid);
	if (o->aw_valid && in->axi[0].aw_ready && ++w->bursts && o->aw_user >> 8 == STREAM)
		w->burst = w->bursts;
	if (in->axi[0].b_valid && o->b_ready && ++w->responses == w->burst)
		w->answered = cycle;
	if (w->answered && out->irq) {
		w->late = cycle - w->answered > w->late ? cycle - w->answered : w->late;
		w->answered = 0;
	}
	w->stall = in->ext[0].valid && !out->ext[0].ready ? w->stall + 1 : 0;
	w->stalled = w->stall > w->stalled ? w->stall : w->stalled;
	if (here && w->came < w->asked && ++w->came == w->asked)
		w->seen = cycle;
}

void wait_open(struct wait *w, const struct where *where, uint32_t latency, enum rig_front front)
{
	const bool short_paths = strcmp(where->config, "small") == 0;
	struct where calm = *where;

	*w = (struct wait){ .latency = latency,
		            .windows = { { BASE, BASE + MEMORY - 1, RIG_BOTH },
		                         { OBJECT, OBJECT + 2 * PAGE - 1, RIG_MULTIMEM } } };
	calm.opts.latency = latency;
	w->rig = rig_open(calm.config, &calm.opts);
	assert_non_null(w->rig);
	w->info = rig_info(w->rig);
	w->row_cycles = short_paths ? 3 : 1;
	w->outside_cycles = short_paths ? 2 : 1;
	w->fill_cycles = short_paths ? 10 : 8;
	w->least = short_paths ? 35 : 45;
	w->register_cycles = short_paths ? 10 : 8;
	assert_int_equal(rig_map(w->rig, 0, BASE, MEMORY, memory), 0);
	/* A page of broadcasts to port 1, one to port 0. */
	for (uint32_t i = 0; i < 2 && w->info->ports > 1; i++) {
		const struct rig_multimem page = { .base = OBJECT + i * PAGE,
			                           .limit = OBJECT + (i + 1) * PAGE - 1,
			                           .ports = 2 - i,
			                           .port_base = { OBJECT, OBJECT } };

		assert_int_equal(rig_multimem(w->rig, i, &page), 0);
		assert_int_equal(rig_map(w->rig, i, OBJECT, PAGE, memory), 0);
	}
	for (uint32_t q = 0; q < w->info->queues; q++) {
		struct rig_queue setup = { .windows = w->windows,
			                   .num_windows = w->info->ports > 1 ? 2 : 1,
			                   .stream = (uint8_t)(q + 1) };

		if (q == VICTIM) {
			setup.stream = STREAM;
			setup.front = front;
			setup.interrupt = front == RIG_RING;
		}
		assert_int_equal(rig_queue_setup(w->rig, q, &setup), 0);
	}
	assert_int_equal(rig_hook(w->rig, &(struct rig_hooks){ .arg = w, .cycle = watch }), 0);
}

void wait_close(struct wait *w)
{
	rig_reset(w->rig);
	assert_int_equal(rig_failed(w->rig), 0);
	assert_int_equal(rig_close(w->rig), 0);
}

void wait_skip(struct wait *w)
{
	wait_close(w);
	skip();
}

void wait_put_map(uint32_t number, uint32_t rows)
{
	uint32_t most = rows < 256 ? rows : 256;
	const uint32_t box[3] = { 16, most, rows / most }, step[3] = { 1, 1, 1 };
	const uint64_t dim[3] = { 16, most, rows / most };
	const uint64_t stride[2] = { LINE, (uint64_t)most * LINE };
	struct tma_map_error error;
	struct tma_map map;

	assert_int_equal(tma_map_encode_tiled(&map, TMA_MAP_SM_100, TMA_MAP_DATA_UINT8, 3, BASE, dim, stride,
	                                      box, step, TMA_MAP_INTERLEAVE_NONE, TMA_MAP_SWIZZLE_NONE,
	                                      TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error),
	                 0);
	memcpy(memory + MAP_AT + number * sizeof(map.word), map.word, sizeof(map.word));
}

struct tma_command wait_tensor(uint8_t opcode, uint32_t map)
{
	return (struct tma_command){ .opcode = opcode,
		                     .dim = 3,
		                     .global_address = BASE + MAP_AT + map * 128,
		                     .shared_dst = opcode == TMA_TENSOR_LOAD ? PAGE : 0,
		                     .barrier = opcode == TMA_TENSOR_LOAD ? ARRIVALS : 0 };
}

struct tma_command wait_bulk(uint8_t opcode, uint32_t size)
{
	struct tma_command c = { .opcode = opcode, .global_address = BASE + 16, .size = size };

	if (opcode == TMA_BULK_LOAD) {
		c.shared_dst = PAGE;
		c.barrier = ARRIVALS;
	}
	return c;
}

int wait_submit(struct wait *w, uint32_t queue, struct tma_command c)
{
	c.version = TMA_COMMAND_VERSION;
	if (c.barrier)
		c.barrier += 16 * queue;
	return (int)rig_submit(w->rig, queue, &c);
}

void wait_add(struct wait *w, struct tma_command c)
{
	for (uint32_t q = 0; q < w->info->queues; q++) {
		if (q == VICTIM)
			continue;
		assert_true(w->length[q] < PROGRAM);
		w->program[q][w->length[q]++] = c;
	}
}

static void step(struct wait *w)
{
	for (uint32_t q = 0; q < w->info->queues; q++)
		while (w->length[q] && rig_waiting(w->rig, q) < 2)
			assert_true(wait_submit(w, q, w->program[q][w->next[q]++ % w->length[q]]) >= 0);
	rig_step(w->rig);
}

void wait_run(struct wait *w, uint32_t cycles)
{
	while (cycles--)
		step(w);
}

void wait_begin(struct wait *w)
{
	static const uint64_t barrier = 1 | 1u << 20 | UINT64_C(1000000) << 40 | UINT64_C(2) << 62;

	for (uint32_t q = 0; q < w->info->queues; q++)
		for (uint32_t cta = 0; cta < 2; cta++)
			assert_int_equal(rig_smem_write(w->rig, cta, ARRIVALS + 16 * q, &barrier, 8), 0);
}

static uint64_t ask(struct wait *w, struct tma_command c, enum pins pins, uint32_t before, uint64_t bound)
{
	uint64_t cycles = 0;
	int index;

	w->pins = pins;
	w->asked = before + 1;
	index = wait_submit(w, VICTIM, c);
	assert_true(index >= 0);
	while (w->came < w->asked && cycles <= bound) {
		step(w);
		cycles += rig_accepted(w->rig, VICTIM) > (uint32_t)index;
	}
	return w->came < w->asked ? cycles : w->seen - rig_accept_cycle(w->rig, VICTIM, (uint32_t)index);
}

uint64_t wait_measure(struct wait *w, struct tma_command c, enum pins pins, uint64_t bound)
{
	w->came = 0;
	return ask(w, c, pins, 0, bound);
}

uint64_t wait_measure_second(struct wait *w, struct tma_command c, enum pins pins, uint64_t bound)
{
	struct tma_command first = c;
	uint32_t records;

	first.flags = TMA_FLAG_RECORD;
	w->came = w->asked = 0;
	rig_records(w->rig, VICTIM, &records);
	assert_true(wait_submit(w, VICTIM, first) >= 0);
	w->pins = pins;
	w->asked = 2;
	for (uint32_t now = records, cycles = 0; now == records; rig_records(w->rig, VICTIM, &now)) {
		assert_true(cycles++ <= 2 * bound);
		step(w);
	}
	return ask(w, c, pins, 1, bound);
}

void wait_judge(const struct wait *w, const char *what, uint64_t got, uint64_t bound, uint32_t least)
{
	for (uint32_t q = 0; q < w->info->queues; q++)
		assert_int_equal(rig_faulted(w->rig, q), w->faults && q != VICTIM);
	print_message("         %s, L = %u: %llu cycles of %llu\n", what, w->latency, (unsigned long long)got,
	              (unsigned long long)bound);
	assert_true(got <= bound);
	assert_true(got >= bound * least / 100);
}

uint32_t wait_in_front(const struct wait *w)
{
	return PATH_DEPTH + w->info->queues;
}

uint32_t wait_misses(const struct wait *w)
{
	return 2 * (w->latency + DECODE + 128 / w->info->data_bytes + 20);
}
