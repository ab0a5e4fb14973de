// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_engine_fetch with a ring of four; prove.py puts them before `endmodule`.
// For any doorbells and pauses: the ring never holds more than it has places for; a descriptor is
// asked for only while it belongs to the engine, each once and in order; after an error none is
// handed on.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

// Memory answers what was asked for, and jobs end only after their descriptors came.
logic [17:0] f_asked;  // beats asked for, less those that came
logic [15:0] f_retired;
assign f_retired = sent_head - head;
always_comb begin
  assume (!s_beat_valid || f_asked != 0);
  assume (!sent || f_retired != 0 && f_retired <= number - head);
  assume (size == 2);
end

logic [255:0] f_beats;
logic [1:0] f_beat;
logic f_failed;  // an error came with this descriptor or one before it
logic [15:0] f_next;  // the request that is offered
logic [16:0] f_places;
logic [64:0] f_source_end, f_target_end, f_limit;  // the numbers after the last bytes
logic f_outside;
logic f_too_much;  // the doorbell asks for descriptors that the ring has not
assign f_too_much = misplaced || {1'b0, doorbell_tail - head} > f_places
    || doorbell_tail - head < tail - head;
assign f_limit = 65'd1 << ADDR_WIDTH;
assign f_source_end = {1'b0, f_beats[63:0]} + f_beats[159:128];
assign f_target_end = {1'b0, f_beats[127:64]} + f_beats[159:128];
assign f_outside = f_beats[63:0] >= f_limit || f_source_end > f_limit
    || f_beats[178] && (f_beats[127:64] >= f_limit || f_target_end > f_limit);
assign f_places = 17'd1 << size;
always @(posedge clk) begin
  was_reset <= 1'b1;
  if (was_reset) assume ($stable(base));
  f_asked <= rst ? 18'd0 : f_asked + (ask ? 18'd4 : 18'd0) - {17'd0, s_beat_valid};
  if (s_beat_valid) begin
    f_beats[64*f_beat+:64] <= s_beat_data;
    f_beat <= f_beat + 1'b1;
    f_failed <= f_failed || s_beat_error;
  end
  if (ask) f_next <= next;
  if (rst) begin
    f_beat   <= 0;
    f_failed <= 1'b0;
  end

  if (was_reset && !rst) begin
    // property ring: the descriptors that belong to the engine have places.
    assert ({1'b0, tail - head} <= f_places);
    // property within: those that were asked for are among them.
    assert (next - head <= tail - head);
    assert (number - head <= next - head);
    // invariant beats: what memory owes.
    assert (f_beat == g_beats.beat && began == (f_beat != 0) && f_asked <= 18'h20000);
    assert (f_asked == {16'(next - number), 2'd0} - f_beat - (complete ? 18'd4 : 18'd0));
    assert (!complete || number != next && f_beat == 0);
    assert (f_failed == (halted || failed && (began || complete)));
    if (f_beat == 1) assert (gathered[255:192] == f_beats[63:0]);
    if (f_beat == 2) assert (gathered[255:128] == f_beats[127:0]);
    if (f_beat == 3) assert (gathered[255:64] == f_beats[191:0]);
    // property address: a descriptor is asked for at its place in the ring.
    if (m_fetch_valid) assert (m_fetch_address == base + 32 * (f_next & f_places - 1));
    if (!$past(rst)) begin
      // property stable: a request stays unchanged until it is taken.
      if ($past(m_fetch_valid && !m_fetch_ready))
        assert (m_fetch_valid && $stable(m_fetch_address));
      // property order: one after the other, each once.
      if ($past(ask)) assert (m_fetch_valid && f_next == $past(next) && next == f_next + 16'd1);
      // property refused: a doorbell that asks for too much changes nothing, and is an error.
      if ($past(doorbell)) begin
        if ($past(f_too_much))
          assert (overrun && $stable(tail));
          else assert (tail == $past(doorbell_tail));
      end
      // property silent: after an error nothing is asked for.
      if ($past(overrun || halted)) assert (!$past(ask));
      if ($past(s_beat_valid && f_beat == 3)) assert (complete);
    end
    // property contents: a descriptor is its four beats as they came, and it is known whether one
    // of them, or of those before them, had an error.
    if (complete) assert (gathered == f_beats && f_failed == (failed || halted));
    // property outside: a piece or a copy with a byte past the last address gets an unknown flag,
    // and no other flag changes.
    if (complete) assert (flags == (f_beats[191:176] | {f_outside, 15'd0}));

    // Each of these happens.
    cover (complete && number == 1 && !f_failed);
    cover (overrun && next == 1);
    cover (halted && number == 1);
    cover (complete && f_outside && f_beats[63:0] < f_limit && !f_beats[178]);
  end
end
