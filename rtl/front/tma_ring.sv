// SPDX-License-Identifier: Apache-2.0
// Rings: fetches the commands of the queues that have theirs in global memory, ahead of their issue,
// and hands them to the command queues in order.
//
//   doorbell --> tma_ring_door --TAIL--> tma_ring_queue (each queue) --> tma_ring_fetch --> fetch_o
//                     \--> fault_o            ^      \                        |
//                                             |       turn --> cmd_o          |
//                   r_i --> tma_ring_buffer --+-------------------^-----------+
//
// A fetch names whole slots before TAIL, inside a page and before the ring's end, as many as the
// buffer has room for: its beats are always taken. A command whose fetch failed goes its way as
// such, with the address of its slot; nothing is fetched or sent behind it until the queue is
// resumed or enabled anew. What becomes void with that is dropped, here and as it comes.
// A TAIL that goes back drops what was fetched behind it, but not what was sent.
//
// Throughput: a command every other cycle, or in as many cycles as it has beats; a fetch per
// cycle, with ShortPaths every other cycle.
// Latency: two cycles from the doorbell to `fetch_valid_o`, with ShortPaths four, and two from a command's last beat to
// `cmd_valid_o`; one more for a command that failed. No input decides a handshake output in its own
// cycle. `cmd_valid_o` falls when its queue is disabled or resumed, and is low in the cycle after a
// command was taken. Reset: control only.

