/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_backend - what the library does with back ends of other kinds than its own.
 *
 * Spec: tma_backend.h
 * Checks: tables of other sizes and versions, or with holes; memory that the back end places; an engine that
 *         goes on by itself and has an interrupt; one that another program has left in use; things that are no
 *         engine; functions that a back end does not have; reasons that one gives.
 */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "host_test.h"

#define WHERE UINT64_C(0x20000000) /* memory that a back end places itself */

static int open_table(const struct tma_backend *table, struct tma_options options, struct tma_device **device)
{
	const struct tma_backend *const backends[] = { table, NULL };

	options.size = sizeof(options);
	options.backend = table->name;
	options.backends = backends;
	*device = NULL;
	return tma_open(&options, device);
}

static struct tma_device *open_good(const struct tma_backend *table)
{
	struct tma_device *device;

	assert_int_equal(open_table(table, (struct tma_options){ 0 }, &device), 0);
	return device;
}

static struct tma_backend like_model(void)
{
	struct tma_backend table = tma_backend_model;

	table.name = "other";
	return table;
}

/*
 * Tables.
 */

TEST(test_versions)
{
	struct {
		struct tma_backend table;
		void (*newer)(void);
	} big = { .table = like_model() };
	struct tma_backend table = like_model();
	struct tma_device *device;

	big.table.size = sizeof(big);
	tma_close(open_good(&big.table));
	table.version++;
	assert_int_equal(open_table(&table, (struct tma_options){ 0 }, &device), TMA_EBACKEND);
	table = like_model();
	table.size = offsetof(struct tma_backend, next_record);
	assert_int_equal(open_table(&table, (struct tma_options){ 0 }, &device), TMA_EBACKEND);
	/* One of an older library has not what came later. */
	table.size += sizeof(void *);
	assert_int_equal(open_table(&table, (struct tma_options){ 0 }, &device), 0);
	tma_close(device);
}

TEST(test_holes)
{
	struct tma_backend holes[9];
	struct tma_device *device;

	for (size_t i = 0; i < sizeof(holes) / sizeof(holes[0]); i++)
		holes[i] = like_model();
	holes[0].open = NULL;
	holes[1].close = NULL;
	holes[2].reg_read = NULL;
	holes[3].reg_write = NULL;
	holes[4].memory_alloc = NULL;
	holes[5].memory_free = NULL;
	holes[6].smem_read = NULL;
	holes[7].next_record = NULL;
	holes[8].waiting = NULL;
	for (size_t i = 0; i < sizeof(holes) / sizeof(holes[0]); i++)
		assert_int_equal(open_table(&holes[i], (struct tma_options){ 0 }, &device), TMA_EBACKEND);
}

/* Registers and memory are enough. */
TEST(test_least)
{
	struct tma_backend table = like_model();
	struct tma_device *device;
	struct tma_queue *queue;
	uint32_t word = 0;

	table.smem_read = NULL;
	table.smem_write = NULL;
	table.check = NULL;
	table.submit = NULL;
	table.waiting = NULL;
	table.next_record = NULL;
	device = open_good(&table);
	assert_true(device_info(device).coherent);
	assert_false(device_info(device).clocked);
	assert_true(tma_cycles(device) == 0);
	assert_int_equal(tma_device_check(device), 0);
	assert_int_equal(tma_smem_read(device, 0, &word, 4), TMA_ENOTSUP);
	assert_int_equal(tma_smem_write(device, 0, &word, 4), TMA_ENOTSUP);
	assert_int_equal(tma_queue_open(device, 0, NULL, &queue), TMA_ENOTSUP);
	queue = open_ring(device, 0, 16);
	SUBMIT(queue, tma_signal(&c, 7));
	assert_int_equal(wait_kind(queue, TMA_KIND_SIGNAL).tag, 7);

	/* What a queue waits for is said, though its barrier cannot be read. */
	assert_int_equal(tma_wait_barrier(device, 0, 0, 1), TMA_ENOTSUP);
	assert_non_null(strstr(tma_last_error(), "does not reach shared memory"));
	SUBMIT(queue, tma_mbarrier_init(&c, 0, 1));
	SUBMIT(queue, tma_mbarrier_try_wait_parity(&c, 0, 0, TMA_NO_LIMIT));
	assert_int_equal(tma_sync(queue), TMA_ETIMEDOUT);
	assert_non_null(strstr(tma_last_error(), "which cannot be read"));
	tma_close(device);
}

