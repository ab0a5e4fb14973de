// SPDX-License-Identifier: MIT OR Apache-2.0
// The register map and the burst lengths of the memory port, on which several modules must agree.
package tcoe_pkg;
  // Registers, by word index on the bus (byte offset / 4).
  localparam logic [2:0] RegAddress = 3'd0;
  localparam logic [2:0] RegBytes = 3'd1;
  localparam logic [2:0] RegInput = 3'd2;
  localparam logic [2:0] RegOutput = 3'd3;
  localparam logic [2:0] RegChecksum = 3'd4;

  // Bursts in use, shortest first: 8, 64, 128, 256 bytes. Each starts at a multiple of its length.
  localparam logic [1:0] Burst8 = 2'd0;
  localparam logic [1:0] Burst64 = 2'd1;
  localparam logic [1:0] Burst128 = 2'd2;
  localparam logic [1:0] Burst256 = 2'd3;

  // The code of a burst on the port's size lines (64-bit NPI: double word, 16, 32, 64 words).
  function automatic logic [3:0] npi_size(input logic [1:0] burst);
    case (burst)
      Burst8:   npi_size = 4'd0;
      Burst64:  npi_size = 4'd3;
      Burst128: npi_size = 4'd4;
      default:  npi_size = 4'd5;
    endcase
  endfunction

  // The bits of a beat's number within a 256-byte page that stand for its place in the burst.
  function automatic logic [4:0] burst_mask(input logic [1:0] burst);
    case (burst)
      Burst8:   burst_mask = 5'd0;
      Burst64:  burst_mask = 5'd7;
      Burst128: burst_mask = 5'd15;
      default:  burst_mask = 5'd31;
    endcase
  endfunction
endpackage
