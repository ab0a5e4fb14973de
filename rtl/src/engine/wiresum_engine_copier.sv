// SPDX-License-Identifier: MIT OR Apache-2.0
// Copies: writes the bytes of pieces to other addresses, while the engine sums them.
//
// The beats of a piece are turned to the lanes of its target as they come from memory, and wait. A
// burst of writes begins when all its beats wait, so it never waits for a read. The beats always
// find a place, because the reader asks only for those that have one; `freed` gives one back. So
// neither channel of memory can hold the other one up.
//
// A piece is cut into bursts as the reader does it: one for each block of BURST_BYTES that its
// target touches, so none crosses 4 KiB. A beat of the target has the bytes of one beat that came,
// or of two in a row. If the target begins in a lower lane than the source, two have to be there
// for the first beat; if it ends in a lower lane than its bytes are turned by, none for the last.
//
// A null piece has no bytes: it ends a job whose last piece is not copied. Timing: a beat a cycle,
// and a cycle more for a piece that begins in a lower lane. All outputs of a burst are registers.
module wiresum_engine_copier #(
    parameter int DATA_WIDTH = 64,
    parameter int ADDR_WIDTH = 64,
    parameter int BURST_BYTES = 512,  // as in wiresum_engine_reader
    parameter int PLACES = 512,  // of beats that wait: a power of two, two bursts' at least
    parameter int PIECES = 16,  // that wait: a power of two
    parameter int LANE_BITS = $clog2(DATA_WIDTH / 8)
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    // In the order of the beats.
    input  logic                  s_piece_valid,   // one cycle each, while s_piece_ready
    output logic                  s_piece_ready,
    input  logic                  s_piece_null,
    input  logic                  s_piece_last,    // it ends a job
    input  logic [ LANE_BITS-1:0] s_piece_begin,   // the lane of the source's first byte
    input  logic [ADDR_WIDTH-1:0] s_piece_target,
    input  logic [          31:0] s_piece_length,

    // The beats that memory delivers for these pieces.
    input  logic                  s_beat_valid,
    input  logic [DATA_WIDTH-1:0] s_beat_data,
    input  logic [ LANE_BITS-1:0] s_beat_turn,   // by so many lanes
    output logic                  freed,         // a beat has left its place

    output logic                  m_burst_valid,
    input  logic                  m_burst_ready,
    output logic                  m_burst_null,
    output logic                  m_burst_last,     // of a job
    output logic [ADDR_WIDTH-1:0] m_burst_address,
    output logic [           7:0] m_burst_length,

    output logic                    m_beat_valid,
    input  logic                    m_beat_ready,
    output logic [  DATA_WIDTH-1:0] m_beat_data,
    output logic [DATA_WIDTH/8-1:0] m_beat_strobes,
    output logic                    m_beat_last
);
  localparam int Bytes = DATA_WIDTH / 8;
  localparam int BlockBits = $clog2(BURST_BYTES);
  localparam int PlaceBits = BlockBits - LANE_BITS;
  localparam int CountBits = $clog2(PLACES) + 1;
  localparam int Stages = (LANE_BITS + 2) / 3;

