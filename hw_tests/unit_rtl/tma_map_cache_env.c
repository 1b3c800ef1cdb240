/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_rtl/tma_map_cache_env.h"

#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_abi.h"
#include "unit_rtl/tma_map_random.h"

#define MAP_INFO struct map_cache_map_info
#include "unit_rtl/tma_map_compare.h"

#define PAGE 4096u

static uint64_t slot_address(uint32_t slot)
{
	/* In the middle and at the end of pages, at any multiple of 64, across the end of memory. */
	static const uint64_t offsets[5] = { 0, 4096 - 64, 64, 4096 - 128, 1024 + 192 };

	if (slot == SLOTS - 1)
		return 0 - UINT64_C(64);
	return (UINT64_C(0x1000) << slot % 4 * 16) + slot * 2 * PAGE + offsets[slot % 5];
}

void env_open(struct env *e, uint64_t seed)
{
	BENCH_OPEN(e, map_cache, seed);
	e->info = unit_shape();
	for (uint32_t i = 0; i < SLOTS; i++) {
		e->slots[i].address = slot_address(i);
		map_random_legal(&e->rng, e->info->packed, e->slots[i].words);
	}
	for (uint32_t i = 0; i < e->info->queues; i++)
		env_windows(e, i);
	map_cache_start(e->unit);
	e->in->beat.id = 2 << 2; /* client of maps */
}

void env_change(struct env *e, uint32_t slot)
{
	struct env_slot *s = &e->slots[slot];

	if (rng_percent(&e->rng, 70))
		map_random_legal(&e->rng, e->info->packed, s->words);
	else
		map_random(&e->rng, e->info->packed, s->words);
	s->changing = true;
}

void env_windows(struct env *e, uint32_t queue)
{
	for (uint32_t s = 0; s < SLOTS; s++) {
		e->window[queue][s][0] = !rng_percent(&e->rng, e->rates.denied);
		e->window[queue][s][1] = !rng_percent(&e->rng, e->rates.denied);
	}
}

static struct env_entry *entry_of(struct env *e, uint64_t address)
{
	for (uint32_t i = 0; i < e->info->maps; i++)
		if (e->entries[i].valid && e->slots[e->entries[i].slot].address == address)
			return &e->entries[i];
	return NULL;
}

struct env_entry *env_hit(struct env *e, uint32_t dir, uint64_t address, uint32_t queue)
{
	struct env_entry *entry = entry_of(e, address);

	if (e->own[dir])
		return e->own[dir];
	return entry && entry->allowed >> queue & 1 ? entry : NULL;
}

/*
 * Guard and port.
 */

static bool crosses(uint64_t address)
{
	return address % PAGE > PAGE - MAP_BYTES;
}

static void owe_beats(struct env *e, uint64_t address, uint32_t bytes)
{
	uint32_t data = e->info->data_bytes;
	uint64_t at = address / data * data;

	for (;; at += data) {
		struct env_beat *b = &e->beats[(e->first + e->owed++) % 32];

		memset(b, 0, sizeof(*b));
		b->address = at;
		if (!e->dead)
			e->dead = rng_percent(&e->rng, e->rates.die);
		b->dead = e->dead;
		if (rng_percent(&e->rng, e->rates.error))
			b->resp = 2 + (uint8_t)rng_below(&e->rng, 2);
		b->last = b->dead || at + data - address >= bytes;
		if (b->last)
			return;
	}
}

static void drive_guard(struct env *e)
{
	e->in->fetch_denied = 0;
	e->in->fetch_done = 0;
	if (!e->guarded)
		return;
	if (e->guard_wait) {
		/* A denial may be known before the fetch is through. */
		e->guard_wait--;
		if (e->guard_denied && !e->denial_sent && rng_percent(&e->rng, 50)) {
			e->in->fetch_denied = 1;
			e->denial_sent = true;
		}
		return;
	}
	e->in->fetch_done = 1;
	e->in->fetch_denied = e->guard_denied && !e->denial_sent;
}

static void drive_beat(struct env *e)
{
	const struct env_slot *s = &e->slots[e->miss.slot];
	const struct env_beat *b = &e->beats[e->first];
	uint64_t i, at;

	e->in->beat_valid = e->owed && !rng_percent(&e->rng, e->rates.stall);
	if (!e->in->beat_valid)
		return;
	e->in->beat.last = b->last;
	e->in->beat.dead = b->dead;
	e->in->beat.resp = b->resp;
	for (i = 0; i < e->info->data_bytes; i++) {
		at = b->address + i - s->address;
		e->in->beat.data[i] = at < MAP_BYTES ? (uint8_t)(s->words[at / 4] >> at % 4 * 8)
		                                     : (uint8_t)rng_next(&e->rng);
	}
}

