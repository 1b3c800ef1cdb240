/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command into an instruction of numbers, and that into text. Whether the instruction says all of the command is not
 * reasoned about: it is made into a command again, and what is not the same is written as its eight words.
 */
#include <string.h>

#include "ptx.h"

static void set(struct tma_ptx_instruction *out, enum tma_ptx_class class, uint32_t value)
{
	out->modifier[class] = (uint8_t)value;
}

/* Where a flag of the command says it. */
static void set_if(struct tma_ptx_instruction *out, bool is, enum tma_ptx_class class, uint32_t value)
{
	if (is)
		set(out, class, value);
}

static struct tma_ptx_operand *add(struct tma_ptx_instruction *out, enum tma_ptx_role role,
                                   enum tma_ptx_kind kind, uint64_t value)
{
	struct tma_ptx_operand *operand = &out->operand[out->count++];

	operand->role = role;
	operand->term.kind = kind;
	operand->term.value = value;
	return operand;
}

static void number(struct tma_ptx_instruction *out, enum tma_ptx_role role, uint64_t value)
{
	add(out, role, TMA_PTX_IMMEDIATE, value);
}

static void address(struct tma_ptx_instruction *out, enum tma_ptx_role role, uint64_t value)
{
	add(out, role, TMA_PTX_IMMEDIATE, value)->bracket = true;
}

static void sink(struct tma_ptx_instruction *out, enum tma_ptx_role role)
{
	add(out, role, TMA_PTX_SINK, 0);
}

static void element(struct tma_ptx_operand *operand, uint64_t value)
{
	operand->vector[operand->count].kind = TMA_PTX_IMMEDIATE;
	operand->vector[operand->count++].value = value;
}

static void spaces(struct tma_ptx_instruction *out, uint32_t dst, uint32_t src)
{
	set(out, TMA_PTX_CLASS_SPACE, dst);
	set(out, TMA_PTX_CLASS_SPACE_2, src);
}

static bool is(const struct tma_command *command, uint32_t flag)
{
	return (command->flags & flag) != 0;
}

static void write_cp_async(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	spaces(out, TMA_PTX_SHARED_CTA, TMA_PTX_GLOBAL);
	set(out, TMA_PTX_CLASS_CACHE, is(command, TMA_FLAG_CG) ? TMA_PTX_CG : TMA_PTX_CA);
	set_if(out, command->mode >= 1 && command->mode <= 3, TMA_PTX_CLASS_PREFETCH_SIZE, command->mode);
	address(out, TMA_PTX_ROLE_DST, command->shared_dst);
	address(out, TMA_PTX_ROLE_SRC, command->global_address);
	number(out, TMA_PTX_ROLE_CP_SIZE, command->size);
	if (is(command, TMA_FLAG_SRC_SIZE))
		number(out, TMA_PTX_ROLE_SRC_SIZE, command->count);
	else if (is(command, TMA_FLAG_IGNORE_SRC))
		add(out, TMA_PTX_ROLE_IGNORE_SRC, TMA_PTX_IMMEDIATE, 0)->negated = true;
}

/* From shared into global memory: stores and reductions, multimem or not. */
static void write_store(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	spaces(out, TMA_PTX_GLOBAL, TMA_PTX_SHARED_CTA);
	set(out, TMA_PTX_CLASS_MECHANISM, TMA_PTX_BULK_GROUP);
	address(out, TMA_PTX_ROLE_DST, command->global_address);
	address(out, TMA_PTX_ROLE_SRC, command->shared_src);
	number(out, TMA_PTX_ROLE_SIZE, command->size);
}

static void write_shared(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	spaces(out, TMA_PTX_SHARED_CLUSTER, TMA_PTX_SHARED_CTA);
	set(out, TMA_PTX_CLASS_MECHANISM, TMA_PTX_COMPLETE_TX);
	address(out, TMA_PTX_ROLE_DST, command->shared_dst);
	address(out, TMA_PTX_ROLE_SRC, command->shared_src);
	number(out, TMA_PTX_ROLE_SIZE, command->size);
	address(out, TMA_PTX_ROLE_MBAR, command->barrier);
}

static void write_load_spaces(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	spaces(out, is(command, TMA_FLAG_CTA_LOCAL) ? TMA_PTX_SHARED_CTA : TMA_PTX_SHARED_CLUSTER,
	       TMA_PTX_GLOBAL);
	set(out, TMA_PTX_CLASS_MECHANISM, TMA_PTX_COMPLETE_TX);
	set_if(out, is(command, TMA_FLAG_MULTICAST), TMA_PTX_CLASS_MULTICAST, TMA_PTX_MULTICAST_CLUSTER);
}

