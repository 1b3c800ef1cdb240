/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_tensor_test - the cross-check's own view of tensor copies.
 *
 * Checks: bytes that barriers count and bytes in the tensor, of the documentation's examples; random maps
 *         are legal for the library and say there what was put into them; programs end on the model, and
 *         in other orders with the same result; a wrong byte of a box is reported, also of a copy that
 *         faults; footprints; a burst outside the tensor is none of the copy.
 * Spec: docs/semantics.md 2.3, 2.8 to 2.12
 */

#include "crosscheck/test/fixture.h"
#include <stdlib.h>
#include <string.h>

#include "crosscheck/bus.h"
#include "crosscheck/footprint.h"
#include "tma_map.h"

#define SEED     7
#define PROGRAMS 30
#define BASE     UINT64_C(0x10000)
#define BYTES    (UINT64_C(64) << 20)

static struct tensor_span measure(const struct tensor *t, const struct tma_command *c)
{
	return tensor_measure(t, c, BASE, BYTES);
}

/* Dense, one byte per element. */
static void dense(struct tensor *t)
{
	uint64_t bytes = t->dim[0];

	t->address = BASE;
	for (uint32_t i = 0; i < t->rank; i++) {
		t->stride[i] = bytes;
		bytes *= i ? t->dim[i] : 1;
		t->step[i] = t->step[i] ? t->step[i] : 1;
	}
}

/*
 * The documentation's examples.
 */

TEST(tiles_shrink_with_element_strides)
{
	struct tensor t = { .rank = 2, .dim = { 12, 16 }, .box = { 6, 4 }, .step = { 1, 3 } };
	struct tensor_span s;

	dense(&t);
	s = measure(&t, &(struct tma_command){ .dim = 2, .coord = { 9, 1 } });
	assert_int_equal(s.rows, 2);
	assert_int_equal(s.tx, 12);
	assert_int_equal(s.inside, 6);
	assert_int_equal(s.first, 12 + 9);
	assert_int_equal(s.last, 4 * 12 + 11);
	assert_true(s.fits);
	/* Nothing of it. */
	s = measure(&t, &(struct tma_command){ .dim = 2, .coord = { 12, 1 } });
	assert_int_equal(s.inside, 0);
	assert_true(s.first > s.last);
	assert_int_equal(s.tx, 12);
}

TEST(im2col_walks_as_documented)
{
	static const struct {
		struct tensor t;
		struct tma_command c;
		uint32_t pixels, filled;
	} examples[] = {
		{ { .im2col = true,
		    .rank = 4,
		    .dim = { 64, 9, 14, 64 },
		    .box = { 8 },
		    .lower = { -1, -1 },
		    .upper = { -1, -1 },
		    .pixels = 64 },
		  { .mode = TMA_MODE_IM2COL, .dim = 4, .coord = { 0, 4, 7, 7 } },
		  64,
		  15 },
		{ { .im2col = true,
		    .rank = 4,
		    .dim = { 64, 9, 14, 64 },
		    .box = { 8 },
		    .upper = { -2, -2 },
		    .pixels = 64 },
		  { .mode = TMA_MODE_IM2COL, .dim = 4, .coord = { 0, 4, 7, 7 }, .im2col = { 2, 2 } },
		  64,
		  0 },
		{ { .im2col = true,
		    .rank = 4,
		    .dim = { 64, 8, 14, 64 },
		    .box = { 8 },
		    .step = { 1, 2, 2, 1 },
		    .lower = { -1, -1 },
		    .upper = { -1, -1 },
		    .pixels = 32 },
		  { .mode = TMA_MODE_IM2COL, .dim = 4, .coord = { 0, 5, 7, 7 }, .im2col = { 1, 1 } },
		  32,
		  0 },
		{ { .im2col = true,
		    .wide = TMA_RAW_WIDE_W,
		    .rank = 4,
		    .dim = { 128, 9, 7, 64 },
		    .box = { 16 },
		    .step = { 1, 1, 1, 5 }, /* of N: it does not count here */
		    .pixels = 128 },
		  { .mode = TMA_MODE_IM2COL_W, .dim = 4, .coord = { 0, 3, 2, 7 }, .im2col = { 2 } },
		  130,
		  0 },
		{ { .im2col = true,
		    .wide = TMA_RAW_WIDE_W_128,
		    .rank = 4,
		    .dim = { 128, 9, 7, 64 },
		    .box = { 16 },
		    .pixels = 1 },
		  { .mode = TMA_MODE_IM2COL_W_128, .dim = 4, .coord = { 0, 3, 2, 7 }, .im2col = { 2 } },
		  136,
		  0 },
	};

	for (uint32_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		struct tensor t = examples[i].t;
		uint32_t pixels = examples[i].pixels;
		struct tensor_span s;

		dense(&t);
		s = measure(&t, &examples[i].c);
		assert_int_equal(s.rows, pixels);
		assert_int_equal(s.tx, pixels * t.box[0]);
		assert_int_equal(s.inside, (pixels - examples[i].filled) * t.box[0]);
	}
}

