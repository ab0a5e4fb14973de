// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk finds the checksum fields of a frame, outermost first, and the bytes that each one
//! covers. It never sums.
//!
//! Each protocol is one function. The function takes the area of the frame that belongs to the
//! protocol, reports the protocol's field, and hands the rest of the area to the next protocol. A
//! tunnel hands the rest to a network layer again. An area is as long as the packet was on the
//! wire, which may be longer than the captured bytes: this distinguishes a snapped packet from a
//! damaged one.

mod ayiya;
mod capwap;
mod cdp;
mod dccp;
mod eigrp;
pub(crate) mod ethernet;
mod fragment;
mod frame_relay;
mod geneve;
mod gre;
mod gtp;
mod hip;
pub(crate) mod icmp;
mod igmp;
pub(crate) mod ipv4;
pub(crate) mod ipv6;
mod l2tp;
mod link;
mod lisp;
pub(crate) mod llc;
mod mobility;
mod mpls;
mod nflog;
mod nhrp;
pub(crate) mod openflow;
mod osi;
mod ospf;
mod pgm;
mod pim;
mod ppp;
mod rsvp;
mod sctp;
mod sflow;
mod shim6;
mod tcp;
mod teredo;
pub(crate) mod transport;
pub(crate) mod tunnel;
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

/// The maximum number of network headers within one another, and of link layers.
const MAX_LAYERS: u8 = 32;

/// Returns whether the walk may find more after the header of TCP, UDP, ICMP or ICMPv6, by one of
/// its ports or by the type of the message. After other protocols it always may.
#[must_use]
pub fn may_enter(protocol: u8, number: u16) -> bool {
    let of_message = |holds_more: fn(u8) -> bool| u8::try_from(number).is_ok_and(holds_more);
    match protocol {
        transport::TCP => openflow::has_port((number, number)),
        transport::UDP => tunnel::has_port((number, number)),
        transport::ICMP => of_message(icmp::holds_more_v4),
        transport::ICMPV6 => of_message(icmp::holds_more_v6),
        _ => true,
    }
}

/// A checksum field of a frame. All offsets count from the first byte of the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// The protocol of the checksum.
    pub protocol: Protocol,
    /// The number of network headers around the field, its own included: 1 for the outermost
    /// packet, one more for each packet that is tunneled in it. It is 0 for a protocol of the link
    /// layer, such as CDP.
    pub layer: u8,
    /// Whether the field belongs to a copy of another packet: one that an ICMP or ICMPv6 error
    /// quotes, a sample of sFlow, or one that OpenFlow carries. Its checksums say nothing about the
    /// packet that carries the copy.
    pub quoted: bool,
    /// The offset of the first byte of the field. In a snapped frame it may lie after the captured
    /// bytes.
    pub offset: usize,
    /// The algorithm of the checksum, which also gives the width of the field.
    pub algorithm: Algorithm,
    /// The bytes that the sum covers, including the field itself, without the pseudo-header.
    pub covers: Range<usize>,
    /// The bytes within `covers` that the sum leaves out: the authentication of OSPF (RFC 2328
    /// section D.4). They begin and end at an even offset of `covers`.
    pub hole: Option<Range<usize>>,
    /// The pseudo-header that the sum covers as well, if the protocol has one.
    pub pseudo: Option<Pseudo>,
    /// A second way to compute the checksum, if receivers accept one.
    pub also: Option<Also>,
    /// The meaning of the value 0.
    pub zero: Zero,
    /// The reason why the field cannot be judged, if there is one. With [`Reason::Addresses`] a
    /// right sum is good, and a wrong one says nothing.
    pub unverified: Option<Reason>,
    /// Whether a digest or a signature in the packet covers the field itself. A repair of the
    /// checksum would spoil it.
    pub authenticated: bool,
    /// The area of the network header around the field: with the options of IPv4, without the
    /// extension headers of IPv6. `None` in a reassembled datagram, because each fragment has a
    /// network header of its own.
    pub network: Option<Range<usize>>,
    /// The addresses of the network header; `None` if there is no network header around the field.
    pub addresses: Option<Addresses>,
    /// Source and destination port, if the protocol has ports and they were captured.
    pub ports: Option<(u16, u16)>,
    /// The name of the tunnel that carries the network header around the field, such as GRE, VXLAN
    /// or GTP-U. `None` if that header is in no tunnel, or follows another one without a header
    /// between.
    pub tunnel: Option<&'static str>,
}

