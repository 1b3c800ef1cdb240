// SPDX-License-Identifier: Apache-2.0
// Brings a missing mbarrier into an entry: chooses the victim, has it written back, reads.
//
// One barrier at a time, the two ports in turn. A barrier on its way is three cycles from the miss
// to the first operation, longer if the victim is dirty or memory is busy.
//
//   StIdle --miss--> StEvict --clean--> StRead --taken--> StData --> StIdle
//        \____victim is clean____________^
//
// A barrier that is written while it is on its way is not taken, and misses again. With `Step` a miss is
// looked at in the cycle after it.
//
// Progress: an entry just filled is fresh until it was used, and fresh entries are no victims.
// A requester may leave without using its entry; if only such entries are left, they lose the
// privilege after `Patience` cycles, more than issue needs to come back to a queue.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_mbarrier_fill
  import tma_pkg::*;
#(
  parameter int unsigned N    = 8,
  parameter bit          Step = 1'b0
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Requests that miss, and the entries that requests of this cycle hit
  input  logic                  miss_a_i,
  input  bar_addr_t             addr_a_i,
  input  logic                  miss_b_i,
  input  bar_addr_t             addr_b_i,
  input  logic [N-1:0]          hit_i,
  input  logic [N-1:0]          keep_i,    // no victims: at least those
  input  logic [N-1:0]          use_i,     // hits that were served

  // Entries
  input  logic [N-1:0]          valid_i,
  input  logic [N-1:0]          dirty_i,
  output logic [N-1:0]          victim_o,  // entry of the fill
  output logic [N-1:0]          evict_o,   // keep still, write back if dirty
  output logic [N-1:0]          drop_o,    // forget at the edge
  output logic                  filling_o, // data for the victim is there
  output logic [N-1:0]          fill_o,    // and makes it valid
  output bar_addr_t             addr_o,    // of the fill

  // An engine write of this cycle covers the barrier that is being filled
  input  logic                  written_i,

  // Read
  output logic                  read_valid_o,
  input  logic                  read_ready_i  // data comes in the next cycle
);

  localparam int unsigned Patience = 64;

  typedef enum logic [1:0] {
    StIdle,   // no miss
    StEvict,  // the victim has to be written back
    StRead,   // the victim's entry is empty, memory is asked
    StData    // data arrives
  } state_e;

  state_e                state_d, state_q;
  logic [N-1:0]          victim_d, victim_q;  // one hot; the next search starts behind it
  bar_addr_t             addr_q;
  logic                  last_b_q;            // port B was served last

  ////////////
  // Victim //
  ////////////

  logic [N-1:0] fresh_q, able, easy, pool, behind, chosen;
  logic         miss_a, miss_b, miss, start, serve_b;
  bar_addr_t    addr_a, addr_b;

  if (Step) begin : g_step
    logic miss_a_q, miss_b_q, looks;

    // Not while one is on its way: it may be the one that is missing.
    assign looks = state_q == StIdle && !start;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        miss_a_q <= 1'b0;
        miss_b_q <= 1'b0;
      end else begin
        miss_a_q <= miss_a_i && looks;
        miss_b_q <= miss_b_i && looks;
      end
    end

    always_ff @(posedge clk_i) begin
      addr_a <= addr_a_i;
      addr_b <= addr_b_i;
    end

    assign miss_a = miss_a_q;
    assign miss_b = miss_b_q;
  end else begin : g_at_once
    assign miss_a = miss_a_i;
    assign miss_b = miss_b_i;
    assign addr_a = addr_a_i;
    assign addr_b = addr_b_i;
  end

  assign miss    = miss_a || miss_b;
  assign serve_b = miss_b && (!miss_a || !last_b_q);

  // Entries that need no write-back first, else any. In turn, so the longest resident goes.
  assign able   = ~keep_i & ~(valid_i & fresh_q);
  assign easy   = able & ~(valid_i & dirty_i);
  assign pool   = easy != '0 ? easy : able;
  assign behind = pool & ~(victim_q | (victim_q - N'(1)));
  assign chosen = behind != '0 ? behind & ~(behind - N'(1)) : pool & ~(pool - N'(1));
  assign start  = state_q == StIdle && miss && pool != '0;

  /////////
  // FSM //
  /////////

  logic victim_dirty;

  assign victim_dirty = (victim_q & valid_i & dirty_i) != '0;

  always_comb begin
    state_d  = state_q;
    victim_d = victim_q;
    drop_o   = '0;

    unique case (state_q)
      StIdle: begin
        if (start) begin
          victim_d = chosen;
          state_d  = easy != '0 ? StRead : StEvict;
          if (easy != '0) drop_o = chosen;
        end
      end

      StEvict: begin
        if (!victim_dirty) begin
          drop_o  = victim_q;
          state_d = StRead;
        end
      end

      // A write at the same time may or may not be in what is read: read again.
      StRead: if (read_ready_i && !written_i) state_d = StData;

      StData: state_d = StIdle;

      default: state_d = StIdle;
    endcase
  end

  assign victim_o     = victim_q;
  assign evict_o      = state_q == StEvict ? victim_q : '0;
  assign filling_o    = state_q == StData;
  assign fill_o       = filling_o && !written_i ? victim_q : '0;
  assign read_valid_o = state_q == StRead;
  assign addr_o       = addr_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      victim_q <= N'(1);
      last_b_q <= 1'b0;
    end else begin
      state_q  <= state_d;
      victim_q <= victim_d;
      if (start) last_b_q <= serve_b;
    end
  end

  always_ff @(posedge clk_i) if (start) addr_q <= serve_b ? addr_b : addr_a;

  ///////////
  // Fresh //
  ///////////

  localparam int unsigned WaitWidth = $clog2(Patience);

  logic [WaitWidth-1:0] wait_q;
  logic                 stuck;

  assign stuck = state_q == StIdle && miss && pool == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_q <= '0;
      wait_q  <= '0;
    end else begin
      wait_q  <= stuck ? wait_q + WaitWidth'(1) : '0;
      fresh_q <= (fresh_q & ~use_i & ~{N{&wait_q}}) | fill_o;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(VictimIsOneHot, $onehot(victim_q))
  `TMA_ASSERT(VictimIsNotHit, start |-> (chosen & hit_i) == '0)
  `TMA_ASSERT(FilledEntryIsEmpty, (fill_o & valid_i) == '0)
  // So whoever drops a barrier as soon as it may does not keep its requests waiting.
  `TMA_ASSERT(FilledEntryIsOfUse, ($past(fill_o) & hit_i & ~use_i) == '0)
  `TMA_COVER(EvictsDirty, state_q == StEvict)
  `TMA_COVER(BothMiss, start && miss_a && miss_b)
  `TMA_COVER(WrittenInRead, state_q == StRead && read_ready_i && written_i)
  `TMA_COVER(WrittenInData, state_q == StData && written_i)
  `TMA_COVER(GivesUpWaiting, &wait_q)

endmodule
