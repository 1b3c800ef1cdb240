# SPDX-License-Identifier: Apache-2.0
# Back ends that reach an engine over registers and memory alone, in front of a simulated card.
#
#   $(CARD_OBJS)      the card: kernel, memory, rules; link with $(RIG_LDLIBS)

CARD_DIR   := $(BUILD)/card
# One port, one bank: the smallest engine is enough for what is looked at here.
CARD_CONFIG := small
# The kernel is built once, for its unit test and for the card.
CARD_KERNEL := $(BUILD)/unit_rtl/tma_kernel.$(CARD_CONFIG)
CARD_OBJS   := $(CARD_DIR)/card.o $(CARD_DIR)/kernel_bench.o $(CARD_KERNEL)/shim.o $(CARD_KERNEL)/Vtma_kernel__ALL.a \
	$(addprefix $(BUILD)/unit_rtl/,unit.o verilated.o verilated_cov.o verilated_threads.o) $(BUILD)/libtma_rig.a

TEST_TARGETS += test-uio test-xclbin test-xrt test-xrt-emulation
REGRESS_TARGETS += test-xrt-emulation

# XRT: headers where AMD installs them or where Debian does, and the library that has the C interface. pkg-config of
# Debian 12 has wrong paths, and names a library with which no simulated card can be.
XRT_HEADER  := $(firstword $(wildcard $(XILINX_XRT)/include/xrt/xrt_device.h /opt/xilinx/xrt/include/xrt/xrt_device.h \
	/usr/include/xrt/xrt/xrt_device.h /usr/include/xrt/xrt_device.h))
XRT_CFLAGS  := -isystem $(XRT_HEADER:%/xrt/xrt_device.h=%)
XRT_LDLIBS  := $(if $(filter /opt/% $(XILINX_XRT:%=%/%),$(XRT_HEADER)),-L$(XRT_HEADER:%/include/xrt/xrt_device.h=%)/lib) -lxrt_coreutil
XRT_OBJS    := $(BUILD)/host/xrt/backend_xrt.o $(BUILD)/host/xrt/xrt_driver.o $(BUILD)/host/xrt/xrt_memory.o
# The driver library of our own is for XRT 2.13 alone, which is the last one with this one in it.
XRT_2_13    := $(wildcard /usr/lib/x86_64-linux-gnu/libxrt_noop.so.2.13.0)

$(CARD_DIR)/%.o: hw_tests/card/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

$(CARD_DIR)/kernel_bench.o: hw_tests/unit_rtl/kernel_bench.c Makefile | $(BUILD)/unit_rtl/tma_kernel_pins.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -I$(BUILD)/unit_rtl -MMD -MP -c $< -o $@

$(CARD_DIR)/card.o $(CARD_DIR)/emulation.o: CFLAGS += '-DCARD_CONFIG="$(CARD_CONFIG)"'

$(BUILD)/file_card: $(CARD_DIR)/file_card.o $(CARD_OBJS)
	$(CC) $(CFLAGS) -o $@ $^ $(RIG_LDLIBS)

# The example of docs/back-ends.md: as it is for devices, and with loads and stores replaced by messages.
UIO_FLAGS := -shared -fPIC -Ihost/include -Isw_model/include -std=c11 -O2 -g -Wall -Wextra -Werror -Wshadow

$(BUILD)/uio/libtma_uio.so: host/examples/uio/backend_uio.c host/examples/uio/mmio.h host/include/tma_backend.h
	@mkdir -p $(@D)
	$(CC) $(UIO_FLAGS) -o $@ $<