static void write_operation(struct tma_ptx_instruction *out, const struct tma_command *command, bool typed)
{
	static const uint8_t types[] = {
		[TMA_TYPE_U32] = TMA_PTX_U32, [TMA_TYPE_S32] = TMA_PTX_S32,   [TMA_TYPE_B32] = TMA_PTX_B32,
		[TMA_TYPE_U64] = TMA_PTX_U64, [TMA_TYPE_S64] = TMA_PTX_S64,   [TMA_TYPE_B64] = TMA_PTX_B64,
		[TMA_TYPE_F16] = TMA_PTX_F16, [TMA_TYPE_BF16] = TMA_PTX_BF16, [TMA_TYPE_F32] = TMA_PTX_F32,
		[TMA_TYPE_F64] = TMA_PTX_F64,
	};
	const bool is_half = command->type == TMA_TYPE_F16 || command->type == TMA_TYPE_BF16;

	set_if(out, command->op <= TMA_REDUCE_XOR, TMA_PTX_CLASS_OP,
	       command->op - TMA_REDUCE_ADD + TMA_PTX_ADD);
	if (!typed)
		return;
	set_if(out, command->type < sizeof(types), TMA_PTX_CLASS_TYPE,
	       types[command->type < sizeof(types) ? command->type : 0]);
	set_if(out, is_half && command->op == TMA_REDUCE_ADD, TMA_PTX_CLASS_NOFTZ, TMA_PTX_NOFTZ);
}

static void write_map(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	static const uint8_t modes[] = {
		[TMA_MODE_TILE] = TMA_PTX_TILE,
		[TMA_MODE_IM2COL] = TMA_PTX_IM2COL,
		[TMA_MODE_IM2COL_NO_OFFS] = TMA_PTX_IM2COL_NO_OFFS,
		[TMA_MODE_GATHER4] = TMA_PTX_GATHER4,
		[TMA_MODE_SCATTER4] = TMA_PTX_SCATTER4,
		[TMA_MODE_IM2COL_W] = TMA_PTX_IM2COL_W,
		[TMA_MODE_IM2COL_W_128] = TMA_PTX_IM2COL_W_128,
	};
	struct tma_ptx_operand *map;
	uint32_t count = command->dim <= 5 ? command->dim : 5;

	if (command->mode == TMA_MODE_GATHER4 || command->mode == TMA_MODE_SCATTER4)
		count = 5;
	set_if(out, command->dim <= 5, TMA_PTX_CLASS_DIM, command->dim);
	set_if(out, command->mode < sizeof(modes), TMA_PTX_CLASS_MODE,
	       modes[command->mode < sizeof(modes) ? command->mode : 0]);
	map = add(out, TMA_PTX_ROLE_MAP, TMA_PTX_IMMEDIATE, command->global_address);
	map->bracket = true;
	for (uint32_t i = 0; i < count; i++)
		element(map, (uint64_t)command->coord[i]);
}

static void write_offsets(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	struct tma_ptx_operand *offsets;
	uint32_t count = 2;

	if (command->mode == TMA_MODE_IM2COL)
		count = command->dim >= 3 && command->dim <= 5 ? command->dim - 2 : 0;
	else if (command->mode != TMA_MODE_IM2COL_W && command->mode != TMA_MODE_IM2COL_W_128)
		return;
	offsets = add(out, TMA_PTX_ROLE_OFFSETS, TMA_PTX_NOTHING, 0);
	for (uint32_t i = 0; i < count; i++)
		element(offsets, command->im2col[i]);
}

