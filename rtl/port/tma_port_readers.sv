// SPDX-License-Identifier: Apache-2.0
// Several read clients in front of one read port: addresses in turns, data to the client of its id.
//
//   readers --> round robin --> AR
//           <------------------- R, by the client of the id
//
// Bit c of `Clients[i]` is set when bursts of client c, the upper part of their id, are reader i's. A beat of a
// client that is nobody's is taken. With one reader everything is wires, whatever `Clients` says. Behind a reset, with Short,
// the first reader may go twice.
//
// Throughput: one AR and one R per cycle; a reader that wants one gets AR after NumReaders - 1 others at
// most. Latency: none. `reader_o[i].ar_ready` depends on `ar_valid` of all, `read_o.r_ready` on the id of
// the beat and on `r_ready` of its reader. With Short whose turn it is is in a register, and `ar_ready` depends on that
// and the port alone: a cycle passes before a reader whose turn it is not goes alone. Reset: all.

`include "tma_assert.svh"

module tma_port_readers
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter int unsigned                NumReaders = 1,
  parameter logic [NumReaders-1:0][7:0] Clients    = '1,
  parameter bit                         Short      = ShortPaths
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  read_req_t [NumReaders-1:0]   reader_i,
  output reader_rsp_t [NumReaders-1:0] reader_o,

  output read_req_t                    read_o,
  input  reader_rsp_t                  read_i
);

  if (NumReaders == 1) begin : g_wires
    logic unused_clock;

    assign read_o       = reader_i;
    assign reader_o     = read_i;
    assign unused_clock = clk_i && rst_ni;
  end else begin : g_readers
    localparam int unsigned IndexWidth = $clog2(NumReaders);

    logic [NumReaders-1:0] wants, granted, chosen, comes, waits;
    logic [IndexWidth-1:0] turn, next;
    logic                  passes;  // the turn goes on, if anybody wants it

    tma_rr_arb #(.N(NumReaders)) u_turn (
      .clk_i, .rst_ni, .request_i(wants), .advance_i(passes), .grant_o(chosen), .index_o(next)
    );

    if (Short) begin : g_short
      logic [IndexWidth-1:0] turn_q;

      assign turn    = turn_q;
      assign granted = NumReaders'(1) << turn_q;
      assign passes  = !wants[turn_q] || read_i.ar_ready;

      always_ff @(posedge clk_i) begin
        if (!rst_ni)                     turn_q <= '0;
        else if (passes && chosen != '0) turn_q <= next;
      end
    end else begin : g_at_once
      assign turn    = next;
      assign granted = chosen;
      assign passes  = read_i.ar_ready;
    end

    for (genvar i = 0; i < NumReaders; i++) begin : g_reader
      assign wants[i]    = reader_i[i].ar_valid;
      assign comes[i]    = Clients[i][read_i.r.id[IdWidth-1 -: 3]];
      assign waits[i]    = comes[i] && !reader_i[i].r_ready;
      assign reader_o[i] = '{ar_ready: granted[i] && read_i.ar_ready, r_valid: read_i.r_valid && comes[i],
                             r: read_i.r};

      `TMA_ASSERT(BurstIsItsReaders, wants[i] |-> Clients[i][reader_i[i].ar.id[IdWidth-1 -: 3]])
      `TMA_COVER(WaitsForItsTurn, wants[i] && !granted[i] && read_i.ar_ready)
      `TMA_COVER(DataWaits, read_i.r_valid && waits[i])
    end

    assign read_o = '{ar_valid: (wants & granted) != '0, ar: reader_i[turn].ar, r_ready: waits == '0};

    `TMA_ASSERT(BeatHasAReader, read_i.r_valid |-> (comes & (comes - NumReaders'(1))) == '0 && comes != '0)
  end

endmodule
