// SPDX-License-Identifier: MIT OR Apache-2.0
//! UDP (RFC 768). The checksum covers as many bytes as the datagram's own length field says.

use super::transport::{self, Payload};
use super::tunnel::{self, Tunnel};
use super::{Addresses, Obstacle, Reason, Walk, Zero, be16};
use crate::Protocol;

const HEADER: usize = 8;
const CHECKSUM: usize = 6;

pub(super) fn datagram(walk: &mut Walk<'_>, payload: Payload) {
    let area = &payload.area;
    if area.len() < HEADER {
        return walk.short("UDP datagram shorter than its header");
    }
    let len = match walk
        .peek::<6>(area.start)
        .map(|header| usize::from(be16(header, 4)))
    {
        None => area.len(), // snapped
        // A jumbogram (RFC 2675 section 4) is as long as the packet.
        Some(0) if matches!(payload.addresses, Addresses::V6 { .. }) => area.len(),
        Some(0..HEADER) => return walk.malformed("UDP length below 8"),
        Some(len) => len,
    };
    let end = area.start + len;
    let mut field = payload.field(walk, Protocol::Udp, CHECKSUM, end.min(area.end));
    if end > area.end {
        field.unverified = field.unverified.or(Some(Reason::Length));
    }
    field.pseudo = payload.pseudo(transport::UDP, len);
    field.ports = transport::ports(walk, area);
    let data = area.start + HEADER..end.min(area.end);
    let tunnel = field
        .ports
        .and_then(|ports| Tunnel::of(walk, ports, data.clone()));
    field.zero = match payload.addresses {
        Addresses::V4 { .. } => Zero::Absent,
        Addresses::V6 { .. } if tunnel.as_ref().is_some_and(|tunnel| tunnel.zero_checksum) => {
            Zero::Absent
        }
        Addresses::V6 { .. } => Zero::Illegal,
    };
    walk.field(&field);
    if let Some(tunnel) = tunnel {
        tunnel.enter(walk, &payload);
    } else if let Some(name) = field.ports.and_then(|(_, to)| tunnel::of_port(to))
        && !data.is_empty()
    {
        let captured = walk
            .snapped(&(data.start..data.end.min(data.start + 8)))
            .is_none();
        walk.obstacle(match captured {
            true => Obstacle::Encapsulation(name),
            false => Obstacle::Snapped,
        });
    }
}
