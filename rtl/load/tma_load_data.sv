// SPDX-License-Identifier: Apache-2.0
// Takes the beats of loads, puts them where their burst's context says, and signals finished
// commands.
//
//   beat --> context, rotate --> write register --> shared memory
//                                      |
//                                      +---------> signal FIFO
//
// Throughput: one beat per cycle; a beat waits only while shared memory serves a port that has
// waited its bound, and a failing one for the report before it. Latency: one cycle from the beat to
// the write. Data of different channels may interleave at any beat. A beat with an error response
// is not written, its command signals nothing, and its first such beat is reported. So is the end of
// a burst whose port died. Reset: control only.

`include "tma_assert.svh"

module tma_load_data
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_load_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Contexts of bursts as they leave; a channel never overflows
  input  logic                    ctx_valid_i,
  input  logic [ChannelWidth-1:0] ctx_channel_i,
  input  ctx_t                    ctx_i,
  output logic                    ctx_end_o,      // a burst has ended
  output logic [ChannelWidth-1:0] ctx_end_channel_o,

  // Beats
  input  logic                    beat_valid_i,
  output logic                    beat_ready_o,
  input  read_beat_t              beat_i,

  // Shared memory
  output logic                    wr_valid_o,
  input  logic                    wr_ready_i,
  output smem_write_t             wr_o,

  // Signals of finished commands
  output logic                    sig_valid_o,
  input  logic                    sig_ready_i,
  output signal_t                 sig_o,

  // A burst has ended, and will not signal; its queue
  output logic                    burst_done_o,
  output queue_t                  burst_done_queue_o,
  output logic                    signal_done_o,

  // First failing beat of a command; `error_o` in the cycle in which its fault is taken
  output logic                    error_o,
  output queue_t                  error_queue_o,
  output logic [15:0]             error_seq_o,
  output logic                    fault_valid_o,
  input  logic                    fault_ready_i,
  output fault_t                  fault_o
);

  //////////////
  // Contexts //
  //////////////

  localparam int unsigned PtrWidth = ChannelDepth > 1 ? $clog2(ChannelDepth) : 1;

  logic [NumChannels-1:0][PtrWidth-1:0] wr_ptr_q, rd_ptr_q;
  logic [NumChannels-1:0][LenWidth-1:0] index_q;   // beat of the burst, from 0
  logic [NumChannels-1:0]               failed_q;  // the command had an error

  logic [ChannelWidth-1:0] channel;
  logic                    pop;
  ctx_t                    ctx;

  assign channel = beat_i.id[ChannelWidth-1:0];

  // Every channel has a power of two, used or not: {channel, pointer} is the address.
  tma_ram_1r1w #(.Width($bits(ctx_t)), .Depth(NumChannels * 2**PtrWidth)) u_ctx (
    .clk_i, .we_i(ctx_valid_i), .waddr_i({ctx_channel_i, wr_ptr_q[ctx_channel_i]}), .wdata_i(ctx_i),
    .raddr_i({channel, rd_ptr_q[channel]}), .rdata_o(ctx)
  );

  ////////////////////////
  // One beat: position //
  ////////////////////////

  logic                is_first, is_last, ends, failed, fails_now;
  logic [Chunks-1:0]   lane_valid, bank_valid;
  chunk_addr_t         base;     // shared chunk of lane 0; may lie below the operand
  logic [ChunkIdx-1:0] amount;
  line_t               bank_data;
  logic [63:0]         beat_addr;

  assign is_first = index_q[channel] == '0;
  assign is_last  = index_q[channel] == ctx.burst.len;
  assign ends     = is_last || beat_i.dead;
  assign base     = ctx.burst.saddr - chunk_addr_t'(ctx.burst.head)
                  + chunk_addr_t'(32'(index_q[channel]) * Chunks);
  assign amount   = (ChunkIdx'(0) - base[ChunkIdx-1:0]) & ChunkIdx'(Chunks - 1);

  always_comb begin
    for (int unsigned i = 0; i < Chunks; i++) begin
      lane_valid[i] = (!is_first || i >= 32'(ctx.burst.head)) &&
                      (!is_last || i <= 32'(ctx.burst.tail));
    end
  end

  tma_rotate #(.LaneWidth(128)) u_data (.line_i(beat_i.data), .amount_i(amount), .line_o(bank_data));
  tma_rotate #(.LaneWidth(1)) u_valid (.line_i(lane_valid), .amount_i(amount), .line_o(bank_valid));

  // The command's first burst forgets what the channel's last command left.
  assign failed    = failed_q[channel] && !(ctx.burst.first && is_first);
  assign fails_now = beat_i.resp[1] || beat_i.dead;

  // The first operand byte of the beat.
  assign beat_addr = ctx.burst.addr +
      (is_first ? 64'({ctx.burst.head, 4'b0}) : 64'(32'(index_q[channel]) * DataBytes));

  ////////////////////
  // Write register //
  ////////////////////

  logic wr_go, wr_q_valid, wr_q_writes, wr_q_signals;
  signal_t wr_q_signal;

  // A failing beat waits until the register of the reports is free.
  assign wr_go         = !wr_q_valid || !wr_q_writes || wr_ready_i;
  assign fault_valid_o = beat_valid_i && wr_go && fails_now && !failed;
  assign beat_ready_o  = wr_go && (!fault_valid_o || fault_ready_i);
  assign pop           = beat_valid_i && beat_ready_o;

  assign wr_valid_o = wr_q_valid && wr_q_writes;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)    wr_q_valid <= 1'b0;
    else if (wr_go) wr_q_valid <= pop;
  end

  always_ff @(posedge clk_i) begin
    if (wr_go) begin
      wr_q_writes  <= !fails_now;
      wr_q_signals <= is_last && ctx.burst.last && !failed && !fails_now;
      wr_q_signal  <= ctx.signal;
      wr_o.ctas    <= ctx.signal.ctas;
      wr_o.addr    <= base;
      wr_o.data    <= bank_data;
      for (int unsigned b = 0; b < Chunks; b++) wr_o.be[b*16 +: 16] <= {16{bank_valid[b]}};
    end
  end

  ///////////////////
  // Channel state //
  ///////////////////

  logic burst_ends;

  assign burst_ends        = pop && ends;
  assign ctx_end_o         = burst_ends;
  assign ctx_end_channel_o = channel;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_ptr_q <= '0;
      rd_ptr_q <= '0;
      index_q  <= '0;
    end else begin
      for (int unsigned c = 0; c < NumChannels; c++) begin
        automatic logic put  = ctx_valid_i && ctx_channel_i == ChannelWidth'(c);
        automatic logic take = burst_ends && channel == ChannelWidth'(c);
        if (put) wr_ptr_q[c] <= wr_ptr_q[c] == PtrWidth'(ChannelDepth - 1) ? '0
                                                                           : wr_ptr_q[c] + PtrWidth'(1);
        if (take) rd_ptr_q[c] <= rd_ptr_q[c] == PtrWidth'(ChannelDepth - 1) ? '0
                                                                            : rd_ptr_q[c] + PtrWidth'(1);
      end
      if (pop) index_q[channel] <= ends ? '0 : index_q[channel] + LenWidth'(1);
    end
  end

  always_ff @(posedge clk_i) if (pop) failed_q[channel] <= failed || fails_now;

  ////////////////////////
  // Signals and faults //
  ////////////////////////

  logic sig_in_ready;
  logic [$clog2(NumReads+1)-1:0] unused_level;

  tma_fifo #(.Width($bits(signal_t)), .Depth(NumReads), .FlowThrough(1'b1)) u_signals (
    .clk_i, .rst_ni,
    .in_valid_i(wr_q_valid && wr_go && wr_q_signals), .in_ready_o(sig_in_ready), .in_i(wr_q_signal),
    .out_valid_o(sig_valid_o), .out_ready_i(sig_ready_i), .out_o(sig_o), .level_o(unused_level)
  );

  // A burst that will signal keeps its slot until its signal was taken.
  assign burst_done_o  = burst_ends && !(ctx.burst.last && !failed && !fails_now);
  assign signal_done_o = sig_valid_o && sig_ready_i;

  assign burst_done_queue_o = ctx.signal.origin.qid;

  assign error_o         = fault_valid_o && fault_ready_i;
  assign error_queue_o   = ctx.signal.origin.qid;
  assign error_seq_o     = ctx.signal.origin.seq;
  assign fault_o.origin  = ctx.signal.origin;
  assign fault_o.code    = beat_i.dead    ? tma_isa_pkg::FaultPortDead
                         : beat_i.resp[0] ? tma_isa_pkg::FaultReadDecerr
                                          : tma_isa_pkg::FaultReadSlverr;
  assign fault_o.address = beat_addr;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SignalAlwaysFits, wr_q_valid && wr_go && wr_q_signals |-> sig_in_ready)
  `TMA_ASSERT(LastBeatIsMarked, pop |-> beat_i.last == ends)
  `TMA_ASSERT_STABLE(WriteIsStable, wr_valid_o, wr_ready_i, wr_o)
  `TMA_ASSERT_STABLE(FaultIsStable, fault_valid_o, fault_ready_i, fault_o)
  `TMA_COVER(FaultWaits, fault_valid_o && !fault_ready_i)
  `TMA_COVER(DeadInABurst, pop && beat_i.dead && !is_first)

endmodule
