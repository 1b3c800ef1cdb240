# SPDX-License-Identifier: Apache-2.0
# Place and route, and areas, with open tools. They come unpacked from a newer Debian, nothing is installed; what is
# installed already in as new a version is used as it is.

# Plain: without reductions.
AREA_CONFIGS := small default small-plain default-plain
KERNEL_AREAS := small default
AREA_DIR     := $(BUILD)/area

# The system that a board gets: the engine `small`, memory and a serial line.
FPGA_BOARD_RTL = $(call rtl_sources,small) $(BOARD_RTL)
FPGA_BOARDS   := ecp5-evn ulx3s arty-a7-100t
COMMA         := ,

.PHONY: fpga-tools clean-tools fpga $(FPGA_BOARDS:%=bitstream-%) bench-fpga bench-area $(AREA_CONFIGS:%=bench-area-%) \
	$(KERNEL_AREAS:%=bench-area-kernel-%)

FPGA_ROOT     := $(BUILD)/forky
FPGA_PACKAGES := nextpnr-himbaechel-xilinx prjxray prjxray-database
# TOOL:PACKAGE, if the tool is not there.
FPGA_MISSING  := yosys:yosys nextpnr-ecp5:nextpnr-ecp5 ecppack:fpga-trellis

$(FPGA_ROOT)/stamp: fpga/tools/unpack_root.sh fpga/tools/native.sh mk/fpga.mk
	@packages='$(FPGA_PACKAGES)'; for p in $(FPGA_MISSING); do \
		fpga/tools/native.sh $${p%:*} >/dev/null || packages="$$packages $${p#*:}"; done; \
		bash fpga/tools/unpack_root.sh forky $(FPGA_ROOT) $$packages
	@touch $@

fpga-tools: $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(SOLVER_DIR)/stamp $(FPGA_ROOT)/stamp ## set up synthesis, place and route, solvers below build/, and print their versions
	@fpga/tools/versions.sh $(FPGA_ROOT)/root $(NPM_DIR) $(SOLVER_DIR)

.PHONY: test-fpga-tools
REGRESS_TARGETS += test-fpga-tools
test-fpga-tools: fpga-tools
	@echo "1 passed, 0 failed"

clean-tools: ## remove them again, but for packages that apt-get has installed
	rm -rf $(FPGA_ROOT) $(NPM_DIR) $(SOLVER_DIR) $(BUILD)/tools/fpga.stamp

ifneq ($(filter fpga,$(MAKECMDGOALS)),)
ifneq ($(words $(BOARD)) $(filter $(FPGA_BOARDS),$(BOARD)),1 $(BOARD))
$(error BOARD=$(BOARD): there is no such board; there are $(FPGA_BOARDS))
endif
endif

fpga: $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(FPGA_ROOT)/stamp ## a bitstream: BOARD=ecp5-evn, ulx3s or arty-a7-100t; FPGA_SEEDS=1,2,..: of an ECP5 all of them, the fastest kept
	@tools/param_hash.sh small
	@$(MAKE) --no-print-directory bitstream-$(BOARD)

FPGA_FLOW = --npm $(NPM_DIR) --root $(FPGA_ROOT)/root --out $(BUILD)/fpga $(RTL_HEADERS:%=--header %)

bitstream-ecp5-evn bitstream-ulx3s: bitstream-%:
	@$(PYTHON) fpga/tools/bitstream.py --board $* $(if $(FPGA_SEEDS),--seeds $(FPGA_SEEDS)) $(FPGA_FLOW) $(FPGA_BOARD_RTL) $(wildcard fpga/ecp5/tma_*.sv)

# A minute, of which most is the tools: the way to a bitstream and back on a design that is quickly routed.
.PHONY: test-artix7
REGRESS_TARGETS += test-artix7
test-artix7: $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(FPGA_ROOT)/stamp ## a small design to a bitstream of an Artix-7, which is read back
	@$(PYTHON) fpga/tools/artix7.py --top tma_arty_small --xdc fpga/artix7/arty-a7-100t.xdc --mhz 25 $(FPGA_FLOW) \
		$(addprefix fpga/artix7/,cells.sv tma_clock_quarter.sv tma_arty_small.sv)
	@echo "1 passed, 0 failed"

bitstream-arty-a7-100t:
	@$(PYTHON) fpga/tools/artix7.py $(if $(FPGA_SEEDS),--seed $(word 1,$(subst $(COMMA), ,$(FPGA_SEEDS)))) --top tma_arty_a7 --xdc fpga/artix7/arty-a7-100t.xdc --mhz 25 $(FPGA_FLOW) $(FPGA_BOARD_RTL) \
		$(filter-out %_small.sv,$(wildcard fpga/artix7/*.sv))

bench-fpga: $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(FPGA_ROOT)/stamp ## place and route `small` on an ECP5-85: Fmax and area against the contract; PLACED=1: by an estimate, without routing
	@tools/param_hash.sh small
	@$(PYTHON) fpga/tools/ecp5.py --npm $(NPM_DIR) --root $(FPGA_ROOT)/root --out $(BUILD)/fpga \
		$(if $(FPGA_SEED),--seed $(FPGA_SEED)) $(if $(PLACED),--placed) $(RTL_HEADERS:%=--header %) \
		$(call rtl_sources,small) fpga/ecp5/tma_ecp5_top.sv

bench-area: ## synthesize the whole engine, `small` and `default`, with and without reductions: area by unit against the contract, longest paths
	@status=0; for c in $(AREA_CONFIGS); do \
		$(MAKE) --no-print-directory bench-area-$$c || status=1; done; exit $$status

$(AREA_CONFIGS:%=bench-area-%): bench-area-%: $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(FPGA_ROOT)/stamp
	@tools/param_hash.sh $(*:%-plain=%)
	@mkdir -p $(AREA_DIR)
	@sed $(if $(filter %-plain,$*),'s/\(NumReductions\|Floats\)\( *= *\)[0-9]*/\1\20/','') \
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
