/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_check_test - the rules that follow from a command alone, against a reference of its own.
 *
 * Requirement: the lowest fault that a command deserves before it reaches a barrier, with the
 * address of its record; every other command passes, with the CTAs whose barriers it works on and
 * what it does to them. A command that could not be fetched says so before anything else.
 * Checks: tma_check_ref. Legal commands of every opcode, each of them with every single bit
 * flipped, and with up to three operands moved to and across the limits of the rules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "lib/rng.h"
#include "tma_abi.h"
#include "tma_tables.h"
#include "unit_rtl/tma_check_ref.h"

#define RANDOM_COMMANDS 250000u
#define MAX_CODE        0x100u
#define MAX_SIZE        0x100000u

static const uint8_t opcodes[] = {
	TMA_BULK_LOAD,
	TMA_BULK_STORE,
	TMA_BULK_SHARED,
	TMA_BULK_PREFETCH,
	TMA_MULTIMEM_BULK_STORE,
	TMA_TENSOR_LOAD,
	TMA_TENSOR_STORE,
	TMA_TENSOR_PREFETCH,
	TMA_PREFETCH_TENSORMAP,
	TMA_MAP_FENCE,
	TMA_CP_ASYNC,
	TMA_CP_ASYNC_COMMIT_GROUP,
	TMA_CP_ASYNC_WAIT_GROUP,
	TMA_CP_ASYNC_WAIT_ALL,
	TMA_CP_ASYNC_MBARRIER_ARRIVE,
	TMA_BULK_COMMIT_GROUP,
	TMA_BULK_WAIT_GROUP,
	TMA_MBARRIER_INIT,
	TMA_MBARRIER_INVAL,
	TMA_MBARRIER_EXPECT_TX,
	TMA_MBARRIER_COMPLETE_TX,
	TMA_MBARRIER_ARRIVE,
	TMA_MBARRIER_PENDING_COUNT,
	TMA_MBARRIER_TEST_WAIT,
	TMA_MBARRIER_TRY_WAIT,
	TMA_SIGNAL,
	TMA_CANCEL,
};
#define OPCODES (sizeof(opcodes) / sizeof(opcodes[0]))

struct bench {
	struct check *unit;
	const struct check_info *info;
	struct rng rng;
	uint32_t seen[MAX_CODE];   /* commands by fault */
	uint32_t passed[MAX_CODE]; /* legal commands by opcode */
};

static void bench_open(struct bench *b, uint64_t seed)
{
	memset(b, 0, sizeof(*b));
	b->rng = rng_make(seed, 1);
	b->unit = check_open();
	b->info = check_info();
}

static void bench_close(struct bench *b)
{
	check_close(b->unit);
	assert_int_equal(unit_failed(), 0);
}

static void print_command(const struct check_in *in)
{
	const uint8_t *bytes = (const uint8_t *)&in->command;
	uint32_t i;

	print_message("CTA %u, mask %#x, fetch %u, command", in->cta, in->cta_mask, in->fetch);
	for (i = 0; i < sizeof(in->command); i++)
		print_message("%s%02x", i % 8 ? "" : " ", bytes[i]);
	print_message("\n");
}

static void compare(struct bench *b, const struct check_in *in)
{
	const struct check_fault want = check_ref_fault(b->info, in);
	const struct tma_command *c = &in->command;
	struct check_out out = check_eval(b->unit, in);
	uint32_t ctas, again;

	if (out.fault != want.code || out.address != want.address) {
		print_command(in);
		fail_msg("fault %#x at %#llx, not %#x at %#llx", out.fault, (unsigned long long)out.address,
		         want.code, (unsigned long long)want.address);
	}
	assert_int_equal(out.queue, in->queue);
	assert_memory_equal(&out.command, c, sizeof(out.command));
	b->seen[want.code]++;
	if (want.code)
		return;
	b->passed[c->opcode]++;
	ctas = check_ref_ctas(c, &again);
	if (out.ctas != ctas || out.again != again || (out.ctas && out.bar_op != check_ref_op(c))) {
		print_command(in);
		fail_msg("operation %u on barriers of the CTAs %#x, again %#x", out.bar_op, out.ctas,
		         out.again);
	}
}

/*
 * Commands.
 */

static uint32_t pick(struct rng *r, const uint32_t *list, uint32_t count)
{
	return list[rng_below(r, count)];
}

