// SPDX-License-Identifier: MIT OR Apache-2.0
// Put into tcoe_receiver before its end. For any one byte, chosen freely: when the job is done it has been let through exactly once if
// it belongs to the request, and never if not. Any place, any count, any pauses, any latency of the port.
// Beats are consecutive words from the first block's start, which is the memory's order and requester.svh. The plan is planner.svh.
  (* anyconst *) logic [16:0] x;       // the byte, counted from the start of the first page
  (* anyseq *) logic [7:0] g_head;
  (* anyseq *) logic [16:0] g_reach;
  logic [7:0] first, to;
  logic [16:0] reach;
  logic [14:0] word;                   // the one that the next beat brings
  logic [1:0] seen;
  logic [1:0] shown;                   // pops, one and two cycles ago
  logic now, wanted, was_reset = 1'b0, real_job = 1'b0;
  assign to = g_reach[16:8] == 0 ? g_reach[7:0] : 8'd255;
  assign now = npi_rdfifo_latency == 0 ? npi_rdfifo_pop : npi_rdfifo_latency == 1 ? shown[0] : shown[1];
  assign wanted = x >= {9'd0, first} && x <= reach;

  initial assume (rst);
  always @(posedge clk) begin
    was_reset <= 1'b1;
    if (was_reset) assume ($stable(npi_rdfifo_latency));
    assume (npi_rdfifo_latency != 3);
    assume (!start || state == Idle);
    shown <= rst ? 2'd0 : {shown[0], npi_rdfifo_pop};
    if (was_reset) assume (!start || (shown == 0 && !npi_rdfifo_pop));
    if (start) begin
      assume (g_reach <= 17'd65789);
      assume (address == g_head && {9'd0, g_head} <= g_reach && pages == g_reach[16:8] && last == g_reach[7:0]);
      assume (((g_head ^ to) >> 3 & ~{3'd0, tcoe_pkg::burst_mask(first_burst)}) == 0);
      first <= g_head;
      reach <= g_reach;
      word <= {10'd0, g_head[7:3] & ~tcoe_pkg::burst_mask(first_burst)};
      seen <= 2'd0;
      real_job <= !rst && !empty_job && !bad_job;
    end else if (take) begin
      word <= word + 1'b1;
      if (word == {1'b0, x[16:3]} && enable[x[2:0]] && seen != 2) seen <= seen + 1'b1;
    end
    if (rst) real_job <= 1'b0;

    if (was_reset && !rst) begin
      // invariant states: no other.
      assert (state == Idle || state == Take || state == Add || state == Fold1 || state == Fold2 || state == Done);
      if (state == Take) begin
        // property in_step: every beat that the port shows is taken, and none that it does not show.
        assert (real_job && !error);
        assert (popped == shown);
        assert (take == now);
        // invariant place: what the module keeps is where it is.
        assert (head == first && tail == reach[7:0] && {9'd0, first} <= reach);
        assert (word[4:0] == place && {1'b0, word[13:5]} + {1'b0, left} == {1'b0, reach[16:8]} && !word[14]);
        assert (skipping == (word <= {10'd0, first[7:3]}));
        assert (word <= {1'b0, reach[16:3]} && reach <= 17'd65789);
        // invariant so_far: the byte has been let through if its turn has come.
        assert (seen == (wanted && {1'b0, x[16:3]} < word ? 2'd1 : 2'd0));
      end
      if (real_job && !error && (state == Add || state == Fold1 || state == Fold2 || state == Done)) begin
        // property once: each wanted byte exactly once, no other at all.
        assert (seen == (wanted ? 2'd1 : 2'd0));
        // property complete: the last word has been taken before any fold, and before done.
        assert (word == {1'b0, reach[16:3]} + 15'd1);
      end
      // property order: done only behind two folds, those behind the adder's cycle, that behind the last beat.
      if (state == Add && was_reset) assert ($past(finished));
      if (fold) assert (!take && !$past(take));
      if (done && !error && real_job) assert ($past(fold) && $past(fold, 2) && $past(finished, 4));
      // property idle: takes nothing where nothing is wanted, nothing to be had, or the port is flushed.
      if (!taking) assert (!npi_rdfifo_pop && !take);
      if (hold || npi_rdfifo_empty) assert (!npi_rdfifo_pop);
      // invariant beats: no more than adder.svh assumes.
      if (take) assert (word < 15'd8224);
    end
  end
