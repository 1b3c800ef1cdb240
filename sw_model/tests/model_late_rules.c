/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_late_rules - what holds of late copies at any time, whatever the seed.
 *
 * Spec: tma_model.h (seed); architecture, Queues, Completion, Faults; semantics 1.1 to 1.3, 4.2
 * Checks: a barrier hears of a copy behind its last byte and groups end in order; bytes come in pieces; all comes in the
 *         end, and a run says 0 only then; the same seed does the same; faults come late, with the code and address
 *         that they have without a seed, in the command's own footprint; a queue closes when nothing of it is in
 *         flight; resume waits for that; no bytes take no time; arrivals come behind their cp.async or not at all; sums are whole;
 *         memory that goes away, a port that dies and a lack of memory of the host's.
 */
#include "model_cases.h"
#include "model_tensor.h"
#include "tma_regs.h"

#define SEEDS 24u
#define SIZE  2048u
#define HERE  0x1000u

/* A test of each seed with a fixture `f`. */
#define SEEDS_TEST(name)                                     \
	static void name##_with(struct fixture *f);          \
	TEST(name)                                           \
	{                                                    \
		for (uint64_t s = 1; s <= SEEDS; s++) {      \
			struct fixture *f = fixture_late(s); \
                                                             \
			name##_with(f);                      \
			fixture_free(f);                     \
		}                                            \
	}                                                    \
	static void name##_with(struct fixture *f)

static int move(struct fixture *f)
{
	int moved = tma_model_run(f->m);

	assert_true(moved == 0 || moved == 1);
	return moved;
}

static uint32_t equal_bytes(const uint8_t *a, const uint8_t *b, uint32_t count)
{
	uint32_t equal = 0;

	for (uint32_t i = 0; i < count; i++)
		equal += a[i] == b[i];
	return equal;
}

/* The fixture's patterns share a byte by chance in 256. */
static bool partly(uint32_t equal, uint32_t count)
{
	return equal > count / 16 && equal < count;
}

static void restart(struct fixture *f, uint32_t q)
{
	struct tma_queue_config on = f->queues[q];

	on.enable = 0;
	assert_int_equal(tma_model_queue(f->m, q, &on), 0);
	on.enable = 1;
	assert_int_equal(tma_model_queue(f->m, q, &on), 0);
}

static uint32_t reg(struct fixture *f, uint32_t address)
{
	uint32_t value = 0;

	assert_int_equal(tma_model_reg_read(f->m, address, &value), 0);
	return value;
}

TEST(a_signal_is_behind_the_last_byte)
{
	uint32_t parts = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture *f = fixture_late(seed);
		const uint8_t *to = tma_model_smem(f->m, 1) + HERE;
		uint64_t full = barrier_word(1, 1, -(int32_t)SIZE, 0);

		submit(f, 0, load(AT(1, HERE), GLOBAL, SIZE, AT(1, BAR)));
		while (move(f)) {
			uint32_t arrived = equal_bytes(to, f->global, SIZE);

			parts += partly(arrived, SIZE);
			assert_true(status_of(f, 0).in_flight <= 1);
			if (get_barrier(f, 1, BAR) == full)
				assert_int_equal(arrived, SIZE);
		}
		assert_true(get_barrier(f, 1, BAR) == full);
		assert_int_equal(status_of(f, 0).in_flight, 0);
		expect_loaded(f, 1, HERE, GLOBAL, SIZE);
		expect_barrier(f, 1, BAR, full);
		expect_all_memory(f);
		fixture_free(f);
	}
	assert_true(parts > SEEDS);
}

