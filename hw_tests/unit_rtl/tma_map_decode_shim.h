/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder of tensor maps with the words of a map, see unit.h. */
#ifndef TMA_MAP_DECODE_SHIM_H
#define TMA_MAP_DECODE_SHIM_H

#include "unit_rtl/tma_map_ref.h"
#include "unit_rtl/unit.h"

struct decode;

struct decode_in {
	uint8_t rst_n, start;
	uint32_t words[MAP_WORDS];
};

struct decode_out {
	uint8_t done;
	uint32_t fault;
	struct map_info info;
};

#ifdef __cplusplus
extern "C" {
#endif

struct decode *decode_open(void);
void decode_close(struct decode *d);
/** Whether the build has the padded types. */
bool decode_packed(void);
struct decode_in *decode_in(struct decode *d);
const struct decode_out *decode_out(const struct decode *d);
void decode_eval(struct decode *d);
void decode_tick(struct decode *d);

#ifdef __cplusplus
}
#endif
#endif
