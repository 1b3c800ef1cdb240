// SPDX-License-Identifier: Apache-2.0
// Turns store commands and records into AXI write bursts: for each, its address to every port that
// it goes to, a job for its data and an entry for its responses.
//
//   command --+--> page cut --> guard --+--> aw_o, to all its ports at once
//   record ---+                         +--> job_o, track_o
//
// Records go before commands, but not into the middle of one. A command that no window allows, or
// that met an error response, ends with a dropped job and entry in place of its next burst: nothing
// more of it is issued, and what waits for the command finds its end in order.
//
// Throughput: one burst per cycle, across commands. Latency: a cycle from the command to `aw_valid_o`.
// `cmd_ready_o`, `rec_ready_o`, `aw_valid_o` and `push_o` depend on `aw_ready_i`, `job_ready_i` and
// `track_ready_i`.

`include "tma_assert.svh"

module tma_store_issue
  import tma_pkg::*;
  import tma_store_pkg::*;
(
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  windows_t [NumQueues-1:0]    windows_i,
  input  multimem_t [NumMultimem-1:0] multimem_i,
  input  queue_cfg_t [NumQueues-1:0]  cfg_i,
  input  logic [3:0]                  axcache_i,

  // Commands and records in
  input  logic                        cmd_valid_i,
  output logic                        cmd_ready_o,
  input  store_cmd_t                  cmd_i,
  input  logic                        rec_valid_i,
  output logic                        rec_ready_o,
  input  record_cmd_t                 rec_i,

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

  localparam int unsigned RecordChunks = 2;

  // The command that the guard and the cut hold.
  struct packed {
    logic        record;
    logic        multimem;
    cta_t        cta;
    logic [15:0] byte_mask;
    hint_t       hint;
    origin_t     origin;
    logic [7:0]  stream;
    logic [2:0]  prot;
  } cmd_q, cmd;

  logic drop;

  //////////////////////////////
  // Command, page cut, guard //
  //////////////////////////////

  row_t                      row, part;
  logic                      row_valid, row_ready;
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

  // Registers of the queue are sampled with the command.
  always_comb begin
    cmd.record    = rec_valid_i;
    cmd.multimem  = !rec_valid_i && cmd_i.multimem;
    cmd.cta       = cmd_i.cta;
    cmd.byte_mask = rec_valid_i ? '1 : cmd_i.byte_mask;
    cmd.hint      = rec_valid_i ? '0 : cmd_i.hint;
    cmd.origin    = rec_valid_i ? rec_i.origin : cmd_i.origin;
    cmd.stream    = cfg_i[cmd.origin.qid].stream;
    cmd.prot      = cfg_i[cmd.origin.qid].prot;
  end

  assign row.gaddr  = rec_valid_i ? rec_i.gaddr : cmd_i.gaddr;
  assign row.saddr  = cmd_i.saddr;
  assign row.chunks = rec_valid_i ? RowChunks'(RecordChunks) : cmd_i.chunks;
  assign row.first  = 1'b1;
  assign row.last   = 1'b1;

  assign row_valid   = rec_valid_i || cmd_valid_i;
  assign rec_ready_o = row_ready;
  assign cmd_ready_o = row_ready && !rec_valid_i;

  tma_page_cut u_cut (
    .clk_i, .rst_ni,
    .row_valid_i(row_valid), .row_ready_o(row_ready), .row_i(row),
    .row_valid_o(part_valid), .row_ready_i(part_ready), .row_o(part),
    .held_o(held), .abort_i(push_o && drop)
  );

  tma_guard #(.Write(1'b1)) u_guard (
    .clk_i, .rst_ni, .windows_i, .multimem_i,
    .row_valid_i(part_valid), .row_ready_o(part_ready), .row_i(part),
    .queue_i(held ? cmd_q.origin.qid : cmd.origin.qid),
    .mm_i(held ? cmd_q.multimem : cmd.multimem),
    .burst_valid_o(burst_valid), .burst_ready_i(push_o && !drop), .burst_o(burst),
    .ports_o(ports), .port_addr_o(port_addr),
    .deny_valid_o(deny_valid), .deny_ready_i(push_o && drop), .deny_addr_o(deny_addr),
    .deny_code_o(deny_code),
    .busy_o(guard_busy), .abort_i(push_o && drop)
  );

  always_ff @(posedge clk_i) if (row_valid && row_ready) cmd_q <= cmd;

  ////////
  // AW //
  ////////

  logic aw_free;

  assign aw_free = (ports & ~aw_ready_i) == '0;
  assign drop    = deny_valid || abort_i;
  assign push_o  = guard_busy && (drop || aw_free) && job_ready_i && track_ready_i;

  assign aw_valid_o = {NumPorts{push_o && !drop}} & ports;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign aw_o[p].addr  = port_addr[p];
    assign aw_o[p].len   = burst.len;
    assign aw_o[p].cache = axcache_i;
    assign aw_o[p].prot  = cmd_q.prot;
    assign aw_o[p].qos   = cmd_q.hint.qos;
    assign aw_o[p].user  = {cmd_q.stream, 1'b0, cmd_q.hint.cg, cmd_q.hint.prefetch,
                            cmd_q.hint.evict};
  end

  ////////////////////
  // Job and entry  //
  ////////////////////

  assign job_o.dropped   = drop;
  assign job_o.record    = cmd_q.record;
  assign job_o.last      = drop || burst.last;
  assign job_o.qid       = cmd_q.origin.qid;
  assign job_o.ports     = ports;
  assign job_o.cta       = cmd_q.cta;
  assign job_o.saddr     = burst.saddr;
  assign job_o.len       = burst.len;
  assign job_o.head      = burst.head;
  assign job_o.tail      = burst.tail;
  assign job_o.byte_mask = cmd_q.byte_mask;

  // The guard's row address is the first operand byte, of a burst as of what it denies.
  assign track_o.dropped = drop;
  assign track_o.record  = cmd_q.record;
  assign track_o.last    = drop || burst.last;
  assign track_o.ports   = ports;
  assign track_o.origin  = cmd_q.origin;
  assign track_o.chunk   = deny_addr[63:4];

  always_comb begin
    track_o.deny = DenyNone;
    if (deny_valid && !abort_i) begin
      unique case (deny_code)
        tma_isa_pkg::FaultWindowMultimem:   track_o.deny = DenyMultimem;
        tma_isa_pkg::FaultMultimemUnmapped: track_o.deny = DenyUnmapped;
        default:                            track_o.deny = DenyWindow;
      endcase
    end
  end

  assign idle_o = !guard_busy;

  logic unused_bits;
  assign unused_bits = ^{burst.first, burst.addr, deny_addr[3:0]};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(OnlyAHeldCommandIsAborted, abort_i |-> guard_busy)
  `TMA_ASSERT(GuardOffersOrDenies, guard_busy |-> burst_valid != deny_valid)
  `TMA_ASSERT(RestComesAfterItsStart, held |-> guard_busy)
  `TMA_ASSERT(AddressIsOfTheBurst, push_o && !drop |->
      deny_addr == burst.addr + 64'({burst.head, 4'b0}))
  `TMA_ASSERT(RecordIsAligned, rec_valid_i |-> rec_i.gaddr[4:0] == '0)
  `TMA_COVER(DeniedInTheMiddle, push_o && deny_valid && !burst.first)
  `TMA_COVER(Aborted, push_o && abort_i)
  `TMA_COVER(WaitsForResponses, guard_busy && !track_ready_i)
  `TMA_COVER(RecordOvertakes, rec_valid_i && rec_ready_o && cmd_valid_i)
  `TMA_COVER(RecordWaitsForARow, rec_valid_i && held)

endmodule
