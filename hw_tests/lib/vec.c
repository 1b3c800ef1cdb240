/* SPDX-License-Identifier: Apache-2.0 */
/* vec - checks and decodes vector files. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vec.h"
#include "lib/vec_rules.h"

#define HEADER_BYTES  64u
#define DEVICE_OFFSET 16u
#define PROGRAM_BYTES 8u /* head of a barrier program */
#define STEP_BYTES    16u

struct vec {
	const uint8_t *bytes;
	uint8_t *owned; /* bytes, when vec_close() has to free them */
	size_t size;
	enum vec_kind kind;
	uint32_t count;
	uint32_t fixed; /* bytes of a record's fixed part */
	size_t *offset; /* of each record or program */
	char device[HEADER_BYTES - DEVICE_OFFSET + 1];
};

/* Where each field of the fixed part lies, in the file and in struct vec_record. */
struct field {
	const char *name;
	uint16_t at, bytes, count;
	size_t into;
};

#define FIELD(name_, at_, bytes_, count_)                                       \
	{                                                                       \
#name_, at_, bytes_, count_, offsetof(struct vec_record, name_) \
	}

static const struct field fields[] = {
	FIELD(size, 0, 4, 1),        FIELD(op, 4, 4, 1),         FIELD(mode, 8, 4, 1),
	FIELD(redop, 12, 4, 1),      FIELD(type, 16, 4, 1),      FIELD(map_kind, 20, 4, 1),
	FIELD(dtype, 24, 4, 1),      FIELD(rank, 28, 4, 1),      FIELD(base, 32, 8, 1),
	FIELD(dim, 40, 8, 5),        FIELD(stride, 80, 8, 4),    FIELD(box, 112, 4, 5),
	FIELD(estride, 132, 4, 5),   FIELD(lower, 152, 4, 3),    FIELD(upper, 164, 4, 3),
	FIELD(cpp, 176, 4, 1),       FIELD(ppc, 180, 4, 1),      FIELD(interleave, 184, 4, 1),
	FIELD(swizzle, 188, 4, 1),   FIELD(l2promo, 192, 4, 1),  FIELD(oob, 196, 4, 1),
	FIELD(coord, 200, 4, 5),     FIELD(offs, 220, 4, 3),     FIELD(smem_off, 232, 4, 1),
	FIELD(nbytes, 236, 4, 1),    FIELD(cta_mask, 240, 4, 1), FIELD(nctas, 244, 4, 1),
	FIELD(cp_size, 248, 4, 1),   FIELD(src_size, 252, 4, 1), FIELD(ignore_src, 256, 4, 1),
	FIELD(result, 264, 4, 1),    FIELD(tx_bytes, 268, 4, 1), FIELD(smem_seed, 272, 8, 1),
	FIELD(gmem_seed, 280, 8, 1), FIELD(smem_len, 288, 4, 1), FIELD(gmem_len, 292, 4, 1),
	FIELD(has_init, 296, 4, 1),  FIELD(extra, 300, 4, 1),
};

#define NUM_FIELDS  (sizeof(fields) / sizeof(fields[0]))
#define FIXED_BYTES 304u

static uint64_t little(const uint8_t *bytes, unsigned count)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < count; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

static uint32_t word(const uint8_t *bytes)
{
	return (uint32_t)little(bytes, 4);
}

