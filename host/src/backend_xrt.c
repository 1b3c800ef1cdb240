/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The back end "xrt": an engine on a card of AMD, as a kernel, through the C interface of XRT.
 *
 * In front of the engine is a shell, because PCIe knows no SLVERR: docs/back-ends.md has its registers.
 */
#define _GNU_SOURCE /* secure_getenv() */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

#include "backend.h"
#include "tma_shell.h"
#include "xrt_driver.h"
#include "xrt_memory.h"

#define KERNEL      "tma_kernel"
#define ALL_STROBES TMA_SHELL_SMEM_STROBE_RESET
#define WORD        4u

struct card {
	xrtDeviceHandle device;
	xrtKernelHandle kernel;
	uint32_t refusals; /* as last read */
};

/*
 * Registers.
 */

static int get(const struct card *card, uint32_t offset, uint32_t *value)
{
	return xrtKernelReadRegister(card->kernel, offset, value) ? TMA_EDEVICE : 0;
}

static int set(const struct card *card, uint32_t offset, uint32_t value)
{
	return xrtKernelWriteRegister(card->kernel, offset, value) ? TMA_EDEVICE : 0;
}

/* Was the access before this one refused? That it is answered says that the other has arrived. */
static int look_for_refusal(struct card *card)
{
	uint32_t before = card->refusals;

	if (get(card, TMA_SHELL_REFUSALS, &card->refusals))
		return TMA_EDEVICE;
	return card->refusals == before ? 0 : TMA_REFUSED;
}

static int card_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	struct card *card = engine;
	int error = get(card, address, value);

	/* What is refused reads 0. */
	return error || *value ? error : look_for_refusal(card);
}

static int card_reg_write(void *engine, uint32_t address, uint32_t value)
{
	struct card *card = engine;
	int error = set(card, address, value);

	return error ? error : look_for_refusal(card);
}

/*
 * Shared memory, a word at a time.
 */

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static int card_smem_read(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t size)
{
	struct card *card = engine;
	uint32_t lane = offset % WORD, done = 0, word, part;
	int error =
		set(card, TMA_SHELL_SMEM_ADDRESS, cta << TMA_SHELL_SMEM_ADDRESS_CTA_SHIFT | (offset - lane));

	while (done < size && !error) {
		error = get(card, TMA_SHELL_SMEM_DATA, &word);
		part = least(WORD - lane, size - done);
		memcpy((uint8_t *)bytes + done, (uint8_t *)&word + lane, part);
		done += part;
		lane = 0;
	}
	return error || look_for_refusal(card) ? TMA_EDEVICE : 0;
}

static int card_smem_write(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size)
{
	struct card *card = engine;
	uint32_t lane = offset % WORD, done = 0, strobe, now = ALL_STROBES, word, part;
	int error =
		set(card, TMA_SHELL_SMEM_ADDRESS, cta << TMA_SHELL_SMEM_ADDRESS_CTA_SHIFT | (offset - lane));

	while (done < size && !error) {
		part = least(WORD - lane, size - done);
		strobe = ((1u << part) - 1) << lane;
		word = 0;
		memcpy((uint8_t *)&word + lane, (const uint8_t *)bytes + done, part);
		if (strobe != now)
			error = set(card, TMA_SHELL_SMEM_STROBE, strobe);
		now = strobe;
		error = error ? error : set(card, TMA_SHELL_SMEM_DATA, word);
		done += part;
		lane = 0;
	}
	if (now != ALL_STROBES && !error)
		error = set(card, TMA_SHELL_SMEM_STROBE, ALL_STROBES);
	return error || look_for_refusal(card) ? TMA_EDEVICE : 0;
}

/*
 * Memory: buffer objects in the bank that the kernel's argument of that port is connected to.
 */

static int card_memory_alloc(void *engine, struct tma_backend_memory *memory)
{
	const struct card *card = engine;
	int group = xrtKernelArgGroupId(card->kernel, (int)memory->port);
	xrtBufferHandle buffer;

	if (group < 0)
		return TMA_EDEVICE;
	buffer = xrtBOAlloc(card->device, memory->bytes, XRT_BO_FLAGS_NONE, (xrtMemoryGroup)group);
	if (!buffer)
		return TMA_ENOSPC;
	memory->handle = buffer;
	memory->host = xrtBOMap(buffer);
	memory->address = xrtBOAddress(buffer);
	if (memory->host)
		return 0;
	xrtBOFree(buffer);
	return TMA_EDEVICE;
}

static void card_memory_free(void *engine, const struct tma_backend_memory *memory)
{
	(void)engine;
	xrtBOFree(memory->handle);
}

