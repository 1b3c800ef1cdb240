/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An illegal command, and what stands behind it in its queue and must never happen; perhaps one more of
 * another queue.
 *
 * Each works on memory and barriers that nothing else uses, so nothing else depends on it. Which fault
 * it is, the model says.
 */
#include "crosscheck/bus.h"
#include "crosscheck/gen.h"
#include "crosscheck/illegal.h"

#define MAX_CHUNKS     768u
#define READ_ATTR      1u
#define WRITE_ATTR     2u
#define TENSOR_PERCENT 75
#define REDUCE_PERCENT 35

uint32_t fault_barrier(const struct gen *g, uint32_t cta, enum scratch which)
{
	return cta << 24 | g->area.scratch_offset[which];
}

/* A CTA that the queue may touch. */
static uint32_t any_cta(struct gen *g, uint8_t queue)
{
	uint32_t cta;

	do
		cta = rng_below(&g->rng, g->shape->ctas);
	while (!gen_may_touch(g, queue, (uint8_t)cta));
	return cta;
}

static uint32_t emit_fault(struct gen *g, uint8_t queue, const struct tma_command *cmd, bool late,
                           bool only_ring)
{
	uint32_t step;

	/* Nothing may be added to a command whose reserved bits or flags are the point. */
	if (late) {
		step = gen_emit(g, queue, cmd);
	} else {
		step = gen_emit(g, queue, &(struct tma_command){ 0 });
		g->p->steps[step].cmd = *cmd;
	}
	g->p->steps[step].fault = true;
	g->p->steps[step].late = late;
	g->p->victims[g->p->num_victims++] = (struct victim){ queue, (int)step, only_ring };
	return step;
}

/*
 * Faults of barriers.
 */

static struct tma_command arrive(uint32_t barrier, uint32_t count, unsigned int flags)
{
	return (struct tma_command){ .opcode = TMA_MBARRIER_ARRIVE,
		                     .version = TMA_COMMAND_VERSION,
		                     .barrier = barrier,
		                     .count = count,
		                     .flags = (uint16_t)flags };
}

/* A CTA whose SCRATCH_DEAD is dead, -1: none. */
static int dead_cta(struct gen *g, uint8_t queue)
{
	for (uint32_t i = 0; i < g->p->num_images; i++) {
		const struct image *im = &g->p->images[i];

		if (im->offset == g->area.scratch_offset[SCRATCH_DEAD] &&
		    im->word >> TMA_BARRIER_LIVE_LSB == 1 && gen_may_touch(g, queue, im->cta))
			return im->cta;
	}
	return -1;
}

static struct tma_command on_dead(struct gen *g, uint8_t queue, uint32_t cta)
{
	struct tma_command cmd = { .version = TMA_COMMAND_VERSION,
		                   .barrier = fault_barrier(g, cta, SCRATCH_DEAD) };

	switch (rng_below(&g->rng, 5)) {
	case 4:
		cmd.opcode =
			cta == g->p->queue[queue].cta ? TMA_CP_ASYNC_MBARRIER_ARRIVE : TMA_MBARRIER_ARRIVE;
		cmd.count = cmd.opcode == TMA_MBARRIER_ARRIVE;
		break;
	case 0:
		cmd.opcode = TMA_MBARRIER_EXPECT_TX;
		cmd.tx = 16;
		break;
	case 1:
		cmd.opcode = TMA_MBARRIER_ARRIVE;
		cmd.count = 1;
		break;
	default:
		cmd.opcode = TMA_BULK_LOAD;
		cmd.global_address = g->p->global_base + g->data_at;
		cmd.size = rng_below(&g->rng, 2) * 64;
		cmd.shared_dst = cta << 24 | g->area.reserve_at;
		if (rng_percent(&g->rng, 70)) {
			cmd.flags = TMA_FLAG_MULTICAST;
			cmd.cta_mask = g->p->queue[queue].cta_mask;
		}
	}
	return cmd;
}

static struct tma_command tx_overflow(struct gen *g, uint8_t queue)
{
	uint32_t barrier = fault_barrier(g, any_cta(g, queue), SCRATCH_THREE);
	struct tma_command first = { .opcode = TMA_MBARRIER_EXPECT_TX,
		                     .version = TMA_COMMAND_VERSION,
		                     .barrier = barrier,
		                     .tx = BARRIER_MAX };
	struct tma_command second;

	if (rng_percent(&g->rng, 50))
		first.opcode = TMA_MBARRIER_COMPLETE_TX;
	gen_emit(g, queue, &first);
	second = first;
	second.tx = 1 + rng_below(&g->rng, BARRIER_MAX);
	if (first.opcode == TMA_MBARRIER_EXPECT_TX && rng_percent(&g->rng, 50)) {
		second = arrive(barrier, 1, TMA_FLAG_EXPECT_TX);
		second.tx = 1;
	}
	return second;
}

