/* SPDX-License-Identifier: Apache-2.0 */
/* Multimem windows: where the bytes of a multimem store go on each port. */
#include "tma_regs.h"
#include "wavecheck/check.h"

#define PAGE 4096u

void multimem_write_register(struct check *c, uint32_t address)
{
	uint32_t window = c->multimem_index & 0xff, port = c->multimem_index >> 8;
	uint32_t value = c->now->csr.value;
	uint8_t strobes = c->now->csr.strobes;
	struct tma_multimem *w;
	uint64_t *word;
	bool high = address == TMA_REG_MULTIMEM_BASE_HI || address == TMA_REG_MULTIMEM_LIMIT_HI ||
	            address == TMA_REG_MULTIMEM_PORT_BASE_HI;

	if (address == TMA_REG_MULTIMEM_INDEX) {
		c->multimem_index = setup_merge(c->multimem_index, value, strobes) & 0xffff;
		return;
	}
	if (window >= c->shape.multimem || port >= c->shape.ports)
		return;
	w = &c->multimem[window];
	if (address == TMA_REG_MULTIMEM_PORTS) {
		w->ports = setup_merge(w->ports, value, strobes) & ((1u << c->shape.ports) - 1);
		return;
	}
	if (address <= TMA_REG_MULTIMEM_BASE_HI)
		word = &w->base;
	else if (address <= TMA_REG_MULTIMEM_LIMIT_HI)
		word = &w->limit;
	else
		word = &w->port_base[port];
	if (high)
		value = setup_merge((uint32_t)(*word >> 32), value, strobes);
	else
		value = setup_merge((uint32_t)*word, value, strobes) & ~(PAGE - 1);
	if (high)
		*word = (*word & UINT32_MAX) | (uint64_t)value << 32;
	else
		*word = (*word & ~(uint64_t)UINT32_MAX) | value;
	w->limit |= PAGE - 1;
}

bool multimem_is(uint8_t opcode)
{
	return opcode == TMA_MULTIMEM_BULK_STORE || opcode == TMA_MULTIMEM_BULK_REDUCE;
}

const struct tma_multimem *multimem_window(const struct check *c, uint64_t address)
{
	for (uint32_t i = 0; i < c->shape.multimem; i++) {
		const struct tma_multimem *w = &c->multimem[i];

		if (w->ports && address >= w->base && address <= w->limit)
			return w;
	}
	return NULL;
}

unsigned write_id(const struct check *c, const struct copy *copy)
{
	if (copy->reduces)
		return c->shape.ports > 1 ? 2 : 1;
	return copy->multimem && c->shape.ports > 1;
}

unsigned path_of_port(const struct check *c, const struct copy *copy, unsigned port)
{
	if (copy->reduces)
		return REDUCES + port;
	return !port && copy->multimem && c->shape.ports > 1 ? SPREAD : WRITES + port;
}

unsigned port_of_path(unsigned path)
{
	if (path >= REDUCES)
		return path - REDUCES;
	return path == SPREAD || is_reads((int)path) ? 0 : path - WRITES;
}

uint64_t multimem_on_port(const struct check *c, const struct copy *copy, uint32_t path, uint64_t address)
{
	const struct tma_multimem *w = copy->multimem ? multimem_window(c, address) : NULL;

	return w ? w->port_base[port_of_path(path)] + (address - w->base) : address;
}

void multimem_skip(const struct check *c, struct copy *copy, uint32_t path)
{
	if (!copy->multimem)
		return;
	while (copy->covered[path] < copy->allowed) {
		uint64_t address = copy->command.global_address - copy->lead + copy->covered[path];
		const struct tma_multimem *w = multimem_window(c, address);
		uint32_t to_page = PAGE - (uint32_t)(address % PAGE);

		if (w && w->ports >> port_of_path(path) & 1)
			return;
		copy->covered[path] += to_page;
		if (copy->covered[path] > copy->allowed)
			copy->covered[path] = copy->allowed;
	}
}

/* Every page of the operand, wherever its windows put it, is scratch memory. */
void multimem_map(const struct check *c, struct tma_model *m, const struct tma_command *command)
{
	for (uint32_t p = 0; p < c->shape.ports; p++)
		tma_model_unmap_all(m, p);
	for (uint32_t i = 0; i < command->size;) {
		uint64_t address = command->global_address + i;
		const struct tma_multimem *w = multimem_window(c, address);
		uint32_t bytes = PAGE - (uint32_t)(address % PAGE);

		if (bytes > command->size - i)
			bytes = command->size - i;
		for (uint32_t p = 0; w && p < c->shape.ports; p++)
			if (w->ports >> p & 1)
				tma_model_map(m, p, w->port_base[p] + (address - w->base), bytes,
				              c->scratch + i);
		i += bytes;
	}
}
