/* SPDX-License-Identifier: Apache-2.0 */
/* Legal maps of every kind, and edits of their bits. */
#ifndef MODEL_TENSOR_BASES_H
#define MODEL_TENSOR_BASES_H

#include "model_tensor.h"

#define NONE TMA_FAULT_NONE

/* Bits of the map, literally as in the layout. */
#define ADDRESS   0, 64
#define IM2COL    64, 1
#define RANK      68, 3
#define TYPE      71, 4
#define LAYERS    75, 2 /* interleave */
#define SWIZZLE   77, 2
#define FILL      79, 1
#define TF32      80, 1
#define ATOM      83, 2
#define SWIZZLE96 85, 1
#define WIDE      86, 2
#define STRIDE(i) 96 + 32 * (i), 32 /* / 16 */
#define DIM(i)    256 + 32 * (i), 32
#define ES(i)     416 + 3 * (i), 3
#define BOX_(i)   440 + 8 * (i), 8
#define LOWER     448, 16 /* of rank 3 and wide maps */
#define UPPER     464, 16
#define LOWER8(i) 448 + 8 * (i), 8
#define UPPER8(i) 464 + 8 * (i), 8
#define LOWER5(i) 448 + 5 * (i), 5
#define PIXELS    480, 10

struct map_edit {
	unsigned int lsb, bits;
	uint64_t value;
};

enum base { TILE2, TILE5, LAYERED, PIXELS3, PIXELS4, PIXELS5, W3, W128, PADDED };

/** Legal maps: 2 and 5 dimensions, interleave, im2col of 3 to 5 dimensions, the two wide kinds, b4x16_p64. */
extern const struct map_fields bases[PADDED + 1];

void map_edit(uint64_t words[16], const struct map_edit *e);
/** A legal load with the map of a base. */
struct tma_command load_of(enum base base);
/** Queue 0 has this fault, after its first command has left it, and nothing has moved. */
void expect_still(struct fixture *f, uint16_t fault, uint64_t address);

#endif
