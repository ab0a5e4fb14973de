// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk: where a frame's checksum fields are, outermost first, and what each covers. It never sums.
//!
//! Each protocol is one function that takes the area of the frame that is its own, reports its field, and hands what is left of the
//! area to the next; a tunnel hands it to a network layer again. An area reaches as far as the packet did on the wire, which may be
//! further than was captured: so a snapped packet is told from one that is damaged.

mod ayiya;
mod dccp;
mod eigrp;
mod ethernet;
mod fragment;
mod frame_relay;
mod geneve;
mod gre;
mod gtp;
mod hip;
mod icmp;
mod igmp;
mod ipv4;
mod ipv6;
mod l2tp;
mod link;
mod lisp;
mod llc;
mod mobility;
mod mpls;
mod nflog;
mod ospf;
mod pgm;
mod pim;
mod ppp;
mod rsvp;
mod sctp;
mod shim6;
mod tcp;
mod teredo;
mod transport;
mod tunnel;
mod udp;
mod udplite;
mod vrrp;
mod vxlan;
mod wlan;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use crate::{Frame, LinkType, Protocol};
pub use fragment::{DatagramId, Fragment};

/// How many network headers are entered, one within another, and how many link layers.
const MAX_LAYERS: u8 = 32;

/// A checksum field of a frame. All offsets count from the first byte of the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// Whose checksum it is.
    pub protocol: Protocol,
    /// Within which network header it is, or whose own: 1 for the outermost, one more for each that is tunnelled in it.
    pub layer: u8,
    /// Whether it is of a packet that an ICMP or ICMPv6 error quotes: a copy of what some router got, which says nothing of this packet.
    pub quoted: bool,
    /// Where its first byte is. In a snapped frame it may lie beyond what was captured.
    pub offset: usize,
    /// How it is computed, and with that how many bytes it has.
    pub algorithm: Algorithm,
    /// What the sum covers beside the pseudo-header: the field itself is in it.
    pub covers: Range<usize>,
    /// What the sum leaves out of that: the authentication of OSPF (RFC 2328 section D.4). It begins and ends at an even offset of it.
    pub hole: Option<Range<usize>>,
    /// What else the sum covers, if anything.
    pub pseudo: Option<Pseudo>,
    /// Another way to compute it that receivers accept.
    pub also: Option<Also>,
    /// What it means if it holds 0.
    pub zero: Zero,
    /// Why it cannot be judged, if it cannot.
    pub unverified: Option<Reason>,
    /// Where that network header is, the options of IPv4 with it and the extension headers of IPv6 without. A datagram that was put together
    /// from fragments has none: it is in each fragment.
    pub network: Option<Range<usize>>,
    /// The addresses of the network header.
    pub addresses: Addresses,
    /// Source and destination port, where the protocol has them and they were captured.
    pub ports: Option<(u16, u16)>,
}

impl Field {
    /// The bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> Range<usize> {
        self.offset..self.offset + self.algorithm.width()
    }
}

/// How a checksum is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// The Internet checksum (RFC 1071).
    Internet,
    /// The CRC32c of SCTP (RFC 9260 appendix A), with 0 in its own field.
    Crc32c,
}

impl Algorithm {
    /// Returns how many bytes its checksums have: 2 or 4.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Algorithm::Internet => 2,
            Algorithm::Crc32c => 4,
        }
    }
}

/// A second way to compute a checksum, which receivers accept as well because some senders compute it so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Also {
    /// Over more than it should cover: up to this offset (PIM Register, RFC 7761 section 4.9).
    UpTo(usize),
    /// Without the pseudo-header.
    WithoutPseudo,
}

/// What it means that a checksum field holds 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zero {
    /// A checksum like any other.
    Checksum,
    /// None was computed, and none need be: UDP over IPv4 (RFC 768), and over IPv6 in tunnels (RFC 6935). A computed 0 is sent as 0xFFFF.
    Absent,
    /// None was computed, but one has to be: UDP over IPv6 (RFC 8200 section 8.1). A computed 0 is sent as 0xFFFF.
    Illegal,
}

/// The source and destination of a network header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Addresses {
    V4 {
        source: Ipv4Addr,
        destination: Ipv4Addr,
    },
    V6 {
        source: Ipv6Addr,
        destination: Ipv6Addr,
    },
}

impl Addresses {
    /// Returns the source.
    #[must_use]
    pub const fn source(self) -> IpAddr {
        match self {
            Addresses::V4 { source, .. } => IpAddr::V4(source),
            Addresses::V6 { source, .. } => IpAddr::V6(source),
        }
    }

    /// Returns the destination.
    #[must_use]
    pub const fn destination(self) -> IpAddr {
        match self {
            Addresses::V4 { destination, .. } => IpAddr::V4(destination),
            Addresses::V6 { destination, .. } => IpAddr::V6(destination),
        }
    }
}

