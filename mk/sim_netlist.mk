# SPDX-License-Identifier: Apache-2.0
# What synthesis makes of the engine, cycle by cycle against the RTL while random programs run on both: netlists of words, before they
# are mapped, and the one of the cells of an ECP5.
#
#   netlist-word-CONFIG, netlist-ecp5-small: LEAST cycles of programs of all kinds

NETLIST_DIR   := $(BUILD)/netlist
NETLIST_TESTS := word-small word-default ecp5-small
NETLIST_LEAST_word-small   := 1000000
NETLIST_LEAST_word-default := 1000000
NETLIST_LEAST_ecp5-small   := 10000
# Programs of each kind: plain, with faults, with tensor copies, with both.
NETLIST_PROGRAMS_word-small   := 60
NETLIST_PROGRAMS_word-default := 60
NETLIST_PROGRAMS_ecp5-small   := 1

netlist_config = $(lastword $(subst -, ,$(1)))

REGRESS_TARGETS += $(NETLIST_TESTS:%=netlist-%)
.PHONY: $(NETLIST_TESTS:%=netlist-%) netlist-run

define netlist_rule
$(NETLIST_DIR)/$(1).v: $(call rtl_sources,$(call netlist_config,$(1))) $(RTL_HEADERS) tools/synth/netlist_verilog.py tools/synth/flow.py \
		fpga/tools/ecp5_flow.py $(wildcard fpga/tools/*.v fpga/ecp5/cells/*.sv) | $(BUILD)/tools/test.stamp $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(FPGA_ROOT)/stamp
	@tools/param_hash.sh $(call netlist_config,$(1))
	@$(PYTHON) tools/synth/netlist_verilog.py --level $(firstword $(subst -, ,$(1))) --npm $(NPM_DIR) --root $(FPGA_ROOT)/root \
		--out $(NETLIST_DIR)/$(1) $(RTL_HEADERS:%=--header %) --verilog $$@ $(call rtl_sources,$(call netlist_config,$(1)))

netlist-$(1): $(NETLIST_DIR)/$(1).v
	@$$(MAKE_COMMAND) --no-print-directory -j$(JOBS) BUILD=$(NETLIST_DIR)/$(1) SIM_NETLIST=$$(abspath $$<) \
		SIM_CONFIGS=$(call netlist_config,$(1)) NETLIST=$(1) netlist-run
endef
$(foreach n,$(NETLIST_TESTS),$(eval $(call netlist_rule,$(n))))
# They share the root's directory.
$(NETLIST_DIR)/word-default.v: | $(NETLIST_DIR)/word-small.v
$(NETLIST_DIR)/ecp5-small.v: | $(NETLIST_DIR)/word-default.v

# For the makes above.
netlist-run: $(BUILD)/tma_crosscheck
	@hw_tests/crosscheck/netlist.sh $(NETLIST_LEAST_$(NETLIST)) $< --config $(call netlist_config,$(NETLIST)) \
		--programs $(NETLIST_PROGRAMS_$(NETLIST)) --seed $(SEED) --from-zero

# As sim_config in mk/sim.mk, of which the RTL beside it comes.
define netlist_sim
$(SIM_DIR)/$(1)/netlist/Vtma_$(1)_netlist.mk: $(SIM_NETLIST) mk/sim_netlist.mk
	@mkdir -p $$(@D)
	$(VERILATOR) --cc --top-module tma_engine -Wno-fatal -Wno-lint -Wno-style -O3 --x-assign unique --x-initial unique --no-timing $(VERILATOR_NO_LOOPS) \
		--output-split 20000 --output-split-cfuncs 2000 --trace-fst --trace-depth 1 --prefix Vtma_$(1)_netlist --Mdir $$(@D) $$<
	@touch $$@

$(SIM_DIR)/$(1)/netlist/Vtma_$(1)_netlist__ALL.a: $(SIM_DIR)/$(1)/netlist/Vtma_$(1)_netlist.mk $(SIM_BUILT_WITH)
	$$(MAKE) --no-print-directory -C $$(@D) -f Vtma_$(1)_netlist.mk $$(call sim_built_by,O1,$(SIM_PROFILE_FLAG)) $$(@F)
	@touch $$@

$(SIM_DIR)/$(1)/netlist/shim.o: hw_tests/sim/shim.cpp hw_tests/sim/shim.h hw_tests/sim/tma_sim.h hw_tests/sim/pin_wave.h \
		hw_tests/sim/shim_pins.hpp $(SIM_DIR)/$(1)/shape.h $(SIM_DIR)/$(1)/netlist/Vtma_$(1)_netlist.mk $(SIM_STD)
	$$(SIM_SHIM) $$(SIM_CXXFLAGS) -I$$(@D) -I$(SIM_DIR)/$(1) -DSHIM_NETLIST -DSHIM_ROLE=_netlist -DSHIM_CONFIG=$(1) \
		'-DSHIM_HEADER="Vtma_$(1)_netlist.h"' -c -o $$@ $$<

$(SIM_DIR)/$(1)/lockstep.o: hw_tests/sim/lockstep.cpp hw_tests/sim/shim.h hw_tests/sim/tma_sim.h mk/sim_netlist.mk $(SIM_DIR)/$(1)/Vtma_$(1).mk $(SIM_STD)
	$$(SIM_SHIM) $$(SIM_CXXFLAGS) -DSHIM_CONFIG=$(1) -c -o $$@ $$<
endef
$(if $(SIM_NETLIST),$(foreach c,$(SIM_CONFIGS),$(eval $(call netlist_sim,$(c)))))
