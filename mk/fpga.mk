# SPDX-License-Identifier: Apache-2.0
# Place and route, and areas, with open tools. They come unpacked from a newer Debian, nothing is installed.

# Plain: without reductions.
AREA_CONFIGS := small default small-plain default-plain
KERNEL_AREAS := small default
AREA_DIR     := $(BUILD)/area

.PHONY: bench-fpga bench-area $(AREA_CONFIGS:%=bench-area-%) $(KERNEL_AREAS:%=bench-area-kernel-%)

FPGA_ROOT := $(BUILD)/forky

$(FPGA_ROOT)/stamp: fpga/tools/unpack_root.sh
	@bash fpga/tools/unpack_root.sh forky $(FPGA_ROOT) yosys nextpnr-ecp5
	@touch $@

bench-fpga: $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(FPGA_ROOT)/stamp ## place and route `small` on an ECP5-85: Fmax and area against the contract
	@tools/param_hash.sh small
	@$(PYTHON) fpga/tools/ecp5.py --npm $(NPM_DIR) --root $(FPGA_ROOT)/root --out $(BUILD)/fpga \
		$(if $(FPGA_SEED),--seed $(FPGA_SEED)) $(RTL_HEADERS:%=--header %) \
		$(call rtl_sources,small) fpga/ecp5/tma_ecp5_top.sv

bench-area: ## synthesize the whole engine, `small` and `default`, with and without reductions: area by unit against the contract, longest paths
	@status=0; for c in $(AREA_CONFIGS); do \
		$(MAKE) --no-print-directory bench-area-$$c || status=1; done; exit $$status

$(AREA_CONFIGS:%=bench-area-%): bench-area-%: $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(FPGA_ROOT)/stamp
	@tools/param_hash.sh $(*:%-plain=%)
	@mkdir -p $(AREA_DIR)
	@sed $(if $(filter %-plain,$*),'s/\(NumReductions\|Doubles\)\( *= *\)[0-9]*/\1\20/','') \
		rtl/pkg/tma_cfg_$(*:%-plain=%)_pkg.sv >$(AREA_DIR)/tma_cfg_$*_pkg.sv
	@$(PYTHON) tools/synth/area.py --npm $(NPM_DIR) --root $(FPGA_ROOT)/root --out $(AREA_DIR) --config $* \
		$(RTL_HEADERS:%=--header %) $(AREA_DIR)/tma_cfg_$*_pkg.sv \
		$(filter-out rtl/pkg/tma_cfg_%,$(call rtl_sources,$(*:%-plain=%)))

# With the shell. The contract is about the engine.
$(KERNEL_AREAS:%=bench-area-kernel-%): bench-area-kernel-%: $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(FPGA_ROOT)/stamp
	@tools/param_hash.sh $*
	@mkdir -p $(AREA_DIR)
	@$(PYTHON) tools/synth/area.py --kernel --npm $(NPM_DIR) --root $(FPGA_ROOT)/root --out $(AREA_DIR) --config kernel-$* \
		$(RTL_HEADERS:%=--header %) $(call kernel_sources,$*)

.PHONY: bench-board
bench-board: $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(FPGA_ROOT)/stamp ## synthesize the board for an ECP5 around a black box of the engine: LUT4, FF and EBR by part; BOARD_MEMORY=BYTES
	@$(PYTHON) fpga/tools/board.py --npm $(NPM_DIR) --root $(FPGA_ROOT)/root --out $(BUILD)/fpga_board \
		$(if $(BOARD_MEMORY),--memory $(BOARD_MEMORY)) $(RTL_HEADERS:%=--header %) $(call rtl_sources,small) $(BOARD_RTL)
