// SPDX-License-Identifier: Apache-2.0
// Where the chunks of a beat go in shared memory.
//
//   line --> rotate --+--> fill, held part --+------------+--> swap lanes --> data, rows, enables per bank
//                                            +--> unpack -+
//
// Rotated, chunk addresses that are b modulo Chunks are in bank b. Chunks of one line of Chunks chunks
// take one write, together with the fill beside them (tma_load_beside). Chunks of two such lines do too,
// each bank in its own row, as long as nothing moves them: but chunks of a swizzled 128-byte line swap
// lanes and rows, so that those of two such lines may meet in a bank. What of a swizzled beat lies in the
// second of them is held, then, and written with the next beat, whose own second part is held instead:
//
//   banks of      0 1 2 3   0 1 2 3   0 1 2 3          beats whose first chunk belongs into bank 3
//   beat 0        . . . 0 | 1 2 3                      writes 0, holds 1 2 3
//   beat 1                        4 | 5 6 7            writes 1 2 3 4, holds 5 6 7
//
// What the last beat of a burst would hold takes a second write, and so do the words of a padded row that
// lie in two groups of Chunks chunks. A pair (tma_row_join) takes two as well. Combinational.

module tma_load_place
  import tma_pkg::*;
  import tma_smem_pkg::*;
  import tma_load_pkg::fill_half;
