/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a unit has decoded of a map against the reference. Before it is included, cmocka.h is, and
 * MAP_INFO is the type of the unit's pins: map_info_t.
 */
#ifndef TMA_MAP_COMPARE_H
#define TMA_MAP_COMPARE_H

#include "unit_rtl/built.h"
#include "unit_rtl/tma_map_ref.h"

/* What is not built nothing takes. */
static inline void map_compare_arithmetic(const MAP_INFO *got, const struct map_info *wanted)
{
	bool takes = unit_shape()->reductions && wanted->ops && built(unit_shape(), wanted->arith);

	assert_int_equal(got->ops, takes ? wanted->ops : 0);
	assert_int_equal(got->arith, takes ? wanted->arith : 0);
	assert_int_equal(got->flush, takes && wanted->flush);
}

static inline void map_compare(const MAP_INFO *got, const struct map_info *wanted)
{
	uint32_t l;

	assert_true(got->base == wanted->base);
	assert_int_equal(got->rank, wanted->rank);
	assert_int_equal(got->kind, wanted->kind);
	assert_int_equal(got->interleaved, wanted->interleaved);
	assert_int_equal(got->layout.swizzle, wanted->swizzle);
	assert_int_equal(got->layout.format, wanted->format);
	assert_int_equal(got->layout.nan, wanted->nan);
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
		assert_int_equal(got->level[l].used, wanted->level[l].used);
		assert_int_equal(got->level[l].fixed, wanted->level[l].fixed);
		assert_int_equal(got->level[l].spatial, wanted->level[l].spatial);
		assert_int_equal(got->level[l].dim, wanted->level[l].dim);
		if (wanted->level[l].used) {
			assert_int_equal(got->level[l].last, wanted->level[l].last);
			assert_int_equal(got->level[l].stride, wanted->level[l].stride);
			assert_int_equal(got->level[l].step, wanted->level[l].step);
			assert_int_equal(got->level[l].count, wanted->level[l].count);
			assert_int_equal(got->level[l].lower, wanted->level[l].lower);
			assert_int_equal(got->level[l].upper, wanted->level[l].upper);
		}
		assert_int_equal(got->fold >> l & 1, wanted->fold[l]);
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
	/* Where a pixel may be less than a line. */
	assert_int_equal(got->runs, wanted->runs && unit_shape()->data_bytes > 16);
	assert_int_equal(got->storable, wanted->storable);
	assert_int_equal(got->window_inside, wanted->window_inside);
	map_compare_arithmetic(got, wanted);
}

#endif
