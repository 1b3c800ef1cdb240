/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction and what its names hold into a command. */
#include <string.h>

#include "ptx.h"
#include "tma_command.h"

/* The values of an instruction's operands; the first thing that is wrong stays said. */
struct binding {
	const struct tma_ptx_instruction *instruction;
	const struct tma_ptx_values *values;
	struct ptx_parser parser; /* to say it with */
	bool failed;
};

static int refuse(struct tma_ptx_error *error, struct tma_ptx_place place, const char *name, const char *rule)
{
	struct ptx_parser parser = { .error = error };

	return error ? ptx_fail(&parser, place, (uint32_t)strlen(name), "%s %s", name, rule) : -1;
}

int tma_ptx_value(const struct tma_ptx_term *term, const struct tma_ptx_values *values, uint64_t *value,
                  struct tma_ptx_error *error)
{
	switch (term->kind) {
	case TMA_PTX_IMMEDIATE:
		*value = term->value;
		return 0;
	case TMA_PTX_REGISTER:
	case TMA_PTX_VARIABLE:
		if (!values || !values->find(values->context, term->name, value))
			return refuse(error, term->place, term->name, "has no value");
		if (term->offset)
			*value += term->value;
		return 0;
	default:
		return refuse(error, term->place, "this operand", "is no value");
	}
}

int tma_ptx_guard(const struct tma_ptx_instruction *instruction, const struct tma_ptx_values *values,
                  bool *runs, struct tma_ptx_error *error)
{
	uint64_t value = 1;

	if (instruction->guard.kind != TMA_PTX_NOTHING &&
	    tma_ptx_value(&instruction->guard, values, &value, error))
		return -1;
	*runs = (value != 0) != instruction->guard_negated;
	return 0;
}

static uint64_t term_value(struct binding *binding, const struct tma_ptx_term *term)
{
	uint64_t value = 0;

	if (!binding->failed && tma_ptx_value(term, binding->values, &value, binding->parser.error))
		binding->failed = true;
	return value;
}

/* 0 where there is no such operand. */
static uint64_t operand(struct binding *binding, enum tma_ptx_role role)
{
	const struct tma_ptx_operand *found = tma_ptx_find(binding->instruction, role);

	return found ? term_value(binding, &found->term) : 0;
}

static uint32_t word(struct binding *binding, enum tma_ptx_role role)
{
	return (uint32_t)operand(binding, role);
}

static uint32_t shared(struct binding *binding, enum tma_ptx_role role)
{
	const uint64_t value = operand(binding, role);
	const struct tma_ptx_operand *found = tma_ptx_find(binding->instruction, role);

	if (value > UINT32_MAX && !binding->failed) {
		binding->failed = true;
		ptx_fail(&binding->parser, found->place, 1,
		         "%s is 0x%llx, which is no address of shared memory", ptx_roles[role],
		         (unsigned long long)value);
	}
	return (uint32_t)value;
}

static bool has(const struct binding *binding, enum tma_ptx_role role)
{
	return tma_ptx_find(binding->instruction, role) != NULL;
}

static uint8_t modifier(const struct binding *binding, enum tma_ptx_class class)
{
	return binding->instruction->modifier[class];
}

static enum tma_mode mode_of(const struct binding *binding)
{
	static const uint8_t modes[] = {
		[0] = TMA_MODE_TILE,
		[TMA_PTX_TILE] = TMA_MODE_TILE,
		[TMA_PTX_GATHER4] = TMA_MODE_GATHER4,
		[TMA_PTX_SCATTER4] = TMA_MODE_SCATTER4,
		[TMA_PTX_IM2COL] = TMA_MODE_IM2COL,
		[TMA_PTX_IM2COL_W] = TMA_MODE_IM2COL_W,
		[TMA_PTX_IM2COL_W_128] = TMA_MODE_IM2COL_W_128,
		[TMA_PTX_IM2COL_NO_OFFS] = TMA_MODE_IM2COL_NO_OFFS,
	};

	return (enum tma_mode)modes[modifier(binding, TMA_PTX_CLASS_MODE)];
}

