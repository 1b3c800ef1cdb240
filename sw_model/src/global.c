/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global rows: bytes at consecutive global addresses, in walk order, up to the first that a window
 * or the bus refuses.
 *
 * A row is looked at in parts, one per 4 KiB page that it touches, since a window begins and ends
 * on a page and a burst never leaves one. Addresses are modulo 2^64: address + offset may wrap,
 * within a part it never does.
 */
#include <string.h>

#include "model.h"

/* Bulk copies use the first port; the others belong to multimem objects. */
#define BULK_PORT 0

struct row {
	const struct issue *issue;
	const struct port *port;
	uint64_t address;
	uint32_t size;
};

static struct row row_of(const struct issue *issue, uint64_t address, uint32_t size)
{
	return (struct row){ issue, &issue->model->ports[BULK_PORT], address, size };
}

/* Bytes of the row from `offset` to the end of the page that it lies in, or of the row. */
static uint32_t part_bytes(const struct row *row, uint32_t offset)
{
	uint32_t to_page = PAGE_BYTES - (uint32_t)((row->address + offset) % PAGE_BYTES);

	return to_page < row->size - offset ? to_page : row->size - offset;
}

static bool window_allows(const struct row *row, uint64_t address, enum direction direction)
{
	uint32_t attr = direction == READ ? TMA_WINDOW_READ : TMA_WINDOW_WRITE;

	for (uint32_t i = 0; i < row->issue->model->config.windows; i++) {
		const struct tma_window *w = &row->issue->queue->windows[i];

		if ((w->attr & attr) && address >= w->base && address <= w->limit)
			return true;
	}
	return false;
}

/* Offset of the first byte of a part whose beat answers with an error, and *resp, or `bytes`. */
static uint32_t first_error(const struct row *row, uint64_t address, uint32_t bytes, enum direction direction,
                            int *resp)
{
	uint32_t data_bytes = row->issue->model->config.data_bytes;
	uint32_t done = 0;

	while (done < bytes) {
		uint32_t beat = data_bytes - (uint32_t)((address + done) % data_bytes);

		if (beat > bytes - done)
			beat = bytes - done;
		*resp = model_beat_response(row->port, direction, data_bytes, address + done, beat);
		if (*resp)
			break;
		done += beat;
	}
	return done;
}

static struct fault bus_fault(uint64_t address, enum direction direction, int resp)
{
	static const uint16_t codes[2][2] = {
		[READ] = { TMA_FAULT_READ_SLVERR, TMA_FAULT_READ_DECERR },
		[WRITE] = { TMA_FAULT_WRITE_SLVERR, TMA_FAULT_WRITE_DECERR },
	};

	return (struct fault){ codes[direction][resp == RESP_DECERR], address };
}

static void copy_in(const struct row *row, uint64_t address, uint32_t bytes, unsigned char *to)
{
	uint32_t stretch;

	for (uint32_t done = 0; done < bytes; done += stretch) {
		const unsigned char *from;

		stretch = bytes - done;
		from = model_memory_at(row->port, address + done, &stretch);
		memmove(to + done, from, stretch);
	}
}

/* A part begins on a 16-byte boundary of the row, so its bytes meet the mask from bit 0 on. */
static void copy_out(const struct row *row, uint64_t address, uint32_t bytes, const unsigned char *from,
                     uint16_t byte_mask)
{
	for (uint32_t done = 0; done < bytes; done++) {
		uint32_t stretch = 1;

		if (byte_mask >> done % 16 & 1)
			*model_memory_at(row->port, address + done, &stretch) = from[done];
	}
}

/* Read a row into `to`. Returns the bytes that arrived: all of them, or with *fault fewer. Every beat
 * answers by itself, so the bytes of beats before a bad one are good. */
uint32_t model_global_read(const struct issue *issue, uint64_t address, uint32_t size, unsigned char *to,
                           struct fault *fault)
{
	struct row row = row_of(issue, address, size);
	uint32_t done = 0;
	int resp;

	while (done < size && !fault->code) {
		uint32_t bytes = part_bytes(&row, done);
		uint32_t good;

		if (!window_allows(&row, address + done, READ)) {
			*fault = (struct fault){ TMA_FAULT_WINDOW_READ, address + done };
			break;
		}
		good = first_error(&row, address + done, bytes, READ, &resp);
		copy_in(&row, address + done, good, to + done);
		done += good;
		if (good < bytes)
			*fault = bus_fault(address + done, READ, resp);
	}
	return done;
}

/* Write a row, of every 16-byte chunk the bytes of `byte_mask`. A part with an error response
 * keeps its old bytes: the response does not say which beat failed. */
void model_global_write(const struct issue *issue, uint64_t address, uint32_t size, const unsigned char *from,
                        uint16_t byte_mask, struct fault *fault)
{
	struct row row = row_of(issue, address, size);
	uint32_t bytes;
	int resp;

	for (uint32_t done = 0; done < size; done += bytes) {
		bytes = part_bytes(&row, done);
		if (!window_allows(&row, address + done, WRITE)) {
			*fault = (struct fault){ TMA_FAULT_WINDOW_WRITE, address + done };
			return;
		}
		if (first_error(&row, address + done, bytes, WRITE, &resp) < bytes) {
			*fault = bus_fault(address + done, WRITE, resp);
			return;
		}
		copy_out(&row, address + done, bytes, from + done, byte_mask);
	}
}

/* Read a row and drop it. Returns in how many parts the bus answered an error; only a window
 * makes a fault. */
uint32_t model_global_prefetch(const struct issue *issue, uint64_t address, uint32_t size,
                               struct fault *fault)
{
	struct row row = row_of(issue, address, size);
	uint32_t errors = 0;
	uint32_t bytes;
	int resp;

	for (uint32_t done = 0; done < size; done += bytes) {
		bytes = part_bytes(&row, done);
		if (!window_allows(&row, address + done, READ)) {
			*fault = (struct fault){ TMA_FAULT_WINDOW_READ, address + done };
			break;
		}
		errors += first_error(&row, address + done, bytes, READ, &resp) < bytes;
	}
	return errors;
}
