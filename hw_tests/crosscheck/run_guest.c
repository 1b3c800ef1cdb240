/* SPDX-License-Identifier: Apache-2.0 */
/* The guest's lives, and accesses to registers that must change nothing for anybody. */
#include "crosscheck/run_guest.h"

#include <stdio.h>
#include <string.h>

#include "crosscheck/guest_look.h"
#include "crosscheck/run_rtl.h"
#include "lib/rng.h"
#include "tma_regs.h"

#define STREAM_NOISE   15
#define LIMIT          200000u /* cycles for one step of a life, beside the traffic of all others */
#define LOOK_EVERY     20u
#define NOISE_PERCENT  30
#define CANCEL_PERCENT 8
#define UNKNOWN_REG    0x7F0u
#define MAGIC          0x31414D54u
#define AXCACHE_RESET  2u

struct run {
	struct rig *rig;
	const struct program *p;
	const uint8_t *global;
	struct rng rng;
	struct guest_bytes now;
	const struct guest_life *life;
	struct guest_model model;
	struct guest_counts *counts;
	uint8_t queue;
	bool cancelled; /* in the middle of a life that is cut */
	char *text;
	size_t room;
};

#define FAIL(r, ...) (snprintf((r)->text, (r)->room, __VA_ARGS__), false)

/*
 * Registers of others.
 */

/* A queue that is enabled and does not fault. False: there is none. */
static bool any_other(struct run *r, uint32_t *queue)
{
	for (uint32_t i = 0; i < 8; i++) {
		*queue = rng_below(&r->rng, r->p->shape->queues);
		if (r->p->queue[*queue].used && !program_victim(r->p, *queue))
			return true;
	}
	return false;
}

/* Both channels of the registers at once, half of the time. */
static int write_both(struct run *r, uint32_t address, uint32_t value)
{
	uint32_t from = rng_percent(&r->rng, 50) ? TMA_REG_MAGIC : UNKNOWN_REG, got;
	int resp, answer;

	if (rng_percent(&r->rng, 50))
		return rig_csr_write(r->rig, address, value);
	r->counts->both++;
	resp = rig_csr_both(r->rig, address, value, from, &got, &answer);
	if (from == TMA_REG_MAGIC ? answer == RIG_OKAY && got == MAGIC : answer == RIG_SLVERR)
		return resp;
	rig_error(r->rig, "register %#x beside a write of %#x: response %d, value %#x", from, address, answer,
	          got);
	return -1;
}

static bool refused(struct run *r, uint32_t address, uint32_t value)
{
	int resp = write_both(r, address, value);

	return resp == RIG_SLVERR || FAIL(r, "register %#x = %#x: response %d", address, value, resp);
}

static bool reads(struct run *r, uint32_t address, uint32_t should)
{
	uint32_t value;
	int resp = rig_csr_read(r->rig, address, &value);

	return (resp == RIG_OKAY && value == should) ||
	       FAIL(r, "register %#x: %#x, should be %#x", address, value, should);
}

static bool window_is_locked(struct run *r, uint32_t queue)
{
	const struct queue_setup *s = &r->p->queue[queue];
	uint32_t w = rng_below(&r->rng, s->num_windows);

	rig_csr_write(r->rig, TMA_REG_WINDOW_INDEX,
	              w << TMA_REG_WINDOW_INDEX_WINDOW_SHIFT | queue << TMA_REG_WINDOW_INDEX_QUEUE_SHIFT);
	return refused(r, TMA_REG_WINDOW_ATTR, 0) && refused(r, TMA_REG_WINDOW_LIMIT_HI, 0) &&
	       reads(r, TMA_REG_WINDOW_ATTR, s->windows[w].attr) &&
	       reads(r, TMA_REG_WINDOW_BASE_HI, (uint32_t)(s->windows[w].base >> 32));
}

/* What the engine refuses, or what nobody notices. */
static bool noise(struct run *r)
{
	uint32_t value = (uint32_t)rng_next(&r->rng), q;

	if (!rng_percent(&r->rng, NOISE_PERCENT) || !any_other(r, &q))
		return true;
	r->counts->accesses++;
	switch (rng_below(&r->rng, 12)) {
	case 0:
		return window_is_locked(r, q);
	case 1:
		return refused(r, TMA_REG_QUEUE_CTA(q), value);
	case 2:
		return refused(r, TMA_REG_QUEUE_CANCEL_MASK(q), value);
	case 3:
		return refused(r, TMA_REG_QUEUE_RING_BASE_LO(q), value);
	case 4:
		/* It is not faulted. */
		return refused(r, TMA_REG_DOOR_RESUME(q), value % (r->p->queue[q].steps + 1));
	case 5:
		return refused(r, TMA_REG_QUEUE_HEAD(q), value);
	case 6:
		/* Behind all records there are. */
		return refused(r, TMA_REG_DOOR_CONSUMER(q), 1u << 30 | value >> 2);
	case 7:
		return r->p->queue[q].ring || refused(r, TMA_REG_DOOR_TAIL(q), value);
	case 8:
		return refused(r, UNKNOWN_REG, value);
	case 9:
		/* AXI has no allocation of what cannot be modified. */
		value &= value & 2 ? TMA_REG_AXCACHE_AXCACHE_MASK : 3u;
		write_both(r, TMA_REG_AXCACHE, value);
		return reads(r, TMA_REG_AXCACHE, value);
	case 10:
		return reads(r, TMA_REG_MAGIC, MAGIC);
	default:
		rig_counter(r->rig, value % 14);
		return true;
	}
}

