/* SPDX-License-Identifier: Apache-2.0 */
/* A register access through memory that two processes share: a load or a store of a mapped file cannot make the
 * other process answer. */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <stdatomic.h>
#include <stdint.h>

#define MAILBOX_BYTES 0x10000u

/* Numbers count accesses: one is under way while they differ. */
struct mailbox {
	_Atomic uint32_t asked, answered;
	uint32_t write, address, value;
	_Atomic uint32_t interrupt; /* its level */
};

#endif
