/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared memory through the ext ports: posted accesses, a poll and a background load, per CTA.
 *
 * A request stays on the pins until it is ready. The data of a read comes in the next cycle, so
 * one word per port says what an answer is for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/rig_priv.h"

#define CHUNK 16u
/* Cycles in which not one of the ports answers: only a rig that does not step gets there. */
#define NO_PROGRESS 10000
/* Cycles that the engine lets a request wait at most, see the integration guide; a write, perhaps onto a
 * barrier in use. */
#define MOST_WAIT       8
#define MOST_WAIT_WRITE 64

/*
 * Posting.
 */

static int post(struct rig *rig, uint32_t cta, struct rig_access access)
{
	struct rig_access *a;
	struct rig_ext *x;

	if (cta >= rig->info->ctas || access.offset > rig->info->smem_bytes ||
	    access.len > rig->info->smem_bytes - access.offset)
		return -EINVAL;
	if (!access.len)
		return 0;
	a = malloc(sizeof(*a) + (access.write ? access.len : 0));
	if (!a)
		return -ENOMEM;
	*a = access;
	if (a->write) {
		a->bytes = (uint8_t *)(a + 1);
		memcpy(a->bytes, access.bytes, access.len);
	}
	x = &rig->ext[cta];
	if (x->head)
		x->tail->next = a;
	else
		x->head = a;
	x->tail = a;
	if (!x->ask)
		x->ask = a;
	rig->ext_pending++;
	x->posted++;
	return 0;
}

int rig_smem_post_write(struct rig *rig, uint32_t cta, uint32_t offset, const void *bytes, uint32_t len)
{
	return post(rig, cta,
	            (struct rig_access){
			    .write = true,
			    .strb = 0xffff,
			    .offset = offset,
			    .len = len,
			    .bytes = (uint8_t *)bytes,
		    });
}

int rig_smem_post_strobed(struct rig *rig, uint32_t cta, uint32_t offset, const void *bytes, uint16_t strb)
{
	if (offset % CHUNK)
		return -EINVAL;
	return post(rig, cta,
	            (struct rig_access){
			    .write = true,
			    .strb = strb,
			    .offset = offset,
			    .len = CHUNK,
			    .bytes = (uint8_t *)bytes,
		    });
}

uint64_t rig_smem_posted(const struct rig *rig, uint32_t cta)
{
	return rig->ext[cta].posted;
}

uint64_t rig_smem_finished(const struct rig *rig, uint32_t cta)
{
	return rig->ext[cta].finished;
}

int rig_smem_post_read(struct rig *rig, uint32_t cta, uint32_t offset, void *bytes, uint32_t len)
{
	return post(rig, cta, (struct rig_access){ .offset = offset, .len = len, .bytes = bytes });
}

int rig_smem_flush(struct rig *rig)
{
	while (rig->ext_pending) {
		if (rig->cycle > rig->ext_progress + NO_PROGRESS) {
			rig_error(rig, "no ext port answers");
			rig_smem_forget(rig);
			return -ETIMEDOUT;
		}
		rig_step(rig);
	}
	return 0;
}

int rig_smem_write(struct rig *rig, uint32_t cta, uint32_t offset, const void *bytes, uint32_t len)
{
	int err = rig_smem_post_write(rig, cta, offset, bytes, len);

	return err ? err : rig_smem_flush(rig);
}

int rig_smem_read(struct rig *rig, uint32_t cta, uint32_t offset, void *bytes, uint32_t len)
{
	int err = rig_smem_post_read(rig, cta, offset, bytes, len);

	return err ? err : rig_smem_flush(rig);
}

/*
 * Polling.
 */

int rig_smem_poll(struct rig *rig, uint32_t cta, uint32_t offset)
{
	struct rig_ext *x;

	if (cta >= rig->info->ctas || offset % 8 || offset > rig->info->smem_bytes - 8)
		return -EINVAL;
	x = &rig->ext[cta];
	if (!x->polling || x->poll_offset != offset)
		x->polled = (struct rig_polled){ 0 };
	x->polling = true;
	x->poll_offset = offset;
	return 0;
}

void rig_smem_poll_stop(struct rig *rig, uint32_t cta)
{
	rig->ext[cta].polling = false;
}

struct rig_polled rig_smem_polled(const struct rig *rig, uint32_t cta)
{
	return rig->ext[cta].polled;
}

static void polled(struct rig *rig, struct rig_ext *x, const uint8_t *rdata)
{
	uint64_t value;

	memcpy(&value, rdata + x->expected_offset % CHUNK, sizeof(value));
	/* An answer to a poll that was replaced meanwhile says nothing about the new one. */
	if (!x->polling || x->expected_offset != x->poll_offset)
		return;
	if (!x->polled.valid || x->polled.value != value)
		x->polled.since = rig->cycle;
	x->polled.valid = true;
	x->polled.value = value;
	x->polled.cycle = rig->cycle;
}

/*
 * Pins.
 */

