/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel as Verilator has it: shell and engine. What is here is its memory. */
#include "card/card.h"

#include <stdlib.h>
#include <string.h>

#include "unit_rtl/kernel_bench.h"
#include "unit_rtl/unit.h"

#define LATENCY 100u /* cycles of memory */

struct card {
	struct kernel_bench kernel;
	bool idle; /* as last seen, and nothing was asked of it since */
};

struct card *card_open(const char *config, void *memory, uint64_t base, uint64_t bank_bytes)
{
	const struct kernel_bench_opts opts = { .latency = LATENCY };
	struct card *card;
	uint32_t p;
	int error = 0;

	if (strcmp(config, CARD_CONFIG) != 0)
		return NULL;
	card = calloc(1, sizeof(*card));
	if (!card || !kernel_bench_open(&card->kernel, &opts)) {
		free(card);
		return NULL;
	}
	for (p = 0; p < card_ports(card) && !error; p++)
		error = kernel_bench_map(&card->kernel, p, base + p * bank_bytes, bank_bytes,
		                         (uint8_t *)memory + p * bank_bytes);
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
	failed = kernel_bench_close(&card->kernel);
	free(card);
	return failed;
}

uint32_t card_ports(const struct card *card)
{
	(void)card;
	return unit_shape()->ports;
}

bool card_busy(struct card *card)
{
	card->idle = card->idle || kernel_bench_idle(&card->kernel);
	return !card->idle;
}

void card_run(struct card *card, uint32_t cycles)
{
	uint32_t i;

	if (!card_busy(card))
		return;
	for (i = 0; i < cycles; i++)
		kernel_bench_step(&card->kernel);
}

bool card_interrupt(const struct card *card)
{
	return kernel_bench_interrupt(&card->kernel);
}

uint32_t card_read(struct card *card, uint32_t offset)
{
	return kernel_bench_read(&card->kernel, offset & ~3u);
}

void card_write(struct card *card, uint32_t offset, uint32_t value)
{
	kernel_bench_write(&card->kernel, offset & ~3u, value);
	card->idle = false;
}
