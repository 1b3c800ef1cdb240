/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_errors - full completion rings, and errors in the middle of much traffic.
 *
 * Checks: a full completion ring stops its own queue alone, keeps a slot for a FAULT record, and the
 *         next such record waits; CONSUMER, CANCEL and RESET end that. An error behind the first page
 *         of a copy, or under a record in mid ring, is reported with its address, and everything
 *         beside what failed is done.
 */
#include <string.h>

#include "lib/cmocka_all.h"
#include "tma_regs.h"
#include "engine/engine_tests.h"
#include "engine/engine_traffic.h"
#include "engine/fault_cases.h"

#define OTHER  0u
#define QUEUE  1u
#define SLOTS  16u
#define LIMIT  30000u
#define SETTLE 600u /* cycles in which nothing more may happen */
#define PAGE   4096u

#define WAITS (TMA_REG_DOOR_STATUS_WAITING_MASK | TMA_REG_DOOR_STATUS_BUSY_MASK)
#define FULL  (WAITS | TMA_REG_DOOR_STATUS_FULL_MASK)

static uint32_t count_of(struct traffic *t, uint32_t queue)
{
	uint32_t n;

	rig_records(t->rig, queue, &n);
	return n;
}

static struct tma_record last_of(struct traffic *t, uint32_t queue)
{
	uint32_t n;
	const struct rig_record *r = rig_records(t->rig, queue, &n);

	assert_true(n);
	return r[n - 1].record;
}

static void submit(struct traffic *t, uint32_t queue, uint8_t opcode, uint32_t count)
{
	const struct tma_command c = fault_command(opcode);

	while (count--)
		assert_true(rig_submit(t->rig, queue, &c) >= 0);
}

static void other_goes_on(struct traffic *t)
{
	uint32_t before = count_of(t, OTHER);

	submit(t, OTHER, TMA_SIGNAL, 3);
	assert_int_equal(rig_wait_records(t->rig, OTHER, before + 3, LIMIT), 0);
}

/*
 * Full rings.
 */

/* A queue whose ring of 16 records nobody empties, and 40 SIGNALs. */
static void fill(struct traffic *t)
{
	traffic_reset(t);
	assert_int_equal(rig_watchdog(t->rig, 400), 0);
	traffic_queue(t, OTHER, TRAFFIC_SHARED_COPIES);
	traffic_ring(t, QUEUE, RIG_CONSUMER_HELD);
}

static void wait_full(struct traffic *t, uint32_t records, uint32_t head)
{
	struct rig_door d;

	assert_int_equal(rig_wait_records(t->rig, QUEUE, records, LIMIT), 0);
	rig_run(t->rig, SETTLE);
	d = rig_door_read(t->rig, QUEUE);
	assert_int_equal(count_of(t, QUEUE), records);
	assert_int_equal(d.producer, records);
	assert_int_equal(d.head, head);
	assert_int_equal(d.status, FULL);
	assert_int_equal(rig_dead_ports(t->rig), 0);
}

TRAFFIC_TEST(test_full_ring)
{
	uint32_t n = SLOTS - 1;

	fill(t);
	submit(t, QUEUE, TMA_SIGNAL, 40);
	for (; n < 40; n += SLOTS - 1) {
		wait_full(t, n, n);
		other_goes_on(t);
		assert_int_equal(rig_consume(t->rig, QUEUE), RIG_OKAY);
	}
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	assert_int_equal(count_of(t, QUEUE), 40);
	assert_int_equal(rig_door_read(t->rig, QUEUE).status, 0);
	assert_int_equal(rig_failed(t->rig), 0);
}

/* Commands without a record go on, up to the next one that has one. */
TRAFFIC_TEST(test_full_ring_stops_records_alone)
{
	const struct tma_command probe = fault_on_barrier(TMA_MBARRIER_INIT);

	fill(t);
	submit(t, QUEUE, TMA_SIGNAL, SLOTS - 1);
	for (uint32_t i = 0; i < 5; i++)
		assert_true(rig_submit(t->rig, QUEUE, &probe) >= 0);
	submit(t, QUEUE, TMA_SIGNAL, 1);
	wait_full(t, SLOTS - 1, SLOTS - 1 + 5);
	assert_int_equal(rig_queue_reset(t->rig, QUEUE), RIG_OKAY);
	submit(t, QUEUE, TMA_SIGNAL, 4);
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	assert_int_equal(count_of(t, QUEUE), 4);
	assert_int_equal(rig_failed(t->rig), 0);
}

