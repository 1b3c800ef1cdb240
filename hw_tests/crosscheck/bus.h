/* SPDX-License-Identifier: Apache-2.0 */
/* bus - what a step has to move at the ports: at most one burst per 4 KiB page and port, or per 16 beats. */
#ifndef CROSSCHECK_BUS_H
#define CROSSCHECK_BUS_H

#include "crosscheck/program.h"

/* Bytes of one page. */
struct bus_part {
	uint64_t address; /* on the port */
	uint32_t bytes;
};

/** Bytes of global memory that the command moves, were it legal. */
uint32_t bus_bytes(const struct tma_command *cmd);

/** The same of any step: of a tensor copy those that lie in the tensor, of a prefetch those in windows. */
uint64_t bus_step_bytes(const struct program *p, const struct step *s);

/** May a burst of the tensor copy have these beats? */
bool bus_tensor(const struct program *p, const struct step *s, uint64_t address, uint64_t bytes);

/** The next part of the command at or behind byte *@p done of its operand that goes to the port; *done
 * becomes its first byte. False: there is none. */
bool bus_next(const struct program *p, const struct tma_command *cmd, uint32_t port, uint32_t *done,
              struct bus_part *part);

/** The same of a burst: what goes to several ports, and what is updated, is cut at every 16th beat. */
bool bus_burst(const struct program *p, const struct tma_command *cmd, uint32_t port, uint32_t *done,
               struct bus_part *part);
uint32_t bus_beats(const struct program *p, const struct bus_part *part);

/** A reduction to global memory: each of its bursts is read before it is written, unless it is one beat that
 * another one in flight has. */
bool bus_updates(uint8_t opcode);

/** Of bus_bytes(), those that the port sees; of these, those before byte @p end of the operand. */
uint32_t bus_bytes_before(const struct program *p, const struct tma_command *cmd, uint32_t port,
                          uint32_t end);
uint32_t bus_port_bytes(const struct program *p, const struct tma_command *cmd, uint32_t port);

/** Low byte of AxUSER: hints. */
uint8_t bus_hints(const struct program *p, const struct step *s);

/** The multimem window that the address lies in, or NULL. */
const struct multimem *bus_multimem(const struct program *p, uint64_t address);

#endif
