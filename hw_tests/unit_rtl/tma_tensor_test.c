/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_tensor_test - tensor commands of both directions find their maps.
 *
 * Requirement: every command becomes one walk of its own direction, in order, of its map as it is
 * after the last fence before the command; a map that cannot be had is the command's fault, but of a
 * prefetch of the map alone only windows and dead ports are, and failing reads are counted; a
 * direction waits neither for the walks of the other nor for its maps. A reduction is a store whose walk
 * says what it does to elements of the map's type, which has to take its operator (M30).
 * Checks: every walk against the map's content by version, faults and addresses, launch and rate in
 * cycles, the units' assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_abi.h"
#include "tma_tensor_pins.h"
#include "unit_rtl/built.h"
#include "unit_rtl/tma_map_ref.h"

#define MAPS     12u
#define SPACING  0x1040u /* from map to map: at different places in a page */
#define FLIGHT   8u
#define MAP_ONLY 7

/* What comes of reading a map, by its number. */
enum { GOOD, ALSO_GOOD, MALFORMED, SLVERR, DENIED, DEAD, KINDS };

/* A command of either direction. */
struct command {
	bool map_only, reduce;
	uint8_t mode, dim, queue, op;
	uint32_t coord, operand, tag; /* of dimension 0 */
	uint64_t map_addr;
};

struct expected {
	struct command cmd;
	uint32_t map, version; /* at least this one */
};

struct bench {
	struct tensor *unit;
	const struct unit_shape *shape;
	struct tensor_in *in;
	const struct tensor_out *out;
	struct rng rng;
	struct expected flight[2][FLIGHT], offered[2];
	uint32_t head[2], tail[2], map[2], tag;
	uint32_t version[MAPS], fenced[MAPS], fence_map;
	struct map_fields type[MAPS]; /* of its elements: type, tf32 */
	uint32_t reduced, refused;
	/* The fetch that is on its way. */
	bool fetching, left, probe, denied;
	uint32_t fetch_map, wait, beats, beat;
	uint32_t errors, wanted_errors, walks[2], faults[KINDS];
	uint32_t ready[2], fetch_delay;
};

static uint64_t map_addr(uint32_t map)
{
	return 0x100000 + map * (uint64_t)SPACING;
}

static uint64_t map_base(uint32_t map, uint32_t version)
{
	return (uint64_t)version << 20 | map << 14;
}

/* Bits of an element. */
static uint32_t element_bits(const struct bench *b, uint32_t map)
{
	static const uint32_t bits[16] = { 8, 16, 32, 32, 64, 64, 16, 32, 32, 64, 16, 8, 8, 4, 4, 6 };

	return bits[b->type[map].type];
}

/* A tiled map of rank 1: 1,000 bytes, of which a box has 64. */
static void map_bytes(const struct bench *b, uint32_t map, uint32_t words[MAP_WORDS])
{
	struct map_fields f = b->type[map];

	f.address = map_base(map, b->version[map]);
	f.rank = map % KINDS == MALFORMED ? 8 : 1;
	f.dim[0] = 8000 / element_bits(b, map) - 1;
	f.box[0] = 512 / element_bits(b, map) - 1;
	map_pack(&f, words);
}

/* What its elements take: what the unit is built with. */
static struct map_info map_says(const struct bench *b, uint32_t map)
{
	struct map_info info = { 0 };
	uint32_t words[MAP_WORDS];

	map_bytes(b, map, words);
	assert_int_equal(map_ref(words, true, &info), 0);
	if (!built(b->shape, info.arith))
		info.ops = 0;
	return info;
}

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, tensor, seed);
	b->shape = unit_shape();
	tensor_start(b->unit);
	b->in->beat.id = 2 << 2; /* client of maps */
	for (uint32_t i = 0; i < b->shape->queues; i++)
		b->in->cfg[i].enable = 1;
	b->ready[0] = b->ready[1] = 100;
}

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), tensor_close(b->unit))

/*
 * Memory.
 */

