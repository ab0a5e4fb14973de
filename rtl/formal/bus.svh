// SPDX-License-Identifier: MIT OR Apache-2.0
// Put into tcoe_bus before its end. One answer for each request to the engine, none for others, and silence on the ORed bus between.
// Assumed of the master, as the bus demands: a request stands until it is acknowledged.
  logic was_reset = 1'b0;
  logic [2:0] owed = 3'd0;             // cycles since a read was acknowledged; 0: none
  logic mine;
  assign mine = plb_pavalid && plb_abus[31:5] == BASE[31:5] && plb_size == 0 && plb_type == 0;
  initial assume (rst);
  always @(posedge clk) begin
    was_reset <= 1'b1;
    if (was_reset && $past(plb_pavalid && !sl_addrack && !rst)) begin
      assume (plb_pavalid && $stable(plb_abus) && $stable(plb_rnw) && $stable(plb_be) && $stable(plb_size) && $stable(plb_type));
      assume ($stable(plb_wrdbus));
    end
    if (rst) owed <= 3'd0;
    else if (sl_addrack && plb_rnw) owed <= 3'd1;
    else if (sl_rddack) owed <= 3'd0;
    else if (owed != 0) owed <= owed + 1'b1;
    if (was_reset && !rst && !$past(rst)) begin
      // property answers: only requests to the engine, writes at once, reads two cycles later, each once.
      if (sl_addrack) assert (mine && !$past(sl_addrack));
      assert (sl_wrdack == (sl_addrack && !plb_rnw));
      assert (sl_rddack == (owed == 2));
      assert (owed <= 2);
      assert ((owed == 1) == read_ready);
      assert (reading == (sl_addrack && plb_rnw));
      // property silent: zeros, except with data.
      if (!sl_rddack) assert (sl_rddbus == 0);
      // property whole: a write that reaches a register is of a whole word, to a register that exists.
      if (write) assert (plb_be == 4'hF && plb_abus[1:0] == 0 && plb_abus[4:2] <= 4 && index == plb_abus[4:2] && wdata == plb_wrdbus);
      if (sl_wrdack && !sl_wrerr) assert (write);
    end
  end
