/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_reduce - programs with reductions, on engines that have them.
 *
 * Spec: PTX ISA cp.reduce.async.bulk; docs/reductions.md
 * Checks: who has reductions and says so; a histogram and a sum over all CTAs, every word of them; BEHAVIOUR.f32_ftz;
 *         the fault of an engine without; every pair of operator and type, and what changes nothing of each.
 */
#include <string.h>

#include "host_test.h"

#define WORDS   64u
#define BYTES   (WORDS * 4)
#define SRC     tma_shared(0, 1024)
#define REPEATS 5u

static int open_with(const char *backend, struct tma_device **device)
{
	const struct tma_options options = {
		.size = sizeof(options), .backend = backend, .backends = host_backends(), .reductions = true
	};

	*device = NULL;
	return tma_open(&options, device);
}

/* On the model and on the RTL, every configuration of which has reductions. */
static void on_each(void (*test)(struct tma_device *device))
{
	struct tma_device *device;

	assert_int_equal(open_with("model", &device), 0);
	test(device);
	tma_close(device);
#ifdef HOST_TEST_RTL
	assert_int_equal(open_with("rtl", &device), 0);
	test(device);
	tma_close(device);
#endif
}

static void says_so(struct tma_device *device)
{
	assert_true(device_info(device).reductions);
}

TEST(who_has_them)
{
	struct tma_device *device;

	on_each(says_so);
	assert_int_equal(open_with("model", &device), 0);
	assert_true(device_info(device).floats && device_info(device).f64);
	tma_close(device);
	assert_int_equal(tma_open(NULL, &device), 0);
	assert_false(device_info(device).reductions || device_info(device).floats || device_info(device).f64);
	tma_close(device);
	assert_int_equal(open_with("older", &device), TMA_ENOTSUP);
	assert_null(device);
}

/* Counters that wrap at a limit of their own: inc by each element's limit. */
static void histogram_on(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_memory *memory = alloc_memory(device, BYTES);
	uint32_t limits[WORDS], *counts = tma_memory_host(memory);

	memset(counts, 0, BYTES);
	for (uint32_t i = 0; i < WORDS; i++)
		limits[i] = i % 8;
	assert_int_equal(tma_memory_to_device(memory, 0, BYTES), 0);
	assert_int_equal(tma_smem_write(device, SRC, limits, BYTES), 0);
	for (uint32_t n = 0; n < REPEATS; n++)
		SUBMIT(queue, tma_cp_reduce_async_bulk(&c, TMA_REDUCE_INC, TMA_TYPE_U32,
		                                       tma_memory_address(memory), SRC, BYTES));
	wait_stores(queue);
	assert_int_equal(tma_memory_from_device(memory, 0, BYTES), 0);
	for (uint32_t i = 0; i < WORDS; i++)
		assert_int_equal(counts[i], REPEATS % (i % 8 + 1));
}

TEST(histogram)
{
	on_each(histogram_on);
}

/* What every CTA holds is added up in CTA 0, whose barrier hears of all bytes. */
static void sum_of_all_ctas_on(struct tma_device *device)
{
	struct tma_queue *first = open_queue(device, 0, 0);
	uint32_t ctas = device_info(device).ctas, mbar = tma_shared(0, 0), values[WORDS];

	for (uint32_t cta = 0; cta < ctas; cta++) {
		for (uint32_t i = 0; i < WORDS; i++)
			values[i] = 0xffffff00u * cta + i;
		assert_int_equal(tma_smem_write(device, tma_shared(cta, 1024), values, BYTES), 0);
	}
	init_barrier(first, mbar, 1);
	expect_bytes(first, mbar, (ctas - 1) * BYTES);
	for (uint32_t cta = 1; cta < ctas; cta++) {
		struct tma_queue *queue = open_queue(device, cta, cta);

		SUBMIT(queue, tma_cp_reduce_async_bulk_shared(&c, TMA_REDUCE_ADD, TMA_TYPE_U32, SRC,
		                                              tma_shared(cta, 1024), BYTES, mbar));
	}
	wait_phase(first, mbar, 0);
	assert_int_equal(tma_smem_read(device, SRC, values, BYTES), 0);
	for (uint32_t i = 0; i < WORDS; i++)
		assert_int_equal(values[i], 0xffffff00u * (ctas * (ctas - 1) / 2) + ctas * i);
}