/* Bytes: of types, with slices, four rows, padded; and what shared memory takes. */
TEST(barriers_count_packed_bytes)
{
	struct tensor t = { .rank = 3,
		            .type = TMA_RAW_TYPE_F64,
		            .interleave = TMA_RAW_INTERLEAVE_32B,
		            .swizzle = TMA_RAW_SWIZZLE_32B,
		            .dim = { 100, 100, 100 },
		            .box = { 6, 9, 5 },
		            .step = { 4, 1, 2 } };
	struct tma_command tile = { .dim = 3 }, gather = { .mode = TMA_MODE_GATHER4, .dim = 2 };

	dense(&t);
	assert_int_equal(measure(&t, &tile).tx, 32 * 2 * 3);
	assert_int_equal(measure(&t, &tile).shared, 32 * 2 * 3);
	t = (struct tensor){
		.rank = 2, .type = TMA_RAW_TYPE_B6X16_P32, .dim = { 128, 9 }, .box = { 128, 1 }
	};
	dense(&t);
	assert_int_equal(measure(&t, &gather).tx, 4 * 96);
	assert_int_equal(measure(&t, &gather).shared, 4 * 128);
	t.type = TMA_RAW_TYPE_B4X16_P64;
	assert_int_equal(measure(&t, &gather).tx, 4 * 64);
	t.type = TMA_RAW_TYPE_U16;
	t.box[0] = 24;
	t.swizzle = TMA_RAW_SWIZZLE_64B;
	assert_int_equal(measure(&t, &gather).tx, 4 * 48);
	assert_int_equal(measure(&t, &gather).shared, 4 * 64);
	assert_int_equal(measure(&t, &gather).pitch, 64);
	assert_true(measure(&t, &gather).twice);
}

/*
 * Maps.
 */

TEST(maps_are_legal)
{
	static const char *const names[] = { "small", "default", "max" };
	struct rng rng = rng_make(SEED, 1);

	for (uint32_t i = 0; i < 3000; i++) {
		struct tma_map_error error;
		struct tma_map_info info;
		struct tma_map map;
		struct tensor t;

		tensor_choose(&rng, shape_find(names[i % 3]), BASE, 65536, 4096, &t);
		tensor_encode(&t, map.word);
		if (tma_map_decode(&map, &info, &error))
			fail_msg("map %u: %s %s", i, error.parameter, error.rule);
		assert_int_equal(info.rank, t.rank);
		assert_int_equal(info.address, t.address);
		assert_int_equal(info.kind, t.im2col ? TMA_MAP_IM2COL : TMA_MAP_TILED);
		assert_int_equal(info.interleave, t.interleave);
		for (uint32_t d = 0; d < t.rank; d++) {
			assert_int_equal(info.dim[d], t.dim[d]);
			assert_int_equal(info.element_strides[d], t.step[d]);
			if (d)
				assert_int_equal(info.strides[d - 1], t.stride[d]);
			if (!t.im2col)
				assert_int_equal(info.box[d], t.box[d]);
		}
		for (uint32_t s = 0; s < tensor_spatial(&t); s++) {
			assert_int_equal(info.lower[s], t.lower[s]);
			assert_int_equal(info.upper[s], t.upper[s]);
		}
		if (t.im2col && t.wide != TMA_RAW_WIDE_W_128)
			assert_int_equal(info.pixels, t.pixels);
	}
}

/* Programs with faults have im2col maps of a rank that leaves no spatial dimension: no corners, and nothing
 * behind the map is written. */
