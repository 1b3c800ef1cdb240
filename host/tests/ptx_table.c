/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx_table - the parser against ptxas 13.0, and against itself.
 *
 * Spec: tma_ptx.h; hw_tests/vectors/FORMAT.md, ptx_syntax; docs/semantics.md, section 1.7
 * Checks: the verdict of every row of the table; what is printed of an accepted row is read as the same; 5,000
 *         permutations of the modifiers of accepted rows are accepted as the same, and with the two spaces
 *         exchanged as nothing that is accepted; every form of multimem.cp, which the table does not have.
 */
#include "lib/rng.h"
#include "ptx_test.h"

TEST(test_every_row)
{
	size_t count, in_scope = 0, wrong = 0;
	const struct ptx_row *row = ptx_table(&count);

	for (; count; count--, row++) {
		struct tma_ptx_instruction read;
		struct tma_ptx_error error = { 0 };
		bool accept;

		if (!ptx_in_scope(row))
			continue;
		in_scope++;
		accept = !tma_ptx_parse(row->instruction, row->target, tma_ptx_frame(), &read, &error);
		if (accept == row->accept && (accept || error.message[0]))
			continue;
		wrong++;
		print_error("%s: %s: %s %s\n", tma_ptx_target_name(row->target), row->instruction,
		            accept ? "accepted" : "rejected:", error.message);
	}
	assert_int_equal(wrong, 0);
	/* Of 16,128 rows; that none falls out of scope unseen. */
	assert_int_equal(in_scope, 15360);
}

static void expect_same(const char *text, enum tma_ptx_target target,
                        const struct tma_ptx_instruction *expected)
{
	struct tma_ptx_instruction read;
	struct tma_ptx_error error = { 0 };

	if (tma_ptx_parse(text, target, tma_ptx_frame(), &read, &error))
		fail_msg("%s: %s", text, error.message);
	if (!tma_ptx_same(&read, expected))
		fail_msg("%s: was read as something else", text);
}

TEST(test_print_and_parse)
{
	size_t count, printed = 0;
	const struct ptx_row *row = ptx_table(&count);

	for (; count; count--, row++) {
		struct tma_ptx_instruction read;
		char text[600], cut[20];
		int length;

		if (!ptx_in_scope(row) || !row->accept)
			continue;
		assert_int_equal(tma_ptx_parse(row->instruction, row->target, tma_ptx_frame(), &read, NULL),
		                 0);
		length = tma_ptx_print(&read, text, sizeof(text));
		assert_in_range(length, 1, sizeof(text) - 1);
		assert_int_equal(strlen(text), length);
		expect_same(text, row->target, &read);
		expect_same(text, TMA_PTX_ENGINE, &read);
		assert_int_equal(tma_ptx_print(&read, cut, sizeof(cut)), length);
		assert_int_equal(strncmp(cut, text, sizeof(cut) - 1), 0);
		assert_int_equal(strlen(cut), length < 20 ? (size_t)length : sizeof(cut) - 1);
		printed++;
	}
	assert_in_range(printed, 4000, 16000);
}

/* An instruction in pieces: what stands before its modifiers, they, and what stands behind. */
struct pieces {
	char head[100], modifier[20][40], tail[400];
	uint32_t count;
};

static void take_apart(const char *text, const struct tma_ptx_instruction *read, struct pieces *pieces)
{
	const char *name = tma_ptx_opcode_name(read->opcode), *at = strstr(text, name);

	assert_non_null(at);
	at += strlen(name);
	snprintf(pieces->head, sizeof(pieces->head), "%.*s", (int)(at - text), text);
	for (pieces->count = 0; *at == '.'; pieces->count++) {
		size_t length = 1 + strcspn(at + 1, ". ;");

		assert_true(pieces->count < 20 && length < 40);
		snprintf(pieces->modifier[pieces->count], 40, "%.*s", (int)length, at);
		at += length;
	}
	snprintf(pieces->tail, sizeof(pieces->tail), "%s", at);
}

static void put_together(const struct pieces *pieces, const uint32_t *order, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "%s", pieces->head);

	for (uint32_t i = 0; i < pieces->count; i++)
		used += (size_t)snprintf(text + used, size - used, "%s", pieces->modifier[order[i]]);
	snprintf(text + used, size - used, "%s", pieces->tail);
}

/* 0: it may stand anywhere; the others keep their order: state spaces, and eviction priorities. */
static int ordered(const char *modifier)
{
	static const char *const spaces[] = { ".global",          ".shared", ".shared::cta",
		                              ".shared::cluster", ".const",  ".param" };

	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
		if (!strcmp(modifier, spaces[i]))
			return 1;
	return strncmp(modifier, ".L2::evict_", 11) ? 0 : 2;
}

/* Exchange neighbours at random, except where their order counts. */
static void shuffle(struct rng *rng, const struct pieces *pieces, uint32_t *order)
{
	for (uint32_t i = 0; i < pieces->count; i++)
		order[i] = i;
	for (uint32_t i = 0; pieces->count > 1 && i < 4 * pieces->count * pieces->count; i++) {
		uint32_t at = rng_below(rng, pieces->count - 1), one = order[at], other = order[at + 1];

		if (ordered(pieces->modifier[one]) &&
		    ordered(pieces->modifier[one]) == ordered(pieces->modifier[other]))
			continue;
		order[at] = other;
		order[at + 1] = one;
	}
}

