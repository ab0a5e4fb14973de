// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of tcoe_bus; prove.py puts them before its `endmodule`. The bus gives one answer to
// each request for the engine, in time and with the right data, and none to other requests.
//
// The proof assumes what the bus demands of a master: a request stays unchanged until a slave
// acknowledges it.
logic was_reset = 1'b0;  // a clock edge has passed
logic [2:0] owed = 3'd0;  // cycles since a read was acknowledged, until its data come; 0: none
logic [2:0] waiting;  // cycles for which a request has stood without an acknowledge
logic [2:0] asked_for;  // the register of the last acknowledged request
logic mine, possible;
assign mine = plb_pavalid && plb_abus[31:5] == BASE[31:5] && plb_size == 0 && plb_type == 0;
assign possible = plb_be == 4'hF && plb_abus[1:0] == 0 && plb_abus[4:2] <= 4;
initial assume (rst);
always @(posedge clk) begin
  was_reset <= 1'b1;
  if (was_reset && $past(plb_pavalid && !sl_addrack && !rst)) begin
    assume (plb_pavalid && $stable(plb_abus) && $stable(plb_rnw) && $stable(plb_be));
    assume ($stable(plb_size) && $stable(plb_type) && $stable(plb_wrdbus));
  end
  if (rst) owed <= 3'd0;
  else if (sl_addrack && plb_rnw) owed <= 3'd1;
  else if (sl_rddack) owed <= 3'd0;
  else if (owed != 0) owed <= owed + 1'b1;
  waiting <= rst || !mine || sl_addrack ? 3'd0 : waiting + 1'b1;
  if (sl_addrack) asked_for <= plb_abus[4:2];

  if (was_reset && !rst && !$past(rst)) begin
    // property answers: the engine answers only its own requests, each once, a write at once and
    // a read two cycles later.
    if (sl_addrack) assert (mine && !$past(sl_addrack));
    assert (sl_wrdack == (sl_addrack && !plb_rnw));
    assert (sl_rddack == (owed == 2));
    assert (owed <= 2);
    assert ((owed == 1) == read_ready);
    assert (reading == (sl_addrack && plb_rnw));
    assert (sl_wrcomp == sl_wrdack && sl_rdcomp == sl_rddack);
    // property response: a request is acknowledged in the third cycle after its first, or sooner.
    assert (waiting <= 2);
    if (waiting == 2) assert (sl_addrack);
    if (waiting == 1) assert (sl_addrack || !read_ready);
    // property data: a read brings the value that its register had one cycle before.
    if (sl_addrack) assert (index == plb_abus[4:2]);
    if (owed == 1) assert (index == asked_for);
    if (sl_rddack) assert (sl_rddbus == (sl_rderr ? 32'd0 : $past(rdata)));
    // property silent: the read bus is zero, except with data.
    if (!sl_rddack) assert (sl_rddbus == 0);
    // property whole: a register takes whole words only, and an impossible transfer is an error.
    if (write) assert (possible && index == plb_abus[4:2] && wdata == plb_wrdbus);
    if (sl_wrdack && !sl_wrerr) assert (write);
    if (sl_addrack) assert (bad == !possible);
    if (sl_rddack) assert (sl_rderr == $past(bad, 2) && $past(bad) == $past(bad, 2));

    // Each of these happens.
    cover (write);
    cover (sl_wrdack && sl_wrerr);
    cover (sl_rddack && !sl_rderr && sl_rddbus == 32'hFFFF0000);
    cover (sl_rddack && sl_rderr);
    cover (sl_addrack && $past(sl_rddack));
    cover (waiting == 2);
  end
end
