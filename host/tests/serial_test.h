/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the back end "serial" share. */
#ifndef SERIAL_TEST_H
#define SERIAL_TEST_H

#include "lib/cmocka_all.h"

/* @return number of failed tests */
int run_serial_frame_tests(void);
int run_serial_port_tests(void);
int run_serial_line_tests(void);
int run_serial_device_tests(void);

#endif
