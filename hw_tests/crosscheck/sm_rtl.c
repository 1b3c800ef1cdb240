/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SMs at the external ports of the RTL. Each goes on in the cycle in which the answer that it waits for
 * is there. In between it writes and reads a chunk of its own, which is as it was in the end.
 *
 * So what follows a poll is asked for in the cycle after the phase's end was seen; with `ahead`
 * it is asked for behind every poll, and the answer behind the first poll that saw the end counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/sm.h"
#include "lib/must.h"
#include "lib/rig.h"
#include "lib/rng.h"

#define STREAM_BUSY 15

#define READ_PERCENT 5 /* of what it does between its acts */
#define POLLS        3 /* asked for at once, with the chunk behind each */

struct poll {
	uint64_t word;
	uint8_t chunk[CHUNK_BYTES];
	uint64_t ticket; /* of its last access */
};

struct agent {
	bool begun, early; /* early: the first chunk of the next act is read */
	uint32_t pause;
	uint64_t ticket; /* of the act's last access */
	struct poll poll[POLLS];
	uint32_t first, count;

	/* Its own chunk: at first, now, and as read last. */
	uint8_t was[CHUNK_BYTES], now[CHUNK_BYTES], read[CHUNK_BYTES];
	uint64_t busy; /* ticket of that access */
	bool known, reads;
};

struct sm_run {
	struct rig *rig;
	const struct program *p;
	const struct seen *seen;
	struct smem *smem;
	struct result *result;
	uint32_t done[MAX_CTAS];
	struct agent agent[MAX_CTAS];
	struct rng rng;
	bool good;
	char text[120];
};

struct sm_run *sm_start(struct rig *rig, const struct program *p, const struct seen *seen, struct smem *smem,
                        struct result *result)
{
	struct sm_run *r = must(calloc(1, sizeof(*r)));

	*r = (struct sm_run){
		.rig = rig, .p = p, .seen = seen, .smem = smem, .result = result, .good = true
	};
	r->rng = rng_make(p->seed ^ p->number, STREAM_BUSY);
	sm_answers(result, p);
	return r;
}

void sm_free(struct sm_run *r)
{
	free(r);
}

const uint32_t *sm_done(const struct sm_run *r)
{
	return r->done;
}

const char *sm_stuck(const struct sm_run *r)
{
	static const char *const names[] = { "poll", "wait for a record", "read", "write" };
	struct sm_run *to = (struct sm_run *)r;

	for (uint32_t c = 0; c < MAX_CTAS; c++) {
		if (r->done[c] == r->p->sm[c].num)
			continue;
		snprintf(to->text, sizeof(to->text), "CTA %u act %u (%s)", c, r->done[c],
		         names[r->p->sm[c].act[r->done[c]].kind]);
		return r->text;
	}
	return "no act";
}

static bool has_come(const struct sm_run *r, uint32_t cta, uint64_t ticket)
{
	return rig_smem_finished(r->rig, cta) >= ticket;
}

static void post_poll(struct sm_run *r, uint32_t cta, const struct sm_act *a)
{
	struct agent *x = &r->agent[cta];
	struct poll *poll = &x->poll[(x->first + x->count++) % POLLS];

	rig_smem_post_read(r->rig, cta, a->offset, &poll->word, BARRIER_BYTES);
	if (a->ahead)
		rig_smem_post_read(r->rig, cta, a[1].chunk[0] * CHUNK_BYTES, poll->chunk, CHUNK_BYTES);
	poll->ticket = rig_smem_posted(r->rig, cta);
}

/* True: a poll has seen the end of the phase. */
static bool poll(struct sm_run *r, uint32_t cta, const struct sm_act *a)
{
	struct agent *x = &r->agent[cta];
	uint32_t most = a->ahead ? POLLS : 1;

	while (x->count && has_come(r, cta, x->poll[x->first].ticket)) {
		const struct poll *p = &x->poll[x->first];

		if ((p->word >> TMA_BARRIER_PHASE_LSB & 1) == a->phase) {
			if (a->ahead)
				memcpy(r->result->sm[cta] + a[1].at, p->chunk, CHUNK_BYTES);
			x->early = a->ahead;
			/* Those behind it still come: nobody looks at them. */
			return true;
		}
		if (a->known) {
			snprintf(r->text, sizeof(r->text),
			         "the SM of CTA %u, act %u: barrier %#x does not show that its phase is over",
			         cta, r->done[cta], a->offset);
			r->good = false;
		}
		x->first = (x->first + 1) % POLLS;
		x->count--;
	}
	while (x->count < most)
		post_poll(r, cta, a);
	return false;
}

