/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk prefetches: pages beside the commands of the load path. See tma_load_env.h. */
#include <inttypes.h>
#include <string.h>

#include "unit_rtl/tma_load_env.h"
#define CHUNK       ENV_CHUNK
#define PAGE_CHUNKS (ENV_PAGE / CHUNK)
#define LIMIT       400000u
#define PATH_DEPTH  8u /* CmdDepth of tma_load */

struct env_prefetch *env_prefetch(struct env *e, uint32_t queue, uint64_t gaddr, uint32_t chunks)
{
	struct env_prefetch *p = &e->prefetch[e->prefetches];

	assert_true(e->prefetches < ENV_PREFETCHES && chunks);
	*p = (struct env_prefetch){
		.cmd = { .qid = (uint8_t)queue,
		         .gchunk = gaddr / CHUNK,
		         .chunks = chunks,
		         .hint = { .qos = 9, .prefetch = ENV_PREFETCH_L2, .evict = e->prefetches & 15 } },
		.at = gaddr,
		.left = chunks
	};
	e->prefetches++;
	return p;
}

void env_offer_prefetch(struct env *e)
{
	e->in->prefetch_valid = e->prefetch_offered < e->prefetches && e->out->level[2] < PATH_DEPTH &&
	                        !rng_percent(&e->rng, e->o.command_percent);
	if (!e->in->prefetch_valid)
		return;
	e->in->prefetch = e->prefetch[e->prefetch_offered++].cmd;
	e->flight[e->in->prefetch.qid]++;
}

static uint32_t part_of(const struct env_prefetch *p)
{
	uint32_t to_page = (ENV_PAGE - (uint32_t)(p->at % ENV_PAGE)) / CHUNK;

	return p->left < to_page ? p->left : to_page;
}

static void advance(struct env_prefetch *p, uint32_t part)
{
	p->at += (uint64_t)part * CHUNK;
	p->left -= part;
}

/* Parts that no window allows are left out, and count. */
static void leave_out(struct env *e, struct env_prefetch *p)
{
	for (uint32_t part; p->left; advance(p, part)) {
		part = part_of(p);
		if (p->at >= ENV_BASE &&
		    env_allowed(e, p->cmd.qid, (uint32_t)((p->at - ENV_BASE) / ENV_PAGE)))
			return;
		e->expected_errors++;
	}
}

static uint32_t bad_beats(const struct env *e, uint32_t offset, uint32_t bytes)
{
	uint32_t beat = e->info->data_bytes, bad = 0;

	for (uint32_t at = offset / beat * beat; at < offset + bytes; at += beat)
		bad += e->error[at / ENV_GRAIN] != 0;
	return bad;
}

void env_see_prefetch_ar(struct env *e)
{
	const struct tma_axi_out *ar = &e->axi_out;
	uint32_t beat = e->info->data_bytes, i, part;
	struct env_prefetch *p = e->prefetch;
	uint64_t beats;

	for (i = 0; i < e->prefetch_offered; i++) {
		p = &e->prefetch[i];
		if (p->closed)
			continue;
		leave_out(e, p);
		if (p->left && p->cmd.hint.evict == (ar->ar_user & 15u) &&
		    ar->ar_addr == (p->at & ~(uint64_t)(beat - 1)))
			break;
	}
	REQUIRE(e, i < e->prefetch_offered);
	part = part_of(p);
	beats = (p->at % beat + (uint64_t)part * CHUNK + beat - 1) / beat;
	REQUIRE(e, ar->ar_len + UINT64_C(1) == beats);
	REQUIRE(e, ar->ar_prot == env_prot(p->cmd.qid));
	REQUIRE(e, ar->ar_user == (env_stream(p->cmd.qid) << 8 | p->cmd.hint.evict | ENV_PREFETCH_L2 << 4));
	REQUIRE(e, ar->ar_qos == 9);
	e->expected_errors += bad_beats(e, (uint32_t)(p->at - ENV_BASE), part * CHUNK);
	advance(p, part);
	p->pages++;
}

/* Nothing is left to read. */
bool env_prefetched(struct env *e)
{
	for (uint32_t i = 0; i < e->prefetches; i++) {
		if (i >= e->prefetch_offered)
			return false;
		if (e->prefetch[i].closed)
			continue;
		leave_out(e, &e->prefetch[i]);
		if (e->prefetch[i].left)
			return false;
	}
	return true;
}

/* A page per cycle, where paths are short every third, the first one on AR in the fourth cycle behind the command; the pages of several come in
 * turn. */
ENV_ALL_TEST(prefetch_rate, .seed = 70)
{
	struct env_prefetch *p, *q;
	uint64_t start;

	p = env_prefetch(e, 0, ENV_BASE + 10 * ENV_PAGE - CHUNK, 3 * PAGE_CHUNKS + 2);
	env_drain(e, LIMIT);
	assert_int_equal(p->pages, 5);
	/* Out of the windows: 4,000 pages in 4,000 cycles, where paths are short in three times as many. */
	env_prefetch(e, 0, ENV_PAGE, 4000 * PAGE_CHUNKS);
	start = e->cycle;
	env_drain(e, LIMIT);
	assert_in_range(e->cycle - start, 4000 * (1 + 2 * e->info->short_paths),
	                4000 * (1 + 2 * e->info->short_paths) + 20);
	assert_int_equal(e->prefetch_errors, 4000);
	p = env_prefetch(e, 0, ENV_BASE, 20 * PAGE_CHUNKS);
	q = env_prefetch(e, 1, ENV_BASE + 40 * ENV_PAGE, 5 * PAGE_CHUNKS);
	while (!q->pages)
		env_step(e);
	while (q->left) {
		env_step(e);
		assert_in_range(p->pages + 1, q->pages, q->pages + 3);
	}
	env_drain(e, LIMIT);
}

