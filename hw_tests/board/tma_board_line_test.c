/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_board_line_test - frames and bridge: every operation, on a line that loses, doubles and flips bytes.
 *
 * Requirement: docs/board.md, "The line".
 * Checks: each answer byte by byte against a second opinion; memory, shared memory, registers and how often they were
 * accessed; bad frames are answered as such and do nothing; a repeated request does nothing; who does not answer is
 * given up, until RESET.
 */
#include "board/tma_board_line_env.h"

static struct env env;

static uint8_t next_number(struct env *e)
{
	return (uint8_t)(e->ref.number + 1);
}

static size_t put_head(struct env *e, uint8_t *request, uint8_t op)
{
	request[0] = next_number(e);
	request[1] = op;
	return 2;
}

static int reg(struct env *e, uint8_t op, uint32_t address, uint32_t value)
{
	uint8_t r[16];
	size_t n = put_head(e, r, op);

	n += line_put(r + n, address, 4);
	if (op == LINE_REG_WRITE)
		n += line_put(r + n, value, 4);
	return env_request(e, r, n);
}

static int move(struct env *e, uint8_t op, uint64_t address, size_t size)
{
	uint8_t r[MAX_LINE_REQ];
	size_t n = put_head(e, r, op);

	n += line_put(r + n, address, op >= LINE_SMEM_READ ? 4 : 8);
	if (op == LINE_MEM_READ || op == LINE_SMEM_READ)
		n += line_put(r + n, size, 2);
	else
		for (size_t i = 0; i < size; i++)
			r[n++] = (uint8_t)rng_next(&e->rng);
	return env_request(e, r, n);
}

static int op_alone(struct env *e, uint8_t op)
{
	uint8_t r[2];

	return env_request(e, r, put_head(e, r, op));
}

static int wait_us(struct env *e, uint32_t us)
{
	uint8_t r[6];
	size_t n = put_head(e, r, LINE_WAIT);

	return env_request(e, r, n + line_put(r + n, us, 4));
}

/* Mostly what may be, near the ends of everything. */
static size_t draw(struct env *e, uint8_t *r)
{
	struct rng *rng = &e->rng;
	static const uint32_t sizes[] = { 1, 2, 15, 16, 17, 40, 100, LINE_DATA };
	uint32_t size = sizes[rng_below(rng, 8)];
	uint8_t op = (uint8_t)(rng_percent(rng, 3) ? rng_below(rng, 256) : rng_below(rng, 9));
	size_t n = put_head(e, r, op);

	if (size == LINE_DATA && rng_percent(rng, 80))
		size = 1 + rng_below(rng, 64);
	switch (op) {
	case LINE_HELLO:
		n += line_put(r + n, rng_next(rng), 4);
		break;
	case LINE_REG_READ:
	case LINE_REG_WRITE:
		n += line_put(r + n, rng_percent(rng, 5) ? rng_next(rng) : rng_below(rng, REGS) * 4, 4);
		if (op == LINE_REG_WRITE)
			n += line_put(r + n, rng_next(rng), 4);
		break;
	case LINE_MEM_READ:
	case LINE_MEM_WRITE:
		n += line_put(r + n, BASE + rng_below(rng, MEMORY) - (rng_percent(rng, 3) ? MEMORY / 2 : 0), 8);
		break;
	case LINE_SMEM_READ:
	case LINE_SMEM_WRITE:
		n += line_put(r + n, rng_below(rng, SMEM) | (rng_below(rng, CTAS) + rng_percent(rng, 3)) << 24, 4);
		break;
	case LINE_WAIT:
		n += line_put(r + n, rng_below(rng, 20), 4);
		break;
	default:
		break;
	}
	if (op == LINE_MEM_READ || op == LINE_SMEM_READ)
		n += line_put(r + n, size, 2);
	if (op == LINE_MEM_WRITE || op == LINE_SMEM_WRITE)
		for (uint32_t i = 0; i < size; i++)
			r[n++] = (uint8_t)(rng_percent(rng, 20) ? 0x7D + rng_below(rng, 2) : rng_next(rng));
	/* Too short, too long. */
	if (rng_percent(rng, 3) && n > 2)
		n--;
	if (rng_percent(rng, 3))
		r[n++] = 0x7E;
	return n;
}

