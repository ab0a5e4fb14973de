// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plain frames: most frames of most captures are Ethernet, with or without VLAN tags, then IPv4 or
//! IPv6, then TCP, UDP, or another protocol whose checksum covers the rest of the packet. A tunnel
//! puts such layers within one another. This module finds and judges the checksums of such a frame
//! in one loop over its layers, for sinks that only count.
//!
//! The walk decides what is right. A frame in which anything is unusual is left to the walk: a
//! fragment, a length that does not fit, a quote, an obstacle, a bad checksum that is not due to
//! offload. The tests compare both on every frame that they have.

use std::net::IpAddr;

use wiresum::{Sum, ipv4, pseudo};

use crate::capture::Captured;
use crate::sums::crc32c_of;
use crate::walk::{ethernet, icmp, ipv4 as ipv4_options, ipv6, llc, openflow, transport, tunnel};
use crate::{Cause, LinkType, Protocol, Status};

/// The maximum number of checksums of a plain frame.
const MAX_FIELDS: usize = 8;

/// The maximum number of link layers and tags of a plain frame.
const MAX_LAYERS: usize = 16;

/// The checksums of a plain frame, outermost first. The caller holds them, because a copy of fields
/// that were just stored one by one takes longer than the fields.
pub(crate) struct Plain {
    fields: [(Protocol, Status); MAX_FIELDS],
    len: usize,
    /// The source of all bad checksums.
    sender: Option<IpAddr>,
}

/// What follows a layer.
enum Next<'a> {
    /// An Ethernet frame.
    Frame(&'a [u8]),
    /// What this EtherType announces.
    Type(u16, &'a [u8]),
    /// Nothing that has a checksum.
    End,
}

/// The payload of a network header.
struct Segment<'a> {
    payload: &'a [u8],
    /// The number of the payload's protocol.
    number: u8,
    is_ipv4: bool,
    /// The source in the network header.
    source: &'a [u8],
    /// The sum of the addresses in the pseudo-header.
    addresses: Sum,
}

/// Enters what an EtherType other than IPv4 and IPv6 announces.
fn other_type(number: u16, packet: &[u8]) -> Option<Next<'_>> {
    match number {
        ethernet::VLAN | ethernet::SERVICE_VLAN => {
            let (&next, packet) = packet.get(2..)?.split_first_chunk()?;
            Some(Next::Type(u16::from_be_bytes(next), packet))
        }
        ethernet::FABRIC_PATH => packet.get(2..).map(Next::Frame),
        ethernet::TRANSPARENT_ETHERNET => Some(Next::Frame(packet)),
        ..=ethernet::MAX_LENGTH => {
            let packet = packet.get(..number.into())?;
            let [to, _, _, ..] = *packet else { return None };
            llc::has_no_checksum(to).then_some(Next::End)
        }
        _ => ethernet::has_no_checksum(number).then_some(Next::End),
    }
}

impl Plain {
    #[inline]
    pub(crate) fn new() -> Plain {
        Plain {
            fields: [(Protocol::Ipv4, Status::Good); MAX_FIELDS],
            len: 0,
            sender: None,
        }
    }

    /// Finds the checksums of a frame. Returns `None` if the frame is not plain.
    #[inline]
    pub(crate) fn find(&mut self, frame: &Captured<'_>) -> Option<()> {
        if frame.link_type != LinkType::ETHERNET || frame.original_len < frame.data.len() {
            return None;
        }
        let mut next = Next::Frame(frame.data);
        for _ in 0..MAX_LAYERS {
            next = match next {
                Next::Frame(frame) => {
                    let (&number, packet) = frame.get(12..)?.split_first_chunk()?;
                    Next::Type(u16::from_be_bytes(number), packet)
                }
                Next::Type(ethernet::IPV4, packet) => self.ipv4(packet)?,
                Next::Type(ethernet::IPV6, packet) => self.ipv6(packet)?,
                Next::Type(number, packet) => other_type(number, packet)?,
                Next::End => return Some(()),
            };
        }
        None
    }

    /// Returns each field with its status: good, absent, or bad because of offload.
    #[inline]
    pub(crate) fn fields(&self) -> &[(Protocol, Status)] {
        &self.fields[..self.len]
    }

    /// Returns the source address of all bad fields, if there are any.
    #[inline]
    pub(crate) fn sender(&self) -> Option<IpAddr> {
        self.sender
    }

    /// Adds a field, if there is room.
    #[inline]
    fn found(&mut self, protocol: Protocol, status: Status) -> Option<()> {
        *self.fields.get_mut(self.len)? = (protocol, status);
        self.len += 1;
        Some(())
    }

