// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_engine_registers; prove.py puts them before its `endmodule`. For any
// accesses: the rules of AXI4-Lite, one answer each; a register has what software wrote last, and
// nothing else changes it; no event of the engine is lost.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);

logic [1:0] f_addresses, f_data, f_reads;  // taken, less answered
logic [7:0] f_address, f_read;
logic [31:0] f_value;
logic [3:0] f_strobes;
logic f_fire;
assign f_fire = f_addresses == 1 && f_data == 1 && (!s_axil_bvalid || s_axil_bready);
logic [15:0] f_tail;
always @(posedge clk) begin
  was_reset <= 1'b1;
  if (s_axil_awvalid && s_axil_awready) f_address <= s_axil_awaddr;
  if (s_axil_wvalid && s_axil_wready) {f_value, f_strobes} <= {s_axil_wdata, s_axil_wstrb};
  if (s_axil_arvalid && s_axil_arready) f_read <= s_axil_araddr;
  f_addresses <= f_addresses + (s_axil_awvalid && s_axil_awready) - f_fire;
  f_data <= f_data + (s_axil_wvalid && s_axil_wready) - f_fire;
  f_reads <= f_reads + (s_axil_arvalid && s_axil_arready)
      - (f_reads != 0 && (!s_axil_rvalid || s_axil_rready));
  if (f_fire && f_address[7:2] == 13 && f_strobes == 15) f_tail <= f_value[15:0];
  if (rst || clear) f_tail <= 0;
  if (rst) begin
    f_addresses <= 0;
    f_data <= 0;
    f_reads <= 0;
  end

  if (was_reset && !rst && !$past(rst)) begin
    // property answers: an access is answered once, and none waits while the answer is free.
    assert (f_addresses == have_address && f_data == have_data && f_reads == have_read);
    assert (s_axil_bvalid == $past(f_fire || s_axil_bvalid && !s_axil_bready));
    assert (s_axil_rvalid == $past(f_reads != 0 || s_axil_rvalid && !s_axil_rready));
    // invariant held: what waits is what came.
    if (have_address) assert (index == f_address[7:2]);
    if (have_data) assert (data == f_value && whole == (f_strobes == 15));
    if (have_read) assert (read_index == f_read[7:2]);
    // property stable: an answer stays unchanged until it is taken.
    if ($past(s_axil_bvalid && !s_axil_bready)) assert (s_axil_bvalid && $stable(s_axil_bresp));
    if ($past(s_axil_rvalid && !s_axil_rready))
      assert (s_axil_rvalid && $stable(s_axil_rdata) && $stable(s_axil_rresp));
    // property doorbell: a whole write to TAIL hands over its value once, and nothing else does.
    assert (tail_position == f_tail);
    assert (tail_position_written == $past(
        f_fire && f_address[7:2] == 13 && f_strobes == 15 && !clear
    ));
    // property event: an event of the engine sets its bit, even in the cycle of software's clear.
    if ($past(interrupt_completion_set && !clear)) assert (interrupt_completion);
    if ($past(!interrupt_completion_set && !clear && interrupt_completion && !f_fire))
      assert (interrupt_completion);
    // property begun: CTRL.RESET stays until the engine clears it.
    if ($past(ctrl_reset && !clear)) assert (ctrl_reset);
    // property refused: what has no register, or less than a word, has an error.
    if ($past(f_fire && (f_strobes != 15 || f_address < 8'h0C))) assert (s_axil_bresp == 2'b10);
    // property read: a read brings the register's value.
    if ($past(f_reads != 0 && (!s_axil_rvalid || s_axil_rready) && f_read[7:2] == 13))
      assert (s_axil_rdata == {16'd0, $past(tail_position)} && s_axil_rresp == 0);

    // Each of these happens.
    cover (tail_position_written && tail_position == 16'd5);
    cover (s_axil_rvalid && s_axil_rdata == 32'd5 && s_axil_rresp == 0);
  end
end
