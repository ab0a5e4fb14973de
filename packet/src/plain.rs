// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plain frames: most frames of most captures are Ethernet, with or without VLAN tags, then an IPv4
//! header without options or an IPv6 header without extension headers, then TCP, UDP, or a message
//! of ICMP that quotes nothing. This module finds and judges the checksums of such a frame in one
//! pass, for sinks that only count.
//!
//! The walk decides what is right. A frame in which anything is unusual is left to the walk: a
//! fragment, a length that does not fit, a port of a tunnel, a bad checksum that is not due to
//! offload. The tests compare both on every frame that they have.

use wiresum::{Sum, ipv4};

use crate::capture::Captured;
use crate::walk::{ethernet, icmp, openflow, transport, tunnel};
use crate::{Cause, LinkType, Protocol, Status};

const MAX_TAGS: usize = 2;

/// The checksums of a plain frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    fields: [(Protocol, Status); 2],
    /// Whether the frame has an IPv4 header. If not, the first of the fields is not there.
    ipv4: bool,
}

/// The payload of a network header, and the addresses in front of it.
struct Segment<'a> {
    /// The addresses, and behind them the payload.
    addresses_and_payload: &'a [u8],
    addresses_len: usize,
    /// The number of the payload's protocol.
    number: u8,
}

impl Plain {
    /// Returns each field with its status: good, absent, or bad because of offload.
    #[inline]
    pub(crate) fn fields(&self) -> &[(Protocol, Status)] {
        &self.fields[usize::from(!self.ipv4)..]
    }
}

/// Returns the checksums of a frame, if it is plain.
#[inline]
pub(crate) fn plain(frame: &Captured<'_>) -> Option<Plain> {
    if frame.link_type != LinkType::ETHERNET || frame.original_len < frame.data.len() {
        return None;
    }
    let mut ethertype = frame.data.get(12..)?;
    for _ in 0..=MAX_TAGS {
        let (&number, packet) = ethertype.split_first_chunk()?;
        let (ipv4, segment) = match u16::from_be_bytes(number) {
            ethernet::IPV4 => (true, ipv4_packet(packet)?),
            ethernet::IPV6 => (false, ipv6_packet(packet)?),
            ethernet::VLAN | ethernet::SERVICE_VLAN => {
                ethertype = packet.get(2..)?;
                continue;
            }
            _ => return None,
        };
        return Some(Plain {
            fields: [(Protocol::Ipv4, Status::Good), segment.judged(ipv4)?],
            ipv4,
        });
    }
    None
}

/// Returns the payload of an IPv4 packet: whole, without options, with a good header checksum.
#[inline]
fn ipv4_packet(packet: &[u8]) -> Option<Segment<'_>> {
    const FRAGMENT: u16 = 0x3fff; // more fragments, and the offset
    let header: &[u8; 20] = packet.first_chunk()?;
    let total_len = usize::from(be16(header, 2));
    if header[0] != 0x45 || be16(header, 6) & FRAGMENT != 0 || !ipv4::header_ok(header) {
        return None;
    }
    Some(Segment {
        addresses_and_payload: packet.get(12..total_len)?,
        addresses_len: 8,
        number: header[9],
    })
}

/// Returns the payload of an IPv6 packet: whole, without extension headers.
#[inline]
fn ipv6_packet(packet: &[u8]) -> Option<Segment<'_>> {
    let header: &[u8; 40] = packet.first_chunk()?;
    let payload_len = usize::from(be16(header, 4));
    if header[0] >> 4 != 6 || payload_len == 0 {
        return None;
    }
    Some(Segment {
        addresses_and_payload: packet.get(8..40 + payload_len)?,
        addresses_len: 32,
        number: header[6],
    })
}

impl Segment<'_> {
    /// Judges the checksum of the payload.
    #[inline]
    fn judged(&self, ipv4: bool) -> Option<(Protocol, Status)> {
        let (addresses, payload) = self
            .addresses_and_payload
            .split_at_checked(self.addresses_len)?;
        let (protocol, found) = match self.number {
            transport::TCP => {
                let header: &[u8; 20] = payload.first_chunk()?;
                let ports = (be16(header, 0), be16(header, 2));
                if header[12] >> 4 < 5 || be16(header, 16) == 0xffff || openflow::has_port(ports) {
                    return None;
                }
                (Protocol::Tcp, be16(header, 16))
            }
            transport::UDP => {
                let header: &[u8; 8] = payload.first_chunk()?;
                let ports = (be16(header, 0), be16(header, 2));
                if usize::from(be16(header, 4)) != payload.len() || tunnel::has_port(ports) {
                    return None;
                }
                if be16(header, 6) == 0 {
                    return ipv4.then_some((Protocol::Udp, Status::Absent));
                }
                (Protocol::Udp, be16(header, 6))
            }
            transport::ICMP => {
                let header: &[u8; 8] = payload.first_chunk()?;
                let good = !icmp::holds_more_v4(header[0]) && Sum::of(payload).is_ok();
                return good.then_some((Protocol::Icmp, Status::Good));
            }
            transport::ICMPV6 if !ipv4 => {
                let header: &[u8; 8] = payload.first_chunk()?;
                if icmp::holds_more_v6(header[0]) {
                    return None;
                }
                (Protocol::Icmpv6, be16(header, 2))
            }
            _ => return None,
        };
        // The rest of the pseudo-header: the length is below 65,536, and so is its sum with the
        // protocol, unless the payload is longer than any IPv4 packet.
        let rest = Sum::from_value(self.number.into()) + Sum::from_value(payload.len() as u16);
        if (Sum::of(self.addresses_and_payload) + rest).is_ok() {
            return Some((protocol, Status::Good));
        }
        let pseudo = Sum::of(addresses) + rest;
        let offloaded = pseudo.value() == found && protocol.is_offloaded();
        offloaded.then_some((protocol, Status::Bad(Cause::Offload)))
    }
}

fn be16(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}
