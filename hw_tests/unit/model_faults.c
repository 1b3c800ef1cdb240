/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_faults - one directed test per fault code: report, isolation and recovery.
 *
 * Spec: rtl/spec/tma.toml, fault table; requirement and corner are each row's name
 * Checks: one FAULT record with sequence, tag, code and address; the same in the queue's status;
 *         the queue stands still, the others go on; decode and sync faults move nothing and keep
 *         the command in the queue; disable and enable give a fresh queue; no code is left out.
 */
#include "unit/model_cases.h"

#include <stdbool.h>

#define TAG 0xC0FFEE42u

struct fault_case {
	const char *name;
	void (*prepare)(struct fixture *f); /* may be NULL */
	base_command base;
	struct edit edits[MAX_EDITS];
	uint16_t fault;
	uint64_t address;
};

static void dead_barrier(struct fixture *f)
{
	put_barrier(f, 0, BAR, 0);
}

static void foreign_tag(struct fixture *f)
{
	put_barrier(f, 0, BAR, barrier_word(1, 1, 0, 0) | UINT64_C(3) << 62);
}

static void full_tx(struct fixture *f)
{
	put_barrier(f, 0, BAR, barrier_word(1, 1, (int32_t)COUNT_MAX - 15, 0));
}

static void empty_tx(struct fixture *f)
{
	put_barrier(f, 0, BAR, barrier_word(1, 1, 63 - (int32_t)COUNT_MAX, 0));
}

static void small_expected(struct fixture *f)
{
	put_barrier(f, 0, BAR, barrier_word(1, 3, 0, 0));
}

static void errors(struct fixture *f, int read, int write)
{
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x1000, PAGE, read, write), 0);
}

static void slverr(struct fixture *f)
{
	errors(f, 2, 2);
}

static void decerr(struct fixture *f)
{
	errors(f, 3, 3);
}

