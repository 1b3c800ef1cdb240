/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wavecheck_tensor_test - wavecheck on tensor copies: a good run is accepted, a wrong place, fill, row,
 * strobe, signal or map is found.
 */
#include <string.h>

#include "lib/cmocka_all.h"
#include "tma_map.h"
#include "wavecheck/test/wavecheck_tool.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
/* Of `small`. */
#define BEAT_BITS 128u
#define MAP_BEATS 8
/* Bits of a command. */
#define OPCODE_BIT(bit) (bit)

static struct run_marks marks;

static int record_run(void **state)
{
	return tool_open(state) || !wavecheck_tensor_run(tool_good(), "small", &marks) ? -1 : 0;
}

TEST(test_accepted)
{
	if (tool_check(tool_good(), ""))
		fail_msg("%s", tool_output());
	assert_non_null(strstr(tool_output(), "agree with the model"));
	assert_int_equal(tool_check(tool_good(), "--verbose"), 0);
	assert_null(strstr(tool_output(), "not checked"));
}

/* Only with the map that is changed behind the engine's back, so that is what is said. */
TEST(test_private)
{
	assert_int_equal(tool_check(tool_good(), "--private"), 1);
	assert_non_null(strstr(tool_output(), "when last seen"));
}

/* A bit of the map that is read as number `read`: the engine has not done what such a map says. */
static void map_bit(unsigned read, unsigned bit, const char *named)
{
	const struct corruption wrong = { "map",
		                          "m_axi_rdata_i[0]",
		                          named,
		                          "",
		                          bit % BEAT_BITS,
		                          MARK_MAP,
		                          (int)(read * MAP_BEATS + bit / BEAT_BITS),
		                          NULL,
		                          0 };

	tool_caught(&marks, &wrong, 1);
}

TEST(test_maps)
{
	map_bit(0, TMA_MAP_SWIZZLE_LSB, "ext_rdata_o[0]");
	map_bit(0, TMA_MAP_SWIZZLE_LSB + 1, "ext_rdata_o[0]");
	map_bit(0, TMA_MAP_FILL_LSB, "ext_rdata_o[0]");
	map_bit(0, TMA_MAP_GLOBAL_ADDRESS_LSB + 6, "m_axi_araddr_o[0]");
	map_bit(0, TMA_MAP_PROMOTION_LSB, "m_axi_aruser_o[0]");
	map_bit(0, TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS + 1, "");
	map_bit(0, TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS + 2, "");
	map_bit(1, TMA_MAP_GLOBAL_ADDRESS_LSB + 6, "m_axi_awaddr_o[0]");
	map_bit(1, TMA_MAP_DIM_LSB, "m_axi_wstrb_o[0]");
	/* Behind the fence, the old address. */
	map_bit(2, TMA_MAP_GLOBAL_ADDRESS_LSB + 11, "m_axi_araddr_o[0]");
}

TEST(test_caught)
{
	const int box = (int)marks.box_seen, columns = (int)marks.columns_seen;
	const int barrier = (int)marks.barrier_read, asked = (int)marks.map_asked;
	const struct corruption corruptions[] = {
		{ "byte of the box", "ext_rdata_o[0]", NULL, "", 9, MARK_EXT_DATA, box, NULL, 0 },
		{ "fill of a row", "ext_rdata_o[0]", NULL, "", 0, MARK_EXT_DATA, box + 2, NULL, 0 },
		{ "fill below the tensor", "ext_rdata_o[0]", NULL, "", 127, MARK_EXT_DATA, box + 31, NULL,
		  0 },
		{ "column", "ext_rdata_o[0]", NULL, "", 5, MARK_EXT_DATA, columns + 17, NULL, 0 },
		{ "signals of a pair", "ext_rdata_o[0]", NULL, "", 64 + 61, MARK_EXT_DATA, barrier, NULL, 0 },
		{ "row missing", "m_axi_arvalid_o", NULL, "", 0, MARK_AR, 2, NULL, 0 },
		{ "last row missing", "m_axi_arvalid_o", "m_axi_ar", "", 0, MARK_AR, 4, NULL, 0 },
		{ "map not read", "m_axi_arvalid_o", "m_axi_ar", "", 0, MARK_AR, 0, NULL, 0 },
		{ "address of a map", "m_axi_araddr_o[0]", NULL, "", 7, MARK_AR, 0, NULL, 0 },
		{ "row too long", "m_axi_arlen_o[0]", NULL, "", 2, MARK_AR, 1, NULL, 0 },
		{ "hints of a map", "m_axi_aruser_o[0]", NULL, "", 4, MARK_AR, 0, NULL, 0 },
		{ "strobe lost", "m_axi_wstrb_o[0]", NULL, "", 3, MARK_W, 2, NULL, 0 },
		{ "strobe behind the tensor", "m_axi_wstrb_o[0]", NULL, "", 4, MARK_W, 2, NULL, 0 },
		{ "byte of a store", "m_axi_wdata_o[0]", NULL, "", 15, MARK_W, 4, NULL, 0 },
		{ "row of a store missing", "m_axi_awvalid_o", NULL, "", 0, MARK_AW, 1, NULL, 0 },
		{ "fault of a map", "rsp_o", NULL, "", 48, MARK_RECORD, -1, NULL, 0 },
		/* The load behind it needs the map again. */
		{ "fence, but the map of before", "cmd_i", "m_axi_arvalid_o", "", OPCODE_BIT(0), MARK_COMMAND,
		  asked, NULL, 0 },
	};

	tool_caught(&marks, corruptions, COUNT(corruptions));
}

/* Other bytes are expected than are signalled: the phase does not end when it should. */
TEST(test_signal)
{
	/* The expect_tx in front of a load; a bit of its tx. */
	const struct corruption wrong = { "bytes of the signals",   "cmd_i", "", "", 32 * 8 + 4, MARK_COMMAND,
		                          (int)marks.map_asked + 1, NULL,    0 };

	tool_caught(&marks, &wrong, 1);
}

int main(void)
{
	return run_file_tests_within("tests", record_run, tool_close);
}
