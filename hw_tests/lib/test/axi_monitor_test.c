/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axi_monitor_test - the monitor lets through what the windows allow, and says what they do not.
 *
 * Queue 1 (stream 7): reads and writes, and multimem copies to window 0 (ports 0, 1, 2) and window 1
 * (ports 1, 3). Queue 2 (stream 9): reads alone, and writes alone in another page.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/axi_ids.h"
#include "lib/axi_monitor.h"
#include "lib/rng.h"
#include "tma_regs.h"

#define BYTES  32u
#define PORTS  4u
#define PLAIN  UINT64_C(0x40000)            /* 4 pages of queue 1 */
#define READS  UINT64_C(0x80000)            /* 1 page of queue 2 */
#define WRITES UINT64_C(0x90000)            /* 1 page of queue 2 */
#define MULTI  UINT64_C(0x7000000000)       /* 4 pages of queue 1, multimem */
#define SECOND UINT64_C(0x7000002000)       /* from its third page on: multimem window 1 */
#define BASE0  UINT64_C(0x100000)           /* of window 0 on port 0, 1, 2: BASE0 + port MiB */
#define BASE1  UINT64_C(0xFFFFFFFFFFFFF000) /* of window 1 on port 1 and 3: it runs over the end */

static struct {
	struct axi_monitor *m;
	struct tma_axi_out out[PORTS];
	struct tma_axi_in in[PORTS];
	uint64_t cycle;
} b; /* of the test that runs */

static uint64_t base0(uint32_t port)
{
	return BASE0 + port * UINT64_C(0x100000);
}

static void set(uint32_t address, uint32_t value)
{
	axi_monitor_register(b.m, address, value);
}

static void set64(uint32_t low, uint32_t high, uint64_t value)
{
	set(low, (uint32_t)value);
	set(high, (uint32_t)(value >> 32));
}

static void window(uint32_t queue, uint32_t index, uint64_t base, uint64_t bytes, uint32_t attr)
{
	set(TMA_REG_WINDOW_INDEX, index | queue << TMA_REG_WINDOW_INDEX_QUEUE_SHIFT);
	set(TMA_REG_WINDOW_ATTR, attr);
	set64(TMA_REG_WINDOW_BASE_LO, TMA_REG_WINDOW_BASE_HI, base);
	set64(TMA_REG_WINDOW_LIMIT_LO, TMA_REG_WINDOW_LIMIT_HI, base + bytes - 1);
}

static void multimem(uint32_t index, uint64_t base, uint64_t bytes, uint32_t ports)
{
	set(TMA_REG_MULTIMEM_INDEX, index);
	set(TMA_REG_MULTIMEM_PORTS, ports);
	set64(TMA_REG_MULTIMEM_BASE_LO, TMA_REG_MULTIMEM_BASE_HI, base);
	set64(TMA_REG_MULTIMEM_LIMIT_LO, TMA_REG_MULTIMEM_LIMIT_HI, base + bytes - 1);
}

static void port_base(uint32_t index, uint32_t port, uint64_t base)
{
	set(TMA_REG_MULTIMEM_INDEX, index | port << TMA_REG_MULTIMEM_INDEX_PORT_SHIFT);
	set64(TMA_REG_MULTIMEM_PORT_BASE_LO, TMA_REG_MULTIMEM_PORT_BASE_HI, base);
}

