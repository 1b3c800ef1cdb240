# SPDX-License-Identifier: Apache-2.0
# Back ends that reach an engine over registers and memory alone, in front of a simulated card.
#
#   $(CARD_OBJS)      the card: shell, engine, memory; link with $(RIG_LIBS) $(RIG_LDLIBS)

CARD_DIR   := $(BUILD)/card
CARD_OBJS  := $(CARD_DIR)/card.o
# One port, one bank: the smallest engine is enough for what is looked at here.
CARD_CONFIG := small

TEST_TARGETS += test-uio

$(CARD_DIR)/%.o: hw_tests/card/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/file_card: $(CARD_DIR)/file_card.o $(CARD_OBJS) $(RIG_LIBS)
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

-include $(wildcard $(CARD_DIR)/*.d)
