/* SPDX-License-Identifier: Apache-2.0 */
/* engine_registers - accesses that software rarely makes: single bytes, a read beside a write, registers of
 * queues that are in use, a watchdog that is taken back, the doorbell of a queue whose last life is not over. */
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "tma_regs.h"
#include "engine/engine_tests.h"

#define LIMIT 200u /* cycles of an access */
#define BASE  UINT64_C(0x40000000)
#define SIZE  0x4000u

static struct rig_opts options;
static const char *shape;

/*
 * Pins, without the rig, which makes one access of whole words at a time.
 */

struct pins {
	struct tma_sim *sim;
	struct tma_csr_in *in;
	const struct tma_csr_out *out;
};

static void cycle(struct pins *p)
{
	tma_sim_eval(p->sim);
	tma_sim_tick(p->sim);
}

static void pins_open(struct pins *p)
{
	p->sim = tma_sim_open(shape, NULL, options.seed);
	assert_non_null(p->sim);
	p->in = &tma_sim_in(p->sim)->csr;
	p->out = &tma_sim_out(p->sim)->csr;
	for (int i = 0; i < 4; i++)
		cycle(p);
	tma_sim_in(p->sim)->rst_n = 1;
	for (uint32_t i = 0; i < LIMIT; i++)
		cycle(p);
	p->in->b_ready = p->in->r_ready = 1;
}

/* A write (@p strobes not 0), a read (@p read not NULL), or both in the same cycle. Says which was
 * answered first: 'w' or 'r'. */
static char access_both(struct pins *p, uint32_t address, uint32_t value, uint8_t strobes, uint32_t from,
                        uint32_t *read)
{
	bool writes = strobes, reads = read;
	char first = 0;

	p->in->aw_valid = p->in->w_valid = writes;
	p->in->ar_valid = reads;
	p->in->aw_addr = address;
	p->in->w_data = value;
	p->in->w_strb = strobes;
	p->in->ar_addr = from;
	for (uint32_t i = 0; (writes || reads) && i < LIMIT; i++) {
		bool taken_w, taken_r;

		tma_sim_eval(p->sim);
		taken_w = p->in->aw_valid && p->out->aw_ready;
		taken_r = p->in->ar_valid && p->out->ar_ready;
		assert_int_equal(p->out->aw_ready, p->out->w_ready);
		if (p->out->b_valid) {
			assert_true(writes && !p->in->aw_valid);
			assert_int_equal(p->out->b_resp, RIG_OKAY);
			first = first ? first : 'w';
			writes = false;
		}
		if (p->out->r_valid) {
			assert_true(reads && !p->in->ar_valid);
			assert_int_equal(p->out->r_resp, RIG_OKAY);
			*read = p->out->r_data;
			first = first ? first : 'r';
			reads = false;
		}
		tma_sim_tick(p->sim);
		if (taken_w)
			p->in->aw_valid = p->in->w_valid = 0;
		if (taken_r)
			p->in->ar_valid = 0;
	}
	assert_false(writes || reads);
	return first;
}

/* Bytes without a strobe keep their value. */
TEST(bytes)
{
	struct pins p;
	uint32_t expected = 0, value;

	pins_open(&p);
	for (uint32_t strobes = 15; strobes; strobes--) {
		uint32_t written = 0x11223344u * strobes + 0x55u;

		for (uint32_t i = 0; i < 4; i++)
			if (strobes >> i & 1)
				expected = (expected & ~(0xFFu << 8 * i)) | (written & 0xFFu << 8 * i);
		access_both(&p, TMA_REG_WATCHDOG, written, (uint8_t)strobes, 0, NULL);
		access_both(&p, 0, 0, 0, TMA_REG_WATCHDOG, &value);
		assert_int_equal(value, expected);
	}
	assert_int_equal(tma_sim_failed(p.sim), 0);
	tma_sim_close(p.sim);
}

/* A read and a write in the same cycle are both answered, and neither always has to wait. */
TEST(read_beside_write)
{
	struct pins p;
	uint32_t value, order[2] = { 0 };

	pins_open(&p);
	for (uint32_t i = 0; i < 8; i++) {
		order[access_both(&p, TMA_REG_WATCHDOG, i, 15, TMA_REG_MAGIC, &value) == 'w']++;
		assert_int_equal(value, TMA_REG_MAGIC_RESET);
		access_both(&p, 0, 0, 0, TMA_REG_WATCHDOG, &value);
		assert_int_equal(value, i);
		/* The next pair follows a write. */
		if (i & 1)
			access_both(&p, TMA_REG_WATCHDOG, i, 15, 0, NULL);
	}
	assert_true(order[0] && order[1]);
	assert_int_equal(tma_sim_failed(p.sim), 0);
	tma_sim_close(p.sim);
}

/*
 * Registers of queues in use.
 */

struct bench {
	struct rig *rig;
	uint8_t memory[SIZE];
};

