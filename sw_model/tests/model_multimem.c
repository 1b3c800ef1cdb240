/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_multimem - multimem windows, the copy to all of their ports and the reduction on each of them.
 *
 * Spec: semantics 1.7, 1.19; architecture 2; fault codes 0x82, 0x83, 0x92 to 0x94
 * Checks: the bytes on every port and nothing else; which window counts; the queue's windows come
 *         first; what one port refuses the others get, the lowest is reported, and nothing follows
 *         but behind a dead port.
 */
#include "model_cases.h"

#define PORTS   4u
#define PAGES   8u
#define BYTES   (PAGES * PAGE)
#define AREA    UINT64_C(0x123400000000)             /* of multimem addresses */
#define BASE(p) (UINT64_C(0x1000000000) * ((p) + 1)) /* where port p's memory is */

/* Four ports of eight pages each; queue 0 may use the multimem addresses alone. */
struct area {
	struct tma_model *m;
	uint8_t memory[PORTS][BYTES];
	uint8_t expected[PORTS][BYTES];
	struct tma_queue_config queue;
};

static struct tma_multimem whole(uint32_t ports)
{
	return (struct tma_multimem){ AREA, AREA + BYTES - 1, ports, { BASE(0), BASE(1), BASE(2), BASE(3) } };
}

static void set_window(struct area *a, uint32_t index, uint64_t base, uint64_t limit, uint32_t attr)
{
	a->queue.enable = 0;
	assert_int_equal(tma_model_queue(a->m, 0, &a->queue), 0);
	assert_int_equal(tma_model_window(a->m, 0, index, &(struct tma_window){ base, limit, attr }), 0);
}

static void set_multimem(struct area *a, uint32_t index, struct tma_multimem w)
{
	a->queue.enable = 0;
	assert_int_equal(tma_model_queue(a->m, 0, &a->queue), 0);
	assert_int_equal(tma_model_multimem(a->m, index, &w), 0);
}

static struct area *area_new(uint32_t ports)
{
	static const struct tma_model_config config = {
		.ctas = 1, .smem_bytes = 16384, .ports = PORTS, .reductions = TMA_MODEL_REDUCE
	};
	struct area *a = test_calloc(1, sizeof(*a));

	a->m = tma_model_new(&config);
	assert_non_null(a->m);
	a->queue.cta_mask = 1;
	for (uint32_t p = 0; p < PORTS; p++) {
		memset(a->memory[p], 0x10 + (int)p, BYTES);
		assert_int_equal(tma_model_map(a->m, p, BASE(p), BYTES, a->memory[p]), 0);
	}
	for (uint32_t i = 0; i < 16384; i++)
		tma_model_smem(a->m, 0)[i] = (uint8_t)(i ^ i >> 8);
	memcpy(a->expected, a->memory, sizeof(a->memory));
	set_window(a, 0, AREA, AREA + BYTES - 1, TMA_WINDOW_MULTIMEM);
	set_multimem(a, 0, whole(ports));
	return a;
}

static void area_free(struct area *a)
{
	tma_model_free(a->m);
	test_free(a);
}

#define AREA_TEST(name, ports) TEST_WITH(name, struct area *a, area_new(ports), area_free)

static void expect_stored_at(struct area *a, uint32_t ports, uint32_t at, uint32_t src, uint32_t size)
{
	for (uint32_t p = 0; p < PORTS; p++)
		if (ports >> p & 1)
			memcpy(a->expected[p] + at, tma_model_smem(a->m, 0) + src, size);
}

static struct tma_command multimem_store(uint64_t dst, uint32_t src, uint32_t size)
{
	struct tma_command c = store(dst, src, size);

	c.opcode = TMA_MULTIMEM_BULK_STORE;
	return c;
}

static struct tma_queue_status run(struct area *a, struct tma_command c)
{
	a->queue.enable = 1;
	assert_int_equal(tma_model_queue(a->m, 0, &a->queue), 0);
	assert_int_equal(tma_model_submit(a->m, 0, &c), 0);
	assert_int_equal(tma_model_run(a->m), 1);
	return model_status(a->m, 0);
}

/* Then all memory is as expected. */
static void expect_end(struct area *a, struct tma_command c, uint16_t fault, uint64_t address)
{
	struct tma_queue_status s = run(a, c);

	assert_int_equal(s.fault, fault);
	assert_int_equal(s.fault_address, address);
	assert_int_equal(s.next_sequence, 1);
	for (uint32_t p = 0; p < PORTS; p++)
		assert_memory_equal(a->memory[p], a->expected[p], BYTES);
}

