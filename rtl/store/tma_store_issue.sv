// SPDX-License-Identifier: Apache-2.0
// Turns rows into AXI write bursts: for each, its address to every port that it goes to, a job for its
// data and an entry for its responses.
//
//   rows --> page cut --> guard --+--> aw_o, to all its ports at once
//                                 +--> job_o, track_o
//
// A command that no window allows, or that met an error response, ends with a dropped job and entry in
// place of its next burst: nothing more of it is issued (`stop_o` stops the source of its rows), and
// what waits for the command finds its end in order. A `none` row makes a job and an entry that end
// their command, dropped ones when its item has a code.
//
// Throughput: one burst per cycle, across rows and commands. Latency: a cycle from the row to
// `aw_valid_o`. `row_ready_o`, `aw_valid_o`, `push_o` and `stop_o` depend on `aw_ready_i`,
// `job_ready_i` and `track_ready_i`.

`include "tma_assert.svh"

module tma_store_issue
  import tma_pkg::*;
  import tma_store_pkg::*;
#(
  parameter bit Short = ShortPaths  // windows are checked in front of the guard's register
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  windows_t [NumQueues-1:0]    windows_i,
  input  multimem_t [NumMultimem-1:0] multimem_i,
  input  queue_cfg_t [NumQueues-1:0]  cfg_i,
  input  logic [3:0]                  axcache_i,

  // Rows in; more of a command come while it is held
  input  logic                        row_valid_i,
  output logic                        row_ready_o,
  input  row_t                        row_i,
  input  item_t                       item_i,
  output logic                        stop_o,   // of the rest of the command of the row taken last

  // AW: to the ports of a burst together, and only when all of them can take it
  output ports_t                      aw_valid_o,
  input  ports_t                      aw_ready_i,
  output aw_t [NumPorts-1:0]          aw_o,

  // Job and entry of a burst, pushed together with it, and only when both can be taken
  output logic                        push_o,
  input  logic                        job_ready_i,
  output job_t                        job_o,
  input  logic                        track_ready_i,
  output track_t                      track_o,

  input  logic                        abort_i,  // issue no more of the held command

  output logic                        idle_o
);

  // The command that the guard and the cut hold. Registers of its queue are sampled with every row.
  struct packed {
    item_t       item;
    logic [7:0]  stream;
    logic [2:0]  prot;
  } cmd_q;

  logic drop, ends, leaves;

  //////////////////////////////
  // Page cut, guard          //
  //////////////////////////////

  row_t                      part;
  logic                      part_valid, part_ready;
  logic                      held;  // more parts of cmd_q come
  burst_t                    burst;
  ports_t                    ports;
  logic [NumPorts-1:0][63:0] port_addr;
  logic                      burst_valid;
  logic                      deny_valid;
  logic [63:0]               deny_addr;
  logic [15:0]               deny_code;
  logic                      guard_busy;

  tma_page_cut u_cut (
    .clk_i, .rst_ni,
    .row_valid_i, .row_ready_o, .row_i,
    .row_valid_o(part_valid), .row_ready_i(part_ready), .row_o(part),
    .held_o(held), .abort_i(stop_o)
  );

  tma_guard #(.Write(1'b1), .Early(Short)) u_guard (
    .clk_i, .rst_ni, .windows_i, .multimem_i,
    .row_valid_i(part_valid), .row_ready_o(part_ready), .row_i(part),
    .queue_i(held ? cmd_q.item.origin.qid : item_i.origin.qid),
    .mm_i(held ? cmd_q.item.multimem : item_i.multimem),
    .burst_valid_o(burst_valid), .burst_ready_i(push_o && !drop), .burst_o(burst),
    .ports_o(ports), .port_addr_o(port_addr),
    .deny_valid_o(deny_valid), .deny_ready_i(stop_o), .deny_addr_o(deny_addr),
    .deny_code_o(deny_code),
    .busy_o(guard_busy), .abort_i(stop_o)
  );

  always_ff @(posedge clk_i) begin
    if (row_valid_i && row_ready_o) begin
      cmd_q.item   <= item_i;
      cmd_q.stream <= cfg_i[item_i.origin.qid].stream;
      cmd_q.prot   <= cfg_i[item_i.origin.qid].prot;
    end
  end

  //////////
  // Push //
  //////////

  logic aw_free, denied, faulted;

  // A command may also be stopped between its rows. An abort goes before all else: what it hit has
  // reported its fault.
  assign leaves  = guard_busy && !abort_i;
  assign denied  = leaves && deny_valid;
  assign faulted = leaves && burst_valid && burst.none && cmd_q.item.code != '0;
  assign ends    = leaves && burst_valid && burst.none && cmd_q.item.code == '0;
  assign drop    = abort_i || denied || faulted;
  assign aw_free = (ports & ~aw_ready_i) == '0;
  assign push_o  = (guard_busy || abort_i) && (drop || ends || aw_free) && job_ready_i &&
                   track_ready_i;
  assign stop_o  = push_o && drop;

  assign aw_valid_o = {NumPorts{push_o && !drop && !ends}} & ports;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign aw_o[p].addr  = port_addr[p];
    assign aw_o[p].len   = burst.len;
    assign aw_o[p].cache = axcache_i;
    assign aw_o[p].prot  = cmd_q.prot;
    assign aw_o[p].qos   = cmd_q.item.hint.qos;
    assign aw_o[p].user  = {cmd_q.stream, 1'b0, cmd_q.item.hint.cg, cmd_q.item.hint.prefetch,
                            cmd_q.item.hint.evict};
  end

  ////////////////////
  // Job and entry  //
  ////////////////////

  assign job_o.dropped   = drop;
  assign job_o.ends      = ends;
  assign job_o.record    = cmd_q.item.record;
  assign job_o.last      = drop || burst.last;
  assign job_o.qid       = cmd_q.item.origin.qid;
  assign job_o.ports     = ports;
  assign job_o.cta       = cmd_q.item.cta;
  assign job_o.swizzle   = cmd_q.item.swizzle;
  assign job_o.pack      = cmd_q.item.pack;
  assign job_o.saddr     = burst.saddr;
  assign job_o.len       = burst.len;
  assign job_o.head      = burst.head;
  assign job_o.tail      = burst.tail;
  assign job_o.odd       = burst.odd != '0;
  assign job_o.byte_mask = burst.odd != '0 ? ~(16'hFFFF << burst.odd) : cmd_q.item.byte_mask;

  // The guard's row address is the first operand byte, of a burst as of what it denies.
  assign track_o.dropped = drop;
  assign track_o.ends    = ends;
  assign track_o.record  = cmd_q.item.record;
  assign track_o.last    = drop || burst.last;
  assign track_o.ports   = ports;
  assign track_o.origin  = cmd_q.item.origin;
  assign track_o.address = deny_addr;

  always_comb begin
    track_o.code = '0;
    if (denied) begin
      track_o.code = cmd_q.item.record ? code_t'(tma_isa_pkg::FaultCompletionWindow)
                                       : code_t'(deny_code);
    end else if (faulted) begin
      track_o.code = cmd_q.item.code;
    end
  end

  assign idle_o = !guard_busy;

  logic unused_bits;
  assign unused_bits = ^{burst.first, burst.addr, deny_code[15:8]};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(GuardOffersOrDenies, guard_busy |-> burst_valid != deny_valid)
  `TMA_ASSERT(RestComesAfterItsStart, held |-> guard_busy)
  `TMA_ASSERT(AddressIsOfTheBurst, push_o && !drop && !ends |->
      deny_addr == burst.addr + 64'({burst.head, 4'b0}))
  `TMA_ASSERT(CodeFits, deny_valid |-> deny_code[15:8] == '0)
  `TMA_ASSERT(NoneIsTheEnd, burst_valid && burst.none |-> burst.last)
  `TMA_ASSERT(OddIsUnmasked, push_o && !drop && burst.odd != '0 |-> cmd_q.item.byte_mask == '1)
  `TMA_COVER(DeniedInTheMiddle, push_o && denied && !burst.first)
  `TMA_COVER(Aborted, push_o && abort_i)
  `TMA_COVER(AbortedBetweenRows, push_o && abort_i && !guard_busy)
  `TMA_COVER(WaitsForResponses, guard_busy && !track_ready_i)
  `TMA_COVER(RowWaitsForARow, row_valid_i && held)

endmodule