$(BUILD)/uio/mailbox/libtma_uio.so: host/examples/uio/backend_uio.c $(wildcard hw_tests/card/mailbox/*.h) \
		host/include/tma_backend.h
	@mkdir -p $(@D)
	cp $< $(@D)/backend_uio.c
	$(CC) $(UIO_FLAGS) -Ihw_tests/card/mailbox -o $@ $(@D)/backend_uio.c

$(BUILD)/test_uio: host/tests/uio_test.c $(BUILD)/libtma.a
	@mkdir -p $(CARD_DIR)
	$(CC) $(CFLAGS) -MMD -MP -MF $(CARD_DIR)/uio_test.d -o $@ $< $(BUILD)/libtma.a -lcmocka

.PHONY: test-uio

test-uio: $(BUILD)/test_uio $(BUILD)/file_card $(BUILD)/uio/libtma_uio.so $(BUILD)/uio/mailbox/libtma_uio.so ## the example of a back end of one's own, on the RTL in another process
	host/tests/uio_test.sh $(BUILD) $(CARD_CONFIG)

#
# The back end "xrt".
#

.PHONY: lib-xrt install-xrt xrt-is-there test-xclbin test-xrt test-xrt-emulation

xrt-is-there:
ifeq ($(XRT_HEADER),)
	@echo "XRT is missing: xrt/xrt_device.h is not found (Debian: libxrt-dev; AMD: /opt/xilinx/xrt, or XILINX_XRT)"; exit 1
endif

$(BUILD)/host/xrt/%.o: host/src/%.c mk/xrt.mk | xrt-is-there
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) $(XRT_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/libtma_xrt.so: $(XRT_OBJS) host/libtma_xrt.map
	$(CC) -shared -Wl,-soname,$(@F) -Wl,--version-script=host/libtma_xrt.map -Wl,-z,defs -o $@ $(XRT_OBJS) $(XRT_LDLIBS)

lib-xrt: $(BUILD)/libtma_xrt.so ## build the back end "xrt", for cards of AMD; needs XRT

install-xrt: lib-xrt ## install the back end "xrt" beside the library
	install -d $(DESTDIR)$(LIBDIR)
	install -m 755 $(BUILD)/libtma_xrt.so $(DESTDIR)$(LIBDIR)

# Containers of kernels.
$(BUILD)/mkxclbin: $(CARD_DIR)/mkxclbin.o $(CARD_DIR)/xclbin.o
	$(CC) $(CFLAGS) -o $@ $^

$(CARD_DIR)/xclbin_test.o: CFLAGS += -Ihost/src

$(CARD_DIR)/xrt_memory.o: host/src/xrt_memory.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/test_xclbin: $(CARD_DIR)/xclbin_test.o $(CARD_DIR)/xclbin.o $(CARD_DIR)/xrt_memory.o
	$(CC) $(CFLAGS) -o $@ $^ -lcmocka

test-xclbin: $(BUILD)/test_xclbin $(BUILD)/mkxclbin ## the writer of xclbin files
	$(BUILD)/test_xclbin
	hw_tests/card/mkxclbin_test.sh $(BUILD)/mkxclbin

# A card in the process: libxrt finds our driver library where it looks for AMD's.
XRT_DIR := $(BUILD)/xrt

$(CARD_DIR)/xrt_device.o: hw_tests/card/xrt_device.cpp mk/xrt.mk | xrt-is-there
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O2 -g -Wall -Wextra -Werror -fPIC -fvisibility=hidden -Ihw_tests $(XRT_CFLAGS) -MMD -MP -c $< -o $@

$(XRT_DIR)/root/lib/libxrt_core.so.2: $(CARD_DIR)/xrt_device.o $(CARD_OBJS)
	@mkdir -p $(@D)
	$(CXX) -shared -Wl,-soname,libxrt_tramway.so.2 -Wl,-Bsymbolic -Wl,-z,defs -o $@ $^ $(RIG_LDLIBS) $(XRT_LDLIBS)

$(XRT_DIR)/card.xclbin: $(BUILD)/mkxclbin
	@mkdir -p $(@D)
	echo $(CARD_CONFIG) >$(@D)/bitstream
	$(BUILD)/mkxclbin 1 0x4000000 $@ $(@D)/bitstream

$(XRT_DIR)/hello: hw_tests/card/hello.c $(BUILD)/libtma.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^

# The tests of the host library once more.
$(BUILD)/host/unit_xrt/%.o: host/tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/src -DHOST_TEST_XRT -MMD -MP -c $< -o $@

$(BUILD)/test_host_xrt: $(HOST_TESTS:host/tests/%.c=$(BUILD)/host/unit_xrt/%.o) $(XRT_OBJS) $(HOST_LIBS)
	$(CC) $(CFLAGS) $^ $(XRT_LDLIBS) -lcmocka -o $@

ifeq ($(XRT_2_13),)
test-xrt:
	@echo "XRT 2.13 is missing (Debian 12: libxrt-dev)"
	@echo "0 passed, 0 failed, 1 skipped"
else
test-xrt: $(BUILD)/test_host_xrt $(BUILD)/libtma_xrt.so $(XRT_DIR)/hello $(XRT_DIR)/root/lib/libxrt_core.so.2 $(XRT_DIR)/card.xclbin \
		$(PROGRAMS:%=$(EXAMPLE_DIR)/%) $(BUILD)/tma ## the host library on XRT, over a simulated card in the process
	$(PYTHON) hw_tests/card/xrt_slots.py $(XRT_2_13) hw_tests/card/xrt_slots.txt
	env -u XCL_EMULATION_MODE XILINX_XRT=$(abspath $(XRT_DIR)/root) TMA_XCLBIN=$(XRT_DIR)/card.xclbin $(BUILD)/test_host_xrt
	hw_tests/card/xrt_test.sh $(BUILD)
	hw_tests/card/xrt_programs_test.sh $(BUILD) "$(PROGRAMS)"
endif

# AMD's driver for hardware emulation, which unpacks the bitstream and starts the simulator in it.
XRT_HWEMU := $(firstword $(wildcard /usr/lib/x86_64-linux-gnu/libxrt_hwemu.so.2 $(XRT_HEADER:%/include/xrt/xrt_device.h=%)/lib/libxrt_hwemu.so.2))
EMULATION := $(XRT_DIR)/emulation/behav_waveform/xsim

$(EMULATION)/simulate.sh: $(CARD_DIR)/emulation.o $(CARD_OBJS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -s -o $@ $^ $(RIG_LDLIBS)

$(XRT_DIR)/emulation.xclbin: $(EMULATION)/simulate.sh $(BUILD)/mkxclbin
	rm -f $(XRT_DIR)/emulation.zip
	cd $(XRT_DIR)/emulation && zip -qr ../emulation.zip behav_waveform
	$(BUILD)/mkxclbin 1 0x4000000 $@ $(XRT_DIR)/emulation.zip

ifeq ($(and $(XRT_HEADER),$(XRT_HWEMU),$(shell command -v zip),$(shell command -v unzip)),)
test-xrt-emulation:
	@echo "libxrt_hwemu.so.2 of XRT, zip or unzip is missing (Debian 12: libxrt-dev zip unzip)"
	@echo "0 passed, 0 failed, 1 skipped"
else
test-xrt-emulation: $(BUILD)/libtma_xrt.so $(XRT_DIR)/hello $(XRT_DIR)/emulation.xclbin ## a program on AMD's hardware emulation, with our simulator
	hw_tests/card/emulation_test.sh $(BUILD) $(XRT_DIR)/emulation.xclbin
endif

-include $(wildcard $(CARD_DIR)/*.d $(BUILD)/host/xrt/*.d $(BUILD)/host/unit_xrt/*.d)
