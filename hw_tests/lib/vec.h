/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vec - reader of recorded vectors (.vec) and barrier programs (.mbr), hw_tests/vectors/FORMAT.md.
 *
 * Call order: vec_open() or vec_parse(), then vec_record() or vec_program() by index, vec_close().
 * Everything is checked when the file is opened: sizes against fields, fields against the ranges
 * that the format gives them. So a record that vec_record() returns can be used without a check.
 * Errors: a negative errno, with the field, the rule and the byte offset in struct vec_error.
 * Threads: a vec is read-only once open.
 */
#ifndef VEC_H
#define VEC_H

#include <stddef.h>
#include <stdint.h>

#define VEC_MAX_CTAS    16
#define VEC_LOAD_BUFFER (8u << 20) /* the buffer that loads read when gmem_len is 0 */

enum vec_kind {
	VEC_RECORDS,  /* "TMAVEC1" */
	VEC_PROGRAMS, /* "TMAMBR1" */
};

enum vec_op {
	VEC_TENSOR_LOAD = 0,
	VEC_TENSOR_STORE = 1,
	VEC_TENSOR_REDUCE = 2,
	VEC_BULK_LOAD = 3, /* nctas > 1: multicast */
	VEC_BULK_STORE = 4,
	VEC_BULK_SHARED = 5,        /* CTA 0 to CTA 1, same offset */
	VEC_BULK_REDUCE = 6,        /* to global */
	VEC_BULK_REDUCE_SHARED = 7, /* CTA 0 to CTA 1, same offset */
	VEC_CP_ASYNC = 8,
	VEC_ENCODE = 9, /* map encoding alone */
	VEC_TENSOR_LOAD_MULTICAST = 10,
	VEC_NUM_OPS
};

/* vec_record.type: of floating point from the first to the last */
#define VEC_TYPE_F16 4
#define VEC_TYPE_F64 7

/* vec_record.map_kind, 0: none */
enum vec_map_kind { VEC_MAP_TILED = 1, VEC_MAP_IM2COL, VEC_MAP_WIDE };

/* vec_record.mode, with the numbers of commands */
enum vec_mode {
	VEC_TILE,
	VEC_IM2COL,
	VEC_NO_OFFS,
	VEC_GATHER4,
	VEC_SCATTER4,
	VEC_IM2COL_W,
	VEC_IM2COL_W_128,
};

/* vec_record.dtype: of floating point from the first to the third; from the last on padded in shared memory */
#define VEC_DTYPE_FLOAT16       6
#define VEC_DTYPE_FLOAT64       8
#define VEC_DTYPE_TFLOAT32_FTZ  12
#define VEC_DTYPE_16U4_ALIGN16B 14

/* vec_record.ignore_src */
enum vec_ignore_src {
	VEC_SRC_SIZE = 0,    /* the form with src-size */
	VEC_IGNORED = 1,     /* the predicate is true: nothing is read */
	VEC_NOT_IGNORED = 2, /* it is false: a plain copy */
};

enum vec_barrier_op {
	VEC_EXPECT_TX = 1,
	VEC_COMPLETE_TX = 2,
	VEC_ARRIVE = 3,
	VEC_ARRIVE_EXPECT_TX = 4,
	VEC_ARRIVE_DROP = 5,
	VEC_TEST_WAIT_PARITY = 6,
	VEC_PENDING_COUNT = 7,   /* arrive.noComplete(arg), then pending_count of its state */
	VEC_TEST_WAIT_STATE = 8, /* of the state that the last op 3, 4, 5 or 9 returned */
	VEC_ARRIVE_DROP_EXPECT_TX = 9,
	VEC_TRY_WAIT_PARITY = 10,
};

/* One instruction with its inputs and what it did. Pointers lead into the file's bytes. */
struct vec_record {
	uint32_t number; /* position in the file, from 0 */
	size_t offset;   /* of the record in the (unpacked) file */
	uint32_t size, op, mode, redop, type, map_kind, dtype, rank;
	uint64_t base, dim[5], stride[4];
	uint32_t box[5], estride[5];
	uint32_t lower[3], upper[3]; /* two's complement */
	uint32_t cpp, ppc, interleave, swizzle, l2promo, oob;
	uint32_t coord[5]; /* two's complement */
	uint32_t offs[3];
	uint32_t smem_off, nbytes, cta_mask, nctas, cp_size, src_size, ignore_src;
	uint32_t result, tx_bytes;
	uint64_t smem_seed, gmem_seed;
	uint32_t smem_len, gmem_len, has_init, extra;

	const uint8_t *init_smem, *init_gmem; /* NULL without has_init */
	const uint8_t *smem;                  /* nctas x smem_len bytes afterwards, or NULL */
	const uint8_t *gmem;                  /* gmem_len bytes afterwards, or NULL */
	const uint8_t *map;                   /* 128 bytes of an accepted encoding, or NULL */
};

struct vec_step {
	uint32_t op, arg, result;
};

/* A barrier program, run by one thread in order. */
struct vec_program {
	uint32_t number;
	size_t offset;
	uint32_t num_steps;
	uint32_t init; /* count of the mbarrier.init that it starts with */
	const uint8_t *steps;
};

struct vec_error {
	char text[256];
};

struct vec;

/** Read a file, plain or .xz (told apart by content). NULL: @p error says why. */
struct vec *vec_open(const char *path, struct vec_error *error);

/** Check @p size bytes, which must outlive the vec. NULL: @p error says why. */
struct vec *vec_parse(const uint8_t *bytes, size_t size, struct vec_error *error);
void vec_close(struct vec *v);

enum vec_kind vec_kind(const struct vec *v);
uint32_t vec_count(const struct vec *v);
const char *vec_device(const struct vec *v);

/** Record or program @p index, below vec_count(), of a file of that kind. */
void vec_record(const struct vec *v, uint32_t index, struct vec_record *record);
void vec_program(const struct vec *v, uint32_t index, struct vec_program *program);

/** Step @p index, below num_steps. */
struct vec_step vec_step(const struct vec_program *program, uint32_t index);

/** Initial contents: bytes @p first.. of the buffer with this seed. */
void vec_pattern(uint64_t seed, uint64_t first, uint8_t *bytes, size_t size);

/** All bytes of a file, unpacked, at most 1 GiB. 0, or a negative errno; free(*bytes). */
int vec_load(const char *path, uint8_t **bytes, size_t *size, struct vec_error *error);

/** Unpack an .xz image, as vec_load() does. */
int vec_unpack(const uint8_t *packed, size_t packed_size, uint8_t **bytes, size_t *size,
               struct vec_error *error);

#endif
