/* SPDX-License-Identifier: Apache-2.0 */
/* The replay passes what was recorded, and sees every way in which a recording can be wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "replay/test/replay_fixture.h"

/* Late copies, in any order, come to the same. */
static void expect_late(const struct file *f, const char *name, uint32_t passed)
{
	for (uint64_t seed = 1; seed <= 2; seed++) {
		struct stream_result r = fixture_run(f, &replay_late, "default", STREAM_ALL, seed);

		if (r.failed)
			fail_msg("%s, late, seed %d: %s", name, (int)seed, fixture_log);
		assert_int_equal(r.passed, passed);
	}
}

TEST(all_recorded)
{
	static const struct {
		const char *name;
		uint32_t passed[3], skipped[3]; /* small, default, max */
	} files[] = {
		{ "bulk_load.vec.xz", { 60, 60, 60 }, { 0, 0, 0 } },
		{ "bulk_store.vec.xz", { 50, 50, 50 }, { 0, 0, 0 } },
		{ "bulk_shared.vec.xz", { 50, 50, 50 }, { 0, 0, 0 } },
		{ "corner_bulk_load.vec.xz", { 40, 40, 40 }, { 0, 0, 0 } },
		{ "multicast2.vec.xz", { 80, 80, 80 }, { 0, 0, 0 } },
		{ "multicast4.vec.xz", { 0, 50, 50 }, { 50, 0, 0 } },
		{ "multicast8.vec.xz", { 0, 0, 25 }, { 25, 25, 0 } },
		{ "corner_multicast4.vec.xz", { 0, 40, 40 }, { 40, 0, 0 } },
		{ "tensor_load_tile.vec.xz", { 599, 600, 600 }, { 1, 0, 0 } },
		{ "tensor_load_im2col.vec.xz", { 400, 400, 400 }, { 0, 0, 0 } },
		{ "tensor_load_tile_interleaved.vec.xz", { 150, 150, 150 }, { 0, 0, 0 } },
		{ "tensor_load_im2col_interleaved.vec.xz", { 120, 120, 120 }, { 0, 0, 0 } },
		{ "tensor_load_convert.vec.xz", { 60, 60, 60 }, { 0, 0, 0 } },
		{ "tensor_store_tile.vec.xz", { 150, 150, 150 }, { 0, 0, 0 } },
		{ "tensor_store_im2col.vec.xz", { 100, 100, 100 }, { 0, 0, 0 } },
		{ "tensor_store_tile_interleaved.vec.xz", { 50, 50, 50 }, { 0, 0, 0 } },
		{ "tensor_store_im2col_interleaved.vec.xz", { 40, 40, 40 }, { 0, 0, 0 } },
		{ "corner_load_tile.vec.xz", { 150, 150, 150 }, { 0, 0, 0 } },
		{ "corner_load_im2col.vec.xz", { 150, 150, 150 }, { 0, 0, 0 } },
		{ "corner_store_tile.vec.xz", { 60, 60, 60 }, { 0, 0, 0 } },
		{ "corner_store_im2col.vec.xz", { 60, 60, 60 }, { 0, 0, 0 } },
		{ "bulk_reduce_global.vec.xz", { 260, 270, 270 }, { 10, 0, 0 } },
		{ "bulk_reduce_shared.vec.xz", { 120, 120, 120 }, { 0, 0, 0 } },
		{ "tensor_reduce_tile.vec.xz", { 270, 270, 270 }, { 0, 0, 0 } },
		{ "tensor_reduce_im2col.vec.xz", { 110, 110, 110 }, { 0, 0, 0 } },
		{ "corner_reduce_tile.vec.xz", { 44, 60, 60 }, { 16, 0, 0 } },
		{ "cp_async.vec.xz", { 200, 200, 200 }, { 0, 0, 0 } },
		{ "mbarrier.mbr.xz", { 2000, 2000, 2000 }, { 0, 0, 0 } },
	};
	static const char *const configs[3] = { "small", "default", "max" };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct file f = fixture_load(files[i].name);

		for (size_t c = 0; c < 3; c++) {
			/* One seed for every front. */
			for (uint64_t seed = STREAM_ALTERNATE; seed <= STREAM_RING; seed++) {
				struct stream_result r;

				fixture_front = (enum stream_front)seed;
				r = fixture_run(&f, &replay_model, configs[c], STREAM_ALL, seed);

				if (r.failed)
					fail_msg("%s, %s, seed %d: %s", files[i].name, configs[c], (int)seed,
					         fixture_log);
				assert_int_equal(r.passed, files[i].passed[c]);
				assert_int_equal(r.skipped, files[i].skipped[c]);
			}
		}
		fixture_front = STREAM_ALTERNATE;
		expect_late(&f, files[i].name, files[i].passed[1]);
		free(f.bytes);
	}
	fixture_front = STREAM_ALTERNATE;
}