impl Field {
    /// Returns the bytes of the field itself.
    #[must_use]
    pub fn bytes(&self) -> Range<usize> {
        self.offset..self.offset + self.algorithm.width()
    }

    /// Returns the field as the second way to compute its checksum sees it, if there is one.
    #[must_use]
    pub fn otherwise(&self) -> Option<Field> {
        let also = self.also?;
        let mut other = self.clone();
        other.also = None;
        match also {
            Also::UpTo(end) => {
                other.covers.end = end;
                if let Some(pseudo) = &mut other.pseudo {
                    pseudo.len = other.covers.len() as u32;
                }
            }
            Also::WithoutPseudo => other.pseudo = None,
        }
        Some(other)
    }
}

/// The algorithm of a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// The Internet checksum (RFC 1071).
    Internet,
    /// The CRC32c of SCTP (RFC 9260 appendix A), with its own field taken as 0.
    Crc32c,
    /// The Internet checksum as Cisco computes it for CDP: a last byte alone is added as a signed
    /// number, where RFC 1071 takes it for the first byte of a word.
    Cisco,
    /// The checksum of Fletcher in the form of ISO 8473 (RFC 905 annex B): two bytes that bring two
    /// sums modulo 255 to 0. A byte of 0 is sent as 255.
    Fletcher,
}

impl Algorithm {
    /// Returns the width of the checksum in bytes: 2 or 4.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Algorithm::Internet | Algorithm::Cisco | Algorithm::Fletcher => 2,
            Algorithm::Crc32c => 4,
        }
    }

    /// Returns whether the checksum is the complement of a one's complement sum.
    #[must_use]
    pub const fn is_sum(self) -> bool {
        matches!(self, Algorithm::Internet | Algorithm::Cisco)
    }
}

/// A second way to compute a checksum. Some senders use it, so receivers accept it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Also {
    /// The sum covers more bytes than it should, up to this offset (PIM Register, RFC 7761 section
    /// 4.9).
    UpTo(usize),
    /// The sum leaves out the pseudo-header.
    WithoutPseudo,
}

/// The meaning of the value 0 in a checksum field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zero {
    /// 0 is a checksum like any other.
    Checksum,
    /// The sender computed no checksum, as it may: UDP over IPv4 (RFC 768), UDP over IPv6 in
    /// tunnels (RFC 6935), RSVP (RFC 2205), PGM (RFC 3208), the extensions of ICMP errors (RFC
    /// 4884), the header in a PIM Null-Register (RFC 7761), and the network layer of OSI. A
    /// computed 0 is sent as 0xFFFF.
    Absent,
    /// The sender computed no checksum, although it must: UDP over IPv6 (RFC 8200 section 8.1) and
    /// UDP-Lite (RFC 3828 section 3.1). A computed 0 is sent as 0xFFFF.
    Illegal,
    /// Neither 0 nor any other value is a checksum: a digest has taken its place (OSPF with
    /// cryptographic authentication), or the bytes that it covered are gone (IS-IS without a
    /// lifetime).
    Unused,
}

/// The source and the destination of a network header.
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

/// A pseudo-header: what a transport protocol sums in addition to its own bytes (RFC 9293 section
/// 3.1, RFC 768, RFC 8200 section 8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pseudo {
    /// The source and the final destination. With a source route, the final destination differs
    /// from the destination of the network header.
    pub addresses: Addresses,
    /// The protocol number.
    pub protocol: u8,
    /// The length of header and payload.
    pub len: u32,
}

/// A finding of the walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<'a> {
    /// A checksum field.
    Field(&'a Field),
    /// A fragment of a datagram. The walk ends here. [`Reassembly`](crate::Reassembly) walks the
    /// payload once the datagram is whole; [`Fragment::walk`] walks the payload of the fragment
    /// alone.
    Fragment(Fragment),
    /// An obstacle that keeps the walk from finding the fields after it.
    Obstacle(Obstacle),
    /// A header that contradicts itself, and how. The walk ends there.
    Malformed(&'static str),
}

/// Why a checksum cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// The frame was not captured up to the end of the covered bytes.
    Snapped,
    /// The checksum covers a datagram of which this frame holds only a fragment.
    Fragment,
    /// The checksum covers a packet of which an ICMP error or a sample holds only the beginning.
    Quote,
    /// The length or the checksum coverage in the header is impossible, or goes past the end of the
    /// packet.
    Length,
    /// The pseudo-header may hold other addresses than the packet shows: the final
    /// destination of a compressed or an unknown routing header, or the identifiers of a host.
    Addresses,
}

