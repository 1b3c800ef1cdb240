/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_completion - completion rings: place, phase, room, interrupt, records that cannot be written.
 *
 * Spec: architecture 2 (completion record); fault codes 0x98 to 0x9A; tma_model.h (tma_model_consumer)
 * Checks: every byte of record and ring; the last slot is a fault's; a full ring stops its own queue
 *         alone and run() returns; a fault without room waits; CONSUMER's bounds; a failed record stops
 *         the queue and takes its slot.
 */
#include "model_rings.h"

#include "tma_regs.h"

static struct tma_record signal_record(uint32_t sequence)
{
	return (struct tma_record){ .sequence = sequence, .kind = TMA_KIND_SIGNAL };
}

static struct fixture *with_ring(void)
{
	struct fixture *f = fixture_new();

	ring_start(f, 0);
	return f;
}

static struct fixture *late_with_ring(void)
{
	struct fixture *f = fixture_late(7);

	ring_start(f, 0);
	return f;
}

/* All of memory but the slot is as it was. */
FIXTURE_TEST_OF(a_record_is_32_bytes, with_ring())
{
	struct tma_command c = tagged(with_flags(base_arrive(), TMA_FLAG_RECORD), 0x12345678);
	/* sequence 0, queue 0, kind 2, value 1, tag, phase 1 */
	static const uint8_t record[32] = {
		[5] = 2, [8] = 1, [24] = 0x78, [25] = 0x56, [26] = 0x34, [27] = 0x12, [28] = 1
	};

	ring_put(f, 0, 0, c);
	remember(f);
	memcpy(f->expected.global + PAGE + (RECORD_AT(0, 0) - GLOBAL), record, sizeof(record));
	expect_barrier(f, 0, BAR, barrier_word(1, 1, 0, 1));
	ring_doorbell(f, 0, 1);
	assert_int_equal(tma_model_run(f->m), 1);
	expect_all_memory(f);
}

FIXTURE_TEST_OF(only_some_commands_write_one, with_ring())
{
	ring_issue(f, 0, base_commit());
	ring_issue(f, 0, base_load());
	assert_int_equal(status_of(f, 0).producer, 0);
	ring_issue(f, 0, with_flags(base_commit(), TMA_FLAG_RECORD));
	assert_int_equal(status_of(f, 0).producer, 1);
	expect_ring_record(f, 0, 0, (struct tma_record){ .sequence = 2, .kind = TMA_KIND_RETIRED });
}

/* 15 of 16 slots are for commands. */
FIXTURE_TEST_OF(a_full_ring_stops_its_queue_alone, with_ring())
{
	for (uint32_t n = 0; n < RING_SLOTS - 1; n++)
		ring_issue(f, 0, base_signal());
	assert_int_equal(status_of(f, 0).full, 0);
	ring_submit(f, 0, base_signal());
	submit(f, 1, base_signal());
	assert_int_equal(tma_model_run(f->m), 1);
	expect_record(f, (struct tma_record){ .queue = 1, .kind = TMA_KIND_SIGNAL });
	assert_int_equal(status_of(f, 0).full, 1);
	assert_int_equal(status_of(f, 0).waiting, 1);
	assert_int_equal(status_of(f, 0).faulted, 0);
	assert_int_equal(status_of(f, 0).next_sequence, RING_SLOTS - 1);
	assert_int_equal(status_of(f, 0).producer, RING_SLOTS - 1);
	assert_int_equal(tma_model_run(f->m), 0);
	assert_int_equal(tma_model_consumer(f->m, 0, 1), 0);
	assert_int_equal(tma_model_run(f->m), 1);
	assert_int_equal(status_of(f, 0).full, 0);
	assert_int_equal(status_of(f, 0).waiting, 0);
	expect_ring_record(f, 0, RING_SLOTS - 1, signal_record(RING_SLOTS - 1));
}

/* A command without a record, and one that breaks a rule, need no room. */
FIXTURE_TEST_OF(other_commands_need_no_room, with_ring())
{
	for (uint32_t n = 0; n < RING_SLOTS - 1; n++)
		ring_issue(f, 0, base_signal());
	ring_issue(f, 0, base_commit());
	assert_int_equal(status_of(f, 0).next_sequence, RING_SLOTS);
	ring_issue(f, 0, with_flags(base_refused(), TMA_FLAG_RECORD));
	assert_int_equal(status_of(f, 0).fault, TMA_FAULT_UNKNOWN_VERSION);
	assert_int_equal(status_of(f, 0).producer, RING_SLOTS);
	assert_int_equal(status_of(f, 0).drained, 1);
}

