/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xrt_driver - finds the driver library that libxrt is about to load, before libxrt does.
 *
 * XRT is two libraries: libxrt_coreutil, and one of several drivers, which it loads when it is first used. If that
 * fails it ends the process. So it must not come to that.
 */
#ifndef XRT_DRIVER_H
#define XRT_DRIVER_H

/** Load it, if none is loaded, and ask it for devices.
 * @return 0, or TMA_EDEVICE: stderr says in a line what is missing, and libxrt must not be called */
int xrt_driver_load(void);

/** A line of the back end on stderr. */
void xrt_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
