/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_ring - the ring of commands: doorbell, slots, wrap, what cannot be fetched.
 *
 * Spec: architecture 2 (ring); fault codes 0x01 to 0x04; tma_model.h (tma_model_doorbell)
 * Checks: commands run in order through every wrap, nothing at or behind TAIL is used, a command is
 *         read once, an overrun keeps TAIL, a slot that cannot be read faults when its turn comes, with
 *         its own address, for every width of a beat.
 */
#include "model_rings.h"

#include <stdbool.h>
#include <stdlib.h>

static struct tma_record signal_record(uint32_t sequence, uint32_t tag)
{
	return (struct tma_record){ .sequence = sequence, .kind = TMA_KIND_SIGNAL, .tag = tag };
}

FIXTURE_TEST(commands_run_in_order_through_wraps)
{
	ring_start(f, 0);
	for (uint32_t n = 0; n < 5 * RING_SLOTS; n++) {
		ring_issue(f, 0, tagged(base_signal(), n * 7));
		assert_int_equal(status_of(f, 0).next_sequence, n + 1);
		assert_int_equal(status_of(f, 0).tail, n + 1);
		assert_int_equal(status_of(f, 0).queued, 0);
		expect_ring_record(f, 0, n, signal_record(n, n * 7));
		ring_take(f, 0, 0);
	}
	expect_no_record(f);
}

FIXTURE_TEST(a_whole_ring_at_once)
{
	ring_start(f, 0);
	for (uint32_t n = 0; n < RING_SLOTS; n++)
		ring_put(f, 0, n, tagged(base_commit(), n));
	ring_doorbell(f, 0, RING_SLOTS);
	assert_int_equal(status_of(f, 0).queued, RING_SLOTS);
	assert_int_equal(tma_model_run(f->m), RING_SLOTS);
	assert_int_equal(status_of(f, 0).groups, RING_SLOTS);
	assert_int_equal(status_of(f, 0).faulted, 0);
}

/* All other slots hold what would fault. */
FIXTURE_TEST(nothing_behind_tail_is_used)
{
	ring_start(f, 0);
	memset(f->global + (RING_AT(0) - GLOBAL), 0xff, PAGE);
	ring_put(f, 0, 0, base_commit());
	ring_put(f, 0, 1, base_commit());
	assert_int_equal(tma_model_run(f->m), 0);
	ring_doorbell(f, 0, 1);
	assert_int_equal(tma_model_run(f->m), 1);
	assert_int_equal(tma_model_step(f->m, 0), 0);
	ring_doorbell(f, 0, 2);
	assert_int_equal(tma_model_run(f->m), 1);
	ring_doorbell(f, 0, 2);
	assert_int_equal(tma_model_run(f->m), 0);
	assert_int_equal(status_of(f, 0).faulted, 0);
}

FIXTURE_TEST(a_command_is_read_once)
{
	ring_start(f, 0);
	ring_issue(f, 0, tagged(wait_forever(), 5));
	assert_int_equal(status_of(f, 0).waiting, 1);
	ring_put(f, 0, 0, base_signal());
	assert_int_equal(tma_model_run(f->m), 0);
	issue(f, 1, arrive(AT(0, BAR), 1, 0));
	expect_ring_record(f, 0, 0, (struct tma_record){ .kind = TMA_KIND_ANSWER, .value = 1, .tag = 5 });
	assert_int_equal(status_of(f, 0).next_sequence, 1);
}

FIXTURE_TEST(doorbells_that_are_refused)
{
	struct tma_command c = base_signal();
	struct tma_queue_config off;

	assert_int_equal(tma_model_doorbell(f->m, 0, 1), TMA_MODEL_ESTATE);
	assert_int_equal(tma_model_doorbell(f->m, QUEUES, 1), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_doorbell(NULL, 0, 1), TMA_MODEL_EINVAL);
	ring_start(f, 0);
	assert_int_equal(tma_model_submit(f->m, 0, &c), TMA_MODEL_ESTATE);
	off = f->queues[0];
	off.enable = 0;
	assert_int_equal(tma_model_queue(f->m, 0, &off), 0);
	assert_int_equal(tma_model_doorbell(f->m, 0, 1), TMA_MODEL_ESTATE);
	assert_int_equal(status_of(f, 0).tail, 0);
}