/* The ring holds 15 answers and a fault: the next fault has no room at all. */
FIXTURE_TEST_OF(a_fault_without_room_waits, with_ring())
{
	uint32_t resume;

	for (uint32_t n = 0; n < RING_SLOTS - 1; n++)
		ring_issue(f, 0, base_signal());
	ring_issue(f, 0, base_refused());
	expect_ring_fault(f, 0, RING_SLOTS - 1, TMA_FAULT_UNKNOWN_VERSION, status_of(f, 0).fault_address);
	resume = status_of(f, 0).next_sequence + 1;
	assert_int_equal(tma_model_resume(f->m, 0, resume), 0);
	ring_issue(f, 0, tagged(base_refused(), 99));
	assert_int_equal(status_of(f, 0).faulted, 1);
	assert_int_equal(status_of(f, 0).fault_tag, 99);
	assert_int_equal(status_of(f, 0).producer, RING_SLOTS);
	assert_int_equal(status_of(f, 0).drained, 0);
	assert_int_equal(tma_model_resume(f->m, 0, resume + 1), TMA_MODEL_ESTATE);
	issue(f, 1, base_signal());
	expect_record(f, (struct tma_record){ .queue = 1, .kind = TMA_KIND_SIGNAL });
	assert_int_equal(tma_model_consumer(f->m, 0, 0), 0);
	assert_int_equal(status_of(f, 0).drained, 0);
	assert_int_equal(tma_model_consumer(f->m, 0, 1), 0);
	assert_int_equal(status_of(f, 0).drained, 1);
	expect_ring_fault(f, 0, RING_SLOTS, TMA_FAULT_UNKNOWN_VERSION, status_of(f, 0).fault_address);
	assert_int_equal(tma_model_resume(f->m, 0, resume + 1), 0);
}

/* It needs room before it begins to wait, so its time does not run. */
FIXTURE_TEST_OF(a_limited_wait_needs_room_first, with_ring())
{
	struct tma_command wait = base_try_parity();

	wait.tx = 1;
	for (uint32_t n = 0; n < RING_SLOTS - 1; n++)
		ring_issue(f, 0, base_signal());
	ring_issue(f, 0, wait);
	assert_int_equal(status_of(f, 0).full, 1);
	assert_int_equal(status_of(f, 0).next_sequence, RING_SLOTS - 1);
	ring_take(f, 0, 0);
	assert_int_equal(tma_model_run(f->m), 1);
	expect_ring_record(f, 0, RING_SLOTS - 1,
	                   (struct tma_record){ .sequence = RING_SLOTS - 1, .kind = TMA_KIND_ANSWER });
}

/* Nor does that of a late model, in which time passes while others move. */
FIXTURE_TEST_OF(a_late_limit_needs_room_first, late_with_ring())
{
	struct tma_command wait = wait_parity(TMA_MBARRIER_TRY_WAIT, AT(0, BAR), 0);

	wait.tx = 100;
	for (uint32_t n = 0; n < RING_SLOTS - 1; n++)
		ring_submit(f, 0, base_signal());
	ring_submit(f, 0, wait);
	for (uint32_t i = 0; i < 1000; i++)
		tma_model_run(f->m);
	assert_int_equal(status_of(f, 0).full, 1);
	assert_int_equal(tma_model_consumer(f->m, 0, 1), 0);
	for (uint32_t i = 0; i < 300; i++)
		submit(f, 1, base_signal());
	for (uint32_t i = 0; i < 100; i++)
		tma_model_run(f->m);
	assert_int_equal(status_of(f, 0).producer, RING_SLOTS - 1);
	for (uint32_t i = 0; i < 1000; i++)
		tma_model_run(f->m);
	assert_int_equal(status_of(f, 0).producer, RING_SLOTS);
}

FIXTURE_TEST_OF(consumer_stays_between, with_ring())
{
	struct tma_queue_config off;

	assert_int_equal(tma_model_consumer(f->m, 0, 1), TMA_MODEL_EINVAL);
	for (uint32_t n = 0; n < 3; n++)
		ring_issue(f, 0, base_signal());
	assert_int_equal(tma_model_consumer(f->m, 0, 4), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_consumer(f->m, 0, 2), 0);
	assert_int_equal(tma_model_consumer(f->m, 0, 1), TMA_MODEL_EINVAL);
	assert_int_equal(status_of(f, 0).consumer, 2);
	assert_int_equal(tma_model_consumer(f->m, 0, 2), 0);
	assert_int_equal(tma_model_consumer(f->m, 0, 3), 0);
	assert_int_equal(tma_model_consumer(f->m, 1, 0), 0);
	assert_int_equal(tma_model_consumer(f->m, 1, 1), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_consumer(f->m, QUEUES, 0), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_consumer(NULL, 0, 0), TMA_MODEL_EINVAL);
	off = f->queues[0];
	off.enable = 0;
	assert_int_equal(tma_model_queue(f->m, 0, &off), 0);
	assert_int_equal(tma_model_consumer(f->m, 0, 0), TMA_MODEL_ESTATE);
}

