// SPDX-License-Identifier: Apache-2.0
// For yosys' techmap: LUT memories of fewer than 16 rows. Their unused address bits are 0, and nextpnr has one driver
// of zeros: with a board's memories a net of 18,000 ends all over the chip, with which its router did not come to its
// end. A bit that repeats another one comes from next door, and one row stays one row, whichever it is.
(* techmap_celltype = "TRELLIS_DPR16X4" *)
module ram_address (DI, WAD, WRE, WCK, RAD, DO);
  parameter WCKMUX = "WCK";
  parameter WREMUX = "WRE";
  parameter [63:0] INITVAL = 64'bx;
  parameter [3:0] _TECHMAP_CONSTMSK_WAD_ = 4'b0;
  parameter [3:0] _TECHMAP_CONSTVAL_WAD_ = 4'b0;
  parameter [3:0] _TECHMAP_CONSTMSK_RAD_ = 4'b0;
  parameter [3:0] _TECHMAP_CONSTVAL_RAD_ = 4'b0;

  input  [3:0] DI, WAD, RAD;
  input        WRE, WCK;
  output [3:0] DO;

  // Bits that are 0 of every address.
  localparam [3:0] unused = _TECHMAP_CONSTMSK_WAD_ & ~_TECHMAP_CONSTVAL_WAD_ &
                            _TECHMAP_CONSTMSK_RAD_ & ~_TECHMAP_CONSTVAL_RAD_;

  // Rows with a value from the start would have to move. Bit 0 is the one to repeat.
  wire _TECHMAP_FAIL_ = INITVAL !== 64'bx || unused == 4'b0 || unused[0];

  wire [3:0] wad, rad;

  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : bits
      if (unused[i]) assign {wad[i], rad[i]} = {WAD[0], RAD[0]};
      else           assign {wad[i], rad[i]} = {WAD[i], RAD[i]};
    end
  endgenerate

  TRELLIS_DPR16X4 #(.WCKMUX(WCKMUX), .WREMUX(WREMUX), .INITVAL(INITVAL)) _TECHMAP_REPLACE_ (
    .DI(DI), .DO(DO), .WRE(WRE), .WCK(WCK), .WAD(wad), .RAD(rad)
  );
endmodule
