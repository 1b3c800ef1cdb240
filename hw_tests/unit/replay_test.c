/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The replay itself: it passes what was recorded, and sees every way in which a recording or an
 * engine can be wrong. The engine is the C model, made to misbehave by a back end in front of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>

#include "lib/vec.h"
#include "replay/stream.h"

#define VECTORS  "hw_tests/vectors/"
#define LOG_SIZE 4096

/* A file of vectors whose bytes can be changed. */
struct file {
	uint8_t *bytes;
	size_t size;
};

static char log_text[LOG_SIZE];

static struct file load(const char *name)
{
	char path[128];
	struct file f;
	struct vec_error error;

	snprintf(path, sizeof(path), VECTORS "%s", name);
	if (vec_load(path, &f.bytes, &f.size, &error))
		fail_msg("%s: %s", path, error.text);
	return f;
}

static struct stream_result run(const struct file *f, const struct replay_backend *backend,
                                const char *config, uint32_t only, uint64_t seed)
{
	struct stream_options options = { .backend = backend, .config = config, .seed = seed, .only = only };
	struct stream_result result;
	struct vec_error error;
	struct vec *v = vec_parse(f->bytes, f->size, &error);
	size_t length;

	if (!v)
		fail_msg("%s", error.text);
	options.log = tmpfile();
	assert_non_null(options.log);
	assert_int_equal(stream_run(v, &options, &result), 0);
	rewind(options.log);
	length = fread(log_text, 1, LOG_SIZE - 1, options.log);
	log_text[length] = 0;
	fclose(options.log);
	vec_close(v);
	return result;
}

static void logged(const char *words)
{
	if (!strstr(log_text, words))
		fail_msg("the log has no \"%s\":\n%s", words, log_text);
}

static void first_record(const struct file *f, uint32_t op, struct vec_record *r)
{
	struct vec_error error;
	struct vec *v = vec_parse(f->bytes, f->size, &error);
	uint32_t i = 0;

	assert_non_null(v);
	do {
		assert_true(i < vec_count(v));
		vec_record(v, i++, r);
	} while (r->op != op || !r->nbytes);
	vec_close(v);
}

/* The record alone passes as it was recorded and fails with this byte changed. */
static void tampered(struct file *f, uint32_t number, size_t at, const char *words)
{
	struct stream_result result = run(f, &replay_model, "default", number, 3);

	assert_int_equal(result.passed, 1);
	assert_int_equal(result.failed, 0);
	f->bytes[at] ^= 0x10;
	result = run(f, &replay_model, "default", number, 3);
	f->bytes[at] ^= 0x10;
	if (result.failed != 1 || result.passed)
		fail_msg("a change of byte %zu was not seen", at);
	logged("--seed 3");
	logged(words);
}

static void all_recorded(void **state)
{
	static const struct {
		const char *name;
		uint32_t passed[3], skipped[3]; /* small, default, max */
	} files[] = {
		{ "bulk_load.vec.xz", { 60, 60, 60 }, { 0, 0, 0 } },
		{ "bulk_store.vec.xz", { 50, 50, 50 }, { 0, 0, 0 } },
		{ "bulk_shared.vec.xz", { 50, 50, 50 }, { 0, 0, 0 } },
		{ "corner_bulk_load.vec.xz", { 40, 40, 40 }, { 0, 0, 0 } },
		{ "multicast2.vec.xz", { 23, 23, 23 }, { 57, 57, 57 } },
		{ "multicast4.vec.xz", { 0, 19, 19 }, { 50, 31, 31 } },
		{ "multicast8.vec.xz", { 0, 0, 9 }, { 25, 25, 16 } },
		{ "corner_multicast4.vec.xz", { 0, 12, 12 }, { 40, 28, 28 } },
		{ "mbarrier.mbr.xz", { 2000, 2000, 2000 }, { 0, 0, 0 } },
	};
	static const char *const configs[3] = { "small", "default", "max" };

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct file f = load(files[i].name);

		for (size_t c = 0; c < 3; c++) {
			for (uint64_t seed = 0; seed < 3; seed++) {
				struct stream_result r = run(&f, &replay_model, configs[c], STREAM_ALL, seed);

				if (r.failed)
					fail_msg("%s, %s, seed %d: %s", files[i].name, configs[c], (int)seed,
					         log_text);
				assert_int_equal(r.passed, files[i].passed[c]);
				assert_int_equal(r.skipped, files[i].skipped[c]);
			}
		}
		free(f.bytes);
	}
}

