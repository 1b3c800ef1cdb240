/* SPDX-License-Identifier: Apache-2.0 */
/* Opens an engine, moves the file through it both ways and takes home what is there afterwards. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"

/* Files beyond this take the simulator hours. */
#define MAX_BYTES (64u << 20)

static int complain(const char *name, const char *reason)
{
	fprintf(stderr, "tma_demo: %s: %s\n", name, reason);
	return -1;
}

int demo_read_file(struct demo_file *file, const char *name)
{
	FILE *f = fopen(name, "rb");
	uint8_t *bytes = NULL, *grown;
	size_t size = 0, room = 0, got;
	const char *reason = NULL;

	if (!f)
		return complain(name, strerror(errno));
	do {
		if (size == room) {
			room = room ? 2 * room : 1 << 18;
			grown = realloc(bytes, room);
			if (!grown) {
				reason = "not enough memory";
				break;
			}
			bytes = grown;
		}
		errno = 0;
		got = fread(bytes + size, 1, room - size, f);
		size += got;
	} while (got && size <= MAX_BYTES);

	if (ferror(f))
		reason = errno ? strerror(errno) : "cannot be read";
	else if (!reason && !size)
		reason = "the file is empty, there is nothing to move";
	else if (!reason && size > MAX_BYTES)
		reason = "more than 64 MiB are too much to simulate";
	fclose(f);
	if (!reason) {
		file->name = name;
		file->size = (uint32_t)size;
		file->padded = (file->size + 15) & ~15u;
		/* The last read found the end, so there is room for it. */
		memset(bytes + size, 0, file->padded - size);
		file->bytes = bytes;
		reason = demo_find_pixels(file);
	}
	if (!reason)
		return 0;
	free(bytes);
	return complain(name, reason);
}

static int device_error(const struct tma_options *options, const char *what, int error)
{
	fprintf(stderr, "tma_demo: %s: %s: %s\n", options->backend, what, tma_strerror(error));
	return -1;
}

/* Set every byte that the programs write: of global memory, unless a pass takes its own, and of shared memory. */
static int blank(struct demo_engine *e, struct tma_memory *output, bool shared)
{
	uint32_t smem = e->info.smem_bytes, r;
	uint8_t *zeros;
	int error = 0;

	if (output) {
		memset(tma_memory_host(output), DEMO_BLANK, tma_memory_bytes(output));
		error = tma_memory_to_device(output, 0, tma_memory_bytes(output));
	}
	if (!shared)
		return error;
	zeros = calloc(1, smem);
	if (!zeros)
		return TMA_ENOMEM;
	for (r = 0; !error && r < e->info.ctas; r++)
		error = tma_smem_write(e->device, tma_shared(r, 0), zeros, smem);
	free(zeros);
	return error;
}

/* Room on the host for what a pass leaves. Of reductions that is global memory alone: in shared memory they leave
 * what they have loaded, and to read it back takes a simulation longer than they do. */
static int make_room(struct demo_result *result, enum demo_pass pass)
{
	result->global[pass] = malloc(result->global_bytes[pass]);
	if (pass == DEMO_PASS_REDUCE)
		return result->global[pass] ? 0 : TMA_ENOMEM;
	result->shared[pass] = malloc(result->shared_bytes);
	return result->global[pass] && result->shared[pass] ? 0 : TMA_ENOMEM;
}

static int take_home(struct demo_engine *e, struct tma_memory *output, struct demo_result *result, int pass)
{
	uint32_t smem = e->info.smem_bytes, r;
	int error = 0;

	if (output)
		error = tma_copy_out(output, 0, result->global[pass], result->global_bytes[pass]);
	for (r = 0; !error && result->shared[pass] && r < e->info.ctas; r++)
		error = tma_smem_read(e->device, tma_shared(r, 0), result->shared[pass] + (size_t)r * smem,
		                      smem);
	return error ? error : tma_device_check(e->device);
}