static void write_tensor(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	switch (command->opcode) {
	case TMA_TENSOR_LOAD:
		out->opcode = TMA_PTX_OP_CP_ASYNC_BULK_TENSOR;
		write_load_spaces(out, command);
		set_if(out, is(command, TMA_FLAG_CTA_GROUP_2), TMA_PTX_CLASS_CTA_GROUP, TMA_PTX_CTA_GROUP_2);
		address(out, TMA_PTX_ROLE_DST, command->shared_dst);
		write_map(out, command);
		address(out, TMA_PTX_ROLE_MBAR, command->barrier);
		write_offsets(out, command);
		break;
	case TMA_TENSOR_PREFETCH:
		out->opcode = TMA_PTX_OP_CP_ASYNC_BULK_PREFETCH_TENSOR;
		set(out, TMA_PTX_CLASS_LEVEL, TMA_PTX_L2);
		set(out, TMA_PTX_CLASS_SPACE, TMA_PTX_GLOBAL);
		write_map(out, command);
		write_offsets(out, command);
		break;
	default:
		out->opcode = TMA_PTX_OP_CP_ASYNC_BULK_TENSOR;
		spaces(out, TMA_PTX_GLOBAL, TMA_PTX_SHARED_CTA);
		set(out, TMA_PTX_CLASS_MECHANISM, TMA_PTX_BULK_GROUP);
		write_map(out, command);
		address(out, TMA_PTX_ROLE_SRC, command->shared_dst);
		if (command->opcode == TMA_TENSOR_REDUCE) {
			out->opcode = TMA_PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR;
			write_operation(out, command, false);
		}
		break;
	}
}

static void write_copy(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	switch (command->opcode) {
	case TMA_BULK_LOAD:
		out->opcode = TMA_PTX_OP_CP_ASYNC_BULK;
		write_load_spaces(out, command);
		address(out, TMA_PTX_ROLE_DST, command->shared_dst);
		address(out, TMA_PTX_ROLE_SRC, command->global_address);
		number(out, TMA_PTX_ROLE_SIZE, command->size);
		address(out, TMA_PTX_ROLE_MBAR, command->barrier);
		break;
	case TMA_BULK_STORE:
	case TMA_MULTIMEM_BULK_STORE:
		out->opcode = command->opcode == TMA_BULK_STORE ? TMA_PTX_OP_CP_ASYNC_BULK
		                                                : TMA_PTX_OP_MULTIMEM_CP_ASYNC_BULK;
		write_store(out, command);
		break;
	case TMA_BULK_SHARED:
		out->opcode = TMA_PTX_OP_CP_ASYNC_BULK;
		write_shared(out, command);
		break;
	case TMA_BULK_PREFETCH:
		out->opcode = TMA_PTX_OP_CP_ASYNC_BULK_PREFETCH;
		set(out, TMA_PTX_CLASS_LEVEL, TMA_PTX_L2);
		set(out, TMA_PTX_CLASS_SPACE, TMA_PTX_GLOBAL);
		address(out, TMA_PTX_ROLE_SRC, command->global_address);
		number(out, TMA_PTX_ROLE_SIZE, command->size);
		break;
	case TMA_BULK_REDUCE_SHARED:
		out->opcode = TMA_PTX_OP_CP_REDUCE_ASYNC_BULK;
		write_shared(out, command);
		write_operation(out, command, true);
		break;
	case TMA_BULK_REDUCE:
	case TMA_MULTIMEM_BULK_REDUCE:
		out->opcode = command->opcode == TMA_BULK_REDUCE ? TMA_PTX_OP_CP_REDUCE_ASYNC_BULK
		                                                 : TMA_PTX_OP_MULTIMEM_CP_REDUCE_ASYNC_BULK;
		write_store(out, command);
		write_operation(out, command, true);
		break;
	case TMA_CP_ASYNC:
		out->opcode = TMA_PTX_OP_CP_ASYNC;
		write_cp_async(out, command);
		break;
	default:
		write_tensor(out, command);
		break;
	}
	/* What stands behind the other operands, in this order. */
	if (is(command, TMA_FLAG_MULTICAST))
		number(out, TMA_PTX_ROLE_CTA_MASK, command->cta_mask);
	set_if(out, is(command, TMA_FLAG_CACHE_HINT), TMA_PTX_CLASS_CACHE_HINT, TMA_PTX_CACHE_HINT);
	if (is(command, TMA_FLAG_CACHE_HINT))
		number(out, TMA_PTX_ROLE_POLICY, command->policy);
	set_if(out, is(command, TMA_FLAG_CP_MASK), TMA_PTX_CLASS_CP_MASK, TMA_PTX_CP_MASK);
	if (is(command, TMA_FLAG_CP_MASK))
		number(out, TMA_PTX_ROLE_BYTE_MASK, command->byte_mask);
}

