# SPDX-License-Identifier: Apache-2.0
# The pictures of docs/tensor-copies.md, drawn from what the C model does.

PICTURES_SRCS := $(sort $(wildcard host/pictures/*.c))
PICTURES_OBJ  := $(BUILD)/host/pictures
# mk/host.mk, which names these, was read before.
LINT_TARGETS  += docs-pictures-check

$(PICTURES_OBJ)/%.o: host/pictures/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/tensor_pictures: $(PICTURES_SRCS:host/pictures/%.c=$(PICTURES_OBJ)/%.o) $(BUILD)/libtma_cli.a $(HOST_LIBS)
	$(CC) $(CFLAGS) $^ -o $@

.PHONY: docs-pictures docs-pictures-check

docs-pictures: $(BUILD)/tensor_pictures ## draw the pictures of docs/tensor-copies.md
	@$(BUILD)/tensor_pictures docs/img

docs-pictures-check: $(BUILD)/tensor_pictures ## fail where a picture is not what the C model does
	@rm -rf $(BUILD)/pictures
	@mkdir -p $(BUILD)/pictures
	@$(BUILD)/tensor_pictures $(BUILD)/pictures
	@for picture in $(BUILD)/pictures/*.svg; do \
		cmp "$$picture" "docs/img/$${picture##*/}" || { echo "make docs-pictures"; exit 1; }; done

-include $(wildcard $(PICTURES_OBJ)/*.d)
