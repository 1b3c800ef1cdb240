/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor copies that fault late: by their map, by what they do with it, in the middle of their rows.
 *
 * Each is tried on a model of its own, so that it is certain to fault, and how far.
 */
#include <stdlib.h>

#include "crosscheck/gen.h"
#include "crosscheck/illegal.h"
#include "crosscheck/model_setup.h"

#define TRIES       30u
#define MAX_ROOM    6144u
#define READ_ATTR   1u
#define WRITE_ATTR  2u
#define MOVES       TMA_FAULT_WINDOW_READ
#define OF_MAP      TMA_FAULT_MAP_WINDOW
#define BOX_ALIGN   128u
#define ERROR_BYTES 100u

/* The fault of the command, were it the first one of the program. */
static uint16_t judge(struct gen *g, uint8_t queue, const struct tma_command *cmd)
{
	struct memory before;
	struct result result = { 0 };
	struct tma_queue_status status = { 0 };
	struct tma_command versioned = *cmd;
	struct tma_model *m;

	memory_init(&before, g->shape);
	memory_global(&before, g->p);
	memory_images(&before, g->p);
	m = model_new(g->p, &before, g->shape->queues, &result);
	model_queue(m, queue, &g->p->queue[queue], 0);
	versioned.version = TMA_COMMAND_VERSION;
	tma_model_submit(m, queue, &versioned);
	tma_model_step(m, queue);
	tma_model_queue_status(m, queue, &status);
	model_finish(m, &result);
	result_free(&result);
	memory_free(&before);
	return status.fault;
}

static uint8_t any_opcode(struct gen *g)
{
	static const uint8_t opcodes[] = { TMA_TENSOR_LOAD, TMA_TENSOR_LOAD, TMA_TENSOR_STORE,
		                           TMA_TENSOR_PREFETCH, TMA_TENSOR_REDUCE };

	return opcodes[rng_below(&g->rng, sizeof(opcodes) - !g->p->reduce)];
}

/* A tensor in the scratch memory, or in the page behind it, which is in no window. */
static void any_tensor(struct gen *g, struct tensor *t)
{
	uint32_t room = g->area.reserve_bytes / 2 < MAX_ROOM ? g->area.reserve_bytes / 2 : MAX_ROOM;

	tensor_choose(&g->rng, g->shape, g->p->global_base + g->area.scratch_at,
	              g->area.scratch_bytes + PAGE_BYTES, room, t);
}

/* The map's image becomes the newest of the program: there is one for such commands. */
static void put_map(struct gen *g, struct tensor_fault *f)
{
	f->cmd.global_address = g->p->global_base + tensor_add_map(g, &f->map);
}

static void drop_map(struct gen *g)
{
	g->p->num_maps--;
}

static struct map_image *image(struct gen *g)
{
	return &g->p->maps[g->p->num_maps - 1];
}

/* Operands in shared memory that are legal, as far as a box of this size fits. */
static void add_operands(struct gen *g, uint8_t queue, struct tma_command *cmd, uint32_t bytes)
{
	uint32_t cta = g->p->queue[queue].cta,
		 room = g->area.reserve_bytes > bytes ? g->area.reserve_bytes - bytes : 0;

	if (cmd->opcode == TMA_TENSOR_PREFETCH)
		return;
	cmd->shared_dst =
		cta << 24 | (g->area.reserve_at + rng_below(&g->rng, room / BOX_ALIGN + 1) * BOX_ALIGN);
	if (tensor_is_written(cmd->opcode))
		return;
	cmd->barrier = fault_barrier(g, cta, SCRATCH_THREE);
	if (rng_percent(&g->rng, 40)) {
		cmd->flags = TMA_FLAG_MULTICAST;
		cmd->cta_mask = g->p->queue[queue].cta_mask;
	} else if (rng_percent(&g->rng, 30)) {
		cmd->flags = TMA_FLAG_CTA_LOCAL;
	}
	if (rng_percent(&g->rng, 30) && !(g->shape->ctas & 1) &&
	    (cmd->flags & TMA_FLAG_MULTICAST ? g->p->queue[queue].cta_mask == (1u << g->shape->ctas) - 1
	                                     : true))
		cmd->flags |= TMA_FLAG_CTA_GROUP_2;
}

