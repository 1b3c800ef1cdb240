/* SPDX-License-Identifier: Apache-2.0 */
/* The board: requests on registers, memory and shared memory of the C model. */
#include <stdlib.h>
#include <string.h>

#include "../../host/src/backend.h"
#include "../../host/src/shapes.h"
#include "standin.h"

#define CLOCK_HZ    50000000u
#define SPACE       0x20000u /* of registers */
#define OPERATIONS  (SERIAL_RESET + 1u)
#define MOST_ANSWER (3u + SERIAL_DATA_BYTES)

struct board {
	struct standin_faults faults;
	const char *config;
	const struct shape *shape;
	void *engine;
	uint8_t *memory;
	bool stuck;
	uint64_t requests; /* good frames */
	uint64_t executed[OPERATIONS];
	/* The last one that was carried out, and what was said. */
	bool last_known;
	uint8_t last, answer[MOST_ANSWER];
	size_t answer_bytes;
};

/* Operands, and results behind their head. */
struct work {
	struct board *board;
	const uint8_t *in;
	size_t in_bytes;
	uint8_t *out;
	size_t out_bytes;
};

static uint64_t get(const uint8_t *bytes, uint32_t count)
{
	uint64_t value = 0;

	while (count--)
		value = value << 8 | bytes[count];
	return value;
}

static void put(struct work *w, uint64_t value, uint32_t count)
{
	for (; count; count--, value >>= 8)
		w->out[w->out_bytes++] = (uint8_t)value;
}

/* A new engine with the old memory. */
static bool power(struct board *b)
{
	const struct tma_options options = {
		.size = sizeof(options), .config = b->config, .seed = b->faults.seed, .reductions = true
	};
	struct tma_backend_engine about = { .size = sizeof(about) };
	struct tma_backend_memory memory = { .bytes = STANDIN_BYTES,
		                             .address = STANDIN_BASE,
		                             .host = b->memory };

	if (b->engine)
		tma_backend_model.close(b->engine);
	b->engine = NULL;
	b->stuck = b->last_known = false;
	return !tma_backend_model.open(&options, &about, &b->engine) &&
	       !tma_backend_model.memory_alloc(b->engine, &memory);
}

struct board *board_new(const char *config, const struct standin_faults *faults)
{
	struct board *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->faults = *faults;
	b->config = config;
	b->shape = shape_find(config);
	b->memory = malloc(STANDIN_BYTES);
	if (b->shape && b->memory) {
		/* What a board holds when it is switched on nobody knows. */
		memset(b->memory, 0xA5, STANDIN_BYTES);
		if (power(b))
			return b;
	}
	board_free(b);
	return NULL;
}

void board_free(struct board *b)
{
	if (b && b->engine)
		tma_backend_model.close(b->engine);
	if (b)
		free(b->memory);
	free(b);
}

uint64_t board_executed(const struct board *b, enum serial_operation operation)
{
	return b->executed[operation];
}

uint64_t board_executed_all(const struct board *b)
{
	uint64_t all = 0;
	uint32_t i;

	for (i = SERIAL_HELLO + 1; i < OPERATIONS; i++)
		all += b->executed[i];
	return all;
}

/*
 * Operations. They give the status; what they find wrong they find before they do anything.
 */

static enum serial_status hello(struct work *w)
{
	const struct standin_faults *f = &w->board->faults;

	if (w->in_bytes != 4)
		return SERIAL_LENGTH;
	put(w, get(w->in, 4), 4);
	put(w, f->magic ? f->magic : SERIAL_MAGIC, 4);
	put(w, f->version ? f->version : SERIAL_VERSION, 2);
	put(w, f->data_bytes ? f->data_bytes : SERIAL_DATA_BYTES, 2);
	put(w, CLOCK_HZ, 4);
	put(w, f->base ? f->base : STANDIN_BASE, 8);
	put(w, f->bytes ? f->bytes : STANDIN_BYTES, 8);
	return SERIAL_OKAY;
}

static enum serial_status registers(struct work *w, bool write)
{
	uint32_t address, value = 0;
	int error;

	if (w->in_bytes != (write ? 8 : 4))
		return SERIAL_LENGTH;
	address = (uint32_t)get(w->in, 4);
	if (address % 4 || address >= SPACE)
		return SERIAL_ADDRESS;
	if (w->board->stuck)
		return SERIAL_STUCK;
	if (write)
		error = tma_backend_model.reg_write(w->board->engine, address, (uint32_t)get(w->in + 4, 4));
	else
		error = tma_backend_model.reg_read(w->board->engine, address, &value);
	if (error)
		return error == TMA_REFUSED ? SERIAL_REFUSED : SERIAL_STUCK;
	if (!write)
		put(w, value, 4);
	return SERIAL_OKAY;
}

/* Address, and behind it how many bytes, or those bytes. */
static enum serial_status lengths(const struct work *w, uint32_t address_bytes, bool write, size_t *count)
{
	if (w->in_bytes < address_bytes + (write ? 1u : 2u) || (!write && w->in_bytes != address_bytes + 2u))
		return SERIAL_LENGTH;
	*count = write ? w->in_bytes - address_bytes : get(w->in + address_bytes, 2);
	return *count && *count <= SERIAL_DATA_BYTES ? SERIAL_OKAY : SERIAL_LENGTH;
}

