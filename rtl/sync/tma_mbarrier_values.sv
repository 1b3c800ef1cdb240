// SPDX-License-Identifier: Apache-2.0
// The objects of the resident mbarriers: a small memory with two writes and several reads.
//
// Built of one-write distributed memories, a bank per write port and a copy per read port; a bit
// per entry says which bank was written last. Far smaller than registers with their multiplexers.
// Combinational reads; a write shows from the next cycle on. The first `Late` of them answer in the
// next cycle, with what the entry holds then. Where both write one entry, port 0 wins. Not reset,
// but for the bits.

module tma_mbarrier_values #(
  parameter int unsigned Entries = 8,
  parameter int unsigned Reads   = 5,
  parameter int unsigned Late    = 0,
  localparam int unsigned IndexWidth = $clog2(Entries)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,

  input  logic [1:0]                       we_i,
  input  logic [1:0][IndexWidth-1:0]       windex_i,
  input  logic [1:0][63:0]                 wdata_i,

  input  logic [Reads-1:0][IndexWidth-1:0] rindex_i,
  output logic [Reads-1:0][63:0]           rdata_o
);

  logic [Entries-1:0] newer_q;  // bank with the entry's last write

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      newer_q <= '0;
    end else begin
      if (we_i[1]) newer_q[windex_i[1]] <= 1'b1;
      if (we_i[0]) newer_q[windex_i[0]] <= 1'b0;
    end
  end

  for (genvar r = 0; r < Reads; r++) begin : g_read
    logic [1:0][63:0] bank;

    for (genvar w = 0; w < 2; w++) begin : g_bank
      tma_ram_1r1w #(.Width(64), .Depth(Entries)) u_ram (
        .clk_i, .we_i(we_i[w]), .waddr_i(windex_i[w]), .wdata_i(wdata_i[w]),
        .raddr_i(rindex_i[r]), .rdata_o(bank[w])
      );
    end

    logic [63:0] value;

    assign value = newer_q[rindex_i[r]] ? bank[1] : bank[0];

    if (r < Late) begin : g_late
      logic [1:0]  written;
      logic [63:0] value_q;

      for (genvar w = 0; w < 2; w++) begin : g_written
        assign written[w] = we_i[w] && windex_i[w] == rindex_i[r];
      end

      always_ff @(posedge clk_i) begin
        value_q <= written[0] ? wdata_i[0] : written[1] ? wdata_i[1] : value;
      end

      assign rdata_o[r] = value_q;
    end else begin : g_now
      assign rdata_o[r] = value;
    end
  end

endmodule
