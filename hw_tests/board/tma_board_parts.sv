// SPDX-License-Identifier: Apache-2.0
// What the board has besides line and memory, side by side for one test: resets, LEDs, a synchroniser, and a counter
// behind the gated clock.

module tma_board_parts (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       pulse_i,
  output logic       line_rst_no,
  output logic       rst_no,
  output logic       done_o,

  input  logic       pin_i,
  output logic       pin_o,

  input  logic [1:0] line_i,
  input  logic       idle_i,
  input  logic       trouble_i,
  output logic [3:0] leds_o,

  input  logic       reg_i,
  input  logic       access_i,
  output logic       run_o,
  output logic [7:0] count_o   // edges of the gated clock
);

  logic clk_gated, clk_wire;

  tma_board_reset #(.Cycles(16)) u_reset (.clk_i, .rst_ni, .line_rst_no, .pulse_i, .done_o, .rst_no);

  tma_sync #(.Rest(1'b1)) u_sync (.clk_i, .rst_ni(line_rst_no), .pin_i, .pin_o);

  tma_board_leds #(.ClockHz(64)) u_leds (.clk_i, .rst_ni(line_rst_no), .line_i, .idle_i, .trouble_i, .leds_o);

  tma_board_run #(.Behind(31)) u_run (.clk_i, .rst_ni(rst_no), .idle_i, .reg_i, .line_i(access_i), .run_o);

  tma_clock_gate #(.Gates(1'b1)) u_gate (.clk_i, .run_i(run_o), .clk_o(clk_gated));
  tma_clock_gate #(.Gates(1'b0)) u_wire (.clk_i, .run_i(1'b0), .clk_o(clk_wire));

  logic [7:0] all_q;

  always_ff @(posedge clk_gated) count_o <= rst_no ? count_o + 8'd1 : 8'd0;
  always_ff @(posedge clk_wire) all_q <= rst_no ? all_q + 8'd1 : 8'd0;

  // Of the wire every edge comes.
  logic [7:0] edges_q;

  always_ff @(posedge clk_i) edges_q <= rst_no ? edges_q + 8'd1 : 8'd0;

  WireHasEveryEdge: assert property (@(posedge clk_i) disable iff (!rst_no) edges_q == all_q);

endmodule
