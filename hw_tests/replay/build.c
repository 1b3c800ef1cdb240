/* SPDX-License-Identifier: Apache-2.0 */
/* build - turns records into commands. */
#include <stdlib.h>

#include "lib/vec_rules.h"
#include "replay/barrier.h"
#include "replay/build.h"
#include "replay/copy.h"
#include "replay/space.h"
#include "replay/tensor.h"
#include "tma_abi.h"
#include "tma_tables.h"

#define WAIT_FOREVER     UINT32_MAX
#define STEPS_PER_CTA    2u /* init and arrive */
#define STEPS_PER_RECORD 5u
#define PREFETCH_SIZES   4u
#define CG_SIZE          16u

struct builder {
	const char *name;
	void (*build)(struct job *job, struct rng *rng);
};

struct step *job_step(struct job *job, uint8_t opcode)
{
	struct step *step = &job->steps[job->num_steps++];

	step->command.opcode = opcode;
	step->command.version = TMA_COMMAND_VERSION;
	step->state_of = STEP_NONE;
	return step;
}

void job_await(struct step *step, uint8_t kind, uint64_t value)
{
	step->kind = kind;
	step->value = value;
	if (!tma_command_answers(step->command.opcode))
		step->command.flags |= TMA_FLAG_RECORD;
}

uint32_t job_shared(const struct job *job, uint32_t cta, uint32_t offset)
{
	return (uint32_t)job->rank[cta] << 24 | offset;
}

static void build_bulk_load(struct job *job, struct rng *rng)
{
	const struct vec_record *r = &job->record;
	struct copy_target target = copy_arm_load(job, r->nctas > 1, rng);
	struct step *copy = job_step(job, TMA_BULK_LOAD);

	copy->command.global_address = job->address + r->base;
	copy->command.size = r->nbytes;
	copy_aim(job, copy, &target, rng);
	copy_hint(copy, rng);
	copy_watch(job, copy, &target, rng);
}

/* Without operator and type, what the reduction to global memory has in common with a store. */
static struct step *to_global(struct job *job, uint8_t opcode, struct rng *rng)
{
	const struct vec_record *r = &job->record;
	struct step *copy = job_step(job, opcode);

	copy->command.global_address = job->address + r->base;
	copy->command.size = r->nbytes;
	copy->command.shared_src = job_shared(job, 0, job->window + r->smem_off);
	copy_hint(copy, rng);
	job_step(job, TMA_BULK_COMMIT_GROUP);
	job->in_group = true;
	return copy;
}

static void build_bulk_store(struct job *job, struct rng *rng)
{
	to_global(job, TMA_BULK_STORE, rng);
}

static void reduce_by(struct step *copy, const struct vec_record *r)
{
	copy->command.op = (uint8_t)r->redop;
	copy->command.type = (uint8_t)r->type;
}

static void build_bulk_reduce(struct job *job, struct rng *rng)
{
	reduce_by(to_global(job, TMA_BULK_REDUCE, rng), &job->record);
}

static struct step *to_shared(struct job *job, uint8_t opcode, struct rng *rng)
{
	const struct vec_record *r = &job->record;
	struct copy_target target = { .ranks = 1u << job->rank[1] };
	struct step *copy;

	copy_arm(job, 1, true, rng);
	copy = job_step(job, opcode);
	copy->command.size = r->nbytes;
	copy->command.shared_src = job_shared(job, 0, job->window + r->smem_off);
	copy->command.shared_dst = job_shared(job, 1, job->window + r->smem_off);
	copy->command.barrier = job_shared(job, 1, job->barrier);
	copy_watch(job, copy, &target, rng);
	return copy;
}

static void build_bulk_shared(struct job *job, struct rng *rng)
{
	to_shared(job, TMA_BULK_SHARED, rng);
}

static void build_bulk_reduce_shared(struct job *job, struct rng *rng)
{
	reduce_by(to_shared(job, TMA_BULK_REDUCE_SHARED, rng), &job->record);
}

/* cp.async writes cp_size bytes. Their source is src_size bytes of memory and zeros, or zeros alone when
 * the source is ignored. */
