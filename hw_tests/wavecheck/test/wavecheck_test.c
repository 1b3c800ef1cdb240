/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wavecheck_test - a good run is accepted; a dump of it in which one signal is wrong for one cycle is
 * not, and the first difference names that signal; what is no dump is refused in words.
 *
 * The tools are run as programs: their paths come from WAVECHECK and FST_CORRUPT.
 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp() */
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wavecheck/test/wavecheck_tool.h"

static struct run_marks marks;

static int record_run(void **state)
{
	return tool_open(state) || !wavecheck_run(tool_good(), &marks) ? -1 : 0;
}

TEST(test_accepted)
{
	assert_int_equal(tool_check(tool_good(), ""), 0);
	assert_non_null(strstr(tool_output(), " commands, "));
	assert_non_null(strstr(tool_output(), "agree with the model"));
	/* Nothing else writes the memory of this run. */
	assert_int_equal(tool_check(tool_good(), "--private"), 0);
	assert_int_equal(tool_check(tool_good(), "--scope tma_engine"), 0);
	assert_int_equal(tool_check(tool_good(), "--verbose"), 0);
	assert_non_null(strstr(tool_output(), "BULK_LOAD"));
}

static const struct corruption corruptions[] = {
	{ "R data", "m_axi_rdata_i[0]", NULL, "--private", 77, 0, 0, &marks.second_read, 0 },
	{ "R data, not private", "m_axi_rdata_i[0]", "m_axi_wdata_o[0]", "", 3, MARK_R, 20, NULL, 0 },
	{ "R last", "m_axi_rlast_i", NULL, "", 0, MARK_R, 2, NULL, 0 },
	{ "R id", "m_axi_rid_i[0]", "m_axi_r", "", 1, MARK_R, 2, NULL, 0 },
	{ "W data", "m_axi_wdata_o[0]", NULL, "", 127, MARK_W, 30, NULL, 0 },
	{ "W data, first beat", "m_axi_wdata_o[0]", NULL, "", 0, MARK_W, 0, NULL, 0 },
	{ "W data of a masked store", "m_axi_wdata_o[0]", NULL, "", 0, 0, 0, &marks.masked_beat, 0 },
	{ "W strobe lost", "m_axi_wstrb_o[0]", NULL, "", 5, MARK_W, 3, NULL, 0 },
	{ "W strobe of a masked byte", "m_axi_wstrb_o[0]", NULL, "", 1, 0, 0, &marks.masked_beat, 0 },
	{ "W last", "m_axi_wlast_o", NULL, "", 0, MARK_W, 4, NULL, 0 },
	{ "AW address", "m_axi_awaddr_o[0]", NULL, "", 8, MARK_AW, 1, NULL, 0 },
	{ "AW length", "m_axi_awlen_o[0]", "m_axi_aw", "", 7, MARK_AW, 0, NULL, 0 },
	{ "AW missing", "m_axi_awvalid_o", NULL, "", 0, MARK_AW, 1, NULL, 0 },
	{ "AW cache", "m_axi_awcache_o[0]", NULL, "", 0, MARK_AW, 1, NULL, 0 },
	{ "AR address", "m_axi_araddr_o[0]", NULL, "", 40, MARK_AR, 1, NULL, 0 },
	{ "AR missing", "m_axi_arvalid_o", NULL, "", 0, MARK_AR, 1, NULL, 0 },
	{ "last AR missing", "m_axi_arvalid_o", NULL, "", 0, MARK_AR, -1, NULL, 0 },
	{ "AR stream", "m_axi_aruser_o[0]", NULL, "", 9, MARK_AR, 2, NULL, 0 },
	{ "AR id", "m_axi_arid_o[0]", NULL, "", 2, MARK_AR, 0, NULL, 0 },
	{ "AR size", "m_axi_arsize_o[0]", NULL, "", 0, MARK_AR, 0, NULL, 0 },
	{ "record tag", "rsp_o", NULL, "", 24 * 8, MARK_RECORD, 2, NULL, 0 },
	{ "record sequence", "rsp_o", NULL, "", 1, MARK_RECORD, 0, NULL, 0 },
	{ "record kind", "rsp_o", NULL, "", 40, MARK_RECORD, 1, NULL, 0 },
	{ "state of an arrive", "rsp_o", NULL, "", 8 * 8, MARK_RECORD, 0, NULL, 0 },
	{ "fault code", "rsp_o", NULL, "", 48, MARK_RECORD, -1, NULL, 0 },
	{ "address of a bus fault", "rsp_o", NULL, "", 16 * 8 + 6, MARK_RECORD, -1, NULL, 0 },
	{ "fault address", "rsp_o", NULL, "", 16 * 8 + 3, MARK_RECORD, -4, NULL, 0 },
	{ "record missing", "rsp_valid_o", "rsp_", "", 0, MARK_RECORD, 1, NULL, 0 },
	{ "external read", "ext_rdata_o[0]", NULL, "", 64, MARK_EXT_DATA, 10, NULL, 0 },
	{ "barrier word", "ext_rdata_o[0]", NULL, "", 61, 0, 0, &marks.barrier_seen, 0 },
	{ "error response lost", "m_axi_bresp_i[0]", "rsp_o", "", 1, MARK_B, -1, NULL, 0 },
	{ "error response made up", "m_axi_rresp_i[0]", "", "", 1, MARK_R, 5, NULL, 0 },
	{ "B missing", "m_axi_bvalid_i", "", "", 0, MARK_B, 0, NULL, 0 },
};

