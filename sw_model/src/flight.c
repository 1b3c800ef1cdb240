/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One copy in flight: how it begins, is cut into pieces, and moves.
 *
 * A piece ends with a beat of the port or with a row, so that windows and responses say of it what they say of the
 * whole copy. Memory is looked up again for each: it may be unmapped under a program that did not wait.
 */
#include <stdlib.h>
#include <string.h>

#include "late.h"

#define CHUNK  16u
#define CP_MAX 16u

/*
 * Pieces.
 */

static void cut(struct flight *f, uint32_t total, uint32_t skew, uint32_t grain)
{
	uint32_t step = (total + skew + MAX_PIECES - 1) / MAX_PIECES;

	f->total = total;
	f->skew = skew;
	f->step = step ? (step + grain - 1) / grain * grain : grain;
	for (uint32_t at = 0; at < total + skew && total; at += f->step)
		f->unread = (uint8_t)(f->unread << 1 | 1);
}

static uint32_t first_of(const struct flight *f, uint32_t piece)
{
	return piece ? piece * f->step - f->skew : 0;
}

static uint32_t count_of(const struct flight *f, uint32_t piece)
{
	uint32_t end = (piece + 1) * f->step - f->skew;

	return (end < f->total ? end : f->total) - first_of(f, piece);
}

/* All pieces go to each of the targets. */
static void set_targets(struct flight *f, uint32_t targets)
{
	for (uint32_t t = 0; targets >> t; t++)
		if (targets >> t & 1)
			f->unwritten[t] = f->unread;
	f->unsignalled = f->course->signals ? targets : 0;
}

static int take_bytes(struct flight *f, size_t bytes)
{
	f->bytes = calloc(1, bytes + 1);
	return f->bytes ? 0 : TMA_MODEL_ENOMEM;
}

static unsigned char *shared(const struct flight *f, uint32_t rank, uint32_t offset)
{
	return model_shared(f->issue.model, rank, offset);
}

/*
 * Bulk copies.
 */

static struct row global_row(const struct flight *f, enum purpose purpose, uint32_t first, uint32_t count)
{
	struct row row = model_row(&f->issue, purpose, count);

	row.address += first;
	return row;
}

static bool is_multimem(const struct flight *f)
{
	return f->command.opcode == TMA_MULTIMEM_BULK_STORE || f->command.opcode == TMA_MULTIMEM_BULK_REDUCE;
}

static bool is_reduction(const struct flight *f)
{
	return f->issue.operation->operands & OPERAND_REDUCE;
}

static struct fault change_global(const struct flight *f, uint32_t first, uint32_t count, uint16_t byte_mask)
{
	struct row row = global_row(f, is_multimem(f) ? FOR_MULTIMEM : FOR_WRITE, first, count);
	const struct change change = { .from = f->bytes + first,
		                       .byte_mask = byte_mask,
		                       .reduction = f->reduces ? &f->reduction : NULL };
	struct fault fault = { 0 };

	if (is_multimem(f))
		model_multimem_change(&row, &change, &fault);
	else
		model_global_change(&row, &change, &fault);
	return fault;
}

static struct fault read_global(struct flight *f, uint32_t piece)
{
	struct row row = global_row(f, FOR_READ, first_of(f, piece), count_of(f, piece));
	struct fault fault = { 0 };

	model_global_read(&row, f->bytes + first_of(f, piece), &fault);
	return fault;
}

static struct fault read_shared(struct flight *f, uint32_t piece)
{
	uint32_t source = f->command.shared_src;

	memcpy(f->bytes + first_of(f, piece),
	       shared(f, address_rank(source), address_offset(source) + first_of(f, piece)),
	       count_of(f, piece));
	return (struct fault){ 0 };
}

static struct fault write_shared(struct flight *f, uint32_t target, uint32_t piece)
{
	unsigned char *to = shared(f, target, address_offset(f->command.shared_dst) + first_of(f, piece));
	const unsigned char *from = f->bytes + first_of(f, piece);

	if (f->reduces)
		model_reduce_bytes(&f->reduction, to, from, count_of(f, piece));
	else
		memcpy(to, from, count_of(f, piece));
	return (struct fault){ 0 };
}

