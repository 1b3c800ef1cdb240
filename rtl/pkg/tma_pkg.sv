// SPDX-License-Identifier: Apache-2.0
// Types and constants of the engine. Nothing here has state or depends on an instance.
package tma_pkg;

  import tma_isa_pkg::*;

  //////////////////////////////////////
  // Shape: chosen by the build       //
  //////////////////////////////////////

  localparam int unsigned DataWidth   = tma_cfg_pkg::DataWidth;
  localparam int unsigned NumCtas     = tma_cfg_pkg::NumCtas;
  localparam int unsigned SmemBytes   = tma_cfg_pkg::SmemBytes;
  localparam int unsigned NumQueues   = tma_cfg_pkg::NumQueues;
  localparam int unsigned NumPorts    = tma_cfg_pkg::NumPorts;
  localparam int unsigned NumWindows  = tma_cfg_pkg::NumWindows;
  localparam int unsigned NumReads    = tma_cfg_pkg::NumReads;
  localparam int unsigned NumWrites   = tma_cfg_pkg::NumWrites;
  localparam int unsigned NumMultimem = tma_cfg_pkg::NumMultimem;
  localparam int unsigned RingDepth   = tma_cfg_pkg::RingDepth;
  localparam int unsigned NumMaps     = tma_cfg_pkg::NumMaps;
  localparam bit          Packed      = tma_cfg_pkg::Packed != 0;
  localparam int unsigned NumBarriers = tma_cfg_pkg::NumBarriers;
  localparam int unsigned NumReductions = tma_cfg_pkg::NumReductions;
  localparam bit          Floating    = tma_cfg_pkg::Floats != 0, Doubles = tma_cfg_pkg::Floats == 2;
  localparam bit          ShortPaths  = tma_cfg_pkg::ShortPaths != 0;

  localparam int unsigned DataBytes  = DataWidth / 8;        // one line: a beat, a shared access
  localparam int unsigned LineShift  = $clog2(DataBytes);
  localparam int unsigned Chunks     = DataBytes / 16;       // 16-byte chunks of a line = banks
  localparam int unsigned ChunkShift = $clog2(Chunks);
  localparam int unsigned ChunkIdx   = Chunks > 1 ? ChunkShift : 1;  // width of a chunk index
  localparam int unsigned QueueWidth = $clog2(NumQueues);
  localparam int unsigned CtaWidth   = NumCtas > 1 ? $clog2(NumCtas) : 1;
  localparam int unsigned OffWidth   = $clog2(SmemBytes);    // byte offset in one CTA
  localparam int unsigned ChunkAddr  = OffWidth - 4;         // chunk address in one CTA
  localparam int unsigned BarAddr    = OffWidth - 3;         // mbarrier address in one CTA

  // Of the store path. With several ports multimem stores, which may wait for any of them, have a lane
  // of their own, 1; all else goes to port 0 and has lane 0.
  localparam int unsigned NumLanes   = NumPorts > 1 ? 2 : 1;

  // Of what is written: the lanes of stores, then reductions, if there are any. The stream is the AXI id.
  localparam bit          Reduces       = NumReductions != 0;
  localparam int unsigned NumStreams    = NumLanes + 32'(Reduces);
  localparam int unsigned StreamWidth   = NumStreams > 1 ? $clog2(NumStreams) : 1;
  localparam int unsigned StreamReduce  = NumLanes;

  //////////////////////////////////////
  // Widths fixed by the architecture //
  //////////////////////////////////////

  localparam int unsigned SizeWidth   = 20;  // bytes of one bulk copy, below 2^20
  localparam int unsigned RowChunks   = SizeWidth - 4;
  localparam int unsigned PrefetchChunks = 28;  // width: 2^32 - 16 bytes at most
  localparam int unsigned TxWidth     = 21;  // tx-count, signed
  localparam int unsigned CountWidth  = 20;  // arrival counts
  localparam int unsigned GroupSlots  = 32;  // committed bulk groups of a queue
  localparam int unsigned NumChannels = 4;   // AXI read ids of the load path
  localparam int unsigned IdWidth     = 5;   // {client, channel}
  localparam int unsigned LenWidth    = 8;   // AxLEN

  // Who reads: upper part of an AXI read id.
  localparam logic [2:0] ClientLoad     = 3'd0;
  localparam logic [2:0] ClientPrefetch = 3'd1;
  localparam logic [2:0] ClientMap      = 3'd2;
  localparam logic [2:0] ClientRing     = 3'd3;
  localparam logic [2:0] ClientReduce   = 3'd4;
  localparam logic [2:0] ClientCp       = 3'd5;

  typedef logic [QueueWidth-1:0] queue_t;
  typedef logic [NumCtas-1:0]    cta_mask_t;
  typedef logic [CtaWidth-1:0]   cta_t;
  typedef logic [ChunkAddr-1:0]  chunk_addr_t;
  typedef logic [BarAddr-1:0]    bar_addr_t;
  typedef logic [DataWidth-1:0]  line_t;
  typedef logic [DataBytes-1:0]  strb_t;
  typedef logic [NumPorts-1:0]   ports_t;
  typedef logic                  lane_t;          // index
  typedef logic [StreamWidth-1:0] stream_t;       // index
  typedef logic [16:0]           held_records_t;  // in a completion ring: 0 to all of the largest

  //////////////////
  // Queue set-up //
  //////////////////

  // What the registers say of one queue; stable while the queue is enabled.
  typedef struct packed {
    logic                 enable;
    logic                 ring;         // commands come from a ring, else from the direct port
    cta_t                 cta;          // executing CTA
    cta_mask_t            cta_mask;     // CTAs that it may touch
    logic [7:0]           stream;       // AxUSER[15:8]
    logic [2:0]           prot;         // AxPROT
    logic [NumQueues-1:0] cancel_mask;  // queues that its commands may cancel
  } queue_cfg_t;

  // Rings of one queue in global memory: 4 KiB pages of the first slots, log2 of the slots, 4..16.
  typedef struct packed {
    logic [51:0] base;
    logic [51:0] completion_base;
    logic [4:0]  slots;
    logic [4:0]  completion_slots;
  } ring_cfg_t;

  // One window: pages base..limit, both included.
  typedef struct packed {
    logic [51:0] base;
    logic [51:0] limit;
    logic        multimem;
    logic        write;
    logic        read;
  } window_t;

  typedef window_t [NumWindows-1:0] windows_t;  // of one queue

  // A multimem window: pages base..limit lie on every port of the mask, from its port base on.
  typedef struct packed {
    logic [51:0]               base;
    logic [51:0]               limit;
    ports_t                    ports;      // none: closed
    logic [NumPorts-1:0][51:0] port_base;
  } multimem_t;

  ///////////////////////////////
  // Commands between the units //
  ///////////////////////////////

  // Names the command that an operation in flight belongs to, for fault reports.
  typedef struct packed {
    queue_t      qid;
    logic [15:0] seq;       // low half of the sequence number
    logic [31:0] tag;
  } origin_t;

  // Cache attributes of a command's accesses. Hints never change a result.
  typedef struct packed {
    logic [3:0] qos;        // AxQOS: policy[63:60]
    logic       cg;         // AxUSER[6]: cp.async.cg
    logic [1:0] prefetch;   // AxUSER[5:4]: L2 prefetch size of cp.async
    logic [3:0] evict;      // AxUSER[3:0]: policy[59:56]
  } hint_t;

  // How the chunks of a copy lie in shared memory: an XOR of address bits, semantics 2.6.
  typedef enum logic [2:0] {
    SwizzleOff,
    SwizzleXor32,   // a[4] ^= a[7]; of 96B too
    SwizzleXor64,   // a[5:4] ^= a[8:7]
    SwizzleXor128,  // a[6:4] ^= a[9:7]
    SwizzleAtom32,  // a[6:5] ^= a[8:7]
    SwizzleFlip,    // as before, and a[3] ^= a[7]; loads alone
    SwizzleAtom64   // a[6] ^= a[7]
  } swizzle_e;

  // What a load makes of the bytes that it reads, semantics 2.7 and M9.
  typedef enum logic [1:0] {
    FormatPlain,
    FormatTf32,     // words rounded to tf32
    FormatPad4,     // of each 16 bytes the first 8, the rest is left alone
    FormatPad6      // the first 12
  } format_e;

  typedef struct packed {
    swizzle_e swizzle;
    format_e  format;
    logic     nan;     // out of bounds: every 16 bits are 0x7FF7, else zero
  } layout_t;

  // A row: contiguous bytes in global and in shared memory. Everything behind the walkers works on
  // rows alone, whatever command made them. Bulk copies are one row of whole chunks. `saddr` is not
  // swizzled yet. In a padded format rows start at a multiple of 128 bytes of shared memory, and
  // `saddr` counts the chunks that are read: its low three bits are the place in the row.
  typedef struct packed {
    logic [63:0]            gaddr;   // first byte in global memory, multiple of 16
    chunk_addr_t            saddr;   // first chunk in shared memory
    logic [RowChunks-1:0]   chunks;  // 16-byte chunks, at least 1
    logic [3:0]             odd;     // bytes of the last chunk, 0: all 16
    logic                   none;    // no bytes (chunks is 1): stands for the end of its command
    logic                   first;   // first row of its command
    logic                   last;    // last row of its command
  } row_t;

  // What a copy does when its last byte is in place: complete_tx(bytes) in every CTA of the mask, and
  // once more in those of `again` (cta_group::2 with both CTAs of a pair).
  // What cp.async.mbarrier.arrive does when the copies before it are done: one arrival.
  typedef struct packed {
    logic                   arrive;
    cta_mask_t              ctas;
    cta_mask_t              again;   // a part of ctas
    bar_addr_t              barrier;
    logic [SizeWidth-1:0]   bytes;
    origin_t                origin;
  } signal_t;

  // What of a cp.async is not whole chunks. Its bytes lie in one chunk on either side.
  typedef struct packed {
    logic       arrive;     // no copy: signal.barrier gets an arrival
    logic [3:0] dst;        // first byte in the destination's chunk
    logic [4:0] size;       // bytes that are written: 4, 8 or 16
    logic [4:0] valid;      // of these, bytes that are read; the rest is zero
  } cp_t;

  // What a tensor copy says besides its map and its shared operand.
  typedef struct packed {
    logic [2:0]             mode;    // values of the command's mode, or ModeMapOnly
    logic [2:0]             dim;
    logic [4:0][31:0]       coord;   // signed
  } tensor_op_t;

  localparam logic [2:0] ModeMapOnly = 3'd7;  // prefetch.tensormap

  // Issue -> load path. `client` is ClientLoad, ClientPrefetch (of tensor maps alone; bulk ones have a path of their own)
  // or ClientCp; cp.async (chunks = 1) and its arrive take their CTA, barrier and origin from `signal`, and `gaddr` is a
  // byte address. `cp` is zero for the others. Of a tensor copy, `gaddr` is the address of its map; its shared operand: tma_path_pkg.
  typedef struct packed {
    logic [2:0]             client;
    logic                   tensor;
    tensor_op_t             op;
    logic [2:0][15:0]       im2col;
    cta_mask_t              dst;      // CTAs that the data goes to
    logic [63:0]            gaddr;
    logic [RowChunks-1:0]   chunks;
    chunk_addr_t            saddr;
    hint_t                  hint;
    cp_t                    cp;
    signal_t                signal;
  } load_cmd_t;

  // Issue -> bulk prefetches of the load path. Up to 2^32 - 16 bytes.
  typedef struct packed {
    queue_t                 qid;
    logic [59:0]            gchunk;   // global address / 16
    logic [PrefetchChunks-1:0] chunks;
    hint_t                  hint;
  } prefetch_cmd_t;

  // Ring, maps -> load path: read whole commands or (part of) a map, inside one page. Answered by
  // beats of ClientRing or ClientMap. A probe only asks the windows, nothing is read.
  typedef struct packed {
    queue_t                 qid;
    logic                   of_map;   // for the map cache, else for the ring
    logic                   probe;
    logic [63:0]            gaddr;    // multiple of 64
    logic [8:0]             chunks;   // multiple of 4, at least 4
  } fetch_t;

  // Issue -> store path. Of a tensor copy, `gaddr` is the address of its map, as above.
  typedef struct packed {
    logic                   tensor;
    tensor_op_t             op;
    logic                   multimem;   // to every port of gaddr's multimem window, else to port 0
    logic [63:0]            gaddr;
    logic [RowChunks-1:0]   chunks;
    cta_t                   cta;
    chunk_addr_t            saddr;
    logic [15:0]            byte_mask;
    hint_t                  hint;
    origin_t                origin;
  } store_cmd_t;

  // What a reduction does with every element: operator and element type as in a command, its Reduce* and Type*.
  typedef struct packed {
    logic [2:0] op;
    logic [3:0] kind;
    logic       flush;  // add of f32: subnormal operands and sums are zeros of their sign
  } how_t;

  // Issue -> reduce path: as of a store; every byte counts. Of a tensor reduction the map says what `how` does not:
  // all but its `op`.
  typedef struct packed {
    store_cmd_t             copy;
    how_t                   how;
  } reduce_cmd_t;

  // Completion ring -> store path: write 32 bytes, to port 0. The bytes come apart.
  typedef struct packed {
    logic [63:0]            gaddr;      // multiple of 32
    origin_t                origin;
  } record_cmd_t;

  // Issue -> shared-to-shared path. signal.ctas holds the one destination CTA. A reduction changes what is there by
  // `how`, and may go to the CTA of its source.
  typedef struct packed {
    logic                   reduce;
    how_t                   how;
    logic [RowChunks-1:0]   chunks;
    cta_t                   src_cta;
    chunk_addr_t            src;
    chunk_addr_t            dst;
    signal_t                signal;
  } shared_cmd_t;

  // A fault found after issue.
  typedef struct packed {
    origin_t     origin;
    logic [15:0] code;
    logic [63:0] address;
  } fault_t;

  ////////////
  // Bursts //
  ////////////

  // One AXI burst, cut and checked by the guard. Never crosses 4 KiB.
  typedef struct packed {
    logic [63:0]          addr;    // aligned to DataBytes
    logic [LenWidth-1:0]  len;     // beats - 1
    logic [ChunkIdx-1:0]  head;    // first chunk of the first beat that belongs to the row
    logic [ChunkIdx-1:0]  tail;    // last chunk of the last beat that belongs to the row
    logic [3:0]           odd;     // bytes of that chunk, 0: all 16
    logic                 none;    // no beats: the end of its command
    chunk_addr_t          saddr;   // shared chunk of chunk `head` of the first beat
    logic                 first;   // first burst of the command
    logic                 last;    // last burst of the command
  } burst_t;

  // Payload of AR that is not the same for every burst, and the queue on whose behalf it is.
  typedef struct packed {
    queue_t               qid;
    logic [IdWidth-1:0]   id;
    logic [63:0]          addr;
    logic [LenWidth-1:0]  len;
    logic [3:0]           cache;
    logic [2:0]           prot;
    logic [3:0]           qos;
    logic [15:0]          user;
  } ar_t;

  // One beat of a read port. `dead`: no beat, the port died under the burst, which ends with it.
  typedef struct packed {
    logic [IdWidth-1:0]   id;
    line_t                data;
    logic [1:0]           resp;
    logic                 last;
    logic                 dead;
  } read_beat_t;

  // The same of a write port.
  typedef struct packed {
    stream_t              stream;
    logic [63:0]          addr;
    logic [LenWidth-1:0]  len;
    logic [3:0]           cache;
    logic [2:0]           prot;
    logic [3:0]           qos;
    logic [15:0]          user;
  } aw_t;

  typedef struct packed {
    line_t                data;
    strb_t                strb;
    logic                 last;
  } write_beat_t;

  typedef struct packed {
    logic [1:0]           resp;
    logic                 dead;
  } write_resp_t;

  //////////////
  // mbarrier //
  //////////////

  typedef enum logic [2:0] {
    BarCheck,     // alive?
    BarInit,
    BarInval,
    BarExpect,    // tx += tx
    BarComplete,  // tx -= tx
    BarArrive,    // modifiers below
    BarTest,      // phase, for waits
    BarPend       // pending += 1, for an arrival to come
  } bar_op_e;

  // One mbarrier operation, as issue sends it to the unit of the barrier's CTA.
  typedef struct packed {
    bar_op_e               op;
    bar_addr_t             addr;
    logic [CountWidth-1:0] count;        // init, arrive
    logic [CountWidth-1:0] tx;           // expect, complete, arrive with expect_tx (else zero)
    logic                  drop;         // arrive_drop
    logic                  no_complete;  // arrive.noComplete
  } bar_req_t;

  // What the unit answers, valid in the cycle of the handshake.
  typedef struct packed {
    logic [15:0]           fault;        // FaultNone or a sync fault
    logic                  phase;        // before the operation
    logic [CountWidth-1:0] pending;      // before the operation
  } bar_rsp_t;

  // Bytes from page offset `off` to the end of the 4 KiB page, in chunks: 1..256.
  function automatic logic [8:0] chunks_to_page_end(input logic [7:0] chunk);
    return 9'd256 - {1'b0, chunk};
  endfunction

endpackage
