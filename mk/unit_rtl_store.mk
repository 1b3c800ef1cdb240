# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: stores, groups, faults and records.

RTL_tma_store  := $(UNIT_QUEUES) $(UNIT_PORTS) $(filter-out %_pkg.sv,$(wildcard rtl/store/*.sv)) \
	$(wildcard rtl/tensor/tma_walk*.sv) hw_tests/unit_rtl/tma_store_ports.sv
UNIT_TOP_tma_store := tma_store_ports
RTL_tma_groups := rtl/common/tma_ram_1r1w.sv rtl/sync/tma_groups.sv rtl/sync/tma_group_count.sv
RTL_tma_faults  := rtl/common/tma_ram_1r1w.sv rtl/common/tma_ram_1r1w_sync.sv rtl/common/tma_rr_arb.sv rtl/front/tma_faults.sv
RTL_tma_respond := $(UNIT_QUEUES) rtl/front/tma_respond.sv
UNIT_BITS_tma_groups := enable resume full crowded cp_full cp_busy add
UNIT_BITS_tma_faults := active ring room resume fault_valid fault_ready stopped pending rec_valid rec_ready
UNIT_C_tma_respond := record_draw
UNIT_C_tma_groups  := tma_groups_env

STORE_PAIRS := $(foreach c,$(UNIT_CONFIGS),tma_store.$(c)) $(foreach c,$(UNIT_CONFIGS),tma_groups.$(c) tma_faults.$(c)) \
	tma_respond.small tma_respond.default
UNIT_PAIRS += $(STORE_PAIRS)
UNIT_WIDE  += tma_store

# Here nobody but stores comes to the ports; whose turn it is there the test of tma_port_writers meets.
UNIT_ONLY_tma_store := $(filter-out %/tma_port_writers.sv,$(sort $(RTL_tma_store)))

# More C sources of a unit's test, and archives.
UNIT_C_tma_store    := tma_store_env tma_store_plan tma_store_ref tma_store_walk tma_store_tensor tma_store_pairs tma_store_more
UNIT_LIBS_tma_store := $(BUILD)/libtma_rig.a

$(foreach p,$(STORE_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
STORE_UNITS := $(sort $(basename $(STORE_PAIRS)))
$(foreach u,$(STORE_UNITS),$(eval $(call unit_test,$(u))))

TEST_TARGETS += $(STORE_UNITS:%=test-%)
