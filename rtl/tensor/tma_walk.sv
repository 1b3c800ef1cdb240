// SPDX-License-Identifier: Apache-2.0
// Turns a walk into its rows: up to four nested loops, with adders alone.
//
// The lowest level that is not over steps, and those below restart. Tiles end when all levels are
// over. The lists of gather4 and scatter4 are tiles whose levels step once each. Walks of pixels are
// counted: the levels wrap like an odometer whose restart differs from its start. The halo of
// im2col::w is more of these pixels. That of im2col::w::128 too, and besides most of its pixels have
// been main ones: halo pixel h of segment g is pixel 32*(g+1) + h, so that for g < 3 this pixel is a
// row twice, first as a main pixel, then, with the odometer at rest, as row 128 + 4*h + g of shared
// memory; from pixel 128 on there are halo rows alone.
//
//   positions: `next` of each level is one step ahead, so that where the row after this one lies,
//              and whether it is the last of its level, is one comparison
//   address:   every level keeps the address of the row with all levels below restarted: the next
//              row is the one of the level that steps, plus one stride
//
// Pixels side by side along W are runs: level 0 stands still, and a row is all pixels to the end of the
// window, or what is left of the walk. The first run is of the start, all others are of the restart.
//
// One row per cycle, no bubble between walks. A walk that is taken has its first row in the next
// cycle. `row_ready_i` and `stop_i` reach `walk_ready_o`, `stop_i` reaches `row_valid_o`.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_walk
  import tma_pkg::*;
  import tma_tensor_pkg::*;