impl Reason {
    /// Returns the reason's name in every output. The name never changes.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Reason::Snapped => "snapped",
            Reason::Fragment => "fragment",
            Reason::Quote => "quote",
            Reason::Length => "length",
            Reason::Addresses => "addresses",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

/// An obstacle that keeps the walk from finding further fields. Protocols that are known to have no
/// Internet checksum, such as ARP, are no obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Obstacle {
    /// The walk does not know this link type.
    LinkType(LinkType),
    /// The walk does not know this EtherType.
    EtherType(u16),
    /// The walk does not know this service access point of IEEE 802.2 logical link control.
    ServiceAccessPoint(u8),
    /// The walk does not know this protocol number of PPP.
    PppProtocol(u16),
    /// The walk does not know this protocol number of IP.
    IpProtocol(u8),
    /// A header of this protocol names a payload, a version or a format that the walk does not
    /// know.
    Encapsulation(&'static str),
    /// This protocol encrypts what follows.
    Encrypted(&'static str),
    /// A header was not captured.
    Snapped,
    /// Another fragment holds a header: the frame holds a later fragment of a datagram that was not
    /// put together, because fragments are missing or are not put together at all.
    Fragment,
    /// The datagram of a fragment was given up, because another fragment with its identification
    /// contradicts it.
    Conflict,
    /// The datagram of a fragment would be longer than 65,535 bytes.
    Long,
    /// The datagram of a fragment was given up, because the fragments that wait for others took
    /// more memory than the limit of the [`Reassembly`](crate::Reassembly).
    Memory,
    /// The frame nests more network headers or link layers than any real packet does.
    Nested,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::LinkType(link_type) => link_type.fmt(f),
            Obstacle::EtherType(number) => write!(f, "EtherType {number:#06x}"),
            Obstacle::ServiceAccessPoint(number) => write!(f, "LLC {number:#04x}"),
            Obstacle::PppProtocol(number) => write!(f, "PPP protocol {number:#06x}"),
            Obstacle::IpProtocol(number) => write!(f, "IP protocol {number}"),
            Obstacle::Encapsulation(name) => f.write_str(name),
            Obstacle::Encrypted(name) => write!(f, "encrypted {name}"),
            Obstacle::Snapped => f.write_str("snapped"),
            Obstacle::Fragment => f.write_str("fragment"),
            Obstacle::Conflict => f.write_str("conflicting fragments"),
            Obstacle::Long => f.write_str("fragments beyond 65535 bytes"),
            Obstacle::Memory => f.write_str("fragments beyond the memory limit"),
            Obstacle::Nested => write!(f, "more than {MAX_LAYERS} layers"),
        }
    }
}

/// Walks a frame, and calls `found` with everything that the walk finds, outermost first.
///
/// ```
/// use wiresum_packet::{Found, Frame, LinkType, Protocol, walk};
///
/// let header = [
///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168, 0, 199,
/// ];
/// let mut found = Vec::new();
/// walk(&Frame::new(LinkType(101), &header), |what| {
///     if let Found::Field(field) = what {
///         found.push((field.protocol, field.bytes()));
///     }
/// });
/// assert_eq!(found[0], (Protocol::Ipv4, 10..12));
/// ```
pub fn walk(frame: &Frame<'_>, mut found: impl FnMut(Found<'_>)) {
    let mut walk = Walk::new(frame.data, Place::default(), &mut found);
    link::frame(&mut walk, frame.link_type, 0..frame.original_len);
}

/// The part of a frame that belongs to one protocol, as long as it was on the wire.
type Area = Range<usize>;

struct Walk<'a> {
    /// The captured bytes.
    data: &'a [u8],
    place: Place,
    /// The obstacle that was reported last.
    obstacle: Option<Obstacle>,
    found: &'a mut dyn FnMut(Found<'_>),
}

