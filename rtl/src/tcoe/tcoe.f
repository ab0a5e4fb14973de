// SPDX-License-Identifier: MIT OR Apache-2.0
// The engine in an order in which every tool can read it: the package first. The names are those of
// this folder: iverilog -f in it, or verilator -F from anywhere.
tcoe_pkg.sv
tcoe.sv
tcoe_adder.sv
tcoe_bus.sv
tcoe_flush.sv
tcoe_planner.sv
tcoe_receiver.sv
tcoe_registers.sv
tcoe_requester.sv
