/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of vectors: every rule of the format, broken once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/test/vec_image.h"

static size_t add_tensor(struct image *f)
{
	size_t at = image_record(f, VEC_TENSOR_LOAD, 1, 0, 0, WINDOW);

	image_put32(f, at + 20, 1); /* map_kind */
	image_put32(f, at + 28, 2); /* rank */
	return at;
}

TEST(bad_headers)
{
	struct image f;

	image_header(&f, "TMAVEC2", 0, FIXED);
	image_refuses(&f, "byte 0: field magic");
	image_header(&f, "TMAVEC1", 0, FIXED - 4);
	image_refuses(&f, "byte 12: field fixed size is 300: must be 304 or more");
	image_header(&f, "TMAVEC1", 1, FIXED);
	image_refuses(&f, "byte 8: field count is 1: 64 bytes hold 0 at most");
	image_header(&f, "TMAMBR1", 0xFFFFFFFF, 0);
	image_refuses(&f, "byte 8: field count is 4294967295");
	image_header(&f, "TMAVEC1", 0, FIXED);
	image_takes(&f);
	f.size++;
	image_refuses(&f, "byte 64: 1 bytes behind the last of 0");
}

struct broken {
	uint32_t op, at, value;
	const char *words;
};

static const struct broken broken_records[] = {
	{ VEC_BULK_LOAD, 0, 4, "field size is 4: must be the fixed part and the payload" },
	{ VEC_BULK_LOAD, 0, FIXED + WINDOW + 4, "field size" },
	{ VEC_BULK_LOAD, 0, 0xFFFFFFFF, "field size" },
	{ VEC_BULK_LOAD, 4, 11, "field op is 11: must be 0 to 10" },
	{ VEC_BULK_LOAD, 244, 0, "field nctas is 0: must be 1 to 16" },
	{ VEC_BULK_LOAD, 244, 17, "field nctas is 17" },
	{ VEC_BULK_LOAD, 232, 8, "field smem_off is 8: must be aligned" },
	{ VEC_BULK_LOAD, 232, 48, "field smem_off is 48: offset and size must stay inside" },
	{ VEC_BULK_LOAD, 232, 0xFFFFFFF0, "field smem_off is 4294967280: must lie inside" },
	{ VEC_BULK_LOAD, 236, 24, "field nbytes is 24: must be a multiple of 16" },
	{ VEC_BULK_LOAD, 236, 1u << 20, "field nbytes is 1048576: must be below" },
	{ VEC_BULK_LOAD, 32, 8, "field base is 8: must be aligned" },
	{ VEC_BULK_LOAD, 32, 8 << 20, "field base is 8388608: address and size" },
	{ VEC_BULK_LOAD, 36, 0xFFFFFFFF, "address and size must stay inside" },
	{ VEC_BULK_LOAD, 288, 72, "field smem_len is 72: must be a multiple of 16" },
	{ VEC_BULK_LOAD, 288, 0xFFFFFFF0, "field smem_len is 4294967280: must be at most" },
	{ VEC_BULK_LOAD, 292, 32, NULL }, /* a buffer of its own, just long enough */
	{ VEC_BULK_LOAD, 292, 16, "field base is 0: address and size" },
	{ VEC_BULK_LOAD, 296, 2, "field has_init is 2: must be 0 or 1" },
	{ VEC_BULK_LOAD, 296, 1, "field size" },
	{ VEC_BULK_LOAD, 300, 128, "field extra is 128: must be 0" },
	{ VEC_BULK_LOAD, 240, 0xFFFF, NULL }, /* without multicast, the mask may be anything */
	{ VEC_BULK_LOAD, 8, 99, NULL },       /* so may a tensor's field */
	{ VEC_BULK_STORE, 292, 0, "field gmem_len is 0" },
	{ VEC_BULK_STORE, 244, 2, "field nctas is 2: must be 1" },
	{ VEC_BULK_SHARED, 244, 3, "field nctas is 3: must be 2" },
	{ VEC_BULK_REDUCE, 12, 8, "field redop is 8" },
	{ VEC_BULK_REDUCE, 16, 10, "field type is 10" },
	{ VEC_CP_ASYNC, 248, 12, "field cp_size is 12: must be 4, 8 or 16" },
	{ VEC_CP_ASYNC, 252, 17, "field src_size is 17" },
	{ VEC_CP_ASYNC, 256, 3, "field ignore_src is 3" },
	{ VEC_ENCODE, 264, 1, "field extra is 128" },
	{ VEC_ENCODE, 20, 0, "field map_kind is 0: must be 1 or 2" },
	{ VEC_ENCODE, 20, 3, "field map_kind is 3" },
	{ VEC_ENCODE, 28, 99, NULL }, /* what the encoder has to refuse */
	{ VEC_ENCODE, 296, 1, "field has_init is 1: must be 0" },
	{ VEC_TENSOR_LOAD, 8, 7, "field mode is 7: must be 0 to 6" },
	{ VEC_TENSOR_LOAD, 8, 3, NULL }, /* gather4 */
	{ VEC_TENSOR_LOAD, 8, 4, "field mode is 4: must be 0, 1, 3, 5 or 6 for a load" },
	{ VEC_TENSOR_LOAD, 8, 5, "field mode is 5: must fit the kind of the map" },
	{ VEC_TENSOR_LOAD, 8, 1, "field mode is 1: must fit the kind of the map" },
	{ VEC_TENSOR_LOAD, 20, 0, "field map_kind is 0" },
	{ VEC_TENSOR_LOAD, 20, 4, "field map_kind is 4: must be 1 to 3" },
	{ VEC_TENSOR_LOAD, 24, 15, NULL },
	{ VEC_TENSOR_LOAD, 24, 16, "field dtype is 16" },
	{ VEC_TENSOR_LOAD, 28, 6, "field rank is 6" },
	{ VEC_TENSOR_LOAD, 184, 3, "field interleave is 3" },
	{ VEC_TENSOR_LOAD, 188, 8, "field swizzle is 8" },
	{ VEC_TENSOR_LOAD, 192, 4, "field l2promo is 4" },
	{ VEC_TENSOR_LOAD, 196, 2, "field oob is 2" },
	{ VEC_TENSOR_LOAD, 264, 1, "field result is 1" },
};

