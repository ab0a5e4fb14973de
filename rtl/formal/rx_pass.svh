// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_rx_pass with 32 bits; prove.py puts them before its `endmodule`. The check
// and the buffer may do anything: the buffer has a proof of its own, and the check is simulated.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

localparam int AllBits = DATA_WIDTH + KEEP_WIDTH + 1 + AlongBits + 73;
logic [AllBits-1:0] f_head, f_out, f_left;  // what has to leave: of the buffer's beat; then
logic f_valid;
always_comb begin
  f_head[72:0] = 73'd0;
  f_head[0] = head_last && head_user;
  f_head[1] = head_long;
  for (int i = 0; i < 71; i++) if (!head_long) f_head[i+2] = result[i];
  f_head[AllBits-1:73] = {head_data, head_keep, head_last, head_along};
  f_left = {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tid, m_axis_tdest, m_axis_tuser};
end

always @(posedge clk) begin
  was_reset <= 1'b1;
  if (head_valid && head_ready) f_out <= f_head;
  f_valid <= !rst && (head_valid && head_ready || m_axis_tvalid && !m_axis_tready);

  if (was_reset) begin
    // property together: a beat is taken by both, or by neither.
    assert ((check_valid && check_ready) == (s_axis_tvalid && s_axis_tready));
    assert ((frames_valid && room) == (s_axis_tvalid && s_axis_tready));
    // property leaves: what leaves is the buffer's beat with its frame's result, once.
    assert (m_axis_tvalid == f_valid);
    if (m_axis_tvalid) assert (f_left == f_out);
    // property stable: a beat at the output stays until it is taken.
    if (!$past(rst) && $past(m_axis_tvalid && !m_axis_tready))
      assert (m_axis_tvalid && $stable(f_left));
    // property prompt: the buffer's beat is taken whenever the output is free.
    assert (head_ready == (!m_axis_tvalid || m_axis_tready));

    // Each of these happens.
    cover (m_axis_tvalid && m_axis_tready && $past(m_axis_tvalid && m_axis_tready));
    cover (m_axis_tvalid && m_axis_tuser[1] && $past(!m_axis_tready));
  end
end