/*
 * Acts.
 */

/* Is another queue busy? That is what all this is for. */
static void count(struct run *r, enum guest_act act)
{
	bool busy = false;

	for (uint32_t q = 0; q < r->p->shape->queues && !busy; q++)
		busy = r->p->queue[q].used && !program_victim(r->p, q) &&
		       (rig_waiting(r->rig, q) ||
		        rig_csr(r->rig, TMA_REG_QUEUE_HEAD(q)) < r->p->queue[q].steps);
	r->counts->acts[act]++;
	r->counts->busy[act] += busy;
}

static bool begin(struct run *r)
{
	if (!r->life->renew) {
		count(r, GUEST_RESETS);
		return rig_queue_reset(r->rig, r->queue) == RIG_OKAY || FAIL(r, "RESET is refused");
	}
	count(r, GUEST_SETUPS);
	return !engine_set_up_queue(r->rig, r->p, r->queue, &r->life->setup) || FAIL(r, "the set-up fails");
}

static struct guest_bytes look(struct run *r)
{
	struct guest_bytes b = guest_bytes_new(r->p);

	for (uint32_t c = 0; c < r->p->shape->ctas; c++)
		rig_smem_post_read(r->rig, c, r->p->guest.shared_at, b.shared[c], r->p->guest.shared_bytes);
	rig_smem_flush(r->rig);
	memcpy(b.global, r->global + r->p->guest.global_at, GUEST_PAGES * PAGE_BYTES);
	return b;
}

/* Records of this life. On the direct port some of the lives before may still come, and come first: a life that
 * is cut short may be over before the port has taken them. */
static const struct rig_record *records_of(const struct run *r, uint32_t *count)
{
	const struct rig_record *records = rig_records(r->rig, r->queue, count);
	uint32_t life = (uint32_t)(r->life - r->p->guest.lives->life);

	for (; *count && records->record.tag >> GUEST_TAG_SHIFT < life; records++)
		(*count)--;
	return records;
}

static bool records_agree(struct run *r, bool all)
{
	struct tma_record records[3 * GUEST_COMMANDS];
	uint32_t n;
	const struct rig_record *have = records_of(r, &n);

	/* Whether the queue did wait when a cut life was cancelled only time can tell. */
	for (uint32_t i = 0; i < n && r->cancelled; i++)
		if (have[i].record.fault == TMA_FAULT_CANCELLED)
			n = i;
	if (n > 3 * GUEST_COMMANDS)
		return FAIL(r, "%u records", n);
	for (uint32_t i = 0; i < n; i++)
		records[i] = have[i].record;
	return guest_records_agree(&r->model, records, n, all, r->text, r->room);
}

static bool records_missing(const struct run *r)
{
	uint32_t n;

	records_of(r, &n);
	return n < r->model.result.queue[r->queue].num_records;
}

/* Until the engine has come as far as the model. */
static bool catch_up(struct run *r, uint32_t mask, uint32_t bits, const struct tma_queue_status *should)
{
	uint64_t end = rig_cycle(r->rig) + LIMIT;

	do {
		if (guest_is_at(r->rig, r->queue, mask, bits, should->next_sequence) && !records_missing(r))
			return records_agree(r, true);
		if (!noise(r))
			return false;
		rig_run(r->rig, rng_below(&r->rng, LOOK_EVERY));
	} while (rig_cycle(r->rig) < end);
	rig_dump(r->rig);
	return FAIL(r, "STATUS %#x, HEAD %u, should be %#x, %u%s",
	            rig_csr(r->rig, TMA_REG_QUEUE_STATUS(r->queue)),
	            rig_csr(r->rig, TMA_REG_QUEUE_HEAD(r->queue)), bits, should->next_sequence,
	            records_missing(r) ? "; records are missing" : "");
}

static bool fault_agrees(struct run *r, const struct tma_queue_status *should)
{
	struct rig_fault f = rig_fault(r->rig, r->queue);

	return (f.code == should->fault && f.count == should->fault_count &&
	        f.sequence == should->fault_sequence && f.tag == should->fault_tag &&
	        f.address == should->fault_address) ||
	       FAIL(r,
	            "fault {%#x, %u, sequence %u tag %#x address %#llx}, should be {%#x, %u, %u %#x %#llx}",
	            f.code, f.count, f.sequence, f.tag, (unsigned long long)f.address, should->fault,
	            should->fault_count, should->fault_sequence, should->fault_tag,
	            (unsigned long long)should->fault_address);
}

