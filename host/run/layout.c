/* SPDX-License-Identifier: Apache-2.0 */
/* Where the variables of a program lie on a device, what they hold at first, and its queues. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

#define STATUS_FAILED 1
#define PAGE          4096u

int run_failed(const struct run *run, struct tma_ptx_place place, const char *what)
{
	run_wrong(run->program, place, 1, "%s: %s", what, tma_last_error());
	return STATUS_FAILED;
}

/* What cannot be had is the program's to mend. */
static int refused(const struct run *run, const struct run_symbol *symbol)
{
	return run_wrong(run->program, symbol->place, (uint32_t)strlen(symbol->name), "%s: %s", symbol->name,
	                 tma_last_error());
}

static uint64_t bytes_of(const struct run_symbol *symbol)
{
	return symbol->count * symbol->type.bytes;
}

static bool is_shared(const struct run_symbol *symbol)
{
	return symbol->ptx.kind == TMA_PTX_VARIABLE && symbol->ptx.space == TMA_PTX_SHARED;
}

/* The variable that has been placed and meets a piece of shared memory; NULL: none. */
static const struct run_symbol *in_the_way(const struct run_program *program, const bool *placed,
                                           uint64_t begin, uint64_t bytes)
{
	for (uint32_t i = 0; i < program->num_symbols; i++) {
		const struct run_symbol *other = &program->symbols[i];

		if (placed[i] && begin < other->address + bytes_of(other) && other->address < begin + bytes)
			return other;
	}
	return NULL;
}

static int place_one(const struct run *run, bool *placed, uint32_t i)
{
	struct run_symbol *symbol = &run->program->symbols[i];
	const uint32_t length = (uint32_t)strlen(symbol->name);
	const struct run_symbol *other;
	uint64_t at = symbol->place_at;

	if (symbol->fixed && at % symbol->align)
		return run_wrong(run->program, symbol->place, length,
		                 "%s: .at must be a multiple of %" PRIu32, symbol->name, symbol->align);
	while ((other = in_the_way(run->program, placed, at, bytes_of(symbol))) && !symbol->fixed)
		at = (other->address + bytes_of(other) + symbol->align - 1) / symbol->align * symbol->align;
	if (other)
		return run_wrong(run->program, symbol->place, length,
		                 "%s, at %" PRIu64 " with %" PRIu64 " bytes, overlaps %s, at %" PRIu64
		                 " with %" PRIu64,
		                 symbol->name, at, bytes_of(symbol), other->name, other->address,
		                 bytes_of(other));
	if (at + bytes_of(symbol) > run->info.smem_bytes)
		return run_wrong(run->program, symbol->place, length,
		                 "%s does not fit: it would end at %" PRIu64
		                 ", and the shared memory of a CTA has %" PRIu32 " bytes",
		                 symbol->name, at + bytes_of(symbol), run->info.smem_bytes);
	symbol->address = at;
	placed[i] = true;
	return 0;
}

/* Those that say where they lie first, the others around them. */
static int place_shared(struct run *run)
{
	const uint32_t count = run->program->num_symbols;
	bool *placed = calloc(count + 1, sizeof(*placed));
	int status = 0;

	if (!placed)
		return run_wrong(run->program, (struct tma_ptx_place){ 1, 1 }, 1, "no memory is left");
	for (int fixed = 1; fixed >= 0; fixed--)
		for (uint32_t i = 0; i < count && !status; i++)
			if (is_shared(&run->program->symbols[i]) &&
			    run->program->symbols[i].fixed == (bool)fixed)
				status = place_one(run, placed, i);
	free(placed);
	return status;
}

