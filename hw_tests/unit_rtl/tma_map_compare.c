/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_rtl/tma_map_compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

static void compare_level(const struct map_level *got, const struct map_level *wanted)
{
	assert_int_equal(got->used, wanted->used);
	assert_int_equal(got->fixed, wanted->fixed);
	assert_int_equal(got->spatial, wanted->spatial);
	assert_int_equal(got->dim, wanted->dim);
	if (!wanted->used)
		return;
	assert_int_equal(got->last, wanted->last);
	assert_int_equal(got->stride, wanted->stride);
	assert_int_equal(got->step, wanted->step);
	assert_int_equal(got->count, wanted->count);
	assert_int_equal(got->lower, wanted->lower);
	assert_int_equal(got->upper, wanted->upper);
}

void map_compare(const struct map_info *got, const struct map_info *wanted)
{
	uint32_t l;

	assert_true(got->base == wanted->base);
	assert_int_equal(got->rank, wanted->rank);
	assert_int_equal(got->kind, wanted->kind);
	assert_int_equal(got->interleaved, wanted->interleaved);
	assert_int_equal(got->swizzle, wanted->swizzle);
	assert_int_equal(got->format, wanted->format);
	assert_int_equal(got->nan, wanted->nan);
	assert_int_equal(got->promotion, wanted->promotion);
	assert_int_equal(got->row_used, wanted->row_used);
	assert_int_equal(got->unit, wanted->unit);
	assert_int_equal(got->half, wanted->half);
	assert_int_equal(got->row_last, wanted->row_last);
	assert_int_equal(got->row_count, wanted->row_count);
	assert_int_equal(got->row_chunks, wanted->row_chunks);
	assert_int_equal(got->pitch, wanted->pitch);
	assert_int_equal(got->slice_used, wanted->slice_used);
	assert_int_equal(got->slice_dim, wanted->slice_dim);
	assert_int_equal(got->slice_last, wanted->slice_last);
	assert_true(got->slice_stride == wanted->slice_stride);
	for (l = 0; l < MAP_LEVELS; l++) {
		compare_level(&got->level[l], &wanted->level[l]);
		assert_int_equal(got->fold[l], wanted->fold[l]);
		if (wanted->fold[l])
			assert_int_equal(got->fold_chunks[l], wanted->fold_chunks[l]);
	}
	assert_int_equal(got->pixels, wanted->pixels);
	assert_int_equal(got->bytes, wanted->bytes);
	assert_int_equal(got->chunks, wanted->chunks);
	/* Interleaved maps have neither halos nor gathers. */
	if (!wanted->interleaved)
		assert_int_equal(got->row_bytes, wanted->row_bytes);
	assert_int_equal(got->one_row, wanted->one_row);
	assert_int_equal(got->storable, wanted->storable);
	assert_int_equal(got->window_inside, wanted->window_inside);
}
