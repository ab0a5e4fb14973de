// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plain frames: most frames of most captures are Ethernet, with or without VLAN tags, then an IPv4
//! header without options or an IPv6 header without extension headers, then TCP or UDP. This module
//! finds and judges both checksums of such a frame in one pass, for sinks that only count.
//!
//! The walk decides what is right. A frame in which anything is unusual is left to the walk: a
//! fragment, a length that does not fit, a port of a tunnel, a bad checksum that is not due to
//! offload. The tests compare both on every frame that they have.

use wiresum::{Sum, ipv4};

use crate::walk::{ethernet, openflow, transport, tunnel};
use crate::{Cause, Frame, LinkType, Protocol, Status};

const MAX_TAGS: usize = 2;

/// The checksums of a plain frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    /// Whether the frame has an IPv4 header. Its checksum is good.
    pub(crate) ipv4: bool,
    /// The protocol behind the network header: TCP or UDP.
    pub(crate) transport: Protocol,
    /// The status of that protocol's checksum: good, absent, or bad because of offload.
    pub(crate) status: Status,
}

/// A TCP segment or UDP datagram of a frame, and the addresses in front of it.
struct Segment<'a> {
    /// The addresses, and behind them the segment.
    addresses_and_segment: &'a [u8],
    addresses_len: usize,
    protocol: u8,
}

/// Returns the checksums of a frame, if it is plain.
#[inline]
pub(crate) fn plain(frame: &Frame<'_>) -> Option<Plain> {
    if frame.link_type != LinkType::ETHERNET || frame.original_len < frame.data.len() {
        return None;
    }
    let mut ethertype = frame.data.get(12..)?;
    for _ in 0..=MAX_TAGS {
        let (&number, packet) = ethertype.split_first_chunk()?;
        match u16::from_be_bytes(number) {
            ethernet::IPV4 => {
                let segment = ipv4_packet(packet)?;
                return segment.judged(true);
            }
            ethernet::IPV6 => return ipv6_packet(packet)?.judged(false),
            ethernet::VLAN | ethernet::SERVICE_VLAN => ethertype = packet.get(2..)?,
            _ => return None,
        }
    }
    None
}

/// Returns the segment of an IPv4 packet: whole, without options, with a good header checksum.
#[inline]
fn ipv4_packet(packet: &[u8]) -> Option<Segment<'_>> {
    const FRAGMENT: u16 = 0x3fff; // more fragments, and the offset
    let header: &[u8; 20] = packet.first_chunk()?;
    let total_len = usize::from(be16(header, 2));
    if header[0] != 0x45 || be16(header, 6) & FRAGMENT != 0 || !ipv4::header_ok(header) {
        return None;
    }
    Some(Segment {
        addresses_and_segment: packet.get(12..total_len)?,
        addresses_len: 8,
        protocol: header[9],
    })
}

/// Returns the segment of an IPv6 packet: whole, without extension headers.
#[inline]
fn ipv6_packet(packet: &[u8]) -> Option<Segment<'_>> {
    let header: &[u8; 40] = packet.first_chunk()?;
    let payload_len = usize::from(be16(header, 4));
    if header[0] >> 4 != 6 || payload_len == 0 {
        return None;
    }
    Some(Segment {
        addresses_and_segment: packet.get(8..40 + payload_len)?,
        addresses_len: 32,
        protocol: header[6],
    })
}

impl Segment<'_> {
    /// Judges the checksum of the segment.
    #[inline]
    fn judged(&self, ipv4: bool) -> Option<Plain> {
        let (addresses, segment) = self
            .addresses_and_segment
            .split_at_checked(self.addresses_len)?;
        let (transport, found) = match self.protocol {
            transport::TCP => {
                let header: &[u8; 20] = segment.first_chunk()?;
                let ports = (be16(header, 0), be16(header, 2));
                if header[12] >> 4 < 5 || be16(header, 16) == 0xffff || openflow::has_port(ports) {
                    return None;
                }
                (Protocol::Tcp, be16(header, 16))
            }
            transport::UDP => {
                let header: &[u8; 8] = segment.first_chunk()?;
                let ports = (be16(header, 0), be16(header, 2));
                if usize::from(be16(header, 4)) != segment.len() || tunnel::has_port(ports) {
                    return None;
                }
                (Protocol::Udp, be16(header, 6))
            }
            _ => return None,
        };
        let judged = |status| {
            Some(Plain {
                ipv4,
                transport,
                status,
            })
        };
        if transport == Protocol::Udp && found == 0 {
            return if ipv4 { judged(Status::Absent) } else { None };
        }
        // The rest of the pseudo-header: the length is below 65,536, and so is its sum with the
        // protocol, unless the segment is longer than any IPv4 packet.
        let rest = Sum::from_value(self.protocol.into()) + Sum::from_value(segment.len() as u16);
        if (Sum::of(self.addresses_and_segment) + rest).is_ok() {
            return judged(Status::Good);
        }
        let pseudo = Sum::of(addresses) + rest;
        match pseudo.value() == found {
            true => judged(Status::Bad(Cause::Offload)),
            false => None,
        }
    }
}

fn be16(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}
