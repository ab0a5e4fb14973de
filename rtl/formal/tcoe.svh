// SPDX-License-Identifier: MIT OR Apache-2.0
// verilog_syntax: parse-as-module-body
// Properties of the whole engine; prove.py puts them before the `endmodule` of tcoe.sv, and each
// part's properties into the part. Here `RELY is `assert`: this proof discharges all that the
// parts' proofs assume of each other. Only the two buses remain as assumptions, and they are these:
//   - bus.svh: a master keeps its request unchanged until it is acknowledged;
//   - the memory port acknowledges only what is asked for, and has beats only of bursts that it has
//     acknowledged;
//   - the port's latency lines never change (receiver.svh);
//   - beats of an ended job that are still on their way arrive while the port is flushed: within
//     TAIL_GUARD + 1 cycles after a job, within FULL_GUARD + 1 after an abort or a reset.
//
// The adder's properties, proven in its own run from the assumptions that are discharged here, are
// assumptions in this one. None of those assumptions depends on a sum.
//
// The theorem: when software reads ready without error, CHECKSUM has the folded sum, and its
// complement, of exactly the bytes from ADDRESS to ADDRESS + BYTES - 1.

// State of the parts. Yosys' `flatten` joins a wire that has this attribute with the signal of the
// same name.
(* hierconn = 1 *) wire [2:0] \i_receiver.state ;
(* hierconn = 1 *) wire [7:0] \i_receiver.first ;
(* hierconn = 1 *) wire [16:0] \i_receiver.reach ;
(* hierconn = 1 *) wire [14:0] \i_receiver.word ;
(* hierconn = 1 *) wire [1:0] \i_receiver.shown ;
(* hierconn = 1 *) wire \i_receiver.real_job ;
(* hierconn = 1 *) wire \i_receiver.error ;
(* hierconn = 1 *) wire \i_registers.busy ;
(* hierconn = 1 *) wire \i_registers.ready ;
(* hierconn = 1 *) wire \i_registers.error ;
(* hierconn = 1 *) wire \i_registers.go ;
(* hierconn = 1 *) wire \i_requester.active ;
(* hierconn = 1 *) wire \i_requester.running ;
(* hierconn = 1 *) wire [14:0] \i_requester.next ;
(* hierconn = 1 *) wire [16:0] \i_requester.reach ;
(* hierconn = 1 *) wire [9:0] \i_requester.issued ;
(* hierconn = 1 *) wire [31:0] \i_requester.base ;
(* hierconn = 1 *) wire [7:0] \i_requester.from ;
(* hierconn = 1 *) wire \i_requester.exactly ;
(* hierconn = 1 *) wire [7:0] \i_requester.low ;
(* hierconn = 1 *) wire [7:0] \i_requester.g_last ;
(* hierconn = 1 *) wire \i_requester.g_exact ;
(* hierconn = 1 *) wire [11:0] \i_flush.count ;
(* hierconn = 1 *) wire [12:0] \i_flush.quiet ;
(* hierconn = 1 *) wire [12:0] \i_flush.silent ;
(* hierconn = 1 *) wire \i_flush.exact_job ;
(* hierconn = 1 *) wire [39:0] \i_adder.exact ;
(* hierconn = 1 *) wire [31:0] \i_adder.twice ;
(* hierconn = 1 *) wire [13:0] \i_adder.beats ;
(* hierconn = 1 *) wire [1:0] \i_adder.folds ;
(* hierconn = 1 *) wire \i_adder.valid ;
(* hierconn = 1 *) wire \i_adder.took ;
(* hierconn = 1 *) wire [2:0] \i_bus.asked_for ;
assign \i_requester.low = address[7:0];
assign \i_requester.g_last = last;
assign \i_requester.g_exact = exact;
localparam logic [2:0] Idle = 3'd0, Take = 3'd1, Add = 3'd2, Fold1 = 3'd3, Fold2 = 3'd4,
      Done = 3'd5;
localparam logic [12:0] Full = 13'd4095, Tail = 13'd127;

// The registers as software has written them, and the job that they describe.
logic was_reset = 1'b0;  // a clock edge has passed
logic [31:0] s_address, s_bytes;
logic s_go, s_went, s_busy, s_ready, s_error;
logic s_start, s_none, s_long;
logic written;
assign written = sl_wrdack && !sl_wrerr;
assign s_start = s_go && !s_went && !s_busy;
assign s_none  = s_bytes == 32'd0;
assign s_long  = s_bytes > 32'd65535;

