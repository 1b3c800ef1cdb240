/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recorded tensor copies: the replay sees every wrong byte and count, in the recording and of the engine,
 * and hands maps to the engine as software has to.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "replay/test/replay_fixture.h"

#define FIXED       304u
#define MAP_BYTES   128u
#define MAX_REGIONS 4u
#define MAX_MAPS    256u
#define MAX_QUEUES  16u

FIXTURE_TEST(every_byte_counts)
{
	static const struct fixture_family families[] = {
		{ "tensor_load_tile.vec.xz", VEC_TENSOR_LOAD, "of the window" },
		{ "tensor_load_tile_interleaved.vec.xz", VEC_TENSOR_LOAD, "of the window" },
		{ "tensor_load_im2col.vec.xz", VEC_TENSOR_LOAD, "of the window" },
		{ "tensor_load_im2col_interleaved.vec.xz", VEC_TENSOR_LOAD, "of the window" },
		{ "corner_load_tile.vec.xz", VEC_TENSOR_LOAD, "of the window" },
		{ "corner_load_im2col.vec.xz", VEC_TENSOR_LOAD, "of the window" },
		{ "multicast2.vec.xz", VEC_TENSOR_LOAD_MULTICAST, "of the window" },
		{ "corner_multicast4.vec.xz", VEC_TENSOR_LOAD_MULTICAST, "of the window" },
		{ "tensor_store_tile.vec.xz", VEC_TENSOR_STORE, "of the global region" },
		{ "tensor_store_tile_interleaved.vec.xz", VEC_TENSOR_STORE, "of the global region" },
		{ "tensor_store_im2col.vec.xz", VEC_TENSOR_STORE, "of the global region" },
		{ "corner_store_im2col.vec.xz", VEC_TENSOR_STORE, "of the global region" },
		{ "rtx5080.vec.xz", VEC_TENSOR_LOAD, "of the window" },
		{ "documented.vec.xz", VEC_TENSOR_STORE, "of the global region" },
	};

	/* The step meets every position in a 16-byte chunk. */
	fixture_every_byte(families, sizeof(families) / sizeof(families[0]), 509);
}

/* Bytes that the barrier was told, as recorded: too many, and too few. */
FIXTURE_TEST(every_count_counts)
{
	static const struct {
		const char *name;
		uint32_t op;
	} families[] = {
		{ "tensor_load_tile.vec.xz", VEC_TENSOR_LOAD },
		{ "tensor_load_tile_interleaved.vec.xz", VEC_TENSOR_LOAD },
		{ "tensor_load_im2col.vec.xz", VEC_TENSOR_LOAD },
		{ "tensor_load_convert.vec.xz", VEC_TENSOR_LOAD },
		{ "multicast4.vec.xz", VEC_TENSOR_LOAD_MULTICAST },
		{ "sm100.vec.xz", VEC_TENSOR_LOAD },
	};

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		struct file f = fixture_load(families[i].name);
		struct vec_record r;
		char words[64];

		fixture_first(&f, families[i].op, &r);
		snprintf(words, sizeof(words), "it counted %u of %u bytes", r.tx_bytes, r.tx_bytes ^ 0x10);
		fixture_tampered(&f, r.number, r.offset + 268, words);
		snprintf(words, sizeof(words), "it counted %u of %u bytes", r.tx_bytes, r.tx_bytes ^ 0x1000);
		fixture_tampered(&f, r.number, r.offset + 269, words);
		free(f.bytes);
	}
}

/* Does the record alone pass, with this bit of its fixed part inverted? */
static bool passes(struct file *f, uint32_t number, size_t at, uint8_t bit)
{
	struct vec_error error;
	struct vec *v = vec_parse(f->bytes, f->size, &error);
	struct vec_record r;
	bool passed;

	assert_non_null(v);
	vec_record(v, number, &r);
	vec_close(v);
	f->bytes[r.offset + at] ^= bit;
	passed = fixture_run(f, &replay_model, "default", number, 3).passed == 1;
	f->bytes[r.offset + at] ^= bit;
	return passed;
}

/* What the map and the command are made of: many records (those that touch memory, in more than one row
 * if it is a stride) are other ones with another value. */
