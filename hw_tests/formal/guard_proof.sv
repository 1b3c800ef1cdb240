// SPDX-License-Identifier: Apache-2.0
// Properties of tma_guard, for any sequence of rows, windows and handshakes: a burst covers its row,
// stays in its page, lies in a window of its queue, and goes where the multimem windows say. A row of no
// bytes passes, and whoever takes it makes no access of it.
//
// The row and the set-up of the cycle in which it was taken are kept here, from the ports alone; the
// Link properties tie them to the guard's registers, which is what makes the others inductive.

module guard_proof
  import tma_pkg::*;
#(
  parameter bit Write = 1'b0,
  parameter bit Both  = 1'b0,
  parameter bit Step  = 1'b0
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input windows_t [NumQueues-1:0]    windows_i,
  input multimem_t [NumMultimem-1:0] multimem_i,
  input logic                        row_valid_i,
  input row_t                        row_i,
  input queue_t                      queue_i,
  input logic                        mm_i,
  input logic                        burst_ready_i,
  input logic                        deny_ready_i,
  input logic                        abort_i
);

  logic                      row_ready, burst_valid, deny_valid, busy;
  burst_t                    burst;
  ports_t                    ports;
  logic [NumPorts-1:0][63:0] port_addr;
  logic [63:0]               deny_addr;
  logic [15:0]               deny_code;

  queue_t taken_queue_q;  // of the row taken last

  tma_guard #(.Write(Write), .Both(Both), .Step(Step)) dut (
    .clk_i, .rst_ni, .multimem_i, .row_valid_i, .row_ready_o(row_ready), .row_i,
    .windows_i(windows_i[Step ? taken_queue_q : queue_i]), .mm_i, .burst_valid_o(burst_valid), .burst_ready_i, .burst_o(burst),
    .ports_o(ports), .port_addr_o(port_addr), .deny_valid_o(deny_valid), .deny_ready_i,
    .deny_addr_o(deny_addr), .deny_code_o(deny_code), .busy_o(busy), .abort_i
  );

  ///////////////////
  // The row taken //
  ///////////////////

  logic                        started_q = 1'b0;  // the first cycle is a reset
  windows_t                    windows_q;         // of its queue
  row_t                        row_q;
  logic                        mm_q;
  logic                        mapped, mapped_q;  // a multimem window holds the page, on some port
  multimem_t                   entry, entry_q;    // the lowest that does
  logic                        fresh_q;           // it was taken in the cycle before
  logic                        looks, known;      // its set-up counts in this cycle; its verdict is there
  logic [63:12]                page_looked;       // page of the row that is looked up

  assign looks       = Step ? fresh_q : row_valid_i && row_ready;
  assign known       = busy && !(Step && fresh_q);
  assign page_looked = Step ? row_q.gaddr[63:12] : row_i.gaddr[63:12];

  always_comb begin
    mapped = 1'b0;
    entry  = '0;
    for (int unsigned i = NumMultimem; i > 0; i--) begin
      if (multimem_i[i-1].ports != '0 && page_looked >= multimem_i[i-1].base &&
          page_looked <= multimem_i[i-1].limit) begin
        mapped = 1'b1;
        entry  = multimem_i[i-1];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    fresh_q   <= rst_ni && row_valid_i && row_ready;
    if (row_valid_i && row_ready) begin
      taken_queue_q <= queue_i;
      row_q         <= row_i;
      mm_q          <= Write && mm_i;
    end
    if (looks) begin
      windows_q <= windows_i[Step ? taken_queue_q : queue_i];
      mapped_q  <= mapped;
      entry_q   <= entry;
    end
  end

  logic [12:0] beats, burst_chunks;

  assign beats        = 13'(burst.len) + 13'd1;
  assign burst_chunks = (beats << ChunkShift) - 13'(burst.head) - (13'(Chunks - 1) - 13'(burst.tail));

  /////////////
  // Windows //
  /////////////

  // A burst reads or writes whole beats, also where its row needs a part of them. It stays in one
  // page (a property of its own), and windows are made of pages: so its page decides.
  logic [51:0] page;
  logic        allowed;
  logic        readable;  // or need not be

  assign page = burst.addr[63:12];

  always_comb begin
    allowed  = 1'b0;
    readable = !Both || mm_q;
    for (int unsigned w = 0; w < NumWindows; w++) begin
      if ((!Write ? windows_q[w].read : mm_q ? windows_q[w].multimem : windows_q[w].write) &&
          page >= windows_q[w].base && page <= windows_q[w].limit) allowed = 1'b1;
      if (windows_q[w].read && page >= windows_q[w].base && page <= windows_q[w].limit) readable = 1'b1;
    end
  end

  ////////////////
  // Handshakes //
  ////////////////

  logic                      burst_waited_q, deny_waited_q;
  burst_t                    burst_q;
  ports_t                    ports_q;
  logic [NumPorts-1:0][63:0] port_addr_q;
  logic [63:0]               deny_addr_q;
  logic [15:0]               deny_code_q;

  always_ff @(posedge clk_i) begin
    burst_waited_q <= rst_ni && burst_valid && !burst_ready_i && !abort_i;
    deny_waited_q  <= rst_ni && deny_valid && !deny_ready_i && !abort_i;
    burst_q        <= burst;
    ports_q        <= ports;
    port_addr_q    <= port_addr;
    deny_addr_q    <= deny_addr;
    deny_code_q    <= deny_code;
  end

  ////////////////
  // Properties //
  ////////////////

  always_comb begin
    assume (started_q || !rst_ni);
    assume (!row_valid_i || (row_i.chunks != '0 && row_i.gaddr[3:0] == 4'h0 &&
                             row_i.chunks <= RowChunks'(chunks_to_page_end(row_i.gaddr[11:4]))));

    if (started_q && busy) begin
      LinkRow:     assert (row_q.gaddr == dut.gaddr_q && row_q.saddr == dut.saddr_q &&
                           row_q.chunks == RowChunks'(dut.chunks_q) && row_q.first == dut.first_q &&
                           row_q.last == dut.last_q && row_q.none == dut.none_q &&
                           row_q.odd == dut.odd_q && (!Write || mm_q == dut.mm_q));
      LinkLegal:   assert (row_q.chunks != '0 && row_q.gaddr[3:0] == 4'h0 &&
                           row_q.chunks <= RowChunks'(chunks_to_page_end(row_q.gaddr[11:4])));
    end
    if (started_q && known) begin
      Decides:  assert (burst_valid != deny_valid);
    end else if (started_q) begin
      SaysNone: assert (!burst_valid && !deny_valid);
    end

    if (started_q && burst_valid) begin
      BurstIsInsideWindows: assert (allowed || burst.none);
      ReadIsInsideWindows:  assert (readable || burst.none);
      BurstStaysInPage:     assert (14'(burst.addr[11:0]) + (14'(beats) << LineShift) <= 14'd4096);
      BurstIsWholeBeats:    assert (burst.addr[LineShift-1:0] == '0);
      BurstIsTheRow:        assert ((burst.addr | 64'({burst.head, 4'd0})) == row_q.gaddr &&
                                    RowChunks'(burst_chunks) == row_q.chunks &&
                                    burst.saddr == row_q.saddr && burst.first == row_q.first &&
                                    burst.last == row_q.last && burst.odd == row_q.odd &&
                                    burst.none == row_q.none);
      if (!mm_q) PlainGoesToPort0: assert (ports == ports_t'(1) && port_addr[0] == burst.addr);
    end
    if (started_q && deny_valid) begin
      DenyIsOutside: assert (!row_q.none && deny_addr == row_q.gaddr && (!readable || !allowed || (mm_q && !mapped_q)));
      DenySaysWhy:   assert (deny_code == (!Write || !readable ? tma_isa_pkg::FaultWindowRead
                                         : !mm_q    ? tma_isa_pkg::FaultWindowWrite
                                         : !allowed ? tma_isa_pkg::FaultWindowMultimem
                                         :            tma_isa_pkg::FaultMultimemUnmapped));
    end

    if (started_q && burst_waited_q)
      BurstHolds: assert (burst_valid && burst == burst_q && ports == ports_q && port_addr == port_addr_q);
    if (started_q && deny_waited_q)
      DenyHolds: assert (deny_valid && deny_addr == deny_addr_q && deny_code == deny_code_q);
  end

  // What the guard keeps of the windows: all of its queue's, or the verdict.
  if (Step) begin : g_step
    always_comb begin
      if (started_q) LinkChecked: assert (dut.g_step.checked_q == known);
      if (started_q && fresh_q) LinkFresh: assert (busy);
      if (started_q && known) LinkVerdict: assert (dut.g_step.covered_q == allowed && dut.g_step.readable_q == readable);
    end
  end else begin : g_held
    always_comb if (started_q && busy) LinkWindows: assert (windows_q == dut.g_held.windows_q);
  end

  //////////////
  // Multimem //
  //////////////

  // The guard keeps of a window what the page needs, and translates with it.
  if (Write) begin : g_multimem
    ports_t                    kept_ports;
    logic [51:0]               kept_base;
    logic [NumPorts-1:0][51:0] kept_port_base;

    assign kept_ports     = dut.g_multimem.u_multimem.ports_q;
    assign kept_base      = dut.g_multimem.u_multimem.base_q;
    assign kept_port_base = dut.g_multimem.u_multimem.port_base_q;

    always_comb begin
      if (started_q && known) begin
        LinkMapped: assert (dut.g_multimem.u_multimem.mapped_q == (!mm_q || mapped_q));
        if (!mm_q) LinkPlain: assert (kept_ports == ports_t'(1) && kept_base == '0 &&
                                      kept_port_base == '0);
        if (mm_q && mapped_q)
          EntryIsTheLowest: assert (kept_ports == entry_q.ports && kept_base == entry_q.base &&
                                    kept_port_base == entry_q.port_base);
      end
      if (started_q && burst_valid && mm_q && !burst.none)
        GoesWhereMapped: assert (mapped_q && ports != '0 && ports == entry_q.ports);
    end

    for (genvar p = 0; p < NumPorts; p++) begin : g_port
      always_comb begin
        if (started_q && burst_valid && mm_q && !burst.none && ports[p]) begin
          // From the port base as far as the page lies from the window's base, of the entry above.
          PortAddressIsPlaced: assert (port_addr[p] == {kept_port_base[p] + (page - kept_base),
                                                        burst.addr[11:0]});
        end
      end
    end
  end

  ////////////
  // Covers //
  ////////////

  always_comb begin
    if (started_q) begin
      WholePage:    cover (burst_valid && burst_ready_i && row_q.chunks == RowChunks'(256));
      BurstWaits:   cover (burst_waited_q && burst_ready_i && !burst.none);
      OutOfWindows: cover (deny_valid && deny_ready_i);
      NoBytesPass:  cover (burst_valid && burst.none && !allowed);
    end
  end

  if (Write) begin : g_translates
    always_comb begin
      if (started_q) begin
        AllPorts: cover (burst_valid && mm_q && !burst.none && ports == '1 && port_addr[0] != port_addr[NumPorts-1]);
        Unmapped: cover (deny_valid && deny_code == tma_isa_pkg::FaultMultimemUnmapped);
      end
    end
  end

endmodule
