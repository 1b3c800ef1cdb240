# SPDX-License-Identifier: Apache-2.0
# How the C++ that Verilator writes is compiled, and the shims around it: of the engine, units, boards and netlists.
#
#   $(call sim_built_by,O2,FLAGS)   of a make on Verilator's makefile; what is called once is not optimized, and what is
#                                   called in every cycle takes its conditions for false
#   $(SIM_BUILT_WITH)               what that needs to be there
#   $(SIM_SHIM) $(call sim_opt,O2)  the compiler of a shim
#   $(SIM_STD)                      what that needs to be there

ifeq ($(origin CXX),default)
CXX         := $(strip $(OBJCACHE) g++)
endif
# What Verilator writes is megabytes of straight code: clang's runs a fifth faster than gcc's, and is there sooner.
# Verilator's makefiles know gcc's warnings alone, and nobody reads the text.
ifeq ($(origin SIM_CXX),undefined)
SIM_CXX     := $(strip $(OBJCACHE) clang++)
endif
# One build serves programs and the shared object of the back end "rtl".
SIM_PIC     := -fPIC -fvisibility=hidden
SIM_DIALECT := -std=c++17 -faligned-new -fcf-protection=none $(SIM_PIC)

# The standard's headers, read once for all: of a small unit they are most of what there is to compile. Not for another
# compiler, nor for one with more flags. ccache takes what is precompiled for the same where its sum is the same,
# which says what the headers are, not where they are.
CXX_DIR := $(BUILD)/cxx
sim_bare = $(filter-out $(OBJCACHE),$(SIM_CXX))
sim_std  = $(if $(filter-out clang++,$(sim_bare)),,$(1:%=$(CXX_DIR)/std.%.pch))
SIM_STD := $(call sim_std,O0 O1 O2 O3)
sim_opt  = -$(1) $(addprefix -include-pch ,$(abspath $(call sim_std,$(1))))

$(CXX_DIR)/std.%.pch: hw_tests/sim/std.hpp mk/cxx.mk
	@mkdir -p $(@D)
	$(sim_bare) $(SIM_DIALECT) -w -$* -E -P -x c++ $< | cksum >$@.sum
	$(sim_bare) $(SIM_DIALECT) -w -$* -x c++-header -o $@ $<

SIM_SELDOM     := hw_tests/sim/seldom.hpp
SIM_BUILT_WITH := $(SIM_STD) $(SIM_SELDOM)
sim_built_by    = OBJCACHE= CXX='$(strip $(SIM_CXX) $(2))' LINK='$(SIM_CXX)' CFG_CXXFLAGS_NO_UNUSED='$(SIM_DIALECT) -w' \
	OPT_FAST='$(call sim_opt,$(1)) -include $(abspath $(SIM_SELDOM))' OPT_SLOW='$(call sim_opt,O0)' OPT_GLOBAL='$(call sim_opt,$(1))'

# Asked once, by the first rule that needs it: the tool may not be there yet when this is read.
sim_root = $(eval sim_root := $$(shell $(VERILATOR) --getenv VERILATOR_ROOT))$(sim_root)
SIM_SHIM = $(SIM_CXX) $(SIM_DIALECT) -Wall -Wextra -Ihw_tests -isystem $(sim_root)/include -isystem $(sim_root)/include/vltstd

# With nothing precompiled, as for another compiler: a header that first comes behind the macro would not compile.
.PHONY: cxx-check
cxx-check: $(BUILD)/tools/test.stamp ## what is included before Verilator's C++ leaves its headers, and the standard's, as they are
	@printf '#include "verilated_%s.h"\n' cov dpi fst_c save types vcd_c | $(SIM_SHIM) -fsyntax-only \
		-include $(SIM_SELDOM) -x c++ -
