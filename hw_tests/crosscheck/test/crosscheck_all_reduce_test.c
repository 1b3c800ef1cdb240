/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_all_reduce_test - programs of which each has reductions.
 *
 * Checks: with the option each of them has some, on `small` and on `default`, with faults and tensor copies or
 *         without; program_with() says what makes the same program again; an engine without reductions gets none.
 */
#include "crosscheck/test/fixture.h"

#include "crosscheck/bus.h"

#define SEED     7
#define PROGRAMS 100

static uint32_t reductions_of(const struct program *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->num_steps; i++)
		n += !p->steps[i].fault && (bus_updates(p->steps[i].cmd.opcode) ||
		                            p->steps[i].cmd.opcode == TMA_BULK_REDUCE_SHARED);
	return n;
}

static unsigned int with_of(uint32_t number)
{
	return WITH_REDUCTIONS | ALL_REDUCE | (number & 1 ? WITH_FAULTS : 0u) |
	       (number & 2 ? WITH_TENSORS : 0u);
}

static void all_have_some(const struct shape *shape)
{
	for (uint32_t n = 0; n < PROGRAMS; n++) {
		struct program *p = program_make(shape, SEED, n, with_of(n), NULL), *q;

		assert_true(reductions_of(p) > 0);
		q = program_make(shape, SEED, n, program_with(p), NULL);
		assert_int_equal(p->num_steps, q->num_steps);
		assert_int_equal(reductions_of(p), reductions_of(q));
		program_free(p);
		program_free(q);
	}
}

TEST(each_has_some)
{
	all_have_some(shape_find("small"));
	all_have_some(shape_find("default"));
}

TEST(without_any_built_there_are_none)
{
	struct shape none = *shape_find("small");

	none.reduce = false;
	for (uint32_t n = 0; n < PROGRAMS; n++) {
		struct program *p = program_make(&none, SEED, n, with_of(n), NULL);

		assert_int_equal(reductions_of(p), 0);
		program_free(p);
	}
}

int main(void)
{
	return run_file_tests("crosscheck_all_reduce");
}
