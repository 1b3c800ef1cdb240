// SPDX-License-Identifier: Apache-2.0
// Issues checked commands, in program order of their queue: the one place where a command takes
// effect, waits, or faults.
//
//   issue_i --> issue register --> barrier unit(s), same cycle --> paths, groups, answers
//                                                            \--> fault, or sleep: flush the queue
//
// One command per cycle. The register waits only for a barrier that is not resident. The paths and
// the answer FIFO have room for whatever was picked, see tma_cmd_queue.
// A command that faults or must wait does not retire: its queue is flushed, and picked again from
// that command on when it wakes.

`include "tma_assert.svh"

module tma_issue
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
(
  input  logic                            clk_i,
  input  logic                            rst_ni,

  // Checked commands in
  input  logic                            valid_i,
  output logic                            ready_o,
  input  issue_t                          issue_i,

  input  logic [NumQueues-1:0]            enable_i,
  input  logic [NumQueues-1:0]            stopped_i,

  // To the command queues
  output logic                            retire_o,
  output logic                            flush_o,
  output queue_t                          queue_o,       // of both
  output logic [NumQueues-1:0]            asleep_o,
  output logic [NumQueues-1:0]            waiting_o,
  output logic [NumQueues-1:0][31:0]      head_o,        // sequence number of the next command

  // Barrier units: one request for every CTA of the mask
  output logic [NumCtas-1:0]              bar_valid_o,
  input  logic [NumCtas-1:0]              bar_ready_i,
  output bar_req_t                        bar_req_o,
  output logic                            bar_commit_o,
  input  bar_rsp_t [NumCtas-1:0]          bar_rsp_i,
  input  logic [NumCtas-1:0]              bar_update_i,

  // Bulk groups
  output logic                            group_add_o,
  output logic                            group_commit_o,
  input  logic [NumQueues-1:0]            group_full_i,
  input  logic [NumQueues-1:0][5:0]       pending_read_i,
  input  logic [NumQueues-1:0][5:0]       pending_write_i,

  // Paths
  output logic                            load_valid_o,
  input  logic                            load_ready_i,
  output load_cmd_t                       load_o,
  output logic                            store_valid_o,
  input  logic                            store_ready_i,
  output store_cmd_t                      store_o,
  output logic                            shared_valid_o,
  input  logic                            shared_ready_i,
  output shared_cmd_t                     shared_o,

  // Records and faults
  output logic                            ans_valid_o,
  output record_t                         ans_o,
  output logic                            fault_valid_o,
  input  logic                            fault_ready_i,
  output fault_t                          fault_o
);

  ////////////////////
  // Issue register //
  ////////////////////

  logic     valid_q, done;
  issue_t   iss;
  command_t cmd;
  queue_t   qid;

  assign cmd     = iss.cmd;
  assign qid     = iss.qid;
  assign ready_o = !valid_q || done;
  assign queue_o = qid;

  // A flush also drops the same queue's command that is about to come in, and so does a disable.
  always_ff @(posedge clk_i) begin
    if (!rst_ni)      valid_q <= 1'b0;
    else if (ready_o) valid_q <= valid_i && enable_i[issue_i.qid] &&
                                 !(flush_o && issue_i.qid == qid);
  end

  always_ff @(posedge clk_i) if (ready_o) iss <= issue_i;

  ///////////////////////
  // Barrier operation //
  ///////////////////////

  logic                  halted, clean, has_barrier, bar_ready, held_q, begun_q, dead_q;
  logic                  is_load, is_store, is_shared, is_try;
  fault_e                bar_fault;
  logic [7:0]            bar_fault_rank;
  logic                  bar_phase;
  logic [CountWidth-1:0] bar_pending;

  assign is_load   = cmd.opcode == OpBulkLoad;
  assign is_store  = cmd.opcode == OpBulkStore;
  assign is_shared = cmd.opcode == OpBulkShared;
  assign is_try    = cmd.opcode == OpMbarrierTryWait;

  // A stopped queue takes its commands back, but for one that was held up. A command whose queue
  // was disabled, be it for one cycle, leaves no trace; a request to barrier units still ends.
  assign halted      = dead_q || !enable_i[qid] || (stopped_i[qid] && !held_q);
  assign has_barrier = iss.ctas != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q  <= 1'b0;
      begun_q <= 1'b0;
      dead_q  <= 1'b0;
    end else begin
      held_q  <= valid_q && !done;
      begun_q <= clean && !done;
      dead_q  <= valid_q && !done && (dead_q || !enable_i[qid]);
    end
  end

  tma_issue_barrier u_barrier (
    .opcode_i(cmd.opcode), .flags_i(cmd.flags), .barrier_i(cmd.barrier[OffWidth-1:0]),
    .count_i(cmd.count[CountWidth-1:0]), .tx_i(cmd.tx[CountWidth-1:0]),
    .size_zero_i(cmd.size == '0), .ctas_i(iss.ctas), .enable_i(clean),
    .bar_valid_o, .bar_ready_i, .bar_req_o, .bar_rsp_i,
    .ready_o(bar_ready), .fault_o(bar_fault), .fault_rank_o(bar_fault_rank),
    .phase_o(bar_phase), .pending_o(bar_pending)
  );

  //////////////////////
  // Last state token //
  //////////////////////

  logic [NumQueues-1:0]               state_valid_q;
  logic [NumQueues-1:0][CountWidth:0] state_q;  // {phase, pending} before the last arrive
  logic [CountWidth:0]                token;
  logic                               no_state;

  assign no_state = cmd.flags[FlagLastState] && !state_valid_q[qid];
  assign token    = cmd.flags[FlagLastState] ? state_q[qid] : cmd.global_address[CountWidth:0];

  ///////////////////
  // Does it wait? //
  ///////////////////

  logic       wait_phase, passed, waits, sleep_read;
  logic [5:0] sleep_groups;
  logic [NumQueues-1:0] expired;

  assign wait_phase = cmd.flags[FlagParity] ? cmd.count[0] : token[CountWidth];
  assign passed     = bar_phase != wait_phase;
  assign sleep_read = cmd.opcode == OpBulkWaitGroup && cmd.flags[FlagRead];

  always_comb begin
    waits        = 1'b0;
    sleep_groups = cmd.count[31:6] != '0 ? '1 : cmd.count[5:0];
    case (cmd.opcode)
      OpBulkCommitGroup: begin
        sleep_groups = 6'(GroupSlots - 1);
        waits        = group_full_i[qid];
      end
      OpBulkWaitGroup:
        waits = (sleep_read ? pending_read_i[qid] : pending_write_i[qid]) > sleep_groups;
      OpMbarrierTryWait:
        waits = !passed && cmd.tx != '0 && !expired[qid];
      default: ;
    endcase
  end

  /////////////
  // Outcome //
  /////////////

  logic        faults, sleeps, moves;
  fault_e      fault;
  logic [63:0] fault_addr;

  always_comb begin
    fault      = iss.fault;
    fault_addr = iss.fault_addr;
    if (iss.fault == FaultNone) begin
      if (no_state) begin
        fault      = FaultNoState;
        fault_addr = cmd[63:0];
      end else if (has_barrier && bar_fault != FaultNone) begin
        fault      = bar_fault;
        fault_addr = 64'({bar_fault_rank, cmd.barrier[23:0]});
      end
    end
  end

  assign clean  = valid_q && (begun_q || (!halted && iss.fault == FaultNone && !no_state));
  assign faults = valid_q && (!clean || bar_ready) && !halted && fault != FaultNone;
  assign done   = valid_q && (!clean || bar_ready) && (!faults || fault_ready_i);
  assign sleeps = done && !halted && fault == FaultNone && waits;

  assign retire_o     = done && !halted && fault == FaultNone && !waits;
  assign flush_o      = done && !retire_o;
  assign bar_commit_o = retire_o;

  tma_wait u_wait (
    .clk_i, .rst_ni,
    .sleep_i(sleeps), .sleep_queue_i(qid), .sleep_barrier_i(is_try), .sleep_read_i(sleep_read),
    .sleep_groups_i(sleep_groups), .sleep_cta_i(cmd.barrier[24 +: CtaWidth]), .sleep_limit_i(cmd.tx),
    .clear_i(({NumQueues{retire_o}} & (NumQueues'(1) << qid)) | stopped_i | ~enable_i),
    .pending_read_i, .pending_write_i, .bar_update_i,
    .asleep_o, .expired_o(expired), .waiting_o
  );

  always_ff @(posedge clk_i) begin
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (!rst_ni || !enable_i[q]) begin
        head_o[q]        <= '0;
        state_valid_q[q] <= 1'b0;
      end else if (retire_o && qid == queue_t'(q)) begin
        head_o[q] <= head_o[q] + 32'd1;
        if (cmd.opcode == OpMbarrierArrive) state_valid_q[q] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (retire_o && cmd.opcode == OpMbarrierArrive) state_q[qid] <= {bar_phase, bar_pending};
  end

  ///////////
  // Paths //
  ///////////

  origin_t origin;
  signal_t signal;
  hint_t   hint;

  assign origin = '{qid: qid, seq: head_o[qid][15:0], tag: cmd.tag};
  assign hint   = '{qos: cmd.policy[63:60], evict: cmd.policy[59:56]};
  assign signal = '{ctas: iss.ctas, barrier: cmd.barrier[3 +: BarAddr],
                    bytes: cmd.size[SizeWidth-1:0], origin: origin};
  assign moves  = retire_o && cmd.size != '0;

  assign load_valid_o = moves && ((is_load && has_barrier) || cmd.opcode == OpBulkPrefetch);
  assign load_o = '{prefetch: cmd.opcode == OpBulkPrefetch, gaddr: cmd.global_address,
                    chunks: cmd.size[SizeWidth-1:4], saddr: cmd.shared_dst[4 +: ChunkAddr],
                    hint: hint, signal: signal};

  assign store_valid_o = moves && is_store;
  assign store_o = '{gaddr: cmd.global_address, chunks: cmd.size[SizeWidth-1:4],
                     cta: cmd.shared_src[24 +: CtaWidth], saddr: cmd.shared_src[4 +: ChunkAddr],
                     byte_mask: cmd.flags[FlagCpMask] ? cmd.byte_mask : '1,
                     hint: hint, origin: origin};

  assign shared_valid_o = moves && is_shared;
  assign shared_o = '{chunks: cmd.size[SizeWidth-1:4], src_cta: cmd.shared_src[24 +: CtaWidth],
                      src: cmd.shared_src[4 +: ChunkAddr], dst: cmd.shared_dst[4 +: ChunkAddr],
                      signal: signal};

  assign group_add_o    = store_valid_o;
  assign group_commit_o = retire_o && cmd.opcode == OpBulkCommitGroup;

  ////////////////////////
  // Records and faults //
  ////////////////////////

  assign ans_valid_o = retire_o && (answers(cmd.opcode) || cmd.flags[FlagRecord]);

  tma_issue_record u_record (
    .opcode_i(cmd.opcode), .tag_i(cmd.tag), .qid_i(qid), .head_i(head_o[qid]),
    .phase_i(bar_phase), .pending_i(bar_pending), .token_i(token[CountWidth-1:0]),
    .passed_i(passed), .record_o(ans_o)
  );

  assign fault_valid_o   = faults;
  assign fault_o.origin  = origin;
  assign fault_o.code    = fault;
  assign fault_o.address = fault_addr;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(LoadHasRoom, load_valid_o |-> load_ready_i)
  `TMA_ASSERT(StoreHasRoom, store_valid_o |-> store_ready_i)
  `TMA_ASSERT(SharedHasRoom, shared_valid_o |-> shared_ready_i)
  `TMA_COVER(WaitsForBarrier, clean && !bar_ready)
  `TMA_COVER(Sleeps, sleeps)
  `TMA_COVER(DisabledWhileItWaits, clean && dead_q && enable_i[qid])

endmodule
