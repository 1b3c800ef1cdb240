/* SPDX-License-Identifier: Apache-2.0 */
/* The shell around a rig: the rig has engine, memory ports and checks. */
#include "card/card.h"

#include <stdlib.h>
#include <string.h>

#include "lib/rig.h"

/* 0x00 to 0x0F, as rtl/front/tma_ap_ctrl.sv has them. */
#define AP_CTRL  0x0u
#define AP_GIE   0x4u
#define AP_IER   0x8u
#define AP_ISR   0xCu
#define AP_START 1u
#define AP_DONE  2u
#define AP_IDLE  4u
#define AP_READY 8u

struct card {
	struct rig *rig;
	bool done; /* there was a start since CTRL was read */
	uint32_t gie, ier, isr;
	uint32_t refusals;
	uint32_t smem_address, smem_strobe;
};

struct card *card_open(const char *config, void *memory, uint64_t base, uint64_t bank_bytes)
{
	const struct rig_opts opts = { .size = sizeof(opts) };
	struct card *card = calloc(1, sizeof(*card));
	uint32_t p;
	int error = 0;

	if (!card)
		return NULL;
	card->smem_strobe = 0xF;
	card->rig = rig_open(config, &opts);
	if (!card->rig) {
		free(card);
		return NULL;
	}
	for (p = 0; p < card_ports(card) && !error; p++) {
		error = rig_map(card->rig, p, base + p * bank_bytes, bank_bytes,
		                (uint8_t *)memory + p * bank_bytes);
		/* What queues may access is checked by their windows alone. */
		error = error ? error : rig_legal(card->rig, p, RIG_BOTH, 0, UINT64_MAX);
	}
	if (error) {
		card_close(card);
		return NULL;
	}
	return card;
}

int card_close(struct card *card)
{
	int failed;

	if (!card)
		return 0;
	failed = rig_failed(card->rig);
	failed += rig_close(card->rig);
	free(card);
	return failed;
}

uint32_t card_ports(const struct card *card)
{
	return rig_info(card->rig)->ports;
}

void card_run(struct card *card, uint32_t cycles)
{
	rig_run(card->rig, cycles);
}

bool card_busy(const struct card *card)
{
	return !tma_sim_out(rig_sim(card->rig))->idle;
}

bool card_interrupt(const struct card *card)
{
	return tma_sim_out(rig_sim(card->rig))->irq;
}

/*
 * Shared memory through a word at a time. The address moves on behind each.
 */

static uint32_t read_smem(struct card *card)
{
	uint32_t value = 0;

	if (rig_smem_read(card->rig, card->smem_address >> 24, card->smem_address & 0xFFFFFC, &value,
	                  sizeof(value)))
		card->refusals++;
	card->smem_address += sizeof(value);
	return value;
}

static void write_smem(struct card *card, uint32_t value)
{
	uint32_t cta = card->smem_address >> 24, offset = card->smem_address & 0xFFFFF0;
	uint32_t lane = card->smem_address & 0xC;
	uint8_t bytes[16] = { 0 };

	memcpy(bytes + lane, &value, sizeof(value));
	if (rig_smem_post_strobed(card->rig, cta, offset, bytes, (uint16_t)(card->smem_strobe << lane)) ||
	    rig_smem_flush(card->rig))
		card->refusals++;
	card->smem_address += sizeof(value);
}

/*
 * Registers.
 */

static uint32_t read_ctrl(struct card *card)
{
	uint32_t value = card->done ? AP_DONE | AP_READY : 0;

	card->done = false;
	return value | (card_busy(card) ? 0 : AP_IDLE);
}

static uint32_t read_engine(struct card *card, uint32_t offset)
{
	uint32_t value = 0;

	if (rig_csr_read(card->rig, offset, &value) == RIG_OKAY)
		return value;
	card->refusals++;
	return 0;
}

uint32_t card_read(struct card *card, uint32_t offset)
{
	offset &= ~3u;
	switch (offset) {
	case AP_CTRL:
		return read_ctrl(card);
	case AP_GIE:
		return card->gie;
	case AP_IER:
		return card->ier;
	case AP_ISR:
		return card->isr;
	case CARD_SHELL:
		return CARD_SHELL_IS;
	case CARD_REFUSALS:
		return card->refusals;
	case CARD_SMEM_ADDRESS:
		return card->smem_address;
	case CARD_SMEM_DATA:
		return read_smem(card);
	case CARD_SMEM_STROBE:
		return card->smem_strobe;
	default:
		return read_engine(card, offset);
	}
}

void card_write(struct card *card, uint32_t offset, uint32_t value)
{
	offset &= ~3u;
	switch (offset) {
	case AP_CTRL:
		card->done |= value & AP_START;
		card->isr |= value & AP_START ? card->ier : 0;
		break;
	case AP_GIE:
		card->gie = value & 1;
		break;
	case AP_IER:
		card->ier = value & 3;
		break;
	case AP_ISR:
		card->isr &= ~value;
		break;
	case CARD_SMEM_ADDRESS:
		card->smem_address = value & ~3u;
		break;
	case CARD_SMEM_DATA:
		write_smem(card, value);
		break;
	case CARD_SMEM_STROBE:
		card->smem_strobe = value & 0xF;
		break;
	default:
		if (rig_csr_write(card->rig, offset, value) != RIG_OKAY)
			card->refusals++;
	}
}
