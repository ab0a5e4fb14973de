// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tunnels over UDP. A port only suggests a tunnel, because any program may use that port. So the
//! tunnel's header and its payload must look right as well.

use super::transport::Payload;
use super::{
    Area, Found, Obstacle, Walk, ayiya, ethernet, geneve, gre, gtp, l2tp, link, lisp, mpls, ppp,
    teredo, vxlan,
};

/// The kind of payload that a tunnel's header names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Carried {
    /// No packet: the message belongs to the tunnel itself.
    Nothing,
    Ethernet,
    /// The payload that this EtherType announces.
    Type(u16),
    /// IPv4 or IPv6.
    Ip,
    Mpls,
    Ppp,
    /// A Network Service Header.
    Service,
    /// Another tunnel: GRE.
    Gre,
}

/// Returns whether one of the ports of a datagram is a tunnel's.
#[inline]
pub(crate) fn has_port((from, to): (u16, u16)) -> bool {
    let is_tunnel = |port| {
        matches!(
            port,
            4789 | 8472 | 4790 | 6081 | 2152 | 3544 | 1701 | 5072 | 4341 | 6635 | 4754
        )
    };
    is_tunnel(from) | is_tunnel(to)
}

/// The payload of a UDP datagram that is a tunnel.
pub(super) struct Tunnel {
    carried: Carried,
    area: Area,
    /// Whether the tunnel needs no UDP checksum over IPv6 (RFC 6935, RFC 6936).
    pub(super) zero_checksum: bool,
}

impl Tunnel {
    /// Returns the tunnel that the ports of a datagram and the first bytes of its data indicate.
    pub(super) fn of(
        walk: &Walk<'_, impl FnMut(Found<'_>)>,
        ports: (u16, u16),
        area: Area,
    ) -> Option<Tunnel> {
        if !has_port(ports) {
            return None;
        }
        let (from, to) = ports;
        let zero_checksum = !matches!(
            (from, to),
            (3544 | 1701 | 5072, _) | (_, 3544 | 1701 | 5072)
        );
        let (carried, len) = match (from, to) {
            (_, 4789 | 8472) => vxlan::header(walk, &area),
            (_, 4790) => vxlan::extended(walk, &area),
            (_, 6081) => geneve::header(walk, &area),
            (2152, _) | (_, 2152) => gtp::header(walk, &area),
            (3544, _) | (_, 3544) => teredo::header(walk, &area),
            (1701, _) | (_, 1701) => l2tp::header(walk, &area),
            (5072, _) | (_, 5072) => ayiya::header(walk, &area),
            (_, 4341) => lisp::header(walk, &area),
            (_, 6635) => Some((Carried::Mpls, 0)),
            (_, 4754) => Some((Carried::Gre, 0)),
            _ => None,
        }?;
        if len > area.len() {
            return None;
        }
        let area = area.start + len..area.end;
        let plausible = match (carried, walk.peek::<1>(area.start)) {
            (Carried::Nothing, _) => true,
            _ if area.is_empty() => return None,
            (_, None) => true, // not captured
            (Carried::Ip, Some([first])) => matches!(first >> 4, 4 | 6),
            (Carried::Gre, _) => walk
                .peek(area.start + 1)
                .is_none_or(|[version]| version & 0x07 == 0),
            _ => true,
        };
        plausible.then_some(Tunnel {
            carried,
            area,
            zero_checksum,
        })
    }

    /// Walks the payload of the tunnel.
    pub(super) fn enter(self, walk: &mut Walk<'_, impl FnMut(Found<'_>)>, outer: &Payload) {
        let area = self.area;
        match self.carried {
            Carried::Nothing => {}
            _ if area.start >= walk.data.len() => walk.obstacle(Obstacle::Snapped),
            Carried::Ethernet => ethernet::frame(walk, area),
            Carried::Type(number) => ethernet::ethertype(walk, number, area),
            Carried::Ip => link::raw(walk, area),
            Carried::Mpls => mpls::packet(walk, area),
            Carried::Ppp => ppp::frame(walk, area),
            Carried::Service => ethernet::service_header(walk, area),
            Carried::Gre => gre::packet(
                walk,
                Payload {
                    area,
                    addresses: outer.addresses,
                    sums_to: outer.sums_to,
                },
            ),
        }
    }
}
