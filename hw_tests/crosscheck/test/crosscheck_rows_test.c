/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_rows_test - the rows of tensor copies: what the generator lets fly side by side, and what the
 * cross-check sees of it.
 *
 * Checks: programs have tiles of one matrix, stores beside stores and beside loads, that nothing orders; a
 *         trace that asks for each row once passes, one with a row twice, a row less, or bytes between
 *         rows does not; a byte between the rows of a store is outside of its footprint.
 */

#include "lib/cmocka_all.h"
#include <stdlib.h>

#include "crosscheck/footprint.h"
#include "crosscheck/order_rows.h"
#include "crosscheck/run_model.h"

#define SEED     9
#define PROGRAMS 30

static struct program *make(uint32_t number)
{
	return program_make(shape_find("default"), SEED, number, WITH_TENSORS, NULL);
}

static bool moves(const struct program *p, const struct step *s)
{
	return s->tensor >= 0 && s->cmd.opcode != TMA_TENSOR_PREFETCH && p->tensors[s->tensor].span.inside;
}

/* Does the step's queue know that the copy is over? */
static bool knows(const struct step *s, const struct step *copy)
{
	if (copy->writes_done >= 0)
		return know_event(&s->know, copy->writes_done);
	if (copy->reads_done >= 0 && know_event(&s->know, copy->reads_done))
		return true;
	for (int c = 0; c < MAX_CTAS; c++)
		if (copy->phase[c] >= 0 && know_event(&s->know, copy->phase[c]))
			return true;
	return false;
}

static bool overlap(const struct program *p, const struct step *a, const struct step *b)
{
	const struct tensor_span *s = &p->tensors[a->tensor].span, *t = &p->tensors[b->tensor].span;

	return s->first <= t->last && t->first <= s->last;
}

TEST(tiles_fly_side_by_side)
{
	uint32_t stores = 0, loads = 0;

	for (uint32_t n = 0; n < PROGRAMS; n++) {
		struct program *p = make(n);

		for (uint32_t i = 0; i < p->num_steps; i++) {
			for (uint32_t j = 0; j < i; j++) {
				const struct step *a = &p->steps[j], *b = &p->steps[i];
				bool store = a->cmd.opcode == TMA_TENSOR_STORE;

				if (!moves(p, a) || !moves(p, b) || a->queue == b->queue ||
				    !overlap(p, a, b) || knows(b, a))
					continue;
				stores += store && b->cmd.opcode == TMA_TENSOR_STORE;
				loads += store != (b->cmd.opcode == TMA_TENSOR_STORE);
			}
		}
		program_free(p);
	}
	assert_true(stores > 3 * PROGRAMS);
	assert_true(loads > PROGRAMS);
}

/*
 * Traces.
 */

struct list {
	struct trace_burst *bursts;
	uint32_t count, step;
	const struct program *p;
};

/* A burst for each row. */
static void add_row(void *arg, uint64_t at, uint64_t bytes)
{
	struct list *l = arg;
	uint32_t beat = l->p->shape->data_bytes;
	uint64_t first = at / beat * beat;

	l->bursts = realloc(l->bursts, (l->count + 2) * sizeof(*l->bursts));
	assert_non_null(l->bursts);
	l->bursts[l->count++] =
		(struct trace_burst){ l->step, (uint32_t)((at + bytes - 1) / beat - at / beat + 1),
		                      l->p->global_base + first };
}

static struct list invent(const struct program *p)
{
	struct list l = { .p = p };

	for (l.step = 0; l.step < p->num_steps; l.step++)
		if (p->steps[l.step].tensor >= 0 && p->tensors[p->steps[l.step].tensor].span.fits)
			tensor_rows(&p->tensors[p->steps[l.step].tensor].map, &p->steps[l.step].cmd,
			            p->global_base, add_row, &l);
	return l;
}

static bool allowed(const struct list *l)
{
	char text[300];

	return order_rows(l->p, l->bursts, l->count, text, sizeof(text));
}

