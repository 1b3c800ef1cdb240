/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka.h behind the headers that it needs and does not include; TEST(name) begins a test without a state. */
#ifndef CMOCKA_ALL_H
#define CMOCKA_ALL_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#define TEST(name) static void name(__attribute__((unused)) void **state)

#endif
