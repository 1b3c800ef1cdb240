/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program - the commands that move the file, once stage by stage and once all stages at once.
 *
 * Shared memory of every CTA: barriers, then slots. A slot has an area A that the multicast load
 * fills and an area B that the previous CTA's copy fills. Of each area one barrier says that it is
 * full, another one, where its writer waits, that it may be filled again.
 */
#include <inttypes.h>
#include <stdio.h>

#include "demo.h"

#define BARRIER_AREA 256u
#define CHUNK_BEATS  32u       /* of one copy command */
#define LIMIT        100000000 /* cycles; only an engine that hangs comes near */

/* Tag of the command whose record ends a part of a queue's program. */
#define TAG_END 0xE0Du

struct slot {
	uint32_t a, b;           /* areas, offset in a CTA */
	uint32_t a_full, b_full; /* barriers in every CTA */
	uint32_t a_free;         /* in CTA 0: every CTA is done with A */
	uint32_t b_free;         /* in every CTA: the next one is done with its B */
	uint32_t room;           /* bytes of an area */
};

/* A piece of the file that one slot takes. */
struct piece {
	uint32_t offset, bytes;
};

static uint32_t chunk_bytes(const struct demo_engine *e)
{
	return CHUNK_BEATS * e->info.data_bytes;
}

static struct slot make_slot(const struct demo_engine *e, uint32_t index, uint32_t slots)
{
	uint32_t room = (e->info.smem_bytes - BARRIER_AREA) / (2 * slots);
	struct slot s;

	room -= room % chunk_bytes(e);
	s.room = room;
	s.a = BARRIER_AREA + 2 * index * room;
	s.b = s.a + room;
	s.a_full = 32 * index;
	s.b_full = s.a_full + 8;
	s.a_free = s.a_full + 16;
	s.b_free = s.a_full + 24;
	return s;
}

static struct piece make_piece(const struct demo_engine *e, const struct slot *s, uint32_t index)
{
	struct piece p = { .offset = index * s->room };

	p.bytes = e->bytes - p.offset < s->room ? e->bytes - p.offset : s->room;
	return p;
}

static uint32_t count_pieces(const struct demo_engine *e, const struct slot *s)
{
	return (e->bytes + s->room - 1) / s->room;
}

int demo_put(struct demo_engine *e, uint32_t r, const struct tma_command *command)
{
	int64_t result = tma_submit(e->queues[r], command);

	if (result >= 0)
		return 0;
	fprintf(stderr, "tma_demo: %s: submit to queue %" PRIu32 ": %s\n", e->info.backend, r,
	        tma_strerror((int)result));
	return -1;
}

int demo_put_end(struct demo_engine *e, uint32_t r)
{
	struct tma_command c;

	tma_signal(&c, TAG_END);
	return demo_put(e, r, &c);
}

/* Wait until queue r has come to the command that is tagged as the end. */
int demo_wait_end(struct demo_engine *e, uint32_t r)
{
	struct tma_record record;
	char text[800];
	int error;

	do {
		error = tma_wait(e->queues[r], &record, LIMIT);
	} while (!error && record.tag != TAG_END);
	if (!error)
		return 0;
	if (error == TMA_EFAULT)
		tma_fault_text(e->queues[r], &record, text, sizeof(text));
	else
		snprintf(text, sizeof(text), "queue %" PRIu32 ": %s", r, tma_strerror(error));
	fprintf(stderr, "tma_demo: %s: %s\n", e->info.backend, text);
	return -1;
}

static int wait_all(struct demo_engine *e)
{
	uint32_t r;

	for (r = 0; r < e->info.ctas; r++)
		if (demo_wait_end(e, r))
			return -1;
	return 0;
}

/* ---- Parts of the queues' programs; each returns 0 or -1 ---- */

static int put_barriers(struct demo_engine *e, uint32_t r, const struct slot *s)
{
	struct tma_command c;
	int error;

	tma_mbarrier_init(&c, tma_shared(r, s->a_full), 1);
	error = demo_put(e, r, &c);
	tma_mbarrier_init(&c, tma_shared(r, s->b_full), 1);
	error |= demo_put(e, r, &c);
	tma_mbarrier_init(&c, tma_shared(r, s->a_free), e->info.ctas);
	error |= demo_put(e, r, &c);
	tma_mbarrier_init(&c, tma_shared(r, s->b_free), 1);
	error |= demo_put(e, r, &c);
	return error | demo_put_end(e, r);
}

