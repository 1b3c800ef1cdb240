# SPDX-License-Identifier: Apache-2.0
# tclsh stubs.tcl -mode batch .. -source SCRIPT -tclargs ARG.. - stands in for Vivado: runs SCRIPT and writes its calls to the file
# that STUB_CALLS names, a line for each, words separated by 0x1F.
#
# It knows the commands and properties that package a kernel, finds interfaces by the names of the ports of the packaged RTL,
# and refuses what names anything else. So it is what Vivado's documentation says of them, as far as that goes, and no more.

set stub_calls [open $::env(STUB_CALLS) w]

proc record {args} {
  puts $::stub_calls [join $args \x1f]
}

# Options that take a value, and flags, of each command; what is left are its other words.
proc parse {name valued flags words} {
  set options {}
  set others {}
  for {set i 0} {$i < [llength $words]} {incr i} {
    set word [lindex $words $i]
    if {$word in $flags} {
      dict set options $word 1
    } elseif {$word in $valued} {
      dict set options $word [lindex $words [incr i]]
    } elseif {[string match -?* $word]} {
      error "$name: no option $word"
    } else {
      lappend others $word
    }
  }
  return [list $options $others]
}

# An object is KIND:NAME. These are what it may be told.
array set properties {
  core {name version core_revision sdx_kernel sdx_kernel_type supported_families auto_family_support_level}
  busif {slave_memory_map_ref}
  busparam {value value_resolve_type}
  map {}
  block {range width}
  register {description address_offset size}
  field {description bit_offset bit_width access modified_write_value read_action}
  regparam {value}
  files {file_type}
  fileset {top}
}
array set made {}
set added {}
set busifs {}
set clocked {}

proc make_object {kind name parent} {
  if {[info exists ::made($kind:$parent/$name)]} {
    error "there is a $kind $name already"
  }
  set ::made($kind:$parent/$name) 1
  return $kind:$parent/$name
}

proc need {kind object} {
  if {![info exists ::made($object)] || ![string match $kind:* $object]} {
    error "`$object` is no $kind"
  }
}

proc set_property {name value object} {
  if {![info exists ::made($object)]} {
    error "set_property: there is no `$object`"
  }
  set kind [lindex [split $object :] 0]
  if {$name ni $::properties($kind)} {
    error "set_property: a $kind has no $name"
  }
  record set_property $name $value $object
}

#
# The project.
#

proc create_project {args} {
  lassign [parse create_project {-part} {-force} $args] options others
  if {[llength $others] != 2} { error "create_project: NAME FOLDER" }
  record create_project {*}$others
}

proc add_files {args} {
  lassign [parse add_files {-fileset} {-norecurse} $args] options others
  foreach path [join $others] {
    if {![file exists $path]} { error "add_files: $path is not there" }
    lappend ::added $path
  }
  record add_files {*}[lmap path [join $others] {file tail $path}]
}

proc get_files {pattern} {
  if {![llength [lsearch -all -glob $::added $pattern]]} { error "get_files: nothing is $pattern" }
  set ::made(files:$pattern) 1
  return files:$pattern
}

proc current_fileset {} {
  set ::made(fileset:sources_1) 1
  return fileset:sources_1
}

proc update_compile_order {args} {
  parse update_compile_order {-fileset} {} $args
  record update_compile_order
}

proc close_project {args} {
  parse close_project {} {-delete} $args
  record close_project
}

proc package_xo {args} {
  lassign [parse package_xo {-xo_path -kernel_name -ip_directory -kernel_xml -ctrl_protocol} {-force} $args] options others
  if {[llength $others]} { error "package_xo: $others" }
  if {![file exists [dict get $options -ip_directory]/component.xml]} { error "package_xo: there is no IP" }
  if {![file exists [dict get $options -kernel_xml]]} { error "package_xo: there is no kernel_xml" }
  record package_xo {*}[dict remove $options -force]
  close [open [dict get $options -xo_path] w]
}

#
# The IP.
#

namespace eval ipx {}

# AXI by its valids, clocks and resets by their ends.
proc find_interfaces {} {
  foreach path $::added {
    set file [open $path]
    set text [read $file]
    close $file
    if {![regexp {\nmodule tma_kernel\s} $text]} continue
    foreach {all way name} [regexp -all -inline -line {^\s*(input|output)\s+logic\s+(?:\[[^]]*\]\s+)?(\w+),?$} $text] {
      if {[regexp {^(\w+)_(AW|W|B|AR|R)VALID$} $name all prefix] && $prefix ni $::busifs} { lappend ::busifs $prefix }
      if {[regexp {(_clk|_rst_n)$} $name]} { lappend ::busifs $name }
    }
  }
}

proc ipx::package_project {args} {
  lassign [parse package_project {-root_dir -vendor -library -taxonomy -set_current} {-import_files} $args] options others
  find_interfaces
  foreach name $::busifs { make_object busif $name core }
  set ::made(core:core) 1
  file mkdir [dict get $options -root_dir]
  set ::component [dict get $options -root_dir]/component.xml
  record package_project {*}[dict remove $options -root_dir -set_current]
}

proc ipx::current_core {} {
  need core core:core
  return core:core
}

proc ipx::associate_bus_interfaces {args} {
  lassign [parse associate_bus_interfaces {-busif -clock -reset} {-quiet} $args] options core
  need core $core
  foreach name [dict values [dict remove $options -quiet]] { need busif busif:core/$name }
  lappend ::clocked [dict get $options -busif]
  record associate_bus_interfaces {*}$options
}

proc ipx::get_bus_interfaces {args} {
  lassign [parse get_bus_interfaces {-of_objects} {} $args] options name
  need core [dict get $options -of_objects]
  need busif busif:core/$name
  return busif:core/$name
}

proc child {command kind parent_kind words} {
  lassign [parse $command {} {-quiet} $words] options others
  lassign $others name parent
  need $parent_kind $parent
  record $command $name $parent
  return [make_object $kind $name [lindex [split $parent :] 1]]
}

proc ipx::add_bus_parameter {args} { child add_bus_parameter busparam busif $args }
proc ipx::add_memory_map {args} { child add_memory_map map core $args }
proc ipx::add_address_block {args} { child add_address_block block map $args }
proc ipx::add_register {args} { child add_register register block $args }
proc ipx::add_field {args} { child add_field field register $args }
proc ipx::add_register_parameter {args} { child add_register_parameter regparam register $args }

proc finish {command words} {
  lassign [parse $command {} {-kernel} $words] options core
  need core $core
  record $command {*}[dict keys $options]
}

proc ipx::create_xgui_files {args} { finish create_xgui_files $args }
proc ipx::update_checksums {args} { finish update_checksums $args }

proc ipx::check_integrity {args} {
  finish check_integrity $args
  foreach name $::busifs {
    if {[string match *_axi_* $name] && $name ni $::clocked} { error "check_integrity: $name has no clock" }
  }
}

proc ipx::save_core {args} {
  finish save_core $args
  close [open $::component w]
}

set at [lsearch $argv -source]
set script [lindex $argv $at+1]
set after [lsearch $argv -tclargs]
set argv [lrange $argv $after+1 end]
set argc [llength $argv]
set argv0 $script
source $script
close $stub_calls
