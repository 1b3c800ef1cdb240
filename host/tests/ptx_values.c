/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx_values - instructions and what their names hold into commands.
 *
 * Spec: tma_ptx.h, tma_command.h
 * Checks: names and what is added to them, predicates, guards, operands that may be left out; values that are missing or
 *         too large; what the engine has no command for; every row of the table that is a command has one, which prints
 *         and is read back.
 */
#include <locale.h>

#include "ptx_test.h"
#include "tma_command.h"

static bool find_value(void *context, const char *name, uint64_t *value)
{
	(void)context;
	if (!strcmp(name, "q"))
		return false;
	*value = !strcmp(name, "gd") ? UINT64_C(0x100001000) : !strcmp(name, "p") ? 1 : strlen(name) * 0x100;
	return true;
}

static const struct tma_ptx_values values = { .find = find_value };

static int bind(const char *text, struct tma_command *command, struct tma_ptx_error *error)
{
	struct tma_ptx_instruction instruction;

	if (tma_ptx_parse(text, TMA_PTX_SM_103A, tma_ptx_frame(), &instruction, error))
		fail_msg("%s: %s", text, error->message);
	return tma_ptx_command(&instruction, &values, command, error);
}

/* Where the program's locale has a comma. `make test-ptx` brings it. */
TEST(test_point_in_every_locale)
{
	static const char text[] = "createpolicy.fractional.L2::evict_last.b64 pol, 0.25;";
	struct tma_ptx_instruction read;
	char printed[200];
	int error;

	assert_non_null(setlocale(LC_NUMERIC, "de_DE.UTF-8"));
	assert_string_equal(localeconv()->decimal_point, ",");
	error = tma_ptx_parse(text, TMA_PTX_SM_90, tma_ptx_frame(), &read, NULL);
	tma_ptx_print(&read, printed, sizeof(printed));
	setlocale(LC_NUMERIC, "C");
	assert_int_equal(error, 0);
	assert_non_null(strstr(printed, "0.25"));
}

TEST(test_names)
{
	struct tma_command command, expected;
	struct tma_ptx_error error;

	assert_int_equal(bind("cp.async.bulk.global.shared::cta.bulk_group [gd+16], [smem+-16], size;",
	                      &command, &error),
	                 0);
	tma_cp_async_bulk_store(&expected, 0x100001010, 0x3f0, 0x400);
	assert_memory_equal(&command, &expected, sizeof(command));
	assert_int_equal(bind("cp.async.ca.shared.global [sd], [gd], 8, !p;", &command, &error), 0);
	tma_cp_async_ignore_src(&expected, 0x200, 0x100001000, 8, false);
	assert_memory_equal(&command, &expected, sizeof(command));
	assert_int_equal(bind("cp.async.ca.shared.global [sd], [gd], 8, p;", &command, &error), 0);
	tma_cp_async_ignore_src(&expected, 0x200, 0x100001000, 8, true);
	assert_memory_equal(&command, &expected, sizeof(command));
	/* Cut to what the operand has. */
	assert_int_equal(bind("cp.async.wait_group 4294967297;", &command, &error), 0);
	tma_cp_async_wait_group(&expected, 1);
	assert_memory_equal(&command, &expected, sizeof(command));
	/* What may be left out. */
	assert_int_equal(bind("mbarrier.try_wait.parity.b64 p, [mbar], 1;", &command, &error), 0);
	tma_mbarrier_try_wait_parity(&expected, 0x400, 1, TMA_NO_LIMIT);
	assert_memory_equal(&command, &expected, sizeof(command));
	assert_int_equal(bind("mbarrier.arrive.b64 state, [mbar];", &command, &error), 0);
	tma_mbarrier_arrive(&expected, 0x400, 1);
	assert_memory_equal(&command, &expected, sizeof(command));
	assert_int_equal(
		bind("cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes.cta_group::1 "
	             "[smem], [tm, {c0}], mbar;",
	             &command, &error),
		0);
	tma_cp_async_bulk_tensor_load(&expected, TMA_MODE_TILE, 1, 0x400, 0x200, (int32_t[]){ 0x200 }, 0x400,
	                              NULL);
	tma_set_cta_local(&expected);
	assert_memory_equal(&command, &expected, sizeof(command));
}

