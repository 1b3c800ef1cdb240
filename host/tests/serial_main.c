/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tests of the back end "serial". */
#include "serial_test.h"

int main(void)
{
	int failed = run_serial_frame_tests() + run_serial_port_tests() + run_serial_line_tests() +
	             run_serial_device_tests();

	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
