/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx_errors - what the parser says of wrong text, and where.
 *
 * Spec: tma_ptx.h
 * Checks: message, section, column and length for each rule of notation, modifiers, operands and targets; lines are
 *         counted; texts without end, zero bytes, long names, many operands; several instructions in one text; names
 *         without declarations; what stands in the engine's dialect alone.
 */
#include "ptx_test.h"

TEST(test_messages)
{
	static const struct {
		const char *text;
		uint32_t column, length;
		const char *message, *section;
	} rows[] = {
		{ "st.global.b32 [gd], r32;", 1, 2, "no instruction of this grammar begins with \"st\"", "" },
		{ "cp.async.bulk.bulk_group [gd], [ss], size;", 1, 13,
		  "cp.async.bulk needs its state space: .global", "1.4" },
		{ "cp.async.ca.shared.global.L2::64B.L2::128B [sd], [gs], 16;", 34, 9,
		  ".L2::128B: there is a prefetch size already", "" },
		{ "cp.async.bulk.tensor.2d.shared::cluster.global.tile.tile.mbarrier::complete_tx::bytes [sd], [tm, {c0, c1}], [mb];",
		  52, 5, ".tile: there is a mode already", "" },
		{ "cp.async.ca.shared.global.L2::512B [sd], [gs], 16;", 26, 9,
		  "there is no modifier \".L2::512B\"", "" },
		{ "cp.async.ca.shared.global [sd], [gs], 12;", 39, 1, "cp-size must be 4, 8 or 16", "1.1" },
		{ "cp.async.ca.shared.global [sd], [gs], 8, 9;", 42, 1,
		  "src-size must be from 0 to the cp-size", "1.1" },
		{ "cp.async.ca.shared.global [sd], [gs], 16, f0;", 43, 2,
		  "src-size must be a 32-bit register or a number", "1.1" },
		{ "cp.async.ca.shared.global [16], [gs], 16;", 28, 1,
		  "dst must be a register or a variable: no address is a number", "1.1" },
		{ "cp.async.ca.shared.global sd, [gs], 16;", 27, 1, "dst must be an address in brackets",
		  "1.1" },
		{ "cp.async.ca.shared.global [sd], [h0], 16;", 34, 2,
		  "src must be addressed by a register of 32 or 64 bits", "1.1" },
		{ "cp.async.ca.shared.global [sd], [gs+-8], 08;", 42, 2,
		  "08 is no number: something follows its digits", "" },
		{ "cp.async.ca.shared.global [sd], [gs], 16x;", 39, 3,
		  "16x is no number: something follows its digits", "" },
		{ "cp.async.ca.shared.global [sd], [gs], 0x;", 39, 2, "0x is a number without digits", "" },
		{ "cp.async.ca.shared.global [sd], [gs], 0x0x10;", 39, 6,
		  "0x0x10 is no number: something follows its digits", "" },
		{ "cp.async.ca.shared.global [sd], [gs], 99999999999999999999;", 39, 20,
		  "99999999999999999999 is a number of more than 64 bits", "" },
		{ "cp.async.ca.shared.global [sd+1.5], [gs], 16;", 31, 3,
		  "expected a whole number, not \"1.5\"", "" },
		{ "cp.async.ca.shared.global [sd], [gs], 16, nobody;", 43, 6, "nobody is not declared", "" },
		{ "cp.async.ca.shared.global [sd], [gs], 16", 41, 0,
		  "the text ends here, expected \",\" or \";\"", "" },
		{ "cp.async.ca.shared.global [sd], [gs] 16;", 38, 2, "expected \",\" or \";\", not \"16\"",
		  "" },
		{ "cp.async.ca.shared.global [sd, [gs], 16;", 32, 1, "expected \"{\", not \"[\"", "" },
		{ "cp.async.ca.shared.global [sd], [gs], 16; cp.async.wait_all;", 43, 1,
		  "something follows the instruction", "" },
		{ "@r32 cp.async.wait_all;", 2, 3, "the guard must be a predicate register", "" },
		{ "@ cp.async.wait_all;", 3, 2, "cp is not declared", "" },
		{ "cp.async.wait_all 0;", 19, 1,
		  "cp.async.wait_all has 0 operands with these modifiers, not 1", "1.2" },
		{ "cp.async.wait_group n;", 21, 1, "n must be a number", "1.2" },
		{ "cp.async.wait_group;", 20, 1,
		  "cp.async.wait_group has 1 operands with these modifiers: n, not 0", "1.2" },
		{ "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [sd], [gs], size, [mb], r32;",
		  110, 3, "ctaMask must be a 16-bit register or a number", "1.4" },
		{ "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sd], [gs], size, mb;",
		  85, 1, "mbar must be an address in brackets", "1.4" },
		{ "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [sd], [gs], size, [mb];",
		  104, 1,
		  "cp.async.bulk has 5 operands with these modifiers: dst, src, size, mbar, policy, not 4",
		  "1.4" },
		{ "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sd], [tm+64, {c0, c1}], [mb];",
		  84, 2, "nothing can be added to the address of a tensor map", "" },
		{ "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sd], [tm, {c0, h0}], [mb];",
		  93, 2, "element 1 must be a 32-bit register or a number", "1.8" },
		{ "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sd], [tm, {c0}], [mb];",
		  83, 1, "the vector of coordinates has 2 elements here, not 1", "1.8" },
		{ "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [sd], [tm, {c0,1,2,3,4,5}], [mb];",
		  88, 1, "a vector has at most 5 elements", "" },
		{ "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [sd], [tm, {c0,1,2}], [mb], {c0};",
		  113, 2, "element 0 must be a 16-bit register or a number", "1.8" },
		{ "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [sd], [tm, {c0,1,2}], [mb], h0;",
		  112, 2, "offsets must be a vector in braces", "1.8" },
		{ "mbarrier.arrive.shared::cluster.b64 state, [mb];", 37, 5,
		  "state must be the sink _: a barrier of another CTA does not return its state", "1.17" },
		{ "mbarrier.try_wait.parity.shared.b64 p, [mb], 2;", 46, 1, "parity must be 0 or 1", "1.17" },
		{ "mbarrier.try_wait.shared.b64 r32, [mb], state;", 30, 3,
		  "done must be a predicate register", "1.17" },
		{ "mbarrier.expect_tx.relaxed.shared.b64 [mb], txc;", 1, 18,
		  "mbarrier.expect_tx.shared needs its scope: .cta, .cluster", "1.17" },
		{ "createpolicy.fractional.L2::evict_last.b64 pol, 1.5;", 49, 1,
		  "fraction must be above 0.0 and at most 1.0", "1.16" },
		{ "createpolicy.fractional.L2::evict_last.b64 pol, 1;", 49, 1,
		  "fraction must be a number with a point, or an .f32 register", "1.16" },
		{ "createpolicy.range.L2::evict_last.b64 pol, [gs], 32, 16;", 54, 1,
		  "total must be at least the primary size", "1.16" },
		{ "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ss], 16;", 61, 1,
		  "value must be an element type from 0 to 12", "1.13" },
		{ "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ss], 13;", 1, 17,
		  "this form of tensormap.replace is not of sm_90a, but of sm_100a, sm_100f, sm_103a, sm_110a, sm_120a",
		  "1.13" },
		{ "tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [ss], 4;", 1, 17,
		  "this form of tensormap.replace is not of sm_90a, but of sm_103a", "1.13" },
		{ "mapa.shared::cluster.u32 d32, gbl, 3;", 31, 3,
		  "address must be a register of the type, or a variable in shared memory", "1.18" },
		{ "tma.signal;", 1, 10, "tma.signal is no PTX, but of the target engine", "" },
		{ ".global;", 1, 7, "expected an instruction, not \".global\"", "" },
		{ ";", 1, 1, "expected an instruction, not \";\"", "" },
		{ "prefetch.tensormap [pmap];", 21, 4, "pmap lies in .param, map is a generic address",
		  "1.12" },
		{ "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [tm, {c0,c1,c2,c3,c4}], [ss];",
		  1, 20,
		  "this form of cp.async.bulk.tensor is not of sm_90a, but of sm_100a, sm_100f, sm_103a, sm_110a",
		  "1.8" },
		{ "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [gd], [ss], 16, 1;", 44, 8,
		  ".cp_mask is not of sm_90a, but of sm_100, sm_100a, sm_100f, sm_103a, sm_110a, sm_120a",
		  "1.4" },
		{ "cp.async.ca.shared.global {c0, c1}, [gs], 16;", 27, 1, "dst takes no vector", "1.1" },
		{ "cp.async.ca.shared.global [sd], [gs], 16, !size;", 44, 4,
		  "src-size must be a 32-bit register or a number", "1.1" },
		{ "cp.async.ca.shared.global [sd], [gs], 16, 1, 2, 3, 4, 5;", 55, 1,
		  "no instruction has more than 7 operands", "" },
		{ "mbarrier.inval.b64 [_];", 21, 1, "mbar must be a register or a variable", "1.17" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tma_ptx_instruction read;
		struct tma_ptx_error error;

		if (!tma_ptx_parse(rows[i].text, TMA_PTX_SM_90A, tma_ptx_frame(), &read, &error))
			fail_msg("%s: accepted", rows[i].text);
		assert_string_equal(error.message, rows[i].message);
		assert_string_equal(error.section, rows[i].section);
		assert_int_equal(error.place.line, 1);
		if (error.place.column != rows[i].column || error.length != rows[i].length)
			fail_msg("%s: column %u, length %u", rows[i].text, error.place.column, error.length);
		/* Nobody has to ask why. */
		assert_int_equal(tma_ptx_parse(rows[i].text, TMA_PTX_SM_90A, tma_ptx_frame(), &read, NULL),
		                 -1);
	}
}

static void expect_error(const char *text, enum tma_ptx_target target, const struct tma_ptx_symbols *symbols,
                         const char *message)
{
	struct tma_ptx_instruction read;
	struct tma_ptx_error error;

	assert_int_equal(tma_ptx_parse(text, target, symbols, &read, &error), -1);
	assert_string_equal(error.message, message);
}

TEST(test_names)
{
	enum tma_ptx_target target = TMA_PTX_SM_90;
	struct tma_ptx_instruction read;
	char text[200];

	snprintf(text, sizeof(text), "mbarrier.inval.b64 [%0*d];", 60, 0);
	expect_error(text, TMA_PTX_SM_90, tma_ptx_frame(),
	             "mbar must be a register or a variable: no address is a number");
	memset(strchr(text, '[') + 1, 'a', 60);
	expect_error(text, TMA_PTX_SM_90, tma_ptx_frame(), "a name has at most 47 characters");
	expect_error("mbarrier.inval.b64 [mbar];", TMA_PTX_SM_90, NULL, "mbar is not declared");
	expect_error("mbarrier.inval.b64 [mbarx];", TMA_PTX_SM_90, tma_ptx_frame(), "mbarx is not declared");
	expect_error("mbarrier.inval.b64 [%rd12];", TMA_PTX_SM_90, tma_ptx_frame(), "%rd12 is not declared");
	expect_error("mbarrier.inval.b64 [%rd01];", TMA_PTX_SM_90, tma_ptx_frame(), "%rd01 is not declared");
	expect_error("mbarrier.inval.b64 [%rd];", TMA_PTX_SM_90, tma_ptx_frame(), "%rd is not declared");
	assert_int_equal(
		tma_ptx_parse("mbarrier.inval.b64 [%rd11];", TMA_PTX_SM_90, tma_ptx_frame(), &read, NULL), 0);
	assert_int_equal(tma_ptx_parse("cp.async.wait_all;", TMA_PTX_SM_90, NULL, &read, NULL), 0);
	expect_error("cp.async.wait_all;", TMA_PTX_TARGETS, NULL, "there is no such target");
	assert_int_equal(tma_ptx_target_of("sm_89", &target), -1);
	assert_null(tma_ptx_target_name(TMA_PTX_TARGETS));
	assert_null(tma_ptx_opcode_name(TMA_PTX_OPCODES));
	assert_null(tma_ptx_modifier(TMA_PTX_CLASS_MODE, 0));
	assert_null(tma_ptx_modifier(TMA_PTX_CLASSES, 1));
	for (uint32_t i = 0; i < TMA_PTX_TARGETS; i++) {
		assert_int_equal(tma_ptx_target_of(tma_ptx_target_name((enum tma_ptx_target)i), &target), 0);
		assert_int_equal(target, i);
	}
}

/* What no row of the table shows: semantics 1.0. */
TEST(test_narrow_source)
{
	static const char text[] =
		"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [sd], [r32], 16, [mb];";
	struct tma_ptx_instruction read;

	for (uint32_t target = 0; target < TMA_PTX_TARGETS; target++)
		assert_int_equal(tma_ptx_parse(text, (enum tma_ptx_target)target, tma_ptx_frame(), &read,
		                               NULL),
		                 target == TMA_PTX_SM_120A ? -1 : 0);
	expect_error(text, TMA_PTX_SM_120A, tma_ptx_frame(), "src must be a 64-bit register on sm_120a");
}

TEST(test_several_lines)
{
	static const char program[] = "// two instructions\n"
				      "@!p cp.async.wait_group /* how\n many */ 0x2U;\n"
				      "\tcp.async\n  .bulk.commit_group; cp.async.wait_all 1;\n";
	const char *text = program;
	struct tma_ptx_place place = { 1, 1 };
	struct tma_ptx_instruction read;
	struct tma_ptx_error error;

	assert_int_equal(tma_ptx_parse_next(&text, &place, TMA_PTX_SM_90, tma_ptx_frame(), &read, &error), 0);
	assert_int_equal(read.opcode, TMA_PTX_OP_CP_ASYNC_WAIT_GROUP);
	assert_string_equal(read.guard.name, "p");
	assert_true(read.guard_negated);
	assert_int_equal(read.place.line, 2);
	assert_int_equal(read.place.column, 5);
	assert_int_equal(read.operand[0].term.value, 2);
	assert_int_equal(read.operand[0].place.line, 3);
	assert_int_equal(tma_ptx_parse_next(&text, &place, TMA_PTX_SM_90, tma_ptx_frame(), &read, &error), 0);
	assert_int_equal(read.opcode, TMA_PTX_OP_CP_ASYNC_BULK_COMMIT_GROUP);
	assert_int_equal(read.place.line, 4);
	assert_int_equal(read.place.column, 2);
	assert_int_equal(tma_ptx_parse_next(&text, &place, TMA_PTX_SM_90, tma_ptx_frame(), &read, &error),
	                 -1);
	assert_int_equal(error.place.line, 5);
	assert_int_equal(error.place.column, 41);
	assert_string_equal(tma_ptx_skip(" /**/ // x\n\t", NULL), "");
	assert_string_equal(tma_ptx_skip("/* x", NULL), "/* x");
}

TEST(test_numbers)
{
	static const struct {
		const char *text;
		uint64_t value;
	} rows[] = {
		{ "0", 0 },
		{ "017", 15 },
		{ "0b101", 5 },
		{ "0X1f", 31 },
		{ "-1", UINT64_MAX },
		{ "12U", 12 },
		{ "4294967296", 4294967296 },
		{ "0xffffffffffffffff", UINT64_MAX },
	};
	struct tma_ptx_instruction read;
	char text[100];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), "cp.async.wait_group %s;", rows[i].text);
		assert_int_equal(tma_ptx_parse(text, TMA_PTX_SM_90, NULL, &read, NULL), 0);
		assert_true(read.operand[0].term.value == rows[i].value);
	}
	assert_int_equal(tma_ptx_parse("createpolicy.fractional.L2::evict_last.b64 pol, 0f3E800000;",
	                               TMA_PTX_SM_90, tma_ptx_frame(), &read, NULL),
	                 0);
	assert_true(read.operand[1].term.number == 0.25);
	assert_int_equal(tma_ptx_parse("createpolicy.fractional.L2::evict_last.b64 pol, 0d3FE0000000000000;",
	                               TMA_PTX_SM_90, tma_ptx_frame(), &read, NULL),
	                 0);
	assert_true(read.operand[1].term.number == 0.5);
	assert_int_equal(tma_ptx_parse("createpolicy.fractional.L2::evict_last.b64 pol, 1e-1;", TMA_PTX_SM_90,
	                               tma_ptx_frame(), &read, NULL),
	                 0);
	assert_true(read.operand[1].term.number == 0.1);
	expect_error("cp.async.wait_group 0fzz;", TMA_PTX_SM_90, NULL,
	             "0fzz is no number: something follows its digits");
	expect_error("cp.async.wait_group - n;", TMA_PTX_SM_90, tma_ptx_frame(),
	             "expected a number, not \"n\"");
}

