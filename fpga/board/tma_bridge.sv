// SPDX-License-Identifier: Apache-2.0
// The bridge: carries out the requests of the line, one at a time, and has them answered.
//
//   request --> front --> check --> access, wait, reset --> answer's buffer --> send
//
// Nothing happens twice: a request with the number of the last one that was carried out has that one's answer sent
// once more. An access that gets no further for 2^16 cycles is given up; from then on none is tried until RESET,
// which resets whom it waited for as well. Reset: control only.

`include "tma_assert.svh"

module tma_bridge
  import tma_board_pkg::*;
#(
  parameter int unsigned ClockHz     = 50_000_000,
  parameter int unsigned MemoryBytes = 1 << 18,
  parameter int unsigned NumCtas     = 2,
  parameter int unsigned SmemBytes   = 1 << 14
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Requests, and that a frame was bad
  input  logic        request_valid_i,
  input  place_t      request_bytes_i,
  output logic        request_done_o,
  output place_t      request_place_o,
  input  logic [7:0]  request_byte_i,   // the cycle after its place
  input  logic        bad_i,

  // Answers
  output logic        write_o,
  output place_t      write_place_o,
  output logic [7:0]  write_byte_o,
  output logic        send_valid_o,
  input  logic        send_ready_i,     // nothing is being sent
  output logic        send_bad_o,
  output place_t      send_bytes_o,

  // Register access
  output logic        reg_valid_o,
  output reg_req_t    reg_o,
  input  logic        reg_done_i,
  input  logic        reg_error_i,
  input  logic [31:0] reg_rdata_i,

  // Line accesses: buffers are theirs meanwhile
  output logic        move_valid_o,
  output move_t       move_o,
  output place_t      first_o,
  input  logic        move_done_i,
  input  logic        move_line_done_i,
  input  place_t      move_place_i,
  input  logic        move_write_i,
  input  place_t      move_write_place_i,
  input  logic [7:0]  move_write_byte_i,

  input  logic        irq_i,
  output logic        reset_o,          // one cycle
  input  logic        reset_done_i,
  output logic        trouble_o         // the last answer had a status that is not OKAY
);

  typedef enum logic [3:0] {
    StIdle,
    StFetch,   // a byte of the front is read
    StTake,    // and taken
    StCheck,   // is it new, may it be?
    StReg,
    StMove,
    StWait,
    StReset,   // the reset begins
    StReset2,  // and ends
    StResult,  // results of those that read no memory
    StHead,    // the front of the answer
    StSend,
    StBad      // the answer to a bad frame
  } state_e;

  state_e      state_q;
  head_t       head_q;
  logic        bad_q;        // a bad frame is to be answered
  logic        known_q;      // there is a last number
  logic [7:0]  number_q;     // it
  logic        stuck_q;
  logic [15:0] patience_q;   // cycles without progress
  status_e     status_q;
  logic        failed_q;     // the status of the answer that is kept is not OKAY
  logic        irq_q;
  logic [31:0] rdata_q;
  logic [4:0]  index_q;
  place_t      length_q;     // of the answer

  status_e     checked;
  logic        is_reg, is_move, again, access, gives_up;
  place_t      results, moved;
  logic [7:0]  result, status_byte;

  tma_bridge_check #(.MemoryBytes(MemoryBytes), .NumCtas(NumCtas), .SmemBytes(SmemBytes)) u_check (
    .head_i(head_q), .bytes_i(request_bytes_i), .status_o(checked), .reg_o(is_reg), .reg_req_o(reg_o),
    .move_o(is_move), .move_req_o(move_o), .first_o
  );

  tma_bridge_results #(.ClockHz(ClockHz), .MemoryBytes(MemoryBytes)) u_results (
    .head_i(head_q), .rdata_i(rdata_q), .irq_i(irq_q), .index_i(index_q), .bytes_o(results), .byte_o(result)
  );

  logic wait_done;

  tma_bridge_wait #(.ClockHz(ClockHz)) u_wait (
    .clk_i, .rst_ni, .valid_i(state_q == StWait), .us_i(head_q.operands[31:0]), .irq_i, .done_o(wait_done)
  );

  assign again    = known_q && head_q.sequence_number == number_q && head_q.op != OpHello;
  assign access   = is_reg || is_move;
  assign gives_up = patience_q == '1;
  assign moved    = is_move && !move_o.write ? move_o.bytes : '0;

  assign reg_valid_o  = state_q == StReg;
  assign move_valid_o = state_q == StMove;
  assign reset_o      = state_q == StReset;

  ///////////
  // Order //
  ///////////

  logic last_result, last_head, answers;

  assign last_result = place_t'(index_q) + place_t'(1) == results;
  assign last_head   = index_q == 5'(Answered - 1);
  assign answers     = state_q == StHead && last_head;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      unique case (state_q)
        StIdle: if (send_ready_i) begin
          if (request_valid_i) state_q <= StFetch;
          else if (bad_q)      state_q <= StBad;
        end
        StFetch: state_q <= StTake;
        StTake:  state_q <= index_q == 5'(HeadBytes - 1) ? StCheck : StFetch;
        StCheck: begin
          if (again)                        state_q <= StSend;
          else if (checked != StatusOkay)   state_q <= StHead;
          else if (access && stuck_q)       state_q <= StHead;
          else if (is_reg)                  state_q <= StReg;
          else if (is_move)                 state_q <= StMove;
          else if (head_q.op == OpWait)     state_q <= StWait;
          else if (head_q.op == OpReset)    state_q <= StReset;
          else                              state_q <= StResult;
        end
        StReg: begin
          if (reg_done_i)    state_q <= reg_o.write || reg_error_i ? StHead : StResult;
          else if (gives_up) state_q <= StHead;
        end
        StMove:   if (move_done_i || gives_up) state_q <= StHead;
        StWait:   if (wait_done) state_q <= StResult;
        StReset:  state_q <= StReset2;
        StReset2: if (reset_done_i) state_q <= StHead;
        StResult: if (last_result) state_q <= StHead;
        StHead:   if (last_head) state_q <= StSend;
        StSend:   state_q <= StIdle;
        StBad:    state_q <= StIdle;
        default:  state_q <= StIdle;
      endcase
    end
  end

  // A number is the last one as soon as its answer can be sent.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bad_q   <= 1'b0;
      known_q <= 1'b0;
      stuck_q <= 1'b0;
    end else begin
      bad_q <= bad_i || (bad_q && state_q != StBad);
      if (answers) known_q <= head_q.op != OpReset || status_q != StatusOkay;
      if (state_q == StReset) stuck_q <= 1'b0;
      else if ((state_q == StReg || state_q == StMove) && gives_up && !reg_done_i && !move_done_i) stuck_q <= 1'b1;
    end
  end

  // An answer that is sent once more is the last one again.
  always_ff @(posedge clk_i) begin
    if (answers) failed_q <= status_q != StatusOkay;
    if (!rst_ni)                 trouble_o <= 1'b0;
    else if (state_q == StSend)  trouble_o <= failed_q;
    else if (state_q == StBad)   trouble_o <= 1'b1;
  end

  //////////
  // Data //
  //////////

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StTake, StResult: index_q <= index_q + 5'd1;
      StFetch:          index_q <= index_q;
      StHead:           index_q <= index_q + 5'd1;
      default:          index_q <= '0;
    endcase
    // The next user begins at 0.
    if (state_q == StResult && last_result) index_q <= '0;
    if (state_q == StTake) head_q <= {place_t'(index_q) < request_bytes_i ? request_byte_i : 8'h0, head_q[95:8]};

    if (state_q == StReg || state_q == StMove) patience_q <= move_line_done_i ? '0 : patience_q + 16'd1;
    else                                       patience_q <= '0;
    if (state_q == StReg)                      rdata_q <= reg_rdata_i;
    if (state_q == StWait)                     irq_q   <= irq_i;
    if (answers)                               number_q <= head_q.sequence_number;

    unique case (state_q)
      StCheck: status_q <= checked == StatusOkay && access && stuck_q ? StatusStuck : checked;
      StReg: begin
        if (reg_done_i)    status_q <= reg_error_i ? StatusRefused : StatusOkay;
        else if (gives_up) status_q <= StatusStuck;
      end
      StMove: if (gives_up && !move_done_i) status_q <= StatusStuck;
      default: ;
    endcase
    if (answers) length_q <= place_t'(Answered) + (status_q == StatusOkay ? results + moved : '0);
  end

  /////////////
  // Buffers //
  /////////////

  assign status_byte     = status_q;
  assign request_place_o = state_q == StMove ? move_place_i : place_t'(index_q);
  assign request_done_o  = state_q == StSend;

  always_comb begin
    write_o       = 1'b0;
    write_place_o = place_t'(index_q);
    write_byte_o  = result;
    unique case (state_q)
      StMove: begin
        write_o       = move_write_i;
        write_place_o = move_write_place_i;
        write_byte_o  = move_write_byte_i;
      end
      StResult: begin
        write_o       = 1'b1;
        write_place_o = place_t'(index_q) + place_t'(Answered);
      end
      StHead: begin
        write_o = 1'b1;
        unique case (index_q[1:0])
          2'd0:    write_byte_o = head_q.sequence_number;
          2'd1:    write_byte_o = {1'b1, head_q.op[6:0]};
          default: write_byte_o = status_byte;
        endcase
      end
      default: ;
    endcase
  end

  assign send_valid_o = state_q == StSend || state_q == StBad;
  assign send_bad_o   = state_q == StBad;
  assign send_bytes_o = length_q;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SenderIsFree, send_valid_o |-> send_ready_i)
  `TMA_ASSERT(AccessIsAllowed, reg_valid_o || move_valid_o |-> !stuck_q && checked == StatusOkay)
  `TMA_COVER(SentAgain, state_q == StCheck && again)
  `TMA_COVER(NumberAfterReset, state_q == StCheck && !known_q && head_q.sequence_number == number_q)
  `TMA_COVER(GivesUpARegister, state_q == StReg && gives_up)
  `TMA_COVER(GivesUpALine, state_q == StMove && gives_up)
  `TMA_COVER(StuckStays, state_q == StCheck && !again && checked == StatusOkay && access && stuck_q)
  `TMA_COVER(BadWhileSending, bad_i && !send_ready_i)
  `TMA_COVER(Refused, state_q == StReg && reg_done_i && reg_error_i)

endmodule