static struct fault write_global(struct flight *f, uint32_t target, uint32_t piece)
{
	uint16_t mask = has_flag(&f->command, TMA_FLAG_CP_MASK) ? f->command.byte_mask : ALL_BYTES;

	(void)target;
	return change_global(f, first_of(f, piece), count_of(f, piece), mask);
}

static uint32_t beat_skew(const struct flight *f)
{
	return (uint32_t)(f->command.global_address % f->issue.model->config.data_bytes);
}

static int start_load(struct flight *f)
{
	struct row row = global_row(f, FOR_READ, 0, f->command.size);

	if (take_bytes(f, f->command.size))
		return TMA_MODEL_ENOMEM;
	cut(f, model_targets(&f->issue) ? f->command.size : 0, beat_skew(f),
	    f->issue.model->config.data_bytes);
	set_targets(f, model_targets(&f->issue));
	f->transaction = f->command.size;
	if (f->unread)
		model_global_read(&row, f->bytes, &f->fault);
	return 0;
}

/* Shared to global, or CTA to CTA. */
static void start_reduction(struct flight *f)
{
	f->reduces = is_reduction(f);
	if (f->reduces)
		f->reduction = model_bulk_reduction(&f->issue);
}

static int start_store(struct flight *f)
{
	if (take_bytes(f, f->command.size))
		return TMA_MODEL_ENOMEM;
	start_reduction(f);
	cut(f, f->command.size, beat_skew(f), f->issue.model->config.data_bytes);
	set_targets(f, 1);
	f->fault = change_global(f, 0, f->command.size, 0);
	return 0;
}

static int start_shared(struct flight *f)
{
	if (take_bytes(f, f->command.size))
		return TMA_MODEL_ENOMEM;
	start_reduction(f);
	cut(f, f->command.size, 0, CHUNK);
	set_targets(f, model_targets(&f->issue));
	f->transaction = f->command.size;
	return 0;
}

/* Prefetches leave nothing that could be seen in parts. */
static int start_prefetch(struct flight *f)
{
	f->fault = f->issue.operation->execute(&f->issue).fault;
	return 0;
}

/*
 * cp.async.
 */

static int start_cp(struct flight *f)
{
	if (take_bytes(f, CP_MAX))
		return TMA_MODEL_ENOMEM;
	cut(f, f->command.size, 0, CP_MAX);
	set_targets(f, 1u << address_rank(f->command.shared_dst));
	return 0;
}

/* The bytes behind the source's are zero. */
static struct fault read_cp(struct flight *f, uint32_t piece)
{
	struct row row = global_row(f, FOR_READ, 0, model_cp_source_bytes(&f->command));
	struct fault fault = { 0 };

	(void)piece;
	model_global_read(&row, f->bytes, &fault);
	return fault;
}

static int start_arrival(struct flight *f)
{
	if (!f->dropped)
		f->fault = model_cp_arrival(&f->issue);
	return 0;
}

/*
 * Tensor copies: pieces are rows.
 */

static struct fault change_row(const struct flight *f, uint32_t k, uint16_t byte_mask)
{
	const struct change change = { .from = f->bytes + (size_t)k * f->pitch,
		                       .byte_mask = byte_mask,
		                       .reduction = f->reduces ? &f->reduction : NULL };
	struct fault fault = { 0 };

	model_tensor_change_row(&f->tensor, k, &change, &fault);
	return fault;
}

static void look_at_rows(struct flight *f)
{
	unsigned char image[MAX_ROW_BYTES];

	for (uint32_t k = 0; k < f->tensor.rows && !f->fault.code; k++) {
		if (model_to_tensor(&f->command))
			f->fault = change_row(f, k, 0);
		else
			model_tensor_read_row(&f->tensor, k, image, &f->fault);
	}
}

/* Without memory the start is tried again, with the map as it is then. */
static int start_tensor(struct flight *f)
{
	struct tensor_copy *t = &f->tensor;
	bool changes = model_to_tensor(&f->command);

	f->fault = model_tensor_prepare(&f->issue, t);
	if (f->fault.code)
		return 0;
	f->pitch = changes ? (t->row_bytes + CHUNK - 1) / CHUNK * CHUNK : t->shared_bytes;
	if (take_bytes(f, (size_t)t->rows * f->pitch))
		return TMA_MODEL_ENOMEM;
	f->reduces = is_reduction(f);
	f->reduction = model_reduction(t);
	cut(f, t->rows, 0, 1);
	set_targets(f, changes ? 1 : model_targets(&f->issue));
	f->transaction = model_tensor_transaction(t);
	look_at_rows(f);
	return 0;
}

