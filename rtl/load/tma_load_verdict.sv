// SPDX-License-Identifier: Apache-2.0
// The fault of a failing beat of a load.
//
// Combinational; with Short of a register, and the fault is there a cycle after the beat. Once it is offered it stays.
// Reset: with Short, to no fault.

module tma_load_verdict
  import tma_pkg::*;
  import tma_load_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                fails_i,   // the beat on offer is the first of its command that fails, not reported
  input  read_beat_t          beat_i,
  input  ctx_t                ctx_i,
  input  logic                first_i,   // it is the first of its burst
  input  logic [LenWidth-1:0] index_i,

  input  logic                may_i,     // a fault may be offered;
  input  logic                held_i,    // it was in the cycle before,
  input  logic                told_i,    // it was taken

  output logic                fault_valid_o,
  input  logic                fault_ready_i,
  output fault_t              fault_o
);

  typedef struct packed {
    logic                dead, none;  // no answer; nobody is there
    origin_t             origin;
    logic [63:0]         base;
    logic                first;
    logic [ChunkIdx-1:0] head;
    logic [LenWidth-1:0] index;
  } found_t;

  found_t found, now;

  assign found = '{dead: beat_i.dead, none: beat_i.resp[0], origin: ctx_i.signal.origin, base: ctx_i.burst.addr,
                   first: first_i, head: ctx_i.burst.head, index: index_i};

  if (Short) begin : g_look
    logic   found_q;
    found_t now_q;

    assign now           = now_q;
    assign fault_valid_o = found_q && !told_i && (held_i || may_i);

    always_ff @(posedge clk_i) found_q <= rst_ni && (fails_i || (fault_valid_o && !fault_ready_i));
    always_ff @(posedge clk_i) if (!held_i && !fault_valid_o) now_q <= found;
  end else begin : g_now
    logic unused;

    assign now           = found;
    assign fault_valid_o = fails_i && (held_i || may_i);
    assign unused        = ^{clk_i, rst_ni, told_i, fault_ready_i};
  end

  assign fault_o.origin  = now.origin;
  assign fault_o.code    = now.dead ? tma_isa_pkg::FaultPortDead
                         : now.none ? tma_isa_pkg::FaultReadDecerr
                                    : tma_isa_pkg::FaultReadSlverr;
  assign fault_o.address = now.base + (now.first ? 64'({now.head, 4'b0}) : 64'(32'(now.index) * DataBytes));

  logic unused_fields;
  assign unused_fields = ^{beat_i, ctx_i};

endmodule
