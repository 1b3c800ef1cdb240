/* SPDX-License-Identifier: Apache-2.0 */
/*
 * board_smoke_test - the Verilated board over its line, by a client of its own.
 *
 * Requirement: docs/board.md, every operation and status that the line can show; and the engine works: a program in
 * memory, its commands in a ring, its interrupt.
 * Checks: answers byte by byte, memory against a copy, that what is refused changes nothing.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "board/board_process.h"
#include "board/client.h"
#include "lib/cmocka_all.h"
#include "lib/rng.h"
#include "tma_abi.h"
#include "tma_regs.h"

#define BASE       UINT64_C(0x80000000)
#define MEMORY     (1u << 18)
#define SMEM       16384u
#define CTA(rank)  ((uint32_t)(rank) << 24)
#define RING       (BASE + 0x1000)
#define COMPLETION (BASE + 0x2000)
#define LOG2       4u /* of the places of both rings */

struct smoke {
	struct board_process process;
	struct client client;
};

static int start(void **state)
{
	struct smoke *s = calloc(1, sizeof(*s));

	if (!s)
		return -1;
	*state = s;
	board_process_start(&s->process, NULL);
	return client_open(&s->client, s->process.name);
}

static int finish(void **state)
{
	struct smoke *s = *state;
	int status;

	client_close(&s->client);
	status = board_process_end(&s->process);
	free(s);
	return status;
}

static struct client *line(void **state)
{
	struct client *c = &((struct smoke *)*state)->client;
	struct line_answer hello;

	assert_int_equal(client_hello(c, 0, &hello), LINE_OKAY);
	return c;
}

static void fill(struct rng *rng, uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)rng_next(rng);
}

static void says_hello(void **state)
{
	struct client *c = line(state);
	struct line_answer a;

	assert_int_equal(client_hello(c, 0x7E7D7E7Du, &a), LINE_OKAY);
	assert_int_equal(a.size, 32);
	assert_int_equal(line_get(a.results, 4), 0x7E7D7E7Du);
	assert_memory_equal(a.results + 4, "TMAB", 4);
	assert_int_equal(line_get(a.results + 8, 2), 1);
	assert_int_equal(line_get(a.results + 10, 2), LINE_DATA);
	assert_int_equal(line_get(a.results + 12, 4), BOARD_CLOCK_HZ);
	assert_int_equal(line_get(a.results + 16, 8), BASE);
	assert_int_equal(line_get(a.results + 24, 8), MEMORY);
}

static void reads_and_writes_registers(void **state)
{
	struct client *c = line(state);
	uint32_t value;

	assert_int_equal(client_reg_read(c, TMA_REG_MAGIC, &value), LINE_OKAY);
	assert_int_equal(value, TMA_REG_MAGIC_RESET);
	assert_int_equal(client_reg_write(c, TMA_REG_WATCHDOG, 0x12345678), LINE_OKAY);
	assert_int_equal(client_reg_read(c, TMA_REG_WATCHDOG, &value), LINE_OKAY);
	assert_int_equal(value, 0x12345678);
	assert_int_equal(client_reg_write(c, TMA_REG_QUEUE_CTA(0), 9),
	                 LINE_REFUSED); /* there is no such CTA */
	assert_int_equal(client_reg_read(c, 0x20000, &value), LINE_ADDRESS);
	assert_int_equal(client_reg_write(c, TMA_REG_WATCHDOG + 1, 0), LINE_ADDRESS);
	assert_int_equal(client_reg_read(c, TMA_REG_WATCHDOG, &value), LINE_OKAY);
	assert_int_equal(value, 0x12345678);
}

/* Pieces of every length class at odd addresses, read back in others. */
static void keeps_memory(void **state)
{
	static const uint32_t sizes[] = { 1, 15, 16, 17, 333, LINE_DATA };
	static uint8_t copy[8192], read[LINE_DATA];
	struct client *c = line(state);
	struct rng rng = rng_make(1, 1);
	const uint64_t base = BASE + MEMORY - sizeof(copy);

	for (uint32_t at = 0; at < sizeof(copy); at += LINE_DATA) {
		fill(&rng, copy + at, LINE_DATA);
		assert_int_equal(client_mem_write(c, base + at, copy + at, LINE_DATA), LINE_OKAY);
	}
	for (uint32_t i = 0; i < 40; i++) {
		uint32_t size = sizes[rng_below(&rng, 6)], at = rng_below(&rng, sizeof(copy) - size + 1);

		if (i % 2) {
			fill(&rng, copy + at, size);
			assert_int_equal(client_mem_write(c, base + at, copy + at, size), LINE_OKAY);
		} else {
			assert_int_equal(client_mem_read(c, base + at, read, size), LINE_OKAY);
			assert_memory_equal(read, copy + at, size);
		}
	}
	for (uint32_t at = 0; at < sizeof(copy); at += LINE_DATA) {
		assert_int_equal(client_mem_read(c, base + at, read, LINE_DATA), LINE_OKAY);
		assert_memory_equal(read, copy + at, LINE_DATA);
	}
}

