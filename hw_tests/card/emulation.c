/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emulation - the card as AMD's driver for hardware emulation, libxrt_hwemu, wants a simulator: a process that it starts,
 * and talks to through a socket.
 *
 * A message is a head and a body of protobuf. Head of a request: 0x09, 8 bytes length of the body, 0x15, 4 bytes number of
 * the call; of a reply the first 9 bytes alone. A body is fields: a byte, number * 8 + kind, and a value. xcl_macros.h of
 * XRT has the numbers of the calls.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "card/card.h"
#include "card/xclbin.h"

#ifndef BANK_BYTES
#define BANK_BYTES UINT64_C(0x4000000) /* as the xclbin says */
#endif

#define CYCLES    256u  /* between two looks at the socket, while something goes on */
#define CONNECTS  1000u /* tries */
#define PAUSE_US  10000u
#define MOST_BODY (UINT64_C(64) << 20)
#define FIELDS    10u

enum call {
	CLOSE = 1,
	ALLOC_BUFFER = 4,
	FREE_BUFFER = 5,
	HOST_TO_DEVICE = 6,
	DEVICE_TO_HOST = 7,
	WRITE_REGISTER = 9,
	READ_REGISTER = 11,
	TIMESTAMP = 17,
	MESSAGES = 19,
	ENVIRONMENT = 20,
};

/* Kinds of fields. */
enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

struct field {
	uint64_t value; /* or the number of bytes */
	const uint8_t *bytes;
};

struct reply {
	uint8_t *bytes;
	size_t size;
	FILE *out;
};

static void die(const char *what)
{
	fprintf(stderr, "emulation: %s\n", what);
	exit(EXIT_FAILURE);
}

/*
 * The socket.
 */

static void read_all(int socket, void *bytes, size_t size)
{
	uint8_t *at = bytes;
	ssize_t got;

	for (; size; size -= (size_t)got, at += got) {
		got = read(socket, at, size);
		if (got <= 0)
			die("the host has gone");
	}
}

static void write_all(int socket, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	ssize_t got;

	for (; size; size -= (size_t)got, at += got) {
		got = write(socket, at, size);
		if (got <= 0)
			die("the host has gone");
	}
}

/* The driver is there before or after this process. */
static int connect_to(const char *prefix)
{
	const char *user = getenv("USER"), *id = getenv("EMULATION_SOCKETID");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	uint32_t i;

	if (s < 0 || !user || !id)
		die("USER and EMULATION_SOCKETID are needed");
	if (snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/%s/%s%s", user, prefix, id) >=
	    (int)sizeof(address.sun_path))
		die("the name of the socket is too long");
	for (i = 0; i < CONNECTS; i++) {
		if (!connect(s, (struct sockaddr *)&address, sizeof(address)))
			return s;
		usleep(PAUSE_US);
	}
	die("nobody listens");
	return -1;
}

/*
 * Bodies.
 */

static uint64_t get_varint(const uint8_t **at, const uint8_t *end)
{
	uint64_t value = 0;
	unsigned int shift;

	for (shift = 0; *at < end && shift < 64; shift += 7) {
		uint8_t byte = *(*at)++;

		value |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return value;
	}
	die("a number without end");
	return 0;
}

/* A field's value. */
static struct field get_field(unsigned int kind, const uint8_t **at, const uint8_t *end)
{
	struct field f = { 0 };
	size_t size = kind == FIXED64 ? 8 : 4;

	switch (kind) {
	case VARINT:
		f.value = get_varint(at, end);
		return f;
	case BYTES:
		f.value = get_varint(at, end);
		size = (size_t)f.value;
		break;
	case FIXED64:
	case FIXED32:
		break;
	default:
		die("a field of an unknown kind");
	}
	if (size > (size_t)(end - *at))
		die("a field without end");
	f.bytes = *at;
	if (kind != BYTES)
		memcpy(&f.value, *at, size);
	*at += size;
	return f;
}

static void get_fields(const uint8_t *at, size_t size, struct field *fields)
{
	const uint8_t *end = at + size;

	memset(fields, 0, FIELDS * sizeof(*fields));
	while (at < end) {
		uint64_t key = get_varint(&at, end);
		struct field f = get_field(key & 7, &at, end);

		if (key >> 3 < FIELDS)
			fields[key >> 3] = f;
	}
}

static void put_varint(FILE *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		fputc((int)(value & 0x7F) | 0x80, out);
	fputc((int)value, out);
}

static void put_number(FILE *out, unsigned int number, uint64_t value)
{
	put_varint(out, number << 3 | VARINT);
	put_varint(out, value);
}

