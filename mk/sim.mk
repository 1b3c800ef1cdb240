# SPDX-License-Identifier: Apache-2.0
# The engine as a simulator (one archive holds every configuration) and the rig around it.
#
#   $(RIG_LIBS)    archives, in link order    $(RIG_LDLIBS)  what they need of the system
#
# SIM_CONFIGS=small builds and holds that configuration alone: quicker while the RTL changes.

VERILATOR   ?= verilator
# SIM_PROFILE=count: the simulator counts its branches; =FILE: it is built for what another one has counted.
SIM_PROFILE_FLAG := $(if $(SIM_PROFILE),$(if $(filter count,$(SIM_PROFILE)),-fprofile-instr-generate,-fprofile-instr-use=$(abspath $(SIM_PROFILE))))
SIM_CONFIGS ?= $(RTL_CONFIGS)
# Before anything is written: what is built remembers which ones it holds.
ifneq ($(filter-out $(RTL_CONFIGS),$(SIM_CONFIGS)),)
$(error SIM_CONFIGS: there is no configuration $(filter-out $(RTL_CONFIGS),$(SIM_CONFIGS)); there are $(RTL_CONFIGS))
endif
SIM_DIR     := $(BUILD)/sim
SIM_LIB     := $(SIM_DIR)/libtma_sim.a
RIG_LIB     := $(BUILD)/libtma_rig.a
RIG_LIBS    := $(RIG_LIB) $(SIM_LIB)
RIG_LDLIBS  := -lstdc++ -lz -lpthread -lm

# SIM_BUS=64: the engine behind tma_axi64, on a bus of that many bits; in a build of its own.
SIM_TOP     := $(if $(SIM_BUS),tma_axi$(SIM_BUS),tma_engine)
sim_sources  = $(call rtl_sources,$(1)) $(if $(SIM_BUS),$(RTL_AXI64))

# SIM_NETLIST=FILE: the engine in lockstep with a netlist of it; in a build of its own, of one configuration. mk/sim_netlist.mk.

# Verilator 5.006 makes a loop of a long copy of words where it may not, so that C++ does not compile.
VERILATOR_NO_LOOPS := --reloop-limit 256

# Assertions are always compiled in, and a waveform can be asked for at run time. What neither
# reset nor the program has set is random, the same in every run. Warnings do not stop this
# build: `make lint` is where they are errors.
VERILATOR_FLAGS := --cc --top-module $(SIM_TOP) -Wall -Wno-fatal --assert --trace-fst \
	--trace-structs -O3 --x-assign unique --x-initial unique $(VERILATOR_NO_LOOPS) \
	--output-split 20000 --output-split-cfuncs 2000 -Irtl/common

# COVERAGE: Verilator's flags for an engine that counts what it meets; mk/coverage.mk.
ifdef COVERAGE
VERILATOR_FLAGS += $(COVERAGE)
endif

# What the tests see of the engine besides its pins; and warnings that are not worth to be seen.
SIM_INSIDE := rtl/waivers.vlt hw_tests/sim/inside.vlt $(if $(SIM_BUS),hw_tests/sim/inside_bus.vlt)

SIM_CXXFLAGS = $(call sim_opt,O2) -g $(if $(COVERAGE),-DVM_COVERAGE=1)

SIM_RUNTIME := verilated verilated_fst_c verilated_threads $(if $(COVERAGE),verilated_cov)
SIM_OBJS    := $(SIM_RUNTIME:%=$(SIM_DIR)/%.o) $(SIM_DIR)/configs.o $(SIM_DIR)/pin_wave.o \
	$(foreach c,$(SIM_CONFIGS),$(SIM_DIR)/$(c)/shim.o $(if $(SIM_NETLIST),$(SIM_DIR)/$(c)/netlist/shim.o $(SIM_DIR)/$(c)/lockstep.o))
SIM_MODELS  := $(foreach c,$(SIM_CONFIGS),$(SIM_DIR)/$(c)/Vtma_$(c)__ALL.a $(if $(SIM_NETLIST),$(SIM_DIR)/$(c)/netlist/Vtma_$(c)_netlist__ALL.a))

