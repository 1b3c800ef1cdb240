// SPDX-License-Identifier: Apache-2.0
// Turns rows into AXI write bursts: for each, its address to every port that it goes to, a job for its
// data and an entry for its responses.
//
//   rows ------> page cut --+--> guard --+--> aw_o, to all its ports at once
//   broadcasts --> cut -----+            +--> job_o, track_o
//                (room)
//
// With several ports, broadcasts are a lane of their own: cut into short bursts, they come into the guard
// when there is room for them in front of all other ports (tma_store_room), so that one which waits for
// one of these holds up nobody else. Bursts of the two lanes take turns.
//
// A command that no window allows, or that met an error response, ends with a dropped job and entry in
// place of its next burst: nothing more of it is issued (`stop_o` stops the source of its rows), and
// what waits for the command finds its end in order. A `none` row makes a job and an entry that end
// their command, dropped ones when its item has a code. A stopped broadcast has an entry alone.
//
// Throughput: one burst per cycle, across rows, commands and lanes, with `Short` every third cycle.
// Latency: a cycle from the row to `aw_valid_o`, with `Short` two. `aw_valid_o`, `job_valid_o` and, without `Short`,
// `row_ready_o` and `stop_o` depend on `aw_ready_i`, `job_ready_i`, `track_ready_i` and what tma_store_room says. Of one lane
// `Short` stops a cycle later, and takes no row meanwhile.

