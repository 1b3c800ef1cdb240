# SPDX-License-Identifier: Apache-2.0
# PTX text: its tests, the table of ptxas' verdicts among them, its fuzz target, and the page of its syntax.

PTX_TESTS := $(sort $(wildcard host/tests/ptx_*.c))
PTX_OBJ   := $(BUILD)/ptx

TEST_TARGETS    += test-ptx

$(PTX_OBJ)/%.o: host/tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/ptx -MMD -MP -c -o $@ $<

# mk/map.mk has the reader of the vectors.
$(BUILD)/test_ptx: $(PTX_TESTS:host/tests/%.c=$(PTX_OBJ)/%.o) $(MAP_VEC:hw_tests/lib/%.c=$(MAP_OBJ)/lib/%.o) $(HOST_LIBS)
	$(CC) $(CFLAGS) -o $@ $^ -llzma -lcmocka

# The page of the syntax, by the tables that the parser reads; mk/gen.mk writes and compares it.
$(PTX_OBJ)/page.o: host/ptx/page/page.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/ptx -MMD -MP -c -o $@ $<

$(BUILD)/ptx_page: $(PTX_OBJ)/page.o $(BUILD)/libtma_cli.a $(HOST_LIBS)
	$(CC) $(CFLAGS) -o $@ $^

.PHONY: test-ptx

test-ptx: $(BUILD)/test_ptx $(BUILD)/tma ## PTX text: what ptxas accepts, errors, texts of commands, `tma check`
	$(BUILD)/test_ptx
	host/tests/check_test.sh $(BUILD)/tma

-include $(wildcard $(PTX_OBJ)/*.d)
