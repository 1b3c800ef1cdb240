// SPDX-License-Identifier: Apache-2.0
// Tensor maps, decoded: NumMaps of them, and which queues may use them.
//
//   req ---> tags, permissions ---> hit; table ---> info_o
//   miss --> tma_map_fetch: fetch or probe, decode ---> tags, table
//   fence -> tags
//
// A request hits in its own cycle when the map is cached and the queue's windows have allowed it
// since the queue was enabled. One miss at a time, of any request; meanwhile others hit. It ends with
// `miss_done_o`; without a fault the request hits from the next cycle on, unless a fence has come
// between: then it misses again. A map that has a fault is not kept.
//
// With `Short` the table is block memory, and `info_o` comes in the cycle after the hit and stays until
// the next request. A hit in the cycle of `miss_done_o` may be of the map that makes room: then it says
// nothing.
//
// The map that makes room is one that has not been used for a while.
//
// A fence is taken in one cycle, but for the cycle in which a miss looks up its map. That waits for
// fences that come one after the other, so no fence is put off behind another one.
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
  input  logic [63:6]                req_addr_i,
  input  queue_t                     req_qid_i,
  output logic                       req_hit_o,
  output map_info_t                  info_o,         // with the hit; `Short`: a cycle later

  // Misses
  input  logic                       miss_start_i,   // taken when not busy
  input  logic [63:6]                miss_addr_i,
  input  queue_t                     miss_qid_i,
  output logic                       miss_busy_o,
  output logic                       miss_done_o,    // pulse
  output logic [15:0]                miss_fault_o,
  output logic [63:0]                miss_fault_addr_o,

  // Fences
  input  logic                       fence_valid_i,
  output logic                       fence_ready_o,
  input  logic [63:0]                fence_addr_i,

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

  maps_t  hit;
  index_t hit_index;

  always_comb begin
    for (int unsigned m = 0; m < NumMaps; m++) begin
      hit[m] = req_valid_i && valid_q[m] && tag_q[m] == req_addr_i && allowed_q[m][req_qid_i];
    end
  end

  assign req_hit_o = hit != '0;
  assign hit_index = index_of(hit);

  ////////////
  // Misses //
  ////////////

  logic        look, probed, fence;
  logic        fenced_q;    // there was a fence the cycle before
  logic [63:6] miss_addr, other_addr;
  queue_t      miss_queue;
  maps_t       same;        // entries of the fence, or of the miss that looks up its map
  maps_t       probe_q;     // the entry that is probed for
  map_info_t   info, stored;

  tma_map_fetch u_fetch (
    .clk_i, .rst_ni,
    .start_i(miss_start_i && !miss_busy_o), .addr_i(miss_addr_i), .queue_i(miss_qid_i),
    .busy_o(miss_busy_o), .look_o(look), .look_hold_i(fence_valid_i && fenced_q),
    .cached_i(same != '0), .addr_o(miss_addr),
    .queue_o(miss_queue), .done_o(miss_done_o), .probed_o(probed), .fault_o(miss_fault_o),
    .fault_addr_o(miss_fault_addr_o), .info_o(info),
    .fetch_valid_o, .fetch_ready_i, .fetch_o, .fetch_denied_i, .fetch_done_i, .beat_valid_i, .beat_i
  );

  // Whoever asks, one set of comparators.
  assign other_addr = look ? miss_addr : fence_addr_i[63:6];

  always_comb begin
    for (int unsigned m = 0; m < NumMaps; m++) same[m] = valid_q[m] && tag_q[m] == other_addr;
  end

  assign fence_ready_o = !look;
  assign fence         = fence_valid_i && fence_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fenced_q <= 1'b0;
    else         fenced_q <= fence_valid_i;
  end

  // What was read before a fence does not count.
  logic stale_q, stale;

  assign stale = stale_q || (fence && fence_addr_i[63:6] == miss_addr);

  always_ff @(posedge clk_i) begin
    if (!miss_busy_o) begin
      // Whatever starts in this cycle is read after a fence beside it.
      stale_q <= 1'b0;
    end else begin
      stale_q <= stale;
    end
    if (look) probe_q <= same;
  end

  //////////
  // Fill //
  //////////

  maps_t used_q, victim, fill, allow;
  logic  good;

  // The lowest one that is empty, else the lowest one that was not used.
  always_comb begin
    maps_t free;
    free = valid_q != '1 ? ~valid_q : ~used_q;
    victim = free & (~free + maps_t'(1));
  end

  assign good  = miss_done_o && miss_fault_o == FaultNone && !stale;
  assign fill  = good && !probed ? victim : '0;
  assign allow = !good ? '0 : probed ? probe_q : victim;

  if (Short) begin : g_block
    tma_ram_1r1w_sync #(.Width($bits(map_info_t)), .Depth(NumMaps)) u_table (
      .clk_i, .we_i(fill != '0), .waddr_i(index_of(victim)), .wdata_i(info),
      .re_i(req_valid_i), .raddr_i(hit_index), .rdata_o(stored)
    );
  end else begin : g_distributed
    tma_ram_1r1w #(.Width($bits(map_info_t)), .Depth(NumMaps)) u_table (
      .clk_i, .we_i(fill != '0), .waddr_i(index_of(victim)), .wdata_i(info),
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
  end

  logic unused_stored;
  assign unused_stored = ^stored;

  always_ff @(posedge clk_i) begin
    for (int unsigned m = 0; m < NumMaps; m++) begin
      if (fill[m]) tag_q[m] <= miss_addr;
      for (int unsigned q = 0; q < NumQueues; q++) begin
        // The last commands of a queue that closes still go by what its life was allowed.
        if (begins[q])                                  allowed_q[m][q] <= 1'b0;
        else if (allow[m] && miss_queue == queue_t'(q)) allowed_q[m][q] <= 1'b1;
        else if (fill[m])                               allowed_q[m][q] <= 1'b0;
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
      valid_q <= (valid_q & ~(fence ? same : '0)) | fill;
      used_q  <= touched == '1 ? hit | fill : touched;
    end
  end

  assign idle_o = !miss_busy_o;

  // Of a queue, whether it is enabled.
  logic unused_cfg;
  assign unused_cfg = ^{cfg_i, fence_addr_i[5:0]};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(OneEntryOfAMap, $onehot0(hit) && (fence_valid_i || look ? $onehot0(same) : 1'b1))
  `TMA_ASSERT(ProbedIsStillThere, good && probed |-> (probe_q & ~valid_q) == '0)
  `TMA_ASSERT_STABLE(FenceIsStable, fence_valid_i, fence_ready_o, fence_addr_i)
  `TMA_COVER(FenceWaits, fence_valid_i && !fence_ready_o)
  `TMA_COVER(FenceOfAMiss, miss_busy_o && stale && !stale_q)
  `TMA_COVER(FenceInTheLastCycle, miss_done_o && stale && !stale_q)
  `TMA_COVER(HitBesideAMiss, req_hit_o && miss_busy_o)
  `TMA_COVER(Evicts, (fill & valid_q) != '0)
  `TMA_COVER(QueueIsClosedInAMiss, good && !enabled[miss_queue])

endmodule
