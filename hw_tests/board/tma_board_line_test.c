/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_board_line_test - frames and bridge: every operation on a line without errors.
 *
 * Requirement: docs/board.md, "The line".
 * Checks: each answer byte by byte against a second opinion; memory, shared memory, registers and how often they were
 * accessed; a repeated request does nothing; who does not answer is given up, until RESET.
 */
#include "board/tma_board_line_env.h"

struct env env;

static void random_requests(struct env *e, uint32_t count)
{
	uint8_t r[MAX_LINE_REQ + 1];

	for (uint32_t i = 0; i < count; i++) {
		size_t n = draw_request(e, r);

		e->irq = rng_percent(&e->rng, 50);
		env_request(e, r, n);
		if (rng_percent(&e->rng, 10))
			env_request(e, r, n); /* once more */
	}
	assert_true(e->ref.sent_again);
}

TEST(requests_are_carried_out)
{
	env_open(&env, 1, 0);
	random_requests(&env, 1500);
	env_close(&env);
}

TEST(neighbours_take_their_time)
{
	env_open(&env, 2, 70);
	random_requests(&env, 800);
	env_close(&env);
}

TEST(longest_and_too_long)
{
	struct env *e = &env;
	uint8_t r[MAX_LINE_REQ + 32] = { 0 }, frame[2 * (MAX_LINE_REQ + 4) + 2];
	size_t n;

	env_open(e, 3, 20);
	assert_int_equal(request_move(e, LINE_MEM_WRITE, BASE + 3, LINE_DATA), LINE_OKAY);
	assert_int_equal(request_move(e, LINE_MEM_READ, BASE + 1, LINE_DATA), LINE_OKAY);
	assert_int_equal(request_move(e, LINE_SMEM_WRITE, 1u << 24 | (SMEM - LINE_DATA), LINE_DATA),
	                 LINE_OKAY);
	assert_int_equal(request_move(e, LINE_SMEM_READ, 1u << 24 | (SMEM - LINE_DATA), LINE_DATA),
	                 LINE_OKAY);
	/* As long as a request may be, and longer by a byte than this one may be. */
	draw_head(e, r, LINE_SMEM_WRITE);
	assert_int_equal(env_request(e, r, 2 + 4 + LINE_DATA + 1), LINE_LENGTH);
	assert_int_equal(request_move(e, LINE_MEM_READ, BASE, LINE_DATA + 1), LINE_LENGTH);
	for (n = MAX_LINE_REQ + 1; n < MAX_LINE_REQ + 20; n++) {
		draw_head(e, r, LINE_MEM_WRITE);
		env_send(e, r, n);
		assert_true(env_answer(e, 20000));
		assert_int_equal(e->answer.status, LINE_BAD_FRAME);
	}
	/* Behind one that is as long as can be. */
	draw_head(e, r, LINE_MEM_WRITE);
	line_put(r + 2, BASE, 8);
	n = line_frame(frame, r, MAX_LINE_REQ);
	for (size_t i = 0; i < n; i++) {
		if (i == n - 1)
			env_byte(e, 0x55, false);
		env_byte(e, frame[i], false);
	}
	assert_true(env_answer(e, 20000));
	assert_int_equal(e->answer.status, LINE_BAD_FRAME);
	env_close(e);
}