/*
 * What answers is no engine, or not the one that was asked for.
 */

static uint32_t odd_address, odd_value;

static int odd_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	int error = tma_backend_model.reg_read(engine, address, value);

	if (address == odd_address)
		*value = odd_value;
	return error;
}

static int open_odd(uint32_t address, uint32_t value)
{
	struct tma_backend table = like_model();
	struct tma_device *device;
	int error;

	odd_address = address;
	odd_value = value;
	table.reg_read = odd_reg_read;
	error = open_table(&table, (struct tma_options){ 0 }, &device);
	assert_int_equal(device != NULL, error == 0);
	tma_close(device);
	return error;
}

TEST(test_no_engine)
{
	assert_int_equal(open_odd(TMA_REG_MAGIC, UINT32_MAX), TMA_EDEVICE);
	assert_int_equal(open_odd(TMA_REG_VERSION, (TMA_ABI_MAJOR + 1) << 16), TMA_EVERSION);
	assert_int_equal(open_odd(TMA_REG_CAP(0), UINT32_MAX), TMA_EDEVICE);
	assert_int_equal(open_odd(TMA_REG_CAP(0), 0), TMA_EDEVICE);
	assert_int_equal(open_odd(TMA_REG_CAP(1), UINT32_MAX), TMA_EDEVICE);
	assert_int_equal(open_odd(TMA_REG_CAP(2), 0), TMA_EDEVICE);
	assert_int_equal(open_odd(TMA_REG_VERSION, TMA_REG_VERSION_RESET), 0);
}

static int unnamed_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	struct tma_options small = *options;
	int error;

	small.config = "small";
	error = tma_backend_model.open(&small, about, engine);
	about->config = NULL;
	return error;
}

TEST(test_name_by_shape)
{
	struct tma_backend table = like_model();
	struct tma_device *device;

	table.open = unnamed_open;
	assert_int_equal(open_table(&table, (struct tma_options){ .config = "small" }, &device), 0);
	assert_string_equal(device_info(device).config, "small");
	tma_close(device);
	assert_int_equal(open_table(&table, (struct tma_options){ .config = "default" }, &device),
	                 TMA_ECONFIG);
	table.reg_read = odd_reg_read;
	odd_address = TMA_REG_CAP(1);
	odd_value = 8192;
	device = open_good(&table);
	assert_string_equal(device_info(device).config, "custom");
	tma_close(device);
}

/*
 * Memory of the back end's own: one piece, handed out from its end, so that no buffer lies where the library
 * would have placed it.
 */

#define POOL (UINT64_C(64) * PAGE_BYTES)

struct own {
	void *model;
	uint8_t *pool;
	uint64_t used;
	uint32_t live;
	bool crooked;
};

static struct own own;

static int own_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	int error = tma_backend_model.open(options, about, engine);

	if (error)
		return error;
	about->placed = false;
	about->memory_base = WHERE;
	about->memory_bytes = POOL;
	own = (struct own){ .model = *engine, .pool = aligned_alloc(PAGE_BYTES, POOL) };
	assert_non_null(own.pool);
	memset(own.pool, 0x5A, POOL);
	return 0;
}

static void own_close(void *engine)
{
	assert_int_equal(own.live, 0);
	tma_backend_model.close(engine);
	free(own.pool);
}

static int own_memory_alloc(void *engine, struct tma_backend_memory *memory)
{
	assert_null(memory->host);
	assert_null(memory->handle);
	if (memory->bytes > POOL - own.used)
		return TMA_ENOSPC;
	own.used += memory->bytes;
	own.live++;
	memory->address = WHERE + POOL - own.used;
	memory->host = own.pool + POOL - own.used;
	memory->handle = memory->host;
	assert_int_equal(tma_backend_model.memory_alloc(engine, memory), 0);
	memory->address += own.crooked;
	return 0;
}

