/* SPDX-License-Identifier: Apache-2.0 */
/* Reference of the reductions: the bursts of a command, by the windows. See tma_reduce_env.h. */
#include "tma_abi.h"
#include "unit_rtl/tma_reduce_env.h"

enum want { WANT_READ, WANT_WRITE, WANT_MULTIMEM };

static bool allowed(const struct env *e, uint32_t queue, uint32_t page, enum want want)
{
	uint64_t number = ENV_BASE / ENV_PAGE + page;

	for (uint32_t i = 0; i < e->num_windows[queue]; i++) {
		const struct reduce_window *w = &e->windows[queue][i];
		bool may = want == WANT_READ ? w->read : want == WANT_WRITE ? w->write : w->multimem;

		if (may && w->base <= number && number <= w->limit)
			return true;
	}
	return false;
}

static const struct reduce_multimem *mapped(const struct env *e, uint32_t page)
{
	uint64_t number = ENV_BASE / ENV_PAGE + page;

	for (uint32_t i = 0; i < e->num_multimem; i++) {
		const struct reduce_multimem *m = &e->in->multimem[i];

		if (m->ports && m->base <= number && number <= m->limit)
			return m;
	}
	return NULL;
}

static uint32_t deny_code(const struct env *e, const struct env_cmd *c, uint32_t page)
{
	uint32_t queue = c->cmd.copy.origin.qid;

	if (c->cmd.copy.multimem)
		return !allowed(e, queue, page, WANT_MULTIMEM) ? TMA_FAULT_WINDOW_MULTIMEM
		       : !mapped(e, page)                      ? TMA_FAULT_MULTIMEM_UNMAPPED
		                                               : 0;
	if (!allowed(e, queue, page, WANT_READ))
		return TMA_FAULT_WINDOW_READ;
	return allowed(e, queue, page, WANT_WRITE) ? 0 : TMA_FAULT_WINDOW_WRITE;
}

/* The bursts of a row, which end with every 16 beats. @return whether all of it is allowed */
static bool plan_row(const struct env *e, struct env_cmd *c, uint32_t at, uint32_t bytes, uint32_t from)
{
	uint32_t end = at + (bytes + CHUNK - 1) / CHUNK * CHUNK, start = at, next, p;
	uint32_t piece = ENV_BEATS * e->info->data_bytes;

	for (; at < end; at = next) {
		struct env_burst *b = &c->burst[c->bursts];
		uint32_t page = at / ENV_PAGE;

		next = (at / piece + 1) * piece;
		next = next < end ? next : end;
		c->deny_code = deny_code(e, c, page);
		c->deny_address = ENV_BASE + at;
		if (c->deny_code)
			return false;
		assert_true(c->bursts < ENV_BURSTS);
		c->bursts++;
		b->offset = at;
		b->bytes = next - at;
		b->valid = (next < start + bytes ? next : start + bytes) - at;
		b->from = from + at - start;
		b->ports = c->cmd.copy.multimem ? mapped(e, page)->ports : 1;
		for (p = 0; p < e->info->ports; p++) {
			const struct reduce_multimem *m = c->cmd.copy.multimem ? mapped(e, page) : NULL;
			uint64_t moved = m ? m->port_base[p] - m->base : 0;

			b->at[p] = (uint32_t)(ENV_BASE + at + moved * ENV_PAGE - ref_base(p));
		}
	}
	return true;
}

/* Rows of a chunk, one after the other: two that lie in one line, the second one behind the first there and right
 * behind it in shared memory, have one burst; behind a swizzle only where one read finds them both. */
static bool joins(const struct env *e, struct env_cmd *c, uint32_t at, uint32_t bytes, uint32_t from)
{
	struct env_burst *b = c->bursts ? &c->burst[c->bursts - 1] : NULL;
	uint32_t beat = e->info->data_bytes;

	if (!b || bytes != CHUNK || b->valid != CHUNK || b->apart || at <= b->offset ||
	    at / beat != b->offset / beat || from != b->from + CHUNK ||
	    (c->tensor.swizzle && from % 128 == 0))
		return false;
	b->apart = at - b->offset;
	b->bytes = b->apart + CHUNK;
	b->valid = 2 * CHUNK;
	return true;
}

/* The rows of a tensor reduction with data, innermost loop first. */
static void plan_tensor(const struct env *e, struct env_cmd *c)
{
	const struct env_tensor *t = &c->tensor;
	uint32_t rows = t->gather ? ENV_LEVELS : 1, bytes, k, i;

	bytes = t->chunks * CHUNK - (t->odd ? CHUNK - t->odd : 0);
	for (i = 0; i < t->loops && !t->gather; i++)
		rows *= t->count[i];
	for (k = 0; k < rows && !t->empty; k++) {
		int64_t at = t->offset;
		bool inside = !t->outside;
		uint32_t rest = k, from = (t->saddr + k * t->pitch) * CHUNK;

		for (i = 0; i < t->loops; i++) {
			uint32_t turn = t->gather ? 0 : rest % t->count[i];
			int64_t c0 = t->start[i] + (int64_t)turn * t->step[i];

			if (t->gather && i != k)
				continue;
			rest /= t->gather ? 1 : t->count[i];
			inside = inside && c0 >= 0 && c0 < t->dim[i];
			/* Rows of a gather have one stride. */
			at += (c0 - t->start[t->gather ? 0 : i]) * t->stride[i] * CHUNK;
		}
		if (!inside)
			continue;
		assert_true(at >= 0 && at + bytes <= ENV_BYTES);
		if (!joins(e, c, (uint32_t)at, bytes, from) && !plan_row(e, c, (uint32_t)at, bytes, from))
			return;
	}
	c->deny_code = t->fault;
	c->deny_address = t->fault_address;
}

/* A read of shared memory per beat, and one more where a swizzled beat lies in two lines of 128 bytes. */
static uint32_t reads_of(const struct env *e, const struct env_cmd *c, const struct env_burst *b)
{
	uint32_t beat = e->info->data_bytes, at = b->offset, end = at + b->bytes, reads = 0;

	if (b->apart)
		return 1;
	while (at < end) {
		uint32_t next = (at / beat + 1) * beat, from = b->from + at - b->offset;

		next = next < end ? next : end;
		reads++;
		if (c->cmd.copy.tensor && c->tensor.swizzle && from / 128 != (from + next - at - 1) / 128)
			reads++;
		at = next;
	}
	return reads;
}

void ref_plan(const struct env *e, struct env_cmd *c)
{
	if (c->cmd.copy.tensor)
		plan_tensor(e, c);
	else
		plan_row(e, c, (uint32_t)(c->cmd.copy.gaddr - ENV_BASE), c->cmd.copy.chunks * CHUNK,
		         c->cmd.copy.saddr * CHUNK);
	for (uint32_t i = 0; i < c->bursts; i++)
		c->reads += reads_of(e, c, &c->burst[i]) * (uint32_t)__builtin_popcount(c->burst[i].ports);
}
