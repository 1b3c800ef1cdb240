/* SPDX-License-Identifier: Apache-2.0 */
/* From writes and reads of shared memory to steps. */
#include "crosscheck/smem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/gen.h"
#include "tma_tables.h"

/* A step still has to write these bytes of a chunk. */
struct pending {
	uint32_t step;
	uint16_t bytes;
	int next; /* younger step, -1: none */
};

struct smem {
	const struct program *p;
	struct smem_seen *seen;
	int *first[MAX_CTAS], *last[MAX_CTAS]; /* by chunk */
	struct pending *pending;
	uint32_t num_pending, room_pending;
	struct smem_signal *signal;
	uint32_t num_signals, room_signals;
	uint64_t *act[MAX_CTAS];
	uint8_t *read[TMA_SIM_STREAMS]
		     [MAX_CTAS]; /* chunks, since a store of the stream was last read whole */
	uint32_t next_store[TMA_SIM_STREAMS][MAX_QUEUES];
	char error[200];
};

#define FAIL(m, ...)                                                           \
	do {                                                                   \
		if (!(m)->error[0])                                            \
			snprintf((m)->error, sizeof((m)->error), __VA_ARGS__); \
	} while (0)

static uint16_t targets(const struct tma_command *c)
{
	return c->flags & TMA_FLAG_MULTICAST ? c->cta_mask : (uint16_t)(1u << (c->shared_dst >> 24));
}

/* Bytes from the operand on, and how many of them it writes; exact: that is certain. */
static uint32_t written(const struct program *p, const struct step *s, uint32_t *count, bool *exact)
{
	*exact = s->rule == RULE_EXACT && !s->fault;
	*count = s->cmd.size;
	if (step_is_dead(s))
		return 0;
	switch (s->cmd.opcode) {
	case TMA_BULK_LOAD:
	case TMA_BULK_SHARED:
	case TMA_BULK_REDUCE_SHARED:
	case TMA_CP_ASYNC:
		return s->cmd.size;
	case TMA_TENSOR_LOAD:
		if (s->tensor < 0)
			return 0;
		/* Of padded types the padding stays as it is; so does what lies between rows, but that is
		 * not counted either. */
		*exact &= p->tensors[s->tensor].map.type < TMA_RAW_TYPE_B4X16_P64;
		*count = p->tensors[s->tensor].span.tx;
		return p->tensors[s->tensor].span.shared;
	default:
		return 0;
	}
}

static void expect(struct smem *m, uint32_t cta, uint32_t step, uint32_t offset, uint32_t bytes)
{
	uint32_t end = offset + bytes;

	while (offset < end && offset < m->p->shape->smem_bytes) {
		uint32_t chunk = offset / CHUNK_BYTES, lane = offset % CHUNK_BYTES,
			 count = CHUNK_BYTES - lane;

		if (count > end - offset)
			count = end - offset;
		m->pending = must_grow(m->pending, m->num_pending, &m->room_pending, sizeof(*m->pending));
		m->pending[m->num_pending] =
			(struct pending){ step, (uint16_t)(((1u << count) - 1) << lane), -1 };
		if (m->last[cta][chunk] < 0)
			m->first[cta][chunk] = (int)m->num_pending;
		else
			m->pending[m->last[cta][chunk]].next = (int)m->num_pending;
		m->last[cta][chunk] = (int)m->num_pending++;
		offset += count;
	}
}

static void expect_step(struct smem *m, uint32_t step)
{
	const struct step *s = &m->p->steps[step];
	struct smem_seen *seen = &m->seen[step];
	uint32_t count, bytes = written(m->p, s, &count, &seen->judged);

	seen->wrote = NOT_SEEN;
	seen->timed = seen->judged && !s->shares;
	for (uint32_t c = 0; bytes && c < m->p->shape->ctas; c++) {
		if (!(targets(&s->cmd) >> c & 1))
			continue;
		expect(m, c, step, s->cmd.shared_dst & 0xffffff, bytes);
		seen->left[c] = count;
	}
}

