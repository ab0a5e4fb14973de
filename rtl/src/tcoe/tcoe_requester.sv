// SPDX-License-Identifier: MIT OR Apache-2.0
// The requester, second of the paper's five components: it asks the memory port for the planned
// bursts, one after the other.
//
// Timing: `start` loads the plan. From the next cycle, as soon as `hold` is low, npi_addrreq is
// high with address and size until npi_addrack. In the cycle after the acknowledge the next burst's
// request is there, or none. Several bursts may be on their way: the port withholds its acknowledge
// while it has two. `abort` drops the rest.
//
// Shape: the requester never looks at the data. It keeps the page that it is at and the number of
// pages left, copied at the start, so the processor may write the next job's address while this one
// runs.
module tcoe_requester #(
    parameter int PAGE_BITS = 8
) (
    input logic clk,
    input logic rst,

    input logic                  start,
    input logic                  abort,
    input logic                  hold,
    input logic [          31:3] address,
    input logic [16-PAGE_BITS:0] pages,
    input logic [           1:0] first_burst,
    input logic [           1:0] last_burst,

    output logic [31:0] npi_addr,
    output logic        npi_addrreq,
    input  logic        npi_addrack,
    output logic [ 3:0] npi_size
);
  logic [31:PAGE_BITS] page;
  logic [7:3] place;  // of the first word in its page; zero from the second page on
  logic [16-PAGE_BITS:0] left;
  logic [1:0] burst, last_kind;
  logic active;
  logic [4:0] mask;

  localparam logic [1:0] Longest =
      PAGE_BITS == 8 ? tcoe_pkg::Burst256 : PAGE_BITS == 7 ? tcoe_pkg::Burst128 :
      PAGE_BITS == 6 ? tcoe_pkg::Burst64 :
      tcoe_pkg::Burst8;

  localparam logic [7:0] PageMask = 8'hFF >> (8 - PAGE_BITS);

  assign mask = tcoe_pkg::burst_mask(burst);
  assign npi_addrreq = active && !hold;
  assign npi_addr = {page, {PAGE_BITS{1'b0}}} | {24'd0, place & ~mask, 3'd0};
  assign npi_size = tcoe_pkg::npi_size(burst);

  always_ff @(posedge clk) begin
    if (rst || abort) active <= 1'b0;
    else if (start) active <= 1'b1;
    else if (npi_addrack && npi_addrreq && left == 0) active <= 1'b0;

    if (start) begin
      page      <= address[31:PAGE_BITS];
      place     <= address[7:3] & PageMask[7:3];
      left      <= pages;
      burst     <= first_burst;
      last_kind <= last_burst;
    end else if (npi_addrack && npi_addrreq) begin
      page  <= page + 1'b1;
      place <= 5'd0;
      left  <= left - 1'b1;
      burst <= left == 1 ? last_kind : Longest;
    end
  end
endmodule
