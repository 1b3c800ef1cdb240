# SPDX-License-Identifier: Apache-2.0
# The example of a compute unit beside the engine: the unit alone, under a test that plays the engine; the whole,
# whose waves are the pictures of docs/integration-guide.md.

RTL_tma_example_unit := $(filter-out %/tma_example_soc.sv,$(RTL_EXAMPLE))
RTL_tma_example_soc  := $(filter-out %_pkg.sv,$(RTL_MODULES)) $(RTL_EXAMPLE) hw_tests/unit_rtl/tma_example_view.sv
UNIT_TOP_tma_example_soc   := tma_example_view

UNIT_LIBS_tma_example_soc  := $(BUILD)/libtma_rig.a
UNIT_C_tma_example_soc     := tma_example_bench
UNIT_ONLY_tma_example_unit := rtl/example
UNIT_WIDEST_tma_example_unit := small
UNIT_WIDEST_tma_example_soc  := small

EXAMPLE_PAIRS := tma_example_unit.small tma_example_soc.small
UNIT_PAIRS    += $(EXAMPLE_PAIRS)

$(foreach p,$(EXAMPLE_PAIRS),$(eval $(call unit_rules,$(basename $(p)),$(patsubst .%,%,$(suffix $(p))))))
$(eval $(call unit_test,tma_example_unit))

TEST_TARGETS += test-tma_example_unit

# The whole example takes an engine of its own to build.
REGRESS_TARGETS += test-tma_example_soc

.PHONY: test-tma_example_soc
test-tma_example_soc: unit-tma_example_soc.small docs-waves-check ## the engine beside a compute unit, and that the pictures of its handshakes are fresh
	@echo "1 passed, 0 failed"

EXAMPLE_SOC   := $(UNIT_DIR)/tma_example_soc.small
EXAMPLE_WAVES := $(EXAMPLE_SOC)/waves

$(UNIT_DIR)/tma_example_waves.o: CFLAGS += -Ihost/pictures
$(UNIT_DIR)/tma_example_waves.o $(UNIT_DIR)/tma_example_bench.o: | $(UNIT_DIR)/tma_example_soc_pins.h

# mk/host.mk and mk/pictures.mk, which name these, were read before.
$(EXAMPLE_WAVES): $(UNIT_DIR)/tma_example_waves.o $(UNIT_DIR)/tma_example_bench.o $(UNIT_DIR)/unit.o \
		$(EXAMPLE_SOC)/shim.o $(EXAMPLE_SOC)/Vtma_example_soc__ALL.a $(UNIT_RUNTIME:%=$(UNIT_DIR)/%.o) \
		$(PICTURES_OBJ)/svg.o $(BUILD)/libtma_cli.a $(BUILD)/libtma_rig.a
	$(CC) $(CFLAGS) -o $@ $^ -lstdc++ -lpthread -lm

.PHONY: docs-waves docs-waves-check

docs-waves: $(EXAMPLE_WAVES) ## draw the handshakes of docs/integration-guide.md
	@$(EXAMPLE_WAVES) docs/img

docs-waves-check: $(EXAMPLE_WAVES) ## fail where a picture of a handshake is not what the example does
	@rm -rf $(BUILD)/waves
	@mkdir -p $(BUILD)/waves
	@$(EXAMPLE_WAVES) $(BUILD)/waves
	@for picture in $(BUILD)/waves/*.svg; do \
		cmp "$$picture" "docs/img/$${picture##*/}" || { echo "make docs-waves"; exit 1; }; done
