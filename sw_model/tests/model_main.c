/* SPDX-License-Identifier: Apache-2.0 */
/* Runs every suite of the model's tests. */
#include "model_fixture.h"

#include <stdlib.h>

static int (*suites[100])(void);
static size_t num_suites;

void add_suite(int (*suite)(void))
{
	if (num_suites == ARRAY_SIZE(suites))
		abort();
	suites[num_suites++] = suite;
}

int main(void)
{
	int failed = 0;

	for (size_t i = 0; i < num_suites; i++)
		failed += suites[i]();
	return failed != 0;
}
