/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "unit_rtl/tma_ports_env.h"

void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, ports, seed);
	b->info = unit_shape();
	ports_start(b->unit);
}

void random_bytes(struct bench *b, void *to, uint32_t count)
{
	for (uint8_t *byte = to; count--; byte++)
		*byte = (uint8_t)rng_next(&b->rng);
}

struct ports_ar random_ar(struct bench *b, uint32_t id)
{
	struct ports_ar a;

	memset(&a, 0, sizeof(a)); /* it is compared as bytes, with what is between members */
	a.qid = (uint8_t)rng_below(&b->rng, b->info->queues);
	a.addr = rng_next(&b->rng);
	a.id = (uint8_t)id;
	a.len = (uint8_t)rng_below(&b->rng, 3);
	a.cache = (uint8_t)rng_below(&b->rng, 16);
	a.prot = (uint8_t)rng_below(&b->rng, 8);
	a.qos = (uint8_t)rng_below(&b->rng, 16);
	a.user = (uint16_t)rng_next(&b->rng);
	return a;
}

bool age_step(struct age *a, bool addr_waits, bool data_waits, bool moves, uint32_t owes, uint32_t comes)
{
	bool over;

	a->marks &= ~comes;
	a->stalls = a->stalls && !moves;
	over = !a->marks && !a->stalls;
	if (over) {
		a->stalls = addr_waits || data_waits;
		a->marks = addr_waits ? 0 : owes & ~comes;
	}
	return over;
}

bool watched(struct bench *b, bool reads, uint32_t port)
{
	b->in->watch_pending = reads ? b->out->read_pending : (uint8_t)(b->out->write_pending[port] << 1);
	b->in->watch_progress =
		reads ? b->out->read_progress | 2 : (uint8_t)(b->out->write_progress[port] << 1 | 1);
	ports_eval(b->unit);
	return b->out->dead;
}
