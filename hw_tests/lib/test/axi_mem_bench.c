/* SPDX-License-Identifier: Apache-2.0 */
/* A memory model whose port the test plays by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>

#include "lib/test/axi_mem_bench.h"

void bench_open(struct bench *b, struct axi_mem_opts o)
{
	uint32_t i;

	memset(b, 0, sizeof(*b));
	o.data_bytes = BYTES;
	b->mem = axi_mem_new(&o);
	assert_non_null(b->mem);
	for (i = 0; i < SIZE; i++)
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
