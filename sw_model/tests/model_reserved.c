/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_reserved - which bits a command may set, all of them, one at a time.
 *
 * Spec: rtl/spec/tma.toml, commands and flags; faults 0x11 and 0x12
 * Checks: a bit that neither the instruction nor a set flag brings into use is RESERVED_BITS, every
 *         other bit is not; an opcode without an instruction is UNKNOWN_OPCODE.
 */
#include "model_cases.h"

#include <stdbool.h>

/* Bytes first..last of the command. */
#define BYTES(first, last) ((UINT64_MAX >> (63 - (last) + (first))) << (first))

#define MODE           BYTES(2, 2)
#define DIM            BYTES(3, 3)
#define OP             BYTES(4, 4)
#define TYPE           BYTES(5, 5)
#define GLOBAL_ADDRESS BYTES(8, 15)
#define COORD          BYTES(16, 35)
#define SHARED_SRC     BYTES(16, 19)
#define SIZE           BYTES(20, 23)
#define BYTE_MASK      BYTES(24, 25)
#define COUNT          BYTES(28, 31)
#define TX             BYTES(32, 35)
#define SHARED_DST     BYTES(36, 39)
#define BARRIER        BYTES(40, 43)
#define IM2COL         BYTES(44, 49)
#define CTA_MASK       BYTES(50, 51)
#define TAG            BYTES(52, 55)
#define POLICY         BYTES(56, 63)
#define TENSOR         (MODE | DIM | GLOBAL_ADDRESS | COORD)

#define FLAGS_BYTE 6u

struct reserved_case {
	const char *name;
	uint8_t opcode;
	uint16_t set;   /* flags of the command */
	uint16_t flags; /* flags that it may set */
	uint64_t bytes; /* bytes that it may set, tag aside */
};

