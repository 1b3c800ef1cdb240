/* SPDX-License-Identifier: Apache-2.0 */
/* Back ends that are shared objects of their own: found by name, loaded, looked at before they are used. */
#define _GNU_SOURCE /* dladdr(), secure_getenv() */
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* Of the table when it was first published. */
#define FIRST_SIZE (offsetof(struct tma_backend, next_record) + sizeof(void (*)(void)))

#define NAME_ROOM 32
#define PATH_ROOM 4096
#define WHY_ROOM  1024

/* The search for one back end: what was tried is told only if all of it was in vain. */
struct search {
	char file[sizeof("libtma_.so") + NAME_ROOM];
	char symbol[sizeof("tma_backend_") + NAME_ROOM];
	char why[WHY_ROOM];
};

static void failed(struct search *s, const char *why)
{
	size_t used = strlen(s->why);

	snprintf(s->why + used, sizeof(s->why) - used, "\n\t%s", why ? why : "unknown error");
}

/* Names become parts of paths and symbols. */
static bool is_name(const char *name)
{
	size_t length = strlen(name);

	if (!length || length > NAME_ROOM)
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

/* What is not optional is there. */
static bool complete(const struct tma_backend *backend)
{
	struct tma_backend b;

	if (backend->size < FIRST_SIZE)
		return false;
	backend_copy(&b, backend);
	return b.name && b.open && b.close && b.reg_read && b.reg_write && b.memory_alloc && b.memory_free &&
	       !b.smem_read == !b.smem_write && !b.submit == !b.waiting && !b.submit == !b.next_record;
}

/* Is it one for this library? If not, why. */
static bool fits(const struct tma_backend *backend, char *why, size_t room)
{
	if (backend->version != TMA_BACKEND_VERSION) {
		snprintf(why, room, "is for version %u of tma_backend.h, this library is for %u",
		         backend->version, TMA_BACKEND_VERSION);
		return false;
	}
	if (!complete(backend)) {
		snprintf(why, room, "lacks functions that every back end has");
		return false;
	}
	return true;
}

void backend_copy(struct tma_backend *table, const struct tma_backend *backend)
{
	size_t size = backend->size < sizeof(*table) ? backend->size : sizeof(*table);

	memset(table, 0, sizeof(*table));
	memcpy(table, backend, size);
}

int backend_fits(const struct tma_backend *backend)
{
	char why[128];

	if (fits(backend, why, sizeof(why)))
		return 0;
	return because(TMA_EBACKEND, "back end \"%s\" %s", backend->name, why);
}

/* What is loaded stays: of an engine in it nobody knows whether its threads and exit handlers are done. */
static const struct tma_backend *try_path(struct search *s, const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	const struct tma_backend *backend;
	char why[128], line[PATH_ROOM + sizeof(why)];

	if (!handle) {
		failed(s, dlerror());
		return NULL;
	}
	backend = dlsym(handle, s->symbol);
	if (backend && fits(backend, why, sizeof(why)))
		return backend;
	if (backend)
		snprintf(line, sizeof(line), "%s: %s", path, why);
	failed(s, backend ? line : dlerror());
	dlclose(handle);
	return NULL;
}

static const struct tma_backend *try_folder(struct search *s, const char *folder, size_t length)
{
	char path[PATH_ROOM];
	int bytes = snprintf(path, sizeof(path), "%.*s/%s", (int)length, folder, s->file);

	if (bytes < 0 || (size_t)bytes >= sizeof(path)) {
		failed(s, "a path is too long");
		return NULL;
	}
	return try_path(s, path);
}

/* Linked statically, the library is the program, whose path may be a bare name. */
static const struct tma_backend *try_beside(struct search *s)
{
	static const char here;
	const char *slash;
	Dl_info info;

	if (!dladdr(&here, &info) || !info.dli_fname)
		return NULL;
	slash = strrchr(info.dli_fname, '/');
	return slash ? try_folder(s, info.dli_fname, (size_t)(slash - info.dli_fname)) : NULL;
}

int backend_load(const char *name, const struct tma_backend **backend)
{
	/* Not obeyed in programs that have rights which their user has not. */
	const char *folder = secure_getenv("TMA_BACKEND_PATH");
	struct search s = { .why = "" };

	if (!is_name(name))
		return because(TMA_EBACKEND, "\"%s\" is no name of a back end", name);
	snprintf(s.file, sizeof(s.file), "libtma_%s.so", name);
	snprintf(s.symbol, sizeof(s.symbol), "tma_backend_%s", name);
	if (folder && *folder) {
		*backend = try_folder(&s, folder, strlen(folder));
	} else {
		*backend = try_beside(&s);
		if (!*backend)
			*backend = try_path(&s, s.file);
	}
	return *backend ? 0 : because(TMA_EBACKEND, "back end \"%s\" cannot be loaded:%s", name, s.why);
}
