# SPDX-License-Identifier: Apache-2.0
# Rules of tests of single RTL units: each is Verilated alone, behind a thin C++ shim that is made from
# its ports, under a test in C.
#
# mk/unit_rtl_*.mk say for each UNIT: its sources RTL_UNIT; more C sources of its test UNIT_C_UNIT;
# archives and objects UNIT_LIBS_UNIT; libraries UNIT_LD_UNIT; how it is optimized, if not as all, UNIT_OPT_UNIT; and call, for every UNIT.CONFIG that is built, unit_rules, and for every
# unit with cover properties unit_test.

UNIT_DIR   := $(BUILD)/unit_rtl
UNIT_COVER := $(UNIT_DIR)/covers
UNIT_PAIRS :=
# Units whose header of pins has its rule. For pins.py, UNIT_BITS_UNIT: its vectors that are arrays of
# bits, UNIT_JOIN_UNIT: ports that are elements of one array, UNIT_POKE_UNIT: memories inside that its
# test writes, UNIT_WIDEST_UNIT: the configuration that has most of everything, if not `max`, UNIT_TOP_UNIT:
# the module, if it is one of the tests that puts something around the unit.
UNIT_PINS  :=
# Units that are built in every configuration: in the deep regression (mk/unit_rtl_wide.mk) `max`, which takes longest,
# and `odd`, where there is `default` as well.
UNIT_CONFIGS := small default odd
UNIT_WIDE    :=
unit_odd      = $(foreach p,$(filter %.odd,$(UNIT_PAIRS)),$(if $(filter $(basename $(p)).default,$(UNIT_PAIRS)),$(p)))
# $(call unit_tested,UNIT): what its test runs.
unit_tested   = $(filter $(1).%,$(filter-out $(unit_odd),$(UNIT_PAIRS)))

