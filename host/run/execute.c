/* SPDX-License-Identifier: Apache-2.0 */
/* Executes the steps of a program: instructions become commands of their thread's queue. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "tool.h"
#include "trace.h"

#define PTX_ROOM 800

uint64_t run_address(const struct run_program *program, const struct run_target *target, uint32_t thread)
{
	const struct run_symbol *symbol = &program->symbols[target->symbol];
	const uint64_t address = symbol->address + target->offset;

	if (symbol->ptx.space != TMA_PTX_SHARED)
		return address;
	return tma_shared(target->has_at ? target->at : program->threads[thread].cta, (uint32_t)address);
}

uint64_t run_cut(const struct run_type *type, uint64_t value)
{
	if (type->kind == 'p')
		return value != 0;
	return type->bytes == 8 ? value : value & ((UINT64_C(1) << 8 * type->bytes) - 1);
}

void run_define(struct run_symbol *symbol, uint32_t thread, uint64_t value)
{
	symbol->value[thread] = run_cut(&symbol->type, value);
	symbol->known[thread] = true;
	symbol->awaited[thread] = false;
}

static bool find_value(void *context, const char *name, uint64_t *value)
{
	struct run_names *names = context;
	struct run_symbol *symbol = run_find(names->run->program, name);
	struct run_target target = { 0 };

	if (!symbol)
		return false;
	if (symbol->ptx.kind == TMA_PTX_VARIABLE) {
		target.symbol = (uint32_t)(symbol - names->run->program->symbols);
		*value = run_address(names->run->program, &target, names->thread);
		return true;
	}
	if (symbol->awaited[names->thread] && !names->status)
		names->status = run_answer(names->run, symbol, names->thread);
	*value = symbol->value[names->thread];
	return symbol->known[names->thread] && !names->status;
}

struct tma_ptx_values run_values(struct run_names *names)
{
	return (struct tma_ptx_values){ .find = find_value, .context = names };
}

/* An operand without a value, unless that was said. */
static int no_value(const struct run *run, const struct run_names *names, const struct tma_ptx_error *error)
{
	return names->status ? names->status
	                     : run_wrong(run->program, error->place, error->length, "%s", error->message);
}

int run_operand(struct run *run, const struct run_step *step, enum tma_ptx_role role, uint64_t *value)
{
	const struct tma_ptx_operand *operand = tma_ptx_find(step->instruction, role);
	struct run_names names = { .run = run, .thread = run->thread };
	const struct tma_ptx_values values = run_values(&names);
	struct tma_ptx_error error;

	*value = 0;
	if (!operand || operand->term.kind == TMA_PTX_FLOAT)
		return 0;
	return tma_ptx_value(&operand->term, &values, value, &error) ? no_value(run, &names, &error) : 0;
}

struct run_symbol *run_result(const struct run *run, const struct tma_ptx_instruction *instruction)
{
	static const enum tma_ptx_role roles[] = { TMA_PTX_ROLE_STATE, TMA_PTX_ROLE_DONE,
		                                   TMA_PTX_ROLE_RESULT };

	for (uint32_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		const struct tma_ptx_operand *operand = tma_ptx_find(instruction, roles[i]);

		if (operand && operand->term.kind == TMA_PTX_REGISTER)
			return run_find(run->program, operand->term.name);
	}
	return NULL;
}

static bool remember(struct run_queue *queue, const struct run_step *step, const struct tma_command *command)
{
	struct run_sent *more;

	if (queue->num_sent == queue->room) {
		queue->room = 2 * queue->room + 64;
		more = realloc(queue->sent, queue->room * sizeof(*more));
		if (!more)
			return false;
		queue->sent = more;
	}
	queue->sent[queue->num_sent++] = (struct run_sent){ step, *command };
	return true;
}

