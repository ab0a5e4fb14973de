// SPDX-License-Identifier: MIT OR Apache-2.0
// Put into tcoe_planner before its end. For every address and every count: what the requester and the receiver rely on.
  logic past = 1'b0;
  logic [7:0] a;
  logic [16:0] far;
  logic [7:0] to;
  always @(posedge clk) begin
    past <= 1'b1;
    a <= address;
    far <= {9'd0, address} + {1'b0, bytes} - 17'd1;
    if (past && $past(bytes) != 0) begin
      // invariant far: within 17 bits.
      assert (far >= {9'd0, a} && far <= 17'd65789);
      // property reach: the last byte is in the last page, where `last` says.
      assert ({pages, last} == far);
      // property covers: the first block holds all that is wanted in the first page, the last block all that is wanted in the last.
      assert (((a ^ to) >> 3 & ~{3'd0, tcoe_pkg::burst_mask(first_burst)}) == 0);
      if (pages != 0) assert ((last >> 3 & ~{3'd0, tcoe_pkg::burst_mask(last_burst)}) == 0);
      // property shortest: and no shorter one would.
      if (first_burst != 0) assert (((a ^ to) >> 3 & ~{3'd0, tcoe_pkg::burst_mask(first_burst - 2'd1)}) != 0);
      if (pages != 0 && last_burst != 0) assert ((last >> 3 & ~{3'd0, tcoe_pkg::burst_mask(last_burst - 2'd1)}) != 0);
      // property exact: the last burst ends with the last byte's word.
      if (pages == 0) assert (exact == ((last[7:3] & tcoe_pkg::burst_mask(first_burst)) == tcoe_pkg::burst_mask(first_burst)));
      else assert (exact == ((last[7:3] & tcoe_pkg::burst_mask(last_burst)) == tcoe_pkg::burst_mask(last_burst)));
    end
  end
  assign to = pages == 0 ? last : 8'd255;