/* Fault records in a full ring: the first has its slot, the second waits for one. */
TRAFFIC_TEST(test_faults_in_a_full_ring)
{
	struct rig_fault f;

	fill(t);
	submit(t, QUEUE, TMA_SIGNAL, SLOTS - 1);
	submit(t, QUEUE, 0xEE, 2);
	submit(t, QUEUE, TMA_SIGNAL, 3);
	assert_int_equal(rig_wait_records(t->rig, QUEUE, SLOTS, LIMIT), 0);
	assert_int_equal(last_of(t, QUEUE).fault, TMA_FAULT_UNKNOWN_OPCODE);
	assert_int_equal(last_of(t, QUEUE).sequence, SLOTS - 1);
	rig_run(t->rig, SETTLE);
	assert_int_equal(rig_resume(t->rig, QUEUE, SLOTS), RIG_OKAY);
	rig_run(t->rig, SETTLE);
	f = rig_fault(t->rig, QUEUE);
	assert_int_equal(f.code, TMA_FAULT_UNKNOWN_OPCODE);
	assert_int_equal(f.sequence, SLOTS);
	assert_int_equal(f.count, 1);
	assert_int_equal(count_of(t, QUEUE), SLOTS);
	assert_int_equal(rig_resume(t->rig, QUEUE, SLOTS + 1), RIG_SLVERR);
	/* Other queues have their faults reported. */
	other_goes_on(t);
	submit(t, OTHER, 0xEE, 1);
	assert_int_equal(rig_wait_records(t->rig, OTHER, 4, LIMIT), 0);
	assert_int_equal(last_of(t, OTHER).fault, TMA_FAULT_UNKNOWN_OPCODE);
	assert_int_equal(rig_consume(t->rig, QUEUE), RIG_OKAY);
	assert_int_equal(rig_wait_records(t->rig, QUEUE, SLOTS + 1, LIMIT), 0);
	assert_int_equal(last_of(t, QUEUE).sequence, SLOTS);
	rig_run(t->rig, SETTLE);
	assert_int_equal(rig_resume(t->rig, QUEUE, SLOTS + 1), RIG_OKAY);
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	assert_int_equal(count_of(t, QUEUE), SLOTS + 1 + 3);
	assert_int_equal(rig_failed(t->rig), 0);
}

TRAFFIC_TEST(test_cancel_in_a_full_ring)
{
	const struct tma_command signal = fault_command(TMA_SIGNAL);
	struct rig_fault f;

	fill(t);
	submit(t, QUEUE, TMA_SIGNAL, SLOTS + 2);
	wait_full(t, SLOTS - 1, SLOTS - 1);
	assert_int_equal(rig_cancel(t->rig, QUEUE), RIG_OKAY);
	assert_int_equal(rig_wait_records(t->rig, QUEUE, SLOTS, LIMIT), 0);
	assert_int_equal(last_of(t, QUEUE).fault, TMA_FAULT_CANCELLED);
	f = rig_fault(t->rig, QUEUE);
	assert_int_equal(f.sequence, SLOTS - 1);
	assert_int_equal(f.address, fault_header(&signal));
	rig_run(t->rig, SETTLE);
	assert_int_equal(rig_resume(t->rig, QUEUE, SLOTS - 1), RIG_OKAY);
	assert_int_equal(rig_consume(t->rig, QUEUE), RIG_OKAY);
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	assert_int_equal(count_of(t, QUEUE), SLOTS + 3);
	assert_int_equal(rig_failed(t->rig), 0);
}

/*
 * Errors in mid traffic.
 */

/* Copy 1 of a kind leaves its page; what it has in the next one fails. */
static void error_in_the_second_page(struct traffic *t, enum traffic_kind kind, uint32_t port,
                                     enum rig_resp resp, uint16_t code)
{
	const struct tma_command c = traffic_command(kind, 1);
	uint64_t page = (c.global_address | (PAGE - 1)) + 1;
	uint32_t queues = t->info->queues > 3 ? 3 : 1;
	struct rig_fault f;

