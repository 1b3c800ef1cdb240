/* SPDX-License-Identifier: Apache-2.0 */
/* answer - what the engine's records mean to the jobs in flight. */
#include <inttypes.h>

#include "replay/flight.h"
#include "tma_tables.h"

static void stop_queue(struct flight *f, struct job *culprit)
{
	f->broken = true;
	for (uint32_t i = 0; i < MAX_JOBS; i++) {
		struct job *job = &f->jobs[i];

		if (!job->active || job->queue != culprit->queue)
			continue;
		flight_fail(job, "its queue was stopped by the fault of record %u", culprit->number);
		flight_end(f, job);
	}
}

static struct job *job_of(struct flight *f, uint32_t tag)
{
	for (uint32_t i = 0; i < MAX_JOBS; i++)
		if (f->jobs[i].active && f->jobs[i].serial == tag >> 16)
			return &f->jobs[i];
	return NULL;
}

static void take_fault(struct flight *f, struct job *job, const struct tma_record *r)
{
	const struct tma_fault_info *info = tma_fault_info(r->fault);

	flight_fail(job, "fault %s (0x%04x) at 0x%" PRIx64 " of step %u: %s", info ? info->name : "unknown",
	            r->fault, r->address, r->tag & 0xFFFF, info ? info->rule : "");
	stop_queue(f, job);
}

static void take_answer(struct flight *f, struct job *job, const struct tma_record *r)
{
	uint32_t index = r->tag & 0xFFFF;
	struct step *step = index < job->num_steps ? &job->steps[index] : NULL;

	if (!step || !step->kind || step->answered || r->queue != job->queue) {
		flight_fail(job, "unexpected record: queue %u, sequence %u, kind %u, step %u", r->queue,
		            r->sequence, r->kind, index);
		f->broken = true;
		return;
	}
	step->answered = true;
	step->answer = r->value;
	job->awaited--;
	if (r->kind != step->kind || r->value != step->value || r->fault || r->address)
		flight_fail(job,
		            "step %u (%s): expected kind %u, value 0x%" PRIx64
		            ", got kind %u, value 0x%" PRIx64,
		            index, tma_opcode_name(step->command.opcode), step->kind, step->value, r->kind,
		            r->value);
}

void answer_take(struct flight *f, const struct tma_record *r)
{
	struct job *job;

	f->quiet = 0;
	if (r->tag & TAG_WAIT && r->kind == TMA_KIND_RETIRED && r->queue < f->shape.queues) {
		f->queues[r->queue].retired = r->tag & ~TAG_WAIT;
		return;
	}
	job = job_of(f, r->tag);
	if (!job) {
		flight_failure(f,
		               "record that nothing waits for: queue %u, sequence %u, kind %u, fault 0x%04x",
		               r->queue, r->sequence, r->kind, r->fault);
		f->broken = true;
	} else if (r->kind == TMA_KIND_FAULT) {
		take_fault(f, job, r);
	} else {
		take_answer(f, job, r);
	}
}