static int open_engine(struct demo_engine *e, const struct tma_options *options, const struct demo_file *file)
{
	struct tma_queue_options queue = { .size = sizeof(queue) };
	struct tma_memory *input;
	uint32_t r;
	int error;

	error = tma_open(options, &e->device);
	if (error)
		return error;
	e->info.size = sizeof(e->info);
	e->bytes = file->padded;
	tma_device_info(e->device, &e->info);
	error = tma_memory_alloc(e->device, file->padded, &input);
	if (!error)
		error = tma_copy_in(input, 0, file->bytes, file->padded);
	if (error)
		return error;
	e->input = tma_memory_address(input);
	for (r = 0; !error && r < e->info.ctas; r++) {
		queue.cta = r;
		error = tma_queue_open(e->device, r, &queue, &e->queues[r]);
	}
	return error;
}

/* Take memory for what the passes write: one for bulk copies, one for tensor copies. Reductions take theirs. */
static int take_memory(struct demo_engine *e, const struct demo_file *file, bool reduce,
                       struct demo_result *result, struct tma_memory *output[DEMO_PASSES])
{
	uint64_t copies = (uint64_t)(e->info.ctas + 1) * file->padded;
	struct demo_layout layout;
	struct demo_sample sample;
	int error = tma_memory_alloc(e->device, copies, &output[DEMO_PASS_STAGES]);

	if (error)
		return error;
	output[DEMO_PASS_ALL] = output[DEMO_PASS_STAGES];
	result->global_bytes[DEMO_PASS_STAGES] = copies;
	result->global_bytes[DEMO_PASS_ALL] = copies;
	result->shared_bytes = (uint64_t)e->info.ctas * e->info.smem_bytes;
	result->passes = DEMO_PASS_TENSOR;
	e->masked = tma_memory_address(output[DEMO_PASS_STAGES]);
	e->copies = e->masked + file->padded;
	if (!file->pixels)
		return 0;
	demo_lay_out(&layout, file, &e->info);
	result->global_bytes[DEMO_PASS_TENSOR] = layout.total;
	result->passes = reduce && e->info.reductions ? DEMO_PASSES : DEMO_PASS_REDUCE;
	demo_take_sample(&sample, file);
	result->global_bytes[DEMO_PASS_REDUCE] = (uint64_t)e->info.ports * sample.bytes + DEMO_COUNTER_BYTES;
	output[DEMO_PASS_REDUCE] = NULL;
	return tma_memory_alloc(e->device, layout.total, &output[DEMO_PASS_TENSOR]);
}

static int make_pass(struct demo_engine *e, const struct demo_file *file, enum demo_pass pass,
                     struct tma_memory *output, struct demo_result *result)
{
	switch (pass) {
	case DEMO_PASS_STAGES:
		return demo_stage_by_stage(e, result->cycles);
	case DEMO_PASS_ALL:
		return demo_all_at_once(e, result->cycles);
	case DEMO_PASS_TENSOR:
		return demo_views(e, file, output, result->view_cycles);
	default:
		return demo_reductions(e, file, result->global[pass], result->reduce_cycles);
	}
}

int demo_run(const struct tma_options *options, const struct demo_file *file, bool reduce,
             struct demo_result *result)
{
	struct tma_memory *output[DEMO_PASSES];
	struct demo_engine e = { .device = NULL };
	int error, pass;

	memset(result, 0, sizeof(*result));
	error = open_engine(&e, options, file);
	if (!error)
		error = take_memory(&e, file, reduce, result, output);
	if (error == TMA_ECONFIG) {
		fprintf(stderr, "tma_demo: --config %s: the back end `%s` has no such configuration\n",
		        options->config ? options->config : "default", options->backend);
		goto out;
	}
	if (error) {
		device_error(options, "cannot be set up", error);
		goto out;
	}
	result->info = e.info;
	for (pass = 0; pass < result->passes; pass++) {
		error = make_room(result, pass);
		if (!error)
			error = blank(&e, output[pass], pass != DEMO_PASS_ALL && pass != DEMO_PASS_REDUCE);
		if (error) {
			device_error(options, "cannot be filled", error);
			goto out;
		}
		error = make_pass(&e, file, pass, output[pass], result);
		if (error)
			goto out;
		error = take_home(&e, output[pass], result, pass);
		if (error) {
			device_error(options, "results cannot be read", error);
			goto out;
		}
	}
out:
	tma_close(e.device);
	return error;
}

void demo_free_result(struct demo_result *result)
{
	int pass;

	for (pass = 0; pass < DEMO_PASSES; pass++) {
		free(result->global[pass]);
		free(result->shared[pass]);
	}
}
