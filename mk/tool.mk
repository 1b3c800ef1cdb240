# SPDX-License-Identifier: Apache-2.0
# The command line tool `tma`, a program of libtma.so as any other, and its pages of the manual.

BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man

CLI_LIB   := $(BUILD)/libtma_cli.a
TOOL_OBJ  := $(BUILD)/tool
TOOL_SRCS := $(sort $(wildcard host/tool/*.c))
# With the shapes of the other pictures.
TOOL_OBJS := $(TOOL_SRCS:host/tool/%.c=$(TOOL_OBJ)/%.o) $(TOOL_OBJ)/svg.o
# Programs in PTX text, of `tma run` and `tma bench`.
RUN_SRCS  := $(sort $(wildcard host/run/*.c))
TOOL_OBJS += $(RUN_SRCS:host/run/%.c=$(TOOL_OBJ)/run/%.o)
TOOL_MAN  := $(sort $(wildcard docs/man/*.1))

TEST_TARGETS += test-tool test-tool-rtl test-run test-run-rtl fuzz-run
REGRESS_TARGETS += test-tool-rtl-wide fuzz-run-long
LINT_TARGETS += man-check

# Options of all tools.
$(BUILD)/cli/%.o: host/cli/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(CLI_LIB): $(BUILD)/cli/cli.o $(BUILD)/cli/wave.o
	@rm -f $@
	$(AR) rcs $@ $^

$(TOOL_OBJ)/%.o: host/tool/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/pictures -Ihost/run -MMD -MP -c $< -o $@

$(TOOL_OBJ)/run/%.o: host/run/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Ihost/tool -MMD -MP -c $< -o $@

$(TOOL_OBJ)/svg.o: host/pictures/svg.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

# $(call tool_link,FOLDER OF THE LIBRARY,PROGRAM)
tool_link = $(CC) $(CFLAGS) $(TOOL_OBJS) $(CLI_LIB) -L$(BUILD) -ltma -Wl,-rpath,'$(1)' -o $(2)

# By its soname the library is found here as well.
$(BUILD)/$(TMA_SONAME): $(BUILD)/libtma.so
	ln -sf libtma.so $@

$(BUILD)/tma: $(TOOL_OBJS) $(CLI_LIB) $(BUILD)/$(TMA_SONAME)
	$(call tool_link,$$ORIGIN,$@)

$(BUILD)/test_cli: host/tests/cli_unit.c $(CLI_LIB)
	$(CC) $(CFLAGS) -D_POSIX_C_SOURCE=200809L $^ -lcmocka -o $@

# The model under another name, with faults for the self-test to find.
$(TOOL_OBJ)/broken/libtma_broken.so: host/tests/tool_stub.c $(HOST_LIBS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -Ihost/src -shared -Wl,-z,defs $< $(HOST_LIBS) -o $@

.PHONY: tool install-tool uninstall-tool test-tool test-tool-rtl test-tool-rtl-wide test-run test-run-rtl man-check

tool: lib ## build the command line tool `tma`
	@$(MAKE) --no-print-directory $(BUILD)/tma

install: install-tool
uninstall: uninstall-tool

# Linked once more: an installed program finds the library where that is installed.
install-tool: lib
	@$(MAKE) --no-print-directory $(BUILD)/tma
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1
	$(call tool_link,$(LIBDIR),$(DESTDIR)$(BINDIR)/tma)
	install -m 644 $(TOOL_MAN) $(DESTDIR)$(MANDIR)/man1

uninstall-tool:
	rm -f $(DESTDIR)$(BINDIR)/tma $(addprefix $(DESTDIR)$(MANDIR)/man1/,$(notdir $(TOOL_MAN)))

test-tool: $(BUILD)/test_cli $(BUILD)/tma $(TOOL_OBJ)/broken/libtma_broken.so ## the command line tool on the C model, and on engines with faults
	$(BUILD)/test_cli
	host/tests/tool_test.sh $(BUILD)/tma $(TOOL_OBJ)/broken

test-tool-rtl: $(BUILD)/tma $(BUILD)/libtma_rtl.so ## its self-test on the Verilated engine
	host/tests/tool_rtl_test.sh $(BUILD)/tma $(TEST_CONFIGS)

test-run: $(BUILD)/tma ## programs in PTX text on the C model: their notation, errors, examples
	host/tests/run_test.sh $(BUILD)/tma

test-run-rtl: $(BUILD)/tma $(BUILD)/libtma_rtl.so ## the same examples on the Verilated engine
	host/tests/run_rtl_test.sh $(BUILD)/tma $(TEST_CONFIGS)

# What reads programs, without a device.
RUN_FUZZ := hw_tests/fuzz/fuzz_run.c $(addprefix host/run/,text.c declare.c source.c source_map.c target.c program.c element.c npy.c) \
	host/tool/map_words.c host/cli/cli.c host/src/command.c host/src/command_tensor.c

$(BUILD)/fuzz_run: $(RUN_FUZZ) $(PTX_SRCS) $(MAP_SRCS) $(wildcard host/run/*.h) host/tool/map.h hw_tests/lib/rng.h hw_tests/fuzz/fuzz_main.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(MAP_FUZZ_FLAGS) -DFUZZ_STANDALONE -Ihost/run -Ihost/tool -o $@ $(filter %.c,$^)

.PHONY: fuzz-run fuzz-run-long

fuzz-run: $(BUILD)/fuzz_run ## random programs in PTX text and arrays under sanitizers, a short run
	$(BUILD)/fuzz_run --seed $(SEED) --seconds 3

fuzz-run-long: $(BUILD)/fuzz_run
	$(BUILD)/fuzz_run --seed $(SEED) --seconds 60

test-tool-rtl-wide: $(BUILD)/tma $(BUILD)/libtma_rtl.so ## self-test and programs in PTX text on the largest engine
	host/tests/tool_rtl_test.sh $(BUILD)/tma max
	host/tests/run_rtl_test.sh $(BUILD)/tma max

man-check: $(BUILD)/tools/lint.stamp ## fail where a page of the manual is not well formed
	@for page in $(TOOL_MAN); do \
		! groff -mdoc -ww -z -Tutf8 $$page 2>&1 | grep . || exit 1; done

-include $(wildcard $(TOOL_OBJ)/*.d $(TOOL_OBJ)/run/*.d $(BUILD)/cli/*.d)
