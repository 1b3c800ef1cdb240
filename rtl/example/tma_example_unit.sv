// SPDX-License-Identifier: Apache-2.0
// A compute unit that has the engine fetch its operands and bring its results away.
//
//   mbarrier.init, arrive.expect_tx, bulk load, try_wait --> record: the tile is there
//   adds to the tile (tma_example_add)
//   bulk store, commit, wait_group, signal               --> record: the result is in memory
//
// All commands go to queue 0, one per cycle while the port takes them. A fault of the queue ends the job; a host then has to
// reset the queue before the next one: what was sent would still be done behind a resume. Records are taken at once.
// Reset: control only.

`include "tma_assert.svh"

module tma_example_unit
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_example_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  job_valid_i,
  output logic                  job_ready_o,
  input  job_t                  job_i,
  output logic                  done_o,
  output logic                  failed_o,

  output logic                  cmd_valid_o,
  input  logic                  cmd_ready_i,
  output logic [QueueWidth-1:0] cmd_queue_o,
  output logic [511:0]          cmd_o,

  input  logic                  rsp_valid_i,
  output logic                  rsp_ready_o,
  input  logic [255:0]          rsp_i,

  output tile_req_t             tile_o,
  input  tile_rsp_t             tile_i
);

  typedef enum logic [2:0] {
    StIdle,
    StLoad,    // sends what fills the tile
    StFilled,  // waits for the answer of try_wait
    StAdd,
    StStore,   // sends what brings it away
    StStored   // waits for the signal
  } state_e;

  localparam logic [1:0] LastStep = 2'd3;

  state_e     state_d, state_q;
  logic [1:0] step_d, step_q;   // command of the four
  job_t       job_d, job_q;
  logic       fault_d, fault_q;
  logic       taken, filled, add_done;
  record_t    record;
  command_t   cmd;

  //////////////
  // Commands //
  //////////////

  // What is not named is zero. The tag comes back in the record.
  always_comb begin
    cmd         = '0;
    cmd.version = CommandVersion;
    cmd.barrier = state_q == StLoad ? Barrier : '0;
    cmd.tag     = 32'(step_q);
    unique case ({state_q == StStore, step_q})
      {1'b0, 2'd0}: begin
        cmd.opcode = OpMbarrierInit;
        cmd.count  = 32'd1;
      end
      {1'b0, 2'd1}: begin
        cmd.opcode              = OpMbarrierArrive;
        cmd.flags[FlagExpectTx] = 1'b1;
        cmd.count               = 32'd1;
        cmd.tx                  = 32'(job_q.bytes);
      end
      {1'b0, 2'd2}: begin
        cmd.opcode         = OpBulkLoad;
        cmd.global_address = job_q.source;
        cmd.shared_dst     = Tile;
        cmd.size           = 32'(job_q.bytes);
      end
      {1'b0, 2'd3}: begin
        cmd.opcode            = OpMbarrierTryWait;
        cmd.flags[FlagParity] = 1'b1;
        cmd.tx                = '1;  // cycles: for ever
      end
      {1'b1, 2'd0}: begin
        cmd.opcode         = OpBulkStore;
        cmd.global_address = job_q.target;
        cmd.shared_src     = Tile;
        cmd.size           = 32'(job_q.bytes);
      end
      {1'b1, 2'd1}: cmd.opcode = OpBulkCommitGroup;
      {1'b1, 2'd2}: cmd.opcode = OpBulkWaitGroup;
      default:      cmd.opcode = OpSignal;
    endcase
  end

  assign cmd_valid_o = state_q == StLoad || state_q == StStore;
  assign cmd_queue_o = '0;
  assign cmd_o       = cmd;
  assign taken       = cmd_valid_o && cmd_ready_i;

  /////////////
  // Records //
  /////////////

  logic unused_record;

  assign rsp_ready_o   = 1'b1;
  assign record        = rsp_i;
  assign unused_record = ^record;  // one job at a time: the kind says enough
  assign filled        = state_q == StFilled && !fault_d && rsp_valid_i && record.kind == KindAnswer;
  assign fault_d       = state_q != StIdle && (fault_q || (rsp_valid_i && record.kind == KindFault));

  //////////
  // Jobs //
  //////////

  tma_example_add u_add (
    .clk_i, .rst_ni,
    .start_i(filled), .bytes_i(job_q.bytes), .addend_i(job_q.addend),
    .done_o(add_done), .tile_o, .tile_i
  );

  assign job_ready_o = state_q == StIdle;
  assign done_o      = state_q != StIdle && state_d == StIdle;
  assign failed_o    = fault_d;

  always_comb begin
    state_d = state_q;
    step_d  = step_q;
    job_d   = job_q;

    unique case (state_q)
      StIdle: begin
        job_d  = job_i;
        step_d = '0;
        if (job_valid_i) state_d = StLoad;
      end

      // A command that was offered has to be taken, whatever has come meanwhile.
      StLoad, StStore: begin
        if (taken) begin
          step_d = step_q + 2'd1;
          if (fault_d)                 state_d = StIdle;
          else if (step_q == LastStep) state_d = state_q == StLoad ? StFilled : StStored;
        end
      end

      StFilled: begin
        if (fault_d)     state_d = StIdle;
        else if (filled) state_d = StAdd;
      end

      StAdd: if (add_done) state_d = StStore;

      StStored: if (fault_d || (rsp_valid_i && record.kind == KindSignal)) state_d = StIdle;

      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      fault_q <= 1'b0;
    end else begin
      state_q <= state_d;
      fault_q <= fault_d;
    end
  end

  always_ff @(posedge clk_i) begin
    step_q <= step_d;
    job_q  <= job_d;
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(JobIsWhole, job_valid_i |-> job_i.bytes != '0 && job_i.bytes[3:0] == '0)
  `TMA_ASSERT_STABLE(CommandIsStable, cmd_valid_o, cmd_ready_i, {cmd_queue_o, cmd_o})
  `TMA_ASSERT(TileIsFilled, filled |-> record.value == 64'd1)
  `TMA_COVER(FaultEndsAJob, done_o && failed_o)
  `TMA_COVER(JobFollowsJob, done_o && job_valid_i)

endmodule
