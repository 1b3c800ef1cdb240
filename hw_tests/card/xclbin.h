/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xclbin - writes the container in which XRT wants kernels, for a card with one engine.
 *
 * Debian's xclbinutil has no program in it, and the format is public (xclbin.h of XRT).
 */
#ifndef OWN_XCLBIN_H
#define OWN_XCLBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define XCLBIN_MAX_PORTS 4
#define XCLBIN_KERNEL    "tma_kernel"
#define XCLBIN_BASE      0x800000u /* of the register space, on the card's bus */
#define XCLBIN_SPACE     0x10000u
/* No tensor map takes 0 for an address, so memory is not there. */
#define XCLBIN_MEMORY UINT64_C(0x100000000)

struct xclbin_card {
	uint32_t ports;      /* 1..4; port p has bank p */
	uint64_t bank_bytes; /* multiple of 4096; bank p is at XCLBIN_MEMORY + p * bank_bytes */
	const void *bits;    /* the bitstream, which nobody reads but the card; may be empty */
	size_t num_bits;
};

/** Can there be such a card? */
bool xclbin_possible(const struct xclbin_card *card);
/** Write it. @return 0, -EINVAL (nothing is written), -ENOMEM, -EIO */
int xclbin_write(FILE *file, const struct xclbin_card *card);

#endif
