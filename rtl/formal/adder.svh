// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of tcoe_adder; prove.py puts them before its `endmodule`. For runs of any length, the
// total is the exact sum of all enabled bytes since the last clear, and two folds of it are the
// function fold(fold(exact)) of lemmas.sv.
//
// The proof relies on the receiver: at most 8224 beats a job, and no beat with a fold or a clear,
// or in the cycle before one. prove.py proves this for the whole engine.
logic [39:0] exact;  // of the words taken, those in the latches included
logic [13:0] beats;
logic [1:0] folds;
logic valid = 1'b0;  // cleared since the last reset
logic took = 1'b0;  // a beat was taken in the last cycle
logic was_reset = 1'b0;  // a clock edge has passed
logic [17:0] words, in_latch;
logic [7:0][7:0] b;
// The four words of a beat by the definition: the byte at the lower address is the high one.
always_comb for (int k = 0; k < 8; k++) b[k] = enable[k] ? data[8*k+:8] : 8'd0;
assign words = {2'b0, b[0], b[1]} + {2'b0, b[2], b[3]} + {2'b0, b[4], b[5]} + {2'b0, b[6], b[7]};
assign in_latch = {2'b0, latch[7:0], latch[15:8]} + {2'b0, latch[23:16], latch[31:24]}
      + {2'b0, latch[39:32], latch[47:40]} + {2'b0, latch[55:48], latch[63:56]};
logic [31:0] once, twice;
assign once  = {16'd0, exact[15:0]} + {16'd0, exact[31:16]};
assign twice = {16'd0, once[15:0]} + {16'd0, once[31:16]};

initial assume (rst);
always @(posedge clk) begin
  was_reset <= 1'b1;
  took <= take;
  if (clear) begin
    exact <= 40'd0;
    beats <= 14'd0;
    folds <= 2'd0;
  end else begin
    if (take) begin
      exact <= exact + {22'd0, words};
      beats <= beats + 1'b1;
    end
    if (fold && folds != 2) folds <= folds + 1'b1;
  end
  valid <= !rst && (valid || clear);
  if (was_reset && !rst) begin
    `RELY(!clear || (!take && !took));
    if (valid) begin
      `RELY(beats < 14'd8224 || !take);
      `RELY(!fold || (!take && !took && folds != 2));
      `RELY(folds == 0 || !take);
    end
  end

  if (was_reset && !took) assert (in_latch == 0 && latch == 0);
  if (was_reset && valid) begin
    // invariant no_overflow: what 32 bits hold is all there is.
    assert (beats <= 14'd8224);
    assert (exact <= {26'd0, beats} * 40'd262140);
    // property total: nothing lost, nothing added twice.
    if (folds == 0) assert ({8'd0, total} + {22'd0, in_latch} == exact);
    assert (folds <= 2);
    if (!took) assert (in_latch == 0);
    if (folds == 0 && !took) assert (latch == 0);
    // property folded: the two folds of the total are the two folds of the exact sum.
    if (folds == 1) assert (total == once && latch == 0);
    if (folds == 2) assert (total == twice && total[31:16] == 0 && latch == 0);
    if (folds == 2) assert (sum == twice[15:0]);

    // Each of these happens.
    cover (folds == 2 && sum == 16'hFFFF);
    cover (folds == 2 && beats == 2 && $past(total) == 32'h00010000);
    cover (folds == 0 && total[16] && took);
  end
end
