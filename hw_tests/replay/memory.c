/* SPDX-License-Identifier: Apache-2.0 */
/* memory - what memory holds before a job, and what it has to hold afterwards. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "replay/barrier.h"
#include "replay/build.h"
#include "replay/flight.h"

#define WORD_BYTES 8u

static uint32_t ranks_of(const struct job *job)
{
	uint32_t mask = 0;

	for (uint32_t c = 0; c < job->num_ctas; c++)
		mask |= 1u << job->rank[c];
	return mask;
}

int memory_place(struct flight *f, struct job *job)
{
	const struct vec_record *r = &job->record;

	job->window = job->barrier = job->region = job->buffer = job->map = SPACE_NONE;
	if (build_has_barrier(job)) {
		job->barrier = space_take_barrier(&f->space);
		if (job->barrier == SPACE_NONE)
			return 0;
	}
	if (job->is_program)
		return 1;
	job->window = space_take_window(&f->space, ranks_of(job), r->smem_len);
	if (job->window == SPACE_NONE)
		return 0;
	if (r->gmem_len) {
		job->region = space_take_region(&f->space, r->gmem_len);
		if (job->region == SPACE_NONE)
			return 0;
		job->address = f->space.regions_at.base + job->region;
		job->region_bytes = f->space.regions + job->region;
		job->region_wanted = f->space.regions_wanted + job->region;
	} else {
		job->buffer = space_take_buffer(&f->space, r->gmem_seed);
		if (job->buffer == SPACE_NONE)
			return 0;
		job->address = space_buffer_address(&f->space, job->buffer);
	}
	if (build_has_map(job)) {
		job->map = space_take_map(&f->space, &job->map_stale);
		if (job->map == SPACE_NONE)
			return 0;
		job->map_address = space_map_address(&f->space, job->map);
	}
	job->windows = malloc((size_t)job->num_ctas * r->smem_len + 1);
	return job->windows ? 1 : -1;
}

void memory_release(struct flight *f, struct job *job)
{
	if (job->barrier != SPACE_NONE)
		space_drop_barrier(&f->space, job->barrier);
	if (job->window != SPACE_NONE)
		space_drop_window(&f->space, ranks_of(job), job->window, job->record.smem_len);
	if (job->region != SPACE_NONE)
		space_drop_region(&f->space, job->region, job->record.gmem_len);
	if (job->buffer != SPACE_NONE)
		space_drop_buffer(&f->space, job->buffer);
	if (job->map != SPACE_NONE)
		space_drop_map(&f->space, job->map);
	free(job->windows);
	free(job->steps);
	job->windows = NULL;
	job->steps = NULL;
}

/* What the window of the record's CTA has to hold, in the image of all shared memory. */
static uint8_t *wanted(struct flight *f, const struct job *job, uint32_t cta)
{
	return f->space.shared[job->rank[cta]] + job->window;
}

static uint8_t *wanted_barrier(struct flight *f, const struct job *job, uint32_t cta)
{
	return f->space.shared[job->rank[cta]] + job->barrier;
}

static void initial_window(const struct vec_record *r, uint32_t cta, uint8_t *bytes)
{
	if (r->has_init)
		memcpy(bytes, r->init_smem + (size_t)cta * r->smem_len, r->smem_len);
	else
		vec_pattern(r->smem_seed + cta, 0, bytes, r->smem_len);
}

static void initial_region(const struct vec_record *r, uint8_t *bytes)
{
	if (r->has_init)
		memcpy(bytes, r->init_gmem, r->gmem_len);
	else
		vec_pattern(r->gmem_seed, 0, bytes, r->gmem_len);
}

int memory_prepare(struct flight *f, struct job *job)
{
	const struct replay_backend *backend = f->options->backend;
	const struct vec_record *r = &job->record;
	int err = 0;

	for (uint32_t c = 0; !job->is_program && c < job->num_ctas; c++) {
		uint8_t *bytes = job->windows + (size_t)c * r->smem_len;

		initial_window(r, c, bytes);
		err |= backend->smem_write(f->engine, job->rank[c], job->window, bytes, r->smem_len);
		memcpy(wanted(f, job, c), r->smem ? r->smem + (size_t)c * r->smem_len : bytes, r->smem_len);
	}
	if (job->region != SPACE_NONE) {
		initial_region(r, job->region_bytes);
		memcpy(job->region_wanted, r->gmem ? r->gmem : job->region_bytes, r->gmem_len);
	}
	if (job->map != SPACE_NONE)
		space_write_map(&f->space, job->map, job->map_bytes);
	for (uint32_t c = 0; c < job->num_ctas; c++) {
		if (!(job->checked >> c & 1))
			continue;
		err |= backend->smem_write(f->engine, job->rank[c], job->barrier, &job->barrier_before[c],
		                           WORD_BYTES);
		memcpy(wanted_barrier(f, job, c), &job->barrier_after[c], WORD_BYTES);
	}
	err |= backend->smem_flush(f->engine);
	return err ? -1 : 0;
}

