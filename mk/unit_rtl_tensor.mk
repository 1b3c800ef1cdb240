# SPDX-License-Identifier: Apache-2.0
# Tests of single RTL units: set-up and walk of tensor copies.

RTL_tma_walks := rtl/tensor/tma_tensor_setup.sv \
	$(filter-out %_pkg.sv,$(wildcard rtl/tensor/tma_setup_*.sv)) \
	rtl/tensor/tma_walk.sv hw_tests/unit_rtl/tma_walks.sv
RTL_tma_tensor := $(wildcard rtl/common/tma_ram_*.sv) $(filter-out %_pkg.sv %/tma_walk.sv,$(wildcard rtl/tensor/*.sv))

RTL_tma_tensor_share := rtl/tensor/tma_tensor_share.sv

UNIT_BITS_tma_walks  := walk_valid row_valid row_ready stop busy fold
UNIT_BITS_tma_tensor := cmd_valid cmd_ready walk_valid walk_ready

TENSOR_PAIRS := $(foreach c,$(UNIT_CONFIGS),tma_walks.$(c) tma_tensor_share.$(c)) tma_tensor.small tma_tensor.default tma_tensor.whole
UNIT_PAIRS += $(TENSOR_PAIRS)
UNIT_WIDE  += tma_walks

# More C sources of a unit's test, and archives.
UNIT_C_tma_walks  := tma_walks_map tma_walks_ref tma_walks_env
UNIT_C_tma_tensor := tma_map_ref

$(foreach p,$(TENSOR_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(foreach u,tma_walks tma_tensor_share,$(eval $(call unit_test,$(u))))

# The parts of it have tests of their own, which meet their covers.
.PHONY: test-tma_tensor
test-tma_tensor: unit-tma_tensor.small unit-tma_tensor.default unit-tma_tensor.whole

TEST_TARGETS += test-tma_walks test-tma_tensor test-tma_tensor_share
