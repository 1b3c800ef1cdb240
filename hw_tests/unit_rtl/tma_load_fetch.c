/* SPDX-License-Identifier: Apache-2.0 */
/* Ring fetches and the events of the load path. See tma_load_env.h. */
#include "unit_rtl/tma_load_env.h"

#include <inttypes.h>
#include <string.h>

#include "tma_abi.h"

#define COMMAND 64u

static struct env_fetch *new_fetch(struct env *e, enum env_stream_kind kind, uint32_t queue, uint32_t offset,
                                   uint32_t count)
{
	struct env_stream *s = &e->fetch[kind];
	struct env_fetch *f = &s->list[s->num];

	assert_true(s->num < ENV_FETCHES);
	assert_true(offset * COMMAND / ENV_PAGE == (offset + count - 1) * COMMAND / ENV_PAGE);
	memset(f, 0, sizeof(*f));
	f->fetch.qid = queue;
	f->fetch.gaddr = ENV_BASE + offset * COMMAND;
	f->fetch.chunks = count * COMMAND / ENV_CHUNK;
	f->fetch.of_map = kind == ENV_MAP;
	f->denied = !env_allowed(e, queue, offset * COMMAND / ENV_PAGE);
	f->offer = f->accept = f->ar = ENV_NEVER;
	s->num++;
	return f;
}

struct env_fetch *env_fetch(struct env *e, uint32_t queue, uint32_t offset, uint32_t count)
{
	return new_fetch(e, ENV_RING, queue, offset, count);
}

struct env_fetch *env_map(struct env *e, uint32_t queue, uint32_t offset, uint32_t count, bool probe)
{
	struct env_fetch *f = new_fetch(e, ENV_MAP, queue, offset, count);

	f->fetch.probe = probe;
	return f;
}

/* The two streams have structs of their own. */
static uint8_t *valid(struct env *e, uint32_t k)
{
	return k == ENV_RING ? &e->in->fetch.valid : &e->in->map.valid;
}

static bool is_ready(const struct env *e, uint32_t k)
{
	return k == ENV_RING ? e->out->fetch.ready : e->out->map.ready;
}

static bool is_denied(const struct env *e, uint32_t k)
{
	return k == ENV_RING ? e->out->fetch.denied : e->out->map.denied;
}

void env_offer_fetch(struct env *e)
{
	e->in->fetch.r_ready = !rng_percent(&e->rng, e->o.ring_percent);
	for (uint32_t k = 0; k < ENV_STREAMS; k++) {
		struct env_stream *s = &e->fetch[k];

		if (*valid(e, k) || s->offered == s->num || rng_percent(&e->rng, e->o.fetch_percent))
			continue;
		s->list[s->offered].offer = e->cycle;
		*valid(e, k) = 1;
		*(k == ENV_RING ? &e->in->fetch.fetch : &e->in->map.fetch) = s->list[s->offered++].fetch;
	}
}

static uint32_t beats_of(const struct env *e, const struct load_fetch *f)
{
	uint32_t beat = e->info->data_bytes, start = (uint32_t)(f->gaddr % beat);

	return (start + f->chunks * ENV_CHUNK + beat - 1) / beat;
}

/* The next one that reads. */
static struct env_fetch *next_fetch(struct env *e, struct env_stream *s, uint32_t *index)
{
	while (*index < s->taken && (s->list[*index].denied || s->list[*index].fetch.probe))
		++*index;
	REQUIRE(e, *index < s->taken);
	return &s->list[*index];
}

void env_see_fetch_ar(struct env *e, enum env_stream_kind kind)
{
	const struct tma_axi_out *ar = &e->axi_out;
	struct env_stream *s = &e->fetch[kind];
	struct env_fetch *f = next_fetch(e, s, &s->ar);

	REQUIRE(e, ar->ar_addr == (f->fetch.gaddr & ~(uint64_t)(e->info->data_bytes - 1)));
	REQUIRE(e, ar->ar_len + 1u == beats_of(e, &f->fetch));
	REQUIRE(e, ar->ar_prot == env_prot(f->fetch.qid) && ar->ar_qos == 0);
	REQUIRE(e, ar->ar_user == env_stream(f->fetch.qid) << 8);
	f->ar = e->cycle;
	s->ar++;
	e->ar_since = ENV_NEVER;
}