FIXTURE_TEST(inputs_count)
{
	static const struct {
		const char *name;
		uint32_t at;
		uint8_t bit;
	} fields[] = {
		{ "tensor_load_tile.vec.xz", 32, 0x10 },     /* base */
		{ "tensor_load_tile.vec.xz", 40, 0x01 },     /* dim */
		{ "tensor_load_tile.vec.xz", 80, 0x10 },     /* stride */
		{ "tensor_load_tile.vec.xz", 116, 0x01 },    /* box */
		{ "tensor_load_tile.vec.xz", 188, 0x01 },    /* swizzle */
		{ "tensor_load_tile.vec.xz", 201, 0x10 },    /* coord */
		{ "tensor_load_tile.vec.xz", 232, 0x80 },    /* smem_off */
		{ "tensor_load_tile.vec.xz", 272, 0x10 },    /* smem_seed */
		{ "tensor_load_tile.vec.xz", 280, 0x10 },    /* gmem_seed */
		{ "tensor_load_im2col.vec.xz", 32, 0x10 },   /* base */
		{ "tensor_load_im2col.vec.xz", 152, 0x01 },  /* lower */
		{ "tensor_load_im2col.vec.xz", 180, 0x01 },  /* ppc */
		{ "tensor_load_im2col.vec.xz", 220, 0x01 },  /* offs */
		{ "tensor_store_tile.vec.xz", 32, 0x10 },    /* base */
		{ "tensor_store_tile.vec.xz", 200, 0x04 },   /* coord */
		{ "tensor_store_tile.vec.xz", 272, 0x10 },   /* smem_seed */
		{ "tensor_store_tile.vec.xz", 280, 0x10 },   /* gmem_seed */
		{ "tensor_store_im2col.vec.xz", 204, 0x01 }, /* coord */
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct file f = fixture_load(fields[i].name);
		uint32_t seen = 0;

		for (uint32_t number = 0; number < 16; number++)
			seen += !passes(&f, number, fields[i].at, fields[i].bit);
		if (seen < 4)
			fail_msg("%s: byte %u matters to %u of 16 records", fields[i].name, fields[i].at,
			         seen);
		free(f.bytes);
	}
}

static int no_granule16(void *engine)
{
	(void)engine;
	return 0;
}

/* An engine that clips per element. */
FIXTURE_TEST(granule16_counts)
{
	struct stream_result r;

	fixture_backend.store_granule16 = no_granule16;
	r = fixture_whole("tensor_store_tile.vec.xz");
	assert_true(r.failed > 0 && r.passed > 0);
	assert_int_equal(r.failed + r.passed, 150);
	fixture_logged("of the global region");
}

static uint32_t loads;

/* The barrier hears of 16 bytes too many, once. */
static int wrong_count(void *engine, uint32_t queue, const struct tma_command *command)
{
	if (command->opcode == TMA_TENSOR_LOAD && loads++ == 7) {
		struct tma_command more = {
			.opcode = TMA_MBARRIER_COMPLETE_TX,
			.version = TMA_COMMAND_VERSION,
			.barrier = command->barrier,
			.tx = 16,
		};
		int err = replay_model.submit(engine, queue, &more);

		if (err)
			return err;
	}
	return replay_model.submit(engine, queue, command);
}

static int wrong_coordinate(void *engine, uint32_t queue, const struct tma_command *command)
{
	struct tma_command changed = *command;

	if (command->opcode == TMA_TENSOR_LOAD && loads++ == 7)
		changed.coord[0] = INT32_MAX & ~0xFFF;
	return replay_model.submit(engine, queue, &changed);
}

FIXTURE_TEST(wrong_engines)
{
	struct stream_result r;

	fixture_backend.submit = wrong_count;
	loads = 0;
	r = fixture_whole("tensor_load_convert.vec.xz");
	assert_in_range(r.failed, 1, 32);
	assert_int_equal(r.failed + r.passed, 60);
	fixture_logged("it counted");

	fixture_backend.submit = wrong_coordinate;
	loads = 0;
	r = fixture_whole("tensor_load_convert.vec.xz");
	assert_int_equal(r.failed, 1);
	assert_int_equal(r.passed, 59);
	fixture_logged("of the window");
}

/*
 * An engine that keeps every map that it has seen until a fence names it. A map whose memory has changed
 * since is one that the replay has changed without a fence.
 */
static struct {
	uint64_t base, size;
	uint8_t *memory;
} regions[MAX_REGIONS];
static uint32_t num_regions;

static struct {
	uint64_t address;
	uint8_t bytes[MAP_BYTES];
} kept[MAX_MAPS];
static uint32_t num_kept, fences, prefetches, stale;

static int keep_region(void *engine, uint64_t base, uint64_t size, void *memory)
{
	assert_true(num_regions < MAX_REGIONS);
	regions[num_regions].base = base;
	regions[num_regions].size = size;
	regions[num_regions++].memory = memory;
	return replay_model.map(engine, base, size, memory);
}

