// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tunnels over UDP. A port only suggests a tunnel, because any program may use that port. So the
//! tunnel's header and its payload must look right as well.

use super::transport::Payload;
use super::{
    Area, Found, Obstacle, Walk, ayiya, capwap, ethernet, geneve, gre, gtp, l2tp, link, lisp, mpls,
    ppp, sflow, teredo, vxlan, wlan,
};

/// The kind of payload that a tunnel's header names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Carried {
    /// No packet: the message belongs to the tunnel itself.
    Nothing,
    /// A packet behind an obstacle.
    Hidden(Obstacle),
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
    /// An 802.11 frame. Some access points swap its first two bytes.
    Wlan,
    /// A session of L2TP version 3.
    Session,
    /// Samples of other packets: sFlow.
    Samples,
    /// A part of a frame.
    Fragment,
}

/// The payload of a UDP datagram that is a tunnel.
pub(super) struct Tunnel {
    carried: Carried,
    area: Area,
    /// Whether the tunnel needs no UDP checksum over IPv6 (RFC 6935, RFC 6936).
    pub(super) zero_checksum: bool,
    /// Whether the tunnel's header authenticates its payload.
    authenticated: bool,
}

impl Tunnel {
    /// Returns the tunnel that the ports of a datagram and the first bytes of its data indicate.
    pub(super) fn of(
        walk: &Walk<'_, impl FnMut(Found<'_>)>,
        ports: (u16, u16),
        area: Area,
    ) -> Option<Tunnel> {
        let (from, to) = ports;
        let zero_checksum = matches!(to, 4789 | 8472 | 4790 | 6081 | 4341 | 6635 | 4754)
            || from == 2152
            || to == 2152;
        let (carried, len) = match (from, to) {
            (_, 4789 | 8472) => vxlan::header(walk, &area),
            (_, 4790) => vxlan::extended(walk, &area),
            (_, 6081) => geneve::header(walk, &area),
            (2152, _) | (_, 2152) => gtp::header(walk, &area),
            (3544, _) | (_, 3544) => teredo::header(walk, &area),
            (1701, _) | (_, 1701) => l2tp::header(walk, &area),
            (5072, _) | (_, 5072) => ayiya::header(walk, &area),
            (_, 4341) => lisp::header(walk, &area),
            (_, 4342) => lisp::control(walk, &area),
            (3386, _) | (_, 3386) => gtp::version_0(walk, &area),
            (5247, _) | (_, 5247) => capwap::header(walk, &area),
            (_, 6343) => sflow::header(walk, &area),
            (_, 6635) => Some((Carried::Mpls, 0)),
            (_, 4754) => Some((Carried::Gre, 0)),
            (4500, _) | (_, 4500) => security_payload(walk, &area),
            _ => None,
        }?;
        if len > area.len() {
            return None;
        }
        let authenticated = match (from, to) {
            (3544, _) | (_, 3544) => teredo::is_authenticated(walk, &area),
            (5072, _) | (_, 5072) => ayiya::is_signed(walk, &area),
            _ => false,
        };
        let area = area.start + len..area.end;
        let plausible = match (carried, walk.peek::<1>(area.start)) {
            (Carried::Nothing | Carried::Hidden(_), _) => true,
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
            authenticated,
        })
    }

    /// Walks the payload of the tunnel.
    pub(super) fn enter(self, walk: &mut Walk<'_, impl FnMut(Found<'_>)>, outer: &Payload) {
        let area = self.area;
        walk.authenticated |= self.authenticated;
        match self.carried {
            Carried::Nothing => {}
            Carried::Hidden(obstacle) => walk.obstacle(obstacle),
            _ if area.start >= walk.data.len() => walk.obstacle(Obstacle::Snapped),
            Carried::Ethernet => ethernet::frame(walk, area),
            Carried::Type(number) => ethernet::ethertype(walk, number, area),
            Carried::Ip => link::raw(walk, area),
            Carried::Mpls => mpls::packet(walk, area),
            Carried::Ppp => ppp::frame(walk, area),
            Carried::Wlan => wlan::tunneled(walk, area),
            Carried::Session => l2tp::over_ip(walk, area),
            Carried::Samples => sflow::samples(walk, area),
            Carried::Fragment => walk.obstacle(Obstacle::Fragment),
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

/// Returns the name of the tunnel to which a port belongs. Data at this port that do not look like
/// the tunnel are an obstacle. The source port tells less, because a client chooses it freely.
pub(super) fn of_port(destination: u16) -> Option<&'static str> {
    Some(match destination {
        4789 | 8472 => "VXLAN",
        4790 => "VXLAN-GPE",
        6081 => "Geneve",
        2152 => "GTP-U",
        3544 => "Teredo",
        1701 => "L2TP",
        5072 => "AYIYA",
        4341 => "LISP",
        4342 => "LISP control",
        3386 => "GTP version 0",
        5247 => "CAPWAP",
        6343 => "sFlow",
        6635 => "MPLS",
        4754 => "GRE",
        _ => return None,
    })
}

/// Returns ESP over UDP (RFC 3948 section 2). A key exchange (IKE) begins with zeros at the same
/// port, and one byte keeps the way open.
fn security_payload(
    walk: &Walk<'_, impl FnMut(Found<'_>)>,
    area: &Area,
) -> Option<(Carried, usize)> {
    const KEY_EXCHANGE: [u8; 4] = [0; 4];
    let index = walk.peek::<4>(area.start)?;
    (*index != KEY_EXCHANGE && area.len() >= 8)
        .then_some((Carried::Hidden(Obstacle::Encrypted("ESP")), 8))
}
