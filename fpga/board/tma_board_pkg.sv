// SPDX-License-Identifier: Apache-2.0
// Numbers and bundles of the board. The line's are those of docs/board.md.
package tma_board_pkg;

  //////////
  // Line //
  //////////

  localparam logic [7:0]  Flag       = 8'h7E;  // in front of a frame and behind it
  localparam logic [7:0]  Escape     = 8'h7D;  // the next byte is sent ^ Flip
  localparam logic [7:0]  Flip       = 8'h20;
  localparam logic [31:0] FcsStart   = 32'hFFFF_FFFF;
  localparam logic [31:0] FcsGood    = 32'hDEBB_20E3;  // of a frame and its own FCS
  localparam int unsigned FcsBytes   = 4;
  localparam int unsigned HeadBytes  = 12;             // of the longest request without data
  localparam int unsigned MaxData    = 1024;
  localparam int unsigned MaxRequest = 2 + 8 + MaxData;  // without FCS: MEM_WRITE
  localparam int unsigned Answered   = 3;              // bytes of an answer before its results

  localparam logic [31:0] Magic      = 32'h4241_4D54;  // TMAB
  localparam logic [15:0] Version    = 16'd1;

  // A byte of a frame, and how many there are.
  typedef logic [10:0] place_t;

  localparam int unsigned FrameBytes = 2048;           // of a buffer

  typedef enum logic [7:0] {
    OpHello     = 8'h00,
    OpRegRead   = 8'h01,
    OpRegWrite  = 8'h02,
    OpMemRead   = 8'h03,
    OpMemWrite  = 8'h04,
    OpSmemRead  = 8'h05,
    OpSmemWrite = 8'h06,
    OpWait      = 8'h07,
    OpReset     = 8'h08
  } op_e;

  typedef enum logic [7:0] {
    StatusOkay      = 8'd0,
    StatusRefused   = 8'd1,
    StatusAddress   = 8'd2,
    StatusLength    = 8'd3,
    StatusOperation = 8'd4,
    StatusStuck     = 8'd5,
    StatusFrame     = 8'd6
  } status_e;

  // The front of a request; what is behind its end is 0.
  typedef struct packed {
    logic [79:0] operands;
    logic [7:0]  op;
    logic [7:0]  sequence_number;
  } head_t;

  localparam int unsigned MaxWait = 1 << 20;  // microseconds

  // The CRC-32 of Ethernet, a byte further, low bit first.
  function automatic logic [31:0] fcs_next(logic [31:0] fcs, logic [7:0] data);
    logic [31:0] next;
    next = fcs ^ {24'b0, data};
    for (int unsigned i = 0; i < 8; i++) next = (next >> 1) ^ (next[0] ? 32'hEDB8_8320 : 32'h0);
    return next;
  endfunction

  ////////////
  // Memory //
  ////////////

  localparam logic [63:0] MemoryBase = 64'h8000_0000;
  localparam int unsigned LineBytes  = 16;

  // A register access.
  typedef struct packed {
    logic        write;
    logic [16:0] addr;
    logic [31:0] wdata;
  } reg_req_t;

  // Bytes to be moved between a frame's buffer and memory or the shared memory of a CTA.
  typedef struct packed {
    logic        write;
    logic        shared;
    logic [7:0]  cta;
    logic [31:0] offset;  // first byte
    place_t      bytes;   // 1 to MaxData
  } move_t;

  // A line of memory.
  typedef struct packed {
    logic         write;
    logic [31:0]  addr;   // byte offset, multiple of LineBytes
    logic [15:0]  strb;
    logic [127:0] wdata;
  } line_req_t;

  // Read data comes in one cycle, some cycles after the read was taken.
  typedef struct packed {
    logic         ready;
    logic         rvalid;
    logic [127:0] rdata;
  } line_rsp_t;

  /////////
  // AXI //
  /////////

  localparam int unsigned IdWidth    = 5;
  localparam logic [1:0]  RespOkay   = 2'b00;
  localparam logic [1:0]  RespDecerr = 2'b11;

  // An address of AR or AW.
  typedef struct packed {
    logic [IdWidth-1:0] id;
    logic [63:0]        addr;
    logic [7:0]         len;
  } ram_burst_t;

  typedef struct packed {
    logic [IdWidth-1:0] id;
    logic [127:0]       data;
    logic [1:0]         resp;
    logic               last;
  } ram_r_t;

  typedef struct packed {
    logic [127:0] data;
    logic [15:0]  strb;
    logic         last;
  } ram_w_t;

  typedef struct packed {
    logic [IdWidth-1:0] id;
    logic [1:0]         resp;
  } ram_b_t;

endpackage