// The running job: its place, the words asked for and given, and the exact sum of its bytes.
logic fetching = 1'b0;  // the last start was of a job with beats, and no reset came since
logic [31:0] j_address;
logic [16:0] j_end;  // the first byte after the data, counted from the start of the first page
logic [31:0] first_at, next_at;  // addresses of the first burst and of the one to come
logic [14:0] asked, given, taken;
logic [ 5:0] words;
logic [ 7:0] mask;
logic [16:0] place;  // of the beat's first byte
logic [15:0] value_now;
logic [31:0] read_value;
always_comb
  case (npi_size)
    4'd0: words = 6'd1;
    4'd3: words = 6'd8;
    4'd4: words = 6'd16;
    4'd5: words = 6'd32;
    default: words = 6'd63;
  endcase
assign place = {first_at[7:3], 3'd0} + {taken[13:0], 3'd0};
always_comb
  for (int k = 0; k < 8; k++) begin
    mask[k] = place + k >= j_address[7:0] && place + k < j_end;
  end
assign value_now =
      j_address[0] ? {\i_adder.twice [7:0], \i_adder.twice [15:8]} : \i_adder.twice [15:0];
always_comb
  case (\i_bus.asked_for )
    3'd0: read_value = s_address;
    3'd1: read_value = {15'd0, s_long, s_bytes[15:0]};
    3'd2: read_value = {31'd0, s_go};
    3'd3: read_value = {29'd0, s_busy, s_error, s_ready};
    default: read_value = {value_now, ~value_now};
  endcase

// What may still be on its way from an ended job, and for how long.
logic stale;
logic [12:0] left_over;
// Cycles without any progress in a job.
logic [13:0] lull;