static bool any_copy(struct gen *g, uint8_t queue, struct tensor_fault *f)
{
	f->late = true;
	any_tensor(g, &f->map);
	do
		f->cmd = tensor_command(g, &f->map, any_opcode(g));
	while (tensor_is_written(f->cmd.opcode) && !tensor_can_store(&f->map));
	/* Of a type that takes none it faults, if nothing else does. */
	for (uint32_t i = 0; i < TRIES && f->cmd.opcode == TMA_TENSOR_REDUCE; i++) {
		f->cmd.op = (uint8_t)rng_below(&g->rng, 8);
		if (reduce_tensor_exists(g->shape, f->cmd.op, f->map.type))
			break;
	}
	f->span = tensor_measure(&f->map, &f->cmd, g->p->global_base + g->area.scratch_at,
	                         g->area.scratch_bytes + PAGE_BYTES);
	f->span.first += g->area.scratch_at;
	f->span.last += g->area.scratch_at;
	add_operands(g, queue, &f->cmd, f->span.shared);
	return f->span.shared <= g->area.reserve_bytes;
}

/*
 * Maps that are none.
 */

static void mutate(struct gen *g, uint64_t *word)
{
	/* Bits 511..0 mean something; of those behind most have to be zero. */
	uint32_t flips = 1 + rng_below(&g->rng, 3);

	while (flips--) {
		uint32_t bit = rng_percent(&g->rng, 40)   ? 64 + rng_below(&g->rng, 32)
		               : rng_percent(&g->rng, 70) ? rng_below(&g->rng, 512)
		                                          : rng_below(&g->rng, 1024);

		word[bit / 64] ^= UINT64_C(1) << bit % 64;
	}
}

static void randomize(struct gen *g, uint64_t *word)
{
	bool sparse = rng_percent(&g->rng, 50);

	for (uint32_t i = 0; i < MAP_WORDS; i++)
		word[i] = sparse ? rng_next(&g->rng) & rng_next(&g->rng) & rng_next(&g->rng)
		                 : rng_next(&g->rng);
	/* All the bits that have to be zero for sure. */
	for (uint32_t i = 8; i < MAP_WORDS && rng_percent(&g->rng, 70); i++)
		word[i] = 0;
}

/* Bits that one or the other rule is about. */
static void break_map(struct gen *g, struct tensor *t)
{
	uint32_t i = rng_below(&g->rng, t->rank);

	switch (rng_below(&g->rng, 14)) {
	case 0:
		t->rank = 1 + rng_below(&g->rng, MAX_RANK);
		break;
	case 1:
		t->type = 11 + rng_below(&g->rng, 5);
		break;
	case 2:
		t->interleave = 1 + rng_below(&g->rng, 3);
		break;
	case 3:
		t->wide = 1 + rng_below(&g->rng, 3);
		break;
	case 4:
		t->swizzle = rng_below(&g->rng, 4);
		t->atom = rng_below(&g->rng, 4);
		break;
	case 5:
		t->swizzle96 = !t->swizzle96;
		break;
	case 6:
		t->nan = true;
		break;
	case 7:
		t->tf32 = true;
		break;
	case 8:
		t->address += 1 + rng_below(&g->rng, 31);
		break;
	case 9:
		t->dim[0] += 1;
		break;
	case 10:
		t->stride[i] += 16;
		break;
	case 11:
		t->box[0] = 1 + rng_below(&g->rng, 256);
		break;
	case 12:
		for (i = 0; i < t->rank; i++)
			t->box[i] = 256;
		t->pixels = 1024;
		break;
	default:
		t->lower[0] = 15;
		t->upper[0] = -16;
		break;
	}
}

static bool bad_map(struct gen *g, uint8_t queue, struct tensor_fault *f)
{
	uint32_t form = rng_below(&g->rng, 4);
	uint16_t fault;

	any_copy(g, queue, f);
	if (form >= 2)
		break_map(g, &f->map);
	put_map(g, f);
	if (form == 0)
		randomize(g, image(g)->word);
	else if (form == 1)
		mutate(g, image(g)->word);
	fault = judge(g, queue, &f->cmd);
	if (fault >= OF_MAP && fault < MOVES)
		return true;
	drop_map(g);
	return false;
}

/* No window, or half in one. */
static bool map_window(struct gen *g, uint8_t queue, struct tensor_fault *f)
{
	uint64_t scratch = g->p->global_base + g->area.scratch_at, last = scratch + g->area.scratch_bytes;
	bool readable = fault_scratch_attr(g, queue) & READ_ATTR;

	any_copy(g, queue, f);
	switch (rng_below(&g->rng, 3)) {
	case 0:
		f->cmd.global_address = last - MAP_ALIGN;
		break;
	case 1:
		f->cmd.global_address = last + rng_below(&g->rng, PAGE_BYTES / MAP_ALIGN) * MAP_ALIGN;
		break;
	default:
		f->cmd.global_address = readable ? rng_next(&g->rng) & ~(uint64_t)(MAP_ALIGN - 1)
		                                 : scratch + rng_below(&g->rng, 64) * MAP_ALIGN;
	}
	return judge(g, queue, &f->cmd) == TMA_FAULT_MAP_WINDOW;
}