static void add_cp_async(struct job *job, struct rng *rng)
{
	const struct vec_record *r = &job->record;
	struct step *copy = job_step(job, TMA_CP_ASYNC);

	copy->command.global_address = job->address + r->base;
	copy->command.size = r->cp_size;
	copy->command.shared_dst = job_shared(job, 0, job->window + r->smem_off);
	if (r->ignore_src == VEC_IGNORED) {
		copy->command.flags |= TMA_FLAG_IGNORE_SRC;
	} else if (r->ignore_src == VEC_SRC_SIZE && (r->src_size < r->cp_size || rng_percent(rng, 50))) {
		copy->command.flags |= TMA_FLAG_SRC_SIZE;
		copy->command.count = r->src_size;
	}
	/* None of these may change anything. */
	copy->command.mode = (uint8_t)rng_below(rng, PREFETCH_SIZES);
	if (r->cp_size == CG_SIZE && rng_percent(rng, 50))
		copy->command.flags |= TMA_FLAG_CG;
	if (rng_percent(rng, 12))
		job_await(copy, TMA_KIND_RETIRED, 0);
	copy_hint(copy, rng);
}

/* Waits for the copy, as one of a group or for all of them. */
static void wait_cp_async(struct job *job, struct rng *rng)
{
	struct step *wait;

	if (rng_percent(rng, 50)) {
		job_step(job, TMA_CP_ASYNC_COMMIT_GROUP);
		wait = job_step(job, TMA_CP_ASYNC_WAIT_GROUP);
	} else {
		wait = job_step(job, TMA_CP_ASYNC_WAIT_ALL);
	}
	job_await(wait, TMA_KIND_RETIRED, 0);
}

/* A barrier whose phase completes with the copy: it expects one arrival. That is the copy's own, or,
 * when the copy's is counted on top, another one. */
static void arrive_cp_async(struct job *job, struct rng *rng)
{
	struct barrier b = barrier_init(1);
	bool own = rng_percent(rng, 50);
	struct step *step;

	job->checked = 1;
	job->barrier_before[0] = barrier_word(&b);
	if (rng_percent(rng, 50)) {
		job->barrier_before[0] = 0;
		step = job_step(job, TMA_MBARRIER_INIT);
		step->command.barrier = job_shared(job, 0, job->barrier);
		step->command.count = 1;
	}
	add_cp_async(job, rng);
	step = job_step(job, TMA_CP_ASYNC_MBARRIER_ARRIVE);
	step->command.barrier = job_shared(job, 0, job->barrier);
	if (own) {
		step->command.flags = TMA_FLAG_NOINC;
	} else {
		step = job_step(job, TMA_MBARRIER_ARRIVE);
		step->command.barrier = job_shared(job, 0, job->barrier);
		step->command.count = 1;
	}
	barrier_arrive(&b, 1, 0, false);
	job->barrier_after[0] = barrier_word(&b);
	if (!rng_percent(rng, 50))
		return;
	step = job_step(job, TMA_MBARRIER_TRY_WAIT);
	step->command.flags = TMA_FLAG_PARITY;
	step->command.barrier = job_shared(job, 0, job->barrier);
	step->command.tx = WAIT_FOREVER;
	job_await(step, TMA_KIND_ANSWER, 1);
}

static void build_cp_async(struct job *job, struct rng *rng)
{
	if (rng_percent(rng, 50)) {
		arrive_cp_async(job, rng);
		return;
	}
	add_cp_async(job, rng);
	wait_cp_async(job, rng);
}

