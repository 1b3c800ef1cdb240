/* SPDX-License-Identifier: Apache-2.0 */
/* Commands and records in words. */
#include <inttypes.h>
#include <string.h>

#include "device.h"
#include "tma_print.h"
#include "tma_tables.h"
#include "words.h"

/* An operand of a command: where it lies, and so how it reads. */
enum place {
	NONE, /* ends a list */
	GLOBAL,
	STATE,
	SHARED_SRC,
	SHARED_DST,
	BARRIER,
	SIZE,
	COUNT,
	TX,
	LIMIT,
	COORD,
	IM2COL,
	MODE,
	L2_PREFETCH,
	OPERATOR,
	TYPE,
	CTA_MASK,
	BYTE_MASK,
	POLICY,
};

struct operand {
	enum place place;
	const char *name;      /* of the parameter in tma_command.h */
	uint16_t with, unless; /* flags that the operand needs, and that rule it out */
};

#define MAX_OPERANDS 9

/* clang-format off */
#define REDUCTION { OPERATOR, "op", 0, 0 }, { TYPE, "type", 0, 0 }
#define TENSOR    { MODE, "mode", 0, 0 }, { GLOBAL, "map", 0, 0 }, { COORD, "coord", 0, 0 }
#define TO_SHARED { SHARED_DST, "dst", 0, 0 }
#define TO_GLOBAL { GLOBAL, "dst", 0, 0 }
#define FROM      { SHARED_SRC, "src", 0, 0 }
#define BYTES     { SIZE, "size", 0, 0 }
#define MBAR      { BARRIER, "mbar", 0, 0 }
#define MULTICAST { CTA_MASK, "cta_mask", TMA_FLAG_MULTICAST, 0 }
#define MASKED    { BYTE_MASK, "byte_mask", TMA_FLAG_CP_MASK, 0 }
#define TOKEN     { STATE, "state", 0, TMA_FLAG_PARITY | TMA_FLAG_LAST_STATE }
#define PARITY    { COUNT, "parity", TMA_FLAG_PARITY, 0 }
/* clang-format on */

/* In the order of the instruction's operands. */
static const struct instruction {
	uint8_t opcode;
	struct operand operands[MAX_OPERANDS];
} instructions[] = {
	{ TMA_BULK_LOAD, { TO_SHARED, { GLOBAL, "src", 0, 0 }, BYTES, MBAR, MULTICAST } },
	{ TMA_BULK_STORE, { TO_GLOBAL, FROM, BYTES, MASKED } },
	{ TMA_BULK_SHARED, { TO_SHARED, FROM, BYTES, MBAR } },
	{ TMA_BULK_PREFETCH, { { GLOBAL, "src", 0, 0 }, BYTES } },
	{ TMA_MULTIMEM_BULK_STORE, { TO_GLOBAL, FROM, BYTES, MASKED } },
	{ TMA_BULK_REDUCE, { REDUCTION, TO_GLOBAL, FROM, BYTES } },
	{ TMA_BULK_REDUCE_SHARED, { REDUCTION, TO_SHARED, FROM, BYTES, MBAR } },
	{ TMA_MULTIMEM_BULK_REDUCE, { REDUCTION, TO_GLOBAL, FROM, BYTES } },
	{ TMA_TENSOR_LOAD, { TO_SHARED, TENSOR, MBAR, { IM2COL, "im2col", 0, 0 }, MULTICAST } },
	{ TMA_TENSOR_STORE, { TENSOR, { SHARED_DST, "src", 0, 0 } } },
	{ TMA_TENSOR_REDUCE, { { OPERATOR, "op", 0, 0 }, TENSOR, { SHARED_DST, "src", 0, 0 } } },
	{ TMA_TENSOR_PREFETCH, { TENSOR, { IM2COL, "im2col", 0, 0 } } },
	{ TMA_PREFETCH_TENSORMAP, { { GLOBAL, "map", 0, 0 } } },
	{ TMA_MAP_FENCE, { { GLOBAL, "map", 0, 0 } } },
	{ TMA_CP_ASYNC,
	  { TO_SHARED,
	    { GLOBAL, "src", 0, 0 },
	    { SIZE, "cp_size", 0, 0 },
	    { COUNT, "src_size", TMA_FLAG_SRC_SIZE, 0 },
	    { L2_PREFETCH, "l2_prefetch", 0, 0 } } },
	{ TMA_CP_ASYNC_WAIT_GROUP, { { COUNT, "n", 0, 0 } } },
	{ TMA_CP_ASYNC_MBARRIER_ARRIVE, { MBAR } },
	{ TMA_BULK_WAIT_GROUP, { { COUNT, "n", 0, 0 } } },
	{ TMA_MBARRIER_INIT, { MBAR, { COUNT, "count", 0, 0 } } },
	{ TMA_MBARRIER_INVAL, { MBAR } },
	{ TMA_MBARRIER_EXPECT_TX, { MBAR, { TX, "tx", 0, 0 } } },
	{ TMA_MBARRIER_COMPLETE_TX, { MBAR, { TX, "tx", 0, 0 } } },
	{ TMA_MBARRIER_ARRIVE,
	  { MBAR, { COUNT, "count", 0, TMA_FLAG_EXPECT_TX }, { TX, "tx", TMA_FLAG_EXPECT_TX, 0 } } },
	{ TMA_MBARRIER_PENDING_COUNT, { TOKEN } },
	{ TMA_MBARRIER_TEST_WAIT, { MBAR, TOKEN, PARITY } },
	{ TMA_MBARRIER_TRY_WAIT, { MBAR, TOKEN, PARITY, { LIMIT, "limit", 0, 0 } } },
	{ TMA_CANCEL, { { COUNT, "queue", 0, 0 } } },
};