static void own_memory_free(void *engine, const struct tma_backend_memory *memory)
{
	struct tma_backend_memory m = *memory;

	m.address -= own.crooked;
	assert_ptr_equal(m.handle, m.host);
	tma_backend_model.memory_free(engine, &m);
	own.live--;
}

TEST(test_own_memory)
{
	struct tma_backend table = like_model();
	struct tma_device *device;
	struct tma_memory *a, *b, *none;
	struct tma_queue *queue;
	uint8_t bytes[256], read[256];

	table.open = own_open;
	table.close = own_close;
	table.memory_alloc = own_memory_alloc;
	table.memory_free = own_memory_free;
	device = open_good(&table);
	queue = open_ring(device, 0, 16);
	a = alloc_memory(device, 5000);
	b = alloc_memory(device, 1);
	assert_true(tma_memory_address(b) == tma_memory_address(a) - PAGE_BYTES);
	assert_int_equal(((uint8_t *)tma_memory_host(a))[4999], 0);
	assert_int_equal(tma_memory_alloc(device, POOL, &none), TMA_ENOSPC);
	/* A queue without windows has all of it, and nothing behind it. */
	fill_pattern(bytes, sizeof(bytes));
	assert_int_equal(tma_copy_in(a, 16, bytes, sizeof(bytes)), 0);
	init_barrier(queue, 0, 1);
	expect_bytes(queue, 0, sizeof(bytes));
	SUBMIT(queue, tma_cp_async_bulk_load(&c, 1024, tma_memory_address(a) + 16, sizeof(bytes), 0));
	wait_phase(queue, 0, 0);
	assert_int_equal(tma_smem_read(device, 1024, read, sizeof(read)), 0);
	assert_memory_equal(read, bytes, sizeof(bytes));
	{
		struct tma_command beyond;

		tma_cp_async_bulk_load(&beyond, 1024, WHERE + POOL, 16, 0);
		expect_fault(queue, &beyond, TMA_FAULT_WINDOW_READ);
	}
	tma_memory_free(a);
	own.crooked = true;
	assert_int_equal(tma_memory_alloc(device, 1, &none), TMA_EDEVICE);
	own.crooked = false;
	assert_int_equal(own.live, 2); /* b, the rings */
	tma_close(device);
}

/*
 * An engine that goes on while the host sleeps, and wakes it.
 */

static struct {
	uint32_t sleeps, empty;
} bell;

static bool pending(void *engine)
{
	uint32_t raised = 0, enabled = 0;

	for (uint32_t q = 0; q < 8; q++) {
		tma_backend_model.reg_read(engine, TMA_REG_DOOR_INTERRUPT_PENDING(q), &raised);
		tma_backend_model.reg_read(engine, TMA_REG_DOOR_INTERRUPT_ENABLE(q), &enabled);
		if (raised & enabled)
			return true;
	}
	return false;
}

static int bell_interrupt(void *engine, uint32_t microseconds)
{
	assert_true(microseconds > 0);
	bell.sleeps++;
	tma_backend_model.advance(engine);
	bell.empty += !pending(engine);
	return pending(engine);
}

TEST(test_interrupt)
{
	struct tma_backend table = like_model();
	struct tma_device *device;
	struct tma_queue *queue;
	struct tma_record record;

	memset(&bell, 0, sizeof(bell));
	table.interrupt = bell_interrupt;
	table.advance = NULL;
	device = open_good(&table);
	queue = open_ring(device, 3, 16);
	for (uint32_t i = 0; i < 40; i++) {
		SUBMIT(queue, tma_signal(&c, i));
		assert_int_equal(wait_kind(queue, TMA_KIND_SIGNAL).tag, i);
	}
	assert_int_equal(bell.sleeps, 40); /* one for each: what was pending did not stay so */
	assert_int_equal(bell.empty, 0);
	assert_int_equal(tma_wait(queue, &record, 5), TMA_ETIMEDOUT);
	assert_int_equal(bell.sleeps, 45);
	assert_int_equal(bell.empty, 5);
	tma_close(device);
}

/*
 * An engine that lives longer than programs.
 */

static void *survivor;

static int survivor_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	void *kept = survivor;
	int error = tma_backend_model.open(options, about, engine);

	assert_int_equal(error, 0);
	about->placed = false;
	if (kept) {
		tma_backend_model.close(*engine);
		*engine = kept;
	}
	survivor = *engine;
	return 0;
}