static void write_arrive(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	const bool drop = is(command, TMA_FLAG_DROP);

	sink(out, TMA_PTX_ROLE_STATE);
	address(out, TMA_PTX_ROLE_MBAR, command->barrier);
	if (is(command, TMA_FLAG_EXPECT_TX)) {
		out->opcode = drop ? TMA_PTX_OP_MBARRIER_ARRIVE_DROP_EXPECT_TX
		                   : TMA_PTX_OP_MBARRIER_ARRIVE_EXPECT_TX;
		number(out, TMA_PTX_ROLE_TX, command->tx);
	} else {
		out->opcode = drop ? TMA_PTX_OP_MBARRIER_ARRIVE_DROP : TMA_PTX_OP_MBARRIER_ARRIVE;
		number(out, TMA_PTX_ROLE_COUNT, command->count);
	}
	if (is(command, TMA_FLAG_NO_COMPLETE)) {
		set(out, TMA_PTX_CLASS_NO_COMPLETE, TMA_PTX_NO_COMPLETE);
		set(out, TMA_PTX_CLASS_SPACE, TMA_PTX_SHARED_CTA);
	} else {
		set(out, TMA_PTX_CLASS_SPACE, TMA_PTX_SHARED_CLUSTER);
	}
}

static void write_wait(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	const bool parity = is(command, TMA_FLAG_PARITY), tries = command->opcode == TMA_MBARRIER_TRY_WAIT;

	out->opcode = tries ? (parity ? TMA_PTX_OP_MBARRIER_TRY_WAIT_PARITY : TMA_PTX_OP_MBARRIER_TRY_WAIT)
	                    : (parity ? TMA_PTX_OP_MBARRIER_TEST_WAIT_PARITY : TMA_PTX_OP_MBARRIER_TEST_WAIT);
	set(out, TMA_PTX_CLASS_SPACE, TMA_PTX_SHARED_CTA);
	sink(out, TMA_PTX_ROLE_DONE);
	address(out, TMA_PTX_ROLE_MBAR, command->barrier);
	if (parity)
		number(out, TMA_PTX_ROLE_PARITY, command->count);
	else
		number(out, TMA_PTX_ROLE_TOKEN, command->global_address);
	if (tries)
		number(out, TMA_PTX_ROLE_LIMIT, command->tx);
}

static void write_barrier(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	set(out, TMA_PTX_CLASS_TYPE, TMA_PTX_B64);
	switch (command->opcode) {
	case TMA_MBARRIER_INIT:
		out->opcode = TMA_PTX_OP_MBARRIER_INIT;
		set(out, TMA_PTX_CLASS_SPACE, TMA_PTX_SHARED_CTA);
		address(out, TMA_PTX_ROLE_MBAR, command->barrier);
		number(out, TMA_PTX_ROLE_COUNT, command->count);
		break;
	case TMA_MBARRIER_INVAL:
		out->opcode = TMA_PTX_OP_MBARRIER_INVAL;
		set(out, TMA_PTX_CLASS_SPACE, TMA_PTX_SHARED_CTA);
		address(out, TMA_PTX_ROLE_MBAR, command->barrier);
		break;
	case TMA_MBARRIER_EXPECT_TX:
	case TMA_MBARRIER_COMPLETE_TX:
		out->opcode = command->opcode == TMA_MBARRIER_EXPECT_TX ? TMA_PTX_OP_MBARRIER_EXPECT_TX
		                                                        : TMA_PTX_OP_MBARRIER_COMPLETE_TX;
		set(out, TMA_PTX_CLASS_SPACE, TMA_PTX_SHARED_CLUSTER);
		set(out, TMA_PTX_CLASS_SEM, TMA_PTX_RELAXED);
		set(out, TMA_PTX_CLASS_SCOPE, TMA_PTX_CLUSTER);
		address(out, TMA_PTX_ROLE_MBAR, command->barrier);
		number(out, TMA_PTX_ROLE_TX, command->tx);
		break;
	case TMA_MBARRIER_ARRIVE:
		write_arrive(out, command);
		break;
	case TMA_MBARRIER_PENDING_COUNT:
		out->opcode = TMA_PTX_OP_MBARRIER_PENDING_COUNT;
		sink(out, TMA_PTX_ROLE_RESULT);
		number(out, TMA_PTX_ROLE_TOKEN, command->global_address);
		break;
	default:
		write_wait(out, command);
		break;
	}
}

