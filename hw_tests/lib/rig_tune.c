/* SPDX-License-Identifier: Apache-2.0 */
/* New options for a rig whose engine stays. */
#include "lib/rig_tune.h"

#include <errno.h>
#include <string.h>

#include "lib/rig_priv.h"

int rig_tune(struct rig *rig, const struct rig_opts *opts)
{
	for (uint32_t p = 0; p < rig->info->ports; p++)
		if (axi_mem_outstanding(rig->mem[p]))
			return -EBUSY;
	memset(&rig->o, 0, sizeof(rig->o));
	memcpy(&rig->o, opts, opts->size < sizeof(rig->o) ? opts->size : sizeof(rig->o));
	if (!rig->o.latency)
		rig->o.latency = RIG_DEFAULT_LATENCY;
	rig_seed(rig);
	rig_legal_none(rig);
	for (uint32_t p = 0; p < rig->info->ports; p++) {
		axi_check_max_wait(rig->check[p], rig_ready_wait(rig));
		axi_mem_free(rig->mem[p]);
		rig->mem[p] = rig_new_memory(rig, p);
		if (!rig->mem[p])
			return -ENOMEM;
		/* Its pins start as after a reset: nothing valid, nothing ready. */
		axi_mem_reset(rig->mem[p], rig_bus_in(rig, p));
	}
	return rig_ring_map_all(rig);
}
