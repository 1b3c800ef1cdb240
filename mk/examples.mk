# SPDX-License-Identifier: Apache-2.0
# The examples of the programmer's guide: built, run, and compared with what the guide shows. mk/programs.mk builds
# them all once more as a user does.

# Those whose output the guide shows.
EXAMPLES     := first fault ring tensor allreduce histogram
# Those that take a back end, and check what comes out. One is C++.
PROGRAMS     := pipeline gemm convolution threads cp_async
EXAMPLE_DIR  := $(BUILD)/examples
# As programs of others: with what mk/library.mk, read later, installs.
EXAMPLE_LIBS := $(BUILD)/libtma.a

EXAMPLE_CXXFLAGS := -std=c++17 -O2 -g -Wall -Wextra -Werror -Wshadow -Isw_model/include -Ihost/include

TEST_TARGETS += test-examples

$(EXAMPLE_DIR)/%: host/examples/%.c $(EXAMPLE_LIBS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP $< $(EXAMPLE_LIBS) -pthread -o $@

$(EXAMPLE_DIR)/%: host/examples/%.cpp $(EXAMPLE_LIBS)
	@mkdir -p $(@D)
	$(CXX) $(EXAMPLE_CXXFLAGS) -MMD -MP $< $(EXAMPLE_LIBS) -o $@

.PHONY: examples test-examples

EXAMPLE_PROGRAMS := $(EXAMPLES:%=$(EXAMPLE_DIR)/%) $(PROGRAMS:%=$(EXAMPLE_DIR)/%)

examples: $(EXAMPLE_PROGRAMS) ## build the examples of the programmer's guide

test-examples: examples ## they run, and the guide shows their sources and what they print
	host/tests/examples_test.sh $(EXAMPLE_DIR)

-include $(wildcard $(EXAMPLE_DIR)/*.d)
