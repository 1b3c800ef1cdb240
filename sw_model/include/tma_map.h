/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_map - the 128-byte tensor map: make one, edit one, and say what one is.
 *
 * A map has the bits that the CUDA driver's cuTensorMapEncode* writes, words 8 and 9 excepted: hints
 * private to the driver, here zero, which the engine ignores. So a real CUtensorMap works as it is.
 *
 * The encoders take the driver's arguments and give its answers: 0 (CUDA_SUCCESS), or 1
 * (CUDA_ERROR_INVALID_VALUE), the map is untouched then and @p error says which parameter broke which
 * rule. NULL, wherever it is not allowed, and numbers that no enum has are refused in the same way. Two things are
 * refused beyond the driver's documented rules, because the engine would fault on them: interleave with
 * 16U4_ALIGN16B, and a wide map whose column is larger than 232,448 bytes.
 *
 * Dimension 0 is the fastest. Arrays have an entry for each of `rank` dimensions, strides one less
 * (from dimension 1 on), corners two less (fastest spatial dimension first); what lies behind is not
 * looked at.
 * Memory: a map lies at a multiple of 64 bytes, on the host and for the engine. Nothing is allocated.
 * Threads: functions of their arguments alone.
 * Spec: docs/semantics.md 2.1, 2.2 (rules), 2.13 (bits), 1.13 (tensormap.replace).
 */
#ifndef TMA_MAP_H
#define TMA_MAP_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#include "tma_abi.h"

