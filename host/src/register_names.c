/* SPDX-License-Identifier: Apache-2.0 */
/* Registers by their names. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "register_table.h"
#include "tma_print.h"
#include "words.h"

/* The register at an address, and its block's number; NULL: there is none. */
static const struct register_info *find(uint32_t address, uint32_t *block)
{
	const struct register_info *r;
	uint32_t offset;

	for (r = register_table; r < register_table + register_table_size; r++) {
		if (address < r->address)
			continue;
		offset = address - r->address;
		*block = r->stride ? offset / r->stride : 0;
		if (*block < r->count && offset == *block * r->stride)
			return r;
	}
	return NULL;
}

static void add_name(struct words *w, const struct register_info *r, uint32_t block)
{
	if (r->elements)
		words_add(w, "%s[%s]", r->block, r->elements[block]);
	else if (r->block)
		words_add(w, "%s[%" PRIu32 "]", r->block, block);
	if (r->name)
		words_add(w, "%s%s", r->block ? "." : "", r->name);
}

int tma_register_name(uint32_t address, char *text, size_t length)
{
	struct words w = { .bytes = text, .room = length };
	const struct register_info *r;
	uint32_t block;

	if (check_text(text, length))
		return ended(__func__, TMA_EINVAL);
	r = find(address, &block);
	if (!r)
		return ended(__func__,
		             because(TMA_EINVAL, "address = 0x%" PRIx32 ": there is no register", address));
	add_name(&w, r, block);
	return w.length;
}

int tma_register_text(uint32_t address, uint32_t value, char *text, size_t length)
{
	struct words w = { .bytes = text, .room = length };
	const struct register_info *r;
	uint32_t block, i;

	if (check_text(text, length))
		return ended(__func__, TMA_EINVAL);
	r = find(address, &block);
	if (!r)
		return ended(__func__,
		             because(TMA_EINVAL, "address = 0x%" PRIx32 ": there is no register", address));
	add_name(&w, r, block);
	words_add(&w, " = 0x%08" PRIx32, value);
	for (i = 0; i < r->num_fields && r->fields[0].bits < 32; i++)
		words_add(&w, "%s %s 0x%" PRIx32, i ? "," : ":", r->fields[i].name,
		          value >> r->fields[i].lsb & ((1u << r->fields[i].bits) - 1));
	return w.length;
}

/* Is it the text's beginning? What is behind it, or NULL. */
static const char *skip(const char *text, const char *beginning)
{
	size_t length = strlen(beginning);

	return strncmp(text, beginning, length) ? NULL : text + length;
}

/* "[2]", or "[COMMANDS]" of blocks that have names. What is behind it, or NULL. */
static const char *skip_index(const char *text, const struct register_info *r, uint32_t *block)
{
	const char *end;
	char *behind;
	uint32_t i;

	text = skip(text, "[");
	if (!text)
		return NULL;
	for (i = 0; r->elements && i < r->count; i++) {
		end = skip(text, r->elements[i]);
		if (end && *end == ']') {
			*block = i;
			return end + 1;
		}
	}
	if (*text < '0' || *text > '9')
		return NULL;
	*block = (uint32_t)strtoul(text, &behind, 10);
	return *behind == ']' && behind - text < 4 && *block < r->count ? behind + 1 : NULL;
}

static bool is_name(const char *name, const struct register_info *r, uint32_t *address)
{
	uint32_t block = 0;

	if (r->block)
		name = skip(name, r->block);
	if (name && r->block)
		name = skip_index(name, r, &block);
	if (name && r->block && r->name)
		name = skip(name, ".");
	if (name && r->name)
		name = skip(name, r->name);
	if (!name || *name)
		return false;
	*address = r->address + block * r->stride;
	return true;
}

int tma_register_find(const char *name, uint32_t *address)
{
	const struct register_info *r;

	if (!name || !address)
		return ended(__func__, because(TMA_EINVAL, "%s is NULL", name ? "address" : "name"));
	for (r = register_table; r < register_table + register_table_size; r++)
		if (is_name(name, r, address))
			return 0;
	return ended(__func__, because(TMA_EINVAL, "name = \"%s\": there is no such register", name));
}

const char *tma_counter_name(enum tma_counter which)
{
	uint32_t i;

	for (i = 0; i < register_table_size; i++)
		if (register_table[i].address == TMA_REG_COUNTER(0) &&
		    (uint32_t)which < register_table[i].count)
			return register_table[i].elements[which];
	return NULL;
}
