// SPDX-License-Identifier: MIT OR Apache-2.0
// The data that memory delivers: hands the descriptors' beats on, adds up the wanted bytes of each
// piece, and joins the pieces' sums to the job's.
//
// The tickets say what the beats are for, in the order of the requests, and the pieces which bytes
// of them count. wiresum_sum_stream adds a piece's bytes, each at the weight of its lane. The sum
// of a piece whose bytes lie in the other halves of the job's words is swapped (RFC 1071 section 2
// (B)), and added to the sum of the pieces before it; the first one to the job's seed.
//
// A job has one result, in order: the sum, what its last piece's note has, and its errors, each if
// any piece had it: bit 0 SLVERR, bit 1 DECERR, bit 2 an invalid descriptor. A place for it has
// been reserved. Timing: a beat a cycle. A result is there nine cycles after its last beat at 64
// bits, and one more for each doubling of the width. An empty piece takes one cycle, in which no
// data are taken.
module wiresum_engine_receiver #(
    parameter int DATA_WIDTH = 64,
    parameter int NOTE_WIDTH = 64,  // of a piece: the seed in bits 15..0, and what the result has
    parameter int TICKETS = 16,  // powers of two: bursts, and jobs or pieces, that may be under way
    parameter int PLACES = 16,
    parameter int LANE_BITS = $clog2(DATA_WIDTH / 8)
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic s_ticket_valid,  // one cycle each, while s_ticket_ready
    output logic s_ticket_ready,
    input  logic s_ticket_fetch,
    input  logic s_ticket_last,

    input  logic                  s_piece_valid,
    output logic                  s_piece_ready,
    input  logic                  s_piece_empty,
    input  logic                  s_piece_invalid,
    input  logic                  s_piece_first,
    input  logic                  s_piece_last,
    input  logic                  s_piece_swap,
    input  logic [ LANE_BITS-1:0] s_piece_begin,
    input  logic [ LANE_BITS-1:0] s_piece_end,
    input  logic                  s_piece_copy,
    input  logic [ LANE_BITS-1:0] s_piece_turn,
    input  logic [NOTE_WIDTH-1:0] s_piece_note,

    input  logic reserve,
    output logic reserve_ready,

    input  logic                  m_axi_rvalid,
    output logic                  m_axi_rready,
    input  logic [DATA_WIDTH-1:0] m_axi_rdata,
    input  logic [           1:0] m_axi_rresp,
    input  logic                  m_axi_rlast,

    output logic m_fetch_valid,  // a beat of a descriptor
    output logic data_beat,  // a beat of a piece
    output logic copy_beat,  // a beat of a piece that is copied, and what the copier does to it
    output logic [LANE_BITS-1:0] copy_turn,
    output logic idle,  // nothing that was asked for is still to come

    output logic                   m_result_valid,
    input  logic                   m_result_ready,
    output logic [           15:0] m_result_sum,
    output logic [            2:0] m_result_errors,
    output logic [NOTE_WIDTH-17:0] m_result_note
);
  localparam int Bytes = DATA_WIDTH / 8;
  localparam int PieceBits = 6 + 3 * LANE_BITS + NOTE_WIDTH;

  // The tickets, and the pieces.
  logic ticket_valid, ticket_fetch, ticket_last, ticket_done;
  wiresum_queue #(
      .WIDTH (2),
      .PLACES(TICKETS)
  ) tickets (
      .clk,
      .rst,
      .reserve(s_ticket_valid),
      .ready(s_ticket_ready),
      .push(s_ticket_valid),
      .push_data({s_ticket_fetch, s_ticket_last}),
      .m_valid(ticket_valid),
      .m_ready(ticket_done),
      .m_data({ticket_fetch, ticket_last})
  );
  logic piece_valid, piece_done;
  logic empty, invalid, first, last, swap;
  logic [LANE_BITS-1:0] begins, ends;
  logic copy;
  logic [NOTE_WIDTH-1:0] note;
  wiresum_queue #(
      .WIDTH (PieceBits),
      .PLACES(PLACES)
  ) pieces (
      .clk,
      .rst,
      .reserve(s_piece_valid && s_piece_ready),
      .ready(s_piece_ready),
      .push(s_piece_valid && s_piece_ready),
      .push_data({
        s_piece_empty,
        s_piece_invalid,
        s_piece_first,
        s_piece_last,
        s_piece_swap,
        s_piece_begin,
        s_piece_end,
        s_piece_copy,
        s_piece_turn,
        s_piece_note
      }),
      .m_valid(piece_valid),
      .m_ready(piece_done),
      .m_data({empty, invalid, first, last, swap, begins, ends, copy, copy_turn, note})
  );

  // The beats.
  logic started, beat, skip, at_end;
  logic [Bytes-1:0] wanted;
  logic [1:0] errors, errors_now;
  assign skip = piece_valid && empty;
  assign m_axi_rready = ticket_valid && (ticket_fetch || piece_valid && !empty);
  assign m_fetch_valid = m_axi_rvalid && m_axi_rready && ticket_fetch;
  assign beat = m_axi_rvalid && m_axi_rready && !ticket_fetch;
  assign data_beat = beat;
  assign copy_beat = beat && copy;
  assign ticket_done = m_axi_rvalid && m_axi_rready && m_axi_rlast;
  assign at_end = ticket_last && m_axi_rlast;
  assign piece_done = skip || beat && at_end;
  assign wanted = (started ? {Bytes{1'b1}} : {Bytes{1'b1}} << begins)
      & (at_end ? ~({Bytes{1'b1}} << ends << 1) : {Bytes{1'b1}}) & {Bytes{!empty}};
  assign errors_now = (started ? errors : 2'b00)
      | {m_axi_rresp == 2'b11, m_axi_rresp == 2'b10} & {2{!empty}};
  always_ff @(posedge clk) begin
    if (beat) begin
      started <= !at_end;
      errors  <= errors_now;
    end
    if (rst) started <= 1'b0;
  end

  // The bursts that memory owes, with those whose request still waits.
  localparam int OwedBits = $clog2(TICKETS) + 1;
  logic [OwedBits-1:0] owed;
  always_ff @(posedge clk) begin
    owed <= rst ? '0 : owed + OwedBits'(s_ticket_valid) - OwedBits'(ticket_done);
    idle <= rst || owed == 0 && !s_ticket_valid;
  end

  // The pieces' sums, and what is known of them; as many wait as are in the adder.
  logic sum_valid;
  logic known_first, known_last, known_swap;
  logic [2:0] known_errors;
  logic [NOTE_WIDTH-1:0] known_note;
  logic [15:0] piece_sum, operand;
  logic [ 2:0] unused;
  logic [18:0] unused_about;
  wiresum_sum_stream #(
      .DATA_WIDTH(DATA_WIDTH),
      .SUM_ONLY  (1)
  ) adder (
      .clk,
      .rst,
      .s_axis_tdata(m_axi_rdata),
      .s_axis_tkeep(wanted),
      .s_axis_tvalid(beat || skip),
      .s_axis_tready(unused[0]),
      .s_axis_tlast(piece_done),
      .s_axis_tuser(33'd0),
      .m_result_valid(sum_valid),
      .m_result_ready(1'b1),
      .m_result_sum(piece_sum),
      .m_result_length(unused_about[15:0]),
      .m_result_status(unused_about[18:16])
  );
  wiresum_queue #(
      .WIDTH(6 + NOTE_WIDTH)
  ) known (
      .clk,
      .rst,
      .reserve(piece_done),
      .ready(unused[1]),
      .push(piece_done),
      .push_data({first, last, swap, invalid, errors_now, note}),
      .m_valid(unused[2]),
      .m_ready(sum_valid),
      .m_data({known_first, known_last, known_swap, known_errors, known_note})
  );

  // The job's sum. The carry out of 16 bits comes back with the next piece, or in the fold.
  logic [15:0] total, sum;
  logic carry, done;
  logic [2:0] job_errors;
  logic [NOTE_WIDTH-17:0] job_note;
  assign operand = known_swap ? {piece_sum[7:0], piece_sum[15:8]} : piece_sum;
  assign sum = total + {15'd0, carry};
  always_ff @(posedge clk) begin
    if (sum_valid) begin
      {carry, total} <= {1'b0, known_first ? known_note[15:0] : total} + {1'b0, operand}
          + {16'd0, !known_first && carry};
      job_errors <= known_errors | (known_first ? 3'd0 : job_errors);
      job_note <= known_note[NOTE_WIDTH-1:16];
    end
    done <= sum_valid && known_last && !rst;
  end
  wiresum_queue #(
      .WIDTH (NOTE_WIDTH - 16 + 3 + 16),
      .PLACES(PLACES)
  ) results (
      .clk,
      .rst,
      .reserve,
      .ready(reserve_ready),
      .push(done),
      .push_data({job_note, job_errors, sum}),
      .m_valid(m_result_valid),
      .m_ready(m_result_ready),
      .m_data({m_result_note, m_result_errors, m_result_sum})
  );
endmodule
