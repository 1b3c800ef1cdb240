/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules that a command keeps or breaks by itself, in the order of the fault table: the first
 * broken rule is the fault. They hold for zero bytes and for empty masks as well.
 */
#include <string.h>

#include "model.h"
#include "tma_tables.h"

#define BULK_GRANULE    16u
#define BULK_SIZE_LIMIT (1u << 20)
#define CP_SIZE_MAX     16u
#define PREFETCH_MAX    3u
#define TENSOR_GRANULE  128u
#define MAP_GRANULE     64u

struct rule {
	uint16_t fault;
	unsigned int operands; /* the rule speaks of commands with one of these, 0: of all */
	bool (*broken)(const struct issue *issue);
	uint64_t (*address)(const struct issue *issue);
};

/* Operands by value, for the address report. */

static uint64_t header(const struct issue *i)
{
	return model_command_header(i->command);
}

static uint64_t size(const struct issue *i)
{
	return i->command->size;
}

static uint64_t count(const struct issue *i)
{
	return i->command->count;
}

static uint64_t tx(const struct issue *i)
{
	return i->command->tx;
}

static uint64_t mode(const struct issue *i)
{
	return i->command->mode;
}

static uint64_t op(const struct issue *i)
{
	return (uint64_t)i->command->op | (uint64_t)i->command->type << 8;
}

static uint64_t dim(const struct issue *i)
{
	return i->command->dim;
}

static uint64_t global_address(const struct issue *i)
{
	return i->command->global_address;
}

static uint64_t shared_src(const struct issue *i)
{
	return model_source(i->command);
}

static uint64_t shared_dst(const struct issue *i)
{
	return i->command->shared_dst;
}

static uint64_t barrier(const struct issue *i)
{
	return i->command->barrier;
}

static uint64_t cta_mask(const struct issue *i)
{
	return i->command->cta_mask;
}

static uint64_t denied(const struct issue *i)
{
	return model_touched(i) & ~(uint32_t)i->queue->config.cta_mask;
}

/* Rules, each true when broken. */

static bool unknown_version(const struct issue *i)
{
	return i->command->version != TMA_COMMAND_VERSION;
}

static bool unknown_opcode(const struct issue *i)
{
	return !i->operation || ((i->operation->operands & OPERAND_REDUCE) && !i->model->config.reductions);
}

static bool reserved_bits(const struct issue *i)
{
	uint64_t words[TMA_COMMAND_BYTES / 8], set = 0;

	memcpy(words, i->command, sizeof(words));
	for (unsigned int w = 0; w < TMA_COMMAND_BYTES / 8; w++)
		set |= words[w] & i->model->kind.unused[w];
	return set;
}

static bool flag_conflict(const struct issue *i)
{
	static const unsigned int pairs[] = {
		TMA_FLAG_MULTICAST | TMA_FLAG_CTA_LOCAL,
		TMA_FLAG_PARITY | TMA_FLAG_LAST_STATE,
		TMA_FLAG_EXPECT_TX | TMA_FLAG_NO_COMPLETE,
		TMA_FLAG_SRC_SIZE | TMA_FLAG_IGNORE_SRC,
	};

	for (unsigned int p = 0; p < sizeof(pairs) / sizeof(pairs[0]); p++)
		if ((i->command->flags & pairs[p]) == pairs[p])
			return true;
	return false;
}

static bool size_granule(const struct issue *i)
{
	return i->command->size % BULK_GRANULE;
}

/* The type of a tensor is its map's business. */
static bool reduce_op(const struct issue *i)
{
	const struct tma_command *c = i->command;

	if (i->operation->operands & OPERAND_TENSOR)
		return c->op > TMA_REDUCE_XOR;
	return !model_reduces(i->model, i->operation->operands & OPERAND_DST, c->op, c->type);
}

/* The limit is that of a copy's shared side, which a prefetch does not have. */
static bool size_range(const struct issue *i)
{
	return i->command->opcode != TMA_BULK_PREFETCH && i->command->size >= BULK_SIZE_LIMIT;
}

