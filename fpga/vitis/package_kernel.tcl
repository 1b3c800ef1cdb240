# SPDX-License-Identifier: Apache-2.0
# Packages the kernel as an IP of Vivado. gen_xo.tcl reads this file, and has set:
#
#   sources      folder with the RTL of one configuration, all of it in one folder
#   description  fpga/vitis/gen/kernel_CONFIG.tcl
#   project      folder for a project that is thrown away
#   ip           folder of the IP

source $description

# Properties of an object of ipx.
proc tma_set {object args} {
  foreach {name value} $args {
    set_property $name $value $object
  }
}

proc tma_add_register {block name offset bits text} {
  set register [ipx::add_register $name $block]
  tma_set $register description $text address_offset $offset size $bits
  return $register
}

proc tma_add_field {register field} {
  lassign $field name lsb bits access on_write on_read text
  set object [ipx::add_field $name $register]
  tma_set $object bit_offset $lsb bit_width $bits access $access description $text
  if {$on_write ne "none"} {
    tma_set $object modified_write_value $on_write
  }
  if {$on_read ne "none"} {
    tma_set $object read_action $on_read
  }
}

#
# The sources.
#

create_project -force $tma_kernel $project
add_files -norecurse [lsort [glob $sources/*.sv $sources/*.svh]]
set_property file_type {Verilog Header} [get_files *.svh]
set_property top $tma_kernel [current_fileset]
update_compile_order -fileset sources_1

# Interfaces are found by the names of the ports.
ipx::package_project -root_dir $ip -vendor $tma_vendor -library $tma_library -taxonomy /KernelIP \
  -import_files -set_current true
set core [ipx::current_core]
tma_set $core name $tma_kernel version $tma_version core_revision 1

#
# Interfaces.
#

set busifs [list $tma_control]
foreach argument $tma_arguments {
  lappend busifs [lindex $argument 3]
}
foreach busif $busifs {
  ipx::associate_bus_interfaces -busif $busif -clock ap_clk $core
}

# Vitis says at which frequency the kernel runs.
set clock [ipx::get_bus_interfaces ap_clk -of_objects $core]
set frequency [ipx::add_bus_parameter -quiet FREQ_HZ $clock]
tma_set $frequency value_resolve_type user

#
# Registers.
#

set map [ipx::add_memory_map -quiet $tma_control $core]
set block [ipx::add_address_block -quiet reg0 $map]
tma_set $block range $tma_control_bytes width 32
foreach entry $tma_registers {
  lassign $entry name offset bits text fields
  set register [tma_add_register $block $name $offset $bits $text]
  foreach field $fields {
    tma_add_field $register $field
  }
}
foreach argument $tma_arguments {
  lassign $argument name offset bits port
  set register [tma_add_register $block $name $offset $bits "memory that $port reaches"]
  set parameter [ipx::add_register_parameter ASSOCIATED_BUSIF $register]
  tma_set $parameter value $port
}
tma_set [ipx::get_bus_interfaces $tma_control -of_objects $core] slave_memory_map_ref $tma_control

#
# A kernel of Vitis.
#

tma_set $core sdx_kernel true sdx_kernel_type rtl supported_families {} auto_family_support_level level_2
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity -kernel $core
ipx::save_core $core
close_project -delete
