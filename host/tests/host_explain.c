/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_explain - what a queue's head waits for, word by word, on every back end.
 *
 * Spec: tma_print.h, docs/programmers-guide.md (Waits that explain themselves)
 * Checks: tma_queue_text() of every kind of wait, of full rings, faults and queues with nothing to do; the command
 *         as PTX as long as it is known, by tma_dump() and tma_fault_text() too; that it
 *         changes nothing; that a submit which cannot succeed is not waited for.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "host_test.h"
#include "tma_print.h"

#define MBAR   0x40u
#define BUFFER 1024u

static void expect_text(const struct tma_queue *queue, const char *expected)
{
	char text[1000];
	int length = tma_queue_text(queue, text, sizeof(text));

	assert_true(length > 0);
	assert_string_equal(text, expected);
	assert_int_equal(length, strlen(expected));
}

/* Until nothing more comes: the head waits, or there is none. */
static void settle(struct tma_queue *queue)
{
	struct tma_record record;

	assert_int_equal(tma_wait(queue, &record, 500), TMA_ETIMEDOUT);
}

/* Arrivals and bytes go down one after the other, too many bytes come; then the wait is over. */
static void test_barrier(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 1, 0), *other = open_queue(device, 0, 0);

	init_barrier(queue, MBAR, 2);
	SUBMIT(queue, tma_mbarrier_expect_tx(&c, MBAR, 256));
	SUBMIT(queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, TMA_NO_LIMIT); tma_set_tag(&c, 5));
	settle(queue);
	expect_text(
		queue,
		"queue 1: command 2 (MBARRIER_TRY_WAIT, tag 0x5) waits: try_wait on barrier CTA 0 "
		"offset 0x40: phase 0, 2 arrivals missing, 256 bytes missing"
		"; PTX: mbarrier.try_wait.parity.shared::cta.b64 _, [0x40], 0, 0xffffffff; // tma: tag=0x5");
	ASK(other, tma_mbarrier_arrive(&c, MBAR, 1); tma_set_record(&c, 0));
	expect_text(
		queue,
		"queue 1: command 2 (MBARRIER_TRY_WAIT, tag 0x5) waits: try_wait on barrier CTA 0 "
		"offset 0x40: phase 0, 1 arrival missing, 256 bytes missing"
		"; PTX: mbarrier.try_wait.parity.shared::cta.b64 _, [0x40], 0, 0xffffffff; // tma: tag=0x5");
	SUBMIT(other, tma_mbarrier_complete_tx(&c, MBAR, 257); tma_set_record(&c, 0));
	wait_kind(other, TMA_KIND_RETIRED);
	expect_text(
		queue,
		"queue 1: command 2 (MBARRIER_TRY_WAIT, tag 0x5) waits: try_wait on barrier CTA 0 "
		"offset 0x40: phase 0, 1 arrival missing, 1 byte more than expected"
		"; PTX: mbarrier.try_wait.parity.shared::cta.b64 _, [0x40], 0, 0xffffffff; // tma: tag=0x5");
	expect_text(
		queue,
		"queue 1: command 2 (MBARRIER_TRY_WAIT, tag 0x5) waits: try_wait on barrier CTA 0 "
		"offset 0x40: phase 0, 1 arrival missing, 1 byte more than expected"
		"; PTX: mbarrier.try_wait.parity.shared::cta.b64 _, [0x40], 0, 0xffffffff; // tma: tag=0x5");
	SUBMIT(other, tma_mbarrier_expect_tx(&c, MBAR, 1));
	SUBMIT(other, tma_mbarrier_arrive(&c, MBAR, 1));
	assert_int_equal(wait_kind(queue, TMA_KIND_ANSWER).value, 1);
	settle(queue);
	expect_text(queue, "queue 1: 3 commands so far, idle");
}

