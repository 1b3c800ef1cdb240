// SPDX-License-Identifier: Apache-2.0
// What is a reduction, and whether its operator goes with its element type: REDUCE_OP.
//
// The pairs are those of the instruction, which has fewer of them for shared memory; of a tensor reduction the
// type is its map's business. A build without reductions knows none of their opcodes. Combinational. Semantics 1.5.

module tma_check_reduce
  import tma_pkg::*;
  import tma_isa_pkg::*;
(
  input  command_t cmd_i,
  output logic     unbuilt_o,  // the build does not know the opcode
  output logic     store_o,    // BULK_REDUCE, MULTIMEM_BULK_REDUCE: operands as of a store
  output logic     shared_o,   // BULK_REDUCE_SHARED
  output logic     op_bad_o    // REDUCE_OP
);

  if (Reduces) begin : g_reduces
    typedef logic [15:0] kinds_t;  // a bit per Type*

    localparam kinds_t U32    = kinds_t'(1) << TypeU32;
    localparam kinds_t S32    = kinds_t'(1) << TypeS32;
    localparam kinds_t U64    = kinds_t'(1) << TypeU64;
    localparam kinds_t S64    = kinds_t'(1) << TypeS64;
    localparam kinds_t B32    = kinds_t'(1) << TypeB32;
    localparam kinds_t B64    = kinds_t'(1) << TypeB64;
    localparam kinds_t Halves = kinds_t'(Floating) << TypeF16 | kinds_t'(Floating) << TypeBf16;
    localparam kinds_t F32    = kinds_t'(Floating) << TypeF32;
    localparam kinds_t F64    = kinds_t'(Doubles) << TypeF64;

    kinds_t anywhere, in_global;  // in either memory, in global memory alone

    always_comb begin
      case (cmd_i.op[2:0])
        ReduceAdd:            {anywhere, in_global} = {U32 | S32 | U64, Halves | F32 | F64};
        ReduceMin, ReduceMax: {anywhere, in_global} = {U32 | S32, U64 | S64 | Halves};
        ReduceInc, ReduceDec: {anywhere, in_global} = {U32, kinds_t'(0)};
        default:              {anywhere, in_global} = {B32, B64};
      endcase
    end

    kinds_t kinds;

    assign kinds     = shared_o ? anywhere : anywhere | in_global;
    assign unbuilt_o = 1'b0;
    assign store_o   = cmd_i.opcode == OpBulkReduce || cmd_i.opcode == OpMultimemBulkReduce;
    assign shared_o  = cmd_i.opcode == OpBulkReduceShared;
    assign op_bad_o  = needs_reduce(cmd_i.opcode) &&
                       (cmd_i.op[7:3] != '0 ||
                        (cmd_i.opcode != OpTensorReduce &&
                         (cmd_i.element_type[7:4] != '0 || !kinds[cmd_i.element_type[3:0]])));
  end else begin : g_none
    assign unbuilt_o = needs_reduce(cmd_i.opcode);
    assign store_o   = 1'b0;
    assign shared_o  = 1'b0;
    assign op_bad_o  = 1'b0;
  end

  logic unused;
  assign unused = ^cmd_i;

endmodule