TEST(sum_of_all_ctas)
{
	on_each(sum_of_all_ctas_on);
}

/* Two subnormal numbers; two numbers whose sum is one; the same of f16, which never flush. */
static void subnormal_on(struct tma_device *device)
{
	static const uint32_t old[] = { 0x00000001, 0x00800000, 0x3f800000, 0x00010001 };
	static const uint32_t new[] = { 0x80000003, 0x80c00000, 0x00000001, 0x00020003 };
	static const uint32_t kept[] = { 0x80000002, 0x80400000, 0x3f800000, 0x00030004 };
	static const uint32_t flushed[] = { 0x00000000, 0x80000000, 0x3f800000, 0x00000000 };
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_memory *memory = alloc_memory(device, BYTES);
	uint32_t *sums = tma_memory_host(memory);

	assert_int_equal(tma_smem_write(device, SRC, new, sizeof(new)), 0);
	for (uint32_t flush = 0; flush < 2; flush++) {
		assert_int_equal(tma_set_behaviour(device, flush ? TMA_REG_BEHAVIOUR_F32_FTZ_MASK : 0), 0);
		for (uint32_t half = 0; half < 2; half++) {
			memcpy(sums, old, sizeof(old));
			assert_int_equal(tma_memory_to_device(memory, 0, sizeof(old)), 0);
			SUBMIT(queue, tma_cp_reduce_async_bulk(&c, TMA_REDUCE_ADD,
			                                       half ? TMA_TYPE_F16 : TMA_TYPE_F32,
			                                       tma_memory_address(memory), SRC, sizeof(new)));
			wait_stores(queue);
			assert_int_equal(tma_memory_from_device(memory, 0, sizeof(old)), 0);
			if (half)
				assert_int_equal(sums[3], kept[3]);
			else
				assert_memory_equal(sums, flush ? flushed : kept, sizeof(old));
		}
	}
}

TEST(subnormal)
{
	on_each(subnormal_on);
}

TEST(an_engine_without)
{
	struct tma_device *device = NULL;
	struct tma_queue *queue;
	struct tma_command c;

	assert_int_equal(tma_open(NULL, &device), 0);
	queue = open_queue(device, 0, 0);
	tma_cp_reduce_async_bulk(&c, TMA_REDUCE_ADD, TMA_TYPE_U32, 0, SRC, 16);
	expect_fault(queue, &c, TMA_FAULT_UNKNOWN_OPCODE);
	tma_close(device);
}

static void a_pair_that_does_not_exist_on(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_record record;
	struct tma_command c;
	char text[256];

	tma_cp_reduce_async_bulk(&c, TMA_REDUCE_XOR, TMA_TYPE_F32, 0, SRC, 16);
	record = expect_fault(queue, &c, TMA_FAULT_REDUCE_OP);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "BULK_REDUCE"));
	assert_non_null(strstr(text, "operator = xor, type = f32"));
}

TEST(a_pair_that_does_not_exist)
{
	on_each(a_pair_that_does_not_exist_on);
}

/* Does the engine take the pair? A reduction that it takes ends, and any other one faults. */
static bool engine_takes(struct tma_queue *queue, const struct tma_command *command)
{
	const uint32_t sequence = (uint32_t)tma_submit(queue, command);
	struct tma_record record;

	SUBMIT(queue, tma_signal(&c, sequence));
	if (tma_wait(queue, &record, LIMIT) == 0) {
		assert_int_equal(record.kind, TMA_KIND_SIGNAL);
		return true;
	}
	assert_int_equal(record.fault, TMA_FAULT_REDUCE_OP);
	assert_int_equal(tma_resume(queue, sequence + 1), 0);
	wait_kind(queue, TMA_KIND_SIGNAL);
	return false;
}

