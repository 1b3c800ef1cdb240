/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "history.h"
#include "tma_tables.h"
#include "words.h"

uint32_t tma_version(void)
{
	return TMA_VERSION;
}

/* Name of the command that a record is about, NULL if it is not known any more. */
static const char *command_name(const struct tma_queue *queue, uint32_t sequence)
{
	uint32_t age;

	if (!queue)
		return NULL;
	age = queue->submitted - sequence;
	if (age == 0 || age > HISTORY)
		return NULL;
	return tma_opcode_name(queue->opcodes[sequence % HISTORY]);
}

static void add_shared(struct words *t, const char *field, uint64_t address)
{
	words_add(t, "; %s = 0x%" PRIx64 " (CTA %" PRIu64 ", offset 0x%" PRIx64 ")", field, address,
	          address >> 24, address & 0xFFFFFF);
}

static void add_mode(struct words *t, uint64_t mode)
{
	const char *name = mode <= UINT8_MAX ? tma_mode_name((uint8_t)mode) : NULL;

	if (name)
		words_add(t, "mode = %s (%" PRIu64 ")", name, mode);
	else
		words_add(t, "mode = %" PRIu64, mode);
}

/* The command's first eight bytes. */
static void add_header(struct words *t, const struct tma_fault_info *info, uint64_t value)
{
	if (info->code == TMA_FAULT_TENSOR_UNUSED) {
		words_add(t, "; ");
		add_mode(t, value >> 16 & 0xFF);
		words_add(t, ", dim = %u", (unsigned int)(value >> 24 & 0xFF));
		return;
	}
	words_add(t, "; opcode = 0x%x, version = %u, flags = 0x%x, first 8 bytes = 0x%016" PRIx64,
	          (unsigned int)(value & 0xFF), (unsigned int)(value >> 8 & 0xFF),
	          (unsigned int)(value >> 48), value);
}

/* What is wrong with the map, if the host still has the one that the engine read. */
static void add_map_rule(struct words *t, const struct tma_queue *queue, const struct tma_fault_info *info,
                         uint64_t address)
{
	const struct tma_memory *m = queue ? arena_find(&queue->device->arenas[0], address) : NULL;
	struct tma_map_error error;
	struct tma_map_info ignored;
	struct tma_map map;

	if (!m || m->bytes - (address - m->address) < sizeof(map))
		return;
	memcpy(&map, (const uint8_t *)m->host + (address - m->address), sizeof(map));
	if (tma_map_decode(&map, &ignored, &error) && error.fault == info->code)
		words_add(t, ": %s %s", error.parameter, error.rule);
}

/* Of a tensor copy with its map. */
static void add_tensor_operand(struct words *t, const struct tma_queue *queue,
                               const struct tma_fault_info *info, uint64_t value)
{
	const char *field = info->field;

	if (info->code >= TMA_FAULT_MAP_WINDOW && info->code <= TMA_FAULT_MAP_DECERR) {
		words_add(t, "; address = 0x%" PRIx64, value);
	} else if (!strcmp(field, "tensor map") || !strcmp(field, "global_address")) {
		words_add(t, "; tensor map = 0x%" PRIx64, value);
		add_map_rule(t, queue, info, value);
	} else if (!strcmp(field, "mode")) {
		words_add(t, "; ");
		add_mode(t, value);
	} else if (!strcmp(field, "coord")) {
		words_add(t, "; coord = %" PRId32, (int32_t)(uint32_t)value);
	} else if (!strcmp(field, "shared_dst")) {
		add_shared(t, field, value);
	} else {
		words_add(t, "; %s = %" PRIu64, field, value);
	}
}

/* The operator of a reduction and, of one without a map, its type. */
static void add_operation(struct words *t, const struct tma_fault_info *info, uint64_t value)
{
	const char *op = tma_reduce_name(value & 0xFF);
	const char *type = value >> 8 <= UINT8_MAX ? tma_type_name((uint8_t)(value >> 8)) : NULL;

	words_add(t, "; operator = %s", op ? op : "none");
	if (info->code == TMA_FAULT_REDUCE_OP && op)
		words_add(t, ", type = %s", type ? type : "none");
}

