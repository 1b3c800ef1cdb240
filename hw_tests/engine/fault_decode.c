/* SPDX-License-Identifier: Apache-2.0 */
/* Faults 0x10 to 0x2F: what a command says by itself. */
#include "engine/fault_cases.h"

REFUSED(version_0, fault_load(), fault_header(&c), c.version = 0)
REFUSED(tensor_copy_0x24, fault_load(), fault_header(&c), c.opcode = 0x24)

/* Where they are built, a reduction is legal, and where they are not, it is unknown. */
static void reduction_not_built(struct fault_program *p)
{
	struct tma_command c = fault_store();

	c.opcode = TMA_BULK_REDUCE;
	fault_refused(p, c, fault_header(&c));
	if (p->shape.reductions)
		p->skip = "reductions are built";
}

/* A pair of operator and type that this engine has not. */
static void refused_pair(struct fault_program *p, struct tma_command c, uint8_t op, uint8_t type)
{
	c.op = op;
	c.type = type;
	fault_refused(p, c, (uint64_t)type << 8 | op);
	if (!p->shape.reductions)
		p->skip = "reductions are not built";
}

static struct tma_command reduction(void)
{
	struct tma_command c = fault_store();

	c.opcode = TMA_BULK_REDUCE;
	return c;
}

static struct tma_command shared_reduction(void)
{
	struct tma_command c = fault_store();

	c.opcode = TMA_BULK_REDUCE_SHARED;
	c.global_address = 0;
	c.shared_dst = fault_load().shared_dst;
	c.barrier = FAULT_BAR;
	return c;
}

BUILD(xor_of_f32, refused_pair(p, reduction(), TMA_REDUCE_XOR, TMA_TYPE_F32))
/* What global memory has. */
BUILD(shared_sum_of_f32, refused_pair(p, shared_reduction(), TMA_REDUCE_ADD, TMA_TYPE_F32))

/* Legal where they are built. */
static void sum_of_f64(struct fault_program *p)
{
	refused_pair(p, reduction(), TMA_REDUCE_ADD, TMA_TYPE_F64);
	if (p->shape.floats == 2)
		p->skip = "reductions of f64 are built";
}

static void sum_of_f16(struct fault_program *p)
{
	refused_pair(p, reduction(), TMA_REDUCE_ADD, TMA_TYPE_F16);
	if (p->shape.floats)
		p->skip = "reductions of floating point are built";
}

REFUSED(highest_bit, fault_load(), fault_header(&c), c.policy = UINT64_C(1) << 63)
REFUSED(multicast_and_local, fault_load(), fault_header(&c),
        c.flags = TMA_FLAG_MULTICAST | TMA_FLAG_CTA_LOCAL, c.cta_mask = 1)
REFUSED(src_size_and_ignore_src, fault_cp_async(), fault_header(&c),
        c.flags = TMA_FLAG_SRC_SIZE | TMA_FLAG_IGNORE_SRC)
REFUSED(half_a_granule, fault_store(), c.size, c.size = 8)
REFUSED(two_to_the_20_bytes, fault_load(), c.size, c.size = 1u << 20)
REFUSED(init_with_0, fault_on_barrier(TMA_MBARRIER_INIT), 0, c.count = 0)
REFUSED(expect_2_to_the_20, fault_on_barrier(TMA_MBARRIER_EXPECT_TX), c.tx, c.tx = 1u << 20)
REFUSED(parity_2, fault_on_barrier(TMA_MBARRIER_TEST_WAIT), c.count, c.flags = TMA_FLAG_PARITY, c.count = 2)
REFUSED(cp_size_12, fault_cp_async(), c.size, c.size = 12)
REFUSED(cg_of_8, fault_cp_async(), c.size, c.flags = TMA_FLAG_CG)
REFUSED(src_size_9_of_8, fault_cp_async(), c.count, c.flags = TMA_FLAG_SRC_SIZE, c.count = 9)
REFUSED(prefetch_size_4, fault_cp_async(), c.mode, c.mode = 4)
REFUSED(global_by_8, fault_load(), c.global_address, c.global_address += 8)
REFUSED(cp_global_by_4, fault_cp_async(), c.global_address, c.global_address += 4)
REFUSED(source_by_8, fault_store(), c.shared_src, c.shared_src += 8)
REFUSED(destination_by_8, fault_load(), c.shared_dst, c.shared_dst += 8)
REFUSED(cp_destination_by_4, fault_cp_async(), c.shared_dst, c.shared_dst += 4)
REFUSED(barrier_by_4, fault_on_barrier(TMA_MBARRIER_ARRIVE), c.barrier, c.barrier += 4)
REFUSED(tensor_source_by_64, fault_tile(p, TMA_TENSOR_STORE), c.shared_dst, c.shared_dst += 64)
REFUSED(tensor_destination_by_64, fault_tile(p, TMA_TENSOR_LOAD), c.shared_dst, c.shared_dst += 64)