/* Behind the command at fault; refused as long as something of it is in flight. */
static bool resume(struct run *r, const struct tma_queue_status *at)
{
	uint32_t next = at->fault_sequence + 1;
	uint64_t end = rig_cycle(r->rig) + LIMIT;
	int resp;

	if (next < r->life->count && r->life->hold[next])
		next++;
	count(r, GUEST_RESUMES);
	do {
		resp = rig_resume(r->rig, r->queue, next);
		rig_run(r->rig, rng_below(&r->rng, LOOK_EVERY));
	} while (resp == RIG_SLVERR && rig_cycle(r->rig) < end);
	guest_model_resume(&r->model, next);
	return resp == RIG_OKAY || FAIL(r, "RESUME at %u: response %d", next, resp);
}

/* A life that comes to its end. */
static bool play(struct run *r)
{
	for (;;) {
		struct tma_queue_status s = guest_model_status(&r->model);

		if (s.faulted) {
			/* What comes behind a late fault may have left the queue, but no record. */
			if (!catch_up(r, TMA_REG_QUEUE_STATUS_FAULTED_MASK, TMA_REG_QUEUE_STATUS_FAULTED_MASK,
			              &s) ||
			    !fault_agrees(r, &s) || !resume(r, &s))
				return false;
		} else if (s.waiting) {
			if (!catch_up(r, TMA_REG_QUEUE_STATUS_WAITING_MASK, TMA_REG_QUEUE_STATUS_WAITING_MASK,
			              &s))
				return false;
			count(r, GUEST_CANCELS);
			if (rig_cancel(r->rig, r->queue) != RIG_OKAY)
				return FAIL(r, "CANCEL is refused");
			guest_model_cancel(&r->model);
		} else {
			return catch_up(r, TMA_REG_QUEUE_STATUS_BUSY_MASK, 0, &s);
		}
	}
}

/* Some cycles of one that does not. */
static bool cut(struct run *r)
{
	uint64_t end = rig_cycle(r->rig) + r->life->cut;

	while (rig_cycle(r->rig) < end) {
		if (!noise(r))
			return false;
		if (rng_percent(&r->rng, CANCEL_PERCENT)) {
			r->cancelled = true;
			count(r, GUEST_CANCELS);
			if (rig_cancel(r->rig, r->queue) != RIG_OKAY)
				return FAIL(r, "CANCEL is refused");
		}
		rig_run(r->rig, 1 + rng_below(&r->rng, LOOK_EVERY));
	}
	return records_agree(r, false);
}

/* The bytes that the life has left: what the next one begins with. */
static bool leave(struct run *r, const struct guest_life *life)
{
	struct guest_bytes is = look(r);
	bool good;

	if (!life->cut)
		guest_model_bytes(&r->model);
	good = guest_bytes_agree(&r->model, life, &is, r->text, r->room);
	guest_bytes_free(&r->now);
	r->now = is;
	return good;
}

static bool lives(struct run *r, const struct guest_lives *all, const struct memory *before)
{
	for (uint32_t i = 0; i < all->count; i++) {
		bool good;

		r->life = &all->life[i];
		r->cancelled = false;
		/* Nothing of the life before is in flight when the next one has begun. */
		good = begin(r) && (!i || leave(r, &all->life[i - 1]));
		if (i)
			guest_model_end(&r->model);
		guest_model_begin(&r->model, r->p, r->life, before, &r->now);
		for (uint32_t c = 0; c < r->life->count; c++)
			rig_submit(r->rig, r->queue, &r->life->commands[c]);
		good = good && (r->life->cut ? cut(r) : play(r));
		if (!good) {
			size_t n = strlen(r->text);

			snprintf(r->text + n, r->room - n, " (guest, queue %u, life %u%s)", r->queue, i,
			         r->life->cut ? ", cut short" : "");
			guest_model_end(&r->model);
			return false;
		}
	}
	rig_csr_write(r->rig, TMA_REG_AXCACHE, AXCACHE_RESET);
	return leave(r, r->life) ? (guest_model_end(&r->model), true) : (guest_model_end(&r->model), false);
}

bool run_guest(struct rig *rig, const struct program *p, const struct memory *before, const uint8_t *global,
               struct guest_counts *counts, char *text, size_t room)
{
	struct bus_error e = guest_error(p);
	struct run r = { .rig = rig,
		         .p = p,
		         .global = global,
		         .rng = rng_make(p->seed ^ p->number, STREAM_NOISE),
		         .queue = p->guest.queue,
		         .counts = counts,
		         .text = text,
		         .room = room };
	bool good;

	rig_map_error(rig, 0, RIG_BOTH, e.address, e.bytes, (enum rig_resp)e.resp);
	r.now = guest_bytes_new(p);
	guest_bytes_take(p, &r.now, before);
	good = lives(&r, p->guest.lives, before);
	guest_bytes_free(&r.now);
	return good;
}
