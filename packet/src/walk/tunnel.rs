// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tunnels over UDP. A port only suggests a tunnel, because any program may use that port. So the
//! tunnel's header and its payload must look right as well.

use super::transport::Payload;
use super::{
    Area, Obstacle, Walk, ayiya, capwap, ethernet, geneve, gre, gtp, l2tp, link, lisp, mpls, ppp,
    sflow, teredo, vxlan, wlan,
};

/// The kind of payload that a tunnel's header names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Carried {
    /// No packet: the message belongs to the tunnel itself.
    Nothing,
    /// A packet after an obstacle.
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

/// Makes all that depends on ports from the rows of the table, in the order of the table:
///
/// - the ports: `to` if the destination suggests the tunnel, `with` if either port does;
/// - the name of the obstacle that other data at the port are, if they are one;
/// - the function that reads the header;
/// - whether the tunnel needs no UDP checksum over IPv6 (RFC 6935, RFC 6936);
/// - the function that says whether the header authenticates its payload.
macro_rules! tunnels {
    ($(
        $side:ident $($port:literal)|+: $name:expr, $header:expr, $zero:literal, $signed:expr;
    )*) => {
        /// Returns whether one of the ports of a datagram is a tunnel's. After other ports, the
        /// walk finds nothing.
        #[inline]
        pub(crate) fn has_port((from, to): (u16, u16)) -> bool {
            let is_tunnel = |port: u16| PORTS[usize::from(port / 64)] >> (port % 64) & 1 != 0;
            is_tunnel(from) | is_tunnel(to)
        }

        /// One bit for each port. Comparisons with each port would branch at random.
        static PORTS: [u64; 1 << 10] = {
            let mut ports = [0; 1 << 10];
            $($(ports[$port / 64] |= 1 << ($port % 64);)+)*
            ports
        };

        /// Returns the name of the tunnel to which a port belongs. Data at this port that do not
        /// look like the tunnel are an obstacle. The source port says less, because a client
        /// chooses it freely.
        pub(super) fn of_port(destination: u16) -> Option<&'static str> {
            match destination {
                $($($port)|+ => $name,)*
                _ => None,
            }
        }

        /// Reads the header of the tunnel that the ports of a datagram indicate.
        fn header(
            walk: &Walk<'_>,
            ports: (u16, u16),
            area: &Area,
        ) -> Option<Header> {
            match ports {
                $(ports!($side $($port)|+) => {
                    let (carried, len) = ($header)(walk, area)?;
                    Some(Header {
                        name: $name,
                        carried,
                        len,
                        zero_checksum: $zero,
                        authenticated: ($signed)(walk, area),
                    })
                })*
                _ => None,
            }
        }
    };
}

/// The pattern of a source and a destination port that suggest a tunnel.
macro_rules! ports {
    (to $($port:literal)|+) => { (_, $($port)|+) };
    (with $port:literal) => { ($port, _) | (_, $port) };
}

tunnels! {
    to 4789 | 8472: Some("VXLAN"), vxlan::header, true, never;
    to 4790: Some("VXLAN-GPE"), vxlan::extended, true, never;
    to 6081: Some("Geneve"), geneve::header, true, never;
    with 2152: Some("GTP-U"), gtp::header, true, never;
    with 3544: Some("Teredo"), teredo::header, false, teredo::is_authenticated;
    with 1701: Some("L2TP"), l2tp::header, false, never;
    with 5072: Some("AYIYA"), ayiya::header, false, ayiya::is_signed;
    to 4341: Some("LISP"), lisp::header, true, never;
    to 4342: Some("LISP control"), lisp::control, false, never;
    with 3386: Some("GTP version 0"), gtp::version_0, false, never;
    with 5247: Some("CAPWAP"), capwap::header, false, never;
    to 6343: Some("sFlow"), sflow::header, false, never;
    to 6635: Some("MPLS"), mpls_header, true, never;
    to 4754: Some("GRE"), gre_header, true, never;
    with 4500: None, security_payload, false, never;
}

fn never(_: &Walk<'_>, _: &Area) -> bool {
    false
}

/// MPLS and GRE over UDP (RFC 7510, RFC 8086) have no header between.
fn mpls_header(_: &Walk<'_>, _: &Area) -> Option<(Carried, usize)> {
    Some((Carried::Mpls, 0))
}

fn gre_header(_: &Walk<'_>, _: &Area) -> Option<(Carried, usize)> {
    Some((Carried::Gre, 0))
}

/// The header of a tunnel.
struct Header {
    name: Option<&'static str>,
    carried: Carried,
    len: usize,
    zero_checksum: bool,
    authenticated: bool,
}

/// The payload of a UDP datagram that is a tunnel.
pub(super) struct Tunnel {
    name: Option<&'static str>,
    carried: Carried,
    area: Area,
    /// Whether the tunnel needs no UDP checksum over IPv6 (RFC 6935, RFC 6936).
    pub(super) zero_checksum: bool,
    /// Whether the tunnel's header authenticates its payload.
    authenticated: bool,
}

impl Tunnel {
    /// Returns the tunnel that the ports of a datagram and the first bytes of its data indicate.
    pub(super) fn of(walk: &Walk<'_>, ports: (u16, u16), area: Area) -> Option<Tunnel> {
        if !has_port(ports) {
            return None;
        }
        let Header {
            name,
            carried,
            len,
            zero_checksum,
            authenticated,
        } = header(walk, ports, &area)?;
        if len > area.len() {
            return None;
        }
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
            name,
            carried,
            area,
            zero_checksum,
            authenticated,
        })
    }

    /// Walks the payload of the tunnel.
    pub(super) fn enter(self, walk: &mut Walk<'_>, outer: &Payload) {
        let area = self.area;
        walk.place.authenticated |= self.authenticated;
        walk.place.tunnel = self.name;
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

/// Returns ESP over UDP (RFC 3948 section 2). A key exchange (IKE) begins with zeros at the same
/// port, and one byte keeps the way open.
fn security_payload(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const KEY_EXCHANGE: [u8; 4] = [0; 4];
    let index = walk.peek::<4>(area.start)?;
    (*index != KEY_EXCHANGE && area.len() >= 8)
        .then_some((Carried::Hidden(Obstacle::Encrypted("ESP")), 8))
}