/* The first and the last byte of everything, one too many, and sums that begin again at 0. */
TEST(addresses_end)
{
	static const struct {
		uint64_t address;
		size_t size;
		int status;
	} mem[] = {
		{ BASE, 1, LINE_OKAY },
		{ BASE + MEMORY - 1, 1, LINE_OKAY },
		{ BASE + MEMORY - LINE_DATA, LINE_DATA, LINE_OKAY },
		{ BASE + MEMORY - LINE_DATA + 1, LINE_DATA, LINE_ADDRESS },
		{ BASE + MEMORY, 1, LINE_ADDRESS },
		{ BASE - 1, 1, LINE_ADDRESS },
		{ BASE - 1, 2, LINE_ADDRESS },
		{ 0, 1, LINE_ADDRESS },
		{ UINT64_MAX, LINE_DATA, LINE_ADDRESS },
		{ BASE + (UINT64_C(1) << 32), 16, LINE_ADDRESS },
		{ BASE + (UINT64_C(1) << 63), 16, LINE_ADDRESS },
	}, shared[] = {
		{ 0, 1, LINE_OKAY },
		{ 1u << 24 | (SMEM - 1), 1, LINE_OKAY },
		{ 1u << 24 | (SMEM - 1), 2, LINE_ADDRESS },
		{ SMEM, 1, LINE_ADDRESS },
		{ 0xFFFFFF, LINE_DATA, LINE_ADDRESS },
		{ CTAS << 24, 1, LINE_ADDRESS },
		{ UINT32_MAX, 1, LINE_ADDRESS },
	};
	struct env *e = &env;

	env_open(e, 60, 10);
	for (size_t i = 0; i < sizeof(mem) / sizeof(*mem); i++) {
		assert_int_equal(request_move(e, LINE_MEM_WRITE, mem[i].address, mem[i].size), mem[i].status);
		assert_int_equal(request_move(e, LINE_MEM_READ, mem[i].address, mem[i].size), mem[i].status);
	}
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++) {
		assert_int_equal(request_move(e, LINE_SMEM_WRITE, shared[i].address, shared[i].size),
		                 shared[i].status);
		assert_int_equal(request_move(e, LINE_SMEM_READ, shared[i].address, shared[i].size),
		                 shared[i].status);
	}
	assert_int_equal(request_reg(e, LINE_REG_READ, 0x1FFFC, 0), LINE_REFUSED);
	assert_int_equal(request_reg(e, LINE_REG_WRITE, REFUSES - 4, 7), LINE_OKAY);
	assert_int_equal(request_reg(e, LINE_REG_READ, 0x20000, 0), LINE_ADDRESS);
	assert_int_equal(request_reg(e, LINE_REG_WRITE, 1u << 31, 0), LINE_ADDRESS);
	assert_int_equal(request_reg(e, LINE_REG_WRITE, 2, 0), LINE_ADDRESS);
	env_close(e);
}

/* Whoever sees the interrupt answers at once, whoever does not waits as long as asked, and no shorter. */
TEST(wait_waits)
{
	struct env *e = &env;
	uint64_t begin;

	env_open(e, 4, 0);
	for (uint32_t us = 0; us <= 1000; us = 4 * us + 1) {
		e->irq = false;
		begin = e->cycle;
		assert_int_equal(request_wait(e, us), LINE_OKAY);
		assert_true(e->cycle - begin >= us * US_CYCLES && e->cycle - begin < us * US_CYCLES + 400);
		e->irq = true;
		begin = e->cycle;
		assert_int_equal(request_wait(e, 1u << 20), LINE_OKAY);
		assert_true(e->cycle - begin < 400);
	}
	assert_int_equal(request_wait(e, (1u << 20) + 1), LINE_LENGTH);

	/* It comes while somebody waits. */
	uint8_t r[] = { draw_number(e), LINE_WAIT, 0, 0, 1, 0 };

	e->irq = false;
	env_send(e, r, sizeof(r));
	assert_false(env_answer(e, 5000));
	e->irq = true;
	assert_true(env_answer(e, 400));
	assert_int_equal(e->answer.results[0], 1);
	env_close(e);
}

static void goes_on_after_reset(struct env *e)
{
	assert_int_equal(request_alone(e, LINE_RESET), LINE_OKAY);
	e->dead_regs = e->dead_memory = e->dead_shared = false;
	assert_int_equal(request_move(e, LINE_MEM_READ, BASE + 5, 40), LINE_OKAY);
	assert_int_equal(request_move(e, LINE_SMEM_WRITE, 7, 40), LINE_OKAY);
	assert_int_equal(request_reg(e, LINE_REG_WRITE, 8, 1), LINE_OKAY);
	env_compare(e);
}