static const struct operand *operands_of(uint8_t opcode)
{
	static const struct operand none = { NONE, NULL, 0, 0 };
	size_t i;

	for (i = 0; i < sizeof(instructions) / sizeof(instructions[0]); i++)
		if (instructions[i].opcode == opcode)
			return instructions[i].operands;
	return &none;
}

static const char *or_none(const char *name)
{
	return name ? name : "none";
}

static void add_list(struct words *w, const struct tma_command *c, uint32_t count, bool signed_values)
{
	uint32_t i;

	words_add(w, "{");
	for (i = 0; i < count; i++)
		words_add(w, "%s%" PRId32, i ? ", " : "",
		          signed_values ? c->coord[i] : (int32_t)c->im2col[i]);
	words_add(w, "}");
}

/* gather4 and scatter4 have a column and four rows, whatever their rank. */
static uint32_t coordinates(const struct tma_command *c)
{
	uint32_t all = sizeof(c->coord) / sizeof(c->coord[0]);

	if (c->mode == TMA_MODE_GATHER4 || c->mode == TMA_MODE_SCATTER4)
		return all;
	return c->dim < all ? c->dim : all;
}

/* Offsets of im2col, wHalo and wOffset of the wide modes. */
static uint32_t im2col_values(const struct tma_command *c)
{
	switch (c->mode) {
	case TMA_MODE_IM2COL:
		return coordinates(c) > 2 ? coordinates(c) - 2 : 0;
	case TMA_MODE_IM2COL_W:
	case TMA_MODE_IM2COL_W_128:
		return 2;
	default:
		return 0;
	}
}

static bool is_there(const struct tma_command *c, const struct operand *o)
{
	if ((c->flags & o->with) != o->with || c->flags & o->unless)
		return false;
	if (o->place == IM2COL)
		return im2col_values(c);
	return o->place != L2_PREFETCH || c->mode;
}

