/* SPDX-License-Identifier: Apache-2.0 */
#include "crosscheck/guest_look.h"

#include "tma_regs.h"

static bool shows(struct rig *rig, uint32_t queue, uint32_t mask, uint32_t bits)
{
	return (rig_csr(rig, TMA_REG_QUEUE_STATUS(queue)) & mask) == bits;
}

bool guest_is_at(struct rig *rig, uint32_t queue, uint32_t mask, uint32_t bits, uint32_t head)
{
	return shows(rig, queue, mask, bits) && rig_csr(rig, TMA_REG_QUEUE_HEAD(queue)) == head &&
	       shows(rig, queue, mask, bits);
}
