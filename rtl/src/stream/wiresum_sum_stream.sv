// SPDX-License-Identifier: MIT OR Apache-2.0
// The sum of each frame of an AXI4-Stream, from a start to the end (RFC 1071): what
// CHECKSUM_COMPLETE needs, and the first half of an insertion.
//
// Byte k of a beat, tdata[8k+7:8k], is the k-th on the wire. tuser has three fields. The seed, bits
// 16..1, and the start, bits 32..17, count in the first beat of a frame: the sum covers the bytes
// from number `start` on, plus the seed. It is the numeric value of big-endian words. Words begin
// at the start, odd or even. Bit 0 counts in the last beat: its sender gave the frame up.
//
// Each frame has one result, in order: the sum, the frame's length in bytes, and a status:
//   bit 0  aborted  tuser[0] of the last beat
//   bit 1  sparse   A byte is null before the frame's last one. The sum then has each byte at the
//                   weight of its lane; the length and bit 2 have no meaning.
//   bit 2  long     The frame has more than 65535 bytes. The sum is right, the length is modulo
//                   65536.
// A start past the end leaves the seed. An aborted frame has the sum of what came.
//
// SUM_ONLY leaves out all but the sum: no seed, no start, length and status are zero. Each result
// then stands for one cycle, whether its receiver is ready or not, and the input is always ready.
//
// Timing: a beat a cycle, a frame a beat. Unless results wait, a result is there log2(words of a
// beat) + 4 cycles after the frame's last beat. Sixteen frames may be under way or wait, in
// addition to the result at the output; then s_axis_tready falls. It is registered, as are all
// outputs. A reset drops all frames and results, and the next beat begins a frame.
//
// Shape: nothing stalls after the first register, so no enable goes to the adder tree. Results
// wait in a memory that has a place for each frame under way. Each level of the tree is one carry
// chain. The loop adds into 32 bits, and the carry out of them comes back one beat later, so it has
// one carry chain too. A byte is nulled by its register's synchronous reset.
module wiresum_sum_stream #(
    parameter int DATA_WIDTH = 64,              // 16, 32, 64, 128, 256, 512, 1024
    parameter int KEEP_WIDTH = DATA_WIDTH / 8,
    parameter bit SUM_ONLY   = 0                // the sum of all bytes, without the rest
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic [DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic                  s_axis_tlast,
    input  logic [          32:0] s_axis_tuser,

    output logic        m_result_valid,
    input  logic        m_result_ready,
    output logic [15:0] m_result_sum,
    output logic [15:0] m_result_length,
    output logic [ 2:0] m_result_status
);
  localparam int Words = DATA_WIDTH / 16;
  localparam int Levels = $clog2(Words);
  localparam int LaneBits = $clog2(KEEP_WIDTH);
  localparam int BeatBits = 16 - LaneBits;
  localparam int Last = Levels > 0 ? Levels : 1;  // stages after the first register

