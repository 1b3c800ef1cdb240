/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axi_monitor - says of every burst on every port whether it may be there.
 *
 * It knows what software has programmed, by the register writes that were answered OKAY, and the
 * pins. It knows nothing of commands. Rules:
 *	stream     AxUSER[15:8] names a queue that was enabled
 *	prot       AxPROT is that of the queue, AxCACHE that of the register AXCACHE, now or when the burst was made
 *	read       on port 0 alone; every byte of every beat lies in a window of the queue with READ
 *	write      every page lies in a window of the queue with WRITE (port 0), or, translated back
 *	           through a multimem window that lies on this port, in one with MULTIMEM
 *	reduction  both its reads and its writes: every page lies in windows with READ and with WRITE (port 0), or
 *	           as a write in one with MULTIMEM
 *	broadcast  what a store through a multimem window sends to one of its ports, it sends to all of them: the
 *	           same bytes with the same strobes at the same place of the window
 *
 * Several queues with one stream: a burst may be there if one of them may send it. A write on port 0
 * that may be a plain store as well as a part of a broadcast need not be on the other ports.
 * A set-up counts from the enabling of its queue on, until the queue is enabled anew.
 */
#ifndef AXI_MONITOR_H
#define AXI_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/tma_sim.h"

struct axi_monitor_opts {
	uint32_t ports;      /* that exist */
	uint32_t data_bytes; /* of one beat */
	bool reductions;     /* there are some */
	uint8_t reduce_id;   /* ... of their writes */
	bool quiet;          /* print nothing */
};

struct axi_monitor;

/** @retval NULL  out of memory, or a beat larger than TMA_SIM_MAX_BEAT */
struct axi_monitor *axi_monitor_new(const struct axi_monitor_opts *opts);
void axi_monitor_free(struct axi_monitor *m);

/** The engine was reset: its registers hold their reset values and nothing is in flight. */
void axi_monitor_reset(struct axi_monitor *m);

/** A register write was answered OKAY. */
void axi_monitor_register(struct axi_monitor *m, uint32_t address, uint32_t value);

/** Settled pins of one cycle of one port. */
void axi_monitor_step(struct axi_monitor *m, uint32_t port, uint64_t cycle, const struct tma_axi_out *out,
                      const struct tma_axi_in *in);

/** Until the reset, broadcasts need not be complete on these ports, nor what these show on others: they
 * are dead, or may be. */
void axi_monitor_ignore(struct axi_monitor *m, uint32_t ports);

/** Nothing is in flight: every broadcast has to be complete. */
void axi_monitor_settle(struct axi_monitor *m);

/** Rules broken so far. */
int axi_monitor_failed(const struct axi_monitor *m);
/** The message of the last one, "" if there is none. */
const char *axi_monitor_last(const struct axi_monitor *m);

#endif
