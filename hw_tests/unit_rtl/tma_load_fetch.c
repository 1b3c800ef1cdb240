/* SPDX-License-Identifier: Apache-2.0 */
/* Ring fetches and the events of the load path. See tma_load_env.h. */
#include "unit_rtl/tma_load_env.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "tma_abi.h"

#define COMMAND 64u

struct env_fetch *env_fetch(struct env *e, uint32_t queue, uint32_t offset, uint32_t count)
{
	struct env_fetch *f = &e->fetches[e->num_fetches];

	assert_true(e->num_fetches < ENV_FETCHES);
	assert_true(offset * COMMAND / ENV_PAGE == (offset + count - 1) * COMMAND / ENV_PAGE);
	memset(f, 0, sizeof(*f));
	f->fetch.queue = queue;
	f->fetch.gaddr = ENV_BASE + offset * COMMAND;
	f->fetch.chunks = count * COMMAND / ENV_CHUNK;
	f->denied = !env_allowed(e, queue, offset * COMMAND / ENV_PAGE);
	f->offer = f->accept = f->ar = ENV_NEVER;
	e->num_fetches++;
	return f;
}

void env_offer_fetch(struct env *e)
{
	e->in->ring_ready = !rng_percent(&e->rng, e->o.ring_percent);
	if (e->in->fetch_valid || e->fetch_offered == e->num_fetches ||
	    rng_percent(&e->rng, e->o.fetch_percent))
		return;
	e->fetches[e->fetch_offered].offer = e->cycle;
	e->in->fetch_valid = 1;
	e->in->fetch = e->fetches[e->fetch_offered++].fetch;
}

static uint32_t beats_of(const struct env *e, const struct load_fetch *f)
{
	uint32_t beat = e->info->data_bytes, start = (uint32_t)(f->gaddr % beat);

	return (start + f->chunks * ENV_CHUNK + beat - 1) / beat;
}

static struct env_fetch *next_fetch(struct env *e, uint32_t *index)
{
	while (*index < e->fetch_taken && e->fetches[*index].denied)
		++*index;
	REQUIRE(e, *index < e->fetch_taken);
	return &e->fetches[*index];
}

void env_see_fetch_ar(struct env *e)
{
	const struct tma_axi_out *ar = &e->out->axi;
	struct env_fetch *f = next_fetch(e, &e->fetch_ar);

	REQUIRE(e, ar->ar_addr == (f->fetch.gaddr & ~(uint64_t)(e->info->data_bytes - 1)));
	REQUIRE(e, ar->ar_len + 1u == beats_of(e, &f->fetch));
	REQUIRE(e, ar->ar_prot == env_prot(f->fetch.queue) && ar->ar_qos == 0);
	REQUIRE(e, ar->ar_user == env_stream(f->fetch.queue) << 8);
	f->ar = e->cycle;
	e->fetch_ar++;
	e->ar_since = ENV_NEVER;
}

static void see_beat(struct env *e)
{
	uint32_t beat = e->info->data_bytes, at;
	const struct load_out *o = e->out;
	struct env_fetch *f;

	if (!o->ring_valid || !e->in->ring_ready)
		return;
	f = next_fetch(e, &e->fetch_now);
	at = (uint32_t)(f->fetch.gaddr - ENV_BASE) / beat * beat + f->beats++ * beat;
	if (o->ring_dead) {
		REQUIRE(e, e->dead && o->ring_last);
		e->fetch_now++;
		return;
	}
	REQUIRE(e, o->ring_resp == e->error[at / ENV_GRAIN]);
	REQUIRE(e, o->ring_resp || !memcmp(o->ring_data, e->global + at, beat));
	REQUIRE(e, o->ring_last == (f->beats == beats_of(e, &f->fetch)));
	e->fetch_now += o->ring_last;
}

void env_see_fetch(struct env *e)
{
	/* In the cycle after it was taken, and then alone. */
	REQUIRE(e, e->out->fetch_denied == e->denial_due);
	e->denial_due = false;
	see_beat(e);
	if (!e->in->fetch_valid || !e->out->fetch_ready)
		return;
	e->denial_due = e->fetches[e->fetch_taken].denied;
	e->fetches[e->fetch_taken++].accept = e->cycle;
	e->in->fetch_valid = 0;
}

static void count(struct env *e, struct load_event event, int32_t change)
{
	if (!event.valid)
		return;
	REQUIRE(e, event.queue < e->info->queues);
	e->flight[event.queue] += change;
}

/*
 * By the events: a load or prefetch is in flight until it has issued its last burst, each burst of
 * a load until it has ended or signalled, a cp.async or arrival until it is done.
 */
void env_see_events(struct env *e)
{
	const struct load_event load_signal = { e->out->sig_valid && e->in->sig_ready, e->out->signal.queue };
	const struct load_event arrival = { e->out->cp_sig_valid && e->in->cp_sig_ready,
		                            e->out->cp_signal.queue };
	const struct tma_axi_in *axi = &e->in->axi;
	uint32_t q;

	count(e, e->out->burst_add, 1);
	count(e, e->out->row_done, -1);
	count(e, e->out->burst_done, -1);
	count(e, e->out->cp_done, -1);
	count(e, e->out->cp_drop, -1);
	count(e, load_signal, -1);
	count(e, arrival, -1);
	if (axi->r_valid && e->out->axi.r_ready && axi->r_last && axi->r_id < ENV_ID_UNIT)
		e->owed[e->id_queue[axi->r_id][e->id_got[axi->r_id]++ % ENV_COMMANDS]]--;
	for (q = 0; q < e->info->queues && !e->dead; q++)
		REQUIRE(e, e->flight[q] >= e->owed[q] && e->owed[q] >= 0);
	for (q = 0; q < e->info->queues; q++)
		REQUIRE(e, e->flight[q] >= 0);
}