static void drive_fetch(struct bench *b)
{
	uint32_t bytes = b->shape->data_bytes;
	uint64_t start, offset;
	uint32_t words[MAP_WORDS];
	uint8_t map[128];

	b->in->fetch_done = b->in->fetch_denied = b->in->beat_valid = 0;
	b->in->fetch_ready = !b->fetching && rng_percent(&b->rng, 70);
	if (!b->fetching || (b->wait && b->wait--))
		return;
	if (!b->left) {
		b->in->fetch_done = 1;
		b->in->fetch_denied = b->denied;
		return;
	}
	/* A beat: what of the map lies in it. */
	map_bytes(b, b->fetch_map, words);
	memcpy(map, words, sizeof(map));
	start = map_addr(b->fetch_map) / bytes * bytes + b->beat * (uint64_t)bytes;
	for (offset = 0; offset < bytes; offset++) {
		uint64_t at = start + offset - map_addr(b->fetch_map);

		b->in->beat.data[offset] = at < sizeof(map) ? map[at] : (uint8_t)rng_next(&b->rng);
	}
	b->in->beat_valid = 1;
	b->in->beat.resp = b->fetch_map % KINDS == SLVERR ? 2 : 0;
	b->in->beat.dead = b->fetch_map % KINDS == DEAD;
	b->in->beat.last = b->in->beat.dead || b->beat == b->beats - 1;
}

static void next_fetch(struct bench *b)
{
	uint32_t bytes = b->shape->data_bytes;

	if (b->out->fetch_valid && b->in->fetch_ready) {
		assert_int_equal(b->out->fetch.of_map, 1);
		assert_int_equal(b->out->fetch.chunks, 8);
		b->fetch_map = (uint32_t)((b->out->fetch.gaddr - 0x100000) / SPACING);
		assert_true(b->out->fetch.gaddr == map_addr(b->fetch_map));
		b->fetching = true;
		b->left = false;
		b->probe = b->out->fetch.probe;
		b->denied = b->fetch_map % KINDS == DENIED;
		b->beat = 0;
		b->beats = (uint32_t)((b->out->fetch.gaddr + 127) / bytes - b->out->fetch.gaddr / bytes) + 1;
		b->wait = rng_below(&b->rng, 4);
	} else if (b->in->fetch_done) {
		b->left = true;
		b->fetching = !b->denied && !b->probe;
		b->wait = b->fetch_delay + rng_below(&b->rng, 5);
	} else if (b->in->beat_valid) {
		b->beat++;
		b->fetching = !b->in->beat.last;
		b->wait = rng_percent(&b->rng, 30);
	}
}

/*
 * A cycle.
 */

static void offer(struct bench *b, uint32_t d, uint32_t map, bool map_only)
{
	struct command *c = &b->offered[d].cmd;

	memset(c, 0, sizeof(*c));
	c->dim = map_only ? 0 : 1;
	c->mode = map_only ? MAP_ONLY : 0;
	c->map_only = map_only;
	c->coord = map_only ? 0 : rng_below(&b->rng, 60) * 16;
	c->operand = rng_below(&b->rng, 64) * 128;
	c->tag = b->tag++;
	c->map_addr = map_addr(map);
	c->queue = (uint8_t)rng_below(&b->rng, b->shape->queues);
	b->offered[d].map = map;
	b->offered[d].version = b->fenced[map];
	b->in->cmd_valid[d] = 1;
}

/* The same, of a store, to be a reduction. */
static void offer_reduction(struct bench *b, uint32_t map, uint32_t op)
{
	offer(b, 1, map, false);
	b->offered[1].cmd.reduce = true;
	b->offered[1].cmd.op = (uint8_t)op;
}

static uint16_t fault_of(const struct bench *b, const struct expected *e)
{
	static const uint16_t faults[KINDS] = {
		0, 0, TMA_FAULT_MAP_RANK, TMA_FAULT_MAP_SLVERR, TMA_FAULT_MAP_WINDOW, TMA_FAULT_PORT_DEAD
	};
	uint32_t kind = e->map % KINDS;

	if (e->cmd.reduce && !faults[kind] && !(map_says(b, e->map).ops >> e->cmd.op & 1))
		return TMA_FAULT_TENSOR_REDUCE;
	return e->cmd.mode == MAP_ONLY && kind < DEAD ? 0 : faults[kind];
}

