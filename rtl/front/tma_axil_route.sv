// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite to one of two: what is here, and what is further away.
//
// A request goes on in the same cycle. One write and one read at a time, so that responses keep their order: a second
// one waits for the response of the first. A write goes on when its address and its data are there, and is
// taken as a whole. The ready outputs depend on the valid inputs of their own port, and on the
// subordinate's. Reset: control only.

`include "tma_assert.svh"

module tma_axil_route
  import tma_axil_pkg::*;
(
  input  logic      clk_i,
  input  logic      rst_ni,

  // From the host, and where its addresses are
  input  axil_req_t host_i,
  output axil_rsp_t host_o,
  input  logic      write_here_i,
  input  logic      read_here_i,

  output axil_req_t here_o,
  input  axil_rsp_t here_i,
  output axil_req_t away_o,
  input  axil_rsp_t away_i
);

  logic write_busy_q, write_here_q, read_busy_q, read_here_q;
  logic write_go, read_go, taken_write, taken_read;

  assign write_go = host_i.awvalid && host_i.wvalid && !write_busy_q;
  assign read_go  = host_i.arvalid && !read_busy_q;

  assign taken_write = write_go && (write_here_i ? here_i.awready : away_i.awready);
  assign taken_read  = read_go && (read_here_i ? here_i.arready : away_i.arready);

  assign host_o = '{awready: taken_write, wready: taken_write, arready: taken_read,
                    bvalid: write_here_q ? here_i.bvalid : away_i.bvalid,
                    bresp:  write_here_q ? here_i.bresp : away_i.bresp,
                    rvalid: read_here_q ? here_i.rvalid : away_i.rvalid,
                    rdata:  read_here_q ? here_i.rdata : away_i.rdata,
                    rresp:  read_here_q ? here_i.rresp : away_i.rresp};
  assign here_o = '{awvalid: host_i.awvalid && !write_busy_q && write_here_i, awaddr: host_i.awaddr,
                    wvalid: write_go && write_here_i, wdata: host_i.wdata, wstrb: host_i.wstrb,
                    bready: host_i.bready && write_here_q,
                    arvalid: read_go && read_here_i, araddr: host_i.araddr, rready: host_i.rready && read_here_q};
  assign away_o = '{awvalid: write_go && !write_here_i, awaddr: host_i.awaddr,
                    wvalid: write_go && !write_here_i, wdata: host_i.wdata, wstrb: host_i.wstrb,
                    bready: host_i.bready && !write_here_q,
                    arvalid: read_go && !read_here_i, araddr: host_i.araddr, rready: host_i.rready && !read_here_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_busy_q <= 1'b0;
      write_here_q <= 1'b0;
      read_busy_q  <= 1'b0;
      read_here_q  <= 1'b0;
    end else begin
      if (taken_write) begin
        write_busy_q <= 1'b1;
        write_here_q <= write_here_i;
      end else if (host_o.bvalid && host_i.bready) begin
        write_busy_q <= 1'b0;
      end
      if (taken_read) begin
        read_busy_q <= 1'b1;
        read_here_q <= read_here_i;
      end else if (host_o.rvalid && host_i.rready) begin
        read_busy_q <= 1'b0;
      end
    end
  end

  logic unused_bits;
  assign unused_bits = here_i.wready ^ away_i.wready;

  ////////////////
  // Assertions //
  ////////////////

  `TMA_ASSERT(AddressAndDataTogether, away_o.awvalid |-> away_i.awready == away_i.wready)
  `TMA_ASSERT(OneWriteAtATime, !(away_i.bvalid && (here_i.bvalid || write_here_q)))
  `TMA_ASSERT(OneReadAtATime, !(away_i.rvalid && (here_i.rvalid || read_here_q)))
  `TMA_ASSERT_STABLE(WriteIsStable, away_o.awvalid, away_i.awready, {away_o.awaddr, away_o.wdata, away_o.wstrb})
  `TMA_ASSERT_STABLE(ReadIsStable, away_o.arvalid, away_i.arready, away_o.araddr)
  `TMA_COVER(WriteBehindWrite, host_i.awvalid && host_i.wvalid && write_busy_q && write_here_i != write_here_q)
  `TMA_COVER(ReadHereWriteThere, read_busy_q && read_here_q && write_busy_q && !write_here_q)
  `TMA_COVER(ReadThereWriteHere, read_busy_q && !read_here_q && write_busy_q && write_here_q)

endmodule
