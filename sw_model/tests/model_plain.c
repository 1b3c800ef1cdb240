/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_plain - bytes that move at once, against the same copies one byte after the other.
 *
 * Two engines run the same commands on the same memory. One sees it as a whole, or in a few pieces; for the other
 * every byte is a map of its own, so that each is looked up, and refused or moved, by itself.
 *
 * Spec: tma_model.h (tma_model_map, tma_model_map_error, tma_model_step); semantics 2.3 to 2.6
 * Checks: all memories, faults with their addresses and counters, of bulk copies at all places in a beat and around
 *         the end of a page, with every kind of error and hole under them, and of tiles whose rows lie back to
 *         back or at one step, with every type, swizzle and layout; these against the documentation as well.
 */
#include "model_tensor.h"

#define DST    0x400u
#define SRC    0x2000u
#define ROUNDS 150
#define TILES  600

struct twins {
	struct fixture *whole, *bytes;
};

static void map_whole(struct fixture *f)
{
	assert_int_equal(tma_model_unmap_all(f->m, 0), 0);
	assert_int_equal(tma_model_map(f->m, 0, GLOBAL, GLOBAL_BYTES, f->global), 0);
}

static void map_bytes(struct fixture *f)
{
	assert_int_equal(tma_model_unmap_all(f->m, 0), 0);
	for (uint32_t i = 0; i < GLOBAL_BYTES; i++)
		assert_int_equal(tma_model_map(f->m, 0, GLOBAL + i, 1, f->global + i), 0);
}

static struct twins *twins_new(void)
{
	static struct twins t;

	t = (struct twins){ fixture_new(), fixture_new() };
	map_bytes(t.bytes);
	return &t;
}

static void twins_free(struct twins *t)
{
	fixture_free(t->whole);
	fixture_free(t->bytes);
}

#define TWINS_TEST(name) TEST_WITH(name, struct twins *t, twins_new(), twins_free)

static void expect_same_counters(struct twins *t)
{
	struct tma_model_counters a, b;

	assert_int_equal(tma_model_counters(t->whole->m, &a), 0);
	assert_int_equal(tma_model_counters(t->bytes->m, &b), 0);
	assert_memory_equal(&a, &b, sizeof(a));
}

/* Drop what a command has left behind, so that the next one runs. */
static void clean(struct fixture *f)
{
	struct tma_record r;

	while (tma_model_next_record(f->m, &r))
		;
	assert_int_equal(tma_model_reset(f->m, 0), 0);
	for (uint32_t rank = 0; rank < CTAS; rank++)
		memcpy(tma_model_smem(f->m, rank) + BAR, &(uint64_t){ barrier_word(1, 1, 0, 0) }, 8);
}

/* Both run it, and there is no difference. */
static void run_both(struct twins *t, struct tma_command c)
{
	struct tma_queue_status a, b;

	issue(t->whole, 0, c);
	issue(t->bytes, 0, c);
	a = status_of(t->whole, 0);
	b = status_of(t->bytes, 0);
	assert_int_equal(a.fault, b.fault);
	assert_int_equal(a.fault_address, b.fault_address);
	assert_int_equal(a.next_sequence, b.next_sequence);
	expect_same_counters(t);
	for (uint32_t rank = 0; rank < CTAS; rank++)
		assert_memory_equal(tma_model_smem(t->whole->m, rank), tma_model_smem(t->bytes->m, rank),
		                    SMEM_BYTES);
	assert_memory_equal(t->whole->global_store, t->bytes->global_store, sizeof(t->whole->global_store));
	clean(t->whole);
	clean(t->bytes);
}

