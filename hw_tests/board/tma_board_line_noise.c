/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of tma_board_line on a line that loses, doubles and flips bytes.
 *
 * Checks: bad frames are answered as such and do nothing; whatever has come, the next good frame is answered; a request
 * that is sent until its answer comes is carried out once.
 */
#include "board/tma_board_line_env.h"

/* A frame of which a byte came while a request was carried out is neither looked at nor answered. */
TEST(one_request_at_a_time)
{
	struct env *e = &env;
	uint8_t wait[] = { 7, LINE_WAIT, 0, 0, 1, 0 }, hello[] = { 8, LINE_HELLO, 1, 2, 3, 4 }, frame[40];
	size_t count = line_frame(frame, hello, sizeof(hello));
	uint64_t answers;

	env_open(e, 70, 0);
	for (size_t end = 2; end <= count; end++) {
		e->irq = false;
		answers = e->answers;
		wait[0] ^= 0x40;
		env_send(e, wait, sizeof(wait));
		for (uint32_t i = 0; i < 50; i++)
			env_step(e, -1, false);
		for (size_t i = 0; i < count; i++) {
			/* The first one of it that is looked at is the flag behind it. */
			if (i == end) {
				e->irq = true;
				e->ref.last.results[0] = 1;
				assert_true(env_answer(e, 400));
			}
			env_byte(e, frame[i], false);
		}
		e->irq = true;
		env_quiet(e);
		assert_int_equal(e->answers, answers + 1);
		assert_int_equal(e->answer.op, LINE_WAIT | 0x80);
		assert_int_equal(e->answer.results[0], 1);
		/* And the next one is. */
		env_send(e, hello, sizeof(hello));
		env_quiet(e);
		assert_int_equal(e->answers, answers + 2);
		assert_int_equal(e->answer.op, LINE_HELLO | 0x80);
	}
	env_close(e);
}

/* Bytes as a bad line hands them on: lost, doubled, flipped, without a stop bit. */
static void send_damaged(struct env *e, const uint8_t *bytes, size_t count, uint32_t rate)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t how = rng_below(&e->rng, rate);

		if (how == 0)
			continue;
		env_byte(e, how == 1 ? bytes[i] ^ (uint8_t)(1u << rng_below(&e->rng, 8)) : bytes[i],
		         how == 2);
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
		if (e->answer.status >= 0 && e->answer.status != LINE_BAD_FRAME &&
		    e->answer.sequence == request[0] && rng_percent(&e->rng, 80))
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
			size_t n = draw_request(e, r);
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
		hello[0] = draw_number(e);
		assert_int_equal(env_request(e, hello, sizeof(hello)), LINE_OKAY);
		env_close(e);
	}
}

/* What is sent once more behind a bad frame is the last answer again: the LED goes by its status. */
TEST(trouble_is_of_the_last_answer)
{
	static const uint8_t bad[] = { 0x7E, 1, 0x7E };
	/* There is no such register as the second one asks for. */
	uint8_t requests[][6] = { { 1, LINE_WAIT }, { 2, LINE_REG_READ, 0xFC, 0xFF, 0x01 }, { 3, 0x55 } };
	struct env *e = &env;

	env_open(e, 50, 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(env_request(e, requests[i], sizeof(requests[i])) == LINE_OKAY, i == 0);
		for (size_t k = 0; k < sizeof(bad); k++)
			env_byte(e, bad[k], false);
		assert_true(env_answer(e, 1000));
		assert_int_equal(e->out->trouble, 1);
		assert_int_equal(env_request(e, requests[i], sizeof(requests[i])) == LINE_OKAY, i == 0);
	}
	assert_int_equal(e->ref.sent_again, 3);
	env_close(e);
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
