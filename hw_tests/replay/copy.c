/* SPDX-License-Identifier: Apache-2.0 */
/* copy - what the builders of copies have in common. */
#include "replay/copy.h"
#include "replay/barrier.h"
#include "tma_abi.h"

#define WAIT_FOREVER UINT32_MAX

/*
 * Pending 0, so that the phase completes with exactly the recorded bytes. It gets there by commands,
 * or it starts as if it had been there. Only the executing CTA can initialise by command.
 */
void copy_arm(struct job *job, uint32_t cta, bool counts, struct rng *rng)
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

struct copy_target copy_arm_load(struct job *job, bool many, struct rng *rng)
{
	const struct vec_record *r = &job->record;
	uint32_t mask = many ? r->cta_mask : 1;
	struct copy_target target = { .many = many };

	for (uint32_t c = 0; c < r->nctas; c++) {
		copy_arm(job, c, mask >> c & 1, rng);
		if (mask >> c & 1) {
			target.ranks |= 1u << job->rank[c];
			target.own |= job->rank[c] == job->cta;
		}
	}
	return target;
}

void copy_aim(struct job *job, struct step *copy, const struct copy_target *target, struct rng *rng)
{
	copy->command.shared_dst = job_shared(job, 0, job->window + job->record.smem_off);
	copy->command.barrier = job_shared(job, 0, job->barrier);
	if (target->many) {
		copy->command.flags |= TMA_FLAG_MULTICAST;
		copy->command.cta_mask = (uint16_t)target->ranks;
	} else if (target->own && rng_percent(rng, 50)) {
		copy->command.flags |= TMA_FLAG_CTA_LOCAL;
	}
}

void copy_watch(struct job *job, struct step *copy, const struct copy_target *target, struct rng *rng)
{
	if (!job->record.tx_bytes || !target->ranks || rng_percent(rng, 25))
		job_await(copy, TMA_KIND_RETIRED, 0);
	if (target->own && job->record.tx_bytes && rng_percent(rng, 50)) {
		struct step *wait = job_step(job, TMA_MBARRIER_TRY_WAIT);

		wait->command.flags = TMA_FLAG_PARITY;
		wait->command.barrier = (uint32_t)job->cta << 24 | job->barrier;
		wait->command.tx = WAIT_FOREVER;
		job_await(wait, TMA_KIND_ANSWER, 1);
	}
}

void copy_hint(struct step *copy, struct rng *rng)
{
	if (!rng_percent(rng, 25))
		return;
	copy->command.flags |= TMA_FLAG_CACHE_HINT;
	copy->command.policy = rng_next(rng);
}
