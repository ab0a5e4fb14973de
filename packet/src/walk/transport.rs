// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a network header carries: a transport protocol, another network header, or something
//! without a checksum.

use super::{
    Addresses, Area, Field, Obstacle, Pseudo, Walk, dccp, eigrp, ethernet, gre, hip, icmp, igmp,
    ipv4, ipv6, l2tp, mobility, mpls, nhrp, ospf, pgm, pim, rsvp, sctp, tcp, udp, udplite, vrrp,
};
use crate::Protocol;

pub(crate) const ICMP: u8 = 1;
pub(crate) const IGMP: u8 = 2;
pub(crate) const IPV4: u8 = 4;
pub(crate) const TCP: u8 = 6;
pub(crate) const UDP: u8 = 17;
pub(crate) const DCCP: u8 = 33;
pub(crate) const IPV6: u8 = 41;
const RSVP: u8 = 46;
const RSVP_END_TO_END: u8 = 134; // RFC 3175
pub(crate) const GRE: u8 = 47;
const SECURITY_PAYLOAD: u8 = 50;
const AUTHENTICATION: u8 = 51;
const NHRP: u8 = 54;
pub(crate) const NO_NEXT_HEADER: u8 = 59;
pub(crate) const ICMPV6: u8 = 58;
pub(crate) const EIGRP: u8 = 88;
pub(super) const OSPF: u8 = 89;
const ETHERIP: u8 = 97;
pub(super) const PIM: u8 = 103;
pub(super) const VRRP: u8 = 112;
const PGM: u8 = 113;
const L2TP: u8 = 115;
pub(crate) const SCTP: u8 = 132;
pub(super) const MOBILITY: u8 = 135;
pub(super) const UDP_LITE: u8 = 136;
const MPLS: u8 = 137;
const ETHERNET: u8 = 143; // RFC 8986 section 4.9
pub(super) const HIP: u8 = 139;

/// The payload of a network header, and the addresses that a transport protocol needs.
pub(super) struct Payload {
    pub(super) area: Area,
    /// The addresses of the network header.
    pub(super) addresses: Addresses,
    /// The addresses of the pseudo-header.
    pub(super) sums_to: Addresses,
}

/// Walks the payload by its protocol number: the next header of IPv6, the protocol of IPv4.
pub(super) fn protocol(walk: &mut Walk<'_>, number: u8, mut payload: Payload) {
    let mut number = number;
    while number == AUTHENTICATION {
        // This is over IPv4: over IPv6, the walk has passed it with the other extension headers.
        let what = "authentication header cut short";
        let Some(header) = walk.header::<8>(&payload.area, what) else {
            return;
        };
        let len = usize::from(header[1]) * 4 + 8; // RFC 4302 section 2.2
        if len > payload.area.len() {
            return walk.short(what);
        }
        number = header[0];
        payload.area.start += len;
        walk.place.authenticated = true;
    }
    match (number, payload.addresses) {
        (TCP, _) => tcp::segment(walk, payload),
        (UDP, _) => udp::datagram(walk, payload),
        (ICMP, _) => icmp::v4(walk, payload),
        (ICMPV6, Addresses::V6 { .. }) => icmp::v6(walk, payload),
        (IPV4, _) => ipv4::packet(walk, payload.area),
        (IPV6, _) => ipv6::packet(walk, payload.area),
        (UDP_LITE, _) => udplite::datagram(walk, payload),
        (DCCP, _) => dccp::packet(walk, payload),
        (SCTP, _) => sctp::packet(walk, payload),
        (IGMP, Addresses::V4 { .. }) => igmp::message(walk, payload),
        (PIM, _) => pim::message(walk, payload),
        (OSPF, _) => ospf::packet(walk, payload),
        (VRRP, _) => vrrp::message(walk, payload),
        (EIGRP, _) => eigrp::packet(walk, payload),
        (RSVP | RSVP_END_TO_END, _) => rsvp::message(walk, payload),
        (PGM, _) => pgm::packet(walk, payload),
        (MOBILITY, Addresses::V6 { .. }) => mobility::header(walk, payload),
        (HIP, _) => hip::packet(walk, payload),
        (NHRP, _) => nhrp::packet(walk, payload.area),
        (GRE, _) => gre::packet(walk, payload),
        (MPLS, _) => mpls::packet(walk, payload.area),
        (L2TP, _) => l2tp::over_ip(walk, payload.area),
        (ETHERNET, _) => ethernet::frame(walk, payload.area),
        (ETHERIP, _) => ethernet::over_ip(walk, payload.area),
        (SECURITY_PAYLOAD, _) => walk.obstacle(Obstacle::Encrypted("ESP")),
        (NO_NEXT_HEADER, _) => {}
        _ => walk.obstacle(Obstacle::IpProtocol(number)),
    }
}

/// Returns whether a network card cuts packets of this protocol into segments, or packets within
/// them.
pub(super) fn is_segmented(number: u8) -> bool {
    matches!(number, TCP | UDP | IPV4 | IPV6 | GRE)
}

impl Payload {
    /// Returns the field at an offset of this payload, with a sum over the payload from its
    /// beginning to `end`.
    pub(super) fn field(
        &self,
        walk: &Walk<'_>,
        protocol: Protocol,
        offset: usize,
        end: usize,
    ) -> Field {
        walk.checksum(protocol, &self.area, offset, end)
    }

    /// Returns the pseudo-header of this payload.
    pub(super) fn pseudo(&self, protocol: u8, len: usize) -> Option<Pseudo> {
        Some(Pseudo {
            addresses: self.sums_to,
            protocol,
            len: len as u32,
        })
    }
}

/// Returns source and destination port: the first four bytes of every protocol that has ports.
pub(super) fn ports(walk: &Walk<'_>, area: &Area) -> Option<(u16, u16)> {
    let [a, b, c, d] = *walk.peek(area.start)?;
    Some((u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])))
}
