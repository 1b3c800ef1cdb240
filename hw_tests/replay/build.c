/* SPDX-License-Identifier: Apache-2.0 */
/* build - turns records into commands. */
#include <stdlib.h>

#include "lib/vec_rules.h"
#include "replay/barrier.h"
#include "replay/build.h"
#include "tma_abi.h"
#include "tma_tables.h"

#define WAIT_FOREVER     UINT32_MAX
#define STEPS_PER_CTA    2u /* init and arrive */
#define STEPS_PER_RECORD 4u
#define DTYPE_F64        8u
#define PREFETCH_SIZES   4u
#define CG_SIZE          16u

struct builder {
	const char *name;
	const char *not_built; /* when build is NULL */
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

/*
 * The barrier of the record's CTA, ready to count the recorded bytes: pending 0, so that its phase
 * completes with exactly those. It gets there by commands, or it starts as if it had been there.
 * Only the executing CTA can initialise by command.
 */
static void arm(struct job *job, uint32_t cta, bool counts, struct rng *rng)
{
	struct barrier b = barrier_init(1);
	uint32_t tx = job->record.tx_bytes;
	bool local = job->rank[cta] == job->cta;

	job->checked |= 1u << cta;
	job->barrier_before[cta] = barrier_word(&b);
	if (local && rng_percent(rng, 50)) {
		struct step *init = job_step(job, TMA_MBARRIER_INIT);

		job->barrier_before[cta] = 0;
		init->command.barrier = job_shared(job, cta, job->barrier);
		init->command.count = 1;
	}
	barrier_arrive(&b, 1, tx, false);
	if (job->barrier_before[cta] && rng_percent(rng, 50)) {
		job->barrier_before[cta] = barrier_word(&b);
	} else {
		struct step *arrive = job_step(job, TMA_MBARRIER_ARRIVE);

		arrive->command.barrier = job_shared(job, cta, job->barrier);
		arrive->command.flags = TMA_FLAG_EXPECT_TX;
		arrive->command.count = 1;
		arrive->command.tx = tx;
	}
	if (counts)
		barrier_complete(&b, tx);
	job->barrier_after[cta] = barrier_word(&b);
}

/* How the end of a copy with barriers is seen: by its record when no barrier moves, by a wait of
 * the queue at times, else by looking at the barriers. */
static void watch(struct job *job, struct step *copy, bool own_counts, bool any_counts, struct rng *rng)
{
	if (!job->record.tx_bytes || !any_counts || rng_percent(rng, 25))
		job_await(copy, TMA_KIND_RETIRED, 0);
	if (own_counts && job->record.tx_bytes && rng_percent(rng, 50)) {
		struct step *wait = job_step(job, TMA_MBARRIER_TRY_WAIT);

		wait->command.flags = TMA_FLAG_PARITY;
		wait->command.barrier = (uint32_t)job->cta << 24 | job->barrier;
		wait->command.tx = WAIT_FOREVER;
		job_await(wait, TMA_KIND_ANSWER, 1);
	}
}

/* A hint must not change anything. */
static void hint(struct step *copy, struct rng *rng)
{
	if (!rng_percent(rng, 25))
		return;
	copy->command.flags |= TMA_FLAG_CACHE_HINT;
	copy->command.policy = rng_next(rng);
}

static void build_bulk_load(struct job *job, struct rng *rng)
{
	const struct vec_record *r = &job->record;
	bool many = r->nctas > 1;
	uint32_t mask = many ? r->cta_mask : 1;
	uint32_t ranks = 0;
	bool own = false;
	struct step *copy;

	for (uint32_t c = 0; c < r->nctas; c++) {
		arm(job, c, mask >> c & 1, rng);
		if (mask >> c & 1) {
			ranks |= 1u << job->rank[c];
			own |= job->rank[c] == job->cta;
		}
	}
	copy = job_step(job, TMA_BULK_LOAD);
	copy->command.global_address = job->address + r->base;
	copy->command.size = r->nbytes;
	copy->command.shared_dst = job_shared(job, 0, job->window + r->smem_off);
	copy->command.barrier = job_shared(job, 0, job->barrier);
	if (many) {
		copy->command.flags |= TMA_FLAG_MULTICAST;
		copy->command.cta_mask = (uint16_t)ranks;
	} else if (own && rng_percent(rng, 50)) {
		copy->command.flags |= TMA_FLAG_CTA_LOCAL;
	}
	hint(copy, rng);
	watch(job, copy, own, ranks, rng);
}

static void build_bulk_store(struct job *job, struct rng *rng)
{
	const struct vec_record *r = &job->record;
	struct step *copy = job_step(job, TMA_BULK_STORE);

	copy->command.global_address = job->address + r->base;
	copy->command.size = r->nbytes;
	copy->command.shared_src = job_shared(job, 0, job->window + r->smem_off);
	hint(copy, rng);
	job_step(job, TMA_BULK_COMMIT_GROUP);
	job->in_group = true;
}

static void build_bulk_shared(struct job *job, struct rng *rng)
{
	const struct vec_record *r = &job->record;
	struct step *copy;

	arm(job, 1, true, rng);
	copy = job_step(job, TMA_BULK_SHARED);
	copy->command.size = r->nbytes;
	copy->command.shared_src = job_shared(job, 0, job->window + r->smem_off);
	copy->command.shared_dst = job_shared(job, 1, job->window + r->smem_off);
	copy->command.barrier = job_shared(job, 1, job->barrier);
	watch(job, copy, false, true, rng);
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
	hint(copy, rng);
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
	[VEC_TENSOR_LOAD] = { "tensor load", "tensor copies are not built", NULL },
	[VEC_TENSOR_STORE] = { "tensor store", "tensor copies are not built", NULL },
	[VEC_TENSOR_REDUCE] = { "tensor reduction", "reductions are not built", NULL },
	[VEC_BULK_LOAD] = { "bulk load", NULL, build_bulk_load },
	[VEC_BULK_STORE] = { "bulk store", NULL, build_bulk_store },
	[VEC_BULK_SHARED] = { "bulk copy to another CTA", NULL, build_bulk_shared },
	[VEC_BULK_REDUCE] = { "bulk reduction", "reductions are not built", NULL },
	[VEC_BULK_REDUCE_SHARED] = { "bulk reduction to another CTA", "reductions are not built", NULL },
	[VEC_CP_ASYNC] = { "cp.async", NULL, build_cp_async },
	[VEC_ENCODE] = { "map encoding", "map encoding is not built", NULL },
	[VEC_TENSOR_LOAD_MULTICAST] = { "tensor load, multicast", "tensor copies are not built", NULL },
};

const char *build_name(const struct vec_record *record)
{
	if (record->op == VEC_BULK_LOAD && record->nctas > 1)
		return "bulk load, multicast";
	return builders[record->op].name;
}

static bool is_f64(const struct vec_record *record)
{
	if (record->op == VEC_TENSOR_REDUCE)
		return record->dtype == DTYPE_F64;
	return (record->op == VEC_BULK_REDUCE || record->op == VEC_BULK_REDUCE_SHARED) &&
	       record->type == VEC_TYPE_F64;
}

const char *build_skip(const struct vec_record *record, const struct replay_shape *shape)
{
	const struct builder *builder = &builders[record->op];

	if (!builder->build)
		return is_f64(record) && !shape->f64 ? "f64 is not built" : builder->not_built;
	if (record->nctas > shape->ctas)
		return "more CTAs than built";
	if (record->smem_len > shape->smem_bytes)
		return "window beyond shared memory";
	return is_f64(record) && !shape->f64 ? "f64 is not built" : NULL;
}

void build_ranks(struct job *job, const struct replay_shape *shape, struct rng *rng)
{
	bool anywhere = !job->is_program && job->record.op == VEC_BULK_LOAD && job->num_ctas == 1;
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
	builders[job->record.op].build(job, rng);
	return 0;
}