TEST(test_permutations)
{
	struct rng rng = rng_make(16, 0);
	uint32_t moved = 0, exchanged = 0;
	size_t count;
	const struct ptx_row *rows = ptx_table(&count);

	while (moved < 5000) {
		const struct ptx_row *row = &rows[rng_below(&rng, (uint32_t)count)];
		uint32_t order[20], first = 20, second = 20;
		struct tma_ptx_instruction read;
		struct pieces pieces;
		char text[600];

		if (!ptx_in_scope(row) || !row->accept)
			continue;
		assert_int_equal(tma_ptx_parse(row->instruction, row->target, tma_ptx_frame(), &read, NULL),
		                 0);
		take_apart(row->instruction, &read, &pieces);
		shuffle(&rng, &pieces, order);
		put_together(&pieces, order, text, sizeof(text));
		if (strcmp(text, row->instruction) == 0)
			continue;
		expect_same(text, row->target, &read);
		moved++;
		for (uint32_t i = 0; i < pieces.count; i++)
			if (ordered(pieces.modifier[order[i]]) == 1) {
				second = first < 20 ? i : second;
				first = first < 20 ? first : i;
			}
		if (second == 20)
			continue;
		/* The source's space first. */
		uint32_t kept = order[first];

		order[first] = order[second];
		order[second] = kept;
		put_together(&pieces, order, text, sizeof(text));
		/* A bulk copy the other way round can be a form of its own, but not with the same mechanism. */
		assert_int_equal(tma_ptx_parse(text, row->target, tma_ptx_frame(), &read, NULL), -1);
		exchanged++;
	}
	assert_true(exchanged > 1000);
}

/* ---- multimem.cp, by the documentation of PTX 9.1 ------------------------------------------------ */

static bool is_one_of(const char *name, const char *names)
{
	const char *at = strstr(names, name);
	const size_t length = strlen(name);

	return at && (at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length]);
}

TEST(test_multimem_reductions)
{
	static const struct {
		const char *ops, *types;
		bool noftz;
	} right[] = {
		{ "add", "u32 s32 u64 f32 f64", false },
		{ "add", "f16 bf16", true },
		{ "min max", "u32 s32 u64 s64 f16 bf16", false },
		{ "inc dec", "u32", false },
		{ "and or xor", "b32 b64", false },
	};
	static const char *const ops[] = { "add", "min", "max", "inc", "dec", "and", "or", "xor" };
	static const char *const types[] = { "u32", "s32",  "b32", "u64", "s64", "b64",
		                             "f16", "bf16", "f32", "f64", "b16" };
	uint32_t accepted = 0;

	for (uint32_t i = 0; i < 8 * 11 * 2 * TMA_PTX_ENGINE; i++) {
		const char *op = ops[i % 8], *type = types[i / 8 % 11];
		const bool noftz = i / 88 % 2;
		struct tma_ptx_instruction read;
		bool expected = false, accept;
		char text[200];

		for (size_t j = 0; j < sizeof(right) / sizeof(right[0]); j++)
			expected |= is_one_of(op, right[j].ops) && is_one_of(type, right[j].types) &&
			            noftz == right[j].noftz;
		snprintf(
			text, sizeof(text),
			"multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.%s%s.%s [gd], [ss], size;",
			op, noftz ? ".noftz" : "", type);
		accept = !tma_ptx_parse(text, (enum tma_ptx_target)(i / 176), tma_ptx_frame(), &read, NULL);
		if (accept != expected)
			fail_msg("%s: %s", text, accept ? "accepted" : "rejected");
		accepted += accept;
	}
	assert_int_equal(accepted, (7 + 12 + 2 + 6) * TMA_PTX_ENGINE);
}

TEST(test_multimem_copies)
{
	static const struct {
		const char *text;
		bool sm_90, sm_100;
	} rows[] = {
		{ ".global.shared::cta.bulk_group [gd], [ss], size;", true, true },
		{ ".bulk_group.global.shared::cta [gbl+16], [smem], 512;", true, true },
		{ ".global.shared::cta.bulk_group.cp_mask [gd], [ss], size, byteMask;", false, true },
		{ ".global.shared::cta.cp_mask.bulk_group [gd], [ss], 32, 65535;", false, true },
		{ ".global.shared::cta.bulk_group [gd], [ss], size, byteMask;", false, false },
		{ ".global.shared::cta.bulk_group.cp_mask [gd], [ss], size;", false, false },
		{ ".global.shared::cta.bulk_group.L2::cache_hint [gd], [ss], size, pol;", false, false },
		{ ".global.shared::cta.bulk_group [gd], [ss], 8;", false, false },
		{ ".global.shared::cta.mbarrier::complete_tx::bytes [gd], [ss], size, [mb];", false, false },
		{ ".global.shared::cta [gd], [ss], size;", false, false },
		{ ".shared::cta.global.bulk_group [sd], [gs], size;", false, false },
		{ ".global.shared.bulk_group [gd], [ss], size;", false, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (uint32_t target = 0; target < TMA_PTX_ENGINE; target++) {
			struct tma_ptx_instruction read;
			char text[200];
			bool accept;

			snprintf(text, sizeof(text), "multimem.cp.async.bulk%s", rows[i].text);
			accept = !tma_ptx_parse(text, (enum tma_ptx_target)target, tma_ptx_frame(), &read,
			                        NULL);
			if (accept != (target < TMA_PTX_SM_100 ? rows[i].sm_90 : rows[i].sm_100))
				fail_msg("%s, %s", text, tma_ptx_target_name((enum tma_ptx_target)target));
		}
	}
}