struct smem *smem_new(const struct program *p)
{
	struct smem *m = must(calloc(1, sizeof(*m)));
	uint32_t chunks = p->shape->smem_bytes / CHUNK_BYTES + TMA_SIM_MAX_BANKS;

	m->p = p;
	m->seen = must(calloc(p->num_steps + 1, sizeof(*m->seen)));
	for (uint32_t c = 0; c < p->shape->ctas; c++) {
		m->first[c] = must(malloc(chunks * sizeof(int)));
		m->last[c] = must(malloc(chunks * sizeof(int)));
		memset(m->first[c], 0xff, chunks * sizeof(int));
		memset(m->last[c], 0xff, chunks * sizeof(int));
		for (uint32_t l = 0; l < TMA_SIM_STREAMS; l++)
			m->read[l][c] = must(calloc(1, chunks));
		m->act[c] = must(malloc((p->sm[c].num + 1) * sizeof(uint64_t)));
		memset(m->act[c], 0xff, (p->sm[c].num + 1) * sizeof(uint64_t));
	}
	for (uint32_t i = 0; i < p->num_steps; i++)
		expect_step(m, i);
	return m;
}

void smem_free(struct smem *m)
{
	for (uint32_t c = 0; c < m->p->shape->ctas; c++) {
		free(m->first[c]);
		free(m->last[c]);
		for (uint32_t l = 0; l < TMA_SIM_STREAMS; l++)
			free(m->read[l][c]);
		free(m->act[c]);
	}
	free(m->seen);
	free(m->pending);
	free(m->signal);
	free(m);
}

/*
 * Writes.
 */

/* What the guest writes is looked at when its life ends. */
static bool is_guests(const struct program *p, uint32_t offset)
{
	return p->guest.on && offset - p->guest.shared_at < p->guest.shared_bytes;
}

/* The bytes go to the oldest steps that want them. */
static void chunk_written(struct smem *m, uint64_t cycle, uint32_t cta, uint32_t chunk, uint16_t bytes)
{
	for (int i = m->first[cta][chunk]; i >= 0 && bytes; i = m->pending[i].next) {
		struct pending *p = &m->pending[i];
		struct smem_seen *seen = &m->seen[p->step];
		uint16_t mine = p->bytes & bytes;

		if (!seen->left[cta])
			continue;
		/* Bytes that it has written: what is left of these it never writes. */
		if (!seen->judged && mine != bytes) {
			p->bytes = 0;
			continue;
		}
		if (!mine)
			continue;
		p->bytes &= (uint16_t)~mine;
		bytes &= (uint16_t)~mine;
		seen->wrote = cycle;
		seen->left[cta] -= (uint32_t)__builtin_popcount(mine);
	}
	if (bytes && !m->p->faults && !is_guests(m->p, chunk * CHUNK_BYTES))
		FAIL(m, "cycle %llu: CTA %u chunk %#x: bytes %#06x are written for no command",
		     (unsigned long long)cycle, cta, chunk * CHUNK_BYTES, bytes);
}

/*
 * Reads of stores and of reductions. Of each stream they are read whole before the next one begins.
 */

/* One without bytes is over when it issues. With several ports multimem stores are a stream of their own; the last one
 * are reductions. */
static bool reads_source(const struct program *p, const struct step *s, uint32_t stream)
{
	uint32_t lanes = p->shape->ports > 1 ? 2 : 1;

	switch (s->cmd.opcode) {
	case TMA_BULK_STORE:
		return !stream && s->cmd.size;
	case TMA_MULTIMEM_BULK_STORE:
		return stream == lanes - 1 && s->cmd.size;
	case TMA_TENSOR_STORE:
		return !stream;
	case TMA_BULK_REDUCE:
	case TMA_MULTIMEM_BULK_REDUCE:
		return stream == lanes && s->cmd.size;
	case TMA_TENSOR_REDUCE:
		return stream == lanes;
	default:
		return false;
	}
}