/* Nothing is left when a run says so, and not before. */
SEEDS_TEST(a_run_goes_on_while_something_flies)
{
	submit(f, 0, load(AT(0, HERE), GLOBAL, SIZE, AT(0, BAR)));
	submit(f, 1, store(GLOBAL + PAGE, AT(1, HERE), SIZE));
	submit(f, 2, prefetch(GLOBAL, SIZE));
	for (;;) {
		uint32_t flying = 0;

		for (uint32_t q = 0; q < QUEUES; q++)
			flying += status_of(f, q).in_flight + status_of(f, q).queued;
		assert_int_equal(move(f), flying > 0);
		assert_int_equal(reg(f, TMA_REG_STATUS) & 1,
		                 0 == status_of(f, 0).in_flight + status_of(f, 1).in_flight +
		                                 status_of(f, 2).in_flight + status_of(f, 0).queued +
		                                 status_of(f, 1).queued + status_of(f, 2).queued);
		if (!flying)
			break;
	}
	assert_int_equal(status_of(f, 0).next_sequence, 1);
}

static uint32_t play(uint64_t seed, struct memory *after)
{
	struct fixture *f = fixture_late(seed);
	uint32_t calls;

	for (uint32_t i = 0; i < 8; i++) {
		submit(f, i % QUEUES, load(AT(0, HERE), GLOBAL + i * PAGE, SIZE, AT(0, BAR)));
		submit(f, i % QUEUES, store(GLOBAL + 8 * PAGE, AT(i % QUEUES == 1, HERE), SIZE));
	}
	for (calls = 0; calls < 40; calls++)
		move(f);
	remember(f);
	*after = f->expected;
	calls = run_all(f);
	fixture_free(f);
	return calls;
}

TEST(the_same_seed_does_the_same)
{
	struct memory *first = test_calloc(2, sizeof(*first)), *second = first + 1;
	uint32_t others = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		uint32_t calls = play(seed, first);

		assert_int_equal(play(seed, second), calls);
		assert_memory_equal(first, second, sizeof(*first));
		play(seed + 1000, second);
		others += memcmp(first, second, sizeof(*first)) != 0;
	}
	assert_int_equal(others, SEEDS);
	test_free(first);
}

/* Commands that fail late, each alone. */
static const struct tma_command *failing(uint32_t *count)
{
	static struct tma_command commands[10];
	struct tma_command cp = base_cp_async();

	cp.global_address = GLOBAL_END;
	commands[0] = load(AT(0, HERE), GLOBAL_END - 1024, SIZE, AT(0, BAR));
	commands[1] = load(AT(0, HERE), GLOBAL + 8 * PAGE - 512, SIZE, AT(0, BAR));
	commands[2] = store(GLOBAL_END - 1024, AT(0, HERE), SIZE);
	commands[3] = store(GLOBAL + 8 * PAGE - 512, AT(0, HERE), SIZE);
	commands[4] = store(GLOBAL + 8 * PAGE - 512, AT(0, HERE), SIZE);
	commands[4].opcode = TMA_BULK_REDUCE;
	commands[4].type = TMA_TYPE_U32;
	commands[5] = cp;
	commands[6] = tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 2, 0, 0, 0, 0, 0);
	commands[7] = load(AT(0, HERE), GLOBAL, 16, AT(0, BAR_LAST));
	commands[8] = multicast(AT(0, HERE), GLOBAL, 16, AT(0, BAR_LAST), 0xe);
	commands[9] = load(AT(0, BAR), GLOBAL, 64, AT(0, BAR));
	*count = ARRAY_SIZE(commands);
	return commands;
}

static void plant_errors(struct fixture *f)
{
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 8 * PAGE + 256, 1, 2, 3), 0);
	for (uint32_t rank = 0; rank < CTAS; rank++)
		put_barrier(f, rank, BAR_LAST, barrier_word(1, 1, -(int32_t)COUNT_MAX, 0));
	remember(f);
}

TEST(faults_are_those_of_no_seed)
{
	uint32_t count, late = 0;
	const struct tma_command *commands = failing(&count);

	for (uint32_t i = 0; i < count * SEEDS; i++) {
		struct fixture *a = fixture_late(0), *b = fixture_late(1 + i / count);
		struct tma_command c = tagged(with_flags(commands[i % count], TMA_FLAG_RECORD), i);

		plant_errors(a);
		plant_errors(b);
		issue(a, 0, c);
		submit(b, 0, c);
		while (move(b))
			late += status_of(b, 0).in_flight && status_of(b, 0).next_sequence == 1;
		assert_int_not_equal(status_of(a, 0).fault, 0);
		expect_record(b, (struct tma_record){ .kind = TMA_KIND_RETIRED, .tag = i });
		expect_fault(b, 0, status_of(a, 0).fault, status_of(a, 0).fault_address);
		expect_no_record(b);
		assert_int_equal(status_of(b, 0).in_flight, 0);
		/* A barrier is as it was, but where the copy lies over it. */
		if (i % count != 9)
			assert_true(get_barrier(b, 0, BAR) == barrier_word(1, 1, 0, 0));
		fixture_free(a);
		fixture_free(b);
	}
	assert_true(late > count * SEEDS);
}

