/* SPDX-License-Identifier: Apache-2.0 */
/* tensor - records with a tensor map. */
#include <stdio.h>
#include <string.h>

#include "lib/vec_rules.h"
#include "replay/copy.h"
#include "replay/tensor.h"
#include "tma_abi.h"

#define FOUR_ROWS 5u /* coordinates: a column and the rows */

static int tensor_encode(const struct vec_record *r, enum tma_map_target target, uint64_t address,
                         struct tma_map *map, struct tma_map_error *error)
{
	int32_t lower[3], upper[3];

	if (r->map_kind == VEC_MAP_TILED)
		return tma_map_encode_tiled(map, target, r->dtype, r->rank, address, r->dim, r->stride,
		                            r->box, r->estride, r->interleave, r->swizzle, r->l2promo, r->oob,
		                            error);
	memcpy(lower, r->lower, sizeof(lower));
	memcpy(upper, r->upper, sizeof(upper));
	if (r->map_kind == VEC_MAP_WIDE)
		return tma_map_encode_im2col_wide(
			map, target, r->dtype, r->rank, address, r->dim, r->stride, lower[0], upper[0],
			r->cpp, r->ppc, r->estride, r->interleave,
			r->mode == VEC_IM2COL_W ? TMA_MAP_WIDE_MODE_W : TMA_MAP_WIDE_MODE_W128, r->swizzle,
			r->l2promo, r->oob, error);
	return tma_map_encode_im2col(map, target, r->dtype, r->rank, address, r->dim, r->stride, lower, upper,
	                             r->cpp, r->ppc, r->estride, r->interleave, r->swizzle, r->l2promo,
	                             r->oob, error);
}

int tensor_map(struct job *job)
{
	struct tma_map_error error = { .parameter = "", .rule = "" };
	struct tma_map map;

	/* The wider target: what a record of any hardware has may be replayed. */
	if (!tensor_encode(&job->record, TMA_MAP_SM_100, job->address + job->record.base, &map, &error)) {
		for (uint32_t i = 0; i < JOB_MAP_BYTES; i++)
			job->map_bytes[i] = (uint8_t)(map.word[i / 8] >> i % 8 * 8);
		return 0;
	}
	snprintf(job->reason, sizeof(job->reason), "its map is refused: %s: %s", error.parameter, error.rule);
	return -1;
}

/* Map, mode and coordinates. */
static struct step *tensor_step(struct job *job, uint8_t opcode)
{
	const struct vec_record *r = &job->record;
	struct step *step = job_step(job, opcode);
	bool four = r->mode == VEC_GATHER4 || r->mode == VEC_SCATTER4;

	step->command.mode = (uint8_t)r->mode;
	step->command.dim = (uint8_t)r->rank;
	step->command.global_address = job->map_address;
	for (uint32_t i = 0; i < (four ? FOUR_ROWS : r->rank); i++)
		step->command.coord[i] = (int32_t)r->coord[i];
	for (uint32_t i = 0; i < vec_offsets(r); i++)
		step->command.im2col[i] = (uint16_t)r->offs[i];
	return step;
}

/* The engine may still have the map that was in this memory before. Where no map was, the fence must
 * not change anything, nor must a prefetch. */
static void announce_map(struct job *job, struct rng *rng)
{
	if (job->map_stale || rng_percent(rng, 12))
		job_step(job, TMA_MAP_FENCE)->command.global_address = job->map_address;
	if (rng_percent(rng, 12))
		job_step(job, TMA_PREFETCH_TENSORMAP)->command.global_address = job->map_address;
}

void tensor_build_load(struct job *job, struct rng *rng)
{
	struct copy_target target = copy_arm_load(job, job->record.op == VEC_TENSOR_LOAD_MULTICAST, rng);
	struct step *copy;

	announce_map(job, rng);
	/* Of the same queue, so that it has its map when the copy is over; a copy to nobody does not wait for it. */
	if (rng_percent(rng, 12) && target.ranks)
		copy_hint(tensor_step(job, TMA_TENSOR_PREFETCH), rng);
	copy = tensor_step(job, TMA_TENSOR_LOAD);
	copy_aim(job, copy, &target, rng);
	copy_hint(copy, rng);
	copy_watch(job, copy, &target, rng);
}

static struct step *to_tensor(struct job *job, uint8_t opcode, struct rng *rng)
{
	struct step *copy;

	announce_map(job, rng);
	copy = tensor_step(job, opcode);
	copy->command.shared_dst = job_shared(job, 0, job->window + job->record.smem_off);
	copy_hint(copy, rng);
	job_step(job, TMA_BULK_COMMIT_GROUP);
	job->in_group = true;
	return copy;
}

void tensor_build_store(struct job *job, struct rng *rng)
{
	to_tensor(job, TMA_TENSOR_STORE, rng);
}

void tensor_build_reduce(struct job *job, struct rng *rng)
{
	to_tensor(job, TMA_TENSOR_REDUCE, rng)->command.op = (uint8_t)job->record.redop;
}
