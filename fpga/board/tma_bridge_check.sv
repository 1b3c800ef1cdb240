// SPDX-License-Identifier: Apache-2.0
// What a request asks for, and whether it may: operation, length, then address. Combinational.

`include "tma_assert.svh"

module tma_bridge_check
  import tma_board_pkg::*;
#(
  parameter int unsigned MemoryBytes = 1 << 18,
  parameter int unsigned NumCtas     = 2,
  parameter int unsigned SmemBytes   = 1 << 14
) (
  input  head_t      head_i,
  input  place_t     bytes_i,      // of the request

  output status_e    status_o,     // OKAY: it may be carried out
  output logic       reg_o,        // a register access
  output reg_req_t   reg_req_o,
  output logic       move_o,       // bytes are moved
  output move_t      move_req_o,
  output place_t     first_o       // of the data in a request that writes
);

  localparam place_t HeadMem  = place_t'(2 + 8);
  localparam place_t HeadSmem = place_t'(2 + 4);

  logic [63:0] mem_offset;
  logic [31:0] smem_end;
  logic [64:0] mem_end;
  logic        is_smem, is_write, is_data, known, fits, is_in, reg_inside, smem_inside;
  place_t      operands, head, data;
  logic [15:0] asked;

  assign is_smem  = head_i.op == OpSmemRead || head_i.op == OpSmemWrite;
  assign is_write = head_i.op == OpMemWrite || head_i.op == OpSmemWrite;
  assign is_data  = is_smem || head_i.op == OpMemRead || head_i.op == OpMemWrite;
  assign head     = is_smem ? HeadSmem : HeadMem;
  assign data     = bytes_i - head;
  assign asked    = is_write ? 16'(data) : is_smem ? head_i.operands[47:32] : head_i.operands[79:64];

  ////////////
  // Length //
  ////////////

  // Bytes behind the operation, without data.
  always_comb begin
    known    = 1'b1;
    operands = '0;
    unique case (head_i.op)
      OpHello, OpRegRead, OpWait, OpSmemWrite: operands = place_t'(4);
      OpRegWrite, OpMemWrite:                  operands = place_t'(8);
      OpMemRead:                               operands = place_t'(10);
      OpSmemRead:                              operands = place_t'(6);
      OpReset:                                 operands = '0;
      default:                                 known = 1'b0;
    endcase
  end

  always_comb begin
    fits = bytes_i == operands + place_t'(2);
    if (is_write) fits = bytes_i > head;
    if (is_data && (asked == '0 || asked > 16'(MaxData)))                       fits = 1'b0;
    if (head_i.op == OpWait && head_i.operands[31:0] > 32'(MaxWait))            fits = 1'b0;
  end

  /////////////
  // Address //
  /////////////

  assign mem_offset  = head_i.operands[63:0] - MemoryBase;
  assign mem_end     = {1'b0, mem_offset} + 65'(asked);
  assign smem_end    = {8'b0, head_i.operands[23:0]} + 32'(asked);
  assign smem_inside = head_i.operands[31:24] < 8'(NumCtas) && smem_end <= 32'(SmemBytes);
  assign reg_inside  = head_i.operands[1:0] == 2'b00 && head_i.operands[31:17] == '0;

  always_comb begin
    is_in = 1'b1;
    if (reg_o)  is_in = reg_inside;
    if (move_o) is_in = is_smem ? smem_inside : mem_end <= 65'(MemoryBytes);
  end

  always_comb begin
    status_o = StatusOkay;
    if (!is_in) status_o = StatusAddress;
    if (!fits)   status_o = StatusLength;
    if (!known)  status_o = StatusOperation;
  end

  ////////////
  // Access //
  ////////////

  assign reg_o      = head_i.op == OpRegRead || head_i.op == OpRegWrite;
  assign reg_req_o  = '{write: head_i.op == OpRegWrite, addr: head_i.operands[16:0], wdata: head_i.operands[63:32]};
  assign move_o     = is_data;
  assign move_req_o = '{write: is_write, shared: is_smem, cta: head_i.operands[31:24],
                        offset: is_smem ? {8'b0, head_i.operands[23:0]} : mem_offset[31:0],
                        bytes: place_t'(asked)};
  assign first_o    = head;

  logic unused_number;
  assign unused_number = ^head_i.sequence_number;

  `TMA_ASSERT_INIT(MemoryIsOfLines, MemoryBytes % LineBytes == 0)
  `TMA_ASSERT_INIT(SharedMemoryIsOfLines, SmemBytes % LineBytes == 0)

endmodule