/* From four beats in front of the end of a page to behind it, up to two beats long, and one of more than a page. */
TWINS_TEST(copies_at_all_places)
{
	static const uint16_t masks[] = { 0xffff, 0x0001, 0x8000, 0x6db6, 0 };

	for (uint32_t from = PAGE - 256; from <= PAGE; from += 16)
		for (uint32_t size = 16; size <= 144; size += 16) {
			run_both(t, load(AT(0, DST + from % 48), GLOBAL + from, size, AT(0, BAR)));
			run_both(t, store(GLOBAL + from, AT(0, SRC + size), size));
			run_both(t, store_masked(GLOBAL + from, AT(0, SRC + from % 80), size,
			                         masks[(from + size) / 16 % ARRAY_SIZE(masks)]));
		}
	run_both(t, load(AT(0, DST), GLOBAL + 0x1010, 2 * PAGE, AT(0, BAR)));
	run_both(t, store(GLOBAL + 0x2ff0, AT(0, SRC), 2 * PAGE));
}

/* What may be wrong with memory: unmapped bytes, responses to any bytes, a window that ends. Maps begin and end
 * at any byte. Then the same of the twin. */
static void draw_trouble(struct rng *r, struct twins *t)
{
	struct fixture *f[] = { t->whole, t->bytes };
	struct tma_window window = { GLOBAL, GLOBAL_END - 1, TMA_WINDOW_READ | TMA_WINDOW_WRITE };
	struct tma_queue_config config = t->whole->queues[0];

	map_whole(t->whole);
	map_bytes(t->bytes);
	for (uint32_t n = rng_below(r, 3); n; n--) {
		uint32_t at = rng_below(r, 2 * PAGE), size = 1 + rng_below(r, PAGE);

		assert_int_equal(tma_model_map(t->whole->m, 0, GLOBAL + at, size, t->whole->global + at), 0);
	}
	for (uint32_t n = rng_below(r, 3); n; n--) {
		uint32_t at = rng_below(r, 3 * PAGE), size = 1 + rng_below(r, 100);
		int read = (int)rng_below(r, 3), write = (int)rng_below(r, 3);

		for (uint32_t i = 0; i < 2; i++)
			assert_int_equal(tma_model_map_error(f[i]->m, 0, GLOBAL + at, size, read + (read > 0),
			                                     write + (write > 0)),
			                 0);
	}
	if (rng_percent(r, 40)) {
		uint32_t at = rng_below(r, 3 * PAGE), size = 1 + rng_below(r, 40);

		for (uint32_t i = 0; i < 2; i++)
			assert_int_equal(tma_model_unmap(f[i]->m, 0, GLOBAL + at, size), 0);
	}
	if (rng_percent(r, 30))
		window.limit = GLOBAL + (1 + rng_below(r, 3)) * PAGE - 1;
	for (uint32_t i = 0; i < 2; i++)
		requeue(f[i], 0, &config, &window);
}

static struct tma_command draw_bulk(struct rng *r)
{
	uint64_t global = GLOBAL + 16 * rng_below(r, 3 * PAGE / 16);
	uint32_t shared = 16 * rng_below(r, 64), size = 16 * rng_below(r, rng_percent(r, 30) ? 300 : 12);

	switch (rng_below(r, 5)) {
	case 0:
		return load(AT(0, DST + shared), global, size, AT(0, BAR));
	case 1:
		return multicast(AT(0, DST + shared), global, size, AT(0, BAR), 0xb);
	case 2:
		return store(global, AT(0, SRC + shared), size);
	case 3:
		return store_masked(global, AT(0, SRC + shared), size, (uint16_t)rng_next(r));
	default:
		return prefetch(global, size);
	}
}

TWINS_TEST(copies_with_trouble)
{
	struct rng r = rng_make(21, 0);

	for (uint32_t round = 0; round < ROUNDS; round++) {
		draw_trouble(&r, t);
		for (uint32_t n = 0; n < 12; n++)
			run_both(t, draw_bulk(&r));
	}
}

