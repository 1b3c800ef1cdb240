/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A time line as Chrome's trace events, which Perfetto opens: complete events ("X"), with a process for the threads of
 * the program and one for each port, and flows ("s", "f") from a command to its bursts. A cycle is a microsecond.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"
#include "trace.h"

#define PTX_ROOM   800
#define LANES      512u
#define WRITES     1000u /* track of the first lane of writes */
#define STALLS     2000u
#define HOST_TRACK 100u

#define PROCESS_THREADS 1u
#define PROCESS_PORT    2u /* of port 0 */

static bool is_burst(const struct trace_event *event)
{
	return event->kind == TRACE_READ || event->kind == TRACE_WRITE;
}

static int by_time(const void *one, const void *other)
{
	const struct trace_event *a = one, *b = other;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* Bursts overlap: each takes the first lane of its port and direction that is free. */
static void take_lanes(const struct run_trace *trace)
{
	static uint64_t free_from[8][2][LANES];

	memset(free_from, 0, sizeof(free_from));
	for (uint64_t i = 0; i < trace->count; i++) {
		struct trace_event *event = &trace->events[i];
		uint64_t *from = free_from[event->where % 8][event->kind == TRACE_WRITE];

		if (!is_burst(event))
			continue;
		while (event->lane + 1 < LANES && from[event->lane] > event->begin)
			event->lane++;
		from[event->lane] = event->end;
	}
}

/* Whether a burst begins in a tile, or in front of a row of it by less than it is long. */
static bool in_box(const struct trace_box *box, const struct trace_event *burst)
{
	uint64_t offset = burst->low - box->address;
	const int64_t bytes = (int64_t)(burst->high - burst->low);

	for (uint32_t i = box->rank - 1; i > 0; i--) {
		const uint64_t stride = box->strides[i - 1];
		const int64_t index = stride ? (int64_t)(offset / stride) : 0;

		if (stride && (index < box->low[i] || index >= box->high[i]))
			return false;
		offset = stride ? offset % stride : offset;
	}
	return (int64_t)offset < box->high[0] * box->element &&
	       (int64_t)offset + bytes > box->low[0] * box->element;
}

/* Whether a burst may be of a command: its memory, its queue, and when. A record tells a little late that the command
 * before has left, so the burst may have begun before the command's own time; not before it was given. */
static bool may_be(const struct trace_event *command, const struct trace_event *burst)
{
	uint64_t low = command->low, high = command->high;
	bool map, data;

	if (command->object) {
		const struct tma_memory *memory = tma_multimem_memory(command->object->object, burst->where);

		low += tma_memory_address(memory);
		high += tma_memory_address(memory);
	}
	map = command->map && burst->kind == TRACE_READ && burst->low >= command->map &&
	      burst->high <= command->map + TMA_MAP_BYTES;
	data = (burst->kind == TRACE_READ ? command->reads : command->writes) && burst->low >= low &&
	       burst->high <= high && (!command->box || in_box(command->box, burst));
	return (!burst->stream || command->where + 1 == burst->stream) && command->given <= burst->begin &&
	       command->begin <= burst->end && (map || data);
}

static const char *category(const struct trace_event *event)
{
	static const char *const names[TRACE_KINDS] = {
		[TRACE_HOST] = "host",        [TRACE_READ] = "burst",        [TRACE_WRITE] = "burst",
		[TRACE_READ_STALL] = "stall", [TRACE_WRITE_STALL] = "stall",
	};
	const char *name;

	if (event->kind != TRACE_COMMAND)
		return names[event->kind];
	name = tma_ptx_opcode_name(event->step->instruction->opcode);
	return strstr(name, "wait")            ? "wait"
	       : !strncmp(name, "mbarrier", 8) ? "barrier"
	       : event->low < event->high      ? "copy"
	                                       : "command";
}

/* Whether a wait of the burst's thread had passed before it. */
static bool is_past_wait(const struct trace_event *command, const struct trace_event *burst)
{
	return burst->stream == command->where + 1 && command->end <= burst->begin &&
	       !strcmp(category(command), "wait");
}

/* Only one that can be meant is. Where there are several, those in front of a wait of the same thread that has passed are
 * taken to be done. @return -1: no memory is left */
static int find_flows(const struct run_trace *trace)
{
	uint64_t *commands = malloc((trace->count + 1) * sizeof(*commands)), count = 0;

	if (!commands)
		return -1;
	for (uint64_t i = 0; i < trace->count; i++)
		if (trace->events[i].kind == TRACE_COMMAND)
			commands[count++] = i;
	for (uint64_t i = 0; i < trace->count; i++) {
		struct trace_event *burst = &trace->events[i];
		uint32_t found = 0, recent = 0;

		for (uint64_t j = 0; is_burst(burst) && j < count; j++) {
			const struct trace_event *command = &trace->events[commands[j]];

			if (is_past_wait(command, burst))
				recent = 0;
			if (may_be(command, burst)) {
				burst->flow = commands[j] + 1;
				found++;
				recent++;
			}
		}
		if (found != 1 && recent != 1)
			burst->flow = 0;
	}
	free(commands);
	return 0;
}

static void name_track(struct json *json, uint32_t process, uint32_t track, const char *what,
                       const char *name)
{
	json_begin(json, NULL, '{');
	json_text(json, "name", what);
	json_text(json, "ph", "M");
	json_number(json, "pid", process);
	json_number(json, "tid", track);
	json_begin(json, "args", '{');
	json_text(json, "name", name);
	json_end(json, '}');
	json_end(json, '}');
}

static void name_lanes(const struct run_trace *trace, struct json *json, uint32_t port, enum trace_kind kind)
{
	const char *name = kind == TRACE_READ ? "reads" : "writes";
	uint32_t lanes = 0;
	char text[32];

	for (uint64_t i = 0; i < trace->count; i++)
		if (trace->events[i].kind == kind && trace->events[i].where == port &&
		    trace->events[i].lane >= lanes)
			lanes = trace->events[i].lane + 1;
	for (uint32_t lane = 0; lane < lanes; lane++) {
		snprintf(text, sizeof(text), "%s %" PRIu32, name, lane);
		name_track(json, PROCESS_PORT + port, (kind == TRACE_READ ? 0 : WRITES) + lane, "thread_name",
		           text);
	}
}

static void name_tracks(const struct run *run, struct json *json)
{
	char name[64];

	name_track(json, PROCESS_THREADS, 0, "process_name", "threads");
	name_track(json, PROCESS_THREADS, HOST_TRACK, "thread_name", "host");
	for (uint32_t q = 0; q < RUN_QUEUES; q++) {
		if (!run->program->threads[q].used)
			continue;
		snprintf(name, sizeof(name), "thread %" PRIu32 ", CTA %" PRIu32, q,
		         run->program->threads[q].cta);
		name_track(json, PROCESS_THREADS, q, "thread_name", name);
	}
	for (uint32_t p = 0; p < run->info.ports; p++) {
		snprintf(name, sizeof(name), "port %" PRIu32, p);
		name_track(json, PROCESS_PORT + p, 0, "process_name", name);
		name_lanes(run->trace, json, p, TRACE_READ);
		name_lanes(run->trace, json, p, TRACE_WRITE);
		name_track(json, PROCESS_PORT + p, STALLS, "thread_name", "AR stalls");
		name_track(json, PROCESS_PORT + p, STALLS + 1, "thread_name", "W stalls");
	}
}

static const char *name_of(const struct trace_event *event)
{
	static const char *const steps[] = { [RUN_THREAD] = ".thread",
		                             [RUN_WAIT] = ".wait",
		                             [RUN_SET] = ".set",
		                             [RUN_DUMP] = ".dump",
		                             [RUN_COMPARE] = ".compare" };

	switch (event->kind) {
	case TRACE_COMMAND:
		return tma_ptx_opcode_name(event->step->instruction->opcode);
	case TRACE_HOST:
		return event->step->instruction ? tma_ptx_opcode_name(event->step->instruction->opcode)
		                                : steps[event->step->kind];
	case TRACE_READ:
		return "read";
	case TRACE_WRITE:
		return "write";
	default:
		return "stall";
	}
}

static void put_place(struct json *json, const struct trace_event *event)
{
	static const uint32_t first[TRACE_KINDS] = {
		[TRACE_WRITE] = WRITES,
		[TRACE_READ_STALL] = STALLS,
		[TRACE_WRITE_STALL] = STALLS + 1,
	};

	json_number(json, "pid", event->kind <= TRACE_HOST ? PROCESS_THREADS : PROCESS_PORT + event->where);
	json_number(json, "tid",
	            event->kind == TRACE_COMMAND ? event->where
	            : event->kind == TRACE_HOST  ? HOST_TRACK
	                                         : first[event->kind] + event->lane);
}

static void put_arguments(struct json *json, const struct trace_event *event)
{
	char text[PTX_ROOM];

	json_begin(json, "args", '{');
	if (event->step) {
		json_number(json, "line", event->step->place.line);
		if (event->step->instruction) {
			tma_ptx_print(event->step->instruction, text, sizeof(text));
			json_text(json, "ptx", text);
		}
	}
	if (event->kind == TRACE_COMMAND)
		json_number(json, "number", event->sequence);
	if (is_burst(event)) {
		json_hex(json, "address", event->low);
		json_number(json, "bytes", (int64_t)(event->high - event->low));
		if (event->stream)
			json_number(json, "thread", event->stream - 1);
	}
	json_end(json, '}');
}

static void put_event(struct json *json, const struct trace_event *event)
{
	json_begin(json, NULL, '{');
	json_text(json, "name", name_of(event));
	json_text(json, "cat", category(event));
	json_text(json, "ph", "X");
	json_number(json, "ts", (int64_t)event->begin);
	json_number(json, "dur", (int64_t)(event->end - event->begin));
	put_place(json, event);
	put_arguments(json, event);
	json_end(json, '}');
}

/* One end of an arrow, at a time when both have begun. */
static void put_flow(struct json *json, const struct trace_event *event, const char *end, uint64_t id,
                     uint64_t time)
{
	json_begin(json, NULL, '{');
	json_text(json, "name", "burst");
	json_text(json, "cat", "flow");
	json_text(json, "ph", end);
	if (*end == 'f')
		json_text(json, "bp", "e");
	json_number(json, "id", (int64_t)id);
	json_number(json, "ts", (int64_t)time);
	put_place(json, event);
	json_end(json, '}');
}

static void put_flows(struct json *json, const struct run_trace *trace, uint64_t i)
{
	const struct trace_event *burst = &trace->events[i], *command;

	if (!burst->flow)
		return;
	command = &trace->events[burst->flow - 1];
	put_flow(json, command, "s", i, command->begin);
	put_flow(json, burst, "f", i, burst->begin > command->begin ? burst->begin : command->begin);
}

int trace_write(const struct run *run, FILE *file)
{
	const struct run_trace *trace = run->trace;
	struct json json = { .file = file };

	if (trace->count)
		qsort(trace->events, trace->count, sizeof(*trace->events), by_time);
	take_lanes(trace);
	if (find_flows(trace))
		return -1;
	json_begin(&json, NULL, '{');
	json_text(&json, "displayTimeUnit", "ms");
	json_begin(&json, "otherData", '{');
	json_text(&json, "program", run->program->path);
	json_text(&json, "backend", run->info.backend);
	json_text(&json, "config", run->info.config ? run->info.config : "");
	json_text(&json, "unit", run->info.clocked ? "1 us is a clock cycle" : "1 us is a step, not time");
	json_end(&json, '}');
	json_begin(&json, "traceEvents", '[');
	name_tracks(run, &json);
	for (uint64_t i = 0; i < trace->count; i++) {
		put_event(&json, &trace->events[i]);
		put_flows(&json, trace, i);
	}
	json_end(&json, ']');
	json_end(&json, '}');
	return 0; /* who closes the file sees whether it could be written */
}
