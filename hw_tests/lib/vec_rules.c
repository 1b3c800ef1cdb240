/* SPDX-License-Identifier: Apache-2.0 */
/* vec_rules - what the vector format allows in a record's and in a program step's fields. */
#include "lib/vec_rules.h"

#define MAX_WINDOW  (1u << 24) /* the offset part of a shared address */
#define MAX_BULK    (1u << 20)
#define CHUNK       16u
#define MAP_BYTES   128u
#define MAX_RANK    5u
#define MAX_OFFSET  0xFFFFu /* an im2col offset is an operand of 16 bits */
#define WINDOW_STEP 16u

bool vec_writes_global(uint32_t op)
{
	return op == VEC_TENSOR_STORE || op == VEC_TENSOR_REDUCE || op == VEC_BULK_STORE ||
	       op == VEC_BULK_REDUCE;
}

bool vec_is_tensor(uint32_t op)
{
	return op == VEC_TENSOR_LOAD || op == VEC_TENSOR_STORE || op == VEC_TENSOR_REDUCE ||
	       op == VEC_TENSOR_LOAD_MULTICAST;
}

static bool is_bulk(uint32_t op)
{
	return op == VEC_BULK_LOAD || op == VEC_BULK_STORE || op == VEC_BULK_SHARED ||
	       op == VEC_BULK_REDUCE || op == VEC_BULK_REDUCE_SHARED;
}

static bool is_reduction(uint32_t op)
{
	return op == VEC_TENSOR_REDUCE || op == VEC_BULK_REDUCE || op == VEC_BULK_REDUCE_SHARED;
}

static bool has_global_operand(uint32_t op)
{
	return op == VEC_BULK_LOAD || op == VEC_BULK_STORE || op == VEC_BULK_REDUCE || op == VEC_CP_ASYNC;
}

uint64_t vec_payload_bytes(const struct vec_record *r)
{
	uint64_t windows = (uint64_t)r->nctas * r->smem_len;
	uint64_t init = r->has_init ? windows + r->gmem_len : 0;

	if (r->op == VEC_ENCODE)
		return init + r->extra;
	return init + (vec_writes_global(r->op) ? r->gmem_len : windows);
}

static int broken(struct vec_bad *bad, const char *field, uint64_t value, const char *rule)
{
	bad->field = field;
	bad->value = value;
	bad->rule = rule;
	return -1;
}

