/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of cases, but for reductions and tensor copies. Contracts and references: docs/performance.md. Sizes below
 * the contract's and rows without one are reported.
 */
#include "bench.h"
#include "tma_abi.h"

#define ARG(from, to, stall, ext) ((from) | (to) << 8 | (stall) << 16 | (uint32_t)(ext) << 24)

#define LOAD(config, L, bytes, rule, limit, ref)                                           \
	{                                                                                  \
		"bulk load, queued", config, bench_loads, L, bytes, 0, rule, limit, 0, ref \
	}
/* cycles: of the bound for each load, or 0: its data beats and the beats of its command */
#define RING(L, bytes, cycles, rule, limit)                                                                  \
	{                                                                                                    \
		"ring: bulk load, queued", "default", bench_ring_loads, L, bytes, cycles, rule, limit, 0, "" \
	}
#define STORE(L, bytes, rule, limit, ref)                                                       \
	{                                                                                       \
		"bulk store, queued", "default", bench_stores, L, bytes, 0, rule, limit, 0, ref \
	}
#define SHARED(bytes, from, to, rule, limit)                                                               \
	{                                                                                                  \
		"shared to shared", "default", bench_shared, 100, bytes, ARG(from, to, 0, 0), rule, limit, \
			0, ""                                                                              \
	}
#define MULTICAST(config, bytes, ctas)                                                           \
	{                                                                                        \
		"multicast to " #ctas ", beyond one", config, bench_multicast, 100, bytes, ctas, \
			BENCH_AT_MOST, 2, 0, "DXA: n times the beats"                            \
	}

#define SHARES(name, bytes, opcode)                                                                       \
	{                                                                                                 \
		name, "default", bench_equal_shares, 100, bytes, BENCH_SHARES(4, opcode, 0), BENCH_SHARE, \
			0.95, 0, ""                                                                       \
	}

