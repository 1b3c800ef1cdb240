/* SPDX-License-Identifier: Apache-2.0 */
/* Multimem windows: one address that stands for one location on each of several ports. */
#include "model.h"

/* Windows stay as they are while a queue could use them. */
bool model_multimem_locked(const struct tma_model *m)
{
	for (uint32_t q = 0; q < m->config.queues; q++)
		for (uint32_t w = 0; w < m->config.windows; w++)
			if (model_queue_locked(&m->queues[q]) &&
			    (m->queues[q].windows[w].attr & TMA_WINDOW_MULTIMEM))
				return true;
	return false;
}

static bool valid_window(const struct tma_multimem *w)
{
	if (w->base % PAGE_BYTES || w->limit % PAGE_BYTES != PAGE_BYTES - 1 || w->base > w->limit)
		return false;
	for (uint32_t p = 0; p < TMA_MODEL_MAX_PORTS; p++)
		if (w->port_base[p] % PAGE_BYTES)
			return false;
	return true;
}

int tma_model_multimem(struct tma_model *m, uint32_t index, const struct tma_multimem *window)
{
	if (!m || index >= m->config.multimem_windows || !window || (window->ports && !valid_window(window)))
		return TMA_MODEL_EINVAL;
	if (model_multimem_locked(m))
		return TMA_MODEL_EBUSY;
	m->multimem[index] = *window;
	m->multimem[index].base &= ~PAGE_MASK;
	m->multimem[index].limit |= PAGE_MASK;
	m->multimem[index].ports &= model_port_bits(m);
	for (uint32_t p = 0; p < TMA_MODEL_MAX_PORTS; p++)
		m->multimem[index].port_base[p] &= ~PAGE_MASK;
	return 0;
}

/* NULL: no open window holds the page of `address`. */
static const struct tma_multimem *window_of(const struct tma_model *m, uint64_t address)
{
	for (uint32_t i = 0; i < m->config.multimem_windows; i++) {
		const struct tma_multimem *w = &m->multimem[i];

		if (w->ports && address >= w->base && address <= w->limit)
			return w;
	}
	return NULL;
}

/* One burst, to every port; those that take it get it. *fault is that of the lowest port that does not,
 * unless an earlier burst had one. Does the copy go on? An error ends it, a dead port only if no other
 * lives. */
static bool change_part(const struct row *row, const struct tma_multimem *w, uint64_t address, uint32_t bytes,
                        const struct change *change, uint32_t offset, struct fault *fault)
{
	bool lives = false;
	bool fails = false;

	for (uint32_t p = 0; p < row->model->config.ports; p++) {
		uint64_t there = w->port_base[p] + (address - w->base);
		uint16_t code;

		if (!(w->ports >> p & 1))
			continue;
		code = model_part_change(row, p, change, offset, there, bytes);
		if (code && !fault->code)
			*fault = (struct fault){ code, address };
		lives |= code != TMA_FAULT_PORT_DEAD;
		fails |= code && code != TMA_FAULT_PORT_DEAD;
	}
	return lives && !fails;
}

/* Is the page the queue's to write to, and of a multimem object? NULL: *fault says what not. */
static const struct tma_multimem *find_window(const struct row *row, uint64_t address, struct fault *fault)
{
	const struct tma_multimem *w = window_of(row->model, address);

	if (!model_window_allows(row, address, fault))
		return NULL;
	if (!w)
		*fault = (struct fault){ TMA_FAULT_MULTIMEM_UNMAPPED, address };
	return w;
}

/* Write a row to all devices, or reduce into it on each of them. Faults name the row's own addresses; the first
 * one counts. */
void model_multimem_change(const struct row *row, const struct change *change, struct fault *fault)
{
	bool goes_on = true;
	uint32_t bytes;

	for (uint32_t done = 0; done < row->size && goes_on; done += bytes) {
		uint64_t address = row->address + done;
		struct fault denied = { 0 };
		const struct tma_multimem *w = find_window(row, address, &denied);

		bytes = model_part_bytes(row, change, done);
		goes_on = w && change_part(row, w, address, bytes, change, done, fault);
		if (!fault->code)
			*fault = denied;
	}
}
