// SPDX-License-Identifier: Apache-2.0
// Dimension 0 of a tensor copy: where in the tensor the box's row starts, and how much of it lies
// inside. Two steps: `step_i` takes the command, the results are there from the next cycle on.
//
// A row starts at a multiple of 16 bytes (else the command has a fault, and nothing here counts), so
// that what lies in front of the tensor is whole chunks. Behind it the last chunk may be odd: its
// other bytes are fill for loads and left alone by stores, unless the granule says that they are
// written. A padded row is in or out as a whole.

module tma_setup_row
  import tma_pkg::*;
  import tma_tensor_pkg::*;
(
  input  logic                 clk_i,

  input  logic                 step_i,
  input  map_info_t            info_i,      // steady until the results are used
  input  logic [31:0]          coord_i,
  input  logic                 store_i,
  input  logic                 load_i,      // has fill
  input  logic                 granule16_i, // stores write whole chunks

  output gchunk_t              start_o,     // of its data in the tensor, in this cycle
  output logic                 outside_o,   // no part of it is inside
  output logic                 whole_o,     // all of it is
  output logic [RowChunks-1:0] fill_o,      // of a row that is outside
  output logic [RowChunks-1:0] head_o,
  output logic [RowChunks-1:0] chunks_o,
  output logic [3:0]           odd_o,
  output logic [RowChunks-1:0] tail_o
);

  logic padded;

  assign padded = Packed && (info_i.layout.format == FormatPad4 || info_i.layout.format == FormatPad6);

  ///////////
  // Start //
  ///////////

  // log2 of the elements in a chunk, 8 for 32-byte slices, of which each is two.
  logic [2:0]  shift;
  logic [32:0] chunk;

  always_comb begin
    shift = info_i.half ? 3'd5 : 3'd4 - info_i.unit;
    if (info_i.unit[2]) shift = '0;
    chunk = {1'b0, coord_i} >> shift;
    if (info_i.unit == 3'd5) chunk = {coord_i, 1'b0};
    if (padded) chunk = 33'(coord_i[31:7]) * 33'd4;
    if (padded && info_i.layout.format == FormatPad6) chunk = 33'(coord_i[31:7]) * 33'd6;
  end

  assign start_o = info_i.row_used && !coord_i[31] ? gchunk_t'(chunk) : '0;

  ///////////
  // Clips //
  ///////////

  logic signed [33:0] rest_q;   // elements behind the first one to the tensor's end
  logic [9:0]         last_q;   // element of the row
  logic [32:0]        front_q;  // elements in front of the tensor, if the coordinate is negative
  logic               negative_q, front_chunks_far;
  logic [9:0]         count_q;  // elements from the first one to the tensor's end, if they are fewer than 512
  logic [9:0]         end_chunk;
  logic [14:0]        bytes;
  logic [15:0]        front;

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      rest_q     <= $signed({2'b0, info_i.row_last}) - 34'($signed(coord_i));
      last_q     <= info_i.row_count - 10'd1;
      count_q    <= 10'(info_i.row_last) - 10'(coord_i) + 10'd1;
      front_q    <= -33'($signed(coord_i));
      negative_q <= coord_i[31];
    end
  end

  // In front: at most 512 chunks of 32 elements matter.
  assign front_chunks_far = front_q[32:15] != '0;
  assign front = info_i.unit == 3'd5 ? {front_q[14:0], 1'b0} : {1'b0, front_q[14:0] >> shift};

  // Behind: fewer than 512 elements.
  assign bytes = info_i.half ? {6'b0, count_q[9:1]} : {5'b0, count_q} << info_i.unit;

  logic cut_front, cut_back, row_outside;

  assign cut_front   = info_i.row_used && negative_q;
  assign cut_back    = info_i.row_used && rest_q < $signed({24'b0, last_q});
  assign end_chunk   = cut_back ? 10'(bytes[13:4]) + 10'(bytes[3:0] != '0) : info_i.row_chunks;
  assign row_outside = info_i.row_used && (rest_q < 0 ||
      (negative_q && (padded || front_chunks_far || front >= 16'(info_i.row_chunks))));
  assign outside_o   = row_outside;
  assign whole_o     = !cut_front && !cut_back;

  logic [9:0] head, tail, data;

  assign head = cut_front ? 10'(front) : '0;
  assign data = end_chunk - head;
  assign tail = info_i.row_chunks - end_chunk;

  assign fill_o   = !load_i ? '0 : padded ? RowChunks'(8) : RowChunks'(info_i.row_chunks);
  assign head_o   = load_i && !padded ? RowChunks'(head) : '0;
  assign tail_o   = load_i && !padded ? RowChunks'(tail) : '0;
  assign chunks_o = padded ? RowChunks'(info_i.row_chunks) : RowChunks'(data);
  assign odd_o    = cut_back && !padded && !(store_i && granule16_i) ? bytes[3:0] : '0;

  logic unused;
  assign unused = ^{info_i, bytes};

endmodule
