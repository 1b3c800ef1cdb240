/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wavecheck_reduce_test - wavecheck on reductions: a good run is accepted; a wrong half of one, an update that is lost
 * and one that is not made are found.
 */
#include <string.h>

#include "lib/cmocka_all.h"
#include "wavecheck/test/wavecheck_tool.h"

#define COUNT(array)     (sizeof(array) / sizeof((array)[0]))
#define FIELD(name, bit) (8 * offsetof(struct tma_command, name) + (bit))

static struct run_marks marks;

static void accepted(const char *config)
{
	static const char *const options[] = { "", "--private" };

	if (!wavecheck_reduce_run(tool_good(), config, &marks))
		fail_msg("the run itself failed");
	for (unsigned i = 0; i < COUNT(options); i++)
		if (tool_check(tool_good(), options[i]))
			fail_msg("%s", tool_output());
}

TEST(test_default)
{
	const struct corruption corruptions[] = {
		{ "address on port 1", "m_axi_awaddr_o[1]", "m_axi_aw", "", 8, MARK_AW1, 1, NULL, 0 },
		{ "burst missing on port 1", "m_axi_awvalid_o", "m_axi_", "", 1, MARK_AW1, 1, NULL, 0 },
		{ "last burst missing on port 1", "m_axi_awvalid_o", "m_axi_", "", 1, MARK_AW1, -1, NULL, 0 },
		{ "sum on port 1", "m_axi_wdata_o[1]", NULL, "", 9, MARK_W1, 5, NULL, 0 },
		{ "strobe on port 1", "m_axi_wstrb_o[1]", NULL, "", 1, MARK_W1, 5, NULL, 0 },
	};

	accepted("default");
	tool_caught(&marks, corruptions, COUNT(corruptions));
}

static int record_small(void **state)
{
	(void)state;
	accepted("small");
	return 0;
}

TEST_BEHIND(test_bus, record_small)
{
	const struct corruption corruptions[] = {
		{ "old data", "m_axi_rdata_i[0]", "m_axi_wdata_o[0]", "", 5, MARK_OLD_R, 3, NULL, 0 },
		{ "sum", "m_axi_wdata_o[0]", NULL, "", 77, MARK_W, 10, NULL, 0 },
		{ "last sum but one", "m_axi_wdata_o[0]", NULL, "", 3, MARK_W, -2, NULL, 0 },
		{ "strobe", "m_axi_wstrb_o[0]", NULL, "", 2, MARK_W, 4, NULL, 0 },
		{ "read elsewhere", "m_axi_araddr_o[0]", "m_axi_ar", "", 9, MARK_OLD, 1, NULL, 0 },
		{ "read missing", "m_axi_arvalid_o", "m_axi_ar", "", 0, MARK_OLD, 2, NULL, 0 },
		{ "read of a line missing", "m_axi_arvalid_o", "m_axi_ar", "", 0, MARK_OLD,
		  (int)marks.lines.old, NULL, 0 },
		{ "read too long", "m_axi_arlen_o[0]", "m_axi_ar", "", 1, MARK_OLD, 1, NULL, 0 },
		{ "read with the id of a load", "m_axi_arid_o[0]", "m_axi_ar", "", 4, MARK_OLD, 1, NULL, 0 },
		{ "hint of a read", "m_axi_aruser_o[0]", NULL, "", 1, MARK_OLD, 1, NULL, 0 },
		{ "protection of a read", "m_axi_arprot_o[0]", NULL, "", 0, MARK_OLD, 1, NULL, 0 },
		{ "write elsewhere", "m_axi_awaddr_o[0]", NULL, "", 9, MARK_AW, 1, NULL, 0 },
		{ "write missing", "m_axi_awvalid_o", "m_axi_", "", 0, MARK_AW, 1, NULL, 0 },
		{ "write of a line missing", "m_axi_awvalid_o", "m_axi_", "", 0, MARK_AW,
		  (int)marks.lines.write, NULL, 0 },
		{ "last write missing", "m_axi_awvalid_o", "m_axi_", "", 0, MARK_AW, -1, NULL, 0 },
		{ "write too short", "m_axi_awlen_o[0]", NULL, "", 0, MARK_AW, 1, NULL, 0 },
		{ "write with the id of a store", "m_axi_awid_o[0]", "m_axi_aw", "", 0, MARK_AW, 1, NULL, 0 },
		{ "stream of a write", "m_axi_awuser_o[0]", NULL, "", 9, MARK_AW, 1, NULL, 0 },
		{ "read that seems to fail", "m_axi_rresp_i[0]", "", "", 1, MARK_OLD_R, 30, NULL, 0 },
		{ "write that seems to fail", "m_axi_bresp_i[0]", "", "", 1, MARK_B, 3, NULL, 0 },
	};

	tool_caught(&marks, corruptions, COUNT(corruptions));
}

