/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_check_test - the rules that follow from a command alone, against a reference of its own.
 *
 * Requirement: the lowest fault that a command deserves before it reaches a barrier, with the
 * address of its record; every other command passes, with the CTAs whose barriers it works on and
 * what it does to them. A command that could not be fetched says so before anything else.
 * Checks: tma_check_ref. Legal commands of every opcode, each of them with every single bit
 * flipped, and with up to three operands moved to and across the limits of the rules; reductions of every operator
 * and type. Of the register in between: what it holds, gives and drops.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_abi.h"
#include "tma_tables.h"
#include "unit_rtl/tma_check_draw.h"
#include "unit_rtl/tma_check_ref.h"

#define RANDOM_COMMANDS 250000u
#define MAX_CODE        0x100u

struct bench {
	struct check *unit;
	const struct unit_shape *info;
	struct rng rng;
	struct draw draw;
	uint32_t seen[MAX_CODE];   /* commands by fault */
	uint32_t passed[MAX_CODE]; /* legal commands by opcode */
};

static void bench_open(struct bench *b, uint64_t seed)
{
	memset(b, 0, sizeof(*b));
	b->rng = rng_make(seed, 1);
	b->unit = check_open();
	check_start(b->unit);
	b->info = unit_shape();
	b->draw = (struct draw){ b->info, &b->rng };
}

#define BENCH_TEST(name, ...) TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), check_close(b->unit))

static void print_command(const struct check_in *in)
{
	const uint8_t *bytes = (const uint8_t *)&in->cmd.cmd;

	print_message("CTA %u, mask %#x, fetch %u, command", in->cta, in->cta_mask, in->cmd.fetch);
	for (uint32_t i = 0; i < sizeof(in->cmd.cmd); i++)
		print_message("%s%02x", i % 8 ? "" : " ", bytes[i]);
	print_message("\n");
}

/* A command that is taken at once, and whose queue nothing holds back. */
static void put(struct bench *b, const struct check_in *in)
{
	struct check_in *pins = check_in(b->unit);

	*pins = *in;
	pins->rst_n = pins->valid = pins->ready = 1;
	pins->live = 0xFFFF;
	pins->flush = 0;
}

/* What was on its way leaves. */
static void leave(struct bench *b)
{
	if (!b->info->short_paths)
		return;
	check_tick(b->unit);
	assert_int_equal(check_out(b->unit)->valid, 0);
}

static void compare(struct bench *b, const struct check_in *in)
{
	const struct check_fault want = check_ref_fault(b->info, in);
	const struct tma_command *c = &in->cmd.cmd;
	const struct check_issue *out = &check_out(b->unit)->issue;
	uint32_t ctas, again;

	put(b, in);
	check_eval(b->unit);
	assert_int_equal(check_out(b->unit)->ready, 1);
	if (b->info->short_paths) {
		assert_int_equal(check_out(b->unit)->valid, 0);
		check_tick(b->unit);
		check_in(b->unit)->valid = 0;
		/* It stands in the register: what is at the pins now does not matter. */
		check_in(b->unit)->cmd = (struct check_fetched){ 0 };
		check_eval(b->unit);
		assert_int_equal(check_out(b->unit)->ready, 0);
	}
	assert_int_equal(check_out(b->unit)->valid, 1);
	if (out->fault != want.code || out->fault_addr != want.address) {
		print_command(in);
		fail_msg("fault %#x at %#llx, not %#x at %#llx", out->fault,
		         (unsigned long long)out->fault_addr, want.code, (unsigned long long)want.address);
	}
	assert_int_equal(out->qid, in->qid);
	assert_memory_equal(&out->cmd, c, sizeof(out->cmd));
	b->seen[want.code]++;
	if (want.code) {
		leave(b);
		return;
	}
	b->passed[c->opcode]++;
	ctas = check_ref_ctas(c, &again);
	if (out->ctas != ctas || out->again != again || (out->ctas && out->bar_op != check_ref_op(c))) {
		print_command(in);
		fail_msg("operation %u on barriers of the CTAs %#x, again %#x", out->bar_op, out->ctas,
		         out->again);
	}
	leave(b);
}

/*
 * Tests.
 */

BENCH_TEST(single_bits, 1)
{
	for (uint32_t i = 0; i < draw_known(&b->draw); i++)
		for (uint32_t k = 0; k < 4; k++) {
			struct check_in in = draw_legal(&b->draw, draw_opcodes[i]);
			uint8_t *bytes = (uint8_t *)&in.cmd.cmd;

			compare(b, &in);
			assert_true(b->passed[draw_opcodes[i]] > k);
			for (uint32_t bit = 0; bit < 512; bit++) {
				bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
				compare(b, &in);
				bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
			}
		}
}

