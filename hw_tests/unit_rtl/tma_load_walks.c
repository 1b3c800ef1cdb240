/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor copies and the fetches of their maps; what is checked besides is in tma_load_env.h. */
#include <stdbool.h>
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_load_env.h"

#define CHUNK       ENV_CHUNK
#define PAGE_CHUNKS (ENV_PAGE / CHUNK)
#define LINE_CHUNKS 8u /* of 128 bytes, in which a swizzle moves chunks */
#define LIMIT       200000u
#define FILL_ROWS   15u /* that wait to be written, without the walk */

/* Three cycles from a walk to its first burst, two from data to the write; fill alone: three from the
 * walk to its write; where paths are short, three more from the walk, and one more to the write. */
ENV_ALL_TEST(walk_latency, .seed = 50)
{
	struct env_tensor t = env_dense(0, 0, 3, 2);
	struct env_cmd *c = env_tensor(e, 0, &t, 1);

	env_drain(e, LIMIT);
	assert_int_equal(c->walked - c->accept, 1 + 2 * e->info->short_paths);
	assert_int_equal(c->first_ar - c->walked, 3 + 3 * e->info->short_paths);
	assert_int_equal(c->first_write - e->first_r, 2 + e->info->short_paths);
	assert_int_equal(c->signal - c->last_write, e->info->short_paths);
	t = env_dense(0, 0, 1, e->info->data_bytes / CHUNK);
	t.outside = true;
	c = env_tensor(e, 0, &t, 1);
	env_drain(e, LIMIT);
	assert_int_equal(c->first_write - c->walked, 3 + 3 * e->info->short_paths);
	assert_int_equal(c->signal - c->last_write, 1 + 3 * e->info->short_paths);
	/* A row of a chunk that another one could join waits for a cycle, and for no fill behind it. */
	t = env_dense(0, 0, 200, 1);
	t.level[0].last = 0;
	c = env_tensor(e, 0, &t, 1);
	env_drain(e, LIMIT);
	assert_int_equal(c->first_ar - c->walked, 4 + 2 * e->info->short_paths);
}

/* Fill before and behind the data, bytes that are cut off, at every place in a line of both sides. */
ENV_ALL_TEST(walk_ends, .seed = 51, .latency = 3, .write_percent = 20)
{
	uint32_t lanes, head, tail, chunks, odd, next = 0, room, i = 0;
	struct env_tensor t;

	lanes = e->info->data_bytes / CHUNK;
	room = e->info->smem_bytes / CHUNK;
	for (head = 0; head <= lanes + 1; head++)
		for (tail = 0; tail <= lanes + 1; tail++)
			for (chunks = 1; chunks <= lanes + 1; chunks++)
				for (odd = 0; odd < CHUNK; odd += 1 + i % 5, i++) {
					if (next + 2 * (2 * lanes + 2 + chunks) > room || e->num == 200) {
						env_drain(e, LIMIT);
						next = i % lanes;
					}
					t = env_dense(i % (2 * lanes) * CHUNK + 64 * CHUNK, next, 2, chunks);
					t.pitch = head + chunks + tail;
					t.head = head;
					t.tail = tail;
					t.odd = odd;
					t.layout.nan = i & 1;
					env_tensor(e, 0, &t, 1 + i % env_all_ctas(e));
					next += 2 * t.pitch;
				}
	env_drain(e, LIMIT);
}

/* Every swizzle with rows of every length and place, in bounds and out. */
ENV_ALL_TEST(walk_swizzles, .seed = 52, .latency = 3, .write_percent = 10)
{
	uint32_t swizzle, chunks, from, at, next = 0, room, lanes;
	struct env_tensor t;

	lanes = e->info->data_bytes / CHUNK;
	room = e->info->smem_bytes / CHUNK;
	for (swizzle = LOAD_SWIZZLE_OFF; swizzle < LOAD_SWIZZLES; swizzle++)
		for (chunks = 1; chunks <= 2 * LINE_CHUNKS + 1; chunks++)
			for (from = 0; from < lanes; from++)
				for (at = 0; at < LINE_CHUNKS; at += 1 + chunks % 2) {
					uint32_t size =
						(at + 4 * chunks + LINE_CHUNKS) / LINE_CHUNKS * LINE_CHUNKS;

					if (next + size > room) {
						env_drain(e, LIMIT);
						next = 0;
					}
					t = env_dense((16 + from) * CHUNK, next + at, 4, chunks);
					t.odd = chunks * 4 % CHUNK;
					t.level[0].start = -1;
					t.level[0].last = 1;
					t.layout.swizzle = (enum load_swizzle)swizzle;
					t.layout.nan = chunks & 1;
					env_tensor(e, 1, &t, 1);
					next += size;
				}
	env_drain(e, LIMIT);
}

