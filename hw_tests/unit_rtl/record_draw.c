/* SPDX-License-Identifier: Apache-2.0 */
/* See record_draw.h. */
#include "unit_rtl/record_draw.h"

struct tma_record record_draw(struct rng *rng, uint32_t queue, bool fault)
{
	struct tma_record r = { 0 };

	r.sequence = (uint32_t)rng_next(rng);
	r.queue = (uint8_t)queue;
	r.tag = (uint32_t)rng_next(rng);
	if (fault) {
		r.kind = TMA_KIND_FAULT;
		r.fault = (uint16_t)rng_next(rng);
		r.address = rng_next(rng);
	} else {
		r.kind = (uint8_t)(TMA_KIND_RETIRED + rng_below(rng, 3));
		r.value = rng_next(rng);
	}
	return r;
}