TEST(skips_have_reasons)
{
	struct file f = fixture_load("multicast8.vec.xz");
	struct stream_result r = fixture_run(&f, &replay_model, "default", STREAM_ALL, 1);
	struct vec_record record;

	assert_int_equal(r.num_skips, 1);
	assert_int_equal(r.skips[0].count, 25);
	assert_string_equal(r.skips[0].reason, "more CTAs than built");
	free(f.bytes);

	f = fixture_load("bulk_reduce_global.vec.xz");
	r = fixture_run(&f, &replay_model, "small", STREAM_ALL, 1);
	assert_int_equal(r.num_skips, 1);
	assert_int_equal(r.skipped, 10);
	assert_string_equal(r.skips[0].reason, "f64 is not built");
	free(f.bytes);

	f = fixture_load("tensor_load_tile.vec.xz");
	r = fixture_run(&f, &replay_model, "small", STREAM_ALL, 1);
	assert_int_equal(r.num_skips, 1);
	assert_string_equal(r.skips[0].reason, "window beyond shared memory");
	/* A region that the replay has no memory for; no byte of it is in the file. */
	fixture_first(&f, VEC_TENSOR_LOAD, &record);
	f.bytes[record.offset + 295] = 0x10;
	r = fixture_run(&f, &replay_model, "default", record.number, 1);
	assert_int_equal(r.skipped, 1);
	assert_string_equal(r.skips[0].reason, "global region beyond the replay's memory");
	free(f.bytes);

	/* A window longer than the shared memory of `small`. */
	f = fixture_load("bulk_store.vec.xz");
	fixture_first(&f, VEC_BULK_STORE, &record);
	f.bytes[record.offset + 288] = 0;
	f.bytes[record.offset + 289] = 0x50;
	r = fixture_run(&f, &replay_model, "small", 0, 1);
	assert_int_equal(r.skipped, 1);
	assert_string_equal(r.skips[0].reason, "window beyond shared memory");
	r = fixture_run(&f, &replay_model, "default", 0, 1);
	assert_int_equal(r.passed, 1);
	/* One that would fit, but for the barriers. */
	f.bytes[record.offset + 289] = 0x40;
	r = fixture_run(&f, &replay_model, "small", 0, 1);
	assert_int_equal(r.skipped, 1);
	assert_string_equal(r.skips[0].reason, "window and barrier do not fit together");
	free(f.bytes);
}

/* Every byte of the memory after a load, a store and a copy, in every CTA. */
TEST(every_byte_counts)
{
	static const struct fixture_family families[] = {
		{ "bulk_load.vec.xz", VEC_BULK_LOAD, "of the window" },
		{ "multicast2.vec.xz", VEC_BULK_LOAD, "of the window" },
		{ "bulk_shared.vec.xz", VEC_BULK_SHARED, "of the window" },
		{ "bulk_store.vec.xz", VEC_BULK_STORE, "of the global region" },
		{ "cp_async.vec.xz", VEC_CP_ASYNC, "of the window" },
	};

	/* The step meets every position in a 16-byte chunk. */
	fixture_every_byte(families, sizeof(families) / sizeof(families[0]), 37);
}

