# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: each is Verilated alone, behind a thin C++ shim, under a test in C.
#
# UNIT_PAIRS names what is built: UNIT.CONFIG. A unit's sources are RTL_$(UNIT), below.

UNIT_DIR   := $(BUILD)/unit_rtl
UNIT_COVER := $(UNIT_DIR)/covers

UNIT_QUEUES := rtl/common/tma_ram_1r1w.sv rtl/common/tma_fifo.sv

RTL_tma_store  := $(UNIT_QUEUES) rtl/common/tma_rotate.sv rtl/load/tma_guard.sv \
	$(filter-out %_pkg.sv,$(wildcard rtl/store/*.sv))
RTL_tma_groups := rtl/common/tma_ram_1r1w.sv rtl/sync/tma_groups.sv rtl/sync/tma_group_queue.sv
RTL_tma_csr    := rtl/common/tma_ram_1r1w.sv rtl/front/tma_csr.sv rtl/front/tma_axil.sv \
	rtl/front/tma_queue_regs.sv rtl/front/tma_window_regs.sv rtl/front/tma_counters.sv
RTL_tma_faults  := rtl/common/tma_ram_1r1w.sv rtl/front/tma_faults.sv
RTL_tma_respond := $(UNIT_QUEUES) rtl/front/tma_respond.sv

UNIT_PAIRS := $(foreach c,$(RTL_CONFIGS),tma_store.$(c) tma_csr.$(c)) tma_groups.small tma_groups.default \
	tma_faults.default tma_respond.default
UNIT_PKGS   = $(RTL_PKGS) rtl/front/tma_front_pkg.sv rtl/front/tma_status_pkg.sv rtl/store/tma_store_pkg.sv

# More C sources of a unit's test, and archives.
UNIT_C_tma_store    := tma_store_env
UNIT_C_tma_csr      := tma_csr_map
UNIT_LIBS_tma_store := $(BUILD)/libtma_rig.a

UNIT_RUNTIME  := verilated verilated_cov verilated_threads
UNIT_CXXFLAGS  = $(SIM_CXXFLAGS) -Isw_model/include -DVM_COVERAGE=1

# $(call unit_rules,UNIT,CONFIG)
define unit_rules
$(UNIT_DIR)/$(1).$(2)/V$(1).mk: rtl/pkg/tma_cfg_$(2)_pkg.sv $(UNIT_PKGS) $(RTL_$(1)) $(RTL_HEADERS) \
		mk/unit_rtl_store.mk
	@mkdir -p $$(@D)
	$(VERILATOR) --cc --top-module $(1) --Mdir $$(@D) -Wno-lint -Wno-style --assert --coverage-user \
		-O3 --x-assign unique --x-initial unique -Irtl/common \
		rtl/pkg/tma_cfg_$(2)_pkg.sv $(UNIT_PKGS) $(RTL_$(1))
	@touch $$@

$(UNIT_DIR)/$(1).$(2)/V$(1)__ALL.a: $(UNIT_DIR)/$(1).$(2)/V$(1).mk
	$$(MAKE) --no-print-directory -C $$(@D) -f V$(1).mk OPT_FAST=-O1 OPT_SLOW=-O0 $$(@F)
	@touch $$@

$(UNIT_DIR)/$(1).$(2)/shim.o: hw_tests/unit_rtl/$(1)_shim.cpp hw_tests/unit_rtl/$(1)_shim.h \
		hw_tests/unit_rtl/unit.hpp hw_tests/unit_rtl/unit.h $(SIM_DIR)/$(2)/shape.h \
		$(UNIT_DIR)/$(1).$(2)/V$(1).mk
	$(CXX) $$(UNIT_CXXFLAGS) -I$$(@D) -I$(SIM_DIR)/$(2) -c -o $$@ $$<

$(UNIT_DIR)/$(1).$(2)/test: $(UNIT_DIR)/$(1)_test.o $(UNIT_C_$(1):%=$(UNIT_DIR)/%.o) \
		$(UNIT_DIR)/$(1).$(2)/shim.o $(UNIT_DIR)/$(1).$(2)/V$(1)__ALL.a $(UNIT_DIR)/unit.o \
		$(UNIT_RUNTIME:%=$(UNIT_DIR)/%.o) $(UNIT_LIBS_$(1))
	$(CC) $(CFLAGS) -o $$@ $$^ -lcmocka -lstdc++ -lpthread -lm

.PHONY: unit-$(1).$(2)
unit-$(1).$(2): $(UNIT_DIR)/$(1).$(2)/test
	@rm -rf $(UNIT_COVER)/$(1).$(2)
	@mkdir -p $(UNIT_COVER)/$(1).$(2)
	UNIT_COVERS=$(UNIT_COVER)/$(1).$(2) $$<
endef
$(foreach p,$(UNIT_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))

$(UNIT_DIR)/%.o: hw_tests/unit_rtl/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(UNIT_DIR)/unit.o: hw_tests/unit_rtl/unit.cpp hw_tests/unit_rtl/unit.h hw_tests/sim/verilated_user.h
	@mkdir -p $(@D)
	$(CXX) $(UNIT_CXXFLAGS) -c -o $@ $<

$(UNIT_RUNTIME:%=$(UNIT_DIR)/%.o): $(UNIT_DIR)/%.o: hw_tests/sim/verilated_user.h
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O2 -DVM_COVERAGE=1 -include $< -I$(sim_root)/include \
		-I$(sim_root)/include/vltstd -c -o $@ $(sim_root)/include/$*.cpp

# A cover property that no test of its unit meets is a failure too.
# $(call unit_test,UNIT)
define unit_test
.PHONY: test-$(1)
test-$(1): $(filter unit-$(1).%,$(UNIT_PAIRS:%=unit-%))
	@$(PYTHON) hw_tests/unit_rtl/covers.py $(UNIT_COVER)/$(1).*
endef
UNIT_TESTS := $(sort $(basename $(UNIT_PAIRS)))
$(foreach u,$(UNIT_TESTS),$(eval $(call unit_test,$(u))))

TEST_TARGETS += $(UNIT_TESTS:%=test-%)

-include $(wildcard $(UNIT_DIR)/*.d)
