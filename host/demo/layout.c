/* SPDX-License-Identifier: Apache-2.0 */
/* Where the picture lies in memory, how it is cut into tiles and columns, and where the views go. */
#include <string.h>

#include "demo.h"

#define CROP_WIDTH  256u
#define CROP_HEIGHT 192u

const struct demo_swizzle demo_swizzles[DEMO_SWIZZLES] = {
	{ TMA_MAP_SWIZZLE_NONE, 32, 4, 0, false, "none", "unswizzled" },
	{ TMA_MAP_SWIZZLE_32B, 8, 4, 1, false, "32B", "swizzled" },
	{ TMA_MAP_SWIZZLE_64B, 16, 4, 2, false, "64B", "swizzled" },
	{ TMA_MAP_SWIZZLE_96B, 24, 4, 1, false, "96B", "swizzled" },
	{ TMA_MAP_SWIZZLE_128B, 32, 4, 3, false, "128B", "swizzled" },
	{ TMA_MAP_SWIZZLE_128B_ATOM_32B, 32, 5, 2, false, "128B", "atom 32B" },
	{ TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B, 32, 5, 2, true, "128B", "atom 32B, flip" },
	{ TMA_MAP_SWIZZLE_128B_ATOM_64B, 32, 6, 1, false, "128B", "atom 64B" },
};

const char *demo_view_name(enum demo_view view)
{
	static const char *const names[DEMO_VIEWS] = { "tiles", "swizzle", "multicast", "im2col", "stored" };

	return names[view];
}

static uint32_t pieces_of(uint32_t size, uint32_t piece)
{
	return (size + piece - 1) / piece;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void place_views(struct demo_layout *l, const struct tma_device_info *info)
{
	uint32_t taps = DEMO_TAPS * DEMO_TAPS, view;

	l->bytes[DEMO_TILES] = (uint64_t)l->tiles_x * l->tiles_y * DEMO_SLOT_BYTES;
	l->bytes[DEMO_SWIZZLE] = DEMO_SWIZZLES * DEMO_SLOT_BYTES;
	l->bytes[DEMO_MULTICAST] = (uint64_t)info->ctas * l->shots_x * l->shots_y * DEMO_SLOT_BYTES;
	l->bytes[DEMO_IM2COL] = (uint64_t)taps * l->columns * DEMO_SLOT_BYTES;
	l->bytes[DEMO_STORED] = (uint64_t)l->pitch * l->height;
	l->total = 0;
	for (view = 0; view < DEMO_VIEWS; view++) {
		l->offset[view] = l->total;
		l->total += (l->bytes[view] + 4095) & ~(uint64_t)4095;
	}
}

void demo_lay_out(struct demo_layout *l, const struct demo_file *file, const struct tma_device_info *info)
{
	memset(l, 0, sizeof(*l));
	l->width = file->width;
	l->height = file->height;
	l->pitch = (4 * l->width + 15) & ~15u; /* the map says which pixels there are */
	l->slots = least((info->smem_bytes - DEMO_SLOTS) / DEMO_SLOT_BYTES, 16);
	l->tiles_x = pieces_of(l->width + 2 * DEMO_BORDER, DEMO_TILE);
	l->tiles_y = pieces_of(l->height + 2 * DEMO_BORDER, DEMO_TILE);
	l->cells_x = pieces_of(l->width, DEMO_TILE);
	l->cells_y = pieces_of(l->height, DEMO_TILE);
	l->shots_x = l->slots >= 15 ? 5 : least(l->slots, 3);
	l->shots_y = l->slots >= 15 ? 3 : 1;
	l->crop_width = least(l->width, CROP_WIDTH);
	l->crop_height = least(l->height, CROP_HEIGHT);
	l->crop_x = (l->width - l->crop_width) / 2;
	l->crop_y = (l->height - l->crop_height) / 2;
	l->steps_x = pieces_of(l->crop_width, DEMO_STEP);
	l->steps_y = pieces_of(l->crop_height, DEMO_STEP);
	l->columns = pieces_of(l->steps_x * l->steps_y, DEMO_COLUMN);
	place_views(l, info);
}

uint16_t demo_multicast_mask(const struct tma_device_info *info, uint32_t index)
{
	uint32_t all = (1u << info->ctas) - 1;

	return (uint16_t)((index % 15 + 1) * 0x1111 & all);
}

/* First coordinates are multiples of 16 bytes, that is of four pixels. */

void demo_swizzle_at(const struct demo_layout *l, int32_t at[2])
{
	at[0] = (int32_t)(l->width / 16 * 4) - (int32_t)DEMO_TILE / 2;
	at[1] = (int32_t)(l->height * 5 / 8) - (int32_t)DEMO_TILE / 2;
}

void demo_multicast_at(const struct demo_layout *l, uint32_t index, int32_t at[2])
{
	/* All of them are around the middle. */
	at[0] = (int32_t)(l->width / 8 * 4) - (int32_t)(l->shots_x * DEMO_TILE / 2);
	at[1] = (int32_t)(l->height / 2) - (int32_t)(l->shots_y * DEMO_TILE / 2);
	at[0] += (int32_t)(index % l->shots_x * DEMO_TILE);
	at[1] += (int32_t)(index / l->shots_x * DEMO_TILE);
}