static void bench_open(struct bench *b, struct rig_queue setup)
{
	const struct rig_window window = { .base = BASE,
		                           .limit = BASE + SIZE - 1,
		                           .attr = RIG_READ | RIG_WRITE };

	b->rig = rig_open(shape, &options);
	assert_non_null(b->rig);
	assert_int_equal(rig_map(b->rig, 0, BASE, SIZE, b->memory), 0);
	setup.windows = &window;
	setup.num_windows = 1;
	assert_int_equal(rig_queue_setup(b->rig, 1, &setup), 0);
}

static void bench_close(struct bench *b)
{
	assert_int_equal(rig_failed(b->rig), 0);
	rig_close(b->rig);
}

/* The register answers SLVERR and stays as it was. */
static void refused(struct bench *b, uint32_t address, uint32_t value)
{
	uint32_t before = rig_csr(b->rig, address);

	assert_int_not_equal(before, value);
	assert_int_equal(rig_csr_write(b->rig, address, value), RIG_SLVERR);
	assert_int_equal(rig_csr(b->rig, address), before);
}

TEST(locked)
{
	static const struct rig_queue direct = { .front = RIG_DIRECT };
	const struct rig_multimem all = { .base = BASE << 1, .limit = (BASE << 1) + 4095, .ports = 1 };
	struct rig_window window = { .base = BASE << 1,
		                     .limit = (BASE << 1) + 4095,
		                     .attr = RIG_WRITE | RIG_MULTIMEM };
	struct rig_queue multimem = { .front = RIG_DIRECT, .windows = &window, .num_windows = 1 };
	struct bench b;

	bench_open(&b, direct);
	refused(&b, TMA_REG_QUEUE_CTA(1), rig_csr(b.rig, TMA_REG_QUEUE_CTA(1)) ^ 1u);
	refused(&b, TMA_REG_QUEUE_STREAM(1), 0x7Fu);
	refused(&b, TMA_REG_QUEUE_CONTROL(1),
	        TMA_REG_QUEUE_CONTROL_ENABLE_MASK | TMA_REG_QUEUE_CONTROL_RING_MASK);
	refused(&b, TMA_REG_QUEUE_RING_SIZE(0), 0x0403u);
	refused(&b, TMA_REG_QUEUE_RING_SIZE(0), 0x1104u);
	assert_int_equal(rig_csr_write(b.rig, TMA_REG_WINDOW_INDEX, 1u << TMA_REG_WINDOW_INDEX_QUEUE_SHIFT),
	                 RIG_OKAY);
	refused(&b, TMA_REG_WINDOW_ATTR, RIG_READ);
	refused(&b, TMA_REG_WINDOW_BASE_LO, 0x7000u);
	assert_int_equal(rig_multimem(b.rig, 0, &all), 0);
	assert_int_equal(rig_queue_setup(b.rig, 0, &multimem), 0);
	refused(&b, TMA_REG_MULTIMEM_BASE_LO, 0x7000u);
	refused(&b, TMA_REG_MULTIMEM_PORTS, 0u);
	bench_close(&b);
}

static const struct tma_command store = { .version = TMA_COMMAND_VERSION,
	                                  .opcode = TMA_BULK_STORE,
	                                  .global_address = BASE,
	                                  .shared_src = 0x100,
	                                  .size = 256 };

/* A watchdog that is turned off while a port stands still does not bite any more. */
TEST(watchdog_off)
{
	static const struct rig_queue direct = { .front = RIG_DIRECT };
	struct bench b;

	bench_open(&b, direct);
	assert_int_equal(rig_watchdog(b.rig, 3000), 0);
	assert_int_equal(rig_port_stop(b.rig, 0, RIG_B, 0), 0);
	assert_true(rig_submit(b.rig, 1, &store) >= 0);
	rig_run(b.rig, 1000);
	assert_true(rig_csr(b.rig, TMA_REG_QUEUE_STATUS(1)) & TMA_REG_QUEUE_STATUS_BUSY_MASK);
	assert_int_equal(rig_watchdog(b.rig, 0), 0);
	rig_run(b.rig, 6000);
	assert_int_equal(rig_dead_ports(b.rig), 0);
	assert_true(rig_csr(b.rig, TMA_REG_QUEUE_STATUS(1)) & TMA_REG_QUEUE_STATUS_BUSY_MASK);
	assert_int_equal(rig_port_stop(b.rig, 0, 0, 0), 0);
	rig_run(b.rig, 1000);
	assert_int_equal(rig_csr(b.rig, TMA_REG_QUEUE_STATUS(1)), 0);
	bench_close(&b);
}

/* What the counters of the ports have to say. A write that goes to several ports is one. */
static void count_pins(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	uint64_t *count = arg;
	bool aw = false, w = false, stalls = false;

	(void)cycle;
	if (!in->rst_n)
		return;
	count[TMA_COUNTER_READ_BURSTS] += out->axi[0].ar_valid && in->axi[0].ar_ready;
	count[TMA_COUNTER_READ_STALLS] += out->axi[0].ar_valid && !in->axi[0].ar_ready;
	count[TMA_COUNTER_READ_BEATS] += in->axi[0].r_valid && out->axi[0].r_ready;
	for (uint32_t p = 0; p < TMA_SIM_MAX_PORTS; p++) {
		aw |= out->axi[p].aw_valid && in->axi[p].aw_ready;
		w |= out->axi[p].w_valid && in->axi[p].w_ready;
		stalls |= out->axi[p].w_valid && !in->axi[p].w_ready;
	}
	count[TMA_COUNTER_WRITE_BURSTS] += aw;
	count[TMA_COUNTER_WRITE_BEATS] += w;
	count[TMA_COUNTER_WRITE_STALLS] += stalls;
}

