/* SPDX-License-Identifier: Apache-2.0 */
/* Faults 0x30 to 0x3B: CTAs, shared memory and queues that a command may not name. */
#include "engine/fault_cases.h"

#define ALL_CTAS 16u

REFUSED(source_elsewhere, fault_store(), c.shared_src, c.shared_src |= fault_at(1, 0))
REFUSED(tensor_source_elsewhere, fault_tile(p, TMA_TENSOR_STORE), c.shared_dst,
        c.shared_dst |= fault_at(1, 0))
REFUSED(beyond_the_cluster, fault_load(), c.shared_dst, c.shared_dst |= fault_at(p->shape.ctas, 0))
REFUSED(cp_beyond_the_cluster, fault_cp_async(), c.shared_dst, c.shared_dst |= fault_at(p->shape.ctas, 0))
REFUSED(local_elsewhere, fault_load(), c.shared_dst, c.flags = TMA_FLAG_CTA_LOCAL,
        c.shared_dst |= fault_at(1, 0))
REFUSED(cp_elsewhere, fault_cp_async(), c.shared_dst, c.shared_dst |= fault_at(1, 0))

/* Whole granules to CTA 1, with the barrier there. */
static struct tma_command to_cta_1(void)
{
	struct tma_command c = fault_command(TMA_BULK_SHARED);

	c.size = 64;
	c.shared_src = fault_store().shared_src;
	c.shared_dst = fault_load().shared_dst | fault_at(1, 0);
	c.barrier = fault_at(1, FAULT_BAR);
	return c;
}

REFUSED(into_the_own_cta, to_cta_1(), c.shared_dst, c.shared_dst = fault_load().shared_dst)

static void mask_beyond_the_cluster(struct fault_program *p)
{
	struct tma_command c = fault_load();

	c.flags = TMA_FLAG_MULTICAST;
	c.cta_mask = (uint16_t)(1u << p->shape.ctas | 1);
	if (p->shape.ctas == ALL_CTAS)
		p->skip = "every bit of a mask is a CTA";
	fault_refused(p, c, c.cta_mask);
}

REFUSED(barrier_elsewhere, fault_load(), c.barrier, c.barrier |= fault_at(1, 0))
REFUSED(barrier_beyond_the_pair, fault_tile(p, TMA_TENSOR_LOAD), c.barrier, c.flags = TMA_FLAG_CTA_GROUP_2,
        c.barrier |= fault_at(2, 0))
REFUSED(pair_is_denied, fault_tile(p, TMA_TENSOR_LOAD), 0x2, c.flags = TMA_FLAG_CTA_GROUP_2,
        c.barrier |= fault_at(1, 0), p->cta_mask = 0x1)
REFUSED(arrive_beyond_the_cluster, fault_on_barrier(TMA_MBARRIER_ARRIVE), c.barrier,
        c.barrier |= fault_at(p->shape.ctas, 0))
REFUSED(remote_init, fault_on_barrier(TMA_MBARRIER_INIT), c.barrier, c.barrier |= fault_at(1, 0))
REFUSED(remote_cp_arrive, fault_on_barrier(TMA_CP_ASYNC_MBARRIER_ARRIVE), c.barrier,
        c.barrier |= fault_at(1, 0))
REFUSED(one_cta_of_a_mask, fault_load(), 0x2, c.flags = TMA_FLAG_MULTICAST, c.cta_mask = 0x3,
        p->cta_mask = 0x1)
BUILD(cp_into_a_denied_cta, p->cta_mask = 0x2, fault_refused(p, fault_cp_async(), 0x1),
      p->recovery = FAULT_SET_UP)
REFUSED(source_too_far, fault_store(), c.shared_src, c.shared_src = p->shape.smem_bytes - 48)
REFUSED(destination_too_far, fault_load(), c.shared_dst, c.shared_dst = p->shape.smem_bytes - 48)
REFUSED(cp_behind_the_memory, fault_cp_async(), c.shared_dst, c.shared_dst = p->shape.smem_bytes)
REFUSED(barrier_behind_the_memory, fault_on_barrier(TMA_MBARRIER_ARRIVE), c.barrier,
        c.barrier = p->shape.smem_bytes)
