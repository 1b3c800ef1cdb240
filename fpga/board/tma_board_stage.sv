// SPDX-License-Identifier: Apache-2.0
// A line access in registers, on its way from the bridge to memory or the shared memory of a CTA.
//
// All that the engine and memory see comes from registers of this clock, which may stop while no line is offered. A
// line is offered until `done_o`, which has the data of a read with it. Once taken it stays at its port until the port
// takes it, also if the bridge has given it up: then this has to be reset, with the ports, before the next one.
// Reset: control only.

`include "tma_assert.svh"

module tma_board_stage
  import tma_board_pkg::*;
#(
  parameter int unsigned NumCtas = 2
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // From the bridge
  input  logic                      valid_i,
  input  line_req_t                 line_i,
  input  logic                      shared_i,  // of a CTA, else memory
  input  logic [7:0]                cta_i,
  output logic                      done_o,
  output logic [127:0]              rdata_o,

  // Memory
  output logic                      mem_valid_o,
  output line_req_t                 mem_o,
  input  line_rsp_t                 mem_i,

  // External ports of shared memory
  output logic [NumCtas-1:0]        ext_valid_o,
  input  logic [NumCtas-1:0]        ext_ready_i,
  output logic [NumCtas-1:0]        ext_write_o,
  output logic [NumCtas-1:0][31:0]  ext_addr_o,
  output logic [NumCtas-1:0][15:0]  ext_strb_o,
  output logic [NumCtas-1:0][127:0] ext_wdata_o,
  input  logic [NumCtas-1:0]        ext_rvalid_i,
  input  logic [NumCtas-1:0][127:0] ext_rdata_i
);

  typedef enum logic [1:0] {
    StIdle,
    StOffer,  // until the port takes it
    StData,   // until it has the data of a read
    StDone
  } state_e;

  state_e             state_q;
  line_req_t          line_q;
  logic               mem_q;     // it is offered to memory
  logic [NumCtas-1:0] ext_q;     // to a CTA
  logic               shared_q;
  logic [NumCtas-1:0] cta_q;     // which one
  line_rsp_t          back;

  assign mem_valid_o = mem_q;
  assign mem_o       = line_q;
  assign ext_valid_o = ext_q;
  assign ext_write_o = {NumCtas{line_q.write}};
  assign ext_addr_o  = {NumCtas{line_q.addr}};
  assign ext_strb_o  = {NumCtas{line_q.strb}};
  assign ext_wdata_o = {NumCtas{line_q.wdata}};
  assign done_o      = state_q == StDone;

  always_comb begin
    back = mem_i;
    if (shared_q) begin
      back = '{ready: (ext_ready_i & cta_q) != '0, rvalid: (ext_rvalid_i & cta_q) != '0, rdata: '0};
      for (int unsigned c = 0; c < NumCtas; c++) begin
        if (cta_q[c]) back.rdata = ext_rdata_i[c];
      end
    end
  end

  logic [NumCtas-1:0] cta;

  for (genvar c = 0; c < NumCtas; c++) begin : g_cta
    assign cta[c] = cta_i == 8'(c);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      mem_q   <= 1'b0;
      ext_q   <= '0;
    end else begin
      unique case (state_q)
        StIdle: if (valid_i) begin
          state_q <= StOffer;
          mem_q   <= !shared_i;
          ext_q   <= shared_i ? cta : '0;
        end
        StOffer: if (back.ready) begin
          state_q <= line_q.write ? StDone : StData;
          mem_q   <= 1'b0;
          ext_q   <= '0;
        end
        StData:  if (back.rvalid) state_q <= StDone;
        StDone:  state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      line_q   <= line_i;
      shared_q <= shared_i;
      cta_q    <= cta;
    end
    if (state_q == StData) rdata_o <= back.rdata;
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(LineIsStable, valid_i && !done_o |=> !valid_i || $stable({line_i, shared_i, cta_i}))
  `TMA_ASSERT(CtaExists, valid_i && shared_i |-> cta != '0)
  `TMA_COVER(WaitsForSharedMemory, ext_q != '0 && !back.ready)
  `TMA_COVER(WaitsForMemory, mem_q && !back.ready)
  `TMA_COVER(GivenUp, state_q == StOffer && !valid_i)

endmodule
