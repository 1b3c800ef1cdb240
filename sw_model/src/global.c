/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global rows: bytes at consecutive global addresses, in walk order, up to the first that a window
 * or the bus refuses.
 *
 * A row is looked at in parts, one per burst: each 4 KiB page that it touches, since a window begins and ends
 * on a page and a burst never leaves one. Addresses are modulo 2^64: address + offset may wrap,
 * within a part it never does.
 */
#include <string.h>

#include "model.h"

/* All but multimem copies use the first port. */
#define PLAIN_PORT 0

static const struct {
	uint32_t attr;   /* of a window that allows it */
	uint16_t window; /* faults: no window, error responses */
	uint16_t slverr;
	uint16_t decerr;
} purposes[] = {
	[FOR_READ] = { TMA_WINDOW_READ, TMA_FAULT_WINDOW_READ, TMA_FAULT_READ_SLVERR, TMA_FAULT_READ_DECERR },
	[FOR_WRITE] = { TMA_WINDOW_WRITE, TMA_FAULT_WINDOW_WRITE, TMA_FAULT_WRITE_SLVERR,
	                TMA_FAULT_WRITE_DECERR },
	[FOR_MULTIMEM] = { TMA_WINDOW_MULTIMEM, TMA_FAULT_WINDOW_MULTIMEM, TMA_FAULT_WRITE_SLVERR,
	                   TMA_FAULT_WRITE_DECERR },
	[FOR_COMMAND] = { TMA_WINDOW_READ, TMA_FAULT_COMMAND_WINDOW, TMA_FAULT_COMMAND_SLVERR,
	                  TMA_FAULT_COMMAND_DECERR },
	[FOR_RECORD] = { TMA_WINDOW_WRITE, TMA_FAULT_COMPLETION_WINDOW, TMA_FAULT_COMPLETION_SLVERR,
	                 TMA_FAULT_COMPLETION_DECERR },
	[FOR_MAP] = { TMA_WINDOW_READ, TMA_FAULT_MAP_WINDOW, TMA_FAULT_MAP_SLVERR, TMA_FAULT_MAP_DECERR },
};

/* A row from the command's global address on. */
struct row model_row(const struct issue *issue, enum purpose purpose, uint32_t size)
{
	return (struct row){ issue->model, issue->queue, purpose, issue->command->global_address, size };
}

/* Bytes of the row from `offset` to the end of the page that it lies in, or of the row. What goes to
 * several ports, and what is reduced into, has bursts of 16 beats. `change` is NULL for a read. */
uint32_t model_part_bytes(const struct row *row, const struct change *change, uint32_t offset)
{
	const struct tma_model_config *c = &row->model->config;
	bool spread = row->purpose == FOR_MULTIMEM && c->ports > 1;
	bool reduces = change && change->reduction;
	uint32_t piece = spread || reduces ? SPREAD_BEATS * c->data_bytes : PAGE_BYTES;
	uint32_t to_end = piece - (uint32_t)((row->address + offset) % piece);

	return to_end < row->size - offset ? to_end : row->size - offset;
}

/* The window in which the queue may do what it wants at `address`, or NULL. */
static const struct tma_window *window_at(const struct row *row, uint64_t address)
{
	for (uint32_t i = 0; i < row->model->config.windows; i++) {
		const struct tma_window *w = &row->queue->windows[i];

		if ((w->attr & purposes[row->purpose].attr) && address >= w->base && address <= w->limit)
			return w;
	}
	return NULL;
}

/* May it, in the page of `address`? */
bool model_window_allows(const struct row *row, uint64_t address, struct fault *fault)
{
	if (window_at(row, address))
		return true;
	*fault = (struct fault){ purposes[row->purpose].window, address };
	return false;
}

/* A command is good or bad as a whole: all of its beats answer together. */
static uint32_t beat_bytes(const struct row *row)
{
	uint32_t data_bytes = row->model->config.data_bytes;

	return row->purpose == FOR_COMMAND && data_bytes < SLOT_BYTES ? SLOT_BYTES : data_bytes;
}