static void survivor_close(void *engine)
{
	(void)engine;
}

TEST(test_left_in_use)
{
	struct tma_backend table = like_model();
	struct tma_device *device;
	uint32_t control = 0, ports = 0;

	survivor = NULL;
	table.open = survivor_open;
	table.close = survivor_close;
	tma_close(open_good(&table));
	/* As a program that was killed would leave it. */
	assert_int_equal(table.reg_write(survivor, TMA_REG_MULTIMEM_INDEX, 1), 0);
	assert_int_equal(table.reg_write(survivor, TMA_REG_MULTIMEM_PORTS, 1), 0);
	assert_int_equal(table.reg_write(survivor, TMA_REG_WINDOW_INDEX, 2 << 8), 0);
	assert_int_equal(table.reg_write(survivor, TMA_REG_WINDOW_ATTR, TMA_ALLOW_MULTIMEM), 0);
	assert_int_equal(table.reg_write(survivor, TMA_REG_QUEUE_CONTROL(2), 1), 0);
	device = open_good(&table);
	assert_int_equal(table.reg_read(survivor, TMA_REG_QUEUE_CONTROL(2), &control), 0);
	assert_int_equal(control, 0);
	assert_int_equal(table.reg_write(survivor, TMA_REG_MULTIMEM_INDEX, 1), 0);
	assert_int_equal(table.reg_read(survivor, TMA_REG_MULTIMEM_PORTS, &ports), 0);
	assert_int_equal(ports, 0);
	tma_close(device);
	tma_backend_model.close(survivor);
}

/*
 * A back end that says why.
 */

static struct {
	void (*because)(const char *why);
	const char *open, *alloc, *check; /* NULL: it succeeds, or has no reason */
	int error;
} teller;

static int tell(const char *why)
{
	if (why)
		teller.because(why);
	return teller.error;
}

static int telling_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	assert_true(about->size == sizeof(*about));
	teller.because = about->because;
	return teller.open ? tell(teller.open) : tma_backend_model.open(options, about, engine);
}

static int telling_alloc(void *engine, struct tma_backend_memory *memory)
{
	int error = tell(teller.alloc);

	return error ? error : tma_backend_model.memory_alloc(engine, memory);
}

static int telling_check(const void *engine)
{
	(void)engine;
	return tell(teller.check);
}

TEST(test_reasons)
{
	struct tma_backend table = like_model();
	struct tma_device *device;
	struct tma_memory *memory;

	table.open = telling_open;
	table.memory_alloc = telling_alloc;
	table.check = telling_check;
	teller.open = "the cable is loose: 100 % of it";
	teller.error = TMA_EDEVICE;
	assert_int_equal(open_table(&table, (struct tma_options){ 0 }, &device), TMA_EDEVICE);
	assert_string_equal(tma_last_error(), "tma_open: the cable is loose: 100 % of it");
	teller.open = NULL;
	device = open_good(&table);
	teller.alloc = "no room";
	teller.error = TMA_ENOSPC;
	assert_int_equal(tma_memory_alloc(device, 1, &memory), TMA_ENOSPC);
	assert_string_equal(tma_last_error(), "tma_memory_alloc: no room");
	/* Of a call that succeeds it is forgotten, and an error without a reason is told as ever. */
	teller.check = "all is well";
	teller.alloc = NULL;
	teller.error = 0;
	assert_int_equal(tma_device_check(device), 0);
	assert_string_equal(tma_last_error(), "tma_memory_alloc: no room");
	teller.error = TMA_ENOMEM;
	assert_int_equal(tma_memory_alloc(device, 1, &memory), TMA_ENOMEM);
	assert_string_equal(tma_last_error(), "tma_memory_alloc: the host is out of memory");
	teller.check = "smoke";
	teller.error = TMA_EDEVICE;
	assert_int_equal(tma_device_check(device), TMA_EDEVICE);
	assert_string_equal(tma_last_error(), "tma_device_check: smoke");
	teller.error = 0;
	tma_close(device);
}

int run_backend_tests(void)
{
	return run_file_tests("backend");
}
