// SPDX-License-Identifier: MIT OR Apache-2.0
// Put into tcoe_adder before its end. For runs of any length: the total is the exact sum of all enabled words since the last clear,
// and after two folds `sum` is what lemmas.sv calls fold(fold(exact)).
// Assumed of its surroundings, and proven there (receiver.svh): at most 8224 beats a job; no beat with a fold, nor in the cycle before it.
  logic [39:0] exact;    // of the words taken, latched ones included
  logic [13:0] beats;
  logic [1:0] folds;
  logic was_reset = 1'b0;
  logic [17:0] words, in_latch;
  logic [7:0] e;
  assign e = enable;
  // The words of this beat, written the obvious way: the byte at the lower address is the high one.
  assign words = {2'b0, e[0] ? data[7:0] : 8'd0, e[1] ? data[15:8] : 8'd0} + {2'b0, e[2] ? data[23:16] : 8'd0, e[3] ? data[31:24] : 8'd0}
      + {2'b0, e[4] ? data[39:32] : 8'd0, e[5] ? data[47:40] : 8'd0} + {2'b0, e[6] ? data[55:48] : 8'd0, e[7] ? data[63:56] : 8'd0};
  assign in_latch = {2'b0, latch[7:0], latch[15:8]} + {2'b0, latch[23:16], latch[31:24]} + {2'b0, latch[39:32], latch[47:40]}
      + {2'b0, latch[55:48], latch[63:56]};
  logic [31:0] once, twice;
  assign once = {16'd0, exact[15:0]} + {16'd0, exact[31:16]};
  assign twice = {16'd0, once[15:0]} + {16'd0, once[31:16]};
  logic took = 1'b0;

  initial assume (rst);
  always @(posedge clk) begin
    was_reset <= 1'b1;
    took <= take;
    if (rst || clear) begin
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
    assume (beats < 14'd8224 || !take);
    assume (!(rst || clear) || (!take && !took));
    assume (!fold || (!take && !took && folds != 2));
    assume (folds == 0 || !take);

    if (was_reset) begin
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
    end
  end
