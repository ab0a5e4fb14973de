// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_tx_insert with 32 bits; prove.py puts them before its `endmodule`. The
// blocks inside have proofs of their own; here their outputs may have any values that keep to what
// is assumed of them. So the masks of the places are any masks, and the sums any sums.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

// The commands: what came, one and two cycles ago.
logic [15:0] f_start_a, f_offset_a, f_start_b, f_offset_b, f_stop, f_then_b, f_then_stop;
logic f_enable_a, f_enable_b, f_then_a_enable, f_then_b_enable;
logic [16:0] f_then_a_at, f_then_b_at;
function automatic logic among(input logic [16:0] x, input logic [15:0] start,
                               input logic [15:0] stop);
  among = x >= {1'b0, start} && (stop == 16'hFFFF || x < {1'b0, stop});
endfunction

// The beat: its fields, and what came of its frame before.
logic f_a_before, f_b_before;  // the first byte of the field was the beat's before
logic f_a_came, f_b_came, f_gap;
logic f_first;
logic [3:0] f_a_low, f_b_low, f_beat_a, f_beat_b;
logic f_a_whole, f_b_whole, f_sparse;
logic [31:0] f_data;
always_comb begin
  for (int k = 0; k < 4; k++) begin
    f_a_low[k] = k == 0 ? f_a_before && !f_first : a_high[k-1];
    f_b_low[k] = k == 0 ? f_b_before && !f_first : b_high[k-1];
  end
  f_a_whole = (f_a_came && !f_first) || (f_a_low & s_axis_tkeep) != 0;
  f_b_whole = (f_b_came && !f_first) || (f_b_low & s_axis_tkeep) != 0;
  f_sparse = (f_gap && !f_first) || !(s_axis_tkeep == 4'hF || (s_axis_tlast
      && (s_axis_tkeep == 4'h7 || s_axis_tkeep == 4'h3 || s_axis_tkeep == 4'h1)));
end

// From the sums to the checksums: each stage from the one before it. By `step` of lemmas.sv, the
// fold of a sum and a folded sum is the fold of all.
function automatic logic [15:0] f_swap(input logic swap, input logic [15:0] x);
  f_swap = swap ? x << 8 | x >> 8 : x;
endfunction
function automatic logic [15:0] f_folds(input logic [16:0] x);
  f_folds = x > 17'hFFFF ? x[15:0] + 16'd1 : x[15:0];
endfunction
function automatic logic [15:0] f_field(input logic zero, input logic [15:0] sum);
  f_field = sum != 16'hFFFF ? 16'hFFFF - sum : zero ? 16'hFFFF : 16'h0000;
endfunction
logic [16:0] f_a_1, f_b_1, f_a_1_then, f_b_1_then, f_b_3_then;
logic [15:0] f_a_2, f_b_2, f_a_3, f_part;
finish_t f_known_1, f_known_2, f_known_3, f_known_4;
logic [4:1] f_step;
always_comb begin
  f_part = 16'd0;
  if (f_known_3.write.a && f_known_3.in_b[1]) f_part[15:8] = a_3[15:8];
  if (f_known_3.write.a && f_known_3.in_b[0]) f_part[7:0] = a_3[7:0];
end

// What is known of a frame: one place of the memory, any of the 32.
(* anyconst *) logic [4:0] f_place;
logic [InfoBits-1:0] f_info;
logic [4:0] f_known, f_ahead;  // frames that wait for their sums
assign f_known = info_at - sum_at;
assign f_ahead = f_place - sum_at;
always_comb assume (!sums_valid || f_known != 0);  // sum_stream: no result without a frame

// The beats that leave: one that was taken from the buffer, as it must be two beats later.
logic [BeatBits:0] f_index;  // of the beat at the buffer's output
logic f_long;
write_t f_note;
logic [31:0] f_note_fields;
logic [31:0] f_head, f_marked, f_out;
logic [3:0] f_head_keep, f_marked_keep, f_out_keep;
logic [AlongBits+4:0] f_head_user, f_marked_user, f_out_user;  // with tid, tdest, the user's bits
logic f_marked_last, f_out_last, f_marked_valid, f_out_valid;
always_comb begin
  // queue and frame_buffer: the note stays until its frame has gone, and the status too.
  assume (head_long || note_valid);
  if (f_index != 0) assume (head_long == f_long);
  if (f_index != 0 && !head_long)
    assume (note == f_note && {note_a_field, note_b_field} == f_note_fields);
  assume (note.a_at != 17'h1FFFF && note.b_at != 17'h1FFFF);  // sums of two numbers of 16 bits
  for (int k = 0; k < 4; k++) begin
    f_head[8*k+:8] = head_data[8*k+:8];
    if (!head_long && note.a && {f_index, 2'(k)} == {2'd0, note.a_at})
      f_head[8*k+:8] = note_a_field[15:8];
    if (!head_long && note.a && {f_index, 2'(k)} == {2'd0, note.a_at} + 19'd1)
      f_head[8*k+:8] = note_a_field[7:0];
    if (!head_long && note.b && {f_index, 2'(k)} == {2'd0, note.b_at})
      f_head[8*k+:8] = note_b_field[15:8];
    if (!head_long && note.b && {f_index, 2'(k)} == {2'd0, note.b_at} + 19'd1)
      f_head[8*k+:8] = note_b_field[7:0];
  end
  f_head_user = {
    head_along,
    head_long ? {1'b0, 1'b1, 2'b00, head_user && head_last}
      : {note.sparse, 1'b0, note.b, note.a, head_user && head_last}
  };
end
// The first byte of the field was the last one of the beat that was taken last, and of the beat
// before the marked one.
logic f_a_tail, f_b_tail, f_a_ends, f_b_ends;
logic [18:0] f_at;  // the number of the first byte of the beat at the buffer's output
assign f_at = {1'b0, f_index, 2'd0};

always @(posedge clk) begin
  was_reset <= 1'b1;
  {f_start_a, f_offset_a, f_enable_a} <= {
    s_command_a_start, s_command_a_offset, s_command_a_enable
  };
  {f_start_b, f_offset_b, f_enable_b} <= {
    s_command_b_start, s_command_b_offset, s_command_b_enable
  };
  f_stop <= s_command_b_stop;
  f_then_a_enable <= f_enable_a && f_offset_a % 2 == 0;
  f_then_b_enable <= f_enable_b && f_offset_b % 2 == 0;
  f_then_a_at <= {1'b0, f_start_a} + {1'b0, f_offset_a};
  f_then_b_at <= {1'b0, f_start_b} + {1'b0, f_offset_b};
  {f_then_b, f_then_stop} <= {f_start_b, f_stop};

  if (accept) begin
    f_a_before <= a_high[3];
    f_b_before <= b_high[3];
    f_a_came <= f_a_whole;
    f_b_came <= f_b_whole;
    f_gap <= f_sparse;
    f_first <= s_axis_tlast;
  end
  for (int k = 0; k < 4; k++) begin
    f_beat_a[k] <= s_axis_tkeep[k] && a_from[k];
    f_beat_b[k] <= s_axis_tkeep[k] && b_from[k] && !(stop_from[k] && job.stop != 16'hFFFF)
        && !(job.a.enable && (f_a_low[k]
            || a_high[k] && (k == 3 ? !s_axis_tlast : s_axis_tkeep[(k+1)%4])));
  end
  f_data <= s_axis_tdata;
  if (beat_valid && beat_last && info_at == f_place) f_info <= info;

  f_a_1 <= {1'b0, f_swap(known.a_odd, a_sum)} + {1'b0, known.a_init};
  f_b_1 <= {1'b0, f_swap(known.b_odd, b_sum)} + {1'b0, known.b_init};
  {f_a_1_then, f_b_1_then, f_b_3_then} <= {a_1, b_1, b_3};
  {f_a_2, f_b_2, f_a_3} <= {a_2, b_2, a_3};
  f_known_1 <= known.finish;
  f_known_2 <= f_known_1;
  f_known_3 <= f_known_2;
  f_known_4 <= f_known_3;
  f_step <= rst ? 4'd0 : {f_step[3:1], sums_valid};

  if (head_valid && head_ready) begin
    f_long <= head_long;
    f_note <= note;
    f_note_fields <= {note_a_field, note_b_field};
    f_a_tail <= !head_last && !head_long && note.a && {f_index, 2'd3} == {2'd0, note.a_at};
    f_b_tail <= !head_last && !head_long && note.b && {f_index, 2'd3} == {2'd0, note.b_at};
    f_index <= head_last ? '0 : f_index[BeatBits] ? f_index : f_index + 1'b1;
  end
  if (head_ready) begin
    f_marked_valid <= head_valid;
    {f_a_ends, f_b_ends} <= {f_a_tail, f_b_tail};
    {f_marked, f_marked_keep, f_marked_user, f_marked_last} <= {
      f_head, head_keep, f_head_user, head_last
    };
  end
  if (marked_ready) begin
    f_out_valid <= f_marked_valid;
    {f_out, f_out_keep, f_out_user, f_out_last} <= {
      f_marked, f_marked_keep, f_marked_user, f_marked_last
    };
  end
  if (rst) begin
    f_first <= 1'b1;
    f_index <= '0;
    f_marked_valid <= 1'b0;
    f_out_valid <= 1'b0;
    f_a_tail <= 1'b0;
    f_b_tail <= 1'b0;
  end

  if (was_reset) begin
    // property commands: the fields lie at start + offset; b knows which bytes of a's it counts.
    if (placed_valid) begin
      assert (placed.a.at == f_then_a_at && placed.b.at == f_then_b_at);
      assert (placed.a.enable == f_then_a_enable && placed.b.enable == f_then_b_enable);
      assert (placed_in_b == {among(
          f_then_a_at, f_then_b, f_then_stop
      ), among(
          f_then_a_at + 17'd1, f_then_b, f_then_stop
      )});
    end
    assert (placed_valid == $past(came_valid && !rst));
    // property input: a beat is taken if there are a command, room and a place, and then once.
    assert (s_axis_tready == (job_valid && room && place));
    assert (beat_valid == $past(accept && !rst));
    assert (first == f_first);
    if (!first) assert (a_straddles == f_a_before && b_straddles == f_b_before);
    if (!first) assert (a_whole == f_a_came && b_whole == f_b_came && sparse == f_gap);
    // property counted: a counts from its start on, b from its start to its stop without a's field.
    if (beat_valid) assert (beat_a == f_beat_a && beat_b == f_beat_b && beat_data == f_data);
    // property whole: a field is written if its bytes came, in a frame without null bytes.
    if (beat_valid && beat_last) begin
      assert (info.finish.write.a == $past(job.a.enable && f_a_whole && !f_sparse));
      assert (info.finish.write.b == $past(job.b.enable && f_b_whole && !f_sparse));
      assert (info.finish.write.sparse == $past(f_sparse));
    end
    // property paired: the sums of a frame meet what is known of it.
    if (f_ahead < f_known) assert (infos[f_place] == f_info);
    if (f_ahead == 0 && f_known != 0) assert (known == f_info);
    // property finish: the checksums follow from the sums, once for each frame.
    if (step[1]) assert (a_1 == f_a_1 && b_1 == f_b_1);
    if (step[2]) assert (a_2 == f_folds(f_a_1_then) && b_2 == f_folds(f_b_1_then));
    if (step[3]) begin
      assert (a_3 == f_field(f_known_3.a_zero, f_a_2));
      assert (b_3 == {1'b0, f_b_2} + {1'b0, f_swap(f_known_3.swap, f_part)});
    end
    if (step[4]) begin
      assert (a_4 == f_a_3 && write_4 == f_known_4.write);
      assert (field(b_zero_4, b_4) == f_field(f_known_4.b_zero, f_folds(f_b_3_then)));
    end
    assert (step == f_step);
    // invariant leaves: the stages after the buffer.
    assert (head_index == f_index || head_index[BeatBits] && f_index[BeatBits]);
    assert (marked_valid == f_marked_valid && m_axis_tvalid == f_out_valid);
    if (marked_valid) begin
      assert (marked_a_before == f_a_ends && marked_b_before == f_b_ends);
      assert ((marked_a_high[3] && !marked_last) == f_a_tail);
      assert ((marked_b_high[3] && !marked_last) == f_b_tail);
      assert (marked_keep == f_marked_keep && marked_last == f_marked_last);
      assert ({marked_along, marked_user} == f_marked_user);
      for (int k = 0; k < 4; k++)
      assert (f_marked[8*k+:8] == (marked_b_high[k] ? marked_b[15:8] : marked_b_low[k]
            ? marked_b[7:0] : marked_a_high[k] ? marked_a[15:8] : marked_a_low[k] ? marked_a[7:0]
            : marked_data[8*k+:8]));
    end else assert (marked_a_before == f_a_tail && marked_b_before == f_b_tail);
    if (f_index == 0)
      assert (!f_a_tail && !f_b_tail);
      else begin
        assert (f_a_tail == (!f_long && f_note.a && f_at == f_note.a_at + 19'd1));
        assert (f_b_tail == (!f_long && f_note.b && f_at == f_note.b_at + 19'd1));
      end
    // property outside: what leaves is what came, except for the fields that the status names.
    if (m_axis_tvalid) begin
      assert (m_axis_tdata == f_out && m_axis_tkeep == f_out_keep);
      assert (m_axis_tlast == f_out_last && {m_axis_tid, m_axis_tdest, m_axis_tuser} == f_out_user);
    end
    if (!$past(rst)) begin
      // property stable: a beat stays until it is taken.
      if ($past(m_axis_tvalid && !m_axis_tready)) begin
        assert (m_axis_tvalid && $stable(m_axis_tdata) && $stable(m_axis_tkeep));
        assert ($stable(m_axis_tlast) && $stable({m_axis_tid, m_axis_tdest, m_axis_tuser}));
      end
      // property prompt: a beat that the buffer offers is at the output two cycles later.
      if ($past(marked_valid)) assert (m_axis_tvalid);
      if ($past(head_valid)) assert (marked_valid);
    end else assert (!m_axis_tvalid && !marked_valid && !beat_valid && step == 0 && !job_valid);

    // Each of these happens.
    cover (beat_valid && beat_last && info.finish.write.a && info.finish.write.b && beat_b == 4'd9);
    cover (step[4] && a_4 == 16'hFFFF && write_4.a);
    cover (m_axis_tvalid && m_axis_tuser[4:0] == 5'd6 && $past(
        marked_a_before
    ) && m_axis_tdata != 0);
    cover (m_axis_tvalid && m_axis_tuser[4:0] == 5'd8 && m_axis_tlast);
  end
end
