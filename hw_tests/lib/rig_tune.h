/* SPDX-License-Identifier: Apache-2.0 */
/* rig_tune - other timing for the engine that a rig already has. */
#ifndef RIG_TUNE_H
#define RIG_TUNE_H

#include "lib/rig.h"

/** Take all options anew but fst, which has to be NULL, as rig_open() would, the random streams from
 * @p opts->seed included. Regions and error ranges are dropped. Nothing may be in flight.
 * @retval -EBUSY   something is: nothing changed
 * @retval -ENOMEM  the rig is of no more use */
int rig_tune(struct rig *rig, const struct rig_opts *opts);

#endif
