// SPDX-License-Identifier: MIT OR Apache-2.0
// Interrupt coalescing: says when software should look at the completions that came since it said
// so last. It does once `count` of them came, or `cycles` cycles after the first of them. Zero
// switches that one off. `announce` is high for one cycle, in the cycle after the last event.
module wiresum_engine_interrupt (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic [15:0] count,
    input  logic [15:0] cycles,
    input  logic        completion,
    output logic        announce
);
  logic [15:0] came, waited;
  logic full, late;
  assign full = count != 0 && completion && came >= count - 16'd1;
  assign late = cycles != 0 && came != 0 && waited >= cycles - 16'd1;
  always_ff @(posedge clk) begin
    announce <= full || late;
    if (completion && came != 16'hFFFF) came <= came + 1'b1;
    waited <= came == 0 ? 16'd0 : waited + 1'b1;
    if (full || late) begin
      // A completion that comes while the time runs out for earlier ones is announced with them.
      came <= 16'd0;
    end
    if (rst) begin
      announce <= 1'b0;
      came <= 16'd0;
    end
  end
endmodule
