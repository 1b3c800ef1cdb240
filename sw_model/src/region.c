/* SPDX-License-Identifier: Apache-2.0 */
/* What lies at a global address: the caller's memory, an error response or nothing. */
#include <stdlib.h>

#include "model.h"

static int append(struct region_list *list, struct region region)
{
	struct region *grown = realloc(list->regions, (list->count + 1) * sizeof(*grown));

	if (!grown)
		return TMA_MODEL_ENOMEM;
	grown[list->count++] = region;
	list->regions = grown;
	return 0;
}

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
	return append(&m->ports[port].maps,
	              (struct region){ .base = base, .last = base + (size - 1), .bytes = bytes });
}

int tma_model_map_error(struct tma_model *m, uint32_t port, uint64_t base, uint64_t size, int read_resp,
                        int write_resp)
{
	if (!valid_range(m, port, base, size) || !valid_resp(read_resp) || !valid_resp(write_resp))
		return TMA_MODEL_EINVAL;
	return append(&m->ports[port].errors, (struct region){ .base = base,
	                                                       .last = base + (size - 1),
	                                                       .read_resp = read_resp,
	                                                       .write_resp = write_resp });
}

static void clear_list(struct region_list *list)
{
	free(list->regions);
	*list = (struct region_list){ 0 };
}

void model_port_clear(struct port *port)
{
	clear_list(&port->maps);
	clear_list(&port->errors);
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

/* The caller's memory at `address`, or NULL, by the newest map. *bytes, at least 1, shrinks to the
 * stretch over which that answer goes on. */
unsigned char *model_memory_at(const struct port *port, uint64_t address, uint32_t *bytes)
{
	for (size_t i = port->maps.count; i-- > 0;) {
		const struct region *r = &port->maps.regions[i];

		if (address > r->last)
			continue;
		if (address >= r->base) {
			if (r->last - address < *bytes)
				*bytes = (uint32_t)(r->last - address) + 1;
			return r->bytes + (address - r->base);
		}
		if (r->base - address < *bytes)
			*bytes = (uint32_t)(r->base - address);
	}
	return NULL;
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
	for (size_t i = 0; i < port->errors.count; i++) {
		const struct region *r = &port->errors.regions[i];
		int resp = direction == READ ? r->read_resp : r->write_resp;

		if (r->base <= last && first <= r->last && resp > worst)
			worst = resp;
	}
	return worst;
}