TEST(test_caught)
{
	tool_caught(&marks, corruptions, sizeof(corruptions) / sizeof(corruptions[0]));
}

/* A turned bit of a signal where it means nothing is no difference. */
TEST(test_ignored)
{
	tool_corrupt("cmd_i", 7, 1, 1);
	assert_int_equal(tool_check(tool_bad(), ""), 0);
}

static void write_bad(const void *bytes, size_t size)
{
	FILE *f = fopen(tool_bad(), "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

static uint8_t *read_good(size_t *size)
{
	FILE *f = fopen(tool_good(), "rb");
	struct stat status;
	uint8_t *bytes;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &status), 0);
	*size = (size_t)status.st_size;
	bytes = malloc(*size);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	fclose(f);
	return bytes;
}

static void refused(const char *path, const char *options, const char *words)
{
	int status = tool_check(path, options);

	if (status != 2 || !strstr(tool_output(), words))
		fail_msg("status %d: %s", status, tool_output());
}

TEST(test_refused)
{
	refused("/nonexistent.fst", "", "/nonexistent.fst: No such file or directory");
	refused("/tmp", "", "/tmp: Is a directory");
	write_bad("", 0);
	refused(tool_bad(), "", "is empty");
	write_bad("no waveform at all, but text", 28);
	refused(tool_bad(), "", "damaged");
	refused(tool_good(), "--scope tma_engine.nothing", "tma_engine.nothing");
	/* A scope that is there, but is not the engine. */
	refused(tool_good(), "--scope tma_engine.tma_engine.u_csr", "signal tma_engine.tma_engine.u_csr.");
	refused("", "", "no dump");
	refused(tool_good(), "--wrong", "--wrong: there is no such option");
	refused(tool_good(), "--scope", "--scope: needs a value");
	refused(tool_good(), tool_good(), "one dump at a time");
}

/* Truncated and overwritten files end in words and with status 2, or, when the damage is not in what is
 * read, like other dumps; never in a crash. */
TEST(test_damaged)
{
	uint8_t *bytes, *copy;
	size_t size;

	bytes = read_good(&size);
	copy = malloc(size);
	assert_non_null(copy);
	for (unsigned part = 1; part < 8; part++) {
		write_bad(bytes, size * part / 8);
		refused(tool_bad(), "", tool_bad());
	}
	srand(1);
	for (unsigned i = 0; i < 24; i++) {
		memcpy(copy, bytes, size);
		for (unsigned n = 0; n < 1u << i % 8; n++)
			copy[(size_t)rand() % (i < 8 ? 400 : size)] = (uint8_t)rand();
		write_bad(copy, size);
		assert_in_range(tool_check(tool_bad(), ""), 0, 2);
		assert_non_null(strstr(tool_output(), "wavecheck: "));
		assert_null(strstr(tool_output(), "bug of wavecheck"));
	}
	free(copy);
	free(bytes);
}

int main(void)
{
	return run_file_tests_within("tests", record_run, tool_close);
}
