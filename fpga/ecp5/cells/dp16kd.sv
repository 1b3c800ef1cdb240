// SPDX-License-Identifier: Apache-2.0
// Block RAM of an ECP5 for simulation, as the engine's synthesis uses it: 18 kbit, without output registers and resets. Of two shapes:
//
//   DATA_WIDTH 36: 512 rows. A writes, in bytes of 9 bits that ADA3..ADA0 enable, B reads.
//   DATA_WIDTH 18: 1024 rows, two ports that read, and write in bytes that AD1..AD0 enable. READBEFOREWRITE: a port that writes
//   reads what was there.
//
// A read of a row that the other port writes in the same cycle gives nothing that one may use: here the complement of what was there.

module DP16KD #(
  parameter DATA_WIDTH_A = 18,
  parameter DATA_WIDTH_B = 18,
  parameter REGMODE_A = "NOREG",
  parameter REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC",
  parameter ASYNC_RESET_RELEASE = "SYNC",
  parameter CSDECODE_A = "0b000",
  parameter CSDECODE_B = "0b000",
  parameter WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL",
  parameter CLKAMUX = "CLKA",
  parameter CLKBMUX = "CLKB",
  parameter GSR = "ENABLED"
) (
  input  logic DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
  input  logic ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
  input  logic CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output logic DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
  input  logic DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
  input  logic ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
  input  logic CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output logic DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
);

  if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CLKAMUX != "CLKA" || CLKBMUX != "CLKB") $error("not modelled");

  logic [17:0] dia, dib, doa, dob;
  logic [13:0] ada, adb;
  assign dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  assign dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
  assign ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  assign adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = doa;
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = dob;

  if (DATA_WIDTH_A == 36 && DATA_WIDTH_B == 36) begin : g_simple
    logic [35:0] mem [512];
    logic [35:0] di, q;

    assign di  = {dib, dia};
    assign doa = q[17:0];
    assign dob = q[35:18];

    always_ff @(posedge CLKA) begin
      for (int i = 0; i < 4; i++) if (CEA && WEA && ada[i]) mem[ada[13:5]][9*i +: 9] <= di[9*i +: 9];
    end
    always_ff @(posedge CLKB) begin
      if (CEB) q <= CEA && WEA && ada[3:0] != '0 && ada[13:5] == adb[13:5] ? ~mem[adb[13:5]] : mem[adb[13:5]];
    end
  end else if (DATA_WIDTH_A == 18 && DATA_WIDTH_B == 18) begin : g_true
    logic [17:0] mem [1024];
    logic        writes_a, writes_b, meets;

    assign writes_a = CEA && WEA && ada[1:0] != '0;
    assign writes_b = CEB && WEB && adb[1:0] != '0;
    assign meets    = ada[13:4] == adb[13:4];

    always_ff @(posedge CLKA) begin
      for (int i = 0; i < 2; i++) if (CEA && WEA && ada[i]) mem[ada[13:4]][9*i +: 9] <= dia[9*i +: 9];
      for (int i = 0; i < 2; i++) if (CEB && WEB && adb[i]) mem[adb[13:4]][9*i +: 9] <= dib[9*i +: 9];
      if (CEA && (!writes_a || WRITEMODE_A == "READBEFOREWRITE")) doa <= writes_b && meets ? ~mem[ada[13:4]] : mem[ada[13:4]];
      if (CEB && (!writes_b || WRITEMODE_B == "READBEFOREWRITE")) dob <= writes_a && meets ? ~mem[adb[13:4]] : mem[adb[13:4]];
    end
  end else begin : g_other
    $error("not modelled");
  end

endmodule