/// A pseudo-header: what a transport protocol sums beside its own bytes (RFC 9293 section 3.1, RFC 768, RFC 8200 section 8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pseudo {
    /// The source, and the final destination, which with a source route is not that of the network header.
    pub addresses: Addresses,
    /// The protocol number.
    pub protocol: u8,
    /// The length of header and payload.
    pub len: u32,
}

/// What the walk meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<'a> {
    /// A checksum field.
    Field(&'a Field),
    /// A fragment of a datagram: what it carries is walked once the datagram is whole ([`Reassembly`](crate::Reassembly)), or by
    /// [`Fragment::walk`]. Nothing is found behind it.
    Fragment(Fragment),
    /// Something that keeps the walk from finding the fields behind it.
    Obstacle(Obstacle),
    /// A header that contradicts itself, and how. The walk ends there.
    Malformed(&'static str),
}

/// Why a checksum cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// Not all that it covers was captured.
    Snapped,
    /// It covers a datagram of which this frame holds a fragment.
    Fragment,
    /// It covers a packet of which an ICMP error quotes only the beginning.
    Quote,
    /// The length or checksum coverage in its header goes past the end of the packet, or is one that it cannot have.
    Length,
}

impl Reason {
    /// Returns its name in every output. It never changes.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Reason::Snapped => "snapped",
            Reason::Fragment => "fragment",
            Reason::Quote => "quote",
            Reason::Length => "length",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

/// What keeps the walk from finding further fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Obstacle {
    /// A link type that is not known here.
    LinkType(LinkType),
    /// A header that was not captured.
    Snapped,
    /// A header that another fragment holds.
    Fragment,
    /// More network headers in one another, or more link layers, than anything real has.
    Nested,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::LinkType(link_type) => link_type.fmt(f),
            Obstacle::Snapped => f.write_str("snapped"),
            Obstacle::Fragment => f.write_str("fragment"),
            Obstacle::Nested => write!(f, "more than {MAX_LAYERS} layers"),
        }
    }
}

/// Calls `found` with each thing that the walk meets in a frame, outermost first.
pub fn walk(frame: &Frame<'_>, found: impl FnMut(Found<'_>)) {
    let mut walk = Walk {
        data: frame.data,
        layer: 0,
        links: 0,
        partial: None,
        quoted: false,
        network: None,
        found,
    };
    link::frame(&mut walk, frame.link_type, 0..frame.original_len);
}

/// The part of a frame that belongs to one protocol, as long as it was on the wire.
type Area = Range<usize>;

struct Walk<'a, F> {
    /// What was captured.
    data: &'a [u8],
    /// How many network headers have been entered.
    layer: u8,
    /// How many link layers and tunnels have been entered behind the first.
    links: u8,
    /// Why what is walked is not all there, if it is a part of something that goes on elsewhere.
    partial: Option<Reason>,
    /// Whether what is walked is quoted by an error message.
    quoted: bool,
    /// The network header entered last.
    network: Option<Area>,
    found: F,
}

impl<'a, F: FnMut(Found<'_>)> Walk<'a, F> {
    fn field(&mut self, field: &Field) {
        (self.found)(Found::Field(field));
    }

    fn malformed(&mut self, how: &'static str) {
        if !self.quoted {
            (self.found)(Found::Malformed(how));
        }
    }

    fn obstacle(&mut self, obstacle: Obstacle) {
        if !self.quoted {
            (self.found)(Found::Obstacle(obstacle));
        }
    }

    /// Enters a link layer behind another. False if there are more than anything real has.
    fn enter_link(&mut self) -> bool {
        if self.links == MAX_LAYERS {
            self.obstacle(Obstacle::Nested);
            return false;
        }
        self.links += 1;
        true
    }

    /// Enters a network header. If its packet is in the frame as a whole, it does not matter what that is a fragment of.
    fn enter(&mut self, header: Area, whole: bool) {
        self.layer += 1;
        self.network = Some(header);
        if whole {
            self.partial = None;
        }
    }

    /// An area has not the room that its protocol needs: it is malformed, unless the rest is in another fragment.
    fn short(&mut self, how: &'static str) {
        match self.partial {
            Some(_) => self.obstacle(Obstacle::Fragment),
            None => self.malformed(how),
        }
    }

    /// The first N bytes of an area. Where it is shorter than that, it is malformed, as the caller says; where they were not captured,
    /// the walk ends too.
    fn header<const N: usize>(&mut self, area: &Area, short: &'static str) -> Option<&'a [u8; N]> {
        if area.len() < N {
            self.short(short);
            return None;
        }
        let header = self.peek(area.start);
        if header.is_none() {
            self.obstacle(Obstacle::Snapped);
        }
        header
    }

    /// N bytes at an offset, if they were captured.
    fn peek<const N: usize>(&self, offset: usize) -> Option<&'a [u8; N]> {
        self.data.get(offset..)?.first_chunk()
    }

    /// Why a sum over this area cannot be computed, if it cannot.
    fn snapped(&self, area: &Area) -> Option<Reason> {
        (area.end > self.data.len()).then_some(Reason::Snapped)
    }
}

fn be16(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}
