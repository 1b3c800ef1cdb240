/* SPDX-License-Identifier: Apache-2.0 */
/* Registers: which part an address belongs to, identity and counters. */
#include "model.h"
#include "tma_regs.h"

#define QUEUE_STRIDE   (TMA_REG_QUEUE(1) - TMA_REG_QUEUE(0))
#define DOOR_STRIDE    (TMA_REG_DOOR(1) - TMA_REG_DOOR(0))
#define COUNTER_STRIDE (TMA_REG_COUNTER(1) - TMA_REG_COUNTER(0))

#define CAP(name, value) ((uint32_t)(value) << TMA_CAP_##name##_LSB)

_Static_assert(COUNTERS == TMA_REG_COUNTER_COUNT, "counters");

static uint32_t capability(const struct tma_model *m, uint32_t word)
{
	const struct tma_model_config *c = &m->config;

	switch (word) {
	case 0:
		return CAP(DATA_BYTES, c->data_bytes) | CAP(CTAS, c->ctas) | CAP(QUEUES, c->queues) |
		       CAP(PORTS, c->ports);
	case 1:
		return CAP(SMEM_BYTES, c->smem_bytes);
	case 2:
		return CAP(WINDOWS, c->windows) | CAP(READS, c->reads) |
		       CAP(MULTIMEM_WINDOWS, c->multimem_windows);
	default:
		return CAP(RING, 1) | CAP(MULTIMEM, 1) | CAP(CP_ASYNC, 1) | CAP(TENSOR, 1) |
		       CAP(REDUCE, c->reductions & TMA_MODEL_REDUCE) |
		       CAP(FLOATS, (c->reductions & (TMA_MODEL_REDUCE | TMA_MODEL_REDUCE_INTEGERS)) ==
		                           TMA_MODEL_REDUCE) |
		       CAP(F64, (c->reductions & TMA_MODEL_REDUCE_F64) != 0) |
		       CAP(PACKED, !c->without_packed) | CAP(MAPS, c->maps);
	}
}

static uint64_t counter(const struct tma_model *m, uint32_t index)
{
	switch (index) {
	case TMA_COUNTER_COMMANDS:
		return m->counters.commands;
	case TMA_COUNTER_SIGNALS:
		return m->counters.signals;
	case TMA_COUNTER_FAULTS:
		return m->counters.faults;
	case TMA_COUNTER_PREFETCH_ERRORS:
		return m->counters.prefetch_errors;
	case TMA_COUNTER_RECORDS:
		return m->counters.records;
	default:
		return 0;
	}
}

static uint32_t read_counter(struct tma_model *m, uint32_t offset)
{
	uint32_t index = offset / COUNTER_STRIDE;
	uint64_t value = counter(m, index);

	if (offset % COUNTER_STRIDE)
		return m->registers.latches[index];
	m->registers.latches[index] = (uint32_t)(value >> 32);
	return (uint32_t)value;
}

static bool idle(const struct tma_model *m)
{
	for (uint32_t q = 0; q < m->config.queues; q++)
		if (model_queue_busy(&m->queues[q]))
			return false;
	return true;
}

static uint32_t dead_ports(const struct tma_model *m)
{
	uint32_t dead = 0;

	for (uint32_t p = 0; p < m->config.ports; p++)
		dead |= (uint32_t)m->ports[p].dead << p;
	return dead;
}

static bool read_page(const struct tma_model *m, uint32_t address, uint32_t *value)
{
	switch (address) {
	case TMA_REG_MAGIC:
		*value = TMA_REG_MAGIC_RESET;
		return true;
	case TMA_REG_VERSION:
		*value = TMA_REG_VERSION_RESET;
		return true;
	case TMA_REG_STATUS:
		*value = (uint32_t)idle(m) << TMA_REG_STATUS_IDLE_SHIFT;
		return true;
	case TMA_REG_AXCACHE:
		*value = m->registers.axcache;
		return true;
	case TMA_REG_WATCHDOG:
		*value = m->registers.watchdog;
		return true;
	case TMA_REG_BEHAVIOUR:
		*value = m->registers.behaviour;
		return true;
	case TMA_REG_PORTS:
		*value = dead_ports(m);
		return true;
	default:
		return model_window_read(m, address, value);
	}
}

