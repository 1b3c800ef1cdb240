/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_recovery - resume, reset, cancel, disable, dead ports.
 *
 * Spec: architecture 2 (faults); tma_model.h (tma_model_resume and what follows)
 * Checks: what goes and what stays, every bound of an index, what is refused changes nothing, other
 *         queues never notice.
 */
#include "model_rings.h"

FIXTURE_TEST(resume_of_a_direct_queue)
{
	submit(f, 0, base_signal());
	submit(f, 0, base_refused());
	for (uint32_t tag = 2; tag < 5; tag++)
		submit(f, 0, tagged(base_signal(), tag));
	assert_int_equal(tma_model_run(f->m), 2);
	assert_int_equal(status_of(f, 0).tail, 5);
	assert_int_equal(tma_model_resume(f->m, 0, 0), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_resume(f->m, 0, 6), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_resume(f->m, QUEUES, 1), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_resume(NULL, 0, 1), TMA_MODEL_EINVAL);
	assert_int_equal(status_of(f, 0).faulted, 1);
	assert_int_equal(tma_model_resume(f->m, 0, 3), 0);
	assert_int_equal(status_of(f, 0).faulted, 0);
	assert_int_equal(status_of(f, 0).fault, 0);
	assert_int_equal(status_of(f, 0).fault_count, 0);
	assert_int_equal(status_of(f, 0).next_sequence, 3);
	assert_int_equal(status_of(f, 0).queued, 2);
	assert_int_equal(tma_model_resume(f->m, 0, 3), TMA_MODEL_ESTATE);
	assert_int_equal(tma_model_run(f->m), 2);
	expect_record(f, (struct tma_record){ .kind = TMA_KIND_SIGNAL });
	expect_record(f, (struct tma_record){ .sequence = 1,
	                                      .kind = TMA_KIND_FAULT,
	                                      .fault = TMA_FAULT_UNKNOWN_VERSION,
	                                      .address = TMA_SIGNAL });
	expect_record(f, (struct tma_record){ .sequence = 3, .kind = TMA_KIND_SIGNAL, .tag = 3 });
	expect_record(f, (struct tma_record){ .sequence = 4, .kind = TMA_KIND_SIGNAL, .tag = 4 });
}

/* The command itself again, and everything: the ends of the range. */
FIXTURE_TEST(resume_at_head_and_at_tail)
{
	ring_start(f, 0);
	ring_put(f, 0, 0, base_refused());
	for (uint32_t n = 1; n < 4; n++)
		ring_put(f, 0, n, base_signal());
	ring_doorbell(f, 0, 4);
	assert_int_equal(tma_model_run(f->m), 1);
	assert_int_equal(tma_model_resume(f->m, 0, 5), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_resume(f->m, 0, 0xffffffff), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_resume(f->m, 0, 0), 0);
	assert_int_equal(tma_model_run(f->m), 1);
	assert_int_equal(status_of(f, 0).fault_sequence, 0);
	ring_put(f, 0, 0, tagged(base_signal(), 3));
	assert_int_equal(tma_model_resume(f->m, 0, 0), 0);
	assert_int_equal(tma_model_step(f->m, 0), 1);
	expect_ring_record(f, 0, 2, (struct tma_record){ .kind = TMA_KIND_SIGNAL, .tag = 3 });
	ring_put(f, 0, 1, base_refused());
	assert_int_equal(tma_model_run(f->m), 1);
	assert_int_equal(tma_model_resume(f->m, 0, 4), 0);
	assert_int_equal(tma_model_run(f->m), 0);
	assert_int_equal(status_of(f, 0).next_sequence, 4);
}

/* Groups and the token stay; a copy that failed has left its group and its queue. */
FIXTURE_TEST(resume_keeps_groups_and_state)
{
	issue(f, 0, base_arrive());
	issue(f, 0, base_commit());
	issue(f, 0, base_store());
	issue(f, 0, store(GLOBAL_END, AT(0, SRC), 64));
	expect_fault(f, 0, TMA_FAULT_WINDOW_WRITE, GLOBAL_END);
	assert_int_equal(tma_model_resume(f->m, 0, 4), 0);
	assert_int_equal(status_of(f, 0).groups, 1);
	assert_int_equal(status_of(f, 0).open_stores, 2);
	issue(f, 0, with_flags(base_pending_count(), TMA_FLAG_LAST_STATE));
	expect_record(f, (struct tma_record){ .sequence = 4, .kind = TMA_KIND_ANSWER, .value = 1 });
}

