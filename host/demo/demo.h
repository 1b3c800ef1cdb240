/* SPDX-License-Identifier: Apache-2.0 */
/* The demo's parts: a file in memory, the programs that move it, what came out of an engine. */
#ifndef DEMO_H
#define DEMO_H

#include "tma.h"

/* Bytes of every 16 that the masked store writes. */
#define DEMO_MASK 0x5A5Au
/* What the destinations hold before. */
#define DEMO_BLANK 0xA5

struct demo_file {
	const char *name;
	uint8_t *bytes;
	uint32_t size;   /* as it lies on the disk */
	uint32_t padded; /* rounded up to a multiple of 16, with zeros */
	/* Of a PPM: its size, and its pixels, three bytes each. NULL: the file is none. */
	const uint8_t *pixels;
	uint32_t width, height;
};

/** Read a file; one that begins as a PPM must be a whole one. @return 0; or -1, and the reason is on stderr. */
int demo_read_file(struct demo_file *file, const char *name);

/** Find the pixels of a file that begins as a PPM. @return what is wrong with it, or NULL */
const char *demo_find_pixels(struct demo_file *file);

enum demo_stage {
	DEMO_LOAD,      /* global memory -> shared memory of all CTAs, multicast */
	DEMO_MASKED,    /* CTA 0 -> global memory, only the bytes of the mask */
	DEMO_SHARED,    /* every CTA -> the next one */
	DEMO_READ_BACK, /* every CTA -> global memory */
	DEMO_ALL,       /* all of it at once */
	DEMO_STAGES,
};

/* What is done with a picture, by tensor copies. */
enum demo_view {
	DEMO_TILES,     /* cut into tiles, whose border is outside the picture */
	DEMO_SWIZZLE,   /* a tile as it lies in shared memory, with every swizzle */
	DEMO_MULTICAST, /* a tile to each set of CTAs */
	DEMO_IM2COL,    /* a column of pixels for each tap of a filter */
	DEMO_STORED,    /* cut into tiles, swizzled, and put together again */
	DEMO_VIEWS,
};

/* What is done with a picture by reductions, where the engine has them. */
enum demo_reduction {
	DEMO_ALLREDUCE, /* exposures of it are added up, in the memory behind every global port */
	DEMO_HISTOGRAM, /* its pixels are counted by brightness */
	DEMO_REDUCTIONS,
};

/* The passes: the file stage by stage, and all stages at once; then the picture, if it is one, in tensor copies
 * and in reductions. */
enum demo_pass {
	DEMO_PASS_STAGES,
	DEMO_PASS_ALL,
	DEMO_PASS_TENSOR,
	DEMO_PASS_REDUCE,
	DEMO_PASSES,
};

/* What one engine made of the file. */
struct demo_result {
	struct tma_device_info info;
	uint64_t cycles[DEMO_STAGES];
	uint64_t view_cycles[DEMO_VIEWS], reduce_cycles[DEMO_REDUCTIONS];
	int passes;
	/* Global memory that each pass wrote: masked copy, then the copy that each CTA made; of tensor copies the
	 * views, as struct demo_layout says; of reductions the sum at each port, then the counters. */
	uint8_t *global[DEMO_PASSES];
	uint64_t global_bytes[DEMO_PASSES];
	uint8_t *shared[DEMO_PASSES]; /* shared memory of all CTAs; of reductions NULL */
	uint64_t shared_bytes;
};

/** Move the file through the engine that the options open.
 * @param reduce  reductions, too, if the engine has them; then there are all DEMO_PASSES of a picture
 * @return 0, the result is the caller's to free; or -1, and the reason is on stderr */
int demo_run(const struct tma_options *options, const struct demo_file *file, bool reduce,
             struct demo_result *result);
void demo_free_result(struct demo_result *result);

/* One engine with its queues: queue r executes in CTA r. */
struct demo_engine {
	struct tma_device *device;
	struct tma_device_info info;
	struct tma_queue *queues[TMA_REG_QUEUE_COUNT];
	uint64_t input, masked, copies; /* global addresses; the copies follow each other */
	uint32_t bytes;                 /* of the file, padded */
};

