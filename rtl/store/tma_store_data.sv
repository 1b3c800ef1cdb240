// SPDX-License-Identifier: Apache-2.0
// Feeds W: reads one line of shared memory per beat and turns it into bus order.
//
//   job FIFO --> beat --> shared memory --> lanes --> W FIFO --+--> strobes --> W, all ports at once
//                                 (next cycle)                 |
//   records ---------------------------------------------------+
//
// Beats are aligned on the global side, so a line starts at any chunk of shared memory. The first
// line starts at the operand, not at lane 0 of its beat, which may lie below shared memory. Lanes
// outside the operand carry whatever was read and are not strobed. A record is 32 bytes at a
// multiple of 32: two beats of a bus of 128 bits, else two chunks of one beat.
//
// Throughput: one beat per cycle; one that needs two reads (tma_store_lanes) every other cycle.
// Latency: a cycle from the job to the read, one more to `w_valid_o`. With `Short` the beat to read is
// in a register, and data is written to the W FIFO before it goes on: a cycle more each.
// A read is offered only when the W FIFO has room for its data, so WREADY never loses any. A beat
// goes to the ports of its burst together, when all of them can take it: `w_valid_o` depends on
// `w_ready_i`.

`include "tma_assert.svh"

module tma_store_data
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_store_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
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
  output bank_rows_t  rd_rows_o,
  input  line_t       rd_data_i,

  // Bytes of the oldest record
  input  logic [255:0] rec_data_i,
  output logic        rec_data_pop_o,

  // W
  output ports_t      w_valid_o,
  input  ports_t      w_ready_i,
  output write_beat_t w_o,
  output logic        w_taken_o,

  // A dropped job is next; it goes when its entry does
  output logic        drop_valid_o,
  input  logic        drop_ready_i,

  output logic        read_done_o,
  output queue_t      read_done_queue_o,

  output logic        idle_o
);

  localparam int unsigned JobDepth  = 4;  // AW may run ahead of W by that many bursts
  localparam int unsigned BeatDepth = 4;  // 2 keep W busy: one comes and leaves, one is read
  localparam int unsigned LevelWidth = $clog2(BeatDepth + 1);

  // A beat on its way to W without its data. Strobes are chunk_en x byte_mask, in lanes of `whole`
  // chunk_en alone.
  typedef struct packed {
    ports_t            ports;
    logic              record;
    logic              last;
    logic [Chunks-1:0] chunk_en;
    logic [Chunks-1:0] whole;
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

  // A beat of a job, as it is read.
  typedef struct packed {
    ports_t              ports;
    logic                record;
    logic                is_first;
    logic                is_last;
    logic                over;       // the command reads nothing after this
    queue_t              qid;
    cta_t                cta;
    swizzle_e            swizzle;
    chunk_addr_t         addr;       // first chunk that is read
    logic [2:0]          lane0;      // low bits of the chunk of lane 0
    logic [ChunkIdx-1:0] head;
    logic [ChunkIdx-1:0] tail;
    logic                odd;
    logic [15:0]         byte_mask;
  } read_t;

  logic [LenWidth-1:0]   beat_q;
  logic                  is_first, is_last, has_room;
  logic                  has_data;    // the job is not there for its end alone
  logic                  taken;       // the next beat of the job is
  logic                  read_valid, read_behind;  // a beat is read; one of another job may be
  read_t                 next, read;
  logic                  fetch;       // data comes in the next cycle
  logic                  two;         // the beat takes two reads
  logic                  second_q;    // and this is the other one
  logic                  whole;       // with that data the beat is complete
  logic                  dropped, ended;
  logic                  pending_q;   // a beat is complete with the data of this cycle
  chunk_addr_t           beat_chunk;  // lane 0 of the beat, counted from the job's first chunk
  line_t                 line, stored;
  logic [LevelWidth-1:0] level;       // beats in the W FIFO
  logic                  beat_valid;  // one goes to W

  assign is_first = beat_q == '0;
  assign is_last  = beat_q == job.len;

  assign has_data   = job_valid && !job.dropped && !job.ends;
  assign beat_chunk = (chunk_addr_t'(beat_q) << ChunkShift) - chunk_addr_t'(job.head);

  assign next = '{ports: job.ports, record: job.record, is_first: is_first, is_last: is_last,
                  over: job.last && is_last, qid: job.qid, cta: job.cta, swizzle: job.swizzle,
                  addr: job.saddr + (is_first ? '0 : beat_chunk),
                  lane0: job.saddr[2:0] + beat_chunk[2:0], head: job.head, tail: job.tail,
                  odd: job.odd, byte_mask: job.byte_mask};

  if (Short) begin : g_short
    logic  valid_q;
    read_t read_q;

    assign read_valid  = valid_q;
    assign read_behind = valid_q;
    assign read        = read_q;
    assign taken       = has_data && (!valid_q || whole);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= has_data || (valid_q && !whole);
    end

    always_ff @(posedge clk_i) if (!valid_q || whole) read_q <= next;
  end else begin : g_direct
    assign read_valid  = has_data;
    assign read_behind = 1'b0;
    assign read        = next;
    assign taken       = whole;
  end

  assign has_room   = level + LevelWidth'(pending_q) < LevelWidth'(BeatDepth);
  assign rd_valid_o = read_valid && !read.record && has_room;
  assign rd_cta_o   = read.cta;
  assign fetch      = read_valid && has_room && (read.record || rd_ready_i);
  assign whole      = fetch && (!two || second_q);

  // It goes when its entry is the oldest, so the bytes of records before it were taken.
  assign drop_valid_o = job_valid && job.dropped;
  assign dropped      = drop_valid_o && drop_ready_i;
  assign ended        = dropped || (job_valid && job.ends && !read_behind);
  assign job_done     = (taken && is_last) || ended;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q      <= '0;
      second_q    <= 1'b0;
      pending_q   <= 1'b0;
      read_done_o <= 1'b0;
    end else begin
      if (taken) beat_q   <= is_last ? '0 : beat_q + LenWidth'(1);
      if (fetch) second_q <= two && !second_q;
      pending_q   <= whole;
      read_done_o <= whole ? read.over && !read.record : ended && job.last && !job.record;
    end
  end

  always_ff @(posedge clk_i) begin
    if (whole || ended) read_done_queue_o <= read_valid ? read.qid : job.qid;
  end

  tma_store_lanes u_lanes (
    .clk_i, .rst_ni,
    .swizzle_i(read.swizzle), .addr_i(read.addr), .lane0_i(read.lane0),
    .first_i(read.is_first), .last_i(read.is_last), .head_i(read.head), .tail_i(read.tail),
    .second_i(second_q), .take_i(fetch), .two_o(two), .rows_o(rd_rows_o),
    .data_i(rd_data_i), .line_o(line)
  );

  ///////////
  // Beats //
  ///////////

  beat_t next_q, out;  // of the data that comes
  logic  beat_ready, w_free;

  always_ff @(posedge clk_i) begin
    if (fetch) begin
      next_q.ports     <= read.ports;
      next_q.record    <= read.record;
      next_q.last      <= read.is_last;
      next_q.byte_mask <= read.byte_mask;
      for (int unsigned i = 0; i < Chunks; i++) begin
        next_q.chunk_en[i] <= (!read.is_first || ChunkIdx'(i) >= read.head) &&
                              (!read.is_last  || ChunkIdx'(i) <= read.tail);
        next_q.whole[i]    <= read.odd && !(read.is_last && ChunkIdx'(i) == read.tail);
      end
    end
  end

  tma_fifo #(.Width($bits(beat_t) + DataWidth), .Depth(BeatDepth), .FlowThrough(!Short)) u_beats (
    .clk_i, .rst_ni, .in_valid_i(pending_q), .in_ready_o(beat_ready), .in_i({next_q, line}),
    .out_valid_o(beat_valid), .out_ready_i(w_free), .out_o({out, stored}), .level_o(level)
  );

  ///////
  // W //
  ///////

  line_t record;

  if (Chunks == 1) begin : g_halves
    assign record = out.last ? rec_data_i[255:128] : rec_data_i[127:0];
  end else begin : g_copies
    assign record = {(Chunks / 2){rec_data_i}};
  end

  assign w_free    = (out.ports & ~w_ready_i) == '0;  // at all ports of the beat
  assign w_taken_o = beat_valid && w_free;
  assign w_valid_o = {NumPorts{w_taken_o}} & out.ports;
  assign w_o.data  = out.record ? record : stored;
  assign w_o.last  = out.last;
  for (genvar i = 0; i < Chunks; i++) begin : g_strb
    assign w_o.strb[16*i +: 16] = (out.byte_mask | {16{out.whole[i]}}) & {16{out.chunk_en[i]}};
  end

  assign rec_data_pop_o = (w_taken_o && out.record && out.last) || (dropped && job.record);

  assign idle_o = !job_valid && !read_valid && !pending_q && !beat_valid && !read_done_o;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(ReadIsStable, rd_valid_o, rd_ready_i, {rd_cta_o, rd_rows_o})
  `TMA_ASSERT(ReadDataHasRoom, pending_q |-> beat_ready)
  `TMA_ASSERT(JobWithoutDataIsLast, job_valid && !has_data |-> job.last && is_first)
  `TMA_COVER(HeadAndTailInOneBeat, fetch && read.is_first && read.is_last && read.head != '0)
  `TMA_ASSERT(DropIsTheOldest, dropped |-> !read_valid && !pending_q && !beat_valid)
  `TMA_ASSERT(BeatGoesSomewhere, beat_valid |-> out.ports != '0)
  `TMA_COVER(StalledUntilFull, read_valid && !has_room)
  `TMA_COVER(RecordBehindARecord, fetch && read.record && pending_q && next_q.record && next_q.last)
  `TMA_COVER(DroppedRecord, dropped && job.record)
  `TMA_COVER(EndOvertakesBeats, job_valid && job.ends && beat_valid)

endmodule