TEST(every_mask)
{
	for (uint32_t ports = 1; ports < 16; ports++) {
		struct area *a = area_new(ports);

		expect_stored_at(a, ports, 0xff0, 0x40, 0x2020);
		expect_end(a, multimem_store(AREA + 0xff0, 0x40, 0x2020), 0, 0);
		area_free(a);
	}
}

AREA_TEST(byte_masks, 0x9)
{
	struct tma_command c = multimem_store(AREA + 0xff0, 0x40, 48);

	c.flags = TMA_FLAG_CP_MASK;
	c.byte_mask = 0x8101;
	for (uint32_t p = 0; p < PORTS; p += 3)
		for (uint32_t i = 0; i < 48; i++)
			if (0x8101 >> i % 16 & 1)
				a->expected[p][0xff0 + i] = tma_model_smem(a->m, 0)[0x40 + i];
	expect_end(a, c, 0, 0);
}

AREA_TEST(no_bytes_and_groups, 0xf)
{
	struct tma_queue_status s = run(a, multimem_store(0x40, 0x40, 0));

	assert_int_equal(s.faulted, 0);
	assert_int_equal(s.open_stores, 0);
	s = run(a, multimem_store(AREA, 0x40, 16));
	assert_int_equal(s.open_stores, 1);
	s = run(a, command(TMA_BULK_COMMIT_GROUP));
	assert_int_equal(s.open_stores, 0);
	assert_int_equal(s.groups, 1);
}

static struct tma_command multimem_add(uint64_t dst, uint32_t src, uint32_t size)
{
	struct tma_command c = store(dst, src, size);

	c.opcode = TMA_MULTIMEM_BULK_REDUCE;
	c.op = TMA_REDUCE_ADD;
	c.type = TMA_TYPE_U32;
	return c;
}

static void expect_added_at(struct area *a, uint32_t ports, uint32_t at, uint32_t src, uint32_t size)
{
	for (uint32_t p = 0; p < PORTS; p++)
		for (uint32_t i = 0; (ports >> p & 1) && i < size; i += 4) {
			uint32_t sum, more;

			memcpy(&sum, a->expected[p] + at + i, 4);
			memcpy(&more, tma_model_smem(a->m, 0) + src + i, 4);
			sum += more;
			memcpy(a->expected[p] + at + i, &sum, 4);
		}
}

/* Ports that hold different words. */
AREA_TEST(a_reduction_on_each_port, 0xd)
{
	expect_added_at(a, 0xd, 0xfe0, 0x40, 96);
	expect_end(a, multimem_add(AREA + 0xfe0, 0x40, 96), 0, 0);
}

/* Page 1 of port 2 cannot be read: it stays as it was, the others are updated, and nothing follows. */
AREA_TEST(a_reduction_that_cannot_read, 0xf)
{
	assert_int_equal(tma_model_map_error(a->m, 2, BASE(2) + PAGE, PAGE, 2, 0), 0);
	expect_added_at(a, 0xf, PAGE - 32, 0x40, 32);
	expect_added_at(a, 0xb, PAGE, 0x60, 1024);
	expect_end(a, multimem_add(AREA + PAGE - 32, 0x40, 2080), TMA_FAULT_READ_SLVERR, AREA + PAGE);
}

/* On one port as well its bursts have 16 beats. */
AREA_TEST(a_reduction_on_one_port, 0x4)
{
	assert_int_equal(tma_model_map_error(a->m, 2, BASE(2) + 0x9f0, 16, 0, 3), 0);
	expect_added_at(a, 0x4, 0x7e0, 0x40, 32);
	expect_end(a, multimem_add(AREA + 0x7e0, 0x40, 2080), TMA_FAULT_WRITE_DECERR, AREA + 0x800);
}

