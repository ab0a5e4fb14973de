// SPDX-License-Identifier: MIT OR Apache-2.0
// The TCP checksum offload engine: five registers on the processor local bus (PLB), a 64-bit native
// port (NPI) of a multiport memory controller, and between them the five components of C.
// Valerio-Regalado and A. Avila-Ortega, "Design and implementation of a TCP checksum offload engine
// based on the multiport memory controller and the processor local bus" (LACCEI 2012).
//
// The engine computes the Internet checksum (RFC 1071) of up to 65535 bytes that start at any
// address, one beat of eight bytes a cycle. Software writes ADDRESS and BYTES, then 0 and 1 to
// INPUT, polls OUTPUT for ready, and reads CHECKSUM (tcoe_registers.sv).
//
// Interface: both buses share one clock; rst is synchronous and active high. The engine has no
// write side of the port: tie the port's write inputs low, npi_rnw high, and npi_rdmodwr low. Byte
// k of a beat, data[8k+7:8k], comes from the k-th address.
//
// Corner cases: a job of no bytes is ready at once, with checksum 0xFFFF and no memory access. A
// job of more than 65535 bytes is ready at once, with an error. The engine ignores a start while a
// job runs. ADDRESS or BYTES written while a job runs count for the next one. A port that is silent
// for 4096 cycles ends the job with an error. A reset ends the job without ready, and no beat of
// the old job counts later.
//
// Shape: each component of the paper is one module. Odd addresses need no lanes of their own.
// Swapping the bytes of all words swaps the bytes of their sum (RFC 1071 section 2 (B)), so one
// multiplexer after the sum suffices.
module tcoe #(
    parameter logic [31:0] BASE   = 32'hC0000000,  // of the registers
    parameter logic [ 3:0] BURSTS = 4'b1111        // 256, 128, 64, 8 bytes: which may be asked for
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

    output logic [31:0] npi_addr,
    output logic        npi_addrreq,
    input  logic        npi_addrack,
    output logic [ 3:0] npi_size,
    input  logic [63:0] npi_rdfifo_data,
    output logic        npi_rdfifo_pop,
    output logic        npi_rdfifo_flush,
    input  logic        npi_rdfifo_empty,
    input  logic [ 1:0] npi_rdfifo_latency
);
  localparam int PageBits = BURSTS[3] ? 8 : BURSTS[2] ? 7 : BURSTS[1] ? 6 : 3;

  logic [2:0] index;
  logic write;
  logic [31:0] wdata, rdata;
  logic [31:0] address;
  logic [15:0] bytes;
  logic too_long, start, done, failed;
  logic [16-PageBits:0] pages;
  logic [7:0] last;
  logic [1:0] first_burst, last_burst;
  logic exact;
  logic none, fetch;
  logic take, fold, taking, finished, odd, hold, abort;
  logic [7:0] enable;
  logic [15:0] sum, value;

  assign none  = bytes == 16'd0;
  assign fetch = start && !none && !too_long;
  assign value = odd ? {sum[7:0], sum[15:8]} : sum;

  tcoe_bus #(.BASE(BASE)) i_bus (.*);
  tcoe_registers i_registers (
      .sum(value),
      .*
  );
  tcoe_planner #(
      .BURSTS(BURSTS)
  ) i_planner (
      .address(address[7:0]),
      .*
  );
  tcoe_requester #(
      .PAGE_BITS(PageBits)
  ) i_requester (
      .start  (fetch),
      .address(address[31:3]),
      .*
  );
  tcoe_receiver #(
      .PAGE_BITS(PageBits)
  ) i_receiver (
      .empty_job(none),
      .bad_job  (too_long),
      .address  (address[7:0]),
      .*
  );
  tcoe_adder i_adder (
      .clear(start),
      .data (npi_rdfifo_data),
      .*
  );
  tcoe_flush i_flush (
      .start(fetch),
      .progress(npi_addrack || take),
      .*
  );
endmodule
