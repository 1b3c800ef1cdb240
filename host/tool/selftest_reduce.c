/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: reductions. Floating point has whole numbers, whose sums are exact. */
#include <string.h>

#include "selftest_tensor.h"
#include "tma_tables.h"

#define BYTES 64u /* of one reduction */

/* Operators and types that go together, of whole numbers. */
static const struct pair {
	enum tma_reduce op;
	enum tma_type type;
	bool shared; /* in shared memory as well */
} pairs[] = {
	{ TMA_REDUCE_ADD, TMA_TYPE_U32, true },  { TMA_REDUCE_ADD, TMA_TYPE_S32, true },
	{ TMA_REDUCE_ADD, TMA_TYPE_U64, true },  { TMA_REDUCE_MIN, TMA_TYPE_U32, true },
	{ TMA_REDUCE_MIN, TMA_TYPE_S32, true },  { TMA_REDUCE_MIN, TMA_TYPE_U64, false },
	{ TMA_REDUCE_MIN, TMA_TYPE_S64, false }, { TMA_REDUCE_MAX, TMA_TYPE_U32, true },
	{ TMA_REDUCE_MAX, TMA_TYPE_S32, true },  { TMA_REDUCE_MAX, TMA_TYPE_U64, false },
	{ TMA_REDUCE_MAX, TMA_TYPE_S64, false }, { TMA_REDUCE_INC, TMA_TYPE_U32, true },
	{ TMA_REDUCE_DEC, TMA_TYPE_U32, true },  { TMA_REDUCE_AND, TMA_TYPE_B32, true },
	{ TMA_REDUCE_OR, TMA_TYPE_B32, true },   { TMA_REDUCE_XOR, TMA_TYPE_B32, true },
	{ TMA_REDUCE_AND, TMA_TYPE_B64, false }, { TMA_REDUCE_OR, TMA_TYPE_B64, false },
	{ TMA_REDUCE_XOR, TMA_TYPE_B64, false },
};

#define PAIRS (sizeof(pairs) / sizeof(pairs[0]))

static bool lacks_reductions(struct selftest *t)
{
	if (!t->info.reductions)
		st_skip(t, "the engine is built without reductions");
	return !t->info.reductions;
}

/* Is a below b? */
static bool below(enum tma_type type, uint64_t a, uint64_t b)
{
	switch (type) {
	case TMA_TYPE_S32:
		return (int32_t)a < (int32_t)b;
	case TMA_TYPE_S64:
		return (int64_t)a < (int64_t)b;
	default:
		return a < b;
	}
}

static uint64_t reduced(enum tma_reduce op, enum tma_type type, uint64_t d, uint64_t s)
{
	switch (op) {
	case TMA_REDUCE_ADD:
		return d + s;
	case TMA_REDUCE_MIN:
		return below(type, s, d) ? s : d;
	case TMA_REDUCE_MAX:
		return below(type, d, s) ? s : d;
	case TMA_REDUCE_INC:
		return d >= s ? 0 : d + 1;
	case TMA_REDUCE_DEC:
		return d == 0 || d > s ? s : d - 1;
	case TMA_REDUCE_AND:
		return d & s;
	case TMA_REDUCE_OR:
		return d | s;
	default:
		return d ^ s;
	}
}

/* Elements of @p to take part in it. */
static void reduce(enum tma_reduce op, enum tma_type type, uint8_t *to, const uint8_t *from, uint32_t bytes)
{
	uint32_t width = tma_reduce_bytes(type), i;

	for (i = 0; i < bytes; i += width) {
		uint64_t d = 0, s = 0;

		memcpy(&d, to + i, width);
		memcpy(&s, from + i, width);
		d = reduced(op, type, d, s);
		memcpy(to + i, &d, width);
	}
}

/* inc and dec turn around only where their operands are near each other. */
static void near(struct selftest *t, uint32_t global, uint32_t shared)
{
	uint32_t i, d, s;

	for (i = 0; i < BYTES; i += 4) {
		d = i % 20;
		s = 8 + i % 12;
		memcpy(t->global + global + i, &d, 4);
		memcpy(t->shared[0] + shared + i, &s, 4);
	}
}

void st_reduce_global(struct selftest *t)
{
	uint32_t i, global, shared;

	if (lacks_reductions(t))
		return;
	st_fresh(t, 80, 1);
	for (i = 0; i < PAIRS; i++)
		if (pairs[i].op == TMA_REDUCE_INC || pairs[i].op == TMA_REDUCE_DEC)
			near(t, 4048 + 80 * i, ST_DATA + BYTES * i);
	st_put_global(t, 0, ST_GLOBAL_BYTES);
	st_put_shared(t, 0, 0, ST_SHARED_BYTES);
	/* Twice: what is there takes part again. */
	for (i = 0; i < 2 * PAIRS; i++) {
		const struct pair *p = &pairs[i % PAIRS];

		global = 4048 + 80 * (i % PAIRS);
		shared = ST_DATA + BYTES * (i % PAIRS);
		tma_cp_reduce_async_bulk(st_next(t), p->op, p->type, st_address(t, global),
		                         tma_shared(0, shared), BYTES);
		reduce(p->op, p->type, t->global + global, t->shared[0] + shared, BYTES);
	}
	st_stored(t);
	st_run(t, 0);
	st_compare(t);
	st_note(t, "%u pairs of operator and type", (unsigned int)PAIRS);
}