/* clang-format off */
static const struct reserved_case cases[] = {
	{ "load", TMA_BULK_LOAD, 0, 0x35, GLOBAL_ADDRESS | SIZE | SHARED_DST | BARRIER },
	{ "load, multicast", TMA_BULK_LOAD, 0x04, 0x35, GLOBAL_ADDRESS | SIZE | SHARED_DST | BARRIER | CTA_MASK },
	{ "load, cache hint", TMA_BULK_LOAD, 0x10, 0x35, GLOBAL_ADDRESS | SIZE | SHARED_DST | BARRIER | POLICY },
	{ "load, CTA local", TMA_BULK_LOAD, 0x20, 0x35, GLOBAL_ADDRESS | SIZE | SHARED_DST | BARRIER },
	{ "store", TMA_BULK_STORE, 0, 0x19, GLOBAL_ADDRESS | SIZE | SHARED_SRC },
	{ "store, masked", TMA_BULK_STORE, 0x08, 0x19, GLOBAL_ADDRESS | SIZE | SHARED_SRC | BYTE_MASK },
	{ "store, cache hint", TMA_BULK_STORE, 0x10, 0x19, GLOBAL_ADDRESS | SIZE | SHARED_SRC | POLICY },
	{ "reduction", TMA_BULK_REDUCE, 0, 0x11, GLOBAL_ADDRESS | SIZE | SHARED_SRC | OP | TYPE },
	{ "reduction, cache hint", TMA_BULK_REDUCE, 0x10, 0x11,
	  GLOBAL_ADDRESS | SIZE | SHARED_SRC | OP | TYPE | POLICY },
	{ "reduction, CTA to CTA", TMA_BULK_REDUCE_SHARED, 0, 0x01,
	  SIZE | SHARED_SRC | SHARED_DST | BARRIER | OP | TYPE },
	{ "reduction, multimem", TMA_MULTIMEM_BULK_REDUCE, 0, 0x01, GLOBAL_ADDRESS | SIZE | SHARED_SRC | OP | TYPE },
	{ "tensor reduction", TMA_TENSOR_REDUCE, 0, 0x11, TENSOR | SHARED_DST | OP },
	{ "CTA to CTA", TMA_BULK_SHARED, 0, 0x01, SIZE | SHARED_SRC | SHARED_DST | BARRIER },
	{ "prefetch", TMA_BULK_PREFETCH, 0, 0x11, GLOBAL_ADDRESS | SIZE },
	{ "prefetch, cache hint", TMA_BULK_PREFETCH, 0x10, 0x11, GLOBAL_ADDRESS | SIZE | POLICY },
	{ "commit_group", TMA_BULK_COMMIT_GROUP, 0, 0x01, 0 },
	{ "wait_group", TMA_BULK_WAIT_GROUP, 0, 0x41, COUNT },
	{ "wait_group.read", TMA_BULK_WAIT_GROUP, 0x40, 0x41, COUNT },
	{ "init", TMA_MBARRIER_INIT, 0, 0x01, BARRIER | COUNT },
	{ "inval", TMA_MBARRIER_INVAL, 0, 0x01, BARRIER },
	{ "expect_tx", TMA_MBARRIER_EXPECT_TX, 0, 0x01, BARRIER | TX },
	{ "complete_tx", TMA_MBARRIER_COMPLETE_TX, 0, 0x01, BARRIER | TX },
	{ "arrive", TMA_MBARRIER_ARRIVE, 0, 0x701, BARRIER | COUNT },
	{ "arrive_drop", TMA_MBARRIER_ARRIVE, 0x100, 0x701, BARRIER | COUNT },
	{ "arrive.expect_tx", TMA_MBARRIER_ARRIVE, 0x200, 0x701, BARRIER | COUNT | TX },
	{ "arrive.noComplete", TMA_MBARRIER_ARRIVE, 0x400, 0x701, BARRIER | COUNT },
	{ "pending_count", TMA_MBARRIER_PENDING_COUNT, 0, 0x03, GLOBAL_ADDRESS },
	{ "pending_count, last state", TMA_MBARRIER_PENDING_COUNT, 0x02, 0x03, 0 },
	{ "test_wait", TMA_MBARRIER_TEST_WAIT, 0, 0x83, BARRIER | GLOBAL_ADDRESS },
	{ "test_wait, last state", TMA_MBARRIER_TEST_WAIT, 0x02, 0x83, BARRIER },
	{ "test_wait.parity", TMA_MBARRIER_TEST_WAIT, 0x80, 0x83, BARRIER | COUNT },
	{ "try_wait", TMA_MBARRIER_TRY_WAIT, 0, 0x83, BARRIER | GLOBAL_ADDRESS | TX },
	{ "try_wait, last state", TMA_MBARRIER_TRY_WAIT, 0x02, 0x83, BARRIER | TX },
	{ "try_wait.parity", TMA_MBARRIER_TRY_WAIT, 0x80, 0x83, BARRIER | COUNT | TX },
	{ "signal", TMA_SIGNAL, 0, 0x01, 0 },
	{ "multimem store", TMA_MULTIMEM_BULK_STORE, 0, 0x09, GLOBAL_ADDRESS | SIZE | SHARED_SRC },
	{ "multimem store, masked", TMA_MULTIMEM_BULK_STORE, 0x08, 0x09,
	  GLOBAL_ADDRESS | SIZE | SHARED_SRC | BYTE_MASK },
	{ "cp.async", TMA_CP_ASYNC, 0, 0x3811, MODE | GLOBAL_ADDRESS | SIZE | SHARED_DST },
	{ "cp.async, cache hint", TMA_CP_ASYNC, 0x10, 0x3811,
	  MODE | GLOBAL_ADDRESS | SIZE | SHARED_DST | POLICY },
	{ "cp.async, src-size", TMA_CP_ASYNC, 0x800, 0x3811, MODE | GLOBAL_ADDRESS | SIZE | SHARED_DST | COUNT },
	{ "cp.async, ignore-src", TMA_CP_ASYNC, 0x1000, 0x3811, MODE | GLOBAL_ADDRESS | SIZE | SHARED_DST },
	{ "cp.async.cg", TMA_CP_ASYNC, 0x2000, 0x3811, MODE | GLOBAL_ADDRESS | SIZE | SHARED_DST },
	{ "cp.async.commit_group", TMA_CP_ASYNC_COMMIT_GROUP, 0, 0x01, 0 },
	{ "cp.async.wait_group", TMA_CP_ASYNC_WAIT_GROUP, 0, 0x01, COUNT },
	{ "cp.async.wait_all", TMA_CP_ASYNC_WAIT_ALL, 0, 0x01, 0 },
	{ "cp.async.mbarrier.arrive", TMA_CP_ASYNC_MBARRIER_ARRIVE, 0, 0x4001, BARRIER },
	{ "cp.async.mbarrier.arrive.noinc", TMA_CP_ASYNC_MBARRIER_ARRIVE, 0x4000, 0x4001, BARRIER },
	{ "tensor load", TMA_TENSOR_LOAD, 0, 0x8035, TENSOR | SHARED_DST | BARRIER | IM2COL },
	{ "tensor load, multicast", TMA_TENSOR_LOAD, 0x04, 0x8035,
	  TENSOR | SHARED_DST | BARRIER | IM2COL | CTA_MASK },
	{ "tensor load, cache hint", TMA_TENSOR_LOAD, 0x10, 0x8035,
	  TENSOR | SHARED_DST | BARRIER | IM2COL | POLICY },
	{ "tensor load, CTA local", TMA_TENSOR_LOAD, 0x20, 0x8035, TENSOR | SHARED_DST | BARRIER | IM2COL },
	{ "tensor load, cta_group::2", TMA_TENSOR_LOAD, 0x8000, 0x8035,
	  TENSOR | SHARED_DST | BARRIER | IM2COL },
	{ "tensor store", TMA_TENSOR_STORE, 0, 0x11, TENSOR | SHARED_DST },
	{ "tensor store, cache hint", TMA_TENSOR_STORE, 0x10, 0x11, TENSOR | SHARED_DST | POLICY },
	{ "tensor prefetch", TMA_TENSOR_PREFETCH, 0, 0x11, TENSOR | IM2COL },
	{ "tensor prefetch, cache hint", TMA_TENSOR_PREFETCH, 0x10, 0x11, TENSOR | IM2COL | POLICY },
	{ "prefetch.tensormap", TMA_PREFETCH_TENSORMAP, 0, 0x01, GLOBAL_ADDRESS },
	{ "map fence", TMA_MAP_FENCE, 0, 0x01, GLOBAL_ADDRESS },
	{ "cancel", TMA_CANCEL, 0, 0x01, COUNT },
};
/* clang-format on */