void env_eval(struct env *e)
{
	e->in->fetch_ready = !rng_percent(&e->rng, e->rates.stall);
	drive_guard(e);
	drive_beat(e);
	for (uint32_t q = 0; q < e->info->queues; q++)
		e->in->cfg[q].enable = e->enabling >> q & 1;
	map_cache_eval(e->unit);
}

/*
 * What the unit should do.
 */

static void check_request(struct env *e)
{
	struct env_entry *entry = NULL;

	if (e->awaited)
		map_compare(&e->out->info, &e->coming);
	e->awaited = false;
	if (e->in->req_valid)
		entry = env_hit(e, e->in->req_dir, e->in->req_addr * 64, e->in->req_qid);
	assert_int_equal(e->out->req_hit, entry != NULL);
	if (!entry)
		return;
	e->hits++;
	if (entry->unknown || e->slots[entry->slot].changing)
		return;
	if (!e->info->short_paths) {
		map_compare(&e->out->info, &entry->info);
	} else if (!e->out->miss_done) {
		e->awaited = true;
		e->coming = entry->info;
	}
}

static void check_fetch(struct env *e)
{
	struct env_miss *m = &e->miss;
	uint64_t address = e->slots[m->slot].address;

	if (!e->out->fetch_valid)
		return;
	assert_true(m->busy && !m->look && !m->denied && !e->guarded);
	assert_true(m->parts < (crosses(address) ? 2 : 1));
	assert_int_equal(e->out->fetch.probe, m->probe);
	assert_int_equal(e->out->fetch.of_map, 1);
	assert_int_equal(e->out->fetch.qid, m->queue);
	assert_true(e->out->fetch.gaddr == address + m->parts * 64);
	assert_int_equal(e->out->fetch.chunks, crosses(address) ? 4 : 8);
}

/* The fault that the miss should end with. */
static void check_answer(struct env *e)
{
	struct env_miss *m = &e->miss;
	const struct env_slot *s = &e->slots[m->slot];
	struct map_info info;
	uint32_t fault = m->fault;

	if (!e->out->miss_done)
		return;
	assert_true(m->busy && !e->owed && !e->guarded);
	assert_int_equal(m->parts, crosses(s->address) && !(m->denied && m->parts == 1) ? 2 : 1);
	if (!fault && !m->probe) {
		if (m->unknown || s->changing)
			return;
		fault = map_ref(s->words, e->info->packed, &info);
		m->fault_addr = s->address;
	}
	assert_int_equal(e->out->miss_fault, fault);
	if (fault)
		assert_true(e->out->miss_fault_addr == m->fault_addr);
}

static void check(struct env *e)
{
	assert_int_equal(e->out->miss_busy, e->miss.busy);
	assert_int_equal(e->out->idle, !e->miss.busy);
	check_request(e);
	check_fetch(e);
	check_answer(e);
}

/*
 * The clock edge of all this.
 */

static void step_guard(struct env *e)
{
	struct env_miss *m = &e->miss;
	uint32_t part;

	if (e->in->fetch_done) {
		e->guarded = false;
		if (e->guard_denied) {
			m->fault = TMA_FAULT_MAP_WINDOW;
			m->fault_addr = e->guard_address;
			m->denied = true;
		} else if (!e->guard_probe) {
			owe_beats(e, e->guard_address, e->guard_chunks * 16);
		}
	}
	if (!e->out->fetch_valid || !e->in->fetch_ready)
		return;
	part = m->parts++;
	e->guarded = true;
	e->guard_probe = e->out->fetch.probe;
	e->guard_address = e->out->fetch.gaddr;
	e->guard_chunks = e->out->fetch.chunks;
	e->guard_denied = !e->window[m->queue][m->slot][part];
	e->denial_sent = false;
	e->guard_wait = rng_percent(&e->rng, e->rates.stall) ? rng_below(&e->rng, 6) : 0;
	e->fetches += !e->guard_probe;
	e->probes += e->guard_probe;
}

static void step_beat(struct env *e)
{
	struct env_miss *m = &e->miss;
	const struct env_beat *b = &e->beats[e->first];
	uint64_t address = e->slots[m->slot].address;

	if (!e->in->beat_valid)
		return;
	if (!m->fault && (b->dead || b->resp)) {
		m->fault = b->dead        ? TMA_FAULT_PORT_DEAD
		           : b->resp == 2 ? TMA_FAULT_MAP_SLVERR
		                          : TMA_FAULT_MAP_DECERR;
		/* The beat may start below the map. */
		m->fault_addr = address - b->address < e->info->data_bytes ? address : b->address;
	}
	e->first = (e->first + 1) % 32;
	e->owed--;
}

