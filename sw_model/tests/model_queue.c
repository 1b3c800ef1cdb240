/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_queue - the library's own interface: shapes, queues, records, groups, refused arguments.
 *
 * Spec: tma_model.h
 * Checks: every limit of a configuration, what is refused changes nothing, sequence numbers and the
 *         order of records, enable and disable, group counts, two models are independent.
 */
#include "model_cases.h"

#include <stdbool.h>

struct shape_case {
	const char *name;
	struct tma_model_config config;
	bool valid;
};

static const struct shape_case shapes[] = {
	{ "defaults", { 0 }, true },
	{ "everything at its maximum", { 16, 232448, 16, 8, 4, 128, 8, 65535, 16, 1, 3, UINT64_MAX }, true },
	{ "everything at its minimum", { 1, 128, 1, 1, 1, 16, 1, 1, 1, 0, 0, 1 }, true },
	{ "17 CTAs", { .ctas = 17 }, false },
	{ "17 queues", { .queues = 17 }, false },
	{ "9 windows", { .windows = 9 }, false },
	{ "5 ports", { .ports = 5 }, false },
	{ "9 multimem windows", { .multimem_windows = 9 }, false },
	{ "65536 reads", { .reads = 65536 }, false },
	{ "17 tensor maps", { .maps = 17 }, false },
	{ "padded types twice left out", { .without_packed = 2 }, false },
	{ "f64 reductions alone", { .reductions = TMA_MODEL_REDUCE_F64 }, false },
	{ "reductions of integers", { .reductions = TMA_MODEL_REDUCE | TMA_MODEL_REDUCE_INTEGERS }, true },
	{ "reductions of integers and of f64", { .reductions = 7 }, false },
	{ "reductions of integers alone, but none", { .reductions = TMA_MODEL_REDUCE_INTEGERS }, false },
	{ "reductions of a kind unknown", { .reductions = 8 }, false },
	{ "2^24 bytes of shared memory", { .ctas = 1, .smem_bytes = 1u << 24 }, true },
	{ "2^24 + 128 bytes of shared memory", { .ctas = 1, .smem_bytes = (1u << 24) + 128 }, false },
	{ "shared memory of half a line", { .smem_bytes = 192 }, false },
	{ "8-byte beats", { .data_bytes = 8 }, false },
	{ "48-byte beats", { .data_bytes = 48 }, false },
	{ "256-byte beats", { .data_bytes = 256 }, false },
};

static void shape(void **state)
{
	const struct shape_case *c = *state;
	struct tma_model *m = tma_model_new(&c->config);

	assert_int_equal(m != NULL, c->valid);
	tma_model_free(m);
}

TABLE_SUITE(test_model_shapes, shapes, shape)

MODEL_TEST(defaults_are_filled_in, tma_model_new(&(struct tma_model_config){ 0 }))
{
	const struct tma_model_config *c = tma_model_config(m);

	assert_int_equal(c->ctas, 4);
	assert_int_equal(c->smem_bytes, 65536);
	assert_int_equal(c->queues, 8);
	assert_int_equal(c->windows, 4);
	assert_int_equal(c->ports, 2);
	assert_int_equal(c->data_bytes, 64);
	assert_int_equal(c->multimem_windows, 2);
	assert_int_equal(c->reads, 128);
	assert_int_equal(c->maps, 4);
	assert_int_equal(c->without_packed, 0);
	for (uint32_t rank = 0; rank < 4; rank++)
		for (uint32_t i = 0; i < 65536; i++)
			assert_int_equal(tma_model_smem(m, rank)[i], 0);
	assert_null(tma_model_smem(m, 4));
}