TEST(test_engine_dialect)
{
	static const struct {
		const char *text, *message; /* NULL: accepted */
	} rows[] = {
		{ "mbarrier.inval.shared::cta.b64 [0x1000040];", NULL },
		{ "mbarrier.test_wait.parity.shared::cta.b64 _, [64], 7;", NULL },
		{ "cp.async.ca.shared::cta.global [0], [0], 5, !0;", NULL },
		{ "cp.async.wait_all; // tma: record tag=0xffffffff last_state", NULL },
		{ "cp.async.wait_all; // tma:\n", NULL },
		{ "cp.async.wait_all; // other words", NULL },
		{ "tma.signal;", NULL },
		{ "tma.cancel 3;", NULL },
		{ "tma.command {1, 2, 3, 4, 5, 6, 7, 8};", NULL },
		{ "tma.command {1, 2, 3, 4, 5, 6, 7};", "the vector has 8 elements here, not 7" },
		{ "tma.command {1, 2, 3, 4, 5, 6, 7, 8, 9};", "a vector has at most 8 elements" },
		{ "tma.command {1, 2, 3, 4, 5, 6, 7, n};", "element 7 must be a number" },
		{ "cp.async.wait_all; // tma: tag=4294967296", "a tag is a number below 2^32" },
		{ "cp.async.wait_all; // tma: tag=", "a tag is a number below 2^32" },
		{ "cp.async.wait_all; // tma: recorded",
		  "behind \"// tma:\" stand record, last_state and tag=N" },
		{ "mbarrier.test_wait.parity.shared::cta.b64 !0, [64], 7;",
		  "done must be a predicate register" },
	};
	struct tma_ptx_instruction read;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].message)
			expect_error(rows[i].text, TMA_PTX_ENGINE, tma_ptx_frame(), rows[i].message);
		else
			assert_int_equal(tma_ptx_parse(rows[i].text, TMA_PTX_ENGINE, NULL, &read, NULL), 0);
		/* Elsewhere the words are a comment like any other. */
		if (i < 3 || i > 5)
			assert_int_equal(tma_ptx_parse(rows[i].text, TMA_PTX_SM_103A, tma_ptx_frame(), &read,
			                               NULL),
			                 strncmp(rows[i].text, "cp.async.wait_all", 17) ? -1 : 0);
	}
	/* The next line is not the tag's. */
	expect_error("cp.async.wait_all; // tma: tag=\n7", TMA_PTX_ENGINE, tma_ptx_frame(),
	             "a tag is a number below 2^32");
	assert_int_equal(tma_ptx_parse(rows[3].text, TMA_PTX_ENGINE, NULL, &read, NULL), 0);
	assert_true(read.record && read.last_state && read.tag == UINT32_MAX);
	assert_int_equal(tma_ptx_parse(rows[5].text, TMA_PTX_ENGINE, NULL, &read, NULL), 0);
	assert_false(read.record || read.last_state || read.tag);
}

