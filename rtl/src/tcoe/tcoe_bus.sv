// SPDX-License-Identifier: MIT OR Apache-2.0
// The slave side of the processor local bus (CoreConnect PLB v4.6). It makes single 32-bit
// transfers, which is all that five registers need.
//
// Timing: the slave sees a request in cycle 0 and acknowledges it in cycle 1. A write is done in
// cycle 1: its data are taken with the address acknowledge. A read brings its data in cycle 3. The
// bus ORs its slaves, so the read bus is zero between the engine's answers. The slave acknowledges
// a transfer that it cannot make (not a whole word, or past the last register) with an error, and
// changes nothing. It does not answer bursts, cache lines, or other addresses; without another
// slave, the bus times out.
//
// Shape: registered answers keep the bus's long lines out of the engine's paths. They cost one
// cycle of an access, and the paper measures hundreds of cycles an access.
module tcoe_bus #(
    parameter logic [31:0] BASE = 32'hC0000000  // a multiple of 32
) (
    input logic clk,
    input logic rst,

    input  logic [31:0] plb_abus,
    input  logic        plb_pavalid,
    input  logic        plb_rnw,
    input  logic [ 3:0] plb_be,
    input  logic [ 3:0] plb_size,
    input  logic [ 2:0] plb_type,
    input  logic [31:0] plb_wrdbus,
    output logic        sl_addrack,
    output logic        sl_wrdack,
    output logic        sl_wrcomp,
    output logic        sl_wrerr,
    output logic [31:0] sl_rddbus,
    output logic        sl_rddack,
    output logic        sl_rdcomp,
    output logic        sl_rderr,

    output logic [ 2:0] index,  // which register, valid with write and while a read is under way
    output logic        write,  // one cycle: wdata goes into that register
    output logic [31:0] wdata,
    input  logic [31:0] rdata   // that register's value
);
  logic hit;
  logic bad, reading, read_ready;

  assign hit = plb_pavalid && plb_abus[31:5] == BASE[31:5] && plb_size == 4'd0 && plb_type == 3'd0;

  assign wdata = plb_wrdbus;
  assign write = sl_wrdack && !bad;
  assign sl_wrcomp = sl_wrdack;
  assign sl_rdcomp = sl_rddack;
  assign sl_wrerr = sl_wrdack && bad;
  assign sl_rderr = sl_rddack && bad;

  always_ff @(posedge clk) begin
    if (rst) begin
      sl_addrack <= 1'b0;
      sl_wrdack  <= 1'b0;
      reading    <= 1'b0;
      read_ready <= 1'b0;
      sl_rddack  <= 1'b0;
    end else begin
      // The request is still there while it is acknowledged, and must not count again.
      sl_addrack <= hit && !sl_addrack && !reading && !read_ready;
      sl_wrdack  <= hit && !sl_addrack && !reading && !read_ready && !plb_rnw;
      reading    <= hit && !sl_addrack && !reading && !read_ready && plb_rnw;
      read_ready <= reading;
      sl_rddack  <= read_ready;
    end
    if (hit && !sl_addrack && !reading && !read_ready) begin
      index <= plb_abus[4:2];
      bad   <= plb_be != 4'b1111 || plb_abus[1:0] != 2'd0 || plb_abus[4:2] > tcoe_pkg::RegChecksum;
    end
    if (read_ready && !bad) sl_rddbus <= rdata;
    else sl_rddbus <= 32'd0;
  end
endmodule