static void see_beat(struct env *e, enum env_stream_kind kind)
{
	uint32_t beat = e->info->data_bytes, at;
	const struct load_out *o = e->out;
	struct env_stream *s = &e->fetch[kind];
	struct env_fetch *f;

	/* Those of maps are always taken. */
	if (kind == ENV_RING ? !o->fetch.r_valid || !e->in->fetch.r_ready : !o->map.r_valid)
		return;
	f = next_fetch(e, s, &s->now);
	at = (uint32_t)(f->fetch.gaddr - ENV_BASE) / beat * beat + f->beats++ * beat;
	if (o->fetch.r.dead) {
		REQUIRE(e, e->dead && o->fetch.r.last);
		s->now++;
		return;
	}
	REQUIRE(e, o->fetch.r.resp == e->error[at / ENV_GRAIN]);
	REQUIRE(e, o->fetch.r.resp || !memcmp(o->fetch.r.data, e->global + at, beat));
	REQUIRE(e, o->fetch.r.last == (f->beats == beats_of(e, &f->fetch)));
	s->now += o->fetch.r.last;
}

/* Each one once, in the cycle of its refusal if there is one, and before the next one is taken. */
static void see_done(struct env *e)
{
	struct env_stream *s = &e->fetch[ENV_MAP];

	if (e->out->map.done) {
		REQUIRE(e, s->left < s->taken);
		REQUIRE(e, s->list[s->left].denied == e->out->map.denied);
		s->left++;
	}
	REQUIRE(e, s->left + 1 >= s->taken);
	REQUIRE(e, !e->in->map.valid || !e->out->map.ready || s->left == s->taken);
}

void env_see_fetch(struct env *e)
{
	REQUIRE(e, !e->out->fetch.r_valid || !e->out->map.r_valid);
	see_done(e);
	for (uint32_t k = 0; k < ENV_STREAMS; k++) {
		struct env_stream *s = &e->fetch[k];

		/* When it is checked, and then alone. */
		REQUIRE(e, is_denied(e, k) == (s->denial_in == 1));
		s->denial_in -= s->denial_in != 0;
		see_beat(e, (enum env_stream_kind)k);
		if (!*valid(e, k) || !is_ready(e, k))
			continue;
		s->denial_in = s->list[s->taken].denied ? 1 + e->info->short_paths : 0;
		s->list[s->taken++].accept = e->cycle;
		*valid(e, k) = 0;
	}
}

static void count(struct env *e, uint8_t valid, uint32_t queue, int32_t change)
{
	if (!valid)
		return;
	REQUIRE(e, queue < e->info->queues);
	e->flight[queue] += change;
}

/*
 * By the events: a load or prefetch, bulk ones too, is in flight until it has issued its last burst, each burst of
 * a load until it has ended or signalled, fill of a row until it is written, a cp.async or arrival until it is done. While
 * there is a bulk prefetch, the unit is not idle.
 */
void env_see_events(struct env *e)
{
	const struct tma_axi_in *axi = &e->axi_in;

	count(e, e->out->events.burst_add.valid, e->out->events.burst_add.qid, 1);
	count(e, e->out->events.fill_add.valid, e->out->events.fill_add.qid, 1);
	count(e, e->out->events.fill_done.valid, e->out->events.fill_done.qid, -1);
	count(e, e->out->events.issued.valid, e->out->events.issued.qid, -1);
	count(e, e->out->events.prefetch.valid, e->out->events.prefetch.qid, -1);
	count(e, e->out->events.burst_done.valid, e->out->events.burst_done.qid, -1);
	count(e, e->out->events.cp_done.valid, e->out->events.cp_done.qid, -1);
	count(e, e->out->events.cp_drop.valid, e->out->events.cp_drop.qid, -1);
	count(e, e->out->sig_valid[0] && e->in->sig_ready[0], e->out->sig[0].origin.qid, -1);
	count(e, e->out->sig_valid[1] && e->in->sig_ready[1], e->out->sig[1].origin.qid, -1);
	if (axi->r_valid && e->axi_out.r_ready && axi->r_last && axi->r_id < ENV_ID_UNIT)
		e->owed[e->id_queue[axi->r_id][e->id_got[axi->r_id]++ % ENV_COMMANDS]]--;
	for (uint32_t q = 0; q < e->info->queues && !e->dead; q++)
		REQUIRE(e, e->flight[q] >= e->owed[q] && e->owed[q] >= 0);
	for (uint32_t q = 0; q < e->info->queues; q++)
		REQUIRE(e, e->flight[q] >= 0);
	REQUIRE(e, !e->out->idle || e->prefetch_done == e->prefetch_offered);
	e->prefetch_done += e->out->events.prefetch.valid;
}