static void random_requests(struct env *e, uint32_t count)
{
	uint8_t r[MAX_LINE_REQ + 1];

	for (uint32_t i = 0; i < count; i++) {
		size_t n = draw(e, r);

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
	uint8_t r[MAX_LINE_REQ + 32] = { 0 };

	env_open(e, 3, 20);
	assert_int_equal(move(e, LINE_MEM_WRITE, BASE + 3, LINE_DATA), LINE_OKAY);
	assert_int_equal(move(e, LINE_MEM_READ, BASE + 1, LINE_DATA), LINE_OKAY);
	assert_int_equal(move(e, LINE_SMEM_WRITE, 1u << 24 | (SMEM - LINE_DATA), LINE_DATA), LINE_OKAY);
	assert_int_equal(move(e, LINE_SMEM_READ, 1u << 24 | (SMEM - LINE_DATA), LINE_DATA), LINE_OKAY);
	/* As long as a request may be, and longer by a byte than this one may be. */
	put_head(e, r, LINE_SMEM_WRITE);
	assert_int_equal(env_request(e, r, 2 + 4 + LINE_DATA + 1), LINE_LENGTH);
	assert_int_equal(move(e, LINE_MEM_READ, BASE, LINE_DATA + 1), LINE_LENGTH);
	for (size_t n = MAX_LINE_REQ + 1; n < MAX_LINE_REQ + 20; n++) {
		put_head(e, r, LINE_MEM_WRITE);
		env_send(e, r, n);
		assert_true(env_answer(e, 20000));
		assert_int_equal(e->answer.status, LINE_BAD_FRAME);
	}
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
		assert_int_equal(move(e, LINE_MEM_WRITE, mem[i].address, mem[i].size), mem[i].status);
		assert_int_equal(move(e, LINE_MEM_READ, mem[i].address, mem[i].size), mem[i].status);
	}
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++) {
		assert_int_equal(move(e, LINE_SMEM_WRITE, shared[i].address, shared[i].size), shared[i].status);
		assert_int_equal(move(e, LINE_SMEM_READ, shared[i].address, shared[i].size), shared[i].status);
	}
	assert_int_equal(reg(e, LINE_REG_READ, 0x1FFFC, 0), LINE_REFUSED);
	assert_int_equal(reg(e, LINE_REG_WRITE, REFUSES - 4, 7), LINE_OKAY);
	assert_int_equal(reg(e, LINE_REG_READ, 0x20000, 0), LINE_ADDRESS);
	assert_int_equal(reg(e, LINE_REG_WRITE, 1u << 31, 0), LINE_ADDRESS);
	assert_int_equal(reg(e, LINE_REG_WRITE, 2, 0), LINE_ADDRESS);
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
		assert_int_equal(wait_us(e, us), LINE_OKAY);
		assert_true(e->cycle - begin >= us * US_CYCLES && e->cycle - begin < us * US_CYCLES + 400);
		e->irq = true;
		begin = e->cycle;
		assert_int_equal(wait_us(e, 1u << 20), LINE_OKAY);
		assert_true(e->cycle - begin < 400);
	}
	assert_int_equal(wait_us(e, (1u << 20) + 1), LINE_LENGTH);

	/* It comes while somebody waits. */
	uint8_t r[] = { next_number(e), LINE_WAIT, 0, 0, 1, 0 };

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
	assert_int_equal(op_alone(e, LINE_RESET), LINE_OKAY);
	e->dead_regs = e->dead_memory = e->dead_shared = false;
	assert_int_equal(move(e, LINE_MEM_READ, BASE + 5, 40), LINE_OKAY);
	assert_int_equal(move(e, LINE_SMEM_WRITE, 7, 40), LINE_OKAY);
	assert_int_equal(reg(e, LINE_REG_WRITE, 8, 1), LINE_OKAY);
	env_compare(e);
}

