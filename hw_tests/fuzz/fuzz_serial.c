/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_serial - hostile boards against the back end "serial".
 *
 * The input is what a board does: bytes as they come over the line, or what its answers hold, in good frames with the
 * right numbers. The device is in this file, and its time goes on as fast as it is waited for. Whatever happens, the
 * back end gives an answer or says why not, and stays inside of its buffers.
 * For libFuzzer as it is. With FUZZ_STANDALONE a program of its own, for any compiler with address and
 * undefined-behaviour sanitizers.
 *   fuzz_serial [--seed N] [--seconds S | --runs N]
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "serial_frame.h"
#include "serial_line.h"
#include "serial_port.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                       \
	do {                                                                                     \
		if (!(condition)) {                                                              \
			fprintf(stderr, "fuzz_serial: line %d: not %s\n", __LINE__, #condition); \
			abort();                                                                 \
		}                                                                                \
	} while (0)

/* Bytes of the input, then zeros. */
static const uint8_t *input;
static size_t input_left;

static uint8_t take(void)
{
	if (!input_left)
		return 0;
	input_left--;
	return *input++;
}

/*
 * The device. What the host writes is decoded; an answer to it waits to be read.
 */

struct serial_port {
	struct serial_decoder decoder;
	uint8_t waits[2 * SERIAL_LINE_BYTES(SERIAL_MAX_BYTES)];
	size_t first, end;
};

static struct serial_port the_port;
static uint64_t now, sane;

uint64_t serial_now(void)
{
	return ++now;
}

struct serial_port *serial_port_open(const char *device, uint32_t baud, char *why)
{
	(void)device;
	(void)baud;
	(void)why;
	memset(&the_port, 0, sizeof(the_port));
	return &the_port;
}

void serial_port_close(struct serial_port *port)
{
	REQUIRE(!port || port == &the_port);
}

static void put(uint8_t *bytes, uint64_t value, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

/* What a board should say to HELLO, so that others than the first request are reached. */
static size_t good_hello(const uint8_t *request, uint8_t *results)
{
	memcpy(results, request + 2, 4);
	put(results + 4, SERIAL_MAGIC, 4);
	put(results + 8, SERIAL_VERSION, 2);
	put(results + 10, 1024, 2);
	put(results + 12, 50000000, 4);
	put(results + 16, 0x80000000, 8);
	put(results + 24, 0x40000, 8);
	return SERIAL_HELLO_SIZE;
}

/* Results of the length that is right, most of the time. */
static size_t results_of(const uint8_t *request, size_t bytes, uint8_t how, uint8_t *results)
{
	size_t count = 0;

	switch (request[1]) {
	case SERIAL_HELLO:
		count = good_hello(request, results);
		if (how & 1)
			results[take() % SERIAL_HELLO_SIZE] = take();
		break;
	case SERIAL_REG_READ:
		count = 4;
		break;
	case SERIAL_WAIT:
		count = 1;
		break;
	case SERIAL_MEM_READ:
	case SERIAL_SMEM_READ:
		count = request[bytes - 2] | (size_t)request[bytes - 1] << 8;
		break;
	}
	REQUIRE(count <= SERIAL_DATA_BYTES);
	for (size_t i = request[1] == SERIAL_HELLO ? SERIAL_HELLO_SIZE : 0; i < count; i++)
		results[i] = (uint8_t)i;
	if (how & 2)
		count = (count + take()) % (SERIAL_DATA_BYTES + 1);
	return count;
}

static void reply(struct serial_port *port, size_t bytes)
{
	const uint8_t *request = port->decoder.bytes;
	uint8_t how = take(), answer[3 + SERIAL_DATA_BYTES] = { 0 };
	size_t count;

	port->first = port->end = 0;
	if (how & 0x80) { /* as it comes, also nothing */
		for (count = take(); count; count--)
			port->waits[port->end++] = take();
		return;
	}
	count = 3 + results_of(request, bytes, how, answer + 3);
	answer[0] = request[0];
	answer[1] = request[1] | SERIAL_ANSWER;
	answer[2] = how & 4 ? take() : SERIAL_OKAY;
	if (how & 8)
		answer[take() % 3] = take();
	port->end = serial_encode(answer, count, port->waits);
	if (how & 16)
		port->waits[take() % port->end] = take();
	if (how & 32) {
		memcpy(port->waits + port->end, port->waits, port->end);
		port->end *= 2;
	}
}

int serial_port_write(struct serial_port *port, const uint8_t *bytes, size_t count, uint64_t until)
{
	size_t frame;

	(void)until;
	REQUIRE(count <= SERIAL_LINE_BYTES(SERIAL_MAX_BYTES));
	for (size_t i = 0; i < count; i++)
		if (serial_decode(&port->decoder, bytes[i], &frame) == SERIAL_FRAME)
			reply(port, frame);
	return 0;
}

int serial_port_read(struct serial_port *port, uint8_t *bytes, size_t room, uint64_t until, size_t *count)
{
	size_t have = port->end - port->first;

	*count = have < room ? have : room;
	memcpy(bytes, port->waits + port->first, *count);
	port->first += *count;
	if (*count)
		return 0;
	now = until > now ? until : now;
	/* The board that the input describes has come to its end. */
	return input_left ? 0 : EIO;
}

/*
 * The library.
 */

static bool said;

static void because(const char *why)
{
	REQUIRE(*why && !strchr(why, '\n') && strlen(why) < SERIAL_WHY_ROOM);
	said = true;
}

/* Errors of the line have a reason. @return it was none */
static bool check(int error)
{
	REQUIRE(error == 0 || error == 1 || error == TMA_EDEVICE || error == TMA_ENOSPC ||
	        error == TMA_EINVAL);
	REQUIRE(error >= 0 || said);
	said = false;
	return error >= 0;
}

static void use(void *engine)
{
	const struct tma_backend *b = &tma_backend_serial;
	struct tma_backend_memory memory = { .bytes = 8192 };
	uint8_t bytes[3000];
	uint32_t value = 0;

	if (b->memory_alloc(engine, &memory))
		return;
	memset(memory.host, 0, memory.bytes);
	for (int turn = 0; turn < 40 && input_left; turn++) {
		uint32_t at = take(), size = 1 + take() * 11u;
		int error = 0;

		memset(bytes, 0x5A, sizeof(bytes));
		switch (take() % 7) {
		case 0:
			error = b->reg_read(engine, 4 * at, &value);
			break;
		case 1:
			error = b->reg_write(engine, 4 * at, value);
			break;
		case 2:
			error = b->memory_sync(engine, &memory, at, size, true);
			break;
		case 3:
			error = b->memory_sync(engine, &memory, at, size, false);
			break;
		case 4:
			error = b->smem_read(engine, at % 2, at, bytes, size);
			break;
		case 5:
			error = b->smem_write(engine, at % 2, at, bytes, size);
			break;
		default:
			error = b->interrupt(engine, at << 12);
		}
		sane += check(error);
		REQUIRE(bytes[size] == 0x5A && bytes[sizeof(bytes) - 1] == 0x5A);
	}
	said = false;
	check(b->check(engine));
	b->memory_free(engine, &memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct tma_options options = { .size = sizeof(options), .device = "line", .baud = 1000000 };
	struct tma_backend_engine about = { .size = sizeof(about), .because = because };
	void *engine = NULL;

	input = data;
	input_left = size;
	said = false;
	if (check(tma_backend_serial.open(&options, &about, &engine))) {
		REQUIRE(about.memory_bytes && !((about.memory_base | about.memory_bytes) % 4096));
		use(engine);
		tma_backend_serial.close(engine);
	}
	return 0;
}

#ifdef FUZZ_STANDALONE
#include "fuzz/fuzz_main.h"

/* Boards that begin well, and are mostly sane. */
static void one(struct rng *rng)
{
	uint8_t bytes[1500];
	size_t size = rng_below(rng, sizeof(bytes) + 1);
	uint32_t calm = rng_below(rng, 100);
	uint8_t *copy;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i < 3 && rng_percent(rng, 90) ? 0
		           : rng_percent(rng, calm)      ? 0
		                                         : (uint8_t)rng_next(rng);
	copy = fuzz_room(size);
	memcpy(copy, bytes, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

int main(int argc, char **argv)
{
	uint64_t done = fuzz_run("fuzz_serial", argc, argv, NULL, one);

	printf("fuzz_serial: %llu inputs, %llu calls that succeeded\n1 passed, 0 failed\n",
	       (unsigned long long)done, (unsigned long long)sane);
	return 0;
}
#endif
