/* SPDX-License-Identifier: Apache-2.0 */
/* Life of a model: creation in a known state, its memories, its end. */
#include <stdlib.h>

#include "model.h"
#include "tma_regs.h"

#define SMEM_GRANULE   128u
#define SMEM_MAX       (1u << 24)
#define DATA_BYTES_MIN 16u
#define DATA_BYTES_MAX 128u
#define READS_MAX      0xffffu
#define MAPS_MAX       16u

static uint32_t or_default(uint32_t value, uint32_t fallback)
{
	return value ? value : fallback;
}

static struct tma_model_config complete(const struct tma_model_config *c)
{
	return (struct tma_model_config){
		.ctas = or_default(c->ctas, 4),
		.smem_bytes = or_default(c->smem_bytes, 65536),
		.queues = or_default(c->queues, 8),
		.windows = or_default(c->windows, 4),
		.ports = or_default(c->ports, 2),
		.data_bytes = or_default(c->data_bytes, 64),
		.multimem_windows = or_default(c->multimem_windows, 2),
		.reads = or_default(c->reads, 128),
		.maps = or_default(c->maps, 4),
		.without_packed = c->without_packed,
		.reductions = c->reductions,
		.seed = c->seed,
	};
}

static bool valid(const struct tma_model_config *c)
{
	return c->ctas <= TMA_MODEL_MAX_CTAS && c->queues <= TMA_MODEL_MAX_QUEUES &&
	       c->windows <= TMA_MODEL_MAX_WINDOWS && c->ports <= TMA_MODEL_MAX_PORTS &&
	       c->smem_bytes % SMEM_GRANULE == 0 && c->smem_bytes <= SMEM_MAX &&
	       c->data_bytes >= DATA_BYTES_MIN && c->data_bytes <= DATA_BYTES_MAX &&
	       (c->data_bytes & (c->data_bytes - 1)) == 0 && c->multimem_windows <= TMA_MODEL_MAX_MULTIMEM &&
	       c->reads <= READS_MAX && c->maps <= MAPS_MAX && c->without_packed <= 1 &&
	       (c->reductions <= TMA_MODEL_REDUCE ||
	        c->reductions == (TMA_MODEL_REDUCE | TMA_MODEL_REDUCE_F64) ||
	        c->reductions == (TMA_MODEL_REDUCE | TMA_MODEL_REDUCE_INTEGERS));
}

/* Registers that do not start as zero. */
static void set_registers(struct tma_model *m)
{
	m->registers.axcache = TMA_REG_AXCACHE_RESET;
	m->registers.watchdog = TMA_REG_WATCHDOG_RESET;
	for (uint32_t q = 0; q < TMA_MODEL_MAX_QUEUES; q++) {
		m->queues[q].config.ring_slots_log2 = TMA_MODEL_MIN_SLOTS_LOG2;
		m->queues[q].config.completion_slots_log2 = TMA_MODEL_MIN_SLOTS_LOG2;
		for (uint32_t w = 0; w < TMA_MODEL_MAX_WINDOWS; w++)
			m->queues[q].windows[w].limit = PAGE_MASK;
	}
	for (uint32_t i = 0; i < TMA_MODEL_MAX_MULTIMEM; i++)
		m->multimem[i].limit = PAGE_MASK;
}

/* Buffers of global memory begin on a page as a rule. Where a copy's ends differ by a few bytes modulo a page, as
 * they would behind the allocator's own 16, each load of the processor seems to need the store before it. */
static unsigned char *on_page(unsigned char *room)
{
	return room + (PAGE_BYTES - (uintptr_t)room % PAGE_BYTES) % PAGE_BYTES;
}

struct tma_model *tma_model_new(const struct tma_model_config *config)
{
	struct tma_model_config c = complete(config);
	struct tma_model *m;

	if (!valid(&c))
		return NULL;
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->config = c;
	set_registers(m);
	if (c.seed) {
		m->late = model_late_new(c.seed);
		if (!m->late) {
			free(m);
			return NULL;
		}
	}
	model_fifo_init(&m->records, sizeof(struct tma_record));
	for (uint32_t i = 0; i < c.queues; i++)
		model_fifo_init(&m->queues[i].commands, sizeof(struct tma_command));
	for (uint32_t i = 0; i < c.ctas; i++) {
		m->smem_room[i] = calloc(1, c.smem_bytes + PAGE_BYTES);
		if (!m->smem_room[i]) {
			tma_model_free(m);
			return NULL;
		}
		m->smem[i] = on_page(m->smem_room[i]);
	}
	return m;
}

void tma_model_free(struct tma_model *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->config.ctas; i++)
		free(m->smem_room[i]);
	for (uint32_t i = 0; i < m->config.queues; i++)
		model_fifo_free(&m->queues[i].commands);
	for (uint32_t i = 0; i < m->config.ports; i++)
		model_port_clear(&m->ports[i]);
	model_fifo_free(&m->records);
	model_late_free(m->late);
	free(m);
}

const struct tma_model_config *tma_model_config(const struct tma_model *m)
{
	return &m->config;
}

uint8_t *tma_model_smem(struct tma_model *m, uint32_t cta)
{
	return m && cta < m->config.ctas ? m->smem[cta] : NULL;
}

int tma_model_counters(const struct tma_model *m, struct tma_model_counters *counters)
{
	if (!m || !counters)
		return TMA_MODEL_EINVAL;
	*counters = m->counters;
	return 0;
}
