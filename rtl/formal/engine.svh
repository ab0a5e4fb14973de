// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_engine; prove.py puts them before its `endmodule`. The reader, the
// receiver, the writer and their queues are the shipped ones. The registers, the fetch, the copier,
// the coalescing and the adder are free: their outputs have any values in each cycle. So
// descriptors, copies and CTRL.RESET come at any time, also in ways in which they cannot come.
//
// The assumptions are the rules of AXI for the memory: it answers a read whose address it has
// taken, with any number of beats, and a write whose address and last beat it has taken.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

// What the memory has taken and has not answered. Data may be taken before their address.
logic [5:0] f_reads, f_addresses, f_data;
logic f_read, f_written, f_partial;  // a burst of data has begun
always_comb assume (!m_axi_rvalid || f_reads != 0);
always_comb assume (!m_axi_bvalid || f_addresses != 0 && f_data != 0);

always @(posedge clk) begin
  was_reset <= 1'b1;
  if (was_reset) assume (!rst);
  f_reads <= f_reads + (m_axi_arvalid && m_axi_arready)
      - (m_axi_rvalid && m_axi_rready && m_axi_rlast);
  f_addresses <= f_addresses + (m_axi_awvalid && m_axi_awready) - (m_axi_bvalid && m_axi_bready);
  f_data <= f_data + (m_axi_wvalid && m_axi_wready && m_axi_wlast) - (m_axi_bvalid && m_axi_bready);
  if (m_axi_wvalid && m_axi_wready) f_partial <= !m_axi_wlast;
  f_read <= f_read || m_axi_rvalid && m_axi_rready && m_axi_rlast;
  f_written <= f_written || m_axi_bvalid && m_axi_bready;
  if (rst) begin
    f_reads <= 0;
    f_addresses <= 0;
    f_data <= 0;
    f_partial <= 1'b0;
    f_read <= 1'b0;
    f_written <= 1'b0;
  end

  if (was_reset && !rst) begin
    // property read: the reset that software asks for finds no read that the memory still owes.
    if (clear) assert (f_reads == 0 && !m_axi_arvalid);
    // property written: it finds no write whose address, data or answer is still to come.
    if (clear)
      assert (f_addresses == 0 && f_data == 0 && !f_partial && !m_axi_awvalid && !m_axi_wvalid);
    // property answered: the memory never answers what was not asked for, and has its answer taken.
    if (m_axi_bready) assert (f_addresses + m_axi_awvalid != 0);
    if (m_axi_rready) assert (f_reads + m_axi_arvalid != 0);

    // Each of these happens.
    cover (clear && f_read);
    cover (clear && f_written);
    cover (clear && f_read && f_written);
  end
end