/* By a state token; by that of the last arrive, which only the engine knows. In phase 1. */
static void test_states(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 1);
	uint32_t barrier = tma_shared(1, MBAR);
	uint64_t state;

	init_barrier(queue, barrier, 1);
	SUBMIT(queue, tma_mbarrier_arrive(&c, barrier, 1));
	state = UINT64_C(1) << TMA_STATE_PHASE_LSB | 2;
	SUBMIT(queue, tma_mbarrier_try_wait(&c, barrier, state, TMA_NO_LIMIT));
	settle(queue);
	expect_text(queue, "queue 0: command 2 (MBARRIER_TRY_WAIT, tag 0x0) waits: try_wait on barrier CTA 1 "
	                   "offset 0x40: phase 1, 1 arrival missing, 0 bytes missing"
	                   "; PTX: mbarrier.try_wait.shared::cta.b64 _, [0x1000040], 0x100002, 0xffffffff;");
	assert_int_equal(tma_queue_reset(queue), 0);

	init_barrier(queue, barrier, 2);
	SUBMIT(queue, tma_mbarrier_arrive(&c, barrier, 1));
	SUBMIT(queue, tma_mbarrier_try_wait_last(&c, barrier, TMA_NO_LIMIT));
	settle(queue);
	expect_text(
		queue,
		"queue 0: command 2 (MBARRIER_TRY_WAIT, tag 0x0) waits: try_wait for the state of the "
		"queue's last arrive, which the host does not know, on barrier CTA 1 offset 0x40: "
		"phase 0, 1 arrival missing, 0 bytes missing"
		"; PTX: mbarrier.try_wait.shared::cta.b64 _, [0x1000040], 0, 0xffffffff; // tma: last_state");
	/* An engine that goes on by itself looks again, and faults. */
	if (goes_on(device))
		return;
	assert_int_equal(tma_smem_write(device, barrier, "\0\0\0\0\0\0\0", 8), 0);
	expect_text(
		queue,
		"queue 0: command 2 (MBARRIER_TRY_WAIT, tag 0x0) waits: try_wait for the state of the "
		"queue's last arrive, which the host does not know, on barrier CTA 1 offset 0x40, "
		"which is not initialised any more"
		"; PTX: mbarrier.try_wait.shared::cta.b64 _, [0x1000040], 0, 0xffffffff; // tma: last_state");
}

/* Nobody takes records: the text says what to do, and doing it helps. */
static void test_full_ring(struct tma_device *device)
{
	struct tma_queue *queue = open_ring(device, 0, 16);
	struct tma_command command;
	uint32_t taken = 0;

	for (;; taken++) {
		int64_t result;

		tma_signal(&command, taken);
		result = tma_submit(queue, &command);
		if (result == TMA_EFULL)
			break;
		assert_int_equal(result, taken);
	}
	assert_string_equal(tma_last_error(), "tma_submit: queue 0: command 15 (SIGNAL, tag 0xf) waits: its "
	                                      "completion ring is full: take records; no room");
	expect_text(queue, "queue 0: command 15 (SIGNAL, tag 0xf) waits: its completion ring is full: take "
	                   "records"
	                   "; PTX: tma.signal; // tma: tag=0xf");
	for (uint32_t i = 0; i < taken; i++)
		assert_int_equal(wait_kind(queue, TMA_KIND_SIGNAL).tag, i);
	settle(queue);
	expect_text(queue, "queue 0: 31 commands so far, idle");
}

