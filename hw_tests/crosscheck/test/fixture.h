/* SPDX-License-Identifier: Apache-2.0 */
/* A program, and what the model makes of it. */
#ifndef CROSSCHECK_FIXTURE_H
#define CROSSCHECK_FIXTURE_H

#include "lib/cmocka_all.h"

#include "crosscheck/run_model.h"

struct fixture {
	struct program *p;
	struct memory before;
	struct result model, run; /* run: the test's own, to damage */
	char text[600];
};

/** Takes the program. */
static inline struct fixture *fixture_of(struct program *p)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->p = p;
	memory_init(&f->before, p->shape);
	memory_global(&f->before, p);
	memory_images(&f->before, p);
	assert_true(run_model(p, &f->before, &f->model));
	return f;
}

static inline void fixture_free(struct fixture *f)
{
	program_free(f->p);
	memory_free(&f->before);
	result_free(&f->model);
	result_free(&f->run);
	free(f);
}

#endif