static void keeps_shared_memory(void **state)
{
	static uint8_t copy[2][300], read[300];
	struct client *c = line(state);
	struct rng rng = rng_make(2, 1);

	for (uint32_t cta = 0; cta < 2; cta++) {
		fill(&rng, copy[cta], sizeof(copy[cta]));
		assert_int_equal(client_smem_write(c, CTA(cta) + SMEM - 300, copy[cta], 300), LINE_OKAY);
	}
	for (uint32_t cta = 0; cta < 2; cta++) {
		assert_int_equal(client_smem_read(c, CTA(cta) + SMEM - 299, read, 299), LINE_OKAY);
		assert_memory_equal(read, copy[cta] + 1, 299);
	}
}

static void refuses_what_is_outside(void **state)
{
	struct client *c = line(state);
	uint8_t before[16], bytes[16];

	assert_int_equal(client_mem_read(c, BASE + MEMORY - 16, before, 16), LINE_OKAY);
	memset(bytes, 0xA5, sizeof(bytes));
	assert_int_equal(client_mem_write(c, BASE + MEMORY - 15, bytes, 16), LINE_ADDRESS);
	assert_int_equal(client_mem_read(c, BASE - 1, bytes, 2), LINE_ADDRESS);
	assert_int_equal(client_mem_read(c, 0, bytes, 1), LINE_ADDRESS);
	assert_int_equal(client_mem_read(c, UINT64_MAX, bytes, 1), LINE_ADDRESS);
	assert_int_equal(client_smem_read(c, CTA(2), bytes, 1), LINE_ADDRESS);
	assert_int_equal(client_smem_write(c, CTA(1) + SMEM - 1, bytes, 2), LINE_ADDRESS);
	assert_int_equal(client_mem_read(c, BASE + MEMORY - 16, bytes, 16), LINE_OKAY);
	assert_memory_equal(bytes, before, 16);
}

static void refuses_wrong_lengths(void **state)
{
	struct client *c = line(state);
	struct line_answer a;
	uint8_t bytes[16] = { 0 };
	bool irq;

	assert_int_equal(client_mem_read(c, BASE, bytes, 0), LINE_LENGTH);
	assert_int_equal(client_request(c, LINE_MEM_READ, "\0\0\0\x80\0\0\0\0\x01\x04", 10, &a), LINE_LENGTH);
	assert_int_equal(client_request(c, LINE_MEM_WRITE, "\0\0\0\x80\0\0\0\0", 8, &a), LINE_LENGTH);
	assert_int_equal(client_request(c, LINE_REG_READ, bytes, 5, &a), LINE_LENGTH);
	assert_int_equal(client_request(c, LINE_REG_WRITE, bytes, 4, &a), LINE_LENGTH);
	assert_int_equal(client_request(c, LINE_RESET, bytes, 1, &a), LINE_LENGTH);
	assert_int_equal(client_wait(c, (1u << 20) + 1, &irq), LINE_LENGTH);
	assert_int_equal(client_request(c, 9, NULL, 0, &a), LINE_OPERATION);
	assert_int_equal(client_request(c, 0x7F, bytes, 16, &a), LINE_OPERATION);
	assert_int_equal(a.size, 0);
}

/* A bad frame is answered as one, and the next good one as if nothing had been. */
static void answers_bad_frames(void **state)
{
	static const uint8_t frame[] = { 0x7E, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x7E };
	struct client *c = line(state);
	struct line_answer a;
	uint32_t value;

	client_send_raw(c, frame, sizeof(frame));
	assert_int_equal(client_receive(c, &a, 2000), LINE_BAD_FRAME);
	assert_int_equal(a.sequence, 0);
	assert_int_equal(a.op, 0xFF);
	assert_int_equal(a.size, 0);
	assert_int_equal(client_reg_read(c, TMA_REG_MAGIC, &value), LINE_OKAY);
	assert_int_equal(value, TMA_REG_MAGIC_RESET);
}

