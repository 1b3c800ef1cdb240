/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_kernel_test - the engine behind the ports of a kernel, used as a host would.
 *
 * Requirement: a kernel's control registers at 0x00, the engine's at their addresses, a memory
 * port for each global port, an interrupt; work comes through a ring in global memory.
 * Checks: identity and ap_ctrl; a program that loads into shared memory and stores to all ports at
 * once, its records in memory and the interrupt; every byte that was moved; that the pages of all
 * queues are in reach; the AXI rules on every port; the assertions of the whole engine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "lib/rng.h"
#include "tma_abi.h"
#include "tma_regs.h"
#include "unit_rtl/tma_kernel_shim.h"

#define AP_CTRL 0x00u
#define AP_GIE  0x04u
#define AP_IER  0x08u
#define AP_ISR  0x0Cu

/* Memory of port 0 and of port 1: other addresses, so that what goes astray is noticed. */
#define PAGE       4096u
#define REGION     (8 * PAGE)
#define BASE(port) (UINT64_C(0x100000000) * ((port) + 1))
#define RING       BASE(0)
#define COMPLETION (BASE(0) + PAGE)
#define SOURCE     (BASE(0) + 2 * PAGE)
#define TARGET     (4 * PAGE) /* in every region */
#define MULTIMEM   UINT64_C(0x7000000000)
#define BYTES      PAGE
#define SHARED     0x1000u
#define BARRIER    0x40u
#define QUEUE      1u
#define STREAM     0x5Au
#define WAIT_LIMIT 5000u

struct bench {
	struct kernel *kernel;
	struct kernel_in *in;
	const struct kernel_out *out;
	struct axi_mem *mem[TMA_SIM_MAX_PORTS];
	struct axi_check *check[TMA_SIM_MAX_PORTS];
	uint8_t memory[TMA_SIM_MAX_PORTS][REGION];
	uint64_t cycle;
};

static void cycle(struct bench *b)
{
	uint32_t p;

	kernel_eval(b->kernel);
	assert_int_equal(b->out->constant, 1);
	for (p = 0; p < kernel_info()->ports; p++) {
		const struct tma_axi_out *x = &b->out->gmem[p];

		axi_check_step(b->check[p], b->cycle, b->in->rst_n, &b->out->gmem[p], &b->in->gmem[p]);
		if (!b->in->rst_n)
			continue;
		/* One queue has all the traffic. */
		assert_true(!x->ar_valid || x->ar_user >> 8 == STREAM);
		assert_true(!x->aw_valid || x->aw_user >> 8 == STREAM);
		axi_mem_step(b->mem[p], &b->out->gmem[p], &b->in->gmem[p]);
	}
	/* Memory's new pins come behind the edge. */
	kernel_tick(b->kernel);
	b->cycle++;
}

static void bench_open(struct bench *b)
{
	const struct kernel_info *info = kernel_info();
	struct rng rng = rng_make(1, 1);
	uint32_t p, i;

	memset(b, 0, sizeof(*b));
	b->kernel = kernel_open();
	b->in = kernel_in(b->kernel);
	b->out = kernel_out(b->kernel);
	for (p = 0; p < info->ports; p++) {
		struct axi_mem_opts opts = {
			.data_bytes = info->data_bytes, .latency = 20, .stall_percent = 20, .seed = p
		};
		struct axi_check_opts rules = { .port = p, .data_bytes = info->data_bytes, .ids = 32 };

		b->mem[p] = axi_mem_new(&opts);
		b->check[p] = axi_check_new(&rules);
		assert_true(b->mem[p] && b->check[p]);
		assert_int_equal(axi_mem_map(b->mem[p], BASE(p), REGION, b->memory[p]), 0);
		assert_int_equal(axi_check_legal(b->check[p], 0, AXI_CHECK_READ | AXI_CHECK_WRITE, BASE(p),
		                                 REGION),
		                 0);
	}
	for (i = 0; i < BYTES; i++)
		b->memory[0][SOURCE - BASE(0) + i] = (uint8_t)rng_next(&rng);
	for (i = 0; i < 4; i++)
		cycle(b);
	b->in->rst_n = 1;
}

static void bench_close(struct bench *b)
{
	uint32_t p;

	for (p = 0; p < kernel_info()->ports; p++) {
		assert_int_equal(axi_check_failed(b->check[p]), 0);
		axi_check_free(b->check[p]);
		axi_mem_free(b->mem[p]);
	}
	kernel_close(b->kernel);
	assert_int_equal(unit_failed(), 0);
}

/*
 * The host.
 */