/* Formats that change the data: tf32, padded rows from every place in the source. */
ENV_ALL_TEST(walk_formats, .seed = 53, .latency = 3, .write_percent = 10)
{
	static const enum load_swizzle swizzles[] = { LOAD_SWIZZLE_OFF, LOAD_XOR_128, LOAD_ATOM_32,
		                                      LOAD_ATOM_64 };
	uint32_t format, from, i, next = 0, room;
	struct env_tensor t;

	room = e->info->smem_bytes / CHUNK;
	for (format = LOAD_TF32; format <= (e->info->packed ? LOAD_PAD_6 : LOAD_TF32); format++)
		for (from = 0; from < PAGE_CHUNKS; from++)
			for (i = 0; i < 4; i++) {
				uint32_t chunks = format == LOAD_TF32 ? 32 : format == LOAD_PAD_4 ? 4 : 6;

				if (next + 160 > room) {
					env_drain(e, LIMIT);
					next = 0;
				}
				t = env_dense((64 * PAGE_CHUNKS + from * 13) * CHUNK, next, 5, chunks);
				t.pitch = format == LOAD_TF32 ? 32 : LINE_CHUNKS;
				t.odd = format == LOAD_TF32 ? i * 4 : 0;
				t.level[0].start = -1;
				t.level[0].last = 2;
				t.layout.format = (enum load_format)format;
				t.layout.swizzle = swizzles[i];
				t.layout.nan = format == LOAD_TF32 && i % 2;
				env_tensor(e, 0, &t, 1);
				next += 5 * t.pitch;
			}
	env_drain(e, LIMIT);
}

/* How the half of a box is out of bounds. */
enum half { HALF_OF_ROWS, HALF_THE_ROWS, HALF_A_LINE, HALVES };

/* Boxes half of which are out of bounds: a line in every cycle, and of one that is half data, half fill, one
 * write; where paths are short, a row in every third cycle, one of fill alone in every other. */
TEST(walk_fill_rate)
{
	const struct env_opts opts = { .seed = 54, .latency = unit_shape()->reads < 64 ? 2 : 30 };
	uint32_t lanes, boxes = 8, rows, pitch, wanted;
	struct env_tensor t;
	struct env e;

	for (uint32_t half = 0; half < HALVES; half++) {
		env_open_all(&e, &opts);
		lanes = e.info->data_bytes / CHUNK;
		if (half == HALF_A_LINE && lanes == 1) {
			env_close(&e);
			continue;
		}
		pitch = half == HALF_OF_ROWS ? 2 * lanes : lanes;
		rows = e.info->smem_bytes / CHUNK / pitch / boxes;
		for (uint32_t i = 0; i < boxes; i++) {
			t = env_dense(i * ENV_PAGE, i * rows * pitch, rows, pitch);
			if (half == HALF_THE_ROWS) {
				t.level[0].last = rows / 2 - 1;
			} else {
				t.chunks = pitch / 2;
				t.tail = i % 2 ? 0 : pitch / 2;
				t.head = i % 2 ? pitch / 2 : 0;
			}
			env_tensor(&e, i % e.info->queues, &t, env_all_ctas(&e));
		}
		env_drain(&e, LIMIT);
		assert_int_equal(e.writes, boxes * rows * pitch / lanes);
		/* The first lines of a box out of bounds by rows wait for its data, which is asked for while the
		 * last rows of fill before it are written. */
		wanted = e.writes * (2 + (half == HALF_OF_ROWS ? 1 : 4) * e.info->short_paths) / 2;
		wanted += half == HALF_THE_ROWS && opts.latency > FILL_ROWS
		                  ? boxes * (opts.latency - FILL_ROWS)
		                  : 0;
		assert_in_range((e.last_line - e.first_line + 1) * 100, e.writes * 100, wanted * 103 + 100);
		env_close(&e);
	}
}

/* Swizzled rows that are aligned to their span: a beat in every cycle. */
TEST(walk_swizzled_rate)
{
	const struct env_opts opts = { .seed = 55, .latency = 30 };
	uint32_t boxes, rows;
	struct env_tensor t;
	struct env e;

	for (uint32_t swizzle = LOAD_XOR_32; swizzle < LOAD_SWIZZLES; swizzle++) {
		env_open_all(&e, &opts);
		boxes = 4;
		rows = e.info->smem_bytes / 128 / boxes;
		for (uint32_t i = 0; i < boxes; i++) {
			t = env_dense(i * rows * 128, i * rows * LINE_CHUNKS, rows, LINE_CHUNKS);
			t.layout.swizzle = (enum load_swizzle)swizzle;
			env_tensor(&e, 0, &t, env_all_ctas(&e));
		}
		env_drain(&e, LIMIT);
		assert_int_equal(e.beats, e.info->smem_bytes / e.info->data_bytes);
		assert_int_equal(e.writes, e.beats);
		assert_int_equal(e.last_r - e.first_r + 1, e.beats);
		env_close(&e);
	}
}