FIXTURE_TEST(refused_arguments)
{
	static const struct tma_window window = { 0, 4095, 1 };
	static const struct tma_queue_config config = { .cta = 0 };
	struct tma_model *m = f->m;
	struct tma_command c = base_signal();
	struct tma_queue_status s;
	struct tma_record r;
	uint8_t byte;

	assert_int_equal(tma_model_map(m, 2, 0, 1, &byte), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_map(m, 0, 0, 0, &byte), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_map(m, 0, 0, 1, NULL), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_map(m, 0, UINT64_MAX, 2, &byte), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_map(m, 0, UINT64_MAX, 1, &byte), 0);
	assert_int_equal(tma_model_map_error(m, 2, 0, 1, 2, 2), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_map_error(m, 0, 0, 1, 1, 2), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_map_error(m, 0, 0, 1, 2, 4), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_map_error(m, 0, 0, 0, 2, 2), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_unmap_all(m, 2), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_queue(m, QUEUES, &config), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_queue(m, 0, NULL), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_queue(m, 0, &(struct tma_queue_config){ .enable = 2 }), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_queue(m, 0, &(struct tma_queue_config){ .cta = CTAS }), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_window(m, QUEUES, 0, &window), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_window(m, 0, 2, &window), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_window(m, 0, 0, NULL), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_submit(m, QUEUES, &c), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_submit(m, 0, NULL), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_step(m, QUEUES), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_run(NULL), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_next_record(m, NULL), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_next_record(NULL, &r), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_queue_status(m, QUEUES, &s), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_counters(m, NULL), TMA_MODEL_EINVAL);
	assert_null(tma_model_smem(NULL, 0));
	tma_model_free(NULL);
}

FIXTURE_TEST(windows_are_whole_pages)
{
	static const struct tma_window bad[] = {
		{ 0x1800, 0x1fff, 1 }, { 0x1000, 0x1ffe, 1 }, { 0x2000, 0x1fff, 1 }, { 0x1000, 0x1fff, 8 }
	};
	static const struct tma_window good[] = {
		{ 0x1000, 0x1fff, 7 }, { 0, UINT64_MAX, 3 }, { 0, 0, 0 }, { 5, 1, 0 }
	};

	requeue(f, 0, &(struct tma_queue_config){ 0 }, NULL);
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(tma_model_window(f->m, 0, 0, &bad[i]), TMA_MODEL_EINVAL);
	for (unsigned int i = 0; i < ARRAY_SIZE(good); i++)
		assert_int_equal(tma_model_window(f->m, 0, 0, &good[i]), 0);
}

FIXTURE_TEST(enabled_queues_are_locked)
{
	struct tma_queue_config c = f->queues[0];

	assert_int_equal(tma_model_queue(f->m, 0, &c), 0);
	c.cta = 1;
	assert_int_equal(tma_model_queue(f->m, 0, &c), TMA_MODEL_EBUSY);
	c.enable = 0;
	assert_int_equal(tma_model_queue(f->m, 0, &c), TMA_MODEL_EBUSY);
	assert_int_equal(tma_model_window(f->m, 0, 0, &(struct tma_window){ 0 }), TMA_MODEL_EBUSY);
	expect_quiet(f, 0, base_load());
	c = f->queues[0];
	c.stream = 1;
	assert_int_equal(tma_model_queue(f->m, 0, &c), TMA_MODEL_EBUSY);
	c = f->queues[0];
	c.prot = 1;
	assert_int_equal(tma_model_queue(f->m, 0, &c), TMA_MODEL_EBUSY);
	c = f->queues[0];
	c.cta_mask = 1;
	assert_int_equal(tma_model_queue(f->m, 0, &c), TMA_MODEL_EBUSY);
}

