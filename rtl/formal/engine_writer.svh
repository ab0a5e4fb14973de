// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_engine_writer; prove.py puts them before its `endmodule`. For any results,
// bursts and pauses: each result is one address and one beat, at its place in the ring and in its
// words of the beat; each burst is one address and its beats, in the same order; the rules of the
// AW and W channels; a job is retired when memory has answered, and is announced when its copy is
// there.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

// Results and bursts taken, less answers, addresses, last beats; with null bursts, less those that
// are done.
logic [4:0] f_owed, f_addresses, f_data, f_all;
always_comb assume (!m_axi_bvalid || f_owed != 0 && f_owed > f_addresses && f_owed > f_data);
// The queue brings what was put in: null bursts are those that memory does not owe.
always_comb assume (!order_valid || (order_null ? f_all > f_owed : f_owed != 0));
always_comb assume (!room || f_all <= 16);
logic f_result_stands, f_result_last;  // the address, the beat is a completion's
logic f_copied, f_slverr, f_decerr, f_now_slverr, f_now_decerr, f_write;
logic [1:0] f_copy;
logic [ADDR_WIDTH-1:0] f_burst_address;
logic [7:0] f_burst_length;
logic [DATA_WIDTH-1:0] f_beat;
logic [DATA_WIDTH/8-1:0] f_strobes;
logic f_last;
assign f_write = take || s_burst_valid && s_burst_ready && !s_burst_null;
assign f_now_slverr = f_slverr || m_axi_bvalid && !order_null && m_axi_bresp == 2'b10;
assign f_now_decerr = f_decerr || m_axi_bvalid && !order_null && m_axi_bresp == 2'b11;
logic [15:0] f_number, f_jobs, f_sum;
logic [2:0] f_errors;
logic [31:0] f_tag;
logic [ADDR_WIDTH-1:0] f_place;
logic [63:0] f_stored;
assign f_place  = base + 8 * (f_number & ((17'd1 << size) - 1));
assign f_stored = m_axi_wdata >> {f_place[LaneBits-1:3], 6'd0};

always @(posedge clk) begin
  was_reset <= 1'b1;
  assume (base[6:0] == 0);
  if (was_reset) assume ($stable(base) && $stable(size));
  f_owed <= f_owed + f_write - (m_axi_bvalid && m_axi_bready);
  f_addresses <= f_addresses + f_write - (m_axi_awvalid && m_axi_awready);
  f_data <= f_data + f_write - (m_axi_wvalid && m_axi_wready && m_axi_wlast);
  f_all <= f_all + take + (s_burst_valid && s_burst_ready)
      - (order_valid && (order_null || m_axi_bvalid));
  if (f_write) f_result_stands <= take;
  if (take || s_beat_valid && s_beat_ready) f_result_last <= take;
  if (s_burst_valid && s_burst_ready && !s_burst_null) begin
    f_burst_address <= s_burst_address;
    f_burst_length  <= s_burst_length;
  end
  if (s_beat_valid && s_beat_ready) begin
    f_beat <= s_beat_data;
    f_strobes <= s_beat_strobes;
    f_last <= s_beat_last;
  end
  if (order_valid && order_copy && (order_null || m_axi_bvalid)) begin
    f_slverr <= f_now_slverr && !order_flag;
    f_decerr <= f_now_decerr && !order_flag;
  end
  if (take) begin
    f_number <= f_jobs;
    f_jobs <= f_jobs + 1'b1;
    f_sum <= s_result_sum;
    f_errors <= s_result_errors;
    f_tag <= s_result_tag;
    f_copied <= s_result_copied;
    f_copy <= copy_errors;
  end
  if (rst) begin
    f_all <= 0;
    f_slverr <= 1'b0;
    f_decerr <= 1'b0;
    f_jobs <= 0;
    f_owed <= 0;
    f_addresses <= 0;
    f_data <= 0;
  end

  if (was_reset && !rst) begin
    // property once: each result is one address and one beat, none lost or invented; each burst is
    // one address and its beats.
    assert (f_addresses == m_axi_awvalid && f_data == (m_axi_wvalid && m_axi_wlast) + bursting);
    // property owed: idle only while memory owes nothing.
    assert (owed == f_all && f_owed <= f_all);
    if (!$past(rst) && idle) assert ($past(f_owed == 0 && !f_write));
    assert (job == f_jobs);
    // property place: the completion lies at its job's place, and no other byte is written.
    if (m_axi_awvalid && f_result_stands)
      assert (m_axi_awaddr == (f_place & ~((1 << LaneBits) - 1)) && m_axi_awlen == 0);
    if (m_axi_wvalid && f_result_last)
      assert (m_axi_wstrb == 16'h00FF << f_place[LaneBits-1:0] && m_axi_wlast);
    // property contents: sum, status with the phase of the lap, tag.
    if (m_axi_wvalid && f_result_last) begin
      assert (f_stored[15:0] == {f_sum[7:0], f_sum[15:8]} && f_stored[63:32] == f_tag);
      assert (f_stored[16] == !(f_number >> size & 1));
      assert (f_stored[31:17] == {10'd0, f_copied ? f_copy : 2'd0, f_errors});
    end
    // property burst: a burst and its beats leave as they came, and no completion comes between.
    if (m_axi_awvalid && !f_result_stands)
      assert (m_axi_awaddr == f_burst_address && m_axi_awlen == f_burst_length);
    if (m_axi_wvalid && !f_result_last)
      assert (m_axi_wdata == f_beat && m_axi_wstrb == f_strobes && m_axi_wlast == f_last);
    if (bursting) assert (!f_result_stands && !take);
    if (m_axi_wvalid && !m_axi_wlast) assert (bursting);
    // property copied: the completion of a job that is copied leaves when the copy's burst that is
    // the job's last one has been answered, with the errors of all its answers.
    assert (copy_ends == (order_valid && order_copy && order_flag && (order_null || m_axi_bvalid)));
    if (copy_ends) assert (errors_now == {f_now_decerr, f_now_slverr});
    assert (errors == {f_decerr, f_slverr});
    if (take && s_result_copied) assert (copy_done);
    if (!$past(rst)) begin
      // property stable: what is offered is unchanged until it is taken.
      if ($past(m_axi_awvalid && !m_axi_awready))
        assert (m_axi_awvalid && $stable(m_axi_awaddr) && $stable(m_axi_awlen));
      if ($past(m_axi_wvalid && !m_axi_wready))
        assert (m_axi_wvalid && $stable(
            m_axi_wdata
        ) && $stable(
            m_axi_wstrb
        ) && $stable(
            m_axi_wlast
        ));
      // property retired: a job is retired when memory has answered without an error.
      assert (retire == $past(
          m_axi_bvalid && m_axi_bready && !order_copy && !m_axi_bresp[1] && !failed
      ));
      if ($past(m_axi_bvalid && m_axi_bready && !order_copy && m_axi_bresp[1])) assert (failed);
      if ($past(failed)) assert (failed);
      // property sent: a job's descriptors are free before its completion can be seen.
      assert (sent == $past(take));
      if (sent) assert (sent_head == $past(s_result_number) + 16'd1);
      // property stopped: nothing begins in a stop or after an error.
      if ($past((stop || failed) && !m_axi_awvalid)) assert (!m_axi_awvalid);
      if ($past((stop || failed) && !m_axi_wvalid && !bursting)) assert (!m_axi_wvalid);
    end

    // Each of these happens.
    cover (retire && retire_error && sent_head == 16'd9);
    cover (m_axi_wvalid && !m_axi_awvalid && m_axi_wstrb == 16'hFF00 && f_result_last);
    cover (m_axi_wvalid && f_result_last && f_stored[21:20] == 2'b01 && f_stored[16]);
  end
end
