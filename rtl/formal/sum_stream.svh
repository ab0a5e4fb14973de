// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_sum_stream with 32 bits; prove.py puts them before its `endmodule`. For any
// run of frames, pauses and resets, each frame has one result, in order: the one's complement sum
// of the bytes from the start on and of the seed, the length, and the status.
//
// f_exact is the plain sum of the words as they lie in the lanes, and two folds of it are the one's
// complement sum, by `step` of lemmas.sv. By its `swap`, the swapped value is the sum of the words
// that begin at an odd start. f_over: the frame's plain sum has passed 32 bits, which takes more
// than 131072 bytes; of such frames the proof says nothing of the sum. `order` follows one place of
// the memories, any of the sixteen, through all frames that use it.
function automatic logic [15:0] once(input logic [16:0] x);
  once = x[15:0] + {15'd0, x[16]};
endfunction
function automatic logic [15:0] swap_if(input logic odd_start, input logic [15:0] x);
  swap_if = odd_start ? {x[7:0], x[15:8]} : x;
endfunction
function automatic logic [15:0] folds(input logic [31:0] x);
  folds = once({1'b0, x[31:16]} + {1'b0, x[15:0]});
endfunction
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

// A beat by the definition. f_at is the place of its first byte; its top bit stays set.
logic [16:0] f_at;
logic [15:0] f_held, f_start;
logic [3:0][7:0] f_byte;
assign f_start = first ? s_axis_tuser[32:17] : f_held;
always_comb
  for (int k = 0; k < 4; k++)
    f_byte[k] = s_axis_tkeep[k] && (f_at[16] || f_at + k >= {1'b0, f_start})
        ? s_axis_tdata[8*k+:8] : 8'd0;

// The stages after the input.
logic [16:0] f_words_0, f_words_1;
logic [15:0] f_seed_0, f_seed_1;
logic [3:0] f_keep_0;
logic [17:0] f_length_0, f_length_1;
logic f_odd_0, f_odd_1, f_abort_0, f_abort_1, f_sparse;
logic [31:0] f_exact;
logic [32:0] f_next;
logic f_over;
logic f_open;  // a frame has begun in the loop, and its end has not come there

// One place of the memories.
(* anyconst *) logic [3:0] f_place;
logic [15:0] f_sum;
logic f_sum_over, f_wanted_over;
logic [19:0] f_other;
logic f_took;
logic [15:0] f_wanted_sum;
logic [19:0] f_wanted;
logic [4:0] occupied;
logic [3:0] f_ahead;
assign occupied = sum_at - read_at;
assign f_ahead  = f_place - read_at[3:0];
assign f_next   = {16'd0, f_words_1} + (is_first[1] ? {17'd0, f_seed_1} : {1'b0, f_exact});

always @(posedge clk) begin
  was_reset <= 1'b1;
  if (accept) begin
    if (first) f_held <= s_axis_tuser[32:17];
    f_at <= s_axis_tlast ? 17'd0 : {f_at[16] || f_at[15:2] == '1, f_at[15:2] + 14'd1, 2'd0};
  end
  f_words_0 <= {1'b0, f_byte[0], f_byte[1]} + {1'b0, f_byte[2], f_byte[3]};
  f_seed_0 <= swap_if(f_start[0], s_axis_tuser[16:1]);
  f_keep_0 <= s_axis_tkeep;
  f_odd_0 <= f_start[0];
  f_abort_0 <= s_axis_tuser[0];
  f_length_0 <= {
    f_at[16],
    {1'b0, f_at[15:0]}
      + {16'd0, s_axis_tkeep[0]} + {16'd0, s_axis_tkeep[1]}
      + {16'd0, s_axis_tkeep[2]} + {16'd0, s_axis_tkeep[3]}
  };
  f_words_1 <= f_words_0;
  f_seed_1 <= f_seed_0;
  f_odd_1 <= f_odd_0;
  f_abort_1 <= f_abort_0;
  f_length_1 <= f_length_0;
  if (valid[0])
    f_sparse <= (f_sparse && !is_first[0]) || !(f_keep_0 == 4'd15 || (is_last[0]
        && (f_keep_0 == 4'd0 || f_keep_0 == 4'd1 || f_keep_0 == 4'd3 || f_keep_0 == 4'd7)));
  if (valid[1]) begin
    f_exact <= f_next[31:0];
    f_over  <= f_next[32] || f_over && !is_first[1];
    f_open  <= !is_last[1];
  end
  if (closed && sum_at[3:0] == f_place) begin
    f_sum <= folds(f_exact);
    f_sum_over <= f_over;
  end
  if (valid[1] && is_last[1] && other_at == f_place)
    f_other <= {f_odd_1, f_length_1[17:16] != 0, f_sparse, f_abort_1, f_length_1[15:0]};
  f_took <= take && read_at[3:0] == f_place && !rst;
  f_wanted_sum <= swap_if(f_other[19], f_sum);
  f_wanted <= f_other;
  f_wanted_over <= f_sum_over;
  if (rst) begin
    f_at   <= 17'd0;
    f_open <= 1'b0;
  end

  if (was_reset) begin
    // invariant input: the counters say where the beat lies.
    assert (index == f_at[15:2] && next_index == index + 14'd1 && wrapped == f_at[16]);
    assert (f_at[1:0] == 0 && (!first || f_at == 0));
    if (!first) begin
      assert (start_beat == f_held[15:2] && start_lane == f_held[1:0] && f_at != 0);
      assert (begun == (wrapped || index > start_beat));
      if (!wrapped) assert (at_start == (index == start_beat));
    end
    // invariant frames: each stage knows whether its beat begins a frame.
    if (valid[1]) assert (is_first[1] == !f_open);
    if (valid[0]) assert (is_first[0] == !(valid[1] ? !is_last[1] : f_open));
    assert (first == !(valid[0] ? !is_last[0] : valid[1] ? !is_last[1] : f_open));

    // property tree: a beat's wanted bytes, and no others, are added.
    if (valid[0])
      assert ({1'b0, g_level[0].sums[15:0]} + {1'b0, g_level[0].sums[31:16]} == f_words_0);
    if (valid[1]) assert (g_level[1].sums == f_words_1);
    if (valid[0]) assert (seed[0] == f_seed_0);
    if (valid[1]) assert (seed[1] == f_seed_1);
    // property loop: what is added so far is the one's complement sum.
    if (!f_open)
      assert (high == 0 && !carry);
      else if (!f_over) assert ({high, low} == f_exact && !carry);
    // property closed: so it is at the end of a frame, after one fold and a carry.
    if (closed && !f_over) assert ({closed_high, closed_low} == f_exact && !closed_carry);
    if (closed && !f_over) assert (once(folded) == folds(f_exact));
    // property others: the length and the status are the frame's.
    if (valid[0]) begin
      assert (keep == f_keep_0 && odd[0] == f_odd_0 && aborted[0] == f_abort_0);
      assert (too_long[0] == f_length_0[17]);
      if (f_keep_0 == 0 || f_keep_0 == 1 || f_keep_0 == 3 || f_keep_0 == 7 || f_keep_0 == 15)
        assert ({1'b0, beats, 2'd0} + {14'd0, bytes} == f_length_0[16:0]);
    end
    if (valid[1]) begin
      assert (odd[1] == f_odd_1 && aborted[1] == f_abort_1 && sparse == f_sparse);
      assert (too_long[1] == f_length_1[17]);
      if (!sparse) assert (length == f_length_1[16:0]);
    end
    if (f_open && !valid[1]) assert (sparse == f_sparse);

    // property count: a frame has a place from its end to its result; none is lost or invented.
    assert (occupied <= 5'd16 && waiting <= 5'd16);
    assert (waiting == occupied + {4'd0, closed}
        + {4'd0, valid[0] && is_last[0]} + {4'd0, valid[1] && is_last[1]});
    assert (other_at == sum_at[3:0] + {3'd0, closed});
    // property ready: the input waits only for places.
    if ($past(rst)) begin
      assert (!s_axis_tready && !m_result_valid && waiting == 0);
    end else begin
      assert (s_axis_tready == !waiting[4]);
    end
    // property order: the result of each frame is that frame's.
    if ({1'b0, f_ahead} < occupied && !f_sum_over) assert (once(sums[f_place]) == f_sum);
    if ({1'b0, f_ahead} < occupied + {4'd0, closed}) begin
      assert ({others[f_place][19], others[f_place][17:16]} == {f_other[19], f_other[17:16]});
      if (!f_other[17]) assert (others[f_place] == f_other);
    end
    if (f_took) begin
      assert (m_result_valid && (f_wanted_over || m_result_sum == f_wanted_sum));
      assert (m_result_status[1:0] == f_wanted[17:16]);
      if (!f_wanted[17])
        assert ({m_result_status[2], m_result_length} == {f_wanted[18], f_wanted[15:0]});
    end
    if (!$past(rst)) begin
      // property stable: a result stays until it is taken.
      if ($past(m_result_valid && !m_result_ready)) begin
        assert (m_result_valid && $stable(m_result_sum));
        assert ($stable(m_result_length) && $stable(m_result_status));
      end
      // property prompt: a free output takes a result that waits.
      if ($past(occupied != 0)) assert (m_result_valid);
    end

    // Each of these happens.
    cover (closed && closed_high == 16'd1 && !f_open);
    cover (f_took && m_result_status == 3'd3 && m_result_sum == 16'hFFFF);
    cover (f_took && f_wanted[19] && m_result_length == 16'd5);
    cover (valid[0] && valid[1] && is_last[0] && is_last[1] && closed);
    cover (m_result_valid && !m_result_ready && occupied == 2);
  end
end
