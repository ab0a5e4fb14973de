// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of tcoe_flush; prove.py puts them before its `endmodule`. Whenever beats of an ended
// job may still be on their way, the port is flushed and nothing is asked for, for as long as the
// guards say and no longer. Nothing is flushed while beats are wanted and no guard runs.
//
// The proof relies on the receiver for the order of start, taking and finished.
logic [GUARD_BITS:0] quiet;  // cycles for which hold must still stand
logic [GUARD_BITS:0] silent;  // cycles without progress in a job
logic [GUARD_BITS:0] held;  // cycles for which hold has stood since its last cause
logic was_reset = 1'b0;  // a clock edge has passed
initial assume (rst);
always @(posedge clk) begin
  was_reset <= 1'b1;
  `RELY(!was_reset || !(start && taking));
  if (was_reset && !$past(rst))
    `RELY(!taking || $past(taking) && !$past(finished) && !$past(abort) || $past(start));
  if (was_reset && $past(rst)) `RELY(!taking);
  if (was_reset) `RELY(!finished || (taking && !hold));
  if (was_reset && $past(taking && !rst && !finished && !abort)) `RELY(taking);

  if (rst || abort) quiet <= {1'b0, FULL_GUARD};
  else if (finished && !exact_job) quiet <= {1'b0, TAIL_GUARD};
  else if (quiet != 0) quiet <= quiet - 1'b1;
  if (rst || !taking || hold || progress) silent <= 0;
  else if (!&silent) silent <= silent + 1'b1;
  if (rst || abort || finished || !hold) held <= 0;
  else held <= held + 1'b1;

  if (was_reset && !rst) begin
    // property guarded: hold and flush stand as long as they must.
    if (quiet != 0) assert (hold && npi_rdfifo_flush);
    if (guard) assert (quiet == {1'b0, count});
    if (!guard) assert (quiet == 0);
    // property response: hold stands for FULL_GUARD + 1 cycles at most, so a start is answered.
    if (hold) assert (held <= {1'b0, FULL_GUARD} && held + count <= {1'b0, FULL_GUARD});
    // property not_needlessly: while beats are wanted and no guard runs, nothing is dropped; while
    // none are wanted, everything is.
    assert (npi_rdfifo_flush == (hold || !taking));
    // property no_late_hold: hold rises only at the end of a job, or with its abort.
    if (hold && !$past(hold) && !$past(rst)) assert ($past(finished || abort));
    // property watchdog: silence of less than FULL_GUARD cycles never ends a job, more always does.
    if (taking && !hold)
      assert (count + silent == FULL_GUARD || (count == FULL_GUARD && silent == 0));
    if (abort) assert (silent >= {1'b0, FULL_GUARD} && taking);
    if (taking && !hold) assert (silent <= {1'b0, FULL_GUARD});
    if (taking && !hold && silent == {1'b0, FULL_GUARD}) assert (abort);

    // Each of these happens.
    cover (!hold && $past(hold) && taking);
    cover (abort);
    cover (!hold && !taking && $past(finished));
    cover (hold && $past(finished));
    cover (finished && silent == 3);
  end
end
