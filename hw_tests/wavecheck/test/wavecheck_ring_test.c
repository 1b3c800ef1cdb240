/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wavecheck_ring_test - runs with rings, cp.async, multimem stores and recovery are accepted; dumps of
 * them in which one signal is wrong are not.
 */
#include <string.h>

#include "lib/cmocka_all.h"
#include "wavecheck/test/wavecheck_tool.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Place of a register on a queue's page. */
enum {
	TAIL,
	HEAD,
	CONSUMER,
	PRODUCER,
	PENDING,
	FAULT = 7,
	FAULT_ADDRESS = 9,
	RESUME = 12,
	RESET,
	CANCEL,
};

static struct run_marks marks;

static void accepted(void)
{
	static const char *const options[] = { "", "--private" };

	for (unsigned i = 0; i < COUNT(options); i++)
		if (tool_check(tool_good(), options[i]))
			fail_msg("%s", tool_output());
	assert_non_null(strstr(tool_output(), "agree with the model"));
}

static const struct corruption ring_faults[] = {
	{ "fetch address", "m_axi_araddr_o[0]", NULL, "", 7, MARK_FETCH, 3, NULL, 0 },
	{ "fetch far from the ring", "m_axi_araddr_o[0]", NULL, "", 30, MARK_FETCH, 3, NULL, 0 },
	{ "fetch missing", "m_axi_arvalid_o", "m_axi_ar", "", 0, MARK_FETCH, 2, NULL, 0 },
	{ "fetch too long", "m_axi_arlen_o[0]", NULL, "", 6, MARK_FETCH, 1, NULL, 0 },
	{ "fetch with a hint", "m_axi_aruser_o[0]", NULL, "", 1, MARK_FETCH, 1, NULL, 0 },
	{ "fetch with another stream", "m_axi_aruser_o[0]", "m_axi_araddr_o[0]", "", 12, MARK_FETCH, 1, NULL,
	  0 },
	{ "fetch with another protection", "m_axi_arprot_o[0]", NULL, "", 0, MARK_FETCH, 1, NULL, 0 },
	{ "fetch with the id of a load", "m_axi_arid_o[0]", "m_axi_ar", "", 3, MARK_FETCH, 0, NULL, 0 },
	{ "command of a slot", "m_axi_rdata_i[0]", "", "", 0, MARK_SLOT, 0, NULL, 0 },
	{ "fetch that seems to fail", "m_axi_rresp_i[0]", "", "", 1, MARK_SLOT, 5, NULL, 0 },
	{ "doorbell of less", "s_axil_wdata_i", "m_axi_ar", "", 0, MARK_DOOR + TAIL, 0, NULL, 0 },
	{ "doorbell lost", "s_axil_bvalid_o", "m_axi_ar", "", 0, MARK_DOOR_B + TAIL, 2, NULL, 0 },
	{ "tail of an overrun", "s_axil_wdata_i", "m_axi_wdata_o[0]", "", 1, 0, 0, &marks.overrun, 0 },
	{ "consumer too far", "s_axil_wdata_i", "s_axil_bresp_o", "", 9, MARK_DOOR + CONSUMER, 2, NULL, 0 },
	{ "consumer forgotten", "s_axil_bvalid_o", "", "", 0, 0, 0, &marks.consumed, 0 },
	{ "record's slot", "m_axi_awaddr_o[0]", NULL, "", 5, MARK_ENTRY, 3, NULL, 0 },
	{ "record missing", "m_axi_awvalid_o", "m_axi_", "", 0, MARK_ENTRY, 3, NULL, 0 },
	{ "record's hint", "m_axi_awuser_o[0]", NULL, "", 0, MARK_ENTRY, 3, NULL, 0 },
	{ "record's quality", "m_axi_awqos_o[0]", NULL, "", 2, MARK_ENTRY, 3, NULL, 0 },
	{ "record's sequence", "m_axi_wdata_o[0]", NULL, "", 1, MARK_ENTRY_W, 1, NULL, 0 },
	{ "record's queue", "m_axi_wdata_o[0]", NULL, "", 32, MARK_ENTRY_W, 1, NULL, 0 },
	{ "record's kind", "m_axi_wdata_o[0]", NULL, "", 40, MARK_ENTRY_W, 1, NULL, 0 },
	{ "record's strobe", "m_axi_wstrb_o[0]", NULL, "", 3, MARK_ENTRY_W, 2, NULL, 0 },
	{ "record that seems to fail", "m_axi_bresp_i[0]", "", "", 1, MARK_B, 1, NULL, 0 },
	{ "no more tail", "s_axil_rdata_o", NULL, "", 2, MARK_DOOR_R + TAIL, -1, NULL, 0 },
	{ "head too far", "s_axil_rdata_o", NULL, "", 6, MARK_DOOR_R + HEAD, -1, NULL, 0 },
	{ "producer too far", "s_axil_rdata_o", NULL, "", 6, MARK_DOOR_R + PRODUCER, -1, NULL, 0 },
	{ "producer too far back", "s_axil_rdata_o", NULL, "", 3, MARK_DOOR_R + PRODUCER, -1, NULL, 0 },
	{ "another consumer", "s_axil_rdata_o", NULL, "", 1, MARK_DOOR_R + CONSUMER, -1, NULL, 0 },
	{ "pending for nothing", "s_axil_rdata_o", NULL, "", 0, MARK_DOOR_R + PENDING, -1, NULL, 0 },
	{ "fault's code", "s_axil_rdata_o", NULL, "", 4, MARK_DOOR_R + FAULT, -1, NULL, 0 },
	{ "fault's address", "s_axil_rdata_o", NULL, "", 30, MARK_DOOR_R + FAULT_ADDRESS, -1, NULL, 0 },
	{ "interrupt for nothing", "irq_o", NULL, "", 0, MARK_DOOR, 0, NULL, 0 },
	{ "no interrupt", "irq_o", NULL, "", 0, MARK_IRQ, -150, NULL, 10000 },
};

