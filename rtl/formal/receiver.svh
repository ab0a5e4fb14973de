// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of tcoe_receiver; prove.py puts them before its `endmodule`. Take any one byte, freely
// chosen: when the job is done, it has been let through exactly once if it belongs to the request,
// and never if it does not. This holds for any place, count and pauses and each latency of the
// port.
//
// The beats are consecutive words from the first block's start: the memory's order, and
// requester.svh. The proof relies on the planner for the plan and on the registers for the order of
// the starts.
(* anyconst *) logic [16:0] x;  // the byte, counted from the start of the first page
logic [7:0] first, to;
logic [16:0] reach;  // the last byte, counted from the start of the first page
logic [14:0] word;  // the word that the next beat brings
logic [ 1:0] seen;  // how often the byte has been let through
logic [ 1:0] shown;  // pops, one and two cycles ago
logic [ 2:0] ending;  // cycles since the last wanted beat; 0: it has not come
logic now, wanted, was_reset = 1'b0, real_job = 1'b0, without_beats = 1'b0, late;
logic [4:0] g_mask;
assign g_mask = tcoe_pkg::burst_mask(first_burst);
assign to = pages == 0 ? last : 8'd255;
assign now = npi_rdfifo_latency == 0 ? npi_rdfifo_pop :
      npi_rdfifo_latency == 1 ? shown[0] : shown[1];
assign wanted = x >= {9'd0, first} && x <= reach;
assign late = state == Add || state == Fold1 || state == Fold2 || state == Done;

initial assume (rst);
always @(posedge clk) begin
  was_reset <= 1'b1;
  if (was_reset) assume ($stable(npi_rdfifo_latency));
  assume (npi_rdfifo_latency != 3);
  if (was_reset) `RELY(!start || state == Idle);
  if (was_reset) `RELY(!abort || state == Take);
  if (was_reset && !rst && !$past(rst) && state == Take && $past(state == Take))
    `RELY(!hold || $past(hold));
  shown <= rst ? 2'd0 : {shown[0], npi_rdfifo_pop};
  if (start) begin
    if (was_reset && !rst && !empty_job && !bad_job) begin
      `RELY({pages, last} <= 17'd65789 && {9'd0, address} <= {pages, last});
      `RELY(((address ^ to) >> 3 & ~{3'd0, g_mask}) == 0);
    end
    first <= address;
    reach <= {pages, last};
    word <= {10'd0, address[7:3] & ~g_mask};
    seen <= 2'd0;
    real_job <= !rst && !empty_job && !bad_job;
  end else if (take) begin
    word <= word + 1'b1;
    if (word == {1'b0, x[16:3]} && enable[x[2:0]] && seen != 2) seen <= seen + 1'b1;
  end
  if (rst) real_job <= 1'b0;
  without_beats <= start && !rst && (empty_job || bad_job);
  if (rst || start || done || abort) ending <= 3'd0;
  else if (finished || ending != 0) ending <= ending + 1'b1;

  if (was_reset && !rst) begin
    // invariant states: no other.
    assert (state == Idle || state == Take || late);
    if (state == Take) begin
      // property in_step: every beat that the port shows is taken, and none that it does not show.
      assert (real_job && !error);
      assert (popped == shown);
      assert (take == now);
      if (hold) assert (shown == 0);
      // property prompt: a beat is popped in the first cycle in which the port has it.
      assert (npi_rdfifo_pop == (!hold && !npi_rdfifo_empty));
      // invariant place: the module's registers hold the place.
      assert (head == first && tail == reach[7:0] && {9'd0, first} <= reach);
      assert (word[4:0] == place && !word[14]);
      assert ({1'b0, word[13:5]} + {1'b0, left} == {1'b0, reach[16:8]});
      assert (skipping == (word <= {10'd0, first[7:3]}));
      assert (word <= {1'b0, reach[16:3]} && reach <= 17'd65789);
      // invariant so_far: the byte has been let through if its turn has come.
      assert (seen == (wanted && {1'b0, x[16:3]} < word ? 2'd1 : 2'd0));
    end
    if (real_job && !error && late) begin
      // property once: each wanted byte exactly once, no other at all.
      assert (seen == (wanted ? 2'd1 : 2'd0));
      // property complete: the last word has been taken before any fold, and before done.
      assert (word == {1'b0, reach[16:3]} + 15'd1);
    end
    // property parity: the byte order of the sum follows the address, to the next start.
    if (real_job) assert (odd == first[0]);
    // property order: done comes only after two folds, the folds after the adder's cycle, and that
    // after the last beat.
    if (state == Add && was_reset) assert ($past(finished));
    if (fold) assert (!take && !$past(take));
    if (done && !error && real_job) assert ($past(fold) && $past(fold, 2) && $past(finished, 4));
    // property response: done comes four cycles after the last beat, one after an abort, and one
    // after the start of a job without beats.
    assert (done == (ending == 4 || $past(abort && !rst) || without_beats));
    assert (ending <= 4);
    assert ((ending == 1) == (state == Add) && (ending == 2) == (state == Fold1));
    assert ((ending == 3) == (state == Fold2));
    if (ending == 4) assert (state == Done && !failed);
    if (done && $past(abort && !rst)) assert (failed);
    if (done && without_beats) assert (failed == $past(bad_job));
    // property idle: nothing is taken where nothing is wanted, the port is empty, or it is flushed.
    if (!taking) assert (!npi_rdfifo_pop && !take);
    if (hold || npi_rdfifo_empty) assert (!npi_rdfifo_pop);
    // invariant beats: no more than adder.svh relies on.
    if (take) assert (word < 15'd8224);

    // Each of these happens.
    cover (done && real_job && !error && odd && npi_rdfifo_latency == 2);
    cover (done && real_job && !error && reach == 17'd5 && first == 8'd5);
    cover (finished && $past(take) && reach[16:8] == 1);
    cover (done && failed && real_job);
    cover (done && failed && !real_job);
    cover (done && !failed && !real_job);
    cover (finished && skipping);
  end
end
