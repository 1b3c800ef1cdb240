/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A back end of one's own: an engine whose registers are mapped from one file and whose memory from another,
 * as UIO and a DMA buffer of the kernel give them. docs/back-ends.md explains it.
 *
 *	TMA_UIO          the registers, /dev/uio0
 *	TMA_UIO_MEMORY   memory that the engine can reach, and how many bytes: /dev/udmabuf0
 *	TMA_UIO_BYTES
 *	TMA_UIO_ADDRESS  where the engine sees its first byte: /sys/class/u-dma-buf/udmabuf0/phys_addr
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mmio.h"
#include "tma_backend.h"
#include "tma_shell.h"

#define SPACE 0x10000u /* bytes of registers */
#define PAGE  4096u

struct uio {
	int file;
	volatile void *registers;
	uint8_t *memory;
	uint64_t address, bytes, used;
};

static uint64_t number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : 0;
}

/* A file of the environment, mapped. */
static void *map(const char *name, uint64_t bytes, int *file)
{
	const char *path = getenv(name);
	void *at;

	*file = path ? open(path, O_RDWR | O_SYNC | O_CLOEXEC) : -1;
	at = *file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
	if (at != MAP_FAILED)
		return at;
	fprintf(stderr, "uio: %s: %s cannot be mapped\n", name, path ? path : "(not set)");
	return NULL;
}

static void uio_close(void *engine)
{
	struct uio *u = engine;

	if (u->memory)
		munmap(u->memory, u->bytes);
	if (u->registers)
		munmap((void *)u->registers, SPACE);
	if (u->file >= 0)
		close(u->file);
	free(u);
}

static int uio_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	struct uio *u = calloc(1, sizeof(*u));
	int file = -1;

	(void)options;
	if (!u)
		return TMA_ENOMEM;
	u->bytes = number("TMA_UIO_BYTES");
	u->address = number("TMA_UIO_ADDRESS");
	u->registers = map("TMA_UIO", SPACE, &u->file);
	u->memory = u->registers ? map("TMA_UIO_MEMORY", u->bytes, &file) : NULL;
	if (file >= 0)
		close(file);
	if (!u->memory) {
		uio_close(u);
		return TMA_EDEVICE;
	}
	about->memory_base = u->address;
	about->memory_bytes = u->bytes;
	*engine = u;
	return 0;
}

static int uio_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	*value = mmio_read(((struct uio *)engine)->registers, address);
	return 0;
}

static int uio_reg_write(void *engine, uint32_t address, uint32_t value)
{
	struct uio *u = engine;
	uint32_t before = mmio_read(u->registers, TMA_SHELL_REFUSALS);

	mmio_write(u->registers, address, value);
	return mmio_read(u->registers, TMA_SHELL_REFUSALS) == before ? 0 : TMA_REFUSED;
}

/* A stack of buffers: what is freed comes back if it is the last. */
static int uio_memory_alloc(void *engine, struct tma_backend_memory *memory)
{
	struct uio *u = engine;

	if (memory->port || memory->bytes > u->bytes - u->used)
		return TMA_ENOSPC;
	memory->address = u->address + u->used;
	memory->host = u->memory + u->used;
	u->used += memory->bytes;
	return 0;
}

static void uio_memory_free(void *engine, const struct tma_backend_memory *memory)
{
	struct uio *u = engine;

	if (memory->address + memory->bytes == u->address + u->used)
		u->used -= memory->bytes;
}

static int uio_interrupt(void *engine, uint32_t microseconds)
{
	struct uio *u = engine;
	int came = mmio_wait(u->registers, u->file, microseconds);

	return came < 0 ? TMA_EDEVICE : came;
}

const struct tma_backend tma_backend_uio = {
	.name = "uio",
	.size = sizeof(struct tma_backend),
	.version = TMA_BACKEND_VERSION,
	.open = uio_open,
	.close = uio_close,
	.reg_read = uio_reg_read,
	.reg_write = uio_reg_write,
	.memory_alloc = uio_memory_alloc,
	.memory_free = uio_memory_free,
	.interrupt = uio_interrupt,
};
