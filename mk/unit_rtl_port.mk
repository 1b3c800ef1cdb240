# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: what stands between the paths and the global ports.

# Modules of the tests: what makes bursts of rows; the parts of ports, and where their beats go; who writes; a whole
# port.
RTL_tma_rows  := rtl/port/tma_page_cut.sv rtl/port/tma_guard.sv rtl/port/tma_multimem.sv \
	hw_tests/unit_rtl/tma_rows.sv
RTL_tma_ports := $(UNIT_QUEUES) rtl/common/tma_skid.sv rtl/port/tma_read_port.sv rtl/port/tma_write_port.sv \
	$(addprefix rtl/port/tma_port_,writers.sv order.sv age.sv watch.sv) rtl/load/tma_load_beats.sv \
	hw_tests/unit_rtl/tma_ports.sv
RTL_tma_port_writers := $(UNIT_QUEUES) rtl/port/tma_port_writers.sv
RTL_tma_port  := $(UNIT_QUEUES) $(UNIT_PORTS) hw_tests/unit_rtl/tma_port_pair.sv
UNIT_TOP_tma_port := tma_port_pair

UNIT_BITS_tma_rows  := row_valid row_ready row_mm burst_valid burst_ready deny_valid deny_ready guard_busy \
	guard_abort
UNIT_BITS_tma_ports := $(foreach c,aw w b,$(c)_valid $(c)_ready pin_$(c)_valid pin_$(c)_ready) write_dead \
	w_leaves w_stalls write_pending write_progress

UNIT_C_tma_ports   := tma_ports_env tma_ports_writes
UNIT_LIBS_tma_port := $(BUILD)/libtma_rig.a

PORT_PAIRS := $(foreach c,small odd default max,tma_rows.$(c)) \
	$(foreach u,tma_ports tma_port,$(u).small $(u).odd $(u).default) \
	tma_port_writers.small tma_port_writers.default
UNIT_PAIRS += $(PORT_PAIRS)

$(foreach p,$(PORT_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,tma_rows tma_ports tma_port tma_port_writers,$(eval $(call unit_test,$(u))))

TEST_TARGETS += test-tma_rows test-tma_ports test-tma_port test-tma_port_writers
