/* SPDX-License-Identifier: Apache-2.0 */
/* Collects what a time line shows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"
#include "tma_watch.h"
#include "tool.h"
#include "trace.h"

#define EXTENT(info, i) ((info)->strides[(i)-1] * ((info)->dim[i] - 1))

/* Where there is no clock, each look is later than the one before. */
uint64_t trace_now(struct run *run)
{
	if (!run->trace)
		return 0;
	return run->info.clocked ? tma_cycles(run->device) : ++run->trace->steps;
}

static struct trace_event *add(struct run_trace *trace, enum trace_kind kind, uint32_t where)
{
	struct trace_event *more;

	if (trace->count == trace->room) {
		trace->room = 2 * trace->room + 1024;
		more = realloc(trace->events, trace->room * sizeof(*more));
		if (!more) {
			trace->room = trace->count;
			trace->failed = true;
			return NULL;
		}
		trace->events = more;
	}
	more = &trace->events[trace->count++];
	*more = (struct trace_event){ .kind = kind, .where = where };
	return more;
}

/* The elements of a tile. NULL: they are not so easily told. */
static const struct trace_box *tile_of(const struct run *run, const struct tma_command *command,
                                       const struct tma_map_info *info)
{
	struct trace_box *box;

	if (command->mode != TMA_MODE_TILE || info->kind != TMA_MAP_TILED || info->interleave ||
	    map_element_bits(info->type) % 8)
		return NULL;
	box = run_alloc(run->program, sizeof(*box));
	if (!box)
		return NULL;
	box->rank = info->rank;
	box->element = map_element_bits(info->type) / 8;
	box->address = info->address;
	memcpy(box->strides, info->strides, sizeof(box->strides));
	for (uint32_t i = 0; i < info->rank; i++) {
		box->low[i] = command->coord[i];
		box->high[i] = box->low[i] + info->box[i];
	}
	return box;
}

/* The memory of a tensor, from its first byte to behind its last row. */
static void tensor_range(const struct run *run, const struct tma_command *command, struct trace_event *event)
{
	struct tma_map_info info;
	struct tma_map map;

	event->map = command->global_address;
	if (run_map_at(run, command->global_address, &map) || tma_map_decode(&map, &info, NULL))
		return;
	event->box = tile_of(run, command, &info);
	event->low = info.address;
	event->high = info.address + info.dim[0] * 8;
	for (uint32_t i = 1; i < info.rank; i++)
		event->high += EXTENT(&info, i);
}

/* A piece of a multimem object lies behind each port. */
static void object_range(const struct run *run, const struct tma_command *command, struct trace_event *event)
{
	for (uint32_t i = 0; i < run->program->num_symbols; i++) {
		const struct run_symbol *symbol = &run->program->symbols[i];

		if (!symbol->object || command->global_address < symbol->address ||
		    command->global_address - symbol->address >= tma_multimem_bytes(symbol->object))
			continue;
		event->object = symbol;
		event->low = command->global_address - symbol->address;
		event->high = event->low + command->size;
	}
}

static void command_range(const struct run *run, const struct tma_command *command, struct trace_event *event)
{
	event->writes = command->opcode == TMA_BULK_STORE || command->opcode == TMA_BULK_REDUCE ||
	                command->opcode == TMA_TENSOR_STORE || command->opcode == TMA_TENSOR_REDUCE ||
	                command->opcode == TMA_MULTIMEM_BULK_STORE ||
	                command->opcode == TMA_MULTIMEM_BULK_REDUCE;
	/* Reductions read what is there. */
	event->reads = command->opcode != TMA_BULK_STORE && command->opcode != TMA_TENSOR_STORE &&
	               command->opcode != TMA_MULTIMEM_BULK_STORE;
	switch (command->opcode) {
	case TMA_BULK_LOAD:
	case TMA_BULK_STORE:
	case TMA_BULK_PREFETCH:
	case TMA_BULK_REDUCE:
	case TMA_CP_ASYNC:
		event->low = command->global_address;
		event->high = command->global_address + command->size;
		break;
	case TMA_TENSOR_LOAD:
	case TMA_TENSOR_STORE:
	case TMA_TENSOR_REDUCE:
	case TMA_TENSOR_PREFETCH:
		tensor_range(run, command, event);
		break;
	case TMA_MULTIMEM_BULK_STORE:
	case TMA_MULTIMEM_BULK_REDUCE:
		object_range(run, command, event);
		break;
	case TMA_PREFETCH_TENSORMAP:
		event->map = command->global_address;
		break;
	default:
		break;
	}
}

void trace_submit(struct run *run, uint32_t queue, uint32_t sequence)
{
	struct run_trace *trace = run->trace;
	const uint32_t index = sequence - run->queues[queue].first;
	uint64_t *more;

	if (!trace)
		return;
	if (index >= trace->room_given[queue]) {
		more = realloc(trace->given[queue], (2 * (size_t)index + 64) * sizeof(*more));
		if (!more) {
			trace->failed = true;
			return;
		}
		trace->given[queue] = more;
		trace->room_given[queue] = 2 * index + 64;
	}
	trace->given[queue][index] = trace_now(run);
}

