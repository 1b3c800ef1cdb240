/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of XRT, as common/module_loader.cpp of XRT reads it. */
#define _GNU_SOURCE /* dl_iterate_phdr(), secure_getenv() */
#include "xrt_driver.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tma.h"

#define PATH_ROOM 4096

#define WHY_ROOM (PATH_ROOM + 256)

/* tma_open() may run in several threads, each with an error of its own. */
static _Thread_local void (*tell)(const char *why);

void xrt_say_to(void (*because)(const char *why))
{
	tell = because;
}

void xrt_say(const char *format, ...)
{
	char why[WHY_ROOM];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	if (tell)
		tell(why);
	else
		fprintf(stderr, "libtma: back end \"xrt\": %s\n", why);
}

/* A driver that is loaded already, by LD_PRELOAD or because the program is linked with it. */
static int is_driver(struct dl_phdr_info *info, size_t size, void *found)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *name = slash ? slash + 1 : info->dlpi_name;

	(void)size;
	if (strncmp(name, "libxrt_", 7) != 0 || !strncmp(name, "libxrt_coreutil.", 16))
		return 0;
	snprintf(found, PATH_ROOM, "%s", info->dlpi_name);
	return 1;
}

/* The file that libxrt would load. */
static const char *driver_file(const char *mode)
{
	if (!mode)
		return "libxrt_core.so.2";
	if (!strcmp(mode, "hw_emu"))
		return "libxrt_hwemu.so.2";
	if (!strcmp(mode, "sw_emu"))
		return "libxrt_swemu.so.2";
	return NULL;
}

/* Newer versions end the process in emulation unless this is set, to whatever. They are those that tell their version. */
static bool vitis_is_missing(const char *mode)
{
	void *xrt = dlopen("libxrt_coreutil.so.2", RTLD_NOW | RTLD_NOLOAD);

	return mode && xrt && dlsym(xrt, "xrtVersionCode") && !getenv("XILINX_VITIS");
}

static void *load(void)
{
	const char *mode = getenv("XCL_EMULATION_MODE"), *root = secure_getenv("XILINX_XRT"), *file;
	char path[PATH_ROOM];
	void *driver;

	if (dl_iterate_phdr(is_driver, path))
		return dlopen(path, RTLD_NOW | RTLD_NOLOAD);
	file = driver_file(mode);
	if (!file) {
		xrt_say("XCL_EMULATION_MODE is %s, but can be hw_emu or sw_emu, or not set", mode);
		return NULL;
	}
	if (mode && !getenv("USER")) {
		xrt_say("XCL_EMULATION_MODE is %s, which needs USER to be set", mode);
		return NULL;
	}
	if (vitis_is_missing(mode)) {
		xrt_say("XCL_EMULATION_MODE is %s, which needs XILINX_VITIS to be set", mode);
		return NULL;
	}
	/* Loaded here, libxrt finds it there; where Debian has it libxrt would not look. */
	if (root)
		snprintf(path, sizeof(path), "%s/lib/%s", root, file);
	driver = dlopen(root ? path : file, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
	if (!driver)
		xrt_say("the driver of XRT cannot be loaded: %s%s", dlerror(), root ? " (XILINX_XRT)" : "");
	return driver;
}

int xrt_driver_load(void)
{
	void *driver = load();
	void *symbol = driver ? dlsym(driver, "xclProbe") : NULL;
	unsigned int (*probe)(void);

	if (!driver)
		return TMA_EDEVICE;
	/* Not every driver tells how many there are. */
	if (!symbol)
		return 0;
	memcpy(&probe, &symbol, sizeof(probe));
	if (probe())
		return 0;
	xrt_say("there is no card, or its driver xocl is not loaded");
	return TMA_EDEVICE;
}
