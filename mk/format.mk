# SPDX-License-Identifier: Apache-2.0
# Layout of the C and C++ sources: .clang-format. Generated files are as their generator writes them.

.PHONY: format format-check

C_GENERATED := sw_model/include/tma_abi.h sw_model/include/tma_tables.h host/include/tma_regs.h host/include/tma_shell.h host/src/register_table.c
C_FILES      = $(filter-out $(C_GENERATED),$(shell find sw_model host hw_tests -name '*.[ch]' -o -name '*.[ch]pp'))

format: $(BUILD)/tools/lint.stamp ## lay out the C and C++ sources
	@clang-format -i $(C_FILES)

format-check: $(BUILD)/tools/lint.stamp ## fail where a C or C++ source is not laid out as .clang-format says
	@clang-format --dry-run --Werror $(C_FILES)