/* clang-format off */
static const struct fault_case cases[] = {
	{ "UNKNOWN_VERSION: version 0", NULL, base_load, { SET(version, 0) },
	  TMA_FAULT_UNKNOWN_VERSION, HEADER },
	{ "UNKNOWN_OPCODE: a tensor opcode that is not built", NULL, base_load, { SET(opcode, 0x20) },
	  TMA_FAULT_UNKNOWN_OPCODE, HEADER },
	{ "RESERVED_BITS: highest bit of the command", NULL, base_load, { SET(policy, UINT64_C(1) << 63) },
	  TMA_FAULT_RESERVED_BITS, HEADER },
	{ "FLAG_CONFLICT: multicast into the own CTA alone", NULL, base_multicast,
	  { SET(flags, TMA_FLAG_MULTICAST | TMA_FLAG_CTA_LOCAL) }, TMA_FAULT_FLAG_CONFLICT, HEADER },
	{ "SIZE_GRANULE: half a granule", NULL, base_store, { SET(size, 8) }, TMA_FAULT_SIZE_GRANULE, 8 },
	{ "SIZE_RANGE: 2^20 bytes", NULL, base_prefetch, { SET(size, 0x100000) },
	  TMA_FAULT_SIZE_RANGE, 0x100000 },
	{ "COUNT_RANGE: init with 0", NULL, base_init, { SET(count, 0) }, TMA_FAULT_COUNT_RANGE, 0 },
	{ "TX_RANGE: expect_tx of 2^20", NULL, base_expect_tx, { SET(tx, 0x100000) },
	  TMA_FAULT_TX_RANGE, 0x100000 },
	{ "PARITY_RANGE: parity 2", NULL, base_test_parity, { SET(count, 2) }, TMA_FAULT_PARITY_RANGE, 2 },
	{ "GLOBAL_MISALIGNED: by 8", NULL, base_load, { SET(global_address, GLOBAL + 8) },
	  TMA_FAULT_GLOBAL_MISALIGNED, GLOBAL + 8 },
	{ "SRC_MISALIGNED: by 8", NULL, base_store, { SET(shared_src, SRC + 8) },
	  TMA_FAULT_SRC_MISALIGNED, SRC + 8 },
	{ "DST_MISALIGNED: by 8", NULL, base_load, { SET(shared_dst, DST + 8) },
	  TMA_FAULT_DST_MISALIGNED, DST + 8 },
	{ "BARRIER_MISALIGNED: by 4", NULL, base_arrive, { SET(barrier, BAR + 4) },
	  TMA_FAULT_BARRIER_MISALIGNED, BAR + 4 },
	{ "SRC_CTA: source in another CTA", NULL, base_store, { SET(shared_src, AT(1, SRC)) },
	  TMA_FAULT_SRC_CTA, AT(1, SRC) },
	{ "DST_CTA: beyond the cluster", NULL, base_load, { SET(shared_dst, AT(4, DST)) },
	  TMA_FAULT_DST_CTA, AT(4, DST) },
	{ "DST_NOT_LOCAL: shared::cta in another CTA", NULL, base_load,
	  { SET(flags, TMA_FLAG_CTA_LOCAL), SET(shared_dst, AT(1, DST)) },
	  TMA_FAULT_DST_NOT_LOCAL, AT(1, DST) },
	{ "DST_LOCAL: CTA to CTA into the own CTA", NULL, base_shared, { SET(shared_dst, AT(0, DST)) },
	  TMA_FAULT_DST_LOCAL, AT(0, DST) },
	{ "MASK_CTA: beyond the cluster", NULL, base_multicast, { SET(cta_mask, 0x13) },
	  TMA_FAULT_MASK_CTA, 0x13 },
	{ "BARRIER_CTA: load's barrier elsewhere", NULL, base_load, { SET(barrier, AT(2, BAR)) },
	  TMA_FAULT_BARRIER_CTA, AT(2, BAR) },
	{ "BARRIER_NOT_LOCAL: remote init", NULL, base_init, { SET(barrier, AT(1, BAR)) },
	  TMA_FAULT_BARRIER_NOT_LOCAL, AT(1, BAR) },
	{ "CTA_DENIED: two CTAs of a mask", NULL, base_multicast, { SET(cta_mask, 0xf) },
	  TMA_FAULT_CTA_DENIED, 0xc },
	{ "SRC_RANGE: one granule too far", NULL, base_store, { SET(shared_src, SMEM_BYTES - 48) },
	  TMA_FAULT_SRC_RANGE, SMEM_BYTES - 48 },
	{ "DST_RANGE: one granule too far", NULL, base_load, { SET(shared_dst, SMEM_BYTES - 48) },
	  TMA_FAULT_DST_RANGE, SMEM_BYTES - 48 },
	{ "BARRIER_RANGE: right behind the memory", NULL, base_arrive, { SET(barrier, SMEM_BYTES) },
	  TMA_FAULT_BARRIER_RANGE, SMEM_BYTES },
	{ "NO_STATE: pending_count before any arrive", NULL, base_pending_count,
	  { SET(flags, TMA_FLAG_LAST_STATE) }, TMA_FAULT_NO_STATE, HEADER },
	{ "BARRIER_DEAD: arrive on zeroes", dead_barrier, base_arrive, { { 0 } },
	  TMA_FAULT_BARRIER_DEAD, BAR },
	{ "BARRIER_DEAD: load onto tag 3", foreign_tag, base_load, { { 0 } }, TMA_FAULT_BARRIER_DEAD, BAR },
	{ "PENDING_UNDERFLOW: 2 of 1", NULL, base_arrive, { SET(count, 2) },
	  TMA_FAULT_PENDING_UNDERFLOW, BAR },
	{ "TX_COUNT_RANGE: one byte too many expected", full_tx, base_expect_tx, { SET(tx, 16) },
	  TMA_FAULT_TX_COUNT_RANGE, BAR },
	{ "NO_COMPLETE_COMPLETES: the last arrival", NULL, base_arrive,
	  { SET(flags, TMA_FLAG_NO_COMPLETE) }, TMA_FAULT_NO_COMPLETE_COMPLETES, BAR },
	{ "EXPECTED_UNDERFLOW: drop 2 of 1", small_expected, base_arrive,
	  { SET(flags, TMA_FLAG_DROP), SET(count, 2) }, TMA_FAULT_EXPECTED_UNDERFLOW, BAR },
	{ "WINDOW_READ: the page behind the window", NULL, base_load, { SET(global_address, GLOBAL_END) },
	  TMA_FAULT_WINDOW_READ, GLOBAL_END },
	{ "WINDOW_WRITE: the granule in front of the window", NULL, base_store,
	  { SET(global_address, GLOBAL - 16), SET(size, 16) }, TMA_FAULT_WINDOW_WRITE, GLOBAL - 16 },
	{ "READ_SLVERR: first beat", slverr, base_load, { SET(global_address, GLOBAL + 0x1010) },
	  TMA_FAULT_READ_SLVERR, GLOBAL + 0x1010 },
	{ "READ_DECERR: first beat", decerr, base_load, { SET(global_address, GLOBAL + 0x1fc0) },
	  TMA_FAULT_READ_DECERR, GLOBAL + 0x1fc0 },
	{ "WRITE_SLVERR: first burst", slverr, base_store, { SET(global_address, GLOBAL + 0x1010) },
	  TMA_FAULT_WRITE_SLVERR, GLOBAL + 0x1010 },
	{ "WRITE_DECERR: first burst", decerr, base_store, { SET(global_address, GLOBAL + 0x1fc0) },
	  TMA_FAULT_WRITE_DECERR, GLOBAL + 0x1fc0 },
	{ "SIGNAL_BARRIER_DEAD: the copy overwrites its own barrier", NULL, base_load,
	  { SET(shared_dst, AT(0, BAR)), SET(global_address, GLOBAL + 0x2000) },
	  TMA_FAULT_SIGNAL_BARRIER_DEAD, BAR },
	{ "SIGNAL_TX_COUNT_RANGE: one byte too many arrived", empty_tx, base_load, { { 0 } },
	  TMA_FAULT_SIGNAL_TX_COUNT_RANGE, BAR },
};
/* clang-format on */

