/* SPDX-License-Identifier: Apache-2.0 */
/* launch - starts jobs, and submits their commands. */
#include <string.h>

#include "lib/map_answer.h"
#include "replay/build.h"
#include "replay/flight.h"
#include "replay/tensor.h"

#define MAX_SERIAL 0x7FFFu

static void count_skip(struct stream_result *result, const char *reason)
{
	uint32_t i = 0;

	while (i < result->num_skips && strcmp(result->skips[i].reason, reason))
		i++;
	if (i == STREAM_REASONS)
		i--;
	if (i == result->num_skips)
		result->skips[result->num_skips++].reason = reason;
	result->skips[i].count++;
	result->skipped++;
}

static struct job *idle_job(struct flight *f)
{
	for (uint32_t i = 0; i < MAX_JOBS; i++)
		if (!f->jobs[i].active)
			return &f->jobs[i];
	return NULL;
}

/* A program uses the state that the queue's last arrive returned: it has the queue to itself. */
static uint32_t choose_queue(struct flight *f, const struct job *job)
{
	uint32_t first = rng_below(&f->rng, f->shape.queues);
	bool alternate = f->options->front == STREAM_ALTERNATE;

	for (uint32_t i = 0; i < f->shape.queues; i++) {
		uint32_t q = (first + i) % f->shape.queues;

		if (alternate && f->queues[q].ring != (job->number % 2 == 1))
			continue;
		if (!job->is_program || !f->queues[q].jobs)
			return q;
	}
	return SPACE_NONE;
}

static const char *load_job(struct flight *f, struct job *job)
{
	memset(job, 0, sizeof(*job));
	job->number = f->next;
	job->is_program = vec_kind(f->file) == VEC_PROGRAMS;
	if (job->is_program) {
		vec_program(f->file, f->next, &job->program);
		job->offset = job->program.offset;
		job->num_ctas = 1;
		return build_skip_program(&job->program);
	}
	vec_record(f->file, f->next, &job->record);
	job->offset = job->record.offset;
	job->num_ctas = job->record.nctas;
	return build_skip(&job->record, &f->shape);
}

/* No engine sees it. @return 1, as start() */
static int judge_encoding(struct flight *f, struct job *job)
{
	char text[200];

	if (map_answer_differs(&job->record, text, sizeof(text)))
		flight_fail(job, "%s", text);
	flight_count(f, job);
	f->next++;
	return 1;
}

/* The next record of the file: 1 it is dealt with, 0 there is no room for it yet, -1 failure. */
static int start(struct flight *f)
{
	struct job *job = idle_job(f);
	const char *skip = job ? load_job(f, job) : NULL;
	int placed;

	if (!job)
		return 0;
	if (!skip && !job->is_program && job->record.op == VEC_ENCODE)
		return judge_encoding(f, job);
	if (skip) {
		count_skip(f->result, skip);
		f->next++;
		return 1;
	}
	job->queue = choose_queue(f, job);
	if (job->queue == SPACE_NONE)
		return 0;
	job->cta = f->queues[job->queue].cta;
	build_ranks(job, &f->shape, &f->rng);
	placed = memory_place(f, job);
	if (placed <= 0) {
		memory_release(f, job);
		if (placed == 0 && !f->num_jobs) {
			count_skip(f->result, "window and barrier do not fit together");
			f->next++;
			return 1;
		}
		return placed;
	}

	job->active = true;
	job->serial = f->serial = (uint16_t)(f->serial % MAX_SERIAL + 1);
	f->next++;
	f->num_jobs++;
	f->queues[job->queue].jobs++;
	f->quiet = 0;
	if (job->is_program ? build_program(job, &f->rng) : build_record(job, &f->rng)) {
		flight_fail(job, "out of memory");
		flight_end(f, job);
		return 1;
	}
	for (uint32_t i = 0; i < job->num_steps; i++) {
		job->steps[i].command.tag = (uint32_t)job->serial << 16 | i;
		job->awaited += job->steps[i].kind != 0;
	}
	if (!f->filled && memory_fill(f))
		return -1;
	f->filled = true;
	return memory_prepare(f, job) ? -1 : 1;
}

static bool is_wanted(const struct stream_options *o, uint32_t number)
{
	if (o->only != STREAM_ALL)
		return o->only == number;
	return o->every < 2 || (number + o->seed) % o->every == 0;
}

int launch_some(struct flight *f)
{
	if (rng_percent(&f->rng, 6))
		f->goal = 1 + rng_below(&f->rng, MAX_JOBS);
	while (!f->broken && f->num_jobs < f->goal && f->next < vec_count(f->file)) {
		int started;

		if (!is_wanted(f->options, f->next)) {
			f->next++;
			continue;
		}
		started = start(f);
		if (started <= 0)
			return started;
	}
	return 0;
}

/* Submit the steps whose operands are known. */
static int submit(struct flight *f, struct job *job)
{
	while (job->next < job->num_steps) {
		struct step *step = &job->steps[job->next];

		if (step->state_of != STEP_NONE) {
			const struct step *source = &job->steps[step->state_of];

			if (!source->answered)
				return 0;
			step->command.global_address = source->answer | step->junk;
		}
		if (f->options->backend->submit(f->engine, job->queue, &step->command))
			return -1;
		if (step->command.opcode == TMA_BULK_COMMIT_GROUP)
			job->group = ++f->queues[job->queue].committed;
		job->next++;
	}
	return 0;
}

/* A wait_group that leaves @p pending groups unfinished. */
static int wait_groups(struct flight *f, uint32_t q, uint32_t pending)
{
	struct queue *queue = &f->queues[q];
	uint32_t covered = queue->committed > pending ? queue->committed - pending : 0;
	struct tma_command command = {
		.opcode = TMA_BULK_WAIT_GROUP,
		.version = TMA_COMMAND_VERSION,
		.flags = TMA_FLAG_RECORD,
		.count = pending,
		.tag = TAG_WAIT | covered,
	};

	if (covered <= queue->covered)
		return 0;
	queue->covered = covered;
	return f->options->backend->submit(f->engine, q, &command);
}

int launch_submit(struct flight *f)
{
	bool last = f->next == vec_count(f->file) || f->broken || f->quiet;
	int err = 0;

	for (uint32_t i = 0; !err && i < MAX_JOBS; i++)
		if (f->jobs[i].active)
			err = submit(f, &f->jobs[i]);
	for (uint32_t q = 0; !err && q < f->shape.queues; q++)
		if (last || rng_percent(&f->rng, 25))
			err = wait_groups(f, q, last ? 0 : rng_below(&f->rng, 4));
	return err;
}