/* Fault of a command that meets a fresh queue. */
static uint16_t fault_of(struct tma_model *m, struct tma_command c)
{
	struct tma_queue_status s;

	assert_int_equal(tma_model_queue(m, 0, &(struct tma_queue_config){ .enable = 1, .cta_mask = 1 }), 0);
	assert_int_equal(tma_model_submit(m, 0, &c), 0);
	assert_true(tma_model_step(m, 0) >= 0);
	assert_int_equal(tma_model_queue_status(m, 0, &s), 0);
	assert_int_equal(tma_model_queue(m, 0, &(struct tma_queue_config){ .enable = 0, .cta_mask = 1 }), 0);
	return s.fault;
}

static struct tma_model *new_model(void)
{
	struct tma_model *m = tma_model_new(
		&(struct tma_model_config){ .ctas = 1, .smem_bytes = 128, .reductions = TMA_MODEL_REDUCE });

	assert_non_null(m);
	return m;
}

/* A bit of `flags` brings other fields into use or drops them, which changes nothing here: all of
 * them are zero. Version and opcode are not the business of this rule. */
static void one_bit_at_a_time(void **state)
{
	const struct reserved_case *c = *state;
	struct tma_model *m = new_model();

	for (unsigned int bit = 16; bit < 512; bit++) {
		struct tma_command changed = with_flags(command(c->opcode), c->set);
		unsigned char bytes[sizeof(changed)];
		bool used = (c->bytes | TAG) >> bit / 8 & 1;
		uint16_t fault;

		if (bit / 16 == FLAGS_BYTE / 2)
			used = c->flags >> bit % 16 & 1;
		memcpy(bytes, &changed, sizeof(bytes));
		if (bit / 16 == FLAGS_BYTE / 2 && c->set >> bit % 16 & 1)
			continue;
		bytes[bit / 8] = (unsigned char)(bytes[bit / 8] | 1u << bit % 8);
		memcpy(&changed, bytes, sizeof(bytes));
		fault = fault_of(m, changed);
		if ((fault == TMA_FAULT_RESERVED_BITS) == used)
			fail_msg("byte %u bit %u: fault 0x%04x", bit / 8, bit % 8, fault);
	}
	tma_model_free(m);
}

TABLE_SUITE(test_model_reserved_bits, cases, one_bit_at_a_time)

/* Reductions built: 0x10..0x17, 0x20..0x23, 0x28, 0x29, 0x30..0x34, 0x40, 0x41, 0x50..0x57, 0x60 and 0x61 */
static bool known(unsigned int opcode)
{
	return (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x20 && opcode <= 0x23) || opcode == 0x28 ||
	       opcode == 0x29 || (opcode >= 0x30 && opcode <= 0x34) || opcode == 0x40 || opcode == 0x41 ||
	       (opcode >= 0x50 && opcode <= 0x57) || opcode == 0x60 || opcode == 0x61;
}

MODEL_TEST(opcodes_without_instruction, new_model())
{
	for (unsigned int opcode = 0; opcode < 256; opcode++)
		assert_int_equal(fault_of(m, command((uint8_t)opcode)) == TMA_FAULT_UNKNOWN_OPCODE,
		                 !known(opcode));
}

LIST_SUITE(test_model_reserved_opcodes)
