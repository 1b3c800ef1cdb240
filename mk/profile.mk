# SPDX-License-Identifier: Apache-2.0
# The way that a simulator's branches take in a few random programs. One that is built with it is faster, the larger
# the more; building it takes twice as long, so only the long runs do.

PROFILE_DIR := $(BUILD)/profile
PROFILE     := $(PROFILE_DIR)/sim.profdata
# Programs of each kind.
PROFILE_PROGRAMS_small   := 20
PROFILE_PROGRAMS_default := 5
PROFILE_PROGRAMS_max     := 1

# $(call profile_run,CONFIG)
profile_run = for kind in "" --tensor "--tensor --faults"; do \
	LLVM_PROFILE_FILE="$(PROFILE_DIR)/$(1)$$kind.profraw" $(PROFILE_DIR)/tma_crosscheck --config $(1) \
		--programs $(PROFILE_PROGRAMS_$(1)) --seed 1 $$kind || exit 1; done

# By MAKE_COMMAND, as in the Makefile: `make -n` must not run it.
$(PROFILE): $(foreach c,$(RTL_CONFIGS),$(call rtl_sources,$(c))) $(RTL_HEADERS) mk/profile.mk \
		| $(BUILD)/tools/all.stamp
	@echo "building a simulator that counts its branches" && mkdir -p $(@D)
	@rm -f $(PROFILE_DIR)/*.profraw
	@$(MAKE_COMMAND) --no-print-directory -j$(JOBS) BUILD=$(PROFILE_DIR) SIM_PROFILE=count CC='$(strip $(OBJCACHE) clang)' \
		CFLAGS='$(filter-out -Werror,$(CFLAGS)) -fprofile-instr-generate' $(PROFILE_DIR)/tma_crosscheck \
		>$(PROFILE_DIR)/log 2>&1 || { tail -n 40 $(PROFILE_DIR)/log; exit 1; }
	@{ $(foreach c,$(RTL_CONFIGS),$(call profile_run,$(c)) &&) :; } >$(PROFILE_DIR)/log
	@llvm-profdata merge -o $@ $(PROFILE_DIR)/*.profraw
