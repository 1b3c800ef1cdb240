// SPDX-License-Identifier: Apache-2.0
// Types between the parts of the load path.
package tma_load_pkg;

  import tma_pkg::*;

  localparam int unsigned ChannelWidth = $clog2(NumChannels);
  localparam int unsigned CpDepth      = NumReads < 64 ? 16 : 64; // cp.async and their arrivals
  localparam int unsigned PrefetchBeats = 512;                    // in flight, before a page more
  // Of tensor prefetches every slot may hold a burst.
  typedef logic [$clog2(NumReads * 256 + PrefetchBeats + 1)-1:0] prefetch_beats_t;
  localparam int unsigned FillDepth    = NumReads < 64 ? 3 : 15;  // rows whose fill waits
  localparam int unsigned EndDepth     = NumReads < 64 ? 4 : 8;   // loads of fill alone in flight
  localparam int unsigned FillWidth    = ChunkAddr + 1;           // chunks of fill of a row

  // Loads with fill are numbered. At most FillDepth + 1 of them have lines to be written, so these
  // differ in their lowest FillIndex bits. And a context that still waits tells them from its own,
  // which is older: of the loads that begin while it waits every fourth at least has the same channel and
  // so holds a context behind it, but for the newest.
  localparam int unsigned FillIndex    = $clog2(FillDepth + 1);
  localparam int unsigned NumberWidth  = $clog2(NumChannels * (NumReads + 2) + (1 << FillIndex));

  typedef logic [NumberWidth-1:0] fill_number_t;

  // Tensor copies have channels of their own, the upper half, since others pass them. Those of either kind
  // take turns.
  localparam int unsigned TurnWidth = ChannelWidth - 1;

  // Commands in front of the rows, as in load_cmd_t: bulk copies and cp.async,
  typedef struct packed {
    logic [2:0]           client;
    cta_mask_t            dst;
    logic [63:0]          gaddr;
    logic [RowChunks-1:0] chunks;
    chunk_addr_t          saddr;
    hint_t                hint;
    cp_t                  cp;
    signal_t              signal;
  } plain_cmd_t;

  // and tensor copies.
  typedef struct packed {
    logic [2:0]           client;
    tensor_op_t           op;
    logic [2:0][15:0]     im2col;
    cta_mask_t            dst;
    logic [63:0]          gaddr;
    logic [RowChunks-1:0] chunks;
    hint_t                hint;
    signal_t              signal;
  } tensor_cmd_t;

  // What belongs to the row in the guard, besides the row.
  typedef struct packed {
    logic [2:0]              client;
    logic [ChannelWidth-1:0] channel;  // of ClientLoad
    hint_t                   hint;
    cp_t                     cp;       // of ClientCp, as the next one
    logic [3:0]              low;      // first byte in the source's chunk, of `fault`'s address
    logic [15:0]             fault;    // of a tensor copy that only faults, else FaultNone
    cta_mask_t               dst;
    layout_t                 layout;
    logic [ChunkIdx-1:0]     lead;     // chunks of fill that go with the row's first chunk of data,
    logic [ChunkIdx-1:0]     trail;    // with its last one
    logic                    pair;     // two rows, of one chunk each: the first and last one of the beat
    signal_t                 signal;
    logic                    fills;    // its command has other fill, in this row or before;
    fill_number_t            number;   // then this is its number
  } item_t;

  // What the data of a burst in flight is for.
  typedef struct packed {
    burst_t       burst;
    cta_mask_t    dst;
    layout_t      layout;
    logic [ChunkIdx-1:0] lead;   // chunks of fill that go with the burst's first chunk of data,
    logic [ChunkIdx-1:0] trail;  // with its last one
    logic                pair;   // as in item_t
    signal_t      signal;
    logic         fills;
    fill_number_t number;
  } ctx_t;

  // A burst of a load has left: the next context of this channel.
  typedef struct packed {
    logic                    valid;
    logic [ChannelWidth-1:0] channel;
    ctx_t                    ctx;
  } ctx_put_t;

  // What the load data does in a cycle: a line of fill, the end of a command without bytes, or a beat.
  localparam int unsigned PlaceWidth = $clog2(NumReads);  // of a context

  typedef struct packed {
    logic                    fill, none, writes;  // writes: a beat that is no error
    logic                    first, last;         // beat of its burst
    logic                    ends, both;          // its burst is over; and so is the end without bytes behind it
    logic                    read;                // the command, which has not failed, has read all
    logic                    done;                // the burst is over and will not signal
    logic                    brings, row;         // fill that brings its command's signal; the last line of a row,
    queue_t                  qid;                 // of this queue
    logic [ChannelWidth-1:0] channel;             // of the beat or end
    logic [LenWidth-1:0]     index;
    logic [PlaceWidth-1:0]   place, second;       // of the context, and of that of the end behind it
    ctx_t                    ctx;
    line_t                   data;
  } load_step_t;

  // The burst of a channel's oldest context has ended.
  typedef struct packed {
    logic                    valid;
    logic [ChannelWidth-1:0] channel;
    logic                    both;  // and the end of its command with it
    logic                    bare;  // it was the end of a load of fill alone
  } ctx_end_t;

  // A burst of this command has failed.
  typedef struct packed {
    logic        valid;
    queue_t      qid;
    logic [15:0] seq;
  } load_error_t;

  // What of a row lies out of bounds and does not go with its data: `count` chunks from `addr` on, then `next_count` chunks from
  // `next_addr` on (none: 0). `first`: no row of its command before it has fill.
  typedef struct packed {
    logic                 first;
    queue_t               qid;
    cta_mask_t            ctas;
    layout_t              layout;
    chunk_addr_t          addr;
    logic [FillWidth-1:0] count;
    chunk_addr_t          next_addr;
    logic [FillWidth-1:0] next_count;
  } fill_t;

  // A cp.async or its arrival, from its turn in the guard on.
  typedef struct packed {
    logic        denied;  // no window allows its read
    logic [63:0] gaddr;   // first byte
    chunk_addr_t saddr;
    cp_t         cp;
    signal_t     signal;
  } cp_ctx_t;

  // It has left, or was denied.
  typedef struct packed {
    logic                valid;
    cp_ctx_t             ctx;
    logic [ChunkIdx-1:0] lane;  // chunk of the beat that it reads
  } cp_put_t;

  // Whether a cp.async or arrival has data to read.
  function automatic logic cp_reads(input logic arrive, input logic [4:0] valid);
    return !arrive && valid != '0;
  endfunction

  // What elements out of bounds read as.
  function automatic logic [15:0] fill_half(input logic nan);
    return nan ? 16'h7FF7 : '0;
  endfunction

endpackage
