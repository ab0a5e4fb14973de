// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of tcoe_planner; prove.py puts them before its `endmodule`. For every address and
// every count: the facts on which the requester, the receiver and the flush rely.
logic past = 1'b0;  // a clock edge has passed
logic [7:0] a;
logic [16:0] far;  // the last byte, counted from the start of the first page
logic [7:0] to;  // the last byte wanted in the first page
logic [4:0] first_mask, last_mask, last_block;
assign to = pages == 0 ? last : 8'd255;
assign first_mask = tcoe_pkg::burst_mask(first_burst);
assign last_mask = tcoe_pkg::burst_mask(last_burst);
assign last_block = pages == 0 ? first_mask : last_mask;
always @(posedge clk) begin
  past <= 1'b1;
  a <= address;
  far <= {9'd0, address} + {1'b0, bytes} - 17'd1;
  if (past && $past(bytes) != 0) begin
    // invariant far: within 17 bits.
    assert (far >= {9'd0, a} && far <= 17'd65789);
    // property reach: the last byte is in the last page, where `last` says.
    assert ({pages, last} == far);
    // property covers: the first block holds all that is wanted in the first page, the last block
    // all that is wanted in the last.
    assert (((a ^ to) >> 3 & ~{3'd0, first_mask}) == 0);
    if (pages != 0) assert ((last >> 3 & ~{3'd0, last_mask}) == 0);
    // property shortest: no shorter block would hold it.
    if (first_burst != 0)
      assert (((a ^ to) >> 3 & ~{3'd0, tcoe_pkg::burst_mask(first_burst - 2'd1)}) != 0);
    if (pages != 0 && last_burst != 0)
      assert ((last >> 3 & ~{3'd0, tcoe_pkg::burst_mask(last_burst - 2'd1)}) != 0);
    // property exact: the last burst ends with the last byte's word.
    assert (exact == ((last[7:3] & last_block) == last_block));

    // Each of these happens.
    cover (pages == 0 && first_burst == 0);
    cover (pages == 0 && first_burst == 1);
    cover (pages == 0 && first_burst == 2 && exact);
    cover (pages == 0 && first_burst == 3 && !exact);
    cover (pages == 2 && first_burst == 0 && last_burst == 1);
    cover (pages == 256 && last_burst == 2 && exact);
    cover (pages == 256 && last_burst == 3 && !exact);
  end
end
