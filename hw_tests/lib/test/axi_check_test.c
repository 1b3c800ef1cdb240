/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axi_check_test - the protocol checker catches each thing that it promises to catch.
 *
 * Every case plays a legal prelude and then one violation; the checker has to count exactly one
 * error and name it. The clean cases have to pass without any.
 */
#include <stdio.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/test/axi_check_port.h"

static void test_violation(void **state)
{
	const struct violation *v = *state;
	struct port p;

	port_open(&p);
	v->play(&p);
	if (!strstr(axi_check_last(p.check), v->says))
		fail_msg("expected \"%s\", got \"%s\"", v->says, axi_check_last(p.check));
	assert_int_equal(axi_check_failed(p.check), 1);
	axi_check_free(p.check);
}

/* Everything that AXI allows and a careless checker would not: W before AW, ids out of order,
 * interleaved R, partial strobes, a stalled payload that stays, back-to-back bursts. */
static void test_legal_traffic(void **state)
{
	struct port p;

	(void)state;
	port_open(&p);
	port_w(&p, 0x0F, 0);
	port_next(&p);
	port_w(&p, 0, 1);
	port_next(&p);
	assert_int_equal(axi_check_writes(p.check), 1);
	port_aw(&p, BASE + 4096 - 2 * BYTES, 2, 5);
	port_next(&p);
	port_aw(&p, BASE, 64, 6);
	p.in.aw_ready = 0;
	port_step(&p);
	p.in.aw_ready = 1;
	port_next(&p);
	port_b(&p, 5);
	port_next(&p);
	assert_int_equal(axi_check_writes(p.check), 1);
	port_ar(&p, BASE, 2, 0);
	port_next(&p);
	port_ar(&p, BASE + SIZE - BYTES, 1, 31);
	port_next(&p);
	port_ar(&p, BASE, 1, 0);
	port_next(&p);
	assert_int_equal(axi_check_reads(p.check), 3);
	port_r(&p, 0, 0);
	port_next(&p);
	p.in.r_resp = 3;
	port_r(&p, 31, 1);
	p.out.r_ready = 0;
	port_step(&p);
	p.out.r_ready = 1;
	port_next(&p);
	port_r(&p, 0, 1);
	port_step(&p);
	port_next(&p);
	assert_int_equal(axi_check_reads(p.check), 0);
	assert_string_equal(axi_check_last(p.check), "");
	assert_int_equal(axi_check_failed(p.check), 0);
	axi_check_free(p.check);
}

/* What was outstanding before a reset is forgotten; its R would be an error. A valid may fall with
 * the first clock edge of the reset. */
static void test_reset_forgets(void **state)
{
	struct port p;

	(void)state;
	port_open(&p);
	port_ar(&p, BASE, 1, 0);
	port_next(&p);
	p.in.aw_ready = 0;
	port_aw(&p, BASE, 1, 0);
	port_next(&p);
	p.rst_n = 0;
	axi_check_reset(p.check);
	port_ar(&p, BASE, 1, 0);
	port_next(&p);
	port_step(&p);
	p.rst_n = 1;
	port_step(&p);
	assert_int_equal(axi_check_failed(p.check), 0);
	assert_int_equal(axi_check_reads(p.check), 0);
	port_r(&p, 0, 1);
	port_step(&p);
	assert_int_equal(axi_check_failed(p.check), 1);
	axi_check_free(p.check);
}

int main(void)
{
	struct CMUnitTest tests[100] = {
		cmocka_unit_test(test_legal_traffic),
		cmocka_unit_test(test_reset_forgets),
	};
	size_t count = 2;
	uint32_t i;

	assert_true(num_violations + count <= sizeof(tests) / sizeof(tests[0]));
	for (i = 0; i < num_violations; i++)
		tests[count++] = (struct CMUnitTest){ .name = violations[i].name,
			                              .test_func = test_violation,
			                              .initial_state = (void *)&violations[i] };
	return _cmocka_run_group_tests("axi_check", tests, count, NULL, NULL);
}