/* Offset of the first byte of a part whose beat answers with an error, and *resp, or `bytes`. */
static uint32_t first_error(const struct row *row, uint32_t port, enum direction direction, uint64_t address,
                            uint32_t bytes, int *resp)
{
	uint32_t data_bytes = beat_bytes(row);
	uint32_t done = 0;
	struct plain quiet;

	*resp = RESP_OKAY;
	if (model_quiet(&row->model->ports[port], direction, data_bytes, address, &quiet) &&
	    model_plain_at(&quiet, address, bytes))
		return bytes;
	while (done < bytes) {
		uint32_t beat = data_bytes - (uint32_t)((address + done) % data_bytes);

		if (beat > bytes - done)
			beat = bytes - done;
		*resp = model_beat_response(&row->model->ports[port], direction, data_bytes, address + done,
		                            beat);
		if (*resp)
			break;
		done += beat;
	}
	return done;
}

/*
 * The addresses from the row's first on that the queue may use for what it wants and at which the bus answers OKAY,
 * all of them one piece of memory; false: there are none. Looked at part by part, they would show nothing else,
 * so a row among them is read or written at once.
 */
bool model_plain(const struct row *row, enum direction direction, struct plain *plain)
{
	const struct tma_window *w = window_at(row, row->address);

	if (!w ||
	    !model_quiet(&row->model->ports[PLAIN_PORT], direction, beat_bytes(row), row->address, plain))
		return false;
	if (plain->last > w->limit)
		plain->last = w->limit;
	return true;
}

static uint16_t fault_code(enum purpose purpose, int resp)
{
	switch (resp) {
	case RESP_SLVERR:
		return purposes[purpose].slverr;
	case RESP_DECERR:
		return purposes[purpose].decerr;
	default:
		return TMA_FAULT_PORT_DEAD;
	}
}

/* From mapped addresses of a port. */
static void copy_in(const struct row *row, uint32_t port, uint64_t address, uint32_t bytes, unsigned char *to)
{
	uint32_t stretch;

	for (uint32_t done = 0; done < bytes; done += stretch) {
		const unsigned char *from;

		stretch = bytes - done;
		from = model_memory_at(&row->model->ports[port], address + done, &stretch);
		memmove(to + done, from, stretch);
	}
}

/* Bytes `first` on of a row whose byte i is enabled by bit i % 16 of the mask. */
static void write_masked(unsigned char *to, const unsigned char *from, uint32_t first, uint32_t bytes,
                         uint16_t byte_mask)
{
	if (byte_mask == ALL_BYTES) {
		memmove(to, from, bytes);
		return;
	}
	for (uint32_t i = 0; i < bytes; i++)
		if (byte_mask >> (first + i) % 16 & 1)
			to[i] = from[i];
}

/* Write a part unless its burst gets an error: the response does not say which beat failed, so all of
 * it keeps its old bytes. A part begins on a 16-byte boundary of the row or has every byte enabled, so
 * its bytes meet the mask from bit 0 on. Returns the fault. */
static uint16_t write_part(const struct row *row, uint32_t port, uint64_t address, uint32_t bytes,
                           const unsigned char *from, uint16_t byte_mask)
{
	uint32_t stretch;
	int resp;

	if (first_error(row, port, WRITE, address, bytes, &resp) < bytes)
		return fault_code(row->purpose, resp);
	for (uint32_t done = 0; done < bytes; done += stretch) {
		unsigned char *to;

		stretch = bytes - done;
		to = model_memory_at(&row->model->ports[port], address + done, &stretch);
		write_masked(to, from + done, done, stretch, byte_mask);
	}
	return TMA_FAULT_NONE;
}

/* Reduce into a part, unless its reads or its writes get an error; then it keeps its old bytes, and the burst is
 * at fault as a whole. It has whole elements. */