	traffic_reset(t);
	traffic_queue(t, OTHER, TRAFFIC_SHARED_COPIES);
	traffic_queue(t, QUEUE, kind);
	if (queues > 1) {
		traffic_queue(t, 2, kind == TRAFFIC_LOADS ? TRAFFIC_MULTIMEM : TRAFFIC_LOADS);
		traffic_queue(t, 3, TRAFFIC_RING);
	}
	assert_int_equal(rig_map_error(t->rig, port, RIG_BOTH, traffic_place(kind, page), 16, resp), 0);
	for (uint32_t q = 0; q <= queues; q++)
		traffic_submit(t, q);
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	rig_clear_errors(t->rig);
	f = rig_fault(t->rig, QUEUE);
	assert_int_equal(f.code, code);
	assert_int_equal(f.address, page);
	assert_int_equal(f.sequence, 1);
	assert_int_equal(f.count, 1);
	assert_true(traffic_done(t, QUEUE, 1, ~0u));
	assert_false(traffic_done(t, QUEUE, 2, ~0u));
	for (uint32_t q = 0; q <= queues; q++)
		assert_true(q == QUEUE ||
		            (!rig_faulted(t->rig, q) && traffic_done(t, q, TRAFFIC_COPIES, ~0u)));
	/* Again, from there on. */
	assert_int_equal(rig_resume(t->rig, QUEUE, rig_door_read(t->rig, QUEUE).tail), RIG_OKAY);
	traffic_submit(t, QUEUE);
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	assert_false(rig_faulted(t->rig, QUEUE));
	assert_true(traffic_done(t, QUEUE, TRAFFIC_COPIES, ~0u));
	assert_true(traffic_clean(t));
	assert_int_equal(rig_failed(t->rig), 0);
}

TRAFFIC_TEST(test_data_errors)
{
	error_in_the_second_page(t, TRAFFIC_LOADS, 0, RIG_SLVERR, TMA_FAULT_READ_SLVERR);
	error_in_the_second_page(t, TRAFFIC_LOADS, 0, RIG_DECERR, TMA_FAULT_READ_DECERR);
	error_in_the_second_page(t, TRAFFIC_STORES, 0, RIG_SLVERR, TMA_FAULT_WRITE_SLVERR);
	error_in_the_second_page(t, TRAFFIC_STORES, 0, RIG_DECERR, TMA_FAULT_WRITE_DECERR);
	for (uint32_t port = 0; port < t->info->ports; port++) {
		error_in_the_second_page(t, TRAFFIC_MULTIMEM, port, RIG_SLVERR, TMA_FAULT_WRITE_SLVERR);
		error_in_the_second_page(t, TRAFFIC_MULTIMEM, port, RIG_DECERR, TMA_FAULT_WRITE_DECERR);
	}
}

/* A slot in mid ring cannot be read, and can after a while. */
TRAFFIC_TEST(test_error_of_a_fetch)
{
	enum { BAD = 9 };
	uint64_t slot;

	for (uint32_t resp = RIG_SLVERR; resp <= RIG_DECERR; resp++) {
		traffic_reset(t);
		traffic_queue(t, OTHER, TRAFFIC_SHARED_COPIES);
		traffic_queue(t, QUEUE, TRAFFIC_RING);
		slot = rig_ring_base(t->rig, QUEUE) + BAD * 64;
		assert_int_equal(rig_map_error(t->rig, 0, RIG_READ, slot, 16, (enum rig_resp)resp), 0);
		submit(t, QUEUE, TMA_SIGNAL, 2 * SLOTS);
		traffic_submit(t, OTHER);
		assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
		rig_clear_errors(t->rig);
		/* With two slots to a beat, the one before fails as well. */
		assert_in_range(rig_fault(t->rig, QUEUE).sequence, t->info->data_bytes > 64 ? BAD - 1 : BAD,
		                BAD);
		assert_int_equal(rig_fault(t->rig, QUEUE).address,
		                 rig_ring_base(t->rig, QUEUE) + rig_fault(t->rig, QUEUE).sequence * 64);
		assert_int_equal(rig_fault(t->rig, QUEUE).code,
		                 resp == RIG_SLVERR ? TMA_FAULT_COMMAND_SLVERR : TMA_FAULT_COMMAND_DECERR);
		assert_int_equal(count_of(t, QUEUE), rig_fault(t->rig, QUEUE).sequence + 1);
		assert_true(traffic_done(t, OTHER, TRAFFIC_COPIES, ~0u));
		assert_int_equal(rig_resume(t->rig, QUEUE, rig_fault(t->rig, QUEUE).sequence), RIG_OKAY);
		assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
		assert_int_equal(count_of(t, QUEUE), 2 * SLOTS + 1);
		assert_int_equal(last_of(t, QUEUE).sequence, 2 * SLOTS - 1);
		assert_int_equal(rig_failed(t->rig), 0);
	}
}

