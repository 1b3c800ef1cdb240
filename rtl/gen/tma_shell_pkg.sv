// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/spec/shell.rdl by make gen. Do not edit.
//
// Addresses, fields and reset values of the registers of the shell. Writable: bits that a write may change.
package tma_shell_pkg;

  // A package offers all constants, no build uses each of them.
  /* verilator lint_off UNUSEDPARAM */

  // Control. As of ap_ctrl_hs. The engine takes its work from rings, so a start has nothing to do
  // and is done at once.
  localparam logic [16:0] ShellCtrlAddr = 17'h00000;
  localparam logic [31:0] ShellCtrlReset = 32'h00000004;
  localparam logic [31:0] ShellCtrlWritable = 32'h00000001;
  localparam int unsigned ShellCtrlApStartLsb = 0, ShellCtrlApStartWidth = 1;
  localparam int unsigned ShellCtrlApDoneLsb = 1, ShellCtrlApDoneWidth = 1;
  localparam int unsigned ShellCtrlApIdleLsb = 2, ShellCtrlApIdleWidth = 1;
  localparam int unsigned ShellCtrlApReadyLsb = 3, ShellCtrlApReadyWidth = 1;

  // Global interrupt enable. For the interrupts of ap_ctrl_hs; the engine's has masks of its own.
  localparam logic [16:0] ShellGieAddr = 17'h00004;
  localparam logic [31:0] ShellGieReset = 32'h00000000;
  localparam logic [31:0] ShellGieWritable = 32'h00000001;
  localparam int unsigned ShellGieEnableLsb = 0, ShellGieEnableWidth = 1;

  // Interrupt enable. What sets ISR.
  localparam logic [16:0] ShellIerAddr = 17'h00008;
  localparam logic [31:0] ShellIerReset = 32'h00000000;
  localparam logic [31:0] ShellIerWritable = 32'h00000003;
  localparam int unsigned ShellIerApDoneLsb = 0, ShellIerApDoneWidth = 1;
  localparam int unsigned ShellIerApReadyLsb = 1, ShellIerApReadyWidth = 1;

  // Interrupt status. Writing 1 clears.
  localparam logic [16:0] ShellIsrAddr = 17'h0000C;
  localparam logic [31:0] ShellIsrReset = 32'h00000000;
  localparam logic [31:0] ShellIsrWritable = 32'h00000003;
  localparam int unsigned ShellIsrApDoneLsb = 0, ShellIsrApDoneWidth = 1;
  localparam int unsigned ShellIsrApReadyLsb = 1, ShellIsrApReadyWidth = 1;

  // Pointer arguments. The kernel's argument of each global port, which XRT wants to have one and
  // nobody writes: nothing is behind the address, an access is refused.
  localparam logic [16:0] ShellArgumentAddr = 17'h007C0;
  localparam int unsigned ShellArgumentCount = 4, ShellArgumentStride = 8;
  localparam logic [16:0] ShellArgumentLoOffset = 17'h00000;
  localparam logic [31:0] ShellArgumentLoWritable = 32'hFFFFFFFF;
  localparam logic [16:0] ShellArgumentHiOffset = 17'h00004;
  localparam logic [31:0] ShellArgumentHiWritable = 32'hFFFFFFFF;

  // Shell. Tells software that there is a shell.
  localparam logic [16:0] ShellShellAddr = 17'h007E0;
  localparam logic [31:0] ShellShellReset = 32'h31534D54;

  // Refusals. Accesses that engine or shell have refused, modulo 2^32. The host gets OKAY, of a
  // read 0.
  localparam logic [16:0] ShellRefusalsAddr = 17'h007E4;
  localparam logic [31:0] ShellRefusalsReset = 32'h00000000;

  // Shared memory address. The word that SMEM_DATA is. Bits 1:0 read 0.
  localparam logic [16:0] ShellSmemAddressAddr = 17'h007F0;
  localparam logic [31:0] ShellSmemAddressReset = 32'h00000000;
  localparam logic [31:0] ShellSmemAddressWritable = 32'hFFFFFFFC;
  localparam int unsigned ShellSmemAddressOffsetLsb = 2, ShellSmemAddressOffsetWidth = 22;
  localparam int unsigned ShellSmemAddressCtaLsb = 24, ShellSmemAddressCtaWidth = 8;

  // Shared memory data. The word at SMEM_ADDRESS, through the external port of the CTA; then
  // SMEM_ADDRESS is 4 more. Outside of shared memory it is refused.
  localparam logic [16:0] ShellSmemDataAddr = 17'h007F4;
  localparam logic [31:0] ShellSmemDataWritable = 32'hFFFFFFFF;

  // Shared memory strobe. Bytes that a write of SMEM_DATA writes.
  localparam logic [16:0] ShellSmemStrobeAddr = 17'h007F8;
  localparam logic [31:0] ShellSmemStrobeReset = 32'h0000000F;
  localparam logic [31:0] ShellSmemStrobeWritable = 32'h0000000F;
  localparam int unsigned ShellSmemStrobeBytesLsb = 0, ShellSmemStrobeBytesWidth = 4;
  /* verilator lint_on UNUSEDPARAM */

endpackage