static struct tma_command barrier_fault(struct gen *g, uint8_t queue)
{
	uint32_t three = fault_barrier(g, any_cta(g, queue), SCRATCH_THREE);
	int dead = dead_cta(g, queue);

	if (g->last_arrive[queue] < 0 && rng_percent(&g->rng, 40))
		return (struct tma_command){ .opcode = TMA_MBARRIER_PENDING_COUNT,
			                     .version = TMA_COMMAND_VERSION,
			                     .flags = TMA_FLAG_LAST_STATE };
	if (rng_percent(&g->rng, 20))
		return (struct tma_command){ .opcode = TMA_CP_ASYNC_MBARRIER_ARRIVE,
			                     .version = TMA_COMMAND_VERSION,
			                     .barrier =
			                             fault_barrier(g, g->p->queue[queue].cta, SCRATCH_FULL) };
	switch (rng_below(&g->rng, 6)) {
	case 0:
	case 1:
		if (dead >= 0)
			return on_dead(g, queue, (uint32_t)dead);
		/* fall through */
	case 4:
		return arrive(three, 4 + rng_below(&g->rng, 100),
		              rng_percent(&g->rng, 50) ? TMA_FLAG_DROP : 0);
	case 2:
		return tx_overflow(g, queue);
	case 3:
		return arrive(three, 3, TMA_FLAG_NO_COMPLETE);
	default:
		return arrive(fault_barrier(g, any_cta(g, queue), SCRATCH_ODD), 2 + rng_below(&g->rng, 2),
		              TMA_FLAG_DROP);
	}
}

/*
 * Faults of accesses, found when the command has left its queue.
 */

uint32_t fault_scratch_attr(const struct gen *g, uint8_t queue)
{
	const struct queue_setup *s = &g->p->queue[queue];
	uint64_t at = g->p->global_base + g->area.scratch_at;

	for (uint32_t i = 0; i < s->num_windows; i++)
		if (at - s->windows[i].base <= s->windows[i].limit - s->windows[i].base)
			return s->windows[i].attr;
	return 0;
}

/* Reads and writes of these bytes fail. */
void fault_error(struct gen *g, uint32_t port, uint64_t address, uint32_t bytes)
{
	struct bus_error *e = &g->p->errors[g->p->num_errors++];

	*e = (struct bus_error){ .port = (uint8_t)port,
		                 .address = address,
		                 .bytes = bytes,
		                 .read = true,
		                 .write = true,
		                 .resp = rng_percent(&g->rng, 50) ? 2 : 3 };
}

/* Let an access to these bytes fail somewhere: an error response, no memory, no window. */
void fault_spoil(struct gen *g, uint64_t *offset, uint32_t bytes, bool allowed)
{
	uint64_t at = *offset + rng_below(&g->rng, bytes), last = g->area.scratch_at + g->area.scratch_bytes;
	uint32_t page;

	/* What lies behind the first bad byte must not matter, of whatever sort it is. */
	if (rng_percent(&g->rng, 40))
		fault_error(g, 0,
		            g->p->global_base + g->area.scratch_at +
		                    rng_below(&g->rng, (uint32_t)g->area.scratch_bytes - 300),
		            1 + rng_below(&g->rng, 300));
	if (!allowed)
		return; /* the window says no */
	switch (rng_below(&g->rng, 4)) {
	case 0:
		/* Over the last window's end, or all of it behind. */
		*offset = last - rng_below(&g->rng, bytes / CHUNK_BYTES) * CHUNK_BYTES;
		break;
	case 1:
		page = (uint32_t)(at / PAGE_BYTES);
		if (g->area.last)
			g->p->mapped = page * PAGE_BYTES;
		else
			fault_error(g, 0, g->p->global_base + page * PAGE_BYTES, PAGE_BYTES);
		break;
	default:
		fault_error(g, 0, g->p->global_base + at, 1 + rng_below(&g->rng, 100));
	}
}

void fault_either(struct gen *g, struct either e)
{
	struct program *p = g->p;

	p->eithers = must_grow(p->eithers, p->num_eithers, &p->room_eithers, sizeof(*p->eithers));
	p->eithers[p->num_eithers] = e;
	p->eithers[p->num_eithers++].victim = (uint8_t)p->num_victims;
}

