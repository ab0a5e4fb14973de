// SPDX-License-Identifier: MIT OR Apache-2.0
// One step of a walk over the headers of a frame: from the walk so far and the next four bytes to
// the walk after them. Part of wiresum_headers. The bytes come a cycle before the step.
//
// Unit u is the bytes 4u - 2 to 4u + 1 of the frame, so a network header begins with a unit, after
// any number of tags.
//
// The walk passes tags (802.1Q, 802.1ad, 0x9100), IPv4 options (RFC 791), and the IPv6 extension
// headers hop-by-hop, routing, fragment, destination options (RFC 8200) and authentication (RFC
// 4302), the last over IPv4, too. Hop-by-hop options may only be the first ones. It ends at
// TCP, UDP, ICMP and ICMPv6.
//
// `routed`: a source route of IPv4 (RFC 791), a routing header with segments left, a Home Address
// option (RFC 6275) or an ILNP Nonce option (RFC 6744) can replace an address of the pseudo-header.
// Options are not parsed: a byte of them that has the number of such an option is enough.
//
// Shape: what the bytes mean is a register, and the kinds of headers are a bit each. So a step is
// two look-up tables, and one cycle of a narrow stream has time for two steps.
module wiresum_header_unit (
    input logic clk,

    input logic [31:0] next_bytes,  // the next cycle's, the first on the wire in bits 31..24
    input logic next_present,  // the frame has all four

    input  logic [ 7:0] unit,         // the number of the four bytes of this cycle
    input  logic [35:0] walk,
    input  logic [63:0] found,
    output logic [35:0] walk_behind,
    output logic [63:0] found_behind
);
  localparam logic [7:0] HopByHop = 8'd0, Icmp = 8'd1, Tcp = 8'd6, Udp = 8'd17, Routing = 8'd43,
      Fragment = 8'd44, Authentication = 8'd51, Icmpv6 = 8'd58, Options = 8'd60;
  // What is found in a frame. wiresum_rx_check has the same structure.
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

  // What the walk is at. Of the headers' kinds one is set, unless the walk is done. wiresum_headers
  // knows the top bit and the three lowest ones.
  typedef struct packed {
    logic done;
    logic [9:0] left;  // units of the header from this one on, where that is known
    logic left_is_3;  // these three are 0 in the header's first unit
    logic left_is_2;
    logic ends;  // this unit is the header's last one
    logic second;  // of the header's units
    logic third;
    logic fourth;
    logic fifth;
    logic options;  // the sixth unit, or a later one
    logic four;  // the packet is IPv4
    logic scan;  // in an IPv6 destination options header
    logic is_auth;  // what follows the header; in the first unit of an extension: what it is
    logic is_routing;
    logic is_fragment;
    logic is_options;
    logic is_tcp;
    logic is_udp;
    logic to_extension;  // where the walk goes after the header; else it is done
    logic to_known;  // it is a protocol with a checksum
    logic ipv4;  // the kinds
    logic ipv6;
    logic extension;
    logic upper;
    logic ethertype;
    logic addresses;
    logic first;
  } walk_t;
  walk_t s, n;
  assign s = walk;
  assign walk_behind = n;
  headers_t f, g;
  assign f = found;
  assign found_behind = g;

  // What the bytes may mean.
  typedef struct packed {logic auth, routing, fragment, options, tcp, udp;} protocol_t;
  function automatic logic [5:0] protocol(input logic [7:0] x);
    protocol = {x == Authentication, x == Routing, x == Fragment, x == Options, x == Tcp, x == Udp};
  endfunction
  function automatic logic either(input logic [7:0] x, input logic [7:0] a, input logic [7:0] b);
    either = x == a || x == b;
  endfunction
  logic [7:0] n0, n1, n2, n3, b0, b1, b2, b3;
  logic present, tag, type_ipv4, type_ipv6, not_ipv4, not_ipv6, low_offset;
  logic part_ipv4, part_ipv6, segments, source_route, replaced_early, replaced_late;
  logic none, one, two;  // what b1 is
  logic [9:0] words, auth_left;
  protocol_t p0, p1, p2;  // what b0, b1 and b2 are
  logic icmp_0, icmpv6_0, icmp_1, icmpv6_2, hop_2;
  assign {n0, n1, n2, n3} = next_bytes;
  always_ff @(posedge clk) begin
    {b0, b1, b2, b3} <= next_bytes;
    present <= next_present;
    tag <= {n2, n3} == 16'h8100 || {n2, n3} == 16'h88A8 || {n2, n3} == 16'h9100;
    type_ipv4 <= {n2, n3} == 16'h0800;
    type_ipv6 <= {n2, n3} == 16'h86DD;
    not_ipv4 <= n0[7:4] != 4'd4 || n0[3:0] < 4'd5;
    not_ipv6 <= n0[7:4] != 4'd6;
    part_ipv4 <= {n2[5:0], n3} != 14'd0;
    part_ipv6 <= {n2, n3[7:3], n3[0]} != 14'd0;
    segments <= n3 != 8'd0;
    source_route <= either(
        n0, 8'd131, 8'd137
    ) || either(
        n1, 8'd131, 8'd137
    ) || either(
        n2, 8'd131, 8'd137
    ) || either(
        n3, 8'd131, 8'd137
    );
    replaced_early <= either(n0, 8'hC9, 8'h8B) || either(n1, 8'hC9, 8'h8B);
    replaced_late <= either(n2, 8'hC9, 8'h8B) || either(n3, 8'hC9, 8'h8B);
    low_offset <= n0[7:4] < 4'd5;
    none <= n1 == 8'd0;
    one <= n1 == 8'd1;
    two <= n1 == 8'd2;
    words <= {6'd0, n0[3:0]} - 10'd1;
    auth_left <= {2'd0, n1} + 10'd1;
    p0 <= protocol(n0);
    p1 <= protocol(n1);
    p2 <= protocol(n2);
    icmp_0 <= n0 == Icmp;
    icmpv6_0 <= n0 == Icmpv6;
    icmp_1 <= n1 == Icmp;
    icmpv6_2 <= n2 == Icmpv6;
    hop_2 <= n2 == HopByHop;
  end

  logic is_tag, broken, part, leave, finished, lost;
  logic take_ipv4, take_ipv6, take_extension;  // the unit has the number of what follows
  assign is_tag = tag && f.tags != 2'd2;
  assign broken = s.first && (s.ipv4 && not_ipv4 || s.ipv6 && not_ipv6);
  assign part = s.ipv4 && s.second && part_ipv4
      || s.extension && s.first && s.is_fragment && part_ipv6;
  assign leave = present && s.ends;
  assign finished = s.upper && (s.is_udp && s.second || s.is_tcp && s.fourth);
  assign lost = s.ethertype && !is_tag && !type_ipv4 && !type_ipv6;
  assign take_ipv4 = s.ipv4 && s.third;
  assign take_ipv6 = s.ipv6 && s.second;
  assign take_extension = s.extension && s.first;
  always_comb begin
    n = s;
    n.done = s.done || !present || lost || broken || finished
        || s.ends && !s.to_extension && !s.is_tcp && !s.is_udp || s.ends && f.fragment;
    n.addresses = present && s.addresses && !s.third;
    n.ethertype = present && (s.addresses && s.third || s.ethertype && is_tag);
    n.ipv4 = present && (s.ethertype && type_ipv4 || s.ipv4 && !s.ends && !(s.first && not_ipv4));
    n.ipv6 = present && (s.ethertype && type_ipv6 || s.ipv6 && !s.ends && !(s.first && not_ipv6));
    n.extension = present && (s.extension && !s.ends || s.ends && s.to_extension && !f.fragment);
    n.upper = present && (s.ends && (s.is_tcp || s.is_udp) && !f.fragment || s.upper && !finished);
    n.first = s.ends || s.ethertype || s.addresses && s.third;
    n.second = s.first && !s.ethertype;
    n.third = s.second && !s.ends;
    n.fourth = s.third && !s.ends && !s.addresses;
    n.fifth = s.fourth && !s.ends;
    n.options = (s.fifth || s.options) && !s.ends;
    n.four = s.four || s.ethertype && type_ipv4;

    n.left = s.left - 10'd1;
    n.left_is_3 = !s.done && !s.ends && !s.first && s.left == 10'd4;
    n.left_is_2 = !s.done && !s.ends && s.left_is_3;
    n.ends = present && !s.done && !s.ends && s.left_is_2;
    if (s.first) begin
      if (s.ipv4) n.left = words;
      else if (s.ipv6) n.left = 10'd9;
      else if (s.is_fragment) n.left = 10'd1;
      else if (s.is_auth) n.left = auth_left;
      else n.left = {1'b0, b1, 1'b1};
      if (s.extension && !s.is_fragment) begin
        n.left_is_3 = s.is_auth ? two : one;
        n.left_is_2 = s.is_auth && one;
      end
      n.ends = present && s.extension && (s.is_fragment || none);
    end

    if (take_extension) begin
      n.scan = s.is_options;
      {n.is_auth, n.is_routing, n.is_fragment, n.is_options, n.is_tcp, n.is_udp} = p0;
      n.to_extension = p0.auth || !s.four && (p0.routing || p0.fragment || p0.options);
      n.to_known = p0.tcp || p0.udp || (s.four ? icmp_0 : icmpv6_0);
    end
    if (take_ipv4) begin
      {n.is_auth, n.is_routing, n.is_fragment, n.is_options, n.is_tcp, n.is_udp} = p1;
      n.to_extension = p1.auth;
      n.to_known = p1.tcp || p1.udp || icmp_1;
    end
    if (take_ipv6) begin
      {n.is_auth, n.is_routing, n.is_fragment, n.is_options, n.is_tcp, n.is_udp} = p2;
      n.to_extension = p2.auth || p2.routing || p2.fragment || p2.options || hop_2;
      n.to_known = p2.tcp || p2.udp || icmpv6_2;
    end

    g = f;
    if (!present) begin
      if (!s.done) g.truncated = 1'b1;
    end else begin
      if (s.ethertype && is_tag) g.tags = f.tags + 2'd1;
      if (lost) g.unknown = 1'b1;
      if (broken) g.malformed = 1'b1;
      if (part) g.fragment = 1'b1;
      if (s.first && s.ipv4) begin
        g.words  = b0[3:0];
        g.length = {b2, b3};
      end
      if (take_extension) g.protocol = b0;
      if (take_ipv4) g.protocol = b1;
      if (take_ipv6) begin
        g.protocol = b2;
        g.length   = {b0, b1};
      end
      if (s.ipv4 && s.options && source_route
          || s.extension && s.first && (s.is_routing && segments || s.is_options && replaced_late)
          || s.extension && !s.first && s.scan && (replaced_early || replaced_late))
        g.routed = 1'b1;
      if (s.upper && s.is_udp && s.second) begin
        g.udp_length = {b0, b1};
        g.udp_none   = {b2, b3} == 16'd0;
      end
      if (s.upper && s.is_tcp && s.fourth) g.malformed = low_offset;
    end
    if (leave) begin
      g.upper = unit + 8'd1;
      if (s.ipv4) g.ipv4 = 1'b1;
      if (s.ipv6) g.ipv6 = 1'b1;
      if (!f.fragment) begin
        g.known   = s.to_known;
        g.unknown = !s.to_known && !s.to_extension;
      end
    end
  end
endmodule
