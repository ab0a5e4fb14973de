// SPDX-License-Identifier: MIT OR Apache-2.0
// Put into tcoe_flush before its end. After whatever may leave beats on their way, the port is flushed, and nothing is asked for, for as
// long as the guards say; and nothing is flushed while beats are wanted and the guard is over.
  logic [GUARD_BITS:0] quiet;          // cycles that hold must still stand
  logic [GUARD_BITS:0] silent;         // cycles without progress in a job
  logic was_reset = 1'b0;
  initial assume (rst);
  always @(posedge clk) begin
    was_reset <= 1'b1;
    assume (!(start && taking));
    if (was_reset && !$past(rst)) assume (!taking || $past(taking) && !$past(finished) && !$past(abort) || $past(start));
    if (was_reset && $past(rst)) assume (!taking);
    assume (!finished || (taking && !hold));
    if (was_reset && $past(taking && !rst && !finished && !abort)) assume (taking);

    if (rst || abort) quiet <= {1'b0, FULL_GUARD};
    else if (finished && !exact_job) quiet <= {1'b0, TAIL_GUARD};
    else if (quiet != 0) quiet <= quiet - 1'b1;
    if (rst || !taking || hold || progress) silent <= 0;
    else if (!&silent) silent <= silent + 1'b1;

    if (was_reset && !rst) begin
      // property guarded: hold and flush stand as long as they must.
      if (quiet != 0) assert (hold && npi_rdfifo_flush);
      if (guard) assert (quiet == {1'b0, count});
      if (!guard) assert (quiet == 0);
      // property not_needlessly: while beats are wanted and the guard is over, nothing is dropped; while none are, everything is.
      assert (npi_rdfifo_flush == (hold || !taking));
      // property no_late_hold: hold rises only at the end of a job, or with its abort (requester.svh relies on it).
      if (hold && !$past(hold) && !$past(rst)) assert ($past(finished || abort));
      // property watchdog: silence of less than FULL_GUARD cycles never ends a job, more always does.
      if (taking && !hold) assert (count + silent == FULL_GUARD || (count == FULL_GUARD && silent == 0));
      if (abort) assert (silent >= {1'b0, FULL_GUARD} && taking);
      if (taking && !hold) assert (silent <= {1'b0, FULL_GUARD});
    end
  end
