// SPDX-License-Identifier: Apache-2.0
// Tensor copies up to the walk: the map is looked up, the rules are tried, the walk is set up.
//
//   commands, one of each direction --> turn --> map cache --> tma_tensor_setup --> walk_o
//                                         \----> miss: one at a time
//
// A command stays at its FIFO's head until its map is there; it is taken together with the decoded
// map, or with the fault that the map has met. It is looked at only when there is room for its walk,
// so that neither direction waits for a walk of the other. The direction whose map is on its way
// waits, the other one goes on.
//
// Reductions are stores with one rule more: they come and go in the direction of stores, whose turns
// tma_tensor_share gives.
//
// PREFETCH_TENSORMAP is a walk without rows. Of its map only a dead port matters: it retires when the
// map is malformed, and is counted when no window allows it or its read fails.
//
// With the map cached, the walk is on offer in the third cycle behind the command (4 multipliers, one
// round); one command per direction every 3 cycles, one in 2 cycles in all. With `Short` the turn, the
// look-up and set-up's beginning are a cycle each: two more for the first command, none for those that
// follow each other, whose map is looked up while set-up is busy. A walk that is taken makes room in
// the next cycle; in that behind its taking comes the ready of a command, behind its look-up a miss.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_tensor
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_tensor_pkg::*;
  import tma_path_pkg::*;
