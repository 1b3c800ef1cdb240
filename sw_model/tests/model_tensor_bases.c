/* SPDX-License-Identifier: Apache-2.0 */
/* Legal maps of every kind, and edits of their bits. */
#include "model_tensor_bases.h"

/* clang-format off */
const struct map_fields bases[PADDED + 1] = {
	[TILE2] = { .address = TENSOR, .rank = 2, .dim = { 64, 16 }, .stride = { 64 }, .box = { 16, 4 } },
	[TILE5] = { .address = TENSOR, .rank = 5, .dim = { 64, 4, 3, 2, 2 }, .stride = { 64, 256, 768, 1536 },
	            .box = { 16, 2, 2, 2, 2 } },
	[LAYERED] = { .address = TENSOR, .rank = 4, .interleave = 2, .dim = { 8, 4, 2, 2 },
	              .stride = { 256, 1024, 2048 }, .box = { 16, 4, 1, 2 }, .es = { 4 } },
	[PIXELS3] = { .address = TENSOR, .rank = 3, .im2col = 1, .dim = { 64, 8, 2 }, .stride = { 64, 512 },
	              .box = { 16 }, .pixels = 8 },
	[PIXELS4] = { .address = TENSOR, .rank = 4, .im2col = 1, .dim = { 64, 8, 4, 2 },
	              .stride = { 64, 512, 2048 }, .box = { 16 }, .pixels = 8 },
	[PIXELS5] = { .address = TENSOR, .rank = 5, .im2col = 1, .dim = { 64, 8, 4, 2, 2 },
	              .stride = { 64, 512, 2048, 4096 }, .box = { 16 }, .pixels = 8 },
	[W3] = { .address = TENSOR, .rank = 3, .im2col = 1, .wide = 1, .swizzle = 2, .dim = { 64, 8, 2 },
	         .stride = { 64, 512 }, .box = { 16 }, .pixels = 8 },
	[W128] = { .address = TENSOR, .rank = 3, .im2col = 1, .wide = 2, .swizzle = 2, .dim = { 64, 8, 2 },
	           .stride = { 64, 512 }, .box = { 16 } },
	[PADDED] = { .address = TENSOR, .rank = 2, .type = 14, .dim = { 256, 16 }, .stride = { 192 },
	             .box = { 128, 4 } },
};

/* Mode of a load of each. */
static const uint8_t load_modes[] = {
	[TILE2] = 0, [TILE5] = 0, [LAYERED] = 0, [PIXELS3] = 1, [PIXELS4] = 1, [PIXELS5] = 1, [W3] = 5, [W128] = 6, [PADDED] = 0,
};
/* clang-format on */

void map_edit(uint64_t words[16], const struct map_edit *e)
{
	uint64_t mask = e->bits == 64 ? UINT64_MAX : (UINT64_C(1) << e->bits) - 1;

	if (!e->bits)
		return;
	words[e->lsb / 64] &= ~(mask << e->lsb % 64);
	words[e->lsb / 64] |= e->value << e->lsb % 64;
}

struct tma_command load_of(enum base base)
{
	return tensor(TMA_TENSOR_LOAD, load_modes[base], (uint8_t)bases[base].rank, 0, 0, 0, 0, 0);
}

/* The fault must have left everything as it was. */
void expect_still(struct fixture *f, uint16_t fault, uint64_t address)
{
	expect_fault(f, 0, fault, address);
	assert_int_equal(status_of(f, 0).next_sequence, 1);
	expect_all_memory(f);
}
