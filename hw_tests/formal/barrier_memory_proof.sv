// SPDX-License-Identifier: Apache-2.0
// Properties of tma_mbarrier: whoever looks at an mbarrier sees what the last operation or write has left, wherever
// that lies: in an entry, in shared memory, half in each, or on the way between them.
//
// One mbarrier, any one, is followed; `is_q` is what it is, `memory_q` what shared memory has of it. Operations take
// effect in the order B, A, engine write. What they make of it is taken from the unit: "mbarrier" proves that.
// Of shared memory it is assumed what tma_smem promises: one write in a cycle, no read or write that the unit stalls,
// a read sees the row as it was before the write of its cycle, and engine writes have whole words of four bytes.

module barrier_memory_proof
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter int unsigned Entries = 2,
  parameter bit          Step    = 1'b0
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 a_valid_i,
  input logic                 a_again_i,
  input bar_req_t             a_req_i,
  input logic                 a_commit_i,
  input logic                 b_valid_i,
  input bar_addr_t            b_addr_i,
  input logic                 b_arrive_i,
  input logic [SizeWidth-1:0] b_tx_i,
  input logic                 wr_go_i,
  input bank_rows_t           wr_rows_i,
  input strb_t                wr_be_i,
  input logic [1:0]           rd_valid_i,
  input logic [1:0]           rd_ready_i,
  input bank_rows_t [1:0]     rd_rows_i,
  input logic                 ext_valid_i,
  input logic                 ext_ready_i,
  input logic                 ext_write_i,
  input chunk_addr_t          ext_addr_i,
  input logic [15:0]          ext_strb_i,
  input logic                 wb_ready_i,
  input logic                 fill_ready_i,
  input logic [63:0]          fill_data_i,   // of other mbarriers
  input logic [63:0]          written_i,     // what a write brings to the followed one
  input bar_addr_t            follow_i
);

  typedef logic [1:0][31:0]           halves_t;
  typedef logic [$clog2(Entries)-1:0] index_t;

  logic               a_ready, b_ready, unused_update, ext_stall, wb_valid, unused_demand, fill_valid;
  bar_rsp_t           a_rsp;
  logic [15:0]        unused_fault, override;
  logic [1:0]         rd_stall;
  logic [1:0][63:0]   ext_data;
  bar_addr_t          wb_addr, fill_addr;
  logic [7:0]         wb_be;
  halves_t            wb_data;
  logic [63:0]        fill_data;

  tma_mbarrier #(.Entries(Entries), .Step(Step)) dut (
    .clk_i, .rst_ni,
    .bar_a_valid_i(a_valid_i), .bar_a_ready_o(a_ready), .bar_a_again_i(a_again_i), .bar_a_req_i(a_req_i),
    .bar_a_commit_i(a_commit_i), .bar_a_rsp_o(a_rsp),
    .bar_b_valid_i(b_valid_i), .bar_b_ready_o(b_ready), .bar_b_addr_i(b_addr_i), .bar_b_arrive_i(b_arrive_i),
    .bar_b_tx_i(b_tx_i), .bar_b_fault_o(unused_fault), .bar_update_o(unused_update),
    .wr_go_i, .wr_rows_i, .wr_be_i, .rd_valid_i, .rd_ready_i, .rd_rows_i, .rd_stall_o(rd_stall),
    .ext_valid_i, .ext_ready_i, .ext_write_i, .ext_addr_i, .ext_strb_i, .ext_stall_o(ext_stall),
    .ext_override_o(override), .ext_data_o(ext_data),
    .wb_valid_o(wb_valid), .wb_demand_o(unused_demand), .wb_ready_i, .wb_addr_o(wb_addr), .wb_be_o(wb_be), .wb_data_o(wb_data),
    .fill_valid_o(fill_valid), .fill_ready_i, .fill_addr_o(fill_addr), .fill_data_i(fill_data)
  );

  //////////////////////
  // The followed one //
  //////////////////////

  logic                started_q = 1'b0;  // the first cycle is a reset
  bar_addr_t           follow_q;
  halves_t             is_q, was_q;         // what it is; was a cycle ago
  halves_t             between_q, between;  // behind the operations of a cycle, before its writes
  halves_t             memory_q, memory_was_q, next, memory;
  barrier_t            is;
  logic                a_works, b_works;  // operations are served
  logic                a_writes, b_writes, ext_writes, ext_reads, ext_reads_q, fill_here_q;
  logic [1:0]          wr_half, wb_half;
  logic [ChunkIdx-1:0] bank;
  bank_row_t           row;
  barrier_t            a_saw, a_old_q;    // what A's answer comes from
  bar_addr_t           b_addr_q;
  bar_req_t            req_q;

  assign is         = is_q;
  assign bank       = follow_q[1 +: ChunkIdx] & ChunkIdx'(Chunks - 1);
  assign row        = bank_row_t'(follow_q >> (ChunkShift + 1));
  assign a_works    = a_valid_i && a_ready && a_req_i.addr == follow_q;
  assign b_works    = b_valid_i && b_ready && b_addr_i == follow_q;
  assign a_writes   = dut.a_write && a_req_i.addr == follow_q;
  assign b_writes   = dut.b_write && b_addr_i == follow_q;
  assign ext_writes = ext_valid_i && ext_ready_i && ext_write_i && ext_addr_i == follow_q[BarAddr-1:1];
  assign ext_reads  = ext_valid_i && ext_ready_i && !ext_write_i && ext_addr_i == follow_q[BarAddr-1:1];
  assign fill_data  = fill_here_q ? memory_was_q : fill_data_i;
  assign a_saw      = Step ? a_old_q : dut.a_old;

  for (genvar h = 0; h < 2; h++) begin : g_half
    localparam int unsigned Lane = 4 * h;

    logic [7:0] strobes;

    assign wr_half[h] = wr_go_i && wr_rows_i[bank] == row && wr_be_i[{bank, follow_q[0], 3'(Lane)}];
    assign wb_half[h] = wb_valid && wb_ready_i && wb_addr == follow_q && wb_be[Lane];
    assign strobes    = ext_strb_i[{follow_q[0], 3'd0} +: 8];

    always_comb begin
      next[h]   = between[h];
      memory[h] = wb_half[h] ? wb_data[h] : memory_q[h];
      for (int unsigned i = 0; i < 4; i++) begin
        if (wr_half[h] || (ext_writes && strobes[Lane+i])) begin
          next[h][8*i +: 8]   = written_i[32*h + 8*i +: 8];
          memory[h][8*i +: 8] = written_i[32*h + 8*i +: 8];
        end
      end
    end
  end

  assign between = a_writes ? dut.a_new : b_writes ? dut.b_new : is_q;

  always_ff @(posedge clk_i) begin
    started_q    <= 1'b1;
    was_q        <= is_q;
    between_q    <= between;
    memory_was_q <= memory_q;
    ext_reads_q  <= rst_ni && ext_reads;
    fill_here_q  <= rst_ni && fill_valid && fill_ready_i && fill_addr == follow_q;
    a_old_q      <= dut.a_old;
    b_addr_q     <= b_addr_i;
    req_q        <= a_req_i;
    if (!started_q) begin
      follow_q <= follow_i;
      is_q     <= written_i;
      memory_q <= written_i;
    end else begin
      is_q     <= next;
      memory_q <= memory;
    end
  end

  /////////////////
  // Where it is //
  /////////////////

  localparam logic [1:0] Idle = 2'd0, Reading = 2'd2, Coming = 2'd3;  // of tma_mbarrier_fill

  logic [1:0]         fills;
  logic [Entries-1:0] on;      // entries that have it

  assign fills = dut.u_fill.state_q;

  function automatic logic agree(input halves_t a, input halves_t b, input logic [1:0] halves);
    return (!halves[0] || a[0] == b[0]) && (!halves[1] || a[1] == b[1]);
  endfunction

  for (genvar e = 0; e < Entries; e++) begin : g_entry
    assign on[e] = dut.valid_q[e] && dut.tag_q[e] == follow_q;

    for (genvar r = 0; r < 5; r++) begin : g_copy
      halves_t value;

      assign value = dut.u_values.newer_q[e] ? dut.u_values.g_read[r].g_bank[1].u_ram.mem[e]
                                             : dut.u_values.g_read[r].g_bank[0].u_ram.mem[e];
      always_comb if (started_q && on[e]) begin
        EntryHasIt: assert (agree(value, is_q, ~dut.lost_q[e]));
      end
    end

    for (genvar f = 0; f < e; f++) begin : g_other
      always_comb if (started_q && dut.valid_q[e] && dut.valid_q[f]) begin
        TagsDiffer: assert (dut.tag_q[e] != dut.tag_q[f]);
      end
    end

    always_comb if (started_q && dut.valid_q[e]) begin
      ComesOnce: assert (fills == Idle || dut.tag_q[e] != fill_addr);
    end

    always_comb if (started_q && on[e]) begin
      LostIsInMemory:  assert (agree(memory_q, is_q, dut.lost_q[e]));
      CleanIsInMemory: assert (dut.dirty_q[e] || memory_q == is_q);
      LostIsDirty:     assert (dut.dirty_q[e] || dut.lost_q[e] == '0);
      AliveIsKnown:    assert (dut.lost_q[e][1] || dut.alive_q[e] == (is.live == BarrierAlive));
    end
  end

  for (genvar p = 0; p < 2; p++) begin : g_read
    always_comb if (started_q && rd_valid_i[p] && rd_ready_i[p] && rd_rows_i[p][bank] == row) begin
      ReadSeesIt: assert (memory_q == is_q);
    end
  end

  always_comb begin
    assume (rst_ni == started_q);
    assume (!a_again_i || a_req_i == req_q);
    assume (!(b_arrive_i && b_tx_i != '0));
    for (int unsigned w = 0; w < 4 * Chunks; w++) assume (wr_be_i[4*w +: 4] == '0 || wr_be_i[4*w +: 4] == '1);
    for (int unsigned p = 0; p < 2; p++) assume (!(rd_ready_i[p] && rd_stall[p]));
    assume (!(ext_write_i && ext_ready_i && (ext_stall || wr_go_i)));
    assume (!(wb_ready_i && (wr_go_i || (ext_valid_i && ext_write_i && ext_ready_i))));

    if (started_q) begin
      ElseMemoryHas:  assert (on != '0 || memory_q == is_q);
      VictimIsGone:   assert (!(fills inside {Reading, Coming}) || (dut.victim & dut.valid_q) == '0);
      ReadIsFresh:    assert (!(fills == Coming && fill_addr == follow_q) || (fill_here_q && memory_was_q == is_q));
      VictimIsOne:    assert (dut.victim != '0 && (dut.victim & (dut.victim - Entries'(1))) == '0);
      ChoiceIsOne:    assert (!dut.u_clean.some_q || dut.u_clean.chosen_q == Entries'(1) << dut.wb_index);

      // Whoever looks.
      if (a_works && a_req_i.op != BarCheck) OperationAOnIt: assert (a_saw == is_q);
      if (a_works && a_req_i.op == BarCheck) CheckSeesIt: assert ((a_rsp.fault == FaultNone) == (is.live == BarrierAlive));
      if (b_works) OperationBOnIt: assert (dut.b_old == is_q);
      WrittenBack: assert (agree(wb_data, is_q, wb_half));
    end
  end

  // What a port has looked up in the cycle before is still so.
  if (Step) begin : g_step
    always_comb if (started_q) begin
      MissesIdle:  assert (fills == Idle || !(dut.u_fill.g_step.miss_a_q || dut.u_fill.g_step.miss_b_q));
      if (dut.u_answer_a.g_step.made_q && !(req_q.op inside {BarCheck, BarTest}) &&
          dut.u_answer_a.g_step.answer_q.rsp.fault == FaultNone) begin
        AnswerLives: assert ((dut.u_answer_a.g_step.answer_q.bar.live == BarrierAlive) == (req_q.op != BarInval));
      end
    end

    for (genvar e = 0; e < Entries; e++) begin : g_found
      always_comb if (started_q && dut.valid_q[e]) begin
        FoundForA:   assert (!dut.a_found[e] || (dut.tag_q[e] == req_q.addr && dut.a_index == index_t'(e)));
        FoundForB:   assert (!dut.b_found[e] || (dut.tag_q[e] == b_addr_q && dut.b_index == index_t'(e)));
        MissesStill: assert (!(dut.u_fill.g_step.miss_a_q && dut.u_fill.addr_a == dut.tag_q[e]) &&
                             !(dut.u_fill.g_step.miss_b_q && dut.u_fill.addr_b == dut.tag_q[e]));
      end

      always_comb if (started_q && on[e]) begin
        if (dut.a_found[e]) begin
          LookedUpA:  assert (agree(dut.a_old, is_q, ~dut.lost_q[e]));
          AnswerIsOf: assert (!dut.u_answer_a.g_step.made_q || dut.lost_q[e] != '0 || a_old_q == is_q);
        end
        if (dut.b_found[e]) begin
          LookedUpB:  assert (agree(dut.b_old, is_q, ~dut.lost_q[e]));
        end
      end
    end
  end

  halves_t seen;  // by an external read of the cycle before

  for (genvar i = 0; i < 8; i++) begin : g_byte
    assign seen[i/4][8*(i%4) +: 8] = override[{follow_q[0], 3'(i)}] ? ext_data[follow_q[0]][8*i +: 8]
                                                                    : memory_was_q[i/4][8*(i%4) +: 8];
  end

  logic went_q;  // it was written back whole

  always_ff @(posedge clk_i) went_q <= rst_ni && (went_q || wb_half == 2'b11);

  always_comb if (started_q) begin
    if (ext_reads_q) ExternalSeesIt: assert (seen == was_q || seen == between_q || seen == is_q);

    ComesBack:      cover (went_q && on == '0 && fills == Reading && fill_addr == follow_q);
    HalfWritten:    cover (wb_half == 2'b01);
    Overridden:     cover (ext_reads_q && seen != memory_was_q);
    WriteMeetsBoth: cover (b_writes && wr_half == 2'b10 && dut.dirty_q != '0);
    WrittenOver:    cover (wr_half == 2'b11 && on != '0);
    ExternalGoes:   cover (ext_writes && on != '0);
  end

endmodule
