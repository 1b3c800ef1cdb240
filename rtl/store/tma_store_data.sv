// SPDX-License-Identifier: Apache-2.0
// Feeds W: reads one line of shared memory per beat and turns it into bus order.
//
//   job FIFO --> beat --> shared memory --> lanes --+----------> W FIFO --+--> strobes --> W, all ports
//                                 (next cycle)      +--> pack ----^       |                 of a burst
//   records --------------------------------------------------------------+
//
// Beats are aligned on the global side, so a line starts at any chunk of shared memory. The first line starts at the
// operand, not at lane 0 of its beat, which may lie below shared memory. Lanes outside the operand carry whatever was
// read and are not strobed. A record is 32 bytes at a multiple of 32: two beats of 128 bits, or two chunks of one. A row
// of values of 6 bits is read whole, line by line, and leaves tma_store_pack as three quarters of it. Between such rows
// and other beats the pack stage runs empty.
//
// Throughput: one beat per cycle; one that needs two reads (tma_store_lanes) every other cycle; of rows that are
// packed a line of shared memory per cycle, when they take no more beats than lines.
// Latency: a cycle from the job to the read, one more to `w_valid_o`. With `Short` the beat to read is in a register,
// and data goes through the block memory of the W FIFO: three cycles more.
// A read is offered only when the W FIFO has room for its data, so WREADY never loses any. A beat goes to the ports of
// its burst together, when all of them can take it: `w_valid_o` depends on `w_ready_i`. Only port 0 ever makes one
// wait: whoever sends the jobs sees to it (tma_store_room).
//
// Jobs are read in the order in which they come, whichever lane they are of. A broadcast that is stopped has no job,
// so that nobody stands behind it. AW may run ahead of W by `Jobs` bursts. Reductions have a reader of their own, with
// more of them, since its beats wait for old data, and without rows that are packed (`Packs` 0).

