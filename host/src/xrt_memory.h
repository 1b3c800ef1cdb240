/* SPDX-License-Identifier: Apache-2.0 */
/* xrt_memory - where a card has memory, from the xclbin: the C interface of XRT does not tell. */
#ifndef XRT_MEMORY_H
#define XRT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/** The addresses from the first bank that is used to the end of the last one, as whole pages.
 * @return false  the file is none, or has no such bank */
bool xrt_memory_range(const char *xclbin, uint64_t *base, uint64_t *bytes);

#endif
