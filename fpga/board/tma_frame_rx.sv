// SPDX-License-Identifier: Apache-2.0
// Receiver of frames: flags, escapes, FCS, and the buffer that holds the last good one.
//
//   bytes --> escapes --> buffer --> place_i, byte_o
//                  \----> FCS, length --> request_valid_o or bad_o
//
// A good frame stays until `done_i`; what comes meanwhile is not looked at, up to the next flag behind it. A frame
// that is bad is gone; `bad_o` says so for one cycle. What comes before the first flag is no frame.
//
// `byte_o` is the byte at the place of the cycle before. Reset: control only.

`include "tma_assert.svh"

module tma_frame_rx
  import tma_board_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  // From the line
  input  logic       valid_i,
  input  logic       error_i,  // with it: no byte, and its frame is bad
  input  logic [7:0] byte_i,

  // A good frame, without its FCS
  output logic       request_valid_o,
  output place_t     request_bytes_o,
  input  logic       done_i,
  input  place_t     place_i,
  output logic [7:0] byte_o,

  output logic       bad_o
);

  localparam int unsigned MinFrame = 2 + FcsBytes;
  localparam int unsigned MaxFrame = MaxRequest + FcsBytes;

  logic        held_q;    // a good frame is in the buffer
  logic        inside_q;  // behind a flag, and all since then was looked at
  logic        escape_q;  // the last byte was an escape
  logic        bad_q;     // what has come cannot be good
  place_t      count_q;   // bytes since the flag
  place_t      bytes_q;
  logic [31:0] fcs_q;
  logic        flag, plain, ends, good, store, full;
  logic [7:0]  data;

  assign flag  = valid_i && !error_i && byte_i == Flag;
  assign plain = valid_i && !error_i && byte_i != Flag && (byte_i != Escape || escape_q);
  assign data  = escape_q ? byte_i ^ Flip : byte_i;
  assign full  = count_q == place_t'(MaxFrame);
  assign ends  = flag && inside_q && !held_q && (count_q != '0 || bad_q || escape_q);
  assign good  = !bad_q && !escape_q && count_q >= place_t'(MinFrame) && fcs_q == FcsGood;
  assign store = plain && inside_q && !held_q && !full;
  assign bad_o = ends && !good;

  assign request_valid_o = held_q;
  assign request_bytes_o = bytes_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q   <= 1'b0;
      inside_q <= 1'b0;
    end else begin
      if (ends && good) held_q <= 1'b1;
      else if (done_i)  held_q <= 1'b0;
      if (flag)                   inside_q <= 1'b1;
      else if (valid_i && held_q) inside_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ends) bytes_q <= count_q - place_t'(FcsBytes);
    if (flag) begin
      count_q  <= '0;
      escape_q <= 1'b0;
      bad_q    <= 1'b0;
      fcs_q    <= FcsStart;
    end else if (valid_i) begin
      escape_q <= !plain && !error_i;
      if (error_i || (plain && full)) bad_q <= 1'b1;
      if (store) begin
        count_q <= count_q + place_t'(1);
        fcs_q   <= fcs_next(fcs_q, data);
      end
    end
  end

  tma_ram_1r1w_sync #(.Width(8), .Depth(FrameBytes)) u_buffer (
    .clk_i, .we_i(store), .waddr_i(count_q), .wdata_i(data), .re_i(held_q), .raddr_i(place_i), .rdata_o(byte_o)
  );

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(DoneIsOfARequest, done_i |-> request_valid_o)
  `TMA_ASSERT(RequestStays, request_valid_o && !done_i |=> request_valid_o && $stable(request_bytes_o))
  `TMA_COVER(Longest, ends && good && count_q == place_t'(MaxFrame))
  `TMA_COVER(TooLong, ends && bad_q && full)
  `TMA_COVER(TooShort, ends && count_q < place_t'(MinFrame) && !bad_q && !escape_q)
  `TMA_COVER(WrongFcs, ends && count_q >= place_t'(MinFrame) && !bad_q && !escape_q && fcs_q != FcsGood)
  `TMA_COVER(EscapedFlag, ends && escape_q)
  `TMA_COVER(NoStopBit, ends && bad_q && !full)
  `TMA_COVER(EmptyFrame, flag && inside_q && !held_q && !ends)
  `TMA_COVER(FlagWhileHeld, flag && held_q)
  `TMA_COVER(ByteWhileHeld, plain && held_q && inside_q)
  `TMA_COVER(BeforeAFlag, plain && !held_q && !inside_q)

endmodule