#define PICK(r, ...) \
	pick(r, (const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

/* A legal address of `bytes` bytes in this CTA. */
static uint32_t inside(struct bench *b, uint32_t cta, uint32_t bytes, uint32_t align)
{
	uint32_t places = (b->info->smem_bytes - bytes) / align + 1;

	return cta << 24 | (rng_percent(&b->rng, 30) ? places - 1 : rng_below(&b->rng, places)) * align;
}

/* A flag that the command may have, in one of two. */
static uint16_t maybe(struct rng *r, uint32_t flag)
{
	return (uint16_t)(rng_percent(r, 50) ? flag : 0);
}

static void hint(struct bench *b, struct tma_command *c)
{
	c->flags |= maybe(&b->rng, TMA_FLAG_CACHE_HINT);
	if (c->flags & TMA_FLAG_CACHE_HINT)
		c->policy = rng_next(&b->rng);
}

static void cp_async(struct bench *b, struct check_in *in)
{
	struct tma_command *c = &in->command;

	c->size = PICK(&b->rng, 4, 8, 16);
	c->mode = (uint8_t)rng_below(&b->rng, 4);
	c->global_address = rng_next(&b->rng) & ~(uint64_t)(c->size - 1);
	c->shared_dst = inside(b, in->cta, c->size, c->size);
	c->flags |= (uint16_t)PICK(&b->rng, 0, TMA_FLAG_SRC_SIZE, TMA_FLAG_IGNORE_SRC);
	if (c->flags & TMA_FLAG_SRC_SIZE)
		c->count = PICK(&b->rng, 0, c->size, rng_below(&b->rng, c->size));
	if (c->size == 16)
		c->flags |= maybe(&b->rng, TMA_FLAG_CG);
	hint(b, c);
}

static void copy(struct bench *b, struct check_in *in)
{
	struct tma_command *c = &in->command;
	uint32_t most = b->info->smem_bytes < MAX_SIZE ? b->info->smem_bytes : MAX_SIZE - 16;
	uint32_t target = in->cta;

	c->size = PICK(&b->rng, 0, 16, 4096, most, rng_below(&b->rng, most / 16) * 16);
	if (c->opcode != TMA_BULK_SHARED)
		c->global_address = rng_next(&b->rng) & ~UINT64_C(15);
	if (c->opcode != TMA_BULK_SHARED && c->opcode != TMA_MULTIMEM_BULK_STORE)
		hint(b, c);
	if (c->opcode == TMA_BULK_PREFETCH)
		return;
	if (c->opcode != TMA_BULK_LOAD)
		c->shared_src = inside(b, in->cta, c->size, 16);
	if (c->opcode == TMA_BULK_STORE || c->opcode == TMA_MULTIMEM_BULK_STORE) {
		c->flags |= maybe(&b->rng, TMA_FLAG_CP_MASK);
		if (c->flags & TMA_FLAG_CP_MASK)
			c->byte_mask = (uint16_t)rng_next(&b->rng);
		return;
	}
	if (c->opcode == TMA_BULK_LOAD) {
		c->flags |= (uint16_t)PICK(&b->rng, 0, TMA_FLAG_MULTICAST, TMA_FLAG_CTA_LOCAL);
		if (!(c->flags & TMA_FLAG_CTA_LOCAL))
			target = rng_below(&b->rng, b->info->ctas);
	} else {
		target = (in->cta + 1 + rng_below(&b->rng, b->info->ctas - 1)) % b->info->ctas;
	}
	c->shared_dst = inside(b, target, c->size, 16);
	c->barrier = inside(b, target, 8, 8);
	if (c->flags & TMA_FLAG_MULTICAST)
		c->cta_mask = (uint16_t)(rng_next(&b->rng) & ((1u << b->info->ctas) - 1));
}

/* A tensor copy in one of the modes that its opcode has. */
static void tensor(struct bench *b, struct check_in *in)
{
	struct tma_command *c = &in->command;
	bool store = c->opcode == TMA_TENSOR_STORE;
	uint32_t i, coords, offsets = 0, target = in->cta;

	c->global_address = rng_next(&b->rng) & ~UINT64_C(63);
	c->mode = (uint8_t)(store ? PICK(&b->rng, TMA_MODE_TILE, TMA_MODE_IM2COL_NO_OFFS, TMA_MODE_SCATTER4)
	                          : PICK(&b->rng, TMA_MODE_TILE, TMA_MODE_IM2COL, TMA_MODE_GATHER4,
	                                 TMA_MODE_IM2COL_W, TMA_MODE_IM2COL_W_128));
	c->dim = (uint8_t)(1 + rng_below(&b->rng, 5));
	if (c->mode == TMA_MODE_GATHER4 || c->mode == TMA_MODE_SCATTER4)
		c->dim = 2;
	else if (c->mode != TMA_MODE_TILE && c->dim < 3)
		c->dim = 3;
	coords = c->mode == TMA_MODE_GATHER4 || c->mode == TMA_MODE_SCATTER4 ? 5 : c->dim;
	if (c->mode == TMA_MODE_IM2COL)
		offsets = c->dim - 2u;
	else if (c->mode == TMA_MODE_IM2COL_W || c->mode == TMA_MODE_IM2COL_W_128)
		offsets = 2;
	for (i = 0; i < coords; i++)
		c->coord[i] = (int32_t)rng_next(&b->rng);
	for (i = 0; i < offsets; i++)
		c->im2col[i] = (uint16_t)rng_next(&b->rng);
	hint(b, c);
	if (c->opcode == TMA_TENSOR_PREFETCH)
		return;
	if (store) {
		c->shared_dst = inside(b, target, 128, 128);
		return;
	}
	c->flags |= (uint16_t)PICK(&b->rng, 0, TMA_FLAG_MULTICAST, TMA_FLAG_CTA_LOCAL);
	c->flags |= maybe(&b->rng, TMA_FLAG_CTA_GROUP_2);
	if (!(c->flags & TMA_FLAG_CTA_LOCAL))
		target = rng_below(&b->rng, b->info->ctas);
	c->shared_dst = inside(b, target, 128, 128);
	if (c->flags & TMA_FLAG_CTA_GROUP_2)
		target ^= rng_below(&b->rng, 2);
	c->barrier = inside(b, target, 8, 8);
	if (c->flags & TMA_FLAG_MULTICAST)
		c->cta_mask = (uint16_t)(rng_next(&b->rng) & ((1u << b->info->ctas) - 1));
}

static void barrier_op(struct bench *b, struct check_in *in)
{
	static const uint32_t remote[] = { TMA_MBARRIER_EXPECT_TX, TMA_MBARRIER_COMPLETE_TX,
		                           TMA_MBARRIER_ARRIVE };
	struct tma_command *c = &in->command;
	uint32_t i, cta = in->cta;

	for (i = 0; i < 3; i++)
		if (c->opcode == remote[i])
			cta = rng_below(&b->rng, b->info->ctas);
	c->barrier = inside(b, cta, 8, 8);
	if (c->opcode == TMA_MBARRIER_INIT || c->opcode == TMA_MBARRIER_ARRIVE)
		c->count = PICK(&b->rng, 1, 2, 0xFFFFF, 1 + rng_below(&b->rng, 0xFFFFF));
	if (c->opcode == TMA_MBARRIER_EXPECT_TX || c->opcode == TMA_MBARRIER_COMPLETE_TX)
		c->tx = PICK(&b->rng, 0, 16, 0xFFFFF, rng_below(&b->rng, 0xFFFFF));
	if (c->opcode == TMA_MBARRIER_ARRIVE) {
		c->flags |= maybe(&b->rng, TMA_FLAG_DROP);
		c->flags |= (uint16_t)PICK(&b->rng, 0, TMA_FLAG_EXPECT_TX, TMA_FLAG_NO_COMPLETE);
		if (c->flags & TMA_FLAG_EXPECT_TX) {
			c->count = 1;
			c->tx = PICK(&b->rng, 0, 0xFFFFF);
		}
	}
}

/* Of a wait or pending_count. */
static void state(struct bench *b, struct tma_command *c)
{
	c->flags |= maybe(&b->rng, TMA_FLAG_LAST_STATE);
	if (c->opcode != TMA_MBARRIER_PENDING_COUNT && !c->flags && rng_percent(&b->rng, 50)) {
		c->flags |= TMA_FLAG_PARITY;
		c->count = rng_below(&b->rng, 2);
	}
	if (!(c->flags & (TMA_FLAG_LAST_STATE | TMA_FLAG_PARITY)))
		c->global_address = rng_next(&b->rng);
	if (c->opcode == TMA_MBARRIER_TRY_WAIT)
		c->tx = (uint32_t)rng_next(&b->rng);
}

static struct check_in legal(struct bench *b, uint8_t opcode)
{
	struct check_in in = { 0 };
	struct tma_command *c = &in.command;

	in.queue = rng_below(&b->rng, b->info->queues);
	in.cta = rng_below(&b->rng, b->info->ctas);
	in.cta_mask = (1u << b->info->ctas) - 1;
	in.cancel_mask = (1u << b->info->queues) - 1;
	c->opcode = opcode;
	c->version = TMA_COMMAND_VERSION;
	c->tag = (uint32_t)rng_next(&b->rng);
	if (opcode <= TMA_MULTIMEM_BULK_STORE)
		copy(b, &in);
	else if (opcode <= TMA_TENSOR_PREFETCH)
		tensor(b, &in);
	else if (opcode == TMA_PREFETCH_TENSORMAP || opcode == TMA_MAP_FENCE)
		c->global_address = rng_next(&b->rng) & ~UINT64_C(63);
	else if (opcode == TMA_CP_ASYNC)
		cp_async(b, &in);
	else if (opcode == TMA_BULK_WAIT_GROUP || opcode == TMA_CP_ASYNC_WAIT_GROUP)
		c->count = (uint32_t)rng_next(&b->rng);
	else if (opcode == TMA_CANCEL)
		c->count = rng_below(&b->rng, b->info->queues);
	else if (opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE)
		c->barrier = inside(b, in.cta, 8, 8);
	else if (opcode >= TMA_MBARRIER_INIT && opcode <= TMA_MBARRIER_TRY_WAIT &&
	         opcode != TMA_MBARRIER_PENDING_COUNT)
		barrier_op(b, &in);
	if (opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE)
		c->flags |= maybe(&b->rng, TMA_FLAG_NOINC);
	if (opcode == TMA_BULK_WAIT_GROUP)
		c->flags |= maybe(&b->rng, TMA_FLAG_READ);
	if (opcode >= TMA_MBARRIER_PENDING_COUNT && opcode <= TMA_MBARRIER_TRY_WAIT)
		state(b, c);
	c->flags |= maybe(&b->rng, TMA_FLAG_RECORD);
	return in;
}

/* A shared address at one of the places where a rule changes its mind. */
static uint32_t shared_limit(struct bench *b, uint32_t bytes)
{
	uint32_t smem = b->info->smem_bytes, ctas = b->info->ctas;
	uint32_t rank = PICK(&b->rng, 0, 1, ctas - 1, ctas, 15, 16, 255, rng_below(&b->rng, ctas));
	uint32_t offset = PICK(&b->rng, 0, 4, 8, 16, smem - 16, smem - 8, smem, smem + 8, smem - bytes,
	                       smem - bytes + 8, smem - bytes + 16, 0xFFFFF8, 0xFFFFF0);

	return rank << 24 | (offset & 0xFFFFFF);
}

static void mutate(struct bench *b, struct check_in *in)
{
	struct tma_command *c = &in->command;
	uint32_t smem = b->info->smem_bytes, room = smem - (c->shared_dst & 0xFFFFFF);
	uint8_t *bytes = (uint8_t *)c;
	uint32_t bit = rng_below(&b->rng, 512);

	switch (rng_below(&b->rng, 22)) {
	case 0:
		c->size = PICK(&b->rng, 0, 1, 4, 5, 8, 12, 15, 16, 17, 32, smem, smem + 16, room, room + 16,
		               MAX_SIZE - 16, MAX_SIZE - 1, MAX_SIZE, MAX_SIZE + 16, 0xFFFFFFF0, 0x80000000);
		break;
	case 1:
	case 2:
		c->shared_src = shared_limit(b, c->size);
		break;
	case 3:
	case 4:
		c->shared_dst = shared_limit(b, c->size);
		break;
	case 5:
	case 6:
		c->barrier = shared_limit(b, 8);
		break;
	case 7:
		c->barrier = (c->barrier & 0xFFFFFF) | (c->shared_dst & 0xFF000000);
		break;
	case 8:
		c->count = PICK(&b->rng, 0, 1, 2, 4, 5, 8, 9, 16, 17, 36, b->info->queues, 0xFFFFF, 0x100000,
		                0x80000001, 0xFFFFFFFF);
		break;
	case 9:
		c->tx = PICK(&b->rng, 0, 1, 0xFFFFF, 0x100000, 0x80000000, 0xFFFFFFFF);
		break;
	case 10:
		c->flags ^= (uint16_t)(1u << rng_below(&b->rng, 16));
		break;
	case 11:
		c->cta_mask = (uint16_t)PICK(&b->rng, 0, 1, 1u << (b->info->ctas - 1),
		                             b->info->ctas < 16 ? 1u << b->info->ctas : 0, 0x8000, 0xFFFF);
		break;
	case 12:
	case 13:
		in->cta_mask &= ~(1u << rng_below(&b->rng, b->info->ctas));
		break;
	case 14:
		c->global_address ^= UINT64_C(1) << rng_below(&b->rng, 6);
		break;
	case 15:
		c->mode = (uint8_t)PICK(&b->rng, 0, 3, 4, 128);
		c->shared_dst ^= 1u << rng_below(&b->rng, 5);
		break;
	case 16:
		in->cancel_mask &= (uint32_t)rng_next(&b->rng);
		break;
	case 18:
		c->mode = (uint8_t)PICK(&b->rng, 0, 1, 2, 3, 4, 5, 6, 7, 8);
		break;
	case 19:
		c->dim = (uint8_t)PICK(&b->rng, 0, 1, 2, 3, 4, 5, 6, 128);
		break;
	case 20:
		c->im2col[rng_below(&b->rng, 3)] = (uint16_t)PICK(&b->rng, 0, 1, 0x8000);
		break;
	case 17:
		c->shared_dst = in->cta << 24 | (c->shared_dst & 0xFFFFFF);
		break;
	default:
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		break;
	}
}

/*
 * Tests.
 */

static void single_bits(void **unused)
{
	struct bench b;
	uint32_t i, k, bit;

	(void)unused;
	bench_open(&b, 1);
	for (i = 0; i < OPCODES; i++)
		for (k = 0; k < 4; k++) {
			struct check_in in = legal(&b, opcodes[i]);
			uint8_t *bytes = (uint8_t *)&in.command;

			compare(&b, &in);
			assert_true(b.passed[opcodes[i]] > k);
			for (bit = 0; bit < 512; bit++) {
				bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
				compare(&b, &in);
				bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
			}
		}
	bench_close(&b);
}

static void every_opcode(void **unused)
{
	struct bench b;
	uint32_t opcode, version;

	(void)unused;
	bench_open(&b, 2);
	for (opcode = 0; opcode < 256; opcode++)
		for (version = 0; version < 256; version++) {
			struct check_in in = { .cta_mask = (1u << b.info->ctas) - 1 };

			in.command.opcode = (uint8_t)opcode;
			in.command.version = (uint8_t)version;
			in.command.tag = opcode;
			compare(&b, &in);
		}
	bench_close(&b);
}

/* Bits 63:0 are the address of a slot; as a command they would often be worse than not fetched. */
static void not_fetched(void **unused)
{
	struct bench b;
	uint32_t i;

	(void)unused;
	bench_open(&b, 4);
	for (i = 0; i < 1000; i++) {
		struct check_in in = legal(&b, opcodes[rng_below(&b.rng, OPCODES)]);
		uint64_t slot = rng_next(&b.rng) & ~UINT64_C(63);

		in.fetch = 1 + i % 4;
		if (i % 2) {
			memset(&in.command, 0, sizeof(in.command));
			memcpy(&in.command, &slot, sizeof(slot));
		}
		compare(&b, &in);
	}
	bench_close(&b);
}

/* Every rule is broken often enough that its limits were met, on both sides. */
static void limits(void **unused)
{
	struct bench b;
	uint32_t i, k;

	(void)unused;
	bench_open(&b, 3);
	for (i = 0; i < RANDOM_COMMANDS; i++) {
		struct check_in in = legal(&b, opcodes[rng_below(&b.rng, OPCODES)]);

		for (k = rng_below(&b.rng, 4); k; k--)
			mutate(&b, &in);
		compare(&b, &in);
	}
	for (i = 0; i < OPCODES; i++)
		if (b.passed[opcodes[i]] < 500)
			fail_msg("%u legal commands of opcode %#x", b.passed[opcodes[i]], opcodes[i]);
	for (i = 1; i < MAX_CODE; i++) {
		const struct tma_fault_info *info = tma_fault_info((uint16_t)i);

		/* With 16 CTAs no mask is too wide. */
		if (!info || strcmp(info->where, "decode") || (i == TMA_FAULT_MASK_CTA && b.info->ctas == 16))
			continue;
		if (b.seen[i] < 20)
			fail_msg("%s met %u times", info->name, b.seen[i]);
	}
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_bits),
		cmocka_unit_test(every_opcode),
		cmocka_unit_test(not_fetched),
		cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests_name("tma_check", tests, NULL, NULL);
}
