// SPDX-License-Identifier: Apache-2.0
// A port with two read clients, for its test: loads, and all others, reductions among them. The bus may send what nobody asked for.

module tma_port_pair
  import tma_pkg::*;
  import tma_axi_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic [31:0]          limit_i,

  input  read_req_t [1:0]      reader_i,
  output reader_rsp_t [1:0]    reader_o,
  output logic [NumQueues-1:0] hints_o,
  input  writer_req_t          writer_i,
  output writer_rsp_t          writer_o,
  output logic                 leaves_o,
  input  writer_req_t          reduce_i,
  output writer_rsp_t          reduce_o,

  output axi_req_t             axi_o,
  input  axi_rsp_t             axi_i,

  output logic                 dead_o
);

  tma_port #(.NumReaders(2), .Clients({8'b0011_1110, 8'b0000_0001}), .Strays(1'b1)) u_port (
    .clk_i, .rst_ni, .limit_i, .reader_i, .reader_o, .hints_o, .writer_i, .writer_o, .leaves_o,
    .reduce_i, .reduce_o, .axi_o, .axi_i, .dead_o
  );

endmodule
