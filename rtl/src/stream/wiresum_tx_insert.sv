// SPDX-License-Identifier: MIT OR Apache-2.0
// Inserts up to two checksums into each frame of an AXI4-Stream, as CHECKSUM_PARTIAL of Linux and
// virtio ask for it: the complement of the sum of the bytes from `start` on goes into the two bytes
// at start + offset. These two bytes count in the sum as they are, so they may hold the sum of a
// pseudo-header; `init` is added, too. Byte k of a beat, tdata[8k+7:8k], is the k-th on the wire.
//
// A command a frame has two such jobs. Job a is done first, job b on what a leaves: b can be an
// outer checksum that covers a's. The bytes of b end before byte number `stop` (0xFFFF: with the
// frame), so b can also be an IPv4 header's. `zero` sends 0xFFFF for 0x0000, as UDP does (RFC 768).
// A field that is not whole in the frame is not written, nor is one at an odd offset.
//
// tid, tdest and the user's bits of tuser go along with each beat. m_axis_tuser has, in each beat
// of a frame:
//   bit 0  aborted  only in the last beat: what s_axis_tuser[0] has there
//   bit 1  a        checksum a was written
//   bit 2  b        checksum b was written
//   bit 3  long     The frame has more than BEATS beats, and passes as it is; with ABORT_LONG, its
//                   last beat has aborted.
//   bit 4  sparse   A byte is null before the frame's last one, or the last beat has none. The
//                   frame passes as it is.
//   the others      the bits of s_axis_tuser after bit 0
//
// Timing: a beat a cycle, a frame a beat; a frame is held until it is whole and summed. Its first
// beat leaves log2(words of a beat) + 13 cycles after its last one came, unless others wait. A
// frame waits for its command. Sixteen commands may wait, in addition to two for the next frames,
// and 32 frames may be summed or wait, in addition to one at the output. A frame after a long one
// may lose cycles. A reset drops all commands and frames; the next beat begins a frame. Outputs are
// registers, except for s_axis_tready, which is the and of three.
//
// Shape: the places of a command are decoded before its frame, so that the first beat needs no
// comparison. Two sum_streams add bytes that are masked here; b leaves out a's field, and a's
// checksum is added to its sum later, so nothing is ever subtracted, and +0 and -0 stay apart.
module wiresum_tx_insert #(
    parameter int DATA_WIDTH = 64,              // 16, 32, 64, 128, 256, 512, 1024
    parameter int KEEP_WIDTH = DATA_WIDTH / 8,
    parameter int ID_WIDTH   = 1,
    parameter int DEST_WIDTH = 1,
    parameter int USER_WIDTH = 1,               // of the user's own bits of tuser
    parameter int BEATS      = 256,             // of the buffer, a power of two
    parameter bit ABORT_LONG = 0                // 1: a frame of more than BEATS beats is aborted
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic        s_command_valid,
    output logic        s_command_ready,
    input  logic        s_command_a_enable,
    input  logic [15:0] s_command_a_start,
    input  logic [15:0] s_command_a_offset,
    input  logic [15:0] s_command_a_init,
    input  logic        s_command_a_zero,
    input  logic        s_command_b_enable,
    input  logic [15:0] s_command_b_start,
    input  logic [15:0] s_command_b_offset,
    input  logic [15:0] s_command_b_init,
    input  logic        s_command_b_zero,
    input  logic [15:0] s_command_b_stop,

    input  logic [DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic                  s_axis_tlast,
    input  logic [  ID_WIDTH-1:0] s_axis_tid,
    input  logic [DEST_WIDTH-1:0] s_axis_tdest,
    input  logic [  USER_WIDTH:0] s_axis_tuser,

    output logic [DATA_WIDTH-1:0] m_axis_tdata,
    output logic [KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready,
    output logic                  m_axis_tlast,
    output logic [  ID_WIDTH-1:0] m_axis_tid,
    output logic [DEST_WIDTH-1:0] m_axis_tdest,
    output logic [USER_WIDTH+4:0] m_axis_tuser
);
  localparam int LaneBits = $clog2(KEEP_WIDTH);
  localparam int BeatBits = 17 - LaneBits;  // a field lies below byte number 131072
  localparam int Frames = 32;
  localparam int AlongBits = ID_WIDTH + DEST_WIDTH + USER_WIDTH;
  localparam int CommandBits = 118, WriteBits = 37, InfoBits = 76;  // of the structures below

`ifndef __ICARUS__
  if (DATA_WIDTH < 16 || DATA_WIDTH > 1024 || DATA_WIDTH != 1 << $clog2(DATA_WIDTH)) begin : g_width
    $error("DATA_WIDTH is not a power of two from 16 to 1024");
  end
  if (KEEP_WIDTH != DATA_WIDTH / 8) begin : g_keep
    $error("KEEP_WIDTH is not DATA_WIDTH / 8");
  end
`endif

  // The commands. The field of each job is the bytes `at` and at + 1.
  typedef struct packed {
    logic enable, zero;
    logic [15:0] start, init;
    logic [16:0] at;
  } job_t;
  typedef struct packed {
    job_t a, b;
    logic [15:0] stop;
  } command_t;
  command_t came, placed, command;
  logic [1:0] placed_in_b, command_in_b;  // the bytes of a's field that are among the bytes of b
  logic came_valid, placed_valid, command_valid, command_taken, take_command;
  logic [16:0] low;
  assign take_command = s_command_valid && s_command_ready;
  assign low = came.a.at + 17'd1;
  always_ff @(posedge clk) begin
    came_valid <= take_command && !rst;
    came.a.enable <= s_command_a_enable && !s_command_a_offset[0];
    came.a.zero <= s_command_a_zero;
    came.a.start <= s_command_a_start;
    came.a.init <= s_command_a_init;
    came.a.at <= {1'b0, s_command_a_start} + {1'b0, s_command_a_offset};
    came.b.enable <= s_command_b_enable && !s_command_b_offset[0];
    came.b.zero <= s_command_b_zero;
    came.b.start <= s_command_b_start;
    came.b.init <= s_command_b_init;
    came.b.at <= {1'b0, s_command_b_start} + {1'b0, s_command_b_offset};
    came.stop <= s_command_b_stop;
    placed_valid <= came_valid && !rst;
    placed <= came;
    placed_in_b[1] <= came.a.at >= {1'b0, came.b.start}
        && (came.stop == '1 || came.a.at < {1'b0, came.stop});
    placed_in_b[0] <= low >= {1'b0, came.b.start} && (came.stop == '1 || low < {1'b0, came.stop});
  end
  wiresum_queue #(
      .WIDTH(CommandBits + 2)
  ) commands (
      .clk,
      .rst,
      .reserve(take_command),
      .ready(s_command_ready),
      .push(placed_valid),
      .push_data({placed_in_b, placed}),
      .m_valid(command_valid),
      .m_ready(command_taken),
      .m_data({command_in_b, command})
  );

  // The input: a beat is taken if the frame's command is there, with room in the buffer, and a
  // place for the result.
  command_t job;
  logic [1:0] job_in_b;
  logic job_valid, accept, frame_taken, room, place;
  assign command_taken = !job_valid || frame_taken;
  assign s_axis_tready = job_valid && room && place;
  assign accept = s_axis_tvalid && s_axis_tready;
  assign frame_taken = accept && s_axis_tlast;
  always_ff @(posedge clk) begin
    if (command_taken) {job_in_b, job} <= {command_in_b, command};
    job_valid <= !rst && (command_valid || job_valid && !frame_taken);
  end

  // The places of the command in the beat: a's start, b's start and stop, the fields.
  logic first;
  logic [BeatBits:0] next_index;
  always_ff @(posedge clk) begin
    if (rst || frame_taken) next_index <= {{BeatBits{1'b0}}, 1'b1};
    else if (accept) next_index <= {next_index[BeatBits], {BeatBits{1'b0}}} | next_index + 1'b1;
    if (rst) first <= 1'b1;
    else if (accept) first <= s_axis_tlast;
  end
  localparam int Places = 5;
  logic [Places*17-1:0] places;
  logic [Places*KEEP_WIDTH-1:0] masks;
  assign places = {
    command.b.at,
    command.a.at,
    {1'b0, command.stop},
    {1'b0, command.b.start},
    {1'b0, command.a.start}
  };
  for (genvar i = 0; i < Places; i++) begin : g_place
    wiresum_place #(
        .KEEP_WIDTH(KEEP_WIDTH),
        .ONE(i > 2)
    ) place_i (
        .clk,
        .load (command_taken),
        .place(places[17*i+:17]),
        .accept,
        .first,
        .next_index,
        .mask (masks[KEEP_WIDTH*i+:KEEP_WIDTH])
    );
  end
  logic [KEEP_WIDTH-1:0] a_from, b_from, stop_from, a_high, a_low, b_high, b_low;
  logic a_straddles, b_straddles;  // the first byte of the field was in the beat before
  assign {b_high, a_high, stop_from, b_from, a_from} = masks;
  assign a_low = {a_high[KEEP_WIDTH-2:0], a_straddles && !first};
  assign b_low = {b_high[KEEP_WIDTH-2:0], b_straddles && !first};

  // Which bytes of a's field b leaves out, whether the fields are whole, and whether bytes lack.
  logic [KEEP_WIDTH-1:0] follows, field_a;
  logic a_whole, b_whole, a_whole_now, b_whole_now, gap, sparse, sparse_now;
  assign follows = {!s_axis_tlast, s_axis_tkeep[KEEP_WIDTH-1:1]};  // the next byte is there, too
  assign field_a = job.a.enable ? a_high & follows | a_low : '0;
  assign a_whole_now = !first && a_whole || (a_low & s_axis_tkeep) != 0;
  assign b_whole_now = !first && b_whole || (b_low & s_axis_tkeep) != 0;
  assign gap = (s_axis_tkeep & ~{s_axis_tkeep[KEEP_WIDTH-2:0], 1'b1}) != 0 || !s_axis_tkeep[0]
      || !s_axis_tlast && !s_axis_tkeep[KEEP_WIDTH-1];
  assign sparse_now = gap || sparse && !first;
  always_ff @(posedge clk)
    if (accept) begin
      a_straddles <= a_high[KEEP_WIDTH-1];
      b_straddles <= b_high[KEEP_WIDTH-1];
      a_whole <= a_whole_now;
      b_whole <= b_whole_now;
      sparse <= sparse_now;
    end

  // The sums, and what is known of a frame at its end.
  typedef struct packed {
    logic a, b, sparse;  // which fields are written
    logic [16:0] a_at, b_at;
  } write_t;
  typedef struct packed {
    write_t write;
    logic a_zero, b_zero, swap;
    logic [1:0] in_b;
  } finish_t;
  typedef struct packed {
    finish_t finish;
    logic a_odd, b_odd;
    logic [15:0] a_init, b_init;
  } info_t;
  info_t info;
  logic beat_valid, beat_last;
  logic [DATA_WIDTH-1:0] beat_data;
  logic [KEEP_WIDTH-1:0] beat_a, beat_b;
  always_ff @(posedge clk) begin
    beat_valid <= accept && !rst;
    beat_last <= s_axis_tlast;
    beat_data <= s_axis_tdata;
    beat_a <= s_axis_tkeep & a_from;
    beat_b <= s_axis_tkeep & b_from & ~field_a & (job.stop == '1 ? '1 : ~stop_from);
    info.finish.write.a <= job.a.enable && a_whole_now && !sparse_now;
    info.finish.write.b <= job.b.enable && b_whole_now && !sparse_now;
    info.finish.write.sparse <= sparse_now;
    info.finish.a_zero <= job.a.zero;
    info.finish.b_zero <= job.b.zero;
    info.a_odd <= job.a.start[0];
    info.b_odd <= job.b.start[0];
    info.finish.swap <= job.a.at[0] != job.b.start[0];
    info.finish.in_b <= job_in_b;
    info.a_init <= job.a.init;
    info.b_init <= job.b.init;
    info.finish.write.a_at <= job.a.at;
    info.finish.write.b_at <= job.b.at;
  end
  logic sums_valid;
  logic [15:0] a_sum, b_sum;
  logic [18:0] unused_a, unused_b;  // a sum alone has neither length nor status, and never waits
  logic [1:0] unused_ready;
  logic unused_valid;
  wiresum_sum_stream #(
      .DATA_WIDTH(DATA_WIDTH),
      .SUM_ONLY  (1)
  ) sum_a (
      .clk,
      .rst,
      .s_axis_tdata(beat_data),
      .s_axis_tkeep(beat_a),
      .s_axis_tvalid(beat_valid),
      .s_axis_tready(unused_ready[0]),
      .s_axis_tlast(beat_last),
      .s_axis_tuser(33'd0),
      .m_result_valid(sums_valid),
      .m_result_ready(1'b1),
      .m_result_sum(a_sum),
      .m_result_length(unused_a[18:3]),
      .m_result_status(unused_a[2:0])
  );
  wiresum_sum_stream #(
      .DATA_WIDTH(DATA_WIDTH),
      .SUM_ONLY  (1)
  ) sum_b (
      .clk,
      .rst,
      .s_axis_tdata(beat_data),
      .s_axis_tkeep(beat_b),
      .s_axis_tvalid(beat_valid),
      .s_axis_tready(unused_ready[1]),
      .s_axis_tlast(beat_last),
      .s_axis_tuser(33'd0),
      .m_result_valid(unused_valid),
      .m_result_ready(1'b1),
      .m_result_sum(b_sum),
      .m_result_length(unused_b[18:3]),
      .m_result_status(unused_b[2:0])
  );

  // What is known waits for the sums.
  logic [InfoBits-1:0] infos[Frames];
  logic [4:0] info_at, sum_at;
  info_t known;
  finish_t known_1, known_2;
  assign known = infos[sum_at];
  always_ff @(posedge clk) begin
    if (beat_valid && beat_last) infos[info_at] <= info;
    if (rst) begin
      info_at <= 5'd0;
      sum_at  <= 5'd0;
    end else begin
      if (beat_valid && beat_last) info_at <= info_at + 5'd1;
      if (sums_valid) sum_at <= sum_at + 5'd1;
    end
  end

  // From the sums to the checksums, a carry chain a cycle. A sum is swapped if its words begin at
  // an odd byte. The bytes of a's checksum that b covers are added to b's sum.
  function automatic logic [15:0] swap_if(input logic swap, input logic [15:0] x);
    swap_if = swap ? {x[7:0], x[15:8]} : x;
  endfunction
  function automatic logic [15:0] once(input logic [16:0] x);
    once = x[15:0] + {15'd0, x[16]};
  endfunction
  function automatic logic [15:0] field(input logic zero, input logic [15:0] sum);
    field = zero && sum == 16'hFFFF ? 16'hFFFF : ~sum;
  endfunction
  logic [4:1] step;
  logic b_zero_3, b_zero_4;
  write_t write_3, write_4;
  logic [16:0] a_1, b_1, b_3;
  logic [15:0] a_2, b_2, a_3, a_4, b_4, a_field, a_part;
  assign a_field = field(known_2.a_zero, a_2);
  assign a_part  = known_2.write.a ? a_field & {{8{known_2.in_b[1]}}, {8{known_2.in_b[0]}}} : 16'd0;
  always_ff @(posedge clk) begin
    step <= rst ? 4'd0 : {step[3:1], sums_valid};
    known_1 <= known.finish;
    known_2 <= known_1;
    {b_zero_3, write_3} <= {known_2.b_zero, known_2.write};
    {b_zero_4, write_4} <= {b_zero_3, write_3};
    a_1 <= {1'b0, swap_if(known.a_odd, a_sum)} + {1'b0, known.a_init};
    b_1 <= {1'b0, swap_if(known.b_odd, b_sum)} + {1'b0, known.b_init};
    a_2 <= once(a_1);
    b_2 <= once(b_1);
    a_3 <= a_field;
    b_3 <= {1'b0, b_2} + {1'b0, swap_if(known_2.swap, a_part)};
    a_4 <= a_3;
    b_4 <= once(b_3);
  end

  // The results wait for their frames.
  logic note_valid, note_ready;
  write_t note;
  logic [15:0] note_a_field, note_b_field;
  wiresum_queue #(
      .WIDTH (WriteBits + 32),
      .PLACES(Frames)
  ) notes (
      .clk,
      .rst,
      .reserve(frame_taken),
      .ready(place),
      .push(step[4]),
      .push_data({write_4, a_4, field(b_zero_4, b_4)}),
      .m_valid(note_valid),
      .m_ready(note_ready),
      .m_data({note, note_a_field, note_b_field})
  );
  logic [DATA_WIDTH-1:0] head_data;
  logic [KEEP_WIDTH-1:0] head_keep;
  logic [ AlongBits-1:0] head_along;
  logic head_valid, head_ready, head_last, head_user, head_long;
  wiresum_frame_buffer #(
      .DATA_WIDTH(DATA_WIDTH),
      .USER_WIDTH(AlongBits + 1),
      .BEATS(BEATS)
  ) frames (
      .clk,
      .rst,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid(accept),
      .s_axis_tready(room),
      .s_axis_tlast,
      .s_axis_tuser ({s_axis_tid, s_axis_tdest, s_axis_tuser}),
      .s_note_valid (note_valid),
      .s_note_ready (note_ready),
      .m_axis_tdata (head_data),
      .m_axis_tkeep (head_keep),
      .m_axis_tvalid(head_valid),
      .m_axis_tready(head_ready),
      .m_axis_tlast (head_last),
      .m_axis_tuser ({head_along, head_user}),
      .m_axis_long  (head_long)
  );

  // The beat that leaves: first its fields are marked, then they are written.
  logic [BeatBits:0] head_index;
  logic marked_valid, marked_last, marked_ready, marked_b_before, marked_a_before;
  logic [4:0] marked_user;
  logic [AlongBits-1:0] marked_along;
  logic [DATA_WIDTH-1:0] marked_data;
  logic [KEEP_WIDTH-1:0] marked_keep, marked_a_high, marked_a_low, marked_b_high, marked_b_low;
  logic [15:0] marked_a, marked_b;
  assign head_ready   = !marked_valid || marked_ready;
  assign marked_ready = !m_axis_tvalid || m_axis_tready;
  assign marked_a_low = {marked_a_high[KEEP_WIDTH-2:0], marked_a_before};
  assign marked_b_low = {marked_b_high[KEEP_WIDTH-2:0], marked_b_before};
  always_ff @(posedge clk) begin
    if (head_ready) begin
      marked_valid <= head_valid;
      marked_data <= head_data;
      marked_keep <= head_keep;
      marked_last <= head_last;
      marked_user <= {
        note.sparse && !head_long,
        head_long,
        note.b && !head_long,
        note.a && !head_long,
        (head_user || ABORT_LONG && head_long) && head_last
      };
      marked_along <= head_along;
      marked_a <= note_a_field;
      marked_b <= note_b_field;
      marked_a_high <= note.a && !head_long && head_index == {1'b0, note.a_at[16:LaneBits]}
          ? {{KEEP_WIDTH - 1{1'b0}}, 1'b1} << note.a_at[LaneBits-1:0] : '0;
      marked_b_high <= note.b && !head_long && head_index == {1'b0, note.b_at[16:LaneBits]}
          ? {{KEEP_WIDTH - 1{1'b0}}, 1'b1} << note.b_at[LaneBits-1:0] : '0;
      if (head_valid)
        head_index <= head_last ? '0 : {head_index[BeatBits], {BeatBits{1'b0}}} | head_index + 1'b1;
    end
    if (marked_ready) begin
      m_axis_tvalid <= marked_valid;
      m_axis_tkeep <= marked_keep;
      m_axis_tlast <= marked_last;
      {m_axis_tid, m_axis_tdest, m_axis_tuser} <= {marked_along, marked_user};
      for (int k = 0; k < KEEP_WIDTH; k++)
      m_axis_tdata[8*k+:8] <= marked_b_high[k] ? marked_b[15:8] : marked_b_low[k] ? marked_b[7:0]
            : marked_a_high[k] ? marked_a[15:8] : marked_a_low[k] ? marked_a[7:0]
            : marked_data[8*k+:8];
      if (marked_valid) begin
        marked_a_before <= marked_a_high[KEEP_WIDTH-1] && !marked_last;
        marked_b_before <= marked_b_high[KEEP_WIDTH-1] && !marked_last;
      end
    end
    if (rst) begin
      head_index <= '0;
      marked_valid <= 1'b0;
      m_axis_tvalid <= 1'b0;
      marked_a_before <= 1'b0;
      marked_b_before <= 1'b0;
    end
  end
endmodule