/* Everything that a life has, then a new one. */
static void used_up(struct fixture *f)
{
	ring_start(f, 0);
	ring_issue(f, 0, with_flags(base_arrive(), TMA_FLAG_RECORD));
	ring_take(f, 0, 0);
	ring_issue(f, 0, base_store());
	ring_issue(f, 0, base_commit());
	ring_issue(f, 0, base_store());
	ring_issue(f, 0, base_signal());
	ring_submit(f, 0, base_refused());
	ring_submit(f, 0, base_signal());
	issue(f, 1, base_signal());
	expect_record(f, (struct tma_record){ .queue = 1, .kind = TMA_KIND_SIGNAL });
}

static void expect_new_life(struct fixture *f)
{
	static const struct tma_queue_status fresh = { .drained = 1 };
	struct tma_queue_status s = status_of(f, 0);

	assert_memory_equal(&s, &fresh, sizeof(s));
	assert_int_equal(tma_model_run(f->m), 0);
	ring_issue(f, 0, tagged(with_flags(base_pending_count(), TMA_FLAG_LAST_STATE), 6));
	expect_ring_fault(f, 0, 0, TMA_FAULT_NO_STATE, status_of(f, 0).fault_address);
	assert_int_equal(status_of(f, 0).fault_tag, 6);
	assert_int_equal(status_of(f, 1).next_sequence, 1);
}

FIXTURE_TEST(reset_starts_anew)
{
	used_up(f);
	assert_int_equal(tma_model_reset(f->m, 0), 0);
	expect_new_life(f);
}

FIXTURE_TEST(disabling_does_too)
{
	used_up(f);
	ring_start(f, 0);
	expect_new_life(f);
}

FIXTURE_TEST(reset_of_a_direct_queue)
{
	submit(f, 0, tagged(wait_forever(), 77));
	submit(f, 0, base_signal());
	assert_int_equal(tma_model_run(f->m), 0);
	assert_int_equal(tma_model_reset(f->m, 0), 0);
	assert_int_equal(status_of(f, 0).waiting, 0);
	assert_int_equal(status_of(f, 0).queued, 0);
	assert_int_equal(tma_model_run(f->m), 0);
	issue(f, 0, tagged(base_signal(), 2));
	expect_record(f, (struct tma_record){ .kind = TMA_KIND_SIGNAL, .tag = 2 });
	expect_no_record(f);
	requeue(f, 0, &(struct tma_queue_config){ 0 }, NULL);
	assert_int_equal(tma_model_reset(f->m, 0), TMA_MODEL_ESTATE);
	assert_int_equal(tma_model_reset(f->m, QUEUES), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_reset(NULL, 0), TMA_MODEL_EINVAL);
}

/* The record of a fault that waits for room is of the life before. */
FIXTURE_TEST(reset_drops_a_record_that_waits)
{
	ring_start(f, 0);
	for (uint32_t n = 0; n < RING_SLOTS - 1; n++)
		ring_issue(f, 0, base_signal());
	ring_issue(f, 0, base_refused());
	assert_int_equal(tma_model_resume(f->m, 0, RING_SLOTS), 0);
	ring_issue(f, 0, base_refused());
	assert_int_equal(status_of(f, 0).drained, 0);
	remember(f);
	assert_int_equal(tma_model_reset(f->m, 0), 0);
	assert_int_equal(status_of(f, 0).drained, 1);
	assert_int_equal(status_of(f, 0).producer, 0);
	expect_all_memory(f);
}

FIXTURE_TEST(cancel_ends_a_try_wait)
{
	struct tma_command wait = tagged(wait_forever(), 77);

	issue(f, 0, base_commit());
	issue(f, 0, wait);
	submit(f, 0, base_signal());
	remember(f);
	assert_int_equal(tma_model_cancel(f->m, 0), 0);
	expect_fault(f, 0, TMA_FAULT_CANCELLED, header_of(&wait));
	assert_int_equal(status_of(f, 0).fault_sequence, 1);
	assert_int_equal(status_of(f, 0).fault_tag, 77);
	assert_int_equal(status_of(f, 0).queued, 2);
	expect_all_memory(f);
	assert_int_equal(tma_model_cancel(f->m, 0), 0);
	assert_int_equal(status_of(f, 0).fault_count, 1);
	assert_int_equal(tma_model_resume(f->m, 0, 2), 0);
	assert_int_equal(tma_model_run(f->m), 1);
	expect_record(f, (struct tma_record){ .sequence = 2, .kind = TMA_KIND_SIGNAL });
}

