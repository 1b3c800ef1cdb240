// SPDX-License-Identifier: Apache-2.0
// Multimem windows: which ports a page lies on, and where on each of them.
//
//   page_i --> windows --> entry --> + (page_q - base) --> page_o of every port
//
// The lowest window that holds the page and has a port decides. Its entry is kept with the page, so
// a table that is written later changes nothing of an access on its way. A page that is not to be
// translated (`mm_i` 0) stays as it is, on port 0.
//
// One page per cycle, one cycle of latency. Nothing is reset: `mapped_o` means something once a
// page was taken.

module tma_multimem
  import tma_pkg::*;
(
  input  logic                        clk_i,

  input  multimem_t [NumMultimem-1:0] multimem_i,

  input  logic                        take_i,
  input  logic                        mm_i,
  input  logic [51:0]                 page_i,

  // Of the page taken last
  input  logic [51:0]                 page_q_i,  // that page
  output logic                        mapped_o,  // it lies in a window, or needs none
  output ports_t                      ports_o,
  output logic [NumPorts-1:0][51:0]   page_o
);

  logic                      mapped, mapped_q;
  ports_t                    ports, ports_q;
  logic [51:0]               base, base_q;
  logic [NumPorts-1:0][51:0] port_base, port_base_q;

  always_comb begin
    mapped    = !mm_i;
    ports     = ports_t'(1);
    base      = '0;
    port_base = '0;
    for (int unsigned i = 0; i < NumMultimem; i++) begin
      if (!mapped && multimem_i[i].ports != '0 && page_i >= multimem_i[i].base &&
          page_i <= multimem_i[i].limit) begin
        mapped    = 1'b1;
        ports     = multimem_i[i].ports;
        base      = multimem_i[i].base;
        port_base = multimem_i[i].port_base;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      mapped_q    <= mapped;
      ports_q     <= ports;
      base_q      <= base;
      port_base_q <= port_base;
    end
  end

  // Modulo 2^64, like every address.
  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign page_o[p] = port_base_q[p] + (page_q_i - base_q);
  end

  assign mapped_o = mapped_q;
  assign ports_o  = ports_q;

endmodule