static uint8_t *memory_at(uint64_t address)
{
	for (uint32_t i = 0; i < num_regions; i++)
		if (address - regions[i].base < regions[i].size)
			return regions[i].memory + (address - regions[i].base);
	fail_msg("no memory at %llx", (unsigned long long)address);
	return NULL;
}

static void use_map(uint64_t address)
{
	const uint8_t *bytes = memory_at(address);

	for (uint32_t i = 0; i < num_kept; i++) {
		if (kept[i].address == address) {
			stale += memcmp(kept[i].bytes, bytes, MAP_BYTES) != 0;
			return;
		}
	}
	assert_true(num_kept < MAX_MAPS);
	kept[num_kept].address = address;
	memcpy(kept[num_kept++].bytes, bytes, MAP_BYTES);
}

static void drop_map(uint64_t address)
{
	for (uint32_t i = 0; i < num_kept; i++)
		if (kept[i].address == address)
			kept[i] = kept[--num_kept];
}

static int keep_maps(void *engine, uint32_t queue, const struct tma_command *command)
{
	switch (command->opcode) {
	case TMA_MAP_FENCE:
		fences++;
		drop_map(command->global_address);
		break;
	case TMA_PREFETCH_TENSORMAP:
	case TMA_TENSOR_PREFETCH:
		prefetches++;
		use_map(command->global_address);
		break;
	case TMA_TENSOR_LOAD:
	case TMA_TENSOR_STORE:
		use_map(command->global_address);
		break;
	default:
		break;
	}
	return replay_model.submit(engine, queue, command);
}

FIXTURE_TEST(maps_are_fenced)
{
	fixture_backend.map = keep_region;
	fixture_backend.submit = keep_maps;
	num_regions = num_kept = fences = prefetches = stale = 0;
	assert_int_equal(fixture_whole("tensor_load_tile.vec.xz").passed, 600);
	assert_int_equal(stale, 0);
	assert_true(fences > 300 && prefetches > 50);
}

/* A multicast to nobody is over before the prefetch in front of it has read its map, whose memory may be another's then. */
static uint64_t prefetched[MAX_QUEUES];
static uint32_t to_nobody, left_behind;

static int look_at_nobody(void *engine, uint32_t queue, const struct tma_command *command)
{
	assert_true(queue < MAX_QUEUES);
	if (command->opcode == TMA_TENSOR_PREFETCH) {
		prefetched[queue] = command->global_address;
	} else if (command->opcode == TMA_TENSOR_LOAD) {
		bool nobody = (command->flags & TMA_FLAG_MULTICAST) && !command->cta_mask;

		to_nobody += nobody;
		left_behind += nobody && prefetched[queue] == command->global_address;
		prefetched[queue] = 0;
	}
	return replay_model.submit(engine, queue, command);
}

FIXTURE_TEST(nothing_is_prefetched_for_nobody)
{
	static const char *const names[] = { "multicast2.vec.xz", "multicast4.vec.xz", "multicast8.vec.xz",
		                             "corner_multicast4.vec.xz" };

	fixture_backend.submit = look_at_nobody;
	memset(prefetched, 0, sizeof(prefetched));
	to_nobody = left_behind = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct file f = fixture_load(names[i]);

		for (uint64_t seed = 1; seed <= 20; seed++)
			assert_int_equal(
				fixture_run(&f, &fixture_backend, "default", STREAM_ALL, seed).failed, 0);
		free(f.bytes);
	}
	assert_true(to_nobody >= 60);
	assert_int_equal(left_behind, 0);
}

static bool wrote;

/* Writes one byte of a map's neighbour. */
static int write_by_map(void *engine, uint32_t queue, const struct tma_command *command)
{
	if (command->opcode == TMA_TENSOR_LOAD && !wrote) {
		uint64_t address = command->global_address;

		*memory_at(address & 0xFFF ? address - 1 : address + MAP_BYTES) ^= 1;
		wrote = true;
	}
	return replay_model.submit(engine, queue, command);
}

FIXTURE_TEST(maps_are_read_only)
{
	struct file f = fixture_load("tensor_load_tile.vec.xz");
	struct stream_result r;

	fixture_backend.map = keep_region;
	fixture_backend.submit = write_by_map;
	num_regions = 0;
	wrote = false;
	r = fixture_run(&f, &fixture_backend, "default", 0, 1);
	assert_int_equal(r.passed, 1);
	assert_int_equal(r.failed, 1);
	fixture_logged("a buffer or a map was written");
	free(f.bytes);
}

int main(void)
{
	return run_file_tests("tests");
}