/* Rows of at least one beat: others may share theirs, and then one less, or one more, is allowed. */
static bool stands_alone(const struct list *l, uint32_t i)
{
	for (uint32_t j = 0; j < l->count; j++)
		if (j != i && l->bursts[j].step == l->bursts[i].step &&
		    l->bursts[j].address <
		            l->bursts[i].address + l->bursts[i].beats * l->p->shape->data_bytes &&
		    l->bursts[i].address <
		            l->bursts[j].address + l->bursts[j].beats * l->p->shape->data_bytes)
			return false;
	return true;
}

TEST(rows_are_asked_for_once)
{
	uint32_t seen = 0;

	for (uint32_t n = 0; n < 8; n++) {
		struct program *p = make(n);
		struct list l = invent(p);

		assert_true(allowed(&l));
		for (uint32_t i = 0; i < l.count && seen < 200; i += 7) {
			struct trace_burst was = l.bursts[i];

			if (!stands_alone(&l, i))
				continue;
			/* Once more. */
			l.bursts[l.count++] = was;
			assert_false(allowed(&l));
			l.count--;
			/* Never. */
			l.bursts[i] = l.bursts[l.count - 1];
			l.count--;
			assert_false(allowed(&l));
			l.count++;
			l.bursts[i] = was;
			seen++;
		}
		free(l.bursts);
		program_free(p);
	}
	assert_true(seen > 50);
}

/* Beats that lie between two rows. */
TEST(nothing_between_rows_is_asked_for)
{
	uint32_t seen = 0;

	for (uint32_t n = 0; n < 20; n++) {
		struct program *p = make(n);
		struct list l = invent(p);
		uint32_t beat = p->shape->data_bytes, count = l.count;

		for (uint32_t i = 0; i + 1 < count; i++) {
			const struct trace_burst *a = &l.bursts[i], *b = a + 1;
			uint64_t end = a->address + a->beats * beat;

			if (a->step != b->step || b->address <= end || b->address - end > 4096 ||
			    p->tensors[p->steps[a->step].tensor].map.rank != 2)
				continue;
			l.bursts[l.count++] = (struct trace_burst){ a->step, 1, end };
			assert_false(allowed(&l));
			l.count--;
			seen++;
			break;
		}
		free(l.bursts);
		program_free(p);
	}
	assert_true(seen > 3);
}

/*
 * Footprints.
 */

/* The first byte in the span of a store, whose rows leave some out, that no row has and no other copy. */
TEST(bytes_between_rows_stay)
{
	uint32_t seen = 0;

	for (uint32_t n = 0; n < PROGRAMS; n++) {
		struct program *p = make(n);
		struct memory before;
		struct result model = { 0 };
		char text[300];

		memory_init(&before, p->shape);
		memory_global(&before, p);
		memory_images(&before, p);
		assert_true(run_model(p, &before, &model));
		assert_true(footprint_kept(p, &before, &model.memory, text, sizeof(text)));
		for (uint32_t i = 0; i < p->num_steps; i++) {
			const struct step *s = &p->steps[i];
			const struct tensor_copy *copy = s->tensor < 0 ? NULL : &p->tensors[s->tensor];
			uint8_t *byte;

			/* The gap behind the first row of a matrix's last column: no tile has it. */
			if (s->cmd.opcode != TMA_TENSOR_STORE || !copy || copy->map.rank != 2 ||
			    copy->span.inside < 2 || copy->map.stride[1] < copy->map.dim[0] * 8 + 16)
				continue;
			byte = &model.memory.global[copy->span.first + copy->map.stride[1] - 1];
			if (copy->span.first + copy->map.stride[1] > copy->span.last ||
			    *byte != before.global[byte - model.memory.global])
				continue;
			*byte ^= 0x80;
			seen += !footprint_kept(p, &before, &model.memory, text, sizeof(text));
			*byte ^= 0x80;
		}
		result_free(&model);
		memory_free(&before);
		program_free(p);
	}
	assert_true(seen);
}

int main(void)
{
	return run_file_tests("crosscheck: rows");
}
