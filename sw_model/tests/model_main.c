/* SPDX-License-Identifier: Apache-2.0 */
/* Runs every suite of the model's tests. */
#include "model_fixture.h"

typedef int (*suite)(void);

int test_model_decode_header(void);
int test_model_decode_operands(void);
int test_model_decode_alignment(void);
int test_model_decode_ctas(void);
int test_model_decode_ranges(void);
int test_model_decode_protocol(void);
int test_model_reserved_bits(void);
int test_model_reserved_opcodes(void);
int test_model_order(void);
int test_model_faults(void);
int test_model_fault_table(void);
int test_model_bulk_loads(void);
int test_model_bulk_shared_copies(void);
int test_model_bulk_stores(void);
int test_model_bulk_multicasts(void);
int test_model_bulk(void);
int test_model_bus_read_windows(void);
int test_model_bus_write_windows(void);
int test_model_bus_read_errors(void);
int test_model_bus_write_errors(void);
int test_model_bus_beats(void);
int test_model_memory(void);
int test_model_barrier_tx(void);
int test_model_barrier_arrive(void);
int test_model_barrier(void);
int test_model_wait_parity(void);
int test_model_wait_state(void);
int test_model_wait(void);
int test_model_shapes(void);
int test_model_queue(void);
int test_model_ring(void);
int test_model_ring_beats(void);
int test_model_ring_configs(void);
int test_model_completion(void);
int test_model_recovery(void);
int test_model_cp_async_arrive(void);
int test_model_cp_async(void);
int test_model_multimem_ports(void);
int test_model_multimem(void);
int test_model_tensor_random(void);
int test_model_tensor_examples(void);
int test_model_tensor_maps(void);
int test_model_tensor_commands(void);
int test_model_tensor_decode(void);
int test_model_tensor_rules(void);
int test_model_tensor_tf32(void);
int test_model_tensor_clips(void);
int test_model_tensor_values(void);
int test_model_tensor_groups(void);
int test_model_tensor_moves(void);
int test_model_tensor_order(void);
int test_model_regs(void);
int test_model_memory_limits(void);

int main(void)
{
	static const suite suites[] = {
		test_model_decode_header,
		test_model_decode_operands,
		test_model_decode_alignment,
		test_model_decode_ctas,
		test_model_decode_ranges,
		test_model_decode_protocol,
		test_model_reserved_bits,
		test_model_reserved_opcodes,
		test_model_order,
		test_model_faults,
		test_model_fault_table,
		test_model_bulk_loads,
		test_model_bulk_shared_copies,
		test_model_bulk_stores,
		test_model_bulk_multicasts,
		test_model_bulk,
		test_model_bus_read_windows,
		test_model_bus_write_windows,
		test_model_bus_read_errors,
		test_model_bus_write_errors,
		test_model_bus_beats,
		test_model_memory,
		test_model_barrier_tx,
		test_model_barrier_arrive,
		test_model_barrier,
		test_model_wait_parity,
		test_model_wait_state,
		test_model_wait,
		test_model_shapes,
		test_model_queue,
		test_model_ring,
		test_model_ring_beats,
		test_model_ring_configs,
		test_model_completion,
		test_model_recovery,
		test_model_cp_async_arrive,
		test_model_cp_async,
		test_model_multimem_ports,
		test_model_multimem,
		test_model_tensor_random,
		test_model_tensor_examples,
		test_model_tensor_decode,
		test_model_tensor_maps,
		test_model_tensor_commands,
		test_model_tensor_rules,
		test_model_tensor_tf32,
		test_model_tensor_clips,
		test_model_tensor_values,
		test_model_tensor_groups,
		test_model_tensor_moves,
		test_model_tensor_order,
		test_model_regs,
		test_model_memory_limits,
	};
	int failed = 0;

	for (size_t i = 0; i < ARRAY_SIZE(suites); i++)
		failed += suites[i]();
	return failed != 0;
}
