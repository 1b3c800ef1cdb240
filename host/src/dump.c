/* SPDX-License-Identifier: Apache-2.0 */
/* All that the library knows of a device, as a table. */
#include <inttypes.h>

#include "device.h"
#include "tma_print.h"

#define MAX_BUFFERS   32 /* that are listed */
#define MAX_LINE_TEXT 2000

static void dump_shape(const struct tma_device *device, FILE *file)
{
	const struct tma_device_info *info = &device->info;

	fprintf(file, "back end %s, configuration %s, interface %u.%" PRIu32 ", library %u.%u.%u\n",
	        info->backend, info->config, TMA_ABI_MAJOR, info->abi_minor, TMA_VERSION_MAJOR,
	        TMA_VERSION_MINOR, TMA_VERSION_PATCH);
	fprintf(file,
	        "  %" PRIu32 " CTAs of %" PRIu32 " bytes, %" PRIu32 " queues of %" PRIu32 " windows, %" PRIu32
	        " ports of %" PRIu32 " bytes, %" PRIu32 " multimem windows\n",
	        info->ctas, info->smem_bytes, info->queues, info->windows, info->ports, info->data_bytes,
	        info->multimem_windows);
	fprintf(file,
	        "  tensor copies %s, padded types %s, reductions %s, of floats %s, of f64 %s, maps kept %" PRIu32
	        "\n",
	        info->tensor ? "yes" : "no", info->packed ? "yes" : "no", info->reductions ? "yes" : "no",
	        info->floats ? "yes" : "no", info->f64 ? "yes" : "no", info->maps);
	/* Not device_check(): what it says would stand for an error of this call. */
	if (device->broken || (device->backend->check && device->backend->check(device->engine)))
		fprintf(file, "  the engine or its surroundings broke a rule\n");
}

static int dump_counters(struct tma_device *device, FILE *file)
{
	uint32_t i;
	uint64_t value;
	int error;

	fprintf(file, "counters\n");
	if (device->backend->cycles)
		fprintf(file, "  %-16s %20" PRIu64 "\n", "clock", device->backend->cycles(device->engine));
	for (i = 0; i < TMA_REG_COUNTER_COUNT; i++) {
		error = registers_counter(device, (enum tma_counter)i, &value);
		if (error == TMA_ENOTSUP)
			continue;
		if (error)
			return error;
		fprintf(file, "  %-16s %20" PRIu64 "\n", tma_counter_name((enum tma_counter)i), value);
	}
	return 0;
}

static int dump_queues(const struct tma_device *device, FILE *file)
{
	char text[MAX_LINE_TEXT];
	uint32_t q, open = 0;
	int length;

	fprintf(file, "open queues\n");
	for (q = 0; q < device->info.queues; q++) {
		const struct tma_queue *queue = device->queues[q];

		if (!queue)
			continue;
		length = queue_reason(queue, text, sizeof(text));
		if (length < 0)
			return length;
		fprintf(file, "  %s\n    %s, %" PRIu32 " commands given, %zu records kept\n", text,
		        queue->ring ? "ring" : "direct port", queue->submitted,
		        queue->kept.count - queue->kept.first);
		open++;
	}
	if (!open)
		fprintf(file, "  none\n");
	return 0;
}

/* In order of addresses; what is behind the first ones is counted. */
static void dump_tree(const struct tma_memory *m, FILE *file, uint64_t *count)
{
	if (!m)
		return;
	dump_tree(m->left, file, count);
	if ((*count)++ < MAX_BUFFERS)
		fprintf(file, "  port %" PRIu32 "  0x%012" PRIx64 "  %12" PRIu64 " bytes\n", m->port,
		        m->address, m->bytes);
	dump_tree(m->right, file, count);
}

static void dump_memory(const struct tma_device *device, FILE *file)
{
	uint64_t count = 0;
	uint32_t port;

	fprintf(file, "memory: %" PRIu64 " of %" PRIu64 " bytes in use\n", device->memory_used,
	        device->memory_limit);
	for (port = 0; port < TMA_MAX_PORTS; port++)
		dump_tree(device->arenas[port].tree, file, &count);
	if (count > MAX_BUFFERS)
		fprintf(file, "  and %" PRIu64 " buffers more\n", count - MAX_BUFFERS);
}

static void dump_multimem(const struct tma_device *device, FILE *file)
{
	uint32_t i, port, open = 0;

	fprintf(file, "multimem objects\n");
	for (i = 0; i < TMA_MAX_MULTIMEM; i++) {
		const struct tma_multimem_object *m = device->multimem[i];

		if (!m)
			continue;
		fprintf(file, "  window %" PRIu32 "  0x%012" PRIx64 "  %12" PRIu64 " bytes, ports", m->index,
		        tma_multimem_address(m), m->bytes);
		for (port = 0; port < TMA_MAX_PORTS; port++)
			if (m->memory[port])
				fprintf(file, " %" PRIu32, port);
		fprintf(file, "\n");
		open++;
	}
	if (!open)
		fprintf(file, "  none\n");
}

static int dump(struct tma_device *device, FILE *file)
{
	int error;

	dump_shape(device, file);
	error = dump_counters(device, file);
	if (!error)
		error = dump_queues(device, file);
	if (error)
		return error;
	dump_memory(device, file);
	dump_multimem(device, file);
	return fflush(file) || ferror(file) ? because(TMA_EINVAL, "file: it cannot be written") : 0;
}

int tma_dump(struct tma_device *device, FILE *file)
{
	int error = check_device(device);

	if (!error && !file)
		error = because(TMA_EINVAL, "file is NULL");
	if (!error) {
		enter(device);
		error = dump(device, file);
		leave(device);
	}
	return ended(__func__, error);
}
