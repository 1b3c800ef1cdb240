/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk prefetches: hints, which may name anything. */
#include "crosscheck/gen.h"

#define STRAY_PERCENT 40

/* Of no window, or from in front of the data into it. What is left out is counted, also behind a fault, where
 * nobody knows whether the command executes. */
static void stray(struct gen *g, struct tma_command *cmd)
{
	uint32_t pages = rng_percent(&g->rng, 5) ? 600 : 1 + rng_below(&g->rng, 12);
	uint64_t before = 1 + rng_below(&g->rng, pages * PAGE_BYTES / CHUNK_BYTES);

	if (rng_percent(&g->rng, 50)) {
		cmd->global_address = rng_next(&g->rng) & ~(uint64_t)(CHUNK_BYTES - 1);
		cmd->size = (uint32_t)before * CHUNK_BYTES;
		return;
	}
	cmd->global_address = g->p->global_base + g->data_at - before * CHUNK_BYTES;
	cmd->size =
		(uint32_t)(before + rng_below(&g->rng, (uint32_t)g->data_bytes / CHUNK_BYTES)) * CHUNK_BYTES;
}

/* Its data is dropped, so it may read what others write. */
bool lower_prefetch(struct gen *g, const struct txn *t)
{
	struct tma_command cmd = { .opcode = TMA_BULK_PREFETCH,
		                   .global_address = copy_global_address(g, t),
		                   .size = t->chunks * CHUNK_BYTES };

	if (g->dead[t->queue])
		return false;
	if (!g->p->faults && rng_percent(&g->rng, STRAY_PERCENT))
		stray(g, &cmd);
	gen_emit(g, t->queue, &cmd);
	return true;
}