/* Old or new in the footprint, old around it. */
SEEDS_TEST(a_fault_keeps_to_its_footprint)
{
	const uint64_t at = GLOBAL + 8 * PAGE - 512;

	plant_errors(f);
	issue(f, 0, store(at, AT(0, HERE), SIZE));
	for (uint32_t i = 0; i < SIZE; i++) {
		const uint8_t now = f->global[at - GLOBAL + i];

		assert_true(now == tma_model_smem(f->m, 0)[HERE + i] ||
		            now == f->expected.global[PAGE + at - GLOBAL + i]);
	}
	memcpy(f->expected.global + PAGE + (at - GLOBAL), f->global + (at - GLOBAL), SIZE);
	expect_all_memory(f);
}

SEEDS_TEST(resume_waits_for_what_flies)
{
	plant_errors(f);
	submit(f, 0, load(AT(0, HERE), GLOBAL, SIZE, AT(0, BAR)));
	submit(f, 0, store(GLOBAL + 8 * PAGE, AT(0, HERE), SIZE));
	submit(f, 0, load(AT(0, HERE + SIZE), GLOBAL + PAGE, SIZE, AT(0, BAR)));
	submit(f, 0, base_signal());
	while (!status_of(f, 0).faulted)
		assert_int_equal(move(f), 1);
	while (status_of(f, 0).in_flight) {
		assert_int_equal(tma_model_resume(f->m, 0, 4), TMA_MODEL_ESTATE);
		assert_int_equal(move(f), 1);
	}
	assert_int_equal(tma_model_resume(f->m, 0, status_of(f, 0).next_sequence), 0);
	run_all(f);
	assert_int_equal(status_of(f, 0).faulted, 0);
	assert_int_equal(status_of(f, 0).next_sequence, 4);
	expect_loaded(f, 0, HERE, GLOBAL, SIZE);
	assert_memory_equal(tma_model_smem(f->m, 0) + HERE, f->expected.smem[0] + HERE, SIZE);
}

/* Set-up and windows are locked, nothing is taken, and the next life knows nothing of the last. */
SEEDS_TEST(a_queue_closes_when_nothing_flies)
{
	struct tma_queue_config on = f->queues[0], other = on;
	uint32_t closing = TMA_REG_QUEUE_STATUS_CLOSING_MASK | TMA_REG_QUEUE_STATUS_BUSY_MASK;
	struct tma_window w = { GLOBAL, GLOBAL_END - 1, TMA_WINDOW_READ };
	struct tma_model_counters counters;

	plant_errors(f);
	submit(f, 0, store(GLOBAL + 8 * PAGE, AT(0, HERE), SIZE));
	while (!status_of(f, 0).in_flight)
		assert_int_equal(move(f), 1);
	on.enable = 0;
	assert_int_equal(tma_model_queue(f->m, 0, &on), 0);
	assert_int_equal(reg(f, TMA_REG_QUEUE_STATUS(0)), closing);
	assert_int_equal(reg(f, TMA_REG_STATUS) & 1, 0);
	other.cta = 1;
	assert_int_equal(tma_model_queue(f->m, 0, &other), TMA_MODEL_EBUSY);
	assert_int_equal(tma_model_window(f->m, 0, 0, &w), TMA_MODEL_EBUSY);
	assert_int_equal(tma_model_reg_write(f->m, TMA_REG_QUEUE_CTA(0), 0xf0001), 2);
	on.enable = 1;
	assert_int_equal(tma_model_queue(f->m, 0, &on), 0);
	submit(f, 0, base_signal());
	while (status_of(f, 0).closing) {
		assert_int_equal(status_of(f, 0).next_sequence, 0);
		assert_int_equal(tma_model_reset(f->m, 0), 0);
		assert_int_equal(tma_model_consumer(f->m, 0, 0), TMA_MODEL_ESTATE);
		submit(f, 0, base_signal());
		assert_int_equal(move(f), 1);
	}
	run_all(f);
	expect_record(f, (struct tma_record){ .kind = TMA_KIND_SIGNAL });
	expect_no_record(f);
	assert_int_equal(status_of(f, 0).faulted, 0);
	tma_model_counters(f->m, &counters);
	assert_int_equal(counters.faults, 1);
}