TEST(test_values_that_are_wrong)
{
	struct tma_ptx_instruction instruction;
	struct tma_command command;
	struct tma_ptx_error error;
	bool runs;

	assert_int_equal(bind("cp.async.ca.shared.global [gd], [gd], 8;", &command, &error), -1);
	assert_string_equal(error.message, "dst is 0x100001000, which is no address of shared memory");
	assert_int_equal(error.place.column, 27);
	assert_int_equal(bind("cp.async.ca.shared.global [sd], [gd], 8, q;", &command, &error), -1);
	assert_string_equal(error.message, "q has no value");
	assert_int_equal(error.place.column, 42);
	assert_int_equal(bind("fence.proxy.async;", &command, &error), -1);
	assert_string_equal(error.message, "fence.proxy is no command of the engine");

	assert_int_equal(tma_ptx_parse("cp.async.wait_group 1; // tma: last_state", TMA_PTX_ENGINE, NULL,
	                               &instruction, NULL),
	                 0);
	assert_int_equal(tma_ptx_command(&instruction, NULL, &command, &error), -1);
	assert_string_equal(error.message, "cp.async.wait_group has no state that could be the last one");
	assert_int_equal(tma_ptx_parse("mbarrier.inval.b64 [mbar];", TMA_PTX_SM_90, tma_ptx_frame(),
	                               &instruction, NULL),
	                 0);
	assert_int_equal(tma_ptx_command(&instruction, NULL, &command, NULL), -1);
	assert_int_equal(tma_ptx_guard(&instruction, NULL, &runs, &error), 0);
	assert_true(runs);
	assert_int_equal(tma_ptx_parse("@!p cp.async.wait_all;", TMA_PTX_SM_90, tma_ptx_frame(), &instruction,
	                               NULL),
	                 0);
	assert_int_equal(tma_ptx_guard(&instruction, &values, &runs, &error), 0);
	assert_false(runs);
	assert_int_equal(tma_ptx_guard(&instruction, NULL, &runs, &error), -1);
	assert_string_equal(error.message, "p has no value");
	assert_int_equal(tma_ptx_parse("mbarrier.arrive.b64 _, [mbar];", TMA_PTX_SM_90, tma_ptx_frame(),
	                               &instruction, NULL),
	                 0);
	assert_int_equal(tma_ptx_value(&instruction.operand[0].term, &values, &(uint64_t){ 0 }, &error), -1);
	assert_string_equal(error.message, "this operand is no value");
}

static void expect_read_back(const struct tma_command *command)
{
	struct tma_ptx_instruction instruction;
	struct tma_command again;
	char text[700];

	assert_in_range(tma_command_print(command, text, sizeof(text)), 1, sizeof(text) - 1);
	assert_null(strstr(text, "tma.command"));
	assert_int_equal(tma_ptx_parse(text, TMA_PTX_ENGINE, NULL, &instruction, NULL), 0);
	assert_int_equal(tma_ptx_command(&instruction, NULL, &again, NULL), 0);
	assert_memory_equal(&again, command, sizeof(again));
}

static bool every_value(void *context, const char *name, uint64_t *value)
{
	(void)context;
	(void)name;
	*value = 64;
	return true;
}

/* Of what ptxas takes, the engine has a command, or it is one of the instructions that the host does. */
TEST(test_rows_have_commands)
{
	static const char *const host[] = { "createpolicy", "tensormap", "fence",
		                            "membar",       "mapa",      "getctarank" };
	static const struct tma_ptx_values all = { .find = every_value };
	uint32_t commands = 0, others = 0, hints = 0;
	size_t count;
	const struct ptx_row *row = ptx_table(&count);

	for (; count; count--, row++) {
		struct tma_ptx_instruction instruction;
		struct tma_command command;
		struct tma_ptx_error error;
		bool expected = true;

		if (!ptx_in_scope(row) || !row->accept)
			continue;
		assert_int_equal(tma_ptx_parse(row->instruction, row->target, tma_ptx_frame(), &instruction,
		                               &error),
		                 0);
		for (size_t i = 0; i < sizeof(host) / sizeof(host[0]); i++)
			if (!strncmp(row->instruction, host[i], strlen(host[i])))
				expected = strstr(row->instruction, "tensormap::generic.acquire") != NULL;
		if (strstr(row->instruction, ".L2::evict_") && strncmp(row->instruction, "create", 6) != 0)
			expected = false;
		if (tma_ptx_is_command(&instruction) != expected)
			fail_msg("%s: is %s command", row->instruction, expected ? "no" : "a");
		hints += tma_ptx_is_hint(&instruction);
		assert_int_equal(tma_ptx_command(&instruction, &all, &command, &error), expected ? 0 : -1);
		if (!expected) {
			others++;
			continue;
		}
		commands++;
		expect_read_back(&command);
	}
	assert_int_equal(hints, 16);
	assert_true(commands > 3000 && others > 400);
}
