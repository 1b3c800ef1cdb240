/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of files of vectors, with what the replay says of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>

#include "unit/replay_fixture.h"

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

void fixture_logged(const char *words)
{
	if (!strstr(fixture_log, words))
		fail_msg("the log has no \"%s\":\n%s", words, fixture_log);
}
