/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axi_mem_test - the memory model keeps its timing contract, its order, its errors and its bytes.
 *
 * Requirement: one handshake per cycle on each channel, the first R exactly L cycles after AR, B
 * exactly L cycles after the last W. The random runs have the protocol checker as their judge.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/test/axi_mem_bench.h"

/* L = 1 is the smallest: the next cycle. */
TEST(test_first_r_after_exactly_l)
{
	static const uint32_t latencies[] = { 1, 2, 17, 100, 400 };
	struct bench b;

	for (uint32_t i = 0; i < sizeof(latencies) / sizeof(latencies[0]); i++) {
		bench_open(&b, (struct axi_mem_opts){ .latency = latencies[i] });
		assert_int_equal(b.in.ar_ready, 1);
		bench_ar(&b, BASE + 64, 3, 7);
		for (uint32_t k = 1; k < latencies[i]; k++) {
			bench_step(&b);
			assert_int_equal(b.in.r_valid, 0);
		}
		for (uint32_t k = 0; k < 3; k++) {
			bench_step(&b);
			assert_int_equal(b.in.r_valid, 1);
			assert_int_equal(b.in.r_id, 7);
			assert_int_equal(b.in.r_resp, AXI_OKAY);
			assert_int_equal(b.in.r_last, k == 2);
			assert_memory_equal(b.in.r_data, b.bytes + 64 + k * BYTES, BYTES);
		}
		bench_step(&b);
		assert_int_equal(b.in.r_valid, 0);
		assert_int_equal(axi_mem_outstanding(b.mem), 0);
		axi_mem_free(b.mem);
	}
}

/* Single beats of several ids: one AR and one R in every cycle, none lost to a change of id. */
TEST(test_single_beats_at_full_rate)
{
	enum { L = 40, N = 1000 };
	struct bench b;
	uint32_t i, got = 0;

	bench_open(&b, (struct axi_mem_opts){ .latency = L });
	for (i = 0; i < N + L; i++) {
		assert_int_equal(b.in.ar_ready, 1);
		if (i < N)
			bench_ar(&b, BASE + i % 128 * BYTES, 1, (uint8_t)(i % 4));
		assert_int_equal(b.in.r_valid, i >= L);
		got += b.in.r_valid;
		bench_step(&b);
	}
	assert_int_equal(got, N);
	assert_int_equal(axi_mem_outstanding(b.mem), 0);
	axi_mem_free(b.mem);
}

static void b_after_l(uint32_t latency, uint32_t aw_at, uint32_t first_w_at)
{
	uint32_t last = first_w_at + 1 > aw_at ? first_w_at + 1 : aw_at, t;
	struct bench b;

	bench_open(&b, (struct axi_mem_opts){ .latency = latency });
	for (t = 0; t < last + latency + 2; t++) {
		assert_int_equal(b.in.b_valid, t == last + latency);
		if (b.in.b_valid)
			assert_int_equal(b.in.b_id, 9);
		if (t == aw_at)
			bench_aw(&b, BASE, 2, 9);
		if (t == first_w_at || t == first_w_at + 1)
			bench_w(&b, 0xAA, 0xFF, t == first_w_at + 1);
		bench_step(&b);
	}
	assert_int_equal(b.bytes[0], 0xAA);
	assert_int_equal(b.bytes[2 * BYTES - 1], 0xAA);
	assert_int_not_equal(b.bytes[2 * BYTES], 0xAA);
	assert_int_equal(axi_mem_outstanding(b.mem), 0);
	axi_mem_free(b.mem);
}

TEST(test_b_after_exactly_l)
{
	b_after_l(1, 0, 0);
	b_after_l(100, 0, 0);
	b_after_l(100, 0, 5);
	b_after_l(100, 1, 0);
	b_after_l(100, 20, 0);
}

/* The latest moment that AXI allows, and only bytes with a strobe. */
TEST(test_write_lands_with_its_b)
{
	struct bench b;

	bench_open(&b, (struct axi_mem_opts){ .latency = 10 });
	bench_aw(&b, BASE, 1, 0);
	bench_w(&b, 0x55, 0x0F, 1);
	for (uint32_t t = 0; t < 10; t++) {
		assert_int_equal(b.bytes[1], 1);
		bench_step(&b);
	}
	assert_int_equal(b.in.b_valid, 1);
	for (uint32_t t = 0; t < BYTES; t++)
		assert_int_equal(b.bytes[t], t % 8 < 4 ? 0x55 : t);
	axi_mem_free(b.mem);
}

