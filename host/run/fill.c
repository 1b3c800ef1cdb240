/* SPDX-License-Identifier: Apache-2.0 */
/* Sources into bytes, and bytes into and out of the memories of a device. */
#define _POSIX_C_SOURCE 200809L /* fileno() */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run.h"

static int refuse(const struct run *run, const struct run_source *source, const char *why)
{
	return run_wrong(run->program, source->place, source->length, "%s", why);
}

/* The path that a message shows, and why. */
static int refuse_file(const struct run *run, const struct run_source *source, const char *path,
                       const char *why)
{
	return run_wrong(run->program, source->place, source->length, "%s: %s", path, why);
}

static FILE *open_file(const struct run *run, const struct run_source *source, char path[RUN_PATH])
{
	struct stat found;
	FILE *file;

	run_path(run->program, source->path, path);
	file = fopen(path, "rb");
	if (!file) {
		refuse_file(run, source, path, strerror(errno));
		return NULL;
	}
	/* A folder opens, too, and a pipe has no size. */
	if (!fstat(fileno(file), &found) && S_ISREG(found.st_mode))
		return file;
	refuse_file(run, source, path, "must be a regular file");
	fclose(file);
	return NULL;
}

/* Whether the array has the type of the variable: bits take any of their size. */
static bool same_type(const struct run_npy *npy, const struct run_type *type)
{
	char name[8];

	run_npy_type(type, name);
	if (npy->type[0] == '>' || strlen(npy->type) != 3 || npy->type[2] != name[2])
		return false;
	if (type->kind == 'b' || (type->kind == 'e' && npy->type[1] == 'V'))
		return strchr("iufV", npy->type[1]) != NULL;
	return npy->type[1] == name[1];
}

/* The header, with the file behind it. */
static FILE *open_npy(const struct run *run, const struct run_source *source, const struct run_type *type,
                      struct run_npy *npy, char path[RUN_PATH])
{
	FILE *file = open_file(run, source, path);
	char why[120], name[8];
	const char *wrong;

	if (!file)
		return NULL;
	wrong = run_npy_read(file, npy);
	if (!wrong && !same_type(npy, type)) {
		run_npy_type(type, name);
		snprintf(why, sizeof(why), "its elements are '%s', those of a .%s are '%s'", npy->type,
		         type->name, name);
		wrong = why;
	}
	if (!wrong && npy->fortran && npy->rank > 1)
		wrong = "its order is that of Fortran; a variable has that of C";
	if (!wrong)
		return file;
	refuse_file(run, source, path, wrong);
	fclose(file);
	return NULL;
}

static uint64_t size_of(FILE *file)
{
	long size = fseek(file, 0, SEEK_END) ? -1 : ftell(file);

	return size < 0 ? 0 : (uint64_t)size;
}

int run_count(const struct run *run, const struct run_source *source, const struct run_type *type,
              uint64_t *count)
{
	char path[RUN_PATH];
	struct run_npy npy;
	FILE *file;

	if (source->kind == RUN_NPY) {
		file = open_npy(run, source, type, &npy, path);
		*count = npy.count;
	} else {
		file = open_file(run, source, path);
		if (file)
			*count = size_of(file);
		*count = *count > source->offset ? (*count - source->offset) / type->bytes : 0;
	}
	if (!file)
		return 2;
	fclose(file);
	return *count ? 0 : refuse_file(run, source, path, "it has no element");
}

static int read_bytes(const struct run *run, const struct run_source *source, FILE *file, const char *path,
                      uint64_t offset, uint8_t *bytes, uint64_t size)
{
	const uint64_t length = size_of(file);
	char why[120];
	bool bad;

	snprintf(why, sizeof(why),
	         "it has %" PRIu64 " bytes, and %" PRIu64 " from %" PRIu64 " on are asked for", length, size,
	         offset);
	if (length < offset || length - offset < size) {
		fclose(file);
		return refuse_file(run, source, path, why);
	}
	errno = 0;
	bad = fseek(file, (long)offset, SEEK_SET) || fread(bytes, 1, size, file) != size;
	fclose(file);
	return bad ? refuse_file(run, source, path, errno ? strerror(errno) : "it cannot be read") : 0;
}

static int from_npy(const struct run *run, const struct run_source *source, const struct run_type *type,
                    uint64_t count, uint8_t *bytes)
{
	char path[RUN_PATH], why[120];
	struct run_npy npy;
	FILE *file = open_npy(run, source, type, &npy, path);

	if (!file)
		return 2;
	if (npy.count != count) {
		fclose(file);
		snprintf(why, sizeof(why), "it has %" PRIu64 " elements, and %" PRIu64 " are asked for",
		         npy.count, count);
		return refuse_file(run, source, path, why);
	}
	return read_bytes(run, source, file, path, npy.offset, bytes, count * type->bytes);
}

/* A generator whose whole state is a counter: SplitMix64. */
static uint64_t mix(uint64_t state)
{
	state = (state ^ state >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	state = (state ^ state >> 27) * UINT64_C(0x94D049BB133111EB);
	return state ^ state >> 31;
}

static int from_random(const struct run_source *source, uint8_t *bytes, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++) {
		const uint64_t word = mix(source->offset + (i / 8 + 1) * UINT64_C(0x9E3779B97F4A7C15));

		bytes[i] = (uint8_t)(word >> 8 * (i % 8));
	}
	return 0;
}

