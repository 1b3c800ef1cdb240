// SPDX-License-Identifier: Apache-2.0
// Properties of tma_fifo: what goes in comes out, in order, and waits there unchanged.
//
// One entry, any one, is followed from its way in to its way out.

module fifo_proof #(
  parameter int unsigned Width = 3,
  parameter int unsigned Depth = 3,
  parameter bit          FlowThrough = 1'b0
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             in_valid_i,
  input logic [Width-1:0] in_i,
  input logic             out_ready_i,
  input logic             follow_i      // follow the entry that goes in now
);

  localparam int unsigned LevelWidth = $clog2(Depth + 1);

  logic                  in_ready, out_valid;
  logic [Width-1:0]      out;
  logic [LevelWidth-1:0] level;

  tma_fifo #(.Width(Width), .Depth(Depth), .FlowThrough(FlowThrough)) dut (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o(in_ready), .in_i,
    .out_valid_o(out_valid), .out_ready_i, .out_o(out), .level_o(level)
  );

  logic started_q = 1'b0;  // the first cycle is a reset
  logic [LevelWidth-1:0] count_q;  // entries held
  logic passes, push, pop;

  // An entry that passes through an empty queue is never held.
  assign passes = FlowThrough && count_q == '0 && in_valid_i;
  assign push   = in_valid_i && in_ready && !(passes && out_ready_i);
  assign pop    = out_valid && out_ready_i && !passes;

  logic                  follow_q;  // the followed entry is held
  logic [Width-1:0]      entry_q;
  logic [LevelWidth-1:0] ahead_q;   // entries in front of it
  logic                  in_waited_q, out_waited_q;
  logic [Width-1:0]      in_q, out_q;
  int unsigned           slot;      // where the followed entry lies

  assign slot = (32'(dut.rd_ptr_q) + 32'(ahead_q)) % Depth;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    in_waited_q  <= rst_ni && in_valid_i && !in_ready;
    in_q         <= in_i;
    out_waited_q <= rst_ni && out_valid && !out_ready_i;
    out_q        <= out;
    count_q      <= rst_ni ? count_q + LevelWidth'(push) - LevelWidth'(pop) : '0;
    if (!rst_ni) begin
      follow_q <= 1'b0;
    end else if (!follow_q && follow_i && push) begin
      follow_q <= 1'b1;
      entry_q  <= in_i;
      ahead_q  <= count_q - LevelWidth'(pop);
    end else if (follow_q && pop) begin
      follow_q <= ahead_q != '0;
      ahead_q  <= ahead_q - LevelWidth'(1);
    end
  end

  always_comb begin
    assume (started_q || !rst_ni);
    // The sender's side of the handshake. It starts over after a reset, like the queue.
    if (started_q && in_waited_q) assume (in_valid_i && in_i == in_q);

    if (started_q) begin
      LevelIsCount:    assert (level == count_q && count_q <= LevelWidth'(Depth));
      TakesUntilFull:  assert (in_ready == (count_q != LevelWidth'(Depth)));
      GivesUntilEmpty: assert (out_valid == (count_q != '0 || passes));
      if (passes) PassesThrough: assert (out == in_i);
      LinkPointers:    assert (32'(dut.rd_ptr_q) < Depth &&
                               32'(dut.wr_ptr_q) == (32'(dut.rd_ptr_q) + 32'(count_q)) % Depth);
      if (out_waited_q) OutputHolds: assert (out_valid && out == out_q);
      if (follow_q) begin
        LinkFollowed:  assert (ahead_q < count_q && dut.g_memory.u_ram.mem[slot] == entry_q);
        if (ahead_q == '0) EntryComesOut: assert (out == entry_q);
      end
    end
  end

  always_comb begin
    if (started_q) begin
      Fills:    cover (count_q == LevelWidth'(Depth));
      ComesOut: cover (follow_q && ahead_q == '0 && pop && 32'(dut.rd_ptr_q) == Depth - 1);
    end
  end

  if (FlowThrough) begin : g_passes
    always_comb if (started_q) Passes: cover (passes && out_ready_i && in_ready);
  end

endmodule