`include "tma_assert.svh"

module tma_ring
  import tma_pkg::*;
  import tma_front_pkg::*;
  import tma_ring_pkg::*;
(
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Queues
  input  queue_cfg_t [NumQueues-1:0]  cfg_i,
  input  ring_cfg_t [NumQueues-1:0]   ring_cfg_i,
  input  logic [NumQueues-1:0][31:0]  head_i,
  input  logic [NumQueues-1:0]        stopped_i,        // no new fetches
  input  logic [NumQueues-1:0]        restart_i,        // go on with command `restart_index_i`
  input  logic [31:0]                 restart_index_i,

  // Doorbells
  input  logic                        door_valid_i,
  input  queue_t                      door_queue_i,
  input  logic [31:0]                 door_tail_i,
  output logic [NumQueues-1:0][31:0]  tail_o,

  // Fetches. `fetch_denied_i`: the newest of those taken before this cycle has no beats.
  output logic                        fetch_valid_o,
  input  logic                        fetch_ready_i,
  output fetch_t                      fetch_o,
  input  logic                        fetch_denied_i,
  input  logic                        r_valid_i,
  output logic                        r_ready_o,
  input  read_beat_t                  r_i,

  // Commands
  input  logic [NumQueues-1:0]        room_i,
  output logic                        cmd_valid_o,
  input  logic                        cmd_ready_i,
  output queue_t                      cmd_queue_o,
  output fetched_t                    cmd_o,

  // RING_OVERRUN
  output logic                        fault_valid_o,
  input  logic                        fault_ready_i,
  output fault_t                      fault_o,
  output logic [NumQueues-1:0]        fault_waits_o,    // of the queue, on offer or behind another one

  output logic [NumQueues-1:0]        held_o,           // commands before TAIL that were not sent
  output logic [NumQueues-1:0]        flight_o,         // a fetch is under way
  output logic                        idle_o
);

  logic [NumQueues-1:0]       enable;
  logic [NumQueues-1:0][51:0] base;
  logic [NumQueues-1:0][4:0]  slots;
  logic                       door_idle;

  for (genvar q = 0; q < NumQueues; q++) begin : g_cfg
    logic unused;
    assign enable[q] = cfg_i[q].enable && cfg_i[q].ring;
    assign base[q]   = ring_cfg_i[q].base;
    assign slots[q]  = ring_cfg_i[q].slots;
    assign unused    = ^{cfg_i[q], ring_cfg_i[q]};
  end

  tma_ring_door u_door (
    .clk_i, .rst_ni, .enable_i(enable), .slots_i(slots), .head_i,
    .door_valid_i, .door_queue_i, .door_tail_i, .tail_o, .fault_valid_o, .fault_ready_i, .fault_o,
    .waiting_o(fault_waits_o), .idle_o(door_idle)
  );

  ////////////
  // Queues //
  ////////////

  logic [NumQueues-1:0]      request, pick, denied, ended, closed, ready, sent, restarts;
  seq_t [NumQueues-1:0]      tail, fetch_seq, send_seq;
  place_t [NumQueues-1:0]    place;
  logic [NumQueues-1:0][1:0] queue_received;
  fetch_e [NumQueues-1:0]    queue_failed, send_fetch;
  seq_t                      denied_seq, fetch_next, send_next;
  queue_t                    beat_queue;
  logic [1:0]                received;
  fetch_e                    failed;
  logic                      beat_odd, fetch_idle, beat_end, unused_index;

  assign unused_index = ^restart_index_i[31:SeqWidth];

  for (genvar q = 0; q < NumQueues; q++) begin : g_queue
    assign queue_received[q] = beat_queue == queue_t'(q) ? received : '0;
    assign queue_failed[q]   = beat_queue == queue_t'(q) ? failed : FetchOk;
    assign tail[q]           = tail_o[q][SeqWidth-1:0];
    assign sent[q]           = cmd_valid_o && cmd_ready_i && cmd_queue_o == queue_t'(q);

    tma_ring_queue u_queue (
      .clk_i, .rst_ni,
      .enable_i(enable[q]), .stopped_i(stopped_i[q]), .restart_i(restart_i[q]),
      .restart_seq_i(restart_index_i[SeqWidth-1:0]), .tail_i(tail[q]),
      .request_o(request[q]), .fetch_seq_o(fetch_seq[q]), .pick_i(pick[q]),
      .fetch_next_i(fetch_next), .denied_i(denied[q]), .denied_seq_i(denied_seq), .ended_i(ended[q]),
      .closed_o(closed[q]), .place_o(place[q]),
      .received_i(queue_received[q]), .failed_i(queue_failed[q]),
      .ready_o(ready[q]), .send_seq_o(send_seq[q]), .send_fetch_o(send_fetch[q]), .sent_i(sent[q]),
      .send_next_i(send_next), .restarts_o(restarts[q]), .held_o(held_o[q]), .flight_o(flight_o[q])
    );
  end

  ////////////////////////////
  // Fetches and their data //
  ////////////////////////////

  logic [63:0]           slot_addr;
  logic                  send, goes;
  logic                  failed_q;  // a command that failed waits for the address of its slot
  queue_t                send_queue;
  tma_isa_pkg::command_t stored;

  assign r_ready_o = 1'b1;
  assign beat_end  = r_valid_i && r_i.last;

  tma_ring_fetch u_fetch (
    .clk_i, .rst_ni, .base_i(base), .slots_i(slots),
    .request_i(request), .seq_i(fetch_seq), .tail_i(tail), .pick_o(pick), .next_o(fetch_next),
    .fetch_valid_o, .fetch_ready_i, .fetch_o,
    .denied_i(fetch_denied_i), .denied_o(denied), .denied_seq_o(denied_seq),
    .beat_end_i(beat_end), .beat_queue_o(beat_queue), .beat_odd_o(beat_odd), .ended_o(ended),
    .slot_valid_i(failed_q), .slot_queue_i(cmd_queue_o),
    .slot_seq_i(send_seq[cmd_queue_o][MaxSlots-1:0]), .slot_addr_o(slot_addr), .idle_o(fetch_idle)
  );

  tma_ring_buffer u_buffer (
    .clk_i, .rst_ni,
    .beat_valid_i(r_valid_i), .beat_data_i(r_i.data), .beat_resp_i(r_i.resp),
    .beat_last_i(r_i.last), .beat_dead_i(r_i.dead), .beat_queue_i(beat_queue),
    .beat_odd_i(beat_odd), .closed_i(closed[beat_queue]), .place_i(place[beat_queue]),
    .received_o(received), .failed_o(failed),
    .read_i(send), .read_queue_i(send_queue),
    .read_place_i(send_seq[send_queue][PlaceWidth-1:0]), .rdata_o(stored)
  );

  //////////////////////
  // Commands that go //
  //////////////////////

  // One is on its way at a time, so that room for it is still there when it has been read.
  logic [NumQueues-1:0] grant;
  fetch_e               fetch_q;
  logic [63:0]          slot_addr_q;

  tma_rr_arb #(.N(NumQueues)) u_turn (
    .clk_i, .rst_ni, .request_i(ready & room_i), .advance_i(send),
    .grant_o(grant), .index_o(send_queue)
  );

  assign send_next = send_seq[cmd_queue_o] + seq_t'(1);

  assign send = !cmd_valid_o && !failed_q && grant != '0;
  assign goes = send && !restarts[send_queue];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cmd_valid_o <= 1'b0;
      failed_q    <= 1'b0;
    end else begin
      if (cmd_valid_o)   cmd_valid_o <= !cmd_ready_i && !restarts[cmd_queue_o];
      else if (failed_q) cmd_valid_o <= !restarts[cmd_queue_o];
      else               cmd_valid_o <= goes && send_fetch[send_queue] == FetchOk;
      failed_q <= goes && send_fetch[send_queue] != FetchOk;
    end
  end

  always_ff @(posedge clk_i) begin
    if (send) begin
      cmd_queue_o <= send_queue;
      fetch_q     <= send_fetch[send_queue];
    end
    if (failed_q) slot_addr_q <= slot_addr;
  end

  assign cmd_o.fetch = fetch_q;
  assign cmd_o.cmd   = fetch_q == FetchOk ? stored : 512'(slot_addr_q);

  assign idle_o = held_o == '0 && fetch_idle && !cmd_valid_o && !failed_q && door_idle;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(BeatIsOfARing, r_valid_i |-> r_i.id[IdWidth-1 -: 3] == ClientRing)
  `TMA_ASSERT(CommandIsStable, cmd_valid_o && !cmd_ready_i && !restarts[cmd_queue_o] |=>
      cmd_valid_o && $stable(cmd_queue_o) && $stable(cmd_o))
  `TMA_ASSERT(RestIsBehindACommand, cmd_valid_o && cmd_ready_i |=> !cmd_valid_o)
  for (genvar q = 0; q < NumQueues; q++) begin : g_ring_size
    `TMA_ASSERT(RingSizeIsLegal, enable[q] |-> slots[q] >= 5'd4 && slots[q] <= 5'd16)
  end
  `TMA_COVER(CommandIsVoid, cmd_valid_o && restarts[cmd_queue_o] && !cmd_ready_i)
  `TMA_COVER(FailedIsVoid, failed_q && restarts[cmd_queue_o])

endmodule