/* The scratch memory holds it: there an error concerns nobody else. */
static bool map_error(struct gen *g, uint8_t queue, struct tensor_fault *f)
{
	struct program *p = g->p;
	uint64_t at = g->area.scratch_at + rng_below(&g->rng, 200) * MAP_ALIGN;
	uint32_t errors = p->num_errors, mapped = p->mapped;
	uint16_t fault;

	if (!(fault_scratch_attr(g, queue) & READ_ATTR))
		return false;
	any_copy(g, queue, f);
	if (rng_percent(&g->rng, 30))
		at = g->area.scratch_at + PAGE_BYTES - MAP_ALIGN;
	f->cmd.global_address = p->global_base + at;
	if (rng_percent(&g->rng, 15) && g->area.last && at % PAGE_BYTES > PAGE_BYTES - MAP_BYTES)
		p->mapped = (uint32_t)((at / PAGE_BYTES + 1) * PAGE_BYTES);
	else
		for (uint32_t i = 1 + rng_below(&g->rng, 2); i; i--)
			fault_error(g, 0, f->cmd.global_address + rng_below(&g->rng, MAP_BYTES),
			            1 + rng_below(&g->rng, 40));
	fault = judge(g, queue, &f->cmd);
	if (fault == TMA_FAULT_MAP_SLVERR || fault == TMA_FAULT_MAP_DECERR)
		return true;
	p->num_errors = errors;
	p->mapped = mapped;
	return false;
}

/*
 * Commands that do not fit their map.
 */

static void break_mode(struct gen *g, struct tma_command *cmd)
{
	if (tensor_is_written(cmd->opcode))
		cmd->mode = cmd->mode == TMA_MODE_TILE ? TMA_MODE_IM2COL_NO_OFFS : TMA_MODE_TILE;
	else
		cmd->mode = (uint8_t[]){ 0, 1, 3, 5, 6 }[rng_below(&g->rng, 5)];
	for (uint32_t i = 0; i < MAX_SPATIAL; i++)
		cmd->im2col[i] = 0;
	if (cmd->mode == TMA_MODE_GATHER4)
		cmd->dim = 2;
	else
		for (uint32_t i = cmd->dim; i < MAX_RANK; i++)
			cmd->coord[i] = 0;
}

static void break_dim(struct gen *g, struct tma_command *cmd)
{
	cmd->dim = (uint8_t)(1 + rng_below(&g->rng, MAX_RANK));
	for (uint32_t i = cmd->dim; i < MAX_RANK; i++)
		cmd->coord[i] = 0;
	for (uint32_t i = cmd->dim > 2 ? cmd->dim - 2 : 0; i < MAX_SPATIAL && cmd->mode == TMA_MODE_IM2COL;
	     i++)
		cmd->im2col[i] = 0;
}

static void break_fit(struct gen *g, struct tensor_fault *f)
{
	struct tma_command *cmd = &f->cmd;
	uint32_t i = rng_below(&g->rng, f->map.rank);

	if (cmd->opcode == TMA_TENSOR_REDUCE && rng_percent(&g->rng, 40)) {
		cmd->op = (uint8_t)rng_below(&g->rng, 8);
		return;
	}
	switch (rng_below(&g->rng, 8)) {
	case 0:
		break_dim(g, cmd);
		break;
	case 1:
		break_mode(g, cmd);
		break;
	case 2:
		cmd->coord[0] += 1 + (int32_t)rng_below(&g->rng, 15);
		break;
	case 3:
		cmd->coord[i] = -(int32_t)(1 + (rng_next(&g->rng) >> (33 + rng_below(&g->rng, 30))));
		break;
	case 4:
		cmd->coord[i] = (int32_t)rng_next(&g->rng);
		break;
	case 5:
		if (cmd->mode == TMA_MODE_IM2COL || f->map.wide)
			cmd->im2col[rng_below(&g->rng, f->map.wide ? 2 : f->map.rank - 2)] |=
				(uint16_t)(1u << rng_below(&g->rng, 16));
		break;
	case 6:
		/* What maps without any such store allow. */
		if (cmd->opcode == TMA_TENSOR_LOAD && !f->map.wide) {
			cmd->mode = f->map.im2col ? TMA_MODE_IM2COL_NO_OFFS : TMA_MODE_TILE;
			*cmd = (struct tma_command){ .opcode = TMA_TENSOR_STORE,
				                     .mode = cmd->mode,
				                     .dim = (uint8_t)f->map.rank,
				                     .global_address = cmd->global_address };
			cmd->shared_dst =
				(uint32_t)g->p->queue[g->fault_queue].cta << 24 | g->area.reserve_at;
		}
		break;
	default:
		if (cmd->opcode != TMA_TENSOR_PREFETCH)
			cmd->shared_dst =
				(cmd->shared_dst & 0xff000000) |
				(g->shape->smem_bytes -
			         BOX_ALIGN * (1 + rng_below(&g->rng, f->span.shared / BOX_ALIGN + 1)));
	}
}

