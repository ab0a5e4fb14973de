// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_queue; prove.py puts them before its `endmodule`. `order` follows one place
// of the memory, any of the sixteen, through all results that use it.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

// What the pipeline promises.
logic [4:0] f_under_way;  // reservations without a push
always_comb begin
  assume (!reserve || ready);
  assume (!push || f_under_way != 0);
end

(* anyconst *) logic [3:0] f_place;
logic [WIDTH-1:0] f_pushed, f_wanted;
logic f_took;
logic [4:0] occupied;
logic [3:0] f_ahead;
assign occupied = push_at - read_at;
assign f_ahead  = f_place - read_at[3:0];

always @(posedge clk) begin
  was_reset   <= 1'b1;
  f_under_way <= rst ? 5'd0 : f_under_way + {4'd0, reserve} - {4'd0, push};
  if (push && push_at[3:0] == f_place) f_pushed <= push_data;
  f_took   <= take && read_at[3:0] == f_place && !rst;
  f_wanted <= f_pushed;

  if (was_reset) begin
    // property count: each reservation has a place until its result is taken; none is lost.
    assert (occupied <= 5'd16 && waiting <= 5'd16 && f_under_way <= 5'd16);
    assert ({1'b0, waiting} == {1'b0, occupied} + {1'b0, f_under_way});
    // property ready: only a lack of places makes it fall.
    if ($past(rst))
      assert (!ready && !m_valid && waiting == 0);
      else assert (ready == !waiting[4]);
    // property order: results come in the order of their pushes.
    if ({1'b0, f_ahead} < occupied) assert (places[f_place] == f_pushed);
    if (f_took) assert (m_valid && m_data == f_wanted);
    if (!$past(rst)) begin
      // property stable: a result stays until it is taken.
      if ($past(m_valid && !m_ready)) assert (m_valid && $stable(m_data));
      // property prompt: a free output takes a result that waits.
      if ($past(occupied != 0)) assert (m_valid);
      // property silent: the output has a result only if one was pushed.
      if ($past(occupied == 0 && !(m_valid && !m_ready))) assert (!m_valid);
    end

    // Each of these happens.
    cover (occupied == 5'd3 && m_valid && !m_ready);
    cover (m_valid && $past(take) && $past(take, 2) && m_data != $past(m_data));
  end
end