static void write_rest(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	switch (command->opcode) {
	case TMA_PREFETCH_TENSORMAP:
		out->opcode = TMA_PTX_OP_PREFETCH;
		set(out, TMA_PTX_CLASS_MAP, TMA_PTX_TENSORMAP);
		address(out, TMA_PTX_ROLE_MAP, command->global_address);
		break;
	case TMA_MAP_FENCE:
		out->opcode = TMA_PTX_OP_FENCE_PROXY;
		set(out, TMA_PTX_CLASS_PROXY, TMA_PTX_TENSORMAP_GENERIC);
		set(out, TMA_PTX_CLASS_SEM, TMA_PTX_ACQUIRE);
		set(out, TMA_PTX_CLASS_SCOPE, TMA_PTX_SYS);
		address(out, TMA_PTX_ROLE_MAP, command->global_address);
		number(out, TMA_PTX_ROLE_SIZE, 128);
		break;
	case TMA_CP_ASYNC_COMMIT_GROUP:
		out->opcode = TMA_PTX_OP_CP_ASYNC_COMMIT_GROUP;
		break;
	case TMA_CP_ASYNC_WAIT_GROUP:
		out->opcode = TMA_PTX_OP_CP_ASYNC_WAIT_GROUP;
		number(out, TMA_PTX_ROLE_N, command->count);
		break;
	case TMA_CP_ASYNC_WAIT_ALL:
		out->opcode = TMA_PTX_OP_CP_ASYNC_WAIT_ALL;
		break;
	case TMA_CP_ASYNC_MBARRIER_ARRIVE:
		out->opcode = TMA_PTX_OP_CP_ASYNC_MBARRIER_ARRIVE;
		set_if(out, is(command, TMA_FLAG_NOINC), TMA_PTX_CLASS_NOINC, TMA_PTX_NOINC);
		set(out, TMA_PTX_CLASS_SPACE, TMA_PTX_SHARED_CTA);
		set(out, TMA_PTX_CLASS_TYPE, TMA_PTX_B64);
		address(out, TMA_PTX_ROLE_MBAR, command->barrier);
		break;
	case TMA_BULK_COMMIT_GROUP:
		out->opcode = TMA_PTX_OP_CP_ASYNC_BULK_COMMIT_GROUP;
		break;
	case TMA_BULK_WAIT_GROUP:
		out->opcode = TMA_PTX_OP_CP_ASYNC_BULK_WAIT_GROUP;
		set_if(out, is(command, TMA_FLAG_READ), TMA_PTX_CLASS_READ, TMA_PTX_READ);
		number(out, TMA_PTX_ROLE_N, command->count);
		break;
	case TMA_CANCEL:
		out->opcode = TMA_PTX_OP_CANCEL;
		number(out, TMA_PTX_ROLE_QUEUE, command->count);
		break;
	default: /* or what is no command at all, which the comparison finds */
		out->opcode = TMA_PTX_OP_SIGNAL;
		break;
	}
}

static void write_words(struct tma_ptx_instruction *out, const struct tma_command *command)
{
	struct tma_ptx_operand *words;
	uint64_t values[TMA_PTX_ELEMENTS];

	memset(out, 0, sizeof(*out));
	memcpy(values, command, sizeof(values));
	out->opcode = TMA_PTX_OP_COMMAND;
	words = add(out, TMA_PTX_ROLE_WORDS, TMA_PTX_NOTHING, 0);
	for (uint32_t i = 0; i < TMA_PTX_ELEMENTS; i++)
		element(words, values[i]);
	ptx_fit(out);
}

int tma_command_print(const struct tma_command *command, char *text, size_t size)
{
	struct tma_ptx_instruction out;
	struct tma_command again;

	if (!command)
		return -1;
	memset(&out, 0, sizeof(out));
	if ((command->opcode >= TMA_BULK_LOAD && command->opcode <= TMA_TENSOR_PREFETCH) ||
	    command->opcode == TMA_CP_ASYNC)
		write_copy(&out, command);
	else if (command->opcode >= TMA_MBARRIER_INIT && command->opcode <= TMA_MBARRIER_TRY_WAIT)
		write_barrier(&out, command);
	else
		write_rest(&out, command);
	out.record = is(command, TMA_FLAG_RECORD);
	out.last_state = is(command, TMA_FLAG_LAST_STATE);
	out.tag = command->tag;
	if (!ptx_fit(&out) || tma_ptx_command(&out, NULL, &again, NULL) ||
	    memcmp(&again, command, sizeof(again)) != 0)
		write_words(&out, command);
	return tma_ptx_print(&out, text, size);
}
