// SPDX-License-Identifier: Apache-2.0
// Copies lines from the shared memory of one CTA into that of another, then signals.
//
//   command --> read --(next cycle)--> rotate --> lines FIFO --> write
//         \----------------------------------> signals FIFO ------+--> signal
//
// One line per cycle, also from one command to the next. Three cycles from the read of a line to
// its write's end, with Short five. A line starts at any chunk on either side, so rotating it from bank to bank is
// all the alignment there is. A command's signal is offered when its last line was written.
//
// Combinational: `rd_ready_i` to `cmd_ready_o`. Reset: control only.

`include "tma_assert.svh"

module tma_shared_copy
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter bit Short = ShortPaths  // lines and signals wait in block memory, for cycles
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        cmd_valid_i,
  output logic        cmd_ready_o,
  input  shared_cmd_t cmd_i,

  // Shared memory; read data is taken in the cycle after the handshake
  output logic        rd_valid_o,
  input  logic        rd_ready_i,
  output cta_t        rd_cta_o,
  output bank_rows_t  rd_rows_o,
  input  line_t       rd_data_i,

  output logic        wr_valid_o,
  input  logic        wr_ready_i,
  output smem_write_t wr_o,

  output logic        sig_valid_o,
  input  logic        sig_ready_i,
  output signal_t     sig_o,

  output logic        line_event_o,  // a line was written
  output logic        idle_o
);

  // A line is on its way for three cycles: read, into the FIFO, out; with Short two more inside it.
  localparam int unsigned LineSlots   = Short ? 8 : 3;
  localparam int unsigned SignalSlots = 8;  // commands whose signal is not sent
  localparam int unsigned LevelWidth  = $clog2(LineSlots + 1);
  localparam int unsigned DoneWidth   = $clog2(SignalSlots + 1);

  // What goes with a line from its read to its write.
  typedef struct packed {
    cta_mask_t         ctas;
    chunk_addr_t       addr;
    logic [Chunks-1:0] banks;
    logic              last;   // of its command
  } line_info_t;

  typedef struct packed {
    line_info_t info;
    line_t      data;
  } line_slot_t;

  ////////////////////
  // Command, reads //
  ////////////////////

  logic                busy_q, cmd_go, rd_go, is_last, signal_room;
  shared_cmd_t         cmd_q;       // addresses and chunks: of the lines to come
  logic [ChunkIdx-1:0] src_head, dst_head;
  logic [Chunks-1:0]   lanes, banks;

  assign is_last     = cmd_q.chunks <= RowChunks'(Chunks);
  assign rd_go       = rd_valid_o && rd_ready_i;
  assign cmd_ready_o = signal_room && (!busy_q || (rd_go && is_last));
  assign cmd_go      = cmd_valid_i && cmd_ready_o;
  assign rd_cta_o    = cmd_q.src_cta;
  assign rd_rows_o   = line_rows(cmd_q.src);

  assign src_head = cmd_q.src[ChunkIdx-1:0];
  assign dst_head = cmd_q.dst[ChunkIdx-1:0];

  always_comb begin
    for (int unsigned i = 0; i < Chunks; i++) lanes[i] = RowChunks'(i) < cmd_q.chunks;
  end

  tma_rotate #(.LaneWidth(1)) u_banks (
    .line_i(lanes), .amount_i((ChunkIdx'(0) - dst_head) & ChunkIdx'(Chunks - 1)), .line_o(banks)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni)               busy_q <= 1'b0;
    else if (cmd_go)           busy_q <= 1'b1;
    else if (rd_go && is_last) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (cmd_go) begin
      cmd_q <= cmd_i;
    end else if (rd_go) begin
      cmd_q.src    <= cmd_q.src + chunk_addr_t'(Chunks);
      cmd_q.dst    <= cmd_q.dst + chunk_addr_t'(Chunks);
      cmd_q.chunks <= cmd_q.chunks - RowChunks'(Chunks);
    end
  end

  ///////////
  // Lines //
  ///////////

  logic                  arrives_q;  // read data is there
  line_info_t            info_q;
  logic [ChunkIdx-1:0]   amount_q;
  line_t                 rotated;
  line_slot_t            slot;
  logic [LevelWidth-1:0] level;
  logic                  slot_room;

  assign rd_valid_o = busy_q && level + LevelWidth'(arrives_q) < LevelWidth'(LineSlots);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) arrives_q <= 1'b0;
    else         arrives_q <= rd_go;
  end

  always_ff @(posedge clk_i) begin
    if (rd_go) begin
      info_q   <= '{ctas: cmd_q.signal.ctas, addr: cmd_q.dst, banks: banks, last: is_last};
      amount_q <= (src_head - dst_head) & ChunkIdx'(Chunks - 1);
    end
  end

  tma_rotate #(.LaneWidth(128)) u_rotate (
    .line_i(rd_data_i), .amount_i(amount_q), .line_o(rotated)
  );

  tma_fifo_block #(
    .Width($bits(line_slot_t)), .Depth(LineSlots), .Block(Short), .Register(1'b1), .FlowThrough(1'b0)
  ) u_lines (
    .clk_i, .rst_ni,
    .in_valid_i(arrives_q), .in_ready_o(slot_room), .in_i({info_q, rotated}),
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

  logic                 sig_go, held;
  logic [DoneWidth-1:0] done_q, sig_level;  // copies that are complete; commands held

  tma_fifo_block #(.Width($bits(signal_t)), .Depth(SignalSlots), .Block(Short), .FlowThrough(1'b0)) u_signals (
    .clk_i, .rst_ni,
    .in_valid_i(cmd_go), .in_ready_o(signal_room), .in_i(cmd_i.signal),
    .out_valid_o(held), .out_ready_i(sig_go), .out_o(sig_o), .level_o(sig_level)
  );

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

  `TMA_ASSERT(CommandIsNotEmpty, cmd_valid_i |-> cmd_i.chunks != '0)
  `TMA_ASSERT(LineHasRoom, arrives_q |-> slot_room)
  `TMA_ASSERT(SignalIsHeld, done_q <= sig_level)
  `TMA_ASSERT(SignalIsOnOffer, sig_valid_o |-> held)
  `TMA_ASSERT_STABLE(ReadIsStable, rd_valid_o, rd_ready_i, {rd_cta_o, rd_rows_o})
  `TMA_ASSERT_STABLE(WriteIsStable, wr_valid_o, wr_ready_i, wr_o)
  `TMA_ASSERT_STABLE(SignalIsStable, sig_valid_o, sig_ready_i, sig_o)
  `TMA_COVER(LinesFull, level == LevelWidth'(LineSlots))
  `TMA_COVER(BackToBack, busy_q && cmd_go)
  `TMA_COVER(PartialLine, rd_go && cmd_q.chunks < RowChunks'(Chunks))

endmodule
