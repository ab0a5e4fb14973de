// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_place with four lanes; prove.py puts them before its `endmodule`.
logic was_reset = 1'b0;  // a clock edge has passed
(* anyseq *) logic f_last;  // the beat ends its frame
logic [BEAT_BITS:0] f_beat = '0;  // the number of the beat, which stays at its top bit
logic [BITS-1:0] f_place;
logic f_loaded = 1'b0;  // the place of the frame is known
logic [BEAT_BITS:0] f_next;
assign f_next = f_beat[BEAT_BITS] ? f_beat : f_beat + 1'b1;

// What the block about it promises.
always_comb begin
  assume (first == (f_beat == 0));
  assume (next_index == f_next || f_next[BEAT_BITS] && next_index[BEAT_BITS]);
  assume (!accept || f_loaded);
  if (load) assume (accept ? f_last : first);
end

always @(posedge clk) begin
  was_reset <= 1'b1;
  if (load) begin
    f_place  <= place;
    f_loaded <= 1'b1;
  end else if (accept && f_last) f_loaded <= 1'b0;
  if (accept) f_beat <= f_last ? '0 : f_next;

  if (was_reset && f_loaded) begin
    // invariant decoded: the place is what was loaded.
    assert (beat == f_place[BITS-1:LaneBits] && in_beat_0 == (beat == 0));
    for (int k = 0; k < KEEP_WIDTH; k++)
    assert (lanes[k] == (ONE ? k == f_place[LaneBits-1:0] : k >= f_place[LaneBits-1:0]));
    if (!first) assert (at == (f_beat == {1'b0, beat}) && past == (f_beat > {1'b0, beat}));
    // property mask: byte k of beat n is number n * lanes + k.
    for (int k = 0; k < KEEP_WIDTH; k++)
    assert (mask[k] == (ONE ? {f_beat, LaneBits'(k)} == {1'b0, f_place}
          : {f_beat, LaneBits'(k)} >= {1'b0, f_place}));
    // Each of these happens.
    cover (mask[2] && !mask[1] && f_beat == 2);
    cover (mask != 0 && f_place == 0 && $past(accept && f_last));
  end
end