static int place_global(struct run *run)
{
	for (uint32_t i = 0; i < run->program->num_symbols; i++) {
		struct run_symbol *symbol = &run->program->symbols[i];

		if (symbol->ptx.kind != TMA_PTX_VARIABLE || is_shared(symbol))
			continue;
		if (symbol->multimem ? tma_multimem_open(run->device, bytes_of(symbol), 0, &symbol->object)
		                     : tma_memory_alloc(run->device, bytes_of(symbol), &symbol->memory))
			return refused(run, symbol);
		symbol->address = symbol->multimem ? tma_multimem_address(symbol->object)
		                                   : tma_memory_address(symbol->memory);
	}
	return 0;
}

/* What a register holds at first, in each thread. */
static void fill_register(struct run *run, struct run_symbol *symbol)
{
	const struct run_program *program = run->program;
	const struct run_source *source = &symbol->source;

	for (uint32_t q = 0; q < RUN_QUEUES; q++) {
		symbol->awaited[q] = false;
		symbol->known[q] = source->kind != RUN_ZERO;
		if (source->kind == RUN_VALUE)
			run_element_put(&symbol->type, source->numbers, (uint8_t *)&symbol->value[q]);
		if (source->kind == RUN_ADDRESS)
			run_define(symbol, q, run_address(program, &source->copy, q));
	}
}

static int fill_variable(struct run *run, struct run_symbol *symbol)
{
	struct run_target target = { .symbol = (uint32_t)(symbol - run->program->symbols),
		                     .place = symbol->place,
		                     .length = (uint32_t)strlen(symbol->name) };
	const uint64_t size = bytes_of(symbol);
	uint8_t *bytes;
	int status;

	if (symbol->source.kind == RUN_ZERO)
		return 0;
	bytes = malloc(size);
	if (!bytes)
		return run_wrong(run->program, symbol->place, 1, "no memory is left");
	status = run_bytes(run, &symbol->source, &symbol->type, symbol->count, bytes);
	target.has_at = is_shared(symbol);
	for (target.at = 0; target.at < (is_shared(symbol) ? run->info.ctas : 1) && !status; target.at++)
		status = run_store(run, &target, bytes, size);
	free(bytes);
	return status;
}

/* Maps name other variables, and copies too: in the order of the text. */
static int fill_all(struct run *run)
{
	int status = 0;

	for (uint32_t i = 0; i < run->program->num_symbols && !status; i++)
		if (run->program->symbols[i].ptx.kind == TMA_PTX_VARIABLE)
			status = fill_variable(run, &run->program->symbols[i]);
	return status;
}

void run_begin(struct run *run)
{
	run->thread = 0;
	run->commands = run->done_on_host = run->hints = run->skipped = 0;
	run->asked = 0;
	for (uint32_t i = 0; i < run->program->num_symbols; i++)
		if (run->program->symbols[i].ptx.kind == TMA_PTX_REGISTER)
			fill_register(run, &run->program->symbols[i]);
	for (uint32_t q = 0; q < RUN_QUEUES; q++) {
		run->queues[q].first += run->queues[q].num_sent;
		run->queues[q].num_sent = 0;
	}
}

/* Of a program with multimem objects: one window from its first variable to its last, one for each object. */
static uint32_t make_windows(const struct run *run, struct tma_queue_window windows[16])
{
	uint64_t low = UINT64_MAX, high = 0;
	uint32_t count = 1, objects = 0;

	for (uint32_t i = 0; i < run->program->num_symbols; i++) {
		const struct run_symbol *symbol = &run->program->symbols[i];

		if (symbol->object && count < 16) {
			windows[count++] = (struct tma_queue_window){ symbol->address, bytes_of(symbol),
				                                      TMA_ALLOW_MULTIMEM };
			objects++;
		} else if (symbol->memory) {
			low = symbol->address < low ? symbol->address : low;
			high = symbol->address + bytes_of(symbol) > high ? symbol->address + bytes_of(symbol)
			                                                 : high;
		}
	}
	if (!objects)
		return 0;
	if (low < high) {
		windows[0] = (struct tma_queue_window){ low, high - low, TMA_ALLOW_READ | TMA_ALLOW_WRITE };
		return count;
	}
	memmove(windows, windows + 1, (count - 1) * sizeof(*windows));
	return count - 1;
}