/* A tile whose rows mostly lie back to back, in all dimensions or in the first ones. */
static void draw_dense(struct rng *r, uint8_t opcode, struct map_fields *m, struct tma_command *c)
{
	static struct spot spots[MAX_ROWS];
	uint32_t rows;
	uint64_t row;

	do {
		rows = 1;
		do
			draw_copy(r, opcode, m, c);
		while (c->mode != TMA_MODE_TILE);
		m->dim[0] = m->box[0];
		row = m->interleave ? m->dim[0] * 16 * m->interleave : m->dim[0] * element_bits(m->type) / 8;
		for (uint32_t i = 0; i < m->rank; i++) {
			m->es[i] = rng_percent(r, 85) ? 1 : m->es[i];
			if (i && rng_percent(r, 70))
				m->dim[i] = m->box[i];
			c->coord[i] = rng_percent(r, 70) ? 0 : c->coord[i];
			rows *= i || m->interleave ? m->box[i] : 1;
			if (!i)
				continue;
			m->stride[i - 1] = rng_percent(r, 75) ? row : row + 32;
			row = m->stride[i - 1] * m->dim[i];
		}
	} while (row > 11 * PAGE || rows > MAX_ROWS ||
	         oracle_spots(m, c, spots) * oracle_pitch(m) + 136 > SMEM_BYTES - c->shared_dst);
}

/* The second half of the rounds with something wrong. */
static void run_tiles(struct twins *t, uint8_t opcode, uint64_t seed)
{
	struct rng r = rng_make(seed, 0);
	struct fixture *f = t->whole;

	for (uint32_t n = 0; n < TILES; n++) {
		bool quiet = n < TILES / 2;
		struct map_fields m;
		struct tma_command c;

		draw_dense(&r, opcode, &m, &c);
		if (!quiet && n % 4 == 0)
			draw_trouble(&r, t);
		if (!quiet && opcode == TMA_TENSOR_LOAD && n % 3 == 0) {
			c = with_flags(c, TMA_FLAG_MULTICAST);
			c.cta_mask = 0xd;
		}
		put_map(t->whole, &m);
		put_map(t->bytes, &m);
		remember(f);
		if (opcode == TMA_TENSOR_LOAD)
			oracle_load(f, &m, &c, f->expected.smem[0]);
		if (opcode == TMA_TENSOR_STORE)
			oracle_store(f, &m, &c, false);
		run_both(t, c);
		if (quiet)
			expect_all_memory(f);
	}
}

TWINS_TEST(dense_loads)
{
	run_tiles(t, TMA_TENSOR_LOAD, 22);
}

TWINS_TEST(dense_stores)
{
	run_tiles(t, TMA_TENSOR_STORE, 23);
}

TWINS_TEST(dense_prefetches)
{
	run_tiles(t, TMA_TENSOR_PREFETCH, 24);
}

/* Runs of slices of 16 bytes, so that they begin at every other chunk of a line, in every line that is swizzled
 * another way. The box of a legal map has an even number of them. */
FIXTURE_TEST(swizzled_runs_begin_anywhere)
{
	for (uint32_t n = 0; n < 3 * 40; n++) {
		uint32_t run = 2 + n / 3 * 2;
		struct map_fields m = { .address = TENSOR,
			                .rank = 3,
			                .type = TMA_RAW_TYPE_U64,
			                .interleave = 1,
			                .swizzle = 1 + n % 3,
			                .dim = { run, 1, 9 },
			                .stride = { run * 16, run * 16 + 16 },
			                .box = { run, 1, 9 },
			                .es = { 1, 1, 1 } };
		struct tma_command c = tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 3, 0, 0, 0, 0, 0);

		put_map(f, &m);
		put_barrier(f, 0, BAR, barrier_word(1, 1, 0, 0));
		oracle_load(f, &m, &c, f->expected.smem[0]);
		expect_barrier(f, 0, BAR, barrier_word(1, 1, -(int32_t)oracle_bytes(&m, &c), 0));
		expect_quiet(f, 0, c);
		expect_all_memory(f);
		for (uint32_t i = 0; i < 15 * PAGE; i++)
			f->expected.global[PAGE + i] = f->global[i] ^= 0xa5;
		c = tensor(TMA_TENSOR_STORE, TMA_MODE_TILE, 3, 0, 0, 0, 0, 0);
		oracle_store(f, &m, &c, false);
		expect_quiet(f, 0, c);
		expect_all_memory(f);
	}
}

LIST_SUITE(test_model_plain)