/* After the first access every one is refused, also by whom it would find well. What needs nobody still works. */
static void is_stuck(struct env *e)
{
	uint64_t begin = e->cycle;

	assert_int_equal(request_reg(e, LINE_REG_READ, 0, 0), LINE_STUCK);
	assert_int_equal(request_reg(e, LINE_REG_WRITE, 4, 1), LINE_STUCK);
	assert_int_equal(request_move(e, LINE_MEM_WRITE, BASE, 16), LINE_STUCK);
	assert_int_equal(request_move(e, LINE_SMEM_READ, 1 << 24, 16), LINE_STUCK);
	assert_int_equal(request_move(e, LINE_MEM_READ, 0, 16), LINE_ADDRESS);
	assert_int_equal(request_wait(e, 1), LINE_OKAY);
	assert_true(e->cycle - begin < 10000);
}

TEST(who_does_not_answer_is_given_up)
{
	struct env *e = &env;

	for (unsigned who = 0; who < 6; who++) {
		uint64_t begin;

		env_open(e, 5 + who, 30);
		e->dead_regs = who < 2;
		e->dead_memory = who == 2 || who == 3;
		e->dead_shared = who > 3;
		e->ref.stuck = true;
		begin = e->cycle;
		if (e->dead_regs)
			assert_int_equal(request_reg(e, who ? LINE_REG_WRITE : LINE_REG_READ, 4, 0),
			                 LINE_STUCK);
		else if (e->dead_memory)
			assert_int_equal(request_move(e, who % 2 ? LINE_MEM_WRITE : LINE_MEM_READ, BASE, 50),
			                 LINE_STUCK);
		else
			assert_int_equal(request_move(e, who % 2 ? LINE_SMEM_WRITE : LINE_SMEM_READ, 1 << 24,
			                              50),
			                 LINE_STUCK);
		assert_true(e->cycle - begin >= 65536 && e->cycle - begin < 67000);
		is_stuck(e);
		goes_on_after_reset(e);
		env_close(e);
	}
}

/* Many lines, each of which takes its time, are no reason to give up. */
TEST(slow_is_not_stuck)
{
	uint64_t begin;

	env_open(&env, 20, 30);
	env.period = 1500;
	begin = env.cycle;
	assert_int_equal(request_move(&env, LINE_MEM_READ, BASE + 1, LINE_DATA), LINE_OKAY);
	assert_int_equal(request_move(&env, LINE_MEM_WRITE, BASE + 1, LINE_DATA), LINE_OKAY);
	assert_true(env.cycle - begin > 2 * 65536);
	env_close(&env);
}

/* The number of the last request: once more its answer, whatever is asked; HELLO is carried out all the same, RESET
 * forgets it. */
TEST(nothing_happens_twice)
{
	struct env *e = &env;
	uint8_t r[] = { 9, LINE_REG_WRITE, 16, 0, 0, 0, 1, 2, 3, 4 }, hello[] = { 9, LINE_HELLO, 0, 0, 0, 0 };
	uint8_t reset[] = { 9, LINE_RESET };
	uint64_t writes;

	env_open(e, 30, 10);
	for (uint32_t i = 0; i < 3; i++) {
		env_request(e, hello, sizeof(hello)); /* its number is the last one from then on */
		writes = e->state.reg_writes;
		env_request(e, r, sizeof(r));
		assert_int_equal(e->state.reg_writes, writes);
		r[0]++;
		env_request(e, r, sizeof(r));
		env_request(e, r, sizeof(r));
		assert_int_equal(e->state.reg_writes, writes + 1);
		reset[0] = r[0]++;
		env_request(e, reset, sizeof(reset)); /* not carried out: the number is that of before */
		reset[0] = r[0];
		env_request(e, reset, sizeof(reset));
		env_request(e, r, sizeof(r));
		assert_int_equal(e->state.reg_writes, writes + 2);
		hello[0] = r[0]; /* is carried out all the same */
		hello[2]++;
		env_request(e, hello, sizeof(hello));
		assert_int_equal(e->answer.results[0], hello[2]);
		hello[0] = 9;
		r[0] = 9;
	}
	assert_int_equal(e->state.resets, 3);
	env_close(e);
}
