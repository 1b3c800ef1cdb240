/* SPDX-License-Identifier: Apache-2.0 */
/* Bursts as the test of tma_reduce plans them: where they lie, which of them meet, how they end. */
#include "unit_rtl/tma_reduce_env.h"

bool burst_is_at(const struct env_burst *b, uint32_t p)
{
	return b->ports >> p & 1;
}

bool burst_in_a_line(const struct env *e, const struct env_burst *b, uint32_t p)
{
	uint32_t beat = e->info->data_bytes;

	return b->at[p] / beat == (b->at[p] + b->bytes - 1) / beat;
}

bool burst_touches(const struct env_burst *a, const struct env_burst *b, uint32_t p)
{
	return a->at[p] < b->at[p] + b->bytes && b->at[p] < a->at[p] + a->bytes;
}

/* The first beat that fails decides. */
static uint8_t first_error(const struct env_burst *b, uint32_t p, const uint8_t *errors)
{
	uint8_t resp = AXI_OKAY;

	for (uint32_t i = b->at[p] / ENV_GRAIN; !resp && i <= (b->at[p] + b->bytes - 1) / ENV_GRAIN; i++)
		resp = errors[i];
	return resp;
}

uint8_t burst_read_error(const struct env *e, const struct env_burst *b, uint32_t p)
{
	return first_error(b, p, e->port[p].read_error);
}

uint8_t burst_write_error(const struct env *e, const struct env_burst *b, uint32_t p)
{
	return first_error(b, p, e->port[p].write_error);
}