/* A line of tma_dump() says it. */
static void expect_dump(struct tma_device *device, const char *expected)
{
	char text[8000];
	FILE *file = tmpfile();
	size_t length;

	assert_non_null(file);
	assert_int_equal(tma_dump(device, file), 0);
	rewind(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	if (!strstr(text, expected))
		fail_msg("%s: no %s", text, expected);
}

/* A fault stops the queue; a copy that fails later is counted. */
static void test_fault(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	uint64_t memory = tma_memory_address(alloc_memory(device, 4096));
	struct tma_command command;
	struct tma_record record;
	char text[400], whole[500], is[500];

	SUBMIT(queue, tma_signal(&c, 1));
	tma_cp_async_bulk_load(&command, BUFFER, memory, 0x31, MBAR);
	tma_set_tag(&command, 5);
	submit(queue, &command);
	submit(queue, &command);
	wait_kind(queue, TMA_KIND_SIGNAL);
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	snprintf(
		text, sizeof(text),
		"command 1 (BULK_LOAD, tag 0x5): SIZE_GRANULE: the size must be a multiple of 16 bytes; size = 49 (F04); "
		"PTX: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [0x400], [0x%" PRIx64
		"], 49, [0x40]; "
		"// tma: tag=0x5",
		memory);
	snprintf(whole, sizeof(whole), "queue 0: stopped by a fault: %s", text);
	expect_text(queue, whole);
	expect_dump(device, whole);
	snprintf(whole, sizeof(whole), "queue 0, %s", text);
	assert_int_equal(tma_fault_text(queue, &record, is, sizeof(is)), strlen(whole));
	assert_string_equal(is, whole);
	/* Nobody but the queue knows its commands. */
	tma_fault_text(NULL, &record, is, sizeof(is));
	assert_null(strstr(is, "PTX"));
	assert_int_equal(tma_resume(queue, 3), 0);
	settle(queue);
	expect_text(queue, "queue 0: 3 commands so far, idle");
}

/* What the model hides: the commands are there, and nobody has let it go on. */
static void test_next(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);

	expect_text(queue, "queue 0: 0 commands so far, idle");
	if (goes_on(device))
		return;
	SUBMIT(queue, tma_signal(&c, 0xab));
	expect_text(queue, "queue 0: command 0 (SIGNAL, tag 0xab) is next, 0 commands behind it"
	                   "; PTX: tma.signal; // tma: tag=0xab");
	SUBMIT(queue, tma_cp_async_bulk_commit_group(&c));
	expect_text(queue, "queue 0: command 0 (SIGNAL, tag 0xab) is next, 1 command behind it"
	                   "; PTX: tma.signal; // tma: tag=0xab");
}

/* Cut where the room ends, nothing without room, nothing for nobody. */
static void test_room(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	char text[8] = "xxxxxxx";

	assert_int_equal(tma_queue_text(NULL, text, sizeof(text)), TMA_EINVAL);
	assert_int_equal(tma_queue_text(queue, NULL, 1), TMA_EINVAL);
	assert_int_equal(tma_queue_text(queue, NULL, 0), strlen("queue 0: 0 commands so far, idle"));
	assert_int_equal(tma_queue_text(queue, text, 6), strlen("queue 0: 0 commands so far, idle"));
	assert_memory_equal(text, "queue\0x", 8);
}

const struct host_test explain_tests[] = {
	{ "barrier", test_barrier },
	{ "states", test_states },
	{ "full_ring", test_full_ring },
	{ "fault", test_fault },
	{ "next", test_next },
	{ "room", test_room },
	{ 0 },
};

/*
 * The model does not wait for groups, and not for time: a back end whose queues wait for whatever is at their
 * head, as nobody lets it go on. One device at a time.
 */
static uint32_t advances;
static bool closing, in_flight, hidden;

static int sleepy_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	int error = tma_backend_model.reg_read(engine, address, value);

	if (address == TMA_REG_QUEUE_STATUS(0))
		*value |= TMA_REG_QUEUE_STATUS_WAITING_MASK |
		          (closing ? TMA_REG_QUEUE_STATUS_CLOSING_MASK : 0) |
		          (in_flight ? TMA_REG_QUEUE_STATUS_BUSY_MASK : 0);
	if (hidden && address == TMA_REG_QUEUE_STATUS(0))
		*value &= ~TMA_REG_QUEUE_STATUS_BUSY_MASK;
	return error;
}

/* And one with a clock, that never says that nothing is left to happen. */
static int ticking_advance(void *engine)
{
	advances++;
	return tma_backend_model.advance(engine) < 0 ? TMA_EDEVICE : 1;
}

static struct tma_device *open_own(bool sleepy)
{
	static struct tma_backend own;
	static const struct tma_backend *const backends[] = { &own, NULL };
	const struct tma_options options = {
		.size = sizeof(options), .backend = "own", .backends = backends, .submit_limit = 1000000
	};
	struct tma_device *device = NULL;

	own = tma_backend_model;
	own.name = "own";
	if (sleepy)
		own.reg_read = sleepy_reg_read;
	else
		own.advance = ticking_advance;
	closing = in_flight = hidden = false;
	advances = 0;
	assert_int_equal(tma_open(&options, &device), 0);
	return device;
}

