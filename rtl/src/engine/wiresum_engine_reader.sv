// SPDX-License-Identifier: MIT OR Apache-2.0
// The read requests: cuts the pieces of jobs into bursts, and puts them and the descriptors' bursts
// on the AR channel.
//
// Memory is cut into blocks of BURST_BYTES, which are aligned, so no burst crosses 4 KiB. Each
// block that a piece touches is one burst, from the beat of the piece's first byte in it to the
// beat of its last one. So the bursts of a piece join without a gap and bring no needless beat.
//
// Each burst has a ticket, in order: what its beats are for, and whether it is a piece's last one.
// It leaves before its request is offered. Each piece leaves on its own channel before its tickets.
// The last piece of a job reserves a place for the job's result.
//
// A piece that is copied goes to wiresum_engine_copier, too. It has COPY_BEATS places for beats; a
// burst of such a piece is asked for while the longest one's beats have places. A job of which a
// piece is copied also has its end sent to the copier.
//
// A descriptor with an unknown flag has `invalid`, and no burst. Timing: a burst's request is
// offered two cycles after its descriptor, and then one a cycle; a piece takes one cycle more than
// it has bursts. `stop` takes no new request. A request that is offered then stays until it is
// taken.
module wiresum_engine_reader #(
    parameter int DATA_WIDTH = 64,
    parameter int ADDR_WIDTH = 64,
    parameter int BURST_BYTES = 512,  // a power of two, from a beat's to 256 beats', at most 4096
    parameter int NOTE_WIDTH = 64,  // what goes along with a piece
    parameter int COPY_BEATS = 512,  // a power of two from two bursts' on; 0: no piece is copied
    parameter int LANE_BITS = $clog2(DATA_WIDTH / 8)
) (
    input logic clk,
    input logic rst,  // synchronous, active high
    input logic stop,

    input  logic                  s_fetch_valid,
    output logic                  s_fetch_ready,
    input  logic [ADDR_WIDTH-1:0] s_fetch_address,

    input  logic                  s_descriptor_valid,
    output logic                  s_descriptor_ready,
    input  logic [ADDR_WIDTH-1:0] s_descriptor_source,
    input  logic [ LANE_BITS-1:0] s_descriptor_target,  // the lane of the copy's first byte
    input  logic [          31:0] s_descriptor_length,
    input  logic [          15:0] s_descriptor_flags,
    input  logic [NOTE_WIDTH-1:0] s_descriptor_note,

    output logic                  m_piece_valid,
    input  logic                  m_piece_ready,
    output logic                  m_piece_empty,    // it has no burst
    output logic                  m_piece_invalid,
    output logic                  m_piece_first,    // of its job
    output logic                  m_piece_last,
    output logic                  m_piece_swap,     // its bytes lie in the other halves of words
    output logic [ LANE_BITS-1:0] m_piece_begin,    // the lanes of its first and its last byte
    output logic [ LANE_BITS-1:0] m_piece_end,
    output logic                  m_piece_copy,
    output logic                  m_piece_copied,   // it, or a piece of its job before it
    output logic [ LANE_BITS-1:0] m_piece_turn,     // the lanes from the source to the copy
    output logic [NOTE_WIDTH-1:0] m_piece_note,

    output logic m_copy_valid,  // a piece for the copier, one cycle each
    input  logic m_copy_ready,
    output logic m_copy_null,   // it has no bytes to copy
    output logic m_copy_last,   // it ends a job
    input  logic freed,         // a beat has left its place

    output logic reserve,       // a result's place
    input  logic reserve_ready,

    output logic m_ticket_valid,  // one cycle each
    input  logic m_ticket_ready,
    output logic m_ticket_fetch,  // the burst brings a descriptor
    output logic m_ticket_last,   // the piece's last burst

    output logic                  m_axi_arvalid,
    input  logic                  m_axi_arready,
    output logic [ADDR_WIDTH-1:0] m_axi_araddr,
    output logic [           7:0] m_axi_arlen
);
  localparam int BlockBits = $clog2(BURST_BYTES);
  localparam int PlaceBits = BlockBits - LANE_BITS;  // beats of a block
  localparam int FetchLength = DATA_WIDTH < 256 ? 256 / DATA_WIDTH - 1 : 0;

