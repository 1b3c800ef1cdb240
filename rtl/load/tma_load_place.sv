// SPDX-License-Identifier: Apache-2.0
// Where the chunks of a beat go in shared memory.
//
//   line --> rotate --+------------+--> swap lanes --> data, rows, enables per bank
//                     +--> unpack -+
//
// Rotated, chunk addresses that are b modulo Chunks are in lane b. Chunks of one 128-byte line of
// shared memory swap lanes and rows when they are swizzled, and never meet in a bank. So a swizzled
// beat that lies in two such lines takes two writes, and the words of a padded row that lie in two
// groups of Chunks chunks do; everything else takes one. Combinational.

module tma_load_place
  import tma_pkg::*;
  import tma_smem_pkg::*;
(
  input  burst_t              burst_i,
  input  layout_t             layout_i,
  input  logic [LenWidth-1:0] index_i,   // beat of the burst, from 0
  input  logic                first_i,   // it is the first, the last
  input  logic                last_i,
  input  logic                second_i,  // the second write of the beat
  input  line_t               line_i,
  output logic                two_o,     // the beat takes two writes
  output bank_rows_t          rows_o,
  output strb_t               be_o,
  output line_t               data_o
);

  ///////////////
  // Bank order //
  ///////////////

  chunk_addr_t         base;    // shared chunk of lane 0; may lie below the operand
  logic [ChunkIdx-1:0] amount;
  logic [Chunks-1:0]   lanes, banks;
  line_t               line;

  assign base   = burst_i.saddr - chunk_addr_t'(burst_i.head) +
                  chunk_addr_t'(32'(index_i) * Chunks);
  assign amount = (ChunkIdx'(0) - base[ChunkIdx-1:0]) & ChunkIdx'(Chunks - 1);

  always_comb begin
    for (int unsigned i = 0; i < Chunks; i++) begin
      lanes[i] = (!first_i || i >= 32'(burst_i.head)) && (!last_i || i <= 32'(burst_i.tail));
    end
  end

  tma_rotate #(.LaneWidth(128)) u_line (.line_i, .amount_i(amount), .line_o(line));
  tma_rotate #(.LaneWidth(1)) u_lanes (.line_i(lanes), .amount_i(amount), .line_o(banks));

  ////////////////////
  // 128-byte lines //
  ////////////////////

  logic              swizzled, upper_any, lower_any, upper_now;
  logic [Chunks-1:0] upper;    // banks whose chunk lies in the second line
  logic [Chunks-1:0] written;
  logic [2:0]        number;   // of the line that is written, low bits

  assign swizzled = layout_i.swizzle != SwizzleOff;

  if (Chunks == 1) begin : g_one
    assign upper = '0;
  end else begin : g_many
    always_comb begin
      for (int unsigned b = 0; b < Chunks; b++) begin
        upper[b] = (32'(base) & (Chunks - 1)) > b && ((32'(base) & 7) | (Chunks - 1)) == 7;
      end
    end
  end

  assign upper_any = (banks & upper) != '0;
  assign lower_any = (banks & ~upper) != '0;
  assign upper_now = upper_any && (second_i || !lower_any);
  assign number    = base[5:3] + 3'(upper_now);
  assign written   = !swizzled ? banks : upper_now ? banks & upper : banks & ~upper;

  /////////////////////////////
  // Padded rows, or as it is //
  /////////////////////////////

  bank_rows_t          rows;
  logic [4*Chunks-1:0] words;
  line_t               data;
  logic [2:0]          mask;

  if (Packed) begin : g_packed
    logic                padded, two;
    logic [2:0]          first, last, group;
    logic [4*Chunks-1:0] pad_words;
    line_t               pad_line;
    chunk_addr_t         pad_base;  // of the 128 bytes

    assign padded   = layout_i.format == FormatPad4 || layout_i.format == FormatPad6;
    assign first    = first_i ? burst_i.saddr[2:0] : base[2:0];
    assign last     = base[2:0] + (last_i ? 3'(burst_i.tail) : 3'(Chunks - 1));
    assign pad_base = {burst_i.saddr[ChunkAddr-1:3], 3'b0};

    tma_load_unpack u_unpack (
      .six_i(layout_i.format == FormatPad6), .first_i(first), .last_i(last), .second_i,
      .line_i(line), .group_o(group), .two_o(two), .words_o(pad_words), .line_o(pad_line)
    );

    always_comb begin
      rows  = line_rows(base);
      data  = line;
      for (int unsigned b = 0; b < Chunks; b++) words[b*4 +: 4] = {4{written[b]}};
      mask  = swizzle_chunks(layout_i.swizzle, number);
      two_o = swizzled && upper_any && lower_any;
      if (padded) begin
        rows  = {Chunks{BankRowWidth'(pad_base >> ChunkShift) + BankRowWidth'(group)}};
        data  = pad_line;
        words = pad_words;
        mask  = swizzle_chunks(layout_i.swizzle, burst_i.saddr[5:3]);
        two_o = two;
      end
    end
  end else begin : g_plain
    always_comb begin
      rows  = line_rows(base);
      data  = line;
      for (int unsigned b = 0; b < Chunks; b++) words[b*4 +: 4] = {4{written[b]}};
      mask  = swizzle_chunks(layout_i.swizzle, number);
      two_o = swizzled && upper_any && lower_any;
    end
  end

  //////////////
  // Swizzled //
  //////////////

  logic [4*Chunks-1:0] words_out;
  bank_rows_t          rows_out;
  line_t               data_out;
  logic                flips;

  tma_load_swizzle #(.LaneWidth(128)) u_data (
    .line_i(data), .mask_i(mask), .line_o(data_out)
  );
  tma_load_swizzle #(.LaneWidth(4)) u_words (
    .line_i(words), .mask_i(mask), .line_o(words_out)
  );
  tma_load_swizzle #(.LaneWidth(BankRowWidth)) u_rows (
    .line_i(rows), .mask_i(mask), .line_o(rows_out)
  );

  assign flips = swizzle_flips(layout_i.swizzle, number[0]);

  always_comb begin
    for (int unsigned b = 0; b < Chunks; b++) begin
      rows_o[b] = rows_out[b] ^ (BankRowWidth'(mask) >> ChunkShift);
      data_o[b*128 +: 128] = flips ? {data_out[b*128 +: 64], data_out[b*128 + 64 +: 64]}
                                   : data_out[b*128 +: 128];
    end
    for (int unsigned w = 0; w < 4 * Chunks; w++) be_o[w*4 +: 4] = {4{words_out[w]}};
  end

  logic unused_fields;
  assign unused_fields = ^{burst_i.addr, burst_i.len, burst_i.odd, burst_i.none, burst_i.first,
                           burst_i.last, layout_i.nan, layout_i.format};

endmodule
