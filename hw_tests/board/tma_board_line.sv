// SPDX-License-Identifier: Apache-2.0
// The board between the UARTs and the engine, for one test: frames, bridge, register and line accesses.

module tma_board_line
  import tma_board_pkg::*;
  import tma_axil_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              rx_valid_i,
  input  logic              rx_error_i,
  input  logic [7:0]        rx_byte_i,
  output logic              tx_valid_o,
  input  logic              tx_ready_i,
  output logic [7:0]        tx_byte_o,

  output axil_req_t         axil_o,
  input  axil_rsp_t         axil_i,

  output logic              mem_valid_o,
  output line_req_t         mem_o,
  input  line_rsp_t         mem_i,

  output logic [1:0]        ext_valid_o,
  input  logic [1:0]        ext_ready_i,
  output logic [1:0]        ext_write_o,
  output logic [1:0][31:0]  ext_addr_o,
  output logic [1:0][15:0]  ext_strb_o,
  output logic [1:0][127:0] ext_wdata_o,
  input  logic [1:0]        ext_rvalid_i,
  input  logic [1:0][127:0] ext_rdata_i,

  input  logic              irq_i,
  output logic              reset_o,
  output logic              rst_no,       // of the accesses and what is behind them
  output logic              trouble_o,
  output logic              held_o        // a request is in the buffer
);

  logic       request_done, bad, write, send_valid, send_ready, send_bad, reset_done;
  place_t     request_bytes, request_place, write_place, send_bytes;
  logic [7:0] request_byte, write_byte;

  logic unused_line_rst_n;

  tma_board_reset #(.Cycles(5)) u_reset (
    .clk_i, .rst_ni, .line_rst_no(unused_line_rst_n), .pulse_i(reset_o), .done_o(reset_done), .rst_no
  );

  tma_frame_rx u_frame_rx (
    .clk_i, .rst_ni, .valid_i(rx_valid_i), .error_i(rx_error_i), .byte_i(rx_byte_i),
    .request_valid_o(held_o), .request_bytes_o(request_bytes), .done_i(request_done),
    .place_i(request_place), .byte_o(request_byte), .bad_o(bad)
  );

  tma_frame_tx u_frame_tx (
    .clk_i, .rst_ni, .write_i(write), .write_place_i(write_place), .write_byte_i(write_byte),
    .send_valid_i(send_valid), .send_ready_o(send_ready), .send_bad_i(send_bad), .send_bytes_i(send_bytes),
    .valid_o(tx_valid_o), .ready_i(tx_ready_i), .byte_o(tx_byte_o)
  );

  logic         reg_valid, reg_done, reg_error, move_valid, move_done, move_line_done, move_write;
  reg_req_t     reg_req;
  logic [31:0]  reg_rdata;
  move_t        move;
  place_t       first, move_place, move_write_place;
  logic [7:0]   move_write_byte;
  logic         line_valid, line_done;
  line_req_t    line;
  logic [127:0] line_rdata;

  tma_bridge #(.ClockHz(2_500_000), .MemoryBytes(1 << 18), .NumCtas(2), .SmemBytes(1 << 14)) u_bridge (
    .clk_i, .rst_ni,
    .request_valid_i(held_o), .request_bytes_i(request_bytes), .request_done_o(request_done),
    .request_place_o(request_place), .request_byte_i(request_byte), .bad_i(bad),
    .write_o(write), .write_place_o(write_place), .write_byte_o(write_byte),
    .send_valid_o(send_valid), .send_ready_i(send_ready), .send_bad_o(send_bad), .send_bytes_o(send_bytes),
    .reg_valid_o(reg_valid), .reg_o(reg_req), .reg_done_i(reg_done), .reg_error_i(reg_error), .reg_rdata_i(reg_rdata),
    .move_valid_o(move_valid), .move_o(move), .first_o(first), .move_done_i(move_done),
    .move_line_done_i(move_line_done), .move_place_i(move_place), .move_write_i(move_write),
    .move_write_place_i(move_write_place), .move_write_byte_i(move_write_byte),
    .irq_i, .reset_o, .reset_done_i(reset_done), .trouble_o
  );

  tma_board_regs u_regs (
    .clk_i, .rst_ni(rst_no), .valid_i(reg_valid), .req_i(reg_req), .done_o(reg_done), .error_o(reg_error),
    .rdata_o(reg_rdata), .axil_o, .axil_i
  );

  tma_board_lines u_lines (
    .clk_i, .rst_ni(rst_no), .valid_i(move_valid), .move_i(move), .first_i(first), .done_o(move_done),
    .line_done_o(move_line_done), .place_o(move_place), .byte_i(request_byte),
    .write_o(move_write), .write_place_o(move_write_place), .write_byte_o(move_write_byte),
    .line_valid_o(line_valid), .line_o(line), .line_done_i(line_done), .line_rdata_i(line_rdata)
  );

  tma_board_stage #(.NumCtas(2)) u_stage (
    .clk_i, .rst_ni(rst_no), .valid_i(line_valid), .line_i(line), .shared_i(move.shared), .cta_i(move.cta),
    .done_o(line_done), .rdata_o(line_rdata), .mem_valid_o, .mem_o, .mem_i,
    .ext_valid_o, .ext_ready_i, .ext_write_o, .ext_addr_o, .ext_strb_o, .ext_wdata_o, .ext_rvalid_i, .ext_rdata_i
  );

endmodule