TEST_BEHIND(test_commands, record_small)
{
	const int line = (int)marks.lines.command, wait = (int)marks.wait, sum = (int)marks.sum_seen;
	const struct corruption corruptions[] = {
		{ "operator", "cmd_i", "m_axi_wdata_o[0]", "", FIELD(op, 1), MARK_COMMAND, 0, NULL, 0 },
		{ "type", "cmd_i", "", "", FIELD(type, 0), MARK_COMMAND, 1, NULL, 0 },
		{ "source", "cmd_i", "m_axi_wdata_o[0]", "", FIELD(shared_src, 5), MARK_COMMAND, line, NULL,
		  0 },
		{ "address", "cmd_i", "m_axi_ar", "", FIELD(global_address, 8), MARK_COMMAND, line, NULL, 0 },
		{ "wait for a group", "cmd_i", "rsp_valid_o", "", FIELD(count, 0), MARK_COMMAND, wait, NULL,
		  0 },
		{ "sum in shared memory", "ext_rdata_o[0]", NULL, "", 33, MARK_EXT_DATA, sum + 3, NULL, 0 },
		{ "maximum in shared memory", "ext_rdata_o[0]", NULL, "", 1, MARK_EXT_DATA, sum + 9, NULL,
		  0 },
	};

	tool_caught(&marks, corruptions, COUNT(corruptions));
}

/* Both go to one place now, with old data of before either: each half of both is as it should be. */
static void lost(uint32_t command, uint32_t old, uint32_t write, const char *named)
{
	tool_corrupt("cmd_i", FIELD(global_address, 8), marks.cycle[MARK_COMMAND][command], 1);
	tool_corrupt_more("m_axi_araddr_o[0]", 8, marks.cycle[MARK_OLD][old], 1);
	tool_corrupt_more("m_axi_awaddr_o[0]", 8, marks.cycle[MARK_AW][write], 1);
	assert_int_equal(tool_check(tool_bad(), ""), 1);
	if (!strstr(tool_output(), named))
		fail_msg("%s", tool_output());
}

/* The update before is not in memory; what is read and what is written go together. */
TEST_BEHIND(test_memory, record_small)
{
	tool_corrupt("m_axi_rdata_i[0]", 70, marks.cycle[MARK_OLD_R][marks.again.old + 1], 1);
	tool_corrupt_more("m_axi_wdata_o[0]", 70, marks.cycle[MARK_W][marks.again.sum + 1], 1);
	assert_int_equal(tool_check(tool_bad(), ""), 0);
	assert_int_equal(tool_check(tool_bad(), "--private"), 1);
	assert_non_null(strstr(tool_output(), "tma_engine.m_axi_rdata_i[0]: the memory at"));
}

TEST_BEHIND(test_lost_update, record_small)
{
	lost(marks.pair.command, marks.pair.old, marks.pair.write, "an update is lost");
}

/* A line could have followed the other one: then its sum is not the one to be written. */
TEST_BEHIND(test_lost_update_of_a_line, record_small)
{
	lost(marks.lines.command, marks.lines.old, marks.lines.write, "tma_engine.m_axi_wdata_o[0]");
}

int main(void)
{
	return run_file_tests_within("tests", tool_open, tool_close);
}