/* After the first access every one is refused, also by whom it would find well. What needs nobody still works. */
static void is_stuck(struct env *e)
{
	uint64_t begin = e->cycle;

	assert_int_equal(reg(e, LINE_REG_READ, 0, 0), LINE_STUCK);
	assert_int_equal(reg(e, LINE_REG_WRITE, 4, 1), LINE_STUCK);
	assert_int_equal(move(e, LINE_MEM_WRITE, BASE, 16), LINE_STUCK);
	assert_int_equal(move(e, LINE_SMEM_READ, 1 << 24, 16), LINE_STUCK);
	assert_int_equal(move(e, LINE_MEM_READ, 0, 16), LINE_ADDRESS);
	assert_int_equal(wait_us(e, 1), LINE_OKAY);
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
			assert_int_equal(reg(e, who ? LINE_REG_WRITE : LINE_REG_READ, 4, 0), LINE_STUCK);
		else if (e->dead_memory)
			assert_int_equal(move(e, who % 2 ? LINE_MEM_WRITE : LINE_MEM_READ, BASE, 50), LINE_STUCK);
		else
			assert_int_equal(move(e, who % 2 ? LINE_SMEM_WRITE : LINE_SMEM_READ, 1 << 24, 50), LINE_STUCK);
		assert_true(e->cycle - begin >= 65536 && e->cycle - begin < 67000);
		is_stuck(e);
		goes_on_after_reset(e);
		env_close(e);
	}
}

/* Many lines, each of which takes its time, are no reason to give up. */
TEST(slow_is_not_stuck)
{
	env_open(&env, 20, 99);
	for (uint32_t i = 0; i < 6; i++) {
		assert_int_equal(move(&env, LINE_MEM_READ, BASE + 1, LINE_DATA), LINE_OKAY);
		assert_int_equal(move(&env, LINE_SMEM_WRITE, 1, LINE_DATA), LINE_OKAY);
	}
	env_close(&env);
}

/* The number of the last request: once more its answer, whatever is asked; HELLO and RESET forget it. */
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
		r[0] = 9;
	}
	assert_int_equal(e->state.resets, 3);
	env_close(e);
}

/* Bytes as a bad line hands them on: lost, doubled, flipped, without a stop bit. */
static void send_damaged(struct env *e, const uint8_t *bytes, size_t count, uint32_t rate)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t how = rng_below(&e->rng, rate);

		if (how == 0)
			continue;
		env_byte(e, how == 1 ? bytes[i] ^ (uint8_t)(1u << rng_below(&e->rng, 8)) : bytes[i], how == 2);
		if (how == 3)
			env_byte(e, bytes[i], false);
	}
}

/* A host that only knows what comes back, which is lost now and then, until its request is answered. */
static void send_until_answered(struct env *e, const uint8_t *request, size_t size, uint32_t rate)
{
	uint8_t frame[2 * (MAX_LINE_REQ + 64) + 2];
	size_t count = line_frame(frame, request, size);

	for (uint32_t i = 0; i < 400; i++) {
		e->answer.status = LINE_SILENT;
		send_damaged(e, frame, count, rate);
		env_quiet(e);
		if (e->answer.status >= 0 && e->answer.status != LINE_BAD_FRAME && e->answer.sequence == request[0] &&
		    rng_percent(&e->rng, 80))
			return;
	}
	fail_msg("no answer to %zu bytes", size);
}