static size_t add_op(struct image *f, uint32_t op)
{
	size_t at;

	switch (op) {
	case VEC_TENSOR_LOAD:
		return add_tensor(f);
	case VEC_BULK_STORE:
	case VEC_BULK_REDUCE:
		return image_record(f, op, 1, REGION, 0, REGION);
	case VEC_BULK_SHARED:
		return image_record(f, op, 2, 0, 0, 2 * WINDOW);
	case VEC_ENCODE:
		at = image_record(f, op, 0, 0, 0, 128);
		image_put32(f, at + 20, 1); /* map_kind */
		image_put32(f, at + 300, 128);
		return at;
	default:
		return image_record(f, op, 1, 0, 0, WINDOW);
	}
}

/* The error names the field, and the byte of the file at which it lies. */
TEST(broken_fields)
{
	for (size_t i = 0; i < sizeof(broken_records) / sizeof(broken_records[0]); i++) {
		const struct broken *b = &broken_records[i];
		struct image f;
		char place[32];
		size_t at;

		image_header(&f, "TMAVEC1", 2, FIXED);
		image_record(&f, VEC_BULK_LOAD, 1, 0, 0, WINDOW);
		at = add_op(&f, b->op);
		image_takes(&f);
		image_put32(&f, at + b->at, b->value);
		if (!b->words) {
			image_takes(&f);
			continue;
		}
		image_refuses(&f, b->words);
		image_refuses(&f, "record 1: ");
		snprintf(place, sizeof(place), "byte %zu: ", at + b->at);
		if (strstr(b->words, "field op") || strstr(b->words, "field nbytes"))
			image_refuses(&f, place);
	}
}

/* Of a cp.async that does not use it src_size may be anything. */
TEST(ignored_src_size)
{
	for (uint32_t ignore = 0; ignore <= 2; ignore++) {
		struct image f;
		size_t at;

		image_header(&f, "TMAVEC1", 1, FIXED);
		at = image_record(&f, VEC_CP_ASYNC, 1, 0, 0, WINDOW);
		image_put32(&f, at + 252, 17);
		image_put32(&f, at + 256, ignore);
		if (ignore)
			image_takes(&f);
		else
			image_refuses(&f, "field src_size is 17");
	}
}

TEST(multicast_mask)
{
	struct image f;
	size_t at;

	image_header(&f, "TMAVEC1", 1, FIXED);
	at = image_record(&f, VEC_BULK_LOAD, 2, 0, 0, 2 * WINDOW);
	image_put32(&f, at + 240, 3);
	image_takes(&f);
	image_put32(&f, at + 240, 5);
	image_refuses(&f, "field cta_mask is 5: must name CTAs of the cluster alone");
}