static enum tma_type type_of(const struct binding *binding)
{
	static const uint8_t types[] = {
		[TMA_PTX_U32] = TMA_TYPE_U32, [TMA_PTX_S32] = TMA_TYPE_S32,   [TMA_PTX_B32] = TMA_TYPE_B32,
		[TMA_PTX_U64] = TMA_TYPE_U64, [TMA_PTX_S64] = TMA_TYPE_S64,   [TMA_PTX_B64] = TMA_TYPE_B64,
		[TMA_PTX_F16] = TMA_TYPE_F16, [TMA_PTX_BF16] = TMA_TYPE_BF16, [TMA_PTX_F32] = TMA_TYPE_F32,
		[TMA_PTX_F64] = TMA_TYPE_F64,
	};

	return (enum tma_type)types[modifier(binding, TMA_PTX_CLASS_TYPE)];
}

/* Both count the operators in the same order. */
static enum tma_reduce op_of(const struct binding *binding)
{
	return (enum tma_reduce)(modifier(binding, TMA_PTX_CLASS_OP) - TMA_PTX_ADD + TMA_REDUCE_ADD);
}

static void bind_cp_async(struct binding *binding, struct tma_command *command)
{
	const uint32_t dst = shared(binding, TMA_PTX_ROLE_DST), size = word(binding, TMA_PTX_ROLE_CP_SIZE);
	const uint64_t src = operand(binding, TMA_PTX_ROLE_SRC);
	const struct tma_ptx_operand *ignore = tma_ptx_find(binding->instruction, TMA_PTX_ROLE_IGNORE_SRC);
	const uint8_t prefetch = modifier(binding, TMA_PTX_CLASS_PREFETCH_SIZE);

	if (has(binding, TMA_PTX_ROLE_SRC_SIZE))
		tma_cp_async_src_size(command, dst, src, size, word(binding, TMA_PTX_ROLE_SRC_SIZE));
	else if (ignore)
		tma_cp_async_ignore_src(command, dst, src, size,
		                        (term_value(binding, &ignore->term) != 0) != ignore->negated);
	else
		tma_cp_async(command, dst, src, size);
	if (modifier(binding, TMA_PTX_CLASS_CACHE) == TMA_PTX_CG)
		tma_set_cg(command);
	if (prefetch)
		tma_set_l2_prefetch(command, (enum tma_l2_prefetch)(prefetch - TMA_PTX_64B + TMA_L2_64B));
}

static void bind_bulk(struct binding *binding, struct tma_command *command)
{
	const uint8_t dst = modifier(binding, TMA_PTX_CLASS_SPACE),
		      src = modifier(binding, TMA_PTX_CLASS_SPACE_2);
	const uint32_t size = word(binding, TMA_PTX_ROLE_SIZE), mbar = shared(binding, TMA_PTX_ROLE_MBAR);

	if (dst == TMA_PTX_GLOBAL && has(binding, TMA_PTX_ROLE_BYTE_MASK))
		tma_cp_async_bulk_store_masked(command, operand(binding, TMA_PTX_ROLE_DST),
		                               shared(binding, TMA_PTX_ROLE_SRC), size,
		                               (uint16_t)word(binding, TMA_PTX_ROLE_BYTE_MASK));
	else if (dst == TMA_PTX_GLOBAL)
		tma_cp_async_bulk_store(command, operand(binding, TMA_PTX_ROLE_DST),
		                        shared(binding, TMA_PTX_ROLE_SRC), size);
	else if (src == TMA_PTX_SHARED_CTA)
		tma_cp_async_bulk_shared(command, shared(binding, TMA_PTX_ROLE_DST),
		                         shared(binding, TMA_PTX_ROLE_SRC), size, mbar);
	else
		tma_cp_async_bulk_load(command, shared(binding, TMA_PTX_ROLE_DST),
		                       operand(binding, TMA_PTX_ROLE_SRC), size, mbar);
}

static void bind_reduce(struct binding *binding, struct tma_command *command)
{
	const enum tma_reduce op = op_of(binding);
	const enum tma_type type = type_of(binding);
	const uint32_t src = shared(binding, TMA_PTX_ROLE_SRC), size = word(binding, TMA_PTX_ROLE_SIZE);

	if (binding->instruction->opcode == TMA_PTX_OP_MULTIMEM_CP_REDUCE_ASYNC_BULK)
		tma_multimem_cp_reduce_async_bulk(command, op, type, operand(binding, TMA_PTX_ROLE_DST), src,
		                                  size);
	else if (modifier(binding, TMA_PTX_CLASS_SPACE) == TMA_PTX_GLOBAL)
		tma_cp_reduce_async_bulk(command, op, type, operand(binding, TMA_PTX_ROLE_DST), src, size);
	else
		tma_cp_reduce_async_bulk_shared(command, op, type, shared(binding, TMA_PTX_ROLE_DST), src,
		                                size, shared(binding, TMA_PTX_ROLE_MBAR));
}

