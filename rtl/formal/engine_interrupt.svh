// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of wiresum_engine_interrupt; prove.py puts them before its `endmodule`. For any
// completions: each is announced in time, and nothing is announced without one.
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);
logic [15:0] f_waiting;  // completions that are not announced, as of the last cycle
logic [15:0] f_age;  // cycles since the first of them
always @(posedge clk) begin
  was_reset <= 1'b1;
  if (was_reset) assume ($stable(count) && $stable(cycles));
  if (full || late || rst) begin
    f_waiting <= 0;
    f_age <= 0;
  end else begin
    if (completion && f_waiting != 16'hFFFF) f_waiting <= f_waiting + 16'd1;
    f_age <= f_waiting == 0 ? 16'd0 : f_age + 16'd1;
  end
  if (was_reset && !rst && !$past(rst)) begin
    // property number: fewer than `count` wait for an announcement.
    if (count != 0) assert (f_waiting < count);
    assert (came == f_waiting);
    // property time: none waits for more than `cycles`.
    if (cycles != 0) assert (f_age < cycles);
    if (f_waiting != 0 && cycles != 0) assert (waited == f_age);
    // property needed: an announcement has a completion that no earlier one had, and a reason.
    if (announce) begin
      assert ($past(f_waiting != 0 || completion));
      assert (count != 0 && $past(
          completion && f_waiting + 17'd1 >= count
      ) || cycles != 0 && $past(
          f_age + 17'd1 >= cycles
      ));
    end
    // property prompt: it comes in the cycle after the last event.
    if (count != 0 && $past(completion && f_waiting + 17'd1 == count)) assert (announce);

    // Each of these happens.
    cover (announce && count == 3 && cycles == 0);
    cover (announce && count == 0 && cycles == 4);
  end
end