#ifdef __cplusplus
extern "C" {
#endif
/* What the library exports, however it and the program are compiled. */
#pragma GCC visibility push(default)

#define TMA_MAP_BYTES    128u
#define TMA_MAP_MAX_RANK 5u

struct tma_map {
	alignas(64) uint64_t word[16];
};
static_assert(sizeof(struct tma_map) == TMA_MAP_BYTES, "tma_map has padding");

/* ---- The driver's numbers ------------------------------------------------------------------------ */

/*
 * What the encoders take and tma_map_decode() gives: the names begin with TMA_MAP_, the numbers are those of
 * cuda.h. Two other sets of numbers mean the same things, and compilers tell the three apart where they are
 * asked to (C++ always, C by -Wextra or -Wenum-conversion): TMA_RAW_*, the bits of a packed map (tma_abi.h), and
 * TMA_PTX_*, the operands of tensormap.replace (below).
 */

enum tma_map_data_type {
	TMA_MAP_DATA_UINT8 = 0,
	TMA_MAP_DATA_UINT16 = 1,
	TMA_MAP_DATA_UINT32 = 2,
	TMA_MAP_DATA_INT32 = 3,
	TMA_MAP_DATA_UINT64 = 4,
	TMA_MAP_DATA_INT64 = 5,
	TMA_MAP_DATA_FLOAT16 = 6,
	TMA_MAP_DATA_FLOAT32 = 7,
	TMA_MAP_DATA_FLOAT64 = 8,
	TMA_MAP_DATA_BFLOAT16 = 9,
	TMA_MAP_DATA_FLOAT32_FTZ = 10,
	TMA_MAP_DATA_TFLOAT32 = 11,
	TMA_MAP_DATA_TFLOAT32_FTZ = 12,
	TMA_MAP_DATA_16U4_ALIGN8B = 13, /* from here on sm_100 */
	TMA_MAP_DATA_16U4_ALIGN16B = 14,
	TMA_MAP_DATA_16U6_ALIGN16B = 15,
};

enum tma_map_interleave {
	TMA_MAP_INTERLEAVE_NONE = 0,
	TMA_MAP_INTERLEAVE_16B = 1,
	TMA_MAP_INTERLEAVE_32B = 2,
};

enum tma_map_swizzle {
	TMA_MAP_SWIZZLE_NONE = 0,
	TMA_MAP_SWIZZLE_32B = 1,
	TMA_MAP_SWIZZLE_64B = 2,
	TMA_MAP_SWIZZLE_128B = 3,
	TMA_MAP_SWIZZLE_128B_ATOM_32B = 4, /* from here on sm_100 */
	TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B = 5,
	TMA_MAP_SWIZZLE_128B_ATOM_64B = 6,
	TMA_MAP_SWIZZLE_96B = 7, /* ours: it has no number in the driver */
};

enum tma_map_promotion {
	TMA_MAP_PROMOTION_NONE = 0,
	TMA_MAP_PROMOTION_64B = 1,
	TMA_MAP_PROMOTION_128B = 2,
	TMA_MAP_PROMOTION_256B = 3,
};

enum tma_map_fill {
	TMA_MAP_FILL_ZERO = 0,
	TMA_MAP_FILL_NAN = 1,
};

/* cuTensorMapEncodeIm2colWide */
enum tma_map_wide_mode {
	TMA_MAP_WIDE_MODE_W = 0,
	TMA_MAP_WIDE_MODE_W128 = 1,
};

/* Whose rules hold: the recorded ones of sm_90, which has neither the types from 13 on nor the swizzles
 * from 4 on nor wide maps, or the documented ones of sm_100. */
enum tma_map_target {
	TMA_MAP_SM_90 = 0,
	TMA_MAP_SM_100 = 1,
};

/* Why a call was refused; static strings. */
struct tma_map_error {
	const char *parameter; /* the driver's name of it, for example "boxDim[0]" */
	const char *rule;      /* what it must be, for example "must be 1 to 256" */
	enum tma_fault fault;  /* of a copy with such a map; TMA_FAULT_NONE: no map can hold it */
};

/* ---- Encode -------------------------------------------------------------------------------------- */

/**
 * cuTensorMapEncodeTiled.
 *
 * @param strides  bytes, rank - 1 entries; may be NULL with rank 1
 * @param error    filled when 1 is returned; may be NULL, as in every function here
 * @return 0, or 1: refused, the map is untouched
 */
int tma_map_encode_tiled(struct tma_map *map, enum tma_map_target target, enum tma_map_data_type type,
                         uint32_t rank, uint64_t address, const uint64_t *dim, const uint64_t *strides,
                         const uint32_t *box, const uint32_t *element_strides,
                         enum tma_map_interleave interleave, enum tma_map_swizzle swizzle,
                         enum tma_map_promotion promotion, enum tma_map_fill fill,
                         struct tma_map_error *error);

/** cuTensorMapEncodeIm2col. @p lower and @p upper are pixelBoxLowerCorner and pixelBoxUpperCorner. */
int tma_map_encode_im2col(struct tma_map *map, enum tma_map_target target, enum tma_map_data_type type,
                          uint32_t rank, uint64_t address, const uint64_t *dim, const uint64_t *strides,
                          const int32_t *lower, const int32_t *upper, uint32_t channels_per_pixel,
                          uint32_t pixels_per_column, const uint32_t *element_strides,
                          enum tma_map_interleave interleave, enum tma_map_swizzle swizzle,
                          enum tma_map_promotion promotion, enum tma_map_fill fill,
                          struct tma_map_error *error);

/** cuTensorMapEncodeIm2colWide. W128 ignores @p pixels_per_column. */
int tma_map_encode_im2col_wide(struct tma_map *map, enum tma_map_target target, enum tma_map_data_type type,
                               uint32_t rank, uint64_t address, const uint64_t *dim, const uint64_t *strides,
                               int32_t lower_width, int32_t upper_width, uint32_t channels_per_pixel,
                               uint32_t pixels_per_column, const uint32_t *element_strides,
                               enum tma_map_interleave interleave, enum tma_map_wide_mode mode,
                               enum tma_map_swizzle swizzle, enum tma_map_promotion promotion,
                               enum tma_map_fill fill, struct tma_map_error *error);

/* ---- Decode -------------------------------------------------------------------------------------- */

enum tma_map_kind {
	TMA_MAP_TILED,
	TMA_MAP_IM2COL, /* wide ones included */
};

/* What a map holds. Entries that the rank or the kind does not have are 0. */
struct tma_map_info {
	enum tma_map_kind kind;
	enum tma_raw_wide wide; /* of im2col maps; the driver has no number for "not wide" */
	enum tma_map_data_type type;
	uint32_t rank;
	uint64_t address;
	uint64_t dim[5];
	uint64_t strides[4]; /* bytes */
	uint32_t box[5];     /* tiled */
	uint32_t element_strides[5];
	int32_t lower[3], upper[3]; /* im2col; a wide map has [0] alone */
	uint32_t channels, pixels;  /* im2col; 128 pixels in a W_128 map */
	enum tma_map_interleave interleave;
	enum tma_map_swizzle swizzle;
	enum tma_map_promotion promotion;
	enum tma_map_fill fill;
};

/**
 * Read a map, and check it as the engine does.
 *
 * @return 0, *info is filled; 1: no legal map, @p error names the first rule that it breaks, in the
 *         order of the faults MAP_RESERVED to MAP_CORNERS, and *info is untouched; NULL for one of the
 *         first two is refused with TMA_FAULT_NONE
 */
int tma_map_decode(const struct tma_map *map, struct tma_map_info *info, struct tma_map_error *error);

/**
 * A map in words, several lines; of an illegal one what can be read, and the rule that it breaks.
 *
 * @param text  filled with a string of less than @p size bytes; NULL is a size of 0
 * @return length that the whole text has, as snprintf(); without a map 0, and the text is empty
 */
size_t tma_map_describe(const struct tma_map *map, char *text, size_t size);

/* ---- Edit ---------------------------------------------------------------------------------------- */

/** cuTensorMapReplaceAddress: refused where the map's type and interleave would refuse it. Address 0 is allowed here,
 * for engines with memory there; the encoders refuse NULL, as the driver does. */
int tma_map_replace_address(struct tma_map *map, uint64_t address, struct tma_map_error *error);

/* The operands of tensormap.replace. */
enum tma_ptx_elemtype {
	TMA_PTX_ELEMTYPE_U8 = 0,
	TMA_PTX_ELEMTYPE_U16 = 1,
	TMA_PTX_ELEMTYPE_U32 = 2,
	TMA_PTX_ELEMTYPE_S32 = 3,
	TMA_PTX_ELEMTYPE_U64 = 4,
	TMA_PTX_ELEMTYPE_S64 = 5,
	TMA_PTX_ELEMTYPE_F16 = 6,
	TMA_PTX_ELEMTYPE_F32 = 7,
	TMA_PTX_ELEMTYPE_F32_FTZ = 8,
	TMA_PTX_ELEMTYPE_F64 = 9,
	TMA_PTX_ELEMTYPE_BF16 = 10,
	TMA_PTX_ELEMTYPE_TF32 = 11,
	TMA_PTX_ELEMTYPE_TF32_FTZ = 12,
	TMA_PTX_ELEMTYPE_B4X16 = 13,
	TMA_PTX_ELEMTYPE_B4X16_P64 = 14,
	TMA_PTX_ELEMTYPE_B6X16_P32 = 15,
};

enum tma_ptx_interleave_layout {
	TMA_PTX_INTERLEAVE_LAYOUT_NONE = 0,
	TMA_PTX_INTERLEAVE_LAYOUT_16B = 1,
	TMA_PTX_INTERLEAVE_LAYOUT_32B = 2,
};

enum tma_ptx_swizzle_mode {
	TMA_PTX_SWIZZLE_MODE_NONE = 0,
	TMA_PTX_SWIZZLE_MODE_32B = 1,
	TMA_PTX_SWIZZLE_MODE_64B = 2,
	TMA_PTX_SWIZZLE_MODE_128B = 3,
	TMA_PTX_SWIZZLE_MODE_96B = 4,
};

enum tma_ptx_swizzle_atomicity {
	TMA_PTX_SWIZZLE_ATOMICITY_16B = 0,
	TMA_PTX_SWIZZLE_ATOMICITY_32B = 1,
	TMA_PTX_SWIZZLE_ATOMICITY_32B_FLIP_8B = 2,
	TMA_PTX_SWIZZLE_ATOMICITY_64B = 3,
};

enum tma_ptx_fill_mode {
	TMA_PTX_FILL_MODE_ZERO = 0,
	TMA_PTX_FILL_MODE_NAN = 1,
};

/*
 * tensormap.replace.tile.FIELD: one field of a tiled map, with the instruction's numbers. As there, a map
 * may be illegal between two edits; refused, with 1, is what the field cannot hold and an im2col map.
 */

/** tensormap.replace.tile.global_address: no rule of the encoders is looked at. */
int tma_map_replace_global_address(struct tma_map *map, uint64_t value, struct tma_map_error *error);
/** tensormap.replace.tile.rank. @param value  rank - 1, 0 to 4 */
int tma_map_replace_rank(struct tma_map *map, uint32_t value, struct tma_map_error *error);
/** tensormap.replace.tile.box_dim, and .global_dim. @param ord  dimension, 0 to 4 */
int tma_map_replace_box_dim(struct tma_map *map, uint32_t ord, uint32_t value, struct tma_map_error *error);
int tma_map_replace_global_dim(struct tma_map *map, uint32_t ord, uint32_t value,
                               struct tma_map_error *error);
/** tensormap.replace.tile.global_stride.
 *  @param ord    0 to 3, 0 is the stride of dimension 1
 *  @param value  bytes */
int tma_map_replace_global_stride(struct tma_map *map, uint32_t ord, uint64_t value,
                                  struct tma_map_error *error);
/** tensormap.replace.tile.element_stride. @param ord  dimension, 0 to 4 */
int tma_map_replace_element_stride(struct tma_map *map, uint32_t ord, uint32_t value,
                                   struct tma_map_error *error);
/** tensormap.replace.tile.elemtype, and .interleave_layout. */
int tma_map_replace_elemtype(struct tma_map *map, enum tma_ptx_elemtype value, struct tma_map_error *error);
int tma_map_replace_interleave_layout(struct tma_map *map, enum tma_ptx_interleave_layout value,
                                      struct tma_map_error *error);
/** tensormap.replace.tile.swizzle_mode. The atomicity stays. */
int tma_map_replace_swizzle_mode(struct tma_map *map, enum tma_ptx_swizzle_mode value,
                                 struct tma_map_error *error);
/** tensormap.replace.tile.swizzle_atomicity. The mode stays. */
int tma_map_replace_swizzle_atomicity(struct tma_map *map, enum tma_ptx_swizzle_atomicity value,
                                      struct tma_map_error *error);
/** tensormap.replace.tile.fill_mode. */
int tma_map_replace_fill_mode(struct tma_map *map, enum tma_ptx_fill_mode value, struct tma_map_error *error);

/* ---- Layout -------------------------------------------------------------------------------------- */

/**
 * Bytes of the map's box, of an im2col map those of a column without halo: what a barrier has to expect of a load
 * in mode tile or im2col, elements outside the tensor included. docs/semantics.md 2.9.
 *
 * @return 0: NULL, or no legal map
 */
uint64_t tma_map_box_bytes(const struct tma_map *map);

/**
 * The same for a load in any mode: gather4 moves four rows, the wide modes their halo pixels too.
 *
 * @param halo  wHalo of im2col_w and im2col_w_128; not looked at in the others
 * @return 0: NULL, no legal map, or no mode of a load with such a map
 */
uint64_t tma_map_load_bytes(const struct tma_map *map, enum tma_mode mode, uint32_t halo);

/**
 * Where a byte of a swizzled tile lies in shared memory: some bits of its address are XORed with higher ones.
 * docs/semantics.md 2.6:
 *	32B, 96B		a[4]   ^= a[7]
 *	64B			a[5:4] ^= a[8:7]
 *	128B			a[6:4] ^= a[9:7]
 *	128B_ATOM_32B		a[6:5] ^= a[8:7]
 *	128B_ATOM_32B_FLIP_8B	a[6:5] ^= a[8:7], a[3] ^= a[7]
 *	128B_ATOM_64B		a[6]   ^= a[7]
 * It is its own inverse.
 *
 * @param address  where the byte would lie without swizzle, a row to each span (32, 64 or 128 bytes; 96B: rows
 *                 lie 96 bytes apart): the absolute address or its offset in the CTA. A CTA's rank stays.
 * @return the address; unchanged with NONE and with what is no swizzle
 */
uint32_t tma_swizzle(enum tma_map_swizzle mode, uint32_t address);

/* A spatial dimension of a convolution. */
struct tma_map_axis {
	uint32_t size;              /* pixels of the tensor */
	uint32_t filter;            /* taps, 1 to 32768 */
	uint32_t dilation;          /* pixels from tap to tap, 1 to 32768; 1: they touch */
	uint32_t stride;            /* pixels from output to output, 1 to 8: the map's element stride */
	uint32_t pad_low, pad_high; /* pixels of padding in front and behind */
};

/**
 * The window of an im2col map for one dimension of a convolution: lower is -pad_low, upper is
 * pad_high - (filter - 1) * dilation. docs/semantics.md 2.10.
 *
 * Then output q has the coordinate q * stride + lower, and tap t the offset t * dilation.
 *
 * @param outputs  how many outputs the dimension has
 * @return 0, or 1: refused. Rank 4 and 5 have fewer bits for corners, which the encoder looks at.
 */
int tma_map_im2col_corner(const struct tma_map_axis *axis, int32_t *lower, int32_t *upper, uint32_t *outputs,
                          struct tma_map_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