/* A command whose access goes wrong; what it touches may be old or new. */
static struct tma_command access_fault(struct gen *g, uint8_t queue)
{
	uint32_t max = g->area.reserve_bytes / CHUNK_BYTES < MAX_CHUNKS ? g->area.reserve_bytes / CHUNK_BYTES
	                                                                : MAX_CHUNKS;
	uint32_t chunks = 1 + rng_below(&g->rng, max), bytes = chunks * CHUNK_BYTES;
	uint32_t spare = (uint32_t)g->area.scratch_bytes - bytes, kind = rng_below(&g->rng, 5);
	uint64_t offset = g->area.scratch_at + rng_below(&g->rng, spare / CHUNK_BYTES + 1) * CHUNK_BYTES;
	uint32_t shared = g->area.reserve_at +
	                  rng_below(&g->rng, g->area.reserve_bytes / CHUNK_BYTES - chunks + 1) * CHUNK_BYTES;
	uint32_t attr = fault_scratch_attr(g, queue), cta = g->p->queue[queue].cta,
		 target = any_cta(g, queue);
	struct tma_command cmd = { .opcode = TMA_BULK_LOAD, .size = bytes };

	fault_spoil(g, &offset, bytes, attr & (kind < 2 ? WRITE_ATTR : READ_ATTR));
	cmd.global_address = g->p->global_base + offset;
	if (kind < 2) {
		uint16_t mask = (uint16_t)rng_next(&g->rng);

		cmd.opcode = TMA_BULK_STORE;
		cmd.shared_src = cta << 24 | shared;
		cmd.flags = kind ? TMA_FLAG_CP_MASK : 0;
		cmd.byte_mask = kind ? mask : 0;
		fault_either(g, (struct either){ .dst_cta = -1,
		                                 .dst = offset,
		                                 .src_cta = (int)cta,
		                                 .src = shared,
		                                 .bytes = bytes,
		                                 .mask = kind ? mask : 0xffff });
		return cmd;
	}
	cmd.shared_dst = target << 24 | shared;
	cmd.barrier = fault_barrier(g, target, SCRATCH_THREE);
	if (kind == 4) {
		cmd.flags = TMA_FLAG_MULTICAST;
		cmd.cta_mask = g->p->queue[queue].cta_mask;
	}
	for (uint32_t c = 0; c < g->shape->ctas; c++)
		if ((kind == 4 ? cmd.cta_mask : 1u << target) >> c & 1)
			fault_either(g, (struct either){ .dst_cta = (int)c,
			                                 .dst = shared,
			                                 .src_cta = -1,
			                                 .src = offset,
			                                 .bytes = bytes,
			                                 .mask = 0xffff });
	return cmd;
}

/* A load that arrives, but whose signal leaves the tx-count's range, in one CTA or in some. */
static struct tma_command signal_fault(struct gen *g, uint8_t queue)
{
	uint32_t target = any_cta(g, queue), fills = 1;
	struct tma_command cmd = { .opcode = TMA_BULK_LOAD,
		                   .global_address = g->p->global_base + g->area.scratch_at,
		                   .size = CHUNK_BYTES * (1 + rng_below(&g->rng, 8)),
		                   .shared_dst = target << 24 | g->area.reserve_at,
		                   .barrier = fault_barrier(g, target, SCRATCH_THREE) };
	uint16_t filled = 0;

	if (rng_percent(&g->rng, 40))
		return (struct tma_command){ .opcode = TMA_CP_ASYNC_MBARRIER_ARRIVE,
			                     .flags = TMA_FLAG_NOINC,
			                     .barrier = fault_barrier(g, g->p->queue[queue].cta,
			                                              SCRATCH_ARMED) };
	if (!(fault_scratch_attr(g, queue) & READ_ATTR))
		return access_fault(g, queue);
	if (rng_percent(&g->rng, 60)) {
		cmd.flags = TMA_FLAG_MULTICAST;
		cmd.cta_mask = g->p->queue[queue].cta_mask;
		fills += rng_below(&g->rng, 3);
	}
	for (; fills; fills--) {
		struct tma_command fill = { .opcode = TMA_MBARRIER_COMPLETE_TX,
			                    .barrier = fault_barrier(g, target, SCRATCH_THREE),
			                    .tx = BARRIER_MAX - rng_below(&g->rng, 16) };

		if (!(filled >> target & 1))
			gen_emit(g, queue, &fill);
		filled |= (uint16_t)(1u << target);
		target = any_cta(g, queue);
	}
	return cmd;
}

/*
 * What follows in the queue.
 */

static void emit_never(struct gen *g, uint8_t queue, struct tma_command cmd, enum rule rule)
{
	uint32_t step = gen_emit(g, queue, &cmd);

	g->p->steps[step].rule = rule;
	if (rule == RULE_NEVER)
		g->p->steps[step].cmd.flags |= TMA_FLAG_RECORD;
}

