// SPDX-License-Identifier: Apache-2.0
// Turns store commands into AXI write bursts: for each, its address on AW, a job for its data and
// an entry for its response.
//
//   command --> row --> guard --> AW register
//                         |
//                         +-----> job_o, track_o
//
// A command that no window allows, or that met an error response, ends with a dropped job and entry
// in place of its next burst: nothing more of it is issued, and what waits for the command finds
// its end in order.
//
// Throughput: one burst per cycle, across commands. Latency: two cycles from the command to AW.
// `cmd_ready_o` and `push_o` depend on `aw_ready_i`, `job_ready_i` and `track_ready_i`.

`include "tma_assert.svh"

module tma_store_issue
  import tma_pkg::*;
  import tma_store_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  windows_t [NumQueues-1:0]   windows_i,
  input  queue_cfg_t [NumQueues-1:0] cfg_i,
  input  logic [3:0]                 axcache_i,

  // Commands in
  input  logic                       cmd_valid_i,
  output logic                       cmd_ready_o,
  input  store_cmd_t                 cmd_i,

  // AW
  output logic                       aw_valid_o,
  input  logic                       aw_ready_i,
  output logic [63:0]                aw_addr_o,
  output logic [LenWidth-1:0]        aw_len_o,
  output logic [3:0]                 aw_cache_o,
  output logic [2:0]                 aw_prot_o,
  output logic [3:0]                 aw_qos_o,
  output logic [15:0]                aw_user_o,

  // Job and entry of a burst, pushed together, and only when both can be taken
  output logic                       push_o,
  input  logic                       job_ready_i,
  output job_t                       job_o,
  input  logic                       track_ready_i,
  output track_t                     track_o,

  input  logic                       abort_i,  // issue no more of the held command

  output logic                       idle_o
);

  ///////////////////////
  // Command and guard //
  ///////////////////////

  // The command whose row the guard holds.
  struct packed {
    cta_t        cta;
    logic [15:0] byte_mask;
    hint_t       hint;
    origin_t     origin;
    logic [7:0]  stream;
    logic [2:0]  prot;
  } cmd_q;

  row_t        row;
  burst_t      burst;
  logic        burst_valid;
  logic        deny_valid;
  logic [63:0] deny_addr;
  logic        guard_busy;
  logic        drop;

  assign row.gaddr  = cmd_i.gaddr;
  assign row.saddr  = cmd_i.saddr;
  assign row.chunks = cmd_i.chunks;
  assign row.first  = 1'b1;
  assign row.last   = 1'b1;

  tma_guard #(.Write(1'b1)) u_guard (
    .clk_i, .rst_ni, .windows_i,
    .row_valid_i(cmd_valid_i), .row_ready_o(cmd_ready_o), .row_i(row),
    .queue_i(cmd_i.origin.qid),
    .burst_valid_o(burst_valid), .burst_ready_i(push_o && !drop), .burst_o(burst),
    .deny_valid_o(deny_valid), .deny_ready_i(push_o && drop), .deny_addr_o(deny_addr),
    .busy_o(guard_busy), .abort_i(push_o && drop)
  );

  // Registers of the queue are sampled with the command, like its windows.
  always_ff @(posedge clk_i) begin
    if (cmd_valid_i && cmd_ready_o) begin
      cmd_q <= {cmd_i.cta, cmd_i.byte_mask, cmd_i.hint, cmd_i.origin,
                cfg_i[cmd_i.origin.qid].stream, cfg_i[cmd_i.origin.qid].prot};
    end
  end

  /////////////////
  // AW register //
  /////////////////

  logic aw_free;

  assign aw_free = !aw_valid_o || aw_ready_i;
  assign drop    = deny_valid || abort_i;
  assign push_o  = guard_busy && aw_free && job_ready_i && track_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)      aw_valid_o <= 1'b0;
    else if (aw_free) aw_valid_o <= push_o && !drop;
  end

  always_ff @(posedge clk_i) begin
    if (push_o && !drop) begin
      aw_addr_o  <= burst.addr;
      aw_len_o   <= burst.len;
      aw_cache_o <= axcache_i;
      aw_prot_o  <= cmd_q.prot;
      aw_qos_o   <= cmd_q.hint.qos;
      aw_user_o  <= {cmd_q.stream, 4'b0, cmd_q.hint.evict};
    end
  end

  ////////////////////
  // Job and entry  //
  ////////////////////

  assign job_o.dropped   = drop;
  assign job_o.last      = drop || burst.last;
  assign job_o.qid       = cmd_q.origin.qid;
  assign job_o.cta       = cmd_q.cta;
  assign job_o.saddr     = burst.saddr;
  assign job_o.len       = burst.len;
  assign job_o.head      = burst.head;
  assign job_o.tail      = burst.tail;
  assign job_o.byte_mask = cmd_q.byte_mask;

  // The guard's row address is the first operand byte, of a burst as of what it denies.
  assign track_o.dropped = drop;
  assign track_o.denied  = deny_valid && !abort_i;
  assign track_o.last    = drop || burst.last;
  assign track_o.origin  = cmd_q.origin;
  assign track_o.chunk   = deny_addr[63:4];

  assign idle_o = !guard_busy && !aw_valid_o;

  logic unused_bits;
  assign unused_bits = burst.first ^ ^deny_addr[3:0];

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT_STABLE(AddressIsStable, aw_valid_o, aw_ready_i,
      {aw_addr_o, aw_len_o, aw_cache_o, aw_prot_o, aw_qos_o, aw_user_o})
  `TMA_ASSERT(OnlyAHeldCommandIsAborted, abort_i |-> guard_busy)
  `TMA_ASSERT(GuardOffersOrDenies, guard_busy |-> burst_valid != deny_valid)
  `TMA_ASSERT(AddressIsOfTheBurst, push_o && !drop |->
      deny_addr == burst.addr + 64'({burst.head, 4'b0}))
  `TMA_COVER(DeniedInTheMiddle, push_o && deny_valid && !burst.first)
  `TMA_COVER(Aborted, push_o && abort_i)
  `TMA_COVER(WaitsForResponses, guard_busy && !track_ready_i)

endmodule
