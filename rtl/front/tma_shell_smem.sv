// SPDX-License-Identifier: Apache-2.0
// Shared memory a word at a time, through the external ports of the CTAs.
//
// An access stays until it is done: a write when its CTA has taken it, a read in the cycle in which its data is there, which is
// the one behind its request. One outside of shared memory asks nobody and is done at once. The requests depend on the
// inputs alone. Reset: that nothing was asked for.

`include "tma_assert.svh"

module tma_shell_smem
  import tma_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      read_i,
  input  logic                      write_i,
  input  logic [31:2]               addr_i,     // 31:24 CTA, 23:2 word of its memory
  input  logic [31:0]               wdata_i,
  input  logic [3:0]                strb_i,
  output logic                      outside_o,  // there is no such word
  output logic                      done_o,
  output logic [31:0]               rdata_o,    // with done_o

  // Of all CTAs, see tma_engine
  output logic [NumCtas-1:0]        ext_valid_o,
  input  logic [NumCtas-1:0]        ext_ready_i,
  output logic [NumCtas-1:0]        ext_write_o,
  output logic [NumCtas-1:0][31:0]  ext_addr_o,
  output logic [NumCtas-1:0][15:0]  ext_strb_o,
  output logic [NumCtas-1:0][127:0] ext_wdata_o,
  input  logic [NumCtas-1:0]        ext_rvalid_i,
  input  logic [NumCtas-1:0][127:0] ext_rdata_i
);

  logic [NumCtas-1:0] select;
  logic [1:0]         lane;
  logic [31:0]        offset;
  logic               taken, asked_q;  // asked: the read was taken in the cycle before

  assign offset = {8'd0, addr_i[23:2], 2'b00};
  assign lane   = addr_i[3:2];

  for (genvar c = 0; c < NumCtas; c++) begin : g_cta
    assign select[c]      = addr_i[31:24] == 8'(c);
    assign ext_valid_o[c] = select[c] && !outside_o && (write_i || (read_i && !asked_q));
    assign ext_write_o[c] = write_i;
    assign ext_addr_o[c]  = {offset[31:4], 4'd0};
    assign ext_strb_o[c]  = {12'd0, strb_i} << {lane, 2'b00};
    assign ext_wdata_o[c] = {4{wdata_i}};
  end

  assign outside_o = select == '0 || offset >= 32'(SmemBytes);
  assign taken     = (ext_valid_o & ext_ready_i) != '0;
  assign done_o    = outside_o || (write_i ? taken : asked_q);

  always_comb begin
    rdata_o = '0;
    for (int unsigned c = 0; c < NumCtas; c++) begin
      if (select[c] && !outside_o) rdata_o |= ext_rdata_i[c][32 * 32'(lane) +: 32];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) asked_q <= 1'b0;
    else         asked_q <= taken && read_i;
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(OneAtATime, !(read_i && write_i))
  `TMA_ASSERT(AnswerIsThere, asked_q |-> (ext_rvalid_i & select) != '0)
  `TMA_ASSERT(AnswerWasAskedFor, ext_rvalid_i != '0 |-> asked_q)
  `TMA_ASSERT_STABLE(RequestIsStable, ext_valid_o != '0, taken,
      {ext_valid_o, ext_write_o, ext_addr_o, write_i ? {ext_strb_o, ext_wdata_o} : '0})
  `TMA_ASSERT_INIT(AddressHasRoom, SmemBytes <= 2**24 && SmemBytes % 16 == 0 && NumCtas <= 256)
  `TMA_COVER(WriteWaits, write_i && ext_valid_o != '0 && !taken)
  `TMA_COVER(ReadWaits, read_i && ext_valid_o != '0 && !taken)
  `TMA_COVER(NoSuchCta, (read_i || write_i) && select == '0)
  `TMA_COVER(BehindTheMemory, (read_i || write_i) && select != '0 && outside_o)

endmodule
