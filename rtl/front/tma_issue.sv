// SPDX-License-Identifier: Apache-2.0
// Issues checked commands, in program order of their queue: the one place where a command takes
// effect, waits, or faults.
//
//   issue_i --> issue register --> barrier unit(s), same cycle --> paths, groups, answers
//                                                            \--> fault, or sleep: flush the queue
//
// One command per cycle. The register waits only for barriers that are not resident, each by itself. The
// paths and the answer FIFO have room for whatever was picked, see tma_cmd_queue. A multicast of no bytes
// has its barriers checked first; it retires, and stays here until each of them has its complete_tx(0).
// A command that faults or must wait does not retire: its queue is flushed, and picked again from
// that command on when it wakes. A fault comes before a wait: who waits has nothing to report yet.
//
// Short: a command asks its barriers from its second cycle on, and does what they answer in the cycle behind; what it did
// to them stays, whatever becomes of its queue in between. Its groups are those of the cycle in which it comes.
//
// Latency: it takes effect in the cycle after `issue_i`. `ready_o` depends on `bar_ready_i` and `fault_ready_i`; Short: on
// the latter, the register takes a command when it is empty or its barriers have answered. Reset: control only.

`include "tma_assert.svh"

module tma_issue
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
  import tma_path_pkg::*;
#(
  parameter bit Short = ShortPaths  // paths of few gates, for cycles
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  // Checked commands in
  input  logic                            valid_i,
  output logic                            ready_o,
  input  issue_t                          issue_i,

  // Life of the queues
  input  logic [NumQueues-1:0]            enable_i,
  input  logic [NumQueues-1:0]            stopped_i,
  input  logic [NumQueues-1:0]            resume_i,       // pulse: go on with command resume_index_i
  input  logic [31:0]                     resume_index_i,
  input  logic [NumQueues-1:0]            cancel_i,       // pulse: end the queue's wait

  // To the command queues
  output logic                            retire_o,
  output logic                            flush_o,
  output queue_t                          queue_o,        // of these and of groups, copies, answers
  output logic [NumQueues-1:0]            asleep_o,
  output logic [NumQueues-1:0]            waiting_o,
  output logic [NumQueues-1:0]            full_o,         // waiting for room for a record
  output logic [NumQueues-1:0]            issuing_o,      // a command is held here
  output logic [NumQueues-1:0][31:0]      head_o,         // sequence number of the next command

  // Barrier units: one request for every CTA of the mask
  output logic [NumCtas-1:0]              bar_valid_o,
  input  logic [NumCtas-1:0]              bar_ready_i,
  output logic                            bar_again_o,    // the request is that of the cycle before
  output bar_req_t                        bar_req_o,
  output logic                            bar_commit_o,   // take effect, where ready and without a fault
  input  bar_rsp_t [NumCtas-1:0]          bar_rsp_i,
  input  logic [NumCtas-1:0]              bar_update_i,

  // Groups
  output group_req_t                      group_o,
  input  group_state_t                    group_i,

  // Paths
  output path_cmd_t                       path_o,
  output logic                            copy_o,         // one goes to a path, not a bulk prefetch

  // Records and faults
  input  logic [NumQueues-1:0]            record_room_i,  // one more record of the queue fits
  output logic                            ans_valid_o,
  output record_t                         ans_o,
  output logic                            fault_valid_o,
  input  logic                            fault_ready_i,
  output fault_t                          fault_o
);

  ////////////////////
  // Issue register //
  ////////////////////

  logic                 valid_q, done, turn, ends, groups_wait;
  issue_t               iss;
  command_t             cmd;
  logic [5:0]           most_q;   // its count, if it is one of groups: GroupSlots at most are pending
  queue_t               qid;
  logic [NumQueues-1:0] live;  // commands that are here may still take effect

  assign cmd       = iss.cmd;
  assign qid       = iss.qid;
  assign live      = enable_i & ~resume_i;
  assign ready_o   = !valid_q || (Short ? ends : done);
  assign queue_o   = qid;
  assign issuing_o = NumQueues'(valid_q) << qid;

  // A flush also drops the same queue's command that is about to come in; so do disable and resume.
  always_ff @(posedge clk_i) begin
    if (!rst_ni)      valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i && live[issue_i.qid] &&
                                 !(flush_o && issue_i.qid == qid);
    else if (done)    valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (ready_o) most_q <= issue_i.cmd.count[31:6] != '0 ? '1 : issue_i.cmd.count[5:0];
    if (ready_o) iss <= issue_i;
    else if (turn) iss.bar_op <= BarComplete;
  end

  tma_issue_groups #(.Short(Short)) u_groups (
    .clk_i, .take_i(ready_o), .next_i(issue_i), .here_i(iss), .group_i, .waits_o(groups_wait)
  );

  ///////////////////////
  // Barrier operation //
  ///////////////////////

  logic                  halted, clean, bar_ready, bar_bad, held_q, begun_q, dead_q, tail_q;
  fault_e                bar_fault;
  logic [7:0]            bar_fault_rank;
  logic                  bar_phase;
  logic [CountWidth-1:0] bar_pending;

  // A stopped queue takes its commands back, but for one that was held up. A command whose queue was
  // disabled or resumed, be it for one cycle, leaves no trace; a request to barrier units still ends. So do
  // signals of one that has retired (`tail_q`); where somebody has overwritten the barrier, they were before.
  assign halted = tail_q || dead_q || !live[qid] || (stopped_i[qid] && !held_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q  <= 1'b0;
      begun_q <= 1'b0;
      dead_q  <= 1'b0;
      tail_q  <= 1'b0;
    end else begin
      held_q  <= valid_q && !done;
      begun_q <= clean && !done && !turn;
      tail_q  <= valid_q && !done && (tail_q || turn);
      dead_q  <= valid_q && !done && (dead_q || !live[qid]);
    end
  end

  tma_issue_barrier #(.Short(Short)) u_barrier (
    .clk_i, .rst_ni, .op_i(iss.bar_op), .flags_i(cmd.flags), .barrier_i(cmd.barrier[OffWidth-1:0]),
    .count_i(cmd.count[CountWidth-1:0]), .tx_i(cmd.tx[CountWidth-1:0]),
    .ctas_i(iss.ctas), .enable_i(Short ? begun_q : clean), .tail_i(tail_q), .end_i(done || turn),
    .bar_valid_o, .bar_ready_i, .bar_req_o, .bar_rsp_i,
    .ready_o(bar_ready), .bad_o(bar_bad), .fault_o(bar_fault), .fault_rank_o(bar_fault_rank),
    .phase_o(bar_phase), .pending_o(bar_pending)
  );

  //////////////////////
  // Last state token //
  //////////////////////

  logic                state_valid, no_state, passed;
  logic [CountWidth:0] state, token;  // {phase, pending}

  tma_issue_queue u_queue (
    .clk_i, .rst_ni, .enable_i, .resume_i, .resume_index_i,
    .retire_i(retire_o), .arrive_i(cmd.opcode == OpMbarrierArrive), .queue_i(qid),
    .state_i({bar_phase, bar_pending}), .head_o, .state_valid_o(state_valid), .state_o(state)
  );

  assign no_state = cmd.flags[FlagLastState] && !state_valid;
  assign token    = cmd.flags[FlagLastState] ? state : cmd.global_address[CountWidth:0];
  assign passed   = bar_phase != (cmd.flags[FlagParity] ? cmd.count[0] : token[CountWidth]);

  ///////////////////
  // Does it wait? //
  ///////////////////

  logic                 waits, no_room, records, sleeps;
  wait_t                wait_for;
  logic [NumQueues-1:0] expired, cancelled, cancel, cancel_target;

  // Short: room that a command had as it asked its barriers stays, but for the record of a fault.
  logic room_q, room;

  always_ff @(posedge clk_i) if (!begun_q) room_q <= record_room_i[qid];

  assign room = Short && begun_q ? room_q : record_room_i[qid];

  tma_issue_wait u_condition (
    .opcode_i(cmd.opcode), .flags_i(cmd.flags), .most_i(most_q), .tx_i(cmd.tx),
    .cta_i(cmd.barrier[24 +: CtaWidth]), .passed_i(passed), .expired_i(expired[qid]),
    .record_room_i(room), .groups_wait_i(groups_wait),
    .records_o(records), .no_room_o(no_room), .waits_o(waits), .wait_o(wait_for)
  );

  // That it retires is known late.
  assign cancel_target = NumQueues'(cmd.opcode == OpCancel) << cmd.count[QueueWidth-1:0];
  assign cancel        = cancel_i | (cancel_target & {NumQueues{retire_o}});

  tma_wait #(.Short(Short)) u_wait (
    .clk_i, .rst_ni,
    .sleep_i(sleeps), .sleep_queue_i(qid), .here_i(issuing_o), .sleep_for_i(wait_for),
    .clear_i((issuing_o & {NumQueues{retire_o}}) | stopped_i | ~live), .cancel_i(cancel),
    .bar_update_i, .pending_read_i(group_i.pending_read), .pending_write_i(group_i.pending_write),
    .cp_pending_i(group_i.cp_pending), .cp_busy_i(group_i.cp_busy), .record_room_i,
    .asleep_o, .expired_o(expired), .cancelled_o(cancelled), .waiting_o, .full_o
  );

  /////////////
  // Outcome //
  /////////////

  logic        answered, faults, fine;
  fault_e      fault;
  logic [63:0] fault_addr;

  always_comb begin
    fault      = iss.fault;
    fault_addr = iss.fault_addr;
    if (iss.fault == FaultNone) begin
      if (no_state) begin
        fault      = FaultNoState;
        fault_addr = cmd[63:0];
      end else if (bar_bad) begin
        fault      = bar_fault;
        fault_addr = 64'({bar_fault_rank, cmd.barrier[23:0]});
      end else begin
        // The only one that is left, if there is one.
        fault      = FaultCancelled;
        fault_addr = cmd[63:0];
      end
    end
  end

  assign fine     = iss.fault == FaultNone && !no_state && !bar_bad;
  assign clean    = valid_q && (begun_q || tail_q || (!halted && iss.fault == FaultNone && !no_state));
  assign answered = valid_q && (!clean || bar_ready);
  assign faults   = answered && !halted && (!fine || (waits && cancelled[qid]));
  assign sleeps   = valid_q && bar_ready && !halted && fine && waits && !cancelled[qid];
  assign done     = answered && !turn && (!faults || fault_ready_i);

  // That it is done is known early of a command that its barriers have answered, unless it may signal them.
  assign ends = begun_q && bar_ready && !tail_q && !(iss.bar_op == BarCheck && cmd.flags[FlagMulticast]) && fault_ready_i;

  assign retire_o     = valid_q && bar_ready && !halted && fine && !waits;
  assign turn         = retire_o && iss.bar_op == BarCheck && cmd.opcode == OpBulkLoad && cmd.size == '0;
  assign flush_o      = done && !retire_o && !tail_q;
  assign bar_again_o  = begun_q;

  // For a unit that is ready. What works on a barrier has but one, and no condition but room; it does nothing where it
  // faults. So nothing that the units answer comes back to them in the same cycle.
  assign bar_commit_o = tail_q || (!(Short ? dead_q : halted) && !no_room);

  ///////////////////////
  // Paths and groups  //
  ///////////////////////

  tma_issue_copy u_copy (
    .issue_i(iss), .seq_i(head_o[qid][15:0]), .go_i(retire_o),
    .path_o, .copy_o, .store_add_o(group_o.store), .reduce_add_o(group_o.reduce),
    .load_add_o(group_o.load), .cp_add_o(group_o.cp)
  );

  assign group_o.commit    = retire_o && cmd.opcode == OpBulkCommitGroup;
  assign group_o.cp_commit = retire_o && cmd.opcode == OpCpAsyncCommitGroup;

  ////////////////////////
  // Records and faults //
  ////////////////////////

  assign ans_valid_o = retire_o && records;

  tma_issue_record u_record (
    .opcode_i(cmd.opcode), .tag_i(cmd.tag), .qid_i(qid), .head_i(head_o[qid]),
    .phase_i(bar_phase), .pending_i(bar_pending), .token_i(token[CountWidth-1:0]),
    .passed_i(passed), .record_o(ans_o)
  );

  assign fault_valid_o = faults;
  assign fault_o = '{origin: '{qid: qid, seq: head_o[qid][15:0], tag: cmd.tag}, code: fault,
                     address: fault_addr};

  logic unused_operands;  // the rest of the command is for the paths
  assign unused_operands = ^cmd;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(WorksOnABarrierAsItRetires, !Short && bar_commit_o && (bar_valid_o & bar_ready_i) != '0 && !bar_bad |->
      tail_q || retire_o || iss.bar_op == BarCheck || iss.bar_op == BarTest)
  `TMA_ASSERT(RetiresBehindItsWork, Short && $past(bar_commit_o && (bar_valid_o & bar_ready_i) != '0) && !bar_bad &&
      !halted |-> retire_o || iss.bar_op == BarCheck || iss.bar_op == BarTest)
  `TMA_ASSERT(EndsWhenItIsDone, Short && ends |-> done && !group_o.commit && !group_o.cp_commit && !group_o.cp)
  `TMA_ASSERT(AnAnswerHasRoom, ans_valid_o |-> room)
  `TMA_COVER(WaitsForBarrier, clean && !bar_ready)
  `TMA_COVER(Sleeps, sleeps)
  `TMA_COVER(DisabledWhileItWaits, clean && dead_q && enable_i[qid])
  `TMA_COVER(ResumedWhileHeld, valid_q && !done && resume_i[qid])
  `TMA_COVER(CancelledAndSatisfied, retire_o && cancelled[qid])

endmodule
