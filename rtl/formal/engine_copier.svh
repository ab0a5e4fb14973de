// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_engine_copier; prove.py puts them before its `endmodule`. For any pieces,
// beats and pauses: the bursts of a copy join without a gap from its first byte to its last, none
// crosses 4 KiB; exactly the bytes of the copy have a strobe, and each comes from the beat that has
// it; a burst is offered when all its beats wait. For pieces of fewer than 512 bytes.
//
// f_ is the piece that is cut, g_ the piece of the next burst, h_ the piece of the burst that has
// begun. The queues inside may do whatever wiresum_queue's own proof allows.
initial assume (rst);

logic [CountBits:0] f_held, f_inside;  // beats in the queue; with those that are being turned
logic [ADDR_WIDTH-1:0] f_target, g_target, h_target, f_here;
logic [LANE_BITS-1:0] h_lane;
logic signed [11:0] h_first;  // the number of the byte in the first lane of the beat
logic [9:0] f_length, g_length, h_length, f_done, g_from, g_to, h_from, h_to, f_rest, f_takes;
logic [LANE_BITS-1:0] f_begin, g_begin, h_begin;
logic f_null, f_last, g_last;
logic [BlockBits-1:0] f_at;
logic [BlockBits:0] f_room;
logic [32:0] f_reach;
logic [9:0] h_popped, h_left;  // beats of the piece that were taken, and those still to take
assign f_here  = f_target + f_done;
assign f_at    = f_here[BlockBits-1:0];
assign f_rest  = f_length - f_done;
assign f_room  = (1 << BlockBits) - f_at;
assign f_takes = f_rest < f_room ? f_rest : 10'(f_room);
assign f_reach = {23'd0, f_rest} + f_at - 1;
assign h_lane  = LANE_BITS'(h_target + h_from);
assign h_first = $signed({2'b00, h_from}) - $signed(12'(h_lane));

// The beat that has a byte, counted from the beat of the piece's first byte: the byte's number and
// the lane of the first one say it, for what comes and for what leaves.
function automatic logic signed [11:0] f_beat(input logic [LANE_BITS-1:0] first,
                                              input logic signed [11:0] number);
  f_beat = ($signed(12'(first)) + number) >>> LANE_BITS;
endfunction

always_comb begin
  assume (!s_piece_valid || s_piece_ready);
  assume (!s_beat_valid || f_inside < PLACES);  // the reader asks for no others
  assume (!front_valid || f_held != 0);
  assume (!piece_valid || null_piece || length != 0 && length < 512);
end

always @(posedge clk) begin
  f_held   <= f_held + moves[Stages] - pop;
  f_inside <= f_inside + s_beat_valid - freed;
  if (load) begin
    f_target <= target;
    f_length <= length;
    f_begin  <= begins;
    f_null   <= null_piece;
    f_last   <= job_last;
    f_done   <= 0;
  end
  if (step) begin
    f_done <= f_done + f_takes;
    g_target <= f_target;
    g_length <= f_length;
    g_begin <= f_begin;
    g_from <= f_done;
    g_to <= f_done + f_takes;
    g_last <= f_last && (f_null || f_takes == f_rest);
  end
  if (pop) begin
    h_popped <= h_popped + 1;
    h_left   <= h_left - 1;
  end
  if (m_beat_valid && m_beat_ready) h_from <= 10'(h_first + Bytes);
  if (take && !m_burst_null) begin
    h_target <= g_target;
    h_length <= g_length;
    h_begin <= g_begin;
    h_from <= g_from;
    h_to <= g_to;
    h_popped <= 10'(f_beat(
        LANE_BITS'(g_target), $signed(12'(g_from))
    )) + (g_from != 0 && LANE_BITS'(g_target) < g_begin);
    h_left <= m_burst_length + 1 + burst_late - burst_early;
  end
  if (rst) begin
    f_held   <= 0;
    f_inside <= 0;
  end
  // A burst follows the beats of the one before it.
  if (take && !m_burst_null && !rst)
    assume (!writes || m_beat_valid && m_beat_ready && m_beat_last);
  if (!$past(rst) && $past(front_valid && !pop)) assume (front_valid && $stable(front));

  if (!rst) begin
    // invariant place: the registers say where the piece is cut next, and what is left.
    if (active && !is_null) begin
      assert (!f_null && f_done < f_length);
      assert ({block, place} == f_here[ADDR_WIDTH-1:LANE_BITS]);
      assert ({left, last_place} == f_reach[32:LANE_BITS]);
      assert (opening == (f_done == 0) && lane == f_target[LANE_BITS-1:0]);
      assert (last_lane == f_reach[LANE_BITS-1:0]);
      assert (turn == LANE_BITS'(f_target - f_begin));
      assert (late == (lane < f_begin) && early == (last_lane < turn));
      assert (opening || f_here[BlockBits-1:0] == 0);
    end
    if (active) assert (is_null == f_null && is_last == f_last && (!is_null || left == 0));
    // invariant cut: the next burst belongs to its bytes.
    if (burst_valid && !m_burst_null) begin
      assert (g_from < g_to && g_to <= g_length);
      assert (BlockBits'(g_target + g_from) + (g_to - g_from) <= 1 << BlockBits);
      assert (g_from == 0 || LANE_BITS'(g_target + g_from) == 0);
      assert (g_to == g_length || LANE_BITS'(g_target + g_to) == 0);
      assert (needed == m_burst_length + 1 + burst_late - burst_early);
      // All beats of a piece are needed, and no other.
      assert (g_to != g_length || f_beat(
          g_begin, $signed(12'(g_length)) - 1
      ) == f_beat(
          LANE_BITS'(g_target), $signed(12'(g_length)) - 1
      ) + (LANE_BITS'(g_target) < g_begin) - burst_early);
      assert (burst_turn == LANE_BITS'(g_target - g_begin));
      assert (burst_lane == LANE_BITS'(g_target + g_from));
      assert (burst_last_lane == LANE_BITS'(g_target + g_to - 1));
      assert (burst_late == (g_from == 0 && LANE_BITS'(g_target) < g_begin));
      assert (burst_early == (g_to == g_length && burst_last_lane < burst_turn));
    end
    if (burst_valid && m_burst_null) assert (needed == 0);
    if (m_burst_valid) assert (burst_valid);
    // property joined: a burst begins where the one before it ended, and ends with its block or
    // with the piece.
    if (burst_valid && !m_burst_null) begin
      assert (m_burst_address == (ADDR_WIDTH'(g_target + g_from) & ~(Bytes - 1)));
      assert (m_burst_length == 8'((g_target[BlockBits-1:0] + g_to - 17'd1) >> LANE_BITS)
          - 8'((g_target[BlockBits-1:0] + g_from + 17'd0) >> LANE_BITS));
    end
    if (!$past(rst) && $past(step && !is_null))
      assert (g_from == $past(f_done) && (g_to == g_length || BlockBits'(g_target + g_to) == 0));
    // property boundary: no burst crosses 4 KiB.
    if (m_burst_valid && !m_burst_null)
      assert (m_burst_address[11:LANE_BITS] + m_burst_length + 13'd0 <= (1 << 12 - LANE_BITS) - 1);
    // property told: a job's last burst says so.
    if (burst_valid) assert (m_burst_last == g_last);
    // invariant begun: the burst that has begun belongs to its bytes.
    if (writes) begin
      assert (h_from < h_to && h_to <= h_length);
      assert (BlockBits'(h_target + h_from) + (h_to - h_from) <= 1 << BlockBits);
      assert (h_from == 0 || LANE_BITS'(h_target + h_from) == 0);
      assert (h_to == h_length || LANE_BITS'(h_target + h_to) == 0);
      assert (beats_left == 8'((12'(h_to) - h_first - 1) >> LANE_BITS));
      assert (old_lanes == Bytes'(~({Bytes{1'b1}} << LANE_BITS'(h_target - h_begin))));
      assert (strobes == Bytes'({Bytes{1'b1}} << LANE_BITS'(h_target + h_from)));
      assert (last_strobes == Bytes'(~({Bytes{1'b1}} << LANE_BITS'(h_target + h_to - 1) << 1)));
      assert (dry == (h_to == h_length
          && LANE_BITS'(h_target + h_to - 1) < LANE_BITS'(h_target - h_begin)));
      assert (!priming || h_from == 0 && LANE_BITS'(h_target) < h_begin);
      assert (h_popped == 10'(f_beat(
          LANE_BITS'(h_target), $signed(12'(h_from))
      )) + (LANE_BITS'(h_target) < h_begin && !priming));
      assert (h_left == beats_left + 1 + priming - dry);
    end
    // property wanted: a byte has a strobe if and only if it is one of the copy.
    if (m_beat_valid)
      for (int k = 0; k < Bytes; k++)
      assert (m_beat_strobes[k] == (h_first + k >= 0 && h_first + k < $signed({2'b00, h_length})));
    // property source: each byte comes from the beat that has it, and from its lane.
    if (m_beat_valid)
      for (int k = 0; k < Bytes; k++)
      if (m_beat_strobes[k]) begin
        assert (f_beat(h_begin, h_first + k) == $signed(12'(h_popped)) - old_lanes[k]);
        assert (m_beat_data[8*k+:8] == (old_lanes[k] ? previous[8*k+:8] : front[8*k+:8]));
        assert (old_lanes[k] || front_valid);
      end
    // property turned: a beat that comes is turned by as many lanes as it says.
    if (!$past(rst))
      for (int by = 0; by < Bytes; by++)
      for (int k = 0; k < Bytes; k++)
      if (moves[1] && $past(s_beat_turn == by))
        assert (moved[1][8*((k+by)%Bytes)+:8] == $past(s_beat_data[8*k+:8]));
    // property last: the last beat has the burst's last byte.
    if (m_beat_valid) assert (m_beat_last == ($signed({2'b00, h_to}) <= h_first + Bytes));
    // property waits: a burst that is offered has all its beats, so it does not wait for a read.
    assert (f_held <= PLACES && f_inside <= PLACES);
    assert (f_inside == f_held + moves[1]);
    assert (f_held == waiting + (writes ? h_left : 0));
    if (m_burst_valid) assert (needed <= waiting);
    if (writes && front_valid) assert (m_beat_valid || priming);
    if (!$past(rst)) begin
      // property stable: what is offered, and has a strobe, is unchanged until it is taken.
      if ($past(m_burst_valid && !m_burst_ready))
        assert (m_burst_valid && $stable(
            m_burst_address
        ) && $stable(
            m_burst_length
        ) && $stable(
            m_burst_last
        ) && $stable(
            m_burst_null
        ));
      if ($past(m_beat_valid && !m_beat_ready))
        assert (m_beat_valid && $stable(m_beat_strobes) && $stable(m_beat_last));
      for (int k = 0; k < Bytes; k++)
      if ($past(m_beat_valid && !m_beat_ready) && m_beat_strobes[k])
        assert ($stable(m_beat_data[8*k+:8]));
    end

    // Each of these happens.
    cover (m_beat_valid && m_beat_last && h_from != 0 && h_length == 20 && h_begin == 3);
    cover (m_beat_valid && m_beat_last && dry && !front_valid && h_popped == 2);
    cover (m_burst_valid && m_burst_null);
  end
end