static void move(struct work *w, uint8_t *bytes, size_t count, uint32_t address_bytes, bool write)
{
	if (write) {
		memcpy(bytes, w->in + address_bytes, count);
		return;
	}
	memcpy(w->out + w->out_bytes, bytes, count);
	w->out_bytes += count;
}

static enum serial_status memory(struct work *w, bool write)
{
	size_t count;
	enum serial_status status = lengths(w, 8, write, &count);
	uint64_t offset;

	if (status)
		return status;
	offset = get(w->in, 8) - STANDIN_BASE;
	if (offset > STANDIN_BYTES || count > STANDIN_BYTES - offset)
		return SERIAL_ADDRESS;
	if (w->board->stuck)
		return SERIAL_STUCK;
	move(w, w->board->memory + offset, count, 8, write);
	return SERIAL_OKAY;
}

static enum serial_status shared(struct work *w, bool write)
{
	const struct tma_model_config *shape = &w->board->shape->model;
	uint8_t bytes[SERIAL_DATA_BYTES];
	uint32_t cta, offset;
	size_t count;
	enum serial_status status = lengths(w, 4, write, &count);

	if (status)
		return status;
	cta = w->in[3];
	offset = (uint32_t)get(w->in, 3);
	if (cta >= shape->ctas || offset > shape->smem_bytes || count > shape->smem_bytes - offset)
		return SERIAL_ADDRESS;
	if (w->board->stuck)
		return SERIAL_STUCK;
	if (!write)
		tma_backend_model.smem_read(w->board->engine, cta, offset, bytes, (uint32_t)count);
	move(w, bytes, count, 4, write);
	if (write)
		tma_backend_model.smem_write(w->board->engine, cta, offset, bytes, (uint32_t)count);
	return SERIAL_OKAY;
}

static bool pending(const struct board *b)
{
	uint32_t raised = 0, enabled = 0, q;

	for (q = 0; q < b->shape->model.queues; q++) {
		tma_backend_model.reg_read(b->engine, TMA_REG_DOOR_INTERRUPT_PENDING(q), &raised);
		tma_backend_model.reg_read(b->engine, TMA_REG_DOOR_INTERRUPT_ENABLE(q), &enabled);
		if (raised & enabled)
			return true;
	}
	return false;
}

/* Nothing takes time: what does not come by what can be done does not come. */
static enum serial_status wait(struct work *w)
{
	if (w->in_bytes != 4 || get(w->in, 4) > SERIAL_MAX_WAIT)
		return SERIAL_LENGTH;
	while (!pending(w->board) && tma_backend_model.advance(w->board->engine) > 0)
		;
	put(w, pending(w->board), 1);
	return SERIAL_OKAY;
}

static enum serial_status reset(struct work *w)
{
	if (w->in_bytes)
		return SERIAL_LENGTH;
	return power(w->board) ? SERIAL_OKAY : SERIAL_STUCK;
}

static enum serial_status carry_out(struct work *w, uint8_t operation)
{
	switch (operation) {
	case SERIAL_HELLO:
		return hello(w);
	case SERIAL_REG_READ:
	case SERIAL_REG_WRITE:
		return registers(w, operation == SERIAL_REG_WRITE);
	case SERIAL_MEM_READ:
	case SERIAL_MEM_WRITE:
		return memory(w, operation == SERIAL_MEM_WRITE);
	case SERIAL_SMEM_READ:
	case SERIAL_SMEM_WRITE:
		return shared(w, operation == SERIAL_SMEM_WRITE);
	case SERIAL_WAIT:
		return wait(w);
	case SERIAL_RESET:
		return reset(w);
	default:
		return SERIAL_OPERATION;
	}
}

static void spoil(struct work *w, uint8_t operation, enum serial_status *status)
{
	const struct standin_faults *f = &w->board->faults;

	if (operation == SERIAL_HELLO || operation == SERIAL_RESET)
		return;
	if (f->status)
		*status = f->status;
	if (f->long_answers && w->out_bytes < SERIAL_DATA_BYTES)
		put(w, 0, 1);
}

size_t board_answer(struct board *b, const uint8_t *frame, size_t count, uint8_t *answer)
{
	struct work w = { b, frame + 2, count - 2, answer + 3, 0 };
	const uint8_t sequence = frame[0], operation = frame[1];
	enum serial_status status;

	b->requests++;
	if (b->faults.stuck_at && b->requests == b->faults.stuck_at)
		b->stuck = true;
	if (b->last_known && sequence == b->last && operation != SERIAL_HELLO) {
		memcpy(answer, b->answer, b->answer_bytes);
		return b->answer_bytes;
	}
	/* Between requests the engine goes on; of a late one this is a piece of what it has to do. */
	tma_backend_model.advance(b->engine);
	status = carry_out(&w, operation);
	if (operation < OPERATIONS)
		b->executed[operation]++;
	spoil(&w, operation, &status);
	answer[0] = sequence;
	answer[1] = operation | SERIAL_ANSWER;
	answer[2] = (uint8_t)status;
	if (status)
		w.out_bytes = 0;
	b->last_known = operation != SERIAL_RESET || status;
	b->last = sequence;
	b->answer_bytes = 3 + w.out_bytes;
	memcpy(b->answer, answer, b->answer_bytes);
	return b->answer_bytes;
}

size_t board_answer_bad(uint8_t *answer)
{
	answer[0] = 0;
	answer[1] = SERIAL_FRAME_WAS;
	answer[2] = SERIAL_FRAME_BAD;
	return 3;
}
