/* SPDX-License-Identifier: Apache-2.0 */
/* A function of the program that sees the bursts of a simulated engine. */
#include "device.h"
#include "tma_watch.h"

static int watch(struct tma_device *device, void (*see)(void *context, const struct tma_watch_event *event),
                 void *context)
{
	if (!see)
		return because(TMA_EINVAL, "see is NULL");
	if (!device->backend->watch)
		return because(TMA_ENOTSUP, "the back end \"%s\" does not see its bus",
		               device->backend->name);
	if (device->watched)
		return because(TMA_EINVAL, "somebody watches the device already");
	return device->backend->watch(device->engine, see, context);
}

int tma_watch(struct tma_device *device, void (*see)(void *context, const struct tma_watch_event *event),
              void *context)
{
	int error = check_device(device);

	if (!error) {
		enter(device);
		error = watch(device, see, context);
		device->watched = device->watched || !error;
		leave(device);
	}
	return ended(__func__, error);
}
