/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark: what is measured, how it is judged, how it is shown. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What the contract says of a row. */
enum bench_rule {
	BENCH_REPORT,  /* nothing: reported only */
	BENCH_AT_MOST, /* cycles <= limit */
	BENCH_EACH,    /* cycles of one operation behind another <= limit */
	BENCH_SHARE,   /* share_of_bound >= limit */
	BENCH_NO_MORE, /* share_of_bound <= limit */
	BENCH_RATE,    /* bytes_per_cycle >= limit */
};

/* One measured row. */
struct bench_row {
	char name[48];
	const char *config;
	uint32_t latency; /* of the memory, cycles */
	uint32_t bytes;   /* of one operation */
	uint32_t count;   /* operations measured */
	uint64_t cycles;  /* from the first to the last done; latency rows: of the one operation */
	double bytes_per_cycle;
	double share; /* of the bound max(beats, lines, rows); 0: not a rate */
	enum bench_rule rule;
	double limit, stretch; /* stretch 0: none */
	const char *reference; /* what peers measure */
	bool failed;           /* wrong bytes, protocol errors, time-outs: falls short whatever the number */
};

/* What one case may add rows to. */
struct bench_rows {
	struct bench_row *row;
	uint32_t count, room;
};

/* One case of the list: a function that measures on one configuration and adds rows. */
struct bench_case {
	const char *name;
	const char *config;
	void (*run)(const struct bench_case *c, struct bench_rows *rows);
	uint32_t latency, bytes, argument;
	enum bench_rule rule;
	double limit, stretch;
	const char *reference;
};

/** Case @p i of the list, those of reductions and then of tensor copies last; NULL: there are no more. */
const struct bench_case *bench_case_at(uint32_t i);

extern const struct bench_case bench_reduce_cases[];
extern const uint32_t bench_num_reduce_cases;
extern const struct bench_case bench_tensor_cases[];
extern const uint32_t bench_num_tensor_cases;

/** A new row, filled from the case; the caller adds the measurement. Exits when memory is short. */
struct bench_row *bench_add(struct bench_rows *rows, const struct bench_case *c);

/** Whether the row meets its contract; true for rows without one unless `failed`. */
bool bench_meets(const struct bench_row *row);
/** Cycles from the done of one operation to that of the next; 0 for rows of one operation. */
double bench_each(const struct bench_row *row);
/** "meets", "stretch", "SHORT", "FAILED" or "-". */
const char *bench_verdict(const struct bench_row *row);
/** The contract in words, e.g. ">= 0.97 of bound"; "-" for none. */
const char *bench_contract(const struct bench_row *row, char *buf, size_t size);

/** Is a configuration one of these? They end with NULL. */
bool bench_is_built(const char *config, const char *const *built);

void bench_print_header(FILE *out);
void bench_print_row(FILE *out, const struct bench_row *row);
/** 0, or -1 with errno: the file cannot be written. */
int bench_write_csv(const char *path, const struct bench_rows *rows);
/** Bus share of the queued loads against their size, beside iDMA's. 0, or -1 with errno. */
int bench_write_svg(const char *path, const struct bench_rows *rows);

/* Arguments of bench_ring_loads() and bench_mix(). */
#define BENCH_SMALL_RING 0xFFFFu
#define BENCH_ONE_CTA    4u

/* Argument of bench_reductions() and the like: operator and type. */
#define BENCH_OF(op, type) (TMA_REDUCE_##op | TMA_TYPE_##type << 4)
#define BENCH_TYPE         0xFFFFu
/* Argument of bench_equal_shares(): queues, what they do, and which tile or BENCH_OF(). */
#define BENCH_SHARES(queues, opcode, detail) ((queues) | (opcode) << 8 | (uint32_t)(detail) << 16)

/* Measurements, one per kind of case. */
void bench_first_ar(const struct bench_case *c, struct bench_rows *rows);
void bench_one_load(const struct bench_case *c, struct bench_rows *rows);
void bench_arrive(const struct bench_case *c, struct bench_rows *rows);
void bench_loads(const struct bench_case *c, struct bench_rows *rows);
void bench_spread_loads(const struct bench_case *c, struct bench_rows *rows);
void bench_ring_loads(const struct bench_case *c, struct bench_rows *rows);
void bench_multicast(const struct bench_case *c, struct bench_rows *rows);
void bench_stores(const struct bench_case *c, struct bench_rows *rows);
void bench_mix(const struct bench_case *c, struct bench_rows *rows);
void bench_equal_shares(const struct bench_case *c, struct bench_rows *rows);
void bench_shared(const struct bench_case *c, struct bench_rows *rows);
void bench_prefetch(const struct bench_case *c, struct bench_rows *rows);
void bench_cp_async(const struct bench_case *c, struct bench_rows *rows);
void bench_multimem(const struct bench_case *c, struct bench_rows *rows);
void bench_beside_broadcast(const struct bench_case *c, struct bench_rows *rows);
void bench_tile_launch(const struct bench_case *c, struct bench_rows *rows);
void bench_tile_beyond_bulk(const struct bench_case *c, struct bench_rows *rows);
void bench_tile_loads(const struct bench_case *c, struct bench_rows *rows);
void bench_tile_stores(const struct bench_case *c, struct bench_rows *rows);
void bench_tile_multicast(const struct bench_case *c, struct bench_rows *rows);
void bench_beside_fill(const struct bench_case *c, struct bench_rows *rows);
void bench_tile_prefetch(const struct bench_case *c, struct bench_rows *rows);

/* Of reductions: no row where the engine has none. */
void bench_reductions(const struct bench_case *c, struct bench_rows *rows);
void bench_reduction_types(const struct bench_case *c, struct bench_rows *rows);
void bench_one_line(const struct bench_case *c, struct bench_rows *rows);
void bench_shared_reductions(const struct bench_case *c, struct bench_rows *rows);
void bench_multimem_reductions(const struct bench_case *c, struct bench_rows *rows);
void bench_loads_beside_reductions(const struct bench_case *c, struct bench_rows *rows);
void bench_load_beside_reductions(const struct bench_case *c, struct bench_rows *rows);
void bench_tile_reductions(const struct bench_case *c, struct bench_rows *rows);

#endif
