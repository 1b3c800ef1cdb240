/* SPDX-License-Identifier: Apache-2.0 */
/* A memory model whose port the test plays by hand. */
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/axi_check.h"
#include "lib/rng.h"
#include "lib/test/axi_mem_bench.h"

void bench_open(struct bench *b, struct axi_mem_opts o)
{
	memset(b, 0, sizeof(*b));
	o.data_bytes = BYTES;
	b->mem = axi_mem_new(&o);
	assert_non_null(b->mem);
	for (uint32_t i = 0; i < SIZE; i++)
		b->bytes[i] = (uint8_t)(i ^ i >> 8);
	assert_int_equal(axi_mem_map(b->mem, BASE, SIZE, b->bytes), 0);
	b->out.r_ready = b->out.b_ready = 1;
	/* The first cycle after reset shows no ready yet. */
	axi_mem_step(b->mem, &b->out, &b->in);
}

void bench_step(struct bench *b)
{
	axi_mem_step(b->mem, &b->out, &b->in);
	b->cycle++;
	b->out.ar_valid = b->out.aw_valid = b->out.w_valid = 0;
}

void bench_ar(struct bench *b, uint64_t addr, uint8_t beats, uint8_t id)
{
	b->out.ar_valid = 1;
	b->out.ar_addr = addr;
	b->out.ar_len = (uint8_t)(beats - 1);
	b->out.ar_id = id;
}

void bench_aw(struct bench *b, uint64_t addr, uint8_t beats, uint8_t id)
{
	b->out.aw_valid = 1;
	b->out.aw_addr = addr;
	b->out.aw_len = (uint8_t)(beats - 1);
	b->out.aw_id = id;
}

void bench_w(struct bench *b, uint8_t value, uint8_t strobes, uint8_t last)
{
	b->out.w_valid = 1;
	b->out.w_last = last;
	memset(b->out.w_data, value, BYTES);
	memset(b->out.w_strb, strobes, BYTES / 8);
}

struct bench_run bench_random(struct axi_mem_opts o, bench_look *look, void *arg)
{
	struct rng rng = rng_make(42, 0);
	uint32_t aw_len[64], aw_in = 0, w_burst = 0, w_beat = 0, t;
	struct bench_run run = { 0 };
	struct axi_check *check;
	struct bench b;

	bench_open(&b, o);
	check = axi_check_new(&(struct axi_check_opts){ .data_bytes = BYTES, .ids = 32 });
	assert_non_null(check);
	assert_int_equal(axi_check_legal(check, 0, 3, BASE, SIZE), 0);
	b.out.ar_size = b.out.aw_size = 5;
	b.out.ar_burst = b.out.aw_burst = 1;
	for (t = 0; t < 6000 || axi_mem_outstanding(b.mem) || b.out.ar_valid || b.out.aw_valid; t++) {
		bool more = t < 6000, ar_taken, aw_taken, w_taken;

		assert_true(t < 200000);

		b.out.r_ready = b.out.b_ready = !rng_percent(&rng, 10);
		/* A valid that was not taken stays: step() is not used here, it clears them. */
		if (!b.out.ar_valid && more && rng_percent(&rng, 8))
			bench_ar(&b, BASE + rng_below(&rng, 15) * 4096, (uint8_t)(1 + rng_below(&rng, 8)),
			         (uint8_t)rng_below(&rng, 32));
		if (!b.out.aw_valid && more && aw_in < w_burst + 32 && rng_percent(&rng, 20)) {
			bench_aw(&b, BASE + rng_below(&rng, 15) * 4096, (uint8_t)(1 + rng_below(&rng, 8)),
			         (uint8_t)rng_below(&rng, 4));
			aw_len[aw_in % 64] = b.out.aw_len;
			aw_in++;
		}
		if (!b.out.w_valid && w_burst < aw_in) {
			bench_w(&b, (uint8_t)rng_next(&rng), (uint8_t)rng_next(&rng),
			        w_beat == aw_len[w_burst % 64]);
			w_beat++;
			if (b.out.w_last) {
				w_burst++;
				w_beat = 0;
			}
		}
		axi_check_step(check, t, true, &b.out, &b.in);
		if (look)
			look(arg, t, &b.out, &b.in);
		run.beats += b.in.r_valid && b.out.r_ready;
		run.hash = (run.hash ^ (uint64_t)(b.in.r_valid << 24 | b.in.r_id << 16 | b.in.b_valid << 8 |
		                                  b.in.ar_ready << 2 | b.in.aw_ready << 1 | b.in.w_ready)) *
		           UINT64_C(0x100000001B3);
		ar_taken = b.out.ar_valid && b.in.ar_ready;
		aw_taken = b.out.aw_valid && b.in.aw_ready;
		w_taken = b.out.w_valid && b.in.w_ready;
		axi_mem_step(b.mem, &b.out, &b.in);
		b.out.ar_valid = b.out.ar_valid && !ar_taken;
		b.out.aw_valid = b.out.aw_valid && !aw_taken;
		b.out.w_valid = b.out.w_valid && !w_taken;
	}
	assert_string_equal(axi_check_last(check), "");
	assert_int_equal(axi_check_failed(check), 0);
	assert_int_equal(axi_check_reads(check) + axi_check_writes(check), 0);
	run.cycles = t;
	axi_check_free(check);
	axi_mem_free(b.mem);
	return run;
}
