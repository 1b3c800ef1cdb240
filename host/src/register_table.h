/* SPDX-License-Identifier: Apache-2.0 */
/* The registers as a table, which is generated. */
#ifndef REGISTER_TABLE_H
#define REGISTER_TABLE_H

#include <stdint.h>

struct register_field {
	const char *name;
	uint8_t lsb, bits;
};

/* A register, or one of a block of registers of which there are several. */
struct register_info {
	const char *block; /* NULL: it is in none */
	const char *name;  /* NULL: each block is one register */
	uint32_t address;  /* of that in the first block */
	uint32_t count, stride;
	const char *const *elements; /* names of the blocks, NULL: they have numbers */
	const struct register_field *fields;
	uint32_t num_fields;
};

extern const struct register_info register_table[];
extern const uint32_t register_table_size;

#endif