static uint32_t ring_slots(uint32_t commands)
{
	uint32_t slots = 64;

	while (slots < commands + 2 && slots < 65536)
		slots *= 2;
	return slots;
}

static int open_queue(struct run *run, uint32_t q)
{
	const struct run_thread *thread = &run->program->threads[q];
	struct tma_queue_window windows[16];
	struct tma_queue_options options = {
		.size = sizeof(options),
		.cta = thread->cta,
		.depth = thread->steps + 1024,
		.windows = windows,
		.stream = (uint8_t)(q + 1), /* tells in a time line whose burst it is */
	};
	int error = TMA_ENOTSUP;

	if (q >= run->info.queues)
		return run_wrong(run->program, thread->place, 1,
		                 "there is no thread %" PRIu32 ": the engine has queues 0 to %" PRIu32, q,
		                 run->info.queues - 1);
	if (thread->cta >= run->info.ctas)
		return run_wrong(run->program, thread->place, 1,
		                 "there is no CTA %" PRIu32 ": the engine has CTAs 0 to %" PRIu32,
		                 thread->cta, run->info.ctas - 1);
	options.num_windows = make_windows(run, windows);
	if (!options.num_windows)
		options.windows = NULL;
	if (!run->options.rings)
		error = tma_queue_open(run->device, q, &options, &run->queues[q].queue);
	if (error == TMA_ENOTSUP) {
		options.front = TMA_FRONT_RING;
		options.ring_slots = options.record_slots = ring_slots(thread->steps);
		error = tma_queue_open(run->device, q, &options, &run->queues[q].queue);
	}
	return error ? run_failed(run, thread->place, "the thread's queue") : 0;
}

/* Variables whose size is that of a file. */
static int count_all(struct run *run)
{
	for (uint32_t i = 0; i < run->program->num_symbols; i++) {
		struct run_symbol *symbol = &run->program->symbols[i];

		if (symbol->ptx.kind == TMA_PTX_VARIABLE && !symbol->count &&
		    run_count(run, &symbol->source, &symbol->type, &symbol->count))
			return 2;
	}
	return 0;
}

/* What names a part of a variable has to stay inside. */
static int check_steps(struct run *run)
{
	uint64_t count, bytes;

	for (uint32_t i = 0; i < run->program->num_steps; i++) {
		const struct run_step *step = &run->program->steps[i];

		if (step->kind >= RUN_SET && run_extent(run, &step->target, &count, &bytes))
			return 2;
	}
	return 0;
}

int run_layout(struct run *run)
{
	int status;

	run->info.size = sizeof(run->info);
	if (tma_device_info(run->device, &run->info))
		return run_failed(run, (struct tma_ptx_place){ 1, 1 }, "the device");
	status = count_all(run);
	if (!status)
		status = check_steps(run);
	if (!status)
		status = place_shared(run);
	if (!status)
		status = place_global(run);
	if (!status)
		status = fill_all(run);
	for (uint32_t q = 0; q < RUN_QUEUES && !status; q++)
		if (run->program->threads[q].used)
			status = open_queue(run, q);
	return status;
}

void run_close(struct run *run)
{
	for (uint32_t q = 0; q < RUN_QUEUES; q++) {
		tma_queue_close(run->queues[q].queue);
		free(run->queues[q].sent);
		run->queues[q] = (struct run_queue){ 0 };
	}
	for (uint32_t i = 0; i < run->program->num_symbols; i++) {
		tma_memory_free(run->program->symbols[i].memory);
		tma_multimem_close(run->program->symbols[i].object);
		run->program->symbols[i].memory = NULL;
		run->program->symbols[i].object = NULL;
	}
	free(run->comparisons);
	run->comparisons = NULL;
}