`ifndef __ICARUS__
  if (DATA_WIDTH < 16 || DATA_WIDTH > 1024 || DATA_WIDTH != 1 << $clog2(DATA_WIDTH)) begin : g_width
    $error("DATA_WIDTH is not a power of two from 16 to 1024");
  end
  if (KEEP_WIDTH != DATA_WIDTH / 8) begin : g_keep
    $error("KEEP_WIDTH is not DATA_WIDTH / 8");
  end
`endif

  logic accept, first;
  logic [15:0] start;
  assign accept = s_axis_tvalid && s_axis_tready;
  assign start  = s_axis_tuser[32:17];

  // Which bytes count: none before the start's beat, in it those from the start on.
  logic [BeatBits-1:0] index, next_index, start_beat;
  logic [LaneBits-1:0] start_lane, lane;
  logic begun, at_start, past, edge_beat, start_is_beat_0;
  logic [KEEP_WIDTH-1:0] wanted;
  assign start_is_beat_0 = start[15:LaneBits] == 0;
  assign lane = first ? start[LaneBits-1:0] : start_lane;
  assign past = !first && begun;
  assign edge_beat = first ? start_is_beat_0 : at_start;
  assign wanted = s_axis_tkeep & (past || SUM_ONLY ? {KEEP_WIDTH{1'b1}}
      : edge_beat ? {KEEP_WIDTH{1'b1}} << lane : {KEEP_WIDTH{1'b0}});

  // The index is modulo 65536 bytes; `wrapped` remembers that it has gone round.
  logic wrapped;
  always_ff @(posedge clk) begin
    if (accept) begin
      if (first) begin
        start_beat <= start[15:LaneBits];
        start_lane <= start[LaneBits-1:0];
      end
      at_start <= first ? start[15:LaneBits] == 1 : next_index == start_beat;
      begun <= past || edge_beat;
      index <= next_index;
      next_index <= next_index + 1'b1;
      wrapped <= wrapped || next_index == 0;
    end
    if (rst || accept && s_axis_tlast) begin
      index <= 0;
      next_index <= 1;
      wrapped <= 1'b0;
    end
    if (rst) first <= 1'b1;
    else if (accept) first <= s_axis_tlast;
  end

  // The control bits of each stage.
  logic [Last:0] valid, is_first, is_last;
  logic [Levels:0][15:0] seed;
  always_ff @(posedge clk) begin
    valid[0] <= accept && !rst;
    is_first[0] <= first;
    is_last[0] <= s_axis_tlast;
    // The result is swapped for an odd start, so the seed has to be, too.
    seed[0] <= lane[0] ? {s_axis_tuser[8:1], s_axis_tuser[16:9]} : s_axis_tuser[16:1];
    for (int l = 1; l <= Last; l++) begin
      valid[l] <= valid[l-1] && !rst;
      is_first[l] <= is_first[l-1];
      is_last[l] <= is_last[l-1];
    end
    for (int l = 1; l <= Levels; l++) seed[l] <= seed[l-1];
  end

  // The tree: level 0 has the words, level l sums of 2^l of them, side by side.
  for (genvar l = 0; l <= Levels; l++) begin : g_level
    localparam int Bits = 16 + l;
    logic [(Words >> l)*Bits-1:0] sums;
    if (l == 0) begin : g_words
      always_ff @(posedge clk)
        for (int k = 0; k < KEEP_WIDTH; k++)
          sums[8*(k^1)+:8] <= wanted[k] ? s_axis_tdata[8*k+:8] : 8'd0;
    end else begin : g_sums
      always_ff @(posedge clk)
        for (int i = 0; i < Words >> l; i++)
          sums[i*Bits+:Bits] <= {1'b0, g_level[l-1].sums[2*i*(Bits-1)+:Bits-1]}
              + {1'b0, g_level[l-1].sums[(2*i+1)*(Bits-1)+:Bits-1]};
    end
  end

  // The loop. 2^32 is 1 in one's complement, so the carry counts one in the next beat, or in the
  // first fold. It enters through a bit below the sum, which has no use itself.
  logic [31:0] total, operand;
  logic [31:16] high, closed_high;
  logic [15:0] low, closed_low;
  logic [16:0] folded;
  logic carry, closed_carry, total_carry, closed;
  logic [1:0] unused_below;
  assign operand = {{16 - Levels{1'b0}}, g_level[Levels].sums};
  assign {total_carry, total, unused_below[0]} = {1'b0, operand, 1'b1}
      + {1'b0, high, is_first[Levels] && !SUM_ONLY ? seed[Levels] : low, carry};
  assign {folded, unused_below[1]} = {1'b0, closed_high, 1'b1} + {1'b0, closed_low, closed_carry};
  always_ff @(posedge clk) begin
    if (valid[Levels]) begin
      {high, low}  <= total;
      carry        <= total_carry;
      closed_high  <= total[31:16];
      closed_low   <= total[15:0];
      closed_carry <= total_carry;
    end
    if (rst || valid[Levels] && is_last[Levels]) begin
      high  <= 16'd0;
      carry <= 1'b0;
      if (SUM_ONLY) low <= 16'd0;  // the first beat of the next frame needs no multiplexer
    end
    closed <= valid[Levels] && is_last[Levels] && !rst;
  end

  // The number of bytes of the last beat, as its bytes are contiguous, and whether they are.
  logic [KEEP_WIDTH-1:0] keep;
  logic [LaneBits:0] bytes, count;
  logic [BeatBits-1:0] beats, beats_then;
  logic [1:0] odd, aborted, too_long;
  logic gap, sparse;
  // Of a run of ones from bit 0, bit j of the length is set if the run ends after an odd multiple
  // of 2^j and before the next multiple.
  function automatic logic [LaneBits:0] run(input logic [KEEP_WIDTH-1:0] ones);
    run = 0;
    run[LaneBits] = ones[KEEP_WIDTH-1];
    for (int j = 0; j < LaneBits; j++)
    for (int k = 1; k < KEEP_WIDTH; k++)
    if (k % (2 << j) == 1 << j) run[j] = run[j] || ones[k-1] && !ones[k-1+(1<<j)];
  endfunction
  assign bytes = run(keep);
  assign gap   = (keep & ~{keep[KEEP_WIDTH-2:0], 1'b1}) != 0 || !is_last[0] && !keep[KEEP_WIDTH-1];
  always_ff @(posedge clk) begin
    keep <= s_axis_tkeep;
    beats <= index;
    odd[0] <= lane[0];
    aborted[0] <= s_axis_tuser[0];
    too_long[0] <= wrapped;
    count <= bytes;
    beats_then <= beats;
    odd[1] <= odd[0];
    aborted[1] <= aborted[0];
    too_long[1] <= too_long[0];
    if (valid[0]) sparse <= gap || sparse && !is_first[0];
  end
  logic [16:0] length;
  assign length = {1'b0, beats_then, {LaneBits{1'b0}}} + {{BeatBits{1'b0}}, count};

  // The memories of results: the sums, and what is known before them. A frame has its place from
  // its last beat until its result is in the output's register.
  logic [16:0] sums[16];
  logic [19:0] others[16];
  logic [3:0] other_at;
  logic [4:0] sum_at, read_at;  // the top bits differ if the memory is full
  logic [4:0] waiting, waiting_next;
  logic [16:0] sum_read, pulse_sum;
  logic [15:0] sum;
  logic [19:0] other_read;
  logic take, pulse;
  assign take = SUM_ONLY ? pulse : sum_at != read_at && (!m_result_valid || m_result_ready);
  assign waiting_next = waiting + {4'd0, accept && s_axis_tlast} - {4'd0, take};
  assign sum_read = SUM_ONLY ? pulse_sum : sums[read_at[3:0]];
  assign other_read = SUM_ONLY ? 20'd0 : others[read_at[3:0]];
  assign sum = sum_read[15:0] + {15'd0, sum_read[16]};
  always_ff @(posedge clk) begin
    pulse <= closed && !rst;
    pulse_sum <= folded;
    if (closed) sums[sum_at[3:0]] <= folded;
    if (valid[1] && is_last[1])
      others[other_at] <= {odd[1], too_long[1] || length[16], sparse, aborted[1], length[15:0]};
    if (take) begin
      m_result_sum <= other_read[19] ? {sum[7:0], sum[15:8]} : sum;
      {m_result_status[2], m_result_status[1], m_result_status[0], m_result_length}
          <= other_read[18:0];
    end
    if (rst) begin
      sum_at <= 5'd0;
      other_at <= 4'd0;
      read_at <= 5'd0;
      waiting <= 5'd0;
      s_axis_tready <= 1'b0;
      m_result_valid <= 1'b0;
    end else begin
      if (closed) sum_at <= sum_at + 1'b1;
      if (valid[1] && is_last[1]) other_at <= other_at + 1'b1;
      if (take) read_at <= read_at + 1'b1;
      waiting <= waiting_next;
      s_axis_tready <= SUM_ONLY || !waiting_next[4];
      m_result_valid <= take || !SUM_ONLY && m_result_valid && !m_result_ready;
    end
  end
endmodule
