// SPDX-License-Identifier: Apache-2.0
// Properties of tma_fifo_block in block memory: what goes in comes out, in order, and waits there unchanged;
// an entry that is the oldest is on offer two cycles after it came, with Register three.
//
// One entry, any one, is followed from its way in to its way out: in the memory, behind it, in the register.

module fifo_block_proof #(
  parameter int unsigned Width = 3,
  parameter int unsigned Depth = 4,
  parameter bit          Register = 1'b0
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             in_valid_i,
  input logic [Width-1:0] in_i,
  input logic             out_ready_i,
  input logic             follow_i      // follow the entry that goes in now
);

  localparam int unsigned LevelWidth = $clog2(Depth + 1);
  localparam int unsigned PtrWidth   = $clog2(Depth);
  localparam int unsigned Latency    = Register ? 2 : 1;  // cycles on the way, an empty queue's

  typedef logic [LevelWidth-1:0] level_t;

  logic             in_ready, out_valid;
  logic [Width-1:0] out;
  level_t           level;

  tma_fifo_block #(.Width(Width), .Depth(Depth), .Register(Register)) dut (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o(in_ready), .in_i,
    .out_valid_o(out_valid), .out_ready_i, .out_o(out), .level_o(level)
  );

  logic             started_q = 1'b0;  // the first cycle is a reset
  logic             push, pop;
  level_t           count_q;           // entries held
  logic             follow_q;          // the followed entry is held
  logic [Width-1:0] entry_q, out_q, stored;
  level_t           ahead_q;           // entries in front of it
  logic [1:0]       first_q;           // cycles for which it was the oldest, up to 3
  logic             out_waited_q;

  assign push = in_valid_i && in_ready;
  assign pop  = out_valid && out_ready_i;

  always_ff @(posedge clk_i) begin
    started_q    <= 1'b1;
    out_waited_q <= rst_ni && out_valid && !out_ready_i;
    out_q        <= out;
    count_q      <= rst_ni ? count_q + level_t'(push) - level_t'(pop) : '0;
    if (!rst_ni) begin
      follow_q <= 1'b0;
      first_q  <= '0;
    end else if (!follow_q) begin
      follow_q <= follow_i && push;
      entry_q  <= in_i;
      ahead_q  <= count_q - level_t'(pop);
      first_q  <= '0;
    end else begin
      if (pop) begin
        follow_q <= ahead_q != '0;
        ahead_q  <= ahead_q - level_t'(1);
      end
      if (ahead_q == '0 && first_q != '1) first_q <= first_q + 2'd1;
    end
  end

  // Where entries are: behind the memory, in the register; the others are in the memory.
  logic   read_valid, register_valid;
  level_t in_memory, outside, at;

  assign read_valid = dut.g_block.read_valid;
  assign in_memory  = level_t'(dut.g_block.wr_q - dut.g_block.rd_q);
  assign outside    = level_t'(read_valid) + level_t'(register_valid);
  assign at         = ahead_q - outside;
  assign stored     = dut.g_block.u_ram.mem[PtrWidth'(dut.g_block.rd_q + at)];

  if (Register) begin : g_register
    assign register_valid = dut.g_block.g_register.valid_q;
  end else begin : g_memory
    assign register_valid = 1'b0;
  end

  always_comb begin
    assume (started_q || !rst_ni);

    if (started_q) begin
      LevelIsCount:   assert (level == count_q && count_q <= level_t'(Depth));
      TakesUntilFull: assert (in_ready == (count_q != level_t'(Depth)));
      GivesWhatIs:    assert (!out_valid || count_q != '0);
      LinkHeld:       assert (in_memory <= level_t'(Depth) && in_memory + outside == count_q);
      if (out_waited_q) OutputHolds: assert (out_valid && out == out_q);
      if (follow_q) begin
        LinkAhead:    assert (ahead_q < count_q && (ahead_q == '0 || first_q == '0));
        if (ahead_q >= outside) begin
          LinkStored: assert (stored == entry_q);
        end else if (register_valid && ahead_q == '0) begin
          LinkOut:    assert (out == entry_q);
        end else begin
          LinkRead:   assert (dut.g_block.read_data == entry_q);
        end
        if (ahead_q == '0 && out_valid) EntryComesOut: assert (out == entry_q);
        // However long it takes its user, it is there.
        if (ahead_q == '0 && first_q >= 2'(Latency)) ComesSoon: assert (out_valid);
        if (ahead_q == '0 && first_q == 2'd1 && Register)
          LinkSoon: assert (out_valid || read_valid);
      end

      Fills:       cover (count_q == level_t'(Depth));
      ComesOut:    cover (follow_q && ahead_q == '0 && pop && count_q == level_t'(Depth));
      GoesAround:  cover (dut.g_block.wr_q == (PtrWidth+1)'(Depth + 1) && follow_q && pop);
    end
  end

endmodule