/// What a walk knows of the headers that it is in.
#[derive(Clone, Default)]
struct Place {
    /// The number of network headers entered so far.
    layer: u8,
    /// The number of link layers and tunnels entered after the first.
    links: u8,
    /// The reason why the walked area is incomplete, if it is a fragment or a quote.
    partial: Option<Reason>,
    /// Whether the walk is in a packet that an error message quotes.
    quoted: bool,
    /// The network header that was entered last.
    network: Option<Area>,
    /// The addresses of that network header.
    addresses: Option<Addresses>,
    /// The name of the tunnel whose header was entered after that network header.
    tunnel: Option<&'static str>,
    /// The name of the tunnel in which that network header is.
    carrier: Option<&'static str>,
    /// Whether the pseudo-header may hold other addresses than the packet shows.
    addresses_hidden: bool,
    /// Whether a digest or a signature covers all that follows.
    authenticated: bool,
}

impl<'a> Walk<'a> {
    fn new(data: &'a [u8], place: Place, found: &'a mut dyn FnMut(Found<'_>)) -> Walk<'a> {
        Walk {
            data,
            place,
            obstacle: None,
            found,
        }
    }

    fn field(&mut self, field: &Field) {
        let hidden = self.place.addresses_hidden && field.pseudo.is_some();
        if !hidden && !self.place.authenticated {
            return (self.found)(Found::Field(field));
        }
        let mut field = field.clone();
        field.authenticated |= self.place.authenticated;
        if hidden {
            field.unverified = field.unverified.or(Some(Reason::Addresses));
        }
        (self.found)(Found::Field(&field));
    }

    fn malformed(&mut self, how: &'static str) {
        if !self.place.quoted {
            (self.found)(Found::Malformed(how));
        }
    }

    /// Reports an obstacle. A frame that meets the same obstacle again, as an aggregate of frames
    /// may, counts once.
    fn obstacle(&mut self, obstacle: Obstacle) {
        if !self.place.quoted && self.obstacle != Some(obstacle) {
            self.obstacle = Some(obstacle);
            (self.found)(Found::Obstacle(obstacle));
        }
    }

    /// Enters a link layer after another one. Returns false if there are too many.
    fn enter_link(&mut self) -> bool {
        if self.place.links == MAX_LAYERS {
            self.obstacle(Obstacle::Nested);
            return false;
        }
        self.place.links += 1;
        true
    }

    /// Enters a network header. If its packet is whole in the frame, it does not matter that the
    /// packet is within a fragment or a quote.
    fn enter(&mut self, header: Area, addresses: Addresses, whole: bool) {
        self.place.layer += 1;
        self.place.network = Some(header);
        self.place.addresses = Some(addresses);
        self.place.addresses_hidden = false;
        self.place.carrier = self.place.tunnel.take();
        if whole {
            self.place.partial = None;
        }
    }

    /// Returns the field at an offset of an area, with a sum over the area from its beginning to
    /// `end`.
    fn checksum(&self, protocol: Protocol, area: &Area, offset: usize, end: usize) -> Field {
        Field {
            protocol,
            layer: self.place.layer,
            quoted: self.place.quoted,
            offset: area.start + offset,
            algorithm: Algorithm::Internet,
            covers: area.start..end,
            hole: None,
            pseudo: None,
            also: None,
            zero: Zero::Checksum,
            // All of the area must be there, even if the sum covers less.
            unverified: self.place.partial.or_else(|| self.snapped(area)),
            authenticated: false,
            network: self.place.network.clone(),
            addresses: self.place.addresses,
            ports: None,
            tunnel: self.place.carrier,
        }
    }

    /// Reports that an area is too short for its protocol. The area is malformed, unless it is part
    /// of a fragment or a quote: then something else may hold the rest.
    fn short(&mut self, how: &'static str) {
        match self.place.partial {
            Some(_) => self.obstacle(Obstacle::Fragment),
            None => self.malformed(how),
        }
    }

    /// Returns the first N bytes of an area. If the area is shorter, the method `short` reports it
    /// with the words `short`. If the bytes were not captured, an obstacle is reported.
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

    /// Returns the N bytes at an offset, if they were captured.
    fn peek<const N: usize>(&self, offset: usize) -> Option<&'a [u8; N]> {
        self.data.get(offset..)?.first_chunk()
    }

    /// Returns the reason why a sum over this area cannot be computed, if there is one.
    fn snapped(&self, area: &Area) -> Option<Reason> {
        (area.end > self.data.len()).then_some(Reason::Snapped)
    }
}

fn be16(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}
