# SPDX-License-Identifier: Apache-2.0
# Place and route with open tools. They come unpacked from a newer Debian, nothing is installed.

.PHONY: bench-fpga

FPGA_ROOT := $(BUILD)/forky

$(FPGA_ROOT)/stamp: fpga/tools/unpack_root.sh
	@bash fpga/tools/unpack_root.sh forky $(FPGA_ROOT) yosys nextpnr-ecp5
	@touch $@

bench-fpga: $(BUILD)/tools/fpga.stamp $(NPM_DIR)/stamp $(FPGA_ROOT)/stamp ## place and route `small` on an ECP5-85: Fmax and area against the contract
	@tools/param_hash.sh small
	@$(PYTHON) fpga/tools/ecp5.py --npm $(NPM_DIR) --root $(FPGA_ROOT)/root --out $(BUILD)/fpga \
		$(if $(FPGA_SEED),--seed $(FPGA_SEED)) $(RTL_HEADERS:%=--header %) \
		$(call rtl_sources,small) fpga/ecp5/tma_ecp5_top.sv