/* The same number: the answer of before, and nothing happens. Another one, and after HELLO, it does. */
static void does_nothing_twice(void **state)
{
	struct client *c = line(state);
	struct line_answer a;
	uint8_t write[] = { 0, LINE_MEM_WRITE, 0, 0, 0, 0x80, 0, 0, 0, 0, 0x11 }, byte;

	write[0] = ++c->sequence;
	client_send(c, write, sizeof(write));
	assert_int_equal(client_receive(c, &a, 2000), LINE_OKAY);
	write[10] = 0x22;
	client_send(c, write, sizeof(write));
	assert_int_equal(client_receive(c, &a, 2000), LINE_OKAY);
	assert_int_equal(a.sequence, write[0]);
	assert_int_equal(a.op, LINE_MEM_WRITE | 0x80);
	assert_int_equal(client_mem_read(c, BASE, &byte, 1), LINE_OKAY);
	assert_int_equal(byte, 0x11);
	client_send(c, write, sizeof(write));
	assert_int_equal(client_receive(c, &a, 2000), LINE_OKAY);
	assert_int_equal(client_mem_read(c, BASE, &byte, 1), LINE_OKAY);
	assert_int_equal(byte, 0x22);
}

static void set(struct client *c, uint32_t address, uint32_t value)
{
	assert_int_equal(client_reg_write(c, address, value), LINE_OKAY);
}

/* Queue 0 of CTA 0 with both rings and all of memory as its window. */
static void open_queue(struct client *c)
{
	set(c, TMA_REG_WINDOW_INDEX, 0);
	set(c, TMA_REG_WINDOW_BASE_LO, (uint32_t)BASE);
	set(c, TMA_REG_WINDOW_BASE_HI, 0);
	set(c, TMA_REG_WINDOW_LIMIT_LO, (uint32_t)BASE + MEMORY - 1);
	set(c, TMA_REG_WINDOW_LIMIT_HI, 0);
	set(c, TMA_REG_WINDOW_ATTR, TMA_REG_WINDOW_ATTR_READ_MASK | TMA_REG_WINDOW_ATTR_WRITE_MASK);
	set(c, TMA_REG_QUEUE_CTA(0), 3u << TMA_REG_QUEUE_CTA_CTA_MASK_SHIFT);
	set(c, TMA_REG_QUEUE_RING_BASE_LO(0), (uint32_t)RING);
	set(c, TMA_REG_QUEUE_RING_BASE_HI(0), 0);
	set(c, TMA_REG_QUEUE_COMPLETION_BASE_LO(0), (uint32_t)COMPLETION);
	set(c, TMA_REG_QUEUE_COMPLETION_BASE_HI(0), 0);
	set(c, TMA_REG_QUEUE_RING_SIZE(0), LOG2 | LOG2 << TMA_REG_QUEUE_RING_SIZE_COMPLETION_SHIFT);
	set(c, TMA_REG_QUEUE_CONTROL(0), TMA_REG_QUEUE_CONTROL_ENABLE_MASK | TMA_REG_QUEUE_CONTROL_RING_MASK);
	set(c, TMA_REG_DOOR_INTERRUPT_ENABLE(0), 1);
}

/* A store of shared memory, and a record when it is visible. */
static void runs_commands(void **state)
{
	static uint8_t data[1000], read[1000];
	const struct tma_command commands[] = {
		{ .opcode = TMA_BULK_STORE,
		  .version = TMA_COMMAND_VERSION,
		  .global_address = BASE + 0x8010,
		  .shared_src = 0x100,
		  .size = 992 },
		{ .opcode = TMA_BULK_COMMIT_GROUP, .version = TMA_COMMAND_VERSION },
		{ .opcode = TMA_BULK_WAIT_GROUP,
		  .version = TMA_COMMAND_VERSION,
		  .flags = TMA_FLAG_RECORD,
		  .tag = 0xC0FFEE },
	};
	struct client *c = line(state);
	struct rng rng = rng_make(3, 1);
	struct tma_record record = { 0 };
	uint32_t value;
	bool irq;

	assert_int_equal(client_reset(c), LINE_OKAY);
	fill(&rng, data, sizeof(data));
	assert_int_equal(client_smem_write(c, 0x100, data, 992), LINE_OKAY);
	assert_int_equal(client_mem_write(c, COMPLETION, &record, sizeof(record)), LINE_OKAY);
	assert_int_equal(client_mem_write(c, RING, commands, sizeof(commands)), LINE_OKAY);
	open_queue(c);
	assert_int_equal(client_wait(c, 100, &irq), LINE_OKAY);
	assert_false(irq);
	set(c, TMA_REG_DOOR_TAIL(0), 3);
	assert_int_equal(client_wait(c, 100000, &irq), LINE_OKAY);
	assert_true(irq);
	assert_int_equal(client_mem_read(c, COMPLETION, &record, sizeof(record)), LINE_OKAY);
	assert_int_equal(record.kind, TMA_KIND_RETIRED);
	assert_int_equal(record.sequence, 2);
	assert_int_equal(record.tag, 0xC0FFEE);
	assert_int_equal(client_mem_read(c, BASE + 0x8010, read, 992), LINE_OKAY);
	assert_memory_equal(read, data, 992);

	/* RESET forgets the queue and its interrupt, and keeps memory. */
	assert_int_equal(client_reset(c), LINE_OKAY);
	assert_int_equal(client_reg_read(c, TMA_REG_QUEUE_CONTROL(0), &value), LINE_OKAY);
	assert_int_equal(value, 0);
	assert_int_equal(client_wait(c, 0, &irq), LINE_OKAY);
	assert_false(irq);
	assert_int_equal(client_mem_read(c, BASE + 0x8010, read, 992), LINE_OKAY);
	assert_memory_equal(read, data, 992);
}

