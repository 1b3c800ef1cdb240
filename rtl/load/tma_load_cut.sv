// SPDX-License-Identifier: Apache-2.0
// Ends of commands: the last burst of one that went well, and what is due for one that is cut short.
//
// A row that the windows deny, or the fault of a tensor copy, steps aside until all bursts of its
// channel are over: an earlier one of the command may still come back with an error, whose address is
// lower, and which then takes its place; no row of another one comes before (`hold_o`). Fill of the
// command that is still to be written is in flight on its own account. An error is known before its
// burst counts as over, so it never meets a fault that is offered.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_load_cut
  import tma_pkg::*;
  import tma_load_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  item_t       item_i,         // newest command
  input  logic        last_i,         // its last burst goes
  input  logic        denied_i,       // its row in the guard is denied, or is its fault
  input  logic [63:0] addr_i,         // of that row
  input  logic        failed_i,       // an error of its bursts takes effect,
  input  logic        left_i,         // and there is more of it
  input  logic        empty_i,        // its channel has no burst

  output logic        hold_o,         // no rows for now
  output logic        drop_o,         // drop the rest of the command
  output logic        error_hold_o,   // no error for now
  output logic        denied_o,       // one is to be reported

  output logic        fault_valid_o,
  input  logic        fault_ready_i,
  output fault_t      fault_o,

  // A command is over, once
  output logic        done_o,
  output queue_t      done_queue_o,
  output logic        idle_o
);

  logic        deny_q, short_q, reported, ends, short_done;
  logic [63:0] deny_addr_q;
  queue_t      short_queue_q;

  ////////////
  // Denied //
  ////////////

  assign reported = fault_valid_o && fault_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                   deny_q <= 1'b0;
    else if (denied_i)             deny_q <= 1'b1;
    else if (failed_i || reported) deny_q <= 1'b0;
  end

  always_ff @(posedge clk_i) if (!deny_q) deny_addr_q <= addr_i;

  assign denied_o      = deny_q;
  assign fault_valid_o = deny_q && (item_i.client == ClientPrefetch || empty_i);
  assign fault_o       = '{origin: item_i.signal.origin,
                           code: item_i.fault != tma_isa_pkg::FaultNone
                               ? item_i.fault : tma_isa_pkg::FaultWindowRead,
                           address: deny_addr_q};

  ///////////////////////
  // Ended by an error //
  ///////////////////////

  // Until it is over there is no other error, and no row behind the one in the guard.
  assign ends       = last_i || reported;
  assign short_done = short_q && !ends;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                               short_q <= 1'b0;
    else if (failed_i && (left_i || deny_q))   short_q <= 1'b1;
    else if (short_done)                       short_q <= 1'b0;
  end

  always_ff @(posedge clk_i) if (!short_q) short_queue_q <= item_i.signal.origin.qid;

  // With ShortPaths the guard takes no row in the cycle of a denial, and the rest may be dropped a cycle later.
  logic denied;

  if (ShortPaths) begin : g_late
    always_ff @(posedge clk_i) denied <= rst_ni && denied_i;
  end else begin : g_now
    assign denied = denied_i;
  end

  assign drop_o       = failed_i || denied;
  assign hold_o       = deny_q || short_q || (denied_i && !ShortPaths);
  assign error_hold_o = short_q;
  assign done_o       = ends || short_done;
  assign done_queue_o = ends ? item_i.signal.origin.qid : short_queue_q;
  assign idle_o       = !deny_q && !short_q;

  // What else there is of the command.
  logic unused_item;
  assign unused_item = ^item_i;

  `TMA_ASSERT(OneAtATime, failed_i |-> !short_q)
  `TMA_ASSERT(ErrorComesFirst, failed_i |-> !fault_valid_o)
  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_COVER(ErrorOfADenied, failed_i && deny_q)
  `TMA_COVER(ErrorBesideAnEnd, short_q && ends)

endmodule