/* Commands put into a disabled queue wait for it; disabling drops what has not run. */
FIXTURE_TEST(enable_starts_disable_drops)
{
	struct tma_queue_config on = f->queues[0];

	issue(f, 0, base_signal());
	submit(f, 0, base_signal());
	requeue(f, 0, &(struct tma_queue_config){ .cta_mask = 1 }, NULL);
	assert_int_equal(status_of(f, 0).queued, 0);
	assert_int_equal(status_of(f, 0).next_sequence, 0);
	submit(f, 0, tagged(base_signal(), 7));
	assert_int_equal(tma_model_run(f->m), 0);
	assert_int_equal(status_of(f, 0).queued, 1);
	requeue(f, 0, &on, NULL);
	assert_int_equal(status_of(f, 0).next_sequence, 0);
	assert_int_equal(tma_model_run(f->m), 1);
	expect_record(f, (struct tma_record){ .sequence = 0, .kind = TMA_KIND_SIGNAL });
	expect_record(f, (struct tma_record){ .sequence = 0, .kind = TMA_KIND_SIGNAL, .tag = 7 });
	expect_no_record(f);
}

FIXTURE_TEST(disable_ends_a_wait)
{
	issue(f, 0, wait_forever());
	assert_int_equal(status_of(f, 0).waiting, 1);
	requeue(f, 0, &(struct tma_queue_config){ 0 }, NULL);
	assert_int_equal(status_of(f, 0).waiting, 0);
	assert_int_equal(status_of(f, 0).queued, 0);
}

/* Nothing but CTA 1: not even the own CTA. */
FIXTURE_TEST(a_queue_may_be_kept_out_of_its_own_cta)
{
	struct tma_queue_config config = { .enable = 1, .cta = 0, .cta_mask = 0x2 };

	requeue(f, 0, &config, NULL);
	expect_quiet(f, 0, load(AT(1, DST), GLOBAL, 64, AT(1, BAR)));
	expect_quiet(f, 0, arrive(AT(1, BAR), 1, 0));
	expect_quiet(f, 0, base_commit());
	issue(f, 0, base_shared());
	expect_fault(f, 0, TMA_FAULT_CTA_DENIED, 0x1);
	requeue(f, 0, &config, NULL);
	issue(f, 0, base_store());
	expect_fault(f, 0, TMA_FAULT_CTA_DENIED, 0x1);
	requeue(f, 0, &config, NULL);
	issue(f, 0, base_init());
	expect_fault(f, 0, TMA_FAULT_CTA_DENIED, 0x1);
}

/* More commands and records than any first allocation, taken out in several goes. */
FIXTURE_TEST(long_queues_keep_their_order)
{
	uint32_t submitted = 0, seen = 0;

	for (uint32_t round = 1; round < 40; round++) {
		for (uint32_t i = 0; i < round; i++, submitted++)
			submit(f, 0, tagged(with_flags(base_commit(), TMA_FLAG_RECORD), submitted ^ 0x5a5a));
		for (uint32_t i = 0; i < round / 2 + 1; i++)
			assert_int_equal(tma_model_step(f->m, 0), 1);
		for (uint32_t i = 0; i < round / 3; i++, seen++)
			expect_record(f, (struct tma_record){ .sequence = seen,
			                                      .kind = TMA_KIND_RETIRED,
			                                      .tag = seen ^ 0x5a5a });
	}
	assert_true(tma_model_run(f->m) > 0);
	for (; seen < submitted; seen++)
		expect_record(f, (struct tma_record){
					 .sequence = seen, .kind = TMA_KIND_RETIRED, .tag = seen ^ 0x5a5a });
	expect_no_record(f);
	assert_int_equal(status_of(f, 0).groups, submitted);
}

FIXTURE_TEST(run_takes_queues_in_turn)
{
	for (uint32_t i = 0; i < 2; i++)
		for (uint32_t q = 0; q < QUEUES; q++)
			submit(f, QUEUES - 1 - q, base_signal());
	assert_int_equal(tma_model_run(f->m), 6);
	for (uint32_t i = 0; i < 2; i++)
		for (uint32_t q = 0; q < QUEUES; q++)
			expect_record(f, (struct tma_record){ .queue = (uint8_t)q,
			                                      .sequence = i,
			                                      .kind = TMA_KIND_SIGNAL });
}

