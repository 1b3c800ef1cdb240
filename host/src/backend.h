/* SPDX-License-Identifier: Apache-2.0 */
/* What the library and its own back ends have beside tma_backend.h. */
#ifndef BACKEND_H
#define BACKEND_H

#include "tma_backend.h"

/* Where memory is that the library places itself. */
#define ARENA_BASE  UINT64_C(0x100000000)
#define ARENA_BYTES (UINT64_C(1) << 40)
#define PAGE_BYTES  UINT64_C(4096)

#define TMA_MAX_PORTS    4
#define TMA_MAX_MULTIMEM 8
#define TMA_MAX_CTAS     16

#define DEFAULT_CONFIG "default"

extern const struct tma_backend tma_backend_model, tma_backend_serial;

#endif
