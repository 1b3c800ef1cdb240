/* SPDX-License-Identifier: Apache-2.0 */
/* Faults 0x10 to 0x2F: what a command says by itself. */
#include "engine/fault_cases.h"

static void refuse_header(struct fault_program *p, struct tma_command c)
{
	fault_refused(p, c, fault_header(&c));
}

static void version_0(struct fault_program *p)
{
	struct tma_command c = fault_load();

	c.version = 0;
	refuse_header(p, c);
}

static void tensor_reduce(struct fault_program *p)
{
	struct tma_command c = fault_load();

	c.opcode = 0x22;
	refuse_header(p, c);
}

static void highest_bit(struct fault_program *p)
{
	struct tma_command c = fault_load();

	c.policy = UINT64_C(1) << 63;
	refuse_header(p, c);
}

static void multicast_and_local(struct fault_program *p)
{
	struct tma_command c = fault_load();

	c.flags = TMA_FLAG_MULTICAST | TMA_FLAG_CTA_LOCAL;
	c.cta_mask = 1;
	refuse_header(p, c);
}

static void src_size_and_ignore_src(struct fault_program *p)
{
	struct tma_command c = fault_cp_async();

	c.flags = TMA_FLAG_SRC_SIZE | TMA_FLAG_IGNORE_SRC;
	refuse_header(p, c);
}

static void half_a_granule(struct fault_program *p)
{
	struct tma_command c = fault_store();

	c.size = 8;
	fault_refused(p, c, c.size);
}

static void two_to_the_20_bytes(struct fault_program *p)
{
	struct tma_command c = fault_load();

	c.size = 1u << 20;
	fault_refused(p, c, c.size);
}

static void init_with_0(struct fault_program *p)
{
	struct tma_command c = fault_on_barrier(TMA_MBARRIER_INIT);

	c.count = 0;
	fault_refused(p, c, 0);
}

static void expect_2_to_the_20(struct fault_program *p)
{
	struct tma_command c = fault_on_barrier(TMA_MBARRIER_EXPECT_TX);

	c.tx = 1u << 20;
	fault_refused(p, c, c.tx);
}

static void parity_2(struct fault_program *p)
{
	struct tma_command c = fault_on_barrier(TMA_MBARRIER_TEST_WAIT);

	c.flags = TMA_FLAG_PARITY;
	c.count = 2;
	fault_refused(p, c, c.count);
}

static void cp_size_12(struct fault_program *p)
{
	struct tma_command c = fault_cp_async();

	c.size = 12;
	fault_refused(p, c, c.size);
}

static void cg_of_8(struct fault_program *p)
{
	struct tma_command c = fault_cp_async();

	c.flags = TMA_FLAG_CG;
	fault_refused(p, c, c.size);
}

static void src_size_9_of_8(struct fault_program *p)
{
	struct tma_command c = fault_cp_async();

	c.flags = TMA_FLAG_SRC_SIZE;
	c.count = 9;
	fault_refused(p, c, c.count);
}

static void prefetch_size_4(struct fault_program *p)
{
	struct tma_command c = fault_cp_async();

	c.mode = 4;
	fault_refused(p, c, c.mode);
}

static void global_by_8(struct fault_program *p)
{
	struct tma_command c = fault_load();

	c.global_address += 8;
	fault_refused(p, c, c.global_address);
}

static void cp_global_by_4(struct fault_program *p)
{
	struct tma_command c = fault_cp_async();

	c.global_address += 4;
	fault_refused(p, c, c.global_address);
}

static void source_by_8(struct fault_program *p)
{
	struct tma_command c = fault_store();

	c.shared_src += 8;
	fault_refused(p, c, c.shared_src);
}

static void destination_by_8(struct fault_program *p)
{
	struct tma_command c = fault_load();

	c.shared_dst += 8;
	fault_refused(p, c, c.shared_dst);
}

static void cp_destination_by_4(struct fault_program *p)
{
	struct tma_command c = fault_cp_async();

	c.shared_dst += 4;
	fault_refused(p, c, c.shared_dst);
}

static void barrier_by_4(struct fault_program *p)
{
	struct tma_command c = fault_on_barrier(TMA_MBARRIER_ARRIVE);

	c.barrier += 4;
	fault_refused(p, c, c.barrier);
}

static void tensor_source_by_64(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_STORE);

	c.shared_dst += 64;
	fault_refused(p, c, c.shared_dst);
}

static void tensor_destination_by_64(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_LOAD);

	c.shared_dst += 64;
	fault_refused(p, c, c.shared_dst);
}

static void map_by_32(struct fault_program *p, struct tma_command c)
{
	c.global_address = FAULT_MAP + 32;
	fault_refused(p, c, c.global_address);
}

static void load_map_by_32(struct fault_program *p)
{
	map_by_32(p, fault_tile(p, TMA_TENSOR_LOAD));
}

static void fence_map_by_32(struct fault_program *p)
{
	map_by_32(p, fault_command(TMA_MAP_FENCE));
}

static void prefetch_map_by_32(struct fault_program *p)
{
	map_by_32(p, fault_command(TMA_PREFETCH_TENSORMAP));
}

static void load_scatter4(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_LOAD);

	c.mode = TMA_MODE_SCATTER4;
	fault_refused(p, c, c.mode);
}

static void store_im2col(struct fault_program *p)
{
	struct tma_command c = fault_im2col(p, TMA_TENSOR_STORE);

	c.mode = TMA_MODE_IM2COL;
	fault_refused(p, c, c.mode);
}

static void mode_7(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_PREFETCH);

	c.mode = 7;
	fault_refused(p, c, c.mode);
}

