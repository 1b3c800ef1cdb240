// SPDX-License-Identifier: Apache-2.0
// Leads the beats of the read port to those who asked for them.
//
//   R --> beat register --+--> load data
//                         +--> ring fetches
//                         +--> map fetches: always taken
//                         +--> cp.async: always taken
//                         +--> prefetches: dropped, errors counted
//
// One beat per cycle, one cycle of latency. `r_ready_o` depends on the ready of the one whose beat
// is held. A beat for loads whose channel has no context is dropped. Reset: control only.

`include "tma_assert.svh"

module tma_load_beats
  import tma_pkg::*;
#(
  parameter bit Strays = 1'b0  // simulation: more beats may come than bursts have
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       r_valid_i,
  output logic       r_ready_o,
  input  read_beat_t r_i,

  // The beat, for one of these
  output read_beat_t beat_o,
  output logic       load_valid_o,
  input  logic       load_ready_i,
  input  logic [NumChannels-1:0] load_some_i,  // channels with a context
  output logic       ring_valid_o,
  input  logic       ring_ready_i,
  output logic       map_valid_o,
  output logic       cp_valid_o,

  output logic       other_done_o,      // a burst that is no load's has ended
  output logic       prefetch_beat_o,   // of a prefetch, which goes
  output logic       prefetch_error_o
);

  logic       valid_q, goes, is_load, is_ring, is_prefetch, has_context;
  read_beat_t beat_q;
  logic [2:0] client;

  assign client      = beat_q.id[IdWidth-1 -: 3];
  assign is_load     = client == ClientLoad;
  assign is_ring     = client == ClientRing;
  assign is_prefetch = client == ClientPrefetch;

  assign has_context = load_some_i[beat_q.id[$clog2(NumChannels)-1:0]];

  assign goes      = is_load ? load_ready_i || !has_context : is_ring ? ring_ready_i : 1'b1;
  assign r_ready_o = !valid_q || goes;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)        valid_q <= 1'b0;
    else if (r_ready_o) valid_q <= r_valid_i;
  end

  always_ff @(posedge clk_i) if (r_ready_o) beat_q <= r_i;

  assign beat_o           = beat_q;
  assign load_valid_o     = valid_q && is_load && has_context;
  assign ring_valid_o     = valid_q && is_ring;
  assign map_valid_o      = valid_q && client == ClientMap;
  assign cp_valid_o       = valid_q && client == ClientCp;
  assign other_done_o     = valid_q && goes && beat_q.last && !is_load;
  assign prefetch_beat_o  = valid_q && is_prefetch;
  assign prefetch_error_o = valid_q && is_prefetch && (beat_q.dead || beat_q.resp[1]);

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(BeatHasAClient, valid_q |->
      is_load || is_ring || is_prefetch || client == ClientCp || client == ClientMap)
  if (Strays) begin : g_strays
    `TMA_COVER(BeatWithoutAContext, valid_q && is_load && !has_context)
  end else begin : g_no_strays
    `TMA_ASSERT(BeatHasAContext, valid_q && is_load |-> has_context)
  end
  `TMA_ASSERT_STABLE(RingBeatIsStable, ring_valid_o, ring_ready_i, beat_o)
  `TMA_COVER(Interleaves, valid_q && !beat_q.last && r_valid_i && r_i.id != beat_q.id)

endmodule