FIXTURE_TEST(cancel_ends_the_wait_for_room)
{
	struct tma_command last = tagged(base_signal(), 12);

	ring_start(f, 0);
	for (uint32_t n = 0; n < RING_SLOTS - 1; n++)
		ring_issue(f, 0, base_signal());
	ring_issue(f, 0, last);
	assert_int_equal(status_of(f, 0).full, 1);
	assert_int_equal(tma_model_cancel(f->m, 0), 0);
	expect_ring_fault(f, 0, RING_SLOTS - 1, TMA_FAULT_CANCELLED, header_of(&last));
	assert_int_equal(status_of(f, 0).fault_tag, 12);
}

FIXTURE_TEST(cancel_of_who_does_not_wait)
{
	submit(f, 0, tagged(wait_forever(), 77));
	assert_int_equal(tma_model_cancel(f->m, 0), 0);
	assert_int_equal(tma_model_cancel(f->m, 1), 0);
	assert_int_equal(status_of(f, 0).faulted, 0);
	assert_int_equal(status_of(f, 1).faulted, 0);
	requeue(f, 1, &(struct tma_queue_config){ 0 }, NULL);
	assert_int_equal(tma_model_cancel(f->m, 1), TMA_MODEL_ESTATE);
	assert_int_equal(tma_model_cancel(f->m, QUEUES), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_cancel(NULL, 0), TMA_MODEL_EINVAL);
	expect_no_record(f);
}

static void allow_cancel(struct fixture *f, uint32_t q, uint16_t mask)
{
	struct tma_queue_config c = f->queues[q];

	c.cancel_mask = mask;
	requeue(f, q, &c, NULL);
}

FIXTURE_TEST(cancel_command)
{
	struct tma_command wait = tagged(wait_forever(), 77);
	struct tma_command c = with_flags(base_cancel(), TMA_FLAG_RECORD);

	allow_cancel(f, 1, 0x5);
	c.count = 0;
	issue(f, 0, wait);
	issue(f, 1, c);
	expect_fault(f, 0, TMA_FAULT_CANCELLED, header_of(&wait));
	expect_record(f, (struct tma_record){ .queue = 1, .kind = TMA_KIND_RETIRED });
	assert_int_equal(status_of(f, 1).next_sequence, 1);
	c.count = 2;
	issue(f, 1, c);
	expect_record(f, (struct tma_record){ .queue = 1, .sequence = 1, .kind = TMA_KIND_RETIRED });
	assert_int_equal(status_of(f, 2).faulted, 0);
	c.count = 1;
	issue(f, 1, c);
	expect_fault(f, 1, TMA_FAULT_CANCEL_DENIED, 1);
}

FIXTURE_TEST(cancel_of_oneself_does_nothing)
{
	allow_cancel(f, 0, 0x1);
	expect_quiet(f, 0, base_cancel());
	assert_int_equal(status_of(f, 0).faulted, 0);
}

FIXTURE_TEST(a_dead_port)
{
	struct tma_model_counters counters;

	assert_int_equal(tma_model_kill_port(f->m, 2), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_kill_port(NULL, 0), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_kill_port(f->m, 0), 0);
	issue(f, 0, load(AT(0, DST), GLOBAL + 16, 64, AT(0, BAR)));
	expect_fault(f, 0, TMA_FAULT_PORT_DEAD, GLOBAL + 16);
	issue(f, 1, store(GLOBAL + PAGE - 16, AT(1, SRC), 64));
	expect_fault(f, 1, TMA_FAULT_PORT_DEAD, GLOBAL + PAGE - 16);
	expect_quiet(f, 2, prefetch(GLOBAL + PAGE - 16, 32));
	assert_int_equal(tma_model_counters(f->m, &counters), 0);
	assert_int_equal(counters.prefetch_errors, 2);
	expect_quiet(f, 2, store(GLOBAL, AT(0, SRC), 0));
	expect_all_memory(f);
	assert_int_equal(tma_model_unmap_all(f->m, 0), 0);
	assert_int_equal(tma_model_map(f->m, 0, GLOBAL, GLOBAL_BYTES, f->global), 0);
	issue(f, 2, load(AT(0, DST), GLOBAL_END, 64, AT(0, BAR)));
	expect_fault(f, 2, TMA_FAULT_WINDOW_READ, GLOBAL_END);
}

LIST_SUITE(test_model_recovery)