static void post_reads(struct sm_run *r, uint32_t cta, const struct sm_act *a)
{
	struct agent *x = &r->agent[cta];

	for (uint32_t i = x->early; i < a->chunks; i++)
		rig_smem_post_read(r->rig, cta, a->chunk[i] * CHUNK_BYTES,
		                   r->result->sm[cta] + a->at + i * CHUNK_BYTES, CHUNK_BYTES);
	x->early = false;
}

static void post_writes(struct sm_run *r, uint32_t cta, const struct sm_act *a)
{
	uint8_t *bytes = must(malloc(a->chunks * CHUNK_BYTES));

	sm_bytes(a, bytes);
	for (uint32_t i = 0; i < a->chunks; i++)
		rig_smem_post_strobed(r->rig, cta, (a->chunk[0] + i) * CHUNK_BYTES, bytes + i * CHUNK_BYTES,
		                      a->mask);
	free(bytes);
}

static bool act(struct sm_run *r, uint32_t cta, const struct sm_act *a)
{
	struct agent *x = &r->agent[cta];

	if (a->kind == SM_RECORD)
		return r->seen[r->p->by_queue[a->queue][a->index]].record != NOT_SEEN;
	if (a->kind == SM_POLL) {
		if (!x->begun)
			x->first = x->count = 0;
		x->begun = true;
		return poll(r, cta, a);
	}
	if (!x->begun) {
		x->begun = true;
		if (a->kind == SM_READ)
			post_reads(r, cta, a);
		else
			post_writes(r, cta, a);
		x->ticket = rig_smem_posted(r->rig, cta);
	}
	return has_come(r, cta, x->ticket);
}

static void busy_write(struct sm_run *r, uint32_t cta)
{
	struct agent *x = &r->agent[cta];
	uint16_t strb = (uint16_t)rng_next(&r->rng);

	for (uint32_t i = 0; i < CHUNK_BYTES; i++)
		if (strb >> i & 1)
			x->now[i] = (uint8_t)rng_next(&r->rng);
	rig_smem_post_strobed(r->rig, cta, r->p->busy_at, x->now, strb);
}

/* One access between others. */
static void busy(struct sm_run *r, uint32_t cta)
{
	struct agent *x = &r->agent[cta];

	if (!r->p->sm_busy || rig_smem_finished(r->rig, cta) != rig_smem_posted(r->rig, cta))
		return;
	if (x->reads && memcmp(x->read, x->now, CHUNK_BYTES)) {
		snprintf(r->text, sizeof(r->text), "the SM of CTA %u reads what it did not write at %#x", cta,
		         r->p->busy_at);
		r->good = false;
	}
	x->reads = false;
	if (x->known && rng_below(&r->rng, 100) >= r->p->sm_busy)
		return;
	if (!x->known) {
		rig_smem_post_read(r->rig, cta, r->p->busy_at, x->was, CHUNK_BYTES);
		x->known = true;
		memset(x->now, 0, CHUNK_BYTES);
		rig_smem_post_strobed(r->rig, cta, r->p->busy_at, x->now, 0xffff);
	} else if (rng_percent(&r->rng, READ_PERCENT)) {
		rig_smem_post_read(r->rig, cta, r->p->busy_at, x->read, CHUNK_BYTES);
		x->reads = true;
	} else {
		busy_write(r, cta);
	}
}

bool sm_end(struct sm_run *r, const char **text)
{
	for (uint32_t c = 0; c < r->p->shape->ctas; c++)
		if (r->agent[c].known)
			rig_smem_post_strobed(r->rig, c, r->p->busy_at, r->agent[c].was, 0xffff);
	*text = r->text;
	return r->good;
}

void sm_cycle(struct sm_run *r, uint64_t cycle)
{
	for (uint32_t c = 0; c < r->p->shape->ctas; c++) {
		struct agent *x = &r->agent[c];

		if (sm_over(r->p, r->done))
			return;

		while (r->done[c] < r->p->sm[c].num) {
			const struct sm_act *a = &r->p->sm[c].act[r->done[c]];

			if (!sm_open(r->done, a->gate) || (!x->begun && x->pause++ < a->pause) ||
			    !act(r, c, a))
				break;
			smem_act(r->smem, cycle, c, r->done[c]++);
			x->begun = false;
			x->pause = 0;
		}
		busy(r, c);
	}
}
