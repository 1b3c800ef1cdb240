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
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "sim/tma_sim.h"
#include "tma_abi.h"
#include "tma_regs.h"
#include "tma_kernel_pins.h"

#define MAX_PORTS 2 /* of a kernel */

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
	struct kernel *unit;
	struct kernel_in *in;
	const struct kernel_out *out;
	struct axi_mem *mem[MAX_PORTS];
	struct axi_check *check[MAX_PORTS];
	struct tma_axi_in axi[MAX_PORTS];
	uint8_t memory[MAX_PORTS][REGION];
	struct rng rng;
	uint64_t cycle;
};

static void put_port(struct kernel_in *to, const struct tma_axi_in *x, uint32_t p, uint32_t bytes)
{
	to->gmem_ARREADY[p] = x->ar_ready;
	to->gmem_AWREADY[p] = x->aw_ready;
	to->gmem_WREADY[p] = x->w_ready;
	to->gmem_RVALID[p] = x->r_valid;
	to->gmem_RID[p] = x->r_id;
	to->gmem_RRESP[p] = x->r_resp;
	to->gmem_RLAST[p] = x->r_last;
	memcpy(to->gmem_RDATA[p], x->r_data, bytes);
	to->gmem_BVALID[p] = x->b_valid;
	to->gmem_BID[p] = x->b_id;
	to->gmem_BRESP[p] = x->b_resp;
}

static void get_port(struct tma_axi_out *x, const struct kernel_out *from, uint32_t p, uint32_t bytes)
{
	*x = (struct tma_axi_out){
		.r_ready = from->gmem_RREADY[p],
		.b_ready = from->gmem_BREADY[p],
		.ar_valid = from->gmem_ARVALID[p],
		.ar_addr = from->gmem_ARADDR[p],
		.ar_id = from->gmem_ARID[p],
		.ar_len = from->gmem_ARLEN[p],
		.ar_size = from->gmem_ARSIZE[p],
		.ar_burst = from->gmem_ARBURST[p],
		.ar_cache = from->gmem_ARCACHE[p],
		.ar_prot = from->gmem_ARPROT[p],
		.ar_qos = from->gmem_ARQOS[p],
		.ar_user = from->gmem_ARUSER[p],
		.aw_valid = from->gmem_AWVALID[p],
		.aw_addr = from->gmem_AWADDR[p],
		.aw_id = from->gmem_AWID[p],
		.aw_len = from->gmem_AWLEN[p],
		.aw_size = from->gmem_AWSIZE[p],
		.aw_burst = from->gmem_AWBURST[p],
		.aw_cache = from->gmem_AWCACHE[p],
		.aw_prot = from->gmem_AWPROT[p],
		.aw_qos = from->gmem_AWQOS[p],
		.aw_user = from->gmem_AWUSER[p],
		.w_valid = from->gmem_WVALID[p],
		.w_last = from->gmem_WLAST[p],
	};
	memcpy(x->w_data, from->gmem_WDATA[p], bytes);
	memcpy(x->w_strb, &from->gmem_WSTRB[p], bytes / 8);
	assert_false(from->gmem_ARLOCK[p] || from->gmem_AWLOCK[p]);
	assert_false(from->gmem_ARREGION[p] || from->gmem_AWREGION[p]);
}

static void cycle(struct bench *b)
{
	const struct unit_shape *info = unit_shape();

	kernel_eval(b->unit);
	for (uint32_t p = 0; p < info->ports; p++) {
		struct tma_axi_in *in = &b->axi[p];
		struct tma_axi_out x;

		get_port(&x, b->out, p, info->data_bytes);
		axi_check_step(b->check[p], b->cycle, b->in->ap_rst_n, &x, in);
		if (!b->in->ap_rst_n)
			continue;
		/* One queue has all the traffic. */
		assert_true(!x.ar_valid || x.ar_user >> 8 == STREAM);
		assert_true(!x.aw_valid || x.aw_user >> 8 == STREAM);
		axi_mem_step(b->mem[p], &x, in);
		put_port(b->in, in, p, info->data_bytes);
	}
	/* Memory's new pins come behind the edge. */
	kernel_tick(b->unit);
	b->cycle++;
}