static void skips_have_reasons(void **state)
{
	struct file f = load("multicast8.vec.xz");
	struct stream_result r = run(&f, &replay_model, "default", STREAM_ALL, 1);
	struct vec_record record;

	(void)state;
	assert_int_equal(r.num_skips, 2);
	assert_string_equal(r.skips[0].reason, "tensor copies are not built");
	assert_int_equal(r.skips[0].count + r.skips[1].count, 25);
	assert_string_equal(r.skips[1].reason, "more CTAs than built");
	free(f.bytes);

	f = load("bulk_reduce_global.vec.xz");
	r = run(&f, &replay_model, "small", STREAM_ALL, 1);
	assert_int_equal(r.num_skips, 2);
	assert_int_equal(r.skipped, 270);
	assert_string_equal(r.skips[1].reason, "f64 is not built");
	free(f.bytes);

	/* A window longer than the shared memory of `small`. */
	f = load("bulk_store.vec.xz");
	first_record(&f, VEC_BULK_STORE, &record);
	f.bytes[record.offset + 288] = 0;
	f.bytes[record.offset + 289] = 0x50;
	r = run(&f, &replay_model, "small", 0, 1);
	assert_int_equal(r.skipped, 1);
	assert_string_equal(r.skips[0].reason, "window beyond shared memory");
	r = run(&f, &replay_model, "default", 0, 1);
	assert_int_equal(r.passed, 1);
	/* One that would fit, but for the barriers. */
	f.bytes[record.offset + 289] = 0x40;
	r = run(&f, &replay_model, "small", 0, 1);
	assert_int_equal(r.skipped, 1);
	assert_string_equal(r.skips[0].reason, "window and barrier do not fit together");
	free(f.bytes);
}

/* Every byte of the memory after a load, a store and a copy, in every CTA. */
static void every_byte_counts(void **state)
{
	static const struct {
		const char *name;
		uint32_t op;
		const char *words;
	} families[] = {
		{ "bulk_load.vec.xz", VEC_BULK_LOAD, "of the window" },
		{ "multicast2.vec.xz", VEC_BULK_LOAD, "of the window" },
		{ "bulk_shared.vec.xz", VEC_BULK_SHARED, "of the window" },
		{ "bulk_store.vec.xz", VEC_BULK_STORE, "of the global region" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		struct file f = load(families[i].name);
		struct vec_record r;
		size_t payload;
		/* Meets every position in a 16-byte chunk. */
		size_t step = 37;

		first_record(&f, families[i].op, &r);
		payload = (size_t)r.size - 304;
		for (size_t at = 0; at < payload; at += step)
			tampered(&f, r.number, r.offset + 304 + at, families[i].words);
		tampered(&f, r.number, r.offset + r.size - 1, families[i].words);
		free(f.bytes);
	}
}

static void inputs_count(void **state)
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
	};

	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct file f = load(fields[i].name);
		struct vec_record r;

		first_record(&f, fields[i].op, &r);
		tampered(&f, r.number, r.offset + fields[i].at, fields[i].words);
		free(f.bytes);
	}
}

/* A CTA too many or too few in the mask: memory and barrier both tell. */
static void multicast_mask_counts(void **state)
{
	struct file f = load("multicast4.vec.xz");
	struct vec_record r;

	(void)state;
	first_record(&f, VEC_BULK_LOAD, &r);
	for (uint32_t c = 0; c < r.nctas; c++) {
		struct stream_result result;

		f.bytes[r.offset + 240] ^= (uint8_t)(1u << c);
		result = run(&f, &replay_model, "default", r.number, 1);
		f.bytes[r.offset + 240] ^= (uint8_t)(1u << c);
		assert_int_equal(result.failed, 1);
	}
	free(f.bytes);
}

/* A changed result or argument of any step: an answer or a final count is wrong. */
static void program_steps_count(void **state)
{
	struct file f = load("mbarrier.mbr.xz");
	struct vec_error error;
	struct vec *v = vec_parse(f.bytes, f.size, &error);
	struct vec_program p;
	uint32_t answers = 0;

	(void)state;
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
			result = run(&f, &replay_model, "default", n, 1);
			f.bytes[at] ^= 1;
			assert_int_equal(result.failed, 1);
			logged("contradicts");
		}
	}
	assert_true(answers > 100);
	vec_close(v);
	free(f.bytes);
}

/*
 * Engines that do something wrong, once or always.
 */

static uint32_t events; /* of the kind that the faulty engine counts */

static int lost_byte(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t len)
{
	/* Of a window; barriers are eight bytes. */
	if (len > 8 && events++ == 40) {
		uint8_t last;

		replay_model.smem_read(engine, cta, offset + len - 1, &last, 1);
		last ^= 1;
		replay_model.smem_write(engine, cta, offset + len - 1, &last, 1);
	}
	return replay_model.smem_read(engine, cta, offset, bytes, len);
}

static int stray_write(void *engine)
{
	if (events++ == 20) {
		uint8_t byte;

		replay_model.smem_read(engine, 1, 65535, &byte, 1);
		byte ^= 0x80;
		replay_model.smem_write(engine, 1, 65535, &byte, 1);
	}
	return replay_model.advance(engine);
}

static int no_time(void *engine)
{
	(void)engine;
	return 0;
}

