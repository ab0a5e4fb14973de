// SPDX-License-Identifier: MIT OR Apache-2.0
// Put into tcoe_requester before its end. The bursts join without a gap from the first byte's block to past the last byte, each is
// aligned, none lies behind the data, and a request stands unchanged until it is acknowledged. Any address, any count, any delays.
// Assumed, and proven in planner.svh: the plan. Assumed, and proven in flush.svh: hold does not rise while requests are pending.
  (* anyseq *) logic [31:0] g_address;
  (* anyseq *) logic [16:0] g_reach;   // the last byte, from the start of the first page
  logic [31:0] base;
  logic [16:0] reach;
  logic [14:0] next;                   // the word, from there, at which the next burst must start
  logic [9:0] issued;
  logic [7:0] from;
  logic running = 1'b0, was_reset = 1'b0;
  logic [7:0] to;
  logic [14:0] here, length;
  assign to = g_reach[16:8] == 0 ? g_reach[7:0] : 8'd255;
  assign length = {10'd0, tcoe_pkg::burst_mask(burst)} + 15'd1;
  assign here = {issued, 5'd0} | {10'd0, npi_addr[7:3]};

  initial assume (rst);
  always @(posedge clk) begin
    was_reset <= 1'b1;
    assume (!start || !active);
    if (start) begin
      assume (!rst && !abort);
      assume (address == g_address[31:3] && {24'd0, g_address[7:0]} <= {15'd0, g_reach});
      assume (pages == g_reach[16:8]);
      assume (((g_address[7:0] ^ to) >> 3 & ~{3'd0, tcoe_pkg::burst_mask(first_burst)}) == 0);
      assume (g_reach[16:8] == 0 || (g_reach[7:0] >> 3 & ~{3'd0, tcoe_pkg::burst_mask(last_burst)}) == 0);
      base <= {g_address[31:8], 8'd0};
      reach <= g_reach;
      from <= g_address[7:0];
      next <= {10'd0, g_address[7:3] & ~tcoe_pkg::burst_mask(first_burst)};
      issued <= 10'd0;
      running <= 1'b1;
    end else if (npi_addrreq && npi_addrack) begin
      next <= next + length;
      issued <= issued + 1'b1;
    end
    if (rst || abort) running <= 1'b0;
    if (was_reset && $past(active) && active) assume (!hold || $past(hold));

    if (was_reset && running && !rst && !abort) begin
      // invariant state: what the module keeps is where it is.
      if (active) begin
        assert ({1'b0, left} + issued == {1'b0, reach[16:8]});
        assert (issued <= {1'b0, reach[16:8]});
        assert (page == base[31:8] + {14'd0, issued});
        if (issued != 0) assert (place == 0 && burst == (left == 0 ? last_kind : tcoe_pkg::Burst256) && next == {issued, 5'd0});
        else assert (place == from[7:3] && next == {10'd0, from[7:3] & ~tcoe_pkg::burst_mask(burst)});
        if (issued == 0 && reach[16:8] != 0) assert (((from[7:3] ^ 5'd31) & ~tcoe_pkg::burst_mask(burst)) == 0);
        if (issued == 0 && reach[16:8] == 0) assert (((from[7:3] ^ reach[7:3]) & ~tcoe_pkg::burst_mask(burst)) == 0);
        if (left != 0) assert ((reach[7:3] & ~tcoe_pkg::burst_mask(last_kind)) == 0);
        if (left == 0 && issued != 0) assert ((reach[7:3] & ~tcoe_pkg::burst_mask(burst)) == 0);
        assert ({9'd0, from} <= reach);
        // property joined: each burst starts where the last one ended.
        assert (here == next && npi_addr[31:8] == base[31:8] + {14'd0, issued});
        // property aligned: to its own length.
        assert ((npi_addr & ({17'd0, length} * 8 - 1)) == 0);
        // property needed: none starts behind the data.
        assert (here <= {1'b0, reach[16:3]});
      end else begin
        // property covered: when the last one is acknowledged, the last byte has been asked for.
        assert (next > {1'b0, reach[16:3]});
      end
    end
    if (was_reset && $past(npi_addrreq && !npi_addrack && !rst && !abort && !start) && !$past(rst)) begin
      // property stable: a request stands unchanged until it is acknowledged.
      assert (npi_addrreq || hold);
      assert ($stable(npi_addr) && $stable(npi_size));
    end
    // invariant idle: reset ends it.
    if (was_reset && $past(rst)) assert (!active);
    if (was_reset && active) assert (running);
  end