static void check_reduction(struct bench *b, const struct expected *e, const struct tensor_walk_item *i)
{
	struct map_info info;
	bool bits = e->cmd.op >= TMA_REDUCE_AND;

	assert_int_equal(i->reduce, e->cmd.reduce);
	b->refused += i->fault == TMA_FAULT_TENSOR_REDUCE;
	if (!e->cmd.reduce || i->fault)
		return;
	info = map_says(b, e->map);
	assert_int_equal(i->how.op, e->cmd.op);
	assert_int_equal(i->how.kind, !bits                           ? info.arith
	                              : element_bits(b, e->map) == 64 ? TMA_TYPE_B64
	                                                              : TMA_TYPE_B32);
	assert_int_equal(i->how.flush, info.flush);
	b->reduced++;
}

static void check_walk(struct bench *b, uint32_t d)
{
	const struct expected *e = &b->flight[d][b->head[d]++ % FLIGHT];
	const struct tensor_walk *w = &b->out->walk[d];
	uint64_t addr = w->level[0].addr * 16, version = addr >> 20;
	uint16_t fault = fault_of(b, e);

	assert_true(b->head[d] <= b->tail[d]);
	assert_int_equal(w->item.signal.origin.tag, e->cmd.tag);
	assert_int_equal(w->item.fault, fault);
	assert_int_equal(w->empty, e->cmd.mode == MAP_ONLY || fault);
	check_reduction(b, e, &w->item);
	b->faults[e->map % KINDS] += fault != 0;
	b->walks[d]++;
	if (fault)
		assert_true(addr + w->low ==
		            (fault == TMA_FAULT_TENSOR_REDUCE ? e->cmd.op : e->cmd.map_addr));
	if (w->empty)
		return;
	assert_true(version >= e->version && version <= b->version[e->map]);
	assert_true(addr == map_base(e->map, (uint32_t)version) + e->cmd.coord);
	assert_int_equal(w->chunks, e->cmd.coord + 64 <= 1000 ? 4 : (1000 - e->cmd.coord + 15) / 16);
	assert_int_equal(w->saddr, e->cmd.operand / 16);
	assert_int_equal(w->low, 0);
}

/* Coordinates count elements. */
static uint32_t coord_of(const struct bench *b, const struct expected *e)
{
	return e->cmd.coord * 8 / element_bits(b, e->map);
}

/* The commands to their pins; what is bytes in shared memory lies across the fields of other commands. */
static void eval(struct bench *b)
{
	const struct command *load = &b->offered[0].cmd, *store = &b->offered[1].cmd;

	b->in->load_cmd = (struct tensor_load_cmd){
		.client = load->map_only,
		.tensor = 1,
		.op = { .mode = load->mode, .dim = load->dim, .coord = { coord_of(b, &b->offered[0]) } },
		.dst = 1,
		.gaddr = load->map_addr,
		.chunks = (uint16_t)(load->operand >> 7),
		.saddr = (uint16_t)(load->operand >> 4),
		.signal = { .ctas = 1,
		            .bytes = load->operand >> 23,
		            .origin = { .qid = load->queue, .tag = load->tag } },
	};
	b->in->store_cmd = (struct tensor_store_cmd){
		.tensor = 1,
		.op = { .mode = store->mode, .dim = store->dim, .coord = { coord_of(b, &b->offered[1]) } },
		.gaddr = store->map_addr,
		.chunks = (uint16_t)(store->operand >> 7),
		.saddr = (uint16_t)(store->operand >> 4),
		.byte_mask = (uint16_t)(store->operand >> 23),
		.origin = { .qid = store->queue, .tag = store->tag },
	};
	b->in->reduce = store->reduce;
	b->in->reduce_op = store->op;
	tensor_eval(b->unit);
}