static bool count_range(const struct issue *i)
{
	uint32_t max = has_flag(i->command, TMA_FLAG_EXPECT_TX) ? 1 : BARRIER_MAX;

	return i->command->count < 1 || i->command->count > max;
}

static bool tx_range(const struct issue *i)
{
	return i->command->tx > BARRIER_MAX;
}

static bool parity_range(const struct issue *i)
{
	return has_flag(i->command, TMA_FLAG_PARITY) && i->command->count > 1;
}

static bool cp_size(const struct issue *i)
{
	uint32_t n = i->command->size;

	return n != CP_SIZE_MAX && (has_flag(i->command, TMA_FLAG_CG) || (n != 4 && n != 8));
}

static bool src_size_range(const struct issue *i)
{
	return has_flag(i->command, TMA_FLAG_SRC_SIZE) && i->command->count > i->command->size;
}

static bool prefetch_size_range(const struct issue *i)
{
	return i->command->mode > PREFETCH_MAX;
}

/* What the addresses of a copy are multiples of, a power of two. A cp-size is legal by the time it is asked for. */
static uint32_t granule(const struct issue *i)
{
	if (i->operation->operands & OPERAND_TENSOR)
		return TENSOR_GRANULE;
	return i->operation->operands & OPERAND_CP ? i->command->size : BULK_GRANULE;
}

static bool global_misaligned(const struct issue *i)
{
	return i->command->global_address & (granule(i) - 1);
}

static bool src_misaligned(const struct issue *i)
{
	return model_source(i->command) & (granule(i) - 1);
}

static bool dst_misaligned(const struct issue *i)
{
	return i->command->shared_dst & (granule(i) - 1);
}

static bool barrier_misaligned(const struct issue *i)
{
	return i->command->barrier % BARRIER_BYTES;
}

static bool map_misaligned(const struct issue *i)
{
	return i->command->global_address % MAP_GRANULE;
}

static bool tensor_mode(const struct issue *i)
{
	switch (i->command->mode) {
	case TMA_MODE_TILE:
		return false;
	case TMA_MODE_IM2COL_NO_OFFS:
	case TMA_MODE_SCATTER4:
		return !model_to_tensor(i->command);
	case TMA_MODE_IM2COL:
	case TMA_MODE_GATHER4:
	case TMA_MODE_IM2COL_W:
	case TMA_MODE_IM2COL_W_128:
		return model_to_tensor(i->command);
	default:
		return true;
	}
}

/* Dimensions that a mode has. A mode is legal by the time it is asked for, here and below. */
static bool tensor_dim(const struct issue *i)
{
	uint32_t d = i->command->dim;

	switch (i->command->mode) {
	case TMA_MODE_TILE:
		return d < 1 || d > 5;
	case TMA_MODE_GATHER4:
	case TMA_MODE_SCATTER4:
		return d != 2;
	default:
		return d < 3 || d > 5;
	}
}

static uint32_t coordinates(const struct tma_command *c)
{
	return c->mode == TMA_MODE_GATHER4 || c->mode == TMA_MODE_SCATTER4 ? 5 : c->dim;
}

static uint32_t im2col_operands(const struct tma_command *c)
{
	switch (c->mode) {
	case TMA_MODE_IM2COL:
		return c->dim - 2u;
	case TMA_MODE_IM2COL_W:
	case TMA_MODE_IM2COL_W_128:
		return 2;
	default:
		return 0;
	}
}

static bool tensor_unused(const struct issue *i)
{
	const struct tma_command *c = i->command;

	for (uint32_t n = coordinates(c); n < sizeof(c->coord) / sizeof(c->coord[0]); n++)
		if (c->coord[n])
			return true;
	for (uint32_t n = im2col_operands(c); n < sizeof(c->im2col) / sizeof(c->im2col[0]); n++)
		if (c->im2col[n])
			return true;
	return false;
}

