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
 * @return 0, or TMA_EDEVICE: xrt_say() was told what is missing, and libxrt must not be called */
int xrt_driver_load(void);

/** Whom xrt_say() tells in this thread: the library, or NULL: one that is older than the function. */
void xrt_say_to(void (*because)(const char *why));

/** Why the back end is about to return an error: to the library, or as a line on stderr. */
void xrt_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