TEST(noise_does_nothing)
{
	struct env *e = &env;
	uint8_t r[MAX_LINE_REQ + 1], garbage[64], hello[] = { 0, LINE_HELLO, 1, 2, 3, 4 };

	for (uint32_t seed = 40; seed < 44; seed++) {
		env_open(e, seed, seed % 2 ? 30 : 0);
		for (uint32_t i = 0; i < 150; i++) {
			size_t n = draw(e, r);
			uint64_t carried_out = e->ref.carried_out;

			for (uint32_t k = 0; rng_percent(&e->rng, 10) && k < sizeof(garbage); k++) {
				garbage[k] = (uint8_t)(rng_percent(&e->rng, 20) ? 0x7D + rng_below(&e->rng, 2)
				                                                : rng_next(&e->rng));
				env_byte(e, garbage[k], rng_percent(&e->rng, 2));
			}
			if (n > 200)
				continue;
			send_until_answered(e, r, n, 20 + 2 * (uint32_t)n + rng_below(&e->rng, 400));
			/* HELLO and RESET, which leave no number that stops them, may come again. */
			if (r[1] != LINE_HELLO && r[1] != LINE_RESET)
				assert_true(e->ref.carried_out <= carried_out + 1);
			assert_int_equal(e->answer.status, e->ref.last.status);
			assert_int_equal(e->answer.size, e->ref.last.size);
			assert_memory_equal(e->answer.results, e->ref.last.results, e->answer.size);
			env_compare(e);
		}
		assert_true(e->ref.bad > 50 && e->ref.sent_again > 5);
		/* The line is clean again: the first request is answered, behind a flag that ends what there was. */
		env_byte(e, 0x7E, false);
		env_quiet(e);
		hello[0] = next_number(e);
		assert_int_equal(env_request(e, hello, sizeof(hello)), LINE_OKAY);
		env_close(e);
	}
}

/* Every way of being bad, at once and while an answer is on its way. */
TEST(bad_frames_are_answered)
{
	static const struct {
		size_t count;
		uint8_t bytes[10];
	} bad[] = {
		{ 3, { 0x7E, 1, 0x7E } },                            /* short */
		{ 7, { 0x7E, 1, 2, 3, 4, 5, 0x7E } },                /* short by a byte */
		{ 8, { 0x7E, 0, 1, 0x55, 0x66, 0x77, 0x88, 0x7E } }, /* wrong FCS */
		{ 3, { 0x7E, 0x7D, 0x7E } },                         /* an escape of nothing */
		{ 10, { 0x7E, 1, 2, 3, 4, 5, 6, 7, 0x7D, 0x7E } },
	};
	struct env *e = &env;
	uint8_t hello[] = { 1, LINE_HELLO, 1, 2, 3, 4 }, frame[40];
	size_t count = line_frame(frame, hello, sizeof(hello));
	uint64_t answers;

	env_open(e, 50, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		for (size_t k = 0; k < bad[i].count; k++)
			env_byte(e, bad[i].bytes[k], false);
		assert_true(env_answer(e, 1000));
		assert_int_equal(e->answer.status, LINE_BAD_FRAME);
		assert_int_equal(e->answer.sequence, 0);
		assert_int_equal(e->answer.op, 0xFF);
		assert_int_equal(e->answer.size, 0);
		assert_int_equal(e->out->trouble, 1);
	}
	env_quiet(e);
	/* One byte with the right FCS. */
	for (size_t i = 0, n = line_frame(frame, hello, 1); i < n; i++)
		env_byte(e, frame[i], false);
	assert_true(env_answer(e, 1000));
	assert_int_equal(e->answer.status, LINE_BAD_FRAME);
	line_frame(frame, hello, sizeof(hello));
	/* A byte without a stop bit, in front of a frame that is good otherwise. */
	for (size_t i = 0; i < count; i++)
		env_byte(e, frame[i], i == 3);
	assert_true(env_answer(e, 1000));
	assert_int_equal(e->answer.status, LINE_BAD_FRAME);

	/* While the answer to a good one is sent. */
	for (size_t i = 0; i < count; i++)
		env_byte(e, frame[i], false);
	answers = e->answers;
	for (uint32_t i = 0; i < 80; i++)
		env_step(e, -1, false);
	for (size_t i = 0; i < bad[0].count; i++)
		env_byte(e, bad[0].bytes[i], false);
	assert_int_equal(e->answers, answers);
	env_quiet(e);
	assert_int_equal(e->answers, answers + 2);
	assert_int_equal(e->answer.status, LINE_BAD_FRAME);
	env_close(e);
}