TEST(inputs_count)
{
	static const struct {
		const char *name;
		uint32_t op, at;
		const char *words;
	} fields[] = {
		{ "bulk_load.vec.xz", VEC_BULK_LOAD, 268, "bytes" },         /* tx_bytes */
		{ "bulk_load.vec.xz", VEC_BULK_LOAD, 272, "of the window" }, /* smem_seed */
		{ "bulk_load.vec.xz", VEC_BULK_LOAD, 280, "of the window" }, /* gmem_seed */
		{ "bulk_load.vec.xz", VEC_BULK_LOAD, 33, "of the window" },  /* base */
		{ "bulk_shared.vec.xz", VEC_BULK_SHARED, 268, "counted" },
		{ "bulk_store.vec.xz", VEC_BULK_STORE, 272, "of the global region" },
		{ "bulk_store.vec.xz", VEC_BULK_STORE, 280, "of the global region" },
		{ "cp_async.vec.xz", VEC_CP_ASYNC, 272, "of the window" },
		{ "cp_async.vec.xz", VEC_CP_ASYNC, 33, "of the window" },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct file f = fixture_load(fields[i].name);
		struct vec_record r;

		fixture_first(&f, fields[i].op, &r);
		fixture_tampered(&f, r.number, r.offset + fields[i].at, fields[i].words);
		free(f.bytes);
	}
}

/* Other bytes come from memory, or none: src_size less by one, the source ignored or not. */
TEST(cp_async_operands_count)
{
	struct file f = fixture_load("cp_async.vec.xz");
	struct vec_error error;
	struct vec *v = vec_parse(f.bytes, f.size, &error);
	uint32_t seen[3] = { 0 };

	assert_non_null(v);
	for (uint32_t n = 0; n < vec_count(v); n++) {
		size_t at;
		struct vec_record r;
		struct stream_result result;
		uint8_t was;

		vec_record(v, n, &r);
		/* A source byte that is 0 makes no difference. */
		if (seen[r.ignore_src] == 10 || (r.ignore_src == VEC_SRC_SIZE && !r.src_size))
			continue;
		seen[r.ignore_src]++;
		at = r.offset + (r.ignore_src == VEC_SRC_SIZE ? 252 : 256);
		was = f.bytes[at];
		f.bytes[at] = (uint8_t)(r.ignore_src == VEC_SRC_SIZE ? was - 1 : 3 - was);
		result = fixture_run(&f, &replay_model, "default", n, 1);
		f.bytes[at] = was;
		assert_int_equal(result.failed, 1);
		fixture_logged("of the window");
	}
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(seen[i], 10);
	vec_close(v);
	free(f.bytes);
}

/* A CTA too many or too few in the mask: memory and barrier both tell. */
TEST(multicast_mask_counts)
{
	struct file f = fixture_load("multicast4.vec.xz");
	struct vec_record r;

	fixture_first(&f, VEC_BULK_LOAD, &r);
	for (uint32_t c = 0; c < r.nctas; c++) {
		struct stream_result result;

		f.bytes[r.offset + 240] ^= (uint8_t)(1u << c);
		result = fixture_run(&f, &replay_model, "default", r.number, 1);
		f.bytes[r.offset + 240] ^= (uint8_t)(1u << c);
		assert_int_equal(result.failed, 1);
	}
	free(f.bytes);
}

/* A changed result or argument of any step: an answer or a final count is wrong. */
TEST(program_steps_count)
{
	struct file f = fixture_load("mbarrier.mbr.xz");
	struct vec_error error;
	struct vec *v = vec_parse(f.bytes, f.size, &error);
	struct vec_program p;
	uint32_t answers = 0;

	assert_non_null(v);
	for (uint32_t n = 0; n < 40; n++) {
		vec_program(v, n, &p);
		for (uint32_t i = 0; i < p.num_steps; i++) {
			struct vec_step s = vec_step(&p, i);
			struct stream_result result;
			size_t at = p.offset + 8 + i * 16u + 8;

			if (s.op != VEC_TEST_WAIT_PARITY && s.op != VEC_PENDING_COUNT &&
			    s.op != VEC_TEST_WAIT_STATE && s.op != VEC_TRY_WAIT_PARITY)
				continue;
			answers++;
			f.bytes[at] ^= 1;
			result = fixture_run(&f, &replay_model, "default", n, 1);
			f.bytes[at] ^= 1;
			assert_int_equal(result.failed, 1);
			fixture_logged("contradicts");
		}
	}
	assert_true(answers > 100);
	vec_close(v);
	free(f.bytes);
}

int main(void)
{
	return run_file_tests("tests");
}