/* Every command has one, in its order. */
void trace_record(struct run *run, uint32_t queue, const struct tma_record *record)
{
	const struct run_sent *sent = run_sent(run, queue, record->sequence);
	const uint32_t index = record->sequence - run->queues[queue].first;
	struct run_trace *trace = run->trace;
	struct trace_event *event;
	uint64_t given;

	if (!trace || !sent || index >= trace->room_given[queue])
		return;
	event = add(trace, TRACE_COMMAND, queue);
	if (!event)
		return;
	given = trace->given[queue][index];
	event->given = given;
	event->begin = given > trace->left[queue] ? given : trace->left[queue];
	event->end = trace_now(run);
	event->step = sent->step;
	event->sequence = record->sequence;
	command_range(run, &sent->command, event);
	trace->left[queue] = event->end;
}

void trace_host(struct run *run, const struct run_step *step, uint64_t begin)
{
	struct trace_event *event = run->trace ? add(run->trace, TRACE_HOST, 0) : NULL;

	if (!event)
		return;
	event->begin = begin;
	event->end = trace_now(run);
	event->step = step;
}

/* The oldest burst of that place that was not answered. */
static struct trace_event *open_burst(struct run_trace *trace, enum trace_kind kind,
                                      const struct tma_watch_event *seen)
{
	/* Few are open at once, and those are the last ones. */
	for (uint64_t i = trace->count; i > 0; i--) {
		struct trace_event *event = &trace->events[i - 1];

		if (event->kind == kind && event->where == seen->port && !event->answered &&
		    event->low == seen->address && event->high == seen->address + seen->bytes)
			return event;
	}
	return NULL;
}

static void begin_burst(struct run_trace *trace, enum trace_kind kind, const struct tma_watch_event *seen)
{
	struct trace_event *event = add(trace, kind, seen->port);

	if (!event)
		return;
	event->begin = event->end = seen->cycle;
	event->low = seen->address;
	event->high = seen->address + seen->bytes;
	event->stream = seen->stream;
}

static void end_burst(struct run_trace *trace, enum trace_kind kind, const struct tma_watch_event *seen)
{
	struct trace_event *event = open_burst(trace, kind, seen);

	if (!event)
		return;
	event->end = seen->cycle;
	event->answered = true;
}

static void see(void *context, const struct tma_watch_event *seen)
{
	struct run_trace *trace = context;
	struct trace_event *event;

	if (!trace->file)
		return;
	switch (seen->kind) {
	case TMA_WATCH_READ:
	case TMA_WATCH_WRITE:
		begin_burst(trace, seen->kind == TMA_WATCH_READ ? TRACE_READ : TRACE_WRITE, seen);
		return;
	case TMA_WATCH_READ_END:
	case TMA_WATCH_WRITE_END:
		end_burst(trace, seen->kind == TMA_WATCH_READ_END ? TRACE_READ : TRACE_WRITE, seen);
		return;
	default:
		event = add(trace, seen->kind == TMA_WATCH_READ_STALL ? TRACE_READ_STALL : TRACE_WRITE_STALL,
		            seen->port);
		if (!event)
			return;
		event->begin = seen->since;
		event->end = seen->cycle;
		return;
	}
}

static int refuse(const struct run *run, const char *why)
{
	return cli_refuse(run->program->tool, run->options.trace, why);
}

int trace_open(struct run *run)
{
	int error;

	if (!run->options.trace)
		return 0;
	run->trace = run_alloc(run->program, sizeof(*run->trace));
	if (!run->trace)
		return refuse(run, "no memory is left");
	run->trace->file = fopen(run->options.trace, "w");
	if (!run->trace->file)
		return refuse(run, strerror(errno));
	error = tma_watch(run->device, see, run->trace);
	return error && error != TMA_ENOTSUP ? refuse(run, tma_last_error()) : 0;
}

/* What was not answered when the run ended ends with it. */
static void end_all(struct run *run)
{
	const uint64_t now = trace_now(run);

	for (uint64_t i = 0; i < run->trace->count; i++) {
		struct trace_event *event = &run->trace->events[i];

		if ((event->kind == TRACE_READ || event->kind == TRACE_WRITE) && !event->answered)
			event->end = now;
	}
}

int trace_close(struct run *run)
{
	struct run_trace *trace = run->trace;
	int status = 0;

	if (!trace)
		return 0;
	if (trace->file) {
		end_all(run);
		errno = 0;
		if (trace->failed || trace_write(run, trace->file))
			status = refuse(run, "no memory is left");
		if (cli_close(trace->file) && !status)
			status = refuse(run, errno ? strerror(errno) : "it cannot be written");
	}
	for (uint32_t q = 0; q < RUN_QUEUES; q++)
		free(trace->given[q]);
	free(trace->events);
	/* The device may still tell of what ends. */
	trace->events = NULL;
	trace->count = trace->room = 0;
	trace->file = NULL;
	return status;
}
