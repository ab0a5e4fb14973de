// SPDX-License-Identifier: MIT OR Apache-2.0
// The descriptor ring: takes the tail from the doorbell, asks for each descriptor before the tail
// once and in order, and hands the descriptors on. PLACES may be asked for or wait.
//
// Descriptors have numbers of 16 bits that go on counting past the ring's end. Descriptor i lies at
// base + 32 * (i modulo 2^size). `tail` is the number after the last one that software has
// written, and `head` the number after the last one whose job's completion has left. A doorbell is
// refused, with `overrun`, if it moves the tail back, or more than 2^size past the head: the ring
// would then hold more than it has places for. So is each one while the rings are `misplaced`.
//
// A descriptor is 32 bytes, little-endian:
//   0  address of the piece          8  address of the copy, with COPY
//   16 bytes of the piece, 32 bits   20 the seed, 16 bits, in memory order
//   22 flags, 16 bits                24 a tag of 32 bits that comes back with the sum
//   28 zero
// Flags: bit 0 MORE, the job goes on in the next descriptor; bit 1 ODD, the first byte of the job
// is the second one of a 16-bit word; bit 2 COPY, the piece is copied. All other bits are zero. A
// piece, or a copy of one, that reaches past the addresses of ADDR_WIDTH bits gets an unknown flag.
//
// A descriptor that memory does not deliver stops the ring until a reset: `halted`. Timing: a
// request is there two cycles after the doorbell, and a descriptor is handed on three cycles after
// its last beat.
module wiresum_engine_fetch #(
    parameter int DATA_WIDTH = 64,
    parameter int ADDR_WIDTH = 64,
    parameter int PLACES = 16  // a power of two
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic                  enable,
    input  logic [ADDR_WIDTH-1:0] base,           // a multiple of 128
    input  logic [           3:0] size,
    input  logic                  misplaced,      // a ring's address has more than ADDR_WIDTH bits
    input  logic                  doorbell,
    input  logic [          15:0] doorbell_tail,
    input  logic                  sent,
    input  logic [          15:0] sent_head,
    output logic [          15:0] head,
    output logic                  pending,        // a descriptor whose job is not complete
    output logic                  overrun,
    output logic                  halted,

    // One burst of a descriptor's beats.
    output logic                  m_fetch_valid,
    input  logic                  m_fetch_ready,
    output logic [ADDR_WIDTH-1:0] m_fetch_address,

    // The beats of the descriptors, in the order of the requests; always taken.
    input logic                  s_beat_valid,
    input logic [DATA_WIDTH-1:0] s_beat_data,
    input logic                  s_beat_error,

    output logic                  m_descriptor_valid,
    input  logic                  m_descriptor_ready,
    output logic [ADDR_WIDTH-1:0] m_descriptor_source,
    output logic [ADDR_WIDTH-1:0] m_descriptor_target,
    output logic [          31:0] m_descriptor_length,
    output logic [          15:0] m_descriptor_seed,
    output logic [          15:0] m_descriptor_flags,
    output logic [          31:0] m_descriptor_tag,
    output logic [          15:0] m_descriptor_number
);
  localparam int Beats = DATA_WIDTH < 256 ? 256 / DATA_WIDTH : 1;
  localparam int BeatBits = Beats > 1 ? $clog2(Beats) : 1;
  localparam int LaneBits = DATA_WIDTH > 256 ? $clog2(DATA_WIDTH / 256) : 1;

  // The doorbell.
  logic [15:0] tail, ahead, behind;
  assign ahead  = doorbell_tail - head;
  assign behind = tail - head;
  always_ff @(posedge clk) begin
    if (doorbell) begin
      if (misplaced || {1'b0, ahead} > 17'd1 << size || ahead < behind) overrun <= 1'b1;
      else tail <= doorbell_tail;
    end
    if (sent) head <= sent_head;
    pending <= tail != head;
    if (rst) begin
      tail <= 16'd0;
      head <= 16'd0;
      pending <= 1'b0;
      overrun <= 1'b0;
    end
  end

  // The requests. A request that is offered has its place among the descriptors that wait.
  logic [15:0] next, masked;
  logic ask, room;
  assign masked = next & ~(16'hFFFF << size);
  assign ask = enable && !halted && !overrun && room && next != tail
      && (!m_fetch_valid || m_fetch_ready);
  always_ff @(posedge clk) begin
    if (ask) begin
      m_fetch_address <= base + {{ADDR_WIDTH - 21{1'b0}}, masked, 5'd0};
      next <= next + 1'b1;
    end
    m_fetch_valid <= ask || m_fetch_valid && !m_fetch_ready;
    if (rst) begin
      next <= 16'd0;
      m_fetch_valid <= 1'b0;
    end
  end

  // The beats of a descriptor, the first one at the bottom.
  logic [255:0] gathered, whole;
  logic [15:0] number;
  logic last_beat, complete, failed, began;
  if (Beats > 1) begin : g_beats
    logic [BeatBits-1:0] beat;
    assign last_beat = beat == BeatBits'(Beats - 1);
    assign whole = {s_beat_data, gathered[255:DATA_WIDTH]};
    always_ff @(posedge clk) begin
      if (s_beat_valid) beat <= beat + 1'b1;
      if (rst) beat <= 0;
    end
  end else begin : g_beat
    assign last_beat = 1'b1;
    if (DATA_WIDTH == 256) begin : g_whole
      assign whole = s_beat_data;
    end else begin : g_lane
      logic [LaneBits-1:0] lane, place;
      always_ff @(posedge clk) begin
        if (s_beat_valid) lane <= lane + 1'b1;
        if (rst) lane <= 0;
      end
      // A ring of fewer descriptors than a beat's has them in its first lanes.
      assign place = lane & ~({LaneBits{1'b1}} << size);
      assign whole = s_beat_data[256*place+:256];
    end
  end
  always_ff @(posedge clk) begin
    complete <= s_beat_valid && last_beat && !rst;
    if (s_beat_valid) begin
      gathered <= whole;
      failed <= s_beat_error || failed && began;
      began <= !last_beat;
    end
    if (complete) number <= number + 1'b1;
    if (complete && failed) halted <= 1'b1;
    if (rst) begin
      began  <= 1'b0;
      number <= 16'd0;
      halted <= 1'b0;
    end
  end

  // Whether the piece, or its copy, has a byte past the last address.
  logic outside;
  logic [15:0] flags;
  if (ADDR_WIDTH < 64) begin : g_narrow
    localparam logic [ADDR_WIDTH:0] Limit = {1'b1, {ADDR_WIDTH{1'b0}}};
    logic [ADDR_WIDTH:0] length, source_end, target_end;
    assign length = (ADDR_WIDTH + 1)'(gathered[159:128]);
    assign source_end = {1'b0, gathered[0+:ADDR_WIDTH]} + length;
    assign target_end = {1'b0, gathered[64+:ADDR_WIDTH]} + length;
    assign outside = gathered[63:ADDR_WIDTH] != 0 || source_end > Limit
        || gathered[178] && (gathered[127:64+ADDR_WIDTH] != 0 || target_end > Limit);
  end else begin : g_wide
    assign outside = 1'b0;
  end
  assign flags = gathered[191:176] | {outside, 15'd0};

  logic unused;  // the zeros, and the upper halves of addresses
  assign unused = ^gathered;
  wiresum_queue #(
      .WIDTH (2 * ADDR_WIDTH + 112),
      .PLACES(PLACES)
  ) descriptors (
      .clk,
      .rst,
      .reserve(ask),
      .ready(room),
      .push(complete && !failed && !halted),
      .push_data({
        number,
        gathered[223:192],
        flags,
        gathered[175:160],
        gathered[159:128],
        gathered[64+:ADDR_WIDTH],
        gathered[0+:ADDR_WIDTH]
      }),
      .m_valid(m_descriptor_valid),
      .m_ready(m_descriptor_ready),
      .m_data({
        m_descriptor_number,
        m_descriptor_tag,
        m_descriptor_flags,
        m_descriptor_seed,
        m_descriptor_length,
        m_descriptor_target,
        m_descriptor_source
      })
  );
endmodule
