/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rig_test - the rig on the real engine, in every configuration: does it see what there is to see?
 *
 * The engine's own behaviour is the business of replay and cross-check; here one load, one store
 * and one fault go through, so that their cycles, records and bytes arrive where rig.h says.
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp() */
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/rng.h"
#include "tma_regs.h"
#include "engine/rig_bench.h"
#include "lib/rig_priv.h"

BENCH_TEST(test_registers)
{
	uint32_t value;

	assert_int_equal(rig_csr(b->rig, TMA_REG_MAGIC), 0x31414D54);
	assert_int_equal(rig_csr_read(b->rig, 0xFFC, &value), RIG_SLVERR);
	assert_int_equal(rig_csr_write(b->rig, TMA_REG_MAGIC, 0), RIG_SLVERR);
	/* Refused while the queue is enabled, taken when it is not. */
	assert_int_equal(rig_csr_write(b->rig, TMA_REG_QUEUE_STREAM(1), 1), RIG_SLVERR);
	assert_int_equal(rig_csr(b->rig, TMA_REG_QUEUE_STREAM(1)), 0x5A);
	assert_int_equal(rig_queue_disable(b->rig, 1), 0);
	assert_int_equal(rig_csr_write(b->rig, TMA_REG_QUEUE_STREAM(1), 1), RIG_OKAY);
	assert_int_equal(rig_csr(b->rig, TMA_REG_QUEUE_STREAM(1)), 1);
}

BENCH_TEST(test_register_that_has_to_exist)
{
	b->failures = 1;
	assert_int_equal(rig_csr(b->rig, 0xFFC), 0);
}

/* Any offset and length, all CTAs at once, writes and reads mixed; a copy says what is right. */
BENCH_TEST(test_shared_memory)
{
	struct rng rng = rng_make(7, 0);
	uint32_t ctas, span = 2048, i, cta;
	uint8_t *copy, *got;

	ctas = rig_info(b->rig)->ctas;
	copy = malloc((size_t)ctas * span);
	got = malloc((size_t)ctas * span);
	assert_true(copy && got);
	for (i = 0; i < ctas * span; i++)
		copy[i] = (uint8_t)rng_next(&rng);
	for (cta = 0; cta < ctas; cta++)
		assert_int_equal(rig_smem_post_write(b->rig, cta, 0, copy + cta * span, span), 0);
	for (i = 0; i < 300; i++) {
		uint32_t offset = rng_below(&rng, span), len = rng_below(&rng, 64), k;
		uint8_t bytes[64];

		cta = rng_below(&rng, ctas);
		if (offset + len > span)
			continue;
		for (k = 0; k < len; k++)
			bytes[k] = (uint8_t)rng_next(&rng);
		if (i % 3) {
			memcpy(copy + cta * span + offset, bytes, len);
			assert_int_equal(rig_smem_post_write(b->rig, cta, offset, bytes, len), 0);
		} else {
			assert_int_equal(rig_smem_read(b->rig, cta, offset, bytes, len), 0);
			assert_memory_equal(bytes, copy + cta * span + offset, len);
		}
	}
	for (cta = 0; cta < ctas; cta++)
		assert_int_equal(rig_smem_post_read(b->rig, cta, 0, got + cta * span, span), 0);
	assert_int_equal(rig_smem_flush(b->rig), 0);
	assert_memory_equal(got, copy, ctas * span);
	/* The last byte of a CTA. */
	i = rig_info(b->rig)->smem_bytes;
	assert_int_equal(rig_smem_write(b->rig, ctas - 1, i - 3, copy, 3), 0);
	assert_int_equal(rig_smem_read(b->rig, ctas - 1, i - 3, got, 3), 0);
	assert_memory_equal(got, copy, 3);
	free(copy);
	free(got);
}

/* A load: its barrier's phase is polled, its bytes are there, its commands have cycles and records. */
BENCH_TEST(test_load)
{
	enum { BAR = 64, DST = 1024, BYTES = 512 };
	uint8_t got[BYTES + 32], canary[BYTES + 32];
	const struct rig_record *records;
	uint64_t start, done;
	uint32_t n;

	memset(canary, 0xC5, sizeof(canary));
	assert_int_equal(rig_smem_write(b->rig, 0, DST - 16, canary, sizeof(canary)), 0);
	/* Until the barrier is there its place must not look like one that has completed. */
	assert_int_equal(rig_smem_write(b->rig, 0, BAR, (uint8_t[8]){ 0 }, 8), 0);
	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_do(b, TMA_MBARRIER_ARRIVE, .barrier = BAR, .count = 1, .tx = BYTES, .tag = 77,
	         .flags = TMA_FLAG_EXPECT_TX | TMA_FLAG_RECORD);
	bench_do(b, TMA_BULK_LOAD, .global_address = BASE + 4096 - 64, .size = BYTES, .shared_dst = DST,
	         .barrier = BAR);
	assert_int_equal(rig_waiting(b->rig, 1), 3);
	start = rig_cycle(b->rig);
	assert_int_equal(rig_wait_phase(b->rig, 0, BAR, 1, LIMIT, &done), 0);
	assert_int_equal(rig_accepted(b->rig, 1), 3);
	assert_true(rig_accept_cycle(b->rig, 1, 0) >= start);
	assert_true(rig_accept_cycle(b->rig, 1, 2) > rig_accept_cycle(b->rig, 1, 1));
	assert_true(done > rig_accept_cycle(b->rig, 1, 2) + rig_info(b->rig)->data_bytes / 16);
	rig_smem_poll_stop(b->rig, 0);
	bench_wait_idle(b);
	records = rig_records(b->rig, 1, &n);
	assert_int_equal(n, 1);
	assert_int_equal(records[0].record.kind, TMA_KIND_ANSWER);
	assert_int_equal(records[0].record.sequence, 1);
	assert_int_equal(records[0].record.tag, 77);
	assert_int_equal(rig_smem_read(b->rig, 0, DST - 16, got, sizeof(got)), 0);
	assert_memory_equal(got, canary, 16);
	assert_memory_equal(got + 16, b->memory + 4096 - 64, BYTES);
	assert_memory_equal(got + 16 + BYTES, canary, 16);
	assert_true(rig_counter(b->rig, TMA_COUNTER_READ_BURSTS) >= 2);
}

