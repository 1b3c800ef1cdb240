/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_reduce_score_test - bursts of reductions in flight: who waits, who follows whom.
 *
 * Checks, in every cycle: a request goes only when it touches nobody, or follows the youngest that it touches, which
 * has all its chunks; and then it goes at once. And of all that goes: whoever had one of its chunks is over, or is
 * followed by a chain. Few pages, some of which cannot be told apart by their digest.
 */
#include "tma_reduce_score_pins.h"
#include "unit_rtl/unit.h"
#include "unit_rtl/unit_test.h"

#define ENTRIES 16u
#define PAGES   6u
#define STEPS   200000u

struct burst {
	struct reduce_score_reach reach;
	int64_t follows; /* number of the burst, -1: none */
};

struct bench {
	struct reduce_score *unit;
	struct reduce_score_in *in;
	const struct reduce_score_out *out;
	struct rng rng;
	uint64_t cycle;
	uint32_t line_chunks;
	/* In flight: those from number `got` on, before `put`. */
	struct burst burst[ENTRIES];
	uint64_t put, got;
	uint32_t asked;                  /* cycles for which the request has been there */
	uint32_t looks;                  /* for how many, before it may follow another one */
	uint64_t followed, waited, past; /* how often */
};

#define SCORE_TEST(name, seed) \
	TEST_IN(name, struct bench, b, bench_open(b, seed), reduce_score_close(b->unit))

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, reduce_score, seed);
	b->line_chunks = unit_shape()->data_bytes / 16;
	b->looks = 2 + unit_shape()->short_paths;
	reduce_score_start(b->unit);
}

static uint32_t digest(const struct reduce_score_reach *r)
{
	uint64_t fold = r->page ^ r->page >> 16 ^ r->page >> 32;

	return (uint32_t)((fold ^ (r->page >> 48 & 0xF) << 12 ^ r->port) & 0xFFFF);
}

static bool touches(const struct reduce_score_reach *a, const struct reduce_score_reach *b)
{
	return digest(a) == digest(b) && a->first <= b->last && b->first <= a->last;
}

static bool same_page(const struct reduce_score_reach *a, const struct reduce_score_reach *b)
{
	return a->page == b->page && a->port == b->port;
}

/* May `r` follow `leader`? Both lie in one line, and the leader has all of r's chunks, and these whole. */
static bool may_follow(const struct bench *b, const struct reduce_score_reach *r,
                       const struct reduce_score_reach *leader)
{
	return leader->whole && same_page(r, leader) && leader->first <= r->first &&
	       leader->last >= r->last && leader->first / b->line_chunks == leader->last / b->line_chunks;
}

static const struct burst *burst_of(const struct bench *b, uint64_t number)
{
	return &b->burst[number % ENTRIES];
}

/* Whoever has a chunk of what goes now is one of those that it follows. */
static void check_chain(struct bench *b, const struct reduce_score_reach *r, int64_t leader)
{
	for (uint64_t n = b->got; n < b->put; n++) {
		const struct reduce_score_reach *other = &burst_of(b, n)->reach;
		int64_t at = leader;

		if (!same_page(r, other) || !touches(r, other))
			continue;
		while (at > (int64_t)n)
			at = burst_of(b, (uint64_t)at)->follows;
		REQUIRE(b, at == (int64_t)n);
	}
}

/* It goes; `leader`: behind that one, -1: it touches nobody. */
static void take(struct bench *b, int64_t leader)
{
	struct burst *burst = &b->burst[b->put % ENTRIES];

	check_chain(b, &b->in->request, leader);
	*burst = (struct burst){ .reach = b->in->request, .follows = leader };
	b->put++;
	b->followed += leader >= 0;
	b->past += b->asked > 1 && leader < 0;
	b->asked = 0;
}

/* One cycle: a request that is there may go if `may_go`, the oldest burst is over if `frees`. */
static void step(struct bench *b, bool may_go, bool frees)
{
	bool touched = false, follows, goes, ok;
	uint64_t youngest = 0;

	frees = frees && b->got < b->put;
	b->in->take = 0;
	b->in->free = frees;
	reduce_score_eval(b->unit);
	for (uint64_t n = b->got; n < b->put; n++)
		if (touches(&b->in->request, &burst_of(b, n)->reach)) {
			touched = true;
			youngest = n;
		}
	/* Nobody comes between, so it has touched that one since it was there. */
	follows = touched && b->asked >= b->looks &&
	          may_follow(b, &b->in->request, &burst_of(b, youngest)->reach);
	ok = b->in->valid && b->asked > 0 && b->put - b->got < ENTRIES && (!touched || follows);
	REQUIRE(b, (b->in->valid && b->out->ok) == ok);
	if (follows && ok) {
		REQUIRE(b, b->out->follows && b->out->from == youngest % ENTRIES);
	} else if (ok) {
		REQUIRE(b, !b->out->follows);
	}
	REQUIRE(b, b->out->idle == (b->put == b->got));
	REQUIRE(b, b->out->place == b->put % ENTRIES);
	goes = ok && may_go;
	b->in->take = goes;
	reduce_score_eval(b->unit);
	reduce_score_tick(b->unit);
	b->waited += b->in->valid && !ok;
	if (goes) {
		take(b, follows ? (int64_t)youngest : -1);
		b->in->valid = 0;
	} else if (b->in->valid) {
		b->asked++;
	}
	b->got += frees;
	b->cycle++;
}