/* Windows 0 and 1 both hold page 1; page 2 is in window 1 alone, with other ports and bases. */
AREA_TEST(the_lowest_window_counts, 0x1)
{
	struct tma_multimem first = { AREA, AREA + 2 * PAGE - 1, 0x1, { BASE(0) } };
	struct tma_multimem second = {
		AREA + PAGE, AREA + 3 * PAGE - 1, 0x6, { 0, BASE(1), BASE(2) + PAGE }
	};

	set_multimem(a, 0, first);
	set_multimem(a, 1, second);
	expect_stored_at(a, 0x1, PAGE + 0xf00, 0x100, 0x100);
	expect_stored_at(a, 0x2, PAGE, 0x200, 0x40);
	expect_stored_at(a, 0x4, 2 * PAGE, 0x200, 0x40);
	expect_end(a, multimem_store(AREA + PAGE + 0xf00, 0x100, 0x140), 0, 0);
}

/* A window without ports, ports that do not exist included, is no window. */
AREA_TEST(a_closed_window_is_none, 0xf)
{
	set_multimem(a, 0, whole(0xfffffff0));
	set_multimem(a, 1, whole(0x2));
	expect_stored_at(a, 0x2, 0, 0x40, 16);
	expect_end(a, multimem_store(AREA, 0x40, 16), 0, 0);
}

AREA_TEST(a_window_without_ports_is_none, 0)
{
	expect_end(a, multimem_store(AREA, 0x40, 16), TMA_FAULT_MULTIMEM_UNMAPPED, AREA);
}

AREA_TEST(the_queues_windows_come_first, 0xf)
{
	set_window(a, 0, AREA, AREA + BYTES - 1, TMA_WINDOW_READ | TMA_WINDOW_WRITE);
	set_multimem(a, 0, whole(0));
	expect_end(a, multimem_store(AREA + 32, 0x40, 16), TMA_FAULT_WINDOW_MULTIMEM, AREA + 32);
}

AREA_TEST(the_queues_windows_end_a_copy, 0xf)
{
	set_window(a, 0, AREA, AREA + PAGE - 1, TMA_WINDOW_MULTIMEM);
	expect_stored_at(a, 0xf, PAGE - 32, 0x40, 32);
	expect_end(a, multimem_store(AREA + PAGE - 32, 0x40, 64), TMA_FAULT_WINDOW_MULTIMEM, AREA + PAGE);
}

/* A plain store does not know of multimem windows. */
AREA_TEST(a_plain_store_has_no_window, 0xf)
{
	expect_end(a, store(AREA, 0x40, 16), TMA_FAULT_WINDOW_WRITE, AREA);
}

AREA_TEST(a_plain_store_is_not_translated, 0xf)
{
	set_window(a, 1, AREA, AREA + BYTES - 1, TMA_WINDOW_WRITE);
	expect_end(a, store(AREA, 0x40, 16), TMA_FAULT_WRITE_DECERR, AREA);
}

struct port_case {
	const char *name;
	uint32_t dead;          /* ports */
	uint32_t slverr;        /* ports whose page 1 answers so */
	uint32_t decerr;        /* the same */
	uint32_t first, second; /* ports that get the page before and page 1 */
	uint16_t fault;
	uint32_t address; /* in the area */
};

static const struct port_case port_cases[] = {
	{ "all is well", 0, 0, 0, 0xf, 0xf, 0, 0 },
	{ "one port fails", 0, 0x4, 0, 0xf, 0xb, TMA_FAULT_WRITE_SLVERR, PAGE },
	{ "of two ports the lowest counts, SLVERR", 0, 0x2, 0x8, 0xf, 0x5, TMA_FAULT_WRITE_SLVERR, PAGE },
	{ "of two ports the lowest counts, DECERR", 0, 0x8, 0x2, 0xf, 0x5, TMA_FAULT_WRITE_DECERR, PAGE },
	{ "a dead port, the others go on", 0x2, 0, 0, 0xd, 0xd, TMA_FAULT_PORT_DEAD, PAGE - 32 },
	{ "all ports dead", 0xf, 0, 0, 0, 0, TMA_FAULT_PORT_DEAD, PAGE - 32 },
	{ "an error behind a dead port's burst", 0x8, 0x1, 0, 0x7, 0x6, TMA_FAULT_PORT_DEAD, PAGE - 32 },
};

