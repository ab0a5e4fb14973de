// SPDX-License-Identifier: MIT OR Apache-2.0
// wiresum_rx_check in the stream: holds each Ethernet frame of an AXI4-Stream until it is judged,
// and sends it on with the verdicts in tuser. tid, tdest and the user's bits of tuser go along with
// each beat. Byte k of a beat, tdata[8k+7:8k], is the k-th on the wire; the frame is without its
// FCS.
//
// m_axis_tuser has, in each beat of a frame, what wiresum_rx_check has as m_result_...:
//   bit  0          aborted   only in the last beat: what s_axis_tuser[0] has there
//   bit  1          unjudged  The frame has more than BEATS beats, and passes before its end; bits
//                             72 to 2 are 0. With ABORT_LONG, its last beat has aborted.
//   bits 3 to 2     ipv4
//   bits 5 to 4     verdict
//   bits 14 to 6    status
//   bits 30 to 15   sum
//   bits 46 to 31   length
//   bits 54 to 47   network
//   bits 64 to 55   upper
//   bits 72 to 65   protocol
//   the others      the bits of s_axis_tuser after bit 0
//
// Timing: a beat a cycle, a frame a beat, if BEATS is the longest frame's, and 64 more. The first
// beat leaves a cycle after wiresum_rx_check would have the frame's result. A frame after an
// unjudged one waits until the unjudged one has its result. A reset drops all; the next beat begins
// a frame. Outputs are registers, except for s_axis_tready, which is the and of four.
module wiresum_rx_pass #(
    parameter int DATA_WIDTH   = 64,              // 16, 32, 64, 128, 256, 512, 1024
    parameter int KEEP_WIDTH   = DATA_WIDTH / 8,
    parameter int ID_WIDTH     = 1,
    parameter int DEST_WIDTH   = 1,
    parameter int USER_WIDTH   = 1,               // of the user's own bits of tuser
    parameter int HEADER_BYTES = 128,             // as in wiresum_rx_check
    parameter int BEATS        = 256,             // of the buffer, a power of two
    parameter bit ABORT_LONG   = 0                // 1: a frame of more than BEATS beats is aborted
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic [DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic                  s_axis_tlast,
    input  logic [  ID_WIDTH-1:0] s_axis_tid,
    input  logic [DEST_WIDTH-1:0] s_axis_tdest,
    input  logic [  USER_WIDTH:0] s_axis_tuser,

    output logic [ DATA_WIDTH-1:0] m_axis_tdata,
    output logic [ KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic                   m_axis_tvalid,
    input  logic                   m_axis_tready,
    output logic                   m_axis_tlast,
    output logic [   ID_WIDTH-1:0] m_axis_tid,
    output logic [ DEST_WIDTH-1:0] m_axis_tdest,
    output logic [USER_WIDTH+72:0] m_axis_tuser
);
  localparam int AlongBits = ID_WIDTH + DEST_WIDTH + USER_WIDTH;

  // Both take a beat, or neither does.
  logic check_valid, check_ready, frames_valid, room;
  assign s_axis_tready = check_ready && room;
  assign check_valid   = s_axis_tvalid && room;
  assign frames_valid  = s_axis_tvalid && check_ready;
  logic result_valid, result_ready;
  logic [70:0] result;
  wiresum_rx_check #(
      .DATA_WIDTH  (DATA_WIDTH),
      .HEADER_BYTES(HEADER_BYTES)
  ) check (
      .clk,
      .rst,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid    (check_valid),
      .s_axis_tready    (check_ready),
      .s_axis_tlast,
      .s_axis_tuser     (s_axis_tuser[0]),
      .m_result_valid   (result_valid),
      .m_result_ready   (result_ready),
      .m_result_ipv4    (result[1:0]),
      .m_result_verdict (result[3:2]),
      .m_result_status  (result[12:4]),
      .m_result_sum     (result[28:13]),
      .m_result_length  (result[44:29]),
      .m_result_network (result[52:45]),
      .m_result_upper   (result[62:53]),
      .m_result_protocol(result[70:63])
  );

  // A frame leaves with its result.
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
      .s_axis_tvalid(frames_valid),
      .s_axis_tready(room),
      .s_axis_tlast,
      .s_axis_tuser ({s_axis_tid, s_axis_tdest, s_axis_tuser}),
      .s_note_valid (result_valid),
      .s_note_ready (result_ready),
      .m_axis_tdata (head_data),
      .m_axis_tkeep (head_keep),
      .m_axis_tvalid(head_valid),
      .m_axis_tready(head_ready),
      .m_axis_tlast (head_last),
      .m_axis_tuser ({head_along, head_user}),
      .m_axis_long  (head_long)
  );
  assign head_ready = !m_axis_tvalid || m_axis_tready;
  always_ff @(posedge clk) begin
    if (head_ready) begin
      m_axis_tdata <= head_data;
      m_axis_tkeep <= head_keep;
      m_axis_tlast <= head_last;
      {m_axis_tid, m_axis_tdest, m_axis_tuser} <= {
        head_along,
        head_long ? 71'd0 : result,
        head_long,
        (head_user || ABORT_LONG && head_long) && head_last
      };
    end
    m_axis_tvalid <= !rst && (head_valid || m_axis_tvalid && !m_axis_tready);
  end
endmodule