/* The same from any place in a beat: of one of the widest lines what belongs into the next 128 bytes goes with
 * the beat behind it. */
TEST(walk_swizzled_apart)
{
	const struct env_opts opts = { .seed = 63, .latency = 30 };
	uint32_t lanes = unit_shape()->data_bytes / CHUNK, boxes = 4, chunks;
	struct env_tensor t;
	struct env e;

	for (uint32_t from = 1; from < lanes; from++) {
		env_open_all(&e, &opts);
		chunks = e.info->smem_bytes / CHUNK / boxes;
		chunks = chunks < 512 ? chunks : 512;
		for (uint32_t i = 0; i < boxes; i++) {
			t = env_dense(i * 4 * ENV_PAGE + from * CHUNK, i * chunks, 1, chunks);
			t.layout.swizzle = (enum load_swizzle)(LOAD_XOR_32 + i);
			env_tensor(&e, 0, &t, env_all_ctas(&e));
		}
		env_drain(&e, LIMIT);
		/* Of each burst the last beat may take two. */
		assert_in_range(e.writes, e.beats, e.beats + boxes * (chunks * CHUNK / ENV_PAGE + 1));
		env_close(&e);
	}
}

/* Rows of a chunk, two in a line: a burst brings two, and a row comes in every cycle although two thirds of them
 * would be too many to be in flight. */
TEST(walk_joined_rate)
{
	const uint32_t lanes = unit_shape()->data_bytes / CHUNK, reads = unit_shape()->reads, boxes = 4;
	const struct env_opts opts = { .seed = 65, .latency = reads + reads / 2 };
	struct env_tensor t;
	uint32_t rows;
	struct env e;

	if (lanes < 4)
		return;
	env_open_all(&e, &opts);
	rows = e.info->smem_bytes / CHUNK / boxes;
	rows = rows < 1000 ? rows : 1000;
	for (uint32_t i = 0; i < boxes; i++) {
		t = env_dense(i * 8 * ENV_PAGE, i * rows, rows, 1);
		t.level[0].stride = 2;
		t.layout.swizzle = i % 2 ? LOAD_XOR_128 : LOAD_SWIZZLE_OFF;
		env_tensor(&e, 0, &t, env_all_ctas(&e));
	}
	env_drain(&e, LIMIT);
	assert_int_equal(e.writes, boxes * rows);
	assert_int_equal(e.beats, boxes * rows / 2);
	assert_in_range((e.last_line - e.first_line + 1) * 100, 0, e.writes * 105);
	env_close(&e);
}

/* Rows of a chunk that wait, two in a line, but not one behind the other in shared memory: a burst for each.
 * And rows that are, beside errors, in windows that end between two of them. */
TEST(walk_with_gaps)
{
	const struct env_opts opts = { .seed = 66, .stall_percent = 60, .latency = 40, .write_percent = 50 };
	uint32_t next;
	struct env_tensor t;
	struct env_cmd *c;
	struct env e;

	env_open(&e, &opts);
	env_window(&e, 0, 0, 20, true);
	env_error(&e, 3 * ENV_PAGE_GRAINS, AXI_SLVERR);
	for (uint32_t i = 0; i < 24; i++) {
		t = env_dense(ENV_PAGE, 0, 60, 1);
		t.level[0].stride = 2;
		t.pitch = 2;
		c = env_tensor(&e, 0, &t, 1);
		t = env_dense(3 * ENV_PAGE - i * 2 * CHUNK, 128, 60, 1);
		t.level[0].stride = 2 - i % 2;
		env_tensor(&e, 0, &t, 1);
		t = env_dense(21 * ENV_PAGE - i * 2 * CHUNK, 192, 60, 1);
		t.level[0].stride = 2;
		env_tensor(&e, 0, &t, 1);
		/* The second row and the third one lie in one line, but the other way round. */
		t = env_dense(5 * ENV_PAGE + 2 * CHUNK, 320, 2, 1);
		t.level[0].stride = 4;
		t.level[1] = (struct env_level){ .count = 4, .step = 1, .last = 3, .stride = 3 };
		env_tensor(&e, 0, &t, 1);
		/* The last row waits while the one before it is denied. */
		t = env_dense(22 * ENV_PAGE, 344, 2, 1);
		t.level[0].stride = 2;
		t.pitch = 2;
		env_tensor(&e, 0, &t, 1);
		/* Rows of prefetches, three in a line, some of them outside. */
		t = env_dense(6 * ENV_PAGE + i * CHUNK, 0, 20, 1);
		t.level[0].last = i;
		env_tensor(&e, 0, &t, 0);
		/* Of the last box of a line the rest is fill. */
		for (next = 0; next < 8; next++) {
			t = env_dense(5 * ENV_PAGE + i * CHUNK, 256 + next * 8, 8, 1);
			t.level[0].stride = 2;
			t.level[0].last = next;
			env_tensor(&e, 0, &t, 1);
		}
		while (c->signal == ENV_NEVER)
			env_step(&e);
		assert_int_equal(c->issued, 60);
		env_drain(&e, LIMIT);
	}
	env_close(&e);
}

