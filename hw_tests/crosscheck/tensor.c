/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor copies: which, where, and the waits that they need. */
#include <stdlib.h>
#include <string.h>

#include "crosscheck/gen.h"

#define ALL_BYTES     0xffffu
#define BOX_ALIGN     128u
#define COMMAND_TRIES 12
#define PLACE_TRIES   40
#define MAX_COPIES    127u /* of a queue: their hints differ */
#define PAIR_PERCENT  30
#define LOCAL_PERCENT 30
#define PADDED_BOX    128
#define SPACE_BITS    24
#define STRAY_PERCENT 40

bool tensor_is_copy(uint8_t opcode)
{
	return opcode == TMA_TENSOR_LOAD || opcode == TMA_TENSOR_PREFETCH || tensor_is_written(opcode);
}

bool tensor_is_written(uint8_t opcode)
{
	return opcode == TMA_TENSOR_STORE || opcode == TMA_TENSOR_REDUCE;
}

static struct access map_access(uint64_t at, bool write)
{
	return (struct access){ .space = GLOBAL,
		                .write = write,
		                .mask = ALL_BYTES,
		                .first = at / CHUNK_BYTES,
		                .last = (at + MAP_BYTES - 1) / CHUNK_BYTES };
}

/*
 * Commands.
 */

bool tensor_can_store(const struct tensor *t)
{
	if (t->wide || t->type == TMA_RAW_TYPE_B4X16_P64 ||
	    (t->swizzle == TMA_RAW_SWIZZLE_128B && t->atom == TMA_RAW_ATOM_32B_FLIP_8B))
		return false;
	for (uint32_t s = 0; s < tensor_spatial(t); s++)
		if (t->lower[s] < 0 || t->upper[s] > 0)
			return false;
	return true;
}

static uint8_t any_mode(struct gen *g, const struct tensor *t, bool store)
{
	bool four = t->rank == 2 && t->box[1] == 1 && !t->im2col && rng_percent(&g->rng, 75);

	if (t->wide)
		return t->wide == TMA_RAW_WIDE_W ? TMA_MODE_IM2COL_W : TMA_MODE_IM2COL_W_128;
	if (t->im2col)
		return store ? TMA_MODE_IM2COL_NO_OFFS : TMA_MODE_IM2COL;
	return !four ? TMA_MODE_TILE : store ? TMA_MODE_SCATTER4 : TMA_MODE_GATHER4;
}

static int32_t clamp(int64_t c)
{
	return c < INT32_MIN ? INT32_MIN : c > INT32_MAX ? INT32_MAX : (int32_t)c;
}

/* About where the tensor's elements are, partly outside. */
static int32_t any_coordinate(struct gen *g, const struct tensor *t, uint32_t i, bool store)
{
	uint32_t reach = t->box[i] ? t->box[i] : 1;
	int64_t c = (int64_t)rng_below(&g->rng, t->extent[i] + 1);

	if (rng_percent(&g->rng, 30) || (store && t->extent[i] > reach))
		c = (int64_t)rng_below(&g->rng, t->extent[i] > reach ? t->extent[i] - reach + 1 : 1);
	if (!store && rng_percent(&g->rng, 20))
		c -= (int64_t)rng_below(&g->rng, reach + 2);
	if (rng_percent(&g->rng, 3))
		c = store || rng_percent(&g->rng, 50) ? INT32_MAX - (int64_t)rng_below(&g->rng, 300)
		                                      : INT32_MIN + (int64_t)rng_below(&g->rng, 300);
	else
		c += t->anchor[i];
	if (store && c < 0)
		c = 0;
	return clamp(c);
}

/* Multiples of 16 bytes. */
static int32_t any_first(struct gen *g, const struct tensor *t, bool store)
{
	int32_t c = any_coordinate(g, t, 0, store), grain;

	if (t->interleave)
		return c;
	grain = tensor_padded(t) ? PADDED_BOX : (int32_t)(128 / tensor_element_bits(t));
	/* Rounded down. */
	return c & ~(grain - 1);
}

/* Inside the window; of a wide map perhaps left of it. */
static int32_t any_spatial(struct gen *g, const struct tensor *t, uint32_t s)
{
	int64_t last = (int64_t)t->dim[tensor_first_spatial(t) + s] - 1 + t->upper[s], first = t->lower[s];

	if (last - first > 40)
		first = last - 40;
	if (t->wide && rng_percent(&g->rng, 25))
		first -= rng_below(&g->rng, 20);
	return clamp(first + rng_below(&g->rng, (uint32_t)(last - first) + 1));
}

