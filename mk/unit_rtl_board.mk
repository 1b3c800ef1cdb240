# SPDX-License-Identifier: Apache-2.0
# Tests of the board's units: UARTs of several speeds; frames, bridge and accesses; the AXI memory; what is left.
# They are of no configuration: `small` is the one that the board has.

BOARD_COMMON := rtl/common/tma_ram_1r1w_sync.sv rtl/common/tma_skid.sv

RTL_tma_uarts       := $(BOARD_PKG) fpga/board/tma_uart_rx.sv fpga/board/tma_uart_tx.sv hw_tests/board/tma_uarts.sv
RTL_tma_board_line  := $(BOARD_COMMON) $(BOARD_PKG) $(filter fpga/board/tma_frame_% fpga/board/tma_bridge%,$(BOARD_MODULES)) \
	$(patsubst %,fpga/board/tma_board_%.sv,regs lines stage reset) hw_tests/board/tma_board_line.sv
RTL_tma_axi_ram     := $(BOARD_COMMON) $(BOARD_PKG) fpga/board/tma_ram_bytes.sv $(filter fpga/board/tma_axi_ram%,$(BOARD_MODULES))
RTL_tma_board_parts := $(BOARD_PKG) fpga/board/tma_sync.sv fpga/board/tma_clock_gate.sv \
	$(patsubst %,fpga/board/tma_board_%.sv,reset leds run) hw_tests/board/tma_board_parts.sv

BOARD_UNITS := tma_uarts tma_board_line tma_axi_ram tma_board_parts
BOARD_PAIRS := $(BOARD_UNITS:%=%.small)
UNIT_PAIRS  += $(BOARD_PAIRS)

UNIT_BITS_tma_uarts := rx_line rx_valid rx_error tx_valid tx_ready tx_line
UNIT_C_tma_board_line := tma_board_line_env tma_board_line_ref tma_board_line_draw tma_board_line_noise frame
$(foreach u,$(BOARD_UNITS),$(eval UNIT_WIDEST_$(u) := small))
# The covers of rtl/common are met by their own tests.
$(foreach u,$(BOARD_UNITS),$(eval UNIT_ONLY_$(u) := fpga/board))

$(UNIT_DIR)/%.o: hw_tests/board/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -I$(UNIT_DIR) -MMD -MP -c -o $@ $<

$(foreach p,$(BOARD_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,$(BOARD_UNITS),$(eval $(call unit_test,$(u))))

TEST_TARGETS += $(BOARD_UNITS:%=test-%)