/* Two long bursts of two ids: both orders of beats happen, each id keeps its own. */
TEST(test_ids_interleave)
{
	uint32_t seen[2] = { 0 }, changes = 0, before = 2, t;
	struct bench b;

	bench_open(&b, (struct axi_mem_opts){ .latency = 5, .seed = 3 });
	bench_ar(&b, BASE, 64, 0);
	bench_step(&b);
	bench_ar(&b, BASE + 4096, 64, 1);
	for (t = 0; t < 200; t++) {
		bench_step(&b);
		if (!b.in.r_valid)
			continue;
		assert_memory_equal(b.in.r_data, b.bytes + b.in.r_id * 4096u + seen[b.in.r_id] * BYTES,
		                    BYTES);
		seen[b.in.r_id]++;
		changes += before != b.in.r_id;
		before = b.in.r_id;
	}
	assert_int_equal(seen[0], 64);
	assert_int_equal(seen[1], 64);
	assert_true(changes > 20);
	axi_mem_free(b.mem);
}

TEST(test_reads_in_order)
{
	uint32_t t, got = 0;
	struct bench b;

	bench_open(&b, (struct axi_mem_opts){ .latency = 5, .random_latency = 50, .reads_in_order = true });
	for (t = 0; t < 400; t++) {
		if (t < 32)
			bench_ar(&b, BASE + t * 4 * BYTES, 4, (uint8_t)(31 - t));
		bench_step(&b);
		if (!b.in.r_valid)
			continue;
		assert_int_equal(b.in.r_id, 31 - got / 4);
		got++;
	}
	assert_int_equal(got, 128);
	axi_mem_free(b.mem);
}

/* Nothing comes for it and for its id; other ids and the other direction go on. */
TEST(test_lost_burst)
{
	uint32_t beats[2] = { 0 }, answers = 0, t;
	struct bench b;

	bench_open(&b, (struct axi_mem_opts){ .latency = 5 });
	axi_mem_lose(b.mem, AXI_MEM_READ);
	for (t = 0; t < 100; t++) {
		if (t < 8)
			bench_ar(&b, BASE + t * BYTES, 1, (uint8_t)(t / 4 % 2));
		if (t < 3) {
			bench_aw(&b, BASE, 1, 0);
			bench_w(&b, 0x55, 0xFF, 1);
		}
		if (t == 50)
			axi_mem_lose(b.mem, AXI_MEM_WRITE);
		if (t == 60 || t == 70) {
			bench_aw(&b, BASE, 1, 0);
			bench_w(&b, 0xAA, 0xFF, 1);
		}
		bench_step(&b);
		beats[b.in.r_id] += b.in.r_valid;
		answers += b.in.b_valid;
	}
	assert_true(beats[0] == 0 && beats[1] == 4 && answers == 3);
	assert_true(axi_mem_outstanding(b.mem) == 6 && b.bytes[0] == 0x55);
	axi_mem_free(b.mem);
}

/* A beat fails where it touches the range or where nothing is mapped; its neighbours do not. */
TEST(test_errors)
{
	static const uint8_t expected[6] = {
		AXI_OKAY, AXI_SLVERR, AXI_SLVERR, AXI_OKAY, AXI_DECERR, AXI_OKAY
	};
	struct bench b;

	bench_open(&b, (struct axi_mem_opts){ .latency = 1 });
	assert_int_equal(axi_mem_error(b.mem, AXI_MEM_READ, BASE + 2 * BYTES - 1, 2, AXI_SLVERR), 0);
	assert_int_equal(axi_mem_error(b.mem, AXI_MEM_READ | AXI_MEM_WRITE, BASE + 4 * BYTES, 1, AXI_DECERR),
	                 0);
	bench_ar(&b, BASE, 6, 0);
	for (uint32_t t = 0; t < 6; t++) {
		bench_step(&b);
		assert_int_equal(b.in.r_resp, expected[t]);
	}
	bench_step(&b);

	/* The range for reads does not concern a write; the other one takes byte 128 alone out. */
	bench_aw(&b, BASE, 1, 0);
	bench_w(&b, 0x77, 0xFF, 1);
	bench_step(&b);
	assert_int_equal(b.in.b_resp, AXI_OKAY);
	bench_aw(&b, BASE + 4 * BYTES, 1, 0);
	bench_w(&b, 0x77, 0xFF, 1);
	bench_step(&b);
	assert_int_equal(b.in.b_resp, AXI_DECERR);
	assert_int_equal(b.bytes[4 * BYTES], 128);
	assert_int_equal(b.bytes[4 * BYTES + 1], 0x77);

	axi_mem_clear_errors(b.mem);
	bench_ar(&b, BASE + 4 * BYTES, 1, 0);
	bench_step(&b);
	assert_int_equal(b.in.r_resp, AXI_OKAY);
	bench_ar(&b, BASE - BYTES, 1, 0);
	bench_step(&b);
	assert_int_equal(b.in.r_resp, AXI_DECERR);
	bench_aw(&b, 0, 1, 0);
	bench_w(&b, 0x77, 0xFF, 1);
	bench_step(&b);
	assert_int_equal(b.in.b_resp, AXI_DECERR);
	axi_mem_free(b.mem);
}

