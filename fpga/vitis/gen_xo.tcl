# SPDX-License-Identifier: Apache-2.0
# vivado -mode batch -source gen_xo.tcl -tclargs CONFIG SOURCES WORK XO
#
# Makes the kernel of configuration CONFIG from the RTL in the folder SOURCES. WORK is a folder for what lies between, XO the
# file that is written. The Makefile calls it.

if {[llength $argv] != 4} {
  error "usage: gen_xo.tcl -tclargs CONFIG SOURCES WORK XO"
}
lassign $argv config sources work xo

set here [file dirname [file normalize [info script]]]
set description $here/gen/kernel_$config.tcl
set kernel_xml $here/gen/kernel_$config.xml
foreach path [list $sources $description $kernel_xml] {
  if {![file exists $path]} {
    error "gen_xo.tcl: $path is not there"
  }
}
set project $work/project
set ip $work/ip

source $here/package_kernel.tcl
package_xo -force -xo_path $xo -kernel_name $tma_kernel -ip_directory $ip -kernel_xml $kernel_xml -ctrl_protocol ap_ctrl_hs
