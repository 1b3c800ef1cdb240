/* SPDX-License-Identifier: Apache-2.0 */
/* The program of the tests of PTX text, and the table of what ptxas 13.0 says. */
#include "lib/rng.h"
#include "lib/vec.h"
#include "lib/vec_rules.h"
#include "ptx_test.h"

#define TABLE "hw_tests/vectors/ptx_syntax.tsv.xz"

static struct CMUnitTest tests[100];
static size_t num_tests;

void add_test(struct CMUnitTest test)
{
	assert_true(num_tests < sizeof(tests) / sizeof(tests[0]));
	tests[num_tests++] = test;
}

static char *table_text;
static struct ptx_row *rows;
static size_t num_rows;

static char *unpack(void)
{
	static uint8_t packed[1 << 20];
	struct vec_error error;
	FILE *file = fopen(TABLE, "rb");
	uint8_t *bytes;
	size_t size;

	assert_non_null(file);
	size = fread(packed, 1, sizeof(packed), file);
	fclose(file);
	assert_int_equal(vec_unpack(packed, size, &bytes, &size, &error), 0);
	bytes = realloc(bytes, size + 1);
	assert_non_null(bytes);
	bytes[size] = 0;
	return (char *)bytes;
}

/* The text up to the separator, which becomes its end, or to the end; *at moves behind it. */
static char *cut(char **at, char separator)
{
	char *start = *at, *end = start + strcspn(start, (char[]){ separator, 0 });

	*at = *end ? end + 1 : end;
	*end = 0;
	return start;
}

const struct ptx_row *ptx_table(size_t *count)
{
	if (!rows) {
		char *at = table_text = unpack();

		rows = calloc(20000, sizeof(*rows));
		assert_non_null(rows);
		cut(&at, '\n'); /* names of the columns */
		while (*at) {
			char *line = cut(&at, '\n');
			struct ptx_row *row = &rows[num_rows++];

			assert_true(num_rows < 20000);
			row->instruction = cut(&line, '\t');
			assert_int_equal(tma_ptx_target_of(cut(&line, '\t'), &row->target), 0);
			row->accept = !strcmp(cut(&line, '\t'), "accept");
			cut(&line, '\t'); /* ptxas' words */
			row->category = cut(&line, '\t');
			assert_true(row->target < TMA_PTX_ENGINE);
		}
	}
	*count = num_rows;
	return rows;
}

bool ptx_in_scope(const struct ptx_row *row)
{
	static const char *const outside[] = { "st.async", "red.async", "red", "multimem", "multimem.cp" };

	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
		if (!strcmp(row->category, outside[i]))
			return false;
	/* Examples of the documentation that PTX 9.0 does not have. */
	return strncmp(row->instruction, "multimem.", 9) != 0;
}

int main(void)
{
	int failed = _cmocka_run_group_tests("ptx", tests, num_tests, NULL, NULL);

	free(rows);
	free(table_text);
	return failed;
}
