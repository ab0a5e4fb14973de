// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of tcoe_requester; prove.py puts them before its `endmodule`. The bursts join without
// a gap from the first byte's block to the last byte's, each is aligned, none lies after the data,
// each is asked for at once, and a request stays unchanged until the port acknowledges it. This
// holds for any address, any count and any delays.
//
// The proof relies on the planner for the plan, on the registers for the order of the starts, and
// on the flush for a hold that does not rise while requests are pending.
`ifdef WHOLE
logic [7:0] low;  // tcoe.svh connects these three
logic [7:0] g_last;
logic g_exact;
`else
(* anyseq *) logic [7:0] low;  // the address within its page
(* anyseq *) logic [7:0] g_last;  // the last byte within its page
(* anyseq *) logic g_exact;  // the last burst ends with the last byte's word
`endif
logic [31:0] base;  // of the first page
logic [16:0] reach;  // the last byte, counted from there
logic [14:0] next;  // the word, counted from there, at which the next burst must start
logic [9:0] issued;
logic [7:0] from;
logic exactly;
logic running = 1'b0, was_reset = 1'b0;
logic [7:0] to;
logic [14:0] here, length;
logic [4:0] first_mask, last_mask, last_block, now_mask, kind_mask;
assign first_mask = tcoe_pkg::burst_mask(first_burst);
assign last_mask = tcoe_pkg::burst_mask(last_burst);
assign last_block = pages == 0 ? first_mask : last_mask;
assign now_mask = tcoe_pkg::burst_mask(burst);
assign kind_mask = tcoe_pkg::burst_mask(last_kind);
assign to = pages == 0 ? g_last : 8'd255;
assign length = {10'd0, now_mask} + 15'd1;
assign here = {issued, 5'd0} | {10'd0, npi_addr[7:3]};

initial assume (rst);
always @(posedge clk) begin
  was_reset <= 1'b1;
  if (was_reset) `RELY(!start || !active);
  if (start) begin
    if (was_reset && !rst) begin
      `RELY(!abort);
      `RELY(address[7:3] == low[7:3] && {9'd0, low} <= {pages, g_last});
      `RELY(pages <= 9'd256);
      `RELY(((low ^ to) >> 3 & ~{3'd0, first_mask}) == 0);
      `RELY(pages == 0 || (g_last >> 3 & ~{3'd0, last_mask}) == 0);
      `RELY(g_exact == ((g_last[7:3] & last_block) == last_block));
    end
    base <= {address[31:8], 8'd0};
    reach <= {pages, g_last};
    from <= low;
    exactly <= g_exact;
    next <= {10'd0, low[7:3] & ~first_mask};
    issued <= 10'd0;
    running <= 1'b1;
  end else if (npi_addrreq && npi_addrack) begin
    next   <= next + length;
    issued <= issued + 1'b1;
  end
  if (rst || abort) running <= 1'b0;
  if (was_reset && $past(active) && active) `RELY(!hold || $past(hold));

  if (was_reset && running && !rst && !abort) begin
    // property asks: until the last byte has been asked for, a request is there, except under hold.
    if (next <= {1'b0, reach[16:3]})
      assert (npi_addrreq == !hold);
      else assert (!npi_addrreq);
    // invariant state: the module's registers hold the place.
    if (active) begin
      assert ({1'b0, left} + issued == {1'b0, reach[16:8]});
      assert (issued <= {1'b0, reach[16:8]} && reach[16:8] <= 9'd256);
      assert (page == base[31:8] + {14'd0, issued});
      if (issued != 0) begin
        assert (place == 0 && burst == (left == 0 ? last_kind : tcoe_pkg::Burst256));
        assert (next == {issued, 5'd0});
      end else begin
        assert (place == from[7:3] && next == {10'd0, from[7:3] & ~now_mask});
      end
      if (issued == 0 && reach[16:8] != 0) assert (((from[7:3] ^ 5'd31) & ~now_mask) == 0);
      if (issued == 0 && reach[16:8] == 0) assert (((from[7:3] ^ reach[7:3]) & ~now_mask) == 0);
      if (left != 0) assert ((reach[7:3] & ~kind_mask) == 0);
      if (left == 0 && issued != 0) assert ((reach[7:3] & ~now_mask) == 0);
      if (left != 0) assert (exactly == ((reach[7:3] & kind_mask) == kind_mask));
      if (left == 0) assert (exactly == ((reach[7:3] & now_mask) == now_mask));
      assert ({9'd0, from} <= reach);
      // property joined: each burst starts where the last one ended.
      assert (here == next && npi_addr[31:8] == base[31:8] + {14'd0, issued});
      // property aligned: to its own length.
      assert ((npi_addr & ({17'd0, length} * 8 - 1)) == 0);
      // property needed: none starts after the data.
      assert (here <= {1'b0, reach[16:3]});
    end else begin
      // property covered: when the port has acknowledged the last one, the last byte has been
      // asked for.
      assert (next > {1'b0, reach[16:3]});
      // property tail: an exact plan asks for no word after the last one.
      assert (exactly == (next == {1'b0, reach[16:3]} + 15'd1));
    end

    // Each of these happens.
    cover (npi_addrreq && issued == 2 && left == 0 && burst == 1);
    cover (npi_addrreq && issued == 0 && burst == 0 && left == 1);
    cover (!active && exactly && issued == 3);
    cover (npi_addrreq && !$past(npi_addrreq) && $past(hold, 2));
    cover (npi_addr == 32'hFFFFFF80);
  end
  if (was_reset) cover (abort && $past(active) && !rst);
  if (was_reset && $past(
          npi_addrreq && !npi_addrack && !rst && !abort && !start
      ) && !$past(
          rst
      )) begin
    // property stable: a request stays unchanged until the port acknowledges it.
    assert (npi_addrreq || hold);
    assert ($stable(npi_addr) && $stable(npi_size));
  end
  // invariant idle: reset ends it.
  if (was_reset && $past(rst)) assert (!active);
  if (was_reset && active) assert (running);
end