static uint32_t get_resp(struct bench *b, uint32_t address, uint32_t *value)
{
	struct tma_csr_in *c = &b->in->control;
	uint32_t limit = 0, resp;

	c->ar_valid = 1;
	c->ar_addr = address;
	for (kernel_eval(b->kernel); !b->out->control.ar_ready; kernel_eval(b->kernel)) {
		assert_true(limit++ < WAIT_LIMIT);
		cycle(b);
	}
	cycle(b);
	c->ar_valid = 0;
	c->r_ready = 1;
	for (kernel_eval(b->kernel); !b->out->control.r_valid; kernel_eval(b->kernel)) {
		assert_true(limit++ < WAIT_LIMIT);
		cycle(b);
	}
	*value = b->out->control.r_data;
	resp = b->out->control.r_resp;
	cycle(b);
	c->r_ready = 0;
	return resp;
}

static uint32_t get(struct bench *b, uint32_t address)
{
	uint32_t value;

	assert_int_equal(get_resp(b, address, &value), 0);
	return value;
}

static void put(struct bench *b, uint32_t address, uint32_t value)
{
	struct tma_csr_in *c = &b->in->control;
	uint32_t limit = 0;

	*c = (struct tma_csr_in){
		.aw_valid = 1, .w_valid = 1, .aw_addr = address, .w_data = value, .w_strb = 15
	};
	for (kernel_eval(b->kernel); !b->out->control.aw_ready; kernel_eval(b->kernel)) {
		assert_true(limit++ < WAIT_LIMIT);
		cycle(b);
	}
	cycle(b);
	c->aw_valid = c->w_valid = 0;
	c->b_ready = 1;
	for (kernel_eval(b->kernel); !b->out->control.b_valid; kernel_eval(b->kernel)) {
		assert_true(limit++ < WAIT_LIMIT);
		cycle(b);
	}
	assert_int_equal(b->out->control.b_resp, 0);
	cycle(b);
	c->b_ready = 0;
}

static void put64(struct bench *b, uint32_t address, uint64_t value)
{
	put(b, address, (uint32_t)value);
	put(b, address + 4, (uint32_t)(value >> 32));
}

static void put_window(struct bench *b, uint32_t window, uint32_t attr, uint64_t base, uint64_t size)
{
	put(b, TMA_REG_WINDOW_INDEX, QUEUE << 8 | window);
	put64(b, TMA_REG_WINDOW_BASE_LO, base);
	put64(b, TMA_REG_WINDOW_LIMIT_LO, base + size - 1);
	put(b, TMA_REG_WINDOW_ATTR, attr);
}

static void set_up_queue(struct bench *b)
{
	uint32_t p, ports = kernel_info()->ports;

	put_window(b, 0, 3, BASE(0), REGION);
	put_window(b, 1, 4, MULTIMEM, BYTES);
	for (p = 0; p < ports; p++) {
		put(b, TMA_REG_MULTIMEM_INDEX, p << 8);
		put64(b, TMA_REG_MULTIMEM_PORT_BASE_LO, BASE(p) + TARGET);
	}
	put64(b, TMA_REG_MULTIMEM_BASE_LO, MULTIMEM);
	put64(b, TMA_REG_MULTIMEM_LIMIT_LO, MULTIMEM + BYTES - 1);
	put(b, TMA_REG_MULTIMEM_PORTS, (1u << ports) - 1);
	put(b, TMA_REG_QUEUE_CTA(QUEUE), 1u << 16);
	put(b, TMA_REG_QUEUE_STREAM(QUEUE), STREAM);
	put64(b, TMA_REG_QUEUE_RING_BASE_LO(QUEUE), RING);
	put64(b, TMA_REG_QUEUE_COMPLETION_BASE_LO(QUEUE), COMPLETION);
	put(b, TMA_REG_QUEUE_RING_SIZE(QUEUE), 4 << 8 | 4);
	put(b, TMA_REG_QUEUE_CONTROL(QUEUE), 3);
	assert_int_equal(get(b, TMA_REG_QUEUE_CONTROL(QUEUE)), 3);
}

/* Load, wait for it, store to all ports, wait for that, say so. */
static uint32_t write_program(struct bench *b)
{
	const struct tma_command program[] = {
		{ .opcode = TMA_MBARRIER_INIT, .barrier = BARRIER, .count = 1 },
		{ .opcode = TMA_MBARRIER_ARRIVE,
		  .flags = TMA_FLAG_EXPECT_TX,
		  .barrier = BARRIER,
		  .count = 1,
		  .tx = BYTES },
		{ .opcode = TMA_BULK_LOAD,
		  .global_address = SOURCE,
		  .size = BYTES,
		  .shared_dst = SHARED,
		  .barrier = BARRIER },
		{ .opcode = TMA_MBARRIER_TRY_WAIT,
		  .flags = TMA_FLAG_PARITY,
		  .barrier = BARRIER,
		  .tx = ~0u,
		  .tag = 3 },
		{ .opcode = TMA_MULTIMEM_BULK_STORE,
		  .global_address = MULTIMEM,
		  .shared_src = SHARED,
		  .size = BYTES },
		{ .opcode = TMA_BULK_COMMIT_GROUP },
		{ .opcode = TMA_BULK_WAIT_GROUP },
		{ .opcode = TMA_SIGNAL, .tag = 7 },
	};
	uint32_t i, count = sizeof(program) / sizeof(program[0]);

	for (i = 0; i < count; i++) {
		struct tma_command c = program[i];

		c.version = TMA_COMMAND_VERSION;
		memcpy(b->memory[0] + RING - BASE(0) + 64 * i, &c, sizeof(c));
	}
	return count;
}