/* Each differs from the first one in one thing. */
TEST(test_same)
{
	static const char *const texts[] = {
		"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [tm, {c0, c1}];",
		"cp.async.bulk.prefetch.tensor.2d.L2.global [tm, {c0, c1}];",
		"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [tm, {c0, c2}];",
		"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [tm, {c0, 1}];",
		"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [tm, {c0, -1}];",
		"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [gs, {c0, c1}];",
		"cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::cache_hint [tm, {c0, c1}], pol;",
		"@p cp.async.bulk.prefetch.tensor.2d.L2.global.tile [tm, {c0, c1}];",
		"@!p cp.async.bulk.prefetch.tensor.2d.L2.global.tile [tm, {c0, c1}];",
		"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [tm, {c0, c1}]; // tma: record",
		"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [tm, {c0, c1}]; // tma: last_state",
		"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [tm, {c0, c1}]; // tma: tag=1",
		"cp.async.bulk.prefetch.L2.global [tm], 16;",
		"cp.async.bulk.prefetch.L2.global [tm+0], 16;",
		"cp.async.bulk.prefetch.L2.global [tm+16], 16;",
		"cp.async.ca.shared.global [sd], [gs], 4, p;",
		"cp.async.ca.shared.global [sd], [gs], 4, !p;",
		"createpolicy.fractional.L2::evict_last.b64 pol, 0.5;",
		"createpolicy.fractional.L2::evict_last.b64 pol, 0.25;",
	};
	const size_t count = sizeof(texts) / sizeof(texts[0]);

	for (size_t i = 0; i < count * count; i++) {
		struct tma_ptx_instruction one, other;

		assert_int_equal(tma_ptx_parse(texts[i / count], TMA_PTX_ENGINE, tma_ptx_frame(), &one, NULL),
		                 0);
		assert_int_equal(
			tma_ptx_parse(texts[i % count], TMA_PTX_ENGINE, tma_ptx_frame(), &other, NULL), 0);
		if (tma_ptx_same(&one, &other) != (i / count == i % count))
			fail_msg("%s, %s", texts[i / count], texts[i % count]);
	}
}

