// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_engine_receiver; prove.py puts them before its `endmodule`. For any beats,
// bursts and pieces: exactly the wanted bytes of a piece are added, a piece ends with the last beat
// of its last burst, and the job's sum is the one's complement sum of the seed and of its pieces'
// sums, each swapped as it has to be. wiresum_sum_stream and wiresum_queue have their own proofs.
function automatic logic [15:0] f_add(input logic [15:0] a, input logic [15:0] b);
  f_add = 16'({1'b0, a} + {1'b0, b}) + 16'(({1'b0, a} + {1'b0, b}) >> 16);
endfunction
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);
always_comb assume (!s_ticket_valid || s_ticket_ready);

logic f_first;  // the next beat of data is a piece's first one
logic f_slverr, f_decerr;  // of the piece so far
logic [15:0] f_sum, f_operand;
logic f_summed, f_ended;
logic [2:0] f_errors;
logic [4:0] f_owed;
assign f_operand = known_swap ? {piece_sum[7:0], piece_sum[15:8]} : piece_sum;

always @(posedge clk) begin
  was_reset <= 1'b1;
  if (beat) begin
    f_first  <= ticket_last && m_axi_rlast;
    f_slverr <= (!f_first && f_slverr) || m_axi_rresp == 2'b10;
    f_decerr <= (!f_first && f_decerr) || m_axi_rresp == 2'b11;
  end
  if (sum_valid) begin
    f_sum <= f_add(known_first ? known_note[15:0] : f_sum, f_operand);
    f_errors <= known_first ? known_errors : f_errors | known_errors;
    f_summed <= 1'b1;
  end
  f_ended <= sum_valid && known_last;
  f_owed  <= f_owed + s_ticket_valid - (m_axi_rvalid && m_axi_rready && m_axi_rlast);
  if (rst) begin
    f_first  <= 1'b1;
    f_summed <= 1'b0;
    f_ended  <= 1'b0;
    f_owed   <= 0;
  end
  // A job begins with its first piece.
  if (was_reset && sum_valid && !f_summed && !rst) assume (known_first);

  if (was_reset && !rst) begin
    // property wanted: a byte counts if it lies between the piece's first one and its last one.
    assert (started == !f_first);
    if (beat)
      for (int k = 0; k < Bytes; k++)
      assert (wanted[k] == (!(f_first && k < begins) && !(ticket_last && m_axi_rlast && k > ends)));
    if (skip) assert (wanted == 0 && !beat);
    // property ends: a piece ends with its last burst's last beat, or at once if it is empty.
    assert (piece_done == (skip || beat && ticket_last && m_axi_rlast));
    // property taken: a beat is taken only for a ticket, and a piece's only with its piece.
    if (m_axi_rready) assert (ticket_valid && (ticket_fetch || piece_valid && !empty));
    if (ticket_valid && ticket_fetch) assert (m_axi_rready);
    // property copied: the copier has the beats of its pieces, and no other.
    assert (copy_beat == (m_axi_rvalid && m_axi_rready && !ticket_fetch && copy));
    // property told: an answer with an error is told with its piece.
    if (beat && piece_done) begin
      assert (errors_now[0] == (!f_first && f_slverr || m_axi_rresp == 2'b10));
      assert (errors_now[1] == (!f_first && f_decerr || m_axi_rresp == 2'b11));
    end
    if (!f_first) assert (errors == {f_decerr, f_slverr});
    if (skip) assert (!f_first || errors_now == 0);
    // property joined: the job's sum so far.
    if (f_summed) begin
      assert (sum == f_sum && !(total == 16'hFFFF && carry));
      assert (job_errors == f_errors);
    end
    // property result: each job has one result, when its last piece has been added.
    if (!$past(rst)) assert (done == f_ended);
    // property owed: idle only while memory owes nothing.
    assert (owed == f_owed);
    if (!$past(rst) && idle) assert ($past(f_owed == 0 && !s_ticket_valid));

    // Each of these happens.
    cover (done && sum == 16'h0001 && f_errors == 3'd1);
    cover (beat && !f_first && piece_done && ends == 2);
  end
end
