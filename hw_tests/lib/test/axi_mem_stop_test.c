/* SPDX-License-Identifier: Apache-2.0 */
/* axi_mem_stop_test - ports that stop answering and go on, and what is mapped where. */

#include "lib/cmocka_all.h"
#include "lib/test/axi_mem_bench.h"

/* A stopped channel shows nothing new, the others go on, and in the end nothing is lost. */
static void stop_case(uint32_t channel, uint32_t latency)
{
	uint32_t t, asked = 0, answered = 0;
	struct bench b;

	bench_open(&b, (struct axi_mem_opts){ .latency = latency });
	axi_mem_stop(b.mem, channel, 20);
	for (t = 0; t < 200; t++) {
		bool stopped = t > 20 && t <= 120;

		if (t == 120)
			axi_mem_stop(b.mem, 0, 0);
		if (b.in.ar_ready && t % 2 == 0 && t < 130)
			bench_ar(&b, BASE + t * 32, 1, 3);
		if (b.in.aw_ready && b.in.w_ready && t % 2 == 0 && t < 130) {
			bench_aw(&b, BASE + t * 32, 1, 0);
			bench_w(&b, 0x99, 0xFF, 1);
		}
		if (stopped) {
			assert_int_equal(b.in.ar_ready, channel != AXI_MEM_AR);
			assert_int_equal(b.in.aw_ready, channel != AXI_MEM_AW);
			assert_int_equal(b.in.w_ready, channel != AXI_MEM_W);
			assert_false(b.in.r_valid && channel == AXI_MEM_R);
			assert_false(b.in.b_valid && channel == AXI_MEM_B);
		}
		asked += b.out.ar_valid + b.out.aw_valid;
		answered += b.in.r_valid + b.in.b_valid;
		bench_step(&b);
	}
	assert_true(asked > 20);
	assert_int_equal(answered, asked);
	assert_int_equal(axi_mem_outstanding(b.mem), 0);
	axi_mem_free(b.mem);
}

TEST(test_stopped_channels)
{
	for (uint32_t channel = AXI_MEM_AR; channel <= AXI_MEM_B; channel <<= 1) {
		stop_case(channel, 1);
		stop_case(channel, 9);
	}
}

/* A valid that is up when its channel stops stays up, with its payload. */
TEST(test_stop_keeps_a_valid)
{
	struct bench b;

	bench_open(&b, (struct axi_mem_opts){ .latency = 2 });
	b.out.r_ready = b.out.b_ready = 0;
	bench_ar(&b, BASE + 64, 2, 7);
	bench_aw(&b, BASE, 1, 0);
	bench_w(&b, 0x99, 0xFF, 1);
	bench_step(&b);
	bench_step(&b);
	assert_true(b.in.r_valid && b.in.b_valid);
	axi_mem_stop(b.mem, AXI_MEM_R | AXI_MEM_B, 0);
	for (uint32_t t = 0; t < 20; t++) {
		bench_step(&b);
		assert_true(b.in.r_valid && b.in.b_valid);
		assert_memory_equal(b.in.r_data, b.bytes + 64, BYTES);
	}
	b.out.r_ready = b.out.b_ready = 1;
	for (uint32_t t = 0; t < 20; t++) {
		bench_step(&b);
		assert_false(b.in.r_valid || b.in.b_valid);
	}
	/* A reset lets it go on. */
	assert_int_equal(axi_mem_outstanding(b.mem), 1);
	axi_mem_reset(b.mem, &b.in);
	bench_step(&b);
	bench_ar(&b, BASE + 64, 1, 7);
	bench_step(&b);
	bench_step(&b);
	assert_int_equal(b.in.r_valid, 1);
	axi_mem_free(b.mem);
}

TEST(test_regions)
{
	static uint8_t page[4096];
	struct bench b;

	bench_open(&b, (struct axi_mem_opts){ .latency = 1 });
	assert_int_equal(axi_mem_map(b.mem, 0x8000, 4096, page), 0);
	assert_ptr_equal(axi_mem_at(b.mem, 0x8FFF), page + 4095);
	assert_ptr_equal(axi_mem_at(b.mem, BASE + 5), b.bytes + 5);
	assert_null(axi_mem_at(b.mem, 0x9000));
	axi_mem_unmap(b.mem, 0x9000);
	axi_mem_unmap(b.mem, 0x8000);
	assert_null(axi_mem_at(b.mem, 0x8000));
	assert_ptr_equal(axi_mem_at(b.mem, BASE), b.bytes);
	assert_int_equal(axi_mem_map(b.mem, 0x8000, 4096, page), 0);
	axi_mem_free(b.mem);
}

int main(void)
{
	return run_file_tests("axi_mem_stop");
}