SEEDS_TEST(a_life_may_end_at_any_time)
{
	for (uint32_t i = 0; i < 60; i++) {
		submit(f, i % QUEUES, load(AT(0, HERE), GLOBAL + i % 8 * PAGE, SIZE, AT(0, BAR)));
		move(f);
		move(f);
		if (i % 7 == 6)
			restart(f, i % QUEUES);
	}
	run_all(f);
	for (uint32_t q = 0; q < QUEUES; q++)
		assert_int_equal(status_of(f, q).in_flight + status_of(f, q).closing, 0);
}

/* A wait lets through when all groups but so many are done, a 33rd unfinished group is not begun. */
TEST(groups)
{
	uint32_t commits_waited = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture *f = fixture_late(seed);
		struct tma_command wait = with_flags(base_wait_group(), TMA_FLAG_RECORD);
		struct tma_record r;

		wait.flags &= (uint16_t)~TMA_FLAG_READ;
		wait.count = 3;
		for (uint32_t i = 0; i < 40; i++) {
			submit(f, 0, store(GLOBAL + i * SIZE % (12 * PAGE), AT(0, HERE), SIZE));
			submit(f, 0, command(TMA_BULK_COMMIT_GROUP));
		}
		submit(f, 0, wait);
		while (!tma_model_next_record(f->m, &r)) {
			struct tma_queue_status s = status_of(f, 0);

			commits_waited += s.waiting && s.queued > 1;
			assert_int_equal(move(f), 1);
		}
		assert_true(status_of(f, 0).in_flight <= 3);
		run_all(f);
		fixture_free(f);
	}
	assert_true(commits_waited > 0);
}

SEEDS_TEST(arrivals_come_behind_their_copies)
{
	uint64_t turned = barrier_word(1, 1, 0, 1);

	for (uint32_t i = 0; i < 8; i++) {
		struct tma_command c = base_cp_async();

		c.size = 16;
		c.global_address = GLOBAL + 16 * i;
		c.shared_dst = AT(0, HERE + 16 * i);
		submit(f, 0, c);
	}
	submit(f, 0, with_flags(base_cp_arrive(), TMA_FLAG_NOINC));
	while (get_barrier(f, 0, BAR) != turned)
		assert_int_equal(move(f), 1);
	expect_loaded(f, 0, HERE, GLOBAL, 128);
	expect_barrier(f, 0, BAR, turned);
	run_all(f);
	expect_all_memory(f);
}

/* The one that was announced stays owed. */
SEEDS_TEST(a_failed_cp_async_drops_arrivals)
{
	struct tma_command bad = base_cp_async();
	struct tma_queue_status s;

	bad.global_address = GLOBAL_END;
	submit(f, 0, bad);
	submit(f, 0, base_cp_arrive());
	run_all(f);
	s = status_of(f, 0);
	expect_fault(f, 0, TMA_FAULT_WINDOW_READ, GLOBAL_END);
	assert_int_equal(s.in_flight, 0);
	assert_true(get_barrier(f, 0, BAR) == barrier_word(1, s.next_sequence == 2 ? 2 : 1, 0, 0));
	assert_int_equal(tma_model_resume(f->m, 0, s.next_sequence), 0);
	submit(f, 0, with_flags(base_cp_arrive(), TMA_FLAG_NOINC));
	run_all(f);
	assert_int_equal(status_of(f, 0).faulted, 0);
}