/* ---- Floating point ------------------------------------------------------------------------------ */

/* A whole number up to 256 in a type. */
static uint64_t float_of(enum tma_type type, int32_t number)
{
	float single = (float)number;
	double wide = number;
	uint32_t magnitude = (uint32_t)(number < 0 ? -number : number), exponent = 0, bits;
	uint64_t bits64;

	switch (type) {
	case TMA_TYPE_F64:
		memcpy(&bits64, &wide, 8);
		return bits64;
	case TMA_TYPE_F16:
		while (magnitude >> exponent > 1)
			exponent++;
		bits = magnitude ? (exponent + 15) << 10 | ((magnitude << (10 - exponent)) & 0x3FF) : 0;
		return bits | (number < 0 ? 0x8000 : 0);
	default:
		memcpy(&bits, &single, 4);
		return type == TMA_TYPE_BF16 ? bits >> 16 : bits;
	}
}

/* Element by element: numbers, and what they become. */
static void reduce_numbers(struct selftest *t, enum tma_reduce op, enum tma_type type, uint32_t row)
{
	uint32_t width = tma_reduce_bytes(type), i;
	uint32_t global = 8192 + 1024 * row, shared = ST_DATA + BYTES * row;
	int32_t d, s, r;
	uint64_t bits;

	for (i = 0; i < BYTES / width; i++) {
		d = (int32_t)(st_pattern(4 * i, row) % 201) - 100;
		s = (int32_t)(st_pattern(4 * i, row + 99) % 201) - 100;
		bits = float_of(type, d);
		memcpy(t->global + global + i * width, &bits, width);
		bits = float_of(type, s);
		memcpy(t->shared[0] + shared + i * width, &bits, width);
	}
	st_put_global(t, global, BYTES);
	st_put_shared(t, 0, shared, BYTES);
	for (i = 0; i < BYTES / width; i++) {
		d = (int32_t)(st_pattern(4 * i, row) % 201) - 100;
		s = (int32_t)(st_pattern(4 * i, row + 99) % 201) - 100;
		r = op == TMA_REDUCE_ADD ? d + s : (op == TMA_REDUCE_MIN) == (s < d) ? s : d;
		bits = float_of(type, r);
		memcpy(t->global + global + i * width, &bits, width);
	}
	tma_cp_reduce_async_bulk(st_next(t), op, type, st_address(t, global), tma_shared(0, shared), BYTES);
}

void st_reduce_float(struct selftest *t)
{
	static const struct pair floats[] = {
		{ TMA_REDUCE_ADD, TMA_TYPE_F16, false },  { TMA_REDUCE_ADD, TMA_TYPE_BF16, false },
		{ TMA_REDUCE_ADD, TMA_TYPE_F32, false },  { TMA_REDUCE_MIN, TMA_TYPE_F16, false },
		{ TMA_REDUCE_MIN, TMA_TYPE_BF16, false }, { TMA_REDUCE_MAX, TMA_TYPE_F16, false },
		{ TMA_REDUCE_MAX, TMA_TYPE_BF16, false }, { TMA_REDUCE_ADD, TMA_TYPE_F64, false },
	};
	uint32_t count = sizeof(floats) / sizeof(floats[0]), i;
	char name[32];

	if (lacks_reductions(t))
		return;
	st_fresh(t, 81, 1);
	for (i = 0; i < count && !st_failed(t); i++) {
		if (!(floats[i].type == TMA_TYPE_F64 ? t->info.f64 : t->info.floats))
			continue;
		snprintf(name, sizeof(name), "%s.%s", tma_reduce_name(floats[i].op),
		         tma_type_name(floats[i].type));
		t->what = name;
		reduce_numbers(t, floats[i].op, floats[i].type, i);
		st_stored(t);
		st_run(t, 0);
		st_compare(t);
	}
	t->what = NULL;
	if (!t->info.floats)
		st_note(t, "without floating point, which the engine does not have");
	else if (!t->info.f64)
		st_note(t, "without f64, which the engine does not have");
}

/* ---- Elsewhere ----------------------------------------------------------------------------------- */