# $(call shape_rule,CONFIG,PACKAGE): the constants of a configuration's package, as C macros. The tests of units are built for
# configurations that no simulator has.
define shape_rule
$(SIM_DIR)/$(1)/shape.h: $(2)
	@mkdir -p $$(@D)
	sed -n 's/^ *localparam int unsigned \([A-Za-z]*\) *= *\([0-9]*\);.*/#define TMA_\1 \2/p' $$< >$$@
endef
$(foreach c,$(RTL_CONFIGS),$(eval $(call shape_rule,$(c),$(call rtl_config,$(c)))))

# $(call sim_config,CONFIG). What writes waves is a third of the text and seldom runs: no time is spent
# on making it quick.
define sim_config
$(SIM_DIR)/$(1)/Vtma_$(1).mk: $(call sim_sources,$(1)) $(RTL_HEADERS) $(SIM_INSIDE) mk/sim.mk
	@mkdir -p $$(@D)
	$(VERILATOR) $(VERILATOR_FLAGS) --prefix Vtma_$(1) --Mdir $$(@D) $(SIM_INSIDE) \
		$(call sim_sources,$(1))
	@touch $$@

$(SIM_DIR)/$(1)/Vtma_$(1)__ALL.a: $(SIM_DIR)/$(1)/Vtma_$(1).mk $(SIM_DIR)/profile $(SIM_BUILT_WITH)
	$$(MAKE) --no-print-directory -C $$(@D) -f Vtma_$(1).mk $$(call sim_built_by,O0,$(SIM_PROFILE_FLAG)) \
		$$$$(cd $$(@D) && ls Vtma_$(1)__Trace__*.cpp | sed 's/cpp$$$$/o/')
	$$(MAKE) --no-print-directory -C $$(@D) -f Vtma_$(1).mk $$(call sim_built_by,O2,$(SIM_PROFILE_FLAG)) $$(@F)
	@touch $$@

$(SIM_DIR)/$(1)/shim.o: hw_tests/sim/shim.cpp hw_tests/sim/shim.h hw_tests/sim/tma_sim.h hw_tests/sim/pin_wave.h \
		hw_tests/sim/shim_bus.hpp hw_tests/sim/shim_pins.hpp $(SIM_DIR)/$(1)/shape.h $(SIM_DIR)/$(1)/Vtma_$(1).mk $(SIM_STD)
	$$(SIM_SHIM) $$(SIM_CXXFLAGS) -I$$(@D) $(SIM_BUS:%=-DSHIM_BUS=%) $(if $(SIM_NETLIST),-DSHIM_ROLE=_rtl) -DSHIM_CONFIG=$(1) '-DSHIM_HEADER="Vtma_$(1).h"' \
		'-DSHIM_INSIDE="Vtma_$(1)___024root.h"' -c -o $$@ $$<
endef
$(foreach c,$(SIM_CONFIGS),$(eval $(call sim_config,$(c))))

$(SIM_RUNTIME:%=$(SIM_DIR)/%.o): $(SIM_DIR)/%.o: hw_tests/sim/verilated_user.h mk/sim.mk
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(SIM_PIC) -O2 -DVM_TRACE=1 -DVM_TRACE_FST=1 $(if $(COVERAGE),-DVM_COVERAGE=1) -include $< \
		-I$(sim_root)/include -I$(sim_root)/include/vltstd -c -o $@ $(sim_root)/include/$*.cpp