/* Loads go first, but every 64th row is a page; a prefetch that nobody allows holds up nobody. */
ENV_ALL_TEST(prefetch_gives_way, .seed = 71, .latency = 3)
{
	uint32_t i, pages = 0, k;
	struct env_prefetch *p;
	uint64_t alone = 0;

	for (k = 0; k < 3; k++) {
		uint64_t start = e->cycle;

		p = k == 2 ? env_prefetch(e, 0, 0, 0x0FFFFFFF)
		    : k    ? env_prefetch(e, 0, ENV_BASE, PAGE_CHUNKS * 90)
		           : NULL;
		for (i = 0; i < 640; i++)
			env_command(e, 1, i % 32 * ENV_PAGE, 1, i, 1);
		while (e->offered < 640 || e->in->cmd_valid)
			env_step(e);
		if (!k)
			alone = e->cycle - start;
		if (k == 1)
			pages = p->pages;
		/* Every other cycle a prefetch or a row alone finds a free slot. */
		if (k == 2)
			assert_in_range(e->cycle - start, alone, alone + alone / 16);
		if (k == 2)
			break;
		env_drain(e, LIMIT);
	}
	assert_in_range(pages, 3, 640 / 63 + 24);
	/* What is left of 4 GiB goes with its queue, at once. */
	p->closed = true;
	e->in->cfg[0].enable = 0;
	for (i = 0; e->flight[0]; i++)
		env_step(e);
	assert_in_range(i, 1, 80);
	env_steps(e, 400);
	/* How much of it was looked at is not known. */
	assert_true(e->prefetch_errors >= e->expected_errors);
	e->expected_errors = e->prefetch_errors;
	env_drain(e, LIMIT);
}

/* A queue closes a cycle later each time, so that a page of it is in the guard or on offer, or its command is still behind.
 * Of pages outside the windows nothing is read. */
ENV_ALL_TEST(prefetch_closed, .seed = 74)
{
	for (uint32_t wait = 1, i; wait < 20; wait++) {
		struct env_prefetch *p = env_prefetch(e, 0, 0, 20 * PAGE_CHUNKS);

		env_steps(e, wait);
		p->closed = true;
		e->in->cfg[0].enable = 0;
		for (i = 0; e->flight[0]; i++)
			env_step(e);
		assert_in_range(i, 1, 20);
		env_steps(e, 20);
		e->in->cfg[0].enable = 1;
		env_steps(e, 4);
	}
	assert_in_range(e->prefetch_errors, 1, 19 * 19);
	e->expected_errors = e->prefetch_errors;
	env_drain(e, LIMIT);
}

/* A load whose second half is denied waits for its first half; pages go on meanwhile. */
ENV_TEST(prefetch_beside_denials, .seed = 73, .latency = 90)
{
	env_window(e, 0, 0, ENV_PAGES - 1, true);
	env_window(e, 1, 0, 3, true);
	env_prefetch(e, 0, ENV_BASE + 8 * ENV_PAGE, 40 * PAGE_CHUNKS);
	for (uint32_t i = 0; i < 24; i++)
		env_command(e, 1, 4 * ENV_PAGE - CHUNK, 2, i * 32, 1);
	env_drain(e, LIMIT);
	assert_int_equal(e->faults, 24);
	assert_int_equal(e->prefetch_errors, 0);
}

/* Windows and errors here and there, addresses that go round, beside everything else. */
ENV_RANDOM_TEST(prefetch_random, .seed = 72, .latency = 12, .random_latency = 9, .stall_percent = 20,
                .write_percent = 15, .command_percent = 20)
{
	for (uint32_t round = 0; round < 12; round++) {
		for (uint32_t i = 0; i < 24; i++) {
			uint64_t from = ENV_BASE + (uint64_t)rng_below(&e->rng, ENV_BYTES / CHUNK) * CHUNK;

			if (i % 5 == 0)
				from -= 40 * ENV_PAGE;
			if (i % 3)
				env_prefetch(e, rng_below(&e->rng, e->info->queues), from,
				             1 + rng_below(&e->rng, (i % 4 ? 3 : 120) * PAGE_CHUNKS));
			env_command(e, rng_below(&e->rng, e->info->queues),
			            (40 + rng_below(&e->rng, 11)) * ENV_PAGE +
			                    rng_below(&e->rng, 100) * CHUNK,
			            1 + rng_below(&e->rng, 30), i * 32, 1);
			if (i % 4 == 0)
				env_fetch(e, rng_below(&e->rng, e->info->queues),
				          rng_below(&e->rng, 90) * ENV_PAGE / 64, 1 + rng_below(&e->rng, 8));
		}
		env_drain(e, LIMIT);
	}
}