/* An empty entry, else the first that was not used, else the first; none that somebody waits for. */
static struct env_entry *victim(struct env *e)
{
	for (uint32_t pass = 0; pass < 3; pass++)
		for (uint32_t i = 0; i < e->info->maps; i++) {
			struct env_entry *entry = &e->entries[i];

			if (entry != e->own[0] && entry != e->own[1] &&
			    (pass == 0 ? !entry->valid : pass == 2 || !entry->used))
				return entry;
		}
	fail();
	return NULL;
}

static void touch(struct env *e, struct env_entry *hit, struct env_entry *filled)
{
	bool all = true;

	if (hit)
		hit->used = true;
	if (filled)
		filled->used = true;
	for (uint32_t i = 0; i < e->info->maps; i++)
		all &= e->entries[i].used;
	for (uint32_t i = 0; all && i < e->info->maps; i++)
		e->entries[i].used = &e->entries[i] == hit || &e->entries[i] == filled;
}

/* The entry that the end of a miss fills for all. Whoever has missed is served in any case. */
static struct env_entry *step_answer(struct env *e)
{
	struct env_miss *m = &e->miss;
	struct env_entry *entry;

	if (!e->out->miss_done)
		return NULL;
	m->busy = false;
	if (e->out->miss_fault)
		return NULL;
	entry = m->probe ? m->probed : victim(e);
	assert_non_null(entry);
	if (!m->probe) {
		e->evictions += entry->valid;
		entry->valid = !m->stale;
		entry->slot = m->slot;
		entry->allowed = 0;
		entry->unknown = m->unknown;
		map_ref(e->slots[m->slot].words, e->info->packed, &entry->info);
	}
	e->own[m->dir] = entry;
	e->stale += m->stale;
	if (m->stale)
		return NULL;
	entry->allowed |= 1u << m->queue;
	return m->probe ? NULL : entry;
}

static uint32_t slot_of(const struct env *e, uint64_t address)
{
	for (uint32_t s = 0; s < SLOTS; s++)
		if (e->slots[s].address == address)
			return s;
	return SLOTS;
}

static void step_look(struct env *e)
{
	struct env_miss *m = &e->miss;

	if (!m->look)
		return;
	m->look = false;
	m->probed = entry_of(e, e->slots[m->slot].address);
	m->probe = m->probed != NULL;
}

static void step_start(struct env *e)
{
	struct env_miss *m = &e->miss;

	if (!e->in->miss_start || m->busy)
		return;
	*m = (struct env_miss){ .busy = true,
		                .look = true,
		                .slot = slot_of(e, e->in->miss_addr * 64),
		                .queue = e->in->miss_qid,
		                .dir = e->in->miss_dir };
	e->dead = false;
}

static void step_fence(struct env *e)
{
	uint32_t slot = slot_of(e, e->in->fence_addr * 64), i;

	if (!e->in->fence_valid)
		return;
	if (slot < SLOTS)
		e->slots[slot].changing = false;
	for (i = 0; i < e->info->maps; i++)
		if (e->entries[i].slot == slot)
			e->entries[i].valid = false;
	if (e->miss.busy && e->miss.slot == slot)
		e->miss.stale = true;
}

void env_tick(struct env *e)
{
	struct env_entry *hit = NULL, *filled;

	check(e);
	if (e->in->req_valid)
		hit = env_hit(e, e->in->req_dir, e->in->req_addr * 64, e->in->req_qid);
	step_beat(e);
	step_guard(e);
	e->miss.unknown |= e->slots[e->miss.slot].changing;
	/* A fence of the last cycle counts, and that map is not there; its start does not. */
	if (e->in->fence_valid && e->miss.busy && e->slots[e->miss.slot].address / 64 == e->in->fence_addr)
		e->miss.stale = true;
	filled = step_answer(e);
	/* What is taken in this cycle still makes no room. */
	for (uint32_t d = 0; d < 2; d++)
		if (e->in->taken >> d & 1)
			e->own[d] = NULL;
	touch(e, hit, filled);
	step_look(e);
	step_fence(e);
	step_start(e);
	for (uint32_t i = 0; i < e->info->maps; i++)
		e->entries[i].allowed &= ~(e->enabling & ~e->enabled);
	e->enabled = e->enabling;
	map_cache_tick(e->unit);
}