TEST(test_frame_text)
{
	char text[2000], cut[8];
	const int length = tma_ptx_frame_text(text, sizeof(text));

	assert_in_range(length, 1, sizeof(text) - 1);
	assert_int_equal(strlen(text), length);
	assert_non_null(strstr(text, ".const .b8 cmap[];\n"));
	assert_non_null(strstr(text, ".reg .s32 c<6>;\n"));
	assert_non_null(strstr(text, ".reg .f32 f0;\n.reg .f64 fd;\n"));
	assert_int_equal(tma_ptx_frame_text(cut, sizeof(cut)), length);
	assert_int_equal(strlen(cut), sizeof(cut) - 1);
	assert_int_equal(tma_ptx_frame_text(NULL, 0), length);
}

TEST(test_odd_text)
{
	expect_error(
		"fence.global.shared.2d.L2.tile.bulk_group.multicast::cluster.cta_group::1.L2::cache_hint.L2::64B.cp_mask"
		".add.noftz.u32.ca.read;",
		TMA_PTX_SM_90, NULL, "no instruction has 16 modifiers");
	expect_error("cp.async.wait_group \xc3\xa9;", TMA_PTX_SM_90, NULL,
	             "expected an operand, not the byte 0xc3");
	expect_error("cp.async.wait_all;\x01", TMA_PTX_SM_90, NULL, "something follows the instruction");
	expect_error("mbarrier.inval.b64 [bb];", TMA_PTX_SM_90, tma_ptx_frame(),
	             "mbar must be addressed by a register of 32 or 64 bits");
}

TEST(test_no_instruction)
{
	struct tma_ptx_instruction read = { .form = UINT32_MAX };
	char text[10];

	assert_int_equal(tma_ptx_print(&read, text, sizeof(text)), -1);
	assert_int_equal(tma_ptx_parse("cp.async.wait_all;", TMA_PTX_SM_90, NULL, &read, NULL), 0);
	assert_int_equal(tma_ptx_print(&read, NULL, 0), 18);
	read.opcode = TMA_PTX_OP_FENCE;
	assert_int_equal(tma_ptx_print(&read, text, sizeof(text)), -1);
}