/* 96 bytes: 32 in page 0, 64 in page 1. */
static void ports_that_fail(void **state)
{
	const struct port_case *c = *state;
	struct area *a = area_new(0xf);

	for (uint32_t p = 0; p < PORTS; p++) {
		if (c->dead >> p & 1)
			assert_int_equal(tma_model_kill_port(a->m, p), 0);
		if (c->slverr >> p & 1)
			assert_int_equal(tma_model_map_error(a->m, p, BASE(p) + PAGE, 16, 0, 2), 0);
		if (c->decerr >> p & 1)
			assert_int_equal(tma_model_map_error(a->m, p, BASE(p) + PAGE, 16, 0, 3), 0);
	}
	expect_stored_at(a, c->first, PAGE - 32, 0x40, 32);
	expect_stored_at(a, c->second, PAGE, 0x60, 64);
	expect_end(a, multimem_store(AREA + PAGE - 32, 0x40, 96), c->fault, c->fault ? AREA + c->address : 0);
	area_free(a);
}

TABLE_SUITE(test_model_multimem_ports, port_cases, ports_that_fail)

/* Three pages: an error in the second, at the first of its bursts, is the end, also behind a dead port. */
AREA_TEST(nothing_follows_an_error, 0x7)
{
	assert_int_equal(tma_model_kill_port(a->m, 0), 0);
	assert_int_equal(tma_model_map_error(a->m, 2, BASE(2) + PAGE, PAGE, 0, 2), 0);
	expect_stored_at(a, 0x6, 0xff0, 0x40, 16);
	expect_stored_at(a, 0x2, PAGE, 0x50, 16 * 64);
	expect_end(a, multimem_store(AREA + 0xff0, 0x40, PAGE + 32), TMA_FAULT_PORT_DEAD, AREA + 0xff0);
}

/* The window ends behind a dead port's burst: the first fault counts. */
AREA_TEST(a_later_denial_is_not_reported, 0x3)
{
	assert_int_equal(tma_model_kill_port(a->m, 1), 0);
	set_window(a, 0, AREA, AREA + PAGE - 1, TMA_WINDOW_MULTIMEM);
	expect_stored_at(a, 0x1, 0xff0, 0x40, 16);
	expect_end(a, multimem_store(AREA + 0xff0, 0x40, 32), TMA_FAULT_PORT_DEAD, AREA + 0xff0);
}

AREA_TEST(an_unmapped_backing_is_decerr, 0x3)
{
	struct tma_multimem w = whole(0x3);

	w.port_base[1] += BYTES - PAGE;
	set_multimem(a, 0, w);
	expect_stored_at(a, 0x1, PAGE - 16, 0x40, 32);
	memcpy(a->expected[1] + BYTES - 16, tma_model_smem(a->m, 0) + 0x40, 16);
	expect_end(a, multimem_store(AREA + PAGE - 16, 0x40, 32), TMA_FAULT_WRITE_DECERR, AREA + PAGE);
}

AREA_TEST(set_up_is_checked, 0xf)
{
	struct tma_multimem w = whole(0xf);
	struct tma_multimem closed = { 5, 1, 0, { 7 } };

	assert_int_equal(tma_model_multimem(NULL, 0, &w), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_multimem(a->m, 2, &w), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_multimem(a->m, 0, NULL), TMA_MODEL_EINVAL);
	w.base += 16;
	assert_int_equal(tma_model_multimem(a->m, 0, &w), TMA_MODEL_EINVAL);
	w = whole(0xf);
	w.limit--;
	assert_int_equal(tma_model_multimem(a->m, 0, &w), TMA_MODEL_EINVAL);
	w = whole(0xf);
	w.limit = AREA - 1;
	assert_int_equal(tma_model_multimem(a->m, 0, &w), TMA_MODEL_EINVAL);
	w = whole(0xf);
	w.port_base[3] += 64;
	assert_int_equal(tma_model_multimem(a->m, 0, &w), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_multimem(a->m, 0, &closed), 0);
}

/* Locked while an enabled queue could use it, and only then. */
AREA_TEST(a_window_in_use_is_locked, 0xf)
{
	struct tma_multimem w = whole(0x1);

	assert_int_equal(tma_model_queue(a->m, 1, &(struct tma_queue_config){ .enable = 1 }), 0);
	assert_int_equal(tma_model_multimem(a->m, 0, &w), 0);
	a->queue.enable = 1;
	assert_int_equal(tma_model_queue(a->m, 0, &a->queue), 0);
	assert_int_equal(tma_model_multimem(a->m, 1, &w), TMA_MODEL_EBUSY);
	a->queue.enable = 0;
	assert_int_equal(tma_model_queue(a->m, 0, &a->queue), 0);
	assert_int_equal(tma_model_multimem(a->m, 1, &w), 0);
}

LIST_SUITE(test_model_multimem)
