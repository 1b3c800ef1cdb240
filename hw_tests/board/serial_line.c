/* SPDX-License-Identifier: Apache-2.0 */
#include "board/serial_line.h"

#include <string.h>

#define BITS 10u /* of a byte on the line */

void serial_line_start(struct serial_line *line, unsigned clocks_per_bit)
{
	memset(line, 0, sizeof(*line));
	line->clocks_per_bit = clocks_per_bit;
}

bool serial_push(struct serial_queue *queue, uint8_t byte)
{
	if (queue->count == SERIAL_QUEUE)
		return false;
	queue->bytes[(queue->first + queue->count++) % SERIAL_QUEUE] = byte;
	return true;
}

bool serial_pop(struct serial_queue *queue, uint8_t *byte)
{
	if (!queue->count)
		return false;
	*byte = queue->bytes[queue->first];
	queue->first = (queue->first + 1) % SERIAL_QUEUE;
	queue->count--;
	return true;
}

bool serial_line_level(struct serial_line *line)
{
	uint8_t byte;
	bool level;

	if (!line->out_left && serial_pop(&line->out, &byte)) {
		/* Start bit, byte, stop bit. */
		line->out_bits = 1u << (BITS - 1) | (uint32_t)byte << 1;
		line->out_left = BITS;
		line->out_clock = 0;
	}
	if (!line->out_left)
		return true;
	level = line->out_bits & 1;
	if (++line->out_clock == line->clocks_per_bit) {
		line->out_clock = 0;
		line->out_bits >>= 1;
		line->out_left--;
	}
	return level;
}

void serial_line_see(struct serial_line *line, bool level)
{
	if (!line->in_left) {
		if (level)
			return;
		line->in_left = BITS;
		line->in_clock = 0;
		line->in_bits = 0;
	}
	if (line->in_clock == line->clocks_per_bit / 2)
		line->in_bits |= (uint32_t)level << (BITS - line->in_left);
	if (++line->in_clock < line->clocks_per_bit)
		return;
	line->in_clock = 0;
	if (--line->in_left)
		return;
	if (!(line->in_bits >> (BITS - 1) & 1))
		line->no_stop_bit++;
	else if (!serial_push(&line->in, (uint8_t)(line->in_bits >> 1)))
		line->lost++;
}

bool serial_line_moves(const struct serial_line *line)
{
	return line->out_left || line->out.count || line->in_left;
}
