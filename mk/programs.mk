# SPDX-License-Identifier: Apache-2.0
# The larger examples as a user meets them: built against the installed library, on every back end, and all examples
# under sanitizers.

# Back ends to run them on. One that is a shared object is found in $(BUILD).
PROGRAM_BACKENDS := model rtl

TEST_TARGETS    += test-programs
# Half a minute, of which most is building the library twice.
REGRESS_TARGETS += test-programs-sanitized

.PHONY: test-programs test-programs-sanitized

test-programs: $(PUBLIC_LIBS) $(patsubst %,$(BUILD)/libtma_%.so,$(filter-out model,$(PROGRAM_BACKENDS))) ## example programs, built by pkg-config, on every back end
	host/tests/programs_test.sh "$(MAKE_COMMAND)" $(BUILD) "$(PROGRAMS)" $(PROGRAM_BACKENDS)

# Sanitizers need objects of their own, of the library and of the programs.
SANITIZED        := $(BUILD)/sanitized
SANITIZERS       := address thread
SANITIZE_address := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SANITIZE_thread  := -fsanitize=thread
SANITIZED_SRCS   := $(HOST_SRCS) $(PTX_SRCS) $(MODEL_SRCS)
SANITIZED_NAMES  := $(EXAMPLES) $(PROGRAMS)

# $(1): a sanitizer
define sanitized
$(SANITIZED)/$(1)/%.o: %.c Makefile
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(SANITIZE_$(1)) -MMD -MP -c $$< -o $$@

$(SANITIZED)/$(1)/%.o: %.cpp Makefile
	@mkdir -p $$(@D)
	$$(CXX) $$(EXAMPLE_CXXFLAGS) $$(SANITIZE_$(1)) -MMD -MP -c $$< -o $$@

$(SANITIZED)/$(1)/libtma.a: $(SANITIZED_SRCS:%.c=$(SANITIZED)/$(1)/%.o)
	@rm -f $$@
	$$(AR) rcs $$@ $$^

$(SANITIZED)/$(1)/%: $(SANITIZED)/$(1)/host/examples/%.o $(SANITIZED)/$(1)/libtma.a
	$$(CXX) $$(SANITIZE_$(1)) $$^ -pthread -o $$@
endef
$(foreach s,$(SANITIZERS),$(eval $(call sanitized,$(s))))

SANITIZED_PROGRAMS := $(foreach s,$(SANITIZERS),$(SANITIZED_NAMES:%=$(SANITIZED)/$(s)/%))
.SECONDARY: $(foreach s,$(SANITIZERS),$(SANITIZED_NAMES:%=$(SANITIZED)/$(s)/host/examples/%.o))

test-programs-sanitized: $(SANITIZED_PROGRAMS) $(SANITIZED_NAMES:%=$(EXAMPLE_DIR)/%) ## all examples under ASan, UBSan, TSan, and valgrind where it is
	host/tests/sanitized_test.sh $(SANITIZED) $(EXAMPLE_DIR) "$(EXAMPLES)" "$(PROGRAMS)"

-include $(foreach s,$(SANITIZERS),$(wildcard $(SANITIZED)/$(s)/*/*/*.d))
