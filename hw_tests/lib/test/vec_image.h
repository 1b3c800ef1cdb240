/* SPDX-License-Identifier: Apache-2.0 */
/* Small vector files, made byte by byte. */
#ifndef VEC_IMAGE_H
#define VEC_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/vec.h"

#define HEADER     64u
#define FIXED      304u
#define WINDOW     64u
#define REGION     32u
#define FILE_BYTES 4096u

struct image {
	uint8_t bytes[FILE_BYTES];
	size_t size;
};

/** Little-endian. */
void image_put(uint8_t *bytes, uint64_t value, unsigned count);
void image_put32(struct image *f, size_t at, uint32_t value);

/** Start a file: its header, nothing else. */
void image_header(struct image *f, const char *magic, uint32_t count, uint32_t fixed);

/** A record of the op that breaks no rule; byte i of its payload is i. Returns where it starts. */
size_t image_record(struct image *f, uint32_t op, uint32_t nctas, uint32_t gmem, uint32_t init,
                    uint32_t payload);

/** A step of a barrier program. */
void image_step(struct image *f, uint32_t op, uint32_t arg, uint32_t result);

/** Fail the test unless the reader takes the file, or refuses it with these words. */
void image_takes(const struct image *f);
void image_refuses(const struct image *f, const char *words);

#endif