`include "tma_assert.svh"

module tma_store_issue
  import tma_pkg::*;
  import tma_store_pkg::*;
#(
  parameter bit Short = ShortPaths  // the guard's check takes a cycle
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  output queue_t                      window_queue_o, // whose windows are wanted, in the same cycle
  input  windows_t                    windows_i,
  input  multimem_t [NumMultimem-1:0] multimem_i,
  input  queue_cfg_t [NumQueues-1:0]  cfg_i,
  input  logic [3:0]                  axcache_i,

  // Rows in, by lane; more of a command come while it is held
  input  logic [NumLanes-1:0]         row_valid_i,
  output logic [NumLanes-1:0]         row_ready_o,
  input  row_t [NumLanes-1:0]         row_i,
  input  item_t [NumLanes-1:0]        item_i,
  output logic [NumLanes-1:0]         stop_o,   // of the rest of the command of the row taken last

  // AW: to the ports of a burst together, and only when all of them can take it
  output ports_t                      aw_valid_o,
  input  ports_t                      aw_ready_i,
  output aw_t [NumPorts-1:0]          aw_o,

  // Job and entry of a burst, pushed together with it, and only when both can be taken
  output logic                        job_valid_o,
  input  logic                        job_ready_i,
  output job_t                        job_o,
  output logic [NumLanes-1:0]         track_valid_o,  // by lane
  input  logic [NumLanes-1:0]         track_ready_i,
  output track_t                      track_o,

  // Broadcasts: the burst of the guard is one; another may come into the guard, that one may leave
  output logic                        held_o,
  output logic [LenWidth-1:0]         len_o,          // of the burst in the guard, whatever it is
  input  logic                        enter_i,
  input  logic                        go_i,

  input  logic [NumLanes-1:0]         abort_i,  // issue no more of the held command

  output logic                        idle_o
);

  // The command of each lane that the guard and its cut hold. Registers of its queue are sampled with
  // every row.
  typedef struct packed {
    item_t       item;
    logic [7:0]  stream;
    logic [2:0]  prot;
  } held_t;

  held_t [NumLanes-1:0] cmd_q;
  held_t                cmd;     // of the burst in the guard
  logic                 drop, ends, leaves, push;

  ///////////
  // Lanes //
  ///////////

  row_t [NumLanes-1:0]  lane_part;
  logic [NumLanes-1:0]  part_valid, part_ready;
  logic [NumLanes-1:0]  held;    // more parts of its cmd_q come
  lane_t                next;    // lane that the guard takes a part of
  lane_t                lane_q;  // of the part that it holds
  lane_t                lane;    // that pushes
  logic                 guard_valid, guard_ready, guard_busy;

  for (genvar l = 0; l < NumLanes; l++) begin : g_lane
    tma_page_cut #(.Piece(l == 0 ? 256 : SpreadBeats * Chunks)) u_cut (
      .clk_i, .rst_ni,
      .row_valid_i(row_valid_i[l]), .row_ready_o(row_ready_o[l]), .row_i(row_i[l]),
      .row_valid_o(part_valid[l]), .row_ready_i(part_ready[l]), .row_o(lane_part[l]),
      .held_o(held[l]), .abort_i(stop_o[l])
    );

    always_ff @(posedge clk_i) begin
      if (row_valid_i[l] && row_ready_o[l]) begin
        cmd_q[l].item   <= item_i[l];
        cmd_q[l].stream <= cfg_i[item_i[l].origin.qid].stream;
        cmd_q[l].prot   <= cfg_i[item_i[l].origin.qid].prot;
      end
    end
  end

  if (NumLanes == 1) begin : g_one_lane
    logic unused_room;

    // No row comes in beside a stop between rows.
    assign part_ready  = guard_ready && !(Short && abort_i[0]);
    assign guard_valid = part_valid[0] && !(Short && abort_i[0]);
    assign next        = '0;
    assign lane_q      = '0;
    assign unused_room = enter_i && go_i;
  end else begin : g_turns
    logic spread;  // a broadcast may come

    // Not behind one that is being stopped.
    assign spread      = part_valid[1] && enter_i && !stop_o[1];
    assign guard_valid = part_valid[0] || spread;
    assign next        = spread && (!part_valid[0] || !lane_q);
    assign part_ready  = NumLanes'(guard_ready && guard_valid) << next;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                         lane_q <= '0;
      else if (guard_valid && guard_ready) lane_q <= next;
    end

    `TMA_COVER(BroadcastWaits, part_valid[1] && !enter_i && part_valid[0] && guard_ready)
    `TMA_COVER(LanesTakeTurns, part_valid[0] && spread && guard_ready)
    `TMA_COVER(RestBehindABroadcast, held[0] && guard_busy && lane_q)
    `TMA_COVER(AbortBehindABroadcast, abort_i[0] && guard_busy && lane_q)
  end

  ///////////
  // Guard //
  ///////////

  burst_t                    burst;
  ports_t                    ports;
  logic [NumPorts-1:0][63:0] port_addr;
  logic                      burst_valid;
  logic                      deny_valid;
  logic [63:0]               deny_addr;
  logic [15:0]               deny_code;
  item_t                     part_item;

  assign part_item      = held[next] ? cmd_q[next].item : item_i[next];
  assign window_queue_o = Short ? cmd_q[lane_q].item.origin.qid : part_item.origin.qid;

  tma_guard #(.Write(1'b1), .Step(Short)) u_guard (
    .clk_i, .rst_ni, .multimem_i,
    .row_valid_i(guard_valid), .row_ready_o(guard_ready), .row_i(lane_part[next]),
    .windows_i, .mm_i(part_item.multimem),
    .burst_valid_o(burst_valid), .burst_ready_i(push && !drop), .burst_o(burst),
    .ports_o(ports), .port_addr_o(port_addr),
    .deny_valid_o(deny_valid), .deny_ready_i(push && drop), .deny_addr_o(deny_addr),
    .deny_code_o(deny_code),
    .busy_o(guard_busy), .abort_i(push && drop)
  );

  //////////
  // Push //
  //////////

  logic checked, aw_free, denied, faulted, abort, has_job;

  // A command of lane 0 may also be stopped between its rows; a broadcast has but one, so a part of it
  // comes. An abort goes before all else: what it hit has reported its fault.
  assign lane    = guard_busy ? lane_q : '0;
  assign cmd     = cmd_q[lane];
  assign abort   = abort_i[lane];
  assign leaves  = guard_busy && !abort;
  assign denied  = leaves && deny_valid;
  assign faulted = leaves && burst_valid && burst.none && cmd.item.code != '0;
  assign ends    = leaves && burst_valid && burst.none && cmd.item.code == '0;
  assign drop    = abort || denied || faulted;
  assign checked = burst_valid || deny_valid;
  assign aw_free = (ports & ~aw_ready_i) == '0 && (lane == '0 || go_i);
  assign has_job = lane == '0 || !drop;
  assign push    = (checked || abort) && (drop || ends || aw_free) && (job_ready_i || !has_job) &&
                   track_ready_i[lane];

  assign job_valid_o   = push && has_job;
  assign track_valid_o = NumLanes'(push) << lane;
  assign held_o        = guard_busy && lane_q != '0;
  assign len_o         = burst.len;

  assign aw_valid_o = {NumPorts{push && !drop && !ends}} & ports;

  if (Short && NumLanes == 1) begin : g_stop
    logic stop_q;

    assign stop_o = stop_q;

    always_ff @(posedge clk_i) stop_q <= rst_ni && push && drop;
  end else begin : g_stop_now
    assign stop_o = NumLanes'(push && drop) << lane;
  end

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign aw_o[p].stream = stream_t'(lane);
    assign aw_o[p].addr   = port_addr[p];
    assign aw_o[p].len    = burst.len;
    assign aw_o[p].cache  = axcache_i;
    assign aw_o[p].prot   = cmd.prot;
    assign aw_o[p].qos    = cmd.item.hint.qos;
    assign aw_o[p].user   = {cmd.stream, 1'b0, cmd.item.hint.cg, cmd.item.hint.prefetch,
                             cmd.item.hint.evict};
  end

  ////////////////////
  // Job and entry  //
  ////////////////////

  assign job_o.dropped   = drop;
  assign job_o.ends      = ends;
  assign job_o.record    = cmd.item.record;
  assign job_o.spread    = lane != '0;
  assign job_o.last      = drop || burst.last;
  assign job_o.qid       = cmd.item.origin.qid;
  assign job_o.ports     = ports;
  assign job_o.cta       = cmd.item.cta;
  assign job_o.swizzle   = cmd.item.swizzle;
  assign job_o.pack      = cmd.item.pack;
  assign job_o.pair      = cmd.item.pair;
  assign job_o.saddr     = burst.saddr;
  assign job_o.len       = burst.len;
  assign job_o.head      = burst.head;
  assign job_o.tail      = burst.tail;
  assign job_o.odd       = burst.odd != '0;
  assign job_o.byte_mask = burst.odd != '0 ? ~(16'hFFFF << burst.odd) : cmd.item.byte_mask;

  // The guard's row address is the first operand byte, of a burst as of what it denies.
  assign track_o.dropped = drop;
  assign track_o.ends    = ends;
  assign track_o.record  = cmd.item.record;
  assign track_o.last    = drop || burst.last;
  assign track_o.ports   = ports;
  assign track_o.others  = 1'b0;
  assign track_o.origin  = cmd.item.origin;
  assign track_o.address = deny_addr;

  always_comb begin
    track_o.code = '0;
    if (denied) begin
      track_o.code = cmd.item.record ? code_t'(tma_isa_pkg::FaultCompletionWindow)
                                       : code_t'(deny_code);
    end else if (faulted) begin
      track_o.code = cmd.item.code;
    end
  end

  assign idle_o = !guard_busy && held == '0;

  logic unused_bits;
  assign unused_bits = ^{burst.first, burst.addr, deny_code[15:8], part_item};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(GuardOffersOrDenies,
      guard_busy && (!Short || $past(guard_busy)) |-> burst_valid != deny_valid)
  `TMA_ASSERT(RestComesAfterItsStart, NumLanes == 1 && !Short && held != '0 |-> guard_busy)
  `TMA_ASSERT(BroadcastHasItsPlaces, held_o |-> track_ready_i[lane])
  `TMA_ASSERT(AddressIsOfTheBurst, push && !drop && !ends |->
      deny_addr == burst.addr + 64'({burst.head, 4'b0}))
  `TMA_ASSERT(CodeFits, deny_valid |-> deny_code[15:8] == '0)
  `TMA_ASSERT(NoneIsTheEnd, burst_valid && burst.none |-> burst.last)
  `TMA_ASSERT(OddIsUnmasked, push && !drop && burst.odd != '0 |-> cmd.item.byte_mask == '1)
  `TMA_ASSERT(PairIsABeat, push && !drop && cmd.item.pair |-> burst.len == '0 && burst.odd == '0 &&
      burst.head < burst.tail && !cmd.item.pack && !cmd.item.record)
  `TMA_COVER(DeniedInTheMiddle, push && denied && !burst.first)
  `TMA_COVER(Aborted, push && abort)
  `TMA_COVER(AbortedBetweenRows, push && abort && !guard_busy)
  `TMA_COVER(WaitsForResponses, guard_busy && !track_ready_i[lane])
  `TMA_COVER(RowWaitsForARow, (row_valid_i & held) != '0)

endmodule