static const struct builder builders[VEC_NUM_OPS] = {
	[VEC_TENSOR_LOAD] = { "tensor load", tensor_build_load },
	[VEC_TENSOR_STORE] = { "tensor store", tensor_build_store },
	[VEC_TENSOR_REDUCE] = { "tensor reduction", tensor_build_reduce },
	[VEC_BULK_LOAD] = { "bulk load", build_bulk_load },
	[VEC_BULK_STORE] = { "bulk store", build_bulk_store },
	[VEC_BULK_SHARED] = { "bulk copy to another CTA", build_bulk_shared },
	[VEC_BULK_REDUCE] = { "bulk reduction", build_bulk_reduce },
	[VEC_BULK_REDUCE_SHARED] = { "bulk reduction to another CTA", build_bulk_reduce_shared },
	[VEC_CP_ASYNC] = { "cp.async", build_cp_async },
	[VEC_ENCODE] = { "map encoding", NULL },
	[VEC_TENSOR_LOAD_MULTICAST] = { "tensor load, multicast", tensor_build_load },
};

const char *build_name(const struct vec_record *record)
{
	if (record->op == VEC_BULK_LOAD && record->nctas > 1)
		return "bulk load, multicast";
	return builders[record->op].name;
}

static bool is_reduction(const struct vec_record *record)
{
	return record->op == VEC_TENSOR_REDUCE || record->op == VEC_BULK_REDUCE ||
	       record->op == VEC_BULK_REDUCE_SHARED;
}

static bool is_floating(const struct vec_record *record)
{
	return record->op == VEC_TENSOR_REDUCE
	               ? record->dtype >= VEC_DTYPE_FLOAT16 && record->dtype <= VEC_DTYPE_TFLOAT32_FTZ
	               : record->type >= VEC_TYPE_F16 && record->type <= VEC_TYPE_F64;
}

static bool is_f64(const struct vec_record *record)
{
	return record->op == VEC_TENSOR_REDUCE ? record->dtype == VEC_DTYPE_FLOAT64
	                                       : record->type == VEC_TYPE_F64;
}

const char *build_skip(const struct vec_record *record, const struct replay_shape *shape)
{
	if (record->op == VEC_ENCODE)
		return NULL;
	if (is_reduction(record) && !shape->reduce)
		return "reductions are not built";
	if (record->nctas > shape->ctas)
		return "more CTAs than built";
	if (record->smem_len > shape->smem_bytes)
		return "window beyond shared memory";
	if (record->gmem_len > SPACE_MAX_REGION)
		return "global region beyond the replay's memory";
	if (vec_is_tensor(record->op) && record->dtype >= VEC_DTYPE_16U4_ALIGN16B && !shape->packed)
		return "padded types are not built";
	if (is_reduction(record) && is_floating(record) && !shape->floats)
		return "floating point is not built";
	return is_reduction(record) && is_f64(record) && !shape->f64 ? "f64 is not built" : NULL;
}

void build_ranks(struct job *job, const struct replay_shape *shape, struct rng *rng)
{
	uint32_t op = job->is_program ? VEC_NUM_OPS : job->record.op;
	bool anywhere = (op == VEC_BULK_LOAD || op == VEC_TENSOR_LOAD) && job->num_ctas == 1;
	uint32_t taken;

	/* CTA 0 issues. Where nothing else is said of it, the destination of a plain load may as well
	 * be another CTA: shared::cluster. */
	job->rank[0] = (uint8_t)(anywhere && rng_percent(rng, 50) ? rng_below(rng, shape->ctas) : job->cta);
	taken = 1u << job->rank[0];
	for (uint32_t c = 1; c < job->num_ctas; c++) {
		uint32_t rank = rng_below(rng, shape->ctas);

		while (taken >> rank & 1)
			rank = (rank + 1) % shape->ctas;
		taken |= 1u << rank;
		job->rank[c] = (uint8_t)rank;
	}
}

bool build_has_map(const struct job *job)
{
	return !job->is_program && vec_is_tensor(job->record.op);
}

bool build_has_barrier(const struct job *job)
{
	return job->is_program || !vec_writes_global(job->record.op);
}

int build_record(struct job *job, struct rng *rng)
{
	job->max_steps = STEPS_PER_CTA * job->num_ctas + STEPS_PER_RECORD;
	job->steps = calloc(job->max_steps, sizeof(*job->steps));
	if (!job->steps)
		return -1;
	if (build_has_map(job) && tensor_map(job))
		return -1;
	builders[job->record.op].build(job, rng);
	return 0;
}