TEST(maps_of_any_rank_are_encoded)
{
	static const uint32_t spatial[] = { 0, 0, 1, 2, 3 };
	static const uint64_t corners[] = { 0, 0, 0xfffeffff, 0xfefeffff, 0x7bde7fff };

	for (uint32_t rank = 1; rank <= MAX_RANK; rank++) {
		struct tensor t = { .im2col = true,
			            .rank = rank,
			            .dim = { 1, 1, 1, 1, 1 },
			            .box = { 1 },
			            .step = { 1, 1, 1, 1, 1 },
			            .lower = { -1, -1, -1 },
			            .upper = { -2, -2, -2 },
			            .pixels = 1 };
		uint64_t word[MAP_WORDS + 1];

		word[MAP_WORDS] = UINT64_C(0x123456789abcdef);
		tensor_encode(&t, word);
		assert_int_equal(tensor_spatial(&t), spatial[rank - 1]);
		assert_int_equal(word[(TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS) / 64] >>
		                                 (TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS) % 64 &
		                         0xffffffff,
		                 corners[rank - 1]);
		assert_int_equal(word[MAP_WORDS], UINT64_C(0x123456789abcdef));
	}
}

/*
 * Programs.
 */

static struct fixture *fixture_new(uint32_t number, unsigned int with)
{
	return fixture_of(program_make(shape_find("default"), SEED, number, with, NULL));
}

/* A barrier that counts another number of bytes would hold up its waiters, or let them pass too early. */
TEST(programs_end)
{
	uint32_t copies = 0;

	for (uint32_t i = 0; i < PROGRAMS; i++) {
		struct fixture *f = fixture_new(i, WITH_TENSORS);

		copies += f->p->num_tensors;
		for (uint64_t order = 0; order < 3; order++) {
			struct result late = { 0 };

			assert_true(run_model_late(f->p, &f->before, order, &late));
			if (!result_agrees(f->p, &f->before, &f->model, &late, f->text, sizeof(f->text)))
				fail_msg("program %u: %s", i, f->text);
			result_free(&late);
		}
		assert_true(footprint_kept(f->p, &f->before, &f->model.memory, f->text, sizeof(f->text)));
		for (uint32_t q = 0; q < MAX_QUEUES; q++)
			assert_int_equal(f->model.queue[q].fault, 0);
		fixture_free(f);
	}
	assert_true(copies > 10 * PROGRAMS);
}

static bool agrees_with(struct fixture *f, uint8_t *byte, uint8_t value)
{
	struct result run = f->model;
	uint8_t was = *byte;
	struct memory good;
	bool agrees;

	/* The run's memories are the model's, but for the byte, so the model's need a copy. */
	memory_init(&good, f->p->shape);
	memory_copy(&good, &f->model.memory);
	f->model.memory = good;
	*byte = value;
	run.counters_known = false;
	agrees = result_agrees(f->p, &f->before, &f->model, &run, f->text, sizeof(f->text));
	*byte = was;
	f->model.memory = run.memory;
	memory_free(&good);
	return agrees;
}

TEST(a_wrong_byte_is_reported)
{
	uint32_t seen = 0;

	for (uint32_t i = 0; i < 5; i++) {
		struct fixture *f = fixture_new(i, WITH_TENSORS);

		for (uint32_t s = 0; s < f->p->num_steps && seen < 40; s++) {
			const struct step *step = &f->p->steps[s];
			uint32_t cta = step->cmd.shared_dst >> 24;
			uint8_t *byte;

			if (step->cmd.opcode != TMA_TENSOR_LOAD || step->tensor < 0)
				continue;
			byte = &f->model.memory.smem[cta][(step->cmd.shared_dst & 0xffffff) + 3];
			assert_false(agrees_with(f, byte, *byte ^ 0x10));
			assert_non_null(strstr(f->text, "CTA"));
			assert_true(agrees_with(f, byte, *byte));
			seen++;
		}
		fixture_free(f);
	}
	assert_true(seen > 10);
}

/* Each byte is what it was or what it would have become. */
TEST(faulted_copies_have_their_bounds)
{
	uint32_t seen = 0;

	for (uint32_t i = 0; i < 40; i++) {
		struct fixture *f = fixture_new(i, WITH_TENSORS | WITH_FAULTS);
		struct memory whole = { 0 };

		for (uint32_t n = 0; n < f->p->num_eithers; n++) {
			const struct either *e = &f->p->eithers[n];
			uint8_t *byte, old, new, other;

			if (!e->tensor || e->victim)
				continue;
			if (!whole.shape)
				whole_copy(f->p, e->victim, &f->before, &whole);
			byte = e->dst_cta < 0 ? &f->model.memory.global[e->dst]
			                      : &f->model.memory.smem[e->dst_cta][e->dst];
			old = e->dst_cta < 0 ? f->before.global[e->dst] : f->before.smem[e->dst_cta][e->dst];
			new = e->dst_cta < 0 ? whole.global[e->dst] : whole.smem[e->dst_cta][e->dst];
			other = 0;
			while (other == old || other == new || other == *byte)
				other++;
			assert_true(agrees_with(f, byte, old));
			assert_true(agrees_with(f, byte, new));
			assert_false(agrees_with(f, byte, other));
			seen++;
		}
		memory_free(&whole);
		fixture_free(f);
	}
	assert_true(seen > 3);
}

