// SPDX-License-Identifier: Apache-2.0
// Reads the lines of copies and reductions between CTAs: the source, of a reduction the destination too.
//
//   command --> line --+--> source ------+--> line is read
//                      +--> destination -+
//
// A line per cycle, also from one command to the next. Source and destination are read in the same cycle, or either
// one first, as their CTAs have time; if both are in one CTA, first the source: two cycles a line. The destination
// waits while it overlaps a line of a reduction that is not written yet, so no update is lost. A copy waits for a
// cycle behind a reduction, whose lines take one more to be ready.
//
// With Short a command is taken in the cycle after the last line of the one before, and whether a destination overlaps
// is looked at in the first cycle of its line, which is read from the second one on.
//
// While the source does not ask, its CTA is another one than the destination's with Short: the rows that a CTA sees
// depend on registers alone.
//
// Combinational: `rd_ready_i` to `line_go_o` and, but with Short, `cmd_ready_o`. Reset: control only.

`include "tma_assert.svh"

module tma_shared_read
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter int unsigned Lines = 4,  // between read and write at most
  parameter bit          Short = ShortPaths
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                cmd_valid_i,
  output logic                cmd_ready_o,
  input  shared_cmd_t         cmd_i,

  // Shared memory: 0 source, 1 destination
  output logic [1:0]          rd_valid_o,
  input  logic [1:0]          rd_ready_i,
  output cta_t [1:0]          rd_cta_o,
  output bank_rows_t [1:0]    rd_rows_o,

  // Lines
  input  logic                room_i,     // there is room for one more; stays until it is read
  output logic                line_go_o,  // the line is read
  output copied_line_t        line_o,
  output logic                reduce_o,   // it is one of a reduction
  output how_t                how_o,
  output logic [ChunkIdx-1:0] amount_o,   // rotates its source to the banks of its destination
  input  logic                written_i   // the oldest line was written
);

  //////////////
  // Commands //
  //////////////

  logic                busy_q, cmd_go, is_last;
  shared_cmd_t         cmd_q;       // addresses and chunks: of the lines to come
  logic [1:0]          rd_go;
  logic [ChunkIdx-1:0] src_head, dst_head;
  logic [Chunks-1:0]   lanes, banks;
  logic                unused_signal;

  assign unused_signal = ^cmd_q.signal;
  assign is_last       = cmd_q.chunks <= RowChunks'(Chunks);
  assign rd_go         = rd_valid_o & rd_ready_i;
  assign cmd_ready_o   = !busy_q || (line_go_o && is_last && !Short);
  assign cmd_go        = cmd_valid_i && cmd_ready_o;

  assign src_head = cmd_q.src[ChunkIdx-1:0];
  assign dst_head = cmd_q.dst[ChunkIdx-1:0];

  always_comb begin
    for (int unsigned i = 0; i < Chunks; i++) lanes[i] = RowChunks'(i) < cmd_q.chunks;
  end

  tma_rotate #(.LaneWidth(1)) u_banks (
    .line_i(lanes), .amount_i((ChunkIdx'(0) - dst_head) & ChunkIdx'(Chunks - 1)), .line_o(banks)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                   busy_q <= 1'b0;
    else if (cmd_go)               busy_q <= 1'b1;
    else if (line_go_o && is_last) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (cmd_go) begin
      cmd_q <= cmd_i;
    end else if (line_go_o) begin
      cmd_q.src    <= cmd_q.src + chunk_addr_t'(Chunks);
      cmd_q.dst    <= cmd_q.dst + chunk_addr_t'(Chunks);
      cmd_q.chunks <= cmd_q.chunks - RowChunks'(Chunks);
    end
  end

  assign line_o   = '{ctas: cmd_q.signal.ctas, addr: cmd_q.dst, banks: banks, last: is_last};
  assign how_o    = cmd_q.how;
  assign amount_o = (src_head - dst_head) & ChunkIdx'(Chunks - 1);

  ///////////
  // Reads //
  ///////////

  assign rd_rows_o[0] = line_rows(cmd_q.src);

  if (Reduces) begin : g_reduce
    logic [1:0]          done_q;     // of this line
    logic                behind_q;   // a line of a reduction was read in the cycle before
    logic                hit, free;  // of the destination: it overlaps; it is known not to
    cta_t                dst_cta_q;
    logic [ChunkIdx-1:0] dst_more;   // chunks behind the first one
    chunk_addr_t         dst_last;

    assign reduce_o      = cmd_q.reduce;
    assign rd_valid_o[0] = busy_q && room_i && !done_q[0] && (cmd_q.reduce || !behind_q);
    assign rd_valid_o[1] = busy_q && room_i && !done_q[1] && cmd_q.reduce && free &&
                           (cmd_q.src_cta != dst_cta_q || done_q[0]);
    assign rd_cta_o[0]   = Short && done_q[0] ? dst_cta_q ^ cta_t'(1) : cmd_q.src_cta;
    assign rd_cta_o[1]   = dst_cta_q;
    assign rd_rows_o[1]  = line_rows(cmd_q.dst);
    assign line_go_o     = (rd_go[0] || done_q[0]) && (rd_go[1] || done_q[1] || !cmd_q.reduce);

    always_ff @(posedge clk_i) begin
      if (!rst_ni || line_go_o) done_q <= '0;
      else                      done_q <= done_q | rd_go;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) behind_q <= 1'b0;
      else         behind_q <= line_go_o && cmd_q.reduce;
    end

    always_ff @(posedge clk_i) begin
      if (cmd_go) begin
        for (int unsigned c = 0; c < NumCtas; c++) if (cmd_i.signal.ctas[c]) dst_cta_q <= cta_t'(c);
      end
    end

    // Of a line that is not full its chunks count, modulo Chunks: at least one.
    assign dst_more = ((ChunkIdx'(cmd_q.chunks) - ChunkIdx'(1)) | {ChunkIdx{!is_last}}) & ChunkIdx'(Chunks - 1);
    assign dst_last = cmd_q.dst + chunk_addr_t'(dst_more);

    tma_shared_flight #(.Lines(Lines)) u_flight (
      .clk_i, .rst_ni,
      .cta_i(dst_cta_q), .first_i(cmd_q.dst), .last_i(dst_last), .hit_o(hit),
      .take_i(line_go_o), .reduce_i(cmd_q.reduce), .free_i(written_i)
    );

    // No line is taken meanwhile, so what is free stays free.
    if (Short) begin : g_look
      logic free_q;

      assign free = free_q;

      always_ff @(posedge clk_i) free_q <= rst_ni && busy_q && !line_go_o && !hit;
    end else begin : g_at_once
      assign free = !hit;
    end

    `TMA_ASSERT_STABLE(DestinationIsStable, rd_valid_o[1], rd_ready_i[1], {rd_cta_o[1], rd_rows_o[1]})
    `TMA_ASSERT(OneOfACta, &rd_valid_o |-> rd_cta_o[0] != rd_cta_o[1])
    `TMA_COVER(BothAtOnce, rd_go == 2'b11)
    `TMA_COVER(SourceFirst, rd_go == 2'b01 && cmd_q.reduce && cmd_q.src_cta != dst_cta_q)
    `TMA_COVER(DestinationFirst, rd_go == 2'b10 && !done_q[0])
    `TMA_COVER(OwnCta, rd_go == 2'b10 && cmd_q.src_cta == dst_cta_q)
    `TMA_COVER(WaitsForAnUpdate, busy_q && room_i && cmd_q.reduce && hit)
    `TMA_COVER(CopyBehindAReduction, busy_q && room_i && !cmd_q.reduce && behind_q)
  end else begin : g_copy
    logic unused;

    assign unused        = ^{rd_ready_i[1], rd_go[1], cmd_q.reduce, written_i, Lines};
    assign reduce_o      = 1'b0;
    assign rd_valid_o    = {1'b0, busy_q && room_i};
    assign rd_cta_o[0]   = cmd_q.src_cta;
    assign rd_cta_o[1]   = '0;
    assign rd_rows_o[1]  = '0;
    assign line_go_o     = rd_go[0];
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(CommandIsNotEmpty, cmd_valid_i |-> cmd_i.chunks != '0)
  `TMA_ASSERT(OneDestination, cmd_valid_i |-> $onehot(cmd_i.signal.ctas))
  `TMA_ASSERT(ReductionsAreBuilt, cmd_valid_i && cmd_i.reduce |-> Reduces)
  `TMA_ASSERT_STABLE(SourceIsStable, rd_valid_o[0], rd_ready_i[0], {rd_cta_o[0], rd_rows_o[0]})
  `TMA_COVER(BackToBack, line_go_o && is_last && cmd_valid_i)
  `TMA_COVER(PartialLine, line_go_o && cmd_q.chunks < RowChunks'(Chunks))

endmodule
