/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_vec - hostile vector files against the reader.
 *
 * For libFuzzer as it is. With FUZZ_STANDALONE a program of its own, for any compiler with address
 * and undefined-behaviour sanitizers: it damages the start of real files at random.
 *   fuzz_vec [--seed N] [--seconds S | --runs N] FILE...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vec.h"

#define XZ_FIRST 0xFD /* of the magic of .xz */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything that the reader hands out must be readable: the sanitizers watch. */
static uint64_t touch(const uint8_t *bytes, size_t size)
{
	uint64_t sum = 0;

	for (size_t i = 0; bytes && i < size; i++)
		sum += bytes[i];
	return sum;
}

static uint64_t use(const struct vec *v)
{
	uint64_t sum = strlen(vec_device(v));

	for (uint32_t i = 0; i < vec_count(v); i++) {
		if (vec_kind(v) == VEC_PROGRAMS) {
			struct vec_program p;

			vec_program(v, i, &p);
			for (uint32_t k = 0; k < p.num_steps; k++)
				sum += vec_step(&p, k).op;
		} else {
			struct vec_record r;

			vec_record(v, i, &r);
			sum += touch(r.init_smem, (size_t)r.nctas * r.smem_len);
			sum += touch(r.init_gmem, r.gmem_len);
			sum += touch(r.smem, (size_t)r.nctas * r.smem_len);
			sum += touch(r.gmem, r.gmem_len);
			sum += touch(r.map, r.extra);
		}
	}
	return sum;
}

static void parse(const uint8_t *bytes, size_t size)
{
	struct vec_error error = { "" };
	struct vec *v = vec_parse(bytes, size, &error);
	volatile uint64_t sum;

	if (v)
		sum = use(v);
	else if (!error.text[0])
		abort(); /* refused without a word */
	(void)sum;
	vec_close(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vec_error error;
	uint8_t *bytes;
	size_t unpacked;

	parse(data, size);
	if (size && data[0] == XZ_FIRST && !vec_unpack(data, size, &bytes, &unpacked, &error)) {
		parse(bytes, unpacked);
		free(bytes);
	}
	return 0;
}

#ifdef FUZZ_STANDALONE
#include "fuzz/fuzz_main.h"
#include "lib/must.h"

#define MAX_SOURCES 128u /* two of each file */
#define MAX_WHOLE   4u   /* records of a file that is cut where a record ends */
#define MAX_PACKED  (256u << 10)
#define MAX_DAMAGE  8u

struct source {
	uint8_t *bytes;
	size_t size;
	size_t end[MAX_WHOLE + 1]; /* of the header, of the first record, and so on */
	uint32_t whole;
};

static struct source sources[MAX_SOURCES];
static uint32_t num_sources;

static const uint32_t rare[] = { 0, 1, 2, 16, 127, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF };

static void damage(struct rng *rng, uint8_t *bytes, size_t size)
{
	size_t at = rng_below(rng, (uint32_t)size);
	uint32_t word;

	switch (rng_below(rng, 3)) {
	case 0:
		bytes[at] ^= (uint8_t)(1u << rng_below(rng, 8));
		break;
	case 1:
		bytes[at] = (uint8_t)rng_next(rng);
		break;
	default:
		/* Most fields are words: give one a value that rules turn on. */
		at &= ~(size_t)3;
		word = rare[rng_below(rng, sizeof(rare) / sizeof(rare[0]))];
		for (size_t i = 0; i < 4 && at + i < size; i++)
			bytes[at + i] = (uint8_t)(word >> 8 * i);
	}
}

/* How much of the file to take: some records and the right count, any part, or all of an .xz. */
static size_t cut(struct rng *rng, const struct source *from, uint32_t *count)
{
	*count = from->whole ? 1 + rng_below(rng, from->whole) : 0;
	if (!from->whole)
		return rng_percent(rng, 50) ? rng_below(rng, (uint32_t)from->size + 1) : from->size;
	if (rng_percent(rng, 25))
		return rng_below(rng, (uint32_t)from->end[*count] + 1);
	return from->end[*count];
}

static void one(struct rng *rng)
{
	bool xz = rng_percent(rng, 2);
	const struct source *from = &sources[rng_below(rng, num_sources / 2) * 2 + xz];
	uint32_t hits = rng_below(rng, MAX_DAMAGE);
	uint32_t count;
	size_t size = cut(rng, from, &count);
	uint8_t *bytes = fuzz_room(size);

	memcpy(bytes, from->bytes, size);
	if (!xz && size >= 12) {
		memset(bytes + 8, 0, 4);
		bytes[8] = (uint8_t)count;
	}
	for (uint32_t i = 0; size && i < hits; i++)
		damage(rng, bytes, size);
	LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
}

static void find_ends(struct source *s, const char *path)
{
	struct vec_error error;
	struct vec *v = vec_parse(s->bytes, s->size, &error);

	if (!v || !vec_count(v)) {
		fprintf(stderr, "fuzz_vec: %s is no vector file, or empty\n", path);
		exit(2);
	}
	s->whole = vec_count(v) < MAX_WHOLE ? vec_count(v) : MAX_WHOLE;
	for (uint32_t i = 0; i <= s->whole; i++) {
		struct vec_record r;
		struct vec_program p;

		if (i == vec_count(v)) {
			s->end[i] = s->size;
		} else if (vec_kind(v) == VEC_RECORDS) {
			vec_record(v, i, &r);
			s->end[i] = r.offset;
		} else {
			vec_program(v, i, &p);
			s->end[i] = p.offset;
		}
	}
	vec_close(v);
}

/* First what is in the file, then the file as it is. */
static void load(const char *path)
{
	struct vec_error error;
	FILE *file;
	struct source *plain = &sources[num_sources], *raw = plain + 1;

	if (num_sources == MAX_SOURCES)
		return;
	num_sources += 2;
	file = fopen(path, "rb");
	if (!file || vec_load(path, &plain->bytes, &plain->size, &error)) {
		fprintf(stderr, "fuzz_vec: cannot read %s\n", path);
		exit(2);
	}
	find_ends(plain, path);
	raw->bytes = must(calloc(1, MAX_PACKED));
	raw->size = fread(raw->bytes, 1, MAX_PACKED, file);
	fclose(file);
}

int main(int argc, char **argv)
{
	uint64_t done = fuzz_run("fuzz_vec", argc, argv, load, one);

	printf("fuzz_vec: %llu files\n1 passed, 0 failed\n", (unsigned long long)done);
	for (uint32_t i = 0; i < num_sources; i++)
		free(sources[i].bytes);
	return 0;
}
#endif
