/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events - what happened at the ports, cycle by cycle: handshakes, resets, and where a port broke a
 * rule of its protocol. Within a cycle what the engine is given comes before what it gives, so
 * that a cause is never behind its effect.
 */
#ifndef WAVECHECK_EVENTS_H
#define WAVECHECK_EVENTS_H

#include <stddef.h>

#include "wavecheck/dump.h"

enum event_kind {
	EV_RESET,     /* a cycle of reset, the first of several */
	EV_CSR_WRITE, /* seen with its response: addr, csr */
	EV_COMMAND,   /* unit: queue; data: 64 bytes */
	EV_EXT_WRITE, /* unit: CTA; addr, strobes; data: 16 bytes */
	EV_DEAD,      /* unit: port; its watchdog has run out */
	EV_R,         /* unit: port; id, resp, last; data: a beat */
	EV_B,         /* unit: port; id, resp */
	EV_STEP,      /* the engine may now have reacted: end of what it was given */
	EV_EXT_READ,  /* unit: CTA; addr */
	EV_EXT_DATA,  /* unit: CTA; data: 16 bytes */
	EV_AR,        /* unit: port; addr, id, burst */
	EV_AW,        /* unit: port; addr, id, burst */
	EV_W,         /* unit: port; last; data: a beat, then its strobes, a bit per byte */
	EV_RECORD,    /* data: 32 bytes */
	EV_CSR_READ,  /* addr, csr.value, csr.asked; OKAY ones alone */
	EV_IRQ,       /* resp: irq_o; when it changes, and before that 0 */
	EV_IDLE,      /* resp: idle_o; when it changes, and in the last sample */
	EV_BROKEN,    /* port, unit: a protocol rule was broken; text */
};

struct burst_info {
	uint8_t len, size, burst, cache, prot, qos;
	uint16_t user;
};

struct event {
	uint64_t time;
	uint32_t cycle;
	uint8_t kind, unit, id, resp;
	uint16_t strobes;
	bool last;
	uint64_t addr;
	union {
		struct burst_info burst;
		struct {
			uint32_t value;
			uint32_t asked; /* cycle of a read's address */
			uint8_t strobes;
		} csr;
		struct {
			enum port port;
			const char *text;
		} broken;
	};
	size_t data; /* offset in the log's bytes */
};

struct event_log {
	struct event *events;
	size_t count, capacity;
	uint8_t *bytes;
	size_t used, bytes_capacity;
	uint32_t cycles;
	bool no_memory;
};

struct sampler;

/** Sampler that appends to @p log. NULL: no memory. */
struct sampler *sampler_new(const struct dump *d, struct event_log *log);
void sampler_free(struct sampler *s);
/** Callback of dump_run(). */
void sampler_sample(void *sampler, uint64_t time);
/** After the last sample. */
void sampler_end(struct sampler *s);

void event_log_free(struct event_log *log);

#endif