/* Any N, both kinds of wait, committed or not: a copy is complete once it has issued. */
FIXTURE_TEST(groups_are_complete_at_once)
{
	static const uint32_t n[] = { 0, 1, 31, 32, 33, 0x7fffffff, 0xffffffff };

	for (uint32_t i = 0; i < 40; i++) {
		expect_quiet(f, 0, store(GLOBAL + 64 * i, AT(0, SRC), 64));
		expect_quiet(f, 0, store(GLOBAL + 64 * i, AT(0, SRC), 32));
		assert_int_equal(status_of(f, 0).open_stores, 2);
		expect_quiet(f, 0, base_commit());
		assert_int_equal(status_of(f, 0).open_stores, 0);
		assert_int_equal(status_of(f, 0).groups, i + 1);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(n); i++) {
		struct tma_command c = base_wait_group();

		c.count = n[i];
		expect_quiet(f, 0, c);
		expect_quiet(f, 0, with_flags(c, TMA_FLAG_READ));
	}
	expect_quiet(f, 0, base_commit());
	assert_int_equal(status_of(f, 0).groups, 41);
	assert_int_equal(status_of(f, 1).groups, 0);
}

/* Loads in front of a commit are its group's as well: those that read. Nothing else is. */
FIXTURE_TEST(groups_cover_loads)
{
	struct tma_command nothing = base_load(), nobody = base_multicast();

	nothing.size = 0;
	nobody.cta_mask = 0;
	expect_quiet(f, 0, base_load());
	expect_quiet(f, 0, base_multicast());
	expect_quiet(f, 0, nothing);
	expect_quiet(f, 0, nobody);
	expect_quiet(f, 0, base_prefetch());
	expect_quiet(f, 0, base_shared());
	expect_quiet(f, 0, base_cp_async());
	assert_int_equal(status_of(f, 0).open_loads, 2);
	assert_int_equal(status_of(f, 0).open_stores, 0);
	assert_int_equal(status_of(f, 1).open_loads, 0);
	expect_quiet(f, 0, base_commit());
	assert_int_equal(status_of(f, 0).open_loads, 0);
	assert_int_equal(status_of(f, 0).groups, 1);
}

/* RETIRED when it left its queue, FAULT when it failed. */
FIXTURE_TEST(recorded_copy_that_fails_writes_two)
{
	issue(f, 0, tagged(with_flags(store(GLOBAL_END, AT(0, SRC), 16), TMA_FLAG_RECORD), 9));
	expect_record(f, (struct tma_record){ .kind = TMA_KIND_RETIRED, .tag = 9 });
	expect_fault(f, 0, TMA_FAULT_WINDOW_WRITE, GLOBAL_END);
	expect_no_record(f);
	issue(f, 1, with_flags(store(GLOBAL, AT(0, SRC), 16), TMA_FLAG_RECORD));
	expect_fault(f, 1, TMA_FAULT_SRC_CTA, AT(0, SRC));
	expect_no_record(f);
}

FIXTURE_TEST(counters_count)
{
	struct tma_model_counters c;

	issue(f, 0, base_multicast());
	issue(f, 0, base_shared());
	issue(f, 0, base_signal());
	issue(f, 0, load(AT(0, DST), GLOBAL + 8, 64, AT(0, BAR)));
	issue(f, 1, prefetch(GLOBAL_END, 16));
	assert_int_equal(tma_model_counters(f->m, &c), 0);
	assert_int_equal(c.commands, 4);
	assert_int_equal(c.signals, 2);
	assert_int_equal(c.faults, 1);
	assert_int_equal(c.prefetch_errors, 1);
	assert_int_equal(c.records, 2);
}

TEST(models_are_independent)
{
	struct fixture *a = fixture_new();
	struct fixture *b = fixture_new();

	issue(a, 0, base_load());
	issue(a, 0, base_store());
	issue(a, 0, base_signal());
	expect_all_memory(b);
	expect_no_record(b);
	assert_int_equal(status_of(b, 0).next_sequence, 0);
	fixture_free(a);
	fixture_free(b);
}

LIST_SUITE(test_model_queue)