static struct fault read_rows(struct flight *f, uint32_t piece)
{
	struct fault fault = { 0 };

	for (uint32_t i = 0; i < count_of(f, piece) && !fault.code; i++) {
		uint32_t k = first_of(f, piece) + i;

		model_tensor_read_row(&f->tensor, k, f->bytes + (size_t)k * f->pitch, &fault);
	}
	return fault;
}

static struct fault write_rows(struct flight *f, uint32_t target, uint32_t piece)
{
	for (uint32_t i = 0; i < count_of(f, piece); i++) {
		uint32_t k = first_of(f, piece) + i;

		model_place_put(&f->tensor, shared(f, target, 0), k, f->bytes + (size_t)k * f->pitch,
		                f->tensor.shared_bytes);
	}
	return (struct fault){ 0 };
}

static struct fault read_box(struct flight *f, uint32_t piece)
{
	const unsigned char *smem = shared(f, address_rank(f->command.shared_dst), 0);

	for (uint32_t i = 0; i < count_of(f, piece); i++) {
		uint32_t k = first_of(f, piece) + i;

		model_place_get(&f->tensor, smem, k, f->bytes + (size_t)k * f->pitch);
	}
	return (struct fault){ 0 };
}

static struct fault write_box(struct flight *f, uint32_t target, uint32_t piece)
{
	struct fault fault = { 0 };

	(void)target;
	for (uint32_t i = 0; i < count_of(f, piece) && !fault.code; i++)
		fault = change_row(f, first_of(f, piece) + i, ALL_BYTES);
	return fault;
}

/*
 * All of them.
 */

static const struct course courses[] = {
	{ TMA_BULK_LOAD, true, start_load, read_global, write_shared },
	{ TMA_BULK_STORE, false, start_store, read_shared, write_global },
	{ TMA_MULTIMEM_BULK_STORE, false, start_store, read_shared, write_global },
	{ TMA_BULK_REDUCE, false, start_store, read_shared, write_global },
	{ TMA_MULTIMEM_BULK_REDUCE, false, start_store, read_shared, write_global },
	{ TMA_BULK_SHARED, true, start_shared, read_shared, write_shared },
	{ TMA_BULK_REDUCE_SHARED, true, start_shared, read_shared, write_shared },
	{ TMA_BULK_PREFETCH, false, start_prefetch, NULL, NULL },
	{ TMA_TENSOR_LOAD, true, start_tensor, read_rows, write_rows },
	{ TMA_TENSOR_STORE, false, start_tensor, read_box, write_box },
	{ TMA_TENSOR_REDUCE, false, start_tensor, read_box, write_box },
	{ TMA_TENSOR_PREFETCH, false, start_prefetch, NULL, NULL },
	{ TMA_PREFETCH_TENSORMAP, false, start_prefetch, NULL, NULL },
	{ TMA_CP_ASYNC, false, start_cp, read_cp, write_shared },
	{ TMA_CP_ASYNC_MBARRIER_ARRIVE, false, start_arrival, NULL, NULL },
};

/* NULL: a command that is done when it has issued. */
const struct course *model_course(uint8_t opcode)
{
	for (unsigned int i = 0; i < sizeof(courses) / sizeof(courses[0]); i++)
		if (courses[i].opcode == opcode)
			return &courses[i];
	return NULL;
}

/* What moves nothing belongs to no group. */
enum member model_flight_member(const struct issue *issue)
{
	const struct tma_command *c = issue->command;

	switch (c->opcode) {
	case TMA_BULK_LOAD:
		return c->size && model_targets(issue) ? BULK_READS : NO_GROUP;
	case TMA_TENSOR_LOAD:
		return model_targets(issue) ? BULK_READS : NO_GROUP;
	case TMA_BULK_STORE:
	case TMA_MULTIMEM_BULK_STORE:
	case TMA_BULK_REDUCE:
	case TMA_MULTIMEM_BULK_REDUCE:
		return c->size ? BULK_WRITES : NO_GROUP;
	case TMA_TENSOR_STORE:
	case TMA_TENSOR_REDUCE:
		return BULK_WRITES;
	case TMA_CP_ASYNC:
		return CP_WRITES;
	default:
		return NO_GROUP;
	}
}

