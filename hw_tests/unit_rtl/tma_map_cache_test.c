/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_map_cache_test - tensor maps are kept decoded, for the queues whose windows allow them.
 *
 * Requirement: a map hits when it is cached and its queue has been allowed it since it was enabled;
 * a miss fetches it page by page or, when it is cached, probes; denied pages, failing beats, dead
 * ports and broken rules end it with their code and address; a fence forgets the map, also one on its
 * way, for all but the request that has missed, which is served until it is taken; the map that makes
 * room is one that was not used.
 * Checks: all outputs in every cycle against a model of tags, permissions and use; info_o against the
 * reference of the bytes that were read; the unit's assertions.
 */
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_abi.h"
#include "unit_rtl/tma_map_cache_env.h"

#define DIRECTIONS 2u

/* Loads or stores: the map that is wanted. */
struct direction {
	bool active, waiting;
	uint32_t slot, queue;
};

struct traffic {
	struct env env;
	struct direction directions[DIRECTIONS];
	uint32_t base; /* maps in use begin here */
	uint32_t faults[256], fences, closed;
	uint32_t run; /* fences that follow in the next cycles */
	bool slow;    /* what was found is kept for long before it is taken */
};

static bool queue_in_use(const struct traffic *t, uint32_t queue)
{
	for (uint32_t d = 0; d < DIRECTIONS; d++)
		if (t->directions[d].active && t->directions[d].queue == queue)
			return true;
	return false;
}

static void new_requests(struct traffic *t)
{
	struct env *e = &t->env;

	if (rng_below(&e->rng, 1000) == 0) {
		t->base = rng_below(&e->rng, SLOTS);
		t->slow = rng_percent(&e->rng, 30);
	}
	for (uint32_t d = 0; d < DIRECTIONS; d++) {
		struct direction *dir = &t->directions[d];
		uint32_t queue = rng_below(&e->rng, e->info->queues);

		if (dir->active || !(e->enabling >> queue & 1) || rng_percent(&e->rng, 40))
			continue;
		dir->active = true;
		dir->waiting = false;
		dir->queue = queue;
		dir->slot = (t->base + rng_below(&e->rng, e->info->maps + 1)) % SLOTS;
	}
}

static void change_queues(struct traffic *t)
{
	struct env *e = &t->env;
	uint32_t queue = rng_below(&e->rng, e->info->queues);

	if (!(e->enabling >> queue & 1)) {
		/* A life begins when the last has ended. */
		if (queue_in_use(t, queue))
			return;
		env_windows(e, queue);
		e->enabling |= 1u << queue;
	} else if (rng_percent(&e->rng, 1) && (!queue_in_use(t, queue) || rng_percent(&e->rng, 20))) {
		e->enabling &= ~(1u << queue);
		t->closed++;
	}
}

static void fence(struct traffic *t)
{
	struct env *e = &t->env;
	uint32_t slot;

	if (e->in->fence_valid || (!t->run && !rng_percent(&e->rng, 1)))
		return;
	if (t->run)
		t->run--;
	else if (rng_percent(&e->rng, 10))
		t->run = 1 + rng_below(&e->rng, 400);
	slot = rng_percent(&e->rng, 70) ? e->miss.slot : (t->base + rng_below(&e->rng, 4)) % SLOTS;
	if (rng_percent(&e->rng, 60))
		env_change(e, slot);
	e->in->fence_addr = e->slots[slot].address / 64;
	/* A neighbour, which overlaps and is another map. */
	if (!e->slots[slot].changing && rng_percent(&e->rng, 10))
		e->in->fence_addr = (e->in->fence_addr + 1) & (UINT64_MAX >> 6);
	e->in->fence_valid = 1;
	t->fences++;
}

static void look_up(struct traffic *t)
{
	struct env *e = &t->env;
	uint32_t dir = rng_below(&e->rng, DIRECTIONS);
	struct direction *d = &t->directions[dir];

	e->in->req_valid = 0;
	e->in->miss_start = 0;
	e->in->taken = 0;
	if (!d->active)
		return;
	e->in->req_valid = 1;
	e->in->req_dir = e->in->miss_dir = (uint8_t)dir;
	e->in->req_addr = e->slots[d->slot].address / 64;
	e->in->req_qid = (uint8_t)d->queue;
	if (env_hit(e, dir, e->in->req_addr * 64, d->queue)) {
		if (!d->waiting && rng_percent(&e->rng, t->slow ? 1 : 70)) {
			d->active = false;
			e->in->taken = (uint8_t)(1u << dir);
		}
	} else if (!e->miss.busy && rng_percent(&e->rng, 60)) {
		e->in->miss_start = 1;
		e->in->miss_addr = e->in->req_addr;
		e->in->miss_qid = (uint8_t)d->queue;
		d->waiting = true;
	}
}

static void answers(struct traffic *t)
{
	struct env *e = &t->env;

	if (!e->out->miss_done)
		return;
	t->faults[e->out->miss_fault & 0xff]++;
	for (uint32_t d = 0; d < DIRECTIONS; d++) {
		if (t->directions[d].waiting && e->out->miss_fault)
			t->directions[d].active = false;
		t->directions[d].waiting = false;
	}
}

static void cycle(struct traffic *t)
{
	env_eval(&t->env);
	answers(t);
	env_tick(&t->env);
	t->env.in->fence_valid = 0;
}

static void run(struct traffic *t, uint32_t cycles)
{
	for (uint32_t i = 0; i < cycles; i++) {
		change_queues(t);
		new_requests(t);
		fence(t);
		look_up(t);
		cycle(t);
	}
}