static bool src_cta(const struct issue *i)
{
	return address_rank(model_source(i->command)) != i->queue->config.cta;
}

static bool dst_cta(const struct issue *i)
{
	return address_rank(i->command->shared_dst) >= i->model->config.ctas;
}

static bool dst_not_local(const struct issue *i)
{
	if (!has_flag(i->command, TMA_FLAG_CTA_LOCAL) && !(i->operation->operands & OPERAND_CP))
		return false;
	return address_rank(i->command->shared_dst) != i->queue->config.cta;
}

static bool dst_local(const struct issue *i)
{
	return address_rank(i->command->shared_dst) == i->queue->config.cta;
}

static bool mask_cta(const struct issue *i)
{
	return has_flag(i->command, TMA_FLAG_MULTICAST) && i->command->cta_mask >> i->model->config.ctas;
}

/* Without multicast the address names the barrier that is signalled, with it one like it. */
static bool barrier_cta(const struct issue *i)
{
	const struct tma_command *c = i->command;
	uint32_t rank = address_rank(c->barrier);

	if (rank >= i->model->config.ctas)
		return true;
	if (!(i->operation->operands & OPERAND_DST))
		return false;
	if (!has_flag(c, TMA_FLAG_MULTICAST))
		return rank != model_barrier_rank(c, address_rank(c->shared_dst));
	for (uint32_t target = 0; target < i->model->config.ctas; target++)
		if ((c->cta_mask >> target & 1) && model_barrier_rank(c, target) >= i->model->config.ctas)
			return true;
	return false;
}

static bool barrier_not_local(const struct issue *i)
{
	return address_rank(i->command->barrier) != i->queue->config.cta;
}

static bool cta_denied(const struct issue *i)
{
	return denied(i);
}

static bool leaves_smem(const struct issue *i, uint32_t address, uint32_t bytes)
{
	return address_offset(address) + bytes > i->model->config.smem_bytes;
}

/* What a tensor copy covers of shared memory is its map's business. */
static bool has_size(const struct issue *i)
{
	return !(i->operation->operands & OPERAND_TENSOR);
}

static bool src_range(const struct issue *i)
{
	return has_size(i) && leaves_smem(i, i->command->shared_src, i->command->size);
}

static bool dst_range(const struct issue *i)
{
	return has_size(i) && leaves_smem(i, i->command->shared_dst, i->command->size);
}

static bool barrier_range(const struct issue *i)
{
	return leaves_smem(i, i->command->barrier, BARRIER_BYTES);
}

static bool cancel_denied(const struct issue *i)
{
	uint32_t queue = i->command->count;

	return queue >= i->model->config.queues || !(i->queue->config.cancel_mask >> queue & 1);
}

