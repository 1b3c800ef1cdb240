// SPDX-License-Identifier: Apache-2.0
// Tensor maps, decoded: NumMaps of them, and which queues may use them.
//
//   req ---> tags, permissions ---> hit; table ---> info_o
//   miss --> tma_map_fetch: fetch or probe, decode ---> tags, table
//   fence -> tags
//
// A request hits in its own cycle when the map is cached and the queue's windows have allowed it
// since the queue was enabled. One miss at a time, of any request; meanwhile others hit. It ends with
// `miss_done_o`; without a fault the request that has missed hits from the next cycle on until it is
// taken, whatever comes between. So a command misses once, and nobody can have it miss again and again:
// a fence that came since was sent behind the command, or is not ordered with it. For everybody else
// the map that a fence has met on its way is not kept, and neither is one that has a fault.
//
// With `Short` the table is block memory, and `info_o` comes in the cycle after the hit and stays until
// the next request. A hit in the cycle of `miss_done_o` may be of the map that makes room: then it says
// nothing.
//
// The map that makes room is one that has not been used for a while.
//
// A fence is taken in its cycle, always.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_map_cache
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_tensor_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  queue_cfg_t [NumQueues-1:0] cfg_i,

  // Look-up
  input  logic                       req_valid_i,
  input  logic                       req_dir_i,      // loads or stores: one request of each at a time
  input  logic [63:6]                req_addr_i,
  input  queue_t                     req_qid_i,
  output logic                       req_hit_o,
  output map_info_t                  info_o,         // with the hit; `Short`: a cycle later
  input  logic [1:0]                 taken_i,        // pulse: this direction's request is over

  // Misses
  input  logic                       miss_start_i,   // taken when not busy
  input  logic                       miss_dir_i,
  input  logic [63:6]                miss_addr_i,
  input  queue_t                     miss_qid_i,
  output logic                       miss_busy_o,
  output logic                       miss_done_o,    // pulse
  output logic [15:0]                miss_fault_o,
  output logic [63:0]                miss_fault_addr_o,

  // Fences
  input  logic                       fence_valid_i,
  input  logic [63:6]                fence_addr_i,

  // Fetches and probes, as in tma_map_fetch
  output logic                       fetch_valid_o,
  input  logic                       fetch_ready_i,
  output fetch_t                     fetch_o,
  input  logic                       fetch_denied_i,
  input  logic                       fetch_done_i,
  input  logic                       beat_valid_i,
  input  read_beat_t                 beat_i,

  output logic                       idle_o
);

  localparam int unsigned MapWidth = $clog2(NumMaps);

  typedef logic [MapWidth-1:0] index_t;
  typedef logic [NumMaps-1:0]  maps_t;

  maps_t                               valid_q;
  logic [NumMaps-1:0][63:6]            tag_q;
  logic [NumMaps-1:0][NumQueues-1:0]   allowed_q;
  logic [NumQueues-1:0]                enabled, enabled_q, begins;  // a life begins

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    assign enabled[q] = cfg_i[q].enable;
  end

  assign begins = enabled & ~enabled_q;

  always_ff @(posedge clk_i) enabled_q <= enabled;

  function automatic index_t index_of(input maps_t one_hot);
    index_of = '0;
    for (int unsigned m = 0; m < NumMaps; m++) begin
      if (one_hot[m]) index_of |= index_t'(m);
    end
  endfunction

  /////////////
  // Look-up //
  /////////////

  maps_t       hit;
  index_t      hit_index;
  logic  [1:0] served_q;   // the request of this direction has missed, and its map is here
  maps_t [1:0] own_q;      // in this entry
  maps_t       owned;      // entries that are kept for those who wait for them

  always_comb begin
    for (int unsigned m = 0; m < NumMaps; m++) begin
      hit[m] = valid_q[m] && tag_q[m] == req_addr_i && allowed_q[m][req_qid_i];
    end
    if (served_q[req_dir_i]) hit = own_q[req_dir_i];
    if (!req_valid_i) hit = '0;
  end

  assign owned = (served_q[0] ? own_q[0] : '0) | (served_q[1] ? own_q[1] : '0);

  assign req_hit_o = hit != '0;
  assign hit_index = index_of(hit);

  ////////////
  // Misses //
  ////////////

  logic        look, probed, good, miss_dir_q;
  logic [63:6] miss_addr;
  queue_t      miss_queue;
  maps_t       same, fenced;  // entries of the miss that looks up its map, and of the fence
  maps_t       probe_q;       // the entry that is probed for
  map_info_t   info, stored;

  tma_map_fetch u_fetch (
    .clk_i, .rst_ni,
    .start_i(miss_start_i && !miss_busy_o), .addr_i(miss_addr_i), .queue_i(miss_qid_i),
    .busy_o(miss_busy_o), .look_o(look), .cached_i(same != '0), .addr_o(miss_addr), .queue_o(miss_queue),
    .done_o(miss_done_o), .probed_o(probed), .good_o(good), .fault_o(miss_fault_o),
    .fault_addr_o(miss_fault_addr_o), .info_o(info),
    .fetch_valid_o, .fetch_ready_i, .fetch_o, .fetch_denied_i, .fetch_done_i, .beat_valid_i, .beat_i
  );

  always_comb begin
    for (int unsigned m = 0; m < NumMaps; m++) begin
      same[m]   = valid_q[m] && tag_q[m] == miss_addr;
      fenced[m] = fence_valid_i && tag_q[m] == fence_addr_i;
    end
  end

  // What was read before a fence does not count.
  logic stale_q, stale;

  assign stale = stale_q || (fence_valid_i && fence_addr_i == miss_addr);

  always_ff @(posedge clk_i) begin
    if (!miss_busy_o) begin
      // Whatever starts in this cycle is read after a fence beside it.
      stale_q <= 1'b0;
    end else begin
      stale_q <= stale;
    end
    if (look) probe_q <= same;
    if (miss_start_i && !miss_busy_o) miss_dir_q <= miss_dir_i;
  end

  //////////
  // Fill //
  //////////

  maps_t used_q, victim, entry, write, fill, allow;

  // The lowest one that is empty, else the lowest one that was not used; nobody waits for it.
  always_comb begin
    maps_t free;
    free = ~owned;
    if ((~used_q & ~owned) != '0)  free = ~used_q & ~owned;
    if ((~valid_q & ~owned) != '0) free = ~valid_q & ~owned;
    victim = free & (~free + maps_t'(1));
  end

  // The map of a probe is where it was, also when a fence has come since.
  assign entry = probed ? probe_q : victim;
  assign write = good && !probed ? victim : '0;
  assign fill  = stale ? '0 : write;
  assign allow = good && !stale ? entry : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) served_q <= '0;
    else         served_q <= (served_q & ~taken_i) | (2'(good) << miss_dir_q);
  end

  always_ff @(posedge clk_i) if (good) own_q[miss_dir_q] <= entry;

  if (Short) begin : g_block
    tma_ram_1r1w_sync #(.Width($bits(map_info_t)), .Depth(NumMaps)) u_table (
      .clk_i, .we_i(write != '0), .waddr_i(index_of(victim)), .wdata_i(info),
      .re_i(req_valid_i), .raddr_i(hit_index), .rdata_o(stored)
    );
  end else begin : g_distributed
    tma_ram_1r1w #(.Width($bits(map_info_t)), .Depth(NumMaps)) u_table (
      .clk_i, .we_i(write != '0), .waddr_i(index_of(victim)), .wdata_i(info),
      .raddr_i(hit_index), .rdata_o(stored)
    );
  end

  // What follows from the rest takes no memory: three levels can be spatial, and only one of them
  // alone has corners of 16 bits, two have 8, three have 5; the outermost level is N.
  always_comb begin
    info_o = stored;
    info_o.level[1].lower   = 16'(signed'(stored.level[1].lower[7:0]));
    info_o.level[1].upper   = 16'(signed'(stored.level[1].upper[7:0]));
    info_o.level[2].lower   = 16'(signed'(stored.level[2].lower[4:0]));
    info_o.level[2].upper   = 16'(signed'(stored.level[2].upper[4:0]));
    info_o.level[3].lower   = '0;
    info_o.level[3].upper   = '0;
    info_o.level[3].spatial = 1'b0;
    info_o.level[3].fixed   = 1'b0;
    info_o.level[0].fixed   = 1'b0;
    info_o.row_bytes        = {stored.row_chunks[7:0], 4'b0};
    info_o.bytes[3:0]       = '0;
    if (!Reduces) {info_o.ops, info_o.arith, info_o.flush} = '0;
  end

  logic unused_stored;
  assign unused_stored = ^stored;

  always_ff @(posedge clk_i) begin
    for (int unsigned m = 0; m < NumMaps; m++) begin
      if (write[m]) tag_q[m] <= miss_addr;
      for (int unsigned q = 0; q < NumQueues; q++) begin
        // The last commands of a queue that closes still go by what its life was allowed.
        if (begins[q])                                  allowed_q[m][q] <= 1'b0;
        else if (allow[m] && miss_queue == queue_t'(q)) allowed_q[m][q] <= 1'b1;
        else if (write[m])                              allowed_q[m][q] <= 1'b0;
      end
    end
  end

  maps_t touched;

  assign touched = used_q | hit | fill;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      used_q  <= '0;
    end else begin
      valid_q <= (valid_q & ~fenced & ~write) | fill;
      used_q  <= touched == '1 ? hit | fill : touched;
    end
  end

  assign idle_o = !miss_busy_o;

  // Of a queue, whether it is enabled.
  logic unused_cfg;
  assign unused_cfg = ^cfg_i;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(OneEntryOfAMap, $onehot0(hit) && (look ? $onehot0(same) : 1'b1) &&
      $onehot0(fenced & valid_q))
  `TMA_ASSERT(SomeEntryMakesRoom, write != '0 |-> (write & owned) == '0)
  `TMA_ASSERT(FillHasAnEntry, good |-> entry != '0)
  `TMA_ASSERT(ServedDoesNotMiss, miss_start_i && !miss_busy_o |-> !served_q[miss_dir_i])
  `TMA_COVER(ServedBehindAFence, req_valid_i && served_q[req_dir_i] && (own_q[req_dir_i] & ~valid_q) != '0)
  `TMA_COVER(FenceOfAMiss, miss_busy_o && stale && !stale_q)
  `TMA_COVER(FenceInTheLastCycle, miss_done_o && stale && !stale_q)
  `TMA_COVER(HitBesideAMiss, req_hit_o && miss_busy_o)
  `TMA_COVER(Evicts, (fill & valid_q) != '0)
  `TMA_COVER(QueueIsClosedInAMiss, good && !enabled[miss_queue])

endmodule
