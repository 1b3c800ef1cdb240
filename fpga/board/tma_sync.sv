// SPDX-License-Identifier: Apache-2.0
// A signal from outside, in the clock's time: two registers in a row, and nothing else looks at the first.
//
// Two cycles of latency. Reset: to `Rest`.

module tma_sync #(
  parameter logic Rest = 1'b0  // what the signal is when nothing happens
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic pin_i,
  output logic pin_o
);

  logic first_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q <= Rest;
      pin_o   <= Rest;
    end else begin
      first_q <= pin_i;
      pin_o   <= first_q;
    end
  end

endmodule