/* The variable in global memory that holds all of a piece; NULL: none. */
static const struct run_symbol *holder(const struct run *run, uint64_t address, uint64_t bytes)
{
	for (uint32_t i = 0; i < run->program->num_symbols; i++) {
		const struct run_symbol *symbol = &run->program->symbols[i];

		if (symbol->memory && address >= symbol->address &&
		    address + bytes <= symbol->address + tma_memory_bytes(symbol->memory))
			return symbol;
	}
	return NULL;
}

int run_map_at(const struct run *run, uint64_t address, struct tma_map *map)
{
	const struct run_symbol *symbol = holder(run, address, sizeof(*map));

	return symbol && !tma_copy_out(symbol->memory, address - symbol->address, map, sizeof(*map)) ? 0 : -1;
}

int run_put_map(const struct run *run, uint64_t address, const struct tma_map *map)
{
	const struct run_symbol *symbol = holder(run, address, sizeof(*map));

	return symbol && !tma_copy_in(symbol->memory, address - symbol->address, map, sizeof(*map)) ? 0 : -1;
}

/* Bytes that a copy names; of a tensor copy by its map as it is now. */
static uint64_t bytes_of(const struct run *run, const struct tma_command *command)
{
	struct tma_map map;

	switch (command->opcode) {
	case TMA_BULK_LOAD:
	case TMA_BULK_STORE:
	case TMA_BULK_SHARED:
	case TMA_BULK_PREFETCH:
	case TMA_BULK_REDUCE:
	case TMA_BULK_REDUCE_SHARED:
	case TMA_MULTIMEM_BULK_STORE:
	case TMA_MULTIMEM_BULK_REDUCE:
	case TMA_CP_ASYNC:
		return command->size;
	case TMA_TENSOR_LOAD:
	case TMA_TENSOR_PREFETCH:
		return run_map_at(run, command->global_address, &map)
		               ? 0
		               : tma_map_load_bytes(&map, (enum tma_mode)command->mode, command->im2col[0]);
	case TMA_TENSOR_STORE:
	case TMA_TENSOR_REDUCE:
		if (run_map_at(run, command->global_address, &map))
			return 0;
		return command->mode == TMA_MODE_SCATTER4 ? tma_map_load_bytes(&map, TMA_MODE_GATHER4, 0)
		                                          : tma_map_box_bytes(&map);
	default:
		return 0;
	}
}

static void print_step(const struct run *run, const struct run_step *step, const char *who)
{
	char text[PTX_ROOM];

	if (!run->options.trace_text)
		return;
	tma_ptx_print(step->instruction, text, sizeof(text));
	printf("%5" PRIu32 "  %-12s %s\n", step->place.line, who, text);
}

static int submit(struct run *run, const struct run_step *step)
{
	struct run_queue *queue = &run->queues[run->thread];
	struct run_symbol *result = run_result(run, step->instruction);
	struct run_names names = { .run = run, .thread = run->thread };
	const struct tma_ptx_values values = run_values(&names);
	struct tma_command command = { 0 };
	struct tma_ptx_error error;
	char who[32];
	int64_t sequence;

	if (tma_ptx_command(step->instruction, &values, &command, &error))
		return no_value(run, &names, &error);
	/* An arrive tells its state only where it is asked to; a time line needs to know when each has left. */
	if (result || run->trace)
		tma_set_record(&command, command.tag);
	if (!remember(queue, step, &command))
		return run_wrong(run->program, step->place, step->length, "no memory is left");
	sequence = tma_submit(queue->queue, &command);
	if (sequence == TMA_EFAULT || sequence == TMA_EFULL) {
		/* Its record says what; if there is none, what it waits for. */
		queue->num_sent--;
		return run_drain(run, 1u << run->thread) ? TOOL_FAIL : run_failed(run, step->place, "submit");
	}
	if (sequence < 0)
		return run_failed(run, step->place, "submit");
	snprintf(who, sizeof(who), "%" PRIu32 ":%" PRId64, run->thread, sequence);
	print_step(run, step, who);
	run->commands++;
	run->asked += bytes_of(run, &command);
	trace_submit(run, run->thread, (uint32_t)sequence);
	if (result) {
		result->awaited[run->thread] = true;
		result->known[run->thread] = false;
		result->sequence[run->thread] = (uint32_t)sequence;
	}
	return 0;
}