UNIT_QUEUES := $(addprefix rtl/common/tma_,ram_1r1w.sv ram_1r1w_sync.sv fifo.sv fifo_block.sv room.sv)
UNIT_PORTS  := rtl/common/tma_skid.sv rtl/common/tma_rr_arb.sv $(filter-out %_pkg.sv,$(wildcard rtl/port/*.sv))
UNIT_PKGS    = $(RTL_PKGS) $(filter %_pkg.sv,$(RTL_OTHER))

UNIT_RUNTIME  := verilated verilated_cov verilated_threads
UNIT_CXXFLAGS  = $(call sim_opt,O1) -Isw_model/include -DVM_COVERAGE=1

# The configurations of the engine, and two more.
unit_config = $(firstword $(wildcard rtl/pkg/tma_cfg_$(1)_pkg.sv) hw_tests/unit_rtl/tma_cfg_$(1)_pkg.sv)

$(foreach c,odd whole,$(eval $(call shape_rule,$(c),$(call unit_config,$(c)))))

# $(call unit_xml,UNIT): what Verilator says of the unit whose sources are the prerequisites.
unit_top = $(or $(UNIT_TOP_$(1)),$(1))
unit_xml = $(VERILATOR) --xml-only --xml-output $@ --top-module $(unit_top) --Mdir $(@D) -Wno-lint -Wno-style \
	$(VERILATOR_NO_LOOPS) -Irtl/common $(filter %.sv,$^) >/dev/null

# $(call pins_rules,UNIT): the header of its pins, for all configurations.
define pins_rules
UNIT_PINS += $(1)

$(UNIT_DIR)/$(1)_pins.xml: $(call unit_config,$(or $(UNIT_WIDEST_$(1)),max)) $(UNIT_PKGS) $(RTL_$(1)) $(RTL_HEADERS)
	@mkdir -p $$(@D)
	$$(call unit_xml,$(1))

$(UNIT_DIR)/$(1)_pins.h: $(UNIT_DIR)/$(1)_pins.xml hw_tests/unit_rtl/pins.py $(wildcard mk/unit_rtl*.mk)
	$(PYTHON) hw_tests/unit_rtl/pins.py header $(1) $$< --top $(unit_top) --bits $(UNIT_BITS_$(1)) --join $(UNIT_JOIN_$(1)) --poke $(UNIT_POKE_$(1)) >$$@

$(UNIT_DIR)/$(1)_test.o $(UNIT_C_$(1):%=$(UNIT_DIR)/%.o): | $(UNIT_DIR)/$(1)_pins.h
endef

# $(call shim_rules,UNIT,CONFIG): the shim behind it.
define shim_rules
$(UNIT_DIR)/$(1).$(2)/pins.xml: $(call unit_config,$(2)) $(UNIT_PKGS) $(RTL_$(1)) $(RTL_HEADERS)
	@mkdir -p $$(@D)
	$$(call unit_xml,$(1))

$(UNIT_DIR)/$(1).$(2)/shim.cpp: $(UNIT_DIR)/$(1).$(2)/pins.xml $(UNIT_DIR)/$(1)_pins.xml \
		hw_tests/unit_rtl/pins.py $(wildcard mk/unit_rtl*.mk)
	$(PYTHON) hw_tests/unit_rtl/pins.py shim $(1) $$< --top $(unit_top) --of $(UNIT_DIR)/$(1)_pins.xml \
		--bits $(UNIT_BITS_$(1)) --join $(UNIT_JOIN_$(1)) --poke $(UNIT_POKE_$(1)) >$$@

$(UNIT_DIR)/$(1).$(2)/shim.o: $(UNIT_DIR)/$(1).$(2)/shim.cpp $(UNIT_DIR)/$(1)_pins.h \
		hw_tests/unit_rtl/unit.hpp hw_tests/unit_rtl/unit.h $(SIM_DIR)/$(2)/shape.h \
		$(UNIT_DIR)/$(1).$(2)/V$(1).mk $(SIM_STD)
	$$(SIM_SHIM) $$(UNIT_CXXFLAGS) -I$$(@D) -I$(UNIT_DIR) -I$(SIM_DIR)/$(2) -c -o $$@ $$<
endef

# $(call unit_rules,UNIT,CONFIG)
define unit_rules
$(if $(filter $(1),$(UNIT_PINS)),,$(call pins_rules,$(1)))
$(call shim_rules,$(1),$(2))

$(UNIT_DIR)/$(1).$(2)/V$(1).mk: $(call unit_config,$(2)) $(UNIT_PKGS) $(RTL_$(1)) $(RTL_HEADERS) \
		mk/unit_rtl.mk
	@mkdir -p $$(@D)
	$(VERILATOR) --cc --prefix V$(1) --top-module $(unit_top) --Mdir $$(@D) -Wno-lint -Wno-style --assert --coverage-user \
		-O3 --x-assign unique --x-initial unique $(VERILATOR_NO_LOOPS) -Irtl/common \
		$(call unit_config,$(2)) $(UNIT_PKGS) $(RTL_$(1))
	@touch $$@

$(UNIT_DIR)/$(1).$(2)/V$(1)__ALL.a: $(UNIT_DIR)/$(1).$(2)/V$(1).mk $(SIM_BUILT_WITH)
	$$(MAKE) --no-print-directory -C $$(@D) -f V$(1).mk $$(call sim_built_by,$$(or $$(UNIT_OPT_$(1)),O1)) $$(@F)
	@touch $$@

$(UNIT_DIR)/$(1).$(2)/test: $(UNIT_DIR)/$(1)_test.o $(UNIT_C_$(1):%=$(UNIT_DIR)/%.o) \
		$(UNIT_DIR)/unit_main.o $(UNIT_DIR)/unit.o $(UNIT_DIR)/$(1).$(2)/shim.o \
		$(UNIT_DIR)/$(1).$(2)/V$(1)__ALL.a $(UNIT_RUNTIME:%=$(UNIT_DIR)/%.o) $(UNIT_LIBS_$(1))
	$(CC) $(CFLAGS) -o $$@ $$^ $(UNIT_LD_$(1)) -lcmocka -lstdc++ -lpthread -lm

.PHONY: unit-$(1).$(2)
unit-$(1).$(2): $(UNIT_DIR)/$(1).$(2)/test
	@rm -rf $(UNIT_COVER)/$(1).$(2)
	@mkdir -p $(UNIT_COVER)/$(1).$(2)
	UNIT_COVERS=$(UNIT_COVER)/$(1).$(2) $$<
endef

$(UNIT_DIR)/%.o: hw_tests/unit_rtl/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -I$(UNIT_DIR) -MMD -MP -c -o $@ $<

$(UNIT_DIR)/unit.o: hw_tests/unit_rtl/unit.cpp hw_tests/unit_rtl/unit.h hw_tests/sim/verilated_user.h hw_tests/sim/seed.hpp $(SIM_STD)
	@mkdir -p $(@D)
	$(SIM_SHIM) $(UNIT_CXXFLAGS) -c -o $@ $<

$(UNIT_RUNTIME:%=$(UNIT_DIR)/%.o): $(UNIT_DIR)/%.o: hw_tests/sim/verilated_user.h mk/unit_rtl.mk
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(SIM_PIC) -O2 -DVM_COVERAGE=1 -include $< -I$(sim_root)/include \
		-I$(sim_root)/include/vltstd -c -o $@ $(sim_root)/include/$*.cpp

# A cover property that no test of its unit meets is a failure too; with UNIT_ONLY_UNIT one below these folders.
# $(call unit_test,UNIT)
define unit_test
.PHONY: test-$(1)
test-$(1): $(addprefix unit-,$(unit_tested))
	@$(PYTHON) hw_tests/covers.py $(UNIT_ONLY_$(1):%=--only %) $(addprefix $(UNIT_COVER)/,$(unit_tested))
endef

-include $(wildcard $(UNIT_DIR)/*.d)
