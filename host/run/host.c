/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions that are no command of the engine: what a thread of a GPU does by itself.
 *
 * The host does them when all that stands in front of them in their thread has left the queue, as a thread would
 * come to them. Fences wait until the thread's copies are done as well.
 */
#include <inttypes.h>
#include <string.h>

#include "run.h"
#include "tool.h"

/* Policies that CUTLASS uses, by eviction priority. */
static const uint64_t policies[] = {
	[TMA_PTX_EVICT_LAST] = UINT64_C(0x14F0000000000000),
	[TMA_PTX_EVICT_NORMAL] = UINT64_C(0x1000000000000000),
	[TMA_PTX_EVICT_FIRST] = UINT64_C(0x12F0000000000000),
	[TMA_PTX_EVICT_UNCHANGED] = UINT64_C(0x1000000000000000),
};

static int refuse(const struct run *run, const struct run_step *step, const char *why)
{
	run_wrong(run->program, step->place, step->length, "%s", why);
	return TOOL_FAIL;
}

static void leave(struct run *run, const struct run_step *step, uint64_t value)
{
	struct run_symbol *result = run_result(run, step->instruction);

	if (result)
		run_define(result, run->thread, value);
}

static int create_policy(struct run *run, const struct run_step *step)
{
	const uint8_t priority = step->instruction->modifier[TMA_PTX_CLASS_PRIORITY];
	uint64_t value;

	if (step->instruction->opcode != TMA_PTX_OP_CREATEPOLICY_CVT) {
		leave(run, step, policies[priority]);
		return 0;
	}
	if (run_operand(run, step, TMA_PTX_ROLE_VALUE, &value))
		return TOOL_FAIL;
	leave(run, step, value);
	return 0;
}

static int map_address(struct run *run, const struct run_step *step)
{
	uint64_t address, cta;

	if (run_operand(run, step, TMA_PTX_ROLE_ADDRESS, &address) ||
	    run_operand(run, step, TMA_PTX_ROLE_CTA, &cta))
		return TOOL_FAIL;
	if (address >> 32)
		return refuse(run, step,
		              "only shared addresses are of a CTA, and this one is of global memory");
	if (step->instruction->opcode == TMA_PTX_OP_GETCTARANK)
		leave(run, step, address >> 24);
	else if (cta >= run->info.ctas)
		return refuse(run, step, "the cluster has no CTA of that rank");
	else
		leave(run, step, tma_shared((uint32_t)cta, (uint32_t)address & 0xFFFFFF));
	return 0;
}

/* A map by its address: in a variable of global memory, or in shared memory. */
static int move_map(struct run *run, const struct run_step *step, uint64_t address, struct tma_map *map,
                    bool out)
{
	int error;

	if (address >> 32) {
		if (out ? run_map_at(run, address, map) : run_put_map(run, address, map))
			return refuse(run, step,
			              "no variable in global memory holds 128 bytes from this address on");
		return 0;
	}
	error = out ? tma_smem_read(run->device, (uint32_t)address, map, sizeof(*map))
	            : tma_smem_write(run->device, (uint32_t)address, map, sizeof(*map));
	return error ? run_failed(run, step->place, "the tensor map") : 0;
}

/* One field of a map. @return as the functions of tma_map.h */
static int replace_field(uint8_t field, struct tma_map *map, uint32_t ordinal, uint64_t value,
                         struct tma_map_error *error)
{
	const uint32_t word = (uint32_t)value;

	switch (field) {
	case TMA_PTX_GLOBAL_ADDRESS:
		return tma_map_replace_global_address(map, value, error);
	case TMA_PTX_RANK:
		return tma_map_replace_rank(map, word, error);
	case TMA_PTX_BOX_DIM:
		return tma_map_replace_box_dim(map, ordinal, word, error);
	case TMA_PTX_GLOBAL_DIM:
		return tma_map_replace_global_dim(map, ordinal, word, error);
	case TMA_PTX_GLOBAL_STRIDE:
		return tma_map_replace_global_stride(map, ordinal, value, error);
	case TMA_PTX_ELEMENT_STRIDE:
		return tma_map_replace_element_stride(map, ordinal, word, error);
	case TMA_PTX_ELEMTYPE:
		return tma_map_replace_elemtype(map, (enum tma_ptx_elemtype)word, error);
	case TMA_PTX_INTERLEAVE_LAYOUT:
		return tma_map_replace_interleave_layout(map, (enum tma_ptx_interleave_layout)word, error);
	case TMA_PTX_SWIZZLE_MODE:
		return tma_map_replace_swizzle_mode(map, (enum tma_ptx_swizzle_mode)word, error);
	case TMA_PTX_SWIZZLE_ATOMICITY:
		return tma_map_replace_swizzle_atomicity(map, (enum tma_ptx_swizzle_atomicity)word, error);
	default:
		return tma_map_replace_fill_mode(map, (enum tma_ptx_fill_mode)word, error);
	}
}

static int replace(struct run *run, const struct run_step *step)
{
	uint64_t address, ordinal, value;
	struct tma_map_error error;
	struct tma_map map;
	int status;

	if (run_operand(run, step, TMA_PTX_ROLE_ADDRESS, &address) ||
	    run_operand(run, step, TMA_PTX_ROLE_ORDINAL, &ordinal) ||
	    run_operand(run, step, TMA_PTX_ROLE_VALUE, &value))
		return TOOL_FAIL;
	status = run_issued(run, run->thread);
	if (!status)
		status = move_map(run, step, address, &map, true);
	if (status)
		return status;
	if (replace_field(step->instruction->modifier[TMA_PTX_CLASS_FIELD], &map, (uint32_t)ordinal, value,
	                  &error)) {
		run_wrong(run->program, step->place, step->length, "%s %s", error.parameter, error.rule);
		return TOOL_FAIL;
	}
	return move_map(run, step, address, &map, false);
}

/* 128 bytes from shared to global memory, and a fence. */
static int copy_map(struct run *run, const struct run_step *step)
{
	uint64_t to, from;
	struct tma_map map;
	int status;

	if (run_operand(run, step, TMA_PTX_ROLE_DST, &to) || run_operand(run, step, TMA_PTX_ROLE_SRC, &from))
		return TOOL_FAIL;
	status = run_drain(run, 1u << run->thread);
	if (!status)
		status = move_map(run, step, from, &map, true);
	return status ? status : move_map(run, step, to, &map, false);
}

int run_on_host(struct run *run, const struct run_step *step)
{
	switch (step->instruction->opcode) {
	case TMA_PTX_OP_CREATEPOLICY_FRACTIONAL:
	case TMA_PTX_OP_CREATEPOLICY_RANGE:
	case TMA_PTX_OP_CREATEPOLICY_CVT:
		return create_policy(run, step);
	case TMA_PTX_OP_MAPA:
	case TMA_PTX_OP_GETCTARANK:
		return map_address(run, step);
	case TMA_PTX_OP_TENSORMAP_REPLACE:
		return replace(run, step);
	case TMA_PTX_OP_TENSORMAP_CP_FENCEPROXY:
		return copy_map(run, step);
	case TMA_PTX_OP_FENCE:
	case TMA_PTX_OP_FENCE_PROXY:
	case TMA_PTX_OP_MEMBAR:
	case TMA_PTX_OP_MEMBAR_PROXY:
		return run_drain(run, 1u << run->thread);
	default:
		return refuse(run, step, "nobody executes this instruction here");
	}
}