#(
  parameter bit Short = ShortPaths
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  queue_cfg_t [NumQueues-1:0] cfg_i,
  input  logic                       granule16_i,     // BEHAVIOUR.store_granule16

  // Tensor commands. 0: loads, prefetches, 1: stores, reductions
  input  logic [1:0]                 cmd_valid_i,
  output logic [1:0]                 cmd_ready_o,
  input  load_cmd_t                  load_cmd_i,
  input  store_cmd_t                 store_cmd_i,
  input  logic                       reduce_i,        // command 1 is a reduction,
  input  logic [2:0]                 reduce_op_i,     // with this operator

  output logic [1:0]                 walk_valid_o,
  input  logic [1:0]                 walk_ready_i,
  output walk_t [1:0]                walk_o,

  // Maps that are not to be used any more as they were read
  input  logic                       fence_valid_i,
  input  logic [63:6]                fence_addr_i,

  // Fetches of maps, as in tma_map_cache
  output logic                       fetch_valid_o,
  input  logic                       fetch_ready_i,
  output fetch_t                     fetch_o,
  input  logic                       fetch_denied_i,
  input  logic                       fetch_done_i,
  input  logic                       beat_valid_i,
  input  read_beat_t                 beat_i,

  output logic                       prefetch_error_o, // pulse: a prefetched map was not read
  output logic                       idle_o
);

  //////////////
  // Commands //
  //////////////

  setup_cmd_t [1:0] cmd;

  always_comb begin
    cmd                  = '0;
    cmd[0].client        = load_cmd_i.client;
    cmd[0].op            = load_cmd_i.op;
    cmd[0].im2col        = load_cmd_i.im2col;
    cmd[0].dst           = load_cmd_i.dst;
    cmd[0].map_addr      = load_cmd_i.gaddr;
    cmd[0].operand       = {operand_of_load(load_cmd_i), 7'b0};
    cmd[0].hint          = load_cmd_i.hint;
    cmd[0].signal        = load_cmd_i.signal;
    cmd[1].store         = 1'b1;
    cmd[1].reduce        = Reduces && reduce_i;
    cmd[1].reduce_op     = Reduces ? reduce_op_i : '0;
    cmd[1].op            = store_cmd_i.op;
    cmd[1].cta           = store_cmd_i.cta;
    cmd[1].map_addr      = store_cmd_i.gaddr;
    cmd[1].operand       = {operand_of_store(store_cmd_i), 7'b0};
    cmd[1].hint          = store_cmd_i.hint;
    cmd[1].signal.origin = store_cmd_i.origin;
  end

  //////////
  // Turn //
  //////////

  logic [1:0]  want, room, waits_q, setup_busy;
  logic [1:0]  over;                        // set-up has taken it, in the cycle before
  logic        pick, last_q, setup_ready, req_valid, req_dir, hit, found;
  logic        failed_q, failed_dir_q;      // a miss of this direction has a fault
  logic [15:0] failed_code_q;
  logic [63:0] failed_addr_q;
  logic        miss, miss_busy, miss_done;
  logic [63:6] req_addr;
  queue_t      qid;

  for (genvar d = 0; d < 2; d++) begin : g_room
    assign want[d] = cmd_valid_i[d] && !waits_q[d] && !over[d];
    assign room[d] = !setup_busy[d] && (!walk_valid_o[d] || (!Short && walk_ready_i[d]));
  end

  if (Short) begin : g_steps
    typedef enum logic [1:0] {StPick, StLook, StFound, StMiss} state_e;

    state_e      state_q;
    logic        dir_q, next, other_may;
    logic [1:0]  soon, may;
    logic [63:6] addr_q;
    queue_t      qid_q;

    // The one that has room, else the one whose command is in set-up.
    assign soon = want & ~walk_valid_o;
    assign may  = want & room;

    always_comb begin
      next = may[1] && (!may[0] || !last_q);
      if (may == '0) next = soon[1];
    end

    assign other_may = may[!dir_q];
    assign pick      = failed_q ? failed_dir_q : dir_q;
    assign req_valid = state_q == StLook;
    assign req_dir   = dir_q;
    assign req_addr  = addr_q;
    assign qid       = qid_q;
    assign found     = state_q == StFound && room[dir_q];
    assign miss      = state_q == StMiss && !miss_busy && room[dir_q] && !failed_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        state_q <= StPick;
        last_q  <= 1'b0;
      end else begin
        case (state_q)
          StPick: if (soon != '0 && !failed_q) begin
            state_q <= StLook;
            last_q  <= next;
          end
          StLook:  state_q <= !hit ? StMiss : miss_done ? StPick : StFound;
          StMiss:  state_q <= StPick;
          default: if (room[dir_q] ? setup_ready && !failed_q : other_may) state_q <= StPick;
        endcase
      end
    end

    always_ff @(posedge clk_i) begin
      if (state_q == StPick) begin
        dir_q  <= next;
        addr_q <= cmd[next].map_addr[63:6];
        qid_q  <= cmd[next].signal.origin.qid;
      end
    end

    `TMA_ASSERT(LooksForAHead, state_q != StPick |-> want[dir_q])
    `TMA_ASSERT(TakenIsThere, (cmd_ready_o & ~cmd_valid_i) == '0)
    `TMA_COVER(GivesWay, state_q == StFound && !room[dir_q] && other_may)
    `TMA_COVER(FoundAhead, state_q == StFound && !room[dir_q] && !other_may)
    `TMA_COVER(FoundBesideAFault, state_q == StFound && failed_q)
    `TMA_COVER(LookedInTheLastCycle, req_valid && hit && miss_done)
  end else begin : g_at_once
    // A fault goes first: it keeps the next miss from starting.
    always_comb begin
      pick = want[1] && room[1] && (!(want[0] && room[0]) || !last_q);
      if (failed_q) pick = failed_dir_q;
    end

    assign req_valid = want[pick] && room[pick] && !failed_q;
    assign req_dir   = pick;
    assign req_addr  = cmd[pick].map_addr[63:6];
    assign qid       = cmd[pick].signal.origin.qid;
    assign found     = req_valid && hit;
    assign miss      = req_valid && !hit && !miss_busy;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)        last_q <= 1'b0;
      else if (req_valid) last_q <= pick;
    end
  end

  ///////////
  // Cache //
  ///////////

  map_info_t   info;
  logic        cache_idle, miss_dir_q, map_only_q, unread;
  logic [15:0] miss_fault;
  logic [63:0] miss_addr;

  tma_map_cache #(.Short(Short)) u_cache (
    .clk_i, .rst_ni, .cfg_i,
    .req_valid_i(req_valid), .req_dir_i(req_dir), .req_addr_i(req_addr), .req_qid_i(qid),
    .req_hit_o(hit), .info_o(info), .taken_i(cmd_valid_i & cmd_ready_o),
    .miss_start_i(miss), .miss_dir_i(req_dir), .miss_addr_i(req_addr), .miss_qid_i(qid),
    .miss_busy_o(miss_busy), .miss_done_o(miss_done), .miss_fault_o(miss_fault),
    .miss_fault_addr_o(miss_addr),
    .fence_valid_i, .fence_addr_i,
    .fetch_valid_o, .fetch_ready_i, .fetch_o, .fetch_denied_i, .fetch_done_i,
    .beat_valid_i, .beat_i, .idle_o(cache_idle)
  );

  assign unread           = miss_fault == FaultMapSlverr || miss_fault == FaultMapDecerr ||
                            miss_fault == FaultMapWindow;
  assign prefetch_error_o = miss_done && map_only_q && unread;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waits_q  <= '0;
      failed_q <= 1'b0;
    end else begin
      if (miss)      waits_q[pick]  <= 1'b1;
      if (miss_done) waits_q        <= '0;
      if (miss_done && miss_fault != FaultNone) failed_q <= 1'b1;
      else if (failed_q && setup_ready)         failed_q <= 1'b0;
    end
  end

  // What fails a prefetched map is not always a fault.
  always_ff @(posedge clk_i) begin
    if (miss) begin
      miss_dir_q <= pick;
      map_only_q <= cmd[pick].op.mode == ModeMapOnly;
    end
    if (miss_done) begin
      failed_dir_q  <= miss_dir_q;
      failed_code_q <= map_only_q && miss_fault != FaultPortDead ? FaultNone : miss_fault;
      failed_addr_q <= miss_addr;
    end
  end

  ////////////
  // Set-up //
  ////////////

  setup_cmd_t setup;
  logic       setup_valid;
  logic [1:0] taken;

  assign setup_valid = failed_q || found;

  always_comb begin
    setup = cmd[pick];
    if (failed_q) begin
      setup.fault      = failed_code_q;
      setup.fault_addr = failed_addr_q;
    end
    taken       = '0;
    taken[pick] = setup_valid && setup_ready;
  end

  // The ready of a command goes back through half of the engine, to where its FIFO is read.
  assign cmd_ready_o = Short ? over : taken;

  always_ff @(posedge clk_i) over <= rst_ni && Short ? taken : '0;

  tma_tensor_setup u_setup (
    .clk_i, .rst_ni, .granule16_i,
    .cmd_valid_i(setup_valid), .cmd_ready_o(setup_ready), .cmd_i(setup), .info_i(info),
    .busy_o(setup_busy), .walk_valid_o, .walk_ready_i, .walk_o
  );

  assign idle_o = cache_idle && !failed_q && setup_busy == '0 && walk_valid_o == '0;

  // What tensor copies do not use.
  logic unused;
  assign unused = ^{load_cmd_i, store_cmd_i, reduce_i, reduce_op_i};

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(TensorAlone, (cmd_valid_i[0] |-> load_cmd_i.tensor))
  `TMA_ASSERT(TensorStoreAlone, (cmd_valid_i[1] |-> store_cmd_i.tensor))
  `TMA_ASSERT_STABLE(LoadIsStable, cmd_valid_i[0], cmd_ready_o[0], load_cmd_i)
  `TMA_ASSERT_STABLE(StoreIsStable, cmd_valid_i[1], cmd_ready_o[1], {store_cmd_i, reduce_i, reduce_op_i})
  `TMA_ASSERT(ReductionsAreBuilt, cmd_valid_i[1] && reduce_i |-> Reduces)
  `TMA_ASSERT(OneMiss, waits_q != 2'b11)
  `TMA_ASSERT(FaultFindsRoom, failed_q |-> cmd_valid_i[failed_dir_q] && !over[failed_dir_q])
  `TMA_COVER(HitUnderMiss, waits_q != '0 && setup_valid && setup_ready && !failed_q)
  `TMA_COVER(SecondMissWaits, req_valid && !hit && miss_busy)
  `TMA_COVER(FaultWaits, failed_q && !setup_ready)
  `TMA_COVER(MapOnlyFails, prefetch_error_o)

endmodule