BENCH_TEST(test_store)
{
	enum { SRC = 256, BYTES = 304 };
	uint8_t bytes[BYTES], before[SIZE];

	for (uint32_t i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)(i * 37 + 11);
	memcpy(before, b->memory, SIZE);
	memcpy(before + 4096 - 48, bytes, BYTES);
	assert_int_equal(rig_smem_write(b->rig, 0, SRC, bytes, BYTES), 0);
	/* No more than the operand's own bytes may be written. */
	rig_legal_none(b->rig);
	assert_int_equal(rig_legal(b->rig, 0, RIG_WRITE, BASE + 4096 - 48, BYTES), 0);
	bench_do(b, TMA_BULK_STORE, .global_address = BASE + 4096 - 48, .size = BYTES, .shared_src = SRC);
	bench_wait_idle(b);
	assert_memory_equal(b->memory, before, SIZE);
}

/* The queue stops, the commands behind stay, rig_wait_idle() still comes back. */
BENCH_TEST(test_bus_fault)
{
	enum { BAR = 64 };
	struct rig_fault fault;
	const struct rig_record *records;
	uint32_t n;

	assert_int_equal(rig_map_error(b->rig, 0, RIG_READ, BASE + 1024, 1, RIG_SLVERR), 0);
	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_do(b, TMA_BULK_LOAD, .global_address = BASE, .tag = 5, .size = 2048, .shared_dst = 4096,
	         .barrier = BAR);
	assert_int_equal(rig_wait_records(b->rig, 1, 1, LIMIT), 0);
	for (uint32_t i = 0; i < 50; i++)
		bench_do(b, TMA_SIGNAL);
	bench_wait_idle(b);
	assert_true(rig_faulted(b->rig, 1));
	records = rig_records(b->rig, 1, &n);
	assert_int_equal(n, 1);
	assert_int_equal(records[0].record.kind, TMA_KIND_FAULT);
	assert_int_equal(records[0].record.fault, TMA_FAULT_READ_SLVERR);
	assert_int_equal(records[0].record.address, BASE + 1024);
	fault = rig_fault(b->rig, 1);
	assert_int_equal(fault.code, TMA_FAULT_READ_SLVERR);
	assert_int_equal(fault.count, 1);
	assert_int_equal(fault.tag, 5);
	assert_int_equal(fault.sequence, 1);
	assert_int_equal(fault.address, BASE + 1024);
}

struct run {
	uint64_t cycles, hash;
};

static void hash_pins(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct run *r = arg;
	uint64_t word = (uint64_t)in->axi[0].r_valid | (uint64_t)out->axi[0].ar_valid << 1 |
	                (uint64_t)in->axi[0].ar_ready << 2 | (uint64_t)out->rsp_valid << 3 |
	                (uint64_t)in->cmd_valid << 4 | (uint64_t)out->cmd_ready << 5;

	r->hash = (r->hash ^ word ^ cycle << 8) * UINT64_C(0x100000001B3);
}

static struct run program(const struct where *w, uint64_t seed)
{
	struct where again = *w;
	struct run r = { 0 };
	struct bench b;

	again.opts.seed = seed;
	bench_open(&b, &again);
	assert_int_equal(rig_hook(b.rig, &(struct rig_hooks){ .arg = &r, .cycle = hash_pins }), 0);
	bench_do(&b, TMA_MBARRIER_INIT, .count = 1);
	for (uint32_t i = 0; i < 20; i++)
		bench_do(&b, TMA_BULK_LOAD, .size = 256, .global_address = BASE + i * 64,
		         .shared_dst = 1024 + i * 256);
	bench_wait_idle(&b);
	r.cycles = rig_cycle(b.rig);
	bench_close(&b);
	return r;
}

