# SPDX-License-Identifier: Apache-2.0
# The host library's objects, its tests and the demo. mk/library.mk makes of them what is installed.
#
#   $(HOST_LIBS)      the host library with the back end "model", all names to be seen
#   $(HOST_RTL_LIBS)  with "rtl" as well; link with $(RIG_LDLIBS)

HOST_LIB     := $(BUILD)/libtma_host.a
HOST_RTL_LIB := $(BUILD)/libtma_rtl.a
# The archives of other fragments by their paths: those may be read after this one.
HOST_LIBS     := $(HOST_LIB) $(BUILD)/libtma_model.a
HOST_RTL_LIBS := $(HOST_RTL_LIB) $(HOST_LIBS) $(BUILD)/libtma_rig.a $(BUILD)/sim/libtma_sim.a

HOST_OBJ     := $(BUILD)/host
HOST_SRCS    := $(filter-out host/src/backend_rtl.c host/src/backend_xrt.c host/src/xrt_%,$(sort $(wildcard host/src/*.c)))
PTX_SRCS     := $(sort $(wildcard host/ptx/*.c))
HOST_TESTS   := $(sort $(wildcard host/tests/host_*.c))

TEST_TARGETS += test-host test-host-rtl test-enums test-demo
REGRESS_TARGETS += test-demo-wide test-host-rtl-wide

$(HOST_OBJ)/%.o: host/src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

$(HOST_OBJ)/ptx/%.o: host/ptx/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

$(HOST_LIB): $(HOST_SRCS:host/src/%.c=$(HOST_OBJ)/%.o) $(PTX_SRCS:host/ptx/%.c=$(HOST_OBJ)/ptx/%.o)
	@rm -f $@
	$(AR) rcs $@ $^

$(HOST_RTL_LIB): $(HOST_OBJ)/backend_rtl.o
	@rm -f $@
	$(AR) rcs $@ $^

# The same tests twice: without a simulator, which shows that the library needs none, and with it.
$(HOST_OBJ)/unit/%.o: host/tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/src -MMD -MP -c $< -o $@

$(HOST_OBJ)/unit_rtl/%.o: host/tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/src -DHOST_TEST_RTL -MMD -MP -c $< -o $@

$(BUILD)/test_host: $(HOST_TESTS:host/tests/%.c=$(HOST_OBJ)/unit/%.o) $(HOST_LIBS)
	$(CC) $(CFLAGS) $^ -lcmocka -o $@

$(BUILD)/test_host_rtl: $(HOST_TESTS:host/tests/%.c=$(HOST_OBJ)/unit_rtl/%.o) \
		$(HOST_RTL_LIBS)
	$(CC) $(CFLAGS) $^ $(RIG_LDLIBS) -lcmocka -o $@

.PHONY: test-host test-host-rtl test-host-rtl-wide test-enums

test-host: $(BUILD)/test_host ## unit tests of the host library on the C model
	$(BUILD)/test_host

test-host-rtl: $(BUILD)/test_host_rtl ## the same tests on the Verilated engine
	$(BUILD)/test_host_rtl $(TEST_CONFIGS)

test-host-rtl-wide: $(BUILD)/test_host_rtl ## on the largest
	$(BUILD)/test_host_rtl max

test-enums: ## numbers of tensor maps that mean another thing elsewhere do not compile there
	host/tests/enum_test.sh

-include $(wildcard $(HOST_OBJ)/*.d $(HOST_OBJ)/ptx/*.d $(HOST_OBJ)/unit/*.d $(HOST_OBJ)/unit_rtl/*.d)

# The picture is rendered by scene.c, and checked in so that there is a file to move. What the engine
# makes of it is drawn in $(BUILD)/demo.
FILE ?= host/demo/scene.ppm
DEMO_SRCS := $(filter-out host/demo/scene.c,$(sort $(wildcard host/demo/*.c)))

$(HOST_OBJ)/demo/%.o: host/demo/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/tma_demo: $(DEMO_SRCS:host/demo/%.c=$(HOST_OBJ)/demo/%.o) $(BUILD)/libtma_cli.a $(HOST_RTL_LIBS)
	$(CC) $(CFLAGS) $^ $(RIG_LDLIBS) -lpng -o $@

# The demo on the model alone, with faults for it to find.
$(BUILD)/tma_demo_stub: $(DEMO_SRCS:host/demo/%.c=$(HOST_OBJ)/demo/%.o) $(HOST_OBJ)/unit/demo_stub.o $(BUILD)/libtma_cli.a $(HOST_LIBS)
	$(CC) $(CFLAGS) $^ -lpng -o $@

$(BUILD)/scene: $(HOST_OBJ)/demo/scene.o $(BUILD)/libtma_cli.a
	$(CC) $(CFLAGS) $^ -lm -o $@

.PHONY: demo-run demo-scene test-demo test-demo-wide

# A clean clone simulates only the configuration that it shows; others that are there stay.
CONFIG ?= default
SIM_HAS = $(filter $(RTL_CONFIGS),$(shell cat $(BUILD)/sim/configs.list 2>/dev/null))
# A variable of that name may be anybody's: it is looked at where it is asked for.
ifneq ($(filter demo demo-run,$(MAKECMDGOALS)),)
ifneq ($(words $(CONFIG)) $(filter $(RTL_CONFIGS),$(CONFIG)),1 $(CONFIG))
$(error CONFIG=$(CONFIG): there is no such configuration; there are $(RTL_CONFIGS))
endif
endif

DEMO_MAKE = $(MAKE) --no-print-directory $(BUILD)/tma_demo \
	SIM_CONFIGS="$(strip $(SIM_HAS) $(filter-out $(SIM_HAS),$(CONFIG)))"

demo-run:
	@test -e $(BUILD)/tma_demo || echo "building the engine's simulation: a minute or two"
	@$(DEMO_MAKE) >$(BUILD)/demo.log 2>&1 || { cat $(BUILD)/demo.log; exit 1; }
	@$(BUILD)/tma_demo --config "$(CONFIG)" --pictures "$(BUILD)/demo" "$(FILE)"

test-demo: $(BUILD)/tma_demo $(BUILD)/tma_demo_stub $(BUILD)/scene ## the demo, odd sizes, bad files, faults to find
	host/tests/demo_test.sh $^ $(filter-out small,$(TEST_CONFIGS))

# The whole picture, and more seeds; `max` has 3.6 MiB of shared memory to read back.
test-demo-wide: $(BUILD)/tma_demo $(BUILD)/tma_demo_stub $(BUILD)/scene
	DEMO_SEEDS='1 2 3' host/tests/demo_test.sh $^ small default max

demo-scene: $(BUILD)/scene ## render the picture that the demo moves
	$(BUILD)/scene >host/demo/scene.ppm

-include $(wildcard $(HOST_OBJ)/demo/*.d)