/* Records 0 to producer - 1 but for the bad ones: of SIGNALs, the last one is that of the fault. */
static void check_slots(struct traffic *t, uint32_t producer, uint32_t bad, uint32_t bad_end, uint16_t code)
{
	struct tma_record record;

	for (uint32_t i = 0; i < producer; i++) {
		bool last = i + 1 == producer;

		memcpy(&record, rig_completion_slot(t->rig, QUEUE, i), sizeof(record));
		if (i >= bad && i < bad_end)
			continue;
		assert_int_equal(record.phase, 1);
		assert_int_equal(record.queue, QUEUE);
		assert_int_equal(record.kind, last ? TMA_KIND_FAULT : TMA_KIND_SIGNAL);
		assert_int_equal(record.fault, last ? code : 0);
		assert_int_equal(record.sequence, last ? bad : i);
	}
}

/* A beat of records in mid ring cannot be written; the record of the fault can, if it is elsewhere. */
static void record_error(struct traffic *t, enum rig_resp resp, uint16_t code)
{
	const uint32_t bad = 4, record = sizeof(struct tma_record);
	uint32_t beat = t->info->data_bytes > record ? t->info->data_bytes / record : 1;
	struct rig_fault f;
	struct rig_door d;
	uint64_t slot;

	traffic_reset(t);
	traffic_queue(t, OTHER, TRAFFIC_SHARED_COPIES);
	traffic_ring(t, QUEUE, RIG_CONSUMER_OFF);
	slot = rig_completion_base(t->rig, QUEUE) + bad * record;
	assert_int_equal(rig_map_error(t->rig, 0, RIG_WRITE, slot, beat * record, resp), 0);
	submit(t, QUEUE, TMA_SIGNAL, SLOTS - 1);
	traffic_submit(t, OTHER);
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	rig_clear_errors(t->rig);
	f = rig_fault(t->rig, QUEUE);
	d = rig_door_read(t->rig, QUEUE);
	assert_int_equal(f.code, code);
	assert_int_equal(f.address, slot);
	assert_int_equal(f.sequence, bad);
	assert_in_range(f.count, 1, beat);
	/* A record for every command that has issued, and that of the fault; bad ones count. */
	assert_int_equal(d.producer, d.head + 1);
	check_slots(t, d.producer, bad, bad + beat, code);
	assert_true(traffic_done(t, OTHER, TRAFFIC_COPIES, ~0u));
	assert_int_equal(rig_csr_write(t->rig, TMA_REG_DOOR_CONSUMER(QUEUE), d.producer), RIG_OKAY);
	assert_int_equal(rig_resume(t->rig, QUEUE, d.head), RIG_OKAY);
	assert_int_equal(rig_wait_idle(t->rig, LIMIT), 0);
	assert_int_equal(rig_door_read(t->rig, QUEUE).producer, SLOTS);
	assert_int_equal(rig_failed(t->rig), 0);
}

TRAFFIC_TEST(test_error_of_a_record)
{
	record_error(t, RIG_SLVERR, TMA_FAULT_COMPLETION_SLVERR);
	record_error(t, RIG_DECERR, TMA_FAULT_COMPLETION_DECERR);
}

int engine_errors(const char *name, const char *config, const struct rig_opts *opts)
{
	return traffic_run(name, config, opts, file_tests, num_file_tests);
}