static int open_bench(void **state)
{
	(void)state;
	memset(&b, 0, sizeof(b));
	b.m = axi_monitor_new(&(struct axi_monitor_opts){ .ports = PORTS,
	                                                  .data_bytes = BYTES,
	                                                  .reductions = true,
	                                                  .reduce_id = AXI_WRITE_REDUCE(PORTS),
	                                                  .quiet = true });
	assert_non_null(b.m);
	set(TMA_REG_QUEUE_STREAM(1), 7 | 5 << TMA_REG_QUEUE_STREAM_PROT_SHIFT);
	window(1, 0, PLAIN, 0x4000, TMA_REG_WINDOW_ATTR_READ_MASK | TMA_REG_WINDOW_ATTR_WRITE_MASK);
	window(1, 3, MULTI, 0x4000, TMA_REG_WINDOW_ATTR_MULTIMEM_MASK);
	set(TMA_REG_QUEUE_STREAM(2), 9);
	window(2, 1, READS, 0x1000, TMA_REG_WINDOW_ATTR_READ_MASK);
	window(2, 2, WRITES, 0x1000, TMA_REG_WINDOW_ATTR_WRITE_MASK);
	/* The lower one counts where both lie, in the first half of the four pages. */
	multimem(0, MULTI, 0x2000, 0x7);
	for (uint32_t p = 0; p < 3; p++)
		port_base(0, p, base0(p));
	multimem(1, MULTI + 0x1000, 0x3000, 0xA);
	port_base(1, 1, BASE1);
	port_base(1, 3, BASE1);
	set(TMA_REG_QUEUE_CONTROL(1), TMA_REG_QUEUE_CONTROL_ENABLE_MASK);
	set(TMA_REG_QUEUE_CONTROL(2), TMA_REG_QUEUE_CONTROL_ENABLE_MASK);
	for (uint32_t p = 0; p < PORTS; p++) {
		b.in[p] = (struct tma_axi_in){ .ar_ready = 1, .aw_ready = 1, .w_ready = 1 };
		b.out[p].ar_cache = b.out[p].aw_cache = TMA_REG_AXCACHE_RESET;
	}
	return 0;
}

#define BENCH_TEST(name) TEST_BEHIND(name, open_bench)

static void close_bench(int failures, const char *says)
{
	assert_int_equal(axi_monitor_failed(b.m), failures);
	if (!strstr(axi_monitor_last(b.m), says))
		fail_msg("\"%s\" has no \"%s\"", axi_monitor_last(b.m), says);
	axi_monitor_free(b.m);
}

static void step(void)
{
	for (uint32_t p = 0; p < PORTS; p++) {
		axi_monitor_step(b.m, p, b.cycle, &b.out[p], &b.in[p]);
		b.out[p].ar_valid = b.out[p].aw_valid = b.out[p].w_valid = 0;
	}
	b.cycle++;
}

static void ar(uint32_t port, uint8_t stream, uint64_t addr, uint32_t beats)
{
	b.out[port].ar_valid = 1;
	b.out[port].ar_addr = addr;
	b.out[port].ar_len = (uint8_t)(beats - 1);
	b.out[port].ar_user = (uint16_t)(stream << 8);
	b.out[port].ar_prot = stream == 7 ? 5 : 0;
	step();
}

static void aw(uint32_t port, uint8_t stream, uint64_t addr, uint32_t beats)
{
	b.out[port].aw_valid = 1;
	b.out[port].aw_addr = addr;
	b.out[port].aw_len = (uint8_t)(beats - 1);
	b.out[port].aw_user = (uint16_t)(stream << 8);
	b.out[port].aw_prot = stream == 7 ? 5 : 0;
}

static void w(uint32_t port, uint8_t value, uint8_t strobes, bool last)
{
	b.out[port].w_valid = 1;
	b.out[port].w_last = last;
	memset(b.out[port].w_data, value, BYTES);
	memset(b.out[port].w_strb, strobes, BYTES / 8);
}

/* A write of one beat. */
static void write_one(uint32_t port, uint8_t stream, uint64_t addr, uint8_t value)
{
	aw(port, stream, addr, 1);
	w(port, value, 0xFF, true);
	step();
}

BENCH_TEST(test_windows)
{
	ar(0, 7, PLAIN, 128);
	ar(0, 7, PLAIN + 0x3000, 128);
	ar(0, 9, READS + 0xFE0, 1);
	write_one(0, 7, PLAIN + 0x3FE0, 1);
	axi_monitor_settle(b.m);
	close_bench(0, "");
}

static void read_case(uint32_t port, uint8_t stream, uint64_t addr, const char *says)
{
	open_bench(NULL);
	ar(port, stream, addr, 2);
	close_bench(1, says);
}

