/* SPDX-License-Identifier: Apache-2.0 */
/* What the issue stage tells the paths of copies. See tma_issue_env.h. */
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_issue_env.h"
#include "unit_rtl/tma_issue_ref.h"

/* What each path is told, in the words of them all. */
static void get_origin(struct issue_copy *x, const struct issue_origin *o)
{
	x->queue = o->qid;
	x->seq = o->seq;
	x->tag = o->tag;
}

static void get_signal(struct issue_copy *x, const struct issue_signal *s)
{
	get_origin(x, &s->origin);
	x->arrive = s->arrive;
	x->ctas = s->ctas;
	x->again = s->again;
	x->barrier = s->barrier;
	x->bytes = s->bytes;
}

static void get_hint(struct issue_copy *x, const struct issue_hint *h)
{
	x->qos = h->qos;
	x->cg = h->cg;
	x->l2 = h->prefetch;
	x->evict = h->evict;
}

static void get_tensor(struct issue_copy *x, uint32_t tensor, const struct issue_tensor_op *op)
{
	x->tensor = tensor;
	x->mode = op->mode;
	x->dim = op->dim;
	memcpy(x->coord, op->coord, sizeof(x->coord));
}

static struct issue_copy load_of(const struct issue_load_cmd *c)
{
	struct issue_copy x = { .client = c->client,
		                .gaddr = c->gaddr,
		                .chunks = c->chunks,
		                .dst = c->saddr,
		                .dst_ctas = c->dst };

	get_signal(&x, &c->signal);
	get_hint(&x, &c->hint);
	get_tensor(&x, c->tensor, &c->op);
	for (uint32_t i = 0; i < 3; i++)
		x.im2col[i] = c->im2col[i];
	x.cp_arrive = c->cp.arrive;
	x.cp_dst = c->cp.dst;
	x.cp_size = c->cp.size;
	x.cp_valid = c->cp.valid;
	return x;
}

static struct issue_copy prefetch_of(const struct issue_prefetch_cmd *c)
{
	struct issue_copy x = { .gaddr = c->gchunk << 4, .chunks = c->chunks, .queue = c->qid };

	get_hint(&x, &c->hint);
	return x;
}

static struct issue_copy store_of(const struct issue_store_cmd *c)
{
	struct issue_copy x = { .gaddr = c->gaddr,
		                .chunks = c->chunks,
		                .cta = c->cta,
		                .src = c->saddr,
		                .byte_mask = c->byte_mask,
		                .multimem = c->multimem };

	get_origin(&x, &c->origin);
	get_hint(&x, &c->hint);
	get_tensor(&x, c->tensor, &c->op);
	return x;
}

static struct issue_copy reduce_of(const struct issue_reduce_cmd *c)
{
	struct issue_copy x = store_of(&c->copy);

	x.op = c->how.op;
	x.kind = c->how.kind;
	return x;
}

static struct issue_copy shared_of(const struct issue_shared_cmd *c)
{
	struct issue_copy x = { .chunks = c->chunks,
		                .cta = c->src_cta,
		                .src = c->src,
		                .dst = c->dst,
		                .reduce = c->reduce,
		                .op = c->how.op,
		                .kind = c->how.kind };

	get_signal(&x, &c->signal);
	return x;
}

void issue_check_copies(struct env *e, bool retires)
{
	const struct tma_command *c = &e->cmd.cmd;
	const struct issue_copy want = issue_copy_of(e);
	struct issue_copy got = { 0 };
	bool moves = retires && c->size, map = c->opcode == TMA_PREFETCH_TENSORMAP;
	bool multimem = c->opcode == TMA_MULTIMEM_BULK_STORE, cp = moves && c->opcode == TMA_CP_ASYNC;
	bool load = moves && c->opcode == TMA_BULK_LOAD && e->cmd.ctas;
	bool prefetch = moves && c->opcode == TMA_BULK_PREFETCH;
	bool store = moves && (c->opcode == TMA_BULK_STORE || multimem);
	bool shared = moves && (c->opcode == TMA_BULK_SHARED || c->opcode == TMA_BULK_REDUCE_SHARED);
	bool reduce = moves && (c->opcode == TMA_BULK_REDUCE || c->opcode == TMA_MULTIMEM_BULK_REDUCE);

	load = load || (retires && c->opcode == TMA_TENSOR_LOAD && want.dst_ctas);
	REQUIRE(e, e->out->group.load == load);
	load = load || cp || (retires && c->opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE);
	load = load || (retires && (c->opcode == TMA_TENSOR_PREFETCH || map));
	store = store || (retires && c->opcode == TMA_TENSOR_STORE);
	reduce = reduce || (retires && c->opcode == TMA_TENSOR_REDUCE);
	REQUIRE(e, e->out->path.fence_valid == (retires && c->opcode == TMA_MAP_FENCE));
	if (e->out->path.fence_valid)
		REQUIRE(e, e->out->path.fence_addr == c->global_address / 64 &&
		                   e->out->path.fence_queue == e->cmd.qid);
	REQUIRE(e, e->out->path.load_valid == load);
	REQUIRE(e, e->out->path.prefetch_valid == prefetch);
	REQUIRE(e, e->out->path.store_valid == store);
	REQUIRE(e, e->out->path.reduce_valid == reduce);
	REQUIRE(e, e->out->path.shared_valid == shared);
	REQUIRE(e, e->out->group.store == store);
	REQUIRE(e, e->out->group.reduce == reduce);
	REQUIRE(e, e->out->group.commit == (retires && c->opcode == TMA_BULK_COMMIT_GROUP));
	REQUIRE(e, e->out->group.cp == cp);
	REQUIRE(e, e->out->group.cp_commit == (retires && c->opcode == TMA_CP_ASYNC_COMMIT_GROUP));
	REQUIRE(e, e->out->copy == (load || store || reduce || shared));
	if (load)
		got = load_of(&e->out->path.load);
	if (prefetch)
		got = prefetch_of(&e->out->path.prefetch);
	if (store)
		got = store_of(&e->out->path.store);
	if (reduce) {
		got = reduce_of(&e->out->path.reduce);
		REQUIRE(e, !e->out->path.reduce.how.flush);
	}
	if (shared) {
		got = shared_of(&e->out->path.shared);
		REQUIRE(e, !e->out->path.shared.how.flush);
	}
	if (load || prefetch || store || reduce || shared)
		REQUIRE(e, !memcmp(&got, &want, sizeof(want)));
	e->copies += load || store || reduce || shared;
	e->reductions += reduce + (want.reduce && shared);
}
