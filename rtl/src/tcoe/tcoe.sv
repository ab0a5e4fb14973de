// SPDX-License-Identifier: MIT OR Apache-2.0
// The TCP checksum offload engine: five registers on the processor local bus, a 64-bit native port (NPI) of a multiport memory
// controller, and between them the five components of C. Valerio-Regalado and A. Avila-Ortega, "Design and implementation of a
// TCP checksum offload engine based on the multiport memory controller and the processor local bus" (LACCEI 2012).
//
// It computes the Internet checksum (RFC 1071) of up to 65535 bytes that start at any address, one beat of eight bytes a cycle.
// Software writes ADDRESS and BYTES, then 0 and 1 to INPUT, polls OUTPUT for ready, and reads CHECKSUM (tcoe_registers.sv).
//
// Interface: one clock for both buses; rst is synchronous and active high. The write side of the port is not used: tie its inputs
// low, npi_rnw high, npi_rdmodwr low. Byte k of a beat, data[8k+7:8k], comes from the k-th address.
//
// What happens at the corners: no bytes: ready at once, checksum 0xFFFF, no memory access. More than 65535: ready at once, with
// error. A start while a job runs: ignored. ADDRESS or BYTES written while a job runs: for the next one. A port that stays
// silent for 4096 cycles: ready with error. A reset in mid-run: no job, not ready, and nothing of the old one ever counts.
//
// Why this shape: it is the paper's, a component a module. Odd addresses need no lanes of their own: the bytes of the words are
// swapped, so the bytes of their sum are (RFC 1071 section 2 (B)), and one multiplexer behind the sum swaps them back.
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
