/* SPDX-License-Identifier: Apache-2.0 */
/* Bursts that commands need. */
#include "crosscheck/bus.h"

#include "crosscheck/gen.h"

/* Of a burst that goes to several ports, or is updated, at most. */
#define SPREAD_BEATS 16u

static uint32_t copy_bytes(const struct tma_command *c)
{
	if (c->flags & TMA_FLAG_IGNORE_SRC)
		return 0;
	return c->flags & TMA_FLAG_SRC_SIZE ? c->count : c->size;
}

uint32_t bus_bytes(const struct tma_command *cmd)
{
	switch (cmd->opcode) {
	case TMA_BULK_LOAD:
		return cmd->flags & TMA_FLAG_MULTICAST && !cmd->cta_mask ? 0 : cmd->size;
	case TMA_BULK_STORE:
	case TMA_BULK_PREFETCH:
	case TMA_MULTIMEM_BULK_STORE:
	case TMA_BULK_REDUCE:
	case TMA_MULTIMEM_BULK_REDUCE:
		return cmd->size;
	case TMA_CP_ASYNC:
		return copy_bytes(cmd);
	default:
		return 0;
	}
}

uint64_t bus_step_bytes(const struct program *p, const struct step *s)
{
	if (s->cmd.opcode == TMA_BULK_PREFETCH)
		return bus_port_bytes(p, &s->cmd, 0);
	return s->tensor >= 0 ? p->tensors[s->tensor].span.inside : bus_bytes(&s->cmd);
}

/* Between the guards, that is, for all that is not meant to fault. */
static bool in_windows(const struct program *p, uint64_t address)
{
	return address - p->global_base - PAGE_BYTES < p->global_bytes - 2 * PAGE_BYTES;
}

bool bus_tensor(const struct program *p, const struct step *s, uint64_t address, uint64_t bytes)
{
	uint32_t beat = p->shape->data_bytes;
	const struct tensor_span *span;
	uint64_t first, last;

	if (s->tensor < 0)
		return false;
	span = &p->tensors[s->tensor].span;
	if (!span->fits)
		return in_windows(p, address) && bytes <= PAGE_BYTES;
	/* Whole beats, of a base that is a multiple of them. */
	first = span->first / beat * beat;
	last = span->last / beat * beat + beat - 1;
	return span->inside && address - p->global_base >= first && bytes <= last + 1 - first &&
	       address - p->global_base - first <= last + 1 - first - bytes;
}

const struct multimem *bus_multimem(const struct program *p, uint64_t address)
{
	for (uint32_t i = 0; i < p->num_multimem; i++) {
		const struct multimem *m = &p->multimem[i];

		if (m->ports && address - m->base < m->bytes)
			return m;
	}
	return NULL;
}

/* Where the port has the address. False: it has not. */
static bool translate(const struct program *p, const struct tma_command *cmd, uint32_t port,
                      uint64_t *address)
{
	const struct multimem *m;

	if (cmd->opcode == TMA_BULK_PREFETCH && !in_windows(p, *address))
		return false;
	if (cmd->opcode != TMA_MULTIMEM_BULK_STORE && cmd->opcode != TMA_MULTIMEM_BULK_REDUCE)
		return !port;
	m = bus_multimem(p, *address);
	if (!m || !(m->ports >> port & 1))
		return false;
	*address = m->port_base[port] + (*address - m->base);
	return true;
}

bool bus_next(const struct program *p, const struct tma_command *cmd, uint32_t port, uint32_t *done,
              struct bus_part *part)
{
	uint32_t size = bus_bytes(cmd);

	while (*done < size) {
		uint64_t at = cmd->global_address + *done;
		uint32_t to_page = PAGE_BYTES - (uint32_t)(at % PAGE_BYTES);

		part->bytes = size - *done < to_page ? size - *done : to_page;
		part->address = at;
		if (translate(p, cmd, port, &part->address))
			return true;
		*done += part->bytes;
	}
	return false;
}

bool bus_updates(uint8_t opcode)
{
	return opcode == TMA_BULK_REDUCE || opcode == TMA_MULTIMEM_BULK_REDUCE || opcode == TMA_TENSOR_REDUCE;
}

bool bus_burst(const struct program *p, const struct tma_command *cmd, uint32_t port, uint32_t *done,
               struct bus_part *part)
{
	uint32_t piece = SPREAD_BEATS * p->shape->data_bytes, left;

	if (!bus_next(p, cmd, port, done, part))
		return false;
	left = piece - (uint32_t)(part->address % piece);
	if (bus_updates(cmd->opcode) || (cmd->opcode == TMA_MULTIMEM_BULK_STORE && p->shape->ports > 1))
		part->bytes = part->bytes < left ? part->bytes : left;
	return true;
}

uint32_t bus_beats(const struct program *p, const struct bus_part *part)
{
	uint32_t data_bytes = p->shape->data_bytes;

	return ((uint32_t)(part->address % data_bytes) + part->bytes + data_bytes - 1) / data_bytes;
}

uint32_t bus_bytes_before(const struct program *p, const struct tma_command *cmd, uint32_t port, uint32_t end)
{
	uint32_t done = 0, bytes = 0;
	struct bus_part part;

	for (; bus_next(p, cmd, port, &done, &part) && done < end; done += part.bytes)
		bytes += part.bytes;
	return bytes;
}

uint32_t bus_port_bytes(const struct program *p, const struct tma_command *cmd, uint32_t port)
{
	return bus_bytes_before(p, cmd, port, UINT32_MAX);
}

uint8_t bus_hints(const struct program *p, const struct step *s)
{
	const struct tma_command *cmd = &s->cmd;
	uint8_t hints = cmd->flags & TMA_FLAG_CACHE_HINT ? cmd->policy >> 56 & 15 : 0;

	if (cmd->opcode == TMA_CP_ASYNC)
		hints |= (uint8_t)(cmd->mode << 4 | (cmd->flags & TMA_FLAG_CG ? 1 << 6 : 0));
	/* Of a load or a prefetch with a map its promotion. */
	if (s->tensor >= 0 && !tensor_is_written(cmd->opcode))
		hints |= (uint8_t)(p->tensors[s->tensor].map.promotion << 4);
	return hints;
}
