// SPDX-License-Identifier: Apache-2.0
// What passes through a global port: the AXI4 channels on its outer side, its clients on the inner one. What is
// the same for every burst (AxSIZE, AxBURST) is put to it at the top, where the pins are; AWID is the stream.
package tma_axi_pkg;

  import tma_pkg::*;

  //////////
  // Pins //
  //////////

  // Engine -> memory, reads. A client asks its port in the same way.
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
    logic [IdWidth-1:0] b_id;
    logic [1:0]         b_resp;
  } write_rsp_t;

  typedef struct packed {
    read_req_t          read;
    write_req_t         write;
  } axi_req_t;

  typedef struct packed {
    read_rsp_t          read;
    write_rsp_t         write;
  } axi_rsp_t;

  /////////////
  // Clients //
  /////////////

  // Port -> one that reads, which asks by a read_req_t.
  typedef struct packed {
    logic       ar_ready;
    logic       r_valid;
    read_beat_t r;
  } reader_rsp_t;

  // One that writes -> port, and back: responses by stream, of those that are the writer's. `stalls`: data waits at the
  // pins of a living port.
  typedef struct packed {
    logic                         aw_valid;
    aw_t                          aw;
    logic                         w_valid;
    stream_t                      w_stream;
    write_beat_t                  w;
    logic [NumStreams-1:0]        b_ready;
  } writer_req_t;

  typedef struct packed {
    logic                         aw_ready;
    logic                         w_ready;
    logic                         stalls;
    logic [NumStreams-1:0]        b_valid;
    write_resp_t [NumStreams-1:0] b;
  } writer_rsp_t;

endpackage
