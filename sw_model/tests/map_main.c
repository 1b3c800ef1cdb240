/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tests of the tensor map library. */
#include <stdlib.h>

#include "map_test.h"

int main(void)
{
	int failed = run_rule_tests() + run_decode_tests() + run_describe_tests() + run_replace_tests() +
	             run_vector_tests() + run_model_tests() + run_argument_tests();

	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
