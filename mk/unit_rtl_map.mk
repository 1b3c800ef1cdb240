# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: tensor maps.

RTL_tma_map_decode    := $(patsubst %,rtl/tensor/tma_map_%.sv,steps control dim levels size rules decode)
RTL_tma_map_fence     := rtl/common/tma_ram_1r1w.sv rtl/port/tma_windows.sv rtl/tensor/tma_map_fence.sv
RTL_tma_map_cache     := $(wildcard rtl/common/tma_ram_*.sv) $(RTL_tma_map_decode) \
	$(patsubst %,rtl/tensor/tma_map_%.sv,words fetch cache)
UNIT_C_tma_map_decode := tma_map_ref tma_map_random
UNIT_C_tma_map_cache  := $(UNIT_C_tma_map_decode) tma_map_cache_env

MAP_PAIRS  := tma_map_decode.small tma_map_decode.default tma_map_decode.whole tma_map_fence.small tma_map_fence.default \
	$(foreach c,$(UNIT_CONFIGS),tma_map_cache.$(c))
UNIT_PAIRS += $(MAP_PAIRS)
UNIT_WIDE  += tma_map_cache

$(foreach p,$(MAP_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,tma_map_decode tma_map_fence tma_map_cache,$(eval $(call unit_test,$(u))))

TEST_TARGETS += test-tma_map_decode test-tma_map_fence test-tma_map_cache
