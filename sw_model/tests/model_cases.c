/* SPDX-License-Identifier: Apache-2.0 */
/* One legal command of every form, and edits of it. */
#include "model_cases.h"

struct tma_command build(base_command base, const struct edit edits[MAX_EDITS])
{
	struct tma_command c = base();
	unsigned char bytes[sizeof(c)];

	memcpy(bytes, &c, sizeof(c));
	for (unsigned int e = 0; e < MAX_EDITS; e++)
		for (unsigned int b = 0; b < edits[e].bytes; b++)
			bytes[edits[e].byte + b] = b < 8 ? (unsigned char)(edits[e].value >> 8 * b) : 0;
	memcpy(&c, bytes, sizeof(c));
	return c;
}

uint64_t header_of(const struct tma_command *c)
{
	unsigned char bytes[8];
	uint64_t header = 0;

	memcpy(bytes, c, sizeof(bytes));
	for (unsigned int b = 0; b < sizeof(bytes); b++)
		header |= (uint64_t)bytes[b] << 8 * b;
	return header;
}

#define BASE(name, command)           \
	struct tma_command name(void) \
	{                             \
		return command;       \
	}

BASE(base_load, load(AT(0, DST), GLOBAL, 64, AT(0, BAR)))
BASE(base_multicast, multicast(AT(0, DST), GLOBAL, 64, AT(0, BAR), 0x3))
BASE(base_store, store(GLOBAL, AT(0, SRC), 64))
BASE(base_shared, copy(AT(1, DST), AT(0, SRC), 64, AT(1, BAR)))
BASE(base_prefetch, prefetch(GLOBAL, 64))
BASE(base_commit, command(TMA_BULK_COMMIT_GROUP))
BASE(base_wait_group, command(TMA_BULK_WAIT_GROUP))
BASE(base_init, barrier_init(AT(0, BAR), 1))
BASE(base_inval, barrier_tx(TMA_MBARRIER_INVAL, AT(0, BAR), 0))
BASE(base_expect_tx, barrier_tx(TMA_MBARRIER_EXPECT_TX, AT(0, BAR), 16))
BASE(base_complete_tx, barrier_tx(TMA_MBARRIER_COMPLETE_TX, AT(0, BAR), 16))
BASE(base_arrive, arrive(AT(0, BAR), 1, 0))
BASE(base_arrive_expect_tx, arrive_expect_tx(AT(0, BAR), 16, 0))
BASE(base_pending_count, command(TMA_MBARRIER_PENDING_COUNT))
BASE(base_test_state, wait_state(TMA_MBARRIER_TEST_WAIT, AT(0, BAR), 0))
BASE(base_test_parity, wait_parity(TMA_MBARRIER_TEST_WAIT, AT(0, BAR), 0))
BASE(base_try_state, wait_state(TMA_MBARRIER_TRY_WAIT, AT(0, BAR), 0))
BASE(base_try_parity, wait_parity(TMA_MBARRIER_TRY_WAIT, AT(0, BAR), 0))
BASE(base_signal, command(TMA_SIGNAL))

struct tma_command base_multimem(void)
{
	struct tma_command c = base_store();

	c.opcode = TMA_MULTIMEM_BULK_STORE;
	return c;
}

BASE(base_cp_async, base_cp_async_of(0))

struct tma_command base_cp_async_of(uint32_t rank)
{
	struct tma_command c = command(TMA_CP_ASYNC);

	c.global_address = GLOBAL;
	c.size = 8;
	c.shared_dst = AT(rank, DST);
	return c;
}

BASE(base_cp_arrive, barrier_tx(TMA_CP_ASYNC_MBARRIER_ARRIVE, AT(0, BAR), 0))
BASE(base_cancel, command(TMA_CANCEL))
BASE(base_refused, ((struct tma_command){ .opcode = TMA_SIGNAL }))

struct tma_command wait_forever(void)
{
	struct tma_command c = base_try_parity();

	c.tx = UINT32_MAX;
	return c;
}
