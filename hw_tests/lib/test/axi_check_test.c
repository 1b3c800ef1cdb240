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

static void close_port(struct port *p, int failures, const char *says)
{
	if (!strstr(axi_check_last(p->check), says))
		fail_msg("expected \"%s\", got \"%s\"", says, axi_check_last(p->check));
	assert_int_equal(axi_check_failed(p->check), failures);
	axi_check_free(p->check);
}

static void test_violation(void **state)
{
	const struct violation *v = *state;
	struct port p;

	port_open(&p);
	port_play(&p, v->script);
	close_port(&p, 1, v->says);
}

static void not_legal(uint32_t kind, uint64_t base, uint64_t bytes, const char *script, const char *says)
{
	struct port p;

	port_open(&p);
	axi_check_legal_none(p.check);
	axi_check_legal(p.check, 0, kind, base, bytes);
	port_play(&p, script);
	close_port(&p, 1, says);
}

TEST(test_legal_ranges)
{
	struct port p;

	/* Only the last beat leaves the legal range. */
	not_legal(AXI_CHECK_READ, BASE, 2 * BYTES, "ar_len=2 ar .", "read of 0x10080 is not legal");
	not_legal(AXI_CHECK_WRITE, BASE, SIZE, "ar .", "read of 0x10000 is not legal");
	/* A stray byte. */
	not_legal(AXI_CHECK_WRITE, BASE + 1, SIZE - 1, "aw w /", "write of 0x10000 is not legal");
	/* A range that is taken back. */
	port_open(&p);
	axi_check_legal(p.check, 1, AXI_CHECK_READ, 0, 4096);
	port_play(&p, "ar_addr=0 ar /");
	axi_check_legal_drop(p.check, 1);
	port_play(&p, "ar .");
	close_port(&p, 1, "read of 0 is not legal");
}

/* Everything that AXI allows and a careless checker would not: W before AW, ids out of order,
 * interleaved R, partial strobes, a stalled payload that stays, back-to-back bursts. */
TEST(test_legal_traffic)
{
	struct port p;

	port_open(&p);
	port_play(&p, "w_strb=0x0F w_last=0 w / w_strb=0 w_last=1 w /");
	assert_int_equal(axi_check_writes(p.check), 1);
	port_play(&p, "aw_addr=0x10F80 aw_len=1 aw_id=5 aw /");
	port_play(&p, "aw_addr=0x10000 aw_len=63 aw_id=6 aw_ready=0 aw . aw_ready=1 / b_id=5 b /");
	assert_int_equal(axi_check_writes(p.check), 1);
	port_play(&p, "ar_len=1 ar / ar_addr=0x13FC0 ar_len=0 ar_id=31 ar / ar_addr=0x10000 ar_id=0 ar /");
	assert_int_equal(axi_check_reads(p.check), 3);
	port_play(&p, "r_last=0 r / r_resp=3 r_id=31 r_last=1 r r_ready=0 . r_ready=1 / r_id=0 r . /");
	assert_int_equal(axi_check_reads(p.check), 0);
	assert_string_equal(axi_check_last(p.check), "");
	close_port(&p, 0, "");
}

/* What was outstanding before a reset is forgotten; its R would be an error. A valid may fall with
 * the first clock edge of the reset. */
TEST(test_reset_forgets)
{
	struct port p;

	port_open(&p);
	port_play(&p, "ar / aw_ready=0 aw / rst_n=0");
	axi_check_reset(p.check);
	port_play(&p, "ar / . rst_n=1 .");
	assert_int_equal(axi_check_failed(p.check), 0);
	assert_int_equal(axi_check_reads(p.check), 0);
	port_play(&p, "r .");
	close_port(&p, 1, "");
}

int main(void)
{
	for (uint32_t i = 0; i < num_violations; i++)
		add_test(play_test(&violations[i], test_violation));
	return run_file_tests("axi_check");
}
