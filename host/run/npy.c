/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of NumPy: version 1.0 to 3.0 of the format, read as far as a program needs it. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

#define HEADER 4096u /* of what is read; NumPy pads to 64 */

void run_path(const struct run_program *program, const char *name, char path[RUN_PATH])
{
	const char *slash = strrchr(program->path, '/');

	if (*name == '/' || !slash)
		snprintf(path, RUN_PATH, "%s", name);
	else
		snprintf(path, RUN_PATH, "%.*s/%s", (int)(slash - program->path), program->path, name);
}

/* What stands behind 'key': in the header. NULL: there is no such key */
static const char *value_of(const char *header, const char *key)
{
	const char *at = strstr(header, key);

	if (!at)
		return NULL;
	at += strlen(key);
	at += strspn(at, " ");
	return *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
}

static const char *read_shape(const char *text, struct run_npy *npy)
{
	char *end;

	if (*text++ != '(')
		return "its header has no shape";
	npy->count = 1;
	for (;;) {
		text += strspn(text, " ,");
		if (*text == ')')
			return NULL;
		if (!isdigit((unsigned char)*text) || npy->rank == 8)
			return "its header has no shape of at most 8 dimensions";
		npy->shape[npy->rank] = strtoull(text, &end, 10);
		if (npy->shape[npy->rank] && npy->count > (UINT64_C(1) << 32) / npy->shape[npy->rank])
			return "it has more than 2^32 elements";
		npy->count *= npy->shape[npy->rank++];
		text = end;
	}
}

static const char *read_header(const char *header, struct run_npy *npy)
{
	const char *type = value_of(header, "'descr'"), *order = value_of(header, "'fortran_order'");
	const char *shape = value_of(header, "'shape'");
	size_t length;

	if (!type || !order || !shape)
		return "its header has no descr, fortran_order and shape";
	if (*type != '\'')
		return "its elements are records";
	length = strcspn(type + 1, "'");
	if (length >= sizeof(npy->type))
		return "its elements are of an unknown type";
	memcpy(npy->type, type + 1, length);
	npy->fortran = !strncmp(order, "True", 4);
	return read_shape(shape, npy);
}

const char *run_npy_read(FILE *file, struct run_npy *npy)
{
	uint8_t head[12] = { 0 };
	char header[HEADER + 1];
	size_t length, prefix;

	memset(npy, 0, sizeof(*npy));
	if (fread(head, 1, 10, file) != 10 || memcmp(head, "\x93NUMPY", 6))
		return "it is no array of NumPy";
	if (head[6] < 1 || head[6] > 3)
		return "it is of an unknown version of the format of NumPy";
	if (head[6] > 1 && fread(head + 10, 1, 2, file) != 2)
		return "it ends within its header";
	prefix = head[6] > 1 ? 12 : 10;
	length = head[8] | (size_t)head[9] << 8 | (size_t)head[10] << 16 | (size_t)head[11] << 24;
	if (length > HEADER)
		return "its header is too long";
	if (fread(header, 1, length, file) != length)
		return "it ends within its header";
	header[length] = 0;
	npy->offset = prefix + length;
	return read_header(header, npy);
}

void run_npy_type(const struct run_type *type, char text[8])
{
	const char kind = type->kind == 'f' || type->kind == 'h' ? 'f' : type->kind == 's' ? 'i' : 'u';

	snprintf(text, 8, "%c%c%u", type->bytes == 1 ? '|' : '<', kind, type->bytes);
}

bool run_npy_write(FILE *file, const struct run_type *type, uint64_t count)
{
	char header[128], name[8];
	uint8_t head[10] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0 };

	run_npy_type(type, name);
	memset(header, ' ', sizeof(header));
	header[snprintf(header, sizeof(header),
	                "{'descr': '%s', 'fortran_order': False, 'shape': (%" PRIu64 ",), }", name, count)] =
		' ';
	header[117] = '\n';
	return fwrite(head, 1, sizeof(head), file) == sizeof(head) && fwrite(header, 1, 118, file) == 118;
}