static int put_expect(struct demo_engine *e, uint32_t r, uint32_t barrier, uint32_t bytes)
{
	struct tma_command c;

	tma_mbarrier_arrive_expect_tx(&c, tma_shared(r, barrier), bytes);
	return demo_put(e, r, &c);
}

static int put_wait(struct demo_engine *e, uint32_t r, uint32_t barrier, uint32_t phase, uint32_t tag)
{
	struct tma_command c;

	tma_mbarrier_try_wait_parity(&c, tma_shared(r, barrier), phase % 2, TMA_NO_LIMIT);
	c.tag = tag;
	return demo_put(e, r, &c);
}

/* The copies of a piece, chunk by chunk. */
static int put_copies(struct demo_engine *e, uint32_t r, const struct slot *s, const struct piece *p,
                      enum demo_stage stage)
{
	uint32_t next = (r + 1) % e->info.ctas, done, bytes;
	struct tma_command c;

	for (done = 0; done < p->bytes; done += bytes) {
		uint64_t at = p->offset + done;

		bytes = p->bytes - done < chunk_bytes(e) ? p->bytes - done : chunk_bytes(e);
		if (stage == DEMO_LOAD)
			tma_cp_async_bulk_load_multicast(&c, s->a + done, e->input + at, bytes, s->a_full,
			                                 (uint16_t)((1u << e->info.ctas) - 1));
		else if (stage == DEMO_MASKED)
			tma_cp_async_bulk_store_masked(&c, e->masked + at, tma_shared(r, s->a + done), bytes,
			                               DEMO_MASK);
		else if (stage == DEMO_SHARED)
			tma_cp_async_bulk_shared(&c, tma_shared(next, s->b + done),
			                         tma_shared(r, s->a + done), bytes,
			                         tma_shared(next, s->b_full));
		else
			tma_cp_async_bulk_store(&c, e->copies + (uint64_t)r * e->bytes + at,
			                        tma_shared(r, s->b + done), bytes);
		if (demo_put(e, r, &c))
			return -1;
	}
	return 0;
}

static int put_arrive(struct demo_engine *e, uint32_t r, uint32_t barrier)
{
	struct tma_command c;

	tma_mbarrier_arrive(&c, barrier, 1);
	return demo_put(e, r, &c);
}

int demo_put_commit(struct demo_engine *e, uint32_t r)
{
	struct tma_command c;

	tma_cp_async_bulk_commit_group(&c);
	return demo_put(e, r, &c);
}

int demo_put_wait_read(struct demo_engine *e, uint32_t r, uint32_t n)
{
	struct tma_command c;

	tma_cp_async_bulk_wait_group_read(&c, n);
	return demo_put(e, r, &c);
}

int demo_put_wait_written(struct demo_engine *e, uint32_t r)
{
	struct tma_command c;

	tma_cp_async_bulk_wait_group(&c, 0);
	tma_set_record(&c, TAG_END);
	return demo_put(e, r, &c);
}

/* ---- One stage at a time ---- */

/* Every queue's part of a stage, ended by a tagged record. */
static int put_stage(struct demo_engine *e, enum demo_stage stage, const struct slot *s,
                     const struct piece *p, uint32_t phase)
{
	uint32_t barrier = stage == DEMO_LOAD ? s->a_full : s->b_full;
	bool tracked = stage == DEMO_LOAD || stage == DEMO_SHARED, single;
	uint32_t r;
	int error = 0;

	single = stage == DEMO_LOAD || stage == DEMO_MASKED;
	for (r = 0; r < e->info.ctas; r++) {
		if (tracked)
			error |= put_expect(e, r, barrier, p->bytes);
		if (r == 0 || !single)
			error |= put_copies(e, r, s, p, stage);
		if (tracked)
			error |= put_wait(e, r, barrier, phase, TAG_END);
		else
			error |= demo_put_commit(e, r) | demo_put_wait_written(e, r);
	}
	return error;
}

