// SPDX-License-Identifier: Apache-2.0
// Feeds W: reads one line of shared memory per beat and turns it into bus order.
//
//   job FIFO --> beat --> shared memory --> rotate --> W FIFO --> strobes --> W
//                                 (next cycle)
//
// Beats are aligned on the global side, so a line starts at any chunk of shared memory. The first
// line starts at the operand, not at lane 0 of its beat, which may lie below shared memory. Lanes
// outside the operand carry whatever was read and are not strobed.
//
// Throughput: one beat per cycle. Latency: a cycle from the job to the read, two more to W.
// A read is offered only when the W FIFO has room for its data, so WREADY never loses any.

`include "tma_assert.svh"

module tma_store_data
  import tma_pkg::*;
  import tma_store_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  // Jobs in
  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  job_t        job_i,

  // Shared memory
  output logic        rd_valid_o,
  input  logic        rd_ready_i,
  output cta_t        rd_cta_o,
  output chunk_addr_t rd_addr_o,
  input  line_t       rd_data_i,

  // W
  output logic        w_valid_o,
  input  logic        w_ready_i,
  output line_t       w_data_o,
  output strb_t       w_strb_o,
  output logic        w_last_o,

  // A dropped job is next; it goes when its entry does
  output logic        drop_valid_o,
  input  logic        drop_ready_i,

  output logic        read_done_o,
  output queue_t      read_done_queue_o,

  output logic        idle_o
);

  localparam int unsigned JobDepth  = 4;  // AW may run ahead of W by that many bursts
  localparam int unsigned BeatDepth = 4;  // 3 keep W busy: one leaves, one is written, one is read
  localparam int unsigned LevelWidth = $clog2(BeatDepth + 1);

  // A beat on its way to W without its data. Strobes are chunk_en x byte_mask.
  typedef struct packed {
    logic              last;
    logic [Chunks-1:0] chunk_en;
    logic [15:0]       byte_mask;
  } beat_t;

  //////////
  // Jobs //
  //////////

  logic                          job_valid, job_done;
  job_t                          job;
  logic [$clog2(JobDepth+1)-1:0] unused_job_level;

  tma_fifo #(.Width($bits(job_t)), .Depth(JobDepth)) u_jobs (
    .clk_i, .rst_ni, .in_valid_i(job_valid_i), .in_ready_o(job_ready_o), .in_i(job_i),
    .out_valid_o(job_valid), .out_ready_i(job_done), .out_o(job), .level_o(unused_job_level)
  );

  ///////////
  // Reads //
  ///////////

  logic [LenWidth-1:0]   beat_q;
  logic                  is_first, is_last, has_room;
  logic                  read, dropped;
  logic                  pending_q;   // a read's data comes in this cycle
  chunk_addr_t           beat_chunk;  // lane 0 of the beat, counted from the job's first chunk
  logic [LevelWidth-1:0] level;       // beats in the W FIFO

  assign is_first = beat_q == '0;
  assign is_last  = beat_q == job.len;

  assign has_room   = level + LevelWidth'(pending_q) < LevelWidth'(BeatDepth);
  assign rd_valid_o = job_valid && !job.dropped && has_room;
  assign rd_cta_o   = job.cta;
  assign beat_chunk = (chunk_addr_t'(beat_q) << ChunkShift) - chunk_addr_t'(job.head);
  assign rd_addr_o  = job.saddr + (is_first ? '0 : beat_chunk);
  assign read       = rd_valid_o && rd_ready_i;

  assign drop_valid_o = job_valid && job.dropped;
  assign dropped      = drop_valid_o && drop_ready_i;
  assign job_done     = (read && is_last) || dropped;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q      <= '0;
      pending_q   <= 1'b0;
      read_done_o <= 1'b0;
    end else begin
      if (read) beat_q <= is_last ? '0 : beat_q + LenWidth'(1);
      pending_q   <= read;
      read_done_o <= job_done && job.last;
    end
  end

  always_ff @(posedge clk_i) if (job_done) read_done_queue_o <= job.qid;

  ///////////
  // Beats //
  ///////////

  beat_t               read_q, out;   // of the read whose data comes
  line_t               data;
  logic                beat_ready;
  logic [ChunkIdx-1:0] amount_q;

  always_ff @(posedge clk_i) begin
    if (read) begin
      amount_q         <= (job.saddr[ChunkIdx-1:0] - job.head) & ChunkIdx'(Chunks - 1);
      read_q.last      <= is_last;
      read_q.byte_mask <= job.byte_mask;
      for (int unsigned i = 0; i < Chunks; i++) begin
        read_q.chunk_en[i] <= (!is_first || ChunkIdx'(i) >= job.head) &&
                              (!is_last  || ChunkIdx'(i) <= job.tail);
      end
    end
  end

  tma_rotate u_rotate (.line_i(rd_data_i), .amount_i(amount_q), .line_o(data));

  tma_fifo #(.Width($bits(beat_t) + DataWidth), .Depth(BeatDepth)) u_beats (
    .clk_i, .rst_ni, .in_valid_i(pending_q), .in_ready_o(beat_ready), .in_i({read_q, data}),
    .out_valid_o(w_valid_o), .out_ready_i(w_ready_i), .out_o({out, w_data_o}), .level_o(level)
  );

  assign w_last_o = out.last;
  for (genvar i = 0; i < Chunks; i++) begin : g_strb
    assign w_strb_o[16*i +: 16] = out.byte_mask & {16{out.chunk_en[i]}};
  end

  assign idle_o = !job_valid && !pending_q && !w_valid_o && !read_done_o;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(ReadIsStable, rd_valid_o, rd_ready_i, {rd_cta_o, rd_addr_o})
  `TMA_ASSERT_STABLE(DataIsStable, w_valid_o, w_ready_i, {w_data_o, w_strb_o, w_last_o})
  `TMA_ASSERT(ReadDataHasRoom, pending_q |-> beat_ready)
  `TMA_ASSERT(DroppedJobIsLast, drop_valid_o |-> job.last && is_first)
  `TMA_COVER(HeadAndTailInOneBeat, read && is_first && is_last && job.head != '0)
  `TMA_COVER(StalledUntilFull, job_valid && !job.dropped && !rd_valid_o)

endmodule