    /// Adds a field without a pseudo-header, whose sum covers all these bytes. Bytes with a bad
    /// checksum are not plain.
    fn whole(&mut self, protocol: Protocol, bytes: &[u8]) -> Option<Next<'static>> {
        if bytes.len() < 4 || !Sum::of(bytes).is_ok() {
            return None;
        }
        self.found(protocol, Status::Good)?;
        Some(Next::End)
    }

    /// Judges an IPv4 packet that is whole, and is no fragment.
    #[inline]
    fn ipv4<'a>(&mut self, packet: &'a [u8]) -> Option<Next<'a>> {
        const FRAGMENT: u16 = 0x3fff; // more fragments, and the offset
        let header: &[u8; 20] = packet.first_chunk()?;
        let packet = packet.get(..be16(header, 2).into())?;
        if header[0] >> 4 != 4 || be16(header, 6) & FRAGMENT != 0 {
            return None;
        }
        let (with_options, payload) = packet.split_at_checked(usize::from(header[0] & 0x0f) * 4)?;
        if !ipv4::header_ok(with_options) {
            return None;
        }
        self.found(Protocol::Ipv4, Status::Good)?;
        let [source, mut destination] = [12, 16].map(|at| chunk(header, at));
        if with_options.len() > 20
            && let Some(last) = ipv4_options::source_route(&with_options[20..])
        {
            destination = last.octets();
        }
        self.segment(Segment {
            payload,
            number: header[9],
            is_ipv4: true,
            source: &header[12..16],
            addresses: pseudo::ipv4(source, destination, 0, 0),
        })
    }

    /// Judges an IPv6 packet that is whole.
    #[inline]
    fn ipv6<'a>(&mut self, packet: &'a [u8]) -> Option<Next<'a>> {
        let (header, packet) = packet.split_first_chunk::<40>()?;
        let payload_len = usize::from(be16(header, 4));
        if header[0] >> 4 != 6 || payload_len == 0 {
            return None;
        }
        let mut chain = ipv6::Plain {
            next: header[6],
            payload: packet.get(..payload_len)?,
            source: chunk(header, 8),
            destination: chunk(header, 24),
        };
        if ipv6::is_extension(chain.next) {
            chain = chain.past_extensions()?;
        }
        self.segment(Segment {
            payload: chain.payload,
            number: chain.next,
            is_ipv4: false,
            source: &header[8..24],
            addresses: pseudo::ipv6(chain.source, chain.destination, 0, 0),
        })
    }

    /// Judges the payload of a network header.
    #[inline]
    fn segment<'a>(&mut self, segment: Segment<'a>) -> Option<Next<'a>> {
        let payload = segment.payload;
        match segment.number {
            transport::TCP => {
                let header: &[u8; 20] = payload.first_chunk()?;
                let ports = (be16(header, 0), be16(header, 2));
                let found = be16(header, 16);
                if header[12] >> 4 < 5 || found == 0xffff || openflow::has_port(ports) {
                    return None;
                }
                self.judged(Protocol::Tcp, found, &segment)?;
                Some(Next::End)
            }
            transport::UDP => {
                let header: &[u8; 8] = payload.first_chunk()?;
                let (from, to) = (be16(header, 0), be16(header, 2));
                if usize::from(be16(header, 4)) != payload.len() {
                    return None;
                }
                let is_tunnel = tunnel::has_port((from, to));
                match be16(header, 6) {
                    0 if segment.is_ipv4 || is_tunnel => {
                        self.found(Protocol::Udp, Status::Absent)?;
                    }
                    0 => return None,
                    found => self.judged(Protocol::Udp, found, &segment)?,
                }
                match is_tunnel {
                    true => tunneled(from, to, &payload[8..]),
                    false => Some(Next::End),
                }
            }
            _ => self.other_segment(&segment),
        }
    }

    /// Judges the checksum of a segment, whose field holds `found`, and adds it. A bad one that is
    /// not due to offload is not plain, and neither are bad ones of two senders.
    #[inline]
    fn judged(&mut self, protocol: Protocol, found: u16, segment: &Segment<'_>) -> Option<()> {
        let pseudo = segment.pseudo();
        if (Sum::of(segment.payload) + pseudo).is_ok() {
            return self.found(protocol, Status::Good);
        }
        let sender = segment.sender()?;
        if pseudo.value() != found || self.sender.is_some_and(|other| other != sender) {
            return None;
        }
        self.sender = Some(sender);
        self.found(protocol, Status::Bad(Cause::Offload))
    }

    /// Judges a payload that is neither TCP nor UDP.
    fn other_segment<'a>(&mut self, segment: &Segment<'a>) -> Option<Next<'a>> {
        let payload = segment.payload;
        match (segment.number, segment.is_ipv4) {
            (transport::ICMP, _) => {
                let header: &[u8; 8] = payload.first_chunk()?;
                match icmp::holds_more_v4(header[0]) {
                    true => None,
                    false => self.whole(Protocol::Icmp, payload),
                }
            }
            (transport::ICMPV6, false) => {
                let header: &[u8; 8] = payload.first_chunk()?;
                if icmp::holds_more_v6(header[0]) {
                    return None;
                }
                self.with_pseudo(Protocol::Icmpv6, segment, payload)
            }
            (transport::IGMP, true) => self.whole(Protocol::Igmp, payload),
            (transport::EIGRP, _) => self.whole(Protocol::Eigrp, payload),
            (transport::IPV4, _) => Some(Next::Type(ethernet::IPV4, payload)),
            (transport::IPV6, _) => Some(Next::Type(ethernet::IPV6, payload)),
            (transport::GRE, _) => self.gre(payload),
            (transport::SCTP, _) => {
                let header: &[u8; 12] = payload.first_chunk()?;
                let crc = crc32c_of(&[&payload[..8], &[0; 4], &payload[12..]]);
                if crc.to_be_bytes() != chunk(header, 8) {
                    return None;
                }
                self.found(Protocol::Sctp, Status::Good)?;
                Some(Next::End)
            }
            (transport::DCCP, _) => {
                let header: &[u8; 12] = payload.first_chunk()?;
                let header_len = usize::from(header[4]) * 4;
                let covered = match usize::from(header[5] & 0x0f) {
                    0 => payload,
                    words => payload.get(..header_len + (words - 1) * 4)?,
                };
                if header_len < header.len() || header_len > payload.len() {
                    return None;
                }
                self.with_pseudo(Protocol::Dccp, segment, covered)
            }
            (transport::NO_NEXT_HEADER, _) => Some(Next::End),
            _ => None,
        }
    }

    /// Adds a field with a pseudo-header, whose sum covers these bytes. Bytes with a bad checksum
    /// are not plain.
    fn with_pseudo(
        &mut self,
        protocol: Protocol,
        segment: &Segment<'_>,
        covered: &[u8],
    ) -> Option<Next<'static>> {
        if !(Sum::of(covered) + segment.pseudo()).is_ok() {
            return None;
        }
        self.found(protocol, Status::Good)?;
        Some(Next::End)
    }

    /// Enters GRE of version 0 without routing.
    fn gre<'a>(&mut self, payload: &'a [u8]) -> Option<Next<'a>> {
        const HAS_CHECKSUM: u8 = 0x80;
        const HAS_ROUTING: u8 = 0x40;
        const HAS_KEY: u8 = 0x20;
        const HAS_SEQUENCE: u8 = 0x10;
        let &[flags, version, high, low] = payload.first_chunk()?;
        if flags & HAS_ROUTING != 0 || version & 0x07 != 0 {
            return None;
        }
        let words = (flags & (HAS_CHECKSUM | HAS_KEY | HAS_SEQUENCE)).count_ones();
        let carried = payload.get(4 + words as usize * 4..)?;
        if flags & HAS_CHECKSUM != 0 {
            self.whole(Protocol::Gre, payload)?;
        }
        of_type(u16::from_be_bytes([high, low]), carried)
    }
}

