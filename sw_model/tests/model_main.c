/* SPDX-License-Identifier: Apache-2.0 */
/* Runs every suite of the model's tests. */
#include "model_fixture.h"

/* clang-format off */
#define SUITES(each) \
	each(test_model_decode_header) \
	each(test_model_decode_operands) \
	each(test_model_decode_alignment) \
	each(test_model_decode_ctas) \
	each(test_model_decode_ranges) \
	each(test_model_decode_protocol) \
	each(test_model_reserved_bits) \
	each(test_model_reserved_opcodes) \
	each(test_model_order) \
	each(test_model_faults) \
	each(test_model_fault_table) \
	each(test_model_bulk_loads) \
	each(test_model_bulk_shared_copies) \
	each(test_model_bulk_stores) \
	each(test_model_bulk_multicasts) \
	each(test_model_bulk) \
	each(test_model_bus_read_windows) \
	each(test_model_bus_write_windows) \
	each(test_model_bus_read_errors) \
	each(test_model_bus_write_errors) \
	each(test_model_bus_beats) \
	each(test_model_memory) \
	each(test_model_barrier_tx) \
	each(test_model_barrier_arrive) \
	each(test_model_barrier) \
	each(test_model_wait_parity) \
	each(test_model_wait_state) \
	each(test_model_wait) \
	each(test_model_shapes) \
	each(test_model_queue) \
	each(test_model_ring) \
	each(test_model_ring_beats) \
	each(test_model_ring_configs) \
	each(test_model_completion) \
	each(test_model_recovery) \
	each(test_model_cp_async_arrive) \
	each(test_model_cp_async) \
	each(test_model_multimem_ports) \
	each(test_model_multimem) \
	each(test_model_tensor_random) \
	each(test_model_tensor_examples) \
	each(test_model_tensor_decode) \
	each(test_model_tensor_maps) \
	each(test_model_tensor_commands) \
	each(test_model_tensor_rules) \
	each(test_model_tensor_tf32) \
	each(test_model_tensor_clips) \
	each(test_model_tensor_values) \
	each(test_model_tensor_groups) \
	each(test_model_tensor_moves) \
	each(test_model_tensor_order) \
	each(test_model_regs) \
	each(test_model_memory_limits)
/* clang-format on */

#define DECLARE(suite) int suite(void);
#define RUN(suite)     +suite()

SUITES(DECLARE)

int main(void)
{
	return (0 SUITES(RUN)) != 0;
}