TEST(test_wrong_arguments)
{
	static uint8_t page[4096];
	struct bench b;

	assert_null(axi_mem_new(&(struct axi_mem_opts){ .data_bytes = 64 }));
	assert_null(axi_mem_new(&(struct axi_mem_opts){ .data_bytes = 256, .latency = 1 }));
	bench_open(&b, (struct axi_mem_opts){ .latency = 1 });
	assert_true(axi_mem_map(b.mem, BASE + SIZE / 2, 4096, page) < 0);
	assert_true(axi_mem_map(b.mem, BASE - 4096, SIZE, page) < 0);
	assert_true(axi_mem_map(b.mem, 16, 4096, page) < 0);
	assert_true(axi_mem_map(b.mem, 4096, 0, page) < 0);
	assert_true(axi_mem_map(b.mem, 4096, 16, page) < 0);
	assert_true(axi_mem_map(b.mem, 4096, 4096, NULL) < 0);
	assert_int_equal(axi_mem_map(b.mem, BASE - 4096, 4096, page), 0);
	assert_true(axi_mem_error(b.mem, AXI_MEM_READ, 0, 1, AXI_OKAY) < 0);
	assert_true(axi_mem_error(b.mem, AXI_MEM_READ, 8, 0, AXI_SLVERR) < 0);
	axi_mem_free(b.mem);
}

/*
 * Random traffic, judged by the checker.
 */

static uint64_t random_run(uint64_t seed, uint32_t stall, uint32_t random_latency)
{
	struct bench_run run = bench_random((struct axi_mem_opts){ .latency = 20,
	                                                           .random_latency = random_latency,
	                                                           .stall_percent = stall,
	                                                           .early_read_percent = 50,
	                                                           .seed = seed },
	                                    NULL, NULL);

	assert_true(run.beats > 1000);
	return run.hash;
}

TEST(test_random_traffic_is_legal)
{
	for (uint32_t stall = 0; stall <= 60; stall += 30)
		for (uint32_t latency = 0; latency <= 60; latency += 30)
			random_run(stall + latency, stall, latency);
}

TEST(test_seed_decides)
{
	uint64_t one, again, other;

	one = random_run(1, 20, 10);
	again = random_run(1, 20, 10);
	other = random_run(2, 20, 10);
	assert_true(one == again);
	assert_true(one != other);
}

/* AR before the B of a write to the same bytes, R after it: old and new data are both seen. */
TEST(test_early_and_late_reads)
{
	uint32_t old_seen = 0, new_seen = 0, i, t;
	struct bench b;

	for (i = 0; i < 20; i++) {
		bench_open(&b, (struct axi_mem_opts){ .latency = 10, .early_read_percent = 50, .seed = i });
		bench_aw(&b, BASE, 1, 0);
		bench_w(&b, 0xEE, 0xFF, 1);
		bench_step(&b);
		bench_ar(&b, BASE, 1, 0);
		for (t = 0; t < 10; t++)
			bench_step(&b);
		assert_int_equal(b.in.r_valid, 1);
		old_seen += b.in.r_data[1] == 1;
		new_seen += b.in.r_data[1] == 0xEE;
		axi_mem_free(b.mem);
	}
	assert_int_equal(old_seen + new_seen, 20);
	assert_true(old_seen > 0 && new_seen > 0);
}

int main(void)
{
	return run_file_tests("axi_mem");
}