FIXTURE_TEST_OF(interrupts, with_ring())
{
	ring_start(f, 1);
	ring_issue(f, 0, base_signal());
	assert_int_equal(tma_model_interrupts(f->m), 0);
	assert_int_equal(tma_model_reg_write(f->m, TMA_REG_DOOR_INTERRUPT_ENABLE(0), 1), 0);
	assert_int_equal(tma_model_reg_write(f->m, TMA_REG_DOOR_INTERRUPT_ENABLE(1), 1), 0);
	assert_int_equal(tma_model_interrupts(f->m), 1);
	ring_issue(f, 1, base_signal());
	assert_int_equal(tma_model_interrupts(f->m), 3);
	assert_int_equal(tma_model_reg_write(f->m, TMA_REG_DOOR_INTERRUPT_PENDING(0), 1), 0);
	assert_int_equal(tma_model_interrupts(f->m), 2);
	assert_int_equal(tma_model_reset(f->m, 1), 0);
	assert_int_equal(tma_model_interrupts(f->m), 0);
	ring_issue(f, 1, base_signal());
	assert_int_equal(tma_model_interrupts(f->m), 2);
	assert_int_equal(tma_model_interrupts(NULL), 0);
}

/* Slots 14 and 15 go bad once record 14 is out, so the record of the fault is in slot 0. */
FIXTURE_TEST_OF(a_lost_record_stops_the_queue, with_ring())
{
	struct tma_model_counters counters;

	for (uint32_t n = 0; n < RING_SLOTS - 1; n++) {
		ring_issue(f, 0, base_signal());
		ring_take(f, 0, 0);
	}
	assert_int_equal(tma_model_map_error(f->m, 0, RECORD_AT(0, 14), 64, 0, 2), 0);
	ring_issue(f, 0, tagged(base_signal(), 44));
	expect_ring_fault(f, 0, RING_SLOTS, TMA_FAULT_COMPLETION_SLVERR, RECORD_AT(0, 15));
	assert_int_equal(status_of(f, 0).fault_sequence, RING_SLOTS - 1);
	assert_int_equal(status_of(f, 0).fault_tag, 44);
	assert_int_equal(status_of(f, 0).next_sequence, RING_SLOTS);
	assert_int_equal(status_of(f, 0).producer, RING_SLOTS + 1);
	assert_int_equal(tma_model_counters(f->m, &counters), 0);
	assert_int_equal(counters.records, RING_SLOTS + 1);
	assert_int_equal(counters.faults, 1);
}

/* Neither the record of a copy nor that of the fault can be written, and the copy fails as well. */
FIXTURE_TEST_OF(later_faults_are_counted, with_ring())
{
	assert_int_equal(tma_model_map_error(f->m, 0, COMPLETION_AT(0), PAGE, 0, 3), 0);
	remember(f);
	ring_put(f, 0, 0, with_flags(store(GLOBAL_END, AT(0, SRC), 16), TMA_FLAG_RECORD));
	remember(f);
	ring_doorbell(f, 0, 1);
	assert_int_equal(tma_model_run(f->m), 1);
	assert_int_equal(status_of(f, 0).fault, TMA_FAULT_COMPLETION_DECERR);
	assert_int_equal(status_of(f, 0).fault_address, RECORD_AT(0, 0));
	assert_int_equal(status_of(f, 0).fault_count, 3);
	assert_int_equal(status_of(f, 0).producer, 2);
	expect_all_memory(f);
}

/* 256 slots are two pages, of which the queue may write the first. */
FIXTURE_TEST(the_window_ends_inside_the_ring)
{
	struct tma_queue_config c = ring_config(f, 0);
	struct tma_window window = { GLOBAL, COMPLETION_AT(0) + PAGE - 1, 3 };

	c.completion_slots_log2 = 8;
	requeue(f, 0, &c, &window);
	for (uint32_t n = 0; n < 128; n++)
		ring_issue(f, 0, base_signal());
	assert_int_equal(status_of(f, 0).faulted, 0);
	ring_issue(f, 0, tagged(base_signal(), 8));
	assert_int_equal(status_of(f, 0).fault, TMA_FAULT_COMPLETION_WINDOW);
	assert_int_equal(status_of(f, 0).fault_address, COMPLETION_AT(0) + PAGE);
	assert_int_equal(status_of(f, 0).fault_tag, 8);
	assert_int_equal(status_of(f, 0).fault_sequence, 128);
}

LIST_SUITE(test_model_completion)
