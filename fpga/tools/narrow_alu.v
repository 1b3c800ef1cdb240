// SPDX-License-Identifier: Apache-2.0
// For yosys' techmap: additions, subtractions and comparisons of up to six bits in LUTs. A carry chain of an ECP5 costs
// two LUTs to enter and two to leave, and lets nothing be optimized across it.
(* techmap_celltype = "$alu" *)
module narrow_alu (A, B, CI, BI, X, Y, CO);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;

  input  [A_WIDTH-1:0] A;
  input  [B_WIDTH-1:0] B;
  input                CI, BI;
  output [Y_WIDTH-1:0] X, Y, CO;

  // An operand without bits would have no cell that extends it.
  wire _TECHMAP_FAIL_ = Y_WIDTH > 6 || A_WIDTH == 0 || B_WIDTH == 0;

  wire [Y_WIDTH-1:0] a, b, carry;

  generate
    if (A_WIDTH > 0) \$pos #(.A_SIGNED(A_SIGNED), .A_WIDTH(A_WIDTH), .Y_WIDTH(Y_WIDTH)) extend_a (.A(A), .Y(a));
    if (B_WIDTH > 0) \$pos #(.A_SIGNED(B_SIGNED), .A_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) extend_b (.A(B), .Y(b));
  endgenerate

  assign X = a ^ b ^ {Y_WIDTH{BI}};
  assign Y = X ^ carry;

  genvar i;
  generate
    for (i = 0; i < Y_WIDTH; i = i + 1) begin : bits
      if (i == 0) assign carry[i] = CI;
      else        assign carry[i] = CO[i-1];
      assign CO[i] = X[i] ? carry[i] : a[i];
    end
  endgenerate
endmodule