FIXTURE_TEST(an_overrun_keeps_tail)
{
	ring_start(f, 0);
	ring_issue(f, 0, base_commit());
	ring_doorbell(f, 0, 1 + RING_SLOTS);
	assert_int_equal(status_of(f, 0).faulted, 0);
	ring_doorbell(f, 0, 2 + RING_SLOTS);
	expect_ring_fault(f, 0, 0, TMA_FAULT_RING_OVERRUN, 2 + RING_SLOTS);
	assert_int_equal(status_of(f, 0).fault_sequence, 1);
	assert_int_equal(status_of(f, 0).fault_tag, 0);
	assert_int_equal(status_of(f, 0).tail, 1 + RING_SLOTS);
	assert_int_equal(status_of(f, 0).next_sequence, 1);
}

/* TAIL behind HEAD is as far ahead as can be. A stopped queue counts more of them, and takes a good
 * TAIL. */
FIXTURE_TEST(a_tail_behind_head_is_an_overrun)
{
	ring_start(f, 0);
	ring_issue(f, 0, base_commit());
	ring_doorbell(f, 0, 0);
	expect_ring_fault(f, 0, 0, TMA_FAULT_RING_OVERRUN, 0);
	ring_doorbell(f, 0, 0xffffffff);
	assert_int_equal(status_of(f, 0).fault_count, 2);
	assert_int_equal(status_of(f, 0).fault_address, 0);
	assert_int_equal(status_of(f, 0).producer, 1);
	ring_doorbell(f, 0, 3);
	assert_int_equal(status_of(f, 0).tail, 3);
	assert_int_equal(tma_model_run(f->m), 0);
}

/* Back to the head that waits: it has been read, nothing behind it will be. */
FIXTURE_TEST(a_tail_may_go_back)
{
	ring_start(f, 0);
	ring_submit(f, 0, wait_forever());
	ring_issue(f, 0, base_signal());
	ring_doorbell(f, 0, 0);
	assert_int_equal(status_of(f, 0).queued, 0);
	issue(f, 1, arrive(AT(0, BAR), 1, 0));
	assert_int_equal(status_of(f, 0).next_sequence, 1);
	assert_int_equal(status_of(f, 0).tail, 0);
	assert_int_equal(status_of(f, 0).queued, 0);
	assert_int_equal(status_of(f, 0).producer, 1);
	ring_doorbell(f, 0, 0);
	assert_int_equal(status_of(f, 0).fault, TMA_FAULT_RING_OVERRUN);
	assert_int_equal(tma_model_resume(f->m, 0, 2), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_resume(f->m, 0, 1), 0);
	ring_doorbell(f, 0, 2);
	assert_int_equal(tma_model_run(f->m), 1);
}

/* A wait that an overrun stops is over. */
FIXTURE_TEST(an_overrun_ends_a_wait)
{
	ring_start(f, 0);
	ring_issue(f, 0, wait_forever());
	ring_doorbell(f, 0, RING_SLOTS + 1);
	expect_ring_fault(f, 0, 0, TMA_FAULT_RING_OVERRUN, RING_SLOTS + 1);
	issue(f, 1, arrive(AT(0, BAR), 1, 0));
	assert_int_equal(status_of(f, 0).next_sequence, 0);
}

/* 2^16 slots, unmapped up to the last lap: every fault is resumed from behind the whole ring. */
MODEL_TEST(sequence_numbers_wrap, small_model(0))
{
	static const uint32_t slots = 1u << 16;
	struct tma_queue_config c = { .enable = 1, .ring = 1, .ring_slots_log2 = 16 };
	struct tma_command commit = base_commit();
	uint8_t *memory = malloc(64 * slots);

	assert_non_null(memory);
	for (uint32_t n = 0; n < slots; n++)
		memcpy(memory + 64 * n, &commit, sizeof(commit));
	assert_int_equal(tma_model_window(m, 0, 0, &(struct tma_window){ 0, 64 * slots - 1, 3 }), 0);
	assert_int_equal(tma_model_queue(m, 0, &c), 0);
	for (uint32_t head = 0; head != 0xffff0000; head += slots) {
		assert_int_equal(tma_model_doorbell(m, 0, head + slots), 0);
		assert_int_equal(tma_model_step(m, 0), 1);
		assert_int_equal(tma_model_resume(m, 0, head + slots), 0);
		assert_int_equal(tma_model_consumer(m, 0, model_status(m, 0).producer), 0);
	}
	assert_int_equal(tma_model_map(m, 0, 0, 64 * slots, memory), 0);
	assert_int_equal(tma_model_doorbell(m, 0, 0), 0);
	assert_int_equal(tma_model_run(m), (int)slots);
	assert_int_equal(tma_model_doorbell(m, 0, 3), 0);
	assert_int_equal(tma_model_run(m), 3);
	assert_int_equal(model_status(m, 0).next_sequence, 3);
	assert_int_equal(model_status(m, 0).groups, slots + 3);
	assert_int_equal(model_status(m, 0).faulted, 0);
	free(memory);
}

