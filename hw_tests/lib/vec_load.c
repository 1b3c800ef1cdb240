/* SPDX-License-Identifier: Apache-2.0 */
/* vec_load - a vector file's bytes, unpacked. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lzma.h>

#include "lib/vec.h"

/* A few hundred bytes of .xz can stand for gigabytes: refuse before memory runs out. */
#define MAX_BYTES      (1ull << 30)
#define XZ_MEMORY      (256ull << 20)
#define FIRST_CAPACITY 65536u

static const uint8_t xz_magic[6] = { 0xFD, '7', 'z', 'X', 'Z', 0 };

static int failed(struct vec_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int failed(struct vec_error *error, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return code;
}

/* Room for one byte more at least. */
static int grow(uint8_t **bytes, size_t *capacity, struct vec_error *error)
{
	size_t wanted = *capacity ? *capacity * 2 : FIRST_CAPACITY;
	uint8_t *more;

	if (wanted > MAX_BYTES)
		return failed(error, -EFBIG, "larger than %llu bytes when unpacked", MAX_BYTES);
	more = realloc(*bytes, wanted);
	if (!more)
		return failed(error, -ENOMEM, "out of memory");
	*bytes = more;
	*capacity = wanted;
	return 0;
}

static const char *xz_reason(lzma_ret ret)
{
	switch (ret) {
	case LZMA_FORMAT_ERROR:
		return "not an .xz file";
	case LZMA_BUF_ERROR:
		return "the .xz file is truncated";
	case LZMA_MEMLIMIT_ERROR:
		return "the .xz file needs more memory to unpack than is allowed";
	case LZMA_MEM_ERROR:
		return "out of memory";
	case LZMA_OPTIONS_ERROR:
		return "the .xz file uses an unsupported filter";
	default:
		return "the .xz file is corrupt";
	}
}

int vec_unpack(const uint8_t *packed, size_t packed_size, uint8_t **bytes, size_t *size,
               struct vec_error *error)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	uint8_t *out = NULL;
	size_t capacity = 0;
	lzma_ret ret;
	int err = 0;

	*bytes = NULL;
	*size = 0;
	ret = lzma_stream_decoder(&stream, XZ_MEMORY, LZMA_CONCATENATED);
	if (ret != LZMA_OK)
		return failed(error, -ENOMEM, "%s", xz_reason(ret));
	stream.next_in = packed;
	stream.avail_in = packed_size;
	do {
		if (stream.total_out == capacity) {
			err = grow(&out, &capacity, error);
			if (err)
				goto out;
		}
		stream.next_out = out + stream.total_out;
		stream.avail_out = capacity - stream.total_out;
		ret = lzma_code(&stream, LZMA_FINISH);
	} while (ret == LZMA_OK);
	if (ret != LZMA_STREAM_END)
		err = failed(error, -EINVAL, "byte %llu of the packed file: %s",
		             (unsigned long long)stream.total_in, xz_reason(ret));
out:
	if (err) {
		free(out);
	} else {
		*bytes = out;
		*size = stream.total_out;
	}
	lzma_end(&stream);
	return err;
}

static int read_all(const char *path, uint8_t **bytes, size_t *size, struct vec_error *error)
{
	FILE *file = fopen(path, "rb");
	size_t capacity = 0;
	int err = 0;

	*bytes = NULL;
	*size = 0;
	if (!file)
		return failed(error, -errno, "cannot open: %s", strerror(errno));
	for (;;) {
		size_t got;

		if (*size == capacity) {
			err = grow(bytes, &capacity, error);
			if (err)
				break;
		}
		got = fread(*bytes + *size, 1, capacity - *size, file);
		*size += got;
		if (!got)
			break;
	}
	if (!err && ferror(file))
		err = failed(error, -EIO, "cannot read: %s", strerror(errno));
	fclose(file);
	if (err) {
		free(*bytes);
		*bytes = NULL;
	}
	return err;
}

int vec_load(const char *path, uint8_t **bytes, size_t *size, struct vec_error *error)
{
	uint8_t *packed;
	size_t packed_size;
	int err = read_all(path, &packed, &packed_size, error);

	if (err)
		return err;
	if (packed_size < sizeof(xz_magic) || memcmp(packed, xz_magic, sizeof(xz_magic))) {
		*bytes = packed;
		*size = packed_size;
		return 0;
	}
	err = vec_unpack(packed, packed_size, bytes, size, error);
	free(packed);
	return err;
}
