// SPDX-License-Identifier: Apache-2.0
// AXI4 memory of block RAM: full-width INCR bursts that keep their page of 4096 bytes, and a port for single lines.
// Structure only.
//
//   AR, R <--> read side ---\
//                            RAM
//   AW, W, B <--> write side /        line port: the bridge, through both sides
//
// A beat per cycle in each direction, reads and writes at once. What B has answered, a later read sees, whatever its
// id. Reset: control only; what memory holds stays.

module tma_axi_ram
  import tma_board_pkg::*;
#(
  parameter int unsigned MemoryBytes = 1 << 18
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       ar_valid_i,
  output logic       ar_ready_o,
  input  ram_burst_t ar_i,
  output logic       r_valid_o,
  input  logic       r_ready_i,
  output ram_r_t     r_o,

  input  logic       aw_valid_i,
  output logic       aw_ready_o,
  input  ram_burst_t aw_i,
  input  logic       w_valid_i,
  output logic       w_ready_o,
  input  ram_w_t     w_i,
  output logic       b_valid_o,
  input  logic       b_ready_i,
  output ram_b_t     b_o,

  input  logic       line_valid_i,
  input  line_req_t  line_i,
  output line_rsp_t  line_o
);

  localparam int unsigned Rows     = MemoryBytes / LineBytes;
  localparam int unsigned RowWidth = $clog2(Rows);

  logic [RowWidth-1:0] line_row, read_row, write_row;
  logic                read_ready, write_ready, rvalid, re, writes;
  logic [15:0]         be;
  logic [127:0]        rdata, wdata;

  assign line_row = line_i.addr[$clog2(LineBytes) +: RowWidth];
  assign line_o   = '{ready: line_i.write ? write_ready : read_ready, rvalid: rvalid, rdata: rdata};

  tma_axi_ram_read #(.MemoryBytes(MemoryBytes)) u_read (
    .clk_i, .rst_ni, .ar_valid_i, .ar_ready_o, .ar_i, .r_valid_o, .r_ready_i, .r_o,
    .line_valid_i(line_valid_i && !line_i.write), .line_row_i(line_row), .line_ready_o(read_ready),
    .line_rvalid_o(rvalid),
    .writes_i(writes), .write_row_i(write_row), .re_o(re), .row_o(read_row), .rdata_i(rdata)
  );

  tma_axi_ram_write #(.MemoryBytes(MemoryBytes)) u_write (
    .clk_i, .rst_ni, .aw_valid_i, .aw_ready_o, .aw_i, .w_valid_i, .w_ready_o, .w_i, .b_valid_o, .b_ready_i, .b_o,
    .line_valid_i(line_valid_i && line_i.write), .line_row_i(line_row), .line_strb_i(line_i.strb),
    .line_data_i(line_i.wdata), .line_ready_o(write_ready),
    .writes_o(writes), .row_o(write_row), .be_o(be), .data_o(wdata)
  );

  tma_ram_bytes #(.Rows(Rows)) u_ram (
    .clk_i, .be_i(be), .waddr_i(write_row), .wdata_i(wdata), .re_i(re), .raddr_i(read_row), .rdata_o(rdata)
  );

  logic unused_addr;
  assign unused_addr = ^{line_i.addr[31:$clog2(MemoryBytes)], line_i.addr[3:0]};

endmodule
