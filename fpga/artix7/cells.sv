// SPDX-License-Identifier: Apache-2.0
// Cells of Xilinx that the sources name: what the front end has to know of them.

(* blackbox *)
module BUFG (
  input  logic I,
  output logic O
);
endmodule
