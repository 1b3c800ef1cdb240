// SPDX-License-Identifier: Apache-2.0
// Properties of tma_shell_regs, between any host and any engine that keep the rules of AXI4-Lite, and shared memory that takes
// an access when it likes: it keeps the rules on both sides (axil_route_rules); the host gets OKAY for everything; what was
// refused, here or by the engine, reads 0 and is counted once; a register reads what was written to it; an access of
// SMEM_DATA is one access of the word at SMEM_ADDRESS of that CTA, then the address is that of the next word.

module shell_regs_proof
  import tma_pkg::*;
  import tma_axil_pkg::*;
  import tma_shell_pkg::*;
(
  input logic                      clk_i,
  input logic                      rst_ni,
  input axil_req_t                 host_i,
  input axil_rsp_t                 engine_i,
  input logic [NumCtas-1:0]        ext_ready_i,
  input logic [NumCtas-1:0][127:0] ext_rdata_i
);

  axil_req_t                 engine;
  axil_rsp_t                 host;
  logic [NumCtas-1:0]        ext_valid, ext_write, ext_take, answers_q;
  logic [NumCtas-1:0][31:0]  ext_addr;
  logic [NumCtas-1:0][15:0]  ext_strb;
  logic [NumCtas-1:0][127:0] ext_wdata;
  logic                      started, here_read, here_write, engine_reads;

  tma_shell_regs dut (
    .clk_i, .rst_ni, .host_i, .host_o(host), .engine_o(engine), .engine_i,
    .ext_valid_o(ext_valid), .ext_ready_i, .ext_write_o(ext_write), .ext_addr_o(ext_addr), .ext_strb_o(ext_strb),
    .ext_wdata_o(ext_wdata), .ext_rvalid_i(answers_q), .ext_rdata_i
  );

  axil_route_rules u_rules (
    .clk_i, .rst_ni, .host_i, .host_o(host), .engine_o(engine), .engine_i,
    .here_state_i(4'(dut.u_axil.state_q)), .here_write_i(dut.u_axil.write_q),
    .read_busy_i(dut.u_route.read_busy_q), .read_here_i(dut.u_route.read_here_q),
    .write_busy_i(dut.u_route.write_busy_q), .write_here_i(dut.u_route.write_here_q),
    .started_o(started), .here_read_o(here_read), .here_write_o(here_write), .engine_reads_o(engine_reads)
  );

  ////////////////////////////
  // The registers, by hand //
  ////////////////////////////

  // A transfer of the block 0x7C0 is here from the cycle in which it is taken to the one of its response.
  logic        takes_read, takes_write, answered, reads_it, there;
  logic [5:2]  word_q;
  logic [31:0] wdata_q, address_q, refusals_q, seen_q, got_q, expected, old, merged;
  logic [3:0]  wstrb_q, strobe_q;
  logic [1:0]  accesses_q;  // of shared memory, by the transfer that is here; 2: too many
  logic        is_data, refused, engine_refused_read, engine_refused_write;

  assign takes_read  = host_i.arvalid && host.arready && host_i.araddr[16:6] == 11'h01F;
  assign takes_write = host_i.awvalid && host.awready && host_i.awaddr[16:6] == 11'h01F;
  assign answered    = here_read ? host.rvalid && host_i.rready : here_write && host.bvalid && host_i.bready;
  assign reads_it    = 4'(dut.u_axil.state_q) == 4'd2;

  assign there  = 32'(address_q[31:24]) < NumCtas && 32'(address_q[23:0]) < SmemBytes;
  assign is_data = word_q == 4'hD;

  always_comb begin
    unique case (word_q)
      4'h8:       {refused, old} = {here_write, 32'h31534D54};  // "TMS1"
      4'h9:       {refused, old} = {here_write, seen_q};
      4'hC:       {refused, old} = {1'b0, address_q};
      4'hD:       {refused, old} = {!there, got_q};
      4'hE:       {refused, old} = {1'b0, 28'd0, strobe_q};
      default:    {refused, old} = {1'b1, 32'd0};
    endcase
    expected = refused ? '0 : old;
    for (int unsigned i = 0; i < 4; i++) begin
      merged[8*i +: 8] = wstrb_q[i] ? wdata_q[8*i +: 8] : old[8*i +: 8];
    end
  end

  assign engine_refused_read  = engine_i.rvalid && host_i.rready && engine_i.rresp[1];
  assign engine_refused_write = engine_i.bvalid && host_i.bready && engine_i.bresp[1];
  assign ext_take             = ext_valid & ext_ready_i;

  always_ff @(posedge clk_i) begin
    if (takes_read || takes_write) begin
      word_q     <= takes_write ? host_i.awaddr[5:2] : host_i.araddr[5:2];
      wdata_q    <= host_i.wdata;
      wstrb_q    <= host_i.wstrb;
      accesses_q <= '0;
    end else if (ext_take != '0 && accesses_q != 2'd2) begin
      accesses_q <= accesses_q + 2'd1;
    end
    if (reads_it) seen_q <= refusals_q;
    for (int unsigned c = 0; c < NumCtas; c++) begin
      if (answers_q[c]) got_q <= ext_rdata_i[c][32 * 32'(address_q[3:2]) +: 32];
    end

    answers_q <= rst_ni ? ext_take & ~ext_write : '0;
    if (!rst_ni) begin
      address_q  <= '0;
      strobe_q   <= '1;
      refusals_q <= '0;
    end else begin
      refusals_q <= refusals_q + 32'(answered && refused) + 32'(engine_refused_read) + 32'(engine_refused_write);
      if (answered && here_write && word_q == 4'hC) address_q <= {merged[31:2], 2'b00};
      if (answered && here_write && word_q == 4'hE) strobe_q <= merged[3:0];
      // Also where it was refused: the next word is the next one.
      if (answered && is_data) address_q <= address_q + 32'd4;
    end
  end

  ////////////////
  // Properties //
  ////////////////

  logic        happened;  // the transfer that is here had its access, and waits for its response to be taken
  logic [31:2] moved;     // where address_q will be then
  logic [31:0] bits, asked_addr, asked_wdata;  // that a write writes; of the CTA that is asked
  logic [15:0] asked_strb;

  always_comb begin
    {asked_addr, asked_wdata, asked_strb} = '0;
    for (int unsigned i = 0; i < 4; i++) bits[8*i +: 8] = {8{wstrb_q[i]}};
    for (int unsigned c = 0; c < NumCtas; c++) begin
      if (ext_valid[c]) begin
        asked_addr  |= ext_addr[c];
        asked_strb  |= ext_strb[c];
        asked_wdata |= ext_wdata[c][32 * 32'(address_q[3:2]) +: 32];
      end
    end
  end

  assign happened = 4'(dut.u_axil.state_q) == 4'd4;
  assign moved    = address_q[31:2] + 30'(happened && is_data);

  always_comb begin
    if (started) begin
      Okay: assert (!(host.bvalid && host.bresp != '0) && !(host.rvalid && host.rresp != '0));
      if (engine_i.rvalid) ReadOfEngine: assert (host.rdata == (engine_i.rresp[1] ? '0 : engine_i.rdata));
      if (here_read && host.rvalid) ReadOfRegister: assert (host.rdata == expected);
      if (host.rvalid && here_read || host.bvalid && here_write) begin
        OneAccess: assert (accesses_q == 2'(is_data && there));
      end
      RefusalsAreCounted: assert (dut.refusals_q == refusals_q);

      if (ext_valid != '0) begin
        AccessIsAsked: assert (is_data && there && (here_read || here_write) && accesses_q == '0 &&
                               ext_valid == NumCtas'(1) << address_q[31:24]);
        AccessIsWord:  assert (ext_write == {NumCtas{here_write}} && asked_addr == {8'd0, address_q[23:4], 4'd0});
        if (here_write) begin
          AccessIsBytes: assert (asked_strb == 16'(strobe_q & wstrb_q) << {address_q[3:2], 2'b00});
          AccessIsData:  assert (((asked_wdata ^ wdata_q) & bits) == '0);
        end
      end

      LinkWord:    assert (!(here_read || here_write) || (dut.addr == {11'h01F, word_q} && dut.wstrb == wstrb_q));
      LinkAddress: assert (happened && here_write && word_q == 4'hC || (dut.address_q == moved && address_q[1:0] == '0));
      LinkStrobe:  assert (happened && here_write && word_q == 4'hE || dut.strobe_q == strobe_q);
      LinkWritten: assert (!(happened && here_write) || (word_q == 4'hC ? dut.address_q == merged[31:2] :
                                                         word_q != 4'hE || dut.strobe_q == merged[3:0]));
      LinkError:   assert (!happened || dut.u_axil.error_q == refused);
      LinkRead:    assert (!(happened && here_read) || refused || dut.u_axil.rdata_q == old);
      LinkData:    assert (!here_write || (4'(dut.u_axil.state_q) == 4'd2 ? dut.wdata == wdata_q :
                                           is_data || refused || dut.wdata == merged));
      LinkBytes:   assert (!here_write || ((dut.wdata ^ wdata_q) & bits) == '0);
      LinkAsked:   assert (!(here_read || here_write) || accesses_q == '0 || (is_data && there && (happened || here_read)));
      LinkAnswer:  assert ((answers_q != '0) == dut.u_smem.asked_q && (answers_q == '0 || (is_data && there && here_read &&
                           !happened && accesses_q == 2'd1 && answers_q == NumCtas'(1) << address_q[31:24])));
      LinkWaits:   assert (!(here_read && is_data && there && !happened) || answers_q != '0 || accesses_q == '0);
      LinkDone:    assert (!(happened && is_data && there) || accesses_q == 2'd1);

      BothRefused:    cover (engine_refused_write && here_read && answered && refused);
      EngineMeantime: cover (here_write && is_data && engine_reads && ext_take != '0 && accesses_q == '0);
      OtherCta:       cover (here_read && answered && is_data && there && address_q == 32'h0100_0000 && got_q != '0);
    end
  end

endmodule
