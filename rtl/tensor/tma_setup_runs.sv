// SPDX-License-Identifier: Apache-2.0
// Runs of an im2col walk whose pixels lie side by side: from where the walk starts, and from where it
// restarts along W, to the end of the window. Two steps: `step_i` takes the positions; the run of the
// start is there in the next cycle, that of the restart from the one behind it until the next step.
//
// Counts end at all ones: no walk has so many pixels. Reset: none.

module tma_setup_runs
  import tma_tensor_pkg::*;
(
  input  logic        clk_i,

  input  logic        step_i,
  input  pos_t        start_i,   // along W, offsets included
  input  pos_t        low_i,     // the window, likewise
  input  pos_t        high_i,
  input  logic [31:0] last_i,    // of the tensor

  output run_t        run_o,
  output pos_t        back_o     // from the start's first pixel in the tensor to that of the restart
);

  pos_t start_q, low_q, high_q, last_q;
  logic first_q;

  always_ff @(posedge clk_i) begin
    first_q <= step_i;
    if (step_i) begin
      start_q <= start_i;
      low_q   <= low_i;
      high_q  <= high_i;
      last_q  <= $signed({3'b0, last_i});
    end
  end

  function automatic pos_t inside_of(input pos_t position);
    return position < 0 ? '0 : position;
  endfunction

  assign back_o = inside_of(low_q) - inside_of(start_q);

  /////////
  // Run //
  /////////

  function automatic run_count_t few(input pos_t count);
    return count[PosWidth-1:RunWidth] != '0 ? '1 : count[RunWidth-1:0];
  endfunction

  pos_t at;
  logic outside;

  assign at      = first_q ? start_q : low_q;
  assign outside = high_q < 0 || at > last_q;

  always_comb begin
    run_o.pixels = few(high_q - at + pos_t'(1));
    run_o.head   = '0;
    run_o.data   = run_o.pixels;
    if (outside)              run_o.head = run_o.pixels;
    else if (at < 0)          run_o.head = few(-at);
    if (!outside && high_q > last_q) run_o.data = few(last_q - at + pos_t'(1));
  end

endmodule