REFUSED(cancel_without_leave, fault_command(TMA_CANCEL), c.count, c.count = FAULT_OTHER,
        p->cancel_mask = 1u << FAULT_QUEUE)
REFUSED(cancel_of_nobody, fault_command(TMA_CANCEL), c.count, c.count = 0x10000, p->cancel_mask = 0xffff)

static const struct fault_case cases[] = {
	{ TMA_FAULT_SRC_CTA, "source in another CTA", FAULT_BOTH_FRONTS, source_elsewhere },
	{ TMA_FAULT_SRC_CTA, "tensor store from another CTA", FAULT_BOTH_FRONTS, tensor_source_elsewhere },
	{ TMA_FAULT_DST_CTA, "load, beyond the cluster", FAULT_BOTH_FRONTS, beyond_the_cluster },
	{ TMA_FAULT_DST_CTA, "cp.async, beyond the cluster", FAULT_BOTH_FRONTS, cp_beyond_the_cluster },
	{ TMA_FAULT_DST_NOT_LOCAL, "shared::cta in another CTA", FAULT_BOTH_FRONTS, local_elsewhere },
	{ TMA_FAULT_DST_NOT_LOCAL, "cp.async into another CTA", FAULT_BOTH_FRONTS, cp_elsewhere },
	{ TMA_FAULT_DST_LOCAL, "CTA to CTA into the own CTA", FAULT_BOTH_FRONTS, into_the_own_cta },
	{ TMA_FAULT_MASK_CTA, "beyond the cluster", FAULT_BOTH_FRONTS, mask_beyond_the_cluster },
	{ TMA_FAULT_BARRIER_CTA, "load's barrier elsewhere", FAULT_BOTH_FRONTS, barrier_elsewhere },
	{ TMA_FAULT_BARRIER_CTA, "cta_group::2, beyond the pair", FAULT_BOTH_FRONTS,
	  barrier_beyond_the_pair },
	{ TMA_FAULT_BARRIER_CTA, "arrive, beyond the cluster", FAULT_BOTH_FRONTS, arrive_beyond_the_cluster },
	{ TMA_FAULT_BARRIER_NOT_LOCAL, "remote init", FAULT_BOTH_FRONTS, remote_init },
	{ TMA_FAULT_BARRIER_NOT_LOCAL, "remote arrive of cp.async", FAULT_BOTH_FRONTS, remote_cp_arrive },
	{ TMA_FAULT_CTA_DENIED, "one CTA of a mask", FAULT_BOTH_FRONTS, one_cta_of_a_mask },
	{ TMA_FAULT_CTA_DENIED, "cp.async, the own CTA", FAULT_BOTH_FRONTS, cp_into_a_denied_cta },
	{ TMA_FAULT_CTA_DENIED, "cta_group::2, the pair's barrier", FAULT_BOTH_FRONTS, pair_is_denied },
	{ TMA_FAULT_SRC_RANGE, "one granule too far", FAULT_BOTH_FRONTS, source_too_far },
	{ TMA_FAULT_DST_RANGE, "one granule too far", FAULT_BOTH_FRONTS, destination_too_far },
	{ TMA_FAULT_DST_RANGE, "cp.async behind the memory", FAULT_BOTH_FRONTS, cp_behind_the_memory },
	{ TMA_FAULT_BARRIER_RANGE, "right behind the memory", FAULT_BOTH_FRONTS, barrier_behind_the_memory },
	{ TMA_FAULT_CANCEL_DENIED, "a queue outside the mask", FAULT_BOTH_FRONTS, cancel_without_leave },
	{ TMA_FAULT_CANCEL_DENIED, "a queue that does not exist", FAULT_BOTH_FRONTS, cancel_of_nobody },
};

const struct fault_list fault_address_cases = FAULT_LIST(cases);