static void write_case(uint32_t port, uint8_t stream, uint64_t addr, const char *says)
{
	open_bench(NULL);
	write_one(port, stream, addr, 1);
	close_bench(1, says);
}

TEST(test_reads_outside)
{
	read_case(0, 7, PLAIN - 0x1000, "read of 0x3f000 in no window of stream 7");
	read_case(0, 7, PLAIN + 0x4000, "in no window");
	read_case(0, 7, READS, "read of 0x80000 in no window of stream 7");
	read_case(0, 7, MULTI, "in no window");
	read_case(0, 8, PLAIN, "stream 8 is no queue's");
	read_case(0, 0, PLAIN, "stream 0 is no queue's");
	read_case(1, 7, PLAIN, "port 1 cycle 0: read of 0x40000: reads belong on port 0");
	/* The second beat lies in the page behind the window. */
	read_case(0, 7, PLAIN + 0x3FE0, "read of 0x44000 in no window");
}

TEST(test_writes_outside)
{
	write_case(0, 9, READS, "write of 0x80000 in no window of stream 9");
	write_case(0, 7, READS, "in no window");
	write_case(0, 7, MULTI, "in no window");
	write_case(1, 7, PLAIN, "port 1 cycle 0: write of 0x40000 in no window");
	write_case(3, 7, base0(1), "in no window");
	write_case(2, 7, base0(1), "in no window");
	write_case(1, 7, base0(1) + 0x2000, "in no window");
	write_case(1, 9, base0(1), "in no window of stream 9");
	write_case(0, 8, PLAIN, "stream 8 is no queue's");
	/* The first page of window 1 belongs to window 0. */
	write_case(3, 7, BASE1, "in no window");
}

BENCH_TEST(test_a_burst_that_leaves_its_page)
{
	aw(0, 7, PLAIN + 0xFE0, 2);
	step();
	close_bench(1, "leaves its page");
}

/* To all ports in any order, W before AW, addresses that run over the end of the space. */
BENCH_TEST(test_broadcasts)
{
	static const uint32_t order[] = { 1, 0, 2 };

	for (uint32_t i = 0; i < 3; i++)
		write_one(order[i], 7, base0(order[i]) + 0x1FE0, 0xAB);
	w(3, 1, 0x0F, false);
	w(1, 1, 0x0F, false);
	step();
	w(3, 2, 0xF0, true);
	aw(1, 7, BASE1 + 0x1000, 2);
	step();
	w(1, 2, 0xF0, true);
	aw(3, 7, BASE1 + 0x1000, 2);
	step();
	axi_monitor_settle(b.m);
	close_bench(0, "");
}

BENCH_TEST(test_broadcast_lacks_a_port)
{
	write_one(0, 7, base0(0), 5);
	write_one(2, 7, base0(2), 5);
	assert_int_equal(axi_monitor_failed(b.m), 0);
	axi_monitor_settle(b.m);
	close_bench(1, "write of 0x100000 by stream 7 is part of a broadcast, seen on ports 0x5 alone");
}

/* Both sides of a pair that is no pair are incomplete. */
static void differs(uint64_t addr, uint8_t value, uint8_t strobes)
{
	open_bench(NULL);
	aw(1, 7, BASE1 + 0x1000, 1);
	w(1, 0x11, 0x0F, true);
	step();
	aw(3, 7, addr, 1);
	w(3, value, strobes, true);
	step();
	axi_monitor_settle(b.m);
	close_bench(2, "part of a broadcast");
}

TEST(test_broadcast_differs)
{
	differs(BASE1 + 0x1000, 0x12, 0x0F);
	differs(BASE1 + 0x1000, 0x11, 0x07);
	differs(BASE1 + 0x1020, 0x11, 0x0F);
}

/* Bytes without a strobe do not count. */
BENCH_TEST(test_unstrobed_bytes)
{
	aw(1, 7, BASE1 + 0x1000, 1);
	w(1, 0x11, 0x0F, true);
	b.out[1].w_data[4] = 0xEE;
	aw(3, 7, BASE1 + 0x1000, 1);
	w(3, 0x11, 0x0F, true);
	step();
	axi_monitor_settle(b.m);
	close_bench(0, "");
}

