/* SPDX-License-Identifier: Apache-2.0 */
/* axil_check_test - each rule of the registers' port, kept and then broken once. */
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/axil_check.h"

struct lite {
	struct axil_check check;
	struct tma_csr_in in;
	struct tma_csr_out out;
	uint64_t cycle;
	bool rst_n;
};

static void step(struct lite *l)
{
	axil_check_step(&l->check, l->cycle++, l->rst_n, &l->in, &l->out);
}

/* One cycle, after which nothing is valid. */
static void next(struct lite *l)
{
	step(l);
	l->in.aw_valid = l->in.w_valid = l->in.ar_valid = l->out.b_valid = l->out.r_valid = 0;
}

static void request(struct lite *l, bool aw, bool w, bool ar)
{
	l->in.aw_valid = aw;
	l->in.w_valid = w;
	l->in.ar_valid = ar;
}

static void answer(struct lite *l, bool b, bool r)
{
	l->out.b_valid = b;
	l->out.r_valid = r;
}

#define HOLD(name, raise, ready, payload, drop) \
	static void name(struct lite *l)        \
	{                                       \
		request(l, 1, 1, 1);            \
		next(l);                        \
		raise;                          \
		ready = 0;                      \
		step(l);                        \
		step(l);                        \
		payload;                        \
		drop;                           \
		step(l);                        \
	}

HOLD(aw_moved, request(l, 1, 0, 0), l->out.aw_ready, l->in.aw_addr += 4, )
HOLD(aw_dropped, request(l, 1, 0, 0), l->out.aw_ready, , l->in.aw_valid = 0)
HOLD(w_moved, request(l, 0, 1, 0), l->out.w_ready, l->in.w_data++, )
HOLD(w_strobes, request(l, 0, 1, 0), l->out.w_ready, l->in.w_strb ^= 1, )
HOLD(w_dropped, request(l, 0, 1, 0), l->out.w_ready, , l->in.w_valid = 0)
HOLD(ar_moved, request(l, 0, 0, 1), l->out.ar_ready, l->in.ar_addr += 4, )
HOLD(ar_dropped, request(l, 0, 0, 1), l->out.ar_ready, , l->in.ar_valid = 0)
HOLD(b_moved, answer(l, 1, 0), l->in.b_ready, l->out.b_resp = 2, )
HOLD(b_dropped, answer(l, 1, 0), l->in.b_ready, , l->out.b_valid = 0)
HOLD(r_moved, answer(l, 0, 1), l->in.r_ready, l->out.r_data++, )
HOLD(r_resp, answer(l, 0, 1), l->in.r_ready, l->out.r_resp = 2, )
HOLD(r_dropped, answer(l, 0, 1), l->in.r_ready, , l->out.r_valid = 0)

static void b_without_data(struct lite *l)
{
	request(l, 1, 0, 0);
	next(l);
	answer(l, 1, 0);
	step(l);
}

static void b_without_address(struct lite *l)
{
	request(l, 0, 1, 0);
	next(l);
	answer(l, 1, 0);
	step(l);
}

static void b_twice(struct lite *l)
{
	request(l, 1, 1, 0);
	next(l);
	answer(l, 1, 0);
	step(l);
	step(l);
}

static void r_in_the_cycle_of_ar(struct lite *l)
{
	request(l, 0, 0, 1);
	answer(l, 0, 1);
	step(l);
}

static void r_for_a_write(struct lite *l)
{
	request(l, 1, 1, 0);
	next(l);
	answer(l, 0, 1);
	step(l);
}

static void r_exokay(struct lite *l)
{
	request(l, 0, 0, 1);
	next(l);
	answer(l, 0, 1);
	l->out.r_resp = 1;
	step(l);
}

static void reset_r(struct lite *l)
{
	request(l, 0, 0, 1);
	next(l);
	l->rst_n = false;
	answer(l, 0, 1);
	step(l);
	step(l);
}

static void after_reset(struct lite *l)
{
	l->rst_n = false;
	next(l);
	next(l);
	l->rst_n = true;
	request(l, 0, 0, 1);
	step(l);
}

/* A reset forgets what was asked. */
static void asked_before_reset(struct lite *l)
{
	request(l, 0, 0, 1);
	next(l);
	l->rst_n = false;
	next(l);
	l->rst_n = true;
	next(l);
	answer(l, 0, 1);
	step(l);
}

struct violation {
	const char *name;
	void (*play)(struct lite *l);
	const char *says;
};

static void test_violation(void **state)
{
	const struct violation *v = *state;
	struct lite l = { .check = { .quiet = true }, .rst_n = true };

	l.out.aw_ready = l.out.w_ready = l.out.ar_ready = l.in.b_ready = l.in.r_ready = 1;
	/* Legal: data before the address, a read beside it, both answered at once. */
	request(&l, 0, 1, 0);
	next(&l);
	request(&l, 1, 0, 1);
	next(&l);
	answer(&l, 1, 1);
	next(&l);
	assert_int_equal(l.check.failed, 0);
	v->play(&l);
	assert_int_equal(l.check.failed, 1);
	if (!strstr(l.check.last, v->says))
		fail_msg("\"%s\" has no \"%s\"", l.check.last, v->says);
}

#define CASE(name, says)          \
	{                         \
#name, name, says \
	}

int main(void)
{
	static const struct violation violations[] = {
		CASE(aw_moved, "AW cycle 6: payload changed"),
		CASE(aw_dropped, "AW cycle 6: valid dropped"),
		CASE(w_moved, "W cycle 6: payload changed"),
		CASE(w_strobes, "W cycle 6: payload changed"),
		CASE(w_dropped, "W cycle 6: valid dropped"),
		CASE(ar_moved, "AR cycle 6: payload changed"),
		CASE(ar_dropped, "AR cycle 6: valid dropped"),
		CASE(b_moved, "B cycle 6: payload changed"),
		CASE(b_dropped, "B cycle 6: valid dropped"),
		CASE(r_moved, "R cycle 6: payload changed"),
		CASE(r_resp, "R cycle 6: payload changed"),
		CASE(r_dropped, "R cycle 6: valid dropped"),
		CASE(b_without_data, "B cycle 4: response without"),
		CASE(b_without_address, "B cycle 4: response without"),
		CASE(b_twice, "B cycle 5: response without"),
		CASE(r_in_the_cycle_of_ar, "R cycle 3: response without"),
		CASE(r_for_a_write, "R cycle 4: response without"),
		CASE(r_exokay, "R cycle 4: response 1"),
		CASE(reset_r, "R cycle 5: valid in or right after reset"),
		CASE(after_reset, "AR cycle 5: valid in or right after reset"),
		CASE(asked_before_reset, "R cycle 6: response without"),
	};
	struct CMUnitTest tests[sizeof(violations) / sizeof(violations[0])];
	size_t i;

	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		tests[i] = (struct CMUnitTest){ .name = violations[i].name,
			                        .test_func = test_violation,
			                        .initial_state = (void *)&violations[i] };
	return _cmocka_run_group_tests("axil_check", tests, i, NULL, NULL);
}