/* Of one CTA in another one, whose barrier is told. */
void st_reduce_shared(struct selftest *t)
{
	uint32_t to = t->info.ctas - 1, count = 0, i, shared;

	if (lacks_reductions(t))
		return;
	st_fresh(t, 82, 1u << to | 1);
	for (i = 0; i < PAIRS; i++)
		count += pairs[i].shared;
	st_expect(t, to, count * BYTES);
	st_run(t, to);
	for (i = 0; i < PAIRS; i++) {
		if (!pairs[i].shared)
			continue;
		shared = 512 + BYTES * i;
		tma_cp_reduce_async_bulk_shared(st_next(t), pairs[i].op, pairs[i].type,
		                                tma_shared(to, shared), tma_shared(0, shared + 1984), BYTES,
		                                tma_shared(to, ST_BARRIER));
		reduce(pairs[i].op, pairs[i].type, t->shared[to] + shared, t->shared[0] + shared + 1984,
		       BYTES);
	}
	st_run(t, 0);
	st_arrived(t, to);
	st_run(t, to);
	st_compare(t);
	st_note(t, "%u pairs of operator and type", count);
}

#define MULTIMEM_BYTES 4096u

/* Two updates of memory that is zero at first, each port by itself. */
static void multimem_updates(struct selftest *t, const struct tma_multimem_object *object,
                             struct tma_queue *queue)
{
	uint8_t expected[MULTIMEM_BYTES] = { 0 }, got[MULTIMEM_BYTES];
	uint64_t address = tma_multimem_address(object);
	uint32_t i;

	for (i = 0; i < 2; i++) {
		tma_multimem_cp_reduce_async_bulk(st_next(t), TMA_REDUCE_ADD, TMA_TYPE_U32, address + 48,
		                                  tma_shared(0, ST_DATA + 512 * i), 1008);
		reduce(TMA_REDUCE_ADD, TMA_TYPE_U32, expected + 48, t->shared[0] + ST_DATA + 512 * i, 1008);
	}
	st_stored(t);
	st_submit(t, queue);
	st_take(t, queue);
	for (i = 0; i < t->info.ports && !st_failed(t); i++) {
		struct tma_memory *memory = tma_multimem_memory(object, i);

		if (!st_error(t, "tma_copy_out", tma_copy_out(memory, 0, got, sizeof(got))))
			st_bytes(t, st_port_name(i), tma_memory_address(memory), expected, got, sizeof(got));
	}
	st_compare(t);
}

void st_reduce_multimem(struct selftest *t)
{
	struct tma_queue_window window = { .bytes = MULTIMEM_BYTES, .allow = TMA_ALLOW_MULTIMEM };
	struct tma_queue_options options = st_queue_options(t, &window);
	struct tma_multimem_object *object;
	struct tma_queue *queue;

	if (lacks_reductions(t))
		return;
	if (!t->info.multimem_windows) {
		st_skip(t, "the engine has no multimem windows");
		return;
	}
	st_fresh(t, 83, 1);
	if (st_failed(t) ||
	    st_error(t, "tma_multimem_open", tma_multimem_open(t->device, MULTIMEM_BYTES, 0, &object)))
		return;
	window.address = tma_multimem_address(object);
	if (!st_error(t, "tma_queue_open", tma_queue_open(t->device, 0, &options, &queue))) {
		multimem_updates(t, object, queue);
		tma_queue_close(queue);
	}
	tma_multimem_close(object);
	st_note(t, "%u ports", t->info.ports);
}

/* An element of a box at once, when its first byte comes. */
static void use(struct selftest *t, uint8_t *global, uint8_t *shared, const struct tma_map_info *map,
                uint32_t b, uint32_t op)
{
	(void)t;
	if (!b && global)
		reduce((enum tma_reduce)op, map->type == TMA_MAP_DATA_INT32 ? TMA_TYPE_S32 : TMA_TYPE_U32,
		       global, shared, 4);
}

void st_reduce_tensor(struct selftest *t)
{
	static const enum tma_reduce ops[] = { TMA_REDUCE_ADD, TMA_REDUCE_MAX, TMA_REDUCE_XOR };
	uint32_t i;

	if (lacks_reductions(t))
		return;
	for (i = 0; i < 3 && !st_failed(t); i++) {
		struct tensor_case c = { .map = { .rank = 2,
			                          .type = i == 1 ? TMA_MAP_DATA_INT32 : TMA_MAP_DATA_UINT32,
			                          .dim = { 30, 12 },
			                          .strides = { 128 },
			                          .box = { 16, 8 },
			                          .element_strides = { 1, 1 },
			                          .swizzle = TMA_MAP_SWIZZLE_64B },
			                 .coord = { 20, 6 },
			                 .shared = ST_DATA,
			                 .use = use,
			                 .argument = ops[i] };

		t->what = tma_reduce_name((uint8_t)ops[i]);
		st_fresh(t, 84 + i, 1);
		st_tensor_encode(t, &c);
		tma_cp_reduce_async_bulk_tensor(st_next(t), ops[i], TMA_MODE_TILE, 2, st_address(t, ST_MAP),
		                                c.coord, tma_shared(0, c.shared));
		st_stored(t);
		st_run(t, 0);
		st_tensor_tile_image(t, &c);
		st_compare(t);
	}
}