/* One byte of 150 is damaged: everything happens all the same, once. */
static void survives_noise(void **state)
{
	static uint8_t data[200], read[200];
	char *arguments[] = { "--noise", "7,150", NULL };
	struct board_process process;
	struct client client, *c = &client;
	struct line_answer hello;
	struct rng rng = rng_make(4, 1);

	(void)state;
	board_process_start(&process, arguments);
	assert_int_equal(client_open(c, process.name), 0);
	c->patience = 30;
	c->tries = 100;
	assert_int_equal(client_hello(c, 1, &hello), LINE_OKAY);
	for (uint32_t i = 0; i < 30; i++) {
		uint64_t at = BASE + rng_below(&rng, MEMORY - sizeof(data));

		fill(&rng, data, sizeof(data));
		assert_int_equal(client_mem_write(c, at, data, sizeof(data)), LINE_OKAY);
		assert_int_equal(client_mem_read(c, at, read, sizeof(read)), LINE_OKAY);
		assert_memory_equal(read, data, sizeof(data));
	}
	assert_true(c->again > 0);
	client_close(c);
	assert_int_equal(board_process_end(&process), 0);
}

static void ends_on_a_signal_and_removes_its_link(void **state)
{
	char path[] = "/tmp/tma_board_XXXXXX", link[64], *arguments[] = { "--link", link, NULL };
	struct board_process process;
	struct client c;
	int status;

	(void)state;
	assert_non_null(mkdtemp(path));
	snprintf(link, sizeof(link), "%s/line", path);
	board_process_start(&process, arguments);
	assert_int_equal(client_open(&c, link), 0);
	line((void *[]){ &(struct smoke){ .client = c } });
	client_close(&c);
	kill(process.pid, SIGTERM);
	assert_int_equal(waitpid(process.pid, &status, 0), process.pid);
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
	close(process.input);
	assert_int_equal(access(link, F_OK), -1);
	assert_int_equal(rmdir(path), 0);
}

static void refuses_wrong_arguments(void **state)
{
	static const char *const wrong[] = { "--nope",       "operand",     "--link",       "--noise",
		                             "--noise x",    "--noise 1,1", "--noise 1,x",  "--noise 1,,",
		                             "--noise -1,9", "--stats=1",   "--noise 1,2,3" };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(board_process_run(wrong[i]), 2);
	assert_int_equal(board_process_run("--help"), 0);
	assert_int_equal(board_process_run("--version"), 0);
	assert_int_equal(board_process_run("--noise 1,2 --stats"), 0); /* no input: it ends at once */
	assert_int_equal(board_process_run("--link /"), 1);
}

int main(void)
{
	const struct CMUnitTest on_one[] = {
		cmocka_unit_test(says_hello),
		cmocka_unit_test(reads_and_writes_registers),
		cmocka_unit_test(keeps_memory),
		cmocka_unit_test(keeps_shared_memory),
		cmocka_unit_test(refuses_what_is_outside),
		cmocka_unit_test(refuses_wrong_lengths),
		cmocka_unit_test(answers_bad_frames),
		cmocka_unit_test(does_nothing_twice),
		cmocka_unit_test(runs_commands),
	};
	const struct CMUnitTest on_their_own[] = {
		cmocka_unit_test(survives_noise),
		cmocka_unit_test(ends_on_a_signal_and_removes_its_link),
		cmocka_unit_test(refuses_wrong_arguments),
	};

	return cmocka_run_group_tests(on_one, start, finish) +
	       cmocka_run_group_tests(on_their_own, NULL, NULL);
}