static void any_offsets(struct gen *g, const struct tensor *t, struct tma_command *cmd)
{
	static const uint32_t limits[] = { 1 << 16, 1 << 8, 1 << 5 };
	bool large = rng_percent(&g->rng, 5);

	if (cmd->mode == TMA_MODE_IM2COL) {
		for (uint32_t s = 0; s < t->rank - 2; s++)
			cmd->im2col[s] = (uint16_t)rng_below(&g->rng, large ? limits[t->rank - 3] : 4);
	} else if (t->wide) {
		uint32_t most = t->wide == TMA_RAW_WIDE_W ? 512 : 32;

		if (rng_percent(&g->rng, 60))
			cmd->im2col[0] = (uint16_t)rng_below(&g->rng, large ? most : 4);
		cmd->im2col[1] = (uint16_t)rng_below(&g->rng, large ? 32 : 4);
	}
}

/* A command for a copy with such a map, which is not named yet; without operands in shared memory. */
struct tma_command tensor_command(struct gen *g, const struct tensor *t, uint8_t opcode)
{
	bool store = tensor_is_written(opcode);
	struct tma_command cmd = { .opcode = opcode, .mode = any_mode(g, t, store), .dim = (uint8_t)t->rank };

	cmd.coord[0] = any_first(g, t, store);
	for (uint32_t i = 1; i < t->rank; i++)
		cmd.coord[i] = any_coordinate(g, t, i, store);
	for (uint32_t s = 0; s < tensor_spatial(t); s++)
		cmd.coord[tensor_first_spatial(t) + s] = any_spatial(g, t, s);
	if (cmd.mode == TMA_MODE_GATHER4 || cmd.mode == TMA_MODE_SCATTER4)
		for (uint32_t i = 2; i < MAX_RANK; i++)
			cmd.coord[i] = any_coordinate(g, t, 1, store);
	any_offsets(g, t, &cmd);
	return cmd;
}

/* One tile of a column, perhaps the last one, which is narrow. */
static void move_to_column(const struct txn *t, const struct tensor *map, struct tma_command *cmd)
{
	uint64_t columns = (map->dim[0] + map->box[0] - 1) / map->box[0];

	cmd->coord[0] = (int32_t)((t->column - 1) % columns * map->box[0]);
	cmd->coord[1] = (int32_t)(t->line % map->dim[1]);
}

/* A copy whose elements lie in the data. False: none was found. */
static bool find_command(struct gen *g, const struct txn *t, const struct map_slot *m, uint8_t opcode,
                         struct tma_command *cmd, struct tensor_span *span)
{
	for (uint32_t i = 0; i < COMMAND_TRIES; i++) {
		*cmd = tensor_command(g, &m->map, opcode);
		if (t->column)
			move_to_column(t, &m->map, cmd);
		cmd->global_address = g->p->global_base + m->at;
		*span = tensor_measure(&m->map, cmd, g->p->global_base, g->data_at + g->data_bytes);
		if (!span->fits || (span->inside && span->first < g->data_at))
			continue;
		if (opcode == TMA_TENSOR_STORE && span->twice)
			continue;
		if (span->shared <= g->p->arena_bytes && (span->inside || rng_percent(&g->rng, 40)))
			return true;
	}
	return false;
}

static bool is_open(const struct gen *g, uint32_t chunk, uint32_t chunks)
{
	if (chunk + chunks > g->p->arena_bytes / CHUNK_BYTES)
		return false;
	for (uint32_t i = chunk; i < chunk + chunks; i++)
		if (g->closed[i])
			return false;
	return true;
}