static bool write_page(struct tma_model *m, uint32_t address, uint32_t value)
{
	switch (address) {
	case TMA_REG_AXCACHE:
		m->registers.axcache = value & TMA_REG_AXCACHE_AXCACHE_MASK;
		return true;
	case TMA_REG_WATCHDOG:
		m->registers.watchdog = value;
		return true;
	case TMA_REG_BEHAVIOUR:
		m->registers.behaviour =
			value & (TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK | TMA_REG_BEHAVIOUR_F32_FTZ_MASK);
		return true;
	default:
		return model_window_write(m, address, value);
	}
}

/* The access lies in `count` blocks of `stride` bytes from `base` on. */
static bool inside(uint32_t address, uint32_t base, uint32_t count, uint32_t stride)
{
	return address >= base && address - base < count * stride;
}

static bool read_register(struct tma_model *m, uint32_t address, uint32_t *value)
{
	uint32_t queues = m->config.queues;

	if (inside(address, TMA_REG_CAP(0), TMA_REG_CAP_COUNT, TMA_REG_CAP(1) - TMA_REG_CAP(0))) {
		*value = capability(m, (address - TMA_REG_CAP(0)) / (TMA_REG_CAP(1) - TMA_REG_CAP(0)));
		return true;
	}
	if (inside(address, TMA_REG_COUNTER(0), COUNTERS, COUNTER_STRIDE)) {
		*value = read_counter(m, address - TMA_REG_COUNTER(0));
		return true;
	}
	if (inside(address, TMA_REG_QUEUE(0), queues, QUEUE_STRIDE))
		return model_queue_read(m, (address - TMA_REG_QUEUE(0)) / QUEUE_STRIDE,
		                        (address - TMA_REG_QUEUE(0)) % QUEUE_STRIDE, value);
	if (inside(address, TMA_REG_DOOR(0), queues, DOOR_STRIDE))
		return model_door_read(m, (address - TMA_REG_DOOR(0)) / DOOR_STRIDE,
		                       (address - TMA_REG_DOOR(0)) % DOOR_STRIDE, value);
	return read_page(m, address, value);
}

static bool write_register(struct tma_model *m, uint32_t address, uint32_t value)
{
	uint32_t queues = m->config.queues;

	if (inside(address, TMA_REG_QUEUE(0), queues, QUEUE_STRIDE))
		return model_queue_write(m, (address - TMA_REG_QUEUE(0)) / QUEUE_STRIDE,
		                         (address - TMA_REG_QUEUE(0)) % QUEUE_STRIDE, value);
	if (inside(address, TMA_REG_DOOR(0), queues, DOOR_STRIDE))
		return model_door_write(m, (address - TMA_REG_DOOR(0)) / DOOR_STRIDE,
		                        (address - TMA_REG_DOOR(0)) % DOOR_STRIDE, value);
	return write_page(m, address, value);
}

/* The lowest two bits of an address choose a byte of a word, and every access is of a word. */
int tma_model_reg_read(struct tma_model *m, uint32_t address, uint32_t *value)
{
	if (!m || !value)
		return TMA_MODEL_EINVAL;
	*value = 0;
	return read_register(m, address & ~3u, value) ? RESP_OKAY : RESP_SLVERR;
}

int tma_model_reg_write(struct tma_model *m, uint32_t address, uint32_t value)
{
	if (!m)
		return TMA_MODEL_EINVAL;
	return write_register(m, address & ~3u, value) ? RESP_OKAY : RESP_SLVERR;
}
