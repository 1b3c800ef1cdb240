// SPDX-License-Identifier: Apache-2.0
// Properties of tma_load_issue, for any rows, fetches, windows, errors and handshakes: what leaves on AR
// is the burst of the row or fetch that was taken last, once, in the name of its own queue, inside the
// read windows that this queue had then; and reads have slots, each given once.
//
// What was taken is kept here from the ports, and of a row how much has been taken; the Link properties
// tie it to the registers. That a row is cut at pages, and a burst covers it, is proven apart as well.

module issue_proof
  import tma_pkg::*;
  import tma_load_pkg::*;
(
  input logic                       clk_i,
  input logic                       rst_ni,
  input windows_t [NumQueues-1:0]   windows_i,
  input queue_cfg_t [NumQueues-1:0] cfg_i,
  input logic [3:0]                 axcache_i,
  input logic                       src_valid_i,
  input row_t                       src_row_i,
  input item_t                      src_item_i,
  input logic                       rest_i,
  input logic [2:0]                 fetch_valid_i,
  input fetch_t [2:0]               fetch_i,
  input hint_t                      page_hint_i,
  input logic                       ar_ready_i,
  input ctx_end_t                   ctx_end_i,
  input logic                       cp_full_i,
  input logic                       load_done_i,
  input logic                       other_done_i,
  input logic                       signal_done_i,
  input load_error_t                error_i,
  input logic                       fault_ready_i
);

  logic       src_ready, drop, ar_valid;
  ctx_put_t   ctx;
  logic [2:0] fetch_ready;
  ar_t        ar;
  queue_t     window_queue;

  tma_load_issue dut (
    .clk_i, .rst_ni, .window_queue_o(window_queue), .windows_i(windows_i[window_queue]), .cfg_i, .axcache_i,
    .src_valid_i, .src_ready_o(src_ready), .src_row_i, .src_item_i, .rest_i, .drop_o(drop), .hold_o(),
    .fetch_valid_i, .fetch_ready_o(fetch_ready), .fetch_i, .page_hint_i, .fetch_denied_o(),
    .page_left_o(), .skip_o(), .map_done_o(),
    .ar_valid_o(ar_valid), .ar_ready_i, .ar_o(ar),
    .ctx_o(ctx), .ctx_end_i, .cp_take_o(), .cp_full_i, .cp_o(),
    .load_done_i, .other_done_i, .signal_done_i, .error_i, .error_hold_o(),
    .fault_valid_o(), .fault_ready_i, .fault_o(),
    .issued_o(), .burst_add_o(), .idle_o()
  );

  logic started_q = 1'b0;  // the first cycle is a reset

  ////////////////////
  // What was taken //
  ////////////////////

  // Of the newest row or fetch, what has to be on AR.
  typedef struct packed {
    logic        fetched;
    logic        reads;
    queue_t      qid;
    windows_t    windows;
    logic [63:0] gaddr;
    logic [8:0]  chunks;
    logic [2:0]  client;
    logic        of_load;
    logic [ChannelWidth-1:0] channel;
  } read_t;

  read_t       want, want_q;
  fetch_t      fetch;
  logic        fetched, taken;
  logic        left_q;        // a row was taken, some of it was not
  logic [63:0] gaddr, rest_gaddr_q;
  logic [RowChunks-1:0] chunks, rest_chunks_q;
  logic [8:0]  to_page;
  logic        over;
  item_t       item, item_q;  // of the newest row
  logic        cp_reads_it;

  assign fetched = (fetch_valid_i & fetch_ready) != '0;
  assign taken   = dut.row_taken;
  assign fetch   = fetch_ready[2] ? fetch_i[2] : fetch_ready[1] ? fetch_i[1] : fetch_i[0];

  assign item    = left_q ? item_q : src_item_i;
  assign gaddr   = left_q ? rest_gaddr_q : src_row_i.gaddr;
  assign chunks  = left_q ? rest_chunks_q : src_row_i.chunks;
  assign to_page = chunks_to_page_end(gaddr[11:4]);
  assign over    = chunks <= RowChunks'(to_page);

  assign cp_reads_it = cp_reads(src_item_i.cp.arrive, src_item_i.cp.valid);

  always_comb begin
    want.fetched = fetched;
    if (fetched) begin
      want.reads   = !fetch.probe;
      want.qid     = fetch.qid;
      want.gaddr   = fetch.gaddr;
      want.chunks  = fetch.chunks;
      want.client  = fetch_ready[2] ? ClientPrefetch : fetch_ready[1] ? ClientMap : ClientRing;
      want.channel = '0;
      want.of_load = 1'b0;
    end else begin
      want.reads   = item.client == ClientCp ? cp_reads_it : left_q || !src_row_i.none;
      want.qid     = item.signal.origin.qid;
      want.gaddr   = gaddr;
      want.chunks  = over ? chunks[8:0] : to_page;
      want.client  = item.client;
      want.of_load = item.client == ClientLoad;
      want.channel = want.of_load ? item.channel : '0;
    end
    want.windows = windows_i[want.qid];
  end

  logic sent_q;   // it has left
  logic known_q;  // there was a row

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (taken) want_q <= want;
    if (src_valid_i && src_ready) item_q <= src_item_i;

    if (!rst_ni) begin
      left_q <= 1'b0;
    end else if (taken && !fetched) begin
      left_q        <= !over;
      rest_gaddr_q  <= gaddr + {51'd0, to_page, 4'd0};
      rest_chunks_q <= chunks - RowChunks'(to_page);
    end else if (drop) begin
      left_q <= 1'b0;
    end

    if (!rst_ni)                       known_q <= 1'b0;
    else if (src_valid_i && src_ready) known_q <= 1'b1;

    if (!rst_ni) sent_q <= 1'b1;
    else         sent_q <= !taken && (sent_q || (ar_valid && ar_ready_i));
  end

  logic        allowed;
  logic [12:0] last_byte;  // of its page, that the burst reads

  assign last_byte = 13'(ar.addr[11:0]) + ((13'(ar.len) + 13'd1) << LineShift) - 13'd1;

  always_comb begin
    allowed = 1'b0;
    for (int unsigned w = 0; w < NumWindows; w++) begin
      if (want_q.windows[w].read && ar.addr[63:12] >= want_q.windows[w].base &&
          ar.addr[63:12] <= want_q.windows[w].limit) allowed = 1'b1;
    end
  end

  ///////////
  // Slots //
  ///////////

  // Reads and ends of commands without bytes that left and have not given their slots back; as many
  // are given back as there are at most.
  localparam int unsigned SlotWidth = $clog2(NumReads + 1);

  typedef logic [SlotWidth:0] slots_t;

  slots_t out_q, done;
  logic   leaves;

  assign leaves = (ar_valid && ar_ready_i) || ctx.valid;
  assign done   = slots_t'(load_done_i) + slots_t'(other_done_i) + slots_t'(signal_done_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) out_q <= '0;
    else         out_q <= out_q + slots_t'(leaves) - done;
  end

  ////////////////
  // Properties //
  ////////////////

  always_comb begin
    assume (started_q || !rst_ni);
    assume (done <= out_q);
    assume (src_row_i.chunks != '0 && src_row_i.gaddr[3:0] == '0 &&
            (!src_row_i.none || src_row_i.chunks == RowChunks'(1)));
    assume (src_item_i.client inside {ClientLoad, ClientPrefetch} ||
            (src_item_i.client == ClientCp && src_row_i.chunks == RowChunks'(1) && !src_row_i.none));
    assume (!fetch_i[0].of_map && fetch_i[1].of_map);
    for (int unsigned f = 0; f < 3; f++) begin
      assume (fetch_i[f].gaddr[3:0] == '0 && fetch_i[f].chunks != '0 &&
              fetch_i[f].chunks <= chunks_to_page_end(fetch_i[f].gaddr[11:4]));
    end

    if (started_q) begin
      LinkRest:  assert (left_q == dut.held_part && (!left_q ||
                         (known_q && rest_gaddr_q == {dut.u_rows.u_cut.piece_q, 12'd0} &&
                          rest_chunks_q != '0 && rest_chunks_q == dut.u_rows.u_cut.chunks_q &&
                          item_q.client != ClientCp)));
      LinkItem:  assert (!known_q || item_q == dut.item);
      OneOfThem: assert (!fetched || (taken && (fetch_ready & (fetch_ready - 3'd1)) == '0));
    end

    if (started_q && dut.guard_busy) begin
      LinkRow:   assert (!sent_q && want_q.gaddr == dut.u_guard.gaddr_q &&
                         want_q.chunks == dut.u_guard.chunks_q);
      LinkLegal: assert (want_q.chunks != '0 && want_q.gaddr[3:0] == '0 &&
                         want_q.chunks <= chunks_to_page_end(want_q.gaddr[11:4]) &&
                         (!want_q.reads || !dut.u_guard.none_q));
      LinkWhose: assert (want_q.fetched == dut.fetched && want_q.of_load == dut.is_load &&
                         (want_q.fetched ? want_q.qid == dut.fetch.qid && !want_q.of_load &&
                                           want_q.channel == '0 &&
                                           want_q.client == (dut.page ? ClientPrefetch :
                                                             dut.fetch.of_map ? ClientMap : ClientRing)
                                         : known_q && want_q.qid == item_q.signal.origin.qid &&
                                           want_q.client == item_q.client &&
                                           want_q.of_load == (item_q.client == ClientLoad) &&
                                           want_q.channel == (want_q.of_load ? item_q.channel : '0)));
      WindowsAreOfItsQueue: assert (want_q.windows == dut.u_guard.g_held.windows_q);
      ReadsAreKnown:        assert (want_q.reads == dut.reads &&
                                    dut.has_slot == (want_q.reads || want_q.of_load) &&
                                    !(want_q.reads && dut.faults));
    end

    if (started_q && ar_valid) begin
      OnlyReadsLeave:      assert (want_q.reads && !sent_q);
      AddressIsInWindows:  assert (allowed && last_byte < 13'd4096);
      AddressIsTheRow:     assert (ar.addr == {want_q.gaddr[63:LineShift], LineShift'(0)} &&
                                   last_byte >> LineShift ==
                                   (13'(want_q.gaddr[11:0]) + {want_q.chunks, 4'd0} - 13'd1) >> LineShift);
      AddressIsOfItsQueue: assert (ar.qid == want_q.qid && ar.id == {want_q.client, want_q.channel} &&
                                   ar.user[15:8] == cfg_i[want_q.qid].stream);
      AddressHasItsProt:   assert (ar.prot == cfg_i[want_q.qid].prot);
    end

    if (started_q) begin
      SlotsAreEnough:  assert (out_q <= slots_t'(NumReads));
      SlotsAreReads:   assert (slots_t'(dut.u_slots.slots_q) == out_q +
                               slots_t'(dut.guard_busy && dut.has_slot) +
                               slots_t'(dut.u_slots.return_q) + slots_t'(dut.u_slots.load_done_q) +
                               slots_t'(dut.u_slots.other_done_q) + slots_t'(dut.u_slots.signal_done_q));
      LinkSlots:       assert (dut.u_slots.slots_q <= SlotWidth'(NumReads));
    end
  end

  always_comb begin
    if (started_q) begin
      RowLeaves:   cover (ar_valid && ar_ready_i && !want_q.fetched && ar.len != '0);
      FetchLeaves: cover (ar_valid && ar_ready_i && want_q.fetched);
      RestIsHeld:  cover (left_q && ar_valid && ar_ready_i);
    end
  end

endmodule
