# SPDX-License-Identifier: Apache-2.0
# Generated from rtl/spec/shell.rdl and rtl/pkg/tma_cfg_small_pkg.sv by make gen. Do not edit.
#
# What package_kernel.tcl tells Vivado of the kernel of configuration `small`.

set tma_kernel tma_kernel
set tma_vendor tramway
set tma_library kernel
set tma_version 1.0
set tma_control s_axi_control
set tma_control_bytes 65536

# Of ap_ctrl_hs: name, offset, bits, what it is, fields: name, lsb, bits, access, of a write, of a read, what it is.
set tma_registers {
  {CTRL 0x000 32 {Control. As of ap_ctrl_hs. The engine takes its work from rings, so a start has nothing to do and is done at once.} {
    {AP_START 0 1 read-write modify none {start; reads 0}}
    {AP_DONE 1 1 read-only none clear {there was a start; cleared by reading}}
    {AP_IDLE 2 1 read-only none none {the engine's: nothing is queued or in flight}}
    {AP_READY 3 1 read-only none clear {as ap_done}}
  }}
  {GIER 0x004 32 {Global interrupt enable. For the interrupts of ap_ctrl_hs; the engine's has masks of its own.} {
    {ENABLE 0 1 read-write none none {interrupts on}}
  }}
  {IP_IER 0x008 32 {Interrupt enable. What sets ISR.} {
    {AP_DONE 0 1 read-write none none {a start is done}}
    {AP_READY 1 1 read-write none none {the same}}
  }}
  {IP_ISR 0x00C 32 {Interrupt status. Writing 1 clears.} {
    {AP_DONE 0 1 read-write oneToClear none {a start was done}}
    {AP_READY 1 1 read-write oneToClear none {the same}}
  }}
}

# Pointers: name, offset, bits, port, bits of the port.
set tma_arguments {
  {memory0 0x7C0 64 m_axi_gmem0 128}
}
