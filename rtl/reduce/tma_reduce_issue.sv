// SPDX-License-Identifier: Apache-2.0
// Turns rows of reductions into bursts: each is read, or follows another one, and is written later.
//
//   rows --> cut --> guard --> ports of it, in turn --+--> score --> AR of its port
//                                                     +--> job, plan, target, entry of the track
//
// Rows are cut at multiples of 16 beats: a burst waits for the whole of its old data behind here, and as many of
// them are on their way as the score has entries. A burst goes when the score lets it go and all that it needs is
// free, at once: its entry, room for its old data, a place for its job, its plan, its target and its track. So who is
// on its way waits for the bus alone. One that follows another one within a line reads nothing.
//
// What belongs to several ports goes to one after the other, each time as a burst of its own: its source is read anew.
//
// A command that no window allows, or that met an error, ends with a dropped job and entry in place of its next
// burst, as in tma_store_issue. A burst that has gone to some of its ports goes to the others first.
//
// Throughput: a burst every other cycle, with `Short` every fourth. Latency: two cycles from a row to AR, with `Short`
// three; one more for a burst that follows, with `Short` two. `row_ready_o` and `stop_o` depend on the ready of
// everybody. Reset: control only.

`include "tma_assert.svh"

module tma_reduce_issue
  import tma_pkg::*;
  import tma_store_pkg::*;
  import tma_reduce_pkg::*;
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
  input  logic                        f32_ftz_i,      // as it is when a command comes

  // Rows in; more of a command come while it is held
  input  logic                        row_valid_i,
  output logic                        row_ready_o,
  input  row_t                        row_i,
  input  item_t                       item_i,
  output logic                        stop_o,         // of the rest of the command of the row taken last

  // To the score
  output logic                        score_valid_o,
  output reach_t                      reach_o,
  input  logic                        score_ok_i,
  input  logic                        follows_i,
  input  slot_t                       from_i,

  // AR, at one port at most; ports with room for the old data of a burst
  output ports_t                      ar_valid_o,
  input  ports_t                      ar_ready_i,
  output ar_t                         ar_o,
  input  ports_t                      old_room_i,

  // A burst goes: plan and target. It, or the end of a command: job and entry. Ready: a place for one more
  output logic                        go_o,
  input  logic                        places_i,       // for plan and target
  output plan_t                       plan_o,
  output target_t                     target_o,
  output logic                        push_o,
  input  logic                        job_ready_i,
  output job_t                        job_o,
  input  logic                        track_ready_i,
  output track_t                      track_o,

  input  logic                        abort_i,        // issue no more of the held command

  output logic                        idle_o
);

  // The command that the guard and the cut hold. Registers of its queue are sampled with every row.
  item_t       item_q;
  logic [7:0]  stream_q;
  logic [2:0]  prot_q;
  logic        f32_ftz_q;

  row_t        part;
  item_t       part_item;
  logic        part_valid, part_ready, held;
  logic        drop, ends, go, settles, push, last;

  tma_page_cut #(.Piece(ReduceBeats * Chunks)) u_cut (
    .clk_i, .rst_ni, .row_valid_i, .row_ready_o, .row_i,
    .row_valid_o(part_valid), .row_ready_i(part_ready), .row_o(part), .held_o(held), .abort_i(stop_o)
  );

  always_ff @(posedge clk_i) begin
    if (row_valid_i && row_ready_o) begin
      item_q   <= item_i;
      stream_q <= cfg_i[item_i.origin.qid].stream;
      prot_q   <= cfg_i[item_i.origin.qid].prot;
      if (row_i.first) f32_ftz_q <= f32_ftz_i;
    end
  end

  ///////////
  // Guard //
  ///////////

  burst_t                    burst;
  ports_t                    ports;
  logic [NumPorts-1:0][63:0] port_addr;
  logic                      burst_valid, deny_valid, guard_busy;
  logic [63:0]               deny_addr;
  logic [15:0]               deny_code;

  assign part_item      = held ? item_q : item_i;
  assign window_queue_o = Short ? item_q.origin.qid : part_item.origin.qid;

  tma_guard #(.Write(1'b1), .Both(1'b1), .Step(Short)) u_guard (
    .clk_i, .rst_ni, .multimem_i,
    .row_valid_i(part_valid), .row_ready_o(part_ready), .row_i(part),
    .windows_i, .mm_i(part_item.multimem),
    .burst_valid_o(burst_valid), .burst_ready_i((go && last) || (settles && ends)), .burst_o(burst),
    .ports_o(ports), .port_addr_o(port_addr),
    .deny_valid_o(deny_valid), .deny_ready_i(stop_o), .deny_addr_o(deny_addr),
    .deny_code_o(deny_code),
    .busy_o(guard_busy), .abort_i(stop_o)
  );

  ///////////////////
  // Ports in turn //
  ///////////////////

  logic        begun_q;         // the burst has gone to some of its ports,
  ports_t      left_q;          // and not to these
  ports_t      todo, pick;
  port_t       port;
  logic [63:0] addr;

  assign todo = begun_q ? left_q : ports;
  assign pick = todo & (~todo + ports_t'(1));
  assign last = (todo & ~pick) == '0;

  always_comb begin
    port = '0;
    for (int unsigned p = 0; p < NumPorts; p++) if (pick[p]) port = port_t'(p);
  end

  assign addr = port_addr[port];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begun_q <= 1'b0;
    else if (go) begun_q <= !last;
  end

  always_ff @(posedge clk_i) if (go) left_q <= todo & ~pick;

  ////////
  // Go //
  ////////

  logic stops, leaves, denied, faulted, wanted, may, reads;

  // As in tma_store_issue: what an abort hits has reported its fault.
  assign stops   = abort_i && !begun_q;
  assign leaves  = guard_busy && !stops;
  assign denied  = leaves && deny_valid;
  assign faulted = leaves && burst_valid && burst.none && item_q.code != '0;
  assign ends    = leaves && burst_valid && burst.none && item_q.code == '0;
  assign drop    = stops || denied || faulted;
  assign wanted  = leaves && burst_valid && !burst.none;

  assign score_valid_o = wanted;
  assign reach_o       = '{port: port, page: addr[63:12],
                           first: addr[11:4] + 8'(burst.head),
                           last: addr[11:4] + (8'(burst.len) << ChunkShift) + 8'(burst.tail),
                           whole: burst.odd == '0 && !item_q.pair};

  assign may        = wanted && score_ok_i && places_i && job_ready_i && track_ready_i;
  assign reads      = may && !follows_i && (pick & ~old_room_i) == '0;
  assign ar_valid_o = pick & {NumPorts{reads}};
  assign go         = follows_i ? may : reads && (pick & ~ar_ready_i) == '0;
  // What ends a row or a command without a burst depends on no answer of the score or a port.
  assign settles    = (drop || ends) && job_ready_i && track_ready_i;
  assign push       = go || settles;
  assign go_o       = go;
  assign push_o     = push;
  assign stop_o     = settles && drop;

  //////////////////////
  // What it is about //
  //////////////////////

  logic [15:0] user;
  how_t        how;

  always_comb begin
    how       = item_q.how;
    how.flush = item_q.how.flush || f32_ftz_q;
  end

  assign user = {stream_q, 1'b0, item_q.hint.cg, item_q.hint.prefetch, item_q.hint.evict};

  assign ar_o = '{qid: item_q.origin.qid, id: {ClientReduce, 2'd0}, addr: addr, len: burst.len,
                  cache: axcache_i, prot: prot_q, qos: item_q.hint.qos, user: user};

  assign plan_o   = '{port: port, follows: follows_i, from: from_i, how: how};
  assign target_o = '{port: port, aw: '{stream: stream_t'(StreamReduce), addr: addr, len: burst.len, cache: axcache_i,
                                        prot: prot_q, qos: item_q.hint.qos, user: user}};

  always_comb begin
    job_o           = '0;
    job_o.dropped   = drop;
    job_o.ends      = ends;
    job_o.last      = drop || (burst.last && (ends || last));
    job_o.qid       = item_q.origin.qid;
    job_o.ports     = ports_t'(1);
    job_o.cta       = item_q.cta;
    job_o.swizzle   = item_q.swizzle;
    job_o.pair      = item_q.pair;
    job_o.saddr     = burst.saddr;
    job_o.len       = burst.len;
    job_o.head      = burst.head;
    job_o.tail      = burst.tail;
    job_o.odd       = burst.odd != '0;
    job_o.byte_mask = burst.odd != '0 ? ~(16'hFFFF << burst.odd) : '1;
  end

  always_comb begin
    track_o         = '0;
    track_o.dropped = drop;
    track_o.ends    = ends;
    track_o.last    = job_o.last;
    track_o.ports   = pick;
    track_o.others  = (ports & (ports - ports_t'(1))) != '0;
    track_o.origin  = item_q.origin;
    track_o.address = deny_addr;
    if (denied)       track_o.code = code_t'(deny_code);
    else if (faulted) track_o.code = item_q.code;
  end

  assign idle_o = !guard_busy && !held;

  logic unused_bits;
  assign unused_bits = ^{burst.first, burst.addr, deny_code[15:8], part_item, item_q};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(RestComesAfterItsStart, held |-> guard_busy || (Short && $past(guard_busy)))
  `TMA_ASSERT(NoneIsTheEnd, burst_valid && burst.none |-> burst.last)
  `TMA_ASSERT(BurstIsShort, wanted |-> burst.len < LenWidth'(ReduceBeats))
  `TMA_ASSERT(OneGoesOrEnds, !(go && (drop || ends)))
  `TMA_ASSERT(CodeFits, deny_valid |-> deny_code[15:8] == '0)
  `TMA_COVER(DeniedInTheMiddle, push && denied && !burst.first)
  `TMA_COVER(Aborted, push && stops)
  `TMA_COVER(AbortedBetweenRows, push && stops && !guard_busy)
  `TMA_COVER(WaitsForTheScore, wanted && !score_ok_i)
  `TMA_COVER(WaitsForOldRoom, may && !follows_i && !reads)
  if (NumPorts > 1) begin : g_ports
    `TMA_COVER(GoesToAnotherPort, go && begun_q)
    `TMA_ASSERT(BegunIsABurst, begun_q |-> guard_busy && burst_valid && !burst.none)
    `TMA_COVER(AbortedBetweenPorts, go && abort_i && begun_q)
  end

endmodule