TEST(test_same_seed_same_cycles)
{
	const struct where *w = *state;
	struct run one = program(w, 1), again = program(w, 1), other = program(w, 2);

	assert_true(one.hash == again.hash && one.cycles == again.cycles);
	assert_true(!w->opts.stall_percent || one.hash != other.hash);
}

/* A reset in the middle of traffic: nothing of before comes through, the queue works again. */
BENCH_TEST(test_reset)
{
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	const struct rig_queue setup = { .windows = &window, .num_windows = 1 };
	uint32_t n;

	bench_do(b, TMA_MBARRIER_INIT, .count = 1);
	for (uint32_t i = 0; i < 20; i++)
		bench_do(b, TMA_BULK_LOAD, .size = 1024, .global_address = BASE, .shared_dst = 1024);
	rig_run(b->rig, 60);
	rig_reset(b->rig);
	assert_int_equal(rig_waiting(b->rig, 1), 0);
	rig_run(b->rig, 300);
	assert_int_equal(rig_queue_setup(b->rig, 1, &setup), 0);
	bench_do(b, TMA_SIGNAL);
	assert_int_equal(rig_wait_records(b->rig, 1, 1, LIMIT), 0);
	rig_records(b->rig, 1, &n);
	assert_int_equal(n, 1);
}

BENCH_TEST(test_time_out_counts)
{
	b->failures = 1;
	assert_int_equal(rig_wait_records(b->rig, 1, 1, 10), -ETIMEDOUT);
}

/* Responses that nobody asked for, one in each cycle: an assertion of the RTL fails at each, five are counted. */
TEST(test_assertions_count)
{
	struct bench b;

	bench_open(&b, *state);
	assert_int_equal(tma_sim_failed(rig_sim(b.rig)), 0);
	for (uint32_t i = 1; i <= 20; i++) {
		tma_sim_in(rig_sim(b.rig))->axi[0].b_valid = 1;
		rig_step(b.rig);
		assert_in_range(tma_sim_failed(rig_sim(b.rig)), i < 6 ? i - 1 : 5, 5);
	}
	assert_true(rig_failed(b.rig) >= 5);
	rig_close(b.rig);
}

/* A read leaves the pins whose queue may read nothing, as far as the monitor knows: it says so. */
BENCH_TEST(test_the_monitor_watches)
{
	struct axi_monitor *m = b->rig->monitor;

	b->failures = 1;
	assert_int_equal(rig_port_stop(b->rig, 0, RIG_AR, 0), 0);
	bench_do(b, TMA_BULK_PREFETCH, .global_address = BASE, .size = 64);
	rig_run(b->rig, 100);
	/* It believes that the queue has a window for writes alone. */
	axi_monitor_register(m, TMA_REG_QUEUE_CONTROL(1), 0);
	axi_monitor_register(m, TMA_REG_WINDOW_INDEX, 1 << TMA_REG_WINDOW_INDEX_QUEUE_SHIFT);
	axi_monitor_register(m, TMA_REG_WINDOW_ATTR, TMA_REG_WINDOW_ATTR_WRITE_MASK);
	axi_monitor_register(m, TMA_REG_QUEUE_CONTROL(1), TMA_REG_QUEUE_CONTROL_ENABLE_MASK);
	assert_int_equal(rig_failed(b->rig), 0);
	assert_int_equal(rig_port_stop(b->rig, 0, 0, 0), 0);
	bench_wait_idle(b);
}

TEST(test_waveform)
{
	char path[] = "/tmp/rig_test_XXXXXX";
	struct where traced = *(const struct where *)*state;
	int file = mkstemp(path);
	struct stat info;
	struct bench b;

	assert_true(file >= 0);
	traced.opts.fst = path;
	bench_open(&b, &traced);
	bench_close(&b);
	/* The writer replaces the file, so its name counts. */
	assert_int_equal(stat(path, &info), 0);
	close(file);
	unlink(path);
	assert_true(info.st_size > 1000);
	traced.opts.fst = "/nonexistent/waveform.fst";
	assert_null(rig_open(traced.config, &traced.opts));
}

BENCH_TEST(test_wrong_arguments)
{
	static uint8_t page[4096];
	const struct rig_window windows[9] = { { 0 } };
	const struct rig_queue many = { .windows = windows, .num_windows = 9 }, none = { 0 };
	const struct tma_command command = { 0 };

	assert_null(rig_open("none", NULL));
	assert_int_equal(rig_map(b->rig, 9, 0, 4096, page), -EINVAL);
	assert_int_equal(rig_map(b->rig, 0, BASE, 4096, page), -EINVAL);
	assert_int_equal(rig_queue_setup(b->rig, 16, &none), -EINVAL);
	assert_int_equal(rig_queue_setup(b->rig, 0, &many), -EINVAL);
	assert_int_equal(rig_submit(b->rig, 16, &command), -EINVAL);
	assert_int_equal(rig_smem_write(b->rig, 16, 0, page, 1), -EINVAL);
	assert_int_equal(rig_smem_read(b->rig, 0, rig_info(b->rig)->smem_bytes, page, 1), -EINVAL);
	assert_int_equal(rig_smem_poll(b->rig, 0, 4), -EINVAL);
}

int rig_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
