/* SPDX-License-Identifier: Apache-2.0 */
/* A memory model whose port the test plays by hand. */
#ifndef AXI_MEM_BENCH_H
#define AXI_MEM_BENCH_H

#include <stdint.h>

#include "lib/axi_mem.h"

#define BYTES 32u
#define BASE  UINT64_C(0xFFFFFFFFFFFF0000) /* up to the last byte of all */
#define SIZE  0x10000u

struct bench {
	struct axi_mem *mem;
	struct tma_axi_out out;
	struct tma_axi_in in;
	uint64_t cycle;
	uint8_t bytes[SIZE];
};

/** A memory of these options with the one region, in its first cycle with ready. */
void bench_open(struct bench *b, struct axi_mem_opts o);
/** One cycle, after which the port offers nothing any more. */
void bench_step(struct bench *b);

/* Raise one channel's valid. */
void bench_ar(struct bench *b, uint64_t addr, uint8_t beats, uint8_t id);
void bench_aw(struct bench *b, uint64_t addr, uint8_t beats, uint8_t id);
void bench_w(struct bench *b, uint8_t value, uint8_t strobes, uint8_t last);

/* Random traffic, judged by the checker, until all of it is answered. */
struct bench_run {
	uint64_t hash; /* what the pins were */
	uint32_t beats, cycles;
};
typedef void bench_look(void *arg, uint64_t cycle, const struct tma_axi_out *out,
                        const struct tma_axi_in *in);

/** @param look  sees the pins of every cycle; may be NULL */
struct bench_run bench_random(struct axi_mem_opts o, bench_look *look, void *arg);

#endif