static bool agrees_on_errors(struct fixture *f, uint64_t model, uint64_t run)
{
	struct result other = f->model;

	f->model.counters[COUNTED_PREFETCH_ERRORS] = model;
	other.counters[COUNTED_PREFETCH_ERRORS] = run;
	other.counters_known = true;
	return result_agrees(f->p, &f->before, &f->model, &other, f->text, sizeof(f->text));
}

/* The engine counts beats, the model parts of rows: as many as the prefetches can have that leave the
 * windows; where there are none, the same number. */
TEST(prefetches_count_beats)
{
	uint32_t strays = 0, others = 0;

	for (uint32_t n = 0; n < 90; n++) {
		struct fixture *f = fixture_new(n, WITH_TENSORS);
		uint64_t parts = 0, beats = 0;

		if (f->p->guest.on) { /* which counts, too */
			fixture_free(f);
			continue;
		}
		for (uint32_t i = 0; i < f->p->num_steps; i++) {
			const struct step *s = &f->p->steps[i];
			const struct tensor_span *span =
				s->tensor < 0 ? NULL : &f->p->tensors[s->tensor].span;

			if (!span || span->fits)
				continue;
			assert_int_equal(s->cmd.opcode, TMA_TENSOR_PREFETCH);
			parts += 2 * (uint64_t)span->rows;
			beats += span->inside / f->p->shape->data_bytes;
		}
		strays += parts != 0;
		others += parts == 0;
		assert_true(agrees_on_errors(f, parts + 9, parts + 9));
		assert_true(agrees_on_errors(f, parts + 9, 9));
		assert_false(agrees_on_errors(f, parts + 9, 8));
		assert_true(agrees_on_errors(f, 1, 1 + beats + parts));
		assert_false(agrees_on_errors(f, 1, 2 + beats + parts));
		fixture_free(f);
	}
	assert_true(strays > 5 && others > 5);
}

/* What of a prefetch no window has is not read: pages in front of the data. */
TEST(prefetches_stay_in_windows)
{
	uint32_t seen = 0, partly = 0;

	for (uint32_t n = 0; n < 60; n++) {
		struct fixture *f = fixture_new(n, 0);

		for (uint32_t i = 0; i < f->p->num_steps; i++) {
			const struct step *s = &f->p->steps[i];
			uint64_t read = bus_step_bytes(f->p, s), data = f->p->global_base + 4096;

			if (s->cmd.opcode != TMA_BULK_PREFETCH || read == s->cmd.size)
				continue;
			seen++;
			if (!read)
				continue;
			partly++;
			assert_int_equal(read, s->cmd.global_address + s->cmd.size - data);
		}
		fixture_free(f);
	}
	assert_true(seen > 10 && partly > 3);
}

/* Beats of the tensor's bytes, and no others. */
TEST(bursts_lie_in_the_tensor)
{
	struct fixture *f = fixture_new(0, WITH_TENSORS);
	uint32_t beat = f->p->shape->data_bytes, seen = 0;

	for (uint32_t s = 0; s < f->p->num_steps; s++) {
		const struct step *step = &f->p->steps[s];
		const struct tensor_span *span;
		uint64_t first, end;

		if (step->tensor < 0)
			continue;
		span = &f->p->tensors[step->tensor].span;
		assert_int_equal(bus_step_bytes(f->p, step), span->inside);
		if (!span->inside || !span->fits)
			continue;
		first = f->p->global_base + span->first / beat * beat;
		end = f->p->global_base + (span->last / beat + 1) * beat;
		assert_true(bus_tensor(f->p, step, first, beat));
		assert_true(bus_tensor(f->p, step, end - beat, beat));
		assert_true(bus_tensor(f->p, step, first, end - first));
		assert_false(bus_tensor(f->p, step, first - beat, beat));
		assert_false(bus_tensor(f->p, step, end, beat));
		assert_false(bus_tensor(f->p, step, first, end - first + beat));
		seen++;
	}
	assert_true(seen);
	fixture_free(f);
}

int main(void)
{
	return run_file_tests("crosscheck: tensor copies");
}