`ifndef __ICARUS__
  if (PLACES != 1 << $clog2(PLACES) || PLACES < 2 * BURST_BYTES / Bytes) begin : g_places
    $error("PLACES is not a power of two from two bursts on");
  end
`endif

  // The pieces that wait.
  logic piece_valid, null_piece, job_last;
  logic [LANE_BITS-1:0] begins;
  logic [ADDR_WIDTH-1:0] target;
  logic [31:0] length;
  logic active;
  wiresum_queue #(
      .WIDTH (2 + LANE_BITS + ADDR_WIDTH + 32),
      .PLACES(PIECES)
  ) pieces (
      .clk,
      .rst,
      .reserve(s_piece_valid),
      .ready(s_piece_ready),
      .push(s_piece_valid),
      .push_data({s_piece_null, s_piece_last, s_piece_begin, s_piece_target, s_piece_length}),
      .m_valid(piece_valid),
      .m_ready(!active),
      .m_data({null_piece, job_last, begins, target, length})
  );

  // The piece that is cut, from `place` of `block` on.
  logic [32:0] reach;
  logic [ADDR_WIDTH-1:BlockBits] block;
  logic [PlaceBits-1:0] place, last_place, beats;
  logic [32-BlockBits:0] left;  // blocks after this one
  logic [LANE_BITS-1:0] turn, lane, last_lane;
  logic is_null, is_last, opening, closing, late, early, load, step, take;
  assign reach = {1'b0, length} + {{33 - BlockBits{1'b0}}, target[BlockBits-1:0]} - 33'd1;
  assign load = piece_valid && !active;
  assign closing = left == 0;
  assign beats = (closing ? last_place : {PlaceBits{1'b1}}) - place;

  // The next burst, which is offered when the beats that it needs wait.
  logic burst_valid, burst_late, burst_early;
  logic [LANE_BITS-1:0] burst_turn, burst_lane, burst_last_lane;
  logic [  PlaceBits:0] needed;
  logic [CountBits-1:0] waiting;  // without the beats of bursts that have begun
  assign step = active && (!burst_valid || take);
  assign take = m_burst_valid && m_burst_ready;
  always_ff @(posedge clk) begin
    if (step) begin
      m_burst_address <= {block, place, {LANE_BITS{1'b0}}};
      m_burst_length <= 8'(beats);
      m_burst_null <= is_null;
      m_burst_last <= is_last && closing;
      burst_late <= opening && late;
      burst_early <= closing && early;
      burst_turn <= turn;
      burst_lane <= opening ? lane : {LANE_BITS{1'b0}};
      burst_last_lane <= closing ? last_lane : {LANE_BITS{1'b1}};
      needed <= is_null ? 0 : {1'b0, beats} + (PlaceBits + 1)'(opening && late)
          + (PlaceBits + 1)'(!(closing && early));
      block <= block + 1'b1;
      place <= 0;
      left <= left - 1'b1;
      opening <= 1'b0;
      if (closing) active <= 1'b0;
    end
    if (load) begin
      {block, place} <= target[ADDR_WIDTH-1:LANE_BITS];
      last_place <= reach[BlockBits-1:LANE_BITS];
      left <= null_piece ? 0 : reach[32:BlockBits];
      lane <= target[LANE_BITS-1:0];
      last_lane <= reach[LANE_BITS-1:0];
      turn <= target[LANE_BITS-1:0] - begins;
      late <= target[LANE_BITS-1:0] < begins;
      early <= reach[LANE_BITS-1:0] < target[LANE_BITS-1:0] - begins;
      is_null <= null_piece;
      is_last <= job_last;
      opening <= 1'b1;
      active <= 1'b1;
    end
    burst_valid   <= step || burst_valid && !take;
    m_burst_valid <= burst_valid && !take && waiting >= CountBits'(needed);
    if (rst) begin
      active <= 1'b0;
      burst_valid <= 1'b0;
      m_burst_valid <= 1'b0;
    end
  end

  // The beats, turned to the target's lanes: three bits of the number of lanes a stage.
  function automatic logic [DATA_WIDTH-1:0] turned(input logic [DATA_WIDTH-1:0] beat,
                                                   input logic [LANE_BITS-1:0] by, input int stage);
    turned = beat;
    for (int bits = 0; bits < LANE_BITS; bits++)
    if (bits / 3 == stage && by[bits])
      turned = turned << (8 << bits) | turned >> (DATA_WIDTH - (8 << bits));
  endfunction
  logic [Stages:1] moves;
  logic [Stages:1][LANE_BITS-1:0] by;
  logic [Stages:1][DATA_WIDTH-1:0] moved;
  always_ff @(posedge clk) begin
    moves[1] <= s_beat_valid && !rst;
    by[1] <= s_beat_turn;
    moved[1] <= turned(s_beat_data, s_beat_turn, 0);
    for (int stage = 2; stage <= Stages; stage++) begin
      moves[stage] <= moves[stage-1] && !rst;
      by[stage] <= by[stage-1];
      moved[stage] <= turned(moved[stage-1], by[stage-1], stage - 1);
    end
    waiting <= waiting + CountBits'(moves[Stages]) - (take ? CountBits'(needed) : CountBits'(0));
    if (rst) waiting <= 0;
  end
  logic front_valid, pop;
  logic [DATA_WIDTH-1:0] front;
  logic unused_ready;
  logic [1:0] unused;
  assign unused = {^by[Stages], unused_ready};
  wiresum_queue #(
      .WIDTH (DATA_WIDTH),
      .PLACES(PLACES)
  ) beats_that_wait (
      .clk,
      .rst,
      .reserve(moves[Stages]),
      .ready(unused_ready),
      .push(moves[Stages]),
      .push_data(moved[Stages]),
      .m_valid(front_valid),
      .m_ready(pop),
      .m_data(front)
  );

  // The burst that has begun. Its lanes below `old_lanes` come from the beat before the front one.
  logic writes, priming, dry, at_last;
  logic [7:0] beats_left;
  logic [Bytes-1:0] old_lanes, strobes, last_strobes;
  logic [DATA_WIDTH-1:0] previous;
  assign at_last = beats_left == 0;
  assign m_beat_last = at_last;
  assign m_beat_valid = writes && !priming && (front_valid || at_last && dry);
  assign m_beat_strobes = strobes & (at_last ? last_strobes : {Bytes{1'b1}});
  assign pop = front_valid && writes && (priming || m_beat_ready && !(at_last && dry));
  assign freed = pop;
  always_comb
    for (int k = 0; k < Bytes; k++)
      m_beat_data[8*k+:8] = old_lanes[k] ? previous[8*k+:8] : front[8*k+:8];
  always_ff @(posedge clk) begin
    if (pop) begin
      previous <= front;
      priming  <= 1'b0;
    end
    if (m_beat_valid && m_beat_ready) begin
      strobes <= {Bytes{1'b1}};
      beats_left <= beats_left - 1'b1;
      if (at_last) writes <= 1'b0;
    end
    if (take && !m_burst_null) begin
      writes <= 1'b1;
      priming <= burst_late;
      dry <= burst_early;
      beats_left <= m_burst_length;
      old_lanes <= ~({Bytes{1'b1}} << burst_turn);
      strobes <= {Bytes{1'b1}} << burst_lane;
      last_strobes <= ~({Bytes{1'b1}} << burst_last_lane << 1);
    end
    if (rst) begin
      writes   <= 1'b0;
      previous <= '0;  // a simulation knows the lanes without a strobe, too
    end
  end
endmodule