static int bad_command(void *engine, uint32_t queue, const struct tma_command *command)
{
	struct tma_command changed = *command;

	if (command->opcode == TMA_BULK_LOAD && events++ == 5)
		changed.size += 8;
	return replay_model.submit(engine, queue, &changed);
}

static int short_copy(void *engine, uint32_t queue, const struct tma_command *command)
{
	struct tma_command changed = *command;

	if (command->opcode == TMA_BULK_LOAD && events++ == 5)
		changed.size -= 16;
	return replay_model.submit(engine, queue, &changed);
}

static int wrong_answer(void *engine, struct tma_record *record)
{
	int got = replay_model.record(engine, record);

	if (got && record->kind == TMA_KIND_ANSWER && events++ == 100)
		record->value ^= 1;
	return got;
}

static int extra_record(void *engine, struct tma_record *record)
{
	if (events++ == 50) {
		*record = (struct tma_record){ .kind = TMA_KIND_RETIRED, .tag = 0x7FFF0000 };
		return 1;
	}
	return replay_model.record(engine, record);
}

static int dies(void *engine)
{
	return events++ == 10 ? -1 : replay_model.advance(engine);
}

static uint32_t broken_rules(void *engine)
{
	(void)engine;
	return 2;
}

static struct stream_result run_wrong(const char *name, const struct replay_backend *backend)
{
	struct file f = load(name);
	struct stream_result r;

	events = 0;
	r = run(&f, backend, "default", STREAM_ALL, 1);
	free(f.bytes);
	return r;
}

static void wrong_byte(void **state)
{
	struct replay_backend b = replay_model;
	struct stream_result r;

	(void)state;
	b.smem_read = lost_byte;
	r = run_wrong("bulk_load.vec.xz", &b);
	assert_int_equal(r.failed, 1);
	assert_int_equal(r.passed, 59);
	logged("1 bytes differ");
}

static void wrong_place(void **state)
{
	struct replay_backend b = replay_model;
	struct stream_result r;

	(void)state;
	b.advance = stray_write;
	r = run_wrong("bulk_load.vec.xz", &b);
	assert_int_equal(r.failed, 1);
}

static void never_done(void **state)
{
	struct replay_backend b = replay_model;
	struct stream_result r;

	(void)state;
	b.advance = no_time;
	r = run_wrong("bulk_load.vec.xz", &b);
	assert_int_equal(r.passed, 0);
	assert_int_equal(r.failed, 60);
	r = run_wrong("mbarrier.mbr.xz", &b);
	assert_int_equal(r.passed, 0);
	assert_int_equal(r.failed, 2000);
	logged("no record of step");
	r = run_wrong("bulk_store.vec.xz", &b);
	assert_int_equal(r.failed, 50);
	logged("its bulk group did not complete");
}

static void fault(void **state)
{
	struct replay_backend b = replay_model;
	struct stream_result r;

	(void)state;
	b.submit = bad_command;
	r = run_wrong("bulk_load.vec.xz", &b);
	assert_in_range(r.failed, 1, 32);
	assert_int_equal(r.passed + r.failed, 60);
	logged("fault SIZE_GRANULE (0x0020)");
}

static void too_few_bytes(void **state)
{
	struct replay_backend b = replay_model;
	struct stream_result r;

	(void)state;
	b.submit = short_copy;
	r = run_wrong("bulk_load.vec.xz", &b);
	assert_in_range(r.failed, 1, 32);
	assert_int_equal(r.passed + r.failed, 60);
	logged("it counted");
}

static void wrong_records(void **state)
{
	struct replay_backend b = replay_model;
	struct stream_result r;

	(void)state;
	b.record = wrong_answer;
	r = run_wrong("mbarrier.mbr.xz", &b);
	assert_in_range(r.failed, 1, 32);
	logged("expected kind 2, value");
	b.record = extra_record;
	r = run_wrong("mbarrier.mbr.xz", &b);
	assert_int_equal(r.failed, 1);
	logged("record that nothing waits for");
}

static void broken_engine(void **state)
{
	struct replay_backend b = replay_model;
	struct stream_result r;

	(void)state;
	b.failures = broken_rules;
	r = run_wrong("bulk_shared.vec.xz", &b);
	assert_int_equal(r.failed, 1);
	logged("2 broken rules");
	b = replay_model;
	b.advance = dies;
	r = run_wrong("bulk_shared.vec.xz", &b);
	assert_true(r.failed > 0);
	logged("the engine stopped working");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_recorded),
		cmocka_unit_test(skips_have_reasons),
		cmocka_unit_test(every_byte_counts),
		cmocka_unit_test(inputs_count),
		cmocka_unit_test(multicast_mask_counts),
		cmocka_unit_test(program_steps_count),
		cmocka_unit_test(wrong_byte),
		cmocka_unit_test(wrong_place),
		cmocka_unit_test(never_done),
		cmocka_unit_test(fault),
		cmocka_unit_test(too_few_bytes),
		cmocka_unit_test(wrong_records),
		cmocka_unit_test(broken_engine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