static const struct bench_case cases[] = {
	{ "accept to first ARVALID", "default", bench_first_ar, 100, 64, 0, BENCH_AT_MOST, 4, 2, "iDMA 1" },
	{ "accept to done, beyond L", "default", bench_one_load, 100, 64, 0, BENCH_AT_MOST, 12, 8,
	  "iDMA +2 to the write" },
	{ "accept of arrive to record", "default", bench_arrive, 100, 0, 0, BENCH_REPORT, 0, 0, "" },

	LOAD("default", 10, 16, BENCH_REPORT, 0, ""),
	LOAD("default", 10, 32, BENCH_REPORT, 0, ""),
	LOAD("default", 10, 64, BENCH_SHARE, 0.97, "iDMA N256 1.00"),
	LOAD("default", 10, 128, BENCH_SHARE, 0.97, ""),
	LOAD("default", 10, 256, BENCH_SHARE, 0.97, ""),
	LOAD("default", 10, 512, BENCH_SHARE, 0.97, ""),
	LOAD("default", 10, 1024, BENCH_SHARE, 0.97, "iDMA 1.00"),
	LOAD("default", 10, 4096, BENCH_SHARE, 0.97, ""),
	LOAD("default", 10, 16384, BENCH_SHARE, 0.97, ""),
	LOAD("default", 100, 16, BENCH_REPORT, 0, ""),
	LOAD("default", 100, 32, BENCH_REPORT, 0, ""),
	LOAD("default", 100, 64, BENCH_SHARE, 0.97, "iDMA N256 1.00, N64 0.61"),
	LOAD("default", 100, 128, BENCH_SHARE, 0.97, ""),
	LOAD("default", 100, 256, BENCH_SHARE, 0.97, ""),
	LOAD("default", 100, 512, BENCH_SHARE, 0.97, ""),
	LOAD("default", 100, 1024, BENCH_SHARE, 0.97, "iDMA 1.00"),
	LOAD("default", 100, 4096, BENCH_SHARE, 0.97, ""),
	LOAD("default", 100, 16384, BENCH_SHARE, 0.97, ""),
	LOAD("default", 400, 16, BENCH_REPORT, 0, ""),
	LOAD("default", 400, 32, BENCH_REPORT, 0, ""),
	LOAD("default", 400, 64, BENCH_SHARE, 0.62, "iDMA N256 0.62, N64 0.16"),
	LOAD("default", 400, 128, BENCH_SHARE, 0.97, ""),
	LOAD("default", 400, 256, BENCH_SHARE, 0.97, ""),
	LOAD("default", 400, 512, BENCH_SHARE, 0.97, ""),
	LOAD("default", 400, 1024, BENCH_SHARE, 0.97, ""),
	LOAD("default", 400, 4096, BENCH_SHARE, 0.97, ""),
	LOAD("default", 400, 16384, BENCH_SHARE, 0.97, ""),
	LOAD("default", 400, 32768, BENCH_SHARE, 0.97, "iDMA 1.00 (64 KiB)"),

	{ "ring: doorbell to first ARVALID", "default", bench_first_ar, 100, 64, 1, BENCH_REPORT, 0, 0, "" },
	{ "ring: doorbell to done, beyond L", "default", bench_one_load, 100, 64, 1, BENCH_REPORT, 0, 0, "" },
	{ "ring: arrive to record", "default", bench_arrive, 100, 0, 1, BENCH_REPORT, 0, 0, "" },
	RING(100, 64, 4, BENCH_SHARE, 0.97),
	RING(100, 128, 4, BENCH_SHARE, 0.97),
	RING(100, 256, 5, BENCH_SHARE, 0.97),
	RING(100, 512, 9, BENCH_SHARE, 0.97),
	RING(100, 1024, 0, BENCH_SHARE, 0.97),
	RING(100, 4096, 0, BENCH_SHARE, 0.97),
	RING(100, 16384, 0, BENCH_SHARE, 0.97),
	RING(400, 64, 0, BENCH_REPORT, 0),
	RING(400, 256, 5, BENCH_SHARE, 0.97),
	RING(400, 1024, 0, BENCH_SHARE, 0.97),
	RING(400, 16384, 0, BENCH_SHARE, 0.97),

	{ "ring: 16 slots, a doorbell each", "default", bench_ring_loads, 100, 64, BENCH_SMALL_RING,
	  BENCH_REPORT, 0, 0, "" },
	{ "ring: 16 slots, a doorbell each", "default", bench_ring_loads, 100, 1024, BENCH_SMALL_RING,
	  BENCH_REPORT, 0, 0, "" },

	LOAD("small", 100, 4096, BENCH_REPORT, 0, ""),
	LOAD("small", 10, 16, BENCH_REPORT, 0, ""),
	LOAD("small", 10, 32, BENCH_REPORT, 0, ""),
	LOAD("small", 10, 64, BENCH_REPORT, 0, ""),
	LOAD("max", 100, 65536, BENCH_RATE, 124, "H200 107 B/clock per SM"),

	MULTICAST("default", 64, 4),
	MULTICAST("default", 1024, 2),
	MULTICAST("default", 1024, 4),
	MULTICAST("max", 1024, 16),

	STORE(100, 16, BENCH_REPORT, 0, "iDMA 0.15 of a line"),
	STORE(100, 64, BENCH_SHARE, 0.97, "H200 31.8 B/clock"),
	STORE(100, 256, BENCH_SHARE, 0.97, ""),
	STORE(100, 1024, BENCH_SHARE, 0.97, ""),
	STORE(100, 16384, BENCH_SHARE, 0.97, ""),
	STORE(400, 64, BENCH_SHARE, 0.62, "iDMA N256 0.62"),

	{ "two queues, loads and stores", "default", bench_mix, 100, 1024, 0, BENCH_SHARE, 0.90, 0, "" },
	{ "two queues, loads and stores", "default", bench_mix, 100, 4096, 0, BENCH_SHARE, 0.90, 0, "" },

	{ "loads and stores of one CTA", "default", bench_mix, 100, 1024, BENCH_ONE_CTA, BENCH_REPORT, 0, 0,
	  "" },
	{ "loads and stores of one CTA", "default", bench_mix, 100, 4096, BENCH_ONE_CTA, BENCH_REPORT, 0, 0,
	  "" },
	{ "loads and stores of one CTA", "small", bench_mix, 20, 256, BENCH_ONE_CTA, BENCH_REPORT, 0, 0, "" },

	/* Each one's share, of a fourth. */
	SHARES("loads of 4 queues", 1024, TMA_BULK_LOAD),
	SHARES("stores of 4 queues", 1024, TMA_BULK_STORE),
	SHARES("cp.async of 4 queues", 16, TMA_CP_ASYNC),
	SHARES("shared to shared of 4 queues", 1024, TMA_BULK_SHARED),

	{ "ring loads, direct stores", "default", bench_mix, 100, 4096, 1, BENCH_SHARE, 0.90, 0, "" },
	{ "direct loads, ring stores", "default", bench_mix, 100, 4096, 2, BENCH_SHARE, 0.90, 0, "" },
	{ "ring loads, ring stores", "default", bench_mix, 100, 4096, 3, BENCH_SHARE, 0.90, 0, "" },

	{ "cp.async, queued", "default", bench_cp_async, 100, 16, 0, BENCH_REPORT, 0, 0, "" },
	{ "ring: cp.async, queued", "default", bench_cp_async, 100, 16, 1, BENCH_REPORT, 0, 0, "" },
	{ "multimem store to 2 ports, queued", "default", bench_multimem, 100, 1024, 0, BENCH_REPORT, 0, 0,
	  "" },
	{ "multimem store to 4 ports, queued", "max", bench_multimem, 100, 4096, 0, BENCH_REPORT, 0, 0, "" },
	{ "stores beside a broadcast that stands", "default", bench_beside_broadcast, 100, 1024, 0,
	  BENCH_SHARE, 0.90, 0, "" },

	SHARED(64, 0, 0, BENCH_RATE, 60),
	SHARED(256, 0, 0, BENCH_RATE, 60),
	SHARED(1024, 0, 0, BENCH_RATE, 60),
	SHARED(8192, 0, 0, BENCH_RATE, 60),
	SHARED(1024, 16, 32, BENCH_RATE, 60),

	{ "load, 10 % stalls", "default", bench_loads, 100, 1024, ARG(0, 0, 10, 0), BENCH_REPORT, 0, 0, "" },
	{ "load, 10 % stalls", "default", bench_loads, 100, 64, ARG(0, 0, 10, 0), BENCH_REPORT, 0, 0, "" },
	{ "store, 10 % stalls", "default", bench_stores, 100, 1024, ARG(0, 0, 10, 0), BENCH_REPORT, 0, 0,
	  "" },
	{ "load, latency spread by 100", "default", bench_spread_loads, 100, 1024, 100, BENCH_REPORT, 0, 0,
	  "" },
	{ "load, latency spread by 100", "default", bench_spread_loads, 100, 64, 100, BENCH_REPORT, 0, 0,
	  "" },
	{ "load, latency spread by 400", "default", bench_spread_loads, 100, 1024, 400, BENCH_REPORT, 0, 0,
	  "" },
	{ "load, latency spread by 20", "small", bench_spread_loads, 10, 64, 20, BENCH_REPORT, 0, 0, "" },
	{ "load, source +16", "default", bench_loads, 100, 1024, ARG(16, 0, 0, 0), BENCH_REPORT, 0, 0, "" },
	{ "load, destination +16", "default", bench_loads, 100, 256, ARG(0, 16, 0, 0), BENCH_REPORT, 0, 0,
	  "" },
	{ "load, source +16", "default", bench_loads, 100, 16384, ARG(16, 0, 0, 0), BENCH_REPORT, 0, 0,
	  "iDMA 0.984 (64 KiB)" },
	{ "store, destination +16", "default", bench_stores, 100, 16384, ARG(16, 0, 0, 0), BENCH_REPORT, 0, 0,
	  "" },
	{ "load, external port 1 of 4", "default", bench_loads, 100, 1024, ARG(0, 0, 0, 4), BENCH_REPORT, 0,
	  0, "" },
	{ "prefetch, queued", "default", bench_prefetch, 100, 1024, 0, BENCH_REPORT, 0, 0, "" },
};

#define NUM_CASES (sizeof(cases) / sizeof(*cases))

const struct bench_case *bench_case_at(uint32_t i)
{
	if (i < NUM_CASES)
		return &cases[i];
	i -= NUM_CASES;
	if (i < bench_num_reduce_cases)
		return &bench_reduce_cases[i];
	i -= bench_num_reduce_cases;
	return i < bench_num_tensor_cases ? &bench_tensor_cases[i] : NULL;
}
