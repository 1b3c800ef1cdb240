// SPDX-License-Identifier: Apache-2.0
// One AXI write port: registers of AW and W, and an end for every burst when the port dies.
//
//   aw_i --> [FIFO] --> AW register --> pins
//   w_i  --> [FIFO] --> W register ---> pins    count of bursts that are owed a response
//   b_o  <-- [FIFO] <------------------ pins <-- or, when dead: {dead} per burst that is owed one
//
// A dead port keeps what it has on AW and W until it is taken, and nothing follows. Inside, all is
// taken as ever; every burst without a response gets one that is marked, after its last beat was
// taken. What still comes from the pins is taken and dropped, and so is a response without a burst
// whose last beat has left.
//
// With `Beats` the port holds as many beats that the pins have not room for yet, and with `Addresses`
// as many addresses, behind which their data waits: W never goes to the pins before AW does.
//
// With `HoldResponses` the port takes responses that nobody can use yet, as a burst to several
// ports needs: one of them must not keep another from answering.
//
// Throughput: one AW, W and B per cycle. Latency: a cycle for AW and W, none for B.
//
// Reset: control only.

`include "tma_assert.svh"

module tma_write_port
  import tma_pkg::*;
  import tma_axi_pkg::*;
#(
  parameter bit          HoldResponses = NumPorts > 1,
  parameter int unsigned Addresses     = 0,    // not more than Beats
  parameter int unsigned Beats         = 0,
  parameter bit          Strays        = 1'b0  // simulation: the bus may answer what nobody sent
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        dead_i,     // stays until reset

  // Inside
  input  logic        aw_valid_i,
  output logic        aw_ready_o,
  input  aw_t         aw_i,
  input  logic        w_valid_i,
  output logic        w_ready_o,
  input  write_beat_t w_i,
  output logic        w_leaves_o, // a beat makes room for another one
  output logic        b_valid_o,
  input  logic        b_ready_i,
  output write_resp_t b_o,

  // Pins
  output write_req_t  axi_o,
  input  write_rsp_t  axi_i,

  // For tma_port_watch, see tma_port_age
  output logic        pending_o,
  output logic        progress_o
);

  localparam int unsigned OwedWidth = $clog2(NumWrites + 1);

  //////////////
  // AW and W //
  //////////////

  logic        aw_free, w_free, aw_valid, w_valid, aw_valid_q, w_valid_q, b_ready;
  aw_t         aw, aw_q;
  write_beat_t w, w_q;

  assign axi_o = '{aw_valid: aw_valid_q, aw: aw_q, w_valid: w_valid_q, w: w_q, b_ready: b_ready};

  assign aw_free = !aw_valid_q || axi_i.aw_ready;
  assign w_free  = !w_valid_q || axi_i.w_ready;

  if (Beats == 0) begin : g_direct
    assign w_valid    = w_valid_i;
    assign w          = w_i;
    assign w_ready_o  = w_free || dead_i;
    assign w_leaves_o = w_valid_i && w_ready_o;
  end else begin : g_beats
    logic                       stored_valid, follows, taken;
    logic [$clog2(Beats+1)-1:0] unused_level;

    tma_fifo #(.Width($bits(write_beat_t)), .Depth(Beats), .FlowThrough(1'b1)) u_beats (
      .clk_i, .rst_ni, .in_valid_i(w_valid_i), .in_ready_o(w_ready_o), .in_i(w_i),
      .out_valid_o(stored_valid), .out_ready_i(taken), .out_o(w), .level_o(unused_level)
    );

    assign w_valid    = stored_valid && follows;
    assign taken      = (w_free && follows) || dead_i;
    assign w_leaves_o = stored_valid && taken;

    if (Addresses == 0) begin : g_behind
      assign follows = 1'b1;
    end else begin : g_ahead
      // Bursts whose address was in the register, and whose last beat was not in the other.
      logic [OwedWidth-1:0] ahead_q;

      assign follows = ahead_q != '0;

      always_ff @(posedge clk_i) begin
        if (!rst_ni) ahead_q <= '0;
        else         ahead_q <= ahead_q + OwedWidth'(aw_valid && aw_free && !dead_i)
                                        - OwedWidth'(w_valid && w_free && w.last && !dead_i);
      end

      `TMA_ASSERT(AheadIsInRange, 32'(ahead_q) <= NumWrites)
      `TMA_COVER(DataWaitsForItsAddress, stored_valid && !follows && !dead_i)
    end

    `TMA_COVER(BeatsFill, !w_ready_o)
  end

  if (Addresses == 0) begin : g_address
    assign aw_valid   = aw_valid_i;
    assign aw         = aw_i;
    assign aw_ready_o = aw_free || dead_i;
  end else begin : g_addresses
    logic [$clog2(Addresses+1)-1:0] unused_level;

    tma_fifo #(.Width($bits(aw_t)), .Depth(Addresses), .FlowThrough(1'b1)) u_addresses (
      .clk_i, .rst_ni, .in_valid_i(aw_valid_i), .in_ready_o(aw_ready_o), .in_i(aw_i),
      .out_valid_o(aw_valid), .out_ready_i(aw_free || dead_i), .out_o(aw),
      .level_o(unused_level)
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_valid_q <= 1'b0;
      w_valid_q  <= 1'b0;
    end else begin
      if (aw_free) aw_valid_q <= aw_valid && !dead_i;
      if (w_free)  w_valid_q  <= w_valid && !dead_i;
    end
  end

  always_ff @(posedge clk_i) if (aw_free) aw_q <= aw;
  always_ff @(posedge clk_i) if (w_free)  w_q  <= w;

  ///////
  // B //
  ///////

  logic [OwedWidth-1:0] owed_q;  // last beat taken inside, response not
  logic [OwedWidth-1:0] held;    // responses in the FIFO
  logic [OwedWidth-1:0] sent_q;  // last beat taken at the pins, response not
  logic                 whole, sends, answered, real_comes;
  logic                 real_valid;
  logic [1:0]           real_resp;

  assign whole    = w_valid_i && w_ready_o && w_i.last;
  assign answered = b_valid_o && b_ready_i;
  assign sends    = w_valid_q && axi_i.w_ready && w_q.last;

  assign real_comes = axi_i.b_valid && sent_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owed_q <= '0;
      sent_q <= '0;
    end else begin
      owed_q <= owed_q + OwedWidth'(whole) - OwedWidth'(answered);
      sent_q <= sent_q + OwedWidth'(sends) - OwedWidth'(real_comes && b_ready);
    end
  end

  if (HoldResponses) begin : g_hold
    logic unused_ready;  // no more responses come than there are bursts in flight

    tma_fifo #(.Width(2), .Depth(NumWrites), .FlowThrough(1'b1)) u_responses (
      .clk_i, .rst_ni, .in_valid_i(real_comes && !dead_i), .in_ready_o(unused_ready),
      .in_i(axi_i.b_resp), .out_valid_o(real_valid), .out_ready_i(b_ready_i), .out_o(real_resp),
      .level_o(held)
    );

    assign b_ready = 1'b1;

    `TMA_ASSERT(ResponseHasRoom, real_comes && !dead_i |-> unused_ready)
  end else begin : g_pass
    assign real_valid = real_comes && !dead_i;
    assign real_resp  = axi_i.b_resp;
    assign b_ready    = b_ready_i || dead_i || sent_q == '0;
    assign held       = '0;
  end

  assign b_valid_o = real_valid || (dead_i && owed_q != '0);
  assign b_o.resp  = real_resp;
  assign b_o.dead  = !real_valid;

  /////////
  // Age //
  /////////

  tma_port_age u_age (
    .clk_i, .rst_ni, .addr_waits_i(aw_valid_q && !axi_i.aw_ready),
    .data_waits_i(w_valid_q && !axi_i.w_ready),
    .moves_i((aw_valid_q && axi_i.aw_ready) || (w_valid_q && axi_i.w_ready) || real_comes),
    .owes_i(sent_q != '0), .comes_i(real_comes), .progress_o
  );

  assign pending_o = !progress_o;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  // Lengths of the bursts whose address came and whose data has not come in full; beats of the oldest.
  localparam int unsigned Lens = 4 * NumWrites;

  logic [LenWidth-1:0] len_q [Lens];
  logic [LenWidth-1:0] len;
  int unsigned         put_q, got_q, beat_q;

  assign len = len_q[got_q % Lens];

  always_ff @(posedge clk_i) begin
    if (aw_valid_i && aw_ready_o) len_q[put_q % Lens] <= aw_i.len;
    if (!rst_ni) begin
      put_q  <= 0;
      got_q  <= 0;
      beat_q <= 0;
    end else begin
      if (aw_valid_i && aw_ready_o) put_q <= put_q + 1;
      if (w_valid_i && w_ready_o) begin
        beat_q <= w_i.last ? 0 : beat_q + 1;
        if (w_i.last) got_q <= got_q + 1;
      end
    end
  end

  `TMA_ASSERT(DataHasTheOrderOfAddresses, w_valid_i |->
      put_q != got_q && w_i.last == (beat_q == 32'(len)))
`endif
  `TMA_ASSERT_STABLE(AddressIsStable, aw_valid_q, axi_i.aw_ready, aw_q)
  `TMA_ASSERT_STABLE(DataIsStable, w_valid_q, axi_i.w_ready, w_q)
  `TMA_ASSERT(DeadStays, dead_i |=> dead_i)
  if (Strays) begin : g_strays
    `TMA_COVER(StrayResponse, !dead_i && axi_i.b_valid && !real_comes)
  end else begin : g_no_strays
    `TMA_ASSERT(ResponseHasABurst, axi_i.b_valid && !dead_i |-> real_comes)
  end
  `TMA_ASSERT(OnlyOwedResponsesCome, b_valid_o |-> owed_q != '0)
  `TMA_ASSERT(OwedIsInRange, whole && !answered |-> owed_q != OwedWidth'(NumWrites))
  `TMA_ASSERT(MarkedIsOwed, u_age.marks_q == '0 || sent_q != '0)
  `TMA_COVER(DeadWithAddress, dead_i && aw_valid_q)
  `TMA_COVER(DeadInTheData, dead_i && w_valid_q)
  `TMA_COVER(DeadOwesResponses, dead_i && owed_q != held && held != '0 || !HoldResponses)
  `TMA_COVER(LateResponseDropped, dead_i && axi_i.b_valid)
  `TMA_COVER(TakenWhenDead, dead_i && whole)

endmodule