static void put_bytes(FILE *out, unsigned int number, const void *bytes, size_t size)
{
	put_varint(out, number << 3 | BYTES);
	put_varint(out, size);
	fwrite(bytes, 1, size, out);
}

/*
 * Calls.
 */

/* Memory of the card at an address of the bus. */
static uint8_t *at_address(uint8_t *memory, uint64_t address, uint64_t size)
{
	if (address < XCLBIN_MEMORY || address - XCLBIN_MEMORY > BANK_BYTES ||
	    size > BANK_BYTES - (address - XCLBIN_MEMORY))
		die("there is no memory at this address");
	return memory + (address - XCLBIN_MEMORY);
}

static uint32_t register_of(uint64_t address)
{
	if (address < XCLBIN_BASE || address - XCLBIN_BASE >= XCLBIN_SPACE)
		die("there is no register at this address");
	return (uint32_t)(address - XCLBIN_BASE);
}

static void answer(struct card *card, uint8_t *memory, uint32_t call, const struct field *f, FILE *out)
{
	uint32_t value = 0;

	switch (call) {
	case CLOSE:
	case ENVIRONMENT:
	case FREE_BUFFER:
		put_number(out, 1, 1);
		break;
	case ALLOC_BUFFER:
		put_number(out, 1, 1);
		put_bytes(out, 2, "", 0);
		break;
	case HOST_TO_DEVICE:
		memcpy(at_address(memory, f[3].value + f[6].value, f[4].value), f[4].bytes, f[4].value);
		put_number(out, 1, f[4].value);
		break;
	case DEVICE_TO_HOST:
		put_number(out, 1, f[5].value);
		put_bytes(out, 2, at_address(memory, f[4].value + f[6].value, f[5].value), f[5].value);
		break;
	case WRITE_REGISTER:
		memcpy(&value, f[4].bytes, f[4].value < 4 ? f[4].value : 4);
		card_write(card, register_of(f[2].value), value);
		put_number(out, 1, 1);
		break;
	case READ_REGISTER:
		value = card_read(card, register_of(f[2].value));
		put_number(out, 1, 1);
		put_bytes(out, 2, &value, sizeof(value));
		break;
	case TIMESTAMP:
		put_number(out, 1, 1);
		break;
	case MESSAGES:
		put_bytes(out, 1, "", 0);
		put_bytes(out, 2, "", 0);
		put_bytes(out, 3, "", 0);
		break;
	default:
		fprintf(stderr, "emulation: call %u is not known\n", call);
		put_number(out, 1, 1);
	}
}

/* One request and its reply. @return its call */
static uint32_t serve(int host, struct card *card, uint8_t *memory)
{
	struct field fields[FIELDS];
	uint8_t head[14], *body;
	struct reply reply;
	uint64_t size;
	uint32_t call;

	read_all(host, head, sizeof(head));
	memcpy(&size, head + 1, sizeof(size));
	memcpy(&call, head + 10, sizeof(call));
	if (head[0] != 0x09 || head[9] != 0x15 || size > MOST_BODY)
		die("this is no request");
	body = malloc(size + 1);
	reply.out = open_memstream((char **)&reply.bytes, &reply.size);
	if (!body || !reply.out)
		die("out of memory");
	read_all(host, body, size);
	get_fields(body, size, fields);
	answer(card, memory, call, fields, reply.out);
	fclose(reply.out);
	size = reply.size;
	memcpy(head + 1, &size, sizeof(size));
	write_all(host, head, 9);
	write_all(host, reply.bytes, reply.size);
	free(reply.bytes);
	free(body);
	return call;
}

/* The driver does not look at the exit status: the test is told by a file. */
static int tell(int broken)
{
	const char *path = getenv("TMA_EMULATION_VERDICT");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (file) {
		fprintf(file, "%d rules broken\n", broken);
		fclose(file);
	}
	return broken ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(void)
{
	static const uint8_t end[14] = { [0] = 0x09, [9] = 0x15, [10] = CLOSE };
	uint8_t *memory = mmap(NULL, BANK_BYTES, PROT_READ | PROT_WRITE,
	                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct card *card =
		memory != MAP_FAILED ? card_open(CARD_CONFIG, memory, XCLBIN_MEMORY, BANK_BYTES) : NULL;
	int host = connect_to(""), accesses;
	struct pollfd ready = { .fd = host, .events = POLLIN };

	if (!card)
		die("no card");
	accesses = connect_to("D2X_unix_sock_");
	for (;;) {
		if (poll(&ready, 1, card_busy(card) ? 0 : -1) <= 0)
			card_run(card, CYCLES);
		else if (serve(host, card, memory) == CLOSE)
			break;
	}
	/* The thread that waits for accesses of the card to the host. */
	write_all(accesses, end, sizeof(end));
	return tell(card_close(card));
}