#define RULE(ok_, field_, text_)                                       \
	do {                                                           \
		if (!(ok_))                                            \
			return broken(bad, #field_, r->field_, text_); \
	} while (0)

static int check_encoding(const struct vec_record *r, struct vec_bad *bad)
{
	RULE(r->map_kind == 1 || r->map_kind == 2, map_kind, "must be 1 or 2 for a map encoding");
	RULE(r->has_init == 0, has_init, "must be 0 for a map encoding");
	RULE(r->extra == (r->result ? 0 : MAP_BYTES), extra, "must be 128 exactly when result is 0, else 0");
	return 0;
}

static int check_shape(const struct vec_record *r, struct vec_bad *bad)
{
	bool pair = r->op == VEC_BULK_SHARED || r->op == VEC_BULK_REDUCE_SHARED;
	bool many = r->op == VEC_TENSOR_LOAD_MULTICAST || r->op == VEC_BULK_LOAD;
	bool mcast = r->op == VEC_TENSOR_LOAD_MULTICAST || (r->op == VEC_BULK_LOAD && r->nctas > 1);

	RULE(r->nctas >= 1 && r->nctas <= VEC_MAX_CTAS, nctas, "must be 1 to 16");
	if (pair)
		RULE(r->nctas == 2, nctas, "must be 2 for a copy from CTA to CTA");
	else if (!many)
		RULE(r->nctas == 1, nctas, "must be 1 for this op");
	if (mcast)
		RULE(r->cta_mask >> r->nctas == 0, cta_mask, "must name CTAs of the cluster alone");
	RULE(r->smem_len <= MAX_WINDOW, smem_len, "must be at most 2^24");
	RULE(r->smem_len % WINDOW_STEP == 0, smem_len, "must be a multiple of 16");
	RULE(r->smem_off <= r->smem_len, smem_off, "must lie inside the window");
	RULE(r->has_init <= 1, has_init, "must be 0 or 1");
	RULE(r->extra == 0, extra, "must be 0 for this op");
	if (vec_writes_global(r->op))
		RULE(r->gmem_len, gmem_len, "must not be 0 for an op that writes global memory");
	if (is_reduction(r->op)) {
		RULE(r->redop <= 7, redop, "must be 0 to 7");
		RULE(r->type <= 9, type, "must be 0 to 9");
	}
	return 0;
}

/* By mode: the kind of its maps, and whether it writes global memory (2: it may do either). */
static const struct {
	uint8_t kind, writes;
} modes[] = {
	[VEC_TILE] = { VEC_MAP_TILED, 2 },        [VEC_IM2COL] = { VEC_MAP_IM2COL, 0 },
	[VEC_NO_OFFS] = { VEC_MAP_IM2COL, 1 },    [VEC_GATHER4] = { VEC_MAP_TILED, 0 },
	[VEC_SCATTER4] = { VEC_MAP_TILED, 1 },    [VEC_IM2COL_W] = { VEC_MAP_WIDE, 0 },
	[VEC_IM2COL_W_128] = { VEC_MAP_WIDE, 0 },
};

uint32_t vec_offsets(const struct vec_record *r)
{
	if (r->mode == VEC_IM2COL_W || r->mode == VEC_IM2COL_W_128)
		return 2;
	return r->mode == VEC_IM2COL && r->rank > 2 ? r->rank - 2 : 0;
}

static int check_tensor(const struct vec_record *r, struct vec_bad *bad)
{
	bool four = r->mode == VEC_GATHER4 || r->mode == VEC_SCATTER4;

	RULE(r->mode < sizeof(modes) / sizeof(modes[0]), mode, "must be 0 to 6");
	RULE(r->map_kind >= 1 && r->map_kind <= 3, map_kind, "must be 1 to 3 for a tensor op");
	RULE(r->map_kind == modes[r->mode].kind, mode, "must fit the kind of the map");
	RULE(modes[r->mode].writes == 2 || modes[r->mode].writes == vec_writes_global(r->op), mode,
	     "must be 0, 1, 3, 5 or 6 for a load, 0, 2 or 4 for an op that writes global memory");
	RULE(r->rank >= 1 && r->rank <= MAX_RANK, rank, "must be 1 to 5");
	RULE(!four || r->rank == 2, rank, "must be 2 for four rows");
	RULE(r->dtype <= 15, dtype, "must be 0 to 15");
	RULE(r->interleave <= 2, interleave, "must be 0 to 2");
	RULE(r->swizzle <= 7, swizzle, "must be 0 to 7");
	RULE(r->l2promo <= 3, l2promo, "must be 0 to 3");
	RULE(r->oob <= 1, oob, "must be 0 or 1");
	RULE(r->result == 0, result, "must be 0: the map of a tensor op was accepted");
	for (uint32_t i = 0; i < vec_offsets(r); i++)
		if (r->offs[i] > MAX_OFFSET)
			return broken(bad, "offs", r->offs[i], "must be below 2^16");
	return 0;
}

static int check_copy(const struct vec_record *r, uint64_t bytes, uint64_t alignment, struct vec_bad *bad)
{
	uint64_t global = r->gmem_len ? r->gmem_len : VEC_LOAD_BUFFER;

	RULE(r->smem_off % alignment == 0, smem_off, "must be aligned to the copy's granule");
	RULE(r->smem_off + bytes <= r->smem_len, smem_off, "offset and size must stay inside the window");
	if (has_global_operand(r->op)) {
		RULE(r->base % alignment == 0, base, "must be aligned to the copy's granule");
		RULE(r->base <= global && bytes <= global - r->base, base,
		     "address and size must stay inside the global buffer");
	}
	return 0;
}

int vec_check_fields(const struct vec_record *r, struct vec_bad *bad)
{
	int err;

	RULE(r->op < VEC_NUM_OPS, op, "must be 0 to 10");
	if (r->op == VEC_ENCODE)
		return check_encoding(r, bad);
	err = check_shape(r, bad);
	if (err)
		return err;
	if (vec_is_tensor(r->op))
		return check_tensor(r, bad);
	if (is_bulk(r->op)) {
		RULE(r->nbytes % CHUNK == 0, nbytes, "must be a multiple of 16");
		RULE(r->nbytes < MAX_BULK, nbytes, "must be below 2^20");
		return check_copy(r, r->nbytes, CHUNK, bad);
	}
	RULE(r->cp_size == 4 || r->cp_size == 8 || r->cp_size == 16, cp_size, "must be 4, 8 or 16");
	RULE(r->ignore_src <= 2, ignore_src, "must be 0 to 2");
	/* Of a form that does not use it src_size may be anything. */
	RULE(r->ignore_src || r->src_size <= r->cp_size, src_size, "must be at most cp_size");
	return check_copy(r, r->cp_size, r->cp_size, bad);
}

int vec_check_step(const struct vec_step *step, bool *has_state, struct vec_bad *bad)
{
	const struct vec_step *r = step;

	switch (step->op) {
	case VEC_ARRIVE_EXPECT_TX:
	case VEC_ARRIVE_DROP_EXPECT_TX:
		*has_state = true;
		RULE(r->arg <= VEC_MAX_COUNT, arg, "must be at most 1048575");
		break;
	case VEC_EXPECT_TX:
	case VEC_COMPLETE_TX:
		RULE(r->arg <= VEC_MAX_COUNT, arg, "must be at most 1048575");
		break;
	case VEC_ARRIVE:
	case VEC_ARRIVE_DROP:
		*has_state = true;
		RULE(r->arg >= 1 && r->arg <= VEC_MAX_COUNT, arg, "must be 1 to 1048575");
		break;
	case VEC_PENDING_COUNT:
		RULE(r->arg >= 1 && r->arg <= VEC_MAX_COUNT, arg, "must be 1 to 1048575");
		RULE(r->result <= VEC_MAX_COUNT, result, "must be at most 1048575");
		return 0;
	case VEC_TEST_WAIT_PARITY:
	case VEC_TRY_WAIT_PARITY:
		RULE(r->arg <= 1, arg, "must be 0 or 1");
		RULE(r->result <= 1, result, "must be 0 or 1");
		return 0;
	case VEC_TEST_WAIT_STATE:
		RULE(*has_state, op, "tests a state, but no arrive has returned one");
		RULE(r->result <= 1, result, "must be 0 or 1");
		return 0;
	default:
		RULE(false, op, "must be 1 to 10");
	}
	RULE(r->result == 0, result, "must be 0 for an op without an answer");
	return 0;
}
