// SPDX-License-Identifier: MIT OR Apache-2.0
// The five registers, as the processor sees them.
//
//   0x00 ADDRESS    address of the first byte; any alignment
//   0x04 BYTES      number of bytes, 0 to 65535; a start with more ends in an error
//   0x08 INPUT      bit 0: its rising edge starts a job, and is ignored while a job runs
//   0x0C OUTPUT     bit 0 ready: a job has ended and none runs
//                   bit 1 error: the job ended without a result; bit 2 busy: a job runs
//   0x10 CHECKSUM   bits 15..0 the checksum, bits 31..16 the sum; valid while ready and not error
//
// Timing: a write shows one cycle later. `start` is high for one cycle, the first in which bit 0 of
// INPUT reads 1. One cycle later ready and error are low and busy is high. `done` sets ready, and
// error with `failed`, and clears busy.
//
// Shape: the registers are the paper's, in its order. Error and busy are bits that the paper leaves
// at zero. The sum, from which software can go on, is in the half of CHECKSUM that the paper leaves
// free.
module tcoe_registers (
    input logic clk,
    input logic rst,

    input  logic [ 2:0] index,
    input  logic        write,
    input  logic [31:0] wdata,
    output logic [31:0] rdata,

    output logic [31:0] address,
    output logic [15:0] bytes,
    output logic        too_long,
    output logic        start,
    input  logic        done,
    input  logic        failed,    // with done
    input  logic [15:0] sum
);
  logic go, went, ready, error, busy;

  assign start = go && !went && !busy;

  always_ff @(posedge clk) begin
    if (rst) begin
      address  <= 32'd0;
      bytes    <= 16'd0;
      too_long <= 1'b0;
      go       <= 1'b0;
      went     <= 1'b0;
      ready    <= 1'b0;
      error    <= 1'b0;
      busy     <= 1'b0;
    end else begin
      if (write && index == tcoe_pkg::RegAddress) address <= wdata;
      if (write && index == tcoe_pkg::RegBytes) begin
        bytes    <= wdata[15:0];
        too_long <= wdata[31:16] != 16'd0;
      end
      if (write && index == tcoe_pkg::RegInput) go <= wdata[0];
      went <= go;
      if (start) begin
        ready <= 1'b0;
        error <= 1'b0;
        busy  <= 1'b1;
      end else if (done) begin
        ready <= 1'b1;
        error <= failed;
        busy  <= 1'b0;
      end
    end
  end

  always_comb begin
    case (index)
      tcoe_pkg::RegAddress: rdata = address;
      tcoe_pkg::RegBytes:   rdata = {15'd0, too_long, bytes};
      tcoe_pkg::RegInput:   rdata = {31'd0, go};
      tcoe_pkg::RegOutput:  rdata = {29'd0, busy, error, ready};
      default:              rdata = {sum, ~sum};
    endcase
  end
endmodule