/* Bytes of an access that lie in the 16-byte chunk of its byte `at`. */
static uint32_t piece(const struct rig_access *a, uint32_t at)
{
	uint32_t in_chunk = CHUNK - (a->offset + at) % CHUNK;

	return a->len - at < in_chunk ? a->len - at : in_chunk;
}

static void offer(struct tma_ext_in *in, uint32_t offset)
{
	in->valid = 1;
	in->write = 0;
	in->strb = 0;
	in->addr = offset & ~(CHUNK - 1);
}

static void offer_access(struct tma_ext_in *in, const struct rig_access *a)
{
	uint32_t at = a->asked, lane = (a->offset + at) % CHUNK, n = piece(a, at);

	offer(in, a->offset + at);
	if (!a->write)
		return;
	in->write = 1;
	in->strb = (uint16_t)(((1u << n) - 1) << lane & a->strb);
	memcpy(in->wdata + lane, a->bytes + at, n);
}

static void drive(struct rig *rig, struct rig_ext *x, struct tma_ext_in *in, bool busy)
{
	if (in->valid)
		return; /* held from the cycle before */
	if (x->ask) {
		offer_access(in, x->ask);
		x->offered = x->ask->write ? RIG_EXT_NONE : RIG_EXT_ACCESS;
		x->offered_offset = x->ask->offset + x->ask->asked;
	} else if (x->polling) {
		offer(in, x->poll_offset);
		x->offered = RIG_EXT_POLL;
		x->offered_offset = x->poll_offset;
	} else if (busy) {
		offer(in, rng_below(&rig->ext_rng, rig->info->smem_bytes / CHUNK) * CHUNK);
		x->offered = RIG_EXT_BUSY;
	}
}

void rig_smem_drive(struct rig *rig)
{
	uint32_t every = rig->o.ext_busy_every, r;

	if (!rig->in->rst_n)
		return;
	for (r = 0; r < rig->info->ctas; r++)
		drive(rig, &rig->ext[r], &rig->in->ext[r], every && rig->cycle % every == 0);
}

static void finish(struct rig *rig, struct rig_ext *x)
{
	struct rig_access *a = x->head;

	x->head = a->next;
	free(a);
	x->finished++;
	rig->ext_pending--;
}

static void answered(struct rig_ext *x, const uint8_t *rdata)
{
	struct rig_access *a = x->head;
	uint32_t n = piece(a, a->done);

	memcpy(a->bytes + a->done, rdata + (a->offset + a->done) % CHUNK, n);
	a->done += n;
}

static void taken(struct rig_ext *x)
{
	struct rig_access *a = x->ask;
	uint32_t n = piece(a, a->asked);

	a->asked += n;
	if (a->write)
		a->done += n;
	if (a->asked == a->len)
		x->ask = a->next;
}

static void sample(struct rig *rig, uint32_t r)
{
	struct rig_ext *x = &rig->ext[r];
	struct tma_ext_in *in = &rig->in->ext[r];
	const struct tma_ext_out *out = &rig->out->ext[r];
	bool moves = in->valid && out->ready;

	if (out->rvalid != (x->expected != RIG_EXT_NONE))
		rig_error(rig, "CTA %u: ext rvalid is %u in the cycle after %s", r, out->rvalid,
		          x->expected ? "a read" : "no read");
	else if (x->expected == RIG_EXT_ACCESS)
		answered(x, out->rdata);
	else if (x->expected == RIG_EXT_POLL)
		polled(rig, x, out->rdata);
	x->expected = RIG_EXT_NONE;
	x->waited = in->valid && !moves ? x->waited + 1 : 0;
	if (x->waited == (in->write ? MOST_WAIT_WRITE : MOST_WAIT) + 1)
		rig_error(rig, "CTA %u: a %s waits at the ext port for more than %u cycles", r,
		          in->write ? "write" : "read", x->waited - 1);
	if (moves) {
		rig->ext_progress = rig->cycle;
		if (in->write || x->offered == RIG_EXT_ACCESS)
			taken(x);
		x->expected = in->write ? RIG_EXT_NONE : x->offered;
		x->expected_offset = x->offered_offset;
		in->valid = 0;
	}
	while (x->head && x->head->done == x->head->len)
		finish(rig, x);
}

void rig_smem_sample(struct rig *rig)
{
	if (!rig->ext_pending)
		rig->ext_progress = rig->cycle;
	for (uint32_t r = 0; r < rig->info->ctas; r++) {
		if (rig->in->rst_n)
			sample(rig, r);
		else
			rig->ext[r].expected = RIG_EXT_NONE;
	}
}

void rig_smem_forget(struct rig *rig)
{
	for (uint32_t r = 0; r < TMA_SIM_MAX_CTAS; r++) {
		struct rig_ext *x = &rig->ext[r];

		while (x->head)
			finish(rig, x);
		/* The answer of a read that was taken still comes. */
		*x = (struct rig_ext){ .expected = x->expected ? RIG_EXT_BUSY : RIG_EXT_NONE,
			               .posted = x->posted,
			               .finished = x->finished };
		rig->in->ext[r].valid = 0;
	}
}
