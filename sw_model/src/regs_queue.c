/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the queues on page 0: set-up and state. */
#include "model.h"
#include "tma_regs.h"

/* Offset of a register in its queue's block. */
#define QUEUE(name) (TMA_REG_QUEUE_##name(0) - TMA_REG_QUEUE(0))

#define FIELD(value, name) (((value)&TMA_REG_QUEUE_##name##_MASK) >> TMA_REG_QUEUE_##name##_SHIFT)
#define PLACE(value, name) ((uint32_t)(value) << TMA_REG_QUEUE_##name##_SHIFT)

static uint32_t status_word(const struct queue *q)
{
	return PLACE(model_queue_busy(q), STATUS_BUSY) | PLACE(q->status.faulted, STATUS_FAULTED) |
	       PLACE(q->status.waiting, STATUS_WAITING) | PLACE(q->status.full, STATUS_FULL) |
	       PLACE(q->closing, STATUS_CLOSING);
}

bool model_state_read(const struct queue *q, uint32_t offset, uint32_t *value)
{
	switch (offset + QUEUE(STATUS)) {
	case QUEUE(STATUS):
		*value = status_word(q);
		return true;
	case QUEUE(FAULT):
		*value = PLACE(q->status.fault, FAULT_CODE) | PLACE(q->status.fault_count, FAULT_COUNT);
		return true;
	case QUEUE(FAULT_SEQUENCE):
		*value = q->status.fault_sequence;
		return true;
	case QUEUE(FAULT_ADDRESS_LO):
		*value = (uint32_t)q->status.fault_address;
		return true;
	case QUEUE(FAULT_ADDRESS_HI):
		*value = (uint32_t)(q->status.fault_address >> 32);
		return true;
	case QUEUE(FAULT_TAG):
		*value = q->status.fault_tag;
		return true;
	default:
		return false;
	}
}

bool model_queue_read(const struct tma_model *m, uint32_t queue, uint32_t offset, uint32_t *value)
{
	const struct queue *q = &m->queues[queue];
	const struct tma_queue_config *c = &q->config;

	switch (offset) {
	case QUEUE(CONTROL):
		*value = PLACE(c->enable, CONTROL_ENABLE) | PLACE(c->ring, CONTROL_RING);
		return true;
	case QUEUE(CTA):
		*value = PLACE(c->cta, CTA_CTA) | PLACE(c->cta_mask, CTA_CTA_MASK);
		return true;
	case QUEUE(STREAM):
		*value = PLACE(c->stream, STREAM_STREAM) | PLACE(c->prot, STREAM_PROT);
		return true;
	case QUEUE(HEAD):
		*value = q->status.next_sequence;
		return true;
	case QUEUE(RING_BASE_LO):
		*value = (uint32_t)c->ring_base;
		return true;
	case QUEUE(RING_BASE_HI):
		*value = (uint32_t)(c->ring_base >> 32);
		return true;
	case QUEUE(COMPLETION_BASE_LO):
		*value = (uint32_t)c->completion_base;
		return true;
	case QUEUE(COMPLETION_BASE_HI):
		*value = (uint32_t)(c->completion_base >> 32);
		return true;
	case QUEUE(RING_SIZE):
		*value = PLACE(c->ring_slots_log2, RING_SIZE_RING) |
		         PLACE(c->completion_slots_log2, RING_SIZE_COMPLETION);
		return true;
	case QUEUE(CANCEL_MASK):
		*value = PLACE(c->cancel_mask, CANCEL_MASK_QUEUES);
		return true;
	default:
		return offset >= QUEUE(STATUS) && model_state_read(q, offset - QUEUE(STATUS), value);
	}
}

static uint64_t with_low(uint64_t word, uint32_t value)
{
	return (word & ~UINT64_C(0xffffffff)) | (value & ~(uint32_t)PAGE_MASK);
}

static uint64_t with_high(uint64_t word, uint32_t value)
{
	return (word & UINT64_C(0xffffffff)) | (uint64_t)value << 32;
}

static bool write_control(struct queue *q, uint32_t value)
{
	bool enable = FIELD(value, CONTROL_ENABLE);
	bool ring = FIELD(value, CONTROL_RING);

	if (q->config.enable && enable && ring != q->config.ring)
		return false;
	model_queue_control(q, enable, ring);
	return true;
}

/* The queue's set-up with one word changed; false: the word is none of it. */
static bool change(const struct tma_model *m, struct tma_queue_config *c, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case QUEUE(CTA):
		c->cta = (uint8_t)FIELD(value, CTA_CTA);
		c->cta_mask = (uint16_t)(FIELD(value, CTA_CTA_MASK) & model_cta_bits(m));
		return true;
	case QUEUE(STREAM):
		c->stream = (uint8_t)FIELD(value, STREAM_STREAM);
		c->prot = (uint8_t)FIELD(value, STREAM_PROT);
		return true;
	case QUEUE(RING_BASE_LO):
		c->ring_base = with_low(c->ring_base, value);
		return true;
	case QUEUE(RING_BASE_HI):
		c->ring_base = with_high(c->ring_base, value);
		return true;
	case QUEUE(COMPLETION_BASE_LO):
		c->completion_base = with_low(c->completion_base, value);
		return true;
	case QUEUE(COMPLETION_BASE_HI):
		c->completion_base = with_high(c->completion_base, value);
		return true;
	case QUEUE(RING_SIZE):
		c->ring_slots_log2 = (uint8_t)FIELD(value, RING_SIZE_RING);
		c->completion_slots_log2 = (uint8_t)FIELD(value, RING_SIZE_COMPLETION);
		return true;
	case QUEUE(CANCEL_MASK):
		c->cancel_mask = (uint16_t)(FIELD(value, CANCEL_MASK_QUEUES) & model_queue_bits(m));
		return true;
	default:
		return false;
	}
}

bool model_queue_write(struct tma_model *m, uint32_t queue, uint32_t offset, uint32_t value)
{
	struct queue *q = &m->queues[queue];
	struct tma_queue_config c = q->config;

	if (offset == QUEUE(CONTROL))
		return write_control(q, value);
	if (model_queue_locked(q) || !change(m, &c, offset, value) || !model_valid_config(m, &c))
		return false;
	q->config = c;
	return true;
}