BENCH_TEST(test_dead_port)
{
	write_one(0, 7, base0(0), 5);
	axi_monitor_ignore(b.m, 1u << 1);
	write_one(2, 7, base0(2), 5);
	write_one(2, 7, base0(2) + BYTES, 6);
	write_one(0, 7, base0(0) + BYTES, 6);
	/* Late. */
	write_one(1, 7, base0(1) + BYTES, 6);
	axi_monitor_settle(b.m);
	assert_int_equal(axi_monitor_failed(b.m), 0);
	write_one(2, 7, base0(2) + BYTES, 6);
	axi_monitor_settle(b.m);
	close_bench(1, "seen on ports 0x4 alone");
}

/* Port 0 of window 0 inside a window for plain stores: it is what the other ports say. */
BENCH_TEST(test_plain_or_broadcast)
{
	set(TMA_REG_QUEUE_CONTROL(1), 0);
	window(1, 1, base0(0), 0x1000, TMA_REG_WINDOW_ATTR_WRITE_MASK);
	set(TMA_REG_QUEUE_CONTROL(1), TMA_REG_QUEUE_CONTROL_ENABLE_MASK);
	write_one(0, 7, base0(0), 5);
	axi_monitor_settle(b.m);
	assert_int_equal(axi_monitor_failed(b.m), 0);
	write_one(0, 7, base0(0), 5);
	write_one(1, 7, base0(1), 5);
	axi_monitor_settle(b.m);
	close_bench(1, "seen on ports 0x3 alone");
}

/* The set-up of the life before counts until the queue is enabled anew; a reset forgets all. */
BENCH_TEST(test_lives)
{
	set(TMA_REG_QUEUE_CONTROL(2), 0);
	ar(0, 9, READS, 1);
	window(2, 1, PLAIN, 0x1000, TMA_REG_WINDOW_ATTR_READ_MASK);
	ar(0, 9, READS, 1);
	assert_int_equal(axi_monitor_failed(b.m), 0);
	set(TMA_REG_QUEUE_CONTROL(2), TMA_REG_QUEUE_CONTROL_ENABLE_MASK | TMA_REG_QUEUE_CONTROL_RING_MASK);
	ar(0, 9, PLAIN, 1);
	assert_int_equal(axi_monitor_failed(b.m), 0);
	ar(0, 9, READS, 1);
	assert_int_equal(axi_monitor_failed(b.m), 1);
	axi_monitor_reset(b.m);
	ar(0, 7, PLAIN, 1);
	close_bench(2, "stream 7 is no queue's");
}

/* What happens without a handshake has not happened. */
BENCH_TEST(test_handshakes_count)
{
	b.in[0].ar_ready = b.in[0].aw_ready = 0;
	ar(0, 7, READS, 1);
	aw(0, 7, READS, 1);
	step();
	close_bench(0, "");
}

/* Three ports that run apart, thousands of bursts, one byte of which is wrong at times. */
BENCH_TEST(test_random_broadcasts)
{
	enum { BURSTS = 2000, AHEAD = 100 };
	struct rng rng = rng_make(5, 0);
	uint32_t sent[3] = { 0 }, flipped = rng_below(&rng, BURSTS), p;
	while (sent[0] < BURSTS || sent[1] < BURSTS || sent[2] < BURSTS) {
		uint32_t least = sent[0] < sent[1] ? sent[0] : sent[1];

		least = sent[2] < least ? sent[2] : least;
		for (p = 0; p < 3; p++) {
			uint32_t n = sent[p];

			if (n == BURSTS || n > least + AHEAD || rng_percent(&rng, 50))
				continue;
			aw(p, 7, base0(p) + n * 7 % 256 * BYTES, 1);
			w(p, (uint8_t)(n * 31), 0xFF, true);
			b.out[p].w_data[n % BYTES] ^= p == 1 && n == flipped;
			sent[p]++;
		}
		step();
	}
	assert_int_equal(axi_monitor_failed(b.m), 0);
	axi_monitor_settle(b.m);
	close_bench(2, "part of a broadcast");
}