# Changes only when another profile is asked for: then nothing that was compiled before is of use.
$(SIM_DIR)/profile: FORCE $(if $(SIM_PROFILE_FLAG),$(filter-out count,$(SIM_PROFILE)))
	@mkdir -p $(@D)
	@{ echo '$(SIM_PROFILE)'; cat /dev/null $(filter-out FORCE,$^); } | cksum >$@.new
	@cmp -s $@.new $@ || { rm -f $(@D)/*/Vtma_*.o && mv $@.new $@; }

# Changes only when another set of configurations is asked for.
$(SIM_DIR)/configs.list: FORCE
	@mkdir -p $(@D)
	@echo '$(SIM_CONFIGS)' | cmp -s - $@ || echo '$(SIM_CONFIGS)' >$@

$(SIM_DIR)/configs.o: hw_tests/sim/configs.cpp hw_tests/sim/shim.h hw_tests/sim/tma_sim.h \
		hw_tests/sim/verilated_user.h hw_tests/sim/seed.hpp $(SIM_DIR)/configs.list $(SIM_STD) mk/sim.mk
	$(SIM_SHIM) $(SIM_CXXFLAGS) '-DSIM_CONFIGS=$(foreach c,$(SIM_CONFIGS),CONFIG($(c)))' -c -o $@ $<

$(SIM_DIR)/pin_wave.o: hw_tests/sim/pin_wave.cpp hw_tests/sim/pin_wave.h $(SIM_STD) mk/sim.mk
	@mkdir -p $(@D)
	$(SIM_SHIM) $(SIM_CXXFLAGS) -c -o $@ $<

# One archive: the models' archives are unpacked into it.
$(SIM_LIB): $(SIM_OBJS) $(SIM_MODELS)
	@rm -f $@
	@{ echo 'create $@'; $(SIM_MODELS:%=echo 'addlib %';) $(SIM_OBJS:%=echo 'addmod %';) \
		echo save; echo end; } | ar -M

RIG_SRCS := axi_check axi_manners axi_mem axi_monitor axi_observe axil_check monitor_regs ranges regions rig rig_command rig_csr rig_door \
	rig_queue rig_ring rig_ring_setup rig_smem rig_tune rig_wait
RIG_OBJS := $(RIG_SRCS:%=$(BUILD)/rig/%.o)

$(BUILD)/rig/%.o: hw_tests/lib/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -MMD -MP -c -o $@ $<

$(RIG_LIB): $(RIG_OBJS)
	@rm -f $@
	ar rcs $@ $^

-include $(RIG_OBJS:.o=.d)

.PHONY: FORCE
FORCE:

# Their own tests.
TEST_TARGETS    += test-axi test-rig
REGRESS_TARGETS += test-rig-all

$(BUILD)/rig/unit/%.o: hw_tests/engine/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/rig/unit/%.o: hw_tests/lib/test/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/test_axi_check: $(BUILD)/rig/unit/axi_check_test.o $(BUILD)/rig/unit/axi_check_cases.o \
		$(BUILD)/rig/unit/axi_check_port.o $(BUILD)/rig/unit/play.o $(RIG_LIB)
	$(CC) $(CFLAGS) -o $@ $^ -lcmocka

$(BUILD)/test_axi_mem $(BUILD)/test_axi_mem_stop $(BUILD)/test_axi_manners: $(BUILD)/test_%: $(BUILD)/rig/unit/%_test.o \
		$(BUILD)/rig/unit/axi_mem_bench.o $(RIG_LIB)
	$(CC) $(CFLAGS) -o $@ $^ -lcmocka

$(BUILD)/test_axil_check: $(BUILD)/rig/unit/play.o

$(BUILD)/test_axi_monitor $(BUILD)/test_axi_observe $(BUILD)/test_axil_check: $(BUILD)/test_%: $(BUILD)/rig/unit/%_test.o $(RIG_LIB)
	$(CC) $(CFLAGS) -o $@ $^ -lcmocka

RIG_TEST_OBJS := $(patsubst %,$(BUILD)/rig/unit/%.o,rig_main rig_test rig_ring_test rig_recovery_test \
	rig_group_test rig_order_test rig_progress_test \
	rig_isolation_test rig_wait rig_wait_test rig_wait_ports_test rig_pair_test rig_reader_test rig_contention_test)

# The model for its encoder of tensor maps; mk/model.mk names it.
$(BUILD)/test_rig: $(RIG_TEST_OBJS) $(RIG_LIBS) $(BUILD)/libtma_model.a
	$(CC) $(CFLAGS) -o $@ $^ $(RIG_LDLIBS) -lcmocka

.PHONY: test-axi test-rig test-rig-all

AXI_TESTS := $(patsubst %,$(BUILD)/test_axi_%,check mem mem_stop manners monitor observe) $(BUILD)/test_axil_check

test-axi: $(AXI_TESTS) ## unit tests of the AXI checker, memory model, monitor and observer
	for t in $^; do $$t || exit 1; done

test-rig: $(BUILD)/test_rig ## the test rig on the RTL: `small`, and `default` with stalls and with a port that stands
	$(BUILD)/test_rig --quick

# All of it on every configuration.
test-rig-all: $(BUILD)/test_rig
	$(BUILD)/test_rig

-include $(wildcard $(BUILD)/rig/unit/*.d)