/* Bursts, beats and cycles in which a port keeps the engine waiting, of loads and stores side by side. */
TEST(counters)
{
	static const struct rig_queue direct = { .front = RIG_DIRECT };
	static const uint32_t counted[] = { TMA_COUNTER_READ_BURSTS, TMA_COUNTER_READ_STALLS,
		                            TMA_COUNTER_READ_BEATS,  TMA_COUNTER_WRITE_BURSTS,
		                            TMA_COUNTER_WRITE_BEATS, TMA_COUNTER_WRITE_STALLS };
	struct tma_command load = { .version = TMA_COMMAND_VERSION,
		                    .opcode = TMA_CP_ASYNC,
		                    .size = 16,
		                    .global_address = BASE + 0x1000,
		                    .shared_dst = 0x200 };
	uint64_t pins[TMA_REG_COUNTER_COUNT] = { 0 };
	const struct rig_opts as_it_was = options;
	struct bench b;

	options.stall_percent = 70;
	bench_open(&b, direct);
	options = as_it_was;
	assert_int_equal(rig_hook(b.rig, &(struct rig_hooks){ .arg = pins, .cycle = count_pins }), 0);
	for (uint32_t i = 0; i < 20; i++) {
		assert_true(rig_submit(b.rig, 1, &store) >= 0);
		assert_true(rig_submit(b.rig, 1, &load) >= 0);
	}
	assert_int_equal(rig_wait_idle(b.rig, 20000), 0);
	for (uint32_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		assert_true(pins[counted[i]] >= 20);
		assert_int_equal(rig_counter(b.rig, counted[i]), pins[counted[i]]);
	}
	bench_close(&b);
}

/* A queue that is disabled while a store is on its way keeps the set-up that the store goes by: its windows
 * stay locked. Enabled again, it takes no doorbell, and a reset changes nothing. Then the new life begins. */
TEST(closing)
{
	static const struct rig_queue ring = { .front = RIG_RING, .ring_log2 = 4, .completion_log2 = 4 };
	const uint32_t on = TMA_REG_QUEUE_CONTROL_ENABLE_MASK | TMA_REG_QUEUE_CONTROL_RING_MASK;
	uint32_t status;
	struct bench b;

	options.latency = 400;
	bench_open(&b, ring);
	assert_true(rig_submit(b.rig, 1, &store) >= 0);
	/* The rig rings the doorbell where no access of the test is under way. */
	for (uint32_t i = 0; rig_door_read(b.rig, 1).head == 0; i++) {
		assert_true(i < LIMIT);
		rig_run(b.rig, 8);
	}
	assert_int_equal(rig_csr_write(b.rig, TMA_REG_WINDOW_INDEX, 1u << TMA_REG_WINDOW_INDEX_QUEUE_SHIFT),
	                 RIG_OKAY);
	assert_int_equal(rig_csr_write(b.rig, TMA_REG_QUEUE_CONTROL(1), 0), RIG_OKAY);
	refused(&b, TMA_REG_WINDOW_BASE_LO, 0x7000u);
	refused(&b, TMA_REG_QUEUE_STREAM(1), 0x7Fu);
	assert_int_equal(rig_csr_write(b.rig, TMA_REG_QUEUE_CONTROL(1), on), RIG_OKAY);
	assert_true(rig_csr(b.rig, TMA_REG_DOOR_STATUS(1)) & TMA_REG_DOOR_STATUS_CLOSING_MASK);
	refused(&b, TMA_REG_DOOR_TAIL(1), 1);
	assert_int_equal(rig_csr_write(b.rig, TMA_REG_DOOR_RESET(1), 1), RIG_OKAY);
	assert_true(rig_csr(b.rig, TMA_REG_DOOR_STATUS(1)) & TMA_REG_DOOR_STATUS_CLOSING_MASK);
	for (uint32_t i = 0; (status = rig_csr(b.rig, TMA_REG_DOOR_STATUS(1))) != 0; i++)
		assert_true(i < LIMIT);
	assert_int_equal(rig_csr(b.rig, TMA_REG_DOOR_TAIL(1)), 0);
	assert_int_equal(rig_csr(b.rig, TMA_REG_DOOR_HEAD(1)), 0);
	assert_int_equal(rig_queue_disable(b.rig, 1), 0);
	assert_int_equal(rig_csr_write(b.rig, TMA_REG_WINDOW_BASE_LO, 0x7000u), RIG_OKAY);
	bench_close(&b);
}

int engine_registers(const char *name, const char *config, const struct rig_opts *opts)
{
	shape = config;
	options = *opts;
	return run_file_tests(name);
}
