// SPDX-License-Identifier: Apache-2.0
// The board: the engine of configuration `small`, its memory, and a bridge from a serial line. Structure only.
//
//   uart_rx_i --> UART --> frames --> bridge --> registers --------> tma_engine
//   uart_tx_o <-- UART <-- frames <--/     \---> lines --> ext -------^    |
//                                                    \---> AXI RAM <------/
//
// The direct port of the engine is tied off: commands come through rings. docs/board.md has the line and the numbers.
// Pins may come at any time. Reset: by the pin everything but memory.

module tma_board
  import tma_pkg::*;
  import tma_axil_pkg::*;
  import tma_board_pkg::*;
#(
  parameter int unsigned ClockHz      = 50_000_000,
  parameter int unsigned ClocksPerBit = 50,       // of the serial line, 4 or more
  parameter int unsigned MemoryBytes  = 1 << 18,  // a power of two, 4096 or more
  parameter bit          GateEngine   = 1'b0      // the clock of engine and memory stops while nobody needs it
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       uart_rx_i,
  output logic       uart_tx_o,
  output logic [3:0] leds_o
);

  ///////////////////
  // Resets, clock //
  ///////////////////

  logic line_rst_n, rst_n, reset, reset_done, clk_engine, run;
  logic idle, irq, trouble, reg_valid, line_valid;

  tma_board_reset u_reset (
    .clk_i, .rst_ni, .line_rst_no(line_rst_n), .pulse_i(reset), .done_o(reset_done), .rst_no(rst_n)
  );

  tma_board_run u_run (
    .clk_i, .rst_ni(rst_n), .idle_i(idle), .reg_i(reg_valid), .line_i(line_valid), .run_o(run)
  );

  tma_clock_gate #(.Gates(GateEngine)) u_gate (.clk_i, .run_i(run), .clk_o(clk_engine));

  //////////
  // Line //
  //////////

  logic       uart_rx, rx_valid, rx_error, tx_valid, tx_ready;
  logic [7:0] rx_byte, tx_byte;

  tma_sync #(.Rest(1'b1)) u_sync (.clk_i, .rst_ni(line_rst_n), .pin_i(uart_rx_i), .pin_o(uart_rx));

  tma_uart_rx #(.ClocksPerBit(ClocksPerBit)) u_uart_rx (
    .clk_i, .rst_ni(line_rst_n), .line_i(uart_rx), .valid_o(rx_valid), .error_o(rx_error), .byte_o(rx_byte)
  );

  tma_uart_tx #(.ClocksPerBit(ClocksPerBit)) u_uart_tx (
    .clk_i, .rst_ni(line_rst_n), .valid_i(tx_valid), .ready_o(tx_ready), .byte_i(tx_byte), .line_o(uart_tx_o)
  );

  tma_board_leds #(.ClockHz(ClockHz)) u_leds (
    .clk_i, .rst_ni(line_rst_n), .line_i({uart_tx_o, uart_rx}), .idle_i(idle), .trouble_i(trouble), .leds_o
  );

  ////////////
  // Frames //
  ////////////

  logic       request_valid, request_done, bad, write, send_valid, send_ready, send_bad;
  place_t     request_bytes, request_place, write_place, send_bytes;
  logic [7:0] request_byte, write_byte;

  tma_frame_rx u_frame_rx (
    .clk_i, .rst_ni(line_rst_n), .valid_i(rx_valid), .error_i(rx_error), .byte_i(rx_byte),
    .request_valid_o(request_valid), .request_bytes_o(request_bytes), .done_i(request_done),
    .place_i(request_place), .byte_o(request_byte), .bad_o(bad)
  );

  tma_frame_tx u_frame_tx (
    .clk_i, .rst_ni(line_rst_n), .write_i(write), .write_place_i(write_place), .write_byte_i(write_byte),
    .send_valid_i(send_valid), .send_ready_o(send_ready), .send_bad_i(send_bad), .send_bytes_i(send_bytes),
    .valid_o(tx_valid), .ready_i(tx_ready), .byte_o(tx_byte)
  );

  ////////////
  // Bridge //
  ////////////

  logic        reg_done, reg_error, move_valid, move_done, move_line_done, move_write;
  reg_req_t    reg_req;
  logic [31:0] reg_rdata;
  move_t       move;
  place_t      first, move_place, move_write_place;
  logic [7:0]  move_write_byte;

  tma_bridge #(
    .ClockHz(ClockHz), .MemoryBytes(MemoryBytes), .NumCtas(NumCtas), .SmemBytes(SmemBytes)
  ) u_bridge (
    .clk_i, .rst_ni(line_rst_n),
    .request_valid_i(request_valid), .request_bytes_i(request_bytes), .request_done_o(request_done),
    .request_place_o(request_place), .request_byte_i(request_byte), .bad_i(bad),
    .write_o(write), .write_place_o(write_place), .write_byte_o(write_byte),
    .send_valid_o(send_valid), .send_ready_i(send_ready), .send_bad_o(send_bad), .send_bytes_o(send_bytes),
    .reg_valid_o(reg_valid), .reg_o(reg_req), .reg_done_i(reg_done), .reg_error_i(reg_error), .reg_rdata_i(reg_rdata),
    .move_valid_o(move_valid), .move_o(move), .first_o(first), .move_done_i(move_done),
    .move_line_done_i(move_line_done), .move_place_i(move_place), .move_write_i(move_write),
    .move_write_place_i(move_write_place), .move_write_byte_i(move_write_byte),
    .irq_i(irq), .reset_o(reset), .reset_done_i(reset_done), .trouble_o(trouble)
  );

  axil_req_t axil;
  axil_rsp_t axil_back;

  tma_board_regs u_regs (
    .clk_i(clk_engine), .rst_ni(rst_n), .valid_i(reg_valid), .req_i(reg_req), .done_o(reg_done), .error_o(reg_error),
    .rdata_o(reg_rdata), .axil_o(axil), .axil_i(axil_back)
  );

  logic         line_done, mem_valid;
  line_req_t    line, mem;
  line_rsp_t    mem_back;
  logic [127:0] line_rdata;

  tma_board_lines u_lines (
    .clk_i, .rst_ni(rst_n), .valid_i(move_valid), .move_i(move), .first_i(first), .done_o(move_done),
    .line_done_o(move_line_done), .place_o(move_place), .byte_i(request_byte),
    .write_o(move_write), .write_place_o(move_write_place), .write_byte_o(move_write_byte),
    .line_valid_o(line_valid), .line_o(line), .line_done_i(line_done), .line_rdata_i(line_rdata)
  );

  logic [NumCtas-1:0]        ext_valid, ext_ready, ext_write, ext_rvalid;
  logic [NumCtas-1:0][31:0]  ext_addr;
  logic [NumCtas-1:0][15:0]  ext_strb;
  logic [NumCtas-1:0][127:0] ext_wdata, ext_rdata;

  tma_board_stage #(.NumCtas(NumCtas)) u_stage (
    .clk_i(clk_engine), .rst_ni(rst_n), .valid_i(line_valid), .line_i(line), .shared_i(move.shared),
    .cta_i(move.cta), .done_o(line_done), .rdata_o(line_rdata),
    .mem_valid_o(mem_valid), .mem_o(mem), .mem_i(mem_back),
    .ext_valid_o(ext_valid), .ext_ready_i(ext_ready), .ext_write_o(ext_write), .ext_addr_o(ext_addr),
    .ext_strb_o(ext_strb), .ext_wdata_o(ext_wdata), .ext_rvalid_i(ext_rvalid), .ext_rdata_i(ext_rdata)
  );

  ////////////
  // Memory //
  ////////////

  logic       ar_valid, ar_ready, r_valid, r_ready, aw_valid, aw_ready, w_valid, w_ready, b_valid, b_ready;
  ram_burst_t ar, aw;
  ram_r_t     r;
  ram_w_t     w;
  ram_b_t     b;

  tma_axi_ram #(.MemoryBytes(MemoryBytes)) u_ram (
    .clk_i(clk_engine), .rst_ni(rst_n),
    .ar_valid_i(ar_valid), .ar_ready_o(ar_ready), .ar_i(ar), .r_valid_o(r_valid), .r_ready_i(r_ready), .r_o(r),
    .aw_valid_i(aw_valid), .aw_ready_o(aw_ready), .aw_i(aw), .w_valid_i(w_valid), .w_ready_o(w_ready), .w_i(w),
    .b_valid_o(b_valid), .b_ready_i(b_ready), .b_o(b),
    .line_valid_i(mem_valid), .line_i(mem), .line_o(mem_back)
  );

  ////////////
  // Engine //
  ////////////

  // What this memory does not look at, and the direct port.
  logic                 unused_cmd_ready, unused_rsp_valid;
  logic [NumQueues-1:0] unused_queue_ready;
  logic [255:0]         unused_rsp;
  logic [2:0]           unused_arsize, unused_arprot, unused_awsize, unused_awprot;
  logic [1:0]           unused_arburst, unused_awburst;
  logic [3:0]           unused_arcache, unused_arqos, unused_awcache, unused_awqos;
  logic [15:0]          unused_aruser, unused_awuser;

  tma_engine u_engine (
    .clk_i(clk_engine), .rst_ni(rst_n),
    .cmd_valid_i(1'b0), .cmd_ready_o(unused_cmd_ready), .cmd_queue_i('0), .cmd_i('0),
    .queue_ready_o(unused_queue_ready),
    .rsp_valid_o(unused_rsp_valid), .rsp_ready_i(1'b1), .rsp_o(unused_rsp),

    .s_axil_awvalid_i(axil.awvalid), .s_axil_awready_o(axil_back.awready), .s_axil_awaddr_i(axil.awaddr),
    .s_axil_wvalid_i(axil.wvalid), .s_axil_wready_o(axil_back.wready), .s_axil_wdata_i(axil.wdata),
    .s_axil_wstrb_i(axil.wstrb),
    .s_axil_bvalid_o(axil_back.bvalid), .s_axil_bready_i(axil.bready), .s_axil_bresp_o(axil_back.bresp),
    .s_axil_arvalid_i(axil.arvalid), .s_axil_arready_o(axil_back.arready), .s_axil_araddr_i(axil.araddr),
    .s_axil_rvalid_o(axil_back.rvalid), .s_axil_rready_i(axil.rready), .s_axil_rdata_o(axil_back.rdata),
    .s_axil_rresp_o(axil_back.rresp),

    .ext_valid_i(ext_valid), .ext_ready_o(ext_ready), .ext_write_i(ext_write), .ext_addr_i(ext_addr),
    .ext_strb_i(ext_strb), .ext_wdata_i(ext_wdata), .ext_rvalid_o(ext_rvalid), .ext_rdata_o(ext_rdata),

    .m_axi_arvalid_o(ar_valid), .m_axi_arready_i(ar_ready), .m_axi_araddr_o(ar.addr), .m_axi_arid_o(ar.id),
    .m_axi_arlen_o(ar.len), .m_axi_arsize_o(unused_arsize), .m_axi_arburst_o(unused_arburst),
    .m_axi_arcache_o(unused_arcache), .m_axi_arprot_o(unused_arprot), .m_axi_arqos_o(unused_arqos),
    .m_axi_aruser_o(unused_aruser),
    .m_axi_rvalid_i(r_valid), .m_axi_rready_o(r_ready), .m_axi_rid_i(r.id), .m_axi_rdata_i(r.data),
    .m_axi_rresp_i(r.resp), .m_axi_rlast_i(r.last),
    .m_axi_awvalid_o(aw_valid), .m_axi_awready_i(aw_ready), .m_axi_awaddr_o(aw.addr), .m_axi_awid_o(aw.id),
    .m_axi_awlen_o(aw.len), .m_axi_awsize_o(unused_awsize), .m_axi_awburst_o(unused_awburst),
    .m_axi_awcache_o(unused_awcache), .m_axi_awprot_o(unused_awprot), .m_axi_awqos_o(unused_awqos),
    .m_axi_awuser_o(unused_awuser),
    .m_axi_wvalid_o(w_valid), .m_axi_wready_i(w_ready), .m_axi_wdata_o(w.data), .m_axi_wstrb_o(w.strb),
    .m_axi_wlast_o(w.last),
    .m_axi_bvalid_i(b_valid), .m_axi_bready_o(b_ready), .m_axi_bid_i(b.id), .m_axi_bresp_i(b.resp),

    .irq_o(irq), .idle_o(idle)
  );

endmodule
