// SPDX-License-Identifier: Apache-2.0
// Puts together the record of a command that retires. Combinational.
//
// A wait answers whether it has passed, an arrive the state before it, pending_count what its token
// says; all others have nothing to tell but that they left their queue.

module tma_issue_record
  import tma_pkg::*;
  import tma_isa_pkg::*;
(
  // Command
  input  logic [7:0]            opcode_i,
  input  logic [31:0]           tag_i,
  input  queue_t                qid_i,
  input  logic [31:0]           head_i,     // its sequence number

  // Answers
  input  logic                  phase_i,    // of its barrier, before the operation
  input  logic [CountWidth-1:0] pending_i,
  input  logic [CountWidth-1:0] token_i,    // pending count of its state token
  input  logic                  passed_i,   // the wait is satisfied

  output record_t               record_o
);

  always_comb begin
    record_o                 = '0;
    record_o.sequence_number = head_i;
    record_o.queue_number    = 8'(qid_i);
    record_o.tag             = tag_i;
    record_o.kind            = KindRetired;
    case (opcode_i)
      OpSignal: record_o.kind = KindSignal;
      OpMbarrierArrive: begin
        record_o.kind  = KindAnswer;
        record_o.value = 64'({phase_i, pending_i});
      end
      OpMbarrierPendingCount: begin
        record_o.kind  = KindAnswer;
        record_o.value = 64'(token_i);
      end
      OpMbarrierTestWait, OpMbarrierTryWait: begin
        record_o.kind  = KindAnswer;
        record_o.value = 64'(passed_i);
      end
      default: ;
    endcase
  end

endmodule
