/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_model - the rules of tma_map_decode() against those of the model, which were written apart.
 *
 * Spec: the faults MAP_RESERVED to MAP_CORNERS
 * Checks: a load with a damaged map faults with the code that decoding names, and with none of them if
 *         decoding names none.
 */
#include <string.h>

#include "lib/rng.h"
#include "map_test.h"
#include "tma_model.h"

#define MAPS     0x1000u
#define MAX_HITS 3u
#define RUNS     100000u

static struct tma_map random_map(struct rng *rng)
{
	uint32_t rank = 3 + rng_below(rng, 3), hits = rng_below(rng, MAX_HITS + 1);
	struct map_call call;
	struct tma_map map;

	do {
		uint32_t type = rng_below(rng, 16);

		switch (rng_below(rng, 3)) {
		case 0:
			call = tiled_call(type, rng_percent(rng, 50) ? rank : 1 + rng_below(rng, 5));
			break;
		case 1:
			call = im2col_call(type, rank);
			break;
		default:
			call = wide_call(type, rank);
		}
		call.box[1] = 1 + rng_below(rng, 256);
		call.box[2] = 1 + rng_below(rng, 256);
		call.pixels = 1 + rng_below(rng, 1024);
		call.swizzle = rng_below(rng, 8);
		call.interleave = rng_percent(rng, 30) ? rng_below(rng, 3) : 0;
		call.mode = rng_below(rng, 2);
		call.fill = rng_below(rng, 2);
	} while (map_call(&call, &map, NULL));

	for (; hits; hits--) {
		/* The header with the low bits of a stride, the small fields, those of globalDim[0], anywhere. */
		static const uint32_t areas[][2] = { { 64, 36 }, { 416, 96 }, { 256, 7 }, { 0, 1024 } };
		const uint32_t *area = areas[rng_below(rng, 4)];
		uint32_t bit = area[0] + rng_below(rng, area[1]);

		map.word[bit / 64] ^= UINT64_C(1) << bit % 64;
	}
	return map;
}

/* Queue 0 may read the page of the map, and nothing else. */
static struct tma_model *new_model(uint8_t *page)
{
	const struct tma_queue_config config = { .enable = 1, .cta_mask = 1 };
	const struct tma_window window = { .base = MAPS, .limit = MAPS + 4095, .attr = TMA_WINDOW_READ };
	struct tma_model *model = tma_model_new(&(struct tma_model_config){ 0 });

	assert_non_null(model);
	assert_int_equal(tma_model_map(model, 0, MAPS, 4096, page), 0);
	assert_int_equal(tma_model_window(model, 0, 0, &window), 0);
	assert_int_equal(tma_model_queue(model, 0, &config), 0);
	return model;
}

/* Fault of a load with the map; 0: none. */
static uint16_t load_fault(struct tma_model *model)
{
	const struct tma_command init = { .opcode = TMA_MBARRIER_INIT, .version = 1, .count = 1 };
	const struct tma_command load = {
		.opcode = TMA_TENSOR_LOAD, .version = 1, .dim = 1, .global_address = MAPS, .shared_dst = 1024
	};
	struct tma_record record = { 0 };

	assert_int_equal(tma_model_submit(model, 0, &init), 0);
	assert_int_equal(tma_model_submit(model, 0, &load), 0);
	tma_model_run(model);
	if (tma_model_next_record(model, &record))
		assert_int_equal(record.kind, TMA_KIND_FAULT);
	assert_int_equal(tma_model_reset(model, 0), 0);
	return record.fault;
}

TEST(same_faults)
{
	static alignas(64) uint8_t page[4096];
	struct tma_model *model = new_model(page);
	struct rng rng = rng_make(1, 0);
	uint32_t count[TMA_FAULT_MAP_CORNERS + 1] = { 0 };

	for (uint32_t run = 0; run < RUNS; run++) {
		struct tma_map map = random_map(&rng);
		struct tma_map_error error = { .fault = TMA_FAULT_NONE };
		struct tma_map_info info;
		uint16_t fault;

		memcpy(page, &map, sizeof(map));
		tma_map_decode(&map, &info, &error);
		fault = load_fault(model);
		if (error.fault != (fault <= TMA_FAULT_MAP_CORNERS ? fault : 0))
			fail_msg("run %u: the model says 0x%x, decoding 0x%x (%s %s)", run, fault,
			         (unsigned int)error.fault, error.fault ? error.parameter : "",
			         error.fault ? error.rule : "");
		count[error.fault]++;
	}
	assert_true(count[TMA_FAULT_NONE] > RUNS / 10);
	for (uint32_t fault = TMA_FAULT_MAP_RESERVED; fault <= TMA_FAULT_MAP_CORNERS; fault++)
		if (count[fault] < 20)
			fail_msg("fault 0x%x only %u times", fault, count[fault]);
	tma_model_free(model);
}

int run_model_tests(void)
{
	return run_file_tests("tests");
}
