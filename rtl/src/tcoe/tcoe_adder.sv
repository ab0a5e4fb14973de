// SPDX-License-Identifier: MIT OR Apache-2.0
// The nine-input adder, fourth of the paper's five components. A latch before each of the first
// eight inputs passes its byte or a null; the ninth input is the sum itself.
//
// Timing: a beat with `take` is in the latches one cycle later and in the sum two cycles later.
// Without `take` the latches hold nulls, and the sum stays. `clear` nulls the sum for one cycle.
// `fold` adds the upper half of the sum to the lower; after two folds the upper half is zero.
// Neither `clear` nor `fold` comes together with a beat.
//
// Shape: no carry is fed back while beats come, so the loop holds one carry chain. 65535 bytes
// touch at most 32768 words of 0xFFFF, 0x7FFF8000 in all, so 32 bits never overflow. Two folds
// suffice: the first leaves at most 0xFFFF + 0x7FFF = 0x17FFE, the second at most 0xFFFF.
module tcoe_adder (
    input logic clk,
    input logic rst,

    input  logic        clear,
    input  logic        take,
    input  logic [ 7:0] enable,
    input  logic [63:0] data,    // byte k is the one at the k-th address
    input  logic        fold,
    output logic [15:0] sum      // of big-endian words
);
  logic [63:0] latch;
  logic [31:0] total;
  logic [9:0] high, low;  // sums of the bytes at even and at odd addresses

  assign high = {2'd0, latch[7:0]} + {2'd0, latch[23:16]}
      + {2'd0, latch[39:32]} + {2'd0, latch[55:48]};
  assign low = {2'd0, latch[15:8]} + {2'd0, latch[31:24]}
      + {2'd0, latch[47:40]} + {2'd0, latch[63:56]};
  assign sum = total[15:0];

  always_ff @(posedge clk) begin
    for (int k = 0; k < 8; k++) latch[8*k+:8] <= take && enable[k] ? data[8*k+:8] : 8'd0;
    if (rst || clear) total <= 32'd0;
    else if (fold) total <= {16'd0, total[15:0]} + {16'd0, total[31:16]};
    else total <= total + {14'd0, high, 8'd0} + {22'd0, low};
  end
endmodule
