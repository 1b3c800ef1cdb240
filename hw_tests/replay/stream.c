/* SPDX-License-Identifier: Apache-2.0 */
/* stream - all records of a file through one engine, several in flight at once. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "replay/build.h"
#include "replay/flight.h"
#include "tma_tables.h"

#define MAX_REPORTS 20u /* per file */
#define MAX_REOPENS 8u  /* after so many the rest of the file counts as failed */
#define WORD_BYTES  8u

void flight_fail(struct job *job, const char *format, ...)
{
	va_list args;

	if (job->reason[0])
		return;
	va_start(args, format);
	vsnprintf(job->reason, sizeof(job->reason), format, args);
	va_end(args);
}

static void print_failure(struct flight *f, const char *text)
{
	f->result->failed++;
	if (f->reported++ < MAX_REPORTS)
		fprintf(f->options->log, "  %s; --seed %" PRIu64 "\n", text, f->options->seed);
	else if (f->reported == MAX_REPORTS + 1)
		fprintf(f->options->log, "  more failures follow\n");
}

void flight_failure(struct flight *f, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print_failure(f, text);
}

void flight_count(struct flight *f, const struct job *job)
{
	if (job->reason[0])
		flight_failure(f, "%s %u (byte %zu, %s): %s", job->is_program ? "program" : "record",
		               job->number, job->offset,
		               job->is_program ? "mbarrier" : build_name(&job->record), job->reason);
	else
		f->result->passed++;
}

void flight_end(struct flight *f, struct job *job)
{
	flight_count(f, job);
	memory_release(f, job);
	f->queues[job->queue].jobs--;
	f->num_jobs--;
	f->quiet = 0;
	job->active = false;
}

/* All that is left to see of the job is its barriers. */
static bool waits_for_barriers(const struct flight *f, const struct job *job)
{
	return job->active && job->next == job->num_steps && !job->awaited &&
	       (!job->in_group || job->group <= f->queues[job->queue].retired);
}

static bool barriers_done(const struct job *job)
{
	for (uint32_t c = 0; c < job->num_ctas; c++)
		if (job->checked >> c & 1 && job->barrier_now[c] != job->barrier_after[c])
			return false;
	return true;
}

/* A program's answers have come, so its barrier is final; a copy's barrier is final when it holds
 * what it has to, and until then the copy may be under way. */
static int look(struct flight *f)
{
	uint64_t before[MAX_JOBS][REPLAY_MAX_CTAS];
	int err = 0;

	for (uint32_t i = 0; i < MAX_JOBS; i++) {
		struct job *job = &f->jobs[i];

		memcpy(before[i], job->barrier_now, sizeof(before[i]));
		if (!waits_for_barriers(f, job) || job->is_program)
			continue;
		for (uint32_t c = 0; c < job->num_ctas; c++)
			if (job->checked >> c & 1)
				err |= f->options->backend->smem_read(f->engine, job->rank[c], job->barrier,
				                                      &job->barrier_now[c], WORD_BYTES);
	}
	err |= f->options->backend->smem_flush(f->engine);
	for (uint32_t i = 0; !err && i < MAX_JOBS; i++) {
		struct job *job = &f->jobs[i];

		if (!waits_for_barriers(f, job))
			continue;
		if (memcmp(before[i], job->barrier_now, sizeof(before[i])))
			f->quiet = 0;
		if (!job->is_program && !barriers_done(job))
			continue;
		err = memory_check(f, job);
		if (!err)
			flight_end(f, job);
	}
	return err;
}

/* What a job that will never end still waits for. */
static void give_up(struct flight *f, struct job *job)
{
	/* A barrier that was told of too few bytes also keeps a wait from its answer. */
	if (waits_for_barriers(f, job) || (!job->is_program && job->checked && job->next == job->num_steps))
		memory_check(f, job);
	if (job->next < job->num_steps)
		flight_fail(job, "step %u waits for the answer of step %u, which did not come", job->next,
		            job->steps[job->next].state_of);
	for (uint32_t i = 0; i < job->num_steps; i++)
		if (job->steps[i].kind && !job->steps[i].answered)
			flight_fail(job, "no record of step %u (%s)", i,
			            tma_opcode_name(job->steps[i].command.opcode));
	flight_fail(job, "its bulk group did not complete");
	flight_end(f, job);
}

static void give_up_all(struct flight *f)
{
	f->broken = true;
	for (uint32_t i = 0; i < MAX_JOBS; i++)
		if (f->jobs[i].active)
			give_up(f, &f->jobs[i]);
}

