// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of tcoe_registers; prove.py puts them before its `endmodule`. What software reads is
// what it wrote and what the jobs reported; each rising edge starts one job; ready means that a job
// has ended and no other has begun.
logic was_reset = 1'b0;  // a clock edge has passed
logic ended = 1'b0;  // a job has ended since the last start
logic ended_badly = 1'b0;
logic [31:0] w_address, w_bytes, w_input;  // the last words written
initial assume (rst);
always @(posedge clk) begin
  was_reset <= 1'b1;
  if (was_reset) `RELY(!done || busy);
  ended <= rst || start ? 1'b0 : done ? 1'b1 : ended;
  ended_badly <= rst || start ? 1'b0 : done ? failed : ended_badly;
  w_address <= rst ? 32'd0 : write && index == 0 ? wdata : w_address;
  w_bytes <= rst ? 32'd0 : write && index == 1 ? wdata : w_bytes;
  w_input <= rst ? 32'd0 : write && index == 2 ? wdata : w_input;

  if (was_reset) begin
    // property ready: set from the end of a job to the next start.
    assert (ready == ended);
    assert (!(ready && busy));
    assert (!error || ready);
    assert (error == ended_badly);
    // property begins: a start clears ready and error and sets busy, until the job has ended.
    if ($past(start && !rst)) assert (busy && !ready && !error);
    if ($past(busy && !done && !rst)) assert (busy);
    // property edge: a start is one cycle, on a rising edge, and never while busy.
    if (start) assert (!busy && go && !$past(go));
    if (start && !$past(rst)) assert (!$past(start));
    // property response: a rising edge of INPUT starts a job at once, unless one runs.
    if (!$past(rst)) assert (start == (w_input[0] && !$past(w_input[0]) && !busy));
    // property kept: the registers change only when they are written.
    if (!$past(rst) && !$past(write)) assert ($stable(address) && $stable(bytes));
    if (!$past(rst) && !$past(write)) assert ($stable(too_long) && $stable(go));
    if (!$past(rst) && $past(write && index != tcoe_pkg::RegAddress)) assert ($stable(address));
    if (!$past(rst) && $past(write && index != tcoe_pkg::RegBytes)) assert ($stable(bytes));
    // property data: a register reads as what was written, and a job gets what was written.
    assert (address == w_address);
    assert (bytes == w_bytes[15:0] && too_long == |w_bytes[31:16]);
    assert (go == w_input[0]);
    if (index == 0) assert (rdata == w_address);
    if (index == 1) assert (rdata == {15'd0, |w_bytes[31:16], w_bytes[15:0]});
    if (index == 2) assert (rdata == {31'd0, w_input[0]});
    if (index == 3) assert (rdata == {29'd0, busy, error, ready});
    if (index == 4) assert (rdata == {sum, ~sum});

    // Each of these happens.
    cover (start && !$past(rst));  // cover starts
    cover (ready && !error && index == 4 && rdata == 32'h1234EDCB);
    cover (error && too_long);
    cover (start && $past(ready));
    cover (go && !$past(go) && busy);
    cover (write && index == 1 && busy);
  end
end