/* The value that broke the rule; what it is depends on the fault. */
static void add_operand(struct words *t, const struct tma_queue *queue, const struct tma_fault_info *info,
                        uint64_t value)
{
	const char *field = info->field;

	if (!strcmp(field, "op"))
		add_operation(t, info, value);
	else if (!strcmp(info->where, "guard") || !strcmp(info->where, "bus"))
		words_add(t, "; address = 0x%" PRIx64, value);
	else if (!strcmp(info->where, "map") || info->code == TMA_FAULT_TENSOR_MODE ||
	         info->code == TMA_FAULT_TENSOR_DIM)
		add_tensor_operand(t, queue, info, value);
	else if (info->code == TMA_FAULT_MAP_MISALIGNED)
		words_add(t, "; tensor map = 0x%" PRIx64, value);
	else if (!strcmp(info->where, "signal") ||
	         (!strcmp(info->where, "sync") && info->code != TMA_FAULT_NO_STATE &&
	          info->code != TMA_FAULT_CANCELLED))
		add_shared(t, "barrier", value);
	else if (!strcmp(field, "shared_src") || !strcmp(field, "shared_dst") || !strcmp(field, "barrier"))
		add_shared(t, field, value);
	else if (info->code == TMA_FAULT_CTA_DENIED)
		words_add(t, "; CTAs touched but not permitted = 0x%" PRIx64, value);
	else if (!strcmp(field, "version") || !strcmp(field, "opcode") || !strcmp(field, "command") ||
	         !strcmp(field, "flags"))
		add_header(t, info, value);
	else if (!strcmp(field, "size") || !strcmp(field, "tx") || !strcmp(field, "count"))
		words_add(t, "; %s = %" PRIu64, field, value);
	else
		words_add(t, "; %s = 0x%" PRIx64, field, value);
}

int fault_words(const struct tma_queue *queue, const struct tma_record *record, char *text, size_t length)
{
	const struct tma_fault_info *info = tma_fault_info(record->fault);
	const char *name = command_name(queue, record->sequence);
	struct words t = { .bytes = text, .room = length };

	words_add(&t, "queue %u, command %" PRIu32 " (", record->queue, record->sequence);
	if (name)
		words_add(&t, "%s, ", name);
	words_add(&t, "tag 0x%" PRIx32 "): ", record->tag);
	if (!info) {
		words_add(&t, "unknown fault 0x%x, address = 0x%" PRIx64, record->fault, record->address);
		return t.length;
	}
	words_add(&t, "%s: %s", info->name, info->rule);
	add_operand(&t, queue, info, record->address);
	words_add(&t, " (%s)", info->reference);
	return t.length;
}

int fault_text(const struct tma_queue *queue, const struct tma_record *record, char *text, size_t length)
{
	struct words t = { .bytes = text, .room = length };
	struct tma_command command;

	t.length = fault_words(queue, record, text, length);
	if (queue && history_get(queue, record->sequence, &command))
		words_add_ptx(&t, &command);
	return t.length;
}

int tma_fault_text(const struct tma_queue *queue, const struct tma_record *record, char *text, size_t length)
{
	int result = queue ? check_queue(queue) : 0;

	if (!result && !record)
		result = because(TMA_EINVAL, "record is NULL");
	if (!result && !text && length)
		result = because(TMA_EINVAL, "text is NULL, and length = %zu", length);
	if (result)
		return ended(__func__, result);
	if (!queue || record->queue != queue->index)
		return ended(__func__, fault_text(NULL, record, text, length));
	enter(queue->device);
	result = fault_text(queue, record, text, length);
	leave(queue->device);
	return ended(__func__, result);
}
