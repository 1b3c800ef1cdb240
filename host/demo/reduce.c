/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce - the commands that add pictures up, and count the pixels of one.
 *
 * All-reduce: each CTA loads its exposures piece by piece into its slots, which lie as those of the views,
 * and adds them to a multimem object. All CTAs at once, so that each port ends with the sum of all.
 * Histogram: for each pixel a queue counts up by inc the 16 bytes of its bin. Which queue is first does not
 * matter. Bins cannot share 16 bytes: where the source is 0, inc leaves 0. So each has four counters, and the
 * source says how far each of them counts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "demo.h"

/* Between the barriers and the slots: what is counted up by. */
#define TOPS_PLACE 512u

const uint32_t demo_counter_tops[DEMO_COUNTERS] = { UINT32_MAX, 9, 99, 999 };

struct reductions {
	struct demo_engine *engine;
	struct demo_sample sample;
	const uint8_t *pixels;
	struct tma_multimem_object *sum;
	struct tma_memory *exposures, *counters;
	uint32_t slots, pieces; /* of an exposure */
};

const char *demo_reduction_name(enum demo_reduction reduction)
{
	static const char *const names[DEMO_REDUCTIONS] = { "allreduce", "histogram" };

	return names[reduction];
}

static int complain(const struct reductions *r, const char *what, int error)
{
	fprintf(stderr, "tma_demo: %s: %s: %s\n", r->engine->info.backend, what, tma_strerror(error));
	return -1;
}

/* ---- Memory and queues ---- */

/* Only a queue whose windows name a multimem object may add to it. Each has a stream of its own: who watches the bus
 * could not tell them apart where they add to the same bytes. */
static int open_queues(struct reductions *r)
{
	const struct tma_queue_window windows[] = {
		{ tma_memory_address(r->exposures), tma_memory_bytes(r->exposures), TMA_ALLOW_READ },
		{ tma_memory_address(r->counters), DEMO_COUNTER_BYTES, TMA_ALLOW_READ | TMA_ALLOW_WRITE },
		{ tma_multimem_address(r->sum), tma_multimem_bytes(r->sum), TMA_ALLOW_MULTIMEM },
	};
	struct tma_queue_options options = { .size = sizeof(options), .windows = windows, .num_windows = 3 };
	struct demo_engine *e = r->engine;
	uint32_t cta;
	int error = 0;

	for (cta = 0; !error && cta < e->info.ctas; cta++) {
		tma_queue_close(e->queues[cta]);
		options.cta = cta;
		options.stream = (uint8_t)(cta + 1);
		error = tma_queue_open(e->device, cta, &options, &e->queues[cta]);
	}
	return error;
}

static int set_up(struct reductions *r)
{
	const uint64_t all = (uint64_t)DEMO_EXPOSURES * r->sample.bytes;
	uint8_t *exposures = demo_exposures(r->pixels, &r->sample);
	struct demo_engine *e = r->engine;
	uint32_t cta;
	int error = exposures ? 0 : TMA_ENOMEM;

	if (!error)
		error = tma_memory_alloc(e->device, all, &r->exposures);
	if (!error)
		error = tma_copy_in(r->exposures, 0, exposures, all);
	if (!error)
		error = tma_memory_alloc(e->device, DEMO_COUNTER_BYTES, &r->counters);
	if (!error)
		error = tma_multimem_open(e->device, r->sample.bytes, 0, &r->sum);
	if (!error)
		error = open_queues(r);
	for (cta = 0; !error && cta < e->info.ctas; cta++)
		error = tma_smem_write(e->device, tma_shared(cta, TOPS_PLACE), demo_counter_tops,
		                       sizeof(demo_counter_tops));
	free(exposures);
	return error;
}

/* The sum at each port, then the counters. */
static int take_home(const struct reductions *r, uint8_t *global)
{
	uint32_t port, bytes = r->sample.bytes;
	int error = 0;

	for (port = 0; !error && port < r->engine->info.ports; port++, global += bytes)
		error = tma_copy_out(tma_multimem_memory(r->sum, port), 0, global, bytes);
	return error ? error : tma_copy_out(r->counters, 0, global, DEMO_COUNTER_BYTES);
}

/* ---- All-reduce ---- */

/* Exposures of a CTA; the first ones may have one more than the last. */
static uint32_t exposures_of(const struct reductions *r, uint32_t cta)
{
	return (DEMO_EXPOSURES + r->engine->info.ctas - 1 - cta) / r->engine->info.ctas;
}

/* The piece of an exposure that a job takes: where it begins, and how many bytes it has. Each CTA begins
 * at another one: bursts that add to the same bytes would have to wait for each other. */
static uint32_t piece_at(const struct reductions *r, uint32_t cta, uint32_t job, uint32_t *bytes)
{
	uint32_t first = cta * r->pieces / r->engine->info.ctas;
	uint32_t at = (first + job) % r->pieces * DEMO_SLOT_BYTES, left = r->sample.bytes - at;

	*bytes = left < DEMO_SLOT_BYTES ? left : DEMO_SLOT_BYTES;
	return at;
}

static int put_barriers(const struct reductions *r, uint32_t cta)
{
	struct tma_command c;
	uint32_t slot;

	for (slot = 0; slot < r->slots; slot++) {
		tma_mbarrier_init(&c, tma_shared(cta, 8 * slot), 1);
		if (demo_put(r->engine, cta, &c))
			return -1;
	}
	return demo_put_end(r->engine, cta);
}

