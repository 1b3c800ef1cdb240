// SPDX-License-Identifier: Apache-2.0
// Multimem windows: all of them for the guards, the selected one for the registers.
//
// The table is made of words, 16 for a window: its ports, base and limit, then a base for each port.
// A write replaces a word of the selected window in the next cycle, without a check; a word that
// says where the window begins on a port is that of the selected port. After reset the table is
// cleared, one word per cycle; `busy_o` until then.

`include "tma_assert.svh"

module tma_multimem_regs
  import tma_pkg::*;
  import tma_csr_pkg::*;
#(
  localparam int unsigned WindowWidth = NumMultimem > 1 ? $clog2(NumMultimem) : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [WindowWidth-1:0]      window_i,  // the selected window and port
  input  logic [1:0]                  port_i,
  input  logic [4:2]                  addr_i,    // of the register
  input  logic                        write_i,
  input  logic [31:0]                 wdata_i,
  output logic [31:0]                 rdata_o,

  output multimem_t [NumMultimem-1:0] multimem_o,
  output logic                        busy_o
);

  typedef logic [3:0] word_t;

  // Words of a window: as the addresses have them, and from 8 on low and high half of port bases.
  localparam word_t WordPorts   = {1'b0, CsrMultimemPortsAddr[4:2]};
  localparam word_t WordBaseLo  = {1'b0, CsrMultimemBaseLoAddr[4:2]};
  localparam word_t WordBaseHi  = {1'b0, CsrMultimemBaseHiAddr[4:2]};
  localparam word_t WordLimitLo = {1'b0, CsrMultimemLimitLoAddr[4:2]};
  localparam word_t WordLimitHi = {1'b0, CsrMultimemLimitHiAddr[4:2]};

  localparam int unsigned IndexWidth = WindowWidth + 4;

  logic [IndexWidth-1:0] index;
  logic                  of_port, write, busy;
  logic [31:0]           current, entry;
  word_t                 word;

  assign of_port = addr_i == CsrMultimemPortBaseLoAddr[4:2] ||
                   addr_i == CsrMultimemPortBaseHiAddr[4:2];
  assign word    = of_port ? {1'b1, port_i, addr_i[2]} : {1'b0, addr_i};

  // Bits without a function are kept as 0.
  always_comb begin
    entry = busy ? '0 : wdata_i;
    if (addr_i == CsrMultimemPortsAddr[4:2]) begin
      entry[31:NumPorts] = '0;
    end else if (addr_i == CsrMultimemBaseLoAddr[4:2] || addr_i == CsrMultimemLimitLoAddr[4:2] ||
                 addr_i == CsrMultimemPortBaseLoAddr[4:2]) begin
      entry[11:0] = '0;
    end
  end

  tma_table_ram #(.Width(32), .IndexWidth(IndexWidth)) u_table (
    .clk_i, .rst_ni, .index_i({window_i, word}), .write_i,
    .entry_i(entry), .current_o(current), .write_o(write), .index_o(index), .busy_o(busy)
  );

  for (genvar w = 0; w < NumMultimem; w++) begin : g_window
    logic hit;
    assign hit = write && index[IndexWidth-1:4] == WindowWidth'(w);

    always_ff @(posedge clk_i) begin
      if (hit && index[3:0] == WordPorts)   multimem_o[w].ports        <= entry[NumPorts-1:0];
      if (hit && index[3:0] == WordBaseLo)  multimem_o[w].base[19:0]   <= entry[31:12];
      if (hit && index[3:0] == WordBaseHi)  multimem_o[w].base[51:20]  <= entry;
      if (hit && index[3:0] == WordLimitLo) multimem_o[w].limit[19:0]  <= entry[31:12];
      if (hit && index[3:0] == WordLimitHi) multimem_o[w].limit[51:20] <= entry;
    end
    for (genvar p = 0; p < NumPorts; p++) begin : g_port
      always_ff @(posedge clk_i) begin
        if (hit && index[3:0] == {1'b1, 2'(p), 1'b0}) begin
          multimem_o[w].port_base[p][19:0] <= entry[31:12];
        end
        if (hit && index[3:0] == {1'b1, 2'(p), 1'b1}) begin
          multimem_o[w].port_base[p][51:20] <= entry;
        end
      end
    end
  end

  always_comb begin
    rdata_o = current;
    if (addr_i == CsrMultimemLimitLoAddr[4:2]) rdata_o[11:0] = '1;
  end

  assign busy_o = busy;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(SelectedWindowExists, write_i |-> 32'(window_i) < NumMultimem)
  `TMA_ASSERT(SelectedPortExists, write_i && of_port |-> 32'(port_i) < NumPorts)
  `TMA_COVER(LastPortBase, write_i && of_port && 32'(port_i) == NumPorts - 1)

endmodule