static void add_value(struct words *w, const struct tma_command *c, enum place place)
{
	switch (place) {
	case GLOBAL:
	case STATE:
		words_add(w, "0x%" PRIx64, c->global_address);
		break;
	case SHARED_SRC:
		words_add_shared(w, c->shared_src);
		break;
	case SHARED_DST:
		words_add_shared(w, c->shared_dst);
		break;
	case BARRIER:
		words_add_shared(w, c->barrier);
		break;
	case SIZE:
		words_add(w, "%" PRIu32, c->size);
		break;
	case COUNT:
		words_add(w, "%" PRIu32, c->count);
		break;
	case TX:
		words_add(w, "%" PRIu32, c->tx);
		break;
	case LIMIT:
		if (c->tx == 0xFFFFFFFF)
			words_add(w, "none");
		else
			words_add(w, "%" PRIu32, c->tx);
		break;
	case COORD:
		add_list(w, c, coordinates(c), true);
		break;
	case IM2COL:
		add_list(w, c, im2col_values(c), false);
		break;
	case MODE:
		words_add(w, "%s %ud", or_none(tma_mode_name(c->mode)), c->dim);
		break;
	case L2_PREFETCH:
		words_add(w, "%u", 32u << (c->mode & 7));
		break;
	case OPERATOR:
		words_add(w, "%s", or_none(tma_reduce_name(c->op)));
		break;
	case TYPE:
		words_add(w, "%s", or_none(tma_type_name(c->type)));
		break;
	case CTA_MASK:
		words_add(w, "0x%x", c->cta_mask);
		break;
	case BYTE_MASK:
		words_add(w, "0x%04x", c->byte_mask);
		break;
	default:
		break;
	}
}

static void add_flags(struct words *w, const struct tma_command *c)
{
	uint32_t i;

	for (i = 0; i < 16; i++)
		if (c->flags >> i & 1)
			words_add(w, ", %s", tma_flag_name(1u << i));
}

/* What the engine would answer with RESERVED_BITS. */
static bool sets_unused_bits(const struct tma_command *command)
{
	uint8_t used[sizeof(*command)], bytes[sizeof(*command)];
	size_t i;

	tma_command_used_bits(command, used);
	memcpy(bytes, command, sizeof(bytes));
	for (i = 0; i < sizeof(bytes); i++)
		if (bytes[i] & ~used[i])
			return true;
	return false;
}

static int command_text(const struct tma_command *command, char *text, size_t length)
{
	struct words w = { .bytes = text, .room = length };
	const struct operand *o;
	const char *name = tma_opcode_name(command->opcode);

	if (name)
		words_add(&w, "%s", name);
	else
		words_add(&w, "unknown opcode 0x%02x", command->opcode);
	for (o = operands_of(command->opcode); o->place != NONE; o++) {
		if (!is_there(command, o))
			continue;
		words_add(&w, ", %s = ", o->name);
		add_value(&w, command, o->place);
	}
	add_flags(&w, command);
	if (command->flags & TMA_FLAG_CACHE_HINT)
		words_add(&w, ", policy = 0x%" PRIx64, command->policy);
	words_add(&w, ", tag 0x%" PRIx32, command->tag);
	if (command->version != TMA_COMMAND_VERSION)
		words_add(&w, "; version %u is not %u", command->version, TMA_COMMAND_VERSION);
	if (name && sets_unused_bits(command))
		words_add(&w, "; bits are set that the command does not use");
	return w.length;
}

int tma_command_text(const struct tma_command *command, char *text, size_t length)
{
	int result = command ? check_text(text, length) : because(TMA_EINVAL, "command is NULL");

	return ended(__func__, result ? result : command_text(command, text, length));
}

static int record_text(const struct tma_record *record, char *text, size_t length)
{
	struct words w = { .bytes = text, .room = length };

	if (record->kind == TMA_KIND_FAULT)
		return fault_text(NULL, record, text, length);
	words_add(&w, "queue %u, command %" PRIu32 " (tag 0x%" PRIx32 "): ", record->queue, record->sequence,
	          record->tag);
	switch (record->kind) {
	case TMA_KIND_RETIRED:
		words_add(&w, "has left the queue");
		break;
	case TMA_KIND_ANSWER:
		words_add(&w, "answers 0x%" PRIx64, record->value);
		break;
	case TMA_KIND_SIGNAL:
		words_add(&w, "signal");
		break;
	default:
		words_add(&w, "unknown kind %u", record->kind);
		break;
	}
	return w.length;
}

int tma_record_text(const struct tma_record *record, char *text, size_t length)
{
	int result = record ? check_text(text, length) : because(TMA_EINVAL, "record is NULL");

	return ended(__func__, result ? result : record_text(record, text, length));
}