/* A place for the box, if possible where the transaction says. */
static bool find_place(struct gen *g, uint32_t bytes, uint32_t *chunk)
{
	uint32_t per_box = BOX_ALIGN / CHUNK_BYTES, chunks = (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;

	*chunk -= *chunk % per_box;
	for (uint32_t i = 0; i < PLACE_TRIES; i++) {
		if (is_open(g, *chunk, chunks))
			return true;
		*chunk = rng_below(&g->rng, g->p->arena_bytes / BOX_ALIGN) * per_box;
	}
	return false;
}

/* A map that the queue can use; of those that change it may have to learn what it is. */
static struct map_slot *any_map(struct gen *g, const struct txn *t, bool store, bool constant)
{
	/* The first slot, where there is a matrix. */
	if (t->column)
		return &g->map[0];
	for (uint32_t i = 0; i < COMMAND_TRIES; i++) {
		struct map_slot *m = &g->map[rng_below(&g->rng, g->num_map_slots)];

		if (!m->lost && !(constant && m->changes) && (!store || tensor_can_store(&m->map)))
			return m;
	}
	return NULL;
}

static void add_row(void *arg, uint64_t at, uint64_t bytes)
{
	const struct access *a = arg;
	uint64_t *rows = (uint64_t *)a->rows;

	for (uint64_t c = at / CHUNK_BYTES; c <= (at + bytes - 1) / CHUNK_BYTES; c++)
		rows[(c - a->first) / 64] |= UINT64_C(1) << (c - a->first) % 64;
}

/* The rows alone: another copy may have what lies between them. */
static struct access box_access(struct gen *g, const struct tensor *t, const struct tma_command *cmd,
                                const struct tensor_span *span, bool write)
{
	struct access a = { .space = GLOBAL,
		            .write = write,
		            .mask = ALL_BYTES,
		            .first = span->first / CHUNK_BYTES,
		            .last = span->last / CHUNK_BYTES };
	uint64_t *rows;

	if (!span->inside)
		return a;
	rows = must(calloc((a.last - a.first) / 64 + 1, sizeof(*rows)));
	g->rows = must_grow(g->rows, g->num_rows, &g->room_rows, sizeof(*g->rows));
	g->rows[g->num_rows++] = rows;
	a.rows = rows;
	tensor_rows(t, cmd, g->p->global_base, add_row, &a);
	return a;
}

void tensor_note(struct gen *g, uint32_t step, const struct tensor *t, const struct tensor_span *span)
{
	struct program *p = g->p;

	p->tensors = must_grow(p->tensors, p->num_tensors, &p->room_tensors, sizeof(*p->tensors));
	p->tensors[p->num_tensors] = (struct tensor_copy){ *t, *span };
	p->steps[step].tensor = (int)p->num_tensors++;
}

/* If the copy was issued, it is one of the steps from `before` on. */
static void mark_copy(struct gen *g, uint8_t queue, uint32_t before, const struct tensor *t,
                      const struct tensor_span *span)
{
	struct program *p = g->p;

	for (uint32_t i = before; i < p->num_steps; i++) {
		const struct step *s = &p->steps[i];

		if (s->queue == queue && tensor_is_copy(s->cmd.opcode) && s->tensor < 0)
			tensor_note(g, i, t, span);
	}
}

/*
 * Copies.
 */

static void choose_targets(struct gen *g, const struct txn *t, struct txn *load, struct tma_command *cmd)
{
	uint32_t cta = (uint32_t)__builtin_ctz(t->targets | 1u << MAX_CTAS);

	load->pair = rng_percent(&g->rng, PAIR_PERCENT);
	load->parity = (uint8_t)rng_below(&g->rng, 2);
	if (load->pair)
		cmd->flags |= TMA_FLAG_CTA_GROUP_2;
	if (t->multicast) {
		cmd->flags |= TMA_FLAG_MULTICAST;
		cmd->cta_mask = t->targets;
		cta = rng_below(&g->rng, g->shape->ctas);
	} else if (cta == g->p->queue[t->queue].cta && rng_percent(&g->rng, LOCAL_PERCENT)) {
		cmd->flags |= TMA_FLAG_CTA_LOCAL;
	}
	cmd->shared_dst = cta << SPACE_BITS | (g->p->arena_at + load->dst * CHUNK_BYTES);
}

static bool tensor_load(struct gen *g, const struct txn *t)
{
	const struct map_slot *m = any_map(g, t, false, false);
	struct txn load = *t;
	struct tma_command cmd;
	struct tensor_span span;
	struct access from[2];
	uint32_t before = g->p->num_steps;
	bool issued;

	if (!m || !find_command(g, t, m, TMA_TENSOR_LOAD, &cmd, &span) ||
	    !find_place(g, span.shared, &load.dst))
		return false;
	load.chunks = (span.shared + CHUNK_BYTES - 1) / CHUNK_BYTES;
	load.tx = span.tx;
	choose_targets(g, t, &load, &cmd);
	from[0] = map_access(m->at, false);
	from[1] = box_access(g, &m->map, &cmd, &span, false);
	issued = copy_signalling(g, &load, &cmd, from, span.inside ? 2 : 1);
	mark_copy(g, t->queue, before, &m->map, &span);
	return issued;
}

/* The operator of a reduction with this map: the transaction's, or another one. -1: there is none. */
static int any_operator(struct gen *g, const struct txn *t, const struct tensor *map)
{
	for (uint32_t i = 0; i < COMMAND_TRIES; i++) {
		uint8_t op = i ? (uint8_t)rng_below(&g->rng, 8) : t->op;

		if (reduce_tensor_exists(g->shape, op, map->type))
			return op;
	}
	return -1;
}

static bool tensor_store(struct gen *g, const struct txn *t, uint8_t opcode)
{
	const struct map_slot *m = any_map(g, t, true, false);
	int op = m && opcode == TMA_TENSOR_REDUCE ? any_operator(g, t, &m->map) : 0;
	uint8_t cta = g->p->queue[t->queue].cta;
	uint32_t chunk = t->dst, before = g->p->num_steps;
	struct tma_command cmd;
	struct tensor_span span;
	struct access from[2], to;
	bool issued;

	if (!m || op < 0 || !find_command(g, t, m, opcode, &cmd, &span) ||
	    !find_place(g, span.shared, &chunk))
		return false;
	cmd.op = (uint8_t)op;
	cmd.shared_dst = (uint32_t)cta << SPACE_BITS | (g->p->arena_at + chunk * CHUNK_BYTES);
	from[0] = copy_shared_access(g, cta, chunk, (span.shared + CHUNK_BYTES - 1) / CHUNK_BYTES, false);
	from[1] = map_access(m->at, false);
	to = box_access(g, &m->map, &cmd, &span, true);
	if (opcode == TMA_TENSOR_REDUCE)
		to.update = reduce_tensor_update(cmd.op, m->map.type);
	issued = copy_store(g, t, &cmd, from, 2, &to, span.inside ? 1 : 0);
	mark_copy(g, t->queue, before, &m->map, &span);
	return issued;
}

/* What of it lies in windows, if any, is read. */
static bool stray_prefetch(struct gen *g, const struct txn *t)
{
	struct tma_command cmd = tensor_command(g, &g->away.map, TMA_TENSOR_PREFETCH);
	uint32_t before = g->p->num_steps;
	struct tensor_span span;

	cmd.global_address = g->p->global_base + g->away.at;
	span = tensor_measure(&g->away.map, &cmd, g->p->global_base, g->data_at + g->data_bytes);
	span.fits = span.fits && (!span.inside || span.first >= g->data_at);
	gen_emit(g, t->queue, &cmd);
	mark_copy(g, t->queue, before, &g->away.map, &span);
	return true;
}

/* Its data is dropped, but nobody knows when it has read its map: never of one that changes. */
static bool tensor_prefetch(struct gen *g, const struct txn *t)
{
	const struct map_slot *m = any_map(g, t, false, true);
	struct tma_command cmd;
	struct tensor_span span;
	uint32_t before = g->p->num_steps;

	if (g->away.at && rng_percent(&g->rng, STRAY_PERCENT))
		return stray_prefetch(g, t);
	if (!m || !find_command(g, t, m, TMA_TENSOR_PREFETCH, &cmd, &span))
		return false;
	gen_emit(g, t->queue, &cmd);
	mark_copy(g, t->queue, before, &m->map, &span);
	return true;
}

/* To nobody: neither the map nor memory nor a barrier is touched, so any will do. */
static bool tensor_none(struct gen *g, const struct txn *t)
{
	const struct map_slot *m = &g->map[rng_below(&g->rng, g->num_map_slots)];
	struct tma_command cmd = tensor_command(g, &m->map, TMA_TENSOR_LOAD);

	cmd.global_address = g->p->global_base + m->at;
	if (rng_percent(&g->rng, 50))
		cmd.global_address = rng_next(&g->rng) & ~(uint64_t)(MAP_ALIGN - 1);
	cmd.flags = TMA_FLAG_MULTICAST | (rng_percent(&g->rng, 30) ? TMA_FLAG_CTA_GROUP_2 : 0);
	cmd.shared_dst = rng_below(&g->rng, g->shape->ctas) << SPACE_BITS |
	                 rng_below(&g->rng, g->shape->smem_bytes / BOX_ALIGN) * BOX_ALIGN;
	cmd.barrier = rng_below(&g->rng, g->shape->ctas) << SPACE_BITS |
	              rng_below(&g->rng, g->shape->smem_bytes / BARRIER_BYTES) * BARRIER_BYTES;
	gen_emit(g, t->queue, &cmd);
	return true;
}

/* Whenever they come, nothing changes. What is prefetched need not be a map, nor lie in a window. */
static bool map_command(struct gen *g, const struct txn *t)
{
	struct tma_command cmd = { .opcode = rng_percent(&g->rng, 50) ? TMA_PREFETCH_TENSORMAP
		                                                      : TMA_MAP_FENCE };

	cmd.global_address =
		g->p->global_base +
		(rng_percent(&g->rng, 70)
	                 ? g->map[rng_below(&g->rng, g->num_map_slots)].at
	                 : g->maps_at +
	                           rng_below(&g->rng, (uint32_t)(g->maps_bytes - MAP_BYTES) / MAP_ALIGN) *
	                                   (uint64_t)MAP_ALIGN);
	if ((cmd.opcode == TMA_MAP_FENCE || !g->p->faults) && rng_percent(&g->rng, 10))
		cmd.global_address = rng_next(&g->rng) & ~(uint64_t)(MAP_ALIGN - 1);
	gen_emit(g, t->queue, &cmd);
	return true;
}

/* As software does it: other bytes to the map, a wait for them, a fence; then everybody may know. */
static bool map_change(struct gen *g, const struct txn *t)
{
	struct map_slot *m = any_map(g, t, false, false);
	struct txn load = *t, store;
	struct access fenced;
	int writes;

	if (!m || !m->changes)
		return false;
	load.chunks = MAP_BYTES / CHUNK_BYTES;
	load.targets = (uint16_t)(1u << g->p->queue[t->queue].cta);
	load.multicast = false;
	load.global = (uint32_t)((m->spare_at[!m->now] - g->data_at) / CHUNK_BYTES);
	if (!find_place(g, MAP_BYTES, &load.dst) || !lower_load(g, &load))
		return false;
	store = load;
	store.src = load.dst;
	store.global = (uint32_t)((m->at - g->data_at) / CHUNK_BYTES);
	if (!lower_store(g, &store))
		return false;
	/* Half of it is done: without the rest, nobody may use it any more. */
	m->lost = true;
	for (writes = (int)g->num_events - 1;
	     g->event[writes].kind != EVENT_WRITES || g->p->steps[g->event[writes].step].queue != t->queue;)
		writes--;
	if (g->dead[t->queue] || !known_event(g, t->queue, writes))
		return false;
	fenced = map_access(m->at, true);
	fenced.at_once = true;
	fenced.step = gen_emit(g, t->queue,
	                       &(struct tma_command){ .opcode = TMA_MAP_FENCE,
	                                              .global_address = g->p->global_base + m->at });
	known_add_access(g, &fenced);
	m->now = !m->now;
	m->map = m->spare[m->now];
	m->lost = false;
	return true;
}

bool lower_tensor(struct gen *g, const struct txn *t)
{
	if (g->dead[t->queue])
		return false;
	switch (t->kind) {
	case TXN_TENSOR_LOAD:
	case TXN_TENSOR_STORE:
	case TXN_TENSOR_PREFETCH:
	case TXN_TENSOR_NONE:
	case TXN_REDUCE_TENSOR:
		if (g->tensor_hints[t->queue] >= MAX_COPIES)
			return false;
		break;
	default:
		break;
	}
	switch (t->kind) {
	case TXN_TENSOR_LOAD:
		return tensor_load(g, t);
	case TXN_TENSOR_STORE:
		return tensor_store(g, t, TMA_TENSOR_STORE);
	case TXN_REDUCE_TENSOR:
		return tensor_store(g, t, TMA_TENSOR_REDUCE);
	case TXN_TENSOR_PREFETCH:
		return tensor_prefetch(g, t);
	case TXN_TENSOR_NONE:
		return tensor_none(g, t);
	case TXN_MAP:
		return map_command(g, t);
	default:
		return map_change(g, t);
	}
}
