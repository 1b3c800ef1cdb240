// SPDX-License-Identifier: Apache-2.0
// Results of the requests that do not read memory, byte by byte. Combinational.

module tma_bridge_results
  import tma_board_pkg::*;
#(
  parameter int unsigned ClockHz     = 50_000_000,
  parameter int unsigned MemoryBytes = 1 << 18
) (
  input  head_t       head_i,
  input  logic [31:0] rdata_i,     // of the register that was read
  input  logic        irq_i,       // the interrupt that was waited for is there
  input  logic [4:0]  index_i,

  output place_t      bytes_o,     // that there are, if the status is OKAY
  output logic [7:0]  byte_o
);

  localparam int unsigned HelloBytes = 32;

  logic [8*HelloBytes-1:0] hello;

  assign hello = {64'(MemoryBytes), MemoryBase, 32'(ClockHz), 16'(MaxData), Version, Magic, head_i.operands[31:0]};

  always_comb begin
    bytes_o = '0;
    byte_o  = hello[8*index_i +: 8];
    unique case (head_i.op)
      OpHello: bytes_o = place_t'(HelloBytes);
      OpRegRead: begin
        bytes_o = place_t'(4);
        byte_o  = rdata_i[8*index_i[1:0] +: 8];
      end
      OpWait: begin
        bytes_o = place_t'(1);
        byte_o  = {7'b0, irq_i};
      end
      default: ;
    endcase
  end

  logic unused_head;
  assign unused_head = ^{head_i.operands[79:32], head_i.sequence_number};

endmodule
