// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_frame_buffer with four places; prove.py puts them before its `endmodule`.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

// What the sender of the notes promises: one for each frame that has begun, which stays.
logic [7:0] f_owed;  // frames that have begun, less notes that were taken
logic note_taken;
assign note_taken = s_note_valid && s_note_ready;
always_comb assume (!s_note_valid || f_owed != 0);
always_comb assume (f_owed < 8'd200);

logic [Bits:0] f_take_at, f_stored;  // the place of the beat at the output; beats to fetch
logic f_begins, f_comes;  // the beat at the output, and the one at the input, begins a frame
logic [3:0][Width-1:0] f_beats;  // the beats that came, each in its place
logic [3:0] f_firsts;  // whether the beat in the place begins a frame
logic [Bits:0] f_ends, f_frames;
logic f_linked;  // each beat that is held begins a frame if the one before it ends one
logic [1:0] f_at, f_then;
assign f_stored = write_at - fetch_at;
always_comb begin
  f_ends   = '0;
  f_frames = '0;
  f_linked = held == 0 ? f_comes == f_begins : f_firsts[f_take_at[1:0]] == f_begins;
  for (int i = 0; i < 4; i++) begin
    f_at   = f_take_at[1:0] + 2'(i);
    f_then = f_take_at[1:0] + 2'(i) + 2'd1;
    if (i < held) begin
      f_ends   = f_ends + (Bits + 1)'(f_beats[f_at][Width-1]);
      f_frames = f_frames + (Bits + 1)'(f_firsts[f_at]);
      if (f_beats[f_at][Width-1] != (i + 1 < held ? f_firsts[f_then] : f_comes)) f_linked = 1'b0;
    end
  end
end

always @(posedge clk) begin
  was_reset <= 1'b1;
  f_owed <= rst ? 8'd0 : f_owed + {7'd0, accept && f_comes} - {7'd0, note_taken};
  if (rst) f_comes <= 1'b1;
  else if (accept) f_comes <= s_axis_tlast;
  if (accept) f_firsts[write_at[1:0]] <= f_comes;
  if (rst) f_begins <= 1'b1;
  else if (take) f_begins <= m_axis_tlast;
  f_take_at <= rst ? '0 : f_take_at + (Bits + 1)'(take);
  if (accept) f_beats[write_at[1:0]] <= {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata};
  if (was_reset && !$past(rst)) assume (!$past(s_note_valid && !s_note_ready) || s_note_valid);

  if (was_reset) begin
    // invariant places: the beats that are held lie in the memory and in the two registers.
    assert (held <= 4 && ends == f_ends && f_linked);
    assert (held == write_at - f_take_at);
    assert (fetch_at == f_take_at + (Bits + 1)'(read_valid) + (Bits + 1)'(head_valid));
    assert (f_stored <= 4);
    assert (!full || passing || !f_begins || held == 4 && ends == 0);
    // property order: each beat leaves as it came, in its turn.
    for (int i = 0; i < 4; i++) begin
      if ({1'b0, 2'(i) - fetch_at[1:0]} < f_stored) assert (places[i] == f_beats[i]);
      if (read_valid && 2'(i) == fetch_at[1:0] - 2'd1) assert (read == f_beats[i]);
      if (head_valid && 2'(i) == f_take_at[1:0]) assert (head == f_beats[i]);
    end
    // property room: only a lack of places makes ready fall.
    if ($past(rst))
      assert (!s_axis_tready && held == 0 && ends == 0 && !head_valid);
      else assert (s_axis_tready == (held != 4));
    // property notes: each frame takes one note: with its last beat, or afterwards.
    assert (f_owed == {5'd0, f_frames} + {7'd0, !f_begins} + {7'd0, dropping});
    assert (!(dropping && passing));
    // property begins: a frame is either long from its first beat on, or never.
    if (f_begins) assert (!passing);
    if (!f_begins && !passing) assert (s_note_valid && !dropping);
    if (!f_begins && passing) assert (m_axis_long);
    // property long: a frame passes without its note only if more than four beats of it came.
    if (head_valid && take && f_begins && m_axis_long) assert (held == 4 && ends == 0);
    // property waits: a beat is at the output unless its note, or one to drop, is owed.
    if (head_valid && !m_axis_tvalid)
      assert (dropping || !s_note_valid && (ends != 0 || held < 4 || $past(ends != 0 || held < 4)));
    // property moves: a beat goes from the memory to the output in two cycles.
    if (!$past(rst)) begin
      if ($past(f_stored != 0)) assert (read_valid);
      if ($past(read_valid)) assert (head_valid);
      // property stable: a beat at the output stays until it is taken.
      if ($past(m_axis_tvalid && !m_axis_tready))
        assert (m_axis_tvalid && $stable(head) && ($past(m_axis_long) || !m_axis_long));
    end

    // Each of these happens.
    cover (take && m_axis_tlast && !m_axis_long && $past(take && m_axis_tlast && !m_axis_long));
    cover (take && m_axis_tlast && m_axis_long);
    cover (note_taken && dropping && held == 4);
    cover (take && !f_begins && !m_axis_long && held == 4);
  end
end