/* The first difference and the number of them. */
static uint32_t compare(const uint8_t *want, const uint8_t *got, uint32_t len, uint32_t *first)
{
	uint32_t count = 0;

	*first = 0;
	for (uint32_t i = 0; i < len; i++)
		if (want[i] != got[i] && !count++)
			*first = i;
	return count;
}

static void check_barrier(struct flight *f, struct job *job, uint32_t cta)
{
	uint64_t want = job->barrier_after[cta], got = job->barrier_now[cta];
	int64_t counted = (int64_t)job->record.tx_bytes - barrier_word_tx(got);
	char bytes[64] = "";

	if (want == got)
		return;
	if (!job->is_program)
		snprintf(bytes, sizeof(bytes), "; it counted %" PRId64 " of %u bytes", counted,
		         job->record.tx_bytes);
	flight_fail(job, "barrier of CTA %u (engine CTA %u): expected %016" PRIx64 ", got %016" PRIx64 "%s",
	            cta, job->rank[cta], want, got, bytes);
	memcpy(wanted_barrier(f, job, cta), &got, WORD_BYTES);
}

static void check_window(struct flight *f, struct job *job, uint32_t cta)
{
	const uint8_t *got = job->windows + (size_t)cta * job->record.smem_len;
	uint8_t *want = wanted(f, job, cta);
	uint32_t at, count = compare(want, got, job->record.smem_len, &at);

	if (!count)
		return;
	flight_fail(
		job,
		"CTA %u (engine CTA %u), byte %u of the window (offset 0x%x): expected 0x%02x, got 0x%02x; "
		"%u bytes differ",
		cta, job->rank[cta], at, job->window + at, want[at], got[at], count);
	memcpy(want, got, job->record.smem_len);
}

static void check_region(struct job *job)
{
	uint32_t at, count = compare(job->region_wanted, job->region_bytes, job->record.gmem_len, &at);

	if (!count)
		return;
	flight_fail(job,
	            "byte %u of the global region (address 0x%" PRIx64 "): expected 0x%02x, got 0x%02x; "
	            "%u bytes differ",
	            at, job->address + at, job->region_wanted[at], job->region_bytes[at], count);
	memcpy(job->region_wanted, job->region_bytes, job->record.gmem_len);
}

int memory_check(struct flight *f, struct job *job)
{
	const struct replay_backend *backend = f->options->backend;
	uint32_t len = job->record.smem_len;
	int err = 0;

	for (uint32_t c = 0; c < job->num_ctas; c++) {
		if (!job->is_program)
			err |= backend->smem_read(f->engine, job->rank[c], job->window,
			                          job->windows + (size_t)c * len, len);
		if (job->checked >> c & 1)
			err |= backend->smem_read(f->engine, job->rank[c], job->barrier, &job->barrier_now[c],
			                          WORD_BYTES);
	}
	err |= backend->smem_flush(f->engine);
	if (err)
		return -1;
	for (uint32_t c = 0; c < job->num_ctas; c++) {
		if (job->checked >> c & 1)
			check_barrier(f, job, c);
		if (!job->is_program)
			check_window(f, job, c);
	}
	if (job->region != SPACE_NONE)
		check_region(job);
	return 0;
}

int memory_fill(struct flight *f)
{
	int err = 0;

	for (uint32_t c = 0; c < f->shape.ctas; c++)
		err |= f->options->backend->smem_write(f->engine, c, 0, f->space.shared[c],
		                                       f->shape.smem_bytes);
	return err | f->options->backend->smem_flush(f->engine);
}

static int check_all_shared(struct flight *f)
{
	uint8_t *got[REPLAY_MAX_CTAS] = { NULL };
	int err = 0;

	for (uint32_t c = 0; !err && c < f->shape.ctas; c++) {
		got[c] = malloc(f->shape.smem_bytes);
		err = got[c] ? f->options->backend->smem_read(f->engine, c, 0, got[c], f->shape.smem_bytes)
		             : -1;
	}
	if (!err)
		err = f->options->backend->smem_flush(f->engine);
	for (uint32_t c = 0; !err && c < f->shape.ctas; c++) {
		const uint8_t *want = f->space.shared[c];
		uint32_t at, count = compare(want, got[c], f->shape.smem_bytes, &at);

		if (count)
			flight_failure(f,
			               "after the last record, engine CTA %u, offset 0x%x: expected 0x%02x, "
			               "got 0x%02x; %u bytes differ",
			               c, at, want[at], got[c][at], count);
	}
	for (uint32_t c = 0; c < f->shape.ctas; c++)
		free(got[c]);
	return err;
}

int memory_check_all(struct flight *f)
{
	const struct space *s = &f->space;
	uint32_t at, count;
	uint64_t address;

	count = compare(s->regions_wanted, s->regions, (uint32_t)s->regions_at.size, &at);
	if (count)
		flight_failure(f,
		               "after the last record, address 0x%" PRIx64 ": expected 0x%02x, got 0x%02x; "
		               "%u bytes differ",
		               s->regions_at.base + at, s->regions_wanted[at], s->regions[at], count);
	if (!space_intact(s, &address))
		flight_failure(f,
		               "after the last record, address 0x%" PRIx64 ": a buffer or a map was written",
		               address);
	return check_all_shared(f);
}
