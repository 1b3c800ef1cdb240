# SPDX-License-Identifier: Apache-2.0
# The board: the engine, its memory and a bridge from a serial line, as a simulation behind a pseudo-terminal.
#
# BOARD_CLOCKS_PER_BIT=N builds it with a slower line. The clock that HELLO tells has one cycle per microsecond, so that
# the longest WAIT is soon over. BOARD_ASSERT=1 checks the assertions of the RTL, for seven times the time: the simulator
# looks at what they are about in every clock, also while the engine's stands still.

BOARD_CLOCKS_PER_BIT ?= 4
BOARD_CLOCK_HZ       ?= 1000000
BOARD_ASSERT         ?=

BOARD_PKG     := fpga/board/tma_board_pkg.sv
BOARD_MODULES := $(filter-out $(BOARD_PKG),$(sort $(wildcard fpga/board/*.sv)))
BOARD_RTL     := $(BOARD_PKG) $(BOARD_MODULES)

BOARD_DIR   := $(BUILD)/board
BOARD_BUILD := $(BOARD_CLOCKS_PER_BIT) $(BOARD_CLOCK_HZ) $(BOARD_ASSERT)
BOARD_MODEL := $(BOARD_DIR)/model

# No waveforms, and engine and memory stand still while nobody needs them: both for speed.
BOARD_FLAGS = --cc --top-module tma_board --prefix Vtma_board -Wno-lint -Wno-style -Wno-fatal $(if $(BOARD_ASSERT),--assert) -O3 \
	--x-assign unique --x-initial unique $(VERILATOR_NO_LOOPS) --output-split 20000 --output-split-cfuncs 2000 -Irtl/common \
	-GClocksPerBit=$(BOARD_CLOCKS_PER_BIT) -GClockHz=$(BOARD_CLOCK_HZ) "-GGateEngine=1'b1"

BOARD_CXXFLAGS = $(call sim_opt,O2) -g -I$(BOARD_MODEL)
BOARD_CFLAGS   := -D_XOPEN_SOURCE=700 -DBOARD_CLOCKS_PER_BIT=$(BOARD_CLOCKS_PER_BIT) -DBOARD_CLOCK_HZ=$(BOARD_CLOCK_HZ)

$(BOARD_MODEL)/Vtma_board.mk: $(call rtl_sources,small) $(BOARD_RTL) $(RTL_HEADERS) mk/board.mk $(BOARD_DIR)/line
	@mkdir -p $(@D)
	$(VERILATOR) $(BOARD_FLAGS) --Mdir $(@D) $(call rtl_sources,small) $(BOARD_RTL)
	@touch $@

$(BOARD_MODEL)/Vtma_board__ALL.a: $(BOARD_MODEL)/Vtma_board.mk $(SIM_BUILT_WITH)
	$(MAKE) --no-print-directory -C $(@D) -f Vtma_board.mk $(call sim_built_by,O3) $(@F)
	@touch $@

# Changes only when another line is asked for.
$(BOARD_DIR)/line: FORCE
	@mkdir -p $(@D)
	@echo '$(BOARD_BUILD)' | cmp -s - $@ || echo '$(BOARD_BUILD)' >$@

$(BOARD_DIR)/board_sim.o: hw_tests/board/board_sim.cpp hw_tests/board/board_sim.h hw_tests/sim/verilated_user.h \
		hw_tests/sim/seed.hpp $(BOARD_MODEL)/Vtma_board.mk $(SIM_STD)
	$(SIM_SHIM) $(BOARD_CXXFLAGS) -c -o $@ $<

BOARD_RUNTIME := $(BOARD_DIR)/verilated.o $(BOARD_DIR)/verilated_threads.o

$(BOARD_RUNTIME): $(BOARD_DIR)/%.o: hw_tests/sim/verilated_user.h mk/board.mk
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O2 -include $< -I$(sim_root)/include -I$(sim_root)/include/vltstd -c -o $@ $(sim_root)/include/$*.cpp

$(BOARD_DIR)/%.o: hw_tests/board/%.c $(BOARD_DIR)/line
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(BOARD_CFLAGS) -MMD -MP -c -o $@ $<

BOARD_SIM_OBJS := $(patsubst %,$(BOARD_DIR)/%.o,board_main pty serial_line noise)

$(BUILD)/tma_board_sim: $(BOARD_SIM_OBJS) $(BOARD_DIR)/board_sim.o $(BOARD_MODEL)/Vtma_board__ALL.a $(BOARD_RUNTIME) $(BUILD)/libtma_cli.a
	$(CC) $(CFLAGS) -o $@ $^ -lstdc++ -lpthread -lm

-include $(wildcard $(BOARD_DIR)/*.d)

# A client of the line, and the board at its other end.
BOARD_SMOKE_OBJS := $(patsubst %,$(BOARD_DIR)/%.o,board_smoke_test board_process client frame)

$(BOARD_DIR)/board_process.o: BOARD_CFLAGS += '-DBOARD_SIM="$(BUILD)/tma_board_sim"'

$(BUILD)/test_board: $(BOARD_SMOKE_OBJS)
	$(CC) $(CFLAGS) -o $@ $^ -lcmocka

.PHONY: test-board
test-board: $(BUILD)/test_board $(BUILD)/tma_board_sim ## the board over its line: every operation, commands of a ring, noise
	$(BUILD)/test_board

TEST_TARGETS    += test-board
REGRESS_TARGETS += test-board-asserted

# By MAKE_COMMAND, as in the Makefile: what a suite needs is found by a run that runs nothing.
.PHONY: test-board-asserted
test-board-asserted: ## the same with the assertions of the RTL
	@$(MAKE_COMMAND) --no-print-directory BUILD=$(BUILD)/board_asserted BOARD_ASSERT=1 test-board