static struct tma_record signal_of(uint8_t queue, uint32_t sequence)
{
	return (struct tma_record){ .queue = queue, .sequence = sequence, .kind = TMA_KIND_SIGNAL };
}

/* Queue 2 runs for CTA 0 and may touch CTAs 0 and 1. */
static void faults(void **state)
{
	const struct fault_case *c = *state;
	struct tma_command command = tagged(build(c->base, c->edits), TAG);
	uint64_t address = c->address == HEADER ? header_of(&command) : c->address;
	bool issued = c->fault >= TMA_FAULT_WINDOW_READ;
	struct fixture *f = fixture_new();
	struct tma_queue_status s;

	/* What the fault on its own barrier overwrites must not look alive. */
	memset(f->global + 0x2000, 0, 64);
	if (c->prepare)
		c->prepare(f);
	remember(f);
	submit(f, 2, base_signal());
	submit(f, 2, command);
	submit(f, 2, base_signal());
	submit(f, 0, base_signal());
	submit(f, 1, base_signal());
	submit(f, 1, base_signal());
	assert_int_equal(tma_model_run(f->m), 5);

	expect_record(f, signal_of(0, 0));
	expect_record(f, signal_of(1, 0));
	expect_record(f, signal_of(2, 0));
	expect_record(f, signal_of(1, 1));
	s = status_of(f, 2);
	assert_int_equal(s.fault_tag, TAG);
	assert_int_equal(s.fault_sequence, 1);
	assert_int_equal(s.next_sequence, issued ? 2 : 1);
	assert_int_equal(s.queued, issued ? 1 : 2);
	expect_fault(f, 2, c->fault, address);
	expect_no_record(f);
	if (!issued)
		expect_all_memory(f);
	assert_int_equal(status_of(f, 0).faulted, 0);
	assert_int_equal(status_of(f, 1).faulted, 0);

	assert_int_equal(tma_model_step(f->m, 2), 0);
	fixture_free(f);
}

TABLE_SUITE(test_model_faults, cases, faults)

static void recovers(void **state)
{
	struct fixture *f = fixture_new();
	struct tma_queue_config config = f->queues[0];

	(void)state;
	issue(f, 0, arrive(AT(0, BAR), 2, 0));
	expect_fault(f, 0, TMA_FAULT_PENDING_UNDERFLOW, BAR);
	submit(f, 0, base_signal());
	requeue(f, 0, &(struct tma_queue_config){ .enable = 0 }, NULL);
	assert_int_equal(status_of(f, 0).fault, TMA_FAULT_NONE);
	assert_int_equal(status_of(f, 0).queued, 0);
	requeue(f, 0, &config, NULL);
	assert_int_equal(status_of(f, 0).faulted, 0);
	assert_int_equal(status_of(f, 0).fault, 0);
	assert_int_equal(status_of(f, 0).fault_count, 0);
	assert_int_equal(tma_model_run(f->m), 0);
	issue(f, 0, base_signal());
	expect_record(f, signal_of(0, 0));
	expect_no_record(f);
	fixture_free(f);
}

static void every_code_has_a_case(void **state)
{
	(void)state;
	for (uint32_t code = 1; code <= 0xffff; code++) {
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
			found |= cases[i].fault == code;
		if (found != !!tma_fault_info((uint16_t)code))
			fail_msg("fault 0x%04x: %s", code, found ? "not in the table" : "no test");
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(recovers),
	cmocka_unit_test(every_code_has_a_case),
};

LIST_SUITE(test_model_fault_table, tests)