#(
  parameter bit Wide = 1'b1  // 0: no walks of im2col::w, so no halos
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        walk_valid_i,
  output logic        walk_ready_o,
  input  walk_t       walk_i,

  output logic        row_valid_o,
  input  logic        row_ready_i,
  output tensor_row_t row_o,
  output walk_item_t  item_o,    // from the first row to the last

  input  logic        stop_i,    // pulse: no more rows of this walk
  output logic        busy_o
);

  logic  busy_q, first_q, taken, last, load;
  walk_t walk_q;   // what does not change; the rest of it is below

  assign row_valid_o  = busy_q && !stop_i;
  assign taken        = row_valid_o && row_ready_i;
  assign walk_ready_o = !busy_q || stop_i || (row_ready_i && last);
  assign load         = walk_valid_i && walk_ready_o;
  assign busy_o       = busy_q;
  assign item_o       = walk_q.item;

  //////////////
  // Counters //
  //////////////

  logic [10:0] pixel_q;    // number of the row's pixel
  logic        again_q;    // it has been a main row
  logic [2:0]  segment;    // of im2col::w::128; 4: behind all main pixels
  logic        of_halo, halo_row, stays, all_over;
  run_count_t  run_rest_q; // pixels behind those of the run

  assign segment  = pixel_q[7:5];
  assign of_halo  = Wide && segment != '0 && pixel_q[4:0] < walk_q.halo;
  assign halo_row = Wide && (again_q || (of_halo && segment[2]));
  assign stays    = of_halo && !halo_row;
  assign last     = walk_q.empty || (walk_q.runs    ? run_rest_q == '0
                                       : walk_q.counted ? pixel_q == walk_q.pixels : all_over);

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     busy_q <= 1'b0;
    else if (load)   busy_q <= 1'b1;
    else if (stop_i || (taken && last)) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      first_q <= 1'b1;
      again_q <= 1'b0;
      pixel_q <= '0;
    end else if (taken) begin
      first_q <= 1'b0;
      again_q <= stays;
      if (!stays) pixel_q <= pixel_q + 11'd1;
    end
  end

  //////////
  // Runs //
  //////////

  // The next row's. In chunks, but for what is left.
  run_t                 run;
  run_count_t           run_left, run_most, run_head, run_data;
  logic [1:0]           run_shift;
  logic [RowChunks-1:0] run_all_q, run_head_q, run_data_q, run_tail_q;

  function automatic run_count_t at_most(input run_count_t count, input run_count_t most);
    return count < most ? count : most;
  endfunction

  function automatic logic [RowChunks-1:0] chunks_of(input run_count_t count, input logic [1:0] shift);
    return RowChunks'(count) << shift;
  endfunction

  assign run       = load ? walk_i.run_first : walk_q.run_next;
  assign run_shift = load ? walk_i.run_shift : walk_q.run_shift;
  assign run_left  = load ? walk_i.pixels + run_count_t'(1) : run_rest_q;
  assign run_most  = at_most(run.pixels, run_left);
  assign run_head  = at_most(run.head, run_left);
  assign run_data  = at_most(run.data, run_left);

  always_ff @(posedge clk_i) begin
    if (Runs && (load || taken)) begin
      run_rest_q <= run_left - run_most;
      run_all_q  <= chunks_of(run_most, run_shift);
      run_head_q <= chunks_of(run_head, run_shift);
      run_data_q <= chunks_of(run_data - run_head, run_shift);
      run_tail_q <= chunks_of(run_most - run_data, run_shift);
    end
  end

  //////////////////////
  // Which level goes //
  //////////////////////

  logic [Levels-1:0] over_q, inside_q, steps, restarts;
  logic              advance;   // the odometer moves

  assign advance  = taken && !stays;
  assign all_over = &over_q;

  always_comb begin
    steps    = '0;
    restarts = '0;
    for (int unsigned i = 0; i < Levels; i++) begin
      steps[i] = !over_q[i];
      for (int unsigned j = 0; j < i; j++) if (!over_q[j]) steps[i] = 1'b0;
      restarts[i] = over_q[i];
      for (int unsigned j = 0; j < i; j++) if (!over_q[j]) restarts[i] = 1'b0;
    end
  end

  ///////////////
  // Positions //
  ///////////////

  pos_t [Levels-1:0] next_q;
  logic [Levels-1:0] above, found;

  function automatic pos_t ahead(input pos_t position, input logic [3:0] step);
    return position + pos_t'({1'b0, step});
  endfunction

  for (genvar i = 0; i < Levels; i++) begin : g_level
    assign above[i] = next_q[i] > walk_q.level[i].limit;
    assign found[i] = next_q[i] >= 0 &&
                      next_q[i][PosWidth-2:0] <= (PosWidth-1)'(walk_q.level[i].last);

    always_ff @(posedge clk_i) begin
      if (load) begin
        next_q[i]   <= walk_i.level[i].next;
        over_q[i]   <= walk_i.level[i].over;
        inside_q[i] <= walk_i.level[i].is_in;
      end else if (advance && steps[i]) begin
        next_q[i]   <= ahead(next_q[i], walk_q.level[i].step);
        over_q[i]   <= above[i];
        inside_q[i] <= found[i];
      end else if (advance && restarts[i]) begin
        next_q[i]   <= walk_q.level[i].low_next;
        over_q[i]   <= walk_q.level[i].low_over;
        inside_q[i] <= walk_q.level[i].low_in;
      end
    end
  end

  ///////////////
  // Addresses //
  ///////////////

  gchunk_t [Levels-1:0] addr_q;
  gchunk_t              from, sum;
  logic [38:0]          by;
  chunk_addr_t          saddr_q, halo_saddr, by_shared;

  always_comb begin
    from = addr_q[Levels-1];
    by   = walk_q.level[Levels-1].addr_step;
    for (int unsigned i = 0; i < Levels - 1; i++) begin
      if (steps[i]) begin
        from = addr_q[i];
        by   = walk_q.level[i].addr_step;
      end
    end
  end

  assign sum       = from + gchunk_t'(by);
  assign by_shared = walk_q.runs ? chunk_addr_t'(run_all_q) : walk_q.pitch;

  always_ff @(posedge clk_i) begin
    if (load) begin
      for (int unsigned i = 0; i < Levels; i++) addr_q[i] <= walk_i.level[i].addr;
    end else if (advance) begin
      for (int unsigned i = 0; i < Levels; i++) if (steps[i] || restarts[i]) addr_q[i] <= sum;
    end
    if (load)                    saddr_q <= walk_i.saddr;
    else if (taken && !halo_row) saddr_q <= saddr_q + by_shared;
    if (load)                    walk_q <= walk_i;
  end

  // Rows of im2col::w::128 are 4 or 8 chunks apart, since it is swizzled by 64 or 128 bytes.
  logic [7:0] halo_number;

  assign halo_number = {1'b1, pixel_q[4:0], 2'(segment - 3'd1)};
  assign halo_saddr  = walk_q.saddr + (chunk_addr_t'(halo_number) << (walk_q.pitch[3] ? 3 : 2));

  /////////
  // Row //
  /////////

  logic row_in, fills;

  assign row_in = !walk_q.outside && &inside_q;
  assign fills  = walk_q.fill != '0;

  always_comb begin
    row_o        = '0;
    row_o.gaddr  = {addr_q[0], walk_q.low};
    row_o.saddr  = halo_row ? halo_saddr : saddr_q;
    row_o.none   = walk_q.empty;
    row_o.first  = first_q;
    row_o.last   = last;
    if (!walk_q.empty && walk_q.runs) begin
      row_o.head   = !fills ? '0 : row_in ? run_head_q : run_all_q;
      row_o.chunks = row_in ? run_data_q : '0;
      row_o.tail   = row_in && fills ? run_tail_q : '0;
    end else if (!walk_q.empty) begin
      row_o.head   = row_in ? walk_q.head : walk_q.fill;
      row_o.chunks = row_in ? walk_q.chunks : '0;
      row_o.odd    = row_in ? walk_q.odd : '0;
      row_o.tail   = row_in ? walk_q.tail : '0;
    end
  end

  // The first of each of these is in registers of its own.
  logic unused;
  always_comb begin
    unused = ^{walk_q.saddr, walk_q.run_first};
    for (int unsigned i = 0; i < Levels; i++) begin
      unused ^= ^{walk_q.level[i].next, walk_q.level[i].over, walk_q.level[i].is_in,
                  walk_q.level[i].addr};
    end
  end

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(WalkIsStable, walk_valid_i, walk_ready_o, walk_i)
  `TMA_ASSERT(RowIsStable, row_valid_o && !row_ready_i && !stop_i |=> stop_i || $stable(row_o))
  `TMA_ASSERT(HaloIsOfSegments, walk_valid_i && walk_i.halo != '0 && !walk_i.empty |->
      walk_i.counted && walk_i.pixels == 11'd127 + 11'(walk_i.halo) &&
      (walk_i.pitch == 4 || walk_i.pitch == 8) && walk_i.saddr[2:0] == '0)
  `TMA_ASSERT(WideIsExpected, walk_valid_i && !Wide |->
      walk_i.empty || (walk_i.halo == '0 && walk_i.pixels < 11'd1024))
  `TMA_ASSERT(RunsAreOfPixels, walk_valid_i && walk_i.runs && !walk_i.empty |-> Runs && walk_i.counted &&
      walk_i.halo == '0 && walk_i.run_first.pixels != '0 && walk_i.run_next.pixels != '0)
  `TMA_ASSERT(RunIsItsParts, busy_q && walk_q.runs && !walk_q.empty |->
      run_head_q + run_data_q + run_tail_q == run_all_q && run_all_q != '0)
  `TMA_COVER(NoBubble, load && taken && last)
  `TMA_COVER(StoppedAndLoaded, load && busy_q && stop_i)
  `TMA_COVER(OutermostSteps, advance && steps[Levels-1])

  if (Wide) begin : g_wide
    `TMA_COVER(StoppedInHalo, busy_q && stop_i && again_q)
    `TMA_COVER(MainRowAgain, taken && again_q)
    `TMA_COVER(HaloBehindAll, taken && of_halo && segment[2])
    `TMA_COVER(HaloOutside, taken && halo_row && !row_in)
  end

endmodule