BENCH_TEST(every_opcode, 2)
{
	for (uint32_t opcode = 0; opcode < 256; opcode++)
		for (uint32_t version = 0; version < 256; version++) {
			struct check_in in = { .cta_mask = (uint16_t)((1u << b->info->ctas) - 1) };

			in.cmd.cmd.opcode = (uint8_t)opcode;
			in.cmd.cmd.version = (uint8_t)version;
			in.cmd.cmd.tag = opcode;
			compare(b, &in);
		}
}

/* All pairs of an operator and a type, those included that no table has. */
BENCH_TEST(every_pair, 5)
{
	for (uint32_t i = 0; i < DRAW_OPCODES; i++) {
		struct check_in in = draw_legal(&b->draw, draw_opcodes[i]);

		if (!tma_opcode_info(draw_opcodes[i])->needs)
			continue;
		for (uint32_t pair = 0; pair < 0x10000; pair++) {
			in.cmd.cmd.op = (uint8_t)pair;
			in.cmd.cmd.type = (uint8_t)(pair >> 8);
			compare(b, &in);
		}
	}
	assert_true(!b->info->reductions || b->seen[TMA_FAULT_REDUCE_OP] > 1000);
}

/* Bits 63:0 are the address of a slot; as a command they would often be worse than not fetched. */
BENCH_TEST(not_fetched, 4)
{
	for (uint32_t i = 0; i < 1000; i++) {
		struct check_in in = draw_legal(&b->draw, draw_opcodes[rng_below(&b->rng, DRAW_OPCODES)]);
		uint64_t slot = rng_next(&b->rng) & ~UINT64_C(63);

		in.cmd.fetch = 1 + i % 4;
		if (i % 2) {
			memset(&in.cmd.cmd, 0, sizeof(in.cmd.cmd));
			memcpy(&in.cmd.cmd, &slot, sizeof(slot));
		}
		compare(b, &in);
	}
}

/* Every rule is broken often enough that its limits were met, on both sides. */
BENCH_TEST(limits, 3)
{
	for (uint32_t i = 0; i < RANDOM_COMMANDS; i++) {
		struct check_in in = draw_legal(&b->draw, draw_opcodes[rng_below(&b->rng, DRAW_OPCODES)]);

		for (uint32_t k = rng_below(&b->rng, 4); k; k--)
			draw_mutate(&b->draw, &in);
		compare(b, &in);
	}
	for (uint32_t i = 0; i < draw_known(&b->draw); i++)
		if (b->passed[draw_opcodes[i]] < 500)
			fail_msg("%u legal commands of opcode %#x", b->passed[draw_opcodes[i]],
			         draw_opcodes[i]);
	for (uint32_t i = 1; i < MAX_CODE; i++) {
		const struct tma_fault_info *info = tma_fault_info((uint16_t)i);

		/* With 16 CTAs no mask is too wide. */
		if (!info || strcmp(info->where, "decode") || (info->needs && !b->info->reductions) ||
		    (i == TMA_FAULT_MASK_CTA && b->info->ctas == 16))
			continue;
		if (b->seen[i] < 20)
			fail_msg("%s met %u times", info->name, b->seen[i]);
	}
}

/*
 * With short paths a register takes a command when it is empty, and gives it away; one whose queue is flushed,
 * disabled or resumed leaves it, or does not come in. Without them there is none.
 */
BENCH_TEST(on_their_way, 6)
{
	bool held = false, comes;
	uint32_t tag = 0, qid = 0, given = 0, dropped = 0;

	for (uint32_t i = 0; i < 20000; i++) {
		struct check_in *in = check_in(b->unit);
		const struct check_out *out = check_out(b->unit);
		uint32_t queue, stays;

		put(b, &(struct check_in){ 0 });
		in->qid = (uint8_t)rng_below(&b->rng, b->info->queues);
		in->cmd.cmd.tag = i;
		in->valid = rng_percent(&b->rng, 70);
		in->ready = rng_percent(&b->rng, 50);
		if (rng_percent(&b->rng, 30))
			in->live = (uint16_t)(rng_next(&b->rng) & ((1u << b->info->queues) - 1));
		in->flush = rng_percent(&b->rng, 30);
		in->flush_queue = (uint8_t)rng_below(&b->rng, b->info->queues);
		check_eval(b->unit);
		if (!b->info->short_paths) {
			assert_int_equal(out->ready, in->ready);
			assert_int_equal(out->valid, in->valid);
			continue;
		}
		assert_int_equal(out->ready, !held);
		assert_int_equal(out->valid, held);
		if (held) {
			assert_int_equal(out->issue.cmd.tag, tag);
			assert_int_equal(out->issue.qid, qid);
		}
		queue = held ? qid : in->qid;
		stays = (in->live >> queue & 1) && !(in->flush && in->flush_queue == queue);
		comes = !held && in->valid;
		given += held && in->ready;
		dropped += !stays && (held ? !in->ready : comes);
		if (comes) {
			tag = i;
			qid = in->qid;
		}
		held = stays && (held ? !in->ready : comes);
		check_tick(b->unit);
	}
	assert_true(!b->info->short_paths || (given > 1000 && dropped > 1000));
}
