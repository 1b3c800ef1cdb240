// SPDX-License-Identifier: Apache-2.0
// Types between the parts that turn a tensor copy and its map into rows.
//
// A box is walked as rows along dimension 0 (or single slices and pixels) and up to four levels of
// loops around them. Everything that the map alone decides is in map_info_t, which the cache keeps;
// map_info_t and a command make a walk_t, which the walker turns into rows with adders alone.
package tma_tensor_pkg;

  import tma_pkg::*;

  localparam int unsigned Levels    = 4;
  localparam int unsigned AddrWidth = 60;  // global addresses in chunks, modulo 2^60
  localparam int unsigned PosWidth  = 35;  // a coordinate of the walk, signed

  // Pixels side by side are walked as runs. A pixel of one chunk fills the line of the narrowest bus.
  localparam bit          Runs      = Chunks > 1;
  localparam int unsigned RunWidth  = 11;  // all ones: more pixels than a walk has

  typedef logic signed [PosWidth-1:0] pos_t;
  typedef logic [AddrWidth-1:0]       gchunk_t;
  typedef logic [RunWidth-1:0]        run_count_t;

  // What kind of map it is: im2col_w and im2col_w_128 have kinds of their own.
  typedef enum logic [1:0] {KindTiled, KindIm2col, KindW, KindW128} kind_e;

  // One loop, as the map fixes it. Level 0 is the innermost. Levels in use are contiguous from 0 on;
  // of the others `used`, `fixed`, `spatial` and `dim` are zero, and the rest may be anything.
  // The level of N is the outermost one of an im2col walk. Wide maps: level 0 is W, then the
  // dimensions that do not move (`fixed`), then N.
  typedef struct packed {
    logic               used;
    logic               fixed;    // contributes its coordinate but never moves
    logic               spatial;  // of an im2col walk: has a window and an offset
    logic [2:0]         dim;      // its coordinate
    logic [31:0]        last;     // globalDim - 1
    logic [35:0]        stride;   // chunks
    logic [2:0]         step;     // elementStride - 1
    logic [7:0]         count;    // tiled: positions - 1
    logic signed [15:0] lower;    // spatial: corners
    logic signed [15:0] upper;
  } level_t;

  // A decoded map that keeps all rules of maps.
  typedef struct packed {
    gchunk_t                         base;        // globalAddress / 16
    logic [2:0]                      rank;        // 1..5
    kind_e                           kind;
    logic                            interleaved;
    layout_t                         layout;
    logic [1:0]                      promotion;   // L2 promotion, a hint
    // Dimension 0, the row: clipped as a whole piece. Not `row_used`: a row is one slice (level W
    // and the fixed dimension bound it).
    logic                            row_used;
    logic [2:0]                      unit;        // log2 of an element's bytes: 0..3, of a slice's: 4, 5
    logic                            half;        // elements of 4 bits: unit is 0 and two make a byte
    logic [31:0]                     row_last;    // globalDim[0] - 1
    logic [9:0]                      row_count;   // elements or slices of a row, 1..512
    logic [9:0]                      row_chunks;  // that are read for a whole row, 1..512
    logic [9:0]                      pitch;       // chunks from row to row in shared memory
    // The C dimension of an interleaved map, whose coordinate never moves.
    logic                            slice_used;
    logic [2:0]                      slice_dim;
    logic [31:0]                     slice_last;
    logic [35:0]                     slice_stride;
    // Level i folds into the row when every level below does and the box lies inside the tensor in
    // all of them and in the row: then fold_chunks[i] is the row.
    logic [Levels-1:0]               fold;
    logic [Levels-1:0][RowChunks-1:0] fold_chunks;
    level_t [Levels-1:0]             level;
    logic [9:0]                      pixels;      // im2col: pixelsPerColumn - 1
    logic [23:0]                     bytes;       // for complete_tx, without halos; of the box, of the column
    logic [19:0]                     chunks;      // of shared memory, pitch included, without halos
    logic [11:0]                     row_bytes;   // for complete_tx, of one row (gather4, halos)
    logic                            one_row;     // boxDim[1] is 1
    logic                            runs;        // pixels of all channels lie side by side along W, as level 0
    logic                            storable;    // rule TENSOR_STORE, without the im2col window
    logic                            window_inside; // lower corners >= 0, upper corners <= 0
    // Reductions, if there are any; else zero.
    logic [7:0]                      ops;         // operators that its elements take, by Reduce*
    logic [3:0]                      arith;       // what they are to arithmetic, a Type*; of ops == 0: zero
    logic                            flush;       // its sums flush subnormal numbers
  } map_info_t;

  // One loop of a walk. Its first position and the one where it restarts are known by whether they are
  // the last one (`over`), by whether they are in bounds (`is_in`), and by the position behind them.
  // Addresses are those of the row with all levels below restarted. A level that does not move is
  // over and inside at once.
  typedef struct packed {
    logic        over;
    logic        is_in;
    pos_t        next;
    logic        low_over;
    logic        low_in;
    pos_t        low_next;
    pos_t        limit;     // a position above it is the last one
    logic [31:0] last;      // in bounds: 0..last
    logic [3:0]  step;      // 0..8
    gchunk_t     addr;
    logic [38:0] addr_step;
  } walk_level_t;

  // Pixels of an im2col walk along W, to the end of its window: what lies in front of the tensor, and in
  // front of what lies behind it. Of a run outside of the tensor both are all of it.
  typedef struct packed {
    run_count_t pixels;
    run_count_t head;
    run_count_t data;
  } run_t;

  // The command behind a walk. Loads and prefetches: client, hint, dst, signal, layout. Stores: hint,
  // cta, layout.swizzle, signal.origin. Reductions: as stores, and `reduce`, `how`, which are zero otherwise.
  typedef struct packed {
    logic [2:0]  client;
    hint_t       hint;
    cta_mask_t   dst;
    cta_t        cta;
    layout_t     layout;
    signal_t     signal;
    logic        reduce;
    how_t        how;
    logic [15:0] fault;   // not FaultNone: its only row is `none`, gaddr is the fault's address
  } walk_item_t;

  // A walk, ready to go. Its first row is at level[0].addr.
  typedef struct packed {
    walk_item_t               item;
    logic                     empty;    // no rows: a fault, only the map was asked for, all is outside
    logic [3:0]               low;      // of a fault's address, whose rest is level[0].addr
    logic                     outside;  // all rows are out of bounds, of a load
    chunk_addr_t              saddr;
    chunk_addr_t              pitch;    // from row to row
    logic [RowChunks-1:0]     fill;     // of a row that is out of bounds
    logic [RowChunks-1:0]     head;     // as in tensor_row_t, when a row is in bounds
    logic [RowChunks-1:0]     chunks;
    logic [3:0]               odd;
    logic [RowChunks-1:0]     tail;
    logic                     counted;  // pixels decide, else it ends when all levels are over
    logic [10:0]              pixels;   // with those that are of halos alone; - 1
    logic [4:0]               halo;     // im2col::w::128: of each segment; else 0
    logic                     runs;     // a row is a run; level 0 stands still
    logic [1:0]               run_shift; // log2 of the chunks of a pixel
    run_t                     run_first;
    run_t                     run_next;  // of all others; the last one has what is left of the pixels
    walk_level_t [Levels-1:0] level;
  } walk_t;

  // What set-up takes from a load, store or reduction command.
  typedef struct packed {
    logic             store;       // or reduction
    logic             reduce;      // a reduction
    logic [2:0]       reduce_op;   // its operator
    logic [2:0]       client;      // of loads
    tensor_op_t       op;
    logic [2:0][15:0] im2col;
    cta_mask_t        dst;
    cta_t             cta;
    logic [63:0]      map_addr;
    logic [31:0]      operand;     // in shared memory: CTA rank << 24 | offset
    hint_t            hint;
    signal_t          signal;      // of stores: origin alone
    logic [15:0]      fault;       // the map cannot be had
    logic [63:0]      fault_addr;
  } setup_cmd_t;

  // A row of a tensor copy: shared memory gets `head` chunks of fill, `chunks` of data, of whose last
  // one `odd` bytes are data and the rest is fill (0: all), `tail` chunks of fill, from saddr on. In a
  // padded format `chunks` counts what is read, head and tail what is written (a row is all or
  // nothing). Stores and reductions have no fill: head is 0, tail means nothing.
  typedef struct packed {
    logic [63:0]          gaddr;   // of the data
    chunk_addr_t          saddr;   // of the row
    logic [RowChunks-1:0] head;
    logic [RowChunks-1:0] chunks;  // 0: no data
    logic [3:0]           odd;
    logic [RowChunks-1:0] tail;
    logic                 none;    // no row at all: a walk of none (head, chunks, tail are 0)
    logic                 first;
    logic                 last;
  } tensor_row_t;

endpackage
