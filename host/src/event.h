/* SPDX-License-Identifier: Apache-2.0 */
/* File descriptors that are readable while a queue has records. */
#ifndef EVENT_H
#define EVENT_H

#include "device.h"

#define NO_EVENT (-1)

/** Make the queue's descriptor, if it has one, say whether there are records now. */
void event_update(struct tma_queue *queue);
/** The same for every queue of the device. */
void event_update_all(const struct tma_device *device);

void event_close(struct tma_queue *queue);

#endif