static void ask(struct bench *b, uint64_t page, uint32_t port, uint32_t first, uint32_t last)
{
	b->in->valid = 1;
	b->in->request.page = page;
	b->in->request.port = (uint8_t)port;
	b->in->request.first = (uint8_t)first;
	b->in->request.last = (uint8_t)last;
	b->in->request.whole = 1;
}

/* Until the request has gone; cycles it took. */
static uint32_t go(struct bench *b)
{
	uint32_t cycles = 0;

	for (; b->in->valid && cycles < 100; cycles++)
		step(b, true, false);
	return cycles;
}

/* A burst every other cycle; one that follows takes a cycle more, with short paths two. */
SCORE_TEST(latency, 1)
{
	for (uint32_t i = 0; i < 4; i++) {
		ask(b, 1, 0, 16 * i, 16 * i + 15);
		assert_int_equal(go(b), 2);
	}
	ask(b, 2, 0, 0, 0);
	assert_int_equal(go(b), 2);
	ask(b, 2, 0, 0, 0);
	assert_int_equal(go(b), b->looks + 1);
	assert_int_equal(b->followed, 1);
}

/* It waits for as long as anybody has one of its chunks. */
SCORE_TEST(waits_for_all, 2)
{
	ask(b, 1, 0, 0, 0);
	go(b);
	ask(b, 1, 0, b->line_chunks, 5 * b->line_chunks);
	go(b);
	ask(b, 1, 0, 0, b->line_chunks);
	for (uint32_t i = 0; i < 10; i++)
		step(b, true, false);
	assert_true(b->in->valid);
	step(b, true, true);
	for (uint32_t i = 0; i < 10; i++)
		step(b, true, false);
	assert_true(b->in->valid);
	step(b, true, true);
	assert_int_equal(go(b), 1);
}

/* Pages that cannot be told apart wait for each other, and nobody follows. */
SCORE_TEST(same_digest, 3)
{
	ask(b, 0x1, 0, 3, 3);
	go(b);
	ask(b, 0x10000, 0, 3, 3);
	for (uint32_t i = 0; i < 10; i++)
		step(b, true, false);
	assert_true(b->in->valid);
	step(b, true, true);
	assert_int_equal(go(b), 1);
	assert_int_equal(b->followed, 0);
}

/* Behind a burst of some bytes of a chunk everybody waits, and that burst may follow itself. */
SCORE_TEST(some_bytes, 5)
{
	ask(b, 1, 0, 3, 3);
	go(b);
	ask(b, 1, 0, 3, 3);
	b->in->request.whole = 0;
	assert_int_equal(go(b), b->looks + 1);
	assert_int_equal(b->followed, 1);
	ask(b, 1, 0, 3, 3);
	for (uint32_t i = 0; i < 10; i++)
		step(b, true, i == 5);
	assert_true(b->in->valid);
	step(b, true, true);
	assert_int_equal(go(b), 1);
	assert_int_equal(b->followed, 1);
}

/* A request that is gone for a cycle is looked at anew, be it the same. */
static void withdraw(struct bench *b)
{
	b->in->valid = 0;
	b->asked = 0;
}

/* A phase has so many pages, and of each so many lines. */
static void draw(struct bench *b, uint32_t pages, uint32_t lines)
{
	static const uint64_t page[PAGES] = { 0, 1, 0x10000, 0x100000000, 0xF000000000000, 0xFFFFFFFFFFFFF };
	uint32_t first = rng_below(&b->rng, lines * b->line_chunks);
	uint32_t chunks =
		rng_percent(&b->rng, 60) ? rng_below(&b->rng, 2) : rng_below(&b->rng, 2 * b->line_chunks);

	if (rng_percent(&b->rng, 10))
		first = 255 - chunks;
	if (rng_percent(&b->rng, 30))
		chunks = 0;
	if (first + chunks > 255)
		chunks = 0;
	/* The same once more, or less of it. */
	if (rng_percent(&b->rng, 30)) {
		b->in->valid = 1;
		b->in->request.last -= rng_percent(&b->rng, 30) && b->in->request.last > b->in->request.first;
		return;
	}
	ask(b, page[rng_below(&b->rng, pages)], rng_below(&b->rng, unit_shape()->ports), first,
	    first + chunks);
	b->in->request.whole = rng_percent(&b->rng, 90);
}

/* Bursts that live for long or short, requests in a hurry or not, few lines or many. */
SCORE_TEST(random_bursts, 4)
{
	static const uint32_t rates[] = { 1, 5, 20, 60 };
	uint32_t frees = 10, goes = 50, pages = 1, lines = 1;

	for (uint32_t i = 0; i < STEPS; i++) {
		if (i % 500 == 0) {
			frees = rates[rng_below(&b->rng, 4)];
			goes = rng_percent(&b->rng, 50) ? 100 : 1 + rng_below(&b->rng, 99);
			pages = 1 + rng_below(&b->rng, PAGES);
			lines = 1u << rng_below(&b->rng, 6);
		}
		if (b->in->valid && rng_percent(&b->rng, 2))
			withdraw(b);
		else if (!b->in->valid && rng_percent(&b->rng, 80))
			draw(b, pages, lines);
		step(b, rng_percent(&b->rng, goes), rng_percent(&b->rng, frees));
	}
	assert_true(b->followed > STEPS / 100 && b->waited > STEPS / 20 && b->past > STEPS / 1000);
}
