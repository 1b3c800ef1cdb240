/* SPDX-License-Identifier: Apache-2.0 */
/*
 * card - an accelerator card with one engine, simulated: what a host finds behind PCIe.
 *
 *	               +------------------------------------------+
 *	registers ---->| shell: ap_ctrl, shared memory, refusals  |
 *	               |   |                                      |
 *	               | engine (Verilated, with its checks) -+   |
 *	               |                                      |   |
 *	bytes -------->| memory of port p <-------------------+   |
 *	               +------------------------------------------+
 *
 * The register space is that of docs/back-ends.md, "Registers of the shell". Accesses never fail: what the
 * engine refuses reads 0, and is counted.
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

/* Registers of the shell. */
#define CARD_SHELL        0x7E0u
#define CARD_REFUSALS     0x7E4u
#define CARD_SMEM_ADDRESS 0x7F0u
#define CARD_SMEM_DATA    0x7F4u
#define CARD_SMEM_STROBE  0x7F8u

#define CARD_SHELL_IS 0x31534D54u /* TMS1 */

struct card;

/** A card with an engine of configuration @p config, out of reset.
 * @param memory  of all ports; port p has bank_bytes of it, whole pages, from address
 *                base + p * bank_bytes on. Stays the caller's
 * @return NULL if there is no such configuration, or no memory */
struct card *card_open(const char *config, void *memory, uint64_t base, uint64_t bank_bytes);
/** @return how many rules the engine has broken; the first ones are on stderr */
int card_close(struct card *card);

/** Global ports of the engine. */
uint32_t card_ports(const struct card *card);

/** One word of the register space; the lowest two bits of the offset are ignored. */
uint32_t card_read(struct card *card, uint32_t offset);
void card_write(struct card *card, uint32_t offset, uint32_t value);

void card_run(struct card *card, uint32_t cycles);
/** Something is queued or in flight. */
bool card_busy(const struct card *card);
/** The engine's interrupt. */
bool card_interrupt(const struct card *card);

#ifdef __cplusplus
}
#endif

#endif