static int run_instruction(struct run *run, const struct run_step *step)
{
	struct run_names names = { .run = run, .thread = run->thread };
	const struct tma_ptx_values values = run_values(&names);
	struct tma_ptx_error error;
	uint64_t begin;
	int status;
	bool runs;

	if (tma_ptx_guard(step->instruction, &values, &runs, &error))
		return no_value(run, &names, &error);
	if (!runs) {
		run->skipped++;
		print_step(run, step, "guarded off");
		return 0;
	}
	if (tma_ptx_is_command(step->instruction))
		return submit(run, step);
	if (tma_ptx_is_hint(step->instruction)) {
		run->hints++;
		print_step(run, step, "hint");
		return 0;
	}
	run->done_on_host++;
	print_step(run, step, "host");
	begin = trace_now(run);
	status = run_on_host(run, step);
	trace_host(run, step, begin);
	return status;
}

/* A register, or memory: what the thread waits for has come before the host writes it. */
static int run_set(struct run *run, const struct run_step *step)
{
	struct run_symbol *symbol = &run->program->symbols[step->target.symbol];
	uint64_t count, size;
	uint8_t *bytes;
	int status;

	if (symbol->ptx.kind == TMA_PTX_REGISTER) {
		uint64_t value = 0;

		if (step->source.kind == RUN_ADDRESS)
			value = run_address(run->program, &step->source.copy, run->thread);
		else
			run_element_put(&symbol->type, step->source.numbers, (uint8_t *)&value);
		run_define(symbol, run->thread, value);
		return 0;
	}
	status = run_extent(run, &step->target, &count, &size);
	if (!status && run->program->threads[run->thread].used)
		status = run_issued(run, run->thread);
	bytes = status ? NULL : malloc(size + 1);
	if (!status && !bytes)
		return run_wrong(run->program, step->place, step->length, "no memory is left");
	if (!status)
		status = run_bytes(run, &step->source, &symbol->type, count, bytes);
	if (!status)
		status = run_store(run, &step->target, bytes, size);
	free(bytes);
	return status;
}

/* A step that the host does. */
static int run_directive(struct run *run, const struct run_step *step)
{
	int status;

	switch (step->kind) {
	case RUN_WAIT:
		return run_drain(run, step->threads);
	case RUN_SET:
		return run_set(run, step);
	default:
		status = run_drain(run, 0);
		if (status || !run->checking)
			return status;
		return step->kind == RUN_DUMP ? run_dump(run, step) : run_compare(run, step);
	}
}

static int run_step(struct run *run, const struct run_step *step)
{
	const uint64_t begin = trace_now(run);
	int status;

	if (step->kind == RUN_INSTRUCTION)
		return run_instruction(run, step);
	if (step->kind == RUN_THREAD) {
		run->thread = step->thread;
		return 0;
	}
	status = run_directive(run, step);
	trace_host(run, step, begin);
	return status;
}

int run_execute(struct run *run)
{
	int status = 0;

	run_begin(run);
	for (uint32_t i = 0; i < run->program->num_steps && !status; i++) {
		if (i % 64 == 0)
			progress_say(run->progress, "step %" PRIu32 " of %" PRIu32, i,
			             run->program->num_steps);
		status = run_step(run, &run->program->steps[i]);
	}
	if (!status)
		status = run_drain(run, 0);
	if (!status && tma_device_check(run->device))
		status = run_failed(run, (struct tma_ptx_place){ 1, 1 }, "the device");
	return status ? status : run->differences ? TOOL_FAIL : TOOL_PASS;
}