/* Where the phase bit is, the last byte of a record: in its second beat where beats are 16 bytes. */
static void phase_fault(const char *config)
{
	bool small = !strcmp(config, "small");
	struct corruption fault = {
		"record's phase", "m_axi_wdata_o[0]", NULL, "", 224, MARK_ENTRY_W, 2, NULL, 1
	};
	uint64_t second = 0;

	if (small)
		for (uint32_t i = 0; i < marks.count[MARK_W] && !second; i++)
			if (marks.cycle[MARK_W][i] > marks.cycle[MARK_ENTRY_W][2])
				second = marks.cycle[MARK_W][i];
	fault.bit = small ? 96 : 224;
	fault.cycle = small ? &second : NULL;
	tool_caught(&marks, &fault, 1);
}

static void test_rings(void **state)
{
	if (!wavecheck_ring_run(tool_good(), *state, &marks))
		fail_msg("the run itself failed");
	accepted();
	tool_caught(&marks, ring_faults, COUNT(ring_faults));
	phase_fault(*state);
}

static const struct corruption cp_faults[] = {
	{ "bytes of a cp.async", "m_axi_rdata_i[0]", "", "", 70, MARK_CP, 1, NULL, 0 },
	{ "a cp.async that seems to fail", "m_axi_rresp_i[0]", "", "", 1, MARK_CP, 4, NULL, 0 },
	{ "a failed one that seems good", "m_axi_rresp_i[0]", "m_axi_wdata_o[0]", "", 1, MARK_CP, -1, NULL,
	  0 },
	{ "its prefetch size", "m_axi_aruser_o[0]", NULL, "", 5, MARK_AR, -1, NULL, 0 },
	{ "its cache operator", "m_axi_aruser_o[0]", NULL, "", 6, MARK_AR, -1, NULL, 0 },
	{ "its id", "m_axi_arid_o[0]", NULL, "", 2, MARK_AR, -1, NULL, 0 },
	{ "its address", "m_axi_araddr_o[0]", NULL, "", 9, MARK_AR, -1, NULL, 0 },
	{ "barrier behind arrivals", "ext_rdata_o[0]", NULL, "", 61, 0, 0, &marks.barrier_seen, 0 },
	{ "bytes in shared memory", "ext_rdata_o[0]", NULL, "", 20, MARK_EXT_DATA, 3, NULL, 0 },
};