/* Something that nothing behind it may pass before the fault is known. */
static void hold(struct gen *g, uint8_t queue, bool store)
{
	if (store && rng_percent(&g->rng, 50)) {
		emit_never(g, queue, (struct tma_command){ .opcode = TMA_BULK_COMMIT_GROUP }, RULE_MAYBE);
		emit_never(g, queue, (struct tma_command){ .opcode = TMA_BULK_WAIT_GROUP }, RULE_NEVER);
		return;
	}
	emit_never(g, queue,
	           (struct tma_command){ .opcode = TMA_MBARRIER_TRY_WAIT,
	                                 .flags = TMA_FLAG_PARITY,
	                                 .tx = FOREVER,
	                                 .barrier = fault_barrier(g, g->p->queue[queue].cta, SCRATCH_NEVER) },
	           RULE_NEVER);
}

/* An arrive behind a cp.async that fails: nobody sees it. */
static void dropped_arrival(struct gen *g, uint8_t queue)
{
	uint32_t step = gen_emit(
		g, queue,
		&(struct tma_command){ .opcode = TMA_CP_ASYNC_MBARRIER_ARRIVE,
	                               .flags = TMA_FLAG_NOINC,
	                               .barrier = fault_barrier(g, g->p->queue[queue].cta, SCRATCH_NEVER) });

	g->p->steps[step].rule = RULE_MAYBE;
}

static bool is_store(const struct tma_command *cmd)
{
	return cmd->opcode == TMA_BULK_STORE || cmd->opcode == TMA_MULTIMEM_BULK_STORE ||
	       cmd->opcode == TMA_TENSOR_STORE || bus_updates(cmd->opcode);
}

/* Each of these would leave a trace. */
static void traps(struct gen *g, uint8_t queue)
{
	uint32_t count = rng_below(&g->rng, 5), cta = g->p->queue[queue].cta;

	while (count--) {
		switch (rng_below(&g->rng, 3)) {
		case 0:
			emit_never(g, queue, (struct tma_command){ .opcode = TMA_SIGNAL }, RULE_NEVER);
			break;
		case 1:
			emit_never(g, queue, arrive(fault_barrier(g, cta, SCRATCH_THREE), 1, 0), RULE_NEVER);
			break;
		default:
			emit_never(g, queue,
			           (struct tma_command){ .opcode = TMA_BULK_STORE,
			                                 .size = 64,
			                                 .global_address = g->p->global_base + g->data_at,
			                                 .shared_src = cta << 24 | g->area.reserve_at },
			           RULE_NEVER);
		}
	}
}

static void swap_areas(struct gen *g)
{
	struct area area = g->area;

	g->area = g->other;
	g->other = area;
}

static void emit_all(struct gen *g, const struct txn *t)
{
	bool ports = g->two_ports;
	uint32_t form = !ports ? rng_below(&g->rng, 14) : g->area.last ? 3 : 0;
	bool late = form < 8, only_ring = false;
	struct tma_command cmd = { .opcode = TMA_SIGNAL, .version = TMA_COMMAND_VERSION };
	struct tensor_fault tensor = { 0 };
	uint32_t step;

	if (g->p->tensor && !ports && rng_percent(&g->rng, TENSOR_PERCENT) &&
	    fault_tensor(g, t->queue, &tensor)) {
		cmd = tensor.cmd;
		late = tensor.late;
	} else if (form >= 12 && fault_poison(g, t->queue))
		only_ring = true;
	else if (form >= 10)
		cmd = illegal_command(g, t->queue);
	else if (form >= 8)
		cmd = barrier_fault(g, t->queue);
	else if (g->p->reduce && !ports && rng_percent(&g->rng, REDUCE_PERCENT))
		cmd = fault_reduce(g, t->queue);
	else if (form < 3)
		cmd = access_fault(g, t->queue);
	else if (form < 5 && g->area.last)
		cmd = fault_multimem(g, t->queue);
	else if (form < 7)
		cmd = fault_copy(g, t->queue);
	else
		cmd = signal_fault(g, t->queue);
	step = emit_fault(g, t->queue, &cmd, late, only_ring);
	if (tensor.moves)
		tensor_note(g, step, &tensor.map, &tensor.span);
	g->dead[t->queue] = true;
	if (cmd.opcode == TMA_CP_ASYNC && rng_percent(&g->rng, 50))
		dropped_arrival(g, t->queue);
	if (late)
		hold(g, t->queue, is_store(&cmd));
	traps(g, t->queue);
}

bool lower_fault(struct gen *g, const struct txn *t)
{
	bool second = t->queue == g->second;

	if (g->dead[t->queue] || g->p->num_victims == MAX_VICTIMS)
		return false;
	if (second)
		swap_areas(g);
	emit_all(g, t);
	if (second)
		swap_areas(g);
	return true;
}