static void store_read(struct smem *m, uint64_t cycle, uint32_t stream, uint32_t queue)
{
	const struct program *p = m->p;
	const struct step *s;
	uint32_t *next = &m->next_store[stream][queue], chunk, cta;

	while (*next < p->queue[queue].steps && !reads_source(p, program_step(p, queue, *next), stream))
		++*next;
	if (*next == p->queue[queue].steps) {
		FAIL(m, "cycle %llu: queue %u has read a store that it does not have",
		     (unsigned long long)cycle, queue);
		return;
	}
	s = program_step(p, queue, (*next)++);
	chunk = (s->cmd.shared_src & 0xffffff) / CHUNK_BYTES;
	cta = s->cmd.shared_src >> 24;
	for (uint32_t i = 0; s->tensor < 0 && i < s->cmd.size / CHUNK_BYTES; i++)
		if (!m->read[stream][cta][chunk + i])
			FAIL(m,
			     "cycle %llu: queue %u command %u (%s) has read its source, but not chunk %u of %u",
			     (unsigned long long)cycle, queue, s->index, tma_opcode_name(s->cmd.opcode), i,
			     s->cmd.size / CHUNK_BYTES);
}

static void reads(struct smem *m, const struct tma_inside *x)
{
	uint32_t banks = m->p->shape->data_bytes / CHUNK_BYTES;

	for (uint32_t c = 0; c < m->p->shape->ctas; c++)
		for (uint32_t b = 0; x->rd_ctas >> c & 1 && b < banks; b++)
			for (uint32_t l = 0; l < TMA_SIM_STREAMS; l++)
				if (x->rd_row[b] * banks + b < m->p->shape->smem_bytes / CHUNK_BYTES)
					m->read[l][c][x->rd_row[b] * banks + b] = 1;
}

void smem_cycle(struct smem *m, uint64_t cycle, const struct tma_inside *x)
{
	uint32_t banks = m->p->shape->data_bytes / CHUNK_BYTES;

	for (uint32_t c = 0; x->wr_ctas && c < m->p->shape->ctas; c++)
		for (uint32_t b = 0; x->wr_ctas >> c & 1 && b < banks; b++)
			if (x->wr_strb[b])
				chunk_written(m, cycle, c, x->wr_row[b] * banks + b, x->wr_strb[b]);
	/* Of queues that fault nobody knows which stores are read. */
	for (uint32_t l = 0; l < TMA_SIM_STREAMS; l++) {
		if (!x->read_done[l] || m->p->faults)
			continue;
		if (!m->p->guest.on || x->read_done_queue[l] != m->p->guest.queue)
			store_read(m, cycle, l, x->read_done_queue[l]);
		for (uint32_t c = 0; c < m->p->shape->ctas; c++)
			memset(m->read[l][c], 0, m->p->shape->smem_bytes / CHUNK_BYTES);
	}
	if (x->rd_ctas)
		reads(m, x);
	for (uint32_t c = 0; c < m->p->shape->ctas; c++) {
		if (!(x->sig_ctas >> c & 1))
			continue;
		m->signal = must_grow(m->signal, m->num_signals, &m->room_signals, sizeof(*m->signal));
		m->signal[m->num_signals++] =
			(struct smem_signal){ cycle, (uint8_t)c, x->sig_arrive, x->sig_offset, x->sig_tx };
	}
}

void smem_act(struct smem *m, uint64_t cycle, uint32_t cta, uint32_t act)
{
	m->act[cta][act] = cycle;
}

const struct smem_seen *smem_seen(const struct smem *m)
{
	return m->seen;
}

const struct smem_signal *smem_signals(const struct smem *m, uint32_t *count)
{
	*count = m->num_signals;
	return m->signal;
}

uint64_t smem_act_done(const struct smem *m, uint32_t cta, uint32_t act)
{
	return m->act[cta][act];
}

const char *smem_error(const struct smem *m)
{
	return m->error[0] ? m->error : NULL;
}