/// Enters the data of a datagram, one of whose ports is the port of a tunnel.
fn tunneled(from: u16, to: u16, data: &[u8]) -> Option<Next<'_>> {
    const VXLAN_HAS_NETWORK: u8 = 0x08;
    const GENEVE_VERSION: u8 = 0xc0;
    const GTP_PLAIN: u8 = 0x30; // version 1, without optional fields
    const GTP_PACKET: u8 = 255;
    let header: &[u8; 8] = data.first_chunk()?;
    match (from, to) {
        (_, 4789 | 8472) if header[0] & VXLAN_HAS_NETWORK != 0 => Some(Next::Frame(&data[8..])),
        (_, 6081) if header[0] & GENEVE_VERSION == 0 => {
            let len = 8 + usize::from(header[0] & 0x3f) * 4;
            of_type(be16(header, 2), data.get(len..)?)
        }
        (_, 4790 | 4789 | 8472 | 6081) => None,
        (2152, _) | (_, 2152) => {
            let len = usize::from(be16(header, 2)) + header.len();
            if header[0] & 0xf7 != GTP_PLAIN || header[1] != GTP_PACKET || len > data.len() {
                return None;
            }
            match data.get(8)? >> 4 {
                4 => Some(Next::Type(ethernet::IPV4, &data[8..])),
                6 => Some(Next::Type(ethernet::IPV6, &data[8..])),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Enters what an EtherType announces in a tunnel.
fn of_type(number: u16, packet: &[u8]) -> Option<Next<'_>> {
    match number {
        ethernet::IPV4 | ethernet::IPV6 => Some(Next::Type(number, packet)),
        ethernet::TRANSPARENT_ETHERNET => Some(Next::Frame(packet)),
        _ => None,
    }
}

impl Segment<'_> {
    /// Returns the sum of the pseudo-header. The length is below 65,536.
    #[inline]
    fn pseudo(&self) -> Sum {
        let len = Sum::from_value(self.payload.len() as u16);
        self.addresses + Sum::from_value(self.number.into()) + len
    }

    /// Returns the source in the network header.
    fn sender(&self) -> Option<IpAddr> {
        let v4 = <[u8; 4]>::try_from(self.source).map(IpAddr::from);
        let v6 = || <[u8; 16]>::try_from(self.source).map(IpAddr::from);
        v4.or_else(|_| v6()).ok()
    }
}

fn be16(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

/// Returns the bytes at an offset of a header.
#[inline]
fn chunk<const N: usize, const LEN: usize>(header: &[u8; LEN], at: usize) -> [u8; N] {
    *header[at..].first_chunk().expect("the header is longer")
}
