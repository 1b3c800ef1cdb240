// SPDX-License-Identifier: Apache-2.0
// The rules of tensor copies that need the command and its map, in the order of their codes, and what
// the copy moves in all. Two steps: `step_i` takes the command, which stays; the results are there
// from the next cycle on, with few lanes from the one behind it. Whether the walk starts inside its window
// comes from the levels.

module tma_setup_rules
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_tensor_pkg::*;
  import tma_setup_pkg::*;
(
  input  logic                       clk_i,

  input  logic                       step_i,
  input  setup_cmd_t                 cmd_i,
  input  map_info_t                  info_i,

  input  logic [Levels-1:0]          start_bad_i,  // levels that start outside of their window

  output logic [15:0]                fault_o,
  output logic [63:0]                addr_o,
  output logic [SizeWidth-1:0]       bytes_o       // for complete_tx
);

  logic [2:0] mode;
  logic       list, im2col, wide, w128, packed_type, prefetch;

  assign mode        = cmd_i.op.mode;
  assign list        = mode == ModeGather4 || mode == ModeScatter4;
  assign im2col      = mode == ModeIm2col;
  assign w128        = mode == ModeIm2colW128;
  assign wide        = w128 || mode == ModeIm2colW;
  assign prefetch    = cmd_i.client == ClientPrefetch && !cmd_i.store;
  assign packed_type = info_i.layout.format == FormatPad4 || info_i.layout.format == FormatPad6;

  //////////////////////
  // Rules of the map //
  //////////////////////

  logic kind_bad, store_bad, box_bad;

  always_comb begin
    case (mode)
      ModeTile, ModeGather4, ModeScatter4: kind_bad = info_i.kind != KindTiled;
      ModeIm2col, ModeIm2colNoOffs:        kind_bad = info_i.kind != KindIm2col;
      ModeIm2colW:                         kind_bad = info_i.kind != KindW;
      default:                             kind_bad = info_i.kind != KindW128;
    endcase
  end

  assign store_bad = cmd_i.store && (!info_i.storable ||
                     (mode == ModeIm2colNoOffs && !info_i.window_inside));

  // Elements of 16 bytes, by the low bits of the first coordinate.
  always_comb begin
    case (info_i.unit)
      3'd0:    box_bad = info_i.half ? cmd_i.op.coord[0][4:0] != '0 : cmd_i.op.coord[0][3:0] != '0;
      3'd1:    box_bad = cmd_i.op.coord[0][2:0] != '0;
      3'd2:    box_bad = cmd_i.op.coord[0][1:0] != '0;
      default: box_bad = cmd_i.op.coord[0][0];
    endcase
    if (Packed && packed_type) box_bad = cmd_i.op.coord[0][6:0] != '0;
    if (info_i.interleaved) box_bad = 1'b0;
  end

  ///////////////////////////
  // Coordinates, operands //
  ///////////////////////////

  logic       negative, offset_bad;
  logic [2:0] negative_dim;
  logic [1:0] offset;
  logic [15:0] most;  // offsets have none of these bits

  always_comb begin
    negative     = 1'b0;
    negative_dim = '0;
    for (int unsigned i = 5; i > 0; i--) begin
      if (cmd_i.op.coord[i-1][31] && cmd_i.store) begin
        negative     = 1'b1;
        negative_dim = 3'(i - 1);
      end
    end
    most = 16'hFFE0;
    if (im2col && info_i.rank == 3'd3)         most = '0;
    if (im2col && info_i.rank == 3'd4)         most = 16'hFF00;
    if (mode == ModeIm2colW)                   most = 16'hFE00;
    offset_bad = 1'b0;
    offset     = '0;
    for (int unsigned i = 3; i > 0; i--) begin
      if ((im2col || (wide && i < 3)) &&
          (cmd_i.im2col[i-1] & (wide && i == 2 ? 16'hFFE0 : most)) != '0) begin
        offset_bad = 1'b1;
        offset     = 2'(i - 1);
      end
    end
  end

  typedef enum logic [2:0] {
    AddrDim, AddrMode, AddrMap, AddrCoord, AddrOffset, AddrOperand, AddrReduce
  } addr_e;

  // The first of the rules up to here, without its high bits; 0: none.
  logic [3:0] early, early_q;
  addr_e      early_addr, early_addr_q;
  logic [2:0] coord_q;
  logic       offset_bad_q, reduce_bad_q;
  logic [1:0] offset_q;

  always_comb begin
    early      = '1;
    early_addr = AddrCoord;
    if (cmd_i.op.dim != info_i.rank) {early, early_addr} = {FaultTensorRank[3:0], AddrDim};
    else if (kind_bad)               {early, early_addr} = {FaultTensorKind[3:0], AddrMode};
    else if (list && !info_i.one_row) {early, early_addr} = {FaultTensorGather[3:0], AddrMode};
    else if (store_bad)              {early, early_addr} = {FaultTensorStore[3:0], AddrMap};
    else if (box_bad)                early = FaultMisalignedBox[3:0];
    else if (negative)               early = FaultNegativeCoordinate[3:0];
  end

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      early_q      <= early;
      early_addr_q <= early_addr;
      coord_q      <= box_bad ? '0 : negative_dim;
      offset_bad_q <= offset_bad;
      offset_q     <= offset;
      reduce_bad_q <= cmd_i.reduce && !info_i.ops[cmd_i.reduce_op];
    end
  end

  ////////////
  // Totals //
  ////////////

  // gather4, scatter4: four rows; wide walks: the pixels of the map and the halos.
  logic [8:0]           more;
  logic [SizeWidth-1:0] more_bytes_q;
  logic [18:0]          more_chunks_q;
  logic [20:0]          box_end_q, end_chunk;

  assign more = list ? 9'd4 : w128 ? {cmd_i.im2col[0][6:0], 2'b0} : wide ? cmd_i.im2col[0][8:0] : '0;

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      more_bytes_q  <= SizeWidth'(more) * SizeWidth'(info_i.row_bytes);
      more_chunks_q <= 19'(more) * 19'(info_i.pitch);
      box_end_q     <= 21'(cmd_i.operand[23:4]) + (list ? '0 : 21'(info_i.chunks));
    end
  end

  assign bytes_o = (list ? '0 : SizeWidth'(info_i.bytes)) + more_bytes_q;

  // The operand and the end of shared memory are multiples of 128, and with them what is between: it
  // need not be rounded up to the span of the swizzle.
  assign end_chunk = box_end_q + 21'(more_chunks_q);

  ///////////
  // Fault //
  ///////////

  addr_e       addr;
  logic        start_bad, beyond, range_bad;
  logic [2:0]  coord;

  assign start_bad = start_bad_i != '0;
  assign beyond    = !prefetch && end_chunk > 21'(SmemBytes / 16);

  if (Split) begin : g_split
    always_ff @(posedge clk_i) range_bad <= beyond;
  end else begin : g_joined
    assign range_bad = beyond;
  end

  always_comb begin
    fault_o = FaultNone;
    addr    = early_addr_q;
    coord   = coord_q;
    if (early_q != '1) begin
      fault_o = {FaultTensorRank[15:4], early_q};
    end else if (start_bad) begin
      fault_o = FaultIm2colStart;
      coord   = info_i.level[Levels-1].dim;
      for (int unsigned i = Levels - 1; i > 0; i--) if (start_bad_i[i-1]) coord = info_i.level[i-1].dim;
    end else if (offset_bad_q) begin
      fault_o = FaultIm2colOffsets;
      addr    = AddrOffset;
    end else if (range_bad) begin
      fault_o = FaultTensorRange;
      addr    = AddrOperand;
    end else if (reduce_bad_q) begin
      fault_o = FaultTensorReduce;
      addr    = AddrReduce;
    end
  end

  always_comb begin
    case (addr)
      AddrDim:     addr_o = 64'(cmd_i.op.dim);
      AddrMode:    addr_o = 64'(mode);
      AddrMap:     addr_o = cmd_i.map_addr;
      AddrOffset:  addr_o = 64'(cmd_i.im2col[offset_q]);
      AddrOperand: addr_o = 64'(cmd_i.operand);
      AddrReduce:  addr_o = 64'(cmd_i.reduce_op);
      default:     addr_o = 64'(cmd_i.op.coord[coord]);
    endcase
  end

  logic unused;
  assign unused = ^{cmd_i, info_i};

endmodule