static uint16_t reduce_part(const struct row *row, uint32_t port, uint64_t address, uint32_t bytes,
                            const unsigned char *from, const struct change *change)
{
	unsigned char old[PAGE_BYTES];
	int resp;

	if (first_error(row, port, READ, address, bytes, &resp) < bytes)
		return fault_code(FOR_READ, resp);
	copy_in(row, port, address, bytes, old);
	model_reduce_bytes(change->reduction, old, from, bytes);
	return write_part(row, port, address, bytes, old, change->byte_mask);
}

/* The part of a row from `offset` on, at its address on a port. Returns the fault. */
uint16_t model_part_change(const struct row *row, uint32_t port, const struct change *change, uint32_t offset,
                           uint64_t address, uint32_t bytes)
{
	const unsigned char *from = change->from + offset;

	if (change->reduction)
		return reduce_part(row, port, address, bytes, from, change);
	return write_part(row, port, address, bytes, from, change->byte_mask);
}

/* Read a row into `to`. Returns the bytes that arrived: all of them, or with *fault fewer. Every beat
 * answers by itself, so the bytes of beats before a bad one are good. */
uint32_t model_global_read(const struct row *row, unsigned char *to, struct fault *fault)
{
	const unsigned char *from = NULL;
	uint32_t done = 0;
	struct plain plain;
	int resp;

	if (model_plain(row, READ, &plain))
		from = model_plain_at(&plain, row->address, row->size);
	if (from) {
		memmove(to, from, row->size);
		return row->size;
	}
	while (done < row->size && !fault->code) {
		uint64_t address = row->address + done;
		uint32_t bytes = model_part_bytes(row, NULL, done);
		uint32_t good;

		if (!model_window_allows(row, address, fault))
			break;
		good = first_error(row, PLAIN_PORT, READ, address, bytes, &resp);
		copy_in(row, PLAIN_PORT, address, good, to + done);
		done += good;
		if (good < bytes)
			*fault = (struct fault){ fault_code(row->purpose, resp), address + good };
	}
	return done;
}

/* A page that is reduced into is read as well. */
static bool change_allowed(const struct row *row, const struct change *change, uint64_t address,
                           struct fault *fault)
{
	struct row reads = *row;

	reads.purpose = FOR_READ;
	return (!change->reduction || model_window_allows(&reads, address, fault)) &&
	       model_window_allows(row, address, fault);
}

/* Write a row, or reduce into it. */
void model_global_change(const struct row *row, const struct change *change, struct fault *fault)
{
	unsigned char *to = NULL;
	struct plain plain;
	uint32_t bytes;

	if (!change->reduction && model_plain(row, WRITE, &plain))
		to = model_plain_at(&plain, row->address, row->size);
	if (to) {
		write_masked(to, change->from, 0, row->size, change->byte_mask);
		return;
	}
	for (uint32_t done = 0; done < row->size; done += bytes) {
		uint64_t address = row->address + done;
		uint16_t code;

		bytes = model_part_bytes(row, change, done);
		if (!change_allowed(row, change, address, fault))
			return;
		code = model_part_change(row, PLAIN_PORT, change, done, address, bytes);
		if (code) {
			*fault = (struct fault){ code, address };
			return;
		}
	}
}

/* Read a row and drop it: a hint, so nothing is a fault. Returns how many parts no window of the queue
 * allows or the bus answered with an error. */
uint32_t model_global_prefetch(const struct row *row)
{
	struct fault unseen;
	struct plain plain;
	uint32_t errors = 0;
	uint32_t bytes;
	int resp;

	if (model_plain(row, READ, &plain) && model_plain_at(&plain, row->address, row->size))
		return 0;
	for (uint32_t done = 0; done < row->size; done += bytes) {
		uint64_t address = row->address + done;

		bytes = model_part_bytes(row, NULL, done);
		errors += !model_window_allows(row, address, &unseen) ||
		          first_error(row, PLAIN_PORT, READ, address, bytes, &resp) < bytes;
	}
	return errors;
}
