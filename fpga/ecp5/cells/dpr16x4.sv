// SPDX-License-Identifier: Apache-2.0
// LUT memory of an ECP5 for simulation.

module TRELLIS_DPR16X4 #(
  parameter WCKMUX = "WCK",
  parameter WREMUX = "WRE"
) (
  input  logic [3:0] DI, WAD, RAD,
  input  logic       WRE, WCK,
  output logic [3:0] DO
);

  if (WCKMUX != "WCK" || WREMUX != "WRE") $error("not modelled");

  logic [3:0] mem [16];

  always_ff @(posedge WCK) if (WRE) mem[WAD] <= DI;

  assign DO = mem[RAD];

endmodule