static void tile_of_6(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_LOAD);

	c.dim = 6;
	fault_refused(p, c, c.dim);
}

static void im2col_of_2(struct fault_program *p)
{
	struct tma_command c = fault_im2col(p, TMA_TENSOR_LOAD);

	c.dim = 2;
	fault_refused(p, c, c.dim);
}

static void third_coordinate_of_2(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_STORE);

	c.coord[2] = 1;
	refuse_header(p, c);
}

static void second_offset_of_1(struct fault_program *p)
{
	struct tma_command c = fault_im2col(p, TMA_TENSOR_LOAD);

	c.im2col[1] = 1;
	refuse_header(p, c);
}

static const struct fault_case cases[] = {
	{ TMA_FAULT_UNKNOWN_VERSION, "version 0", FAULT_BOTH_FRONTS, version_0 },
	{ TMA_FAULT_UNKNOWN_OPCODE, "a tensor opcode that is not built", FAULT_BOTH_FRONTS, tensor_reduce },
	{ TMA_FAULT_RESERVED_BITS, "highest bit of the command", FAULT_BOTH_FRONTS, highest_bit },
	{ TMA_FAULT_FLAG_CONFLICT, "multicast into the own CTA alone", FAULT_BOTH_FRONTS,
	  multicast_and_local },
	{ TMA_FAULT_FLAG_CONFLICT, "cp.async with src-size and ignore-src", FAULT_BOTH_FRONTS,
	  src_size_and_ignore_src },
	{ TMA_FAULT_SIZE_GRANULE, "store of half a granule", FAULT_BOTH_FRONTS, half_a_granule },
	{ TMA_FAULT_SIZE_RANGE, "load of 2^20 bytes", FAULT_BOTH_FRONTS, two_to_the_20_bytes },
	{ TMA_FAULT_COUNT_RANGE, "init with 0", FAULT_BOTH_FRONTS, init_with_0 },
	{ TMA_FAULT_TX_RANGE, "expect_tx of 2^20", FAULT_BOTH_FRONTS, expect_2_to_the_20 },
	{ TMA_FAULT_PARITY_RANGE, "parity 2", FAULT_BOTH_FRONTS, parity_2 },
	{ TMA_FAULT_CP_SIZE, "cp-size 12", FAULT_BOTH_FRONTS, cp_size_12 },
	{ TMA_FAULT_CP_SIZE, "cp-size 8 with cg", FAULT_BOTH_FRONTS, cg_of_8 },
	{ TMA_FAULT_SRC_SIZE_RANGE, "src-size 9 of 8", FAULT_BOTH_FRONTS, src_size_9_of_8 },
	{ TMA_FAULT_PREFETCH_SIZE_RANGE, "prefetch size 4", FAULT_BOTH_FRONTS, prefetch_size_4 },
	{ TMA_FAULT_GLOBAL_MISALIGNED, "load, by 8", FAULT_BOTH_FRONTS, global_by_8 },
	{ TMA_FAULT_GLOBAL_MISALIGNED, "cp.async of 8, by 4", FAULT_BOTH_FRONTS, cp_global_by_4 },
	{ TMA_FAULT_SRC_MISALIGNED, "store, by 8", FAULT_BOTH_FRONTS, source_by_8 },
	{ TMA_FAULT_SRC_MISALIGNED, "tensor store, by 64", FAULT_BOTH_FRONTS, tensor_source_by_64 },
	{ TMA_FAULT_DST_MISALIGNED, "load, by 8", FAULT_BOTH_FRONTS, destination_by_8 },
	{ TMA_FAULT_DST_MISALIGNED, "cp.async of 8, by 4", FAULT_BOTH_FRONTS, cp_destination_by_4 },
	{ TMA_FAULT_DST_MISALIGNED, "tensor load, by 64", FAULT_BOTH_FRONTS, tensor_destination_by_64 },
	{ TMA_FAULT_BARRIER_MISALIGNED, "arrive, by 4", FAULT_BOTH_FRONTS, barrier_by_4 },
	{ TMA_FAULT_MAP_MISALIGNED, "tensor load, by 32", FAULT_BOTH_FRONTS, load_map_by_32 },
	{ TMA_FAULT_MAP_MISALIGNED, "map fence, by 32", FAULT_BOTH_FRONTS, fence_map_by_32 },
	{ TMA_FAULT_MAP_MISALIGNED, "prefetch.tensormap, by 32", FAULT_BOTH_FRONTS, prefetch_map_by_32 },
	{ TMA_FAULT_TENSOR_MODE, "tensor load with scatter4", FAULT_BOTH_FRONTS, load_scatter4 },
	{ TMA_FAULT_TENSOR_MODE, "tensor store with im2col", FAULT_BOTH_FRONTS, store_im2col },
	{ TMA_FAULT_TENSOR_MODE, "tensor prefetch, mode 7", FAULT_BOTH_FRONTS, mode_7 },
	{ TMA_FAULT_TENSOR_DIM, "a tile of 6 dimensions", FAULT_BOTH_FRONTS, tile_of_6 },
	{ TMA_FAULT_TENSOR_DIM, "im2col of 2 dimensions", FAULT_BOTH_FRONTS, im2col_of_2 },
	{ TMA_FAULT_TENSOR_UNUSED, "third coordinate of 2", FAULT_BOTH_FRONTS, third_coordinate_of_2 },
	{ TMA_FAULT_TENSOR_UNUSED, "second im2col offset of 1", FAULT_BOTH_FRONTS, second_offset_of_1 },
};

const struct fault_list fault_decode_cases = FAULT_LIST(cases);
