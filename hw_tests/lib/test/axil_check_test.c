/* SPDX-License-Identifier: Apache-2.0 */
/* axil_check_test - each rule of the registers' port, kept and then broken once. */
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/axil_check.h"
#include "lib/test/play.h"

struct lite {
	struct axil_check check;
	struct tma_csr_in in;
	struct tma_csr_out out;
	uint64_t cycle;
	uint8_t rst_n;
};

#define OUT(name) PIN(struct lite, #name, out.name)
#define IN(name)  PIN(struct lite, #name, in.name)

static const struct pin pins[] = {
	PIN(struct lite, "aw", in.aw_valid),
	PIN(struct lite, "w", in.w_valid),
	PIN(struct lite, "ar", in.ar_valid),
	PIN(struct lite, "b", out.b_valid),
	PIN(struct lite, "r", out.r_valid),
	PIN(struct lite, "rst_n", rst_n),
	IN(aw_addr),
	IN(w_data),
	IN(w_strb),
	IN(ar_addr),
	IN(b_ready),
	IN(r_ready),
	OUT(aw_ready),
	OUT(w_ready),
	OUT(ar_ready),
	OUT(b_resp),
	OUT(r_resp),
	OUT(r_data),
};

static void step(void *lite)
{
	struct lite *l = lite;

	axil_check_step(&l->check, l->cycle++, l->rst_n, &l->in, &l->out);
}

static const struct play port = { pins, sizeof(pins) / sizeof(pins[0]), 5, step };

/* Behind a request of each kind, an address, data or an answer that is not taken; then it changes. */
#define HELD(valid, change) "aw w ar / " valid " " valid "_ready=0 . . " change " ."

static const struct violation violations[] = {
	{ "aw_moved", HELD("aw", "aw_addr=4"), "AW cycle 6: payload changed" },
	{ "aw_dropped", HELD("aw", "aw=0"), "AW cycle 6: valid dropped" },
	{ "w_moved", HELD("w", "w_data=1"), "W cycle 6: payload changed" },
	{ "w_strobes", HELD("w", "w_strb=1"), "W cycle 6: payload changed" },
	{ "w_dropped", HELD("w", "w=0"), "W cycle 6: valid dropped" },
	{ "ar_moved", HELD("ar", "ar_addr=4"), "AR cycle 6: payload changed" },
	{ "ar_dropped", HELD("ar", "ar=0"), "AR cycle 6: valid dropped" },
	{ "b_moved", HELD("b", "b_resp=2"), "B cycle 6: payload changed" },
	{ "b_dropped", HELD("b", "b=0"), "B cycle 6: valid dropped" },
	{ "r_moved", HELD("r", "r_data=1"), "R cycle 6: payload changed" },
	{ "r_resp", HELD("r", "r_resp=2"), "R cycle 6: payload changed" },
	{ "r_dropped", HELD("r", "r=0"), "R cycle 6: valid dropped" },
	{ "b_without_data", "aw / b .", "B cycle 4: response without" },
	{ "b_without_address", "w / b .", "B cycle 4: response without" },
	{ "b_twice", "aw w / b . .", "B cycle 5: response without" },
	{ "r_in_the_cycle_of_ar", "ar r .", "R cycle 3: response without" },
	{ "r_for_a_write", "aw w / r .", "R cycle 4: response without" },
	{ "r_exokay", "ar / r r_resp=1 .", "R cycle 4: response 1" },
	{ "reset_r", "ar / rst_n=0 r . .", "R cycle 5: valid in or right after reset" },
	{ "after_reset", "rst_n=0 / / rst_n=1 ar .", "AR cycle 5: valid in or right after reset" },
	/* A reset forgets what was asked. */
	{ "asked_before_reset", "ar / rst_n=0 / rst_n=1 / r .", "R cycle 6: response without" },
};

static void test_violation(void **state)
{
	const struct violation *v = *state;
	struct lite l = { .check = { .quiet = true }, .rst_n = true };

	/* Legal: data before the address, a read beside it, both answered at once. */
	play(&port, &l, "aw_ready w_ready ar_ready b_ready r_ready w / aw ar / b r /");
	assert_int_equal(l.check.failed, 0);
	play(&port, &l, v->script);
	assert_int_equal(l.check.failed, 1);
	if (!strstr(l.check.last, v->says))
		fail_msg("\"%s\" has no \"%s\"", l.check.last, v->says);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(violations) / sizeof(violations[0]); i++)
		add_test(play_test(&violations[i], test_violation));
	return run_file_tests("axil_check");
}
