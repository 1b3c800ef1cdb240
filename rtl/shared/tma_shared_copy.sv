// SPDX-License-Identifier: Apache-2.0
// Copies lines from the shared memory of one CTA into that of another, or reduces them into it, then signals.
//
//   command --> tma_shared_read --(next cycle)--> rotate --+----------------------> lines FIFO --> write
//         \                                                +--> tma_shared_alu --/       |
//          \--------------------------------------------------------> signals FIFO ------+--> signal
//
// One line per cycle, also from one command to the next; of a reduction in the source's own CTA one in two cycles,
// and one that updates a line which is on its way starts when that was written. With Short a cycle passes between
// commands, and every line of a reduction takes two. Three cycles from the read of a line to its write's end, of a
// reduction four, with Short two more. A line starts at any chunk on either side, so rotating it from bank to bank is
// all the alignment there is. Lines are written in the order of the commands. A command's signal is offered when its
// last line was written.
//
// Combinational, but with Short: `rd_ready_i` to `cmd_ready_o`. Reset: control only.

`include "tma_assert.svh"

module tma_shared_copy
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter bit Short = ShortPaths  // lines and signals wait in block memory, for cycles
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             cmd_valid_i,
  output logic             cmd_ready_o,
  input  shared_cmd_t      cmd_i,

  // Shared memory, 0 source, 1 destination of a reduction, never both of one CTA; read data is taken in the cycle
  // after the handshake
  output logic [1:0]       rd_valid_o,
  input  logic [1:0]       rd_ready_i,
  output cta_t [1:0]       rd_cta_o,
  output bank_rows_t [1:0] rd_rows_o,
  input  line_t [1:0]      rd_data_i,

  output logic             wr_valid_o,
  input  logic             wr_ready_i,
  output smem_write_t      wr_o,

  output logic             sig_valid_o,
  input  logic             sig_ready_i,
  output signal_t          sig_o,

  output logic             line_event_o,  // a line was written
  output logic             idle_o
);

  // A line is on its way for three cycles: read, into the FIFO, out; one of a reduction for four; with Short two more
  // inside the FIFO.
  localparam int unsigned LineSlots   = Short ? 8 : Reduces ? 4 : 3;
  localparam int unsigned SignalSlots = 8;  // commands whose signal is not sent
  localparam int unsigned LevelWidth  = $clog2(LineSlots + 1);
  localparam int unsigned DoneWidth   = $clog2(SignalSlots + 1);

  typedef struct packed {
    copied_line_t info;
    line_t        data;
  } line_slot_t;

  ///////////
  // Reads //
  ///////////

  logic                  read_ready, signal_room, line_room, line_go, reduce;
  copied_line_t          info;
  how_t                  how;
  logic [ChunkIdx-1:0]   amount;

  assign cmd_ready_o = signal_room && read_ready;

  tma_shared_read #(.Lines(LineSlots), .Short(Short)) u_read (
    .clk_i, .rst_ni,
    .cmd_valid_i(cmd_valid_i && signal_room), .cmd_ready_o(read_ready), .cmd_i,
    .rd_valid_o, .rd_ready_i, .rd_cta_o, .rd_rows_o,
    .room_i(line_room), .line_go_o(line_go), .line_o(info), .reduce_o(reduce), .how_o(how), .amount_o(amount),
    .written_i(line_event_o)
  );

  ///////////////
  // Read data //
  ///////////////

  logic                arrives_q;   // the line is there, or the last of what it is made from
  copied_line_t        info_q;
  logic [ChunkIdx-1:0] amount_q;
  line_t               rotated;
  logic                ready;       // a line for the FIFO
  line_slot_t          line;
  logic [1:0]          under_way;   // lines in front of the FIFO

  always_ff @(posedge clk_i) begin
    if (!rst_ni) arrives_q <= 1'b0;
    else         arrives_q <= line_go;
  end

  // Whether a line goes is known late, and nobody looks at these but in the cycle after it did.
  always_ff @(posedge clk_i) begin
    info_q   <= info;
    amount_q <= amount;
  end

  tma_rotate #(.LaneWidth(128)) u_rotate (
    .line_i(rd_data_i[0]), .amount_i(amount_q), .line_o(rotated)
  );

  if (Reduces) begin : g_reduce
    logic [1:0]   part_q;               // data of a source, of a destination
    logic         reduce_q, works_q;    // works: both operands are there
    how_t         how_q, works_how_q;
    copied_line_t works_info_q;
    line_t        src_q, dst_q, result;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        part_q  <= '0;
        works_q <= 1'b0;
      end else begin
        part_q  <= rd_valid_o & rd_ready_i;
        works_q <= arrives_q && reduce_q;
      end
    end

    always_ff @(posedge clk_i) begin
      reduce_q <= reduce;
      how_q    <= how;
      if (part_q[0]) src_q <= rotated;
      if (part_q[1]) dst_q <= rd_data_i[1];
      works_how_q  <= how_q;
      works_info_q <= info_q;
    end

    tma_shared_alu u_alu (.how_i(works_how_q), .dst_i(dst_q), .src_i(src_q), .result_o(result));

    assign ready     = works_q || (arrives_q && !reduce_q);
    assign line      = works_q ? '{info: works_info_q, data: result} : '{info: info_q, data: rotated};
    assign under_way = 2'(arrives_q) + 2'(works_q);

    `TMA_ASSERT(OneLineAtATime, works_q |-> !arrives_q || reduce_q)
  end else begin : g_copy
    logic unused;

    assign unused    = ^{reduce, how, rd_data_i[1]};
    assign ready     = arrives_q;
    assign line      = '{info: info_q, data: rotated};
    assign under_way = 2'(arrives_q);
  end

  ///////////
  // Lines //
  ///////////

  line_slot_t            slot;
  logic [LevelWidth-1:0] level;
  logic                  slot_room;

  tma_room #(.Depth(LineSlots), .Short(Short)) u_room (
    .clk_i, .rst_ni, .level_i(level), .coming_i(under_way), .sent_i(line_go), .room_o(line_room)
  );

  tma_fifo_block #(
    .Width($bits(line_slot_t)), .Depth(LineSlots), .Block(Short), .Register(1'b1), .FlowThrough(1'b0)
  ) u_lines (
    .clk_i, .rst_ni,
    .in_valid_i(ready), .in_ready_o(slot_room), .in_i(line),
    .out_valid_o(wr_valid_o), .out_ready_i(wr_ready_i), .out_o(slot), .level_o(level)
  );

  assign wr_o.ctas = slot.info.ctas;
  assign wr_o.rows = line_rows(slot.info.addr);
  assign wr_o.data = slot.data;

  for (genvar b = 0; b < Chunks; b++) begin : g_be
    assign wr_o.be[16*b +: 16] = {16{slot.info.banks[b]}};
  end

  assign line_event_o = wr_valid_o && wr_ready_i;

  /////////////
  // Signals //
  /////////////

  logic                 cmd_go, sig_go, held;
  logic [DoneWidth-1:0] done_q, sig_level;  // copies that are complete; commands held

  tma_fifo_block #(.Width($bits(signal_t)), .Depth(SignalSlots), .Block(Short), .FlowThrough(1'b0)) u_signals (
    .clk_i, .rst_ni,
    .in_valid_i(cmd_go), .in_ready_o(signal_room), .in_i(cmd_i.signal),
    .out_valid_o(held), .out_ready_i(sig_go), .out_o(sig_o), .level_o(sig_level)
  );

  assign cmd_go      = cmd_valid_i && cmd_ready_o;
  assign sig_valid_o = done_q != '0;
  assign sig_go      = sig_valid_o && sig_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= '0;
    else         done_q <= done_q + DoneWidth'(line_event_o && slot.info.last) - DoneWidth'(sig_go);
  end

  assign idle_o = sig_level == '0;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(LineHasRoom, ready |-> slot_room)
  `TMA_ASSERT(SignalIsHeld, done_q <= sig_level)
  `TMA_ASSERT(SignalIsOnOffer, sig_valid_o |-> held)
  `TMA_ASSERT_STABLE(WriteIsStable, wr_valid_o, wr_ready_i, wr_o)
  `TMA_ASSERT_STABLE(SignalIsStable, sig_valid_o, sig_ready_i, sig_o)
  `TMA_COVER(LinesFull, level == LevelWidth'(LineSlots))

endmodule
