// SPDX-License-Identifier: MIT OR Apache-2.0
// One step of a walk over the headers of a frame: from the walk so far and the next four bytes to
// the walk after them. Part of wiresum_headers; all of it is combinational.
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
module wiresum_header_unit (
    input logic [ 7:0] unit,    // the number of the four bytes
    input logic [31:0] bytes,   // the first one on the wire in bits 31..24
    input logic        present, // the frame has all four

    input  logic [18:0] walk,
    input  logic [63:0] found,
    output logic [18:0] walk_behind,
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

  // What the walk is at. `done` is the top bit.
  typedef struct packed {
    logic       done;
    logic [2:0] kind;   // of the header in which the unit lies
    logic [3:0] index;  // of the unit in it, at most 15
    logic [9:0] left;   // the units of the header from this one on, where that is known
    logic       scan;   // in an IPv6 destination options header
  } walk_t;
  localparam logic [2:0] Addresses = 3'd0, EtherType = 3'd1, Ipv4 = 3'd2, Ipv6 = 3'd3,
      Extension = 3'd4, Upper = 3'd5;
  walk_t s, n;
  assign s = walk;
  assign walk_behind = n;
  headers_t f, g;
  assign f = found;
  assign found_behind = g;

  logic [7:0] b0, b1, b2, b3;
  logic [15:0] ethertype;
  logic tag, source_route, replaced, leave, four;
  logic [7:0] protocol;  // of what follows the header
  assign {b0, b1, b2, b3} = bytes;
  assign ethertype = {b2, b3};
  assign tag = ethertype == 16'h8100 || ethertype == 16'h88A8 || ethertype == 16'h9100;
  function automatic logic either(input logic [7:0] x, input logic [7:0] a, input logic [7:0] b);
    either = x == a || x == b;
  endfunction
  assign source_route = either(
      b0, 8'd131, 8'd137
  ) || either(
      b1, 8'd131, 8'd137
  ) || either(
      b2, 8'd131, 8'd137
  ) || either(
      b3, 8'd131, 8'd137
  );
  assign replaced = either(
      b2, 8'hC9, 8'h8B
  ) || either(
      b3, 8'hC9, 8'h8B
  ) || s.index != 0 && (either(
      b0, 8'hC9, 8'h8B
  ) || either(
      b1, 8'hC9, 8'h8B
  ));
  assign four = f.ipv4 || s.kind == Ipv4;

  always_comb begin
    n = s;
    g = f;
    leave = 1'b0;
    protocol = f.protocol;
    if (!s.done) begin
      if (s.index != 4'd15) n.index = s.index + 4'd1;
      n.left = s.left - 10'd1;
      if (!present) begin
        n.done = 1'b1;
        g.truncated = 1'b1;
      end else begin
        case (s.kind)
          Addresses: if (s.index == 4'd2) n.kind = EtherType;
          EtherType: begin
            n.index = 4'd0;
            if (tag && f.tags != 2'd2) g.tags = f.tags + 2'd1;
            else if (ethertype == 16'h0800) n.kind = Ipv4;
            else if (ethertype == 16'h86DD) n.kind = Ipv6;
            else begin
              n.done = 1'b1;
              g.unknown = 1'b1;
            end
          end
          Ipv4: begin
            if (s.index == 4'd0) begin
              g.words  = b0[3:0];
              g.length = {b2, b3};
              n.left   = {6'd0, b0[3:0]} - 10'd1;
              if (b0[7:4] != 4'd4 || b0[3:0] < 4'd5) begin
                n.done = 1'b1;
                g.malformed = 1'b1;
              end
            end
            if (s.index == 4'd1) g.fragment = {b2[5:0], b3} != 14'd0;
            if (s.index == 4'd2) g.protocol = b1;
            if (s.index >= 4'd5 && source_route) g.routed = 1'b1;
            if (s.index != 4'd0 && s.left == 10'd1) begin
              g.ipv4 = 1'b1;
              leave  = 1'b1;
            end
          end
          Ipv6: begin
            if (s.index == 4'd0 && b0[7:4] != 4'd6) begin
              n.done = 1'b1;
              g.malformed = 1'b1;
            end
            if (s.index == 4'd1) begin
              g.length   = {b0, b1};
              g.protocol = b2;
            end
            if (s.index == 4'd9) begin
              g.ipv6 = 1'b1;
              leave  = 1'b1;
            end
          end
          Extension: begin
            if (s.index == 4'd0) begin
              g.protocol = b0;
              n.scan = f.protocol == Options;
              n.left = {1'b0, b1, 1'b1};
              if (f.protocol == Authentication) n.left = {2'd0, b1} + 10'd1;
              if (f.protocol == Fragment) begin
                n.left = 10'd1;
                if ({b2, b3[7:3], b3[0]} != 14'd0) g.fragment = 1'b1;
              end
              if (f.protocol == Routing && b3 != 8'd0) g.routed = 1'b1;
            end
            if (replaced && (s.index == 4'd0 ? f.protocol == Options : s.scan)) g.routed = 1'b1;
            if (s.index != 4'd0 && s.left == 10'd1) leave = 1'b1;
          end
          default: begin
            if (f.protocol == Udp && s.index == 4'd1) begin
              n.done = 1'b1;
              g.udp_length = {b0, b1};
              g.udp_none = {b2, b3} == 16'd0;
            end
            if (f.protocol == Tcp && s.index == 4'd3) begin
              n.done = 1'b1;
              g.malformed = b0[7:4] < 4'd5;
            end
          end
        endcase
        if (leave) begin
          n.index = 4'd0;
          g.upper = unit + 8'd1;
          if (g.fragment) n.done = 1'b1;
          else if (protocol == Authentication || !four && (protocol == HopByHop && s.kind == Ipv6
              || protocol == Routing || protocol == Fragment || protocol == Options))
            n.kind = Extension;
          else if (protocol == Tcp || protocol == Udp) begin
            n.kind  = Upper;
            g.known = 1'b1;
          end else begin
            n.done = 1'b1;
            g.known = protocol == (four ? Icmp : Icmpv6);
            g.unknown = protocol != (four ? Icmp : Icmpv6);
          end
        end
      end
    end
  end
endmodule
