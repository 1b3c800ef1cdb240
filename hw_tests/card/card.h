/* SPDX-License-Identifier: Apache-2.0 */
/*
 * card - an accelerator card with one engine, simulated: what a host finds behind PCIe.
 *
 *	               +----------------------------------------------+
 *	registers ---->| kernel (Verilated, with its checks):         |
 *	               | shell, engine ----------------------------+  |
 *	               |                                           |  |
 *	bytes -------->| memory of port p <------------------------+  |
 *	               +----------------------------------------------+
 *
 * The register space is that of docs/back-ends.md, "Registers of the shell". Accesses never fail: what is
 * refused reads 0, and is counted.
 * Time passes in card_run() and with each register access. One thread at a time.
 */
#ifndef CARD_H
#define CARD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CARD_SPACE 0x10000u /* bytes of register space */

struct card;

/** A card with an engine of configuration @p config, out of reset.
 * @param memory  of all ports; port p has bank_bytes of it, whole pages, from address
 *                base + p * bank_bytes on. Stays the caller's
 * @return NULL if it is not built in this configuration, or there is no memory */
struct card *card_open(const char *config, void *memory, uint64_t base, uint64_t bank_bytes);
/** @return how many rules the engine has broken; the first ones are on stderr */
int card_close(struct card *card);

/** Global ports of the engine. */
uint32_t card_ports(const struct card *card);

/** One word of the register space; the lowest two bits of the offset are ignored. */
uint32_t card_read(struct card *card, uint32_t offset);
void card_write(struct card *card, uint32_t offset, uint32_t value);

/** Let time pass. While nothing goes on nothing would change, and no cycle is simulated. */
void card_run(struct card *card, uint32_t cycles);
/** Something is queued or in flight: a read of STATUS, where that is not known. */
bool card_busy(struct card *card);
/** The interrupt of the kernel. */
bool card_interrupt(const struct card *card);

#ifdef __cplusplus
}
#endif

#endif