/* A life that begins shortly before 2^32: numbers and slots, records and phases, a fault and what follows. */
FIXTURE_TEST(counts_near_2_32)
{
	static const uint32_t first = -3u;

	ring_start(f, 0);
	ring_submit(f, 0, base_signal());
	assert_int_equal(tma_model_count(f->m, 0, first, first + 1), TMA_MODEL_ESTATE);
	ring_start(f, 0);
	assert_int_equal(tma_model_count(f->m, 99, first, first + 1), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_count(f->m, 0, first, first + 1), 0);
	for (uint32_t n = 0; n < 2 * RING_SLOTS; n++) {
		ring_issue(f, 0, tagged(base_signal(), n));
		expect_ring_record(f, 0, first + 1 + n, signal_record(first + n, n));
		assert_int_equal(tma_model_count(f->m, 0, 0, 0), TMA_MODEL_ESTATE);
		ring_take(f, 0, 0);
	}
	ring_start(f, 0);
	assert_int_equal(status_of(f, 0).next_sequence, 0);
	assert_int_equal(tma_model_count(f->m, 0, first, first), 0);
	ring_doorbell(f, 0, first + RING_SLOTS + 1);
	expect_ring_fault(f, 0, first, TMA_FAULT_RING_OVERRUN, first + RING_SLOTS + 1);
	assert_int_equal(tma_model_resume(f->m, 0, first), 0);
	ring_put(f, 0, first, base_signal());
	ring_doorbell(f, 0, 2);
	assert_int_equal(status_of(f, 0).queued, 5);
}

struct beat_case {
	const char *name;
	uint32_t data_bytes;
	uint32_t error; /* first byte of 16 bad ones, in the ring */
	uint32_t slot;  /* first one that cannot be read */
};

static const struct beat_case beat_cases[] = {
	{ "16-byte beats, last of slot 2", 16, 0xb0, 2 },
	{ "16-byte beats, first of slot 3", 16, 0xc0, 3 },
	{ "32-byte beats, last of slot 2", 32, 0xb0, 2 },
	{ "64-byte beats, start of slot 2", 64, 0x80, 2 },
	{ "64-byte beats, end of slot 2", 64, 0xb0, 2 },
	{ "128-byte beats, slot 2", 128, 0x80, 2 },
	{ "128-byte beats, slot 3 spoils 2", 128, 0xf0, 2 },
	{ "128-byte beats, slot 4", 128, 0x100, 4 },
};

static void bad_beats(void **state)
{
	static uint8_t memory[2 * PAGE];
	const struct beat_case *c = *state;
	struct tma_model *m = small_model(c->data_bytes);
	struct tma_command commit = base_commit();
	struct tma_queue_status s;

	for (uint32_t n = 0; n < RING_SLOTS; n++)
		memcpy(memory + 64 * n, &commit, sizeof(commit));
	assert_int_equal(tma_model_map(m, 0, 0, sizeof(memory), memory), 0);
	assert_int_equal(tma_model_map_error(m, 0, c->error, 16, 2, 0), 0);
	assert_int_equal(tma_model_window(m, 0, 0, &(struct tma_window){ 0, 0x1fff, 3 }), 0);
	assert_int_equal(tma_model_queue(m, 0,
	                                 &(struct tma_queue_config){
						 .enable = 1, .ring = 1, .completion_base = PAGE }),
	                 0);
	assert_int_equal(tma_model_doorbell(m, 0, 8), 0);
	assert_int_equal(tma_model_run(m), (int)c->slot + 1);
	s = model_status(m, 0);
	assert_int_equal(s.fault, TMA_FAULT_COMMAND_SLVERR);
	assert_int_equal(s.fault_address, 64 * c->slot);
	assert_int_equal(s.fault_sequence, c->slot);
	assert_int_equal(s.next_sequence, c->slot);
	assert_int_equal(s.fault_tag, 0);
	tma_model_free(m);
}