(
  input  burst_t              burst_i,
  input  layout_t             layout_i,
  input  logic [LenWidth-1:0] index_i,   // beat of the burst, from 0
  input  logic                first_i,   // it is the first, the last
  input  logic                last_i,
  input  logic                second_i,  // the second write of the beat
  input  logic [ChunkIdx-1:0] lead_i,    // chunks of fill in front of the burst's data,
  input  logic [ChunkIdx-1:0] trail_i,   // and behind it
  input  logic                pair_i,    // two rows of a chunk: the first chunk, and the last one
  input  line_t               line_i,
  input  logic                held_i,    // of the burst's beat before, a part is held:
  input  line_t               held_line_i, // this one, in bank order
  output logic                two_o,     // the beat takes two writes
  output logic                holds_o,   // or one, and a part of it is to be held:
  output line_t               hold_o,    // this one
  output bank_rows_t          rows_o,
  output strb_t               be_o,
  output line_t               data_o
);

  ///////////////
  // Bank order //
  ///////////////

  typedef logic [ChunkIdx-1:0] index_t;

  localparam index_t Mask = index_t'(Chunks - 1);

  chunk_addr_t       base;    // shared chunk of lane 0; may lie below the operand
  index_t            amount;
  logic [Chunks-1:0] lanes, banks;
  line_t             line, rotated;

  logic [ChunkIdx-1:0] begin_lane, end_lane;  // of the burst; of a pair they are those of one row

  assign begin_lane = pair_i && second_i ? burst_i.tail : burst_i.head;
  assign end_lane   = pair_i && !second_i ? burst_i.head : burst_i.tail;

  assign base   = burst_i.saddr + chunk_addr_t'(pair_i && second_i) - chunk_addr_t'(begin_lane) +
                  chunk_addr_t'(32'(index_i) * Chunks);
  assign amount = (index_t'(0) - base[ChunkIdx-1:0]) & Mask;

  always_comb begin
    for (int unsigned i = 0; i < Chunks; i++) begin
      lanes[i] = (!first_i || i >= 32'(begin_lane)) && (!last_i || i <= 32'(end_lane));
    end
  end

  tma_rotate #(.LaneWidth(128)) u_line (.line_i, .amount_i(amount), .line_o(rotated));
  tma_rotate #(.LaneWidth(1)) u_lanes (.line_i(lanes), .amount_i(amount), .line_o(banks));

  ///////////
  // Lines //
  ///////////

  // `begins`: like `base`, but with fill, all of the beat lies in one line, which may be the next one.
  chunk_addr_t       begins;
  logic [Chunks-1:0] fills;
  logic [Chunks-1:0] upper;  // banks whose chunk lies in the second line

  if (Chunks == 1) begin : g_one
    logic unused_fill;
    assign unused_fill = ^{lead_i, trail_i};
    assign begins      = base;
    assign fills       = '0;
    assign upper       = '0;
  end else begin : g_many
    index_t first, last;  // banks of the data that fill lies in front of, and behind

    assign first  = burst_i.saddr[ChunkIdx-1:0];
    assign last   = base[ChunkIdx-1:0] + burst_i.tail;
    assign begins = first_i && (lead_i != '0 || (last_i && trail_i != '0))
                  ? {burst_i.saddr[ChunkAddr-1:ChunkIdx], ChunkIdx'(0)} : base;

    always_comb begin
      for (int unsigned b = 0; b < Chunks; b++) begin
        fills[b] = (first_i && b < 32'(first) && b + 32'(lead_i) >= 32'(first)) ||
                   (last_i && b > 32'(last) && b <= 32'(last) + 32'(trail_i));
        upper[b] = b < 32'(begins[ChunkIdx-1:0]);
      end
    end
  end

  always_comb begin
    for (int unsigned b = 0; b < Chunks; b++) begin
      line[b*128 +: 128] = fills[b] ? {8{fill_half(layout_i.nan)}} : rotated[b*128 +: 128];
    end
  end

  ////////////////////
  // 128-byte lines //
  ////////////////////

  chunk_addr_t       from;      // rows of the chunks from here on
  logic              swizzled, splits, crosses, upper_any, lower_any, upper_now, held_now;
  logic [Chunks-1:0] all, written;
  logic [2:0]        number;   // of the 128-byte line that is written, low bits

  assign swizzled = layout_i.swizzle != SwizzleOff;
  assign all      = banks | fills;

  assign crosses   = (32'(begins) & 7 | (Chunks - 1)) == 7;
  assign upper_any = (all & upper) != '0;
  assign lower_any = (all & ~upper) != '0;
  assign splits    = swizzled && upper_any && lower_any && (crosses || held_i);
  assign upper_now = upper_any && (second_i || !lower_any);
  assign number    = begins[5:3] + 3'(upper_now && crosses);
  assign held_now  = held_i && !second_i;
  assign from      = held_now ? begins & ~chunk_addr_t'(Mask) : begins;
  assign written   = !splits ? all : second_i ? all & upper : all & ~upper;
  assign hold_o    = line;

  ///////////////
  // Held part //
  ///////////////

  logic [Chunks-1:0]   banks_now;
  logic [4*Chunks-1:0] bank_words;
  line_t               bank_line;

  assign banks_now = written | (upper & {Chunks{held_now}});

  always_comb begin
    for (int unsigned b = 0; b < Chunks; b++) begin
      bank_words[b*4 +: 4]     = {4{banks_now[b]}};
      bank_line[b*128 +: 128] = held_now && upper[b] ? held_line_i[b*128 +: 128] : line[b*128 +: 128];
    end
  end

  /////////////////////////////
  // Padded rows, or as it is //
  /////////////////////////////

  bank_rows_t          rows;
  logic [4*Chunks-1:0] words;
  line_t               data;
  logic [2:0]          mask;

  if (Packed) begin : g_packed
    logic                padded, two;
    logic [2:0]          first_chunk, last_chunk, group;
    logic [4*Chunks-1:0] pad_words;
    line_t               pad_line;
    chunk_addr_t         pad_base;  // of the 128 bytes

    assign padded      = layout_i.format == FormatPad4 || layout_i.format == FormatPad6;
    assign first_chunk = first_i ? burst_i.saddr[2:0] : base[2:0];
    assign last_chunk  = base[2:0] + (last_i ? 3'(burst_i.tail) : 3'(Chunks - 1));
    assign pad_base    = {burst_i.saddr[ChunkAddr-1:3], 3'b0};

    tma_load_unpack u_unpack (
      .six_i(layout_i.format == FormatPad6), .first_i(first_chunk), .last_i(last_chunk), .second_i,
      .line_i(line), .group_o(group), .two_o(two), .words_o(pad_words), .line_o(pad_line)
    );

    always_comb begin
      rows    = line_rows(from);
      data    = bank_line;
      words   = bank_words;
      mask    = swizzle_chunks(layout_i.swizzle, number);
      two_o   = pair_i || (splits && last_i);
      holds_o = splits && !last_i;
      if (padded) begin
        rows    = {Chunks{BankRowWidth'(pad_base >> ChunkShift) + BankRowWidth'(group)}};
        data    = pad_line;
        words   = pad_words;
        mask    = swizzle_chunks(layout_i.swizzle, burst_i.saddr[5:3]);
        two_o   = two;
        holds_o = 1'b0;
      end
    end
  end else begin : g_plain
    assign rows    = line_rows(from);
    assign data    = bank_line;
    assign words   = bank_words;
    assign mask    = swizzle_chunks(layout_i.swizzle, number);
    assign two_o   = pair_i || (splits && last_i);
    assign holds_o = splits && !last_i;
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