always @(posedge clk) begin
  was_reset <= 1'b1;
  if (rst) begin
    {s_address, s_bytes, s_go, s_went, s_busy, s_ready, s_error} <= '0;
  end else begin
    if (written && plb_abus[4:2] == 0) s_address <= plb_wrdbus;
    if (written && plb_abus[4:2] == 1) s_bytes <= plb_wrdbus;
    if (written && plb_abus[4:2] == 2) s_go <= plb_wrdbus[0];
    s_went <= s_go;
    if (s_start) {s_busy, s_ready, s_error} <= 3'b100;
    else if (done) {s_busy, s_ready, s_error} <= {2'b01, failed};
  end

  if (s_start) begin
    fetching <= !s_none && !s_long;
    j_address <= s_address;
    j_end <= {9'd0, s_address[7:0]} + s_bytes[16:0];
    {asked, given, taken} <= '0;
  end else begin
    if (npi_addrreq && npi_addrack) begin
      asked <= asked + words;
      if (asked == 0) first_at <= npi_addr;
      next_at <= npi_addr + {23'd0, words, 3'd0};
    end
    if (npi_rdfifo_pop) given <= given + 1'b1;
    if (take) taken <= taken + 1'b1;
  end
  if (rst) fetching <= 1'b0;

  // The memory port.
  assume (npi_addrreq || !npi_addrack);
  if (was_reset) assume (npi_rdfifo_empty || stale || given < asked);
  if (rst || abort) begin
    stale <= 1'b1;
    left_over <= Full;
  end else if (finished) begin
    stale <= asked != given + npi_rdfifo_pop;
    left_over <= Tail;
  end else if (left_over == 0) stale <= 1'b0;
  else left_over <= left_over - 1'b1;

  if (rst || !s_busy || npi_addrack || take) lull <= 14'd0;
  else lull <= lull + 1'b1;

  if (was_reset && !rst) begin
    // property data: a read brings what was written, or what the job has found.
    if (sl_rddack && !sl_rderr && (\i_bus.asked_for != 4 || $past(s_ready && !s_error)))
      assert (sl_rddbus == $past(read_value));
    // property registers: the registers are those that software has written.
    assert (address == s_address && bytes == s_bytes[15:0] && too_long == s_long);
    assert (start == s_start && \i_registers.go == s_go);
    assert (\i_registers.busy == s_busy && \i_registers.ready == s_ready);
    assert (\i_registers.error == s_error);
    // property busy: a job runs from its start to done.
    assert (s_busy == (\i_receiver.state != Idle));
    if (s_busy) assert (fetching == \i_receiver.real_job || \i_receiver.state == Done);
    // property dropped: while beats of an ended job may arrive, the port is flushed and idle.
    if (stale) assert (npi_rdfifo_flush && !npi_addrreq && !npi_rdfifo_pop && !take);
    if (stale) assert (\i_flush.quiet == left_over && hold);
    if (stale) assert (!\i_requester.active || \i_receiver.state == Take);
    // property idle: without a job that wants beats, nothing is asked for and nothing is taken.
    if (\i_receiver.state != Take) assert (!npi_addrreq && !npi_rdfifo_pop && !take);
    // property patient: a job is given up only after FULL_GUARD cycles without progress.
    if (abort) assert (lull >= {1'b0, Full});
    // property consecutive: each burst starts where the last one ended, the first at the data.
    if (npi_addrreq) begin
      assert (npi_addr == next_at || asked == 0);
      if (asked == 0) assert (j_address - npi_addr < 8 * words);
      assert (npi_addr[31:8] == j_address[31:8] || asked != 0);
      assert (words != 6'd63);
    end
    // property mask: the bytes let through are those from ADDRESS to ADDRESS + BYTES - 1.
    if (take) assert (enable == mask && asked != 0 && taken < asked);
    // property complete: the sum is read off only when the last byte has been taken.
    if (fold) assert ({first_at[7:3], 3'd0} + {taken, 3'd0} >= {1'b0, j_end});
    // property parity: an odd ADDRESS swaps the bytes of the adder's sum.
    if (fetching && (fold || s_ready && !s_error))
      assert (value == (j_address[0] ? {sum[7:0], sum[15:8]} : sum));
    // property result: after a job without error, CHECKSUM is the folded sum of this job's beats.
    if (s_ready && !s_error)
      assert (value == value_now && \i_adder.beats == taken && \i_adder.valid );
    if (s_ready && !s_error && !fetching) assert (value == 0);
    // property ends: without progress of the port, a job is over in twice the guard and ten cycles.
    assert (lull <= 2 * Full + 10);

    // invariant jobs: the parts are at the same place of the same job.
    if (\i_receiver.state == Take) begin
      assert (fetching && \i_receiver.first == j_address[7:0]);
      assert ({1'b0, \i_receiver.reach } + 18'd1 == {1'b0, j_end});
      assert (\i_requester.running && \i_requester.reach == \i_receiver.reach );
      assert (\i_requester.from == j_address[7:0]);
      assert (\i_requester.base == {j_address[31:8], 8'd0});
      assert (\i_requester.exactly == \i_flush.exact_job );
      assert (asked == 0 || asked + first_at[7:3] == \i_requester.next );
      assert ((asked == 0) == (\i_requester.issued == 0));
      assert (asked == 0 || taken + first_at[7:3] == \i_receiver.word );
      assert (asked != 0 || \i_receiver.word == \i_requester.next );
      assert (asked == 0 || first_at[31:8] == j_address[31:8]);
      assert (asked == 0 || next_at == {j_address[31:8], 8'd0} + {14'd0, \i_requester.next , 3'd0});
      assert (given == taken + \i_receiver.shown [0] * (npi_rdfifo_latency != 0)
            + \i_receiver.shown [1] * (npi_rdfifo_latency == 2));
      assert (given <= asked);
      assert (\i_adder.beats == taken);
      assert (\i_adder.folds == 0 && \i_adder.valid );
      if (hold) assert (asked == 0 && given == 0);
    end
    if (\i_receiver.state != Take) assert (!\i_requester.active );
    if (fetching && !s_error && (\i_receiver.state != Take) && !(\i_receiver.error && s_busy)) begin
      assert (\i_adder.valid );
      assert (\i_receiver.first == j_address[7:0] && \i_receiver.real_job );
      assert ({1'b0, \i_receiver.reach } + 18'd1 == {1'b0, j_end});
      assert (taken + first_at[7:3] == \i_receiver.word );
      assert (\i_adder.beats == taken);
      assert (\i_adder.folds == (\i_receiver.state == Fold2 ? 1 :
            \i_receiver.state == Add || \i_receiver.state == Fold1 ? 0 : 2));
      assert (\i_adder.took == (\i_receiver.state == Add));
    end
    if (s_busy && \i_receiver.state != Done)
      assert (fetching && \i_receiver.real_job && !\i_receiver.error );
    if (!fetching && (s_ready ? !s_error : s_busy && !\i_receiver.error )) begin
      assert (taken == 0 && \i_adder.beats == 0 && \i_adder.exact == 0);
      assert (\i_adder.folds == 0 && \i_adder.valid && !\i_adder.took );
    end
    if (s_ready) assert (s_error == \i_receiver.error );
    if (s_busy && \i_receiver.state != Take && hold) assert (lull <= 2 * Full + 10);
    if (\i_receiver.state == Take) assert (\i_flush.silent <= lull);
    if (\i_receiver.state == Take)
      assert (lull + \i_flush.count <= (hold ? Full : 2 * Full + 1) + 1);

    // Each of these happens.
    cover (sl_rddack && \i_bus.asked_for == 4 && s_ready && !s_error && fetching);
    cover (s_ready && !s_error && fetching && taken == 2 && asked == 2 && j_address[0]);
    cover (s_ready && s_error && fetching);
    cover (s_start && $past(s_ready) && fetching);
  end
end
