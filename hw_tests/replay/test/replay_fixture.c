/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of files of vectors, with what the replay says of them. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "replay/test/replay_fixture.h"

#define VECTORS "hw_tests/vectors/"

char fixture_log[LOG_SIZE];
enum stream_front fixture_front;

struct file fixture_load(const char *name)
{
	char path[128];
	struct file f;
	struct vec_error error;

	snprintf(path, sizeof(path), VECTORS "%s", name);
	if (vec_load(path, &f.bytes, &f.size, &error))
		fail_msg("%s: %s", path, error.text);
	return f;
}

struct stream_result fixture_run(const struct file *f, const struct replay_backend *backend,
                                 const char *config, uint32_t only, uint64_t seed)
{
	struct stream_options options = {
		.backend = backend, .config = config, .seed = seed, .front = fixture_front, .only = only
	};
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
	length = fread(fixture_log, 1, LOG_SIZE - 1, options.log);
	fixture_log[length] = 0;
	fclose(options.log);
	vec_close(v);
	return result;
}

struct replay_backend fixture_backend;

int fixture_setup(void **state)
{
	(void)state;
	fixture_backend = replay_model;
	return 0;
}

struct stream_result fixture_whole(const char *name)
{
	struct file f = fixture_load(name);
	struct stream_result r = fixture_run(&f, &fixture_backend, "default", STREAM_ALL, 1);

	free(f.bytes);
	return r;
}

static bool moves_bytes(const struct vec_record *r)
{
	switch (r->op) {
	case VEC_TENSOR_LOAD:
	case VEC_TENSOR_STORE:
		return true;
	case VEC_TENSOR_LOAD_MULTICAST:
		return r->cta_mask != 0;
	case VEC_CP_ASYNC:
		return r->src_size != 0;
	default:
		return r->nbytes != 0;
	}
}

void fixture_first(const struct file *f, uint32_t op, struct vec_record *r)
{
	struct vec_error error;
	struct vec *v = vec_parse(f->bytes, f->size, &error);
	uint32_t i = 0;

	assert_non_null(v);
	do {
		assert_true(i < vec_count(v));
		vec_record(v, i++, r);
	} while (r->op != op || !moves_bytes(r));
	vec_close(v);
}

void fixture_tampered(struct file *f, uint32_t number, size_t at, const char *words)
{
	struct stream_result result = fixture_run(f, &replay_model, "default", number, 3);

	assert_int_equal(result.passed, 1);
	assert_int_equal(result.failed, 0);
	f->bytes[at] ^= 0x10;
	result = fixture_run(f, &replay_model, "default", number, 3);
	f->bytes[at] ^= 0x10;
	if (result.failed != 1 || result.passed)
		fail_msg("a change of byte %zu was not seen", at);
	fixture_logged("--seed 3");
	fixture_logged(words);
}

void fixture_every_byte(const struct fixture_family *families, size_t count, size_t step)
{
	for (; count--; families++) {
		struct file f = fixture_load(families->name);
		struct vec_record r;
		size_t end;

		fixture_first(&f, families->op, &r);
		end = r.offset + r.size;
		for (size_t at = end - (r.smem ? (size_t)r.nctas * r.smem_len : r.gmem_len); at < end;
		     at += step)
			fixture_tampered(&f, r.number, at, families->words);
		fixture_tampered(&f, r.number, end - 1, families->words);
		free(f.bytes);
	}
}

void fixture_logged(const char *words)
{
	if (!strstr(fixture_log, words))
		fail_msg("the log has no \"%s\":\n%s", words, fixture_log);
}