static void test_cp_async(void **state)
{
	if (!wavecheck_cp_run(tool_good(), *state, &marks))
		fail_msg("the run itself failed");
	accepted();
	tool_caught(&marks, cp_faults, COUNT(cp_faults));
}

static const struct corruption multimem_faults[] = {
	{ "address on port 0", "m_axi_awaddr_o[0]", NULL, "", 13, MARK_AW, 0, NULL, 0 },
	{ "address on port 1", "m_axi_awaddr_o[1]", NULL, "", 13, MARK_AW1, 1, NULL, 0 },
	{ "burst missing on port 1", "m_axi_awvalid_o", NULL, "", 1, MARK_AW1, 2, NULL, 0 },
	{ "last burst missing on port 1", "m_axi_awvalid_o", "", "", 1, MARK_AW1, -1, NULL, 0 },
	{ "stream on port 1", "m_axi_awuser_o[1]", NULL, "", 8, MARK_AW1, 2, NULL, 0 },
	{ "length on port 1", "m_axi_awlen_o[1]", "m_axi_aw", "", 2, MARK_AW1, 2, NULL, 0 },
	{ "bytes on port 1", "m_axi_wdata_o[1]", NULL, "", 9, MARK_W1, 9, NULL, 0 },
	{ "strobe on port 1", "m_axi_wstrb_o[1]", NULL, "", 1, MARK_W1, 9, NULL, 0 },
	/* The last store but one is of bytes that no one has seen: the ports agree, or do not. */
	{ "unknown bytes on port 1", "m_axi_wdata_o[1]", "m_axi_wdata_o", "", 40, MARK_W1, -8, NULL, 0 },
	{ "no error on port 1", "m_axi_bresp_i[1]", "", "", 1, MARK_AW1, 1, NULL, 400 },
};

static void test_multimem(void **state)
{
	if (!wavecheck_multimem_run(tool_good(), *state, &marks))
		fail_msg("the run itself failed");
	accepted();
	if (!strcmp(*state, "default"))
		tool_caught(&marks, multimem_faults, COUNT(multimem_faults));
}

static const struct corruption recover_faults[] = {
	{ "tag of a record that has become late", "rsp_o", NULL, "", 24 * 8, MARK_RECORD, 2, NULL, 0 },
	{ "sequence of one", "rsp_o", "rsp_valid_o", "", 1, MARK_RECORD, 3, NULL, 0 },
	{ "resumed elsewhere", "s_axil_wdata_i", "", "", 1, MARK_DOOR + RESUME, 0, NULL, 0 },
	{ "resumed far away", "s_axil_wdata_i", "s_axil_bresp_o", "", 20, MARK_DOOR + RESUME, 1, NULL, 0 },
	{ "not resumed", "s_axil_bvalid_o", "", "", 0, MARK_DOOR_B + RESUME, 0, NULL, 0 },
	{ "not reset", "s_axil_bvalid_o", "", "", 0, MARK_DOOR_B + RESET, 0, NULL, 0 },
	{ "cancelled by nobody", "s_axil_bvalid_o", "rsp_o", "", 0, MARK_DOOR_B + CANCEL, 0, NULL, 0 },
	{ "nobody cancels in a ring", "s_axil_bvalid_o", "m_axi_wdata_o[0]", "", 0, MARK_DOOR_B + CANCEL, 1,
	  NULL, 0 },
	{ "another port is dead", "s_axil_rdata_o", NULL, "", 3, MARK_CSR_READ, -6, NULL, 0 },
};

static void test_recovery(void **state)
{
	if (!wavecheck_recover_run(tool_good(), *state, &marks))
		fail_msg("the run itself failed");
	accepted();
	tool_caught(&marks, recover_faults, COUNT(recover_faults));
}

int main(void)
{
	static char small[] = "small", full[] = "default";
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(test_rings, small),
		cmocka_unit_test_prestate(test_rings, full),
		cmocka_unit_test_prestate(test_cp_async, small),
		cmocka_unit_test_prestate(test_cp_async, full),
		cmocka_unit_test_prestate(test_multimem, small),
		cmocka_unit_test_prestate(test_multimem, full),
		cmocka_unit_test_prestate(test_recovery, small),
		cmocka_unit_test_prestate(test_recovery, full),
	};

	return cmocka_run_group_tests(tests, tool_open, tool_close);
}
