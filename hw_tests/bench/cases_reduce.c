/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of cases of reductions, which an engine that has none leaves out. Contracts and references:
 * docs/performance.md; the H200's are of one SM, its data in L2.
 */
#include "tile.h"

enum { ROWS_IN_PAIRS, ROWS_IN_TURN, DENSE };

#define HALF STAGE_HALF

/* 16 rows of 16 bytes, 32 bytes apart, of so many columns. */
#define APART(columns)                                                                      \
	.type = TMA_MAP_DATA_UINT32, .rank = 2, .dim = { 8, HALF / 32 }, .strides = { 32 }, \
	.box = { 4, 16 }, .step = { 4, 16 }, .count = { columns, HALF / 32 / 16 }

const struct bench_tile bench_reduce_tiles[] = {
	[ROWS_IN_PAIRS] = { APART(1) },
	/* The other half of its lines comes next, between the rows of the first one. */
	[ROWS_IN_TURN] = { APART(2) },
	[DENSE] = { .type = TMA_MAP_DATA_UINT32,
	            .rank = 2,
	            .dim = { 16, (HALF - 65536) / 64 },
	            .strides = { 64 },
	            .box = { 16, 64 },
	            .step = { 16, 64 },
	            .count = { 1, (HALF - 65536) / 64 / 64 } },
};

#define CASE(name, run, bytes, argument, rule, limit, ref)                      \
	{                                                                       \
		name, "default", run, 100, bytes, argument, rule, limit, 0, ref \
	}
#define OF(name, bytes, op, type, rule, limit, ref) \
	CASE("reduction, queued: " name, bench_reductions, bytes, BENCH_OF(op, type), rule, limit, ref)
#define TYPES(bytes) CASE("reduction, each type", bench_reduction_types, bytes, 0, BENCH_REPORT, 0, "")
#define SHARED(bytes, rule, limit)                                                                          \
	CASE("shared to shared reduction", bench_shared_reductions, bytes, BENCH_OF(ADD, U32), rule, limit, \
	     "")

const struct bench_case bench_reduce_cases[] = {
	OF("add.u32", 4096, ADD, U32, BENCH_RATE, 60, "H200 25.5 B/clock"),
	OF("add.s32", 4096, ADD, S32, BENCH_RATE, 60, "H200 25.5 B/clock"),
	OF("add.u64", 4096, ADD, U64, BENCH_RATE, 60, "H200 25.5 B/clock"),
	OF("min.s64", 4096, MIN, S64, BENCH_RATE, 60, "H200 25.5 B/clock"),
	OF("add.f16", 4096, ADD, F16, BENCH_RATE, 60, "H200 25.5 B/clock"),
	OF("add.bf16", 4096, ADD, BF16, BENCH_RATE, 60, "H200 25.5 B/clock"),
	OF("add.f32", 4096, ADD, F32, BENCH_RATE, 60, "H200 25.5 B/clock"),
	OF("add.f64", 4096, ADD, F64, BENCH_RATE, 60, "H200 25.5 B/clock"),
	OF("and.b32", 4096, AND, B32, BENCH_RATE, 60, "H200 25.5 B/clock"),
	OF("xor.b64", 4096, XOR, B64, BENCH_RATE, 60, "H200 25.5 B/clock"),
	OF("add.u32", 256, ADD, U32, BENCH_EACH, 5, "H200 one per 10.4 clocks"),

	TYPES(16),
	TYPES(64),
	TYPES(256),
	TYPES(1024),
	TYPES(16384),
	TYPES(65536),

	CASE("tile reduction, rows of 16 B, 32 B apart", bench_tile_reductions, 256, ROWS_IN_PAIRS | 1 << 16,
	     BENCH_SHARE, 1.0, ""),
	CASE("tile reduction, the same, both halves", bench_tile_reductions, 256, ROWS_IN_TURN | 1 << 16,
	     BENCH_REPORT, 0, ""),
	CASE("tile reduction, dense, 64 B wide", bench_tile_reductions, 4096, DENSE, BENCH_RATE, 60, ""),
	CASE("reduction of one line, 8 queues", bench_one_line, 16, BENCH_OF(ADD, U32), BENCH_EACH, 16, ""),
	SHARED(1024, BENCH_RATE, 60),
	SHARED(8192, BENCH_RATE, 60),
	CASE("multimem reduction to 2 ports, of one", bench_multimem_reductions, 1024, 0, BENCH_NO_MORE, 2.1,
	     ""),
	CASE("reductions of 4 queues", bench_equal_shares, 1024,
	     BENCH_SHARES(4, TMA_BULK_REDUCE, BENCH_OF(ADD, U32)), BENCH_SHARE, 0.95, ""),
	CASE("loads beside reductions", bench_loads_beside_reductions, 1024, 0, BENCH_SHARE, 0.45, ""),
	CASE("64 B load beside reductions", bench_load_beside_reductions, 64, 0, BENCH_AT_MOST, 300, ""),
};

const uint32_t bench_num_reduce_cases = sizeof(bench_reduce_cases) / sizeof(*bench_reduce_cases);
