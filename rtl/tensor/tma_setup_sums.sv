// SPDX-License-Identifier: Apache-2.0
// Sums of products: the addresses, in chunks, that the levels of a walk begin with.
//
// Each round adds the products of its lanes to what was there; `we_o` says in the same cycle which
// levels take their address from `addr_o`. A level's address is that of the row with all levels below
// restarted: the starts make the address of all levels, then each restart changes those above it.
// The rows of a list begin side by side. Reset: none.

module tma_setup_sums
  import tma_tensor_pkg::*;
  import tma_setup_pkg::*;
(
  input  logic                 clk_i,

  input  logic                 first_i,    // operand step of the first round: the sum begins
  input  gchunk_t              base_i,     // with these two
  input  gchunk_t              row_i,

  input  round_t               sum_i,
  input  gchunk_t [Lanes-1:0]  product_i,
  input  logic                 list_i,

  output gchunk_t [Levels-1:0] addr_o,
  output logic [Levels-1:0]    we_o        // if the round is valid
);

  gchunk_t acc_q, acc;

  always_comb begin
    acc    = acc_q;
    addr_o = '0;
    we_o   = '0;
    unique case (sum_i.op)
      OpStart: begin
        if (list_i) begin
          for (int unsigned i = 0; i < Levels; i++) addr_o[i] = acc_q + product_i[i % Lanes];
          for (int unsigned l = 0; l < Lanes; l++)  we_o[sum_i.group + index_t'(l)] = 1'b1;
        end else begin
          for (int unsigned l = 0; l < Lanes; l++)  acc = acc + product_i[l];
          for (int unsigned i = 0; i < Levels; i++) addr_o[i] = acc;
          we_o = '1;
        end
      end
      OpRestart: begin
        // What a level leaves behind when it restarts counts for all levels above it.
        for (int unsigned l = 0; l < Lanes; l++) begin
          acc = acc + product_i[l];
          for (int unsigned i = l + 1; i < Levels; i++) begin
            if (i > 32'(sum_i.group) + l) begin
              addr_o[i] = acc;
              we_o[i]   = 1'b1;
            end
          end
        end
      end
      default: acc = acc + product_i[0];
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (first_i)          acc_q <= base_i + row_i;
    else if (sum_i.valid) acc_q <= acc;
  end

endmodule