static void cycle(struct bench *b)
{
	bool taken[2];

	for (uint32_t d = 0; d < 2; d++)
		b->in->walk_ready[d] = rng_percent(&b->rng, b->ready[d]);
	drive_fetch(b);
	eval(b);
	for (uint32_t d = 0; d < 2; d++) {
		taken[d] = b->in->cmd_valid[d] && b->out->cmd_ready[d];
		if (b->out->walk_valid[d] && b->in->walk_ready[d])
			check_walk(b, d);
		if (taken[d]) {
			b->flight[d][b->tail[d]++ % FLIGHT] = b->offered[d];
			b->wanted_errors +=
				b->offered[d].cmd.mode == MAP_ONLY &&
				(b->offered[d].map % KINDS == SLVERR || b->offered[d].map % KINDS == DENIED);
		}
	}
	b->errors += b->out->prefetch_error;
	next_fetch(b);
	tensor_tick(b->unit);
	for (uint32_t d = 0; d < 2; d++)
		if (taken[d])
			b->in->cmd_valid[d] = 0;
	if (b->in->fence_valid) {
		b->in->fence_valid = 0;
		b->fenced[b->fence_map] = b->version[b->fence_map];
	}
}

static void drain(struct bench *b)
{
	b->ready[0] = b->ready[1] = 100;
	for (uint32_t i = 0; b->in->cmd_valid[0] || b->in->cmd_valid[1] || b->head[0] != b->tail[0] ||
	                     b->head[1] != b->tail[1] || !b->out->idle;
	     i++) {
		assert_true(i < 2000);
		cycle(b);
	}
	assert_int_equal(b->errors, b->wanted_errors);
}

/* Commands, changes of maps and fences at random. */
BENCH_TEST(random_traffic, 1)
{
	/* Of s32, f32.ftz, u64. */
	b->type[ALSO_GOOD].type = 3;
	b->type[KINDS].type = 8;
	b->type[KINDS + ALSO_GOOD].type = 4;
	b->ready[0] = 60;
	b->ready[1] = 30;
	for (uint32_t i = 0; i < 200000; i++) {
		uint32_t base = i / 2000 % MAPS;

		for (uint32_t d = 0; d < 2; d++)
			if (!b->in->cmd_valid[d] && d == 1 && rng_percent(&b->rng, 30))
				offer_reduction(b, (base + rng_below(&b->rng, 4)) % MAPS,
				                rng_below(&b->rng, 8));
			else if (!b->in->cmd_valid[d] && rng_percent(&b->rng, 60))
				offer(b, d, (base + rng_below(&b->rng, 4)) % MAPS,
				      d == 0 && rng_percent(&b->rng, 20));
		if (!b->in->fence_valid && rng_percent(&b->rng, 2)) {
			b->fence_map = (base + rng_below(&b->rng, 4)) % MAPS;
			b->version[b->fence_map]++;
			b->in->fence_valid = 1;
			b->in->fence_addr = map_addr(b->fence_map) / 64;
		}
		cycle(b);
	}
	drain(b);
	assert_true(b->walks[0] > 3000 && b->walks[1] > 3000 && b->errors > 20);
	for (uint32_t d = MALFORMED; d < KINDS; d++)
		assert_true(b->faults[d] > 100);
	assert_true(b->reduced > 200 && b->refused > 200);
}