static void map_by_32(struct fault_program *p, struct tma_command c)
{
	c.global_address = FAULT_MAP + 32;
	fault_refused(p, c, c.global_address);
}

BUILD(load_map_by_32, map_by_32(p, fault_tile(p, TMA_TENSOR_LOAD)))
BUILD(fence_map_by_32, map_by_32(p, fault_command(TMA_MAP_FENCE)))
BUILD(prefetch_map_by_32, map_by_32(p, fault_command(TMA_PREFETCH_TENSORMAP)))
REFUSED(load_scatter4, fault_tile(p, TMA_TENSOR_LOAD), c.mode, c.mode = TMA_MODE_SCATTER4)
REFUSED(store_im2col, fault_im2col(p, TMA_TENSOR_STORE), c.mode, c.mode = TMA_MODE_IM2COL)
REFUSED(mode_7, fault_tile(p, TMA_TENSOR_PREFETCH), c.mode, c.mode = 7)
REFUSED(tile_of_6, fault_tile(p, TMA_TENSOR_LOAD), c.dim, c.dim = 6)
REFUSED(im2col_of_2, fault_im2col(p, TMA_TENSOR_LOAD), c.dim, c.dim = 2)
REFUSED(third_coordinate_of_2, fault_tile(p, TMA_TENSOR_STORE), fault_header(&c), c.coord[2] = 1)
REFUSED(second_offset_of_1, fault_im2col(p, TMA_TENSOR_LOAD), fault_header(&c), c.im2col[1] = 1)

static const struct fault_case cases[] = {
	{ TMA_FAULT_UNKNOWN_VERSION, "version 0", FAULT_BOTH_FRONTS, version_0 },
	{ TMA_FAULT_UNKNOWN_OPCODE, "a tensor opcode that there is none of", FAULT_BOTH_FRONTS,
	  tensor_copy_0x24 },
	{ TMA_FAULT_UNKNOWN_OPCODE, "a reduction, where none are built", FAULT_BOTH_FRONTS,
	  reduction_not_built },
	{ TMA_FAULT_RESERVED_BITS, "highest bit of the command", FAULT_BOTH_FRONTS, highest_bit },
	{ TMA_FAULT_FLAG_CONFLICT, "multicast into the own CTA alone", FAULT_BOTH_FRONTS,
	  multicast_and_local },
	{ TMA_FAULT_FLAG_CONFLICT, "cp.async with src-size and ignore-src", FAULT_BOTH_FRONTS,
	  src_size_and_ignore_src },
	{ TMA_FAULT_REDUCE_OP, "xor of f32", FAULT_BOTH_FRONTS, xor_of_f32 },
	{ TMA_FAULT_REDUCE_OP, "add of f32 in shared memory", FAULT_BOTH_FRONTS, shared_sum_of_f32 },
	{ TMA_FAULT_REDUCE_OP, "add of f64, where it is not built", FAULT_BOTH_FRONTS, sum_of_f64 },
	{ TMA_FAULT_REDUCE_OP, "add of f16, where it is not built", FAULT_BOTH_FRONTS, sum_of_f16 },
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
