// SPDX-License-Identifier: Apache-2.0
// Decides whether a command can take effect now, and what it waits for if not. Combinational.
//
// Room for its record comes first: a command that cannot tell what became of it does not begin. Its
// own condition is looked at when it could go on at once.

module tma_issue_wait
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
(
  // Command
  input  logic [7:0]  opcode_i,
  input  logic [15:0] flags_i,
  input  logic [5:0]  most_i,           // groups that may be pending, by its count; 63 for all more
  input  logic [31:0] tx_i,
  input  cta_t        cta_i,            // of its barrier
  input  logic        passed_i,         // its barrier wait is satisfied
  input  logic        expired_i,        // its limit is over

  // Its queue
  input  logic        record_room_i,
  input  logic        groups_wait_i,    // groups that it asks for are not done

  output logic        records_o,        // it writes a record
  output logic        no_room_o,        // for that
  output logic        waits_o,
  output wait_t       wait_o
);

  logic no_room, unsatisfied;

  assign records_o = answers(opcode_i) || flags_i[FlagRecord];
  assign no_room   = records_o && !record_room_i;
  assign no_room_o = no_room;

  always_comb begin
    unsatisfied   = groups_wait_i;
    wait_o.kind   = WaitBarrier;
    wait_o.groups = most_i;
    wait_o.cta    = cta_i;
    wait_o.limit  = tx_i;
    case (opcode_i)
      OpBulkCommitGroup: begin
        wait_o.kind   = WaitWrite;
        wait_o.groups = 6'(GroupSlots - 1);
      end
      OpBulkWaitGroup: wait_o.kind = flags_i[FlagRead] ? WaitRead : WaitWrite;
      OpCpAsyncCommitGroup: begin
        wait_o.kind   = WaitCp;
        wait_o.groups = 6'(GroupSlots - 1);
      end
      OpCpAsyncWaitGroup: wait_o.kind = WaitCp;
      OpCpAsyncWaitAll:   wait_o.kind = WaitCpAll;
      OpMbarrierTryWait: unsatisfied = !passed_i && tx_i != '0 && !expired_i;
      default: ;
    endcase
    if (no_room) wait_o.kind = WaitRoom;
  end

  assign waits_o = no_room || unsatisfied;

  logic unused;
  assign unused = ^flags_i;

endmodule
