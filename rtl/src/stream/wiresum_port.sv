// SPDX-License-Identifier: MIT OR Apache-2.0
// The checksums of one port of a network card, between the host's queues and a MAC:
// wiresum_tx_insert on the way to the MAC, wiresum_rx_pass on the way from it. It is an example to
// begin with: it has the place, and does the work, of Corundum's tx_checksum and rx_checksum. A
// command has one job for the protocol's checksum, and one for the IPv4 header's.
//
// Corundum counts csum_offset from the frame's begin; here it counts from csum_start, as in Linux
// and virtio. The two verdicts of a frame are in m_rx_axis_tuser, as in wiresum_rx_pass, which also
// has the sum for CHECKSUM_COMPLETE. A frame that is too long to be summed is sent aborted, and
// received unjudged.
module wiresum_port #(
    parameter int DATA_WIDTH    = 64,
    parameter int KEEP_WIDTH    = DATA_WIDTH / 8,
    parameter int TX_ID_WIDTH   = 8,               // queue numbers and the like
    parameter int TX_DEST_WIDTH = 8,
    parameter int TX_USER_WIDTH = 16,              // the tag of a time stamp
    parameter int RX_ID_WIDTH   = 8,
    parameter int RX_DEST_WIDTH = 8,
    parameter int RX_USER_WIDTH = 96,              // a time stamp
    parameter int BEATS         = 256              // of each buffer
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    // From the host: a command and a frame.
    input  logic        s_tx_command_valid,
    output logic        s_tx_command_ready,
    input  logic        s_tx_command_csum_enable,
    input  logic [15:0] s_tx_command_csum_start,
    input  logic [15:0] s_tx_command_csum_offset,
    input  logic [15:0] s_tx_command_csum_init,
    input  logic        s_tx_command_csum_udp,     // 0x0000 is sent as 0xFFFF
    input  logic        s_tx_command_ipv4_enable,
    input  logic [15:0] s_tx_command_ipv4_start,   // the number of the header's first byte
    input  logic [15:0] s_tx_command_ipv4_stop,    // the number of the byte after its last one

    input  logic [   DATA_WIDTH-1:0] s_tx_axis_tdata,
    input  logic [   KEEP_WIDTH-1:0] s_tx_axis_tkeep,
    input  logic                     s_tx_axis_tvalid,
    output logic                     s_tx_axis_tready,
    input  logic                     s_tx_axis_tlast,
    input  logic [  TX_ID_WIDTH-1:0] s_tx_axis_tid,
    input  logic [TX_DEST_WIDTH-1:0] s_tx_axis_tdest,
    input  logic [  TX_USER_WIDTH:0] s_tx_axis_tuser,   // bit 0 of the last beat: aborted

    // To the MAC.
    output logic [   DATA_WIDTH-1:0] m_tx_axis_tdata,
    output logic [   KEEP_WIDTH-1:0] m_tx_axis_tkeep,
    output logic                     m_tx_axis_tvalid,
    input  logic                     m_tx_axis_tready,
    output logic                     m_tx_axis_tlast,
    output logic [  TX_ID_WIDTH-1:0] m_tx_axis_tid,
    output logic [TX_DEST_WIDTH-1:0] m_tx_axis_tdest,
    output logic [  TX_USER_WIDTH:0] m_tx_axis_tuser,   // as s_tx_axis_tuser

    // From the MAC. tready stays high while the host is ready, if BEATS is the longest frame's, and
    // 64 more.
    input  logic [   DATA_WIDTH-1:0] s_rx_axis_tdata,
    input  logic [   KEEP_WIDTH-1:0] s_rx_axis_tkeep,
    input  logic                     s_rx_axis_tvalid,
    output logic                     s_rx_axis_tready,
    input  logic                     s_rx_axis_tlast,
    input  logic [  RX_ID_WIDTH-1:0] s_rx_axis_tid,
    input  logic [RX_DEST_WIDTH-1:0] s_rx_axis_tdest,
    input  logic [  RX_USER_WIDTH:0] s_rx_axis_tuser,   // bit 0 of the last beat: aborted

    // To the host.
    output logic [    DATA_WIDTH-1:0] m_rx_axis_tdata,
    output logic [    KEEP_WIDTH-1:0] m_rx_axis_tkeep,
    output logic                      m_rx_axis_tvalid,
    input  logic                      m_rx_axis_tready,
    output logic                      m_rx_axis_tlast,
    output logic [   RX_ID_WIDTH-1:0] m_rx_axis_tid,
    output logic [ RX_DEST_WIDTH-1:0] m_rx_axis_tdest,
    output logic [RX_USER_WIDTH+72:0] m_rx_axis_tuser
);
  logic [3:0] unused_status;  // what was inserted
  wiresum_tx_insert #(
      .DATA_WIDTH(DATA_WIDTH),
      .ID_WIDTH  (TX_ID_WIDTH),
      .DEST_WIDTH(TX_DEST_WIDTH),
      .USER_WIDTH(TX_USER_WIDTH),
      .BEATS     (BEATS),
      .ABORT_LONG(1)
  ) tx (
      .clk,
      .rst,
      .s_command_valid   (s_tx_command_valid),
      .s_command_ready   (s_tx_command_ready),
      .s_command_a_enable(s_tx_command_csum_enable),
      .s_command_a_start (s_tx_command_csum_start),
      .s_command_a_offset(s_tx_command_csum_offset),
      .s_command_a_init  (s_tx_command_csum_init),
      .s_command_a_zero  (s_tx_command_csum_udp),
      .s_command_b_enable(s_tx_command_ipv4_enable),
      .s_command_b_start (s_tx_command_ipv4_start),
      .s_command_b_offset(16'd10),
      .s_command_b_init  (16'd0),
      .s_command_b_zero  (1'b0),
      .s_command_b_stop  (s_tx_command_ipv4_stop),
      .s_axis_tdata      (s_tx_axis_tdata),
      .s_axis_tkeep      (s_tx_axis_tkeep),
      .s_axis_tvalid     (s_tx_axis_tvalid),
      .s_axis_tready     (s_tx_axis_tready),
      .s_axis_tlast      (s_tx_axis_tlast),
      .s_axis_tid        (s_tx_axis_tid),
      .s_axis_tdest      (s_tx_axis_tdest),
      .s_axis_tuser      (s_tx_axis_tuser),
      .m_axis_tdata      (m_tx_axis_tdata),
      .m_axis_tkeep      (m_tx_axis_tkeep),
      .m_axis_tvalid     (m_tx_axis_tvalid),
      .m_axis_tready     (m_tx_axis_tready),
      .m_axis_tlast      (m_tx_axis_tlast),
      .m_axis_tid        (m_tx_axis_tid),
      .m_axis_tdest      (m_tx_axis_tdest),
      .m_axis_tuser      ({m_tx_axis_tuser[TX_USER_WIDTH:1], unused_status, m_tx_axis_tuser[0]})
  );
  wiresum_rx_pass #(
      .DATA_WIDTH(DATA_WIDTH),
      .ID_WIDTH  (RX_ID_WIDTH),
      .DEST_WIDTH(RX_DEST_WIDTH),
      .USER_WIDTH(RX_USER_WIDTH),
      .BEATS     (BEATS)
  ) rx (
      .clk,
      .rst,
      .s_axis_tdata (s_rx_axis_tdata),
      .s_axis_tkeep (s_rx_axis_tkeep),
      .s_axis_tvalid(s_rx_axis_tvalid),
      .s_axis_tready(s_rx_axis_tready),
      .s_axis_tlast (s_rx_axis_tlast),
      .s_axis_tid   (s_rx_axis_tid),
      .s_axis_tdest (s_rx_axis_tdest),
      .s_axis_tuser (s_rx_axis_tuser),
      .m_axis_tdata (m_rx_axis_tdata),
      .m_axis_tkeep (m_rx_axis_tkeep),
      .m_axis_tvalid(m_rx_axis_tvalid),
      .m_axis_tready(m_rx_axis_tready),
      .m_axis_tlast (m_rx_axis_tlast),
      .m_axis_tid   (m_rx_axis_tid),
      .m_axis_tdest (m_rx_axis_tdest),
      .m_axis_tuser (m_rx_axis_tuser)
  );
endmodule
