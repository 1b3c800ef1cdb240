/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_faults - one directed program at least per fault code: report, isolation and recovery.
 *
 * Spec: rtl/spec/tma.toml, fault table; the programs are those of fault_cases.h
 * Checks: on both front ends and on engines of three shapes, one FAULT record with sequence, tag, code
 *         and address; the same in the queue's status; another queue goes on; faults in front of issue
 *         move nothing; the queue recovers; no code is left out. Prints the table of codes and tests.
 */
#include "model_fixture.h"

#include <stdbool.h>
#include <stdio.h>

#include "tma_tables.h"
#include "engine/fault_model.h"

#define MAX_CASES 256

static const struct {
	struct fault_shape shape;
	uint32_t data_bytes;
} engines[] = {
	{ { .ctas = 2, .smem_bytes = 16384, .ports = 1, .queues = 2 }, 16 },
	{ { .ctas = 4, .smem_bytes = 65536, .ports = 2, .queues = 8, .reductions = true }, 64 },
	{ { .ctas = 16, .smem_bytes = 4096, .ports = 4, .queues = 16 }, 128 },
};

static void faults(void **state)
{
	const struct fault_case *c = *state;
	bool ran = false;

	for (size_t e = 0; e < ARRAY_SIZE(engines); e++) {
		struct fault_result r = fault_try_model(c, &engines[e].shape, engines[e].data_bytes);

		if (r.trouble)
			fail_msg("engine %zu: %s", e, r.trouble);
		ran |= r.ran;
	}
	assert_true(ran);
}

SUITE(test_model_faults)
{
	static char names[MAX_CASES][96];
	static struct CMUnitTest tests[MAX_CASES];
	const struct fault_case *c;
	size_t n = 0;

	for (; n < MAX_CASES && (c = fault_case(n)); n++) {
		snprintf(names[n], sizeof(names[n]), "%s: %s", tma_fault_info(c->code)->name, c->name);
		tests[n] = (struct CMUnitTest){ .name = names[n],
			                        .test_func = faults,
			                        .initial_state = (void *)(uintptr_t)c };
	}
	return _cmocka_run_group_tests("test_model_faults", tests, n, NULL, NULL);
}

TEST(every_code_has_a_case)
{
	for (uint32_t code = 1; code <= 0xffff; code++) {
		const struct fault_case *c;
		bool found = false;

		for (size_t i = 0; (c = fault_case(i)); i++)
			found |= c->code == code;
		if (found != !!tma_fault_info((uint16_t)code))
			fail_msg("fault 0x%04x: %s", code, found ? "not in the table" : "no test");
	}
}

TEST(cases_are_in_the_order_of_the_codes)
{
	uint16_t before = 0;
	const struct fault_case *c;

	for (size_t i = 0; (c = fault_case(i)); i++) {
		assert_true(c->code >= before);
		before = c->code;
	}
}

/* A check that finds nothing proves nothing: a report with one thing wrong is found out. */
TEST(a_wrong_report_is_found)
{
	const struct fault_case *c = fault_case(4);
	struct fault_program p = fault_build(c, &engines[1].shape, false);
	const struct fault_report good = fault_run_model(&p, 64);
	struct fault_report r;

	assert_null(fault_check(&p, &good));
#define EXPECT_TROUBLE(change)                        \
	do {                                          \
		r = good;                             \
		change;                               \
		assert_non_null(fault_check(&p, &r)); \
	} while (0)
	EXPECT_TROUBLE(r.faulted = false);
	EXPECT_TROUBLE(r.code++);
	EXPECT_TROUBLE(r.address++);
	EXPECT_TROUBLE(r.sequence++);
	EXPECT_TROUBLE(r.tag++);
	EXPECT_TROUBLE(r.count++);
	EXPECT_TROUBLE(r.head++);
	EXPECT_TROUBLE(r.records = 0);
	EXPECT_TROUBLE(r.records = 2);
	EXPECT_TROUBLE(r.record.queue++);
	EXPECT_TROUBLE(r.record.fault++);
	EXPECT_TROUBLE(r.record.value++);
	EXPECT_TROUBLE(r.record.sequence++);
	EXPECT_TROUBLE(r.record.tag++);
	EXPECT_TROUBLE(r.record.address++);
	EXPECT_TROUBLE(r.other = false);
	EXPECT_TROUBLE(r.moved = true);
	EXPECT_TROUBLE(r.recovered = false);
#undef EXPECT_TROUBLE
}

TEST(table)
{
	static struct fault_result results[MAX_CASES];
	const struct fault_case *c;

	for (size_t i = 0; i < MAX_CASES && (c = fault_case(i)); i++)
		results[i] = fault_try_model(c, &engines[1].shape, engines[1].data_bytes);
	fault_print_table(stdout, results, NULL);
}

LIST_SUITE(test_model_fault_table)