static void open(struct traffic *t, uint64_t seed, struct env_rates rates)
{
	memset(t, 0, sizeof(*t));
	env_open(&t->env, seed);
	t->env.rates = rates;
}

TEST(random_traffic)
{
	static struct traffic t;
	uint32_t code, broken = 0;

	open(&t, 1, (struct env_rates){ .stall = 40, .error = 3, .die = 1, .denied = 10 });
	run(&t, 300000);
	assert_true(t.env.hits > 5000 && t.env.fetches > 2000 && t.env.probes > 500);
	assert_true(t.env.evictions > 200 && t.fences > 1000 && t.closed > 300 && t.env.stale > 100);
	assert_true(t.faults[TMA_FAULT_MAP_WINDOW] > 100 && t.faults[TMA_FAULT_PORT_DEAD] > 30);
	assert_true(t.faults[TMA_FAULT_MAP_SLVERR] > 30 && t.faults[TMA_FAULT_MAP_DECERR] > 30);
	for (code = TMA_FAULT_MAP_RESERVED; code <= TMA_FAULT_MAP_CORNERS; code++)
		broken += t.faults[code];
	assert_true(broken > 100);
	map_cache_close(t.env.unit);
}

/* Without stalls, and without anything that goes wrong. */
TEST(undisturbed)
{
	static struct traffic t;

	open(&t, 2, (struct env_rates){ 0 });
	run(&t, 100000);
	assert_true(t.env.hits > 2000 && t.env.fetches > 500);
	assert_int_equal(t.faults[TMA_FAULT_MAP_WINDOW], 0);
	map_cache_close(t.env.unit);
}

/* Cycles from the start of a miss of loads to the one in which it is done. */
static uint32_t miss_only(struct traffic *t, uint32_t slot, uint32_t queue)
{
	struct env *e = &t->env;
	uint32_t cycles = 0;
	bool done;

	e->in->req_valid = 0;
	e->in->miss_start = 1;
	e->in->miss_addr = e->slots[slot].address / 64;
	e->in->miss_qid = (uint8_t)queue;
	do {
		env_eval(e);
		done = e->out->miss_done;
		env_tick(e);
		e->in->miss_start = 0;
		cycles++;
	} while (!done);
	return cycles - 1;
}

static void take(struct traffic *t)
{
	t->env.in->taken = 1;
	env_eval(&t->env);
	env_tick(&t->env);
	t->env.in->taken = 0;
}

/* The same of one that is taken at once. */
static uint32_t miss(struct traffic *t, uint32_t slot, uint32_t queue)
{
	uint32_t cycles = miss_only(t, slot, queue);

	take(t);
	return cycles;
}

static bool hits(struct traffic *t, uint32_t slot, uint32_t queue)
{
	struct env *e = &t->env;
	bool hit;

	e->in->req_valid = 1;
	e->in->req_addr = e->slots[slot].address / 64;
	e->in->req_qid = (uint8_t)queue;
	env_eval(e);
	hit = e->out->req_hit;
	env_tick(e);
	e->in->req_valid = 0;
	return hit;
}

TEST(latency)
{
	static struct traffic t;
	uint32_t data;

	open(&t, 3, (struct env_rates){ 0 });
	data = t.env.info->data_bytes;
	t.env.enabling = 3;
	/* Slot 0 starts a page, slot 1 crosses one. */
	assert_int_equal(miss(&t, 0, 0), 3 + MAP_BYTES / data + 32 + t.env.info->short_paths);
	assert_true(hits(&t, 0, 0) && !hits(&t, 0, 1));
	assert_int_equal(miss(&t, 0, 1), 5);
	assert_true(hits(&t, 0, 0) && hits(&t, 0, 1));
	miss(&t, 1, 1);
	assert_true(hits(&t, 1, 1) && !hits(&t, 1, 0));
	assert_int_equal(miss(&t, 1, 0), 7);
	assert_int_equal(t.env.fetches, 3);
	assert_int_equal(t.env.probes, 3);
	map_cache_close(t.env.unit);
}

/* The map that was not used since the others were, twice, makes room. */
TEST(replacement)
{
	static struct traffic t;
	uint32_t maps;

	open(&t, 4, (struct env_rates){ 0 });
	maps = t.env.info->maps;
	t.env.enabling = 1;
	for (uint32_t s = 0; s < maps; s++)
		miss(&t, s, 0);
	for (uint32_t s = 0; s < maps; s++)
		assert_true(hits(&t, s, 0));
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t s = 0; s < maps; s++)
			if (s != maps / 2)
				assert_true(hits(&t, s, 0));
	miss(&t, maps, 0);
	for (uint32_t s = 0; s <= maps; s++)
		assert_int_equal(hits(&t, s, 0), s != maps / 2);
	map_cache_close(t.env.unit);
}

/* Whoever has missed is served once, also when others fence the map in every cycle: nobody else is. */
TEST(fenced_in_every_cycle)
{
	static struct traffic t;

	open(&t, 5, (struct env_rates){ 0 });
	t.env.enabling = 3;
	for (uint32_t probe = 0; probe < 2; probe++) {
		if (probe)
			miss(&t, 0, 1);
		t.env.in->fence_valid = 1;
		t.env.in->fence_addr = t.env.slots[0].address / 64;
		miss_only(&t, 0, 0);
		t.env.in->req_dir = 1;
		assert_false(hits(&t, 0, 0));
		t.env.in->req_dir = 0;
		assert_true(hits(&t, 0, 0) && hits(&t, 0, 0));
		take(&t);
		t.env.in->fence_valid = 0;
		assert_false(hits(&t, 0, 0));
	}
	map_cache_close(t.env.unit);
}
