/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_sm_test - the SMs of the cross-check.
 *
 * Checks: SMs come with programs of every kind and do everything that there is; each byte that an SM
 *         reads is compared, and those without a strobe are not; a command that does not wait for an SM,
 *         and an SM that does not wait, are races that other orders of the model show.
 */

#include "crosscheck/test/fixture.h"
#include <stdlib.h>
#include <string.h>

#include "crosscheck/sm.h"

#define SEED     9
#define PROGRAMS 40

/* A program with SMs, from this number on. */
static struct fixture *fixture_new(uint32_t number, unsigned int with)
{
	struct program *p;

	while (p = program_make(shape_find("default"), SEED, number, with, NULL), !p->with_sm) {
		program_free(p);
		number++;
	}
	return fixture_of(p);
}

TEST(they_do_everything)
{
	for (unsigned int with = 0; with < 4; with++) {
		uint32_t kinds[4] = { 0 }, ahead = 0, gates = 0, partial = 0;

		for (uint32_t i = 0; i < PROGRAMS; i++) {
			struct fixture *f = fixture_new(i, with);

			for (uint32_t c = 0; c < f->p->shape->ctas; c++)
				for (uint32_t a = 0; a < f->p->sm[c].num; a++) {
					const struct sm_act *act = &f->p->sm[c].act[a];

					kinds[act->kind]++;
					ahead += act->ahead;
					partial += act->kind == SM_WRITE && act->mask && act->mask != 0xffff;
				}
			for (uint32_t s = 0; s < f->p->num_steps; s++)
				for (uint32_t c = 0; c < f->p->shape->ctas; c++)
					gates += f->p->steps[s].gate[c] != 0;
			fixture_free(f);
		}
		for (uint32_t kind = 0; kind < 4; kind++)
			assert_true(kinds[kind] > PROGRAMS);
		assert_true(ahead > PROGRAMS / 2);
		assert_true(partial > PROGRAMS / 2);
		assert_true(gates > PROGRAMS);
	}
}

static bool agrees(struct fixture *f, struct result *run)
{
	return result_agrees(f->p, &f->before, &f->model, run, f->text, sizeof(f->text));
}

/* Flip each byte of the model's own answers: two runs of it that differ there alone. */
TEST(every_byte_that_they_read_is_compared)
{
	uint32_t seen = 0, free_bytes = 0;

	for (uint32_t number = 0; number < 10; number++) {
		struct fixture *f = fixture_new(number, 0);
		struct result run = { 0 };

		assert_true(run_model(f->p, &f->before, &run));
		assert_true(agrees(f, &run));
		for (uint32_t c = 0; c < f->p->shape->ctas; c++)
			for (uint32_t a = 0; a < f->p->sm[c].num; a++) {
				const struct sm_act *act = &f->p->sm[c].act[a];

				for (uint32_t i = 0; act->kind == SM_READ && i < act->chunks * CHUNK_BYTES;
				     i++) {
					bool looked_at = act->mask >> i % CHUNK_BYTES & 1;

					run.sm[c][act->at + i] ^= 4;
					assert_int_equal(agrees(f, &run), !looked_at);
					if (looked_at)
						assert_non_null(strstr(f->text, "the SM of CTA"));
					run.sm[c][act->at + i] ^= 4;
					seen += looked_at;
					free_bytes += !looked_at;
				}
			}
		result_free(&run);
		fixture_free(f);
	}
	assert_true(seen > 1000);
	assert_true(free_bytes > 100);
}

static bool orders_agree(struct fixture *f)
{
	bool good = true;

	for (uint64_t order = 0; order < 4 && good; order++) {
		struct result run = { 0 };

		good = run_model_late(f->p, &f->before, order, &run) && agrees(f, &run);
		result_free(&run);
	}
	return good;
}

static void no_gates(struct program *p)
{
	for (uint32_t i = 0; i < p->num_steps; i++)
		memset(p->steps[i].gate, 0, sizeof(p->steps[i].gate));
}

/* Acts of one kind become reads of nothing. */
static void no_waits(struct program *p, enum sm_kind kind)
{
	for (uint32_t c = 0; c < p->shape->ctas; c++)
		for (uint32_t i = 0; i < p->sm[c].num; i++)
			if (p->sm[c].act[i].kind == kind) {
				p->sm[c].act[i].kind = SM_READ;
				p->sm[c].act[i].chunks = 0;
			}
}

TEST(a_missing_wait_is_a_race)
{
	uint32_t found[3] = { 0 };

	for (uint32_t number = 0; number < PROGRAMS; number++)
		for (uint32_t what = 0; what < 3; what++) {
			struct fixture *f = fixture_new(number, 0);

			assert_true(orders_agree(f));
			if (!what)
				no_gates(f->p);
			else
				no_waits(f->p, what == 1 ? SM_POLL : SM_RECORD);
			found[what] += !orders_agree(f);
			fixture_free(f);
		}
	for (uint32_t what = 0; what < 3; what++)
		assert_true(found[what] > PROGRAMS / 4);
}

/* A gate tells a queue's next command: the record of the one before it says nothing of what the gate told. */
TEST(a_record_tells_what_its_command_knew)
{
	struct fixture *f = fixture_of(program_make(shape_find("default"), 1087996402, 58, 0, NULL));

	assert_true(orders_agree(f));
	fixture_free(f);
}

int main(void)
{
	return run_file_tests("crosscheck: SMs");
}
