/* SPDX-License-Identifier: Apache-2.0 */
/* What lies at a global address: the caller's memory, an error response or nothing. */
#include <stdlib.h>

#include "model.h"

static bool valid_range(const struct tma_model *m, uint32_t port, uint64_t base, uint64_t size)
{
	return m && port < m->config.ports && size && base + (size - 1) >= base;
}

static bool valid_resp(int resp)
{
	return resp == RESP_OKAY || resp == RESP_SLVERR || resp == RESP_DECERR;
}

int tma_model_map(struct tma_model *m, uint32_t port, uint64_t base, uint64_t size, void *bytes)
{
	if (!valid_range(m, port, base, size) || !bytes)
		return TMA_MODEL_EINVAL;
	return model_stretches_put(&m->ports[port].memory, base, base + (size - 1), bytes);
}

int tma_model_unmap(struct tma_model *m, uint32_t port, uint64_t base, uint64_t size)
{
	if (!valid_range(m, port, base, size))
		return TMA_MODEL_EINVAL;
	return model_stretches_put(&m->ports[port].memory, base, base + (size - 1), NULL);
}

int tma_model_map_error(struct tma_model *m, uint32_t port, uint64_t base, uint64_t size, int read_resp,
                        int write_resp)
{
	struct port *p;
	struct error_region *grown;

	if (!valid_range(m, port, base, size) || !valid_resp(read_resp) || !valid_resp(write_resp))
		return TMA_MODEL_EINVAL;
	p = &m->ports[port];
	grown = realloc(p->errors, (p->num_errors + 1) * sizeof(*grown));
	if (!grown)
		return TMA_MODEL_ENOMEM;
	p->errors = grown;
	grown[p->num_errors++] = (struct error_region){
		.base = base, .last = base + (size - 1), .read_resp = read_resp, .write_resp = write_resp
	};
	return 0;
}

void model_port_clear(struct port *port)
{
	model_stretches_free(&port->memory);
	free(port->errors);
	port->errors = NULL;
	port->num_errors = 0;
}

int tma_model_unmap_all(struct tma_model *m, uint32_t port)
{
	if (!m || port >= m->config.ports)
		return TMA_MODEL_EINVAL;
	model_port_clear(&m->ports[port]);
	return 0;
}

int tma_model_kill_port(struct tma_model *m, uint32_t port)
{
	if (!m || port >= m->config.ports)
		return TMA_MODEL_EINVAL;
	m->ports[port].dead = true;
	return 0;
}

/* The caller's memory at `address`, or NULL. *bytes, at least 1, shrinks to the stretch over which that
 * answer goes on. */
unsigned char *model_memory_at(const struct port *port, uint64_t address, uint32_t *bytes)
{
	uint64_t last;
	unsigned char *memory = model_stretches_at(&port->memory, address, &last);

	if (last - address < *bytes)
		*bytes = (uint32_t)(last - address) + 1;
	return memory;
}

static bool mapped(const struct port *port, uint64_t address, uint32_t bytes)
{
	uint32_t stretch;

	for (uint32_t done = 0; done < bytes; done += stretch) {
		stretch = bytes - done;
		if (!model_memory_at(port, address + done, &stretch))
			return false;
	}
	return true;
}

static int response(const struct error_region *r, enum direction direction)
{
	return direction == READ ? r->read_resp : r->write_resp;
}

/*
 * Response of one beat, of which the operand uses `bytes` bytes from `address` on. The bus moves
 * the whole beat, so an error region touches it by any of its bytes. Maps are the caller's buffers
 * and may be shorter than a beat, so only the operand's bytes must be mapped. DECERR, the larger
 * number, wins. A dead port does not answer.
 */
int model_beat_response(const struct port *port, enum direction direction, uint32_t data_bytes,
                        uint64_t address, uint32_t bytes)
{
	uint64_t first = address - address % data_bytes;
	uint64_t last = first + (data_bytes - 1);
	int worst = mapped(port, address, bytes) ? RESP_OKAY : RESP_DECERR;

	if (port->dead)
		return RESP_DEAD;
	for (size_t i = 0; i < port->num_errors; i++) {
		const struct error_region *r = &port->errors[i];

		if (r->base <= last && first <= r->last && response(r, direction) > worst)
			worst = response(r, direction);
	}
	return worst;
}

/*
 * The addresses around `address` at which every beat answers OKAY, as far as one piece of the caller's memory
 * goes; false: that one does not. It says of a stretch what model_beat_response() says of each of its beats.
 */
bool model_quiet(const struct port *port, enum direction direction, uint32_t data_bytes, uint64_t address,
                 struct plain *quiet)
{
	uint64_t in_beat = data_bytes - 1;

	quiet->first = address;
	quiet->bytes = model_stretches_at(&port->memory, address, &quiet->last);
	if (!quiet->bytes || port->dead)
		return false;
	for (size_t i = 0; i < port->num_errors; i++) {
		const struct error_region *r = &port->errors[i];
		uint64_t first = r->base & ~in_beat, last = r->last | in_beat;

		if (response(r, direction) == RESP_OKAY || last < address)
			continue;
		if (first <= address)
			return false;
		if (first <= quiet->last)
			quiet->last = first - 1;
	}
	return true;
}