TABLE_SUITE(test_model_ring_beats, beat_cases, bad_beats)

/* 128 slots in the last page of the address space and in the first. */
MODEL_TEST(a_ring_may_lie_across_address_0, small_model(0))
{
	static uint8_t memory[3 * PAGE];
	struct tma_queue_config c = { .enable = 1,
		                      .ring = 1,
		                      .ring_slots_log2 = 7,
		                      .ring_base = -(uint64_t)PAGE,
		                      .completion_base = PAGE };
	struct tma_command commit = base_commit();

	for (uint32_t n = 0; n < 128; n++)
		memcpy(memory + 64 * n, &commit, sizeof(commit));
	assert_int_equal(tma_model_map(m, 0, -(uint64_t)PAGE, PAGE, memory), 0);
	assert_int_equal(tma_model_map(m, 0, 0, 2 * PAGE, memory + PAGE), 0);
	assert_int_equal(tma_model_window(m, 0, 0, &(struct tma_window){ -(uint64_t)PAGE, UINT64_MAX, 3 }),
	                 0);
	assert_int_equal(tma_model_window(m, 0, 1, &(struct tma_window){ PAGE, 2 * PAGE - 1, 3 }), 0);
	assert_int_equal(tma_model_queue(m, 0, &c), 0);
	assert_int_equal(tma_model_doorbell(m, 0, 128), 0);
	assert_int_equal(tma_model_run(m), 65);
	assert_int_equal(model_status(m, 0).fault, TMA_FAULT_COMMAND_WINDOW);
	assert_int_equal(model_status(m, 0).fault_address, 0);
	assert_int_equal(model_status(m, 0).next_sequence, 64);
}

/* What cannot be fetched waits for its turn; RESUME reads it again. */
FIXTURE_TEST(a_bad_slot_faults_in_order)
{
	ring_start(f, 0);
	assert_int_equal(tma_model_map_error(f->m, 0, SLOT_AT(0, 2), 64, 3, 0), 0);
	for (uint32_t n = 0; n < 4; n++)
		ring_submit(f, 0, tagged(base_signal(), n));
	assert_int_equal(tma_model_step(f->m, 0), 1);
	assert_int_equal(tma_model_step(f->m, 0), 1);
	assert_int_equal(status_of(f, 0).faulted, 0);
	assert_int_equal(tma_model_step(f->m, 0), 1);
	expect_ring_record(f, 0, 1, signal_record(1, 1));
	expect_ring_fault(f, 0, 2, TMA_FAULT_COMMAND_DECERR, SLOT_AT(0, 2));
	assert_int_equal(tma_model_step(f->m, 0), 0);
	assert_int_equal(tma_model_resume(f->m, 0, 2), 0);
	assert_int_equal(tma_model_step(f->m, 0), 1);
	assert_int_equal(status_of(f, 0).fault, TMA_FAULT_COMMAND_DECERR);
	assert_int_equal(tma_model_unmap_all(f->m, 0), 0);
	assert_int_equal(tma_model_map(f->m, 0, GLOBAL, GLOBAL_BYTES, f->global), 0);
	assert_int_equal(tma_model_resume(f->m, 0, 2), 0);
	assert_int_equal(tma_model_run(f->m), 2);
	expect_ring_record(f, 0, 5, signal_record(3, 3));
}

