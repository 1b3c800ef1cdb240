# SPDX-License-Identifier: Apache-2.0
# The library as programs of others use it: what is built, and where it is installed.
#
#   $(BUILD)/libtma.a, .so   the host library and the C model; nothing to be seen but what public headers declare
#   $(BUILD)/libtma_rtl.so   the back end "rtl", which the library loads when it is asked for

PREFIX     ?= /usr/local
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DOCDIR     ?= $(PREFIX)/share/doc/tramway

# tma_version.h is the one place that has the version.
TMA_VERSION_OF = $(shell sed -n 's/^\#define TMA_VERSION_$(1) \([0-9]*\)$$/\1/p' host/include/tma_version.h)
TMA_MAJOR   := $(call TMA_VERSION_OF,MAJOR)
TMA_VERSION := $(TMA_MAJOR).$(call TMA_VERSION_OF,MINOR).$(call TMA_VERSION_OF,PATCH)
TMA_SONAME  := libtma.so.$(TMA_MAJOR)

PUBLIC_HEADERS := $(sort $(wildcard host/include/*.h sw_model/include/*.h))
PUBLIC_LIBS    := $(BUILD)/libtma.a $(BUILD)/libtma.so
PUBLIC_EXAMPLES := $(sort $(wildcard host/examples/*.c host/examples/*.cpp)) host/examples/Makefile host/examples/README.md
PUBLIC_PTX      := $(sort $(wildcard host/examples/ptx/*.ptx))

TEST_TARGETS += test-install

# One object, so that files of the library see each other's names and nobody else does.
$(BUILD)/library/tma.o: $(BUILD)/libtma_host.a $(BUILD)/libtma_model.a mk/library.mk
	@mkdir -p $(@D)
	$(CC) -r -nostdlib -o $@ -Wl,--whole-archive $(filter %.a,$^)
	objcopy --localize-hidden $@

$(BUILD)/libtma.a: $(BUILD)/library/tma.o
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/libtma.so: $(BUILD)/library/tma.o host/libtma.map
	$(CC) -shared -Wl,-soname,$(TMA_SONAME) -Wl,--version-script=host/libtma.map -Wl,-z,defs -o $@ $<

# mk/sim.mk, which names the archives, is read later.
$(BUILD)/libtma_rtl.so: $(BUILD)/host/backend_rtl.o $(BUILD)/libtma_rig.a $(BUILD)/sim/libtma_sim.a host/libtma_rtl.map
	$(CC) -shared -Wl,-soname,$(@F) -Wl,--version-script=host/libtma_rtl.map -Wl,-z,defs -o $@ $(filter %.o %.a,$^) $(RIG_LDLIBS)

.PHONY: lib lib-rtl install install-rtl uninstall test-install

lib: $(BUILD)/tools/lib.stamp ## build the host library, static and shared
	@$(MAKE) --no-print-directory -j$(JOBS) $(PUBLIC_LIBS)

lib-rtl: $(BUILD)/tools/demo.stamp ## build the back end "rtl" for it, minutes; SIM_CONFIGS=small alone is quicker
	@$(MAKE) --no-print-directory -j$(JOBS) $(BUILD)/libtma_rtl.so

# A folder that is not below PREFIX stands for itself.
below_prefix = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))

install: lib ## install headers, library, examples; PREFIX=/usr/local LIBDIR= INCLUDEDIR= DOCDIR= DESTDIR=
	install -d $(DESTDIR)$(INCLUDEDIR)/tramway $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(DOCDIR)/examples/ptx
	install -m 644 $(PUBLIC_HEADERS) $(DESTDIR)$(INCLUDEDIR)/tramway
	install -m 644 $(BUILD)/libtma.a $(DESTDIR)$(LIBDIR)
	install -m 755 $(BUILD)/libtma.so $(DESTDIR)$(LIBDIR)/libtma.so.$(TMA_VERSION)
	ln -sf libtma.so.$(TMA_VERSION) $(DESTDIR)$(LIBDIR)/$(TMA_SONAME)
	ln -sf $(TMA_SONAME) $(DESTDIR)$(LIBDIR)/libtma.so
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(call below_prefix,$(LIBDIR))|' -e 's|@VERSION@|$(TMA_VERSION)|' \
		-e 's|@INCLUDEDIR@|$(call below_prefix,$(INCLUDEDIR))|' host/tramway.pc.in \
		>$(DESTDIR)$(LIBDIR)/pkgconfig/tramway.pc
	install -m 644 $(PUBLIC_EXAMPLES) $(DESTDIR)$(DOCDIR)/examples
	install -m 644 $(PUBLIC_PTX) $(DESTDIR)$(DOCDIR)/examples/ptx

install-rtl: lib-rtl ## install the back end "rtl" beside the library
	install -d $(DESTDIR)$(LIBDIR)
	install -m 755 $(BUILD)/libtma_rtl.so $(DESTDIR)$(LIBDIR)

uninstall: ## remove what the two have installed; with the same PREFIX, LIBDIR, INCLUDEDIR, DOCDIR, DESTDIR
	rm -f $(addprefix $(DESTDIR)$(INCLUDEDIR)/tramway/,$(notdir $(PUBLIC_HEADERS)))
	rm -f $(addprefix $(DESTDIR)$(DOCDIR)/examples/,$(notdir $(PUBLIC_EXAMPLES)) $(PUBLIC_PTX:host/examples/%=%))
	for dir in $(addprefix $(DESTDIR),$(INCLUDEDIR)/tramway $(DOCDIR)/examples/ptx $(DOCDIR)/examples $(DOCDIR)); do \
		[ ! -d $$dir ] || rmdir --ignore-fail-on-non-empty $$dir; done
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libtma.a libtma.so $(TMA_SONAME) libtma.so.$(TMA_VERSION) libtma_rtl.so libtma_xrt.so pkgconfig/tramway.pc)

test-install: $(PUBLIC_LIBS) $(BUILD)/libtma_rtl.so ## programs in C, C++ and Python with the library as it is installed
	host/tests/install_test.sh "$(MAKE_COMMAND)" $(BUILD)