int demo_stage_by_stage(struct demo_engine *e, uint64_t cycles[DEMO_STAGES])
{
	struct slot s = make_slot(e, 0, 1);
	uint32_t k, r, pieces = count_pieces(e, &s);
	enum demo_stage stage;
	uint64_t start;

	for (r = 0; r < e->info.ctas; r++)
		if (put_barriers(e, r, &s))
			return -1;
	if (wait_all(e))
		return -1;
	for (k = 0; k < pieces; k++) {
		struct piece p = make_piece(e, &s, k);

		for (stage = DEMO_LOAD; stage <= DEMO_READ_BACK; stage++) {
			start = tma_cycles(e->device);
			if (put_stage(e, stage, &s, &p, k) || wait_all(e))
				return -1;
			cycles[stage] += tma_cycles(e->device) - start;
		}
	}
	return 0;
}

/* ---- All at once ---- */

/* Piece k into area A of its slot, as soon as all CTAs are done with what it held. */
static int put_load(struct demo_engine *e, const struct slot slots[2], uint32_t k)
{
	const struct slot *s = &slots[k % 2];
	struct piece p = make_piece(e, s, k);

	if (k >= 2 && put_wait(e, 0, s->a_free, k / 2 - 1, 0))
		return -1;
	return put_copies(e, 0, s, &p, DEMO_LOAD);
}

/* What CTA r does with piece k; all waits stand in the program, the host is not asked. */
static int put_piece(struct demo_engine *e, uint32_t r, const struct slot slots[2], uint32_t k)
{
	const struct slot *s = &slots[k % 2], *other = &slots[1 - k % 2];
	uint32_t previous = (r + e->info.ctas - 1) % e->info.ctas;
	struct piece p = make_piece(e, s, k);
	int error;

	error = put_expect(e, r, s->a_full, p.bytes);
	error |= put_wait(e, r, s->a_full, k / 2, 0);
	if (r == 0)
		error |= put_copies(e, r, s, &p, DEMO_MASKED) | demo_put_commit(e, r);
	if (k >= 2)
		error |= put_wait(e, r, s->b_free, k / 2 - 1, 0);
	error |= put_copies(e, r, s, &p, DEMO_SHARED);

	/* The previous CTA's A has been read when its copy has come; CTA 0's own also has to be
	 * read by the masked store. */
	error |= put_expect(e, r, s->b_full, p.bytes);
	error |= put_wait(e, r, s->b_full, k / 2, 0);
	if (r == 0)
		error |= demo_put_wait_read(e, r, 0);
	error |= put_arrive(e, r, tma_shared(0, s->a_free));

	/* While this B is stored, the previous piece's may be filled. */
	error |= put_copies(e, r, s, &p, DEMO_READ_BACK) | demo_put_commit(e, r);
	error |= demo_put_wait_read(e, r, 1);
	if (k)
		error |= put_arrive(e, r, tma_shared(previous, other->b_free));
	return error;
}

int demo_all_at_once(struct demo_engine *e, uint64_t cycles[DEMO_STAGES])
{
	const struct slot slots[2] = { make_slot(e, 0, 2), make_slot(e, 1, 2) };
	uint32_t k, r, pieces = count_pieces(e, &slots[0]);
	uint64_t start;

	for (r = 0; r < e->info.ctas; r++)
		if (put_barriers(e, r, &slots[0]) || put_barriers(e, r, &slots[1]))
			return -1;
	/* Two tagged records per queue. */
	if (wait_all(e) || wait_all(e))
		return -1;

	start = tma_cycles(e->device);
	if (put_load(e, slots, 0))
		return -1;
	for (k = 0; k < pieces; k++) {
		/* The next load goes ahead of this piece's work: that is the double buffer. */
		if (k + 1 < pieces && put_load(e, slots, k + 1))
			return -1;
		for (r = 0; r < e->info.ctas; r++)
			if (put_piece(e, r, slots, k))
				return -1;
	}
	for (r = 0; r < e->info.ctas; r++)
		if (demo_put_wait_written(e, r))
			return -1;
	if (wait_all(e))
		return -1;
	cycles[DEMO_ALL] = tma_cycles(e->device) - start;
	return 0;
}