/* Of maps of every type, with every operator: what they take, and what they refuse. */
BENCH_TEST(reductions, 6)
{
	static const uint32_t sub_byte = 13;

	for (uint32_t type = 0; type <= sub_byte; type++) {
		for (uint32_t tf32 = 0; tf32 <= (type == 7 || type == 8); tf32++) {
			uint32_t reduced = b->reduced, takes;

			if (type == 11 || type == 12)
				continue; /* no types */
			b->type[ALSO_GOOD] = (struct map_fields){ .type = type, .tf32 = tf32 };
			b->fence_map = ALSO_GOOD;
			b->version[ALSO_GOOD]++;
			b->in->fence_valid = 1;
			b->in->fence_addr = map_addr(ALSO_GOOD) / 64;
			cycle(b);
			for (uint32_t op = 0; op < 8; op++) {
				offer_reduction(b, ALSO_GOOD, op);
				drain(b);
				offer(b, 1, ALSO_GOOD, false);
				drain(b);
			}
			takes = map_says(b, ALSO_GOOD).ops;
			for (uint32_t op = 0; op < 8; op++)
				reduced += takes >> op & 1;
			assert_int_equal(b->reduced, reduced);
		}
	}
	/* 8 of u32, 6 of s32 and u64, 2 of s64, 3 of f16 and bf16, one of each other one. */
	assert_int_equal(b->reduced, 8 + 12 + 2 + (b->shape->floats ? 6 + 4 : 0) + b->shape->floats / 2);
	assert_int_equal(b->refused, 14 * 8 - b->reduced);
}

/* A cached map: cycles from the command to the walk, and from command to command. */
BENCH_TEST(launch, 2)
{
	bool four = unit_shape()->data_bytes >= 64;
	uint32_t i, n;

	for (uint32_t d = 0; d < 2; d++)
		for (i = 0; i < b->shape->queues * 3; i++) {
			offer(b, d, 0, false);
			b->offered[d].cmd.queue = (uint8_t)(i % b->shape->queues);
			drain(b);
		}
	for (uint32_t d = 0; d < 2; d++) {
		offer(b, d, 0, false);
		for (i = 0; cycle(b), b->walks[d] == 0 || b->head[d] != b->tail[d] || b->in->cmd_valid[d];
		     i++)
			;
		assert_int_equal(i, four ? 3 : 6);
		for (i = n = 0; n < 50; i++) {
			if (!b->in->cmd_valid[d]) {
				offer(b, d, 0, false);
				n++;
			}
			cycle(b);
		}
		/* The first is taken at once, each of the others is offered behind the one before; in `small` it
		 * is looked up first, a walk that is taken makes room in the next cycle, and who takes a command says so then. */
		assert_int_equal(i, 48 * (four ? 3 : 5) + (four ? 2 : 5));
		drain(b);
	}
}

/* While a direction waits, for its map or for its walker, the other one goes on. */
TEST(apart)
{
	uint32_t before;
	struct bench b;

	for (uint32_t d = 0; d < 2; d++) {
		bench_open(&b, 3 + d);
		for (uint32_t i = 0; i < b.shape->queues * 4; i++) {
			offer(&b, !d, 0, false);
			b.offered[!d].cmd.queue = (uint8_t)(i % b.shape->queues);
			drain(&b);
		}
		b.fetch_delay = 300;
		offer(&b, d, 1, false);
		before = b.walks[!d];
		for (uint32_t i = 0; i < 300; i++) {
			if (!b.in->cmd_valid[!d])
				offer(&b, !d, 0, false);
			cycle(&b);
		}
		assert_true(b.in->cmd_valid[d]);
		assert_true(b.walks[!d] - before >= 300 / 6);
		drain(&b);
		b.fetch_delay = 0;
		b.ready[d] = 0;
		before = b.walks[!d];
		for (uint32_t i = 0; i < 300; i++) {
			if (!b.in->cmd_valid[d])
				offer(&b, d, 0, false);
			if (!b.in->cmd_valid[!d])
				offer(&b, !d, 0, false);
			cycle(&b);
		}
		assert_true(b.walks[!d] - before >= 300 / 6);
		drain(&b);
		tensor_close(b.unit);
	}
}

/* A command whose map is fenced in every cycle of its fetch reads it once, and goes on. */
BENCH_TEST(fenced_in_every_cycle, 5)
{
	for (uint32_t d = 0; d < 2; d++) {
		b->in->fence_addr = map_addr(b->fence_map = 1) / 64;
		offer(b, d, 1, false);
		for (uint32_t i = 0; b->head[d] == b->tail[d]; i++) {
			assert_true(i < 200);
			b->in->fence_valid = 1;
			cycle(b);
		}
		b->in->fence_valid = 0;
		drain(b);
	}
}