static int refuse(struct vec_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int refuse(struct vec_error *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return -EINVAL;
}

/* The record says in `field` something that breaks `rule`. */
static int refuse_field(struct vec_error *error, const struct vec_record *r, const struct vec_bad *bad)
{
	size_t at = r->offset;

	for (size_t i = 0; i < NUM_FIELDS; i++)
		if (!strcmp(fields[i].name, bad->field))
			at += fields[i].at;
	return refuse(error, "byte %zu: record %u: field %s is %llu: %s", at, r->number, bad->field,
	              (unsigned long long)bad->value, bad->rule);
}

static void decode(const uint8_t *bytes, struct vec_record *r)
{
	for (size_t i = 0; i < NUM_FIELDS; i++) {
		const struct field *f = &fields[i];

		for (unsigned k = 0; k < f->count; k++) {
			uint64_t value = little(bytes + f->at + k * f->bytes, f->bytes);
			uint32_t half = (uint32_t)value;
			char *into = (char *)r + f->into + k * f->bytes;

			if (f->bytes == 8)
				memcpy(into, &value, 8);
			else
				memcpy(into, &half, 4);
		}
	}
}

/* Point into the payload, whose size the fields were checked against. */
static void locate(const uint8_t *payload, struct vec_record *r)
{
	size_t windows = (size_t)r->nctas * r->smem_len;

	r->init_smem = r->init_gmem = r->smem = r->gmem = r->map = NULL;
	if (r->has_init) {
		r->init_smem = payload;
		r->init_gmem = payload + windows;
		payload += windows + r->gmem_len;
	}
	if (r->op == VEC_ENCODE)
		r->map = r->extra ? payload : NULL;
	else if (vec_writes_global(r->op))
		r->gmem = payload;
	else
		r->smem = payload;
}

static int check_record(struct vec *v, uint32_t index, size_t at, size_t *next, struct vec_error *error)
{
	struct vec_record r = { .number = index, .offset = at };
	struct vec_bad bad;

	if (v->size - at < v->fixed)
		return refuse(error, "byte %zu: record %u: truncated, %zu bytes left of a fixed part of %u",
		              at, index, v->size - at, v->fixed);
	decode(v->bytes + at, &r);
	if (vec_check_fields(&r, &bad))
		return refuse_field(error, &r, &bad);
	if (r.size < v->fixed || r.size - v->fixed != vec_payload_bytes(&r)) {
		bad = (struct vec_bad){ "size",
			                "must be the fixed part and the payload that the fields call for",
			                r.size };
		return refuse_field(error, &r, &bad);
	}
	if (v->size - at < r.size)
		return refuse(error, "byte %zu: record %u: truncated, %zu bytes left of %u", at, index,
		              v->size - at, r.size);
	*next = at + r.size;
	return 0;
}

static int check_program(struct vec *v, uint32_t index, size_t at, size_t *next, struct vec_error *error)
{
	uint32_t steps, init;
	bool has_state = false;

	if (v->size - at < PROGRAM_BYTES)
		return refuse(error, "byte %zu: program %u: truncated in its head", at, index);
	steps = word(v->bytes + at);
	init = word(v->bytes + at + 4);
	if ((v->size - at - PROGRAM_BYTES) / STEP_BYTES < steps)
		return refuse(error, "byte %zu: program %u: field nops is %u: truncated, %zu bytes are left",
		              at, index, steps, v->size - at - PROGRAM_BYTES);
	if (init < 1 || init > VEC_MAX_COUNT)
		return refuse(error, "byte %zu: program %u: field init is %u: must be 1 to 1048575", at + 4,
		              index, init);
	at += PROGRAM_BYTES;
	for (uint32_t i = 0; i < steps; i++, at += STEP_BYTES) {
		struct vec_step step = { word(v->bytes + at), word(v->bytes + at + 4),
			                 word(v->bytes + at + 8) };
		struct vec_bad bad;

		if (vec_check_step(&step, &has_state, &bad))
			return refuse(error, "byte %zu: program %u, step %u: field %s is %llu: %s", at, index,
			              i, bad.field, (unsigned long long)bad.value, bad.rule);
	}
	*next = at;
	return 0;
}

static int check_header(struct vec *v, struct vec_error *error)
{
	size_t smallest;

	if (v->size < HEADER_BYTES)
		return refuse(error, "byte 0: truncated, %zu bytes of a header of %u", v->size, HEADER_BYTES);
	if (!memcmp(v->bytes, "TMAVEC1", 8)) {
		v->kind = VEC_RECORDS;
	} else if (!memcmp(v->bytes, "TMAMBR1", 8)) {
		v->kind = VEC_PROGRAMS;
	} else {
		return refuse(error, "byte 0: field magic: must be TMAVEC1 or TMAMBR1");
	}
	v->count = word(v->bytes + 8);
	v->fixed = v->kind == VEC_RECORDS ? word(v->bytes + 12) : 0;
	memcpy(v->device, v->bytes + DEVICE_OFFSET, HEADER_BYTES - DEVICE_OFFSET);
	if (v->kind == VEC_RECORDS && v->fixed < FIXED_BYTES)
		return refuse(error, "byte 12: field fixed size is %u: must be %u or more", v->fixed,
		              FIXED_BYTES);
	smallest = v->kind == VEC_RECORDS ? v->fixed : PROGRAM_BYTES;
	if (v->count > (v->size - HEADER_BYTES) / smallest)
		return refuse(error, "byte 8: field count is %u: %zu bytes hold %zu at most", v->count,
		              v->size, (v->size - HEADER_BYTES) / smallest);
	return 0;
}

static int check(struct vec *v, struct vec_error *error)
{
	size_t at = HEADER_BYTES;
	int err = check_header(v, error);

	if (err)
		return err;
	v->offset = calloc(v->count + 1u, sizeof(*v->offset));
	if (!v->offset) {
		snprintf(error->text, sizeof(error->text), "out of memory");
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < v->count; i++) {
		v->offset[i] = at;
		err = v->kind == VEC_RECORDS ? check_record(v, i, at, &at, error)
		                             : check_program(v, i, at, &at, error);
		if (err)
			return err;
	}
	if (at != v->size)
		return refuse(error, "byte %zu: %zu bytes behind the last of %u", at, v->size - at, v->count);
	return 0;
}

struct vec *vec_parse(const uint8_t *bytes, size_t size, struct vec_error *error)
{
	struct vec *v = calloc(1, sizeof(*v));

	if (!v) {
		snprintf(error->text, sizeof(error->text), "out of memory");
		return NULL;
	}
	v->bytes = bytes;
	v->size = size;
	if (check(v, error)) {
		vec_close(v);
		return NULL;
	}
	return v;
}

struct vec *vec_open(const char *path, struct vec_error *error)
{
	struct vec *v;
	uint8_t *bytes;
	size_t size;

	if (vec_load(path, &bytes, &size, error))
		return NULL;
	v = vec_parse(bytes, size, error);
	if (v)
		v->owned = bytes;
	else
		free(bytes);
	return v;
}

void vec_close(struct vec *v)
{
	if (!v)
		return;
	free(v->offset);
	free(v->owned);
	free(v);
}

enum vec_kind vec_kind(const struct vec *v)
{
	return v->kind;
}

uint32_t vec_count(const struct vec *v)
{
	return v->count;
}

const char *vec_device(const struct vec *v)
{
	return v->device;
}

void vec_record(const struct vec *v, uint32_t index, struct vec_record *record)
{
	record->number = index;
	record->offset = v->offset[index];
	decode(v->bytes + record->offset, record);
	locate(v->bytes + record->offset + v->fixed, record);
}

void vec_program(const struct vec *v, uint32_t index, struct vec_program *program)
{
	const uint8_t *bytes = v->bytes + v->offset[index];

	program->number = index;
	program->offset = v->offset[index];
	program->num_steps = word(bytes);
	program->init = word(bytes + 4);
	program->steps = bytes + PROGRAM_BYTES;
}

struct vec_step vec_step(const struct vec_program *program, uint32_t index)
{
	const uint8_t *bytes = program->steps + (size_t)index * STEP_BYTES;

	return (struct vec_step){ word(bytes), word(bytes + 4), word(bytes + 8) };
}

static uint64_t mix(uint64_t z)
{
	z += 0x9E3779B97F4A7C15ull;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ z >> 27) * 0x94D049BB133111EBull;
	return z ^ z >> 31;
}

void vec_pattern(uint64_t seed, uint64_t first, uint8_t *bytes, size_t size)
{
	uint64_t start = mix(seed);
	uint64_t eight = mix(start ^ first >> 3);

	for (size_t i = 0; i < size; i++) {
		uint64_t at = first + i;

		if (i && !(at & 7))
			eight = mix(start ^ at >> 3);
		bytes[i] = (uint8_t)(eight >> (8 * (at & 7)));
	}
}
