// SPDX-License-Identifier: Apache-2.0
// Brings the lines of a reduction together: old data of its port, or the line that another burst leaves, with new
// data of shared memory; and keeps what the arithmetic makes of them until it leaves.
//
//   plans ------> whose turn, how
//   old data --+                                 +--> results FIFO --> out
//   lines left-+--> old --+--> tma_reduce_alu ---+
//        ^         new ---+                      |
//        +---------------------------------------+   a burst of one line leaves it, by entry
//
// Bursts are worked on in the order in which they went, a line per cycle where both halves are there. A burst
// that follows another one waits until that one's line has come out of the arithmetic:
//
//   cycle            0    1       7    8        9          10
//   arithmetic       A            A             B follows A
//   line of A is                  written  valid, read
//
// With ShortPaths the arithmetic takes ten cycles, not seven, and that a line is there is seen a cycle earlier.
//
// An error of any line counts for its whole burst (`failure_o` with its last line), and for those that follow it.
// A burst that died with its port ends early on the side of the old data.
//
// Throughput: as tma_reduce_alu, a burst that follows three cycles more than its latency. Latency: that and two cycles.
// Reset: control only.

`include "tma_assert.svh"

module tma_reduce_merge
  import tma_pkg::*;
  import tma_reduce_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,

  // Plans, in the order of entries
  input  logic                plan_valid_i,
  output logic                plan_ready_o,
  input  plan_t               plan_i,

  // Old data, by port: it is there; it is taken; room for a line comes back
  input  ports_t              old_valid_i,
  output ports_t              old_pop_o,
  output ports_t              old_back_o,
  input  old_t [NumPorts-1:0] old_i,

  // New data
  input  logic                new_valid_i,
  output logic                new_ready_o,
  input  write_beat_t         new_i,

  // Results, line by line; a burst is complete with them
  output logic                line_valid_o,
  input  logic                line_ready_i,
  output result_t             line_o,
  output logic                burst_o,      // pulse, not before its last line can be seen
  output failure_t            failure_o,

  output logic                idle_o
);

  localparam int unsigned AluDepth   = 16;  // lines in the arithmetic, at most
  localparam int unsigned LevelWidth = $clog2(ResultLines + 1);

  // What goes with a line past the arithmetic.
  typedef struct packed {
    strb_t    strb;
    logic     first, last;
    failure_t failure;     // of its burst up to it
  } beside_t;

  // A line that was left.
  typedef struct packed {
    failure_t failure;
    line_t    data;
  } left_t;

  //////////////
  // Old data //
  //////////////

  logic     looked_q;      // the line that the head follows is there
  left_t    left;
  old_t     old;
  logic     step, ended_q, begun_q, alu_ready, room;
  failure_t failure, failure_q, failed;  // of the burst; of this line
  line_t    dst;

  assign old = old_i[plan_i.port];
  assign dst = plan_i.follows ? left.data : old.data;

  always_comb begin
    failed = '{failed: old.resp[1] || old.dead, resp: old.resp, dead: old.dead};
    if (plan_i.follows) failed = left.failure;
    else if (ended_q)   failed = '0;
    failure = failure_q.failed ? failure_q : failed;
  end

  assign step = plan_valid_i && new_valid_i && alu_ready && room &&
                (plan_i.follows ? looked_q : ended_q || old_valid_i[plan_i.port]);

  assign new_ready_o  = step;
  assign plan_ready_o = step && new_i.last;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign old_back_o[p] = step && !plan_i.follows && plan_i.port == port_t'(p);
    assign old_pop_o[p]  = old_back_o[p] && !ended_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q   <= 1'b0;
      ended_q   <= 1'b0;
      failure_q <= '0;
    end else if (step) begin
      begun_q   <= !new_i.last;
      ended_q   <= !new_i.last && (ended_q || (!plan_i.follows && old.dead));
      failure_q <= new_i.last ? '0 : failure;
    end
  end

  ////////////////
  // Arithmetic //
  ////////////////

  logic                          out_valid, beside_valid, beside_ready;
  line_t                         out;
  beside_t                       beside;
  logic [$clog2(AluDepth+1)-1:0] beside_level;

  tma_reduce_alu #(.Floats(Floating), .Float64(Doubles)) u_alu (
    .clk_i, .rst_ni, .in_valid_i(step), .in_ready_o(alu_ready), .how_i(plan_i.how),
    .dst_i(dst), .src_i(new_i.data), .out_valid_o(out_valid), .out_o(out)
  );

  tma_fifo #(.Width($bits(beside_t)), .Depth(AluDepth)) u_beside (
    .clk_i, .rst_ni, .in_valid_i(step), .in_ready_o(beside_ready),
    .in_i({new_i.strb, !begun_q, new_i.last, failure}),
    .out_valid_o(beside_valid), .out_ready_i(out_valid), .out_o(beside), .level_o(beside_level)
  );

  ////////////////
  // Lines left //
  ////////////////

  slot_t                    in_q, out_q;  // entries of the bursts on either side of the arithmetic
  logic [NumReductions-1:0] valid_q;
  logic                     leaves, leaves_q;
  slot_t                    leaves_entry_q;

  assign leaves = out_valid && beside.first && beside.last;

  tma_ram_1r1w_sync #(.Width($bits(left_t)), .Depth(NumReductions)) u_left (
    .clk_i, .we_i(leaves), .waddr_i(out_q), .wdata_i({beside.failure, out}),
    .re_i(1'b1), .raddr_i(plan_i.from), .rdata_o(left)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q     <= '0;
      out_q    <= '0;
      leaves_q <= 1'b0;
      looked_q <= 1'b0;
    end else begin
      if (plan_ready_o)             in_q  <= in_q + slot_t'(1);
      if (out_valid && beside.last) out_q <= out_q + slot_t'(1);
      leaves_q <= leaves;
      looked_q <= plan_valid_i && plan_i.follows && !plan_ready_o &&
                  (valid_q[plan_i.from] || (ShortPaths && leaves_q && leaves_entry_q == plan_i.from));
    end
  end

  always_ff @(posedge clk_i) leaves_entry_q <= out_q;

  // That of an entry is of the burst before until the new one is in the arithmetic; nobody follows it by then.
  for (genvar i = 0; i < NumReductions; i++) begin : g_valid
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                                           valid_q[i] <= 1'b0;
      else if (leaves_q && leaves_entry_q == slot_t'(i))     valid_q[i] <= 1'b1;
      else if (step && !begun_q && in_q == slot_t'(i))       valid_q[i] <= 1'b0;
    end
  end

  /////////////
  // Results //
  /////////////

  logic [LevelWidth-1:0] held_q, unused_level;  // lines in the arithmetic and behind it
  logic                  stored, burst_q, line_goes;
  failure_t              last_q;

  tma_fifo_block #(.Width($bits(result_t)), .Depth(ResultLines)) u_results (
    .clk_i, .rst_ni, .in_valid_i(out_valid), .in_ready_o(stored), .in_i({beside.strb, out}),
    .out_valid_o(line_valid_o), .out_ready_i(line_ready_i), .out_o(line_o), .level_o(unused_level)
  );

  assign room      = held_q != LevelWidth'(ResultLines);
  assign line_goes = line_valid_o && line_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q  <= '0;
      burst_q <= 1'b0;
    end else begin
      if (step != line_goes) held_q <= step ? held_q + LevelWidth'(1) : held_q - LevelWidth'(1);
      burst_q <= out_valid && beside.last;
    end
  end

  always_ff @(posedge clk_i) last_q <= beside.failure;

  assign burst_o   = burst_q;
  assign failure_o = last_q;
  assign idle_o    = held_q == '0 && !burst_q && !plan_valid_i;

  logic unused_beside;
  assign unused_beside = ^beside_level;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(ResultHasRoom, out_valid |-> stored)
  `TMA_ASSERT(LineHasItsInfo, out_valid |-> beside_valid)
  `TMA_ASSERT(InfoHasRoom, step |-> beside_ready)
  `TMA_ASSERT(FollowersHaveALine, step && plan_i.follows |-> new_i.last && !begun_q)
  `TMA_COVER(Follows, step && plan_i.follows)
  `TMA_COVER(WaitsForItsLeader, plan_valid_i && new_valid_i && plan_i.follows && !looked_q)
  `TMA_COVER(WaitsForOldData, plan_valid_i && new_valid_i && !plan_i.follows && !ended_q && !old_valid_i[plan_i.port])
  `TMA_COVER(WaitsForNewData, plan_valid_i && !new_valid_i && !plan_i.follows && old_valid_i[plan_i.port])
  `TMA_COVER(Fills, !room)
  `TMA_COVER(DiesInABurst, step && ended_q)
  `TMA_COVER(FailsInTheMiddle, step && failure_q.failed)
  `TMA_COVER(FollowsAFailed, step && plan_i.follows && left.failure.failed)

endmodule
