// SPDX-License-Identifier: Apache-2.0
// Properties of tma_guard, for any sequence of rows, windows and handshakes.
//
// What a row asked for is tracked here with arithmetic of its own, from the ports alone; the Link
// properties tie it to the guard's registers, which is what makes the others inductive.

module guard_proof
  import tma_pkg::*;
#(
  parameter bit Write = 1'b0
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input windows_t [NumQueues-1:0] windows_i,
  input logic                     row_valid_i,
  input row_t                     row_i,
  input queue_t                   queue_i,
  input logic                     burst_ready_i,
  input logic                     deny_ready_i,
  input logic                     abort_i
);

  logic        row_ready, burst_valid, deny_valid, busy;
  burst_t      burst;
  logic [63:0] deny_addr;

  tma_guard #(.Write(Write)) dut (
    .clk_i, .rst_ni, .windows_i, .row_valid_i, .row_ready_o(row_ready), .row_i, .queue_i,
    .burst_valid_o(burst_valid), .burst_ready_i, .burst_o(burst),
    .deny_valid_o(deny_valid), .deny_ready_i, .deny_addr_o(deny_addr), .busy_o(busy), .abort_i
  );

  ///////////////////////
  // What is left to do //
  ///////////////////////

  logic                 started_q = 1'b0;  // the first cycle is a reset
  windows_t             windows_q;         // of the row's queue, when it was taken
  logic [63:0]          next_q;            // first byte that no burst has covered yet
  logic [RowChunks-1:0] left_q;            // chunks from there on
  logic                 last_q;            // the row is its command's last

  logic [12:0] beats;
  logic [12:0] burst_chunks;
  logic        taken, accepted;

  assign beats        = 13'(burst.len) + 13'd1;
  assign burst_chunks = (beats << ChunkShift) - 13'(burst.head) - (13'(Chunks - 1) - 13'(burst.tail));
  assign taken        = row_valid_i && row_ready;
  assign accepted     = burst_valid && burst_ready_i;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (taken) begin
      windows_q <= windows_i[queue_i];
      next_q    <= row_i.gaddr;
      left_q    <= row_i.chunks;
      last_q    <= row_i.last;
    end else if (accepted) begin
      next_q    <= next_q + {47'd0, burst_chunks, 4'd0};
      left_q    <= left_q - RowChunks'(burst_chunks);
    end
  end

  /////////////
  // Windows //
  /////////////

  // A burst reads or writes whole beats, also where its row needs a part of them. It stays in one
  // page (a property of its own), and windows are made of pages: so its page decides.
  logic        allowed, next_allowed;

  always_comb begin
    allowed      = 1'b0;
    next_allowed = 1'b0;
    for (int unsigned w = 0; w < NumWindows; w++) begin
      if (Write ? windows_q[w].write : windows_q[w].read) begin
        if (burst.addr[63:12] >= windows_q[w].base && burst.addr[63:12] <= windows_q[w].limit)
          allowed = 1'b1;
        if (next_q[63:12] >= windows_q[w].base && next_q[63:12] <= windows_q[w].limit)
          next_allowed = 1'b1;
      end
    end
  end

  ////////////////
  // Handshakes //
  ////////////////

  logic        burst_waited_q, deny_waited_q;
  burst_t      burst_q;
  logic [63:0] deny_addr_q;

  always_ff @(posedge clk_i) begin
    burst_waited_q <= rst_ni && burst_valid && !burst_ready_i && !abort_i;
    deny_waited_q  <= rst_ni && deny_valid && !deny_ready_i && !abort_i;
    burst_q        <= burst;
    deny_addr_q    <= deny_addr;
  end

  ////////////////
  // Properties //
  ////////////////

  always_comb begin
    assume (started_q || !rst_ni);
    assume (!row_valid_i || (row_i.chunks != '0 && row_i.gaddr[3:0] == 4'h0));

    if (started_q && busy) begin
      LinkWindows: assert (windows_q == dut.windows_q);
      LinkAddress: assert (next_q == dut.row_q.gaddr && next_q[3:0] == 4'h0);
      LinkLength:  assert (left_q == dut.row_q.chunks && left_q != '0);
      LinkCut:     assert (!burst_valid || burst_chunks == 13'(dut.cut));
      LinkLast:    assert (last_q == dut.row_q.last);
    end

    if (started_q && burst_valid) begin
      BurstIsInsideWindows: assert (allowed);
      BurstStaysInPage:     assert (14'(burst.addr[11:0]) + (14'(beats) << LineShift) <= 14'd4096);
      BurstIsWholeBeats:    assert (burst.addr[LineShift-1:0] == '0);
      BurstStartsAtNext:    assert ((burst.addr | 64'({burst.head, 4'd0})) == next_q);
      BurstIsNoLonger:      assert (burst_chunks != 13'd0 && RowChunks'(burst_chunks) <= left_q);
      LastEndsTheCommand:   assert (burst.last == (last_q && RowChunks'(burst_chunks) == left_q));
    end
    if (started_q && deny_valid) begin
      DenyIsOutside:        assert (!next_allowed && deny_addr == next_q);
      DenyIsNoBurst:        assert (!burst_valid);
    end

    if (started_q && burst_waited_q) BurstHolds: assert (burst_valid && burst == burst_q);
    if (started_q && deny_waited_q)  DenyHolds:  assert (deny_valid && deny_addr == deny_addr_q);
  end

endmodule