/* A limit of moves may be over before the load, no limit never is. */
TEST(limits_of_waits)
{
	uint32_t gave_up = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		for (uint32_t forever = 0; forever < 2; forever++) {
			struct fixture *f = fixture_late(seed);
			struct tma_command wait = wait_parity(TMA_MBARRIER_TRY_WAIT, AT(0, BAR), 0);
			struct tma_record r;

			wait.tx = forever ? UINT32_MAX : 4;
			submit(f, 0, arrive_expect_tx(AT(0, BAR), SIZE, 0));
			submit(f, 0, load(AT(0, HERE), GLOBAL, SIZE, AT(0, BAR)));
			submit(f, 0, wait);
			run_all(f);
			assert_int_equal(tma_model_next_record(f->m, &r), 1);
			assert_true(r.value == 1 || !forever);
			gave_up += r.value == 0;
			fixture_free(f);
		}
	}
	assert_true(gave_up > 0 && gave_up < SEEDS);
}

/* Two queues add into the same words at once. */
SEEDS_TEST(sums_are_whole)
{
	struct tma_command c = store(GLOBAL, AT(0, HERE), 256);

	c.opcode = TMA_BULK_REDUCE;
	c.type = TMA_TYPE_U32;
	memset(f->global, 0, 256);
	for (uint32_t i = 0; i < 64; i++)
		memcpy(tma_model_smem(f->m, 0) + HERE + 4 * i, &i, 4);
	for (uint32_t i = 0; i < 10; i++) {
		submit(f, 0, c);
		submit(f, 2, c);
	}
	run_all(f);
	for (uint32_t i = 0; i < 64; i++) {
		uint32_t sum;

		memcpy(&sum, f->global + 4 * i, 4);
		assert_int_equal(sum, 20 * i);
	}
}

/* Of a copy of no bytes nothing is left when it has issued: its barriers may go. */
SEEDS_TEST(no_bytes_are_never_late)
{
	struct tma_command both = load(AT(0, HERE), GLOBAL, 0, AT(0, BAR));

	both.flags = TMA_FLAG_MULTICAST;
	both.cta_mask = 3;
	submit(f, 0, both);
	submit(f, 0, load(AT(0, HERE), GLOBAL, 0, AT(0, BAR)));
	submit(f, 0, store(GLOBAL, AT(0, HERE), 0));
	submit(f, 0, prefetch(GLOBAL, 0));
	while (status_of(f, 0).queued) {
		assert_int_equal(move(f), 1);
		assert_int_equal(status_of(f, 0).in_flight, 0);
	}
	put_barrier(f, 0, BAR, 0);
	put_barrier(f, 1, BAR, 0);
	run_all(f);
	expect_barrier(f, 0, BAR, 0);
	expect_barrier(f, 1, BAR, 0);
	expect_all_memory(f);
}

/* Programs that give memory back too early meet a fault, and so do those whose port dies. */
SEEDS_TEST(memory_goes_away)
{
	static const uint16_t codes[] = { TMA_FAULT_READ_DECERR, TMA_FAULT_PORT_DEAD };
	uint32_t way = (uint32_t)(status_of(f, 0).queued + (tma_model_config(f->m)->seed & 1));

	submit(f, 0, load(AT(0, HERE), GLOBAL, SIZE, AT(0, BAR)));
	while (!status_of(f, 0).in_flight)
		assert_int_equal(move(f), 1);
	if (way)
		assert_int_equal(tma_model_kill_port(f->m, 0), 0);
	else
		assert_int_equal(tma_model_unmap_all(f->m, 0), 0);
	run_all(f);
	assert_int_equal(status_of(f, 0).fault, codes[way]);
}

TEST(a_model_may_end_at_any_time)
{
	struct fixture *f = fixture_late(5);

	for (uint32_t i = 0; i < 8; i++) {
		submit(f, 0, load(AT(0, HERE), GLOBAL, SIZE, AT(0, BAR)));
		move(f);
	}
	fixture_free(f);
}

LIST_SUITE(test_model_late_rules)