/* AxCACHE may still be a value that the register had, until nothing is in flight; AxPROT is the queue's. */
BENCH_TEST(test_attributes)
{
	set(TMA_REG_AXCACHE, 11);
	ar(0, 7, PLAIN, 1);
	b.out[0].ar_cache = 11;
	ar(0, 9, READS, 1);
	assert_int_equal(axi_monitor_failed(b.m), 0);
	b.out[0].aw_cache = 3;
	write_one(0, 7, PLAIN, 1);
	assert_int_equal(axi_monitor_failed(b.m), 1);
	assert_non_null(strstr(axi_monitor_last(b.m), "AxCACHE 3"));
	axi_monitor_settle(b.m);
	b.out[0].ar_cache = TMA_REG_AXCACHE_RESET;
	ar(0, 9, READS, 1);
	assert_int_equal(axi_monitor_failed(b.m), 2);
	assert_non_null(strstr(axi_monitor_last(b.m), "AxCACHE 2"));
	b.out[0].ar_cache = 11;
	set(TMA_REG_QUEUE_STREAM(2), 9 | 1 << TMA_REG_QUEUE_STREAM_PROT_SHIFT);
	ar(0, 9, READS, 1);
	assert_int_equal(axi_monitor_failed(b.m), 2);
	/* Only from its enabling on. */
	set(TMA_REG_QUEUE_CONTROL(2), 0);
	set(TMA_REG_QUEUE_CONTROL(2), TMA_REG_QUEUE_CONTROL_ENABLE_MASK);
	ar(0, 9, READS, 1);
	close_bench(3, "AxPROT 0 is not that of stream 9");
}

/* From here on all that the engine reads and writes is a reduction's. */
static void reductions(void)
{
	for (uint32_t p = 0; p < PORTS; p++) {
		b.out[p].ar_id = AXI_ID_REDUCE;
		b.out[p].aw_id = AXI_WRITE_REDUCE(PORTS);
	}
}

/* They read from every port, and each port has values of its own. */
BENCH_TEST(test_reductions)
{
	reductions();
	ar(0, 7, PLAIN + 0x3FE0, 1);
	write_one(0, 7, PLAIN + 0x3FE0, 1);
	for (uint32_t p = 0; p < 3; p++) {
		ar(p, 7, base0(p) + 0x1FE0, 1);
		write_one(p, 7, base0(p) + 0x1FE0, (uint8_t)p);
	}
	ar(3, 7, BASE1 + 0x1000, 1);
	write_one(3, 7, BASE1 + 0x1000, 5);
	axi_monitor_settle(b.m);
	close_bench(0, "");
}

static void reduce_case(bool write, uint32_t port, uint8_t stream, uint64_t addr, const char *says)
{
	open_bench(NULL);
	reductions();
	if (write)
		write_one(port, stream, addr, 1);
	else
		ar(port, stream, addr, 1);
	close_bench(1, says);
}

/* A window for one direction alone is none. */
TEST(test_reductions_outside)
{
	for (uint32_t write = 0; write < 2; write++) {
		reduce_case(write, 0, 9, READS, "of 0x80000 in no window of stream 9");
		reduce_case(write, 0, 9, WRITES, "of 0x90000 in no window of stream 9");
		reduce_case(write, 0, 7, PLAIN + 0x4000, "in no window");
		reduce_case(write, 1, 7, PLAIN, "port 1 cycle 0: ");
		reduce_case(write, 1, 9, base0(1), "in no window of stream 9");
		reduce_case(write, 2, 7, base0(1), "in no window");
		reduce_case(write, 3, 7, BASE1, "in no window");
		reduce_case(write, 0, 8, PLAIN, "stream 8 is no queue's");
	}
}

int main(void)
{
	return run_file_tests("axi_monitor");
}