/* ---- Tensor copies ---- */

#define DEMO_TILE       32u   /* pixels of a tile's edge */
#define DEMO_SLOT_BYTES 4096u /* of a tile, and of a column */
#define DEMO_SLOTS      1024u /* of shared memory, first; the barriers of the slots are in front */
#define DEMO_BORDER     16u   /* of the first tiles, outside the picture */
#define DEMO_TAPS       3u    /* of the filter, in each direction */
#define DEMO_DILATION   16u   /* pixels between taps */
#define DEMO_STEP       4u    /* pixels between two of a column */
#define DEMO_COLUMN     256u  /* pixels */
#define DEMO_SWIZZLES   8u
/* A pixel outside the picture: the NaN that the engine fills with, little-endian. */
#define DEMO_OUTSIDE 0x7FF77FF7u

/* How the picture lies in memory, and where the views are in the memory that the engine writes. */
struct demo_layout {
	uint32_t width, height, pitch;    /* of a row, in bytes; a pixel has four */
	uint32_t crop_width, crop_height; /* what im2col takes of the picture, from its middle */
	uint32_t crop_x, crop_y;
	uint32_t slots;            /* of a CTA */
	uint32_t tiles_x, tiles_y; /* tiles with a border */
	uint32_t cells_x, cells_y; /* tiles that are put together again */
	uint32_t shots_x, shots_y; /* tiles that are multicast */
	uint32_t steps_x, steps_y; /* pixels of all columns of a tap */
	uint32_t columns;          /* of a tap */
	uint64_t offset[DEMO_VIEWS], bytes[DEMO_VIEWS], total;
};

struct demo_swizzle {
	uint32_t code;   /* enum tma_map_swizzle */
	uint32_t pixels; /* of a row */
	/* Bits of a shared address that are changed, and that many from bit 7 on that change them. */
	uint32_t at, bits;
	bool flip; /* bit 7 changes bit 3, too */
	const char *name, *detail;
};

extern const struct demo_swizzle demo_swizzles[DEMO_SWIZZLES];

void demo_lay_out(struct demo_layout *layout, const struct demo_file *file,
                  const struct tma_device_info *info);
/** CTAs of multicast tile @p index, so that each set of the first four CTAs has one. */
uint16_t demo_multicast_mask(const struct tma_device_info *info, uint32_t index);
/** Upper left pixel of the tile that is swizzled; of multicast tile @p index. */
void demo_swizzle_at(const struct demo_layout *layout, int32_t at[2]);
void demo_multicast_at(const struct demo_layout *layout, uint32_t index, int32_t at[2]);

/** The picture as the tensor copies find it. @return bytes of layout->pitch x height; NULL: no memory */
uint8_t *demo_pixels(const struct demo_file *file, const struct demo_layout *layout);
/** The part of it that im2col takes, four floats for each pixel. */
float *demo_floats(const struct demo_file *file, const struct demo_layout *layout);

/** All views by the engine. @param output  where they go; @return 0; or -1, the reason is on stderr */
int demo_views(struct demo_engine *engine, const struct demo_file *file, struct tma_memory *output,
               uint64_t cycles[DEMO_VIEWS]);

/** What demo_views() has to leave in @p output, straight from the picture. @return 0; -1: no memory */
int demo_expect_views(const struct demo_file *file, const struct tma_device_info *info, uint8_t *output);

/** Write the views as pictures, DIRECTORY/tiles.png and so on. @return 0; or -1, the reason is on stderr */
int demo_draw(const struct demo_file *file, const struct demo_result *result, const char *directory);

/** Name of a view, and of its picture. */
const char *demo_view_name(enum demo_view view);

/* ---- Reductions ---- */

#define DEMO_EXPOSURES     8u
#define DEMO_BINS          64u /* of the histogram, each of as many levels of brightness */
#define DEMO_LEVELS        (256 / DEMO_BINS)
#define DEMO_COUNTERS      4u /* of a bin, four bytes each: 16 bytes are the least that a reduction updates */
#define DEMO_COUNTER_BYTES (DEMO_BINS * DEMO_COUNTERS * 4)