/* clang-format off */
static const struct rule rules[] = {
	{ TMA_FAULT_UNKNOWN_VERSION,    0, unknown_version, header },
	{ TMA_FAULT_UNKNOWN_OPCODE,     0, unknown_opcode, header },
	{ TMA_FAULT_RESERVED_BITS,      0, reserved_bits, header },
	{ TMA_FAULT_FLAG_CONFLICT,      0, flag_conflict, header },
	{ TMA_FAULT_REDUCE_OP,          OPERAND_REDUCE, reduce_op, op },
	{ TMA_FAULT_SIZE_GRANULE,       OPERAND_SIZE, size_granule, size },
	{ TMA_FAULT_SIZE_RANGE,         OPERAND_SIZE, size_range, size },
	{ TMA_FAULT_COUNT_RANGE,        OPERAND_COUNT, count_range, count },
	{ TMA_FAULT_TX_RANGE,           OPERAND_TX, tx_range, tx },
	{ TMA_FAULT_PARITY_RANGE,       OPERAND_STATE, parity_range, count },
	{ TMA_FAULT_CP_SIZE,            OPERAND_CP, cp_size, size },
	{ TMA_FAULT_SRC_SIZE_RANGE,     OPERAND_CP, src_size_range, count },
	{ TMA_FAULT_PREFETCH_SIZE_RANGE, OPERAND_CP, prefetch_size_range, mode },
	{ TMA_FAULT_GLOBAL_MISALIGNED,  OPERAND_GLOBAL, global_misaligned, global_address },
	{ TMA_FAULT_SRC_MISALIGNED,     OPERAND_SRC, src_misaligned, shared_src },
	{ TMA_FAULT_DST_MISALIGNED,     OPERAND_DST, dst_misaligned, shared_dst },
	{ TMA_FAULT_BARRIER_MISALIGNED, OPERAND_BARRIER, barrier_misaligned, barrier },
	{ TMA_FAULT_MAP_MISALIGNED,     OPERAND_MAP, map_misaligned, global_address },
	{ TMA_FAULT_TENSOR_MODE,        OPERAND_TENSOR, tensor_mode, mode },
	{ TMA_FAULT_TENSOR_DIM,         OPERAND_TENSOR, tensor_dim, dim },
	{ TMA_FAULT_TENSOR_UNUSED,      OPERAND_TENSOR, tensor_unused, header },
	{ TMA_FAULT_SRC_CTA,            OPERAND_SRC, src_cta, shared_src },
	{ TMA_FAULT_DST_CTA,            OPERAND_DST, dst_cta, shared_dst },
	{ TMA_FAULT_DST_NOT_LOCAL,      OPERAND_DST, dst_not_local, shared_dst },
	{ TMA_FAULT_DST_LOCAL,          OPERAND_DST_REMOTE, dst_local, shared_dst },
	{ TMA_FAULT_MASK_CTA,           OPERAND_DST, mask_cta, cta_mask },
	{ TMA_FAULT_BARRIER_CTA,        OPERAND_BARRIER, barrier_cta, barrier },
	{ TMA_FAULT_BARRIER_NOT_LOCAL,  OPERAND_BARRIER_LOCAL, barrier_not_local, barrier },
	{ TMA_FAULT_CTA_DENIED,         0, cta_denied, denied },
	{ TMA_FAULT_SRC_RANGE,          OPERAND_SRC, src_range, shared_src },
	{ TMA_FAULT_DST_RANGE,          OPERAND_DST, dst_range, shared_dst },
	{ TMA_FAULT_BARRIER_RANGE,      OPERAND_BARRIER, barrier_range, barrier },
	{ TMA_FAULT_CANCEL_DENIED,      OPERAND_QUEUE, cancel_denied, count },
};
/* clang-format on */

#define RULES (sizeof(rules) / sizeof(rules[0]))

_Static_assert(RULES <= 64, "a kind of command has a bit for each rule");

/* An unknown opcode has no operation, and what speaks of all commands speaks of it. */
static void learn_kind(struct command_kind *kind, const struct issue *issue)
{
	*kind = (struct command_kind){ .known = true,
		                       .opcode = issue->command->opcode,
		                       .flags = issue->command->flags };
	tma_command_used_bits(issue->command, (uint8_t *)kind->unused);
	for (unsigned int w = 0; w < TMA_COMMAND_BYTES / 8; w++)
		kind->unused[w] = ~kind->unused[w];
	for (unsigned int r = 0; r < RULES; r++)
		if (!rules[r].operands ||
		    (issue->operation && (issue->operation->operands & rules[r].operands)))
			kind->rules |= UINT64_C(1) << r;
}

/* The fault that keeps a command from starting: a decode rule, then a rule of its operation. */
struct fault model_check(const struct issue *issue)
{
	struct command_kind *kind = &issue->model->kind;

	if (!kind->known || kind->opcode != issue->command->opcode || kind->flags != issue->command->flags)
		learn_kind(kind, issue);
	for (uint64_t left = kind->rules; left; left &= left - 1) {
		const struct rule *rule = &rules[__builtin_ctzll(left)];

		if (rule->broken(issue))
			return (struct fault){ rule->fault, rule->address(issue) };
	}
	if (issue->operation->check)
		return issue->operation->check(issue);
	return (struct fault){ 0 };
}
