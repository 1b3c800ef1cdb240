// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite of the registers inside the engine.
package tma_axil_pkg;

  // Manager -> registers.
  typedef struct packed {
    logic        awvalid;
    logic [16:0] awaddr;
    logic        wvalid;
    logic [31:0] wdata;
    logic [3:0]  wstrb;
    logic        bready;
    logic        arvalid;
    logic [16:0] araddr;
    logic        rready;
  } axil_req_t;

  // Registers -> manager.
  typedef struct packed {
    logic        awready;
    logic        wready;
    logic        bvalid;
    logic [1:0]  bresp;
    logic        arready;
    logic        rvalid;
    logic [31:0] rdata;
    logic [1:0]  rresp;
  } axil_rsp_t;

endpackage