/* How far the counters of a bin count until they begin at 0 again: the first counts pixels, the others
 * show their last digits. */
extern const uint32_t demo_counter_tops[DEMO_COUNTERS];

/* What reductions take of the picture: all of it, or every `step`th pixel of a large one. */
struct demo_sample {
	uint32_t step, width, height, pixels;
	uint32_t bytes; /* four for each pixel; whole chunks of 16 */
};

void demo_take_sample(struct demo_sample *sample, const struct demo_file *file);
/** Its pixels, then zeros up to a whole chunk; the caller's to free. @return NULL: no memory */
uint8_t *demo_sample_pixels(const struct demo_file *file, const struct demo_sample *sample);
/** Exposures of these pixels, one behind the other. The sum of all is the picture, so no byte of it overflows,
 * and a word can be added up as four bytes. */
uint8_t *demo_exposures(const uint8_t *pixels, const struct demo_sample *sample);
/** 0 to 255. */
uint32_t demo_brightness(const uint8_t *pixel);

/** Add up and count. Queues are closed, and opened again with windows.
 * @param global  filled with the sum at each port, then the counters
 * @return 0; or -1, the reason is on stderr */
int demo_reductions(struct demo_engine *engine, const struct demo_file *file, uint8_t *global,
                    uint64_t cycles[DEMO_REDUCTIONS]);

/** What demo_reductions() has to leave, in loops over bytes and pixels. @return 0; -1: no memory */
int demo_expect_reductions(const struct demo_file *file, const struct tma_device_info *info, uint8_t *global);

/** Write DIRECTORY/allreduce.png and histogram.png. @return 0; or -1, and the reason is on stderr */
int demo_draw_reductions(const struct demo_file *file, const struct demo_result *result,
                         const char *directory);

/** Name of a reduction, and of its picture. */
const char *demo_reduction_name(enum demo_reduction reduction);

/* ---- Report ---- */

/** 1234567 -> "1,234,567", in a buffer of the caller's. */
const char *demo_grouped(uint64_t value, char text[27]);
void demo_print_head(const struct demo_file *file, const struct tma_device_info *info, uint64_t seed);
void demo_print_table(const struct demo_result *rtl, const struct demo_file *file);
/** The tensor copies: what is loaded, which is what is then stored. @param written  there are pictures, too */
void demo_print_views(const struct demo_result *rtl, const struct demo_file *file, bool written);
/** The reductions, or that there are none. */
void demo_print_reductions(const struct demo_result *rtl, const struct demo_file *file, bool written);
/** What the reductions' results were compared with; they match. */
void demo_print_matches(const struct demo_result *rtl, const struct demo_file *file);

/* ---- Queues ---- */

/** Submit a command to queue @p r. @return 0; or -1, and the reason is on stderr */
int demo_put(struct demo_engine *engine, uint32_t r, const struct tma_command *command);
/** Tag the end of a part of a queue's program, and wait until the queue has come there. */
int demo_put_end(struct demo_engine *engine, uint32_t r);
int demo_wait_end(struct demo_engine *engine, uint32_t r);
int demo_put_commit(struct demo_engine *engine, uint32_t r);
/** Until the sources of all groups but the @p n youngest may be written. */
int demo_put_wait_read(struct demo_engine *engine, uint32_t r, uint32_t n);
/** Until all groups are written; that is the tagged end. */
int demo_put_wait_written(struct demo_engine *engine, uint32_t r);

/* ---- Bulk copies ---- */

/** Both ways to move the whole file. Every barrier is initialised anew.
 * @return 0; or -1, and the reason is on stderr */
int demo_stage_by_stage(struct demo_engine *engine, uint64_t cycles[DEMO_STAGES]);
int demo_all_at_once(struct demo_engine *engine, uint64_t cycles[DEMO_STAGES]);

#endif
