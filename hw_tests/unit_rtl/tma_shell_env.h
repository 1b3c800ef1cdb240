/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The surroundings of tma_shell: a host that reads and writes at the same time, an engine that answers when it likes,
 * shared memories, and what the registers of rtl/spec/shell.rdl mean.
 */
#ifndef TMA_SHELL_ENV_H
#define TMA_SHELL_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "unit_rtl/unit_test.h"
#include "tma_shell.h"
#include "tma_shell_pins.h"

enum { WRITE, READ, DIRECTIONS };

/* A transfer of the host, and what is due. */
struct transfer {
	bool active;
	uint32_t address, data, strobes;
	uint32_t value;      /* of a read */
	bool refused;        /* to be counted */
	bool counts;         /* a read of REFUSALS: at least `value` */
	bool shared;         /* a write of shared memory, at: */
	uint32_t cta, place; /* offset */
};

struct answer {
	bool active;
	uint32_t delay, resp, data;
};

struct bench {
	struct shell *unit;
	struct shell_in *in;
	const struct shell_out *out;
	struct rng rng;
	uint64_t cycle;
	uint32_t lazy_percent;                                /* cycles in which nobody does anything */
	struct transfer host[DIRECTIONS], flight[DIRECTIONS]; /* offered, taken */
	struct answer engine[DIRECTIONS];
	uint8_t *memory[16], *shadow[16]; /* of the CTAs; as they have to be */
	/* The registers. */
	uint32_t gie, ier, isr, done, refusals, address, strobe;
	uint32_t transfers[DIRECTIONS], got; /* ended; data of the last read */
	uint64_t shared;                     /* accesses of shared memory */
};

void bench_open(struct bench *b, uint64_t seed);
void bench_close(struct bench *b);

/* A cycle. */
void step(struct bench *b);
/* Until all that was offered is answered. */
void settle(struct bench *b);

void put(struct bench *b, uint32_t address, uint32_t data);
void put_strobed(struct bench *b, uint32_t address, uint32_t data, uint32_t strobes);
uint32_t get(struct bench *b, uint32_t address);

/* Of the engine. */
bool engine_refuses(uint32_t address);
uint32_t engine_data(uint32_t address);

#define BENCH_TEST(name, ...) TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), bench_close(b))

#endif