static int card_memory_sync(void *engine, const struct tma_backend_memory *memory, uint64_t offset,
                            uint64_t bytes, bool to_device)
{
	enum xclBOSyncDirection direction = to_device ? XCL_BO_SYNC_BO_TO_DEVICE : XCL_BO_SYNC_BO_FROM_DEVICE;

	(void)engine;
	return xrtBOSync(memory->handle, direction, bytes, offset) ? TMA_EDEVICE : 0;
}

/*
 * The card.
 */

static void card_close(void *engine)
{
	struct card *card = engine;

	if (card->kernel)
		xrtKernelClose(card->kernel);
	if (card->device)
		xrtDeviceClose(card->device);
	free(card);
}

/* Number of the card; the environment may name another than the first. */
static int device_index(unsigned int *index)
{
	const char *text = secure_getenv("TMA_XRT_DEVICE");
	unsigned long long number;
	char *end;

	*index = 0;
	if (!text)
		return 0;
	errno = 0;
	number = strtoull(text, &end, 10);
	*index = (unsigned int)number;
	if (*text >= '0' && *text <= '9' && !*end && !errno && number <= UINT_MAX)
		return 0;
	xrt_say("TMA_XRT_DEVICE is %s, which is no number of a card", text);
	return TMA_EDEVICE;
}

static const char *find_xclbin(const struct tma_options *options)
{
	const char *path = options->xclbin ? options->xclbin : secure_getenv("TMA_XCLBIN");

	if (!path)
		xrt_say("no xclbin is named: neither tma_options.xclbin nor TMA_XCLBIN");
	else if (access(path, R_OK))
		xrt_say("%s: %s", path, strerror(errno));
	else
		return path;
	return NULL;
}

static int open_kernel(struct card *card, unsigned int index, const char *xclbin)
{
	xuid_t uuid;

	card->device = xrtDeviceOpen(index);
	if (!card->device) {
		xrt_say("card %u cannot be opened", index);
		return TMA_EDEVICE;
	}
	if (xrtDeviceLoadXclbinFile(card->device, xclbin) || xrtDeviceGetXclbinUUID(card->device, uuid)) {
		xrt_say("%s cannot be loaded on card %u", xclbin, index);
		return TMA_EDEVICE;
	}
	/* Registers are there for who has the kernel alone. */
	card->kernel = xrtPLKernelOpenExclusive(card->device, uuid, KERNEL);
	if (!card->kernel) {
		xrt_say("%s has no kernel " KERNEL ", or another program has it", xclbin);
		return TMA_EDEVICE;
	}
	return 0;
}

static int look_at_shell(struct card *card)
{
	uint32_t shell = 0;
	int error = get(card, TMA_SHELL_SHELL, &shell);

	if (!error && shell != TMA_SHELL_SHELL_RESET) {
		xrt_say("kernel " KERNEL " has no shell in front of the engine");
		return TMA_EDEVICE;
	}
	return error ? error : get(card, TMA_SHELL_REFUSALS, &card->refusals);
}

static int card_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	const char *xclbin;
	struct card *card;
	unsigned int index;
	int error;

	xrt_say_to(about->size >= offsetof(struct tma_backend_engine, because) + sizeof(about->because)
	                   ? about->because
	                   : NULL);
	xclbin = find_xclbin(options);
	if (!xclbin || device_index(&index))
		return TMA_EDEVICE;
	if (!xrt_memory_range(xclbin, &about->memory_base, &about->memory_bytes)) {
		xrt_say("%s is no xclbin of a kernel with memory", xclbin);
		return TMA_EDEVICE;
	}
	if (xrt_driver_load())
		return TMA_EDEVICE;
	card = calloc(1, sizeof(*card));
	if (!card)
		return TMA_ENOMEM;
	error = open_kernel(card, index, xclbin);
	error = error ? error : look_at_shell(card);
	if (error) {
		card_close(card);
		return error;
	}
	*engine = card;
	return 0;
}

#pragma GCC visibility push(default)
extern const struct tma_backend tma_backend_xrt;
#pragma GCC visibility pop

const struct tma_backend tma_backend_xrt = {
	.name = "xrt",
	.size = sizeof(struct tma_backend),
	.version = TMA_BACKEND_VERSION,
	.open = card_open,
	.close = card_close,
	.reg_read = card_reg_read,
	.reg_write = card_reg_write,
	.memory_alloc = card_memory_alloc,
	.memory_free = card_memory_free,
	.memory_sync = card_memory_sync,
	.smem_read = card_smem_read,
	.smem_write = card_smem_write,
};
