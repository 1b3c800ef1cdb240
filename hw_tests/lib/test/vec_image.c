/* SPDX-License-Identifier: Apache-2.0 */
/* Small vector files, made byte by byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/test/vec_image.h"

void image_put(uint8_t *bytes, uint64_t value, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

void image_put32(struct image *f, size_t at, uint32_t value)
{
	image_put(f->bytes + at, value, 4);
}

void image_header(struct image *f, const char *magic, uint32_t count, uint32_t fixed)
{
	memset(f, 0, sizeof(*f));
	memcpy(f->bytes, magic, 8);
	image_put32(f, 8, count);
	image_put32(f, 12, fixed);
	memcpy(f->bytes + 16, "some device", 11);
	f->size = HEADER;
}

/* A record of the op that breaks no rule; byte i of its payload is i. */
size_t image_record(struct image *f, uint32_t op, uint32_t nctas, uint32_t gmem, uint32_t init,
                    uint32_t payload)
{
	size_t at = f->size;

	image_put32(f, at, FIXED + payload);
	image_put32(f, at + 4, op);
	image_put32(f, at + 236, 32); /* nbytes */
	image_put32(f, at + 232, 16); /* smem_off */
	image_put32(f, at + 240, 1);  /* cta_mask */
	image_put32(f, at + 244, nctas);
	image_put32(f, at + 248, 16); /* cp_size */
	image_put32(f, at + 268, 32); /* tx_bytes */
	image_put32(f, at + 288, WINDOW);
	image_put32(f, at + 292, gmem);
	image_put32(f, at + 296, init);
	for (uint32_t i = 0; i < payload; i++)
		f->bytes[at + FIXED + i] = (uint8_t)i;
	f->size += FIXED + payload;
	return at;
}

void image_step(struct image *f, uint32_t op, uint32_t arg, uint32_t result)
{
	image_put32(f, f->size, op);
	image_put32(f, f->size + 4, arg);
	image_put32(f, f->size + 8, result);
	f->size += 16;
}

static struct vec *parse(const struct image *f, struct vec_error *error)
{
	/* Exactly its size, so that valgrind and the sanitizers see a byte too far. */
	uint8_t *bytes = malloc(f->size ? f->size : 1);
	struct vec *v;

	memcpy(bytes, f->bytes, f->size);
	strcpy(error->text, "");
	v = vec_parse(bytes, f->size, error);
	if (v)
		vec_close(v);
	free(bytes);
	return v; /* for its being NULL or not alone */
}

void image_takes(const struct image *f)
{
	struct vec_error error;

	if (!parse(f, &error))
		fail_msg("refused: %s", error.text);
}

void image_refuses(const struct image *f, const char *words)
{
	struct vec_error error;

	if (parse(f, &error))
		fail_msg("taken, but should be refused: %s", words);
	if (!strstr(error.text, words))
		fail_msg("refused with \"%s\", not with \"%s\"", error.text, words);
}
