// SPDX-License-Identifier: Apache-2.0
// Line accesses of the bridge: bytes of a frame's buffer, at any address and of any number, to and from lines of
// 16 bytes with strobes.
//
//   request's buffer --> byte by byte --> line --> strobes, data
//   answer's buffer  <-- byte by byte <-- line <-- data
//
// A line is written when its last byte is there, and read when its first one is needed. Two cycles per byte to
// memory, one from it, and what the line itself takes. A move is offered until `done_o`, or given up, and its line with
// it: then a reset has to follow before the next one. Reset: control only.

`include "tma_assert.svh"

module tma_board_lines
  import tma_board_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         valid_i,
  input  move_t        move_i,
  input  place_t       first_i,     // of the data in the request
  output logic         done_o,
  output logic         line_done_o, // a line was

  // Buffer of the request: the byte at the place of the cycle before
  output place_t       place_o,
  input  logic [7:0]   byte_i,

  // Buffer of the answer
  output logic         write_o,
  output place_t       write_place_o,
  output logic [7:0]   write_byte_o,

  // Lines, until they are done; where they are, the move says
  output logic         line_valid_o,
  output line_req_t    line_o,
  input  logic         line_done_i,
  input  logic [127:0] line_rdata_i
);

  localparam int unsigned LaneWidth = $clog2(LineBytes);

  typedef enum logic [2:0] {
    StIdle,
    StFetch,  // a byte of the request is read
    StTake,   // and put into the line
    StWrite,  // the line is written
    StRead,   // a line is read
    StGive,   // its bytes are put into the answer
    StDone
  } state_e;

  state_e                state_q;
  logic [31:0]           addr_q;   // of the next byte
  place_t                left_q;   // bytes behind it, and itself
  place_t                place_q;  // of the buffer
  logic [31:LaneWidth]   line_q;   // that is gathered
  logic [127:0]          data_q;
  logic [15:0]           strb_q;
  logic [LaneWidth-1:0]  lane;
  logic                  last, line_ends, moves;

  assign lane      = addr_q[LaneWidth-1:0];
  assign last      = left_q == place_t'(1);
  assign line_ends = last || lane == '1;
  assign moves     = state_q == StTake || state_q == StGive;

  assign done_o        = state_q == StDone;
  assign line_done_o   = line_valid_o && line_done_i;
  assign place_o       = place_q;
  assign write_o       = state_q == StGive;
  assign write_place_o = place_q;
  assign write_byte_o  = data_q[8*lane +: 8];
  assign line_valid_o  = valid_i && (state_q == StWrite || state_q == StRead);
  assign line_o        = '{write: state_q == StWrite, strb: strb_q, wdata: data_q,
                           addr: {state_q == StWrite ? line_q : addr_q[31:LaneWidth], LaneWidth'(0)}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle:  if (valid_i) state_q <= move_i.write ? StFetch : StRead;
        StFetch: state_q <= StTake;
        StTake:  state_q <= line_ends ? StWrite : StFetch;
        StWrite: if (line_done_i) state_q <= left_q == '0 ? StDone : StFetch;
        StRead:  if (line_done_i) state_q <= StGive;
        StGive:  if (line_ends) state_q <= last ? StDone : StRead;
        StDone:  state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      addr_q  <= move_i.offset;
      left_q  <= move_i.bytes;
      place_q <= move_i.write ? first_i : place_t'(Answered);
    end else if (moves) begin
      addr_q  <= addr_q + 32'd1;
      left_q  <= left_q - place_t'(1);
      place_q <= place_q + place_t'(1);
    end
    if (state_q == StIdle || (state_q == StWrite && line_done_i)) strb_q <= '0;
    if (state_q == StTake) begin
      line_q              <= addr_q[31:LaneWidth];
      data_q[8*lane +: 8] <= byte_i;
      strb_q[lane]        <= 1'b1;
    end
    if (state_q == StRead && line_done_i) data_q <= line_rdata_i;
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(MoveIsStable, valid_i && !done_o |=> !valid_i || $stable({move_i, first_i}))
  `TMA_ASSERT(LineIsStable, line_valid_o && !line_done_i |=> !valid_i || (line_valid_o && $stable(line_o)))
  `TMA_ASSERT(MoveHasBytes, valid_i |-> move_i.bytes != '0 && move_i.bytes <= place_t'(MaxData))
  `TMA_ASSERT(WrittenLineHasBytes, state_q == StWrite |-> strb_q != '0)
  `TMA_COVER(PartOfALine, state_q == StWrite && strb_q != '1 && strb_q[0] == 1'b0 && strb_q[15] == 1'b0)
  `TMA_COVER(WholeLine, state_q == StWrite && strb_q == '1)
  `TMA_COVER(WaitsForALine, line_valid_o && !line_done_i)
  `TMA_COVER(ReadEndsInsideOfALine, state_q == StGive && last && lane != '1)

endmodule
