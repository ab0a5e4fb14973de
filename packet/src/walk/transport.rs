// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a network header carries: a transport protocol, another network header, or something without a checksum.

use super::{
    Addresses, Algorithm, Area, Field, Found, Pseudo, Walk, Zero, icmp, ipv4, ipv6, tcp, udp,
};
use crate::Protocol;
use crate::verdict::Reason;

pub(super) const ICMP: u8 = 1;
const IPV4: u8 = 4;
pub(super) const TCP: u8 = 6;
pub(super) const UDP: u8 = 17;
const IPV6: u8 = 41;
const AUTHENTICATION: u8 = 51;
pub(super) const ICMPV6: u8 = 58;

/// What a transport protocol needs to know of the network header before it.
pub(super) struct Payload {
    pub(super) area: Area,
    /// Of the network header.
    pub(super) addresses: Addresses,
    /// Those of the pseudo-header.
    pub(super) sums_to: Addresses,
}

/// Goes on by protocol number: the next header of IPv6, the protocol of IPv4.
pub(super) fn protocol(walk: &mut Walk<'_, impl FnMut(Found)>, number: u8, mut payload: Payload) {
    let mut number = number;
    while number == AUTHENTICATION {
        // over IPv4: IPv6 has passed it with its other extension headers
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
    }
    match (number, payload.addresses) {
        (TCP, _) => tcp::segment(walk, payload),
        (UDP, _) => udp::datagram(walk, payload),
        (ICMP, _) => icmp::v4(walk, payload),
        (ICMPV6, Addresses::V6 { .. }) => icmp::v6(walk, payload),
        (IPV4, _) => ipv4::packet(walk, payload.area),
        (IPV6, _) => ipv6::packet(walk, payload.area),
        _ => {}
    }
}

impl Payload {
    /// The field at an offset of this payload, which covers it from its beginning to `end`.
    pub(super) fn field(
        &self,
        walk: &Walk<'_, impl FnMut(Found)>,
        protocol: Protocol,
        offset: usize,
        end: usize,
    ) -> Field {
        Field {
            protocol,
            layer: walk.layer,
            quoted: false,
            offset: self.area.start + offset,
            algorithm: Algorithm::Internet,
            covers: self.area.start..end,
            hole: None,
            pseudo: None,
            also: None,
            zero: Zero::Checksum,
            unverified: if walk.fragment {
                Some(Reason::Fragment)
            } else {
                walk.snapped(&self.area) // all of it must be there, even if the sum covers less
            },
            network: walk.network.clone(),
            addresses: self.addresses,
            ports: None,
        }
    }

    /// The pseudo-header of this payload.
    pub(super) fn pseudo(&self, protocol: u8, len: usize) -> Option<Pseudo> {
        Some(Pseudo {
            addresses: self.sums_to,
            protocol,
            len: len as u32,
        })
    }
}

/// Source and destination port: the first four bytes of all protocols that have them.
pub(super) fn ports(walk: &Walk<'_, impl FnMut(Found)>, area: &Area) -> Option<(u16, u16)> {
    let [a, b, c, d] = *walk.peek(area.start)?;
    Some((u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])))
}
