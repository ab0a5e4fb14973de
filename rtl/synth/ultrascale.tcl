# SPDX-License-Identifier: MIT OR Apache-2.0
# Synthesizes, places and routes a block out of context with Vivado, on an UltraScale+. Untested:
# the project has no vendor tools.
#
#   vivado -mode batch -source rtl/synth/ultrascale.tcl -tclargs BLOCK MHZ [NAME=VALUE ...]
#   vivado -mode batch -source rtl/synth/ultrascale.tcl -tclargs rx_pass 322.265625 DATA_WIDTH=512
#
# PART in the environment names another part. The reports and the checkpoint go into
# build/rtl/ultrascale/BLOCK.
set part [expr {[info exists ::env(PART)] ? $::env(PART) : "xcvu9p-flga2104-2L-e"}]
set block [lindex $argv 0]
set clock [lindex $argv 1]
set generics [lrange $argv 2 end]
if {[llength $argv] < 2} {
    puts stderr "which block, and how many MHz?"
    exit 1
}

# The files of a list, which are relative to the list's folder.
proc files {list} {
    set found {}
    set channel [open $list]
    foreach line [split [read $channel] "\n"] {
        if {$line ne "" && ![string match "//*" $line]} {
            lappend found [file normalize [file join [file dirname $list] $line]]
        }
    }
    close $channel
    return $found
}
set rtl [file dirname [file dirname [file normalize [info script]]]]
set list [expr {$block eq "engine" ? "engine/engine.f" : "stream/stream.f"}]
set reports [file join [file dirname $rtl] build rtl ultrascale $block]
file mkdir $reports

read_verilog -sv [files [file join $rtl src $list]]
synth_design -mode out_of_context -top wiresum_$block -part $part -generic $generics
create_clock -name clk -period [expr {1000.0 / $clock}] [get_ports clk]
# A neighbor's register is assumed at each port, half a cycle away.
set half [expr {500.0 / $clock}]
set inputs [get_ports -filter {DIRECTION == IN && NAME != clk}]
set_input_delay -clock clk $half $inputs
set_output_delay -clock clk $half [all_outputs]
opt_design
place_design
phys_opt_design
route_design
report_timing_summary -file [file join $reports timing.txt]
report_utilization -file [file join $reports utilization.txt]
write_checkpoint -force [file join $reports routed.dcp]
set slack [get_property SLACK [get_timing_paths]]
puts "$block $generics: slack $slack ns at $clock MHz on $part"
exit [expr {$slack < 0}]
