/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program runs on: queues, windows, places of barriers, and how the run looks from outside.
 *
 *	global memory   | guard | data, used by all | tensor maps | guest | guard |
 *	windows                 |<----------- pieces ------------>|
 *
 *	                | scratch of the second queue that faults | guard | scratch of the first | guard |
 *	windows         |<------ with attributes of its own ----->|       |<- ... of all others->|
 */
#include <string.h>

#include "crosscheck/gen.h"

#define GUARD_BYTES    PAGE_BYTES
#define READ_WRITE     3u
#define DEATH_PERCENT  15
#define SM_PERCENT     65
#define STREAM_SM      4
#define IN_ORDER       2u /* of the rig */
#define STREAM_MANNERS 20
#define SCRATCH_PAGES  4u
#define MAX_GUEST      4096u
#define GUEST_PERCENT  40
#define LESS_PERCENT   20 /* where all queues are used */
#define SECOND_PERCENT 40
#define PORTS_PERCENT  40
#define WHOLE_PERCENT  6
#define MAP_PAGES      2u
#define COUNTS_PERCENT 10
#define STREAM_COUNTS  21
#define ALL_MASK(g)    ((uint16_t)((1u << (g)->shape->ctas) - 1))

static uint32_t pages_of(uint32_t bytes)
{
	return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

struct window gen_window(const struct program *p, uint64_t offset, uint64_t bytes, uint32_t attr)
{
	uint64_t base = p->global_base + offset;

	return (struct window){ base, base + bytes - 1, attr };
}

/* The part of shared memory that the program uses: all of it in `small`. */
static void choose_arena(struct gen *g)
{
	static const uint32_t sizes[] = { 4096, 8192, 8192, 16384, 16384, 16384, 32768, 65536 };
	struct program *p = g->p;
	uint32_t room;

	p->arena_bytes =
		rng_percent(&g->rng, WHOLE_PERCENT) ? g->shape->smem_bytes : sizes[rng_below(&g->rng, 8)];
	if (p->arena_bytes > g->shape->smem_bytes || g->shape->smem_bytes <= 16384)
		p->arena_bytes = g->shape->smem_bytes;
	room = (g->shape->smem_bytes - p->arena_bytes) / 128;
	p->arena_at = rng_percent(&g->rng, 25) ? room * 128 : rng_below(&g->rng, room + 1) * 128;
}

/* Addresses may be anything, also such that they run over the end of the address space. */
static void choose_global(struct gen *g)
{
	struct program *p = g->p;
	uint32_t pages = 16 + rng_below(&g->rng, 33);

	/* A copy of all the shared memory has room. */
	if (pages * PAGE_BYTES < 2 * p->arena_bytes)
		pages = 2 * p->arena_bytes / PAGE_BYTES;

	g->data_at = GUARD_BYTES;
	g->data_bytes = (uint64_t)pages * PAGE_BYTES;
	g->maps_at = g->data_at + g->data_bytes;
	g->maps_bytes = p->tensor ? MAP_PAGES * PAGE_BYTES : 0;
	p->guest.global_at = g->maps_at + g->maps_bytes;
	g->other.scratch_at = p->guest.global_at + (GUEST_PAGES + 1) * PAGE_BYTES;
	g->other.scratch_bytes = SCRATCH_PAGES * PAGE_BYTES;
	g->area.scratch_at = g->other.scratch_at + g->other.scratch_bytes + GUARD_BYTES;
	g->area.scratch_bytes = SCRATCH_PAGES * PAGE_BYTES;
	g->area.last = true;
	p->global_bytes = (uint32_t)(g->area.scratch_at + g->area.scratch_bytes + GUARD_BYTES);
	p->mapped = p->global_bytes;
	switch (rng_below(&g->rng, 4)) {
	case 0:
		p->global_base = (uint64_t)rng_below(&g->rng, 1u << 19) * PAGE_BYTES;
		break;
	case 1:
		p->global_base = -(uint64_t)(GUARD_BYTES + (1 + rng_below(&g->rng, pages)) * PAGE_BYTES);
		break;
	default:
		p->global_base = (rng_next(&g->rng) >> 1) & ~(uint64_t)(PAGE_BYTES - 1);
	}
	/* The other half of the address space, with room before and behind. */
	p->rings_base = (p->global_base ^ UINT64_C(1) << 63) & ~(UINT64_C(0xff) << 24);
	p->rings_base |= UINT64_C(0x80) << 24 | (uint64_t)rng_below(&g->rng, 1u << 11) * PAGE_BYTES;
}

/* Small rings, so that they wrap. Each queue has its pages: one window covers them, and nobody else's. */
static void choose_ring(struct gen *g, struct queue_setup *s)
{
	struct program *p = g->p;
	bool swap = rng_percent(&g->rng, 50);
	uint32_t ring, records;

	s->ring = rng_percent(&g->rng, 60);
	s->interrupt = rng_percent(&g->rng, 40);
	/* Two pages of slots, for a fault between them. */
	s->ring_log2 =
		(uint8_t)(p->faults && rng_percent(&g->rng, 50) ? TWO_PAGES_LOG2 : 4 + rng_below(&g->rng, 3));
	s->records_log2 = (uint8_t)(4 + rng_below(&g->rng, 3));
	s->bell = (uint8_t)rng_below(&g->rng, 3);
	s->consumer = rng_percent(&g->rng, 60);
	ring = pages_of(SLOT_BYTES << s->ring_log2);
	records = pages_of(RECORD_BYTES << s->records_log2);
	s->ring_at = p->rings_bytes + (swap ? records : 0);
	s->records_at = p->rings_bytes + (swap ? 0 : ring);
	s->windows[s->num_windows++] =
		(struct window){ p->rings_base + p->rings_bytes,
		                 p->rings_base + p->rings_bytes + ring + records - 1, READ_WRITE };
	p->rings_bytes += ring + records;
}

/* One window, but two where it would run over the end of the address space. */
static uint32_t add_window(const struct program *p, struct queue_setup *s, uint64_t offset, uint64_t bytes,
                           uint32_t attr)
{
	uint64_t base = p->global_base + offset, to_end = -base;

	if (base && to_end < bytes) {
		s->windows[s->num_windows++] = gen_window(p, offset, to_end, attr);
		offset += to_end;
		bytes -= to_end;
	}
	s->windows[s->num_windows++] = gen_window(p, offset, bytes, attr);
	return s->num_windows;
}

static void choose_windows(struct gen *g, struct queue_setup *s, bool second)
{
	static const uint32_t attrs[] = { 3, 3, 3, 1, 2 };
	struct program *p = g->p;
	uint64_t at = g->data_at, scratch, pages = (g->data_bytes + g->maps_bytes) / PAGE_BYTES;

	/* One for the rings, one for scratch, one more where the data runs over the end; adjacent pieces
	 * for the rest. */
	choose_ring(g, s);
	scratch = second ? g->other.scratch_at : g->area.scratch_at;
	add_window(p, s, scratch, g->area.scratch_bytes, attrs[rng_below(&g->rng, 5)]);
	while (pages && s->num_windows + 3 < g->shape->windows && rng_percent(&g->rng, 60)) {
		uint64_t piece = 1 + rng_below(&g->rng, (uint32_t)pages);

		add_window(p, s, at, piece * PAGE_BYTES, 3);
		at += piece * PAGE_BYTES;
		pages -= piece;
	}
	if (pages)
		add_window(p, s, at, pages * PAGE_BYTES, 3);
	s->multimem = multimem_window(g, s);
	for (uint32_t i = s->num_windows; i > 1; i--) {
		uint32_t j = rng_below(&g->rng, i);
		struct window w = s->windows[i - 1];

		s->windows[i - 1] = s->windows[j];
		s->windows[j] = w;
	}
}

/* Its rings, and a page that fails; the rest is chosen for each of its lives. */
static void choose_guest(struct gen *g, uint8_t queue)
{
	struct program *p = g->p;

	p->guest.queue = queue;
	p->guest.rings_at = p->rings_bytes;
	p->rings_bytes += GUEST_RING_PAGES * PAGE_BYTES;
}

static void choose_queues(struct gen *g)
{
	uint8_t queues[MAX_QUEUES], ctas[MAX_CTAS];
	uint32_t count, form = rng_below(&g->rng, 3);
	struct program *p = g->p;

	for (uint8_t q = 0; q < g->shape->queues; q++)
		queues[q] = q;
	for (uint8_t c = 0; c < g->shape->ctas; c++)
		ctas[c] = c;
	gen_shuffle(&g->rng, queues, g->shape->queues);
	gen_shuffle(&g->rng, ctas, g->shape->ctas);
	count = rng_percent(&g->rng, 10) ? 1 : 2 + rng_below(&g->rng, g->shape->queues - 1);
	if (p->faults && count < 2)
		count = 2;
	/* It may take the place of one of them. */
	p->guest.on = rng_percent(&g->rng, count < g->shape->queues ? GUEST_PERCENT : LESS_PERCENT);
	if (p->guest.on && count == g->shape->queues)
		count--;
	g->second = p->faults && count > 1 && rng_percent(&g->rng, SECOND_PERCENT) ? queues[0] : -1;
	g->two_ports = g->second >= 0 && p->num_multimem && rng_percent(&g->rng, PORTS_PERCENT);
	for (uint32_t i = 0; i < count; i++) {
		struct queue_setup *s = &p->queue[queues[i]];

		s->used = true;
		s->cta = form == 0   ? ctas[i % g->shape->ctas]
		         : form == 1 ? ctas[rng_below(&g->rng, g->shape->ctas)]
		                     : ctas[i % (g->shape->ctas < 2 ? 1 : 2)];
		s->cta_mask = ALL_MASK(g);
		if (rng_percent(&g->rng, p->faults ? 40 : 15))
			s->cta_mask &= (uint16_t)(rng_next(&g->rng) | 1u << s->cta);
		s->stream = (uint8_t)(queues[i] << 4 | rng_below(&g->rng, 16));
		s->prot = (uint8_t)rng_below(&g->rng, 8);
		s->cancel_mask = (uint16_t)(rng_next(&g->rng) & ((1u << g->shape->queues) - 1));
		choose_windows(g, s, queues[i] == g->second);
	}
	if (p->guest.on)
		choose_guest(g, queues[count]);
}

static void choose_weather(struct gen *g)
{
	struct weather *w = &g->p->weather;

	w->latency = rng_percent(&g->rng, 60) ? 1 + rng_below(&g->rng, 60) : 1 + rng_below(&g->rng, 400);
	w->random_latency = rng_percent(&g->rng, 50) ? 0 : rng_below(&g->rng, 150);
	w->stall = rng_percent(&g->rng, 40) ? 0 : rng_below(&g->rng, 41);
	w->commands = rng_percent(&g->rng, 60) ? 0 : rng_below(&g->rng, 80);
	w->records = rng_percent(&g->rng, 60) ? 0 : rng_below(&g->rng, 95);
	w->ext_busy = rng_percent(&g->rng, 50) ? 0 : 1 + rng_below(&g->rng, 12);
	/* In order, a command of a queue that has stopped would hold up all others. */
	w->pick = (uint8_t)rng_below(&g->rng, g->p->faults || g->p->guest.on ? IN_ORDER : IN_ORDER + 1);
	w->in_order = rng_percent(&g->rng, 20);
	w->reset = rng_percent(&g->rng, 10);
}

/* From a stream of their own: what a seed's programs do does not hang on them. */
static void choose_manners(struct gen *g)
{
	struct rng rng = rng_make(g->p->seed ^ g->p->number, STREAM_MANNERS);
	struct weather *w = &g->p->weather;

	w->torn = rng_percent(&rng, 50);
	for (uint32_t port = 0; port < g->shape->ports; port++) {
		w->manners[port] = axi_manners_draw(&rng, g->p->death.on);
		w->slow |= axi_manners_slow(&w->manners[port]);
	}
	if (w->slow) {
		w->latency = 1 + w->latency % 40;
		w->random_latency %= 20;
	}
}

/* What is slow must not be taken for dead. */
static void choose_death(struct gen *g)
{
	struct weather *w = &g->p->weather;
	struct death *d = &g->p->death;

	if (!g->p->faults || !rng_percent(&g->rng, DEATH_PERCENT))
		return;
	d->on = true;
	g->p->guest.on = false;
	d->port = (uint8_t)(rng_percent(&g->rng, 85) ? 0 : rng_below(&g->rng, g->shape->ports));
	d->channels = rng_percent(&g->rng, 85) ? (uint8_t)(1u << rng_below(&g->rng, 5)) : 31;
	d->after = rng_below(&g->rng, rng_percent(&g->rng, 60) ? 500 : 3000);
	d->watchdog = 400 + rng_below(&g->rng, 400);
	w->latency = 1 + w->latency % 60;
	w->random_latency %= 60;
	w->stall %= 30;
	/* Behind all that others read, an id would wait for longer than that. */
	w->in_order = false;
}

/*
 * Barriers.
 */

static bool chunk_taken(const struct gen *g, uint32_t offset)
{
	for (uint32_t s = 0; s < g->num_slots; s++)
		if (g->slot_offset[s] / CHUNK_BYTES == offset / CHUNK_BYTES)
			return true;
	for (uint32_t s = 0; s < NUM_SCRATCH; s++)
		if (g->area.scratch_offset[s] / CHUNK_BYTES == offset / CHUNK_BYTES ||
		    g->other.scratch_offset[s] / CHUNK_BYTES == offset / CHUNK_BYTES)
			return true;
	return false;
}

static uint32_t free_chunk(struct gen *g, bool close)
{
	uint32_t chunks = g->p->arena_bytes / CHUNK_BYTES, base = rng_below(&g->rng, chunks), offset;

	do {
		uint32_t chunk =
			close ? (base + rng_below(&g->rng, 16)) % chunks : rng_below(&g->rng, chunks);

		base += close;
		offset = g->p->arena_at + chunk * CHUNK_BYTES;
	} while (chunk_taken(g, offset) || offset >= g->data_end);
	return offset;
}

static void choose_scratch(struct gen *g, struct area *a, bool close)
{
	for (uint32_t s = 0; s < NUM_SCRATCH; s += 2) {
		a->scratch_offset[s] = free_chunk(g, close);
		a->scratch_offset[s + 1] = a->scratch_offset[s] + 8;
	}
}

static void choose_slots(struct gen *g)
{
	/* Close together, so that boxes of tensors find room. */
	bool close = rng_percent(&g->rng, g->p->tensor ? 85 : 40);
	uint32_t slots = 4 + rng_below(&g->rng, MAX_SLOTS - 3);

	/* Data of faulting copies and of the guest: a part at the arena's end, more or less. */
	g->data_end = g->p->arena_at + g->p->arena_bytes;
	g->area.reserve_bytes = g->p->faults ? g->p->arena_bytes / 4 : 0;
	g->area.reserve_at = g->data_end -= g->area.reserve_bytes;
	g->other.reserve_bytes = g->second >= 0 ? g->p->arena_bytes / 8 : 0;
	g->other.reserve_at = g->data_end -= g->other.reserve_bytes;
	g->p->guest.shared_bytes = g->p->guest.on ? g->p->arena_bytes / 8 : 0;
	if (g->p->guest.shared_bytes > MAX_GUEST)
		g->p->guest.shared_bytes = MAX_GUEST;
	g->p->guest.shared_at = g->data_end -= g->p->guest.shared_bytes;
	memset(g->area.scratch_offset, 0xff, sizeof(g->area.scratch_offset));
	memset(g->other.scratch_offset, 0xff, sizeof(g->other.scratch_offset));
	choose_scratch(g, &g->area, close);
	if (g->second >= 0)
		choose_scratch(g, &g->other, close);
	while (g->num_slots < slots) {
		uint32_t offset = free_chunk(g, close);
		bool recycled = rng_percent(&g->rng, 40);
		uint32_t pair = g->num_slots + 1 < slots && rng_percent(&g->rng, 40) ? 2 : 1;
		uint32_t odd = pair == 1 && rng_percent(&g->rng, 50) ? 8 : 0;

		for (uint32_t i = 0; i < pair; i++) {
			for (uint32_t c = 0; c < g->shape->ctas; c++)
				g->bar[c][g->num_slots].recycled = recycled;
			g->slot_offset[g->num_slots++] = offset + odd + 8 * i;
		}
	}
}

static void put(struct gen *g, uint32_t cta, uint32_t offset, uint64_t expected, uint64_t pending,
                uint64_t phase, uint64_t live)
{
	struct program *p = g->p;
	uint64_t word = expected << TMA_BARRIER_EXPECTED_LSB | pending << TMA_BARRIER_PENDING_LSB |
	                phase << TMA_BARRIER_PHASE_LSB | live << TMA_BARRIER_LIVE_LSB;

	p->images = must_grow(p->images, p->num_images, &p->room_images, sizeof(*p->images));
	p->images[p->num_images++] = (struct image){ (uint8_t)cta, offset, word };
}

static void put_slot(struct gen *g, uint8_t cta, uint32_t slot)
{
	static const uint64_t dead[] = { 0, 1, 3 };
	struct bar *b = &g->bar[cta][slot];
	uint32_t count = rng_percent(&g->rng, 60) ? 1 : 1 + rng_below(&g->rng, 4);

	b->cta = cta;
	b->offset = g->slot_offset[slot];
	b->born_queue = -1;
	b->event = -1;
	b->before = -1;
	if (rng_percent(&g->rng, 70)) {
		b->phase = rng_below(&g->rng, 2);
		bar_start(g, b, count);
		put(g, cta, b->offset, count, count, b->phase, TMA_BARRIER_ALIVE);
	} else {
		put(g, cta, b->offset, rng_below(&g->rng, BARRIER_MAX), rng_below(&g->rng, BARRIER_MAX), 0,
		    dead[rng_below(&g->rng, 3)]);
	}
}

/* The other halves of chunks that hold one barrier and never data are the external port's alone. */
static void choose_pokes(struct gen *g)
{
	struct program *p = g->p;
	uint32_t count = rng_percent(&g->rng, 40) ? rng_below(&g->rng, 40) : 0;

	while (count--) {
		uint32_t slot = rng_below(&g->rng, g->num_slots),
			 other = g->slot_offset[slot] ^ BARRIER_BYTES, s = 0;

		while (s < g->num_slots && g->slot_offset[s] != other)
			s++;
		if (s < g->num_slots || g->bar[0][slot].recycled)
			continue;
		p->pokes = must_grow(p->pokes, p->num_pokes, &p->room_pokes, sizeof(*p->pokes));
		p->pokes[p->num_pokes++] = (struct poke){ (uint8_t)rng_below(&g->rng, g->shape->ctas), other,
			                                  rng_next(&g->rng) };
	}
}

static void put_scratch(struct gen *g, const struct area *a, uint32_t cta)
{
	put(g, cta, a->scratch_offset[SCRATCH_THREE], 3, 3, 0, TMA_BARRIER_ALIVE);
	put(g, cta, a->scratch_offset[SCRATCH_NEVER], 1, 1, 0, TMA_BARRIER_ALIVE);
	put(g, cta, a->scratch_offset[SCRATCH_DEAD], 3, 3, 0,
	    rng_percent(&g->rng, 60) ? 1 : TMA_BARRIER_ALIVE);
	put(g, cta, a->scratch_offset[SCRATCH_ODD], 1, 3, 0, TMA_BARRIER_ALIVE);
	put(g, cta, a->scratch_offset[SCRATCH_FULL], BARRIER_MAX, BARRIER_MAX, 0, TMA_BARRIER_ALIVE);
	put(g, cta, a->scratch_offset[SCRATCH_ARMED], 1, 0, 0, TMA_BARRIER_ALIVE);
	g->p->images[g->p->num_images - 1].word |= UINT64_C(16) << TMA_BARRIER_TX_LSB;
}

/* The words that the barriers' memory holds when the program starts. */
void gen_initial_barriers(struct gen *g)
{
	for (uint8_t c = 0; c < g->shape->ctas; c++) {
		for (uint32_t s = 0; s < g->num_slots; s++)
			put_slot(g, c, s);
		put_scratch(g, &g->area, c);
		if (g->second >= 0)
			put_scratch(g, &g->other, c);
		/* Those of other CTAs count what it sends there. */
		if (g->p->guest.on)
			put(g, c, g->p->guest.shared_at, 1, 1, 0, TMA_BARRIER_ALIVE);
	}
}

/* With choices of its own: without SMs a program is what it is without this. */
static void choose_sm(struct gen *g)
{
	struct rng rng = g->rng;

	g->rng = rng_make(rng.state, STREAM_SM);
	g->p->with_sm = !g->p->death.on && rng_percent(&g->rng, SM_PERCENT);
	g->own_offset = free_chunk(g, true);
	do
		g->p->busy_at = free_chunk(g, false);
	while (g->p->busy_at == g->own_offset);
	g->p->sm_busy = (uint8_t)(rng_percent(&g->rng, 40)   ? 0
	                          : rng_percent(&g->rng, 40) ? 100
	                                                     : rng_below(&g->rng, 100));
	g->rng = rng;
}

/* Lives that begin shortly before their counts come to 2^32. */
static void choose_counts(struct gen *g)
{
	struct rng rng = rng_make(g->p->seed ^ g->p->number, STREAM_COUNTS);

	if (g->p->from_zero || g->p->death.on || !rng_percent(&rng, COUNTS_PERCENT))
		return;
	for (uint32_t q = 0; q < g->shape->queues; q++) {
		struct queue_setup *s = &g->p->queue[q];

		if (!s->used)
			continue;
		s->first_command = -(1 + rng_below(&rng, 40));
		s->first_record = s->ring ? -rng_below(&rng, 10) : 0;
	}
}

void gen_setup(struct gen *g)
{
	choose_arena(g);
	choose_global(g);
	choose_multimem(g);
	choose_queues(g);
	choose_slots(g);
	choose_weather(g);
	choose_death(g);
	choose_manners(g);
	choose_sm(g);
	choose_counts(g);
	for (uint32_t q = 0; q < MAX_QUEUES; q++)
		g->last_arrive[q] = -1;
	gen_initial_barriers(g);
	choose_pokes(g);
	if (g->p->tensor)
		choose_maps(g);
	guest_choose_map(g);
}