static struct tma_record record(const struct bench *b, uint32_t index)
{
	struct tma_record r;

	memcpy(&r, b->memory[0] + COMPLETION - BASE(0) + sizeof(r) * index, sizeof(r));
	return r;
}

static void identity(void **state)
{
	const struct kernel_info *info = kernel_info();
	static struct bench b;
	uint32_t value;

	(void)state;
	bench_open(&b);
	assert_int_equal(get(&b, TMA_REG_MAGIC), TMA_REG_MAGIC_RESET);
	assert_int_equal(get(&b, TMA_REG_CAP(0)),
	                 info->ports << 24 | info->queues << 16 | info->ctas << 8 | info->data_bytes);
	assert_int_equal(get(&b, TMA_REG_CAP(1)), info->smem_bytes);
	/* The last queue's page, and the one behind it. */
	put(&b, TMA_REG_DOOR_INTERRUPT_ENABLE(info->queues - 1), 1);
	assert_int_equal(get(&b, TMA_REG_DOOR_INTERRUPT_ENABLE(info->queues - 1)), 1);
	assert_int_equal(get_resp(&b, TMA_REG_DOOR_INTERRUPT_ENABLE(info->queues), &value), 2);
	bench_close(&b);
}

static void control(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b);
	assert_int_equal(get(&b, AP_CTRL), 0x4);
	put(&b, AP_GIE, 1);
	put(&b, AP_IER, 1);
	put(&b, AP_CTRL, 1);
	assert_int_equal(b.out->interrupt, 1);
	assert_int_equal(get(&b, AP_CTRL), 0xE);
	assert_int_equal(get(&b, AP_CTRL), 0x4);
	put(&b, AP_ISR, 1);
	assert_int_equal(b.out->interrupt, 0);
	assert_int_equal(get(&b, TMA_REG_STATUS), 1);
	bench_close(&b);
}

static void ring_program(void **state)
{
	static struct bench b;
	uint32_t count, limit = 0, p;
	bool busy_seen = false;

	(void)state;
	bench_open(&b);
	set_up_queue(&b);
	put(&b, TMA_REG_DOOR_INTERRUPT_ENABLE(QUEUE), 1);
	count = write_program(&b);
	put(&b, TMA_REG_DOOR_TAIL(QUEUE), count);
	while (get(&b, TMA_REG_DOOR_PRODUCER(QUEUE)) < 2) {
		assert_true(limit++ < WAIT_LIMIT);
		assert_int_equal(get(&b, TMA_REG_DOOR_FAULT(QUEUE)), 0);
		busy_seen |= !(get(&b, AP_CTRL) & 0x4);
	}
	assert_true(busy_seen);
	assert_int_equal(b.out->interrupt, 1);
	assert_int_equal(record(&b, 0).kind, TMA_KIND_ANSWER);
	assert_int_equal(record(&b, 0).value, 1);
	assert_int_equal(record(&b, 0).tag, 3);
	assert_int_equal(record(&b, 1).kind, TMA_KIND_SIGNAL);
	assert_int_equal(record(&b, 1).tag, 7);
	assert_int_equal(record(&b, 1).sequence, count - 1);
	assert_int_equal(record(&b, 1).queue, QUEUE);
	assert_int_equal(record(&b, 1).phase, 1);
	for (p = 0; p < kernel_info()->ports; p++)
		assert_memory_equal(b.memory[p] + TARGET, b.memory[0] + SOURCE - BASE(0), BYTES);

	put(&b, TMA_REG_DOOR_CONSUMER(QUEUE), 2);
	put(&b, TMA_REG_DOOR_INTERRUPT_PENDING(QUEUE), 1);
	assert_int_equal(b.out->interrupt, 0);
	assert_int_equal(get(&b, TMA_REG_DOOR_HEAD(QUEUE)), count);
	assert_int_equal(get(&b, AP_CTRL), 0x4);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity),
		cmocka_unit_test(control),
		cmocka_unit_test(ring_program),
	};

	return cmocka_run_group_tests_name("tma_kernel", tests, NULL, NULL);
}