/* Are its source and its map read? Of one that fails nobody says so. */
bool model_flight_read(const struct flight *f)
{
	return f->started && !f->unread && !f->fault.code;
}

/*
 * Moves.
 */

static uint32_t some_bit(struct late *l, uint32_t bits)
{
	uint32_t nth = model_chance(l, (uint32_t)__builtin_popcount(bits));

	while (nth--)
		bits &= bits - 1;
	return (uint32_t)__builtin_ctz(bits);
}

/* As a rule the favourite or who comes behind it, so that some targets are far ahead of others. */
static uint32_t some_target(struct late *l, const struct flight *f, uint32_t bits)
{
	uint32_t behind = bits & ~((1u << f->favourite) - 1);

	if (!model_chance(l, 4))
		return some_bit(l, bits);
	return (uint32_t)__builtin_ctz(behind ? behind : bits);
}

/* The first one that is met counts: a start looks in the order of the walk. */
static void keep_fault(struct flight *f, struct fault fault)
{
	if (!f->fault.code)
		f->fault = fault;
}

static void read_piece(struct late *l, struct flight *f)
{
	uint32_t piece = some_bit(l, f->unread);
	struct fault fault = f->course->read(f, piece);

	f->unread &= (uint8_t) ~(1u << piece);
	keep_fault(f, fault);
	for (uint32_t t = 0; fault.code && t < TMA_MODEL_MAX_CTAS; t++)
		f->unwritten[t] &= (uint8_t) ~(1u << piece);
}

static uint32_t pieces_at_hand(const struct flight *f, uint32_t target)
{
	return f->unwritten[target] & (uint8_t)~f->unread;
}

static void write_piece(struct late *l, struct flight *f, uint32_t target)
{
	uint32_t piece = some_bit(l, pieces_at_hand(f, target));

	f->unwritten[target] &= (uint8_t) ~(1u << piece);
	keep_fault(f, f->course->write(f, target, piece));
}

/* A barrier that cannot be signalled does not keep the others from theirs. The lowest rank counts. */
static void signal_target(struct flight *f, uint32_t target)
{
	struct fault fault = model_signal_target(&f->issue, target, f->transaction);

	f->unsignalled &= ~(1u << target);
	if (fault.code && (!f->fault.code || fault.address < f->fault.address))
		f->fault = fault;
	if (!f->unsignalled && f->transaction)
		f->issue.model->counters.signals++;
}

/* Targets with a piece to write, and those whose signal is due. */
static void look(const struct flight *f, uint32_t *writable, uint32_t *due)
{
	bool failed = f->fault.code && f->fault.code < TMA_FAULT_SIGNAL_BARRIER_DEAD;

	*writable = *due = 0;
	for (uint32_t t = 0; t < TMA_MODEL_MAX_CTAS; t++) {
		if (pieces_at_hand(f, t))
			*writable |= 1u << t;
		if (!failed && !f->unwritten[t])
			*due |= f->unsignalled & 1u << t;
	}
}

/* One move. 1 it is done, 0 it will move again, or TMA_MODEL_ENOMEM. */
int model_flight_move(struct late *l, struct flight *f)
{
	uint32_t writable, due, way;

	if (!f->started) {
		if (f->course->start(f))
			return TMA_MODEL_ENOMEM;
		f->started = true;
		model_flight_pace(l, f);
		return 0;
	}
	look(f, &writable, &due);
	if (!f->unread && !writable && !due)
		return 1;
	way = some_bit(l, (f->unread ? 1u : 0) | (writable ? 2u : 0) | (due ? 4u : 0));
	if (way == 0)
		read_piece(l, f);
	else if (way == 1)
		write_piece(l, f, some_target(l, f, writable));
	else
		signal_target(f, some_target(l, f, due));
	/* Reads and writes each take their own time, and so do signals. */
	if ((way == 0 && !f->unread) || (way == 1 && !(writable & (writable - 1))))
		model_flight_pace(l, f);
	return 0;
}
