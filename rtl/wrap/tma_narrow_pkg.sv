// SPDX-License-Identifier: Apache-2.0
// Both sides of what stands between a global port and a 64-bit bus. AxSIZE and AxBURST are put to the pins at the top.
package tma_narrow_pkg;

  import tma_pkg::*;

  localparam int unsigned NarrowBits  = 64;
  localparam int unsigned NarrowBytes = NarrowBits / 8;
  localparam int unsigned Lanes       = DataWidth / NarrowBits;  // beats of the bus to a beat of the engine: 2, 4, 8, 16
  localparam int unsigned LaneWidth   = $clog2(Lanes);
  localparam int unsigned Ids         = 2**IdWidth;

  typedef logic [IdWidth-1:0]     id_t;
  typedef logic [LaneWidth-1:0]   lane_index_t;
  typedef logic [NarrowBits-1:0]  word_t;
  typedef logic [NarrowBytes-1:0] word_strb_t;

  // An address, of reads and of writes, on either side; `len` counts the beats of its side.
  typedef struct packed {
    id_t         id;
    logic [63:0] addr;
    logic [7:0]  len;
    logic [3:0]  cache;
    logic [2:0]  prot;
    logic [3:0]  qos;
    logic [15:0] user;
  } ax_t;

  // Engine -> here.
  typedef struct packed {
    logic       ar_valid;
    ax_t        ar;
    logic       r_ready;
    logic       aw_valid;
    ax_t        aw;
    logic       w_valid;
    line_t      w_data;
    strb_t      w_strb;
    logic       w_last;
    logic       b_ready;
  } wide_req_t;

  // Here -> engine.
  typedef struct packed {
    logic       ar_ready;
    logic       r_valid;
    id_t        r_id;
    line_t      r_data;
    logic [1:0] r_resp;
    logic       r_last;
    logic       aw_ready;
    logic       w_ready;
    logic       b_valid;
    id_t        b_id;
    logic [1:0] b_resp;
  } wide_rsp_t;

  // Here -> bus.
  typedef struct packed {
    logic       ar_valid;
    ax_t        ar;
    logic       r_ready;
    logic       aw_valid;
    ax_t        aw;
    logic       w_valid;
    word_t      w_data;
    word_strb_t w_strb;
    logic       w_last;
    logic       b_ready;
  } narrow_req_t;

  // Bus -> here.
  typedef struct packed {
    logic       ar_ready;
    logic       r_valid;
    id_t        r_id;
    word_t      r_data;
    logic [1:0] r_resp;
    logic       r_last;
    logic       aw_ready;
    logic       w_ready;
    logic       b_valid;
    id_t        b_id;
    logic [1:0] b_resp;
  } narrow_rsp_t;

  // The worse of two responses: DECERR, SLVERR, OKAY. Nobody asks for EXOKAY.
  function automatic logic [1:0] worse(input logic [1:0] a, input logic [1:0] b);
    return a > b ? a : b;
  endfunction

endpackage