`ifndef __ICARUS__
  if (DATA_WIDTH < 64 || DATA_WIDTH > 1024 || DATA_WIDTH != 1 << $clog2(DATA_WIDTH)) begin : g_width
    $error("DATA_WIDTH is not a power of two from 64 to 1024");
  end
  if (ADDR_WIDTH < 32 || ADDR_WIDTH > 64) begin : g_address
    $error("ADDR_WIDTH is not from 32 to 64");
  end
  if (BURST_BYTES != 1 << BlockBits || BURST_BYTES > 4096 || PlaceBits < 1 || PlaceBits > 8)
  begin : g_burst
    $error("BURST_BYTES is not a power of two from 2 beats to 256 beats and 4096");
  end
`endif

  localparam int CountBits = COPY_BEATS > 0 ? $clog2(COPY_BEATS) + 1 : PlaceBits + 1;

  // A piece: how far its last byte lies from the begin of the first block.
  logic take, odd, joined, invalid, empty, copy, copied, job_copied, active_copy;
  logic [32:0] reach;
  logic active;
  logic [ADDR_WIDTH-1:BlockBits] block;
  logic [PlaceBits-1:0] place, last_place;
  logic [32-BlockBits:0] left;  // blocks after this one
  assign reach = {1'b0, s_descriptor_length}
      + {{33 - BlockBits{1'b0}}, s_descriptor_source[BlockBits-1:0]} - 33'd1;
  assign invalid = s_descriptor_flags[15:3] != 0 || s_descriptor_flags[2] && COPY_BEATS == 0;
  assign empty = invalid || s_descriptor_length == 0;
  assign copy = s_descriptor_flags[2] && !empty;
  assign copied = copy || joined && job_copied;
  assign take = s_descriptor_valid && s_descriptor_ready;
  assign s_descriptor_ready = !stop && !active && (!m_piece_valid || m_piece_ready)
      && reserve_ready && m_copy_ready;
  assign reserve = take && !s_descriptor_flags[0];
  assign m_copy_valid = take && (copy || copied && !s_descriptor_flags[0]);
  assign m_copy_null = !copy;
  assign m_copy_last = !s_descriptor_flags[0];
  always_ff @(posedge clk) begin
    if (take) begin
      m_piece_empty <= empty;
      m_piece_invalid <= invalid;
      m_piece_first <= !joined;
      m_piece_last <= !s_descriptor_flags[0];
      m_piece_swap <= s_descriptor_source[0] ^ (joined ? odd : s_descriptor_flags[1]);
      m_piece_begin <= s_descriptor_source[LANE_BITS-1:0];
      m_piece_end <= reach[LANE_BITS-1:0];
      m_piece_copy <= copy;
      m_piece_copied <= copied;
      m_piece_turn <= s_descriptor_target - s_descriptor_source[LANE_BITS-1:0];
      m_piece_note <= s_descriptor_note;
      job_copied <= copied;
      active_copy <= copy;
      odd <= (joined ? odd : s_descriptor_flags[1]) ^ (s_descriptor_length[0] && !invalid);
      joined <= s_descriptor_flags[0];
    end
    m_piece_valid <= take || m_piece_valid && !m_piece_ready;
    if (rst) begin
      joined <= 1'b0;
      m_piece_valid <= 1'b0;
    end
  end

  logic unused;  // a request is for whole beats
  assign unused = ^s_fetch_address[LANE_BITS-1:0];

  // The places of the copier that no beat has, and none is asked for.
  logic [CountBits-1:0] places;
  logic [PlaceBits-1:0] beats;  // of the next burst, less one
  logic step, roomy;
  assign roomy = !active_copy || places[CountBits-1:PlaceBits] != 0;
  always_ff @(posedge clk) begin
    places <= places + CountBits'(freed)
        - (step && active_copy ? CountBits'(beats) + 1'b1 : CountBits'(0));
    if (rst) places <= CountBits'(COPY_BEATS);
  end

  // The channel: a descriptor's burst goes first, as jobs wait for it.
  logic open, free;
  assign beats = (left == 0 ? last_place : {PlaceBits{1'b1}}) - place;
  assign open = !stop && m_ticket_ready && (!m_axi_arvalid || m_axi_arready);
  assign s_fetch_ready = open;
  assign free = open && !s_fetch_valid;
  assign step = active && free && roomy;
  assign m_ticket_valid = open && (s_fetch_valid || active && roomy);
  assign m_ticket_fetch = s_fetch_valid;
  assign m_ticket_last = left == 0;
  always_ff @(posedge clk) begin
    if (m_ticket_valid) begin
      m_axi_araddr <= {
        s_fetch_valid ? s_fetch_address[ADDR_WIDTH-1:LANE_BITS] : {block, place}, {LANE_BITS{1'b0}}
      };
      m_axi_arlen <= s_fetch_valid ? 8'(FetchLength) : 8'(beats);
    end
    m_axi_arvalid <= m_ticket_valid || m_axi_arvalid && !m_axi_arready;
    if (step) begin
      block <= block + 1'b1;
      place <= 0;
      left  <= left - 1'b1;
      if (left == 0) active <= 1'b0;
    end
    if (take) begin
      {block, place} <= s_descriptor_source[ADDR_WIDTH-1:LANE_BITS];
      last_place <= reach[BlockBits-1:LANE_BITS];
      left <= reach[32:BlockBits];
      active <= !empty;
    end
    if (rst) begin
      active <= 1'b0;
      m_axi_arvalid <= 1'b0;
    end
  end
endmodule
