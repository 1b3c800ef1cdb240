/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_example_bench - the example's host and memory: registers by AXI4-Lite, a memory behind port 0, jobs for the
 * compute unit. For its test, and for the program that draws its waves.
 */
#ifndef TMA_EXAMPLE_BENCH_H
#define TMA_EXAMPLE_BENCH_H

#include <stdbool.h>

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "tma_example_soc_pins.h"

#define EXAMPLE_PAGE   4096u
#define EXAMPLE_MEMORY (4 * EXAMPLE_PAGE) /* all of it is one window */
#define EXAMPLE_BASE   UINT64_C(0x80000000)

struct example_bench {
	struct example_soc *unit;
	struct example_soc_in *in;
	const struct example_soc_out *out;
	struct axi_mem *mem;
	struct axi_check *check;
	struct tma_axi_in axi;
	uint8_t memory[EXAMPLE_MEMORY];
	uint64_t cycle;
	bool stuck; /* something did not come: nothing goes on */
	/* Called in every cycle, all pins settled. */
	void (*watch)(void *arg, const struct example_bench *b);
	void *arg;
};

/** Out of reset, queue 0 enabled on the direct port. @retval -1  out of memory, or it does not answer */
int example_bench_open(struct example_bench *b, const struct axi_mem_opts *opts);
/** @return rules of AXI that were broken, 1 more if it got stuck */
int example_bench_close(struct example_bench *b);

/** @return the response. An access that is not answered leaves the bench stuck. */
uint32_t example_put(struct example_bench *b, uint32_t address, uint32_t value);
uint32_t example_get(struct example_bench *b, uint32_t address, uint32_t *value);

/** Do a job to its end. @retval 1  it has failed @retval -1  there was no end */
int example_job(struct example_bench *b, const struct example_soc_job *job);
void example_cycle(struct example_bench *b);

#endif
