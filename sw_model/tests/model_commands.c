/* SPDX-License-Identifier: Apache-2.0 */
/* Commands and barrier objects, built from the specification's layout. */
#include "model_fixture.h"

/* [19:0] expected, [39:20] pending, [60:40] tx, [61] phase, [63:62] 2 = live */
uint64_t barrier_word(uint32_t expected, uint32_t pending, int32_t tx, uint32_t phase)
{
	return (uint64_t)expected | (uint64_t)pending << 20 | (uint64_t)((uint32_t)tx & 0x1fffff) << 40 |
	       (uint64_t)phase << 61 | UINT64_C(2) << 62;
}

static void put_word(uint8_t *bytes, uint64_t word)
{
	for (unsigned int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(word >> 8 * i);
}

void put_barrier(struct fixture *f, uint32_t rank, uint32_t offset, uint64_t word)
{
	put_word(tma_model_smem(f->m, rank) + offset, word);
}

uint64_t get_barrier(struct fixture *f, uint32_t rank, uint32_t offset)
{
	const uint8_t *bytes = tma_model_smem(f->m, rank) + offset;
	uint64_t word = 0;

	for (unsigned int i = 0; i < 8; i++)
		word |= (uint64_t)bytes[i] << 8 * i;
	return word;
}

void expect_barrier(struct fixture *f, uint32_t rank, uint32_t offset, uint64_t word)
{
	put_word(f->expected.smem[rank] + offset, word);
}

#define COMMAND(opcode_, ...) ((struct tma_command){ .opcode = (opcode_), .version = 1, __VA_ARGS__ })

struct tma_command command(uint8_t opcode)
{
	return (struct tma_command){ .opcode = opcode, .version = 1 };
}

struct tma_command load(uint32_t dst, uint64_t src, uint32_t size, uint32_t bar)
{
	return COMMAND(TMA_BULK_LOAD, .global_address = src, .size = size, .shared_dst = dst, .barrier = bar);
}

struct tma_command multicast(uint32_t dst, uint64_t src, uint32_t size, uint32_t bar, uint16_t mask)
{
	struct tma_command c = load(dst, src, size, bar);

	c.flags = TMA_FLAG_MULTICAST;
	c.cta_mask = mask;
	return c;
}

struct tma_command store(uint64_t dst, uint32_t src, uint32_t size)
{
	return COMMAND(TMA_BULK_STORE, .global_address = dst, .shared_src = src, .size = size);
}

struct tma_command store_masked(uint64_t dst, uint32_t src, uint32_t size, uint16_t byte_mask)
{
	struct tma_command c = store(dst, src, size);

	c.flags = TMA_FLAG_CP_MASK;
	c.byte_mask = byte_mask;
	return c;
}

struct tma_command copy(uint32_t dst, uint32_t src, uint32_t size, uint32_t bar)
{
	return COMMAND(TMA_BULK_SHARED, .shared_src = src, .shared_dst = dst, .size = size, .barrier = bar);
}

struct tma_command prefetch(uint64_t src, uint32_t size)
{
	return COMMAND(TMA_BULK_PREFETCH, .global_address = src, .size = size);
}

struct tma_command barrier_init(uint32_t bar, uint32_t count)
{
	return COMMAND(TMA_MBARRIER_INIT, .barrier = bar, .count = count);
}

struct tma_command barrier_tx(uint8_t opcode, uint32_t bar, uint32_t tx)
{
	return COMMAND(opcode, .barrier = bar, .tx = tx);
}

struct tma_command arrive(uint32_t bar, uint32_t count, uint16_t flags)
{
	return COMMAND(TMA_MBARRIER_ARRIVE, .barrier = bar, .count = count, .flags = flags);
}

struct tma_command arrive_expect_tx(uint32_t bar, uint32_t tx, uint16_t flags)
{
	struct tma_command c = arrive(bar, 1, (uint16_t)(flags | TMA_FLAG_EXPECT_TX));

	c.tx = tx;
	return c;
}

struct tma_command wait_parity(uint8_t opcode, uint32_t bar, uint32_t parity)
{
	return COMMAND(opcode, .barrier = bar, .count = parity, .flags = TMA_FLAG_PARITY);
}

struct tma_command wait_state(uint8_t opcode, uint32_t bar, uint64_t state)
{
	return COMMAND(opcode, .barrier = bar, .global_address = state);
}

struct tma_command with_flags(struct tma_command c, unsigned int flags)
{
	c.flags = (uint16_t)(c.flags | flags);
	return c;
}

struct tma_command tagged(struct tma_command c, uint32_t tag)
{
	c.tag = tag;
	return c;
}