`include "tma_assert.svh"

module tma_store_data
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_store_pkg::*;
  import tma_path_pkg::*;
#(parameter int unsigned Jobs = 4, parameter bit Short = ShortPaths, Packs = Packed) (
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
  output lane_t       w_lane_o,
  output write_beat_t w_o,
  output logic        w_taken_o,
  output logic        w_there_o,   // a beat is there, whether or not it can be taken

  // A dropped job is next; it goes when its entry does
  output logic        drop_valid_o,
  input  logic        drop_ready_i,

  // By lane
  output event_t [NumLanes-1:0] read_done_o,

  output logic        idle_o
);

  // 2 keep W busy: one comes and leaves, one is read. With `Short` they are longer on their way.
  localparam int unsigned BeatDepth = Short ? 8 : 4;
  localparam int unsigned LevelWidth = $clog2(BeatDepth + 1);
  localparam logic [LenWidth-1:0] LastLine = LenWidth'(8 / Chunks - 1);  // of a row that is packed

  // A beat on its way to W without its data. Strobes are chunk_en x byte_mask, in lanes of `whole` chunk_en alone.
  typedef struct packed {
    ports_t            ports;
    lane_t             lane;
    logic              record;
    logic              last;
    logic [Chunks-1:0] chunk_en;
    logic [Chunks-1:0] whole;
    logic [15:0]       byte_mask;
  } beat_t;

  //////////
  // Jobs //
  //////////

  logic                      job_valid, job_done;
  job_t                      job;
  logic [$clog2(Jobs+1)-1:0] unused_job_level;

  tma_fifo_block #(.Width($bits(job_t)), .Depth(Jobs), .Block(Jobs >= 16), .FlowThrough(1'b0)) u_jobs (
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
    logic                spread;
    logic                is_first, is_last;
    logic                over;       // the command reads nothing after this
    logic                pack;       // a line of a row that is packed
    logic                pair;       // its first and last chunk alone
    pack_t               row;
    queue_t              qid;
    cta_t                cta;
    swizzle_e            swizzle;
    chunk_addr_t         addr;       // first chunk that is read
    logic [2:0]          lane0;      // low bits of the chunk of lane 0
    logic [ChunkIdx-1:0] head, tail;
    logic                odd;
    logic [15:0]         byte_mask;
  } read_t;

  logic [LenWidth-1:0]   beat_q;
  logic                  is_first, is_last, has_room;
  logic                  packs;       // the job is of a row that is packed
  logic                  beat_room;   // for a beat that is not of a packed row
  logic                  has_data;    // the job is not there for its end alone
  logic                  taken;       // the next beat of the job is
  logic                  read_valid, read_behind;  // a beat is read; one of another job may be
  read_t                 next, read;
  logic                  fetch;       // data comes in the next cycle
  logic                  two;         // the beat takes two reads
  logic                  second_q;    // and this is the other one
  logic                  whole;       // with that data the beat is complete
  logic                  dropped, ended;
  logic                  pending_q;   // a beat is complete with the data of this cycle,
  logic                  line_q;      // or it is a line of a row that is packed,
  logic                  row_end_q;   // the last one
  logic                  row_room;    // for a row that is complete with the next line
  pack_t                 row_q;       // of the line that comes
  logic [3:0]            row_left;    // beats of the row that leaves
  chunk_addr_t           beat_chunk;  // lane 0 of the beat, counted from the job's first chunk
  line_t                 line, stored;
  logic [LevelWidth-1:0] level;       // beats in the W FIFO
  logic                  beat_valid;  // one goes to W

  // Where none is built, nobody looks at what the queue has.
  assign packs    = Packs && job.pack;
  assign is_first = beat_q == '0;
  assign is_last  = beat_q == (packs ? LastLine : job.len);

  assign has_data   = job_valid && !job.dropped && !job.ends;
  assign beat_chunk = (chunk_addr_t'(beat_q) << ChunkShift) - chunk_addr_t'(job.head);

  always_comb begin
    next = '{ports: job.ports, record: job.record, spread: job.spread, is_first: is_first,
             is_last: is_last, over: job.last && is_last, pack: packs, pair: job.pair,
             row: '{ports: job.ports, len: job.len[3:0],
                    chunk: {1'b0, job.saddr[2:0]} - 4'(job.head), head: job.head, tail: job.tail},
             qid: job.qid, cta: job.cta, swizzle: job.swizzle,
             addr: job.saddr + (is_first ? '0 : beat_chunk),
             lane0: job.saddr[2:0] + beat_chunk[2:0], head: job.head, tail: job.tail,
             odd: job.odd, byte_mask: job.byte_mask};
    if (packs) begin
      next.addr  = {job.saddr[ChunkAddr-1:3], 3'b0} | (chunk_addr_t'(beat_q) << ChunkShift);
      next.lane0 = next.addr[2:0];
    end
    if (Short && Chunks == 1) begin  // there is a cycle for it
      next.addr[2:0] = next.addr[2:0] ^ swizzle_chunks(next.swizzle, next.addr[5:3]);
      next.swizzle   = SwizzleOff;
    end
  end

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

  tma_room #(.Depth(BeatDepth), .Short(Short && !Packs)) u_room (
    .clk_i, .rst_ni, .level_i(level), .coming_i(2'(pending_q)), .sent_i(whole && !read.pack), .room_o(beat_room)
  );

  // The row before the one that this line completes goes to the W FIFO in this cycle and the next.
  assign row_room   = !row_end_q ? row_left <= 4'd2 && 4'(level) + row_left <= 4'(BeatDepth)
                                 : row_q.len == '0 && row_left <= 4'd1 &&
                                   4'(level) + row_left < 4'(BeatDepth);
  assign has_room   = read.pack ? !read.is_last || row_room : beat_room && !line_q && row_left == '0;
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
      beat_q               <= '0;
      second_q             <= 1'b0;
      pending_q            <= 1'b0;
      line_q               <= 1'b0;
      row_end_q            <= 1'b0;
      read_done_o[0].valid <= 1'b0;
    end else begin
      if (taken) beat_q   <= is_last ? '0 : beat_q + LenWidth'(1);
      if (fetch) second_q <= two && !second_q;
      pending_q            <= whole && !read.pack;
      line_q               <= whole && read.pack;
      row_end_q            <= whole && read.pack && read.is_last;
      read_done_o[0].valid <= (whole && read.over && !read.record && !read.spread) ||
                              (ended && job.last && !job.record);
    end
  end

  // A broadcast's beat may be read while another command ends.
  always_ff @(posedge clk_i) begin
    if (whole || ended) begin
      read_done_o[0].qid <= (NumLanes == 1 ? read_valid : !ended) ? read.qid : job.qid;
    end
  end

  if (NumLanes > 1) begin : g_spread
    always_ff @(posedge clk_i) begin
      if (!rst_ni) read_done_o[1].valid <= 1'b0;
      else         read_done_o[1].valid <= whole && read.over && read.spread;
    end

    always_ff @(posedge clk_i) if (whole) read_done_o[1].qid <= read.qid;
  end

  tma_store_lanes u_lanes (
    .clk_i, .rst_ni,
    .swizzle_i(read.swizzle), .addr_i(read.addr), .lane0_i(read.lane0),
    .first_i(read.is_first), .last_i(read.is_last), .head_i(read.head), .tail_i(read.tail),
    .second_i(second_q), .pair_i(read.pair), .take_i(fetch), .two_o(two), .rows_o(rd_rows_o),
    .data_i(rd_data_i), .line_o(line)
  );

  //////////
  // Pack //
  //////////

  logic              row_valid, row_last, beat_ready;
  ports_t            row_ports;
  logic [Chunks-1:0] row_en;
  line_t             row_line;

  if (Packs) begin : g_pack
    always_ff @(posedge clk_i) if (fetch) row_q <= read.row;

    tma_store_pack u_pack (
      .clk_i, .rst_ni, .line_valid_i(line_q), .line_last_i(row_end_q), .line_i(line), .row_i(row_q),
      .beat_valid_o(row_valid), .beat_ready_i(beat_ready), .ports_o(row_ports), .last_o(row_last),
      .chunk_en_o(row_en), .line_o(row_line), .left_o(row_left)
    );

    `TMA_ASSERT(OneBeatAtATime, !(pending_q && row_valid))
    `TMA_COVER(BeatBehindARow, read_valid && !read.pack && !has_room && row_left != '0)
  end else begin : g_plain
    logic unused_row;

    assign {row_valid, row_last, row_ports, row_en, row_line, row_left, row_q} = '0;
    assign unused_row = ^{line_q, read.row, row_q};

    `TMA_ASSERT(NothingIsPacked, job_valid |-> !job.pack)
  end

  ///////////
  // Beats //
  ///////////

  beat_t next_q, into, out;  // of the data that comes
  logic  w_free, rec_over, rec_hold;

  always_ff @(posedge clk_i) begin
    if (fetch) begin
      next_q.ports     <= read.ports;
      next_q.lane      <= lane_t'(read.spread);
      next_q.record    <= read.record;
      next_q.last      <= read.is_last;
      next_q.byte_mask <= read.byte_mask;
      for (int unsigned i = 0; i < Chunks; i++) begin
        next_q.chunk_en[i] <= (!read.is_first || ChunkIdx'(i) >= read.head) &&
                              (!read.is_last  || ChunkIdx'(i) <= read.tail) &&
                              (!read.pair || ChunkIdx'(i) == read.head || ChunkIdx'(i) == read.tail);
        next_q.whole[i]    <= read.odd && !(read.is_last && ChunkIdx'(i) == read.tail);
      end
    end
  end

  always_comb begin
    into = next_q;
    if (row_valid) begin
      into = '{ports: row_ports, lane: '0, record: 1'b0, last: row_last, chunk_en: row_en, whole: '0, byte_mask: '1};
    end
  end

  tma_fifo_block #(.Width($bits(beat_t) + DataWidth), .Depth(BeatDepth), .Block(Short)) u_beats (
    .clk_i, .rst_ni, .in_valid_i(pending_q || row_valid), .in_ready_o(beat_ready),
    .in_i({into, row_valid ? row_line : line}),
    .out_valid_o(beat_valid), .out_ready_i(w_free), .out_o({out, stored}), .level_o(level)
  );

  ///////
  // W //
  ///////

  line_t record;

  assign rec_over = (w_taken_o && out.record && out.last) || (dropped && job.record);
  tma_store_record #(.Short(Short)) u_record (
    .clk_i, .rst_ni, .last_i(out.last), .line_o(record), .over_i(rec_over), .hold_o(rec_hold), .rec_data_i, .rec_data_pop_o
  );
  assign w_free    = (out.ports & ~w_ready_i) == '0 && !rec_hold;  // at all ports of the beat
  assign w_taken_o = beat_valid && w_free;
  assign w_valid_o = {NumPorts{w_taken_o}} & out.ports;
  assign w_there_o = beat_valid;
  assign w_lane_o  = out.lane;
  assign w_o.data  = out.record ? record : stored;
  assign w_o.last  = out.last;
  for (genvar i = 0; i < Chunks; i++) begin : g_strb
    assign w_o.strb[16*i +: 16] = (out.byte_mask | {16{out.whole[i]}}) & {16{out.chunk_en[i]}};
  end

  // The reports of this cycle.
  logic [NumLanes-1:0] told;

  for (genvar l = 0; l < NumLanes; l++) begin : g_told
    assign told[l] = read_done_o[l].valid;
  end

  assign idle_o = !job_valid && !read_valid && !pending_q && !line_q && !row_valid && !beat_valid &&
                  told == '0;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(ReadIsStable, rd_valid_o, rd_ready_i, {rd_cta_o, rd_rows_o})
  `TMA_ASSERT(ReadDataHasRoom, pending_q |-> beat_ready)
  `TMA_ASSERT(JobWithoutDataIsLast, job_valid && !has_data |-> job.last && is_first)
  `TMA_COVER(HeadAndTailInOneBeat, fetch && read.is_first && read.is_last && read.head != '0)
  `TMA_ASSERT(DropIsTheOldest, dropped |-> NumLanes > 1 || (!read_valid && !pending_q && !beat_valid))
  `TMA_ASSERT(BroadcastsDoNotWait, beat_valid && (out.ports >> 1) != '0 |-> w_free)
  `TMA_ASSERT(BroadcastsHaveData, job_valid && job.spread |-> has_data && !job.pack)
  `TMA_ASSERT(BeatGoesSomewhere, beat_valid |-> out.ports != '0)
  `TMA_COVER(StalledUntilFull, read_valid && !has_room)
  `TMA_COVER(RecordBehindARecord, fetch && read.record && pending_q && next_q.record && next_q.last)
  `TMA_COVER(DroppedRecord, dropped && job.record)
  `TMA_COVER(EndOvertakesBeats, job_valid && job.ends && beat_valid)

endmodule
