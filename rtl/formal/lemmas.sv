// SPDX-License-Identifier: MIT OR Apache-2.0
// The arithmetic: the exact 32-bit sum of words, folded twice, is their one's complement sum. The
// proof is by induction over the words: `step` is the step, and fold(0) = 0 is the start. adder.svh
// shows that the engine's total is the exact sum of the words that it took. Together they hold for
// any run of words whose sum fits 32 bits.
module lemmas (
    input logic [31:0] s,
    input logic [15:0] a,
    input logic [15:0] b,
    input logic [15:0] c
);
  function automatic logic [31:0] fold(input logic [31:0] x);
    fold = {16'd0, x[15:0]} + {16'd0, x[31:16]};
  endfunction
  // One's complement addition (RFC 1071 section 1): the carry out is added back in at the bottom.
  function automatic logic [15:0] add(input logic [15:0] x, input logic [15:0] y);
    logic [16:0] wide;
    wide = {1'b0, x} + {1'b0, y};
    add  = wide[15:0] + {15'd0, wide[16]};
  endfunction
  function automatic logic [15:0] swap(input logic [15:0] x);
    swap = {x[7:0], x[15:8]};
  endfunction

  // What is left of a sum without a part; the sum of a part is zero only if all its words are.
  function automatic logic [15:0] subtract(input logic [15:0] whole, input logic [15:0] part);
    subtract = part == 0 ? whole : add(whole, ~part);
  endfunction

  logic [31:0] next, folded, folded_next;
  logic [15:0] updated;
  assign next = s + {16'd0, a};
  assign folded = fold(fold(s));
  assign folded_next = fold(fold(next));
  assign updated = add(subtract(add(folded[15:0], a), a), b);

  always_comb begin
    // property fold_ends: two folds leave 16 bits, and a third one changes nothing.
    assert (folded[31:16] == 0 && fold(folded) == folded);
    // property zero: only an exact zero folds to zero (+0); any other sum of zeros folds to -0.
    assert ((folded == 0) == (s == 0));
    // property step: adding a word to the exact sum adds it, in one's complement, to the folded
    // sum.
    if (next >= s) assert (folded_next[15:0] == add(folded[15:0], a));
    // property order: commutative and associative, so the order of words does not matter.
    assert (add(a, b) == add(b, a));
    assert (add(add(a, b), c) == add(a, add(b, c)));
    // property update: the incremental update (RFC 1624) of a word `a` that becomes `b`, in data
    // whose other words have the exact sum `s`, gives the sum of the changed data. Where all these
    // are zero and the word was not, it gives -0.
    if (s == 0 && b == 0 && a != 0)
      assert (updated == '1);
      else assert (updated == add(folded[15:0], b));
    // property swap: swapping the bytes of every word swaps the bytes of the sum (odd addresses).
    assert (add(swap(a), swap(b)) == swap(add(a, b)));
  end
endmodule
