// SPDX-License-Identifier: Apache-2.0
// Sender of frames: a flag, the buffer's bytes or a fixed few, their FCS, a flag.
//
// The buffer keeps what it holds, so an answer can be sent once more. The answer to a bad frame is sent beside it.
// Two cycles between bytes, which a line of 40 and more per byte does not notice. Reset: control only.

`include "tma_assert.svh"

module tma_frame_tx
  import tma_board_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  // Bytes of the answer
  input  logic       write_i,
  input  place_t     write_place_i,
  input  logic [7:0] write_byte_i,

  // Frames to be sent
  input  logic       send_valid_i,
  output logic       send_ready_o,   // nothing is being sent
  input  logic       send_bad_i,     // the answer to a bad frame, else the buffer
  input  place_t     send_bytes_i,

  // To the line
  output logic       valid_o,
  input  logic       ready_i,
  output logic [7:0] byte_o
);

  typedef enum logic [2:0] {
    StIdle,
    StOpen,    // the flag in front
    StFetch,   // the buffer is read
    StByte,    // a byte, or the escape in front of it
    StEscaped, // a byte behind its escape
    StClose    // the flag behind
  } state_e;

  // A bad frame's answer: sequence number 0, operation 0xFF, and why.
  localparam logic [8*Answered-1:0] Bad = {StatusFrame, 8'hFF, 8'h00};

  state_e      state_q;
  logic        bad_q, special, taken, is_fcs, is_last;
  place_t      bytes_q, index_q;
  logic [31:0] fcs_q;
  logic [7:0]  stored, data;
  logic [1:0]  behind;   // bytes of the FCS before this one

  assign behind  = 2'(index_q - bytes_q);
  assign is_fcs  = index_q >= bytes_q;
  assign is_last = index_q == bytes_q + place_t'(FcsBytes - 1);
  assign special = data == Flag || data == Escape;
  assign taken   = valid_o && ready_i;

  always_comb begin
    data = stored;
    if (bad_q)  data = Bad[8*index_q[1:0] +: 8];
    if (is_fcs) data = ~fcs_q[8*behind +: 8];
  end

  assign send_ready_o = state_q == StIdle;
  assign valid_o      = state_q != StIdle && state_q != StFetch;

  always_comb begin
    unique case (state_q)
      StByte:    byte_o = special ? Escape : data;
      StEscaped: byte_o = data ^ Flip;
      default:   byte_o = Flag;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:    if (send_valid_i) state_q <= StOpen;
        StOpen:    if (taken) state_q <= StFetch;
        StFetch:   state_q <= StByte;
        StByte:    if (taken) state_q <= special ? StEscaped : is_last ? StClose : StFetch;
        StEscaped: if (taken) state_q <= is_last ? StClose : StFetch;
        StClose:   if (taken) state_q <= StIdle;
        default:   state_q <= StIdle;
      endcase
    end
  end

  logic next;

  assign next = taken && ((state_q == StByte && !special) || state_q == StEscaped);

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      bad_q   <= send_bad_i;
      bytes_q <= send_bad_i ? place_t'(Answered) : send_bytes_i;
      index_q <= '0;
      fcs_q   <= FcsStart;
    end else if (next) begin
      index_q <= index_q + place_t'(1);
      if (!is_fcs) fcs_q <= fcs_next(fcs_q, data);
    end
  end

  tma_ram_1r1w_sync #(.Width(8), .Depth(FrameBytes)) u_buffer (
    .clk_i, .we_i(write_i), .waddr_i(write_place_i), .wdata_i(write_byte_i),
    .re_i(state_q == StFetch), .raddr_i(index_q), .rdata_o(stored)
  );

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(ByteIsStable, valid_o, ready_i, byte_o)
  `TMA_ASSERT(AnswerStaysWhileSent, write_i |-> send_ready_o)
  `TMA_COVER(EscapedByte, state_q == StEscaped && !is_fcs)
  `TMA_COVER(EscapedFcs, state_q == StEscaped && is_fcs)
  `TMA_COVER(EscapedEnd, state_q == StEscaped && is_last)
  `TMA_COVER(AnswerToABadFrame, state_q == StClose && bad_q)

endmodule
