# SPDX-License-Identifier: Apache-2.0
# The kernel for cards of AMD: fpga/vitis, which has a Makefile of its own, without AMD's tools.

TEST_TARGETS += test-vitis

.PHONY: test-vitis

test-vitis: $(BUILD)/tools/test.stamp ## description, connectivity and scripts of the Vitis kernel, with stand-ins for AMD's tools
	$(PYTHON) -B fpga/vitis/test/test_vitis.py
