// SPDX-License-Identifier: Apache-2.0
// Types inside the ring front end.
package tma_ring_pkg;

  import tma_pkg::*;

  localparam int unsigned SlotShift  = 6;   // log2 of a command's bytes
  localparam int unsigned MaxSlots   = 16;  // log2 of the slots of the largest ring
  localparam int unsigned MaxFetches = 16;  // fetches under way, of all queues

  // Commands of one fetch. Fetches end at multiples of it, which divides every ring and every page:
  // so none crosses a page or the ring's end.
  localparam int unsigned FetchCmds = RingDepth / 4 < 16 ? RingDepth / 4 : 16;

  // Sequence numbers within a ring: of two of them, their distance tells which comes first.
  localparam int unsigned SeqWidth   = MaxSlots + 2;
  localparam int unsigned PlaceWidth = $clog2(RingDepth);
  localparam int unsigned NumWidth   = $clog2(FetchCmds + 1);

  typedef logic [SeqWidth-1:0]   seq_t;
  typedef logic [PlaceWidth-1:0] place_t;  // of a command in its queue's part of the buffer
  typedef logic [NumWidth-1:0]   num_t;    // commands of a fetch

  // A beat holds several commands, or a command comes in several beats.
  localparam int unsigned BeatCmds = DataWidth > 512 ? DataWidth / 512 : 1;
  localparam int unsigned CmdBeats = DataWidth < 512 ? 512 / DataWidth : 1;

endpackage