static int put_load(const struct reductions *r, uint32_t cta, uint32_t job)
{
	uint32_t slot = job % r->slots, exposure = cta + job / r->pieces * r->engine->info.ctas, bytes, at;
	struct tma_command expect, load;

	at = piece_at(r, cta, job, &bytes);
	tma_mbarrier_arrive_expect_tx(&expect, tma_shared(cta, 8 * slot), bytes);
	tma_cp_async_bulk_load(&load, tma_shared(cta, DEMO_SLOTS + slot * DEMO_SLOT_BYTES),
	                       tma_memory_address(r->exposures) + (uint64_t)exposure * r->sample.bytes + at,
	                       bytes, tma_shared(cta, 8 * slot));
	return demo_put(r->engine, cta, &expect) | demo_put(r->engine, cta, &load);
}

static int put_add(const struct reductions *r, uint32_t cta, uint32_t job)
{
	uint32_t slot = job % r->slots, bytes, at;
	struct tma_command wait, add;

	at = piece_at(r, cta, job, &bytes);
	tma_mbarrier_try_wait_parity(&wait, tma_shared(cta, 8 * slot), job / r->slots % 2, TMA_NO_LIMIT);
	tma_multimem_cp_reduce_async_bulk(&add, TMA_REDUCE_ADD, TMA_TYPE_U32,
	                                  tma_multimem_address(r->sum) + at,
	                                  tma_shared(cta, DEMO_SLOTS + slot * DEMO_SLOT_BYTES), bytes);
	return demo_put(r->engine, cta, &wait) | demo_put(r->engine, cta, &add) |
	       demo_put_commit(r->engine, cta);
}

/* Step i of a CTA: load piece i, add the one that was loaded `lag` steps before. */
static int put_step(const struct reductions *r, uint32_t cta, uint32_t i)
{
	uint32_t jobs = exposures_of(r, cta) * r->pieces, lag = r->slots / 2;

	/* What had the slot must have been read by its addition. */
	if (i >= r->slots && i < jobs && demo_put_wait_read(r->engine, cta, r->slots - lag - 1))
		return -1;
	if (i < jobs && put_load(r, cta, i))
		return -1;
	return i >= lag && i - lag < jobs ? put_add(r, cta, i - lag) : 0;
}

/* Every queue ends when what it has added or counted is in memory. */
static int finish(const struct reductions *r)
{
	uint32_t cta;

	for (cta = 0; cta < r->engine->info.ctas; cta++)
		if (demo_put_commit(r->engine, cta) || demo_put_wait_written(r->engine, cta))
			return -1;
	for (cta = 0; cta < r->engine->info.ctas; cta++)
		if (demo_wait_end(r->engine, cta))
			return -1;
	return 0;
}

static int allreduce(const struct reductions *r, uint64_t *cycles)
{
	uint32_t ctas = r->engine->info.ctas, steps = exposures_of(r, 0) * r->pieces + r->slots / 2, cta, i;
	uint64_t start;

	for (cta = 0; cta < ctas; cta++)
		if (put_barriers(r, cta) || demo_wait_end(r->engine, cta))
			return -1;
	start = tma_cycles(r->engine->device);
	for (i = 0; i < steps; i++)
		for (cta = 0; cta < ctas; cta++)
			if (put_step(r, cta, i))
				return -1;
	if (finish(r))
		return -1;
	*cycles = tma_cycles(r->engine->device) - start;
	return 0;
}

/* ---- Histogram ---- */

static int put_count(const struct reductions *r, uint32_t cta, uint32_t pixel)
{
	uint32_t bin = demo_brightness(r->pixels + 4 * (size_t)pixel) / DEMO_LEVELS;
	uint64_t at = tma_memory_address(r->counters) + bin * DEMO_COUNTERS * 4;
	struct tma_command c;

	tma_cp_reduce_async_bulk(&c, TMA_REDUCE_INC, TMA_TYPE_U32, at, tma_shared(cta, TOPS_PLACE),
	                         DEMO_COUNTERS * 4);
	return demo_put(r->engine, cta, &c);
}

/* Each CTA has a strip of the picture: neighbours are often of one bin, pixels of several strips seldom, and
 * updates of one place go one after the other. */
static int histogram(const struct reductions *r, uint64_t *cycles)
{
	uint32_t ctas = r->engine->info.ctas, strip = (r->sample.pixels + ctas - 1) / ctas, cta, i;
	uint64_t start = tma_cycles(r->engine->device);

	for (i = 0; i < strip; i++)
		for (cta = 0; cta < ctas; cta++)
			if (cta * strip + i < r->sample.pixels && put_count(r, cta, cta * strip + i))
				return -1;
	if (finish(r))
		return -1;
	*cycles = tma_cycles(r->engine->device) - start;
	return 0;
}

int demo_reductions(struct demo_engine *engine, const struct demo_file *file, uint8_t *global,
                    uint64_t cycles[DEMO_REDUCTIONS])
{
	struct reductions r = { .engine = engine };
	struct demo_layout layout;
	uint8_t *pixels;
	int error;

	demo_lay_out(&layout, file, &engine->info);
	demo_take_sample(&r.sample, file);
	r.slots = layout.slots;
	r.pieces = (r.sample.bytes + DEMO_SLOT_BYTES - 1) / DEMO_SLOT_BYTES;
	r.pixels = pixels = demo_sample_pixels(file, &r.sample);
	error = pixels ? set_up(&r) : TMA_ENOMEM;
	if (error) {
		error = complain(&r, "reductions cannot be set up", error);
		goto out;
	}
	error = allreduce(&r, &cycles[DEMO_ALLREDUCE]) || histogram(&r, &cycles[DEMO_HISTOGRAM]) ? -1 : 0;
	if (error)
		goto out;
	error = take_home(&r, global);
	if (error)
		error = complain(&r, "sums and counters cannot be read", error);
out:
	free(pixels);
	return error;
}