/* One round: new jobs, commands, some time, what it brought. Negative: the engine failed. */
static int turn(struct flight *f)
{
	struct tma_record record;
	int err = launch_some(f);

	if (err >= 0)
		err = launch_submit(f);
	if (err)
		return err;
	f->quiet++;
	err = f->options->backend->advance(f->engine);
	while (!err && f->options->backend->record(f->engine, &record))
		answer_take(f, &record);
	if (!err)
		err = look(f);
	if (!err && f->num_jobs && f->quiet > f->options->backend->patience)
		give_up_all(f);
	return err;
}

static uint32_t largest_region(const struct vec *file)
{
	struct vec_record r;
	uint32_t largest = 0;

	if (vec_kind(file) != VEC_RECORDS)
		return 0;
	for (uint32_t i = 0; i < vec_count(file); i++) {
		vec_record(file, i, &r);
		if (r.op != VEC_ENCODE && r.gmem_len > largest)
			largest = r.gmem_len;
	}
	return largest;
}

/* Alternating: half of the queues, and of those of one CTA where it has several. */
static bool is_ring(const struct flight *f, uint32_t queue, uint32_t odd)
{
	if (f->options->front != STREAM_ALTERNATE)
		return f->options->front == STREAM_RING;
	return (queue + queue / f->shape.ctas + odd) % 2;
}

static int open_engine(struct flight *f, const char *fst)
{
	const struct replay_backend *backend = f->options->backend;
	struct replay_open open = { .config = f->options->config, .seed = rng_next(&f->rng), .fst = fst };
	uint32_t odd;

	f->engine = backend->open(&open, &f->shape);
	if (!f->engine)
		return -1;
	if (space_open(&f->space, &f->shape, &f->rng, largest_region(f->file)))
		goto fail;
	if (backend->map(f->engine, f->space.buffers_at.base, f->space.buffers_at.size, f->space.buffers) ||
	    backend->map(f->engine, f->space.regions_at.base, f->space.regions_at.size, f->space.regions))
		goto fail_space;
	memset(f->queues, 0, sizeof(f->queues));
	odd = rng_below(&f->rng, 2);
	for (uint32_t q = 0; q < f->shape.queues; q++) {
		uint32_t first = rng_below(&f->rng, 2);
		struct replay_window windows[2];

		windows[first] = f->space.buffers_at;
		windows[1 - first] = f->space.regions_at;
		f->queues[q].cta = q % f->shape.ctas;
		f->queues[q].ring = is_ring(f, q, odd);
		if (backend->queue(f->engine, q, f->queues[q].cta, f->queues[q].ring, windows, 2))
			goto fail_space;
	}
	if (backend->store_granule16(f->engine))
		goto fail_space;
	f->filled = false;
	f->broken = false;
	f->quiet = 0;
	f->goal = 1 + rng_below(&f->rng, MAX_JOBS);
	return 0;
fail_space:
	space_close(&f->space);
fail:
	backend->close(f->engine);
	return -1;
}

static void close_engine(struct flight *f)
{
	uint32_t failures = f->options->backend->failures(f->engine);

	if (failures)
		flight_failure(f, "%u broken rules of the buses or assertions of the engine", failures);
	for (uint32_t i = 0; i < MAX_JOBS; i++) {
		if (!f->jobs[i].active)
			continue;
		flight_fail(&f->jobs[i], "the engine failed while it was in flight");
		flight_end(f, &f->jobs[i]);
	}
	f->options->backend->close(f->engine);
	space_close(&f->space);
}

int stream_run(const struct vec *file, const struct stream_options *options, struct stream_result *result)
{
	struct flight *f = calloc(1, sizeof(*f));
	int err = 0;

	if (!f)
		return -1;
	memset(result, 0, sizeof(*result));
	f->options = options;
	f->result = result;
	f->file = file;
	f->rng.state = options->seed;
	for (uint32_t opened = 0; f->next < vec_count(file); opened++) {
		if (opened > MAX_REOPENS) {
			flight_failure(f, "%u records not run: the engine failed too often",
			               vec_count(file) - f->next);
			result->failed += vec_count(file) - f->next - 1;
			break;
		}
		/* The waveform of the first engine is the one that shows the failure. */
		err = open_engine(f, opened ? NULL : options->fst);
		if (err)
			break;
		do {
			err = turn(f);
		} while (!err && (f->num_jobs || (!f->broken && f->next < vec_count(file))));
		if (!err && f->filled && !f->broken)
			err = memory_check_all(f);
		if (err)
			flight_failure(f, "the engine stopped working");
		close_engine(f);
		err = 0;
	}
	free(f);
	return err;
}
