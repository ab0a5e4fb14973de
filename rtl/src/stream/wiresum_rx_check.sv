// SPDX-License-Identifier: MIT OR Apache-2.0
// Checks the checksums of each Ethernet frame of an AXI4-Stream that passes: the checksum of the
// IPv4 header, and the checksum of TCP, UDP, ICMP or ICMPv6 with its pseudo-header. With the
// verdicts comes the sum of all bytes after the Ethernet header, as CHECKSUM_COMPLETE of Linux
// needs it. Byte k of a beat, tdata[8k+7:8k], is the k-th on the wire; the frame is without its
// FCS.
//
// Each frame has one result, in order:
//   sum       of the bytes from number 14 to the frame's end
//   length    the frame's length in bytes, modulo 65536
//   network   number of the first byte of the IP header, 0 without one
//   upper     number of the first byte after the IP header and its extensions, 0 if not reached
//   protocol  what begins there; has a meaning if `upper` is not 0
//   ipv4      verdict on the IPv4 header: 0 none, 1 good, 2 bad
//   verdict   on the protocol's checksum: 0 none, 1 good, 2 bad, 3 UDP without one over IPv4
//   status    why there is no verdict; any of
//     bit 0  aborted    tuser of the frame's last beat; no verdicts
//     bit 1  sparse     a byte is null before the frame's last one; no verdicts, and the sum has
//                       each byte at the weight of its lane
//     bit 2  long       the frame has more than 65535 bytes
//     bit 3  truncated  the frame ends before its packet does
//     bit 4  fragment   the packet is a part of another one
//     bit 5  malformed  a version or a length contradicts the packet, or is 0
//     bit 6  unknown    no IP after up to two tags, or no protocol of those above
//     bit 7  deep       the headers reach past byte HEADER_BYTES - 3
//     bit 8  routed     The sum is not right, and an option may replace an address that it has.
//
// A UDP checksum of 0x0000 over IPv6 is bad (RFC 8200 section 8.1). wiresum_header_unit.sv says
// which headers are passed on the way.
//
// Timing: a beat a cycle, a frame a beat. 64 frames may be under way or wait, in addition to the
// two results at the output, or HEADER_BYTES / 2 if that is more and beats are wider than 64 bits;
// then s_axis_tready falls. A reset drops all; the next beat begins a frame.
//
// Shape: the frames wait in a buffer while their headers are read, so that the masks of the sums
// are there before the first beat. The buffer never fills: headers take less time than it holds.
module wiresum_rx_check #(
    parameter int DATA_WIDTH   = 64,              // 16, 32, 64, 128, 256, 512, 1024
    parameter int KEEP_WIDTH   = DATA_WIDTH / 8,
    parameter int HEADER_BYTES = 128              // a power of two, 64 to 512, at least a beat
) (
    input logic clk,
    input logic rst,  // synchronous, active high

    input  logic [DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic                  s_axis_tlast,
    input  logic                  s_axis_tuser,

    output logic        m_result_valid,
    input  logic        m_result_ready,
    output logic [15:0] m_result_sum,
    output logic [15:0] m_result_length,
    output logic [ 7:0] m_result_network,
    output logic [ 9:0] m_result_upper,
    output logic [ 7:0] m_result_protocol,
    output logic [ 1:0] m_result_ipv4,
    output logic [ 1:0] m_result_verdict,
    output logic [ 8:0] m_result_status
);
  localparam int LaneBits = $clog2(KEEP_WIDTH);
  localparam int BeatBits = 18 - LaneBits;
  // Wide beats are walked in HEADER_BYTES / 4 cycles.
  localparam int Frames = DATA_WIDTH > 64 && HEADER_BYTES > 128 ? HEADER_BYTES / 2 : 64;
  localparam int FrameAt = $clog2(Frames);
  // The headers' beats, and the longest time from their last one to the first beat's departure.
  localparam int Headers = HEADER_BYTES / KEEP_WIDTH;
  localparam int Beats = Headers > 32 ? 2 * Headers : Frames;
  localparam logic [7:0] Icmp = 8'd1, Tcp = 8'd6, Udp = 8'd17;

`ifndef __ICARUS__
  if (DATA_WIDTH < 16 || DATA_WIDTH > 1024 || DATA_WIDTH != 1 << $clog2(DATA_WIDTH)) begin : g_width
    $error("DATA_WIDTH is not a power of two from 16 to 1024");
  end
  if (KEEP_WIDTH != DATA_WIDTH / 8) begin : g_keep
    $error("KEEP_WIDTH is not DATA_WIDTH / 8");
  end
`endif

  // What is found in the headers. wiresum_header_unit has the same structure.
  typedef struct packed {
    logic        ipv4;        // a whole IPv4 header was there
    logic        ipv6;        // a whole IPv6 header was there
    logic [1:0]  tags;        // of 802.1Q and 802.1ad
    logic [3:0]  words;       // the length of the IPv4 header
    logic [15:0] length;      // of the IPv4 packet, or of the IPv6 payload
    logic [7:0]  protocol;    // of the payload
    logic [7:0]  upper;       // the unit after the headers
    logic        known;       // it begins TCP, UDP, ICMP or ICMPv6
    logic [15:0] udp_length;
    logic        udp_none;    // the UDP checksum is 0x0000
    logic        fragment;    // the packet is a part of another one
    logic        truncated;   // the frame ended within the headers
    logic        malformed;   // a field contradicts the packet
    logic        unknown;     // there is no IP, or another protocol in it
    logic        deep;        // the headers are longer than what is read
    logic        routed;      // the sender may have summed another address than the header's
  } headers_t;

  // The input: to the buffer and to the headers' walk.
  logic accept, room, place, headers_place, first;
  assign s_axis_tready = room && place && headers_place;
  assign accept = s_axis_tvalid && s_axis_tready;
  always_ff @(posedge clk)
    if (rst) first <= 1'b1;
    else if (accept) first <= s_axis_tlast;
  headers_t came;
  logic came_valid;
  wiresum_headers #(
      .DATA_WIDTH  (DATA_WIDTH),
      .HEADER_BYTES(HEADER_BYTES)
  ) walk_headers (
      .clk,
      .rst,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid(accept),
      .s_axis_tlast,
      .m_found_valid(came_valid),
      .m_found(came)
  );

  // The places in the frame, a carry chain a cycle: the headers, then the ends, then what is short.
  typedef struct packed {
    logic [7:0] network, header_end, addresses, addresses_end;
    logic [17:0] upper, packet_end, sum_end, upper_bytes;
    logic [15:0] pseudo;  // protocol and length of the pseudo-header
    logic malformed;
  } frame_t;
  localparam int FrameBits = 4 * 8 + 4 * 18 + 16 + 1 + 64;
  frame_t frame_1, frame_2, frame_3, frame_4, frame;
  headers_t headers_1, headers_2, headers_3, headers_4, headers;
  logic [ 4:1] step;
  logic [16:0] pseudo;
  assign pseudo = {1'b0, frame_3.upper_bytes[15:0]} + {9'd0, headers_3.protocol};
  always_ff @(posedge clk) begin
    step <= rst ? 4'd0 : {step[3:1], came_valid};
    {headers_4, headers_3, headers_2, headers_1} <= {headers_3, headers_2, headers_1, came};
    frame_1.network <= 8'd14 + {4'd0, came.tags, 2'd0};
    frame_1.header_end <= 8'd0;
    frame_1.addresses <= 8'd0;
    frame_1.addresses_end <= 8'd0;
    frame_1.upper <= {8'd0, came.upper, 2'd0} - 18'd2;
    frame_1.packet_end <= 18'd0;
    frame_1.sum_end <= 18'd0;
    frame_1.upper_bytes <= 18'd0;
    frame_1.pseudo <= 16'd0;
    frame_1.malformed <= came.malformed;
    frame_2 <= frame_1;
    frame_2.header_end <= frame_1.network + {2'd0, headers_1.words, 2'd0};
    frame_2.addresses <= frame_1.network + (headers_1.ipv6 ? 8'd8 : 8'd12);
    frame_2.addresses_end <= frame_1.network + (headers_1.ipv6 ? 8'd40 : 8'd20);
    frame_2.packet_end <= {10'd0, frame_1.network} + {2'd0, headers_1.length}
        + (headers_1.ipv6 ? 18'd40 : 18'd0);
    frame_2.sum_end <= frame_1.upper + {2'd0, headers_1.udp_length};
    frame_2.malformed <= frame_1.malformed || headers_1.length == 16'd0;
    frame_3 <= frame_2;
    frame_3.upper_bytes <= frame_2.packet_end - frame_2.upper;
    if (headers_2.protocol == Udp) begin
      frame_3.upper_bytes <= {2'd0, headers_2.udp_length};
      if (frame_2.sum_end > frame_2.packet_end || headers_2.udp_length < 16'd8)
        frame_3.malformed <= 1'b1;
    end else frame_3.sum_end <= frame_2.packet_end;
    frame_4 <= frame_3;
    frame_4.pseudo <= pseudo[15:0] + {15'd0, pseudo[16]};
    // Too few bytes for a header; or less than none.
    frame_4.malformed <= frame_3.malformed || frame_3.upper_bytes[17] || headers_3.known
        && frame_3.upper_bytes < (headers_3.protocol == Tcp ? 18'd20 : 18'd4);
  end
  logic frame_valid, frame_taken;
  wiresum_queue #(
      .WIDTH (FrameBits),
      .PLACES(Frames)
  ) frames (
      .clk,
      .rst,
      .reserve(accept && first),
      .ready(headers_place),
      .push(step[4]),
      .push_data({headers_4, frame_4}),
      .m_valid(frame_valid),
      .m_ready(frame_taken),
      .m_data({headers, frame})
  );

  // The next frame but one, as the queue's memory may be slow; and the next one, with its places
  // decoded.
  frame_t next, now;
  headers_t next_headers, now_headers;
  logic next_valid, next_taken, now_valid, now_taken;
  assign frame_taken = !next_valid || next_taken;
  assign next_taken  = !now_valid || now_taken;
  always_ff @(posedge clk) begin
    if (frame_taken) {next_headers, next} <= {headers, frame};
    if (next_taken) {now_headers, now} <= {next_headers, next};
    next_valid <= !rst && (frame_valid || next_valid && !next_taken);
    now_valid  <= !rst && (next_valid || now_valid && !now_taken);
  end
  logic [DATA_WIDTH-1:0] beat_data;
  logic [KEEP_WIDTH-1:0] beat_keep;
  logic beat_valid, beat_last, beat_user, unused_long;
  wiresum_frame_buffer #(
      .DATA_WIDTH(DATA_WIDTH),
      .BEATS(Beats),
      .LONG(0)
  ) buffer (
      .clk,
      .rst,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid(accept),
      .s_axis_tready(room),
      .s_axis_tlast,
      .s_axis_tuser,
      .s_note_valid (now_valid),
      .s_note_ready (now_taken),
      .m_axis_tdata (beat_data),
      .m_axis_tkeep (beat_keep),
      .m_axis_tvalid(beat_valid),
      .m_axis_tready(1'b1),
      .m_axis_tlast (beat_last),
      .m_axis_tuser (beat_user),
      .m_axis_long  (unused_long)
  );

  // The bytes of the IPv4 header, and the bytes of the upper protocol with the addresses.
  localparam int Places = 6;
  logic [Places*18-1:0] places;
  logic [Places*KEEP_WIDTH-1:0] masks;
  logic [KEEP_WIDTH-1:0] network_from, header_end_from, addresses_from, addresses_end_from;
  logic [KEEP_WIDTH-1:0] upper_from, sum_end_from, ipv4_keep, upper_keep;
  logic [BeatBits:0] next_index;
  logic beat_first;
  assign places = {
    next.sum_end,
    next.upper,
    {10'd0, next.addresses_end},
    {10'd0, next.addresses},
    {10'd0, next.header_end},
    {10'd0, next.network}
  };
  for (genvar i = 0; i < Places; i++) begin : g_place
    wiresum_place #(
        .KEEP_WIDTH(KEEP_WIDTH),
        .BITS(18)
    ) place_i (
        .clk,
        .load  (next_taken),
        .place (places[18*i+:18]),
        .accept(beat_valid),
        .first (beat_first),
        .next_index,
        .mask  (masks[KEEP_WIDTH*i+:KEEP_WIDTH])
    );
  end
  assign {sum_end_from, upper_from, addresses_end_from, addresses_from, header_end_from,
      network_from} = masks;
  assign ipv4_keep = network_from & ~header_end_from;
  assign upper_keep = upper_from & ~sum_end_from
      | (now_headers.protocol == Icmp ? '0 : addresses_from & ~addresses_end_from);
  always_ff @(posedge clk) begin
    if (rst || beat_valid && beat_last) next_index <= {{BeatBits{1'b0}}, 1'b1};
    else if (beat_valid) next_index <= {next_index[BeatBits], {BeatBits{1'b0}}} | next_index + 1'b1;
    if (rst) beat_first <= 1'b1;
    else if (beat_valid) beat_first <= beat_last;
  end

  // The sums. All three results of a frame come in the same cycle.
  logic [DATA_WIDTH-1:0] data;
  logic [KEEP_WIDTH-1:0] keep, keep_ipv4, keep_upper;
  logic valid, last, user;
  logic sums_valid, unused_ready, unused_valid;
  logic [1:0] unused_readies;
  logic [18:0] unused_ipv4, unused_upper;
  logic [15:0] sum, length, ipv4_sum, upper_sum;
  logic [2:0] status;
  always_ff @(posedge clk) begin
    valid <= beat_valid && !rst;
    last <= beat_last;
    user <= beat_user;
    data <= beat_data;
    keep <= beat_keep;
    keep_ipv4 <= beat_keep & ipv4_keep;
    keep_upper <= beat_keep & upper_keep;
  end
  wiresum_sum_stream #(
      .DATA_WIDTH(DATA_WIDTH)
  ) sum_all (
      .clk,
      .rst,
      .s_axis_tdata(data),
      .s_axis_tkeep(keep),
      .s_axis_tvalid(valid),
      .s_axis_tready(unused_ready),
      .s_axis_tlast(last),
      .s_axis_tuser({16'd14, 16'd0, user}),
      .m_result_valid(sums_valid),
      .m_result_ready(1'b1),
      .m_result_sum(sum),
      .m_result_length(length),
      .m_result_status(status)
  );
  wiresum_sum_stream #(
      .DATA_WIDTH(DATA_WIDTH),
      .SUM_ONLY  (1)
  ) sum_ipv4 (
      .clk,
      .rst,
      .s_axis_tdata(data),
      .s_axis_tkeep(keep_ipv4),
      .s_axis_tvalid(valid),
      .s_axis_tready(unused_readies[0]),
      .s_axis_tlast(last),
      .s_axis_tuser(33'd0),
      .m_result_valid(unused_valid),
      .m_result_ready(1'b1),
      .m_result_sum(ipv4_sum),
      .m_result_length(unused_ipv4[18:3]),
      .m_result_status(unused_ipv4[2:0])
  );
  logic unused_valid_too;
  wiresum_sum_stream #(
      .DATA_WIDTH(DATA_WIDTH),
      .SUM_ONLY  (1)
  ) sum_upper (
      .clk,
      .rst,
      .s_axis_tdata(data),
      .s_axis_tkeep(keep_upper),
      .s_axis_tvalid(valid),
      .s_axis_tready(unused_readies[1]),
      .s_axis_tlast(last),
      .s_axis_tuser(33'd0),
      .m_result_valid(unused_valid_too),
      .m_result_ready(1'b1),
      .m_result_sum(upper_sum),
      .m_result_length(unused_upper[18:3]),
      .m_result_status(unused_upper[2:0])
  );

  // What is known of a frame waits for its sums: Sums cycles from the last beat. It is read two
  // cycles before they come, as the memory may be slow.
  localparam int Sums = $clog2(DATA_WIDTH / 16) + 4;
  (* no_rw_check *)
  // a frame's place is written cycles before it is read
  logic [FrameBits-1:0] infos[Frames];
  logic [FrameBits-1:0] info_read;
  logic [FrameAt-1:0] info_at, sum_at;
  logic [Sums-3:0] coming;  // the last beat, by the cycles since it came
  frame_t info, info_1, info_2;
  headers_t info_headers, info_headers_1, info_headers_2, info_headers_3;
  logic malformed_3, behind_3;
  logic [7:0] network_3;
  logic [9:0] upper_3;
  always_ff @(posedge clk) begin
    coming <= rst ? '0 : {coming[Sums-4:0], valid && last};
    if (now_taken) infos[info_at] <= {now_headers, now};
    info_read <= infos[sum_at];
    {info_headers, info} <= info_read;
    if (rst) begin
      info_at <= '0;
      sum_at  <= '0;
    end else begin
      if (now_taken) info_at <= info_at + 1'b1;
      if (coming[Sums-3]) sum_at <= sum_at + 1'b1;
    end
  end

  // The verdicts.
  logic [3:1] judge;
  logic [15:0] sum_1, sum_2, sum_3, length_1, length_2, length_3, upper_2;
  logic [2:0] status_1, status_2, status_3;
  logic [16:0] upper_1;
  logic ipv4_right_1, ipv4_right_2, ipv4_right_3, right_3;
  logic header_whole_2, header_whole_3, packet_whole_2, packet_whole_3;
  always_ff @(posedge clk) begin
    judge <= rst ? 3'd0 : {judge[2:1], sums_valid};
    {info_headers_1, info_1, sum_1, length_1, status_1} <= {
      info_headers, info, sum, length, status
    };
    {info_headers_2, sum_2, length_2, status_2} <= {info_headers_1, sum_1, length_1, status_1};
    {info_headers_3, sum_3, length_3, status_3} <= {info_headers_2, sum_2, length_2, status_2};
    info_2 <= info_1;
    {malformed_3, network_3, upper_3} <= {info_2.malformed, info_2.network, info_2.upper[9:0]};
    behind_3 <= info_2.packet_end < info_2.upper;
    ipv4_right_1 <= ipv4_sum == 16'hFFFF;
    ipv4_right_2 <= ipv4_right_1;
    ipv4_right_3 <= ipv4_right_2;
    upper_1 <= {1'b0, upper_sum} + (info_headers.protocol == Icmp ? 17'd0 : {1'b0, info.pseudo});
    upper_2 <= upper_1[15:0] + {15'd0, upper_1[16]};
    right_3 <= upper_2 == 16'hFFFF;
    header_whole_2 <= info_headers_1.ipv4;
    header_whole_3 <= header_whole_2;
    packet_whole_2 <= status_1[2] || {2'd0, length_1} >= info_1.packet_end;
    packet_whole_3 <= packet_whole_2;
  end
  logic ip, reached, usable, truncated, contradicts, malformed, judged, none, unsure;
  assign ip = info_headers_3.ipv4 || info_headers_3.ipv6;
  assign reached = info_headers_3.known || info_headers_3.fragment || info_headers_3.unknown && ip;
  assign usable = status_3[1:0] == 2'd0;
  // A header that is cut short by the frame's end, although the packet is there, is malformed.
  assign truncated = ip ? !packet_whole_3 : info_headers_3.truncated;
  assign contradicts = malformed_3 && info_headers_3.known && !info_headers_3.truncated
      && !info_headers_3.deep;
  assign malformed = info_headers_3.malformed
      || ip && (contradicts || behind_3 || info_headers_3.truncated && packet_whole_3);
  assign judged = usable && info_headers_3.known && !info_headers_3.truncated && !truncated
      && !malformed && !info_headers_3.deep && ip;
  logic unused_info, result_valid, result_ready;
  logic [70:0] result;
  assign unused_info = ^{info_headers_3, info_2};
  assign none = info_headers_3.protocol == Udp && info_headers_3.udp_none;
  assign unsure = judged && !right_3 && !none && info_headers_3.routed;
  wiresum_queue #(
      .WIDTH (71),
      .PLACES(Frames)
  ) results (
      .clk,
      .rst,
      .reserve(accept && s_axis_tlast),
      .ready(place),
      .push(judge[3]),
      .push_data({
        sum_3,
        length_3,
        ip ? network_3 : 8'd0,
        reached && ip ? upper_3 : 10'd0,
        info_headers_3.protocol,
        !usable || !header_whole_3 ? 2'd0 : ipv4_right_3 ? 2'd1 : 2'd2,
        !judged || unsure ? 2'd0 : none ? {1'b1, info_headers_3.ipv4} : right_3 ? 2'd1 : 2'd2,
        unsure,
        info_headers_3.deep,
        info_headers_3.unknown,
        malformed,
        info_headers_3.fragment,
        truncated,
        status_3[2],
        status_3[1:0]
      }),
      .m_valid(result_valid),
      .m_ready(result_ready),
      .m_data(result)
  );
  assign result_ready = !m_result_valid || m_result_ready;
  always_ff @(posedge clk) begin
    if (result_ready)
      {m_result_sum, m_result_length, m_result_network, m_result_upper, m_result_protocol,
          m_result_ipv4, m_result_verdict, m_result_status} <= result;
    m_result_valid <= !rst && (result_valid || m_result_valid && !m_result_ready);
  end
endmodule