static void bind_tensor(struct binding *binding, struct tma_command *command)
{
	const struct tma_ptx_operand *map = tma_ptx_find(binding->instruction, TMA_PTX_ROLE_MAP);
	const struct tma_ptx_operand *offsets = tma_ptx_find(binding->instruction, TMA_PTX_ROLE_OFFSETS);
	const uint64_t address = operand(binding, TMA_PTX_ROLE_MAP);
	const uint32_t dim = modifier(binding, TMA_PTX_CLASS_DIM);
	const enum tma_mode mode = mode_of(binding);
	int32_t coord[5] = { 0 };
	uint16_t im2col[3] = { 0 };

	for (uint32_t i = 0; i < map->count && i < 5; i++)
		coord[i] = (int32_t)term_value(binding, &map->vector[i]);
	for (uint32_t i = 0; offsets && i < offsets->count && i < 3; i++)
		im2col[i] = (uint16_t)term_value(binding, &offsets->vector[i]);
	if (binding->instruction->opcode == TMA_PTX_OP_CP_ASYNC_BULK_PREFETCH_TENSOR)
		tma_cp_async_bulk_prefetch_tensor(command, mode, dim, address, coord, im2col);
	else if (binding->instruction->opcode == TMA_PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR)
		tma_cp_reduce_async_bulk_tensor(command, op_of(binding), mode, dim, address, coord,
		                                shared(binding, TMA_PTX_ROLE_SRC));
	else if (modifier(binding, TMA_PTX_CLASS_SPACE) == TMA_PTX_GLOBAL)
		tma_cp_async_bulk_tensor_store(command, mode, dim, address, coord,
		                               shared(binding, TMA_PTX_ROLE_SRC));
	else
		tma_cp_async_bulk_tensor_load(command, mode, dim, shared(binding, TMA_PTX_ROLE_DST), address,
		                              coord, shared(binding, TMA_PTX_ROLE_MBAR), im2col);
}

/* What copies have besides: of cp.async, bulk and tensor copies. */
static void bind_modifiers(struct binding *binding, struct tma_command *command)
{
	const bool loads = modifier(binding, TMA_PTX_CLASS_SPACE_2) == TMA_PTX_GLOBAL &&
	                   modifier(binding, TMA_PTX_CLASS_MECHANISM) == TMA_PTX_COMPLETE_TX;

	if (loads && modifier(binding, TMA_PTX_CLASS_SPACE) == TMA_PTX_SHARED_CTA)
		tma_set_cta_local(command);
	if (modifier(binding, TMA_PTX_CLASS_MULTICAST))
		tma_set_multicast(command, (uint16_t)word(binding, TMA_PTX_ROLE_CTA_MASK));
	if (modifier(binding, TMA_PTX_CLASS_CTA_GROUP) == TMA_PTX_CTA_GROUP_2)
		tma_set_cta_group_2(command);
	if (modifier(binding, TMA_PTX_CLASS_CACHE_HINT))
		tma_set_cache_hint(command, operand(binding, TMA_PTX_ROLE_POLICY));
}

static void bind_arrive(struct binding *binding, struct tma_command *command, bool drop)
{
	const uint32_t mbar = shared(binding, TMA_PTX_ROLE_MBAR);
	const uint32_t count = has(binding, TMA_PTX_ROLE_COUNT) ? word(binding, TMA_PTX_ROLE_COUNT) : 1;

	if (modifier(binding, TMA_PTX_CLASS_NO_COMPLETE))
		(drop ? tma_mbarrier_arrive_drop_no_complete : tma_mbarrier_arrive_no_complete)(command, mbar,
		                                                                                count);
	else
		(drop ? tma_mbarrier_arrive_drop : tma_mbarrier_arrive)(command, mbar, count);
}

