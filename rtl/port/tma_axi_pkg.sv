// SPDX-License-Identifier: Apache-2.0
// The AXI4 channels of a global port inside the engine. What is the same for every burst (AxSIZE, AxBURST,
// AWID) is put to them at the top, where the pins are.
package tma_axi_pkg;

  import tma_pkg::*;

  // Engine -> memory, reads.
  typedef struct packed {
    logic               ar_valid;
    ar_t                ar;
    logic               r_ready;
  } read_req_t;

  // Memory -> engine, reads.
  typedef struct packed {
    logic               ar_ready;
    logic               r_valid;
    logic [IdWidth-1:0] r_id;
    line_t              r_data;
    logic [1:0]         r_resp;
    logic               r_last;
  } read_rsp_t;

  // Engine -> memory, writes.
  typedef struct packed {
    logic               aw_valid;
    aw_t                aw;
    logic               w_valid;
    write_beat_t        w;
    logic               b_ready;
  } write_req_t;

  // Memory -> engine, writes.
  typedef struct packed {
    logic               aw_ready;
    logic               w_ready;
    logic               b_valid;
    logic [1:0]         b_resp;
  } write_rsp_t;

endpackage
