// SPDX-License-Identifier: Apache-2.0
// What a slice of an ECP5 has, for simulation: LUT, carry, flip-flop, memory.

module LUT4 #(
  parameter [15:0] INIT = '0
) (
  input  logic A, B, C, D,
  output logic Z
);

  assign Z = INIT[{D, C, B, A}];

endmodule

// Two bits of a sum. A LUT says if a bit of the carry goes on, its half of two inputs what it is if not.
module CCU2C #(
  parameter [15:0] INIT0 = '0,
  parameter [15:0] INIT1 = '0,
  parameter        INJECT1_0 = "YES",
  parameter        INJECT1_1 = "YES"
) (
  input  logic CIN, A0, B0, C0, D0, A1, B1, C1, D1,
  output logic S0, S1, COUT
);

  logic goes_0, goes_1, carry;

  assign goes_0 = INIT0[{D0, C0, B0, A0}];
  assign goes_1 = INIT1[{D1, C1, B1, A1}];
  assign S0     = goes_0 ^ (INJECT1_0 != "YES" && CIN);
  assign S1     = goes_1 ^ (INJECT1_1 != "YES" && carry);
  assign carry  = goes_0 ? CIN : INJECT1_0 != "YES" && INIT0[{2'b00, B0, A0}];
  assign COUT   = goes_1 ? carry : INJECT1_1 != "YES" && INIT1[{2'b00, B1, A1}];

endmodule

module TRELLIS_FF #(
  parameter GSR = "ENABLED",
  parameter CEMUX = "1",
  parameter CLKMUX = "CLK",
  parameter LSRMUX = "LSR",
  parameter SRMODE = "LSR_OVER_CE",
  parameter REGSET = "RESET"
) (
  input  logic CLK, LSR, CE, DI, M,
  output logic Q
);

  if (CLKMUX != "CLK" || LSRMUX != "LSR") $error("not modelled");

  logic enable;
  assign enable = CEMUX == "CE" ? CE : CEMUX == "INV" ? !CE : 1'b1;

  always_ff @(posedge CLK) begin
    if (LSR)         Q <= REGSET == "SET";
    else if (enable) Q <= DI;
  end

endmodule

module TRELLIS_DPR16X4 #(
  parameter        WCKMUX = "WCK",
  parameter        WREMUX = "WRE",
  parameter [63:0] INITVAL = '0
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
