// SPDX-License-Identifier: MIT OR Apache-2.0
// Put into tcoe_registers before its end. Ready means that a job has ended, and stays until the next one starts.
  logic was_reset = 1'b0, ended = 1'b0;
  initial assume (rst);
  always @(posedge clk) begin
    was_reset <= 1'b1;
    if (was_reset) assume (!done || busy);
    ended <= rst || start ? 1'b0 : done ? 1'b1 : ended;
    if (was_reset) begin
      // property ready: set from the end of a job to the next start.
      assert (ready == ended);
      assert (!(ready && busy));
      assert (!error || ready);
      // property edge: a start is one cycle, on a rising edge, and never while busy.
      if (start) assert (!busy && go && !$past(go));
      if (start && !$past(rst)) assert (!$past(start));
      // property kept: address and count change only when they are written.
      if (!$past(rst) && !$past(write)) assert ($stable(address) && $stable(bytes) && $stable(too_long) && $stable(go));
      if (!$past(rst) && $past(write && index != tcoe_pkg::RegAddress)) assert ($stable(address));
    end
  end