static void bench_open(struct bench *b)
{
	const struct unit_shape *info = unit_shape();

	BENCH_OPEN(b, kernel, 1);
	for (uint32_t p = 0; p < info->ports; p++) {
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
	for (uint32_t i = 0; i < BYTES; i++)
		b->memory[0][SOURCE - BASE(0) + i] = (uint8_t)rng_next(&b->rng);
	for (uint32_t i = 0; i < 4; i++)
		cycle(b);
	b->in->ap_rst_n = 1;
}

static void bench_close(struct bench *b)
{
	for (uint32_t p = 0; p < unit_shape()->ports; p++) {
		assert_int_equal(axi_check_failed(b->check[p]), 0);
		axi_check_free(b->check[p]);
		axi_mem_free(b->mem[p]);
	}
	kernel_close(b->unit);
}

#define BENCH_TEST(name) TEST_IN(name, struct bench, b, bench_open(b), bench_close(b))

/*
 * The host.
 */

static void await(struct bench *b, const uint8_t *pin)
{
	uint32_t limit = 0;

	for (kernel_eval(b->unit); !*pin; kernel_eval(b->unit)) {
		assert_true(limit++ < WAIT_LIMIT);
		cycle(b);
	}
}

static uint32_t get_resp(struct bench *b, uint32_t address, uint32_t *value)
{
	struct kernel_in *c = b->in;
	uint32_t resp;

	c->s_axi_control_ARVALID = 1;
	c->s_axi_control_ARADDR = (uint16_t)address;
	await(b, &b->out->s_axi_control_ARREADY);
	cycle(b);
	c->s_axi_control_ARVALID = 0;
	c->s_axi_control_RREADY = 1;
	await(b, &b->out->s_axi_control_RVALID);
	*value = b->out->s_axi_control_RDATA;
	resp = b->out->s_axi_control_RRESP;
	cycle(b);
	c->s_axi_control_RREADY = 0;
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
	struct kernel_in *c = b->in;

	c->s_axi_control_AWVALID = c->s_axi_control_WVALID = 1;
	c->s_axi_control_AWADDR = (uint16_t)address;
	c->s_axi_control_WDATA = value;
	c->s_axi_control_WSTRB = 15;
	await(b, &b->out->s_axi_control_AWREADY);
	cycle(b);
	c->s_axi_control_AWVALID = c->s_axi_control_WVALID = 0;
	c->s_axi_control_BREADY = 1;
	await(b, &b->out->s_axi_control_BVALID);
	assert_int_equal(b->out->s_axi_control_BRESP, 0);
	cycle(b);
	c->s_axi_control_BREADY = 0;
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
	uint32_t p, ports = unit_shape()->ports;

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

BENCH_TEST(identity)
{
	const struct unit_shape *info = unit_shape();
	uint32_t value;

	assert_int_equal(get(b, TMA_REG_MAGIC), TMA_REG_MAGIC_RESET);
	assert_int_equal(get(b, TMA_REG_CAP(0)),
	                 info->ports << 24 | info->queues << 16 | info->ctas << 8 | info->data_bytes);
	assert_int_equal(get(b, TMA_REG_CAP(1)), info->smem_bytes);
	/* The last queue's page, and the one behind it. */
	put(b, TMA_REG_DOOR_INTERRUPT_ENABLE(info->queues - 1), 1);
	assert_int_equal(get(b, TMA_REG_DOOR_INTERRUPT_ENABLE(info->queues - 1)), 1);
	assert_int_equal(get_resp(b, TMA_REG_DOOR_INTERRUPT_ENABLE(info->queues), &value), 2);
}

BENCH_TEST(control)
{
	assert_int_equal(get(b, AP_CTRL), 0x4);
	put(b, AP_GIE, 1);
	put(b, AP_IER, 1);
	put(b, AP_CTRL, 1);
	assert_int_equal(b->out->interrupt, 1);
	assert_int_equal(get(b, AP_CTRL), 0xE);
	assert_int_equal(get(b, AP_CTRL), 0x4);
	put(b, AP_ISR, 1);
	assert_int_equal(b->out->interrupt, 0);
	assert_int_equal(get(b, TMA_REG_STATUS), 1);
}

BENCH_TEST(ring_program)
{
	uint32_t count, limit = 0, p;
	bool busy_seen = false;

	set_up_queue(b);
	put(b, TMA_REG_DOOR_INTERRUPT_ENABLE(QUEUE), 1);
	count = write_program(b);
	put(b, TMA_REG_DOOR_TAIL(QUEUE), count);
	while (get(b, TMA_REG_DOOR_PRODUCER(QUEUE)) < 2) {
		assert_true(limit++ < WAIT_LIMIT);
		assert_int_equal(get(b, TMA_REG_DOOR_FAULT(QUEUE)), 0);
		busy_seen |= !(get(b, AP_CTRL) & 0x4);
	}
	assert_true(busy_seen);
	assert_int_equal(b->out->interrupt, 1);
	assert_int_equal(record(b, 0).kind, TMA_KIND_ANSWER);
	assert_int_equal(record(b, 0).value, 1);
	assert_int_equal(record(b, 0).tag, 3);
	assert_int_equal(record(b, 1).kind, TMA_KIND_SIGNAL);
	assert_int_equal(record(b, 1).tag, 7);
	assert_int_equal(record(b, 1).sequence, count - 1);
	assert_int_equal(record(b, 1).queue, QUEUE);
	assert_int_equal(record(b, 1).phase, 1);
	for (p = 0; p < unit_shape()->ports; p++)
		assert_memory_equal(b->memory[p] + TARGET, b->memory[0] + SOURCE - BASE(0), BYTES);

	put(b, TMA_REG_DOOR_CONSUMER(QUEUE), 2);
	put(b, TMA_REG_DOOR_INTERRUPT_PENDING(QUEUE), 1);
	assert_int_equal(b->out->interrupt, 0);
	assert_int_equal(get(b, TMA_REG_DOOR_HEAD(QUEUE)), count);
	assert_int_equal(get(b, AP_CTRL), 0x4);
}
