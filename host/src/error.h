/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error - why a call has failed: noted where it is found, told by tma_last_error().
 *
 * Every public function ends with one of the ended() and, on the way there, whoever finds an error notes
 * the reason with because(). A reason of an error that did not come out is forgotten.
 */
#ifndef ERROR_H
#define ERROR_H

#include <stddef.h>
#include <stdint.h>

/** Note why the call at hand fails. What is noted first stays: it is nearest to the cause.
 * @return error */
int because(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Where snprintf() may write: NULL only with a length of 0. @retval TMA_EINVAL */
int check_text(const char *text, size_t length);

/** End a public function: a result below 0 becomes this thread's last error. @return result */
int ended(const char *function, int result);
int64_t ended64(const char *function, int64_t result);

#endif
