# SPDX-License-Identifier: Apache-2.0
# The examples of the programmer's guide: built, run, and compared with what the guide shows.

EXAMPLES     := first fault ring tensor allreduce histogram
EXAMPLE_DIR  := $(BUILD)/examples
# As programs of others: with what mk/library.mk, read later, installs.
EXAMPLE_LIBS := $(BUILD)/libtma.a

TEST_TARGETS += test-examples

$(EXAMPLES:%=$(EXAMPLE_DIR)/%): $(EXAMPLE_DIR)/%: host/examples/%.c $(EXAMPLE_LIBS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP $< $(EXAMPLE_LIBS) -o $@

.PHONY: examples test-examples

examples: $(EXAMPLES:%=$(EXAMPLE_DIR)/%) ## build the examples of the programmer's guide

test-examples: examples ## they run, and the guide shows their sources and what they print
	host/tests/examples_test.sh $(EXAMPLE_DIR)

-include $(wildcard $(EXAMPLE_DIR)/*.d)
