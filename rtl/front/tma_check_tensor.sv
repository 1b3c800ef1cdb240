// SPDX-License-Identifier: Apache-2.0
// Rules of tensor copies that follow from the command alone, and whose barriers they signal.
//
// With cta_group::2 and multicast, every destination's copy signals the barrier of that CTA of its
// pair which has the parity of the barrier operand's CTA; if both are destinations, twice.
// Combinational. Each rule is right when those of lower codes are kept. Semantics 1.8, 1.10.

module tma_check_tensor
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
(
  input  command_t    cmd_i,
  output logic        load_o,         // TENSOR_LOAD
  output logic        store_o,        // TENSOR_STORE, TENSOR_REDUCE
  output logic        map_odd_o,      // MAP_MISALIGNED
  output logic        mode_bad_o,     // TENSOR_MODE
  output logic        dim_bad_o,      // TENSOR_DIM
  output logic        unused_bad_o,   // TENSOR_UNUSED
  output logic        pair_o,         // the barrier may lie in the pair CTA
  output logic [15:0] ctas_o,         // multicast: CTAs whose barriers are signalled
  output logic [15:0] again_o         // of these, once more
);

  logic is_load, is_store, is_prefetch, is_tensor, has_map;

  assign is_load     = cmd_i.opcode == OpTensorLoad;
  assign is_store    = cmd_i.opcode == OpTensorStore || (Reduces && cmd_i.opcode == OpTensorReduce);
  assign is_prefetch = cmd_i.opcode == OpTensorPrefetch;
  assign is_tensor   = is_load || is_store || is_prefetch;
  assign has_map     = is_tensor || cmd_i.opcode == OpPrefetchTensormap ||
                       cmd_i.opcode == OpMapFence;
  assign load_o      = is_load;
  assign store_o     = is_store;

  //////////////////
  // Mode and dim //
  //////////////////

  logic [2:0] mode;
  logic       known, spatial, wide, list;

  assign mode    = cmd_i.mode[2:0];
  assign wide    = mode == ModeIm2colW || mode == ModeIm2colW128;
  assign spatial = wide || mode == ModeIm2col || mode == ModeIm2colNoOffs;
  assign list    = mode == ModeGather4 || mode == ModeScatter4;
  assign known   = cmd_i.mode[7:3] == '0 &&
                   (is_store ? mode == ModeTile || mode == ModeIm2colNoOffs || mode == ModeScatter4
                             : mode == ModeTile || mode == ModeIm2col || mode == ModeGather4 || wide);

  assign map_odd_o  = has_map && cmd_i.global_address[5:0] != '0;
  assign mode_bad_o = is_tensor && !known;
  assign dim_bad_o  = is_tensor && (cmd_i.dim > 8'd5 ||
                                    cmd_i.dim < (spatial ? 8'd3 : list ? 8'd2 : 8'd1) ||
                                    (list && cmd_i.dim != 8'd2));

  /////////////////////
  // Unused operands //
  /////////////////////

  logic [4:0][31:0] coord;
  logic [2:0]       coords;   // how many are used
  logic [1:0]       offsets;
  logic             unused;

  assign coord   = coords_of(cmd_i);
  assign coords  = list ? 3'd5 : cmd_i.dim[2:0];
  assign offsets = wide ? 2'd2 : mode == ModeIm2col ? 2'(cmd_i.dim[2:0] - 3'd2) : 2'd0;

  always_comb begin
    unused = 1'b0;
    for (int unsigned i = 0; i < 5; i++) if (3'(i) >= coords && coord[i] != '0) unused = 1'b1;
    for (int unsigned i = 0; i < 3; i++) if (2'(i) >= offsets && cmd_i.im2col[i] != '0) unused = 1'b1;
  end

  assign unused_bad_o = is_tensor && unused;

  //////////////
  // Barriers //
  //////////////

  assign pair_o = is_load && cmd_i.flags[FlagCtaGroup2];

  always_comb begin
    ctas_o  = cmd_i.cta_mask;
    again_o = '0;
    if (pair_o) begin
      ctas_o = '0;
      for (int unsigned p = 0; p < 16; p += 2) begin
        if (cmd_i.barrier[24]) begin
          ctas_o[p+1]  = cmd_i.cta_mask[p] || cmd_i.cta_mask[p+1];
          again_o[p+1] = cmd_i.cta_mask[p] && cmd_i.cta_mask[p+1];
        end else begin
          ctas_o[p]    = cmd_i.cta_mask[p] || cmd_i.cta_mask[p+1];
          again_o[p]   = cmd_i.cta_mask[p] && cmd_i.cta_mask[p+1];
        end
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^cmd_i;

endmodule
