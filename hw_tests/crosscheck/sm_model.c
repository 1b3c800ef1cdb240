/* SPDX-License-Identifier: Apache-2.0 */
/* Acts of SMs on the model. */
#include <stdlib.h>
#include <string.h>

#include "crosscheck/sm.h"
#include "lib/must.h"
#include "lib/rng.h"
#include "tma_abi.h"

#define STREAM_SM 14

bool sm_open(const uint32_t done[MAX_CTAS], const uint32_t gate[MAX_CTAS])
{
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		if (done[c] < gate[c])
			return false;
	return true;
}

bool sm_over(const struct program *p, const uint32_t done[MAX_CTAS])
{
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		if (done[c] != p->sm[c].num)
			return false;
	return true;
}

void sm_bytes(const struct sm_act *a, uint8_t *bytes)
{
	struct rng rng = rng_make(a->seed, STREAM_SM);

	for (uint32_t i = 0; i < a->chunks * CHUNK_BYTES; i++)
		bytes[i] = (uint8_t)rng_next(&rng);
}

void sm_answers(struct result *result, const struct program *p)
{
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		result->sm[c] = p->sm[c].bytes ? must(calloc(1, p->sm[c].bytes)) : NULL;
}

static void write_tile(const struct sm_act *a, uint8_t *to)
{
	uint8_t *bytes = must(malloc(a->chunks * CHUNK_BYTES));

	sm_bytes(a, bytes);
	for (uint32_t i = 0; i < a->chunks * CHUNK_BYTES; i++)
		if (a->mask >> i % CHUNK_BYTES & 1)
			to[i] = bytes[i];
	free(bytes);
}

static bool phase_over(const struct sm_act *a, const uint8_t *smem)
{
	uint64_t word;

	memcpy(&word, smem + a->offset, sizeof(word));
	return (word >> TMA_BARRIER_PHASE_LSB & 1) == a->phase;
}

bool sm_step(const struct program *p, uint32_t cta, uint32_t done[MAX_CTAS], uint8_t *smem,
             struct result *result, bool (*retired)(void *arg, uint32_t queue, uint32_t index), void *arg)
{
	const struct sm_act *a = &p->sm[cta].act[done[cta]];

	if (done[cta] == p->sm[cta].num || !sm_open(done, a->gate))
		return false;
	switch (a->kind) {
	case SM_POLL:
		if (!phase_over(a, smem))
			return false;
		break;
	case SM_RECORD:
		if (!retired(arg, a->queue, a->index))
			return false;
		break;
	case SM_READ:
		for (uint32_t i = 0; i < a->chunks; i++)
			memcpy(result->sm[cta] + a->at + i * CHUNK_BYTES, smem + a->chunk[i] * CHUNK_BYTES,
			       CHUNK_BYTES);
		break;
	case SM_WRITE:
		write_tile(a, smem + a->chunk[0] * CHUNK_BYTES);
		break;
	}
	done[cta]++;
	return true;
}