/* Other commands wait for nothing that tensor copies wait for in front of the walker, and for one walk of
 * those that are there. */
ENV_ALL_TEST(walks_passed, .seed = 62)
{
	const uint32_t rows = 32, most = 8;
	struct env_cmd *load, *cp, *prefetch, *last;
	struct env_tensor t;

	e->block_tensor = true;
	for (uint32_t i = 0; i < 4; i++) {
		t = env_dense(i * ENV_PAGE, i * rows, rows, 1);
		env_tensor(e, 0, &t, 1);
	}
	load = env_command(e, 1, 10 * ENV_PAGE, 4, 200, 1);
	cp = env_cp(e, 1, 11 * ENV_PAGE, 16, 16, 210 * CHUNK, 0);
	prefetch = env_command(e, 1, 12 * ENV_PAGE, 4, 0, 0);
	last = env_command(e, 1, 13 * ENV_PAGE, 4, 220, 1);
	env_steps(e, 100);
	assert_int_equal(load->first_ar - load->accept, 2 + e->info->short_paths);
	assert_in_range(cp->first_ar - cp->accept, 2, most);
	assert_in_range(prefetch->first_ar - prefetch->accept, 2, most);
	assert_in_range(last->signal - last->accept, 20, 20 + (most + 2) * (1 + e->info->short_paths));
	e->block_tensor = false;
	env_steps(e, 20);
	/* Three walks more are about to come. */
	load = env_command(e, 1, 14 * ENV_PAGE, 4, 230, 1);
	env_drain(e, LIMIT);
	assert_in_range(load->first_ar - load->accept, 2, 2 * rows * (1 + e->info->short_paths));
}

/* Tensor copies and others keep their own order alone, whatever set-up does. */
ENV_ALL_TEST(walk_order, .seed = 58, .walk_percent = 80, .tensor_percent = 50)
{
	uint32_t i, next = 0;
	struct env_tensor t;
	struct env_cmd *c;

	for (i = 0; i < 100; i++) {
		if (i % 3 == 0) {
			env_command(e, i % 2, i * ENV_PAGE / 2, 1 + i % 4, next, 1);
			next += 4;
			continue;
		}
		t = env_dense(i * 77 * CHUNK, next, 1 + i % 2, 1 + i % 3);
		t.outside = i % 4 == 1;
		env_tensor(e, i % 2, &t, 1);
		next += 6;
	}
	env_drain(e, LIMIT);
	assert_int_equal(e->signals, 100);
	/* Prefetches without a row in bounds, and of a map alone. */
	t.outside = true;
	env_tensor(e, 0, &t, 0);
	t.outside = false;
	t.level[0].last = 0;
	c = env_tensor(e, 0, &t, 0);
	env_drain(e, LIMIT);
	assert_int_equal(c->issued, 1);
}

/* Fetches and probes of maps beside those of the ring and loads. */
ENV_TEST(walk_maps, .seed = 59, .latency = 9, .fetch_percent = 20, .ring_percent = 30)
{
	struct env_fetch *f, *p;

	env_window(e, 0, 2, 3, true);
	env_window(e, 1, 3, 60, true);
	f = env_map(e, 0, 2 * ENV_PAGE / 64, 2, false);
	env_drain(e, LIMIT);
	assert_int_equal(f->ar - f->accept, 2 + e->info->short_paths);
	p = env_map(e, 1, 2 * ENV_PAGE / 64, 2, true);
	env_drain(e, LIMIT);
	assert_true(p->denied);
	env_error(e, 3 * ENV_PAGE_GRAINS, AXI_SLVERR);
	for (uint32_t i = 0; i < 120; i++) {
		uint32_t offset = (1 + i % 3) * ENV_PAGE / 64 + i % 63;

		env_map(e, i % 2, offset, 1 + i % 2, i % 5 < 2);
		if (i % 2)
			env_fetch(e, i / 2 % 2, offset, 1 + i % 2);
		if (i % 3 == 0)
			env_command(e, 1, 10 * ENV_PAGE + i * 8 * CHUNK, 3 + i % 7, i * 8, 1);
	}
	env_drain(e, LIMIT);
	assert_int_equal(e->faults, 0);
}
