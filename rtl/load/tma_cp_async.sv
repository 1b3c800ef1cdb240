// SPDX-License-Identifier: Apache-2.0
// cp.async: 4, 8 or 16 bytes from global to shared memory, or zeroes, and the arrivals behind them.
//
//   contexts ---------------------+--> step --> shared memory
//   beats --> lane --> data FIFO -+         \-> signals, faults
//
// All in the order of issue, so an arrival comes behind every cp.async before it. Data has a place
// from its burst on: a beat never waits here. A cp.async that failed or was denied is done when its
// fault was taken; from then on, until its queue is started or resumed, the queue's arrivals are
// dropped. At most CpDepth contexts.
//
// Throughput: one per cycle, with Short one every other cycle. Latency: a cycle from the beat to the write, two from the context to
// the write where nothing is read; with Short three each. `done_o` comes with the write. Reset: control only.

`include "tma_assert.svh"

module tma_cp_async
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_load_pkg::*;
  import tma_isa_pkg::*;
#(
  parameter bit Short = ShortPaths  // contexts and data wait in block memory, for cycles
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic [NumQueues-1:0] active_i,    // rises when a queue is started, never before it is drained
  input  logic [NumQueues-1:0] restart_i,   // a queue is resumed

  // Contexts; `take_i`: one will come
  input  logic                 take_i,
  output logic                 full_o,
  input  logic                 ctx_valid_i,
  input  cp_ctx_t              ctx_i,
  input  logic [ChunkIdx-1:0]  ctx_lane_i,  // chunk of the beat that it reads

  // Beats, always taken
  input  logic                 beat_valid_i,
  input  read_beat_t           beat_i,

  // Shared memory
  output logic                 wr_valid_o,
  input  logic                 wr_ready_i,
  output chunk_write_t         wr_o,

  // Arrivals
  output logic                 sig_valid_o,
  input  logic                 sig_ready_i,
  output signal_t              sig_o,

  output logic                 fault_valid_o,
  input  logic                 fault_ready_i,
  output fault_t               fault_o,

  // A cp.async is done; an arrival was dropped. Never both in a cycle.
  output logic                 done_o,
  output queue_t               done_queue_o,
  output logic                 drop_o,
  output queue_t               drop_queue_o,

  output logic                 idle_o
);

  localparam int unsigned LevelWidth = $clog2(CpDepth + 1);

  //////////////
  // Contexts //
  //////////////

  logic                  head_valid, head_goes, ctx_ready;
  cp_ctx_t               head;
  logic [LevelWidth-1:0] count_q, unused_ctx_level;  // one on its way included

  tma_fifo_block #(.Width($bits(cp_ctx_t)), .Depth(CpDepth), .Block(Short), .FlowThrough(1'b0)) u_ctx (
    .clk_i, .rst_ni, .in_valid_i(ctx_valid_i), .in_ready_o(ctx_ready), .in_i(ctx_i),
    .out_valid_o(head_valid), .out_ready_i(head_goes), .out_o(head), .level_o(unused_ctx_level)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else         count_q <= count_q + LevelWidth'(take_i) - LevelWidth'(head_valid && head_goes);
  end

  assign full_o = count_q == LevelWidth'(CpDepth);

  //////////
  // Data //
  //////////

  // How a read went: fault code of a beat, none if it is good.
  typedef enum logic [1:0] {
    ReadGood,
    ReadSlverr,
    ReadDecerr,
    ReadDead
  } read_e;

  typedef struct packed {
    read_e        how;
    logic [127:0] data;
  } chunk_t;

  logic                  lane_valid, lane_ready, data_ready, chunk_valid, needs_data;
  logic                  reads;
  logic [ChunkIdx-1:0]   lane;
  chunk_t                got, chunk;
  logic [LevelWidth-1:0] unused_lane_level, unused_data_level;

  assign reads = cp_reads(ctx_i.cp.arrive, ctx_i.cp.valid) && !ctx_i.denied;

  tma_fifo #(.Width(ChunkIdx), .Depth(CpDepth)) u_lane (
    .clk_i, .rst_ni, .in_valid_i(ctx_valid_i && reads), .in_ready_o(lane_ready), .in_i(ctx_lane_i),
    .out_valid_o(lane_valid), .out_ready_i(beat_valid_i), .out_o(lane),
    .level_o(unused_lane_level)
  );

  assign got.data = beat_i.data[32'(lane) * 128 +: 128];
  assign got.how  = beat_i.dead     ? ReadDead
                  : !beat_i.resp[1] ? ReadGood
                  : beat_i.resp[0]  ? ReadDecerr : ReadSlverr;

  tma_fifo_block #(.Width($bits(chunk_t)), .Depth(CpDepth), .Block(Short)) u_data (
    .clk_i, .rst_ni, .in_valid_i(beat_valid_i), .in_ready_o(data_ready), .in_i(got),
    .out_valid_o(chunk_valid), .out_ready_i(head_valid && needs_data && head_goes), .out_o(chunk),
    .level_o(unused_data_level)
  );

  ///////////////////////
  // Head of the order //
  ///////////////////////

  logic         data_ok;
  logic [15:0]  be, code;
  logic [127:0] data;

  assign needs_data = cp_reads(head.cp.arrive, head.cp.valid) && !head.denied;
  assign data_ok    = chunk_valid || !needs_data;

  tma_cp_shift u_shift (
    .cp_i(head.cp), .word_i(head.gaddr[3:2]), .data_i(chunk.data), .be_o(be), .data_o(data)
  );

  always_comb begin
    code = FaultNone;
    if (head.denied) begin
      code = FaultWindowRead;
    end else if (needs_data) begin
      unique case (chunk.how)
        ReadSlverr: code = FaultReadSlverr;
        ReadDecerr: code = FaultReadDecerr;
        ReadDead:   code = FaultPortDead;
        default:    code = FaultNone;
      endcase
    end
  end

  //////////
  // Step //
  //////////

  logic                 step_q, bad_q, goes, free, is_write, is_fault, is_arrival, dropped;
  logic [15:0]          code_q;
  logic [63:0]          gaddr_q;
  signal_t              signal_q;
  chunk_write_t         write_q;
  logic [NumQueues-1:0] failed_q, active_q;  // a cp.async has failed; active before
  queue_t               qid;
  cta_t                 cta;

  assign qid        = signal_q.origin.qid;
  assign is_arrival = step_q && signal_q.arrive;
  assign is_fault   = step_q && !signal_q.arrive && bad_q;
  assign is_write   = step_q && !signal_q.arrive && !bad_q;
  assign dropped    = is_arrival && failed_q[qid];

  always_comb begin
    goes = 1'b1;
    if (is_write)                    goes = wr_ready_i;
    if (is_fault)                    goes = fault_ready_i;
    if (is_arrival && !failed_q[qid]) goes = sig_ready_i;
  end

  // With Short what becomes of a step does not reach the queues in front of it in the same cycle.
  assign free      = Short ? !step_q : goes;
  assign head_goes = data_ok && free;

  // The one CTA of the mask.
  always_comb begin
    cta = '0;
    for (int unsigned c = 0; c < NumCtas; c++) if (head.signal.ctas[c]) cta |= cta_t'(c);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   step_q <= 1'b0;
    else if (free) step_q <= head_valid && data_ok;
    else if (goes) step_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (free) begin
      code_q          <= code;
      bad_q           <= code != FaultNone;
      gaddr_q         <= head.gaddr;
      signal_q        <= head.signal;
      signal_q.arrive <= head.cp.arrive;
      signal_q.bytes  <= '0;
      write_q         <= '{cta: cta, addr: head.saddr, be: be, data: data};
    end
  end

  always_ff @(posedge clk_i) begin
    active_q <= active_i;
    for (int unsigned q = 0; q < NumQueues; q++) begin
      if (!rst_ni || restart_i[q] || (active_i[q] && !active_q[q]))    failed_q[q] <= 1'b0;
      else if (is_fault && fault_ready_i && qid == queue_t'(q))        failed_q[q] <= 1'b1;
    end
  end

  assign wr_valid_o    = is_write;
  assign wr_o          = write_q;
  assign sig_valid_o   = is_arrival && !failed_q[qid];
  assign sig_o         = signal_q;
  assign fault_valid_o = is_fault;
  assign fault_o       = '{origin: signal_q.origin, code: code_q, address: gaddr_q};

  assign done_o       = (is_write || is_fault) && goes;
  assign done_queue_o = qid;
  assign drop_o       = dropped;
  assign drop_queue_o = qid;
  assign idle_o       = count_q == '0 && !step_q;

  // Room is counted where contexts are taken.
  logic unused_ready;
  assign unused_ready = ^{ctx_ready, lane_ready, data_ready, lane_valid, beat_i.id, beat_i.last};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(ContextFits, ctx_valid_i |-> ctx_ready && lane_ready)
  `TMA_ASSERT(TakeFits, take_i |-> !full_o)
  `TMA_ASSERT(BeatFits, beat_valid_i |-> data_ready && lane_valid)
  `TMA_ASSERT(OneBeat, beat_valid_i |-> beat_i.last)
  `TMA_ASSERT(OneEvent, !(done_o && drop_o))
  `TMA_ASSERT(DoneIsWritten, done_o |-> (wr_valid_o && wr_ready_i) || (fault_valid_o && fault_ready_i))
  `TMA_ASSERT_STABLE(WriteIsStable, wr_valid_o, wr_ready_i, wr_o)
  `TMA_ASSERT_STABLE(SignalIsStable, sig_valid_o, sig_ready_i, sig_o)
  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_COVER(DataWaits, chunk_valid && !(head_valid && needs_data && head_goes))
  `TMA_COVER(ZeroesBehindData, head_valid && !head.cp.arrive && !needs_data && chunk_valid)
  `TMA_COVER(ArrivalWaits, sig_valid_o && !sig_ready_i)
  `TMA_COVER(ArrivalDropped, drop_o)
  `TMA_COVER(Denied, head_valid && head.denied)
  `TMA_COVER(Dead, head_valid && needs_data && chunk_valid && chunk.how == ReadDead)
  `TMA_COVER(Forgotten, restart_i != '0 && failed_q != '0)

endmodule