MODEL_TEST(the_worst_beat_of_a_slot_counts, small_model(16))
{
	static uint8_t memory[PAGE];

	assert_int_equal(tma_model_map(m, 0, 0, sizeof(memory), memory), 0);
	assert_int_equal(tma_model_map_error(m, 0, 0, 16, 2, 0), 0);
	assert_int_equal(tma_model_map_error(m, 0, 48, 16, 3, 0), 0);
	assert_int_equal(tma_model_window(m, 0, 0, &(struct tma_window){ 0, PAGE - 1, 3 }), 0);
	assert_int_equal(tma_model_queue(m, 0, &(struct tma_queue_config){ .enable = 1, .ring = 1 }), 0);
	assert_int_equal(tma_model_doorbell(m, 0, 1), 0);
	assert_int_equal(tma_model_run(m), 1);
	assert_int_equal(model_status(m, 0).fault, TMA_FAULT_COMMAND_DECERR);
	assert_int_equal(model_status(m, 0).fault_address, 0);
}

FIXTURE_TEST(both_front_ends_side_by_side)
{
	ring_start(f, 1);
	submit(f, 0, tagged(base_signal(), 1));
	ring_submit(f, 1, tagged(base_signal(), 2));
	submit(f, 2, tagged(base_signal(), 3));
	assert_int_equal(tma_model_run(f->m), 3);
	expect_record(f, (struct tma_record){ .queue = 0, .kind = TMA_KIND_SIGNAL, .tag = 1 });
	expect_record(f, (struct tma_record){ .queue = 2, .kind = TMA_KIND_SIGNAL, .tag = 3 });
	expect_no_record(f);
	expect_ring_record(f, 1, 0, signal_record(0, 2));
}

struct config_case {
	const char *name;
	struct tma_queue_config config;
	int result;
};

static const struct config_case config_cases[] = {
	{ "sizes 0 are 16 slots", { .ring = 1 }, 0 },
	{ "largest rings", { .ring = 1, .ring_slots_log2 = 16, .completion_slots_log2 = 16 }, 0 },
	{ "ring of 8 slots", { .ring = 1, .ring_slots_log2 = 3 }, TMA_MODEL_EINVAL },
	{ "ring of 2^17 slots", { .ring = 1, .ring_slots_log2 = 17 }, TMA_MODEL_EINVAL },
	{ "completion ring of 8 slots", { .ring = 1, .completion_slots_log2 = 3 }, TMA_MODEL_EINVAL },
	{ "completion ring of 2^17 slots", { .ring = 1, .completion_slots_log2 = 17 }, TMA_MODEL_EINVAL },
	{ "ring inside a page", { .ring = 1, .ring_base = 0x1800 }, TMA_MODEL_EINVAL },
	{ "completion ring inside a page", { .ring = 1, .completion_base = 0x20 }, TMA_MODEL_EINVAL },
	{ "a third front end", { .ring = 2 }, TMA_MODEL_EINVAL },
	{ "AxPROT of four bits", { .prot = 8 }, TMA_MODEL_EINVAL },
};

static void configures(void **state)
{
	const struct config_case *c = *state;
	struct tma_model *m = small_model(0);
	struct tma_queue_config on = c->config;

	on.enable = 1;
	assert_int_equal(tma_model_queue(m, 0, &c->config), c->result);
	assert_int_equal(tma_model_queue(m, 0, &on), c->result);
	tma_model_free(m);
}

TABLE_SUITE(test_model_ring_configs, config_cases, configures)

/* Every field of the set-up is locked while the queue is enabled. */
FIXTURE_TEST(an_enabled_ring_is_locked)
{
	struct tma_queue_config c;

	ring_start(f, 0);
	c = f->queues[0];
	assert_int_equal(tma_model_queue(f->m, 0, &c), 0);
#define EXPECT_LOCKED(field, value)                                              \
	do {                                                                     \
		c = f->queues[0];                                                \
		c.field = (value);                                               \
		assert_int_equal(tma_model_queue(f->m, 0, &c), TMA_MODEL_EBUSY); \
	} while (0)
	EXPECT_LOCKED(ring, 0);
	EXPECT_LOCKED(ring_slots_log2, 5);
	EXPECT_LOCKED(completion_slots_log2, 5);
	EXPECT_LOCKED(ring_base, 0);
	EXPECT_LOCKED(completion_base, 0);
	EXPECT_LOCKED(cancel_mask, 1);
#undef EXPECT_LOCKED
	ring_issue(f, 0, base_signal());
	expect_ring_record(f, 0, 0, signal_record(0, 0));
}

LIST_SUITE(test_model_ring)