/* The last of these commands is at the head; those before it have issued. */
static void expect_wait(enum tma_front front, const struct tma_command *commands, uint32_t count,
                        const char *expected)
{
	const struct tma_queue_options options = { .size = sizeof(options), .front = front };
	struct tma_device *device = open_own(true);
	struct tma_queue *queue = NULL;
	struct tma_record record;

	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	assert_int_equal(tma_submit_all(queue, commands, count - 1), 0);
	assert_int_equal(tma_wait(queue, &record, 10), TMA_ETIMEDOUT);
	assert_int_equal(tma_submit(queue, &commands[count - 1]), count - 1);
	expect_text(queue, expected);
	tma_close(device);
}

#define ON_BOTH_FRONTS(commands, count, expected)                         \
	do {                                                              \
		expect_wait(TMA_FRONT_DIRECT, commands, count, expected); \
		expect_wait(TMA_FRONT_RING, commands, count, expected);   \
	} while (0)

TEST(test_group_waits)
{
	struct tma_command c[4];

	tma_cp_async_bulk_commit_group(&c[0]);
	tma_cp_async_bulk_commit_group(&c[1]);
	tma_cp_async_commit_group(&c[2]);
	tma_cp_async_bulk_wait_group(&c[3], 1);
	ON_BOTH_FRONTS(
		c, 4,
		"queue 0: command 3 (BULK_WAIT_GROUP, tag 0x0) waits: wait_group 1: more than 1 of its bulk "
		"groups are not complete; of the 3 commands before it 2 committed a group"
		"; PTX: cp.async.bulk.wait_group 1;");
	tma_cp_async_bulk_wait_group_read(&c[1], 0);
	ON_BOTH_FRONTS(
		c, 2,
		"queue 0: command 1 (BULK_WAIT_GROUP, tag 0x0) waits: wait_group.read 0: more than 0 of its "
		"bulk groups have not read all their sources; of the 1 command before it 1 committed a group"
		"; PTX: cp.async.bulk.wait_group.read 0;");
	tma_cp_async_wait_group(&c[1], 2);
	ON_BOTH_FRONTS(
		c, 2,
		"queue 0: command 1 (CP_ASYNC_WAIT_GROUP, tag 0x0) waits: wait_group 2: more than 2 of its "
		"cp.async groups are not complete; of the 1 command before it 0 committed a group"
		"; PTX: cp.async.wait_group 2;");
	tma_cp_async_wait_all(&c[0]);
	ON_BOTH_FRONTS(
		c, 1,
		"queue 0: command 0 (CP_ASYNC_WAIT_ALL, tag 0x0) waits: wait_all: some of its cp.async are not "
		"done"
		"; PTX: cp.async.wait_all;");
	tma_cp_async_commit_group(&c[0]);
	ON_BOTH_FRONTS(
		c, 1,
		"queue 0: command 0 (CP_ASYNC_COMMIT_GROUP, tag 0x0) waits: commit_group: as many groups as a "
		"queue holds are not complete"
		"; PTX: cp.async.commit_group;");
	tma_signal(&c[0], 0);
	ON_BOTH_FRONTS(c, 1,
	               "queue 0: command 0 (SIGNAL, tag 0x0) waits: for a reason that the host does not know"
	               "; PTX: tma.signal;");
}

TEST(test_barrier_waits)
{
	struct tma_command c[2];

	tma_mbarrier_init(&c[0], MBAR, 1);
	tma_mbarrier_try_wait_parity(&c[1], MBAR, 0, 1000);
	ON_BOTH_FRONTS(
		c, 2,
		"queue 0: command 1 (MBARRIER_TRY_WAIT, tag 0x0) waits: try_wait on barrier CTA 0 offset 0x40: "
		"phase 0, 1 arrival missing, 0 bytes missing; gives up after 1000 cycles"
		"; PTX: mbarrier.try_wait.parity.shared::cta.b64 _, [0x40], 0, 1000;");
	tma_mbarrier_try_wait_parity(&c[1], MBAR, 1, TMA_NO_LIMIT);
	ON_BOTH_FRONTS(
		c, 2,
		"queue 0: command 1 (MBARRIER_TRY_WAIT, tag 0x0) waits: try_wait on barrier CTA 0 offset 0x40: "
		"phase 0, so the wait is over when the engine looks again"
		"; PTX: mbarrier.try_wait.parity.shared::cta.b64 _, [0x40], 1, 0xffffffff;");
	tma_mbarrier_try_wait_parity(&c[1], tma_shared(9, MBAR), 1, TMA_NO_LIMIT);
	ON_BOTH_FRONTS(
		c, 2,
		"queue 0: command 1 (MBARRIER_TRY_WAIT, tag 0x0) waits: try_wait on barrier CTA 9 offset 0x40, "
		"which cannot be read"
		"; PTX: mbarrier.try_wait.parity.shared::cta.b64 _, [0x9000040], 1, 0xffffffff;");
}

