// SPDX-License-Identifier: Apache-2.0
// Takes the engine's writes for the shared memory of a CTA.
//
// A write goes when it is taken. With Short it goes in the next cycle, whatever else wants to; one that was not taken
// leaves that cycle to who insists:
//
//   others insist   . . 1 1 . .
//   wr_ready_o      1 1 0 1 1 1
//   go_o            . 1 1 . 1 1
//
// `wr_ready_o` depends on registers alone. Reset: control only.

module tma_smem_take
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       wr_valid_i,
  output logic       wr_ready_o,
  input  bank_rows_t wr_rows_i,
  input  strb_t      wr_be_i,
  input  line_t      wr_data_i,

  input  logic [1:0] insists_i,  // others: they take the next cycle that nobody else has, one each

  output logic       go_o,       // a write goes: this one
  output bank_rows_t rows_o,
  output strb_t      be_o,
  output line_t      data_o
);

  if (Short) begin : g_register
    logic left_q;  // this cycle is left to who insists

    assign wr_ready_o = insists_i == '0 || (left_q && insists_i != '1);

    always_ff @(posedge clk_i) begin
      go_o   <= rst_ni && wr_valid_i && wr_ready_o;
      left_q <= rst_ni && !wr_ready_o;
    end

    always_ff @(posedge clk_i) begin
      rows_o <= wr_rows_i;
      be_o   <= wr_be_i;
      data_o <= wr_data_i;
    end
  end else begin : g_wires
    logic unused_clock;

    assign wr_ready_o   = insists_i == '0;
    assign go_o         = wr_valid_i && wr_ready_o;
    assign rows_o       = wr_rows_i;
    assign be_o         = wr_be_i;
    assign data_o       = wr_data_i;
    assign unused_clock = clk_i && rst_ni;
  end

endmodule
