/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wavecheck_modes_test - wavecheck on every mode of tensor copies: a good run is accepted, with nothing left
 * out; a wrong byte, signal, address, strobe or coordinate is found, and so is a burst too few.
 */
#include <string.h>

#include "lib/cmocka_all.h"
#include "wavecheck/test/wavecheck_tool.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
/* Bits of a command: the second coordinate, or the first one. */
#define COORD_BIT(t, bit) (8 * 16 + ((t)->rank > 1 ? 32 : 0) + (bit))
/* The command behind the init of the barrier. */
#define COPY 1

static struct run_marks marks;

static void accepted(const char *config, const struct wave_mode *t)
{
	if (!wavecheck_mode_run(tool_good(), config, t, &marks))
		fail_msg("%s: the run fails", t->name);
	if (tool_check(tool_good(), "--private"))
		fail_msg("%s: %s", t->name, tool_output());
	assert_null(strstr(tool_output(), "not checked"));
	/* A record is a fault: of types that are not built, of nothing else. */
	assert_non_null(strstr(tool_output(), t->packed && !strcmp(config, "small") ? ", 1 records agree"
	                                                                            : ", 0 records agree"));
}

TEST(test_default)
{
	for (unsigned i = 0; i < num_wave_modes; i++)
		accepted("default", &wave_modes[i]);
}

static void test_load(void)
{
	const struct corruption corruptions[] = {
		{ "byte of the box", "ext_rdata_o[0]", NULL, "", 5, MARK_EXT_DATA, (int)marks.box_seen, NULL,
		  0 },
		{ "bytes signalled", "ext_rdata_o[0]", NULL, "", 24, MARK_EXT_DATA, (int)marks.barrier_read,
		  NULL, 0 },
	};

	tool_caught(&marks, corruptions, COUNT(corruptions));
}

static void test_store(void)
{
	const struct corruption corruptions[] = {
		{ "byte of a row", "m_axi_wdata_o[0]", NULL, "", 7, MARK_W, -1, NULL, 0 },
		{ "strobe", "m_axi_wstrb_o[0]", NULL, "", 0, MARK_W, -1, NULL, 0 },
		{ "address", "m_axi_awaddr_o[0]", NULL, "", 5, MARK_AW, -1, NULL, 0 },
		{ "burst missing", "m_axi_awvalid_o", "m_axi_", "", 0, MARK_AW, -1, NULL, 0 },
	};

	tool_caught(&marks, corruptions, COUNT(corruptions));
}

static void test_reads(void)
{
	const struct corruption corruptions[] = {
		{ "address", "m_axi_araddr_o[0]", "m_axi_ar", "", 5, MARK_AR, -1, NULL, 0 },
		{ "burst missing", "m_axi_arvalid_o", "m_axi_", "", 0, MARK_AR, -1, NULL, 0 },
	};

	tool_caught(&marks, corruptions, COUNT(corruptions));
}

TEST(test_small)
{
	for (unsigned i = 0; i < num_wave_modes; i++)
		accepted("small", &wave_modes[i]);
}

TEST(test_caught)
{
	for (unsigned i = 0; i < num_wave_modes; i++) {
		const struct wave_mode *t = &wave_modes[i];
		const struct corruption coordinate = { t->name,      "cmd_i", "",   "", COORD_BIT(t, 1),
			                               MARK_COMMAND, COPY,    NULL, 0 };

		print_message("%s\n", t->name);
		accepted(t->packed ? "default" : "small", t);
		tool_caught(&marks, &coordinate, 1);
		if (t->opcode == TMA_TENSOR_LOAD)
			test_load();
		if (t->opcode == TMA_TENSOR_STORE)
			test_store();
		else
			test_reads();
	}
}

/* A wait that lets one group stand, and asks for none in the damaged dump, did not wait for the load. */
TEST(test_hints)
{
	const struct corruption corruptions[] = {
		{ "load of a group", "cmd_i", "rsp_valid_o", "", 8 * offsetof(struct tma_command, count),
		  MARK_COMMAND, 3, NULL, 0 },
		{ "page", "m_axi_araddr_o[0]", "m_axi_ar", "", 12, MARK_AR, -1, NULL, 0 },
		{ "page missing", "m_axi_arvalid_o", "m_axi_", "", 0, MARK_AR, -1, NULL, 0 },
	};

	assert_true(wavecheck_hint_run(tool_good(), "default", &marks));
	if (tool_check(tool_good(), "--private"))
		fail_msg("%s", tool_output());
	assert_true(wavecheck_hint_run(tool_good(), "small", &marks));
	if (tool_check(tool_good(), "--private"))
		fail_msg("%s", tool_output());
	tool_caught(&marks, corruptions, COUNT(corruptions));
}

int main(void)
{
	return run_file_tests_within("tests", tool_open, tool_close);
}
