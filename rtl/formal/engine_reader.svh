// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_engine_reader; prove.py puts them before its `endmodule`. For any pieces,
// pauses and stops: the bursts of a piece join without a gap from its first beat to its last, none
// crosses a block of BURST_BYTES, so none crosses 4 KiB; the rules of the AR channel; the parity of
// a job's bytes; no more beats for the copier than it has places.
//
// f_done counts the bytes of the piece that have been asked for. By the definition the next burst
// reaches from there to the end of the block or of the piece.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);
always_comb assume (s_fetch_address[4:0] == 0);  // a descriptor's place

logic [ADDR_WIDTH-1:0] f_source, f_here, f_want;
logic [31:0] f_length, f_done, f_rest;
logic [32:0] f_reach;
logic [BlockBits:0] f_room;
logic [BlockBits-1:0] f_at;
logic [31:0] f_takes;
logic [7:0] f_want_len;
logic f_data, f_whole;
logic f_open;  // bytes are left
logic f_bytes, f_swap, f_begun;  // the parity of the job's bytes
logic f_copy, f_copied, f_flag;  // the piece is copied; it or one before it of its job
logic [LANE_BITS-1:0] f_turn;
logic [31:0] f_places;  // that have a beat, or wait for one
assign f_flag = s_descriptor_flags[2] && s_descriptor_flags[15:3] == 0 && s_descriptor_length != 0;
always_comb assume (!freed || f_places != 0);
assign f_here  = f_source + f_done;
assign f_at    = f_here[BlockBits-1:0];
assign f_rest  = f_length - f_done;
assign f_room  = (1 << BlockBits) - f_at;
assign f_takes = f_rest < f_room ? f_rest : 32'(f_room);
assign f_reach = {1'b0, f_rest} + f_at - 1;

always @(posedge clk) begin
  was_reset <= 1'b1;
  if (take) begin
    f_source <= s_descriptor_source;
    f_length <= s_descriptor_length;
    f_done <= 0;
    f_swap <= s_descriptor_source[0] ^ (f_begun ? f_bytes : s_descriptor_flags[1]);
    f_bytes  <= (f_begun ? f_bytes : s_descriptor_flags[1])
        ^ (s_descriptor_length[0] && s_descriptor_flags[15:3] == 0);
    f_begun <= s_descriptor_flags[0];
    f_copy <= f_flag;
    f_copied <= f_flag || f_begun && f_copied;
    f_turn <= s_descriptor_target - s_descriptor_source[LANE_BITS-1:0];
  end
  f_places <= f_places - freed
      + (m_ticket_valid && !m_ticket_fetch && f_copy
         ? (f_at + f_takes - 1) / (1 << LANE_BITS) - f_at / (1 << LANE_BITS) + 1 : 0);
  if (m_ticket_valid) begin
    f_data <= !m_ticket_fetch;
    f_want <= f_here & ~((1 << LANE_BITS) - 1);
    f_want_len <= 8'((f_at + f_takes - 1) / (1 << LANE_BITS) - f_at / (1 << LANE_BITS));
    f_whole <= m_ticket_last;
    if (!m_ticket_fetch) begin
      f_done <= f_done + f_takes;
      if (f_takes == f_rest) f_open <= 1'b0;
    end
  end
  if (take) f_open <= s_descriptor_length != 0 && s_descriptor_flags[15:3] == 0;
  if (rst) begin
    f_places <= 0;
    f_begun  <= 1'b0;
    f_open   <= 1'b0;
  end

  if (was_reset && !rst) begin
    // invariant place: the module's registers say where the next burst begins, and what is left.
    if (active) begin
      assert (f_done < f_length);
      assert ({block, place} == f_here[ADDR_WIDTH-1:LANE_BITS]);
      assert ({left, last_place} == f_reach[32:LANE_BITS]);
    end
    if (!$past(rst)) assert (joined == f_begun && (!joined || odd == f_bytes));
    if (joined) assert (job_copied == f_copied);
    if (active) assert (active_copy == f_copy);
    // property room: never more beats for the copier than it has places.
    assert (f_places <= COPY_BEATS && places == COPY_BEATS - f_places);
    // property copied: the copier has each piece that is copied, and the end of its job.
    assert (m_copy_valid == (take && (f_flag || f_begun && f_copied && !s_descriptor_flags[0])));
    if (m_copy_valid)
      assert (m_copy_null == !f_flag && m_copy_last == !s_descriptor_flags[0] && m_copy_ready);
    if (m_piece_valid)
      assert (m_piece_copy == f_copy && m_piece_copied == f_copied && m_piece_turn == f_turn);
    // property joined: a burst begins where the one before it ended, and ends with its block or
    // its piece.
    if (m_axi_arvalid && f_data) assert (m_axi_araddr == f_want && m_axi_arlen == f_want_len);
    if (m_axi_arvalid && !f_data) assert (m_axi_arlen == 8'(FetchLength) && m_axi_araddr[4:0] == 0);
    // property boundary: no burst crosses 4 KiB.
    if (m_axi_arvalid)
      assert (m_axi_araddr[11:LANE_BITS] + m_axi_arlen + 13'd0 <= (1 << 12 - LANE_BITS) - 1);
    // property whole: the piece's last ticket is the one after which no byte is left.
    if (m_ticket_valid && !m_ticket_fetch) assert (m_ticket_last == (f_takes == f_rest));
    // property parity: a piece's bytes are swapped if they lie in the other halves of words.
    if (m_piece_valid) assert (m_piece_swap == f_swap);
    if (!$past(rst)) begin
      // property stable: a request stays unchanged until it is taken.
      if ($past(m_axi_arvalid && !m_axi_arready))
        assert (m_axi_arvalid && $stable(m_axi_araddr) && $stable(m_axi_arlen));
      if ($past(m_piece_valid && !m_piece_ready)) assert (m_piece_valid && $stable(m_piece_swap));
      // property stopped: no request begins in a stop.
      if ($past(stop && !m_axi_arvalid)) assert (!m_axi_arvalid);
      // property asks: a burst or a descriptor that can be asked for is asked for.
      assert (active == f_open);
      if ($past(
              (active && !(f_copy && COPY_BEATS - f_places < 1 << PlaceBits) || s_fetch_valid)
          && m_ticket_ready && !stop
          ))
        assert (m_axi_arvalid);
      // property ticketed: a request has a ticket, and begins in the cycle after it.
      if ($past(m_ticket_valid))
        assert (m_axi_arvalid);
        else if ($past(!m_axi_arvalid || m_axi_arready)) assert (!m_axi_arvalid);
    end
    // property places: no ticket and no last piece without a place.
    assert (!m_ticket_valid || m_ticket_ready);
    assert (!reserve || reserve_ready);

    // Each of these happens.
    cover (m_axi_arvalid && f_data && f_whole && f_length == 70 && f_done == 70);
    cover (m_piece_valid && m_piece_swap && !m_piece_first && m_piece_begin == 0);
    cover (active && !roomy && m_ticket_ready && !stop);
  end
end