static void every_pair_on(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_memory *memory = alloc_memory(device, 16);
	uint32_t mbar = tma_shared(0, 0), taken = 0;
	struct tma_command c;

	init_barrier(queue, mbar, 1);
	for (uint32_t i = 0; i < 8 * 16 * 2; i++) {
		const enum tma_reduce op = (enum tma_reduce)(i % 8);
		const enum tma_type type = (enum tma_type)(i / 8 % 16);
		const bool shared = i >= 8 * 16, lacks = type == TMA_TYPE_F64 && !device_info(device).f64;

		if (shared)
			tma_cp_reduce_async_bulk_shared(&c, op, type, SRC, SRC, 16, mbar);
		else
			tma_cp_reduce_async_bulk(&c, op, type, tma_memory_address(memory), SRC, 16);
		if (engine_takes(queue, &c) != (tma_reduce_takes(op, type, shared) && !lacks))
			fail_msg("operator %u, type %u, %s", op, type, shared ? "shared" : "global");
		taken += tma_reduce_takes(op, type, shared);
	}
	assert_int_equal(taken, 27 + 12);
}

TEST(every_pair)
{
	on_each(every_pair_on);
}

/* Any bits, and of each eight a zero of either sign, which is the lowest signed number as well, and the highest numbers,
 * signed and unsigned. Of floating point among them subnormal numbers, infinities, and of NaNs the one that sums come
 * to: another one would not stay as it is. */
static uint64_t some_number(enum tma_type type, uint32_t i)
{
	static const uint32_t fraction[] = {
		[TMA_TYPE_F16] = 10, [TMA_TYPE_BF16] = 7, [TMA_TYPE_F32] = 23, [TMA_TYPE_F64] = 52
	};
	const bool is_float = type >= TMA_TYPE_F16 && type <= TMA_TYPE_F64;
	const uint64_t sign = UINT64_C(1) << (8 * tma_reduce_bytes(type) - 1);
	uint64_t x = (i + 1) * UINT64_C(0x9E3779B97F4A7C15), exponent;

	if (i % 8 == 0)
		return i % 16 ? sign : 0;
	if (i % 8 == 2)
		return sign - 1;
	if (!is_float)
		return i % 8 == 1 ? UINT64_MAX : x;
	exponent = sign - (UINT64_C(1) << fraction[type]);
	if (i % 8 == 1)
		return x & ~exponent;
	return i % 8 == 3 || (x & exponent) == exponent ? exponent | (x & sign) : x;
}

static void neutral_on(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_memory *memory = alloc_memory(device, BYTES);
	uint8_t before[BYTES], fill[BYTES], *after = tma_memory_host(memory);
	uint32_t with = 0;

	for (uint32_t i = 0; i < 8 * 16; i++) {
		const enum tma_reduce op = (enum tma_reduce)(i % 8);
		const enum tma_type type = (enum tma_type)(i / 8);
		const uint32_t width = tma_reduce_bytes(type);
		uint64_t element = 0xAB, number;

		if (!tma_reduce_neutral(op, type, &element)) {
			assert_int_equal(element, 0xAB);
			assert_true(!tma_reduce_takes(op, type, false) || op == TMA_REDUCE_INC ||
			            op == TMA_REDUCE_DEC);
			continue;
		}
		with++;
		if (type == TMA_TYPE_F64 && !device_info(device).f64)
			continue;
		for (uint32_t at = 0; at < BYTES; at += width) {
			number = some_number(type, at / width);
			memcpy(before + at, &number, width);
			memcpy(fill + at, &element, width);
		}
		memcpy(after, before, BYTES);
		assert_int_equal(tma_memory_to_device(memory, 0, BYTES), 0);
		assert_int_equal(tma_smem_write(device, SRC, fill, BYTES), 0);
		SUBMIT(queue, tma_cp_reduce_async_bulk(&c, op, type, tma_memory_address(memory), SRC, BYTES));
		wait_stores(queue);
		assert_int_equal(tma_memory_from_device(memory, 0, BYTES), 0);
		assert_memory_equal(after, before, BYTES);
	}
	assert_int_equal(with, 25);
	assert_false(tma_reduce_neutral(TMA_REDUCE_ADD, TMA_TYPE_U32, NULL));
}

TEST(neutral)
{
	on_each(neutral_on);
}

int run_reduce_tests(void)
{
	return run_file_tests("reductions");
}