static int from_ramp(const struct run *run, const struct run_source *source, const struct run_type *type,
                     uint64_t count, uint8_t *bytes)
{
	const struct run_number *first = &source->numbers[0], *step = &source->numbers[1];
	const uint32_t unused = 64 - 8u * type->bytes;

	for (uint64_t i = 0; i < count; i++) {
		const uint64_t n = source->offset ? i % source->offset : i;
		struct run_number number = {
			.value = (first->value + n * step->value) << unused >> unused,
			.number = first->number + (double)n * step->number,
		};

		/* A whole number that grows too large begins anew, as one does in a register. */
		if (type->kind != 'f' && type->kind != 'h' && type->kind != 'e') {
			for (uint32_t b = 0; b < type->bytes; b++)
				bytes[i * type->bytes + b] = (uint8_t)(number.value >> 8 * b);
		} else if (run_element_put(type, &number, bytes + i * type->bytes)) {
			return refuse(run, source, "the numbers do not fit their type");
		}
	}
	return 0;
}

static int from_copy(const struct run *run, const struct run_source *source, uint8_t *bytes, uint64_t size)
{
	uint64_t count, has;

	if (run_extent(run, &source->copy, &count, &has))
		return 2;
	if (has < size)
		return run_wrong(run->program, source->place, source->length,
		                 "%s has %" PRIu64 " bytes from there on, and %" PRIu64 " are asked for",
		                 run->program->symbols[source->copy.symbol].name, has, size);
	return run_load((struct run *)run, &source->copy, bytes, size);
}

int run_bytes(const struct run *run, const struct run_source *source, const struct run_type *type,
              uint64_t count, uint8_t *bytes)
{
	const uint64_t size = count * type->bytes;
	char path[RUN_PATH];
	struct tma_map map;
	FILE *file;

	memset(bytes, 0, size);
	switch (source->kind) {
	case RUN_VALUE:
		for (uint64_t i = 0; i < count; i++)
			run_element_put(type, source->numbers, bytes + i * type->bytes);
		return 0;
	case RUN_LIST:
		if (source->count > count)
			return run_wrong(run->program, source->place, source->length,
			                 "the list has %" PRIu64 " numbers, more than the %" PRIu64
			                 " elements there",
			                 source->count, count);
		for (uint64_t i = 0; i < source->count; i++)
			run_element_put(type, &source->numbers[i], bytes + i * type->bytes);
		return 0;
	case RUN_RAMP:
		return from_ramp(run, source, type, count, bytes);
	case RUN_RANDOM:
		return from_random(source, bytes, size);
	case RUN_NPY:
		return from_npy(run, source, type, count, bytes);
	case RUN_RAW:
		file = open_file(run, source, path);
		return file ? read_bytes(run, source, file, path, source->offset, bytes, size) : 2;
	case RUN_COPY:
		return from_copy(run, source, bytes, size);
	case RUN_MAP:
		if (size != TMA_MAP_BYTES)
			return refuse(run, source, "a tensor map has 128 bytes");
		if (run_encode(run, source, &map))
			return 2;
		memcpy(bytes, &map, sizeof(map));
		return 0;
	default:
		return 0;
	}
}

uint32_t run_places(const struct run *run, const struct run_target *target)
{
	return run->program->symbols[target->symbol].multimem && !target->has_at ? run->info.ports : 1;
}

/* The buffer of a variable in global memory. */
static struct tma_memory *memory_of(const struct run *run, const struct run_target *target)
{
	const struct run_symbol *symbol = &run->program->symbols[target->symbol];

	return symbol->multimem ? tma_multimem_memory(symbol->object, target->has_at ? target->at : 0)
	                        : symbol->memory;
}

/* Both ways; @p bytes are written where @p out is not set. */
static int move(struct run *run, const struct run_target *target, uint8_t *bytes, uint64_t size, bool out)
{
	const struct run_symbol *symbol = &run->program->symbols[target->symbol];
	const uint32_t cta = target->has_at ? target->at : run->program->threads[run->thread].cta;
	const uint32_t address = tma_shared(cta, (uint32_t)(symbol->address + target->offset));
	struct tma_memory *memory;
	int error;

	if (symbol->ptx.space == TMA_PTX_SHARED) {
		if (cta >= run->info.ctas)
			return run_wrong(run->program, target->place, target->length,
			                 "there is no CTA %" PRIu32 ": the engine has %" PRIu32, cta,
			                 run->info.ctas);
		error = out ? tma_smem_read(run->device, address, bytes, (uint32_t)size)
		            : tma_smem_write(run->device, address, bytes, (uint32_t)size);
	} else {
		memory = memory_of(run, target);
		if (!memory)
			return run_wrong(run->program, target->place, target->length,
			                 "there is no port %" PRIu32 ": the engine has %" PRIu32, target->at,
			                 run->info.ports);
		error = out ? tma_copy_out(memory, target->offset, bytes, size)
		            : tma_copy_in(memory, target->offset, bytes, size);
	}
	return error ? run_failed(run, target->place, symbol->name) : 0;
}

int run_load(struct run *run, const struct run_target *target, uint8_t *bytes, uint64_t size)
{
	return move(run, target, bytes, size, true);
}

int run_store(struct run *run, const struct run_target *target, const uint8_t *bytes, uint64_t size)
{
	struct run_target one = *target;
	const uint32_t places = run_places(run, target);
	int status = 0;

	for (uint32_t p = 0; p < places && !status; p++) {
		if (places > 1) {
			one.has_at = true;
			one.at = p;
		}
		status = move(run, &one, (uint8_t *)(uintptr_t)bytes, size, false);
	}
	return status;
}
