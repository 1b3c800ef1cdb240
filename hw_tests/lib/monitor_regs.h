/* SPDX-License-Identifier: Apache-2.0 */
/* monitor_regs - what axi_monitor knows of the queues: a copy of the registers that matter to it. */
#ifndef MONITOR_REGS_H
#define MONITOR_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/tma_sim.h"

#define MONITOR_QUEUES   16u
#define MONITOR_WINDOWS  8u
#define MONITOR_MULTIMEM 8u

/* WINDOW_ATTR */
#define MONITOR_READ          1u
#define MONITOR_WRITE         2u
#define MONITOR_MULTIMEM_ATTR 4u

struct monitor_window {
	uint64_t base, limit; /* first and last byte */
	uint32_t attr;
};

struct monitor_queue {
	uint8_t stream, prot;
	struct monitor_window windows[MONITOR_WINDOWS];
};

struct monitor_multimem {
	uint64_t base, limit;
	uint32_t ports;
	uint64_t port_base[TMA_SIM_MAX_PORTS];
};

struct monitor_regs {
	uint32_t ports;                            /* mask of those that exist */
	struct monitor_queue next[MONITOR_QUEUES]; /* as the registers stand */
	struct monitor_queue now[MONITOR_QUEUES];  /* as the queue was last enabled with */
	uint32_t enabled;                          /* queues */
	uint32_t known;                            /* queues that were ever enabled */
	uint32_t queue, window;                    /* WINDOW_INDEX */
	uint32_t index, port;                      /* MULTIMEM_INDEX */
	uint8_t cache;                             /* AXCACHE */
	uint16_t caches;                           /* bit: it may have been that for what is in flight */
	struct monitor_multimem multimem[MONITOR_MULTIMEM];
};

void monitor_regs_reset(struct monitor_regs *r, uint32_t num_ports);
/** A register write that was taken. */
void monitor_write(struct monitor_regs *r, uint32_t address, uint32_t value);

/** Some queue has this stream. */
bool monitor_stream(const struct monitor_regs *r, uint8_t stream);
/** Some queue with this stream has this AxPROT. */
bool monitor_prot(const struct monitor_regs *r, uint8_t stream, uint8_t prot);
/** AXCACHE says so, or did when something that may still be in flight was made. */
bool monitor_cache(const struct monitor_regs *r, uint8_t cache);
/** Nothing is in flight. */
void monitor_settle(struct monitor_regs *r);
/** Some queue with this stream has a window with this attribute over the address. */
bool monitor_allows(const struct monitor_regs *r, uint8_t stream, uint32_t attr, uint64_t addr);
/** The address in the multimem window that lies at @p addr of the port. false: none does. */
bool monitor_translate_back(const struct monitor_regs *r, uint32_t window, uint32_t port, uint64_t addr,
                            uint64_t *global);

#endif