static void bind_wait(struct binding *binding, struct tma_command *command)
{
	const bool last = binding->instruction->last_state;
	const uint32_t mbar = shared(binding, TMA_PTX_ROLE_MBAR);
	const uint64_t token = operand(binding, TMA_PTX_ROLE_TOKEN);
	const uint32_t parity = word(binding, TMA_PTX_ROLE_PARITY);
	const uint32_t limit =
		has(binding, TMA_PTX_ROLE_LIMIT) ? word(binding, TMA_PTX_ROLE_LIMIT) : TMA_NO_LIMIT;

	switch (binding->instruction->opcode) {
	case TMA_PTX_OP_MBARRIER_TEST_WAIT:
		if (last)
			tma_mbarrier_test_wait_last(command, mbar);
		else
			tma_mbarrier_test_wait(command, mbar, token);
		break;
	case TMA_PTX_OP_MBARRIER_TRY_WAIT:
		if (last)
			tma_mbarrier_try_wait_last(command, mbar, limit);
		else
			tma_mbarrier_try_wait(command, mbar, token, limit);
		break;
	case TMA_PTX_OP_MBARRIER_PENDING_COUNT:
		if (last)
			tma_mbarrier_pending_count_last(command);
		else
			tma_mbarrier_pending_count(command, token);
		break;
	case TMA_PTX_OP_MBARRIER_TEST_WAIT_PARITY:
		tma_mbarrier_test_wait_parity(command, mbar, parity);
		break;
	default:
		tma_mbarrier_try_wait_parity(command, mbar, parity, limit);
		break;
	}
}

static void bind_words(struct binding *binding, struct tma_command *command)
{
	const struct tma_ptx_operand *words = tma_ptx_find(binding->instruction, TMA_PTX_ROLE_WORDS);
	uint64_t values[TMA_PTX_ELEMENTS];

	_Static_assert(sizeof(values) == sizeof(*command), "a command has eight words");
	for (uint32_t i = 0; i < TMA_PTX_ELEMENTS; i++)
		values[i] = term_value(binding, &words->vector[i]);
	memcpy(command, values, sizeof(*command));
}

static void bind(struct binding *binding, struct tma_command *command)
{
	const uint32_t mbar = shared(binding, TMA_PTX_ROLE_MBAR), n = word(binding, TMA_PTX_ROLE_N);
	const uint32_t tx = word(binding, TMA_PTX_ROLE_TX);

	switch (binding->instruction->opcode) {
	case TMA_PTX_OP_CP_ASYNC:
		bind_cp_async(binding, command);
		break;
	case TMA_PTX_OP_CP_ASYNC_COMMIT_GROUP:
		tma_cp_async_commit_group(command);
		break;
	case TMA_PTX_OP_CP_ASYNC_WAIT_GROUP:
		tma_cp_async_wait_group(command, n);
		break;
	case TMA_PTX_OP_CP_ASYNC_WAIT_ALL:
		tma_cp_async_wait_all(command);
		break;
	case TMA_PTX_OP_CP_ASYNC_MBARRIER_ARRIVE:
		(modifier(binding, TMA_PTX_CLASS_NOINC) ? tma_cp_async_mbarrier_arrive_noinc
		                                        : tma_cp_async_mbarrier_arrive)(command, mbar);
		break;
	case TMA_PTX_OP_CP_ASYNC_BULK:
		bind_bulk(binding, command);
		break;
	case TMA_PTX_OP_CP_REDUCE_ASYNC_BULK:
	case TMA_PTX_OP_MULTIMEM_CP_REDUCE_ASYNC_BULK:
		bind_reduce(binding, command);
		break;
	case TMA_PTX_OP_CP_ASYNC_BULK_PREFETCH:
		tma_cp_async_bulk_prefetch(command, operand(binding, TMA_PTX_ROLE_SRC),
		                           word(binding, TMA_PTX_ROLE_SIZE));
		break;
	case TMA_PTX_OP_MULTIMEM_CP_ASYNC_BULK:
		bind_bulk(binding, command);
		command->opcode = TMA_MULTIMEM_BULK_STORE; /* a store, to every location */
		break;
	case TMA_PTX_OP_CP_ASYNC_BULK_TENSOR:
	case TMA_PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR:
	case TMA_PTX_OP_CP_ASYNC_BULK_PREFETCH_TENSOR:
		bind_tensor(binding, command);
		break;
	case TMA_PTX_OP_CP_ASYNC_BULK_COMMIT_GROUP:
		tma_cp_async_bulk_commit_group(command);
		break;
	case TMA_PTX_OP_CP_ASYNC_BULK_WAIT_GROUP:
		(modifier(binding, TMA_PTX_CLASS_READ) ? tma_cp_async_bulk_wait_group_read
		                                       : tma_cp_async_bulk_wait_group)(command, n);
		break;
	case TMA_PTX_OP_PREFETCH:
		tma_prefetch_tensormap(command, operand(binding, TMA_PTX_ROLE_MAP));
		break;
	case TMA_PTX_OP_FENCE_PROXY:
		tma_fence_proxy_tensormap(command, operand(binding, TMA_PTX_ROLE_MAP));
		break;
	case TMA_PTX_OP_MBARRIER_INIT:
		tma_mbarrier_init(command, mbar, word(binding, TMA_PTX_ROLE_COUNT));
		break;
	case TMA_PTX_OP_MBARRIER_INVAL:
		tma_mbarrier_inval(command, mbar);
		break;
	case TMA_PTX_OP_MBARRIER_EXPECT_TX:
		tma_mbarrier_expect_tx(command, mbar, tx);
		break;
	case TMA_PTX_OP_MBARRIER_COMPLETE_TX:
		tma_mbarrier_complete_tx(command, mbar, tx);
		break;
	case TMA_PTX_OP_MBARRIER_ARRIVE:
	case TMA_PTX_OP_MBARRIER_ARRIVE_DROP:
		bind_arrive(binding, command,
		            binding->instruction->opcode == TMA_PTX_OP_MBARRIER_ARRIVE_DROP);
		break;
	case TMA_PTX_OP_MBARRIER_ARRIVE_EXPECT_TX:
		tma_mbarrier_arrive_expect_tx(command, mbar, tx);
		break;
	case TMA_PTX_OP_MBARRIER_ARRIVE_DROP_EXPECT_TX:
		tma_mbarrier_arrive_drop_expect_tx(command, mbar, tx);
		break;
	case TMA_PTX_OP_MBARRIER_TEST_WAIT:
	case TMA_PTX_OP_MBARRIER_TEST_WAIT_PARITY:
	case TMA_PTX_OP_MBARRIER_TRY_WAIT:
	case TMA_PTX_OP_MBARRIER_TRY_WAIT_PARITY:
	case TMA_PTX_OP_MBARRIER_PENDING_COUNT:
		bind_wait(binding, command);
		break;
	case TMA_PTX_OP_SIGNAL:
		tma_signal(command, 0);
		break;
	case TMA_PTX_OP_CANCEL:
		tma_cancel_queue(command, word(binding, TMA_PTX_ROLE_QUEUE));
		break;
	case TMA_PTX_OP_COMMAND:
		bind_words(binding, command);
		break;
	default: /* no command: the caller has asked */
		break;
	}
}