static bool misfit(struct gen *g, uint8_t queue, struct tensor_fault *f)
{
	uint16_t fault;

	g->fault_queue = queue;
	any_copy(g, queue, f);
	put_map(g, f);
	break_fit(g, f);
	fault = judge(g, queue, &f->cmd);
	if (fault >= TMA_FAULT_TENSOR_RANK && fault < MOVES)
		return true;
	drop_map(g);
	return false;
}

/*
 * In the middle of the copy.
 */

/* What may be new of it. */
static void add_eithers(struct gen *g, const struct tensor_fault *f)
{
	const struct tma_command *cmd = &f->cmd;
	uint32_t targets = cmd->flags & TMA_FLAG_MULTICAST ? cmd->cta_mask : 1u << (cmd->shared_dst >> 24);
	struct either e = { .tensor = true, .mask = 0xffff };

	if (tensor_is_written(cmd->opcode)) {
		e.dst_cta = GLOBAL;
		e.dst = f->span.first / CHUNK_BYTES * CHUNK_BYTES;
		e.bytes = (uint32_t)((f->span.last / CHUNK_BYTES + 1) * CHUNK_BYTES - e.dst);
		fault_either(g, e);
		return;
	}
	e.dst = cmd->shared_dst & 0xffffff;
	e.bytes = f->span.shared;
	for (uint32_t c = 0; c < g->shape->ctas && cmd->opcode == TMA_TENSOR_LOAD; c++) {
		e.dst_cta = (int)c;
		if (targets >> c & 1)
			fault_either(g, e);
	}
}

static bool middle(struct gen *g, uint8_t queue, struct tensor_fault *f)
{
	struct program *p = g->p;
	uint32_t errors = p->num_errors, mapped = p->mapped;
	uint16_t fault;
	bool store;

	if (!any_copy(g, queue, f) || !f->span.fits || !f->span.inside ||
	    f->cmd.opcode == TMA_TENSOR_PREFETCH)
		return false;
	store = tensor_is_written(f->cmd.opcode);
	if (store && f->span.twice)
		return false;
	put_map(g, f);
	/* Where its window lets it pass, and it does not end in the page behind. */
	if (rng_percent(&g->rng, 65)) {
		uint64_t bytes = f->span.last - f->span.first + 1;

		if (rng_percent(&g->rng, 15) && g->area.last)
			p->mapped = (uint32_t)((f->span.first + rng_below(&g->rng, (uint32_t)bytes)) /
			                       PAGE_BYTES * PAGE_BYTES);
		else
			fault_error(g, 0,
			            p->global_base + f->span.first + rng_below(&g->rng, (uint32_t)bytes),
			            1 + rng_below(&g->rng, ERROR_BYTES));
	}
	if (p->mapped >= g->area.scratch_at) {
		fault = judge(g, queue, &f->cmd);
		if (fault >= MOVES && fault != TMA_FAULT_SIGNAL_TX_COUNT_RANGE) {
			f->moves = true;
			add_eithers(g, f);
			return true;
		}
	}
	p->num_errors = errors;
	p->mapped = mapped;
	drop_map(g);
	return false;
}

bool fault_tensor(struct gen *g, uint8_t queue, struct tensor_fault *f)
{
	uint32_t form = rng_below(&g->rng, 12);

	*f = (struct tensor_fault){ 0 };
	if (form < 2) {
		f->cmd = illegal_tensor(g, queue);
		return f->cmd.opcode;
	}
	for (uint32_t i = 0; i < TRIES; i++) {
		bool (*const forms[])(struct gen *, uint8_t,
		                      struct tensor_fault *) = { bad_map, bad_map, map_window, map_error,
			                                         misfit,  misfit,  middle,     middle,
			                                         middle,  middle };

		*f = (struct tensor_fault){ 0 };
		if (forms[form - 2](g, queue, f))
			return true;
	}
	return false;
}
