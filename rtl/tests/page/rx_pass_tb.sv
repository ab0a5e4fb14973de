// SPDX-License-Identifier: MIT OR Apache-2.0
// A testbench of wiresum_rx_pass that was written from rtl/README.md alone, in plain SystemVerilog:
// no more is known of the block here than that page says. It prints PASS, or what is wrong.
//
// The target `sim` of wiresum.core runs it with FuseSoC.
module rx_pass_tb #(
    parameter int DATA_WIDTH = 64,
    parameter int BEATS = 256
);
  localparam int Keep = DATA_WIDTH / 8;
  localparam int Most = 4 * BEATS * Keep;  // bytes of a frame here
  localparam int Frames = 64;

  logic clk = 0, rst = 1;
  always #5 clk = !clk;

  logic [DATA_WIDTH-1:0] s_axis_tdata;
  logic [Keep-1:0] s_axis_tkeep;
  logic s_axis_tvalid = 0, s_axis_tready, s_axis_tlast;
  logic [3:0] s_axis_tid;
  logic [2:0] s_axis_tdest;
  logic [16:0] s_axis_tuser;
  logic [DATA_WIDTH-1:0] m_axis_tdata;
  logic [Keep-1:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tready = 0, m_axis_tlast;
  logic [ 3:0] m_axis_tid;
  logic [ 2:0] m_axis_tdest;
  logic [88:0] m_axis_tuser;

  wiresum_rx_pass #(
      .DATA_WIDTH(DATA_WIDTH),
      .ID_WIDTH(4),
      .DEST_WIDTH(3),
      .USER_WIDTH(16),
      .HEADER_BYTES(128),
      .BEATS(BEATS),
      .ABORT_LONG(0)
  ) rx_pass_0 (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tid   (s_axis_tid),
      .s_axis_tdest (s_axis_tdest),
      .s_axis_tuser (s_axis_tuser),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tid   (m_axis_tid),
      .m_axis_tdest (m_axis_tdest),
      .m_axis_tuser (m_axis_tuser)
  );

  // What each frame is, and what has to be said about it.
  logic [7:0] frame[Most];  // the one that is built
  logic [8*2048-1:0] data[Frames];  // the frames that are shorter than 2048 bytes, byte 0 lowest
  int length[Frames], network[Frames], upper[Frames];
  logic [15:0] sum[Frames];
  logic [7:0] protocol[Frames];
  logic [1:0] ipv4[Frames], verdict[Frames];
  logic [8:0] status[Frames];
  logic aborted[Frames];
  int sent = 0, seen = 0, wrong = 0;

  task automatic complain(input string what, input int found, input int wanted);
    $display("frame %0d, %0s: found %0h, wanted %0h", seen, what, found, wanted);
    wrong++;
  endtask

  // The sum of RFC 1071: of big-endian words, with the carries added again.
  function automatic logic [15:0] sum_of(input int first, input int last, input int seed);
    int total;
    total = seed;
    for (int i = first; i < last; i++) total += (i - first) % 2 ? frame[i] : frame[i] << 8;
    while (total > 65535) total = (total & 65535) + (total >> 16);
    sum_of = total[15:0];
  endfunction

  // A UDP datagram over IPv4 with n bytes of data. The checksums are right, or UDP has none.
  task automatic build(input int n, input logic has_checksum);
    logic [15:0] found;
    for (int i = 0; i < 42 + n; i++) frame[i] = $urandom;
    {frame[12], frame[13], frame[14]} = 24'h080045;
    {frame[16], frame[17]} = 16'(28 + n);
    {frame[20], frame[21]} = 16'h4000;  // no fragment
    frame[23] = 17;
    {frame[24], frame[25]} = 0;
    {frame[24], frame[25]} = ~sum_of(14, 34, 0);
    {frame[38], frame[39]} = 16'(8 + n);
    {frame[40], frame[41]} = 0;
    found = ~sum_of(34, 42 + n, 32'(sum_of(26, 34, 17 + 8 + n)));
    if (has_checksum) {frame[40], frame[41]} = found == 0 ? 16'hFFFF : found;
    length[sent] = 42 + n;
    network[sent] = 14;
    upper[sent] = 34;
    protocol[sent] = 17;
    ipv4[sent] = 1;
    verdict[sent] = has_checksum ? 1 : 3;
    status[sent] = 0;
    aborted[sent] = 0;
  endtask

  // Sends the frame, with pauses of the sender in some.
  task automatic send(input logic pauses);
    int n;
    n = length[sent];
    sum[sent] = sum_of(14, n, 0);
    for (int i = 0; i < n && i < 2048; i++) data[sent][8*i+:8] = frame[i];
    for (int at = 0; at < n; at += Keep) begin
      while (pauses && $urandom % 2) begin
        s_axis_tvalid <= 0;
        @(posedge clk);
      end
      for (int k = 0; k < Keep; k++) begin
        s_axis_tdata[8*k+:8] <= at + k < n ? frame[at+k] : 8'hEE;
        s_axis_tkeep[k] <= at + k < n;
      end
      s_axis_tlast <= at + Keep >= n;
      s_axis_tid <= 4'(sent);
      s_axis_tdest <= 3'(sent + 5);
      s_axis_tuser <= {16'(at + sent), aborted[sent] && at + Keep >= n};
      s_axis_tvalid <= 1;
      do @(posedge clk); while (!s_axis_tready);
    end
    s_axis_tvalid <= 0;
    sent++;
  endtask

  // The receiver: each beat that leaves is judged.
  int at = 0, slow = 0;
  always @(posedge clk) begin
    m_axis_tready <= slow == 0 || $urandom % slow == 0;
    if (!rst && m_axis_tvalid && m_axis_tready) begin
      for (int k = 0; k < Keep; k++) begin
        if (m_axis_tkeep[k] !== (at + k < length[seen])) complain("tkeep", k, at);
        if (m_axis_tkeep[k] && at + k < 2048 && m_axis_tdata[8*k+:8] !== data[seen][8*(at+k)+:8])
          complain("a byte", at + k, 0);
      end
      if (m_axis_tlast !== (at + Keep >= length[seen])) complain("tlast", 32'(m_axis_tlast), at);
      if (m_axis_tid !== 4'(seen)) complain("tid", 32'(m_axis_tid), seen);
      if (m_axis_tdest !== 3'(seen + 5)) complain("tdest", 32'(m_axis_tdest), seen + 5);
      if (m_axis_tuser[88:73] !== 16'(at + seen)) complain("the user's bits", at, seen);
      if (m_axis_tuser[0] !== (aborted[seen] && m_axis_tlast)) complain("aborted", at, 0);
      if (length[seen] > BEATS * Keep) begin
        if (m_axis_tuser[72:1] !== 72'd1) complain("unjudged", at, 1);
      end else begin
        if (m_axis_tuser[1] !== 0) complain("unjudged", at, 0);
        if (m_axis_tuser[3:2] !== ipv4[seen]) complain("ipv4", m_axis_tuser[3:2], ipv4[seen]);
        if (m_axis_tuser[5:4] !== verdict[seen])
          complain("verdict", m_axis_tuser[5:4], verdict[seen]);
        if (m_axis_tuser[14:6] !== status[seen])
          complain("status", m_axis_tuser[14:6], status[seen]);
        if (m_axis_tuser[30:15] !== sum[seen]) complain("sum", m_axis_tuser[30:15], sum[seen]);
        if (m_axis_tuser[46:31] !== 16'(length[seen]))
          complain("length", m_axis_tuser[46:31], length[seen]);
        if (m_axis_tuser[54:47] !== 8'(network[seen]))
          complain("network", m_axis_tuser[54:47], network[seen]);
        if (m_axis_tuser[64:55] !== 10'(upper[seen]))
          complain("upper", m_axis_tuser[64:55], upper[seen]);
        if (upper[seen] != 0 && m_axis_tuser[72:65] !== protocol[seen])
          complain("protocol", m_axis_tuser[72:65], protocol[seen]);
      end
      at = m_axis_tlast ? 0 : at + Keep;
      if (m_axis_tlast) seen++;
    end
  end

  task automatic wait_for_all;
    for (int cycles = 0; seen < sent; cycles++) begin
      @(posedge clk);
      if (cycles == 100000) begin
        $display("%0d of %0d frames left", seen, sent);
        $finish;
      end
    end
  endtask

  initial begin
    repeat (3) @(posedge clk);
    rst <= 0;
    for (slow = 0; slow < 4; slow += 3) begin
      for (int n = 18; n < 1400; n = 3 * n + 1) begin
        build(n, 1);
        send(slow != 0);
        build(n, 0);  // UDP without a checksum
        send(slow != 0);
        build(n, 1);
        frame[42+n/2] ^= 8'h10;  // a bit of the data
        verdict[sent] = 2;
        send(slow != 0);
      end
      build(100, 1);
      frame[22] ^= 8'h01;  // a bit of the time to live, which UDP does not cover
      ipv4[sent] = 2;
      send(0);
      build(100, 1);
      aborted[sent] = 1;  // the sender gives the frame up: no verdicts
      status[sent] = 9'b1;
      ipv4[sent] = 0;
      verdict[sent] = 0;
      send(0);
      build(100, 1);
      {frame[12], frame[13]} = 16'h0806;  // ARP: no IP
      status[sent] = 9'b1000000;
      {network[sent], upper[sent], ipv4[sent], verdict[sent]} = 0;
      send(0);
      build(100, 1);
      length[sent]  = 90;  // the frame ends before its packet
      status[sent]  = 9'b1000;
      verdict[sent] = 0;
      send(0);
      build(30, 1);
      length[sent] = 90;  // and after it: these bytes count in the sum alone
      send(0);
      build(1400, 1);
      length[sent] = BEATS * Keep + 1;  // a beat more than the buffer has
      send(0);
      build(18, 1);
      send(0);
      wait_for_all;
    end

    // A reset in the middle of a frame drops all.
    build(1000, 1);
    s_axis_tlast  <= 0;
    s_axis_tvalid <= 1;
    repeat (5) @(posedge clk);
    s_axis_tvalid <= 0;
    rst <= 1;
    @(posedge clk);
    rst <= 0;
    build(200, 1);
    send(0);
    wait_for_all;
    repeat (200) @(posedge clk);
    if (seen == sent && wrong == 0) $display("PASS: %0d frames at %0d bits", seen, DATA_WIDTH);
    else $display("FAIL: %0d wrong, %0d frames left of %0d", wrong, seen, sent);
    $finish;
  end
endmodule