bool tma_ptx_is_command(const struct tma_ptx_instruction *instruction)
{
	switch (instruction->opcode) {
	case TMA_PTX_OP_PREFETCH:
		return instruction->modifier[TMA_PTX_CLASS_MAP] != 0;
	case TMA_PTX_OP_FENCE_PROXY:
		return tma_ptx_find(instruction, TMA_PTX_ROLE_MAP) != NULL;
	default:
		return ptx_opcodes[instruction->opcode].doer == DOER_ENGINE;
	}
}

bool tma_ptx_is_hint(const struct tma_ptx_instruction *instruction)
{
	return ptx_opcodes[instruction->opcode].doer == DOER_NOBODY && !tma_ptx_is_command(instruction);
}

int tma_ptx_command(const struct tma_ptx_instruction *instruction, const struct tma_ptx_values *values,
                    struct tma_command *command, struct tma_ptx_error *error)
{
	struct tma_ptx_error unasked;
	struct binding binding = { instruction, values, { .error = error ? error : &unasked }, false };

	if (!tma_ptx_is_command(instruction))
		return refuse(error, instruction->place, ptx_opcodes[instruction->opcode].name,
		              "is no command of the engine");
	bind(&binding, command);
	bind_modifiers(&binding, command);
	if (binding.failed)
		return -1;
	if (instruction->last_state && instruction->opcode != TMA_PTX_OP_COMMAND &&
	    !(command->flags & TMA_FLAG_LAST_STATE))
		return refuse(error, instruction->place, ptx_opcodes[instruction->opcode].name,
		              "has no state that could be the last one");
	if (instruction->opcode == TMA_PTX_OP_COMMAND)
		return 0;
	if (instruction->record)
		tma_set_record(command, instruction->tag);
	else
		tma_set_tag(command, instruction->tag);
	return 0;
}
