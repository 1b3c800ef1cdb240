/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_bench - a Verilated kernel with memory behind its ports, a host in front of its registers, and the rules of both
 * checked: axi_check and axi_monitor on every port, axil_check on the registers.
 *
 * For the unit test of the kernel and for the simulated card. Nothing of it needs a test around it.
 */
#ifndef KERNEL_BENCH_H
#define KERNEL_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/axil_check.h"
#include "sim/tma_sim.h"

#define KERNEL_MAX_PORTS 4

struct kernel;
struct kernel_in;
struct kernel_out;

struct kernel_bench_opts {
	uint32_t latency, stall_percent; /* of memory */
	uint64_t seed;
};

/* Opaque, but for what is read: pins as they were in the last cycle. */
struct kernel_bench {
	struct kernel *unit;
	struct kernel_in *in;
	const struct kernel_out *out;
	struct tma_axi_out port_out[KERNEL_MAX_PORTS];
	struct tma_axi_in port_in[KERNEL_MAX_PORTS];
	struct axi_mem *memory[KERNEL_MAX_PORTS];
	struct axi_check *check[KERNEL_MAX_PORTS];
	struct axi_monitor *monitor;
	struct axil_check lite;
	uint64_t cycle;
	int errors, assertions; /* assertions: that had failed in this process before */
};

/** Out of reset, without memory. @return false: none is left for it */
bool kernel_bench_open(struct kernel_bench *k, const struct kernel_bench_opts *opts);
/** Waits a while until nothing is in flight; what a queue waits for then may never come, and its bursts are not asked for.
 * @return rules that were broken; the first ones are on stderr */
int kernel_bench_close(struct kernel_bench *k);

/** Whole pages at an address of a port; they stay the caller's. 0 or -ENOMEM, -EINVAL */
int kernel_bench_map(struct kernel_bench *k, uint32_t port, uint64_t base, uint64_t size, void *memory);

void kernel_bench_step(struct kernel_bench *k);

/** An access of the host, as its bus makes it. An answer that does not come, or is an error, breaks a rule. */
uint32_t kernel_bench_read(struct kernel_bench *k, uint32_t address);
void kernel_bench_write(struct kernel_bench *k, uint32_t address, uint32_t value);

bool kernel_bench_interrupt(const struct kernel_bench *k);
/** Nothing is queued or in flight: asks the engine. */
bool kernel_bench_idle(struct kernel_bench *k);

#endif
