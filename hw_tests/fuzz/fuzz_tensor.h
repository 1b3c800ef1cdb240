/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor copies of fuzz_model: commands, and maps that are nearly right. */
#ifndef FUZZ_TENSOR_H
#define FUZZ_TENSOR_H

#include "fuzz/fuzz_world.h"

/** Make the fields of a tensor command, whose opcode is set, and mostly write a map for it into the memory
 * of port 0. Shared addresses are the caller's. */
void fuzz_tensor(struct world *w, struct input *in, struct tma_command *c);

#endif
