// SPDX-License-Identifier: Apache-2.0
// Properties of tma_load_errors, narrower than it is built, for any events: each comes out once, as long as there is
// room for all that may come in a cycle; where there is none nothing more is counted, and nothing that waits is lost.

module load_errors_proof #(
  parameter int unsigned Width = 4
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [2:0] event_i
);

  localparam int unsigned Full = (1 << Width) - 4;

  typedef logic [Width+3:0] count_t;

  logic   started_q = 1'b0;  // the first cycle is a reset
  count_t waits_q;           // it cannot wrap where the unit could
  logic   comes_out, busy;

  tma_load_errors #(.NumSources(3), .Width(Width)) dut (
    .clk_i, .rst_ni, .event_i, .event_o(comes_out), .busy_o(busy)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) waits_q <= '0;
    else begin
      waits_q <= waits_q - count_t'(waits_q != '0) +
                 (waits_q < count_t'(Full) ? count_t'(event_i[0]) + count_t'(event_i[1]) + count_t'(event_i[2]) : '0);
    end
  end

  always_comb begin
    assume (started_q || !rst_ni);
    if (started_q) begin
      LinkLeft:       assert (waits_q == count_t'(dut.left_q));
      ShowsWhatWaits: assert (comes_out == (waits_q != '0) && busy == comes_out);
    end
  end

  always_comb begin
    if (started_q) begin
      NothingIsCounted: cover (waits_q >= count_t'(Full) && event_i == '1);
      GoesOn:           cover (waits_q == count_t'(Full - 1) && event_i == '1);
    end
  end

endmodule