/* Loads have im2col offsets, ops that write global memory the mode without them. */
TEST(tensor_modes)
{
	struct image f;
	size_t at;

	image_header(&f, "TMAVEC1", 1, FIXED);
	at = image_record(&f, VEC_TENSOR_LOAD, 1, 0, 0, WINDOW);
	image_put32(&f, at + 8, 1);  /* mode */
	image_put32(&f, at + 20, 2); /* map_kind */
	image_put32(&f, at + 28, 4); /* rank */
	image_takes(&f);
	image_put32(&f, at + 220 + 4, 0xFFFF);
	image_takes(&f);
	image_put32(&f, at + 220 + 4, 0x10000);
	image_refuses(&f, "field offs is 65536: must be below 2^16");
	image_put32(&f, at + 28, 3); /* now it is not used */
	image_takes(&f);
	image_put32(&f, at + 8, 5); /* of a wide map two, whatever its rank */
	image_put32(&f, at + 20, 3);
	image_refuses(&f, "field offs is 65536");
	image_put32(&f, at + 220 + 4, 0);
	image_takes(&f);
	image_put32(&f, at + 8, 3);
	image_put32(&f, at + 20, 1);
	image_refuses(&f, "field rank is 3: must be 2 for four rows");
	image_put32(&f, at + 8, 2);
	image_put32(&f, at + 20, 2);
	image_refuses(&f, "field mode is 2: must be 0, 1, 3, 5 or 6 for a load");

	image_header(&f, "TMAVEC1", 1, FIXED);
	at = image_record(&f, VEC_TENSOR_STORE, 1, REGION, 0, REGION);
	image_put32(&f, at + 8, 2);
	image_put32(&f, at + 20, 2);
	image_put32(&f, at + 28, 3);
	image_takes(&f);
	image_put32(&f, at + 8, 1);
	image_refuses(&f,
	              "field mode is 1: must be 0, 1, 3, 5 or 6 for a load, 0, 2 or 4 for an op that writes");
}

static const struct {
	uint32_t init, op, arg, result;
	const char *words;
} broken_steps[] = {
	{ 0, VEC_ARRIVE, 1, 0, "byte 68: program 0: field init is 0" },
	{ 1u << 20, VEC_ARRIVE, 1, 0, "field init is 1048576" },
	{ 1, 0, 1, 0, "byte 72: program 0, step 0: field op is 0: must be 1 to 10" },
	{ 1, 11, 1, 0, "field op is 11" },
	{ 1, VEC_EXPECT_TX, 1u << 20, 0, "field arg is 1048576" },
	{ 1, VEC_COMPLETE_TX, 1u << 20, 0, "field arg is 1048576" },
	{ 1, VEC_ARRIVE, 0, 0, "field arg is 0: must be 1 to 1048575" },
	{ 1, VEC_ARRIVE_DROP, 0, 0, "field arg is 0" },
	{ 1, VEC_ARRIVE_EXPECT_TX, 1u << 20, 0, "field arg is 1048576" },
	{ 1, VEC_ARRIVE, 1, 1, "field result is 1: must be 0" },
	{ 1, VEC_PENDING_COUNT, 0, 1, "field arg is 0" },
	{ 1, VEC_PENDING_COUNT, 1, 1u << 20, "field result is 1048576" },
	{ 1, VEC_TEST_WAIT_PARITY, 2, 0, "field arg is 2: must be 0 or 1" },
	{ 1, VEC_TRY_WAIT_PARITY, 0, 2, "field result is 2: must be 0 or 1" },
	{ 1, VEC_TEST_WAIT_STATE, 0, 0, "tests a state, but no arrive has returned one" },
};

TEST(broken_programs)
{
	for (size_t i = 0; i < sizeof(broken_steps) / sizeof(broken_steps[0]); i++) {
		struct image f;

		image_header(&f, "TMAMBR1", 1, 0);
		image_put32(&f, f.size, 1);
		image_put32(&f, f.size + 4, broken_steps[i].init);
		f.size += 8;
		image_step(&f, broken_steps[i].op, broken_steps[i].arg, broken_steps[i].result);
		image_refuses(&f, broken_steps[i].words);
	}
}

int main(void)
{
	return run_file_tests("tests");
}
