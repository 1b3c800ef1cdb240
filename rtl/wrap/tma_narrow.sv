// SPDX-License-Identifier: Apache-2.0
// A global port on a 64-bit AXI4 bus: full-width INCR bursts of the engine become INCR bursts of 64-bit beats. Structure only.
//
//   AR --> held --> cut --------> AR      AW --> held --> cut --+-----> AW
//                    | order                        order |     | parts
//   R <---- read <--------------- R       W --------------|-- write --> W
//                                         B <---- resp <--------------- B
//
// A burst keeps its id, and has at most 256 beats on the bus: a longer one becomes two, and is answered once, with the worst
// response. Up to `Parts` bursts of each id, reads and writes apart, are on the way; read data of different ids may
// interleave at any beat. Every strobe is the engine's; beats without any are sent, too.
//
// Throughput: one 64-bit beat per cycle in each direction, and an address in two cycles: a line has two beats at least.
// Latency: two cycles for addresses, one for all else. AR, AW, W and what the engine gets come from registers, but
// `w_ready` to the engine, which depends on that of the bus. No ready depends on anything of its own channel. Reset: control
// only.

module tma_narrow
  import tma_pkg::*;
  import tma_narrow_pkg::*;
#(
  parameter int unsigned Parts = 16  // a power of two
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  wide_req_t   wide_i,
  output wide_rsp_t   wide_o,

  output narrow_req_t narrow_o,
  input  narrow_rsp_t narrow_i
);

  logic       ar_valid, ar_ready, unused_ar_level;
  ax_t        ar;
  logic       ar_part, ar_room, ar_last, r_pop, r_last;
  id_t        ar_id;
  logic [7:0] unused_ar_len;

  tma_fifo #(.Width($bits(ax_t)), .Depth(1)) u_ar_held (
    .clk_i, .rst_ni, .in_valid_i(wide_i.ar_valid), .in_ready_o(wide_o.ar_ready), .in_i(wide_i.ar),
    .out_valid_o(ar_valid), .out_ready_i(ar_ready), .out_o(ar), .level_o(unused_ar_level)
  );

  tma_narrow_cut u_ar (
    .clk_i, .rst_ni,
    .in_valid_i(ar_valid), .in_ready_o(ar_ready), .in_i(ar),
    .part_o(ar_part), .room_i(ar_room), .part_id_o(ar_id), .part_len_o(unused_ar_len), .part_last_o(ar_last),
    .out_valid_o(narrow_o.ar_valid), .out_ready_i(narrow_i.ar_ready), .out_o(narrow_o.ar)
  );

  tma_narrow_order #(.IdBits(IdWidth), .Depth(Parts)) u_ar_order (
    .clk_i, .rst_ni, .push_i(ar_part), .push_id_i(ar_id), .push_last_i(ar_last), .room_o(ar_room),
    .pop_i(r_pop), .pop_id_i(narrow_i.r_id), .last_o(r_last)
  );

  tma_narrow_read u_read (
    .clk_i, .rst_ni,
    .r_valid_i(narrow_i.r_valid), .r_ready_o(narrow_o.r_ready), .r_id_i(narrow_i.r_id),
    .r_data_i(narrow_i.r_data), .r_resp_i(narrow_i.r_resp), .r_last_i(narrow_i.r_last),
    .pop_o(r_pop), .last_i(r_last),
    .line_valid_o(wide_o.r_valid), .line_ready_i(wide_i.r_ready), .line_id_o(wide_o.r_id),
    .line_o(wide_o.r_data), .line_resp_o(wide_o.r_resp), .line_last_o(wide_o.r_last)
  );

  logic       aw_valid, aw_ready, unused_aw_level;
  ax_t        aw;
  logic       aw_part, aw_order_room, aw_parts_room, aw_last, b_pop, b_last;
  id_t        aw_id;
  logic [7:0] aw_len;

  tma_fifo #(.Width($bits(ax_t)), .Depth(1)) u_aw_held (
    .clk_i, .rst_ni, .in_valid_i(wide_i.aw_valid), .in_ready_o(wide_o.aw_ready), .in_i(wide_i.aw),
    .out_valid_o(aw_valid), .out_ready_i(aw_ready), .out_o(aw), .level_o(unused_aw_level)
  );

  tma_narrow_cut u_aw (
    .clk_i, .rst_ni,
    .in_valid_i(aw_valid), .in_ready_o(aw_ready), .in_i(aw),
    .part_o(aw_part), .room_i(aw_order_room && aw_parts_room), .part_id_o(aw_id), .part_len_o(aw_len),
    .part_last_o(aw_last),
    .out_valid_o(narrow_o.aw_valid), .out_ready_i(narrow_i.aw_ready), .out_o(narrow_o.aw)
  );

  tma_narrow_order #(.IdBits(StreamWidth), .Depth(Parts)) u_aw_order (
    .clk_i, .rst_ni, .push_i(aw_part), .push_id_i(aw_id), .push_last_i(aw_last), .room_o(aw_order_room),
    .pop_i(b_pop), .pop_id_i(narrow_i.b_id), .last_o(b_last)
  );

  tma_narrow_write #(.Depth(Parts)) u_write (
    .clk_i, .rst_ni, .part_i(aw_part), .room_o(aw_parts_room), .part_len_i(aw_len),
    .line_valid_i(wide_i.w_valid), .line_ready_o(wide_o.w_ready), .line_i(wide_i.w_data),
    .line_strb_i(wide_i.w_strb), .line_last_i(wide_i.w_last),
    .w_valid_o(narrow_o.w_valid), .w_ready_i(narrow_i.w_ready), .w_data_o(narrow_o.w_data),
    .w_strb_o(narrow_o.w_strb), .w_last_o(narrow_o.w_last)
  );

  tma_narrow_resp u_resp (
    .clk_i, .rst_ni,
    .b_valid_i(narrow_i.b_valid), .b_ready_o(narrow_o.b_ready), .b_id_i(narrow_i.b_id), .b_resp_i(narrow_i.b_resp),
    .pop_o(b_pop), .last_i(b_last),
    .out_valid_o(wide_o.b_valid), .out_ready_i(wide_i.b_ready), .out_id_o(wide_o.b_id), .out_resp_o(wide_o.b_resp)
  );

endmodule
