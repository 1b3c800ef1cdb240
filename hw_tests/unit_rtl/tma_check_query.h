/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the reference of tma_check share: what is known of an opcode, and a question. */
#ifndef TMA_CHECK_QUERY_H
#define TMA_CHECK_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "tma_check_pins.h"

/* Operands of a command, besides opcode, version, flags and tag. */
enum field {
	MODE = 1 << 0,
	GLOBAL = 1 << 1,
	SRC = 1 << 2,
	SIZE = 1 << 3,
	BYTE_MASK = 1 << 4,
	COUNT = 1 << 5,
	TX = 1 << 6,
	DST = 1 << 7,
	BARRIER = 1 << 8,
	CTA_MASK = 1 << 9,
	POLICY = 1 << 10,
	DIM = 1 << 11,
	COORD = 1 << 12,
	OFFSETS = 1 << 13,
	MAP = 1 << 14, /* the global address is that of a tensor map */
	OP = 1 << 15,
	TYPE = 1 << 16,
};

/* What else is known of an opcode. */
enum property {
	BULK = 1 << 0,  /* its size counts chunks */
	LOCAL = 1 << 1, /* its barrier lies in the executing CTA */
	PAIR = 1 << 2,  /* its barrier lies where its destination does */
	STORE = 1 << 3, /* its shared operand, in the place of a destination, is a source */
};

struct row {
	uint8_t opcode;
	uint32_t fields;
	uint16_t flags, properties;
};

/* One question that a rule asks; `row` is that of a known opcode. */
struct query {
	const struct unit_shape *info;
	const struct check_in *in;
	const struct tma_command *c;
	const struct row *row;
};

static inline bool has(const struct query *q, enum field f)
{
	return q->row->fields & f;
}

static inline bool is(const struct query *q, enum tma_opcode opcode)
{
	return q->c->opcode == opcode;
}

static inline bool flag(const struct query *q, uint32_t f)
{
	return q->row->flags & q->c->flags & f;
}

static inline uint32_t rank_of(uint32_t shared)
{
	return shared >> 24;
}

/* tma_check_ref_tensor.c: rules of tensor copies, and the CTAs whose barriers a multicast signals, those
 * among them that it signals twice. */
bool check_map_misaligned(const struct query *q);
bool check_tensor_mode(const struct query *q);
bool check_tensor_dim(const struct query *q);
bool check_tensor_unused(const struct query *q);
uint32_t check_signalled(const struct query *q, uint32_t *twice);

/* tma_check_ref_reduce.c. */
bool check_reduce_op(const struct query *q);

#endif
