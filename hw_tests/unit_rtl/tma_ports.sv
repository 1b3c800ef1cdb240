// SPDX-License-Identifier: Apache-2.0
// The ports, their watchdog and what leads the beats of a read port on, side by side under one clock, for
// one test. Of two read ports, of which one has reductions alone, `read_reduce_i` chooses. Write port 0 has one
// lane and passes its responses on; 1 has all streams of an engine and holds them, if there are several, and
// addresses and data as well. The bus may send what nobody asked for.

module tma_ports
  import tma_pkg::*;
  import tma_axi_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              read_reduce_i,
  input  logic              read_dead_i,
  input  logic              ar_valid_i,
  output logic              ar_ready_o,
  input  ar_t               ar_i,
  output logic              r_valid_o,
  input  logic              r_ready_i,
  output read_beat_t        r_o,
  output logic              pin_ar_valid_o,
  input  logic              pin_ar_ready_i,
  output ar_t               pin_ar_o,
  input  logic              pin_r_valid_i,
  output logic              pin_r_ready_o,
  input  read_beat_t        pin_r_i,
  output logic [NumQueues-1:0] read_hints_o,
  output logic              read_pending_o,
  output logic              read_progress_o,

  input  logic [1:0]        write_dead_i,
  input  logic [1:0]        aw_valid_i,
  output logic [1:0]        aw_ready_o,
  input  aw_t [1:0]         aw_i,
  input  logic [1:0]        w_valid_i,
  output logic [1:0]        w_ready_o,
  input  stream_t [1:0]     w_stream_i,
  input  write_beat_t [1:0] w_i,
  output logic [1:0]        w_leaves_o,
  output logic [1:0]        w_stalls_o,
  input  logic              reduce_aw_valid_i,    // of port 1
  output logic              reduce_aw_ready_o,
  input  aw_t               reduce_aw_i,
  input  logic              reduce_w_valid_i,
  output logic              reduce_w_ready_o,
  input  write_beat_t       reduce_w_i,
  output logic [NumStreams:0] b_valid_o,          // port 0, then the streams of port 1
  input  logic [NumStreams:0] b_ready_i,
  output write_resp_t [NumStreams:0] b_o,
  output logic [1:0]        pin_aw_valid_o,
  input  logic [1:0]        pin_aw_ready_i,
  output aw_t [1:0]         pin_aw_o,
  output logic [1:0]        pin_w_valid_o,
  input  logic [1:0]        pin_w_ready_i,
  output write_beat_t [1:0] pin_w_o,
  input  logic [1:0]        pin_b_valid_i,
  output logic [1:0]        pin_b_ready_o,
  input  logic [1:0][IdWidth-1:0] pin_b_id_i,
  input  logic [1:0][1:0]   pin_b_resp_i,
  output logic [1:0]        write_pending_o,
  output logic [1:0]        write_progress_o,

  input  logic              beat_valid_i,
  output logic              beat_ready_o,
  input  read_beat_t        beat_i,
  output read_beat_t        led_o,
  output logic              load_valid_o,
  input  logic              load_ready_i,
  input  logic [3:0]        load_some_i,
  output logic              ring_valid_o,
  input  logic              ring_ready_i,
  output logic              map_valid_o,
  output logic              cp_valid_o,
  output logic              other_done_o,
  output logic              prefetch_beat_o,
  output logic              prefetch_error_o,

  input  logic [31:0]       limit_i,
  input  logic [1:0]        watch_pending_i,   // reads, writes
  input  logic [1:0]        watch_progress_i,
  output logic              dead_o
);

  // What the chosen one says.
  logic [1:0]                ar_ready, r_valid, pin_ar_valid, pin_r_ready, pending, progress;
  read_beat_t [1:0]          r;
  ar_t [1:0]                 pin_ar;
  logic [1:0][NumQueues-1:0] hints;

  assign ar_ready_o      = ar_ready[read_reduce_i];
  assign r_valid_o       = r_valid[read_reduce_i];
  assign r_o             = r[read_reduce_i];
  assign read_hints_o    = hints[read_reduce_i];
  assign pin_ar_valid_o  = pin_ar_valid[read_reduce_i];
  assign pin_ar_o        = pin_ar[read_reduce_i];
  assign pin_r_ready_o   = pin_r_ready[read_reduce_i];
  assign read_pending_o  = pending[read_reduce_i];
  assign read_progress_o = progress[read_reduce_i];

  for (genvar i = 0; i < 2; i++) begin : g_read
    logic chosen;

    assign chosen = read_reduce_i == (i == 1);

    tma_read_port #(.Loads(i == 0), .Strays(1'b1)) u_read (
      .clk_i, .rst_ni, .dead_i(read_dead_i),
      .ar_valid_i(ar_valid_i && chosen), .ar_ready_o(ar_ready[i]), .ar_i,
      .r_valid_o(r_valid[i]), .r_ready_i, .r_o(r[i]), .hints_o(hints[i]),
      .ar_valid_o(pin_ar_valid[i]), .ar_ready_i(pin_ar_ready_i), .ar_o(pin_ar[i]),
      .r_valid_i(pin_r_valid_i && chosen), .r_ready_o(pin_r_ready[i]), .r_id_i(pin_r_i.id),
      .r_data_i(pin_r_i.data), .r_resp_i(pin_r_i.resp), .r_last_i(pin_r_i.last),
      .pending_o(pending[i]), .progress_o(progress[i])
    );
  end

  logic [1:0] reduce_aw_ready, reduce_w_ready;

  assign reduce_aw_ready_o = reduce_aw_ready[1];
  assign reduce_w_ready_o  = reduce_w_ready[1];

  for (genvar p = 0; p < 2; p++) begin : g_write
    localparam int unsigned Streams = p == 0 ? 1 : NumStreams;

    write_req_t axi_o;
    write_rsp_t axi_i;

    assign pin_aw_valid_o[p] = axi_o.aw_valid;
    assign pin_aw_o[p]       = axi_o.aw;
    assign pin_w_valid_o[p]  = axi_o.w_valid;
    assign pin_w_o[p]        = axi_o.w;
    assign pin_b_ready_o[p]  = axi_o.b_ready;
    assign axi_i             = '{aw_ready: pin_aw_ready_i[p], w_ready: pin_w_ready_i[p],
                                 b_valid: pin_b_valid_i[p], b_id: pin_b_id_i[p], b_resp: pin_b_resp_i[p]};

    tma_write_port #(.Streams(Streams), .Addresses(4 * p), .Beats(8 * p), .Strays(1'b1)) u_write (
      .clk_i, .rst_ni, .dead_i(write_dead_i[p]),
      .aw_valid_i(aw_valid_i[p]), .aw_ready_o(aw_ready_o[p]), .aw_i(aw_i[p]),
      .w_valid_i(w_valid_i[p]), .w_ready_o(w_ready_o[p]), .w_stream_i(w_stream_i[p]), .w_i(w_i[p]),
      .w_leaves_o(w_leaves_o[p]), .w_stalls_o(w_stalls_o[p]),
      .reduce_aw_valid_i(p == 1 && reduce_aw_valid_i), .reduce_aw_ready_o(reduce_aw_ready[p]), .reduce_aw_i,
      .reduce_w_valid_i(p == 1 && reduce_w_valid_i), .reduce_w_ready_o(reduce_w_ready[p]), .reduce_w_i,
      .b_valid_o(b_valid_o[p +: Streams]), .b_ready_i(b_ready_i[p +: Streams]), .b_o(b_o[p +: Streams]),
      .axi_o, .axi_i,
      .pending_o(write_pending_o[p]), .progress_o(write_progress_o[p])
    );
  end

  tma_load_beats #(.Strays(1'b1)) u_beats (
    .clk_i, .rst_ni, .r_valid_i(beat_valid_i), .r_ready_o(beat_ready_o), .r_i(beat_i), .beat_o(led_o),
    .load_valid_o, .load_ready_i, .load_some_i, .ring_valid_o, .ring_ready_i, .map_valid_o, .cp_valid_o,
    .other_done_o, .prefetch_beat_o, .prefetch_error_o
  );

  tma_port_watch u_watch (
    .clk_i, .rst_ni, .limit_i,
    .read_pending_i(watch_pending_i[0]), .read_progress_i(watch_progress_i[0]),
    .write_pending_i(watch_pending_i[1]), .write_progress_i(watch_progress_i[1]), .dead_o
  );

endmodule