TEST(test_in_flight_and_closing)
{
	struct tma_device *device = open_own(true);
	struct tma_queue *queue = NULL;

	assert_int_equal(tma_queue_open(device, 0, NULL, &queue), 0);
	in_flight = true;
	expect_text(queue, "queue 0: 0 commands so far, copies or records are in flight");
	closing = true;
	expect_text(queue, "queue 0: closing: not all that was in flight is done");
	closing = in_flight = false;
	tma_close(device);
}

/* Nothing is left to issue, but not all is done; and commands that the engine has not seen are not done. */
TEST(test_sync_is_idle)
{
	struct tma_device *device = open_own(true);
	struct tma_queue *queue = NULL;

	assert_int_equal(tma_queue_open(device, 0, NULL, &queue), 0);
	in_flight = true;
	assert_int_equal(tma_sync(queue), TMA_ETIMEDOUT);
	in_flight = false;
	assert_int_equal(tma_sync(queue), 0);
	hidden = true;
	SUBMIT(queue, tma_mbarrier_init(&c, MBAR, 1));
	SUBMIT(queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, TMA_NO_LIMIT));
	assert_int_equal(tma_sync(queue), TMA_ETIMEDOUT);
	tma_close(device);
}

/* Of a deep queue more commands wait than are known. */
TEST(test_forgotten_head)
{
	const struct tma_queue_options options = { .size = sizeof(options), .depth = 5000 };
	struct tma_device *device = open_own(true);
	struct tma_queue *queue = NULL;

	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	for (uint32_t i = 0; i < 4096; i++)
		SUBMIT(queue, tma_signal(&c, 1));
	expect_text(queue,
	            "queue 0: command 0 (SIGNAL, tag 0x1) waits: for a reason that the host does not know"
	            "; PTX: tma.signal; // tma: tag=0x1");
	SUBMIT(queue, tma_signal(&c, 1));
	expect_text(queue, "queue 0: command 0 waits: for what, the host does not know any more");
	tma_close(device);
}

/* A million cycles would not help: nobody but the caller can give the queue room. */
TEST(test_no_useless_wait)
{
	struct tma_device *device = open_own(false);
	struct tma_queue *full = open_ring(device, 0, 16), *stopped = open_ring(device, 1, 16);
	struct tma_command command, wrong;
	struct tma_record record;

	tma_signal(&command, 0);
	for (uint32_t i = 0; i < 31; i++)
		submit(full, &command);
	advances = 0;
	assert_int_equal(tma_submit(full, &command), TMA_EFULL);
	assert_in_range(advances, 1, 1000);

	tma_cp_async(&wrong, 0, 0, 3);
	submit(stopped, &wrong);
	for (uint32_t i = 0; i < 15; i++)
		submit(stopped, &command);
	advances = 0;
	assert_int_equal(tma_submit(stopped, &command), TMA_EFULL);
	assert_in_range(advances, 1, 1000);
	expect_text(stopped,
	            "queue 1: stopped by a fault: command 0 (CP_ASYNC, tag 0x0): CP_SIZE: a cp-size must "
	            "be 4, 8 or 16, and 16 with CG; size = 3 (semantics 1.1)"
	            "; PTX: cp.async.ca.shared::cta.global [0x0], [0x0], 3;");
	assert_int_equal(tma_wait(stopped, &record, 10), TMA_EFAULT);
	assert_int_equal(tma_submit(stopped, &command), TMA_EFAULT);
	tma_close(device);
}

int run_explain_tests(void)
{
	return run_file_tests("waits that explain themselves");
}
