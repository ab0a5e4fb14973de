// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_engine_writer; prove.py puts them before its `endmodule`. For any results
// and pauses: each result is one address and one beat, at its place in the ring and in its words of
// the beat; the rules of the AW and W channels; a job is retired when memory has answered.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

logic [4:0] f_owed, f_addresses, f_data;  // results taken, less answers, addresses, beats
always_comb assume (!m_axi_bvalid || f_owed != 0 && f_owed > f_addresses && f_owed > f_data);
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
  f_owed <= f_owed + take - (m_axi_bvalid && m_axi_bready);
  f_addresses <= f_addresses + take - (m_axi_awvalid && m_axi_awready);
  f_data <= f_data + take - (m_axi_wvalid && m_axi_wready);
  if (take) begin
    f_number <= f_jobs;
    f_jobs <= f_jobs + 1'b1;
    f_sum <= s_result_sum;
    f_errors <= s_result_errors;
    f_tag <= s_result_tag;
  end
  if (rst) begin
    f_jobs <= 0;
    f_owed <= 0;
    f_addresses <= 0;
    f_data <= 0;
  end

  if (was_reset && !rst) begin
    // property once: each result is one address and one beat, none lost or invented.
    assert (f_addresses == m_axi_awvalid && f_data == m_axi_wvalid);
    // property owed: idle only while memory owes nothing.
    assert (owed == f_owed);
    if (!$past(rst) && idle) assert ($past(f_owed == 0 && !take));
    assert (job == f_jobs);
    // property place: the completion lies at its job's place, and no other byte is written.
    if (m_axi_awvalid) assert (m_axi_awaddr == (f_place & ~((1 << LaneBits) - 1)));
    if (m_axi_wvalid) assert (m_axi_wstrb == 16'h00FF << f_place[LaneBits-1:0]);
    // property contents: sum, status with the phase of the lap, tag.
    if (m_axi_wvalid) begin
      assert (f_stored[15:0] == {f_sum[7:0], f_sum[15:8]} && f_stored[63:32] == f_tag);
      assert (f_stored[16] == !(f_number >> size & 1));
      assert (f_stored[31:17] == {12'd0, f_errors});
    end
    if (!$past(rst)) begin
      // property stable: what stands is unchanged until it is taken.
      if ($past(m_axi_awvalid && !m_axi_awready)) assert (m_axi_awvalid && $stable(m_axi_awaddr));
      if ($past(m_axi_wvalid && !m_axi_wready))
        assert (m_axi_wvalid && $stable(m_axi_wdata) && $stable(m_axi_wstrb));
      // property retired: a job is retired when memory has answered without an error.
      assert (retire == $past(m_axi_bvalid && m_axi_bready && !m_axi_bresp[1] && !failed));
      if ($past(m_axi_bvalid && m_axi_bready && m_axi_bresp[1])) assert (failed);
      if ($past(failed)) assert (failed);
      // property sent: a job's descriptors are free before its completion can be seen.
      assert (sent == $past(take));
      if (sent) assert (sent_head == $past(s_result_number) + 16'd1);
      // property stopped: nothing begins in a stop or behind an error.
      if ($past((stop || failed) && !m_axi_awvalid)) assert (!m_axi_awvalid);
      if ($past((stop || failed) && !m_axi_wvalid)) assert (!m_axi_wvalid);
    end

    // Each of these happens.
    cover (retire && retire_error && sent_head == 16'd9);
    cover (m_axi_wvalid && !m_axi_awvalid && m_axi_wstrb == 16'hFF00);
  end
end
