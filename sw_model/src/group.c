/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk groups and cp.async groups. Without a seed a copy is complete once it has issued, so a group is complete
 * once it is committed and no wait ever blocks; the counts are kept for software to see. A bulk group holds
 * stores, and of the loads in front of its commit the reads. */
#include "model.h"

struct outcome model_commit_group(const struct issue *issue)
{
	issue->queue->status.open_stores = 0;
	issue->queue->status.open_loads = 0;
	issue->queue->status.groups++;
	return (struct outcome){ .kind = TMA_KIND_RETIRED };
}

/* Of either kind of group. */
struct outcome model_wait_group(const struct issue *issue)
{
	(void)issue;
	return (struct outcome){ .kind = TMA_KIND_RETIRED };
}

struct outcome model_cp_commit_group(const struct issue *issue)
{
	issue->queue->status.open_copies = 0;
	issue->queue->status.copy_groups++;
	return (struct outcome){ .kind = TMA_KIND_RETIRED };
}

/* Waits for the open group too and leaves it empty; it does not become one of the committed ones. */
struct outcome model_cp_wait_all(const struct issue *issue)
{
	issue->queue->status.open_copies = 0;
	return (struct outcome){ .kind = TMA_KIND_RETIRED };
}
