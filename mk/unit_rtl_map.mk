# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: tensor maps.

RTL_tma_map_decode    := rtl/tensor/tma_map_control.sv rtl/tensor/tma_map_size.sv \
	rtl/tensor/tma_map_levels.sv rtl/tensor/tma_map_decode.sv
UNIT_C_tma_map_decode := tma_map_ref tma_map_random tma_map_compare
$(UNIT_DIR)/tma_map_decode.%/shim.o: hw_tests/unit_rtl/tma_map_info.hpp

MAP_PAIRS  := tma_map_decode.small tma_map_decode.default
UNIT_PAIRS += $(MAP_PAIRS)

$(foreach p,$(MAP_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,tma_map_decode,$(eval $(call unit_test,$(u))))

TEST_TARGETS += test-tma_map_decode
